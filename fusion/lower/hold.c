/* Lowering of what rows hold from one loop over them to the next, so that nothing is loaded twice:
 * on a GPU in the registers of its work-items (fusion/schedule/hold.h), on a CPU beside a result that goes
 * past the caches.
 *
 * The one hard idea: a relay. Partials are sums in sequence, 64 of them, and only so many
 * work-items can add up at a time; but loading and arithmetic have no order. So of a long row
 * several blocks of work-items each hold the steps of one block: all of them load and compute at
 * once, and then one block after the other takes the partials from the one before, adds what it
 * holds, and hands them on through local memory. */
#include "fusion/lower/reduce.h"

#include "fusion/nest/tree.h"

static sinter__ix number(lowering *l, int32_t value)
{
    return sinter__ix_number(l, value);
}

/* On a CPU what waits beside a result that goes past the caches is held. */
static void declare_beside(lowering *l)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        bool waits = v->kind == SINTER__VALUE_MAP && v->kept != SINTER__NOT_KEPT;
        uint32_t vectors = waits ? l->c->accesses[l->nest->values[v->kept].access].beside : 0;
        if (vectors == 0)
            continue;
        l->is_held[i] = LOWER_TO_HOLD;
        l->held[i] = sinter__array_new(l, v->dtype, (int32_t)vectors);
    }
}

/* Local memory for the partials that the folds of the pass at hand hand on; new arrays, where those
 * of the passes before are too few. */
static void place_relays(lowering *l, rows *r)
{
    uint64_t used = 0;
    for (int i = 0; i < r->fold_count; i++) {
        int k = 0;
        while (k < r->relay_count &&
               (used >> k & 1 || sinter__reg_of(l, r->relays[k]).dtype != r->folds[i].dtype))
            k++;
        if (k == r->relay_count)
            r->relays[r->relay_count++] =
                sinter__local_new(l, r->folds[i].dtype, true, l->c->key.group[0]);
        used |= (uint64_t)1 << k;
        r->folds[i].relay = r->relays[k];
    }
}

/* Those of all passes: a kernel has its local memory before anything else. */
static void declare_relays(lowering *l, rows *r)
{
    for (uint8_t loop = 0; loop < l->nest->phases; loop++) {
        sinter__find_reductions(l, r, (uint8_t)(loop + 1));
        for (int first = 0; first < 2; first++) {
            sinter__find_folds(r, first != 0);
            place_relays(l, r);
        }
    }
}

void sinter__declare_held(lowering *l, rows *r)
{
    const sinter__class_key *key = &l->c->key;
    uint16_t home[LOWER_MAX_VALUES];
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->held[i] = SINTER__NO_REG;
    if (key->held == 0) {
        declare_beside(l);
        return;
    }
    sinter__find_homes(l->nest, key, l->per_row, home);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (home[i] == i)
            l->held[i] = sinter__array_new(l, l->nest->values[i].dtype, key->held);
        else if (home[i] != SINTER__NO_HOME)
            l->held[i] = l->held[home[i]];
        l->is_held[i] = l->held[i] != SINTER__NO_REG ? LOWER_TO_HOLD : LOWER_NOT_HELD;
    }
    if (key->blocks > 1)
        declare_relays(l, r);
}

void sinter__are_held(lowering *l)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->is_held[i] == LOWER_TO_HOLD && l->wanted[i])
            l->is_held[i] = LOWER_IS_HELD;
    }
}

void sinter__hold_again(lowering *l)
{
    for (uint16_t i = 0; i < l->nest->value_count && l->c->key.blocks > 1; i++) {
        if (l->held[i] != SINTER__NO_REG)
            l->is_held[i] = LOWER_TO_HOLD;
    }
}

/* Step `step` of what is held, a vector for each of the work-items. */
static void held_step(lowering *l, rows *r, const sinter__stretch *of, sinter__ix step, bool full)
{
    sinter__ix at = sinter__ix_mul(l, step, number(l, SINTER__TREE_LANES));
    at = sinter__ix_name(l, sinter__ix_add(l, of->from, at));
    l->held_place = step;
    if (!full)
        sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, at, of->length, 0));
    sinter__chunk_vector(l, r, of->start, of->length, at, full);
    sinter__emit_folds(l, r, 0, r->at.count);
    if (!full)
        sinter__end(l);
}

