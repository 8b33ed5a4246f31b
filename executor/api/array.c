/* The public functions of include/sinter/array.h. */
#include "sinter/array.h"

#include "executor/queue/apply.h"
#include "sinter/tensor.h"

static sinter_status apply_one(sinter_stream *s, sinter__op op, sinter_tensor x,
                               const sinter__attrs *attrs, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x)};
    return sinter__apply(s, op, 1, operands, attrs, out);
}

/* Making */

/* The kind is the caller's, as the number of a dtype is. */
static sinter_status check_kind(const char *what, sinter_scalar scalar, sinter_tensor *out)
{
    if ((unsigned)scalar.kind <= SINTER_SCALAR_UINT)
        return SINTER_OK;
    if (out != NULL)
        out->id = 0;
    sinter__clear_error();
    return sinter__fail(SINTER_EINVAL, "%s: a scalar of kind %u", what, (unsigned)scalar.kind);
}

sinter_status sinter_full(sinter_stream *stream, sinter_dtype dtype, int rank, const int64_t *shape,
                          sinter_scalar value, sinter_tensor *out)
{
    SINTER_TRY(check_kind("full", value, out));
    const sinter__operand x[] = {sinter__of_scalar(value)};
    const sinter__attrs attrs = {.dtype = dtype, .rank = rank, .shape = shape};
    return sinter__apply(stream, SINTER__OP_FULL, 1, x, &attrs, out);
}

sinter_status sinter_arange(sinter_stream *stream, sinter_dtype dtype, int64_t count,
                            sinter_scalar start, sinter_scalar step, sinter_tensor *out)
{
    SINTER_TRY(check_kind("arange", start, out));
    SINTER_TRY(check_kind("arange", step, out));
    const sinter__operand x[] = {sinter__of_scalar(start), sinter__of_scalar(step)};
    const sinter__attrs attrs = {.dtype = dtype, .rank = 1, .shape = &count};
    return sinter__apply(stream, SINTER__OP_ARANGE, 2, x, &attrs, out);
}

sinter_status sinter_random_uniform(sinter_stream *stream, sinter_dtype dtype, int rank,
                                    const int64_t *shape, uint64_t seed, uint64_t offset,
                                    sinter_tensor *out)
{
    const sinter__operand x[] = {sinter__of_scalar(sinter_scalar_uint(seed)),
                                 sinter__of_scalar(sinter_scalar_uint(offset))};
    const sinter__attrs attrs = {.dtype = dtype, .rank = rank, .shape = shape};
    return sinter__apply(stream, SINTER__OP_RANDOM_UNIFORM, 2, x, &attrs, out);
}

sinter_status sinter_random_normal(sinter_stream *stream, sinter_dtype dtype, int rank,
                                   const int64_t *shape, uint64_t seed, uint64_t offset,
                                   sinter_tensor *out)
{
    const sinter__operand x[] = {sinter__of_scalar(sinter_scalar_uint(seed)),
                                 sinter__of_scalar(sinter_scalar_uint(offset))};
    const sinter__attrs attrs = {.dtype = dtype, .rank = rank, .shape = shape};
    return sinter__apply(stream, SINTER__OP_RANDOM_NORMAL, 2, x, &attrs, out);
}

/* Elementwise with parameters */

sinter_status sinter_cast(sinter_stream *stream, sinter_tensor x, sinter_dtype dtype,
                          sinter_tensor *out)
{
    const sinter__attrs attrs = {.dtype = dtype};
    return apply_one(stream, SINTER__OP_CAST, x, &attrs, out);
}

sinter_status sinter_clamp(sinter_stream *stream, sinter_tensor x, double low, double high,
                           sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(low),
                                        sinter__of_number(high)};
    return sinter__apply(stream, SINTER__OP_CLAMP, 3, operands, NULL, out);
}

sinter_status sinter_leaky_relu(sinter_stream *stream, sinter_tensor x, double slope,
                                sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(slope)};
    return sinter__apply(stream, SINTER__OP_LEAKY_RELU, 2, operands, NULL, out);
}

sinter_status sinter_elu(sinter_stream *stream, sinter_tensor x, double alpha, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(alpha)};
    return sinter__apply(stream, SINTER__OP_ELU, 2, operands, NULL, out);
}

/* Views */

sinter_status sinter_reshape(sinter_stream *stream, sinter_tensor x, int rank, const int64_t *shape,
                             sinter_tensor *out)
{
    const sinter__attrs attrs = {.rank = rank, .shape = shape};
    return apply_one(stream, SINTER__OP_RESHAPE, x, &attrs, out);
}

