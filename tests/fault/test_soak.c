/* A long life: the same round of work over and over, of several shapes, on several streams, with and
 * without reads. What the library holds after a tenth of it is what it holds at the end: host bytes,
 * OpenCL objects, device bytes.
 *
 *   test_soak [OPERATIONS] */
#include "support/support.h"

#include <stdlib.h>

#define SHAPES 5
#define STREAMS 2

static uint64_t operations = 50000;

typedef struct held {
    uint64_t host_bytes;
    uint64_t cl_objects;
    uint64_t device_bytes;
    uint64_t tensors;
    uint64_t plans;
} held;

static test_memory memory = {.nth = UINT64_MAX};

static held look(const test_device *d)
{
    sinter_stats s = test_stats(d);
    return (held){.host_bytes = memory.live_bytes,
                  .cl_objects = s.cl_objects_live,
                  .device_bytes = s.cl_allocated_bytes,
                  .tensors = s.live_tensors,
                  .plans = s.plan_count};
}

/* An optimiser's step: the parameters take their own place, or nearly. */
static void train(sinter_stream *s, sinter_tensor *w, sinter_tensor x, bool read)
{
    sinter_tensor h;
    sinter_tensor g;
    sinter_tensor next;
    float norm;
    const int axis[] = {0};
    OK(sinter_scope_open(s));
    OK(sinter_mul(s, x, *w, &h));
    OK(sinter_tanh(s, h, &h));
    OK(sinter_mean(s, h, 1, axis, false, &g));
    OK(sinter_mul_scalar(s, g, 0.01, &g));
    OK(sinter_sub(s, *w, g, &next));
    if (read) {
        OK(sinter_square(s, next, &h));
        OK(sinter_sum(s, h, 0, NULL, false, &h));
        OK(sinter_tensor_read(s, h, &norm, sizeof norm));
        assert_true(norm >= 0.0f);
    }
    OK(sinter_scope_close(s, 1, &next));
    OK(sinter_tensor_release(s, *w));
    *w = next;
}

/* Every shape; a view; on each stream parameters of its own, which the other stream reads once they
 * are there. */
static void turn(const test_device *d, sinter_stream *const *streams, sinter_tensor *w)
{
    static const int64_t batches[SHAPES] = {1, 3, 8, 17, 64};
    for (int i = 0; i < SHAPES; i++) {
        const int64_t shape[] = {batches[i], 24};
        sinter_stream *s = streams[i % STREAMS];
        sinter_tensor x = test_floats(d, 2, shape, NULL);
        sinter_tensor back;
        OK(sinter_scope_open(s));
        OK(sinter_transpose(s, x, NULL, &back));
        OK(sinter_abs(s, back, &back));
        OK(sinter_transpose(s, back, NULL, &back));
        OK(sinter_scope_close(s, 1, &back));
        train(s, &w[i % STREAMS], back, i == 2);
        OK(sinter_tensor_release(s, back));
        OK(sinter_tensor_release(NULL, x));
    }
    OK(sinter_stream_sync(streams[0]));
    float all[24];
    OK(sinter_tensor_read(streams[1], w[0], all, sizeof all));
}

static void what_is_held_stays_the_same(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    const int64_t shape[] = {24};
    sinter_stream *streams[STREAMS];
    options.realloc_fn = test_count_memory;
    options.realloc_user = &memory;
    options.max_pending_ops = 512; /* the stream that never waits meets it within a tenth */
    test_device d = test_open(&options);
    streams[0] = d.s;
    OK(sinter_stream_create(d.ctx, NULL, &streams[1]));
    sinter_tensor w[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        w[i] = test_floats(&d, 1, shape, NULL);
    held tenth = {0};
    while (test_stats(&d).ops < operations) {
        turn(&d, streams, w);
        if (tenth.plans == 0 && test_stats(&d).ops >= operations / 10)
            tenth = look(&d);
    }
    held end = look(&d);
    assert_true(tenth.plans > 0);
    assert_int_equal(end.host_bytes, tenth.host_bytes);
    assert_int_equal(end.cl_objects, tenth.cl_objects);
    assert_int_equal(end.device_bytes, tenth.device_bytes);
    assert_int_equal(end.tensors, tenth.tensors);
    assert_int_equal(end.plans, tenth.plans);
    test_release(&d, w[0]);
    test_release(&d, w[1]);
    OK(sinter_stream_destroy(streams[1]));
    test_close(&d);
    assert_int_equal(memory.live_bytes, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_held_stays_the_same)};
    if (argc > 1)
        operations = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
