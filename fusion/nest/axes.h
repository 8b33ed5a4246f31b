/* Which axis of the domain is which axis of a tensor, by structure: what holds for every shape of a
 * plan. */
#ifndef SINTER_FUSION_NEST_AXES_H
#define SINTER_FUSION_NEST_AXES_H

#include "fusion/nest/nest.h"

typedef enum sinter__axes_kind {
    SINTER__AXES_OTHER, /* neither, or it cannot be told for every shape */
    SINTER__AXES_SAME,  /* each element where it is in the domain */
    SINTER__AXES_KEPT,  /* what is left of the domain when the reduced axes are taken out */
} sinter__axes_kind;

/* How `tensor`, seen through `chain` of `links`, lies in the domain of reduction `root`. Axes of
 * extent 1 lie anywhere. A tensor for which both are true is SAME. */
sinter__axes_kind sinter__axes_seen(const sinter__graph *g, const sinter__link *links,
                                    uint16_t tensor, uint16_t chain, uint16_t root);

/* The same of a tensor that has the domain's axes, or those that are kept, in their order: by which
 * extents are 1. */
sinter__axes_kind sinter__axes_of(const sinter__graph *g, uint16_t tensor, uint16_t root);

#endif /* SINTER_FUSION_NEST_AXES_H */
