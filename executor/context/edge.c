#include "executor/context/context.h"

/* Flights */

sinter__flight *sinter__flight_create(sinter__allocator *a, sinter__pool *pool, uint64_t finished)
{
    sinter__flight *f = sinter__alloc(a, sizeof *f);
    if (f == NULL)
        return NULL;
    atomic_init(&f->references, 1);
    atomic_init(&f->finished, finished);
    atomic_init(&f->settled, false);
    f->pool = pool;
    return f;
}

void sinter__flight_release(sinter__allocator *a, sinter__flight *f)
{
    if (f == NULL || atomic_fetch_sub_explicit(&f->references, 1, memory_order_acq_rel) > 1)
        return;
    sinter__failure_release(a, atomic_load_explicit(&f->failure, memory_order_acquire));
    sinter__free(a, f, sizeof *f);
}

static sinter__flight *flight_retain(sinter__flight *f)
{
    atomic_fetch_add_explicit(&f->references, 1, memory_order_relaxed);
    return f;
}

/* The first failure stays. */
static void flight_fail(sinter__allocator *a, sinter__flight *f, sinter__failure *failure)
{
    sinter__failure *none = NULL;
    sinter__failure_retain(failure);
    if (!atomic_compare_exchange_strong(&f->failure, &none, failure))
        sinter__failure_release(a, failure);
}

static sinter__failure *flight_failure(sinter__flight *f)
{
    return f != NULL ? atomic_load_explicit(&f->failure, memory_order_acquire) : NULL;
}

/* Marks */

static size_t mark_bytes(size_t ups)
{
    return sizeof(sinter__mark) + ups * sizeof(sinter__flight *);
}

void sinter__mark_release(sinter__mark *mark)
{
    if (mark == NULL || atomic_fetch_sub_explicit(&mark->references, 1, memory_order_acq_rel) > 1)
        return;
    const sinter__opened *on = mark->on;
    on->backend->mark_release(on->state, mark->event);
    sinter__flight_release(on->allocator, mark->flight);
    for (size_t i = 0; i < mark->up_count; i++)
        sinter__flight_release(on->allocator, mark->up[i]);
    sinter__free(on->allocator, mark, mark_bytes(mark->up_capacity));
}

sinter__mark *sinter__mark_retain(sinter__mark *mark)
{
    atomic_fetch_add_explicit(&mark->references, 1, memory_order_relaxed);
    return mark;
}

/* The flight of what is being launched. */
static sinter__flight *take_flight(sinter_stream *s)
{
    if (s->order.flight == NULL)
        s->order.flight = sinter__flight_create(&s->ctx->allocator, s->pool, s->progress.finished);
    return s->order.flight;
}

void sinter__mark_fail(sinter__mark *mark, sinter_status status)
{
    sinter__allocator *a = mark->on->allocator;
    sinter__failure *found = sinter__failure_create(a, status);
    flight_fail(a, mark->flight, found);
    sinter__failure_release(a, found);
}

const sinter__failure *sinter__mark_failure(sinter__mark *mark)
{
    const sinter__opened *on = mark->on;
    bool done;
    sinter_status status = SINTER_OK;
    if (flight_failure(mark->flight) == NULL)
        status = on->backend->mark_done(on->state, mark->event, &done);
    if (status != SINTER_OK)
        sinter__mark_fail(mark, status);
    const sinter__failure *failure = flight_failure(mark->flight);
    for (size_t i = 0; i < mark->up_count && failure == NULL; i++)
        failure = flight_failure(mark->up[i]);
    return failure;
}

sinter__mark *sinter__mark_create(const sinter__opened *on, void *queue, uint64_t launched,
                                  sinter__flight *flight, size_t ups)
{
    void *event;
    if (on->backend->mark == NULL || flight == NULL)
        return NULL;
    sinter__mark *mark = sinter__alloc(on->allocator, mark_bytes(ups));
    if (mark == NULL)
        return NULL;
    if (on->backend->mark(on->state, queue, &event) != SINTER_OK) {
        sinter__free(on->allocator, mark, mark_bytes(ups));
        return NULL;
    }
    atomic_init(&mark->references, 1);
    mark->on = on;
    mark->event = event;
    mark->launched = launched;
    mark->flight = flight_retain(flight);
    mark->up_capacity = ups;
    return mark;
}

/* NULL when there cannot be one. */
static sinter__mark *make_mark(sinter_stream *home)
{
    if (home->on->backend->mark == NULL)
        return NULL;
    sinter__mark *mark = sinter__mark_create(home->on, home->queue, home->progress.launched,
                                             take_flight(home), home->order.follow_count);
    for (size_t i = 0; i < home->order.follow_count && mark != NULL; i++)
        mark->up[mark->up_count++] = flight_retain(home->order.follows[i].flight);
    return mark;
}

sinter__mark *sinter__edge_mark(sinter_stream *home)
{
    const sinter__mark *last = home->order.mark;
    bool is_behind =
        last != NULL && last->launched == home->progress.launched && home->their_queue == NULL;
    if (!is_behind) {
        sinter__mark_release(home->order.mark);
        home->order.mark = make_mark(home);
    }
    if (home->order.mark != NULL)
        return sinter__mark_retain(home->order.mark);
    (void)sinter__stream_finish(home); /* its failure is met by who reads */
    return NULL;
}

/* Following */

