/* The numbers of a kernel, each an argument or four words to one: the same bits, and how many arguments a replay sets
 * whose numbers have changed. */
#include "support/cl_layer.h"
#include "support/support.h"

#include "executor/run/instance.h"

#include <string.h>

enum { ROOM = 1 << 17, CHANGED = 3 };

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

/* As other tests do not have it: each by itself where the driver wants them packed, and packed elsewhere. */
static void check_other_way(const test_device *d, const test_device *host, size_t i)
{
    static uint8_t expected[ROOM * 8];
    static uint8_t found[ROOM * 8];
    sinter__limits *limits = &d->ctx->devices[0].limits;
    const char *text = cases[i].text;
    int64_t rows = cases[i].rows;
    int64_t columns = cases[i].columns;
    if (strstr(text, "f64") != NULL && !limits->has_f64)
        return;
    assert_true(rows * columns <= ROOM);
    limits->packs_numbers ^= true;
    test_report_begin(d);
    size_t bytes = test_run_rows(host, text, rows, columns, NULL, false, expected);
    assert_int_equal(test_run_rows(d, text, rows, columns, NULL, false, found), bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s: other bits", text);
    if (rows > 0)
        DECIDES(test_kernels_have(d, "uint4 pack0") > 0, limits->packs_numbers);
}

static void the_bits_are_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device host = test_open_on("host");
        test_device d = test_open_on(NULL);
        check_other_way(&d, &host, i);
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

/* Behind two offsets a size and all three; or a size, what an item works through and two of them, then the third. */
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
        test_device d = test_open_on(NULL);
        d.ctx->devices[0].device.limits.tuning.poll_work =
            0; /* waits make the same calls each time */
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
