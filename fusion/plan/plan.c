/* From groups to a plan: their order, their nests, and what becomes of every tensor. */
#include "fusion/plan/plan.h"

#include "fusion/plan/list.h"
#include "fusion/plan/update.h"

#include <string.h>

static const char *const rule_texts[SINTER__ENDED_COUNT] = {
    [SINTER__ENDED_SEGMENT] = "everything that touches it is in it",
    [SINTER__ENDED_REDUCTION] = "a reduction runs over other axes",
    [SINTER__ENDED_SCAN] = "a scan starts or ends here",
    [SINTER__ENDED_PRODUCT] = "a matrix product starts or ends here",
    [SINTER__ENDED_DOMAIN] = "a neighbour runs over other extents",
    [SINTER__ENDED_CYCLE] = "with its neighbour it would wait for itself",
    [SINTER__ENDED_OPERATIONS] = "limit: operations in a kernel",
    [SINTER__ENDED_ARGUMENTS] = "limit: bytes of kernel arguments",
    [SINTER__ENDED_VALUES] = "limit: values alive at once",
    [SINTER__ENDED_RECOMPUTE] = "a value would be computed several times per element",
    [SINTER__ENDED_PACKED] = "a reshape needs the elements packed in memory",
    [SINTER__ENDED_UPDATE] = "an update changes what a neighbour reads or makes",
    [SINTER__ENDED_UNFUSED] = "fusion is off",
};

const char *sinter__rule_text(sinter__rule_ended rule)
{
    return rule_texts[rule];
}

uint16_t sinter__view_root(const sinter__graph *g, uint16_t tensor)
{
    for (;;) {
        uint16_t n = g->tensors[tensor].producer;
        if (n == SINTER__NO_NODE || sinter__op_info_of(g->nodes[n].op)->kind != SINTER__KIND_VIEW)
            return tensor;
        tensor = g->nodes[n].in[0];
    }
}

bool sinter__view_from_root(const sinter__graph *g, uint16_t tensor, uint16_t root,
                            const sinter__view *of, sinter__view *out)
{
    if (tensor == root) {
        *out = *of;
        return true;
    }
    const sinter__node *node = &g->nodes[g->tensors[tensor].producer];
    sinter__view in;
    return sinter__view_from_root(g, node->in[0], root, of, &in) &&
           sinter__node_view(g, node, &in, out);
}

/* Order */

static void find_turns(sinter__grouping *s)
{
    for (uint16_t d = 0; d < s->draft_count; d++)
        s->drafts[d].turn = s->drafts[d].first;
    for (uint16_t d = 0; d < s->draft_count; d++) {
        sinter__draft *leader = &s->drafts[s->drafts[d].list];
        leader->turn = SINTER__MIN(leader->turn, s->drafts[d].first);
    }
}

/* Whether draft `d` takes its turn by itself: neither gone nor another's to call. */
static bool has_turn(const sinter__grouping *s, uint16_t d)
{
    return !s->drafts[d].dissolved && s->drafts[d].list == d;
}

/* Of the drafts that wait for none, the one with the first operation. */
static uint16_t next_draft(const sinter__grouping *s, const uint16_t *waits)
{
    uint16_t best = SINTER__NO_GROUP;
    for (uint16_t d = 0; d < s->draft_count; d++) {
        if (!has_turn(s, d) || waits[d] != 0)
            continue;
        if (best == SINTER__NO_GROUP || s->drafts[d].turn < s->drafts[best].turn)
            best = d;
    }
    return best;
}

/* The list that `leader` leads, in the order in which the operations were queued: drafts were made
 * from the last operation to the first. */
static uint16_t add_list(const sinter__grouping *s, uint16_t leader, uint16_t *order,
                         uint16_t count)
{
    for (uint16_t d = s->draft_count; d-- > leader;) {
        if (!s->drafts[d].dissolved && s->drafts[d].list == leader)
            order[count++] = d;
    }
    return count;
}

/* Drafts in the order in which they run: what is waited for comes first, ties by the first
 * operation; a list takes its turn as one. */
