/* The language of `sinter eval`: what is parsed, what it means, what it says when it is wrong, and
 * that a printed queue is the same program again. Agreement with NumPy over whole programs is
 * tests/tools/test_eval_numpy.py. */
#include "support/support.h"

#include "core/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define MAX_RESULTS 64

static sinter_program *parse(const char *text)
{
    sinter_program *p;
    sinter_program_place place;
    sinter_status status = sinter_program_parse(text, strlen(text), &p, &place);
    if (status != SINTER_OK)
        print_error("%s\n%s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    return p;
}

/* Inputs that programs of these tests may name: a dtype and a shape each, no two alike. */
static const struct {
    const char *name;
    sinter_dtype dtype;
    int rank;
    int64_t shape[3];
} known[] = {
    {"f", SINTER_F32, 2, {2, 3}},    {"g", SINTER_F32, 1, {3}},     {"s", SINTER_F32, 0, {0}},
    {"k", SINTER_F32, 3, {2, 3, 4}}, {"w", SINTER_F32, 2, {3, 4}},  {"e", SINTER_F32, 2, {0, 3}},
    {"h", SINTER_F16, 2, {2, 3}},    {"b", SINTER_BF16, 1, {3}},    {"d", SINTER_F64, 2, {2, 3}},
    {"i", SINTER_I32, 2, {2, 3}},    {"u", SINTER_U8, 2, {2, 3}},   {"l", SINTER_I64, 1, {3}},
    {"v", SINTER_U64, 1, {3}},       {"m", SINTER_BOOL, 2, {2, 3}}, {"c", SINTER_I8, 2, {2, 3}},
    {"p", SINTER_U32, 1, {3}},       {"q", SINTER_I16, 1, {3}},     {"r", SINTER_U16, 1, {3}},
};

static sinter_tensor make_known(const test_device *d, size_t which)
{
    unsigned char data[256];
    sinter_tensor t;
    sinter_dtype dtype = known[which].dtype;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(dtype == SINTER_BOOL ? i % 3 != 0 : i * 37 + which);
    for (size_t i = 0; i < 24 && dtype == SINTER_F32; i++)
        ((float *)(void *)data)[i] = (float)((int)i * 5 % 17 - 8) / 4;
    for (size_t i = 0; i < 6 && dtype == SINTER_F64; i++)
        ((double *)(void *)data)[i] = (double)i / 3 - 1;
    for (size_t i = 0; i < 6 && (dtype == SINTER_F16 || dtype == SINTER_BF16); i++)
        ((uint16_t *)(void *)data)[i] = (uint16_t)(0x3c00 + 0x123 * i);
    OK(sinter_tensor_from_host(d->s, dtype, known[which].rank, known[which].shape, data, &t));
    return t;
}

static size_t find_known(const char *name)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        if (strcmp(known[i].name, name) == 0)
            return i;
    }
    fail_msg("no input is called %s", name);
    return 0;
}

/* A program with its inputs and results. */
typedef struct job {
    sinter_program *p;
    sinter_tensor inputs[COUNT(known)];
    sinter_tensor results[MAX_RESULTS];
    size_t count; /* of results */
    sinter_program_place place;
} job;

static sinter_status start(const test_device *d, const char *text, job *j)
{
    *j = (job){.p = parse(text)};
    j->count = sinter_program_result_count(j->p);
    assert_true(j->count <= MAX_RESULTS);
    for (size_t i = 0; i < sinter_program_input_count(j->p); i++)
        j->inputs[i] = make_known(d, find_known(sinter_program_input_name(j->p, i)));
    return sinter_program_run(j->p, d->s, j->inputs, j->results, &j->place);
}

static void finish(const test_device *d, job *j)
{
    for (size_t i = 0; i < j->count; i++)
        test_release(d, j->results[i]);
    for (size_t i = 0; i < sinter_program_input_count(j->p); i++)
        test_release(d, j->inputs[i]);
    sinter_program_destroy(j->p);
}

static sinter_tensor_desc describe(const test_device *d, sinter_tensor t)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    return desc;
}

static size_t bytes_of(const sinter_tensor_desc *desc)
{
    size_t bytes = sinter_dtype_bytes(desc->dtype);
    for (int i = 0; i < desc->rank; i++)
        bytes *= (size_t)desc->shape[i];
    return bytes;
}

/* Reads any tensor; to be freed. */
static unsigned char *read_bytes(const test_device *d, sinter_tensor t, size_t *bytes)
{
    sinter_tensor_desc desc = describe(d, t);
    *bytes = bytes_of(&desc);
    unsigned char *data = malloc(*bytes + 1);
    assert_non_null(data);
    OK(sinter_tensor_read(d->s, t, data, *bytes));
    return data;
}

/* Numbers
 * ----------------------------------------------------------------------------------------------------
 */

/* Runs `a = EXPRESSION` and gives the single element of a. */
static void evaluate_number(const test_device *d, const char *expression, sinter_dtype dtype,
                            void *out)
{
    char text[256];
    job j;
    size_t bytes;
    (void)snprintf(text, sizeof text, "a = %s", expression);
    sinter_status status = start(d, text, &j);
    if (status != SINTER_OK)
        print_error("%s: %s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    sinter_tensor_desc desc = describe(d, j.results[0]);
    if (desc.dtype != dtype || desc.rank != 0)
        print_error("%s: %s of rank %d\n", text, sinter_dtype_name(desc.dtype), desc.rank);
    assert_int_equal(desc.rank, 0);
    assert_int_equal(desc.dtype, dtype);
    unsigned char *data = read_bytes(d, j.results[0], &bytes);
    memcpy(out, data, bytes);
    free(data);
    finish(d, &j);
}

static void integers_are_pythons(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 - 2 - 3", 2},
        {"2 * 3 % 4", 2},
        {"-2 ** 2", -4},
        {"(-2) ** 2", 4},
        {"2 ** 3 ** 2", 512},
        {"2 ** -0", 1},
        {"-3 // 2", -2},
        {"3 // -2", -2},
        {"-(3 // 2)", -1},
        {"-7 % 3", 2},
        {"7 % -3", -2},
        {"-6 % 3", 0},
        {"1 << 2 + 1", 8},
        {"1 | 2 ^ 3 & 4", 3},
        {"7 & 3 | 8", 11},
        {"-1 >> 70", -1},
        {"5 >> 1", 2},
        {"-5 >> 1", -3},
        {"0 << 1000", 0},
        {"~5", -6},
        {"~-1", 0},
        {"- - -3", -3},
        {"+-+3", -3},
        {"True + True", 2},
        {"-True", -1},
        {"~True", -2},
        {"True << 3", 8},
        {"True * 5 - False", 5},
        {"0x10 + 0XfF", 271},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
        {"-9223372036854775807 - 1", INT64_MIN},
        {"(-2) ** 63", INT64_MIN},
        {"18446744073709551615 - 18446744073709551610", 5},
        {"(-1) ** 18446744073709551615", -1},
        {"0 ** 0", 1},
        {"00", 0},
    };
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t value;
        evaluate_number(&d, rows[i].text, SINTER_I64, &value);
        if (value != rows[i].value)
            print_error("%s: %lld\n", rows[i].text, (long long)value);
        assert_int_equal(value, rows[i].value);
    }
    uint64_t wide;
    evaluate_number(&d, "18446744073709551615", SINTER_U64, &wide);
    assert_true(wide == UINT64_MAX);
    evaluate_number(&d, "2 ** 63", SINTER_U64, &wide);
    assert_true(wide == (uint64_t)1 << 63);
    evaluate_number(&d, "18446744073709551615 & -1", SINTER_U64, &wide);
    assert_true(wide == UINT64_MAX);
    test_close(&d);
}

