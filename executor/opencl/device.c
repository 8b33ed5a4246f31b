#include "executor/opencl/device.h"

#include "core/sized.h"
#include "executor/memory/room.h"
#include "executor/opencl/foreign.h"
#include "fusion/nest/tree.h"

#include <CL/cl_ext.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#    include <cpuid.h>
#    define CPUID_FP16 (1u << 23) /* AVX512-FP16, of leaf 7 in edx */
#endif

/* More than any device has; a driver that reports more has no limit in mind, or is wrong. */
#define MAX_WORK_GROUP 65536
#define MAX_DIMENSIONS 16 /* of a group; kernels have three at most */
#define MIB ((uint64_t)1 << 20)

/* What a row of quirks.def can set; 0: nothing. */
/* clang-format off */
#define QUIRK_FIELDS(X) \
    X(correctly_rounded) X(has_fma) X(has_half) X(folds_zeros) X(keeps_denormals) \
    X(max_group) X(lanes) X(items_are_lanes) X(no_optimiser) X(no_flush) X(no_parts) \
    X(keeps_parts) X(sub_buffers_apart) X(reads_header) X(widens_alone) X(no_binaries) \
    X(late_binaries) X(splits_vectors) X(full_apart) X(packs_numbers) X(aligns_halves) X(reorders_sums) \
    X(fixed_words) X(most_iterations) X(prefetches)
/* clang-format on */

typedef struct quirk {
#define FIELD(name) uint32_t name;
    QUIRK_FIELDS(FIELD)
#undef FIELD
} quirk;

#define ANY (-1)
#define CPU SINTER_DEVICE_CPU
static const struct {
    const char *platform, *device, *reason;
    int kind;
    quirk set;
} quirks[] = {
#define SINTER_QUIRK(platform_, kind_, device_, field, value, reason_)                             \
    {.platform = (platform_),                                                                      \
     .device = (device_),                                                                          \
     .reason = (reason_),                                                                          \
     .kind = (kind_),                                                                              \
     .set = {.field = (value)}},
#include "executor/opencl/quirks.def"
#undef SINTER_QUIRK
};

bool sinter__contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text != '\0' || length == 0; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

/* What `row` says goes before what `all` has. */
static void take(quirk *all, const quirk *row)
{
#define TAKE(name) all->name = row->name != 0 ? row->name : all->name;
    QUIRK_FIELDS(TAKE)
#undef TAKE
}

static bool is_about(const sinter_device_info *info, size_t i)
{
    return sinter__contains(info->platform, quirks[i].platform) &&
           sinter__contains(info->name, quirks[i].device) &&
           (quirks[i].kind == ANY || quirks[i].kind == (int)info->kind);
}

static quirk find_quirks(sinter_device_info *info)
{
    quirk all = {0};
    size_t at = 0;
    for (size_t i = 0; i < SINTER__COUNT(quirks); i++) {
        if (!is_about(info, i))
            continue;
        take(&all, &quirks[i].set);
        int used = snprintf(info->quirks + at, sizeof info->quirks - at, at > 0 ? "; %s" : "%s",
                            quirks[i].reason);
        at = SINTER__MIN(at + (size_t)SINTER__MAX(used, 0), sizeof info->quirks - 1);
    }
    return all;
}

/* Asking OpenCL */

/* Asks for a property. A device that does not answer is not used: half of its limits would be
 * guesses. Only of doubles an OpenCL 1.1 device without them may know nothing. */
static bool ask(sinter__device *d, cl_device_info what, size_t bytes, void *out)
{
    cl_int error = d->cl->clGetDeviceInfo(d->id, what, bytes, out, NULL);
    bool knows = what != CL_DEVICE_DOUBLE_FP_CONFIG || error != CL_INVALID_VALUE;
    if (knows && d->error == CL_SUCCESS)
        d->error = error;
    return error == CL_SUCCESS;
}

static void get_string(sinter__device *d, cl_device_info what, char *out, size_t bytes)
{
    out[0] = '\0';
    char text[8192] = "";
    if (ask(d, what, sizeof text - 1, text))
        (void)snprintf(out, bytes, "%.*s", (int)(bytes - 1), text);
}

static cl_ulong get_number(sinter__device *d, cl_device_info what, size_t bytes)
{
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    void *to = bytes == sizeof wide ? (void *)&wide : (void *)&narrow;
    if (!ask(d, what, bytes, to))
        return 0;
    return bytes == sizeof wide ? wide : narrow;
}

static cl_ulong get_size(sinter__device *d, cl_device_info what)
{
    size_t value = 0;
    return ask(d, what, sizeof value, &value) ? value : 0;
}

