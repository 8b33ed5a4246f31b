/* Tensors shared by streams in every way that has been seen to leak, to race or to lose a value elsewhere:
 * each scenario leaves no tensor and no byte of the pool behind and reads the values that it made. Nothing
 * sleeps: where threads have to meet, they wait for each other.
 *
 *   test_memory_cleaning [ROUNDS] */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 6
#define STREAMS 9 /* an owner and eight peers */

static int rounds = 3;
static const int64_t shape[] = {COUNT};

/* One context for all scenarios; the first stream is the owner's. */
typedef struct shop {
    test_device d;
    sinter_stream *s[STREAMS];
} shop;

static shop x;

/* Element i is value + i. */
static sinter_tensor make_of(int stream, sinter_dtype dtype, float value)
{
    float floats[COUNT];
    int32_t ints[COUNT];
    uint8_t bools[COUNT];
    sinter_tensor t;
    for (int i = 0; i < COUNT; i++) {
        floats[i] = value + (float)i;
        ints[i] = (int32_t)floats[i];
        bools[i] = i % 2 == 0;
    }
    const void *data = dtype == SINTER_F32   ? (const void *)floats
                       : dtype == SINTER_I32 ? (const void *)ints
                                             : (const void *)bools;
    OK(sinter_tensor_from_host(x.s[stream], dtype, 1, shape, data, &t));
    return t;
}

static sinter_tensor make(int stream, float value)
{
    return make_of(stream, SINTER_F32, value);
}

static sinter_tensor plus(int stream, sinter_tensor t, double value)
{
    sinter_tensor y;
    OK(sinter_add_scalar(x.s[stream], t, value, &y));
    return y;
}

static sinter_tensor add(int stream, sinter_tensor a, sinter_tensor b)
{
    sinter_tensor y;
    OK(sinter_add(x.s[stream], a, b, &y));
    return y;
}

static void drop(int stream, sinter_tensor t)
{
    OK(sinter_tensor_release(x.s[stream], t));
}

static void keep(sinter_tensor t)
{
    OK(sinter_tensor_retain(x.d.ctx, t));
}

/* Element i is value + i * step. */
static void is_step(int stream, sinter_tensor t, float value, float step)
{
    float out[COUNT];
    OK(sinter_tensor_read(x.s[stream], t, out, sizeof out));
    for (int i = 0; i < COUNT; i++) {
        float wanted = value + (float)i * step;
        assert_true(out[i] == wanted);
    }
}

static void is(int stream, sinter_tensor t, float value)
{
    is_step(stream, t, value, 1.0f);
}

/* The scenarios */

static void made_and_dropped(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(0, t, 1);
    drop(0, t);
    drop(0, y); /* nobody has asked for it */
}

static void read_and_dropped(void)
{
    sinter_tensor t = make(0, 1);
    is(0, t, 1);
    drop(0, t);
}

static void held_twice(void)
{
    sinter_tensor t = make(0, 1);
    keep(t);
    drop(0, t);
    is(0, t, 1);
    drop(0, t);
}

static void shared_with_a_peer(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 2);
    is(1, y, 3);
    drop(1, y);
    drop(0, t);
}

static void the_owner_drops_first(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 2);
    drop(0, t);
    is(1, y, 3);
    drop(1, y);
}

static void the_peer_closes_first(void)
{
    sinter_stream *own = x.s[1];
    OK(sinter_stream_create(x.d.ctx, NULL, &x.s[1]));
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 2);
    drop(1, y);
    OK(sinter_stream_destroy(x.s[1]));
    x.s[1] = own;
    is(0, t, 1);
    drop(0, t);
}

static void eight_times(void)
{
    for (int i = 0; i < 8; i++)
        shared_with_a_peer();
}

static void three_peers(void)
{
    sinter_tensor t = make(0, 1);
    for (int i = 1; i <= 3; i++) {
        sinter_tensor y = plus(i, t, i);
        is(i, y, 1.0f + (float)i);
        drop(i, y);
    }
    drop(0, t);
}

static void through_three_streams(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 1);
    sinter_tensor z = plus(2, y, 1);
    drop(0, t);
    drop(1, y);
    is(2, z, 3);
    drop(2, z);
}

static void pending_when_shared(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(0, t, 2); /* queued */
    sinter_tensor z = plus(1, y, 3);
    is(1, z, 6);
    drop(0, t);
    drop(0, y);
    drop(1, z);
}

static void held_and_not_used(void)
{
    sinter_tensor t = make(0, 1);
    keep(t);
    drop(1, t);
    drop(0, t);
}

static void the_owner_goes_on(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 1);
    sinter_tensor own = plus(0, t, 2);
    is(0, own, 3);
    is(1, y, 2);
    is(0, t, 1);
    drop(0, own);
    drop(0, t);
    drop(1, y);
}

