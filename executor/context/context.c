/* Contexts, and the registry by which a handle finds its own. */
#include "executor/context/context.h"

#include "core/sized.h"
#include "executor/context/env.h"
#include "executor/context/held.h"
#include "executor/profile/profile.h"

#include <stdio.h>
#include <string.h>

#define DEVICE_TEXT 160   /* longer than a device's name is */
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

/* What the caller names, one device in each. */
typedef struct names {
    char all[SINTER__MAX_OPENED][DEVICE_TEXT];
    uint32_t count;
} names;

static sinter_status add_name(names *n, const char *text, size_t length)
{
    if (n->count == SINTER__MAX_OPENED)
        return sinter__fail(SINTER_EINVAL, "more than %d devices", SINTER__MAX_OPENED);
    if (length == 0 || length >= DEVICE_TEXT)
        return sinter__fail(SINTER_EINVAL, "a device's name of %zu letters", length);
    memcpy(n->all[n->count], text, length);
    n->all[n->count++][length] = '\0';
    return SINTER_OK;
}

/* All parts, where parts are asked for and none is named. */
static sinter_status add_parts(names *n, const char *text, size_t length)
{
    SINTER_TRY(add_name(n, text, length));
    char whole[DEVICE_TEXT];
    char *one = n->all[n->count - 1];
    uint32_t parts = sinter__device_parts(one);
    if (parts == 0)
        return SINTER_OK;
    memcpy(whole, one, sizeof whole);
    n->count--;
    for (uint32_t i = 0; i < parts; i++) {
        char part[DEVICE_TEXT + 12];
        int used = snprintf(part, sizeof part, "%s.%u", whole, i);
        SINTER_TRY(add_name(n, part, (size_t)used));
    }
    return SINTER_OK;
}

/* The items of a list with commas; a device's name may have some as well, and comes first. */
static sinter_status split_names(const sinter__device_list *list, const char *text, names *n)
{
    const sinter__device *found;
    size_t length = strcspn(text, ",");
    if (text[length] == ',' && sinter__devices_select(list, text, &found) == SINTER_OK)
        return add_name(n, text, strlen(text));
    sinter__clear_error();
    SINTER_TRY(add_parts(n, text, length));
    while (text[length] != '\0') {
        text += length + 1;
        length = strcspn(text, ",");
        SINTER_TRY(add_parts(n, text, length));
    }
    return SINTER_OK;
}

static sinter_status make_devices(sinter_context *ctx, uint32_t count)
{
    ctx->devices = sinter__alloc_array(&ctx->allocator, count, sizeof *ctx->devices);
    if (ctx->devices == NULL)
        return SINTER_ENOMEM;
    ctx->device_count = count;
    for (uint32_t i = 0; i < count; i++) { /* each is closed whatever comes */
        ctx->devices[i].allocator = &ctx->allocator;
        ctx->devices[i].options = &ctx->options;
        ctx->devices[i].log = &ctx->log;
        ctx->devices[i].cache.folder.fd = -1;
    }
    return SINTER_OK;
}

static sinter_status open_devices(sinter_context *ctx, const sinter__device_list *list,
                                  const char *text)
{
    names n = {.count = 0};
    if (text != NULL)
        SINTER_TRY(split_names(list, text, &n));
    uint32_t count = SINTER__MAX(n.count, 1u);
    SINTER_TRY(make_devices(ctx, count));
    for (uint32_t i = 0; i < count; i++)
        SINTER_TRY(sinter__opened_open(&ctx->devices[i], list, text != NULL ? n.all[i] : NULL));
    return SINTER_OK;
}

/* Nothing but the host reference device: no driver is loaded for it. */
static bool is_host(const char *text)
{
    bool host = text != NULL;
    while (host && strncmp(text, "host,", 5) == 0)
        text += 5;
    return host && strcmp(text, "host") == 0;
}

/* A profile that the caller gives is for those of the devices that it is of. */
static sinter_status check_profile(const sinter_context *ctx)
{
    const sinter_profile *p = ctx->options.profile;
    for (uint32_t i = 0; i < ctx->device_count; i++) {
        if (p == NULL || sinter__profile_is_of(p, &ctx->devices[i].device.info))
            return SINTER_OK;
    }
    return sinter__fail(SINTER_EINVAL, "the profile is of %.100s, the device is %.100s",
                        p->device.info.name, ctx->devices[0].device.info.name);
}

/* What gave no device. A library that somebody named and that is not there is worth more than a line for those who ask:
 * the host reference device takes its place. */
