/* Streams: making and ending them, waiting, scopes. */
#include "core/sized.h"
#include "executor/context/held.h"
#include "executor/queue/formula.h"
#include "executor/report/report.h"
#include "executor/run/instance.h"
#include "executor/run/pace.h"
#include "executor/run/transfer.h"
#include "sinter/stream.h"

#include <string.h>
#include <time.h>

#define DEFAULT_OPERATIONS 4096
#define TINY_OPERATIONS 8
/* Pending results: what could be held of them has to fit, so a part of the device's memory; of a small one no less than
 * this, since what is planned with a budget is cut by that. */
#define PENDING_PART 4
#define LEAST_PENDING_BYTES ((uint64_t)256 << 20)
#define FIRST_PAUSE_NS ((uint64_t)20000)
#define LAST_PAUSE_NS ((uint64_t)1000000)
#define READING_LOOKS 64
#define BUDGET_SHARE 4 /* of a budget, for what only a stream's queue holds */

void sinter__stream_fail(sinter_stream *s, sinter__failure *failure)
{
    if (s->failures.first != NULL)
        return;
    sinter__failure_retain(failure);
    s->failures.first = failure;
}

sinter_status sinter__stream_report(sinter_stream *s, sinter__failure *failure)
{
    sinter_status status = sinter__failure_report(failure);
    if (s->failures.first == failure) {
        sinter__failure_release(&s->ctx->allocator, failure);
        s->failures.first = NULL;
    }
    return status;
}

/* Late failures */

typedef struct poisoning {
    sinter_stream *stream;
    sinter__failure *failure;
} poisoning;

static bool is_lost(const sinter_stream *s, const sinter__storage *storage)
{
    if (storage == NULL)
        return false;
    return storage->pool == s->pool ? storage->written > s->progress.finished
                                    : sinter__edges_lost(s, storage);
}

static bool poison_slot(void *user, sinter__slot *slot)
{
    poisoning *p = user;
    sinter_stream *s = p->stream;
    if (atomic_load_explicit(&slot->home, memory_order_relaxed) != s || !is_lost(s, slot->storage))
        return true;
    sinter__storage_release(slot->storage);
    slot->storage = NULL;
    sinter__failure_retain(p->failure);
    slot->failure = p->failure;
    return true;
}

static void let_go(sinter_stream *s)
{
    for (size_t i = 0; i < s->reading.count; i++)
        sinter__storage_release(s->reading.at[i]);
    s->reading.count = 0;
}

SINTER__COLD bool sinter__stream_holds_copies(const sinter_stream *s)
{
    bool any = false;
    for (size_t i = 0; i < s->reading.count && !any; i++)
        any = sinter__storage_is_last_copy(s->reading.at[i]);
    return any;
}

/* Everything launched is done; with a failure it is lost. */
static void finished(sinter_stream *s, sinter__failure *failure)
{
    s->progress.finished = s->progress.launched;
    s->progress.steps = 0;
    sinter__edges_settle(s, failure);
    sinter__pace_restart(s, failure == NULL);
    if (s->report != NULL)
        sinter__report_settle(s);
    sinter__programs_settle(&s->on->programs, false);
    let_go(s);
}

/* Whether it is held already; of many only the last are looked at, and to hold one twice does no harm. */
static bool is_reading(const sinter_stream *s, const sinter__storage *storage)
{
    size_t i = s->reading.count;
    for (size_t looks = SINTER__MIN(i, (size_t)READING_LOOKS); looks > 0; looks--) {
        if (s->reading.at[--i] == storage)
            return true;
    }
    return false;
}

void sinter__stream_leave(sinter_stream *s, sinter__storage *storage)
{
    if ((s->progress.launched == s->progress.finished && s->need == NULL) ||
        is_reading(s, storage)) {
        sinter__storage_release(storage);
        return;
    }
    void *reading = s->reading.at;
    sinter_status status = sinter__grow(&s->ctx->allocator, &reading, &s->reading.capacity,
                                        s->reading.count + 1, sizeof(sinter__storage *));
    s->reading.at = reading;
    if (status == SINTER_OK) {
        s->reading.at[s->reading.count++] = storage;
        return;
    }
    sinter__clear_error();
    (void)sinter__stream_finish(s);
    sinter__storage_release(storage);
}

