/* Where a queue is cut changes no bits: random loops, run with every kind of limit and of cut in
 * between, against the same loop run operation by operation. A loop runs for many iterations, so
 * that what one cut has taught is used by the next. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OPERATIONS 12
#define STATES 3 /* tensors that a step hands to the next */
#define ROWS 5
#define COUNT (ROWS * ROWS)
#define ITERATIONS 30
#define OPERATIONS 11

static const int64_t shape[] = {ROWS, ROWS};

/* How a loop is run. */
typedef struct way {
    uint32_t switches;
    uint32_t max_ops;
    uint64_t max_bytes;
    uint32_t cuts;  /* per cent of operations that are followed by a flush, a sync or a mark */
    uint32_t reads; /* per cent of steps that are followed by a read */
    uint64_t store_bytes;
} way;

typedef struct pool {
    sinter_tensor t[STATES + MOST_OPERATIONS];
    uint32_t count;
} pool;

static sinter_tensor apply(const test_device *d, uint32_t op, sinter_tensor a, sinter_tensor b)
{
    sinter_tensor y;
    sinter_tensor t = {0};
    const int last = 1;
    switch (op) {
    case 0:
        OK(sinter_add(d->s, a, b, &y));
        break;
    case 1:
        OK(sinter_minimum(d->s, a, b, &y));
        break;
    case 2:
        OK(sinter_transpose(d->s, a, NULL, &y));
        break;
    case 3:
        OK(sinter_mul_scalar(d->s, a, 0.5, &y));
        break;
    case 4:
        OK(sinter_matmul(d->s, a, b, &t));
        OK(sinter_tanh(d->s, t, &y));
        break;
    case 5:
        OK(sinter_mean(d->s, a, 1, &last, true, &t));
        OK(sinter_sub(d->s, b, t, &y));
        break;
    case 6:
        OK(sinter_slice(d->s, a, 0, 1, 2, 1, &t));
        OK(sinter_mul(d->s, t, b, &y));
        break;
    case 7: /* of two dtypes: a call that queues three operations */
        OK(sinter_cast(d->s, a, SINTER_F16, &t));
        OK(sinter_maximum(d->s, t, b, &y));
        break;
    case 8: /* packed before it is reshaped */
        OK(sinter_transpose(d->s, a, NULL, &t));
        OK(sinter_reshape(d->s, t, 1, (int64_t[]){COUNT}, &y));
        test_release(d, t);
        t = y;
        OK(sinter_reshape(d->s, t, 2, shape, &y));
        break;
    case 9:
        OK(sinter_gt(d->s, a, b, &t));
        OK(sinter_where(d->s, t, b, a, &y));
        break;
    default:
        OK(sinter_flip(d->s, a, 0, NULL, &y));
        break;
    }
    test_release(d, t);
    return y;
}

static void cut(const test_device *d, test_random *r, const way *w)
{
    if (test_below(r, 100) >= w->cuts)
        return;
    switch (test_below(r, 3)) {
    case 0:
        OK(sinter_stream_flush(d->s));
        break;
    case 1:
        OK(sinter_stream_sync(d->s));
        break;
    default:
        OK(sinter_stream_mark(d->s));
        break;
    }
}

/* One step: the same operations whenever `seed` is the same; `cuts` is where it is disturbed. */
static void step(const test_device *d, uint64_t seed, test_random *cuts, const way *w,
                 sinter_tensor *states)
{
    test_random r = {seed};
    pool p = {.count = STATES};
    uint32_t length = 3 + test_below(&r, MOST_OPERATIONS - 3);
    for (uint32_t i = 0; i < STATES; i++)
        p.t[i] = states[i];
    for (uint32_t i = 0; i < length; i++) {
        uint32_t a = test_below(&r, p.count);
        uint32_t b = test_below(&r, p.count);
        p.t[p.count] = apply(d, test_below(&r, OPERATIONS), p.t[a], p.t[b]);
        p.count++;
        cut(d, cuts, w);
    }
    for (uint32_t i = 0; i + STATES < p.count; i++)
        test_release(d, p.t[i]);
    for (uint32_t i = 0; i < STATES; i++)
        states[i] = p.t[p.count - STATES + i];
}

static void run(uint64_t seed, const way *w, float *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.switches = w->switches;
    options.max_pending_ops = w->max_ops;
    options.max_pending_bytes = w->max_bytes;
    options.plan_store_bytes = w->store_bytes;
    test_device d = test_open(&options);
    test_random cuts = {seed ^ 0x5eed};
    sinter_tensor states[STATES];
    for (int i = 0; i < STATES; i++)
        states[i] = test_floats(&d, 2, shape, NULL);
    for (int i = 0; i < ITERATIONS; i++) {
        step(&d, seed, &cuts, w, states);
        if (test_below(&cuts, 100) < w->reads)
            test_read(&d, states[test_below(&cuts, STATES)], out, COUNT);
    }
    for (int i = 0; i < STATES; i++) {
        test_read(&d, states[i], out + (size_t)i * COUNT, COUNT);
        test_release(&d, states[i]);
    }
    test_close(&d);
}

static const way ways[] = {
    {.max_ops = 0},
    {.max_ops = 1},
    {.max_ops = 2},
    {.max_ops = 7},
    {.max_ops = 20},
    {.max_ops = 64, .reads = 10},
    {.max_ops = 64, .cuts = 3},
    {.max_ops = 33, .cuts = 20, .reads = 30},
    {.max_bytes = 1},
    {.max_bytes = 4 * COUNT * sizeof(float)},
    {.max_bytes = 6 * COUNT * sizeof(float), .max_ops = 50, .reads = 20},
    {.reads = 100},
    {.max_ops = 40, .store_bytes = 1}, /* nothing is ever kept */
    {.max_ops = 40, .cuts = 5, .store_bytes = 40000},
    {.max_ops = 40, .switches = SINTER_TINY_LIMITS | SINTER_NO_REUSE, .reads = 10},
};

static void check(uint64_t seed)
{
    const way apart = {.switches = SINTER_NO_FUSE | SINTER_FLUSH_EVERY_OP | SINTER_NO_REUSE};
    float wanted[STATES * COUNT];
    run(seed, &apart, wanted);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        float found[STATES * COUNT];
        run(seed, &ways[i], found);
        if (memcmp(found, wanted, sizeof found) != 0)
            print_error("program %u, way %u\n", (unsigned)seed, (unsigned)i);
        assert_memory_equal(found, wanted, sizeof found);
    }
}

/* test_cuts FIRST COUNT runs other programs. */
static unsigned long first_program;
static unsigned long program_count = 40;

static void cuts_change_no_bits(void **state)
{
    (void)state;
    for (unsigned long i = 0; i < program_count; i++)
        check(first_program + i);
}

/* Programs that once failed: a view that is stored under a reshape, a cut between the two, and
 * slices that were queued behind a segment whose plan had none. */
static void programs_that_once_failed(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {188, 255, 855};
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        check(seeds[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_change_no_bits),
        cmocka_unit_test(programs_that_once_failed),
    };
    if (argc == 3) {
        first_program = strtoul(argv[1], NULL, 10);
        program_count = strtoul(argv[2], NULL, 10);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
