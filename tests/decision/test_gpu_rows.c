/* What a GPU does with the rows of reductions: those that are gone through again stay in the registers of the work-items
 * that share them, and what many parts come to is added up by a group together. */
#include "support/support.h"

#include "executor/instance.h"

#include <stdlib.h>
#include <string.h>

#define SOFTMAX "a = softmax(x, axis=-1)"
#define MOST (1 << 18)
#define RESULTS 2

typedef struct seen {
    unsigned held, rest;
    unsigned levels, columns, workers; /* of the launch that combines, if there is one */
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    for (int i = 0; i < (int)in->launch_counts[0]; i++) {
        const sinter__launch *l = sinter__instance_launch(in, 0, i);
        const sinter__class_key *key = &l->class_.key;
        if (key->loops == SINTER__LOOPS_CHUNK)
            *s = (seen){.held = key->held, .rest = key->held_rest};
        if (key->loops == SINTER__LOOPS_COMBINE) {
            s->levels = key->levels;
            s->columns = (unsigned)l->geometry.local[0];
            s->workers = (unsigned)l->geometry.local[1];
        }
    }
}

static test_device open_on(const char *device, sinter_style style, uint32_t lanes)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = device;
    options.style = style;
    options.lanes = lanes;
    options.log_fn = test_log;
    return test_open(&options);
}

/* What `text` makes of x [rows, columns], all results one behind the other; returns their bytes. */
static size_t run(const test_device *d, const char *text, int64_t rows, int64_t columns,
                  uint8_t *out)
{
    const int64_t shape[] = {rows, columns};
    float *data = malloc((size_t)(rows * columns) * sizeof *data);
    sinter_tensor in[2] = {{0}};
    sinter_tensor results[RESULTS];
    assert_non_null(data);
    assert_true(rows * columns <= MOST);
    for (int64_t i = 0; i < rows * columns; i++)
        data[i] = (float)((i * 7919) % 1009 - 400) / 256.0F;
    sinter_program *p = test_program_of_rows(d, text, shape, data, in, results);
    free(data);
    size_t bytes = test_take_results(d, p, results, out);
    for (size_t i = 0; i < sinter_program_input_count(p); i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return bytes;
}

static uint8_t expected[sizeof(float) * 2 * MOST];
static uint8_t found[sizeof(float) * 2 * MOST];

static void rows_are_held_where_they_are_gone_through_again(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t columns; /* of 3 rows */
        uint32_t lanes, row_held;
        unsigned held, rest;
    } all[] = {
        {SOFTMAX, 1024, 1, 32, 16, 0},
        {SOFTMAX, 1000, 1, 32, 16, 1},
        {SOFTMAX, 64, 1, 32, 1, 0},
        {SOFTMAX, 65, 1, 32, 2, 1},
        {SOFTMAX, 2048, 1, 32, 32, 0},
        {SOFTMAX, 2049, 1, 32, 0, 0}, /* too long */
        {SOFTMAX, 1024, 1, 15, 0, 0},
        {SOFTMAX, 1024, 1, 0, 0, 0},
        {SOFTMAX, 512, 4, 32, 8, 0}, /* vectors of so many elements */
        {SOFTMAX, 513, 4, 32, 0, 0},
        {"a = softmax(cast(x, 'f64'), axis=-1)", 1024, 1, 32, 16, 0},
        {"a = softmax(cast(x, 'f64'), axis=-1)", 1024, 1, 31, 0, 0},         /* of twice the size */
        {"a = softmax(exp(tanh(erf(sin(x)))), axis=-1)", 2048, 1, 32, 0, 0}, /* much to write out */
        {SOFTMAX, 32, 1, 32, 0, 0}, /* a work-item has one element */
        {"a = sum(x, axis=-1)", 1024, 1, 32, 0, 0},
        {"a = x - sum(x, axis=-1, keepdims=1)", 1024, 1, 32, 16, 0},
        {"a = argmax(x, axis=-1)", 1024, 1, 32, 16, 0}, /* a value, and then its place */
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        seen s = {0};
        test_device d = open_on("host", SINTER_STYLE_GPU, all[i].lanes);
        d.ctx->devices[0].limits.tuning.row_held = all[i].row_held;
        (void)run(&d, all[i].text, 3, all[i].columns, found);
        sinter__instances_visit(d.s, see, &s);
        if (s.held != all[i].held || s.rest != all[i].rest)
            fail_msg("%s of %lld columns, %u lanes, at most %u: %u held, rest %u", all[i].text,
                     (long long)all[i].columns, all[i].lanes, all[i].row_held, s.held, s.rest);
        test_close(&d);
    }
}

