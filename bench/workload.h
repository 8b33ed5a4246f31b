/* What is measured: the table of workloads.
 *
 * A workload is one row: its operands, its sizes, a function that queues it over the public API,
 * and the same work written by hand in OpenCL C. Everything else (data, comparison, timing, tables,
 * tests) follows from the row. */
#ifndef SINTER_BENCH_WORKLOAD_H
#define SINTER_BENCH_WORKLOAD_H

#include "bench/expr.h"

#include <sinter/sinter.h>

#define BENCH_MAX_INPUTS 32
#define BENCH_MAX_OUTPUTS 24
#define BENCH_MAX_EXTENTS 4
#define BENCH_MAX_SIZES 6
#define BENCH_MAX_VARIANTS 16
#define BENCH_MAX_LAUNCHES 8

/* An input or output. `axes` has a letter per axis: a, b, c, d for the size's extents; A, B, C, D
 * for twice as much, of which every second is used; 1 for an extent of one; # for 256. */
typedef struct bench_operand {
    const char *axes; /* NULL: no operand; "": a single element */
    sinter_dtype dtype;
    float low; /* inputs: drawn evenly from [low, high) */
    float high;
} bench_operand;

typedef struct bench_size {
    const char *label; /* NULL: no size */
    int64_t extents[BENCH_MAX_EXTENTS];
} bench_size;

/* One launch of a hand-written kernel. Its arguments are the buffers, then the four extents as
 * ints. Work-items along dimension i: the product of the extents that items[i] names, divided by
 * per_item[i] and rounded up to a multiple of local[i]. PER_ITEM is defined as per_item[0] when the
 * kernel is built. */
typedef struct bench_launch {
    const char *kernel;
    const char *buffers;  /* "i0 t0 O0 U0": input, temporary read; output written; input updated in
                             place; T0; one space between them */
    const char *items[2]; /* NULL: one work-item */
    int per_item[2];
    int local[2];
} bench_launch;

/* One way to write the kernels for a device. */
typedef struct bench_variant {
    const char *name;    /* NULL: no variant */
    const char *file;    /* in bench/kernels/ */
    const char *options; /* for the compiler */
    bool same; /* keeps sinter's meaning: its results are the same bits, and are checked so */
    bench_launch launches[BENCH_MAX_LAUNCHES];
} bench_variant;

typedef struct bench_workload {
    const char *name;
    const char *meaning;
    bench_operand inputs[BENCH_MAX_INPUTS];
    bench_operand outputs[BENCH_MAX_OUTPUTS];
    bench_operand temporaries[2]; /* of the hand-written kernels */
    /* Queues the work; the outputs are the caller's. The first `updates` inputs are released by it:
     * output i takes the place of input i, as the state of an optimiser does. */
    void (*build)(expr *e, const int64_t *extents, const value *in, value *out);
    int updates;
    bool is_reduction; /* elements are counted in the first input, not in the first output */
    bench_size sizes[BENCH_MAX_SIZES];
    int quick; /* index of the size that --quick measures */
    int large; /* of the one that --large does, and nothing else: for devices that are done with the others before a
                  launch has begun; 0: there is none */
    const bench_variant *variants;
    double tolerance; /* of a looser meaning: |fused - other| <= tolerance * (1 + |fused|) */
} bench_workload;

extern const bench_workload bench_workloads[];
extern const size_t bench_workload_count;

/* The functions of the math library, which `--math` measures instead. */
extern const bench_workload bench_math[];
extern const size_t bench_math_count;

/* The row called `name`; NULL when there is none. */
const bench_workload *bench_workload_find(const char *name);

/* Rows of an array of operands that are used. */
size_t bench_operand_count(const bench_operand *operands, size_t most);

/* Shape of an operand at a size; returns the rank. */
int bench_shape(const bench_operand *o, const int64_t *extents, int64_t shape[SINTER_MAX_RANK]);

/* Product of the extents that `axes` names. */
int64_t bench_product(const char *axes, const int64_t *extents);

/* Bytes of an operand at a size, and bytes of it that the workload uses. */
size_t bench_bytes(const bench_operand *o, const int64_t *extents);
size_t bench_used_bytes(const bench_operand *o, const int64_t *extents);

/* The lower bound of the workload: every input's used bytes once, every output's once. */
size_t bench_bound(const bench_workload *w, const int64_t *extents);

/* Fills an input of `elements` elements: the same numbers on every run for the same `seed`. */
void bench_fill(const bench_operand *o, uint64_t seed, int64_t elements, void *data);

/* Data for every input, as bench_fill has them; false without memory. Freed by the other, whatever was made. */
bool bench_data_make(const bench_workload *w, const int64_t *extents, void *data[BENCH_MAX_INPUTS]);
void bench_data_free(void *data[BENCH_MAX_INPUTS]);

/* Element `i` of an operand's data as a double. */
double bench_element(sinter_dtype dtype, const void *data, int64_t i);

#endif /* SINTER_BENCH_WORKLOAD_H */
