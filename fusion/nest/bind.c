#include "fusion/nest/bind.h"

#include "fusion/nest/phase.h"

#include <string.h>

static bool is_reduced(const sinter__graph *g, const sinter__nest *nest, int axis, int rank)
{
    if (nest->form == SINTER__FORM_REDUCE || nest->form == SINTER__FORM_SCAN)
        return (g->nodes[nest->root].attr >> axis & 1) != 0;
    return nest->form == SINTER__FORM_CONTRACT && axis == rank - 1;
}

/* Drops axes of extent 1 and puts the reduced ones last. The two or three last axes of a product and
 * the one of a scan always stay: their schedules count on them. */
static void order_axes(const sinter__graph *g, const sinter__nest *nest, const sinter__view *v,
                       int *order, sinter__bound_nest *out)
{
    int count = 0;
    out->parallel_rank = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < v->rank; i++) {
            bool reduced = is_reduced(g, nest, i, v->rank);
            bool stays = nest->form == SINTER__FORM_CONTRACT
                             ? i >= v->rank - 3
                             : nest->form == SINTER__FORM_SCAN && reduced;
            if (reduced == (pass == 1) && (v->shape[i] != 1 || stays))
                order[count++] = i;
        }
        if (pass == 0)
            out->parallel_rank = count;
    }
    out->reduced_rank = count - out->parallel_rank;
}

/* The axes of `v` that are not of extent 1, in order: stores of one MAP may differ in those. */
static void squeeze(sinter__view *v)
{
    int kept = 0;
    for (int i = 0; i < v->rank; i++) {
        if (v->shape[i] != 1) {
            v->shape[kept] = v->shape[i];
            v->strides[kept++] = v->strides[i];
        }
    }
    v->rank = kept;
}

static bool can_merge(const sinter__nest *nest, const sinter__bound_nest *b, int axis)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const int64_t *stride = b->accesses[a].stride;
        if (stride[axis] != stride[axis + 1] * b->extent[axis + 1])
            return false;
    }
    return true;
}

static void merge(const sinter__nest *nest, sinter__bound_nest *b, int axis, int rank)
{
    b->extent[axis] *= b->extent[axis + 1];
    for (int i = axis + 1; i + 1 < rank; i++)
        b->extent[i] = b->extent[i + 1];
    for (uint16_t a = 0; a < nest->access_count; a++) {
        int64_t *stride = b->accesses[a].stride;
        for (int i = axis; i + 1 < rank; i++)
            stride[i] = stride[i + 1];
    }
}

/* Joins neighbouring axes of a kind. In a product only batch axes join, and batch with m. */
static void collapse(const sinter__nest *nest, sinter__bound_nest *b)
{
    for (int i = b->parallel_rank + b->reduced_rank - 2; i >= 0; i--) {
        bool same_kind = (i + 1 < b->parallel_rank) == (i < b->parallel_rank);
        if (nest->form == SINTER__FORM_CONTRACT && i + 1 >= b->parallel_rank - 1)
            continue;
        if (!same_kind || !can_merge(nest, b, i))
            continue;
        merge(nest, b, i, b->parallel_rank + b->reduced_rank);
        if (i < b->parallel_rank)
            b->parallel_rank--;
        else
            b->reduced_rank--;
    }
}

/* A domain without axes is one element; it takes the kernel of the flat loop. */
static void give_axis(const sinter__nest *nest, sinter__bound_nest *b)
{
    if (b->parallel_rank > 0)
        return;
    for (int i = b->reduced_rank; i > 0; i--) {
        b->extent[i] = b->extent[i - 1];
        for (uint16_t a = 0; a < nest->access_count; a++)
            b->accesses[a].stride[i] = b->accesses[a].stride[i - 1];
    }
    b->extent[0] = 1;
    b->parallel_rank = 1;
    for (uint16_t a = 0; a < nest->access_count; a++)
        b->accesses[a].stride[0] = 1;
}

static void find_linear(const sinter__nest *nest, sinter__bound_nest *b)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        int64_t packed = 1;
        bool linear = nest->form == SINTER__FORM_MAP;
        for (int i = b->parallel_rank - 1; i >= 0 && linear; i--) {
            linear = b->accesses[a].stride[i] == packed;
            packed *= b->extent[i];
        }
        b->accesses[a].linear = linear;
    }
}

static sinter_status bind_accesses(const sinter__graph *g, const sinter__nest *nest, int64_t narrow,
                                   sinter__bound_nest *out)
{
    int order[SINTER__NEST_RANK];
    int rank = -1;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__access *access = &nest->accesses[a];
        sinter__bound_access *bound = &out->accesses[a];
        sinter__view v;
        if (!sinter__access_view(g, nest, access, &v))
            return sinter__fail(SINTER_EINTERNAL, "a view of tensor %u cannot be expressed",
                                (unsigned)access->tensor);
        if (nest->form == SINTER__FORM_MAP)
            squeeze(&v);
        if (rank < 0)
            order_axes(g, nest, &v, order, out);
        rank = out->parallel_rank + out->reduced_rank;
        *bound = (sinter__bound_access){.offset = v.offset};
        bound->distinct = sinter__view_distinct(&v);
        int64_t low;
        int64_t high;
        sinter__view_span(&v, &low, &high);
        out->wide |= low <= -narrow || high >= narrow;
        for (int i = 0; i < rank; i++) {
            out->extent[i] = v.shape[order[i]];
            bound->stride[i] = v.strides[order[i]];
        }
    }
    return SINTER_OK;
}

sinter_status sinter__bind(const sinter__graph *g, const sinter__nest *nest, int64_t narrow,
                           sinter__bound_nest *out)
{
    sinter__bound_access *accesses = out->accesses;
    *out = (sinter__bound_nest){.accesses = accesses, .parallel = 1, .reduced = 1};
    SINTER_TRY(bind_accesses(g, nest, narrow, out));
    if (nest->form == SINTER__FORM_REDUCE || nest->form == SINTER__FORM_SCAN) {
        const sinter__node *node = &g->nodes[nest->root];
        int in_rank = g->tensors[node->in[0]].view.rank;
        out->last_reduced = in_rank > 0 && (node->attr >> (in_rank - 1) & 1) != 0;
    }
    collapse(nest, out);
    give_axis(nest, out);
    find_linear(nest, out);
    for (int i = 0; i < out->parallel_rank; i++)
        out->parallel *= out->extent[i];
    for (int i = 0; i < out->reduced_rank; i++)
        out->reduced *= out->extent[out->parallel_rank + i];
    out->wide |= out->parallel >= narrow || out->reduced >= narrow;
    if (nest->form == SINTER__FORM_SCAN && out->reduced == 0)
        out->parallel = 0; /* no elements: nothing to launch */
    return SINTER_OK;
}

bool sinter__bound_varies(const sinter__bound_nest *bound, uint16_t access)
{
    bool varies = false;
    for (int i = 0; i < bound->reduced_rank; i++)
        varies |= bound->accesses[access].stride[bound->parallel_rank + i] != 0;
    return varies;
}

void sinter__bound_per_row(const sinter__nest *nest, const sinter__bound_nest *bound, bool *per_row)
{
    bool varies[SINTER__NEST_VALUES];
    for (uint16_t a = 0; a < nest->access_count; a++)
        varies[a] = sinter__bound_varies(bound, a);
    sinter__find_per_row(nest, varies, per_row);
}
