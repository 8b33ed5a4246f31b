#include "bench/copy.h"

#include "bench/handwritten.h"
#include "bench/measure.h"
#include "bench/variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a buffer: far beyond every cache, and inside the last one. */
#define FAR_ELEMENTS 33554432
#define QUICK_ELEMENTS 16777216
#define NEAR_ELEMENTS 1048576
#define MOST_WAYS 8

static const bench_workload copy_workload = {
    .name = "copy",
    .inputs = {{"a", SINTER_F32, 0, 1}},
    .outputs = {{"a", SINTER_F32, 0, 0}},
};

/* One way to copy. */
typedef struct way {
    bench_cl *cl;
    bench_buffers buffers;
    bench_hand hand; /* without a variant: clEnqueueCopyBuffer */
    void *from;      /* of the host */
    void *to;
    size_t bytes;
} way;

static bool run_command(void *user)
{
    way *w = user;
    cl_int error = w->cl->call.clEnqueueCopyBuffer(
        w->cl->queue, w->buffers.inputs[0], w->buffers.outputs[0], 0, 0, w->bytes, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return bench_cl_fail(w->cl, "clEnqueueCopyBuffer", error);
    return bench_cl_finish(w->cl);
}

static bool run_kernel(void *user)
{
    way *w = user;
    return bench_hand_run(w->cl, &w->hand);
}

static bool run_host(void *user)
{
    way *w = user;
    memcpy(w->to, w->from, w->bytes);
    return ((volatile char *)w->to)[w->bytes / 2] == ((volatile char *)w->from)[w->bytes / 2];
}

static double bandwidth(const way *w, bench_runner *r)
{
    bench_times t = bench_runner_times(r);
    return t.median > 0 ? 2e-9 * (double)w->bytes / t.median : 0;
}

/* Measures every way and returns the best; its name into `how` if that is not NULL. */
static double best_of(way *ways, bench_runner *runners, size_t count, double seconds, char *how)
{
    double best = 0;
    if (!bench_measure(runners, count, seconds, 3, (bench_watch){NULL, NULL}))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        double found = bandwidth(&ways[i], &runners[i]);
        if (found > best && how != NULL) {
            (void)snprintf(how, sizeof(((bench_copy_result *)NULL)->how), "%s",
                           ways[i].hand.variant != NULL ? ways[i].hand.variant->name
                                                        : "clEnqueueCopyBuffer");
        }
        best = found > best ? found : best;
    }
    for (size_t i = 0; i < MOST_WAYS; i++)
        bench_runner_finish(&runners[i]);
    return best;
}

static bool measure_device(bench_cl *cl, int64_t elements, double seconds, double *best, char *how)
{
    const int64_t extents[BENCH_MAX_EXTENTS] = {elements};
    way ways[MOST_WAYS] = {0};
    bench_runner runners[MOST_WAYS] = {0};
    bench_buffers buffers;
    size_t count = 0;
    void *data = calloc((size_t)elements, sizeof(float));
    bool fine = data != NULL && bench_buffers_create(cl, &copy_workload, extents, &data, &buffers);
    free(data);
    if (!fine)
        return false;
    ways[count] = (way){.cl = cl, .buffers = buffers, .bytes = (size_t)elements * sizeof(float)};
    runners[count++].run = run_command;
    for (const bench_variant *v = bench_copy; v->name != NULL && count < MOST_WAYS; v++) {
        ways[count] = ways[0];
        if (bench_hand_create(cl, &copy_workload, extents, v, &buffers, &ways[count].hand))
            runners[count++].run = run_kernel;
    }
    for (size_t i = 0; i < count; i++) {
        runners[i].user = &ways[i];
        fine = fine && runners[i].run(&ways[i]); /* compiles, touches every page */
    }
    *best = fine ? best_of(ways, runners, count, seconds, how) : 0;
    for (size_t i = 1; i < count; i++)
        bench_hand_release(cl, &ways[i].hand);
    bench_buffers_release(cl, &buffers);
    return fine;
}

static bool measure_host(int64_t elements, double seconds, double *best)
{
    way w[MOST_WAYS] = {{.bytes = (size_t)elements * sizeof(float)}};
    bench_runner r[MOST_WAYS] = {{.run = run_host, .user = w}};
    w->from = calloc((size_t)elements, sizeof(float));
    w->to = calloc((size_t)elements, sizeof(float));
    bool fine = w->from != NULL && w->to != NULL;
    *best = fine && run_host(w) ? best_of(w, r, 1, seconds, NULL) : 0;
    free(w->from);
    free(w->to);
    return fine;
}

bool bench_measure_copy(bench_cl *cl, bool quick, bench_copy_result *out)
{
    int64_t far = quick ? QUICK_ELEMENTS : FAR_ELEMENTS;
    double seconds = quick ? 0.2 : 1.5;
    *out = (bench_copy_result){.how = "memcpy, one thread"};
    if (cl == NULL) {
        return measure_host(far, seconds, &out->out_of_cache) &&
               measure_host(NEAR_ELEMENTS, 0.1, &out->in_cache);
    }
    return measure_device(cl, far, seconds, &out->out_of_cache, out->how) &&
           measure_device(cl, NEAR_ELEMENTS, 0.2, &out->in_cache, NULL);
}
