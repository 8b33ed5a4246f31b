/* Operations by name: arguments into attributes, one function per form of the attributes. */
#include "core/composite.h"
#include "core/item.h"

#include <string.h>

static const char *name_of(sinter__op op)
{
    return sinter__op_info_of(op)->name;
}

static bool is_given(const sinter__item *v)
{
    return v->kind != SINTER__ITEM_EMPTY && v->kind != SINTER__ITEM_NONE;
}

/* Arguments */

static sinter_status get_number(sinter__op op, const char *what, const sinter__item *v,
                                sinter__number *out)
{
    if (v->kind != SINTER__ITEM_NUMBER) {
        return sinter__fail(SINTER_EDTYPE, "%s: %s is %s, not a number", name_of(op), what,
                            sinter__item_text(v));
    }
    *out = v->number;
    return SINTER_OK;
}

/* An integer or a tuple of integers. */
static sinter_status get_integers(sinter__op op, const char *what, const sinter__item *v,
                                  int64_t *items, int *count)
{
    *count = 1;
    if (v->kind == SINTER__ITEM_NUMBER && sinter__number_to_i64(&v->number, items))
        return SINTER_OK;
    if (v->kind != SINTER__ITEM_TUPLE) {
        return sinter__fail(SINTER_EDTYPE, "%s: %s is %s, not an integer or a tuple of integers",
                            name_of(op), what, sinter__item_text(v));
    }
    *count = v->count;
    memcpy(items, v->of.items, sizeof v->of.items);
    return SINTER_OK;
}

static sinter_status get_dtype(sinter__op op, const sinter__item *v, sinter_dtype otherwise,
                               sinter_dtype *out)
{
    *out = otherwise;
    if (!is_given(v))
        return SINTER_OK;
    if (v->kind != SINTER__ITEM_DTYPE) {
        return sinter__fail(SINTER_EDTYPE, "%s: dtype is %s, not a name such as 'f32'", name_of(op),
                            sinter__item_text(v));
    }
    *out = v->dtype;
    return SINTER_OK;
}

/* Axes: an integer or a tuple; none given is -1 of them. */
static sinter_status get_axes(sinter__op op, const sinter__item *v, int *axes, int *count)
{
    int64_t items[SINTER_MAX_RANK] = {0};
    *count = -1;
    if (!is_given(v))
        return SINTER_OK;
    SINTER_TRY(get_integers(op, "axis", v, items, count));
    for (int i = 0; i < *count; i++) {
        if (items[i] < -SINTER_MAX_RANK || items[i] >= SINTER_MAX_RANK) {
            return sinter__fail(SINTER_ERANGE, "%s: axis %lld is out of range", name_of(op),
                                (long long)items[i]);
        }
        axes[i] = (int)items[i];
    }
    return SINTER_OK;
}

/* Applies `op` to one value, which becomes a tensor if it is a number. */
static sinter_status apply_one(const sinter__builder *b, sinter__op op, const sinter__item *x,
                               const sinter__attrs *attrs, sinter__item *out)
{
    sinter__builder_operand operand = {.is_scalar = false};
    sinter_tensor filled;
    sinter_tensor made = {0};
    SINTER_TRY(sinter__item_tensor(b, name_of(op), x, &operand.tensor, &filled));
    sinter_status status = b->apply(b->self, op, 1, &operand, attrs, &made);
    if (filled.id != 0)
        b->release(b->self, filled);
    if (status == SINTER_OK)
        sinter__item_own(out, made);
    return status;
}

static sinter_status apply_made(const sinter__builder *b, sinter__op op, int count,
                                const sinter_scalar *scalars, const sinter__attrs *attrs,
                                sinter__item *out)
{
    sinter__builder_operand operands[2] = {{.is_scalar = true}, {.is_scalar = true}};
    sinter_tensor made = {0};
    for (int i = 0; i < count; i++)
        operands[i].scalar = scalars[i];
    SINTER_TRY(b->apply(b->self, op, count, operands, attrs, &made));
    sinter__item_own(out, made);
    return SINTER_OK;
}

/* Making */

