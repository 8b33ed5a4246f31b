/* Grouping, from the last operation to the first: an operation is taken into the group of those
 * that use it.
 *
 * The one hard idea: whether a group is legal and worth it is not argued about, it is built and
 * looked at. An operation joins, the nest is built, and the cost that comes with the nest decides;
 * if it does not fit, the operation's result is stored and others load it. What can make a cycle is
 * decided first: an operation whose result is stored may join a group only when no other user of
 * the result leads back into that group. */
#include "fusion/plan/group.h"

#include "fusion/plan/gemm.h"
#include "fusion/plan/update.h"

#include <string.h>

/* Bytes that a kernel's other arguments may take: extents, scratch, geometry. */
#define OTHER_ARGUMENT_BYTES 128

#define FITS SINTER__FITS

static const sinter__op_info *info_of(const sinter__grouping *s, uint16_t node)
{
    return sinter__op_info_of(s->g->nodes[node].op);
}

/* Made of scalars and the index alone, and cheap: computed wherever it is wanted. */
static bool is_free(const sinter__grouping *s, uint16_t node)
{
    uint8_t kind = info_of(s, node)->kind;
    return kind == SINTER__KIND_FILL || kind == SINTER__KIND_GENERATE;
}

static bool is_view(const sinter__grouping *s, uint16_t node)
{
    return info_of(s, node)->kind == SINTER__KIND_VIEW;
}

uint16_t sinter__operand_base(const sinter__grouping *s, uint16_t tensor)
{
    for (;;) {
        uint16_t n = s->g->tensors[tensor].producer;
        if (n == SINTER__NO_NODE || s->is_loaded[tensor] || !is_view(s, n))
            return tensor;
        tensor = s->g->nodes[n].in[0];
    }
}

/* Trials */

sinter_status sinter__draft_nest(sinter__grouping *s, uint16_t d, sinter__arena *arena,
                                 sinter__nest *out, sinter__nest_cost *cost)
{
    const sinter__draft *draft = &s->drafts[d];
    uint16_t stores = 0;
    for (uint16_t n = draft->first; n != SINTER__NO_NODE; n = s->next_member[n]) {
        s->is_member[n] = true;
        if (s->stored[s->g->nodes[n].out])
            s->stores[stores++] = s->g->nodes[n].out;
    }
    sinter__nest_members members = {
        .is_member = s->is_member,
        .is_loaded = s->is_loaded,
        .form = draft->form,
        .root = draft->root,
        .domain = draft->domain,
        .stores = s->stores,
        .store_count = stores,
    };
    sinter_status status = sinter__nest_build(arena, s->g, &members, out, cost);
    for (uint16_t n = draft->first; n != SINTER__NO_NODE; n = s->next_member[n])
        s->is_member[n] = is_free(s, n);
    return status;
}

/* Bytes of arguments, by the strides that remain after collapsing. The plan also serves shapes that
 * take wide indices, so all count as such. */
static uint32_t argument_bytes(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    uint32_t bytes = OTHER_ARGUMENT_BYTES;
    const uint32_t index = 8;
    int rank = bound->parallel_rank + bound->reduced_rank;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        bytes += nest->accesses[a].role != SINTER__ROLE_INDEX ? 16 : index;
        for (int i = 0; i < rank && rank > 1; i++)
            bytes += bound->accesses[a].stride[i] != 0 ? index : 0;
    }
    return bytes + (uint32_t)rank * (index + 8);
}

static uint32_t count_members(const sinter__grouping *s, uint16_t d)
{
    uint32_t count = 0;
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n])
        count += !is_view(s, n);
    return count;
}

/* An operation counts though it computes nothing, a fill or a copy: who halves the limit gets smaller groups, down to
 * one operation and views of it. */
