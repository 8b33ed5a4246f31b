/* x[subscripts] as NumPy's basic indexing: a SLICE for each axis that is not taken whole, then at
 * most one RESHAPE that takes out the axes of integers and puts in those of None. */
#include "core/item.h"

typedef struct indexing {
    const sinter__builder *b;
    sinter_tensor x; /* so far */
    bool owned;      /* x was made on the way */
    sinter_tensor_desc desc;
    int axis; /* next one of x */
    int rank; /* of the result so far */
    int64_t shape[SINTER_MAX_RANK];
    bool reshapes;
} indexing;

static sinter_status slice_axis(indexing *s, int64_t start, int64_t step, int64_t count)
{
    sinter__builder_operand x = {.tensor = s->x};
    sinter__attrs attrs = {
        .axis_count = 1, .axes = &s->axis, .start = start, .step = step, .count = count};
    sinter_tensor made;
    SINTER_TRY(s->b->apply(s->b->self, SINTER__OP_SLICE, 1, &x, &attrs, &made));
    if (s->owned)
        s->b->release(s->b->self, s->x);
    s->x = made;
    s->owned = true;
    return SINTER_OK;
}

static sinter_status add_extent(indexing *s, int64_t extent)
{
    if (s->rank >= SINTER_MAX_RANK) {
        return sinter__fail(SINTER_EINVAL, "index: the result has more than %d axes",
                            SINTER_MAX_RANK);
    }
    s->shape[s->rank++] = extent;
    return SINTER_OK;
}

static sinter_status take_integer(indexing *s, const sinter__number *number)
{
    int64_t extent = s->desc.shape[s->axis];
    int64_t i = 0;
    bool small = sinter__number_to_i64(number, &i);
    int64_t at = i < 0 ? i + extent : i;
    if (!small || at < 0 || at >= extent) {
        return sinter__fail(
            SINTER_ERANGE, "index: %lld is out of range for dimension %d of extent %lld",
            small ? (long long)i : (long long)INT64_MAX, s->axis, (long long)extent);
    }
    s->reshapes = true;
    if (extent != 1)
        SINTER_TRY(slice_axis(s, at, 1, 1));
    s->axis++;
    return SINTER_OK;
}

static sinter_status take_range(indexing *s, const sinter__slice *range)
{
    int64_t extent = s->desc.shape[s->axis];
    int64_t start;
    int64_t count;
    SINTER_TRY(sinter__slice_resolve(range, extent, &start, &count));
    if (count != extent || range->step != 1)
        SINTER_TRY(slice_axis(s, count > 0 ? start : 0, range->step, count));
    s->axis++;
    return add_extent(s, count);
}

static sinter_status take_whole(indexing *s, int axes)
{
    for (int i = 0; i < axes; i++)
        SINTER_TRY(add_extent(s, s->desc.shape[s->axis++]));
    return SINTER_OK;
}

/* How many axes the subscripts name; the others belong to the ellipsis, or follow. */
static sinter_status count_axes(const indexing *s, int count, const sinter__item *subscripts,
                                int *named)
{
    int ellipses = 0;
    *named = 0;
    for (int i = 0; i < count; i++) {
        const sinter__item *v = &subscripts[i];
        bool integer = v->kind == SINTER__ITEM_NUMBER && v->number.kind == SINTER__NUMBER_INT;
        bool known = integer || v->kind == SINTER__ITEM_RANGE || v->kind == SINTER__ITEM_ELLIPSIS ||
                     v->kind == SINTER__ITEM_NONE;
        if (!known) {
            return sinter__fail(SINTER_EDTYPE,
                                "index: subscript %d is %s; integers, slices, ... and None are "
                                "taken",
                                i + 1, sinter__item_text(v));
        }
        ellipses += v->kind == SINTER__ITEM_ELLIPSIS;
        *named += integer || v->kind == SINTER__ITEM_RANGE;
    }
    if (ellipses > 1)
        return sinter__fail(SINTER_EINVAL, "index: more than one ...");
    if (*named > s->desc.rank) {
        return sinter__fail(SINTER_ERANGE, "index: %d subscripts for rank %d", *named,
                            s->desc.rank);
    }
    return SINTER_OK;
}

static sinter_status take_subscripts(indexing *s, int count, const sinter__item *subscripts)
{
    int named;
    SINTER_TRY(count_axes(s, count, subscripts, &named));
    for (int i = 0; i < count; i++) {
        const sinter__item *v = &subscripts[i];
        switch (v->kind) {
        case SINTER__ITEM_NUMBER:
            SINTER_TRY(take_integer(s, &v->number));
            break;
        case SINTER__ITEM_RANGE:
            SINTER_TRY(take_range(s, &v->of.range));
            break;
        case SINTER__ITEM_ELLIPSIS:
            SINTER_TRY(take_whole(s, s->desc.rank - named));
            break;
        default: /* None */
            s->reshapes = true;
            SINTER_TRY(add_extent(s, 1));
            break;
        }
    }
    return take_whole(s, s->desc.rank - s->axis);
}

static sinter_status finish_shape(indexing *s, sinter__item *out)
{
    if (s->reshapes) {
        sinter__builder_operand x = {.tensor = s->x};
        sinter__attrs attrs = {.rank = s->rank, .shape = s->shape};
        sinter_tensor made;
        SINTER_TRY(s->b->apply(s->b->self, SINTER__OP_RESHAPE, 1, &x, &attrs, &made));
        if (s->owned)
            s->b->release(s->b->self, s->x);
        s->x = made;
    } else if (!s->owned) {
        SINTER_TRY(s->b->retain(s->b->self, s->x)); /* x[...] is x */
    }
    s->owned = false;
    sinter__item_own(out, s->x);
    return SINTER_OK;
}

sinter_status sinter__apply_index(const sinter__builder *b, const sinter__item *x, int count,
                                  const sinter__item *subscripts, sinter__item *out)
{
    indexing s = {.b = b};
    sinter_tensor filled;
    SINTER_TRY(sinter__item_tensor(b, "index", x, &s.x, &filled));
    s.owned = filled.id != 0;
    sinter_status status = b->describe(b->self, s.x, &s.desc);
    if (status == SINTER_OK)
        status = take_subscripts(&s, count, subscripts);
    if (status == SINTER_OK)
        status = finish_shape(&s, out);
    if (s.owned)
        b->release(b->self, s.x);
    return status;
}
