/* What a stream fuses depends on its own operations: another stream reads, uses and releases its tensors at
 * every position of a queue, and cuts, launches, bytes and plans are those of the program left alone, but
 * for a pending tensor that had to be stored. Then the bits are the same, and the next round alone hits the old plan.
 *
 *   test_composition [ROUNDS]   of each scenario */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define COUNT 24
#define STEPS 9
#define MADE (STEPS + 3)

static const int64_t shape[] = {COUNT};
static uint64_t rounds; /* of each scenario; 0: few */

typedef enum event {
    NOTHING,
    READ_DONE,    /* of a tensor that has its value */
    USE_DONE,     /* the same in an operation, queued on the other stream */
    RELEASE,      /* of a pending result that the program would release after its end */
    RELEASE_NULL, /* the same, without a stream */
    HOLD,         /* one more reference, and back again */
    READ_PENDING,
    USE_PENDING,
    FLUSH, /* by the program itself, at the same position */
    EVENTS = FLUSH
} event;

typedef struct scene {
    test_device d, e;
    uint64_t seed;
    sinter_tensor x[3]; /* inputs, which have their values */
} scene;

static void happen(const scene *x, event what, sinter_tensor pending, sinter_tensor *kept,
                   sinter_tensor *used)
{
    float out[COUNT];
    switch (what) {
    case READ_DONE:
        test_read(&x->e, x->x[0], out, COUNT);
        break;
    case USE_DONE:
        OK(sinter_neg(x->e.s, x->x[1], used));
        break;
    case RELEASE:
        test_release(&x->e, *kept);
        kept->id = 0;
        break;
    case RELEASE_NULL:
        OK(sinter_tensor_release(NULL, *kept));
        kept->id = 0;
        break;
    case HOLD:
        OK(sinter_tensor_retain(x->d.ctx, *kept));
        test_release(&x->e, *kept);
        break;
    case READ_PENDING:
        test_read(&x->e, pending, out, COUNT);
        break;
    case USE_PENDING:
        OK(sinter_neg(x->e.s, pending, used));
        break;
    case FLUSH:
        OK(sinter_stream_flush(x->d.s));
        break;
    default:
        break;
    }
}

/* What the program has made and done. */
typedef struct outcome {
    float last[COUNT];
    uint64_t cuts, launches, moved, hits, misses, plans;
} outcome;

/* The program, in which `what` happens before step `position`. */
static outcome run(const scene *x, event what, int position)
{
    outcome o = {.cuts = 0};
    test_random r = {x->seed};
    sinter_tensor t[MADE] = {x->x[0], x->x[1], x->x[2]};
    sinter_tensor kept;
    sinter_tensor used = {0};
    sinter_stats before = test_stats(&x->d);
    OK(sinter_add_scalar(x->d.s, x->x[2], 5.0, &kept));
    for (int i = 0; i < STEPS; i++) {
        int made = 3 + i;
        if (i == position)
            happen(x, what, i > 0 ? t[made - 1] : kept, &kept, &used);
        t[made] = test_step(&x->d, &r, t, (uint32_t)made, false);
    }
    for (int i = 3; i < MADE - 1; i++)
        test_release(&x->d, t[i]);
    test_read(&x->d, t[MADE - 1], o.last, COUNT);
    sinter_stats after = test_stats(&x->d);
    o.cuts = after.cuts - before.cuts;
    o.launches = after.launches - before.launches;
    o.moved = after.bytes_moved - before.bytes_moved;
    o.hits = after.plan_hits - before.plan_hits;
    o.misses = after.plan_misses - before.plan_misses;
    o.plans = after.plan_count;
    test_release(&x->d, t[MADE - 1]);
    test_release(&x->d, kept);
    if (used.id != 0) {
        float ignored[COUNT];
        test_read(&x->e, used, ignored, COUNT);
        test_release(&x->e, used);
    }
    return o;
}

static void same_decisions(const outcome *found, const outcome *wanted)
{
    DECIDES(found->cuts, wanted->cuts);
    DECIDES(found->launches, wanted->launches);
    DECIDES(found->moved, wanted->moved);
    DECIDES(found->hits, wanted->cuts);
    DECIDES(found->misses, 0);
}

static void compare(const scene *x, const outcome *alone, event what, int position)
{
    uint64_t plans = test_stats(&x->d).plan_count;
    outcome o = run(x, what, position);
    assert_memory_equal(o.last, alone->last, sizeof o.last);
    if (what < READ_PENDING) {
        same_decisions(&o, alone);
        DECIDES(o.plans, plans);
    } else /* stored where it was needed; the rest is a segment more */
        DECIDES(o.cuts, alone->cuts + 1);
    plans = test_stats(&x->d).plan_count;
    outcome again = run(x, NOTHING, 0);
    assert_memory_equal(again.last, alone->last, sizeof again.last);
    same_decisions(&again, alone);
    DECIDES(again.plans, plans);
}

/* A pending tensor is used elsewhere: what is launched is what the program launches that flushes
 * there itself, in the context of `other`, and what is kept for that is found when it happens
 * again. */
static void compare_cut(const scene *x, const scene *other, event what, int position)
{
    (void)run(x, what, position);
    outcome o = run(x, what, position);
    outcome flushed = run(other, FLUSH, position);
    assert_memory_equal(o.last, flushed.last, sizeof o.last);
    DECIDES(o.launches, flushed.launches);
    DECIDES(o.moved, flushed.moved);
    DECIDES(o.misses, 0);
}

