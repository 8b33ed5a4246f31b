/* Copies between devices. Event lists across devices are not safe (two of PoCL's in one process deadlock),
 * so the host orders them: it waits for the source before and for the copy afterwards. Both ends go
 * through queues of their own, which leaves the streams' queues to their work.
 *
 * What a device writes lies in slabs that nothing else writes, so the copy is not put into the stream's
 * pool: it lies in the transfer's, and the stream reads it as it reads what another stream has made. */
#include "executor/transfer.h"

#include <stdio.h>

#define PIECE_BYTES ((uint64_t)4 << 20) /* of staging memory, two of which take turns */

sinter_status sinter__transfer_init(sinter__transfer *t)
{
    if (pthread_mutex_init(&t->lock, NULL) != 0)
        return sinter__fail(SINTER_ENOMEM, "no memory for a lock");
    t->is_there = true;
    return SINTER_OK;
}

void sinter__transfer_rest(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    (void)pthread_mutex_lock(&t->lock);
    sinter__pool_orphan(t->pool);
    if (t->queue != NULL)
        on->backend->queue_release(on->state, t->queue);
    t->pool = NULL;
    t->queue = NULL;
    (void)pthread_mutex_unlock(&t->lock);
}

void sinter__transfer_finish(sinter__opened *on)
{
    if (!on->transfer.is_there)
        return;
    sinter__transfer_rest(on);
    (void)pthread_mutex_destroy(&on->transfer.lock);
}

/* One end of a copy: a device and where its bytes lie. */
typedef struct end {
    sinter__opened *on;
    sinter__address at;
    bool rests; /* the source: its slab may be mapped */
} end;

static sinter__address behind(const end *e, uint64_t bytes)
{
    sinter__address at = e->at;
    at.offset_bytes += bytes;
    return at;
}

static sinter_status make_queue(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    if (t->queue == NULL)
        SINTER_TRY(on->backend->queue_create(on->state, false, NULL, &t->queue));
    return t->pool != NULL ? SINTER_OK : sinter__pool_create(&on->memory, t->queue, &t->pool);
}

sinter_status sinter__transfer_read(sinter__opened *from, sinter__address at, void *data,
                                    uint64_t bytes)
{
    sinter__transfer *t = &from->transfer;
    (void)pthread_mutex_lock(&t->lock);
    sinter_status status = make_queue(from);
    if (status == SINTER_OK)
        status = from->backend->read(from->state, t->queue, at, data, bytes);
    (void)pthread_mutex_unlock(&t->lock);
    return status;
}

/* One copy: the host reads where the source lies. */
static sinter_status copy_mapped(const end *to, const end *from, uint64_t bytes)
{
    const sinter__backend *backend = from->on->backend;
    void *queue = from->on->transfer.queue;
    void *data = NULL;
    SINTER_TRY(backend->map(from->on->state, queue, from->at, bytes, false, &data));
    sinter_status status =
        to->on->backend->write(to->on->state, to->on->transfer.queue, to->at, data, bytes);
    if (status == SINTER_OK) /* until then the data are copied, and no more */
        status = to->on->backend->finish(to->on->state, to->on->transfer.queue);
    sinter_status given = backend->unmap(from->on->state, queue, from->at, data);
    if (given == SINTER_OK) /* what writes the slab next is on another queue */
        given = backend->finish(from->on->state, queue);
    return status != SINTER_OK ? status : given;
}

