#include "api_recorder.h"

#include "executor/backend/backend.h"
#include "executor/memory/room.h"
#include "executor/opencl/clblast.h"
#include "executor/opencl/shuffle.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)16 << 20)

static recorder_plan plan;
static recorder_plan seen;
static size_t live;
static sinter__backend table;
static const sinter__backend *host;

void recorder_start(recorder_plan wanted)
{
    plan = wanted;
    seen = (recorder_plan){0};
}

size_t recorder_live(void)
{
    return live;
}

/* Whether this one fails. */
static bool fails(uint32_t *count, uint32_t at)
{
    ++*count;
    return at > 0 && (*count == at || (plan.goes_on && *count > at));
}

/* Host memory, whose leaks are counted here. Strings that are searched are long: they are not measured first. */
const char *__asan_default_options(void); /* NOLINT: the sanitizer's name */

const char *__asan_default_options(void) /* NOLINT */
{
    return "detect_leaks=0:intercept_strstr=0:quarantine_size_mb=8:max_redzone=64";
}

typedef struct block {
    _Alignas(max_align_t) size_t bytes;
} block;

void *recorder_realloc(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    block *old = ptr != NULL ? (block *)ptr - 1 : NULL;
    if (old != NULL && old->bytes != old_bytes)
        abort();
    if (new_bytes == 0) {
        live -= old != NULL;
        free(old);
        return NULL;
    }
    if (new_bytes > MOST_BYTES || fails(&seen.allocation, plan.allocation))
        return NULL;
    block *b = realloc(old, sizeof *b + new_bytes);
    if (b == NULL)
        return NULL;
    live += old == NULL;
    b->bytes = new_bytes;
    return b + 1;
}

/* Programs: the source, which is looked at when kernels are made of it. */

static sinter_status program_build(void *state, const char *source, void **program,
                                   sinter__buffer *log)
{
    (void)state;
    (void)log;
    *program = NULL;
    if (fails(&seen.build, plan.build))
        return sinter__fail(SINTER_EBUILD, "the build was to fail");
    *program = strdup(source);
    live++;
    return *program != NULL ? SINTER_OK : SINTER_ENOMEM;
}

static void program_release(void *state, void *program)
{
    (void)state;
    free(program);
    live--;
}

static sinter_status object_create(void *state, void *program, const char *name, void **object,
                                   uint32_t *max_group)
{
    (void)state;
    if (strstr(program, name) == NULL)
        abort();
    *object = strdup(name);
    *max_group = UINT32_MAX;
    live++;
    return *object != NULL ? SINTER_OK : SINTER_ENOMEM;
}

static void object_release(void *state, void *object)
{
    (void)state;
    free(object);
    live--;
}

static sinter_status launch(void *state, void *queue, sinter__launch *l, sinter__row_range rows,
                            const sinter__operands *operands, void **event)
{
    if (l->kernel == NULL)
        abort();
    if (fails(&seen.launch, plan.launch)) {
        if (event != NULL)
            *event = NULL;
        return sinter__fail(SINTER_EDEVICE, "the launch was to fail");
    }
    if (plan.is_idle) {
        if (event != NULL)
            *event = NULL;
        return SINTER_OK;
    }
    return host->launch(state, queue, l, rows, operands, event);
}

/* A library for matrix products, which does nothing. */

static sinter_status gemm_scratch(void *state, void *queue, const sinter__gemm *gemm,
                                  uint64_t *bytes)
{
    (void)state;
    (void)queue;
    *bytes = gemm->matrix[0].transposed ? 64 : 0;
    return SINTER_OK;
}

static sinter_status gemm_run(void *state, void *queue, const sinter__gemm *gemm, int64_t item,
                              const sinter__operands *operands, void **kept, bool *built)
{
    (void)state;
    (void)queue;
    (void)operands;
    (void)kept;
    *built = false;
    if (fails(&seen.launch, plan.launch))
        return sinter__fail(SINTER_EDEVICE, "the product was to fail");
    for (int i = 0; i < 3; i++) {
        if (sinter__gemm_offset(gemm, i, item) < 0)
            abort();
    }
    return SINTER_OK;
}