/* What the stream has written since it last knew that the device was well has no value: neither for
 * those who hold it nor for operations that are queued. */
SINTER__COLD static void lose(sinter_stream *s, sinter__failure *failure)
{
    poisoning p = {.stream = s, .failure = failure};
    sinter__failure_release(&s->ctx->allocator, sinter__edges_failure(s)); /* asks every mark */
    s->failures.losses++;
    sinter__failure_retain(failure);
    sinter__failure_release(&s->ctx->allocator, s->failures.lost);
    s->failures.lost = failure;
    sinter__stream_fail(s, failure);
    sinter__slots_visit(s->ctx, poison_slot, &p);
    for (size_t t = 0; t < s->q.graph.tensor_count; t++) {
        sinter__entered *e = &s->entered[t];
        if (e->failure != NULL || !is_lost(s, e->storage))
            continue;
        sinter__failure_retain(failure);
        e->failure = failure; /* the memory stays: a segment that is being run has its address */
    }
    finished(s, failure);
}

void sinter__stream_doubt(sinter_stream *s, sinter_status status)
{
    if (status != SINTER_EDEVICE || s->progress.launched == s->progress.finished)
        return;
    sinter__failure *failure = sinter__failure_create(&s->ctx->allocator, status);
    lose(s, failure);
    sinter__failure_release(&s->ctx->allocator, failure);
}

sinter_status sinter__stream_waited(sinter_stream *s, sinter_status status)
{
    bool first = s->failures.first == NULL;
    sinter__failure *failure = status == SINTER_OK ? sinter__edges_failure(s) : NULL;
    if (status == SINTER_OK && failure == NULL) {
        finished(s, NULL); /* the queue is in order */
        return SINTER_OK;
    }
    if (failure != NULL) {
        status = failure->status;
        lose(s, failure);
        sinter__failure_release(&s->ctx->allocator, failure);
    } else {
        sinter__stream_doubt(s, status);
    }
    return first && s->failures.first != NULL ? sinter__stream_report(s, s->failures.first)
                                              : status;
}

sinter_status sinter__stream_finish(sinter_stream *s)
{
    if (s->need != NULL) { /* a rehearsal launches nothing */
        s->progress.steps = 0;
        let_go(s);
    }
    sinter__failure *failure = s->failures.late;
    if (s->progress.launched == s->progress.finished && s->order.follow_count == 0) {
        s->failures.late = NULL; /* nothing is left of what it took with it */
        sinter__failure_release(&s->ctx->allocator, failure);
        return SINTER_OK;
    }
    sinter_status status = s->on->backend->finish(s->on->state, s->queue);
    s->failures.late = NULL;
    if (failure == NULL)
        failure = status != SINTER_OK ? sinter__failure_create(&s->ctx->allocator, status)
                                      : sinter__edges_failure(s);
    if (failure == NULL) {
        finished(s, NULL);
        return SINTER_OK;
    }
    status = failure->status;
    lose(s, failure);
    sinter__failure_release(&s->ctx->allocator, failure);
    return status;
}

/* Making and ending */

SINTER__COLD void sinter__stream_free_queue(sinter_stream *s)
{
    sinter__allocator *a = &s->ctx->allocator;
    if (s->q.graph.allocator != NULL)
        sinter__queue_finish(&s->q);
    if (s->old.graph.allocator != NULL)
        sinter__graph_finish(&s->old.graph);
    sinter__formers_finish(s);
    sinter__failure_release(a, s->failures.first);
    sinter__free(a, s->entered, s->entered_capacity * sizeof *s->entered);
    sinter__free(a, s->old.entered, s->old.entered_capacity * sizeof *s->old.entered);
    sinter__free(a, s->formulas.at, s->formulas.capacity * sizeof *s->formulas.at);
    sinter__free(a, s->old.renumber, s->old.renumber_capacity * sizeof *s->old.renumber);
    sinter__free(a, s->bits, s->bits_capacity * sizeof *s->bits);
    sinter__free(a, s->reading.at, s->reading.capacity * sizeof(sinter__storage *));
}

