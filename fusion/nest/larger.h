/* Maxima that a row's softmax is free of.
 *
 * The one hard idea: max is NaN where an element is, and +0 where both zeros are the largest, which costs three
 * operations an element over a plain comparison. A softmax subtracts the maximum only to keep exponentials in range:
 *
 *     e = exp(x - m);  y = e / sum(e)      or      y = (x - m) - log(sum(e))
 *
 * With an m that passes over NaN the sum is NaN still, by the exponential of the NaN itself, and so is every y. With
 * the other zero only the sign of a zero changes in x - m, whose exponential is 1; and where it changes, two elements
 * are zeros, so that log(sum(e)) is over 0 and what is left has no zero. So the bits of y are those of max. */
#ifndef SINTER_FUSION_NEST_LARGER_H
#define SINTER_FUSION_NEST_LARGER_H

#include "fusion/nest/nest.h"

/* Whether the value is some x less the maximum of x: never above 0, but NaN where one of them is. */
bool sinter__is_below_maximum(const sinter__nest *nest, uint16_t value);

/* What folds such a maximum in the place of the op table's expression, and its name in that of the operation's. */
#define SINTER__LARGER "larger"
#define SINTER__LARGER_EXPRESSION "SN(" SINTER__LARGER ")(a, b)"

/* Whether the nest has maxima and each of them is one that nothing but such formulas sees. */
bool sinter__takes_larger(const sinter__nest *nest);

#endif /* SINTER_FUSION_NEST_LARGER_H */
