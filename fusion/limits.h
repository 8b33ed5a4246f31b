/* What the planner is told of a device: plain numbers, so that fusion/ knows no OpenCL. */
#ifndef SINTER_FUSION_LIMITS_H
#define SINTER_FUSION_LIMITS_H

#include "core/base.h"
#include "sinter/context.h"

typedef struct sinter__limits {
    sinter_style style;    /* CPU or GPU: the form of the loops */
    uint32_t lanes;        /* vector lanes of elementwise kernels: 1, 2, 4, 8, 16 */
    uint32_t native_lanes; /* f32 lanes of a vector register */
    uint32_t compute_units;
    uint32_t max_group;       /* work-items in a work-group */
    uint32_t parameter_bytes; /* of a kernel's arguments */
    uint32_t alignment_bytes; /* of an offset inside the pool */
    bool has_f64;
    bool correctly_rounded;   /* f32 division and square root */
    bool has_fma;             /* f32, rounded once, denormals kept */
    bool reuse;               /* storage may be taken over */
    uint32_t max_group_nodes; /* operations in one kernel; 1: no fusion */
    int64_t narrow;           /* indices below it take 32 bits, rounding up to work-groups too */
    uint32_t max_live;        /* values alive at once in a kernel: an estimate of registers */
} sinter__limits;

#endif /* SINTER_FUSION_LIMITS_H */