static void floats_are_pythons(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"1 / 3", 1.0 / 3},
        {"7 / 2", 3.5},
        {"18446744073709551615 / 5", 18446744073709551615.0 / 5},
        {"2 ** -1", 0.5},
        {"2.0 ** 3", 8},
        {"2 ** 0.5", 1.4142135623730951},
        {"1.5 + 1", 2.5},
        {"-7.5 // 2", -4},
        {"7.5 // -2", -4},
        {"-7.5 % 2", 0.5},
        {"7.5 % -2", -0.5},
        {"1e3", 1000},
        {"1.5e-3", 0.0015},
        {".25", 0.25},
        {"3.", 3},
        {"1E+2", 100},
        {"0x1.8p+1", 3},
        {"0x.8p1", 1},
        {"0x18p-3", 3},
        {"-0x1.fffffep+127", -0x1.fffffep+127},
        {"1e400", INFINITY},
        {"-inf", -INFINITY},
        {"inf - inf", NAN},
        {"nan", NAN},
        {"-0.0", -0.0},
        {"0x1p-149", 0x1p-149},
        {"1e-400", 0},
        {"True / 2", 0.5},
        {"1e300 * 1e300", INFINITY},
    };
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        float value;
        float wanted = (float)rows[i].value;
        evaluate_number(&d, rows[i].text, SINTER_F32, &value);
        if (memcmp(&value, &wanted, sizeof value) != 0 && !(isnan(value) && isnan(wanted)))
            print_error("%s: %a, not %a\n", rows[i].text, value, wanted);
        assert_true(memcmp(&value, &wanted, sizeof value) == 0 || (isnan(value) && isnan(wanted)));
    }
    test_close(&d);
}

static void comparisons_of_numbers_are_exact(void **state)
{
    static const struct {
        const char *text;
        bool value;
    } rows[] = {
        {"1 < 2", true},
        {"2 <= 1", false},
        {"1 == 1.0", true},
        {"9007199254740993 == 9007199254740992.0", false},
        {"9007199254740993 > 9007199254740992.0", true},
        {"18446744073709551615 < 18446744073709551616.0", true},
        {"-9223372036854775808 == -9223372036854775808.0", true},
        {"nan == nan", false},
        {"nan != nan", true},
        {"1 < nan", false},
        {"inf > 18446744073709551615", true},
        {"5 & 3 == 1", true},
        {"(1 < 2) == True", true},
        {"2 >= 1.5", true},
        {"True & False", false},
        {"True ^ False", true},
    };
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint8_t value;
        evaluate_number(&d, rows[i].text, SINTER_BOOL, &value);
        if (value != rows[i].value)
            print_error("%s\n", rows[i].text);
        assert_int_equal(value, rows[i].value);
    }
    test_close(&d);
}

/* Errors
 * ------------------------------------------------------------------------------------------------------
 */

typedef struct wrong {
    const char *text;
    uint32_t line;
    uint32_t column;
    const char *part; /* of the message */
} wrong;

static void check_message(const wrong *w, sinter_program_place place)
{
    char where[64];
    const char *message = sinter_last_error();
    (void)snprintf(where, sizeof where, "line %u, column %u: ", w->line, w->column);
    if (place.line != w->line || place.column != w->column || strstr(message, w->part) == NULL ||
        strncmp(message, where, strlen(where)) != 0)
        print_error("%s\n%u:%u %s\n", w->text, place.line, place.column, message);
    assert_int_equal(place.line, w->line);
    assert_int_equal(place.column, w->column);
    assert_non_null(strstr(message, w->part));
    assert_true(strncmp(message, where, strlen(where)) == 0);
}

