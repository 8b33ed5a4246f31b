/* Dtypes: promotion of every pair and of numbers, written down; names; f16 and bf16; scalars. */
#include "core/dtype.h"
#include "oracle/oracle.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                                    "i64",  "u64", "f16", "bf16", "f32", "f64"};

#define DTYPES ((int)(sizeof names / sizeof names[0]))

static sinter_dtype dtype_called(const char *name)
{
    for (int i = 0; i < DTYPES; i++) {
        if (strcmp(names[i], name) == 0)
            return (sinter_dtype)i;
    }
    fail_msg("no dtype is called %s", name);
    return SINTER_BOOL;
}

static void names_and_sizes_are_those_of_the_table(void **state)
{
    (void)state;
    static const size_t bytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
    assert_int_equal(DTYPES, SINTER_DTYPE_COUNT);
    for (int i = 0; i < DTYPES; i++) {
        sinter_dtype dtype;
        assert_string_equal(sinter_dtype_name((sinter_dtype)i), names[i]);
        assert_int_equal(sinter_dtype_bytes((sinter_dtype)i), bytes[i]);
        OK(sinter_dtype_from_name(names[i], &dtype));
        assert_int_equal(dtype, i);
    }
    sinter_dtype dtype;
    assert_string_equal(sinter_dtype_name((sinter_dtype)DTYPES), "?");
    assert_int_equal(sinter_dtype_bytes((sinter_dtype)-1), 0);
    FAILS(SINTER_EDTYPE, sinter_dtype_from_name("float32", &dtype));
    FAILS(SINTER_EINVAL, sinter_dtype_from_name(NULL, &dtype));
    FAILS(SINTER_EINVAL, sinter_dtype_from_name("f32", NULL));
}

/* NumPy 2's table, bf16 beside f16, f32 for what is f64 there only because of integers. A row for
 * each dtype, a column for each, in the order of `names`. */
static const char *const promotion[] = {
    "bool i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64",
    "i8   i8   i16  i16  i32  i32  i64  i64  f32  f16  bf16 f32  f64",
    "u8   i16  u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64",
    "i16  i16  i16  i16  i32  i32  i64  i64  f32  f32  f32  f32  f64",
    "u16  i32  u16  i32  u16  i32  u32  i64  u64  f32  f32  f32  f64",
    "i32  i32  i32  i32  i32  i32  i64  i64  f32  f32  f32  f32  f64",
    "u32  i64  u32  i64  u32  i64  u32  i64  u64  f32  f32  f32  f64",
    "i64  i64  i64  i64  i64  i64  i64  i64  f32  f32  f32  f32  f64",
    "u64  f32  u64  f32  u64  f32  u64  f32  u64  f32  f32  f32  f64",
    "f16  f16  f16  f32  f32  f32  f32  f32  f32  f16  f32  f32  f64",
    "bf16 bf16 bf16 f32  f32  f32  f32  f32  f32  f32  bf16 f32  f64",
    "f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64",
    "f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64",
};

static sinter_dtype entry(const char *row, int column)
{
    char name[8];
    assert_int_equal(sscanf(row + (size_t)5 * (size_t)column, "%7s", name), 1);
    return dtype_called(name);
}

static void every_pair_promotes_as_written(void **state)
{
    (void)state;
    sinter_dtype out;
    for (int a = 0; a < DTYPES; a++) {
        for (int b = 0; b < DTYPES; b++) {
            OK(sinter_dtype_promote((sinter_dtype)a, (sinter_dtype)b, &out));
            if (out != entry(promotion[a], b))
                fail_msg("%s with %s gives %s", names[a], names[b], sinter_dtype_name(out));
            assert_int_equal(oracle_promote((sinter_dtype)a, (sinter_dtype)b), out);
        }
    }
    FAILS(SINTER_EDTYPE, sinter_dtype_promote((sinter_dtype)DTYPES, SINTER_F32, &out));
    FAILS(SINTER_EDTYPE, sinter_dtype_promote(SINTER_F32, (sinter_dtype)-1, &out));
    FAILS(SINTER_EINVAL, sinter_dtype_promote(SINTER_F32, SINTER_F32, NULL));
}

/* Numbers */

