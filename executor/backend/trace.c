/* The one hard idea: the times of a launch are known only when it is done, and by the device's clock.
 * So a launch is remembered with the host's time of its enqueueing, which the device's clock calls
 * QUEUED; at the next wait, when everything in the queue is done, its times are moved by the
 * difference and told. */
#include "executor/backend/trace.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define DETAIL 160

struct sinter__trace {
    sinter_trace_fn fn;
    void *user;
    sinter__allocator *allocator;
    const sinter__backend *inner;
    void *state;           /* of the inner one */
    sinter__backend table; /* its functions, where the inner one has them */
};

/* A launch whose times are not known yet. Where the caller wants them too, its event is this. */
typedef struct pending {
    struct queue *queue;
    void *event;       /* NULL: a library's product */
    uint64_t start_ns; /* of the enqueueing, by the host's clock */
    uint64_t end_ns;
    uint64_t bytes;
    size_t global[3];
    size_t local[3]; /* 0: a library's, whose result is global[1] x global[0] */
    char name[SINTER__KERNEL_NAME];
} pending;

typedef struct queue {
    void *inner;
    uint32_t number;  /* of the stream */
    uint64_t last_ns; /* when the last launch told of has ended */
    pending *pending;
    size_t count, capacity;
} queue;

uint64_t sinter__now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void sinter__trace_end(const sinter__trace *t, const void *of, sinter_trace_kind kind,
                       const char *name, const char *detail, uint64_t start_ns, uint64_t bytes)
{
    const queue *q = of;
    const sinter_trace_event event = {.size = sizeof event,
                                      .kind = kind,
                                      .name = name,
                                      .detail = detail,
                                      .stream = q != NULL ? q->number : 0,
                                      .start_ns = start_ns,
                                      .end_ns = sinter__now_ns(),
                                      .bytes = bytes};
    t->fn(t->user, &event);
}

/* Launches */

/* Commands of a queue do not overlap, so none begins before the last has ended: the two clocks are
 * not read at the same moment. */
static void tell_launch(const sinter__trace *t, queue *q, const pending *p, const char *clock)
{
    char detail[DETAIL];
    if (p->local[0] == 0)
        (void)snprintf(detail, sizeof detail, "a product of %zu x %zu; %s", p->global[1],
                       p->global[0], clock);
    else
        (void)snprintf(detail, sizeof detail, "global %zu x %zu x %zu, local %zu x %zu x %zu; %s",
                       p->global[0], p->global[1], p->global[2], p->local[0], p->local[1],
                       p->local[2], clock);
    uint64_t start_ns = SINTER__MAX(p->start_ns, q->last_ns);
    const sinter_trace_event event = {.size = sizeof event,
                                      .kind = SINTER_TRACE_LAUNCH,
                                      .name = p->name,
                                      .detail = detail,
                                      .stream = q->number,
                                      .start_ns = start_ns,
                                      .end_ns = SINTER__MAX(p->end_ns, start_ns),
                                      .bytes = p->bytes};
    q->last_ns = event.end_ns;
    t->fn(t->user, &event);
}

/* A launch, whose event ends here. False: its times are not known. */
static bool tell_event(const sinter__trace *t, queue *q, pending *p, sinter__event_times *times)
{
    const char *clock = p->event != NULL ? "times of the enqueueing: the driver has none"
                                         : "times of the enqueueing: it is a library's";
    bool known = p->event != NULL && t->inner->event_end(t->state, p->event, times);
    if (known) {
        p->end_ns = p->start_ns + (times->end_ns - times->queued_ns);
        p->start_ns += times->start_ns - times->queued_ns;
        clock = "times of the device";
    }
    tell_launch(t, q, p, clock);
    return known;
}

/* After a wait, whether it has failed or not. */
static void tell_pending(const sinter__trace *t, queue *q)
{
    sinter__event_times times;
    for (size_t i = 0; i < q->count; i++)
        (void)tell_event(t, q, &q->pending[i], &times);
    q->count = 0;
}

/* What is in flight is bounded by who waits for it (executor/stream/segment.c). Where there is no memory to
 * remember a launch it is told of at once. */
static void remember(const sinter__trace *t, queue *q, pending *p)
{
    sinter__event_times times;
    void *array = q->pending;
    sinter_status status =
        sinter__grow(t->allocator, &array, &q->capacity, q->count + 1, sizeof *q->pending);
    q->pending = array;
    if (status == SINTER_OK) {
        q->pending[q->count++] = *p;
        return;
    }
    sinter__clear_error();
    tell_pending(t, q);
    (void)tell_event(t, q, p, &times);
}