static void syntax_errors_say_where(void **state)
{
    static const wrong rows[] = {
        {"a = ", 1, 5, "found the end of the text"},
        {"a = 1 +\nb = 2", 1, 8, "found the end of the line"},
        {"a = (1 +\n2", 2, 2, "expected ')'"},
        {"a = 1 2", 1, 7, "end of the statement"},
        {"a 1", 1, 3, "'=' after the name"},
        {"1 = a", 1, 1, "name = expression"},
        {"a = b\nc = $", 2, 5, "'$' means nothing"},
        {"a = \xc3\xa9", 1, 5, "0xc3"},
        {"a = foo(x)", 1, 5, "no operation is called 'foo'"},
        {"a = exp()", 1, 5, "exp takes 1 arguments, 0 given"},
        {"a = exp(x, y)", 1, 12, "takes 1 argument,"},
        {"a = sum(x, axs=1)", 1, 12, "no parameter 'axs'"},
        {"a = sum(x, axis=1, axis=2)", 1, 20, "given twice"},
        {"a = sum(x=1, 2)", 1, 14, "without a name"},
        {"a = sum(axis=1)", 1, 5, "'x' is missing"},
        {"a = add(a=1, b=2)", 1, 9, "no parameter 'a'"},
        {"a = 1 < x < 3", 1, 11, "do not chain"},
        {"a = 1 == x != 3", 1, 12, "do not chain"},
        {"a = x[]", 1, 7, "expected an expression"},
        {"a = x[1", 1, 8, "expected ',' or ']'"},
        {"a = x[1:2:3:4]", 1, 12, "expected ',' or ']'"},
        {"a = ...", 1, 5, "expected an expression"},
        {"a = cast(x, 'f99')", 1, 14, "no dtype is called 'f99'"},
        {"a = cast(x, 'f16)", 1, 13, "without its closing '"},
        {"a = 18446744073709551616", 1, 5, "does not fit 64 bits"},
        {"a = 012", 1, 5, "begins with 0"},
        {"a = 1.5.2", 1, 5, "malformed"},
        {"a = 1x", 1, 5, "malformed"},
        {"a = 1e", 1, 5, "exponent without digits"},
        {"a = 0x", 1, 5, "without digits"},
        {"inf = 3", 1, 1, "cannot be assigned"},
        {"True = 3", 1, 1, "cannot be assigned"},
        {"a = 1; release a; b = a", 1, 23, "has been released"},
        {"release q", 1, 9, "nothing is called 'q'"},
        {"a = 1; release a; release a", 1, 27, "nothing is called 'a'"},
        {"input x f32", 1, 12, "the extents"},
        {"input x f33[2]", 1, 9, "no dtype is called 'f33'"},
        {"input x f32[-1]", 1, 13, "expected an extent"},
        {"input x f32[1.5]", 1, 13, "expected an extent"},
        {"input x f32[1,2,3,4,5,6,7,8,9]", 1, 29, "more than 8 extents"},
        {"a = x + 1; input x f32[2]", 1, 18, "in use already"},
        {"a = (1,2,3,4,5,6,7,8,9)", 1, 5, "more than 8 numbers"},
        {"# only\n\n  a = ,", 3, 7, "found ','"},
        {"a = 1;;b = )", 1, 12, "found ')'"},
        {"a = x y", 1, 7, "end of the statement"},
        {"cut 3", 1, 5, "'=' after the name"},
        {"a == 3", 1, 3, "'=' after the name"},
        {"a = not x", 1, 9, "end of the statement"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        sinter_program *p = (void *)1;
        sinter_program_place place;
        sinter_status status = sinter_program_parse(rows[i].text, strlen(rows[i].text), &p, &place);
        if (status != SINTER_ESYNTAX)
            print_error("%s: %s\n", rows[i].text, sinter_status_name(status));
        assert_int_equal(status, SINTER_ESYNTAX);
        assert_null(p);
        check_message(&rows[i], place);
    }
    FAILS(SINTER_ESYNTAX, sinter_program_parse("a", 1, &(sinter_program *){NULL}, NULL));
    FAILS(SINTER_EINVAL, sinter_program_parse(NULL, 1, &(sinter_program *){NULL}, NULL));
    FAILS(SINTER_EINVAL, sinter_program_parse("a = 1", 5, NULL, NULL));
}

static void errors_of_a_run_say_where(void **state)
{
    static const wrong rows[] = {
        {"a = f + w", 1, 7, "add: shapes [2,3] and [3,4] differ"},
        {"z = f + 1\ny = z[2]", 2, 6, "out of range for dimension 0 of extent 2"},
        {"a = u + 256", 1, 7, "256 is not a value of u8"},
        {"a = u + -1", 1, 7, "-1 is not a value of u8"},
        {"a = i & 1.5", 1, 7, "bit_and: dtype f32"},
        {"a = -m", 1, 5, "neg: dtype bool"},
        {"a = m - m", 1, 7, "sub: dtype bool"},
        {"a = +'f32'", 1, 5, "plus: the operand is a dtype"},
        {"a = 1 // 0", 1, 7, "division by zero"},
        {"a = 1.0 / 0", 1, 9, "division by zero"},
        {"a = 2 ** 64", 1, 7, "does not fit 64 bits"},
        {"a = 18446744073709551615 + 1", 1, 26, "does not fit 64 bits"},
        {"a = 0 ** -1", 1, 7, "negative power"},
        {"a = (-2) ** 0.5", 1, 10, "fractional power"},
        {"a = 1 << -1", 1, 7, "negative shift"},
        {"a = 1 << 64", 1, 7, "does not fit"},
        {"a = 1.5 & 1", 1, 9, "not an operation of floats"},
        {"a = f[0, 0, 0]", 1, 6, "3 subscripts for rank 2"},
        {"a = f[..., ...]", 1, 6, "more than one ..."},
        {"a = f[1.5]", 1, 6, "subscript 1 is a number"},
        {"a = f[m]", 1, 6, "subscript 1 is a tensor"},
        {"a = f[True]", 1, 6, "subscript 1 is a number"},
        {"a = f[::0]", 1, 6, "slice: step 0"},
        {"a = f[None, None, None, None, None, None, None]", 1, 6, "more than 8 axes"},
        {"a = 3[0]", 1, 6, "1 subscripts for rank 0"},
        {"a = exp((1, 2))", 1, 5, "operand 1 is a tuple"},
        {"a = exp('f32')", 1, 5, "operand 1 is a dtype"},
        {"a = (1, 2)", 1, 1, "'a' cannot be a tuple"},
        {"a = None", 1, 1, "'a' cannot be None"},
        {"a = 'f32'", 1, 1, "'a' cannot be a dtype"},
        {"a = reshape(f, (4, -1))", 1, 5, "do not fill"},
        {"a = reshape(f, 1.5)", 1, 5, "shape is a number, not an integer"},
        {"a = reshape(f, (2, f))", 1, 16, "item 1 of a tuple"},
        {"a = sum(f, axis=2)", 1, 5, "axis 2 is out of range"},
        {"a = sum(f, axis=99)", 1, 5, "axis 99 is out of range"},
        {"a = sum(f, axis=(0, 0))", 1, 5, "given twice"},
        {"a = clamp(f, g, 1)", 1, 5, "operand 2 is a tensor, not a number"},
        {"a = clamp(f, None, 1)", 1, 5, "low and high"},
        {"a = cast(f, 3)", 1, 5, "dtype is a number"},
        {"a = f @ 2", 1, 7, "matmul"},
        {"a = f @ i[:, :2]", 1, 7, "inner dimension"},
        {"a = exp(d)", 1, 5, "no f64 form"},
        {"a = v < l", 1, 7, "cast one of them"},
        {"a = arange(0, 1, 0)", 1, 5, "step is 0"},
        {"a = arange(nan)", 1, 5, "elements"},
        {"a = arange()", 1, 5, "either stop or count"},
        {"a = slice(f, 0, start=1, count=2)", 1, 5, "2 elements from 1"},
        {"a = full((2, -1), 0)", 1, 5, "negative"},
        {"a = full((4611686018427387904, 4), 0)", 1, 5, "overflows"},
        {"input f f32[3,2]", 1, 7, "input f: declared as f32[3,2], given f32[2,3]"},
        {"input i f32[2,3]", 1, 7, "declared as f32[2,3], given i32[2,3]"},
        {"a = where(f > 0, 1, 'f32')", 1, 5, "operand 3 is a dtype"},
    };
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        job j;
        sinter_status status = start(&d, rows[i].text, &j);
        if (status == SINTER_OK)
            print_error("%s ran\n", rows[i].text);
        assert_int_not_equal(status, SINTER_OK);
        check_message(&rows[i], j.place);
        for (size_t k = 0; k < j.count; k++)
            assert_true(j.results[k].id == 0);
        finish(&d, &j);
    }
    test_close(&d); /* asserts that nothing is left behind */
}

