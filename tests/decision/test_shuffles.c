/* Reductions of rows whose tree goes through shuffles in sub-groups: which do, that there is then no local
 * memory and no barrier, and the same bits either way. On the host, whose limits are made up here, it is the
 * text that is looked at; on a driver that has shuffles, they are used. */
#include "support/text.h"

#include "executor/opencl/shuffle.h"
#include "executor/run/instance.h"
#include "fusion/schedule/describe.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 5
#define MAX_LENGTH 4097
#define RESULTS 7

static test_device open_on(const char *device, const sinter_profile *p)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    options.profile = p;
    options.style = SINTER_STYLE_GPU;
    return test_open(&options);
}

typedef struct form {
    uint32_t sub_group, shuffles, chunk_items;
    uint64_t local_bytes;
    const char *text;
    size_t swaps, barriers, arrays; /* calls, and arrays in local memory */
} form;

#define SOFTMAX                                                                                    \
    "e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True); release e"
#define MANY "a = sum(x, axis=1); b = max(x, axis=1); d = prod(x + 1, axis=1)"

/* Rows of 20 in vectors of 4: eight work-items to a row, and so three steps. */
static const form forms[] = {
    {16, 1, 64, 32768, "a = sum(x, axis=1)", 3, 0, 0},
    {0, 1, 64, 32768, "a = sum(x, axis=1)", 0, 2, 1},
    {16, 0, 64, 32768, "a = sum(x, axis=1)", 0, 2, 1}, /* as the tuning wants it */
    {4, 1, 64, 32768, "a = sum(x, axis=1)", 0, 2, 1},  /* a row is larger than a sub-group */
    {8, 1, 64, 32768, "a = sum(x, axis=1)", 3, 0, 0},  /* or as large */
    {32, 1, 16, 32768, "a = sum(x, axis=1)", 0, 2, 1}, /* a work-group has no whole sub-group */
    {16, 1, 64, 16, "a = sum(x, axis=1)", 3, 0, 0},    /* no local memory, no limit */
    {0, 1, 64, 16, "a = sum(x, axis=1)", 0, 0, 0},     /* a work-item to a row */
    {16, 1, 64, 32768, "a = sum(c, axis=1)", 0, 0, 0}, /* rows of one element */
    {16, 1, 64, 32768, "a = sum(x, axis=0)", 0, 0, 0}, /* columns */
    {16, 1, 64, 32768, SOFTMAX, 6, 0, 0},
    {0, 1, 64, 32768, SOFTMAX, 0, 4, 1},
    {16, 1, 64, 32768, MANY, 9, 0, 0},
    {0, 1, 64, 32768, MANY, 0, 2, 1},
    {16, 1, 64, 32768, "p = var(x, axis=1); r = cast(argmax(x, axis=1), 'f32')", 15, 0, 0},
};

/* Calls in the text of kernels, without the functions themselves. */
static size_t calls_of_swap(const char *text)
{
    return test_occurrences(text, "= sn_swap_");
}

/* Adds one where the launch's description, which a report has on a driver, names them. */
static void count_described(void *user, const sinter__instance *in)
{
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    sinter__buffer b;
    sinter__buffer_init(&b, in->compiled->allocator);
    sinter__schedule_describe(&l->class_.key, &l->geometry, &b);
    *(size_t *)user += test_occurrences(sinter__buffer_text(&b), "shuffles in sub-groups of ");
    sinter__buffer_finish(&b);
}

static void check_form(const form *f)
{
    static test_text kernels;
    test_device d = open_on("host", NULL);
    sinter__limits *l = &d.ctx->devices[0].limits;
    l->sub_group = f->sub_group;
    l->shuffle = f->sub_group != 0 ? "a_shuffle" : NULL;
    l->local_bytes = f->local_bytes;
    l->tuning.shuffles = f->shuffles;
    l->tuning.chunk_items = f->chunk_items;
    l->tuning.chunk_lanes = 4;
    text_run run = text_open(&d, f->text);
    OK(sinter_report_begin(d.s));
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    kernels.bytes = 0;
    OK(sinter_kernels_write(d.s, test_text_add, &kernels));
    size_t swaps = calls_of_swap(kernels.data);
    size_t barriers = test_occurrences(kernels.data, "barrier(");
    size_t arrays = test_occurrences(kernels.data, "    __local ");
    if (swaps != f->swaps || barriers != f->barriers || arrays != f->arrays)
        fail_msg("%s, sub-groups of %u: %zu steps, %zu barriers, %zu arrays", f->text, f->sub_group,
                 swaps, barriers, arrays);
    assert_int_equal(test_occurrences(kernels.data, "intel_reqd_sub_group_size("), swaps > 0);
    size_t described = 0;
    sinter__instances_visit(d.s, count_described, &described);
    assert_int_equal(described, swaps > 0);
    text_close(&d, &run);
    test_close(&d);
}

