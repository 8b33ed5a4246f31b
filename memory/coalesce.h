/* What comes before planning: requests that lie in the bytes of others become one storage. */
#ifndef SINTER_MEMORY_COALESCE_H
#define SINTER_MEMORY_COALESCE_H

#include "memory/place.h"

/* Of each request, and of the storage that it is the first of. */
typedef struct sinter__coalesced {
    int64_t end;     /* of the lifetime of all that lie in it */
    uint64_t at;     /* where the request lies: bytes from the offset of `root` */
    uint32_t base;   /* what it is a view of; itself: it is none */
    uint32_t root;   /* the first request of its storage; itself: it has one of its own */
    uint32_t holder; /* who has its bytes now */
} sinter__coalesced;

/* Fills `storages`, one for each request; `keys` is scratch for as many. `alignment` is the plan's.
 * SINTER_EINVAL and the numbers: aliases of what there is not, or is not alive, that do not fit,
 * are fixed, or go round. */
sinter_status sinter__coalesce(const sinter_plan_request *requests, size_t count,
                               const sinter_plan_alias *aliases, uint64_t alignment,
                               sinter__coalesced *storages, sinter__key *keys,
                               sinter__refusal *refusal);

#endif /* SINTER_MEMORY_COALESCE_H */
