/* Elementwise operations, made from core/ops.def by core/gen_ops.c: do not edit.
 *
 * Nothing runs; each call appends one record to the stream's queue and returns a handle.
 * Shape and dtype errors are found at once. A number in the place of a tensor takes the
 * tensor's dtype (f32 where the operation turns integers into floats), and an integer
 * dtype must hold it exactly: else SINTER_ERANGE. A NULL stream or `out` is SINTER_EINVAL.
 * Numbers are doubles: an integer beyond 2^53 goes through sinter_full.
 * Promoted is what sinter_dtype_promote gives for the dtypes of the operands that are
 * tensors; the operation works in it, and the result has it where nothing else is said.
 * *out is the null handle on failure, and may not be one of the inputs. */
#ifndef SINTER_OPS_H
#define SINTER_OPS_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Queues a + b; bool: or.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_add(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a + b; bool: or, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_add_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a + b; bool: or, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_add(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues a - b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sub(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a - b, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sub_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a - b, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_sub(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues a * b; bool: and.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_mul(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a * b; bool: and, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_mul_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a * b; bool: and, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_mul(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues a / b, correctly rounded; integers give f32.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_div(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a / b, correctly rounded; integers give f32, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_div_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a / b, correctly rounded; integers give f32, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_div(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues floor of a / b; integer x / 0 is 0.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_floordiv(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                         sinter_tensor *out);

