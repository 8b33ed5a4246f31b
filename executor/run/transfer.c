/* Copies between devices. Event lists across devices are not safe (two of PoCL's in one process deadlock),
 * so the host orders them: it waits until a piece is read before it writes it, and for nothing else. At
 * either end a queue of its own leaves the streams' queues to their work. The queue at the source follows the
 * mark of the stream that has made the tensor; the stream that uses the copy follows the queue at the target.
 *
 * What a device writes lies in slabs that nothing else writes, so the copy is not put into the stream's
 * pool: it lies in the memory's pool of copies, and the stream reads it as it reads what another stream has made. */
#include "executor/run/transfer.h"

#include "executor/report/report.h"

#include <stdio.h>

#define PIECE_BYTES ((uint64_t)4 << 20) /* of staging memory, two of which take turns */
/* A device that fails may go on reading staging memory: this much is kept for it. */
#define DOUBTFUL_BYTES (4 * PIECE_BYTES)

/* Staging memory, until what reads it is known to be done. */
typedef struct sinter__staged {
    struct sinter__staged *next;
    uint64_t bytes;
    char data[];
} staged;

sinter_status sinter__transfer_init(sinter__transfer *t)
{
    if (pthread_mutex_init(&t->lock, NULL) != 0)
        return sinter__fail(SINTER_ENOMEM, "no memory for a lock");
    t->is_there = true;
    return SINTER_OK;
}

/* What has been written */

static void free_staged(sinter__allocator *a, staged *x)
{
    if (x != NULL)
        sinter__free(a, x, sizeof *x + (size_t)x->bytes);
}

static void free_all_staged(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    while (t->staged != NULL) {
        staged *x = t->staged;
        t->staged = x->next;
        free_staged(on->allocator, x);
    }
    t->staged_bytes = 0;
}

/* Nothing more is written in the flight, and its failure is known. */
static void leave_flight(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    if (t->flight != NULL)
        atomic_store_explicit(&t->flight->settled, true, memory_order_release);
    sinter__flight_release(on->allocator, t->flight);
    t->flight = NULL;
}

/* The device has done all that the queue has, and failed in it where `status` says so. With the lock held. */
static void settle(sinter__opened *on, sinter_status status)
{
    sinter__transfer *t = &on->transfer;
    if (status != SINTER_OK && t->mark != NULL)
        sinter__mark_fail(t->mark, status);
    if (t->flight != NULL && status == SINTER_OK)
        atomic_store_explicit(&t->flight->finished, t->written, memory_order_release);
    if (status != SINTER_OK) /* what is written from now on may be right */
        leave_flight(on);
    sinter__mark_release(t->mark);
    t->mark = NULL;
    if (status == SINTER_OK) /* else the device may still read it */
        free_all_staged(on);
}

/* Waits for all that the queue has. With the lock held. */
static sinter_status finish(sinter__opened *on)
{
    sinter_status status = on->backend->finish(on->state, on->transfer.queue);
    settle(on, status);
    return status;
}

/* Room for staging memory: none is kept that the device has done with, and not too much that it has not. */
static void settle_done(sinter__opened *on, uint64_t bytes)
{
    sinter__transfer *t = &on->transfer;
    bool done = false;
    if (t->mark == NULL)
        return;
    sinter_status status = on->backend->mark_done(on->state, t->mark->event, &done);
    if (status == SINTER_OK && done) {
        settle(on, SINTER_OK);
    } else if (
        status !=
        SINTER_OK) { /* whatever the wait says: who uses what has failed learns of it from the mark */
        (void)on->backend->finish(on->state, t->queue);
        settle(on, status);
    } else if (t->staged_bytes + bytes > 2 * PIECE_BYTES) {
        (void)finish(on);
    }
}

