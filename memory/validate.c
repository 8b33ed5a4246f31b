/* The planner's independent judge: it shares no code with it. A sweep over time keeps what is alive
 * sorted by where it lies; as long as nothing overlaps, what comes in can only overlap its two
 * neighbours there. */
#include "memory/validate.h"

#include <string.h>

/* One start or end of a lifetime. At one step ends come first. */
typedef struct event {
    int64_t step;
    uint32_t request;
    uint32_t starts; /* 0: it is an end */
} event;

static bool comes_after(const event *a, const event *b)
{
    if (a->step != b->step)
        return a->step > b->step;
    if (a->starts != b->starts)
        return a->starts > b->starts;
    return a->request > b->request;
}

static void sift(event *e, size_t at, size_t count)
{
    for (;;) {
        size_t largest = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (comes_after(&e[child], &e[largest]))
                largest = child;
        }
        if (largest == at)
            return;
        event other = e[at];
        e[at] = e[largest];
        e[largest] = other;
        at = largest;
    }
}

static void sort_events(event *e, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sift(e, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        event last = e[left - 1];
        e[left - 1] = e[0];
        e[0] = last;
        sift(e, 0, left - 1);
    }
}

static sinter_plan_kind kind_of(const sinter__judged *j, size_t i)
{
    return j->aliases != NULL ? j->aliases[i].kind : SINTER_PLAN_OWN;
}

static sinter_status check_lifetime(const sinter__judged *j, size_t i)
{
    const sinter_plan_request *r = &j->requests[i];
    if (r->start >= 0 && r->end >= r->start)
        return SINTER_OK;
    return sinter__fail(SINTER_EINTERNAL, "request %zu is alive from %lld to %lld", i,
                        (long long)r->start, (long long)r->end);
}

/* `end_step`: when the bytes are needed no more. */
static sinter_status check_place(const sinter__judged *j, size_t i, int64_t end_step)
{
    const sinter_plan_request *r = &j->requests[i];
    unsigned long long bytes = r->bytes;
    unsigned long long at = r->offset_bytes;
    uint64_t end;
    if (r->start == end_step || bytes == 0 || kind_of(j, i) == SINTER_PLAN_ELSEWHERE ||
        kind_of(j, i) == SINTER_PLAN_VIEW)
        return SINTER_OK; /* a view is where it is by what it is a view of */
    if (at % j->alignment_bytes != 0 || (r->alignment_bytes > 1 && at % r->alignment_bytes != 0) ||
        __builtin_add_overflow(r->offset_bytes, r->bytes, &end) || end > j->total_bytes)
        return sinter__fail(SINTER_EINTERNAL,
                            "request %zu of %llu bytes at %llu is misaligned or past the end", i,
                            bytes, at);
    if (j->slab_bytes != 0 && at / j->slab_bytes != (end - 1) / j->slab_bytes)
        return sinter__fail(SINTER_EINTERNAL, "request %zu of %llu bytes at %llu crosses a slab", i,
                            bytes, at);
    return SINTER_OK;
}

