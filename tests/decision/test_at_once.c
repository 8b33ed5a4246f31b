/* Launches that the calling thread runs itself: which, that they stay in order with those of the
 * queue, and that nothing goes there where a device, a queue or a stream has no such way. The
 * OpenCL library for tests looks at each command (cl_queues.h): one in the wrong order ends the
 * process with status 99. */
#define _GNU_SOURCE /* feenableexcept */
#include "support/support.h"

#include "support/cl_layer.h"
#include <sinter/opencl.h>

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#define SHORT 64  /* elements that one thread has done first, by the profile */
#define LONG 4096 /* that it has not */
#define WORK 1000 /* additions */
#define STEPS 20

static bool is_offered(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.runs_at_once != 0;
}

static test_device open_with(uint32_t work)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_profile *p = test_profile(NULL, "cpu");
    test_profile_set(p, "lone_work", work);
    options.profile = p;
    options.style = SINTER_STYLE_CPU;
    options.log_fn = test_log;
    test_device d = test_open(&options);
    sinter_profile_destroy(p);
    return d;
}

/* That the driver was given. */
static uint64_t commands_at_once(void)
{
    const cl_layer *layer = test_cl_layer();
    return layer != NULL ? layer->at_once() : 0;
}

static uint64_t at_once(const test_device *d)
{
    return test_stats(d).at_once_launches;
}

/* -x, queued and on its way. */
static sinter_tensor launch(const test_device *d, sinter_tensor x)
{
    sinter_tensor y;
    OK(sinter_neg(d->s, x, &y));
    OK(sinter_stream_flush(d->s));
    return y;
}

static void is_negative(const test_device *d, sinter_tensor x, sinter_tensor y, size_t count)
{
    float in[LONG];
    float out[LONG];
    test_read(d, x, in, count);
    test_read(d, y, out, count);
    for (size_t i = 0; i < count; i++)
        assert_true(out[i] == -in[i]);
}

static sinter_tensor make(const test_device *d, int64_t count)
{
    return test_floats(d, 1, &count, NULL);
}

/* What is short waits its turn in the queue, as ever, and nothing has been done at once before. Takes x. */
static void is_queued(const test_device *d, sinter_tensor x)
{
    OK(sinter_stream_sync(d->s));
    sinter_tensor y = launch(d, x);
    is_negative(d, x, y, SHORT);
    assert_int_equal(at_once(d), 0);
    test_release(d, x);
    test_release(d, y);
}

static void a_device_offers_it_where_its_driver_does(void **state)
{
    (void)state;
    const char *modes = getenv("SINTER_TEST_CL");
    test_device d = test_open(NULL);
    if (modes != NULL && strstr(modes, "at-once") != NULL)
        assert_true(is_offered(&d));
    sinter_profile *p = test_profile(NULL, NULL);
    bool is_used = test_profile_number(p, "lone_work") > 0;
    assert_true(is_offered(&d) || !is_used);
    sinter_profile_destroy(p);
    test_close(&d);
}

static void what_is_short_is_done_at_once(void **state)
{
    (void)state;
    test_device d = open_with(WORK);
    uint64_t each = is_offered(&d) ? 1 : 0;
    sinter_tensor x = make(&d, SHORT);
    OK(sinter_stream_sync(d.s));
    for (uint64_t i = 0; i < STEPS; i++) {
        uint64_t before = at_once(&d);
        sinter_tensor y = launch(&d, x);
        DECIDES(at_once(&d) - before, each);
        if (i % 2 == 0)
            OK(sinter_stream_sync(d.s));
        is_negative(&d, x, y, SHORT);
        test_release(&d, y);
    }
    test_release(&d, x);
    test_close(&d);
}

/* The rows of a list count together: a step over four parameters that are short each is not short. */
static void a_list_is_as_short_as_its_rows_together(void **state)
{
    (void)state;
    static const uint64_t wanted[] = {1, 1, 1, 0}; /* by rows, each a fourth of WORK and more */
    test_device d = open_with(WORK);
    for (size_t count = 1; count <= sizeof wanted / sizeof wanted[0]; count++) {
        sinter_tensor x[4];
        sinter_tensor y[4];
        for (size_t i = 0; i < count; i++)
            x[i] = make(&d, SHORT - (int64_t)i);
        OK(sinter_stream_sync(d.s));
        sinter_stats before = test_stats(&d);
        for (size_t i = 0; i < count; i++)
            OK(sinter_neg(d.s, x[i], &y[i]));
        OK(sinter_stream_flush(d.s));
        sinter_stats after = test_stats(&d);
        if (after.launches - before.launches ==
            1) /* not where each tensor has a buffer of its own */
            DECIDES(after.at_once_launches - before.at_once_launches,
                    is_offered(&d) ? wanted[count - 1] : 0);
        for (size_t i = 0; i < count; i++) {
            is_negative(&d, x[i], y[i], (size_t)(SHORT - (int64_t)i));
            test_release(&d, x[i]);
            test_release(&d, y[i]);
        }
    }
    test_close(&d);
}

