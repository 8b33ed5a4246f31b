/* Lowering of reductions down columns, in runs.
 *
 * The one hard idea: columns are reduced downwards, but memory lies along rows. Who walks down a single vector of
 * columns takes one cache line of each row, every one of them in another page. So a work-item of a CPU has
 * several vectors side by side: it goes down a band of rows with each of them in turn, while what the others
 * have come to waits in arrays, and what is one per column and computed as well. Full vectors of full bands
 * have a loop of their own, which tests nothing. The order within a column is the same. */
#include "fusion/lower/reduce.h"

#include "fusion/nest/phase.h"
#include "fusion/nest/tree.h"

/* Several vectors */

static bool is_wide(const lowering *l)
{
    return l->c->key.vectors > 1;
}

static sinter__reg new_array(lowering *l, uint8_t dtype)
{
    return sinter__array_new(l, dtype, l->c->key.vectors);
}

/* Where the vector at hand lies; `is_full`: all of it is columns. */
static void place_vector(lowering *l, rows *r, sinter__ix index, bool is_full)
{
    r->at.index = sinter__ix_name(l, index);
    r->at.count = is_full ? SINTER__NO_IX : sinter__ix_lanes_inside(l, r->at.index, r->part_step);
    if (l->c->key.in_parts == 0)
        return;
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix first = sinter__ix_mul(l, sinter__ix_mul(l, r->row, parts), r->part_step);
    r->first_part = sinter__ix_name(l, sinter__ix_add(l, first, r->at.index));
}

/* The loop over vectors [begin, end) of several. */
static void begin_some(lowering *l, rows *r, sinter__ix begin, sinter__ix end, bool are_full)
{
    place_vector(l, r, sinter__for_beside(l, &r->beside, begin, end), are_full);
}

/* The loop over the vectors, where they are several. */
static void begin_vectors(lowering *l, rows *r)
{
    if (is_wide(l))
        begin_some(l, r, sinter__ix_number(l, 0), r->beside.vectors, false);
}

static void end_vectors(lowering *l)
{
    if (is_wide(l))
        sinter__end(l);
}

/* Loads and computes what is needed of what is one per column. */
static void emit_needed(lowering *l, rows *r, uint8_t loop, bool stores)
{
    sinter__find_sources(l, r);
    for (uint8_t phase = 0; phase <= loop + stores; phase++) {
        if (!r->is_whole)
            sinter__load_totals(l, r, phase);
        for (uint16_t i = 0; i < l->nest->value_count && r->is_whole && phase <= loop; i++) {
            const sinter__value *v = &l->nest->values[i];
            if (v->kind == SINTER__VALUE_REDUCE && v->phase == phase && r->needed[i])
                l->reg[i] = sinter__array_take(l, r->totals[i], r->beside.vector);
        }
        sinter__emit_row_values(l, r, phase);
    }
    l->loop = loop;
}

/* What is one per column and used by the results that are stored after the loop at hand. */
static void emit_results(lowering *l, rows *r)
{
    sinter__find_used(l, r, l->loop, true);
    emit_needed(l, r, l->loop, true);
}

/* Arithmetic from which what is one per column waits for the bands, and most arrays of it that a work-item has. */
#define WAIT_FROM 4
#define WAITING_MOST 8

/* Marks what elements of the loop at hand use of what is one per column: of a product that is part of a sum, its
 * operands. */
static void find_context(lowering *l, rows *r)
{
    sinter__find_used(l, r, l->loop, false);
    for (uint16_t i = l->nest->value_count; i-- > 0;) {
        const sinter__value *v = &l->nest->values[i];
        if (!r->needed[i] || !sinter__is_contracted(l, i))
            continue;
        r->needed[i] = false;
        for (int k = 0; k < v->source_count; k++)
            r->needed[v->source[k]] |= l->per_row[v->source[k]];
    }
}

