/* One context with several devices (SINTER_DEVICE is a list): what is used on another device is copied
 * there, is the same bits, and is counted; each device has a budget and counters of its own. */
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 48

static const int64_t shape[] = {6, 8};

/* Streams on the context's first two devices. */
typedef struct pair {
    test_device a, b;
} pair;

static sinter_stream *stream_on(sinter_context *ctx, uint32_t device)
{
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    sinter_stream *s;
    o.device = device;
    OK(sinter_stream_create(ctx, &o, &s));
    return s;
}

static pair open_pair(const sinter_context_options *options)
{
    pair p = {.a = test_open(options)};
    p.b.ctx = p.a.ctx;
    p.b.s = stream_on(p.a.ctx, 1);
    return p;
}

static void close_pair(pair *p)
{
    OK(sinter_stream_destroy(p->b.s));
    test_close(&p->a);
}

static sinter_tensor plus(const test_device *d, sinter_tensor x, double value)
{
    sinter_tensor y;
    OK(sinter_add_scalar(d->s, x, value, &y));
    return y;
}

static sinter_stats stats_of(const pair *p, uint32_t device)
{
    sinter_stats stats = SINTER_STATS_INIT;
    OK(sinter_context_device_stats(p->a.ctx, device, &stats));
    return stats;
}

static uint64_t waits_if_opencl(const pair *p, uint32_t device, uint64_t waits)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device_at(p->a.ctx, device, &info));
    return info.kind == SINTER_DEVICE_HOST ? 0 : waits;
}

/* What has been copied since `before`, in all. */
static void assert_copied(const pair *p, const sinter_stats *before, uint64_t copies,
                          uint64_t bytes)
{
    sinter_stats now = test_stats(&p->a);
    assert_int_equal(now.device_copies - before->device_copies, copies);
    assert_int_equal(now.device_copied_bytes - before->device_copied_bytes, bytes);
}

static void devices_are_told_by_index(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    sinter_device_info first = SINTER_DEVICE_INFO_INIT;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_stats stats = SINTER_STATS_INIT;
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    sinter_stream *s;
    uint32_t count = sinter_context_device_count(p.a.ctx);
    assert_true(count >= 2);
    assert_int_equal(sinter_context_device_count(NULL), 0);
    OK(sinter_context_device(p.a.ctx, &first));
    OK(sinter_context_device_at(p.a.ctx, 0, &info));
    assert_memory_equal(&first, &info, sizeof info);
    OK(sinter_context_device_at(p.a.ctx, 1, &info));
    FAILS(SINTER_EINVAL, sinter_context_device_at(p.a.ctx, count, &info));
    FAILS(SINTER_EINVAL, sinter_context_device_stats(p.a.ctx, count, &stats));
    o.device = count;
    FAILS(SINTER_EINVAL, sinter_stream_create(p.a.ctx, &o, &s));
    close_pair(&p);
}

/* The bits of a shared tensor, of views of it and of what is computed of them are those of one device. */
static void a_tensor_is_used_on_another_device(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor y;
    sinter_tensor z;
    test_read(&p.a, x, in, COUNT);
    sinter_stats before = test_stats(&p.a);
    OK(sinter_add(p.b.s, x, x, &y)); /* both operands: one copy */
    OK(sinter_mul(p.b.s, x, y, &z)); /* which this one has too */
    if (test_is_plain())
        assert_copied(&p, &before, 0, 0); /* before the operations run */
    test_read(&p.b, z, out, COUNT);
    if (test_is_plain())
        assert_copied(&p, &before, 1, sizeof in);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] * (in[i] + in[i]));
    test_release(&p.b, z);
    test_read(&p.b, y, out, COUNT);
    before = test_stats(&p.a);
    test_read(&p.b, x, out, COUNT); /* from where it lies */
    assert_memory_equal(in, out, sizeof in);
    test_read(&p.a, y, out, COUNT);
    assert_copied(&p, &before, 0, 0);
    test_release(&p.b, x);
    test_release(&p.a, y);
    close_pair(&p);
}