static sinter__rule_ended judge(sinter__grouping *s, uint16_t d, const sinter__nest *nest,
                                const sinter__nest_cost *cost, sinter__arena *scratch)
{
    uint32_t operations = SINTER__MAX(cost->operations, count_members(s, d));
    if (operations > s->limits->max_group_nodes || cost->reductions > SINTER__MAX_REDUCTIONS)
        return s->limits->max_group_nodes == 1 ? SINTER__ENDED_UNFUSED : SINTER__ENDED_OPERATIONS;
    if (cost->live > s->limits->tuning.live_max)
        return SINTER__ENDED_VALUES;
    if (sinter__nest_updates_clash(s, nest))
        return SINTER__ENDED_UPDATE;
    if (cost->repeated > 0 &&
        cost->repeated >= (uint64_t)cost->spared_bytes * s->limits->tuning.arithmetic_per_byte)
        return SINTER__ENDED_RECOMPUTE;
    sinter__bound_nest bound = {0};
    bound.accesses = sinter__arena_array(scratch, nest->access_count, sizeof *bound.accesses);
    if (bound.accesses == NULL) {
        s->status = SINTER_ENOMEM;
        return SINTER__ENDED_VALUES;
    }
    if (sinter__bind(s->g, nest, s->limits->narrow, &bound) != SINTER_OK)
        return SINTER__ENDED_PACKED;
    uint32_t bytes = argument_bytes(nest, &bound) + 8 * cost->scalars;
    return bytes > s->limits->parameter_bytes ? SINTER__ENDED_ARGUMENTS : FITS;
}

/* FITS when the group is legal and worth it as it stands; else what refuses. A refusal is no error:
 * its message goes. That there was no memory to try it is one, and no rule: s->status. */
static sinter__rule_ended try_draft(sinter__grouping *s, uint16_t d)
{
    sinter__arena scratch;
    sinter__nest nest;
    sinter__nest_cost cost = {0};
    if (sinter__draft_updates_clash(s, d))
        return SINTER__ENDED_UPDATE;
    sinter__arena_init(&scratch, s->g->allocator);
    sinter__rule_ended rule = SINTER__ENDED_VALUES;
    sinter_status status = sinter__draft_nest(s, d, &scratch, &nest, &cost);
    if (status == SINTER_OK)
        rule = judge(s, d, &nest, &cost, &scratch);
    else if (status == SINTER_ENOMEM)
        s->status = status;
    else if (cost.misplaced)
        rule = s->drafts[d].form == SINTER__FORM_SCAN       ? SINTER__ENDED_SCAN
               : s->drafts[d].form == SINTER__FORM_CONTRACT ? SINTER__ENDED_PRODUCT
                                                            : SINTER__ENDED_REDUCTION;
    if (rule != FITS && s->status == SINTER_OK)
        sinter__clear_error();
    sinter__arena_finish(&scratch);
    return rule;
}

/* Remembers the first thing that kept a group from growing. */
static void refuse(sinter__grouping *s, uint16_t d, sinter__rule_ended rule)
{
    if (s->drafts[d].ended == SINTER__ENDED_SEGMENT)
        s->drafts[d].ended = (uint8_t)rule;
}

/* Joining */

/* Node `n` into group `d`, its result used inside only. */
static sinter__rule_ended try_inline(sinter__grouping *s, uint16_t n, uint16_t d)
{
    if (s->drafts[d].form == SINTER__FORM_CONTRACT)
        return SINTER__ENDED_PRODUCT;
    sinter__member_add(s, n, d);
    sinter__rule_ended rule = try_draft(s, d);
    if (rule != FITS)
        sinter__member_drop(s, d);
    return rule;
}

/* Whether the loops of draft `d` pass where a result of the shape of `tensor` is stored: over the
 * domain, or over the axes of it that a reduction keeps. */
static bool passes(sinter__grouping *s, const sinter__draft *d, uint16_t tensor)
{
    if (d->form == SINTER__FORM_MAP)
        return sinter__symbols_same_domain(&s->symbols, tensor, d->domain);
    if (d->form == SINTER__FORM_SCAN)
        return sinter__symbols_same_axes(&s->symbols, tensor, d->domain);
    uint32_t reduced = s->g->nodes[d->root].attr;
    return sinter__symbols_same_axes(&s->symbols, tensor, d->domain) ||
           sinter__symbols_are_kept(&s->symbols, tensor, d->domain, reduced);
}

/* Node `n` into group `d`, which writes its result. */
static sinter__rule_ended try_stored(sinter__grouping *s, uint16_t n, uint16_t d)
{
    const sinter__draft *draft = &s->drafts[d];
    if (draft->form == SINTER__FORM_CONTRACT)
        return SINTER__ENDED_PRODUCT;
    if (!passes(s, draft, s->g->nodes[n].out))
        return SINTER__ENDED_DOMAIN;
    return try_inline(s, n, d);
}

/* A product takes elementwise work on its result along, over the same axes. Other groups it does not:
 * of what makes its operands each element would be computed once for every row or column that uses
 * it. Nor where a library may compute it, which is decided later, by extents. */
