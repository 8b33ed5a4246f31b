/* Contexts, and the registry by which a handle finds its own. */
#include "executor/context.h"

#include "executor/opencl/clblast.h"
#include "executor/env.h"
#include "executor/profile/profile.h"
#include "executor/opencl/shuffle.h"
#include "executor/sized.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_STORE_BYTES ((size_t)8 << 20)
#define IDLE_SHARE 8      /* of the store's bytes, for kernels that no plan holds */
#define MAX_CONTEXTS 4095 /* tags 1 to 4095; 0 is the null handle's */
#define TINY_NARROW 64    /* indices of 32 bits under SINTER_TINY_LIMITS are below it */

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

static void free_payload(void *user, sinter__payload *payload)
{
    (void)user;
    sinter__compiled_free((sinter__compiled *)payload);
}

/* Opening */

static void set_limits(sinter_context *ctx)
{
    const sinter_context_options *o = &ctx->options;
    sinter__limits *l = &ctx->limits;
    *l = ctx->device.limits;
    if ((o->switches & SINTER_OWN_ARITHMETIC) != 0)
        l->correctly_rounded = l->has_fma = l->has_half = false;
    if ((o->switches & SINTER_NO_FUSE) != 0)
        l->max_group_nodes = 1;
    if ((o->switches & SINTER_TINY_LIMITS) != 0) {
        l->max_group_nodes = SINTER__MIN(l->max_group_nodes, 2u);
        l->narrow = TINY_NARROW;
    }
    if ((o->switches & SINTER_NO_REUSE) != 0 || o->memory_mode == SINTER_MEMORY_SEPARATE ||
        o->memory_mode == SINTER_MEMORY_RED_ZONE)
        l->reuse = false;
}

/* Whether there is the library by which the mode lets large products be computed. */
static void find_gemm(sinter_context *ctx)
{
    sinter__limits *l = &ctx->limits;
    const char *why = "SINTER_NO_CLBLAST";
    if (l->gemm_from_f32 == 0 && l->gemm_from_f64 == 0)
        return;
    bool found = (ctx->options.switches & SINTER_NO_CLBLAST) == 0 &&
                 sinter__clblast_load(ctx->device.platform, &why);
    sinter__log_line(&ctx->log, SINTER__LOG_DEVICE,
                     found ? "CLBlast: for large matrix products" : "CLBlast: not used: %s", why);
    if (!found)
        l->gemm_from_f32 = l->gemm_from_f64 = 0;
}

/* Whether a schedule of the context wants them. */
static bool wants_shuffles(const sinter__limits *l)
{
    bool wants = l->tuning.shuffles != 0;
    for (size_t i = 0; i < l->tuned.count && !wants; i++)
        wants = l->tuned.all[i].tuning.shuffles != 0;
    return wants && l->style == SINTER_STYLE_GPU && l->shuffle != NULL;
}

/* Whether the device shuffles as it says it does. */
static void find_shuffles(sinter_context *ctx)
{
    sinter__limits *l = &ctx->limits;
    if (wants_shuffles(l)) {
        bool holds = sinter__shuffles_hold(&ctx->device);
        sinter__log_line(&ctx->log, holds ? SINTER__LOG_DEVICE : SINTER__LOG_WARNING,
                         "shuffles in sub-groups of %u: %s", l->sub_group,
                         holds ? "they do what they say"
                               : "not used: they do not do what they say");
        if (holds)
            return;
    }
    l->sub_group = 0;
    l->shuffle = NULL;
}

static sinter_status find_device(sinter_context *ctx)
{
    SINTER_TRY(sinter__device_find(ctx->options.device, &ctx->allocator, &ctx->device));
    const sinter_device_info *info = &ctx->device.info;
    sinter__log_line(&ctx->log, SINTER__LOG_DEVICE, "device %s: %s, %s, driver %s", info->selector,
                     info->name, info->platform, info->driver_version);
    if (info->quirks[0] != '\0')
        sinter__log_line(&ctx->log, SINTER__LOG_DEVICE, "quirks: %s", info->quirks);
    return SINTER_OK;
}

