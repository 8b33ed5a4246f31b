/* Updates: in place, or of a copy.
 *
 * The one hard idea: an update writes the part that it replaces and nothing else, always. What differs is
 * where it writes. When what it changes dies, and every launch that reads it comes before, that is where
 * it lies; else a group of its own copies it first. So a launch that holds an update in place reads of what
 * that changes the elements that it writes, and no others: in one launch nobody says what comes first. */
#include "fusion/plan/update.h"

#include <string.h>

static const char *const verdict_texts[SINTER__UPDATE_COUNT] = {
    [SINTER__UPDATE_IN_PLACE] = "in place",
    [SINTER__UPDATE_HELD] = "it is still held",
    [SINTER__UPDATE_SHARED] = "its storage is shared with other tensors or streams",
    [SINTER__UPDATE_VIEW] = "it is a view",
    [SINTER__UPDATE_READ] = "it is read by the update or after it",
    [SINTER__UPDATE_OFF] = "storage is not reused",
};

const char *sinter__update_text(sinter__update_verdict verdict)
{
    return verdict_texts[verdict];
}

static bool is_update(const sinter__grouping *s, uint16_t node)
{
    return s->g->nodes[node].op == SINTER__OP_UPDATE;
}

/* What a reshape that is not stored itself looks at; the tensor itself where it is none. */
static uint16_t before_reshape(const sinter__grouping *s, uint16_t tensor)
{
    uint16_t n = s->g->tensors[tensor].producer;
    bool looks =
        n != SINTER__NO_NODE && s->g->nodes[n].op == SINTER__OP_RESHAPE && !s->is_loaded[tensor];
    return looks ? s->g->nodes[n].in[0] : tensor;
}

/* The tensor whose storage an update wants: what it changes, or what that is a reshape of, which has the
 * same elements in the same order. */
static uint16_t wanted_by(const sinter__grouping *s, uint16_t n)
{
    uint16_t tensor = s->g->nodes[n].in[0];
    while (before_reshape(s, tensor) != tensor)
        tensor = before_reshape(s, tensor);
    return tensor;
}

static bool is_held(const sinter__grouping *s, uint16_t n, uint16_t base)
{
    uint16_t tensor = s->g->nodes[n].in[0];
    for (; tensor != base; tensor = before_reshape(s, tensor)) {
        if (s->g->tensors[tensor].live)
            return true;
    }
    for (size_t t = 0; t < s->g->tensor_count; t++) {
        if (s->is_alias[t] && sinter__operand_base(s, (uint16_t)t) == base)
            return true;
    }
    return s->g->tensors[base].live;
}

/* A name for where a tensor lies: for what entered, the first that entered in the same storage, since a cut may have
 * parted a view from what it looks at. */
static uint16_t place_of(const sinter__grouping *s, uint16_t tensor)
{
    const sinter__gtensor *x = &s->g->tensors[tensor];
    return x->producer == SINTER__NO_NODE ? x->storage : tensor;
}

static bool lies_with(const sinter__grouping *s, uint16_t a, uint16_t b)
{
    return place_of(s, a) == place_of(s, b);
}

/* Whether somebody holds what lies in the storage with `base`, or a view of it. */
static bool is_shared(const sinter__grouping *s, uint16_t base)
{
    for (uint16_t t = 0; t < s->g->tensor_count; t++) {
        uint16_t looked_at = s->is_alias[t] ? sinter__operand_base(s, t) : t;
        if (looked_at != base && lies_with(s, looked_at, base) &&
            (s->is_alias[t] || s->g->tensors[t].live))
            return true;
    }
    return false;
}

static sinter__update_verdict judge(const sinter__grouping *s, uint16_t n)
{
    uint16_t base = wanted_by(s, n);
    const sinter__gtensor *t = &s->g->tensors[base];
    bool enters = t->producer == SINTER__NO_NODE;
    if (!s->limits->reuse)
        return SINTER__UPDATE_OFF;
    if (is_held(s, n, base))
        return SINTER__UPDATE_HELD;
    if (enters ? !t->whole : sinter__operand_base(s, base) != base)
        return SINTER__UPDATE_VIEW;
    return enters && (!t->sole || is_shared(s, base)) ? SINTER__UPDATE_SHARED
                                                      : SINTER__UPDATE_IN_PLACE;
}