static uint16_t order_drafts(const sinter__grouping *s, uint16_t *waits, uint16_t *order)
{
    uint16_t count = 0;
    uint16_t left = 0;
    for (uint16_t d = 0; d < s->draft_count; d++) {
        waits[d] = 0;
        for (uint16_t k = 0; k < s->draft_count && has_turn(s, d); k++)
            if (has_turn(s, k) && k != d && sinter__reaches(&s->reach, k, d))
                waits[d]++;
        left += has_turn(s, d);
    }
    for (; left > 0; left--) {
        uint16_t best = next_draft(s, waits);
        if (best == SINTER__NO_GROUP)
            return SINTER__NO_GROUP;
        waits[best] = UINT16_MAX;
        count = add_list(s, best, order, count);
        for (uint16_t d = 0; d < s->draft_count; d++) {
            if (d != best && waits[d] != UINT16_MAX && has_turn(s, d) &&
                sinter__reaches(&s->reach, best, d))
                waits[d]--;
        }
    }
    return count;
}

/* Groups */

static sinter_status list_nodes(sinter__grouping *s, uint16_t d, sinter__arena *arena,
                                sinter__group *out)
{
    out->node_count = s->drafts[d].members;
    out->nodes = sinter__arena_array(arena, out->node_count, sizeof *out->nodes);
    if (out->nodes == NULL)
        return SINTER_ENOMEM;
    uint16_t at = 0;
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n])
        out->nodes[at++] = n;
    return SINTER_OK;
}

static sinter_status make_groups(sinter__grouping *s, sinter__plan *out)
{
    uint16_t *waits = sinter__arena_array(s->arena, (size_t)s->draft_count + 1, sizeof *waits);
    uint16_t *order = sinter__arena_array(s->arena, (size_t)s->draft_count + 1, sizeof *order);
    if (waits == NULL || order == NULL)
        return SINTER_ENOMEM;
    find_turns(s);
    uint16_t count = order_drafts(s, waits, order);
    if (count == SINTER__NO_GROUP)
        return sinter__fail(SINTER_EINTERNAL, "the groups wait for each other");
    out->groups = sinter__arena_array(&out->arena, count, sizeof *out->groups);
    if (out->groups == NULL)
        return SINTER_ENOMEM;
    out->group_count = count;
    for (uint16_t i = 0; i < count; i++) {
        sinter__nest_cost cost = {0};
        out->groups[i].ended = s->drafts[order[i]].ended;
        out->groups[i].copies = SINTER__NO_NODE;
        SINTER_TRY(list_nodes(s, order[i], &out->arena, &out->groups[i]));
        SINTER_TRY(sinter__draft_nest(s, order[i], &out->arena, &out->groups[i].nest, &cost));
        bool follows = i > 0 && s->drafts[order[i]].list == s->drafts[order[i - 1]].list;
        out->groups[i].list = follows ? out->groups[i - 1].list : i;
    }
    return SINTER_OK;
}

uint16_t sinter__list_end(const sinter__plan *plan, uint16_t group)
{
    uint16_t end = (uint16_t)(group + 1);
    while (end < plan->group_count && plan->groups[end].list == plan->groups[group].list)
        end++;
    return end;
}

/* Tensors */

static sinter__stored *find_stored(const sinter__plan *plan, uint16_t tensor)
{
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        if (plan->stored[i].tensor == tensor)
            return &plan->stored[i];
    }
    return NULL;
}

static void add_stored(const sinter__graph *g, sinter__plan *plan, uint16_t group)
{
    const sinter__nest *nest = &plan->groups[group].nest;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        if (nest->accesses[a].role != SINTER__ROLE_WRITE ||
            plan->groups[group].copies != SINTER__NO_NODE)
            continue;
        uint16_t tensor = nest->accesses[a].tensor;
        uint16_t entry = plan->stored_count++;
        plan->stored[entry] = (sinter__stored){
            .tensor = tensor,
            .group = group,
            .first_group = group,
            .last_group = group,
            .donor = SINTER__NO_TENSOR,
            .heir = entry,
            .live = g->tensors[tensor].live,
        };
    }
}

/* The group with which `group` runs: a copy waits for the update that it is for, whatever else of that one's
 * list runs before. */
static uint16_t runs_with(const sinter__plan *plan, uint16_t group)
{
    for (uint16_t k = 0; k < plan->update_count; k++) {
        if (plan->updates[k].copy == group)
            return plan->updates[k].group;
    }
    return group;
}

