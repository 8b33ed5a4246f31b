/* Where a profile is from, and what a context makes of it. */
#include "executor/profile/profile.h"

#include "executor/cache/cache.h"
#include "executor/context/env.h"
#include "executor/profile/shipped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE ((size_t)4 << 20)

void sinter__profile_init(sinter_profile *p, sinter__allocator *a, const sinter__device *d)
{
    p->allocator = a;
    p->device = *d;
    p->values = (sinter__profile_values){.style = d->limits.style,
                                         .exact_fma = SINTER__FACT_UNKNOWN,
                                         .exact_divide = SINTER__FACT_UNKNOWN,
                                         .exact_half = SINTER__FACT_UNKNOWN};
    sinter__device_tuning(d, p->values.style, 0, &p->values.tuning);
    (void)snprintf(p->origin, sizeof p->origin, "defaults");
    p->passed_over = false;
}

void sinter__profile_finish(sinter_profile *p)
{
    sinter__profile_values *v = &p->values;
    if (p->allocator != NULL)
        sinter__free(p->allocator, v->kernels, v->kernel_capacity * sizeof *v->kernels);
    v->kernels = NULL;
    v->kernel_count = v->kernel_capacity = 0;
}

sinter_status sinter__profile_copy(sinter_profile *out, sinter__allocator *a,
                                   const sinter_profile *from)
{
    const sinter__profile_values *v = &from->values;
    *out = *from;
    out->allocator = a;
    out->values.kernels = NULL;
    out->values.kernel_count = out->values.kernel_capacity = 0;
    void *kernels = NULL;
    if (v->kernel_count == 0)
        return SINTER_OK;
    SINTER_TRY(sinter__grow(a, &kernels, &out->values.kernel_capacity, v->kernel_count,
                            sizeof *v->kernels));
    out->values.kernels = kernels;
    out->values.kernel_count = v->kernel_count;
    memcpy(kernels, v->kernels, v->kernel_count * sizeof *v->kernels);
    return SINTER_OK;
}

/* Kernels */

