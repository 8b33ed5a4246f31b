/* Tensors that a program changes a part of: when that happens where they lie, what it moves then, and every case in
 * which it has to be a copy. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define COUNT 64
#define SUM 2016.0f /* of 0 to 63 */
#define FLOAT ((uint64_t)sizeof(float))
#define COPY (2 * COUNT * FLOAT) /* bytes moved by a copy of x */

/* What has run since the last look. */
typedef struct work {
    uint64_t launches, moved, bound, donations;
} work;

static work look(const test_device *d)
{
    static work before;
    sinter_stats now = test_stats(d);
    work all = {now.launches, now.bytes_moved, now.bytes_bound, now.donations};
    work since = {all.launches - before.launches, all.moved - before.moved,
                  all.bound - before.bound, all.donations - before.donations};
    before = all;
    return since;
}

static test_device begin(void)
{
    test_device d = test_open(NULL);
    test_report_begin(&d);
    (void)look(&d);
    return d;
}

static work run(const test_device *d)
{
    OK(sinter_stream_flush(d->s));
    return look(d);
}

static sinter_tensor counted(const test_device *d, int64_t count)
{
    float data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)i;
    return test_floats(d, 1, &count, data);
}

/* x with its elements start:stop:step replaced. */
static sinter_tensor update(const test_device *d, sinter_tensor x, int64_t start, int64_t stop,
                            int64_t step, sinter_tensor value)
{
    const sinter_range range = {.axis = 0, .start = start, .stop = stop, .step = step};
    sinter_tensor y;
    OK(sinter_update(d->s, x, 1, &range, value, &y));
    return y;
}

static sinter_tensor scaled(const test_device *d, sinter_tensor x, double factor)
{
    sinter_tensor y;
    OK(sinter_mul_scalar(d->s, x, factor, &y));
    return y;
}

/* Elements i of y are base + i, but for those from `start` on in steps of `step`, which are value + k * slope. */
static void assert_elements(const test_device *d, sinter_tensor y, int start, int step, int count,
                            float value, float slope)
{
    float want[COUNT];
    float out[COUNT];
    for (int i = 0; i < COUNT; i++)
        want[i] = (float)i;
    for (int k = 0; k < count; k++)
        want[start + k * step] = value + (float)k * slope;
    test_read(d, y, out, COUNT);
    assert_memory_equal(out, want, sizeof want);
}

static void assert_says(const test_device *d, const char *text)
{
    if (test_is_plain() && test_reuses())
        assert_int_equal(test_occurrences(test_report(d), text), 1);
}

/* What has been queued so far is not counted. */
static void settle(const test_device *d)
{
    OK(sinter_stream_sync(d->s));
    (void)look(d);
}

static void end(test_device *d, sinter_tensor v, sinter_tensor y)
{
    test_release(d, v);
    test_release(d, y);
    test_close(d);
}

/* In place */

static void what_dies_is_changed_where_it_lies(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    settle(&d);
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    test_release(&d, x);
    work w = run(&d);
    DECIDES(w.launches, test_reuses() ? 1 : 2);
    DECIDES(w.donations, test_reuses());
    DECIDES(w.moved, 2 * 4 * FLOAT + (test_reuses() ? 0 : COPY));
    DECIDES(w.bound, 2 * 4 * FLOAT + (test_reuses() ? 0 : COPY - 4 * FLOAT));
    assert_says(&d, "in place of");
    assert_elements(&d, y, 3, 1, 4, 0, 1);
    end(&d, v, y);
}

/* What makes the value is in the launch that writes it. */
static void the_value_is_computed_where_it_is_written(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 7);
    settle(&d);
    sinter_tensor t = scaled(&d, v, 2);
    sinter_tensor y = update(&d, x, 60, SINTER_OPEN, -9, t);
    test_release(&d, t);
    test_release(&d, x);
    work w = run(&d);
    DECIDES(w.launches, test_reuses() ? 1 : 2);
    DECIDES(w.moved, 2 * 7 * FLOAT + (test_reuses() ? 0 : COPY));
    assert_elements(&d, y, 60, -9, 7, 0, 2);
    end(&d, v, y);
}