/* What a tensor is. One at home on the stream is looked at under the stream's lock alone. */
static sinter_status describe(sinter_stream *stream, sinter_tensor x, sinter_tensor_desc *out)
{
    bool own = false;
    if (sinter__call_begin(stream, "describe") == SINTER_OK) {
        own = sinter__describe_own(stream, x, out);
        sinter__call_end(stream);
    }
    return own ? SINTER_OK : sinter_tensor_describe(stream->ctx, x, out);
}

/* The rank of a tensor, or -1 when the handle is no live one; then the operation itself says so. */
static int rank_of(sinter_stream *stream, sinter_tensor x)
{
    sinter_tensor_desc d;
    return stream != NULL && describe(stream, x, &d) == SINTER_OK ? d.rank : -1;
}

sinter_status sinter_transpose(sinter_stream *stream, sinter_tensor x, const int *axes,
                               sinter_tensor *out)
{
    const sinter__attrs attrs = {.axis_count = axes != NULL ? rank_of(stream, x) : -1,
                                 .axes = axes};
    return apply_one(stream, SINTER__OP_TRANSPOSE, x, &attrs, out);
}

sinter_status sinter_slice(sinter_stream *stream, sinter_tensor x, int axis, int64_t start,
                           int64_t stop, int64_t step, sinter_tensor *out)
{
    const sinter__slice slice = {.has_start = start != SINTER_OPEN,
                                 .has_stop = stop != SINTER_OPEN,
                                 .start = start,
                                 .stop = stop,
                                 .step = step};
    sinter__attrs attrs = {.axis_count = 1, .axes = &axis, .step = step};
    sinter_tensor_desc d;
    int at;
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (stream == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "slice: an argument is NULL");
    sinter_status status = describe(stream, x, &d);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "slice");
    SINTER_TRY(sinter__check_axis("slice", axis, d.rank, &at));
    SINTER_TRY(sinter__slice_resolve(&slice, d.shape[at], &attrs.start, &attrs.count));
    return apply_one(stream, SINTER__OP_SLICE, x, &attrs, out);
}

sinter_status sinter_expand(sinter_stream *stream, sinter_tensor x, int rank, const int64_t *shape,
                            sinter_tensor *out)
{
    const sinter__attrs attrs = {.rank = rank, .shape = shape};
    return apply_one(stream, SINTER__OP_EXPAND, x, &attrs, out);
}

sinter__attrs sinter__attrs_of_axes(int axis_count, const int *axes, bool keepdims)
{
    bool wrong = axis_count < 0 || (axis_count > 0 && axes == NULL);
    return (sinter__attrs){.axis_count = wrong          ? -2
                                         : axes == NULL ? -1
                                                        : axis_count,
                           .axes = axes,
                           .keepdims = keepdims};
}

sinter_status sinter_squeeze(sinter_stream *stream, sinter_tensor x, int axis_count,
                             const int *axes, sinter_tensor *out)
{
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, false);
    return apply_one(stream, SINTER__OP_SQUEEZE, x, &attrs, out);
}

sinter_status sinter_unsqueeze(sinter_stream *stream, sinter_tensor x, int axis, sinter_tensor *out)
{
    const sinter__attrs attrs = sinter__attrs_of_axes(1, &axis, false);
    return apply_one(stream, SINTER__OP_UNSQUEEZE, x, &attrs, out);
}

sinter_status sinter_flip(sinter_stream *stream, sinter_tensor x, int axis_count, const int *axes,
                          sinter_tensor *out)
{
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, false);
    return apply_one(stream, SINTER__OP_FLIP, x, &attrs, out);
}

/* State */

sinter_status sinter_update(sinter_stream *stream, sinter_tensor x, int range_count,
                            const sinter_range *ranges, sinter_tensor value, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_tensor(value)};
    sinter__region region;
    const sinter__attrs attrs = {.region = &region};
    sinter_tensor_desc d;
    uint32_t seen = 0;
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (stream == NULL || out == NULL || (range_count > 0 && ranges == NULL))
        return sinter__fail(SINTER_EINVAL, "update: an argument is NULL");
    if (range_count < 0)
        return sinter__fail(SINTER_EINVAL, "update: %d ranges", range_count);
    sinter_status status = describe(stream, x, &d);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "update");
    sinter__region_whole(d.rank, d.shape, &region);
    for (int i = 0; i < range_count; i++) {
        const sinter_range *r = &ranges[i];
        const sinter__slice slice = {.has_start = r->start != SINTER_OPEN,
                                     .has_stop = r->stop != SINTER_OPEN,
                                     .start = r->start,
                                     .stop = r->stop,
                                     .step = r->step};
        int axis;
        SINTER_TRY(sinter__region_axis(&seen, r->axis, d.rank, &axis));
        SINTER_TRY(sinter__region_narrow(&region, axis, d.shape[axis], &slice));
    }
    return sinter__apply(stream, SINTER__OP_UPDATE, 2, operands, &attrs, out);
}

