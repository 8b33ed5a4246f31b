/* Dtype rules and shape rules, one function each; core/ops.def says which operation uses which. */
#include "core/infer.h"

#include <string.h>

sinter_status sinter__check_shape(const char *what, sinter_dtype dtype, int rank,
                                  const int64_t *shape)
{
    if (rank < 0 || rank > SINTER_MAX_RANK)
        return sinter__fail(SINTER_EINVAL, "%s: rank %d is not 0 to %d", what, rank,
                            SINTER_MAX_RANK);
    if (rank > 0 && shape == NULL)
        return sinter__fail(SINTER_EINVAL, "%s: the shape is NULL and the rank is %d", what, rank);
    /* Extents of 0 must not hide an overflow in the strides, so they count as 1. */
    int64_t bytes = (int64_t)sinter_dtype_bytes(dtype);
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0)
            return sinter__fail(SINTER_ERANGE, "%s: extent %lld of dimension %d is negative", what,
                                (long long)shape[i], i);
        if (!sinter__mul_i64(bytes, SINTER__MAX(shape[i], (int64_t)1), &bytes) ||
            bytes > INT64_MAX / 2) {
            char text[SINTER__SHAPE_TEXT];
            return sinter__fail(SINTER_ERANGE, "%s: the size of shape %s overflows", what,
                                sinter__shape_text(rank, shape, text));
        }
    }
    return SINTER_OK;
}

sinter_status sinter__check_axis(const char *what, int axis, int rank, int *out)
{
    *out = axis < 0 ? axis + rank : axis;
    if (*out < 0 || *out >= rank)
        return sinter__fail(SINTER_ERANGE, "%s: axis %d is out of range for rank %d", what, axis,
                            rank);
    return SINTER_OK;
}

sinter_status sinter__slice_resolve(const sinter__slice *slice, int64_t extent, int64_t *first,
                                    int64_t *count)
{
    int64_t step = slice->step;
    if (step == 0 || step == INT64_MIN)
        return sinter__fail(SINTER_ERANGE, "slice: step %lld", (long long)step);
    int64_t low = step > 0 ? 0 : -1;
    int64_t high = step > 0 ? extent : extent - 1;
    int64_t start = step > 0 ? low : high;
    int64_t stop = step > 0 ? high : low;
    if (slice->has_start) {
        start = slice->start < 0 ? slice->start + extent : slice->start;
        start = SINTER__MIN(SINTER__MAX(start, low), high);
    }
    if (slice->has_stop) {
        stop = slice->stop < 0 ? slice->stop + extent : slice->stop;
        stop = SINTER__MIN(SINTER__MAX(stop, low), high);
    }
    int64_t reach = step > 0 ? stop - start : start - stop;
    *first = start;
    *count = reach > 0 ? sinter__div_up(reach, step > 0 ? step : -step) : 0;
    return SINTER_OK;
}

void sinter__region_whole(int rank, const int64_t *shape, sinter__region *out)
{
    *out = (sinter__region){.start = {0}};
    for (int i = 0; i < rank; i++) {
        out->step[i] = 1;
        out->count[i] = shape[i];
    }
}

sinter_status sinter__region_axis(uint32_t *seen, int axis, int rank, int *out)
{
    SINTER_TRY(sinter__check_axis("update", axis, rank, out));
    if ((*seen >> *out & 1) != 0)
        return sinter__fail(SINTER_ERANGE, "update: axis %d is given twice", *out);
    *seen |= 1u << *out;
    return SINTER_OK;
}

static sinter_status check_bound(const char *what, int64_t bound, int axis, int64_t extent)
{
    if (bound >= -extent && bound <= extent)
        return SINTER_OK;
    return sinter__fail(SINTER_ERANGE, "update: %s %lld lies outside dimension %d, which has %lld",
                        what, (long long)bound, axis, (long long)extent);
}