static sinter__rule_ended ends_product(sinter__grouping *s, uint16_t product, uint16_t map)
{
    const sinter__draft *p = &s->drafts[product];
    const sinter__draft *m = &s->drafts[map];
    uint16_t result = s->g->nodes[p->root].out;
    if (m->form != SINTER__FORM_MAP || !sinter__draft_reads(s, map, result) ||
        sinter__gemm_from(s->limits, (sinter_dtype)s->g->tensors[result].dtype) != 0)
        return SINTER__ENDED_PRODUCT;
    return sinter__symbols_same_axes(&s->symbols, m->domain, result) ? FITS : SINTER__ENDED_DOMAIN;
}

sinter__rule_ended sinter__drafts_agree(sinter__grouping *s, uint16_t a, uint16_t b)
{
    const sinter__draft *x = &s->drafts[a];
    const sinter__draft *y = &s->drafts[b];
    if (x->form == SINTER__FORM_CONTRACT)
        return ends_product(s, a, b);
    if (y->form == SINTER__FORM_CONTRACT)
        return ends_product(s, b, a);
    if (x->form != y->form && x->form != SINTER__FORM_MAP && y->form != SINTER__FORM_MAP)
        return SINTER__ENDED_SCAN;
    if (x->form != y->form) {
        const sinter__draft *map = x->form == SINTER__FORM_MAP ? x : y;
        return passes(s, map == x ? y : x, map->domain) ? FITS : SINTER__ENDED_DOMAIN;
    }
    if (x->form == SINTER__FORM_MAP)
        return passes(s, x, y->domain) ? FITS : SINTER__ENDED_DOMAIN;
    bool same = sinter__symbols_same_axes(&s->symbols, x->domain, y->domain) &&
                s->g->nodes[x->root].attr == s->g->nodes[y->root].attr;
    if (same)
        return FITS;
    return x->form == SINTER__FORM_SCAN ? SINTER__ENDED_SCAN : SINTER__ENDED_REDUCTION;
}

/* What nobody outside draft `d` reads, and nobody holds, is not stored. False when an operation of
 * it reads a view that is stored as one: that is written before it is read. */
static bool store_less(sinter__grouping *s, uint16_t d)
{
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n]) {
        uint16_t tensor = s->g->nodes[n].out;
        if (!s->stored[tensor])
            continue;
        if (s->is_loaded[tensor] && sinter__draft_reads(s, d, tensor))
            return false;
        s->stored[tensor] = s->held[tensor] || sinter__read_outside(s, d, tensor);
    }
    return true;
}

sinter__rule_ended sinter__drafts_merge(sinter__grouping *s, uint16_t a, uint16_t b)
{
    sinter__draft *x = &s->drafts[a];
    sinter__draft *y = &s->drafts[b];
    sinter__draft old = *x;
    sinter__rule_ended rule = sinter__drafts_agree(s, a, b);
    if (rule != FITS)
        return rule;
    if ((uint32_t)x->members + y->members > s->limits->max_group_nodes ||
        x->reductions + y->reductions > SINTER__MAX_REDUCTIONS)
        return SINTER__ENDED_OPERATIONS;
    sinter__members_unite(s, a, b);
    if (x->form == SINTER__FORM_MAP && y->form != SINTER__FORM_MAP) {
        x->form = y->form;
        x->root = y->root;
        x->domain = y->domain;
    }
    bool waits = sinter__reaches(&s->reach, a, b) || sinter__reaches(&s->reach, b, a);
    rule = !waits || store_less(s, a) ? try_draft(s, a) : SINTER__ENDED_PACKED;
    if (rule != FITS) {
        sinter__members_part(s, a, b);
        x->form = old.form;
        x->root = old.root;
        x->domain = old.domain;
        return rule;
    }
    x->ended = SINTER__ENDED_SEGMENT; /* what kept them apart has been overcome */
    y->dissolved = true;
    y->first = SINTER__NO_NODE;
    sinter__reach_together(&s->reach, a, b);
    sinter__reach_drop(&s->reach, b);
    return FITS;
}

/* Group `b` into group `a`. Neither may wait for the other. */
static sinter__rule_ended try_merge(sinter__grouping *s, uint16_t a, uint16_t b)
{
    if (sinter__reaches(&s->reach, a, b) || sinter__reaches(&s->reach, b, a))
        return SINTER__ENDED_CYCLE;
    return sinter__drafts_merge(s, a, b);
}

