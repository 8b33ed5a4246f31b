/* A device that a context has opened: its memory, its limits and measured rates, its plans and its
 * compiled kernels. A stream belongs to one. */
#ifndef SINTER_EXECUTOR_OPENED_H
#define SINTER_EXECUTOR_OPENED_H

#include "core/log.h"
#include "executor/run/compiled.h"
#include "executor/backend/trace.h"
#include "executor/context/edge.h"
#include "fusion/cost/rates.h"
#include "sinter/context.h"

/* By what other devices' tensors come here: a queue, whose slabs are the memory's pool of copies. Made when the first
 * comes or goes, and given back with the last stream. `lock` guards all of it and is held while a copy waits for
 * either device, so who only queues does not take it. */
typedef struct sinter__transfer {
    pthread_mutex_t lock;
    bool is_there;                 /* the lock is */
    void *queue;                   /* NULL: none yet */
    uint64_t written;              /* copies so far */
    sinter__flight *flight;        /* of these, until one fails */
    sinter__mark *mark;            /* behind the last of them; NULL: the device has done all */
    struct sinter__staged *staged; /* the host's memory that writes not known to be done read */
    uint64_t staged_bytes;
} sinter__transfer;

/* Each stream has its own, by the names of sinter_stats: what is done for every operation and every segment waits for
 * no other stream's count. Written with the stream's lock held. */
#define SINTER__COUNTERS(X)                                                                        \
    X(ops)                                                                                         \
    X(repeated_ops)                                                                                \
    X(repeated_calls)                                                                              \
    X(cuts)                                                                                        \
    X(plan_hits)                                                                                   \
    X(plan_misses)                                                                                 \
    X(launches)                                                                                    \
    X(bytes_moved)                                                                                 \
    X(bytes_bound)                                                                                 \
    X(donations)                                                                                   \
    X(aliases)                                                                                     \
    X(fallbacks)

#define SINTER__COUNTER(name) atomic_uint_fast64_t name;
typedef struct sinter__counters {
    SINTER__COUNTERS(SINTER__COUNTER)
} sinter__counters;
#undef SINTER__COUNTER

/* Adds to a counter of which the caller alone is the writer. */
static inline void sinter__count(atomic_uint_fast64_t *counter, uint64_t more)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

struct sinter__opened {
    sinter__allocator *allocator; /* the context's, as the next two */
    const sinter_context_options *options;
    const sinter__log *log;
    sinter__their_context theirs; /* the caller's own, which it is opened in */
    sinter__device device;
    const sinter__backend *backend;
    void *state;
    atomic_bool gemm_failed; /* the library of products is not asked any more */
    sinter__trace *trace;    /* NULL: off; else the backend is its own */
    sinter__backend_counts counts;
    sinter__limits limits;
    sinter__rates rates;    /* what was measured of the device */
    bool has_shipped_rates; /* of another one of its kind */
    sinter__tuned *tuned;   /* what limits.tuned is a list of */
    size_t tuned_count;
    sinter__memory_shared memory;
    sinter__transfer transfer;
    struct sinter_stream *streams; /* on it; guarded by the context's lock */
    sinter__cache cache;
    sinter__programs programs;
    sinter__store *store;
    sinter__counters gone; /* of streams that there are no more */
    struct {
        atomic_uint_fast64_t mapped_bytes, map_copied_bytes, device_copies, device_copied_bytes;
    } stats;
};

/* The device of the list that `text` names. *on is zeros but for what is the context's and a cache
 * without a folder, and is to be closed whether it was opened or not. */
sinter_status sinter__opened_open(sinter__opened *on, const sinter__device_list *list,
                                  const char *text);

/* Its streams are gone, and what lay in its memory. */
void sinter__opened_close(sinter__opened *on);

#endif /* SINTER_EXECUTOR_OPENED_H */
