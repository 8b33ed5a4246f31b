/* Two devices, of which one fails: its tensors have no value, and the other goes on. Then any single call
 * of either fails: every value that can be read is right, and nothing is left over. */
#include "fault/scene.h"

#include <stdlib.h>
#include <string.h>

#define COUNT 16

static const cl_layer *layer;
static const int64_t shape[] = {COUNT};
static const char *failed_call; /* NULL: none has failed yet */
static uint64_t step = 1;       /* between the calls that are made to fail: SINTER_TEST_STEP */

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

/* The source's queue has failed by the time that the copy is made, as its mark says. */
static void a_source_that_has_failed_is_not_copied(void **state)
{
    (void)state;
    float out[COUNT];
    pair p = open_pair();
    sinter_tensor x = test_floats(&p.a, 1, shape, NULL);
    sinter_tensor y = test_floats(&p.b, 1, shape, NULL);
    sinter_tensor made;
    sinter_tensor there;
    sinter_tensor apart;
    works(&p.a, x);
    works(&p.b, y);
    OK(sinter_neg(p.a.s, x, &made));
    OK(sinter_neg(p.b.s, made, &there));
    OK(sinter_exp(p.b.s, y, &apart));
    layer->arm_named("clGetEventInfo", -14); /* CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST */
    OK(sinter_stream_flush(p.b.s));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(p.b.s, there, out, sizeof out));
    assert_true(strstr(sinter_last_error(), "a copy from device") != NULL);
    test_read(&p.b, apart, out, COUNT);
    (void)sinter_stream_sync(p.a.s); /* which has lost it as well */
    FAILS(SINTER_EDEVICE, sinter_tensor_read(p.a.s, made, out, sizeof out));
    works(&p.b, y);
    test_release(&p.a, x);
    test_release(&p.b, y);
    test_release(&p.a, made);
    test_release(&p.b, there);
    test_release(&p.b, apart);
    close_pair(&p);
}

/* The device fails in writing a copy, which is known later: it is lost, and the one before is not. */
static void a_copy_whose_write_fails_late_is_lost(void **state)
{
    (void)state;
    float out[COUNT];
    pair p = open_pair();
    sinter_tensor x = test_floats(&p.a, 1, shape, NULL);
    sinter_tensor y;
    sinter_tensor z;
    OK(sinter_tensor_to(p.b.s, x, &y));
    OK(sinter_stream_sync(p.b.s));
    OK(sinter_tensor_to(p.b.s, x, &z));
    OK(sinter_stream_flush(p.b.s));
    layer->arm_named("clGetEventInfo", -14);
    FAILS(SINTER_EDEVICE, sinter_stream_sync(p.b.s));
    layer->arm(0, 0, 0);
    FAILS(SINTER_EDEVICE, sinter_tensor_read(p.b.s, z, out, sizeof out));
    test_read(&p.b, y, out, COUNT);
    works(&p.b, y);
    test_release(&p.a, x);
    test_release(&p.b, y);
    test_release(&p.b, z);
    close_pair(&p);
}

/* A program of two streams on each device, which share what they make: streams 0 and 1 are the first device's. */
#define STREAMS 4
#define STEPS 10

typedef enum call { UPLOAD, NEGATE, ADD, SUBTRACT, MOVE } call;

static const struct {
    call call;
    int stream;
    int of, with; /* steps before; -1: none */
    float factor; /* of the numbers that were uploaded */
} program[STEPS] = {
    {UPLOAD, 0, -1, -1, 1},  {NEGATE, 0, 0, -1, -1}, {SUBTRACT, 1, 0, 1, 2}, {UPLOAD, 3, -1, -1, 1},
    {ADD, 2, 1, 0, 0},       {SUBTRACT, 3, 3, 4, 1}, {ADD, 0, 5, 2, 3},      {MOVE, 2, 0, -1, 1},
    {SUBTRACT, 1, 3, 6, -2}, {ADD, 2, 7, 3, 2},
};

typedef struct played {
    sinter_context *ctx;
    sinter_stream *s[STREAMS];
    sinter_tensor t[STEPS];
    bool lost[STEPS]; /* no value, though nothing fails any more */
} played;