/* Arithmetic that each value takes that is one per column, from what is loaded on. */
static void find_costs(const lowering *l, const rows *r, uint32_t *cost)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        bool is_map = v->kind == SINTER__VALUE_MAP && l->per_row[i];
        bool is_divided = v->kind == SINTER__VALUE_REDUCE && v->op == SINTER__OP_MEAN;
        sinter__op op = is_map ? (sinter__op)v->op : SINTER__OP_DIV;
        cost[i] = is_map || (is_divided && !r->is_whole) ? sinter__op_info_of(op)->cost : 0;
        for (int k = 0; k < v->source_count && is_map; k++)
            cost[i] = SINTER__MIN(cost[i] + cost[v->source[k]], (uint32_t)UINT16_MAX);
    }
}

/* What is one per column, used by elements of the loop at hand and computed waits in arrays: each band would compute
 * it again. */
static void hold_context(lowering *l, rows *r)
{
    uint32_t cost[LOWER_MAX_VALUES];
    int count = 0;
    find_context(l, r);
    find_costs(l, r, cost);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        r->needed[i] &= l->varies[i] && cost[i] >= WAIT_FROM && count < WAITING_MOST;
        r->waiting[i] = r->needed[i] ? new_array(l, l->nest->values[i].dtype) : SINTER__NO_REG;
        count += r->needed[i];
    }
    if (count == 0)
        return;
    begin_vectors(l, r);
    emit_needed(l, r, l->loop, false);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (r->waiting[i] != SINTER__NO_REG)
            sinter__array_put(l, r->waiting[i], r->beside.vector, l->reg[i]);
    }
    end_vectors(l);
}

/* What is one per column and used by elements of the loop at hand. */
static void emit_context(lowering *l, rows *r)
{
    find_context(l, r);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (!r->needed[i] || r->waiting[i] == SINTER__NO_REG)
            continue;
        l->reg[i] = sinter__array_take(l, r->waiting[i], r->beside.vector);
        r->needed[i] = false;
    }
    emit_needed(l, r, l->loop, false);
}

/* Passes */

/* Adds what the reduced coordinates of `at` contribute to every access's offset. */
static void add_reduced(lowering *l, const rows *r, sinter__ix at)
{
    int first = l->c->key.parallel_rank;
    int last = first + l->c->key.reduced_rank;
    sinter__ix coordinate[SINTER__NEST_RANK];
    for (int i = last - 1; i >= first; i--) {
        sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
        coordinate[i] = at;
        if (i > first)
            sinter__ix_divide(l, at, extent, &at, &coordinate[i]);
    }
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        l->base[a] = r->bases[a];
        for (int i = first; i < last; i++)
            l->base[a] = sinter__ix_add(
                l, l->base[a], sinter__ix_mul(l, coordinate[i], sinter__ix_stride(l, a, i)));
    }
}

/* Rows that each vector goes down at a time. */
static int32_t band_rows(const lowering *l, const rows *r)
{
    bool writes = !r->is_first && sinter__writes_elements(l->nest, l->per_row, l->loop);
    return writes ? l->c->key.stored_rows : l->c->key.rows;
}

/* Elements [begin, end) of every column of the vector, in sequence, in a part from `start` on; end
 * SINTER__NO_IX: a band of them, in a loop that is written out: PoCL's compiler would not by itself. */
static void run_elements(lowering *l, rows *r, sinter__ix start, sinter__ix begin, sinter__ix end)
{
    sinter__ix at;
    if (end == SINTER__NO_IX) {
        at = sinter__for_each(l, sinter__ix_number(l, band_rows(l, r)));
        at = sinter__ix_name(l, sinter__ix_add(l, begin, at));
    } else {
        at = sinter__for(l, begin, end, sinter__ix_number(l, 1));
    }
    add_reduced(l, r, at);
    sinter__emit_elements(l, r);
    sinter__ix place = sinter__ix_make(l, SINTER__IX_SUB, at, start, 0);
    sinter__emit_sources(l, r, &(sinter__places){place, false}, SINTER__FOLDS_ALL);
    sinter__emit_folds(l, r, 0, SINTER__NO_IX);
    sinter__end(l);
}

/* The values that the pass at hand computes of every element. */
static void want_elements(lowering *l, const rows *r)
{
    if (r->is_first)
        (void)sinter__first_pass_values(l->nest, l->per_row, l->loop, l->wanted);
    else
        (void)sinter__loop_values(l->nest, l->per_row, l->loop, l->wanted);
}

