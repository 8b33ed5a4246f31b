/* What pending work would need: its operations are cut, planned and given memory by the code that runs
 * them, on a copy of the stream in a copy of its pool, where nothing is launched or learned. */
#include "executor/memory/pool_rehearsal.h"
#include "executor/run/instance.h"

#include <string.h>

typedef struct rehearsal {
    sinter_stream s; /* the copy: no more than cutting and planning look at */
    sinter__rehearsal memory;
    sinter__storage *storages; /* by tensor: those that entered */
    sinter__slot *owners;      /* by tensor: of those that are held */
    size_t tensors;
    sinter__storage *read; /* of other pools, that launches may still read */
    size_t reads;
} rehearsal;

/* What others have released goes at the first cut there as well, in the same order. */
SINTER__COLD static void copy_deferred(rehearsal *r, const sinter_stream *real)
{
    sinter_stream *s = &r->s;
    sinter__slot **link = &s->slots.deferred;
    s->epoch = real->epoch;
    for (const sinter__slot *slot = real->slots.deferred; slot != NULL; slot = slot->next_free) {
        sinter__slot *copy = &r->owners[slot->number];
        copy->references = 1;
        copy->number = slot->number;
        copy->epoch = slot->epoch;
        copy->pending = slot->pending;
        copy->last_generation = UINT32_MAX; /* nobody takes it after that */
        copy->failure = slot->failure;
        sinter__failure_retain(copy->failure);
        if (slot->storage != NULL) /* which counts it */
            copy->storage = s->entered[slot->number].storage;
        *link = copy;
        link = &copy->next_free;
    }
}

/* What is held until the stream waits: where that entered as well, or is held twice, it is one storage. */
SINTER__COLD static sinter_status copy_reading(rehearsal *r, const sinter_stream *real)
{
    sinter_stream *s = &r->s;
    sinter__allocator *a = &real->ctx->allocator;
    void *reading = NULL;
    r->reads = real->reading.count;
    if (r->reads == 0)
        return SINTER_OK;
    r->read = sinter__alloc_array(a, r->reads, sizeof *r->read);
    sinter_status status =
        sinter__grow(a, &reading, &s->reading.capacity, r->reads, sizeof(sinter__storage *));
    s->reading.at = reading;
    if (r->read == NULL || status != SINTER_OK)
        return SINTER_ENOMEM;
    for (; s->reading.count < real->reading.count; s->reading.count++) {
        const sinter__storage *storage = real->reading.at[s->reading.count];
        sinter__storage *copy = NULL;
        for (size_t t = 0; t < r->tensors && copy == NULL; t++) {
            if (real->entered[t].storage == storage)
                copy = s->entered[t].storage;
        }
        for (size_t i = 0; i < s->reading.count && copy == NULL; i++) {
            if (real->reading.at[i] == storage)
                copy = s->reading.at[i];
        }
        if (copy == NULL) {
            copy = &r->read[s->reading.count];
            sinter__rehearsal_storage(&r->memory, real->pool, storage, copy);
        }
        s->reading.at[s->reading.count] = copy;
    }
    return SINTER_OK;
}

/* The queue of `real`, with storages of the copy's pool and owners that nobody else knows. */
SINTER__COLD static sinter_status copy_queue(rehearsal *r, const sinter_stream *real)
{
    sinter_stream *s = &r->s;
    const sinter__graph *from = &real->q.graph;
    sinter__graph *to = &s->q.graph;
    sinter__graph_init(&s->old.graph, from->allocator);
    SINTER_TRY(sinter__queue_init(&s->q, from->allocator, real->on->store, UINT32_MAX, UINT64_MAX));
    SINTER_TRY(sinter__stream_reserve(s, real->reserved));
    sinter__graph_copy(to, from);
    sinter__pool *copies = NULL; /* that it waits for: of before the last stream went, maybe */
    for (size_t t = 0; t < from->tensor_count && copies == NULL; t++) {
        const sinter__storage *storage = real->entered[t].storage;
        if (storage != NULL && storage->coming != NULL)
            copies = storage->pool;
    }
    SINTER_TRY(sinter__rehearsal_add(&r->memory, &real->on->memory, copies));
    for (size_t t = 0; t < from->tensor_count; t++) {
        sinter__storage *storage = real->entered[t].storage;
        uint16_t first = from->tensors[t].storage;
        s->entered[t] = real->entered[t];
        sinter__failure_retain(s->entered[t].failure);
        if (to->tensors[t].owner != NULL)
            to->tensors[t].owner = &r->owners[t];
        if (storage != NULL && first == t)
            sinter__rehearsal_storage(&r->memory, real->pool, storage, &r->storages[t]);
        if (storage != NULL)
            s->entered[t].storage = &r->storages[first];
    }
    copy_deferred(r, real);
    return copy_reading(r, real);
}