static void a_pending_tensor_is_used_on_another_device(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    test_read(&p.a, x, in, COUNT);
    sinter_tensor y = plus(&p.a, x, 1.0);
    sinter_tensor z = plus(&p.b, y, 0.0);
    sinter_tensor back = plus(&p.a, z, 2.0);
    test_release(&p.a, y);
    test_release(&p.a, z); /* on a stream that is not its own */
    test_read(&p.a, back, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + 1.0f + 2.0f);
    test_release(&p.a, x);
    test_release(&p.a, back);
    close_pair(&p);
}

typedef sinter_status (*make_view)(sinter_stream *s, sinter_tensor x, sinter_tensor *out);

static sinter_status turned(sinter_stream *s, sinter_tensor x, sinter_tensor *out)
{
    return sinter_transpose(s, x, NULL, out);
}

static sinter_status backwards(sinter_stream *s, sinter_tensor x, sinter_tensor *out)
{
    return sinter_flip(s, x, 0, NULL, out);
}

static sinter_status every_third(sinter_stream *s, sinter_tensor x, sinter_tensor *out)
{
    return sinter_slice(s, x, 1, 7, 0, -3, out);
}

static sinter_status nothing_of_it(sinter_stream *s, sinter_tensor x, sinter_tensor *out)
{
    return sinter_slice(s, x, 0, 2, 2, 1, out);
}

static void views_are_used_on_another_device(void **state)
{
    (void)state;
    static const make_view views[] = {turned, backwards, every_third, nothing_of_it};
    pair p = open_pair(NULL);
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        float here[COUNT] = {0};
        float there[COUNT] = {0};
        sinter_tensor_desc desc;
        sinter_tensor view;
        OK(views[i](p.a.s, x, &view));
        OK(sinter_tensor_describe(p.a.ctx, view, &desc));
        size_t count = (size_t)(desc.shape[0] * desc.shape[1]);
        sinter_tensor y = plus(&p.a, view, 3.0);
        sinter_tensor z = plus(&p.b, view, 3.0);
        test_read(&p.a, y, here, count);
        test_read(&p.b, z, there, count);
        assert_memory_equal(here, there, sizeof here);
        test_read(&p.b, view, there, count); /* not packed: copied, then made packed */
        test_release(&p.a, y);
        test_release(&p.a, z);
        test_release(&p.a, view);
    }
    test_release(&p.a, x);
    close_pair(&p);
}

/* A plan is there for any extents. With none there is nothing to copy, and the place of the copy before has been given
 * back: the launch, which sums up nothing, must not be given it. */
static void what_has_no_elements_has_no_place(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = SINTER_MEMORY_SEPARATE;
    pair p = open_pair(&options);
    float data[COUNT];
    float out[6];
    test_fill(data, COUNT);
    sinter_tensor w = test_floats(&p.b, 2, shape, data);
    for (int i = 0; i < 6; i++) {
        const int axis = 1;
        const int64_t stop = i % 2 == 0 ? 3 : 0;
        sinter_tensor part;
        sinter_tensor sum;
        OK(sinter_slice(p.b.s, w, 1, 0, stop, 1, &part));
        OK(sinter_stream_sync(p.b.s));
        OK(sinter_sum(p.a.s, part, 1, &axis, false, &sum));
        sinter_tensor y = plus(&p.a, sum, 1);
        test_release(&p.a, sum);
        test_read(&p.a, y, out, 6);
        for (int k = 0; k < 6; k++) {
            const float *row = &data[8 * k];
            assert_true(out[k] == 1 + (stop == 0 ? 0 : row[0] + row[2] + row[1]));
        }
        test_release(&p.a, y);
        test_release(&p.b, part);
        OK(sinter_stream_sync(p.a.s));
        OK(sinter_stream_sync(p.b.s));
    }
    test_release(&p.b, w);
    close_pair(&p);
}