/* full(shape, value, dtype) */
static sinter_status call_full(const sinter__builder *b, const sinter__item *const *arguments,
                               sinter__item *out)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter__number value;
    sinter__attrs attrs = {.shape = shape};
    SINTER_TRY(get_integers(SINTER__OP_FULL, "shape", arguments[0], shape, &attrs.rank));
    SINTER_TRY(get_number(SINTER__OP_FULL, "value", arguments[1], &value));
    SINTER_TRY(
        get_dtype(SINTER__OP_FULL, arguments[2], sinter__number_dtype(&value), &attrs.dtype));
    return apply_made(b, SINTER__OP_FULL, 1, &value.scalar, &attrs, out);
}

/* What an unsigned dtype counts down by: the step modulo 2^bits, since the arithmetic wraps. */
static sinter_scalar wrapped_step(const sinter__number *step, sinter_dtype dtype)
{
    const sinter__dtype_info *info = sinter__dtype(dtype);
    bool negative = step->scalar.kind == SINTER_SCALAR_INT && step->scalar.value.i < 0;
    if (info->is_float || info->is_signed || !negative || dtype == SINTER_BOOL)
        return step->scalar;
    if (dtype != SINTER_U64 && step->scalar.value.i < -(int64_t)info->max)
        return step->scalar;
    return sinter_scalar_uint((uint64_t)step->scalar.value.i & info->max);
}

/* arange(stop), arange(start, stop, step), arange(start=, step=, count=) */
static sinter_status call_arange(const sinter__builder *b, const sinter__item *const *arguments,
                                 sinter__item *out)
{
    static const char *const names[] = {"start", "stop", "step"};
    sinter__number n[3] = {sinter__number_uint(0), sinter__number_uint(0), sinter__number_uint(1)};
    bool counted = is_given(arguments[4]);
    bool stop_only = is_given(arguments[0]) && !is_given(arguments[1]) && !counted;
    bool is_float = false;
    int64_t count = 0;
    if (counted == (stop_only || is_given(arguments[1])))
        return sinter__fail(SINTER_EINVAL, "arange: give either stop or count");
    for (int i = 0; i < 3; i++) {
        int to = i == 0 && stop_only ? 1 : i;
        if (!is_given(arguments[i]))
            continue;
        SINTER_TRY(get_number(SINTER__OP_ARANGE, names[i], arguments[i], &n[to]));
        is_float |= n[to].kind == SINTER__NUMBER_FLOAT;
    }
    if (!counted) {
        SINTER_TRY(sinter__number_steps(&n[0], &n[1], &n[2], &count));
    } else if (arguments[4]->kind != SINTER__ITEM_NUMBER ||
               !sinter__number_to_i64(&arguments[4]->number, &count)) {
        return sinter__fail(SINTER_EDTYPE, "arange: count is not an integer");
    }
    sinter__attrs attrs = {.rank = 1, .shape = &count};
    SINTER_TRY(get_dtype(SINTER__OP_ARANGE, arguments[3], is_float ? SINTER_F32 : SINTER_I64,
                         &attrs.dtype));
    const sinter_scalar scalars[] = {n[0].scalar, wrapped_step(&n[2], attrs.dtype)};
    return apply_made(b, SINTER__OP_ARANGE, 2, scalars, &attrs, out);
}

/* random_...(shape, seed, offset, dtype) */
static sinter_status call_random(const sinter__builder *b, sinter__op op,
                                 const sinter__item *const *arguments, sinter__item *out)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter__number seed = sinter__number_uint(0);
    sinter__number offset = sinter__number_uint(0);
    sinter__attrs attrs = {.shape = shape};
    SINTER_TRY(get_integers(op, "shape", arguments[0], shape, &attrs.rank));
    if (is_given(arguments[1]))
        SINTER_TRY(get_number(op, "seed", arguments[1], &seed));
    if (is_given(arguments[2]))
        SINTER_TRY(get_number(op, "offset", arguments[2], &offset));
    SINTER_TRY(get_dtype(op, arguments[3], SINTER_F32, &attrs.dtype));
    const sinter_scalar scalars[] = {seed.scalar, offset.scalar};
    return apply_made(b, op, 2, scalars, &attrs, out);
}

/* Converting and parameters */

