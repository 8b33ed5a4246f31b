/* Tensors in the host's hands: mapped, used through a pointer, unmapped. And in the hands of the caller's own
 * commands for the device, which is the same without a pointer and without a wait.
 *
 * OpenCL leaves a kernel undefined that writes a buffer of which any part is mapped, or that reads one
 * mapped for writing, and a buffer here is a slab with many tensors in it. So a stream with a mapped
 * tensor rests: whatever would give its queue a command is refused until all are unmapped. A tensor that
 * lies in a buffer of the caller's has it for itself, so that it alone goes when it is handed over. */
#include "sinter/tensor.h"

#include "executor/queue/apply.h"

struct sinter__mapping {
    sinter__mapping *next;
    sinter__slot *slot;
    void *data; /* NULL: no bytes */
    uint64_t bytes;
    sinter__address at;
    bool writes;
    bool is_copy;             /* on the host: the device does not share its memory */
    bool is_handed;           /* to the caller's commands: there is no pointer */
    sinter__storage *storage; /* handed over: a reference, which a late failure does not take */
};

sinter__mapping *sinter__mapping_of(const sinter_stream *s, const sinter__slot *slot)
{
    sinter__mapping *m = s->mapped;
    while (m != NULL && m->slot != slot)
        m = m->next;
    if (m != NULL)
        return m;
    for (m = s->lent; m != NULL && m->slot != slot;)
        m = m->next;
    return m;
}

/* The stream goes on when what lies in a buffer of the caller's is handed over. */
static sinter__mapping **list_of(sinter_stream *s, const sinter__mapping *m)
{
    return m->storage != NULL && m->storage->theirs != NULL ? &s->lent : &s->mapped;
}

SINTER__COLD static sinter_status refuse(const sinter_stream *s, const sinter__mapping *m)
{
    return sinter__fail(SINTER_EBUSY, "handle %#llx of stream %u is %s",
                        (unsigned long long)sinter__slot_handle(s->ctx, m->slot).id, s->number,
                        m->is_handed ? "handed over" : "mapped");
}

SINTER__COLD sinter_status sinter__stream_busy(const sinter_stream *s, const char *where)
{
    return sinter__fail_in(refuse(s, s->mapped), where);
}

SINTER__COLD sinter_status sinter__mapping_away(uint64_t handle)
{
    return sinter__fail(SINTER_EBUSY, "the memory is handed over, by handle %#llx",
                        (unsigned long long)handle);
}

SINTER__COLD sinter_status sinter__mapping_keeps(const sinter_stream *s, const sinter__slot *slot,
                                                 bool unmaps)
{
    const sinter__mapping *m = slot->references == 1 ? sinter__mapping_of(s, slot) : NULL;
    return m == NULL || (unmaps && !m->is_handed) ? SINTER_OK : refuse(s, m);
}

/* The pointer for a mapping of which the rest is known. */
static sinter_status take_pointer(sinter_stream *s, sinter__mapping *m)
{
    sinter__opened *on = s->on;
    if (m->bytes == 0)
        return SINTER_OK;
    if (!m->is_copy)
        return on->backend->map(on->state, s->queue, m->at, m->bytes, m->writes, &m->data);
    m->data = sinter__alloc(on->allocator, (size_t)m->bytes);
    if (m->data == NULL)
        return SINTER_ENOMEM;
    sinter_status status = on->backend->read(on->state, s->queue, m->at, m->data, m->bytes);
    if (status != SINTER_OK)
        sinter__free(on->allocator, m->data, (size_t)m->bytes);
    return status;
}

/* The elements of a slot that is packed. */
static void find_place(const sinter__slot *slot, sinter__address *at, uint64_t *bytes)
{
    const sinter__view *view = &slot->view;
    int64_t size = (int64_t)sinter_dtype_bytes((sinter_dtype)slot->dtype);
    *bytes = (uint64_t)(sinter__elements(view->rank, view->shape) * size);
    *at = (sinter__address){0};
    if (slot->storage != NULL) { /* without elements there may be none */
        *at = slot->storage->address;
        at->offset_bytes += (uint64_t)(view->offset * size);
    }
}

/* In what lies in another's pool `written` counts that one's launches. */
static void note_written(sinter_stream *s, sinter__storage *storage)
{
    s->progress.launched++;
    if (storage != NULL && storage->pool == s->pool)
        storage->written = s->progress.launched;
}

/* What lies in a slab that another stream writes, and does not rest for this one, is copied to a slab of its
 * own stream's. The handle stays, and so do others that look at where it lay. */
