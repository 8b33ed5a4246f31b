/* What becomes of the parts that the streams of a shard have made. */
#include "executor/shard/shard.h"

#include "fusion/nest/tree.h"
#include "sinter/array.h"
#include "sinter/ops.h"
#include "sinter/tensor.h"

typedef sinter_status (*reduction)(sinter_stream *, sinter_tensor, int, const int *, bool,
                                   sinter_tensor *);

static reduction reduction_of(sinter_shard_join join)
{
    static const reduction all[] = {NULL, sinter_sum, sinter_prod, sinter_max, sinter_min};
    return all[join];
}

static bool is_ordered(sinter_shard_join join)
{
    return join == SINTER_SHARD_SUM || join == SINTER_SHARD_PROD;
}

static sinter_tensor *made_of(const sinter__shard_run *r, size_t o, size_t k)
{
    return &r->made[k * r->output_count + o];
}

/* Elements of the axis that the canonical order takes in sequence (fusion/nest/tree.h). */
static int64_t run_of(const sinter_tensor_desc *d, int axis)
{
    return axis == d->rank - 1 ? SINTER__TREE_CHUNK : SINTER__TREE_RUN;
}

/* Whether one stream has all rows, which it reduces as a whole. */
static bool is_alone(const sinter__shard_run *r)
{
    return r->first[r->last] == 0;
}

/* Whether the parts of all streams begin where such a run does, and there is more than one. */
static bool is_aligned(const sinter__shard_run *r, int64_t run)
{
    for (size_t k = 0; k < r->shard->count; k++) {
        if (r->rows[k] > 0 && r->first[k] % run != 0)
            return false;
    }
    return !is_alone(r);
}

/* Whether the parts of an output are reduced on their streams, run by run. */
static bool goes_by_runs(const sinter__shard_run *r, const sinter_tensor_desc *d, int axis,
                         sinter_shard_join join)
{
    return is_ordered(join) && d->rank < SINTER_MAX_RANK && is_aligned(r, run_of(d, axis));
}

/* Of part `k`: as its rows and the first part want it. */
static sinter_status check_part(sinter__shard_run *r, size_t o, size_t k, int *axis)
{
    sinter_tensor_desc d;
    sinter_tensor_desc *first = &r->descs[o];
    char one[SINTER__SHAPE_TEXT];
    char other[SINTER__SHAPE_TEXT];
    sinter_tensor t = *made_of(r, o, k);
    for (size_t i = 0; i < o; i++) {
        if (made_of(r, i, k)->id == t.id)
            return sinter__fail(SINTER_EINVAL, "outputs %zu and %zu are one tensor", i, o);
    }
    SINTER_TRY(sinter_tensor_describe(r->shard->ctx, t, &d));
    SINTER_TRY(sinter__shard_axis("output", o, r->outputs[o].axis, d.rank, axis));
    if (d.shape[*axis] != r->rows[k])
        return sinter__fail(SINTER_ESHAPE, "output %zu has %lld rows, its part %lld", o,
                            (long long)d.shape[*axis], (long long)r->rows[k]);
    d.shape[*axis] = r->total;
    if (first->rank == 0)
        *first = d;
    if (d.dtype == first->dtype && sinter__shape_equal(d.rank, d.shape, first->rank, first->shape))
        return SINTER_OK;
    return sinter__fail(d.dtype == first->dtype ? SINTER_ESHAPE : SINTER_EDTYPE,
                        "output %zu would come to %s %s, by the first part to %s %s", o,
                        sinter_dtype_name(d.dtype), sinter__shape_text(d.rank, d.shape, one),
                        sinter_dtype_name(first->dtype),
                        sinter__shape_text(first->rank, first->shape, other));
}

/* The sum of each run among the first `whole` rows: the axis becomes two, of which one goes. */
static sinter_status reduce_runs(sinter_stream *s, sinter_shard_join join, sinter_tensor x,
                                 const sinter_tensor_desc *d, int axis, int64_t run, int64_t whole,
                                 sinter_tensor *out)
{
    sinter_tensor rows;
    sinter_tensor runs;
    int64_t shape[SINTER_MAX_RANK];
    int inner = axis + 1;
    for (int i = 0; i < d->rank; i++)
        shape[i < inner ? i : i + 1] = d->shape[i];
    shape[axis] = whole / run;
    shape[inner] = run;
    SINTER_TRY(sinter_slice(s, x, axis, 0, whole, 1, &rows));
    SINTER_TRY(sinter_reshape(s, rows, d->rank + 1, shape, &runs));
    return reduction_of(join)(s, runs, 1, &inner, false, out);
}

