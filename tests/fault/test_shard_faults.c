/* A program over two devices of which something fails: any allocation, any call of OpenCL, one device for good.
 * What can be read is right, nothing is left over, and the streams go on. */
#include "fault/scene.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 600
#define COLUMNS 3
#define COUNT (ROWS * COLUMNS)
#define STREAMS 3

static const cl_layer *layer;
static uint64_t step = 1; /* between the calls that are made to fail: SINTER_TEST_STEP */

/* y = -x, and w + y, of which the root adds up the rows. */
static sinter_status negate(void *user, sinter_stream *s, const sinter_shard_part *part,
                            const sinter_tensor *in, sinter_tensor *out)
{
    (void)user;
    (void)part;
    sinter_status status = sinter_neg(s, in[0], &out[0]);
    return status == SINTER_OK ? sinter_add(s, out[0], in[1], &out[1]) : status;
}

/* The results that can be read are right: returns how many. */
static int check(sinter_stream *s, const sinter_tensor *results, const float *x)
{
    float y[COUNT];
    float sums[COLUMNS];
    int reads = 0;
    if (results[0].id != 0 && sinter_tensor_read(s, results[0], y, sizeof y) == SINTER_OK) {
        for (int i = 0; i < COUNT; i++)
            assert_true(y[i] == -x[i]);
        reads++;
    }
    if (results[1].id != 0 && sinter_tensor_read(s, results[1], sums, sizeof sums) == SINTER_OK) {
        for (int k = 0; k < COLUMNS; k++) {
            float sum = 0;
            for (int i = 0; i < ROWS; i++)
                sum += (float)(k + 1) - x[i * COLUMNS + k]; /* whole numbers: in any order */
            assert_true(sums[k] == sum);
        }
        reads++;
    }
    OK(sinter_tensor_release(s, results[0]));
    OK(sinter_tensor_release(s, results[1]));
    return reads;
}

static int play_shard(sinter_stream **s, sinter_shard *shard)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    const sinter_shard_output outputs[] = {{SINTER_SHARD_CONCAT, 0}, {SINTER_SHARD_SUM, 0}};
    sinter_tensor x = {0};
    sinter_tensor w = {0};
    float data[COUNT];
    int reads = 0;
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)(i % 89 - 44);
    (void)sinter_tensor_from_host(s[0], SINTER_F32, 2, shape, data, &x);
    (void)sinter_tensor_from_host(s[0], SINTER_F32, 1, &shape[1], (float[]){1, 2, 3}, &w);
    const sinter_shard_input inputs[] = {{x, 0, 0}, {w, SINTER_SHARD_WHOLE, SINTER_SHARD_KEEP}};
    for (int run = 0; run < 2; run++) {
        sinter_tensor results[2];
        sinter_status status =
            sinter_shard_run(shard, negate, NULL, 2, inputs, 2, outputs, results);
        assert_true((status == SINTER_OK) == (results[0].id != 0 && results[1].id != 0));
        assert_true(status == SINTER_OK || (results[0].id == 0 && results[1].id == 0));
        reads += check(s[0], results, data);
    }
    OK(sinter_tensor_release(NULL, x));
    OK(sinter_tensor_release(NULL, w));
    return reads;
}

/* From nothing to nothing, whatever fails in between; returns how many of four results could be read. */
static int play(test_memory *m, const double *shares)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_shard_options so = SINTER_SHARD_OPTIONS_INIT;
    sinter_context *ctx;
    sinter_stream *s[STREAMS] = {NULL};
    sinter_shard *shard;
    sinter_stats stats = SINTER_STATS_INIT;
    int reads = 0;
    int made = 0;
    o.realloc_fn = test_count_memory;
    o.realloc_user = m;
    if (sinter_context_create(&o, &ctx) != SINTER_OK)
        return 0;
    for (; made < STREAMS; made++) {
        sinter_stream_options on = SINTER_STREAM_OPTIONS_INIT;
        on.device = (uint32_t)made % 2;
        if (sinter_stream_create(ctx, &on, &s[made]) != SINTER_OK)
            break;
    }
    so.shares = shares;
    so.granule_rows = shares != NULL ? 1 : 256;
    if (made == STREAMS && sinter_shard_create(STREAMS, s, &so, &shard) == SINTER_OK) {
        reads = play_shard(s, shard);
        sinter_shard_destroy(shard);
    }
    OK(sinter_context_stats(ctx, &stats));
    assert_int_equal(stats.live_tensors, 0);
    for (int k = 0; k < made; k++)
        (void)sinter_stream_destroy(s[k]);
    OK(sinter_context_stats(ctx, &stats));
    assert_int_equal(stats.cl_allocated_bytes, 0);
    OK(sinter_context_destroy(ctx));
    assert_int_equal(m->live_bytes, 0);
    return reads;
}

