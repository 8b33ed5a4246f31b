#include "api_model.h"

#include <string.h>

#define EXACT ((int64_t)1 << 24)
#define MOST ((int64_t)1 << 40)

int64_t model_count(int rank, const int64_t *shape)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (shape[i] < 0 || (shape[i] > 0 && count > MOST / shape[i]))
            return -1;
        count *= shape[i];
    }
    return count;
}

static bool is_modelled(sinter_dtype dtype)
{
    return dtype == SINTER_BOOL || dtype == SINTER_I32 || dtype == SINTER_I64 ||
           dtype == SINTER_F32;
}

/* Results */

/* Begins a result: everything but its elements. */
static void begin(model *out, sinter_dtype dtype, int rank, const int64_t *shape)
{
    int64_t count = model_count(rank, shape);
    out->dtype = dtype;
    out->rank = rank;
    for (int i = 0; i < rank; i++)
        out->shape[i] = shape[i];
    out->known = is_modelled(dtype) && count >= 0 && count <= MODEL_ELEMENTS;
    if (out->known)
        memset(out->at, 0, (size_t)count * sizeof *out->at);
}

/* Ends one: integers wrap, and floats that may have been rounded are not known. */
static model_verdict end(model *out)
{
    int64_t count = out->known ? model_count(out->rank, out->shape) : 0;
    for (int64_t i = 0; i < count; i++) {
        if (out->dtype == SINTER_I32)
            out->at[i] = (int32_t)(uint32_t)(uint64_t)out->at[i];
        else if (out->dtype == SINTER_F32 && (out->at[i] > EXACT || out->at[i] < -EXACT))
            out->known = false;
    }
    return out->known ? MODEL_GOOD : MODEL_SHAPED;
}

/* Whether the elements of `x` become others' dtype as they are. */
static bool converts(const model *x, sinter_dtype dtype)
{
    if (!x->known)
        return false;
    int64_t count = model_count(x->rank, x->shape);
    for (int64_t i = 0; i < count && dtype == SINTER_F32; i++) {
        if (x->at[i] > EXACT || x->at[i] < -EXACT)
            return false;
    }
    return true;
}

model_verdict model_fill(sinter_dtype dtype, int rank, const int64_t *shape, int64_t value,
                         model *out)
{
    if (model_count(rank, shape) < 0)
        return MODEL_BAD;
    begin(out, dtype, rank, shape);
    for (int64_t i = 0; out->known && i < model_count(rank, shape); i++)
        out->at[i] = value;
    return end(out);
}

/* Shapes */

static bool broadcast(const model *a, const model *b, int *rank, int64_t *shape)
{
    *rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 1; i <= *rank; i++) {
        int64_t x = i <= a->rank ? a->shape[a->rank - i] : 1;
        int64_t y = i <= b->rank ? b->shape[b->rank - i] : 1;
        if (x != y && x != 1 && y != 1)
            return false;
        shape[*rank - i] = x == 1 ? y : x;
    }
    return true;
}

/* The place of element `index` of `shape`, as coordinates. */
static void unravel(int64_t index, int rank, const int64_t *shape, int64_t *at)
{
    for (int i = rank - 1; i >= 0; i--) {
        at[i] = shape[i] > 0 ? index % shape[i] : 0;
        index /= shape[i] > 0 ? shape[i] : 1;
    }
}

static int64_t ravel(int rank, const int64_t *shape, const int64_t *at)
{
    int64_t index = 0;
    for (int i = 0; i < rank; i++)
        index = index * shape[i] + at[i];
    return index;
}

/* The element of `x` that is seen at element `index` of a shape to which it broadcasts. */
static int64_t seen(const model *x, int64_t index, int rank, const int64_t *shape)
{
    int64_t at[SINTER_MAX_RANK];
    int64_t own[SINTER_MAX_RANK];
    unravel(index, rank, shape, at);
    for (int i = 0; i < x->rank; i++)
        own[i] = x->shape[i] == 1 ? 0 : at[rank - x->rank + i];
    return x->at[ravel(x->rank, x->shape, own)];
}

