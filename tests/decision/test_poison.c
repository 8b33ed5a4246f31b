/* A tensor that could not be made: what depends on it fails with the first cause, everything else
 * goes on, and the stream tells it once. The cause here is the byte budget, which any device keeps.
 */
#include "support/support.h"

#include <string.h>

#define COUNT 100
#define BUDGET ((uint64_t)4 << 20)
#define HUGE_COUNT ((int64_t)4 << 20) /* elements; four times the budget */

static const int64_t shape[] = {COUNT};

static test_device open_small(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.budget_bytes = BUDGET; /* no log: the failures are meant */
    return test_open(&options);
}

/* Over the budget when it runs, which is not yet. */
static sinter_tensor huge(const test_device *d)
{
    sinter_tensor t;
    const int64_t extent[] = {HUGE_COUNT};
    OK(sinter_full(d->s, SINTER_F32, 1, extent, sinter_scalar_float(1.0), &t));
    return t;
}

static sinter_tensor plus(const test_device *d, sinter_tensor x, double value)
{
    sinter_tensor y;
    OK(sinter_add_scalar(d->s, x, value, &y));
    return y;
}

/* A read fails for the budget, and says by how much. */
static void assert_poisoned(const test_device *d, sinter_tensor t)
{
    static float out[HUGE_COUNT];
    FAILS(SINTER_EBUDGET, sinter_tensor_read(d->s, t, out, test_bytes(d, t)));
    assert_non_null(strstr(sinter_last_error(), "over the budget of 4194304"));
}

static void assert_fine(const test_device *d, sinter_tensor t, const float *in, float plus)
{
    float out[COUNT];
    test_read(d, t, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + plus);
}

static void a_failure_is_told_once(void **state)
{
    (void)state;
    test_device d = open_small();
    sinter_tensor a = huge(&d);
    OK(sinter_stream_flush(d.s)); /* queueing and flushing tell nothing */
    FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
    OK(sinter_stream_sync(d.s));
    assert_poisoned(&d, a); /* the tensor keeps it */
    assert_poisoned(&d, a);
    OK(sinter_stream_sync(d.s));
    test_release(&d, a);
    test_close(&d);
}

