#include "core/graph.h"

#include <string.h>

void sinter__graph_init(sinter__graph *g, sinter__allocator *a)
{
    *g = (sinter__graph){.allocator = a};
}

void sinter__graph_finish(sinter__graph *g)
{
    sinter__free(g->allocator, g->nodes, g->node_capacity * sizeof *g->nodes);
    sinter__free(g->allocator, g->tensors, g->tensor_capacity * sizeof *g->tensors);
    sinter__free(g->allocator, g->scalars, g->scalar_capacity * sizeof *g->scalars);
    sinter__free(g->allocator, g->params, g->param_capacity * sizeof *g->params);
    sinter__graph_init(g, g->allocator);
}

void sinter__graph_clear(sinter__graph *g)
{
    g->node_count = g->tensor_count = g->scalar_count = g->param_count = 0;
}

#define RESERVE(g, array, count, capacity, more)                                                   \
    do {                                                                                           \
        void *array_ = (g)->array;                                                                 \
        sinter_status status_ = sinter__grow((g)->allocator, &array_, &(g)->capacity,              \
                                             (g)->count + (more), sizeof *(g)->array);             \
        (g)->array = array_;                                                                       \
        if (status_ != SINTER_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

sinter_status sinter__graph_reserve(sinter__graph *g, size_t nodes, size_t tensors, size_t scalars,
                                    size_t params)
{
    RESERVE(g, nodes, node_count, node_capacity, nodes);
    RESERVE(g, tensors, tensor_count, tensor_capacity, tensors);
    RESERVE(g, scalars, scalar_count, scalar_capacity, scalars);
    RESERVE(g, params, param_count, param_capacity, params);
    return SINTER_OK;
}

void sinter__graph_copy(sinter__graph *to, const sinter__graph *from)
{
    memcpy(to->nodes, from->nodes, from->node_count * sizeof *from->nodes);
    memcpy(to->tensors, from->tensors, from->tensor_count * sizeof *from->tensors);
    if (from->scalar_count > 0)
        memcpy(to->scalars, from->scalars, from->scalar_count * sizeof *from->scalars);
    if (from->param_count > 0)
        memcpy(to->params, from->params, from->param_count * sizeof *from->params);
    to->node_count = from->node_count;
    to->tensor_count = from->tensor_count;
    to->scalar_count = from->scalar_count;
    to->param_count = from->param_count;
}

uint16_t sinter__graph_add_tensor(sinter__graph *g, const sinter__gtensor *tensor)
{
    g->tensors[g->tensor_count] = *tensor;
    return (uint16_t)g->tensor_count++;
}

uint16_t sinter__graph_add_node(sinter__graph *g, const sinter__node *node)
{
    g->nodes[g->node_count] = *node;
    g->tensors[node->out].producer = (uint16_t)g->node_count;
    return (uint16_t)g->node_count++;
}

uint16_t sinter__graph_add_scalar(sinter__graph *g, uint64_t bits)
{
    g->scalars[g->scalar_count] = bits;
    return (uint16_t)g->scalar_count++;
}

uint32_t sinter__graph_add_slice(sinter__graph *g, int64_t start, int64_t step)
{
    g->params[g->param_count] = start;
    g->params[g->param_count + 1] = step;
    g->param_count += 2;
    return (uint32_t)(g->param_count - 2);
}

bool sinter__node_view(const sinter__graph *g, const sinter__node *node, const sinter__view *in,
                       sinter__view *out)
{
    const sinter__view *shape = &g->tensors[node->out].view;
    int perm[SINTER_MAX_RANK];
    switch ((sinter__op)node->op) {
    case SINTER__OP_TRANSPOSE:
        for (int i = 0; i < in->rank; i++)
            perm[i] = (int)(node->attr >> (4 * i) & 15);
        *out = sinter__view_transpose(in, perm);
        return true;
    case SINTER__OP_SLICE:
        *out = sinter__view_slice(in, (int)node->attr, g->params[node->param],
                                  g->params[node->param + 1], shape->shape[node->attr]);
        return true;
    case SINTER__OP_EXPAND:
        *out = sinter__view_expand(in, shape->rank, shape->shape);
        return true;
    default:
        return sinter__view_reshape(in, shape->rank, shape->shape, out);
    }
}

void sinter__update_view(const sinter__graph *g, const sinter__node *node, const sinter__view *in,
                         sinter__view *out)
{
    const sinter__view *value = &g->tensors[node->in[1]].view;
    const int64_t *params = g->params + node->param;
    *out = *in;
    for (int i = 0; i < in->rank; i++, params += 2)
        *out = sinter__view_slice(out, i, params[0], params[1], value->shape[i]);
}

bool sinter__graph_shares_storage(const sinter__graph *g, uint16_t tensor)
{
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (t != tensor && g->tensors[t].producer == SINTER__NO_NODE &&
            g->tensors[t].storage == g->tensors[tensor].storage)
            return true;
    }
    return false;
}
