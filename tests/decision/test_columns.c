/* Reductions down columns on a CPU, several vectors of columns side by side: how many there are, in how many
 * launches, and the bits of the host with any number of them. On the host, whose limits are made up here, it is the
 * schedule that is looked at. */
#include "support/support.h"

#include "executor/run/instance.h"
#include "fusion/schedule/describe.h"

#include <stdio.h>
#include <string.h>

#define RESULTS 4
#define ROOM 100000

/* Programs of x [rows,columns] and w [columns]. */
#define SUM "a = sum(x, axis=0)"
#define WEIGHTED "a = sum(x * w, axis=0) / w; b = max(x, axis=0); c = all(x > w, axis=0)"
#define STATES "a = var(x, axis=0); b = cast(argmax(x, axis=0), 'f32'); c = mean(x, axis=0)"
#define TWICE "m = mean(x, axis=0); d = x - m; a = mean(d * d, axis=0) * w; release d"
#define SOFTMAX "a = softmax(x, axis=0)"
#define NORM                                                                                       \
    "a = (x - mean(x, axis=0)) * rsqrt(var(x, axis=0) + 0.125) * w + (w[:1] * w[:1]); b = sum(a, " \
    "axis=0)"
/* t is the same in all columns, and waits where a will be. */
#define KEPT                                                                                       \
    "c = expand(x[:, :1], (300, 260)); t = tanh(c); s = sum(x * t, axis=0); a = (x - s) * t; "     \
    "release c; release t; release s"

static test_device open_on(const char *device, sinter_style style, const sinter_profile *p)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    options.style = style;
    options.profile = p;
    options.lanes = 16;
    return test_open(&options);
}

static float element(int64_t i)
{
    return (float)((i * 7919) % 1009 - 400) / 64.0f + 1.0f / (float)(i % 1000 + 3);
}

