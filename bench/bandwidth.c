#include "bench/bandwidth.h"

#include "bench/measure.h"
#include "bench/variants.h"

#include <stdlib.h>
#include <string.h>

/* Elements of a buffer: far beyond every cache, and inside the last one. */
#define FAR_ELEMENTS 33554432
#define QUICK_ELEMENTS 16777216
#define NEAR_ELEMENTS 1048576
#define MOST_WAYS 10

/* What is read is folded into bits that are stored only if they are the ones of a number that does not come. */
static const bench_workload workloads[] = {
    [BENCH_COPIES] = {.name = "copy",
                      .inputs = {{"a", SINTER_F32, 0, 1}},
                      .outputs = {{"a", SINTER_F32, 0, 0}}},
    [BENCH_READS] = {.name = "read",
                     .inputs = {{"a", SINTER_F32, 0, 1}},
                     .outputs = {{"", SINTER_F32, 0, 0}}},
};

static const bench_workload *workload_of(const bench_mover *m)
{
    return &workloads[m->moves];
}

static const bench_variant *variants_of(const bench_mover *m)
{
    return m->cl == NULL ? NULL : m->moves == BENCH_READS ? bench_read : bench_copy;
}

/* Ways */

static bool run_command(bench_mover *m)
{
    cl_int error =
        m->cl->call.clEnqueueCopyBuffer(m->cl->queue, m->buffers.inputs[0], m->buffers.outputs[0],
                                        0, 0, (size_t)m->extents[0] * sizeof(float), 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return bench_cl_fail(m->cl, "clEnqueueCopyBuffer", error);
    return bench_cl_finish(m->cl);
}

static bool copy_on_host(bench_mover *m)
{
    size_t bytes = (size_t)m->extents[0] * sizeof(float);
    memcpy(m->to, m->from, bytes);
    return ((volatile char *)m->to)[bytes / 2] == ((volatile char *)m->from)[bytes / 2];
}

#define HOST_SUMS 32 /* side by side: in as many registers as a compiler likes */

static bool read_on_host(bench_mover *m)
{
    const uint32_t *from = m->from;
    uint32_t sums[HOST_SUMS] = {0};
    volatile uint32_t kept = 0;
    for (int64_t i = 0; i < m->extents[0]; i += HOST_SUMS) {
        for (int k = 0; k < HOST_SUMS; k++)
            sums[k] ^= from[i + k];
    }
    for (int k = 0; k < HOST_SUMS; k++)
        kept = kept ^ sums[k];
    return true;
}

bool bench_mover_run(void *mover)
{
    bench_mover *m = mover;
    if (m->from != NULL) /* the host's own memory: no device has it */
        return m->to != NULL ? copy_on_host(m) : read_on_host(m);
    return m->hand.variant != NULL ? bench_hand_run(m->cl, &m->hand) : run_command(m);
}

const char *bench_mover_how(const bench_mover *m)
{
    if (m->cl == NULL)
        return m->moves == BENCH_READS ? "a loop, one thread" : "memcpy, one thread";
    return m->hand.variant != NULL ? m->hand.variant->name : "clEnqueueCopyBuffer";
}

/* Memory */

static void release_memory(bench_mover *m)
{
    if (m->cl != NULL)
        bench_buffers_release(m->cl, &m->buffers);
    free(m->from);
    free(m->to);
    m->from = m->to = NULL;
}

/* Written: of memory that never was, all is one page. */
static void *take_written(const bench_mover *m)
{
    const size_t bytes = (size_t)m->extents[0] * sizeof(float);
    void *memory = malloc(bytes);
    if (memory != NULL)
        memset(memory, 1, bytes);
    return memory;
}

static bool take_memory(bench_mover *m)
{
    m->from = take_written(m);
    if (m->from == NULL)
        return false;
    if (m->cl != NULL) {
        bool fine = bench_buffers_create(m->cl, workload_of(m), m->extents, &m->from, &m->buffers);
        free(m->from);
        m->from = NULL;
        return fine;
    }
    m->to = m->moves == BENCH_COPIES ? take_written(m) : NULL;
    return m->to != NULL || m->moves == BENCH_READS;
}

bool bench_mover_move(bench_mover *m)
{
    release_memory(m);
    if (!take_memory(m))
        return false;
    if (m->hand.variant != NULL &&
        !bench_hand_bind(m->cl, workload_of(m), m->extents, &m->buffers, &m->hand))
        return false;
    return bench_mover_run(m);
}

/* The fastest way */

/* Leaves the fastest of `count` in `ways[0]`. */
static bool choose(bench_mover *ways, size_t count, double seconds)
{
    bench_runner runners[MOST_WAYS] = {0};
    bool fine = true;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        runners[i] = (bench_runner){.run = bench_mover_run, .user = &ways[i]};
        fine = fine && bench_mover_run(&ways[i]); /* compiles, touches every page */
    }
    fine = fine && bench_measure(runners, count, seconds, 3, (bench_watch){NULL, NULL});
    for (size_t i = 0; i < count; i++) {
        ways[i].seconds = bench_runner_times(&runners[i]).median;
        best = ways[i].seconds < ways[best].seconds ? i : best;
        bench_runner_finish(&runners[i]);
    }
    const bench_mover kept = ways[best];
    ways[best] = ways[0];
    ways[0] = kept;
    return fine;
}

