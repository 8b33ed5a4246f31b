/* The f64 functions of cl_kernels/ on the host against functions of 113 bits: accuracy (the bounds
 * are those of the op table) and special values.
 *
 * The one hard idea: errors are large where arguments are chosen to be hard, not at random ones. So
 * each function gets, beside random bits over all exponents, arguments from the range in which its
 * result is neither 0 nor 1 nor infinite, neighbours of the places where it changes its method or
 * cancels, and what lies nearest to multiples of pi / 2. Every other argument is near one of the
 * worst so far, where larger errors are: a search, the same in every run (the seeds are 1 and 2).
 *
 * SINTER_SAMPLES=n tries 4 n arguments, and prints a row for each function, which
 * tests/docs/accuracy.py puts into docs/accuracy.md; SINTER_TEST_FUNCTION=name for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/rows.h"

#include "oracle/real.h"

/* ---- looking for large errors */

/* Where longer searches found the largest errors; every run tries these first. */
static const struct {
    sinter__op op;
    double x, y;
} known[] = {
    {SINTER__OP_POW, 1.4132323315889124, 2037.1099431743667},
    {SINTER__OP_EXP, -708.74784144958983, 0},
    {SINTER__OP_EXP2, -1022.482091813793, 0},
    {SINTER__OP_EXPM1, 37.08717345719198, 0},
    {SINTER__OP_LOG, 1.4137584818072235, 0},
    {SINTER__OP_LOG2, 1.3986602426267194, 0},
    {SINTER__OP_LOG10, 1.4138973164804647, 0},
    {SINTER__OP_LOG1P, 0.41477125725886704, 0},
    {SINTER__OP_SIN, 0.79569804163951152, 0},
    {SINTER__OP_COS, -16.491444875757171, 0},
    {SINTER__OP_TAN, 349.4982095009189, 0},
    {SINTER__OP_ATAN, 1.0259945062810136, 0},
    {SINTER__OP_TANH, 0.60000008332972532, 0},
    {SINTER__OP_ERF, 0.50394146285785757, 0},
    {SINTER__OP_SIGMOID, -708.75177971441246, 0},
    {SINTER__OP_ELU, -0.29770293822968552, -0.48546980638621345},
    {SINTER__OP_GELU, 7.6152154062545831e-06, 0},
    {SINTER__OP_GELU_TANH, -11.05393429676398, 0},
    {SINTER__OP_SILU, -362.17551614853062, 0},
    {SINTER__OP_SOFTPLUS, -1.2673202627373381, 0},
    {SINTER__OP_EXP10, 1.6571058991305001, 0},
    {SINTER__OP_ASIN, 0.50000001054051757, 0},
    {SINTER__OP_ACOS, 0.55208041678530428, 0},
    {SINTER__OP_SINH, -1.0293027243960626, 0},
    {SINTER__OP_COSH, -1.0210595481082629, 0},
    {SINTER__OP_ASINH, -0.35256688527320745, 0},
    {SINTER__OP_ACOSH, 1.0599122186740264, 0},
    {SINTER__OP_ATANH, -0.17055455421467286, 0},
    {SINTER__OP_ATAN2, -1.0484674353710808, 2.0406914258818691},
    {SINTER__OP_HYPOT, 1.049044526716032e+180, -1.0454701703391097e+180},
    {SINTER__OP_CBRT, 1.0229518337184387, 0},
    {SINTER__OP_ERFC, 11.966560072295758, 0},
    {SINTER__OP_LGAMMA, -0.83244510497060353, 0},
};

enum {
    PLACES = 61,  /* a prime: each bit that says where an operand belongs counts */
    COMPARED = 12 /* more would leave fewer places to search near, fewer would waste arguments */
};

/* The worst of all, and the worst of each place. */
typedef struct search {
    largest worst;
    largest places[PLACES];
} search;

/* An operand belongs to a place by its sign, its exponent and three bits more. */
static void find(search *s, double error, double x, double y)
{
    meet(&s->worst, error, x, y);
    meet(&s->places[(sn_u64_of_f64(x) >> 49) % PLACES], error, x, y);
}

