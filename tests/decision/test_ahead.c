/* Operands that come from memory are asked for ahead: in which launches, which of their operands and in which loops; and that
 * nothing of it shows in the bits. */
#include "support/support.h"

#include "executor/instance.h"
#include "executor/opencl/device.h"

#include <string.h>

#define ROOM 8192
#define AHEAD 256 /* bytes: 64 floats */

/* Programs of x [rows,columns] and w [columns]. */
#define MAP "a = x * 2 + w"
#define LONG "a = sin(x) + cos(x) + tanh(x) * log(x * x) + exp(x)"
#define SOFTMAX "a = softmax(x, axis=1)"
#define SUMS "a = sum(x * w, axis=1)"
#define WHOLE "a = sum(x)"
#define COLUMNS "a = sum(x, axis=0)"
#define DOWN "a = cumsum(x, axis=0)"
#define ALONG "a = cumsum(x, axis=1)"
#define TURNED "a = transpose(x) * 2"
#define SECOND "a = x[:, ::2] * 2"
#define NARROW "h = cast(x, 'u8'); cut; a = h + 1; release h"

static test_device open_on(const char *device, sinter_style style, uint32_t lanes, uint32_t from)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    options.style = style;
    options.lanes = lanes;
    test_device d = test_open(&options);
    d.ctx->devices[0].limits.tuning.ahead_bytes = AHEAD;
    d.ctx->devices[0].limits.tuning.ahead_from = from;
    d.ctx->devices[0].limits.prefetches |= d.ctx->devices[0].backend->program_build == NULL;
    return d;
}

static size_t run(const test_device *d, const char *text, int64_t rows, int64_t columns,
                  uint8_t *out)
{
    static float data[ROOM];
    assert_true(rows * columns <= ROOM);
    test_fill(data, ROOM);
    return test_run_rows(d, text, rows, columns, data, false, out);
}

static void see_ahead(void *user, const sinter__instance *in)
{
    unsigned *bytes = user;
    for (uint16_t g = 0; g < in->compiled->plan.group_count; g++)
        *bytes = sinter__instance_launch(in, g, 0)->class_.key.ahead;
}

/* x is 32 x 64 of f32: 8,192 bytes, and w 256. */
static void large_launches_along_rows_ask(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sinter_style style;
        uint32_t from; /* bytes, half of what is moved */
        unsigned ahead;
    } all[] = {
        {MAP, SINTER_STYLE_CPU, 8320, AHEAD},
        {MAP, SINTER_STYLE_CPU, 8321, 0}, /* it finds all of it in the caches */
        {MAP, SINTER_STYLE_CPU, 0, 0},    /* never */
        {MAP, SINTER_STYLE_GPU, 64, 0},   /* it has other work-items to wait with */
        {SOFTMAX, SINTER_STYLE_CPU, 64, AHEAD},
        {SUMS, SINTER_STYLE_CPU, 64, AHEAD},
        {WHOLE, SINTER_STYLE_CPU, 64, AHEAD},
        {COLUMNS, SINTER_STYLE_CPU, 64, 0}, /* what follows in memory is not what comes next */
        {DOWN, SINTER_STYLE_CPU, 64, 0},
        {ALONG, SINTER_STYLE_CPU, 64, 0},
        {TURNED, SINTER_STYLE_CPU, 64, 0},
    };
    static uint8_t out[ROOM * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        unsigned ahead = 0;
        test_device d = open_on("host", all[i].style, 16, all[i].from);
        (void)run(&d, all[i].text, 32, 64, out);
        sinter__instances_visit(d.s, see_ahead, &ahead);
        if (ahead != all[i].ahead)
            fail_msg("%s from %u bytes on: %u bytes ahead, not %u", all[i].text, all[i].from, ahead,
                     all[i].ahead);
        test_close(&d);
    }
}

/* Places in the text that ask: for what is read once, in vectors that follow each other. */
static void what_is_read_once_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t asks;
    } all[] = {
        {MAP, 3},  /* x in two vectors side by side and in one, and not w, which each row reads */
        {LONG, 1}, /* full vectors, and not what is left */
        {SOFTMAX, 4},              /* the first of three loops over a row */
        {SUMS, 4},    {SECOND, 0}, /* every second element */
        {NARROW, 3}                /* x, and not h, of which a line has four vectors */
    };
    static uint8_t out[ROOM * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on(NULL, SINTER_STYLE_CPU, 16, 64);
        bool prefetches = d.ctx->devices[0].limits.prefetches;
        if (d.ctx->devices[0].backend->program_build != NULL) {
            test_report_begin(&d);
            (void)run(&d, all[i].text, 32, 64, out);
            size_t asks = test_kernels_have(&d, "    AHEAD(p");
            if (asks != (prefetches ? all[i].asks : 0))
                fail_msg("%s asks %zu times, not %zu", all[i].text, asks, all[i].asks);
        }
        test_close(&d);
    }
}

/* Rows that are full vectors and rows that are not, and past the end of what there is. */
static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const char *const texts[] = {MAP, LONG, SOFTMAX, SUMS, WHOLE};
    static const int64_t shapes[][2] = {{1, 1}, {3, 7}, {17, 33}, {32, 64}, {40, 200}, {7, 1030}};
    static uint8_t expected[ROOM * 8];
    static uint8_t found[ROOM * 8];
    test_device host = open_on("host", SINTER_STYLE_CPU, 0, 0);
    test_device d = open_on(NULL, SINTER_STYLE_CPU, 0, 1);
    for (size_t k = 0; k < SINTER__COUNT(texts); k++) {
        for (size_t i = 0; i < SINTER__COUNT(shapes); i++) {
            size_t bytes = run(&host, texts[k], shapes[i][0], shapes[i][1], expected);
            assert_int_equal(run(&d, texts[k], shapes[i][0], shapes[i][1], found), bytes);
            if (memcmp(found, expected, bytes) != 0)
                fail_msg("%s of %lld x %lld", texts[k], (long long)shapes[i][0],
                         (long long)shapes[i][1]);
        }
    }
    test_close(&d);
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_launches_along_rows_ask),
        cmocka_unit_test(what_is_read_once_is_asked_for),
        cmocka_unit_test(the_bits_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