/* cast(x, dtype): a number is converted as it is, not by way of its default dtype. */
static sinter_status call_cast(const sinter__builder *b, const sinter__item *const *arguments,
                               sinter__item *out)
{
    sinter__attrs attrs = {.rank = 0};
    if (!is_given(arguments[1]))
        return sinter__fail(SINTER_EDTYPE, "cast: dtype is None");
    SINTER_TRY(get_dtype(SINTER__OP_CAST, arguments[1], SINTER_F32, &attrs.dtype));
    if (arguments[0]->kind != SINTER__ITEM_NUMBER)
        return apply_one(b, SINTER__OP_CAST, arguments[0], &attrs, out);
    sinter_scalar scalar = sinter__number_cast(&arguments[0]->number, attrs.dtype);
    return apply_made(b, SINTER__OP_FULL, 1, &scalar, &attrs, out);
}

/* An elementwise operation; a parameter that is not given has its default. */
static sinter_status call_elementwise(const sinter__builder *b, sinter__op op,
                                      const sinter__item *const *arguments, sinter__item *out)
{
    const sinter__op_info *info = sinter__op_info_of(op);
    double otherwise = sinter__signature_of(op).otherwise;
    const sinter__item standard = {.kind = SINTER__ITEM_NUMBER,
                                   .number = sinter__number_float(otherwise)};
    const sinter__item *operands[SINTER__MAX_OPERANDS];
    int count = info->arity + info->params;
    for (int i = 0; i < count; i++)
        operands[i] = is_given(arguments[i]) || i < info->arity ? arguments[i] : &standard;
    if (op == SINTER__OP_CLAMP && (!is_given(arguments[1]) || !is_given(arguments[2])))
        return sinter__fail(SINTER_EDTYPE, "clamp: low and high are numbers");
    return sinter__apply_elementwise(b, op, count, operands, out);
}

/* Views and reductions */

static sinter_status call_shape(const sinter__builder *b, sinter__op op,
                                const sinter__item *const *arguments, sinter__item *out)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter__attrs attrs = {.shape = shape};
    SINTER_TRY(get_integers(op, "shape", arguments[1], shape, &attrs.rank));
    return apply_one(b, op, arguments[0], &attrs, out);
}

static sinter_status call_axes(const sinter__builder *b, sinter__op op,
                               const sinter__item *const *arguments, sinter__item *out)
{
    int axes[SINTER_MAX_RANK];
    sinter__attrs attrs = {.axes = axes};
    SINTER_TRY(get_axes(op, arguments[1], axes, &attrs.axis_count));
    if (is_given(arguments[2])) { /* only reductions have it */
        sinter__number keep;
        SINTER_TRY(get_number(op, "keepdims", arguments[2], &keep));
        attrs.keepdims = sinter__number_truth(&keep);
    }
    return apply_one(b, op, arguments[0], &attrs, out);
}

/* A tensor of a composition; one that may be left out is the null handle then. */
static sinter_status get_tensor(const sinter__builder *b, sinter__op op, const char *what,
                                const sinter__item *v, sinter_tensor *out, sinter_tensor *filled)
{
    if (v->kind == SINTER__ITEM_TENSOR || v->kind == SINTER__ITEM_NUMBER)
        return sinter__item_tensor(b, name_of(op), v, out, filled);
    if (is_given(v) || strcmp(what, "x") == 0)
        return sinter__fail(SINTER_EDTYPE, "%s: %s is %s, not a tensor", name_of(op), what,
                            sinter__item_text(v));
    return SINTER_OK;
}

/* The arguments of a composition, by the names of its parameters: axes, tensors, then numbers. */
typedef struct composing {
    int axes[SINTER_MAX_RANK];
    sinter__attrs attrs;
    sinter__builder_operand operands[SINTER__MAX_GIVEN];
    sinter_tensor filled[SINTER__MAX_GIVEN]; /* made of numbers */
} composing;

