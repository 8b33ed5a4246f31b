/* Threads: each with a stream of its own on one context, with tensors that are used and released on
 * streams that are not theirs, and contexts that come and go at the same time. Run under the thread
 * sanitizer it is the proof of the locks; run plainly it checks the values. */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define COUNT 64

static int rounds = 12;
static const int64_t shape[] = {COUNT};

/* What the threads share. cmocka's asserts belong to the main thread: the others count. */
typedef struct shared {
    sinter_context *ctx;
    sinter_tensor common; /* made by the main thread, read by all */
    pthread_barrier_t barrier;
    sinter_tensor given[THREADS]; /* each thread's gift to the next one */
    uint32_t wrong[THREADS];
} shared;

typedef struct worker {
    shared *all;
    uint32_t number;
} worker;

static bool is_ok(worker *w, sinter_status status)
{
    if (status != SINTER_OK) {
        (void)fprintf(stderr, "thread %u: %s\n", w->number, sinter_last_error());
        w->all->wrong[w->number]++;
    }
    return status == SINTER_OK;
}

static void check(worker *w, sinter_stream *s, sinter_tensor t, float scale)
{
    float out[COUNT];
    if (!is_ok(w, sinter_tensor_read(s, t, out, sizeof out)))
        return;
    for (int i = 0; i < COUNT; i++)
        w->all->wrong[w->number] += out[i] != (float)i * scale;
}

/* Own work with the tensor that all read; then a tensor of the neighbour's, pending on the
 * neighbour's stream, is used and released here. */
static void round_of(worker *w, sinter_stream *s, int round)
{
    shared *all = w->all;
    uint32_t next = (w->number + 1) % THREADS;
    sinter_tensor own = {0};
    sinter_tensor mixed = {0};
    float scale = (float)(round + 2);
    if (!is_ok(w, sinter_mul_scalar(s, all->common, scale, &own)))
        own.id = 0;
    all->given[next] = own;
    (void)pthread_barrier_wait(&all->barrier);
    sinter_tensor gift = all->given[w->number];
    if (is_ok(w, sinter_add(s, gift, all->common, &mixed)))
        check(w, s, mixed, scale + 1.0f);
    (void)is_ok(w, sinter_tensor_release(round % 2 == 0 ? s : NULL, gift));
    (void)is_ok(w, sinter_tensor_release(s, mixed));
    (void)pthread_barrier_wait(&all->barrier);
}

static void *work_on_shared(void *user)
{
    worker *w = user;
    sinter_stream *s = NULL;
    if (!is_ok(w, sinter_stream_create(w->all->ctx, NULL, &s)))
        abort();
    for (int i = 0; i < rounds; i++) {
        round_of(w, s, i);
        if (i % 5 == 4) { /* streams come and go as well */
            (void)is_ok(w, sinter_stream_destroy(s));
            if (!is_ok(w, sinter_stream_create(w->all->ctx, NULL, &s)))
                abort();
        }
    }
    (void)is_ok(w, sinter_stream_destroy(s));
    return NULL;
}

static void *work_alone(void *user)
{
    worker *w = user;
    float in[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)i;
    (void)pthread_barrier_wait(&w->all->barrier);
    for (int i = 0; i < 3; i++) {
        sinter_context *ctx = NULL;
        sinter_stream *s = NULL;
        sinter_tensor x = {0};
        sinter_tensor y = {0};
        if (!is_ok(w, sinter_context_create(NULL, &ctx)) ||
            !is_ok(w, sinter_stream_create(ctx, NULL, &s)))
            abort();
        if (is_ok(w, sinter_tensor_from_host(s, SINTER_F32, 1, shape, in, &x)) &&
            is_ok(w, sinter_mul_scalar(s, x, 3.0, &y)))
            check(w, s, y, 3.0f);
        (void)is_ok(w, sinter_tensor_release(NULL, x));
        (void)is_ok(w, sinter_tensor_release(s, y));
        (void)is_ok(w, sinter_stream_destroy(s));
        (void)is_ok(w, sinter_context_destroy(ctx));
    }
    return NULL;
}

/* What all plan and build at the same time. */
static void *work_the_same(void *user)
{
    worker *w = user;
    sinter_stream *s = NULL;
    sinter_tensor y = {0};
    if (!is_ok(w, sinter_stream_create(w->all->ctx, NULL, &s)))
        abort();
    (void)pthread_barrier_wait(&w->all->barrier);
    if (is_ok(w, sinter_mul_scalar(s, w->all->common, 3.0, &y)))
        check(w, s, y, 3.0f);
    (void)is_ok(w, sinter_tensor_release(s, y));
    (void)is_ok(w, sinter_stream_destroy(s));
    return NULL;
}

static void run(shared *all, void *(*work)(void *))
{
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.all = all, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(all->wrong[i], 0);
    }
}

static void open_shared(test_device *d, shared *all)
{
    float in[COUNT];
    *d = test_open(NULL);
    for (int i = 0; i < COUNT; i++)
        in[i] = (float)i;
    *all = (shared){.ctx = d->ctx, .common = test_floats(d, 1, shape, in)};
    assert_int_equal(pthread_barrier_init(&all->barrier, NULL, THREADS), 0);
}

static void close_shared(test_device *d, shared *all)
{
    (void)pthread_barrier_destroy(&all->barrier);
    test_release(d, all->common);
    test_close(d);
}