/* What is made in the segment, and by an update before: nothing is copied either. */
static void what_was_just_made_is_changed_where_it_lies(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    settle(&d);
    sinter_tensor t = scaled(&d, x, 1);
    sinter_tensor first = update(&d, t, 0, 8, 2, v);
    sinter_tensor y = update(&d, first, 0, 4, 1, v);
    test_release(&d, t);
    test_release(&d, first);
    work w = run(&d);
    if (test_reuses()) {
        DECIDES(w.launches, 3);
        DECIDES(w.moved, COPY + 4 * 4 * FLOAT);
    }
    DECIDES(w.donations, 0); /* x lives */
    float out[COUNT];
    test_read(&d, y, out, COUNT);
    const float head[] = {0, 1, 2, 3, 2, 5, 3, 7, 8};
    assert_memory_equal(out, head, sizeof head);
    test_release(&d, x);
    end(&d, v, y);
}

/* A reshape of what dies has its elements in the same order. */
static void a_reshape_gives_what_it_looks_at(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 8);
    sinter_tensor r;
    sinter_tensor y;
    const int64_t shape[] = {8, 8};
    const sinter_range range = {.axis = 0, .start = 2, .stop = 3, .step = 1};
    settle(&d);
    OK(sinter_reshape(d.s, x, 2, shape, &r));
    OK(sinter_update(d.s, r, 1, &range, v, &y));
    test_release(&d, x);
    test_release(&d, r);
    work w = run(&d);
    if (test_reuses())
        DECIDES(w.moved, 2 * 8 * FLOAT);
    DECIDES(w.donations, test_reuses());
    assert_elements(&d, y, 16, 1, 8, 0, 1);
    end(&d, v, y);
}

/* A result that dies as well: read by what follows, and never stored anywhere else. */
static void a_result_that_dies_takes_the_storage_too(void **state)
{
    (void)state;
    test_device d = begin();
    float sum;
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 2);
    sinter_tensor total;
    settle(&d);
    uint64_t before = test_stats(&d).pool_peak_bytes;
    sinter_tensor y = update(&d, x, 10, 12, 1, v);
    OK(sinter_sum(d.s, y, 0, NULL, false, &total));
    test_release(&d, x);
    test_release(&d, y);
    work w = run(&d);
    DECIDES(w.donations, test_reuses());
    if (test_reuses() && test_is_pooled())
        DECIDES(test_stats(&d).pool_peak_bytes - before, FLOAT); /* the sum */
    test_read(&d, total, &sum, 1);
    assert_true(sum == SUM - 10 - 11 + 0 + 1);
    test_release(&d, v);
    test_release(&d, total);
    test_close(&d);
}