static sinter_device_kind kind_of(cl_ulong type)
{
    if ((type & CL_DEVICE_TYPE_GPU) != 0)
        return SINTER_DEVICE_GPU;
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? SINTER_DEVICE_CPU : SINTER_DEVICE_OTHER;
}

/* Whether its halves are rounded to nearest, denormals and all. One that does not say so is used
 * without them. */
static bool rounds_halves(const sinter__device *d)
{
    const cl_ulong all = CL_FP_ROUND_TO_NEAREST | CL_FP_DENORM | CL_FP_INF_NAN;
    cl_ulong config = 0;
    cl_int error =
        d->cl->clGetDeviceInfo(d->id, CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, NULL);
    return error == CL_SUCCESS && (config & all) == all;
}

/* Whether it has arithmetic of halves. No property says so: a driver for processors without it computes in f32
 * between conversions, lane by lane. A device that is a CPU is the processor at hand. */
static bool computes_halves(const sinter_device_info *info)
{
#ifdef __x86_64__
    unsigned a, b, c, d;
    return info->kind == SINTER_DEVICE_CPU && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
           (d & CPUID_FP16) != 0;
#else
    (void)info;
    return false;
#endif
}

/* Whether `word` is one of a list that spaces part. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* Rows of as many work-items as this go through shuffles, where a device has the choice: 64 partials in the
 * vectors of 4 that are a GPU's default. */
#define SUB_GROUP_WANTED 16
#define MAX_SUB_GROUP_SIZES 32

/* What it claims of sub-groups; executor/opencl/shuffle.h asks it for proof. Only where a kernel can say how large
 * they are: else that is known when it has been built, and its text is too late. */
static void describe_sub_groups(sinter__device *d, const char *extensions)
{
    size_t sizes[MAX_SUB_GROUP_SIZES];
    size_t bytes = 0;
    bool khr = has_word(extensions, "cl_khr_subgroup_shuffle");
    if ((!khr && !has_word(extensions, "cl_intel_subgroups")) ||
        !has_word(extensions, "cl_intel_required_subgroup_size") ||
        d->cl->clGetDeviceInfo(d->id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes,
                               &bytes) != CL_SUCCESS)
        return;
    uint32_t chosen = 0;
    for (size_t i = 0; i < bytes / sizeof *sizes; i++) {
        uint32_t size = sizes[i] <= SINTER__TREE_LANES ? (uint32_t)sizes[i] : 0;
        bool closer = chosen < SUB_GROUP_WANTED ? size > chosen : size < chosen;
        if ((size & (size - 1)) == 0 && closer && (size >= SUB_GROUP_WANTED || size > chosen))
            chosen = size;
    }
    if (chosen == 0)
        return;
    d->limits.sub_group = chosen;
    d->limits.shuffle = khr ? "sub_group_shuffle_xor" : "intel_sub_group_shuffle_xor";
}

/* By the call of OpenCL 2.0 that makes queues with more properties. */
static bool takes_priorities(sinter__device *d, const char *extensions)
{
    static const char prefix[] = "OpenCL ";
    char version[64] = "";
    if (!has_word(extensions, "cl_khr_priority_hints") ||
        d->cl->clCreateCommandQueueWithProperties == NULL)
        return false;
    get_string(d, CL_DEVICE_VERSION, version, sizeof version);
    return strncmp(version, prefix, sizeof prefix - 1) == 0 && version[sizeof prefix - 1] > '1';
}

/* Work-items of a group: in all, and along its dimensions, of which each has a limit of its own. */
static void find_group(sinter__device *d)
{
    size_t sides[MAX_DIMENSIONS] = {1, 1, 1};
    size_t all = get_size(d, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    (void)ask(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sides, sides);
    all = SINTER__MIN(SINTER__MIN(all, sides[0]), (size_t)MAX_WORK_GROUP);
    d->info.max_work_group = (uint32_t)all;
    d->limits.max_side = (uint32_t)SINTER__MIN(SINTER__MAX(sides[1], (size_t)1), all);
}

/* It decides nothing but speed, so a device need not know it. A driver for CPUs may name the cache
 * of one core: the host knows better. */
static void find_cache(sinter__device *d)
{
    cl_ulong bytes = 0;
    if (d->cl->clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes, &bytes,
                               NULL) != CL_SUCCESS)
        bytes = 0;
    uint64_t host = d->info.kind == SINTER_DEVICE_CPU ? sinter__room_cache("") : 0;
    d->info.last_cache_bytes = SINTER__MAX((uint64_t)bytes, host);
}

