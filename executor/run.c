/* Running an instance: memory first, so that what does not fit is refused before anything runs;
 * then the launches; a launch that fails is tried again in smaller groups, and what still fails
 * takes down exactly what depends on it. */
#include "executor/coming.h"
#include "executor/pace.h"
#include "executor/recording.h"
#include "executor/report.h"
#include "executor/shadow.h"
#include "executor/share.h"
#include "executor/shard/span.h"
#include "fusion/bytes.h"

#include <stdio.h>
#include <string.h>

/* Memory */

static void release_parts(sinter__instance *in)
{
    size_t count = in->compiled->plan.stored_count + (size_t)in->compiled->plan.group_count + 1;
    for (size_t i = 0; i < count; i++) {
        sinter__storage_release(in->parts[i]);
        in->parts[i] = NULL;
    }
}

static void release_made(sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        sinter__storage_release(in->made[i]);
        in->made[i] = NULL;
    }
}

/* Finds what depends on a tensor without a value: the first cause that reaches it. */
SINTER__COLD static void trace_failures(sinter__instance *in, const sinter__graph *g)
{
    memcpy(in->traced, in->failures, g->tensor_count * sizeof *in->traced);
    for (size_t n = 0; n < g->node_count; n++) {
        const sinter__node *node = &g->nodes[n];
        for (int i = 0; i < sinter__node_operands(node) && in->traced[node->out] == NULL; i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                in->traced[node->out] = in->traced[node->in[i]];
        }
    }
}

/* What enters without a value. */
static void enter_failures(sinter__instance *in, const sinter__graph *g,
                           const sinter__entered *entered)
{
    in->is_poisoned = false;
    for (size_t t = 0; t < g->tensor_count; t++) {
        bool enters = g->tensors[t].producer == SINTER__NO_NODE;
        in->failures[t] = enters ? entered[t].failure : NULL;
        in->is_poisoned |= in->failures[t] != NULL;
    }
    if (in->is_poisoned)
        trace_failures(in, g);
}

/* Bytes of what is kept under number `slot` of in->request_of while step `step` runs, which is 0 for
 * what does not live then: a stored tensor that is made, an intermediate, or scratch. Behind those are
 * the tensors of the graph, of which what enters lives all the time. */
SINTER__COLD static uint64_t bytes_in_step(const sinter__instance *in, const sinter__graph *g,
                                           size_t slot, uint32_t step)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__stored *x = slot < plan->stored_count ? &plan->stored[slot] : NULL;
    size_t own = (size_t)plan->stored_count + plan->group_count;
    if (slot >= own) {
        const sinter__gtensor *t = &g->tensors[slot - own];
        bool enters = t->producer == SINTER__NO_NODE && t->storage == slot - own;
        return enters ? (uint64_t)sinter__view_distinct(&t->view) *
                            sinter_dtype_bytes((sinter_dtype)t->dtype)
                      : 0;
    }
    uint32_t request = in->request_of[slot];
    if (request != UINT32_MAX) {
        const sinter_plan_request *r = &in->schema.requests[request];
        return r->start <= step && step < r->end ? r->bytes : 0;
    }
    if (x == NULL || !x->live || x->donor != SINTER__NO_TENSOR)
        return 0;
    return (uint64_t)SINTER__MAX(sinter__gtensor_bytes(&g->tensors[x->tensor]), (int64_t)1);
}

#define NAMED_TENSORS 3 /* in the line of a refusal, which is short */

/* What is kept under number `slot`: "f32 [32,7] exp", or scratch. Returns the characters written. */
SINTER__COLD static size_t name_slot(const sinter__instance *in, const sinter__graph *g,
                                     size_t slot, const char *before, char *out, size_t room)
{
    const sinter__plan *plan = &in->compiled->plan;
    char shape[SINTER__SHAPE_TEXT];
    int used;
    size_t own = (size_t)plan->stored_count + plan->group_count;
    if (slot >= plan->stored_count && slot < own) {
        used = snprintf(out, room, "%sscratch", before);
    } else {
        size_t number = slot < own ? plan->stored[slot].tensor : slot - own;
        const sinter__gtensor *t = &g->tensors[number];
        used =
            snprintf(out, room, "%s%s %.48s %s", before, sinter_dtype_name((sinter_dtype)t->dtype),
                     sinter__shape_text(t->view.rank, t->view.shape, shape),
                     slot < own ? sinter__op_info_of(g->nodes[t->producer].op)->name : "input");
    }
    return used < 0 ? 0 : SINTER__MIN((size_t)used, room - 1);
}

/* The largest of what lives in step `step`, in the order of their sizes. */
SINTER__COLD static void name_live(const sinter__instance *in, const sinter__graph *g,
                                   uint32_t step, char *out, size_t room)
{
    size_t slots =
        (size_t)in->compiled->plan.stored_count + in->compiled->plan.group_count + g->tensor_count;
    size_t last = SIZE_MAX;
    uint64_t last_bytes = UINT64_MAX;
    size_t at = 0;
    for (int named = 0; named < NAMED_TENSORS; named++) {
        size_t best = SIZE_MAX;
        uint64_t most = 0;
        for (size_t i = 0; i < slots; i++) {
            uint64_t bytes = bytes_in_step(in, g, i, step);
            bool comes_after = bytes < last_bytes || (bytes == last_bytes && i > last);
            if (bytes > most && comes_after) {
                best = i;
                most = bytes;
            }
        }
        if (best == SIZE_MAX || at + 1 >= room)
            return;
        at += name_slot(in, g, best, named > 0 ? ", " : "", out + at, room - at);
        last = best;
        last_bytes = most;
    }
}