/* Runs it; every result, as numbers of f32, one after the other into `out`, if that is wanted. */
static size_t run(const test_device *d, const char *text, int64_t rows, int64_t columns, float *out)
{
    static float data[ROOM * 8];
    const int64_t shape[] = {rows, columns};
    sinter_tensor in[2];
    sinter_tensor results[RESULTS];
    size_t at = 0;
    assert_true(rows * columns <= (int64_t)SINTER__COUNT(data));
    for (int64_t i = 0; i < rows * columns; i++)
        data[i] = element(i);
    sinter_program *p = test_program_of_rows(d, text, shape, data, in, results);
    size_t inputs = sinter_program_input_count(p);
    OK(sinter_stream_sync(d->s));
    for (size_t i = 0; i < sinter_program_result_count(p); i++) {
        sinter_tensor_desc desc;
        OK(sinter_tensor_describe(d->ctx, results[i], &desc));
        size_t count = (size_t)(desc.rank == 2 ? rows * columns : columns);
        size_t bytes = count * sinter_dtype_bytes(desc.dtype);
        assert_true(out == NULL || (at + count) <= ROOM);
        if (out != NULL)
            OK(sinter_tensor_read(d->s, results[i], out + at, bytes));
        at += out != NULL ? (bytes + sizeof *out - 1) / sizeof *out : 0;
        test_release(d, results[i]);
    }
    for (size_t i = 0; i < inputs; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return at;
}

typedef struct form {
    int64_t rows, columns;
    const char *text;
    uint32_t run_vectors, row_cache, most_iterations, run_narrow;
    /* what is decided: */
    uint64_t launches;
    int64_t vectors; /* of a unit */
    int64_t units;
} form;

#define MIB (1u << 20)
#define RUN_ROWS 5

/* Two compute units, and so 8 units at least, in vectors of 16. */
static const form forms[] = {
    {16, 1024, SUM, 64, MIB, 0, 0, 1, 8, 8},
    {16, 1024, SUM, 4, MIB, 0, 0, 1, 4, 16},
    {16, 100, SUM, 64, MIB, 0, 0, 1, 1,
     7}, /* rather all compute units than cache lines side by side */
    {700, 1024, SUM, 64, MIB, 0, 0, 2, 24, 9}, /* in three runs */
    {700, 70, SUM, 64, MIB, 0, 0, 2, 1, 15},
    {700, 512, SUM, 4, MIB, 0, 0, 1, 4, 8},  /* enough of them, each with all runs of its columns */
    {700, 512, SUM, 1, MIB, 0, 0, 1, 1, 32}, /* as on a GPU */
    {700, 512, SUM, 64, MIB, 65535, 0, 1, 1, 32}, /* a device that counts iterations */
    {700, 1024, STATES, 64, MIB, 0, 0, 2, 24, 9},
    {700, 1024, STATES, 64, 65536, 0, 0, 2, 4, 48}, /* a run is gone through twice, in the cache, */
    {700, 1024, SUM, 64, 65536, 0, 0, 2, 24, 9},    /* and here once */
    {700, 1024, TWICE, 64, MIB, 0, 0, 1, 8, 8},
    {700, 1024, TWICE, 64, 131072, 0, 0, 1, 2, 32}, /* and here all of a column, */
    {700, 1024, TWICE, 64, 32768, 0, 0, 1, 8, 8},   /* which is lost in any case */
    {700, 1024, SOFTMAX, 64, 262144, 0, 0, 1, 2, 32},
    /* rather than in bands of two, each time by itself */
    {700, 1024, TWICE, 64, 131072, 0, 3, 4, 24, 9},
    {700, 1024, TWICE, 64, 131072, 0, 2, 1, 2, 32}, /* two are not fewer than two */
    {700, 240, TWICE, 64, 131072, 0, 3, 1, 1, 15},  /* little more than what the caches hold */
    {700, 1024, SOFTMAX, 64, 131072, 0, 3, 5, 24, 9},
    {700, 1024, SUM, 64, 131072, 0, 3, 2, 24, 9}, /* once is once */
};

typedef struct seen {
    const form *of;
    size_t launches;
} seen;

/* How often the report has `text` of a launch. */
static size_t described(const sinter__instance *in, int launch, const char *text)
{
    const sinter__launch *l = sinter__instance_launch(in, 0, launch);
    sinter__buffer b;
    sinter__buffer_init(&b, in->compiled->allocator);
    sinter__schedule_describe(&l->class_.key, &l->geometry, &b);
    size_t found = test_occurrences(sinter__buffer_text(&b), text);
    sinter__buffer_finish(&b);
    return found;
}

static void look(void *user, const sinter__instance *in)
{
    seen *s = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    const sinter__class_key *key = &l->class_.key;
    int64_t vectors = l->geometry.segment / key->lanes;
    assert_int_equal(key->loops, SINTER__LOOPS_RUN);
    if (vectors != s->of->vectors || l->geometry.units != s->of->units)
        fail_msg("%s of %lld x %lld: %lld vectors side by side in %lld units", s->of->text,
                 (long long)s->of->rows, (long long)s->of->columns, (long long)vectors,
                 (long long)l->geometry.units);
    char side[64];
    (void)snprintf(side, sizeof side, ", %lld vectors side by side, %d rows at a time",
                   (long long)vectors, RUN_ROWS);
    assert_int_equal(described(in, 0, side), key->vectors > 1);
    s->launches += in->launch_counts[0];
}

typedef struct wanted_text {
    const char *text;
    int launch;
    size_t found;
} wanted_text;

static void describe_launch(void *user, const sinter__instance *in)
{
    wanted_text *w = user;
    w->found += described(in, w->launch, w->text);
}

static void check_form(const form *f, sinter_style style)
{
    test_device d = open_on("host", style, NULL);
    sinter__limits *l = &d.ctx->devices[0].limits;
    seen s = {.of = f};
    l->compute_units = 2;
    l->most_iterations = f->most_iterations;
    l->tuning.items_per_unit = 4;
    l->tuning.run_vectors = f->run_vectors;
    l->tuning.run_rows = RUN_ROWS;
    l->tuning.run_narrow = f->run_narrow;
    l->tuning.row_cache = f->row_cache;
    (void)run(&d, f->text, f->rows, f->columns, NULL);
    sinter__instances_visit(d.s, look, &s);
    assert_int_equal(s.launches, f->launches);
    test_close(&d);
}

static void columns_are_side_by_side(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(forms); i++)
        check_form(&forms[i], SINTER_STYLE_CPU);
}

