/* What the engine decides for the workloads of `sinter bench`: launches, bytes moved, and that a
 * replay costs nothing. All of it is counted exactly; nothing is timed. */
#include "support/support.h"

#include "bench/side.h"

#include <stdlib.h>
#include <string.h>

/* A workload at a small size, and at another size of the same class. */
typedef struct expectation {
    const char *name;
    int64_t extents[BENCH_MAX_EXTENTS];
    int64_t other[BENCH_MAX_EXTENTS];
    uint64_t launches;
    /* Each input is read once and each output written once; beyond that, numbers that one launch hands
     * on to another, for each element of the first extent. */
    uint64_t handed_on;
} expectation;

static bench_side start(const test_device *d, const bench_workload *w, const int64_t *extents)
{
    bench_side side = {.ctx = d->ctx, .stream = d->s};
    void *data[BENCH_MAX_INPUTS] = {NULL};
    size_t count = bench_operand_count(w->inputs, BENCH_MAX_INPUTS);
    for (size_t i = 0; i < count; i++) {
        data[i] = malloc(bench_bytes(&w->inputs[i], extents));
        assert_non_null(data[i]);
        bench_fill(&w->inputs[i], i + 1, bench_product(w->inputs[i].axes, extents), data[i]);
    }
    OK(bench_side_fill(&side, w, extents, data));
    for (size_t i = 0; i < count; i++)
        free(data[i]);
    return side;
}

static void assert_replay(const sinter_stats *before, const sinter_stats *after, uint64_t times)
{
    assert_int_equal(after->plan_misses, before->plan_misses);
    DECIDES(after->plan_hits - before->plan_hits, times);
    assert_int_equal(after->compiles, before->compiles);
    assert_int_equal(after->fallbacks, before->fallbacks);
    if (!test_is_pooled())
        return;
    assert_int_equal(after->host_allocations, before->host_allocations);
    assert_int_equal(after->cl_objects_created, before->cl_objects_created);
}

/* Counts of one repetition in the steady state, which is reached with the third. */
static void assert_steady(const test_device *d, bench_side *side, const expectation *x)
{
    const uint64_t times = test_is_simulated(d) ? 1 : 3;
    OK(bench_side_repeat(side));
    OK(bench_side_repeat(side));
    sinter_stats before = test_stats(d);
    for (uint64_t i = 0; i < times; i++)
        OK(bench_side_repeat(side));
    sinter_stats after = test_stats(d);
    uint64_t bound = bench_bound(side->workload, side->extents);
    assert_replay(&before, &after, times);
    DECIDES(after.launches - before.launches, times * x->launches);
    DECIDES(after.bytes_bound - before.bytes_bound, times * bound);
    uint64_t between = 2 * sizeof(float) * x->handed_on * (uint64_t)side->extents[0];
    DECIDES(after.bytes_moved - before.bytes_moved, times * (bound + between));
}

static void check(const expectation *x)
{
    test_device d = test_open(NULL);
    const bench_workload *w = bench_workload_find(x->name);
    assert_non_null(w);
    bench_side side = start(&d, w, x->extents);
    assert_steady(&d, &side, x);
    bench_side_empty(&side);

    uint64_t compiles = test_stats(&d).compiles;
    side = start(&d, w, x->other);
    assert_steady(&d, &side, x);
    assert_int_equal(test_stats(&d).compiles, compiles);
    bench_side_empty(&side);
    test_close(&d);
}

#define CHECK(name, ...)                                                                           \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        const expectation x = {__VA_ARGS__};                                                       \
        check(&x);                                                                                 \
    }

CHECK(a_chain_of_2_is_one_launch, "chain-2", {1000}, {3001}, 1, 0)
CHECK(a_chain_of_8_is_one_launch, "chain-8", {1000}, {3001}, 1, 0)
CHECK(a_chain_of_32_is_one_launch, "chain-32", {1000}, {3001}, 1, 0)
CHECK(a_chain_in_f16_is_one_launch, "chain-8-f16", {1000}, {3001}, 1, 0)
CHECK(bias_and_gelu_are_one_launch, "bias-gelu", {6, 100}, {11, 100}, 1, 0)
CHECK(a_gelu_is_one_launch, "gelu", {1000}, {3001}, 1, 0)
CHECK(a_gelu_by_tanh_is_one_launch, "gelu-tanh", {1000}, {3001}, 1, 0)
CHECK(a_silu_gate_is_one_launch, "silu-gate", {1000}, {3001}, 1, 0)
CHECK(an_adam_step_reads_4_and_writes_3, "adam", {1000}, {3001}, 1, 0)
CHECK(an_adamw_step_reads_4_and_writes_3, "adamw", {1000}, {3001}, 1, 0)
/* Where each tensor has a memory of its own, each parameter is a launch of its own. */
CHECK(adam_over_eight_parameters_is_one_launch, "adam-8", {9, 7, 5, 3}, {11, 8, 6, 4},
      test_is_pooled() ? 1 : 8, 0)
