/* Shapes and dtypes of results: everything that can be wrong with a call is found here, at once. */
#ifndef SINTER_CORE_INFER_H
#define SINTER_CORE_INFER_H

#include "core/op.h"
#include "core/view.h"

/* Part of a tensor: along each axis `count` elements from `start` in steps of `step`, all there. */
typedef struct sinter__region {
    int64_t start[SINTER_MAX_RANK];
    int64_t step[SINTER_MAX_RANK];
    int64_t count[SINTER_MAX_RANK];
} sinter__region;

/* What an operation takes beyond its operands; which fields count depends on the operation. */
typedef struct sinter__attrs {
    sinter_dtype dtype;   /* cast, full, arange, random */
    int rank;             /* of `shape` */
    const int64_t *shape; /* reshape, expand, full, arange, random */
    int axis_count;       /* of `axes`; -1: none given */
    const int *axes;      /* reductions, transpose, squeeze, unsqueeze, flip; may be negative */
    bool keepdims;        /* reductions */
    int64_t start, step, count;   /* slice of axes[0], already resolved */
    const sinter__region *region; /* update */
} sinter__attrs;

typedef struct sinter__operand_desc {
    bool is_scalar;
    sinter_dtype dtype;
    int rank;
    const int64_t *shape;
} sinter__operand_desc;

typedef struct sinter__inferred {
    sinter_dtype work[SINTER__MAX_OPERANDS]; /* dtype that each operand is to be converted to */
    sinter_dtype dtype;                      /* of the result */
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    uint32_t axes;             /* reductions: a bit per axis */
    int perm[SINTER_MAX_RANK]; /* transpose */
} sinter__inferred;

/* Infers the result of `op` over `count` operands. */
sinter_status sinter__infer(sinter__op op, int count, const sinter__operand_desc *operands,
                            const sinter__attrs *attrs, sinter__inferred *out);

/* Checks a shape that the caller gave: rank, extents, and that its bytes fit in 62 bits. */
sinter_status sinter__check_shape(const char *what, sinter_dtype dtype, int rank,
                                  const int64_t *shape);

/* start:stop:step of an axis of `extent`, as Python resolves it. `has_start` and `has_stop` false:
 * left out. */
typedef struct sinter__slice {
    bool has_start, has_stop;
    int64_t start, stop, step;
} sinter__slice;

/* The first element and the number of elements. SINTER_ERANGE for step 0. */
sinter_status sinter__slice_resolve(const sinter__slice *slice, int64_t extent, int64_t *first,
                                    int64_t *count);

/* All of a tensor. */
void sinter__region_whole(int rank, const int64_t *shape, sinter__region *out);

/* An axis of a region, which may be given once: *seen has a bit for each that has been. */
sinter_status sinter__region_axis(uint32_t *seen, int axis, int rank, int *out);

/* Leaves of axis `axis` of the region, which is all of its `extent`, what the slice says. A bound that lies
 * outside is SINTER_ERANGE: what would be left out is never written in silence. */
sinter_status sinter__region_narrow(sinter__region *region, int axis, int64_t extent,
                                    const sinter__slice *slice);

/* `axis` counted from the end when negative. */
sinter_status sinter__check_axis(const char *what, int axis, int rank, int *out);

#endif /* SINTER_CORE_INFER_H */