static scene open_scene(void)
{
    scene x = {.d = test_open(NULL)};
    x.e.ctx = x.d.ctx;
    OK(sinter_stream_create(x.d.ctx, NULL, &x.e.s));
    for (int i = 0; i < 3; i++)
        x.x[i] = test_floats(&x.d, 1, shape, NULL);
    return x;
}

static void close_scene(scene *x)
{
    for (int i = 0; i < 3; i++)
        test_release(&x->d, x->x[i]);
    OK(sinter_stream_destroy(x->e.s));
    test_close(&x->d);
}

/* At every position on the host; elsewhere a cut of what is pending is two kernels to build, and few do. */
static void foreign_events_change_no_group(void **state)
{
    (void)state;
    scene x = open_scene();
    scene other = open_scene();
    const char *device = getenv("SINTER_DEVICE");
    bool host = device != NULL && strcmp(device, "host") == 0;
    for (x.seed = 0; x.seed < (rounds > 0 ? rounds : host ? 30 : 1); x.seed++) {
        (void)run(&x, NOTHING, 0);
        outcome alone = run(&x, NOTHING, 0);
        DECIDES(alone.misses, 0);
        for (int what = READ_DONE; what < EVENTS; what++) {
            bool builds = what >= READ_PENDING && !host;
            for (int i = builds ? 4 : 0; i < STEPS; i += builds ? STEPS : 1)
                compare(&x, &alone, (event)what, i);
        }
        other.seed = x.seed;
        for (int i = 0; i < STEPS && host; i++) {
            compare_cut(&x, &other, READ_PENDING, i);
            compare_cut(&x, &other, USE_PENDING, i);
        }
    }
    close_scene(&other);
    close_scene(&x);
}

/* What is released elsewhere while nothing pending knows it is free at once, and its handle is dead. */
static void an_idle_stream_gives_at_once(void **state)
{
    (void)state;
    scene x = open_scene();
    uint64_t before = test_stats(&x.d).pool_bytes;
    sinter_tensor t = test_floats(&x.d, 1, shape, NULL);
    assert_true(test_stats(&x.d).pool_bytes > before);
    test_release(&x.e, t);
    assert_int_equal(test_stats(&x.d).pool_bytes, before);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(x.e.s, t));
    FAILS(SINTER_EHANDLE, sinter_tensor_retain(x.d.ctx, t));
    close_scene(&x);
}

/* What pending operations know is read elsewhere and released: no cut, the handle is dead at once, and the bytes go at
 * the next cut. */
static void what_is_queued_is_given_at_the_next_cut(void **state)
{
    (void)state;
    scene x = open_scene();
    float in[COUNT];
    float out[COUNT];
    uint64_t before = test_stats(&x.d).pool_bytes;
    uint64_t cuts = test_stats(&x.d).cuts;
    sinter_tensor t = test_floats(&x.d, 1, shape, NULL);
    sinter_tensor y;
    OK(sinter_neg(x.d.s, t, &y));
    uint64_t held = test_stats(&x.d).pool_bytes;
    test_read(&x.e, t, in, COUNT);
    test_release(&x.e, t);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(x.d.s, t));
    DECIDES(test_stats(&x.d).cuts, cuts);
    if (test_is_plain())
        assert_int_equal(test_stats(&x.d).pool_bytes, held);
    test_read(&x.d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == -in[i]);
    test_release(&x.d, y);
    OK(sinter_stream_sync(x.e.s));
    assert_int_equal(test_stats(&x.d).pool_bytes, before);
    close_scene(&x);
}

/* A stream that ends with work queued runs it; what others hold of it lives on. */
static void a_stream_ends_with_work_queued(void **state)
{
    (void)state;
    scene x = open_scene();
    float in[COUNT];
    float out[COUNT];
    sinter_tensor y;
    sinter_tensor z;
    test_read(&x.d, x.x[0], in, COUNT);
    OK(sinter_neg(x.e.s, x.x[0], &y));
    OK(sinter_neg(x.d.s, y, &z)); /* y is launched, and followed */
    OK(sinter_tensor_release(x.e.s, y));
    OK(sinter_abs(x.e.s, x.x[1], &y)); /* queued */
    FAILS(SINTER_EBUSY, sinter_context_destroy(x.d.ctx));
    OK(sinter_stream_destroy(x.e.s));
    x.e.s = NULL;
    test_read(&x.d, z, out, COUNT);
    assert_memory_equal(out, in, sizeof out);
    test_read(&x.d, x.x[1], in, COUNT);
    test_read(&x.d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == (in[i] < 0.0f ? -in[i] : in[i]));
    OK(sinter_tensor_release(NULL, y));
    FAILS(SINTER_EHANDLE, sinter_tensor_release(NULL, y));
    test_release(&x.d, z);
    close_scene(&x);
}

static void any_number_of_times(void **state)
{
    for (uint64_t i = 0; i < (rounds > 0 ? rounds : 1); i++) {
        an_idle_stream_gives_at_once(state);
        what_is_queued_is_given_at_the_next_cut(state);
        a_stream_ends_with_work_queued(state);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_events_change_no_group),
        cmocka_unit_test(any_number_of_times),
    };
    if (argc > 1)
        rounds = strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
