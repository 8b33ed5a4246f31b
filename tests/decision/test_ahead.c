/* Operands that come from memory are asked for ahead: in which launches, which of their operands
 * and in which loops; and that nothing of it shows in the bits. */
#include "support/support.h"

#include "executor/opencl/device.h"
#include "executor/run/instance.h"

#include <string.h>

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
#define LEFT "a = x[:, :32] * 2"
#define RIGHT "a = x[:, 8:] * 2"
#define BACK "a = x[::-1, :] * 2"
#define LIST "a = exp(x * 2); b = exp(x[0:8] * 2)"
#define LONG_SUMS "a = sum(tanh(x) * log(x * x), axis=1)"
#define SPREAD "a = var(x, axis=1)"
#define NORM "a = layer_norm(x, -1)"
#define WIDE "h = cast(x, 'f64'); cut; a = h * 2; release h"
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
    d.ctx->devices[0].limits.tuning.heavy_ahead_from = 0;
    d.ctx->devices[0].limits.prefetches |= d.ctx->devices[0].backend->program_build == NULL;
    return d;
}

typedef struct seen {
    unsigned ahead; /* bytes, of the first launch's first operand */
    unsigned launches;
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    for (uint16_t a = l->class_.key.access_count; a > 0; a--) {
        if (l->nest->accesses[a - 1].role == SINTER__ROLE_READ)
            s->ahead = l->class_.accesses[a - 1].ahead;
    }
    for (uint16_t g = 0; g < in->compiled->plan.group_count; g++)
        s->launches += in->launch_counts[g];
}

/* x is f32, 32 x 64, 8,192 bytes, if nothing else is said, and w a row of it. */
static void large_launches_along_rows_ask(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sinter_style style;
        uint32_t from; /* bytes, half of what is moved */
        int64_t columns;
        unsigned ahead;
    } all[] = {
        {MAP, SINTER_STYLE_CPU, 8320, 64, AHEAD},
        {MAP, SINTER_STYLE_CPU, 8321, 64, 0}, /* it finds all of it in the caches */
        {MAP, SINTER_STYLE_CPU, 0, 64, 0},    /* never */
        {MAP, SINTER_STYLE_GPU, 64, 64, 0},   /* it has other work-items to wait with */
        {SOFTMAX, SINTER_STYLE_CPU, 64, 64, AHEAD},
        {SUMS, SINTER_STYLE_CPU, 64, 64, AHEAD},
        {WHOLE, SINTER_STYLE_CPU, 64, 64, AHEAD},
        {COLUMNS, SINTER_STYLE_CPU, 64, 64, 0}, /* what follows in memory is not what comes next */
        {DOWN, SINTER_STYLE_CPU, 64, 64, 0},
        {ALONG, SINTER_STYLE_CPU, 64, 64, 0},
        {TURNED, SINTER_STYLE_CPU, 64, 64, 0},
        {SECOND, SINTER_STYLE_CPU, 64, 64, 0},
        {LEFT, SINTER_STYLE_CPU, 64, 64, 0}, /* its rows are shorter than that is far, and apart */
        {RIGHT, SINTER_STYLE_CPU, 64, 256, 0},
        {RIGHT, SINTER_STYLE_CPU, 64, 264, AHEAD}, /* 1,024 bytes are long */
        {BACK, SINTER_STYLE_CPU, 64, 64, 0},
        {BACK, SINTER_STYLE_CPU, 64, 256, 0},
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        seen found = {0, 0};
        int64_t rows = all[i].columns > 64 ? 8 : 32;
        test_device d = open_on("host", all[i].style, 16, all[i].from);
        (void)test_run_filled(&d, all[i].text, rows, all[i].columns, false, out);
        sinter__instances_visit(d.s, see, &found);
        if (found.ahead != all[i].ahead)
            fail_msg("%s of %d columns, from %u bytes on: %u bytes ahead, not %u", all[i].text,
                     (int)all[i].columns, all[i].from, found.ahead, all[i].ahead);
        test_close(&d);
    }
}

/* What computes for longer than it moves, in one loop or in all of them, and what does not; also
 * where it goes through rows three times. */
static void heavy_launches_have_a_limit_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t heavy_from;
        unsigned ahead;
    } all[] = {
        {LONG, 8192, AHEAD}, {LONG, 8193, 0}, {LONG, 0, 0},  {SOFTMAX, 64, AHEAD},
        {MAP, 64, 0},        {SUMS, 64, 0},   {NORM, 64, 0}, {LONG_SUMS, 64, AHEAD},
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        seen found = {0, 0};
        test_device d = open_on("host", SINTER_STYLE_CPU, 16, 0);
        d.ctx->devices[0].limits.tuning.heavy_ahead_from = all[i].heavy_from;
        (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
        sinter__instances_visit(d.s, see, &found);
        if (found.ahead != all[i].ahead)
            fail_msg("%s from %u bytes on: %u bytes ahead, not %u", all[i].text, all[i].heavy_from,
                     found.ahead, all[i].ahead);
        test_close(&d);
    }
}