/* What has no other source. */
static void heed_quirks(sinter__device *d, const quirk *q)
{
    d->quirk_lanes = q->lanes;
    d->items_are_lanes = q->items_are_lanes != 0;
    d->limits.folds_zeros = q->folds_zeros != 0;
    d->no_flush = q->no_flush != 0;
    d->no_parts = q->no_parts != 0;
    d->keeps_parts = q->keeps_parts != 0;
    d->widens_alone = q->widens_alone != 0;
    d->sub_buffers_apart = q->sub_buffers_apart != 0;
    /* Functions of halves are not among our declarations. */
    d->reads_header = q->reads_header != 0 && d->info.has_f16 == 0;
    d->no_binaries = q->no_binaries != 0;
    d->late_binaries = q->late_binaries != 0;
    d->limits.splits_vectors = q->splits_vectors != 0;
    d->limits.full_apart = (uint8_t)q->full_apart;
    d->limits.packs_numbers = q->packs_numbers != 0;
    d->limits.aligns_halves = q->aligns_halves != 0;
    d->limits.reorders_sums = q->reorders_sums != 0;
    d->limits.fixed_words = q->fixed_words != 0;
    d->limits.prefetches = q->prefetches != 0;
    d->limits.most_iterations = q->most_iterations;
}

static void describe(sinter__device *d)
{
    sinter_device_info *info = &d->info;
    get_string(d, CL_DEVICE_NAME, info->name, sizeof info->name);
    get_string(d, CL_DRIVER_VERSION, info->driver_version, sizeof info->driver_version);
    get_string(d, CL_DEVICE_OPENCL_C_VERSION, info->opencl_c_version,
               sizeof info->opencl_c_version);
    info->kind = kind_of(get_number(d, CL_DEVICE_TYPE, sizeof(cl_device_type)));
    info->global_memory_bytes = get_number(d, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->max_allocation_bytes = get_number(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    info->local_memory_bytes = get_number(d, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    d->local_is_global = info->kind == SINTER_DEVICE_GPU &&
                         get_number(d, CL_DEVICE_LOCAL_MEM_TYPE, sizeof(cl_uint)) == CL_GLOBAL;
    info->compute_units = (uint32_t)get_number(d, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    find_cache(d);
    find_group(d);
    info->max_parameter_bytes = (uint32_t)get_size(d, CL_DEVICE_MAX_PARAMETER_SIZE);
    cl_ulong align_bits = get_number(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(cl_uint));
    info->alignment_bytes = (uint32_t)SINTER__MAX(align_bits / 8, (cl_ulong)128);
    info->native_lanes =
        (uint32_t)get_number(d, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(cl_uint));
    info->unified_memory = get_number(d, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_uint)) != 0;
    const cl_ulong full = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_DENORM | CL_FP_INF_NAN;
    info->has_f64 = (get_number(d, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_ulong)) & full) == full;
    char extensions[8192];
    get_string(d, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    info->has_f16 = has_word(extensions, "cl_khr_fp16");
    describe_sub_groups(d, extensions);
    info->has_priority_hints = takes_priorities(d, extensions);
    info->runs_at_once = has_word(extensions, "cl_intel_exec_by_local_thread");
    info->records_launches = has_word(extensions, "cl_khr_command_buffer") &&
                             sinter__cl_recorder_find(d->cl, d->platform, d->id, &d->recorder);
    cl_ulong f32 = get_number(d, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_ulong));
    quirk q = find_quirks(info);
    info->correctly_rounded =
        (f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0 || q.correctly_rounded != 0;
    d->limits.has_half = info->has_f16 != 0 && (q.has_half != 0 || rounds_halves(d));
    d->limits.computes_half = computes_halves(info);
    info->has_fma = (f32 & CL_FP_FMA) != 0 || q.has_fma != 0;
    if ((f32 & CL_FP_DENORM) == 0 && q.keeps_denormals == 0)
        info->void_clauses |= SINTER_VOID_DENORMALS;
    if ((f32 & CL_FP_ROUND_TO_NEAREST) == 0)
        info->void_clauses |= SINTER_VOID_ROUNDING;
    if (q.max_group != 0)
        info->max_work_group = SINTER__MIN(info->max_work_group, q.max_group);
    heed_quirks(d, &q);
    /* -w: PoCL prints how many warnings there were, and comparing x with x is one. */
    d->build_options = q.no_optimiser != 0 ? "-w -cl-opt-disable"
                       : info->correctly_rounded && (f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0
                           ? SINTER__BUILD_CORRECT
                           : SINTER__BUILD_PLAIN;
}

/* Some microseconds: what takes longer is better slept for, since the thread that asks has one of the processors. */
#define POLL_WORK 300000

/* What is worth an item of a launch whose second thread begins late, with half of what the first one has left. */
#define FINE_WORK 140000

/* What one thread does while the next launch begins: one whose threads are all woken, and one that
 * begins where the last one has ended (docs/decisions/splits.md). */
#define SPLIT_WORK 500000
#define SPLIT_WORK_SOON 100000

/* Most bytes of a last cache that count for each compute unit where a launch only moves or turns. Of a larger one they
 * have a part: a virtual machine of two processors names the cache of sixty. What computes loses more by a limit that is
 * too low than by one that is too high (docs/decisions/streaming-stores.md). */
#define CACHE_OF_UNIT (16 * MIB)

static uint32_t half_of(uint64_t cache_bytes)
{
    return (uint32_t)SINTER__MIN(SINTER__MAX(cache_bytes / 2, MIB), 64 * MIB);
}

uint32_t sinter__device_lone_work(const sinter__device *d)
{
    uint32_t units = SINTER__MAX(d->info.compute_units, 2u);
    return 500000 + 500000 / (units - 1);
}

void sinter__device_tuning(const sinter__device *d, sinter_style style, uint32_t lanes,
                           sinter__tuning *out)
{
    bool cpu = style == SINTER_STYLE_CPU;
    bool asked = lanes != 0 || d->quirk_lanes != 0;
    if (lanes == 0)
        lanes = d->quirk_lanes;
    if (lanes == 0)
        lanes = cpu ? 16 : 4;
    sinter__tuning_init(out, style, lanes, SINTER__MAX(d->info.native_lanes, cpu ? 4u : 1u));
    if (!cpu && !asked && d->limits.shuffle == NULL) /* docs/decisions/gpu.md */
        out->chunk_lanes = out->run_lanes = 1;
    if (!cpu && d->local_is_global) { /* copies there would only move what the caches have */
        out->tile_steps = 0;
        out->tile_rows = 4;
        out->tile_vectors = 1;
    }
    if (!d->limits.prefetches)
        out->ahead_bytes = 0;
    if (d->info.kind != SINTER_DEVICE_CPU)
        return;
    out->shuffles = 0; /* a detour through memory */
    out->event_wait = d->info.runs_at_once != 0;
    if (cpu && d->info.runs_at_once) {
        out->lone_work = sinter__device_lone_work(d);
        out->split_work = SPLIT_WORK_SOON;
    } else if (cpu) { /* all of its threads are woken, and some begin late */
        out->even_items = 2;
        out->fine_items = 16;
        out->fine_work = FINE_WORK;
        out->poll_work = d->info.compute_units > 1 ? POLL_WORK : 0;
        out->split_work = SPLIT_WORK;
    }
    if (!cpu || d->info.last_cache_bytes == 0)
        return;
    const uint64_t share = SINTER__MAX(d->info.compute_units, 1u) * CACHE_OF_UNIT;
    out->heavy_stream_from = out->write_stream_from = out->scan_near_to =
        half_of(d->info.last_cache_bytes);
    out->stream_from = out->turn_stream_from =
        half_of(SINTER__MIN(d->info.last_cache_bytes, share));
}

/* Sound choices for a CPU and for a GPU where nothing has been measured. */
static void set_limits(sinter__device *d)
{
    const sinter_device_info *info = &d->info;
    sinter__limits *l = &d->limits;
    bool cpu = info->kind == SINTER_DEVICE_CPU || info->kind == SINTER_DEVICE_HOST;
    l->is_gpu = l->stores_half = info->kind == SINTER_DEVICE_GPU;
    l->style = cpu && !d->items_are_lanes ? SINTER_STYLE_CPU : SINTER_STYLE_GPU;
    sinter__device_tuning(d, l->style, 0, &l->tuning);
    l->compute_units = SINTER__MAX(info->compute_units, 1u);
    l->max_group = SINTER__MAX(info->max_work_group, 1u);
    l->runs_at_once = info->runs_at_once != 0;
    l->parameter_bytes = info->max_parameter_bytes;
    l->local_bytes = info->local_memory_bytes;
    l->alignment_bytes = info->alignment_bytes;
    l->has_f64 = info->has_f64 != 0;
    l->correctly_rounded = info->correctly_rounded != 0;
    l->has_fma = info->has_fma != 0;
    l->native_width = cpu ? 16 : 1;
    l->register_lanes = info->native_lanes;
    l->reuse = true;
    l->max_group_nodes = 128;
    l->narrow = (int64_t)1 << 30;
}

/* The list */

static sinter__device *add_device(sinter__device_list *list)
{
    void *devices = list->devices;
    if (sinter__grow(list->allocator, &devices, &list->capacity, list->count + 1,
                     sizeof *list->devices) != SINTER_OK)
        return NULL;
    list->devices = devices;
    sinter__device *d = &list->devices[list->count++];
    *d = (sinter__device){.info = SINTER_DEVICE_INFO_INIT};
    return d;
}

sinter_status sinter__devices_add_reason(sinter__device_list *list, const char *platform,
                                         const char *note)
{
    sinter__device *d = add_device(list);
    if (d == NULL)
        return SINTER_ENOMEM;
    d->info.kind = SINTER_DEVICE_NONE;
    (void)snprintf(d->info.platform, sizeof d->info.platform, "%s", platform);
    (void)snprintf(d->info.note, sizeof d->info.note, "%s", note);
    return SINTER_OK;
}

/* `error` CL_SUCCESS: the call went well and gave nothing. */
static sinter_status no_devices(sinter__device_list *list, const char *platform, const char *call,
                                cl_int error)
{
    char text[SINTER__CL_ERROR_TEXT] = "none";
    char note[256];
    bool rusticl = sinter__contains(platform, "rusticl") && getenv("RUSTICL_ENABLE") == NULL;
    if (error != CL_SUCCESS)
        (void)sinter__cl_error_text(error, text);
    (void)snprintf(note, sizeof note, "no device: %s: %s%s", call, text,
                   rusticl ? "; it shows none unless RUSTICL_ENABLE names its drivers" : "");
    return sinter__devices_add_reason(list, platform, note);
}

/* In the embedded profile 64-bit integers are an extension, and every kernel has offsets of 64 bits. */
static bool has_long(sinter__device *d)
{
    char profile[64];
    char extensions[8192];
    get_string(d, CL_DEVICE_PROFILE, profile, sizeof profile);
    if (strcmp(profile, "EMBEDDED_PROFILE") != 0)
        return true;
    get_string(d, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    return has_word(extensions, "cles_khr_int64");
}

/* What the library cannot do without; NULL: nothing is missing. */
static const char *missing_from(sinter__device *d)
{
    if (!has_long(d))
        return "able to compute with 64-bit integers";
    if (get_number(d, CL_DEVICE_AVAILABLE, sizeof(cl_bool)) == 0)
        return "available";
    if (get_number(d, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)) == 0)
        return "able to compile";
    return get_number(d, CL_DEVICE_ENDIAN_LITTLE, sizeof(cl_bool)) == 0 ? "little-endian" : NULL;
}

/* A device that does not say what it is becomes the reason why it is not there. */
static void give_up(sinter__device *d)
{
    char text[SINTER__CL_ERROR_TEXT];
    d->info.kind = SINTER_DEVICE_NONE;
    if (d->error != CL_SUCCESS) {
        (void)snprintf(d->info.note, sizeof d->info.note,
                       "device %s is not used: clGetDeviceInfo: %s", d->info.selector,
                       sinter__cl_error_text(d->error, text));
    } else {
        (void)snprintf(d->info.note, sizeof d->info.note, "device %s is not used: it is not %s",
                       d->info.selector, d->missing);
    }
}

#define MAX_PLATFORMS 32
#define MAX_DEVICES 32

#define PLATFORM_TEXT 128

/* Both texts are empty before. */
static cl_int ask_platform(const sinter__cl *cl, cl_platform_id platform, char name[PLATFORM_TEXT],
                           char version[PLATFORM_TEXT])
{
    cl_int error = cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, PLATFORM_TEXT - 1, name, NULL);
    if (error == CL_SUCCESS)
        error =
            cl->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, PLATFORM_TEXT - 1, version, NULL);
    return error;
}

/* What is left to know of a device that has its handles and its selector. */
static void fill_device(sinter__device *d, const char *platform, const char *version)
{
    (void)snprintf(d->info.platform, sizeof d->info.platform, "%s", platform);
    (void)snprintf(d->platform_version, sizeof d->platform_version, "%s", version);
    describe(d);
    set_limits(d);
    d->missing = missing_from(d);
    if (d->error != CL_SUCCESS || d->missing != NULL)
        give_up(d);
}

static sinter_status find_platform_devices(sinter__device_list *list, const sinter__cl *cl,
                                           cl_platform_id platform, unsigned index)
{
    char name[PLATFORM_TEXT] = "";
    char version[PLATFORM_TEXT] = "";
    cl_device_id ids[MAX_DEVICES];
    cl_uint count = 0;
    cl_int error = ask_platform(cl, platform, name, version);
    if (error != CL_SUCCESS)
        return no_devices(list, "OpenCL", "clGetPlatformInfo", error);
    error = cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &count);
    if (error != CL_SUCCESS || count == 0)
        return no_devices(list, name, "clGetDeviceIDs", error);
    for (cl_uint i = 0; i < SINTER__MIN(count, (cl_uint)MAX_DEVICES); i++) {
        sinter__device *d = add_device(list);
        if (d == NULL)
            return SINTER_ENOMEM;
        d->cl = cl;
        d->platform = platform;
        d->id = ids[i];
        (void)snprintf(d->info.selector, sizeof d->info.selector, "%u:%u", index, i);
        fill_device(d, name, version);
    }
    return SINTER_OK;
}

static sinter_status ask_platforms(sinter__device_list *list, const sinter__cl *cl)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint count = 0;
    cl_int error = cl->clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
    if (error != CL_SUCCESS || count == 0)
        return no_devices(list, "OpenCL", "clGetPlatformIDs", error);
    for (cl_uint i = 0; i < SINTER__MIN(count, (cl_uint)MAX_PLATFORMS); i++)
        SINTER_TRY(find_platform_devices(list, cl, platforms[i], i));
    return SINTER_OK;
}