void sinter__hold_elements(lowering *l, rows *r, const sinter__stretch *of)
{
    const sinter__class_key *key = &l->c->key;
    int full = key->held - key->held_rest;
    if (r->is_there != SINTER__NO_IX)
        sinter__if(l, r->is_there);
    if (full > 0) {
        held_step(l, r, of, sinter__for_each(l, number(l, full)), true);
        sinter__end(l);
    }
    if (key->held_rest != 0)
        held_step(l, r, of, number(l, full), false);
    if (r->is_there != SINTER__NO_IX)
        sinter__end(l);
}

/* Relays */

/* Makes step `step` of the work-item's block the one at hand, and returns where in the stretch it is. */
static sinter__ix place_step(lowering *l, rows *r, const sinter__stretch *of, sinter__ix step)
{
    sinter__ix first = sinter__ix_mul(l, r->block, number(l, l->c->key.held));
    sinter__ix at =
        sinter__ix_mul(l, sinter__ix_add(l, first, step), number(l, SINTER__TREE_LANES));
    at = sinter__ix_name(l, sinter__ix_add(l, of->from, at));
    r->at.decomposed = false;
    r->at.index = sinter__ix_name(l, sinter__ix_add(l, of->start, at));
    r->at.count = SINTER__NO_IX;
    l->held_place = step;
    return at;
}

/* The same for what is only loaded: what would be behind the end is the last element, so that
 * nothing is tested before. */
static sinter__ix place_load(lowering *l, rows *r, const sinter__stretch *of, sinter__ix step)
{
    sinter__ix at = place_step(l, r, of, step);
    sinter__ix last = sinter__ix_make(l, SINTER__IX_SUB, of->length, number(l, 1), 0);
    last = sinter__ix_make(l, SINTER__IX_MIN, at, last, 0);
    r->at.index = sinter__ix_name(l, sinter__ix_add(l, of->start, last));
    return at;
}

/* Whether the stretch ends within the work-item's block, or before it. */
static sinter__ix is_cut(lowering *l, const rows *r, const sinter__stretch *of)
{
    sinter__ix end = sinter__ix_add(l, r->block, number(l, 1));
    end = sinter__ix_mul(l, end, number(l, l->c->key.held * SINTER__TREE_LANES));
    return sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_LESS, of->length, end, 0));
}

/* Whether the loop at hand stores anything. */
static bool has_results(const lowering *l, const rows *r)
{
    bool any = false;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        any |= v->kind == SINTER__VALUE_STORE && v->phase == l->loop && !l->per_row[i];
    }
    return any && !r->is_first;
}

/* Whether it is the first to have anything that is held. */
static bool holds_more(const lowering *l)
{
    bool any = false;
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        any |= l->is_held[i] == LOWER_TO_HOLD && l->wanted[i];
    return any;
}

/* Whether any fold of the pass at hand has an order, or, if not `ordered`, none. */
static bool has_folds(const rows *r, bool ordered)
{
    bool any = false;
    for (int i = 0; i < r->fold_count; i++)
        any |= sinter__is_relayed(&r->folds[i]) == ordered;
    return any;
}

/* Folds the step at hand into what has an order, or into what has none. */
static void fold_step(lowering *l, rows *r, sinter__ix at, bool ordered, sinter__ix count)
{
    sinter__emit_sources(l, r, &(sinter__places){at, true},
                         ordered ? SINTER__FOLDS_IN_ORDER : SINTER__FOLDS_IN_ANY);
    for (int i = 0; i < r->fold_count; i++) {
        if (sinter__is_relayed(&r->folds[i]) == ordered)
            sinter__emit_fold(l, &r->folds[i], count);
    }
}

/* Every work-item loads and computes the steps of its block, and folds what has no order. */
static void compute_block(lowering *l, rows *r, const sinter__stretch *of)
{
    sinter__ix at = place_load(l, r, of, sinter__for_each(l, number(l, l->c->key.held)));
    sinter__emit_values(l, &r->at);
    if (has_folds(r, false))
        fold_step(l, r, at, false, sinter__ix_lanes(l, at, of->length));
    sinter__end(l);
}

/* The same with results. Nothing behind the end may be loaded then: another work-item could be storing it. */
static void store_block(lowering *l, rows *r, const sinter__stretch *of)
{
    sinter__ix cut = is_cut(l, r, of);
    for (int full = 1; full >= 0; full--) {
        sinter__if(l, full != 0 ? sinter__ix_is_zero(l, cut) : cut);
        sinter__ix at = place_step(l, r, of, sinter__for_each(l, number(l, l->c->key.held)));
        if (full == 0)
            sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, at, of->length, 0));
        sinter__emit_elements(l, r);
        fold_step(l, r, at, false, SINTER__NO_IX);
        if (full == 0)
            sinter__end(l);
        sinter__end(l);
        sinter__end(l);
    }
}

