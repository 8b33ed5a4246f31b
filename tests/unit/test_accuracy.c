/* The functions of f32 in cl_kernels/ on the host: accuracy against the C library in double (the
 * bounds are those of the op table), and special values.
 *
 * oracle/test_sweep.c tries all inputs of those of one operand. Of those of two, SINTER_SAMPLES=n
 * tries n pairs of each kind and prints rows, which tests/docs/accuracy.py puts into docs/accuracy.md;
 * SINTER_TEST_FUNCTION=name is for one function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/rows.h"

#include "oracle/real.h"

/* ---- accuracy */

static float our_elu(float x)
{
    return sn_elu_f32x1(x, 1.5f);
}

static const struct accuracy {
    sinter__op op;
    float (*ours)(float);
    double (*reference)(double);
} accuracies[] = {
    {SINTER__OP_EXP, sn_exp_f32x1, exp},
    {SINTER__OP_EXP2, sn_exp2_f32x1, exp2},
    {SINTER__OP_EXPM1, sn_expm1_f32x1, expm1},
    {SINTER__OP_LOG, sn_log_f32x1, log},
    {SINTER__OP_LOG2, sn_log2_f32x1, log2},
    {SINTER__OP_LOG10, sn_log10_f32x1, log10},
    {SINTER__OP_LOG1P, sn_log1p_f32x1, log1p},
    {SINTER__OP_SIN, sn_sin_f32x1, sin},
    {SINTER__OP_COS, sn_cos_f32x1, cos},
    {SINTER__OP_TAN, sn_tan_f32x1, tan},
    {SINTER__OP_ATAN, sn_atan_f32x1, atan},
    {SINTER__OP_TANH, sn_tanh_f32x1, tanh},
    {SINTER__OP_ERF, sn_erf_f32x1, erf},
    {SINTER__OP_EXP10, sn_exp10_f32x1, real_exp10},
    {SINTER__OP_ASIN, sn_asin_f32x1, asin},
    {SINTER__OP_ACOS, sn_acos_f32x1, acos},
    {SINTER__OP_SINH, sn_sinh_f32x1, sinh},
    {SINTER__OP_COSH, sn_cosh_f32x1, cosh},
    {SINTER__OP_ASINH, sn_asinh_f32x1, asinh},
    {SINTER__OP_ACOSH, sn_acosh_f32x1, acosh},
    {SINTER__OP_ATANH, sn_atanh_f32x1, atanh},
    {SINTER__OP_CBRT, sn_cbrt_f32x1, cbrt},
    {SINTER__OP_ERFC, sn_erfc_f32x1, erfc},
    {SINTER__OP_SIGMOID, sn_sigmoid_f32x1, real_sigmoid},
    {SINTER__OP_GELU, sn_gelu_f32x1, real_gelu},
    {SINTER__OP_GELU_TANH, sn_gelu_tanh_f32x1, real_gelu_tanh},
    {SINTER__OP_SILU, sn_silu_f32x1, real_silu},
    {SINTER__OP_SOFTPLUS, sn_softplus_f32x1, real_softplus},
};

static void every_function_is_within_its_limit(void **state)
{
    (void)state;
    int failures = 0;
    random_state = 1;
    for (size_t i = 0; i < COUNT(accuracies); i++) {
        const struct accuracy *a = &accuracies[i];
        const oracle_row *row = &oracle_rows[a->op];
        largest w = {0};
        long tried = 0;
        if (!is_wanted(row))
            continue;
        for (uint64_t bits = 0; bits < (1ull << 32); bits += 32749) {
            const float in[] = {float_of(bits), float_of(random_bits()),
                                special[bits / 32749 % COUNT(special)]};
            for (int k = 0; k < 3; k++, tried++)
                meet(&w, ulps_between(a->ours(in[k]), a->reference((double)in[k])), (double)in[k],
                     0);
        }
        failures += !is_kept(row, SINTER_F32, &w, 1, tried);
    }
    assert_int_equal(failures, 0);
}

static const struct {
    sinter__op op;
    float (*ours)(float, float);
    double (*reference)(double, double);
} pairs[] = {
    {SINTER__OP_POW, sn_pow_f32x1, pow},
    {SINTER__OP_ELU, sn_elu_f32x1, real_elu},
    {SINTER__OP_ATAN2, sn_atan2_f32x1, atan2},
    {SINTER__OP_HYPOT, sn_hypot_f32x1, hypot},
};

