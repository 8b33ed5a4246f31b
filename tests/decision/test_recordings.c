/* Launches that a driver records: which runs are recorded, that a recording is replayed only with
 * what it was made of, and that nothing is lost where it cannot be made. On a driver without them,
 * and on the host, nothing may be recorded. */
#include "support/support.h"

#include "support/cl_layer.h"
#include <sinter/opencl.h>
#include <sinter/shard.h>

#include <stdlib.h>
#include <string.h>

#define COUNT 96 /* elements */
#define LAUNCHES 4
#define AFTER 3 /* runs before one is recorded */
#define RUNS 12

static bool is_offered(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.records_launches != 0;
}

static sinter_context_options options_of(sinter_profile **p)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    *p = test_profile(NULL, NULL);
    test_profile_set(*p, "record_from", LAUNCHES);
    test_profile_set(*p, "record_after", AFTER);
    test_profile_set(*p, "lone_work", 0);
    options.profile = *p;
    options.switches = SINTER_NO_FUSE;
    options.log_fn = test_log;
    return options;
}

static test_device open_recording(void)
{
    sinter_profile *p;
    sinter_context_options options = options_of(&p);
    test_device d = test_open(&options);
    sinter_profile_destroy(p);
    return d;
}

static uint64_t recorded(const test_device *d)
{
    return test_stats(d).recorded_launches;
}

/* ((x + by) * 2) * 2, and of that the negative: four launches. */
static sinter_tensor run(const test_device *d, sinter_tensor x, float by)
{
    sinter_tensor t[LAUNCHES];
    OK(sinter_add_scalar(d->s, x, by, &t[0]));
    OK(sinter_add(d->s, t[0], t[0], &t[1]));
    OK(sinter_add(d->s, t[1], t[1], &t[2]));
    OK(sinter_neg(d->s, t[2], &t[3]));
    for (int i = 0; i + 1 < LAUNCHES; i++)
        test_release(d, t[i]);
    OK(sinter_stream_flush(d->s));
    return t[LAUNCHES - 1];
}

static void is_right(const test_device *d, const float *x, float by, sinter_tensor y)
{
    float out[COUNT];
    test_read(d, y, out, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(out[i] == -4 * (x[i] + by));
}

static sinter_tensor make(const test_device *d, float x[COUNT])
{
    test_fill(x, COUNT);
    sinter_tensor t = test_floats(d, 1, (int64_t[]){COUNT}, x);
    OK(sinter_stream_sync(d->s));
    return t;
}

/* Launches of a run, and those of them that were replayed as one. */
static void counts(const test_device *d, const sinter_stats *before, uint64_t launches,
                   uint64_t wanted)
{
    sinter_stats after = test_stats(d);
    DECIDES(after.launches - before->launches, launches);
    if (test_is_pooled() && !test_is_small())
        DECIDES(after.recorded_launches - before->recorded_launches, is_offered(d) ? wanted : 0);
}

static void what_comes_often_is_replayed_as_one(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    for (int i = 0; i < RUNS; i++) {
        sinter_stats before = test_stats(&d);
        sinter_tensor y = run(&d, x, 0.5f);
        counts(&d, &before, LAUNCHES, i < AFTER ? 0 : LAUNCHES);
        is_right(&d, data, 0.5f, y);
        test_release(&d, y);
    }
    test_release(&d, x);
    test_close(&d);
}

/* Nobody waits in between: a recording is enqueued again while it runs. */
static void a_recording_may_be_on_its_way_twice(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    sinter_tensor y = x;
    sinter_stats before = test_stats(&d);
    for (int i = 0; i < RUNS; i++) {
        if (i > 0)
            test_release(&d, y);
        y = run(&d, x, 0.25f);
    }
    counts(&d, &before, (uint64_t)RUNS * LAUNCHES, (uint64_t)(RUNS - AFTER) * LAUNCHES);
    is_right(&d, data, 0.25f, y);
    test_release(&d, y);
    test_release(&d, x);
    test_close(&d);
}

/* Whoever holds a result while the next is made has it now here, now there: each place has a recording. */
static void results_that_alternate_are_recorded_at_both_places(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    sinter_tensor last = run(&d, x, 1);
    for (int i = 1; i < 3 * RUNS; i++) {
        sinter_stats before = test_stats(&d);
        sinter_tensor y = run(&d, x, 1);
        if (i >= 4 * AFTER)
            counts(&d, &before, LAUNCHES, LAUNCHES);
        is_right(&d, data, 1, y);
        is_right(&d, data, 1, last);
        test_release(&d, last);
        last = y;
    }
    test_release(&d, last);
    test_release(&d, x);
    test_close(&d);
}

/* Another number, another input: not what was recorded. */
static void another_argument_is_another_run(void **state)
{
    (void)state;
    float data[COUNT];
    float other[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    sinter_tensor w = make(&d, other);
    for (int i = 0; i < RUNS; i++) {
        const bool is_other = i % 3 == 2;
        const float by = i % 3 == 1 ? (float)i : 2;
        const int before_it = i / 3; /* runs with these arguments */
        sinter_stats before = test_stats(&d);
        sinter_tensor y = run(&d, is_other ? w : x, by);
        counts(&d, &before, LAUNCHES, i % 3 != 1 && before_it >= AFTER ? LAUNCHES : 0);
        is_right(&d, is_other ? other : data, by, y);
        test_release(&d, y);
    }
    test_release(&d, w);
    test_release(&d, x);
    test_close(&d);
}

/* Arguments that never come again are not looked for any more. */
static void a_program_without_equal_runs_is_given_up(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    for (int i = 0; i < 80; i++) {
        sinter_tensor y = run(&d, x, (float)i);
        is_right(&d, data, (float)i, y);
        test_release(&d, y);
    }
    for (int i = 0; i < RUNS; i++)
        test_release(&d, run(&d, x, 1));
    DECIDES(recorded(&d), 0);
    test_release(&d, x);
    test_close(&d);
}

/* Other shapes are another binding; the one before begins anew when it comes back. */
static void a_new_binding_has_none(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i <= AFTER; i++)
            test_release(&d, run(&d, x, 1));
        sinter_tensor shorter = test_floats(&d, 1, (int64_t[]){COUNT / 3}, data);
        test_release(&d, run(&d, shorter, 1));
        test_release(&d, shorter);
        sinter_tensor y = run(&d, x, 1);
        is_right(&d, data, 1, y);
        test_release(&d, y);
    }
    OK(sinter_stream_sync(d.s));
    test_release(&d, x);
    test_close(&d);
}

