/* Several streams: tensors used, read and released where they are not at home. Values are right
 * everywhere, and what one stream does with another's tensors changes no bit and no plan. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define COUNT 40

static const int64_t shape[] = {COUNT};

/* The device with another of its streams. */
static test_device beside(const test_device *d)
{
    test_device e = {.ctx = d->ctx};
    OK(sinter_stream_create(d->ctx, NULL, &e.s));
    return e;
}

static void leave(test_device *e)
{
    OK(sinter_stream_destroy(e->s));
    *e = (test_device){0};
}

static sinter_tensor plus(const test_device *d, sinter_tensor x, double value)
{
    sinter_tensor y;
    OK(sinter_add_scalar(d->s, x, value, &y));
    return y;
}

static void assert_plus(const float *out, const float *in, float value)
{
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + value);
}

static void a_pending_tensor_is_used_on_another_stream(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    test_report_begin(&d);
    sinter_tensor y = plus(&d, x, 2.0);
    sinter_tensor z = plus(&e, y, 0.0);
    DECIDES(test_stats(&d).cuts, 1); /* at home; the user's queue is not cut */
    if (test_is_plain())
        assert_true(test_occurrences(test_report(&d), "another stream used a pending tensor") == 1);
    test_read(&e, z, out, COUNT);
    assert_plus(out, in, 2.0f);
    test_read(&e, y, out, COUNT); /* read where it is not at home */
    assert_plus(out, in, 2.0f);
    test_release(&d, x);
    test_release(&e, y);
    test_release(&d, z);
    leave(&e);
    test_close(&d);
}

/* Another stream's use cuts a program in two. The cut is not learned: alone, the program is one segment
 * as before, and hits its old plan. The two plans are kept aside: cut there again, both are hit. */
static void a_cut_by_another_stream_is_not_learned(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    for (int round = 0; round < 6; round++) {
        bool disturbed = round == 2 || round == 3;
        sinter_stats before = test_stats(&d);
        sinter_tensor a = plus(&d, x, 1.0);
        sinter_tensor b = plus(&d, a, 2.0);
        if (disturbed)
            test_read(&e, a, out, COUNT);
        sinter_tensor c = plus(&d, b, 4.0);
        test_release(&d, a);
        test_release(&d, b);
        test_read(&d, c, out, COUNT);
        test_release(&d, c);
        sinter_stats after = test_stats(&d);
        DECIDES(after.cuts - before.cuts, disturbed ? 2 : 1);
        if (round == 1 || round > 3)
            DECIDES(after.plan_hits - before.plan_hits, 1);
        if (round == 2)
            DECIDES(after.plan_hits - before.plan_hits, 0);
        if (round == 3)
            DECIDES(after.plan_hits - before.plan_hits, 2);
        if (round != 0 && round != 2)
            DECIDES(after.plan_count, before.plan_count);
    }
    test_release(&d, x);
    leave(&e);
    test_close(&d);
}

/* The kernels of a segment that was not learned are not built again when it comes again. */
static void a_cut_by_another_stream_builds_once(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float out[COUNT];
    uint64_t compiles = 0;
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    for (int round = 0; round < 4; round++) {
        sinter_tensor a;
        OK(sinter_square(d.s, x, &a));
        test_read(&e, a, out, COUNT);
        sinter_tensor b = plus(&d, a, 3.0);
        test_read(&d, b, out, COUNT);
        test_release(&d, a);
        test_release(&d, b);
        if (round == 0)
            compiles = test_stats(&d).compiles;
    }
    assert_int_equal(test_stats(&d).compiles, compiles);
    test_release(&d, x);
    leave(&e);
    test_close(&d);
}

static void a_release_elsewhere_waits_for_what_is_queued(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    sinter_tensor y = plus(&d, x, 1.0);
    test_release(&e, x);
    DECIDES(test_stats(&d).cuts, 0);
    test_read(&d, y, out, COUNT);
    assert_plus(out, in, 1.0f);
    test_release(&e, y);
    assert_int_equal(test_stats(&d).pool_bytes, 0);
    leave(&e);
    test_close(&d);
}