/* A cache of keys, a place further at each step: one plan, no kernel and no memory after the first. */
static void a_cache_grows_by_what_is_appended(void **state)
{
    (void)state;
    enum { HEADS = 3, STEPS = 100, DEPTH = 8, WARM = 3 };
    const int64_t shape[] = {HEADS, STEPS, DEPTH};
    const int64_t part[] = {HEADS, 1, DEPTH};
    const uint64_t bytes = HEADS * DEPTH * FLOAT;
    static float out[HEADS][STEPS][DEPTH];
    float key[HEADS * DEPTH];
    test_device d = test_open(NULL);
    sinter_tensor cache;
    for (int i = 0; i < HEADS * DEPTH; i++)
        key[i] = (float)(i + 1);
    sinter_tensor k = test_floats(&d, 3, part, key);
    OK(sinter_full(d.s, SINTER_F32, 3, shape, sinter_scalar_float(-1), &cache));
    OK(sinter_stream_sync(d.s));
    sinter_stats before = test_stats(&d);
    for (int t = 0; t < STEPS; t++) {
        const sinter_range range = {.axis = 1, .start = t, .stop = t + 1, .step = 1};
        sinter_tensor next;
        if (t == WARM)
            before = test_stats(&d);
        sinter_tensor value = scaled(&d, k, t);
        OK(sinter_update(d.s, cache, 1, &range, value, &next));
        test_release(&d, value);
        test_release(&d, cache);
        cache = next;
        OK(sinter_stream_flush(d.s));
    }
    sinter_stats after = test_stats(&d);
    if (test_is_plain()) {
        assert_int_equal(after.plan_misses, before.plan_misses);
        assert_int_equal(after.plan_hits - before.plan_hits, STEPS - WARM);
        assert_int_equal(after.compiles, before.compiles);
    }
    if (test_is_plain() && test_reuses()) {
        assert_int_equal(after.donations - before.donations, STEPS - WARM);
        assert_int_equal(after.launches - before.launches, STEPS - WARM);
        assert_int_equal(after.bytes_moved - before.bytes_moved, (STEPS - WARM) * 2 * bytes);
        assert_int_equal(after.bytes_bound - before.bytes_bound, (STEPS - WARM) * 2 * bytes);
        assert_int_equal(after.host_allocations, before.host_allocations);
        assert_int_equal(after.cl_objects_created, before.cl_objects_created);
        assert_int_equal(after.pool_peak_bytes, before.pool_peak_bytes);
    }
    OK(sinter_tensor_read(d.s, cache, out, sizeof out));
    for (int h = 0; h < HEADS; h++) {
        for (int t = 0; t < STEPS; t++) {
            for (int i = 0; i < DEPTH; i++)
                assert_true(out[h][t][i] == key[h * DEPTH + i] * (float)t);
        }
    }
    test_release(&d, k);
    test_release(&d, cache);
    test_close(&d);
}

/* Copies */

/* Runs an update of x, whose elements have to be what they were where somebody still can read them. */
static void assert_copied(const test_device *d, sinter_tensor y, const char *why)
{
    char text[128];
    work w = run(d);
    DECIDES(w.donations, 0);
    assert_elements(d, y, 3, 1, 4, 0, 1);
    (void)snprintf(text, sizeof text, "because: %s\n", why);
    assert_says(d, text);
}

static void what_is_held_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    settle(&d);
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    work w = run(&d);
    DECIDES(w.launches, 2);
    DECIDES(w.moved, COPY + 2 * 4 * FLOAT);
    DECIDES(w.bound, COPY + 4 * FLOAT);
    assert_copied(&d, y, "it is still held");
    assert_elements(&d, x, 0, 1, 0, 0, 0);
    test_release(&d, x);
    end(&d, v, y);
}

/* The same of what the segment makes itself. */
static void what_is_made_and_held_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor made = scaled(&d, x, 1);
    sinter_tensor y = update(&d, made, 3, 7, 1, v);
    assert_copied(&d, y, "it is still held");
    assert_elements(&d, made, 0, 1, 0, 0, 0);
    test_release(&d, x);
    test_release(&d, v);
    test_release(&d, made);
    test_release(&d, y);
    test_close(&d);
}

/* A view that lives longer: one that was there before shares the storage, one of the segment holds it. */
static void what_a_view_looks_at_is_copied(void **state)
{
    (void)state;
    for (int pending = 0; pending < 2; pending++) {
        test_device d = begin();
        float out[COUNT];
        sinter_tensor x = counted(&d, COUNT);
        sinter_tensor v = counted(&d, 4);
        sinter_tensor view;
        OK(sinter_flip(d.s, x, 0, NULL, &view));
        if (pending == 0)
            OK(sinter_stream_flush(d.s));
        (void)look(&d);
        sinter_tensor y = update(&d, x, 3, 7, 1, v);
        test_release(&d, x);
        assert_copied(&d, y,
                      pending != 0 ? "it is still held"
                                   : "its storage is shared with other tensors or streams");
        test_read(&d, view, out, COUNT);
        for (int i = 0; i < COUNT; i++)
            assert_true(out[i] == (float)(COUNT - 1 - i));
        test_release(&d, view);
        end(&d, v, y);
    }
}

