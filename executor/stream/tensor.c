/* Tensors from host memory and back, and who holds them. */
#include "sinter/tensor.h"

#include "executor/queue/apply.h"
#include "executor/run/transfer.h"

/* `data` NULL: nothing is written. */
static sinter_status upload(sinter_stream *s, sinter_dtype dtype, const sinter__view *view,
                            const void *data, sinter_tensor *out)
{
    sinter__slot *slot;
    sinter__storage *storage;
    sinter__opened *on = s->on;
    int64_t bytes = sinter__elements(view->rank, view->shape) * (int64_t)sinter_dtype_bytes(dtype);
    sinter_tensor handle;
    sinter_status status =
        sinter__storage_create(s->pool, (uint64_t)SINTER__MAX(bytes, (int64_t)1), &storage);
    if (status == SINTER_OK && bytes > 0 && data != NULL) {
        status = on->backend->write(on->state, s->queue, storage->address, data, (uint64_t)bytes);
        if (status == SINTER_OK) /* the data are copied: the device may not have them yet */
            storage->written = ++s->progress.launched;
    }
    if (status == SINTER_OK)
        status = sinter__slot_open(s, &slot, &handle);
    if (status != SINTER_OK) {
        sinter__stream_doubt(s, status);
        sinter__storage_release(storage);
        return status;
    }
    slot->dtype = (uint8_t)dtype;
    slot->view = *view;
    slot->storage = storage;
    *out = handle;
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_tensor_from_host(sinter_stream *s, sinter_dtype dtype, int rank,
                                                   const int64_t *shape, const void *data,
                                                   sinter_tensor *out)
{
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (s == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_from_host: an argument is NULL");
    if (!sinter__dtype_valid(dtype))
        return sinter__fail(SINTER_EDTYPE, "tensor_from_host: %d is no dtype", (int)dtype);
    if (dtype == SINTER_F64 && !s->on->limits.has_f64)
        return sinter__fail(SINTER_EDTYPE, "tensor_from_host: the device %.80s has no f64",
                            s->on->device.info.name);
    SINTER_TRY(sinter__check_shape("tensor_from_host", dtype, rank, shape));
    sinter__view view = sinter__view_packed(rank, shape);
    if (data == NULL && !sinter__is_empty(rank, view.shape))
        return sinter__fail(SINTER_EINVAL, "tensor_from_host: the data are NULL");
    SINTER_TRY(sinter__call_begin(s, "tensor_from_host"));
    sinter_status status = s->mapped != NULL ? sinter__stream_busy(s, "an upload")
                                             : upload(s, dtype, &view, data, out);
    sinter__call_end(s);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "tensor_from_host");
    sinter__clear_error(); /* of what was tried first */
    return status;
}

SINTER__COLD sinter_status sinter__tensor_empty(sinter_stream *s, sinter_dtype dtype, int rank,
                                                const int64_t *shape, sinter_tensor *out)
{
    sinter__view view = sinter__view_packed(rank, shape);
    SINTER_TRY(sinter__check_shape("tensor_empty", dtype, rank, shape));
    SINTER_TRY(sinter__call_begin(s, "tensor_empty"));
    sinter_status status = s->mapped != NULL ? sinter__stream_busy(s, "an upload")
                                             : upload(s, dtype, &view, NULL, out);
    sinter__call_end(s);
    return status;
}

/* Reads what lies packed at a place of memory. */
SINTER__COLD static sinter_status download(sinter_stream *s, const sinter__storage *storage,
                                           int64_t offset_bytes, void *data, size_t bytes)
{
    sinter__opened *on = s->on;
    if (bytes == 0)
        return SINTER_OK;
    sinter__address from = storage->address;
    from.offset_bytes += (uint64_t)offset_bytes;
    sinter__opened *device = sinter__device_of(s, storage);
    if (device != on) /* what the stream has launched is not known to be done then */
        return sinter__transfer_read(device, from, data, bytes);
    sinter_status status = on->backend->read(on->state, s->queue, from, data, bytes);
    return sinter__stream_waited(s, status);
}

static sinter_status read_slot(sinter_stream *s, const sinter__borrowed *b, void *data,
                               size_t bytes)
{
    sinter__storage *storage = b->slot != NULL ? b->slot->storage : b->storage;
    sinter__failure *failure = b->slot != NULL ? b->slot->failure : b->failure;
    const sinter__view *view = b->slot != NULL ? &b->slot->view : &b->view;
    if (failure != NULL)
        return sinter__stream_report(s, failure);
    if (sinter__view_is_packed(view))
        return download(s, storage, view->offset * (int64_t)sinter_dtype_bytes(b->dtype), data,
                        bytes);
    sinter__slot *copy;
    SINTER_TRY(sinter__apply_copy(s, b, &copy));
    sinter__stream_cut(s, SINTER__CUT_READ);
    sinter_status status = copy->failure != NULL ? sinter__stream_report(s, copy->failure)
                                                 : download(s, copy->storage, 0, data, bytes);
    sinter__slot_release(s, copy);
    return status;
}

static sinter_status read_locked(sinter_stream *s, sinter__borrowed *b, void *data, size_t bytes)
{
    const sinter__view *view = b->slot != NULL ? &b->slot->view : &b->view;
    size_t need = (size_t)sinter__elements(view->rank, view->shape) * sinter_dtype_bytes(b->dtype);
    if (bytes != need)
        return sinter__fail(SINTER_ERANGE, "tensor_read: the tensor has %zu bytes, the place %zu",
                            need, bytes);
    if (b->slot != NULL && sinter__slot_here(b->slot) != SINTER_OK)
        return sinter__fail_in(SINTER_EBUSY, "tensor_read");
    if (b->slot != NULL && b->slot->pending)
        sinter__stream_cut(s, SINTER__CUT_READ);
    return read_slot(s, b, data, bytes);
}

SINTER__COLD sinter_status sinter_tensor_read(sinter_stream *s, sinter_tensor t, void *data,
                                              size_t bytes)
{
    sinter__clear_error();
    sinter__borrowed b;
    if (s == NULL || (data == NULL && bytes > 0))
        return sinter__fail(SINTER_EINVAL, "tensor_read: an argument is NULL");
    SINTER_TRY(sinter__call_begin(s, "tensor_read"));
    sinter_status status = sinter__borrow(s, t, true, &b);
    if (status != SINTER_OK) {
        sinter__call_end(s);
        return sinter__fail_in(status, "tensor_read");
    }
    if (s->mapped != NULL)
        status = sinter__stream_busy(s, "tensor_read");
    if (status == SINTER_OK)
        status = read_locked(s, &b, data, bytes);
    sinter__call_end(s);
    sinter__borrow_end(s, &b);
    if (status == SINTER_OK)
        sinter__clear_error();
    return status;
}

SINTER__COLD sinter_status sinter_tensor_to(sinter_stream *s, sinter_tensor t, sinter_tensor *out)
{
    static const int none[1] = {0};
    const sinter__attrs attrs = sinter__attrs_of_axes(0, none, false);
    const sinter__operand operand = {.tensor = t};
    sinter_status status = sinter__apply(s, SINTER__OP_FLIP, 1, &operand, &attrs, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "tensor_to");
}

sinter_status sinter_tensor_retain(sinter_context *ctx, sinter_tensor t)
{
    sinter__clear_error();
    sinter__slot *slot;
    sinter_stream *home;
    if (ctx == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_retain: the context is NULL");
    SINTER_TRY(sinter__home_lock(ctx, t, &slot, &home));
    sinter_status status = SINTER_OK;
    if (slot->references == UINT32_MAX)
        status = sinter__fail(SINTER_ERANGE, "tensor_retain: %u references", slot->references);
    else
        slot->references++;
    sinter__home_unlock(ctx, home);
    return status;
}

/* A tensor without a home: the context's lock guards it. The handle is dead before the lock is given
 * back, the slot goes after it. */
static void release_homeless(sinter_context *ctx, sinter__slot *slot)
{
    bool last = --slot->references == 0;
    if (last)
        atomic_store_explicit(&slot->generation, 0, memory_order_release);
    sinter__home_unlock(ctx, NULL);
    if (last)
        sinter__slot_destroy(ctx, NULL, slot);
}

static sinter_status may_release(const sinter_stream *home, const sinter__slot *slot)
{
    bool in_hands = home->mapped != NULL || home->lent != NULL;
    return in_hands ? sinter__mapping_keeps(home, slot, false) : SINTER_OK;
}

/* With the lock held. False: the tensor is at home elsewhere. */
static bool release_here(sinter_stream *s, sinter_tensor t, sinter_status *status)
{
    sinter__slot *slot = sinter__slot_own(s, t);
    if (slot == NULL)
        return false;
    *status = may_release(s, slot);
    if (*status == SINTER_OK)
        sinter__slot_release(s, slot);
    return true;
}

/* No stream's lock is held. */
static sinter_status release_anywhere(sinter_context *ctx, sinter_tensor t)
{
    sinter__slot *slot;
    sinter_stream *home;
    SINTER_TRY(sinter__home_lock(ctx, t, &slot, &home));
    if (home == NULL) {
        release_homeless(ctx, slot);
        return SINTER_OK;
    }
    sinter_status status = may_release(home, slot);
    if (status == SINTER_OK && slot->epoch == home->epoch && slot->references == 1)
        sinter__slot_defer(home, slot);
    else if (status == SINTER_OK)
        sinter__slot_release(home, slot);
    sinter__home_unlock(ctx, home);
    return status;
}

/* On the caller's stream. Of a tensor that is at home there nothing but the stream's lock is needed, because a
 * stream stays the home of what it made until the caller destroys it. */
static sinter_status release(sinter_stream *s, sinter_tensor t)
{
    sinter_status status;
    SINTER_TRY(sinter__call_begin(s, "tensor_release"));
    bool own = release_here(s, t, &status);
    sinter__call_end(s);
    if (!own)
        status = release_anywhere(s->ctx, t);
    return status == SINTER_OK ? status : sinter__fail_in(status, "tensor_release");
}

void sinter__release_quietly(sinter_stream *s, sinter_tensor t)
{
    if (t.id != 0)
        (void)release(s, t);
}

void sinter__release_within(sinter_stream *s, sinter_tensor t)
{
    sinter_status status;
    if (t.id == 0 || release_here(s, t, &status))
        return;
    (void)pthread_mutex_unlock(&s->lock);
    (void)release_anywhere(s->ctx, t);
    (void)pthread_mutex_lock(&s->lock);
}

sinter_status sinter_tensor_release(sinter_stream *s, sinter_tensor t)
{
    sinter__clear_error();
    if (t.id == 0)
        return SINTER_OK;
    sinter_context *ctx = s != NULL ? s->ctx : sinter__context_of(t);
    if (ctx == NULL)
        return sinter__fail(SINTER_EHANDLE, "tensor_release: handle %#llx is of no live context",
                            (unsigned long long)t.id);
    if (s != NULL)
        return release(s, t);
    sinter_status status = release_anywhere(ctx, t);
    return status == SINTER_OK ? status : sinter__fail_in(status, "tensor_release");
}

void sinter__slot_describe(const sinter__slot *slot, sinter_tensor_desc *out)
{
    *out = (sinter_tensor_desc){.dtype = (sinter_dtype)slot->dtype, .rank = slot->view.rank};
    for (int i = 0; i < slot->view.rank; i++)
        out->shape[i] = slot->view.shape[i];
}

bool sinter__describe_own(sinter_stream *s, sinter_tensor t, sinter_tensor_desc *out)
{
    const sinter__slot *slot = sinter__slot_own(s, t);
    if (slot != NULL)
        sinter__slot_describe(slot, out);
    return slot != NULL;
}

SINTER__COLD sinter_status sinter_tensor_describe(sinter_context *ctx, sinter_tensor t,
                                                  sinter_tensor_desc *out)
{
    sinter__clear_error();
    sinter__slot *slot;
    sinter_stream *home;
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_describe: an argument is NULL");
    SINTER_TRY(sinter__home_lock(ctx, t, &slot, &home));
    sinter__slot_describe(slot, out);
    sinter__home_unlock(ctx, home);
    return SINTER_OK;
}
