/* The relative form of a queued operation: what repeats from iteration to iteration.
 *
 * Tensors are numbered by first appearance (which is how the graph numbers them), scalars by
 * position, and of extents only the facts that planning consults are kept: which are 1, which axes
 * follow each other in memory. Two segments with the same relative records have the same plan. */
#ifndef SINTER_FUSION_QUEUE_RELATIVE_H
#define SINTER_FUSION_QUEUE_RELATIVE_H

#include "core/graph.h"

/* Compared and hashed as bytes: no padding. */
typedef struct sinter__relative {
    uint8_t op;
    uint8_t in_count;
    uint8_t scalar_mask;
    uint8_t flags;
    uint8_t dtype; /* of the result */
    uint8_t rank;  /* of the result */
    uint16_t in[SINTER__MAX_OPERANDS];
    uint32_t attr;
    uint64_t pattern;                     /* of a view: how its axes map, which extents are 1 */
    uint64_t facts[SINTER__MAX_OPERANDS]; /* of an operand that appears for the first time */
} sinter__relative;

/* The `op` of a record that is no operation's: what lies behind it in the plan store is found by no queue
 * that goes along its operations. */
#define SINTER__RELATIVE_ASIDE UINT8_MAX

/* Of a tensor in a segment that need not begin where the queue does; UINT16_MAX: not seen yet. */
typedef struct sinter__numbering {
    uint16_t tensor;
    uint16_t storage; /* that the tensor is the queue's first of: the segment's first of it */
} sinter__numbering;

/* The record of node `n` in a segment that begins at node `first`: tensors made before it count as
 * entering. `number` is by tensor and *count is how many have been seen; both are brought up to
 * date. NULL: the graph's own numbers, for `first` 0; then `appeared` tells how many tensors had
 * appeared before the node. */
void sinter__relative_of(const sinter__graph *g, uint16_t n, uint16_t first,
                         sinter__numbering *number, uint16_t *count, uint16_t appeared,
                         sinter__relative *out);

uint64_t sinter__relative_hash(const sinter__relative *r, uint64_t seed);

#endif /* SINTER_FUSION_QUEUE_RELATIVE_H */
