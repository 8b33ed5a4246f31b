/* Every elementwise operation on every dtype against the oracle: special values crossed, bit
 * patterns at even distances, random ones; what is refused, and what numbers become.
 *
 *   test_oracle_elementwise [--table] [--long]
 *
 * --table prints the worst errors met. --long tries 2^24 bit patterns for each operation of one
 * operand on f32. */
#include "oracle/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define F32_COUNT 81920  /* 65,536 of them strided */
#define CROSS_COUNT 6000 /* more than all special values crossed */
#define SMALL_COUNT 300  /* on a driver */
#define LONG_BLOCK ((size_t)1 << 20)

static bool for_each_dtype(const test_device *d, int *dtype)
{
    bool has_f64 = check_has_f64(d);
    (*dtype)++;
    if (*dtype == SINTER_F64 && !has_f64)
        (*dtype)++;
    return *dtype < SINTER_DTYPE_COUNT;
}

static void release_all(const test_device *d, int count, const sinter_tensor *t)
{
    for (int k = 0; k < count; k++)
        test_release(d, t[k]);
}

/* The styles share a driver's work as a chessboard, operations by dtypes: each operation on each
 * dtype runs in one of them, each operation and each dtype in both. Where none is forced, all run. */
static bool is_left_to_other_style(const oracle_row *row, sinter_dtype dtype)
{
    bool is_of_gpu = ((unsigned)row->op + (unsigned)dtype) % 2 != 0;
    return getenv("SINTER_STYLE") != NULL && is_of_gpu != test_is_gpu_style();
}

/* A driver's compiler is given each function of the math library once for f32 and once for f64:
 * other dtypes are converted before and after. */
static bool is_left_out(const oracle_row *row, sinter_dtype dtype)
{
    bool is_math = row->accepts == ORACLE_FLOATS && row->error > 0.5;
    return !check_is_thorough() && ((is_math && dtype != SINTER_F32 && dtype != SINTER_F64) ||
                                    is_left_to_other_style(row, dtype));
}

static size_t run_all(const test_device *d, const check_operands *x, int arity, int params)
{
    check_run run = check_upload(d, x, arity);
    run.is_left_out = is_left_out;
    size_t wrong = check_all(&run, arity, params);
    check_release(&run, arity);
    return wrong;
}

/* Every bit pattern of the narrow floats and of bytes. */
static size_t unary_count(sinter_dtype dtype)
{
    if (!check_is_thorough())
        return SMALL_COUNT;
    if (dtype == SINTER_F32)
        return F32_COUNT;
    if (width_of(dtype) == 8)
        return 256;
    return is_floating(dtype) && dtype != SINTER_F64 ? 65536 : CROSS_COUNT;
}

