/* Contexts, streams and tensor slots from the inside.
 *
 * Locks, in the order in which they are taken: a stream's, the context's, a plan's
 * (executor/run/compiled.h), that of building, that of the programs (executor/backend/program.h). Those of two devices' transfers
 * (executor/context/opened.h), in the order of the devices, are taken after a stream's and before the last ones. Those of the
 * memory that pools share, of a pool and of the plan store are the last: no other is taken while
 * one of them is held, but a pool's under that of the memory. No thread waits for a stream's lock while it holds
 * another's: a stream that needs another's tensor gives its own lock back first; a copy from another device only tries
 * the lock of the stream that it reads from (executor/run/transfer.c). */
#ifndef SINTER_EXECUTOR_CONTEXT_H
#define SINTER_EXECUTOR_CONTEXT_H

#include "core/infer.h"
#include "executor/context/edge.h"
#include "executor/context/opened.h"
#include "executor/queue/former.h"
#include "sinter/context.h"
#include "sinter/inspect.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

typedef struct sinter__instance sinter__instance;
typedef struct sinter__report sinter__report;
typedef struct sinter__mapping sinter__mapping;

/* A tensor that the caller holds. */
typedef struct sinter__slot {
    atomic_uint generation; /* 0: not in use */
    uint32_t named;         /* by which of the home stream's steps of an optimiser, and as what */
    _Atomic(sinter_stream *) home; /* whose lock guards the fields; NULL: the context's */
    uint32_t index;
    uint32_t last_generation;
    uint32_t references;
    uint16_t number; /* pending: number in the home stream's graph */
    uint8_t dtype;
    bool pending;
    uint64_t epoch;           /* the home stream's when `number` was given */
    sinter__view view;        /* in elements from where the storage begins */
    sinter__storage *storage; /* NULL: pending, no elements, or failed */
    sinter__failure *failure; /* why there is no value */
    struct sinter__slot *next_free;
} sinter__slot;

#define SINTER__MAX_OPENED 16  /* devices of a context */
#define SINTER__SLOT_CHUNKS 19 /* of 64, 128, 256, ... slots: 2^25 */
#define SINTER__FIRST_CHUNK 64

struct sinter_context {
    sinter__allocator allocator;
    sinter_context_options options;
    uint32_t tag;
    uint32_t first_generation; /* of its slots: later than those of the tag's last context */
    sinter__log log;
    sinter__opened *devices;
    uint32_t device_count;
    pthread_mutex_t lock; /* what follows */
    pthread_cond_t idle;  /* a stream's last foreign user has gone */
    uint32_t stream_count;
    uint32_t stream_numbers; /* given so far */
    _Atomic(sinter__slot *) slots[SINTER__SLOT_CHUNKS];
    _Atomic(uint32_t) slot_count; /* set after the chunk that it counts */
    sinter__slot *free_slots;
};

/* What a stream holds of a tensor that entered its queue. */
typedef struct sinter__entered {
    sinter__storage *storage;
    sinter__failure *failure;
} sinter__entered;