static void two_tensors_of_a_pair(void)
{
    sinter_tensor a = make(0, 1);
    sinter_tensor b = make(0, 2);
    sinter_tensor y = add(1, a, b);
    is_step(1, y, 3, 2);
    drop(0, a);
    drop(0, b);
    drop(1, y);
}

static void integers(void)
{
    int32_t out[COUNT];
    sinter_tensor t = make_of(0, SINTER_I32, 5);
    sinter_tensor y = add(1, t, t);
    OK(sinter_tensor_read(x.s[1], y, out, sizeof out));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(out[i], 2 * (5 + i));
    drop(0, t);
    drop(1, y);
}

static void booleans(void)
{
    uint8_t out[COUNT];
    sinter_tensor t = make_of(0, SINTER_BOOL, 0);
    sinter_tensor y;
    OK(sinter_logical_not(x.s[1], t, &y));
    OK(sinter_tensor_read(x.s[1], y, out, sizeof out));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(out[i], i % 2);
    drop(0, t);
    drop(1, y);
}

static void from_peer_to_peer(void)
{
    sinter_tensor t = make(0, 0);
    for (int i = 1; i < STREAMS; i++) {
        sinter_tensor y = plus(i, t, 1);
        drop(i, t);
        t = y;
    }
    is(0, t, STREAMS - 1);
    drop(0, t);
}

static void there_and_back(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 1);
    sinter_tensor z = add(0, y, t);
    drop(1, y);
    is_step(0, z, 3, 2);
    drop(0, z);
    drop(0, t);
}

static void read_where_it_is_not_at_home(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(0, t, 1);
    is(1, t, 1);
    is(1, y, 2);
    drop(1, t);
    drop(1, y);
}

static void shared_again_and_again(void)
{
    sinter_tensor t = make(0, 1);
    for (int i = 0; i < 5; i++) {
        sinter_tensor y = plus(1, t, i);
        is(1, y, 1.0f + (float)i);
        drop(1, y);
    }
    drop(0, t);
}

static void both_see_the_values(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(0, t, 1);
    sinter_tensor z = plus(1, y, 1);
    is(0, y, 2);
    is(1, y, 2);
    is(1, z, 3);
    is(0, z, 3);
    drop(0, t);
    drop(0, y);
    drop(1, z);
}

static void a_part_of_it(void)
{
    float out[COUNT / 2];
    sinter_tensor t = make(0, 1);
    sinter_tensor part;
    OK(sinter_slice(x.s[0], t, 0, 0, COUNT, 2, &part));
    sinter_tensor y = plus(1, part, 1);
    OK(sinter_tensor_read(x.s[1], y, out, sizeof out));
    for (int i = 0; i < COUNT / 2; i++)
        assert_true(out[i] == 2.0f + 2.0f * (float)i);
    drop(0, t);
    drop(1, part);
    drop(1, y);
}

static void to_eight_peers(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y[STREAMS];
    for (int i = 1; i < STREAMS; i++)
        y[i] = plus(i, t, i);
    drop(0, t);
    for (int i = 1; i < STREAMS; i++) {
        is(i, y[i], 1.0f + (float)i);
        drop(i, y[i]);
    }
}

static void a_peer_shares_again(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor view; /* the peer's, of the owner's storage */
    OK(sinter_reshape(x.s[1], t, 1, shape, &view));
    drop(0, t);
    sinter_tensor y = plus(2, view, 1);
    drop(1, view);
    is(2, y, 2);
    drop(2, y);
}

static void pending_on_both(void)
{
    sinter_tensor a = make(0, 1);
    sinter_tensor b = make(1, 2);
    sinter_tensor y = plus(0, a, 1);
    sinter_tensor z = plus(1, b, 1);
    sinter_tensor p = add(0, y, z);
    sinter_tensor q = add(1, y, z);
    is_step(0, p, 5, 2);
    is_step(1, q, 5, 2);
    const sinter_tensor all[] = {a, b, y, z, p, q};
    for (int i = 0; i < 6; i++)
        drop(i % 2, all[i]);
}

/* One stream reads what lies on several, some of it pending. */
static void several_reads_at_once(void)
{
    sinter_tensor t = make(0, 1);
    sinter_tensor y = plus(1, t, 1);
    sinter_tensor z = plus(2, y, 1);
    const sinter_tensor all[] = {z, t, y};
    is(3, all[0], 3);
    is(3, all[1], 1);
    is(3, all[2], 2);
    for (int i = 0; i < 3; i++)
        drop(3, all[i]);
}

/* Threads: each uses its own reference of one tensor on its own stream, reads what it made, and gives the
 * reference back before it reads (consumes) or after (drops). The main thread gives its own back when all
 * have used it, or at once. */

#define THREADS 3

typedef struct way {
    bool consumes, waits, computes;
} way;

typedef struct peer {
    int stream;
    way how;
    sinter_tensor t;
    float value;
    pthread_barrier_t *used;
    int wrong; /* cmocka's asserts belong to the main thread */
} peer;