static void functions_of_two_operands_are_within_theirs(void **state)
{
    (void)state;
    int failures = 0;
    long count = samples(75000) * 4;
    for (size_t k = 0; k < COUNT(pairs); k++) {
        const oracle_row *row = &oracle_rows[pairs[k].op];
        largest w = {0};
        if (!is_wanted(row))
            continue;
        random_state = 2;
        for (long i = 0; i < count; i++) {
            double x = (double)float_of(random_bits());
            double y = (double)float_of(random_bits());
            relate(pairs[k].op, i, 24, 160, &x, &y);
            float in[] = {(float)x, (float)y};
            double want = pairs[k].reference((double)in[0], (double)in[1]);
            meet(&w, ulps_between(pairs[k].ours(in[0], in[1]), want), (double)in[0], (double)in[1]);
        }
        failures += !is_kept(row, SINTER_F32, &w, 2, count);
    }
    assert_int_equal(failures, 0);
}

/* The form for what is not above 0, from -0 to -inf and on NaN; SINTER_EXHAUSTIVE=1: every one. */
static void exp_below_has_the_bits_of_exp(void **state)
{
    (void)state;
    uint64_t step = getenv("SINTER_EXHAUSTIVE") != NULL ? 1 : 251;
    assert_true(same(sn_exp_below_f32x1(0), sn_exp_f32x1(0)));
    for (uint64_t bits = 1ull << 31; bits < (1ull << 32); bits += step) {
        float x = float_of(bits);
        if (!same(sn_exp_below_f32x1(x), sn_exp_f32x1(x)))
            fail_msg("exp(%a) is %a and %a", (double)x, (double)sn_exp_f32x1(x),
                     (double)sn_exp_below_f32x1(x));
    }
}

/* ---- special values */

