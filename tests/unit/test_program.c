/* The language of `sinter eval`: what is parsed, what it means, and that a printed queue is the same
 * program again. What it says when it is wrong is test_program_errors.c; agreement with NumPy over
 * whole programs is tests/tools/test_eval_numpy.py. */
#include "support/job.h"

#include "core/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Numbers */

/* Runs `a = EXPRESSION` and gives the single element of a. */
static void evaluate_number(const test_device *d, const char *expression, sinter_dtype dtype,
                            void *out)
{
    char text[256];
    job j;
    size_t bytes;
    (void)snprintf(text, sizeof text, "a = %s", expression);
    sinter_status status = job_start(d, text, &j);
    if (status != SINTER_OK)
        print_error("%s: %s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    sinter_tensor_desc desc = job_describe(d, j.results[0]);
    if (desc.dtype != dtype || desc.rank != 0)
        print_error("%s: %s of rank %d\n", text, sinter_dtype_name(desc.dtype), desc.rank);
    assert_int_equal(desc.rank, 0);
    assert_int_equal(desc.dtype, dtype);
    unsigned char *data = job_read(d, j.results[0], &bytes);
    memcpy(out, data, bytes);
    free(data);
    job_finish(d, &j);
}

static const struct {
    const char *text;
    int64_t value;
} integers[] = {
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

static void integers_are_pythons(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(integers); i++) {
        int64_t value;
        evaluate_number(&d, integers[i].text, SINTER_I64, &value);
        if (value != integers[i].value)
            print_error("%s: %lld\n", integers[i].text, (long long)value);
        assert_int_equal(value, integers[i].value);
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

/* Names */

static void inputs_and_results_are_found(void **state)
{
    (void)state;
    sinter_program *p =
        job_parse("input q f32[2]; y = x * w + x; t = y; z = t[0]; x = z; a = 1; a = 2;"
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
    p = job_parse("# nothing\n;;\n");
    assert_int_equal(sinter_program_result_count(p), 0);
    sinter_program_destroy(p);
    p = job_parse("");
    sinter_program_destroy(p);
    p = job_parse("input = 3; release = input; cut = release; sum = cut\nx = (1\n+ 2) # open\r\n");
    assert_int_equal(sinter_program_input_count(p), 0);
    assert_int_equal(sinter_program_result_count(p), 5);
    sinter_program_destroy(p);
}

static void names_can_share_and_take_over_tensors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(job_start(&d, "a = g; b = a; a = a + 1; a = a * 2; c = b[...]; g = +c", &j));
    assert_int_equal(j.count, 4);
    for (size_t i = 0; i < 4; i++) {
        float a[3];
        float in[3];
        test_read(&d, j.results[i], a, 3);
        test_read(&d, j.inputs[0], in, 3);
        for (int k = 0; k < 3; k++)
            assert_true(a[k] == (i == 0 ? (in[k] + 1) * 2 : in[k]));
    }
    job_finish(&d, &j);
    test_close(&d);
}

static void a_cut_runs_what_stands_before_it(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(job_start(&d, "a = f + 1\ncut\nb = a * 2", &j));
    DECIDES(test_stats(&d).cuts, 1);
    DECIDES(test_stats(&d).launches, 1);
    job_finish(&d, &j);
    test_close(&d);
}

/* Promotion */

static void check_dtype(const test_device *d, const char *text, sinter_dtype dtype)
{
    job j;
    sinter_status status = job_start(d, text, &j);
    if (status != SINTER_OK)
        print_error("%s: %s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    sinter_dtype found = job_describe(d, j.results[0]).dtype;
    if (found != dtype)
        print_error("%s: %s, not %s\n", text, sinter_dtype_name(found), sinter_dtype_name(dtype));
    assert_int_equal(found, dtype);
    job_finish(d, &j);
}

static void numbers_adopt_the_dtype_of_tensors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < JOB_INPUTS; i++) {
        sinter_dtype dtype = job_inputs[i].dtype;
        bool is_float = dtype >= SINTER_F16;
        char text[64];
        const char *x = job_inputs[i].name;
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
            OK(job_start(&d, text, &j));
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
            job_finish(&d, &j);
        }
    }
    test_close(&d);
}

static void a_number_stays_an_argument(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    job j;
    OK(job_start(&d, "a = (f * 2 + 1.5) ** 2 / 3 > 7", &j));
    assert_int_equal(test_stats(&d).ops, 5);
    job_finish(&d, &j);
    test_close(&d);
}

/* Indexing */

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
        OK(job_start(&d, text, &j));
        sinter_tensor_desc desc = job_describe(&d, j.results[0]);
        if (desc.rank != rows[i].rank)
            print_error("%s\n", text);
        assert_int_equal(desc.rank, rows[i].rank);
        for (int k = 0; k < desc.rank; k++)
            assert_int_equal(desc.shape[k], rows[i].shape[k]);
        test_read(&d, j.inputs[0], all, 24);
        float *data = (float *)(void *)job_read(&d, j.results[0], &bytes);
        assert_true(rows[i].first >= 0 ? data[0] == all[rows[i].first] : bytes == 0);
        free(data);
        job_finish(&d, &j);
    }
    test_close(&d);
}

