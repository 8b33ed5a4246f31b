/* Large memory of devices that share the host's lies in large pages: Linux was asked for them, from
 * the size on that the device's profile says, and never where it says 0. */
#include "support/pages.h"
#include "support/support.h"

#include "executor/context/context.h"

#define MI ((uint32_t)1 << 20)
#define ELEMENTS (4 * (int64_t)MI)

/* Whether Linux was asked for large pages in the middle of a tensor of ones, which it is at both ends as well. */
static bool is_asked(uint32_t from)
{
    const int64_t shape[] = {ELEMENTS};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_profile *p = test_profile(NULL, "cpu");
    sinter_tensor t;
    void *mapped = NULL;
    size_t bytes;
    test_profile_set(p, "large_pages_from", from);
    options.log_fn = test_log;
    options.style = SINTER_STYLE_CPU;
    options.profile = p;
    test_device d = test_open(&options);
    OK(sinter_full(d.s, SINTER_F32, 1, shape, sinter_scalar_float(1), &t));
    OK(sinter_stream_sync(d.s));
    OK(sinter_tensor_map(d.s, t, SINTER_MAP_READ, &mapped, &bytes));
    const float *data = mapped;
    assert_true(data[0] == 1 && data[ELEMENTS - 1] == 1);
    bool asked = test_large_pages_at(data + ELEMENTS / 2);
    OK(sinter_tensor_unmap(d.s, t));
    test_release(&d, t);
    test_close(&d);
    sinter_profile_destroy(p);
    return asked;
}

static void the_default(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const sinter__opened *on = &d.ctx->devices[0];
    bool is_gpu = on->limits.style == SINTER_STYLE_GPU;
    assert_int_equal(on->memory.large_pages_from, is_gpu ? 0 : 4 * MI);
    test_close(&d);
}

/* In this order: what is freed may come back as it was. */
static void where_it_is_asked_for(void **state)
{
    (void)state;
    if (!test_large_pages_are())
        skip();
    assert_false(is_asked(0));
    assert_false(is_asked(16 * MI + 1));
    assert_true(is_asked(16 * MI));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default),
        cmocka_unit_test(where_it_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
