/* Softmax and the like over [4096, 1024] numbers, called and written out: launches, and bytes that are told from the
 * sizes of what goes in and comes out. The values are those of the host reference device, and sums those of double. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4096, COLUMNS = 1024, COUNT = ROWS * COLUMNS, SHOWN = 3, RESULTS = 8 };

#define ROOM ((size_t)COUNT * 4) /* bytes of the results of a program */

/* Parts of a whole tensor, each of which hands on its numbers: written by one launch and read by the next. */
#define PARTS (COUNT / 16384)
#define HANDED_ON(numbers, type) (UINT64_C(2) * PARTS * (numbers) * sizeof(type))

/* Inputs, x and r of all rows, k and b of one, each of its own numbers. */
static const char *const names[] = {"x", "r", "k", "b"};
static float *data[4];

static size_t count_of(const char *name, size_t rows)
{
    return (name[0] == 'x' || name[0] == 'r' ? rows : 1) * (size_t)COLUMNS;
}

static size_t find_input(const char *name)
{
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    fail_msg("no input is called %s", name);
    return 0;
}

static int make_data(void **state)
{
    (void)state;
    test_random r = {20261128};
    for (size_t i = 0; i < 4; i++) {
        size_t count = count_of(names[i], ROWS);
        data[i] = malloc(count * sizeof *data[i]);
        assert_non_null(data[i]);
        for (size_t k = 0; k < count; k++)
            data[i][k] = (float)(test_next(&r) >> 40) * 0x1p-22f - 1.5f;
    }
    return 0;
}

static int free_data(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++)
        free(data[i]);
    return 0;
}

/* What a program came to, over so many rows: its results one behind the other, and what it cost. */
typedef struct outcome {
    char *bytes;
    size_t size;
    uint64_t at_bound; /* the bytes of its inputs and of its results */
    uint64_t launches, moved, bound;
} outcome;

static void keep_result(const test_device *d, sinter_tensor t, outcome *out)
{
    size_t size = test_read_whole(d, t, out->bytes + out->size, ROOM - out->size);
    out->size += size;
    out->at_bound += size;
}

/* A shape that is written out has so many rows. */
static sinter_program *parse(const char *text, int64_t rows)
{
    char copy[512];
    char number[8];
    sinter_program *p;
    const size_t length = strlen(text);
    assert_true(length < sizeof copy);
    memcpy(copy, text, length + 1);
    (void)snprintf(number, sizeof number, "%4d", (int)rows);
    char *at = strstr(copy, "4096");
    if (at != NULL)
        memcpy(at, number, 4);
    OK(sinter_program_parse(copy, length, &p, NULL));
    return p;
}

