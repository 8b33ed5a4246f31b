/* A program that repeats is recognised: from the third iteration on nothing is planned, nothing is
 * compiled, and neither the host nor OpenCL gives anything. */
#include "support/cl_layer.h"
#include "support/support.h"

#define WARM 2
#define TIMES 4
#define PLAN_BITS 8
#define PLANS (1u << PLAN_BITS)

/* One context for all: what one test has taught is cold for the next only where shapes, streams or
 * cuts differ, which is what each looks at. */
static test_device shared;

static int open_shared(void **state)
{
    (void)state;
    shared = test_open(NULL);
    return 0;
}

static int close_shared(void **state)
{
    (void)state;
    test_close(&shared);
    return 0;
}

/* A model of one layer, trained by gradient descent with momentum. */
typedef struct model {
    const test_device *d;
    sinter_stream *s;
    sinter_tensor w;        /* [n, k] */
    sinter_tensor momentum; /* [n, k] */
    sinter_tensor x;        /* [batch, n] */
    sinter_tensor target;   /* [batch, k] */
    int64_t batch;
    float loss;
} model;

#define N 12
#define K 7

static sinter_tensor upload(const model *m, int64_t rows, int64_t columns)
{
    test_device d = {.ctx = m->d->ctx, .s = m->s};
    const int64_t shape[] = {rows, columns};
    return test_floats(&d, 2, shape, NULL);
}

static void new_batch(model *m, int64_t batch)
{
    OK(sinter_tensor_release(m->s, m->x));
    OK(sinter_tensor_release(m->s, m->target));
    m->batch = batch;
    m->x = upload(m, batch, N);
    m->target = upload(m, batch, K);
}

static model start(const test_device *d, sinter_stream *s)
{
    model m = {.d = d, .s = s};
    m.w = upload(&m, N, K);
    m.momentum = upload(&m, N, K);
    new_batch(&m, 5);
    return m;
}

static void finish(model *m)
{
    OK(sinter_tensor_release(m->s, m->w));
    OK(sinter_tensor_release(m->s, m->momentum));
    OK(sinter_tensor_release(m->s, m->x));
    OK(sinter_tensor_release(m->s, m->target));
}

/* *x = y, whose reference is taken over. */
static void take(const model *m, sinter_tensor *x, sinter_tensor y)
{
    OK(sinter_tensor_release(m->s, *x));
    *x = y;
}

/* error = tanh(x @ w) - target; gradient = transpose(x) @ error */
static void gradient(const model *m, sinter_tensor *error, sinter_tensor *out)
{
    static const int swap[] = {1, 0};
    sinter_tensor t = {0};
    sinter_tensor y;
    OK(sinter_matmul(m->s, m->x, m->w, &t));
    OK(sinter_tanh(m->s, t, &y));
    take(m, &t, y);
    OK(sinter_sub(m->s, t, m->target, error));
    OK(sinter_transpose(m->s, m->x, swap, &y));
    take(m, &t, y);
    OK(sinter_matmul(m->s, t, *error, out));
    OK(sinter_tensor_release(m->s, t));
}

/* momentum = momentum * 0.9 + gradient; w = w - momentum * 0.01: both in place. */
static void update(model *m, sinter_tensor gradient)
{
    sinter_tensor t = {0};
    sinter_tensor next;
    OK(sinter_mul_scalar(m->s, m->momentum, 0.9, &t));
    OK(sinter_add(m->s, t, gradient, &next));
    take(m, &m->momentum, next);
    OK(sinter_mul_scalar(m->s, m->momentum, 0.01, &next));
    take(m, &t, next);
    OK(sinter_sub(m->s, m->w, t, &next));
    take(m, &m->w, next);
    OK(sinter_tensor_release(m->s, t));
}

static void step(model *m, bool reads)
{
    sinter_tensor error;
    sinter_tensor g;
    sinter_tensor t = {0};
    sinter_tensor loss;
    gradient(m, &error, &g);
    update(m, g);
    OK(sinter_square(m->s, error, &t));
    OK(sinter_mean(m->s, t, 0, NULL, false, &loss));
    if (reads)
        OK(sinter_tensor_read(m->s, loss, &m->loss, sizeof m->loss));
    OK(sinter_tensor_release(m->s, t));
    OK(sinter_tensor_release(m->s, loss));
    OK(sinter_tensor_release(m->s, error));
    OK(sinter_tensor_release(m->s, g));
}

static void assert_free(const sinter_stats *before, const sinter_stats *after)
{
    assert_int_equal(after->compiles, before->compiles);
    assert_int_equal(after->plan_misses, before->plan_misses);
    assert_int_equal(after->plan_hits - before->plan_hits, after->cuts - before->cuts);
    assert_true(after->cuts > before->cuts);
    assert_int_equal(after->fallbacks, before->fallbacks);
    if (!test_is_pooled())
        return;
    assert_int_equal(after->host_allocations, before->host_allocations);
    assert_int_equal(after->cl_objects_created, before->cl_objects_created);
    assert_int_equal(after->cl_allocated_bytes, before->cl_allocated_bytes);
    assert_int_equal(after->pool_bytes, before->pool_bytes);
}