/* One thread at a time: PoCL starts its devices when it is asked for them first, and whoever asks in between gets
 * what is half made. */
static sinter_status find_opencl_devices(sinter__device_list *list)
{
    static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
    const char *why = NULL;
    const sinter__cl *cl = sinter__cl_load(&why);
    if (cl == NULL)
        return sinter__devices_add_reason(list, "OpenCL", why);
    (void)pthread_mutex_lock(&asking);
    sinter_status status = ask_platforms(list, cl);
    (void)pthread_mutex_unlock(&asking);
    return status;
}

static sinter_status add_host(sinter__device_list *list)
{
    sinter__device *d = add_device(list);
    if (d == NULL)
        return SINTER_ENOMEM;
    sinter_device_info *info = &d->info;
    info->kind = SINTER_DEVICE_HOST;
    (void)snprintf(info->selector, sizeof info->selector, "host");
    (void)snprintf(info->name, sizeof info->name, "host reference device");
    (void)snprintf(info->platform, sizeof info->platform, "sinter");
    info->global_memory_bytes = info->max_allocation_bytes = (uint64_t)1 << 40;
    info->local_memory_bytes = 32768;
    info->compute_units = 1;
    info->max_work_group = 1024;
    info->max_parameter_bytes = 4096;
    info->alignment_bytes = 128;
    info->native_lanes = 4;
    info->has_f64 = info->unified_memory = info->correctly_rounded = info->has_fma = 1;
    set_limits(d);
    return SINTER_OK;
}

