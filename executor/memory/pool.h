/* A stream's memory: slabs of device memory and the storages that lie in them.
 *
 * Everything that a stream writes lies in its own slabs, because two queues may not write one
 * buffer at once. A slab is written once when it is made, so that lack of memory shows then and not
 * later. Freed storage is taken again at once: commands of the one in-order queue cannot overtake
 * each other. */
#ifndef SINTER_EXECUTOR_POOL_H
#define SINTER_EXECUTOR_POOL_H

#include "executor/backend/backend.h"
#include "memory/suballoc.h"

#include <pthread.h>

typedef struct sinter__pool sinter__pool;
typedef struct sinter__coming sinter__coming; /* executor/run/transfer.h */

/* Why a tensor has no value. */
typedef struct sinter__failure {
    atomic_uint references;
    sinter_status status;
    char text[512]; /* as long as a message is */
} sinter__failure;

/* Bytes on the device that tensors share by counting. */
typedef struct sinter__storage {
    atomic_uint references;
    uint32_t slab;
    uint32_t block;
    sinter__pool *pool;
    sinter__address address;
    uint64_t bytes;
    uint64_t written;          /* the home stream's launches when it was written */
    uint64_t epoch;            /* the home stream's when it entered its queue; 0: never */
    uint16_t number;           /* of the first tensor there that lies in it */
    void *theirs;              /* the caller's whole buffer that it is in; NULL: a pool's own */
    uint64_t from_bytes;       /* of that, from where on its memory is; read where there is one */
    bool is_writable;          /* by sinter; of the pool's own always */
    sinter__coming *coming;    /* what is still to be copied there; NULL: nothing */
    atomic_uint_fast64_t away; /* the handle that is handed over with it; 0: none */
    struct sinter__storage *next; /* while it is free, or the caller's */
} sinter__storage;

typedef struct sinter__slab {
    void *memory; /* NULL: given back */
    uint64_t bytes;
    sinter__suballoc blocks;
} sinter__slab;

/* What all pools of a context share: the device's memory and its budget. */
typedef struct sinter__memory_shared {
    sinter__allocator *allocator;
    const sinter__backend *backend;
    void *state;
    sinter__backend_counts *counts;
    uint64_t budget_bytes; /* 0: none */
    uint64_t max_slab_bytes;
    uint64_t alignment_bytes;
    uint64_t large_pages_from; /* bytes of a memory; 0: never */
    sinter_memory_mode mode;
    const char *host_root; /* of room.h, where the device shares the host's memory; else NULL */
    pthread_mutex_t
        lock; /* the free list, the caller's, and the list of pools: taken before that of a pool */
    sinter__pool *pools;
    sinter__pool *copies; /* of those, where copies from other devices lie; NULL: none yet */
    sinter__storage *free_storages;
    sinter__storage *theirs;           /* that lie in the caller's buffers */
    void *storage_chunks;              /* chained; freed at the end */
    atomic_uint_fast64_t caller_bytes; /* of the caller's buffers that storages lie in */
    atomic_uint_fast64_t used_bytes;
    atomic_uint_fast64_t peak_bytes;
    atomic_uint_fast64_t missing_bytes; /* over the budget, when it last refused */
} sinter__memory_shared;

/* How the free bytes of all slabs lie. */
typedef struct sinter__free_room {
    uint64_t slabs;
    uint64_t bytes;
    uint64_t largest_bytes; /* in one piece */
} sinter__free_room;

/* Storages that are not free. */
typedef struct sinter__storage_count {
    uint64_t storages;
    uint64_t references; /* to them */
    uint64_t bytes;
} sinter__storage_count;

void sinter__memory_count(sinter__memory_shared *m, sinter__storage_count *sum);

void sinter__memory_free_room(sinter__memory_shared *m, sinter__free_room *out);

sinter_status sinter__memory_shared_init(sinter__memory_shared *m);
void sinter__memory_shared_finish(sinter__memory_shared *m);

