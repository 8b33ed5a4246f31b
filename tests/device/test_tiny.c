/* The whole API on one page: queue, fuse, run, read, replay. The first test to read and to run. */
#include "support/support.h"

#include <math.h>

static void one_launch_computes_a_chain(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const int64_t shape[] = {3, 5};
    const int64_t row[] = {5};
    const float bias[] = {0.5f, -1.0f, 0.0f, 2.0f, 1.5f};
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    sinter_tensor b = test_floats(&d, 1, row, bias);
    sinter_tensor scaled;
    sinter_tensor sum;
    sinter_tensor y;
    float in[15];
    float out[15];

    OK(sinter_mul_scalar(d.s, x, 3.0, &scaled));
    OK(sinter_add(d.s, scaled, b, &sum));
    OK(sinter_relu(d.s, sum, &y));
    test_release(&d, scaled); /* never leaves the kernel */
    test_release(&d, sum);
    test_read(&d, y, out, 15);
    test_read(&d, x, in, 15);

    for (int i = 0; i < 15; i++)
        assert_true(out[i] == fmaxf(in[i] * 3.0f + bias[i % 5], 0.0f));
    sinter_stats stats = test_stats(&d);
    DECIDES(stats.launches, 1);
    DECIDES(stats.bytes_moved, (15 + 5 + 15) * sizeof(float));
    DECIDES(stats.bytes_bound, stats.bytes_moved);
    test_release(&d, x);
    test_release(&d, b);
    test_release(&d, y);
    test_close(&d);
}

/* One step of a loop: x = tanh(x * w), in place of the old x. */
static void step(const test_device *d, sinter_tensor *x, sinter_tensor w)
{
    sinter_tensor product;
    sinter_tensor next;
    OK(sinter_mul(d->s, *x, w, &product));
    OK(sinter_tanh(d->s, product, &next));
    test_release(d, product);
    test_release(d, *x);
    *x = next;
}

static void a_repeated_step_is_replayed(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const int64_t shape[] = {1000};
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor w = test_floats(&d, 1, shape, NULL);
    float out[1000];
    for (int i = 0; i < 3; i++) {
        step(&d, &x, w);
        test_read(&d, x, out, 1000);
    }
    sinter_stats before = test_stats(&d);
    for (int i = 0; i < 5; i++) {
        step(&d, &x, w);
        test_read(&d, x, out, 1000);
    }
    sinter_stats after = test_stats(&d);
    DECIDES(after.plan_hits - before.plan_hits, 5);
    assert_int_equal(after.plan_misses, before.plan_misses);
    assert_int_equal(after.compiles, before.compiles);
    if (test_is_pooled()) {
        assert_int_equal(after.host_allocations, before.host_allocations);
        assert_int_equal(after.cl_objects_created, before.cl_objects_created);
    }
    DECIDES(after.launches - before.launches, 5);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_computes_a_chain),
        cmocka_unit_test(a_repeated_step_is_replayed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
