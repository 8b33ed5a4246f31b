/* A device reports a failure when the host waits, long after the launch. What was launched since the
 * host last knew that all was well has no value then, and nothing else is lost: the cause is given
 * once, by the read or the sync that met it; a lost tensor keeps it; the stream goes on. */
#include "fault/scene.h"

#include <stdio.h>
#include <string.h>

#define COUNT 16

static const cl_layer *layer;
static const int64_t shape[] = {COUNT};

/* x and y = -x, which is launched but not waited for. */
typedef struct launched {
    test_device d;
    sinter_tensor x, y;
} launched;

/* By a profile with these numbers. */
static launched launch_by(uint32_t event_wait, uint32_t poll_work,
                          const sinter_context_options *given)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_profile *p = test_profile(NULL, "cpu");
    if (given != NULL)
        options = *given;
    test_profile_set(p, "event_wait", event_wait);
    test_profile_set(p, "poll_work", poll_work);
    options.profile = p;
    options.style = SINTER_STYLE_CPU;
    launched l = {.d = test_open(&options)};
    sinter_profile_destroy(p);
    l.x = test_floats(&l.d, 1, shape, NULL);
    OK(sinter_stream_sync(l.d.s)); /* an upload is work of the device too */
    OK(sinter_neg(l.d.s, l.x, &l.y));
    OK(sinter_stream_flush(l.d.s));
    return l;
}

/* To be waited for by clFinish. */
static launched launch(const sinter_context_options *options)
{
    return launch_by(0, 0, options);
}

static void end(launched *l)
{
    layer->arm(0, 0, 0);
    test_release(&l->d, l->x);
    test_release(&l->d, l->y);
    test_close(&l->d);
    assert_int_equal(layer->live(), 0);
}

static void says(const char *text)
{
    if (strstr(sinter_last_error(), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, sinter_last_error());
}

/* -x comes out right. */
static void is_negative(const test_device *d, sinter_tensor x, sinter_tensor y)
{
    float in[COUNT];
    float out[COUNT];
    test_read(d, x, in, COUNT);
    test_read(d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == -in[i]);
}

/* The stream works: the same again, from what was uploaded before. */
static void works(const test_device *d, sinter_tensor x)
{
    sinter_tensor again;
    OK(sinter_neg(d->s, x, &again));
    is_negative(d, x, again);
    test_release(d, again);
}

static void sync_reports_once_and_the_result_is_lost(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    layer->arm_named("clFinish", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    says("clFinish");
    says("(-14)");
    layer->arm(0, 0, 0);
    OK(sinter_stream_sync(l.d.s));
    for (int i = 0; i < 2; i++) {
        FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
        says("clFinish");
    }
    works(&l.d, l.x);
    end(&l);
}

static void a_read_reports_and_sync_does_not_repeat_it(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    layer->arm_named("clEnqueueReadBuffer", -14);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    says("clEnqueueReadBuffer");
    layer->arm(0, 0, 0);
    OK(sinter_stream_sync(l.d.s));
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    OK(sinter_stream_sync(l.d.s));
    works(&l.d, l.x);
    end(&l);
}

static void what_was_waited_for_is_not_lost(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    sinter_tensor z;
    OK(sinter_stream_sync(l.d.s));
    /* No launch is in doubt: the read itself has failed, and can be tried again. */
    layer->arm_named("clEnqueueReadBuffer", -5);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    layer->arm(0, 0, 0);
    is_negative(&l.d, l.x, l.y);
    /* A later launch is lost without it. */
    OK(sinter_square(l.d.s, l.y, &z));
    OK(sinter_stream_flush(l.d.s));
    layer->arm_named("clFinish", -5);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, z, out, sizeof out));
    is_negative(&l.d, l.x, l.y);
    test_release(&l.d, z);
    end(&l);
}

/* An operation that is queued reads a tensor that nobody holds any more, and that is lost. */
static void what_is_queued_learns_of_it(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    sinter_tensor z;
    sinter_tensor other;
    OK(sinter_sqrt(l.d.s, l.y, &z));
    test_release(&l.d, l.y);
    layer->arm_named("clEnqueueWriteBuffer", -5);
    FAILS(SINTER_EDEVICE, sinter_tensor_from_host(l.d.s, SINTER_F32, 1, shape, out, &other));
    assert_true(other.id == 0);
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, z, out, sizeof out));
    says("clEnqueueWriteBuffer");
    works(&l.d, l.x);
    l.y = z;
    end(&l);
}

