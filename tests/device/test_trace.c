/* The events of a small program, counted exactly: one for each call, cut, plan, build, launch and
 * wait, and none that a replay does not do. Times are in order; how long they are is not asked. */
#include "support/cl_layer.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KINDS (SINTER_TRACE_WAIT + 1)
#define COUNT 20000   /* a sum of two parts: two launches */
#define LAUNCHES 2500 /* more than there may be in flight */

/* What the hook has heard. */
typedef struct heard {
    size_t events[KINDS];
    uint64_t bytes[KINDS];
    uint64_t last_launch_ns, first_ns;
    uint32_t streams; /* a bit for each */
    char cut[64];     /* details of the last */
    char launch[192];
    char build[64];
} heard;

static void hear(void *user, const sinter_trace_event *e)
{
    heard *h = user;
    assert_int_equal(e->size, sizeof *e);
    assert_in_range(e->kind, SINTER_TRACE_CALL, SINTER_TRACE_WAIT);
    assert_true(e->start_ns <= e->end_ns);
    if (h->first_ns == 0)
        h->first_ns = e->start_ns;
    assert_true(e->start_ns >= h->first_ns);
    assert_true((e->stream == 0) == (e->kind == SINTER_TRACE_BUILD));
    h->events[e->kind]++;
    h->bytes[e->kind] += e->bytes;
    h->streams |= 1u << e->stream;
    if (e->kind == SINTER_TRACE_CUT)
        (void)snprintf(h->cut, sizeof h->cut, "%s", e->detail);
    if (e->kind == SINTER_TRACE_BUILD)
        (void)snprintf(h->build, sizeof h->build, "%s", e->detail);
    if (e->kind != SINTER_TRACE_LAUNCH)
        return;
    assert_true(e->start_ns >= h->last_launch_ns);
    h->last_launch_ns = e->end_ns;
    (void)snprintf(h->launch, sizeof h->launch, "%s", e->detail);
}

static test_device open_traced(heard *h)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.trace_fn = hear;
    options.trace_user = h;
    *h = (heard){0};
    return test_open(&options);
}

/* gelu(x * 2) summed: three calls. */
static void run(const test_device *d, sinter_tensor x)
{
    sinter_tensor t;
    sinter_tensor u;
    sinter_tensor y;
    float out;
    OK(sinter_mul_scalar(d->s, x, 2.0, &t));
    OK(sinter_gelu(d->s, t, &u));
    OK(sinter_sum(d->s, u, 0, NULL, false, &y));
    test_release(d, t);
    test_release(d, u);
    test_read(d, y, &out, 1);
    test_release(d, y);
}

static bool is_host(const test_device *d)
{
    sinter_device_info info = {.size = sizeof info};
    OK(sinter_context_device(d->ctx, &info));
    return info.kind == SINTER_DEVICE_HOST;
}

static void each_thing_is_one_event(void **state)
{
    (void)state;
    static const int64_t shape[] = {COUNT};
    heard h;
    test_device d = open_traced(&h);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    assert_int_equal(h.bytes[SINTER_TRACE_WAIT], COUNT * sizeof(float));
    size_t builds = 0;
    for (int i = 0; i < 3; i++) {
        const heard before = h;
        const sinter_stats first = test_stats(&d);
        run(&d, x);
        const sinter_stats after = test_stats(&d);
        assert_int_equal(h.events[SINTER_TRACE_CALL] - before.events[SINTER_TRACE_CALL], 3);
        assert_int_equal(h.events[SINTER_TRACE_CUT] - before.events[SINTER_TRACE_CUT],
                         after.cuts - first.cuts);
        DECIDES(after.cuts - first.cuts, 1);
        assert_int_equal(h.events[SINTER_TRACE_PLAN] - before.events[SINTER_TRACE_PLAN],
                         after.plan_misses - first.plan_misses);
        DECIDES(after.plan_misses - first.plan_misses, i == 0);
        assert_int_equal(h.events[SINTER_TRACE_BUILD] - before.events[SINTER_TRACE_BUILD],
                         after.compiles - first.compiles);
        builds += after.compiles - first.compiles;
        assert_int_equal(h.events[SINTER_TRACE_LAUNCH] - before.events[SINTER_TRACE_LAUNCH],
                         after.launches - first.launches);
        DECIDES(h.bytes[SINTER_TRACE_LAUNCH] - before.bytes[SINTER_TRACE_LAUNCH],
                after.bytes_moved - first.bytes_moved);
        DECIDES(h.bytes[SINTER_TRACE_CUT] - before.bytes[SINTER_TRACE_CUT],
                after.bytes_moved - first.bytes_moved);
        if (i > 0)
            assert_int_equal(after.compiles, first.compiles);
        if (test_is_plain())
            assert_string_equal(h.cut, "a result was read");
    }
    assert_int_equal(builds > 0, !is_host(&d));
    assert_true(strstr(h.launch, is_host(&d) ? "times of the host" : "times of the device") !=
                NULL);
    if (!is_host(&d))
        assert_string_equal(h.build, "miss: from source");
    assert_int_equal(h.streams & ~3u, 0);
    test_release(&d, x);
    test_close(&d);
}

