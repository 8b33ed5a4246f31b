/* A million different shapes and ten thousand different programs: the plan store stays under its
 * budget, and what the host holds beside it does not grow either. */
#include "support/support.h"

#define BUDGET ((uint64_t)1 << 20)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SHAPES 100000 /* each of them takes the same way, which a sanitizer has seen by then */
#else
#    define SHAPES 1000000
#endif
#define PROGRAMS 10000

static test_device open_small(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.plan_store_bytes = BUDGET;
    return test_open(&options);
}

/* The first element along each axis. */
static sinter_tensor corner(const test_device *d, sinter_tensor x, int rank)
{
    for (int axis = 0; axis < rank; axis++) {
        sinter_tensor part;
        OK(sinter_slice(d->s, x, axis, 0, 1, 1, &part));
        test_release(d, x);
        x = part;
    }
    return x;
}

/* Shape number i, of a million: a scalar expanded to it, times i, of which one element is wanted. */
static void run_shape(const test_device *d, sinter_tensor two, int i)
{
    const int64_t shape[] = {2 + i % 100, 2 + i / 100 % 100, 2 + i / 10000};
    sinter_tensor wide;
    sinter_tensor scaled;
    sinter_tensor y;
    float out;
    OK(sinter_expand(d->s, two, 3, shape, &wide));
    OK(sinter_mul_scalar(d->s, wide, i, &scaled));
    test_release(d, wide);
    scaled = corner(d, scaled, 3);
    OK(sinter_add_scalar(d->s, scaled, 1.0, &y));
    test_release(d, scaled);
    test_read(d, y, &out, 1);
    assert_true(out == (float)i * 2.0f + 1.0f);
    test_release(d, y);
}

static void a_million_shapes_are_a_few_plans(void **state)
{
    (void)state;
    test_device d = open_small();
    const int64_t one[] = {1, 1, 1};
    const float value = 2.0f;
    sinter_tensor two = test_floats(&d, 3, one, &value);
    for (int i = 0; i < 100; i++)
        run_shape(&d, two, i);
    sinter_stats warm = test_stats(&d);
    for (int i = 0; i < SHAPES; i++)
        run_shape(&d, two, i);
    sinter_stats after = test_stats(&d);
    assert_int_equal(after.plan_misses, warm.plan_misses);
    assert_int_equal(after.plan_hits - warm.plan_hits, after.cuts - warm.cuts);
    assert_int_equal(after.compiles, warm.compiles);
    assert_int_equal(after.plan_store_bytes, warm.plan_store_bytes);
    assert_true(after.plan_store_bytes <= BUDGET);
    assert_int_equal(after.host_bytes, warm.host_bytes);
    assert_int_equal(after.cl_allocated_bytes, warm.cl_allocated_bytes);
    test_release(&d, two);
    test_close(&d);
}

typedef sinter_status (*binary)(sinter_stream *, sinter_tensor, sinter_tensor, sinter_tensor *);
static const binary ops[] = {sinter_add, sinter_mul, sinter_sub, sinter_minimum, sinter_maximum};
#define OPS (sizeof ops / sizeof ops[0])
#define LENGTH 8

/* A program has its number written in operations: each next one to the base of the operations there are, over the
 * last two results. */
typedef struct program {
    sinter_stream *s;
    sinter_tensor x;
    sinter_tensor last[2];
    int digits;
} program;

static program begin_program(sinter_stream *s, sinter_tensor x, int number)
{
    return (program){.s = s, .x = x, .last = {x, x}, .digits = number};
}

static void queue_operations(program *p, int count)
{
    for (int k = 0; k < count; k++, p->digits /= (int)OPS) {
        sinter_tensor y;
        OK(ops[p->digits % (int)OPS](p->s, p->last[0], p->last[1], &y));
        if (p->last[0].id != p->x.id)
            OK(sinter_tensor_release(p->s, p->last[0]));
        p->last[0] = p->last[1];
        p->last[1] = y;
    }
}

static void end_program(const program *p, float out[4])
{
    OK(sinter_tensor_read(p->s, p->last[1], out, 4 * sizeof *out));
    OK(sinter_tensor_release(p->s, p->last[0]));
    OK(sinter_tensor_release(p->s, p->last[1]));
}

static void run_program(sinter_stream *s, sinter_tensor x, int number, float out[4])
{
    program p = begin_program(s, x, number);
    queue_operations(&p, LENGTH);
    end_program(&p, out);
}

static void ten_thousand_programs_stay_under_the_budget(void **state)
{
    (void)state;
    test_device d = open_small();
    const int64_t shape[] = {4};
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    uint64_t most = 0;
    float out[4];
    for (int i = 0; i < PROGRAMS; i++) {
        run_program(d.s, x, i, out);
        sinter_stats stats = test_stats(&d);
        assert_true(stats.plan_store_bytes <= BUDGET);
        if (i == PROGRAMS / 10)
            most = stats.host_bytes;
        if (i > PROGRAMS / 10)
            assert_true(stats.host_bytes < most + most / 2);
    }
    sinter_stats after = test_stats(&d);
    assert_int_equal(after.plan_misses, PROGRAMS);
    assert_true(after.plan_evictions > PROGRAMS / 2);
    assert_int_equal(after.plan_count + after.plan_evictions, PROGRAMS);
    print_message("%d programs: %u plans kept, %u bytes of plans, %u bytes on the host\n", PROGRAMS,
                  (unsigned)after.plan_count, (unsigned)after.plan_store_bytes,
                  (unsigned)after.host_bytes);
    test_release(&d, x);
    test_close(&d);
}

/* Half of a known program is queued when another stream's programs drive its plan out of the store, and with it the
 * places that the half has led to; others take their room. The other half then goes a way of its own, and the program
 * is learned anew where it is looked for. */
static void a_plan_may_go_while_its_program_is_queued(void **state)
{
    (void)state;
    test_device d = open_small();
    const int64_t shape[] = {4};
    const float data[] = {1, -2, 3, 0.5f};
    const int known = 0x5eed;
    sinter_stream *other;
    sinter_tensor x = test_floats(&d, 1, shape, data);
    sinter_tensor y;
    float expected[4];
    float out[4];
    OK(sinter_stream_create(d.ctx, NULL, &other));
    OK(sinter_tensor_from_host(other, SINTER_F32, 1, shape, data, &y));
    for (int i = 0; i < 3; i++)
        run_program(d.s, x, known, expected);
    sinter_stats before = test_stats(&d);
    program half = begin_program(d.s, x, known);
    queue_operations(&half, LENGTH / 2);
    for (int i = 0; test_stats(&d).plan_evictions < 2 * before.plan_count + 100; i++)
        run_program(other, y, i, out);
    before = test_stats(&d);
    queue_operations(&half, LENGTH / 2);
    end_program(&half, out);
    assert_memory_equal(out, expected, sizeof out);
    assert_int_equal(test_stats(&d).plan_misses, before.plan_misses + 1);
    run_program(d.s, x, known, out);
    assert_memory_equal(out, expected, sizeof out);
    assert_int_equal(test_stats(&d).plan_misses, before.plan_misses + 1);
    OK(sinter_tensor_release(other, y));
    OK(sinter_stream_destroy(other));
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_shapes_are_a_few_plans),
        cmocka_unit_test(ten_thousand_programs_stay_under_the_budget),
        cmocka_unit_test(a_plan_may_go_while_its_program_is_queued),
    };
    int skips = test_skips_unless_plain();
    return skips != 0 ? skips : cmocka_run_group_tests(tests, NULL, NULL);
}