static void add_follow(sinter_stream *s, sinter__flight *flight, sinter__mark *mark)
{
    sinter__follow *f = NULL;
    if (flight == s->order.flight)
        return;
    for (size_t i = 0; i < s->order.follow_count && f == NULL; i++) {
        if (s->order.follows[i].flight == flight)
            f = &s->order.follows[i];
    }
    if (f == NULL) {
        f = &s->order.follows[s->order.follow_count++];
        *f = (sinter__follow){.flight = flight_retain(flight)};
    }
    if (mark == NULL)
        f->is_beyond = f->mark != NULL;
    if (mark == NULL || f->mark == mark || (f->mark != NULL && f->mark->launched > mark->launched))
        return;
    sinter__mark_release(f->mark);
    f->mark = sinter__mark_retain(mark);
    f->is_beyond = false; /* a mark that is taken now is behind all that others followed before */
}

/* Whether the queue waits for that already. */
static bool is_followed(const sinter_stream *s, const sinter__mark *mark)
{
    for (size_t i = 0; i < s->order.follow_count; i++) {
        const sinter__mark *known = s->order.follows[i].mark;
        if (known != NULL && known->flight == mark->flight && known->launched >= mark->launched &&
            known->up_count >= mark->up_count)
            return true;
    }
    return false;
}

static void drop_follow(sinter_stream *s, const sinter__follow *f)
{
    sinter__mark_release(f->mark);
    sinter__flight_release(&s->ctx->allocator, f->flight);
}

/* Whether the device has done what is followed, and without failing. */
static bool is_over(const sinter_stream *s, const sinter__follow *f)
{
    bool done = atomic_load_explicit(&f->flight->settled, memory_order_acquire);
    if (!done && f->mark != NULL && !f->is_beyond &&
        s->on->backend->mark_done(s->on->state, f->mark->event, &done) != SINTER_OK)
        return false; /* whoever waits is told */
    return done && flight_failure(f->flight) == NULL;
}

/* A stream may never wait itself: before there is more room, what is over goes. Half of the room is free then. */
SINTER__COLD static sinter_status grow_follows(sinter_stream *s, size_t need)
{
    void *follows = s->order.follows;
    size_t kept = 0;
    for (size_t i = 0; i < s->order.follow_count; i++) {
        if (is_over(s, &s->order.follows[i]))
            drop_follow(s, &s->order.follows[i]);
        else
            s->order.follows[kept++] = s->order.follows[i];
    }
    need -= s->order.follow_count - kept;
    s->order.follow_count = kept;
    sinter_status status = sinter__grow(&s->ctx->allocator, &follows, &s->order.follow_capacity,
                                        2 * need, sizeof *s->order.follows);
    s->order.follows = follows;
    return status;
}

static sinter_status reserve_follows(sinter_stream *s, size_t need)
{
    return need <= s->order.follow_capacity ? SINTER_OK : grow_follows(s, need);
}

sinter_status sinter__edge_follow(sinter_stream *s, sinter__mark *mark)
{
    if (is_followed(s, mark))
        return SINTER_OK;
    SINTER_TRY(reserve_follows(s, s->order.follow_count + mark->up_count + 1));
    SINTER_TRY(s->on->backend->follow(s->on->state, s->queue, mark->event));
    s->progress
        .launched++; /* others wait for it as for a launch: a mark of before is not behind it */
    add_follow(s, mark->flight, mark);
    for (size_t i = 0; i < mark->up_count; i++)
        add_follow(s, mark->up[i], NULL);
    return SINTER_OK;
}

/* Waits */

sinter__failure *sinter__edges_failure(const sinter_stream *s)
{
    sinter__failure *failure = flight_failure(s->order.flight);
    for (size_t i = 0; i < s->order.follow_count;
         i++) { /* all: each says what of its storages is lost */
        const sinter__follow *f = &s->order.follows[i];
        bool done;
        sinter_status status = SINTER_OK;
        if (f->mark != NULL && flight_failure(f->flight) == NULL)
            status = s->on->backend->mark_done(s->on->state, f->mark->event, &done);
        if (status != SINTER_OK)
            sinter__mark_fail(f->mark, status);
        failure = failure != NULL ? failure : flight_failure(f->flight);
    }
    sinter__failure_retain(failure);
    return failure;
}

bool sinter__edges_lost(const sinter_stream *s, const sinter__storage *storage)
{
    for (size_t i = 0; i < s->order.follow_count; i++) {
        sinter__flight *f = s->order.follows[i].flight;
        if (f->pool == storage->pool &&
            storage->written > atomic_load_explicit(&f->finished, memory_order_acquire) &&
            flight_failure(f) != NULL)
            return true;
    }
    return false;
}

void sinter__edges_settle(sinter_stream *s, sinter__failure *failure)
{
    sinter__allocator *a = &s->ctx->allocator;
    if (s->order.flight != NULL && failure != NULL)
        flight_fail(a, s->order.flight, failure);
    if (s->order.flight != NULL)
        atomic_store_explicit(&s->order.flight->settled, true, memory_order_release);
    sinter__flight_release(a, s->order.flight);
    s->order.flight = NULL;
    sinter__mark_release(s->order.mark);
    s->order.mark = NULL;
    while (s->order.follow_count > 0)
        drop_follow(s, &s->order.follows[--s->order.follow_count]);
}