/* What has no room: the intermediates, most of which live in one step. */
SINTER__COLD static sinter_status
no_room_for_workspace(const sinter__instance *in, const sinter__graph *g, sinter_status status)
{
    const sinter__workspace *schema = &in->schema;
    uint64_t most = 0;
    unsigned step = 0;
    unsigned alive = 0;
    char live[128] = "";
    char what[256];
    for (unsigned i = 0; i < in->compiled->plan.group_count; i++) {
        uint64_t bytes = 0;
        unsigned count = 0;
        for (size_t k = 0; k < schema->count; k++) {
            bool lives = schema->requests[k].start <= i && i < schema->requests[k].end;
            bytes += lives ? schema->requests[k].bytes : 0;
            count += lives;
        }
        if (bytes > most) {
            most = bytes;
            step = i;
            alive = count;
        }
    }
    name_live(in, g, step, live, sizeof live);
    (void)snprintf(what, sizeof what,
                   "%u intermediates of %llu bytes live in step %u of %u (live there: %s)", alive,
                   (unsigned long long)most, step + 1, in->compiled->plan.group_count, live);
    return sinter__fail_in(status, what);
}

/* The workspace as one block, or a storage for each request where none may hold them all. */
static sinter_status take_workspace(sinter__instance *in, const sinter__graph *g,
                                    const sinter__memory_shared *m, sinter__pool *pool)
{
    sinter_status status = SINTER_OK;
    in->lies_apart = m->mode == SINTER_MEMORY_SEPARATE || m->mode == SINTER_MEMORY_RED_ZONE ||
                     in->schema.total_bytes > m->max_slab_bytes;
    if (!in->lies_apart) {
        if (in->schema.total_bytes > 0)
            status = sinter__storage_create(pool, in->schema.total_bytes, &in->parts[0]);
    } else {
        for (size_t i = 0; i < in->schema.count && status == SINTER_OK; i++)
            status = sinter__storage_create(pool, in->schema.requests[i].bytes, &in->parts[i]);
    }
    return status == SINTER_OK ? status : no_room_for_workspace(in, g, status);
}

SINTER__COLD static sinter_status no_room_for_output(const sinter__instance *in,
                                                     const sinter__graph *g,
                                                     const sinter__stored *x, sinter_status status)
{
    const sinter__gtensor *t = &g->tensors[x->tensor];
    char shape[SINTER__SHAPE_TEXT];
    char live[128] = "";
    char what[SINTER__SHAPE_TEXT + 224];
    name_live(in, g, x->group, live, sizeof live);
    (void)snprintf(what, sizeof what, "%s %s, made by %s in step %u of %u (live there: %s)",
                   sinter_dtype_name((sinter_dtype)t->dtype),
                   sinter__shape_text(t->view.rank, t->view.shape, shape),
                   sinter__op_info_of(g->nodes[t->producer].op)->name, x->group + 1u,
                   in->compiled->plan.group_count, live);
    return sinter__fail_in(status, what);
}

/* Storage for what outlives the segment and can have a value. */
static sinter_status take_outputs(sinter__instance *in, const sinter__graph *g,
                                  const sinter__entered *entered, sinter__pool *pool)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        const sinter__stored *x = &plan->stored[i];
        uint64_t bytes = sinter__instance_output_bytes(in, g, i);
        /* What an update failed to change may be read before it. */
        bool fails = in->is_poisoned && in->traced[x->tensor] != NULL && !x->inherits;
        if (x->donor != SINTER__NO_TENSOR && !fails && entered[x->donor].storage != NULL) {
            in->made[i] = entered[x->donor].storage;
            sinter__storage_retain(in->made[i]);
            continue;
        }
        if (bytes == 0 || fails)
            continue;
        sinter_status status = sinter__storage_create(pool, bytes, &in->made[i]);
        if (status != SINTER_OK)
            return no_room_for_output(in, g, x, status);
    }
    return SINTER_OK;
}

/* Results that took over a storage that entered. */
static uint64_t count_donations(const sinter__instance *in)
{
    uint64_t count = 0;
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        const sinter__stored *x = &in->compiled->plan.stored[i];
        count += x->donor != SINTER__NO_TENSOR && in->made[i] != NULL;
    }
    return count;
}

