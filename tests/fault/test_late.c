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

static launched launch(const sinter_context_options *options)
{
    launched l = {.d = test_open(options)};
    l.x = test_floats(&l.d, 1, shape, NULL);
    OK(sinter_neg(l.d.s, l.x, &l.y));
    OK(sinter_stream_flush(l.d.s));
    return l;
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

static void another_stream_learns_of_it(void **state)
{
    (void)state;
    float out[COUNT];
    launched l = launch(NULL);
    sinter_stream *other;
    sinter_tensor z;
    OK(sinter_stream_create(l.d.ctx, NULL, &other));
    layer->arm_named("clFinish", -14);
    OK(sinter_abs(other, l.y, &z));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(other, z, out, sizeof out));
    says("clFinish");
    FAILS(SINTER_EDEVICE, sinter_stream_sync(l.d.s));
    OK(sinter_stream_sync(l.d.s));
    OK(sinter_tensor_release(other, z));
    OK(sinter_abs(other, l.x, &z));
    OK(sinter_tensor_read(other, z, out, sizeof out));
    OK(sinter_tensor_release(other, z));
    OK(sinter_stream_destroy(other));
    works(&l.d, l.x);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sync_reports_once_and_the_result_is_lost),
        cmocka_unit_test(a_read_reports_and_sync_does_not_repeat_it),
        cmocka_unit_test(what_was_waited_for_is_not_lost),
        cmocka_unit_test(what_is_queued_learns_of_it),
        cmocka_unit_test(another_stream_learns_of_it),
        cmocka_unit_test(the_end_of_a_stream_reports),
        cmocka_unit_test(timing_launches_swallows_nothing),
        cmocka_unit_test(a_long_loop_reports),
    };
    layer = test_cl_layer();
    if (layer == NULL) {
        (void)fprintf(stderr, "skipped: SINTER_OPENCL_LIB is not the OpenCL library for tests\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