static sinter_status get_composing(const sinter__builder *b, sinter__op op,
                                   const sinter__item *const *arguments, composing *c)
{
    sinter__signature signature = sinter__signature_of(op);
    int count = 0;
    for (int i = 0; i < signature.count; i++) {
        const char *what = signature.names[i];
        sinter__number n = sinter__number_float(signature.otherwise);
        if (strcmp(what, "axis") == 0) {
            SINTER_TRY(get_axes(op, arguments[i], c->axes, &c->attrs.axis_count));
        } else if (count < sinter__op_info_of(op)->arity) {
            SINTER_TRY(get_tensor(b, op, what, arguments[i], &c->operands[count].tensor,
                                  &c->filled[count]));
            count++;
        } else {
            if (is_given(arguments[i]))
                SINTER_TRY(get_number(op, what, arguments[i], &n));
            if (strcmp(what, "keepdims") == 0) {
                c->attrs.keepdims = is_given(arguments[i]) && sinter__number_truth(&n);
                continue;
            }
            c->operands[count].is_scalar = true;
            c->operands[count++].scalar = n.scalar;
        }
    }
    return SINTER_OK;
}

static sinter_status call_composite(const sinter__builder *b, sinter__op op,
                                    const sinter__item *const *arguments, sinter__item *out)
{
    composing c = {.attrs = {.axis_count = -1}};
    sinter_tensor made = {0};
    c.attrs.axes = c.axes;
    sinter_status status = get_composing(b, op, arguments, &c);
    if (status == SINTER_OK)
        status = sinter__compose(b, op, c.operands, &c.attrs, &made);
    for (int i = 0; i < SINTER__MAX_GIVEN; i++) {
        if (c.filled[i].id != 0)
            b->release(b->self, c.filled[i]);
    }
    if (status == SINTER_OK)
        sinter__item_own(out, made);
    return status;
}

static sinter_status get_bound(const char *what, const sinter__item *v, bool *has, int64_t *out)
{
    *has = is_given(v);
    if (*has && (v->kind != SINTER__ITEM_NUMBER || !sinter__number_to_i64(&v->number, out)))
        return sinter__fail(SINTER_EDTYPE, "slice: %s is not an integer", what);
    return SINTER_OK;
}

/* A slice whose elements are counted: exactly those, which must be there. */
static sinter_status counted_slice(const char *name, int64_t extent, const sinter__slice *range,
                                   int64_t count, sinter__attrs *attrs)
{
    int64_t reach;
    int64_t last = range->start;
    if (count < 0)
        return sinter__fail(SINTER_ERANGE, "%s: count %lld is negative", name, (long long)count);
    bool fits = count == 0 || (sinter__mul_i64(count - 1, range->step, &reach) &&
                               !__builtin_add_overflow(range->start, reach, &last));
    bool inside = range->start >= 0 && range->start < extent && last >= 0 && last < extent;
    if (!fits || (count > 0 && !inside)) {
        return sinter__fail(SINTER_ERANGE,
                            "%s: %lld elements from %lld in steps of %lld of an extent of %lld",
                            name, (long long)count, (long long)range->start, (long long)range->step,
                            (long long)extent);
    }
    attrs->start = count > 0 ? range->start : 0;
    attrs->count = count;
    return SINTER_OK;
}

/* slice(x, axis, start, stop, step) or slice(x, axis, start=, step=, count=) */
typedef struct slicing {
    sinter__slice range;
    int axis;
    bool counted;
    int64_t count;
} slicing;

static sinter_status get_slice(const sinter__item *const *arguments, slicing *s)
{
    int axes[SINTER_MAX_RANK] = {0};
    int axis_count = 0;
    bool has_step;
    s->range.step = 1;
    SINTER_TRY(get_axes(SINTER__OP_SLICE, arguments[1], axes, &axis_count));
    if (axis_count != 1)
        return sinter__fail(SINTER_EINVAL, "slice: give one axis");
    s->axis = axes[0];
    SINTER_TRY(get_bound("start", arguments[2], &s->range.has_start, &s->range.start));
    SINTER_TRY(get_bound("stop", arguments[3], &s->range.has_stop, &s->range.stop));
    SINTER_TRY(get_bound("step", arguments[4], &has_step, &s->range.step));
    SINTER_TRY(get_bound("count", arguments[5], &s->counted, &s->count));
    if (s->counted && s->range.has_stop)
        return sinter__fail(SINTER_EINVAL, "slice: give either stop or count");
    return SINTER_OK;
}

