/* The one hard idea: a loop may have several segments -- a step of training that reads its loss in the middle has two
 * -- and each of them is compared with itself (executor/queue/repeat.h), not with the one before it. So the arrays that a
 * queue is written over are kept by segment, and change places: those of what came behind a segment
 * the last time are put into the queue when it is cut. Where something else comes, its first
 * operation is queued the long way, in the wrong arrays; then it is looked for among those that are
 * kept, moved there, and what it was written over is put back.
 *
 * Only beginnings are looked at. Of segments that begin alike the last one is kept: to compare each operation with
 * several would cost the loops that have one. */
#include "executor/queue/former.h"

#include "executor/queue/formula.h"
#include "executor/queue/repeat.h"

#include <string.h>

#define SWAP(type, a, b)                                                                           \
    do {                                                                                           \
        type swapped_ = (a);                                                                       \
        (a) = (b);                                                                                 \
        (b) = swapped_;                                                                            \
    } while (0)

/* As much room as the queue has, in the former's arrays and in the old graph: arrays that go from
 * segment to segment have grown after one turn. */
static bool make_room(sinter_stream *s, sinter__former *f)
{
    sinter__allocator *a = &s->ctx->allocator;
    size_t reserved = SINTER__MAX(f->reserved, s->reserved);
    size_t tensors = SINTER__MAX(f->reserved_tensors, s->reserved_tensors);
    size_t operations = sinter__held_operations(reserved);
    size_t held_tensors = sinter__held_tensors(reserved, tensors);
    void *taken = f->taken;
    if (f->graph.allocator == NULL)
        sinter__graph_init(&f->graph, a);
    sinter_status status = sinter__queue_reserve_graph(&f->graph, operations, held_tensors);
    if (status == SINTER_OK)
        status = sinter__grow(a, &taken, &f->taken_capacity, operations, sizeof *f->taken);
    f->taken = taken;
    if (status == SINTER_OK) {
        f->reserved = reserved;
        f->reserved_tensors = tensors;
        status = sinter__queue_reserve_graph(&s->old.graph, operations, held_tensors);
    }
    if (status != SINTER_OK)
        sinter__clear_error(); /* it is queued the long way */
    return status == SINTER_OK;
}

/* What is the former's becomes the queue's, and the other way round. */
static void exchange(sinter_stream *s, sinter__former *f)
{
    SWAP(uint32_t, s->segments.now, f->number);
    SWAP(uint32_t, s->segments.next, f->next);
    SWAP(sinter__graph, s->q.graph, f->graph);
    SWAP(sinter__taken *, s->q.taken, f->taken);
    SWAP(size_t, s->q.taken_capacity, f->taken_capacity);
    SWAP(size_t, s->reserved, f->reserved);
    SWAP(size_t, s->reserved_tensors, f->reserved_tensors);
    SWAP(uint32_t, s->old.repeatable, f->repeatable);
    SWAP(uint32_t, s->old.repeatable_tensors, f->repeatable_tensors);
    SWAP(struct sinter__queued_formula *, s->formulas.at, f->formulas);
    SWAP(size_t, s->formulas.capacity, f->formula_capacity);
    SWAP(uint32_t, s->formulas.known, f->known_formulas);
    s->formulas.count = s->formulas.next = 0;
    f->epoch = s->epoch;
}

void sinter__former_expect(sinter_stream *s)
{
    s->segments.last_cut = s->segments.now;
    if (s->segments.next == s->segments.now)
        return;
    for (size_t i = 0; i < SINTER__FORMERS; i++) {
        sinter__former *f = &s->formers[i];
        if (f->number == s->segments.next && f->repeatable > 0 && make_room(s, f)) {
            exchange(s, f);
            return;
        }
    }
}

/* Whether `now` is how the former began. */
static bool began_so(const sinter__former *f, const sinter__graph *now)
{
    bool same = now->node_count <= f->repeatable;
    for (uint32_t n = 0; n < now->node_count && same; n++)
        same = sinter__repeat_stands(now, &f->graph, n);
    return same;
}

/* One that began as `now` does; otherwise the one that left the queue first. */
static sinter__former *find(sinter_stream *s, const sinter__graph *now, bool *known)
{
    sinter__former *oldest = &s->formers[0];
    *known = false;
    for (size_t i = 0; i < SINTER__FORMERS && !*known; i++) {
        sinter__former *f = &s->formers[i];
        if (f->graph.allocator == NULL)
            f->number = f->next = (uint32_t)i + 1; /* the queue's own began with 0 */
        *known = began_so(f, now);
        if (*known || f->epoch < oldest->epoch)
            oldest = f;
    }
    return oldest;
}

/* What has come is expected there the next time. */
static void learn(sinter_stream *s)
{
    if (s->segments.last_cut == s->segments.now)
        s->segments.next = s->segments.now;
    for (size_t i = 0; i < SINTER__FORMERS; i++) {
        if (s->formers[i].number == s->segments.last_cut)
            s->formers[i].next = s->segments.now;
    }
}

/* Moves `now`, the queue's first operations, from where it stands to former arrays, which become the queue's. What has
 * the last segment then; NULL: nothing has happened. */
static sinter__former *move(sinter_stream *s, const sinter__graph *now)
{
    bool known;
    sinter__former *f = find(s, now, &known);
    if ((!known && s->old.repeatable == 0) || s->need != NULL || !make_room(s, f))
        return NULL;
    if (!known) {
        f->repeatable = f->repeatable_tensors = f->known_formulas = 0;
        f->next = f->number;
    }
    sinter__graph_copy(&f->graph, now);
    exchange(s, f);
    s->q.same = known ? sinter__queue_length(&s->q) : 0;
    learn(s);
    sinter__graph_clear(&f->graph);
    sinter__graph_clear(&s->old.graph);
    return f;
}

void sinter__former_turn(sinter_stream *s)
{
    sinter__former *last = move(s, &s->q.graph);
    if (last == NULL)
        return;
    const sinter__graph *now = &s->q.graph;
    const sinter__graph *old = &s->old.graph; /* what the last one's first operations were */
    sinter__graph *g = &last->graph;
    size_t nodes = SINTER__MIN(now->node_count, (size_t)last->repeatable);
    size_t tensors = SINTER__MIN(now->tensor_count, (size_t)last->repeatable_tensors);
    memcpy(g->nodes, old->nodes, nodes * sizeof *g->nodes);
    memcpy(g->tensors, old->tensors, tensors * sizeof *g->tensors);
    memcpy(g->params, old->params, sizeof(int64_t[SINTER__KEPT_PARAMS]));
    memcpy(g->scalars, old->scalars, sizeof(uint64_t[SINTER__MAX_OPERANDS]));
}

bool sinter__former_turn_rest(sinter_stream *s)
{
    SWAP(sinter__graph, s->q.graph, s->old.graph);
    if (move(s, &s->old.graph) != NULL)
        return true;
    SWAP(sinter__graph, s->q.graph, s->old.graph);
    return false;
}

void sinter__formers_finish(sinter_stream *s)
{
    sinter__allocator *a = &s->ctx->allocator;
    for (size_t i = 0; i < SINTER__FORMERS; i++) {
        sinter__former *f = &s->formers[i];
        if (f->graph.allocator != NULL)
            sinter__graph_finish(&f->graph);
        sinter__free(a, f->taken, f->taken_capacity * sizeof *f->taken);
        sinter__free(a, f->formulas, f->formula_capacity * sizeof *f->formulas);
    }
}
