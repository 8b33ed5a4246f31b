/* How a bound nest runs on the device: the form of the loops, and its numbers.
 *
 * A class is everything of it that decides the kernel's text; a geometry is everything else. Bindings of
 * one class share a kernel, which is why a new batch size compiles nothing. Nothing else chooses either by the
 * device, but for the rows of a list (executor/run/share.c). */
#ifndef SINTER_FUSION_SCHEDULE_SCHEDULE_H
#define SINTER_FUSION_SCHEDULE_SCHEDULE_H

#include "fusion/device/limits.h"
#include "fusion/device/loops.h"
#include "fusion/nest/bind.h"

typedef enum sinter__stride {
    SINTER__STRIDE_ZERO,
    SINTER__STRIDE_UNIT, /* 1; told apart only on the axis of the vectors, and on that of the rows
                            of a block for operands that are turned, or of a left operand that lies
                            along them where a group loads it */
    SINTER__STRIDE_ANY,  /* an argument of the kernel */
    SINTER__STRIDE_BACK, /* -1, on the axis of the vectors as well */
} sinter__stride;

typedef enum sinter__relaxed {
    SINTER__RELAXED_NOT,
    SINTER__RELAXED_HELD,       /* f16 and bf16 are held as f32 */
    SINTER__RELAXED_CONTRACTED, /* that, and a product that is only added to is part of the sum */
} sinter__relaxed;

/* Of a line that goes along several axes: how each vector lies along the innermost of them. */
typedef enum sinter__runs {
    SINTER__RUNS_ANY,
    SINTER__RUNS_LONG,  /* in one run of that axis, or where one ends and the next begins */
    SINTER__RUNS_WHOLE, /* in one: its extent is so many vectors */
    SINTER__RUNS_BLOCK, /* the same of all the vectors that hold the 64 partials of a row */
} sinter__runs;

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
    uint16_t in_parts; /* REDUCE: several chunks or runs to a result */
    uint16_t partials; /* CHUNK: how many of the 64 a row can have: fewer where it is short */
    uint16_t trees;    /* CHUNK of a GPU: how many of them a group's local memory holds at once */
    /* CHUNK of a GPU: work-items of a sub-group, which has its rows whole: no local memory; 0:
     * that of the group */
    uint16_t sub_group;
    /* CHUNK of a GPU: vectors of a row, or of a chunk of it, that each work-item holds; 0: none */
    uint16_t held;
    uint16_t held_rest; /* whether the last of them is not full in all */
    /* CHUNK of a GPU: how often a group has the work-items of a row, each with so many steps of it,
     * of which any may be missing; 0: once */
    uint16_t blocks;
    uint16_t levels; /* COMBINE of a GPU: steps of the tree that a group does; 0: an item alone */
    /* TILE: rows of a tile; BLOCK: rows of a band, or of a GPU's block; RUN with vectors: rows that
     * each of them goes down in turn; scans: blocks of a line that a GPU's group, or a CPU's
     * work-item, goes through at once, 0: one after the other */
    uint16_t rows;
    /* RUN with vectors: the same in loops that store elements; 0: none does */
    uint16_t stored_rows;
    uint16_t block_axis; /* BLOCK: the axis of the rows */
    /* TILE: vectors of a row of a tile; RUN, and scans down columns by a CPU: most that a unit
     * has, side by side */
    uint16_t vectors;
    uint16_t band;  /* TILE: most tiles, one below the other, that a work-item has; of several, what
                          they share of the right operand is laid out for them first */
    uint16_t steps; /* TILE: of the inner dimension, in a group's local memory at once; 0: none */
    uint16_t slices;   /* TILE with steps: of a group, with a chunk of the inner dimension each */
    uint16_t empty;    /* REDUCE: no elements to reduce */
    uint16_t anew;     /* REDUCE on a GPU: what would wait from phase to phase is computed again */
    uint16_t near;     /* scans along rows by a CPU: as sinter__scans_near says */
    uint16_t larger;   /* REDUCE: maxima that only a softmax sees (fusion/nest/larger.h) */
    uint16_t group[2]; /* local size */
    uint16_t access_count;
    uint16_t runs;    /* sinter__runs */
    uint16_t tails;   /* CPU: lines are short and end in a vector that is not full */
    uint16_t relaxed; /* sinter__relaxed: how far the mode lets arithmetic go */
    uint16_t tables;  /* FLAT of a CPU: operands that are read from a table, since they repeat */
    /* MAP: rows of arguments, one for each group of a list; SINTER__ROWS_STORED: any number of
     * them, in memory; 0: no list */
    uint16_t list;
    uint16_t divided; /* with a list: each work-item has its part of every row, and not of one */
} sinter__class_key;

