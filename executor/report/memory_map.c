/* The one hard idea: both profiles are of one kind of graph (sinter/memory.h). By operation a node is an
 * operation of the queue; by launch it is a group, whose results are those that are stored at all. So what
 * fusion saves is the difference of two numbers that were found in the same way. */
#include "executor/report/memory_map.h"

#include "executor/report/report.h"
#include "sinter/memory.h"

#include <string.h>

#define NO_NODE UINT32_MAX
#define SCRATCH (1u << 31) /* a label: group of the scratch; else a tensor */
#define MOST_NAMED 8       /* tensors in a line of the report */

struct sinter__step_record {
    sinter__step_record *next;
    sinter_step_memory step;
};

struct sinter__tensor_record {
    sinter__tensor_record *next;
    const void *memory; /* in which it lies */
    sinter_tensor_memory tensor;
};

/* A profile in the making. */
typedef struct draft {
    const sinter__graph *g;
    const sinter__plan *plan; /* by launch; NULL: by operation */
    sinter__arena arena;
    sinter_memory_node *nodes;
    uint32_t *labels; /* by node: a tensor, or SCRATCH and a group */
    uint32_t count;
    uint32_t *steps; /* by step: operation or group */
    uint32_t step_count;
    uint32_t *node_of; /* by tensor: what it lies in, or a view of it */
    uint32_t *inputs;
    size_t input_count;
    uint64_t *entries;
    sinter_memory_summary sum;
} draft;

/* Graphs */

/* Most inputs that the nodes of a draft have. */
static size_t input_limit(const sinter__graph *g, const sinter__plan *plan)
{
    size_t limit = g->tensor_count;
    for (size_t n = 0; n < g->node_count && plan == NULL; n++)
        limit += g->nodes[n].in_count;
    for (uint16_t i = 0; plan != NULL && i < plan->group_count; i++)
        limit += plan->groups[i].nest.access_count;
    for (uint16_t k = 0; plan != NULL && k < plan->update_count; k++)
        limit += plan->updates[k].copy != SINTER__NO_GROUP
                     ? plan->groups[plan->updates[k].copy].nest.access_count
                     : 0;
    return limit + (plan != NULL ? plan->stored_count : 0);
}

static sinter_status allocate(draft *d)
{
    sinter__arena *a = &d->arena;
    size_t steps = d->plan != NULL ? d->plan->group_count : d->g->node_count;
    size_t nodes = d->g->tensor_count + steps + 1;
    d->nodes = sinter__arena_array(a, nodes, sizeof *d->nodes);
    d->labels = sinter__arena_array(a, nodes, sizeof *d->labels);
    d->entries = sinter__arena_array(a, 2 * nodes + 2, sizeof *d->entries);
    d->steps = sinter__arena_array(a, steps + 1, sizeof *d->steps);
    d->node_of = sinter__arena_array(a, d->g->tensor_count + 1, sizeof *d->node_of);
    d->inputs = sinter__arena_array(a, input_limit(d->g, d->plan) + 1, sizeof *d->inputs);
    if (d->nodes == NULL || d->labels == NULL || d->entries == NULL || d->steps == NULL ||
        d->node_of == NULL || d->inputs == NULL)
        return SINTER_ENOMEM;
    memset(d->node_of, 0xff, d->g->tensor_count * sizeof *d->node_of);
    return SINTER_OK;
}

/* A node whose inputs are those added from now on. */
static sinter_memory_node *add_node(draft *d, sinter_memory_kind kind, uint32_t label,
                                    int64_t bytes)
{
    sinter_memory_node *n = &d->nodes[d->count];
    *n = (sinter_memory_node){.kind = kind,
                              .inputs = d->inputs + d->input_count,
                              .bytes = (uint64_t)bytes,
                              .is_releasable = kind != SINTER_MEMORY_PLACEHOLDER};
    d->labels[d->count++] = label;
    return n;
}

/* The node that tensor `t` lies in becomes an input of `n`, the last one. */
static void add_input(draft *d, sinter_memory_node *n, uint16_t t)
{
    if (d->node_of[t] == NO_NODE)
        return;
    d->inputs[d->input_count++] = d->node_of[t];
    n->input_count++;
}