struct sinter_stream {
    sinter_context *ctx;
    sinter__opened *on;  /* the device */
    sinter_stream *next; /* on it; guarded by the context's lock */
    uint32_t number;     /* of the context's streams, from 1 */
    pthread_mutex_t lock;
    atomic_bool in_call; /* of the one thread that may use the stream; it changes under the lock */
    uint32_t users;      /* foreign threads about to take the lock; guarded by the context's */
    void *queue;         /* of the backend */
    bool is_timed;       /* the queue measures launches */
    void *their_queue;   /* the caller's, which it is; NULL: it is sinter's own */
    sinter_priority priority;  /* that was asked for */
    sinter_priority told;      /* of it, to the device */
    uint32_t shards;           /* that the stream is one of */
    struct sinter__span *span; /* that its launches belong to; NULL: to none */
    sinter__pool *pool;
    sinter__queue q;
    bool has_coming; /* of what entered the queue, something is to be copied from another device */
    bool is_disturbed;    /* the queue begins where another stream forced a cut */
    uint64_t epoch;       /* changes when the queue's numbers do */
    uint64_t share_bytes; /* most of what only the queue holds; UINT64_MAX: any */
    /* of what entered the queue and nobody else holds: no less than that */
    uint64_t released_bytes;
    struct {
        sinter__slot *deferred; /* released by other threads, gone at the next cut */
        sinter__slot *free;     /* for the tensors that it makes */
        uint32_t free_count;
    } slots;
    /* Operations and tensors that the queue has room for, and a cut of them: in its graph, in the old one, and in
     * all that is by tensor or operation. */
    size_t reserved, reserved_tensors;
    sinter__entered *entered; /* by tensor of the queue */
    size_t entered_capacity;
    /* What was cut off the queue last and may come again. */
    struct {
        /* operations and tensors that still stand in the queue's arrays, as far as nothing has been written over them */
        uint32_t repeatable, repeatable_tensors;
        sinter__graph graph; /* what was written over; in a cut, the queue before it */
        sinter__entered *entered;
        size_t entered_capacity;
        uint16_t *renumber; /* from its tensors to the new queue's */
        size_t renumber_capacity;
    } old;
    /* Formulas as they stand in the queue (executor/queue/formula.c): the first `count` are in it;
     * `known` were in what was cut off, of which those from `next` on have not been compared yet.
     * `count` is never over `next`, which may pass `known`. */
    struct {
        struct sinter__queued_formula *at;
        size_t capacity;
        uint32_t known, count, next;
    } formulas;
    sinter__former formers[SINTER__FORMERS];
    struct {           /* numbers of segments */
        uint32_t now;  /* which the queue's arrays are kept for */
        uint32_t next; /* which came behind it last */
        uint32_t last_cut;
    } segments;
    struct {
        sinter__instance **buckets; /* by the plan's address */
        size_t count, bucket_count;
    } instances;
    struct {
        uint64_t launched; /* launches so far */
        uint64_t finished; /* of them known to be done */
        uint64_t steps;    /* of plans, run since the last wait */
    } progress;
    bool is_cancelled; /* the segment that is run, or planned */
    struct {           /* since the last wait (executor/run/pace.h) */
        uint64_t launches;
        uint64_t bytes; /* that those move, where it is asked for */
        char *staging;  /* what commands may read: the first `staged_bytes` */
        size_t capacity_bytes, staged_bytes;
    } pace;
    /* Storages of other streams that launches not known to be done may read. Each is held, so that
     * its home neither gives it away nor writes over it. */
    struct {
        sinter__storage **at;
        size_t count, capacity;
    } reading;
    struct {
        sinter__mark *mark;      /* the last that others follow; NULL: none since the last wait */
        sinter__flight *flight;  /* of what was launched since then; NULL: nobody follows it */
        sinter__follow *follows; /* other streams' work that what is launched waits for */
        size_t follow_count, follow_capacity;
    } order; /* among streams (executor/context/edge.c) */
    sinter__mapping
        *mapped;           /* tensors in the host's hands: while there are any, the stream rests */
    sinter__mapping *lent; /* those in buffers of the caller's that are with it, and the queue */
    struct {
        sinter__failure *first; /* since the last sync */
        sinter__failure *late;  /* what the device reported while a segment was being launched */
        sinter__failure *lost;  /* the last late one that has taken values; NULL: none */
        uint64_t losses;        /* times that one has */
    } failures;
    struct {
        sinter_tensor *handles; /* made in open scopes, innermost last */
        size_t count, capacity;
        size_t *begins; /* where in them each open scope begins */
        size_t depth, depth_capacity;
    } scopes;
    sinter__report *report;
    sinter_memory_need *need; /* of a copy to rehearse on: what is found; NULL: it runs */
    uint32_t logged;          /* segments in the log so far */
    uint32_t optimised;       /* steps of optimisers so far */
    sinter__counters counts;
    uint64_t *bits; /* liveness of the segment being cut */
    size_t bits_capacity;
};

/* sinter_context_create, over what is the caller's. */
sinter_status sinter__context_open(const sinter_context_options *options,
                                   const sinter__their_context *theirs, sinter_context **out);

/* Slots (executor/context/slot.c, which says how a handle is made) */

#define SINTER__INDEX_BITS 24
#define SINTER__GENERATION_BITS 28
#define SINTER__INDEX_MASK ((1u << SINTER__INDEX_BITS) - 1)
#define SINTER__GENERATION_MASK ((1u << SINTER__GENERATION_BITS) - 1)

/* Slot `index`, which lies in the chunk of its power of two; NULL: there is none. */
static inline sinter__slot *sinter__slot_at(sinter_context *ctx, uint32_t index)
{
    uint32_t shifted = index / SINTER__FIRST_CHUNK + 1;
    uint32_t chunk = 31u - (uint32_t)__builtin_clz(shifted);
    uint32_t before = ((1u << chunk) - 1) * SINTER__FIRST_CHUNK;
    sinter__slot *slots = chunk < SINTER__SLOT_CHUNKS
                              ? atomic_load_explicit(&ctx->slots[chunk], memory_order_acquire)
                              : NULL;
    return slots != NULL ? &slots[index - before] : NULL;
}

