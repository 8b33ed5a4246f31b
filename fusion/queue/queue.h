/* A stream's queue: the graph of what is pending, its place in the plan store, and when to cut.
 *
 * Cuts, besides those that the caller makes (read, sync, flush):
 *   - a stored plan is complete and the operation that follows it shows that it ends there; a
 *     longer plan that is still possible is waited for, and the longest that was complete fires
 *     when it is not;
 *   - a cap (operations, bytes of pending results). Then the cut is made where the caller has set
 *     a mark, where the segment's beginning repeats, or where a known plan begins, so that a loop
 *     that never reads settles on the same segments.
 *
 * A plan that a cap has taught fires from then on as soon as it is complete. That is a guess: no
 * read will come before the cap. When one does, the guess is taken back, so that a short plan never
 * keeps a longer one from being learned. */
#ifndef SINTER_FUSION_QUEUE_QUEUE_H
#define SINTER_FUSION_QUEUE_QUEUE_H

#include "fusion/queue/store.h"

#include <stdatomic.h>

typedef enum sinter__cut {
    SINTER__CUT_NONE,
    SINTER__CUT_READ,
    SINTER__CUT_SYNC,
    SINTER__CUT_FLUSH,
    SINTER__CUT_FOREIGN,    /* another stream needs a pending tensor */
    SINTER__CUT_PLAN,       /* a stored plan is complete and the next operation has arrived */
    SINTER__CUT_OPERATIONS, /* cap */
    SINTER__CUT_BYTES,      /* cap */
    SINTER__CUT_BUDGET, /* the executor's: what only the queue holds is over the stream's share */
    SINTER__CUT_FIT,    /* the executor's: with what follows it would not fit the budget */
    SINTER__CUT_EVERY,  /* the switch that flushes every operation */
    SINTER__CUT_COUNT
} sinter__cut;

const char *sinter__cut_text(sinter__cut cut);

/* A step as it was taken last. Where it would begin at the same place with the same record and the store has not
 * changed, it need not be asked for again. */
typedef struct sinter__taken {
    sinter__relative record;
    sinter__place from;
    uint64_t version; /* of the store; 0: no step */
    sinter__step step;
} sinter__taken;

typedef struct sinter__queue {
    sinter__graph graph;
    sinter__store *store;
    sinter__place
        *places; /* after i operations; [0] is the root. One of the store's only when it is held */
    size_t places_capacity;
    sinter__taken *taken; /* by operation, from this segment or an earlier one */
    size_t taken_capacity;
    sinter__numbering *numbers; /* by tensor: scratch for looking for loops */
    size_t numbers_capacity;
    uint32_t stepped; /* operations that have been followed */
    /* Operations, from the first on, that the caller knows to have the records of those of the last queue. */
    uint32_t same;
    uint32_t placed; /* of them, those that have a place */
    /* of those, the ones whose last place is pinned: the others were not asked for again */
    uint32_t held;
    uint32_t armed; /* longest plan known to end; 0: none */
    uint32_t mark;  /* operations queued at the last mark; 0: none */
    uint32_t max_operations;
    /* Where the last segment ended: pinned, so that a loop asks the store for nothing there. */
    sinter__place kept;
    uint64_t max_bytes;
    uint64_t pending_bytes; /* of results that are held */
    struct {
        sinter__place place; /* of the first plan that fired since the caller's last cut; pinned */
        uint32_t operations; /* cut since then */
        uint64_t bytes;      /* pending in them when they were cut */
    } guess;
} sinter__queue;

#ifndef NDEBUG
/* Operations that the caller said it knew (`same`) and whose records are others: none, unless what
 * compares calls with those that came before (executor/queue/repeat.c, executor/queue/formula.c) overlooks
 * something that sinter__relative has. */
extern atomic_uint sinter__queue_strays;
#endif

sinter_status sinter__queue_init(sinter__queue *q, sinter__allocator *a, sinter__store *store,
                                 uint32_t max_operations, uint64_t max_bytes);
void sinter__queue_finish(sinter__queue *q);

/* Most tensors that an operation brings with it. */
#define SINTER__OPERATION_TENSORS (SINTER__MAX_OPERANDS + 1)

/* Room for that many operations and tensors in all; after it appending cannot fail. No less than there are. */
sinter_status sinter__queue_reserve(sinter__queue *q, size_t operations, size_t tensors);

/* The same for a graph that takes the place of the queue's. */
sinter_status sinter__queue_reserve_graph(sinter__graph *g, size_t operations, size_t tensors);

/* Follows the operations that have been appended to the graph, until one shows that a segment ends.
 * Returns how many operations from the first on are to run now, 0 for none; *cut is why. */
uint32_t sinter__queue_advance(sinter__queue *q, sinter__cut *cut);

/* Follows the first `count` operations, of which some may have been, and cuts nowhere. */
void sinter__queue_follow(sinter__queue *q, uint32_t count);

/* Where the first `count` operations, all of which have been followed, lead in the store. It and the places before
 * it stay until the queue is restarted. */
sinter__place sinter__queue_place(sinter__queue *q, uint32_t count);

/* The first `count` operations are about to run, at once or in parts, cut because of `why`. */
void sinter__queue_judge(sinter__queue *q, uint32_t count, sinter__cut why);

/* The first `count` operations have run: back to the root. The caller puts the others into the graph
 * anew. */
void sinter__queue_restart(sinter__queue *q, uint32_t count);

/* Tensors that have appeared in the first `count` operations: the last result has the highest
 * number. */
static inline uint16_t sinter__queue_tensors(const sinter__queue *q, uint32_t count)
{
    return count > 0 ? (uint16_t)(q->graph.nodes[count - 1].out + 1) : 0;
}

static inline uint32_t sinter__queue_length(const sinter__queue *q)
{
    return (uint32_t)q->graph.node_count;
}

void sinter__queue_mark(sinter__queue *q);

#endif /* SINTER_FUSION_QUEUE_QUEUE_H */
