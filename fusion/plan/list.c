/* Lists: groups that do the same to tensors of different sizes, as a step of an optimiser does to its
 * parameters.
 *
 * The one hard idea: they stay groups. A list says that its groups do not wait for each other, run one
 * after the other, and are the same in everything but tensors and scalars. Whether they share a launch
 * is seen when they are bound: those of one class do, with a row of arguments for each. So a list
 * costs nothing when the shapes of the day keep its groups apart. */
#include "fusion/plan/list.h"

#include "fusion/plan/update.h"

#include <string.h>

/* Groups of a list that store what dies in the segment: it is there all at once. What lives on would be
 * there anyway, so of groups that store nothing else a list may have any number. */
#define DYING_MAX 32

static bool same_value(const sinter__value *a, const sinter__value *b)
{
    return a->kind == b->kind && a->op == b->op && a->dtype == b->dtype && a->work == b->work &&
           a->source_count == b->source_count && a->access == b->access &&
           memcmp(a->source, b->source, a->source_count * sizeof *a->source) == 0;
}

/* Whether two nests are the same but for their tensors, views and scalars. */
static bool same_work(const sinter__nest *a, const sinter__nest *b)
{
    if (a->value_count != b->value_count || a->access_count != b->access_count ||
        a->scalar_count != b->scalar_count)
        return false;
    for (uint16_t i = 0; i < a->value_count; i++) {
        if (!same_value(&a->values[i], &b->values[i]))
            return false;
    }
    for (uint16_t i = 0; i < a->access_count; i++) {
        if (a->accesses[i].dtype != b->accesses[i].dtype ||
            a->accesses[i].role != b->accesses[i].role)
            return false;
    }
    return true;
}

static bool may_be_listed(const sinter__grouping *s, uint16_t d)
{
    return !s->drafts[d].dissolved && s->drafts[d].form == SINTER__FORM_MAP &&
           s->drafts[d].list == d;
}

/* Whether an update in draft `b` or in the list of `a` changes what the other reads. */
static bool updates_clash(const sinter__grouping *s, uint16_t a, uint16_t b)
{
    bool clash = false;
    for (uint16_t c = a; c < b && s->has_updates; c++)
        clash |= s->drafts[c].list == a && sinter__drafts_updates_clash(s, c, b);
    return clash;
}

static bool stores_what_dies(const sinter__grouping *s, uint16_t d)
{
    bool any = false;
    for (uint16_t n = s->drafts[d].first; n != SINTER__NO_NODE && !any; n = s->next_member[n]) {
        uint16_t made = s->g->nodes[n].out;
        any = s->stored[made] && !s->g->tensors[made].live;
    }
    return any;
}

/* Puts into the list of `a` what is alike and waits for none of it. */
static void fill_list(sinter__grouping *s, const sinter__nest *nests, uint16_t a)
{
    uint32_t dying = stores_what_dies(s, a);
    for (uint16_t b = (uint16_t)(a + 1); b < s->draft_count; b++) {
        if (!may_be_listed(s, b) || !same_work(&nests[a], &nests[b]) ||
            sinter__reaches(&s->reach, a, b) || sinter__reaches(&s->reach, b, a) ||
            updates_clash(s, a, b))
            continue;
        bool dies = stores_what_dies(s, b);
        if (dies && dying >= DYING_MAX)
            continue;
        s->drafts[b].list = a;
        sinter__reach_together(&s->reach, a, b);
        dying += dies;
    }
}

sinter_status sinter__lists_find(sinter__grouping *s)
{
    sinter__nest *nests = sinter__arena_array(s->arena, (size_t)s->draft_count + 1, sizeof *nests);
    if (nests == NULL)
        return SINTER_ENOMEM;
    for (uint16_t d = 0; d < s->draft_count; d++) {
        sinter__nest_cost cost = {0};
        if (may_be_listed(s, d))
            SINTER_TRY(sinter__draft_nest(s, d, s->arena, &nests[d], &cost));
    }
    for (uint16_t d = 0; d < s->draft_count; d++) {
        if (may_be_listed(s, d))
            fill_list(s, nests, d);
    }
    return SINTER_OK;
}
