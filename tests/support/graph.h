/* Small operation graphs for tests of the layers below the executor. */
#ifndef SINTER_TESTS_GRAPH_H
#define SINTER_TESTS_GRAPH_H

#include "support/support.h"

#include "core/graph.h"

/* A packed f32 tensor that enters the graph, all of its storage. */
uint16_t graph_input(sinter__graph *g, int rank, const int64_t *shape);

/* The same elements seen through `view`, in the storage of tensor `storage`. */
uint16_t graph_alias(sinter__graph *g, uint16_t storage, const sinter__view *view);

/* An elementwise f32 operation with the shape of its first operand; `b` SINTER__NO_NODE: one
 * operand. Returns the tensor that it makes. */
uint16_t graph_op(sinter__graph *g, sinter__op op, uint16_t a, uint16_t b);

/* The same with a scalar as its second operand. */
uint16_t graph_scalar_op(sinter__graph *g, sinter__op op, uint16_t a, uint64_t bits);

#endif /* SINTER_TESTS_GRAPH_H */
