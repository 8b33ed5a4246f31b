/* When a queue is cut: by the caller, by limits, by plans that are complete; and where a loop that
 * never reads is cut, so that it settles on the same segments. */
#include "support/support.h"

#include "executor/context/context.h"

#include <stdio.h>

#define COUNT 8

static const int64_t shape[] = {COUNT};

static test_device open_with(uint32_t max_ops, uint64_t max_bytes)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.max_pending_ops = max_ops;
    options.max_pending_bytes = max_bytes;
    return test_open(&options);
}

/* x becomes op(x, w); the old x is released. */
typedef sinter_status (*binary)(sinter_stream *, sinter_tensor, sinter_tensor, sinter_tensor *);

static void replace(const test_device *d, binary op, sinter_tensor *x, sinter_tensor w)
{
    sinter_tensor y;
    OK(op(d->s, *x, w, &y));
    test_release(d, *x);
    *x = y;
}

static const binary ops[] = {sinter_add, sinter_mul, sinter_sub, sinter_minimum, sinter_maximum};
#define OPS (sizeof ops / sizeof ops[0])

/* `length` operations on x, of which no shorter part repeats. */
static void step(const test_device *d, sinter_tensor *x, sinter_tensor w, uint32_t length)
{
    for (uint32_t i = 0; i + 1 < length; i++)
        replace(d, ops[i * i % OPS], x, w);
    sinter_tensor y;
    OK(sinter_tanh(d->s, *x, &y));
    test_release(d, *x);
    *x = y;
}

static void assert_report(const test_device *d, const char *part)
{
    const char *text = test_report(d);
    if (test_occurrences(text, part) == 0)
        print_error("'%s' is not in the report:\n%s", part, text);
    assert_true(test_occurrences(text, part) > 0);
}

/* The caller cuts */

