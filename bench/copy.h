/* The copy bandwidth of a device: what the others are measured against. */
#ifndef SINTER_BENCH_COPY_H
#define SINTER_BENCH_COPY_H

#include "bench/opencl.h"

/* GB/s, read and written bytes together. */
typedef struct bench_copy_result {
    double out_of_cache; /* 0: not measured */
    double in_cache;
    char how[64]; /* what was fastest out of cache */
} bench_copy_result;

/* `cl` NULL: of the host, by memcpy on one thread. false: failed, cl->why says how. */
bool bench_measure_copy(bench_cl *cl, bool quick, bench_copy_result *out);

#endif /* SINTER_BENCH_COPY_H */