/* With what the profile and the mode have made of the device. */
static sinter_status open_backend(sinter_context *ctx)
{
    bool host = ctx->device.info.kind == SINTER_DEVICE_HOST;
    SINTER_TRY((host ? sinter__backend_host_open : sinter__backend_cl_open)(
        &ctx->device, &ctx->allocator, &ctx->counts, &ctx->backend, &ctx->state));
    if (ctx->options.trace_fn == NULL)
        return SINTER_OK;
    return sinter__trace_open(ctx->options.trace_fn, ctx->options.trace_user, &ctx->allocator,
                              &ctx->backend, &ctx->state, &ctx->trace);
}

static bool is_of(const sinter_profile *p, const sinter_device_info *info)
{
    const sinter_device_info *of = &p->device.info;
    return strcmp(of->name, info->name) == 0 &&
           strcmp(of->driver_version, info->driver_version) == 0;
}

/* What is known of the device beside what it reports. */
static sinter_status apply_profile(sinter_context *ctx)
{
    const sinter_context_options *o = &ctx->options;
    sinter_profile found = {0};
    const sinter_profile *p = o->profile;
    if (p != NULL && !is_of(p, &ctx->device.info))
        return sinter__fail(SINTER_EINVAL, "the profile is of %.100s, the device is %.100s",
                            p->device.info.name, ctx->device.info.name);
    sinter_status status = SINTER_OK;
    if (p == NULL) {
        p = &found;
        status = sinter__profile_find(&found, &ctx->allocator, &ctx->device);
    }
    if (status == SINTER_OK) {
        bool passed = strstr(p->origin, ": not used: ") != NULL;
        sinter__log_line(&ctx->log, passed ? SINTER__LOG_WARNING : SINTER__LOG_DEVICE,
                         "profile: %s", p->origin);
        status = sinter__profile_apply(p, o, &ctx->allocator, &ctx->device, &ctx->tuned);
        ctx->rates = p->values.rates;
        ctx->has_shipped_rates = p->values.is_shipped;
        ctx->tuned_count = ctx->tuned != NULL ? p->values.kernel_count : 0;
    }
    sinter__profile_finish(&found);
    return status;
}

/* What a compiled program depends on besides its source. */
static void open_cache(sinter_context *ctx)
{
    const sinter__device *d = &ctx->device;
    ctx->cache.allocator = &ctx->allocator;
    ctx->cache.log = &ctx->log;
    if (ctx->backend->program_load == NULL || d->no_binaries)
        return;
    sinter__cache_open(&ctx->cache, &ctx->options);
    const char *const depends[] = {
        d->info.platform,       d->platform_version,      d->info.name,
        d->info.driver_version, d->info.opencl_c_version, d->build_options};
    for (size_t i = 0; i < SINTER__COUNT(depends); i++)
        sinter__cache_depend(&ctx->cache, depends[i]);
    (void)snprintf(ctx->cache.label, sizeof ctx->cache.label, "%.40s, %.40s, %.30s",
                   d->info.platform, d->info.name, d->info.driver_version);
    ctx->programs.cache = &ctx->cache;
    ctx->programs.late_binaries = d->late_binaries;
}

static sinter_status open_context(sinter_context *ctx)
{
    const sinter_context_options *o = &ctx->options;
    SINTER_TRY(find_device(ctx));
    SINTER_TRY(apply_profile(ctx));
    SINTER_TRY(open_backend(ctx));
    set_limits(ctx);
    find_shuffles(ctx);
    find_gemm(ctx);
    ctx->memory = (sinter__memory_shared){.allocator = &ctx->allocator,
                                          .backend = ctx->backend,
                                          .state = ctx->state,
                                          .counts = &ctx->counts,
                                          .budget_bytes = o->budget_bytes,
                                          .max_slab_bytes = ctx->device.info.max_allocation_bytes,
                                          .alignment_bytes = ctx->limits.alignment_bytes,
                                          .mode = o->memory_mode,
                                          .host_root = ctx->device.info.unified_memory ? "" : NULL};
    SINTER_TRY(sinter__memory_shared_init(&ctx->memory));
    open_cache(ctx);
    ctx->programs.allocator = &ctx->allocator;
    ctx->programs.backend = ctx->backend;
    ctx->programs.state = ctx->state;
    ctx->programs.log = &ctx->log;
    size_t bytes = o->plan_store_bytes > 0 ? (size_t)o->plan_store_bytes : DEFAULT_STORE_BYTES;
    ctx->programs.max_idle_bytes = bytes / IDLE_SHARE;
    SINTER_TRY(sinter__programs_init(&ctx->programs));
    SINTER_TRY(sinter__store_create(&ctx->allocator, bytes - bytes / IDLE_SHARE, free_payload, ctx,
                                    &ctx->store));
    return take_tag(ctx);
}

