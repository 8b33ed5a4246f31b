/* Cutting segments off a stream's queue: what is still needed, the plan, the run, and what becomes
 * of the results. */
#include "executor/queue/apply.h"
#include "executor/queue/formula.h"
#include "executor/queue/repeat.h"
#include "executor/report/report.h"
#include "executor/run/coming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of plans in flight before the host waits, so that a loop that never reads does not fill the
 * driver's queue. Not launches: a rehearsal has none, and waits in the same place. */
#define MAX_IN_FLIGHT 2048

/* Parts within parts: each is at most 3/4 of what it is of, and a queue numbers its tensors in 16 bits. */
#define MAX_DEPTH 48

typedef struct segment {
    sinter__graph graph; /* the first operations of the queue; borrows its arrays */
    uint32_t count;
    sinter__cut why;
    sinter__cut asked; /* why all were to run of which this may be a part */
    uint32_t *ends;    /* operations up to the end of that, of the part that holds it, and so on */
    int depth;
    bool is_part;
    bool must;     /* no less of it can be tried */
    bool waits;    /* but a wait would give memory back */
    bool hit;      /* the plan was stored */
    bool kept;     /* it is now */
    bool replaces; /* one is stored, and not right for these shapes */
    sinter__instance *instance;
} segment;

/* Entering */

/* Both of the queue's graphs, so that a cut cannot run out of memory while it moves operations
 * between them. */
SINTER__COLD static sinter_status reserve_more(sinter_stream *s, size_t operations)
{
    sinter__allocator *a = &s->ctx->allocator;
    const sinter__graph *g = &s->q.graph;
    /* Twice as many as now, since the next call wants more; operations no more than are ever queued. */
    size_t most = s->q.max_operations + operations;
    size_t total = SINTER__MAX(g->node_count + operations, SINTER__MIN(2 * s->reserved, most));
    size_t tensors = SINTER__MAX(g->tensor_count + operations * SINTER__OPERATION_TENSORS,
                                 2 * s->reserved_tensors);
    void *entered = s->entered;
    void *old = s->old.entered;
    void *renumber = s->old.renumber;
    s->old.repeatable = s->old.repeatable_tensors = 0;
    SINTER_TRY(sinter__queue_reserve(&s->q, sinter__held_operations(total),
                                     sinter__held_tensors(total, tensors)));
    sinter_status status =
        sinter__grow(a, &entered, &s->entered_capacity, g->tensor_capacity, sizeof *s->entered);
    s->entered = entered;
    if (status == SINTER_OK)
        status = sinter__grow(a, &old, &s->old.entered_capacity, g->tensor_capacity,
                              sizeof *s->old.entered);
    s->old.entered = old;
    if (status == SINTER_OK)
        status = sinter__grow(a, &renumber, &s->old.renumber_capacity, g->tensor_capacity,
                              sizeof *s->old.renumber);
    s->old.renumber = renumber;
    if (status != SINTER_OK)
        return status;
    sinter__graph_clear(&s->old.graph);
    SINTER_TRY(sinter__queue_reserve_graph(&s->old.graph, sinter__held_operations(total),
                                           sinter__held_tensors(total, tensors)));
    s->reserved = total;
    s->reserved_tensors = tensors;
    return SINTER_OK;
}

sinter_status sinter__stream_reserve(sinter_stream *s, size_t operations)
{
    const sinter__graph *g = &s->q.graph;
    bool fits = g->node_count + operations <= s->reserved &&
                g->tensor_count + operations * SINTER__OPERATION_TENSORS <= s->reserved_tensors;
    return fits ? SINTER_OK : reserve_more(s, operations);
}

/* The first tensor of the queue that lies in `storage`: the next one when there is none. What is the
 * stream's own remembers it. */
static uint16_t first_in_storage(const sinter_stream *s, sinter__storage *storage)
{
    if (storage != NULL && storage->pool == s->pool) {
        if (storage->epoch != s->epoch)
            storage->number = (uint16_t)s->q.graph.tensor_count;
        storage->epoch = s->epoch;
        return storage->number;
    }
    for (size_t t = 0; t < s->q.graph.tensor_count && storage != NULL; t++) {
        if (s->entered[t].storage == storage)
            return (uint16_t)t;
    }
    return (uint16_t)s->q.graph.tensor_count;
}