sinter_status sinter__updates_judge(sinter__grouping *s)
{
    if (!s->has_updates)
        return SINTER_OK;
    s->verdicts = sinter__arena_array(s->arena, s->g->node_count, sizeof *s->verdicts);
    s->changed = sinter__arena_array(s->arena, s->g->tensor_count, sizeof *s->changed);
    if (s->verdicts == NULL || s->changed == NULL)
        return SINTER_ENOMEM;
    for (uint16_t n = 0; n < s->g->node_count; n++) {
        if (s->needed[n] && is_update(s, n))
            s->verdicts[n] = (uint8_t)judge(s, n);
    }
    return SINTER_OK;
}

void sinter__update_store(sinter__grouping *s, uint16_t n)
{
    const sinter__node *node = &s->g->nodes[n];
    uint16_t base = sinter__operand_base(s, node->in[0]);
    s->has_updates = true;
    s->stored[node->out] = s->held[node->out] = true;
    if (s->g->tensors[base].producer != SINTER__NO_NODE)
        s->stored[base] = s->held[base] = true;
}

/* Whether an operation of draft `d` besides the update reads what that changes where it lies. */
static bool reads_changed(const sinter__grouping *s, uint16_t d, uint16_t update)
{
    const uint16_t base = wanted_by(s, update);
    uint16_t n =
        s->verdicts[update] == SINTER__UPDATE_IN_PLACE ? s->drafts[d].first : SINTER__NO_NODE;
    for (; n != SINTER__NO_NODE; n = s->next_member[n]) {
        const sinter__node *node = &s->g->nodes[n];
        for (int i = 0; i < node->in_count && n != update; i++) {
            if ((node->scalar_mask >> i & 1) == 0 &&
                lies_with(s, sinter__operand_base(s, node->in[i]), base))
                return true;
        }
    }
    return false;
}

static bool clashes(const sinter__grouping *s, uint16_t d, uint16_t update)
{
    uint16_t base = sinter__operand_base(s, s->g->nodes[update].in[0]);
    uint16_t maker = s->g->tensors[base].producer;
    return (maker != SINTER__NO_NODE && s->group_of[maker] == d) ||
           sinter__draft_reads(s, d, s->g->nodes[update].out);
}

/* Whether the nest reads what lies in the storage of `base`, through other views than those through which it
 * writes `access` (may be NULL). Where what entered as a view begins is known to no plan. */
static bool reads_elsewhere(const sinter__grouping *s, const sinter__nest *nest, uint16_t base,
                            const sinter__access *access)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__access *read = &nest->accesses[a];
        if (read->role == SINTER__ROLE_READ && lies_with(s, read->tensor, base) &&
            (read->tensor != base || access == NULL || read->chain != access->chain))
            return true;
    }
    return false;
}

/* The UPDATE whose part of its result the access writes; SINTER__NO_NODE: none. */
static uint16_t maker_of(const sinter__graph *g, const sinter__access *access)
{
    uint16_t n = g->tensors[access->tensor].producer;
    bool updates = access->role == SINTER__ROLE_WRITE && g->nodes[n].op == SINTER__OP_UPDATE;
    return updates ? n : SINTER__NO_NODE;
}

/* Marks what an update of the nest changes, or copies; false where another one does. */
static bool mark_changed(sinter__grouping *s, uint16_t n, uint16_t access)
{
    uint16_t base = sinter__operand_base(s, s->g->nodes[n].in[0]);
    sinter__changed *c = &s->changed[place_of(s, base)];
    const bool in_place = s->verdicts[n] == SINTER__UPDATE_IN_PLACE;
    if (c->trial == s->trial) {
        c->in_place |= in_place;
        return !c->in_place;
    }
    *c = (sinter__changed){.trial = s->trial, .access = access, .in_place = in_place};
    return true;
}

