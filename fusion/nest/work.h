/* How often a launch computes each of its values, and what that comes to. */
#ifndef SINTER_FUSION_NEST_WORK_H
#define SINTER_FUSION_NEST_WORK_H

#include "fusion/nest/bind.h"

/* By value, how often: once per row or per element, and again in each phase that wants it again.
 * `times` has room for SINTER__NEST_VALUES. */
void sinter__count_values(const sinter__nest *nest, const sinter__bound_nest *bound, double *times);

/* Additions that take as long, by the op table; loading and storing an element count as one each,
 * rounding to a float of 16 bits and widening it again as `rounding`. */
double sinter__nest_work(const sinter__nest *nest, const sinter__bound_nest *bound,
                         double rounding);

#endif /* SINTER_FUSION_NEST_WORK_H */
