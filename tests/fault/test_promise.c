/* What sinter_stream_memory_need promises is what the device gives: the sum of clCreateBuffer, counted by
 * the OpenCL library for tests below and by the statistics above, for random programs, with and without
 * a budget; and what does not fit is said before it runs. */
#include "support/cl_layer.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define HELD 6 /* tensors that a random program juggles with */

static sinter_memory_need need_of(const test_device *d)
{
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    OK(sinter_stream_memory_need(d->s, &need));
    return need;
}

/* Runs what is pending and compares what was given with what was promised. False: it was refused, and
 * with what has no value since then nothing is promised. */
static bool is_kept(const test_device *d, uint64_t budget)
{
    const cl_layer *layer = test_cl_layer();
    sinter_stats before = test_stats(d);
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    sinter_status status = sinter_stream_memory_need(d->s, &need);
    assert_int_equal(test_stats(d).launches, before.launches);
    assert_int_equal(test_stats(d).cl_allocated_bytes, before.cl_allocated_bytes);
    assert_int_equal(need.held_bytes, before.cl_allocated_bytes);
    if (layer != NULL)
        (void)layer->buffer_peak_bytes();
    if (status == SINTER_EBUDGET) {
        assert_true(budget > 0 && need.missing_bytes > 0);
        FAILS(SINTER_EBUDGET, sinter_stream_sync(d->s));
        assert_true(test_stats(d).cl_allocated_peak_bytes <= budget);
        return false;
    }
    OK(status);
    assert_int_equal(need.missing_bytes, 0);
    assert_true(budget == 0 || need.need_bytes <= budget);
    OK(sinter_stream_sync(d->s));
    assert_int_equal(test_stats(d).cuts, before.cuts + need.segments);
    uint64_t peak = test_stats(d).cl_allocated_peak_bytes;
    if (need.need_bytes > before.cl_allocated_peak_bytes)
        assert_int_equal(peak, need.need_bytes);
    else
        assert_int_equal(peak, before.cl_allocated_peak_bytes);
    if (layer != NULL)
        assert_int_equal(layer->buffer_peak_bytes(), need.need_bytes);
    return true;
}

static sinter_tensor square(const test_device *d, int64_t side)
{
    const int64_t shape[] = {side, side};
    sinter_tensor x;
    OK(sinter_full(d->s, SINTER_F32, 2, shape, sinter_scalar_float(0.5), &x));
    return x;
}

/* One operation over `x` and `y`, all of whose results are squares of one side. */
static sinter_tensor random_op(const test_device *d, test_random *r, int64_t side, sinter_tensor x,
                               sinter_tensor y)
{
    const int axis[] = {1};
    const int turned[] = {1, 0};
    sinter_tensor out;
    sinter_tensor t;
    switch (test_below(r, 6)) {
    case 0:
        OK(sinter_add(d->s, x, y, &out));
        return out;
    case 1:
        OK(sinter_exp(d->s, x, &out));
        return out;
    case 2:
        OK((side < 64 ? sinter_matmul : sinter_mul)(d->s, x, y, &out));
        return out;
    case 3:
        OK(sinter_sum(d->s, x, 1, axis, true, &t));
        OK(sinter_mul(d->s, t, y, &out));
        break;
    case 4:
        OK(sinter_softmax(d->s, x, 1, axis, &t));
        OK(sinter_maximum(d->s, t, y, &out));
        break;
    default:
        OK(sinter_transpose(d->s, x, turned, &t));
        OK(sinter_sub(d->s, t, y, &out));
        break;
    }
    test_release(d, t);
    return out;
}