/* What entered: a node for each storage. It stays until the segment has run. */
static void add_entered(draft *d, const sinter__entered *entered)
{
    for (size_t t = 0; t < d->g->tensor_count; t++) {
        const sinter__gtensor *x = &d->g->tensors[t];
        if (x->producer != SINTER__NO_NODE)
            continue;
        if (x->storage < t) {
            d->node_of[t] = d->node_of[x->storage];
            continue;
        }
        d->node_of[t] = d->count;
        const sinter__storage *storage = entered[t].storage;
        (void)add_node(d, SINTER_MEMORY_PLACEHOLDER, (uint32_t)t,
                       storage != NULL ? (int64_t)storage->bytes : 0);
    }
}

static bool is_view(const sinter__node *node)
{
    return sinter__op_info_of(node->op)->kind == SINTER__KIND_VIEW;
}

/* Says of every tensor whether something that lives depends on it: the plan leaves the others out as
 * well. */
static sinter_status find_needed(draft *d, bool **out)
{
    const sinter__graph *g = d->g;
    bool *needed = sinter__arena_array(&d->arena, g->tensor_count + 1, sizeof *needed);
    *out = needed;
    if (needed == NULL)
        return SINTER_ENOMEM;
    for (size_t t = 0; t < g->tensor_count; t++)
        needed[t] = g->tensors[t].live;
    for (size_t n = g->node_count; n-- > 0;) {
        const sinter__node *node = &g->nodes[n];
        for (int i = 0; i < sinter__node_operands(node) && needed[node->out]; i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                needed[node->in[i]] = true;
        }
    }
    return SINTER_OK;
}

/* Every operation a step of its own, views too, and what lives is held to the end. */
static sinter_status add_operations(draft *d)
{
    const sinter__graph *g = d->g;
    bool *needed;
    SINTER_TRY(find_needed(d, &needed));
    for (size_t k = 0; k < g->node_count; k++) {
        const sinter__node *node = &g->nodes[k];
        if (!needed[node->out])
            continue;
        sinter_memory_node *n = add_node(d, is_view(node) ? SINTER_MEMORY_VIEW : SINTER_MEMORY_CALL,
                                         node->out, sinter__gtensor_bytes(&g->tensors[node->out]));
        for (int i = 0; i < sinter__node_operands(node); i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                add_input(d, n, node->in[i]);
        }
        d->node_of[node->out] = d->count - 1;
        d->steps[d->step_count++] = (uint32_t)k;
    }
    sinter_memory_node *held = add_node(d, SINTER_MEMORY_OUTPUT, 0, 0);
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].live)
            add_input(d, held, (uint16_t)t);
    }
    return SINTER_OK;
}

/* What the groups of a list write lives from the list's first step on: they may run at once. What takes
 * an input's storage over takes no bytes, and what updates change in place is one storage from the first
 * of them on. */
static void add_results(draft *d, uint16_t list, uint32_t call)
{
    for (uint16_t k = 0; k < d->plan->stored_count; k++) {
        const sinter__stored *x = &d->plan->stored[k];
        const sinter__stored *keeper = &d->plan->stored[sinter__plan_keeper(d->plan, k)];
        if (d->plan->groups[x->first_group].list != list)
            continue;
        if (d->node_of[keeper->tensor] == NO_NODE) {
            bool is_given = keeper->donor != SINTER__NO_TENSOR;
            d->node_of[keeper->tensor] = d->count;
            sinter_memory_node *n =
                add_node(d, SINTER_MEMORY_RESULT, x->tensor,
                         is_given ? 0 : sinter__gtensor_bytes(&d->g->tensors[x->tensor]));
            n->is_releasable = !keeper->live;
            n->input_count = 1;
            d->inputs[d->input_count++] = call;
        }
        d->node_of[x->tensor] = d->node_of[keeper->tensor];
    }
}

