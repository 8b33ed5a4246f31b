#include "support/cl_personality.h"

#ifndef CL_DEVICE_EXTENSIONS_WITH_VERSION /* of OpenCL 3.0 */
#    define CL_DEVICE_EXTENSIONS_WITH_VERSION 0x1060
#endif

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define KIB 1024u
#define MIB (1024u * KIB)

static const cl_personality personalities[] = {
    {.name = "lone", .group = 1, .align_bytes = 128, .in_order = true},
    {.name = "tiny-groups", .group = 16, .align_bytes = 512, .in_order = true},
    {.name = "flat-groups", .group = 32, .flat = true, .in_order = true},
    {.name = "no-local", .no_local = true, .group = 32, .in_order = true},
    {.name = "small-local", .local_bytes = 4 * KIB, .align_bytes = 4096, .in_order = true},
    {.name = "small-buffers", .buffer_bytes = MIB, .align_bytes = 4096, .in_order = true},
    {.name = "small-memory", .buffer_bytes = MIB, .device_bytes = 4 * MIB, .in_order = true},
    {.name = "embedded",
     .embedded = true,
     .no_double = true,
     .no_half = true,
     .group = 32,
     .local_bytes = KIB,
     .argument_bytes = 256,
     .in_order = true},
    /* Four beside the eight: all at once, one that can more, a GPU, and one that nothing can be done with. */
    {.name = "small",
     .group = 32,
     .local_bytes = 4 * KIB,
     .align_bytes = 512,
     .buffer_bytes = 256 * KIB,
     .device_bytes = MIB,
     .argument_bytes = 256,
     .in_order = true},
    {.name = "priorities", .priorities = true},
    {.name = "at-once", .at_once = true},
    {.name = "records", .records = true},
    {.name = "queued", .queued = true},
    {.name = "graphics", .graphics = true, .no_half = true},
    {.name = "no-long", .embedded = true, .no_long = true, .no_double = true, .no_half = true},
};

const cl_personality *cl_personality_find(const char *name)
{
    for (size_t i = 0; i < sizeof personalities / sizeof *personalities; i++) {
        if (strcmp(personalities[i].name, name) == 0)
            return &personalities[i];
    }
    return NULL;
}

/* What it says */

#define ANY UINT64_MAX

/* What the device has at most of that which `what` asks for. */
static uint64_t most_of(const cl_personality *p, cl_device_info what)
{
    uint64_t most = what == CL_DEVICE_MAX_WORK_GROUP_SIZE  ? p->group
                    : what == CL_DEVICE_LOCAL_MEM_SIZE     ? p->local_bytes
                    : what == CL_DEVICE_MAX_MEM_ALLOC_SIZE ? p->buffer_bytes
                    : what == CL_DEVICE_GLOBAL_MEM_SIZE    ? p->device_bytes
                    : what == CL_DEVICE_MAX_PARAMETER_SIZE ? p->argument_bytes
                                                           : 0;
    bool none = (what == CL_DEVICE_LOCAL_MEM_SIZE && p->no_local) ||
                (what == CL_DEVICE_DOUBLE_FP_CONFIG && p->no_double);
    return none ? 0 : most == 0 ? ANY : most;
}

/* Lowers a number to `limit`. */
static void lower(uint64_t limit, size_t bytes, void *value)
{
    uint64_t now = 0;
    if (value == NULL || (bytes != sizeof(cl_uint) && bytes != sizeof(cl_ulong)))
        return;
    memcpy(&now, value, bytes); /* little endian */
    if (limit < now)
        memcpy(value, &limit, bytes);
}

/* Most work-items in each dimension of a group. */
static void lower_sizes(const cl_personality *p, size_t bytes, void *value)
{
    size_t *sizes = value;
    for (size_t i = 0; value != NULL && i < bytes / sizeof *sizes; i++) {
        lower(p->group != 0 ? p->group : ANY, sizeof *sizes, &sizes[i]);
        lower(p->flat && i > 0 ? 1 : ANY, sizeof *sizes, &sizes[i]);
    }
}

/* Where `word` stands by itself in `text`, NULL: nowhere. */
static char *find_word(char *text, const char *word)
{
    size_t length = strlen(word);
    for (char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        char before = at == text ? ' ' : at[-1];
        char after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_')
            return at;
    }
    return NULL;
}

static void strike(char *text, const char *word)
{
    char *at = find_word(text, word);
    if (at != NULL)
        memset(at, ' ', strlen(word));
}

static void change_extensions(const cl_personality *p, size_t bytes, char *text, size_t *size)
{
    const char *more = p->embedded && !p->no_long ? " cles_khr_int64"
                       : p->priorities            ? " cl_khr_priority_hints"
                       : p->at_once               ? " cl_intel_exec_by_local_thread"
                       : p->records               ? " cl_khr_command_buffer"
                                                  : "";
    if (size != NULL)
        *size += strlen(more);
    if (text == NULL)
        return;
    if (p->no_double)
        strike(text, "cl_khr_fp64");
    if (p->no_half)
        strike(text, "cl_khr_fp16");
    if (p->queued)
        strike(text, "cl_intel_exec_by_local_thread");
    size_t length = strlen(text);
    if (length + strlen(more) < bytes)
        memcpy(text + length, more, strlen(more) + 1);
}

