/* A plan that does not fit the budget is cut where that helps: the bits are the same, what is promised is
 * held, what was planned is found again, and a larger budget never refuses what a smaller one ran. */
#include "support/cl_layer.h"
#include "support/support.h"

#include <string.h>

#define ROWS 64
#define IN 24
#define HIDDEN 32
#define OUT 16
#define STEPS 3
#define WIDE 4096 /* floats */
#define LINKS 6

static test_device open_with_budget(uint64_t bytes)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.budget_bytes = bytes;
    return test_open(&options);
}

/* Programs: what they read is put into `out`. The first failure ends them; what they have made goes with
 * the stream. */

typedef sinter_status (*program)(sinter_stream *s, float *out);

#define TRY(call)                                                                                  \
    do {                                                                                           \
        sinter_status tried = (call);                                                              \
        if (tried != SINTER_OK)                                                                    \
            return tried;                                                                          \
    } while (0)

static sinter_status numbers(sinter_stream *s, int64_t rows, int64_t columns, sinter_tensor *out)
{
    static float data[ROWS * HIDDEN];
    const int64_t shape[] = {rows, columns};
    for (int64_t i = 0; i < rows * columns; i++)
        data[i] = (float)(i * 37 % 101) * 0.01f - 0.5f;
    return sinter_tensor_from_host(s, SINTER_F32, 2, shape, data, out);
}

static sinter_status replace(sinter_stream *s, sinter_tensor *old, sinter_tensor now)
{
    sinter_tensor gone = *old;
    *old = now;
    return sinter_tensor_release(s, gone);
}

/* w - gradient / 128, in its place. */
static sinter_status descend(sinter_stream *s, sinter_tensor *w, sinter_tensor gradient)
{
    sinter_tensor scaled;
    sinter_tensor next;
    TRY(sinter_mul_scalar(s, gradient, 0.0078125, &scaled));
    TRY(sinter_sub(s, *w, scaled, &next));
    return replace(s, w, next);
}

/* A step of training two layers; the sum of squares is *loss. */
static sinter_status train(sinter_stream *s, sinter_tensor x, sinter_tensor wanted,
                           sinter_tensor *w, sinter_tensor *loss)
{
    sinter_tensor h, r, y, e, squares, turned, g[2], back, positive, masked;
    TRY(sinter_matmul(s, x, w[0], &h));
    TRY(sinter_relu(s, h, &r));
    TRY(sinter_matmul(s, r, w[1], &y));
    TRY(sinter_sub(s, y, wanted, &e));
    TRY(sinter_square(s, e, &squares));
    TRY(sinter_sum(s, squares, 0, NULL, false, loss));
    TRY(sinter_transpose(s, r, NULL, &turned));
    TRY(sinter_matmul(s, turned, e, &g[1]));
    TRY(sinter_transpose(s, w[1], NULL, &turned));
    TRY(sinter_matmul(s, e, turned, &back));
    TRY(sinter_gt_scalar(s, h, 0.0, &positive));
    TRY(sinter_mul(s, back, positive, &masked));
    TRY(sinter_transpose(s, x, NULL, &turned));
    TRY(sinter_matmul(s, turned, masked, &g[0]));
    TRY(descend(s, &w[0], g[0]));
    return descend(s, &w[1], g[1]);
}

static sinter_status training(sinter_stream *s, float *out)
{
    sinter_tensor x, wanted, w[2], loss;
    TRY(numbers(s, ROWS, IN, &x));
    TRY(numbers(s, ROWS, OUT, &wanted));
    TRY(numbers(s, IN, HIDDEN, &w[0]));
    TRY(numbers(s, HIDDEN, OUT, &w[1]));
    for (int i = 0; i < STEPS; i++) {
        TRY(sinter_scope_open(s));
        TRY(train(s, x, wanted, w, &loss));
        const sinter_tensor kept[] = {w[0], w[1], loss};
        TRY(sinter_scope_close(s, 3, kept));
        TRY(sinter_stream_sync(s));
        TRY(sinter_tensor_read(s, loss, &out[i], sizeof *out));
        TRY(sinter_tensor_release(s, loss));
    }
    return sinter_tensor_read(s, w[0], &out[STEPS], IN * HIDDEN * sizeof *out);
}

