/* Operations that are made of others: each call queues the formula that its comment says, and the
 * planner sees that formula. As if the caller had queued it, but for f16 and bf16, which are
 * computed in f32 and rounded once at the end. The rules are those of array.h. */
#ifndef SINTER_COMPOSITE_H
#define SINTER_COMPOSITE_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reductions */

/** Queues the variance over axes: sinter_devsq(x) / max(n - correction, 0), n being the number of
 *  elements; NaN for none. A correction of 1 is that of a sample.
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis. out: without them, or with extent 1
 *           (`keepdims`).
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_var(sinter_stream *stream, sinter_tensor x, double correction,
                                    int axis_count, const int *axes, bool keepdims,
                                    sinter_tensor *out);

/** Queues the standard deviation over axes: the square root of sinter_var, which f16 and bf16 do not
 *  round in between.
 *  shapes   as sinter_var.
 *  dtype    as sinter_var.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_std(sinter_stream *stream, sinter_tensor x, double correction,
                                    int axis_count, const int *axes, bool keepdims,
                                    sinter_tensor *out);

/** Queues a norm over axes: of order 1 sum(abs(x)), of order 2 sqrt(sum(x * x)), of order INFINITY
 *  max(abs(x)).
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis. out: without them, or with extent 1
 *           (`keepdims`).
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (an axis), SINTER_EINVAL (another order), SINTER_ESHAPE (order
 *           INFINITY of no elements), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_norm(sinter_stream *stream, sinter_tensor x, double order,
                                     int axis_count, const int *axes, bool keepdims,
                                     sinter_tensor *out);

/** Queues log(sum(exp(x - m))) + m over axes, m being the largest element, or 0 where that is not
 *  finite. -inf for no elements.
 *  shapes   as sinter_norm.
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_logsumexp(sinter_stream *stream, sinter_tensor x, int axis_count,
                                          const int *axes, bool keepdims, sinter_tensor *out);

/* Along axes: out has the shape of x */

/** Queues e / sum(e) over axes, e being exp(x - max(x)): NaN where all of them are -inf.
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis. out: that of x.
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                                        const int *axes, sinter_tensor *out);

/** Queues d - log(sum(exp(d))) over axes, d being x - max(x): the logarithm of softmax.
 *  shapes   as sinter_softmax.
 *  dtype    as sinter_softmax.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_log_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                                            const int *axes, sinter_tensor *out);

/** Queues d * rsqrt(mean(d * d) + eps) * weight + bias over axes, d being x - mean(x).
 *  shapes   as sinter_softmax; `weight` and `bias` broadcast to x. The null handle: without it.
 *  dtype    out: that of a float x, f32 for integers and bool, whatever weight and bias are.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_layer_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                                           const int *axes, sinter_tensor weight,
                                           sinter_tensor bias, double eps, sinter_tensor *out);

/** Queues x * rsqrt(mean(x * x) + eps) * weight over axes.
 *  shapes   as sinter_layer_norm.
 *  dtype    as sinter_layer_norm.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_rms_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                                         const int *axes, sinter_tensor weight, double eps,
                                         sinter_tensor *out);

/* Elementwise */

/** Queues x * (1 / (1 - p)) where random_uniform(seed, offset) of the shape of x is at least p,
 *  and 0 elsewhere. The same seed and offset drop the same elements.
 *  shapes   out: that of x.
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (p is not within 0 and 1), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_dropout(sinter_stream *stream, sinter_tensor x, double p,
                                        uint64_t seed, uint64_t offset, sinter_tensor *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_COMPOSITE_H */
