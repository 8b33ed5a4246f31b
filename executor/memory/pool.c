#include "executor/memory/pool_inside.h"

#include "executor/memory/fresh.h"
#include "executor/memory/shadow.h"
#include "executor/run/transfer.h"

/* A first slab of this size, each further one as large as all before it up to a limit: few, never twice the need. */
#define FIRST_SLAB_BYTES ((uint64_t)1 << 20)
#define GROWTH_MAX_BYTES ((uint64_t)256 << 20)
#define STORAGES_PER_CHUNK 64
/* What red zones are filled with: no number that anybody computes often. */
#define ZONE_BYTE 0xc5

/* Storages */

typedef struct chunk {
    void *next;
    sinter__storage storages[STORAGES_PER_CHUNK];
} chunk;

sinter_status sinter__memory_shared_init(sinter__memory_shared *m)
{
    atomic_init(&m->caller_bytes, 0);
    atomic_init(&m->used_bytes, 0);
    atomic_init(&m->peak_bytes, 0);
    atomic_init(&m->missing_bytes, 0);
    if (pthread_mutex_init(&m->lock, NULL) != 0)
        return sinter__fail(SINTER_ENOMEM, "no memory for a lock");
    return SINTER_OK;
}

void sinter__memory_shared_finish(sinter__memory_shared *m)
{
    while (m->storage_chunks != NULL) {
        chunk *c = m->storage_chunks;
        m->storage_chunks = c->next;
        sinter__free(m->allocator, c, sizeof *c);
    }
    (void)pthread_mutex_destroy(&m->lock);
}

/* One that is counted in `pool`; NULL: in none yet. */
static sinter__storage *take_record(sinter__memory_shared *m, sinter__pool *pool)
{
    (void)pthread_mutex_lock(&m->lock);
    if (m->free_storages == NULL) {
        chunk *c = sinter__alloc(m->allocator, sizeof *c);
        if (c != NULL) {
            c->next = m->storage_chunks;
            m->storage_chunks = c;
            for (size_t i = 0; i < STORAGES_PER_CHUNK; i++) {
                c->storages[i].next = m->free_storages;
                m->free_storages = &c->storages[i];
            }
        }
    }
    sinter__storage *s = m->free_storages;
    if (s != NULL) {
        m->free_storages = s->next;
        s->pool = pool;
        if (pool != NULL)
            pool->storages++;
    }
    (void)pthread_mutex_unlock(&m->lock);
    return s;
}

SINTER__COLD void sinter__memory_count(sinter__memory_shared *m, sinter__storage_count *sum)
{
    (void)pthread_mutex_lock(&m->lock);
    for (const chunk *c = m->storage_chunks; c != NULL; c = c->next) {
        for (size_t i = 0; i < STORAGES_PER_CHUNK; i++) {
            unsigned references = atomic_load(&c->storages[i].references);
            sum->storages += references > 0;
            sum->references += references;
            sum->bytes += references > 0 ? c->storages[i].bytes : 0;
        }
    }
    (void)pthread_mutex_unlock(&m->lock);
}

/* One storage less, with the lock held. The pool goes with the last, when its stream has gone: then it is true. */
static bool leave_locked(sinter__pool *pool)
{
    return --pool->storages == 0 && pool->is_orphan;
}

void sinter__pool_leave(sinter__memory_shared *m, sinter__pool *pool)
{
    (void)pthread_mutex_lock(&m->lock);
    bool last = leave_locked(pool);
    (void)pthread_mutex_unlock(&m->lock);
    if (last)
        sinter__pool_destroy(pool);
}

static void give_record(sinter__memory_shared *m, sinter__storage *s)
{
    sinter__pool *pool = s->pool;
    (void)pthread_mutex_lock(&m->lock);
    atomic_store_explicit(&s->references, 0, memory_order_relaxed);
    s->next = m->free_storages;
    m->free_storages = s;
    bool last = pool != NULL && leave_locked(pool);
    (void)pthread_mutex_unlock(&m->lock);
    if (last)
        sinter__pool_destroy(pool);
}

static void count_used(sinter__memory_shared *m, uint64_t bytes)
{
    uint64_t used = atomic_fetch_add_explicit(&m->used_bytes, bytes, memory_order_relaxed) + bytes;
    sinter__raise_to(&m->peak_bytes, used);
}