sinter_status sinter__instance_take(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                    sinter__entered *entered, bool must)
{
    sinter_status status =
        s->has_coming ? sinter__coming_place(s, in, g, entered, must) : SINTER_OK;
    enter_failures(in, g, entered);
    if (status == SINTER_OK)
        status = sinter__pace_reserve(s, in->rows_bytes);
    if (status == SINTER_OK)
        status = take_workspace(in, g, &s->on->memory, s->pool);
    if (status == SINTER_OK)
        status = take_outputs(in, g, entered, s->pool);
    if (status == SINTER_OK)
        return SINTER_OK;
    if (s->has_coming) /* what is run instead may not read it */
        sinter__coming_unplace(in, entered);
    sinter__stream_doubt(s, status); /* making a slab waits */
    release_parts(in);
    release_made(in);
    return status;
}

SINTER__COLD void sinter__instance_need(const sinter__instance *in, const sinter__graph *g,
                                        sinter_memory_need *out)
{
    out->workspace_bytes = SINTER__MAX(out->workspace_bytes, in->schema.total_bytes);
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++)
        out->result_bytes += sinter__instance_output_bytes(in, g, i);
}

SINTER__COLD void sinter__instance_pretend(sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.stored_count && in->is_poisoned; i++) {
        uint16_t tensor = in->compiled->plan.stored[i].tensor;
        in->failures[tensor] = in->traced[tensor];
        sinter__failure_retain(in->failures[tensor]);
    }
}

static sinter__address request_address(const sinter__instance *in, uint32_t request)
{
    if (in->lies_apart)
        return in->parts[request]->address;
    sinter__address at = in->parts[0] != NULL ? in->parts[0]->address : (sinter__address){0};
    at.offset_bytes += in->schema.requests[request].offset_bytes;
    return at;
}

sinter__operands sinter__instance_operands(const sinter__instance *in, const sinter__graph *g,
                                           uint16_t group)
{
    sinter__operands operands = {
        .tensors = in->addresses, .placement = in->placement, .scalars = g->scalars};
    uint32_t scratch = in->request_of[in->compiled->plan.stored_count + group];
    if (scratch != UINT32_MAX)
        operands.scratch = request_address(in, scratch);
    return operands;
}

/* What of the workspace is born in a step, or has died in it: SINTER__SHADOW_FRESH, SINTER__SHADOW_CLOSED. */
static void shadow_requests(const sinter_stream *s, const sinter__instance *in, int64_t step,
                            sinter__shadow shadow)
{
    for (size_t i = 0; i < in->schema.count && !in->lies_apart; i++) {
        const sinter_plan_request *r = &in->schema.requests[i];
        if ((shadow == SINTER__SHADOW_FRESH ? r->start : r->end - 1) == step)
            sinter__shadow_bytes(&s->on->memory, s->queue, request_address(in, (uint32_t)i),
                                 r->bytes, shadow);
    }
}

/* A workspace holds nothing before the first step. */
static void shadow_workspace(const sinter_stream *s, const sinter__instance *in)
{
    if (in->parts[0] != NULL && !in->lies_apart)
        sinter__shadow_bytes(&s->on->memory, s->queue, in->parts[0]->address, in->parts[0]->bytes,
                             SINTER__SHADOW_CLOSED);
}

static void set_address(sinter__instance *in, size_t tensor, sinter__address to)
{
    sinter__address *at = &in->addresses[tensor];
    in->placement += at->memory != to.memory || at->offset_bytes != to.offset_bytes;
    *at = to;
}

static void set_addresses(sinter__instance *in, const sinter__graph *g,
                          const sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (size_t t = 0; t < g->tensor_count; t++) {
        /* What has no elements has no place either, and not that of an earlier run, which may be gone. */
        if (g->tensors[t].producer == SINTER__NO_NODE)
            set_address(in, t,
                        entered[t].storage != NULL ? entered[t].storage->address
                                                   : (sinter__address){.memory = NULL});
    }
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        uint16_t keeper = sinter__plan_keeper(plan, i);
        if (in->request_of[keeper] != UINT32_MAX)
            set_address(in, plan->stored[i].tensor, request_address(in, in->request_of[keeper]));
        else if (in->made[keeper] != NULL)
            set_address(in, plan->stored[i].tensor, in->made[keeper]->address);
    }
}

/* Splitting */

/* The group's operations as a graph of their own: what it loads enters, what it writes lives. */
SINTER__COLD static sinter_status make_subgraph(const sinter__instance *in, const sinter__graph *g,
                                                uint16_t group, sinter__graph *out)
{
    const sinter__plan *plan = &in->compiled->plan;
    sinter__graph_init(out, g->allocator);
    SINTER_TRY(sinter__graph_reserve(out, g->node_count, g->tensor_count, g->scalar_count,
                                     g->param_count));
    sinter__graph_copy(out, g);
    for (size_t t = 0; t < out->tensor_count; t++)
        out->tensors[t].live = out->tensors[t].sole = false;
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        const sinter__stored *x = &plan->stored[i];
        if (x->group == group)
            out->tensors[x->tensor].live = true;
        else
            out->tensors[x->tensor].producer = SINTER__NO_NODE;
    }
    return SINTER_OK;
}

/* Stored tensor `i`, and what lies where it does, lies in `storage` from now on, whose reference it takes. */
SINTER__COLD static void move_to(sinter__instance *in, uint16_t i, sinter__storage *storage)
{
    const sinter__plan *plan = &in->compiled->plan;
    uint16_t keeper = sinter__plan_keeper(plan, i);
    sinter__storage_release(in->made[keeper]);
    in->made[keeper] = storage;
    for (uint16_t k = 0; k < plan->stored_count; k++) {
        if (sinter__plan_keeper(plan, k) == keeper)
            set_address(in, plan->stored[k].tensor, storage->address);
    }
}