/* Where the key is, or would be. */
static size_t place_of(const sinter__profile_values *v, uint64_t key)
{
    size_t low = 0;
    size_t high = v->kernel_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->kernels[middle].tuned.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sinter__profile_kernel *sinter__profile_kernel_find(const sinter__profile_values *v, uint64_t key)
{
    size_t at = place_of(v, key);
    return at < v->kernel_count && v->kernels[at].tuned.key == key ? &v->kernels[at] : NULL;
}

sinter__profile_kernel *sinter__profile_kernel_add(sinter__profile_values *v, sinter__allocator *a,
                                                   uint64_t key)
{
    size_t at = place_of(v, key);
    sinter__profile_kernel *known = sinter__profile_kernel_find(v, key);
    if (known != NULL)
        return known;
    void *kernels = v->kernels;
    if (sinter__grow(a, &kernels, &v->kernel_capacity, v->kernel_count + 1, sizeof *v->kernels) !=
        SINTER_OK)
        return NULL;
    v->kernels = kernels;
    memmove(v->kernels + at + 1, v->kernels + at, (v->kernel_count - at) * sizeof *v->kernels);
    v->kernels[at] = (sinter__profile_kernel){.tuned = {.key = key, .tuning = v->tuning}};
    v->kernel_count++;
    return &v->kernels[at];
}

void sinter__profile_kernel_remove(sinter__profile_values *v, uint64_t key)
{
    size_t at = place_of(v, key);
    if (sinter__profile_kernel_find(v, key) == NULL)
        return;
    v->kernel_count--;
    memmove(v->kernels + at, v->kernels + at + 1, (v->kernel_count - at) * sizeof *v->kernels);
}

/* Files */

static sinter_status read_open(int file, sinter__buffer *out)
{
    struct stat info;
    char part[4096];
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return sinter__fail(SINTER_EIO, "it is not a regular file");
    if ((uintmax_t)info.st_size > MAX_FILE)
        return sinter__fail(SINTER_EIO, "it has more than %zu bytes", MAX_FILE);
    for (;;) {
        ssize_t got = read(file, part, sizeof part);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return sinter__fail(SINTER_EIO, "%s", strerror(errno));
        if (got == 0)
            return sinter__buffer_status(out);
        sinter__buffer_add(out, part, (size_t)got);
    }
}

/* A file that somebody names. */
static sinter_status read_file(sinter_profile *p, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
    (void)snprintf(p->origin, sizeof p->origin, "%.700s", path);
    if (file < 0)
        return sinter__fail(SINTER_EIO, "%s", strerror(errno));
    sinter__buffer text;
    sinter__buffer_init(&text, p->allocator);
    sinter_status status = read_open(file, &text);
    (void)close(file);
    if (status == SINTER_OK)
        status = sinter__profile_parse(p, sinter__buffer_text(&text), text.bytes, false);
    sinter__buffer_finish(&text);
    return status;
}

void sinter__profile_file(const sinter__device *d, char out[SINTER__CACHE_NAME])
{
    const char *texts[] = {d->info.name, d->info.driver_version};
    uint64_t hash = SINTER__PROFILE_FORMAT;
    for (size_t i = 0; i < SINTER__COUNT(texts); i++) {
        for (const char *c = texts[i]; *c != '\0'; c++)
            hash = sinter__hash(hash, (unsigned char)*c);
        hash = sinter__hash(hash, i);
    }
    if (d->is_part) /* how fast it is goes with its size */
        hash = sinter__hash(hash, d->info.compute_units);
    char slug[64];
    size_t at = 0;
    for (const char *c = d->info.name; *c != '\0' && at + 1 < sizeof slug; c++) {
        bool plain =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (plain || (at > 0 && slug[at - 1] != '-'))
            slug[at++] = (char)(plain ? *c : '-');
    }
    slug[at] = '\0';
    (void)snprintf(out, SINTER__CACHE_NAME, "%s-%016llx.profile", slug, (unsigned long long)hash);
}

/* From the user's folder of such things. The origin is its path, or the folder's where that is what is refused. */
static sinter__cache_why read_folder(sinter_profile *p, const char *name, uint8_t **text,
                                     size_t *bytes)
{
    char path[SINTER__ENV_PATH];
    sinter__cache_folder folder = {.fd = -1, .max_bytes = MAX_FILE};
    if (!sinter__env_cache_folder(NULL, path))
        return SINTER__CACHE_MISSING;
    sinter__cache_why why = sinter__cache_folder_open(&folder, path, false);
    bool opened = why == SINTER__CACHE_FINE;
    if (opened)
        why = sinter__cache_folder_read(&folder, name, false, p->allocator, text, bytes);
    sinter__cache_folder_close(&folder);
    (void)snprintf(p->origin, sizeof p->origin, "%.600s%s%s", path, opened ? "/" : "",
                   opened ? name : "");
    return why;
}

/* From the caller's hook, in the place of the folder. */
static sinter__cache_why read_hook(sinter_profile *p, const sinter_context_options *o,
                                   const char *name, uint8_t **text, size_t *bytes)
{
    (void)snprintf(p->origin, sizeof p->origin, "cache_load_fn: %s", name);
    if (o->cache_load_fn == NULL)
        return SINTER__CACHE_MISSING;
    return sinter__cache_ask(o->cache_load_fn, o->cache_user, name, MAX_FILE, p->allocator, text,
                             bytes);
}

/* What somebody has kept for the device. */
static sinter_status read_kept(sinter_profile *p, const sinter_context_options *o, bool *found)
{
    char name[SINTER__CACHE_NAME];
    uint8_t *text = NULL;
    size_t bytes = 0;
    bool has_hooks = o != NULL && (o->cache_load_fn != NULL || o->cache_store_fn != NULL);
    sinter__profile_file(&p->device, name);
    sinter__cache_why why =
        has_hooks ? read_hook(p, o, name, &text, &bytes) : read_folder(p, name, &text, &bytes);
    *found = why != SINTER__CACHE_MISSING;
    sinter_status status =
        why == SINTER__CACHE_FINE
            ? sinter__profile_parse(p, (const char *)text, bytes, false)
            : sinter__fail(why == SINTER__CACHE_NO_MEMORY ? SINTER_ENOMEM : SINTER_EIO, "%s",
                           sinter__cache_why_text(why));
    if (text != NULL)
        sinter__free(p->allocator, text, SINTER__MAX(bytes, (size_t)1));
    return status;
}

/* That which comes with the library, or the defaults. */
static sinter_status take_shipped(sinter_profile *p)
{
    const sinter__shipped_text *file = sinter__shipped_find(&p->device.info);
    (void)snprintf(p->origin, sizeof p->origin, "defaults");
    if (file == NULL)
        return SINTER_OK;
    SINTER_TRY(sinter__profile_parse(p, file->text, file->bytes, true));
    (void)snprintf(p->origin, sizeof p->origin, "shipped: %s", file->name);
    return SINTER_OK;
}

bool sinter__profile_is_of(const sinter_profile *p, const sinter_device_info *info)
{
    const sinter_device_info *of = &p->device.info;
    return strcmp(of->name, info->name) == 0 &&
           strcmp(of->driver_version, info->driver_version) == 0;
}

sinter_status sinter__profile_find(sinter_profile *p, sinter__allocator *a, const sinter__device *d,
                                   const sinter_context_options *o)
{
    bool found = true;
    sinter__profile_init(p, a, d);
    const char *named = sinter__env_text(SINTER__ENV_PROFILE);
    if (named != NULL && strcmp(named, "none") == 0)
        return SINTER_OK;
    sinter_status status = named != NULL ? read_file(p, named) : read_kept(p, o, &found);
    if (named == NULL && !found && d->is_part) { /* that of the whole comes near */
        p->device.is_part = false;
        status = read_kept(p, o, &found);
        p->device.is_part = true;
    }
    if (status == SINTER_OK || status == SINTER_ENOMEM)
        return status;
    char why[SINTER__PROFILE_ORIGIN] = "";
    if (found)
        (void)snprintf(why, sizeof why, ": not used: %.300s: %.300s", p->origin,
                       sinter_last_error());
    sinter__clear_error();
    SINTER_TRY(take_shipped(p));
    size_t at = strlen(p->origin);
    (void)snprintf(p->origin + at, sizeof p->origin - at, "%s", why);
    p->passed_over = found;
    return SINTER_OK;
}

/* What a context makes of it */

/* What ours takes at the width at which the driver's would be called; 0: not measured. */
static uint32_t own_cost(const sinter__profile_values *v, size_t native, uint32_t lanes)
{
    const char *name = sinter__native_name(native);
    size_t cost = sinter__cost_find(name, strlen(name));
    return cost < SINTER__COST_COUNT ? v->rates.costs[cost][sinter__rate_width(lanes)] : 0;
}

/* The driver's functions that are faster. Not measured, a GPU's are: it has instructions for them. */
static uint32_t find_native(const sinter__profile_values *v, const sinter__device *d)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < SINTER__NATIVE_COUNT; i++) {
        uint32_t own = own_cost(v, i, d->limits.native_width);
        bool measured = own > 0 && v->rates.driver[i] > 0;
        bool faster = measured ? v->rates.driver[i] < own : d->info.kind == SINTER_DEVICE_GPU;
        bits |= (uint32_t)faster << i;
    }
    return bits;
}

