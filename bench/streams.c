/* The one hard idea: streams overlap when the time of all together is that of one alone. They are driven in two ways,
 * because the one may overlap where the other does not: from one thread, which queues and flushes all before it waits
 * for any, and from a thread for each stream. */
#include "bench/streams.h"

#include "bench/case.h"
#include "bench/bandwidth.h"
#include "bench/measure.h"
#include "bench/side.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STREAMS 16
#define LEAST_STREAMS 2
#define WARM_REPETITIONS 3
/* Without a list: one core's worth of work each, where there are two. */
#define DEFAULT_DEVICE "0:0/2"
/* Floats that threads of the host copy, as many as chain-8/16Mi reads and writes: far out of every cache. */
#define COPIED ((int64_t)16 << 20)
#define COPY_SECONDS 0.01 /* of trying; there is one way */

struct race;

/* A stream with the work that it repeats. */
typedef struct lane {
    bench_side side;
    bench_mover copier; /* in the place of a stream: what the memory can give */
    struct race *race;
    pthread_t thread;
    bool has_thread;
    bool failed;
    char device[BENCH_DEVICE_NAME];
} lane;

typedef struct race {
    const bench_options *options;
    char label[BENCH_LABEL];
    sinter_context *ctx;
    void *data[BENCH_MAX_INPUTS];
    lane lanes[MOST_STREAMS];
    size_t count;
    pthread_barrier_t start, end; /* of a repetition of all threads */
    bool over;
} race;

/* What is timed */

static bool run_alone(void *user)
{
    lane *l = user;
    if (l->side.stream == NULL)
        return bench_mover_run(&l->copier);
    sinter_status status = bench_side_repeat(&l->side);
    return bench_side_ok(l->race->label, status);
}

static bool run_from_one_thread(void *user)
{
    race *r = user;
    sinter_status status = SINTER_OK;
    for (size_t i = 0; i < r->count && status == SINTER_OK; i++) {
        status = bench_side_queue(&r->lanes[i].side);
        if (status == SINTER_OK)
            status = sinter_stream_flush(r->lanes[i].side.stream);
    }
    for (size_t i = 0; i < r->count && status == SINTER_OK; i++)
        status = sinter_stream_sync(r->lanes[i].side.stream);
    for (size_t i = 0; i < r->count && status == SINTER_OK; i++)
        status = bench_side_settle(&r->lanes[i].side);
    return bench_side_ok(r->label, status);
}

static void *work(void *user)
{
    lane *l = user;
    for (;;) {
        (void)pthread_barrier_wait(&l->race->start);
        if (l->race->over)
            return NULL;
        l->failed = l->failed || !run_alone(l);
        (void)pthread_barrier_wait(&l->race->end);
    }
}

static bool run_from_threads(void *user)
{
    race *r = user;
    bool fine = true;
    (void)pthread_barrier_wait(&r->start);
    (void)pthread_barrier_wait(&r->end);
    for (size_t i = 0; i < r->count; i++)
        fine = fine && !r->lanes[i].failed;
    return fine;
}

/* Beginning and ending */

static bool start_threads(race *r)
{
    unsigned all = (unsigned)r->count + 1;
    if (pthread_barrier_init(&r->start, NULL, all) != 0)
        return false;
    if (pthread_barrier_init(&r->end, NULL, all) != 0) {
        (void)pthread_barrier_destroy(&r->start);
        return false;
    }
    for (size_t i = 0; i < r->count; i++) {
        lane *l = &r->lanes[i];
        l->has_thread = pthread_create(&l->thread, NULL, work, l) == 0;
        if (!l->has_thread) { /* those that wait are not let go: the process ends */
            (void)fprintf(stderr, "sinter bench: %s: no thread for a stream\n", r->label);
            exit(1);
        }
    }
    return true;
}

static void end_threads(race *r)
{
    r->over = true;
    (void)pthread_barrier_wait(&r->start);
    for (size_t i = 0; i < r->count; i++)
        (void)pthread_join(r->lanes[i].thread, NULL);
    (void)pthread_barrier_destroy(&r->start);
    (void)pthread_barrier_destroy(&r->end);
}

/* One stream for each device, or two of one. */
static sinter_status open_lanes(race *r, const bench_workload *w, const int64_t *extents)
{
    uint32_t devices = sinter_context_device_count(r->ctx);
    size_t wanted = devices > LEAST_STREAMS ? devices : LEAST_STREAMS;
    for (size_t i = 0; i < wanted && i < MOST_STREAMS; i++) {
        lane *l = &r->lanes[i];
        l->race = r;
        sinter_status status =
            bench_side_stream(&l->side, r->ctx, (uint32_t)i % devices, l->device);
        if (status != SINTER_OK)
            return status;
        r->count++;
        status = bench_side_fill(&l->side, w, extents, r->data);
        for (int k = 0; k < WARM_REPETITIONS && status == SINTER_OK; k++)
            status = bench_side_repeat(&l->side);
        if (status != SINTER_OK)
            return status;
    }
    return SINTER_OK;
}

/* A copy by the host for each lane of a race of streams, of memory that has been written. */
static bool open_copies(race *r, size_t count)
{
    (void)snprintf(r->label, sizeof r->label, "memcpy/16Mi");
    for (; r->count < count; r->count++) {
        lane *l = &r->lanes[r->count];
        l->race = r;
        (void)snprintf(l->device, sizeof l->device, "host");
        if (!bench_mover_open(NULL, BENCH_COPIES, COPIED, COPY_SECONDS, &l->copier)) {
            (void)fprintf(stderr, "sinter bench: %s: out of host memory\n", r->label);
            return false;
        }
    }
    return true;
}

