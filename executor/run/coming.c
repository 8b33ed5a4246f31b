/* The copies of a segment. They are made one after another, each right before the first launch that reads it: the
 * device has what is launched before then, and works on it while the host waits for the source. */
#include "executor/run/coming.h"

#include "executor/run/transfer.h"

/* Tensors that the plan reads: of groups, then of views that outlive the segment. */
static uint32_t count_read(const sinter__plan *plan)
{
    return (uint32_t)plan->read_count + plan->alias_count;
}

/* What comes under number `i` of them; NULL: nothing. */
static sinter__storage *coming_of(const sinter__plan *plan, const sinter__entered *entered,
                                  uint32_t i)
{
    uint16_t t = i < plan->read_count ? plan->read[i] : plan->aliases[i - plan->read_count].root;
    sinter__storage *storage = entered[t].storage;
    return storage != NULL && storage->coming != NULL ? storage : NULL;
}

/* It has no value, with the thread's message: neither in the segment nor for what is queued behind it. */
SINTER__COLD static void lose(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                              sinter__entered *entered, sinter__storage *storage,
                              sinter_status status)
{
    sinter__allocator *a = &s->ctx->allocator;
    sinter__failure *failure = sinter__failure_create(a, status);
    sinter__storage_retain(storage);
    for (size_t t = 0; t < s->q.graph.tensor_count; t++) {
        if (entered[t].storage != storage)
            continue;
        sinter__storage_release(storage);
        sinter__failure_retain(failure);
        entered[t] = (sinter__entered){.failure = failure};
        if (t < g->tensor_count)
            in->failures[t] = failure;
    }
    in->is_poisoned = true;
    sinter__storage_release(storage);
    sinter__stream_fail(s, failure);
    sinter__failure_release(a, failure);
}

static sinter_status place(const sinter_stream *s, sinter__storage *storage)
{
    return s->need == NULL ? sinter__transfer_place(storage) : sinter__transfer_rehearse(storage);
}

sinter_status sinter__coming_place(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   sinter__entered *entered, bool must)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint32_t i = 0; i < count_read(plan); i++) {
        sinter__storage *storage = coming_of(plan, entered, i);
        if (storage == NULL)
            continue;
        sinter_status status = place(s, storage);
        if (status == SINTER_EBUDGET && sinter__pool_drop_empty(s->pool))
            status = place(s, storage);
        if (status == SINTER_EBUDGET && !must)
            return status;
        if (status == SINTER_EBUDGET && s->need != NULL)
            sinter__stream_lacks(s);
        if (status != SINTER_OK)
            lose(s, in, g, entered, storage, status);
    }
    return SINTER_OK;
}

SINTER__COLD void sinter__coming_unplace(const sinter__instance *in, const sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint32_t i = 0; i < count_read(plan); i++) {
        sinter__storage *storage = coming_of(plan, entered, i);
        if (storage != NULL && storage->address.memory != NULL)
            sinter__storage_unplace(storage);
    }
}

SINTER__COLD void sinter__coming_pretend(const sinter__instance *in, const sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint32_t i = 0; i < count_read(plan); i++) {
        sinter__storage *storage = coming_of(plan, entered, i);
        if (storage != NULL)
            storage->coming = NULL;
    }
}

static void bring(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                  sinter__entered *entered, sinter__storage *storage)
{
    sinter_status status = sinter__transfer_bring(s, storage);
    if (status != SINTER_OK)
        lose(s, in, g, entered, storage, status);
}

/* What the nest of one group reads. */
static void bring_group(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                        sinter__entered *entered, uint16_t group)
{
    const sinter__nest *nest = &in->compiled->plan.groups[group].nest;
    for (uint16_t i = 0; i < nest->access_count; i++) {
        uint16_t t = nest->accesses[i].tensor;
        if (g->tensors[t].producer == SINTER__NO_NODE && entered[t].storage != NULL &&
            entered[t].storage->coming != NULL)
            bring(s, in, g, entered, entered[t].storage);
    }
}

void sinter__coming_bring(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                          sinter__entered *entered, uint16_t group)
{
    const sinter__plan *plan = &in->compiled->plan;
    if (s->is_cancelled)
        return;
    for (uint16_t i = group; i < sinter__list_end(plan, group); i++) {
        if (in->runs_with[i] != group || plan->groups[i].copies != SINTER__NO_NODE)
            continue;
        bring_group(s, in, g, entered, i);
        for (uint16_t k = 0; k < plan->update_count; k++) {
            if (plan->updates[k].group == i && plan->updates[k].copy != SINTER__NO_GROUP)
                bring_group(s, in, g, entered, plan->updates[k].copy);
        }
    }
}

void sinter__coming_keep(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                         sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint32_t i = plan->read_count; i < count_read(plan); i++) {
        sinter__storage *storage = coming_of(plan, entered, i);
        if (storage != NULL && s->is_cancelled)
            lose(s, in, g, entered, storage,
                 sinter__fail(SINTER_ECANCELLED, "cancelled before a copy was made"));
        else if (storage != NULL)
            bring(s, in, g, entered, storage);
    }
}
