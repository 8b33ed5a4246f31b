/* The plan store: a trie of relative records, shared by the streams of a context, with plans at its
 * nodes.
 *
 * A stream stands on the node of what it has queued; each operation is one step. Plans are found
 * with no scan: a segment is known when there is a plan at the node for the same set of live
 * tensors. The store has a byte budget; plans least recently used go first, and what led only to
 * them goes with them.
 *
 * Every function but sinter__store_version and sinter__store_release locks; a payload is kept alive by its
 * references while a stream runs it. */
#ifndef SINTER_FUSION_QUEUE_STORE_H
#define SINTER_FUSION_QUEUE_STORE_H

#include "fusion/queue/relative.h"

#include <pthread.h>
#include <stdatomic.h>

typedef uint32_t sinter__place; /* a node of the trie */
#define SINTER__ROOT 0
#define SINTER__NOWHERE UINT32_MAX /* off the trie: the store is full */

/* What a plan's key adds to its place: a bit per tensor of the segment. */
typedef struct sinter__liveness {
    const uint64_t *bits; /* live, then sole */
    size_t words;
} sinter__liveness;

/* What the layer above keeps with a plan. It is freed by the store's hook, with no lock held, when
 * nobody refers to it. */
typedef struct sinter__payload {
    size_t bytes;
    atomic_uint references;       /* the store's own included; the last frees it */
    struct sinter__payload *next; /* while it waits to be freed */
    atomic_bool evicted; /* the store has dropped it; its streams learn of it without a lock */
} sinter__payload;

typedef void (*sinter__payload_free_fn)(void *user, sinter__payload *payload);

typedef struct sinter__store sinter__store;

sinter_status sinter__store_create(sinter__allocator *a, size_t budget_bytes,
                                   sinter__payload_free_fn free_fn, void *user,
                                   sinter__store **out);
void sinter__store_destroy(sinter__store *store);

/* What a step tells of the place that it leads to. */
typedef struct sinter__step {
    sinter__place place;
    uint32_t fires; /* a plan of the first that many operations is known to end before this one; 0:
                       none */
    bool ends;      /* a plan ends at the place that was left, whatever follows */
    bool known;     /* a plan ends here */
    bool may_grow;  /* a plan ends here or further on */
} sinter__step;

/* From `from` along `record`, making the place when it is new. Where there is no place to go to, the
 * caller stays on `from`. */
sinter__step sinter__store_step(sinter__store *store, sinter__place from,
                                const sinter__relative *record);

/* The place after `record` if there is one, without moving and without making it. */
sinter__step sinter__store_peek(sinter__store *store, sinter__place from,
                                const sinter__relative *record);

/* Keeps a place, on which the caller stands or which led to it, until sinter__store_leave. */
void sinter__store_pin(sinter__store *store, sinter__place place);

/* A number, never 0, that is another one once a place has gone or a step would tell of an old place what it did
 * not before. What was learned of the store is as good as new while the number is the same. */
uint64_t sinter__store_version(const sinter__store *store);

/* From `from`, which is pinned, to `to`, to which steps led that were taken when the version was `version`. False:
 * the store has another version, and nothing has happened. */
bool sinter__store_move(sinter__store *store, sinter__place from, sinter__place to,
                        uint64_t version);

/* Gives up a place for the root. */
void sinter__store_leave(sinter__store *store, sinter__place place);

/* The plan at `place` for `live`, with one more reference; NULL when there is none. */
sinter__payload *sinter__store_find(sinter__store *store, sinter__place place,
                                    const sinter__liveness *live);

/* When a plan may fire before anybody reads. */
typedef enum sinter__trigger {
    SINTER__TRIGGER_SYNC,   /* only at a read or a sync */
    SINTER__TRIGGER_ALWAYS, /* when any operation follows */
    SINTER__TRIGGER_NEXT,   /* when the operation that leads to `next` follows */
} sinter__trigger;

/* Keeps `payload` as the plan at `place`, `depth` operations from the root; `replaces`: before one that is there.
 * The store takes a reference. False, and then it has not: there is no room,
 * or another stream's plan was first, and has the trigger too. */
bool sinter__store_learn(sinter__store *store, sinter__place place, uint32_t depth,
                         const sinter__liveness *live, sinter__payload *payload, bool replaces,
                         sinter__trigger trigger, sinter__place next);

/* Adds a trigger to the plans at `place`. */
void sinter__store_trigger(sinter__store *store, sinter__place place, uint32_t depth,
                           sinter__trigger trigger, sinter__place next);

/* Takes every trigger of the plans at `place`, which is pinned, away. */
void sinter__store_untrigger(sinter__store *store, sinter__place place);

/* Gives a reference back. */
void sinter__store_release(sinter__store *store, sinter__payload *payload);

/* A payload, stored or about to be, has grown by that many bytes. */
void sinter__store_grow(sinter__store *store, sinter__payload *payload, size_t bytes);

typedef struct sinter__store_stats {
    uint64_t bytes;
    uint64_t plans;
    uint64_t places;
    uint64_t evictions;
} sinter__store_stats;

void sinter__store_get_stats(sinter__store *store, sinter__store_stats *out);

#endif /* SINTER_FUSION_QUEUE_STORE_H */