static uint16_t new_draft(sinter__grouping *s, sinter__form form, uint16_t node)
{
    uint16_t d = s->draft_count++;
    uint16_t tensor = s->g->nodes[node].out;
    s->drafts[d] = (sinter__draft){
        .form = (uint8_t)form, .root = node, .domain = tensor, .list = d, .first = SINTER__NO_NODE};
    if (form == SINTER__FORM_REDUCE || form == SINTER__FORM_SCAN)
        s->drafts[d].domain = s->g->nodes[node].in[0];
    else if (form == SINTER__FORM_CONTRACT)
        s->drafts[d].ended = SINTER__ENDED_PRODUCT;
    else if (s->g->nodes[node].op == SINTER__OP_UPDATE)
        s->drafts[d].domain = s->g->nodes[node].in[1];
    sinter__member_add(s, node, d);
    s->stored[tensor] = true;
    return d;
}

/* Consumers */

/* Groups that use `tensor`, in the order of their first use; free operations pass it on to nobody.
 */
static uint16_t find_users(const sinter__grouping *s, uint16_t tensor, uint16_t *out)
{
    uint16_t count = 0;
    for (uint32_t r = s->readers_of[tensor]; r != 0; r = s->readers[r].next) {
        uint16_t d = s->group_of[s->readers[r].node];
        bool seen = d == SINTER__NO_GROUP;
        for (uint16_t i = 0; i < count; i++)
            seen |= out[i] == d;
        if (!seen)
            out[count++] = d;
    }
    return count;
}

/* Whether storing `tensor` in group `d` makes the group wait for itself through another user. */
static bool makes_cycle(const sinter__grouping *s, uint16_t d, const uint16_t *users,
                        uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        if (users[i] != d && sinter__reaches(&s->reach, users[i], d))
            return true;
    }
    return false;
}

/* Merges as many users of a tensor as will go together; returns how many groups are left. */
static uint16_t merge_users(sinter__grouping *s, uint16_t *users, uint16_t count)
{
    for (uint16_t i = 0; i < count; i++) {
        for (uint16_t k = (uint16_t)(i + 1); k < count;) {
            sinter__rule_ended rule = try_merge(s, users[i], users[k]);
            if (rule != FITS) {
                refuse(s, users[i], rule);
                refuse(s, users[k], rule);
                k++;
                continue;
            }
            memmove(users + k, users + k + 1, (size_t)(count - k - 1) * sizeof *users);
            count--;
        }
    }
    return count;
}

/* The first user whose group takes node `n` in and writes its result; else a group of its own. */
static uint16_t find_home(sinter__grouping *s, uint16_t n, const uint16_t *users, uint16_t count)
{
    sinter__rule_ended rule = SINTER__ENDED_SEGMENT;
    for (uint16_t i = 0; i < count && !is_view(s, n); i++) {
        rule = makes_cycle(s, users[i], users, count) ? SINTER__ENDED_CYCLE
                                                      : try_stored(s, n, users[i]);
        if (rule == FITS)
            return users[i];
        refuse(s, users[i], rule);
    }
    uint16_t home = new_draft(s, SINTER__FORM_MAP, n);
    refuse(s, home, rule);
    return home;
}

/* Places node `n` into its users' group, or into one of its own. */
static void place(sinter__grouping *s, uint16_t n, uint16_t *users)
{
    uint16_t tensor = s->g->nodes[n].out;
    uint16_t count = find_users(s, tensor, users);
    if (count > 1)
        count = merge_users(s, users, count);
    if (!s->stored[tensor] && count == 1) {
        sinter__rule_ended rule = try_inline(s, n, users[0]);
        if (rule == FITS)
            return;
        refuse(s, users[0], rule);
    }
    s->stored[tensor] = true;
    uint16_t home = find_home(s, n, users, count);
    for (uint16_t i = 0; i < count; i++)
        sinter__reach_add(&s->reach, home, users[i]);
}

/* Groups that nothing connects and that run over the same extents, side by side in one launch. */
static void merge_side_by_side(sinter__grouping *s)
{
    for (uint16_t a = 0; a < s->draft_count; a++) {
        for (uint16_t b = (uint16_t)(a + 1); b < s->draft_count && !s->drafts[a].dissolved; b++) {
            if (!s->drafts[b].dissolved && s->drafts[a].form == SINTER__FORM_MAP)
                (void)try_merge(s, a, b);
        }
    }
}

