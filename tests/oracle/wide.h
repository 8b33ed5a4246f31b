/* Numbers wider than any dtype, and elements of every dtype as such numbers.
 *
 * The one hard idea: whatever two elements are, their sum, product, quotient or remainder fits, or
 * is rounded so far below the dtype's last place that rounding it again changes nothing. So an
 * operation is written here as its textbook formula, and one function rounds. */
#ifndef SINTER_TESTS_WIDE_H
#define SINTER_TESTS_WIDE_H

#include <sinter/types.h>

/* 113 bits of mantissa, and more exponents than f64 has. */
#if __LDBL_MANT_DIG__ == 113
typedef long double quad;
#else
typedef __float128 quad;
#endif

typedef __int128 whole;           /* every i64 and every u64 */
typedef unsigned __int128 uwhole; /* arithmetic modulo 2^128 */

/* An element: `f` for a float dtype, `i` for an integer dtype and for bool (0 or 1). */
typedef struct number {
    quad f;
    whole i;
} number;

bool is_floating(sinter_dtype dtype);
bool is_signed(sinter_dtype dtype);
int width_of(sinter_dtype dtype); /* in bits; bool: 1 */

/* Element `i` of an array, and back: floats rounded to nearest even, integers wrapped, bool by
 * comparing with 0. */
number load(sinter_dtype dtype, const void *data, size_t i);
void store(sinter_dtype dtype, number x, void *data, size_t i);

/* Element `i` as bits. Every NaN is one value. */
uint64_t load_bits(sinter_dtype dtype, const void *data, size_t i);
void store_bits(sinter_dtype dtype, uint64_t bits, void *data, size_t i);

/* x rounded to nearest even as a value of `dtype`. */
quad rounded(sinter_dtype dtype, quad x);

/* The dtype whose operations an operation on `dtype` does: f32 for f16 and bf16. */
sinter_dtype register_of(sinter_dtype dtype);

/* The conversion of one element, as sinter_cast. */
number converted(sinter_dtype from, number x, sinter_dtype to);

/* The unit in the last place of f32 at x, and |got - want| in it; infinity counts as 2^128. Zeros
 * must have the wanted sign and NaN must be met by NaN, else the error is infinite. */
double ulp_at(double x);
double ulps_between(float got, double want);
double ulps_between_f64(double got, quad want); /* in units of f64; infinity is 2^1024 */

bool quad_is_nan(quad x);
bool quad_is_inf(quad x);
bool quad_is_negative(quad x); /* -0 too */

#endif /* SINTER_TESTS_WIDE_H */
