/* From requests to offsets: checks what the caller gave, cuts time into sections, finds the lower
 * bound, and lets the strategies at it. All memory is the caller's one block. */
#include "memory/plan.h"

#include "core/sized.h"
#include "memory/coalesce.h"
#include "memory/validate.h"

#include <string.h>

/* Scratch */

/* Where everything lies in the block at `base`, and how many bytes it takes; nothing is touched. */
static size_t lay_out(sinter__problem *p, char *base, size_t count, sinter_plan_strategy strategy,
                      bool has_aliases)
{
    size_t used = 0;
    p->count = count;
    p->items = sinter__carve(base, &used, count, sizeof *p->items);
    p->load = sinter__carve(base, &used, count, sizeof *p->load);
    p->offsets = sinter__carve(base, &used, count, sizeof *p->offsets);
    p->best = sinter__carve(base, &used, count, sizeof *p->best);
    p->keys = sinter__carve(base, &used, 2 * count, sizeof *p->keys);
    p->placed.first = sinter__carve(base, &used, count + SINTER__PLACED_BLOCK, sizeof(int32_t));
    p->placed.end = sinter__carve(base, &used, count + SINTER__PLACED_BLOCK, sizeof(int32_t));
    p->placed.bottom = sinter__carve(base, &used, count, sizeof(uint64_t));
    p->placed.top = sinter__carve(base, &used, count, sizeof(uint64_t));
    p->numbers = sinter__carve(base, &used, 2 * count, sizeof *p->numbers);
    if (strategy == SINTER_PLAN_EXACT)
        p->search = sinter__carve(base, &used, 1, sinter__exact_bytes(count));
    if (has_aliases)
        p->storages = sinter__carve(base, &used, count, sizeof *p->storages);
    return used;
}

size_t sinter__plan_scratch_bytes(size_t count, sinter_plan_strategy strategy, bool has_aliases)
{
    static char base[1];
    sinter__problem p = {0};
    return lay_out(&p, base, count, strategy, has_aliases);
}

/* Sorting: a heap, in place and without recursion. */

static bool key_after(const sinter__key *a, const sinter__key *b)
{
    if (a->major != b->major)
        return a->major > b->major;
    if (a->minor != b->minor)
        return a->minor > b->minor;
    return a->index > b->index;
}

static void sift(sinter__key *keys, size_t at, size_t count)
{
    const sinter__key moved = keys[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && key_after(&keys[child + 1], &keys[child]))
            child++;
        if (!key_after(&keys[child], &moved))
            break;
        keys[at] = keys[child];
        at = child;
    }
    keys[at] = moved;
}

void sinter__sort_keys(sinter__key *keys, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sift(keys, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        sinter__key last = keys[left - 1];
        keys[left - 1] = keys[0];
        keys[0] = last;
        sift(keys, 0, left - 1);
    }
}

/* Requests to items */