/* What a split group made takes the place of what the group was to make; where that has no value, what reads it has none. */
SINTER__COLD static void adopt(sinter__instance *in, sinter__instance *part)
{
    for (uint16_t k = 0; k < part->compiled->plan.stored_count; k++) {
        uint16_t tensor = part->compiled->plan.stored[k].tensor;
        for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
            if (in->compiled->plan.stored[i].tensor != tensor)
                continue;
            if (part->made[k] != NULL) {
                move_to(in, i, part->made[k]);
                part->made[k] = NULL;
            }
            in->failures[tensor] = part->failures[tensor];
            in->is_poisoned |= in->failures[tensor] != NULL;
            part->failures[tensor] = NULL;
        }
    }
}

typedef struct split {
    sinter__graph graph;
    sinter__entered *entered; /* by tensor */
    sinter__storage *lent;    /* by tensor: what the group loads, without a pool behind it */
    size_t count;
} split;

SINTER__COLD static sinter_status make_split(const sinter__instance *in, const sinter__graph *g,
                                             uint16_t group, split *out)
{
    out->count = g->tensor_count;
    out->entered = sinter__alloc_array(g->allocator, out->count, sizeof *out->entered);
    out->lent = sinter__alloc_array(g->allocator, out->count, sizeof *out->lent);
    SINTER_TRY(make_subgraph(in, g, group, &out->graph));
    if (out->entered == NULL || out->lent == NULL)
        return SINTER_ENOMEM;
    for (size_t t = 0; t < out->count; t++) {
        out->lent[t].address = in->addresses[t];
        out->entered[t] = (sinter__entered){.storage = &out->lent[t], .failure = in->failures[t]};
    }
    return SINTER_OK;
}

SINTER__COLD static void free_split(split *x)
{
    sinter__allocator *a = x->graph.allocator;
    sinter__graph_finish(&x->graph);
    sinter__free(a, x->entered, x->count * sizeof *x->entered);
    sinter__free(a, x->lent, x->count * sizeof *x->lent);
}

SINTER__COLD static sinter_status run_part(sinter_stream *s, sinter__instance *in,
                                           sinter__instance *part, split *x)
{
    SINTER_TRY(sinter__instance_bind(s, part, &x->graph, true));
    SINTER_TRY(sinter__instance_take(s, part, &x->graph, x->entered, true));
    sinter__instance_run(s, part, &x->graph, x->entered);
    adopt(in, part);
    sinter__instance_release(part, &x->graph);
    return SINTER_OK;
}

/* Runs a group's operations as groups of at most `max_nodes`, into storages of their own. */
SINTER__COLD static sinter_status run_split(sinter_stream *s, sinter__instance *in,
                                            const sinter__graph *g, uint16_t group,
                                            uint32_t max_nodes)
{
    sinter__opened *on = s->on;
    split x = {.graph = {.allocator = on->allocator}};
    sinter__compiled *compiled = NULL;
    sinter__instance *part = NULL;
    sinter__limits limits = sinter__compiled_limits(in->compiled);
    limits.max_group_nodes = max_nodes;
    limits.reuse = false;
    limits.gemm_from_f32 = limits.gemm_from_f64 = 0;
    sinter_status status = make_split(in, g, group, &x);
    if (status == SINTER_OK)
        status =
            sinter__compiled_create(on->allocator, &on->programs, &x.graph, &limits, &compiled);
    if (status == SINTER_OK)
        status = sinter__instance_get(s, &x.graph, compiled, &part);
    if (part != NULL) {
        status = run_part(s, in, part, &x);
        sinter__instance_destroy(s, part);
    }
    free_split(&x);
    return status;
}

/* Launching */

/* Everything that the group writes has failed, for the same reason. */
SINTER__COLD static void fail_group(sinter__instance *in, uint16_t group, sinter__failure *failure)
{
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        const sinter__stored *x = &in->compiled->plan.stored[i];
        if (x->group != group || in->failures[x->tensor] != NULL)
            continue;
        sinter__failure_retain(failure);
        in->failures[x->tensor] = failure;
    }
}

/* A group that reads what has no value: what depends on that fails too, and when that is not all of
 * the group, the rest runs operation by operation. False when the group reads nothing of the kind. */
SINTER__COLD static bool run_poisoned(sinter_stream *s, sinter__instance *in,
                                      const sinter__graph *g, uint16_t group)
{
    const sinter__plan *plan = &in->compiled->plan;
    sinter__failure *first = NULL;
    bool all = true;
    trace_failures(in, g);
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        if (plan->stored[i].group != group)
            continue;
        sinter__failure *failure = in->traced[plan->stored[i].tensor];
        all &= failure != NULL;
        first = first != NULL ? first : failure;
    }
    if (first == NULL)
        return false;
    sinter_status status = all ? SINTER_OK : run_split(s, in, g, group, 1);
    if (!all && status == SINTER_OK)
        return true;
    sinter__failure *own = all ? NULL : sinter__failure_create(g->allocator, status);
    if (own != NULL)
        sinter__stream_fail(s, own);
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        uint16_t tensor = plan->stored[i].tensor;
        if (plan->stored[i].group != group)
            continue;
        in->failures[tensor] = in->traced[tensor] != NULL ? in->traced[tensor] : own;
        sinter__failure_retain(in->failures[tensor]);
    }
    sinter__failure_release(g->allocator, own);
    return true;
}