static sinter_status slice_tensor(const sinter__builder *b, const slicing *s, const sinter__item *x,
                                  sinter__item *out)
{
    sinter_tensor_desc desc;
    int axis;
    sinter__attrs attrs = {.axis_count = 1, .axes = &s->axis, .step = s->range.step};
    SINTER_TRY(b->describe(b->self, x->tensor, &desc));
    SINTER_TRY(sinter__check_axis("slice", s->axis, desc.rank, &axis));
    sinter_status status =
        s->counted ? counted_slice("slice", desc.shape[axis], &s->range, s->count, &attrs)
                   : sinter__slice_resolve(&s->range, desc.shape[axis], &attrs.start, &attrs.count);
    return status == SINTER_OK ? apply_one(b, SINTER__OP_SLICE, x, &attrs, out) : status;
}

/* update(x, value, axis, start, stop, step) or update(x, value, axis, start=, step=, count=): integers, or
 * tuples with one for each axis. */
typedef struct updating {
    int axes[SINTER_MAX_RANK];
    int axis_count;
    bool has[4]; /* start, stop, step, count */
    int64_t bounds[4][SINTER_MAX_RANK];
} updating;

static sinter_status get_update(const sinter__item *const *arguments, updating *u)
{
    static const char *const names[] = {"start", "stop", "step", "count"};
    SINTER_TRY(get_axes(SINTER__OP_UPDATE, arguments[2], u->axes, &u->axis_count));
    u->axis_count = SINTER__MAX(u->axis_count, 0);
    for (int k = 0; k < 4; k++) {
        int count = 0;
        u->has[k] = is_given(arguments[3 + k]);
        if (!u->has[k])
            continue;
        SINTER_TRY(
            get_integers(SINTER__OP_UPDATE, names[k], arguments[3 + k], u->bounds[k], &count));
        if (count != u->axis_count) {
            return sinter__fail(SINTER_EINVAL, "update: %s has %d integers for %d axes", names[k],
                                count, u->axis_count);
        }
    }
    if (u->has[1] && u->has[3])
        return sinter__fail(SINTER_EINVAL, "update: give either stop or count");
    return SINTER_OK;
}

static sinter_status find_region(const updating *u, const sinter_tensor_desc *x,
                                 sinter__region *region)
{
    uint32_t seen = 0;
    sinter__region_whole(x->rank, x->shape, region);
    for (int i = 0; i < u->axis_count; i++) {
        int axis;
        sinter__attrs counted = {.rank = 0};
        const sinter__slice slice = {.has_start = u->has[0],
                                     .has_stop = u->has[1],
                                     .start = u->bounds[0][i],
                                     .stop = u->bounds[1][i],
                                     .step = u->has[2] ? u->bounds[2][i] : 1};
        SINTER_TRY(sinter__region_axis(&seen, u->axes[i], x->rank, &axis));
        if (slice.step == 0) /* a place for several numbers */
            return sinter__fail(SINTER_ERANGE, "update: step 0");
        if (!u->has[3]) {
            SINTER_TRY(sinter__region_narrow(region, axis, x->shape[axis], &slice));
            continue;
        }
        SINTER_TRY(counted_slice("update", x->shape[axis], &slice, u->bounds[3][i], &counted));
        region->start[axis] = counted.start;
        region->step[axis] = slice.step;
        region->count[axis] = counted.count;
    }
    return SINTER_OK;
}

/* What takes the place of elements of `dtype`, which a number has to be a value of. */
static sinter_status value_of(const sinter__builder *b, const sinter__item *v, sinter_dtype dtype,
                              sinter_tensor *out, sinter_tensor *made)
{
    if (v->kind != SINTER__ITEM_NUMBER)
        return sinter__item_tensor(b, "update", v, out, made);
    SINTER_TRY(sinter__item_fill(b, v->number.scalar, dtype, made));
    *out = *made;
    return SINTER_OK;
}

