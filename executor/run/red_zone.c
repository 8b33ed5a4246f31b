/* Who wrote beside its memory. The zones around a storage (executor/memory/pool.c) only say that somebody did: looking at
 * those of all that a group reads and writes, after each launch, says which step it was. */
#include "executor/run/red_zone.h"

#include <stdio.h>

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

SINTER__COLD sinter_status sinter__red_zone_check(sinter_stream *s, const sinter__instance *in,
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
