/* A byte budget is a promise: what does not fit is refused with the numbers in the text; what was there
 * before is untouched, what fits beside it and afterwards runs. */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)
#define BUDGET (4 * MIB)

static test_device open_with_budget(uint64_t bytes)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.budget_bytes = bytes;
    return test_open(&options);
}

static void says(const char *words)
{
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|")) {
        if (strstr(sinter_last_error(), word) == NULL)
            fail_msg("'%s' is not in '%s'", word, sinter_last_error());
    }
}

static void is_within(const test_device *d)
{
    assert_true(test_stats(d).cl_allocated_bytes <= BUDGET);
}

/* `x` holds 0, 1, 2, ... in steps of 0.01 from -2. */
static void is_whole(const test_device *d, sinter_tensor x)
{
    float out[1000];
    test_read(d, x, out, 1000);
    for (int i = 0; i < 1000; i++)
        assert_true(out[i] == (float)(i % 401) * 0.01f - 2.0f);
}

static void an_upload_that_does_not_fit(void **state)
{
    (void)state;
    static float data[2 * MIB];
    const int64_t few[] = {1000};
    const int64_t many[] = {2 * MIB};
    test_device d = open_with_budget(BUDGET);
    sinter_tensor x = test_floats(&d, 1, few, NULL);
    sinter_tensor big;
    FAILS(SINTER_EBUDGET, sinter_tensor_from_host(d.s, SINTER_F32, 1, many, data, &big));
    assert_true(big.id == 0);
    says("tensor_from_host|8388608|4194304");
    is_whole(&d, x);
    is_within(&d);
    OK(sinter_stream_sync(d.s));
    test_release(&d, x);
    test_close(&d);
}

/* An operation that has no room by itself is refused before anything of it runs; what was queued with it
 * is not. */
static void a_plan_that_does_not_fit(void **state)
{
    (void)state;
    if (!test_is_plain())
        skip(); /* it does not become one plan */
    const int64_t few[] = {1000};
    const int64_t rows[] = {1100, 1000};
    float place[1000];
    static float all[1100 * 1000];
    test_device d = open_with_budget(BUDGET);
    sinter_tensor x = test_floats(&d, 1, few, NULL);
    sinter_tensor y;
    sinter_tensor z;
    OK(sinter_neg(d.s, x, &y));
    OK(sinter_expand(d.s, y, 2, rows, &z)); /* a view of 4.4 MB */
    sinter_tensor sum;
    OK(sinter_add(d.s, z, x, &sum));
    test_release(&d, z);
    uint64_t launches = test_stats(&d).launches;
    FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
    says("f32 [1100,1000], made by add in step|f32 [1100,1000] add, f32 [1100,1000] input"
         "|over the budget of|4194304");
    assert_int_equal(test_stats(&d).launches, launches + 1);
    OK(sinter_stream_sync(d.s));
    is_within(&d);
    FAILS(SINTER_EBUDGET, sinter_tensor_read(d.s, sum, all, sizeof all));
    says("f32 [1100,1000], made by add in step|4194304");
    is_whole(&d, x);
    test_read(&d, y, place, 1000);
    assert_true(place[0] == 2.0f);
    test_release(&d, y);
    test_release(&d, sum);
    test_release(&d, x);
    is_within(&d);
    test_close(&d);
}

/* Room that is given back is room again, for ever. */
static void room_that_is_given_back(void **state)
{
    (void)state;
    const int64_t rows[] = {350000}; /* 1.4 MB */
    test_device d = open_with_budget(BUDGET);
    float value[1];
    for (int i = 0; i < 20; i++) {
        sinter_tensor x;
        sinter_tensor y;
        OK(sinter_full(d.s, SINTER_F32, 1, rows, sinter_scalar_float(i), &x));
        OK(sinter_stream_flush(d.s));
        OK(sinter_sum(d.s, x, 0, NULL, false, &y));
        test_release(&d, x);
        test_read(&d, y, value, 1);
        assert_true(value[0] == (float)i * 350000.0f);
        test_release(&d, y);
        is_within(&d);
    }
    test_close(&d);
}

