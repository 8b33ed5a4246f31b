/* Functions of real numbers, the reference of every test of results: C's own and those of the op
 * table that C does not have, in double for f32 and, with a q at the end, in 113 bits for f64. */
#ifndef SINTER_TESTS_REAL_H
#define SINTER_TESTS_REAL_H

#include "oracle/wide.h"

#include <math.h>

/* clang-format off */
/* Expands ONE(name) and TWO(name) for C's functions of one and of two operands. */
#define REAL_FUNCTIONS(ONE, TWO)                                                                   \
    ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p)                         \
    ONE(sin) ONE(cos) ONE(tan) ONE(atan) ONE(tanh) ONE(erf) ONE(erfc)                              \
    ONE(asin) ONE(acos) ONE(sinh) ONE(cosh) ONE(asinh) ONE(acosh) ONE(atanh) ONE(cbrt) ONE(lgamma) \
    ONE(floor) ONE(ceil) ONE(rint) ONE(trunc)                                                      \
    TWO(pow) TWO(atan2) TWO(hypot)
/* clang-format on */

/* libquadmath's, or C's where long double has 113 bits. */
#if __LDBL_MANT_DIG__ == 113
#    define REAL_WIDE_ONE(f)                                                                       \
        static inline quad f##q(quad x)                                                            \
        {                                                                                          \
            return f##l(x);                                                                        \
        }
#    define REAL_WIDE_TWO(f)                                                                       \
        static inline quad f##q(quad x, quad y)                                                    \
        {                                                                                          \
            return f##l(x, y);                                                                     \
        }
#else
#    define REAL_WIDE_ONE(f) quad f##q(quad);
#    define REAL_WIDE_TWO(f) quad f##q(quad, quad);
#endif
/* clang-format off */
REAL_FUNCTIONS(REAL_WIDE_ONE, REAL_WIDE_TWO)
/* clang-format on */

#define REAL_DECLARE(type, q)                                                                      \
    type real_exp10##q(type x);                                                                    \
    type real_sigmoid##q(type x);                                                                  \
    type real_silu##q(type x);                                                                     \
    type real_gelu##q(type x);                                                                     \
    type real_gelu_tanh##q(type x);                                                                \
    type real_softplus##q(type x);                                                                 \
    type real_elu##q(type x, type alpha);
/* clang-format off */
REAL_DECLARE(double, )
REAL_DECLARE(quad, q)
/* clang-format on */

#endif /* SINTER_TESTS_REAL_H */