/* sinter_tensor_to: a copy that stays, and no copy where the tensor is already. */
static void a_tensor_moves(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor there;
    sinter_tensor here;
    test_read(&p.a, x, in, COUNT);
    sinter_stats before = test_stats(&p.a);
    OK(sinter_tensor_to(p.b.s, x, &there));
    OK(sinter_tensor_to(p.a.s, x, &here));
    OK(sinter_stream_flush(p.b.s));
    assert_copied(&p, &before, 1, sizeof in);
    for (int i = 0; i < 3; i++) {
        sinter_tensor y = plus(&p.b, there, i);
        test_read(&p.b, y, out, COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_true(out[k] == in[k] + (float)i);
        test_release(&p.b, y);
    }
    assert_copied(&p, &before, 1, sizeof in);
    test_release(&p.a, x); /* the others live on */
    test_read(&p.b, there, out, COUNT);
    assert_memory_equal(in, out, sizeof in);
    test_read(&p.a, here, out, COUNT);
    assert_memory_equal(in, out, sizeof in);
    test_release(&p.b, there);
    test_release(&p.a, here);
    FAILS(SINTER_EHANDLE, sinter_tensor_to(p.b.s, x, &there));
    FAILS(SINTER_EINVAL, sinter_tensor_to(NULL, x, &there));
    assert_int_equal(there.id, 0);
    close_pair(&p);
}

/* A tensor whose stream is gone still has a device. */
static void a_tensor_outlives_its_stream(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    float in[COUNT];
    float out[COUNT];
    test_device c = {.ctx = p.a.ctx, .s = stream_on(p.a.ctx, 1)};
    sinter_tensor x = test_floats(&c, 2, shape, NULL);
    test_read(&c, x, in, COUNT);
    sinter_tensor y = plus(&c, x, 1.0);
    OK(sinter_stream_destroy(c.s));
    sinter_tensor z = plus(&p.a, y, 0.0);
    test_read(&p.a, z, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + 1.0f);
    test_read(&p.a, y, out, COUNT);
    assert_true(out[0] == in[0] + 1.0f);
    OK(sinter_tensor_release(NULL, x));
    test_release(&p.a, y);
    test_release(&p.b, z);
    close_pair(&p);
}

/* More than two pieces of staging memory, and not a multiple of one. */
static void much_is_copied(void **state)
{
    (void)state;
    const int64_t large[] = {3 * 1024 * 1024 + 17};
    size_t count = (size_t)large[0];
    pair p = open_pair(NULL);
    float *in = malloc(2 * count * sizeof *in);
    assert_non_null(in);
    for (size_t i = 0; i < count; i++)
        in[i] = (float)(i % 65521) * 0.25f;
    sinter_tensor x = test_floats(&p.a, 1, large, in);
    sinter_tensor there;
    sinter_stats before = test_stats(&p.a);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device_at(p.a.ctx, 0, &info));
    bool maps = info.unified_memory != 0 && getenv("SINTER_MEMORY_MODE") == NULL;
    uint64_t mapped = info.runs_at_once != 0 ? 1 : 2; /* and unmapped, which is done then */
    for (int busy = 0; busy < 2; busy++) {
        OK(sinter_tensor_to(p.b.s, x, &there));
        sinter_tensor after = plus(&p.a, x, 1.0);
        if (busy) /* the slab may be written: it is not mapped */
            OK(sinter_stream_flush(p.a.s));
        sinter_stats here = stats_of(&p, 0);
        OK(sinter_stream_flush(p.b.s));
        DECIDES(stats_of(&p, 0).host_waits - here.host_waits,
                waits_if_opencl(&p, 0, !busy && maps ? mapped : 4));
        test_read(&p.b, there, in + count, count);
        assert_memory_equal(in, in + count, count * sizeof *in);
        test_release(&p.a, after);
        test_release(&p.b, there);
    }
    assert_copied(&p, &before, 2, 2 * count * sizeof *in);
    test_release(&p.a, x);
    free(in);
    close_pair(&p);
}

/* What the stream itself holds of it while it reads does not count as another's. */
static void a_copy_may_be_mapped_at_once(void **state)
{
    (void)state;
    float out[COUNT];
    void *data;
    size_t bytes;
    pair p = open_pair(NULL);
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor y;
    OK(sinter_tensor_to(p.b.s, x, &y));
    sinter_tensor z = plus(&p.b, y, 1.0);
    OK(sinter_tensor_map(p.b.s, y, SINTER_MAP_WRITE, &data, &bytes));
    ((float *)data)[1] = 7.0f;
    OK(sinter_tensor_unmap(p.b.s, y));
    test_read(&p.b, y, out, COUNT);
    assert_true(out[1] == 7.0f);
    test_read(&p.b, z, out, COUNT);
    assert_true(out[1] != 8.0f);
    test_release(&p.a, x);
    test_release(&p.b, y);
    test_release(&p.b, z);
    close_pair(&p);
}

