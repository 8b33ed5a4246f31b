/* A workload on one sinter context: its inputs, and one repetition of it. */
#ifndef SINTER_BENCH_SIDE_H
#define SINTER_BENCH_SIDE_H

#include "bench/workload.h"

typedef struct bench_side {
    sinter_context *ctx;
    sinter_stream *stream;
    const bench_workload *workload;
    const int64_t *extents;
    sinter_tensor inputs[BENCH_MAX_INPUTS];
    sinter_tensor outputs[BENCH_MAX_OUTPUTS]; /* of the last repetition, until it is taken in */
} bench_side;

/* Makes the inputs of `workload` from `data`, one array per input. `ctx` and `stream` are set by
 * the caller. */
sinter_status bench_side_fill(bench_side *side, const bench_workload *workload,
                              const int64_t *extents, void *const *data);
void bench_side_empty(bench_side *side);

/* Queues the workload and leaves its outputs in the side. */
sinter_status bench_side_queue(bench_side *side);

/* Takes the outputs in: those that replace an input become it, the others are released. */
sinter_status bench_side_settle(bench_side *side);

/* One repetition: queues, waits, settles. */
sinter_status bench_side_repeat(bench_side *side);

#endif /* SINTER_BENCH_SIDE_H */