static void log_reasons(const sinter_context *ctx, const sinter__device_list *list)
{
    const char *wanted = sinter__env_text(SINTER__ENV_OPENCL_LIB);
    bool named = wanted != NULL && strcmp(wanted, "none") != 0;
    for (size_t i = 0; i < list->count; i++) {
        const sinter_device_info *info = &list->devices[i].info;
        bool library = strcmp(info->platform, "OpenCL") == 0;
        if (info->kind == SINTER_DEVICE_NONE)
            sinter__log_line(&ctx->log, named && library ? SINTER__LOG_WARNING : SINTER__LOG_DEVICE,
                             "%s: %s", info->platform, info->note);
    }
}

/* The devices that the options name. */
static sinter_status open_named(sinter_context *ctx)
{
    sinter__device_list list;
    const char *text = ctx->options.device;
    sinter_status status = is_host(text) ? sinter__devices_host(&list, &ctx->allocator)
                                         : sinter__devices_find(&list, &ctx->allocator, false);
    if (status == SINTER_OK)
        status = open_devices(ctx, &list, text);
    if (status == SINTER_OK) /* else they are in the error's text */
        log_reasons(ctx, &list);
    sinter__devices_finish(&list);
    return status;
}

/* The caller's device, in its own context. */
static sinter_status open_theirs(sinter_context *ctx, const sinter__their_context *theirs)
{
    SINTER_TRY(make_devices(ctx, 1));
    ctx->devices[0].theirs = *theirs;
    return sinter__opened_open(&ctx->devices[0], NULL, NULL);
}

static sinter_status open_context(sinter_context *ctx, const sinter__their_context *theirs)
{
    SINTER_TRY(theirs->context != NULL ? open_theirs(ctx, theirs) : open_named(ctx));
    SINTER_TRY(check_profile(ctx));
    return take_tag(ctx);
}

/* What a device that has been closed still has is lost for good: a mistake of the library's. */
static sinter_status check_closed(const sinter__opened *on, uint32_t index)
{
#ifndef NDEBUG
    unsigned long long objects = atomic_load(&on->counts.live);
    unsigned long long bytes = atomic_load(&on->counts.memory_bytes);
    if (objects + bytes > 0)
        return sinter__fail(SINTER_EINTERNAL, "device %u has %llu objects and %llu bytes left",
                            index, objects, bytes);
#endif
    (void)on;
    (void)index;
    return SINTER_OK;
}