sinter_status sinter__region_narrow(sinter__region *region, int axis, int64_t extent,
                                    const sinter__slice *slice)
{
    if (slice->has_start)
        SINTER_TRY(check_bound("start", slice->start, axis, extent));
    if (slice->has_stop)
        SINTER_TRY(check_bound("stop", slice->stop, axis, extent));
    SINTER_TRY(sinter__slice_resolve(slice, extent, &region->start[axis], &region->count[axis]));
    region->step[axis] = slice->step;
    if (region->count[axis] == 0)
        region->start[axis] = 0;
    return SINTER_OK;
}

/* Dtypes */

/* Promotion of the tensors among operands first..count; scalars adopt it. */
static sinter_status promote_operands(const char *name, int first, int count,
                                      const sinter__operand_desc *operands, sinter_dtype *out)
{
    bool any = false;
    for (int i = first; i < count; i++) {
        if (operands[i].is_scalar)
            continue;
        *out = any ? sinter__promote(*out, operands[i].dtype) : operands[i].dtype;
        any = true;
    }
    if (!any)
        return sinter__fail(SINTER_EINVAL, "%s: no operand is a tensor", name);
    return SINTER_OK;
}

static sinter_status refuse(const char *name, sinter_dtype dtype)
{
    return sinter__fail(SINTER_EDTYPE, "%s: dtype %s is not accepted", name,
                        sinter_dtype_name(dtype));
}

/* The dtype worked in, from the promoted one. */
static sinter_status work_dtype(const sinter__op_info *info, sinter_dtype promoted,
                                sinter_dtype *work)
{
    bool is_float = sinter__is_float(promoted);
    bool is_bool = promoted == SINTER_BOOL;
    *work = promoted;
    switch ((sinter__rule)info->rule) {
    case SINTER__RULE_NUMERIC:
        if (is_bool)
            return refuse(info->name, promoted);
        break;
    case SINTER__RULE_NUMERIC_I8:
        *work = is_bool ? SINTER_I8 : promoted;
        break;
    case SINTER__RULE_FLOATS:
        *work = is_float ? promoted : SINTER_F32;
        break;
    case SINTER__RULE_LOGICAL:
        *work = SINTER_BOOL;
        break;
    case SINTER__RULE_BITS:
        if (is_float)
            return refuse(info->name, promoted);
        break;
    case SINTER__RULE_SHIFTS:
        if (is_float)
            return refuse(info->name, promoted);
        *work = is_bool ? SINTER_I8 : promoted;
        break;
    case SINTER__RULE_SUMS:
        if (!is_float)
            *work = is_bool || sinter__dtype(promoted)->is_signed ? SINTER_I64 : SINTER_U64;
        break;
    default:
        break;
    }
    if (*work == SINTER_F64 && (info->flags & SINTER__F32_ONLY) != 0)
        return sinter__fail(SINTER_EDTYPE, "%s: there is no f64 form yet; cast to f32", info->name);
    return SINTER_OK;
}

/* i64 and u64 promote to f32, which would make nearby integers equal. */
static sinter_status check_comparable(const sinter__op_info *info, int count,
                                      const sinter__operand_desc *operands)
{
    bool has_i64 = false;
    bool has_u64 = false;
    bool has_float = false;
    for (int i = 0; i < count; i++) {
        if (operands[i].is_scalar)
            continue;
        has_i64 |= sinter__dtype(operands[i].dtype)->is_signed;
        has_u64 |= operands[i].dtype == SINTER_U64;
        has_float |= sinter__is_float(operands[i].dtype);
    }
    if (has_i64 && has_u64 && !has_float) {
        return sinter__fail(SINTER_EDTYPE,
                            "%s: u64 and a signed integer have no common integer "
                            "dtype; cast one of them",
                            info->name);
    }
    return SINTER_OK;
}