/* Before each launch of step `group`: asks the caller, and waits where the device has enough. A segment
 * that is cancelled stays so. */
static sinter_status before_launch(sinter_stream *s, const sinter__instance *in, uint16_t group,
                                   uint64_t bytes)
{
    const uint16_t steps = in->compiled->plan.group_count;
    if (!s->is_cancelled)
        s->is_cancelled =
            !sinter__hooks_go_on(&s->ctx->options, SINTER_PROGRESS_LAUNCH, group, steps);
    if (s->is_cancelled)
        return sinter__fail(SINTER_ECANCELLED, "cancelled before step %u of %u", group + 1u,
                            (unsigned)steps);
    sinter__pace_launch(s, bytes);
    return SINTER_OK;
}

/* Whoever asks for the time of each launch gets it: the stream waits before and after. */
static uint64_t start_clock(sinter_stream *s)
{
    sinter__pace_wait(s);
    return sinter__now_ns();
}

SINTER__COLD static void log_product(sinter_stream *s, const sinter__product *p, int64_t bytes,
                                     uint64_t time_ns)
{
    sinter__log_line(&s->ctx->log, SINTER__LOG_LAUNCH,
                     "CLBlast: %lld products, %lld x %lld x %lld, %lld bytes, %llu ns, %.2f "
                     "GFLOP/s",
                     (long long)p->gemm.items, (long long)p->gemm.m, (long long)p->gemm.n,
                     (long long)p->gemm.k, (long long)bytes, (unsigned long long)time_ns,
                     2.0 * (double)sinter__gemm_work(&p->gemm) * (double)p->gemm.items /
                         (double)time_ns);
}

SINTER__COLD static void log_launch(sinter_stream *s, const sinter__instance *in,
                                    const sinter__graph *g, uint16_t group, uint64_t start_ns)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__pace_wait(s);
    uint64_t time_ns = SINTER__MAX(sinter__now_ns() - start_ns, (uint64_t)1);
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    sinter__bytes moved =
        sinter__nest_bytes(g, &in->compiled->plan.groups[group].nest, &in->bound[group], &limits);
    int64_t bytes = moved.read + moved.written;
    const sinter__product *p = sinter__instance_product(in, group);
    if (p != NULL) {
        log_product(s, p, bytes, time_ns);
        return;
    }
    sinter__log_line(
        &s->ctx->log, SINTER__LOG_LAUNCH,
        "%s: %u launches, global %zu x %zu, local %zu x %zu, %lld bytes, %llu ns, %.2f GB/s",
        l->kernel != NULL ? l->kernel->text.name : "host", in->launch_counts[group],
        l->geometry.global[0], l->geometry.global[1], l->geometry.local[0], l->geometry.local[1],
        (long long)bytes, (unsigned long long)time_ns, (double)bytes / (double)time_ns);
}

/* For a trace, and for batches of bounded bytes: what the launch of a group moves, or of the rows of its list that run now. */
SINTER__COLD static void note_bytes(const sinter__instance *in, const sinter__graph *g,
                                    uint16_t group, sinter__row_range rows)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__launch *l = sinter__instance_launch(in, group, 0);
    int count = l->row_count > 0 ? rows.count : 1;
    bool is_stored = in->rows_bytes > 0 && sinter__stored_rows_bytes(l) > 0;
    l->moved_bytes = is_stored ? 2 * sinter__rows_bytes(l, rows) : 0;
    for (int i = 0; i < count; i++) {
        const sinter__launch *row = l->row_count > 0 ? l->rows[rows.first + i] : l;
        sinter__bytes moved = sinter__nest_bytes(g, row->nest, row->bound, &limits);
        l->moved_bytes += (uint64_t)(moved.read + moved.written + moved.scratch);
    }
}

/* The products of a batch, each by the library. */
SINTER__COLD static sinter_status launch_product(sinter_stream *s, const sinter__instance *in,
                                                 uint16_t group, const sinter__operands *operands)
{
    sinter__opened *on = s->on;
    sinter__product *p = in->products[group];
    const sinter__gemm *x = &p->gemm;
    const uint64_t bytes =
        sinter_dtype_bytes(x->dtype) * (uint64_t)(x->m * x->k + x->k * x->n + x->m * x->n);
    for (int64_t i = 0; i < p->gemm.items; i++) {
        bool built;
        SINTER_TRY(before_launch(s, in, group, bytes));
        uint64_t start_ns = sinter__now_ns();
        SINTER_TRY(on->backend->gemm(on->state, s->queue, &p->gemm, i, operands, &p->kept, &built));
        if (s->span != NULL)
            s->span->has_gaps = true;
        if (built) {
            sinter__report_line(s, SINTER__LOG_DEVICE,
                                "CLBlast: the first product of %s took %.3f ms to start: its "
                                "kernels were built",
                                sinter_dtype_name(p->gemm.dtype),
                                (double)(sinter__now_ns() - start_ns) / 1e6);
        }
        s->launched++;
        sinter__count(&s->counts.launches, 1);
    }
    return SINTER_OK;
}