static void a_view_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor turned;
    sinter_tensor back;
    OK(sinter_flip(d.s, x, 0, NULL, &turned));
    test_release(&d, x);
    OK(sinter_stream_flush(d.s));
    OK(sinter_flip(d.s, turned, 0, NULL, &back));
    test_release(&d, turned);
    (void)look(&d);
    sinter_tensor y = update(&d, back, 3, 7, 1, v);
    test_release(&d, back);
    assert_copied(&d, y, "it is a view");
    end(&d, v, y);
}

/* A view of what is made in the segment: that is made first, by another launch. */
static void a_view_of_what_is_made_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor turned;
    sinter_tensor y;
    sinter_tensor t = scaled(&d, x, 1);
    sinter_tensor value = scaled(&d, x, 2);
    OK(sinter_flip(d.s, t, 0, NULL, &turned));
    OK(sinter_update(d.s, turned, 0, NULL, value, &y));
    test_release(&d, value);
    test_release(&d, turned);
    assert_elements(&d, y, 0, 1, COUNT, 0, 2);
    assert_elements(&d, t, 0, 1, 0, 0, 0);
    test_release(&d, x);
    test_release(&d, t);
    test_release(&d, y);
    test_close(&d);
}

static void what_is_read_afterwards_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    float most;
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    sinter_tensor sum;
    OK(sinter_sum(d.s, x, 0, NULL, false, &sum));
    test_release(&d, x);
    assert_copied(&d, y, "it is read by the update or after it");
    test_read(&d, sum, &most, 1);
    assert_true(most == SUM);
    test_release(&d, sum);
    end(&d, v, y);
}

static void what_is_made_and_read_afterwards_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    float out[COUNT];
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor made = scaled(&d, x, 1);
    sinter_tensor y = update(&d, made, 3, 7, 1, v);
    sinter_tensor changes;
    OK(sinter_sub(d.s, made, y, &changes));
    test_release(&d, made);
    assert_copied(&d, y, "it is read by the update or after it");
    test_read(&d, changes, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == (i >= 3 && i < 7 ? 3.0f : 0.0f));
    test_release(&d, x);
    test_release(&d, changes);
    end(&d, v, y);
}

/* What was read before is no reason. */
static void what_is_read_before_is_not_copied(void **state)
{
    (void)state;
    test_device d = begin();
    float out;
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor sum;
    OK(sinter_sum(d.s, x, 0, NULL, false, &sum));
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    test_release(&d, x);
    work w = run(&d);
    DECIDES(w.donations, test_reuses());
    test_read(&d, sum, &out, 1);
    assert_true(out == SUM);
    assert_elements(&d, y, 3, 1, 4, 0, 1);
    test_release(&d, sum);
    end(&d, v, y);
}

/* Elements that move within what is changed: a view of it as the value is read by the update, what is computed of
 * it by a launch of its own. */
static void elements_may_move_within(void **state)
{
    (void)state;
    for (int computed = 0; computed < 2; computed++) {
        test_device d = begin();
        sinter_tensor x = counted(&d, COUNT);
        sinter_tensor before;
        settle(&d);
        OK(sinter_slice(d.s, x, 0, SINTER_OPEN, -1, 1, &before));
        sinter_tensor value = computed != 0 ? scaled(&d, before, 1) : before;
        sinter_tensor y = update(&d, x, 1, SINTER_OPEN, 1, value);
        test_release(&d, x);
        test_release(&d, before);
        if (computed != 0)
            test_release(&d, value);
        work w = run(&d);
        DECIDES(w.launches, 2);
        DECIDES(w.donations, test_reuses() && computed != 0);
        assert_elements(&d, y, 1, 1, COUNT - 1, 0, 1);
        test_release(&d, y);
        test_close(&d);
    }
}

