/* A pool as it is now, to try on whether storages fit and what they cost: storages are made in it and
 * given back by the same rules, and the device hears nothing of it. */
#ifndef SINTER_EXECUTOR_POOL_REHEARSAL_H
#define SINTER_EXECUTOR_POOL_REHEARSAL_H

#include "executor/memory/pool.h"

typedef struct sinter__rehearsal {
    sinter__memory_shared shared;
    sinter__backend_counts counts; /* begins as the context's */
    sinter__pool *pool;
    sinter__pool *beside; /* what `other` is a copy of */
    sinter__pool *other;  /* NULL: one was enough */
} sinter__rehearsal;

/* `more_bytes` are added to the budget, where there is one. */
sinter_status sinter__rehearsal_begin(sinter__pool *pool, uint64_t more_bytes,
                                      sinter__rehearsal *out);

/* Makes r->other, which is as that pool of `shared` (NULL: the one of copies, if there is one). */
sinter_status sinter__rehearsal_add(sinter__rehearsal *r, sinter__memory_shared *shared,
                                    sinter__pool *pool);

/* *out is in the rehearsal what `real` is in what is rehearsed, and still to come where that is; one
 * that a pool of others owns or the caller never dies there. */
void sinter__rehearsal_storage(const sinter__rehearsal *r, const sinter__pool *pool,
                               const sinter__storage *real, sinter__storage *out);
void sinter__rehearsal_end(sinter__rehearsal *r);

#endif /* SINTER_EXECUTOR_POOL_REHEARSAL_H */