/* While another stream still has to read a tensor, its home does not write over it. */
static void a_tensor_in_use_elsewhere_is_not_overwritten(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float in[COUNT];
    float out[COUNT];
    for (int round = 0; round < 20; round++) {
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        test_read(&d, x, in, COUNT);
        sinter_tensor z = plus(&e, x, 1.0); /* queued on e */
        sinter_tensor y = plus(&d, x, 5.0); /* could take the storage of x */
        test_release(&d, x);
        OK(sinter_stream_flush(d.s));
        sinter_tensor w = test_floats(&d, 1, shape, (const float[COUNT]){9.0f});
        test_read(&e, z, out, COUNT);
        assert_plus(out, in, 1.0f);
        test_read(&d, y, out, COUNT);
        assert_plus(out, in, 5.0f);
        test_release(&d, w);
        test_release(&d, y);
        test_release(&e, z);
    }
    leave(&e);
    test_close(&d);
}

/* What another stream's launches may still read is neither taken over nor given away, also when its
 * home holds it alone; when that stream has waited, it is. */
static void what_another_stream_may_still_read_is_kept(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    for (int waits = 0; waits < 2; waits++) {
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        sinter_tensor y = plus(&e, x, 1.0);
        OK(sinter_stream_flush(e.s));
        if (waits)
            OK(sinter_stream_sync(e.s));
        uint64_t before = test_stats(&d).donations;
        sinter_tensor z;
        OK(sinter_neg(d.s, x, &z));
        test_release(&d, x);
        OK(sinter_stream_flush(d.s));
        if (test_reuses())
            DECIDES(test_stats(&d).donations - before, waits);
        test_release(&d, y);
        test_release(&d, z);
    }
    leave(&e);
    test_close(&d);
}

/* One stream uses what each of many has launched, and all of that is used on one more. */
static void many_are_followed_without_a_wait(void **state)
{
    enum { MANY = 24 };
    (void)state;
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    int many = info.global_memory_bytes >> 26 != 0 ? MANY : 2; /* each has a slab, of 1 MiB */
    test_device last = beside(&d);
    test_device home[MANY];
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    for (int i = 0; i < many; i++)
        home[i] = beside(&d);
    for (int round = 0; round < 3; round++) {
        uint64_t waits = test_stats(&d).host_waits;
        sinter_tensor largest = plus(&d, x, -1.0);
        for (int i = 0; i < many; i++) {
            sinter_tensor made = plus(&home[i], x, i);
            OK(sinter_stream_flush(home[i].s));
            sinter_tensor larger;
            OK(sinter_maximum(d.s, largest, made, &larger));
            test_release(&d, largest);
            test_release(&home[i], made);
            largest = larger;
        }
        OK(sinter_stream_flush(d.s));
        sinter_tensor y = plus(&last, largest, 1.0);
        OK(sinter_stream_flush(last.s));
        if (round > 0) /* the first makes slabs, and waits for them */
            DECIDES(test_stats(&d).host_waits - waits, 0);
        test_read(&last, y, out, COUNT);
        for (int i = 0; i < COUNT; i++)
            assert_true(out[i] == in[i] + (float)(many - 1) + 1.0f);
        test_release(&d, largest);
        test_release(&last, y);
        OK(sinter_stream_sync(d.s)); /* gives back what it has read of others */
    }
    test_release(&d, x);
    for (int i = 0; i < many; i++)
        leave(&home[i]);
    leave(&last);
    test_close(&d);
}

/* A tensor goes from stream to stream while the device may not have made it, and the host waits for
 * nothing but what it reads. */
static void a_hand_over_costs_no_wait(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    test_device f = beside(&d);
    float in[COUNT];
    float out[COUNT];
    const char *device = getenv("SINTER_DEVICE");
    bool host = device != NULL && strcmp(device, "host") == 0;
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    for (int round = 0; round < 5; round++) {
        uint64_t waits = test_stats(&d).host_waits;
        sinter_tensor y = plus(&d, x, 1.0);
        sinter_tensor z = plus(&e, y, 2.0);     /* y is pending */
        sinter_tensor again = plus(&e, y, 4.0); /* y is launched, and followed */
        sinter_tensor w = plus(&f, z, 8.0);     /* what follows y */
        sinter_tensor back = plus(&d, w, 0.0);
        OK(sinter_stream_flush(d.s));
        if (round > 0) /* the first makes slabs, and waits for them */
            DECIDES(test_stats(&d).host_waits - waits, 0);
        test_read(&d, back, out, COUNT);
        for (int i = 0; i < COUNT; i++) {
            float wanted = in[i] + 1.0f + 2.0f + 8.0f;
            assert_true(out[i] == wanted);
        }
        if (round > 0 && !host)
            DECIDES(test_stats(&d).host_waits - waits, 1);
        test_read(&e, again, out, COUNT);
        for (int i = 0; i < COUNT; i++) {
            float wanted = in[i] + 1.0f + 4.0f;
            assert_true(out[i] == wanted);
        }
        test_release(&d, y);
        test_release(&e, z);
        test_release(&e, again);
        test_release(&f, w);
        test_release(&d, back);
    }
    test_release(&d, x);
    leave(&f);
    leave(&e);
    test_close(&d);
}

