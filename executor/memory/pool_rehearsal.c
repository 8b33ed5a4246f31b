/* The one hard idea: a copy of a pool is a pool, with the same blocks taken in the same slabs, so that what fits is
 * found by the code that takes memory. Only its device is none: slabs that it makes are nowhere, and are counted
 * like real ones. */
#include "executor/memory/pool_rehearsal.h"

#include "executor/memory/pool_inside.h"

static char nowhere; /* where memory lies that is only thought of */

static sinter_status rehearse_create(void *state, uint64_t bytes, void **memory)
{
    (void)state;
    (void)bytes;
    *memory = &nowhere;
    return SINTER_OK;
}

static void rehearse_release(void *state, void *memory)
{
    (void)state;
    (void)memory;
}

static sinter_status rehearse_fill(void *state, void *queue, sinter__address to, uint64_t bytes,
                                   uint8_t byte)
{
    (void)state;
    (void)queue;
    (void)to;
    (void)bytes;
    (void)byte;
    return SINTER_OK;
}

static sinter_status rehearse_finish(void *state, void *queue)
{
    (void)state;
    (void)queue;
    return SINTER_OK;
}

/* What a pool asks of a device. */
const sinter__backend sinter__no_device = {
    .memory_create = rehearse_create,
    .memory_release = rehearse_release,
    .fill = rehearse_fill,
    .finish = rehearse_finish,
};

/* `copy` has no slabs yet. On failure it has those that were copied. */
SINTER__COLD static sinter_status copy_slabs(sinter__pool *copy, const sinter__pool *pool)
{
    void *slabs = NULL;
    sinter_status status = sinter__grow(copy->shared->allocator, &slabs, &copy->slab_capacity,
                                        pool->slab_count, sizeof *pool->slabs);
    copy->slabs = slabs;
    copy->slab_bytes = pool->slab_bytes;
    for (size_t i = 0; i < pool->slab_count && status == SINTER_OK; i++) {
        sinter__slab *slab = &copy->slabs[copy->slab_count++];
        *slab = pool->slabs[i];
        if (slab->memory != NULL)
            status = sinter__suballoc_copy(&slab->blocks, &pool->slabs[i].blocks);
    }
    return status;
}

/* A copy of `pool` in `shared`. On failure what is there of it. */
static sinter_status rehearse_pool(sinter__memory_shared *shared, sinter__pool *pool,
                                   sinter__pool **out)
{
    SINTER_TRY(sinter__pool_create(shared, pool->queue, out));
    (void)pthread_mutex_lock(&pool->lock);
    sinter_status status = copy_slabs(*out, pool);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

SINTER__COLD sinter_status sinter__rehearsal_begin(sinter__pool *pool, uint64_t more_bytes,
                                                   sinter__rehearsal *out)
{
    const sinter__memory_shared *m = pool->shared;
    uint64_t held = atomic_load_explicit(&m->counts->memory_bytes, memory_order_relaxed);
    uint64_t budget = m->budget_bytes > 0 ? m->budget_bytes + more_bytes : 0;
    *out = (sinter__rehearsal){.shared = {.allocator = m->allocator,
                                          .backend = &sinter__no_device,
                                          .counts = &out->counts,
                                          .budget_bytes = budget,
                                          .max_slab_bytes = m->max_slab_bytes,
                                          .alignment_bytes = m->alignment_bytes,
                                          .mode = m->mode,
                                          .host_root = m->host_root}};
    atomic_init(&out->counts.memory_bytes, held);
    atomic_init(&out->counts.memory_peak_bytes, held);
    SINTER_TRY(sinter__memory_shared_init(&out->shared));
    sinter_status status = rehearse_pool(&out->shared, pool, &out->pool);
    if (status != SINTER_OK)
        sinter__rehearsal_end(out);
    return status;
}

SINTER__COLD sinter_status sinter__rehearsal_add(sinter__rehearsal *r,
                                                 sinter__memory_shared *shared, sinter__pool *pool)
{
    sinter_status status = SINTER_OK;
    sinter__pool *copies = sinter__memory_hold_copies(shared, NULL);
    r->beside = pool != NULL ? pool : copies;
    if (r->beside != NULL)
        status = rehearse_pool(&r->shared, r->beside, &r->other);
    if (r->beside == copies)
        r->shared.copies = r->other;
    if (copies != NULL)
        sinter__pool_leave(shared, copies);
    return status;
}

#define IMMORTAL (1u << 30) /* references */

SINTER__COLD void sinter__rehearsal_storage(const sinter__rehearsal *r, const sinter__pool *pool,
                                            const sinter__storage *real, sinter__storage *out)
{
    sinter__pool *copy = real->pool == pool ? r->pool : NULL;
    if (r->other != NULL && real->pool == r->beside)
        copy = r->other;
    bool counts = copy != NULL && real->theirs == NULL;
    unsigned references = atomic_load_explicit(&real->references, memory_order_acquire);
    *out = (sinter__storage){.slab = real->slab,
                             .block = real->block,
                             .pool = copy != NULL ? copy : real->pool,
                             .address = real->address,
                             .bytes = real->bytes,
                             .theirs = real->theirs,
                             .coming = real->coming,
                             .is_writable = real->is_writable};
    atomic_init(&out->references, counts ? references : references + IMMORTAL);
    if (counts)
        copy->storages++;
}

void sinter__rehearsal_end(sinter__rehearsal *r)
{
    if (r->pool != NULL)
        sinter__pool_destroy(r->pool);
    if (r->other != NULL)
        sinter__pool_destroy(r->other);
    sinter__memory_shared_finish(&r->shared);
}
