/* No OpenCL: the library that would give it is not there. The host reference device runs every
 * program; the list of devices says why there is no other. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const char *wanted_library(void)
{
    const char *name = getenv("SINTER_OPENCL_LIB");
    return name != NULL ? name : "SINTER_OPENCL_LIB, which is not set";
}

static void the_list_says_why(void **state)
{
    (void)state;
    sinter_device_info infos[64] = {SINTER_DEVICE_INFO_INIT};
    size_t count;
    size_t reasons = 0;
    OK(sinter_device_list(infos, 64, &count));
    assert_true(count > 0 && count <= 64);
    for (size_t i = 0; i < count; i++) {
        if (infos[i].kind == SINTER_DEVICE_NONE) {
            reasons += strstr(infos[i].note, wanted_library()) != NULL;
            continue;
        }
        assert_int_equal(infos[i].kind, SINTER_DEVICE_HOST);
        assert_int_equal(i, count - 1);
    }
    assert_int_equal(reasons, 1);
}

static void the_host_runs(void **state)
{
    (void)state;
    const int64_t shape[] = {3, 4};
    float in[12];
    float out[12];
    test_device d = test_open(NULL); /* the default device */
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_tensor y;
    OK(sinter_context_device(d.ctx, &info));
    assert_int_equal(info.kind, SINTER_DEVICE_HOST);
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    OK(sinter_square(d.s, x, &y));
    test_read(&d, x, in, 12);
    test_read(&d, y, out, 12);
    for (int i = 0; i < 12; i++)
        assert_true(out[i] == in[i] * in[i]);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

static void count_warnings(void *user, int level, const char *line)
{
    if (level == 0 && strstr(line, wanted_library()) != NULL)
        ++*(int *)user;
}

/* Somebody who names a library does not get the host reference device without a word; `none` asks for it. */
static void the_log_says_why(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    int warnings = 0;
    assert_int_equal(unsetenv("SINTER_DEVICE"), 0); /* for the host alone nothing is loaded */
    options.log_fn = count_warnings;
    options.log_user = &warnings;
    OK(sinter_context_create(&options, &ctx));
    OK(sinter_context_destroy(ctx));
    assert_int_equal(warnings, 1);
    assert_int_equal(setenv("SINTER_OPENCL_LIB", "none", 1), 0);
    OK(sinter_context_create(&options, &ctx));
    OK(sinter_context_destroy(ctx));
    assert_int_equal(warnings, 1);
}

static void a_device_that_is_asked_for_is_not_there(void **state)
{
    (void)state;
    static const char *const names[] = {"0:0", "cpu", "gpu", "pocl"};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        options.device = names[i];
        FAILS(SINTER_ENODEVICE, sinter_context_create(&options, &ctx));
        assert_null(ctx);
        assert_non_null(strstr(sinter_last_error(), names[i]));
        assert_non_null(strstr(sinter_last_error(), wanted_library()));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_says_why),
        cmocka_unit_test(the_host_runs),
        cmocka_unit_test(a_device_that_is_asked_for_is_not_there),
        cmocka_unit_test(the_log_says_why),
    };
    assert_non_null(getenv("SINTER_OPENCL_LIB"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