uint16_t sinter__stream_enter_storage(sinter_stream *s, sinter_dtype dtype,
                                      const sinter__view *view, sinter__storage *storage,
                                      sinter__failure *failure, sinter__slot *owner)
{
    sinter__gtensor t = {.dtype = (uint8_t)dtype,
                         .producer = SINTER__NO_NODE,
                         .storage = first_in_storage(s, storage),
                         .view = *view,
                         .owner = owner};
    t.whole = storage != NULL && sinter__storage_is_whole(storage, &t);
    if (storage != NULL) {
        sinter__storage_retain(storage);
        s->has_coming |= storage->coming != NULL;
    }
    if (storage != NULL && owner == NULL && storage->pool == s->pool)
        s->released_bytes += storage->bytes;
    sinter__failure_retain(failure);
    sinter__repeat_keep_tensor(s);
    s->entered[s->q.graph.tensor_count] = (sinter__entered){.storage = storage, .failure = failure};
    return sinter__graph_add_tensor(&s->q.graph, &t);
}

uint16_t sinter__stream_enter(sinter_stream *s, sinter__slot *slot)
{
    if (slot->epoch == s->epoch && atomic_load_explicit(&slot->home, memory_order_relaxed) == s)
        return slot->number;
    uint16_t number = sinter__stream_enter_storage(s, (sinter_dtype)slot->dtype, &slot->view,
                                                   slot->storage, slot->failure, slot);
    slot->number = number;
    slot->epoch = s->epoch;
    return number;
}

void sinter__stream_own(sinter_stream *s, uint16_t number, sinter__slot *owner)
{
    sinter__gtensor *t = &s->q.graph.tensors[number];
    t->owner = owner;
    owner->dtype = t->dtype;
    sinter__view_copy(&owner->view, &t->view);
    owner->pending = true;
    owner->number = number;
    owner->epoch = s->epoch;
    s->q.pending_bytes += (uint64_t)sinter__gtensor_bytes(t);
}

/* Liveness */

/* By the first tensor in a storage: how many references to it are of the graph, which begins the queue. */
static const uint16_t *count_held(sinter_stream *s, const sinter__graph *g)
{
    uint16_t *held = s->old.renumber;
    memset(held, 0, g->tensor_count * sizeof *held);
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (s->entered[t].storage != NULL)
            held[g->tensors[t].storage]++;
    }
    return held;
}

/* Says of every tensor of the segment whether anybody needs it afterwards. */
static void find_live(sinter_stream *s, segment *x)
{
    const sinter__graph *all = &s->q.graph;
    const uint16_t *held = count_held(s, &x->graph);
    for (size_t t = 0; t < x->graph.tensor_count; t++) {
        sinter__gtensor *tensor = &x->graph.tensors[t];
        const sinter__storage *storage = s->entered[t].storage;
        tensor->live = tensor->owner != NULL;
        tensor->sole = storage != NULL && storage->pool == s->pool && storage->is_writable &&
                       atomic_load_explicit(&storage->references, memory_order_acquire) ==
                           held[tensor->storage];
    }
    for (size_t n = x->count; n < all->node_count; n++) {
        const sinter__node *node = &all->nodes[n];
        for (int i = 0; i < node->in_count; i++) {
            if ((node->scalar_mask >> i & 1) == 0 && node->in[i] < x->graph.tensor_count)
                x->graph.tensors[node->in[i]].live = true;
        }
    }
}

/* The liveness as the plan's key: a bit per tensor that lives, then a bit per tensor that is solely
 * ours. */
static sinter_status pack_live(sinter_stream *s, const segment *x, sinter__liveness *out)
{
    size_t half = (x->graph.tensor_count + 63) / 64;
    void *bits = s->bits;
    sinter_status status =
        sinter__grow(&s->ctx->allocator, &bits, &s->bits_capacity, 2 * half, sizeof *s->bits);
    s->bits = bits;
    if (status != SINTER_OK)
        return status;
    for (size_t word = 0; word < half; word++) {
        size_t first = 64 * word;
        size_t end = SINTER__MIN(first + 64, x->graph.tensor_count);
        uint64_t lives = 0;
        uint64_t sole = 0;
        for (size_t t = first; t < end; t++) {
            const sinter__gtensor *tensor = &x->graph.tensors[t];
            lives |= (uint64_t)tensor->live << (t - first);
            sole |= (uint64_t)tensor->sole << (t - first);
        }
        s->bits[word] = lives;
        s->bits[half + word] = sole & ~lives;
    }
    *out = (sinter__liveness){.bits = s->bits, .words = 2 * half};
    return SINTER_OK;
}

/* Planning */