static sinter_status call_update(const sinter__builder *b, const sinter__item *const *arguments,
                                 sinter__item *out)
{
    sinter__builder_operand operands[2] = {{.is_scalar = false}, {.is_scalar = false}};
    sinter_tensor filled[2] = {{0}, {0}};
    sinter_tensor made = {0};
    sinter_tensor_desc desc;
    sinter__region region;
    updating u = {.axis_count = 0};
    const sinter__attrs attrs = {.region = &region};
    sinter_status status = get_update(arguments, &u);
    if (status == SINTER_OK)
        status = sinter__item_tensor(b, "update", arguments[0], &operands[0].tensor, &filled[0]);
    if (status == SINTER_OK)
        status = b->describe(b->self, operands[0].tensor, &desc);
    if (status == SINTER_OK)
        status = value_of(b, arguments[1], desc.dtype, &operands[1].tensor, &filled[1]);
    if (status == SINTER_OK)
        status = find_region(&u, &desc, &region);
    if (status == SINTER_OK)
        status = b->apply(b->self, SINTER__OP_UPDATE, 2, operands, &attrs, &made);
    for (int i = 0; i < 2; i++) {
        if (filled[i].id != 0)
            b->release(b->self, filled[i]);
    }
    if (status == SINTER_OK)
        sinter__item_own(out, made);
    return status;
}

static sinter_status call_slice(const sinter__builder *b, const sinter__item *const *arguments,
                                sinter__item *out)
{
    sinter__item x = {.kind = SINTER__ITEM_TENSOR};
    sinter_tensor filled;
    slicing s = {.axis = 0};
    SINTER_TRY(get_slice(arguments, &s));
    SINTER_TRY(sinter__item_tensor(b, "slice", arguments[0], &x.tensor, &filled));
    sinter_status status = slice_tensor(b, &s, &x, out);
    if (filled.id != 0)
        b->release(b->self, filled);
    return status;
}

/* Products */

sinter_status sinter__apply_matmul(const sinter__builder *b, const sinter__item *x,
                                   const sinter__item *y, sinter__item *out)
{
    sinter__builder_operand operands[2] = {{.is_scalar = false}, {.is_scalar = false}};
    sinter_tensor filled[2] = {{0}, {0}};
    sinter_tensor made = {0};
    sinter_status status = sinter__item_tensor(b, "matmul", x, &operands[0].tensor, &filled[0]);
    if (status == SINTER_OK)
        status = sinter__item_tensor(b, "matmul", y, &operands[1].tensor, &filled[1]);
    if (status == SINTER_OK)
        status = b->apply(b->self, SINTER__OP_MATMUL, 2, operands, NULL, &made);
    for (int i = 0; i < 2; i++) {
        if (filled[i].id != 0)
            b->release(b->self, filled[i]);
    }
    if (status == SINTER_OK)
        sinter__item_own(out, made);
    return status;
}

sinter_status sinter__apply_call(const sinter__builder *b, sinter__op op,
                                 const sinter__item *const *arguments, sinter__item *out)
{
    switch ((sinter__kind)sinter__op_info_of(op)->kind) {
    case SINTER__KIND_MAP:
    case SINTER__KIND_COMPARE:
        return call_elementwise(b, op, arguments, out);
    case SINTER__KIND_CAST:
        return call_cast(b, arguments, out);
    case SINTER__KIND_FILL:
        return call_full(b, arguments, out);
    case SINTER__KIND_GENERATE:
        return call_arange(b, arguments, out);
    case SINTER__KIND_RANDOM:
        return call_random(b, op, arguments, out);
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_SCAN:
    case SINTER__KIND_STATE:
        return call_axes(b, op, arguments, out);
    case SINTER__KIND_CONTRACT:
        return sinter__apply_matmul(b, arguments[0], arguments[1], out);
    case SINTER__KIND_UPDATE:
        return call_update(b, arguments, out);
    case SINTER__KIND_COMPOSITE:
        return call_composite(b, op, arguments, out);
    case SINTER__KIND_VIEW:
        break;
    default:
        return sinter__fail(SINTER_EINTERNAL, "no way to call %s", name_of(op));
    }
    if (op == SINTER__OP_SLICE)
        return call_slice(b, arguments, out);
    if (op == SINTER__OP_RESHAPE || op == SINTER__OP_EXPAND)
        return call_shape(b, op, arguments, out);
    return call_axes(b, op, arguments, out);
}