/* What has to be stored */

static void find_needed(sinter__grouping *s)
{
    const sinter__graph *g = s->g;
    for (size_t i = g->node_count; i-- > 0;) {
        const sinter__node *node = &g->nodes[i];
        s->needed[i] |= g->tensors[node->out].live;
        for (int k = 0; k < node->in_count && s->needed[i]; k++) {
            if ((node->scalar_mask >> k & 1) != 0)
                continue;
            uint16_t producer = g->tensors[node->in[k]].producer;
            if (producer != SINTER__NO_NODE)
                s->needed[producer] = true;
        }
    }
}

/* A reshape of what lies in another order in memory: that has to be packed first. */
static void pack_before_reshape(sinter__grouping *s, uint16_t n)
{
    const sinter__node *node = &s->g->nodes[n];
    uint16_t in = node->in[0];
    uint16_t base = sinter__operand_base(s, in);
    sinter__view own = s->g->tensors[base].view;
    sinter__view seen;
    sinter__view out;
    if (node->op != SINTER__OP_RESHAPE || base == in)
        return;
    bool fine = sinter__view_from_root(s->g, in, base, &own, &seen) &&
                sinter__node_view(s->g, node, &seen, &out);
    if (fine)
        return;
    s->stored[in] = s->is_loaded[in] = s->held[in] = true;
    s->is_alias[in] = false;
}

/* Views that outlive the segment cost nothing when what they look at is there anyway. */
static void place_live_view(sinter__grouping *s, uint16_t n)
{
    uint16_t tensor = s->g->nodes[n].out;
    uint16_t base = sinter__operand_base(s, s->g->nodes[n].in[0]);
    sinter__view own = s->g->tensors[base].view;
    sinter__view out;
    bool there = s->g->tensors[base].producer == SINTER__NO_NODE || s->stored[base];
    if (there && sinter__view_from_root(s->g, tensor, base, &own, &out))
        s->is_alias[tensor] = s->held[base] = true;
    else
        s->stored[tensor] = s->is_loaded[tensor] = s->held[tensor] = true;
}

/* Several live views of something that nobody holds: it is stored once for all of them. */
static void store_what_views_share(sinter__grouping *s)
{
    const sinter__graph *g = s->g;
    for (size_t n = 0; n < g->node_count; n++) {
        uint16_t tensor = g->nodes[n].out;
        if (!s->needed[n] || !g->tensors[tensor].live || !is_view(s, (uint16_t)n) ||
            s->is_loaded[tensor])
            continue;
        uint16_t base = sinter__operand_base(s, tensor);
        bool made = g->tensors[base].producer != SINTER__NO_NODE;
        s->stored[base] |= s->is_shown[base] && made;
        s->held[base] |= s->is_shown[base] && made;
        s->is_shown[base] = true;
    }
}

static void pack_before_reshapes(sinter__grouping *s)
{
    for (size_t n = 0; n < s->g->node_count; n++) {
        if (s->needed[n] && is_view(s, (uint16_t)n))
            pack_before_reshape(s, (uint16_t)n);
    }
}

static void find_stored(sinter__grouping *s)
{
    const sinter__graph *g = s->g;
    pack_before_reshapes(s);
    for (size_t n = 0; n < g->node_count; n++) {
        const sinter__node *node = &g->nodes[n];
        if (!s->needed[n])
            continue;
        uint8_t kind = info_of(s, (uint16_t)n)->kind;
        s->held[node->out] |= g->tensors[node->out].live && kind != SINTER__KIND_VIEW;
        if (kind == SINTER__KIND_UPDATE)
            sinter__update_store(s, (uint16_t)n);
        s->stored[node->out] |= s->held[node->out] || sinter__kind_reduces(kind) ||
                                kind == SINTER__KIND_SCAN || kind == SINTER__KIND_CONTRACT;
        if (kind != SINTER__KIND_CONTRACT)
            continue;
        for (int i = 0; i < node->in_count; i++) {
            uint16_t base = sinter__operand_base(s, node->in[i]);
            if (g->tensors[base].producer != SINTER__NO_NODE)
                s->stored[base] = s->held[base] = true;
        }
    }
    store_what_views_share(s);
    for (size_t n = 0; n < g->node_count; n++) {
        bool live = g->tensors[g->nodes[n].out].live;
        if (s->needed[n] && live && is_view(s, (uint16_t)n) && !s->is_loaded[g->nodes[n].out])
            place_live_view(s, (uint16_t)n);
    }
    pack_before_reshapes(s); /* those that now look at a view that is stored */
}

