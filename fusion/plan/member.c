/* Who is in which draft, and who reads what.
 *
 * The one hard idea: what a trial walks is what its drafts hold, not what the segment holds. So the
 * members of a draft are a list, in the order of the operations, and the readers of a tensor are
 * found once: what is read through which views does not change while drafts grow. */
#include "fusion/plan/group.h"

/* Readers */

static void add_reader(sinter__grouping *s, uint16_t tensor, uint16_t node, uint32_t *count)
{
    uint32_t first = s->readers_of[tensor];
    if (first != 0 && s->readers[first].node == node) /* it reads it twice */
        return;
    s->readers[++*count] = (sinter__reader){.node = node, .next = first};
    s->readers_of[tensor] = *count;
}

sinter_status sinter__readers_find(sinter__grouping *s)
{
    const sinter__graph *g = s->g;
    size_t operands = 1; /* the first entry stands for none */
    uint32_t count = 0;
    for (size_t n = 0; n < g->node_count; n++)
        operands += g->nodes[n].in_count;
    s->readers = sinter__arena_array(s->arena, operands, sizeof *s->readers);
    s->readers_of = sinter__arena_array(s->arena, g->tensor_count, sizeof *s->readers_of);
    s->seen = sinter__arena_array(s->arena, g->tensor_count, sizeof *s->seen);
    if (s->readers == NULL || s->readers_of == NULL || s->seen == NULL)
        return SINTER_ENOMEM;
    for (size_t n = g->node_count; n-- > 0;) {
        const sinter__node *node = &g->nodes[n];
        for (int i = 0; i < node->in_count; i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                add_reader(s, sinter__operand_base(s, node->in[i]), (uint16_t)n, &count);
        }
    }
    return SINTER_OK;
}

bool sinter__draft_reads(const sinter__grouping *s, uint16_t d, uint16_t tensor)
{
    for (uint32_t i = s->readers_of[tensor]; i != 0; i = s->readers[i].next) {
        if (s->group_of[s->readers[i].node] == d)
            return true;
    }
    return false;
}

bool sinter__read_outside(const sinter__grouping *s, uint16_t d, uint16_t tensor)
{
    for (uint32_t i = s->readers_of[tensor]; i != 0; i = s->readers[i].next) {
        uint16_t by = s->group_of[s->readers[i].node];
        if (by != d && by != SINTER__NO_GROUP)
            return true;
    }
    return false;
}

/* Members */

static bool is_reduction(const sinter__grouping *s, uint16_t n)
{
    const uint8_t kind = sinter__op_info_of(s->g->nodes[n].op)->kind;
    return sinter__kind_reduces(kind) || kind == SINTER__KIND_SCAN;
}

void sinter__member_add(sinter__grouping *s, uint16_t n, uint16_t d)
{
    s->group_of[n] = d;
    s->next_member[n] = s->drafts[d].first;
    s->drafts[d].first = n;
    s->drafts[d].members++;
    s->drafts[d].reductions = (uint16_t)(s->drafts[d].reductions + is_reduction(s, n));
}

void sinter__member_drop(sinter__grouping *s, uint16_t d)
{
    uint16_t n = s->drafts[d].first;
    s->drafts[d].first = s->next_member[n];
    s->drafts[d].members--;
    s->drafts[d].reductions = (uint16_t)(s->drafts[d].reductions - is_reduction(s, n));
    s->group_of[n] = SINTER__NO_GROUP;
}

/* The members of `d` into `saved` from place `at` on, and whether what they make is stored; returns where they end. */
static uint16_t save(sinter__grouping *s, uint16_t d, uint16_t at)
{
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n]) {
        s->saved[at] = n;
        s->saved_stored[at++] = s->stored[s->g->nodes[n].out];
    }
    return at;
}

static void restore(sinter__grouping *s, uint16_t d, uint16_t from, uint16_t end)
{
    s->drafts[d].first = SINTER__NO_NODE;
    s->drafts[d].members = s->drafts[d].reductions = 0;
    for (uint16_t i = end; i-- > from;) {
        sinter__member_add(s, s->saved[i], d);
        s->stored[s->g->nodes[s->saved[i]].out] = s->saved_stored[i];
    }
}

void sinter__members_unite(sinter__grouping *s, uint16_t a, uint16_t b)
{
    uint16_t x = s->drafts[a].first;
    uint16_t y = s->drafts[b].first;
    uint16_t *end = &s->drafts[a].first;
    save(s, b, save(s, a, 0));
    while (x != SINTER__NO_NODE || y != SINTER__NO_NODE) {
        bool from_a = y == SINTER__NO_NODE || (x != SINTER__NO_NODE && x < y);
        uint16_t *from = from_a ? &x : &y;
        s->group_of[*from] = a;
        *end = *from;
        end = &s->next_member[*from];
        *from = *end;
    }
    *end = SINTER__NO_NODE;
    s->drafts[a].members = (uint16_t)(s->drafts[a].members + s->drafts[b].members);
    s->drafts[a].reductions = (uint16_t)(s->drafts[a].reductions + s->drafts[b].reductions);
}

void sinter__members_part(sinter__grouping *s, uint16_t a, uint16_t b)
{
    uint16_t both = s->drafts[a].members;
    uint16_t of_a = (uint16_t)(both - s->drafts[b].members);
    restore(s, a, 0, of_a);
    restore(s, b, of_a, both);
}
