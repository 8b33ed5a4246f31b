/* A workload on one sinter context: its inputs, and one repetition of it. */
#ifndef SINTER_BENCH_SIDE_H
#define SINTER_BENCH_SIDE_H

#include "bench/options.h"
#include "bench/workload.h"

#define BENCH_DEVICE_NAME 32

typedef struct bench_side {
    sinter_context *ctx;
    sinter_stream *stream;
    const bench_workload *workload;
    const int64_t *extents;
    sinter_tensor inputs[BENCH_MAX_INPUTS];
    sinter_tensor outputs[BENCH_MAX_OUTPUTS]; /* of the last repetition, until it is taken in */
} bench_side;

/* Whether it is SINTER_OK; says what it is else. */
bool bench_side_ok(const char *label, sinter_status status);

/* A context for a workload on several devices, by the options, and its data, in *ctx and `data`;
 * false when it says what failed. What there is of both is the caller's in any case. */
bool bench_side_open(const bench_options *o, const char *device, const char *label,
                     const bench_workload *workload, const bench_size *size, void **data,
                     sinter_context **ctx);

/* Gives the side a stream on one of the context's devices, whose name goes to `name`. */
sinter_status bench_side_stream(bench_side *side, sinter_context *ctx, uint32_t device,
                                char name[BENCH_DEVICE_NAME]);

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
