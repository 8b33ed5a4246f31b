/* Where a driver asks in each step of a loop how full a vector is, full vectors have a loop of their own: which loops
 * are printed so, and that nothing of it shows in the bits, wherever a line ends. */
#include "support/support.h"

#include "executor/opencl/device.h"
#include "executor/run/instance.h"

static test_device open_on(const char *device, sinter__full_apart full_apart)
{
    test_device d = test_open_on(device);
    d.ctx->devices[0].limits.full_apart = (uint8_t)full_apart;
    return d;
}

/* Whether a kernel has a loop of full vectors. */
static bool is_apart(const test_device *d)
{
    return test_kernels_have(d, "const int i") > 0;
}

static const struct {
    const char *text;
    int64_t rows, columns;
    sinter__full_apart from; /* where it is apart in the form for CPUs; 0: nowhere */
} cases[] = {
    {"a = gelu(x)", 1, 1, SINTER__APART_OUTERMOST},
    {"a = gelu(x)", 1, 15, SINTER__APART_OUTERMOST},
    {"a = gelu(x)", 1, 16, SINTER__APART_OUTERMOST},
    {"a = gelu(x) - 1; b = x * x", 1, 4095, SINTER__APART_OUTERMOST},
    {"a = gelu(x) * w", 37, 100, SINTER__APART_EVERYWHERE},
    {"a = where(x > w, x, exp(x - w))", 3, 1031, SINTER__APART_EVERYWHERE},
    {"a = cast(x * w, 'f16'); b = cast(x - w, 'i8')", 5, 255, SINTER__APART_EVERYWHERE},
    {"a = x[:, ::2] * 2; b = x[:, ::-2] + 1", 7, 251, SINTER__APART_EVERYWHERE},
    {"a = exp(x[1:, 3:] + w[3:])", 9, 70, SINTER__APART_EVERYWHERE},
    {"a = sum(x, axis=1)", 20, 300,
     SINTER__APART_NOWHERE}, /* what is left of its rows is apart in any case */
};

static void compare(sinter__full_apart full_apart)
{
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device host = open_on("host", SINTER__APART_NOWHERE);
        test_device d = open_on(NULL, full_apart);
        test_report_begin(&d);
        test_same_filled(&d, &host, cases[i].text, cases[i].rows, cases[i].columns);
        if (d.ctx->devices[0].limits.style == SINTER_STYLE_CPU)
            DECIDES(is_apart(&d), cases[i].from != 0 && full_apart >= cases[i].from);
        test_close(&d);
        test_close(&host);
    }
}

static void full_vectors_have_a_loop_of_their_own(void **state)
{
    (void)state;
    compare(SINTER__APART_EVERYWHERE);
}

static void those_outside_of_rows_alone_have_one(void **state)
{
    (void)state;
    compare(SINTER__APART_OUTERMOST);
}

static void or_each_is_asked(void **state)
{
    (void)state;
    compare(SINTER__APART_NOWHERE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_vectors_have_a_loop_of_their_own),
        cmocka_unit_test(those_outside_of_rows_alone_have_one),
        cmocka_unit_test(or_each_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
