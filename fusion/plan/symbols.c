#include "fusion/plan/symbols.h"

static uint32_t find(sinter__symbols *s, uint32_t x)
{
    while (s->parent[x] != x) {
        s->parent[x] = s->parent[s->parent[x]];
        x = s->parent[x];
    }
    return x;
}

static void join(sinter__symbols *s, uint32_t a, uint32_t b)
{
    uint32_t x = find(s, a);
    uint32_t y = find(s, b);
    if (x != y)
        s->parent[SINTER__MAX(x, y)] = SINTER__MIN(x, y);
}

static uint32_t *symbols_of(sinter__symbols *s, uint16_t tensor)
{
    return s->symbol + (size_t)tensor * SINTER_MAX_RANK;
}

static const sinter__view *view_of(const sinter__symbols *s, uint16_t tensor)
{
    return &s->g->tensors[tensor].view;
}

static void set_fresh(sinter__symbols *s, uint16_t tensor, int axis)
{
    if (view_of(s, tensor)->shape[axis] == 1)
        return;
    uint32_t x = s->count++;
    s->parent[x] = x;
    symbols_of(s, tensor)[axis] = x;
}

/* Every axis of `tensor` that has no symbol yet. */
static void set_rest(sinter__symbols *s, uint16_t tensor)
{
    for (int i = 0; i < view_of(s, tensor)->rank; i++) {
        if (symbols_of(s, tensor)[i] == 0)
            set_fresh(s, tensor, i);
    }
}

/* Axis `to` of `out` has the extent of axis `from` of `in`. */
static void carry(sinter__symbols *s, uint16_t out, int to, uint16_t in, int from)
{
    uint32_t *slot = &symbols_of(s, out)[to];
    uint32_t symbol = symbols_of(s, in)[from];
    if (symbol == 0 || view_of(s, out)->shape[to] == 1)
        return;
    if (*slot == 0)
        *slot = symbol;
    else
        join(s, *slot, symbol);
}

/* Axes aligned at the right, as broadcasting does. */
static void carry_aligned(sinter__symbols *s, uint16_t out, uint16_t in, int count)
{
    int ro = view_of(s, out)->rank;
    int ri = view_of(s, in)->rank;
    for (int i = 0; i < count && i < ri && i < ro; i++)
        carry(s, out, ro - 1 - i, in, ri - 1 - i);
}

