/* Greedy placing: the requests in some order, each in a gap between those placed before it that are
 * alive with it. No order is best everywhere, so a portfolio of them is tried: by size (Pisarchyk and
 * Lee, 2020), by breadth (the same), in time, by area. It ends at the first plan that is as small as
 * the lower bound, which for most networks is one of the first; and when so many items have been
 * looked at that more would be felt, counted and not timed, so that the result is the same
 * everywhere. */
#include "memory/place.h"

#include <string.h>

#define MOST_WORK 60000000u /* no order is begun that may go beyond it */

typedef enum order {
    BY_BREADTH, /* the fullest section it lives in, then size */
    BY_SIZE,    /* size, then length */
    BY_START,
    BY_END, /* from the last to the first */
    BY_AREA,
    BY_LENGTH,
    BY_CLASS,  /* powers of two of the size, then length */
    BY_OFFSET, /* of a plan that there is */
} order;

static const struct {
    order order;
    bool best_fit; /* the smallest gap, not the lowest */
    const char *name;
} portfolio[] = {
    {BY_BREADTH, true, "breadth, best fit"}, {BY_SIZE, true, "size, best fit"},
    {BY_SIZE, false, "size, first fit"},     {BY_BREADTH, false, "breadth, first fit"},
    {BY_START, true, "start, best fit"},     {BY_START, false, "start, first fit"},
    {BY_END, true, "end, best fit"},         {BY_END, false, "end, first fit"},
    {BY_AREA, true, "area, best fit"},       {BY_AREA, false, "area, first fit"},
    {BY_LENGTH, true, "length, best fit"},   {BY_LENGTH, false, "length, first fit"},
    {BY_CLASS, true, "class, best fit"},     {BY_CLASS, false, "class, first fit"},
};

static sinter__key key_of(const sinter__problem *p, order by, uint32_t index)
{
    const sinter__item *i = &p->items[index];
    uint64_t length = i->end - i->first;
    uint64_t area;
    sinter__key key = {.index = index};
    if (__builtin_mul_overflow(length, i->bytes, &area))
        area = UINT64_MAX;
    switch (by) {
    case BY_BREADTH:
        key.major = ~sinter__place_fullest(p, i);
        key.minor = ~i->bytes;
        break;
    case BY_SIZE:
        key.major = ~i->bytes;
        key.minor = ~length;
        break;
    case BY_START:
        key.major = i->first;
        key.minor = ~i->bytes;
        break;
    case BY_END:
        key.major = ~(uint64_t)i->end;
        key.minor = ~i->bytes;
        break;
    case BY_AREA:
        key.major = ~area;
        break;
    case BY_LENGTH:
        key.major = ~length;
        key.minor = ~i->bytes;
        break;
    case BY_CLASS:
        key.major = (uint64_t)__builtin_clzll(i->bytes);
        key.minor = ~length;
        break;
    case BY_OFFSET:
        key.major = p->best[index];
        break;
    }
    return key;
}

/* The free items that take room, in order. */
static size_t sort_items(sinter__problem *p, order by)
{
    size_t n = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->items[i].bytes > 0 && !p->items[i].is_fixed)
            p->keys[n++] = key_of(p, by, i);
    }
    sinter__sort_keys(p->keys, n);
    return n;
}

/* Puts an item that has its offset into the list of `count`, behind those that begin with it. */
static void insert(sinter__problem *p, size_t count, uint32_t item)
{
    const sinter__item *i = &p->items[item];
    const sinter__placed *l = &p->placed;
    uint64_t bottom = p->offsets[item];
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->bottom[middle] <= bottom)
            low = middle + 1;
        else
            high = middle;
    }
    const size_t behind = count - low;
    memmove(l->first + low + 1, l->first + low, behind * sizeof *l->first);
    memmove(l->end + low + 1, l->end + low, behind * sizeof *l->end);
    memmove(l->bottom + low + 1, l->bottom + low, behind * sizeof *l->bottom);
    memmove(l->top + low + 1, l->top + low, behind * sizeof *l->top);
    l->first[low] = (int32_t)i->first;
    l->end[low] = (int32_t)i->end;
    l->bottom[low] = bottom;
    l->top[low] = bottom + i->bytes;
}

/* No item is alive in what lies in the list from `from` to `to`. */
static void blank(const sinter__placed *l, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        l->first[i] = INT32_MAX;
}

/* Bytes that are taken while the item is alive. */
typedef struct span {
    uint64_t bottom, top;
} span;

_Static_assert(sizeof(span) <= sizeof(sinter__key), "spans lie where keys do");

/* Those of the list that are alive with `item`, by offset. It is most of the work: a block is looked at in
 * vectors, and passed over where none is. */
