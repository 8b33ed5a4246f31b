/* The copies of a segment. They are made one after another, each right before the first launch that reads it: the
 * device has what is launched before then, and works on it while the host waits for the source. */
#include "executor/coming.h"

#include "executor/transfer.h"

/* Tensors that the plan reads: of groups, then of views that outlive the segment. */
static uint32_t count_read(const sinter__plan *plan)
{
    return (uint32_t)plan->read_count + plan->alias_count;
}

/* The tensor under number `i` of them. */
static uint16_t number_of(const sinter__plan *plan, uint32_t i)
{
    return i < plan->read_count ? plan->read[i] : plan->aliases[i - plan->read_count].root;
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

/* The memory alone, in a copy of the pool. */
SINTER__COLD static sinter_status rehearse(sinter_stream *s, sinter__storage *storage)
{
    sinter_status status = sinter__storage_place(storage);
    uint64_t missing = atomic_load(&sinter__pool_memory(s->pool)->missing_bytes);
    if (status == SINTER_EBUDGET)
        s->need->missing_bytes = SINTER__MAX(s->need->missing_bytes, missing);
    return status;
}

void sinter__coming_place(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                          sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint32_t i = 0; i < count_read(plan); i++) {
        sinter__storage *storage = entered[number_of(plan, i)].storage;
        if (storage == NULL ||
            (s->need == NULL ? storage->coming == NULL : storage->address.memory != NULL))
            continue; /* in a rehearsal nothing comes, but memory is missing */
        sinter_status status =
            s->need == NULL ? sinter__transfer_place(storage) : rehearse(s, storage);
        if (status != SINTER_OK)
            lose(s, in, g, entered, storage, status);
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
        sinter__storage *storage = entered[number_of(plan, i)].storage;
        if (storage != NULL && storage->coming != NULL)
            bring(s, in, g, entered, storage);
    }
}