static sinter_status infer_dtypes(const sinter__op_info *info, int count,
                                  const sinter__operand_desc *operands, const sinter__attrs *attrs,
                                  sinter__inferred *out)
{
    if (info->rule == SINTER__RULE_MADE) {
        if (!sinter__dtype_valid(attrs->dtype))
            return sinter__fail(SINTER_EDTYPE, "%s: %d is no dtype", info->name, (int)attrs->dtype);
        out->dtype = attrs->dtype;
        if (attrs->dtype == SINTER_F64 && (info->flags & SINTER__F32_ONLY) != 0)
            return sinter__fail(SINTER_EDTYPE, "%s: there is no f64 form yet", info->name);
        if (sinter__op_expression(info, sinter__column_of(sinter__dtype(attrs->dtype)->class_)) ==
            NULL)
            return refuse(info->name, attrs->dtype);
        for (int i = 0; i < count; i++)
            out->work[i] = attrs->dtype;
        return SINTER_OK;
    }
    int first = info->rule == SINTER__RULE_SELECT ? 1 : 0;
    if (info->rule == SINTER__RULE_COMPARED)
        SINTER_TRY(check_comparable(info, count, operands));
    sinter_dtype promoted = SINTER_BOOL;
    int last = info->rule == SINTER__RULE_FIRST ? 1 : count;
    SINTER_TRY(promote_operands(info->name, first, last, operands, &promoted));
    sinter_dtype work;
    SINTER_TRY(work_dtype(info, promoted, &work));
    for (int i = 0; i < count; i++)
        out->work[i] = i < first ? SINTER_BOOL : work;
    out->dtype = work;
    if (info->rule == SINTER__RULE_COMPARED)
        out->dtype = SINTER_BOOL;
    if (info->rule == SINTER__RULE_POSITION)
        out->dtype = SINTER_I64;
    if (info->rule == SINTER__RULE_CONVERT) {
        if (!sinter__dtype_valid(attrs->dtype))
            return sinter__fail(SINTER_EDTYPE, "%s: %d is no dtype", info->name, (int)attrs->dtype);
        out->dtype = attrs->dtype;
    }
    return SINTER_OK;
}

/* Shapes */

static void set_shape(sinter__inferred *out, int rank, const int64_t *shape)
{
    out->rank = rank;
    if (rank > 0)
        memcpy(out->shape, shape, (size_t)rank * sizeof *shape);
}

static sinter_status shape_broadcast(const char *name, int count,
                                     const sinter__operand_desc *operands, sinter__inferred *out)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (operands[i].is_scalar)
            continue;
        const sinter__operand_desc *b = &operands[i];
        if (!any) {
            set_shape(out, b->rank, b->shape);
            any = true;
            continue;
        }
        if (sinter__shape_equal(out->rank, out->shape, b->rank, b->shape))
            continue;
        int64_t shape[SINTER_MAX_RANK];
        int rank;
        int axis;
        if (!sinter__broadcast(out->rank, out->shape, b->rank, b->shape, &rank, shape, &axis)) {
            char ta[SINTER__SHAPE_TEXT];
            char tb[SINTER__SHAPE_TEXT];
            return sinter__fail(SINTER_ESHAPE, "%s: shapes %s and %s differ in dimension %d", name,
                                sinter__shape_text(out->rank, out->shape, ta),
                                sinter__shape_text(b->rank, b->shape, tb), axis);
        }
        out->rank = rank;
        memcpy(out->shape, shape, sizeof shape);
    }
    return SINTER_OK;
}

/* A bit per axis given, each at most once. None given: every axis. */
static sinter_status axis_mask(const char *name, const sinter__attrs *attrs, int rank,
                               uint32_t *mask)
{
    *mask = 0;
    if (attrs->axis_count < -1)
        return sinter__fail(SINTER_EINVAL, "%s: the count of axes is negative, or they are NULL",
                            name);
    if (attrs->axis_count < 0) {
        *mask = (1u << rank) - 1;
        return SINTER_OK;
    }
    for (int i = 0; i < attrs->axis_count; i++) {
        int axis;
        SINTER_TRY(sinter__check_axis(name, attrs->axes[i], rank, &axis));
        if ((*mask >> axis & 1) != 0)
            return sinter__fail(SINTER_ERANGE, "%s: axis %d is given twice", name, axis);
        *mask |= 1u << axis;
    }
    return SINTER_OK;
}

