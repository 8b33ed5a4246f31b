/* The pool of a stream: how it grows, that nothing in it moves, that what is freed is used again without
 * any wait, and what the statistics say about its free bytes. */
#include "support/support.h"

#include <string.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)

/* `bytes` of `value`. */
static sinter_tensor upload(const test_device *d, uint64_t bytes, uint8_t value)
{
    static uint8_t data[8 * MIB];
    const int64_t shape[] = {(int64_t)bytes};
    sinter_tensor t;
    assert_true(bytes <= sizeof data);
    memset(data, value, bytes);
    OK(sinter_tensor_from_host(d->s, SINTER_U8, 1, shape, data, &t));
    return t;
}

static void holds(const test_device *d, sinter_tensor t, uint64_t bytes, uint8_t value)
{
    static uint8_t data[8 * MIB];
    OK(sinter_tensor_read(d->s, t, data, bytes));
    uint64_t same = 0;
    for (uint64_t i = 0; i < bytes; i++)
        same += data[i] == value;
    assert_int_equal(same, bytes);
}

static void consists_of(const test_device *d, uint64_t slabs, uint64_t bytes)
{
    sinter_stats stats = test_stats(d);
    assert_int_equal(stats.pool_slabs, slabs);
    assert_int_equal(stats.cl_allocated_bytes, bytes);
    assert_true(stats.pool_largest_free_bytes <= stats.pool_free_bytes);
}

static void growth(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;  /* asked for */
        uint64_t slabs;  /* then */
        uint64_t in_all; /* bytes of them */
    } steps[] = {
        {512 * KIB, 1, 1 * MIB}, /* the first slab */
        {512 * KIB, 1, 1 * MIB}, /* fits */
        {1 * KIB, 2, 2 * MIB},   /* one more, as large as all before it */
        {1 * MIB, 3, 4 * MIB},   /* twice that */
        {6 * MIB, 4, 10 * MIB},  /* as large as is asked for */
        {1 * MIB, 4, 10 * MIB},  /* what the third has left */
    };
    enum { COUNT = sizeof steps / sizeof steps[0] };
    sinter_tensor all[COUNT];
    test_device d = test_open(NULL);
    for (int i = 0; i < COUNT; i++) {
        all[i] = upload(&d, steps[i].bytes, (uint8_t)(i + 1));
        consists_of(&d, steps[i].slabs, steps[i].in_all);
        for (int k = 0; k <= i; k++)
            holds(&d, all[k], steps[k].bytes, (uint8_t)(k + 1));
    }
    for (int i = 0; i < COUNT; i++)
        test_release(&d, all[i]);
    consists_of(&d, 4, 10 * MIB); /* they are kept */
    assert_int_equal(test_stats(&d).pool_free_bytes, 10 * MIB);
    assert_int_equal(test_stats(&d).pool_largest_free_bytes, 6 * MIB);
    test_close(&d);
}

static void fragments(void **state)
{
    (void)state;
    sinter_tensor all[8];
    test_device d = test_open(NULL);
    for (int i = 0; i < 8; i++)
        all[i] = upload(&d, 128 * KIB, (uint8_t)i);
    assert_int_equal(test_stats(&d).pool_free_bytes, 0);
    assert_int_equal(test_stats(&d).pool_largest_free_bytes, 0);
    for (int i = 0; i < 8; i += 2)
        test_release(&d, all[i]);
    assert_int_equal(test_stats(&d).pool_free_bytes, 512 * KIB);
    assert_int_equal(test_stats(&d).pool_largest_free_bytes, 128 * KIB);
    test_release(&d, all[1]);
    assert_int_equal(test_stats(&d).pool_largest_free_bytes, 3 * 128 * KIB);
    all[0] = upload(&d, 3 * 128 * KIB, 9); /* in the place of three */
    consists_of(&d, 1, 1 * MIB);
    for (int i = 3; i < 8; i += 2)
        holds(&d, all[i], 128 * KIB, (uint8_t)i);
    test_release(&d, all[0]);
    for (int i = 3; i < 8; i += 2)
        test_release(&d, all[i]);
    test_close(&d);
}

/* Uploads and results of a loop that never waits: each turn takes the places of the turn before. */
static void a_loop_that_never_syncs(void **state)
{
    (void)state;
    const int64_t shape[] = {(int64_t)(64 * KIB)};
    static float data[64 * KIB];
    float out[1];
    uint64_t after_ten = 0;
    sinter_tensor sum;
    test_device d = test_open(NULL);
    OK(sinter_full(d.s, SINTER_F32, 0, NULL, sinter_scalar_float(0.0), &sum));
    for (int i = 0; i < 1000; i++) {
        sinter_tensor x;
        sinter_tensor y;
        sinter_tensor next;
        data[0] = (float)(i % 2);
        OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, data, &x));
        OK(sinter_sum(d.s, x, 0, NULL, false, &y));
        OK(sinter_add(d.s, sum, y, &next));
        test_release(&d, x);
        test_release(&d, y);
        test_release(&d, sum);
        sum = next;
        OK(sinter_stream_flush(d.s));
        if (i == 10)
            after_ten = test_stats(&d).cl_allocated_bytes;
    }
    assert_int_equal(test_stats(&d).cl_allocated_bytes, after_ten);
    test_read(&d, sum, out, 1);
    assert_true(out[0] == 500.0f);
    test_release(&d, sum);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth),
        cmocka_unit_test(fragments),
        cmocka_unit_test(a_loop_that_never_syncs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
