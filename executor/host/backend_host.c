/* The host reference device as a backend: memory is memory, a queue runs at once, and nothing is
 * compiled. */
#include "executor/backend/backend.h"
#include "executor/host/host_nest.h"

#include <string.h>

typedef struct state {
    sinter__allocator *allocator;
    sinter__backend_counts *counts;
} state;

/* The bytes follow the header; an address's memory is the first of them. */
typedef struct header {
    _Alignas(max_align_t) uint64_t bytes;
} header;

static header *header_of(void *memory)
{
    return (header *)((char *)memory - sizeof(header));
}

static sinter_status memory_create(void *user, uint64_t bytes, void **out)
{
    state *s = user;
    *out = NULL;
    if (bytes > SIZE_MAX - sizeof(header))
        return sinter__fail(SINTER_EDEVMEM, "no memory for %llu bytes", (unsigned long long)bytes);
    header *h = sinter__alloc(s->allocator, sizeof *h + (size_t)bytes);
    if (h == NULL)
        return SINTER_EDEVMEM;
    h->bytes = bytes;
    *out = (char *)h + sizeof *h;
    return SINTER_OK;
}

static void memory_release(void *user, void *memory)
{
    state *s = user;
    header *h = header_of(memory);
    sinter__free(s->allocator, h, sizeof *h + (size_t)h->bytes);
}

/* A queue is the memory that its launches work in. */
static sinter_status queue_create(void *user, bool timed, sinter_priority *priority, void **queue)
{
    (void)timed;
    if (priority != NULL)
        *priority = SINTER_PRIORITY_DEFAULT;
    state *s = user;
    sinter__host_scratch *scratch = sinter__alloc(s->allocator, sizeof *scratch);
    *queue = scratch;
    if (scratch == NULL)
        return SINTER_ENOMEM;
    scratch->allocator = s->allocator;
    return SINTER_OK;
}

static void queue_release(void *user, void *queue)
{
    state *s = user;
    sinter__host_scratch *scratch = queue;
    sinter__free(s->allocator, scratch->memory, scratch->capacity);
    sinter__free(s->allocator, scratch, sizeof *scratch);
}

static sinter_status write_bytes(void *user, void *queue, sinter__address to, const void *data,
                                 uint64_t bytes)
{
    (void)user;
    (void)queue;
    if (bytes > 0)
        memcpy((char *)to.memory + to.offset_bytes, data, (size_t)bytes);
    return SINTER_OK;
}

static sinter_status read_bytes(void *user, void *queue, sinter__address from, void *data,
                                uint64_t bytes)
{
    (void)user;
    (void)queue;
    if (bytes > 0)
        memcpy(data, (const char *)from.memory + from.offset_bytes, (size_t)bytes);
    return SINTER_OK;
}

static sinter_status fill_bytes(void *user, void *queue, sinter__address to, uint64_t bytes,
                                uint8_t byte)
{
    (void)user;
    (void)queue;
    memset((char *)to.memory + to.offset_bytes, byte, (size_t)bytes);
    return SINTER_OK;
}

static sinter_status map_bytes(void *user, void *queue, sinter__address at, uint64_t bytes,
                               bool writes, void **data)
{
    (void)user;
    (void)queue;
    (void)bytes;
    (void)writes;
    *data = (char *)at.memory + at.offset_bytes;
    return SINTER_OK;
}

static sinter_status unmap_bytes(void *user, void *queue, sinter__address at, void *data)
{
    (void)user;
    (void)queue;
    (void)at;
    (void)data;
    return SINTER_OK;
}

static sinter_status nothing(void *user, void *queue)
{
    (void)user;
    (void)queue;
    return SINTER_OK;
}

static sinter_status launch(void *user, void *queue, sinter__launch *l, sinter__row_range rows,
                            const sinter__operands *operands, void **event)
{
    (void)user;
    if (event != NULL)
        *event = NULL;
    if (l->row_count == 0)
        return sinter__host_run(queue, l, operands);
    for (uint16_t i = 0; i < rows.count; i++)
        SINTER_TRY(sinter__host_run(queue, l->rows[rows.first + i], operands));
    return SINTER_OK;
}

static void close_state(void *user)
{
    state *s = user;
    sinter__free(s->allocator, s, sizeof *s);
}

static const sinter__backend backend_host = {
    .memory_create = memory_create,
    .memory_release = memory_release,
    .queue_create = queue_create,
    .queue_release = queue_release,
    .write = write_bytes,
    .write_later = write_bytes,
    .read = read_bytes,
    .fill = fill_bytes,
    .map = map_bytes,
    .unmap = unmap_bytes,
    .flush = nothing,
    .finish = nothing,
    .launch = launch,
    .close = close_state,
};

sinter_status sinter__backend_host_open(const sinter__device *device, sinter__allocator *a,
                                        sinter__backend_counts *counts,
                                        const sinter__backend **backend, void **out)
{
    (void)device;
    *out = NULL;
    state *s = sinter__alloc(a, sizeof *s);
    if (s == NULL)
        return SINTER_ENOMEM;
    s->allocator = a;
    s->counts = counts;
    *backend = &backend_host;
    *out = s;
    return SINTER_OK;
}
