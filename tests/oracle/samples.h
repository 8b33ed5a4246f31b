/* Arrays to try operations on. */
#ifndef SINTER_TESTS_SAMPLES_H
#define SINTER_TESTS_SAMPLES_H

#include "oracle/wide.h"
#include "support/support.h"

#define SAMPLES_SPECIAL 96 /* most special values of a dtype */

/* The special values of a dtype as bits: zeros, units, limits, subnormals, infinities and NaNs,
 * thresholds of the functions, powers of two where conversions turn. Returns how many. */
size_t samples_special(sinter_dtype dtype, uint64_t bits[SAMPLES_SPECIAL]);

/* `count` elements: the special values, then bit patterns at even distances, every fifth a random
 * one; where `count` suffices, all bit patterns in order. */
void samples_fill(sinter_dtype dtype, void *data, size_t count, test_random *random);

/* Operands for an operation of `arity` operands, `count` elements each: special values crossed with
 * special values as far as they go, then random ones, half of them of like magnitude. Only the
 * first `special` special values take part; 0: all. */
void samples_cross(int arity, const sinter_dtype *dtype, void *const *data, size_t count,
                   size_t special, test_random *random);

/* One element: any bits, or a number of moderate size. */
uint64_t samples_random(sinter_dtype dtype, test_random *random);
uint64_t samples_moderate(sinter_dtype dtype, test_random *random);

#endif /* SINTER_TESTS_SAMPLES_H */
