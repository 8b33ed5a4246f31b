/* Views and results in place, before anything is planned. A view lies in its root for as long as any
 * view of it lives, those of views included, however short the life of one between them is. A result
 * takes the bytes of an operand when that has no other use: in the order of time, since who takes a
 * storage decides how long it lives. */
#include "memory/coalesce.h"

static sinter_status check_alias(const sinter_plan_request *r, size_t count, size_t i,
                                 const sinter_plan_alias *a)
{
    if ((unsigned)a->kind > SINTER_PLAN_ELSEWHERE)
        return sinter__fail(SINTER_EINVAL, "request %zu: %d is no kind of alias", i, (int)a->kind);
    if (a->kind == SINTER_PLAN_OWN || a->kind == SINTER_PLAN_ELSEWHERE)
        return SINTER_OK;
    if (a->of >= count)
        return sinter__fail(SINTER_EINVAL, "request %zu is an alias of %u of %zu requests", i,
                            a->of, count);
    if (r[i].is_fixed)
        return sinter__fail(SINTER_EINVAL, "request %zu is fixed, and an alias of %u", i, a->of);
    if (r[i].start - (a->kind == SINTER_PLAN_IN_PLACE) < r[a->of].start)
        return sinter__fail(SINTER_EINVAL, "request %zu starts at %lld, too early for request %u",
                            i, (long long)r[i].start, a->of);
    if (a->kind == SINTER_PLAN_VIEW &&
        (a->offset_bytes > r[a->of].bytes || r[i].bytes > r[a->of].bytes - a->offset_bytes)) {
        return sinter__fail(SINTER_EINVAL,
                            "request %zu: %llu bytes at %llu are not all in the %llu of request %u",
                            i, (unsigned long long)r[i].bytes, (unsigned long long)a->offset_bytes,
                            (unsigned long long)r[a->of].bytes, a->of);
    }
    return SINTER_OK;
}

/* The base of each view and its place there: up the chain, and down again to write them; none comes back
 * to where it was. `holder` is who began the last walk through a request. */
static sinter_status find_bases(size_t count, const sinter_plan_alias *aliases,
                                sinter__coalesced *storages, sinter__refusal *refusal)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        uint32_t top = i;
        for (; storages[top].holder == UINT32_MAX && aliases[top].kind == SINTER_PLAN_VIEW;
             top = aliases[top].of) {
            storages[top].holder = i;
            sum += aliases[top].offset_bytes;
        }
        if (storages[top].holder == i) {
            *refusal = (sinter__refusal){top, aliases[top].of};
            return sinter__fail(SINTER_EINVAL, "requests %u and %u are views of each other", top,
                                aliases[top].of);
        }
        sum += storages[top].at; /* that of one found before */
        for (uint32_t k = i; k != top; k = aliases[k].of) {
            storages[k].base = storages[top].base;
            storages[k].at = sum;
            sum -= aliases[k].offset_bytes;
        }
    }
    return SINTER_OK;
}

/* Request `i` takes the storage of what it is to be in the place of, if it may: all of it, from who has
 * it now, at the step in which nothing else needs it any more. What is fixed may have others fixed behind it. */
static void take_over(const sinter_plan_request *requests, const sinter_plan_alias *aliases,
                      uint64_t alignment, sinter__coalesced *storages, uint32_t i)
{
    uint32_t of = aliases[i].of;
    uint32_t base = storages[of].base;
    uint32_t root = storages[base].root;
    sinter__coalesced *s = &storages[root];
    if (aliases[base].kind == SINTER_PLAN_ELSEWHERE || s->holder != base || storages[of].at != 0 ||
        requests[i].bytes != requests[base].bytes || s->end - 1 != requests[i].start ||
        requests[i].alignment_bytes > SINTER__MAX(requests[root].alignment_bytes, alignment) ||
        requests[root].is_fixed)
        return;
    s->end = SINTER__MAX(s->end, storages[i].end);
    s->holder = i;
    storages[i].root = root;
}

sinter_status sinter__coalesce(const sinter_plan_request *requests, size_t count,
                               const sinter_plan_alias *aliases, uint64_t alignment,
                               sinter__coalesced *storages, sinter__key *keys,
                               sinter__refusal *refusal)
{
    size_t takers = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_alias =
            aliases[i].kind == SINTER_PLAN_VIEW || aliases[i].kind == SINTER_PLAN_IN_PLACE;
        *refusal =
            (sinter__refusal){i, is_alias && aliases[i].of < count ? aliases[i].of : SINTER__NONE};
        SINTER_TRY(check_alias(requests, count, i, &aliases[i]));
        storages[i] =
            (sinter__coalesced){.end = requests[i].end, .base = i, .root = i, .holder = UINT32_MAX};
        if (aliases[i].kind == SINTER_PLAN_IN_PLACE)
            keys[takers++] = (sinter__key){(uint64_t)requests[i].start, 0, i};
    }
    SINTER_TRY(find_bases(count, aliases, storages, refusal));
    for (uint32_t i = 0; i < count; i++) {
        sinter__coalesced *base = &storages[storages[i].base];
        base->end = SINTER__MAX(base->end, requests[i].end);
        storages[i].holder = i;
    }
    sinter__sort_keys(keys, takers);
    for (size_t k = 0; k < takers; k++)
        take_over(requests, aliases, alignment, storages, keys[k].index);
    for (uint32_t i = 0; i < count; i++)
        storages[i].root = storages[storages[i].base].root;
    return SINTER_OK;
}