/* x[8:16:2] = x[8:16:2] * 3: what is read is what is written, so one launch does both. */
static void a_part_may_be_made_of_itself(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) { /* 1: of its elements turned round */
        test_device d = begin();
        sinter_tensor x = counted(&d, COUNT);
        sinter_tensor part;
        settle(&d);
        OK(sinter_slice(d.s, x, 0, 8, 16, 2, &part));
        if (other != 0) {
            sinter_tensor turned;
            OK(sinter_flip(d.s, part, 0, NULL, &turned));
            test_release(&d, part);
            part = turned;
        }
        sinter_tensor value = scaled(&d, part, 3);
        sinter_tensor y = update(&d, x, 8, 16, 2, value);
        test_release(&d, x);
        test_release(&d, part);
        test_release(&d, value);
        work w = run(&d);
        DECIDES(w.donations, test_reuses());
        if (test_reuses()) {
            DECIDES(w.launches, 1 + other);
            DECIDES(w.moved, 2 * 4 * FLOAT * (1 + (uint64_t)other));
        }
        assert_elements(&d, y, 8, 2, 4, other != 0 ? 42 : 24, other != 0 ? -6 : 6);
        test_release(&d, y);
        test_close(&d);
    }
}

/* The same where a cut lies between the part and the update: the part has become a view that entered, which
 * a launch of its own reads before. What looks at it in the update's launch (1), or after it (2), sees
 * elements as they were. */
static void a_part_taken_before_a_cut_is_no_reason_to_copy(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        test_device d = begin();
        float later[4];
        sinter_tensor x = counted(&d, COUNT);
        sinter_tensor part;
        sinter_tensor after;
        OK(sinter_slice(d.s, x, 0, 8, 16, 2, &part));
        OK(sinter_stream_flush(d.s));
        (void)look(&d);
        sinter_tensor value = scaled(&d, part, 3);
        sinter_tensor y = update(&d, x, 9, 17, 2, how == 1 ? part : value);
        if (how == 2)
            OK(sinter_neg(d.s, part, &after));
        test_release(&d, x);
        test_release(&d, part);
        test_release(&d, value);
        work w = run(&d);
        if (how == 0 && test_reuses()) {
            DECIDES(w.donations, 1);
            DECIDES(w.launches, 2);
            DECIDES(w.moved, 2 * 2 * 4 * FLOAT);
        }
        assert_elements(&d, y, 9, 2, 4, how == 1 ? 8 : 24, how == 1 ? 2 : 6);
        if (how == 2) {
            test_read(&d, after, later, 4);
            for (int i = 0; i < 4; i++)
                assert_true(later[i] == -(float)(8 + 2 * i));
            test_release(&d, after);
        }
        test_release(&d, y);
        test_close(&d);
    }
}

/* Two tensors that entered lying in one storage, each all of it: of their updates one is in place. */
static void of_two_that_entered_in_one_storage_one_is_in_place(void **state)
{
    (void)state;
    test_device d = begin();
    const int64_t shape[] = {2, COUNT / 2};
    const int64_t flat[] = {COUNT};
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor folded;
    sinter_tensor same;
    OK(sinter_reshape(d.s, x, 2, shape, &folded));
    OK(sinter_reshape(d.s, folded, 1, flat, &same));
    OK(sinter_stream_flush(d.s));
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    sinter_tensor z = update(&d, same, 20, 24, 1, v);
    test_release(&d, x);
    test_release(&d, folded);
    test_release(&d, same);
    assert_elements(&d, y, 3, 1, 4, 0, 1);
    assert_elements(&d, z, 20, 1, 4, 0, 1);
    test_release(&d, y);
    test_release(&d, z);
    test_release(&d, v);
    test_close(&d);
}

