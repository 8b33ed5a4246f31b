/* A planning problem as its strategies see it: items over sections, in one block of scratch.
 *
 * Time is cut into sections: the largest sets of items that are all alive together, in their order. An
 * item is alive in whole sections, two are alive together when they share one, and there are at most as
 * many as items, however long the lifetimes are: what starts ends none, and only an end behind a start
 * does. */
#ifndef SINTER_MEMORY_PLACE_H
#define SINTER_MEMORY_PLACE_H

#include "core/base.h"
#include "memory/carve.h"
#include "sinter/plan.h"

#define SINTER__MOST_REQUESTS (1u << 24) /* of a plan or a schema, and nodes of a profile */
#define SINTER__MOST_PLAN_BYTES                                                                    \
    ((uint64_t)1 << 61) /* of all requests, gaps included; and alignments */

typedef struct sinter__item {
    uint64_t bytes; /* rounded up to the plan's alignment; 0: it takes no room */
    uint64_t alignment;
    int64_t start;       /* of its lifetime */
    uint64_t steps;      /* in it */
    uint32_t first, end; /* sections */
    bool is_fixed;       /* its offset is given */
} sinter__item;

/* The request that is looked at, and the other one if it is held against one: when a plan is refused, those
 * at fault. SINTER__NONE: there is none. */
#define SINTER__NONE UINT32_MAX
typedef struct sinter__refusal {
    uint32_t request, other;
} sinter__refusal;

/* What is sorted: by `major`, then `minor`, then `index`, all of them upwards. */
typedef struct sinter__key {
    uint64_t major, minor;
    uint32_t index;
} sinter__key;

/* Items are looked at so many at a time. */
#define SINTER__PLACED_BLOCK 32

/* The items that have their places, sorted by offsets; an array for each thing that is known of them, since
 * most are passed over for their sections alone. The first two have a block more than there are items. */
typedef struct sinter__placed {
    int32_t *first, *end; /* sections: as many as items at most; behind the last item a section that
                               there is not */
    uint64_t *bottom, *top; /* bytes: from its offset to its end */
} sinter__placed;

typedef struct sinter__problem {
    const sinter_plan_options *options;
    sinter__item *items;
    size_t count;
    uint64_t slab; /* 0: none; else a multiple of every alignment */
    bool has_fixed;
    uint64_t bound;
    int64_t peak_step;
    uint64_t *load;    /* by section: bytes alive in it */
    size_t most_alive; /* items at one step */
    uint32_t section_count;
    /* the plan in the making, and the best so far */
    uint64_t *offsets;
    uint64_t *best;
    uint64_t best_total; /* UINT64_MAX: there is none */
    sinter_plan_strategy found_by;
    const char *order;
    struct sinter__coalesced *storages; /* where there are aliases */
    /* scratch of the strategies */
    sinter__key *keys; /* 2 * count */
    sinter__placed placed;
    uint32_t *numbers; /* 2 * count */
    void *search;      /* of the exact search: sinter__exact_bytes */
    uint64_t work;     /* items looked at by the greedy strategies */
    uint64_t nodes;
    bool proven; /* no plan is smaller than the best */
    sinter__refusal refusal;
} sinter__problem;

/* Most bytes alive at once while `i` is. */
static inline uint64_t sinter__place_fullest(const sinter__problem *p, const sinter__item *i)
{
    uint64_t most = 0;
    for (uint32_t s = i->first; s < i->end; s++)
        most = SINTER__MAX(most, p->load[s]);
    return most;
}

/* The bytes up to which a plan is small enough. */
static inline uint64_t sinter__place_goal(const sinter__problem *p)
{
    return SINTER__MAX(p->bound, p->options->capacity_bytes);
}

static inline bool sinter__place_done(const sinter__problem *p)
{
    return p->best_total != UINT64_MAX && p->best_total <= sinter__place_goal(p);
}

/* The lowest place at or above `at` where an item may lie: aligned, in one slab. */
static inline uint64_t sinter__place_at(const sinter__problem *p, const sinter__item *i,
                                        uint64_t at)
{
    at = sinter__align_up(at, i->alignment);
    if (p->slab != 0 && at / p->slab != (at + i->bytes - 1) / p->slab)
        at = (at / p->slab + 1) * p->slab;
    return at;
}

/* Takes the plan in `offsets` if it is smaller than the best. */
void sinter__place_offer(sinter__problem *p, uint64_t total, sinter_plan_strategy by,
                         const char *order);

void sinter__sort_keys(sinter__key *keys, size_t count);

/* A slot of requests that are never alive together. */
typedef struct sinter__slot_of_requests {
    uint64_t sum; /* bytes of its members */
    uint64_t alignment;
    uint32_t taken_by; /* the last request for which it was not free, plus 1 */
} sinter__slot_of_requests;

/* The slot of the largest sum that is free for the request, of equal ones the first; `count`: none is. */
size_t sinter__choose_slot(const sinter__slot_of_requests *slots, size_t count, uint32_t request);

/* The strategies: each offers what it finds. */
void sinter__place_partition(sinter__problem *p);
void sinter__place_greedy(sinter__problem *p);
void sinter__place_again(sinter__problem *p);
void sinter__place_exact(sinter__problem *p);

/* Bytes of the scratch of the search for `count` items. */
size_t sinter__exact_bytes(size_t count);

#endif /* SINTER_MEMORY_PLACE_H */