static void queue(played *p, int i, const float *in)
{
    sinter_stream *s = p->s[program[i].stream];
    sinter_tensor a = program[i].of >= 0 ? p->t[program[i].of] : (sinter_tensor){0};
    sinter_tensor b = program[i].with >= 0 ? p->t[program[i].with] : (sinter_tensor){0};
    sinter_status status = SINTER_OK;
    switch (program[i].call) {
    case UPLOAD:
        status = sinter_tensor_from_host(s, SINTER_F32, 1, shape, in, &p->t[i]);
        break;
    case NEGATE:
        status = sinter_neg(s, a, &p->t[i]);
        break;
    case ADD:
        status = sinter_add(s, a, b, &p->t[i]);
        break;
    case SUBTRACT:
        status = sinter_sub(s, a, b, &p->t[i]);
        break;
    default:
        status = sinter_tensor_to(s, a, &p->t[i]);
        break;
    }
    assert_true((status == SINTER_OK) == (p->t[i].id != 0));
    if (i == STEPS / 2) /* some of it runs early, and has been waited for */
        (void)sinter_stream_sync(s);
}

/* Whether there is a value: then it is right. */
static bool reads(played *p, int i, const float *in)
{
    float out[COUNT];
    sinter_stream *s = p->s[(program[i].stream + i) % STREAMS];
    if (p->t[i].id == 0 || sinter_tensor_read(s, p->t[i], out, sizeof out) != SINTER_OK)
        return false;
    for (int k = 0; k < COUNT; k++)
        assert_true(out[k] == program[i].factor * in[k]);
    return true;
}

/* Whether it is when the host waits, or asks what has become of earlier commands, that call `name` fails. */
static bool is_late(const char *name)
{
    static const char *const late[] = {"clFinish", "clWaitForEvents", "clGetEventInfo",
                                       "clEnqueueReadBuffer", "clEnqueueMapBuffer"};
    bool found = false;
    for (size_t i = 0; i < sizeof late / sizeof *late; i++)
        found = found || strcmp(name, late[i]) == 0;
    return found;
}

/* Whether `stream` uses what `other` makes: it may be the one that hears of a late failure of the other's, and holds
 * for lost what came after. */
static bool follows(int stream, int other)
{
    bool found = false;
    for (int i = 0; i < STEPS; i++) {
        const int operands[] = {program[i].of, program[i].with};
        for (int k = 0; k < 2 && program[i].stream == stream; k++)
            found = found || (operands[k] >= 0 && program[operands[k]].stream == other);
    }
    return found;
}

/* The steps without a value that depend on none without, if they are of `stream`, or of one that follows it when
 * the failure came late; else -1. */
static int count_roots(const played *p, int stream)
{
    int roots = 0;
    for (int i = 0; i < STEPS; i++) {
        int of = program[i].of;
        int with = program[i].with;
        if (!p->lost[i] || (of >= 0 && p->lost[of]) || (with >= 0 && p->lost[with]))
            continue;
        if (program[i].stream != stream &&
            !(is_late(failed_call) && follows(program[i].stream, stream)))
            return -1;
        roots++;
    }
    return roots;
}

/* One call has failed. Where that was known at once, one result has no value, and what depends on it; a failure that
 * came late takes what one stream had made, or those that follow it, and what depends on that. */
static void one_stream_lost(const played *p)
{
    int roots = -1;
    for (int i = 0; i < STREAMS && roots < 0; i++)
        roots = count_roots(p, i);
    if (roots < 0)
        fail_msg("more than one stream has lost values: %s failed", failed_call);
    if (roots > 1 && !is_late(failed_call))
        fail_msg("%d results are lost that do not depend on each other: %s failed", roots,
                 failed_call);
}

/* Every stream goes on: the failure is told once, and then there is none. */
static void goes_on(const played *p)
{
    for (int i = 0; i < STREAMS; i++) {
        test_device d = {.ctx = p->ctx, .s = p->s[i]};
        (void)sinter_stream_sync(d.s);
        OK(sinter_stream_sync(d.s));
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        works(&d, x);
        test_release(&d, x);
    }
}