static uint64_t alignment_of(const sinter_plan_options *o)
{
    return SINTER__MAX(o->alignment_bytes, (uint64_t)1);
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Item `i`; what it may take at most, gaps for alignment included, is added to `sum`. */
static sinter_status read_request(const sinter_plan_request *r, size_t i, uint64_t alignment,
                                  sinter__item *out, uint64_t *sum)
{
    const unsigned long long bytes = r->bytes;
    const unsigned long long at = r->offset_bytes;
    uint64_t own = r->alignment_bytes != 0 ? r->alignment_bytes : 1;
    if (r->start < 0 || r->end < r->start)
        return sinter__fail(SINTER_EINVAL, "request %zu is alive from %lld to %lld", i,
                            (long long)r->start, (long long)r->end);
    if (!is_power_of_two(own))
        return sinter__fail(SINTER_EINVAL, "request %zu: the alignment %llu is no power of two", i,
                            (unsigned long long)own);
    own = SINTER__MAX(own, alignment);
    if (r->bytes > SINTER__MOST_PLAN_BYTES || own > SINTER__MOST_PLAN_BYTES ||
        !sinter__add_u64(*sum, sinter__align_up(r->bytes, alignment) + own, sum) ||
        *sum > SINTER__MOST_PLAN_BYTES ||
        (r->is_fixed && r->offset_bytes > SINTER__MOST_PLAN_BYTES))
        return sinter__fail(SINTER_ERANGE, "request %zu: %llu bytes overflow what has been counted",
                            i, bytes);
    if (r->is_fixed && r->bytes > 0 && at % own != 0)
        return sinter__fail(SINTER_EINVAL, "request %zu: its place %llu is no multiple of %llu", i,
                            at, (unsigned long long)own);
    *out = (sinter__item){
        .bytes = r->end > r->start ? sinter__align_up(r->bytes, alignment) : 0,
        .alignment = own,
        .start = r->start,
        .steps = (uint64_t)r->end - (uint64_t)r->start,
        .is_fixed = r->is_fixed != 0,
    };
    return SINTER_OK;
}

/* Only the first request of a storage is an item that takes room, for as long as any lives there. */
static sinter_status join_requests(sinter__problem *p, const sinter_plan_request *requests,
                                   uint64_t alignment)
{
    const sinter_plan_alias *aliases = p->options->aliases;
    SINTER_TRY(sinter__coalesce(requests, p->count, aliases, alignment, p->storages, p->keys,
                                &p->refusal));
    for (size_t i = 0; i < p->count; i++) {
        sinter__item *item = &p->items[i];
        bool is_first = p->storages[i].root == i && aliases[i].kind != SINTER_PLAN_ELSEWHERE;
        item->steps = (uint64_t)p->storages[i].end - (uint64_t)item->start;
        item->bytes =
            is_first && item->steps > 0 ? sinter__align_up(requests[i].bytes, alignment) : 0;
    }
    return SINTER_OK;
}

/* Whether an item can lie in slabs, and if it is fixed, does. */
static sinter_status check_slab(const sinter__problem *p, size_t i)
{
    const sinter__item *item = &p->items[i];
    const unsigned long long slab = p->slab;
    if (item->bytes == 0)
        return SINTER_OK;
    if (p->slab % item->alignment != 0)
        return sinter__fail(
            SINTER_EINVAL, "request %zu: a slab of %llu bytes is no multiple of its alignment %llu",
            i, slab, (unsigned long long)item->alignment);
    if (item->bytes > p->slab)
        return sinter__fail(SINTER_ERANGE,
                            "request %zu of %llu bytes is larger than a slab of %llu", i,
                            (unsigned long long)item->bytes, slab);
    if (item->is_fixed && sinter__place_at(p, item, p->offsets[i]) != p->offsets[i])
        return sinter__fail(SINTER_EINVAL, "request %zu: fixed at %llu it crosses a slab", i,
                            (unsigned long long)p->offsets[i]);
    return SINTER_OK;
}

static sinter_status read_requests(sinter__problem *p, const sinter_plan_request *requests)
{
    const sinter_plan_options *o = p->options;
    uint64_t alignment = alignment_of(o);
    uint64_t sum = 0;
    if (!is_power_of_two(alignment))
        return sinter__fail(SINTER_EINVAL, "the alignment %llu is no power of two",
                            (unsigned long long)alignment);
    for (size_t i = 0; i < p->count; i++) {
        p->refusal.request = (uint32_t)i;
        SINTER_TRY(read_request(&requests[i], i, alignment, &p->items[i], &sum));
        bool given = p->items[i].is_fixed || o->strategy == SINTER_PLAN_REFIT;
        p->offsets[i] = p->best[i] = given ? requests[i].offset_bytes : 0;
    }
    if (o->aliases != NULL)
        SINTER_TRY(join_requests(p, requests, alignment));
    for (size_t i = 0; i < p->count; i++) {
        p->refusal = (sinter__refusal){(uint32_t)i, SINTER__NONE};
        p->has_fixed |= p->items[i].is_fixed && p->items[i].bytes > 0;
        if (p->has_fixed && o->strategy == SINTER_PLAN_PARTITION)
            return sinter__fail(SINTER_EUNSUPPORTED, "partitions have no place for fixed requests");
    }
    p->slab = SINTER__MIN(o->slab_bytes, SINTER__MOST_PLAN_BYTES);
    for (size_t i = 0; i < p->count && p->slab != 0; i++) {
        p->refusal.request = (uint32_t)i;
        SINTER_TRY(check_slab(p, i));
    }
    return SINTER_OK;
}

/* Sections, and what is alive in each */

/* The keys of one step, `from` to `to`: what ends there closes the section if something has started
 * since the last one closed. */
static void cut_step(sinter__problem *p, size_t from, size_t to, bool *has_started)
{
    bool ends = false;
    bool starts = false;
    for (size_t k = from; k < to; k++) {
        ends |= p->keys[k].index % 2 == 1;
        starts |= p->keys[k].index % 2 == 0;
    }
    p->section_count += ends && *has_started;
    *has_started = starts || (*has_started && !ends);
    for (size_t k = from; k < to; k++) {
        sinter__item *item = &p->items[p->keys[k].index / 2];
        if (p->keys[k].index % 2 == 0)
            item->first = p->section_count;
        else
            item->end = p->section_count;
        p->keys[k].minor = p->section_count;
    }
}

/* Bytes alive in each section, and where they are most: at a step where something starts. */
static void add_loads(sinter__problem *p, size_t keys)
{
    uint64_t alive = 0; /* modulo 2^64, and so is the count: right at the end of a step */
    size_t count = 0;
    bool starts = false;
    for (size_t k = 0; k < keys; k++) {
        const sinter__key *key = &p->keys[k];
        uint64_t bytes = p->items[key->index / 2].bytes;
        alive += key->index % 2 == 0 ? bytes : 0 - bytes;
        count += key->index % 2 == 0 ? (size_t)1 : SIZE_MAX;
        starts |= key->index % 2 == 0;
        if (k + 1 < keys && p->keys[k + 1].major == key->major)
            continue;
        if (starts)
            p->load[key->minor] = SINTER__MAX(p->load[key->minor], alive);
        p->most_alive = SINTER__MAX(p->most_alive, count);
        if (alive > p->bound) {
            p->bound = alive;
            p->peak_step = (int64_t)key->major;
        }
        starts = false;
    }
}

static void cut_sections(sinter__problem *p)
{
    size_t n = 0;
    bool has_started = false;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->items[i].bytes == 0)
            continue;
        uint64_t start = (uint64_t)p->items[i].start;
        p->keys[n++] = (sinter__key){start, 0, 2 * i};
        p->keys[n++] = (sinter__key){start + p->items[i].steps, 0, 2 * i + 1};
    }
    sinter__sort_keys(p->keys, n);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && p->keys[to].major == p->keys[from].major;)
            to++;
        cut_step(p, from, to, &has_started);
    }
    memset(p->load, 0, p->section_count * sizeof *p->load);
    add_loads(p, n);
}

