#include "bench/copy.h"

#include "bench/measure.h"
#include "bench/variants.h"

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

/* Ways */

static bool run_command(bench_copier *c)
{
    cl_int error =
        c->cl->call.clEnqueueCopyBuffer(c->cl->queue, c->buffers.inputs[0], c->buffers.outputs[0],
                                        0, 0, (size_t)c->extents[0] * sizeof(float), 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return bench_cl_fail(c->cl, "clEnqueueCopyBuffer", error);
    return bench_cl_finish(c->cl);
}

static bool run_host(bench_copier *c)
{
    size_t bytes = (size_t)c->extents[0] * sizeof(float);
    memcpy(c->to, c->from, bytes);
    return ((volatile char *)c->to)[bytes / 2] == ((volatile char *)c->from)[bytes / 2];
}

bool bench_copier_run(void *copier)
{
    bench_copier *c = copier;
    if (c->from != NULL && c->to != NULL) /* the host's own memory: no device has these */
        return run_host(c);
    return c->hand.variant != NULL ? bench_hand_run(c->cl, &c->hand) : run_command(c);
}

const char *bench_copier_how(const bench_copier *c)
{
    if (c->cl == NULL)
        return "memcpy, one thread";
    return c->hand.variant != NULL ? c->hand.variant->name : "clEnqueueCopyBuffer";
}

/* Memory */

static void release_memory(bench_copier *c)
{
    if (c->cl != NULL)
        bench_buffers_release(c->cl, &c->buffers);
    free(c->from);
    free(c->to);
    c->from = c->to = NULL;
}

static bool take_memory(bench_copier *c)
{
    c->from = calloc((size_t)c->extents[0], sizeof(float));
    if (c->from == NULL)
        return false;
    if (c->cl != NULL) {
        bool fine = bench_buffers_create(c->cl, &copy_workload, c->extents, &c->from, &c->buffers);
        free(c->from);
        c->from = NULL;
        return fine;
    }
    c->to = calloc((size_t)c->extents[0], sizeof(float));
    return c->to != NULL;
}

bool bench_copier_move(bench_copier *c)
{
    release_memory(c);
    if (!take_memory(c))
        return false;
    if (c->hand.variant != NULL &&
        !bench_hand_bind(c->cl, &copy_workload, c->extents, &c->buffers, &c->hand))
        return false;
    return bench_copier_run(c);
}

/* The fastest way */

/* Leaves the fastest of `count` in `ways[0]`. */
static bool choose(bench_copier *ways, size_t count, double seconds)
{
    bench_runner runners[MOST_WAYS] = {0};
    bool fine = true;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        runners[i] = (bench_runner){.run = bench_copier_run, .user = &ways[i]};
        fine = fine && bench_copier_run(&ways[i]); /* compiles, touches every page */
    }
    fine = fine && bench_measure(runners, count, seconds, 3, (bench_watch){NULL, NULL});
    for (size_t i = 0; i < count; i++) {
        ways[i].seconds = bench_runner_times(&runners[i]).median;
        best = ways[i].seconds < ways[best].seconds ? i : best;
        bench_runner_finish(&runners[i]);
    }
    const bench_copier kept = ways[best];
    ways[best] = ways[0];
    ways[0] = kept;
    return fine;
}

bool bench_copier_open(bench_cl *cl, int64_t elements, double seconds, bench_copier *out)
{
    bench_copier ways[MOST_WAYS] = {{.cl = cl, .extents = {elements}}};
    size_t count = 1;
    bool fine = take_memory(&ways[0]);
    const bench_variant *v = cl != NULL ? bench_copy : NULL;
    for (; fine && v != NULL && v->name != NULL && count < MOST_WAYS; v++) {
        ways[count] = ways[0];
        memset(&ways[count].hand, 0, sizeof ways[count].hand);
        count += bench_hand_create(cl, &copy_workload, ways[0].extents, v, &ways[0].buffers,
                                   &ways[count].hand);
    }
    fine = fine && choose(ways, count, seconds);
    for (size_t i = 1; i < count; i++)
        bench_hand_release(cl, &ways[i].hand);
    *out = ways[0];
    if (!fine)
        bench_copier_close(out);
    return fine;
}

void bench_copier_close(bench_copier *c)
{
    if (c->cl != NULL)
        bench_hand_release(c->cl, &c->hand);
    release_memory(c);
}

/* Bandwidth */

static bool measure(bench_cl *cl, int64_t elements, double seconds, double *gb_per_s,
                    const char **how)
{
    bench_copier c;
    if (!bench_copier_open(cl, elements, seconds, &c))
        return false;
    *gb_per_s = c.seconds > 0 ? 2e-9 * (double)elements * sizeof(float) / c.seconds : 0;
    *how = bench_copier_how(&c);
    bench_copier_close(&c);
    return true;
}

bool bench_measure_copy(bench_cl *cl, bool quick, bench_copy_result *out)
{
    const char *near_how;
    return measure(cl, quick ? QUICK_ELEMENTS : FAR_ELEMENTS, quick ? 0.2 : 1.5, &out->out_of_cache,
                   &out->how) &&
           measure(cl, NEAR_ELEMENTS, 0.2, &out->in_cache, &near_how);
}