static sinter_status shape_reduce(const sinter__op_info *info, const sinter__operand_desc *x,
                                  const sinter__attrs *attrs, sinter__inferred *out)
{
    SINTER_TRY(axis_mask(info->name, attrs, x->rank, &out->axes));
    int64_t reduced = 1;
    out->rank = 0;
    for (int i = 0; i < x->rank; i++) {
        bool gone = (out->axes >> i & 1) != 0;
        if (gone)
            reduced *= x->shape[i];
        if (!gone || attrs->keepdims)
            out->shape[out->rank++] = gone ? 1 : x->shape[i];
    }
    if (reduced == 0 && (info->flags & SINTER__NONEMPTY) != 0 &&
        !sinter__is_empty(out->rank, out->shape)) {
        char text[SINTER__SHAPE_TEXT];
        return sinter__fail(SINTER_ESHAPE, "%s: shape %s has no elements along the axes reduced",
                            info->name, sinter__shape_text(x->rank, x->shape, text));
    }
    return SINTER_OK;
}

static sinter_status shape_scan(const sinter__op_info *info, const sinter__operand_desc *x,
                                const sinter__attrs *attrs, sinter__inferred *out)
{
    if (attrs->axis_count != 1)
        return sinter__fail(SINTER_EINVAL, "%s: it runs along one axis, and %d are given",
                            info->name, SINTER__MAX(attrs->axis_count, 0));
    set_shape(out, x->rank, x->shape);
    return axis_mask(info->name, attrs, x->rank, &out->axes);
}

static sinter_status shape_reshape(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                   sinter__inferred *out)
{
    char tx[SINTER__SHAPE_TEXT];
    char to[SINTER__SHAPE_TEXT];
    int64_t elements = sinter__elements(x->rank, x->shape);
    int64_t known = 1;
    int open = -1;
    if (attrs->rank < 0 || attrs->rank > SINTER_MAX_RANK)
        return sinter__fail(SINTER_EINVAL, "reshape: rank %d is not 0 to %d", attrs->rank,
                            SINTER_MAX_RANK);
    if (attrs->rank > 0 && attrs->shape == NULL)
        return sinter__fail(SINTER_EINVAL, "reshape: the shape is NULL, its rank %d", attrs->rank);
    set_shape(out, attrs->rank, attrs->shape);
    for (int i = 0; i < attrs->rank; i++) {
        if (attrs->shape[i] == -1 && open < 0) {
            open = i;
        } else if (attrs->shape[i] < 0 || !sinter__mul_i64(known, attrs->shape[i], &known)) {
            return sinter__fail(SINTER_ERANGE, "reshape: extent %lld of dimension %d of %s %s",
                                (long long)attrs->shape[i], i,
                                sinter__shape_text(attrs->rank, attrs->shape, to),
                                attrs->shape[i] == -1 ? "is the second -1"
                                : attrs->shape[i] < 0 ? "is negative"
                                                      : "makes it overflow");
        }
    }
    if (open >= 0 && known > 0 && elements % known == 0) {
        out->shape[open] = elements / known;
        known = elements;
        open = -1;
    }
    if (open >= 0 || known != elements)
        return sinter__fail(SINTER_ESHAPE, "reshape: %lld elements of shape %s do not fill %s",
                            (long long)elements, sinter__shape_text(x->rank, x->shape, tx),
                            sinter__shape_text(attrs->rank, attrs->shape, to));
    return SINTER_OK;
}

