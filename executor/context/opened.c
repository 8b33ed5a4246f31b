/* Opening a device: what it reports, its profile and what the options make of both. */
#include "executor/context/opened.h"

#include "executor/opencl/clblast.h"
#include "executor/opencl/shuffle.h"
#include "executor/profile/profile.h"
#include "executor/run/transfer.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_STORE_BYTES ((size_t)8 << 20)
#define IDLE_SHARE 8   /* of the store's bytes, for kernels that no plan holds */
#define TINY_NARROW 64 /* indices of 32 bits under SINTER_TINY_LIMITS are below it */

static void free_payload(void *user, sinter__payload *payload)
{
    (void)user;
    sinter__compiled_free((sinter__compiled *)payload);
}

static void set_limits(sinter__opened *on)
{
    const sinter_context_options *o = on->options;
    sinter__limits *l = &on->limits;
    *l = on->device.limits;
    if ((o->switches & SINTER_OWN_ARITHMETIC) != 0)
        l->correctly_rounded = l->has_fma = l->has_half = l->stores_half = false;
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
static void find_gemm(sinter__opened *on)
{
    sinter__limits *l = &on->limits;
    const char *why = "SINTER_NO_CLBLAST";
    if (l->gemm_from_f32 == 0 && l->gemm_from_f64 == 0)
        return;
    bool found = (on->options->switches & SINTER_NO_CLBLAST) == 0 &&
                 sinter__clblast_load(on->device.platform, &why);
    sinter__log_line(on->log, SINTER__LOG_DEVICE,
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
static void find_shuffles(sinter__opened *on)
{
    sinter__limits *l = &on->limits;
    if (wants_shuffles(l)) {
        bool holds = sinter__shuffles_hold(&on->device);
        sinter__log_line(on->log, holds ? SINTER__LOG_DEVICE : SINTER__LOG_WARNING,
                         "shuffles in sub-groups of %u: %s", l->sub_group,
                         holds ? "they do what they say"
                               : "not used: they do not do what they say");
        if (holds)
            return;
    }
    l->sub_group = 0;
    l->shuffle = NULL;
}

static sinter_status find_device(sinter__opened *on, const sinter__device_list *list,
                                 const char *text)
{
    SINTER_TRY(on->theirs.context != NULL ? sinter__device_take(&on->theirs, &on->device)
                                          : sinter__device_open(list, text, &on->device));
    const sinter_device_info *info = &on->device.info;
    sinter__log_line(on->log, SINTER__LOG_DEVICE, "device %s: %s, %s, driver %s", info->selector,
                     info->name, info->platform, info->driver_version);
    if (info->quirks[0] != '\0')
        sinter__log_line(on->log, SINTER__LOG_DEVICE, "quirks: %s", info->quirks);
    return SINTER_OK;
}

/* Whether storages are filled and looked at as they go, which any thread may bring about: then a stream's queue is used
 * beside its own thread, and nobody knows when it has done all, or what it was given last (executor/opencl/queue.h). */
static bool is_watched(const sinter__opened *on)
{
#ifdef SINTER_VALGRIND
    (void)on;
    return true;
#else
    return on->options->memory_mode == SINTER_MEMORY_POISON ||
           on->options->memory_mode == SINTER_MEMORY_RED_ZONE;
#endif
}

/* With what the profile and the mode have made of the device. */
static sinter_status open_backend(sinter__opened *on)
{
    bool host = on->device.info.kind == SINTER_DEVICE_HOST;
    SINTER_TRY((host ? sinter__backend_host_open : sinter__backend_cl_open)(
        &on->device, on->allocator, &on->counts, &on->backend, &on->state));
    if (on->options->trace_fn == NULL)
        return SINTER_OK;
    return sinter__trace_open(on->options->trace_fn, on->options->trace_user, on->allocator,
                              &on->backend, &on->state, &on->trace);
}

/* What is known of the device beside what it reports. */
static sinter_status apply_profile(sinter__opened *on)
{
    const sinter_context_options *o = on->options;
    sinter_profile found = {0};
    const sinter_profile *p = o->profile;
    if (p != NULL && !sinter__profile_is_of(p, &on->device.info))
        p = NULL; /* it is another device's of the context, or of none (context.c) */
    sinter_status status = SINTER_OK;
    if (p == NULL) {
        p = &found;
        status = sinter__profile_find(&found, on->allocator, &on->device, o);
    }
    if (status == SINTER_OK) {
        sinter__log_line(on->log, p->passed_over ? SINTER__LOG_WARNING : SINTER__LOG_DEVICE,
                         "profile: %s", p->origin);
        status = sinter__profile_apply(p, o, on->allocator, &on->device, &on->tuned);
        on->rates = p->values.rates;
        on->has_shipped_rates = p->values.is_shipped;
        on->tuned_count = on->tuned != NULL ? p->values.kernel_count : 0;
    }
    sinter__profile_finish(&found);
    return status;
}

/* What a compiled program depends on besides its source. */
static void open_cache(sinter__opened *on)
{
    const sinter__device *d = &on->device;
    on->cache.allocator = on->allocator;
    on->cache.log = on->log;
    if (on->backend->program_load == NULL || d->no_binaries)
        return;
    sinter__cache_open(&on->cache, on->options);
    const char *const depends[] = {
        d->info.platform,       d->platform_version,      d->info.name,
        d->info.driver_version, d->info.opencl_c_version, d->build_options};
    for (size_t i = 0; i < SINTER__COUNT(depends); i++)
        sinter__cache_depend(&on->cache, depends[i]);
    (void)snprintf(on->cache.label, sizeof on->cache.label, "%.40s, %.40s, %.30s", d->info.platform,
                   d->info.name, d->info.driver_version);
    on->programs.cache = &on->cache;
    on->programs.late_binaries = d->late_binaries;
}

/* What its streams share on the host: programs and plans. */
static sinter_status open_plans(sinter__opened *on)
{
    uint64_t wanted = on->options->plan_store_bytes;
    size_t bytes = wanted > 0 ? (size_t)wanted : DEFAULT_STORE_BYTES;
    on->programs.allocator = on->allocator;
    on->programs.backend = on->backend;
    on->programs.state = on->state;
    on->programs.log = on->log;
    on->programs.options = on->options;
    on->programs.max_idle_bytes = bytes / IDLE_SHARE;
    SINTER_TRY(sinter__programs_init(&on->programs));
    return sinter__store_create(on->allocator, bytes - bytes / IDLE_SHARE, free_payload, NULL,
                                &on->store);
}

sinter_status sinter__opened_open(sinter__opened *on, const sinter__device_list *list,
                                  const char *text)
{
    const sinter_context_options *o = on->options;
    SINTER_TRY(find_device(on, list, text));
    if (is_watched(on)) {
        on->device.info.runs_at_once = on->device.info.records_launches = 0;
        on->device.limits.runs_at_once = false;
    }
    SINTER_TRY(apply_profile(on));
    if (on->device.info.records_launches == 0)
        on->device.limits.tuning.record_from = 0;
    if (is_watched(on) || on->device.no_flush) /* docs/decisions/waits.md */
        on->device.limits.tuning.event_wait = on->device.limits.tuning.poll_work = 0;
    SINTER_TRY(open_backend(on));
    set_limits(on);
    find_shuffles(on);
    find_gemm(on);
    on->memory = (sinter__memory_shared){.allocator = on->allocator,
                                         .backend = on->backend,
                                         .state = on->state,
                                         .counts = &on->counts,
                                         .budget_bytes = o->budget_bytes,
                                         .max_slab_bytes = on->device.info.max_allocation_bytes,
                                         .alignment_bytes = on->limits.alignment_bytes,
                                         .large_pages_from = on->limits.tuning.large_pages_from,
                                         .mode = o->memory_mode,
                                         .host_root = on->device.info.unified_memory ? "" : NULL};
    SINTER_TRY(sinter__memory_shared_init(&on->memory));
    SINTER_TRY(sinter__transfer_init(&on->transfer));
    open_cache(on);
    return open_plans(on);
}

void sinter__opened_close(sinter__opened *on)
{
    sinter__programs_settle(&on->programs, true);
    sinter__store_destroy(on->store);
    if (on->programs.allocator != NULL)
        sinter__programs_finish(&on->programs);
    sinter__cache_close(&on->cache);
    sinter__transfer_finish(on);
    if (on->memory.allocator != NULL)
        sinter__memory_shared_finish(&on->memory);
    sinter__free(on->allocator, on->tuned, on->tuned_count * sizeof *on->tuned);
    if (on->state != NULL)
        on->backend->close(on->state);
    sinter__device_close(&on->device);
}