static void missing_arguments_of_the_api_are_errors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_program *p = parse("y = x + 1");
    sinter_tensor none = {0};
    sinter_tensor result = {7};
    sinter_tensor stale = test_floats(&d, 0, NULL, &(float){1});
    test_release(&d, stale);
    FAILS(SINTER_EINVAL, sinter_program_run(NULL, d.s, &none, &result, NULL));
    FAILS(SINTER_EINVAL, sinter_program_run(p, NULL, &none, &result, NULL));
    FAILS(SINTER_EINVAL, sinter_program_run(p, d.s, NULL, &result, NULL));
    FAILS(SINTER_EINVAL, sinter_program_run(p, d.s, &none, NULL, NULL));
    FAILS(SINTER_EHANDLE, sinter_program_run(p, d.s, &none, &result, NULL));
    assert_true(result.id == 0);
    FAILS(SINTER_EHANDLE, sinter_program_run(p, d.s, &stale, &result, NULL));
    FAILS(SINTER_EINVAL, sinter_queue_write(NULL, NULL, NULL));
    sinter_program_destroy(p);
    sinter_program_destroy(NULL);
    assert_int_equal(sinter_program_input_count(NULL), 0);
    assert_int_equal(sinter_program_result_count(NULL), 0);
    assert_null(sinter_program_input_name(NULL, 0));
    assert_null(sinter_program_result_name(NULL, 0));
    assert_false(sinter_program_result_is_last(NULL, 0));
    assert_false(sinter_program_input_is_released(NULL, 0));
    test_close(&d);
}

/* Names
 * ----------------------------------------------------------------------------------------------------------
 */

static void inputs_and_results_are_found(void **state)
{
    (void)state;
    sinter_program *p = parse("input q f32[2]; y = x * w + x; t = y; z = t[0]; x = z; a = 1; a = 2;"
                              "u = a; release t; release w");
    assert_int_equal(sinter_program_input_count(p), 3);
    assert_string_equal(sinter_program_input_name(p, 0), "q");
    assert_string_equal(sinter_program_input_name(p, 1), "x");
    assert_string_equal(sinter_program_input_name(p, 2), "w");
    assert_null(sinter_program_input_name(p, 3));
    assert_false(sinter_program_input_is_released(p, 1));
    assert_true(sinter_program_input_is_released(p, 2));
    static const struct {
        const char *name;
        bool last;
    } results[] = {{"y", false}, {"z", false}, {"x", true}, {"a", false}, {"u", true}};
    assert_int_equal(sinter_program_result_count(p), COUNT(results));
    for (size_t i = 0; i < COUNT(results); i++) {
        assert_string_equal(sinter_program_result_name(p, i), results[i].name);
        assert_int_equal(sinter_program_result_is_last(p, i), results[i].last);
    }
    assert_null(sinter_program_result_name(p, COUNT(results)));
    sinter_program_destroy(p);
    p = parse("# nothing\n;;\n");
    assert_int_equal(sinter_program_result_count(p), 0);
    sinter_program_destroy(p);
    p = parse("");
    sinter_program_destroy(p);
    p = parse("input = 3; release = input; cut = release; sum = cut\nx = (1\n+ 2) # open\r\n");
    assert_int_equal(sinter_program_input_count(p), 0);
    assert_int_equal(sinter_program_result_count(p), 5);
    sinter_program_destroy(p);
}

static void names_can_share_and_take_over_tensors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(start(&d, "a = g; b = a; a = a + 1; a = a * 2; c = b[...]; g = +c", &j));
    assert_int_equal(j.count, 4);
    for (size_t i = 0; i < 4; i++) {
        float a[3];
        float in[3];
        test_read(&d, j.results[i], a, 3);
        test_read(&d, j.inputs[0], in, 3);
        for (int k = 0; k < 3; k++)
            assert_true(a[k] == (i == 0 ? (in[k] + 1) * 2 : in[k]));
    }
    finish(&d, &j);
    test_close(&d);
}

static void a_cut_runs_what_stands_before_it(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(start(&d, "a = f + 1\ncut\nb = a * 2", &j));
    DECIDES(test_stats(&d).cuts, 1);
    DECIDES(test_stats(&d).launches, 1);
    finish(&d, &j);
    test_close(&d);
}

/* Promotion
 * ------------------------------------------------------------------------------------------------------
 */