/* Last uses of what is stored, and the entering tensors that are read. */
static void add_reads(const sinter__graph *g, sinter__plan *plan, uint16_t group, bool *seen)
{
    const sinter__nest *nest = &plan->groups[group].nest;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        uint16_t tensor = nest->accesses[a].tensor;
        if (nest->accesses[a].role != SINTER__ROLE_READ)
            continue;
        sinter__stored *stored = find_stored(plan, tensor);
        if (stored != NULL)
            stored->last_group = SINTER__MAX(stored->last_group, runs_with(plan, group));
        if (g->tensors[tensor].producer == SINTER__NO_NODE && !seen[tensor]) {
            seen[tensor] = true;
            plan->read[plan->read_count++] = tensor;
        }
    }
}

static sinter_status list_tensors(const sinter__grouping *s, sinter__plan *out)
{
    const sinter__graph *g = s->g;
    bool *seen = sinter__arena_array(s->arena, g->tensor_count, sizeof *seen);
    out->stored = sinter__arena_array(&out->arena, g->node_count, sizeof *out->stored);
    out->aliases = sinter__arena_array(&out->arena, g->node_count, sizeof *out->aliases);
    out->read = sinter__arena_array(&out->arena, g->tensor_count, sizeof *out->read);
    if (seen == NULL || out->stored == NULL || out->aliases == NULL || out->read == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < out->group_count; i++)
        add_stored(g, out, i);
    for (uint16_t i = 0; i < out->group_count; i++)
        add_reads(g, out, i, seen);
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (!s->is_alias[t])
            continue;
        uint16_t root = g->nodes[g->tensors[t].producer].in[0];
        while (!s->is_loaded[root] && sinter__view_root(g, root) != root)
            root = g->nodes[g->tensors[root].producer].in[0];
        out->aliases[out->alias_count++] = (sinter__alias){.tensor = (uint16_t)t, .root = root};
        sinter__stored *stored = find_stored(out, root);
        if (stored != NULL)
            stored->live = true;
    }
    return SINTER_OK;
}

/* Donation */

#define NO_PATH UINT16_MAX

static bool is_given(const sinter__plan *plan, uint16_t tensor)
{
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        if (plan->stored[i].donor == tensor)
            return true;
    }
    for (uint16_t i = 0; i < plan->alias_count; i++) {
        if (plan->aliases[i].root == tensor)
            return true;
    }
    return false;
}

/* Whether an access goes through the elements as the stores do. */
static bool is_in_place(const sinter__nest *nest, const sinter__access *access)
{
    if (nest->form != SINTER__FORM_CONTRACT || access->chain == SINTER__CHAIN_END)
        return access->chain == SINTER__CHAIN_END;
    const sinter__link *link = &nest->links[access->chain];
    return link->kind == SINTER__LINK_PRODUCT && link->next == SINTER__CHAIN_END;
}

/* Whether `group` reads `tensor`, always element by element as it writes. */
static bool reads_in_place(const sinter__nest *nest, uint16_t tensor)
{
    bool found = false;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__access *access = &nest->accesses[a];
        if (access->role != SINTER__ROLE_READ || access->tensor != tensor)
            continue;
        if (!is_in_place(nest, access))
            return false;
        found = true;
    }
    return found;
}

/* Whether a group reads `tensor` that runs after `group`, or, being of its list, beside it. */
static bool is_read_later(const sinter__plan *plan, uint16_t group, uint16_t tensor)
{
    for (uint16_t i = 0; i < plan->group_count; i++) {
        const sinter__nest *nest = &plan->groups[i].nest;
        uint16_t when = runs_with(plan, i);
        if (when < plan->groups[group].list || when == group)
            continue;
        for (uint16_t a = 0; a < nest->access_count; a++) {
            if (nest->accesses[a].role == SINTER__ROLE_READ && nest->accesses[a].tensor == tensor)
                return true;
        }
    }
    return false;
}