sinter_status sinter__devices_find(sinter__device_list *list, sinter__allocator *a, bool reasons)
{
    *list = (sinter__device_list){.allocator = a};
    SINTER_TRY(find_opencl_devices(list));
    if (reasons)
        SINTER_TRY(sinter__icd_reasons(list));
    return add_host(list);
}

sinter_status sinter__devices_host(sinter__device_list *list, sinter__allocator *a)
{
    *list = (sinter__device_list){.allocator = a};
    return add_host(list);
}

void sinter__devices_finish(sinter__device_list *list)
{
    sinter__free(list->allocator, list->devices, list->capacity * sizeof *list->devices);
    list->devices = NULL;
}

/* Selection */

static const sinter__device *first_of(const sinter__device_list *list, sinter_device_kind kind)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->devices[i].info.kind == kind)
            return &list->devices[i];
    }
    return NULL;
}

static const sinter__device *by_type(const sinter__device_list *list, const char *selector)
{
    static const struct {
        const char *word;
        sinter_device_kind kind;
    } words[] = {{"gpu", SINTER_DEVICE_GPU},
                 {"cpu", SINTER_DEVICE_CPU},
                 {"accelerator", SINTER_DEVICE_OTHER},
                 {"host", SINTER_DEVICE_HOST}};
    for (size_t i = 0; i < SINTER__COUNT(words); i++) {
        if (strcmp(selector, words[i].word) == 0)
            return first_of(list, words[i].kind);
    }
    return NULL;
}