/* A program whose every operation runs on a device drawn at random. */
static void placement_changes_no_bit(void **state)
{
    (void)state;
    enum { STEPS = 10, ROUNDS = 1 };
    pair p = open_pair(NULL);
    uint32_t devices = sinter_context_device_count(p.a.ctx);
    sinter_stream *streams[16] = {NULL};
    for (uint32_t i = 0; i < devices; i++)
        streams[i] = stream_on(p.a.ctx, i);
    const int axis = 1;
    test_random r = {.state = 20};
    for (int round = 0; round < ROUNDS; round++) {
        float wanted[COUNT];
        float found[COUNT];
        sinter_tensor one[STEPS + 1];
        sinter_tensor many[STEPS + 1];
        one[0] = many[0] = test_floats(&p.a, 2, shape, NULL);
        for (int i = 1; i <= STEPS; i++) {
            uint32_t kind = test_below(&r, 4);
            uint32_t of = test_below(&r, (uint32_t)i);
            uint32_t with = test_below(&r, (uint32_t)i);
            sinter_stream *s = streams[test_below(&r, devices)];
            for (int alone = 0; alone < 2; alone++) {
                sinter_stream *on = alone != 0 ? p.a.s : s;
                sinter_tensor *t = alone != 0 ? one : many;
                OK(kind == 0   ? sinter_add(on, t[of], t[with], &t[i])
                   : kind == 1 ? sinter_mul(on, t[of], t[with], &t[i])
                   : kind == 2 ? sinter_tanh(on, t[of], &t[i])
                               : sinter_softmax(on, t[of], 1, &axis, &t[i]));
            }
        }
        for (int i = STEPS; i >= 0; i--) {
            test_read(&p.a, one[i], wanted, COUNT);
            test_read(&p.b, many[i], found, COUNT);
            assert_memory_equal(wanted, found, sizeof wanted);
            test_release(&p.a, one[i]);
            if (i > 0)
                test_release(&p.b, many[i]);
        }
    }
    for (uint32_t i = 0; i < devices; i++)
        OK(sinter_stream_destroy(streams[i]));
    assert_true(test_stats(&p.a).device_copies > 0);
    close_pair(&p);
}

typedef struct user_of_theirs {
    sinter_stream *s;
    sinter_tensor theirs; /* at home on the other device */
    float in[COUNT];
    bool right;
} user_of_theirs;

static void *use_theirs(void *argument)
{
    user_of_theirs *u = argument;
    for (int i = 0; i < 100 && u->right; i++) {
        float out[COUNT];
        sinter_tensor y;
        u->right = sinter_neg(u->s, u->theirs, &y) == SINTER_OK &&
                   sinter_tensor_read(u->s, y, out, sizeof out) == SINTER_OK &&
                   sinter_tensor_release(u->s, y) == SINTER_OK;
        for (int k = 0; k < COUNT && u->right; k++)
            u->right = out[k] == -u->in[k];
    }
    return NULL;
}