/* Elementwise */

static bool promote(sinter_dtype a, sinter_dtype b, sinter_dtype *out)
{
    if (!is_modelled(a) || !is_modelled(b))
        return false;
    *out = a > b ? a : b; /* BOOL, I32, I64, F32 in the order of their numbers */
    return true;
}

static int64_t apply(model_binary op, int64_t a, int64_t b)
{
    switch (op) {
    case MODEL_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case MODEL_SUB:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case MODEL_MUL:
        return (int64_t)((uint64_t)a * (uint64_t)b);
    case MODEL_MAX:
        return a > b ? a : b;
    case MODEL_MIN:
        return a < b ? a : b;
    case MODEL_GT:
        return a > b;
    default:
        return a == b;
    }
}

model_verdict model_of_binary(model_binary op, const model *a, const model *b, model *out)
{
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    sinter_dtype dtype;
    if (!broadcast(a, b, &rank, shape))
        return MODEL_BAD;
    if (!promote(a->dtype, b->dtype, &dtype) || dtype == SINTER_BOOL)
        return MODEL_OPEN;
    begin(out, op == MODEL_GT || op == MODEL_EQ ? SINTER_BOOL : dtype, rank, shape);
    out->known = out->known && converts(a, dtype) && converts(b, dtype);
    for (int64_t i = 0; out->known && i < model_count(rank, shape); i++)
        out->at[i] = apply(op, seen(a, i, rank, shape), seen(b, i, rank, shape));
    return end(out);
}

model_verdict model_of_unary(model_unary op, const model *x, model *out)
{
    if (!is_modelled(x->dtype) || x->dtype == SINTER_BOOL)
        return MODEL_OPEN;
    begin(out, x->dtype, x->rank, x->shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(x->rank, x->shape); i++) {
        int64_t v = x->at[i];
        int64_t negated = (int64_t)(0 - (uint64_t)v);
        if (op == MODEL_NEG)
            out->at[i] = negated;
        else if (op == MODEL_ABS)
            out->at[i] = v < 0 ? negated : v;
        else if (op == MODEL_SQUARE)
            out->at[i] = (int64_t)((uint64_t)v * (uint64_t)v);
        else
            out->at[i] = op == MODEL_RELU && v < 0 ? 0 : v;
    }
    return end(out);
}

model_verdict model_where(const model *c, const model *a, const model *b, model *out)
{
    int rank;
    sinter_dtype dtype;
    model both = {.known = false};
    if (!broadcast(a, b, &rank, both.shape))
        return MODEL_BAD;
    both.rank = rank;
    if (!broadcast(c, &both, &rank, out->shape))
        return MODEL_BAD;
    if (c->dtype != SINTER_BOOL || !promote(a->dtype, b->dtype, &dtype))
        return MODEL_OPEN;
    begin(out, dtype, rank, out->shape);
    out->known = out->known && c->known && converts(a, dtype) && converts(b, dtype);
    for (int64_t i = 0; out->known && i < model_count(rank, out->shape); i++)
        out->at[i] = seen(c, i, rank, out->shape) != 0 ? seen(a, i, rank, out->shape)
                                                       : seen(b, i, rank, out->shape);
    return end(out);
}

model_verdict model_cast(const model *x, sinter_dtype dtype, model *out)
{
    begin(out, dtype, x->rank, x->shape);
    out->known = out->known && converts(x, dtype);
    for (int64_t i = 0; out->known && i < model_count(x->rank, x->shape); i++)
        out->at[i] = dtype == SINTER_BOOL ? x->at[i] != 0 : x->at[i];
    return end(out);
}

/* Reductions and scans */

static bool take_axis(int axis, int rank, int *out)
{
    *out = axis < 0 ? axis + rank : axis;
    return *out >= 0 && *out < rank;
}