static bool is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 6 && text[digits] == '\0';
}

static const sinter__device *by_name(const sinter__device_list *list, const char *selector)
{
    size_t index = is_number(selector) ? (size_t)strtoul(selector, NULL, 10) : SIZE_MAX;
    for (size_t i = 0; i < list->count; i++) {
        const sinter_device_info *info = &list->devices[i].info;
        if (info->kind == SINTER_DEVICE_NONE)
            continue;
        if (index == 0 || strcmp(info->selector, selector) == 0)
            return &list->devices[i];
        if (index != SIZE_MAX)
            index--;
        else if (sinter__contains(info->name, selector) ||
                 sinter__contains(info->platform, selector))
            return &list->devices[i];
    }
    return NULL;
}

static sinter_status no_such_device(const sinter__device_list *list, const char *selector)
{
    char names[360] = "";
    size_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const sinter_device_info *info = &list->devices[i].info;
        bool none = info->kind == SINTER_DEVICE_NONE;
        int used = snprintf(names + at, sizeof names - at, "%s%s (%.160s)", at > 0 ? ", " : "",
                            none ? info->platform : info->selector, none ? info->note : info->name);
        at = SINTER__MIN(at + (size_t)SINTER__MAX(used, 0), sizeof names - 1);
    }
    return sinter__fail(SINTER_ENODEVICE, "no device is '%.40s'; there is %s", selector, names);
}