/* Another stream, which has used y before its home knew anything: z = |y|, and a part of y itself. */
typedef struct used {
    sinter_stream *s;
    sinter_tensor z, part;
} used;

static used use_elsewhere(const launched *l)
{
    used u;
    OK(sinter_stream_create(l->d.ctx, NULL, &u.s));
    OK(sinter_abs(u.s, l->y, &u.z));
    OK(sinter_slice(u.s, l->y, 0, 0, COUNT, 2, &u.part));
    OK(sinter_stream_flush(u.s));
    return u;
}

/* What it made of y is lost, and it works. */
static void ends_without(used *u, const launched *l, const char *cause)
{
    float out[COUNT];
    FAILS(SINTER_EDEVICE, sinter_tensor_read(u->s, u->z, out, sizeof out));
    says(cause);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(u->s, u->part, out, sizeof out / 2));
    says(cause);
    OK(sinter_stream_sync(u->s)); /* it was the same failure */
    OK(sinter_tensor_release(u->s, u->z));
    OK(sinter_tensor_release(u->s, u->part));
    OK(sinter_abs(u->s, l->x, &u->z));
    OK(sinter_tensor_read(u->s, u->z, out, sizeof out));
    OK(sinter_tensor_release(u->s, u->z));
    OK(sinter_stream_destroy(u->s));
}

static void another_stream_learns_of_it(void **state)
{
    (void)state;
    launched l = launch(NULL);
    used u = use_elsewhere(&l);
    layer->arm_named("clFinish", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    layer->arm(0, 0, 0);
    ends_without(&u, &l, "clFinish");
    works(&l.d, l.x);
    end(&l);
}

/* The user waits first and finds that the mark it follows has failed. */
static void another_stream_finds_it(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    used u = use_elsewhere(&l);
    layer->arm_named("clGetEventInfo", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(u.s));
    layer->arm(0, 0, 0);
    ends_without(&u, &l, "clGetEventInfo");
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    works(&l.d, l.x);
    end(&l);
}

/* A wait with a limit: what the device is not done with stays as it is, and can be waited for again. */
static void a_wait_ends_in_time(void **state)
{
    (void)state;
    launched l = launch(NULL);
    uint64_t waits = test_stats(&l.d).host_waits;
    layer->hold(1);
    FAILS(SINTER_ETIMEOUT, sinter_stream_wait(l.d.s, 0));
    says("stream 1");
    FAILS(SINTER_ETIMEOUT, sinter_stream_wait(l.d.s, 3000000));
    assert_int_equal(test_stats(&l.d).host_waits, waits);
    layer->hold(0);
    OK(sinter_stream_wait(l.d.s, UINT64_MAX));
    assert_int_equal(test_stats(&l.d).host_waits, waits + 1);
    OK(sinter_stream_wait(l.d.s, 0)); /* there is nothing to wait for */
    assert_int_equal(test_stats(&l.d).host_waits, waits + 1);
    works(&l.d, l.x);
    end(&l);
}

/* It reports what sync would have. */
static void a_wait_reports(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    layer->arm_named("clFinish", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_wait(l.d.s, UINT64_MAX));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    works(&l.d, l.x);
    end(&l);
}

/* A stream that follows a mark has one of its own behind it only when that is made afterwards. */
static void a_mark_of_before_is_not_behind(void **state)
{
    (void)state;
    launched l = launch(NULL);
    test_device h = l.d;
    test_device c = l.d;
    sinter_tensor first;
    sinter_tensor second;
    sinter_tensor y;
    sinter_tensor z;
    OK(sinter_stream_create(l.d.ctx, NULL, &h.s));
    OK(sinter_stream_create(l.d.ctx, NULL, &c.s));
    OK(sinter_tensor_to(h.s, l.y, &first));
    OK(sinter_neg(c.s, first, &z)); /* follows h */
    test_release(&c, z);
    OK(sinter_add(l.d.s, l.x, l.x, &y));
    OK(sinter_tensor_to(h.s, y, &second)); /* h follows once more, and launches nothing */
    layer->arm_named("clEnqueueBarrierWithWaitList", -5);
    FAILS(SINTER_EDEVICE, sinter_neg(c.s, second, &z));
    layer->arm(0, 0, 0);
    OK(sinter_neg(c.s, second, &z));
    test_release(&c, z);
    test_release(&h, first);
    test_release(&h, second);
    test_release(&l.d, y);
    (void)sinter_stream_sync(c.s);
    OK(sinter_stream_destroy(c.s));
    OK(sinter_stream_destroy(h.s));
    end(&l);
}

/* An upload that fails is told by the call, and by nothing else: nothing else is in doubt. */
static void an_upload_that_fails_is_told_once(void **state)
{
    (void)state;
    float out[COUNT] = {0};
    launched l = launch(NULL);
    sinter_tensor other;
    OK(sinter_stream_sync(l.d.s));
    layer->arm_named("clEnqueueWriteBuffer", -5);
    FAILS(SINTER_EDEVICE, sinter_tensor_from_host(l.d.s, SINTER_F32, 1, shape, out, &other));
    layer->arm(0, 0, 0);
    OK(sinter_stream_sync(l.d.s));
    is_negative(&l.d, l.x, l.y);
    end(&l);
}

static void the_end_of_a_stream_reports(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    sinter_stream *other = l.d.s;
    OK(sinter_stream_create(l.d.ctx, NULL, &l.d.s));
    layer->arm_named("clFinish", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_destroy(other));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    works(&l.d, l.x);
    end(&l);
}

static void swallow(void *user, int level, const char *text)
{
    (void)level;
    assert_non_null(text);
    ++*(int *)user;
}

/* The log of launches waits after each one: what it meets is not swallowed. */
static void timing_launches_swallows_nothing(void **state)
{
    (void)state;
    float out[COUNT];
    int lines = 0;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.debug = 2;
    options.log_fn = swallow;
    options.log_user = &lines;
    launched l = launch(&options);
    sinter_tensor z;
    OK(sinter_square(l.d.s, l.y, &z));
    layer->arm_named("clFinish", -14);
    OK(sinter_stream_flush(l.d.s));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, z, out, sizeof out));
    assert_true(lines > 0);
    test_release(&l.d, z);
    works(&l.d, l.x);
    end(&l);
}