/* The library does not say when its kernels run: for a report the stream waits for them. */
SINTER__COLD static void end_product(sinter_stream *s, uint16_t group, uint64_t start_ns)
{
    sinter__pace_wait(s);
    sinter__report_launched(s, group, NULL, start_ns);
}

/* Launch `k` of a group, told of to whoever wants its times. */
static sinter_status launch_kernel(sinter_stream *s, sinter__instance *in, uint16_t group, int k,
                                   sinter__row_range rows, const sinter__operands *operands,
                                   bool reported)
{
    sinter__opened *on = s->on;
    sinter__launch *l = sinter__instance_launch(in, group, k);
    bool first = !l->object.sent_any;
    bool is_timed = reported || s->span != NULL;
    void *event = NULL;
    SINTER_TRY(before_launch(s, in, group, k == 0 ? l->moved_bytes : 0));
    uint64_t start_ns = is_timed ? sinter__now_ns() : 0;
    SINTER_TRY(
        on->backend->launch(on->state, s->queue, l, rows, operands, is_timed ? &event : NULL));
    if (reported)
        sinter__report_launched(s, group, event, start_ns);
    if (s->span != NULL)
        sinter__span_launched(s, reported ? NULL : event, start_ns);
    if (first && l->kernel != NULL)
        atomic_store_explicit(&l->kernel->program->launched, true, memory_order_relaxed);
    s->launched++;
    sinter__count(&s->counts.launches, 1);
    return SINTER_OK;
}

/* Room for the rows that a launch stores, if it does. */
static sinter_status stage_rows(sinter_stream *s, const sinter__instance *in, uint16_t group,
                                sinter__row_range rows, sinter__operands *operands)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    if (in->rows_bytes == 0 || sinter__stored_rows_bytes(l) == 0)
        return SINTER_OK;
    return sinter__pace_take(s, sinter__rows_bytes(l, rows), &operands->staged);
}

/* `rows` counts where the launch runs a list. */
static sinter_status launch_group(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                  uint16_t group, sinter__row_range rows)
{
    sinter__opened *on = s->on;
    sinter__operands operands = sinter__instance_operands(in, g, group);
    if (in->broken[group] != NULL)
        return sinter__failure_report(in->broken[group]);
    SINTER_TRY(stage_rows(s, in, group, rows, &operands));
    if ((on->trace != NULL || s->ctx->options.batch_bytes > 0) && in->launch_counts[group] > 0)
        note_bytes(in, g, group, rows);
    bool timed = sinter__logs(on->log, SINTER__LOG_LAUNCH);
    bool reported = s->report != NULL && sinter__report_times(s, in);
    uint64_t start_ns = timed ? start_clock(s) : 0;
    if (sinter__instance_product(in, group) != NULL) {
        uint64_t product_ns = reported ? start_clock(s) : 0;
        operands.scratch_bytes = sinter__instance_product(in, group)->scratch_bytes;
        SINTER_TRY(launch_product(s, in, group, &operands));
        if (reported)
            end_product(s, group, product_ns);
    }
    for (int k = 0; k < in->launch_counts[group]; k++)
        SINTER_TRY(launch_kernel(s, in, group, k, rows, &operands, reported));
    if (timed)
        log_launch(s, in, g, group, start_ns);
    return SINTER_OK;
}

SINTER__COLD void sinter__gemm_failed(sinter_stream *s, sinter_status status)
{
    bool lasts = status != SINTER_EUNSUPPORTED;
    if (lasts)
        atomic_store(&s->on->gemm_failed, true);
    sinter__report_line(s, lasts ? SINTER__LOG_WARNING : SINTER__LOG_REASON,
                        lasts ? "CLBlast failed, sinter's own kernels take its place: %s"
                              : "sinter's own kernels take the place of CLBlast: %s",
                        sinter_last_error());
    sinter__clear_error();
}

/* What a group runs, views not counted: as the planner counts against its limit. */
SINTER__COLD static uint32_t count_operations(const sinter__graph *g, const sinter__group *group)
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < group->node_count; i++)
        count += sinter__op_info_of(g->nodes[group->nodes[i]].op)->kind != SINTER__KIND_VIEW;
    return count;
}

/* Half as many operations at a time, until it works or a single one does not; in the place of a
 * library at first the same, by kernels of ours. `status` is what the group failed with. */
