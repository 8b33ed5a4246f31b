/* Groups that do not run as they were planned: a launch failed, or some of what the group reads has no value. Its
 * operations run in smaller groups then.
 *
 * The one hard idea: such a part is a segment of its own, over a graph in which what the group loads enters and what
 * it writes lives, so that it is planned, given memory and run by the code that does so for any other. What it made
 * takes the place of what the group was to make. */
#include "executor/run/split.h"

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
            sinter__instance_place(in, plan->stored[k].tensor, storage->address);
    }
}

/* What a split group made takes the place of what the group was to make; where that has no value, what reads it has
 * none. */
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

SINTER__COLD bool sinter__split_poisoned(sinter_stream *s, sinter__instance *in,
                                         const sinter__graph *g, uint16_t group)
{
    const sinter__plan *plan = &in->compiled->plan;
    sinter__failure *first = NULL;
    bool all = true;
    sinter__instance_trace(in, g);
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

/* What a group runs, views not counted: as the planner counts against its limit. */
SINTER__COLD static uint32_t count_operations(const sinter__graph *g, const sinter__group *group)
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < group->node_count; i++)
        count += sinter__op_info_of(g->nodes[group->nodes[i]].op)->kind != SINTER__KIND_VIEW;
    return count;
}

SINTER__COLD sinter_status sinter__split_failed(sinter_stream *s, sinter__instance *in,
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