/* What the vector at hand has come to in the pass, and what a state's first pass gave. */
static void take_folds(lowering *l, rows *r)
{
    for (int i = 0; i < r->fold_count && is_wide(l); i++) {
        fold *f = &r->folds[i];
        f->acc[0] = sinter__array_take(l, f->held, r->beside.vector);
        if (!r->is_first && f->of->state.kind != SINTER__STATE_NONE)
            f->of->first = sinter__array_take(l, f->of->firsts, r->beside.vector);
    }
    for (int i = 0; i < r->fold_count; i++)
        r->folds[i].total = r->folds[i].acc[0];
}

static void declare_folds(lowering *l, rows *r)
{
    for (int i = 0; i < r->fold_count && is_wide(l); i++)
        r->folds[i].held = new_array(l, r->folds[i].dtype);
    if (r->fold_count > 0)
        begin_vectors(l, r);
    for (int i = 0; i < r->fold_count; i++) {
        fold *f = &r->folds[i];
        f->acc[0] = sinter__declare_partial(l, SINTER__DO_IDENTITY, f->op, f->dtype, false);
        if (is_wide(l))
            sinter__array_put(l, f->held, r->beside.vector, f->acc[0]);
    }
    if (r->fold_count > 0)
        end_vectors(l);
}

/* Elements [from, to) of vectors [first, last), in a part from `start` on. */
static void run_band(lowering *l, rows *r, sinter__ix start, sinter__ix from, sinter__ix to,
                     sinter__ix first, sinter__ix last)
{
    begin_some(l, r, first, last, to == SINTER__NO_IX);
    emit_context(l, r);
    take_folds(l, r);
    want_elements(l, r);
    run_elements(l, r, start, from, to);
    for (int i = 0; i < r->fold_count; i++)
        sinter__array_put(l, r->folds[i].held, r->beside.vector, r->folds[i].acc[0]);
    end_vectors(l);
}

/* One pass over elements [begin, end). */
static void run_pass(lowering *l, rows *r, sinter__ix begin, sinter__ix end, bool is_first)
{
    sinter__find_folds(r, is_first);
    declare_folds(l, r);
    if (!is_wide(l)) {
        want_elements(l, r);
        run_elements(l, r, begin, begin, end);
        return;
    }
    sinter__ix rows_each = sinter__ix_number(l, band_rows(l, r));
    sinter__ix from = sinter__for(l, begin, end, rows_each);
    sinter__ix to = sinter__ix_stop(l, from, rows_each, end);
    /* full vectors of a full band, and the others */
    sinter__ix rows_here = sinter__ix_make(l, SINTER__IX_SUB, to, from, 0);
    sinter__ix full = sinter__ix_make(l, SINTER__IX_DIV, rows_here, rows_each, 0);
    full = sinter__ix_name(l, sinter__ix_mul(l, full, r->beside.full));
    run_band(l, r, begin, from, SINTER__NO_IX, sinter__ix_number(l, 0), full);
    run_band(l, r, begin, from, to, full, r->beside.vectors);
    sinter__end(l);
}

/* The first of two passes, and what its totals are to the second. */
static void first_pass(lowering *l, rows *r, sinter__ix begin, sinter__ix end, sinter__ix length)
{
    run_pass(l, r, begin, end, true);
    for (int i = 0; i < r->fold_count && is_wide(l); i++)
        r->folds[i].of->firsts = new_array(l, r->folds[i].dtype);
    begin_vectors(l, r);
    take_folds(l, r);
    sinter__finish_first(l, r, length);
    for (int i = 0; i < r->fold_count && is_wide(l); i++)
        sinter__array_put(l, r->folds[i].of->firsts, r->beside.vector, r->folds[i].of->first);
    end_vectors(l);
}

/* Both passes, where a state wants two; what they come to, for a part from `start` on. The loop over the vectors
 * is left open. */
