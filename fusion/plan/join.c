/* Joining what the pass over the operations left apart around reductions, scans and products.
 *
 * That pass goes from user to producer and stores a value as soon as two groups want it, which a
 * normalisation is full of: its input is read by the mean, by the differences and by the variance.
 * Here whole groups are merged with what they wait for: as the mean's group joins the group that
 * uses it, the values between them need no memory any more. */
#include "fusion/plan/group.h"

/* Passes over all pairs: each merges what the one before made possible. */
#define PASSES 4

/* Goes through what a draft reads: marks it, or says whether some of it is in memory and marked. A draft is looked at once
 * and asked about with every other, since what it reads may have readers in all of them. */
static bool read_inputs(sinter__grouping *s, uint16_t d, bool marks)
{
    const sinter__graph *g = s->g;
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE; n = s->next_member[n]) {
        const sinter__node *node = &g->nodes[n];
        for (int i = 0; i < node->in_count; i++) {
            if ((node->scalar_mask >> i & 1) != 0)
                continue;
            uint16_t t = sinter__operand_base(s, node->in[i]);
            bool is_there = g->tensors[t].producer == SINTER__NO_NODE || s->stored[t];
            if (marks)
                s->seen[t] = s->look;
            else if (is_there && s->seen[t] == s->look)
                return true;
        }
    }
    return false;
}

static void look_at(sinter__grouping *s, uint16_t d)
{
    s->look++;
    (void)read_inputs(s, d, true);
}

/* With the draft that was looked at. */
static bool shares_input(sinter__grouping *s, uint16_t d)
{
    return read_inputs(s, d, false);
}

static bool walks_axis(const sinter__draft *d)
{
    return d->form != SINTER__FORM_MAP;
}

/* Whether merging `p` into `c`, which was looked at, could spare a launch or a transfer, and makes no cycle. */
static bool is_worth(sinter__grouping *s, uint16_t p, uint16_t c)
{
    const sinter__draft *x = &s->drafts[p];
    const sinter__draft *y = &s->drafts[c];
    if (p == c || x->dissolved || y->dissolved || (!walks_axis(x) && !walks_axis(y)) ||
        sinter__reaches(&s->reach, c, p))
        return false;
    if (sinter__reaches(&s->reach, p, c))
        return !sinter__reach_between(&s->reach, p, c);
    bool agree = sinter__drafts_agree(s, p, c) == SINTER__FITS;
    return x->form == y->form ? agree || shares_input(s, p) : agree && shares_input(s, p);
}

/* Merges into draft `c` what it can, one after the other: as it grows, others become neighbours. */
static bool grow(sinter__grouping *s, uint16_t c)
{
    bool grown = false;
    look_at(s, c);
    for (uint16_t p = 0; p < s->draft_count && s->status == SINTER_OK;) {
        sinter__rule_ended rule = SINTER__ENDED_SEGMENT;
        if (is_worth(s, p, c))
            rule = sinter__drafts_merge(s, c, p);
        if (rule == SINTER__FITS) {
            grown = true;
            look_at(s, c);
            p = 0;
            continue;
        }
        for (int i = 0; i < 2; i++) {
            sinter__draft *d = &s->drafts[i == 0 ? c : p];
            if (d->ended == SINTER__ENDED_SEGMENT)
                d->ended = (uint8_t)rule;
        }
        p++;
    }
    return grown;
}

void sinter__drafts_join(sinter__grouping *s)
{
    bool changed = false;
    for (uint16_t d = 0; d < s->draft_count; d++)
        changed |= walks_axis(&s->drafts[d]);
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (uint16_t c = 0; c < s->draft_count; c++)
            changed |= !s->drafts[c].dissolved && grow(s, c);
    }
}
