/* Views by naive means: a shape, and for every element, in row-major order, which element of the
 * base it is. No strides, so that nothing is shared with what is tested. */
#ifndef SINTER_TESTS_MODEL_H
#define SINTER_TESTS_MODEL_H

#include <sinter/types.h>

typedef struct model {
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    int64_t count;
    int64_t *index;
} model;

/* Row-major over a base of as many elements. */
model model_packed(int rank, const int64_t *shape);
void model_free(model *m);

/* Each makes a new model and frees *m in its favour. */
void model_reshape(model *m, int rank, const int64_t *shape);
void model_transpose(model *m, const int *axes);
void model_slice(model *m, int axis, int64_t start, int64_t stop, int64_t step);
void model_expand(model *m, int rank, const int64_t *shape);
void model_flip(model *m, uint32_t axes);

/* Whether the elements are base[offset + sum of coordinate * stride]: what strides can express. */
bool model_is_strided(const model *m);

/* Whether they are neighbours in the base, in order. */
bool model_is_packed(const model *m);

int64_t model_elements(int rank, const int64_t *shape);

#endif /* SINTER_TESTS_MODEL_H */