/* A stream that nobody waits for waits by itself now and then. */
static void a_long_loop_reports(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    sinter_tensor next;
    layer->arm_named("clFinish", -14);
    for (int i = 0; i < 2100; i++) {
        OK(sinter_add_scalar(l.d.s, l.y, 1.0, &next));
        test_release(&l.d, l.y);
        l.y = next;
        OK(sinter_stream_flush(l.d.s));
    }
    assert_true(layer->failed() > 0);
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    OK(sinter_stream_sync(l.d.s)); /* it was the same failure */
    works(&l.d, l.x);
    end(&l);
}

static bool is_of(const test_device *d, const char *platform)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return strstr(info.platform, platform) != NULL;
}

/* What ends a launch is its own event, and it is that which reports. */
static void a_launch_is_waited_for_by_its_event(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch_by(1, 0, NULL);
    const char *call = is_of(&l.d, "rusticl") ? "clFinish" : "clWaitForEvents"; /* a quirk */
    OK(sinter_stream_sync(l.d.s));
    is_negative(&l.d, l.x, l.y);
    test_release(&l.d, l.y);
    OK(sinter_neg(l.d.s, l.x, &l.y));
    layer->arm_named(call, -14);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    says(call);
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(l.d.s, l.y, out, sizeof out));
    works(&l.d, l.x);
    end(&l);
}

/* Where a command came behind it, or others use the queue too, its event would be too early. */
static void what_comes_behind_a_launch_is_waited_for(void **state)
{
    (void)state;
    bool is_known = true;
    for (int watched = 0; watched < 2 && is_known; watched++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        options.memory_mode = watched ? SINTER_MEMORY_POISON : SINTER_MEMORY_AUTO;
        launched l = launch_by(1, 1000, &options);
        sinter_tensor z = {0};
        if (!watched)
            z = test_floats(&l.d, 1, shape, NULL);
        layer->arm_named("clWaitForEvents", -14);
        OK(sinter_stream_sync(l.d.s));
        assert_int_equal(layer->failed(), 0);
        layer->arm(0, 0, 0);
        is_negative(&l.d, l.x, l.y);
        is_known = !is_of(&l.d, "Oclgrind"); /* docs/decisions/oclgrind.md: in a pool */
        if (!watched)
            test_release(&l.d, z);
        end(&l);
    }
}