static sinter_status plan_within(sinter_stream *s, segment *x, const sinter__limits *limits)
{
    sinter__opened *on = s->on;
    sinter__compiled *compiled;
    SINTER_TRY(sinter__compiled_create(on->allocator, &on->programs, &x->graph, limits, &compiled));
    compiled->split = limits->max_group_nodes < on->limits.max_group_nodes;
    SINTER_TRY(sinter__instance_get(s, &x->graph, compiled, &x->instance));
    sinter_status status = sinter__instance_bind(s, x->instance, &x->graph, x->must || x->waits);
    if (status != SINTER_OK && status != SINTER_EBUDGET) {
        sinter__instance_destroy(s, x->instance);
        x->instance = NULL;
    }
    return status;
}

SINTER__COLD static void trace_plan(sinter_stream *s, const segment *x, uint64_t start_ns)
{
    char detail[64];
    unsigned groups = x->instance != NULL ? x->instance->compiled->plan.group_count : 0;
    (void)snprintf(detail, sizeof detail, "%u operations, %u groups", x->count, groups);
    sinter__trace_end(s->on->trace, s->queue, SINTER_TRACE_PLAN, "plan", detail, start_ns, 0);
}

/* Makes less of the limits, so that what could not be had may be; false when nothing less is left. A kernel
 * that does not build may owe it to the sub-groups that it asks for. */
static bool take_less(sinter_stream *s, const segment *x, sinter__limits *limits,
                      sinter_status status)
{
    static const sinter__log silent;
    uint32_t largest = SINTER__MIN(limits->max_group_nodes, x->count); /* that a group can be */
    const sinter__log *log = s->need != NULL ? &silent : s->on->log;
    if ((status != SINTER_EBUILD && status != SINTER_EUNSUPPORTED) ||
        (largest <= 1 && limits->shuffle == NULL))
        return false;
    if (limits->shuffle != NULL) {
        limits->shuffle = NULL;
        limits->sub_group = 0;
        sinter__log_line(log, SINTER__LOG_WARNING, "planned again without shuffles: %s",
                         sinter_last_error());
    } else {
        limits->max_group_nodes = largest / 2;
        sinter__log_line(log, SINTER__LOG_WARNING,
                         "planned again in groups of at most %u operations: %s",
                         limits->max_group_nodes, sinter_last_error());
    }
    if (s->need == NULL)
        sinter__count(&s->counts.fallbacks, 1);
    return true;
}

/* Plans the segment and binds it; where a kernel is too large or does not build, again without shuffles,
 * and then in groups half as large. */
SINTER__COLD static sinter_status plan_fresh(sinter_stream *s, segment *x)
{
    sinter__opened *on = s->on;
    sinter__limits limits = on->limits;
    for (;;) {
        uint64_t start_ns = sinter__trace_begin(on->trace);
        sinter_status status = plan_within(s, x, &limits);
        if (start_ns != 0)
            trace_plan(s, x, start_ns);
        if (!take_less(s, x, &limits, status))
            return status;
    }
}

/* `followed` operations have a place; a call may have queued more. */
static sinter__trigger trigger_of(const segment *x, uint32_t followed)
{
    if (x->is_part || (x->why != SINTER__CUT_OPERATIONS && x->why != SINTER__CUT_BYTES))
        return SINTER__TRIGGER_SYNC;
    return x->count < followed ? SINTER__TRIGGER_NEXT : SINTER__TRIGGER_ALWAYS;
}

/* Binds the plan stored at `place`; x->instance stays NULL when there is none for these shapes. *learns: a
 * fresh one may be stored. */
static sinter_status find_stored(sinter_stream *s, segment *x, sinter__place place,
                                 const sinter__liveness *live, bool *learns)
{
    sinter__opened *on = s->on;
    sinter__instance *in;
    sinter__payload *payload = sinter__store_find(on->store, place, live);
    *learns = true;
    x->replaces = false;
    if (payload == NULL)
        return SINTER_OK;
    SINTER_TRY(sinter__instance_get(s, &x->graph, (sinter__compiled *)payload, &in));
    sinter_status status = sinter__instance_bind(s, in, &x->graph, x->must || x->waits);
    if (status != SINTER_EBUILD && status != SINTER_EINTERNAL) {
        x->hit = x->kept = true;
        x->instance = in;
        return status;
    }
    /* EBUILD: these shapes want a kernel that does not build: smaller groups. The plan stays as it is:
     * it is right for other shapes, and a driver may not refuse for ever. EINTERNAL: the plan takes
     * for a view what is none in these shapes: one that copies first is right for both, and is found
     * before it from now on. */
    *learns = x->replaces = status == SINTER_EINTERNAL;
    sinter__clear_error();
    return SINTER_OK;
}