/* Plays it, whatever fails; `forever`: with all that follows. Returns how many steps have a value. */
static int play(sinter_context *ctx, bool forever)
{
    float in[COUNT];
    int values = 0;
    bool complete = true;
    played p = {.ctx = ctx};
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)(i + 1);
    for (uint32_t i = 0; i < STREAMS; i++) {
        o.device = i / 2;
        complete = sinter_stream_create(ctx, &o, &p.s[i]) == SINTER_OK && complete;
    }
    for (int i = 0; i < STEPS && complete; i++)
        queue(&p, i, in);
    for (int i = 0; i < STEPS && complete; i++)
        p.lost[i] = !reads(&p, i, in);
    if (layer->failed() > 0)
        failed_call = layer->first();
    if (complete && failed_call != NULL) {
        layer->arm(0, 0, 0);
        for (int i = 0; i < STEPS; i++) /* a read that failed is no loss */
            p.lost[i] = !reads(&p, i, in);
        if (!forever)
            one_stream_lost(&p);
        goes_on(&p);
    }
    for (int i = 0; i < STEPS; i++)
        values += complete && !p.lost[i];
    for (int i = 0; i < STEPS; i++)
        OK(sinter_tensor_release(NULL, p.t[i]));
    for (int i = 0; i < STREAMS; i++)
        (void)sinter_stream_destroy(p.s[i]);
    return values;
}

/* A context with two devices, or none; it is closed whatever happened in it. */
static int play_all(bool forever)
{
    sinter_context *ctx;
    int values = 0;
    failed_call = NULL;
    if (sinter_context_create(NULL, &ctx) == SINTER_OK) {
        sinter_stats stats = SINTER_STATS_INIT;
        values = play(ctx, forever);
        OK(sinter_context_stats(ctx, &stats));
        assert_int_equal(stats.live_tensors, 0);
        assert_int_equal(stats.cl_allocated_bytes, 0);
        OK(sinter_context_destroy(ctx));
    }
    assert_int_equal(layer->live(), 0);
    assert_int_equal(layer->mistakes(), 0);
    return values;
}

static void sweep(bool forever)
{
    static const int errors[] = {-4, -5, -6, -36, -38, -54, -9999};
    layer->arm(0, 0, 0);
    uint64_t before = layer->calls();
    assert_int_equal(play_all(false), STEPS);
    uint64_t calls = layer->calls() - before;
    for (uint64_t nth = 0; nth < calls; nth += step) {
        layer->arm(nth, errors[nth / step % (sizeof errors / sizeof *errors)], forever);
        (void)play_all(forever);
        assert_true(failed_call != NULL || layer->failed() > 0);
    }
    layer->arm(0, 0, 0);
    assert_int_equal(play_all(false), STEPS);
}

static void any_call_fails(void **state)
{
    (void)state;
    sweep(false);
}

static void any_call_and_all_later_ones_fail(void **state)
{
    (void)state;
    sweep(true);
}

/* A copy fails while the host waits for it. Those that come later have nothing to do with that. */
static void a_failure_of_a_copy_is_told_once(void **state)
{
    (void)state;
    static const char *const calls[] = {"clGetEventInfo", "clWaitForEvents", "clFinish"};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        pair p = open_pair();
        for (int turn = 0; turn < 6; turn++) {
            float in[COUNT];
            float out[COUNT];
            sinter_tensor y;
            sinter_tensor x = test_floats(&p.a, 1, shape, NULL);
            test_read(&p.a, x, in, COUNT);
            OK(sinter_neg(p.b.s, x, &y));
            if (turn == 1) {
                OK(sinter_stream_flush(p.b.s));
                layer->arm_named(calls[i], -5);
            }
            sinter_status status = sinter_tensor_read(p.b.s, y, out, sizeof out);
            layer->arm(0, 0, 0);
            if (turn != 1)
                assert_int_equal(status, SINTER_OK);
            for (int k = 0; k < COUNT && status == SINTER_OK; k++)
                assert_true(out[k] == -in[k]);
            (void)sinter_stream_sync(p.a.s);
            (void)sinter_stream_sync(p.b.s);
            test_release(&p.b, y);
            test_release(&p.a, x);
        }
        close_pair(&p);
    }
}

int main(void)
{
    test_promise_pause(); /* calls are counted until one fails */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_that_fails_leaves_the_other_alone),
        cmocka_unit_test(a_source_that_has_failed_is_not_copied),
        cmocka_unit_test(a_copy_whose_write_fails_late_is_lost),
        cmocka_unit_test(a_failure_of_a_copy_is_told_once),
        cmocka_unit_test(any_call_fails),
        cmocka_unit_test(any_call_and_all_later_ones_fail),
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
