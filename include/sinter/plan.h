/* Planning memory: where requests lie in one block, so that it is small and no two that are alive
 * together overlap. It needs no context, no device and no memory of its own. */
#ifndef SINTER_PLAN_H
#define SINTER_PLAN_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the requests are placed. Each gives the same plan on every machine. */
typedef enum sinter_plan_strategy {
    SINTER_PLAN_PARTITION = 0, /* shared slots: all of a slot's requests begin at one offset */
    SINTER_PLAN_GREEDY = 1,    /* several orders, each request in its best gap; the smallest wins */
    SINTER_PLAN_EXACT = 2, /* that, then a search within a budget of nodes, up to 1,024 requests */
    SINTER_PLAN_REFIT = 3, /* in the order of the offsets that the requests have already */
} sinter_plan_strategy;

/* Requests that SINTER_PLAN_EXACT searches for; of more it gives what SINTER_PLAN_GREEDY does. */
#define SINTER_PLAN_EXACT_MOST 1024

/** Something that wants bytes for some time: alive in the half-open interval [start, end). */
typedef struct sinter_plan_request {
    int64_t start; /* steps, at least 0 */
    int64_t end;   /* at least start; where it is start, the request takes no room */
    uint64_t bytes;
    uint64_t alignment_bytes; /* of its offset, a power of two; 0: the plan's */
    uint64_t offset_bytes;    /* the result; given where is_fixed is not 0, and for REFIT */
    uint32_t is_fixed;        /* not 0: it lies at offset_bytes already and stays there */
    uint32_t storage; /* the result with aliases: the first request in the bytes that it lies in */
} sinter_plan_request;

/** Where a request's bytes come from. */
typedef enum sinter_plan_kind {
    SINTER_PLAN_OWN = 0,       /* it wants its own */
    SINTER_PLAN_VIEW = 1,      /* some of another's: those live as long as any view of them */
    SINTER_PLAN_IN_PLACE = 2,  /* another's that dies in the step it starts in; or else its own */
    SINTER_PLAN_ELSEWHERE = 3, /* it takes no room here, and its views neither */
} sinter_plan_kind;

/** One for each request. A view of a view is one of what that is a view of. Of those that would be in
 *  the place of the same request the first is, if their bytes are as many and its alignment is enough. */
typedef struct sinter_plan_alias {
    sinter_plan_kind kind;
    uint32_t of;           /* number of the other request */
    uint64_t offset_bytes; /* of a view: from the other's; its own alignment counts for nothing */
} sinter_plan_alias;

typedef struct sinter_plan_options {
    uint32_t size; /* sizeof of this struct in the caller's header; fields past it are 0 */
    sinter_plan_strategy strategy;
    uint64_t alignment_bytes;         /* of all offsets and of the total, a power of two; 0: 1 */
    uint64_t slab_bytes;              /* no request crosses a multiple of it; 0: no limit */
    uint64_t capacity_bytes;          /* no smaller plan is looked for; 0: the smallest */
    uint64_t node_budget;             /* of the search; 0: 300,000, fewer where they cost much */
    const sinter_plan_alias *aliases; /* as many as requests; NULL: each wants its own bytes */
} sinter_plan_options;

/* clang-format off */
#define SINTER_PLAN_OPTIONS_INIT                                                                   \
    {sizeof(sinter_plan_options), SINTER_PLAN_EXACT, 0, 0, 0, 0, NULL}
/* clang-format on */

typedef struct sinter_plan_result {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    sinter_plan_strategy strategy; /* that found the plan */
    const char *order;             /* in which that strategy took the requests: a constant text */
    uint64_t total_bytes;          /* of the block */
    uint64_t bound_bytes;          /* most bytes alive at one step, or fixed: no plan is smaller */
    int64_t peak_step;             /* the first at which so many are alive; 0 when none is */
    uint64_t nodes;                /* that the search visited */
    uint32_t is_optimal;           /* not 0: no plan is smaller than this one */
    uint32_t slab_count;           /* that total_bytes touches; 1 without slabs, 0 without bytes */
    uint32_t refused;      /* the request that no plan is made for, by index; UINT32_MAX: none */
    uint32_t refused_with; /* the other one that it does not go with; UINT32_MAX: there is none */
} sinter_plan_result;

/* clang-format off */
#define SINTER_PLAN_RESULT_INIT \
    {sizeof(sinter_plan_result), SINTER_PLAN_EXACT, NULL, 0, 0, 0, 0, 0, 0, UINT32_MAX, UINT32_MAX}
/* clang-format on */

/** Bytes of scratch that planning wants.
 *  units    some 160 a request, 32 more with aliases; for SINTER_PLAN_EXACT, up to 1,024 requests, some 120 more a
 *           request and 24 for every pair of them. `options` NULL: SINTER_PLAN_OPTIONS_INIT.
 *  owns     fills *bytes.
 *  errors   SINTER_EINVAL for NULL, an unknown strategy or a size of the options that no version has,
 *           SINTER_ERANGE for more than 16,777,216 requests.
 *  thread   any. */
SINTER_API sinter_status sinter_plan_scratch_bytes(size_t count, const sinter_plan_options *options,
                                                   size_t *bytes);

/** Places every request: sets its offset_bytes, and its storage. The search ends as soon as the total is the lower
 *  bound, or the capacity. When the budget is spent the best plan found is the result. There is no search for more than
 *  SINTER_PLAN_EXACT_MOST requests, those that take no room included.
 *  units    steps and bytes. Sizes are rounded up to the alignment, in the lower bound as well.
 *  owns     fills *result, on failure its `refused` and `refused_with` alone; `scratch`, aligned for any type, is
 *           used during the call.
 *  errors   SINTER_EINVAL (NULL, scratch that is too small, an alignment that is no power of two, a
 *           lifetime that is negative or ends before it starts, fixed requests that overlap, a view that
 *           is not inside what it is a view of or is one of itself, an alias that is fixed or starts too
 *           early, a slab that is no multiple of an alignment),
 *           SINTER_ERANGE (bytes that overflow, a request larger than a slab), SINTER_EUNSUPPORTED
 *           (SINTER_PLAN_PARTITION with fixed requests); the text names the request by its index.
 *  thread   any. */
SINTER_API sinter_status sinter_plan_memory(sinter_plan_request *requests, size_t count,
                                            const sinter_plan_options *options, void *scratch,
                                            size_t scratch_bytes, sinter_plan_result *result);

/** Judges a plan, whoever made it, with nothing of the planner: no two requests that are alive
 *  together overlap, each is aligned, ends inside the block and crosses no slab; of aliases, that those
 *  of one storage lie in it, and that what was taken over was not needed any more.
 *  units    of `options` alignment, slabs and aliases count; `scratch` is at least 44 bytes a request:
 *           what planning them wanted is enough.
 *  owns     nothing; `scratch`, aligned for any type, is used during the call.
 *  errors   SINTER_EINVAL for NULL or scratch that is too small; SINTER_EINTERNAL for a plan that is
 *           wrong: the text names the requests.
 *  thread   any. */
SINTER_API sinter_status sinter_plan_check(const sinter_plan_request *requests, size_t count,
                                           const sinter_plan_options *options, uint64_t total_bytes,
                                           void *scratch, size_t scratch_bytes);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_PLAN_H */
