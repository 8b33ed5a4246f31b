/* Operations that take more than tensors: making, converting, viewing, reducing, multiplying. The
 * elementwise ones are in ops.h; both follow the same rules:
 *
 *   - nothing runs; the call appends one record to the stream's queue and returns a handle
 *   - shape and dtype errors are found at once
 *   - tensors of other streams of the context may be used
 *   - *out is the null handle on failure, and may not be one of the inputs
 *   - a NULL stream or `out` is SINTER_EINVAL, also where the function does not say so */
#ifndef SINTER_ARRAY_H
#define SINTER_ARRAY_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Making */

/** Queues a tensor whose elements are all `value`.
 *  shapes   out: `rank` extents of `shape`.
 *  dtype    out: `dtype`; an integer dtype must hold the value exactly.
 *  owns     *out is the caller's.
 *  errors   SINTER_ERANGE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_full(sinter_stream *stream, sinter_dtype dtype, int rank,
                                     const int64_t *shape, sinter_scalar value, sinter_tensor *out);

/** Queues start, start + step, start + 2 * step, ...: element i is start + i * step, computed in
 *  the dtype.
 *  shapes   out: [count].
 *  dtype    out: `dtype`, not bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_ERANGE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_arange(sinter_stream *stream, sinter_dtype dtype, int64_t count,
                                       sinter_scalar start, sinter_scalar step, sinter_tensor *out);

/** Queues uniform random numbers in [0, 1), multiples of 2^-24; in f16 and bf16, which have fewer
 *  digits, the largest are rounded to 1. Element i is word i mod 4 of
 *  Philox4x32-10 (Salmon et al., 2011) of the key `seed` and the counter `offset` + i / 4: the
 *  same numbers everywhere.
 *  shapes   out: `rank` extents of `shape`.
 *  units    `offset` counts blocks of four elements.
 *  dtype    out: SINTER_F32, SINTER_F16 or SINTER_BF16.
 *  owns     *out is the caller's.
 *  errors   SINTER_ERANGE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_random_uniform(sinter_stream *stream, sinter_dtype dtype, int rank,
                                               const int64_t *shape, uint64_t seed, uint64_t offset,
                                               sinter_tensor *out);

/** Queues normal random numbers with mean 0 and deviation 1, by Box and Muller's transform of the
 *  same generator.
 *  shapes   out: `rank` extents of `shape`.
 *  units    `offset` counts blocks of four elements.
 *  dtype    out: SINTER_F32, SINTER_F16 or SINTER_BF16.
 *  owns     *out is the caller's.
 *  errors   SINTER_ERANGE, SINTER_EDTYPE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_random_normal(sinter_stream *stream, sinter_dtype dtype, int rank,
                                              const int64_t *shape, uint64_t seed, uint64_t offset,
                                              sinter_tensor *out);

/* Elementwise with parameters */

/** Queues x converted to `dtype`: rounded once to nearest even, float to integer saturating with
 *  NaN giving 0, integer to integer wrapping, to bool by comparing with 0.
 *  shapes   out: that of x.
 *  dtype    out: `dtype`.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cast(sinter_stream *stream, sinter_tensor x, sinter_dtype dtype,
                                     sinter_tensor *out);

/** Queues minimum(maximum(x, low), high).
 *  shapes   out: that of x.
 *  dtype    x: not bool; `low` and `high` become one: rounded
 *           when it is a float, else they must be whole and in its range. out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EDTYPE, SINTER_ERANGE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_clamp(sinter_stream *stream, sinter_tensor x, double low,
                                      double high, sinter_tensor *out);

/** Queues x where x > 0, else x * slope.
 *  shapes   out: that of x.
 *  dtype    out: that of x, f32 for integers.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_leaky_relu(sinter_stream *stream, sinter_tensor x, double slope,
                                           sinter_tensor *out);

/** Queues x where x > 0, else alpha * expm1(x).
 *  shapes   out: that of x.
 *  dtype    out: that of x, f32 for integers.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_elu(sinter_stream *stream, sinter_tensor x, double alpha,
                                    sinter_tensor *out);

/* Views: nothing is copied, the index arithmetic goes into whatever reads them */