static bool can_donate(sinter__grouping *s, const sinter__plan *plan, const sinter__stored *to,
                       uint16_t donor)
{
    const sinter__gtensor *d = &s->g->tensors[donor];
    const sinter__gtensor *t = &s->g->tensors[to->tensor];
    return !d->live && d->sole && d->whole &&
           sinter_dtype_bytes((sinter_dtype)d->dtype) ==
               sinter_dtype_bytes((sinter_dtype)t->dtype) &&
           reads_in_place(&plan->groups[to->group].nest, donor) &&
           sinter__symbols_same_domain(&s->symbols, donor, to->tensor) &&
           !is_read_later(plan, to->group, donor) && !sinter__graph_shares_storage(s->g, donor) &&
           !is_given(plan, donor);
}

/* How many operations of `group` lead from each tensor to `to`; NO_PATH: none do. */
static void find_distances(const sinter__graph *g, const sinter__group *group, uint16_t to,
                           uint16_t *distance)
{
    memset(distance, 0xff, g->tensor_count * sizeof *distance);
    distance[to] = 0;
    for (uint16_t n = group->node_count; n-- > 0;) {
        const sinter__node *node = &g->nodes[group->nodes[n]];
        if (distance[node->out] == NO_PATH)
            continue;
        for (int i = 0; i < node->in_count; i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                distance[node->in[i]] =
                    SINTER__MIN(distance[node->in[i]], (uint16_t)(distance[node->out] + 1));
        }
    }
}

/* A result takes the storage of an input that leads to it, of the nearest: the new state of a loop that
 * of the old one, so that its tensors stay where they are and no argument of its kernels changes. */
static sinter_status find_donors(sinter__grouping *s, sinter__plan *plan)
{
    uint16_t *distance = sinter__arena_array(s->arena, s->g->tensor_count, sizeof *distance);
    if (distance == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        sinter__stored *to = &plan->stored[i];
        const sinter__group *group = &plan->groups[to->group];
        bool by_element =
            group->nest.form == SINTER__FORM_MAP || group->nest.form == SINTER__FORM_CONTRACT;
        if (!to->live || !by_element || sinter__graph_updates(s->g, to->tensor))
            continue;
        uint16_t donor = SINTER__NO_TENSOR;
        find_distances(s->g, group, to->tensor, distance);
        for (uint16_t a = 0; a < group->nest.access_count; a++) {
            uint16_t other = group->nest.accesses[a].tensor;
            bool nearer = donor == SINTER__NO_TENSOR || distance[other] < distance[donor];
            if (nearer && distance[other] != NO_PATH && can_donate(s, plan, to, other))
                donor = other;
        }
        to->donor = donor;
    }
    return SINTER_OK;
}

/* Tells the nests which of their results lie where something was before. */
static void mark_in_place(sinter__plan *plan)
{
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        const sinter__stored *x = &plan->stored[i];
        const sinter__nest *nest = &plan->groups[x->group].nest;
        for (uint16_t a = 0; a < nest->access_count; a++) {
            sinter__access *access = &nest->accesses[a];
            if (access->role == SINTER__ROLE_WRITE && access->tensor == x->tensor)
                access->in_place = x->inherits || x->donor != SINTER__NO_TENSOR;
        }
    }
}

sinter_status sinter__plan_build(const sinter__graph *g, const sinter__limits *limits,
                                 sinter__plan *out)
{
    sinter__arena drafts;
    sinter__grouping s;
    *out = (sinter__plan){0};
    sinter__arena_init(&out->arena, g->allocator);
    sinter__arena_init(&drafts, g->allocator);
    sinter_status status = sinter__grouping_build(g, limits, &drafts, &s);
    if (status == SINTER_OK && limits->max_group_nodes > 1)
        status = sinter__lists_find(&s);
    if (status == SINTER_OK)
        status = make_groups(&s, out);
    if (status == SINTER_OK)
        status = sinter__updates_place(&s, out);
    if (status == SINTER_OK)
        status = list_tensors(&s, out);
    if (status == SINTER_OK)
        sinter__updates_hand_over(&s, out);
    if (status == SINTER_OK && limits->reuse)
        status = find_donors(&s, out);
    if (status == SINTER_OK)
        mark_in_place(out);
    sinter__grouping_finish(&s);
    sinter__arena_finish(&drafts);
    return status;
}

void sinter__plan_finish(sinter__plan *plan)
{
    sinter__arena_finish(&plan->arena);
}
