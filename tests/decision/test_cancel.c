/* The hooks between launches and between builds: what they are told, what is left when they cancel, and that
 * the stream goes on. And batches: how often the host waits when the device may have only so much at once. */
#include "support/support.h"

#include <string.h>

#define COUNT 64
#define STEPS 5

static const int64_t shape[] = {COUNT};

typedef struct watcher {
    sinter_context *ctx; /* NULL: it is not asked */
    uint64_t builds, launches, asked;
    uint64_t last_done, last_total;
    uint64_t stop_build, stop_launch; /* which of them is cancelled, from 1; 0: none */
    bool stops;
} watcher;

static void note(void *user, const sinter_progress *next)
{
    watcher *w = user;
    sinter_stats stats = SINTER_STATS_INIT;
    assert_int_equal(next->size, sizeof *next);
    if (w->ctx != NULL) /* it may */
        OK(sinter_context_stats(w->ctx, &stats));
    w->stops = next->kind == SINTER_PROGRESS_BUILD ? ++w->builds == w->stop_build
                                                   : ++w->launches == w->stop_launch;
    w->last_done = next->done;
    w->last_total = next->total;
}

static int cancel(void *user)
{
    watcher *w = user;
    w->asked++;
    return w->stops;
}

static test_device open_watched(watcher *w, uint32_t switches)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.progress_fn = note;
    options.cancel_fn = cancel;
    options.progress_user = w;
    options.switches = switches;
    test_device d = test_open(&options);
    w->ctx = d.ctx;
    return d;
}

/* x + 1, x + 2, ..., each of the one before where `chained`, all pending. */
static void queue(const test_device *d, sinter_tensor x, bool chained, sinter_tensor *out)
{
    for (int i = 0; i < STEPS; i++)
        OK(sinter_add_scalar(d->s, chained && i > 0 ? out[i - 1] : x, chained ? 1 : i + 1,
                             &out[i]));
}

static void values(const test_device *d, const sinter_tensor *y, int from, int to)
{
    float out[COUNT];
    for (int i = from; i < to; i++) {
        test_read(d, y[i], out, COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_true(out[k] == (float)(k % 7 + i + 1));
    }
}

static void no_values(const test_device *d, const sinter_tensor *y, int from, int to)
{
    float out[COUNT];
    for (int i = from; i < to; i++) {
        FAILS(SINTER_ECANCELLED, sinter_tensor_read(d->s, y[i], out, sizeof out));
        assert_non_null(strstr(sinter_last_error(), "cancelled before "));
    }
}

static sinter_tensor input(const test_device *d)
{
    float data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)(i % 7);
    return test_floats(d, 1, shape, data);
}

static void release_all(const test_device *d, sinter_tensor x, const sinter_tensor *y)
{
    test_release(d, x);
    for (int i = 0; i < STEPS; i++)
        test_release(d, y[i]);
}

static void each_step_is_told(void **state)
{
    (void)state;
    watcher w = {0};
    sinter_tensor y[STEPS];
    test_device d = open_watched(&w, SINTER_NO_FUSE); /* a step is an operation */
    sinter_tensor x = input(&d);
    queue(&d, x, true, y);
    OK(sinter_stream_sync(d.s));
    uint64_t launches = test_stats(&d).launches;
    assert_int_equal(w.launches, launches);
    assert_int_equal(w.asked, w.builds + w.launches);
    assert_true(w.builds >= test_stats(&d).compiles);
    DECIDES(w.launches, STEPS);
    DECIDES(w.last_done, STEPS - 1);
    DECIDES(w.last_total, STEPS);
    uint64_t builds = w.builds;
    release_all(&d, x, y);
    x = input(&d);
    queue(&d, x, true, y); /* nothing is left to build */
    OK(sinter_stream_sync(d.s));
    assert_int_equal(w.builds, builds);
    assert_int_equal(w.launches, 2 * launches);
    values(&d, y, 0, STEPS);
    release_all(&d, x, y);
    test_close(&d);
}

/* What ran keeps its values, what did not says why, and the stream goes on. */
static void stop_at(const test_device *d, watcher *w, bool chained, int stop)
{
    sinter_tensor y[STEPS];
    sinter_tensor after;
    float out[COUNT];
    sinter_tensor x = input(d);
    uint64_t before = test_stats(d).launches;
    *w = (watcher){.stop_launch = (uint64_t)stop};
    queue(d, x, chained, y);
    FAILS(SINTER_ECANCELLED, sinter_stream_sync(d->s));
    OK(sinter_stream_sync(d->s)); /* told once */
    DECIDES(test_stats(d).launches - before, stop - 1);
    DECIDES(w->asked - w->builds, stop); /* not for what is cancelled already */
    assert_int_equal(test_stats(d).fallbacks, 0);
    values(d, y, 0, stop - 1);
    no_values(d, y, stop - 1, test_is_plain() ? STEPS : stop);
    OK(sinter_neg(d->s, x, &after));
    test_read(d, after, out, COUNT);
    assert_true(out[3] == -3.0f);
    test_release(d, after);
    OK(sinter_neg(d->s, y[stop - 1], &after)); /* what depends on it has its cause */
    no_values(d, &after, 0, 1);
    test_release(d, after);
    release_all(d, x, y);
}