static void close_race(race *r)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->ctx == NULL) {
            bench_mover_close(&r->lanes[i].copier);
            continue;
        }
        bench_side_empty(&r->lanes[i].side);
        (void)sinter_stream_destroy(r->lanes[i].side.stream);
    }
    if (r->ctx != NULL)
        (void)sinter_context_destroy(r->ctx);
    bench_data_free(r->data);
}

static bool open_race(race *r, const bench_workload *w, const bench_size *size)
{
    const bench_options *o = r->options;
    bool named = o->device != NULL || getenv("SINTER_DEVICE") != NULL;
    bench_label(w, size, r->label);
    return bench_side_open(o, named ? o->device : DEFAULT_DEVICE, r->label, w, size, r->data,
                           &r->ctx) &&
           bench_side_ok(r->label, open_lanes(r, w, size->extents));
}

/* Printing */

static void print_row(const race *r, const char *how, const char *device, bench_runner *runner,
                      double alone)
{
    char speed[24] = "";
    bench_times t = bench_runner_times(runner);
    double times = alone > 0 ? (double)r->count * alone / t.median : 0;
    if (r->options->json) {
        (void)printf(
            "{\"workload\": \"%s\", \"streams\": %zu, \"how\": \"%s\", \"device\": \"%s\", "
            "\"median_ms\": %.6f, \"p10_ms\": %.6f, \"p90_ms\": %.6f, "
            "\"repetitions\": %zu, \"speed\": %.4f}\n",
            r->label, alone > 0 ? r->count : 1, how, device, 1e3 * t.median, 1e3 * t.p10,
            1e3 * t.p90, t.repetitions, alone > 0 ? times : 1.0);
        return;
    }
    if (alone > 0)
        (void)snprintf(speed, sizeof speed, "x%.2f", times);
    (void)printf("%-22s%-20s%-10s %9.3f %9.3f %9.3f  %s\n",
                 runner->user == &r->lanes[0] ? r->label : "", how, device, 1e3 * t.median,
                 1e3 * t.p10, 1e3 * t.p90, speed);
}

/* Alone, and all from one thread and from one thread each, in turns. */
static bool measure(race *r)
{
    bench_runner runners[MOST_STREAMS + 2] = {{.run = NULL}};
    bench_watch none = {NULL, NULL};
    char together[64];
    double alone = 0;
    size_t n = r->count;
    for (size_t i = 0; i < n; i++)
        runners[i] = (bench_runner){.run = run_alone, .user = &r->lanes[i]};
    runners[n] = (bench_runner){.run = run_from_threads, .user = r};
    runners[n + 1] = (bench_runner){.run = run_from_one_thread, .user = r};
    size_t ways = r->ctx != NULL ? n + 2 : n + 1; /* one thread makes one copy at a time */
    bool fine = bench_measure(runners, ways, r->options->seconds, r->options->least, none);
    for (size_t i = 0; fine && i < n; i++) {
        print_row(r, "alone", r->lanes[i].device, &runners[i], 0);
        alone += bench_runner_times(&runners[i]).median / (double)n;
    }
    (void)snprintf(together, sizeof together, "%zu, from a thread", n);
    if (fine && r->ctx != NULL)
        print_row(r, together, "", &runners[n + 1], alone);
    (void)snprintf(together, sizeof together, "%zu, from %zu threads", n, n);
    if (fine)
        print_row(r, together, "", &runners[n], alone);
    (void)fflush(stdout);
    for (size_t i = 0; i < n + 2; i++)
        bench_runner_finish(&runners[i]);
    return fine;
}

/* Runs and ends a race that is open. */
static bool run_race(race *r)
{
    bool fine = start_threads(r);
    if (fine) {
        fine = measure(r);
        end_threads(r);
    } else {
        (void)fprintf(stderr, "sinter bench: threads cannot be started\n");
    }
    return fine;
}

/* *lanes: how many there were. */
static bool run_workload(const bench_options *o, const bench_workload *w, const bench_size *size,
                         size_t *lanes)
{
    race r = {.options = o};
    bool fine = open_race(&r, w, size) && run_race(&r);
    *lanes = r.count;
    close_race(&r);
    return fine;
}

/* As many copies at once as there were streams. */
static bool run_copies(const bench_options *o, size_t lanes)
{
    race r = {.options = o};
    bool fine = open_copies(&r, lanes) && run_race(&r);
    close_race(&r);
    return fine;
}

bool bench_streams_run(const bench_options *o)
{
    /* what computes, what is short, what only moves memory, and rows */
    static const char *const names[] = {"black-scholes/4Mi", "chain-8/64Ki", "chain-8/16Mi",
                                        "softmax/4096x1024"};
    bool fine = true;
    size_t lanes = 0;
    if (!o->json)
        (void)printf("%-22s%-20s%-10s %9s %9s %9s  %s\n", "workload", "streams", "device",
                     "median ms", "p10", "p90", "of one alone");
    for (size_t i = 0; i < bench_workload_count; i++) {
        const bench_workload *w = &bench_workloads[i];
        for (int k = 0; k < BENCH_MAX_SIZES; k++) {
            if (bench_options_want_some(o, w, k, names, sizeof names / sizeof *names))
                fine = run_workload(o, w, &w->sizes[k], &lanes) && fine;
        }
    }
    if (lanes > 0)
        fine = run_copies(o, lanes) && fine;
    return fine;
}
