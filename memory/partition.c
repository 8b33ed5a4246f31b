/* Partitions: slots whose requests are never alive together, so that one offset serves them all. The
 * largest request first, each into the slot with the most bytes in it that is free for its lifetime,
 * else into a new one. It places no better than offsets do, and its sizes have a closed form: the sum
 * over the slots of the largest in each. */
#include "memory/place.h"

typedef sinter__slot_of_requests slot;

_Static_assert(sizeof(slot) <= sizeof(sinter__key), "slots lie where keys do");

size_t sinter__choose_slot(const slot *slots, size_t count, uint32_t request)
{
    size_t best = count;
    for (size_t k = 0; k < count; k++) {
        if (slots[k].taken_by != request + 1 && (best == count || slots[k].sum > slots[best].sum))
            best = k;
    }
    return best;
}

/* The slot of each item: `slot_of` by item, `first_of` by slot: its first and largest member. */
static size_t assign(sinter__problem *p, size_t items, slot *slots, uint32_t *slot_of,
                     uint32_t *first_of)
{
    size_t count = 0;
    for (size_t k = 0; k < items; k++) {
        uint32_t index = p->keys[k].index;
        const sinter__item *item = &p->items[index];
        for (size_t i = 0; i < k; i++) {
            const sinter__item *other = &p->items[p->keys[i].index];
            if (other->first < item->end && item->first < other->end)
                slots[slot_of[p->keys[i].index]].taken_by = index + 1;
        }
        size_t at = sinter__choose_slot(slots, count, index);
        if (at == count) {
            slots[count] = (slot){.alignment = 1};
            first_of[count++] = index;
        }
        slots[at].sum += item->bytes;
        slots[at].alignment = SINTER__MAX(slots[at].alignment, item->alignment);
        slot_of[index] = (uint32_t)at;
        p->work += k + count;
    }
    return count;
}

void sinter__place_partition(sinter__problem *p)
{
    slot *slots = (slot *)(p->keys + p->count);
    uint32_t *slot_of = p->numbers;
    uint32_t *first_of = p->numbers + p->count;
    uint64_t total = 0;
    size_t items = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->items[i].bytes > 0)
            p->keys[items++] = (sinter__key){~p->items[i].bytes, 0, i};
    }
    sinter__sort_keys(p->keys, items);
    size_t count = assign(p, items, slots, slot_of, first_of);
    for (size_t k = 0; k < count; k++) {
        const sinter__item largest = {.bytes = p->items[first_of[k]].bytes,
                                      .alignment = slots[k].alignment};
        slots[k].sum = sinter__place_at(p, &largest, total); /* from now on where it begins */
        total = slots[k].sum + largest.bytes;
    }
    for (size_t k = 0; k < items; k++)
        p->offsets[p->keys[k].index] = slots[slot_of[p->keys[k].index]].sum;
    sinter__place_offer(p, total, SINTER_PLAN_PARTITION, "size");
}