/* A tensor in the host's hands is a wait for its bytes, and is what was written when it is given back. */
static void a_map_is_a_wait(void **state)
{
    (void)state;
    static const int64_t shape[] = {COUNT};
    heard h;
    void *data;
    size_t bytes;
    float *out = calloc(COUNT, sizeof *out);
    assert_non_null(out);
    test_device d = open_traced(&h);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    const heard before = h;
    OK(sinter_tensor_map(d.s, x, SINTER_MAP_WRITE, &data, &bytes));
    assert_int_equal(bytes, COUNT * sizeof(float));
    assert_int_equal(h.bytes[SINTER_TRACE_WAIT] - before.bytes[SINTER_TRACE_WAIT], bytes);
    assert_int_equal(h.events[SINTER_TRACE_LAUNCH], before.events[SINTER_TRACE_LAUNCH]);
    ((float *)data)[COUNT - 1] = 3;
    OK(sinter_tensor_unmap(d.s, x));
    test_read(&d, x, out, COUNT);
    assert_true(out[COUNT - 1] == 3);
    free(out);
    test_release(&d, x);
    test_close(&d);
}

/* Streams are numbered as they are made; a launch that nobody waits for is told of at the end. */
static void streams_are_told_apart(void **state)
{
    (void)state;
    static const int64_t shape[] = {COUNT};
    heard h;
    sinter_stream *other;
    sinter_tensor y;
    test_device d = open_traced(&h);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    OK(sinter_stream_create(d.ctx, NULL, &other));
    OK(sinter_neg(other, x, &y));
    OK(sinter_stream_flush(other));
    OK(sinter_stream_destroy(other));
    assert_int_equal(h.events[SINTER_TRACE_LAUNCH], 1);
    assert_int_equal(h.streams & ~1u, 1u << 1 | 1u << 2);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

/* Launches are told of at the next wait, and what they hold until then is bounded. */
static void events_end_at_a_wait(void **state)
{
    (void)state;
    static const int64_t shape[] = {4};
    heard h;
    test_device d = open_traced(&h);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    uint64_t objects = 0;
    for (int i = 0; i < LAUNCHES; i++) {
        sinter_tensor y;
        OK(sinter_neg(d.s, x, &y));
        OK(sinter_stream_flush(d.s));
        test_release(&d, x);
        x = y;
        const sinter_stats now = test_stats(&d);
        objects = now.cl_objects_live > objects ? now.cl_objects_live : objects;
    }
    assert_true(objects < 2200);
    OK(sinter_stream_sync(d.s));
    assert_int_equal(h.events[SINTER_TRACE_LAUNCH], LAUNCHES);
    assert_int_equal(h.events[SINTER_TRACE_LAUNCH], test_stats(&d).launches);
    test_release(&d, x);
    test_close(&d);
}

/* A driver that tells no times: those of the enqueueing, and the detail says so. */
static void a_driver_without_times_is_said_to_have_none(void **state)
{
    (void)state;
    static const int64_t shape[] = {COUNT};
    const cl_layer *layer = test_cl_layer();
    heard h;
    if (layer == NULL) {
        skip();
        return;
    }
    test_device d = open_traced(&h);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    layer->arm_named("clGetEventProfilingInfo", -7);
    run(&d, x);
    layer->arm(0, 0, 0);
    assert_int_equal(h.events[SINTER_TRACE_LAUNCH], test_stats(&d).launches);
    assert_true(strstr(h.launch, "the driver has none") != NULL);
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thing_is_one_event),
        cmocka_unit_test(a_map_is_a_wait),
        cmocka_unit_test(streams_are_told_apart),
        cmocka_unit_test(events_end_at_a_wait),
        cmocka_unit_test(a_driver_without_times_is_said_to_have_none),
    };
    test_promise_pause(); /* each call is counted */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
