/* Axes through chains of views, without looking at an extent beyond what a plan's key holds: which
 * are 1, how a reshape groups them, whether a slice is all of its axis. */
#include "fusion/nest/axes.h"

#include <string.h>

/* By axis of what is seen: the tensor's own axis that it is; NONE: it repeats, or its extent is 1. */
typedef struct axes {
    int rank;
    int from[SINTER__NEST_RANK];
} axes;

#define NONE (-1)

static const sinter__view *shape_of(const sinter__graph *g, uint16_t tensor)
{
    return &g->tensors[tensor].view;
}

static void expand(axes *a, int rank)
{
    axes out = {.rank = rank};
    for (int i = 0; i < rank; i++)
        out.from[i] = i >= rank - a->rank ? a->from[i - (rank - a->rank)] : NONE;
    *a = out;
}

/* The only axis of more than one element in [first, end); NONE when there is none, or -2. */
static int only_axis(const sinter__view *v, int first, int end)
{
    int found = NONE;
    for (int i = first; i < end; i++) {
        if (v->shape[i] == 1)
            continue;
        if (found != NONE)
            return -2;
        found = i;
    }
    return found;
}

static bool reshape(axes *a, const sinter__view *in, const sinter__view *out)
{
    uint32_t in_starts;
    uint32_t out_starts;
    axes next = {.rank = out->rank};
    memset(next.from, NONE, sizeof next.from);
    sinter__reshape_blocks(in->rank, in->shape, out->rank, out->shape, &in_starts, &out_starts);
    int i = 0;
    int o = 0;
    while (i < in->rank || o < out->rank) {
        int i_end = sinter__block_end(in_starts, i, in->rank);
        int o_end = sinter__block_end(out_starts, o, out->rank);
        int from = only_axis(in, i, i_end);
        int to = only_axis(out, o, o_end);
        if (from < NONE || to < NONE || (from == NONE) != (to == NONE))
            return false;
        if (from != NONE)
            next.from[to] = a->from[from];
        i = i_end;
        o = o_end;
    }
    *a = next;
    return true;
}

static bool through_view(const sinter__graph *g, const sinter__node *n, axes *a)
{
    const sinter__view *in = shape_of(g, n->in[0]);
    const sinter__view *out = shape_of(g, n->out);
    axes old = *a;
    switch ((sinter__op)n->op) {
    case SINTER__OP_TRANSPOSE:
        for (int i = 0; i < a->rank; i++)
            a->from[i] = old.from[n->attr >> (4 * i) & 15];
        return true;
    case SINTER__OP_SLICE:
        return in->shape[n->attr] == out->shape[n->attr] && g->params[n->param + 1] == 1;
    case SINTER__OP_EXPAND:
        expand(a, out->rank);
        return true;
    default:
        return reshape(a, in, out);
    }
}

static bool is_reduced(const sinter__node *root, int axis)
{
    return (root->attr >> axis & 1) != 0;
}

/* What has the domain's axes, or those that are kept, onto all of them. */
static void spread(const sinter__graph *g, const sinter__node *root, axes *a)
{
    axes out = {.rank = shape_of(g, root->in[0])->rank};
    int from = 0;
    for (int i = 0; i < out.rank; i++) {
        out.from[i] = is_reduced(root, i) ? NONE : a->from[from];
        from += !is_reduced(root, i) || a->rank == out.rank;
    }
    *a = out;
}

static bool follow(const sinter__graph *g, const sinter__link *link, axes *a)
{
    switch ((sinter__link_kind)link->kind) {
    case SINTER__LINK_VIEW:
        return through_view(g, &g->nodes[link->ref], a);
    case SINTER__LINK_EXPAND:
        expand(a, shape_of(g, link->ref)->rank);
        return true;
    case SINTER__LINK_REDUCED:
        spread(g, &g->nodes[link->ref], a);
        return true;
    default:
        return false;
    }
}

static axes own_axes(const sinter__view *v)
{
    axes a = {.rank = v->rank};
    for (int i = 0; i < v->rank; i++)
        a.from[i] = v->shape[i] != 1 ? i : NONE;
    return a;
}

static bool same_axes(const axes *a, const axes *b, const sinter__view *domain)
{
    for (int i = 0; i < domain->rank; i++) {
        if (domain->shape[i] != 1 && a->from[i] != b->from[i])
            return false;
    }
    return true;
}

/* Whether a tensor of that rank has the axes that are kept, alone or among all. */
static bool has_kept_rank(const sinter__node *root, int rank, int domain_rank)
{
    int kept = 0;
    for (int i = 0; i < domain_rank; i++)
        kept += !is_reduced(root, i);
    return rank == domain_rank || rank == kept;
}

static sinter__axes_kind place_of(const sinter__graph *g, const sinter__view *own, const axes *seen,
                                  const sinter__node *root)
{
    const sinter__view *domain = shape_of(g, root->in[0]);
    axes same = own_axes(own);
    axes whole = own_axes(domain);
    axes kept = same;
    if (own->rank == domain->rank && same_axes(seen, &same, domain) &&
        same_axes(&same, &whole, domain))
        return SINTER__AXES_SAME;
    if (!has_kept_rank(root, own->rank, domain->rank))
        return SINTER__AXES_OTHER;
    spread(g, root, &kept);
    for (int i = 0; i < domain->rank; i++) {
        if (domain->shape[i] != 1 && !is_reduced(root, i) && kept.from[i] == NONE)
            return SINTER__AXES_OTHER;
    }
    return same_axes(seen, &kept, domain) ? SINTER__AXES_KEPT : SINTER__AXES_OTHER;
}

sinter__axes_kind sinter__axes_seen(const sinter__graph *g, const sinter__link *links,
                                    uint16_t tensor, uint16_t chain, uint16_t root)
{
    axes seen = own_axes(shape_of(g, tensor));
    for (uint16_t i = chain; i != SINTER__CHAIN_END; i = links[i].next) {
        if (!follow(g, &links[i], &seen))
            return SINTER__AXES_OTHER;
    }
    return place_of(g, shape_of(g, tensor), &seen, &g->nodes[root]);
}

sinter__axes_kind sinter__axes_of(const sinter__graph *g, uint16_t tensor, uint16_t root)
{
    const sinter__node *node = &g->nodes[root];
    const sinter__view *own = shape_of(g, tensor);
    const sinter__view *domain = shape_of(g, node->in[0]);
    int at = 0;
    bool same = own->rank == domain->rank;
    for (int i = 0; i < domain->rank && same; i++)
        same = (own->shape[i] == 1) == (domain->shape[i] == 1);
    if (same)
        return SINTER__AXES_SAME;
    if (!has_kept_rank(node, own->rank, domain->rank))
        return SINTER__AXES_OTHER;
    for (int i = 0; i < domain->rank; i++) {
        bool gone = is_reduced(node, i);
        if (gone && own->rank != domain->rank)
            continue;
        if ((own->shape[at++] == 1) != (gone || domain->shape[i] == 1))
            return SINTER__AXES_OTHER;
    }
    return SINTER__AXES_KEPT;
}