/* Plans, and stores what may be: a plan that does not fit too, so that it is not made again. */
static sinter_status learn_plan(sinter_stream *s, segment *x, sinter__place place, uint32_t depth,
                                const sinter__liveness *live, sinter__trigger trigger,
                                sinter__place next)
{
    sinter_status status = plan_fresh(s, x);
    if (x->instance != NULL && !sinter__instance_is_broken(x->instance))
        x->kept = sinter__store_learn(s->on->store, place, depth, live,
                                      &x->instance->compiled->payload, x->replaces, trigger, next);
    return status;
}

/* The place for the plan of a segment that another stream has cut: behind a record that no queue gives.
 * It is found when the same is cut there again, and no queue comes by it, so it never says where to cut.
 * The caller stands on it; SINTER__NOWHERE: there is no room. */
static sinter__place step_aside(const sinter_stream *s, const segment *x)
{
    sinter__store *store = s->on->store;
    sinter__relative record = {.op = SINTER__RELATIVE_ASIDE};
    sinter__place place = SINTER__ROOT;
    for (uint32_t n = 0; n <= x->count; n++) {
        sinter__step step = sinter__store_step(store, place, &record);
        if (step.place == SINTER__NOWHERE) {
            sinter__store_leave(store, place);
            return SINTER__NOWHERE;
        }
        place = step.place;
        if (n < x->count)
            sinter__relative_of(&x->graph, (uint16_t)n, 0, NULL, NULL,
                                sinter__queue_tensors(&s->q, n), &record);
    }
    return place;
}

static sinter_status find_aside(sinter_stream *s, segment *x, const sinter__liveness *live)
{
    bool learns;
    sinter__place place = step_aside(s, x);
    if (place == SINTER__NOWHERE)
        return plan_fresh(s, x);
    sinter_status status = find_stored(s, x, place, live, &learns);
    if (!x->hit && status == SINTER_OK)
        status = learns ? learn_plan(s, x, place, x->count + 1, live, SINTER__TRIGGER_SYNC,
                                     SINTER__NOWHERE)
                        : plan_fresh(s, x);
    sinter__store_leave(s->on->store, place);
    return status;
}

/* Finds the stored plan, or plans and stores. What begins or ends where another stream forced a cut is
 * stored aside: the stream's own cuts do not come from it. */
static sinter_status find_plan(sinter_stream *s, segment *x)
{
    bool learns;
    sinter__opened *on = s->on;
    sinter__liveness live;
    sinter__place place = sinter__queue_place(&s->q, x->count);
    sinter__trigger trigger = trigger_of(x, s->q.stepped);
    sinter__place next = trigger == SINTER__TRIGGER_NEXT ? sinter__queue_place(&s->q, x->count + 1)
                                                         : SINTER__NOWHERE;
    SINTER_TRY(pack_live(s, x, &live));
    bool aside = x->asked == SINTER__CUT_FOREIGN || s->is_disturbed;
    sinter_status status = find_stored(s, x, place, &live, &learns);
    if (x->hit && trigger != SINTER__TRIGGER_SYNC && !aside)
        sinter__store_trigger(on->store, place, x->count, trigger, next);
    if (x->hit || status != SINTER_OK)
        return status;
    if (!learns || s->need != NULL)
        return plan_fresh(s, x);
    return aside ? find_aside(s, x, &live)
                 : learn_plan(s, x, place, x->count, &live, trigger, next);
}

/* Results */

/* Gives a tensor of the segment its storage, of which it takes over one reference, and its owner a place to look. What
 * is left of the queue, if anything is, finds it as it finds what enters. */
static void settle(sinter_stream *s, const segment *x, uint16_t tensor, const sinter__view *view,
                   sinter__storage *storage, sinter__failure *failure)
{
    sinter__gtensor *t = &s->q.graph.tensors[tensor];
    sinter__slot *slot = t->owner;
    bool enters = x->count < sinter__queue_length(&s->q);
    if (failure != NULL) {
        sinter__storage_release(storage);
        storage = NULL;
    }
    t->view = *view;
    if (enters) {
        if (storage != NULL && slot != NULL)
            sinter__storage_retain(storage);
        sinter__failure_retain(failure);
        s->entered[tensor] = (sinter__entered){.storage = storage, .failure = failure};
    } else if (slot == NULL) {
        sinter__storage_release(storage);
    }
    if (slot == NULL)
        return;
    sinter__failure_retain(failure);
    slot->storage = storage;
    slot->failure = failure;
    slot->view = *view;
    slot->pending = false;
}

