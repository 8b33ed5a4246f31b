/* Contexts, and the registry by which a handle finds its own. */
#include "executor/context.h"

#include "executor/env.h"
#include "executor/sized.h"

#include <string.h>

#define MAX_CONTEXTS 4095 /* tags 1 to 4095; 0 is the null handle's */

/* The process's contexts by tag: the one piece of global state, so that a handle can be released
 * without a stream. */
static _Atomic(sinter_context *) contexts[MAX_CONTEXTS + 1];
static atomic_uint generations[MAX_CONTEXTS + 1]; /* the last of the tag's contexts that are gone */
static atomic_uint last_tag;

static sinter_status take_tag(sinter_context *ctx)
{
    for (unsigned i = 0; i < MAX_CONTEXTS; i++) {
        unsigned tag = atomic_fetch_add(&last_tag, 1) % MAX_CONTEXTS + 1;
        sinter_context *none = NULL;
        if (atomic_compare_exchange_strong(&contexts[tag], &none, ctx)) {
            ctx->tag = tag;
            ctx->first_generation = atomic_load(&generations[tag]);
            return SINTER_OK;
        }
    }
    return sinter__fail(SINTER_ENOMEM, "context_create: %d contexts are alive", MAX_CONTEXTS);
}

sinter_context *sinter__context_of(sinter_tensor t)
{
    return atomic_load(&contexts[t.id >> 52]);
}

/* Opening */

static sinter_status open_context(sinter_context *ctx)
{
    ctx->devices = sinter__alloc(&ctx->allocator, sizeof *ctx->devices);
    if (ctx->devices == NULL)
        return SINTER_ENOMEM;
    ctx->device_count = 1;
    sinter__opened *on = &ctx->devices[0];
    on->allocator = &ctx->allocator;
    on->options = &ctx->options;
    on->log = &ctx->log;
    on->traced = &ctx->traced;
    SINTER_TRY(sinter__opened_open(on, ctx->options.device));
    return take_tag(ctx);
}

static void close_context(sinter_context *ctx)
{
    if (ctx->tag != 0)
        atomic_store(&generations[ctx->tag], sinter__slots_last_generation(ctx));
    for (uint32_t chunk = 0; chunk < SINTER__SLOT_CHUNKS; chunk++)
        sinter__free(&ctx->allocator, atomic_load(&ctx->slots[chunk]),
                     ((size_t)SINTER__FIRST_CHUNK << chunk) * sizeof(sinter__slot));
    for (uint32_t i = 0; i < ctx->device_count; i++)
        sinter__opened_close(&ctx->devices[i]);
    sinter__free(&ctx->allocator, ctx->devices, ctx->device_count * sizeof *ctx->devices);
    if (ctx->tag != 0)
        atomic_store(&contexts[ctx->tag], NULL);
    (void)pthread_cond_destroy(&ctx->idle);
    (void)pthread_mutex_destroy(&ctx->lock);
    /* The context was allocated by its own allocator, which must outlive the call. */
    sinter__allocator a;
    sinter__allocator_init(&a, ctx->allocator.realloc_fn, ctx->allocator.user);
    sinter__free(&a, ctx, sizeof *ctx);
}

static sinter_status copy_options(const sinter_context_options *options,
                                  sinter_context_options *out)
{
    const sinter_context_options defaults = SINTER_CONTEXT_OPTIONS_INIT;
    *out = defaults;
    if (options != NULL)
        SINTER_TRY(sinter__sized_take("context options", out, sizeof *out, options));
    return sinter__env_apply(out);
}

sinter_status sinter_context_create(const sinter_context_options *options, sinter_context **out)
{
    sinter__clear_error();
    if (out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_create: the place of the result is NULL");
    *out = NULL;
    sinter_context_options o;
    sinter_status status = copy_options(options, &o);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "context_create");
    sinter__allocator a;
    sinter__allocator_init(&a, o.realloc_fn, o.realloc_user);
    sinter_context *ctx = sinter__alloc(&a, sizeof *ctx);
    if (ctx == NULL)
        return SINTER_ENOMEM;
    sinter__allocator_init(&ctx->allocator, o.realloc_fn, o.realloc_user);
    ctx->options = o;
    ctx->log = (sinter__log){.fn = o.log_fn, .user = o.log_user, .level = o.debug};
    (void)pthread_mutex_init(&ctx->lock, NULL);
    (void)pthread_cond_init(&ctx->idle, NULL);
    status = open_context(ctx);
    /* what the caller points at need not live on */
    ctx->options.device = ctx->options.cache_folder = NULL;
    ctx->options.profile = NULL;
    if (status != SINTER_OK) {
        close_context(ctx);
        return sinter__fail_in(status, "context_create");
    }
    *out = ctx;
    return SINTER_OK;
}