static void steps(model *m, int count)
{
    for (int i = 0; i < count; i++)
        step(m, true);
}

/* The error with its product, the loss, the update with the product that gives the gradient. The
 * arguments of the first and the last are more bytes than some devices take. */
static unsigned step_launches(void)
{
    return test_takes_few_arguments() ? 5 : 3;
}

static void a_training_loop_is_free(void **state)
{
    (void)state;
    test_device d = shared;
    model m = start(&d, d.s);
    steps(&m, WARM);
    sinter_stats before = test_stats(&d);
    steps(&m, TIMES);
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    DECIDES(after.cuts - before.cuts, TIMES);
    DECIDES(after.launches - before.launches, TIMES * step_launches());
    if (test_reuses())
        DECIDES(after.donations - before.donations, TIMES * 2); /* the momentum and w */
    finish(&m);
}

/* The kernels keep their arguments: a step that repeats sets none. */
static void a_replay_sets_no_argument(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    test_device d = shared;
    if (layer == NULL || !test_is_plain() ||
        !test_is_pooled()) { /* apart, each tensor is another */
        skip();
        return;
    }
    model m = start(&d, d.s);
    steps(&m, WARM + 1);
    uint64_t calls = layer->calls();
    step(&m, true);
    calls = layer->calls() - calls;
    layer->arm_named("clSetKernelArg", -1);
    uint64_t before = layer->calls();
    steps(&m, TIMES);
    assert_int_equal(layer->calls() - before, TIMES * calls);
    assert_int_equal(layer->failed(), 0);
    /* The launches, the read, and where it is wanted a flush. */
    assert_in_range(calls, step_launches() + 1, step_launches() + 2);
    new_batch(&m, 6);
    layer->arm_named("clSetKernelArg", -1);
    step(&m, false);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(d.s));
    assert_true(layer->failed() > 0);
    layer->arm(0, 0, 0);
    finish(&m);
}

/* Plans that begin alike and end differently, many on one stream, are each found again. */
static void plans_with_a_common_beginning_are_found(void **state)
{
    (void)state;
    test_device d = shared;
    const int64_t empty[] = {0, 4};
    sinter_tensor x = test_floats(&d, 2, empty, NULL);
    sinter_stats before = {0};
    for (uint32_t i = 0; i < 2 * PLANS; i++) {
        sinter_tensor t = {0};
        if (i == PLANS)
            before = test_stats(&d);
        for (uint32_t bit = 0; bit < 2 * PLAN_BITS; bit++) {
            sinter_tensor next;
            bool one = bit >= PLAN_BITS && (i % PLANS >> (bit - PLAN_BITS) & 1) != 0;
            OK(one ? sinter_mul(d.s, t.id != 0 ? t : x, x, &next)
                   : sinter_add(d.s, t.id != 0 ? t : x, x, &next));
            OK(sinter_tensor_release(d.s, t));
            t = next;
        }
        OK(sinter_stream_flush(d.s));
        test_release(&d, t);
    }
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    DECIDES(after.plan_hits - before.plan_hits, PLANS);
    test_release(&d, x);
}

/* Four rows or more, on a GPU more than eight: below that a product has tiles of one row, which is
 * another kernel. */
static void a_new_batch_size_compiles_nothing(void **state)
{
    (void)state;
    test_device d = shared;
    const int64_t sizes[] = {9, test_is_gpu_style() ? 12 : 4, 64, 33, 100};
    model m = start(&d, d.s);
    new_batch(&m, 16);
    steps(&m, WARM);
    uint64_t compiles = test_stats(&d).compiles;
    uint64_t misses = test_stats(&d).plan_misses;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        new_batch(&m, sizes[i]);
        steps(&m, WARM);
        sinter_stats before = test_stats(&d);
        steps(&m, 2);
        sinter_stats after = test_stats(&d);
        assert_free(&before, &after);
        assert_int_equal(after.compiles, compiles);
        assert_int_equal(after.plan_misses, misses);
    }
    finish(&m);
}

/* Batches of two sizes in turn, each uploaded anew: every step binds its plan again. On a GPU their
 * products have tiles of two classes, and the objects of both kernels are kept. */
static void two_batch_sizes_in_turn_are_free(void **state)
{
    (void)state;
    test_device d = shared;
    model m = start(&d, d.s);
    sinter_stats before = {0};
    for (int i = 0; i < 2 * (WARM + TIMES); i++) {
        new_batch(&m, i % 2 == 0 ? 5 : 11);
        if (i == 2 * WARM)
            before = test_stats(&d);
        step(&m, true);
    }
    sinter_stats after = test_stats(&d);
    before.pool_bytes = after.pool_bytes; /* of another batch */
    assert_free(&before, &after);
    finish(&m);
}