static void add_nest(draft *d, sinter_memory_node *call, const sinter__nest *nest)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        if (nest->accesses[a].role == SINTER__ROLE_READ)
            add_input(d, call, nest->accesses[a].tensor);
    }
}

/* What the groups of a list read lives as long as its last step. What they write and nobody holds is read
 * by a later one. */
static void add_reads(draft *d, sinter_memory_node *call, uint16_t list, uint16_t end)
{
    for (uint16_t i = list; i < end; i++)
        add_nest(d, call, &d->plan->groups[i].nest);
    for (uint16_t k = 0; k < d->plan->update_count; k++) { /* their copies wait for them */
        const sinter__update *u = &d->plan->updates[k];
        if (u->copy != SINTER__NO_GROUP && list <= u->group && u->group < end)
            add_nest(d, call, &d->plan->groups[u->copy].nest);
    }
}

/* Every group a step, with its scratch, which nothing else reads. */
static void add_groups(draft *d, const sinter__instance *in)
{
    for (uint16_t i = 0; i < d->plan->group_count; i++) {
        uint16_t list = d->plan->groups[i].list;
        uint16_t end = sinter__list_end(d->plan, list);
        uint32_t scratch = in->request_of[d->plan->stored_count + i];
        uint64_t bytes = scratch != UINT32_MAX ? in->schema.requests[scratch].bytes : 0;
        uint32_t call = d->count;
        sinter_memory_node *n = add_node(d, SINTER_MEMORY_CALL, SCRATCH | i, (int64_t)bytes);
        if (i + 1 == end)
            add_reads(d, n, list, end);
        if (i == list)
            add_results(d, list, call);
        d->steps[d->step_count++] = i;
    }
}

static sinter_status find_profile(draft *d, const sinter__entered *entered,
                                  const sinter__instance *in)
{
    sinter_memory_graph graph = SINTER_MEMORY_GRAPH_INIT;
    size_t bytes;
    SINTER_TRY(allocate(d));
    add_entered(d, entered);
    if (d->plan == NULL)
        SINTER_TRY(add_operations(d));
    else
        add_groups(d, in);
    graph.nodes = d->nodes;
    graph.count = d->count;
    d->sum.size = sizeof d->sum;
    SINTER_TRY(sinter_memory_scratch_bytes(d->count, &bytes));
    void *scratch = sinter__arena_alloc(&d->arena, bytes);
    if (scratch == NULL)
        return SINTER_ENOMEM;
    return sinter_memory_profile(&graph, d->entries, scratch, bytes, &d->sum);
}

/* Texts */

/* "mul, add" */
static void print_step(sinter__buffer *b, const draft *d, uint32_t step)
{
    const sinter__graph *g = d->g;
    if (d->plan == NULL) {
        sinter__buffer_puts(b, sinter__op_info_of(g->nodes[d->steps[step]].op)->name);
        return;
    }
    sinter__report_operations(b, g, &d->plan->groups[d->steps[step]]);
}

/* The first entry at which most bytes live: while a step runs, if there are steps. */
static uint32_t peak_entry(const draft *d)
{
    return d->sum.peak_entry == 0 && d->step_count > 0 ? 1 : d->sum.peak_entry;
}

/* Most bytes, when, and what lives then. */
static void print_peak(sinter__buffer *b, const draft *d)
{
    uint32_t at = peak_entry(d);
    uint32_t named = 0;
    uint32_t more = 0;
    uint64_t more_bytes = 0;
    sinter__buffer_printf(b, "  memory by %s: peak %llu bytes",
                          d->plan != NULL ? "launch" : "operation",
                          (unsigned long long)d->sum.peak_bytes);
    if (at > 0) {
        sinter__buffer_printf(b, " at %s %u", d->plan != NULL ? "group" : "operation",
                              d->steps[(at - 1) / 2] + 1);
        if (d->plan == NULL) {
            sinter__buffer_puts(b, " (");
            print_step(b, d, (at - 1) / 2);
            sinter__buffer_puts(b, ")");
        }
    }
    for (uint32_t i = 0; i < d->count; i++) {
        const sinter_memory_node *n = &d->nodes[i];
        if (n->owned_bytes == 0 || n->first_entry > at || n->end_entry <= at)
            continue;
        if (named++ >= MOST_NAMED) {
            more++;
            more_bytes += n->owned_bytes;
            continue;
        }
        bool is_scratch = (d->labels[i] & SCRATCH) != 0;
        sinter__buffer_puts(b, named == 1 ? ": " : ", ");
        sinter__buffer_printf(b, is_scratch ? "scratch of group %u %llu" : "t%u %llu",
                              is_scratch ? (d->labels[i] & ~SCRATCH) + 1 : d->labels[i],
                              (unsigned long long)n->owned_bytes);
    }
    if (more > 0)
        sinter__buffer_printf(b, ", and %u more with %llu", more, (unsigned long long)more_bytes);
    sinter__buffer_puts(b, "\n");
}

