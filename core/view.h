/* Views: how the elements of a tensor lie in memory.
 *
 * The one hard idea: elementwise work commutes with views. Element i of a transposed sum is the sum
 * of the transposed operands' elements i. So a view of something that has not been computed is
 * never computed: it is applied to the views through which the inputs are read. Everything that
 * folds index arithmetic does it with the five functions below, on concrete numbers. */
#ifndef SINTER_CORE_VIEW_H
#define SINTER_CORE_VIEW_H

#include "core/base.h"

/* A matrix product of tensors of the highest rank has one axis more than they have. */
#define SINTER__VIEW_RANK (SINTER_MAX_RANK + 1)

typedef struct sinter__view {
    int rank;
    int64_t offset; /* of the first element, in elements */
    int64_t shape[SINTER__VIEW_RANK];
    int64_t strides[SINTER__VIEW_RANK]; /* in elements; 0 repeats */
} sinter__view;

/* Makes *v row-major and packed; what it holds past the rank stays. */
static inline void sinter__view_pack(sinter__view *v, int rank, const int64_t *shape)
{
    int64_t stride = 1;
    v->rank = rank;
    v->offset = 0;
    for (int i = rank - 1; i >= 0; i--) {
        v->shape[i] = shape[i];
        v->strides[i] = stride;
        stride *= SINTER__MAX(shape[i], (int64_t)1);
    }
}

/* *to = *from, except what lies past the rank. */
static inline void sinter__view_copy(sinter__view *to, const sinter__view *from)
{
    to->rank = from->rank;
    to->offset = from->offset;
    for (int i = 0; i < from->rank; i++) {
        to->shape[i] = from->shape[i];
        to->strides[i] = from->strides[i];
    }
}

/* Row-major and packed. */
sinter__view sinter__view_packed(int rank, const int64_t *shape);

/* Axis i of the result is axis perm[i]. */
sinter__view sinter__view_transpose(const sinter__view *v, const int *perm);

/* `count` elements of `axis` from `start` in steps of `step`, all in range. */
sinter__view sinter__view_slice(const sinter__view *v, int axis, int64_t start, int64_t step,
                                int64_t count);

/* Broadcast to a shape that it fits (sinter__broadcast says so). */
sinter__view sinter__view_expand(const sinter__view *v, int rank, const int64_t *shape);

/* The same elements in row-major order under another shape of as many elements. False when strides
 * cannot express it. */
bool sinter__view_reshape(const sinter__view *v, int rank, const int64_t *shape, sinter__view *out);

/* Elements; the caller knows that the product fits. */
static inline int64_t sinter__elements(int rank, const int64_t *shape)
{
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    return n;
}

/* Whether it has no elements; of any shape, also where there would be more than a number holds. */
static inline bool sinter__is_empty(int rank, const int64_t *shape)
{
    bool empty = false;
    for (int i = 0; i < rank; i++)
        empty |= shape[i] == 0;
    return empty;
}

/* Distinct elements in memory: axes of stride 0 count once. */
int64_t sinter__view_distinct(const sinter__view *v);

/* The lowest and the highest offset that it touches, in elements; both 0 when it is empty. */
void sinter__view_span(const sinter__view *v, int64_t *lowest, int64_t *highest);

/* Row-major and packed, whatever its offset. */
bool sinter__view_is_packed(const sinter__view *v);

bool sinter__shape_equal(int rank_a, const int64_t *a, int rank_b, const int64_t *b);

/* Shape to which a and b broadcast, NumPy's rule. On failure *axis is the axis of the result that
 * differs. */
bool sinter__broadcast(int rank_a, const int64_t *a, int rank_b, const int64_t *b, int *rank,
                       int64_t *shape, int *axis);

/* How a reshape groups axes: bit i of *in_starts (*out_starts) is set where axis i starts a block,
 * each block of in-axes holding as many elements as the matching block of out-axes. Axes of extent
 * 1 belong to the block before. One block when there are no elements. */
void sinter__reshape_blocks(int rank_in, const int64_t *in, int rank_out, const int64_t *out,
                            uint32_t *in_starts, uint32_t *out_starts);

/* Where the block that starts at axis `first` of `rank` ends. */
int sinter__block_end(uint32_t starts, int first, int rank);

/* "[32,7]". Returns `text`. */
#define SINTER__SHAPE_TEXT 200
const char *sinter__shape_text(int rank, const int64_t *shape, char text[SINTER__SHAPE_TEXT]);

#endif /* SINTER_CORE_VIEW_H */
