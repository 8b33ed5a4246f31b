/* What a GPU does with the rows of reductions: those that are gone through again stay in the
 * registers of the work-items that share them, long ones in those of several blocks of them, which
 * hand on what is added up in order, and what many parts come to is added up by a group together. */
#include "support/support.h"

#include "executor/run/instance.h"

#include <stdlib.h>
#include <string.h>

#define SOFTMAX "a = softmax(x, axis=-1)"
#define MOST (1 << 18)

typedef struct seen {
    unsigned held, rest, blocks, items; /* and the work-items of a group */
    unsigned anew;
    unsigned levels, columns, workers; /* of the launch that combines, if there is one */
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    for (int i = 0; i < (int)in->launch_counts[0]; i++) {
        const sinter__launch *l = sinter__instance_launch(in, 0, i);
        const sinter__class_key *key = &l->class_.key;
        if (key->loops == SINTER__LOOPS_CHUNK) {
            *s = (seen){.anew = s->anew,
                        .held = key->held,
                        .rest = key->held_rest,
                        .blocks = key->blocks,
                        .items = (unsigned)l->geometry.local[0]};
        }
        s->anew |= key->anew;
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
    float *data = malloc((size_t)(rows * columns) * sizeof *data);
    assert_non_null(data);
    assert_true(rows * columns <= MOST);
    for (int64_t i = 0; i < rows * columns; i++)
        data[i] = (float)((i * 7919) % 1009 - 400) / 256.0F;
    size_t bytes = test_run_rows(d, text, rows, columns, data, false, out);
    free(data);
    return bytes;
}

static uint8_t expected[sizeof(float) * 2 * MOST];
static uint8_t found[sizeof(float) * 2 * MOST];

/* The program on both, bit by bit. */
static void compare(const test_device *host, const test_device *d, const char *text, int64_t rows,
                    int64_t columns)
{
    size_t bytes = run(host, text, rows, columns, expected);
    uint64_t fallbacks = test_stats(d).fallbacks;
    assert_int_equal(run(d, text, rows, columns, found), bytes);
    assert_int_equal(test_stats(d).fallbacks, fallbacks); /* each kernel builds */
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s of %lld x %lld", text, (long long)rows, (long long)columns);
}

/* What became of the program on a device that has run no other. */
static seen look(const test_device *d, const char *text, int64_t rows, int64_t columns)
{
    seen s = {0};
    (void)run(d, text, rows, columns, found);
    sinter__instances_visit(d->s, see, &s);
    return s;
}

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
        {SOFTMAX, 1024, 1, 0, 0, 0},
        {SOFTMAX, 512, 4, 32, 8, 0}, /* vectors of so many elements */
        {"a = softmax(cast(x, 'f64'), axis=-1)", 1024, 1, 32, 16, 0},
        {SOFTMAX, 32, 1, 32, 0, 0}, /* a work-item has one element */
        {"a = sum(x, axis=-1)", 1024, 1, 32, 0, 0},
        {"a = x - sum(x, axis=-1, keepdims=1)", 1024, 1, 32, 16, 0},
        {"a = argmax(x, axis=-1)", 1024, 1, 32, 16, 0}, /* a value, and then its place */
        {"a = argmax(x, axis=-1)", 2048, 1, 32, 32, 0},
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on("host", SINTER_STYLE_GPU, all[i].lanes);
        d.ctx->devices[0].limits.tuning.row_held = all[i].row_held;
        const seen s = look(&d, all[i].text, 3, all[i].columns);
        if (s.held != all[i].held || s.rest != all[i].rest || s.blocks != 0)
            fail_msg("%s of %lld columns, %u lanes, at most %u: %u held, rest %u, %u blocks",
                     all[i].text, (long long)all[i].columns, all[i].lanes, all[i].row_held, s.held,
                     s.rest, s.blocks);
        test_close(&d);
    }
}