/* The worst of a few places taken at random: mostly, but not always, one of the worst of all. */
static const largest *bad_place(const search *s)
{
    const largest *bad = &s->places[random_bits() % PLACES];
    for (int i = 1; i < COMPARED; i++) {
        const largest *other = &s->places[random_bits() % PLACES];
        bad = other->error > bad->error ? other : bad;
    }
    return bad;
}

/* x or a neighbour, as near as 1 unit in the last place or as far as half of x, all sizes of a step
 * being as likely. */
static double beside(double x)
{
    uint64_t reach = 1ull << (random_bits() % 52);
    return sn_f64_of_u64(sn_u64_of_f64(x) + random_bits() % (2 * reach + 1) - reach);
}

/* ---- accuracy */

static double our_elu(double x)
{
    return sn_elu_f64x1(x, 1.5);
}

/* `low` and `high`: where results differ from each other. `near`: a place around which arguments
 * are taken at every distance. */
static const struct accuracy {
    sinter__op op;
    double (*ours)(double);
    quad (*reference)(quad);
    double low, high, near;
} accuracies[] = {
    {SINTER__OP_EXP, sn_exp_f64x1, expq, -746, 710, 0},
    {SINTER__OP_EXP2, sn_exp2_f64x1, exp2q, -1075, 1024, 0},
    {SINTER__OP_EXPM1, sn_expm1_f64x1, expm1q, -40, 710, 0},
    {SINTER__OP_LOG, sn_log_f64x1, logq, 0.5, 2, 1},
    {SINTER__OP_LOG2, sn_log2_f64x1, log2q, 0.5, 2, 1},
    {SINTER__OP_LOG10, sn_log10_f64x1, log10q, 0.5, 2, 1},
    {SINTER__OP_LOG1P, sn_log1p_f64x1, log1pq, -1, 2, 0},
    {SINTER__OP_SIN, sn_sin_f64x1, sinq, -4, 4, 0},
    {SINTER__OP_COS, sn_cos_f64x1, cosq, -4, 4, 0},
    {SINTER__OP_TAN, sn_tan_f64x1, tanq, -4, 4, 0},
    {SINTER__OP_ATAN, sn_atan_f64x1, atanq, -4, 4, 1},
    {SINTER__OP_TANH, sn_tanh_f64x1, tanhq, -20, 20, 0.6},
    {SINTER__OP_ERF, sn_erf_f64x1, erfq, -6, 6, 0.5},
    {SINTER__OP_EXP10, sn_exp10_f64x1, real_exp10q, -324, 309, 0},
    {SINTER__OP_ASIN, sn_asin_f64x1, asinq, -1, 1, 0.5},
    {SINTER__OP_ACOS, sn_acos_f64x1, acosq, -1, 1, 0.5},
    {SINTER__OP_SINH, sn_sinh_f64x1, sinhq, -711, 711, 1},
    {SINTER__OP_COSH, sn_cosh_f64x1, coshq, -711, 711, 0},
    {SINTER__OP_ASINH, sn_asinh_f64x1, asinhq, -4, 4, 0},
    {SINTER__OP_ACOSH, sn_acosh_f64x1, acoshq, 1, 4, 1},
    {SINTER__OP_ATANH, sn_atanh_f64x1, atanhq, -1, 1, 0},
    {SINTER__OP_CBRT, sn_cbrt_f64x1, cbrtq, -8, 8, 1},
    {SINTER__OP_ERFC, sn_erfc_f64x1, erfcq, -6, 27.3, 0.5},
    {SINTER__OP_LGAMMA, sn_lgamma_f64x1, lgammaq, -8, 8, 2},
    {SINTER__OP_SIGMOID, sn_sigmoid_f64x1, real_sigmoidq, -746, 38, 0},
    {SINTER__OP_GELU, sn_gelu_f64x1, real_geluq, -38.7, 9, 0},
    {SINTER__OP_GELU_TANH, sn_gelu_tanh_f64x1, real_gelu_tanhq, -22, 6, 0},
    {SINTER__OP_SILU, sn_silu_f64x1, real_siluq, -752, 38, 0},
    {SINTER__OP_SOFTPLUS, sn_softplus_f64x1, real_softplusq, -746, 38, 0},
};