/* `queue` is the stream's: slabs are filled on it. NULL: it comes before the first storage is placed. */
sinter_status sinter__pool_create(sinter__memory_shared *shared, void *queue, sinter__pool **out);

/* The stream has another one from now on. */
void sinter__pool_set_queue(sinter__pool *pool, void *queue);

/* The stream whose pool it is, for who copies from it (executor/run/transfer.c); NULL at first. With the
 * context's lock. */
typedef struct sinter_stream sinter_stream;
void sinter__pool_set_owner(sinter__pool *pool, sinter_stream *owner);
sinter_stream *sinter__pool_owner(const sinter__pool *pool);

/* The stream is gone; the pool goes with the last storage in it. */
void sinter__pool_orphan(sinter__pool *pool);

const sinter__memory_shared *sinter__pool_memory(const sinter__pool *pool);

/* False when storages of `bytes` in all are more than the budget leaves, wherever they might lie;
 * what is missing is noted. */
bool sinter__pool_may_hold(sinter__pool *pool, uint64_t bytes);

/* Gives slabs in which nothing lies back to the device; whether there were any. */
bool sinter__pool_drop_empty(sinter__pool *pool);

/* A storage of `bytes` with one reference. SINTER_EBUDGET, SINTER_EDEVMEM, SINTER_ENOMEM. */
sinter_status sinter__storage_create(sinter__pool *pool, uint64_t bytes, sinter__storage **out);

/* The same without its memory, in the pool of copies, for what `coming` brings; it takes that over. Waits for no
 * device. And its memory, unless it has it already. */
sinter_status sinter__storage_promise(sinter__memory_shared *m, uint64_t bytes,
                                      sinter__coming *coming, sinter__storage **out);
sinter_status sinter__storage_place(sinter__storage *storage);

/* Gives the memory of one that was placed back, before anything is launched that uses it. */
void sinter__storage_unplace(sinter__storage *storage);

/* The memory that it lies in: of one device. */
const sinter__memory_shared *sinter__storage_memory(const sinter__storage *storage);

/* The pool of copies, whose queue is its user's to set; NULL: nothing was promised. And its end: it goes with
 * the last storage in it, and the next promise makes another. */
sinter__pool *sinter__memory_copies(sinter__memory_shared *m);
void sinter__memory_end_copies(sinter__memory_shared *m);

/* Whether it is such a copy, and goes with the one reference that there is. */
bool sinter__storage_is_last_copy(const sinter__storage *storage);

/* A storage in a buffer of the caller's, with one reference; nothing of it is in the pool. SINTER_EBUSY where
 * others lie there and it or one of them is written. */
sinter_status sinter__storage_adopt(sinter__pool *pool, sinter__their_memory *theirs,
                                    sinter__storage **out);

/* In the mode with red zones: whether what surrounds the storage, whose pool is the calling stream's, is as
 * it was made. */
typedef struct sinter__damage {
    bool found;
    int64_t at_bytes; /* of the first byte that is not, from where the storage begins */
    uint8_t byte;
} sinter__damage;

/* Damage is made good, so that it is found once. Waits. */
sinter_status sinter__storage_check(sinter__storage *storage, sinter__damage *out);

/* Whether it lies in a buffer of which a queue that is there writes other parts. */
bool sinter__storage_is_beside(const sinter__storage *storage);

void sinter__storage_retain(sinter__storage *storage);
void sinter__storage_release(sinter__storage *storage);

/* A failure with the thread's message; never fails: without memory it is a constant. */
sinter__failure *sinter__failure_create(sinter__allocator *a, sinter_status status);
void sinter__failure_retain(sinter__failure *failure);
void sinter__failure_release(sinter__allocator *a, sinter__failure *failure);

/* Sets the thread's message to the failure's and returns its status. */
sinter_status sinter__failure_report(const sinter__failure *failure);

#endif /* SINTER_EXECUTOR_POOL_H */