/* Leaves in `wanted` what the folds in order are made of, as far as it is not held. */
static void want_relayed(lowering *l, const rows *r)
{
    bool needed[LOWER_MAX_VALUES] = {false};
    for (int i = 0; i < r->fold_count; i++)
        needed[l->nest->values[r->folds[i].of->value].source[0]] |=
            sinter__is_relayed(&r->folds[i]);
    for (uint16_t i = l->nest->value_count; i-- > 0;) {
        const sinter__value *v = &l->nest->values[i];
        l->wanted[i] &= needed[i];
        bool makes = l->wanted[i] && v->kind == SINTER__VALUE_MAP && l->is_held[i] != LOWER_IS_HELD;
        for (int k = 0; k < v->source_count && makes; k++)
            needed[v->source[k]] = true;
    }
}

/* What the work-item holds of its block, in order. */
static void fold_block(lowering *l, rows *r, const sinter__stretch *of)
{
    sinter__ix cut = is_cut(l, r, of);
    for (int full = 1; full >= 0; full--) {
        sinter__if(l, full != 0 ? sinter__ix_is_zero(l, cut) : cut);
        sinter__ix at = place_load(l, r, of, sinter__for_each(l, number(l, l->c->key.held)));
        sinter__emit_values(l, &r->at);
        fold_step(l, r, at, true, full != 0 ? SINTER__NO_IX : sinter__ix_lanes(l, at, of->length));
        sinter__end(l);
        sinter__end(l);
    }
}

/* A work-item's place in local memory for what blocks hand on, or, where there is no order, all put down at once. */
static sinter__ix relay_place(lowering *l, const rows *r, const fold *f)
{
    return sinter__is_relayed(f) ? r->item : sinter__ix_local(l, 0);
}

static void put_partials(lowering *l, const rows *r, bool ordered)
{
    for (int i = 0; i < r->fold_count; i++) {
        const fold *f = &r->folds[i];
        if (sinter__is_relayed(f) == ordered)
            sinter__array_put(l, f->relay, relay_place(l, r, f), f->acc[0]);
    }
}

static void take_partials(lowering *l, rows *r, bool ordered)
{
    for (int i = 0; i < r->fold_count; i++) {
        if (sinter__is_relayed(&r->folds[i]) == ordered)
            r->folds[i].acc[0] = sinter__array_take(l, r->folds[i].relay, r->item);
    }
}

/* One block after the other takes the partials, adds what it holds, and hands them on. */
static void relay(lowering *l, rows *r, const sinter__stretch *of)
{
    sinter__ix blocks = number(l, l->c->key.blocks);
    sinter__ix turn = sinter__for(l, number(l, 0), blocks, number(l, 1));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_EQUAL, r->block, turn, 0));
    take_partials(l, r, true);
    fold_block(l, r, of);
    put_partials(l, r, true);
    sinter__end(l);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    sinter__end(l);
}

/* What has no order: every block's partials come to those of the row. */
static void merge_blocks(lowering *l, rows *r)
{
    sinter__ix turn = sinter__for_each(l, number(l, l->c->key.blocks - 1));
    sinter__ix first =
        sinter__ix_mul(l, sinter__ix_add(l, turn, number(l, 1)), number(l, SINTER__TREE_LANES));
    sinter__ix place = sinter__ix_name(l, sinter__ix_add(l, first, r->item));
    for (int i = 0; i < r->fold_count; i++) {
        fold *f = &r->folds[i];
        if (sinter__is_relayed(f))
            continue;
        f->source = sinter__array_take(l, f->relay, place);
        sinter__emit_fold(l, f, SINTER__NO_IX);
    }
    sinter__end(l);
}

void sinter__relay_elements(lowering *l, rows *r, const sinter__stretch *of)
{
    bool ordered = has_folds(r, true);
    bool any = has_folds(r, false);
    if (has_results(l, r))
        store_block(l, r, of);
    else if (holds_more(l) || any)
        compute_block(l, r, of);
    sinter__are_held(l);
    if (r->fold_count == 0)
        return;
    place_relays(l, r);
    put_partials(l, r, false);
    if (ordered) {
        sinter__if(l, sinter__ix_is_zero(l, r->block));
        put_partials(l, r, true);
        sinter__end(l);
        want_relayed(l, r);
        relay(l, r, of);
    } else {
        sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    }
    take_partials(l, r, true);
    take_partials(l, r, false);
    if (any)
        merge_blocks(l, r);
}