static void print_profiles(sinter__buffer *b, const draft *operations, const draft *launches)
{
    print_peak(b, operations);
    print_peak(b, launches);
    for (uint32_t k = 0; k < launches->step_count; k++) {
        const uint64_t *e = launches->entries + (size_t)2 * k;
        sinter__buffer_printf(b, "    group %u: %llu bytes before, %llu during, %llu after\n",
                              launches->steps[k] + 1, (unsigned long long)e[0],
                              (unsigned long long)e[1], (unsigned long long)e[2]);
    }
    uint64_t before = operations->sum.peak_bytes;
    uint64_t after = launches->sum.peak_bytes;
    sinter__buffer_printf(b,
                          before >= after ? "  fusion saves %llu bytes of the peak\n"
                                          : "  fusion takes %llu bytes more at the peak\n",
                          (unsigned long long)(before >= after ? before - after : after - before));
}

/* Records */

static const char *copy_text(sinter__memory_map *m, const sinter__buffer *b)
{
    const char *text = sinter__buffer_text(b);
    return sinter__arena_copy(&m->arena, text, strlen(text) + 1, 1);
}

static sinter_status note_steps(sinter__memory_map *m, uint32_t segment, const draft *d)
{
    sinter__buffer b;
    sinter_status status = SINTER_OK;
    sinter__buffer_init(&b, m->arena.allocator);
    for (uint32_t k = 0; k < d->step_count && status == SINTER_OK; k++) {
        const uint64_t *e = d->entries + (size_t)2 * k;
        sinter__step_record *r = sinter__arena_alloc(&m->arena, sizeof *r);
        sinter__buffer_clear(&b);
        print_step(&b, d, k);
        const char *text = r != NULL ? copy_text(m, &b) : NULL;
        status = text != NULL ? sinter__buffer_status(&b) : SINTER_ENOMEM;
        if (text == NULL)
            break;
        r->step = (sinter_step_memory){.segment = segment,
                                       .number = d->steps[k] + 1,
                                       .is_launch = d->plan != NULL,
                                       .is_peak = peak_entry(d) == 2 * k + 1,
                                       .text = text,
                                       .before_bytes = e[0],
                                       .during_bytes = e[1],
                                       .after_bytes = e[2]};
        *m->last_step = r;
        m->last_step = &r->next;
    }
    sinter__buffer_finish(&b);
    return status;
}

void sinter__memory_map_profile(sinter__memory_map *m, uint32_t segment, const sinter_stream *s,
                                const sinter__graph *g, const sinter__instance *in,
                                sinter__buffer *text)
{
    draft operations = {.g = g};
    draft launches = {.g = g, .plan = &in->compiled->plan};
    sinter__arena_init(&operations.arena, &s->ctx->allocator);
    sinter__arena_init(&launches.arena, &s->ctx->allocator);
    sinter_status status = find_profile(&operations, s->entered, in);
    if (status == SINTER_OK)
        status = find_profile(&launches, s->entered, in);
    if (status == SINTER_OK)
        print_profiles(text, &operations, &launches);
    if (status == SINTER_OK && m != NULL)
        status = note_steps(m, segment, &operations);
    if (status == SINTER_OK && m != NULL)
        status = note_steps(m, segment, &launches);
    sinter__arena_finish(&operations.arena);
    sinter__arena_finish(&launches.arena);
    if (status == SINTER_OK)
        return;
    text->failed = true;
    if (m != NULL)
        m->status = status;
}