/* Wide results, each of which a product needs whole, and of each a sum that stays. */
static sinter_status wide_chain(sinter_stream *s, float *out)
{
    const int64_t shape[] = {64, WIDE / 64};
    sinter_tensor sums[LINKS], wide, product;
    for (int i = 0; i < LINKS; i++) {
        TRY(sinter_scope_open(s));
        TRY(sinter_full(s, SINTER_F32, 2, shape, sinter_scalar_float(0.25 * i), &wide));
        TRY(sinter_cos(s, wide, &wide));
        TRY(sinter_matmul(s, wide, wide, &product));
        TRY(sinter_add(s, product, wide, &product));
        TRY(sinter_sum(s, product, 0, NULL, false, &sums[i]));
        TRY(sinter_scope_close(s, 1, &sums[i]));
    }
    for (int i = 0; i < LINKS; i++)
        TRY(sinter_tensor_read(s, sums[i], &out[i], sizeof *out));
    return SINTER_OK;
}

/* Several wide results that stay for a while: each is made, used and gone before the next is needed, but the
 * queue has all of them. */
static sinter_status scans(sinter_stream *s, float *out)
{
    static float data[WIDE];
    const int64_t shape[] = {WIDE};
    sinter_tensor x, y, z, sum;
    data[7] = 3;
    TRY(sinter_tensor_from_host(s, SINTER_F32, 1, shape, data, &x));
    for (int i = 0; i < LINKS; i++) {
        TRY(sinter_cumsum(s, x, 0, &y));
        TRY(sinter_flip(s, y, 0, NULL, &z));
        TRY(sinter_cumsum(s, z, 0, &z));
        TRY(sinter_sum(s, z, 0, NULL, false, &sum));
        TRY(sinter_mul(s, z, sum, &z));
        TRY(replace(s, &x, z));
        TRY(sinter_mul_scalar(s, x, 0.0001, &z));
        TRY(replace(s, &x, z));
        (void)sinter_tensor_release(s, y);
        (void)sinter_tensor_release(s, sum);
    }
    return sinter_tensor_read(s, x, out, WIDE * sizeof *out);
}

/* Sweeps */

typedef struct outcome {
    sinter_status status;
    uint64_t peak_bytes;
    uint64_t cuts;
    float out[WIDE];
} outcome;

/* Every sync and read in it holds what sinter_stream_memory_need says before (support/promise.c). */
static void play(program run, uint64_t budget, outcome *o)
{
    test_device d = open_with_budget(budget);
    memset(o->out, 0, sizeof o->out);
    o->status = run(d.s, o->out);
    sinter_stats stats = test_stats(&d);
    o->peak_bytes = stats.cl_allocated_peak_bytes;
    o->cuts = stats.cuts;
    (void)sinter_stream_destroy(d.s);
    test_leaves_tensors(); /* a program ends at what is refused */
    OK(sinter_context_destroy(d.ctx));
}

/* From budgets that hold next to nothing to one that holds the whole: bytes never exceed it, once it
 * runs it runs, and the bits are those that it has with all the memory there is. */
static void sweep(program run)
{
    static outcome whole;
    static outcome now;
    const uint32_t on_drivers = 1u << 8 | 1u << 16 | 1u << 29; /* of 32 parts: compilers are slow */
    uint64_t runs_from = 0;
    uint64_t most_cuts = 0;
    play(run, ((uint64_t)1 << 20) - 1, &whole); /* no first slab: what it takes, in slabs of that */
    OK(whole.status);
    for (uint64_t i = 1; i <= 32; i++) {
        uint64_t budget = whole.peak_bytes * i / 32;
        if (test_cl_layer() != NULL && (i == 32 || (on_drivers >> i & 1) == 0))
            continue;
        play(run, budget, &now);
        assert_true(now.peak_bytes <= budget);
        if (now.status == SINTER_OK) {
            runs_from = runs_from == 0 ? budget : runs_from;
            most_cuts = now.cuts > most_cuts ? now.cuts : most_cuts;
            assert_memory_equal(now.out, whole.out, sizeof whole.out);
            continue;
        }
        assert_int_equal(now.status, SINTER_EBUDGET);
        if (runs_from != 0)
            fail_msg("it runs in %llu bytes, not in %llu", (unsigned long long)runs_from,
                     (unsigned long long)budget);
    }
    print_message("whole: %llu bytes, %llu cuts; from %llu bytes, up to %llu cuts\n",
                  (unsigned long long)whole.peak_bytes, (unsigned long long)whole.cuts,
                  (unsigned long long)runs_from, (unsigned long long)most_cuts);
    if (test_is_plain() && test_is_pooled())
        assert_true(runs_from < whole.peak_bytes && most_cuts > whole.cuts);
}