/* Rows at a time in loops that store elements: half of the others, but one where a launch goes through whole rows once. */
static void stored_rows_are_fewer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
        uint32_t run_narrow;
        int launch;
        const char *found; /* what the report says of that launch */
    } cases[] = {
        {SOFTMAX, 700, 1024, 0, 0, ", 5 rows at a time, 3 where elements are stored;"},
        {SOFTMAX, 700, 1024, 3, 0, ", 24 vectors side by side, 5 rows at a time;"},
        {SOFTMAX, 700, 1024, 3, 2, ", 24 vectors side by side, 3 rows at a time;"},
        {SOFTMAX, 700, 1024, 3, 4, ", 24 vectors side by side, 3 rows at a time;"},
        {SOFTMAX, 3000, 240, 3, 0, ", 15 vectors side by side, 5 rows at a time;"},
        {SOFTMAX, 3000, 240, 3, 2, ", 15 vectors side by side, 1 row at a time;"},
        {SOFTMAX, 3000, 240, 3, 4, ", 15 vectors side by side, 1 row at a time;"},
    };
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device d = open_on("host", SINTER_STYLE_CPU, NULL);
        sinter__limits *l = &d.ctx->devices[0].limits;
        wanted_text wanted = {cases[i].found, cases[i].launch, 0};
        l->compute_units = 2;
        l->tuning.items_per_unit = 4;
        l->tuning.run_rows = RUN_ROWS;
        l->tuning.run_narrow = cases[i].run_narrow;
        l->tuning.row_cache = 131072;
        (void)run(&d, cases[i].text, cases[i].rows, cases[i].columns, NULL);
        sinter__instances_visit(d.s, describe_launch, &wanted);
        if (wanted.found != 1)
            fail_msg("launch %d of %s has not '%s'", cases[i].launch, cases[i].text,
                     cases[i].found);
        test_close(&d);
    }
}

/* What is split is read again by each launch that goes through it, since no cache has all rows: x
 * for the maxima and for the exponentials, which are written, read and written again; and the parts
 * of 3 runs and 2 reductions. */
static void each_launch_reads_again(void **state)
{
    (void)state;
    static const struct {
        uint32_t run_narrow;
        int64_t launches, times;
    } cases[] = {{0, 1, 2}, {3, 5, 5}};
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device d = open_on("host", SINTER_STYLE_CPU, NULL);
        sinter__limits *l = &d.ctx->devices[0].limits;
        l->compute_units = 2;
        l->tuning.row_cache = 131072;
        l->tuning.run_narrow = cases[i].run_narrow;
        (void)run(&d, SOFTMAX, 700, 1024, NULL);
        DECIDES(test_stats(&d).launches, cases[i].launches);
        DECIDES(test_stats(&d).bytes_moved,
                cases[i].times * 700 * 1024 * 4 + 2 * (2 * 3 * 1024 * 4));
        test_close(&d);
    }
}

/* On a GPU neighbours are work-items. */
static void a_gpu_has_one_vector(void **state)
{
    (void)state;
    static const form gpu = {100, 2048, SUM, 64, MIB, 0, 0, 1, 1, 128};
    check_form(&gpu, SINTER_STYLE_GPU);
}

