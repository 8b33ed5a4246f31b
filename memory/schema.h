/* The memory schema of a plan: what is alive when, and where it lies in the workspace.
 *
 * A request is alive in the half-open interval of steps [start, end), one step per launch group.
 * Its bytes belong to a binding: the same requests are resolved again for other extents. */
#ifndef SINTER_MEMORY_SCHEMA_H
#define SINTER_MEMORY_SCHEMA_H

#include "core/alloc.h"

typedef struct sinter__request {
    uint32_t start;
    uint32_t end;
    uint64_t bytes;
    uint64_t offset_bytes; /* set by resolving */
} sinter__request;

typedef struct sinter__schema {
    sinter__request *requests;
    size_t count;
    uint64_t alignment_bytes; /* of offsets; a power of two */
    bool share;               /* requests that are not alive together may overlap */
    uint64_t total_bytes;     /* set by resolving: bytes of the workspace */
    uint64_t bound_bytes;     /* set by resolving: most bytes alive at one step */
} sinter__schema;

/* Places every request. `order` is scratch for count numbers. SINTER_ERANGE when the bytes
 * overflow. */
sinter_status sinter__schema_resolve(sinter__schema *schema, uint32_t *order);

/* Checks a resolved schema with no help from the planner: alignment, bounds, no two overlap in time
 * and space. SINTER_EINTERNAL names the pair. */
sinter_status sinter__schema_validate(const sinter__schema *schema);

#endif /* SINTER_MEMORY_SCHEMA_H */