/* The only axis of more than one element in [first, end), or -1. */
static int only_axis(const sinter__view *v, int first, int end)
{
    int found = -1;
    for (int i = first; i < end; i++) {
        if (v->shape[i] == 1)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

/* An extent passes through a reshape when its block has no other. */
static void through_reshape(sinter__symbols *s, uint16_t out, uint16_t in)
{
    const sinter__view *vi = view_of(s, in);
    const sinter__view *vo = view_of(s, out);
    uint32_t in_starts;
    uint32_t out_starts;
    sinter__reshape_blocks(vi->rank, vi->shape, vo->rank, vo->shape, &in_starts, &out_starts);
    int i = 0;
    int o = 0;
    while (i < vi->rank || o < vo->rank) {
        int i_end = sinter__block_end(in_starts, i, vi->rank);
        int o_end = sinter__block_end(out_starts, o, vo->rank);
        int from = only_axis(vi, i, i_end);
        int to = only_axis(vo, o, o_end);
        if (from >= 0 && to >= 0)
            carry(s, out, to, in, from);
        i = i_end;
        o = o_end;
    }
}

static void through_view(sinter__symbols *s, const sinter__node *n)
{
    const sinter__view *in = view_of(s, n->in[0]);
    const sinter__view *out = view_of(s, n->out);
    switch ((sinter__op)n->op) {
    case SINTER__OP_TRANSPOSE:
        for (int i = 0; i < in->rank; i++)
            carry(s, n->out, i, n->in[0], (int)(n->attr >> (4 * i) & 15));
        break;
    case SINTER__OP_SLICE:
        for (int i = 0; i < in->rank; i++) {
            if (i != (int)n->attr || in->shape[i] == out->shape[i])
                carry(s, n->out, i, n->in[0], i);
        }
        break;
    case SINTER__OP_EXPAND:
        carry_aligned(s, n->out, n->in[0], SINTER_MAX_RANK);
        break;
    default:
        through_reshape(s, n->out, n->in[0]);
        break;
    }
}

static void through_reduce(sinter__symbols *s, const sinter__node *n)
{
    const sinter__view *in = view_of(s, n->in[0]);
    bool keep = (n->flags & SINTER__NODE_KEEPDIMS) != 0;
    int to = 0;
    for (int i = 0; i < in->rank; i++) {
        bool gone = (n->attr >> i & 1) != 0;
        if (!gone)
            carry(s, n->out, to, n->in[0], i);
        to += !gone || keep;
    }
}

static void through_product(sinter__symbols *s, const sinter__node *n)
{
    const sinter__view *a = view_of(s, n->in[0]);
    const sinter__view *b = view_of(s, n->in[1]);
    int rank = view_of(s, n->out)->rank;
    uint32_t left = symbols_of(s, n->in[0])[a->rank - 1];
    uint32_t right = symbols_of(s, n->in[1])[b->rank - 2];
    if (left != 0 && right != 0)
        join(s, left, right);
    carry(s, n->out, rank - 2, n->in[0], a->rank - 2);
    carry(s, n->out, rank - 1, n->in[1], b->rank - 1);
    for (int i = 0; i < rank - 2; i++) {
        int ia = i - (rank - a->rank);
        int ib = i - (rank - b->rank);
        if (ia >= 0)
            carry(s, n->out, i, n->in[0], ia);
        if (ib >= 0)
            carry(s, n->out, i, n->in[1], ib);
    }
}

static void through_node(sinter__symbols *s, const sinter__node *n)
{
    switch ((sinter__kind)sinter__op_info_of(n->op)->kind) {
    case SINTER__KIND_VIEW:
        through_view(s, n);
        break;
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_STATE:
        through_reduce(s, n);
        break;
    case SINTER__KIND_CONTRACT:
        through_product(s, n);
        break;
    case SINTER__KIND_UPDATE:
        carry_aligned(s, n->out, n->in[0], SINTER_MAX_RANK);
        break;
    default:
        for (int i = 0; i < n->in_count; i++) {
            if ((n->scalar_mask >> i & 1) == 0)
                carry_aligned(s, n->out, n->in[i], SINTER_MAX_RANK);
        }
        break;
    }
    set_rest(s, n->out);
}

sinter_status sinter__symbols_init(sinter__symbols *s, const sinter__graph *g)
{
    size_t slots = g->tensor_count * SINTER_MAX_RANK;
    *s = (sinter__symbols){.allocator = g->allocator, .g = g, .count = 1};
    s->bytes = (slots + 1) * sizeof(uint32_t);
    s->symbol = sinter__alloc(s->allocator, s->bytes);
    s->parent = sinter__alloc(s->allocator, s->bytes);
    if (s->symbol == NULL || s->parent == NULL)
        return SINTER_ENOMEM;
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].producer == SINTER__NO_NODE)
            set_rest(s, (uint16_t)t);
    }
    for (size_t n = 0; n < g->node_count; n++)
        through_node(s, &g->nodes[n]);
    return SINTER_OK;
}

void sinter__symbols_finish(sinter__symbols *s)
{
    sinter__free(s->allocator, s->symbol, s->bytes);
    sinter__free(s->allocator, s->parent, s->bytes);
}

/* The next axis of more than one element from *axis on. */
static uint32_t next_symbol(sinter__symbols *s, uint16_t tensor, int *axis)
{
    const sinter__view *v = view_of(s, tensor);
    while (*axis < v->rank) {
        uint32_t symbol = symbols_of(s, tensor)[(*axis)++];
        if (symbol != 0)
            return find(s, symbol);
    }
    return 0;
}

bool sinter__symbols_same_domain(sinter__symbols *s, uint16_t a, uint16_t b)
{
    int i = 0;
    int k = 0;
    for (;;) {
        uint32_t x = next_symbol(s, a, &i);
        uint32_t y = next_symbol(s, b, &k);
        if (x != y)
            return false;
        if (x == 0)
            return true;
    }
}

static bool same_axis(sinter__symbols *s, uint16_t a, int i, uint16_t b, int k)
{
    return find(s, symbols_of(s, a)[i]) == find(s, symbols_of(s, b)[k]);
}

bool sinter__symbols_same_axes(sinter__symbols *s, uint16_t a, uint16_t b)
{
    int rank = view_of(s, a)->rank;
    bool same = rank == view_of(s, b)->rank;
    for (int i = 0; i < rank && same; i++)
        same = same_axis(s, a, i, b, i);
    return same;
}

bool sinter__symbols_are_kept(sinter__symbols *s, uint16_t tensor, uint16_t domain,
                              uint32_t reduced)
{
    int rank = view_of(s, tensor)->rank;
    int all = view_of(s, domain)->rank;
    int at = 0;
    for (int i = 0; i < all; i++) {
        bool gone = (reduced >> i & 1) != 0;
        if (gone && rank != all)
            continue;
        if (at == rank)
            return false;
        if (gone ? view_of(s, tensor)->shape[at] != 1 : !same_axis(s, tensor, at, domain, i))
            return false;
        at++;
    }
    return at == rank;
}
