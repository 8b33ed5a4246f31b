/* The copy bandwidth of a device: what the others are measured against. */
#ifndef SINTER_BENCH_COPY_H
#define SINTER_BENCH_COPY_H

#include "bench/handwritten.h"

/* A copy between two buffers, in the fastest way. */
typedef struct bench_copier {
    bench_cl *cl; /* NULL: the host */
    int64_t extents[BENCH_MAX_EXTENTS];
    bench_buffers buffers;
    bench_hand hand; /* without a variant: clEnqueueCopyBuffer, or memcpy on the host */
    void *from;      /* of the host */
    void *to;
    double seconds; /* the median while the ways were tried */
} bench_copier;

/* Tries every way for `seconds` on `elements` floats and keeps the fastest. On failure nothing is held. */
bool bench_copier_open(bench_cl *cl, int64_t elements, double seconds, bench_copier *out);
void bench_copier_close(bench_copier *c);

/* Takes its memory anew. */
bool bench_copier_move(bench_copier *c);

/* One copy; a bench_copier. */
bool bench_copier_run(void *copier);

/* The name of its way. */
const char *bench_copier_how(const bench_copier *c);

/* GB/s, read and written bytes together. */
typedef struct bench_copy_result {
    double out_of_cache; /* 0: not measured */
    double in_cache;
    const char *how; /* what was fastest out of cache */
} bench_copy_result;

/* `cl` NULL: of the host, by memcpy on one thread. false: failed, cl->why says how. */
bool bench_measure_copy(bench_cl *cl, bool quick, bench_copy_result *out);

#endif /* SINTER_BENCH_COPY_H */