/* Two threads, each on one device with a tensor of the other: nobody waits for ever. */
static void copies_go_both_ways_at_once(void **state)
{
    (void)state;
    test_promise_pause(); /* threads take memory at once */
    pair p = open_pair(NULL);
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor y = plus(&p.b, x, 1.0);
    user_of_theirs users[2] = {{.s = p.a.s, .theirs = y, .right = true},
                               {.s = p.b.s, .theirs = x, .right = true}};
    pthread_t threads[2];
    test_read(&p.b, y, users[0].in, COUNT);
    test_read(&p.a, x, users[1].in, COUNT);
    sinter_stats before = test_stats(&p.a);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_theirs, &users[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(users[0].right && users[1].right);
    assert_copied(&p, &before, 200, 200 * sizeof users[0].in);
    test_release(&p.a, x);
    test_release(&p.b, y);
    close_pair(&p);
}

/* Work on two copies, under budgets from too small to plenty: with less it is cut so that a part needs one of
 * them, and what is promised is what happens, to the byte (support/promise.c). More budget never runs less. */
static void parts_bring_what_they_read(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 14 };
    static float out[LENGTH];
    const int64_t length[] = {LENGTH};
    unsigned most = 0;
    uint64_t segments = 1;
    for (uint64_t budget = 2; budget <= 8; budget++) {
        sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
        o.budget_bytes = budget * LENGTH * sizeof *out;
        pair p = open_pair(&o);
        sinter_tensor in[2];
        sinter_tensor made[2];
        unsigned values = 0;
        for (int i = 0; i < 2; i++) {
            OK(sinter_full(p.a.s, SINTER_F32, 1, length, sinter_scalar_float(i + 1), &in[i]));
            OK(sinter_stream_sync(p.a.s));
            OK(sinter_mul_scalar(p.b.s, in[i], 3.0, &made[i]));
        }
        sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
        sinter_status fits = sinter_stream_memory_need(p.b.s, &need);
        segments = need.segments > segments ? need.segments : segments;
        (void)sinter_stream_sync(p.b.s);
        for (int i = 0; i < 2; i++) {
            sinter_status status = sinter_tensor_read(p.b.s, made[i], out, sizeof out);
            if (status != SINTER_OK)
                assert_int_equal(status, SINTER_EBUDGET);
            else
                assert_true(out[LENGTH - 1] == (float)(3 * (i + 1)));
            values += status == SINTER_OK;
            test_release(&p.a, in[i]);
            test_release(&p.b, made[i]);
        }
        assert_int_equal(fits == SINTER_OK, values == 2);
        assert_true(values >= most);
        most = values;
        close_pair(&p);
    }
    assert_int_equal(most, 2);
    if (test_is_plain() && test_is_pooled())
        assert_true(segments > 1);
}

/* Memory of copies that are done goes where it is wanted, before anything is refused for it: to another copy, once
 * what reads the first is waited for, and to the stream's own tensors. What is promised is what happens. */
static void finished_copies_give_way(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 14 };
    const uint64_t bytes = LENGTH * sizeof(float);
    const int64_t length[] = {LENGTH};
    const int64_t wide[] = {3 * LENGTH};
    static float out[3 * LENGTH];
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.budget_bytes = 7 * bytes / 2;
    pair p = open_pair(&o);
    if (!test_is_plain() || !test_is_pooled()) {
        close_pair(&p);
        skip();
    }
    const char *why = "over the budget: waits for what reads copies from other devices";
    sinter_tensor x;
    sinter_tensor sums[4];
    sinter_tensor y;
    OK(sinter_full(p.a.s, SINTER_F32, 1, length, sinter_scalar_float(3), &x));
    test_report_begin(&p.b);
    for (int i = 0; i < 4; i++) {
        sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
        OK(sinter_sum(p.b.s, x, 0, NULL, false, &sums[i]));
        OK(sinter_stream_memory_need(p.b.s, &need));
        assert_true(need.need_bytes > (i < 3 ? (uint64_t)i + 1 : 3) * bytes);
        assert_true(need.need_bytes <= o.budget_bytes);
        OK(sinter_stream_flush(p.b.s));
    }
    assert_int_equal(test_occurrences(test_report(&p.b), why), 1); /* which waits for times */
    assert_int_equal(stats_of(&p, 1).device_copies, 4);
    OK(sinter_stream_sync(p.b.s));
    /* The copies' slabs are empty, and three times what is left. */
    assert_true(stats_of(&p, 1).cl_allocated_bytes > 3 * bytes);
    OK(sinter_full(p.b.s, SINTER_F32, 1, wide, sinter_scalar_float(2), &y));
    test_read(&p.b, y, out, 3 * LENGTH);
    assert_true(out[0] == 2.0f && out[3 * LENGTH - 1] == 2.0f);
    assert_true(stats_of(&p, 1).cl_allocated_bytes < 7 * bytes / 2);
    for (int i = 0; i < 4; i++) {
        test_read(&p.b, sums[i], out, 1);
        assert_true(out[0] == (float)(3 * LENGTH));
        test_release(&p.b, sums[i]);
    }
    test_release(&p.b, y);
    test_release(&p.a, x);
    close_pair(&p);
}