SINTER__COLD static void free_stream(sinter_stream *s)
{
    sinter_context *ctx = s->ctx;
    sinter__opened *on = s->on;
    sinter__allocator *a = &ctx->allocator;
    sinter__instances_finish(s);
    sinter__edges_settle(s, NULL);
    sinter__free(a, s->order.follows, s->order.follow_capacity * sizeof *s->order.follows);
    sinter__stream_free_queue(s);
    sinter__report_destroy(s);
    sinter__pool_orphan(s->pool);
    if (s->queue != NULL)
        (s->their_queue != NULL ? on->backend->queue_forget : on->backend->queue_release)(on->state,
                                                                                          s->queue);
    sinter__pace_finish(s);
    sinter__failure_release(a, s->failures.late);
    sinter__failure_release(a, s->failures.lost);
    sinter__free(a, s->scopes.handles, s->scopes.capacity * sizeof *s->scopes.handles);
    sinter__free(a, s->scopes.begins, s->scopes.depth_capacity * sizeof *s->scopes.begins);
    (void)pthread_mutex_destroy(&s->lock);
    sinter__free(a, s, sizeof *s);
}

SINTER__COLD static sinter_status create_queue(sinter_stream *s, bool timed, void **queue)
{
    s->told = s->priority;
    return s->on->backend->queue_create(s->on->state, timed, &s->told, queue);
}

SINTER__COLD static sinter_status init_stream(sinter_stream *s, void *theirs)
{
    sinter_context *ctx = s->ctx;
    sinter__opened *on = s->on;
    const sinter_context_options *o = &ctx->options;
    bool tiny = (o->switches & SINTER_TINY_LIMITS) != 0;
    uint32_t operations = o->max_pending_ops > 0 ? o->max_pending_ops : DEFAULT_OPERATIONS;
    uint64_t bytes =
        SINTER__MAX(on->device.info.global_memory_bytes / PENDING_PART, LEAST_PENDING_BYTES);
    if (o->max_pending_bytes > 0)
        bytes = o->max_pending_bytes;
    s->epoch = 1;
    s->share_bytes =
        o->budget_bytes > 0 ? SINTER__MAX(o->budget_bytes / BUDGET_SHARE, (uint64_t)1) : UINT64_MAX;
    s->is_timed = on->trace != NULL;
    s->their_queue = theirs;
    if (theirs != NULL && on->backend->queue_adopt == NULL)
        return sinter__fail(SINTER_EUNSUPPORTED, "the device %.80s is none of OpenCL",
                            on->device.info.name);
    SINTER_TRY(theirs != NULL ? on->backend->queue_adopt(on->state, theirs, &s->queue)
                              : create_queue(s, false, &s->queue));
    SINTER_TRY(sinter__pool_create(&on->memory, s->queue, &s->pool));
    sinter__graph_init(&s->old.graph, &ctx->allocator);
    SINTER_TRY(sinter__queue_init(&s->q, &ctx->allocator, on->store,
                                  tiny ? TINY_OPERATIONS : operations, bytes));
    return sinter__stream_reserve(s, 1);
}

/* With the context's lock. A stream counts what it puts into its queue, and so has it for itself. */
SINTER__COLD static sinter_status add_stream(sinter_stream *s)
{
    sinter_context *ctx = s->ctx;
    for (const sinter_stream *other = s->on->streams; other != NULL; other = other->next) {
        if (s->their_queue != NULL && other->their_queue == s->their_queue)
            return sinter__fail(SINTER_EBUSY, "stream %u has the queue", other->number);
    }
    ctx->stream_count++;
    s->number = ++ctx->stream_numbers;
    sinter__pool_set_owner(s->pool, s);
    if (s->on->trace != NULL)
        sinter__trace_number(s->queue, s->number);
    s->next = s->on->streams;
    s->on->streams = s;
    return SINTER_OK;
}

/* With the context's lock. True: it was the last on its device. */
SINTER__COLD static bool remove_stream(sinter_stream *s)
{
    sinter_stream **link = &s->on->streams;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    s->ctx->stream_count--;
#define ADD(name) sinter__count(&s->on->gone.name, atomic_load(&s->counts.name));
    SINTER__COUNTERS(ADD)
#undef ADD
    return s->on->streams == NULL;
}

