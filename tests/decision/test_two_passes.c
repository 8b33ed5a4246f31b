/* A caller's own mean((x - mean(x)) ** 2) keeps its two passes over everything, and var its one
 * over each chunk: each is its own definition, bit for bit, over numbers of which the two give
 * different bits. */
#include "support/support.h"

#include <string.h>

enum { ROWS = 3, COLUMNS = 20000, CHUNK = 16384, LANES = 64 };

static float data[ROWS * COLUMNS];

/* Numbers around a mean that drifts, so that chunks differ in it. */
static int make_data(void **state)
{
    (void)state;
    test_random r = {7};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        float noise = (float)(test_next(&r) >> 40) * 0x1p-23f - 1.0f;
        data[i] = 20000.0f + (float)i * 0x1p-14f + noise;
    }
    return 0;
}

/* The definitions, in plain C (fusion/nest/tree.h, fusion/nest/state.h). */

static float tree(float *x, size_t n)
{
    while (n > 1) {
        size_t s = 1;
        while (2 * s < n)
            s *= 2;
        for (size_t i = 0; i + s < n; i++)
            x[i] += x[i + s];
        n = s;
    }
    return x[0];
}

static float sum_of_chunk(const float *x, size_t n)
{
    float lanes[LANES] = {0};
    for (size_t i = 0; i < n; i++)
        lanes[i % LANES] = i < LANES ? x[i] : lanes[i % LANES] + x[i];
    return tree(lanes, n < LANES ? n : LANES);
}

#define MOST_PARTS ((ROWS * COLUMNS + CHUNK - 1) / CHUNK)

static float mean_of(const float *x, size_t n)
{
    float parts[MOST_PARTS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < n; i += CHUNK)
        parts[count++] = sum_of_chunk(x + i, n - i < CHUNK ? n - i : CHUNK);
    return tree(parts, count) / (float)n;
}

/* Two passes over everything. */
static float mean_of_squares(const float *x, size_t n)
{
    static float squares[ROWS * COLUMNS];
    const float mean = mean_of(x, n);
    for (size_t i = 0; i < n; i++) {
        float difference = x[i] - mean;
        squares[i] = difference * difference;
    }
    return mean_of(squares, n);
}

/* Of a chunk or of several: how many, their mean as a rounded number and what that left, squared differences. */
typedef struct spread {
    float count, mean, rest, squares;
} spread;

static spread spread_of_chunk(const float *x, size_t n)
{
    static float terms[2][CHUNK];
    spread s = {.count = (float)n, .mean = sum_of_chunk(x, n) / (float)n};
    for (size_t i = 0; i < n; i++) {
        terms[0][i] = x[i] - s.mean;
        terms[1][i] = terms[0][i] * terms[0][i];
    }
    const float sum = sum_of_chunk(terms[0], n);
    const float squares = sum_of_chunk(terms[1], n);
    s.rest = sum / s.count;
    const float moved = sum * s.rest;
    s.squares = squares - moved > 0 ? squares - moved : 0;
    return s;
}

/* Chan's formula. */
static spread merged(spread a, spread b)
{
    const float count = a.count + b.count;
    const float apart = b.mean - a.mean;
    const float delta = apart + (b.rest - a.rest);
    const float step = delta * (b.count / count);
    const float between = delta * a.count * step;
    const float add = a.rest + step;
    const float mean = a.mean + add;
    const float got = mean - a.mean;
    const float lost = a.mean - (mean - got);
    const float rest = lost + (add - got);
    return (spread){count, mean, rest, a.squares + b.squares + between};
}

static float variance(const float *x, size_t n)
{
    spread parts[MOST_PARTS] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < n; i += CHUNK)
        parts[count++] = spread_of_chunk(x + i, n - i < CHUNK ? n - i : CHUNK);
    while (count > 1) {
        size_t s = 1;
        while (2 * s < count)
            s *= 2;
        for (size_t i = 0; i + s < count; i++)
            parts[i] = merged(parts[i], parts[i + s]);
        count = s;
    }
    return parts[0].squares / (float)n;
}

/* Each of `rows` rows of `columns` numbers, as the program and as its definition gives it. */
static void check(const char *text, int64_t rows, int64_t columns,
                  float (*definition)(const float *x, size_t n), const float *other, float *out)
{
    float found[ROWS];
    uint8_t bytes[sizeof found];
    test_device d = test_open(NULL);
    assert_int_equal(test_run_rows(&d, text, rows, columns, data, false, bytes),
                     (size_t)rows * sizeof *found);
    memcpy(found, bytes, (size_t)rows * sizeof *found);
    test_close(&d);
    for (int64_t i = 0; i < rows; i++) {
        out[i] = definition(data + i * columns, (size_t)columns);
        if (memcmp(&found[i], &out[i], sizeof out[i]) != 0)
            fail_msg("%s: row %d is %.9g, by its definition %.9g", text, (int)i, found[i], out[i]);
        if (other != NULL && memcmp(&out[i], &other[i], sizeof out[i]) == 0)
            fail_msg("row %d has the same bits either way: %.9g", (int)i, out[i]);
    }
}

static void of_rows(void **state)
{
    (void)state;
    float own[ROWS];
    float called[ROWS];
    check("m = mean(x, axis=1, keepdims=True); v = mean((x - m) ** 2, axis=1); release m", ROWS,
          COLUMNS, mean_of_squares, NULL, own);
    check("v = var(x, axis=1)", ROWS, COLUMNS, variance, own, called);
}

static void of_a_whole_tensor(void **state)
{
    (void)state;
    float own;
    float called;
    check("v = mean((x - mean(x)) ** 2)", 1, (int64_t)ROWS * COLUMNS, mean_of_squares, NULL, &own);
    check("v = var(x)", 1, (int64_t)ROWS * COLUMNS, variance, &own, &called);
}

/* Nor is one made of the other where both are asked for. */
static void of_both_together(void **state)
{
    (void)state;
    float found[2];
    uint8_t bytes[sizeof found];
    const size_t count = sizeof data / sizeof data[0];
    test_device d = test_open(NULL);
    assert_int_equal(test_run_rows(&d, "v = var(x); q = mean((x - mean(x)) ** 2)", 1,
                                   (int64_t)count, data, false, bytes),
                     sizeof found);
    memcpy(found, bytes, sizeof found);
    test_close(&d);
    assert_true(found[0] == variance(data, count) && found[1] == mean_of_squares(data, count));
    assert_true(found[0] != found[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_rows),
        cmocka_unit_test(of_a_whole_tensor),
        cmocka_unit_test(of_both_together),
    };
    return cmocka_run_group_tests(tests, make_data, NULL);
}