/* What lay in the stream's own slabs has gone, and a copy needs the room. */
static void a_copy_takes_the_room_of_empty_slabs(void **state)
{
    (void)state;
    enum { LENGTH = 1 << 16 };
    const int64_t length[] = {LENGTH};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.budget_bytes = 3 * LENGTH * sizeof(float) / 2;
    pair p = open_pair(&o);
    sinter_tensor x;
    sinter_tensor y;
    float out;
    OK(sinter_full(p.b.s, SINTER_F32, 1, length, sinter_scalar_float(1), &x));
    OK(sinter_stream_sync(p.b.s));
    test_release(&p.b, x);
    OK(sinter_full(p.a.s, SINTER_F32, 1, length, sinter_scalar_float(2), &x));
    OK(sinter_stream_sync(p.a.s));
    OK(sinter_max(p.b.s, x, 0, NULL, false, &y));
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    OK(sinter_stream_memory_need(p.b.s, &need));
    test_read(&p.b, y, &out, 1);
    assert_true(out == 2.0f);
    test_release(&p.b, y);
    test_release(&p.a, x);
    close_pair(&p);
}

/* Each device has the budget to itself, and what does not fit on one leaves the other alone. */
static void the_budget_is_each_devices_own(void **state)
{
    (void)state;
    const int64_t large[] = {768 * 1024}; /* 3 MiB */
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.budget_bytes = (uint64_t)4 << 20;
    pair p = open_pair(&o);
    float *data = calloc((size_t)large[0], sizeof *data);
    assert_non_null(data);
    data[5] = 1.5f;
    sinter_tensor x = test_floats(&p.a, 1, large, data);
    sinter_tensor y = test_floats(&p.b, 1, large, data); /* 6 MiB in all */
    float few[COUNT];
    sinter_tensor small = test_floats(&p.b, 2, shape, NULL);
    sinter_tensor z;
    sinter_tensor after;
    sinter_tensor apart = plus(&p.b, small, 1.0);
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    test_read(&p.b, small, few, COUNT);
    float first = few[0];
    test_release(&p.b, apart);
    apart = plus(&p.b, small, 1.0);
    OK(sinter_tensor_to(p.b.s, x, &z));
    after = plus(&p.b, z, 1.0);
    if (test_is_plain()) {
        FAILS(SINTER_EBUDGET, sinter_stream_memory_need(p.b.s, &need));
        assert_true(strstr(sinter_last_error(), "a copy from device") != NULL);
        assert_true(need.missing_bytes > 0);
    }
    test_read(&p.b, apart, few, COUNT); /* what does not depend on the copy runs */
    assert_true(few[0] == first + 1.0f);
    FAILS(SINTER_EBUDGET, sinter_tensor_read(p.b.s, after, data, (size_t)large[0] * sizeof *data));
    assert_true(strstr(sinter_last_error(), "a copy from device") != NULL);
    FAILS(SINTER_EBUDGET, sinter_tensor_read(p.b.s, z, data, (size_t)large[0] * sizeof *data));
    test_release(&p.b, small);
    test_release(&p.b, apart);
    test_release(&p.b, after);
    test_release(&p.b, z);
    for (uint32_t i = 0; i < 2; i++) {
        sinter_stats stats = SINTER_STATS_INIT;
        OK(sinter_context_device_stats(p.a.ctx, i, &stats));
        assert_true(stats.cl_allocated_peak_bytes >= 3u << 20);
        assert_true(stats.cl_allocated_peak_bytes <= o.budget_bytes);
        assert_int_equal(stats.device_copies, 0);
    }
    test_release(&p.b, y);
    test_read(&p.a, x, data, (size_t)large[0]);
    assert_true(data[5] == 1.5f);
    test_release(&p.a, x);
    free(data);
    close_pair(&p);
}

/* What the hook sees before each launch. */
typedef struct watcher {
    sinter_context *ctx; /* NULL: it looks at nothing */
    int launches;
    uint64_t copies[8]; /* made before each of them */
    int stops_at;       /* -1: nothing is cancelled */
    bool stops;
} watcher;

static void note(void *user, const sinter_progress *next)
{
    watcher *w = user;
    sinter_stats stats = SINTER_STATS_INIT;
    if (w->ctx == NULL || next->kind != SINTER_PROGRESS_LAUNCH)
        return;
    OK(sinter_context_stats(w->ctx, &stats));
    assert_in_range(w->launches, 0, 7);
    w->stops = w->launches == w->stops_at;
    w->copies[w->launches++] = stats.device_copies;
}

