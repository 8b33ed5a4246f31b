/* Threads, each with streams of its own on every device of the context, and one board of tensors that all of them
 * use, replace, read and release, pending or not, on whatever stream they like; streams come and go, and all hooks
 * are called. Each value is known: the same arithmetic is done here. Run under the thread sanitizer it is the proof
 * of the locks.
 *
 *   test_stress [STEPS [DEPTH [SEED]]]   steps of each thread; operations that a stream queues at most,
 *                                        which bounds how many kernels there are to build */
#include "support/support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define STREAMS 4 /* of each thread */
#define BOARD 24
#define COUNT 16

static const int64_t shape[] = {COUNT};
static uint32_t steps = 150;
static uint32_t depth = 12;
static uint64_t seed = 1;

typedef struct entry {
    sinter_tensor t;
    float values[COUNT];
} entry;

static struct {
    sinter_context *ctx;
    pthread_mutex_t lock;
    entry entries[BOARD];
} board = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Calls of the hooks, from all threads. */
static struct {
    atomic_uint_least64_t told, asked, looked, kept;
} hooks;

static void note(void *user, const sinter_progress *progress)
{
    (void)user;
    (void)progress;
    atomic_fetch_add(&hooks.told, 1);
}

static int go_on(void *user)
{
    (void)user;
    atomic_fetch_add(&hooks.asked, 1);
    return 0;
}

static size_t look(void *user, const char *key, void *bytes, size_t capacity)
{
    (void)user;
    (void)key;
    (void)bytes;
    (void)capacity;
    atomic_fetch_add(&hooks.looked, 1);
    return 0;
}

static int keep(void *user, const char *key, const void *bytes, size_t size)
{
    (void)user;
    (void)key;
    (void)bytes;
    (void)size;
    atomic_fetch_add(&hooks.kept, 1);
    return 1;
}

typedef struct worker {
    uint32_t number;
    test_random random;
    sinter_stream *s[STREAMS];
    uint32_t queued[STREAMS];
    uint32_t wrong; /* cmocka's asserts belong to the main thread */
} worker;

/* The streams of a thread are of the devices in turn. */
static sinter_status create_stream(uint32_t which, sinter_stream **out)
{
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    o.device = which % sinter_context_device_count(board.ctx);
    return sinter_stream_create(board.ctx, &o, out);
}

static void expect(worker *w, sinter_status status, const char *what)
{
    if (status == SINTER_OK)
        return;
    (void)fprintf(stderr, "thread %u: %s: %s\n", w->number, what, sinter_last_error());
    w->wrong++;
}

/* One of the board's, with a reference of the caller's own. */
static entry take(worker *w)
{
    (void)pthread_mutex_lock(&board.lock);
    entry e = board.entries[test_below(&w->random, BOARD)];
    expect(w, sinter_tensor_retain(board.ctx, e.t), "retain");
    (void)pthread_mutex_unlock(&board.lock);
    return e;
}

/* On a stream of the thread's, which mostly is not the tensor's own, or on none. */
static void give(worker *w, sinter_tensor t)
{
    uint32_t which = test_below(&w->random, STREAMS + 1);
    expect(w, sinter_tensor_release(which < STREAMS ? w->s[which] : NULL, t), "release");
}

static void put(worker *w, const entry *e)
{
    (void)pthread_mutex_lock(&board.lock);
    entry *place = &board.entries[test_below(&w->random, BOARD)];
    sinter_tensor old = place->t;
    *place = *e;
    (void)pthread_mutex_unlock(&board.lock);
    give(w, old);
}

/* Half the difference: the difference is released at once, on whatever stream. */
static sinter_status half_apart(worker *w, sinter_stream *s, const entry *a, const entry *b,
                                entry *y)
{
    sinter_tensor difference;
    sinter_status status = sinter_sub(s, a->t, b->t, &difference);
    if (status != SINTER_OK)
        return status;
    status = sinter_mul_scalar(s, difference, 0.5, &y->t);
    give(w, difference);
    return status;
}

/* None of them makes a value larger. */
static sinter_status operate(worker *w, sinter_stream *s, const entry *a, const entry *b, entry *y)
{
    uint32_t op = test_below(&w->random, 4);
    for (int i = 0; i < COUNT; i++) {
        float p = a->values[i];
        float q = b->values[i];
        y->values[i] = op == 0   ? (p > q ? p : q)
                       : op == 1 ? (p - q) * 0.5f
                       : op == 2 ? -p
                                 : a->values[COUNT - 1 - i];
    }
    switch (op) {
    case 0:
        return sinter_maximum(s, a->t, b->t, &y->t);
    case 1:
        return half_apart(w, s, a, b, y);
    case 2:
        return sinter_neg(s, a->t, &y->t);
    default:
        return sinter_flip(s, a->t, 0, NULL, &y->t);
    }
}