sinter_status sinter__devices_select(const sinter__device_list *list, const char *selector,
                                     const sinter__device **out)
{
    if (selector == NULL) {
        *out = first_of(list, SINTER_DEVICE_GPU);
        *out = *out != NULL ? *out : first_of(list, SINTER_DEVICE_CPU);
        *out = *out != NULL ? *out : first_of(list, SINTER_DEVICE_OTHER);
        *out = *out != NULL ? *out : first_of(list, SINTER_DEVICE_HOST);
        return SINTER_OK;
    }
    *out = by_type(list, selector);
    *out = *out != NULL ? *out : by_name(list, selector);
    return *out != NULL ? SINTER_OK : no_such_device(list, selector);
}

/* Parts of devices */

#define MAX_PARTS 64

/* "/4" or "/4.1" at the end of the text; NULL: it has none. *index is -1 where none is named. */
static const char *find_part(const char *text, uint32_t *parts, int64_t *index)
{
    const char *slash = strrchr(text, '/');
    char *end = NULL;
    *index = -1;
    if (slash == NULL || slash[1] < '1' || slash[1] > '9')
        return NULL;
    unsigned long count = strtoul(slash + 1, &end, 10);
    *parts = (uint32_t)SINTER__MIN(count, (unsigned long)UINT32_MAX);
    if (*end == '.' && is_number(end + 1))
        *index = strtol(end + 1, &end, 10);
    return *end == '\0' ? slash : NULL;
}

uint32_t sinter__device_parts(const char *text)
{
    uint32_t parts = 0;
    int64_t index;
    return find_part(text, &parts, &index) != NULL && index < 0 ? parts : 0;
}

void sinter__device_close(sinter__device *d)
{
    if (d->is_part && !d->keeps_parts)
        (void)d->cl->clReleaseDevice(d->id);
    d->is_part = false;
}

/* Makes the device one of its own `parts` equal parts. */
static sinter_status take_part(sinter__device *d, uint32_t parts, uint32_t index)
{
    cl_device_id ids[MAX_PARTS] = {NULL};
    cl_uint made = 0;
    uint32_t units = parts <= MAX_PARTS ? d->info.compute_units / parts : 0;
    const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY,
                                                (cl_device_partition_property)units, 0};
    if (d->cl == NULL || d->no_parts || units == 0 || index >= parts)
        return sinter__fail(SINTER_EUNSUPPORTED,
                            "device %s of %u compute units has no part %u of %u", d->info.selector,
                            d->info.compute_units, index, parts);
    cl_int error = d->cl->clCreateSubDevices(d->id, how, MAX_PARTS, ids, &made);
    if (error != CL_SUCCESS || made <= index) {
        char text[SINTER__CL_ERROR_TEXT];
        made = error == CL_SUCCESS ? made : 0;
        for (cl_uint i = 0; i < SINTER__MIN(made, (cl_uint)MAX_PARTS); i++)
            (void)d->cl->clReleaseDevice(ids[i]);
        return sinter__fail(SINTER_EUNSUPPORTED, "device %s gives no parts: clCreateSubDevices: %s",
                            d->info.selector, sinter__cl_error_text(error, text));
    }
    for (cl_uint i = 0; i < SINTER__MIN(made, (cl_uint)MAX_PARTS); i++) {
        if (i != index)
            (void)d->cl->clReleaseDevice(ids[i]);
    }
    d->id = ids[index];
    d->is_part = true;
    size_t at = strlen(d->info.selector);
    (void)snprintf(d->info.selector + at, sizeof d->info.selector - at, "/%u.%u", parts, index);
    d->info.quirks[0] = '\0';
    describe(d);
    set_limits(d);
    if (d->error == CL_SUCCESS)
        return SINTER_OK;
    sinter__device_close(d);
    return sinter__cl_fail("clGetDeviceInfo", d->error);
}