static void queueing_and_releasing_run_nothing(void **state)
{
    (void)state;
    test_device d = open_with(0, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    test_report_begin(&d);
    step(&d, &x, w, 5);
    test_release(&d, w);
    sinter_stats stats = test_stats(&d);
    assert_int_equal(stats.ops, 5);
    assert_int_equal(stats.cuts, 0);
    assert_int_equal(stats.launches, 0);
    test_read(&d, x, out, COUNT);
    assert_int_equal(test_stats(&d).cuts, 1);
    assert_report(&d, "segment 1: 5 operations, cut because: a result was read; planned");
    test_read(&d, x, out, COUNT); /* nothing is pending any more */
    assert_int_equal(test_stats(&d).cuts, 1);
    test_release(&d, x);
    test_close(&d);
}

static void a_flush_and_a_sync_cut(void **state)
{
    (void)state;
    test_device d = open_with(0, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    test_report_begin(&d);
    step(&d, &x, w, 3);
    OK(sinter_stream_flush(d.s));
    assert_report(&d, "segment 1: 3 operations, cut because: flush");
    OK(sinter_stream_flush(d.s)); /* nothing pending: no segment */
    step(&d, &x, w, 4);
    OK(sinter_stream_sync(d.s));
    assert_report(&d, "segment 2: 4 operations, cut because: sync");
    assert_int_equal(test_stats(&d).cuts, 2);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* A read of a tensor that is not pending leaves what is. */
static void a_read_of_an_input_cuts_nothing(void **state)
{
    (void)state;
    test_device d = open_with(0, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    step(&d, &x, w, 3);
    test_read(&d, w, out, COUNT);
    assert_int_equal(test_stats(&d).cuts, 0);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* Limits */

static void at_most_so_many_operations_are_queued(void **state)
{
    (void)state;
    test_device d = open_with(16, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    test_report_begin(&d);
    step(&d, &x, w, 16);
    assert_int_equal(test_stats(&d).cuts, 1);
    assert_report(&d, "cut because: limit: operations queued");
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

static void held_results_count_against_the_byte_limit(void **state)
{
    (void)state;
    test_device d = open_with(0, 4 * COUNT * sizeof(float));
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor held[5];
    test_report_begin(&d);
    for (int i = 0; i < 4; i++)
        OK(sinter_add_scalar(d.s, x, i, &held[i]));
    assert_int_equal(test_stats(&d).cuts, 0);
    OK(sinter_add_scalar(d.s, x, 9.0, &held[4]));
    assert_int_equal(test_stats(&d).cuts, 1);
    assert_report(&d, "cut because: limit: bytes of pending results");
    for (int i = 0; i < 5; i++)
        test_release(&d, held[i]);
    test_release(&d, x);
    test_close(&d);
}

static void by_default_that_is_a_part_of_the_memory(void **state)
{
    (void)state;
    const uint64_t mib = (uint64_t)1 << 20;
    const uint64_t memory[] = {4096 * mib, 1024 * mib, 64 * mib};
    const uint64_t limit[] = {1024 * mib, 256 * mib, 256 * mib};
    test_device d = open_with(0, 0);
    for (size_t i = 0; i < SINTER__COUNT(memory); i++) {
        sinter_stream *s = NULL;
        d.ctx->devices[0].device.info.global_memory_bytes = memory[i];
        OK(sinter_stream_create(d.ctx, NULL, &s));
        assert_int_equal(s->q.max_bytes, limit[i]);
        OK(sinter_stream_destroy(s));
    }
    test_close(&d);
}

static void released_results_do_not(void **state)
{
    (void)state;
    test_device d = open_with(0, 4 * COUNT * sizeof(float));
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    step(&d, &x, w, 100);
    assert_int_equal(test_stats(&d).cuts, 0);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* Plans */

/* A plan that a read completed waits for the next read: the longer program is one segment. */
static void a_plan_of_a_read_does_not_fire_by_itself(void **state)
{
    (void)state;
    test_device d = open_with(0, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    for (int i = 0; i < 3; i++) {
        replace(&d, sinter_add, &x, w);
        replace(&d, sinter_mul, &x, w);
        test_read(&d, x, out, COUNT);
    }
    test_report_begin(&d);
    replace(&d, sinter_add, &x, w);
    replace(&d, sinter_mul, &x, w);
    replace(&d, sinter_sub, &x, w);
    test_read(&d, x, out, COUNT);
    assert_report(&d, "segment 1: 3 operations, cut because: a result was read; planned");
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* Runs a loop that never reads for `iterations`. */
static void loop(const test_device *d, sinter_tensor *x, sinter_tensor w, uint32_t length,
                 uint32_t iterations, bool marks)
{
    for (uint32_t i = 0; i < iterations; i++) {
        if (marks)
            OK(sinter_stream_mark(d->s));
        step(d, x, w, length);
    }
}

typedef struct loop_case {
    uint32_t limit;  /* operations queued */
    uint32_t before; /* operations before the loop */
    uint32_t length; /* of a step */
    bool marks;
} loop_case;

/* After a few times the limit every segment is a stored plan and nothing is compiled. */
static void assert_loop_settles(const loop_case *c)
{
    test_device d = open_with(c->limit, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    uint32_t some = 4 * c->limit / c->length + 4;
    if (c->before > 0)
        step(&d, &x, w, c->before);
    loop(&d, &x, w, c->length, some, c->marks);
    sinter_stats warm = test_stats(&d);
    loop(&d, &x, w, c->length, some, c->marks);
    sinter_stats after = test_stats(&d);
    if (after.plan_misses != warm.plan_misses || after.cuts < warm.cuts + 3)
        print_error("limit %u, %u before, steps of %u: %d misses, %d cuts\n", c->limit, c->before,
                    c->length, (int)(after.plan_misses - warm.plan_misses),
                    (int)(after.cuts - warm.cuts));
    assert_int_equal(after.plan_misses, warm.plan_misses);
    assert_int_equal(after.compiles, warm.compiles);
    if (test_is_pooled())
        assert_int_equal(after.host_allocations, warm.host_allocations);
    assert_int_equal(after.plan_hits - warm.plan_hits, after.cuts - warm.cuts);
    assert_true(after.cuts >= warm.cuts + 3);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

static void a_loop_that_never_reads_settles(void **state)
{
    (void)state;
    static const uint32_t limits[] = {8, 64, 100, 512};
    static const uint32_t before[] = {0, 1, 13, 70};
    static const uint32_t lengths[] = {1, 2, 3, 5, 7, 16, 31, 60};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) {
            for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
                const loop_case c = {.limit = limits[i], .before = before[k], .length = lengths[l]};
                if (c.length <= c.limit)
                    assert_loop_settles(&c);
            }
        }
    }
}

static void a_loop_with_marks_settles(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 3, 7, 16, 60};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const loop_case c = {.limit = 64, .before = 13, .length = lengths[i], .marks = true};
        assert_loop_settles(&c);
    }
}

/* The limit falls into the sixth step of the loop; nothing before it repeats from the beginning. */
static void a_limit_cuts_at_the_mark(void **state)
{
    (void)state;
    for (int marks = 0; marks < 2; marks++) {
        test_device d = open_with(64, 0);
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        sinter_tensor w = test_floats(&d, 1, shape, NULL);
        test_report_begin(&d);
        step(&d, &x, w, 13);
        loop(&d, &x, w, 10, 6, marks == 1);
        assert_report(&d, marks == 1 ? "segment 1: 63 operations, cut because: limit: operations"
                                     : "segment 1: 64 operations, cut because: limit: operations");
        test_release(&d, x);
        test_release(&d, w);
        test_close(&d);
    }
}

/* What is behind the mark is over the limit as well: it is one segment, not one per operation. */
static void what_a_byte_limit_leaves_behind_is_cut_once(void **state)
{
    (void)state;
    const int64_t large[] = {1024, 1};
    test_device d = open_with(0, 1000);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    sinter_tensor wide = test_floats(&d, 2, large, NULL);
    step(&d, &x, w, 5);
    OK(sinter_stream_mark(d.s));
    step(&d, &x, w, 12);
    assert_int_equal(test_stats(&d).cuts, 0);
    replace(&d, sinter_add, &wide, w);
    assert_int_equal(test_stats(&d).cuts, 2);
    test_release(&d, x);
    test_release(&d, w);
    test_release(&d, wide);
    test_close(&d);
}

/* Many operations between reads, after a loop without reads has taught a plan of fewer. */
static void a_short_plan_does_not_pre_empt_a_longer_one(void **state)
{
    (void)state;
    test_device d = open_with(512, 0);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    for (int round = 0; round < 3; round++) {
        loop(&d, &x, w, 3, 1000, false);
        OK(sinter_stream_sync(d.s));
        test_report_begin(&d);
        loop(&d, &x, w, 3, 30, false);
        test_read(&d, x, out, COUNT);
        if (round > 0) /* both are known, and the short one fires in the loop */
            assert_report(&d, "segment 1: 90 operations, cut because: a result was read; replayed");
        for (int i = 0; i < 3; i++) {
            loop(&d, &x, w, 3, 30, false);
            test_read(&d, x, out, COUNT);
        }
    }
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* The same, but the longer one is what another stream has taught since: what this stream remembers of the store is
 * old then. */
static void a_longer_plan_may_be_of_another_stream(void **state)
{
    (void)state;
    test_device d = open_with(512, 0);
    test_device other = d;
    OK(sinter_stream_create(d.ctx, NULL, &other.s));
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    sinter_tensor y = test_floats(&other, 1, shape, NULL);
    sinter_tensor v = test_floats(&other, 1, shape, NULL);
    float out[COUNT];
    loop(&d, &x, w, 3, 1000, false);
    OK(sinter_stream_sync(d.s));
    loop(&d, &x, w, 3, 1000, false); /* the short one is known now, step by step */
    OK(sinter_stream_sync(d.s));
    for (int i = 0; i < 2; i++) {
        loop(&other, &y, v, 3, 30, false);
        test_read(&other, y, out, COUNT);
    }
    test_report_begin(&d);
    loop(&d, &x, w, 3, 30, false);
    test_read(&d, x, out, COUNT);
    assert_report(&d, "90 operations, cut because: a result was read; replayed");
    test_release(&d, x);
    test_release(&d, w);
    test_release(&other, y);
    test_release(&other, v);
    OK(sinter_stream_destroy(other.s));
    test_close(&d);
}

/* What large tensors have taught is not what small ones, whose plans are the same, must do. */
static void a_plan_cut_for_its_bytes_does_not_pre_empt_a_longer_one(void **state)
{
    (void)state;
    const int64_t large[] = {1024};
    test_device d = open_with(0, 8192);
    sinter_tensor held[6];
    float out[COUNT];
    for (int round = 0; round < 24; round++) {
        bool is_large = round % 8 < 3;
        sinter_tensor x = test_floats(&d, 1, is_large ? large : shape, NULL);
        sinter_stats before = test_stats(&d);
        for (size_t i = 0; i < 6; i++)
            OK(ops[i % OPS](d.s, x, x, &held[i]));
        if (!is_large) {
            test_read(&d, held[5], out, COUNT);
            if (round % 8 == 7)
                assert_int_equal(test_stats(&d).cuts, before.cuts + 1);
        } else {
            OK(sinter_stream_sync(d.s));
            assert_true(test_stats(&d).cuts > before.cuts + 1);
        }
        for (size_t i = 0; i < 6; i++)
            test_release(&d, held[i]);
        test_release(&d, x);
    }
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queueing_and_releasing_run_nothing),
        cmocka_unit_test(a_flush_and_a_sync_cut),
        cmocka_unit_test(a_read_of_an_input_cuts_nothing),
        cmocka_unit_test(at_most_so_many_operations_are_queued),
        cmocka_unit_test(held_results_count_against_the_byte_limit),
        cmocka_unit_test(by_default_that_is_a_part_of_the_memory),
        cmocka_unit_test(released_results_do_not),
        cmocka_unit_test(a_plan_of_a_read_does_not_fire_by_itself),
        cmocka_unit_test(a_loop_that_never_reads_settles),
        cmocka_unit_test(a_loop_with_marks_settles),
        cmocka_unit_test(a_limit_cuts_at_the_mark),
        cmocka_unit_test(what_a_byte_limit_leaves_behind_is_cut_once),
        cmocka_unit_test(a_short_plan_does_not_pre_empt_a_longer_one),
        cmocka_unit_test(a_longer_plan_may_be_of_another_stream),
        cmocka_unit_test(a_plan_cut_for_its_bytes_does_not_pre_empt_a_longer_one),
    };
    int skips = test_skips_unless_plain();
    return skips != 0 ? skips : cmocka_run_group_tests(tests, NULL, NULL);
}
