#include "support/graph.h"

static void make_room(sinter__graph *g)
{
    OK(sinter__graph_reserve(g, 1, SINTER__MAX_OPERANDS + 1, SINTER__MAX_OPERANDS, 2));
}

uint16_t graph_input(sinter__graph *g, int rank, const int64_t *shape)
{
    make_room(g);
    sinter__gtensor t = {.dtype = SINTER_F32,
                         .whole = true,
                         .producer = SINTER__NO_NODE,
                         .storage = (uint16_t)g->tensor_count,
                         .view = sinter__view_packed(rank, shape)};
    return sinter__graph_add_tensor(g, &t);
}

uint16_t graph_alias(sinter__graph *g, uint16_t storage, const sinter__view *view)
{
    make_room(g);
    sinter__gtensor t = {
        .dtype = SINTER_F32, .producer = SINTER__NO_NODE, .storage = storage, .view = *view};
    return sinter__graph_add_tensor(g, &t);
}

static uint16_t add(sinter__graph *g, sinter__node *node)
{
    const sinter__view *v = &g->tensors[node->in[0]].view;
    sinter__gtensor t = {.dtype = SINTER_F32,
                         .whole = true,
                         .storage = (uint16_t)g->tensor_count,
                         .view = sinter__view_packed(v->rank, v->shape)};
    node->out = sinter__graph_add_tensor(g, &t);
    (void)sinter__graph_add_node(g, node);
    return node->out;
}

uint16_t graph_op(sinter__graph *g, sinter__op op, uint16_t a, uint16_t b)
{
    bool one = b == SINTER__NO_NODE;
    sinter__node node = {.op = (uint8_t)op, .in_count = one ? 1 : 2, .in = {a, one ? 0 : b}};
    make_room(g);
    return add(g, &node);
}

uint16_t graph_scalar_op(sinter__graph *g, sinter__op op, uint16_t a, uint64_t bits)
{
    make_room(g);
    sinter__node node = {.op = (uint8_t)op, .in_count = 2, .scalar_mask = 2, .in = {a}};
    node.in[1] = sinter__graph_add_scalar(g, bits);
    return add(g, &node);
}
