/* The memory of a run. All of it is taken before anything is launched, so that what does not fit is refused while
 * nothing has happened yet, with the step and what lives there. What can have no value, for want of an operand,
 * takes none. */
#include "executor/run/instance.h"

#include "executor/run/coming.h"
#include "executor/run/pace.h"

#include <stdio.h>
#include <string.h>

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

SINTER__COLD void sinter__instance_trace(sinter__instance *in, const sinter__graph *g)
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
        sinter__instance_trace(in, g);
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
