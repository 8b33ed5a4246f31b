/* The judge of a plan. It shares no code with the planner. */
#ifndef SINTER_MEMORY_VALIDATE_H
#define SINTER_MEMORY_VALIDATE_H

#include "core/base.h"
#include "sinter/plan.h"

typedef struct sinter__judged {
    const sinter_plan_request *requests;
    size_t count;
    const sinter_plan_alias *aliases; /* NULL: none */
    uint64_t alignment_bytes;         /* at least 1 */
    uint64_t slab_bytes;              /* 0: none */
    uint64_t total_bytes;
    bool never_shares; /* as if all were alive together */
} sinter__judged;

/* Bytes of scratch for `count` requests. */
size_t sinter__validate_bytes(size_t count);

/* SINTER_EINTERNAL names what is wrong: lifetimes, alignment, bounds, slabs, a pair that overlaps. */
sinter_status sinter__validate(const sinter__judged *j, void *scratch);

#endif /* SINTER_MEMORY_VALIDATE_H */