/* A shard has its streams measure launches, by a queue of another kind: what was recorded for the
 * one before it would run there, beside what the new one is given. */
static void another_queue_is_recorded_anew(void **state)
{
    (void)state;
    float data[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < RUNS; i++) {
            sinter_stats before = test_stats(&d);
            sinter_tensor y = run(&d, x, 1);
            counts(&d, &before, LAUNCHES, i < AFTER ? 0 : LAUNCHES);
            is_right(&d, data, 1, y);
            test_release(&d, y);
        }
        sinter_shard *shard;
        OK(sinter_shard_create(1, &d.s, NULL, &shard));
        sinter_shard_destroy(shard);
    }
    test_release(&d, x);
    test_close(&d);
}

static void is_never_recorded(sinter_context_options *options)
{
    float data[COUNT];
    test_device d = test_open(options);
    sinter_tensor x = make(&d, data);
    for (int i = 0; i < RUNS; i++) {
        sinter_tensor y = run(&d, x, 1);
        is_right(&d, data, 1, y);
        test_release(&d, y);
    }
    assert_int_equal(recorded(&d), 0);
    test_release(&d, x);
    test_close(&d);
}

static void tell(void *user, const sinter_progress *progress)
{
    (void)progress;
    ++*(int *)user;
}

static int go_on(void *user)
{
    ++*(int *)user;
    return 0;
}

static void ignore_event(void *user, const sinter_trace_event *event)
{
    (void)event;
    ++*(int *)user;
}

/* Fewer launches than are worth it, and whoever wants to see, bound or stop single launches. */
static void whoever_asks_for_single_launches_gets_them(void **state)
{
    (void)state;
    int calls = 0;
    for (int i = 0; i < 7; i++) {
        sinter_profile *p;
        sinter_context_options options = options_of(&p);
        options.progress_user = options.trace_user = &calls;
        switch (i) {
        case 0:
            test_profile_set(p, "record_from", LAUNCHES + 1);
            break;
        case 1:
            test_profile_set(p, "record_from", 0);
            break;
        case 2:
            options.progress_fn = tell;
            break;
        case 3:
            options.cancel_fn = go_on;
            break;
        case 4:
            options.trace_fn = ignore_event;
            break;
        case 5:
            options.batch_launches = 2;
            break;
        default:
            options.memory_mode = SINTER_MEMORY_POISON;
            break;
        }
        is_never_recorded(&options);
        sinter_profile_destroy(p);
    }
}

/* Updates run with the copies that they wait for. */
static void copies_for_updates_keep_their_place(void **state)
{
    (void)state;
    float data[COUNT];
    float out[COUNT];
    float kept[COUNT];
    test_device d = open_recording();
    sinter_tensor x = make(&d, data);
    sinter_tensor v = test_floats(&d, 1, (int64_t[]){8}, data);
    for (int i = 0; i < RUNS; i++) {
        sinter_tensor t[4];
        OK(sinter_neg(d.s, x, &t[0]));
        const sinter_range first = {.start = 0, .stop = 8, .step = 1};
        OK(sinter_update(d.s, t[0], 1, &first, v, &t[1]));
        OK(sinter_neg(d.s, t[1], &t[2]));
        OK(sinter_neg(d.s, t[2], &t[3]));
        OK(sinter_stream_flush(d.s));
        test_read(&d, t[0], kept, COUNT);
        test_read(&d, t[3], out, COUNT);
        for (int k = 0; k < COUNT; k++) {
            assert_true(kept[k] == -data[k]);
            assert_true(out[k] == (k < 8 ? data[k] : -data[k]));
        }
        for (int k = 0; k < 4; k++)
            test_release(&d, t[k]);
    }
    if (test_is_pooled() && is_offered(&d) && test_is_plain())
        assert_true(recorded(&d) > 0);
    test_release(&d, v);
    test_release(&d, x);
    test_close(&d);
}

