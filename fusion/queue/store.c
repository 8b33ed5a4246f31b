#include "fusion/queue/store.h"

#include <string.h>

#define NO_PLAN UINT32_MAX

typedef struct place {
    sinter__relative record;
    uint64_t hash;
    sinter__place parent; /* free places: the next free one */
    uint32_t next_in_bucket;
    uint32_t children;
    uint32_t pins; /* streams that stand here */
    uint32_t first_plan;
    uint32_t plans_below;        /* at deeper places */
    uint32_t fires;              /* depth of the plan that ends before this operation */
    sinter__place first_trigger; /* of the places after this one whose step fires its plans */
    sinter__place next_trigger;  /* of the same parent */
    bool always;                 /* plans here fire whatever follows */
    bool used;
} place;

typedef struct entry {
    sinter__payload *payload; /* NULL: free */
    uint64_t *bits;
    size_t words;
    sinter__place place;
    uint32_t next_at_place; /* free entries: the next free one */
    uint32_t newer, older;  /* least recently used order */
} entry;

struct sinter__store {
    sinter__allocator *allocator;
    atomic_uint_fast64_t version; /* changes with the lock held */
    pthread_mutex_t lock;
    sinter__payload_free_fn free_fn;
    void *user;
    size_t budget_bytes;
    size_t payload_bytes;
    place *places;
    size_t place_count, place_capacity;
    sinter__place free_place;
    uint32_t *buckets;
    size_t bucket_count;
    size_t used_places;
    entry *entries;
    size_t entry_count, entry_capacity;
    uint32_t free_entry;
    uint32_t newest, oldest;
    uint64_t plans;
    uint64_t evictions;
    sinter__payload *doomed; /* nobody refers to them: freed once the lock is given back */
};

#define NO_PLACE SINTER__NOWHERE
#define FIRST_BUCKETS 64

#define PLACE_BYTES (sizeof(place) + sizeof(uint32_t)) /* with its bucket */

static size_t store_bytes(const sinter__store *s)
{
    return s->payload_bytes + s->used_places * PLACE_BYTES + s->plans * sizeof(entry);
}