SINTER__COLD static sinter_status run_in_parts(sinter_stream *s, sinter__instance *in,
                                               const sinter__graph *g, uint16_t group,
                                               sinter_status status)
{
    uint32_t nodes = count_operations(g, &in->compiled->plan.groups[group]);
    if (status == SINTER_ECANCELLED)
        return status;
    if (sinter__instance_product(in, group) != NULL) {
        sinter__gemm_failed(s, status);
        sinter__count(&s->counts.fallbacks, 1);
        return run_split(s, in, g, group, nodes);
    }
    if (nodes < 2)
        return status;
    sinter__failure *first = sinter__failure_create(&s->ctx->allocator, status);
    sinter__log_line(&s->ctx->log, SINTER__LOG_WARNING,
                     "a group of %u operations failed and is split: %s", nodes, first->text);
    sinter__count(&s->counts.fallbacks, 1);
    status = run_split(s, in, g, group, nodes / 2);
    if (status != SINTER_OK && status != SINTER_ECANCELLED)
        status = sinter__failure_report(first);
    sinter__failure_release(&s->ctx->allocator, first);
    return status;
}

/* Launches what copies for the updates of a group. */
static sinter_status launch_copies(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   uint16_t group)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t k = 0; k < plan->update_count; k++) {
        const sinter__update *u = &plan->updates[k];
        if (u->group == group && u->copy != SINTER__NO_GROUP)
            SINTER_TRY(launch_group(s, in, g, u->copy, (sinter__row_range){.count = 1}));
    }
    return SINTER_OK;
}

/* Launches a group alone; of a list, row `row` of what runs it. */
static void run_alone(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                      uint16_t group, uint16_t row)
{
    if (in->is_poisoned && run_poisoned(s, in, g, group))
        return;
    sinter_status status = launch_copies(s, in, g, group);
    if (status == SINTER_OK)
        status = launch_group(s, in, g, in->runs_with[group],
                              (sinter__row_range){.first = row, .count = 1});
    if (status != SINTER_OK)
        status = run_in_parts(s, in, g, group, status);
    if (status == SINTER_OK)
        return;
    sinter__failure *failure = sinter__failure_create(&s->ctx->allocator, status);
    fail_group(in, group, failure);
    in->is_poisoned = true;
    sinter__stream_fail(s, failure);
    sinter__failure_release(&s->ctx->allocator, failure);
}

/* How many rows from `first` on one launch runs: as many as lie in the memories that it takes. The first
 * always does. */
static uint16_t count_rows(const sinter__instance *in, const sinter__launch *l, uint16_t first)
{
    sinter__memories memories = {.count = 0};
    const sinter__row_range all = {.count = l->row_count};
    uint32_t most = sinter__row_memories(l->nest);
    uint16_t count = 0;
    /* the memories are those of then, so they are few enough */
    if (first == 0 && sinter__rows_sent(l, all, in->placement))
        return l->row_count;
    while (first + count < l->row_count &&
           sinter__memories_add(&memories, l->rows[first + count], in->addresses, most))
        count++;
    return count;
}

/* Launches rows of a list at once, after the copies that they wait for. */
static sinter_status launch_rows(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                 uint16_t group, sinter__row_range rows)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    for (uint16_t i = 0; i < rows.count; i++)
        SINTER_TRY(launch_copies(s, in, g, l->rows[rows.first + i]->group));
    return launch_group(s, in, g, group, rows);
}

/* The groups that the launch of `group` runs: as many at once as can be, and one by one where a value is
 * missing or the launch fails. */
static void run_list(sinter_stream *s, sinter__instance *in, const sinter__graph *g, uint16_t group)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    for (sinter__row_range rows = {0}; rows.first < l->row_count;
         rows.first = (uint16_t)(rows.first + rows.count)) {
        rows.count = in->is_poisoned ? 1 : count_rows(in, l, rows.first);
        if (rows.count > 1 && launch_rows(s, in, g, group, rows) == SINTER_OK)
            continue;
        for (uint16_t i = 0; i < rows.count; i++)
            run_alone(s, in, g, l->rows[rows.first + i]->group, (uint16_t)(rows.first + i));
    }
}

static void run_group(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                      uint16_t group)
{
    if (in->compiled->plan.groups[group].copies != SINTER__NO_NODE)
        return; /* it runs with the group that waits for it */
    if (sinter__instance_launch(in, group, 0)->row_count > 0)
        run_list(s, in, g, group);
    else if (in->runs_with[group] == group)
        run_alone(s, in, g, group, 0);
}

/* Red zones */

/* Where tensor `t` lies, NULL for what lies nowhere. */
SINTER__COLD static sinter__storage *storage_of(const sinter__instance *in,
                                                const sinter__entered *entered,
                                                const sinter__graph *g, uint16_t t)
{
    if (g->tensors[t].producer == SINTER__NO_NODE)
        return entered[t].storage;
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        if (in->compiled->plan.stored[i].tensor != t)
            continue;
        uint32_t request = in->request_of[i];
        return request != UINT32_MAX && in->made[i] == NULL ? in->parts[request] : in->made[i];
    }
    return NULL;
}

