/* Which form a matrix product has on a GPU, by its shape and the device: tiles in blocks, their numbers,
 * groups and bytes of local memory; and what the text of such a kernel costs. */
#include "support/graph.h"

#include "executor/opencl/device.h"
#include "fusion/plan/plan.h"
#include "fusion/schedule/describe.h"
#include "fusion/schedule/schedule.h"

#include <string.h>

enum { LARGE = 304, SMALL = 8, KILO = 1024 };

typedef struct shape {
    int64_t m, n, k;
} shape;

typedef struct device {
    uint32_t units, group;
    uint64_t local;
    uint32_t side; /* of a group along its second dimension; 0: any */
} device;

static const device large = {LARGE, 1024, 65536, 0};
static const device small = {SMALL, 256, 32768, 0};

/* Class and geometry of a product of f32 on that device. */
static sinter__class_key schedule(const device *d, uint32_t steps, shape s, sinter__geometry *out)
{
    sinter__allocator allocator;
    sinter__graph g;
    sinter__plan plan = {0};
    sinter__bound_access bound_accesses[4];
    sinter__class_access accesses[4];
    sinter__bound_nest bound = {.accesses = bound_accesses};
    sinter__kernel_class c = {.accesses = accesses};
    sinter__limits l = {.style = SINTER_STYLE_GPU,
                        .compute_units = d->units,
                        .max_group = d->group,
                        .max_side = d->side,
                        .local_bytes = d->local,
                        .parameter_bytes = 1024,
                        .alignment_bytes = 128,
                        .max_group_nodes = 128,
                        .narrow = (int64_t)1 << 30};
    sinter__tuning_init(&l.tuning, SINTER_STYLE_GPU, 4, 1);
    l.tuning.tile_steps = steps;
    sinter__allocator_init(&allocator, NULL, NULL);
    sinter__graph_init(&g, &allocator);
    uint16_t left = graph_input(&g, 2, (int64_t[]){s.m, s.k});
    uint16_t right = graph_input(&g, 2, (int64_t[]){s.k, s.n});
    uint16_t made = graph_op(&g, SINTER__OP_MATMUL, left, right);
    g.tensors[made].view = sinter__view_packed(2, (int64_t[]){s.m, s.n});
    g.tensors[made].live = true;
    OK(sinter__plan_build(&g, &l, &plan));
    assert_int_equal(plan.group_count, 1);
    OK(sinter__bind(&g, &plan.groups[0].nest, l.narrow, &bound));
    sinter__schedule(&plan.groups[0].nest, &bound, &l, 0, &c, out);
    sinter__plan_finish(&plan);
    sinter__graph_finish(&g);
    assert_int_equal(c.key.loops, SINTER__LOOPS_TILE);
    return c.key;
}

static void blocks_are_as_large_as_the_device_can_fill(void **state)
{
    (void)state;
    static const struct {
        const device *device;
        shape shape;
        uint32_t rows, vectors, slices;
        size_t groups, items; /* of all groups, of one */
        int64_t local_bytes;
    } cases[] = {
        /* of 128 x 128, one and a half of them for each compute unit */
        {&large, {4096, 4096, 4096}, 8, 2, 1, 1024, 256, 16896},
        {&large, {2560, 2944, 512}, 8, 2, 1, 460, 256, 16896},
        {&small, {384, 512, 384}, 8, 2, 1, 12, 256, 16896},
        /* of 64 x 64, one for each; or where larger ones would be less than two thirds full */
        {&small, {130, 2048, 384}, 4, 1, 1, 96, 256, 8704},
        {&large, {2560, 2816, 512}, 4, 1, 1, 1760, 256, 8704},
        {&large, {1216, 1024, 2048}, 4, 1, 1, 304, 256, 8704},
        {&small, {384, 384, 384}, 4, 1, 1, 36, 256, 8704},
        {&small, {64, 2048, 64}, 4, 1, 1, 32, 256, 8704},
        /* fewer, or too few rows or columns: of 32 x 32 */
        {&small, {128, 192, 256}, 4, 1, 1, 24, 64, 4608},
        {&small, {40, 2048, 64}, 4, 1, 1, 128, 64, 4608},
        {&small, {16, 4096, 64}, 4, 1, 1, 128, 64, 4608},
        {&small, {2048, 40, 64}, 4, 1, 1, 128, 64, 4608},
        {&small, {63, 2048, 64}, 4, 1, 1, 32, 256, 8704},
        /* fewer still, and several chunks: in slices, as many as there are and local memory holds */
        {&large, {1024, 1024, 1024}, 4, 1, 4, 1024, 256, 34816},
        {&large, {256, 256, 256}, 4, 1, 1, 64, 64, 4608},
        {&large, {256, 256, 512}, 4, 1, 2, 64, 128, 17408},
        {&small, {64, 64, 4096}, 4, 1, 2, 4, 128, 17408},
        /* rows for a batch: of 8 x 32 */
        {&large, {1, 4096, 4096}, 1, 1, 4, 128, 256, 16384},
        {&large, {8, 4096, 4096}, 1, 1, 4, 128, 256, 16384},
        {&small, {8, 4096, 4096}, 1, 1, 1, 128, 64, 3072},
        {&small, {8, 128, 4096}, 1, 1, 4, 4, 256, 16384},
        {&large, {9, 4096, 4096}, 4, 1, 4, 128, 256, 34816},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter__geometry g;
        sinter__class_key key = schedule(cases[i].device, 16, cases[i].shape, &g);
        size_t items = g.local[0] * g.local[1];
        size_t groups = g.global[0] / g.local[0] * (g.global[1] / g.local[1]) * g.global[2];
        assert_int_equal(key.steps, 16);
        if (key.rows != cases[i].rows || key.vectors != cases[i].vectors ||
            key.slices != cases[i].slices || groups != cases[i].groups || items != cases[i].items ||
            g.local_bytes != cases[i].local_bytes)
            fail_msg("case %zu: %u x %u vectors, %u slices, %zu groups of %zu, %lld bytes", i,
                     key.rows, key.vectors, key.slices, groups, items, (long long)g.local_bytes);
    }
}