SINTER__COLD void sinter__stream_lacks(const sinter_stream *s)
{
    uint64_t missing = atomic_load(&sinter__pool_memory(s->pool)->missing_bytes);
    s->need->missing_bytes = SINTER__MAX(s->need->missing_bytes, missing);
}

/* Storages go with the copy of the pool. */
SINTER__COLD static void end(rehearsal *r)
{
    sinter__allocator *a = &r->s.ctx->allocator;
    for (size_t t = 0; t < r->tensors && r->owners != NULL; t++)
        sinter__failure_release(a, r->owners[t].failure);
    for (size_t t = 0; t < r->s.q.graph.tensor_count; t++)
        sinter__failure_release(a, r->s.entered[t].failure);
    sinter__stream_free_queue(&r->s);
    sinter__rehearsal_end(&r->memory);
    sinter__free(a, r->storages, r->tensors * sizeof *r->storages);
    sinter__free(a, r->owners, r->tensors * sizeof *r->owners);
    sinter__free(a, r->read, r->reads * sizeof *r->read);
}

/* Plays it through with `more_bytes` of budget. The failure that it gives, if any, is the thread's. */
SINTER__COLD static sinter_status play(sinter_stream *real, rehearsal *r, uint64_t more_bytes,
                                       sinter_memory_need *out)
{
    sinter__allocator *a = &real->ctx->allocator;
    sinter_stream *s = &r->s;
    SINTER_TRY(sinter__rehearsal_begin(real->pool, more_bytes, &r->memory));
    s->ctx = real->ctx;
    s->on = real->on;
    s->queue = real->queue;
    s->pool = r->memory.pool;
    s->report = real->report; /* for what happens to the device while it is bound */
    s->is_disturbed = real->is_disturbed;
    s->has_coming = real->has_coming;
    s->progress.steps = real->progress.steps;
    s->need = out;
    r->tensors = real->q.graph.tensor_count;
    r->storages = sinter__alloc_array(a, r->tensors, sizeof *r->storages);
    r->owners = sinter__alloc_array(a, r->tensors, sizeof *r->owners);
    sinter_status status =
        r->storages != NULL && r->owners != NULL ? copy_queue(r, real) : SINTER_ENOMEM;
    if (status == SINTER_OK) {
        s->instances.buckets = real->instances.buckets;
        s->instances.count = real->instances.count;
        s->instances.bucket_count = real->instances.bucket_count;
        sinter__stream_cut(s, SINTER__CUT_FLUSH);
        real->instances.buckets = s->instances.buckets;
        real->instances.count = s->instances.count;
        real->instances.bucket_count = s->instances.bucket_count;
        out->need_bytes = atomic_load(&r->memory.counts.memory_peak_bytes);
        if (s->failures.first != NULL)
            status = sinter__failure_report(s->failures.first);
    }
    end(r);
    return status;
}

sinter_status sinter__stream_need(sinter_stream *s, sinter_memory_need *out)
{
    sinter__allocator *a = &s->ctx->allocator;
    out->held_bytes = out->need_bytes =
        atomic_load_explicit(&s->on->counts.memory_bytes, memory_order_relaxed);
    if (sinter__queue_length(&s->q) == 0)
        return SINTER_OK;
    rehearsal *r = sinter__alloc(a, sizeof *r);
    if (r == NULL)
        return SINTER_ENOMEM;
    sinter_status status = play(s, r, 0, out);
    /* With what was missing something else may be: until nothing is. */
    uint64_t missing = out->missing_bytes;
    sinter__failure *first = missing > 0 ? sinter__failure_create(a, status) : NULL;
    for (uint64_t more = missing; more > 0; missing += more) {
        sinter_memory_need next = {.operations = 0};
        *r = (rehearsal){.tensors = 0};
        (void)play(s, r, missing, &next);
        more = next.missing_bytes;
    }
    out->missing_bytes = missing;
    if (first != NULL)
        status = sinter__failure_report(first);
    sinter__failure_release(a, first);
    sinter__free(a, r, sizeof *r);
    return status;
}