/* Tails of all kinds: of a vector, of the vectors of a unit, of a band of rows, of a run. */
static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t vectors, rows, narrow;
    } cases[] = {{WEIGHTED, 3, 8, 0}, {STATES, 3, 1, 0},    {SOFTMAX, 3, 64, 0},
                 {STATES, 64, 6, 0},  {TWICE, 64, 5, 0},    {NORM, 64, 6, 0},
                 {NORM, 3, 4, 64},    {SOFTMAX, 64, 6, 64}, {NORM, 64, 6, 64}};
    static const int64_t shapes[][2] = {{1, 1},     {17, 15},  {16, 33},  {255, 100},
                                        {257, 129}, {600, 70}, {300, 260}};
    static float expected[ROOM];
    static float found[ROOM];
    test_device host = open_on("host", SINTER_STYLE_CPU, NULL);
    for (size_t k = 0; k < SINTER__COUNT(cases); k++) {
        sinter_profile *p = test_profile(NULL, "cpu");
        test_profile_set(p, "run_vectors", cases[k].vectors);
        test_profile_set(p, "run_rows", cases[k].rows);
        test_profile_set(p, "run_narrow", cases[k].narrow); /* each time by itself */
        test_profile_set(p, "row_cache", cases[k].narrow > 0 ? 4096 : MIB);
        test_profile_set(p, "items_per_unit", 1);
        test_device d = open_on(NULL, SINTER_STYLE_CPU, p);
        d.ctx->devices[0].limits.compute_units = 1; /* a work-item has whole rows */
        for (size_t i = 0; i < SINTER__COUNT(shapes); i++) {
            const int64_t *shape = shapes[i];
            size_t count = run(&host, cases[k].text, shape[0], shape[1], expected);
            assert_int_equal(run(&d, cases[k].text, shape[0], shape[1], found), count);
            if (memcmp(found, expected, count * sizeof *found) != 0)
                fail_msg("%s of %lld x %lld, %u vectors, %u rows at a time", cases[k].text,
                         (long long)shape[0], (long long)shape[1], cases[k].vectors, cases[k].rows);
        }
        test_close(&d);
        sinter_profile_destroy(p);
    }
    test_close(&host);
}

/* Once in the text: neither full bands nor the others compute it. */
static void what_is_one_per_column_waits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sinter_mode mode;
    } cases[] = {{"a = x * tanh(mean(x, axis=0))", SINTER_MODE_REPRODUCIBLE},
                 {"a = x + w * tanh(mean(x, axis=0))", SINTER_MODE_RELAXED}};
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        options.log_fn = test_log;
        options.style = SINTER_STYLE_CPU;
        options.lanes = 16;
        options.mode = cases[i].mode;
        test_device d = test_open(&options);
        test_report_begin(&d);
        (void)run(&d, cases[i].text, 300, 260, NULL);
        size_t calls = test_kernels_have(&d, "tanh_f32x16(v") + test_kernels_have(&d, "tanh(v");
        DECIDES(calls, 1);
        test_close(&d);
    }
}

/* What is kept for a later phase comes back as a vector, also where all of its elements are one number. */
static void one_number_is_kept_as_a_vector(void **state)
{
    (void)state;
    static float expected[ROOM];
    static float found[ROOM];
    test_device host = open_on("host", SINTER_STYLE_CPU, NULL);
    size_t count = run(&host, KEPT, 300, 260, expected);
    for (int style = SINTER_STYLE_CPU; style <= SINTER_STYLE_GPU; style++) {
        test_device d = open_on(NULL, (sinter_style)style, NULL);
        assert_int_equal(run(&d, KEPT, 300, 260, found), count);
        assert_memory_equal(found, expected, count * sizeof *found);
        assert_int_equal(test_stats(&d).fallbacks, 0);
        test_close(&d);
    }
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_side_by_side),
        cmocka_unit_test(stored_rows_are_fewer),
        cmocka_unit_test(each_launch_reads_again),
        cmocka_unit_test(a_gpu_has_one_vector),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(what_is_one_per_column_waits),
        cmocka_unit_test(one_number_is_kept_as_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