/* Fails with the place when something has written beside `storage`: tensor `t`, or scratch. */
SINTER__COLD static sinter_status check_storage(sinter_stream *s, const sinter__instance *in,
                                                const sinter__graph *g, uint16_t group, int t,
                                                sinter__storage *storage)
{
    sinter__damage damage;
    char what[SINTER__SHAPE_TEXT + 64] = "scratch";
    char shape[SINTER__SHAPE_TEXT];
    if (storage == NULL || storage->pool != s->pool || storage->theirs != NULL)
        return SINTER_OK; /* another stream's queue is not ours to ask, and theirs has no zones */
    SINTER_TRY(sinter__storage_check(storage, &damage));
    if (!damage.found)
        return SINTER_OK;
    if (t >= 0) {
        const sinter__gtensor *x = &g->tensors[t];
        bool enters = x->producer == SINTER__NO_NODE;
        (void)snprintf(what, sizeof what, "%s %s, %s%s", sinter_dtype_name((sinter_dtype)x->dtype),
                       sinter__shape_text(x->view.rank, x->view.shape, shape),
                       enters ? "an input" : "made by ",
                       enters ? "" : sinter__op_info_of(g->nodes[x->producer].op)->name);
    }
    bool before = damage.at_bytes < 0;
    long long distance = before ? -damage.at_bytes : damage.at_bytes - (int64_t)storage->bytes + 1;
    return sinter__fail(
        SINTER_EINTERNAL, "red zone: after step %u of %u byte %lld %s %s of %llu bytes is %#x",
        group + 1u, in->compiled->plan.group_count, distance, before ? "before" : "behind", what,
        (unsigned long long)storage->bytes, (unsigned)damage.byte);
}

/* Looks around all that group `group` reads and writes. */
SINTER__COLD static sinter_status check_operands(sinter_stream *s, const sinter__instance *in,
                                                 const sinter__graph *g,
                                                 const sinter__entered *entered, uint16_t group)
{
    const sinter__nest *nest = &in->compiled->plan.groups[group].nest;
    uint32_t scratch = in->request_of[in->compiled->plan.stored_count + group];
    for (uint16_t i = 0; i < nest->access_count; i++) {
        uint16_t t = nest->accesses[i].tensor;
        SINTER_TRY(check_storage(s, in, g, group, t, storage_of(in, entered, g, t)));
    }
    return scratch == UINT32_MAX ? SINTER_OK
                                 : check_storage(s, in, g, group, -1, in->parts[scratch]);
}

/* After the launch that ran `group`, and of a list what follows it there. */
SINTER__COLD static void check_zones(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                     const sinter__entered *entered, uint16_t group)
{
    for (uint16_t i = group; i < sinter__list_end(&in->compiled->plan, group); i++) {
        if (in->runs_with[i] != group)
            continue;
        sinter_status status = check_operands(s, in, g, entered, i);
        if (status == SINTER_OK)
            continue;
        sinter__failure *failure = sinter__failure_create(&s->ctx->allocator, status);
        fail_group(in, i, failure);
        in->is_poisoned = true;
        sinter__stream_fail(s, failure);
        sinter__failure_release(&s->ctx->allocator, failure);
    }
}

void sinter__instance_release(sinter__instance *in, const sinter__graph *g)
{
    const sinter__plan *plan = &in->compiled->plan;
    release_parts(in);
    release_made(in);
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        sinter__failure_release(g->allocator, in->failures[plan->stored[i].tensor]);
        in->failures[plan->stored[i].tensor] = NULL;
    }
}

/* The device was found to have failed while group `last` was run: what the segment has launched has no value, and what
 * entered it may have lost its own. */
SINTER__COLD static void lose_made(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   const sinter__entered *entered, uint16_t last)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (i <= last || in->runs_with[i] <= last)
            fail_group(in, i, s->lost);
    }
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].producer == SINTER__NO_NODE && in->failures[t] == NULL)
            in->failures[t] = entered[t].failure;
    }
    in->is_poisoned = true;
}

void sinter__instance_run(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                          sinter__entered *entered)
{
    sinter__opened *on = s->on;
    uint64_t losses = s->losses;
    bool has_coming = s->has_coming;
    uint16_t recorded_from;
    sinter__count(&s->counts.donations, count_donations(in));
    set_addresses(in, g, entered);
    if (SINTER__SHADOWS)
        shadow_workspace(s, in);
    bool is_recorded = sinter__recording_find(s, in, g, &recorded_from);
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (is_recorded && i == recorded_from && sinter__recording_replay(s, in))
            break;
        if (has_coming)
            sinter__coming_bring(s, in, g, entered, i);
        if (SINTER__SHADOWS)
            shadow_requests(s, in, i, SINTER__SHADOW_FRESH);
        run_group(s, in, g, i);
        if (SINTER__SHADOWS)
            shadow_requests(s, in, i, SINTER__SHADOW_CLOSED);
        if (s->losses != losses) {
            lose_made(s, in, g, entered, i);
            losses = s->losses;
        }
        if (on->memory.mode == SINTER_MEMORY_RED_ZONE)
            check_zones(s, in, g, entered, i);
    }
    sinter__recording_note(s, in);
    if (has_coming)
        sinter__coming_keep(s, in, g, entered);
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        if (in->made[i] != NULL)
            in->made[i]->written = s->launched;
    }
    sinter__count(&s->counts.bytes_moved, (uint64_t)in->bytes_moved);
    sinter__count(&s->counts.bytes_bound, (uint64_t)in->bytes_bound);
}
