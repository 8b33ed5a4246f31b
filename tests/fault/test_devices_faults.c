/* Two devices, of which one fails: its tensors have no value, and the other goes on. Then any single call
 * of either fails: every value that can be read is right, and nothing is left over. */
#include "fault/scene.h"

#include <stdlib.h>
#include <string.h>

#define COUNT 16

static const cl_layer *layer;
static const int64_t shape[] = {COUNT};
static uint64_t step = 1; /* between the calls that are made to fail: SINTER_TEST_STEP */

typedef struct pair {
    test_device a, b;
} pair;

/* Devices 0 and 1, each with a stream. */
static pair open_pair(void)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_stream_options so = SINTER_STREAM_OPTIONS_INIT;
    pair p = {.a = test_open(&o)};
    p.b.ctx = p.a.ctx;
    so.device = 1;
    OK(sinter_stream_create(p.a.ctx, &so, &p.b.s));
    return p;
}

static void close_pair(pair *p)
{
    OK(sinter_stream_destroy(p->b.s));
    test_close(&p->a);
    assert_int_equal(layer->live(), 0);
    assert_int_equal(layer->mistakes(), 0);
}

static void works(const test_device *d, sinter_tensor x)
{
    float in[COUNT];
    float out[COUNT];
    sinter_tensor y;
    test_read(d, x, in, COUNT);
    OK(sinter_neg(d->s, x, &y));
    test_read(d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == -in[i]);
    test_release(d, y);
}

static void a_device_that_fails_leaves_the_other_alone(void **state)
{
    (void)state;
    for (uint32_t lost = 0; lost < 2; lost++) {
        float out[COUNT];
        pair p = open_pair();
        const test_device *bad = lost == 0 ? &p.a : &p.b;
        const test_device *good = lost == 0 ? &p.b : &p.a;
        sinter_tensor x = test_floats(bad, 1, shape, NULL);
        sinter_tensor y = test_floats(good, 1, shape, NULL);
        sinter_tensor z;
        sinter_tensor after = {0};
        works(bad, x);
        works(good, y);
        layer->lose(lost, -36); /* CL_INVALID_COMMAND_QUEUE */
        OK(sinter_neg(bad->s, x, &z));
        works(good, y);
        FAILS(SINTER_EDEVICE, sinter_tensor_read(bad->s, z, out, sizeof out));
        OK(sinter_neg(good->s, z, &after)); /* it has no value: neither has this */
        FAILS(SINTER_EDEVICE, sinter_tensor_read(good->s, after, out, sizeof out));
        test_release(good, after);
        sinter_tensor apart;
        OK(sinter_neg(good->s, y, &apart));
        OK(sinter_neg(good->s, x, &after)); /* it cannot be brought over */
        test_read(good, apart, out, COUNT); /* by the segment that could not */
        test_release(good, apart);
        for (int again = 0; again < 2; again++) {
            FAILS(SINTER_EDEVICE, sinter_tensor_read(good->s, after, out, sizeof out));
            assert_true(strstr(sinter_last_error(), "a copy from device") != NULL);
        }
        test_release(good, after);
        OK(sinter_stream_sync(good->s));   /* told already */
        OK(sinter_neg(bad->s, y, &after)); /* nor this */
        FAILS(SINTER_EDEVICE, sinter_tensor_read(bad->s, after, out, sizeof out));
        test_release(bad, after);
        works(good, y);
        assert_true(layer->failed() > 0);
        layer->arm(0, 0, 0);
        (void)sinter_stream_sync(bad->s);
        works(bad, x); /* what was there before is still there */
        works(good, y);
        test_release(bad, x);
        test_release(good, y);
        test_release(bad, z);
        close_pair(&p);
    }
}

/* What is used where, step by step; whatever fails, values that are read are right. Returns how many
 * were. */
static int play(sinter_context *ctx)
{
    float in[COUNT];
    float out[COUNT];
    int reads = 0;
    sinter_stream *s[2] = {NULL, NULL};
    sinter_tensor t[5] = {{0}};
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)(i + 1);
    for (o.device = 0; o.device < 2; o.device++)
        (void)sinter_stream_create(ctx, &o, &s[o.device]);
    if (s[0] != NULL && s[1] != NULL) {
        (void)sinter_tensor_from_host(s[0], SINTER_F32, 1, shape, in, &t[0]);
        (void)sinter_neg(s[0], t[0], &t[1]);
        (void)sinter_add(s[1], t[1], t[0], &t[2]); /* 0 */
        (void)sinter_tensor_to(s[1], t[0], &t[3]); /* x */
        (void)sinter_sub(s[0], t[3], t[2], &t[4]); /* x */
        static const float factors[] = {1, -1, 0, 1, 1};
        for (int k = 0; k < 5; k++) {
            if (t[k].id == 0 || sinter_tensor_read(s[k % 2], t[k], out, sizeof out) != SINTER_OK)
                continue;
            reads++;
            for (int i = 0; i < COUNT; i++)
                assert_true(out[i] == factors[k] * in[i]);
        }
    }
    for (int k = 0; k < 5; k++)
        OK(sinter_tensor_release(NULL, t[k]));
    for (int i = 0; i < 2; i++)
        (void)sinter_stream_destroy(s[i]);
    return reads;
}

/* A context with two devices, or none; it is closed whatever happened in it. */
static int play_all(void)
{
    sinter_context *ctx;
    int reads = 0;
    if (sinter_context_create(NULL, &ctx) == SINTER_OK) {
        sinter_stats stats = SINTER_STATS_INIT;
        reads = play(ctx);
        OK(sinter_context_stats(ctx, &stats));
        assert_int_equal(stats.live_tensors, 0);
        assert_int_equal(stats.cl_allocated_bytes, 0);
        OK(sinter_context_destroy(ctx));
    }
    assert_int_equal(layer->live(), 0);
    assert_int_equal(layer->mistakes(), 0);
    return reads;
}

static void any_call_fails(void **state)
{
    (void)state;
    layer->arm(0, 0, 0);
    uint64_t before = layer->calls();
    assert_int_equal(play_all(), 5);
    uint64_t calls = layer->calls() - before;
    for (uint64_t nth = 0; nth < calls; nth += step) {
        layer->arm(nth, -5, 0); /* CL_OUT_OF_RESOURCES */
        (void)play_all();
        assert_int_equal(layer->failed(), 1);
    }
    layer->arm(0, 0, 0);
    assert_int_equal(play_all(), 5);
}

int main(void)
{
    test_promise_pause(); /* calls are counted until one fails */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_fails_leaves_the_other_alone),
        cmocka_unit_test(any_call_fails),
    };
    layer = test_cl_layer();
    if (layer == NULL) {
        print_message("skipped: not on top of the OpenCL library for tests\n");
        return 77;
    }
    const char *text = getenv("SINTER_TEST_STEP");
    if (text != NULL)
        step = strtoull(text, NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