static const double special64[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    7.0,
    10.0,
    1000.0,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-1074,
    -0x1p-1074,
    0x1p-1022,
    0x1.ffffffffffffep-1023,
    DBL_MAX,
    -DBL_MAX,
    0x1p-53,
    0x1p-54,
    -0x1p-54,
    1e-3,
    709.782712893384, /* the logarithm of the largest */
    709.7827128933841,
    -745.1332191019411,
    -745.1332191019412,
    -708.3964185322641,
    1e5,
    0x1p30,
    0x1p52,
    0x1p53,
    0x1p63,
    1e300,
    0x1.0000000000001p0,
    0x1.fffffffffffffp-1,
    /* close to a multiple of pi / 2: those nearest among all f64, and among moderate ones */
    0x1.6ac5b262ca1ffp+849,
    0x1.921fb54442d18p+0,
    0x1.921fb54442d18p+1,
    0x1.2d97c7f3321d2p+2,
    0x1.33faf7f46e2d7p+29,
};

/* A double next to a multiple of pi / 2 below 2^1000, or beside one of its neighbours. */
static double near_multiple(void)
{
    const quad half_pi = (quad)0x1.921fb54442d18p+0 + (quad)0x1.1a62633145c07p-54;
    quad n = (quad)(random_bits() >> (11 + random_bits() % 52));
    double x = (double)(n * half_pi);
    return sn_f64_of_u64(sn_u64_of_f64(x) + random_bits() % 3 - 1);
}

static double argument(const struct accuracy *a, long i)
{
    double spread = ldexp(random_part(), -(int)(random_bits() % 60));
    switch (i % 4) {
    case 0:
        return sn_f64_of_u64(random_bits());
    case 1:
        return a->low + (a->high - a->low) * random_part();
    case 2:
        return a->near + (i % 8 < 4 ? spread : -spread);
    default:
        return near_multiple();
    }
}

static double error_of(const struct accuracy *a, double x)
{
    return oracle_ulps(&oracle_rows[a->op], SINTER_F64, (quad)a->ours(x), a->reference((quad)x));
}

static void every_function_is_within_its_limit(void **state)
{
    (void)state;
    long count = samples(3000) * 4 + (long)COUNT(special64);
    int failures = 0;
    for (size_t i = 0; i < COUNT(accuracies); i++) {
        const struct accuracy *a = &accuracies[i];
        const oracle_row *row = &oracle_rows[a->op];
        search s = {0};
        if (!is_wanted(row))
            continue;
        random_state = 1; /* what a function meets alone, it meets among others */
        for (size_t k = 0; k < COUNT(known); k++)
            if (known[k].op == a->op)
                find(&s, error_of(a, known[k].x), known[k].x, 0);
        for (long k = 0; k < count; k++) {
            double x = k < (long)COUNT(special64) ? special64[k]
                       : k % 2 == 0               ? argument(a, k / 2)
                                                  : beside(bad_place(&s)->at[0]);
            find(&s, error_of(a, x), x, 0);
        }
        failures += !is_kept(row, SINTER_F64, &s.worst, 1, count);
    }
    assert_int_equal(failures, 0);
}

static const struct {
    sinter__op op;
    double (*ours)(double, double);
    quad (*reference)(quad, quad);
} pairs[] = {
    {SINTER__OP_POW, sn_pow_f64x1, powq},
    {SINTER__OP_ELU, sn_elu_f64x1, real_eluq},
    {SINTER__OP_ATAN2, sn_atan2_f64x1, atan2q},
    {SINTER__OP_HYPOT, sn_hypot_f64x1, hypotq},
};

static double error_of_pair(size_t k, double x, double y)
{
    return ulps_between_f64(pairs[k].ours(x, y), pairs[k].reference((quad)x, (quad)y));
}

/* Beside a bad place in one operand, the other or both. */
static void move(const largest *from, double *x, double *y)
{
    uint64_t which = random_bits() % 3;
    *x = which == 0 ? from->at[0] : beside(from->at[0]);
    *y = which == 1 ? from->at[1] : beside(from->at[1]);
}