/* What an expression over x of each dtype gives, or "-" for an error. */
static const struct number_row {
    const char *expression;
    const char *gives;
} number_rows[] = {
    {"x + True", "bool i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x + 1   ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"1 + x   ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x * 1.5 ", "f32  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64"},
    {"x - 1   ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x / 2   ", "f32  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64"},
    {"x // 2  ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x ** 2  ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x ** 3  ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"x < 1   ", "bool bool bool bool bool bool bool bool bool bool bool bool bool"},
    {"x < 1.5 ", "bool bool bool bool bool bool bool bool bool bool bool bool bool"},
    {"x & 1   ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  -    -    -    -   "},
    {"x << 1  ", "i64  i8   u8   i16  u16  i32  u32  i64  u64  -    -    -    -   "},
    {"maximum(x, 0)", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"where(x, x, 1)", "i64  i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"exp(x)  ", "f32  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64"},
    {"sum(x)  ", "i64  i64  u64  i64  u64  i64  u64  i64  u64  f16  bf16 f32  f64"},
    {"mean(x) ", "f32  f32  f32  f32  f32  f32  f32  f32  f32  f16  bf16 f32  f64"},
    {"-x      ", "-    i8   u8   i16  u16  i32  u32  i64  u64  f16  bf16 f32  f64"},
    {"~x      ", "bool i8   u8   i16  u16  i32  u32  i64  u64  -    -    -    -   "},
};

static void check_number_row(const test_device *d, const struct number_row *row, int dtype)
{
    char text[64];
    const uint64_t zero = 0;
    const char *wanted = row->gives + (size_t)5 * (size_t)dtype;
    sinter_program *program;
    sinter_tensor x;
    sinter_tensor y;
    int bytes = snprintf(text, sizeof text, "y = %s", row->expression);
    OK(sinter_program_parse(text, (size_t)bytes, &program, NULL));
    OK(sinter_tensor_from_host(d->s, (sinter_dtype)dtype, 0, NULL, &zero, &x));
    sinter_status status = sinter_program_run(program, d->s, &x, &y, NULL);
    if (wanted[0] == '-') {
        test_fails(status, SINTER_EDTYPE, row->expression, __FILE__, __LINE__);
    } else {
        sinter_tensor_desc desc;
        test_ok(status, row->expression, __FILE__, __LINE__);
        OK(sinter_tensor_describe(d->ctx, y, &desc));
        if (desc.dtype != entry(row->gives, dtype)) {
            fail_msg("%s of %s gives %s", row->expression, names[dtype],
                     sinter_dtype_name(desc.dtype));
        }
        test_release(d, y);
    }
    test_release(d, x);
    sinter_program_destroy(program);
}

static void numbers_take_the_dtype_unless_their_kind_is_above(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < sizeof number_rows / sizeof number_rows[0]; i++) {
        for (int dtype = 0; dtype < DTYPES; dtype++)
            check_number_row(&d, &number_rows[i], dtype);
    }
    test_close(&d);
}

/* f16 and bf16 */

static void narrow_floats_are_decoded_and_encoded(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t narrow = (uint16_t)bits;
        double half = (double)load(SINTER_F16, &narrow, 0).f;
        double brain = (double)load(SINTER_BF16, &narrow, 0).f;
        assert_true(sinter__f64_from_f16(narrow) == half || isnan(half));
        assert_true(sinter__f64_from_bf16(narrow) == brain || isnan(brain));
        assert_int_equal(sinter__f16_from_f64(half), load_bits(SINTER_F16, &narrow, 0));
        assert_int_equal(sinter__bf16_from_f64(brain), load_bits(SINTER_BF16, &narrow, 0));
    }
}

/* Ties, and what is next to them. */
static void narrow_floats_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        uint16_t low = (uint16_t)bits;
        double x = sinter__f64_from_f16(low);
        double next = bits == 0x7bff ? 65536 : sinter__f64_from_f16((uint16_t)(bits + 1));
        double tie = (x + next) / 2;
        assert_int_equal(sinter__f16_from_f64(nextafter(tie, 0)), bits);
        assert_int_equal(sinter__f16_from_f64(tie), bits + (bits & 1));
        assert_int_equal(sinter__f16_from_f64(-nextafter(tie, 1e9)), 0x8000 | (bits + 1));
    }
    for (uint32_t bits = 0; bits < 0x7f80; bits++) {
        double x = sinter__f64_from_bf16((uint16_t)bits);
        double next = bits == 0x7f7f ? 0x1p128 : sinter__f64_from_bf16((uint16_t)(bits + 1));
        double tie = (x + next) / 2;
        assert_int_equal(sinter__bf16_from_f64(nextafter(tie, 0)), bits);
        assert_int_equal(sinter__bf16_from_f64(tie), bits + (bits & 1));
        assert_int_equal(sinter__bf16_from_f64(-nextafter(tie, 1e300)), 0x8000 | (bits + 1));
    }
}

/* Scalars */

static void integers_of_every_dtype_hold_their_range_and_no_more(void **state)
{
    (void)state;
    for (int i = 0; i < DTYPES; i++) {
        sinter_dtype dtype = (sinter_dtype)i;
        uint64_t bits;
        if (is_floating(dtype))
            continue;
        whole high = ((whole)1 << (width_of(dtype) - (is_signed(dtype) ? 1 : 0))) - 1;
        whole low = is_signed(dtype) ? -high - 1 : 0;
        OK(sinter__scalar_bits(sinter_scalar_uint((uint64_t)high), dtype, &bits));
        assert_true(bits == (uint64_t)high);
        OK(sinter__scalar_bits(sinter_scalar_int((int64_t)low), dtype, &bits));
        assert_true(bits == (uint64_t)(int64_t)low); /* sign-extended */
        if (dtype != SINTER_U64) {
            FAILS(SINTER_ERANGE,
                  sinter__scalar_bits(sinter_scalar_uint((uint64_t)high + 1), dtype, &bits));
        }
        if (dtype != SINTER_I64) {
            FAILS(SINTER_ERANGE,
                  sinter__scalar_bits(sinter_scalar_int((int64_t)low - 1), dtype, &bits));
        }
        FAILS(SINTER_ERANGE, sinter__scalar_bits(sinter_scalar_float(0.5), dtype, &bits));
        FAILS(SINTER_ERANGE, sinter__scalar_bits(sinter_scalar_float((double)NAN), dtype, &bits));
        OK(sinter__scalar_bits(sinter_scalar_float(1), dtype, &bits));
        assert_true(bits == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_sizes_are_those_of_the_table),
        cmocka_unit_test(every_pair_promotes_as_written),
        cmocka_unit_test(numbers_take_the_dtype_unless_their_kind_is_above),
        cmocka_unit_test(narrow_floats_are_decoded_and_encoded),
        cmocka_unit_test(narrow_floats_are_rounded_to_nearest_even),
        cmocka_unit_test(integers_of_every_dtype_hold_their_range_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