/* The slot of a handle; NULL: it is no live handle of the context. */
static inline sinter__slot *sinter__slot_peek(sinter_context *ctx, sinter_tensor t)
{
    uint32_t tag = (uint32_t)(t.id >> (SINTER__INDEX_BITS + SINTER__GENERATION_BITS));
    uint32_t index = (uint32_t)(t.id >> SINTER__GENERATION_BITS) & SINTER__INDEX_MASK;
    uint32_t generation = (uint32_t)t.id & SINTER__GENERATION_MASK;
    sinter__slot *slot = tag == ctx->tag ? sinter__slot_at(ctx, index) : NULL;
    bool lives = slot != NULL && generation != 0 &&
                 atomic_load_explicit(&slot->generation, memory_order_acquire) == generation;
    return lives ? slot : NULL;
}

/* The same; SINTER_EHANDLE names the handle. */
sinter_status sinter__slot_find(sinter_context *ctx, sinter_tensor t, sinter__slot **out);

/* The slot of a tensor that is at home on the stream, whose lock is held; NULL: it is not. */
static inline sinter__slot *sinter__slot_own(sinter_stream *s, sinter_tensor t)
{
    sinter__slot *slot = sinter__slot_peek(s->ctx, t);
    bool own = slot != NULL && atomic_load_explicit(&slot->home, memory_order_relaxed) == s;
    return own ? slot : NULL;
}

/* The handle of a slot in use. */
sinter_tensor sinter__slot_handle(const sinter_context *ctx, const sinter__slot *slot);

/* A slot with one reference, at home on `s`. */
sinter_status sinter__slot_create(sinter_stream *s, sinter__slot **out, sinter_tensor *handle);

/* Takes the slot out of use: its handle is dead. Storage and failure are given back. `home` is the
 * slot's, whose lock is held, or NULL. */
void sinter__slot_destroy(sinter_context *ctx, sinter_stream *home, sinter__slot *slot);

/* Gives the stream's free slots but `keep` to the context, whose lock is held. */
void sinter__slots_give(sinter_stream *s, uint32_t keep);

/* How many tensors are held: counted one by one. */
uint64_t sinter__slots_live(sinter_context *ctx);

/* Adds those that were released on another stream and wait for the next cut of their own, and all that have a
 * storage. Nobody else uses the context. */
void sinter__slots_count(sinter_context *ctx, uint64_t *leaving, uint64_t *holding);

/* After which generation the next context of the same tag begins. */
uint32_t sinter__slots_last_generation(sinter_context *ctx);

/* Every slot, for the rare walks; `visit` returns false to stop. */
void sinter__slots_visit(sinter_context *ctx, bool (*visit)(void *user, sinter__slot *slot),
                         void *user);

/* The context whose tag the handle has, for a release without a stream; NULL when there is none. */
sinter_context *sinter__context_of(sinter_tensor t);

/* The lock of the caller's own stream, for a call of the public function `where`. SINTER_EBUSY when
 * another thread is in such a call; nothing is held then. Within the call the lock may be given back for
 * a while, as a mutex. */
sinter_status sinter__call_begin(sinter_stream *s, const char *where);
void sinter__call_end(sinter_stream *s);

/* Takes the lock that guards a tensor: its home stream's, or the context's when it has none (*home
 * is NULL then). The caller holds no stream's lock. Nothing is held on failure. */
sinter_status sinter__home_lock(sinter_context *ctx, sinter_tensor t, sinter__slot **slot,
                                sinter_stream **home);
void sinter__home_unlock(sinter_context *ctx, sinter_stream *home);
/* Who has counted itself among the stream's users has not got its lock. */
void sinter__home_leave(sinter_context *ctx, sinter_stream *home);

/* A slot as sinter__slot_create makes it, in the stream's innermost open scope. */
sinter_status sinter__slot_open(sinter_stream *s, sinter__slot **slot, sinter_tensor *handle);

/* Streams (executor/stream/stream.c) */

/* sinter_stream_create, with the caller's queue if that is not NULL. */
sinter_status sinter__stream_open(sinter_context *ctx, const sinter_stream_options *options,
                                  void *theirs, sinter_stream **out);

/* Remembers the first failure since the last sync. */
void sinter__stream_fail(sinter_stream *s, sinter__failure *failure);

/* A call that gives this failure to the caller: sync does not report it again. */
sinter_status sinter__stream_report(sinter_stream *s, sinter__failure *failure);

/* A transfer that waits has failed. Whatever was launched and not known to be done may have failed
 * instead, so it has no value either. */
void sinter__stream_doubt(sinter_stream *s, sinter_status status);

/* What a transfer that waits has come to: on success everything before it is done. Returns the failure
 * that the caller is to hear of. */
sinter_status sinter__stream_waited(sinter_stream *s, sinter_status status);