/** Queues the elements of x in row-major order under another shape.
 *  shapes   out: `rank` extents of `shape`, one of which may be -1: whatever is left.
 *  dtype    out: that of x.
 *  owns     *out is the caller's. A copy is made only where strides cannot express the result.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_reshape(sinter_stream *stream, sinter_tensor x, int rank,
                                        const int64_t *shape, sinter_tensor *out);

/** Queues x with its axes in another order: axis i of the result is axis axes[i] of x.
 *  shapes   `axes` has an entry per axis of x, each axis once; NULL: reversed.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_transpose(sinter_stream *stream, sinter_tensor x, const int *axes,
                                          sinter_tensor *out);

/** In sinter_slice: the end of the axis that the step comes from or goes to, as a bound left out
 *  in Python. */
#define SINTER_OPEN INT64_MIN

/** Queues x[start:stop:step] along `axis`, as Python: negative bounds count from the end, bounds
 *  are clipped, SINTER_OPEN is a bound left out, `step` may be negative.
 *  shapes   out: that of x with a shorter axis.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (axis, step 0), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_slice(sinter_stream *stream, sinter_tensor x, int axis,
                                      int64_t start, int64_t stop, int64_t step,
                                      sinter_tensor *out);

/** Queues x broadcast to a shape.
 *  shapes   out: `rank` extents of `shape`, to which x must broadcast.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_expand(sinter_stream *stream, sinter_tensor x, int rank,
                                       const int64_t *shape, sinter_tensor *out);

/** Queues x without some axes of extent 1.
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis of extent 1.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE (an extent is not 1), SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_squeeze(sinter_stream *stream, sinter_tensor x, int axis_count,
                                        const int *axes, sinter_tensor *out);

/** Queues x with an axis of extent 1 put in.
 *  shapes   `axis` is that of the result.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL (rank over 8), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_unsqueeze(sinter_stream *stream, sinter_tensor x, int axis,
                                          sinter_tensor *out);

/** Queues x with some axes in reverse.
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis. out: that of x.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_flip(sinter_stream *stream, sinter_tensor x, int axis_count,
                                     const int *axes, sinter_tensor *out);

/* State: tensors that a program changes a part of, in place where nobody needs what they were */

/** In sinter_update: the elements start:stop:step along `axis`, as Python; SINTER_OPEN is a bound left
 *  out, and bounds that lie outside are an error. */
typedef struct sinter_range {
    int axis;
    int64_t start, stop, step;
} sinter_range;

/** Queues x with part of it replaced by a value, as NumPy's x[...] = value makes it. Where x is
 *  released before this runs, and nothing else holds or later reads it, the result takes its storage
 *  and the part alone is written; else x is copied. The fusion report says which, and why.
 *  shapes   `ranges`: `range_count` of them, each of another axis of x; other axes are whole. `value`
 *           broadcasts to what they select. out: that of x.
 *  dtype    out: that of x, to which `value` is converted as by sinter_cast.
 *  owns     *out is the caller's. x stays the caller's and keeps its elements as long as it is held.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE (`value`), SINTER_ERANGE (an axis out of range or given
 *           twice, a bound outside, step 0), SINTER_EDTYPE, SINTER_EINVAL (a negative count, or one
 *           without `ranges`), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_update(sinter_stream *stream, sinter_tensor x, int range_count,
                                       const sinter_range *ranges, sinter_tensor value,
                                       sinter_tensor *out);

/* Reductions, in the canonical order: the same bits for every layout, schedule and device */