/* Behind what nobody has waited for there is no way past it. */
static void it_stays_in_order(void **state)
{
    (void)state;
    test_device d = open_with(WORK);
    uint64_t each = is_offered(&d) ? 1 : 0;
    sinter_tensor x = make(&d, SHORT);
    sinter_tensor w = make(&d, LONG);
    OK(sinter_stream_sync(d.s));
    for (int i = 0; i < STEPS; i++) {
        uint64_t before = at_once(&d);
        sinter_tensor v = launch(&d, w);
        DECIDES(at_once(&d) - before, 0);
        sinter_tensor y = launch(&d, x);
        DECIDES(at_once(&d) - before, 0);
        OK(sinter_stream_sync(d.s));
        sinter_tensor z = launch(&d, y);
        DECIDES(at_once(&d) - before, each);
        is_negative(&d, x, y, SHORT);
        is_negative(&d, y, z, SHORT);
        is_negative(&d, w, v, LONG);
        test_release(&d, v);
        test_release(&d, y);
        test_release(&d, z);
    }
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* A read waits for everything before it; a write does not, and what it writes is there all the same. */
static void reads_and_writes_stay_in_order(void **state)
{
    (void)state;
    test_device d = open_with(WORK);
    uint64_t each = is_offered(&d) ? 1 : 0;
    sinter_tensor w = make(&d, LONG);
    for (int i = 0; i < STEPS; i++) {
        sinter_tensor v = launch(&d, w);
        sinter_tensor x = make(&d, SHORT); /* behind the launch */
        uint64_t before = at_once(&d);
        sinter_tensor y = launch(&d, x);
        DECIDES(at_once(&d) - before, 0);
        is_negative(&d, x, y, SHORT);
        sinter_tensor z = launch(&d, y);
        DECIDES(at_once(&d) - before, each);
        is_negative(&d, y, z, SHORT);
        is_negative(&d, w, v, LONG);
        test_release(&d, v);
        test_release(&d, x);
        test_release(&d, y);
        test_release(&d, z);
    }
    test_release(&d, w);
    test_close(&d);
}

/* What is short to copy goes the same way, and so does a mapping, behind which everything is known to be done. */
static void copies_and_mappings_are_done_at_once(void **state)
{
    (void)state;
    enum { LARGE = 1 << 15 };
    static float data[LARGE];
    test_device d = open_with(WORK);
    uint64_t each = is_offered(&d) ? 1 : 0;
    sinter_tensor x = make(&d, SHORT);
    sinter_tensor w = make(&d, LARGE);
    OK(sinter_stream_sync(d.s));
    uint64_t before = commands_at_once();
    OK(sinter_tensor_read(d.s, x, data, SHORT * sizeof *data));
    DECIDES(commands_at_once() - before, each);
    OK(sinter_tensor_read(d.s, w, data, sizeof data));
    DECIDES(commands_at_once() - before, each);
    sinter_tensor y = launch(&d, w); /* too long */
    before = at_once(&d);
    void *mapped;
    size_t bytes;
    OK(sinter_tensor_map(d.s, y, SINTER_MAP_READ, &mapped, &bytes));
    assert_int_equal(bytes, sizeof data);
    assert_true(((const float *)mapped)[1] == -data[1]);
    OK(sinter_tensor_unmap(d.s, y));
    sinter_tensor z = launch(&d, x);
    if (test_is_pooled())
        DECIDES(at_once(&d) - before, each);
    is_negative(&d, x, z, SHORT);
    sinter_tensor all[] = {x, w, y, z};
    for (size_t i = 0; i < 4; i++)
        test_release(&d, all[i]);
    test_close(&d);
}

/* Another stream takes a result that was made at once, and one that was not: it marks the queue of its home and follows
 * it, and both go on with what is short. */
static void streams_that_follow_each_other_stay_in_order(void **state)
{
    (void)state;
    test_device d = open_with(WORK);
    test_device other = {.ctx = d.ctx};
    OK(sinter_stream_create(d.ctx, NULL, &other.s));
    sinter_tensor x = make(&d, SHORT);
    sinter_tensor w = make(&d, LONG);
    OK(sinter_stream_sync(d.s));
    for (int i = 0; i < STEPS; i++) {
        sinter_tensor a = launch(&d, x);
        sinter_tensor b = launch(&other, a);
        sinter_tensor v = launch(&d, w);
        sinter_tensor u = launch(&other, v);
        sinter_tensor y = launch(&d, a);
        sinter_tensor z = launch(&other, b);
        is_negative(&d, a, y, SHORT);
        is_negative(&other, a, b, SHORT);
        is_negative(&other, b, z, SHORT);
        is_negative(&other, v, u, LONG);
        sinter_tensor t = launch(&other, y);
        is_negative(&other, y, t, SHORT);
        sinter_tensor homes[] = {a, v, y};
        sinter_tensor others[] = {b, u, z, t};
        for (size_t k = 0; k < 3; k++)
            test_release(&d, homes[k]);
        for (size_t k = 0; k < 4; k++)
            test_release(&other, others[k]);
    }
    test_release(&d, x);
    test_release(&d, w);
    OK(sinter_stream_destroy(other.s));
    test_close(&d);
}

/* Whoever traps floating-point exceptions is not stopped by those of a kernel. */
static void the_caller_may_trap_exceptions(void **state)
{
    (void)state;
#ifdef __GLIBC__
    test_device d = open_with(WORK);
    if (!is_offered(&d)) {
        test_close(&d);
        skip();
        return;
    }
    float data[SHORT] = {0, -1};
    float out[SHORT];
    sinter_tensor y;
    sinter_tensor x = test_floats(&d, 1, (int64_t[]){SHORT}, data);
    OK(sinter_reciprocal(d.s, x, &y)); /* built, and then again under traps */
    OK(sinter_stream_sync(d.s));
    test_release(&d, y);
    fenv_t before;
    (void)feholdexcept(&before);
    (void)feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    OK(sinter_reciprocal(d.s, x, &y));
    OK(sinter_stream_sync(d.s));
    int raised = fetestexcept(FE_ALL_EXCEPT);
    int trapped = fegetexcept();
    (void)fesetenv(&before);
    assert_int_equal(raised, 0);
    assert_int_equal(trapped, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    test_read(&d, y, out, SHORT);
    assert_true(out[0] > 1e30f && out[1] == -1);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
#else
    skip();
#endif
}

/* In other memory modes storages are filled as they go, by whichever thread lets go of them. */
static void watched_memory_has_one_queue(void **state)
{
    (void)state;
    static const sinter_memory_mode modes[] = {SINTER_MEMORY_POISON, SINTER_MEMORY_RED_ZONE};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        options.style = SINTER_STYLE_CPU;
        options.memory_mode = modes[i];
        test_device d = test_open(&options);
        assert_false(is_offered(&d));
        is_queued(&d, make(&d, SHORT));
        test_close(&d);
    }
}

static void a_profile_turns_it_off(void **state)
{
    (void)state;
    test_device d = open_with(0);
    is_queued(&d, make(&d, SHORT));
    test_close(&d);
}

/* The queue that does it is refused: everything goes to the other one. */
static void a_stream_may_have_one_queue(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    test_device d = open_with(WORK);
    if (layer == NULL || !is_offered(&d)) {
        test_close(&d);
        skip();
        return;
    }
    test_device other = {.ctx = d.ctx};
    uint64_t live = test_stats(&d).cl_objects_live;
    OK(sinter_stream_create(d.ctx, NULL, &other.s));
    assert_int_equal(test_stats(&d).cl_objects_live - live, 2);
    OK(sinter_stream_destroy(other.s));
    assert_int_equal(test_stats(&d).cl_objects_live, live);
    layer->arm_named("clCreateCommandQueue", -6);
    layer->spare(1);
    OK(sinter_stream_create(d.ctx, NULL, &other.s));
    assert_int_equal(layer->failed(), 1);
    layer->arm(0, 0, 0);
    assert_int_equal(test_stats(&d).cl_objects_live - live, 1);
    is_queued(&other, make(&other, SHORT));
    OK(sinter_stream_destroy(other.s));
    test_close(&d);
}

/* From when the caller may put commands into the queue as well, nobody knows that it has done all. */
static void a_queue_that_is_lent_is_waited_for(void **state)
{
    (void)state;
    test_device d = open_with(WORK);
    if (!is_offered(&d)) {
        test_close(&d);
        skip();
        return;
    }
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    sinter_tensor x = make(&d, SHORT);
    OK(sinter_stream_sync(d.s));
    OK(sinter_cl_release(d.s, x, SINTER_MAP_READ, &place, NULL));
    OK(sinter_cl_acquire(d.s, x, NULL));
    is_queued(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_offers_it_where_its_driver_does),
        cmocka_unit_test(what_is_short_is_done_at_once),
        cmocka_unit_test(a_list_is_as_short_as_its_rows_together),
        cmocka_unit_test(it_stays_in_order),
        cmocka_unit_test(reads_and_writes_stay_in_order),
        cmocka_unit_test(copies_and_mappings_are_done_at_once),
        cmocka_unit_test(streams_that_follow_each_other_stay_in_order),
        cmocka_unit_test(the_caller_may_trap_exceptions),
        cmocka_unit_test(watched_memory_has_one_queue),
        cmocka_unit_test(a_profile_turns_it_off),
        cmocka_unit_test(a_stream_may_have_one_queue),
        cmocka_unit_test(a_queue_that_is_lent_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