static int cancel(void *user)
{
    const watcher *w = user;
    return w->stops;
}

static pair open_watched(watcher *w)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.progress_fn = note;
    o.cancel_fn = cancel;
    o.progress_user = w;
    return open_pair(&o);
}

static sinter_tensor along_rows(const test_device *d, sinter_tensor x)
{
    const int axis = 1;
    sinter_tensor y;
    OK(sinter_softmax(d->s, x, 1, &axis, &y));
    return y;
}

/* A launch that does not read the copy is handed to the device before the host waits for the other one; that one
 * wait is for the read, and there is none for the write. */
static void launches_do_not_wait_for_copies(void **state)
{
    (void)state;
    watcher w = {.stops_at = -1};
    pair p = open_watched(&w);
    float out[COUNT];
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor own = test_floats(&p.b, 2, shape, NULL);
    for (int round = 0; round < 3; round++) { /* the first makes kernels, queues and slabs */
        sinter_tensor y = plus(&p.a, x, 1.0);
        sinter_stats made = stats_of(&p, 0);
        sinter_stats here = stats_of(&p, 1);
        sinter_tensor apart = along_rows(&p.b, own); /* shares no launch with the next */
        sinter_tensor sum = plus(&p.b, y, 2.0);
        w.ctx = p.a.ctx;
        w.launches = 0;
        OK(sinter_stream_flush(p.b.s));
        w.ctx = NULL;
        if (round > 0 && test_is_plain()) {
            assert_int_equal(w.launches, 2);
            assert_int_equal(w.copies[0], here.device_copies);
            assert_int_equal(w.copies[1], here.device_copies + 1);
            assert_int_equal(stats_of(&p, 0).host_waits - made.host_waits,
                             waits_if_opencl(&p, 0, 1));
            assert_int_equal(stats_of(&p, 1).host_waits - here.host_waits, 0);
            assert_int_equal(stats_of(&p, 1).launches - here.launches, 2);
            assert_int_equal(stats_of(&p, 1).plan_hits - here.plan_hits, 1);
        }
        test_read(&p.b, sum, out, COUNT);
        test_release(&p.a, y);
        test_release(&p.b, apart);
        test_release(&p.b, sum);
    }
    test_release(&p.a, x);
    test_release(&p.b, own);
    close_pair(&p);
}

/* Cancelled is what would read the copy: then there is none, and the next segment makes it. */
static void a_cancelled_segment_copies_nothing(void **state)
{
    (void)state;
    watcher w = {.stops_at = 0};
    pair p = open_watched(&w);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    sinter_tensor own = test_floats(&p.b, 2, shape, NULL);
    test_read(&p.a, x, in, COUNT);
    sinter_tensor apart = along_rows(&p.b, own);
    sinter_tensor sum = plus(&p.b, x, 1.0);
    sinter_stats before = test_stats(&p.a);
    w.ctx = p.a.ctx;
    (void)sinter_stream_sync(p.b.s);
    w.ctx = NULL;
    w.stops = false;
    if (test_is_plain()) {
        assert_copied(&p, &before, 0, 0);
        FAILS(SINTER_ECANCELLED, sinter_tensor_read(p.b.s, sum, out, sizeof out));
    }
    test_release(&p.b, sum);
    sum = plus(&p.b, x, 1.0);
    test_read(&p.b, sum, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + 1.0f);
    test_release(&p.a, x);
    test_release(&p.b, own);
    test_release(&p.b, apart);
    test_release(&p.b, sum);
    close_pair(&p);
}