/* A part of x that entered, and that only operations behind the cut still read, keeps x as it was. */
static void what_is_read_behind_a_cut_is_copied(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.max_pending_ops = 4;
    test_device d = test_open(&options);
    float out[4];
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor other = counted(&d, COUNT);
    sinter_tensor part;
    sinter_tensor later;
    sinter_tensor last;
    OK(sinter_slice(d.s, x, 0, 8, 12, 1, &part));
    OK(sinter_stream_flush(d.s));
    sinter_tensor value = scaled(&d, part, 3);
    sinter_tensor y = update(&d, x, 8, 12, 1, value);
    OK(sinter_stream_mark(d.s)); /* the limit cuts here */
    OK(sinter_neg(d.s, part, &later));
    test_release(&d, x);
    test_release(&d, part);
    test_release(&d, value);
    OK(sinter_neg(d.s, other, &last));
    test_read(&d, later, out, 4);
    for (int i = 0; i < 4; i++)
        assert_true(out[i] == -(float)(8 + i));
    assert_elements(&d, y, 8, 1, 4, 24, 3);
    test_release(&d, y);
    test_release(&d, later);
    test_release(&d, last);
    test_release(&d, other);
    test_close(&d);
}

/* The one that comes last takes it. */
static void of_two_updates_one_is_in_place(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    settle(&d);
    sinter_tensor y = update(&d, x, 3, 7, 1, v);
    sinter_tensor z = update(&d, x, 8, 16, 2, v);
    test_release(&d, x);
    work w = run(&d);
    DECIDES(w.donations, test_reuses());
    if (test_reuses())
        DECIDES(w.moved, COPY + 4 * 4 * FLOAT);
    assert_elements(&d, y, 3, 1, 4, 0, 1);
    assert_elements(&d, z, 8, 2, 4, 0, 1);
    test_release(&d, v);
    test_release(&d, y);
    test_release(&d, z);
    test_close(&d);
}

static void what_another_stream_has_is_copied(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_stream *other;
    float out[COUNT];
    OK(sinter_stream_create(d.ctx, NULL, &other));
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    const sinter_range range = {.axis = 0, .start = 3, .stop = 7, .step = 1};
    sinter_tensor y;
    OK(sinter_update(other, x, 1, &range, v, &y));
    OK(sinter_stream_flush(other));
    DECIDES(test_stats(&d).donations, 0);
    OK(sinter_tensor_read(other, y, out, sizeof out));
    assert_elements(&d, x, 0, 1, 0, 0, 0);
    assert_elements(&d, y, 3, 1, 4, 0, 1);
    OK(sinter_tensor_release(other, y));
    test_release(&d, x);
    test_release(&d, v);
    OK(sinter_stream_destroy(other));
    test_close(&d);
}

/* Nothing to write, nothing to write to, no axes. */
static void edges_of_what_can_be_replaced(void **state)
{
    (void)state;
    test_device d = begin();
    float number = 3;
    float out;
    const int64_t none[] = {0};
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 1);
    sinter_tensor y = update(&d, x, 5, 5, 1, v);
    assert_elements(&d, y, 0, 1, 0, 0, 0);
    sinter_tensor e = test_floats(&d, 1, none, NULL);
    sinter_tensor f = update(&d, e, SINTER_OPEN, SINTER_OPEN, 1, v);
    OK(sinter_tensor_read(d.s, f, &out, 0));
    sinter_tensor s = test_floats(&d, 0, NULL, &number);
    sinter_tensor z;
    OK(sinter_reshape(d.s, v, 0, NULL, &z));
    sinter_tensor n;
    OK(sinter_update(d.s, s, 0, NULL, z, &n));
    test_read(&d, n, &out, 1);
    assert_true(out == 0);
    const sinter_tensor all[] = {x, v, y, e, f, s, z, n};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        test_release(&d, all[i]);
    test_close(&d);
}

/* Errors */