/* Hands the event on to the caller, who ends it. */
static void *hand_on(const sinter__trace *t, const pending *p)
{
    sinter__event_times times;
    pending *own = sinter__alloc(t->allocator, sizeof *own);
    if (own != NULL) {
        *own = *p;
        return own;
    }
    sinter__clear_error();
    pending last = *p;
    (void)tell_event(t, p->queue, &last, &times);
    return NULL;
}

static bool event_end(void *user, void *event, sinter__event_times *times)
{
    const sinter__trace *t = user;
    pending *p = event;
    bool known = tell_event(t, p->queue, p, times);
    sinter__free(t->allocator, p, sizeof *p);
    return known;
}

static sinter_status launch(void *user, void *to, sinter__launch *l, sinter__row_range rows,
                            const sinter__operands *operands, void **event)
{
    sinter__trace *t = user;
    queue *q = to;
    pending p = {.queue = q, .start_ns = sinter__now_ns(), .bytes = l->moved_bytes};
    if (event != NULL)
        *event = NULL;
    SINTER_TRY(t->inner->launch(t->state, q->inner, l, rows, operands, &p.event));
    p.end_ns = sinter__now_ns();
    memcpy(p.global, l->geometry.global, sizeof p.global);
    memcpy(p.local, l->geometry.local, sizeof p.local);
    if (l->row_count > 0 && l->kernel != NULL)
        p.global[0] = sinter__rows_items(l, rows);
    (void)snprintf(p.name, sizeof p.name, "%s", l->kernel != NULL ? l->kernel->text.name : "host");
    if (p.event != NULL && event != NULL)
        *event = hand_on(t, &p);
    else if (p.event != NULL)
        remember(t, q, &p);
    else
        tell_launch(t, q, &p, "times of the host");
    return SINTER_OK;
}

/* How many kernels it is and when they run, the library does not say. */
static sinter_status gemm(void *user, void *to, const sinter__gemm *x, int64_t item,
                          const sinter__operands *operands, void **kept, bool *built)
{
    sinter__trace *t = user;
    queue *q = to;
    pending p = {.queue = q, .start_ns = sinter__now_ns(), .name = "CLBlast"};
    SINTER_TRY(t->inner->gemm(t->state, q->inner, x, item, operands, kept, built));
    p.end_ns = sinter__now_ns();
    p.global[0] = (size_t)x->n;
    p.global[1] = (size_t)x->m;
    p.bytes = sinter_dtype_bytes(x->dtype) * (uint64_t)(x->m * x->k + x->k * x->n + x->m * x->n);
    remember(t, q, &p);
    return SINTER_OK;
}

/* Waits */

static void end_wait(const sinter__trace *t, queue *q, const char *name, uint64_t start_ns,
                     uint64_t bytes)
{
    sinter__trace_end(t, q, SINTER_TRACE_WAIT, name, "", start_ns, bytes);
    tell_pending(t, q);
}

static sinter_status write_bytes(void *user, void *to, sinter__address at, const void *data,
                                 uint64_t bytes)
{
    const sinter__trace *t = user;
    queue *q = to;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->write(t->state, q->inner, at, data, bytes);
    end_wait(t, q, "write", start_ns, bytes);
    return status;
}

static sinter_status write_later(void *user, void *to, sinter__address at, const void *data,
                                 uint64_t bytes)
{
    const sinter__trace *t = user;
    queue *q = to;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->write_later(t->state, q->inner, at, data, bytes);
    sinter__trace_end(t, q, SINTER_TRACE_WAIT, "write", "", start_ns, bytes);
    return status;
}

static sinter_status read_bytes(void *user, void *from, sinter__address at, void *data,
                                uint64_t bytes)
{
    const sinter__trace *t = user;
    queue *q = from;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->read(t->state, q->inner, at, data, bytes);
    end_wait(t, q, "read", start_ns, bytes);
    return status;
}

static sinter_status map_bytes(void *user, void *of, sinter__address at, uint64_t bytes,
                               bool writes, void **data)
{
    const sinter__trace *t = user;
    queue *q = of;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->map(t->state, q->inner, at, bytes, writes, data);
    end_wait(t, q, "map", start_ns, bytes);
    return status;
}