static void longer_rows_are_held_by_several_blocks_of_work_items(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t columns; /* of 3 rows */
        uint32_t lanes, row_held, max_group;
        unsigned blocks, held;
    } all[] = {
        {SOFTMAX, 2049, 1, 32, 1024, 2, 20}, /* a multiple of 4 steps */
        {SOFTMAX, 4096, 1, 32, 1024, 2, 32},
        {SOFTMAX, 4097, 1, 32, 1024, 4, 20},
        {SOFTMAX, 8192, 1, 32, 1024, 4, 32},
        {SOFTMAX, 16384, 1, 32, 1024, 8, 32},
        {SOFTMAX, 16384, 1, 32, 256, 4, 64}, /* twice as much each, where a group is smaller, */
        {SOFTMAX, 16384, 1, 32, 128, 0, 0},  /* and no more */
        {SOFTMAX, 1024, 1, 15, 1024, 2, 8},
        {SOFTMAX, 2048, 4, 32, 1024, 0, 0}, /* vectors, and few work-items of a row */
        {SOFTMAX, 2049, 4, 32, 1024, 2, 20},
        {SOFTMAX, 4096, 1, 0, 1024, 0, 0},
        {"a = softmax(cast(x, 'f64'), axis=-1)", 4096, 1, 32, 1024, 2, 32},
        {"a = argmax(x, axis=-1)", 4096, 1, 32, 1024, 2, 32},
        {"a = softmax(exp(tanh(erf(sin(x)))), axis=-1)", 2048, 1, 32, 1024, 2,
         16},                                             /* much to write out */
        {"a = sum(x, axis=-1)", 4096, 1, 32, 1024, 0, 0}, /* nothing is gone through again */
        {"a = x - sum(x, axis=-1, keepdims=1)", 4096, 1, 32, 1024, 2, 32},
        {"a = var(x, axis=-1)", 40000, 1, 32, 1024, 8,
         32},                                        /* a chunk, of three rows that are split */
        {"a = argmax(x)", 8192, 1, 32, 1024, 8, 32}, /* of everything */
        {"a = sum(x)", 8192, 1, 32, 1024, 0, 0},
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on("host", SINTER_STYLE_GPU, all[i].lanes);
        d.ctx->devices[0].limits.tuning.row_held = all[i].row_held;
        d.ctx->devices[0].limits.max_group = all[i].max_group;
        const seen s = look(&d, all[i].text, 3, all[i].columns);
        if (s.held != all[i].held || s.blocks != all[i].blocks ||
            s.items != 64 * SINTER__MAX(s.blocks, 1))
            fail_msg("%s of %lld columns, at most %u, groups of %u: %u held, %u blocks, %u items",
                     all[i].text, (long long)all[i].columns, all[i].row_held, all[i].max_group,
                     s.held, s.blocks, s.items);
        test_close(&d);
    }
}

static void what_would_wait_in_memory_is_computed_again(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
        sinter_style style;
        unsigned anew;
    } all[] = {
        {SOFTMAX, 3, 40000, SINTER_STYLE_GPU, 1}, /* rows of several chunks */
        {"a = softmax(x, axis=0)", 40, 30, SINTER_STYLE_GPU, 1},
        {"a = softmax(x, axis=0)", 40, 30, SINTER_STYLE_CPU, 0},
        {SOFTMAX, 3, 4096, SINTER_STYLE_GPU, 0}, /* it waits in registers */
        {SOFTMAX, 1, 4096, SINTER_STYLE_GPU, 0}, /* or in a cache */
        {"a = softmax(tanh(erf(sin(x))), axis=0)", 40, 30, SINTER_STYLE_GPU,
         0},                                                 /* more than moving it takes */
        {"a = x - mean(x, 0)", 40, 30, SINTER_STYLE_GPU, 0}, /* nothing waits */
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on("host", all[i].style, 1);
        const seen s = look(&d, all[i].text, all[i].rows, all[i].columns);
        if (s.anew != all[i].anew)
            fail_msg("%s of %lld x %lld: %u", all[i].text, (long long)all[i].rows,
                     (long long)all[i].columns, s.anew);
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
        test_device d = open_on("host", SINTER_STYLE_GPU, 1);
        d.ctx->devices[0].limits.tuning.combine_items = all[i].combine_items;
        const seen s = look(&d, all[i].text, all[i].rows, all[i].columns);
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
        {"a = sum(x); b = var(x)", 1, 16400},
        {"a = argmax(x); b = mean(x)", 1, 16400},
        {"a = sum(x, axis=0); b = argmin(x, axis=0)", 1100, 6},
        {"a = var(x, axis=0)", 1030, 3},
        {"a = sum(x, axis=0); b = var(x, axis=0)", 270, 600}, /* columns enough, each of two runs */
        {"a = argmax(x, axis=0)", 270, 600},
        {"a = softmax(x, axis=-1)", 1, 200},
        {"a = softmax(x, axis=0); b = exp(x) - sum(exp(x), 0)", 300,
         5}, /* what waits is computed again */
        {SOFTMAX, 2, 16400},
    };
    test_device host = open_on("host", SINTER_STYLE_CPU, 1);
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 4) {
        test_device d = open_on(NULL, SINTER_STYLE_GPU, lanes);
        for (size_t i = 0; i < SINTER__COUNT(all); i++) {
            if (lanes == 1 ||
                all[i].rows * all[i].columns < 7000) /* the others are simulated for long */
                compare(&host, &d, all[i].text, all[i].rows, all[i].columns);
        }
        test_close(&d);
    }
    test_close(&host);
}