static size_t gather(const sinter__placed *l, size_t count, const sinter__item *item, span *spans)
{
    const int32_t first = (int32_t)item->first;
    const int32_t end = (int32_t)item->end;
    size_t n = 0;
    for (size_t from = 0; from < count; from += SINTER__PLACED_BLOCK) {
        int32_t alive[SINTER__PLACED_BLOCK];
        int32_t any = 0;
        for (size_t i = 0; i < SINTER__PLACED_BLOCK; i++) {
            alive[i] = (l->first[from + i] < end) & (first < l->end[from + i]);
            any |= alive[i];
        }
        if (any == 0)
            continue;
        const size_t most = SINTER__MIN(count - from, (size_t)SINTER__PLACED_BLOCK);
        for (size_t i = 0; i < most; i++) {
            spans[n] = (span){l->bottom[from + i], l->top[from + i]};
            n += (size_t)alive[i];
        }
    }
    return n;
}

/* The best gap between the spans; of equal ones the lowest. */
static uint64_t find_place(const sinter__problem *p, const sinter__item *item, const span *spans,
                           size_t count, bool best_fit)
{
    const uint64_t bytes = item->bytes;
    uint64_t smallest = UINT64_MAX;
    uint64_t found = 0;
    uint64_t cursor = 0; /* below it all is taken */
    for (size_t i = 0; i < count; i++) {
        const span s = spans[i];
        if (s.bottom >= cursor + bytes) { /* seldom */
            uint64_t at = sinter__place_at(p, item, cursor);
            if (at + bytes <= s.bottom && s.bottom - cursor < smallest) {
                smallest = s.bottom - cursor;
                found = at;
                if (!best_fit)
                    break;
            }
        }
        cursor = SINTER__MAX(cursor, s.top);
    }
    return smallest != UINT64_MAX ? found : sinter__place_at(p, item, cursor);
}

/* Drops those of the list that no item to come is alive with, since all of them start no sooner than
 * `item`, or end no later. */
static size_t forget(const sinter__placed *l, size_t count, const sinter__item *item, order by)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_over =
            by == BY_START ? l->end[i] <= (int32_t)item->first : l->first[i] >= (int32_t)item->end;
        l->first[n] = l->first[i];
        l->end[n] = l->end[i];
        l->bottom[n] = l->bottom[i];
        l->top[n] = l->top[i];
        n += !is_over;
    }
    blank(l, n, count);
    return n;
}

/* Places the items of `keys` in their order; given up where the plan becomes no smaller than the
 * best. */
static void place_all(sinter__problem *p, size_t count, order by, bool best_fit, const char *name)
{
    span *spans = (span *)(p->keys + p->count);
    uint64_t total = 0;
    size_t placed = 0;
    blank(&p->placed, 0, p->count + SINTER__PLACED_BLOCK);
    for (uint32_t i = 0; p->has_fixed && i < p->count; i++) {
        if (p->items[i].is_fixed && p->items[i].bytes > 0) {
            insert(p, placed++, i);
            total = SINTER__MAX(total, p->offsets[i] + p->items[i].bytes);
        }
    }
    for (size_t k = 0; k < count && total < p->best_total; k++) {
        uint32_t index = p->keys[k].index;
        const sinter__item *item = &p->items[index];
        if (by == BY_START || by == BY_END)
            placed = forget(&p->placed, placed, item, by);
        p->offsets[index] =
            find_place(p, item, spans, gather(&p->placed, placed, item, spans), best_fit);
        p->work += placed;
        insert(p, placed++, index);
        total = SINTER__MAX(total, p->offsets[index] + item->bytes);
    }
    sinter__place_offer(p, total, SINTER_PLAN_GREEDY, name);
}

void sinter__place_greedy(sinter__problem *p)
{
    const uint64_t most = (uint64_t)p->count * p->count / 2; /* work of one order */
    const uint64_t most_in_time = (uint64_t)p->count * p->most_alive;
    size_t count = 0;
    order sorted = BY_OFFSET;
    for (size_t i = 0; i < SINTER__COUNT(portfolio); i++) {
        order by = portfolio[i].order;
        bool is_in_time = by == BY_START || by == BY_END;
        if (sinter__place_done(p))
            return;
        if (i > 0 && p->work + (is_in_time ? most_in_time : most) > MOST_WORK)
            continue;
        if (by != sorted)
            count = sort_items(p, by);
        sorted = by;
        place_all(p, count, by, portfolio[i].best_fit, portfolio[i].name);
    }
    if (!p->has_fixed && p->work + most <= MOST_WORK && !sinter__place_done(p))
        sinter__place_partition(p);
}

void sinter__place_again(sinter__problem *p)
{
    size_t count = sort_items(p, BY_OFFSET);
    p->best_total = UINT64_MAX;
    place_all(p, count, BY_OFFSET, false, "offsets, first fit");
    p->found_by = SINTER_PLAN_REFIT;
}