/* Memory of the device */

static sinter_status check_size(const sinter__memory_shared *m, uint64_t bytes)
{
    if (bytes > m->max_slab_bytes)
        return sinter__fail(SINTER_EDEVMEM,
                            "%llu bytes are over the largest allocation of the device, %llu",
                            (unsigned long long)bytes, (unsigned long long)m->max_slab_bytes);
    return SINTER_OK;
}

static void shadow_slab(const sinter__pool *pool, const sinter__slab *slab, sinter__shadow shadow)
{
    const sinter__address all = {.memory = slab->memory};
    sinter__shadow_bytes(pool->shared, pool->queue, all, slab->bytes, shadow);
}

static void drop_slab(sinter__pool *pool, sinter__slab *slab)
{
    sinter__memory_shared *m = pool->shared;
    shadow_slab(pool, slab, SINTER__SHADOW_FRESH); /* as the driver gave it */
    pool->slab_bytes -= slab->bytes;
    sinter__fresh_release(m, slab->memory, slab->bytes);
    sinter__suballoc_finish(&slab->blocks);
    *slab = (sinter__slab){0};
}

/* Gives slabs back in which nothing lies; says whether there were any. */
static bool drop_empty_slabs(sinter__pool *pool)
{
    bool any = false;
    for (size_t i = 0; i < pool->slab_count; i++) {
        sinter__slab *slab = &pool->slabs[i];
        if (slab->memory == NULL || slab->blocks.used_bytes > 0)
            continue;
        drop_slab(pool, slab);
        any = true;
    }
    return any;
}

/* A failure that less memory, or more that is free, may heal. */
static bool is_lack(sinter_status status)
{
    return status == SINTER_EBUDGET || status == SINTER_EDEVMEM || status == SINTER_ENOMEM;
}

/* Memory for a slab that holds `need`: more if there is room, so that slabs stay few; else in the
 * place of empty ones. */
static sinter_status create_slab(sinter__pool *pool, uint64_t need, void **memory, uint64_t *bytes)
{
    SINTER_TRY(check_size(pool->shared, need));
    uint64_t wish = SINTER__MIN(pool->slab_bytes, GROWTH_MAX_BYTES);
    wish = SINTER__MAX(SINTER__MAX(wish, FIRST_SLAB_BYTES), need);
    *bytes = SINTER__MIN(wish, pool->shared->max_slab_bytes);
    sinter_status status = sinter__fresh_create(pool->shared, pool->queue, *bytes, true, memory);
    if (is_lack(status) && *bytes > need) {
        *bytes = need;
        status = sinter__fresh_create(pool->shared, pool->queue, need, true, memory);
    }
    if (is_lack(status) && drop_empty_slabs(pool)) {
        *bytes = need;
        status = sinter__fresh_create(pool->shared, pool->queue, need, true, memory);
    }
    return status;
}

/* A place for one more slab: one that was given back, or a new one. */
static sinter_status find_slab(sinter__pool *pool, sinter__slab **out)
{
    for (size_t i = 0; i < pool->slab_count; i++) {
        *out = &pool->slabs[i];
        if ((*out)->memory == NULL)
            return SINTER_OK;
    }
    void *slabs = pool->slabs;
    sinter_status status = sinter__grow(pool->shared->allocator, &slabs, &pool->slab_capacity,
                                        pool->slab_count + 1, sizeof *pool->slabs);
    pool->slabs = slabs;
    if (status == SINTER_OK)
        *out = &pool->slabs[pool->slab_count++];
    return status;
}

static sinter_status add_slab(sinter__pool *pool, uint64_t need)
{
    sinter__memory_shared *m = pool->shared;
    sinter__slab *slab;
    uint64_t bytes;
    void *memory;
    SINTER_TRY(find_slab(pool, &slab));
    SINTER_TRY(create_slab(pool, sinter__align_up(need, m->alignment_bytes), &memory, &bytes));
    sinter_status status =
        sinter__suballoc_init(&slab->blocks, m->allocator, bytes, m->alignment_bytes);
    if (status != SINTER_OK) {
        sinter__fresh_release(m, memory, bytes);
        return status;
    }
    slab->memory = memory;
    slab->bytes = bytes;
    shadow_slab(pool, slab, SINTER__SHADOW_CLOSED);
    pool->slab_bytes += bytes;
    return SINTER_OK;
}