static void *work(void *user)
{
    peer *p = user;
    float out[COUNT] = {0};
    sinter_tensor y = p->t;
    sinter_stream *s = x.s[p->stream];
    double more = p->how.computes ? (double)p->stream : 0.0;
    if (p->how.computes)
        p->wrong += sinter_add_scalar(s, p->t, more, &y) != SINTER_OK;
    if (p->how.waits)
        (void)pthread_barrier_wait(p->used);
    if (p->how.consumes && p->how.computes)
        p->wrong += sinter_tensor_release(s, p->t) != SINTER_OK;
    p->wrong += sinter_tensor_read(s, y, out, sizeof out) != SINTER_OK;
    for (int i = 0; i < COUNT; i++)
        p->wrong += out[i] != p->value + (float)i + (float)more;
    if (!p->how.consumes || !p->how.computes)
        p->wrong += sinter_tensor_release(s, p->t) != SINTER_OK;
    if (p->how.computes)
        p->wrong += sinter_tensor_release(s, y) != SINTER_OK;
    return NULL;
}

static void with_threads(way how)
{
    pthread_t threads[THREADS];
    peer peers[THREADS];
    pthread_barrier_t used;
    sinter_tensor made = make(0, 1);
    sinter_tensor t = plus(0, made, 2); /* pending */
    drop(0, made);
    assert_int_equal(pthread_barrier_init(&used, NULL, THREADS + 1), 0);
    for (int i = 0; i < THREADS; i++) {
        keep(t);
        peers[i] = (peer){.stream = i + 1, .how = how, .t = t, .value = 3, .used = &used};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &peers[i]), 0);
    }
    if (how.waits)
        (void)pthread_barrier_wait(&used);
    drop(0, t);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(peers[i].wrong, 0);
    }
    (void)pthread_barrier_destroy(&used);
}

static void in_every_way_of_threads(void)
{
    for (unsigned i = 0; i < 8; i++)
        with_threads((way){.consumes = i & 1u, .waits = i & 2u, .computes = i & 4u});
}

/* Running them */

typedef struct scenario {
    const char *name;
    void (*run)(void);
    bool threads;
} scenario;

#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, name, false                                                                         \
    }

static const scenario scenarios[] = {
    ROW(made_and_dropped),
    ROW(read_and_dropped),
    ROW(held_twice),
    ROW(shared_with_a_peer),
    ROW(the_owner_drops_first),
    ROW(the_peer_closes_first),
    ROW(eight_times),
    ROW(three_peers),
    ROW(through_three_streams),
    ROW(pending_when_shared),
    ROW(held_and_not_used),
    ROW(the_owner_goes_on),
    ROW(two_tensors_of_a_pair),
    ROW(integers),
    ROW(booleans),
    ROW(from_peer_to_peer),
    ROW(there_and_back),
    ROW(read_where_it_is_not_at_home),
    ROW(shared_again_and_again),
    ROW(both_see_the_values),
    ROW(a_part_of_it),
    ROW(to_eight_peers),
    {"in_every_way_of_threads", in_every_way_of_threads, true},
    ROW(a_peer_shares_again),
    ROW(pending_on_both),
    ROW(several_reads_at_once),
};

/* Every stream lets go of what it may still read when it has waited. */
static void nothing_is_left(const char *name)
{
    for (int i = 0; i < STREAMS; i++)
        OK(sinter_stream_sync(x.s[i]));
    sinter_stats stats = test_stats(&x.d);
    if (stats.live_tensors != 0 || stats.pool_bytes != 0)
        fail_msg("%s: %llu tensors and %llu bytes are left", name,
                 (unsigned long long)stats.live_tensors, (unsigned long long)stats.pool_bytes);
}

static void run_all(bool threads)
{
    x.d = test_open(NULL);
    x.s[0] = x.d.s;
    for (int i = 1; i < STREAMS; i++)
        OK(sinter_stream_create(x.d.ctx, NULL, &x.s[i]));
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
            if (scenarios[i].threads != threads)
                continue;
            scenarios[i].run();
            nothing_is_left(scenarios[i].name);
        }
    }
    for (int i = 1; i < STREAMS; i++)
        OK(sinter_stream_destroy(x.s[i]));
    test_close(&x.d);
}

static void on_one_thread(void **state)
{
    (void)state;
    run_all(false);
}

static void on_several_threads(void **state)
{
    (void)state;
    const char *cl = getenv("SINTER_TEST_CL");
    if (cl != NULL && strcmp(cl, "keep") == 0)
        skip(); /* Oclgrind is not safe to call from two threads */
    run_all(true);
}

int main(int argc, char **argv)
{
    test_promise_pause(); /* threads take memory at once */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_one_thread),
        cmocka_unit_test(on_several_threads),
    };
    if (argc > 1)
        rounds = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
