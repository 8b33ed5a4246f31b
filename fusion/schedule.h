/* How a bound nest runs on the device: the form of the loops, and its numbers.
 *
 * A class is everything that decides the kernel's text; a geometry is everything else. Bindings of
 * one class share a kernel, which is why a new batch size compiles nothing. This is the only file
 * of fusion/ that looks at the device. */
#ifndef SINTER_FUSION_SCHEDULE_H
#define SINTER_FUSION_SCHEDULE_H

#include "fusion/bind.h"
#include "fusion/limits.h"

typedef enum sinter__loops {
    SINTER__LOOPS_ROW,  /* MAP: vectors along the innermost axis, the other axes decomposed once per
                           row */
    SINTER__LOOPS_FLAT, /* MAP: vectors along the row-major index, decomposed per lane where needed
                         */
    SINTER__LOOPS_BLOCK, /* MAP: bands of vectors below each other along another axis, in which
                            operands run across; blocks of those that lie along it are turned */
    SINTER__LOOPS_CHUNK, /* REDUCE with the last axis: rows in chunks, 64 partials */
    SINTER__LOOPS_RUN, /* REDUCE without it: vectors along the innermost kept axis, in sequence over
                            runs */
    SINTER__LOOPS_COMBINE,      /* REDUCE: the tree over the chunks or runs of a phase */
    SINTER__LOOPS_TILE,         /* CONTRACT: a tile of rows and vectors in registers */
    SINTER__LOOPS_SCAN_ROWS,    /* SCAN along the last axis: vectors along it */
    SINTER__LOOPS_SCAN_COLUMNS, /* SCAN along another: vectors along the innermost kept axis, in
                                   sequence along the scanned one */
    SINTER__LOOPS_SCAN_CARRIES, /* SCAN: the totals of stretches become their carries */
} sinter__loops;

typedef enum sinter__stride {
    SINTER__STRIDE_ZERO,
    SINTER__STRIDE_UNIT, /* 1; told apart only on the axis of the vectors, and on that of the rows
                            of a block for operands that are turned */
    SINTER__STRIDE_ANY,  /* an argument of the kernel */
} sinter__stride;

typedef enum sinter__relaxed {
    SINTER__RELAXED_NOT,
    SINTER__RELAXED_HELD,       /* f16 and bf16 are held as f32 */
    SINTER__RELAXED_CONTRACTED, /* that, and a product that is only added to is part of the sum */
} sinter__relaxed;

#define SINTER__PHASE_ALL UINT8_MAX

/* What a launch of a SCAN does. */
typedef enum sinter__scan_step {
    SINTER__SCAN_TOTALS,                  /* of all stretches */
    SINTER__SCAN_CARRIES,                 /* of all stretches, by their totals */
    SINTER__SCAN_RESULTS,                 /* of all stretches, by their carries */
    SINTER__SCAN_ALL = SINTER__PHASE_ALL, /* one launch goes through the stretches of each line */
} sinter__scan_step;

/* Compared and stored as bytes: fields of one width have no padding between them. */
typedef struct sinter__class_key {
    uint16_t loops;
    uint16_t style;
    uint16_t lanes;
    uint16_t wide; /* 64-bit indices */
    uint16_t parallel_rank;
    uint16_t reduced_rank;
    uint16_t phase; /* REDUCE: the phase that the launch runs; SINTER__PHASE_ALL: every one. SCAN:
                          sinter__scan_step */
    uint16_t in_parts;   /* REDUCE: several chunks or runs to a result */
    uint16_t partials;   /* CHUNK: how many of the 64 a row can have: fewer where it is short */
    uint16_t trees;      /* CHUNK of a GPU: how many of them a group's local memory holds at once */
    uint16_t rows;       /* TILE: rows of a tile; BLOCK: rows of a band */
    uint16_t block_axis; /* BLOCK: the axis of the rows */
    uint16_t vectors;    /* TILE: vectors of a row of a tile */
    uint16_t band;  /* TILE: most tiles, one below the other, that a work-item has; of several, what
                          they share of the right operand is laid out for them first */
    uint16_t empty; /* REDUCE: no elements to reduce */
    uint16_t group[2]; /* local size */
    uint16_t access_count;
    uint16_t relaxed; /* sinter__relaxed: how far the mode lets arithmetic go */
    uint16_t list;    /* MAP: rows of arguments, one for each group of a list; 0: no list */
} sinter__class_key;

/* A class: the key and, per access, a sinter__stride per axis (two bits each) and the linear bit.
 */
typedef struct sinter__class_access {
    uint32_t strides; /* axis i in bits 2 * i, 2 * i + 1 */
    uint32_t linear;
} sinter__class_access;

typedef struct sinter__kernel_class {
    sinter__class_key key;
    sinter__class_access *accesses; /* key.access_count */
} sinter__kernel_class;

static inline sinter__stride sinter__class_stride(const sinter__kernel_class *c, uint16_t access,
                                                  int axis)
{
    return (sinter__stride)(c->accesses[access].strides >> (2 * axis) & 3);
}

/* Whether the access is turned: it lies along the rows of a block. */
bool sinter__class_turns(const sinter__kernel_class *c, uint16_t access);

/* The numbers of a launch that are neither extents nor strides. */
typedef struct sinter__geometry {
    size_t global[3];
    size_t local[3];
    int64_t segment;        /* elements of the innermost axis that a unit covers */
    int64_t segments;       /* units of a row */
    int64_t units;          /* units of all rows */
    int64_t units_per_item; /* consecutive units of a work-item; TILE: tiles, one below the other */
    int64_t parts;          /* chunks, runs or stretches; bands along the axis of a block */
    int64_t region;         /* bytes of a region of scratch */
} sinter__geometry;

/* Most launches of the nest, whatever the binding. */
int sinter__launch_limit(const sinter__nest *nest);

/* How many launches the nest takes with this binding: 0 for no elements. Where a unit per row would
 * leave the device idle, every phase of a reduction takes two, one over the chunks or runs of all
 * rows and one for the tree over them, and what comes after the last phase takes one. A scan takes
 * three then, for the totals, the carries and the results of the stretches of all lines. */
int sinter__launch_count(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__limits *limits);

/* Scratch memory: a region per reduction, or per number of its state, with its chunks or runs, or per
 * scan with its stretches. */
typedef struct sinter__scratch_need {
    int64_t bytes; /* 0: none */
    int64_t moved; /* written, and read again */
} sinter__scratch_need;

sinter__scratch_need sinter__scratch_bytes(const sinter__nest *nest,
                                           const sinter__bound_nest *bound,
                                           const sinter__limits *limits);

/* What `sinter tune` knows the nest by: its operations, how it lies in memory, its extents to within
 * a power of two. It is the same in every process. */
uint64_t sinter__schedule_key(const sinter__nest *nest, const sinter__bound_nest *bound);

/* Class and geometry of launch `launch`. `out->accesses` is the caller's array of
 * nest->access_count. */
void sinter__schedule(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__limits *limits, int launch, sinter__kernel_class *out,
                      sinter__geometry *geometry);

#endif /* SINTER_FUSION_SCHEDULE_H */