/* A loop that releases what it has queued and never waits: the queue would hold all of its inputs. It is
 * cut when they are over a quarter of the budget, wherever else memory is free or not. */
static void inputs_that_only_the_queue_holds(void **state)
{
    (void)state;
    static float data[100000]; /* 400 kB */
    const int64_t shape[] = {100000};
    const uint64_t budgets[] = {BUDGET, 8 * BUDGET, 0};
    /* Cuts before the turns 3, 6, 9, ...; 21, 42; none. */
    const uint64_t cuts[] = {13, 1, 0};
    const char *why = "cut because: limit: inputs that only the queue holds, under a budget";
    sinter_tensor sums[40];
    float out[1];
    if (!test_is_plain())
        skip();
    for (int b = 0; b < 3; b++) {
        test_device d = open_with_budget(budgets[b]);
        test_report_begin(&d);
        for (int i = 0; i < 40; i++) {
            sinter_tensor x;
            data[0] = (float)i;
            OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, data, &x));
            OK(sinter_sum(d.s, x, 0, NULL, false, &sums[i]));
            test_release(&d, x);
        }
        assert_int_equal(test_stats(&d).cuts, cuts[b]);
        assert_int_equal(test_occurrences(test_report(&d), why), cuts[b]);
        for (int i = 0; i < 40; i++) {
            test_read(&d, sums[i], out, 1);
            assert_true(out[0] == (float)i);
            test_release(&d, sums[i]);
        }
        test_close(&d);
    }
}

/* The scratch of one operation alone is over the budget. */
static void a_workspace_that_does_not_fit(void **state)
{
    (void)state;
    const int64_t one[] = {1};
    const int64_t tall[] = {4096, 250};
    const int axis[] = {0};
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    sinter_tensor x;
    sinter_tensor y;
    sinter_tensor z;
    for (int bounded = 0; bounded < 2; bounded++) {
        test_device d = open_with_budget(bounded != 0 ? need.workspace_bytes - 1 : 0);
        x = test_floats(&d, 1, one, NULL);
        OK(sinter_expand(d.s, x, 2, tall, &y)); /* a view of 4 bytes */
        OK(sinter_sum(d.s, y, 1, axis, false, &z));
        test_release(&d, x);
        test_release(&d, y);
        if (bounded == 0)
            OK(sinter_stream_memory_need(d.s, &need));
        if (bounded != 0) {
            FAILS(SINTER_EBUDGET, sinter_stream_sync(d.s));
            says("intermediates of|live in step 1 of 1 (live there: scratch|over the budget of");
            assert_int_equal(test_stats(&d).launches, 0);
        }
        test_release(&d, z);
        test_close(&d);
        if (need.workspace_bytes == 0)
            skip(); /* it needs none in this style */
    }
}

/* Small tensors came first and have gone: their slab makes room for a large one. */
static void an_empty_slab_makes_room(void **state)
{
    (void)state;
    const int64_t few[] = {1000};
    const int64_t many[] = {900000}; /* 3.6 MB */
    float value[1];
    test_device d = open_with_budget(BUDGET);
    sinter_tensor x = test_floats(&d, 1, few, NULL);
    test_release(&d, x);
    OK(sinter_full(d.s, SINTER_F32, 1, many, sinter_scalar_float(2.0), &x));
    OK(sinter_stream_sync(d.s));
    is_within(&d);
    sinter_tensor y;
    OK(sinter_max(d.s, x, 0, NULL, false, &y));
    test_release(&d, x);
    test_read(&d, y, value, 1);
    assert_true(value[0] == 2.0f);
    test_release(&d, y);
    is_within(&d);
    test_close(&d);
}