static void functions_of_two_operands_are_within_theirs(void **state)
{
    (void)state;
    int failures = 0;
    long count = samples(7000) * 4;
    for (size_t k = 0; k < COUNT(pairs); k++) {
        const oracle_row *row = &oracle_rows[pairs[k].op];
        search s = {0};
        if (!is_wanted(row))
            continue;
        random_state = 2;
        for (size_t i = 0; i < COUNT(known); i++)
            if (known[i].op == pairs[k].op)
                find(&s, error_of_pair(k, known[i].x, known[i].y), known[i].x, known[i].y);
        for (long i = 0; i < count; i++) {
            double x = sn_f64_of_u64(random_bits());
            double y = sn_f64_of_u64(random_bits());
            if (i % 2 == 0)
                relate(pairs[k].op, i / 2, 52, 1100, &x, &y);
            else
                move(bad_place(&s), &x, &y);
            find(&s, error_of_pair(k, x, y), x, y);
        }
        failures += !is_kept(row, SINTER_F64, &s.worst, 2, count);
    }
    assert_int_equal(failures, 0);
}

/* ---- special values */

static const struct {
    const char *name;
    double (*f)(double);
    double x, want;
} special_rows[] = {
    {"exp", sn_exp_f64x1, -0.0, 1},
    {"exp", sn_exp_f64x1, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
    {"exp", sn_exp_f64x1, 710, INFINITY},
    {"exp", sn_exp_f64x1, -746, 0},
    {"exp2", sn_exp2_f64x1, 10, 1024},
    {"exp2", sn_exp2_f64x1, -1074, 0x1p-1074},
    {"exp2", sn_exp2_f64x1, 1024, INFINITY},
    {"expm1", sn_expm1_f64x1, -0.0, -0.0},
    {"expm1", sn_expm1_f64x1, -INFINITY, -1},
    {"expm1", sn_expm1_f64x1, 0x1p-1074, 0x1p-1074},
    {"log", sn_log_f64x1, 1, 0},
    {"log", sn_log_f64x1, -0.0, -INFINITY},
    {"log", sn_log_f64x1, -1, NAN},
    {"log2", sn_log2_f64x1, 0x1p-1074, -1074},
    {"log2", sn_log2_f64x1, 0x1p1023, 1023},
    {"log10", sn_log10_f64x1, 1000, 3},
    {"log10", sn_log10_f64x1, 1e22, 22},
    {"log1p", sn_log1p_f64x1, -0.0, -0.0},
    {"log1p", sn_log1p_f64x1, -1, -INFINITY},
    {"log1p", sn_log1p_f64x1, -2, NAN},
    {"sin", sn_sin_f64x1, -0.0, -0.0},
    {"sin", sn_sin_f64x1, INFINITY, NAN},
    {"cos", sn_cos_f64x1, 0, 1},
    {"cos", sn_cos_f64x1, -INFINITY, NAN},
    {"tan", sn_tan_f64x1, -0.0, -0.0},
    {"tan", sn_tan_f64x1, INFINITY, NAN},
    {"atan", sn_atan_f64x1, -0.0, -0.0},
    {"atan", sn_atan_f64x1, -INFINITY, -0x1.921fb54442d18p+0},
    {"tanh", sn_tanh_f64x1, -0.0, -0.0},
    {"tanh", sn_tanh_f64x1, -INFINITY, -1},
    {"erf", sn_erf_f64x1, -0.0, -0.0},
    {"erf", sn_erf_f64x1, -INFINITY, -1},
    {"sigmoid", sn_sigmoid_f64x1, 0, 0.5},
    {"sigmoid", sn_sigmoid_f64x1, -INFINITY, 0},
    {"silu", sn_silu_f64x1, -INFINITY, -0.0},
    {"gelu", sn_gelu_f64x1, -INFINITY, -0.0},
    {"gelu", sn_gelu_f64x1, INFINITY, INFINITY},
    {"gelu", sn_gelu_f64x1, -0.0, -0.0},
    {"gelu_tanh", sn_gelu_tanh_f64x1, -INFINITY, -0.0},
    {"softplus", sn_softplus_f64x1, -INFINITY, 0},
    {"softplus", sn_softplus_f64x1, INFINITY, INFINITY},
    {"elu", our_elu, -INFINITY, -1.5},
    {"exp10", sn_exp10_f64x1, 309, INFINITY},
    {"exp10", sn_exp10_f64x1, -INFINITY, 0},
    {"asin", sn_asin_f64x1, -0.0, -0.0},
    {"asin", sn_asin_f64x1, 1.1, NAN},
    {"acos", sn_acos_f64x1, 1, 0},
    {"acos", sn_acos_f64x1, -1, 0x1.921fb54442d18p+1},
    {"acos", sn_acos_f64x1, -1.1, NAN},
    {"sinh", sn_sinh_f64x1, -0.0, -0.0},
    {"sinh", sn_sinh_f64x1, -711, -INFINITY},
    {"cosh", sn_cosh_f64x1, -0.0, 1},
    {"cosh", sn_cosh_f64x1, -INFINITY, INFINITY},
    {"asinh", sn_asinh_f64x1, -0.0, -0.0},
    {"asinh", sn_asinh_f64x1, -INFINITY, -INFINITY},
    {"acosh", sn_acosh_f64x1, 1, 0},
    {"acosh", sn_acosh_f64x1, 0.5, NAN},
    {"acosh", sn_acosh_f64x1, INFINITY, INFINITY},
    {"atanh", sn_atanh_f64x1, -0.0, -0.0},
    {"atanh", sn_atanh_f64x1, -1, -INFINITY},
    {"atanh", sn_atanh_f64x1, 2, NAN},
    {"cbrt", sn_cbrt_f64x1, -0.0, -0.0},
    {"cbrt", sn_cbrt_f64x1, -27, -3},
    {"cbrt", sn_cbrt_f64x1, -INFINITY, -INFINITY},
    {"erfc", sn_erfc_f64x1, -INFINITY, 2},
    {"erfc", sn_erfc_f64x1, INFINITY, 0},
    {"lgamma", sn_lgamma_f64x1, 1, 0},
    {"lgamma", sn_lgamma_f64x1, 2, 0},
    {"lgamma", sn_lgamma_f64x1, -0.0, INFINITY},
    {"lgamma", sn_lgamma_f64x1, -3, INFINITY},
    {"lgamma", sn_lgamma_f64x1, -INFINITY, INFINITY},
    {"lgamma", sn_lgamma_f64x1, INFINITY, INFINITY},
};

static void special_values_are_those_of_ieee_and_c99(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(special_rows); i++) {
        double got = special_rows[i].f(special_rows[i].x);
        if (!same64(got, special_rows[i].want))
            fail_msg("%s(%a) is %a, not %a", special_rows[i].name, special_rows[i].x, got,
                     special_rows[i].want);
    }
    for (size_t i = 0; i < COUNT(accuracies); i++)
        assert_true(isnan(accuracies[i].ours(NAN)));
}