static outcome run(const test_device *d, const char *text, int64_t rows)
{
    outcome out = {.bytes = malloc(ROOM)};
    assert_non_null(out.bytes);
    sinter_program *p = parse(text, rows);
    sinter_tensor in[4];
    sinter_tensor results[RESULTS];
    const size_t inputs = sinter_program_input_count(p);
    const size_t count = sinter_program_result_count(p);
    assert_true(inputs <= 4 && count <= RESULTS);
    for (size_t i = 0; i < inputs; i++) {
        const char *name = sinter_program_input_name(p, i);
        const size_t elements = count_of(name, (size_t)rows);
        const int64_t shape[] = {rows, COLUMNS};
        const int rank = elements > COLUMNS ? 2 : 1;
        in[i] = test_floats(d, rank, shape + 2 - rank, data[find_input(name)]);
        out.at_bound += elements * sizeof(float);
    }
    OK(sinter_stream_sync(d->s));
    const sinter_stats before = test_stats(d);
    test_report_begin(d);
    OK(sinter_program_run(p, d->s, in, results, NULL));
    OK(sinter_stream_sync(d->s));
    const sinter_stats after = test_stats(d);
    out.launches = after.launches - before.launches;
    out.moved = after.bytes_moved - before.bytes_moved;
    out.bound = after.bytes_bound - before.bytes_bound;
    for (size_t i = 0; i < count; i++) {
        keep_result(d, results[i], &out);
        test_release(d, results[i]);
    }
    for (size_t i = 0; i < inputs; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return out;
}

/* `extra` bytes beside each input once and each result once. */
static void check_cost(const test_device *d, const char *text, const outcome *o, uint64_t launches,
                       uint64_t extra)
{
    const uint64_t moved = o->at_bound + extra;
    if (o->launches != launches || o->moved != moved || o->bound != o->at_bound)
        fail_msg("%s: %llu bytes for %llu\n%s", text, (unsigned long long)o->moved,
                 (unsigned long long)moved, test_report(d));
}

/* Each of its results, which are of one size, begins with what the host reference device gives of the first rows. */
static void check_rows(const test_device *host, const char *text, const outcome *o, size_t results)
{
    outcome few = run(host, text, SHOWN);
    const size_t whole = o->size / results;
    const size_t part = few.size / results;
    assert_int_equal(part * ROWS, whole * SHOWN);
    for (size_t i = 0; i < results; i++) {
        if (memcmp(o->bytes + i * whole, few.bytes + i * part, part) != 0)
            fail_msg("%s: result %zu is not that of the host", text, i);
    }
    free(few.bytes);
}

typedef struct rows_case {
    const char *text;
    size_t results; /* each with something for every row */
} rows_case;

/* One launch, that reads and writes what is unavoidable. */
static void check_all(const rows_case *cases, size_t count)
{
    test_device d = test_open(NULL);
    test_device host = test_open_on("host");
    for (size_t i = 0; i < count; i++) {
        outcome o = run(&d, cases[i].text, ROWS);
        check_cost(&d, cases[i].text, &o, 1, 0);
        check_rows(&host, cases[i].text, &o, cases[i].results);
        free(o.bytes);
    }
    test_close(&host);
    test_close(&d);
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof((cases)[0]))
#define MEAN(x) "mean(" x ", axis=1, keepdims=True)"

/* Called and written out. */
static void normalisations(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"y = softmax(x, axis=1)", 1},
        {"m = max(x, axis=1, keepdims=True); e = exp(x - m); s = sum(e, axis=1, keepdims=True); "
         "y = e / s; release m; release e; release s",
         1},
        {"y = log_softmax(x, axis=1)", 1},
        {"d = x - max(x, axis=1, keepdims=True); s = sum(exp(d), axis=1, keepdims=True); "
         "y = d - log(s); release d; release s",
         1},
        {"y = layer_norm(x, axis=1, weight=k, bias=b)", 1},
        {"d = x - " MEAN("x") "; y = d / sqrt(" MEAN("d * d") " + 1e-5) * k + b; release d", 1},
        {"y = rms_norm(x, axis=1, weight=k)", 1},
        {"y = x / sqrt(" MEAN("x * x") " + 1e-5) * k", 1},
    };
    CHECK_ALL(cases);
}

static void sums_of_rows(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"y = sum((x - r) ** 2, axis=1)", 1},
        {"m = mean(x, axis=1); v = var(x, axis=1)", 2},
        {"m = " MEAN("x") "; v = " MEAN("(x - m) ** 2"), 2},
    };
    CHECK_ALL(cases);
}

/* The residual comes before, dropout and another dtype behind. */
static void what_a_layer_ends_with(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"y = cast(dropout(layer_norm(x + r, axis=1, weight=k, bias=b), 0.1, seed=3), 'f16')", 1},
        {"t = x + r; d = t - " MEAN("t") "; n = d / sqrt(" MEAN(
             "d * d") " + 1e-5) * k + b; "
                      "u = random_uniform((4096, 1024), seed=3); y = cast(where(u < 0.1, 0, n / "
                      "0.9), 'f16'); "
                      "release t; release d; release n; release u",
         1},
    };
    CHECK_ALL(cases);
}

/* Whole tensors: the parts and the tree over them. */

static void sums_in_double(const float *x, double *sum, double *squares, double *magnitude)
{
    long double s = 0;
    long double q = 0;
    long double m = 0;
    for (size_t i = 0; i < COUNT; i++) {
        s += x[i];
        q += (long double)x[i] * x[i];
        m += fabsf(x[i]);
    }
    *sum = (double)s;
    *squares = (double)q;
    *magnitude = (double)m;
}

/* Both results of f32, near what is wanted. */
static void check_two(const outcome *o, const char *text, double first, double second, double error)
{
    float found[2];
    assert_int_equal(o->size, sizeof found);
    memcpy(found, o->bytes, sizeof found);
    if (fabs(found[0] - first) > error || fabs(found[1] - second) > error)
        fail_msg("%s: %.9g for %.9g, %.9g for %.9g", text, found[0], first, found[1], second);
}

static void whole_tensors(void **state)
{
    (void)state;
    static const char moments[] = "m = mean(x); v = var(x)";
    static const char sums[] = "s = sum(x); q = sum(x * x)";
    double sum;
    double squares;
    double magnitude;
    sums_in_double(data[0], &sum, &squares, &magnitude);
    test_device d = test_open(NULL);
    outcome o = run(&d, moments, ROWS);
    check_cost(&d, moments, &o, 2, HANDED_ON(1 + 4, float));
    check_two(&o, moments, sum / COUNT, squares / COUNT - (sum / COUNT) * (sum / COUNT), 1e-6);
    free(o.bytes);
    o = run(&d, sums, ROWS);
    check_cost(&d, sums, &o, 2, HANDED_ON(1 + 1, float));
    check_two(&o, sums, sum, squares, 1e-6 * magnitude);
    free(o.bytes);
    test_close(&d);
}

