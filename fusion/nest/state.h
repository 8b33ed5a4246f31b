/* Reductions that carry more than one number from chunk to chunk, or from run to run: a state.
 *
 * The one hard idea: a part of 16,384 or 256 elements is gone through twice, while it is in the cache.
 * The first pass folds it by the one of the plain reductions: its first operation. The second knows what
 * came of that, and folds terms made of it and of each element, in the same order. What the two gave
 * is the state of the part, and the states of the parts are merged by the tree of fusion/nest/tree.h:
 *
 * PLACE   (argmax, argmin): the best element b of the part. Terms: the place in the part of what equals
 *         b or is NaN; their minimum. State: b, and the place among all that are reduced. Of two, the
 *         better b, and the lower place of those that have it: no order changes it.
 * SPREAD  (devsq): the sum of the part, divided by its n elements and rounded: a mean m. Terms:
 *         d = x - m and d * d; their sums s and q. State: n, m, what m's rounding left, r = s / n, and
 *         the squared differences max(q - s * r, 0). Two are merged by Chan's formula
 *         (cl_kernels/state.cl), the mean kept as m + r.
 *
 * The result is the last number of the state. */
#ifndef SINTER_FUSION_NEST_STATE_H
#define SINTER_FUSION_NEST_STATE_H

#include "fusion/nest/nest.h"

typedef enum sinter__state_kind {
    SINTER__STATE_NONE, /* one number, of one pass */
    SINTER__STATE_PLACE,
    SINTER__STATE_SPREAD,
} sinter__state_kind;

/* Most numbers of a state, and most terms. */
#define SINTER__STATE_NUMBERS 4
#define SINTER__STATE_TERMS 2

typedef struct sinter__state {
    uint8_t kind;
    uint8_t count;                        /* numbers */
    uint8_t dtype[SINTER__STATE_NUMBERS]; /* of each; the first pass folds in that of the first */
    uint8_t first_op;                     /* the reduction that the first, or only, pass folds by */
    uint8_t terms;                        /* folded by the second pass */
    uint8_t term_op, term_dtype;          /* by this reduction, in this dtype */
} sinter__state;

/* The state of a REDUCE value. A reduction without one has one number and no terms. */
sinter__state sinter__state_of(const sinter__value *v);

/* Whether the value is a reduction of two passes. */
bool sinter__has_state(const sinter__value *v);

/* Whether any of the loops `first` to `last` of the nest goes through each part twice, for one. */
bool sinter__has_states(const sinter__nest *nest, uint8_t first, uint8_t last);

/* The dtype in which partial results of `result` are held. */
sinter_dtype sinter__accumulator(sinter_dtype result);

#endif /* SINTER_FUSION_NEST_STATE_H */