/* Places */

/* The place of a storage of the stream's pool. */
static void note(sinter__memory_map *m, const sinter_stream *s, const sinter__storage *storage,
                 const sinter_tensor_memory *what)
{
    if (storage == NULL || storage->pool != s->pool || m->status != SINTER_OK)
        return;
    sinter__tensor_record *r = sinter__arena_alloc(&m->arena, sizeof *r);
    if (r == NULL) {
        m->status = SINTER_ENOMEM;
        return;
    }
    r->memory = storage->address.memory;
    r->tensor = *what;
    r->tensor.slab = storage->block != SINTER__NO_BLOCK ? storage->slab : UINT32_MAX;
    r->tensor.offset_bytes += storage->address.offset_bytes;
    *m->last_tensor = r;
    m->last_tensor = &r->next;
}

/* What of a tensor is the same wherever it lies. */
static sinter_tensor_memory describe(const sinter_stream *s, const sinter__graph *g, uint16_t t)
{
    const sinter__gtensor *x = &g->tensors[t];
    sinter_tensor_memory out = {.number = t};
    if (x->producer != SINTER__NO_NODE)
        out.text = sinter__op_info_of(g->nodes[x->producer].op)->name;
    if (x->owner != NULL)
        out.tensor = sinter__slot_handle(s->ctx, x->owner);
    return out;
}

/* What an entering tensor or a result lies in, from one group to another. */
static void note_tensor(sinter__memory_map *m, const sinter_stream *s,
                        const sinter__storage *storage, sinter_tensor_memory what)
{
    what.bytes = storage != NULL ? storage->bytes : 0;
    note(m, s, storage, &what);
}

/* The tensor that the caller holds in the storage of entering tensor `t`: the first that entered lying in it, else
 * one that took it over. */
static sinter_tensor held_in(const sinter_stream *s, const sinter__graph *g,
                             const sinter__plan *plan, uint16_t t)
{
    for (size_t k = t; k < g->tensor_count; k++) {
        const sinter__gtensor *x = &g->tensors[k];
        if (x->producer == SINTER__NO_NODE && x->storage == t && x->owner != NULL)
            return sinter__slot_handle(s->ctx, x->owner);
    }
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        uint16_t donor = plan->stored[sinter__plan_keeper(plan, i)].donor;
        void *owner = g->tensors[plan->stored[i].tensor].owner;
        if (donor != SINTER__NO_TENSOR && g->tensors[donor].storage == t && owner != NULL)
            return sinter__slot_handle(s->ctx, owner);
    }
    return (sinter_tensor){0};
}

static void note_entered(sinter__memory_map *m, uint32_t segment, const sinter_stream *s,
                         const sinter__graph *g, const sinter__plan *plan)
{
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].producer != SINTER__NO_NODE || g->tensors[t].storage < t)
            continue;
        sinter_tensor_memory what = describe(s, g, (uint16_t)t);
        what.segment = segment;
        what.role = SINTER_MEMORY_ENTERED;
        what.first_group = 1;
        what.end_group = plan->group_count + 1u;
        what.tensor = held_in(s, g, plan, (uint16_t)t);
        note_tensor(m, s, s->entered[t].storage, what);
    }
}

/* A request: its part of the workspace, or a storage of its own. */
static void note_request(sinter__memory_map *m, const sinter_stream *s, const sinter__instance *in,
                         uint32_t request, sinter_tensor_memory what)
{
    const sinter_plan_request *q = &in->schema.requests[request];
    what.first_group = (uint32_t)q->start + 1;
    what.end_group = (uint32_t)q->end + 1;
    what.bytes = q->bytes;
    what.offset_bytes = in->lies_apart ? 0 : q->offset_bytes;
    note(m, s, in->parts[in->lies_apart ? request : 0], &what);
}