/* The tensor, its handle and its stream may go before the copy is made; what nobody wants is not copied. */
static void what_is_to_be_copied_is_held(void **state)
{
    (void)state;
    pair p = open_pair(NULL);
    float in[COUNT];
    float out[COUNT];
    test_device c = {.ctx = p.a.ctx, .s = stream_on(p.a.ctx, 0)};
    sinter_tensor x = test_floats(&c, 2, shape, NULL);
    test_read(&c, x, in, COUNT);
    sinter_tensor y = plus(&c, x, 1.0);
    sinter_tensor z = plus(&p.b, y, 1.0);
    test_release(&c, y);
    sinter_tensor over = plus(&c, x, 5.0); /* may not lie where y does */
    OK(sinter_stream_destroy(c.s));
    test_read(&p.b, z, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + 1.0f + 1.0f);
    test_release(&p.b, z);
    sinter_stats before = test_stats(&p.a);
    z = plus(&p.b, x, 1.0);
    test_release(&p.b, z);
    OK(sinter_stream_sync(p.b.s));
    if (test_is_plain())
        assert_copied(&p, &before, 0, 0);
    c.s = stream_on(p.a.ctx, 1);
    z = plus(&c, x, 2.0);
    OK(sinter_stream_destroy(c.s)); /* with a copy that is pending */
    test_read(&p.a, z, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + 2.0f);
    test_release(&p.a, x);
    test_release(&p.a, z);
    test_release(&p.a, over);
    close_pair(&p);
}

typedef struct traced {
    int copies;
    uint64_t bytes;
    uint32_t stream;
} traced;

static void note_copy(void *user, const sinter_trace_event *e)
{
    traced *t = user;
    if (e->kind != SINTER_TRACE_COPY)
        return;
    assert_true(e->end_ns >= e->start_ns);
    assert_string_equal(e->name, "copy");
    assert_true(strncmp(e->detail, "from device ", 12) == 0);
    t->copies++;
    t->bytes += e->bytes;
    t->stream = e->stream;
}

static void copies_are_told(void **state)
{
    (void)state;
    traced t = {.copies = 0};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.trace_fn = note_copy;
    o.trace_user = &t;
    pair p = open_pair(&o);
    sinter_tensor x = test_floats(&p.a, 2, shape, NULL);
    test_report_begin(&p.b);
    sinter_tensor y = plus(&p.b, x, 1.0);
    OK(sinter_stream_sync(p.b.s));
    assert_int_equal(t.copies, 1);
    assert_int_equal(t.bytes, COUNT * sizeof(float));
    assert_int_equal(t.stream, 2); /* that uses it */
    const char *report = test_report(&p.b);
    assert_true(strstr(report, "copy from device ") != NULL);
    assert_true(strstr(report, ": 192 bytes, all read after ") != NULL);
    test_release(&p.a, x);
    test_release(&p.b, y);
    close_pair(&p);
}

/* Names of devices that are none. */
static void lists_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sinter_status status;
    } wrong[] = {
        {"host,,host", SINTER_EINVAL},
        {"host,", SINTER_EINVAL},
        {"host,no such device", SINTER_ENODEVICE},
        {"host/2", SINTER_EUNSUPPORTED},
        {"host/99999999.1", SINTER_EUNSUPPORTED},
        {"host,host,host,host,host,host,host,host,host,host,host,host,host,host,host,host,host",
         SINTER_EINVAL}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
        sinter_context *ctx;
        o.device = wrong[i].text;
        FAILS(wrong[i].status, sinter_context_create(&o, &ctx));
        assert_null(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_told_by_index),
        cmocka_unit_test(a_tensor_is_used_on_another_device),
        cmocka_unit_test(a_pending_tensor_is_used_on_another_device),
        cmocka_unit_test(views_are_used_on_another_device),
        cmocka_unit_test(what_has_no_elements_has_no_place),
        cmocka_unit_test(a_tensor_moves),
        cmocka_unit_test(a_tensor_outlives_its_stream),
        cmocka_unit_test(much_is_copied),
        cmocka_unit_test(a_copy_may_be_mapped_at_once),
        cmocka_unit_test(placement_changes_no_bit),
        cmocka_unit_test(the_budget_is_each_devices_own),
        cmocka_unit_test(parts_bring_what_they_read),
        cmocka_unit_test(finished_copies_give_way),
        cmocka_unit_test(a_copy_takes_the_room_of_empty_slabs),
        cmocka_unit_test(launches_do_not_wait_for_copies),
        cmocka_unit_test(a_cancelled_segment_copies_nothing),
        cmocka_unit_test(what_is_to_be_copied_is_held),
        cmocka_unit_test(copies_are_told),
        cmocka_unit_test(lists_are_checked),
        cmocka_unit_test(copies_go_both_ways_at_once), /* the last */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
