/* A pool on the host reference device, with nothing above it. */
#ifndef SINTER_TESTS_HOST_POOL_H
#define SINTER_TESTS_HOST_POOL_H

#include "executor/backend/backend.h"
#include "executor/memory/pool.h"

#define HOST_POOL_ALIGNMENT 128

typedef struct host_pool {
    sinter__allocator allocator;
    sinter__backend_counts counts;
    const sinter__backend *backend;
    void *device;
    void *queue;
    sinter__memory_shared memory;
    sinter__pool *pool;
} host_pool;

/* `host_root` is where it asks what memory is free (executor/memory/room.h); NULL: it does not ask. */
void host_pool_open(host_pool *p, sinter_memory_mode mode, const char *host_root);

/* Asserts that nothing is left. */
void host_pool_close(host_pool *p);

#endif /* SINTER_TESTS_HOST_POOL_H */