static sinter_status shape_transpose(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                     sinter__inferred *out)
{
    if (attrs->axis_count >= 0 && attrs->axis_count != x->rank)
        return sinter__fail(SINTER_ESHAPE, "transpose: %d axes given for rank %d",
                            attrs->axis_count, x->rank);
    SINTER_TRY(axis_mask("transpose", attrs, x->rank, &out->axes));
    out->rank = x->rank;
    for (int i = 0; i < x->rank; i++) {
        int axis = x->rank - 1 - i;
        if (attrs->axis_count >= 0)
            SINTER_TRY(sinter__check_axis("transpose", attrs->axes[i], x->rank, &axis));
        out->perm[i] = axis;
        out->shape[i] = x->shape[axis];
    }
    return SINTER_OK;
}

static sinter_status shape_expand(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                  sinter__inferred *out)
{
    int64_t shape[SINTER_MAX_RANK];
    int rank;
    int axis;
    SINTER_TRY(sinter__check_shape("expand", x->dtype, attrs->rank, attrs->shape));
    bool fits =
        sinter__broadcast(x->rank, x->shape, attrs->rank, attrs->shape, &rank, shape, &axis);
    if (!fits || !sinter__shape_equal(rank, shape, attrs->rank, attrs->shape)) {
        char tx[SINTER__SHAPE_TEXT];
        char to[SINTER__SHAPE_TEXT];
        return sinter__fail(SINTER_ESHAPE, "expand: shape %s does not broadcast to %s",
                            sinter__shape_text(x->rank, x->shape, tx),
                            sinter__shape_text(attrs->rank, attrs->shape, to));
    }
    set_shape(out, rank, shape);
    return SINTER_OK;
}

static sinter_status shape_squeeze(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                   sinter__inferred *out)
{
    SINTER_TRY(axis_mask("squeeze", attrs, x->rank, &out->axes));
    out->rank = 0;
    for (int i = 0; i < x->rank; i++) {
        bool named = (out->axes >> i & 1) != 0;
        if (named && x->shape[i] == 1)
            continue;
        if (named && attrs->axis_count >= 0)
            return sinter__fail(SINTER_ESHAPE, "squeeze: dimension %d has extent %lld, not 1", i,
                                (long long)x->shape[i]);
        out->shape[out->rank++] = x->shape[i];
    }
    return SINTER_OK;
}

static sinter_status shape_unsqueeze(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                     sinter__inferred *out)
{
    out->rank = x->rank + SINTER__MAX(attrs->axis_count, 0);
    if (out->rank > SINTER_MAX_RANK)
        return sinter__fail(SINTER_EINVAL, "unsqueeze: rank %d is over %d", out->rank,
                            SINTER_MAX_RANK);
    if (attrs->axis_count < 1)
        return sinter__fail(SINTER_EINVAL, "unsqueeze: no axis is given");
    SINTER_TRY(axis_mask("unsqueeze", attrs, out->rank, &out->axes));
    int from = 0;
    for (int i = 0; i < out->rank; i++)
        out->shape[i] = (out->axes >> i & 1) != 0 ? 1 : x->shape[from++];
    return SINTER_OK;
}

static sinter_status shape_slice(const sinter__operand_desc *x, const sinter__attrs *attrs,
                                 sinter__inferred *out)
{
    int axis;
    SINTER_TRY(sinter__check_axis("slice", attrs->axes[0], x->rank, &axis));
    set_shape(out, x->rank, x->shape);
    out->axes = 1u << axis;
    out->shape[axis] = attrs->count;
    return SINTER_OK;
}

static sinter_status matmul_mismatch(const sinter__operand_desc *a, const sinter__operand_desc *b,
                                     const char *why)
{
    char ta[SINTER__SHAPE_TEXT];
    char tb[SINTER__SHAPE_TEXT];
    return sinter__fail(SINTER_ESHAPE, "matmul: shapes %s and %s %s",
                        sinter__shape_text(a->rank, a->shape, ta),
                        sinter__shape_text(b->rank, b->shape, tb), why);
}

