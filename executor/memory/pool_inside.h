/* A pool from the inside, for its own files: executor/memory/pool.c, and executor/memory/pool_rehearsal.c, which copies it. */
#ifndef SINTER_EXECUTOR_POOL_INSIDE_H
#define SINTER_EXECUTOR_POOL_INSIDE_H

#include "executor/memory/pool.h"

struct sinter__pool {
    sinter__memory_shared *shared;
    void *queue;
    bool is_orphan; /* the stream is gone */
    sinter_stream *owner;
    pthread_mutex_t lock;
    sinter__slab *slabs;
    size_t slab_count, slab_capacity;
    uint64_t slab_bytes;
    size_t storages;     /* alive; under the shared lock, as is_orphan */
    sinter__pool *next;  /* of those that share the memory */
    sinter__pool **link; /* what points here */
};

/* That of rehearsals: what storages bring there is the real ones'. */
extern const sinter__backend sinter__no_device;

/* With what lies in it. */
void sinter__pool_destroy(sinter__pool *pool);

/* The pool of copies, which stays until sinter__pool_leave; NULL: there is none, or it is `pool`. */
sinter__pool *sinter__memory_hold_copies(sinter__memory_shared *m, const sinter__pool *pool);
void sinter__pool_leave(sinter__memory_shared *m, sinter__pool *pool);

#endif /* SINTER_EXECUTOR_POOL_INSIDE_H */