static sinter_status bring_home(sinter_stream *s, sinter__slot *slot)
{
    const sinter__borrowed from = {.slot = slot,
                                   .dtype = (sinter_dtype)slot->dtype,
                                   .view = slot->view,
                                   .storage = slot->storage};
    sinter__slot *copy;
    if (s->mapped != NULL)
        return sinter__stream_busy(s, "it lies in memory of another stream");
    SINTER_TRY(sinter__apply_copy(s, &from, &copy));
    sinter__stream_cut(s, SINTER__CUT_READ);
    sinter_status status = SINTER_OK;
    if (copy->failure != NULL) {
        status = sinter__stream_report(s, copy->failure);
    } else {
        sinter__storage *storage = slot->storage;
        slot->storage = copy->storage;
        slot->view = copy->view;
        copy->storage = storage;
    }
    sinter__slot_release(s, copy);
    return status;
}

static void add_mapping(sinter_stream *s, sinter__mapping *m)
{
    sinter__mapping **list = list_of(s, m);
    m->next = *list;
    *list = m;
}

static sinter_status start_mapping(sinter_stream *s, sinter__slot *slot, bool writes,
                                   sinter__mapping **out)
{
    sinter__opened *on = s->on;
    sinter__mapping *m = sinter__alloc(on->allocator, sizeof *m);
    if (m == NULL)
        return SINTER_ENOMEM;
    *m = (sinter__mapping){
        .slot = slot, .writes = writes, .is_copy = on->device.info.unified_memory == 0};
    find_place(slot, &m->at, &m->bytes);
    sinter__storage *storage = slot->storage; /* a late failure takes it from the slot */
    if (storage != NULL)
        sinter__storage_retain(storage);
    sinter_status taken = take_pointer(s, m);
    sinter_status status = m->bytes > 0 ? sinter__stream_waited(s, taken) : taken;
    if (status != SINTER_OK && taken == SINTER_OK && m->data != NULL) {
        if (m->is_copy)
            sinter__free(on->allocator, m->data, (size_t)m->bytes);
        else
            (void)on->backend->unmap(on->state, s->queue, m->at, m->data);
    }
    sinter__storage_release(storage);
    if (status != SINTER_OK) {
        sinter__free(on->allocator, m, sizeof *m);
        return status;
    }
    atomic_fetch_add_explicit(&on->stats.mapped_bytes, m->bytes, memory_order_relaxed);
    if (m->is_copy)
        atomic_fetch_add_explicit(&on->stats.map_copied_bytes, m->bytes, memory_order_relaxed);
    add_mapping(s, m);
    *out = m;
    return SINTER_OK;
}

static unsigned count_users(const sinter__slot *slot)
{
    return slot->storage != NULL ? atomic_load(&slot->storage->references) : 1;
}

static sinter_status find_own(sinter_stream *s, sinter_tensor t, sinter__slot **out)
{
    SINTER_TRY(sinter__slot_find(s->ctx, t, out));
    if (atomic_load_explicit(&(*out)->home, memory_order_relaxed) == s)
        return SINTER_OK;
    return sinter__fail(SINTER_EINVAL, "handle %#llx is of another stream",
                        (unsigned long long)t.id);
}

/* Makes a tensor ready to be in other hands: *out has a value then, packed, and for writing its memory is
 * its own. */
static sinter_status make_ready(sinter_stream *s, sinter_tensor t, sinter_map_access access,
                                sinter__slot **out)
{
    SINTER_TRY(find_own(s, t, out));
    sinter__slot *slot = *out;
    const sinter__mapping *m = sinter__mapping_of(s, slot);
    if (m != NULL)
        return refuse(s, m);
    SINTER_TRY(sinter__slot_here(slot));
    if (sinter__queue_length(&s->q) > 0) /* none does while the stream rests */
        sinter__stream_cut(s, SINTER__CUT_READ);
    if (slot->failure != NULL)
        return sinter__stream_report(s, slot->failure);
    if (!sinter__view_is_packed(&slot->view))
        return sinter__fail(SINTER_EUNSUPPORTED, "the tensor is a view that is not packed");
    if (access == SINTER_MAP_WRITE && slot->storage != NULL && !slot->storage->is_writable)
        return sinter__fail(SINTER_EINVAL, "the caller's buffer was given to be read only");
    bool writes = access == SINTER_MAP_WRITE;
    if (writes && count_users(slot) > 1 && slot->storage->pool != s->pool) {
        (void)sinter__stream_finish(s); /* until then the stream holds what it has read there */
        if (slot->failure != NULL)
            return sinter__stream_report(s, slot->failure);
    }
    unsigned users = count_users(slot);
    if (writes && users > 1)
        return sinter__fail(SINTER_EBUSY, "%u others share the tensor's memory", users - 1);
    if (slot->storage != NULL && slot->storage->pool != s->pool &&
        sinter__storage_is_beside(slot->storage))
        return bring_home(s, slot);
    return SINTER_OK;
}