/* What the stream adds up of its rows: a row for each run, and one for those behind the last whole run. */
static sinter_status reduce_part(sinter__shard_run *r, size_t o, size_t k, int axis)
{
    sinter_stream *s = r->shard->streams[k];
    sinter_shard_join join = r->outputs[o].join;
    const sinter_tensor_desc *d = &r->descs[o];
    int64_t run = run_of(d, axis);
    int64_t rows = r->rows[k];
    int64_t whole = rows - rows % run;
    sinter_tensor x = *made_of(r, o, k);
    if (sinter__is_half(d->dtype))
        SINTER_TRY(sinter_cast(s, x, SINTER_F32, &x));
    sinter_tensor tail;
    sinter_tensor *to = whole > 0 ? &r->tails[o] : made_of(r, o, k);
    if (whole < rows) {
        SINTER_TRY(sinter_slice(s, x, axis, whole, rows, 1, &tail));
        SINTER_TRY(reduction_of(join)(s, tail, 1, &axis, true, to));
    }
    return whole > 0 ? reduce_runs(s, join, x, d, axis, run, whole, made_of(r, o, k)) : SINTER_OK;
}

sinter_status sinter__shard_reduce(sinter__shard_run *r, size_t k)
{
    for (size_t o = 0; o < r->output_count; o++) {
        sinter_shard_join join = r->outputs[o].join;
        int axis = 0;
        SINTER_TRY(check_part(r, o, k, &axis));
        if (is_ordered(join))
            r->shard->run = SINTER__MAX(r->shard->run, run_of(&r->descs[o], axis));
        if (goes_by_runs(r, &r->descs[o], axis, join))
            SINTER_TRY(reduce_part(r, o, k, axis));
        else if (join != SINTER_SHARD_CONCAT && (is_alone(r) || !is_ordered(join)))
            SINTER_TRY(reduction_of(join)(r->shard->streams[k], *made_of(r, o, k), 1, &axis,
                                          !is_alone(r), made_of(r, o, k)));
    }
    return SINTER_OK;
}

/* Joining */

/* `*whole` with the rows from *at on replaced by `part`, which is given back. */
static sinter_status put(const sinter__shard_run *r, sinter_tensor *whole, int axis, int64_t *at,
                         size_t k, sinter_tensor *part)
{
    sinter_stream *root = r->shard->streams[r->shard->root];
    sinter_tensor_desc d;
    sinter_tensor next;
    if (part->id == 0)
        return SINTER_OK;
    SINTER_TRY(sinter_tensor_describe(r->shard->ctx, *part, &d));
    const sinter_range range = {axis, *at, *at + d.shape[axis], 1};
    SINTER_TRY(sinter_update(root, *whole, 1, &range, *part, &next));
    *at += d.shape[axis];
    sinter__release_quietly(root, *whole);
    *whole = next;
    sinter__release_quietly(r->shard->streams[k], *part);
    part->id = 0;
    return SINTER_OK;
}

/* All parts of output `o` in *out, which has room for them. */
static sinter_status put_all(sinter__shard_run *r, size_t o, int axis, sinter_tensor *out)
{
    int64_t at = 0;
    for (size_t k = 0; k < r->shard->count; k++)
        SINTER_TRY(put(r, out, axis, &at, k, made_of(r, o, k)));
    return put(r, out, axis, &at, r->last, &r->tails[o]);
}

/* The parts one after the other. What is alone comes as it is. */
static sinter_status concat(sinter__shard_run *r, size_t o, int axis, const sinter_tensor_desc *d,
                            sinter_tensor *out)
{
    sinter_shard *shard = r->shard;
    sinter_stream *root = shard->streams[shard->root];
    sinter_tensor *last = made_of(r, o, r->last);
    if (!is_alone(r)) {
        SINTER_TRY(sinter__tensor_empty(root, d->dtype, d->rank, d->shape, out));
        return put_all(r, o, axis, out);
    }
    if (r->last != shard->root)
        return sinter_tensor_to(root, *last, out);
    *out = *last;
    last->id = 0;
    return SINTER_OK;
}

/* Half as many runs, by the tree. */
static sinter_status halve(sinter_stream *s, sinter_shard_join join, int axis, int64_t half,
                           sinter_tensor *runs)
{
    sinter_tensor low = {0};
    sinter_tensor high = {0};
    sinter_tensor next = {0};
    sinter_status status = sinter_slice(s, *runs, axis, 0, half, 1, &low);
    if (status == SINTER_OK)
        status = sinter_slice(s, *runs, axis, half, 2 * half, 1, &high);
    if (status == SINTER_OK)
        status = join == SINTER_SHARD_SUM ? sinter_add(s, low, high, &next)
                                          : sinter_mul(s, low, high, &next);
    sinter__release_quietly(s, low);
    sinter__release_quietly(s, high);
    sinter__release_quietly(s, *runs);
    *runs = next;
    return status;
}