/* Operands of two axes or more; vectors are given their second axis before (executor/queue/apply.c). */
static sinter_status shape_matmul(const sinter__operand_desc *a, const sinter__operand_desc *b,
                                  sinter__inferred *out)
{
    int axis;
    if (a->rank < 2 || b->rank < 2)
        return matmul_mismatch(a, b, "need an axis each");
    if (a->shape[a->rank - 1] != b->shape[b->rank - 2])
        return matmul_mismatch(a, b, "do not share the inner dimension");
    if (!sinter__broadcast(a->rank - 2, a->shape, b->rank - 2, b->shape, &out->rank, out->shape,
                           &axis))
        return matmul_mismatch(a, b, "do not broadcast");
    out->shape[out->rank++] = a->shape[a->rank - 2];
    out->shape[out->rank++] = b->shape[b->rank - 1];
    return SINTER_OK;
}

static sinter_status shape_update(const sinter__operand_desc *x, const sinter__operand_desc *value,
                                  const sinter__region *region, sinter__inferred *out)
{
    int64_t shape[SINTER_MAX_RANK];
    int rank;
    int axis;
    set_shape(out, x->rank, x->shape);
    if (sinter__broadcast(x->rank, region->count, value->rank, value->shape, &rank, shape, &axis) &&
        sinter__shape_equal(rank, shape, x->rank, region->count))
        return SINTER_OK;
    char from[SINTER__SHAPE_TEXT];
    char to[SINTER__SHAPE_TEXT];
    return sinter__fail(SINTER_ESHAPE,
                        "update: a value of shape %s does not broadcast to the %s elements that it "
                        "replaces",
                        sinter__shape_text(value->rank, value->shape, from),
                        sinter__shape_text(x->rank, region->count, to));
}

static sinter_status infer_view(sinter__op op, const sinter__operand_desc *x,
                                const sinter__attrs *attrs, sinter__inferred *out)
{
    switch (op) {
    case SINTER__OP_RESHAPE:
        return shape_reshape(x, attrs, out);
    case SINTER__OP_TRANSPOSE:
        return shape_transpose(x, attrs, out);
    case SINTER__OP_SLICE:
        return shape_slice(x, attrs, out);
    case SINTER__OP_EXPAND:
        return shape_expand(x, attrs, out);
    case SINTER__OP_SQUEEZE:
        return shape_squeeze(x, attrs, out);
    case SINTER__OP_UNSQUEEZE:
        return shape_unsqueeze(x, attrs, out);
    default: /* flip */
        set_shape(out, x->rank, x->shape);
        return axis_mask("flip", attrs, x->rank, &out->axes);
    }
}

sinter_status sinter__infer(sinter__op op, int count, const sinter__operand_desc *operands,
                            const sinter__attrs *attrs, sinter__inferred *out)
{
    const sinter__op_info *info = sinter__op_info_of(op);
    out->rank = 0;
    out->axes = 0;
    SINTER_TRY(infer_dtypes(info, count, operands, attrs, out));
    switch ((sinter__kind)info->kind) {
    case SINTER__KIND_VIEW:
        SINTER_TRY(infer_view(op, &operands[0], attrs, out));
        break;
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_STATE:
    case SINTER__KIND_COMPOSITE: /* its axes, as far as it has any */
        SINTER_TRY(shape_reduce(info, &operands[0], attrs, out));
        break;
    case SINTER__KIND_SCAN:
        SINTER_TRY(shape_scan(info, &operands[0], attrs, out));
        break;
    case SINTER__KIND_CONTRACT:
        SINTER_TRY(shape_matmul(&operands[0], &operands[1], out));
        break;
    case SINTER__KIND_UPDATE:
        SINTER_TRY(shape_update(&operands[0], &operands[1], attrs->region, out));
        break;
    case SINTER__KIND_FILL:
    case SINTER__KIND_GENERATE:
    case SINTER__KIND_RANDOM:
        SINTER_TRY(sinter__check_shape(info->name, out->dtype, attrs->rank, attrs->shape));
        set_shape(out, attrs->rank, attrs->shape);
        break;
    default:
        SINTER_TRY(shape_broadcast(info->name, count, operands, out));
        break;
    }
    return sinter__check_shape(info->name, out->dtype, out->rank, out->shape);
}