/** Queues floor of a / b; integer x / 0 is 0, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_floordiv_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                                sinter_tensor *out);

/** Queues floor of a / b; integer x / 0 is 0, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_floordiv(sinter_stream *stream, double a, sinter_tensor b,
                                                sinter_tensor *out);

/** Queues a - b * floordiv(a, b), with the sign of b; integer x % 0 is 0.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_mod(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a - b * floordiv(a, b), with the sign of b; integer x % 0 is 0, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_mod_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a - b * floordiv(a, b), with the sign of b; integer x % 0 is 0, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_mod(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues a to the power b; integers wrap, and a negative power is 0 except for bases 1 and -1.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_pow(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a to the power b; integers wrap, and a negative power is 0 except for bases 1 and -1, b
 * being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_pow_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a to the power b; integers wrap, and a negative power is 0 except for bases 1 and -1, a
 * being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_pow(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues the smaller; NaN if either is; -0 < +0.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_minimum(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                        sinter_tensor *out);

/** Queues the smaller; NaN if either is; -0 < +0, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_minimum_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                               sinter_tensor *out);

/** Queues the smaller; NaN if either is; -0 < +0, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_minimum(sinter_stream *stream, double a, sinter_tensor b,
                                               sinter_tensor *out);

/** Queues the larger; NaN if either is; -0 < +0.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_maximum(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                        sinter_tensor *out);

/** Queues the larger; NaN if either is; -0 < +0, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_maximum_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                               sinter_tensor *out);

/** Queues the larger; NaN if either is; -0 < +0, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_maximum(sinter_stream *stream, double a, sinter_tensor b,
                                               sinter_tensor *out);

/** Queues a * b + c, rounded once.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_fma(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor c, sinter_tensor *out);

/** Queues -a.
 *  shapes   out: that of a.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_neg(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues absolute value; the smallest signed integer stays.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_abs(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues -1, 0 or 1; NaN for NaN, the zero itself for a zero.
 *  shapes   out: that of a.
 *  dtype    promoted; not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sign(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the integer at or below.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_floor(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the integer at or above.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_ceil(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the nearest integer, ties to even.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_round(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the integer towards zero.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_trunc(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues square root, correctly rounded.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sqrt(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues 1 / sqrt(a), both correctly rounded.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_rsqrt(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues 1 / a.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_reciprocal(sinter_stream *stream, sinter_tensor a,
                                           sinter_tensor *out);

/** Queues a * a.
 *  shapes   out: that of a.
 *  dtype    promoted; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_square(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the same elements, packed in row-major order.
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_copy(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues e to the power a.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_exp(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues 2 to the power a.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_exp2(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues exp(a) - 1, exact near 0.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_expm1(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues natural logarithm.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_log(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues logarithm to base 2.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_log2(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues logarithm to base 10.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_log10(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues log(1 + a), exact near 0.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_log1p(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues sine of a in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sin(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues cosine of a in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cos(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues tangent of a in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tan(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues arc tangent, in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_atan(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues hyperbolic tangent.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tanh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues error function.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_erf(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues 1 / (1 + exp(-a)).
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sigmoid(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues maximum(a, 0).
 *  shapes   out: that of a.
 *  dtype    promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_relu(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues a times the normal distribution function at a (erf form).
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_gelu(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues gelu by its tanh approximation.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_gelu_tanh(sinter_stream *stream, sinter_tensor a,
                                          sinter_tensor *out);

/** Queues a * sigmoid(a).
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_silu(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues log(1 + exp(a)).
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_softplus(sinter_stream *stream, sinter_tensor a,
                                         sinter_tensor *out);

/** Queues a == b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_eq(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a == b, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_eq_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a == b, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_eq(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues a != b; NaN differs from everything.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_ne(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a != b; NaN differs from everything, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_ne_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a != b; NaN differs from everything, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_ne(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues a < b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_lt(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a < b, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_lt_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a < b, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_lt(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues a <= b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_le(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a <= b, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_le_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a <= b, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_le(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues a > b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_gt(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a > b, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_gt_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a > b, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_gt(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues a >= b.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_ge(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                   sinter_tensor *out);

/** Queues a >= b, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_ge_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                          sinter_tensor *out);

/** Queues a >= b, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_ge(sinter_stream *stream, double a, sinter_tensor b,
                                          sinter_tensor *out);

/** Queues whether a is NaN.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_isnan(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues whether a is an infinity.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_isinf(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues whether a is neither NaN nor an infinity.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_isfinite(sinter_stream *stream, sinter_tensor a,
                                         sinter_tensor *out);

/** Queues whether both are non-zero.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_and(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                            sinter_tensor *out);

/** Queues whether both are non-zero, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_and_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                                   sinter_tensor *out);

/** Queues whether both are non-zero, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_logical_and(sinter_stream *stream, double a, sinter_tensor b,
                                                   sinter_tensor *out);

/** Queues whether either is non-zero.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_or(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues whether either is non-zero, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_or_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                                  sinter_tensor *out);

/** Queues whether either is non-zero, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_logical_or(sinter_stream *stream, double a, sinter_tensor b,
                                                  sinter_tensor *out);

/** Queues whether exactly one is non-zero.
 *  shapes   out: what the operands broadcast to.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_xor(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                            sinter_tensor *out);

/** Queues whether exactly one is non-zero, b being a number.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_xor_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                                   sinter_tensor *out);

/** Queues whether exactly one is non-zero, a being a number.
 *  shapes   out: that of b.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_logical_xor(sinter_stream *stream, double a, sinter_tensor b,
                                                   sinter_tensor *out);

/** Queues whether it is zero.
 *  shapes   out: that of a.
 *  dtype    any. out: bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logical_not(sinter_stream *stream, sinter_tensor a,
                                            sinter_tensor *out);

/** Queues bitwise and.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_and(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                        sinter_tensor *out);

/** Queues bitwise and, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_and_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                               sinter_tensor *out);

/** Queues bitwise and, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_bit_and(sinter_stream *stream, double a, sinter_tensor b,
                                               sinter_tensor *out);

/** Queues bitwise or.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_or(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                       sinter_tensor *out);

/** Queues bitwise or, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_or_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                              sinter_tensor *out);

/** Queues bitwise or, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_bit_or(sinter_stream *stream, double a, sinter_tensor b,
                                              sinter_tensor *out);

/** Queues bitwise exclusive or.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_xor(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                        sinter_tensor *out);

/** Queues bitwise exclusive or, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_xor_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                               sinter_tensor *out);

/** Queues bitwise exclusive or, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_bit_xor(sinter_stream *stream, double a, sinter_tensor b,
                                               sinter_tensor *out);

/** Queues every bit inverted.
 *  shapes   out: that of a.
 *  dtype    promoted; integers or bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_bit_not(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues a << b; 0 when b is negative or not below the width.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_shl(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a << b; 0 when b is negative or not below the width, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_shl_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a << b; 0 when b is negative or not below the width, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_shl(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues a >> b; the sign (unsigned: 0) when b is negative or not below the width.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_shr(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                    sinter_tensor *out);

/** Queues a >> b; the sign (unsigned: 0) when b is negative or not below the width, b being a
 * number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_shr_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                           sinter_tensor *out);

/** Queues a >> b; the sign (unsigned: 0) when b is negative or not below the width, a being a
 * number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers; bool gives i8.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_shr(sinter_stream *stream, double a, sinter_tensor b,
                                           sinter_tensor *out);

/** Queues b where a is non-zero, else c.
 *  shapes   out: what the operands broadcast to.
 *  dtype    a: any, as a condition; b, c: promoted.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_where(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                      sinter_tensor c, sinter_tensor *out);

/** Queues 10 to the power a.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_exp10(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues arc sine, in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_asin(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues arc cosine, in radians.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_acos(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues hyperbolic sine.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sinh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues hyperbolic cosine.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cosh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues inverse hyperbolic sine.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_asinh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues inverse hyperbolic cosine.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_acosh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues inverse hyperbolic tangent.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_atanh(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues the angle of the point (b, a), in radians, from -pi to pi.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_atan2(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                      sinter_tensor *out);

/** Queues the angle of the point (b, a), in radians, from -pi to pi, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_atan2_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                             sinter_tensor *out);

/** Queues the angle of the point (b, a), in radians, from -pi to pi, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_atan2(sinter_stream *stream, double a, sinter_tensor b,
                                             sinter_tensor *out);

/** Queues sqrt(a * a + b * b) without overflow.
 *  shapes   out: what the operands broadcast to.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_hypot(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                      sinter_tensor *out);

/** Queues sqrt(a * a + b * b) without overflow, b being a number.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_hypot_scalar(sinter_stream *stream, sinter_tensor a, double b,
                                             sinter_tensor *out);

/** Queues sqrt(a * a + b * b) without overflow, a being a number.
 *  shapes   out: that of b.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scalar_hypot(sinter_stream *stream, double a, sinter_tensor b,
                                             sinter_tensor *out);

/** Queues cube root.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cbrt(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues 1 - erf(a), accurate where that is small.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_erfc(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

/** Queues log(|gamma(a)|); the bound is in units of the result or of 1, whichever is larger.
 *  shapes   out: that of a.
 *  dtype    promoted; integers and bool give f32.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_lgamma(sinter_stream *stream, sinter_tensor a, sinter_tensor *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_OPS_H */