/* A bit per axis; none given: all of them. */
static bool take_axes(int count, const int *axes, int rank, unsigned *mask)
{
    *mask = count == 0 ? (1u << rank) - 1 : 0;
    for (int i = 0; i < count; i++) {
        int axis;
        if (!take_axis(axes[i], rank, &axis) || (*mask >> axis & 1) != 0)
            return false;
        *mask |= 1u << axis;
    }
    return true;
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

/* Puts an element into a result of a reduction; `first`: it has none yet. */
static void gather(model_reduction op, int64_t *total, int64_t v, bool first)
{
    if (op == MODEL_SUM)
        *total = (int64_t)((uint64_t)*total + (uint64_t)v);
    else if (op == MODEL_ANY)
        *total |= v != 0;
    else if (first || (op == MODEL_LARGEST ? v > *total : v < *total))
        *total = v;
}

static sinter_dtype reduced_dtype(model_reduction op, sinter_dtype x)
{
    if (op == MODEL_ANY)
        return SINTER_BOOL;
    return op == MODEL_SUM && x != SINTER_F32 ? SINTER_I64 : x;
}

model_verdict model_reduce(model_reduction op, const model *x, int count, const int *axes,
                           bool keepdims, model *out)
{
    unsigned mask;
    int64_t kept[SINTER_MAX_RANK]; /* with extent 1 for what is reduced */
    int64_t shape[SINTER_MAX_RANK];
    int rank = 0;
    bool first[MODEL_ELEMENTS];
    int64_t total = 0; /* of magnitudes: a sum of floats below it is exact in every order */
    if (!take_axes(count, axes, x->rank, &mask))
        return MODEL_BAD;
    if (!is_modelled(x->dtype) || model_count(x->rank, x->shape) == 0)
        return MODEL_OPEN;
    for (int i = 0; i < x->rank; i++) {
        kept[i] = (mask >> i & 1) != 0 ? 1 : x->shape[i];
        if (keepdims || (mask >> i & 1) == 0)
            shape[rank++] = kept[i];
    }
    begin(out, reduced_dtype(op, x->dtype), rank, shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(rank, shape); i++) {
        out->at[i] = 0;
        first[i] = true;
    }
    for (int64_t i = 0; out->known && i < model_count(x->rank, x->shape); i++) {
        int64_t at[SINTER_MAX_RANK];
        unravel(i, x->rank, x->shape, at);
        for (int k = 0; k < x->rank; k++)
            at[k] = (mask >> k & 1) != 0 ? 0 : at[k];
        int64_t to = ravel(x->rank, kept, at);
        gather(op, &out->at[to], x->at[i], first[to]);
        first[to] = false;
        if (x->dtype == SINTER_F32)
            total += magnitude(x->at[i]);
    }
    out->known = out->known && (op != MODEL_SUM || total <= EXACT);
    return end(out);
}

model_verdict model_cumsum(const model *x, int axis, model *out)
{
    int a;
    int64_t total = 0;
    if (!take_axis(axis, x->rank, &a))
        return MODEL_BAD;
    if (!is_modelled(x->dtype))
        return MODEL_OPEN;
    begin(out, reduced_dtype(MODEL_SUM, x->dtype), x->rank, x->shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(x->rank, x->shape); i++) {
        int64_t at[SINTER_MAX_RANK];
        unravel(i, x->rank, x->shape, at);
        out->at[i] = x->at[i];
        if (at[a]-- > 0)
            gather(MODEL_SUM, &out->at[i], out->at[ravel(x->rank, x->shape, at)], false);
        if (x->dtype == SINTER_F32)
            total += magnitude(x->at[i]);
    }
    out->known = out->known && total <= EXACT;
    return end(out);
}

model_verdict model_matmul(const model *a, const model *b, model *out)
{
    sinter_dtype dtype;
    int64_t total = 0;
    if (a->rank == 0 || b->rank == 0)
        return MODEL_BAD;
    if (a->rank != 2 || b->rank != 2 || !promote(a->dtype, b->dtype, &dtype) ||
        dtype == SINTER_BOOL)
        return MODEL_OPEN;
    if (a->shape[1] != b->shape[0])
        return MODEL_BAD;
    int64_t n = b->shape[1];
    begin(out, dtype, 2, (int64_t[]){a->shape[0], n});
    out->known = out->known && converts(a, dtype) && converts(b, dtype);
    for (int64_t i = 0; out->known && i < a->shape[0] * n; i++) {
        out->at[i] = 0;
        for (int64_t k = 0; k < a->shape[1]; k++) {
            int64_t product =
                apply(MODEL_MUL, a->at[i / n * a->shape[1] + k], b->at[k * n + i % n]);
            out->at[i] = apply(MODEL_ADD, out->at[i], product);
            if (dtype == SINTER_F32 && total <= EXACT)
                total += magnitude(product);
        }
    }
    out->known = out->known && total <= EXACT;
    return end(out);
}

/* Views */

model_verdict model_transpose(const model *x, const int *axes, model *out)
{
    unsigned mask;
    int64_t shape[SINTER_MAX_RANK];
    int perm[SINTER_MAX_RANK];
    if (axes != NULL && x->rank > 0 && !take_axes(x->rank, axes, x->rank, &mask))
        return MODEL_BAD;
    for (int i = 0; i < x->rank; i++) {
        perm[i] = x->rank - 1 - i;
        if (axes != NULL)
            (void)take_axis(axes[i], x->rank, &perm[i]);
        shape[i] = x->shape[perm[i]];
    }
    begin(out, x->dtype, x->rank, shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(x->rank, shape); i++) {
        int64_t to[SINTER_MAX_RANK];
        int64_t from[SINTER_MAX_RANK];
        unravel(i, x->rank, shape, to);
        for (int k = 0; k < x->rank; k++)
            from[perm[k]] = to[k];
        out->at[i] = x->at[ravel(x->rank, x->shape, from)];
    }
    return end(out);
}

model_verdict model_reshape(const model *x, int rank, const int64_t *shape, model *out)
{
    int64_t count = model_count(x->rank, x->shape);
    if (model_count(rank, shape) != count)
        return MODEL_BAD;
    begin(out, x->dtype, rank, shape);
    out->known = out->known && x->known;
    if (out->known)
        memmove(out->at, x->at, (size_t)count * sizeof *x->at);
    return end(out);
}

model_verdict model_expand(const model *x, int rank, const int64_t *shape, model *out)
{
    if (model_count(rank, shape) < 0 || rank < x->rank)
        return MODEL_BAD;
    for (int i = 0; i < x->rank; i++) {
        if (x->shape[i] != 1 && x->shape[i] != shape[rank - x->rank + i])
            return MODEL_BAD;
    }
    begin(out, x->dtype, rank, shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(rank, shape); i++)
        out->at[i] = seen(x, i, rank, shape);
    return end(out);
}

static int64_t clip(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* As Python's slice.indices: `bound` counts from the end where it is negative, and is clipped. */
static int64_t bound_of(int64_t bound, int64_t extent, int64_t step, int64_t open)
{
    if (bound == INT64_MIN)
        return open;
    if (bound < 0)
        bound = bound < -extent ? -1 : bound + extent;
    return step > 0 ? clip(bound, 0, extent) : clip(bound, -1, extent - 1);
}

model_verdict model_slice(const model *x, int axis, int64_t start, int64_t stop, int64_t step,
                          model *out)
{
    int a;
    int64_t shape[SINTER_MAX_RANK];
    int64_t at[SINTER_MAX_RANK];
    if (!take_axis(axis, x->rank, &a) || step == 0 || step == INT64_MIN)
        return step == INT64_MIN ? MODEL_OPEN : MODEL_BAD;
    int64_t extent = x->shape[a];
    int64_t first = bound_of(start, extent, step, step > 0 ? 0 : extent - 1);
    int64_t last = bound_of(stop, extent, step, step > 0 ? extent : -1);
    int64_t span = step > 0 ? last - first : first - last;
    int64_t by = step > 0 ? step : -step;
    for (int i = 0; i < x->rank; i++)
        shape[i] = x->shape[i];
    shape[a] = span > 0 ? (span - 1) / by + 1 : 0;
    begin(out, x->dtype, x->rank, shape);
    out->known = out->known && x->known;
    for (int64_t i = 0; out->known && i < model_count(x->rank, shape); i++) {
        unravel(i, x->rank, shape, at);
        at[a] = first + at[a] * step;
        out->at[i] = x->at[ravel(x->rank, x->shape, at)];
    }
    return end(out);
}

model_verdict model_flip(const model *x, int axis, model *out)
{
    return model_slice(x, axis, INT64_MIN, INT64_MIN, -1, out);
}

model_verdict model_update(const model *x, int axis, int64_t start, int64_t count,
                           const model *value, model *out)
{
    int a;
    model part;
    if (!take_axis(axis, x->rank, &a) || start < 0 || count < 0 || start + count > x->shape[a])
        return MODEL_BAD;
    begin(out, x->dtype, x->rank, x->shape);
    begin(&part, x->dtype, x->rank, x->shape);
    part.shape[a] = count;
    model whole;
    if (model_expand(value, part.rank, part.shape, &whole) == MODEL_BAD)
        return MODEL_BAD;
    out->known = out->known && x->known && value->known && converts(value, x->dtype) && whole.known;
    for (int64_t i = 0; out->known && i < model_count(x->rank, x->shape); i++) {
        int64_t at[SINTER_MAX_RANK];
        unravel(i, x->rank, x->shape, at);
        at[a] -= start;
        bool inside = at[a] >= 0 && at[a] < count;
        int64_t v = inside ? whole.at[ravel(x->rank, part.shape, at)] : x->at[i];
        out->at[i] = inside && x->dtype == SINTER_BOOL ? v != 0 : v;
    }
    return end(out);
}

/* Bytes */

bool model_is(const model *x, const void *data, size_t bytes)
{
    size_t size = sinter_dtype_bytes(x->dtype);
    size_t count = (size_t)model_count(x->rank, x->shape);
    bool same = bytes == count * size;
    for (size_t i = 0; same && i < count; i++) {
        const char *at = (const char *)data + i * size;
        float f = 0;
        int32_t word = 0;
        int64_t wide = 0;
        if (x->dtype == SINTER_F32)
            memcpy(&f, at, sizeof f);
        else if (x->dtype == SINTER_I32)
            memcpy(&word, at, sizeof word);
        else if (x->dtype == SINTER_I64)
            memcpy(&wide, at, sizeof wide);
        same = x->dtype == SINTER_F32   ? f == (float)x->at[i]
               : x->dtype == SINTER_I32 ? word == x->at[i]
               : x->dtype == SINTER_I64 ? wide == x->at[i]
                                        : *at == x->at[i];
    }
    return same;
}

void model_store(const model *x, void *data)
{
    size_t size = sinter_dtype_bytes(x->dtype);
    size_t count = (size_t)model_count(x->rank, x->shape);
    for (size_t i = 0; i < count; i++) {
        char *at = (char *)data + i * size;
        float f = (float)x->at[i];
        int32_t word = (int32_t)x->at[i];
        if (x->dtype == SINTER_F32)
            memcpy(at, &f, size);
        else if (x->dtype == SINTER_I32)
            memcpy(at, &word, size);
        else if (x->dtype == SINTER_I64)
            memcpy(at, &x->at[i], size);
        else
            *at = (char)x->at[i];
    }
}