/* Whoever is first, the others have its plan and its kernel. */
static void the_same_is_kept_once(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        test_device d;
        shared all;
        open_shared(&d, &all);
        run(&all, work_the_same);
        DECIDES(test_stats(&d).plan_count, 1);
        DECIDES(test_stats(&d).compiles > 1, 0); /* the host compiles nothing */
        run(&all, work_the_same);
        DECIDES(test_stats(&d).plan_count, 1);
        DECIDES(test_stats(&d).compiles > 1, 0); /* the host compiles nothing */
        close_shared(&d, &all);
    }
}

static void streams_share_tensors(void **state)
{
    (void)state;
    test_device d;
    shared all;
    open_shared(&d, &all);
    run(&all, work_on_shared);
    assert_int_equal(test_stats(&d).ops, 2 * THREADS * rounds);
    close_shared(&d, &all);
}

static void contexts_come_and_go(void **state)
{
    (void)state;
    shared all = {.ctx = NULL};
    assert_int_equal(pthread_barrier_init(&all.barrier, NULL, THREADS), 0);
    run(&all, work_alone);
    assert_int_equal(pthread_barrier_destroy(&all.barrier), 0);
}

/* Two threads on one stream: the second is refused, and the first notices nothing. */

typedef struct intruder {
    sinter_stream *s;
    sinter_tensor x;
    uint32_t refused; /* calls */
    bool named;       /* the message says which stream */
} intruder;

static void expect_busy(intruder *i, sinter_status status)
{
    i->refused += status == SINTER_EBUSY;
    i->named = i->named && strstr(sinter_last_error(), "stream 1") != NULL;
}

static void *intrude(void *user)
{
    intruder *i = user;
    float out[COUNT];
    sinter_tensor y = {1};
    expect_busy(i, sinter_neg(i->s, i->x, &y));
    i->refused += y.id == 0;
    expect_busy(i, sinter_tensor_read(i->s, i->x, out, sizeof out));
    expect_busy(i, sinter_tensor_from_host(i->s, SINTER_F32, 1, shape, out, &y));
    expect_busy(i, sinter_stream_flush(i->s));
    expect_busy(i, sinter_stream_sync(i->s));
    expect_busy(i, sinter_scope_open(i->s));
    expect_busy(i, sinter_tensor_release(i->s, i->x));
    expect_busy(i, sinter_stream_destroy(i->s));
    return NULL;
}

#define INTRUSIONS 9

/* Called within a call on the stream. */
static void from_within(void *user, const char *text, size_t bytes)
{
    pthread_t thread;
    (void)text;
    (void)bytes;
    if (((intruder *)user)->refused > 0)
        return;
    assert_int_equal(pthread_create(&thread, NULL, intrude, user), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void a_second_thread_is_refused(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT] = {1.0f};
    float out[COUNT];
    intruder i = {.s = d.s, .x = test_floats(&d, 1, shape, in), .named = true};
    sinter_tensor y;
    OK(sinter_report_begin(d.s));
    OK(sinter_neg(d.s, i.x, &y));
    OK(sinter_stream_flush(d.s));
    OK(sinter_report_write(d.s, from_within, &i));
    assert_int_equal(i.refused, INTRUSIONS);
    assert_true(i.named);
    test_read(&d, y, out, COUNT);
    assert_true(out[0] == -1.0f);
    test_release(&d, y);
    test_release(&d, i.x);
    test_close(&d);
}

/* A call that waits for another stream has given its own lock back: a second one is refused all the same. */
typedef struct waiting {
    sinter_stream *s;
    sinter_tensor foreign, result;
    pthread_t thread;
    sinter_status status;
    uint32_t refused;
} waiting;

static void *wait_for_home(void *user)
{
    waiting *w = user;
    do /* refused while the main thread looks */
        w->status = sinter_neg(w->s, w->foreign, &w->result);
    while (w->status == SINTER_EBUSY);
    return NULL;
}

/* Called within a call on the tensor's home. */
static void while_home_is_busy(void *user, const char *text, size_t bytes)
{
    waiting *w = user;
    (void)text;
    (void)bytes;
    if (w->refused > 0)
        return;
    assert_int_equal(pthread_create(&w->thread, NULL, wait_for_home, w), 0);
    while (sinter_stream_mark(w->s) == SINTER_OK) { /* until the thread is in its call */
    }
    w->refused += sinter_stream_flush(w->s) == SINTER_EBUSY;
}

static void a_call_that_waits_is_a_call(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT] = {1.0f};
    float out[COUNT];
    waiting w = {.foreign = test_floats(&d, 1, shape, in)};
    OK(sinter_stream_create(d.ctx, NULL, &w.s));
    OK(sinter_report_begin(d.s));
    sinter_tensor y;
    OK(sinter_neg(d.s, w.foreign, &y));
    OK(sinter_stream_flush(d.s));
    OK(sinter_report_write(d.s, while_home_is_busy, &w));
    assert_int_equal(pthread_join(w.thread, NULL), 0);
    assert_int_equal(w.refused, 1);
    assert_int_equal(w.status, SINTER_OK);
    OK(sinter_tensor_read(w.s, w.result, out, sizeof out));
    assert_true(out[0] == -1.0f);
    test_release(&d, w.result);
    test_release(&d, w.foreign);
    test_release(&d, y);
    OK(sinter_stream_destroy(w.s));
    test_close(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_come_and_go), /* the first of the process are among them */
        cmocka_unit_test(the_same_is_kept_once),      cmocka_unit_test(streams_share_tensors),
        cmocka_unit_test(a_second_thread_is_refused), cmocka_unit_test(a_call_that_waits_is_a_call),
    };
    test_promise_pause(); /* all take memory at once */
    if (argc > 1)
        rounds = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