static void close_context(sinter_context *ctx)
{
    sinter__programs_settle(&ctx->programs, true);
    sinter__store_destroy(ctx->store);
    if (ctx->tag != 0)
        atomic_store(&generations[ctx->tag], sinter__slots_last_generation(ctx));
    if (ctx->programs.allocator != NULL)
        sinter__programs_finish(&ctx->programs);
    sinter__cache_close(&ctx->cache);
    for (uint32_t chunk = 0; chunk < SINTER__SLOT_CHUNKS; chunk++)
        sinter__free(&ctx->allocator, atomic_load(&ctx->slots[chunk]),
                     ((size_t)SINTER__FIRST_CHUNK << chunk) * sizeof(sinter__slot));
    if (ctx->memory.allocator != NULL)
        sinter__memory_shared_finish(&ctx->memory);
    sinter__free(&ctx->allocator, ctx->tuned, ctx->tuned_count * sizeof *ctx->tuned);
    if (ctx->state != NULL)
        ctx->backend->close(ctx->state);
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
    ctx->cache.folder.fd = -1;
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

sinter_status sinter_context_stats(sinter_context *ctx, sinter_stats *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_stats: an argument is NULL");
    SINTER_TRY(sinter__sized_check("context_stats: a result", out->size));
    sinter__store_stats store;
    sinter__store_get_stats(ctx->store, &store);
    sinter__free_room room;
    sinter__memory_free_room(&ctx->memory, &room);
    sinter_stats stats = {
        .ops = READ(ctx->stats.ops),
        .launches = READ(ctx->stats.launches),
        .bytes_moved = READ(ctx->stats.bytes_moved),
        .bytes_bound = READ(ctx->stats.bytes_bound),
        .compiles = READ(ctx->programs.compiles),
        .plan_hits = READ(ctx->stats.plan_hits),
        .plan_misses = READ(ctx->stats.plan_misses),
        .plan_evictions = store.evictions,
        .plan_store_bytes = store.bytes,
        .plan_count = store.plans,
        .host_allocations = READ(ctx->allocator.allocations),
        .host_bytes = READ(ctx->allocator.live_bytes),
        .cl_objects_created = READ(ctx->counts.created),
        .cl_objects_live = READ(ctx->counts.live),
        .pool_bytes = READ(ctx->memory.used_bytes),
        .pool_peak_bytes = READ(ctx->memory.peak_bytes),
        .cl_allocated_bytes = READ(ctx->counts.memory_bytes),
        .donations = READ(ctx->stats.donations),
        .aliases = READ(ctx->stats.aliases),
        .fallbacks = READ(ctx->stats.fallbacks),
        .host_waits = READ(ctx->counts.waits),
        .cuts = READ(ctx->stats.cuts),
        .cache_hits = READ(ctx->cache.counts.hits),
        .cache_rejects = READ(ctx->cache.counts.rejects),
        .cache_stores = READ(ctx->cache.counts.stores),
        .cache_read_bytes = READ(ctx->cache.counts.read_bytes),
        .cache_written_bytes = READ(ctx->cache.counts.written_bytes),
        .cl_allocated_peak_bytes = READ(ctx->counts.memory_peak_bytes),
        .pool_slabs = room.slabs,
        .pool_free_bytes = room.bytes,
        .pool_largest_free_bytes = room.largest_bytes,
        .mapped_bytes = READ(ctx->stats.mapped_bytes),
        .map_copied_bytes = READ(ctx->stats.map_copied_bytes),
    };
    (void)pthread_mutex_lock(&ctx->lock);
    stats.live_tensors = sinter__slots_live(ctx);
    (void)pthread_mutex_unlock(&ctx->lock);
    sinter__sized_give(out, out->size, &stats, sizeof stats);
    return SINTER_OK;
}

uint32_t sinter_context_void_clauses(const sinter_context *ctx)
{
    return ctx != NULL ? ctx->device.info.void_clauses : 0;
}

sinter_status sinter_context_device(const sinter_context *ctx, sinter_device_info *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_device: an argument is NULL");
    SINTER_TRY(sinter__sized_check("context_device: a result", out->size));
    sinter__sized_give(out, out->size, &ctx->device.info, sizeof ctx->device.info);
    return SINTER_OK;
}