/* The kernels that build, behind what needs none: a device has no command that reads. Returns how many ways there
 * are; that of nothing but memory stays in `ways[0]` where there is none. */
static size_t find_ways(bench_mover ways[MOST_WAYS])
{
    const bench_mover plain = ways[0];
    size_t count = plain.cl == NULL || plain.moves == BENCH_COPIES;
    const bench_variant *v = variants_of(&plain);
    for (; v != NULL && v->name != NULL && count < MOST_WAYS; v++) {
        bench_mover *m = &ways[count];
        *m = plain;
        count += bench_hand_create(m->cl, workload_of(m), m->extents, v, &m->buffers, &m->hand);
    }
    return count;
}

bool bench_mover_open(bench_cl *cl, bench_moves moves, int64_t elements, double seconds,
                      bench_mover *out)
{
    bench_mover ways[MOST_WAYS] = {{.cl = cl, .moves = moves, .extents = {elements}}};
    bool fine = take_memory(&ways[0]);
    size_t count = fine ? find_ways(ways) : 0;
    fine = count > 0 && choose(ways, count, seconds);
    for (size_t i = 1; i < count; i++)
        bench_hand_release(cl, &ways[i].hand);
    *out = ways[0];
    if (!fine)
        bench_mover_close(out);
    return fine;
}

void bench_mover_close(bench_mover *m)
{
    if (m->cl != NULL)
        bench_hand_release(m->cl, &m->hand);
    release_memory(m);
}

/* Bandwidth */

static bool measure(bench_cl *cl, bench_moves moves, int64_t elements, double seconds,
                    double *gb_per_s, const char **how)
{
    bench_mover m;
    if (!bench_mover_open(cl, moves, elements, seconds, &m))
        return false;
    const double bytes = (double)elements * sizeof(float) * (moves == BENCH_COPIES ? 2 : 1);
    *gb_per_s = m.seconds > 0 ? 1e-9 * bytes / m.seconds : 0;
    *how = bench_mover_how(&m);
    bench_mover_close(&m);
    return true;
}

bool bench_measure_bandwidth(bench_cl *cl, bench_moves moves, bool quick, bench_bandwidth *out)
{
    const char *near_how;
    return measure(cl, moves, quick ? QUICK_ELEMENTS : FAR_ELEMENTS, quick ? 0.2 : 1.5,
                   &out->out_of_cache, &out->how) &&
           measure(cl, moves, NEAR_ELEMENTS, 0.2, &out->in_cache, &near_how);
}
