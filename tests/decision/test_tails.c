/* Where a compiler takes vectors apart, the tails of short lines that are reduced are loaded and stored by halves:
 * which kernels are, and that nothing of it shows in the bits, wherever a line ends. And a vector of columns has no more
 * lanes than there is a use for. */
#include "support/support.h"

#include "executor/opencl/device.h"
#include "executor/run/instance.h"

static const struct {
    const char *text;
    int64_t rows, columns;
    bool has_tails; /* in the form for CPUs */
} cases[] = {
    {"a = sum(x, axis=1)", 13, 251, true},
    {"a = sum(x, axis=1)", 13, 304, false}, /* whole vectors of 16 lanes and less */
    {"a = sum(x, axis=1)", 3, 1030, false}, /* a long line */
    {"a = softmax(x, 1); b = argmax(x, 1)", 20, 17, true},
    {"a = softmax(x, 1); b = var(x, axis=1)", 9, 31, true},
    {"a = cast(sum(cast(x, 'f16') * w, axis=1), 'i8')", 20, 29, true},
    {"a = sum(cast(x * 9, 'u8'), axis=1); b = max(cast(x * 9, 'i64'), axis=1)", 7, 23, true},
    {"a = cast(x, 'bf16') - cast(mean(x, axis=1, keepdims=True), 'bf16')", 12, 27, true},
    {"a = any(x > 1, axis=1); b = where(a, 1, 2)", 5, 21, true},
    {"a = x - mean(x, axis=0); b = var(x, axis=0)", 79, 51, true},
    {"a = argmin(x, axis=0)", 600, 3, true},
    {"a = max(x, axis=0)", 79, 48, false},
    {"a = x * w + 1", 13, 300, false}, /* nothing is reduced */
};

static bool is_cpu(const test_device *d)
{
    return d->ctx->devices[0].limits.style == SINTER_STYLE_CPU;
}

/* Runs the program on the device and on the host. */
static void run(test_device *d, const char *text, int64_t rows, int64_t columns)
{
    test_device host = test_open_on("host");
    test_report_begin(d);
    test_same_filled(d, &host, text, rows, columns);
    test_close(&host);
}

static void compare(bool splits)
{
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device d = test_open(NULL);
        d.ctx->devices[0].limits.splits_vectors = splits;
        run(&d, cases[i].text, cases[i].rows, cases[i].columns);
        if (is_cpu(&d))
            DECIDES(test_kernels_have(&d, "_tail_") > 0, splits && cases[i].has_tails);
        test_close(&d);
    }
}

static void tails_of_short_lines_are_halved(void **state)
{
    (void)state;
    compare(true);
}

static void or_go_through_an_array(void **state)
{
    (void)state;
    compare(false);
}

static void a_vector_has_no_more_lanes_than_columns_need(void **state)
{
    (void)state;
    static const struct {
        int64_t columns;
        const char *has;
    } widths[] = {{2, "float2 v0"}, {3, "float4 v0"},  {4, "float4 v0"},  {5, "float8 v0"},
                  {8, "float8 v0"}, {9, "float16 v0"}, {40, "float16 v0"}};
    for (size_t i = 0; i < SINTER__COUNT(widths); i++) {
        test_device d = test_open(NULL);
        bool is_wide = is_cpu(&d) && d.ctx->devices[0].limits.tuning.run_lanes == 16;
        run(&d, "a = sum(x, axis=0)", 90, widths[i].columns);
        if (is_wide)
            assert_true(test_kernels_have(&d, widths[i].has) > 0);
        test_close(&d);
    }
}

static void nor_than_columns_of_a_product_do(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    bool is_wide = is_cpu(&d) && d.ctx->devices[0].limits.tuning.tile_lanes == 16;
    run(&d, "a = x @ transpose(x[:3])", 300, 20);
    if (is_wide) {
        assert_true(test_kernels_have(&d, "float4 v") > 0);
        assert_int_equal(test_kernels_have(&d, "float16 v"), 0);
    }
    test_close(&d);
}

/* Elementwise, where vectors of 16 lanes would have tails, lie in two rows, or go by tables. */
static void short_rows_that_half_a_vector_fills_have_no_tails(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
        bool halves;
    } shapes[] = {
        {"a = x[:, :40] * 2", 20, 41, true},
        {"a = x[:, 1:9] * x[:, :1]", 70, 41, true},
        {"a = x[:, :24] + x[:, 1:25]", 40, 41, true},
        {"a = x[:, :48] * 2", 20, 49, false},
        {"a = x[:, :39] * 2", 20, 41, false},
        {"a = x[:, :136] * 2", 20, 137, false},
        {"a = x * w", 50, 40, false},
        {"a = x * 2", 50, 40, false},
    };
    for (size_t i = 0; i < SINTER__COUNT(shapes); i++) {
        test_device d = test_open(NULL);
        bool is_wide = is_cpu(&d) && d.ctx->devices[0].limits.tuning.map_lanes == 16;
        run(&d, shapes[i].text, shapes[i].rows, shapes[i].columns);
        if (is_wide)
            DECIDES(test_kernels_have(&d, "float8 v") > 0, shapes[i].halves);
        test_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_short_lines_are_halved),
        cmocka_unit_test(or_go_through_an_array),
        cmocka_unit_test(a_vector_has_no_more_lanes_than_columns_need),
        cmocka_unit_test(nor_than_columns_of_a_product_do),
        cmocka_unit_test(short_rows_that_half_a_vector_fills_have_no_tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