static void run_passes(lowering *l, rows *r, sinter__ix begin, sinter__ix end, sinter__ix start)
{
    sinter__ix length = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    if (is_wide(l))
        hold_context(l, r);
    if (l->c->key.empty == 0 &&
        sinter__first_pass_values(l->nest, l->per_row, l->loop, l->wanted)) {
        if (start != SINTER__NO_IX)
            length = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, end, begin, 0));
        first_pass(l, r, begin, end, length);
    }
    run_pass(l, r, begin, end, false);
    begin_vectors(l, r);
    take_folds(l, r);
    if (l->c->key.empty == 0)
        sinter__finish_part(l, r, start, length);
}

/* Run `part` of the columns, to scratch. */
static void run_part(lowering *l, rows *r, sinter__ix part)
{
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_RUN);
    sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, part, size));
    sinter__ix end = sinter__ix_stop(l, begin, size, reduced);
    run_passes(l, r, begin, end, begin);
    for (int i = 0; i < r->count; i++) {
        sinter__ix place = sinter__ix_mul(l, part, r->part_step);
        sinter__store_part(l, r, &r->found[i], sinter__ix_add(l, r->first_part, place));
    }
    end_vectors(l);
}

/* All runs of the columns, and their results. The loop over the vectors is left open. */
static void run_all(lowering *l, rows *r)
{
    sinter__ix zero = sinter__ix_number(l, 0);
    if (l->c->key.in_parts == 0 || r->count == 0) {
        sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
        run_passes(l, r, zero, reduced, SINTER__NO_IX);
        sinter__finish_row(l, r);
        return;
    }
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    run_part(l, r, sinter__for(l, zero, parts, sinter__ix_number(l, 1)));
    sinter__end(l);
    begin_vectors(l, r);
    for (int i = 0; i < r->count; i++) {
        const reduction *of = &r->found[i];
        sinter__finish_reduction(l, of->value, sinter__tree_in_scratch(l, r, of));
    }
}

/* Results of the loop at hand, of the vector at hand. */
static void store_results(lowering *l, rows *r)
{
    for (int i = 0; i < r->count; i++)
        sinter__array_put(l, r->totals[r->found[i].value], r->beside.vector,
                          l->reg[r->found[i].value]);
    emit_results(l, r);
    if (l->loop == 0)
        sinter__emit_row_stores(l, r, 0);
    sinter__emit_row_stores(l, r, (uint8_t)(l->loop + 1));
}

void sinter__run_loop(lowering *l, rows *r, uint8_t loop)
{
    sinter__find_reductions(l, r, (uint8_t)(loop + 1));
    l->loop = loop;
    if (!sinter__loop_values(l->nest, l->per_row, loop, l->wanted))
        return;
    if (!r->is_whole) {
        run_part(l, r, r->part);
        return;
    }
    for (int i = 0; i < r->count && is_wide(l); i++)
        r->totals[r->found[i].value] = new_array(l, l->nest->values[r->found[i].value].dtype);
    run_all(l, r);
    if (is_wide(l))
        store_results(l, r);
    end_vectors(l);
}

void sinter__run_phases(lowering *l, rows *r)
{
    uint8_t first = r->is_whole ? 0 : (uint8_t)l->c->key.phase;
    uint8_t last = r->is_whole ? l->nest->phases : first;
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        r->bases[a] = l->base[a];
    for (uint8_t loop = first; loop <= last; loop++)
        sinter__run_loop(l, r, loop);
}

/* unit -> row, its vectors along the innermost kept axis, and part where the launch runs one phase of the parts. */
void sinter__place_run(lowering *l, rows *r, sinter__ix unit)
{
    int axis = l->c->key.parallel_rank - 1;
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix block;
    sinter__ix_divide(l, unit, sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0), &r->row, &block);
    if (!r->is_whole && l->c->key.loops == SINTER__LOOPS_RUN)
        sinter__ix_divide(l, r->row, sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0), &r->row,
                          &r->part);
    r->part_step = sinter__ix_param(l, SINTER__PARAM_EXTENT, axis, 0);
    if (is_wide(l))
        sinter__place_beside(l, &r->beside, block, r->part_step);
    else
        place_vector(l, r, sinter__ix_mul(l, block, lanes), false);
    sinter__set_bases(l, r->row, axis);
}
