/* A matrix product as a library for it takes one: matrices of rows, each as it lies or transposed.
 *
 * Whether it is the library's depends on its extents, its dtype and how its operands lie, which are
 * the same however it is grouped: so the bits are, too. */
#ifndef SINTER_FUSION_PLAN_GEMM_H
#define SINTER_FUSION_PLAN_GEMM_H

#include "fusion/device/limits.h"
#include "fusion/nest/bind.h"

/* A product with a shorter side is no work for a library: it pads to its tiles. */
#define SINTER__GEMM_SIDE 64

/* Most products in a batch: each is a call of its own. */
#define SINTER__GEMM_ITEMS 1024

typedef enum sinter__gemm_verdict {
    SINTER__GEMM_TAKEN,
    SINTER__GEMM_SMALL,  /* fewer multiply-adds than those from which the library is faster */
    SINTER__GEMM_THIN,   /* a side is short */
    SINTER__GEMM_DTYPE,  /* not one that the library computes as well */
    SINTER__GEMM_LAYOUT, /* an operand lies neither by rows nor by columns */
    SINTER__GEMM_BATCH,  /* too many products */
    SINTER__GEMM_OFF,    /* the library has failed before */
} sinter__gemm_verdict;

/* The verdict in words, for the report. */
const char *sinter__gemm_text(sinter__gemm_verdict verdict);

/* Of the three matrices of a product: left, right, result. */
typedef struct sinter__gemm_matrix {
    uint16_t access;
    bool transposed;     /* it lies by columns */
    int64_t pitch;       /* elements from a row to the next, or from a column */
    int64_t rows, width; /* as it lies: so many runs of `width` elements */
} sinter__gemm_matrix;

typedef struct sinter__gemm {
    const sinter__nest *nest;
    const sinter__bound_nest *bound;
    sinter_dtype dtype;
    int64_t m, n, k;
    int64_t from;  /* multiply-adds from which the library is faster; 0: never */
    int64_t items; /* products in the batch */
    sinter__gemm_matrix matrix[3];
} sinter__gemm;

/* Multiply-adds from which the library is faster at products of `dtype`; 0: it has none of them. */
int64_t sinter__gemm_from(const sinter__limits *limits, sinter_dtype dtype);

/* What becomes of the product of a bound CONTRACT nest. `out` has its extents whatever is returned. */
sinter__gemm_verdict sinter__gemm_find(const sinter__nest *nest, const sinter__bound_nest *bound,
                                       const sinter__limits *limits, sinter__gemm *out);

/* Multiply-adds of one product of the batch. */
int64_t sinter__gemm_work(const sinter__gemm *x);

/* First element of a matrix of product `item`, from where its tensor's storage begins. */
int64_t sinter__gemm_offset(const sinter__gemm *x, int matrix, int64_t item);

/* Elements from the first to the last of a matrix, both included. */
int64_t sinter__gemm_span(const sinter__gemm_matrix *matrix);

#endif /* SINTER_FUSION_PLAN_GEMM_H */
