/* The numbers of a kernel, each an argument or four words to one: the same bits, and how many arguments a replay sets whose
 * numbers have changed. */
#include "support/cl_layer.h"
#include "support/support.h"

#include "executor/instance.h"

#include <string.h>

enum { ROOM = 1 << 17, CHANGED = 3 };

/* As other tests do not have it: each by itself where the driver wants them packed, and packed elsewhere. */
static test_device open_other_way(const char *device)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    test_device d = test_open(&options);
    d.ctx->devices[0].limits.packs_numbers ^= true;
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

static const struct {
    const char *text;
    int64_t rows, columns;
} cases[] = {
    {"a = clamp(x * 1.01 + 0.25, -1.5, 1.75); b = x - 1", 37, 100},
    {"a = x + 1", 0, 5},
    {"a = sum(x * 2); b = max(x) - 1", 16, 8192}, /* in parts, by scratch memory */
    {"a = transpose(x[::2, 1:] * 3 + w[1:], (1, 0)) - 1; b = flip(x, axis=1) * 2", 41, 60},
    {"a = reshape(transpose(reshape(x, (3, 5, 7)), (2, 0, 1)), (15, 7)) + 1", 15, 7}, /* divides */
    {"a = cast(x, 'i64') * 5 - 3", 9, 70},
    {"a = cast(x, 'f64') * 1.1 + 0.1", 9, 70},
    {"a = cast(x, 'f16') * 1.5; b = cast(x, 'i8') + 3; c = cast(x * 4, 'u8') // 3", 9, 70},
    {"a = softmax(x * 0.5, axis=1) * 2; b = cumsum(x + 1, axis=1) * 0.5", 20, 300},
    {"a = random_normal((20, 300), seed=5) * x", 20, 300},
};

static void the_bits_are_the_same(void **state)
{
    (void)state;
    static uint8_t expected[ROOM * 8];
    static uint8_t found[ROOM * 8];
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        const char *text = cases[i].text;
        test_device host = open_other_way("host");
        test_device d = open_other_way(NULL);
        test_report_begin(&d);
        if (strstr(text, "f64") != NULL && !d.ctx->devices[0].limits.has_f64) {
            test_close(&d);
            test_close(&host);
            continue;
        }
        size_t bytes = run(&host, text, cases[i].rows, cases[i].columns, expected);
        assert_int_equal(run(&d, text, cases[i].rows, cases[i].columns, found), bytes);
        if (memcmp(found, expected, bytes) != 0)
            fail_msg("%s: other bits", text);
        if (cases[i].rows > 0)
            DECIDES(test_kernels_have(&d, "uint4 pack0") > 0,
                    d.ctx->devices[0].limits.packs_numbers);
        test_close(&d);
        test_close(&host);
    }
}

/* CHANGED numbers, and calls of OpenCL that it made. */
static uint64_t step(const test_device *d, sinter_tensor x, float number)
{
    const cl_layer *layer = test_cl_layer();
    uint64_t before = layer->calls();
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor c;
    OK(sinter_mul_scalar(d->s, x, number, &a));
    OK(sinter_add_scalar(d->s, a, number + 1, &b));
    OK(sinter_maximum_scalar(d->s, b, number - 2, &c));
    test_release(d, a);
    test_release(d, b);
    OK(sinter_stream_sync(d->s));
    test_release(d, c);
    return layer->calls() - before;
}

/* Behind two offsets a size and all three; or a size, what an item works through and two of them, and then the third. */
static unsigned packs_of(const test_device *d)
{
    return d->ctx->devices[0].limits.style == SINTER_STYLE_CPU ? 2 : 1;
}

static void changed_numbers_are_set(void **state)
{
    (void)state;
    if (test_cl_layer() == NULL || !test_is_plain() || !test_is_pooled()) {
        skip();
        return;
    }
    for (int packs = 0; packs <= 1; packs++) {
        test_device d = open_other_way(NULL);
        d.ctx->devices[0].limits.packs_numbers = packs != 0;
        const int64_t shape[] = {1000};
        sinter_tensor x;
        OK(sinter_full(d.s, SINTER_F32, 1, shape, sinter_scalar_float(0.5), &x));
        for (int i = 0; i < 4; i++)
            (void)step(&d, x, 1);
        uint64_t same = step(&d, x, 1);
        DECIDES(step(&d, x, 2) - same, packs != 0 ? packs_of(&d) : CHANGED);
        assert_int_equal(step(&d, x, 2), same);
        test_release(&d, x);
        test_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_are_the_same),
        cmocka_unit_test(changed_numbers_are_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