static void compute(worker *w)
{
    uint32_t which = test_below(&w->random, STREAMS);
    entry a = take(w);
    entry b = take(w);
    entry y;
    sinter_status status = operate(w, w->s[which], &a, &b, &y);
    expect(w, status, "compute");
    if (status == SINTER_OK)
        put(w, &y);
    give(w, a.t);
    give(w, b.t);
    if (++w->queued[which] >= depth) {
        w->queued[which] = 0;
        expect(w, sinter_stream_flush(w->s[which]), "flush");
    }
}

static void upload(worker *w)
{
    entry e;
    for (int i = 0; i < COUNT; i++)
        e.values[i] = (float)test_below(&w->random, 64) - 32.0f;
    sinter_stream *s = w->s[test_below(&w->random, STREAMS)];
    sinter_status status = sinter_tensor_from_host(s, SINTER_F32, 1, shape, e.values, &e.t);
    expect(w, status, "from_host");
    if (status == SINTER_OK)
        put(w, &e);
}

static void check(worker *w)
{
    float out[COUNT] = {0};
    entry e = take(w);
    sinter_stream *s = w->s[test_below(&w->random, STREAMS)];
    expect(w, sinter_tensor_read(s, e.t, out, sizeof out), "read");
    for (int i = 0; i < COUNT; i++)
        w->wrong += out[i] != e.values[i];
    give(w, e.t);
}

static void order(worker *w)
{
    uint32_t which = test_below(&w->random, STREAMS);
    sinter_stream *s = w->s[which];
    switch (test_below(&w->random, 8)) {
    case 0:
        expect(w, sinter_stream_sync(s), "sync");
        break;
    case 1:
        expect(w, sinter_stream_wait(s, UINT64_MAX), "wait");
        break;
    case 2:
        expect(w, sinter_stream_destroy(s), "destroy");
        expect(w, create_stream(which, &w->s[which]), "create");
        break;
    default:
        expect(w, sinter_stream_flush(s), "flush");
        break;
    }
    w->queued[which] = 0;
}

static void *work(void *user)
{
    worker *w = user;
    for (uint32_t i = 0; i < steps && w->wrong == 0; i++) {
        uint32_t what = test_below(&w->random, 20);
        if (what < 12)
            compute(w);
        else if (what < 15)
            check(w);
        else if (what < 18)
            upload(w);
        else
            order(w);
    }
    for (int i = 0; i < STREAMS; i++)
        expect(w, sinter_stream_destroy(w->s[i]), "destroy");
    return NULL;
}

static void threads_and_streams(void **state)
{
    (void)state;
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.log_fn = test_log;
    o.progress_fn = note;
    o.cancel_fn = go_on;
    o.cache_load_fn = look;
    o.cache_store_fn = keep;
    test_device d = test_open(&o);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    board.ctx = d.ctx;
    for (int i = 0; i < BOARD; i++) {
        for (int k = 0; k < COUNT; k++)
            board.entries[i].values[k] = (float)(i - k);
        board.entries[i].t = test_floats(&d, 1, shape, board.entries[i].values);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = i, .random = {seed * THREADS + i}};
        for (uint32_t k = 0; k < STREAMS; k++)
            OK(create_stream(i + k, &workers[i].s[k]));
    }
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        if (workers[i].wrong > 0)
            fail_msg("thread %u: %u faults, seed %llu", i, workers[i].wrong,
                     (unsigned long long)seed);
    }
    for (int i = 0; i < BOARD; i++) {
        float out[COUNT];
        test_read(&d, board.entries[i].t, out, COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_true(out[k] == board.entries[i].values[k]);
        test_release(&d, board.entries[i].t);
    }
    sinter_stats stats = test_stats(&d);
    test_close(&d);
    printf("launches %llu, device copies %llu, hooks: %llu told, %llu looked up, %llu kept\n",
           (unsigned long long)stats.launches, (unsigned long long)stats.device_copies,
           (unsigned long long)hooks.told, (unsigned long long)hooks.looked,
           (unsigned long long)hooks.kept);
    assert_true(hooks.told >= stats.launches);
    assert_int_equal(hooks.asked, hooks.told);
}

int main(int argc, char **argv)
{
    test_promise_pause(); /* all take memory at once */
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_and_streams)};
    if (argc > 1)
        steps = (uint32_t)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        depth = (uint32_t)strtoul(argv[2], NULL, 10);
    if (argc > 3)
        seed = strtoull(argv[3], NULL, 10);
    printf("steps %u, depth %u, seed %llu\n", steps, depth, (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
