/* What fuzz_api.c holds the library against: tensors of small integers, computed at once and in the simplest way.
 * Nothing of the library is used. */
#ifndef SINTER_TESTS_FUZZ_API_MODEL_H
#define SINTER_TESTS_FUZZ_API_MODEL_H

#include <sinter/types.h>

#define MODEL_ELEMENTS 300 /* most of a tensor whose elements are known: more than a run of sums */

/* A tensor. Floats are known only where they are whole and no more than 2^24, so that nothing is rounded. */
typedef struct model {
    sinter_dtype dtype; /* BOOL, I32, I64, F32; another only where `known` is false */
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    bool known; /* `at` has its elements, row-major */
    int64_t at[MODEL_ELEMENTS];
} model;

/* What the library has to say of a call. */
typedef enum model_verdict {
    MODEL_BAD,    /* it fails */
    MODEL_GOOD,   /* it succeeds, and its result is known */
    MODEL_SHAPED, /* it succeeds, and only the dtype and shape of its result are known */
    MODEL_OPEN,   /* either, and nothing is known of the result */
} model_verdict;

typedef enum model_binary {
    MODEL_ADD,
    MODEL_SUB,
    MODEL_MUL,
    MODEL_MAX,
    MODEL_MIN,
    MODEL_GT,
    MODEL_EQ
} model_binary;
typedef enum model_unary { MODEL_NEG, MODEL_ABS, MODEL_SQUARE, MODEL_COPY, MODEL_RELU } model_unary;
typedef enum model_reduction {
    MODEL_SUM,
    MODEL_LARGEST,
    MODEL_SMALLEST,
    MODEL_ANY
} model_reduction;

/* Elements of a shape; -1 when an extent is negative or they are more than 2^40. */
int64_t model_count(int rank, const int64_t *shape);

/* The elements are `value`, or nothing is known of so many. */
model_verdict model_fill(sinter_dtype dtype, int rank, const int64_t *shape, int64_t value,
                         model *out);

/* Each takes tensors of which something may not be known, and fills *out unless it gives BAD or OPEN. */
model_verdict model_of_binary(model_binary op, const model *a, const model *b, model *out);
model_verdict model_of_unary(model_unary op, const model *x, model *out);
model_verdict model_where(const model *c, const model *a, const model *b, model *out);
model_verdict model_cast(const model *x, sinter_dtype dtype, model *out);
model_verdict model_reduce(model_reduction op, const model *x, int count, const int *axes,
                           bool keepdims, model *out);
model_verdict model_cumsum(const model *x, int axis, model *out);
model_verdict model_matmul(const model *a, const model *b, model *out); /* of two axes each */
model_verdict model_transpose(const model *x, const int *axes, model *out);
model_verdict model_reshape(const model *x, int rank, const int64_t *shape, model *out);
model_verdict model_expand(const model *x, int rank, const int64_t *shape, model *out);
model_verdict model_slice(const model *x, int axis, int64_t start, int64_t stop, int64_t step,
                          model *out);
model_verdict model_flip(const model *x, int axis, model *out);
/* x[..., start:start + count, ...] = value */
model_verdict model_update(const model *x, int axis, int64_t start, int64_t count,
                           const model *value, model *out);

/* Whether the `bytes` of memory hold the elements. */
bool model_is(const model *x, const void *data, size_t bytes);
void model_store(const model *x, void *data);

#endif /* SINTER_TESTS_FUZZ_API_MODEL_H */