static void a_budget_of_nearly_nothing(void **state)
{
    (void)state;
    const int64_t few[] = {1000};
    float data[1000] = {0};
    sinter_tensor x;
    test_device d = open_with_budget(64);
    FAILS(SINTER_EBUDGET, sinter_tensor_from_host(d.s, SINTER_F32, 1, few, data, &x));
    says("64");
    OK(sinter_full(d.s, SINTER_F32, 1, few, sinter_scalar_float(1.0), &x));
    FAILS(SINTER_EBUDGET, sinter_tensor_read(d.s, x, data, sizeof data));
    test_release(&d, x);
    OK(sinter_stream_sync(d.s));
    test_close(&d);
}

/* All of a budget may be used, and not one byte more. */
static void the_last_byte_of_a_budget(void **state)
{
    (void)state;
    static const uint8_t data[10 * 4096]; /* whole units of every alignment */
    const int64_t many[] = {sizeof data};
    sinter_tensor x;
    for (uint64_t less = 0; less < 2; less++) {
        test_device d = open_with_budget(sizeof data - less);
        sinter_status status = sinter_tensor_from_host(d.s, SINTER_U8, 1, many, data, &x);
        assert_int_equal(status, less > 0 ? SINTER_EBUDGET : SINTER_OK);
        if (less > 0)
            says("40960 bytes|are 1 over the budget of 40959");
        assert_int_equal(test_stats(&d).cl_allocated_bytes, less > 0 ? 0 : sizeof data);
        test_release(&d, x);
        test_close(&d);
    }
}

/* Two streams ask at once: while the first one's memory is being allocated, counted but not there,
 * the second asks for as much. */
typedef struct rival {
    sinter_context *ctx;
    pthread_t thread;
    bool started;
    bool joined;
    sinter_status status;
} rival;

static void *upload(void *user)
{
    rival *r = user;
    static const uint8_t data[2 * MIB];
    const int64_t many[] = {sizeof data};
    sinter_stream *s;
    sinter_tensor x;
    if (sinter_stream_create(r->ctx, NULL, &s) != SINTER_OK)
        return NULL;
    r->status = sinter_tensor_from_host(s, SINTER_U8, 1, many, data, &x);
    (void)sinter_tensor_release(s, x);
    (void)sinter_stream_destroy(s);
    return NULL;
}

static void *realloc_with_rival(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    rival *r = user;
    (void)old_bytes;
    if (new_bytes >= 2 * MIB && !r->started) {
        r->started = true;
        r->joined =
            pthread_create(&r->thread, NULL, upload, r) == 0 && pthread_join(r->thread, NULL) == 0;
    }
    if (new_bytes > 0)
        return realloc(ptr, new_bytes);
    free(ptr);
    return NULL;
}

static void two_that_ask_at_once(void **state)
{
    (void)state;
    static const uint8_t data[2 * MIB];
    const int64_t many[] = {sizeof data};
    rival r = {0};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host"; /* where memory of the device comes from the hook */
    options.budget_bytes = 3 * MIB;
    options.realloc_fn = realloc_with_rival;
    options.realloc_user = &r;
    test_device d = test_open(&options);
    sinter_tensor x;
    r.ctx = d.ctx;
    OK(sinter_tensor_from_host(d.s, SINTER_U8, 1, many, data, &x));
    assert_true(r.joined);
    assert_int_equal(r.status, SINTER_EBUDGET);
    assert_true(test_stats(&d).cl_allocated_bytes <= options.budget_bytes);
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_upload_that_does_not_fit),
        cmocka_unit_test(a_plan_that_does_not_fit),
        cmocka_unit_test(room_that_is_given_back),
        cmocka_unit_test(inputs_that_only_the_queue_holds),
        cmocka_unit_test(a_workspace_that_does_not_fit),
        cmocka_unit_test(an_empty_slab_makes_room),
        cmocka_unit_test(a_budget_of_nearly_nothing),
        cmocka_unit_test(the_last_byte_of_a_budget),
        cmocka_unit_test(two_that_ask_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