/* Whether the access reads what an update in place of the nest changes, through other views than those through which it
 * is written. */
static bool reads_marked(const sinter__grouping *s, const sinter__nest *nest,
                         const sinter__access *read)
{
    if (read->role != SINTER__ROLE_READ)
        return false;
    const sinter__changed *c = &s->changed[place_of(s, read->tensor)];
    if (c->trial != s->trial || !c->in_place)
        return false;
    const sinter__access *written = &nest->accesses[c->access];
    return read->tensor != wanted_by(s, maker_of(s->g, written)) || read->chain != written->chain;
}

bool sinter__nest_updates_clash(sinter__grouping *s, const sinter__nest *nest)
{
    bool clash = false;
    uint16_t count = s->has_updates ? nest->access_count : 0;
    s->trial++;
    for (uint16_t a = 0; a < count && !clash; a++) {
        uint16_t n = maker_of(s->g, &nest->accesses[a]);
        clash = n != SINTER__NO_NODE && !mark_changed(s, n, a);
    }
    for (uint16_t a = 0; a < count && !clash; a++)
        clash = reads_marked(s, nest, &nest->accesses[a]);
    return clash;
}

/* Whether an update of draft `d` changes what draft `other` reads. */
static bool changes_for(const sinter__grouping *s, uint16_t d, uint16_t other)
{
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n]) {
        if (is_update(s, n) && reads_changed(s, other, n))
            return true;
    }
    return false;
}

bool sinter__drafts_updates_clash(const sinter__grouping *s, uint16_t a, uint16_t b)
{
    return s->has_updates && (changes_for(s, a, b) || changes_for(s, b, a));
}

bool sinter__draft_updates_clash(const sinter__grouping *s, uint16_t d)
{
    uint16_t n = s->has_updates ? s->drafts[d].first : SINTER__NO_NODE;
    for (; n != SINTER__NO_NODE; n = s->next_member[n]) {
        if (is_update(s, n) && (s->drafts[d].form != SINTER__FORM_MAP || clashes(s, d, n)))
            return true;
    }
    return false;
}

/* The access through which group `u->group` writes what the update replaces. */
static const sinter__access *written_by(const sinter__grouping *s, const sinter__plan *plan,
                                        const sinter__update *u)
{
    const sinter__access *access = plan->groups[u->group].nest.accesses;
    while (maker_of(s->g, access) != u->node)
        access++;
    return access;
}

/* Whether a group reads what the update changes that does not run before it. */
static bool is_read(const sinter__grouping *s, const sinter__plan *plan, const sinter__update *u)
{
    uint16_t first = plan->groups[u->group].list;
    for (uint16_t i = first; i < plan->group_count; i++) {
        const sinter__nest *nest = &plan->groups[i].nest;
        if (reads_elsewhere(s, nest, u->base, i == u->group ? written_by(s, plan, u) : NULL))
            return true;
    }
    for (uint16_t k = 0; k < plan->update_count; k++) {
        const sinter__update *other = &plan->updates[k];
        uint16_t changed = s->g->nodes[other->node].in[0];
        if (other != u && other->group >= first &&
            lies_with(s, sinter__operand_base(s, changed), u->base))
            return true;
    }
    return false;
}

static sinter_status find_updates(const sinter__grouping *s, sinter__plan *plan)
{
    const sinter__graph *g = s->g;
    plan->updates = sinter__arena_array(&plan->arena, g->node_count, sizeof *plan->updates);
    if (plan->updates == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        for (uint16_t k = 0; k < plan->groups[i].node_count; k++) {
            uint16_t n = plan->groups[i].nodes[k];
            if (!is_update(s, n))
                continue;
            plan->updates[plan->update_count++] = (sinter__update){.node = n,
                                                                   .base = wanted_by(s, n),
                                                                   .group = i,
                                                                   .copy = SINTER__NO_GROUP,
                                                                   .verdict = s->verdicts[n]};
        }
    }
    for (uint16_t k = 0; k < plan->update_count; k++) {
        sinter__update *u = &plan->updates[k];
        if (u->verdict == SINTER__UPDATE_IN_PLACE && is_read(s, plan, u))
            u->verdict = SINTER__UPDATE_READ;
    }
    return SINTER_OK;
}