void sinter__transfer_rest(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    (void)pthread_mutex_lock(&t->lock);
    if (t->mark != NULL)
        (void)finish(on);
    sinter__memory_end_copies(&on->memory);
    if (t->queue != NULL)
        on->backend->queue_release(on->state, t->queue);
    free_all_staged(on);
    leave_flight(on);
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

/* With the lock held. */
static sinter_status make_queue(sinter__opened *on)
{
    sinter__transfer *t = &on->transfer;
    return t->queue != NULL ? SINTER_OK
                            : on->backend->queue_create(on->state, false, NULL, &t->queue);
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

/* What is to come */

void sinter__coming_end(sinter__coming *c)
{
    sinter__storage_release(c->source);
    sinter__mark_release(c->mark);
    sinter__free(c->to->allocator, c, sizeof *c);
}

sinter_status sinter__transfer_promise(sinter__opened *to, sinter__opened *from,
                                       sinter__storage *source, uint64_t offset_bytes,
                                       uint64_t bytes, sinter__mark *mark, sinter__storage **out)
{
    sinter__coming *c = sinter__alloc(to->allocator, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return SINTER_ENOMEM;
    *c = (sinter__coming){.from = from, .to = to, .offset_bytes = offset_bytes};
    sinter_status status = sinter__storage_promise(&to->memory, bytes, c, out);
    if (status != SINTER_OK) {
        sinter__coming_end(c);
        return status;
    }
    sinter__storage_retain(source);
    c->source = source;
    c->mark = mark != NULL ? sinter__mark_retain(mark) : NULL;
    return SINTER_OK;
}

SINTER__COLD static sinter_status name_copy(const sinter__coming *c, sinter_status status)
{
    char where[80];
    (void)snprintf(where, sizeof where, "a copy from device %.24s to %.24s",
                   c->from->device.info.selector, c->to->device.info.selector);
    return sinter__fail_in(status, where);
}

SINTER__COLD sinter_status sinter__transfer_rehearse(sinter__storage *storage)
{
    sinter_status status = sinter__storage_place(storage);
    return status == SINTER_OK ? status : name_copy(storage->coming, status);
}

sinter_status sinter__transfer_place(sinter__storage *storage)
{
    const sinter__coming *c = storage->coming;
    (void)pthread_mutex_lock(&c->to->transfer.lock);
    sinter_status status = make_queue(c->to);
    if (status == SINTER_OK) {
        sinter__pool_set_queue(storage->pool, c->to->transfer.queue);
        status = sinter__storage_place(storage);
    }
    if (storage->pool != sinter__memory_copies(&c->to->memory)) /* of before the last stream went */
        sinter__pool_set_queue(storage->pool, NULL);
    (void)pthread_mutex_unlock(&c->to->transfer.lock);
    return status == SINTER_OK ? status : name_copy(c, status);
}

/* The copy */

/* Piece by piece: while one is on its way to the device, the next is read. */
static sinter_status copy_pieces(const sinter__coming *c, const sinter__storage *storage,
                                 char *data, uint64_t piece)
{
    sinter__opened *from = c->from;
    sinter__opened *to = c->to;
    sinter__address source = c->source->address;
    sinter__address target = storage->address;
    source.offset_bytes += c->offset_bytes;
    for (uint64_t at = 0, i = 0; at < storage->bytes; at += piece, i++) {
        char *staging = data + (i % 2) * piece;
        uint64_t count = SINTER__MIN(piece, storage->bytes - at);
        SINTER_TRY(from->backend->read(from->state, from->transfer.queue, source, staging, count));
        if (i > 0) /* the other piece is free again */
            SINTER_TRY(to->backend->finish(to->state, to->transfer.queue));
        SINTER_TRY(to->backend->write_later(to->state, to->transfer.queue, target, staging, count));
        SINTER_TRY(to->backend->flush(to->state, to->transfer.queue));
        source.offset_bytes += count;
        target.offset_bytes += count;
    }
    return SINTER_OK;
}

/* Through the host's memory. */
static sinter_status copy_staged(const sinter__coming *c, const sinter__storage *storage)
{
    sinter__transfer *t = &c->to->transfer;
    uint64_t piece = SINTER__MIN(storage->bytes, PIECE_BYTES);
    uint64_t bytes = storage->bytes > piece ? 2 * piece : piece;
    settle_done(c->to, bytes);
    if (t->staged_bytes > DOUBTFUL_BYTES)
        return sinter__fail(SINTER_EDEVICE,
                            "the device has not let go of %llu bytes that it was sent",
                            (unsigned long long)t->staged_bytes);
    staged *x = sinter__alloc(c->to->allocator, sizeof *x + (size_t)bytes);
    if (x == NULL)
        return SINTER_ENOMEM;
    x->bytes = bytes;
    x->next = t->staged;
    t->staged = x;
    t->staged_bytes += bytes;
    return copy_pieces(c, storage, x->data, piece);
}

/* One copy: the host reads where the source lies. */
static sinter_status copy_mapped(const sinter__coming *c, const sinter__storage *storage)
{
    sinter__opened *from = c->from;
    sinter__opened *to = c->to;
    void *queue = from->transfer.queue;
    sinter__address source = c->source->address;
    void *data = NULL;
    source.offset_bytes += c->offset_bytes;
    SINTER_TRY(from->backend->map(from->state, queue, source, storage->bytes, false, &data));
    sinter_status status =
        to->backend->write(to->state, to->transfer.queue, storage->address, data, storage->bytes);
    sinter_status given = from->backend->unmap(from->state, queue, source, data);
    if (given == SINTER_OK) /* what writes the slab next is on another queue */
        given = from->backend->finish(from->state, queue);
    return status != SINTER_OK ? status : given;
}

/* The stream that writes the slab of the source, with its lock, if it has launched nothing after the source
 * and so nothing is written there while it is mapped; NULL: it has, or is in a call. A lock that is only tried makes
 * nobody wait for two. With the lock of `s`. */
static sinter_stream *rest_home(const sinter_stream *s, const sinter__coming *c)
{
    sinter_context *ctx = s->ctx;
    (void)pthread_mutex_lock(&ctx->lock);
    sinter_stream *home = sinter__pool_owner(c->source->pool);
    if (home != NULL)
        home->users++;
    (void)pthread_mutex_unlock(&ctx->lock);
    if (home == NULL)
        return NULL;
    if (pthread_mutex_trylock(&home->lock) == 0) {
        bool is_its = c->mark != NULL && c->mark->flight->pool == c->source->pool;
        uint64_t launched = is_its ? c->mark->launched : home->progress.finished;
        if (home->progress.launched == launched && home->mapped == NULL && home->lent == NULL)
            return home;
        sinter__home_unlock(ctx, home);
        return NULL;
    }
    sinter__home_leave(ctx, home);
    return NULL;
}

/* Whether a copy is worth a mapping: a single piece is copied with one wait, a mapping takes three. */
static bool may_be_mapped(const sinter__coming *c, uint64_t bytes)
{
    return bytes > PIECE_BYTES && c->from->device.info.unified_memory != 0 &&
           c->from->memory.mode == SINTER_MEMORY_POOL && c->source->theirs == NULL;
}

/* A mark behind all that the queue at the target has; NULL: it is done. Fails with what it has failed with. */
static sinter_status mark_target(sinter__opened *to, const sinter__storage *storage,
                                 sinter__mark **out)
{
    sinter__transfer *t = &to->transfer;
    *out = NULL;
    /* That of before the device rested, or one that failed: its failure belongs to the copies before this one, and who
     * follows them meets it. */
    if (t->flight != NULL &&
        (t->flight->pool != storage->pool || atomic_load(&t->flight->failure) != NULL))
        leave_flight(to);
    if (t->flight == NULL)
        t->flight = sinter__flight_create(to->allocator, storage->pool, t->written - 1);
    sinter__mark *mark = sinter__mark_create(to, t->queue, t->written, t->flight, 0);
    if (mark == NULL) {
        sinter__clear_error();
        return finish(to);
    }
    sinter__mark_release(t->mark);
    t->mark = mark;
    *out = sinter__mark_retain(mark);
    return SINTER_OK;
}

/* With both locks held. `rests`: nothing writes the slab of the source. */
static sinter_status copy(const sinter__coming *c, sinter__storage *storage, bool rests,
                          sinter__mark **out)
{
    sinter__opened *from = c->from;
    const sinter__failure *failure = c->mark != NULL ? sinter__mark_failure(c->mark) : NULL;
    if (failure != NULL)
        return sinter__failure_report(failure);
    SINTER_TRY(make_queue(from));
    SINTER_TRY(make_queue(c->to));
    if (c->mark != NULL)
        SINTER_TRY(from->backend->follow(from->state, from->transfer.queue, c->mark->event));
    /* counted when it is launched: room for it may be made before, which finds the earlier ones done */
    storage->written = c->to->transfer.written + 1;
    sinter_status status = rests ? copy_mapped(c, storage) : copy_staged(c, storage);
    c->to->transfer.written = storage->written;
    if (status == SINTER_OK)
        status = mark_target(c->to, storage, out);
    else /* the device lets go of the staging memory */
        (void)finish(c->to);
    failure = c->mark != NULL ? sinter__mark_failure(c->mark) : NULL;
    return failure != NULL ? sinter__failure_report(failure) : status;
}

/* Two threads that copy in opposite directions take the two locks in one order. */
static sinter_status copy_locked(const sinter_stream *s, const sinter__coming *c,
                                 sinter__storage *storage, sinter__mark **out)
{
    sinter_stream *home = may_be_mapped(c, storage->bytes) ? rest_home(s, c) : NULL;
    bool to_first = c->to < c->from; /* both are of one array */
    sinter__transfer *first = to_first ? &c->to->transfer : &c->from->transfer;
    sinter__transfer *second = to_first ? &c->from->transfer : &c->to->transfer;
    (void)pthread_mutex_lock(&first->lock);
    (void)pthread_mutex_lock(&second->lock);
    sinter_status status = copy(c, storage, home != NULL, out);
    (void)pthread_mutex_unlock(&second->lock);
    (void)pthread_mutex_unlock(&first->lock);
    if (home != NULL)
        sinter__home_unlock(s->ctx, home);
    return status;
}

/* What `s` launches comes after the mark, or the host waits for it. */
static sinter_status follow(sinter_stream *s, sinter__mark *mark)
{
    if (sinter__edge_follow(s, mark) == SINTER_OK)
        return SINTER_OK;
    (void)pthread_mutex_lock(&s->on->transfer.lock);
    sinter_status status = finish(s->on);
    (void)pthread_mutex_unlock(&s->on->transfer.lock);
    return status;
}

/* The report, the log and a trace are told, by the host's clock. */
static void tell(sinter_stream *s, const sinter__coming *c, uint64_t bytes, uint64_t start_ns)
{
    char detail[80];
    (void)snprintf(detail, sizeof detail, "from device %.24s to %.24s",
                   c->from->device.info.selector, c->to->device.info.selector);
    if (s->report != NULL || sinter__logs(s->on->log, SINTER__LOG_LAUNCH))
        sinter__report_line(s, SINTER__LOG_LAUNCH, "copy %s: %llu bytes, all read after %llu ns",
                            detail, (unsigned long long)bytes,
                            (unsigned long long)(sinter__now_ns() - start_ns));
    if (s->on->trace != NULL)
        sinter__trace_end(s->on->trace, s->queue, SINTER_TRACE_COPY, "copy", detail, start_ns,
                          bytes);
}

sinter_status sinter__transfer_bring(sinter_stream *s, sinter__storage *storage)
{
    sinter__coming *c = storage->coming;
    sinter__mark *mark = NULL;
    uint64_t start_ns = sinter__now_ns();
    (void)s->on->backend->flush(s->on->state, s->queue);
    sinter_status status = copy_locked(s, c, storage, &mark);
    if (status == SINTER_OK && mark != NULL)
        status = follow(s, mark);
    sinter__mark_release(mark);
    if (status != SINTER_OK)
        return name_copy(c, status);
    atomic_fetch_add_explicit(&s->on->stats.device_copies, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->on->stats.device_copied_bytes, storage->bytes,
                              memory_order_relaxed);
    tell(s, c, storage->bytes, start_ns);
    storage->coming = NULL;
    sinter__coming_end(c);
    return SINTER_OK;
}