/* C's own functions say what is exact. */
static void two_special_values_give_what_c99_says(void **state)
{
    (void)state;
    static double (*const c[])(double, double) = {pow, real_elu, atan2, hypot};
    for (size_t i = 0; i < COUNT(special64) * COUNT(special64) * COUNT(pairs); i++) {
        size_t k = i % COUNT(pairs);
        double x = special64[i / COUNT(pairs) / COUNT(special64)];
        double y = special64[i / COUNT(pairs) % COUNT(special64)];
        double want = c[k](x, y);
        double got = pairs[k].ours(x, y);
        double limit = oracle_error(&oracle_rows[pairs[k].op], SINTER_F64);
        bool exact = want == 0 || isinf(want) || isnan(want) || fabs(want) == 1;
        quad true_value = pairs[k].reference((quad)x, (quad)y);
        if (exact ? !same64(got, want) : ulps_between_f64(got, true_value) > limit)
            fail_msg("%s(%a, %a) is %a, not %a", oracle_rows[pairs[k].op].name, x, y, got, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_within_its_limit),
        cmocka_unit_test(functions_of_two_operands_are_within_theirs),
        cmocka_unit_test(special_values_are_those_of_ieee_and_c99),
        cmocka_unit_test(two_special_values_give_what_c99_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