/* Where a call for recordings fails, the launches go one by one, and nobody asks again. */
static void what_fails_is_done_one_by_one(void **state)
{
    (void)state;
    static const char *const calls[] = {"clCreateCommandBufferKHR", "clCommandNDRangeKernelKHR",
                                        "clFinalizeCommandBufferKHR", "clEnqueueCommandBufferKHR"};
    const cl_layer *layer = test_cl_layer();
    if (layer == NULL) {
        skip();
        return;
    }
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        float data[COUNT];
        sinter_profile *p;
        sinter_context_options options = options_of(&p);
        options.log_fn = NULL; /* it warns */
        test_device d = test_open(&options);
        sinter_profile_destroy(p);
        sinter_tensor x = make(&d, data);
        layer->arm_named(calls[k], -6);
        for (int i = 0; i < RUNS; i++) {
            sinter_tensor y = run(&d, x, 3);
            is_right(&d, data, 3, y);
            test_release(&d, y);
        }
        if (test_is_pooled() && is_offered(&d) && test_is_plain())
            assert_int_equal(layer->failed(), 1);
        layer->arm(0, 0, 0);
        assert_int_equal(recorded(&d), 0);
        for (int i = 0; i < RUNS; i++)
            test_release(&d, run(&d, x, 3));
        assert_int_equal(recorded(&d), 0);
        test_release(&d, x);
        test_close(&d);
    }
}

/* What the calling thread runs at once at the beginning is not recorded. */
static void what_is_run_at_once_stays_out(void **state)
{
    (void)state;
    enum { LONG = 8192 };
    static float large[LONG];
    sinter_profile *p;
    sinter_context_options options = options_of(&p);
    options.style = SINTER_STYLE_CPU;
    test_profile_set(p, "lone_work", 1000);
    test_device d = test_open(&options);
    sinter_profile_destroy(p);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_fill(large, LONG);
    sinter_tensor x = test_floats(&d, 1, (int64_t[]){LONG}, large);
    sinter_tensor w = test_floats(&d, 1, (int64_t[]){1}, large);
    for (int i = 0; i < RUNS; i++) {
        OK(sinter_stream_sync(d.s));
        sinter_stats before = test_stats(&d);
        sinter_tensor minus;
        sinter_tensor sum;
        OK(sinter_neg(d.s, w, &minus));
        OK(sinter_add(d.s, x, minus, &sum));
        test_release(&d, minus);
        sinter_tensor y = run(&d, sum, 1);
        test_release(&d, sum);
        uint64_t first = info.runs_at_once != 0 ? 1 : 0;
        counts(&d, &before, LAUNCHES + 2, i < AFTER ? 0 : LAUNCHES + 2 - first);
        DECIDES(test_stats(&d).at_once_launches - before.at_once_launches, first);
        static float out[LONG];
        test_read(&d, y, out, LONG);
        for (int k = 0; k < LONG; k++)
            assert_true(out[k] == -4 * ((large[k] - large[0]) + 1));
        test_release(&d, y);
    }
    test_release(&d, w);
    test_release(&d, x);
    test_close(&d);
}

static void a_device_offers_it_where_its_driver_does(void **state)
{
    (void)state;
    const char *modes = getenv("SINTER_TEST_CL");
    test_device d = test_open(NULL);
    if (modes != NULL && strstr(modes, "records") != NULL)
        assert_true(is_offered(&d));
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_offers_it_where_its_driver_does),
        cmocka_unit_test(what_comes_often_is_replayed_as_one),
        cmocka_unit_test(a_recording_may_be_on_its_way_twice),
        cmocka_unit_test(results_that_alternate_are_recorded_at_both_places),
        cmocka_unit_test(another_argument_is_another_run),
        cmocka_unit_test(a_program_without_equal_runs_is_given_up),
        cmocka_unit_test(a_new_binding_has_none),
        cmocka_unit_test(another_queue_is_recorded_anew),
        cmocka_unit_test(whoever_asks_for_single_launches_gets_them),
        cmocka_unit_test(copies_for_updates_keep_their_place),
        cmocka_unit_test(what_fails_is_done_one_by_one),
        cmocka_unit_test(what_is_run_at_once_stays_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