static sinter_status map_locked(sinter_stream *s, sinter_tensor t, sinter_map_access access,
                                sinter__mapping **out)
{
    sinter__slot *slot;
    SINTER_TRY(make_ready(s, t, access, &slot));
    return start_mapping(s, slot, access == SINTER_MAP_WRITE, out);
}

SINTER__COLD sinter_status sinter_tensor_map(sinter_stream *s, sinter_tensor t,
                                             sinter_map_access access, void **data, size_t *bytes)
{
    sinter__clear_error();
    sinter__mapping *m = NULL;
    if (data != NULL)
        *data = NULL;
    if (bytes != NULL)
        *bytes = 0;
    if (s == NULL || data == NULL || bytes == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_map: an argument is NULL");
    if (access != SINTER_MAP_READ && access != SINTER_MAP_WRITE)
        return sinter__fail(SINTER_EINVAL, "tensor_map: %d is no access", (int)access);
    SINTER_TRY(sinter__call_begin(s, "tensor_map"));
    sinter_status status = map_locked(s, t, access, &m);
    if (m != NULL) {
        *data = m->data;
        *bytes = (size_t)m->bytes;
    }
    sinter__call_end(s);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "tensor_map");
    sinter__clear_error();
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter__mapping_end(sinter_stream *s, sinter__mapping *m)
{
    sinter__opened *on = s->on;
    sinter_status status = SINTER_OK;
    sinter__mapping **link = list_of(s, m);
    while (*link != NULL && *link != m)
        link = &(*link)->next;
    *link = m->next;
    if (m->data != NULL && !m->is_copy)
        status = on->backend->unmap(on->state, s->queue, m->at, m->data);
    if (m->data != NULL && m->is_copy) {
        if (m->writes)
            status = on->backend->write(on->state, s->queue, m->at, m->data, m->bytes);
        sinter__free(on->allocator, m->data, (size_t)m->bytes);
    }
    /* Others wait for what was written, by the caller's commands too, as for a launch. */
    if (m->is_handed || (m->data != NULL && m->writes))
        note_written(s, m->slot->storage);
    if (m->storage != NULL)
        atomic_store(&m->storage->away, 0);
    sinter__storage_release(m->storage);
    sinter__free(on->allocator, m, sizeof *m);
    return status;
}

SINTER__COLD sinter_status sinter_tensor_unmap(sinter_stream *s, sinter_tensor t)
{
    sinter__clear_error();
    sinter__slot *slot;
    sinter__mapping *m = NULL;
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_unmap: the stream is NULL");
    SINTER_TRY(sinter__call_begin(s, "tensor_unmap"));
    sinter_status status = sinter__slot_find(s->ctx, t, &slot);
    if (status == SINTER_OK) {
        m = sinter__mapping_of(s, slot);
        status = m != NULL && !m->is_handed
                     ? sinter__mapping_end(s, m)
                     : sinter__fail(SINTER_EINVAL, "the tensor is not mapped");
    }
    sinter__call_end(s);
    return status == SINTER_OK ? status : sinter__fail_in(status, "tensor_unmap");
}

/* In the hands of the caller's commands */

SINTER__COLD sinter_status sinter__mapping_hand_over(sinter_stream *s, sinter_tensor t,
                                                     sinter_map_access access, bool wants_event,
                                                     sinter__address *at, uint64_t *bytes,
                                                     sinter__handed *out)
{
    sinter__slot *slot;
    sinter__allocator *a = &s->ctx->allocator;
    SINTER_TRY(make_ready(s, t, access, &slot));
    find_place(slot, at, bytes);
    sinter__mapping *m = sinter__alloc(a, sizeof *m);
    if (m == NULL)
        return SINTER_ENOMEM;
    sinter_status status =
        s->on->backend->hand_over(s->on->state, s->queue, at->memory, wants_event, out);
    if (status != SINTER_OK) {
        sinter__free(a, m, sizeof *m);
        return status;
    }
    *m = (sinter__mapping){.slot = slot, .is_handed = true, .storage = slot->storage};
    if (m->storage != NULL)
        sinter__storage_retain(m->storage);
    if (list_of(s, m) == &s->lent) /* else the stream rests */
        atomic_store(&m->storage->away, t.id);
    add_mapping(s, m);
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter__mapping_take_back(sinter_stream *s, sinter_tensor t, void *event)
{
    sinter__slot *slot;
    SINTER_TRY(find_own(s, t, &slot));
    sinter__mapping *m = sinter__mapping_of(s, slot);
    if (m == NULL && sinter__slot_here(slot) != SINTER_OK)
        return SINTER_EINVAL; /* by another handle: the text names it */
    if (m == NULL || !m->is_handed)
        return sinter__fail(SINTER_EINVAL, "handle %#llx is not handed over",
                            (unsigned long long)t.id);
    if (event != NULL)
        SINTER_TRY(s->on->backend->await(s->on->state, s->queue, event));
    return sinter__mapping_end(s, m);
}