/* What is little is asked for at first, and a device that does not know is waited for; work that is known to be more,
 * or two launches, are not. */
static void little_is_asked_for_first(void **state)
{
    (void)state;
    static const struct {
        uint32_t poll_work;
        int launches;
        bool asks;
    } all[] = {{1000, 1, true}, {1000, 2, false}, {COUNT, 1, false}, {0, 1, false}};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        launched l = launch_by(0, all[k].poll_work, NULL);
        bool asks = all[k].asks && !is_of(&l.d, "rusticl");
        sinter_tensor z = {0};
        if (all[k].launches > 1) {
            OK(sinter_abs(l.d.s, l.x, &z));
            OK(sinter_stream_flush(l.d.s));
            test_release(&l.d, z);
        }
        layer->arm_named("clGetEventInfo", -14);
        OK(sinter_stream_sync(l.d.s));
        assert_int_equal(layer->failed() > 0, asks);
        layer->arm(0, 0, 0);
        OK(sinter_neg(l.d.s, l.x, &z));
        layer->hold(1); /* it is never done, as it says */
        OK(sinter_stream_sync(l.d.s));
        layer->hold(0);
        is_negative(&l.d, l.x, z);
        test_release(&l.d, z);
        end(&l);
    }
}

/* Calls of the driver by which one short launch is waited for: more where it is asked for. */
static uint64_t calls_of_a_wait(launched *l)
{
    test_release(&l->d, l->y);
    OK(sinter_neg(l->d.s, l->x, &l->y));
    OK(sinter_stream_flush(l->d.s));
    uint64_t before = layer->calls();
    OK(sinter_stream_sync(l->d.s));
    return layer->calls() - before;
}

/* In which no launch is ever done within the time of asking, three times are enough, and again once in a hundred waits;
 * as soon as one is, each is asked for. */
static void what_was_in_vain_is_not_asked_for_every_time(void **state)
{
    (void)state;
    enum { VAIN = 3, REST = 100 };
    launched slept = launch_by(0, 0, NULL);
    OK(sinter_stream_sync(slept.d.s));
    uint64_t asleep = calls_of_a_wait(&slept);
    bool asks = !is_of(&slept.d, "rusticl");
    end(&slept);
    launched l = launch_by(0, 1000, NULL);
    layer->hold(1);
    OK(sinter_stream_sync(l.d.s)); /* the first time */
    for (int i = 1; i < VAIN; i++)
        assert_int_equal(calls_of_a_wait(&l) > asleep, asks);
    for (int i = 0; i < REST; i++)
        assert_int_equal(calls_of_a_wait(&l), asleep);
    assert_int_equal(calls_of_a_wait(&l) > asleep, asks);
    for (int i = 0; i < REST; i++)
        assert_int_equal(calls_of_a_wait(&l), asleep);
    layer->hold(0);
    layer->arm_named("clGetEventInfo", -14); /* an answer, and no time passes */
    for (int i = 0; i <= VAIN; i++)
        assert_int_equal(calls_of_a_wait(&l) > asleep, asks);
    end(&l);
}

int main(void)
{
    test_nothing_at_once();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sync_reports_once_and_the_result_is_lost),
        cmocka_unit_test(a_read_reports_and_sync_does_not_repeat_it),
        cmocka_unit_test(what_was_waited_for_is_not_lost),
        cmocka_unit_test(what_is_queued_learns_of_it),
        cmocka_unit_test(another_stream_learns_of_it),
        cmocka_unit_test(another_stream_finds_it),
        cmocka_unit_test(a_wait_ends_in_time),
        cmocka_unit_test(an_upload_that_fails_is_told_once),
        cmocka_unit_test(a_mark_of_before_is_not_behind),
        cmocka_unit_test(a_wait_reports),
        cmocka_unit_test(the_end_of_a_stream_reports),
        cmocka_unit_test(timing_launches_swallows_nothing),
        cmocka_unit_test(a_long_loop_reports),
        cmocka_unit_test(a_launch_is_waited_for_by_its_event),
        cmocka_unit_test(what_comes_behind_a_launch_is_waited_for),
        cmocka_unit_test(little_is_asked_for_first),
        cmocka_unit_test(what_was_in_vain_is_not_asked_for_every_time),
    };
    layer = test_cl_layer();
    if (layer == NULL) {
        (void)fprintf(stderr, "skipped: SINTER_OPENCL_LIB is not the OpenCL library for tests\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
