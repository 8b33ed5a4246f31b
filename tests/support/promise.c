/* Every cut of every test keeps its promise: what sinter_stream_memory_need says of the pending work is
 * what the device is asked for. The linker puts these in the place of the library's own functions
 * (--wrap, tests/CMakeLists.txt); each asks, hands the call on, and compares. On a driver the bytes
 * are those that clCreateBuffer gave (cl_layer.h), on the host reference device the backend's. */
#include "support/cl_layer.h"
#include "support/support.h"

#include "executor/context/context.h"

static atomic_bool paused;

void test_promise_pause(void)
{
    atomic_store(&paused, true);
}

/* What was promised, and how things were then. */
typedef struct promise {
    bool is_given;
    bool refused;
    sinter_context *ctx;
    sinter__opened *on;
    const cl_layer *layer;
    sinter_memory_need need;
    uint64_t others_bytes; /* of other devices and contexts, which do nothing meanwhile */
    uint64_t peak_bytes;   /* that the device has had so far: it is counted anew */
    sinter_stats before;   /* of the device */
} promise;

static sinter_stats device_stats(const promise *p)
{
    sinter_stats stats = SINTER_STATS_INIT;
    uint32_t device = (uint32_t)(p->on - p->ctx->devices);
    assert_int_equal(sinter_context_device_stats(p->ctx, device, &stats), SINTER_OK);
    return stats;
}

static const cl_layer *layer_of(const sinter__opened *on)
{
    return on->device.info.kind == SINTER_DEVICE_HOST ? NULL : test_cl_layer();
}

/* What has no value may make a group run in parts, which is no promise (docs/memory.md). */
static bool all_have_values(const sinter_stream *s)
{
    for (size_t t = 0; t < s->q.graph.tensor_count; t++) {
        if (s->entered[t].failure != NULL)
            return false;
    }
    return true;
}

/* The question leaves no trace in what tests count. */
static promise ask(sinter_stream *s)
{
    promise p = {.need = SINTER_MEMORY_NEED_INIT};
    if (s == NULL || s->mapped != NULL || atomic_load(&paused) || !all_have_values(s))
        return p;
    p.ctx = s->ctx;
    p.on = s->on;
    p.layer = layer_of(s->on);
    if (p.layer != NULL && p.layer->armed())
        return p; /* what is to fail is not to fail for the question */
    uint64_t allocations = atomic_load(&s->ctx->allocator.allocations);
    sinter_status status = sinter_stream_memory_need(s, &p.need);
    atomic_store(&s->ctx->allocator.allocations, allocations);
    p.refused = status == SINTER_EBUDGET;
    p.is_given = p.need.operations > 0 && (status == SINTER_OK || p.refused);
    if (!p.is_given)
        return p;
    p.before = device_stats(&p);
    p.peak_bytes = atomic_exchange(&s->on->counts.memory_peak_bytes, p.need.held_bytes);
    if (p.layer != NULL) {
        p.others_bytes = p.layer->buffer_bytes() - p.need.held_bytes;
        (void)p.layer->buffer_peak_bytes();
    }
    return p;
}

/* The most that the device has given since the question. */
static uint64_t given(const promise *p)
{
    uint64_t counted = atomic_load(&p->on->counts.memory_peak_bytes);
    atomic_store(&p->on->counts.memory_peak_bytes, SINTER__MAX(counted, p->peak_bytes));
    if (p->layer == NULL)
        return counted;
    uint64_t seen = p->layer->buffer_peak_bytes() - p->others_bytes;
    if (seen != counted)
        fail_msg("clCreateBuffer gave %llu bytes, the device counts %llu", (unsigned long long)seen,
                 (unsigned long long)counted);
    return seen;
}

/* `s` NULL: it is gone, and all that it had has run. */
static void compare(const promise *p, const sinter_stream *s, sinter_status status)
{
    if (!p->is_given)
        return;
    uint64_t bytes = given(p);
    bool has_run = s == NULL || sinter__queue_length(&s->q) == 0;
    if (!has_run || status != SINTER_OK || (s != NULL && s->failures.first != NULL))
        return;
    sinter_stats now = device_stats(p);
    if (now.fallbacks != p->before.fallbacks)
        return;
    if (p->refused)
        fail_msg("what memory_need refused has run, with %llu bytes", (unsigned long long)bytes);
    /* A read may have run what was not pending: the copy of a view, another stream's operations. */
    bool more = now.cuts != p->before.cuts + p->need.segments || now.ops != p->before.ops;
    if (bytes < p->need.need_bytes || (bytes > p->need.need_bytes && !more))
        fail_msg("memory_need promised %llu bytes, the device gave %llu",
                 (unsigned long long)p->need.need_bytes, (unsigned long long)bytes);
}

/* The functions that run what is pending: the linker's names of a wrapper and of what it wraps. */
#define REAL(name) __asm__("__real_" #name)
#define WRAP(name) __asm__("__wrap_" #name)

sinter_status real_flush(sinter_stream *s) REAL(sinter_stream_flush);
sinter_status real_sync(sinter_stream *s) REAL(sinter_stream_sync);
sinter_status real_wait(sinter_stream *s, uint64_t timeout_ns) REAL(sinter_stream_wait);
sinter_status real_destroy(sinter_stream *s) REAL(sinter_stream_destroy);
sinter_status real_read(sinter_stream *s, sinter_tensor t, void *data, size_t bytes)
    REAL(sinter_tensor_read);
sinter_status real_map(sinter_stream *s, sinter_tensor t, sinter_map_access access, void **data,
                       size_t *bytes) REAL(sinter_tensor_map);

sinter_status promised_flush(sinter_stream *s) WRAP(sinter_stream_flush);
sinter_status promised_sync(sinter_stream *s) WRAP(sinter_stream_sync);
sinter_status promised_wait(sinter_stream *s, uint64_t timeout_ns) WRAP(sinter_stream_wait);
sinter_status promised_destroy(sinter_stream *s) WRAP(sinter_stream_destroy);
sinter_status promised_read(sinter_stream *s, sinter_tensor t, void *data, size_t bytes)
    WRAP(sinter_tensor_read);
sinter_status promised_map(sinter_stream *s, sinter_tensor t, sinter_map_access access, void **data,
                           size_t *bytes) WRAP(sinter_tensor_map);

sinter_status promised_flush(sinter_stream *s)
{
    promise p = ask(s);
    sinter_status status = real_flush(s);
    compare(&p, s, status);
    return status;
}

sinter_status promised_sync(sinter_stream *s)
{
    promise p = ask(s);
    sinter_status status = real_sync(s);
    compare(&p, s, status);
    return status;
}

sinter_status promised_wait(sinter_stream *s, uint64_t timeout_ns)
{
    promise p = ask(s);
    sinter_status status = real_wait(s, timeout_ns);
    compare(&p, s, status);
    return status;
}

sinter_status promised_destroy(sinter_stream *s)
{
    promise p = ask(s);
    sinter_status status = real_destroy(s);
    compare(&p, NULL, status);
    return status;
}

sinter_status promised_read(sinter_stream *s, sinter_tensor t, void *data, size_t bytes)
{
    promise p = ask(s);
    sinter_status status = real_read(s, t, data, bytes);
    compare(&p, s, status);
    return status;
}

sinter_status promised_map(sinter_stream *s, sinter_tensor t, sinter_map_access access, void **data,
                           size_t *bytes)
{
    promise p = ask(s);
    sinter_status status = real_map(s, t, access, data, bytes);
    compare(&p, s, status);
    return status;
}
