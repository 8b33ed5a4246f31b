/* Which extents are the same number for every binding: one symbol per extent that enters the graph,
 * joined by the shape rules of the operations, never because two numbers happen to agree. */
#ifndef SINTER_FUSION_PLAN_SYMBOLS_H
#define SINTER_FUSION_PLAN_SYMBOLS_H

#include "core/graph.h"

typedef struct sinter__symbols {
    sinter__allocator *allocator;
    const sinter__graph *g;
    uint32_t *symbol; /* by tensor and axis: SINTER_MAX_RANK each; 0: the extent is 1 */
    uint32_t *parent; /* of the union-find forest, by symbol */
    uint32_t count;
    size_t bytes;
} sinter__symbols;

sinter_status sinter__symbols_init(sinter__symbols *s, const sinter__graph *g);
void sinter__symbols_finish(sinter__symbols *s);

/* Whether two tensors have the same extents, axes of extent 1 aside: then one loop covers both. */
bool sinter__symbols_same_domain(sinter__symbols *s, uint16_t a, uint16_t b);

/* Whether two tensors have the same axes, those of extent 1 included. */
bool sinter__symbols_same_axes(sinter__symbols *s, uint16_t a, uint16_t b);

/* Whether `tensor` has the axes of `domain` that are not in `reduced`: those alone, or the reduced
 * ones as 1. */
bool sinter__symbols_are_kept(sinter__symbols *s, uint16_t tensor, uint16_t domain,
                              uint32_t reduced);

#endif /* SINTER_FUSION_PLAN_SYMBOLS_H */