/* Those that are fixed lie apart; the lower bound is at least where they end. */
static sinter_status check_fixed(sinter__problem *p)
{
    size_t fixed = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (!p->items[i].is_fixed || p->items[i].bytes == 0)
            continue;
        p->bound = SINTER__MAX(p->bound, p->offsets[i] + p->items[i].bytes);
        for (size_t k = 0; k < fixed; k++) {
            uint32_t j = p->numbers[k];
            if (p->items[i].first < p->items[j].end && p->items[j].first < p->items[i].end &&
                p->offsets[i] < p->offsets[j] + p->items[j].bytes &&
                p->offsets[j] < p->offsets[i] + p->items[i].bytes) {
                p->refusal = (sinter__refusal){i, j};
                return sinter__fail(SINTER_EINVAL, "requests %u and %u are fixed and overlap", j,
                                    i);
            }
        }
        p->numbers[fixed++] = i;
    }
    return SINTER_OK;
}

static sinter_status take_requests(sinter__problem *p, const sinter_plan_request *requests)
{
    SINTER_TRY(read_requests(p, requests));
    cut_sections(p);
    return check_fixed(p);
}

/* Planning */

void sinter__place_offer(sinter__problem *p, uint64_t total, sinter_plan_strategy by,
                         const char *order)
{
    if (total >= p->best_total)
        return;
    memcpy(p->best, p->offsets, p->count * sizeof *p->best);
    p->best_total = total;
    p->found_by = by;
    p->order = order;
}

static void run_strategy(sinter__problem *p)
{
    switch (p->options->strategy) {
    case SINTER_PLAN_PARTITION:
        sinter__place_partition(p);
        break;
    case SINTER_PLAN_GREEDY:
        sinter__place_greedy(p);
        break;
    case SINTER_PLAN_REFIT:
        sinter__place_again(p);
        break;
    default:
        sinter__place_greedy(p);
        if (!sinter__place_done(p))
            sinter__place_exact(p);
        break;
    }
}

static void write_places(const sinter__problem *p, sinter_plan_request *requests)
{
    for (uint32_t i = 0; i < p->count; i++) {
        bool is_alias = p->options->aliases != NULL;
        requests[i].storage = is_alias ? p->storages[i].root : i;
        requests[i].offset_bytes =
            p->best[requests[i].storage] + (is_alias ? p->storages[i].at : 0);
    }
}

static void report(const sinter__problem *p, sinter_plan_result *r)
{
    r->strategy = p->found_by;
    r->order = p->order;
    r->total_bytes = p->best_total;
    r->bound_bytes = p->bound;
    r->peak_step = p->peak_step;
    r->nodes = p->nodes;
    r->is_optimal = p->proven || p->best_total == p->bound;
    r->slab_count = p->best_total > 0;
    if (p->slab != 0)
        r->slab_count =
            (uint32_t)SINTER__MIN((p->best_total + p->slab - 1) / p->slab, (uint64_t)UINT32_MAX);
}