/* Results have their storage before the first group runs, unless they take an input's over. */
static void note_stored(sinter__memory_map *m, uint32_t segment, const sinter_stream *s,
                        const sinter__graph *g, const sinter__instance *in)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        const sinter__stored *x = &plan->stored[i];
        if (x->heir != i)
            continue; /* an update changes it in place */
        sinter_tensor_memory what = describe(s, g, x->tensor);
        what.segment = segment;
        what.made_group = plan->groups[x->group].list + 1u;
        if (in->request_of[i] != UINT32_MAX) {
            what.role = SINTER_MEMORY_WORKSPACE;
            note_request(m, s, in, in->request_of[i], what);
        } else if (x->donor == SINTER__NO_TENSOR) {
            what.role = SINTER_MEMORY_MADE;
            what.first_group = 1;
            what.end_group = plan->group_count + 1u;
            note_tensor(m, s, in->made[i], what);
        }
    }
    for (uint16_t i = 0; i < plan->group_count; i++) {
        uint32_t request = in->request_of[plan->stored_count + i];
        const sinter_tensor_memory what = {.segment = segment,
                                           .role = SINTER_MEMORY_SCRATCH,
                                           .number = i + 1u,
                                           .made_group = i + 1u};
        if (request != UINT32_MAX)
            note_request(m, s, in, request, what);
    }
}

typedef struct holding {
    sinter__memory_map *map;
    sinter_stream *stream;
    uint32_t segment, end;
    const sinter__tensor_record *before; /* the last of earlier segments; NULL: there is none */
} holding;

/* A tensor of the stream that has a value and that the segment has not named. */
static bool note_held(void *user, sinter__slot *slot)
{
    const holding *h = user;
    sinter__memory_map *m = h->map;
    if (atomic_load_explicit(&slot->home, memory_order_relaxed) != h->stream)
        return true; /* its home's lock guards the rest of it */
    const sinter__storage *storage = slot->storage;
    if (storage == NULL)
        return true;
    const sinter__tensor_record *r = h->before != NULL ? h->before->next : m->tensors;
    for (; r != NULL; r = r->next) {
        if (r->memory == storage->address.memory &&
            r->tensor.offset_bytes == storage->address.offset_bytes)
            return true;
    }
    const sinter_tensor_memory what = {.segment = h->segment,
                                       .role = SINTER_MEMORY_HELD,
                                       .first_group = 1,
                                       .end_group = h->end,
                                       .tensor = sinter__slot_handle(h->stream->ctx, slot)};
    note_tensor(m, h->stream, storage, what);
    return true;
}

void sinter__memory_map_places(sinter__memory_map *m, uint32_t segment, sinter_stream *s,
                               const sinter__graph *g, const sinter__instance *in)
{
    uint32_t end = in->compiled->plan.group_count + 1u;
    holding held = {.map = m, .stream = s, .segment = segment, .end = end};
    for (const sinter__tensor_record *r = m->tensors; r != NULL; r = r->next)
        held.before = r;
    note_entered(m, segment, s, g, &in->compiled->plan);
    note_stored(m, segment, s, g, in);
    sinter__slots_visit(s->ctx, note_held, &held);
    sinter__clear_error();
}

/* The map */

void sinter__memory_map_init(sinter__memory_map *m, sinter__allocator *a)
{
    *m = (sinter__memory_map){.last_step = &m->steps, .last_tensor = &m->tensors};
    sinter__arena_init(&m->arena, a);
}

void sinter__memory_map_finish(sinter__memory_map *m)
{
    sinter__arena_finish(&m->arena);
}

sinter_status sinter__memory_map_visit(const sinter__memory_map *m,
                                       const sinter_memory_visitor *visitor, void *user)
{
    if (m->status != SINTER_OK)
        return sinter__fail(m->status, "report_memory: there was no memory to note all of it");
    for (const sinter__step_record *r = m->steps; r != NULL && visitor->step != NULL; r = r->next)
        visitor->step(user, &r->step);
    for (const sinter__tensor_record *r = m->tensors; r != NULL && visitor->tensor != NULL;
         r = r->next)
        visitor->tensor(user, &r->tensor);
    return SINTER_OK;
}