static const struct {
    const char *name;
    float (*f)(float);
    float x, want;
} special_rows[] = {
    {"exp", sn_exp_f32x1, 0, 1},
    {"exp", sn_exp_f32x1, INFINITY, INFINITY},
    {"exp", sn_exp_f32x1, -INFINITY, 0},
    {"exp", sn_exp_f32x1, 89, INFINITY},
    {"exp", sn_exp_f32x1, -104, 0},
    {"exp2", sn_exp2_f32x1, 10, 1024},
    {"exp2", sn_exp2_f32x1, -149, 0x1p-149f},
    {"exp2", sn_exp2_f32x1, 128, INFINITY},
    {"exp2", sn_exp2_f32x1, -INFINITY, 0},
    {"expm1", sn_expm1_f32x1, -0.0f, -0.0f},
    {"expm1", sn_expm1_f32x1, -INFINITY, -1},
    {"expm1", sn_expm1_f32x1, INFINITY, INFINITY},
    {"expm1", sn_expm1_f32x1, 0x1p-149f, 0x1p-149f},
    {"log", sn_log_f32x1, 1, 0},
    {"log", sn_log_f32x1, 0, -INFINITY},
    {"log", sn_log_f32x1, -0.0f, -INFINITY},
    {"log", sn_log_f32x1, -1, NAN},
    {"log", sn_log_f32x1, -INFINITY, NAN},
    {"log", sn_log_f32x1, INFINITY, INFINITY},
    {"log2", sn_log2_f32x1, 0x1p-149f, -149},
    {"log2", sn_log2_f32x1, 0x1p127f, 127},
    {"log10", sn_log10_f32x1, 1000, 3},
    {"log10", sn_log10_f32x1, 1e10f, 10},
    {"log1p", sn_log1p_f32x1, -0.0f, -0.0f},
    {"log1p", sn_log1p_f32x1, -1, -INFINITY},
    {"log1p", sn_log1p_f32x1, -2, NAN},
    {"log1p", sn_log1p_f32x1, INFINITY, INFINITY},
    {"log1p", sn_log1p_f32x1, 0x1p-149f, 0x1p-149f},
    {"sin", sn_sin_f32x1, -0.0f, -0.0f},
    {"sin", sn_sin_f32x1, INFINITY, NAN},
    {"sin", sn_sin_f32x1, 0x1p-149f, 0x1p-149f},
    {"cos", sn_cos_f32x1, 0, 1},
    {"cos", sn_cos_f32x1, -INFINITY, NAN},
    {"tan", sn_tan_f32x1, -0.0f, -0.0f},
    {"tan", sn_tan_f32x1, INFINITY, NAN},
    {"atan", sn_atan_f32x1, -0.0f, -0.0f},
    {"atan", sn_atan_f32x1, INFINITY, 0x1.921fb6p0f},
    {"atan", sn_atan_f32x1, -INFINITY, -0x1.921fb6p0f},
    {"tanh", sn_tanh_f32x1, -0.0f, -0.0f},
    {"tanh", sn_tanh_f32x1, -INFINITY, -1},
    {"tanh", sn_tanh_f32x1, INFINITY, 1},
    {"erf", sn_erf_f32x1, -0.0f, -0.0f},
    {"erf", sn_erf_f32x1, INFINITY, 1},
    {"erf", sn_erf_f32x1, -INFINITY, -1},
    {"exp10", sn_exp10_f32x1, 0, 1},
    {"exp10", sn_exp10_f32x1, -INFINITY, 0},
    {"exp10", sn_exp10_f32x1, INFINITY, INFINITY},
    {"exp10", sn_exp10_f32x1, 39, INFINITY},
    {"exp10", sn_exp10_f32x1, -46, 0},
    {"exp10", sn_exp10_f32x1, 3, 1000},
    {"asin", sn_asin_f32x1, -0.0f, -0.0f},
    {"asin", sn_asin_f32x1, 1, 0x1.921fb6p0f},
    {"asin", sn_asin_f32x1, -1, -0x1.921fb6p0f},
    {"asin", sn_asin_f32x1, 1.5f, NAN},
    {"asin", sn_asin_f32x1, INFINITY, NAN},
    {"acos", sn_acos_f32x1, 1, 0},
    {"acos", sn_acos_f32x1, -1, 0x1.921fb6p1f},
    {"acos", sn_acos_f32x1, -0.0f, 0x1.921fb6p0f},
    {"acos", sn_acos_f32x1, -1.5f, NAN},
    {"acos", sn_acos_f32x1, -INFINITY, NAN},
    {"sinh", sn_sinh_f32x1, -0.0f, -0.0f},
    {"sinh", sn_sinh_f32x1, INFINITY, INFINITY},
    {"sinh", sn_sinh_f32x1, -INFINITY, -INFINITY},
    {"sinh", sn_sinh_f32x1, 0x1p-149f, 0x1p-149f},
    {"sinh", sn_sinh_f32x1, -90, -INFINITY},
    {"cosh", sn_cosh_f32x1, -0.0f, 1},
    {"cosh", sn_cosh_f32x1, -INFINITY, INFINITY},
    {"cosh", sn_cosh_f32x1, 90, INFINITY},
    {"asinh", sn_asinh_f32x1, -0.0f, -0.0f},
    {"asinh", sn_asinh_f32x1, -INFINITY, -INFINITY},
    {"asinh", sn_asinh_f32x1, 0x1p-149f, 0x1p-149f},
    {"acosh", sn_acosh_f32x1, 1, 0},
    {"acosh", sn_acosh_f32x1, 0.5f, NAN},
    {"acosh", sn_acosh_f32x1, -INFINITY, NAN},
    {"acosh", sn_acosh_f32x1, INFINITY, INFINITY},
    {"atanh", sn_atanh_f32x1, -0.0f, -0.0f},
    {"atanh", sn_atanh_f32x1, 1, INFINITY},
    {"atanh", sn_atanh_f32x1, -1, -INFINITY},
    {"atanh", sn_atanh_f32x1, 2, NAN},
    {"atanh", sn_atanh_f32x1, -INFINITY, NAN},
    {"cbrt", sn_cbrt_f32x1, -0.0f, -0.0f},
    {"cbrt", sn_cbrt_f32x1, -27, -3},
    {"cbrt", sn_cbrt_f32x1, -INFINITY, -INFINITY},
    {"cbrt", sn_cbrt_f32x1, 0x1p-147f, 0x1p-49f},
    {"erfc", sn_erfc_f32x1, 0, 1},
    {"erfc", sn_erfc_f32x1, INFINITY, 0},
    {"erfc", sn_erfc_f32x1, -INFINITY, 2},
    {"erfc", sn_erfc_f32x1, 11, 0},
    {"lgamma", sn_lgamma_f32x1, 1, 0},
    {"lgamma", sn_lgamma_f32x1, 2, 0},
    {"lgamma", sn_lgamma_f32x1, 0, INFINITY},
    {"lgamma", sn_lgamma_f32x1, -0.0f, INFINITY},
    {"lgamma", sn_lgamma_f32x1, -3, INFINITY},
    {"lgamma", sn_lgamma_f32x1, -INFINITY, INFINITY},
    {"lgamma", sn_lgamma_f32x1, INFINITY, INFINITY},
    {"lgamma", sn_lgamma_f32x1, 4e37f, INFINITY},
    {"lgamma", sn_lgamma_f32x1, -4e37f, INFINITY},
    {"lgamma", sn_lgamma_f32x1, NAN, NAN},
    {"sigmoid", sn_sigmoid_f32x1, 0, 0.5f},
    {"sigmoid", sn_sigmoid_f32x1, -INFINITY, 0},
    {"sigmoid", sn_sigmoid_f32x1, INFINITY, 1},
    {"silu", sn_silu_f32x1, -INFINITY, -0.0f},
    {"silu", sn_silu_f32x1, INFINITY, INFINITY},
    {"silu", sn_silu_f32x1, -0.0f, -0.0f},
    {"gelu", sn_gelu_f32x1, -INFINITY, -0.0f},
    {"gelu", sn_gelu_f32x1, INFINITY, INFINITY},
    {"gelu", sn_gelu_f32x1, -0.0f, -0.0f},
    {"gelu_tanh", sn_gelu_tanh_f32x1, -INFINITY, -0.0f},
    {"gelu_tanh", sn_gelu_tanh_f32x1, INFINITY, INFINITY},
    {"gelu_tanh", sn_gelu_tanh_f32x1, -0.0f, -0.0f},
    {"softplus", sn_softplus_f32x1, -INFINITY, 0},
    {"softplus", sn_softplus_f32x1, INFINITY, INFINITY},
    {"elu", our_elu, -INFINITY, -1.5f},
    {"elu", our_elu, INFINITY, INFINITY},
    {"sign", sn_sign_f32x1, -0.0f, -0.0f},
    {"sign", sn_sign_f32x1, -3, -1},
    {"sign", sn_sign_f32x1, INFINITY, 1},
    {"sign", sn_sign_f32x1, NAN, NAN},
};