static void operations_of_one_operand_agree(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {1};
    size_t wrong = 0;
    for (int dtype = -1; for_each_dtype(&d, &dtype);) {
        check_operands x = check_make((sinter_dtype)dtype, unary_count((sinter_dtype)dtype));
        samples_fill(x.dtype[0], x.data[0], x.count, &random);
        wrong += run_all(&d, &x, 1, 0);
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

static void operations_of_two_and_three_operands_agree(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {2};
    size_t wrong = 0;
    size_t count = check_is_thorough() ? CROSS_COUNT : SMALL_COUNT;
    for (int dtype = -1; for_each_dtype(&d, &dtype);) {
        check_operands x = check_make((sinter_dtype)dtype, count);
        samples_cross(2, x.dtype, x.data, count, check_is_thorough() ? 0 : 14, &random);
        wrong += run_all(&d, &x, 2, 0);
        samples_cross(3, x.dtype, x.data, count, check_is_thorough() ? 17 : 6, &random);
        wrong += run_all(&d, &x, 3, 0);
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

static void operations_with_parameters_agree(void **state)
{
    (void)state;
    static const double parameters[][2] = {{1.9212, 2.5}, {0.01, 1.5}, {-2, 3},
                                           {3, 0},        {0, 100},    {1, 1}};
    test_device d = test_open(NULL);
    test_random random = {3};
    size_t wrong = 0;
    size_t count = check_is_thorough() ? 4000 : SMALL_COUNT;
    for (int dtype = -1; for_each_dtype(&d, &dtype);) {
        check_operands x = check_make((sinter_dtype)dtype, count);
        samples_fill(x.dtype[0], x.data[0], count, &random);
        bool is_float = is_floating(x.dtype[0]);
        for (size_t i = is_float ? 0 : is_signed(x.dtype[0]) ? 2 : 3; i < 6; i++) {
            memcpy(x.parameters, parameters[i], sizeof x.parameters);
            wrong += run_all(&d, &x, 1, 1);
            wrong += run_all(&d, &x, 1, 2);
        }
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* f16 and bf16 */

/* The f32 result over the same values, rounded. */
static size_t compare_narrow(const test_device *d, sinter_tensor narrow, sinter_tensor wide,
                             sinter_dtype dtype, size_t count, const char *name)
{
    uint16_t *got = malloc(count * sizeof *got);
    float *full = malloc(count * sizeof *full);
    size_t wrong = 0;
    assert_non_null(got);
    assert_non_null(full);
    OK(sinter_tensor_read(d->s, narrow, got, count * sizeof *got));
    OK(sinter_tensor_read(d->s, wide, full, count * sizeof *full));
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        number x = {(quad)full[i], 0};
        store(dtype, x, &bits, 0);
        wrong += load_bits(dtype, got, i) != bits;
    }
    if (wrong > 0) {
        print_error("%s of %s: %zu results are not f32 rounded\n", name, sinter_dtype_name(dtype),
                    wrong);
    }
    free(got);
    free(full);
    return wrong;
}

static void narrow_floats_are_computed_in_f32_and_rounded(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {4};
    size_t wrong = 0;
    for (int n = 0; n < 2; n++) {
        sinter_dtype dtype = n == 0 ? SINTER_F16 : SINTER_BF16;
        check_operands x = check_make(dtype, 65536);
        sinter_tensor wide[3];
        samples_fill(dtype, x.data[0], x.count, &random);
        samples_cross(2, &x.dtype[1], &x.data[1], x.count, 0, &random);
        check_run narrow = check_upload(&d, &x, 3);
        for (int k = 0; k < 3; k++)
            OK(sinter_cast(d.s, narrow.t[k], SINTER_F32, &wide[k]));
        for (int op = 0; op < SINTER__OP_END; op++) {
            const oracle_row *row = &oracle_rows[op];
            sinter_tensor y[2];
            sinter_dtype work;
            if (row->op == SINTER__OP_NONE || row->params > 0 || !check_work(row, &x, &work) ||
                oracle_result_dtype(row, work) != dtype)
                continue;
            OK(oracle_queue(row, d.s, narrow.t, NULL, &y[0]));
            OK(oracle_queue(row, d.s, wide, NULL, &y[1]));
            wrong += compare_narrow(&d, y[0], y[1], dtype, x.count, row->name);
            release_all(&d, 2, y);
        }
        check_release(&narrow, 3);
        release_all(&d, 3, wide);
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* Mixed dtypes and numbers */

static size_t check_pair(const test_device *d, sinter_dtype a, sinter_dtype b, test_random *random)
{
    check_operands x = check_make(a, 64);
    x.dtype[1] = b;
    samples_cross(2, x.dtype, x.data, x.count, 8, random);
    size_t wrong = run_all(d, &x, 2, 0);
    check_free(&x);
    return wrong;
}

static void operands_of_two_dtypes_are_promoted(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {5};
    size_t wrong = 0;
    for (int a = 0; a < SINTER_DTYPE_COUNT; a++) {
        for (int b = 0; b < SINTER_DTYPE_COUNT; b++)
            wrong += check_pair(&d, (sinter_dtype)a, (sinter_dtype)b, &random);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

static void select_promotes_its_choices_and_takes_any_condition(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {6};
    size_t wrong = 0;
    for (int a = 0; a < SINTER_DTYPE_COUNT; a++) {
        for (int b = 0; b < SINTER_DTYPE_COUNT; b++) {
            check_operands x = check_make((sinter_dtype)a, 64);
            x.dtype[1] = (sinter_dtype)b;
            x.dtype[2] = (sinter_dtype)((a + 5) % SINTER_DTYPE_COUNT);
            samples_cross(3, x.dtype, x.data, x.count, 4, &random);
            wrong += run_all(&d, &x, 3, 0);
            check_free(&x);
        }
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* `row` with a number on the left or on the right, which is an operand of the dtype worked in. */
static size_t check_number(const test_device *d, const oracle_row *row, sinter_dtype dtype,
                           double value, bool left, test_random *random)
{
    const oracle_call *call = &oracle_calls[row->op];
    int at = left ? 0 : 1;
    check_operands x = check_make(dtype, 64);
    sinter_tensor out;
    size_t wrong = 0;
    x.dtype[at] = SINTER_BOOL;
    bool accepted = check_work(row, &x, &x.dtype[at]);
    x.dtype[1 - at] = dtype;
    samples_cross(2, x.dtype, x.data, x.count, 40, random);
    for (size_t i = 0; i < x.count && accepted; i++) {
        number n = {(quad)value, isfinite(value) ? (whole)value : 0};
        store(x.dtype[at], n, x.data[at], i);
    }
    check_run run = check_upload(d, &x, 2);
    sinter_status status = left ? call->of_scalar(d->s, value, run.t[1], &out)
                                : call->with_scalar(d->s, run.t[0], value, &out);
    if (accepted) {
        test_ok(status, row->name, __FILE__, __LINE__);
        wrong = check_one(&run, row, out);
        test_release(d, out);
    } else {
        test_fails(status, SINTER_EDTYPE, row->name, __FILE__, __LINE__);
    }
    check_release(&run, 2);
    check_free(&x);
    return wrong;
}

static void a_number_takes_the_dtype_worked_in(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {7};
    size_t wrong = 0;
    for (int op = 0; op < SINTER__OP_END; op++) {
        const oracle_row *row = &oracle_rows[op];
        if (row->op == SINTER__OP_NONE || row->arity != 2)
            continue;
        for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
            bool is_fraction = is_floating((sinter_dtype)dtype);
            double value = is_fraction ? 0.3 : dtype == SINTER_BOOL ? 1 : 3;
            if (row->accepts == ORACLE_FLOATS)
                value = 0.3;
            if (row->accepts == ORACLE_TRUTHS)
                value = 1;
            wrong += check_number(&d, row, (sinter_dtype)dtype, value, false, &random);
            wrong += check_number(&d, row, (sinter_dtype)dtype, value, true, &random);
        }
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* What all lanes share is asked about once for a vector. */
static void a_bound_may_be_a_zero_of_either_sign_or_nan(void **state)
{
    (void)state;
    static const uint16_t ops[] = {SINTER__OP_MINIMUM, SINTER__OP_MAXIMUM};
    static const double bounds[] = {0.0, -0.0, NAN, INFINITY, -1.0};
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F16};
    test_device d = test_open(NULL);
    test_random random = {8};
    size_t wrong = 0;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
            for (size_t t = 0; t < 2; t++)
                wrong +=
                    check_number(&d, &oracle_rows[ops[i]], dtypes[t], bounds[k], false, &random);
        }
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

#define BOUNDS 8
#define BOUNDED 100

/* The larger or the smaller of two: NaN if either is; -0 < +0. */
static float bounded(float a, float b, bool larger)
{
    if (isnan(a) || isnan(b))
        return NAN;
    if (a == b)
        return (signbit(a) != 0) == larger ? b : a;
    return (a > b) == larger ? a : b;
}

/* Maxima and minima of `x` in turn, in one kernel; how many elements are wrong. */
static size_t check_bounds(const test_device *d, sinter_tensor x, const float *in,
                           const double *bounds)
{
    float out[BOUNDED];
    size_t wrong = 0;
    sinter_tensor t;
    OK(sinter_maximum_scalar(d->s, x, bounds[0], &t));
    for (int k = 1; k < BOUNDS; k++) {
        sinter_tensor next;
        OK(k % 2 == 0 ? sinter_maximum_scalar(d->s, t, bounds[k], &next)
                      : sinter_minimum_scalar(d->s, t, bounds[k], &next));
        test_release(d, t);
        t = next;
    }
    test_read(d, t, out, BOUNDED);
    test_release(d, t);
    for (int i = 0; i < BOUNDED; i++) {
        float right = in[i];
        for (int k = 0; k < BOUNDS; k++)
            right = bounded(right, (float)bounds[k], k % 2 == 0);
        wrong += !(isnan(right) && isnan(out[i])) && memcmp(&right, &out[i], sizeof right) != 0;
    }
    return wrong;
}

/* Of many bounds it is asked once for all of them. They are arguments: what they are compiles nothing. */
static void one_of_many_bounds_may_be_a_zero_of_either_sign_or_nan(void **state)
{
    (void)state;
    static const float values[] = {0.0f, -0.0f, NAN, INFINITY, -INFINITY, 0.5f, -0.5f, 2.0f, -7.0f};
    static const double specials[] = {0.0, -0.0, NAN, INFINITY, -0.25};
    float in[BOUNDED];
    uint64_t compiles = 0;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < BOUNDED; i++)
        in[i] = values[i % (sizeof values / sizeof values[0])];
    sinter_tensor x = test_floats(&d, 1, (int64_t[]){BOUNDED}, in);
    for (size_t at = 0; at < BOUNDS; at++) {
        for (size_t k = 0; k < sizeof specials / sizeof specials[0]; k++) {
            double bounds[BOUNDS] = {-3.0, 3.0, -2.5, 2.5, -2.0, 2.0, -1.5, 1.5};
            bounds[at] = specials[k];
            assert_int_equal(check_bounds(&d, x, in, bounds), 0);
            if (at + k == 0)
                compiles = test_stats(&d).compiles;
        }
    }
    assert_int_equal(test_stats(&d).compiles, compiles);
    test_release(&d, x);
    test_close(&d);
}

static void an_integer_dtype_must_hold_a_number_exactly(void **state)
{
    (void)state;
    static const struct {
        sinter_dtype dtype;
        double value;
    } rows[] = {{SINTER_I8, 128},     {SINTER_I8, -129},    {SINTER_U8, -1},
                {SINTER_U8, 256},     {SINTER_I32, 0.5},    {SINTER_BOOL, 2},
                {SINTER_I64, 0x1p63}, {SINTER_U64, 0x1p64}, {SINTER_U64, -0.5},
                {SINTER_I16, 1e9},    {SINTER_I32, NAN},    {SINTER_U32, INFINITY}};
    test_device d = test_open(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t shape[] = {1};
        const uint64_t zero = 0;
        sinter_tensor x;
        sinter_tensor y;
        OK(sinter_tensor_from_host(d.s, rows[i].dtype, 1, shape, &zero, &x));
        FAILS(SINTER_ERANGE, sinter_add_scalar(d.s, x, rows[i].value, &y));
        FAILS(SINTER_ERANGE, sinter_scalar_add(d.s, rows[i].value, x, &y));
        test_release(&d, x);
    }
    test_close(&d);
}

/* 2^24 inputs */

static void operations_on_f32_agree_over_many_values(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {8};
    size_t wrong = 0;
    for (int block = 0; block < 16; block++) {
        check_operands x = check_make(SINTER_F32, LONG_BLOCK);
        samples_fill(SINTER_F32, x.data[0], x.count, &random);
        wrong += run_all(&d, &x, 1, 0);
        samples_cross(2, x.dtype, x.data, x.count, 0, &random);
        wrong += run_all(&d, &x, 2, 0);
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest everywhere[] = {
        cmocka_unit_test(operations_of_one_operand_agree),
        cmocka_unit_test(operations_of_two_and_three_operands_agree),
        cmocka_unit_test(operations_with_parameters_agree),
        cmocka_unit_test(an_integer_dtype_must_hold_a_number_exactly),
        cmocka_unit_test(a_bound_may_be_a_zero_of_either_sign_or_nan),
        cmocka_unit_test(one_of_many_bounds_may_be_a_zero_of_either_sign_or_nan),
    };
    const struct CMUnitTest on_host[] = {
        cmocka_unit_test(narrow_floats_are_computed_in_f32_and_rounded),
        cmocka_unit_test(operands_of_two_dtypes_are_promoted),
        cmocka_unit_test(select_promotes_its_choices_and_takes_any_condition),
        cmocka_unit_test(a_number_takes_the_dtype_worked_in),
    };
    const struct CMUnitTest at_length[] = {
        cmocka_unit_test(operations_on_f32_agree_over_many_values),
    };
    bool table = false;
    bool is_long = false;
    for (int i = 1; i < argc; i++) {
        is_long |= strcmp(argv[i], "--long") == 0;
        table |= strcmp(argv[i], "--table") == 0;
    }
    int failed = cmocka_run_group_tests(everywhere, NULL, NULL);
    if (check_is_thorough())
        failed += cmocka_run_group_tests(on_host, NULL, NULL);
    if (is_long)
        failed += cmocka_run_group_tests(at_length, NULL, NULL);
    if (table)
        check_print_table();
    return failed;
}