SINTER__COLD sinter_status sinter__stream_open(sinter_context *ctx,
                                               const sinter_stream_options *options, void *theirs,
                                               sinter_stream **out)
{
    sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
    if (options != NULL)
        SINTER_TRY(sinter__sized_take("options", &o, sizeof o, options));
    if (o.device >= ctx->device_count)
        return sinter__fail(SINTER_EINVAL, "device %u of %u", o.device, ctx->device_count);
    if ((unsigned)o.priority > SINTER_PRIORITY_HIGH)
        return sinter__fail(SINTER_EINVAL, "%u is no priority", (unsigned)o.priority);
    if (o.reserved != 0)
        return sinter__fail(SINTER_EINVAL, "reserved is %u, not 0", (unsigned)o.reserved);
    sinter_stream *s = sinter__alloc(&ctx->allocator, sizeof *s);
    if (s == NULL)
        return SINTER_ENOMEM;
    s->ctx = ctx;
    s->on = &ctx->devices[o.device];
    s->priority = o.priority;
    (void)pthread_mutex_init(&s->lock, NULL);
    sinter_status status = init_stream(s, theirs);
    if (status != SINTER_OK) {
        free_stream(s);
        return status;
    }
    (void)pthread_mutex_lock(&ctx->lock);
    status = add_stream(s);
    (void)pthread_mutex_unlock(&ctx->lock);
    if (status != SINTER_OK)
        free_stream(s);
    else
        *out = s;
    return status;
}

SINTER__COLD sinter_status sinter_stream_create(sinter_context *ctx,
                                                const sinter_stream_options *options,
                                                sinter_stream **out)
{
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_create: an argument is NULL");
    sinter_status status = sinter__stream_open(ctx, options, NULL, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "stream_create");
}

/* Tensors that are still held have no home any more. */
static bool leave_home(void *user, sinter__slot *slot)
{
    sinter_stream *s = user;
    if (atomic_load(&slot->home) == s) {
        slot->epoch = 0;
        atomic_store(&slot->home, NULL);
    }
    return true;
}

static sinter_status take_failure(sinter_stream *s)
{
    return s->failures.first != NULL ? sinter__stream_report(s, s->failures.first) : SINTER_OK;
}

SINTER__COLD sinter_status sinter_stream_destroy(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return SINTER_OK;
    sinter_context *ctx = s->ctx;
    SINTER_TRY(sinter__call_begin(s, "stream_destroy"));
    if (s->shards > 0) {
        sinter__call_end(s);
        return sinter__fail(SINTER_EBUSY, "stream_destroy: %u shards have stream %u", s->shards,
                            s->number);
    }
    while (s->mapped != NULL)
        (void)sinter__mapping_end(s, s->mapped);
    while (s->lent != NULL)
        (void)sinter__mapping_end(s, s->lent);
    sinter__stream_cut(s, SINTER__CUT_SYNC);
    (void)sinter__stream_finish(s);
    (void)pthread_mutex_unlock(&s->lock); /* the call goes on: another thread's is refused */
    (void)pthread_mutex_lock(&ctx->lock);
    while (s->users > 0)
        (void)pthread_cond_wait(&ctx->idle, &ctx->lock);
    sinter__held_log_stream(s);
    sinter__slots_visit(ctx, leave_home, s);
    sinter__pool_set_owner(s->pool, NULL);
    sinter__slots_give(s, 0);
    bool last = remove_stream(s);
    (void)pthread_mutex_unlock(&ctx->lock);
    if (last)
        sinter__transfer_rest(s->on);
    sinter_status status = take_failure(s);
    free_stream(s);
    if (status == SINTER_OK)
        sinter__clear_error();
    return status;
}