static void check_dtype(const test_device *d, const char *text, sinter_dtype dtype)
{
    job j;
    sinter_status status = start(d, text, &j);
    if (status != SINTER_OK)
        print_error("%s: %s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    sinter_dtype found = describe(d, j.results[0]).dtype;
    if (found != dtype)
        print_error("%s: %s, not %s\n", text, sinter_dtype_name(found), sinter_dtype_name(dtype));
    assert_int_equal(found, dtype);
    finish(d, &j);
}

static void numbers_adopt_the_dtype_of_tensors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(known); i++) {
        sinter_dtype dtype = known[i].dtype;
        bool is_float = dtype >= SINTER_F16;
        char text[64];
        const char *x = known[i].name;
        (void)snprintf(text, sizeof text, "a = %s * 2", x);
        check_dtype(&d, text, dtype == SINTER_BOOL ? SINTER_I64 : dtype);
        (void)snprintf(text, sizeof text, "a = 2.5 + %s", x);
        check_dtype(&d, text, is_float ? dtype : SINTER_F32);
        (void)snprintf(text, sizeof text, "a = %s + True", x);
        check_dtype(&d, text, dtype);
        (void)snprintf(text, sizeof text, "a = %s / 2", x);
        check_dtype(&d, text, is_float ? dtype : SINTER_F32);
        (void)snprintf(text, sizeof text, "a = %s < 1000000", x);
        check_dtype(&d, text, SINTER_BOOL);
        (void)snprintf(text, sizeof text, "a = where(%s, 1, 0.5)", x);
        check_dtype(&d, text, SINTER_F32);
        (void)snprintf(text, sizeof text, "a = clamp(%s, 0, 100)", x);
        check_dtype(&d, text, dtype == SINTER_BOOL ? SINTER_I64 : dtype);
        (void)snprintf(text, sizeof text, "a = where(%s > 0, %s, 1)", x, x);
        check_dtype(&d, text, dtype == SINTER_BOOL ? SINTER_I64 : dtype);
    }
    check_dtype(&d, "a = where(m, 1, 0)", SINTER_I64);
    check_dtype(&d, "a = where(m, True, False)", SINTER_BOOL);
    check_dtype(&d, "a = where(True, 1, 2)", SINTER_I64);
    check_dtype(&d, "a = add(1, 2)", SINTER_I64);
    check_dtype(&d, "a = maximum(1, 2.5)", SINTER_F32);
    check_dtype(&d, "a = exp(1)", SINTER_F32);
    check_dtype(&d, "a = h * add(1, 0.5)", SINTER_F32); /* a tensor of rank 0 is no number */
    check_dtype(&d, "a = cast(3, 'u8')", SINTER_U8);
    check_dtype(&d, "a = full((2,), 3)", SINTER_I64);
    check_dtype(&d, "a = full(2, 18446744073709551615)", SINTER_U64);
    check_dtype(&d, "a = full((), 3.5)", SINTER_F32);
    check_dtype(&d, "a = arange(3)", SINTER_I64);
    check_dtype(&d, "a = arange(3.)", SINTER_F32);
    check_dtype(&d, "a = arange(3, dtype='i8')", SINTER_I8);
    check_dtype(&d, "a = u + c", SINTER_I16);
    check_dtype(&d, "a = v + l", SINTER_F32);
    check_dtype(&d, "a = m ** m", SINTER_I8);
    check_dtype(&d, "a = m << 1", SINTER_I64);
    test_close(&d);
}

/* Integers against numbers that their dtype does not hold. */
static void comparisons_with_any_number_are_exact(void **state)
{
    static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const numbers[] = {
        "300",  "255", "-1",  "0",     "2.5",  "1e30", "-1e30", "inf",
        "-inf", "nan", "2.0", "254.5", "-0.5", "True", "-0.0",  "18446744073709551615"};
    static const double values[] = {300,       255, -1, 0,     2.5,  1e30, -1e30, INFINITY,
                                    -INFINITY, NAN, 2,  254.5, -0.5, 1,    0,     0x1p64};
    (void)state;
    test_device d = test_open(NULL);
    for (size_t n = 0; n < COUNT(numbers); n++) {
        for (int o = 0; o < 12; o++) {
            char text[64];
            uint8_t in[6];
            uint8_t out[6];
            job j;
            bool swapped = o >= 6;
            if (swapped)
                (void)snprintf(text, sizeof text, "a = %s %s u", numbers[n], operators[o - 6]);
            else
                (void)snprintf(text, sizeof text, "a = u %s %s", operators[o], numbers[n]);
            OK(start(&d, text, &j));
            OK(sinter_tensor_read(d.s, j.results[0], out, 6));
            OK(sinter_tensor_read(d.s, j.inputs[0], in, 6));
            for (int i = 0; i < 6; i++) {
                double a = swapped ? values[n] : in[i];
                double b = swapped ? in[i] : values[n];
                const bool wanted[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
                if (out[i] != wanted[o % 6])
                    print_error("%s for %d\n", text, in[i]);
                assert_int_equal(out[i], wanted[o % 6]);
            }
            finish(&d, &j);
        }
    }
    test_close(&d);
}

static void a_number_stays_an_argument(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(start(&d, "a = (f * 2 + 1.5) ** 2 / 3 > 7", &j));
    assert_int_equal(test_stats(&d).ops, 5);
    finish(&d, &j);
    test_close(&d);
}

/* Indexing
 * -------------------------------------------------------------------------------------------------------
 */

static void indices_are_numpys(void **state)
{
    static const struct {
        const char *text;
        int rank;
        int64_t shape[8];
        int first; /* element of k that the result begins with; -1: none */
    } rows[] = {
        {"k[0]", 2, {3, 4}, 0},
        {"k[-1]", 2, {3, 4}, 12},
        {"k[1, 2, 3]", 0, {0}, 23},
        {"k[:, 1]", 2, {2, 4}, 4},
        {"k[..., 1]", 2, {2, 3}, 1},
        {"k[1, ..., None]", 3, {3, 4, 1}, 12},
        {"k[None, ..., None]", 5, {1, 2, 3, 4, 1}, 0},
        {"k[::-1]", 3, {2, 3, 4}, 12},
        {"k[:, ::-2, 1:]", 3, {2, 2, 3}, 9},
        {"k[:, :, 3:0:-2]", 3, {2, 3, 2}, 3},
        {"k[:, 5:]", 3, {2, 0, 4}, -1},
        {"k[:, -2:, ...]", 3, {2, 2, 4}, 4},
        {"k[:, :99, 0:1]", 3, {2, 3, 1}, 0},
        {"k[...]", 3, {2, 3, 4}, 0},
        {"k[:]", 3, {2, 3, 4}, 0},
        {"k[1:2, 0, None, -1]", 2, {1, 1}, 15},
        {"k[None:None:None, None:2]", 3, {2, 2, 4}, 0},
        {"k[0][1][2]", 0, {0}, 6},
        {"k[1 - 1, 4 // 2]", 1, {4}, 8},
        {"k[-9223372036854775808:18446744073709551615]", 3, {2, 3, 4}, 0},
    };
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[128];
        size_t bytes;
        job j;
        float all[24];
        (void)snprintf(text, sizeof text, "a = %s", rows[i].text);
        OK(start(&d, text, &j));
        sinter_tensor_desc desc = describe(&d, j.results[0]);
        if (desc.rank != rows[i].rank)
            print_error("%s\n", text);
        assert_int_equal(desc.rank, rows[i].rank);
        for (int k = 0; k < desc.rank; k++)
            assert_int_equal(desc.shape[k], rows[i].shape[k]);
        test_read(&d, j.inputs[0], all, 24);
        float *data = (float *)(void *)read_bytes(&d, j.results[0], &bytes);
        assert_true(rows[i].first >= 0 ? data[0] == all[rows[i].first] : bytes == 0);
        free(data);
        finish(&d, &j);
    }
    test_close(&d);
}