static void gemm_end(void *state, void *kept)
{
    (void)state;
    (void)kept;
}

/* What the bytes make of a device: every one is a device that could be. */
static void set_limits(sinter__limits *l, const uint8_t *b)
{
    static const sinter__tuned tuned = {.key = 1};
    l->correctly_rounded = (b[0] & 1) != 0;
    l->has_fma = (b[0] & 2) != 0;
    l->has_half = (b[0] & 4) != 0;
    l->stores_half = !l->has_half && (b[0] & 8) != 0;
    l->computes_half = l->has_half && (b[0] & 8) != 0;
    l->folds_zeros = (b[0] & 16) != 0;
    l->splits_vectors = (b[0] & 32) != 0;
    l->aligns_halves = (b[0] & 64) != 0;
    l->max_side = (b[0] & 128) != 0 ? 1 : 0;
    l->relaxed = (b[1] & 1) != 0;
    l->native = (b[1] & 2) != 0 ? UINT32_MAX : 0;
    l->gemm_from_f32 = l->gemm_from_f64 = (b[1] & 4) != 0 ? 1 << 18 : 0;
    l->sub_group = (b[1] & 8) != 0 ? 8u << b[1] / 64 : 0;
    l->shuffle = l->sub_group > 0 ? "sub_group_shuffle_xor" : NULL;
    if ((b[1] & 16) != 0)
        l->tuned = (sinter__tuned_list){.all = &tuned, .count = 1};
    l->fixed_words = (b[1] & 64) != 0;
    l->parameter_bytes = (b[1] & 32) != 0 ? 256 : 4096;
    l->local_bytes = (uint64_t)b[2] * 256;
    l->max_group = 1u << b[3] % 11;
    l->native_width = 1u << b[3] / 16 % 5;
    l->compute_units = 1 + b[4] % 128u;
    l->most_iterations = b[5] * 256u;
    if (b[6] > 0)
        l->max_group_nodes = b[6];
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): names that
 * the linker makes with --wrap */
sinter_status __real_sinter__backend_host_open(const sinter__device *device, sinter__allocator *a,
                                               sinter__backend_counts *counts,
                                               const sinter__backend **backend, void **out);
sinter_status __wrap_sinter__backend_host_open(const sinter__device *device, sinter__allocator *a,
                                               sinter__backend_counts *counts,
                                               const sinter__backend **backend, void **out);
sinter_status __wrap_sinter__room_check(const char *root, uint64_t bytes);
bool __wrap_sinter__shuffles_hold(const sinter__device *d);
bool __wrap_sinter__clblast_load(cl_platform_id platform, const char **why);

sinter_status __wrap_sinter__backend_host_open(const sinter__device *device, sinter__allocator *a,
                                               sinter__backend_counts *counts,
                                               const sinter__backend **backend, void **out)
{
    SINTER_TRY(__real_sinter__backend_host_open(device, a, counts, &host, out));
    table = *host;
    table.program_build = program_build;
    table.program_release = program_release;
    table.object_create = object_create;
    table.object_release = object_release;
    table.launch = launch;
    if (plan.device != NULL) { /* the profile and the mode have said what they have to say */
        table.gemm_scratch = gemm_scratch;
        table.gemm = gemm_run;
        table.gemm_end = gemm_end;
        set_limits(&((sinter__device *)device)->limits, plan.device);
    }
    *backend = &table;
    return SINTER_OK;
}

bool __wrap_sinter__shuffles_hold(const sinter__device *d)
{
    return d->limits.sub_group > 0;
}

bool __wrap_sinter__clblast_load(cl_platform_id platform, const char **why)
{
    (void)platform;
    *why = "there is none";
    return plan.device != NULL;
}

/* What the machine has left is read from files, each time: here it is enough. */
sinter_status __wrap_sinter__room_check(const char *root, uint64_t bytes)
{
    (void)root;
    (void)bytes;
    return SINTER_OK;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