/* A sum of f32 in f64: the cast stores nothing, and what is added up is as exact as f64. */
static void sums_in_f64(void **state)
{
    (void)state;
    static const char rows[] = "s = sum(cast(x, 'f64'), axis=1)";
    static const char whole[] = "s = sum(cast(x, 'f64'))";
    double sum;
    double squares;
    double magnitude;
    double found;
    sums_in_double(data[0], &sum, &squares, &magnitude);
    test_device d = test_open(NULL);
    outcome o = run(&d, whole, ROWS);
    check_cost(&d, whole, &o, 2, HANDED_ON(1, double));
    assert_int_equal(o.size, sizeof found);
    memcpy(&found, o.bytes, sizeof found);
    if (fabs(found - sum) > 1e-14 * magnitude)
        fail_msg("%s: %.17g for %.17g", whole, found, sum);
    free(o.bytes);
    o = run(&d, rows, ROWS);
    check_cost(&d, rows, &o, 1, 0);
    assert_int_equal(o.size, ROWS * sizeof found);
    for (size_t i = 0; i < ROWS; i++) {
        long double wanted = 0;
        for (size_t k = 0; k < COLUMNS; k++)
            wanted += data[0][i * COLUMNS + k];
        memcpy(&found, o.bytes + i * sizeof found, sizeof found);
        assert_true(fabs(found - (double)wanted) <= 1e-14 * COLUMNS);
    }
    free(o.bytes);
    test_close(&d);
}

/* The step of an optimiser over eight parameters: their state, which it replaces, and their gradients. */

enum { PARAMETERS = 8, FIRST = COUNT, LAST = 10 };

static void make_parameters(const test_device *d, sinter_tensor t[4][PARAMETERS],
                            uint64_t *elements)
{
    static const int64_t shapes[PARAMETERS][2] = {{ROWS, COLUMNS}, {1, COLUMNS}, {1024, 512},
                                                  {1, 512},        {512, 256},   {1, 256},
                                                  {256, LAST},     {1, LAST}};
    *elements = 0;
    for (size_t i = 0; i < PARAMETERS; i++) {
        *elements += (uint64_t)(shapes[i][0] * shapes[i][1]);
        for (int k = 0; k < 3; k++)
            t[k][i] = test_floats(d, 2, shapes[i], data[k % 2]);
        OK(sinter_full(d->s, SINTER_F32, 2, shapes[i], sinter_scalar_float(0.02), &t[3][i]));
    }
    OK(sinter_stream_sync(d->s));
}

/* Reads what comes of the first and of the last parameter. */
static void step(const test_device *d, float *first, float last[LAST])
{
    sinter_tensor t[4][PARAMETERS]; /* parameters, gradients, moments */
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    uint64_t elements;
    o.step = 10;
    o.weight_decay = 0.01;
    make_parameters(d, t, &elements);
    const sinter_stats before = test_stats(d);
    OK(sinter_adamw(d->s, PARAMETERS, t[0], t[1], t[2], t[3], &o));
    OK(sinter_stream_sync(d->s));
    const sinter_stats after = test_stats(d);
    assert_int_equal(after.launches - before.launches, 1);
    assert_int_equal(after.bytes_moved - before.bytes_moved, (4 + 3) * sizeof(float) * elements);
    test_read(d, t[0][0], first, FIRST);
    test_read(d, t[0][PARAMETERS - 1], last, LAST);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < PARAMETERS; i++)
            test_release(d, t[k][i]);
    }
}

static void a_step_of_an_optimiser(void **state)
{
    (void)state;
    float *first[2];
    float last[2][LAST];
    for (int i = 0; i < 2; i++) {
        test_device d = test_open_on(i == 0 ? NULL : "host");
        first[i] = malloc(FIRST * sizeof *first[i]);
        assert_non_null(first[i]);
        step(&d, first[i], last[i]);
        test_close(&d);
    }
    assert_memory_equal(first[0], first[1], FIRST * sizeof *first[0]);
    assert_memory_equal(last[0], last[1], sizeof last[0]);
    assert_true(memcmp(first[0], data[0], FIRST * sizeof *first[0]) != 0);
    free(first[0]);
    free(first[1]);
}

int main(void)
{
    if (test_skips_unless_plain() != 0)
        return 77;
    test_nothing_at_once();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalisations),
        cmocka_unit_test(sums_of_rows),
        cmocka_unit_test(what_a_layer_ends_with),
        cmocka_unit_test(whole_tensors),
        cmocka_unit_test(sums_in_f64),
        cmocka_unit_test(a_step_of_an_optimiser),
    };
    return cmocka_run_group_tests(tests, make_data, free_data);
}