/* Printing
 * ---------------------------------------------------------------------------------------------------------
 */

typedef struct text {
    char data[65536];
    size_t bytes;
} text;

static void add_text(void *user, const char *from, size_t bytes)
{
    text *t = user;
    assert_true(t->bytes + bytes < sizeof t->data);
    memcpy(t->data + t->bytes, from, bytes);
    t->bytes += bytes;
    t->data[t->bytes] = '\0';
}

/* The input of the printed program that is what `known` has under this dtype and shape. */
static sinter_tensor known_like(const test_device *d, const sinter_tensor_desc *desc)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        if (known[i].dtype == desc->dtype && known[i].rank == desc->rank &&
            (desc->rank == 0 ||
             memcmp(known[i].shape, desc->shape, (size_t)desc->rank * sizeof *desc->shape) == 0))
            return make_known(d, i);
    }
    fail_msg("an input of a dtype and shape that nobody gave");
    return (sinter_tensor){0};
}

/* Runs the printed program and compares its results' bytes; prints it again and compares the text.
 */
static void check_printed(const test_device *d, const text *printed, const job *first)
{
    text *again = calloc(1, sizeof *again);
    assert_non_null(again);
    job j = {.p = parse(printed->data)};
    j.count = sinter_program_result_count(j.p);
    if (j.count != first->count)
        print_error("%s\n", printed->data);
    assert_int_equal(j.count, first->count);
    for (size_t i = 0; i < sinter_program_input_count(j.p); i++) {
        assert_true(j.p->inputs[i].is_declared);
        j.inputs[i] = known_like(d, &j.p->inputs[i].desc);
    }
    OK(sinter_program_run(j.p, d->s, j.inputs, j.results, &j.place));
    OK(sinter_queue_write(d->s, add_text, again));
    if (strcmp(again->data, printed->data) != 0)
        print_error("%s\nis printed again as\n%s\n", printed->data, again->data);
    assert_string_equal(again->data, printed->data);
    for (size_t i = 0; i < j.count; i++) {
        size_t bytes;
        size_t wanted_bytes;
        unsigned char *data = read_bytes(d, j.results[i], &bytes);
        unsigned char *wanted = read_bytes(d, first->results[i], &wanted_bytes);
        if (bytes != wanted_bytes || memcmp(data, wanted, bytes) != 0)
            print_error("result %zu of\n%s\n", i, printed->data);
        assert_int_equal(bytes, wanted_bytes);
        assert_memory_equal(data, wanted, bytes);
        free(data);
        free(wanted);
    }
    finish(d, &j);
    free(again);
}

static const char *const printable[] = {
    "y = gelu(f * g + s); z = where(y > 0, y, exp(y) - 1)",
    "a = cast(f, 'f16'); b = cast(h, 'i8'); c = cast(i, 'bool'); e = a + h; q = b * c",
    "a = f[:, ::-1]; b = k[1, 0:3:2, -1]; c = f[None, ..., None]; e = flip(k); r = flip(f, axis=1)",
    "a = transpose(k, (2, 0, 1)); b = transpose(f); c = reshape(k, (4, -1)); e = reshape(a, 24)",
    "a = expand(g, (2, 3)); b = squeeze(a[:1], axis=0); c = unsqueeze(b, axis=(0, 2))",
    "a = sum(k, axis=(0, 2), keepdims=True); b = mean(i); c = max(h, axis=-1); e = min(c, axis=())",
    "a = f @ w; b = g @ w; c = f @ g; e = g @ g; r = transpose(f) @ h",
    "a = full((2, 3), 1.5, dtype='bf16'); b = full((), -3, dtype='i16'); c = full((2,), True)",
    "a = arange(10, 0, -3); b = arange(5, 0, -1, dtype='u8'); c = arange(0, 1, 0.25); q = "
    "arange(0)",
    "a = random_uniform((2, 3), seed=7, offset=3); b = random_normal((5,), "
    "seed=18446744073709551615)",
    "a = clamp(f, -0.5, inf); b = clamp(i, -3, 3); c = leaky_relu(f, slope=0.1); e = elu(f)",
    "a = u + 200; b = c - 100; e = l * -9223372036854775808; r = v | 18446744073709551615",
    "a = m & True; b = m ^ m; c = ~m; e = ~u; q = i << 3; r = q >> 1; t = l[:2] % 7; x = p // 0",
    "a = f * nan; b = f + inf; c = f - -inf; e = f * -0.0; q = d * 0.1; r = h * 0.1; x = b + 0.1",
    "a = f < 0.1; b = 3 < i; c = isnan(f); x = m == True; y = u != 255; t = d >= 0.1; q = h <= 0.1",
    "a = f ** 2; b = f ** 0.5; c = f ** -1; e = abs(f) ** 1.5; q = i ** 3; r = m ** 2",
    "a = fma(f, 2, g); b = fma(1.5, f, 0); c = where(True, f, 0); e = where(m, 1, 0); q = where(f, "
    "i, 2)",
    "a = e + 1; b = sum(e, axis=0); c = sum(e); q = reshape(e, (3, 0)); r = max(e, axis=1)",
    "t = f + 1; a = t * 2; release t; b = a + a; t = b; release t",
    "a = minimum(u, c); b = maximum(p, q); c = sqrt(i); e = logical_not(f); q = logical_and(f, 3)",
    "a = copy(f); b = tanh(a); c = round(b * 10); q = sign(c); r = softplus(q); x = logical_or(m, "
    "0)",
};

static void a_printed_queue_is_the_same_program(void **state)
{
    (void)state;
    if (!test_is_plain())
        skip(); /* the queue is cut before it is printed */
    text *printed = calloc(1, sizeof *printed);
    assert_non_null(printed);
    for (size_t i = 0; i < COUNT(printable); i++) {
        test_device d = test_open(NULL);
        job j;
        sinter_status status = start(&d, printable[i], &j);
        if (status != SINTER_OK)
            print_error("%s: %s\n", printable[i], sinter_last_error());
        assert_int_equal(status, SINTER_OK);
        printed->bytes = 0;
        printed->data[0] = '\0';
        OK(sinter_queue_write(d.s, add_text, printed));
        OK(sinter_stream_sync(d.s));
        check_printed(&d, printed, &j);
        finish(&d, &j);
        test_close(&d);
    }
    free(printed);
}