static const double uneven[STREAMS] = {3, 1, 2};

static void any_allocation_fails(void **state)
{
    (void)state;
    if (layer != NULL) { /* the same on every device: on a driver each round compiles */
        skip();
        return;
    }
    for (int fixed = 0; fixed < 2; fixed++) {
        test_memory m = {.nth = UINT64_MAX};
        assert_int_equal(play(&m, fixed ? uneven : NULL), 4);
        uint64_t calls = m.calls;
        for (uint64_t nth = 0; nth < calls; nth += step) {
            m = (test_memory){.nth = nth};
            (void)play(&m, fixed ? uneven : NULL);
        }
        m = (test_memory){.nth = UINT64_MAX};
        assert_int_equal(play(&m, uneven), 4);
    }
}

static void any_call_fails(void **state)
{
    (void)state;
    test_memory m = {.nth = UINT64_MAX};
    if (layer == NULL) {
        skip();
        return;
    }
    layer->arm(0, 0, 0);
    uint64_t before = layer->calls();
    assert_int_equal(play(&m, uneven), 4);
    uint64_t calls = layer->calls() - before;
    for (uint64_t nth = 0; nth < calls; nth += step) {
        layer->arm(nth, -5, 0); /* CL_OUT_OF_RESOURCES */
        (void)play(&m, uneven);
        assert_int_equal(layer->live(), 0);
        assert_int_equal(layer->mistakes(), 0);
    }
    layer->arm(0, 0, 0);
    assert_int_equal(play(&m, uneven), 4);
}

/* A device that fails in its part: the results have no value, or cannot be fetched. The others work, and when it
 * does again so does the shard. */
static void a_device_fails(void **state)
{
    (void)state;
    if (layer == NULL) {
        skip();
        return;
    }
    for (uint32_t lost = 0; lost < 2; lost++) {
        const int64_t shape[] = {ROWS, COLUMNS};
        const sinter_shard_output outputs[] = {{SINTER_SHARD_CONCAT, 0}, {SINTER_SHARD_SUM, 0}};
        test_device d = test_open(NULL);
        sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
        sinter_stream *s[2] = {d.s};
        sinter_shard *shard;
        sinter_shard *alone;
        sinter_tensor results[2];
        float data[COUNT];
        for (int i = 0; i < COUNT; i++)
            data[i] = (float)(i % 7);
        o.device = 1;
        OK(sinter_stream_create(d.ctx, &o, &s[1]));
        OK(sinter_shard_create(2, s, NULL, &shard));
        OK(sinter_shard_create(1, &s[1 - lost], NULL, &alone));
        test_device good = {.ctx = d.ctx, .s = s[1 - lost]};
        sinter_tensor x = test_floats(&good, 2, shape, data);
        sinter_tensor w;
        OK(sinter_tensor_from_host(good.s, SINTER_F32, 1, &shape[1], (float[]){1, 2, 3}, &w));
        const sinter_shard_input inputs[] = {{x, 0, SINTER_SHARD_KEEP},
                                             {w, SINTER_SHARD_WHOLE, SINTER_SHARD_KEEP}};
        OK(sinter_shard_run(shard, negate, NULL, 2, inputs, 2, outputs, results));
        assert_int_equal(check(s[0], results, data), 2); /* what is kept is there */
        layer->lose(lost, -36);                          /* CL_INVALID_COMMAND_QUEUE */
        for (int run = 0; run < 2; run++) {
            sinter_status status =
                sinter_shard_run(shard, negate, NULL, 2, inputs, 2, outputs, results);
            assert_true(status == SINTER_OK || status == SINTER_EDEVICE);
            assert_int_equal(check(s[0], results, data), 0);
            OK(sinter_shard_run(alone, negate, NULL, 2, inputs, 2, outputs, results));
            assert_int_equal(check(good.s, results, data), 2);
        }
        assert_true(layer->failed() > 0);
        layer->arm(0, 0, 0);
        (void)sinter_stream_sync(s[lost]);
        OK(sinter_shard_run(shard, negate, NULL, 2, inputs, 2, outputs, results));
        assert_int_equal(check(s[0], results, data), 2);
        test_release(&good, x);
        test_release(&good, w);
        sinter_shard_destroy(alone);
        sinter_shard_destroy(shard);
        OK(sinter_stream_destroy(s[1]));
        test_close(&d);
        assert_int_equal(layer->live(), 0);
    }
}

int main(void)
{
    test_promise_pause(); /* calls are counted until one fails */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_fails),
        cmocka_unit_test(any_call_fails),
        cmocka_unit_test(a_device_fails),
    };
    layer = test_cl_layer();
    const char *text = getenv("SINTER_TEST_STEP");
    if (text != NULL)
        step = strtoull(text, NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
