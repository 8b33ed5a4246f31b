/* Long segments: a model's forward and backward pass and the step of its optimiser are thousands of operations. They
 * are one segment, planned once, and each operation is found again by comparison. The time that planning takes is in
 * `sinter bench --replay`; if it grew with the cube of the length, these tests would not end. */
#include "support/support.h"

#define PARAMETERS 148 /* as many tensors as a transformer of twelve layers has */
#define LAYERS 500
#define LAYER_OPERATIONS 8

static test_device device;

static int open_one(void **state)
{
    (void)state;
    device = test_open(NULL);
    return 0;
}

static int close_one(void **state)
{
    (void)state;
    test_close(&device);
    return 0;
}

static void a_list_of_many_parameters_is_one_segment(void **state)
{
    (void)state;
    static sinter_tensor states[3][PARAMETERS];
    static sinter_tensor gradients[PARAMETERS];
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    for (int64_t i = 0; i < PARAMETERS; i++) {
        const int64_t shape[] = {8 + i};
        for (int k = 0; k < 3; k++)
            states[k][i] = test_floats(&device, 1, shape, NULL);
        gradients[i] = test_floats(&device, 1, shape, NULL);
    }
    sinter_stats before = SINTER_STATS_INIT;
    for (o.step = 1; o.step <= 4; o.step++) {
        before = test_stats(&device);
        OK(sinter_adamw(device.s, PARAMETERS, states[0], gradients, states[1], states[2], &o));
        OK(sinter_stream_sync(device.s));
    }
    sinter_stats after = test_stats(&device);
    DECIDES(after.cuts - before.cuts, 1);
    DECIDES(after.plan_hits - before.plan_hits, 1);
    DECIDES(after.repeated_ops - before.repeated_ops, after.ops - before.ops);
    assert_true(!test_is_plain() || after.ops - before.ops > 1024);
    if (test_is_pooled() && test_is_plain() && !test_takes_few_arguments())
        DECIDES(after.launches - before.launches, 1);
    for (int i = 0; i < PARAMETERS; i++) {
        for (int k = 0; k < 3; k++)
            test_release(&device, states[k][i]);
        test_release(&device, gradients[i]);
    }
}

/* The value gives way to the result. */
static void move_on(sinter_tensor *value, sinter_tensor next)
{
    test_release(&device, *value);
    *value = next;
}

/* Product, bias, activation, centred and scaled rows, residue. */
static void layer(sinter_tensor *value, sinter_tensor w, sinter_tensor b)
{
    static const int last = -1;
    sinter_stream *s = device.s;
    sinter_tensor x = *value;
    sinter_tensor t;
    sinter_tensor next;
    OK(sinter_matmul(s, x, w, &t));
    OK(sinter_add(s, t, b, &next));
    move_on(&t, next);
    OK(sinter_tanh(s, t, &next));
    move_on(&t, next);
    OK(sinter_sum(s, t, 1, &last, true, &next));
    sinter_tensor sum = next;
    OK(sinter_sub(s, t, sum, &next));
    move_on(&t, next);
    OK(sinter_div(s, t, sum, &next));
    move_on(&t, next);
    OK(sinter_mul_scalar(s, t, 0.5, &next));
    move_on(&t, next);
    OK(sinter_add(s, t, x, &next));
    move_on(&t, next);
    test_release(&device, sum);
    move_on(value, t);
}

/* Rows of none, so that nothing is compiled. */
static void a_deep_network_is_one_segment(void **state)
{
    (void)state;
    const int64_t rows[] = {0, 4};
    const int64_t square[] = {4, 4};
    sinter_tensor x = test_floats(&device, 2, rows, NULL);
    sinter_tensor b = test_floats(&device, 2, rows, NULL);
    sinter_tensor w = test_floats(&device, 2, square, NULL);
    for (int turn = 0; turn < 3; turn++) {
        sinter_tensor value = test_floats(&device, 2, rows, NULL);
        sinter_stats before = test_stats(&device);
        for (int i = 0; i < LAYERS; i++)
            layer(&value, w, b);
        OK(sinter_stream_sync(device.s));
        sinter_stats after = test_stats(&device);
        assert_int_equal(after.ops - before.ops, LAYERS * LAYER_OPERATIONS);
        DECIDES(after.cuts - before.cuts, 1);
        DECIDES(after.plan_misses - before.plan_misses, turn == 0 ? 1 : 0);
        DECIDES(after.repeated_ops - before.repeated_ops,
                turn == 0 ? 0 : LAYERS * LAYER_OPERATIONS);
        test_release(&device, value);
    }
    test_release(&device, x);
    test_release(&device, b);
    test_release(&device, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_of_many_parameters_is_one_segment),
        cmocka_unit_test(a_deep_network_is_one_segment),
    };
    return cmocka_run_group_tests(tests, open_one, close_one);
}
