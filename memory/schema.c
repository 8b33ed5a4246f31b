/* Placing requests: the largest first, each in the smallest gap that holds it between those already
 * placed that are alive at the same time (greedy by size with best fit; Pisarchyk and Lee, 2020).
 */
#include "memory/schema.h"

static bool alive_together(const sinter__request *a, const sinter__request *b)
{
    return a->start < b->end && b->start < a->end;
}

/* Larger first; equal ones in their own order, so that the plan is the same everywhere. */
static void sort_by_size(const sinter__schema *s, uint32_t *order)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t at = i;
        while (at > 0 && s->requests[order[at - 1]].bytes < s->requests[i].bytes) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = (uint32_t)i;
    }
}

/* The lowest end of a gap above `from` among placed requests: the first request at or above it that
 * is alive with `r`; NULL when none is. */
static const sinter__request *next_above(const sinter__schema *s, const uint32_t *order,
                                         size_t placed, const sinter__request *r, uint64_t from)
{
    const sinter__request *best = NULL;
    for (size_t i = 0; i < placed; i++) {
        const sinter__request *p = &s->requests[order[i]];
        if (s->share && !alive_together(p, r))
            continue;
        if (p->offset_bytes + p->bytes > from && p->bytes > 0 &&
            (best == NULL || p->offset_bytes < best->offset_bytes))
            best = p;
    }
    return best;
}

static void place(sinter__schema *s, const uint32_t *order, size_t placed, sinter__request *r)
{
    uint64_t best_gap = UINT64_MAX;
    uint64_t at = 0;
    for (;;) {
        const sinter__request *next = next_above(s, order, placed, r, at);
        if (next == NULL)
            break;
        uint64_t gap = next->offset_bytes > at ? next->offset_bytes - at : 0;
        if (gap >= r->bytes && gap < best_gap) {
            best_gap = gap;
            r->offset_bytes = at;
        }
        uint64_t end = next->offset_bytes + next->bytes;
        at = SINTER__MAX(at, sinter__align_up(end, s->alignment_bytes));
    }
    if (best_gap == UINT64_MAX)
        r->offset_bytes = at;
}

/* Most bytes alive at one step. It changes only where a request starts. */
static uint64_t most_alive(const sinter__schema *s)
{
    uint64_t most = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < s->count; k++) {
            const sinter__request *r = &s->requests[k];
            if (r->start <= s->requests[i].start && s->requests[i].start < r->end)
                sum += sinter__align_up(r->bytes, s->alignment_bytes);
        }
        most = SINTER__MAX(most, sum);
    }
    return most;
}

sinter_status sinter__schema_resolve(sinter__schema *s, uint32_t *order)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->requests[i].bytes > UINT64_MAX / 4 ||
            !sinter__add_u64(sum, s->requests[i].bytes, &sum) || sum > UINT64_MAX / 4)
            return sinter__fail(SINTER_ERANGE, "the bytes of %zu requests overflow", s->count);
    }
    sort_by_size(s, order);
    s->total_bytes = 0;
    for (size_t i = 0; i < s->count; i++) {
        sinter__request *r = &s->requests[order[i]];
        place(s, order, i, r);
        s->total_bytes = SINTER__MAX(s->total_bytes, r->offset_bytes + r->bytes);
    }
    s->total_bytes = sinter__align_up(s->total_bytes, s->alignment_bytes);
    s->bound_bytes = most_alive(s);
    return SINTER_OK;
}