static void what_is_wrong_is_said_with_numbers(void **state)
{
    (void)state;
    test_device d = begin();
    sinter_tensor x = counted(&d, COUNT);
    sinter_tensor v = counted(&d, 4);
    sinter_tensor y = {7};
    const struct {
        sinter_range range;
        sinter_status status;
        const char *message;
    } cases[] = {
        {{0, 3, 6, 1},
         SINTER_ESHAPE,
         "update: a value of shape [4] does not broadcast to the [3] elements"},
        {{0, 62, 66, 1}, SINTER_ERANGE, "update: stop 66 lies outside dimension 0, which has 64"},
        {{0, -65, 4, 1}, SINTER_ERANGE, "update: start -65 lies outside dimension 0, which has 64"},
        {{0, INT64_MAX, 4, 1}, SINTER_ERANGE, "9223372036854775807 lies outside"},
        {{0, 0, 4, 0}, SINTER_ERANGE, "step"},
        {{1, 0, 4, 1}, SINTER_ERANGE, "axis 1"},
        {{-2, 0, 4, 1}, SINTER_ERANGE, "axis -2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FAILS(cases[i].status, sinter_update(d.s, x, 1, &cases[i].range, v, &y));
        assert_int_equal(y.id, 0);
        assert_non_null(strstr(sinter_last_error(), cases[i].message));
    }
    const sinter_range twice[] = {{0, 0, 4, 1}, {-1, 0, 4, 1}};
    FAILS(SINTER_ERANGE, sinter_update(d.s, x, 2, twice, v, &y));
    FAILS(SINTER_EINVAL, sinter_update(d.s, x, -1, twice, v, &y));
    FAILS(SINTER_EINVAL, sinter_update(d.s, x, 1, NULL, v, &y));
    FAILS(SINTER_EINVAL, sinter_update(NULL, x, 1, twice, v, &y));
    FAILS(SINTER_EINVAL, sinter_update(d.s, x, 1, twice, v, NULL));
    FAILS(SINTER_EHANDLE, sinter_update(d.s, (sinter_tensor){99}, 1, twice, v, &y));
    FAILS(SINTER_EHANDLE, sinter_update(d.s, x, 1, twice, (sinter_tensor){99}, &y));
    test_release(&d, x);
    test_release(&d, v);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_dies_is_changed_where_it_lies),
        cmocka_unit_test(the_value_is_computed_where_it_is_written),
        cmocka_unit_test(what_was_just_made_is_changed_where_it_lies),
        cmocka_unit_test(a_reshape_gives_what_it_looks_at),
        cmocka_unit_test(a_result_that_dies_takes_the_storage_too),
        cmocka_unit_test(a_cache_grows_by_what_is_appended),
        cmocka_unit_test(what_is_held_is_copied),
        cmocka_unit_test(what_is_made_and_held_is_copied),
        cmocka_unit_test(what_a_view_looks_at_is_copied),
        cmocka_unit_test(a_view_is_copied),
        cmocka_unit_test(a_view_of_what_is_made_is_copied),
        cmocka_unit_test(what_is_read_afterwards_is_copied),
        cmocka_unit_test(what_is_made_and_read_afterwards_is_copied),
        cmocka_unit_test(what_is_read_before_is_not_copied),
        cmocka_unit_test(elements_may_move_within),
        cmocka_unit_test(a_part_may_be_made_of_itself),
        cmocka_unit_test(a_part_taken_before_a_cut_is_no_reason_to_copy),
        cmocka_unit_test(of_two_that_entered_in_one_storage_one_is_in_place),
        cmocka_unit_test(what_is_read_behind_a_cut_is_copied),
        cmocka_unit_test(of_two_updates_one_is_in_place),
        cmocka_unit_test(what_another_stream_has_is_copied),
        cmocka_unit_test(edges_of_what_can_be_replaced),
        cmocka_unit_test(what_is_wrong_is_said_with_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