/* What another thread releases while it is queued goes at the next cut: launches and bytes are those of
 * a program that keeps it until then, whenever the release came. */
static void a_release_elsewhere_changes_no_group(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float out[COUNT];
    uint64_t moved[3];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    for (int when = 0; when < 3; when++) { /* never, after its use, before it */
        sinter_stats before = test_stats(&d);
        sinter_tensor y = plus(&d, x, 1.0);
        sinter_tensor other = plus(&d, x, 3.0);
        if (when == 2)
            test_release(&e, other);
        sinter_tensor z;
        OK(sinter_square(d.s, y, &z));
        if (when == 1)
            test_release(&e, other);
        if (when > 0)
            FAILS(SINTER_EHANDLE, sinter_tensor_release(e.s, other));
        test_read(&d, z, out, COUNT);
        moved[when] = test_stats(&d).bytes_moved - before.bytes_moved;
        DECIDES(moved[when], moved[0]);
        if (when > 0)
            DECIDES(test_stats(&d).plan_hits - before.plan_hits, 1);
        if (when == 0)
            test_release(&d, other);
        test_release(&d, y);
        test_release(&d, z);
        if (test_is_plain())
            assert_int_equal(test_stats(&d).pool_bytes, sizeof(float) * COUNT); /* x */
    }
    test_release(&d, x);
    leave(&e);
    test_close(&d);
}

static void tensors_outlive_their_stream(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    test_device e = beside(&d);
    sinter_tensor uploaded = test_floats(&e, 1, shape, NULL);
    sinter_tensor pending = plus(&e, uploaded, 3.0);
    sinter_tensor view;
    OK(sinter_slice(e.s, pending, 0, 0, COUNT, 2, &view));
    leave(&e); /* runs what is pending */
    test_read(&d, pending, out, COUNT);
    assert_plus(out, in, 3.0f);
    test_read(&d, view, out, COUNT / 2);
    for (int i = 0; i < COUNT / 2; i++) {
        float wanted = in[2 * i] + 3.0f;
        assert_true(out[i] == wanted);
    }
    sinter_tensor z;
    OK(sinter_sub(d.s, pending, uploaded, &z));
    test_read(&d, z, out, COUNT);
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d.ctx, view, &desc));
    assert_int_equal(desc.shape[0], COUNT / 2);
    OK(sinter_tensor_retain(d.ctx, view));
    test_release(&d, view);
    OK(sinter_tensor_release(NULL, view));
    test_release(&d, pending);
    test_release(&d, uploaded);
    test_release(&d, z);
    test_release(&d, x);
    test_close(&d);
}

/* A chain passed back and forth between three streams. */
static void a_tensor_goes_around(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    test_device f = beside(&d);
    const test_device *all[] = {&d, &e, &f};
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    for (int i = 0; i < 30; i++) {
        sinter_tensor y = plus(all[i % 3], x, 1.0);
        test_release(all[(i + 1) % 3], x);
        x = y;
    }
    test_read(&e, x, out, COUNT);
    for (int i = 0; i < COUNT; i++) {
        float wanted = in[i];
        for (int k = 0; k < 30; k++)
            wanted += 1.0f;
        assert_true(out[i] == wanted);
    }
    test_release(&f, x);
    leave(&e);
    leave(&f);
    test_close(&d);
}

/* Disturbances */

#define STEPS 10
#define MOST_TENSORS (STEPS + 3)

/* What another stream does after `position` operations. */
typedef enum disturbance {
    NOTHING,
    READ_ELSEWHERE,    /* of the tensor `which` */
    USE_ELSEWHERE,     /* in an operation that is read at the end */
    RELEASE_ELSEWHERE, /* of what the program itself releases there */
    DISTURBANCES
} disturbance;

typedef struct program {
    uint64_t seed;
    disturbance what;
    int position;
    int which;
} program;

static void disturb(const test_device *e, const program *p, sinter_tensor *t, int made,
                    sinter_tensor *used)
{
    float out[COUNT];
    int which = p->which % made;
    if (t[which].id == 0)
        return;
    if (p->what == READ_ELSEWHERE)
        test_read(e, t[which], out, COUNT);
    else if (p->what == USE_ELSEWHERE)
        *used = plus(e, t[which], 1.0);
}