/* Views before what they lie in: that takes over the references that the instance has. */
static void settle_results(sinter_stream *s, const segment *x)
{
    sinter__instance *in = x->instance;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): find_plan has set it, in another file */
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t i = 0; i < plan->alias_count; i++) {
        uint16_t tensor = plan->aliases[i].tensor;
        uint16_t root = plan->aliases[i].root;
        sinter__view view;
        sinter__storage *storage = s->entered[root].storage;
        sinter__failure *failure = s->entered[root].failure;
        for (uint16_t k = 0; k < plan->stored_count; k++) {
            if (plan->stored[k].tensor == root) {
                storage = in->made[k];
                failure = in->failures[root];
            }
        }
        sinter__view own = s->q.graph.tensors[root].view;
        /* It is one: binding has looked. */
        if (!sinter__view_from_root(&x->graph, tensor, root, &own, &view))
            continue;
        if (storage != NULL)
            sinter__storage_retain(storage);
        settle(s, x, tensor, &view, storage, failure);
        if (s->need == NULL)
            sinter__count(&s->counts.aliases, 1);
    }
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        uint16_t tensor = plan->stored[i].tensor;
        const sinter__view packed = s->q.graph.tensors[tensor].view;
        if (!x->graph.tensors[tensor].live)
            continue;
        settle(s, x, tensor, &packed, in->made[i], in->failures[tensor]);
        in->made[i] = NULL;
    }
}

/* Every result of the segment that is held has failed. */
static void fail_results(sinter_stream *s, const segment *x, sinter_status status)
{
    sinter__failure *failure = sinter__failure_create(&s->ctx->allocator, status);
    for (size_t t = 0; t < x->graph.tensor_count; t++) {
        if (x->graph.tensors[t].producer != SINTER__NO_NODE && x->graph.tensors[t].live) {
            sinter__view view = x->graph.tensors[t].view;
            settle(s, x, (uint16_t)t, &view, NULL, failure);
        }
    }
    sinter__stream_fail(s, failure);
    sinter__failure_release(&s->ctx->allocator, failure);
}

/* The rest of the queue */

static void leave_entered(sinter_stream *s, sinter__entered *e)
{
    sinter__entered left = *e;
    *e = (sinter__entered){
        0}; /* first: leaving may wait, and what is lost then is looked for in the queue */
    if (left.storage != NULL && left.storage->pool != s->pool && left.storage->coming == NULL)
        sinter__stream_leave(s, left.storage);
    else
        sinter__storage_release(left.storage);
    sinter__failure_release(&s->ctx->allocator, left.failure);
}

/* What the queue has made has not entered. */
static void leave_all(sinter_stream *s, sinter__entered *entered, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        if (entered[t].storage != NULL || entered[t].failure != NULL)
            leave_entered(s, &entered[t]);
    }
}

/* The owner of a tensor learns its number in the new queue. */
static void tell_owner(const sinter_stream *s, void *owner, uint16_t number)
{
    sinter__slot *slot = owner;
    if (slot == NULL)
        return;
    slot->number = number;
    slot->epoch = s->epoch;
}

/* The number in the new queue of tensor `t` of the old one. */
static uint16_t renumbered(sinter_stream *s, uint16_t t)
{
    const sinter__gtensor *x = &s->old.graph.tensors[t];
    if (s->old.renumber[t] == UINT16_MAX) {
        s->old.renumber[t] = sinter__stream_enter_storage(s, (sinter_dtype)x->dtype, &x->view,
                                                          s->old.entered[t].storage,
                                                          s->old.entered[t].failure, x->owner);
        tell_owner(s, x->owner, s->old.renumber[t]);
    }
    return s->old.renumber[t];
}

/* Appends a node and its result. */
static uint16_t append(sinter_stream *s, sinter__node *node, const sinter__gtensor *out)
{
    sinter__graph *g = &s->q.graph;
    s->entered[g->tensor_count] = (sinter__entered){0};
    node->out = sinter__graph_add_tensor(g, out);
    (void)sinter__graph_add_node(g, node);
    return node->out;
}

/* What a reshape reads was to be packed when the reshape was queued. If it turned out to be a view
 * of something that is stored, strides may not express the reshape: then it is copied first. */
static void pack_input(sinter_stream *s, sinter__node *node, const sinter__view *out)
{
    const sinter__gtensor *in = &s->q.graph.tensors[node->in[0]];
    sinter__view view;
    if (in->producer != SINTER__NO_NODE ||
        sinter__view_reshape(&in->view, out->rank, out->shape, &view))
        return;
    sinter__node copy = {.op = SINTER__OP_COPY, .in_count = 1, .in = {node->in[0]}};
    const sinter__gtensor packed = {.dtype = in->dtype,
                                    .whole = true,
                                    .storage = (uint16_t)s->q.graph.tensor_count,
                                    .view = sinter__view_packed(in->view.rank, in->view.shape)};
    node->in[0] = append(s, &copy, &packed);
}