/* The tree over up to 64 of them: as that of a row, in which each partial has one element then. */
static sinter_status combine_row(sinter_stream *s, sinter_shard_join join, int rank, int axis,
                                 sinter_tensor runs, sinter_tensor *out)
{
    int axes[SINTER_MAX_RANK];
    int last = rank - 1;
    sinter_tensor turned;
    for (int i = 0; i < rank; i++)
        axes[i] = i < axis ? i : i + 1;
    axes[last] = axis;
    SINTER_TRY(sinter_transpose(s, runs, axes, &turned));
    sinter_status status = reduction_of(join)(s, turned, 1, &last, false, out);
    sinter__release_quietly(s, turned);
    return status;
}

/* What takes no part in a sum, a product. */
static sinter_scalar identity_of(sinter_shard_join join, sinter_dtype dtype)
{
    bool is_float = dtype == SINTER_F32 || dtype == SINTER_F64;
    if (is_float)
        return sinter_scalar_float(join == SINTER_SHARD_SUM ? -0.0 : 1.0);
    return sinter_scalar_int(join == SINTER_SHARD_SUM ? 0 : 1);
}

/* Sums of runs to the sum of all. */
static sinter_status combine(sinter__shard_run *r, size_t o, int axis, sinter_tensor *out)
{
    sinter_stream *s = r->shard->streams[r->shard->root];
    sinter_shard_join join = r->outputs[o].join;
    const sinter_tensor_desc *d = &r->descs[o];
    sinter_tensor_desc runs;
    sinter_tensor all = {0};
    SINTER_TRY(sinter_tensor_describe(r->shard->ctx, *made_of(r, o, r->last), &runs));
    int64_t count = sinter__div_up(r->total, run_of(d, axis));
    int64_t room = SINTER__TREE_LANES;
    while (room < count)
        room *= 2;
    runs.shape[axis] = count > SINTER__TREE_LANES ? room : count;
    sinter_status status =
        count > SINTER__TREE_LANES
            ? sinter_full(s, runs.dtype, runs.rank, runs.shape, identity_of(join, runs.dtype), &all)
            : sinter__tensor_empty(s, runs.dtype, runs.rank, runs.shape, &all);
    if (status == SINTER_OK)
        status = put_all(r, o, axis, &all);
    for (int64_t n = runs.shape[axis]; n > SINTER__TREE_LANES && status == SINTER_OK; n /= 2)
        status = halve(s, join, axis, n / 2, &all);
    if (status == SINTER_OK)
        status = combine_row(s, join, runs.rank, axis, all, out);
    sinter__release_quietly(s, all);
    return status;
}

static sinter_status join_part(sinter__shard_run *r, size_t o, int axis, sinter_tensor *out)
{
    sinter_stream *root = r->shard->streams[r->shard->root];
    sinter_shard_join join = r->outputs[o].join;
    sinter_tensor_desc d = r->descs[o];
    sinter_tensor whole = {0};
    if (goes_by_runs(r, &d, axis, join))
        return combine(r, o, axis, out);
    if (join == SINTER_SHARD_CONCAT || is_alone(r))
        return concat(r, o, axis, &d, out);
    if (!is_ordered(join)) {
        d.shape[axis] = 0; /* one of each part */
        for (size_t k = 0; k < r->shard->count; k++)
            d.shape[axis] += sinter__shard_has(r, k);
    }
    sinter_status status = concat(r, o, axis, &d, &whole);
    if (status == SINTER_OK)
        status = reduction_of(join)(root, whole, 1, &axis, false, out);
    sinter__release_quietly(root, whole);
    return status;
}

/* A sum of f16 and bf16 is rounded once. */
sinter_status sinter__shard_join(sinter__shard_run *r, size_t o, sinter_tensor *out)
{
    sinter_stream *root = r->shard->streams[r->shard->root];
    sinter_dtype dtype = r->descs[o].dtype;
    int axis = 0;
    SINTER_TRY(sinter__shard_axis("output", o, r->outputs[o].axis, r->descs[o].rank, &axis));
    sinter_tensor wide = {0};
    sinter_status status = join_part(r, o, axis, &wide);
    bool rounds = goes_by_runs(r, &r->descs[o], axis, r->outputs[o].join) && sinter__is_half(dtype);
    if (status == SINTER_OK && rounds)
        status = sinter_cast(root, wide, dtype, out);
    else
        *out = wide;
    if (rounds || status != SINTER_OK)
        sinter__release_quietly(root, wide);
    if (status != SINTER_OK)
        out->id = 0;
    return status;
}