static void what_ran_stays(void **state)
{
    (void)state;
    watcher w = {0};
    test_device d = open_watched(&w, SINTER_NO_FUSE); /* a step is an operation */
    for (int stop = 1; stop <= STEPS; stop++) {
        stop_at(&d, &w, true, stop);
        stop_at(&d, &w, false, stop);
    }
    test_close(&d);
}

/* Smaller groups are for what fails, not for what nobody wants. */
static void what_is_cancelled_is_not_split(void **state)
{
    (void)state;
    watcher w = {.stop_launch = 1};
    sinter_tensor y[STEPS];
    test_device d = open_watched(&w, 0);
    sinter_tensor x = input(&d);
    queue(&d, x, true, y);
    FAILS(SINTER_ECANCELLED, sinter_stream_sync(d.s));
    DECIDES(w.launches, 1);
    DECIDES(test_stats(&d).launches, 0);
    assert_int_equal(test_stats(&d).fallbacks, 0);
    no_values(&d, y, 0, STEPS);
    release_all(&d, x, y);
    test_close(&d);
}

static void a_build_is_cancelled(void **state)
{
    (void)state;
    watcher w = {.stop_build = 1};
    sinter_tensor y[STEPS];
    test_device d = open_watched(&w, SINTER_NO_FUSE); /* a step is an operation */
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    sinter_tensor x = input(&d);
    queue(&d, x, true, y);
    if (info.kind == SINTER_DEVICE_HOST) { /* it builds nothing */
        OK(sinter_stream_sync(d.s));
        assert_int_equal(w.builds, 0);
    } else {
        FAILS(SINTER_ECANCELLED, sinter_stream_sync(d.s));
        assert_int_equal(test_stats(&d).compiles, 0);
        assert_int_equal(test_stats(&d).launches, 0);
        no_values(&d, y, 0, STEPS);
        release_all(&d, x, y);
        x = input(&d);
        queue(&d, x, true, y); /* the same again is built now */
    }
    values(&d, y, 0, STEPS);
    release_all(&d, x, y);
    test_close(&d);
}

/* Launches that the device may have at once, and how often the host waits for it then. */
static void batches_are_bounded(void **state)
{
    (void)state;
    const struct {
        uint64_t launches, bytes, waits;
    } rows[] = {
        {0, 0, 0},
        {1, 0, STEPS - 1},
        {2, 0, 2},
        {5, 0, 0},
        {0, 1, STEPS - 1},                       /* less than a launch alone */
        {0, (uint64_t)2 * COUNT * 4, STEPS - 1}, /* one: it reads and writes the tensor */
        {0, (uint64_t)4 * COUNT * 4, 2},         /* two */
        {3, (uint64_t)4 * COUNT * 4, 2},         /* whichever is less */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        sinter_tensor y[STEPS];
        options.batch_launches = rows[i].launches;
        options.batch_bytes = rows[i].bytes;
        options.switches = SINTER_NO_FUSE;
        test_device d = test_open(&options);
        sinter_tensor x = input(&d);
        queue(&d, x, true, y);
        OK(sinter_stream_sync(d.s));
        release_all(&d, x, y);
        x = input(&d); /* again, with the memory there: making a slab waits */
        queue(&d, x, true, y);
        uint64_t before = test_stats(&d).host_waits;
        OK(sinter_stream_flush(d.s));
        sinter_device_info info = SINTER_DEVICE_INFO_INIT;
        OK(sinter_context_device(d.ctx, &info));
        if (info.kind != SINTER_DEVICE_HOST &&
            test_is_pooled()) /* else it waits never, or oftener */
            DECIDES(test_stats(&d).host_waits - before, rows[i].waits);
        values(&d, y, 0, STEPS);
        release_all(&d, x, y);
        test_close(&d);
    }
}

int main(void)
{
    test_nothing_at_once(); /* whatever is not, the device may have had enough of */
    test_promise_pause();   /* the builds of a question can be cancelled too */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_is_told),
        cmocka_unit_test(what_ran_stays),
        cmocka_unit_test(what_is_cancelled_is_not_split),
        cmocka_unit_test(a_build_is_cancelled),
        cmocka_unit_test(batches_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
