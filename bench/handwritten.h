/* Running the hand-written kernels of a workload. */
#ifndef SINTER_BENCH_HANDWRITTEN_H
#define SINTER_BENCH_HANDWRITTEN_H

#include "bench/opencl.h"
#include "bench/workload.h"

/* The buffers of a workload at a size; all variants use the same. */
typedef struct bench_buffers {
    cl_mem inputs[BENCH_MAX_INPUTS];
    cl_mem outputs[BENCH_MAX_OUTPUTS];
    cl_mem temporaries[2];
} bench_buffers;

/* A built variant with its arguments set. */
typedef struct bench_hand {
    const bench_variant *variant;
    cl_program program;
    cl_kernel kernels[BENCH_MAX_LAUNCHES];
    size_t global[BENCH_MAX_LAUNCHES][2];
    size_t local[BENCH_MAX_LAUNCHES][2];
    int launches;
    size_t bytes_moved;
} bench_hand;

/* Buffers with `data`, one array per input, in them. On failure nothing is held. */
bool bench_buffers_create(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                          void *const *data, bench_buffers *out);
void bench_buffers_release(bench_cl *cl, bench_buffers *b);

/* Puts the inputs back that a run has updated. */
bool bench_buffers_reset(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                         void *const *data, bench_buffers *b);

/* Copies output `i` to `data`. */
bool bench_buffers_read(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                        const bench_buffers *b, size_t i, void *data);

/* Builds `variant`. On failure nothing is held; a variant may be impossible on a device. */
bool bench_hand_create(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                       const bench_variant *variant, const bench_buffers *b, bench_hand *out);
void bench_hand_release(bench_cl *cl, bench_hand *h);

/* Sets the arguments again, to other buffers of the same workload. */
bool bench_hand_bind(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                     const bench_buffers *b, bench_hand *h);

/* Enqueues the launches and waits. */
bool bench_hand_run(bench_cl *cl, const bench_hand *h);

#endif /* SINTER_BENCH_HANDWRITTEN_H */