static void a_row_in_a_sub_group_needs_no_barrier(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(forms); i++)
        check_form(&forms[i]);
}

/* The device's profile for GPUs, with or without shuffles. */
static sinter_profile *profile_with(uint32_t shuffles)
{
    sinter_profile *p = test_profile(NULL, "gpu");
    test_profile_set(p, "chunk_group", 1);
    test_profile_set(p, "chunk_items", 64);
    test_profile_set(p, "chunk_lanes", 4);
    test_profile_set(p, "shuffles", shuffles);
    return p;
}

static float element(int64_t i)
{
    return (float)((i * 7919) % 1009 - 500) / 64.0f + 1.0f / (float)(i + 3);
}

/* Every result of rows of that length, one after the other. */
static size_t results_of(test_device *d, int64_t length, float *out)
{
    static float x[ROWS * MAX_LENGTH];
    static const char text[] =
        "a = sum(x, axis=1); b = max(x, axis=1); c = cast(argmax(x, axis=1), 'f32'); "
        "d = mean(x, axis=1); e = var(x, axis=1); f = softmax(x, axis=1); g = layer_norm(x, "
        "axis=1)";
    const int64_t shape[] = {ROWS, length};
    sinter_program *p = NULL;
    sinter_tensor results[RESULTS];
    size_t at = 0;
    for (int64_t i = 0; i < ROWS * length; i++)
        x[i] = element(i);
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    assert_int_equal(sinter_program_result_count(p), RESULTS);
    sinter_tensor in = test_floats(d, 2, shape, x);
    OK(sinter_program_run(p, d->s, &in, results, NULL));
    for (size_t i = 0; i < RESULTS; i++) {
        size_t count = (size_t)(i < RESULTS - 2 ? ROWS : ROWS * length);
        OK(sinter_tensor_read(d->s, results[i], out + at, count * sizeof *out));
        at += count;
        test_release(d, results[i]);
    }
    test_release(d, in);
    sinter_program_destroy(p);
    return at;
}

static void compare(test_device *host, test_device *d, int64_t length)
{
    static float expected[2 * ROWS * (MAX_LENGTH + RESULTS)];
    static float found[2 * ROWS * (MAX_LENGTH + RESULTS)];
    size_t count = results_of(host, length, expected);
    assert_int_equal(results_of(d, length, found), count);
    assert_memory_equal(found, expected, count * sizeof *found);
}

static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 63, 64, 1000};
    test_device host = open_on("host", NULL);
    for (uint32_t shuffles = 0; shuffles < 2; shuffles++) {
        static test_text kernels;
        sinter_profile *p = profile_with(shuffles);
        test_device d = open_on(NULL, p);
        const bool has = d.ctx->devices[0].limits.shuffle != NULL;
        kernels.bytes = 0;
        OK(sinter_report_begin(d.s));
        for (size_t i = 0; i < SINTER__COUNT(lengths); i++)
            compare(&host, &d, lengths[i]);
        OK(sinter_kernels_write(d.s, test_text_add, &kernels));
        assert_int_equal(calls_of_swap(kernels.data) > 0, has);
        assert_int_equal(test_occurrences(kernels.data, "barrier(") == 0, has);
        assert_false(has && shuffles == 0);
        compare(&host, &d, 4097); /* of several times as many work-items, which have barriers */
        test_close(&d);
        sinter_profile_destroy(p);
    }
    test_close(&host);
}

/* A device whose shuffle is another, or none, is found out; and where a kernel with shuffles does not build,
 * one without is taken. */
static void what_a_device_says_is_not_believed(void **state)
{
    (void)state;
    static float found[2 * ROWS * (64 + RESULTS)];
    sinter_profile *p = profile_with(1);
    test_device d = open_on(NULL, p);
    if (d.ctx->devices[0].limits.shuffle != NULL) {
        sinter__device device = d.ctx->devices[0].device;
        assert_true(sinter__shuffles_hold(&device));
        device.limits.shuffle = "sub_group_shuffle_down";
        assert_false(sinter__shuffles_hold(&device));
        device.limits.shuffle = "no_such_function";
        assert_false(sinter__shuffles_hold(&device));
        uint64_t before = test_stats(&d).fallbacks;
        d.ctx->devices[0].limits.shuffle = "no_such_function";
        (void)results_of(&d, 64, found);
        assert_int_equal(test_stats(&d).fallbacks, before + 1);
    }
    test_close(&d);
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_in_a_sub_group_needs_no_barrier),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(what_a_device_says_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
