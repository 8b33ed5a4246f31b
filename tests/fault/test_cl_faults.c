/* OpenCL calls fail: every call of every scene in turn, once alone and once with all that follow,
 * with every kind of error number in turn. A failure has a clean status and one line that names the
 * call and the number; no OpenCL object and no host memory is left; and once calls succeed again,
 * so does the stream.
 *
 *   test_cl_faults [STEP]   every STEP-th call only, for a driver that builds slowly */
#include "fault/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Out of resources, of device memory, of host memory, a build failure, an invalid argument, a
 * failure of earlier commands, and a number that no driver has. */
static const int codes[] = {-5, -4, -6, -11, -30, -14, -9999};
#define CODE_COUNT (sizeof codes / sizeof codes[0])

static const cl_layer *layer;
static uint64_t step = 1;
static const char *failed_call; /* NULL: none has failed yet */

static void note_failed(void)
{
    if (failed_call == NULL && layer->failed() > 0)
        failed_call = layer->first();
}

/* Calls succeed again: the stream reports what there is to report, once, and works. When nothing
 * has failed yet, the end of the scene is to fail. */
static void calls_succeed_again(scene *x)
{
    note_failed();
    if (x->s == NULL || failed_call == NULL)
        return;
    layer->arm(0, 0, 0);
    const int64_t shape[] = {8};
    sinter_tensor a;
    sinter_tensor b;
    const float in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float out[8];
    (void)scene_did(x, sinter_stream_sync(x->s));
    OK(sinter_stream_sync(x->s));
    OK(sinter_tensor_from_host(x->s, SINTER_F32, 1, shape, in, &a));
    OK(sinter_mul_scalar(x->s, a, 3.0, &b));
    OK(sinter_tensor_release(x->s, a));
    OK(sinter_tensor_read(x->s, b, out, sizeof out));
    for (int i = 0; i < 8; i++)
        assert_true(out[i] == in[i] * 3.0f);
    OK(sinter_tensor_release(x->s, b));
}

/* What is wrong with the play after a fault; NULL: nothing. Where all calls fail it may be a later
 * one, of something else that was tried, that is named. */
static const char *find_fault(const scene *x, bool persistent, uint64_t truth, int code)
{
    char number[16];
    (void)snprintf(number, sizeof number, "(%d)", code);
    if (layer->live() != 0)
        return "OpenCL objects are left";
    if (layer->mistakes() != 0)
        return "something was released twice";
    if (x->first == SINTER_OK)
        return x->digest == truth ? NULL : "other values";
    if (failed_call == NULL)
        return "it failed by itself";
    if (strstr(x->message, number) == NULL)
        return "the message has no number";
    const char *named = persistent ? "cl" : failed_call;
    return strstr(x->message, named) == NULL ? "the message names no such call" : NULL;
}

/* Fails call `nth`; returns whether the play got as far. */
static bool play_failing(const scene_entry *e, uint64_t nth, bool persistent, uint64_t truth)
{
    scene x;
    int code = codes[(nth + (persistent ? 3 : 0)) % CODE_COUNT];
    scene_init(&x, NULL);
    failed_call = NULL;
    layer->arm(nth, code, persistent ? 1 : 0);
    (void)scene_play(&x, e->play, persistent ? NULL : calls_succeed_again);
    note_failed();
    const char *wrong = find_fault(&x, persistent, truth, code);
    if (wrong != NULL)
        fail_msg("%s, call %llu, %s %s(%d): %s: %s: %s", e->name, (unsigned long long)nth,
                 failed_call, persistent ? "and all later " : "", code, wrong,
                 sinter_status_name(x.first), x.message);
    return failed_call != NULL;
}

static void every_call_fails(void **state)
{
    scene_sweep(*state, step, play_failing);
}

/* The block is free again: the slab does not fill up with what failed. */
static void poison_that_cannot_be_written(void **state)
{
    (void)state;
    static const uint8_t data[300000];
    const int64_t shape[] = {sizeof data};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = SINTER_MEMORY_POISON;
    layer->arm(0, 0, 0); /* as the last scene left it */
    test_device d = test_open(&options);
    sinter_tensor x;
    OK(sinter_tensor_from_host(d.s, SINTER_U8, 1, shape, data, &x)); /* in a slab of 1 MiB */
    uint64_t held = test_stats(&d).cl_allocated_bytes;
    OK(sinter_stream_sync(d.s));
    test_release(&d, x);
    for (int i = 0; i < 8; i++) {
        layer->arm_named("clEnqueueFillBuffer", -5);
        FAILS(SINTER_EDEVICE, sinter_tensor_from_host(d.s, SINTER_U8, 1, shape, data, &x));
        layer->arm(0, 0, 0);
    }
    OK(sinter_tensor_from_host(d.s, SINTER_U8, 1, shape, data, &x));
    assert_int_equal(test_stats(&d).cl_allocated_bytes, held);
    test_release(&d, x);
    test_close(&d);
}

/* A device that fails while it is asked what it computes exactly: the line says how, and what was
 * known of it still is. */
static void what_a_profile_knows_stays(void **state)
{
    (void)state;
    static const char *const facts[] = {"\nexact_fma = 0 ", "\nexact_half = 0 ",
                                        "\nvoid_clauses = 4 "};
    test_text known = {.bytes = 0};
    test_text after = {.bytes = 0};
    sinter_profile *p = NULL;
    layer->arm(0, 0, 0);
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    OK(sinter_profile_write(p, test_text_add, &known));
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        test_text_add(&known, facts[i], strlen(facts[i]));
    OK(sinter_profile_parse(p, known.data, known.bytes));
    layer->arm_named("clEnqueueReadBuffer", -5);
    FAILS(SINTER_EDEVICE, sinter_profile_measure(p, NULL));
    assert_non_null(strstr(sinter_last_error(), "clEnqueueReadBuffer"));
    assert_int_equal(layer->mistakes(), 0);
    layer->arm(0, 0, 0);
    OK(sinter_profile_write(p, test_text_add, &after));
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        assert_non_null(strstr(after.data, facts[i]));
    sinter_profile_destroy(p);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[32];
    test_promise_pause(); /* calls are counted until one fails */
    layer = test_cl_layer();
    if (layer == NULL) {
        (void)fprintf(stderr, "skipped: SINTER_OPENCL_LIB is not the OpenCL library for tests\n");
        return 77;
    }
    if (argc > 1)
        step = strtoull(argv[1], NULL, 10);
    assert_true(scene_count + 2 <= sizeof tests / sizeof tests[0] && step > 0);
    for (size_t i = 0; i < scene_count; i++)
        tests[i] = (struct CMUnitTest){scenes[i].name, every_call_fails, NULL, NULL,
                                       (void *)(uintptr_t)&scenes[i]};
    tests[scene_count] = (struct CMUnitTest)cmocka_unit_test(poison_that_cannot_be_written);
    tests[scene_count + 1] = (struct CMUnitTest)cmocka_unit_test(what_a_profile_knows_stays);
    return _cmocka_run_group_tests("OpenCL calls", tests, scene_count + 2, NULL, NULL);
}