/* Appends operation `n` of the old queue to the new one. */
static void requeue(sinter_stream *s, size_t n)
{
    const sinter__graph *old = &s->old.graph;
    sinter__graph *g = &s->q.graph;
    sinter__node node = old->nodes[n];
    if (node.op == SINTER__OP_UPDATE && node.in_count == 3 &&
        s->old.renumber[node.in[2]] == UINT16_MAX)
        node.in_count = 2; /* what it replaces is seen by nothing that is left */
    for (int i = 0; i < node.in_count; i++) {
        bool scalar = (node.scalar_mask >> i & 1) != 0;
        node.in[i] = scalar ? sinter__graph_add_scalar(g, old->scalars[node.in[i]])
                            : renumbered(s, node.in[i]);
    }
    uint32_t params = sinter__node_params(old, &old->nodes[n]);
    node.param = (uint32_t)g->param_count;
    for (uint32_t i = 0; i < params; i++)
        g->params[g->param_count++] = old->params[old->nodes[n].param + i];
    sinter__gtensor out = old->tensors[node.out];
    if (node.op == SINTER__OP_RESHAPE)
        pack_input(s, &node, &out.view);
    out.storage = (uint16_t)g->tensor_count;
    if (out.owner != NULL)
        s->q.pending_bytes += (uint64_t)sinter__gtensor_bytes(&out);
    s->old.renumber[old->nodes[n].out] = append(s, &node, &out);
    tell_owner(s, out.owner, node.out);
}

/* Puts the operations after the first `count` into the other of the two graphs, which becomes the queue's. Nothing is
 * allocated and nothing can fail. */
static void requeue_rest(sinter_stream *s, uint32_t count, uint32_t *ends, int depth)
{
    sinter__graph graph = s->old.graph;
    sinter__entered *entered = s->old.entered;
    size_t capacity = s->old.entered_capacity;
    s->old.graph = s->q.graph;
    s->old.entered = s->entered;
    s->old.entered_capacity = s->entered_capacity;
    s->q.graph = graph;
    s->entered = entered;
    s->entered_capacity = capacity;
    s->old.repeatable = s->old.repeatable_tensors = 0;
    sinter__graph_clear(&s->q.graph);
    memset(s->old.renumber, 0xff, s->old.graph.tensor_count * sizeof *s->old.renumber);
    for (size_t n = count; n < s->old.graph.node_count; n++) {
        requeue(s, n);
        for (; depth > 0 && ends[depth - 1] == n + 1; depth--)
            ends[depth - 1] = sinter__queue_length(&s->q);
    }
    leave_all(s, s->old.entered, s->old.graph.tensor_count);
}

/* Starts the queue again with the operations after the first `count`. `ends`, the largest first, are behind
 * those, and become what they are in the new queue. */
static void restart(sinter_stream *s, uint32_t count, uint32_t *ends, int depth)
{
    bool is_all = count == sinter__queue_length(&s->q);
    size_t tensors = s->q.graph.tensor_count;
    if (s->q.same < count) /* what came behind the one that these arrays had is another matter */
        s->segments.next = s->segments.now;
    sinter__queue_restart(&s->q, count);
    sinter__formulas_restart(s, count);
    s->q.pending_bytes = 0;
    s->released_bytes = 0;
    s->has_coming = false;
    s->epoch++;
    if (is_all) {
        leave_all(s, s->entered, tensors);
        sinter__repeat_all(s);
    } else {
        requeue_rest(s, count, ends, depth);
        sinter__repeat_rest(s, count);
    }
    sinter__slots_deferred(s);
}

/* Cutting */

/* The first `count` operations of the queue as a graph that borrows the queue's arrays. It ends where
 * they end in each array: its numbers are part of what a plan is bound to. */
static sinter__graph first_operations(const sinter__queue *q, uint32_t count)
{
    sinter__graph g = q->graph;
    g.node_count = count;
    g.tensor_count = sinter__queue_tensors(q, count);
    g.param_count = 0;
    for (uint32_t n = q->graph.param_count > 0 ? count : 0; n-- > 0 && g.param_count == 0;) {
        uint32_t params = sinter__node_params(&g, &g.nodes[n]);
        g.param_count = params > 0 ? g.nodes[n].param + params : 0;
    }
    return g;
}

/* A plan that the store did not keep is not kept here either. */
static void drop_instance(sinter_stream *s, segment *x)
{
    if (x->instance != NULL && !x->kept)
        sinter__instance_destroy(s, x->instance);
    x->instance = NULL;
    x->hit = x->kept = false;
}

/* Where to end the first part of a segment that does not fit: in its middle half, where what has to be
 * stored for what follows has the fewest bytes, as near to the middle as that is. It depends on the
 * operations and their shapes alone. */