static void budgets_for_training(void **state)
{
    (void)state;
    sweep(training);
}

static void budgets_for_a_wide_chain(void **state)
{
    (void)state;
    sweep(wide_chain);
}

static void budgets_for_scans(void **state)
{
    (void)state;
    if (test_cl_layer() != NULL)
        skip(); /* nothing that the others have not, and many kernels */
    sweep(scans);
}

/* Decisions */

#define SIDE 128 /* elements of an edge: 64 KiB a tensor */
#define TENSOR ((uint64_t)SIDE * SIDE * sizeof(float))

/* A tensor that is there, and the product of products with it: three are stored and gone, the last stays. */
typedef struct chain {
    sinter_tensor x;
    sinter_tensor y;
} chain;

static chain products(const test_device *d)
{
    const int64_t side[] = {SIDE, SIDE};
    chain c;
    sinter_tensor next;
    OK(sinter_full(d->s, SINTER_F32, 2, side, sinter_scalar_float(0.0078125), &c.x));
    OK(sinter_stream_flush(d->s));
    OK(sinter_matmul(d->s, c.x, c.x, &c.y));
    for (int i = 0; i < 3; i++) {
        OK(sinter_matmul(d->s, c.y, c.x, &next));
        test_release(d, c.y);
        c.y = next;
    }
    return c;
}

static void drop(const test_device *d, chain c)
{
    test_release(d, c.x);
    test_release(d, c.y);
}

/* At once it is the input, the result and two of what is between them. With room for three the first two
 * products are a part, and each of the others one. */
static void one_less(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled())
        skip();
    const char *why = "cut because: limit: with what follows it does not fit the budget";
    const char *lines[] = {
        "4 operations are 65536 bytes over the budget: 2 of them by themselves\n",
        "2 operations are 65536 bytes over the budget: 1 of them by themselves\n"};
    static float out[SIDE * SIDE];
    for (uint64_t less = 0; less < 2; less++) {
        test_device d = open_with_budget((4 - less) * TENSOR);
        sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
        test_report_begin(&d);
        chain c = products(&d);
        OK(sinter_stream_memory_need(d.s, &need));
        assert_int_equal(need.segments, 1 + 2 * less);
        assert_int_equal(need.workspace_bytes, (2 - less) * TENSOR);
        assert_int_equal(need.result_bytes, (1 + 2 * less) * TENSOR);
        assert_int_equal(need.need_bytes, (4 - less) * TENSOR);
        test_read(&d, c.y, out, SIDE * SIDE);
        assert_true(out[0] > 0 && out[0] == out[SIDE * SIDE - 1]);
        assert_int_equal(test_stats(&d).cuts, 2 + 2 * less);
        assert_int_equal(test_stats(&d).launches, 5);
        assert_int_equal(test_stats(&d).cl_allocated_peak_bytes, (4 - less) * TENSOR);
        assert_int_equal(test_occurrences(test_report(&d), why), 2 * less);
        for (int i = 0; i < 2; i++)
            assert_int_equal(test_occurrences(test_report(&d), lines[i]), less);
        drop(&d, c);
        test_close(&d);
    }
}

/* The second time nothing is planned, not even what does not fit, and nothing compiled. */
static void found_again(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled())
        skip();
    static float out[2][SIDE * SIDE];
    sinter_stats first = SINTER_STATS_INIT;
    uint64_t allocations = 0;
    test_device d = open_with_budget(3 * TENSOR);
    for (int i = 0; i < 4; i++) {
        chain c = products(&d);
        test_read(&d, c.y, out[i > 0], SIDE * SIDE);
        drop(&d, c);
        assert_memory_equal(out[0], out[i > 0], sizeof out[0]);
        if (i == 0)
            first = test_stats(&d);
        if (i == 1)
            allocations = test_stats(&d).host_allocations;
    }
    sinter_stats last = test_stats(&d);
    assert_int_equal(first.cuts, 4);
    assert_int_equal(last.cuts, 4 * first.cuts);
    assert_int_equal(last.plan_misses, first.plan_misses);
    assert_int_equal(last.plan_hits, first.plan_hits + 3 * first.cuts);
    assert_int_equal(last.plan_count, first.plan_count);
    assert_int_equal(last.compiles, first.compiles);
    assert_int_equal(last.host_allocations, allocations);
    test_close(&d);
}