SINTER__COLD sinter_status sinter__stream_time(sinter_stream *s)
{
    const sinter__backend *backend = s->on->backend;
    void *queue = NULL;
    if (s->is_timed || s->their_queue != NULL || s->mapped != NULL || s->lent != NULL)
        return SINTER_OK; /* the queue stays: it is the caller's, or lent */
    SINTER_TRY(create_queue(s, true, &queue));
    sinter__pool_set_queue(s->pool, queue);
    (void)sinter__stream_finish(s); /* what fails is met at the next sync */
    (void)backend->finish(s->on->state, s->queue);
    sinter__instances_unrecord(s);
    backend->queue_release(s->on->state, s->queue);
    s->queue = queue;
    s->is_timed = true;
    sinter__clear_error();
    return SINTER_OK;
}

/* Running and waiting */

/* Begins a call that runs what is pending; a stream that rests refuses it. */
static sinter_status begin_running(sinter_stream *s, const char *where)
{
    SINTER_TRY(sinter__call_begin(s, where));
    if (s->mapped == NULL)
        return SINTER_OK;
    sinter_status status = sinter__stream_busy(s, where);
    sinter__call_end(s);
    return status;
}

sinter_status sinter_stream_flush(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_flush: the stream is NULL");
    SINTER_TRY(begin_running(s, "stream_flush"));
    sinter__stream_cut(s, SINTER__CUT_FLUSH);
    sinter__clear_error();
    sinter__call_end(s);
    return SINTER_OK;
}

sinter_status sinter_stream_sync(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_sync: the stream is NULL");
    SINTER_TRY(begin_running(s, "stream_sync"));
    sinter__stream_cut(s, SINTER__CUT_SYNC);
    (void)sinter__stream_finish(s);
    sinter__clear_error();
    sinter_status status = take_failure(s);
    sinter__call_end(s);
    return status;
}

void sinter__pause(uint64_t ns)
{
    const struct timespec t = {.tv_nsec = (long)ns}; /* less than a second */
    (void)nanosleep(&t, NULL);
}

/* Waits until the device has come to the mark; false when the time is up. The lock is held, but not while
 * the thread sleeps. What the mark has failed with is met by who waits for the queue. */
static bool reaches(sinter_stream *s, sinter__mark *mark, uint64_t timeout_ns)
{
    const sinter__opened *on = s->on;
    uint64_t start_ns = sinter__now_ns();
    uint64_t step_ns = FIRST_PAUSE_NS;
    bool done = false;
    sinter_status status;
    while ((status = on->backend->mark_done(on->state, mark->event, &done)) == SINTER_OK && !done) {
        uint64_t passed_ns = sinter__now_ns() - start_ns;
        if (passed_ns >= timeout_ns)
            return false;
        (void)pthread_mutex_unlock(&s->lock);
        sinter__pause(SINTER__MIN(step_ns, timeout_ns - passed_ns));
        (void)pthread_mutex_lock(&s->lock);
        step_ns = SINTER__MIN(2 * step_ns, LAST_PAUSE_NS);
    }
    if (status != SINTER_OK)
        sinter__mark_fail(mark, status);
    return true;
}

sinter_status sinter_stream_wait(sinter_stream *s, uint64_t timeout_ns)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_wait: the stream is NULL");
    SINTER_TRY(begin_running(s, "stream_wait"));
    sinter__stream_cut(s, SINTER__CUT_SYNC);
    bool done = s->progress.launched == s->progress.finished && s->order.follow_count == 0;
    sinter__mark *mark = done ? NULL : sinter__edge_mark(s);
    done = mark == NULL || reaches(s, mark, timeout_ns);
    sinter__mark_release(mark);
    if (done)
        (void)sinter__stream_finish(s);
    sinter__clear_error();
    sinter_status status =
        done ? take_failure(s)
             : sinter__fail(SINTER_ETIMEOUT, "stream_wait: stream %u is not done after %llu ns",
                            s->number, (unsigned long long)timeout_ns);
    sinter__call_end(s);
    return status;
}

