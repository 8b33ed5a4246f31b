/* The bandwidth of a device, by copying and by reading alone: what the others are measured against. */
#ifndef SINTER_BENCH_BANDWIDTH_H
#define SINTER_BENCH_BANDWIDTH_H

#include "bench/handwritten.h"

typedef enum bench_moves { BENCH_COPIES, BENCH_READS } bench_moves;

/* A copy between two buffers, or the reading of one, in the fastest way. */
typedef struct bench_mover {
    bench_cl *cl; /* NULL: the host */
    bench_moves moves;
    int64_t extents[BENCH_MAX_EXTENTS];
    bench_buffers buffers;
    bench_hand hand; /* without a variant: clEnqueueCopyBuffer, or what the host does */
    void *from;      /* of the host */
    void *to;
    double seconds; /* the median while the ways were tried */
} bench_mover;

/* Tries every way for `seconds` on `elements` floats, a multiple of 64, and keeps the fastest. On failure nothing is
 * held. */
bool bench_mover_open(bench_cl *cl, bench_moves moves, int64_t elements, double seconds,
                      bench_mover *out);
void bench_mover_close(bench_mover *m);

/* Takes its memory anew. */
bool bench_mover_move(bench_mover *m);

/* One copy or reading; a bench_mover. */
bool bench_mover_run(void *mover);

/* The name of its way. */
const char *bench_mover_how(const bench_mover *m);

/* GB/s, read and written bytes together. */
typedef struct bench_bandwidth {
    double out_of_cache; /* 0: not measured */
    double in_cache;
    const char *how; /* what was fastest out of cache */
} bench_bandwidth;

/* `cl` NULL: of the host, on one thread. false: failed, cl->why says how. */
bool bench_measure_bandwidth(bench_cl *cl, bench_moves moves, bool quick, bench_bandwidth *out);

#endif /* SINTER_BENCH_BANDWIDTH_H */
