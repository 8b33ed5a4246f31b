/* The workspace of a plan of launches: what is alive when, and where it lies.
 *
 * A step is a launch group. The bytes of the requests belong to a binding: the same requests are
 * resolved again for other extents, and what the last few bindings were given is kept. */
#ifndef SINTER_MEMORY_WORKSPACE_H
#define SINTER_MEMORY_WORKSPACE_H

#include "memory/bindings.h"
#include "sinter/plan.h"

typedef struct sinter__workspace {
    sinter_plan_request *requests; /* their alignment is the workspace's */
    size_t count;
    uint64_t alignment_bytes; /* of offsets; a power of two */
    bool share;               /* requests that are not alive together may overlap */
    uint64_t total_bytes;     /* set by resolving: bytes of the workspace */
    uint64_t bound_bytes;     /* set by resolving: most bytes alive at one step */
    size_t most;              /* requests of a binding that is kept; 0: none is */
    int64_t *key;             /* the requests of this binding, as numbers */
    sinter__bindings kept;    /* offsets, total and bound of others */
} sinter__workspace;

/* Bytes of the block that sinter__workspace_keep wants; 0 for so few requests that to plan them takes
 * no longer than to look them up, and for more than 65,535. */
size_t sinter__workspace_kept_bytes(size_t most);

/* What bindings of at most `most` requests are given is kept from now on, in `block`, aligned for any
 * type; the least recently used is forgotten. Alignment and `share` stay as they are. */
void sinter__workspace_keep(sinter__workspace *s, size_t most, void *block);

/* Bytes of scratch for resolving and for judging `count` requests. */
size_t sinter__workspace_scratch_bytes(size_t count);

/* Places every request. SINTER_ERANGE when the bytes overflow. */
sinter_status sinter__workspace_resolve(sinter__workspace *s, void *scratch);

/* Checks a resolved workspace with no help from the planner: alignment, bounds, no two overlap in time
 * and space. SINTER_EINTERNAL names the pair. */
sinter_status sinter__workspace_validate(const sinter__workspace *s, void *scratch);

#endif /* SINTER_MEMORY_WORKSPACE_H */