/** Queues the sum over axes.
 *  shapes   `axes`: `axis_count` axes of x; 0 and NULL: every axis. out: without them, or with extent 1
 *           (`keepdims`).
 *  dtype    out: that of a float x; SINTER_I64 or SINTER_U64 for integers and bool. f16 and bf16
 *           are summed in f32 and rounded once.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (an axis out of range or given twice), SINTER_EINVAL (a
 *           negative count, or one without `axes`), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sum(sinter_stream *stream, sinter_tensor x, int axis_count,
                                    const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the mean over axes: the sum, divided by the number of elements; NaN for none.
 *  shapes   as sinter_sum.
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_mean(sinter_stream *stream, sinter_tensor x, int axis_count,
                                     const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the product over axes: 1 for no elements.
 *  shapes   as sinter_sum.
 *  dtype    as sinter_sum; integers wrap.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_prod(sinter_stream *stream, sinter_tensor x, int axis_count,
                                     const int *axes, bool keepdims, sinter_tensor *out);

/** Queues whether all elements over axes are non-zero, NaN counting as such: true for no elements.
 *  shapes   as sinter_sum.
 *  dtype    out: SINTER_BOOL.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_all(sinter_stream *stream, sinter_tensor x, int axis_count,
                                    const int *axes, bool keepdims, sinter_tensor *out);

/** Queues whether any element over axes is non-zero, NaN counting as such: false for no elements.
 *  shapes   as sinter_sum.
 *  dtype    out: SINTER_BOOL.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_any(sinter_stream *stream, sinter_tensor x, int axis_count,
                                    const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the largest element over axes; NaN if any is, -0 < +0.
 *  shapes   as sinter_sum; the axes must have elements.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ESHAPE (no elements), SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_max(sinter_stream *stream, sinter_tensor x, int axis_count,
                                    const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the smallest element over axes; NaN if any is, -0 < +0.
 *  shapes   as sinter_max.
 *  dtype    out: that of x.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ESHAPE (no elements), SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_min(sinter_stream *stream, sinter_tensor x, int axis_count,
                                    const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the place of the largest element over axes: its row-major index among the elements along
 *  those axes. The first NaN counts as the largest, else the first of equals (-0 and +0 are).
 *  shapes   as sinter_sum; the axes must have elements.
 *  dtype    out: SINTER_I64.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (an axis), SINTER_EINVAL, SINTER_ESHAPE (no elements),
 *           SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_argmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                                       const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the place of the smallest element over axes; the first NaN counts as the smallest.
 *  shapes   as sinter_argmax.
 *  dtype    out: SINTER_I64.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ESHAPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_argmin(sinter_stream *stream, sinter_tensor x, int axis_count,
                                       const int *axes, bool keepdims, sinter_tensor *out);

/** Queues the sum of squared differences from the mean over axes: 0 for no elements. A mean far from 0
 *  costs no digits, and what is larger than a chunk is still read once
 *  (docs/decisions/compositions.md).
 *  shapes   as sinter_sum.
 *  dtype    out: that of a float x, f32 for integers and bool.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_EINVAL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_devsq(sinter_stream *stream, sinter_tensor x, int axis_count,
                                      const int *axes, bool keepdims, sinter_tensor *out);

/* Scans, in the canonical order too (docs/accuracy.md) */

/** Queues the sums along an axis: each element of the result is the sum of those of x up to it.
 *  shapes   `axis` of x. out: that of x.
 *  dtype    out: that of a float x; SINTER_I64 or SINTER_U64 for integers and bool, which wrap. f16
 *           and bf16 are summed in f32, and each result is rounded once.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE (no such axis), SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cumsum(sinter_stream *stream, sinter_tensor x, int axis,
                                       sinter_tensor *out);

/** Queues the products along an axis: each element of the result is the product of those of x up to
 *  it.
 *  shapes   as sinter_cumsum.
 *  dtype    as sinter_cumsum.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cumprod(sinter_stream *stream, sinter_tensor x, int axis,
                                        sinter_tensor *out);

/* Products */

/** Queues the matrix product of the last two axes of a and b; the axes before them broadcast.
 *  shapes   a: [..., m, k] or [k]; b: [..., k, n] or [k]. out: [..., m, n] without the axes that
 *           a vector lacks.
 *  dtype    promoted; f16 and bf16 are multiplied and summed in f32 and rounded once, integers
 *           wrap, bool is an or of ands. The sum runs with fma over chunks of 256 of k, whatever
 *           the device.
 *  owns     *out is the caller's.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_matmul(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                                       sinter_tensor *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_ARRAY_H */
