/* States of reductions on the host reference device: what fusion/nest/state.h says, on arrays of registers.
 * `n` columns, or lanes, are computed side by side; a number of a state is an array of its own. */
#ifndef SINTER_EXECUTOR_HOST_STATE_H
#define SINTER_EXECUTOR_HOST_STATE_H

#include "fusion/nest/state.h"

#define SINTER__HOST_WIDTH 128 /* most columns */

/* A register each. */
typedef uint64_t sinter__host_row[SINTER__HOST_WIDTH];

/* Totals of the first pass, as the terms are made with them. */
void sinter__host_first(const sinter__state *state, size_t n, int64_t length, void *totals);

/* The terms of elements x. The places of the elements in their part are `place`, and `step` more from
 * one to the next. */
void sinter__host_terms(const sinter__value *v, size_t n, const void *x, const void *first,
                        int64_t place, int64_t step, sinter__host_row terms[SINTER__STATE_TERMS]);

/* The state of a part of `length` elements from `start` on, of what the first pass gave and the sums
 * of the terms. */
void sinter__host_state(const sinter__value *v, size_t n, const void *first,
                        sinter__host_row sums[SINTER__STATE_TERMS], int64_t start, int64_t length,
                        void *const numbers[SINTER__STATE_NUMBERS]);

/* Two states become one, in the place of the first. */
void sinter__host_merge(const sinter__value *v, size_t n, void *const a[SINTER__STATE_NUMBERS],
                        void *const b[SINTER__STATE_NUMBERS]);

#endif /* SINTER_EXECUTOR_HOST_STATE_H */