/* From how many multiply-adds on CLBlast computes a product; 0, where it was not measured to be faster: never. */
static int64_t find_gemm(uint32_t measured, const sinter__device *d)
{
    return d->cl == NULL || measured == UINT32_MAX ? 0 : measured;
}

/* What the mode lets go of. */
static void apply_mode(const sinter__profile_values *v, sinter_mode mode, sinter__device *d)
{
    sinter__limits *l = &d->limits;
    if (mode == SINTER_MODE_NATIVE || mode == SINTER_MODE_RELAXED) {
        l->native = find_native(v, d);
        l->gemm_from_f32 = find_gemm(v->rates.figures[SINTER__FIGURE_clblast_f32], d);
        l->gemm_from_f64 = find_gemm(v->rates.figures[SINTER__FIGURE_clblast_f64], d);
    }
    if (mode != SINTER_MODE_RELAXED)
        return;
    l->relaxed = true;
    l->correctly_rounded = true; /* no function of ours corrects it */
    if (d->build_options != NULL && strcmp(d->build_options, SINTER__BUILD_CORRECT) == 0)
        d->build_options = SINTER__BUILD_PLAIN;
}

sinter_status sinter__profile_apply(const sinter_profile *p, const sinter_context_options *o,
                                    sinter__allocator *a, sinter__device *d, sinter__tuned **tuned)
{
    const sinter__profile_values *v = &p->values;
    sinter__limits *l = &d->limits;
    *tuned = NULL;
    l->style = o->style != SINTER_STYLE_AUTO ? o->style : v->style;
    l->has_fma = l->has_fma && v->exact_fma != SINTER__FACT_NO;
    l->correctly_rounded = l->correctly_rounded && v->exact_divide != SINTER__FACT_NO;
    l->has_half = l->has_half && v->exact_half != SINTER__FACT_NO;
    l->stores_half = l->stores_half && v->exact_half != SINTER__FACT_NO;
    d->info.has_fma = l->has_fma;
    d->info.correctly_rounded = l->correctly_rounded;
    d->info.void_clauses |= v->void_clauses;
    apply_mode(v, o->mode, d);
    if (o->lanes > 0 || l->style != v->style) {
        sinter__device_tuning(d, l->style, o->lanes, &l->tuning);
        l->tuning.event_wait = v->tuning.event_wait; /* these are of no style */
        l->tuning.record_from = v->tuning.record_from;
        l->tuning.record_after = v->tuning.record_after;
        return SINTER_OK;
    }
    l->tuning = v->tuning;
    if (v->kernel_count == 0)
        return SINTER_OK;
    sinter__tuned *all = sinter__alloc_array(a, v->kernel_count, sizeof *all);
    if (all == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < v->kernel_count; i++)
        all[i] = v->kernels[i].tuned;
    l->tuned = (sinter__tuned_list){all, v->kernel_count};
    *tuned = all;
    return SINTER_OK;
}