/* What another stream has changes nothing for a plan that fits beside it. */
static void beside_others(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled())
        skip();
    const int64_t side[] = {SIDE, SIDE};
    for (uint64_t held = 0; held < 4; held++) {
        test_device d = open_with_budget(6 * TENSOR);
        test_device e = {.ctx = d.ctx};
        sinter_tensor ballast[4];
        OK(sinter_stream_create(d.ctx, NULL, &e.s));
        for (uint64_t i = 0; i < held; i++) {
            OK(sinter_full(e.s, SINTER_F32, 2, side, sinter_scalar_float(1), &ballast[i]));
            OK(sinter_stream_sync(e.s));
        }
        chain c = products(&d);
        OK(sinter_stream_sync(d.s));
        assert_int_equal(test_stats(&d).cuts, held + (held < 3 ? 2 : 4));
        drop(&d, c);
        for (uint64_t i = 0; i < held; i++)
            test_release(&e, ballast[i]);
        OK(sinter_stream_destroy(e.s));
        test_close(&d);
    }
}

/* A tensor that another thread has released goes behind the first part, and that is known before: w and v would
 * have no room beside it. */
static void what_others_released(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled())
        skip();
    const int64_t side[] = {SIDE, SIDE};
    static float out[SIDE * SIDE];
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    sinter_tensor x, y, z, w, v;
    test_device d = open_with_budget(3 * TENSOR);
    OK(sinter_full(d.s, SINTER_F32, 2, side, sinter_scalar_float(0.0078125), &x));
    OK(sinter_stream_flush(d.s));
    OK(sinter_matmul(d.s, x, x, &y));
    OK(sinter_matmul(d.s, y, y, &z));
    OK(sinter_matmul(d.s, z, z, &w));
    OK(sinter_matmul(d.s, z, w, &v));
    test_release(&d, y);
    test_release(&d, z);
    OK(sinter_tensor_release(NULL, w)); /* pending, and kept until the first cut */
    OK(sinter_tensor_release(NULL, x));
    for (int i = 0; i < 2; i++) { /* asking changes nothing */
        OK(sinter_stream_memory_need(d.s, &need));
        assert_int_equal(need.segments, 2);
        assert_int_equal(need.missing_bytes, 0);
        assert_int_equal(need.need_bytes, 3 * TENSOR);
    }
    uint64_t cuts = test_stats(&d).cuts;
    test_read(&d, v, out, SIDE * SIDE);
    assert_true(out[0] > 0 && out[0] == out[SIDE * SIDE - 1]);
    assert_int_equal(test_stats(&d).cuts, cuts + 2);
    test_release(&d, v);
    test_close(&d);
}

/* With as many bytes more as are said to be missing all of it runs, and with one less it does not. */
static void what_is_missing(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled())
        skip();
    const uint64_t budgets[] = {TENSOR / 2, 2 * TENSOR, 3 * TENSOR - 1, 3 * TENSOR};
    const int64_t side[] = {SIDE, SIDE};
    for (int i = 0; i < 4; i++) {
        sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
        sinter_tensor x;
        sinter_tensor y;
        sinter_tensor z;
        test_device d = open_with_budget(budgets[i]);
        OK(sinter_full(d.s, SINTER_F32, 2, side, sinter_scalar_float(0.5), &x));
        OK(sinter_matmul(d.s, x, x, &y));
        OK(sinter_matmul(d.s, y, x, &z));
        sinter_status asked = sinter_stream_memory_need(d.s, &need);
        assert_int_equal(need.missing_bytes, 3 * TENSOR - budgets[i]);
        assert_int_equal(asked, i < 3 ? SINTER_EBUDGET : SINTER_OK);
        assert_int_equal(sinter_stream_sync(d.s), asked);
        test_release(&d, x);
        test_release(&d, y);
        test_release(&d, z);
        test_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_less),
        cmocka_unit_test(found_again),
        cmocka_unit_test(beside_others),
        cmocka_unit_test(what_others_released),
        cmocka_unit_test(what_is_missing),
        cmocka_unit_test(budgets_for_training),
        cmocka_unit_test(budgets_for_a_wide_chain),
        cmocka_unit_test(budgets_for_scans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
