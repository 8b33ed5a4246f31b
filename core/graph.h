/* The operation graph: what a stream has queued and not yet run, and what the planner reads.
 *
 * Fixed-size records in flat arrays, numbered in the order they were queued, so that an operation
 * costs no allocation once the arrays have grown, and positions are names that repeat from
 * iteration to iteration. */
#ifndef SINTER_CORE_GRAPH_H
#define SINTER_CORE_GRAPH_H

#include "core/alloc.h"
#include "core/dtype.h"
#include "core/op.h"
#include "core/view.h"

#define SINTER__NO_NODE UINT16_MAX

/* Flags of a node. */
#define SINTER__NODE_KEEPDIMS (1u << 0)

/* One queued operation. What it does beyond its operands is in `attr`:
 *   TRANSPOSE  axis i of the result is axis (attr >> 4 * i & 15)
 *   SLICE      the axis; params[param] is the start, params[param + 1] the step
 *   REDUCE     a bit per axis
 *   UPDATE     0; params[param] and on are the start and the step along each axis, and the second
 *              operand has the shape of what is replaced. A third one, where there is one, is a view
 *              that the graph makes of the first: of what is replaced
 *   others     0; shapes are those of `out`, dtypes those of its tensors */
typedef struct sinter__node {
    uint8_t op;          /* sinter__op */
    uint8_t in_count;    /* operands, scalars among them */
    uint8_t scalar_mask; /* bit k: operand k is scalars[in[k]] instead of tensors[in[k]] */
    uint8_t flags;
    uint16_t in[SINTER__MAX_OPERANDS];
    uint16_t out;
    uint32_t attr;
    uint32_t param;
} sinter__node;

/* A tensor that the graph names. */
typedef struct sinter__gtensor {
    uint8_t dtype;
    bool live;         /* somebody outside the graph still holds it when the graph is cut */
    bool sole;         /* entering: nobody but this graph holds its storage when it is cut */
    bool whole;        /* packed, and all of its storage; made: as it will enter a later segment */
    uint16_t producer; /* the node that makes it; SINTER__NO_NODE: it entered the graph */
    uint16_t storage;  /* entering: the first entering tensor that lies in the same storage */
    uint16_t released; /* nodes queued when its last holder let go; for the text form */
    sinter__view view; /* entering: where it lies; made: packed */
    void *owner;       /* of the layer above */
} sinter__gtensor;

typedef struct sinter__graph {
    sinter__allocator *allocator;
    sinter__node *nodes;
    size_t node_count, node_capacity;
    sinter__gtensor *tensors;
    size_t tensor_count, tensor_capacity;
    uint64_t *scalars; /* register bits in the dtype that the node works in */
    size_t scalar_count, scalar_capacity;
    int64_t *params;
    size_t param_count, param_capacity;
} sinter__graph;

void sinter__graph_init(sinter__graph *g, sinter__allocator *a);
void sinter__graph_finish(sinter__graph *g);

/* Empties it and keeps the memory. */
void sinter__graph_clear(sinter__graph *g);

/* Room for that many more; after it the appending below cannot fail. */
sinter_status sinter__graph_reserve(sinter__graph *g, size_t nodes, size_t tensors, size_t scalars,
                                    size_t params);

/* Copies everything into an empty graph that has room for it. */
void sinter__graph_copy(sinter__graph *to, const sinter__graph *from);

/* The place of the next tensor, all of whose fields the caller sets. */
static inline sinter__gtensor *sinter__graph_next_tensor(sinter__graph *g)
{
    return &g->tensors[g->tensor_count++];
}

/* Number of the new tensor. */
uint16_t sinter__graph_add_tensor(sinter__graph *g, const sinter__gtensor *tensor);

/* Number of the new node; makes it the producer of its result. */
uint16_t sinter__graph_add_node(sinter__graph *g, const sinter__node *node);

uint16_t sinter__graph_add_scalar(sinter__graph *g, uint64_t bits);
uint32_t sinter__graph_add_slice(sinter__graph *g, int64_t start, int64_t step);

/* Bytes of all elements. */
static inline int64_t sinter__gtensor_bytes(const sinter__gtensor *t)
{
    return sinter__elements(t->view.rank, t->view.shape) *
           (int64_t)sinter__dtype((sinter_dtype)t->dtype)->bytes;
}

/* The view that `node`, a VIEW, makes of `in`. False when strides cannot express it. */
bool sinter__node_view(const sinter__graph *g, const sinter__node *node, const sinter__view *in,
                       sinter__view *out);

/* How many of the graph's parameters, from `param` on, are the node's. */
static inline uint32_t sinter__node_params(const sinter__graph *g, const sinter__node *node)
{
    if (node->op == SINTER__OP_UPDATE)
        return 2 * (uint32_t)g->tensors[node->out].view.rank;
    return node->op == SINTER__OP_SLICE ? 2 : 0;
}

/* Operands of the node: what an UPDATE has besides them only says what the value may be made of. */
static inline int sinter__node_operands(const sinter__node *node)
{
    return node->op == SINTER__OP_UPDATE ? 2 : node->in_count;
}

/* Whether `tensor`, which has a producer, is the result of an UPDATE. */
static inline bool sinter__graph_updates(const sinter__graph *g, uint16_t tensor)
{
    return g->nodes[g->tensors[tensor].producer].op == SINTER__OP_UPDATE;
}

/* Whether another tensor that enters lies in the storage of `tensor`, which enters. */
bool sinter__graph_shares_storage(const sinter__graph *g, uint16_t tensor);

/* What `node`, an UPDATE, replaces of `in`, a view of the shape of its result. */
void sinter__update_view(const sinter__graph *g, const sinter__node *node, const sinter__view *in,
                         sinter__view *out);

#endif /* SINTER_CORE_GRAPH_H */
