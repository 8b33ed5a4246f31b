/* The language of `sinter eval` when a program is wrong, too large, hostile, or memory runs out. */
#include "support/job.h"

#include "core/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Errors */

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

static const wrong misspelt[] = {
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

static void syntax_errors_say_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(misspelt); i++) {
        sinter_program *p = (void *)1;
        sinter_program_place place;
        sinter_status status =
            sinter_program_parse(misspelt[i].text, strlen(misspelt[i].text), &p, &place);
        if (status != SINTER_ESYNTAX)
            print_error("%s: %s\n", misspelt[i].text, sinter_status_name(status));
        assert_int_equal(status, SINTER_ESYNTAX);
        assert_null(p);
        check_message(&misspelt[i], place);
    }
    FAILS(SINTER_ESYNTAX, sinter_program_parse("a", 1, &(sinter_program *){NULL}, NULL));
    FAILS(SINTER_EINVAL, sinter_program_parse(NULL, 1, &(sinter_program *){NULL}, NULL));
    FAILS(SINTER_EINVAL, sinter_program_parse("a = 1", 5, NULL, NULL));
}

static const wrong refused[] = {
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
    {"a = cumsum(f, axis=2)", 1, 5, "cumsum: axis 2 is out of range for rank 2"},
    {"a = cumsum(f, axis=(0, 1))", 1, 5, "cumsum: it runs along one axis, and 2 are given"},
    {"a = cumsum(f, None)", 1, 5, "cumsum: it runs along one axis, and 0 are given"},
    {"a = sum(f, axis=(0, 0))", 1, 5, "given twice"},
    {"a = clamp(f, g, 1)", 1, 5, "operand 2 is a tensor, not a number"},
    {"a = clamp(f, None, 1)", 1, 5, "low and high"},
    {"a = cast(f, 3)", 1, 5, "dtype is a number"},
    {"a = f @ 2", 1, 7, "matmul"},
    {"a = f @ i[:, :2]", 1, 7, "inner dimension"},
    {"a = random_uniform((2,), dtype='f64')", 1, 5, "no f64 form"},
    {"a = v < l", 1, 7, "cast one of them"},
    {"a = arange(0, 1, 0)", 1, 5, "step is 0"},
    {"a = arange(nan)", 1, 5, "elements"},
    {"a = arange()", 1, 5, "either stop or count"},
    {"a = arange(count=1.5)", 1, 5, "count is not an integer"},
    {"a = arange(count='f32')", 1, 5, "count is not an integer"},
    {"a = cast(f, None)", 1, 5, "cast: dtype is None"},
    {"a = clamp(f, 1, None)", 1, 5, "low and high"},
    {"a = 1e200 ** 2.0", 1, 11, "float overflows"},
    {"a = ~1.5", 1, 5, "not an operation of floats"},
    {"a = sum(f, keepdims='f32')", 1, 5, "keepdims is a dtype"},
    {"a = full(f, 0)", 1, 5, "shape is a tensor"},
    {"a = random_uniform(f)", 1, 5, "shape is a tensor"},
    {"a = random_uniform((2,), offset=f)", 1, 5, "offset is a tensor"},
    {"a = random_uniform((2,), dtype=3)", 1, 5, "dtype is a number"},
    {"a = slice(f, 0, start=1, count=2)", 1, 5, "2 elements from 1"},
    {"a = slice(f, 0, start=-1, count=1)", 1, 5, "1 elements from -1"},
    {"a = slice(f, 0, start=3, count=1)", 1, 5, "1 elements from 3"},
    {"a = slice(f, 0, start=1, step=-1, count=3)", 1, 5, "3 elements from 1"},
    {"a = slice(f, 0, count=-1)", 1, 5, "count -1 is negative"},
    {"a = slice(f, 0, start=9223372036854775807, step=2, count=2)", 1, 5,
     "2 elements from 9223372036854775807"},
    {"a = slice(f, 0, step=9223372036854775807, count=3)", 1, 5, "3 elements from 0"},
    {"a = slice(f, 0, stop=1, count=1)", 1, 5, "either stop or count"},
    {"a = slice(f, (0, 1))", 1, 5, "slice: give one axis"},
    {"a = slice(f, 2)", 1, 5, "axis 2 is out of range"},
    {"a = slice(f, 0, start=1.5)", 1, 5, "start is not an integer"},
    {"a = slice(f, 0, stop='f32')", 1, 5, "stop is not an integer"},
    {"a = slice(f, 0, step=0.5)", 1, 5, "step is not an integer"},
    {"a = slice(f, 0, count=f)", 1, 5, "count is not an integer"},
    {"a = slice((1, 2), 0)", 1, 5, "slice: an operand is a tuple"},
    {"a = update(f, 1, 0, step=0, count=2)", 1, 5, "update: step 0"},
    {"a = update(f, 1, 0, step=0)", 1, 5, "update: step 0"},
    {"a = update(f, 1, 0, 1, 3)", 1, 5, "update: stop 3 lies outside dimension 0, which has 2"},
    {"a = update(f, f, 0, 1)", 1, 5, "shape [2,3] does not broadcast to the [1,3] elements"},
    {"a = update(f, 1, (0, 1), start=1)", 1, 5, "start has 1 integers for 2 axes"},
    {"a = update(f, 1, 0, start=1, count=2)", 1, 5, "update: 2 elements from 1"},
    {"a = update(f, 1, 0, stop=1, count=1)", 1, 5, "either stop or count"},
    {"a = update(f, 1, (0, -2))", 1, 5, "axis 0 is given twice"},
    {"a = update(u, 300)", 1, 5, "300"},
    {"a = update(f, 'f32')", 1, 5, "an operand is a dtype"},
    {"a = full((2, -1), 0)", 1, 5, "negative"},
    {"a = full((4611686018427387904, 4), 0)", 1, 5, "overflows"},
    {"input f f32[3,2]", 1, 7, "input f: declared as f32[3,2], given f32[2,3]"},
    {"input i f32[2,3]", 1, 7, "declared as f32[2,3], given i32[2,3]"},
    {"a = where(f > 0, 1, 'f32')", 1, 5, "operand 3 is a dtype"},
};