SINTER__COLD sinter_status sinter_stream_memory_need(sinter_stream *s, sinter_memory_need *out)
{
    sinter__clear_error();
    if (s == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_memory_need: an argument is NULL");
    SINTER_TRY(sinter__sized_check("stream_memory_need: a result", out->size));
    sinter_memory_need need = {.operations = 0};
    SINTER_TRY(sinter__call_begin(s, "stream_memory_need"));
    need.operations = sinter__queue_length(&s->q);
    sinter_status status = sinter__stream_need(s, &need);
    sinter__call_end(s);
    if (status == SINTER_OK)
        sinter__clear_error(); /* of what was tried first */
    else
        (void)sinter__fail_in(status, "stream_memory_need");
    sinter__sized_give(out, out->size, &need, sizeof need);
    return status;
}

sinter_status sinter_stream_mark(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_mark: the stream is NULL");
    SINTER_TRY(sinter__call_begin(s, "stream_mark"));
    sinter__queue_mark(&s->q);
    sinter__call_end(s);
    return SINTER_OK;
}

/* Scopes */

sinter_status sinter_scope_open(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "scope_open: the stream is NULL");
    SINTER_TRY(sinter__call_begin(s, "scope_open"));
    void *scopes = s->scopes.begins;
    sinter_status status = sinter__grow(&s->ctx->allocator, &scopes, &s->scopes.depth_capacity,
                                        s->scopes.depth + 1, sizeof *s->scopes.begins);
    s->scopes.begins = scopes;
    if (status == SINTER_OK)
        s->scopes.begins[s->scopes.depth++] = s->scopes.count;
    sinter__call_end(s);
    return status;
}

/* Whether `t` is in the list, from number `first` on. */
static bool is_listed(const sinter_tensor *list, size_t first, size_t count, sinter_tensor t)
{
    for (size_t i = first; i < count; i++) {
        if (list[i].id == t.id)
            return true;
    }
    return false;
}

/* A tensor that is handed over is not released with the others: the caller's commands use its memory. */
SINTER__COLD static sinter_status check_scope(const sinter_stream *s, size_t first,
                                              size_t keep_count, const sinter_tensor *keep)
{
    sinter_status status = SINTER_OK;
    bool in_hands = s->mapped != NULL || s->lent != NULL;
    for (size_t i = first; i < s->scopes.count && in_hands && status == SINTER_OK; i++) {
        sinter__slot *slot;
        if (!is_listed(keep, 0, keep_count, s->scopes.handles[i]) &&
            sinter__slot_find(s->ctx, s->scopes.handles[i], &slot) == SINTER_OK)
            status = sinter__mapping_keeps(s, slot, true);
    }
    return status == SINTER_OK ? status : sinter__fail_in(status, "scope_close");
}

SINTER__COLD static sinter_status close_scope(sinter_stream *s, size_t keep_count,
                                              const sinter_tensor *keep)
{
    if (s->scopes.depth == 0)
        return sinter__fail(SINTER_EINVAL, "scope_close: no scope is open");
    size_t first = s->scopes.begins[s->scopes.depth - 1];
    for (size_t i = 0; i < keep_count; i++) {
        if (!is_listed(s->scopes.handles, first, s->scopes.count, keep[i]))
            return sinter__fail(SINTER_EHANDLE, "scope_close: handle %#llx is not of the scope",
                                (unsigned long long)keep[i].id);
    }
    SINTER_TRY(check_scope(s, first, keep_count, keep));
    size_t kept = first;
    s->scopes.depth--;
    for (size_t i = first; i < s->scopes.count; i++) {
        sinter__slot *slot;
        sinter_tensor t = s->scopes.handles[i];
        if (is_listed(keep, 0, keep_count, t))
            s->scopes.handles[kept++] = t;
        else if (sinter__slot_find(s->ctx, t, &slot) == SINTER_OK)
            sinter__slot_release(s, slot);
    }
    s->scopes.count = s->scopes.depth > 0 ? kept : 0;
    sinter__clear_error();
    return SINTER_OK;
}

sinter_status sinter_scope_close(sinter_stream *s, size_t keep_count, const sinter_tensor *keep)
{
    sinter__clear_error();
    if (s == NULL || (keep == NULL && keep_count > 0))
        return sinter__fail(SINTER_EINVAL, "scope_close: an argument is NULL");
    SINTER_TRY(sinter__call_begin(s, "scope_close"));
    sinter_status status = close_scope(s, keep_count, keep);
    sinter__call_end(s);
    return status;
}