/* A device with less has smaller groups and fewer steps, and at last what needs neither. */
static void a_block_fits_the_device(void **state)
{
    (void)state;
    static const struct {
        device device;
        uint32_t steps, wanted_side, wanted_steps;
    } cases[] = {
        {{SMALL, 64, 8704, 0}, 16, 8, 16}, {{SMALL, 64, 8703, 0}, 16, 8, 8},
        {{SMALL, 16, 8704, 0}, 16, 4, 16}, {{SMALL, 64, 544, 0}, 16, 8, 1},
        {{SMALL, 64, 288, 0}, 16, 8, 1},   {{SMALL, 64, 287, 0}, 16, 8, 0},
        {{SMALL, 1, 32768, 0}, 16, 1, 0},  {{SMALL, 256, 16896, 0}, 16, 16, 16},
        {{SMALL, 64, 32768, 0}, 0, 8, 0},  {{SMALL, 64, 8704, 8}, 16, 8, 16},
        {{SMALL, 64, 8704, 4}, 16, 4, 16}, {{SMALL, 64, 8704, 1}, 16, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter__geometry g;
        const shape s = {KILO, KILO, KILO};
        sinter__class_key key = schedule(&cases[i].device, cases[i].steps, s, &g);
        if (key.steps != cases[i].wanted_steps || g.local[0] != cases[i].wanted_side)
            fail_msg("case %zu: %u steps, a side of %zu", i, key.steps, g.local[0]);
        assert_int_equal(g.local_bytes == 0, key.steps == 0);
        assert_true(g.local_bytes <= (int64_t)cases[i].device.local);
        assert_true(g.local[0] * g.local[1] <= cases[i].device.group);
    }
}

/* Slices lie behind each other along a group's second dimension, which may have a limit of its own. */
static void slices_fit_the_second_dimension(void **state)
{
    (void)state;
    const shape deep = {64, 64, 16 * KILO};
    device d = {SMALL, 1024, 65536, 0};
    sinter__geometry g;
    assert_int_equal(schedule(&d, 16, deep, &g).slices, 4);
    for (d.side = 8; d.side <= 32; d.side *= 2) {
        assert_int_equal(schedule(&d, 16, deep, &g).slices, d.side / 8);
        assert_int_equal(g.local[1], d.side);
    }
}

/* A GPU that has none of its own, as some small ones have not, reads operands where they lie. */
static void local_memory_is_worth_it_where_it_is_near(void **state)
{
    (void)state;
    sinter__tuning t;
    sinter__device d = {.local_is_global = false};
    sinter__device_tuning(&d, SINTER_STYLE_GPU, 0, &t);
    assert_int_equal(t.tile_steps, 16);
    d.local_is_global = true;
    sinter__device_tuning(&d, SINTER_STYLE_GPU, 0, &t);
    assert_int_equal(t.tile_steps, 0);
    assert_int_equal(t.tile_rows * t.tile_vectors, 4);
}

static void the_report_says_it(void **state)
{
    (void)state;
    static const struct {
        shape shape;
        const char *schedule;
    } cases[] = {
        {{384, 384, 384},
         "tiles of 4 x 4 in blocks of 64 x 64 x 16, 8704 bytes of local memory, 4 lanes; 9216 "
         "items "
         "in groups of 256"},
        {{8, 128, 600},
         "tiles of 1 x 4 in blocks of 8 x 32 x 16, 2 slices, 8192 bytes of local memory, 4 lanes; "
         "512 items in groups of 128"},
    };
    sinter__allocator allocator;
    sinter__allocator_init(&allocator, NULL, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter__buffer text;
        sinter__geometry g;
        sinter__class_key key = schedule(&small, 16, cases[i].shape, &g);
        sinter__buffer_init(&text, &allocator);
        sinter__schedule_describe(&key, &g, &text);
        assert_string_equal(sinter__buffer_text(&text), cases[i].schedule);
        sinter__buffer_finish(&text);
    }
}

/* The text of the kernel of a product on the host, in the style of a GPU. */
static void emit(const test_device *d, shape s, test_text *out)
{
    sinter_tensor y;
    sinter_tensor left = test_floats(d, 2, (int64_t[]){s.m, s.k}, NULL);
    sinter_tensor right = test_floats(d, 2, (int64_t[]){s.k, s.n}, NULL);
    test_report_begin(d);
    OK(sinter_matmul(d->s, left, right, &y));
    OK(sinter_stream_sync(d->s));
    out->bytes = 0;
    OK(sinter_kernels_write(d->s, test_text_add, out));
    test_release(d, left);
    test_release(d, right);
    test_release(d, y);
}

static sinter_context_options gpu_style(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.style = SINTER_STYLE_GPU;
    return options;
}

/* A step costs two barriers, whatever the tile; slices one more for all chunks that they sum at once. */
static void barriers_and_loads_are_few(void **state)
{
    (void)state;
    static const struct {
        shape shape;
        size_t barriers, sums;
    } cases[] = {
        {{300, 250, 40}, 2, 16}, {{100, 24, 40}, 2, 4}, {{8, 24, 40}, 2, 1}, {{8, 24, 600}, 3, 1}};
    static test_text kernels;
    sinter_context_options options = gpu_style();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_device d = test_open(&options);
        emit(&d, cases[i].shape, &kernels);
        const char *text = kernels.data;
        assert_int_equal(test_occurrences(text, "barrier(CLK_LOCAL_MEM_FENCE)"), cases[i].barriers);
        assert_int_equal(test_occurrences(text, "= fma("), cases[i].sums);
        assert_int_equal(test_occurrences(text, "= sn_load_f32x1("), 1); /* of the left operand */
        assert_int_equal(test_occurrences(text, "= sn_load_f32x4("), 1); /* of the right one */
        test_close(&d);
    }
}