static sinter_status finish_queue(void *user, void *of)
{
    const sinter__trace *t = user;
    queue *q = of;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->finish(t->state, q->inner);
    end_wait(t, q, "finish", start_ns, 0);
    return status;
}

/* Queues */

/* The queue is the caller's of this file if the inner one is there. */
static sinter_status keep_queue(sinter__trace *t, queue *q, sinter_status status, void **out)
{
    if (status != SINTER_OK) {
        sinter__free(t->allocator, q, sizeof *q);
        return status;
    }
    *out = q; /* its number is that of no stream until sinter__trace_number says which */
    return SINTER_OK;
}

void sinter__trace_number(void *of, uint32_t number)
{
    ((queue *)of)->number = number;
}

static sinter_status queue_create(void *user, bool timed, sinter_priority *priority, void **out)
{
    sinter__trace *t = user;
    queue *q = sinter__alloc(t->allocator, sizeof *q);
    (void)timed; /* it is */
    *out = NULL;
    if (q == NULL)
        return SINTER_ENOMEM;
    return keep_queue(t, q, t->inner->queue_create(t->state, true, priority, &q->inner), out);
}

/* `end` is the inner one's. */
static void end_queue(const sinter__trace *t, queue *q, void (*end)(void *state, void *queue))
{
    tell_pending(t, q);
    end(t->state, q->inner);
    sinter__free(t->allocator, q->pending, q->capacity * sizeof *q->pending);
    sinter__free(t->allocator, q, sizeof *q);
}

static void queue_release(void *user, void *of)
{
    const sinter__trace *t = user;
    end_queue(t, of, t->inner->queue_release);
}

static sinter_status queue_adopt(void *user, void *theirs, void **out)
{
    sinter__trace *t = user;
    queue *q = sinter__alloc(t->allocator, sizeof *q);
    *out = NULL;
    if (q == NULL)
        return SINTER_ENOMEM;
    return keep_queue(t, q, t->inner->queue_adopt(t->state, theirs, &q->inner), out);
}

static void queue_forget(void *user, void *of)
{
    const sinter__trace *t = user;
    end_queue(t, of, t->inner->queue_forget);
}

/* Programs: one is built at a time, for whichever stream */

static sinter_status program_build(void *user, const char *source, void **program,
                                   sinter__buffer *log)
{
    const sinter__trace *t = user;
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = t->inner->program_build(t->state, source, program, log);
    sinter__trace_end(t, NULL, SINTER_TRACE_BUILD, "build",
                      status == SINTER_OK ? "miss: from source" : "miss: does not build", start_ns,
                      strlen(source));
    return status;
}

static bool program_load(void *user, const void *binary, size_t bytes, void **program)
{
    const sinter__trace *t = user;
    uint64_t start_ns = sinter__now_ns();
    bool loaded = t->inner->program_load(t->state, binary, bytes, program);
    sinter__trace_end(t, NULL, SINTER_TRACE_BUILD, "build",
                      loaded ? "hit: from the cache" : "the driver refused what was kept", start_ns,
                      bytes);
    return loaded;
}

/* What is handed on as it is */

static sinter_status memory_create(void *user, uint64_t bytes, void **memory)
{
    const sinter__trace *t = user;
    return t->inner->memory_create(t->state, bytes, memory);
}

static void memory_release(void *user, void *memory)
{
    const sinter__trace *t = user;
    t->inner->memory_release(t->state, memory);
}

static sinter_status fill_bytes(void *user, void *of, sinter__address to, uint64_t bytes,
                                uint8_t byte)
{
    const sinter__trace *t = user;
    return t->inner->fill(t->state, ((queue *)of)->inner, to, bytes, byte);
}

static sinter_status unmap_bytes(void *user, void *of, sinter__address at, void *data)
{
    const sinter__trace *t = user;
    return t->inner->unmap(t->state, ((queue *)of)->inner, at, data);
}

static sinter_status flush_queue(void *user, void *of)
{
    const sinter__trace *t = user;
    return t->inner->flush(t->state, ((queue *)of)->inner);
}

static sinter_status mark_queue(void *user, void *of, void **mark)
{
    const sinter__trace *t = user;
    return t->inner->mark(t->state, ((queue *)of)->inner, mark);
}

static sinter_status follow_mark(void *user, void *of, void *mark)
{
    const sinter__trace *t = user;
    return t->inner->follow(t->state, ((queue *)of)->inner, mark);
}