static void special_values_are_those_of_ieee_and_c99(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(special_rows); i++) {
        float got = special_rows[i].f(special_rows[i].x);
        if (!same(got, special_rows[i].want)) {
            fail_msg("%s(%g) is %g, not %g", special_rows[i].name, (double)special_rows[i].x,
                     (double)got, (double)special_rows[i].want);
        }
    }
    for (size_t i = 0; i < COUNT(accuracies); i++) {
        assert_true(isnan(accuracies[i].ours(NAN)));
        assert_true(isnan(accuracies[i].ours(-NAN)));
    }
}

static void pow_of_special_values_is_that_of_c99_annex_f(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(special) * COUNT(special); i++) {
        float x = special[i / COUNT(special)];
        float y = special[i % COUNT(special)];
        double want = pow((double)x, (double)y);
        float got = sn_pow_f32x1(x, y);
        bool exact = want == 0 || isinf(want) || isnan(want) || fabs(want) == 1;
        if (exact ? !same(got, (float)want) : ulps_between(got, want) > 1.2)
            fail_msg("pow(%a, %a) is %a, not %a", (double)x, (double)y, (double)got, want);
    }
}

static void atan2_and_hypot_of_special_values_are_those_of_c99_annex_f(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(special) * COUNT(special); i++) {
        float y = special[i / COUNT(special)];
        float x = special[i % COUNT(special)];
        float angle = sn_atan2_f32x1(y, x);
        float length = sn_hypot_f32x1(y, x);
        double limits[] = {oracle_rows[SINTER__OP_ATAN2].error,
                           oracle_rows[SINTER__OP_HYPOT].error};
        if (ulps_between(angle, atan2((double)y, (double)x)) > limits[0])
            fail_msg("atan2(%a, %a) is %a", (double)y, (double)x, (double)angle);
        if (ulps_between(length, hypot((double)y, (double)x)) > limits[1])
            fail_msg("hypot(%a, %a) is %a", (double)y, (double)x, (double)length);
    }
}

/* The zeros at 1 and 2 are met, so above 0 the bound needs no exception. */
static void lgamma_is_within_1_5_above_0(void **state)
{
    (void)state;
    double worst = 0;
    for (uint32_t bits = 0; bits < 0x7f800000; bits += 4999) {
        float x = float_of(bits);
        double error = ulps_between(sn_lgamma_f32x1(x), lgamma((double)x));
        worst = error > worst ? error : worst;
    }
    for (uint32_t bits = 0x3f000000; bits < 0x40800000; bits += 61) {
        float x = float_of(bits);
        double error = ulps_between(sn_lgamma_f32x1(x), lgamma((double)x));
        worst = error > worst ? error : worst;
    }
    assert_true(worst <= 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_within_its_limit),
        cmocka_unit_test(exp_below_has_the_bits_of_exp),
        cmocka_unit_test(functions_of_two_operands_are_within_theirs),
        cmocka_unit_test(special_values_are_those_of_ieee_and_c99),
        cmocka_unit_test(pow_of_special_values_is_that_of_c99_annex_f),
        cmocka_unit_test(atan2_and_hypot_of_special_values_are_those_of_c99_annex_f),
        cmocka_unit_test(lgamma_is_within_1_5_above_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