/* Views and free operations are placed only where their result has to be stored. */
static void place_node(sinter__grouping *s, uint16_t n, uint16_t *users)
{
    const sinter__op_info *info = info_of(s, n);
    uint16_t tensor = s->g->nodes[n].out;
    if (!s->needed[n] || ((is_view(s, n) || is_free(s, n)) && !s->stored[tensor]))
        return;
    sinter__form form = sinter__kind_reduces(info->kind)      ? SINTER__FORM_REDUCE
                        : info->kind == SINTER__KIND_SCAN     ? SINTER__FORM_SCAN
                        : info->kind == SINTER__KIND_CONTRACT ? SINTER__FORM_CONTRACT
                                                              : SINTER__FORM_MAP;
    if (form == SINTER__FORM_MAP && info->kind != SINTER__KIND_UPDATE) {
        place(s, n, users);
        return;
    }
    uint16_t count = find_users(s, tensor, users);
    uint16_t d = new_draft(s, form, n);
    for (uint16_t i = 0; i < count; i++)
        sinter__reach_add(&s->reach, d, users[i]);
}

static sinter_status allocate(sinter__grouping *s)
{
    size_t nodes = s->g->node_count;
    size_t tensors = s->g->tensor_count;
    sinter__arena *a = s->arena;
    s->needed = sinter__arena_array(a, nodes, sizeof *s->needed);
    s->is_member = sinter__arena_array(a, nodes, sizeof *s->is_member);
    s->stored = sinter__arena_array(a, tensors, sizeof *s->stored);
    s->saved_stored = sinter__arena_array(a, nodes, sizeof *s->saved_stored);
    s->held = sinter__arena_array(a, tensors, sizeof *s->held);
    s->is_loaded = sinter__arena_array(a, tensors, sizeof *s->is_loaded);
    s->is_shown = sinter__arena_array(a, tensors, sizeof *s->is_shown);
    s->is_alias = sinter__arena_array(a, tensors, sizeof *s->is_alias);
    s->group_of = sinter__arena_array(a, nodes, sizeof *s->group_of);
    s->next_member = sinter__arena_array(a, nodes, sizeof *s->next_member);
    s->saved = sinter__arena_array(a, nodes, sizeof *s->saved);
    s->stores = sinter__arena_array(a, nodes, sizeof *s->stores);
    s->drafts = sinter__arena_array(a, nodes, sizeof *s->drafts);
    if (s->needed == NULL || s->is_member == NULL || s->stored == NULL || s->is_loaded == NULL ||
        s->is_shown == NULL || s->is_alias == NULL || s->held == NULL || s->saved_stored == NULL ||
        s->group_of == NULL || s->next_member == NULL || s->saved == NULL || s->stores == NULL ||
        s->drafts == NULL)
        return SINTER_ENOMEM;
    for (size_t n = 0; n < nodes; n++) {
        s->group_of[n] = SINTER__NO_GROUP;
        s->is_member[n] = is_free(s, (uint16_t)n);
    }
    return sinter__reach_init(&s->reach, a, nodes);
}

sinter_status sinter__grouping_build(const sinter__graph *g, const sinter__limits *limits,
                                     sinter__arena *arena, sinter__grouping *out)
{
    *out = (sinter__grouping){.g = g, .limits = limits, .arena = arena};
    SINTER_TRY(sinter__symbols_init(&out->symbols, g));
    SINTER_TRY(allocate(out));
    uint16_t *users = sinter__arena_array(arena, g->node_count + 1, sizeof *users);
    if (users == NULL)
        return SINTER_ENOMEM;
    find_needed(out);
    find_stored(out);
    SINTER_TRY(sinter__updates_judge(out));
    SINTER_TRY(sinter__readers_find(out));
    for (size_t n = g->node_count; n-- > 0 && out->status == SINTER_OK;)
        place_node(out, (uint16_t)n, users);
    if (limits->max_group_nodes > 1 && out->status == SINTER_OK)
        sinter__drafts_join(out);
    if (limits->max_group_nodes > 1 && out->status == SINTER_OK)
        merge_side_by_side(out);
    return out->status;
}

void sinter__grouping_finish(sinter__grouping *s)
{
    sinter__symbols_finish(&s->symbols);
}