static void play(uint64_t seed, uint64_t budget, int rounds)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.budget_bytes = budget;
    test_device d = test_open(&options);
    test_random r = {seed};
    print_message("seed %llu, budget %llu\n", (unsigned long long)seed, (unsigned long long)budget);
    for (int round = 0; round < rounds; round++) {
        int64_t side = 16 + (int64_t)test_below(&r, test_is_small() ? 64 : 400);
        sinter_tensor held[HELD];
        for (int i = 0; i < HELD; i++)
            held[i] = square(&d, side);
        for (int part = 0, kept = 1; part < 3 && kept; part++) {
            for (uint32_t n = test_below(&r, 6); n > 0; n--) {
                uint32_t to = test_below(&r, HELD);
                sinter_tensor out =
                    random_op(&d, &r, side, held[test_below(&r, HELD)], held[test_below(&r, HELD)]);
                test_release(&d, held[to]);
                held[to] = out;
            }
            kept = is_kept(&d, budget);
        }
        for (int i = 0; i < HELD; i++)
            test_release(&d, held[i]);
        (void)sinter_stream_sync(d.s);
    }
    test_close(&d);
}

static void random_programs(void **state)
{
    (void)state;
    play(1, 0, test_cl_layer() != NULL ? 4 : 12);
}

static void random_programs_under_a_budget(void **state)
{
    (void)state;
    uint64_t mib = test_is_small() ? MIB / 8 : MIB;
    play(2, 3 * mib, test_cl_layer() != NULL ? 3 : 12);
    play(3, 8 * mib, test_cl_layer() != NULL ? 2 : 12);
}

/* The numbers themselves, for one that is simple. */
static void in_numbers(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled() || test_is_small())
        skip();
    const int64_t many[] = {(int64_t)MIB};
    test_device d = test_open(NULL);
    sinter_memory_need need = need_of(&d);
    assert_int_equal(need.operations, 0);
    assert_int_equal(need.need_bytes, 0);
    sinter_tensor x;
    sinter_tensor y;
    OK(sinter_full(d.s, SINTER_F32, 1, many, sinter_scalar_float(1.0), &x));
    OK(sinter_exp(d.s, x, &y));
    need = need_of(&d);
    assert_int_equal(need.operations, 2);
    assert_int_equal(need.result_bytes, 8 * MIB);
    assert_int_equal(need.workspace_bytes, 0);
    /* A slab for each: the first of the size of the one, the second of the other. */
    assert_int_equal(need.need_bytes, 8 * MIB);
    test_release(&d, x);
    assert_int_equal(need_of(&d).result_bytes, 4 * MIB);
    OK(sinter_stream_sync(d.s));
    assert_int_equal(need_of(&d).held_bytes, 4 * MIB);
    assert_int_equal(need_of(&d).need_bytes, 4 * MIB);
    test_release(&d, y);
    test_close(&d);
}

/* Asking changes nothing: neither what is compiled nor what is learned. */
static void asking_changes_nothing(void **state)
{
    (void)state;
    sinter_stats stats[2];
    for (int ask = 0; ask < 2; ask++) {
        test_device d = test_open(NULL);
        for (int i = 0; i < 4; i++) {
            sinter_tensor x = square(&d, 40);
            sinter_tensor y;
            OK(sinter_softmax(d.s, x, 0, NULL, &y));
            if (ask == 1)
                (void)need_of(&d);
            test_release(&d, x);
            if (ask == 1)
                (void)need_of(&d);
            OK(sinter_stream_sync(d.s));
            test_release(&d, y);
        }
        stats[ask] = test_stats(&d);
        test_close(&d);
    }
    assert_int_equal(stats[0].launches, stats[1].launches);
    assert_int_equal(stats[0].plan_hits, stats[1].plan_hits);
    assert_int_equal(stats[0].plan_misses, stats[1].plan_misses);
    assert_int_equal(stats[0].plan_count, stats[1].plan_count);
    assert_int_equal(stats[0].cuts, stats[1].cuts);
    assert_int_equal(stats[0].donations, stats[1].donations);
    assert_int_equal(stats[0].cl_allocated_bytes, stats[1].cl_allocated_bytes);
}

static void count_line(void *user, int level, const char *message)
{
    (void)level;
    (void)message;
    ++*(int *)user;
}

/* A kernel that does not build makes the question plan again in smaller groups, and the run again: it counts,
 * and is told, once. */