/* Whether a wait would give memory of copies from other devices back. */
bool sinter__stream_holds_copies(const sinter_stream *s);

/* Another stream's storage that launches may still read is let go of. */
void sinter__stream_leave(sinter_stream *s, sinter__storage *storage);

/* Waits until everything launched is done. A failure poisons what was launched since the last wait.
 */
sinter_status sinter__stream_finish(sinter_stream *s);

/* The thread sleeps, for less than a second. */
void sinter__pause(uint64_t ns);

/* Gives the stream a queue that measures its launches, unless it has one. Waits for what the old one
 * has. */
sinter_status sinter__stream_time(sinter_stream *s);

/* Mapped tensors (executor/stream/map.c) */

/* NULL: the tensor is neither mapped nor handed over. */
sinter__mapping *sinter__mapping_of(const sinter_stream *s, const sinter__slot *slot);
sinter_status sinter__mapping_end(sinter_stream *s, sinter__mapping *mapping);

/* SINTER_EBUSY for the last reference of a tensor that is handed over, or mapped and not unmapped by who
 * gives the reference back: somebody has a pointer to it, or commands for it. */
sinter_status sinter__mapping_keeps(const sinter_stream *s, const sinter__slot *slot, bool unmaps);

/* The memory of a tensor goes to the caller's commands, and comes back. */
sinter_status sinter__mapping_hand_over(sinter_stream *s, sinter_tensor t, sinter_map_access access,
                                        bool wants_event, sinter__address *at, uint64_t *bytes,
                                        sinter__handed *out);
sinter_status sinter__mapping_take_back(sinter_stream *s, sinter_tensor t, void *event);

/* SINTER_EBUSY, which names the handle by which the memory was handed over. */
sinter_status sinter__mapping_away(uint64_t handle);

/* SINTER_EBUSY for a tensor whose memory is with the caller's commands; the lock of its home is held. */
static inline sinter_status sinter__slot_here(const sinter__slot *slot)
{
    uint64_t handle = slot->storage == NULL
                          ? 0
                          : atomic_load_explicit(&slot->storage->away, memory_order_relaxed);
    return handle == 0 ? SINTER_OK : sinter__mapping_away(handle);
}

/* SINTER_EBUSY, for a call that would give the queue of a resting stream a command; its lock is held. */
sinter_status sinter__stream_busy(const sinter_stream *s, const char *where);

/* Segments (executor/stream/segment.c) */

/* Runs everything queued. Failures go to the results; the queue is in order afterwards. */
void sinter__stream_cut(sinter_stream *s, sinter__cut why);

/* What running everything queued would need of the device's memory; *out begins as zeros
 * (executor/stream/rehearse.c). */
sinter_status sinter__stream_need(sinter_stream *s, sinter_memory_need *out);

/* In a rehearsal: notes by how much the budget lacks room for what was just refused. */
void sinter__stream_lacks(const sinter_stream *s);

/* Frees what a queue and its cuts have: of a stream that ends, or of a copy of one. */
void sinter__stream_free_queue(sinter_stream *s);

/* When released_bytes is over the stream's share, before what follows the first `count` operations of
 * the queue is looked at: runs these if inputs that only the queue holds come to more than that, so
 * that their room is free again. */
void sinter__stream_shed(sinter_stream *s, uint32_t count);

/* Follows what has just been queued, and runs what is complete. */
void sinter__stream_advance(sinter_stream *s);

/* Number of `slot`, which is at home here or READY, in the stream's queue; it enters when it is not
 * in yet. Room must have been reserved. */
uint16_t sinter__stream_enter(sinter_stream *s, sinter__slot *slot);

/* The same for a storage seen through a view, held by nobody. */
uint16_t sinter__stream_enter_storage(sinter_stream *s, sinter_dtype dtype,
                                      const sinter__view *view, sinter__storage *storage,
                                      sinter__failure *failure, sinter__slot *owner);

/* A result of the queue, packed, is held by `owner`. */
void sinter__stream_own(sinter_stream *s, uint16_t number, sinter__slot *owner);

/* Whether what enters the queue is all of what lies in its storage. */
static inline bool sinter__storage_is_whole(const sinter__storage *storage,
                                            const sinter__gtensor *t)
{
    return t->view.offset == 0 && sinter__view_is_packed(&t->view) &&
           storage->bytes == (uint64_t)SINTER__MAX(sinter__gtensor_bytes(t), (int64_t)1);
}

/* Room for that many more operations; after it queueing them cannot fail. */
sinter_status sinter__stream_reserve(sinter_stream *s, size_t operations);

#endif /* SINTER_EXECUTOR_CONTEXT_H */