SINTER__COLD sinter_status sinter__store_create(sinter__allocator *a, size_t budget_bytes,
                                                sinter__payload_free_fn free_fn, void *user,
                                                sinter__store **out)
{
    sinter__store *s = sinter__alloc(a, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return SINTER_ENOMEM;
    s->allocator = a;
    s->free_fn = free_fn;
    s->user = user;
    s->budget_bytes = budget_bytes;
    s->free_place = NO_PLACE;
    s->free_entry = s->newest = s->oldest = NO_PLAN;
    s->bucket_count = FIRST_BUCKETS;
    s->buckets = sinter__alloc_array(a, s->bucket_count, sizeof *s->buckets);
    void *places = NULL;
    if (s->buckets == NULL ||
        sinter__grow(a, &places, &s->place_capacity, 16, sizeof *s->places) != SINTER_OK) {
        sinter__free(a, s->buckets, s->bucket_count * sizeof *s->buckets);
        sinter__free(a, s, sizeof *s);
        return SINTER_ENOMEM;
    }
    s->places = places;
    for (size_t i = 0; i < s->bucket_count; i++)
        s->buckets[i] = NO_PLACE;
    s->places[SINTER__ROOT] = (place){.parent = NO_PLACE,
                                      .next_in_bucket = NO_PLACE,
                                      .first_plan = NO_PLAN,
                                      .first_trigger = NO_PLACE,
                                      .used = true};
    s->place_count = s->used_places = 1;
    atomic_init(&s->version, 1);
    (void)pthread_mutex_init(&s->lock, NULL);
    *out = s;
    return SINTER_OK;
}

/* Freeing a payload takes other locks and may call the driver: nobody waits for that. */
static void unlock(sinter__store *s)
{
    sinter__payload *doomed = s->doomed;
    s->doomed = NULL;
    (void)pthread_mutex_unlock(&s->lock);
    while (doomed != NULL) {
        sinter__payload *next = doomed->next;
        s->free_fn(s->user, doomed);
        doomed = next;
    }
}

uint64_t sinter__store_version(const sinter__store *s)
{
    return atomic_load_explicit(&s->version, memory_order_acquire);
}

/* Before a place goes, and when one gets or loses a plan or a trigger. */
static void change(sinter__store *s)
{
    (void)atomic_fetch_add_explicit(&s->version, 1, memory_order_release);
}

/* Places */

static uint64_t step_hash(sinter__place from, const sinter__relative *record)
{
    return sinter__relative_hash(record, from);
}

static sinter__place find_place(const sinter__store *s, sinter__place from,
                                const sinter__relative *record, uint64_t hash)
{
    sinter__place p = s->buckets[hash & (s->bucket_count - 1)];
    while (p != NO_PLACE) {
        const place *x = &s->places[p];
        if (x->hash == hash && x->parent == from && memcmp(&x->record, record, sizeof *record) == 0)
            return p;
        p = x->next_in_bucket;
    }
    return NO_PLACE;
}

/* Doubles the table; when there is no memory for it the chains get longer, which is only slower. */
static void grow_buckets(sinter__store *s)
{
    if (s->used_places < s->bucket_count)
        return;
    size_t count = s->bucket_count * 2;
    uint32_t *buckets = sinter__alloc_array(s->allocator, count, sizeof *buckets);
    if (buckets == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        buckets[i] = NO_PLACE;
    for (sinter__place p = 1; p < s->place_count; p++) {
        place *x = &s->places[p];
        if (!x->used)
            continue;
        x->next_in_bucket = buckets[x->hash & (count - 1)];
        buckets[x->hash & (count - 1)] = p;
    }
    sinter__free(s->allocator, s->buckets, s->bucket_count * sizeof *s->buckets);
    s->buckets = buckets;
    s->bucket_count = count;
}

static void unlink_place(sinter__store *s, sinter__place p)
{
    uint32_t *slot = &s->buckets[s->places[p].hash & (s->bucket_count - 1)];
    while (*slot != p)
        slot = &s->places[*slot].next_in_bucket;
    *slot = s->places[p].next_in_bucket;
}

/* Frees a place that leads nowhere, and then those before it. */
SINTER__COLD static void prune(sinter__store *s, sinter__place p)
{
    while (p != SINTER__ROOT) {
        place *x = &s->places[p];
        if (x->children > 0 || x->pins > 0 || x->first_plan != NO_PLAN || x->fires > 0)
            return;
        sinter__place parent = x->parent;
        change(s);
        unlink_place(s, p);
        x->used = false;
        x->parent = s->free_place;
        s->free_place = p;
        s->used_places--;
        s->places[parent].children--;
        p = parent;
    }
}

/* The plans at `p` wait for a read again. */
static void clear_triggers(sinter__store *s, sinter__place p)
{
    sinter__place t = s->places[p].first_trigger;
    change(s);
    s->places[p].always = false;
    s->places[p].first_trigger = NO_PLACE;
    while (t != NO_PLACE) {
        sinter__place next = s->places[t].next_trigger;
        s->places[t].fires = 0;
        prune(s, t);
        t = next;
    }
}

/* Plans */

static void unlink_used(sinter__store *s, uint32_t e)
{
    entry *x = &s->entries[e];
    if (x->newer != NO_PLAN)
        s->entries[x->newer].older = x->older;
    else
        s->newest = x->older;
    if (x->older != NO_PLAN)
        s->entries[x->older].newer = x->newer;
    else
        s->oldest = x->newer;
}

static void link_newest(sinter__store *s, uint32_t e)
{
    entry *x = &s->entries[e];
    x->newer = NO_PLAN;
    x->older = s->newest;
    if (s->newest != NO_PLAN)
        s->entries[s->newest].newer = e;
    else
        s->oldest = e;
    s->newest = e;
}

static void count_below(sinter__store *s, sinter__place p, int difference)
{
    for (p = s->places[p].parent; p != NO_PLACE; p = s->places[p].parent)
        s->places[p].plans_below += (uint32_t)difference;
}

static void add_reference(sinter__payload *payload)
{
    (void)atomic_fetch_add_explicit(&payload->references, 1, memory_order_relaxed);
}

/* One less; true: it was the last. */
static bool give_reference(sinter__payload *payload)
{
    return atomic_fetch_sub_explicit(&payload->references, 1, memory_order_acq_rel) == 1;
}

/* The store's own, under the lock: what is freed waits until it is let go of. */
static void drop_reference(sinter__store *s, sinter__payload *payload)
{
    if (!give_reference(payload))
        return;
    payload->next = s->doomed;
    s->doomed = payload;
}

/* Takes entry `e` out. Its payload lives on while a stream refers to it. */
SINTER__COLD static void remove_entry(sinter__store *s, uint32_t e)
{
    entry *x = &s->entries[e];
    place *at = &s->places[x->place];
    uint32_t *slot = &at->first_plan;
    change(s);
    while (*slot != e)
        slot = &s->entries[*slot].next_at_place;
    *slot = x->next_at_place;
    unlink_used(s, e);
    count_below(s, x->place, -1);
    s->payload_bytes -= x->payload->bytes + x->words * sizeof(uint64_t);
    s->plans--;
    atomic_store_explicit(&x->payload->evicted, true, memory_order_relaxed);
    drop_reference(s, x->payload);
    sinter__free(s->allocator, x->bits, x->words * sizeof(uint64_t));
    x->payload = NULL;
    sinter__place home = x->place;
    x->next_at_place = s->free_entry;
    s->free_entry = e;
    if (at->first_plan == NO_PLAN) {
        at->pins++; /* it goes last */
        clear_triggers(s, home);
        at->pins--;
        prune(s, home);
    }
}

/* Makes room; the entry `keep` stays. */
static bool make_room(sinter__store *s, size_t bytes, uint32_t keep)
{
    while (store_bytes(s) + bytes > s->budget_bytes) {
        uint32_t e = s->oldest;
        if (e == keep && e != NO_PLAN)
            e = s->entries[e].newer;
        if (e == NO_PLAN)
            return false;
        s->evictions++;
        remove_entry(s, e);
    }
    return true;
}

static sinter__place make_place(sinter__store *s, sinter__place from,
                                const sinter__relative *record, uint64_t hash)
{
    s->places[from].pins++; /* eviction must not take away where we stand */
    bool room = make_room(s, PLACE_BYTES, NO_PLAN);
    s->places[from].pins--;
    if (!room)
        return NO_PLACE;
    sinter__place p = s->free_place;
    if (p != NO_PLACE) {
        s->free_place = s->places[p].parent;
    } else {
        void *places = s->places;
        if (sinter__grow(s->allocator, &places, &s->place_capacity, s->place_count + 1,
                         sizeof *s->places) != SINTER_OK)
            return NO_PLACE;
        s->places = places;
        p = (sinter__place)s->place_count++;
    }
    s->used_places++;
    grow_buckets(s);
    uint32_t *bucket = &s->buckets[hash & (s->bucket_count - 1)];
    s->places[p] = (place){.record = *record,
                           .hash = hash,
                           .parent = from,
                           .next_in_bucket = *bucket,
                           .first_plan = NO_PLAN,
                           .first_trigger = NO_PLACE,
                           .used = true};
    *bucket = p;
    s->places[from].children++;
    return p;
}

static sinter__step step_to(const sinter__store *s, sinter__place from, sinter__place to)
{
    sinter__step step = {.place = to};
    step.ends = s->places[from].always;
    if (to != NO_PLACE) {
        const place *x = &s->places[to];
        step.fires = x->fires;
        step.known = x->first_plan != NO_PLAN;
        step.may_grow = step.known || x->plans_below > 0;
    }
    return step;
}

sinter__step sinter__store_step(sinter__store *s, sinter__place from,
                                const sinter__relative *record)
{
    if (from == SINTER__NOWHERE)
        return (sinter__step){.place = SINTER__NOWHERE};
    (void)pthread_mutex_lock(&s->lock);
    uint64_t hash = step_hash(from, record);
    sinter__place to = find_place(s, from, record, hash);
    if (to == NO_PLACE)
        to = make_place(s, from, record, hash);
    sinter__step step = step_to(s, from, to);
    if (to != NO_PLACE) {
        s->places[to].pins++;
        if (from != SINTER__ROOT)
            s->places[from].pins--;
    }
    unlock(s);
    return step;
}

sinter__step sinter__store_peek(sinter__store *s, sinter__place from,
                                const sinter__relative *record)
{
    if (from == SINTER__NOWHERE)
        return (sinter__step){.place = SINTER__NOWHERE};
    (void)pthread_mutex_lock(&s->lock);
    sinter__place to = find_place(s, from, record, step_hash(from, record));
    sinter__step step = step_to(s, from, to);
    unlock(s);
    return step;
}

bool sinter__store_move(sinter__store *s, sinter__place from, sinter__place to, uint64_t version)
{
    (void)pthread_mutex_lock(&s->lock);
    bool same = sinter__store_version(s) == version;
    if (same) {
        s->places[to].pins++;
        if (from != SINTER__ROOT)
            s->places[from].pins--;
    }
    unlock(s);
    return same;
}

void sinter__store_leave(sinter__store *s, sinter__place p)
{
    if (p == SINTER__NOWHERE || p == SINTER__ROOT)
        return;
    (void)pthread_mutex_lock(&s->lock);
    s->places[p].pins--;
    prune(s, p);
    unlock(s);
}

static uint32_t find_entry(const sinter__store *s, sinter__place p, const sinter__liveness *live)
{
    uint32_t e = s->places[p].first_plan;
    while (e != NO_PLAN) {
        const entry *x = &s->entries[e];
        if (x->words == live->words &&
            memcmp(x->bits, live->bits, live->words * sizeof *live->bits) == 0)
            return e;
        e = x->next_at_place;
    }
    return NO_PLAN;
}

sinter__payload *sinter__store_find(sinter__store *s, sinter__place p, const sinter__liveness *live)
{
    sinter__payload *payload = NULL;
    if (p == SINTER__NOWHERE)
        return NULL;
    (void)pthread_mutex_lock(&s->lock);
    uint32_t e = find_entry(s, p, live);
    if (e != NO_PLAN) {
        unlink_used(s, e);
        link_newest(s, e);
        payload = s->entries[e].payload;
        add_reference(payload);
    }
    unlock(s);
    return payload;
}

/* Learning */

static void set_trigger(sinter__store *s, sinter__place p, uint32_t depth, sinter__trigger trigger,
                        sinter__place next)
{
    change(s);
    if (trigger == SINTER__TRIGGER_ALWAYS)
        s->places[p].always = true;
    if (trigger != SINTER__TRIGGER_NEXT || next == SINTER__NOWHERE || s->places[next].fires > 0)
        return;
    s->places[next].fires = depth;
    s->places[next].next_trigger = s->places[p].first_trigger;
    s->places[p].first_trigger = next;
}

static uint32_t new_entry(sinter__store *s)
{
    uint32_t e = s->free_entry;
    if (e != NO_PLAN) {
        s->free_entry = s->entries[e].next_at_place;
        return e;
    }
    void *entries = s->entries;
    if (sinter__grow(s->allocator, &entries, &s->entry_capacity, s->entry_count + 1,
                     sizeof *s->entries) != SINTER_OK)
        return NO_PLAN;
    s->entries = entries;
    return (uint32_t)s->entry_count++;
}

SINTER__COLD static bool learn(sinter__store *s, sinter__place p, uint32_t depth,
                               const sinter__liveness *live, sinter__payload *payload,
                               sinter__trigger trigger, sinter__place next)
{
    size_t bits_bytes = live->words * sizeof *live->bits;
    /* What would not fit beside the way to it with all others gone, drives none of them out. */
    size_t way_bytes = depth * PLACE_BYTES;
    if (payload->bytes + bits_bytes + sizeof(entry) + way_bytes > s->budget_bytes)
        return false;
    s->places[p].pins++;
    if (next != SINTER__NOWHERE)
        s->places[next].pins++;
    bool room = make_room(s, payload->bytes + bits_bytes + sizeof(entry), NO_PLAN);
    s->places[p].pins--;
    if (next != SINTER__NOWHERE)
        s->places[next].pins--;
    if (!room)
        return false;
    uint64_t *bits = sinter__alloc(s->allocator, bits_bytes);
    uint32_t e = bits != NULL ? new_entry(s) : NO_PLAN;
    if (e == NO_PLAN) {
        sinter__free(s->allocator, bits, bits_bytes);
        return false;
    }
    memcpy(bits, live->bits, bits_bytes);
    s->entries[e] = (entry){.payload = payload,
                            .bits = bits,
                            .words = live->words,
                            .place = p,
                            .next_at_place = s->places[p].first_plan};
    s->places[p].first_plan = e;
    link_newest(s, e);
    count_below(s, p, 1);
    add_reference(payload);
    s->payload_bytes += payload->bytes + bits_bytes;
    s->plans++;
    set_trigger(s, p, depth, trigger, next);
    return true;
}

bool sinter__store_learn(sinter__store *s, sinter__place p, uint32_t depth,
                         const sinter__liveness *live, sinter__payload *payload, bool replaces,
                         sinter__trigger trigger, sinter__place next)
{
    if (p == SINTER__NOWHERE)
        return false;
    (void)pthread_mutex_lock(&s->lock);
    bool is_there = !replaces && find_entry(s, p, live) != NO_PLAN;
    if (is_there)
        set_trigger(s, p, depth, trigger, next);
    bool learned = !is_there && learn(s, p, depth, live, payload, trigger, next);
    unlock(s);
    return learned;
}

void sinter__store_trigger(sinter__store *s, sinter__place p, uint32_t depth,
                           sinter__trigger trigger, sinter__place next)
{
    if (p == SINTER__NOWHERE)
        return;
    (void)pthread_mutex_lock(&s->lock);
    if (s->places[p].first_plan != NO_PLAN)
        set_trigger(s, p, depth, trigger, next);
    unlock(s);
}

void sinter__store_pin(sinter__store *s, sinter__place p)
{
    if (p == SINTER__NOWHERE || p == SINTER__ROOT)
        return;
    (void)pthread_mutex_lock(&s->lock);
    s->places[p].pins++;
    unlock(s);
}

void sinter__store_untrigger(sinter__store *s, sinter__place p)
{
    if (p == SINTER__NOWHERE)
        return;
    (void)pthread_mutex_lock(&s->lock);
    clear_triggers(s, p);
    unlock(s);
}

void sinter__store_release(sinter__store *s, sinter__payload *payload)
{
    if (give_reference(payload))
        s->free_fn(s->user, payload);
}

SINTER__COLD void sinter__store_grow(sinter__store *s, sinter__payload *payload, size_t bytes)
{
    (void)pthread_mutex_lock(&s->lock);
    uint32_t keep = s->newest;
    while (keep != NO_PLAN && s->entries[keep].payload != payload)
        keep = s->entries[keep].older;
    payload->bytes += bytes;
    if (keep != NO_PLAN) {
        s->payload_bytes += bytes;
        (void)make_room(s, 0, keep);
    }
    unlock(s);
}

SINTER__COLD void sinter__store_get_stats(sinter__store *s, sinter__store_stats *out)
{
    (void)pthread_mutex_lock(&s->lock);
    *out = (sinter__store_stats){.bytes = store_bytes(s),
                                 .plans = s->plans,
                                 .places = s->used_places,
                                 .evictions = s->evictions};
    unlock(s);
}

SINTER__COLD void sinter__store_destroy(sinter__store *s)
{
    if (s == NULL)
        return;
    (void)pthread_mutex_lock(&s->lock);
    while (s->oldest != NO_PLAN)
        remove_entry(s, s->oldest);
    unlock(s);
    sinter__allocator *a = s->allocator;
    (void)pthread_mutex_destroy(&s->lock);
    sinter__free(a, s->buckets, s->bucket_count * sizeof *s->buckets);
    sinter__free(a, s->places, s->place_capacity * sizeof *s->places);
    sinter__free(a, s->entries, s->entry_capacity * sizeof *s->entries);
    sinter__free(a, s, sizeof *s);
}