/* Rows of a list share a launch, on whichever side of the limit each of them is. */
static void lists_do_not_ask(void **state)
{
    (void)state;
    static uint8_t out[TEST_FILLED * 8];
    seen found = {0, 0};
    test_device d = open_on("host", SINTER_STYLE_CPU, 16, 8192);
    (void)test_run_filled(&d, LIST, 32, 64, false, out);
    sinter__instances_visit(d.s, see, &found);
    assert_int_equal(found.launches, 1);
    assert_int_equal(found.ahead, 0);
    test_close(&d);
}

/* Places in the text that ask: for what comes from memory, in vectors that follow each other. */
static void what_comes_from_memory_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t lanes;
        size_t asks;
    } all[] = {
        {MAP, 16, 2},     /* x in two vectors side by side, and not w, which each row reads */
        {LONG, 16, 1},    /* full vectors, and not what is left */
        {SOFTMAX, 16, 4}, /* the first of three loops over a row */
        {SUMS, 16, 4},      {SUMS, 8, 1},
        {LONG_SUMS, 16, 1}, /* one loop for full vectors and for what is left */
        {SPREAD, 16, 4},    /* the first of two */
        {SECOND, 16, 0},    /* every second element */
        {NARROW, 16, 2},    /* x, and not h, of which a line has four such vectors */
        {WIDE, 16, 6},      /* x, and two lines for each vector of h */
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on(NULL, SINTER_STYLE_CPU, all[i].lanes, 64);
        const sinter__limits *limits = &d.ctx->devices[0].limits;
        bool runs = strcmp(all[i].text, WIDE) != 0 || limits->has_f64;
        if (runs && d.ctx->devices[0].backend->program_build != NULL) {
            test_report_begin(&d);
            (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
            size_t asks = test_kernels_have(&d, "    AHEAD(p");
            if (asks != (limits->prefetches ? all[i].asks : 0))
                fail_msg("%s in %u lanes asks %zu times, not %zu", all[i].text, all[i].lanes, asks,
                         all[i].asks);
        }
        test_close(&d);
    }
}

/* Until doctor has measured: two KiB where a compiler takes it, for what computes. */
static void the_default_goes_by_the_compiler(void **state)
{
    (void)state;
    for (int prefetches = 0; prefetches <= 1; prefetches++) {
        sinter__tuning t;
        sinter__device d = {.info = SINTER_DEVICE_INFO_INIT};
        d.info.kind = SINTER_DEVICE_CPU;
        d.limits.prefetches = prefetches != 0;
        sinter__device_tuning(&d, SINTER_STYLE_CPU, 0, &t);
        assert_int_equal(t.ahead_bytes, prefetches != 0 ? 2048 : 0);
        assert_int_equal(t.ahead_from, 0);
        assert_int_equal(t.heavy_ahead_from, 1 << 20);
        sinter__device_tuning(&d, SINTER_STYLE_GPU, 0, &t);
        assert_int_equal(t.ahead_bytes, 0);
    }
}

/* Rows that are full vectors and rows that are not, and past the end of what there is. */
static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const char *const texts[] = {MAP, LONG, SOFTMAX, SUMS, WHOLE, LONG_SUMS, SPREAD, BACK};
    static const int64_t shapes[][2] = {{1, 1}, {3, 7}, {17, 33}, {32, 64}, {40, 200}, {7, 1030}};
    test_device host = open_on("host", SINTER_STYLE_CPU, 0, 0);
    test_device d = open_on(NULL, SINTER_STYLE_CPU, 0, 1);
    for (size_t k = 0; k < SINTER__COUNT(texts); k++) {
        for (size_t i = 0; i < SINTER__COUNT(shapes); i++)
            test_same_filled(&d, &host, texts[k], shapes[i][0], shapes[i][1]);
    }
    test_close(&d);
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_launches_along_rows_ask),
        cmocka_unit_test(heavy_launches_have_a_limit_of_their_own),
        cmocka_unit_test(lists_do_not_ask),
        cmocka_unit_test(what_comes_from_memory_is_asked_for),
        cmocka_unit_test(the_default_goes_by_the_compiler),
        cmocka_unit_test(the_bits_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