static sinter_status mark_done(void *user, void *mark, bool *done)
{
    const sinter__trace *t = user;
    return t->inner->mark_done(t->state, mark, done);
}

static void mark_release(void *user, void *mark)
{
    const sinter__trace *t = user;
    t->inner->mark_release(t->state, mark);
}

static void program_release(void *user, void *program)
{
    const sinter__trace *t = user;
    t->inner->program_release(t->state, program);
}

static bool program_binary(void *user, void *program, size_t front, uint8_t **out, size_t *bytes)
{
    const sinter__trace *t = user;
    return t->inner->program_binary(t->state, program, front, out, bytes);
}

static sinter_status object_create(void *user, void *program, const char *name, void **object,
                                   uint32_t *max_group)
{
    const sinter__trace *t = user;
    return t->inner->object_create(t->state, program, name, object, max_group);
}

static void object_release(void *user, void *object)
{
    const sinter__trace *t = user;
    t->inner->object_release(t->state, object);
}

static sinter_status gemm_scratch(void *user, void *of, const sinter__gemm *x, uint64_t *bytes)
{
    const sinter__trace *t = user;
    return t->inner->gemm_scratch(t->state, ((queue *)of)->inner, x, bytes);
}

static void gemm_end(void *user, void *kept)
{
    const sinter__trace *t = user;
    t->inner->gemm_end(t->state, kept);
}

static sinter_status memory_adopt(void *user, sinter__their_memory *theirs, void **memory)
{
    const sinter__trace *t = user;
    return t->inner->memory_adopt(t->state, theirs, memory);
}

static void memory_forget(void *user, void *memory)
{
    const sinter__trace *t = user;
    t->inner->memory_forget(t->state, memory);
}

static sinter_status hand_over(void *user, void *of, void *memory, bool wants_event,
                               sinter__handed *out)
{
    const sinter__trace *t = user;
    return t->inner->hand_over(t->state, ((queue *)of)->inner, memory, wants_event, out);
}

static sinter_status await(void *user, void *of, void *event)
{
    const sinter__trace *t = user;
    return t->inner->await(t->state, ((queue *)of)->inner, event);
}

static void close_trace(void *user)
{
    sinter__trace *t = user;
    t->inner->close(t->state);
    sinter__free(t->allocator, t, sizeof *t);
}

static const sinter__backend traced = {
    .memory_create = memory_create,
    .memory_release = memory_release,
    .queue_create = queue_create,
    .queue_release = queue_release,
    .write = write_bytes,
    .write_later = write_later,
    .read = read_bytes,
    .fill = fill_bytes,
    .map = map_bytes,
    .unmap = unmap_bytes,
    .flush = flush_queue,
    .finish = finish_queue,
    .launch = launch,
    .event_end = event_end,
    .gemm_scratch = gemm_scratch,
    .gemm = gemm,
    .gemm_end = gemm_end,
    .close = close_trace,
};

sinter_status sinter__trace_open(sinter_trace_fn fn, void *user, sinter__allocator *a,
                                 const sinter__backend **backend, void **state, sinter__trace **out)
{
    sinter__trace *t = sinter__alloc(a, sizeof *t);
    if (t == NULL)
        return SINTER_ENOMEM;
    t->fn = fn;
    t->user = user;
    t->allocator = a;
    t->inner = *backend;
    t->state = *state;
    t->table = traced;
    if (t->inner->program_build != NULL) { /* else nothing is compiled */
        t->table.program_build = program_build;
        t->table.program_load = program_load;
        t->table.program_release = program_release;
        t->table.program_binary = program_binary;
        t->table.object_create = object_create;
        t->table.object_release = object_release;
    }
    if (t->inner->mark != NULL) { /* else what is launched is done */
        t->table.mark = mark_queue;
        t->table.follow = follow_mark;
        t->table.mark_done = mark_done;
        t->table.mark_release = mark_release;
    }
    if (t->inner->queue_adopt != NULL) {
        t->table.queue_adopt = queue_adopt;
        t->table.queue_forget = queue_forget;
        t->table.memory_adopt = memory_adopt;
        t->table.memory_forget = memory_forget;
        t->table.hand_over = hand_over;
        t->table.await = await;
    }
    *backend = &t->table;
    *state = *out = t;
    return SINTER_OK;
}
