/* What the planner is told of a device: plain numbers, so that fusion/ knows no OpenCL. */
#ifndef SINTER_FUSION_DEVICE_LIMITS_H
#define SINTER_FUSION_DEVICE_LIMITS_H

#include "fusion/device/tuning.h"

/* Of a kernel that asks for sub-groups of so many work-items; OpenCL C. */
#define SINTER__SUB_GROUP_ATTRIBUTE "__attribute__((intel_reqd_sub_group_size(%u)))\n"

/* Where a loop over full vectors alone is faster than one that asks each how full it is. */
typedef enum sinter__full_apart {
    SINTER__APART_NOWHERE,
    SINTER__APART_OUTERMOST, /* in no other loop */
    SINTER__APART_EVERYWHERE,
} sinter__full_apart;

typedef struct sinter__limits {
    sinter_style style; /* CPU or GPU: the form of the loops */
    bool is_gpu;        /* the device itself, whatever form its kernels have */
    sinter__tuning tuning;
    sinter__tuned_list tuned; /* kernels with numbers of their own; they outlive every plan */
    uint32_t compute_units;
    uint32_t max_group;       /* work-items in a work-group */
    uint32_t max_side;        /* of them along its second dimension; 0: all */
    uint32_t parameter_bytes; /* of a kernel's arguments */
    uint64_t local_bytes;     /* of local memory that a work-group has */
    uint32_t sub_group;       /* work-items of a sub-group, as many as a kernel asks for; 0: none */
    const char *shuffle; /* gives a work-item of it what the one has whose place differs by a bit:
                            function of the value and the bit */
    uint32_t alignment_bytes; /* of an offset inside the pool */
    bool has_f64;
    bool correctly_rounded; /* f32 division and square root */
    bool has_fma;           /* f32, rounded once, denormals kept */
    bool has_half;          /* half, to which f32 is rounded to nearest, denormals kept */
    bool computes_half;     /* it has arithmetic of half, and not only conversions */
    bool stores_half;       /* rounding to half by storing one is faster than by arithmetic */
    bool folds_zeros;       /* its compiler drops the sign of what is multiplied by a 0 it knows */
    bool splits_vectors;    /* vstore and vload are several; by a pointer one */
    uint8_t full_apart;     /* a sinter__full_apart */
    bool reorders_sums;     /* its compiler does, in loops of several sums of single elements */
    bool fixed_words;       /* a word of an argument must not be read by an index */
    bool prefetches;        /* its compiler takes __builtin_prefetch, on which others end */
    bool packs_numbers;     /* numbers of a launch cost less several to an argument */
    bool aligns_halves;     /* a vector of halves must be aligned as a whole */
    bool runs_at_once;      /* it can run a launch in the thread that calls */
    uint32_t most_iterations; /* of all loops of a work-item together; 0: any number */
    bool relaxed;             /* the mode: contraction, no rounding to 16-bit floats in between */
    uint32_t native;          /* the driver's functions that stand in for ours (fusion/library) */
    uint32_t native_width;    /* lanes at which they are called */
    uint32_t register_lanes;  /* f32 of a vector that a register holds */
    int64_t gemm_from_f32; /* multiply-adds of a matrix product from which a library computes it */
    int64_t gemm_from_f64; /* (fusion/plan/gemm.h); 0: never */
    bool reuse;            /* storage may be taken over */
    uint32_t max_group_nodes; /* operations in one kernel; 1: no fusion */
    int64_t narrow;           /* indices below it take 32 bits, rounding up to work-groups too */
} sinter__limits;

/* Whether the calling thread may run what is so much work: it has done it before others would begin. */
static inline bool sinter__is_at_once(const sinter__limits *l, double work)
{
    return l->runs_at_once && work > 0 && work <= (double)l->tuning.lone_work;
}

#endif /* SINTER_FUSION_DEVICE_LIMITS_H */