static sinter_status judge(const sinter_plan_request *requests, size_t count,
                           const sinter_plan_options *o, uint64_t total_bytes, void *scratch)
{
    const sinter__judged plan = {.requests = requests,
                                 .count = count,
                                 .aliases = o->aliases,
                                 .alignment_bytes = alignment_of(o),
                                 .slab_bytes = o->slab_bytes,
                                 .total_bytes = total_bytes};
    return sinter__validate(&plan, scratch);
}

sinter_status sinter__plan_run(sinter_plan_request *requests, size_t count,
                               const sinter_plan_options *options, void *scratch,
                               sinter_plan_result *result)
{
    sinter__problem p = {
        .options = options, .best_total = UINT64_MAX, .refusal = {SINTER__NONE, SINTER__NONE}};
    (void)lay_out(&p, scratch, count, options->strategy, options->aliases != NULL);
    sinter_status status = take_requests(&p, requests);
    result->refused = status != SINTER_OK ? p.refusal.request : SINTER__NONE;
    result->refused_with = status != SINTER_OK ? p.refusal.other : SINTER__NONE;
    if (status != SINTER_OK)
        return status;
    run_strategy(&p);
    write_places(&p, requests);
    report(&p, result);
#ifndef NDEBUG
    return judge(requests, count, options, result->total_bytes, p.keys);
#else
    return SINTER_OK;
#endif
}

/* The public functions */

/* Fills `o`, which has the defaults. */
static sinter_status take_options(size_t count, const sinter_plan_options *given,
                                  sinter_plan_options *o)
{
    if (given != NULL)
        SINTER_TRY(sinter__sized_take("plan: options", o, sizeof *o, given));
    if ((unsigned)o->strategy > SINTER_PLAN_REFIT)
        return sinter__fail(SINTER_EINVAL, "plan: %d is no strategy", (int)o->strategy);
    if (count > SINTER__MOST_REQUESTS)
        return sinter__fail(SINTER_ERANGE, "plan: %zu requests, more than %u", count,
                            SINTER__MOST_REQUESTS);
    return SINTER_OK;
}

sinter_status sinter_plan_scratch_bytes(size_t count, const sinter_plan_options *options,
                                        size_t *bytes)
{
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    sinter__clear_error();
    if (bytes == NULL)
        return sinter__fail(SINTER_EINVAL, "plan: no place for the number of bytes");
    *bytes = 0;
    SINTER_TRY(take_options(count, options, &o));
    *bytes = sinter__plan_scratch_bytes(count, o.strategy, o.aliases != NULL);
    return SINTER_OK;
}

sinter_status sinter_plan_memory(sinter_plan_request *requests, size_t count,
                                 const sinter_plan_options *options, void *scratch,
                                 size_t scratch_bytes, sinter_plan_result *result)
{
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    sinter_plan_result full = SINTER_PLAN_RESULT_INIT;
    sinter__clear_error();
    SINTER_TRY(take_options(count, options, &o));
    size_t wanted = sinter__plan_scratch_bytes(count, o.strategy, o.aliases != NULL);
    if (result == NULL || requests == NULL)
        return sinter__fail(SINTER_EINVAL, "plan: no requests, or no result");
    SINTER_TRY(sinter__sized_check("plan: a result", result->size));
    sinter_status status =
        scratch != NULL && scratch_bytes >= wanted
            ? sinter__plan_run(requests, count, &o, scratch, &full)
            : sinter__fail(SINTER_EINVAL, "plan: %zu bytes of scratch in place of %zu",
                           scratch != NULL ? scratch_bytes : 0, wanted);
    sinter__sized_give(result, result->size, &full, sizeof full);
    return status;
}

sinter_status sinter_plan_check(const sinter_plan_request *requests, size_t count,
                                const sinter_plan_options *options, uint64_t total_bytes,
                                void *scratch, size_t scratch_bytes)
{
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    sinter__clear_error();
    if ((requests == NULL && count > 0) || options == NULL || count > SINTER__MOST_REQUESTS ||
        scratch == NULL || scratch_bytes < sinter__validate_bytes(count))
        return sinter__fail(
            SINTER_EINVAL, "plan: no requests, no options, or less scratch than %zu bytes",
            sinter__validate_bytes(SINTER__MIN(count, (size_t)SINTER__MOST_REQUESTS)));
    SINTER_TRY(sinter__sized_take("plan: options", &o, sizeof o, options));
    return judge(requests, count, &o, total_bytes, scratch);
}