static bool take_block(sinter__pool *pool, uint64_t bytes, sinter__storage *s)
{
    for (size_t i = 0; i < pool->slab_count; i++) {
        sinter__slab *slab = &pool->slabs[i];
        uint32_t block = SINTER__NO_BLOCK;
        if (slab->memory != NULL)
            block = sinter__suballoc_take(&slab->blocks, bytes);
        if (block == SINTER__NO_BLOCK)
            continue;
        s->slab = (uint32_t)i;
        s->block = block;
        s->address.memory = slab->memory;
        s->address.offset_bytes = slab->blocks.blocks[block].offset_bytes;
        return true;
    }
    return false;
}

/* A buffer of no bytes cannot be made. */
static uint64_t separate_bytes(uint64_t bytes)
{
    return SINTER__MAX(bytes, (uint64_t)1);
}

/* Red zones */

/* Bytes before a storage and at least as many behind it, which leave it aligned. */
static uint64_t zone_bytes(const sinter__memory_shared *m)
{
    return m->mode == SINTER_MEMORY_RED_ZONE ? m->alignment_bytes : 0;
}

/* A range beside a storage, from where the storage begins. */
typedef struct zone {
    int64_t first;
    uint64_t bytes;
} zone;

/* The two zones of a storage. The block is rounded up, so the second one begins right behind it. */
static void zones_of(const sinter__storage *s, zone out[2])
{
    const sinter__memory_shared *m = s->pool->shared;
    uint64_t before = zone_bytes(m);
    uint64_t padding = sinter__align_up(s->bytes, m->alignment_bytes) - s->bytes;
    out[0] = (zone){.first = -(int64_t)before, .bytes = before};
    out[1] = (zone){.first = (int64_t)s->bytes, .bytes = padding + before};
}

static sinter__address zone_address(const sinter__storage *s, int64_t first)
{
    sinter__address at = s->address;
    at.offset_bytes += (uint64_t)first; /* wraps back where `first` is negative */
    return at;
}

SINTER__COLD static sinter_status fill_zones(sinter__pool *pool, const sinter__storage *s)
{
    const sinter__memory_shared *m = pool->shared;
    zone zones[2];
    zones_of(s, zones);
    for (int i = 0; i < 2; i++)
        SINTER_TRY(m->backend->fill(m->state, pool->queue, zone_address(s, zones[i].first),
                                    zones[i].bytes, ZONE_BYTE));
    return SINTER_OK;
}