static void errors_of_a_run_say_where(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < COUNT(refused); i++) {
        job j;
        sinter_status status = job_start(&d, refused[i].text, &j);
        if (status == SINTER_OK)
            print_error("%s ran\n", refused[i].text);
        assert_int_not_equal(status, SINTER_OK);
        check_message(&refused[i], j.place);
        for (size_t k = 0; k < j.count; k++)
            assert_true(j.results[k].id == 0);
        job_finish(&d, &j);
    }
    test_close(&d); /* asserts that nothing is left behind */
}

static void missing_arguments_of_the_api_are_errors(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_program *p = job_parse("y = x + 1");
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

/* Limits and hostile input */

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
    check_limit("a = ", "(", 64, "1", "expected ')'");
    check_limit("a = ", "(", 65, "1", "nested deeper than 64");
    check_limit("a = ", "-", 64, "1", NULL);
    check_limit("a = ", "-", 65, "1", "nested deeper than 64");
    check_limit("a = 1", " ** 1", 64, "", NULL);
    check_limit("a = 1", " ** 1", 65, "", "nested deeper than 64");
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
    OK(job_start(&d, made, &j));
    test_read(&d, j.results[0], out, 3);
    test_read(&d, j.inputs[0], in, 3);
    for (int i = 0; i < 3; i++)
        assert_true(out[i] == in[i] + 3000);
    assert_int_equal(test_stats(&d).live_tensors, 2);
    job_finish(&d, &j);
    free(made);
    test_close(&d);
}

/* Parses and, where that works, queues; whatever happens, nothing may be left behind. */
static void try_text(const test_device *d, const char *data, size_t bytes)
{
    sinter_program *p;
    sinter_program_place place = {0, 0};
    sinter_tensor inputs[8] = {{0}};
    sinter_tensor results[JOB_RESULTS];
    sinter_status status = sinter_program_parse(data, bytes, &p, &place);
    assert_true(place.line > 0 && place.column > 0);
    if (status != SINTER_OK) {
        assert_int_equal(status, SINTER_ESYNTAX);
        assert_true(sinter_last_error()[0] != '\0');
        return;
    }
    size_t count = sinter_program_result_count(p);
    size_t input_count = sinter_program_input_count(p);
    if (count <= JOB_RESULTS && input_count <= COUNT(inputs)) {
        for (size_t i = 0; i < input_count; i++)
            inputs[i] = job_input(d, i);
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
    const char *other = job_programs[test_below(r, JOB_PROGRAMS)];
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
        const char *origin = job_programs[test_below(&r, JOB_PROGRAMS)];
        size_t bytes = strlen(origin);
        memcpy(data, origin, bytes);
        for (uint32_t k = test_below(&r, 6) + 1; k > 0; k--)
            bytes = mutate(&r, data, bytes, sizeof data);
        try_text(&d, data, bytes);
    }
    test_close(&d);
}

/* Memory that runs out */

static void every_allocation_of_the_parser_may_fail(void **state)
{
    static const char small[] = "input f f32[2,3]; y = sum(f[:, ::-1] + 2.5, axis=(0,)); release f";
    (void)state;
    bool done = false;
    for (uint64_t n = 0; !done; n++) {
        test_memory r = {.nth = n, .persistent = true};
        sinter__allocator a;
        sinter_program p;
        size_t offset;
        sinter__allocator_init(&a, test_count_memory, &r);
        sinter_status status = sinter__program_parse(&p, &a, small, strlen(small), &offset);
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
    test_memory r = {.nth = UINT64_MAX, .persistent = true};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.realloc_fn = test_count_memory;
    o.realloc_user = &r;
    char *made = repeat("", "b = f[:, ::-1] + 1.5; release b; ", 60, "a = f @ w; c = a * 2");
    sinter_program *p = job_parse(made);
    bool done = false;
    for (uint64_t n = 0; !done; n++) {
        r.nth = UINT64_MAX;
        test_device d = test_open(&o);
        sinter_tensor inputs[] = {job_input(&d, job_find_input("f")),
                                  job_input(&d, job_find_input("w"))};
        sinter_tensor results[2] = {{7}, {7}};
        test_text *printed = calloc(1, sizeof *printed);
        r.nth = r.calls + n;
        sinter_status status = sinter_program_run(p, d.s, inputs, results, NULL);
        if (status == SINTER_OK)
            status = sinter_queue_write(d.s, test_text_add, printed);
        done = status == SINTER_OK;
        r.nth = UINT64_MAX;
        assert_true(done || status == SINTER_ENOMEM);
        for (int i = 0; i < 2; i++) {
            test_release(&d, inputs[i]);
            test_release(&d, results[i]);
        }
        free(printed);
        (void)sinter_stream_sync(d.s); /* what was queued may have met the failure */
        test_close(&d);
        assert_int_equal(r.live_bytes, 0);
        assert_true(n < 1000);
    }
    sinter_program_destroy(p);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syntax_errors_say_where),
        cmocka_unit_test(errors_of_a_run_say_where),
        cmocka_unit_test(missing_arguments_of_the_api_are_errors),
        cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(a_long_program_runs),
        cmocka_unit_test(random_bytes_are_survived),
        cmocka_unit_test(mutated_programs_are_survived),
        cmocka_unit_test(every_allocation_of_the_parser_may_fail),
        cmocka_unit_test(every_allocation_of_a_run_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