/* An extension with its version, 1.0.0, in the form of OpenCL 3.0. */
static cl_int name_extensions(size_t bytes, void *value, size_t *size)
{
    struct {
        cl_uint version;
        char name[64];
    } named = {1u << 22, "cl_khr_command_buffer"};
    if (value != NULL && bytes >= sizeof named)
        memcpy(value, &named, sizeof named);
    if (size != NULL)
        *size = sizeof named;
    return CL_SUCCESS;
}

cl_int cl_personality_answer(const cl_personality *p, cl_int error, cl_device_info what,
                             size_t bytes, void *value, size_t *size)
{
    const cl_ulong out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if ((what == CL_DEVICE_HALF_FP_CONFIG && p->no_half) ||
        (what == CL_DEVICE_GLOBAL_MEM_CACHE_SIZE && p->embedded))
        return CL_INVALID_VALUE;
    if (what == CL_DEVICE_EXTENSIONS_WITH_VERSION && p->records)
        return name_extensions(bytes, value, size);
    if (error != CL_SUCCESS)
        return error;
    lower(most_of(p, what), bytes, value);
    if (what == CL_DEVICE_MAX_WORK_ITEM_SIZES)
        lower_sizes(p, bytes, value);
    else if (what == CL_DEVICE_QUEUE_PROPERTIES && p->in_order && value != NULL)
        *(cl_ulong *)value &= ~out_of_order;
    else if (what == CL_DEVICE_MEM_BASE_ADDR_ALIGN && p->align_bytes != 0 && value != NULL)
        *(cl_uint *)value = 8 * p->align_bytes;
    else if (what == CL_DEVICE_PROFILE && p->embedded && value != NULL)
        (void)snprintf(value, bytes, "EMBEDDED_PROFILE");
    else if (what == CL_DEVICE_TYPE && p->graphics && value != NULL)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    else if (what == CL_DEVICE_EXTENSIONS)
        change_extensions(p, bytes, value, size);
    return CL_SUCCESS;
}

void cl_personality_platform(const cl_personality *p, size_t bytes, char *value, size_t *size)
{
    static const char name[] = "NVIDIA, played by ";
    const size_t more = p->graphics ? sizeof name - 1 : 0;
    if (size != NULL)
        *size += more;
    if (value == NULL || strlen(value) + more >= bytes)
        return;
    memmove(value + more, value, strlen(value) + 1);
    memcpy(value, name, more);
}

/* What it refuses */

cl_int cl_personality_queue(const cl_personality *p, cl_command_queue_properties properties)
{
    bool wanted = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    return p->in_order && wanted ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
}

cl_int cl_personality_buffer(const cl_personality *p, uint64_t bytes, uint64_t held_bytes)
{
    if (p->buffer_bytes != 0 && bytes > p->buffer_bytes)
        return CL_INVALID_BUFFER_SIZE;
    bool full = p->device_bytes != 0 && held_bytes + bytes > p->device_bytes;
    return full ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS;
}

cl_int cl_personality_sub_buffer(const cl_personality *p, uint64_t offset_bytes, bool overlaps)
{
    bool aligned = p->align_bytes == 0 || offset_bytes % p->align_bytes == 0;
    if (p->graphics && overlaps)
        return CL_INVALID_VALUE;
    return aligned ? CL_SUCCESS : CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

cl_int cl_personality_launch(const cl_personality *p, cl_uint dimensions, const size_t *local,
                             uint64_t local_bytes, uint64_t argument_bytes)
{
    size_t items = 1;
    for (cl_uint i = 0; i < dimensions && local != NULL; i++) {
        if (p->flat && i > 0 && local[i] > 1)
            return CL_INVALID_WORK_ITEM_SIZE;
        items *= local[i];
    }
    if (p->group != 0 && (local == NULL || items > p->group))
        return CL_INVALID_WORK_GROUP_SIZE;
    if ((p->no_local && local_bytes > 0) || (p->local_bytes != 0 && local_bytes > p->local_bytes))
        return CL_OUT_OF_RESOURCES;
    bool too_many = p->argument_bytes != 0 && argument_bytes > p->argument_bytes;
    return too_many ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

bool cl_personality_source(const cl_personality *p, const char *source)
{
    static const char *const doubles[] = {"double",  "double2",  "double4",
                                          "double8", "double16", "cl_khr_fp64"};
    static const char *const longs[] = {"long", "ulong"};
    char *text = (char *)source; /* which is only read */
    for (size_t i = 0; p->no_double && i < sizeof doubles / sizeof *doubles; i++) {
        if (find_word(text, doubles[i]) != NULL)
            return true;
    }
    for (size_t i = 0; p->no_long && i < sizeof longs / sizeof *longs; i++) {
        if (find_word(text, longs[i]) != NULL)
            return true;
    }
    return p->no_half && find_word(text, "cl_khr_fp16") != NULL;
}