/* Batches from 1 to 8 have one kernel, and larger ones one of three. */
static void a_new_batch_compiles_nothing(void **state)
{
    (void)state;
    static const struct {
        int64_t m;
        int kernel;
    } cases[] = {{2, 0},  {8, 0},   {5, 0},   {9, 1},  {20, 1},   {60, 2}, {64, 2},
                 {42, 1}, {300, 3}, {128, 3}, {96, 3}, {1000, 3}, {7, 0}};
    enum { NAME = 23 }; /* matmul_ and a hash */
    static char names[4][NAME + 1];
    static test_text kernels;
    sinter_context_options options = gpu_style();
    test_device d = test_open(&options);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *name = names[cases[i].kernel];
        emit(&d, (shape){cases[i].m, 250, 40}, &kernels);
        const char *found = strstr(kernels.data, "matmul_");
        assert_non_null(found);
        if (name[0] == '\0')
            memcpy(name, found, NAME);
        if (memcmp(name, found, NAME) != 0)
            fail_msg("%d rows: %.*s", (int)cases[i].m, NAME, found);
    }
    assert_string_not_equal(names[0], names[1]);
    assert_string_not_equal(names[1], names[2]);
    assert_string_not_equal(names[2], names[3]);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_as_large_as_the_device_can_fill),
        cmocka_unit_test(a_block_fits_the_device),
        cmocka_unit_test(slices_fit_the_second_dimension),
        cmocka_unit_test(local_memory_is_worth_it_where_it_is_near),
        cmocka_unit_test(the_report_says_it),
        cmocka_unit_test(barriers_and_loads_are_few),
        cmocka_unit_test(a_new_batch_compiles_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