sinter_status sinter__device_open(const sinter__device_list *list, const char *text,
                                  sinter__device *out)
{
    const sinter__device *chosen = NULL;
    char whole[sizeof chosen->info.name + 32];
    uint32_t parts = 0;
    int64_t index = -1;
    const char *suffix = text != NULL ? find_part(text, &parts, &index) : NULL;
    if (suffix == NULL || index < 0 || (size_t)(suffix - text) >= sizeof whole) {
        SINTER_TRY(sinter__devices_select(list, text, &chosen));
        *out = *chosen;
        return SINTER_OK;
    }
    memcpy(whole, text, (size_t)(suffix - text));
    whole[suffix - text] = '\0';
    SINTER_TRY(sinter__devices_select(list, whole, &chosen));
    sinter__device device = *chosen;
    SINTER_TRY(take_part(&device, parts, (uint32_t)index));
    *out = device;
    return SINTER_OK;
}

sinter_status sinter__device_find(const char *selector, sinter__allocator *a, sinter__device *out)
{
    sinter__device_list list;
    bool is_host = selector != NULL && strcmp(selector, "host") == 0;
    bool are_parts = selector != NULL && sinter__device_parts(selector) > 0;
    sinter_status status =
        is_host ? sinter__devices_host(&list, a) : sinter__devices_find(&list, a, false);
    if (status == SINTER_OK && !are_parts)
        status = sinter__device_open(&list, selector, out);
    bool is_list = status == SINTER_ENODEVICE && selector != NULL && strchr(selector, ',') != NULL;
    if (status == SINTER_OK ? are_parts : is_list)
        status = sinter__fail(SINTER_EINVAL, "'%.60s' names several devices: give one%s", selector,
                              are_parts ? ", as 0:0/2.1 of 0:0/2" : "");
    sinter__devices_finish(&list);
    return status;
}

sinter_status sinter__device_take(const sinter__their_context *theirs, sinter__device *out)
{
    const char *why = NULL;
    char name[PLATFORM_TEXT] = "";
    char version[PLATFORM_TEXT] = "";
    *out = (sinter__device){.info = SINTER_DEVICE_INFO_INIT,
                            .cl = sinter__cl_load(&why),
                            .id = theirs->device,
                            .given = theirs->context};
    if (out->cl == NULL)
        return sinter__fail(SINTER_ENODEVICE, "%s", why);
    const sinter__foreign of = {.cl = out->cl, .context = out->given, .device = out->id};
    SINTER_TRY(sinter__foreign_device(&of));
    cl_int error = out->cl->clGetDeviceInfo(out->id, CL_DEVICE_PLATFORM, sizeof out->platform,
                                            (void *)&out->platform, NULL);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetDeviceInfo", error);
    error = ask_platform(out->cl, out->platform, name, version);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetPlatformInfo", error);
    (void)snprintf(out->info.selector, sizeof out->info.selector, "given");
    fill_device(out, name, version);
    if (out->info.kind == SINTER_DEVICE_NONE)
        return sinter__fail(SINTER_ENODEVICE, "%s", out->info.note);
    return SINTER_OK;
}

void sinter__device_share(const sinter__device *d, sinter__their_context *out)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)d->platform, 0};
    cl_int error = CL_SUCCESS;
    *out = (sinter__their_context){NULL, NULL};
    if (d->cl == NULL)
        return;
    cl_context context = d->cl->clCreateContext(properties, 1, &d->id, NULL, NULL, &error);
    if (error == CL_SUCCESS && context != NULL)
        *out = (sinter__their_context){context, d->id};
}

void sinter__device_unshare(const sinter__device *d, sinter__their_context *shared)
{
    if (shared->context != NULL)
        (void)d->cl->clReleaseContext(shared->context);
    *shared = (sinter__their_context){NULL, NULL};
}

sinter_status sinter_device_list(sinter_device_info *infos, size_t capacity, size_t *count)
{
    sinter__clear_error();
    if (count == NULL || (infos == NULL && capacity > 0))
        return sinter__fail(SINTER_EINVAL, "device_list: an argument is NULL");
    uint32_t size = capacity > 0 ? infos->size : 0;
    if (capacity > 0)
        SINTER_TRY(sinter__sized_check("device_list: an entry", size));
    sinter__allocator a;
    sinter__allocator_init(&a, NULL, NULL);
    sinter__device_list list;
    sinter_status status = sinter__devices_find(&list, &a, true);
    *count = list.count;
    for (size_t i = 0; i < SINTER__MIN(list.count, capacity); i++)
        sinter__sized_give((char *)infos + i * size, size, &list.devices[i].info, sizeof *infos);
    sinter__devices_finish(&list);
    return status;
}