SINTER__COLD static uint32_t find_part(sinter_stream *s, const segment *x)
{
    const sinter__graph *g = &x->graph;
    uint32_t first = SINTER__MAX(x->count / 4, 1u);
    uint32_t best = x->count - first;
    int64_t least = INT64_MAX;
    int64_t crossing = 0;
    uint16_t *seen = s->old.renumber;
    memset(seen, 0, g->tensor_count * sizeof *seen);
    for (uint32_t n = x->count - 1; n >= first; n--) {
        const sinter__node *node = &g->nodes[n];
        for (int i = 0; i < node->in_count; i++) {
            uint16_t t = node->in[i];
            if ((node->scalar_mask >> i & 1) != 0 || seen[t] != 0 || g->tensors[t].live ||
                g->tensors[t].producer == SINTER__NO_NODE)
                continue;
            seen[t] = 1;
            crossing = sinter__add_bytes(crossing, sinter__gtensor_bytes(&g->tensors[t]));
        }
        if (seen[node->out] != 0)
            crossing -= sinter__gtensor_bytes(&g->tensors[node->out]);
        bool nearer = labs(2 * (long)n - (long)x->count) < labs(2 * (long)best - (long)x->count);
        if (n <= x->count - first && (crossing < least || (crossing == least && nearer))) {
            best = n;
            least = crossing;
        }
    }
    return best;
}

/* Notes a segment that is about to run. */
static void tell(sinter_stream *s, const segment *x)
{
    if (s->need != NULL)
        sinter__instance_need(x->instance, &x->graph, s->need);
    else
        sinter__report_segment(s, &x->graph, x->instance, x->why, x->hit);
}

/* By what was refused last. */
SINTER__COLD static unsigned long long missing_bytes(const sinter_stream *s)
{
    return atomic_load(&sinter__pool_memory(s->pool)->missing_bytes);
}

/* What is tried in the place of a segment that does not fit. */
SINTER__COLD static void take_part(sinter_stream *s, segment *x)
{
    uint32_t part = find_part(s, x);
    if (s->need == NULL) {
        sinter__report_line(
            s, SINTER__LOG_REASON,
            "%u operations are %llu bytes over the budget: %u of them by themselves", x->count,
            missing_bytes(s), part);
    }
    drop_instance(s, x);
    x->count = x->ends[x->depth++] = part;
    x->why = SINTER__CUT_FIT;
    x->is_part = true;
    sinter__clear_error();
}

/* Its memory. Copies that earlier segments have read are held until the stream waits, which it does before it is
 * refused for them: so that changes nothing where there is room. */
static sinter_status take_memory(sinter_stream *s, segment *x)
{
    sinter_status status =
        sinter__instance_take(s, x->instance, &x->graph, s->entered, x->must && !x->waits);
    if (status != SINTER_EBUDGET || !x->waits)
        return status;
    if (s->need == NULL) {
        sinter__report_line(s, SINTER__LOG_REASON,
                            "%u operations are %llu bytes over the budget: waits for what reads "
                            "copies from other devices",
                            x->count, missing_bytes(s));
    }
    sinter__clear_error();
    (void)sinter__stream_finish(s); /* what is lost then has no value, and is not read */
    return sinter__instance_take(s, x->instance, &x->graph, s->entered, x->must);
}

/* Plans the segment and takes its memory; of what does not fit the budget a part, down to one operation.
 * Only what would be refused becomes a part: what is free never changes a plan that fits. */
static sinter_status find_fitting(sinter_stream *s, segment *x)
{
    for (;;) {
        bool has_budget = sinter__pool_memory(s->pool)->budget_bytes > 0;
        x->must = x->count == 1 || !has_budget;
        x->waits = has_budget && sinter__stream_holds_copies(s);
        x->graph = first_operations(&s->q, x->count);
        find_live(s, x);
        sinter_status status = find_plan(s, x);
        if (status == SINTER_OK && x->must)
            tell(s, x);
        if (status == SINTER_OK)
            status = take_memory(s, x);
        if (status == SINTER_OK && !x->must)
            tell(s, x);
        if (status != SINTER_EBUDGET || x->must)
            return status;
        take_part(s, x);
    }
}

static sinter_status run_segment(sinter_stream *s, segment *x)
{
    SINTER_TRY(find_fitting(s, x));
    sinter__instance_run(s, x->instance, &x->graph, s->entered);
    if (x->why != SINTER__CUT_SYNC) /* which waits, and so says the same to the device */
        (void)s->on->backend->flush(s->on->state, s->queue);
    sinter__report_places(s, &x->graph, x->instance);
    settle_results(s, x);
    sinter__instance_release(x->instance, &x->graph);
    s->progress.steps += x->instance->compiled->plan.group_count;
    if (s->failures.late != NULL || s->progress.steps > MAX_IN_FLIGHT)
        (void)sinter__stream_finish(s);
    return SINTER_OK;
}