/* Where `i` is among the living, or would be. */
static size_t find_living(const sinter__judged *j, const uint32_t *living, size_t count, uint32_t i)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (j->requests[living[middle]].offset_bytes < j->requests[i].offset_bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sinter_status check_apart(const sinter__judged *j, uint32_t below, uint32_t above)
{
    const sinter_plan_request *b = &j->requests[below];
    if (b->offset_bytes + b->bytes <= j->requests[above].offset_bytes)
        return SINTER_OK;
    return sinter__fail(SINTER_EINTERNAL, "requests %u and %u overlap", SINTER__MIN(below, above),
                        SINTER__MAX(below, above));
}

/* A view lies in what it is a view of. */
static sinter_status check_view(const sinter__judged *j, uint32_t i)
{
    const sinter_plan_alias *a = &j->aliases[i];
    if (a->of >= j->count)
        return sinter__fail(SINTER_EINTERNAL, "request %u is a view of nothing", i);
    const sinter_plan_request *r = &j->requests[i];
    const sinter_plan_request *of = &j->requests[a->of];
    if (r->offset_bytes - of->offset_bytes != a->offset_bytes || a->offset_bytes > of->bytes ||
        r->bytes > of->bytes - a->offset_bytes)
        return sinter__fail(SINTER_EINTERNAL, "request %u lies outside of %u", i, a->of);
    return SINTER_OK;
}

/* What is viewed lives as long as its views: each view hands its end on once all views of it have, so
 * that every one is looked at once. `waits` and `ready` have room for a number by request. */
static sinter_status extend_viewed(const sinter__judged *j, int64_t *ends, uint32_t *waits,
                                   uint32_t *ready)
{
    size_t count = 0;
    size_t views = 0;
    memset(waits, 0, j->count * sizeof *waits);
    for (uint32_t i = 0; i < j->count; i++) {
        if (kind_of(j, i) != SINTER_PLAN_VIEW)
            continue;
        SINTER_TRY(check_view(j, i));
        waits[j->aliases[i].of]++;
        views++;
    }
    for (uint32_t i = 0; i < j->count; i++) {
        if (kind_of(j, i) == SINTER_PLAN_VIEW && waits[i] == 0)
            ready[count++] = i;
    }
    for (size_t k = 0; k < count; k++) {
        uint32_t of = j->aliases[ready[k]].of;
        ends[of] = SINTER__MAX(ends[of], ends[ready[k]]);
        if (--waits[of] == 0 && kind_of(j, of) == SINTER_PLAN_VIEW)
            ready[count++] = of;
    }
    if (count == views)
        return SINTER_OK;
    uint32_t circle = 0;
    while (kind_of(j, circle) != SINTER_PLAN_VIEW || waits[circle] == 0)
        circle++;
    return sinter__fail(SINTER_EINTERNAL, "request %u is a view of nothing", circle);
}

/* Who took over the bytes of another did so in the step in which that dies, which ends it one sooner; so
 * nobody else can. */
static sinter_status check_taken(const sinter__judged *j, uint32_t taker, int64_t *ends)
{
    const sinter_plan_request *r = &j->requests[taker];
    uint32_t of = j->aliases[taker].of;
    while (of < j->count && kind_of(j, of) == SINTER_PLAN_VIEW)
        of = j->aliases[of].of;
    if (of >= j->count || kind_of(j, of) == SINTER_PLAN_ELSEWHERE ||
        r->offset_bytes != j->requests[of].offset_bytes || r->bytes != j->requests[of].bytes ||
        r->start <= j->requests[of].start || ends[of] - 1 != r->start)
        return sinter__fail(SINTER_EINTERNAL, "request %u took the bytes of %u, which needs them",
                            taker, of);
    ends[of] = r->start;
    return SINTER_OK;
}

/* When each request that has bytes ends, by what the aliases say. */
static sinter_status find_ends(const sinter__judged *j, int64_t *ends, uint32_t *waits,
                               uint32_t *ready)
{
    for (uint32_t i = 0; i < j->count; i++)
        ends[i] = j->requests[i].end;
    if (j->aliases == NULL)
        return SINTER_OK;
    SINTER_TRY(extend_viewed(j, ends, waits, ready));
    for (uint32_t i = 0; i < j->count; i++) {
        if (kind_of(j, i) == SINTER_PLAN_IN_PLACE && j->requests[i].storage != i)
            SINTER_TRY(check_taken(j, i, ends));
    }
    return SINTER_OK;
}

static sinter_status sweep(const sinter__judged *j, const event *events, size_t count,
                           uint32_t *living)
{
    size_t alive = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t i = events[k].request;
        size_t at = find_living(j, living, alive, i);
        if (events[k].starts == 0) {
            alive--;
            memmove(living + at, living + at + 1, (alive - at) * sizeof *living);
            continue;
        }
        if (at > 0)
            SINTER_TRY(check_apart(j, living[at - 1], i));
        if (at < alive)
            SINTER_TRY(check_apart(j, i, living[at]));
        memmove(living + at + 1, living + at, (alive - at) * sizeof *living);
        living[at] = i;
        alive++;
    }
    return SINTER_OK;
}

size_t sinter__validate_bytes(size_t count)
{
    return count * (2 * sizeof(event) + sizeof(int64_t) + sizeof(uint32_t));
}

sinter_status sinter__validate(const sinter__judged *j, void *scratch)
{
    event *events = scratch;
    int64_t *ends = (int64_t *)(events + 2 * j->count);
    uint32_t *living = (uint32_t *)(ends + j->count);
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++)
        SINTER_TRY(check_lifetime(j, i));
    SINTER_TRY(find_ends(j, ends, (uint32_t *)events, living)); /* neither is in use yet */
    for (size_t i = 0; i < j->count; i++)
        SINTER_TRY(check_place(j, i, ends[i]));
    for (uint32_t i = 0; i < j->count; i++) {
        const sinter_plan_request *r = &j->requests[i];
        sinter_plan_kind kind = kind_of(j, i);
        if (r->bytes == 0 || r->start == ends[i] || kind == SINTER_PLAN_VIEW ||
            kind == SINTER_PLAN_ELSEWHERE)
            continue;
        events[count++] = (event){j->never_shares ? 0 : r->start, i, 1};
        events[count++] = (event){j->never_shares ? 1 : ends[i], i, 0};
    }
    sort_events(events, count);
    return sweep(j, events, count, living);
}