/* Most elements after which an operand repeats that each work-item of a CPU has in a table: a few
 * next to the fewest elements that it works through. What repeats after more lies along rows, mostly. */
#define SINTER__PERIOD_MAX 64

/* Of a cache line. */
#define SINTER__LINE_BYTES 64

/* A class: the key and, per access, a sinter__stride per axis (two bits each), the linear bit, its table, and how
 * what is written gets there. */
typedef struct sinter__class_access {
    uint32_t strides; /* axis i in bits 2 * i, 2 * i + 1 */
    uint32_t linear;
    /* FLAT: it repeats after the elements of the axes from this one on, and is read from a
     * table; 0: it is not */
    uint32_t period_axis;
    uint32_t streams; /* WRITE: whole vectors go past the caches */
    uint32_t parts;   /* WRITE: whole vectors are stored in parts, though they could be at once */
    uint32_t ahead;   /* READ: bytes ahead at which it is asked for; 0: it is not */
    uint32_t
        beside; /* WRITE: vectors of an array beside it in which what would wait there does; 0: none */
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

/* Bytes of a register of the dtype. */
size_t sinter__register_bytes(uint8_t dtype);

/* Whether the access is turned: it lies along the rows of a block. */
bool sinter__class_turns(const sinter__kernel_class *c, uint16_t access);

/* Whether any is. */
bool sinter__class_turns_any(const sinter__kernel_class *c);

/* Elements of an operand's block in local memory: its rows lie one element further apart than they are long, so
 * that neither a row nor a column is in one bank. */
static inline uint32_t sinter__block_elements(uint32_t side)
{
    return side * (side + 1);
}

/* Vectors from a step of a block in local memory to the next, `width` elements wide: one more than it
 * needs, so that elements below each other are in different banks. */
static inline int sinter__block_pitch(const sinter__class_key *key, int width)
{
    return (width + key->lanes - 1) / key->lanes + 1;
}

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
    int64_t local_bytes;    /* TILE: of local memory */
    double work;            /* that one thread would have with it, in additions; 0: nobody asks */
} sinter__geometry;

/* Most launches of the nest, whatever the binding. */
int sinter__launch_limit(const sinter__nest *nest);

/* How many launches the nest takes with this binding: 0 for no elements. Where a unit per row would
 * leave others idle for longer than launches take, or loop for longer than a work-item may, every
 * phase of a reduction takes two, one over the chunks or runs of all rows and one for the tree over
 * them, and what comes after the last phase takes one. A scan takes three then, for the totals, the
 * carries and the results of the stretches of all lines. */
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

/* Bytes of `reduced` elements of a row, or of a vector of columns. */
int64_t sinter__row_bytes(const sinter__nest *nest, const sinter__bound_nest *bound,
                          const sinter__tuning *tuning, int64_t reduced);

/* What the class of launch `launch` of a REDUCE nest has of its own form, without what every class has. */
void sinter__schedule_rows(const sinter__nest *nest, const sinter__bound_nest *bound,
                           const sinter__limits *limits, int launch, sinter__class_key *key);

/* What `sinter tune` knows the nest by: its operations, how it lies in memory, its extents to within
 * a power of two. It is the same in every process. */
uint64_t sinter__schedule_key(const sinter__nest *nest, const sinter__bound_nest *bound);

/* Class and geometry of launch `launch`. `out->accesses` is the caller's array of
 * nest->access_count. */
void sinter__schedule(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__limits *limits, int launch, sinter__kernel_class *out,
                      sinter__geometry *geometry);

#endif /* SINTER_FUSION_SCHEDULE_SCHEDULE_H */