/* Plans are shared between streams; the second one only makes kernel objects of its own. */
static void two_streams_in_turn_are_free(void **state)
{
    (void)state;
    test_device d = shared;
    sinter_stream *other;
    OK(sinter_stream_create(d.ctx, NULL, &other));
    model a = start(&d, d.s);
    model b = start(&d, other);
    steps(&a, WARM);
    sinter_stats first = test_stats(&d);
    steps(&b, WARM);
    sinter_stats before = test_stats(&d);
    assert_int_equal(before.compiles, first.compiles);
    assert_int_equal(before.plan_misses, first.plan_misses);
    for (int i = 0; i < TIMES; i++) {
        step(&a, true);
        step(&b, true);
        assert_true(a.loss == b.loss);
    }
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    finish(&a);
    finish(&b);
    OK(sinter_stream_destroy(other));
}

static void a_loop_with_scopes_is_free(void **state)
{
    (void)state;
    test_device d = shared;
    model m = start(&d, d.s);
    sinter_stats before = {0};
    for (int i = 0; i < WARM + TIMES; i++) {
        sinter_tensor error;
        sinter_tensor g;
        sinter_tensor t;
        sinter_tensor next;
        sinter_tensor loss;
        if (i == WARM)
            before = test_stats(&d);
        OK(sinter_scope_open(d.s));
        gradient(&m, &error, &g);
        OK(sinter_mul_scalar(d.s, g, 0.01, &t));
        OK(sinter_sub(d.s, m.w, t, &next));
        OK(sinter_square(d.s, error, &t));
        OK(sinter_sum(d.s, t, 0, NULL, false, &loss));
        OK(sinter_scope_close(d.s, 2, (sinter_tensor[]){next, loss}));
        take(&m, &m.w, next);
        test_read(&d, loss, &m.loss, 1);
        test_release(&d, loss);
    }
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    finish(&m);
}

/* Nothing is read for a hundred steps: the queue is cut by its limits, at the same places again and
 * again. */
static void a_loop_without_reads_is_free(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.max_pending_ops = 64;
    test_device d = test_open(&options);
    model m = start(&d, d.s);
    for (int i = 0; i < 20; i++)
        step(&m, false);
    sinter_stats before = test_stats(&d);
    for (int i = 0; i < 20; i++)
        step(&m, false);
    sinter_stats after = test_stats(&d);
    before.pool_bytes = after.pool_bytes; /* pending or not */
    assert_free(&before, &after);
    step(&m, true);
    float loss = m.loss;
    finish(&m);
    test_close(&d);

    d = shared; /* the same with a read in each step */
    m = start(&d, d.s);
    steps(&m, 41);
    assert_memory_equal(&loss, &m.loss, sizeof loss);
    finish(&m);
}

static void flushing_each_step_is_free(void **state)
{
    (void)state;
    test_device d = shared;
    model m = start(&d, d.s);
    sinter_stats before = {0};
    for (int i = 0; i < WARM + TIMES; i++) {
        if (i == WARM)
            before = test_stats(&d);
        step(&m, false);
        OK(sinter_stream_flush(d.s));
    }
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    OK(sinter_stream_sync(d.s));
    finish(&m);
}

/* Scalars are arguments of a kernel: a learning rate that changes changes nothing else. */
static void other_scalars_are_the_same_plan(void **state)
{
    (void)state;
    test_device d = shared;
    const int64_t shape[] = {100};
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    float in[100];
    float out[100];
    sinter_stats before = {0};
    test_read(&d, x, in, 100);
    for (int i = 0; i < WARM + TIMES; i++) {
        sinter_tensor t;
        sinter_tensor y;
        if (i == WARM)
            before = test_stats(&d);
        OK(sinter_mul_scalar(d.s, x, 0.5 + i, &t));
        OK(sinter_add_scalar(d.s, t, i, &y));
        test_release(&d, t);
        test_read(&d, y, out, 100);
        test_release(&d, y);
        for (int k = 0; k < 100; k++) {
            float product = in[k] * (0.5f + (float)i);
            assert_true(out[k] == product + (float)i);
        }
    }
    sinter_stats after = test_stats(&d);
    assert_free(&before, &after);
    test_release(&d, x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_training_loop_is_free),
        cmocka_unit_test(a_replay_sets_no_argument),
        cmocka_unit_test(plans_with_a_common_beginning_are_found),
        cmocka_unit_test(a_new_batch_size_compiles_nothing),
        cmocka_unit_test(two_batch_sizes_in_turn_are_free),
        cmocka_unit_test(two_streams_in_turn_are_free),
        cmocka_unit_test(a_loop_with_scopes_is_free),
        cmocka_unit_test(a_loop_without_reads_is_free),
        cmocka_unit_test(flushing_each_step_is_free),
        cmocka_unit_test(other_scalars_are_the_same_plan),
    };
    return cmocka_run_group_tests(tests, open_shared, close_shared);
}