/* Closing */

static bool drop_slot(void *user, sinter__slot *slot)
{
    sinter_context *ctx = user;
    sinter__storage_release(slot->storage);
    sinter__failure_release(&ctx->allocator, slot->failure);
    return true;
}

sinter_status sinter_context_destroy(sinter_context *ctx)
{
    sinter__clear_error();
    if (ctx == NULL)
        return SINTER_OK;
    (void)pthread_mutex_lock(&ctx->lock);
    uint32_t streams = ctx->stream_count;
    (void)pthread_mutex_unlock(&ctx->lock);
    if (streams > 0)
        return sinter__fail(SINTER_EBUSY, "context_destroy: %u streams are alive", streams);
    sinter__slots_visit(ctx, drop_slot, ctx);
    close_context(ctx);
    return SINTER_OK;
}

/* What it has done */

#define READ(counter) atomic_load_explicit(&(counter), memory_order_relaxed)

/* What is counted by device: sums, but for the largest piece. */
static void add_device(sinter_stats *stats, sinter__opened *on)
{
    sinter__store_stats store;
    sinter__store_get_stats(on->store, &store);
    sinter__free_room room;
    sinter__memory_free_room(&on->memory, &room);
    stats->compiles += READ(on->programs.compiles);
    stats->plan_evictions += store.evictions;
    stats->plan_store_bytes += store.bytes;
    stats->plan_count += store.plans;
    stats->cl_objects_created += READ(on->counts.created);
    stats->cl_objects_live += READ(on->counts.live);
    stats->pool_bytes += READ(on->memory.used_bytes);
    stats->pool_peak_bytes += READ(on->memory.peak_bytes);
    stats->cl_allocated_bytes += READ(on->counts.memory_bytes);
    stats->cl_allocated_peak_bytes += READ(on->counts.memory_peak_bytes);
    stats->host_waits += READ(on->counts.waits);
    stats->cache_hits += READ(on->cache.counts.hits);
    stats->cache_rejects += READ(on->cache.counts.rejects);
    stats->cache_stores += READ(on->cache.counts.stores);
    stats->cache_read_bytes += READ(on->cache.counts.read_bytes);
    stats->cache_written_bytes += READ(on->cache.counts.written_bytes);
    stats->pool_slabs += room.slabs;
    stats->pool_free_bytes += room.bytes;
    stats->pool_largest_free_bytes =
        SINTER__MAX(stats->pool_largest_free_bytes, room.largest_bytes);
}

sinter_status sinter_context_stats(sinter_context *ctx, sinter_stats *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_stats: an argument is NULL");
    SINTER_TRY(sinter__sized_check("context_stats: a result", out->size));
    sinter_stats stats = {
        .ops = READ(ctx->stats.ops),
        .launches = READ(ctx->stats.launches),
        .bytes_moved = READ(ctx->stats.bytes_moved),
        .bytes_bound = READ(ctx->stats.bytes_bound),
        .plan_hits = READ(ctx->stats.plan_hits),
        .plan_misses = READ(ctx->stats.plan_misses),
        .host_allocations = READ(ctx->allocator.allocations),
        .host_bytes = READ(ctx->allocator.live_bytes),
        .donations = READ(ctx->stats.donations),
        .aliases = READ(ctx->stats.aliases),
        .fallbacks = READ(ctx->stats.fallbacks),
        .cuts = READ(ctx->stats.cuts),
        .mapped_bytes = READ(ctx->stats.mapped_bytes),
        .map_copied_bytes = READ(ctx->stats.map_copied_bytes),
    };
    for (uint32_t i = 0; i < ctx->device_count; i++)
        add_device(&stats, &ctx->devices[i]);
    (void)pthread_mutex_lock(&ctx->lock);
    stats.live_tensors = sinter__slots_live(ctx);
    (void)pthread_mutex_unlock(&ctx->lock);
    sinter__sized_give(out, out->size, &stats, sizeof stats);
    return SINTER_OK;
}

uint32_t sinter_context_void_clauses(const sinter_context *ctx)
{
    return ctx != NULL ? ctx->devices[0].device.info.void_clauses : 0;
}

sinter_status sinter_context_device(const sinter_context *ctx, sinter_device_info *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_device: an argument is NULL");
    SINTER_TRY(sinter__sized_check("context_device: a result", out->size));
    sinter__sized_give(out, out->size, &ctx->devices[0].device.info,
                       sizeof ctx->devices[0].device.info);
    return SINTER_OK;
}