/* Reductions */

static sinter_status reduce(sinter_stream *stream, sinter__op op, sinter_tensor x, int axis_count,
                            const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return apply_one(stream, op, x, &attrs, out);
}

#define REDUCTION(id, name)                                                                        \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor x, int axis_count,            \
                                const int *axes, bool keepdims, sinter_tensor *out)                \
    {                                                                                              \
        return reduce(stream, SINTER__OP_##id, x, axis_count, axes, keepdims, out);                \
    }
REDUCTION(SUM, sum)
REDUCTION(MEAN, mean)
REDUCTION(PROD, prod)
REDUCTION(MAX, max)
REDUCTION(MIN, min)
REDUCTION(ALL, all)
REDUCTION(ANY, any)
REDUCTION(DEVSQ, devsq)
REDUCTION(ARGMAX, argmax)
REDUCTION(ARGMIN, argmin)

/* Scans */

static sinter_status scan(sinter_stream *stream, sinter__op op, sinter_tensor x, int axis,
                          sinter_tensor *out)
{
    const sinter__attrs attrs = sinter__attrs_of_axes(1, &axis, false);
    return apply_one(stream, op, x, &attrs, out);
}

sinter_status sinter_cumsum(sinter_stream *stream, sinter_tensor x, int axis, sinter_tensor *out)
{
    return scan(stream, SINTER__OP_CUMSUM, x, axis, out);
}

sinter_status sinter_cumprod(sinter_stream *stream, sinter_tensor x, int axis, sinter_tensor *out)
{
    return scan(stream, SINTER__OP_CUMPROD, x, axis, out);
}

/* Products */

static sinter_status product(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                             sinter_tensor *out)
{
    const sinter__operand x[] = {sinter__of_tensor(a), sinter__of_tensor(b)};
    return sinter__apply(stream, SINTER__OP_MATMUL, 2, x, NULL, out);
}

/* Vectors are checked as the caller gave them, before an axis is put in. */
static sinter_status check_product(sinter_stream *stream, sinter_tensor a, sinter_tensor b)
{
    sinter_tensor_desc x;
    sinter_tensor_desc y;
    SINTER_TRY(describe(stream, a, &x));
    SINTER_TRY(describe(stream, b, &y));
    int inner = y.rank > 1 ? y.rank - 2 : 0;
    if (x.rank > 0 && y.rank > 0 && x.shape[x.rank - 1] == y.shape[inner])
        return SINTER_OK;
    char tx[SINTER__SHAPE_TEXT];
    char ty[SINTER__SHAPE_TEXT];
    return sinter__fail(SINTER_ESHAPE, "matmul: shapes %s and %s do not share the inner dimension",
                        sinter__shape_text(x.rank, x.shape, tx),
                        sinter__shape_text(y.rank, y.shape, ty));
}

/* Puts an axis into a vector, runs the product, and takes the axis out of the result again. */
static sinter_status product_of_vectors(sinter_stream *stream, sinter_tensor a, bool a_is_vector,
                                        sinter_tensor b, bool b_is_vector, sinter_tensor *out)
{
    sinter_tensor left = a;
    sinter_tensor right = b;
    sinter_tensor whole = {0};
    int gone[2];
    int gone_count = 0;
    if (a_is_vector)
        gone[gone_count++] = -2;
    if (b_is_vector)
        gone[gone_count++] = -1;
    sinter_status status = check_product(stream, a, b);
    if (status == SINTER_OK && a_is_vector)
        status = sinter_unsqueeze(stream, a, 0, &left);
    if (status == SINTER_OK && b_is_vector)
        status = sinter_unsqueeze(stream, b, 1, &right);
    if (status == SINTER_OK)
        status = product(stream, left, right, &whole);
    if (status == SINTER_OK)
        status = sinter_squeeze(stream, whole, gone_count, gone, out);
    if (left.id != a.id)
        sinter__release_quietly(stream, left);
    if (right.id != b.id)
        sinter__release_quietly(stream, right);
    sinter__release_quietly(stream, whole);
    return status;
}

sinter_status sinter_matmul(sinter_stream *stream, sinter_tensor a, sinter_tensor b,
                            sinter_tensor *out)
{
    bool a_is_vector = rank_of(stream, a) == 1;
    bool b_is_vector = rank_of(stream, b) == 1;
    if (out == NULL || (!a_is_vector && !b_is_vector))
        return product(stream, a, b, out);
    out->id = 0;
    return product_of_vectors(stream, a, a_is_vector, b, b_is_vector, out);
}