/* The group that copies what the update changes. */
static sinter_status make_copy(sinter__grouping *s, const sinter__update *u, sinter__arena *arena,
                               sinter__group *out)
{
    uint16_t result = s->g->nodes[u->node].out;
    sinter__nest_cost cost = {0};
    const sinter__nest_members members = {.is_member = s->is_member,
                                          .is_loaded = s->is_loaded,
                                          .form = SINTER__FORM_MAP,
                                          .domain = result,
                                          .stores = &result,
                                          .store_count = 1};
    memset(s->is_member, 0, s->g->node_count * sizeof *s->is_member);
    *out = (sinter__group){.copies = u->node, .ended = SINTER__ENDED_UPDATE};
    return sinter__nest_build(arena, s->g, &members, &out->nest, &cost);
}

/* Appends to `to` the copies that the list from group `first` up to `end` waits for. */
static sinter_status append_copies(sinter__grouping *s, sinter__plan *plan, uint16_t first,
                                   uint16_t end, sinter__group *to, uint16_t *count)
{
    for (uint16_t k = 0; k < plan->update_count; k++) {
        sinter__update *u = &plan->updates[k];
        if (u->verdict == SINTER__UPDATE_IN_PLACE || u->copy != SINTER__NO_GROUP ||
            u->group < first || u->group >= end)
            continue;
        u->copy = *count;
        to[*count].list = *count;
        SINTER_TRY(make_copy(s, u, &plan->arena, &to[*count]));
        to[*count].list = *count;
        (*count)++;
    }
    return SINTER_OK;
}

sinter_status sinter__updates_place(sinter__grouping *s, sinter__plan *plan)
{
    if (!s->has_updates)
        return SINTER_OK;
    SINTER_TRY(find_updates(s, plan));
    size_t most = (size_t)plan->group_count + plan->update_count;
    sinter__group *to = sinter__arena_array(&plan->arena, most, sizeof *to);
    uint16_t *moved = sinter__arena_array(s->arena, most, sizeof *moved);
    uint16_t count = 0;
    if (to == NULL || moved == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < plan->group_count;) {
        uint16_t end = sinter__list_end(plan, i);
        SINTER_TRY(append_copies(s, plan, i, end, to, &count));
        for (uint16_t leader = count; i < end; i++) {
            moved[i] = count;
            to[count] = plan->groups[i];
            to[count++].list = leader;
        }
    }
    for (uint16_t k = 0; k < plan->update_count; k++)
        plan->updates[k].group = moved[plan->updates[k].group];
    plan->groups = to;
    plan->group_count = count;
    return SINTER_OK;
}

static uint16_t entry_of(const sinter__plan *plan, uint16_t tensor)
{
    uint16_t i = 0;
    while (i < plan->stored_count && plan->stored[i].tensor != tensor)
        i++;
    return i;
}

void sinter__updates_hand_over(const sinter__grouping *s, sinter__plan *plan)
{
    for (uint16_t k = 0; k < plan->update_count; k++) {
        const sinter__update *u = &plan->updates[k];
        uint16_t i = entry_of(plan, s->g->nodes[u->node].out);
        uint16_t base = entry_of(plan, u->base);
        if (u->copy != SINTER__NO_GROUP)
            plan->stored[i].first_group = u->copy;
        if (u->verdict != SINTER__UPDATE_IN_PLACE)
            continue;
        if (base == plan->stored_count) {
            plan->stored[i].donor = u->base;
            continue;
        }
        plan->stored[base].heir = i;
        plan->stored[i].inherits = true;
        plan->stored[i].donor = plan->stored[base].donor;
        plan->stored[base].donor = SINTER__NO_TENSOR;
    }
}