/* Printing */

/* The input of the printed program that is what `known` has under this dtype and shape. */
static sinter_tensor known_like(const test_device *d, const sinter_tensor_desc *desc)
{
    for (size_t i = 0; i < JOB_INPUTS; i++) {
        if (job_inputs[i].dtype == desc->dtype && job_inputs[i].rank == desc->rank &&
            (desc->rank == 0 || memcmp(job_inputs[i].shape, desc->shape,
                                       (size_t)desc->rank * sizeof *desc->shape) == 0))
            return job_input(d, i);
    }
    fail_msg("an input of a dtype and shape that nobody gave");
    return (sinter_tensor){0};
}

/* Runs the printed program and compares its results' bytes; prints it again and compares the text.
 */
static void check_printed(const test_device *d, const test_text *printed, const job *first)
{
    test_text *again = calloc(1, sizeof *again);
    assert_non_null(again);
    job j = {.p = job_parse(printed->data)};
    j.count = sinter_program_result_count(j.p);
    if (j.count != first->count)
        print_error("%s\n", printed->data);
    assert_int_equal(j.count, first->count);
    for (size_t i = 0; i < sinter_program_input_count(j.p); i++) {
        assert_true(j.p->inputs[i].is_declared);
        j.inputs[i] = known_like(d, &j.p->inputs[i].desc);
    }
    OK(sinter_program_run(j.p, d->s, j.inputs, j.results, &j.place));
    OK(sinter_queue_write(d->s, test_text_add, again));
    if (strcmp(again->data, printed->data) != 0)
        print_error("%s\nis printed again as\n%s\n", printed->data, again->data);
    assert_string_equal(again->data, printed->data);
    for (size_t i = 0; i < j.count; i++) {
        size_t bytes;
        size_t wanted_bytes;
        unsigned char *data = job_read(d, j.results[i], &bytes);
        unsigned char *wanted = job_read(d, first->results[i], &wanted_bytes);
        if (bytes != wanted_bytes || memcmp(data, wanted, bytes) != 0)
            print_error("result %zu of\n%s\n", i, printed->data);
        assert_int_equal(bytes, wanted_bytes);
        assert_memory_equal(data, wanted, bytes);
        free(data);
        free(wanted);
    }
    job_finish(d, &j);
    free(again);
}

static void a_printed_queue_is_the_same_program(void **state)
{
    (void)state;
    if (!test_is_plain())
        skip(); /* the queue is cut before it is printed */
    test_text *printed = calloc(1, sizeof *printed);
    assert_non_null(printed);
    for (size_t i = 0; i < JOB_PROGRAMS; i++) {
        test_device d = test_open(NULL);
        job j;
        sinter_status status = job_start(&d, job_programs[i], &j);
        if (status != SINTER_OK)
            print_error("%s: %s\n", job_programs[i], sinter_last_error());
        assert_int_equal(status, SINTER_OK);
        printed->bytes = 0;
        printed->data[0] = '\0';
        OK(sinter_queue_write(d.s, test_text_add, printed));
        OK(sinter_stream_sync(d.s));
        check_printed(&d, printed, &j);
        job_finish(&d, &j);
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
    test_text *printed = calloc(1, sizeof *printed);
    assert_non_null(printed);
    test_device d = test_open(NULL);
    job j;
    OK(sinter_queue_write(d.s, test_text_add, printed));
    assert_int_equal(printed->bytes, 0);
    OK(job_start(&d, "a = f[:, ::-1] * (u + 200); b = sum(a, axis=-1, keepdims=True) <= 0.1", &j));
    OK(sinter_queue_write(d.s, test_text_add, printed));
    assert_string_equal(printed->data, wanted);
    OK(sinter_stream_sync(d.s));
    printed->bytes = 0;
    printed->data[0] = '\0';
    OK(sinter_queue_write(d.s, test_text_add, printed));
    assert_string_equal(printed->data, "");
    job_finish(&d, &j);
    test_close(&d);
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_pythons),
        cmocka_unit_test(floats_are_pythons),
        cmocka_unit_test(comparisons_of_numbers_are_exact),
        cmocka_unit_test(inputs_and_results_are_found),
        cmocka_unit_test(names_can_share_and_take_over_tensors),
        cmocka_unit_test(a_cut_runs_what_stands_before_it),
        cmocka_unit_test(numbers_adopt_the_dtype_of_tensors),
        cmocka_unit_test(comparisons_with_any_number_are_exact),
        cmocka_unit_test(a_number_stays_an_argument),
        cmocka_unit_test(indices_are_numpys),
        cmocka_unit_test(a_printed_queue_is_the_same_program),
        cmocka_unit_test(what_is_printed_is_pinned_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