static sinter_status close_context(sinter_context *ctx)
{
    sinter_status status = SINTER_OK;
    if (ctx->tag != 0)
        atomic_store(&generations[ctx->tag], sinter__slots_last_generation(ctx));
    for (uint32_t chunk = 0; chunk < SINTER__SLOT_CHUNKS; chunk++)
        sinter__free(&ctx->allocator, atomic_load(&ctx->slots[chunk]),
                     ((size_t)SINTER__FIRST_CHUNK << chunk) * sizeof(sinter__slot));
    for (uint32_t i = 0; i < ctx->device_count; i++) {
        sinter__opened_close(&ctx->devices[i]);
        if (status == SINTER_OK)
            status = check_closed(&ctx->devices[i], i);
    }
    sinter__free(&ctx->allocator, ctx->devices, ctx->device_count * sizeof *ctx->devices);
    if (ctx->tag != 0)
        atomic_store(&contexts[ctx->tag], NULL);
    (void)pthread_cond_destroy(&ctx->idle);
    (void)pthread_mutex_destroy(&ctx->lock);
    /* The context was allocated by its own allocator, which must outlive the call. */
    sinter__allocator a;
    sinter__allocator_init(&a, ctx->allocator.realloc_fn, ctx->allocator.user);
    sinter__free(&a, ctx, sizeof *ctx);
    return status;
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

sinter_status sinter__context_open(const sinter_context_options *options,
                                   const sinter__their_context *theirs, sinter_context **out)
{
    *out = NULL;
    sinter_context_options o;
    SINTER_TRY(copy_options(options, &o));
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
    sinter_status status = open_context(ctx, theirs);
    /* what the caller points at need not live on */
    ctx->options.device = ctx->options.cache_folder = NULL;
    ctx->options.profile = NULL;
    if (status != SINTER_OK) {
        (void)close_context(ctx);
        return status;
    }
    *out = ctx;
    return SINTER_OK;
}

sinter_status sinter_context_create(const sinter_context_options *options, sinter_context **out)
{
    const sinter__their_context none = {NULL, NULL};
    sinter__clear_error();
    if (out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_create: the place of the result is NULL");
    sinter_status status = sinter__context_open(options, &none, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "context_create");
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
    sinter__held_log_context(ctx);
    sinter__slots_visit(ctx, drop_slot, ctx);
    return close_context(ctx);
}

/* What it has done */

#define READ(counter) atomic_load_explicit(&(counter), memory_order_relaxed)

/* What the streams count that there are and were. */
static void add_streams(sinter_stats *stats, sinter_context *ctx, const sinter__opened *on)
{
    (void)pthread_mutex_lock(&ctx->lock);
#define ADD(name) stats->name += READ(on->gone.name);
    SINTER__COUNTERS(ADD)
#undef ADD
    for (const sinter_stream *s = on->streams; s != NULL; s = s->next) {
#define ADD(name) stats->name += READ(s->counts.name);
        SINTER__COUNTERS(ADD)
#undef ADD
    }
    (void)pthread_mutex_unlock(&ctx->lock);
}

/* What is counted by device. */
static void add_device(sinter_stats *stats, sinter_context *ctx, sinter__opened *on)
{
    sinter__store_stats store;
    sinter__store_get_stats(on->store, &store);
    sinter__free_room room;
    sinter__memory_free_room(&on->memory, &room);
    add_streams(stats, ctx, on);
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
    stats->at_once_launches += READ(on->counts.at_once);
    stats->recorded_launches += READ(on->counts.recorded);
    stats->cache_hits += READ(on->cache.counts.hits);
    stats->cache_rejects += READ(on->cache.counts.rejects);
    stats->cache_stores += READ(on->cache.counts.stores);
    stats->cache_read_bytes += READ(on->cache.counts.read_bytes);
    stats->cache_written_bytes += READ(on->cache.counts.written_bytes);
    stats->pool_slabs += room.slabs;
    stats->caller_bytes += READ(on->memory.caller_bytes);
    stats->pool_free_bytes += room.bytes;
    stats->pool_largest_free_bytes =
        SINTER__MAX(stats->pool_largest_free_bytes, room.largest_bytes);
    stats->mapped_bytes += READ(on->stats.mapped_bytes);
    stats->map_copied_bytes += READ(on->stats.map_copied_bytes);
    stats->device_copies += READ(on->stats.device_copies);
    stats->device_copied_bytes += READ(on->stats.device_copied_bytes);
}

/* Those of `count` devices from `first` on. */
static sinter_status get_stats(sinter_context *ctx, uint32_t first, uint32_t count,
                               const char *where, sinter_stats *out)
{
    SINTER_TRY(sinter__sized_check(where, out->size));
    sinter_stats stats = {
        .host_allocations = READ(ctx->allocator.allocations),
        .host_bytes = READ(ctx->allocator.live_bytes),
    };
    for (uint32_t i = 0; i < count; i++)
        add_device(&stats, ctx, &ctx->devices[first + i]);
    (void)pthread_mutex_lock(&ctx->lock);
    stats.live_tensors = sinter__slots_live(ctx);
    (void)pthread_mutex_unlock(&ctx->lock);
    sinter__sized_give(out, out->size, &stats, sizeof stats);
    return SINTER_OK;
}

sinter_status sinter_context_stats(sinter_context *ctx, sinter_stats *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_stats: an argument is NULL");
    return get_stats(ctx, 0, ctx->device_count, "context_stats: a result", out);
}

/* SINTER_EINVAL unless the context has that device. */
static sinter_status check_index(const sinter_context *ctx, uint32_t index, const char *where)
{
    if (index < ctx->device_count)
        return SINTER_OK;
    return sinter__fail(SINTER_EINVAL, "%s: device %u of %u", where, index, ctx->device_count);
}

sinter_status sinter_context_device_stats(sinter_context *ctx, uint32_t index, sinter_stats *out)
{
    sinter__clear_error();
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_device_stats: an argument is NULL");
    SINTER_TRY(check_index(ctx, index, "context_device_stats"));
    return get_stats(ctx, index, 1, "context_device_stats: a result", out);
}

uint32_t sinter_context_void_clauses(const sinter_context *ctx)
{
    uint32_t clauses = 0;
    for (uint32_t i = 0; ctx != NULL && i < ctx->device_count; i++)
        clauses |= ctx->devices[i].device.info.void_clauses;
    return clauses;
}

uint32_t sinter_context_device_count(const sinter_context *ctx)
{
    return ctx != NULL ? ctx->device_count : 0;
}

static sinter_status get_device(const sinter_context *ctx, uint32_t index, const char *where,
                                sinter_device_info *out)
{
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "%s: an argument is NULL", where);
    SINTER_TRY(check_index(ctx, index, where));
    sinter_status status = sinter__sized_check("a result", out->size);
    if (status != SINTER_OK)
        return sinter__fail_in(status, where);
    const sinter_device_info *info = &ctx->devices[index].device.info;
    sinter__sized_give(out, out->size, info, sizeof *info);
    return SINTER_OK;
}

sinter_status sinter_context_device(const sinter_context *ctx, sinter_device_info *out)
{
    sinter__clear_error();
    return get_device(ctx, 0, "context_device", out);
}

sinter_status sinter_context_device_at(const sinter_context *ctx, uint32_t index,
                                       sinter_device_info *out)
{
    sinter__clear_error();
    return get_device(ctx, index, "context_device_at", out);
}