/* Blocks of which all, some or none have a rest or nothing at all; folds with an order and without,
 * of one pass and of two, of what is held and of what is computed again; rows in one chunk and in
 * several. */
static void the_bits_are_those_of_the_host_where_rows_are_relayed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        SOFTMAX,
        "a = softmax(x, axis=-1) * x", /* x is wanted beside what comes of it */
        "a = layer_norm(x, -1); b = var(x, axis=-1)",
        "e = exp(x); a = e / sum(e, axis=-1, keepdims=1); b = e + 1; release e",
        "a = argmax(x, axis=-1); b = x - max(x, axis=-1, keepdims=1)",
        "m = mean(x, -1, 1); d = x - m; a = d * d - sum(d * d, -1, 1); b = max(d, -1); release m; "
        "release d",
        "a = softmax(cast(x, 'f16'), axis=-1); b = argmin(x, axis=-1)",
        /* the place of a value that is computed, beside sums, which are folded in another loop */
        "a = argmax(abs(x), axis=-1); b = sum(x, axis=-1); c = argmin(x * x, axis=-1)",
        "i = cast(x, 'i32'); a = i - max(i, -1, 1); b = sum(i, axis=-1) - prod(i, axis=-1); "
        "release i",
    };
    static const struct {
        int64_t rows, columns;
        uint32_t row_held;
    } sizes[] = {{3, 385, 4}, {2, 1024, 4}, {2, 513, 8}};
    test_device host = open_on("host", SINTER_STYLE_CPU, 1);
    test_device d = open_on(NULL, SINTER_STYLE_GPU, 1);
    for (size_t k = 0; k < SINTER__COUNT(sizes); k++) {
        d.ctx->devices[0].limits.tuning.row_held = sizes[k].row_held;
        for (size_t i = 0; i < SINTER__COUNT(texts) - !d.ctx->devices[0].limits.has_f64; i++)
            compare(&host, &d, texts[i], sizes[k].rows, sizes[k].columns);
    }
    test_close(&d);
    test_close(&host);
}

/* Rows of several chunks in one launch: a device of few compute units has enough with a few rows. */
static void chunks_of_a_row_are_relayed_in_one_launch(void **state)
{
    (void)state;
    static const struct {
        const char *text, *device;
        bool is_relayed;
    } all[] = {
        {"a = x - mean(x, -1, 1); b = var(x, -1) + max(x, -1)", NULL, true},
        {SOFTMAX, "host",
         false}, /* what waits is in the result, and nothing goes through a chunk twice */
    };
    test_device host = open_on("host", SINTER_STYLE_CPU, 1);
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on(all[i].device, SINTER_STYLE_GPU, 1);
        sinter__limits *l = &d.ctx->devices[0].limits;
        seen s = {0};
        l->compute_units = l->tuning.items_per_unit = 1;
        compare(&host, &d, all[i].text, 4, 16500);
        sinter__instances_visit(d.s, see, &s);
        if (l->max_group >= 256) /* of 64 steps each, or fewer */
            assert_int_equal(s.blocks >= 4, all[i].is_relayed);
        test_close(&d);
    }
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_held_where_they_are_gone_through_again),
        cmocka_unit_test(longer_rows_are_held_by_several_blocks_of_work_items),
        cmocka_unit_test(what_would_wait_in_memory_is_computed_again),
        cmocka_unit_test(many_parts_are_combined_by_a_group),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(the_bits_are_those_of_the_host_where_rows_are_relayed),
        cmocka_unit_test(chunks_of_a_row_are_relayed_in_one_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