CHECK(black_scholes_is_one_launch, "black-scholes", {500}, {777}, 1, 0)
CHECK(a_tone_curve_is_one_launch, "tone-curve", {6, 10, 3}, {9, 10, 3}, 1, 0)
CHECK(views_cost_no_launch_and_no_bytes, "strided", {70, 90}, {80, 90}, 1, 0)
CHECK(a_broadcast_is_one_launch, "broadcast", {70, 90}, {80, 90}, 1, 0)
CHECK(sums_of_rows_are_one_launch, "row-sum", {20, 300}, {33, 300}, 1, 0)
CHECK(running_sums_are_one_launch, "cumsum", {20, 300}, {33, 300}, 1, 0)
CHECK(sums_of_columns_are_one_launch, "column-sum", {200, 30}, {133, 30}, 1, 0)
CHECK(mean_and_variance_are_one_launch, "mean-variance", {20, 300}, {33, 300}, 1, 0)
CHECK(a_softmax_is_one_launch, "softmax", {20, 300}, {33, 300}, 1, 0)
CHECK(a_softmax_of_few_rows_down_columns_is_one_launch, "softmax-down", {200, 30}, {133, 30}, 1, 0)
CHECK(a_log_softmax_is_one_launch, "log-softmax", {20, 300}, {33, 300}, 1, 0)
CHECK(a_layer_norm_is_one_launch, "layer-norm", {20, 300}, {33, 300}, 1, 0)
CHECK(an_rms_norm_is_one_launch, "rms-norm", {20, 300}, {33, 300}, 1, 0)
CHECK(a_product_is_one_launch, "matmul", {20, 30, 40}, {33, 30, 50}, 1, 0)
/* Both batches have tiles of one class: of 8 rows and fewer a GPU has another (test_product_blocks.c). */
CHECK(a_perceptron_is_a_launch_per_layer, "perceptron", {9, 20, 24, 10}, {13, 20, 24, 10}, 3,
      2 * 24)

/* Four reads and three writes of four bytes, counted by hand. */
static void adam_moves_28_bytes_per_element(void **state)
{
    (void)state;
    const int64_t extents[BENCH_MAX_EXTENTS] = {1000};
    assert_int_equal(bench_bound(bench_workload_find("adam"), extents), 28 * 1000);
}

/* Unfused, every operation is a launch, and the results are the same bits. */
static void unfused_is_a_launch_per_operation(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    const int64_t extents[BENCH_MAX_EXTENTS] = {1000};
    const bench_workload *w = bench_workload_find("chain-8");
    float found[2][1000];
    for (int i = 0; i < 2; i++) {
        options.switches = i == 0 ? 0 : SINTER_NO_FUSE;
        test_device d = test_open(&options);
        bench_side side = start(&d, w, extents);
        OK(bench_side_queue(&side));
        test_read(&d, side.outputs[0], found[i], 1000);
        DECIDES(test_stats(&d).launches, i == 0 ? 1 : 8);
        OK(bench_side_settle(&side));
        bench_side_empty(&side);
        test_close(&d);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_2_is_one_launch),
        cmocka_unit_test(a_chain_of_8_is_one_launch),
        cmocka_unit_test(a_chain_of_32_is_one_launch),
        cmocka_unit_test(a_chain_in_f16_is_one_launch),
        cmocka_unit_test(bias_and_gelu_are_one_launch),
        cmocka_unit_test(a_gelu_is_one_launch),
        cmocka_unit_test(a_gelu_by_tanh_is_one_launch),
        cmocka_unit_test(a_silu_gate_is_one_launch),
        cmocka_unit_test(an_adam_step_reads_4_and_writes_3),
        cmocka_unit_test(an_adamw_step_reads_4_and_writes_3),
        cmocka_unit_test(adam_over_eight_parameters_is_one_launch),
        cmocka_unit_test(black_scholes_is_one_launch),
        cmocka_unit_test(a_tone_curve_is_one_launch),
        cmocka_unit_test(views_cost_no_launch_and_no_bytes),
        cmocka_unit_test(a_broadcast_is_one_launch),
        cmocka_unit_test(sums_of_rows_are_one_launch),
        cmocka_unit_test(running_sums_are_one_launch),
        cmocka_unit_test(sums_of_columns_are_one_launch),
        cmocka_unit_test(mean_and_variance_are_one_launch),
        cmocka_unit_test(a_softmax_is_one_launch),
        cmocka_unit_test(a_softmax_of_few_rows_down_columns_is_one_launch),
        cmocka_unit_test(a_log_softmax_is_one_launch),
        cmocka_unit_test(a_layer_norm_is_one_launch),
        cmocka_unit_test(an_rms_norm_is_one_launch),
        cmocka_unit_test(a_product_is_one_launch),
        cmocka_unit_test(a_perceptron_is_a_launch_per_layer),
        cmocka_unit_test(adam_moves_28_bytes_per_element),
        cmocka_unit_test(unfused_is_a_launch_per_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