static void many_parts_are_combined_by_a_group(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
        uint32_t combine_items;
        unsigned levels, columns_of_group, workers;
    } all[] = {
        {"a = sum(x)", 4, 16384, 256, 2, 1, 2},
        {"a = sum(x)", 5, 16384, 256, 3, 1, 2},
        {"a = sum(x)", 8, 16384, 256, 3, 1, 4},
        {"a = sum(x)", 8, 16384, 2, 3, 1, 2},
        {"a = sum(x)", 8, 16384, 1, 0, 64, 1},
        {"a = sum(x)", 3, 16384, 256, 0, 64, 1}, /* hardly worth it */
        {"a = sum(x, axis=0)", 2048, 48, 256, 3, 8, 4},
        {"a = sum(x, axis=0)", 2048, 6, 256, 3, 2, 4},
        {"a = sum(x, axis=0)", 2048, 7, 256, 3, 1, 4},
        {"a = sum(x, axis=0)", 2048, 64, 256, 0, 64, 1}, /* enough to do */
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        seen s = {0};
        test_device d = open_on("host", SINTER_STYLE_GPU, 1);
        d.ctx->devices[0].limits.tuning.combine_items = all[i].combine_items;
        (void)run(&d, all[i].text, all[i].rows, all[i].columns, found);
        sinter__instances_visit(d.s, see, &s);
        if (s.levels != all[i].levels || s.columns != all[i].columns_of_group ||
            s.workers != all[i].workers)
            fail_msg("%s of %lld x %lld by %u: %u levels, %u x %u", all[i].text,
                     (long long)all[i].rows, (long long)all[i].columns, all[i].combine_items,
                     s.levels, s.columns, s.workers);
        test_close(&d);
    }
}

/* Rows that are full and rows with a rest, one to a group or several; sums and states of many parts. */
static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
    } all[] = {
        {SOFTMAX, 3, 128},
        {SOFTMAX, 5, 200},
        {"a = layer_norm(x, -1); b = var(x, axis=-1)", 3, 129},
        {"e = exp(x); a = e / sum(e, axis=-1, keepdims=1); b = e + 1; release e", 3, 100},
        {"a = argmax(x, axis=-1); b = x - max(x, axis=-1, keepdims=1)", 5, 130},
        {"a = sum(x); b = var(x)", 5, 16000},
        {"a = argmax(x); b = mean(x)", 5, 16000},
        {"a = sum(x, axis=0); b = argmin(x, axis=0)", 1100, 6},
        {"a = var(x, axis=0)", 1030, 3},
        {"a = sum(x, axis=0); b = var(x, axis=0)", 270, 600}, /* columns enough, each of two runs */
        {"a = argmax(x, axis=0)", 270, 600},
        {"a = softmax(x, axis=-1)", 1, 200},
    };
    test_device host = open_on("host", SINTER_STYLE_CPU, 1);
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 4) {
        test_device d = open_on(NULL, SINTER_STYLE_GPU, lanes);
        for (size_t i = 0; i < SINTER__COUNT(all); i++) {
            size_t bytes = run(&host, all[i].text, all[i].rows, all[i].columns, expected);
            assert_int_equal(run(&d, all[i].text, all[i].rows, all[i].columns, found), bytes);
            if (memcmp(found, expected, bytes) != 0)
                fail_msg("%s of %lld x %lld in %u lanes", all[i].text, (long long)all[i].rows,
                         (long long)all[i].columns, lanes);
        }
        test_close(&d);
    }
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_held_where_they_are_gone_through_again),
        cmocka_unit_test(many_parts_are_combined_by_a_group),
        cmocka_unit_test(the_bits_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
