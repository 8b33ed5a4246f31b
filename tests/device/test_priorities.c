/* A stream's priority reaches the device where the device takes such hints, changes nothing where it does
 * not, and the report says which. */
#include "support/cl_layer.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* As OpenCL has them, by sinter_priority. */
static const uint64_t levels[] = {0, 1u << 2, 1u << 0};

/* Whether the device is the one of those played that takes priorities. */
static bool is_taken(void)
{
    const char *modes = getenv("SINTER_TEST_CL");
    return modes != NULL && strcmp(modes, "priorities") == 0;
}

/* That of the queue made last. */
static uint64_t level_now(void)
{
    const cl_layer *layer = test_cl_layer();
    return layer != NULL ? layer->priority() : 0;
}

static test_device open_with(sinter_priority priority)
{
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    test_device d = {0};
    o.priority = priority;
    options.log_fn = test_log;
    OK(sinter_context_create(&options, &d.ctx));
    OK(sinter_stream_create(d.ctx, &o, &d.s));
    return d;
}

static void the_device_says_whether_it_takes_them(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    assert_int_equal(info.has_priority_hints, is_taken());
    assert_int_equal(level_now(), 0);
    test_close(&d);
}

static void a_priority_is_passed_on_where_it_is_taken(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "stream 1: priority low", "stream 1: priority high"};
    for (unsigned p = SINTER_PRIORITY_DEFAULT; p <= SINTER_PRIORITY_HIGH; p++) {
        test_device d = open_with((sinter_priority)p);
        uint64_t level = is_taken() ? levels[p] : 0;
        assert_int_equal(level_now(), level);
        test_report_begin(&d); /* with a queue that measures */
        assert_int_equal(level_now(), level);
        const char *report = test_report(&d);
        assert_int_equal(strstr(report, "priority") != NULL, p != SINTER_PRIORITY_DEFAULT);
        assert_non_null(strstr(report, lines[p]));
        assert_int_equal(test_occurrences(report, "was not told"),
                         p != SINTER_PRIORITY_DEFAULT && !is_taken());
        float in[4];
        float out[4];
        sinter_tensor x = test_floats(&d, 1, (int64_t[]){4}, NULL);
        sinter_tensor y;
        test_read(&d, x, in, 4);
        OK(sinter_neg(d.s, x, &y));
        test_read(&d, y, out, 4);
        for (int i = 0; i < 4; i++)
            assert_true(out[i] == -in[i]);
        test_release(&d, x);
        test_release(&d, y);
        test_close(&d);
    }
}

/* It is a hint: a driver that does not want it gives a queue without. */
static void a_queue_is_made_without(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    if (layer == NULL || !is_taken()) {
        skip();
        return;
    }
    layer->arm_named("clCreateCommandQueueWithProperties", -35);
    test_device d = open_with(SINTER_PRIORITY_HIGH);
    test_report_begin(&d);
    assert_int_equal(layer->failed(), 2);
    layer->arm(0, 0, 0);
    assert_int_equal(level_now(), 0);
    assert_int_equal(test_occurrences(test_report(&d), "was not told"), 1);
    test_close(&d);
}

static void options_are_checked(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_stream *s;
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    o.priority = (sinter_priority)3;
    FAILS(SINTER_EINVAL, sinter_stream_create(d.ctx, &o, &s));
    assert_null(s);
    assert_non_null(strstr(sinter_last_error(), "3 is no priority"));
    o.size = 8; /* of a header without priorities: what lies behind it is not read */
    OK(sinter_stream_create(d.ctx, &o, &s));
    assert_int_equal(level_now(), 0);
    OK(sinter_stream_destroy(s));
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_says_whether_it_takes_them),
        cmocka_unit_test(a_priority_is_passed_on_where_it_is_taken),
        cmocka_unit_test(a_queue_is_made_without),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
