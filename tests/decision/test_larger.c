/* Maxima that only a softmax sees (fusion/nest/larger.h): which they are, and that every result has the bits it has with
 * the maximum of the op table, on rows in which the two differ. And exponentials of x less its maximum. */
#include "support/support.h"

#include "executor/run/instance.h"

#include <math.h>
#include <string.h>

#define ROWS 12
#define LENGTH 150
#define ELEMENTS (ROWS * LENGTH)
#define MOST_RESULTS 2

/* Element `i` of row `row`: below 0 but for what the row is about. */
static float element(int row, int i)
{
    static const float first[] = {NAN, 0.0f, -0.0f, -0.0f, INFINITY, 3e38f, -INFINITY, -0.0f};
    static const float last[] = {-1.0f, -0.0f, 0.0f, -0.0f, INFINITY, -3e38f, -2.0f, NAN};
    if (row == 8)
        return -INFINITY;
    if (row == 9)
        return -0.0f;
    if (row == 10)
        return i == 77 ? copysignf(NAN, -1.0f) : 0.5f;
    if (row == 11)
        return (float)(i % 31) / 7.0f;
    if (i == 3)
        return first[row];
    return i == LENGTH - 2 ? last[row] : -1.0f - (float)(i % 17) / 3.0f;
}

static void see(void *user, const sinter__instance *in)
{
    bool *larger = user;
    for (uint16_t i = 0; in->is_bound && i < in->compiled->plan.group_count; i++) {
        for (int k = 0; k < in->launch_counts[i]; k++)
            *larger |= sinter__instance_launch(in, i, k)->class_.key.larger != 0;
    }
}

typedef struct taken {
    bool larger; /* a kernel took the larger, */
    bool below;  /* and the exponential of what is not above 0 */
} taken;

/* Runs a program of x [12,150]: its last results, one after the other. Returns how many numbers. */
static size_t values_of(const char *text, uint32_t switches, float *out, taken *found)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    static float x[ELEMENTS];
    sinter_program *p;
    sinter_tensor results[16];
    size_t at = 0;
    options.log_fn = test_log;
    options.switches = switches;
    test_device d = test_open(&options);
    for (int i = 0; i < ELEMENTS; i++)
        x[i] = element(i / LENGTH, i % LENGTH);
    sinter_tensor in = test_floats(&d, 2, (int64_t[]){ROWS, LENGTH}, x);
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    OK(sinter_report_begin(d.s));
    OK(sinter_program_run(p, d.s, &in, results, NULL));
    OK(sinter_stream_sync(d.s));
    *found = (taken){0};
    sinter__instances_visit(d.s, see, &found->larger);
    found->below = test_kernels_have(&d, "= sn_exp_below_") > 0;
    for (size_t i = 0; i < sinter_program_result_count(p); i++) {
        if (sinter_program_result_is_last(p, i))
            at += test_read_numbers(&d, results[i], out + at, (size_t)MOST_RESULTS * ELEMENTS - at);
    }
    for (size_t i = 0; i < sinter_program_result_count(p); i++)
        test_release(&d, results[i]);
    test_release(&d, in);
    sinter_program_destroy(p);
    test_close(&d);
    return at;
}

#define ROW(f, x) f "(" x ", axis=1, keepdims=True)"
#define EXPONENTIALS "m = " ROW("max", "x") "; e = exp(x - m); s = " ROW("sum", "e") "; "
#define LOGARITHM "m = " ROW("max", "x") "; d = x - m; l = d - log(" ROW("sum", "exp(d)") "); "

typedef struct larger_case {
    const char *text;
    bool larger;
} larger_case;

static const larger_case cases[] = {
    {EXPONENTIALS "y = e / s; release m; release e; release s", true},
    {LOGARITHM "release m; release d", true},
    {EXPONENTIALS "y = e / s; release m; release e", true}, /* the sum is NaN with either */
    {"x = x * 2; " EXPONENTIALS "y = (e / s) * 3; release x; release m; release e; release s",
     true},
    /* The maximum, what is left of x, and the exponentials show it. */
    {EXPONENTIALS "y = e / s; release e; release s", false},
    {LOGARITHM "release m", false},
    {EXPONENTIALS "y = e / s; release m; release s", false},
    {EXPONENTIALS "y = e * 2; release m; release e; release s", false},
    {EXPONENTIALS "y = s / e; release m; release e; release s", false},
    {EXPONENTIALS "y = e / s + m; release m; release e; release s", false},
    {LOGARITHM "y = l + d; release m; release d; release l", false},
    /* NaN is in the exponentials only where it is in what the maximum is of. */
    {"m = " ROW("max", "x * 0.5") "; e = exp(x - m); y = e / " ROW("sum",
                                                                   "e") "; release m; release e",
     false},
    {"m = " ROW("max", "x") "; e = exp(m - x); y = e / " ROW("sum", "e") "; release m; release e",
     false},
    {"m = " ROW("min", "x") "; e = exp(x - m); y = e / " ROW("sum", "e") "; release m; release e",
     false},
    {EXPONENTIALS "y = e / s; p = argmax(x, axis=1); q = cast(p, 'f32'); release m; release e; "
                  "release s; release p",
     false},
};

/* All NaNs are one value. */
static bool is_same(float a, float b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check(const larger_case *c)
{
    static float fused[MOST_RESULTS * ELEMENTS];
    static float apart[MOST_RESULTS * ELEMENTS];
    taken found;
    taken never;
    size_t count = values_of(c->text, 0, fused, &found);
    assert_int_equal(values_of(c->text, SINTER_NO_FUSE, apart, &never), count);
    if (test_is_plain() && found.larger != c->larger)
        fail_msg("%s: larger %d", c->text, found.larger);
    assert_false(never.larger || never.below);
    for (size_t i = 0; i < count; i++) {
        if (!is_same(fused[i], apart[i]))
            fail_msg("%s: element %zu of row %zu is %a, not %a", c->text, i % LENGTH, i / LENGTH,
                     fused[i], apart[i]);
    }
}

static bool is_host(void)
{
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return info.kind == SINTER_DEVICE_HOST;
}

/* x less its maximum is not above 0, which the kernels of a driver make use of; x less another's
 * maximum may be, and so is the maximum less x. */
static void exponentials_of_what_is_below_know_it(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool below;
    } all[] = {{"y = " ROW("sum", "exp(x - " ROW("max", "x") ")"), true},
               {"y = " ROW("sum", "exp(x - " ROW("max", "x * 0.5") ")"), false},
               {"y = " ROW("sum", "exp(" ROW("max", "x") " - x)"), false},
               {"y = " ROW("sum", "exp(x - " ROW("min", "x") ")"), false}};
    static float fused[MOST_RESULTS * ELEMENTS];
    for (size_t i = 0; i < SINTER__COUNT(all) && !is_host() && test_is_plain(); i++) {
        taken found;
        (void)values_of(all[i].text, 0, fused, &found);
        assert_int_equal(found.below, all[i].below);
    }
}

/* Decisions are the same on every device, and compilers take their time: a driver has a softmax and its logarithm. */
static void the_larger_is_taken_where_no_result_shows_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < (is_host() ? SINTER__COUNT(cases) : 2); i++)
        check(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_larger_is_taken_where_no_result_shows_it),
        cmocka_unit_test(exponentials_of_what_is_below_know_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
