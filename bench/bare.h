/* The bare loop that replayed launches are compared with: kernels whose arguments are set, enqueued
 * one after the other. */
#ifndef SINTER_BENCH_BARE_H
#define SINTER_BENCH_BARE_H

#include "bench/opencl.h"

#define BENCH_BARE_LAUNCHES 100

typedef struct bench_bare {
    cl_program program;
    cl_mem memory;
    cl_kernel kernels[BENCH_BARE_LAUNCHES]; /* each with its own arguments, as sinter has them */
    size_t count;
    bool packed; /* several numbers to an argument */
} bench_bare;

/* Multiplications by a number of `elements` floats, each reading what the one before has written, by
 * the kernel that `text` holds: what sinter makes of them under SINTER_STYLE_CPU. On failure nothing
 * is held. */
bool bench_bare_create(bench_cl *cl, const char *text, size_t elements, bench_bare *out);
void bench_bare_release(bench_cl *cl, bench_bare *b);

/* Enqueues the launches and waits. */
bool bench_bare_run(bench_cl *cl, const bench_bare *b);

#endif /* SINTER_BENCH_BARE_H */