/* A fill with zones around it, or with neither. */
static sinter_status mark_birth(sinter__pool *pool, const sinter__storage *s)
{
    const sinter__memory_shared *m = pool->shared;
    if (m->mode == SINTER_MEMORY_RED_ZONE)
        return fill_zones(pool, s);
    if (m->mode == SINTER_MEMORY_POISON && s->bytes > 0)
        return m->backend->fill(m->state, pool->queue, s->address, s->bytes, SINTER__POISON_BYTE);
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter__storage_check(sinter__storage *s, sinter__damage *out)
{
    const sinter__memory_shared *m = s->pool->shared;
    zone zones[2];
    uint8_t bytes[256];
    *out = (sinter__damage){.found = false};
    zones_of(s, zones);
    for (int i = 0; i < 2; i++) {
        for (uint64_t done = 0; done < zones[i].bytes && !out->found;) {
            uint64_t count = SINTER__MIN(zones[i].bytes - done, (uint64_t)sizeof bytes);
            int64_t first = zones[i].first + (int64_t)done;
            SINTER_TRY(
                m->backend->read(m->state, s->pool->queue, zone_address(s, first), bytes, count));
            for (uint64_t k = 0; k < count && !out->found; k++) {
                if (bytes[k] != ZONE_BYTE)
                    *out = (sinter__damage){true, first + (int64_t)k, bytes[k]};
            }
            done += count;
        }
    }
    return out->found ? fill_zones(s->pool, s) : SINTER_OK;
}

static void give_block(sinter__pool *pool, const sinter__storage *s)
{
    sinter__shadow_bytes(pool->shared, pool->queue, s->address, s->bytes, SINTER__SHADOW_CLOSED);
    sinter__suballoc_give(&pool->slabs[s->slab].blocks, s->block);
}

static sinter_status place_storage(sinter__pool *pool, uint64_t bytes, sinter__storage *s)
{
    sinter__memory_shared *m = pool->shared;
    if (m->mode == SINTER_MEMORY_SEPARATE) {
        s->block = SINTER__NO_BLOCK;
        s->address.offset_bytes = 0;
        SINTER_TRY(check_size(m, bytes));
        return sinter__fresh_create(pool->shared, pool->queue, separate_bytes(bytes), false,
                                    &s->address.memory);
    }
    uint64_t need = sinter__align_up(bytes, m->alignment_bytes) + 2 * zone_bytes(m);
    need = zone_bytes(m) > 0 ? need : bytes;
    if (!take_block(pool, need, s)) {
        SINTER_TRY(add_slab(pool, need));
        if (!take_block(pool, need, s))
            return sinter__fail(SINTER_ENOMEM, "no host memory to place %llu bytes",
                                (unsigned long long)bytes);
    }
    s->address.offset_bytes += zone_bytes(m);
    sinter__shadow_bytes(m, pool->queue, s->address, bytes, SINTER__SHADOW_FRESH);
    sinter_status status = mark_birth(pool, s);
    if (status != SINTER_OK)
        give_block(pool, s);
    return status;
}

/* A record with one reference, for a storage that is not placed. */
static sinter__storage *make_record(sinter__memory_shared *m, sinter__pool *pool, uint64_t bytes)
{
    sinter__storage *s = take_record(m, pool);
    if (s == NULL)
        return NULL;
    s->bytes = bytes;
    s->address.memory = NULL;
    s->written = 0;
    s->epoch = 0;
    s->theirs = NULL;
    s->coming = NULL;
    s->is_writable = true;
    atomic_init(&s->away, 0);
    s->next = NULL;
    atomic_init(&s->references, 1);
    return s;
}

sinter__pool *sinter__memory_hold_copies(sinter__memory_shared *m, const sinter__pool *pool)
{
    (void)pthread_mutex_lock(&m->lock);
    sinter__pool *copies = m->copies != pool ? m->copies : NULL;
    if (copies != NULL)
        copies->storages++;
    (void)pthread_mutex_unlock(&m->lock);
    return copies;
}

bool sinter__pool_drop_empty(sinter__pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    bool any = drop_empty_slabs(pool);
    (void)pthread_mutex_unlock(&pool->lock);
    return any;
}

/* Slabs of copies in which nothing lies go: their bytes are the device's as well. */
SINTER__COLD static bool drop_copies(const sinter__pool *pool)
{
    sinter__pool *copies = sinter__memory_hold_copies(pool->shared, pool);
    if (copies == NULL)
        return false;
    bool any = sinter__pool_drop_empty(copies);
    sinter__pool_leave(pool->shared, copies);
    return any;
}

static sinter_status place(sinter__pool *pool, uint64_t bytes, sinter__storage *s)
{
    (void)pthread_mutex_lock(&pool->lock);
    sinter_status status = place_storage(pool, bytes, s);
    (void)pthread_mutex_unlock(&pool->lock);
    if (is_lack(status) && drop_copies(pool)) {
        (void)pthread_mutex_lock(&pool->lock);
        status = place_storage(pool, bytes, s);
        (void)pthread_mutex_unlock(&pool->lock);
    }
    if (status == SINTER_OK)
        count_used(pool->shared, bytes);
    return status;
}

sinter_status sinter__storage_create(sinter__pool *pool, uint64_t bytes, sinter__storage **out)
{
    sinter__storage *s = make_record(pool->shared, pool, bytes);
    *out = NULL;
    if (s == NULL)
        return SINTER_ENOMEM;
    sinter_status status = place(pool, bytes, s);
    if (status != SINTER_OK) {
        give_record(pool->shared, s);
        return status;
    }
    *out = s;
    return SINTER_OK;
}

static sinter_status make_copies(sinter__memory_shared *m)
{
    sinter__pool *pool;
    SINTER_TRY(sinter__pool_create(m, NULL, &pool));
    (void)pthread_mutex_lock(&m->lock);
    if (m->copies == NULL) {
        m->copies = pool;
        pool = NULL;
    }
    (void)pthread_mutex_unlock(&m->lock);
    sinter__pool_orphan(pool);
    return SINTER_OK;
}

sinter_status sinter__storage_promise(sinter__memory_shared *m, uint64_t bytes,
                                      sinter__coming *coming, sinter__storage **out)
{
    sinter__storage *s = make_record(m, NULL, bytes);
    *out = NULL;
    if (s == NULL)
        return SINTER_ENOMEM;
    while ((s->pool = sinter__memory_hold_copies(m, NULL)) == NULL) {
        sinter_status status = make_copies(m);
        if (status != SINTER_OK) {
            give_record(m, s);
            return status;
        }
    }
    s->coming = coming;
    *out = s;
    return SINTER_OK;
}

sinter__pool *sinter__memory_copies(sinter__memory_shared *m)
{
    (void)pthread_mutex_lock(&m->lock);
    sinter__pool *copies = m->copies;
    (void)pthread_mutex_unlock(&m->lock);
    return copies;
}

void sinter__memory_end_copies(sinter__memory_shared *m)
{
    (void)pthread_mutex_lock(&m->lock);
    sinter__pool *copies = m->copies;
    m->copies = NULL;
    (void)pthread_mutex_unlock(&m->lock);
    sinter__pool_orphan(copies);
}

sinter_status sinter__storage_place(sinter__storage *s)
{
    if (s->address.memory != NULL)
        return SINTER_OK;
    sinter_status status = place(s->pool, s->bytes, s);
    if (status != SINTER_OK)
        s->address.memory = NULL;
    return status;
}

static void add_free_room(sinter__pool *pool, sinter__free_room *out)
{
    (void)pthread_mutex_lock(&pool->lock);
    for (size_t i = 0; i < pool->slab_count; i++) {
        const sinter__slab *slab = &pool->slabs[i];
        if (slab->memory == NULL)
            continue;
        uint64_t largest = sinter__suballoc_largest_free(&slab->blocks);
        out->slabs++;
        out->bytes += slab->blocks.capacity_bytes - slab->blocks.used_bytes;
        out->largest_bytes = SINTER__MAX(out->largest_bytes, largest);
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

const sinter__memory_shared *sinter__pool_memory(const sinter__pool *pool)
{
    return pool->shared;
}

/* Of slabs of copies in which nothing lies. */
SINTER__COLD static uint64_t idle_bytes(const sinter__pool *pool)
{
    sinter__pool *copies = sinter__memory_hold_copies(pool->shared, pool);
    uint64_t bytes = 0;
    if (copies == NULL)
        return 0;
    (void)pthread_mutex_lock(&copies->lock);
    for (size_t i = 0; i < copies->slab_count; i++) {
        const sinter__slab *slab = &copies->slabs[i];
        bytes += slab->memory != NULL && slab->blocks.used_bytes == 0 ? slab->bytes : 0;
    }
    (void)pthread_mutex_unlock(&copies->lock);
    sinter__pool_leave(pool->shared, copies);
    return bytes;
}

SINTER__COLD bool sinter__pool_may_hold(sinter__pool *pool, uint64_t bytes)
{
    sinter__memory_shared *m = pool->shared;
    sinter__free_room room = {0};
    if (m->budget_bytes == 0)
        return true;
    add_free_room(pool, &room);
    uint64_t held = atomic_load_explicit(&m->counts->memory_bytes, memory_order_relaxed);
    uint64_t most =
        room.bytes + idle_bytes(pool) + m->budget_bytes - SINTER__MIN(held, m->budget_bytes);
    if (bytes > most)
        atomic_store_explicit(&m->missing_bytes, bytes - most, memory_order_relaxed);
    return bytes <= most;
}

SINTER__COLD void sinter__storage_unplace(sinter__storage *s)
{
    sinter__pool *pool = s->pool;
    sinter__memory_shared *m = pool->shared;
    (void)pthread_mutex_lock(&pool->lock);
    if (s->block == SINTER__NO_BLOCK) {
        sinter__fresh_release(m, s->address.memory, separate_bytes(s->bytes));
    } else {
        sinter__shadow_bytes(m, pool->queue, s->address, s->bytes, SINTER__SHADOW_FRESH);
        give_block(pool, s);
        (void)drop_empty_slabs(pool); /* others of the device may want the bytes */
    }
    s->address.memory = NULL;
    (void)pthread_mutex_unlock(&pool->lock);
    atomic_fetch_sub_explicit(&m->used_bytes, s->bytes, memory_order_relaxed);
}

SINTER__COLD bool sinter__storage_is_last_copy(const sinter__storage *s)
{
    return s->pool == sinter__memory_copies(s->pool->shared) &&
           atomic_load_explicit(&s->references, memory_order_acquire) == 1;
}

const sinter__memory_shared *sinter__storage_memory(const sinter__storage *s)
{
    return s->pool->shared;
}

/* The caller's buffers */

/* Whether nothing that is there forbids a storage to lie in that part of the buffer. The lock is held. */
static sinter_status check_apart(const sinter__memory_shared *m, const sinter__their_memory *x)
{
    const uint64_t begin = x->from_bytes + x->offset_bytes;
    for (const sinter__storage *s = m->theirs; s != NULL; s = s->next) {
        uint64_t first = s->from_bytes + s->address.offset_bytes;
        uint64_t end = first + s->bytes;
        if (s->theirs == x->whole && (s->is_writable || x->is_writable) &&
            SINTER__MAX(first, begin) < SINTER__MIN(end, begin + x->bytes))
            return sinter__fail(SINTER_EBUSY,
                                "bytes %llu to %llu of the whole buffer are in a tensor already",
                                (unsigned long long)first, (unsigned long long)end);
    }
    return SINTER_OK;
}

static sinter_status list_theirs(sinter__memory_shared *m, const sinter__their_memory *x,
                                 sinter__storage *s)
{
    (void)pthread_mutex_lock(&m->lock);
    sinter_status status = check_apart(m, x);
    if (status == SINTER_OK) {
        s->next = m->theirs;
        m->theirs = s;
    }
    (void)pthread_mutex_unlock(&m->lock);
    return status;
}

static void unlist_theirs(sinter__memory_shared *m, sinter__storage *s)
{
    (void)pthread_mutex_lock(&m->lock);
    sinter__storage **link = &m->theirs;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    (void)pthread_mutex_unlock(&m->lock);
    m->backend->memory_forget(m->state, s->address.memory);
    atomic_fetch_sub_explicit(&m->caller_bytes, s->bytes, memory_order_relaxed);
}

SINTER__COLD sinter_status sinter__storage_adopt(sinter__pool *pool, sinter__their_memory *theirs,
                                                 sinter__storage **out)
{
    sinter__memory_shared *m = pool->shared;
    sinter__storage *s = take_record(m, pool);
    *out = NULL;
    if (s == NULL)
        return SINTER_ENOMEM;
    void *memory;
    sinter_status status = m->backend->memory_adopt(m->state, theirs, &memory);
    if (status == SINTER_OK) {
        *s = (sinter__storage){.block = SINTER__NO_BLOCK,
                               .pool = pool,
                               .address = {memory, theirs->offset_bytes},
                               .bytes = theirs->bytes,
                               .theirs = theirs->whole,
                               .from_bytes = theirs->from_bytes,
                               .is_writable = theirs->is_writable};
        atomic_init(&s->references, 1);
        status = list_theirs(m, theirs, s);
        if (status != SINTER_OK)
            m->backend->memory_forget(m->state, memory);
    }
    if (status != SINTER_OK) {
        give_record(m, s);
        return status;
    }
    atomic_fetch_add_explicit(&m->caller_bytes, s->bytes, memory_order_relaxed);
    *out = s;
    return SINTER_OK;
}

void sinter__storage_retain(sinter__storage *s)
{
    atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
}

SINTER__COLD void sinter__pool_destroy(sinter__pool *pool)
{
    sinter__memory_shared *m = pool->shared;
    (void)pthread_mutex_lock(&m->lock);
    *pool->link = pool->next;
    if (pool->next != NULL)
        pool->next->link = pool->link;
    (void)pthread_mutex_unlock(&m->lock);
    for (size_t i = 0; i < pool->slab_count; i++) {
        if (pool->slabs[i].memory != NULL)
            drop_slab(pool, &pool->slabs[i]);
    }
    (void)pthread_mutex_destroy(&pool->lock);
    sinter__free(m->allocator, pool->slabs, pool->slab_capacity * sizeof *pool->slabs);
    sinter__free(m->allocator, pool, sizeof *pool);
}

void sinter__storage_release(sinter__storage *s)
{
    if (s == NULL || atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) > 1)
        return;
    sinter__pool *pool = s->pool;
    sinter__memory_shared *m = pool->shared;
    bool is_theirs = s->theirs != NULL;
    bool is_placed = s->address.memory != NULL;
    if (is_theirs)
        unlist_theirs(m, s);
    /* in a rehearsal it is the real one's */
    if (s->coming != NULL && m->backend != &sinter__no_device)
        sinter__coming_end(s->coming);
    (void)pthread_mutex_lock(&pool->lock);
    if (is_theirs) {
        s->theirs = NULL;
    } else if (!is_placed) {
        /* a copy that nobody has made */
    } else if (s->block == SINTER__NO_BLOCK) {
        sinter__fresh_release(m, s->address.memory, separate_bytes(s->bytes));
    } else {
        /* Poisoning is a help, not a promise: a failure shows elsewhere. */
        sinter__shadow_bytes(m, pool->queue, s->address, s->bytes, SINTER__SHADOW_FRESH);
        if (m->mode == SINTER_MEMORY_POISON && pool->queue != NULL && s->bytes > 0)
            (void)m->backend->fill(m->state, pool->queue, s->address, s->bytes,
                                   SINTER__POISON_BYTE);
        give_block(pool, s);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    if (!is_theirs && is_placed)
        atomic_fetch_sub_explicit(&m->used_bytes, s->bytes, memory_order_relaxed);
    give_record(m, s);
}

sinter_status sinter__pool_create(sinter__memory_shared *shared, void *queue, sinter__pool **out)
{
    sinter__pool *pool = sinter__alloc(shared->allocator, sizeof *pool);
    *out = NULL;
    if (pool == NULL)
        return SINTER_ENOMEM;
    pool->shared = shared;
    pool->queue = queue;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_mutex_lock(&shared->lock);
    pool->next = shared->pools;
    pool->link = &shared->pools;
    if (pool->next != NULL)
        pool->next->link = &pool->next;
    shared->pools = pool;
    (void)pthread_mutex_unlock(&shared->lock);
    *out = pool;
    return SINTER_OK;
}

SINTER__COLD void sinter__memory_free_room(sinter__memory_shared *m, sinter__free_room *out)
{
    *out = (sinter__free_room){0};
    (void)pthread_mutex_lock(&m->lock);
    for (sinter__pool *pool = m->pools; pool != NULL; pool = pool->next)
        add_free_room(pool, out);
    (void)pthread_mutex_unlock(&m->lock);
}

void sinter__pool_set_queue(sinter__pool *pool, void *queue)
{
    (void)pthread_mutex_lock(&pool->lock);
    pool->queue = queue;
    (void)pthread_mutex_unlock(&pool->lock);
}

SINTER__COLD bool sinter__storage_is_beside(const sinter__storage *storage)
{
    sinter__pool *pool = storage->pool;
    if (storage->theirs != NULL || pool->shared->mode == SINTER_MEMORY_SEPARATE)
        return false;
    (void)pthread_mutex_lock(&pool->shared->lock);
    bool is_beside = !pool->is_orphan;
    (void)pthread_mutex_unlock(&pool->shared->lock);
    return is_beside;
}

void sinter__pool_set_owner(sinter__pool *pool, sinter_stream *owner)
{
    pool->owner = owner;
}

sinter_stream *sinter__pool_owner(const sinter__pool *pool)
{
    return pool->owner;
}

void sinter__pool_orphan(sinter__pool *pool)
{
    if (pool == NULL)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->queue = NULL;
    (void)pthread_mutex_unlock(&pool->lock);
    (void)pthread_mutex_lock(&pool->shared->lock);
    pool->is_orphan = true;
    bool last = pool->storages == 0;
    (void)pthread_mutex_unlock(&pool->shared->lock);
    if (last)
        sinter__pool_destroy(pool);
}