/* The same where nothing runs. */
SINTER__COLD static sinter_status rehearse_segment(sinter_stream *s, segment *x)
{
    sinter_status status = find_fitting(s, x);
    s->need->segments++;
    if (status == SINTER_EBUDGET)
        sinter__stream_lacks(s);
    SINTER_TRY(status);
    sinter__instance_pretend(x->instance);
    if (s->has_coming)
        sinter__coming_pretend(x->instance, s->entered);
    settle_results(s, x);
    sinter__instance_release(x->instance, &x->graph);
    s->progress.steps += x->instance->compiled->plan.group_count;
    if (s->progress.steps > MAX_IN_FLIGHT)
        (void)sinter__stream_finish(s);
    return SINTER_OK;
}

/* Runs the segment, or as much of it as fits. */
static void cut_part(sinter_stream *s, segment *x)
{
    sinter__opened *on = s->on;
    uint64_t start_ns = s->need == NULL ? sinter__trace_begin(on->trace) : 0;
    s->is_cancelled = false;
    sinter_status status = s->need == NULL ? run_segment(s, x) : rehearse_segment(s, x);
    if (s->need == NULL) {
        sinter__count(&s->counts.cuts, 1);
        sinter__count(x->hit ? &s->counts.plan_hits : &s->counts.plan_misses, 1);
    }
    if (status != SINTER_OK)
        fail_results(s, x, status);
    if (start_ns != 0)
        sinter__trace_end(on->trace, s->queue, SINTER_TRACE_CUT, "cut", sinter__cut_text(x->why),
                          start_ns, x->instance != NULL ? (uint64_t)x->instance->bytes_moved : 0);
}

/* Runs the first `count` operations of the queue; of what does not fit first a part, then the rest of it.
 * So the places where it may be cut depend on the operations and their shapes alone. What fails is said by the results,
 * and is no error of the call. */
static void cut_first(sinter_stream *s, uint32_t count, sinter__cut why)
{
    uint32_t ends[MAX_DEPTH]; /* large, as is the segment: only what counts is set */
    segment x;
    ends[0] = count;
    x.ends = ends;
    x.depth = count > 0;
    x.asked = why;
    x.is_part = false;
    x.hit = x.kept = false;
    x.instance = NULL;
    if (s->need == NULL)
        sinter__queue_judge(&s->q, count, why);
    while (x.depth > 0) {
        x.count = ends[x.depth - 1];
        x.why = x.depth > 1 ? SINTER__CUT_FIT : why;
        sinter__queue_follow(&s->q, x.count);
        cut_part(s, &x);
        bool hit = x.hit;
        drop_instance(s, &x);
        restart(s, x.count, ends, --x.depth);
        if (!hit)
            sinter__instances_sweep(s);
    }
    s->is_disturbed = why == SINTER__CUT_FOREIGN;
    sinter__clear_error();
}

/* Bytes of the stream's storages that nobody but the queue holds: what a cut gives back. */
SINTER__COLD static uint64_t only_queued(sinter_stream *s)
{
    const sinter__graph *g = &s->q.graph;
    const uint16_t *held = count_held(s, g);
    uint64_t bytes = 0;
    for (size_t t = 0; t < g->tensor_count; t++) {
        const sinter__storage *storage = s->entered[t].storage;
        if (storage != NULL && g->tensors[t].storage == t && storage->pool == s->pool &&
            storage->theirs == NULL &&
            atomic_load_explicit(&storage->references, memory_order_acquire) == held[t])
            bytes += storage->bytes;
    }
    return bytes;
}

void sinter__stream_shed(sinter_stream *s, uint32_t count)
{
    if (count == 0)
        return;
    s->released_bytes = only_queued(s);
    if (s->released_bytes > s->share_bytes)
        cut_first(s, count, SINTER__CUT_BUDGET);
}

void sinter__stream_advance(sinter_stream *s)
{
    sinter__cut why;
    for (uint32_t count = sinter__queue_advance(&s->q, &why); count > 0;
         count = sinter__queue_advance(&s->q, &why))
        cut_first(s, count, why);
}

void sinter__stream_cut(sinter_stream *s, sinter__cut why)
{
    if (s->need == NULL)
        sinter__stream_advance(s);
    cut_first(s, sinter__queue_length(&s->q), why);
}
