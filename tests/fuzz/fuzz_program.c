/* A program's text: a fault has a place inside it; what parses is queued or refused, planned, written as kernels, and
 * leaves nothing. Launches do nothing, so that the sizes that a text asks for take no time.
 *
 * Behind a first byte 1 are the device (api_recorder.h) and a byte for the context, and then the text. */
#include "api_recorder.h"

#include <sinter/sinter.h>

#include <stdlib.h>
#include <string.h>

#define INPUTS 4
#define RESULTS 64

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool is_inside(sinter_program_place place, size_t bytes)
{
    return place.line > 0 && place.column > 0 && place.line <= bytes + 1 &&
           place.column <= bytes + 1;
}

static void text_of(void *user, const char *text, size_t bytes)
{
    (void)user;
    check(memchr(text, 0, bytes) == NULL);
}

/* What the bytes in front of a text have: how a program is run. */
typedef struct setting {
    const uint8_t *device; /* NULL: the host */
    sinter_context_options o;
    bool is_large; /* inputs */
} setting;

static setting take_setting(const uint8_t **data, size_t *bytes)
{
    setting how = {.o = SINTER_CONTEXT_OPTIONS_INIT};
    how.o.device = "host";
    how.o.switches = SINTER_NO_CACHE;
    how.o.style = *bytes % 2 == 0 ? SINTER_STYLE_CPU : SINTER_STYLE_GPU;
    how.o.realloc_fn = recorder_realloc;
    if (*bytes > RECORDER_DEVICE + 1 && **data == 1) {
        uint8_t b = (*data)[RECORDER_DEVICE + 1];
        how.device = *data + 1;
        how.o.style = (b & 1) != 0 ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
        how.is_large = (b & 2) != 0;
        how.o.mode = (sinter_mode)(1 + (b >> 2) % 3);
        how.o.lanes = 1u << (b >> 4) % 5;
        *data += RECORDER_DEVICE + 2;
        *bytes -= RECORDER_DEVICE + 2;
    }
    return how;
}

/* Inputs of different shapes and dtypes. */
static void make_inputs(sinter_stream *s, bool is_large, sinter_tensor *inputs)
{
    static const int64_t all[2][INPUTS][2] = {{{3, 4}, {4, 1}, {4, 4}, {2, 0}},
                                              {{96, 80}, {80, 1}, {80, 96}, {96, 80}}};
    const int64_t(*shapes)[2] = all[is_large];
    static const sinter_dtype dtypes[INPUTS] = {SINTER_F32, SINTER_I32, SINTER_BF16, SINTER_BOOL};
    for (int i = 0; i < INPUTS; i++)
        check(sinter_full(s, dtypes[i], i == 1 ? 1 : 2, shapes[i], sinter_scalar_int(1),
                          &inputs[i]) == SINTER_OK);
}

static void run(const sinter_program *p, sinter_context *ctx, bool is_large, size_t bytes)
{
    sinter_stream *s;
    sinter_tensor inputs[INPUTS];
    sinter_tensor results[RESULTS];
    sinter_program_place place;
    check(sinter_stream_create(ctx, NULL, &s) == SINTER_OK);
    make_inputs(s, is_large, inputs);
    check(sinter_report_begin(s) == SINTER_OK);
    size_t count = sinter_program_result_count(p);
    sinter_status status = sinter_program_run(p, s, inputs, results, &place);
    check(status != SINTER_EINTERNAL && status != SINTER_EHANDLE);
    check(status == SINTER_OK || is_inside(place, bytes));
    for (size_t i = 0; i < count; i++)
        check((results[i].id != 0) == (status == SINTER_OK));
    check(sinter_queue_write(s, text_of, NULL) == SINTER_OK);
    (void)sinter_stream_sync(s);
    check(sinter_kernels_write(s, text_of, NULL) == SINTER_OK);
    check(sinter_report_write(s, text_of, NULL) == SINTER_OK);
    for (size_t i = 0; i < count; i++)
        check(sinter_tensor_release(s, results[i]) == SINTER_OK);
    for (int i = 0; i < INPUTS; i++)
        check(sinter_tensor_release(s, inputs[i]) == SINTER_OK);
    (void)sinter_stream_destroy(s);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    sinter_program *p;
    sinter_program_place place;
    setting how = take_setting(&data, &bytes);
    sinter_status status = sinter_program_parse((const char *)data, bytes, &p, &place);
    check((status == SINTER_OK) == (p != NULL));
    check(status == SINTER_OK || is_inside(place, bytes));
    if (status != SINTER_OK)
        return 0;
    for (size_t i = 0; i < sinter_program_input_count(p); i++)
        check(sinter_program_input_name(p, i) != NULL);
    if (sinter_program_input_count(p) <= INPUTS && sinter_program_result_count(p) <= RESULTS) {
        sinter_context *ctx;
        sinter_stats stats = SINTER_STATS_INIT;
        size_t before = recorder_live();
        recorder_start((recorder_plan){.is_idle = true, .device = how.device});
        check(sinter_context_create(&how.o, &ctx) == SINTER_OK);
        run(p, ctx, how.is_large, bytes);
        check(sinter_context_stats(ctx, &stats) == SINTER_OK);
        check(stats.live_tensors == 0 && stats.cl_allocated_bytes == 0);
        check(sinter_context_destroy(ctx) == SINTER_OK);
        check(recorder_live() == before);
    }
    sinter_program_destroy(p);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