static void asking_counts_no_fallback(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    if (layer == NULL) {
        skip();
        return; /* for the analyser */
    }
    const int64_t shape[] = {1000};
    int lines = 0;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = count_line;
    options.log_user = &lines;
    test_device d = test_open(&options);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor a;
    sinter_tensor b;
    OK(sinter_stream_sync(d.s));
    layer->refuse("sn_exp_f32", "sn_tanh_f32");
    OK(sinter_exp(d.s, x, &a));
    OK(sinter_tanh(d.s, a, &b));
    test_release(&d, a);
    (void)need_of(&d);
    if (test_is_plain())
        assert_true(layer->failed() > 0);
    assert_int_equal(test_stats(&d).fallbacks, 0);
    int asked = lines;
    assert_true(is_kept(&d, 0));
    if (test_is_plain())
        assert_true(test_stats(&d).fallbacks > 0 && lines > asked);
    layer->arm(0, 0, 0);
    test_release(&d, b);
    test_release(&d, x);
    test_close(&d);
}

/* Memory that the device gives and that cannot be written is given back, and was there all the same. */
static void what_cannot_be_written_was_given(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    if (layer == NULL || !test_is_pooled()) {
        skip();
        return;
    }
    const float data[] = {1, 2, 3};
    const int64_t shape[] = {3};
    sinter_tensor x;
    test_device d = test_open(NULL);
    (void)layer->buffer_peak_bytes();
    layer->arm_named("clEnqueueFillBuffer", -4); /* CL_MEM_OBJECT_ALLOCATION_FAILURE */
    FAILS(SINTER_EDEVMEM, sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, data, &x));
    layer->arm(0, 0, 0);
    uint64_t given = layer->buffer_peak_bytes();
    assert_true(given > 0);
    assert_int_equal(test_stats(&d).cl_allocated_peak_bytes, given);
    assert_int_equal(test_stats(&d).cl_allocated_bytes, 0);
    (void)sinter_stream_sync(d.s);
    test_close(&d);
}

static void says(const char *text)
{
    if (strstr(sinter_last_error(), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, sinter_last_error());
}

/* Over the budget: the step, what lives there, the bytes that are missing. */
static void a_refusal_with_its_reasons(void **state)
{
    (void)state;
    if (!test_is_plain() || !test_is_pooled() || test_is_small())
        skip();
    const int64_t side[] = {512, 704}; /* 1.375 MiB, a multiple of every alignment */
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    sinter_tensor x;
    sinter_tensor y;
    sinter_tensor z;
    options.budget_bytes = 3 * MIB;
    test_device d = test_open(&options);
    OK(sinter_full(d.s, SINTER_F32, 2, side, sinter_scalar_float(1.0), &x));
    OK(sinter_exp(d.s, x, &y));
    OK(sinter_neg(d.s, x, &z));
    FAILS(SINTER_EBUDGET, sinter_stream_memory_need(d.s, &need));
    says("stream_memory_need: f32 [512,704], made by ");
    says("neg in step 1 of 1 (live there: f32 [512,704] neg, f32 [512,704] input): ");
    says("1441792 bytes beside the 2883584 held are 1179648 over the budget of 3145728");
    assert_int_equal(need.missing_bytes, 1179648);
    assert_int_equal(need.result_bytes, 3 * 1441792);
    assert_int_equal(test_stats(&d).launches, 0);
    /* With one of them gone it fits. */
    test_release(&d, z);
    OK(sinter_stream_memory_need(d.s, &need));
    assert_true(need.need_bytes <= options.budget_bytes);
    OK(sinter_stream_sync(d.s));
    assert_int_equal(test_stats(&d).cl_allocated_bytes, need.need_bytes);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

static void bad_arguments(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    FAILS(SINTER_EINVAL, sinter_stream_memory_need(NULL, &need));
    FAILS(SINTER_EINVAL, sinter_stream_memory_need(d.s, NULL));
    need.size = 0;
    FAILS(SINTER_EINVAL, sinter_stream_memory_need(d.s, &need));
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_numbers),
        cmocka_unit_test(asking_changes_nothing),
        cmocka_unit_test(asking_counts_no_fallback),
        cmocka_unit_test(what_cannot_be_written_was_given),
        cmocka_unit_test(a_refusal_with_its_reasons),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(random_programs_under_a_budget),
        cmocka_unit_test(bad_arguments),
    };
    test_promise_pause(); /* it asks itself */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