static void what_is_printed_is_pinned_down(void **state)
{
    static const char wanted[] = "input t0 f32[2,3]\n"
                                 "input t2 u8[2,3]\n"
                                 "t1 = slice(t0, axis=1, start=2, step=-1, count=3)  # f32[2,3]\n"
                                 "t3 = add(t2, 200)  # u8[2,3]\n"
                                 "t4 = cast(t3, 'f32')  # f32[2,3]\n"
                                 "t5 = mul(t1, t4)  # f32[2,3]\n"
                                 "release t1\n"
                                 "release t3\n"
                                 "release t4\n"
                                 "t6 = sum(t5, axis=(1,), keepdims=True)  # f32[2,1]\n"
                                 "t7 = le(t6, 0x1.99999ap-4)  # bool[2,1]\n"
                                 "release t6\n";
    (void)state;
    if (!test_is_plain())
        skip(); /* the queue is cut before it is printed */
    text *printed = calloc(1, sizeof *printed);
    assert_non_null(printed);
    test_device d = test_open(NULL);
    job j;
    OK(sinter_queue_write(d.s, add_text, printed));
    assert_int_equal(printed->bytes, 0);
    OK(start(&d, "a = f[:, ::-1] * (u + 200); b = sum(a, axis=-1, keepdims=True) <= 0.1", &j));
    OK(sinter_queue_write(d.s, add_text, printed));
    assert_string_equal(printed->data, wanted);
    OK(sinter_stream_sync(d.s));
    printed->bytes = 0;
    printed->data[0] = '\0';
    OK(sinter_queue_write(d.s, add_text, printed));
    assert_string_equal(printed->data, "");
    finish(&d, &j);
    test_close(&d);
    free(printed);
}

/* Limits and hostile input
 * ------------------------------------------------------------------------------------------ */

static char *repeat(const char *head, const char *part, size_t count, const char *tail)
{
    size_t bytes = strlen(head) + strlen(part) * count + strlen(tail) + 1;
    char *out = malloc(bytes);
    assert_non_null(out);
    char *at = out + sprintf(out, "%s", head);
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s", part);
    (void)sprintf(at, "%s", tail);
    return out;
}

static void check_limit(const char *head, const char *part, size_t count, const char *tail,
                        const char *message)
{
    char *made = repeat(head, part, count, tail);
    sinter_program *p;
    sinter_status status = sinter_program_parse(made, strlen(made), &p, NULL);
    if (message == NULL) {
        assert_int_equal(status, SINTER_OK);
        sinter_program_destroy(p);
    } else {
        assert_int_equal(status, SINTER_ESYNTAX);
        assert_non_null(strstr(sinter_last_error(), message));
    }
    free(made);
}

static void limits_are_errors(void **state)
{
    (void)state;
    check_limit("a = ", "(", 63, "1", "expected ')'");
    check_limit("a = ", "(", 100000, "1", "nested deeper");
    check_limit("a = ", "-", 100000, "1", "nested deeper");
    check_limit("a = x", "[x", 100000, "", "nested deeper");
    check_limit("a = ", "exp(", 100000, "", "nested deeper");
    check_limit("a = 1", " ** 1", 100000, "", "nested deeper");
    check_limit("a = 1", " + 1", 100000, "", NULL);
    check_limit("a = x", "[0]", 100000, "", NULL);
    check_limit("a = ", "1", 2000, "", "more than 1000 digits");
    check_limit("a = 0.", "0", 900, "1", NULL);
    check_limit("", "a", 63, " = 1", NULL);
    check_limit("", "a", 64, " = 1", "more than 63");
    check_limit("a = x[", "0,", 33, "]", "more than 32");
    check_limit("a = exp(", "1,", 100000, ")", "takes 1 argument");
    check_limit("", " ", ((size_t)4 << 20) + 1, "", "a program of");
    size_t many = 70000;
    char *names = malloc(many * 16);
    assert_non_null(names);
    char *at = names;
    for (size_t i = 0; i < many; i++)
        at += sprintf(at, "n%zu=1;", i);
    FAILS(SINTER_ESYNTAX,
          sinter_program_parse(names, (size_t)(at - names), &(sinter_program *){NULL}, NULL));
    assert_non_null(strstr(sinter_last_error(), "more than 65536 names"));
    free(names);
}

/* A long program runs by a loop, and gives its temporaries back on the way. */
static void a_long_program_runs(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    char *made = repeat("a = g", " + 1", 3000, "");
    job j;
    float in[3];
    float out[3];
    OK(start(&d, made, &j));
    test_read(&d, j.results[0], out, 3);
    test_read(&d, j.inputs[0], in, 3);
    for (int i = 0; i < 3; i++)
        assert_true(out[i] == in[i] + 3000);
    assert_int_equal(test_stats(&d).live_tensors, 2);
    finish(&d, &j);
    free(made);
    test_close(&d);
}

/* Parses and, where that works, queues; whatever happens, nothing may be left behind. */
static void try_text(const test_device *d, const char *data, size_t bytes)
{
    sinter_program *p;
    sinter_program_place place = {0, 0};
    sinter_tensor inputs[8] = {{0}};
    sinter_tensor results[MAX_RESULTS];
    sinter_status status = sinter_program_parse(data, bytes, &p, &place);
    assert_true(place.line > 0 && place.column > 0);
    if (status != SINTER_OK) {
        assert_int_equal(status, SINTER_ESYNTAX);
        assert_true(sinter_last_error()[0] != '\0');
        return;
    }
    size_t count = sinter_program_result_count(p);
    size_t input_count = sinter_program_input_count(p);
    if (count <= MAX_RESULTS && input_count <= COUNT(inputs)) {
        for (size_t i = 0; i < input_count; i++)
            inputs[i] = make_known(d, i);
        status = sinter_program_run(p, d->s, inputs, results, &place);
        for (size_t i = 0; i < count; i++) {
            assert_true((status == SINTER_OK) == (results[i].id != 0));
            test_release(d, results[i]);
        }
        for (size_t i = 0; i < input_count; i++)
            test_release(d, inputs[i]);
        assert_int_equal(test_stats(d).live_tensors, 0);
    }
    sinter_program_destroy(p);
}