/* Piece by piece: while one is on its way to the device, the next is read. */
static sinter_status copy_staged(const end *to, const end *from, uint64_t bytes)
{
    sinter__opened *d = to->on;
    uint64_t piece = SINTER__MIN(bytes, PIECE_BYTES);
    size_t staged = (size_t)(bytes > piece ? 2 * piece : piece);
    char *staging = sinter__alloc(d->allocator, staged);
    sinter_status status = staging != NULL ? SINTER_OK : SINTER_ENOMEM;
    for (uint64_t at = 0, i = 0; at < bytes && status == SINTER_OK; at += piece, i++) {
        char *data = staging + (i % 2) * piece;
        uint64_t count = SINTER__MIN(piece, bytes - at);
        status = from->on->backend->read(from->on->state, from->on->transfer.queue,
                                         behind(from, at), data, count);
        if (status == SINTER_OK && i > 0) /* the other piece is free again */
            status = d->backend->finish(d->state, d->transfer.queue);
        if (status == SINTER_OK)
            status =
                d->backend->write_later(d->state, d->transfer.queue, behind(to, at), data, count);
        if (status == SINTER_OK)
            status = d->backend->flush(d->state, d->transfer.queue);
    }
    if (staging != NULL) { /* not before the device has let go of it */
        sinter_status last = d->backend->finish(d->state, d->transfer.queue);
        status = status != SINTER_OK ? status : last;
    }
    sinter__free(d->allocator, staging, staged);
    return status;
}

/* With both locks held. */
static sinter_status copy(const end *to, const end *from, uint64_t bytes, sinter__storage **out)
{
    end target = *to;
    SINTER_TRY(make_queue(from->on));
    SINTER_TRY(make_queue(to->on));
    SINTER_TRY(sinter__storage_create(to->on->transfer.pool, bytes, out));
    target.at = (*out)->address;
    sinter_status status = from->on->device.info.unified_memory != 0 && from->rests
                               ? copy_mapped(&target, from, bytes)
                               : copy_staged(&target, from, bytes);
    if (status != SINTER_OK) {
        sinter__storage_release(*out);
        *out = NULL;
    }
    return status;
}

/* Two threads that copy in opposite directions take the two locks in one order. */
static sinter_status copy_locked(const end *to, const end *from, uint64_t bytes,
                                 sinter__storage **out)
{
    bool to_first = to->on < from->on; /* both are of one array */
    sinter__transfer *first = to_first ? &to->on->transfer : &from->on->transfer;
    sinter__transfer *second = to_first ? &from->on->transfer : &to->on->transfer;
    (void)pthread_mutex_lock(&first->lock);
    (void)pthread_mutex_lock(&second->lock);
    sinter_status status = copy(to, from, bytes, out);
    (void)pthread_mutex_unlock(&second->lock);
    (void)pthread_mutex_unlock(&first->lock);
    return status;
}

sinter_status sinter__transfer_copy(sinter__opened *to, sinter__opened *from,
                                    const sinter__storage *source, sinter_dtype dtype,
                                    sinter__view *view, bool rests, sinter__storage **out)
{
    int64_t lowest;
    int64_t highest;
    *out = NULL;
    if (dtype == SINTER_F64 && !to->limits.has_f64)
        return sinter__fail(SINTER_EDTYPE, "the device %.80s has no f64", to->device.info.name);
    if (sinter__elements(view->rank, view->shape) == 0)
        return SINTER_OK; /* nothing lies anywhere */
    sinter__view_span(view, &lowest, &highest);
    uint64_t size = sinter_dtype_bytes(dtype);
    uint64_t bytes = (uint64_t)(highest - lowest + 1) * size;
    const end source_end = {.on = from, .at = source->address};
    const end from_end = {
        .on = from, .at = behind(&source_end, (uint64_t)lowest * size), .rests = rests};
    const end to_end = {.on = to};
    sinter_status status = copy_locked(&to_end, &from_end, bytes, out);
    if (status != SINTER_OK) {
        char where[80];
        (void)snprintf(where, sizeof where, "a copy from device %.24s to %.24s",
                       from->device.info.selector, to->device.info.selector);
        return sinter__fail_in(status, where);
    }
    view->offset -= lowest;
    atomic_fetch_add_explicit(&to->stats.device_copies, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&to->stats.device_copied_bytes, bytes, memory_order_relaxed);
    return SINTER_OK;
}