/* A random program with releases in between; its last two results. */
static void run(const test_device *d, const test_device *e, const program *p, float *out)
{
    test_random r = {p->seed};
    sinter_tensor t[MOST_TENSORS];
    sinter_tensor used = {0};
    int made = 0;
    for (; made < 3; made++)
        t[made] = test_floats(d, 1, shape, NULL);
    for (int i = 0; i < STEPS; i++) {
        sinter_tensor live[MOST_TENSORS];
        uint32_t count = 0;
        if (i == p->position)
            disturb(e, p, t, made, &used);
        for (int k = 0; k < made; k++) {
            if (t[k].id != 0)
                live[count++] = t[k];
        }
        t[made] = test_step(d, &r, live, count, true);
        made++;
        int dies = (int)test_below(&r, (uint32_t)made - 2);
        bool elsewhere = p->what == RELEASE_ELSEWHERE && i == p->position;
        test_release(elsewhere ? e : d, t[dies]);
        t[dies].id = 0;
    }
    test_read(d, t[made - 1], out, COUNT);
    test_read(d, t[made - 2], out + COUNT, COUNT);
    if (used.id != 0) {
        float ignored[COUNT];
        test_read(e, used, ignored, COUNT);
        test_release(e, used);
    }
    for (int k = 0; k < made; k++)
        test_release(d, t[k]);
}

/* At every position on the host; elsewhere each cut is another kernel to build, and two will do. */
static void foreign_reads_and_releases_change_no_bits(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    const char *device = getenv("SINTER_DEVICE");
    bool host = device != NULL && strcmp(device, "host") == 0;
    for (uint64_t seed = 0; seed < (host ? 40 : 1); seed++) {
        float wanted[2 * COUNT];
        float found[2 * COUNT];
        program p = {.seed = seed};
        run(&d, &e, &p, wanted);
        for (int what = READ_ELSEWHERE; what < DISTURBANCES; what++) {
            for (p.position = host ? 0 : 1; p.position < STEPS; p.position += host ? 1 : 6) {
                p.what = (disturbance)what;
                p.which = p.position * 5 + 2; /* any of those there are */
                run(&d, &e, &p, found);
                assert_memory_equal(found, wanted, sizeof found);
            }
        }
    }
    leave(&e);
    test_close(&d);
}

/* More of another stream's tensors than a stream remembers that it reads. */
static void many_of_another_are_let_go_of(void **state)
{
    (void)state;
    enum { MANY = 70 };
    test_device d = test_open(NULL);
    test_device e = beside(&d);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x[MANY];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++)
            x[i] = test_floats(&d, 1, shape, NULL);
        test_read(&d, x[0], in, COUNT);
        uint64_t waits = test_stats(&d).host_waits;
        sinter_tensor sum = plus(&e, x[0], 0.0);
        for (int i = 1; i < MANY; i++) {
            sinter_tensor more;
            OK(sinter_maximum(e.s, sum, x[i], &more));
            test_release(&e, sum);
            sum = more;
        }
        OK(sinter_stream_flush(e.s));
        if (round > 0) /* the first makes slabs, and waits for them */
            DECIDES(test_stats(&d).host_waits - waits, 0);
        OK(sinter_stream_sync(e.s)); /* and not a read, which would wait once more */
        for (int i = 0; i < MANY; i++)
            test_release(&d, x[i]);
        OK(sinter_stream_sync(d.s));
        uint64_t held = test_stats(&d).pool_bytes;
        test_read(&e, sum, out, COUNT);
        assert_plus(out, in, 0.0f);
        assert_int_equal(held, test_stats(&d).pool_bytes);
        test_release(&e, sum);
    }
    leave(&e);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pending_tensor_is_used_on_another_stream),
        cmocka_unit_test(a_cut_by_another_stream_is_not_learned),
        cmocka_unit_test(a_cut_by_another_stream_builds_once),
        cmocka_unit_test(a_release_elsewhere_waits_for_what_is_queued),
        cmocka_unit_test(a_tensor_in_use_elsewhere_is_not_overwritten),
        cmocka_unit_test(what_another_stream_may_still_read_is_kept),
        cmocka_unit_test(a_hand_over_costs_no_wait),
        cmocka_unit_test(many_are_followed_without_a_wait),
        cmocka_unit_test(a_release_elsewhere_changes_no_group),
        cmocka_unit_test(tensors_outlive_their_stream),
        cmocka_unit_test(a_tensor_goes_around),
        cmocka_unit_test(foreign_reads_and_releases_change_no_bits),
        cmocka_unit_test(many_of_another_are_let_go_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