static void random_bytes_are_survived(void **state)
{
    static const char alphabet[] = "ab(),[]:;.=+-*/%&|^~<>@#'\n 0123456789xef";
    (void)state;
    test_device d = test_open(NULL);
    test_random r = {1};
    for (int i = 0; i < 10000; i++) {
        char data[64];
        size_t bytes = test_below(&r, sizeof data);
        bool any = test_below(&r, 4) == 0;
        for (size_t k = 0; k < bytes; k++)
            data[k] =
                any ? (char)test_below(&r, 256) : alphabet[test_below(&r, sizeof alphabet - 1)];
        try_text(&d, data, bytes);
    }
    test_close(&d);
}

/* One small change: a byte, a piece taken out, doubled, or from another program. */
static size_t mutate(test_random *r, char *data, size_t bytes, size_t room)
{
    size_t at = bytes > 0 ? test_below(r, (uint32_t)bytes) : 0;
    size_t length = test_below(r, 12);
    const char *other = printable[test_below(r, COUNT(printable))];
    size_t from = test_below(r, (uint32_t)strlen(other));
    size_t taken = test_below(r, 24);
    length = SINTER__MIN(length, bytes - at);
    taken = SINTER__MIN(taken, strlen(other) - from);
    switch (test_below(r, 4)) {
    case 0:
        if (bytes > 0)
            data[at] = "0123456789()[],:=-+*<>&'.ax\n"[test_below(r, 27)];
        return bytes;
    case 1:
        memmove(data + at, data + at + length, bytes - at - length);
        return bytes - length;
    case 2:
        taken = length;
        other = data;
        from = at;
        break;
    default:
        break;
    }
    char piece[32];
    if (bytes + taken > room)
        return bytes;
    memcpy(piece, other + from, taken);
    memmove(data + at + taken, data + at, bytes - at);
    memcpy(data + at, piece, taken);
    return bytes + taken;
}

static void mutated_programs_are_survived(void **state)
{
    (void)state;
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.budget_bytes = (uint64_t)64 << 20;
    test_device d = test_open(&o);
    test_random r = {2};
    for (int i = 0; i < 12000; i++) {
        char data[512];
        const char *origin = printable[test_below(&r, COUNT(printable))];
        size_t bytes = strlen(origin);
        memcpy(data, origin, bytes);
        for (uint32_t k = test_below(&r, 6) + 1; k > 0; k--)
            bytes = mutate(&r, data, bytes, sizeof data);
        try_text(&d, data, bytes);
    }
    test_close(&d);
}

/* Memory that runs out
 * -----------------------------------------------------------------------------------------------
 */

typedef struct rationed {
    long left; /* allocations until one fails; negative: none does */
    long taken;
} rationed;

static void *ration(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    rationed *r = user;
    (void)old_bytes;
    if (new_bytes == 0) {
        free(ptr);
        return NULL;
    }
    r->taken++;
    if (r->left == 0)
        return NULL;
    if (r->left > 0)
        r->left--;
    return realloc(ptr, new_bytes);
}

static void every_allocation_of_the_parser_may_fail(void **state)
{
    static const char text_[] = "input f f32[2,3]; y = sum(f[:, ::-1] + 2.5, axis=(0,)); release f";
    (void)state;
    bool done = false;
    for (long n = 0; !done; n++) {
        rationed r = {.left = n};
        sinter__allocator a;
        sinter_program p;
        size_t offset;
        sinter__allocator_init(&a, ration, &r);
        sinter_status status = sinter__program_parse(&p, &a, text_, strlen(text_), &offset);
        done = status == SINTER_OK;
        assert_true(done || status == SINTER_ENOMEM);
        sinter__program_finish(&p);
        assert_int_equal(atomic_load(&a.live_bytes), 0);
        assert_true(n < 1000);
    }
}

static void every_allocation_of_a_run_may_fail(void **state)
{
    (void)state;
    rationed r = {.left = -1};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.realloc_fn = ration;
    o.realloc_user = &r;
    char *made = repeat("", "b = f[:, ::-1] + 1.5; release b; ", 60, "a = f @ w; c = a * 2");
    sinter_program *p = parse(made);
    bool done = false;
    for (long n = 0; !done; n++) {
        r.left = -1;
        test_device d = test_open(&o);
        sinter_tensor inputs[] = {make_known(&d, find_known("f")), make_known(&d, find_known("w"))};
        sinter_tensor results[2] = {{7}, {7}};
        text *printed = calloc(1, sizeof *printed);
        r.left = n;
        sinter_status status = sinter_program_run(p, d.s, inputs, results, NULL);
        if (status == SINTER_OK)
            status = sinter_queue_write(d.s, add_text, printed);
        done = status == SINTER_OK;
        r.left = -1;
        assert_true(done || status == SINTER_ENOMEM);
        for (int i = 0; i < 2; i++) {
            test_release(&d, inputs[i]);
            test_release(&d, results[i]);
        }
        free(printed);
        (void)sinter_stream_sync(d.s); /* what was queued may have met the failure */
        test_close(&d);
        assert_true(n < 1000);
    }
    sinter_program_destroy(p);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_pythons),
        cmocka_unit_test(floats_are_pythons),
        cmocka_unit_test(comparisons_of_numbers_are_exact),
        cmocka_unit_test(syntax_errors_say_where),
        cmocka_unit_test(errors_of_a_run_say_where),
        cmocka_unit_test(missing_arguments_of_the_api_are_errors),
        cmocka_unit_test(inputs_and_results_are_found),
        cmocka_unit_test(names_can_share_and_take_over_tensors),
        cmocka_unit_test(a_cut_runs_what_stands_before_it),
        cmocka_unit_test(numbers_adopt_the_dtype_of_tensors),
        cmocka_unit_test(comparisons_with_any_number_are_exact),
        cmocka_unit_test(a_number_stays_an_argument),
        cmocka_unit_test(indices_are_numpys),
        cmocka_unit_test(a_printed_queue_is_the_same_program),
        cmocka_unit_test(what_is_printed_is_pinned_down),
        cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(a_long_program_runs),
        cmocka_unit_test(random_bytes_are_survived),
        cmocka_unit_test(mutated_programs_are_survived),
        cmocka_unit_test(every_allocation_of_the_parser_may_fail),
        cmocka_unit_test(every_allocation_of_a_run_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