/* Results that have nothing to do with it share its segment, its launch and its operands. */
static void only_what_depends_on_it_fails(void **state)
{
    (void)state;
    test_device d = open_small();
    float in[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    sinter_tensor before = plus(&d, x, 1.0);
    OK(sinter_stream_flush(d.s));
    sinter_tensor a = huge(&d);
    FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
    sinter_tensor part;
    sinter_tensor sum;
    sinter_tensor mixed;
    OK(sinter_slice(d.s, a, 0, 0, COUNT, 1, &part));
    OK(sinter_add(d.s, part, x, &mixed));
    OK(sinter_sum(d.s, a, 0, NULL, false, &sum));
    sinter_tensor other = plus(&d, x, 2.0); /* of the same segment */
    sinter_tensor more = plus(&d, other, 0.0);
    assert_fine(&d, other, in, 2.0f);
    assert_fine(&d, more, in, 2.0f);
    assert_fine(&d, before, in, 1.0f);
    assert_poisoned(&d, part);
    assert_poisoned(&d, mixed);
    assert_poisoned(&d, sum);
    sinter_tensor late = plus(&d, mixed, 1.0); /* and what is made of those */
    assert_poisoned(&d, late);
    OK(sinter_stream_sync(d.s));
    const sinter_tensor all[] = {before, a, part, mixed, sum, other, more, late, x};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        test_release(&d, all[i]);
    test_close(&d);
}

/* A fill and a copy compute nothing, but they are operations: what shares a launch with them can fail without them. */
static void what_computes_nothing_stands_alone(void **state)
{
    (void)state;
    test_device d = open_small();
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    sinter_tensor a = huge(&d);
    FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
    sinter_tensor part;
    sinter_tensor fill;
    sinter_tensor copy;
    sinter_tensor mixed;
    sinter_tensor more;
    OK(sinter_slice(d.s, a, 0, 0, COUNT, 1, &part));
    OK(sinter_full(d.s, SINTER_F32, 1, shape, sinter_scalar_float(3.0), &fill));
    OK(sinter_add(d.s, fill, part, &mixed));
    OK(sinter_copy(d.s, x, &copy));
    OK(sinter_add(d.s, copy, part, &more));
    test_read(&d, fill, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == 3.0f);
    assert_fine(&d, copy, in, 0.0f);
    assert_poisoned(&d, mixed);
    assert_poisoned(&d, more);
    const sinter_tensor all[] = {x, a, part, fill, copy, mixed, more};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        test_release(&d, all[i]);
    test_close(&d);
}

/* The tensor is poisoned wherever it goes; the streams it goes to are not. */
static void poison_goes_with_the_tensor(void **state)
{
    (void)state;
    test_device d = open_small();
    test_device e = {.ctx = d.ctx};
    float in[COUNT];
    OK(sinter_stream_create(d.ctx, NULL, &e.s));
    sinter_tensor x = test_floats(&e, 1, shape, NULL);
    test_read(&e, x, in, COUNT);
    sinter_tensor a = huge(&d);
    sinter_tensor b = plus(&e, a, 1.0); /* runs a where it is at home */
    sinter_tensor y = plus(&e, x, 1.0);
    assert_fine(&e, y, in, 1.0f);
    assert_poisoned(&e, b);
    assert_poisoned(&e, a);
    FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
    OK(sinter_stream_destroy(d.s));
    assert_poisoned(&e, a); /* outlives its stream */
    test_release(&e, a);
    test_release(&e, b);
    test_release(&e, x);
    test_release(&e, y);
    test_close(&e);
}

/* A stream that ends tells what nobody has asked for. */
static void the_end_of_a_stream_tells(void **state)
{
    (void)state;
    test_device d = open_small();
    sinter_stream *second;
    OK(sinter_stream_create(d.ctx, NULL, &second));
    test_device e = {.ctx = d.ctx, .s = second};
    sinter_tensor a = huge(&e);
    FAILS(SINTER_EBUDGET, sinter_stream_destroy(second));
    assert_poisoned(&d, a);
    test_release(&d, a);
    test_close(&d);
}

/* What failed for lack of room works when there is room. */
static void the_same_program_works_when_it_fits(void **state)
{
    (void)state;
    test_device d = open_small();
    float out[COUNT];
    const int64_t part[] = {(int64_t)(BUDGET / sizeof(float) / 5 * 2)};
    sinter_tensor kept[2];
    for (int i = 0; i < 2; i++) {
        OK(sinter_full(d.s, SINTER_F32, 1, part, sinter_scalar_float(i), &kept[i]));
        OK(sinter_stream_sync(d.s));
    }
    for (int round = 0; round < 3; round++) {
        sinter_tensor t;
        sinter_tensor first;
        OK(sinter_full(d.s, SINTER_F32, 1, part, sinter_scalar_float(7.0), &t));
        OK(sinter_slice(d.s, t, 0, 0, COUNT, 1, &first));
        if (round == 0) {
            FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
            test_release(&d, kept[0]);
        } else {
            test_read(&d, first, out, COUNT);
            assert_true(out[0] == 7.0f && out[COUNT - 1] == 7.0f);
        }
        test_release(&d, first);
        test_release(&d, t);
    }
    test_release(&d, kept[1]);
    test_close(&d);
}

/* Failing over and over leaves nothing behind. */
static void failures_do_not_pile_up(void **state)
{
    (void)state;
    test_device d = open_small();
    sinter_stats before = {0};
    for (int i = 0; i < 50; i++) {
        sinter_tensor a = huge(&d);
        sinter_tensor b = plus(&d, a, i);
        test_release(&d, a);
        FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
        test_release(&d, b);
        if (i == 5)
            before = test_stats(&d);
    }
    sinter_stats after = test_stats(&d);
    assert_int_equal(after.host_bytes, before.host_bytes);
    assert_int_equal(after.plan_misses, before.plan_misses);
    assert_int_equal(after.pool_bytes, 0);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_told_once),
        cmocka_unit_test(only_what_depends_on_it_fails),
        cmocka_unit_test(what_computes_nothing_stands_alone),
        cmocka_unit_test(poison_goes_with_the_tensor),
        cmocka_unit_test(the_end_of_a_stream_tells),
        cmocka_unit_test(the_same_program_works_when_it_fits),
        cmocka_unit_test(failures_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
