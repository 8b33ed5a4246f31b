/* Lowering of nests with reductions: rows in chunks with 64 partials, and the tree over chunks or runs.
 * fusion/lower/columns.c has columns in runs.
 *
 * The one hard idea: a unit goes through the phases of its row one after the other, and each phase is
 * a loop over the elements. What is one per row is computed between the loops and stays in
 * registers; what is of an element lives inside a loop, and a later loop loads or computes it again
 * (fusion/nest/phase.h). Where rows are too few for the device, a launch runs one phase of chunks or runs
 * from all rows, and the totals of the phases before come from scratch memory. */
#include "fusion/lower/reduce.h"

#include "fusion/library/library.h"
#include "fusion/nest/phase.h"
#include "fusion/nest/tree.h"

/* Arithmetic up to which the body of a loop has a second copy, for what is full, and where it folds, one for
 * each vector held: more takes too long to compile. */
#define WRITTEN_OUT_COST 48

static sinter__ix nothing(void)
{
    return SINTER__NO_IX;
}

/* How many work-items of a GPU's group have a row together. */
static int items_of(const lowering *l)
{
    return l->c->key.partials / l->c->key.lanes;
}

/* The region of scratch memory that a number of a reduction has: its place among those of all. */
static uint16_t scratch_of(lowering *l, uint16_t value, int number)
{
    uint16_t region = (uint16_t)number;
    for (uint16_t i = 0; i < value; i++) {
        if (l->nest->values[i].kind == SINTER__VALUE_REDUCE)
            region = (uint16_t)(region + sinter__state_of(&l->nest->values[i]).count);
    }
    sinter__use_scratch(l, region, sinter__state_of(&l->nest->values[value]).dtype[number]);
    return (uint16_t)(SINTER__SCRATCH + region);
}

/* Whether the first pass of state `of` folds what the sum or mean `plain` is made of. */
static bool is_first_of(const lowering *l, const reduction *plain, const reduction *of)
{
    const sinter__value *v = &l->nest->values[plain->value];
    return (v->op == SINTER__OP_SUM || v->op == SINTER__OP_MEAN) &&
           of->state.kind == SINTER__STATE_SPREAD && of->state.dtype[0] == plain->state.dtype[0] &&
           l->nest->values[of->value].source[0] == v->source[0];
}

/* Reductions that phase `phase` gives. */
void sinter__find_reductions(const lowering *l, rows *r, uint8_t phase)
{
    r->count = 0;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind == SINTER__VALUE_REDUCE && v->phase == phase)
            r->found[r->count++] = (reduction){.value = i, .state = sinter__state_of(v)};
    }
    for (int i = 0; i < r->count && l->c->key.loops == SINTER__LOOPS_CHUNK; i++) {
        for (int k = 0; k < r->count; k++) {
            if (is_first_of(l, &r->found[i], &r->found[k]))
                r->found[i].same = &r->found[k];
        }
    }
}

/* What the pass folds: for a state the elements first, and then its terms. */
void sinter__find_folds(rows *r, bool is_first)
{
    r->fold_count = 0;
    r->is_first = is_first;
    for (int i = 0; i < r->count; i++) {
        reduction *of = &r->found[i];
        bool elements = is_first == (of->state.kind != SINTER__STATE_NONE);
        if ((is_first && !elements) || of->same != NULL)
            continue;
        for (int k = 0; k < (elements ? 1 : of->state.terms); k++) {
            r->folds[r->fold_count++] = (fold){
                .of = of,
                .op = elements ? of->state.first_op : of->state.term_op,
                .dtype = elements ? of->state.dtype[0] : of->state.term_dtype,
            };
        }
    }
}

/* What there is one of per row. */
static void find_per_row(lowering *l)
{
    bool varies[LOWER_MAX_ACCESSES] = {false};
    const sinter__class_key *key = &l->c->key;
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        for (int i = 0; i < key->reduced_rank; i++)
            varies[a] |=
                sinter__class_stride(l->c, a, key->parallel_rank + i) != SINTER__STRIDE_ZERO;
    }
    sinter__find_per_row(l->nest, varies, l->per_row);
}

/* Whether the tree of phase `phase` stores it: what is one per row and not known earlier. */
static bool is_stored_by(const lowering *l, uint16_t value, uint8_t phase)
{
    const sinter__value *v = &l->nest->values[value];
    return v->kind == SINTER__VALUE_STORE && l->per_row[value] &&
           (v->phase == phase || (phase == 1 && v->phase == 0));
}

void sinter__find_used(lowering *l, rows *r, uint8_t loop, bool stores)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        r->needed[i] = false;
    (void)sinter__loop_values(l->nest, l->per_row, loop, l->wanted);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        bool uses =
            stores ? is_stored_by(l, i, (uint8_t)(loop + 1))
                   : (v->kind == SINTER__VALUE_REDUCE && v->phase == loop + 1) ||
                         (v->kind == SINTER__VALUE_STORE && v->phase == loop && !l->per_row[i]) ||
                         (l->wanted[i] && v->kind == SINTER__VALUE_MAP &&
                          !sinter__is_kept_for(v, loop));
        for (int k = 0; k < v->source_count && uses; k++)
            r->needed[v->source[k]] |= l->per_row[v->source[k]];
    }
}

void sinter__find_sources(const lowering *l, rows *r)
{
    for (uint16_t i = l->nest->value_count; i-- > 0;) {
        const sinter__value *v = &l->nest->values[i];
        for (int k = 0; k < v->source_count && r->needed[i] && v->kind == SINTER__VALUE_MAP; k++)
            r->needed[v->source[k]] |= l->per_row[v->source[k]];
    }
}

/* Statements */

sinter__reg sinter__declare_partial(lowering *l, sinter__statement_kind kind, uint8_t op,
                                    uint8_t dtype, bool array)
{
    sinter__statement s = sinter__statement_of(kind);
    s.op = op;
    s.dtype = dtype;
    s.reg = sinter__reg_new(l, s.dtype, kind == SINTER__DO_IDENTITY || sinter__has_columns(l));
    if (l->code->status == SINTER_OK)
        l->code->regs[s.reg].is_array = array;
    sinter__emit(l, &s);
    return s.reg;
}

/* The value of a finished reduction: divided for a mean, rounded to the dtype. */
void sinter__finish_reduction(lowering *l, uint16_t value, sinter__reg total)
{
    const sinter__value *v = &l->nest->values[value];
    bool vector = sinter__reg_of(l, total).is_vector;
    if (v->op == SINTER__OP_MEAN)
        total = sinter__emit_mean(l, (uint8_t)sinter__accumulator((sinter_dtype)v->dtype), total,
                                  sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0));
    sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
    round.source[0] = total;
    round.dtype = v->dtype;
    round.reg = l->reg[value] = sinter__reg_new(l, v->dtype, vector);
    sinter__emit(l, &round);
}

/* A number of a part, or of all, in scratch memory: columns lie side by side. */
static void move_part(lowering *l, const rows *r, sinter__statement_kind kind, uint16_t value,
                      int number, sinter__ix place, sinter__reg reg)
{
    bool vector = sinter__has_columns(l);
    sinter__statement s = sinter__statement_of(kind);
    s.access = scratch_of(l, value, number);
    s.dtype = sinter__state_of(&l->nest->values[value]).dtype[number];
    s.mode = vector ? SINTER__MODE_UNIT : SINTER__MODE_ONE;
    s.a = place;
    s.c = vector ? r->at.count : nothing();
    s.reg = s.source[0] = reg;
    sinter__emit(l, &s);
}

void sinter__store_part(lowering *l, const rows *r, const reduction *of, sinter__ix place)
{
    for (int k = 0; k < of->state.count; k++)
        move_part(l, r, SINTER__DO_STORE, of->value, k, place, of->numbers[k]);
}

/* The total: the last number of the row's first part, once the tree is done. */
static sinter__reg load_last(lowering *l, const rows *r, uint16_t value)
{
    sinter__state state = sinter__state_of(&l->nest->values[value]);
    int last = state.count - 1;
    sinter__reg reg = sinter__reg_new(l, state.dtype[last], sinter__has_columns(l));
    move_part(l, r, SINTER__DO_LOAD, value, last, r->first_part, reg);
    return reg;
}

static void load_total(lowering *l, const rows *r, uint16_t value)
{
    sinter__finish_reduction(l, value, load_last(l, r, value));
}

/* How many columns side by side a tree is over. */
static sinter__ix columns_at_hand(lowering *l, const rows *r)
{
    bool some = sinter__has_columns(l) && r->at.count != SINTER__NO_IX;
    return some ? r->at.count : sinter__ix_number(l, sinter__has_columns(l) ? l->c->key.lanes : 1);
}

/* The tree over the row's states, in place. */
static sinter__reg state_tree(lowering *l, const rows *r, const reduction *of)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_STATE_TREE);
    for (int k = of->state.count; k-- > 0;)
        s.access = scratch_of(l, of->value, k);
    s.op = of->state.first_op;
    s.work = of->state.kind;
    s.dtype = of->state.dtype[0];
    s.mode = sinter__has_columns(l) ? SINTER__MODE_UNIT : SINTER__MODE_ONE;
    s.a = r->first_part;
    s.b = r->part_step;
    s.c = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    s.count = columns_at_hand(l, r);
    sinter__emit(l, &s);
    return load_last(l, r, of->value);
}

/* The same by a group, step by step. */
static sinter__reg tree_together(lowering *l, const rows *r, const reduction *of)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_TREE_LEVEL);
    for (int k = of->state.count; k-- > 0;)
        s.access = scratch_of(l, of->value, k);
    s.work = of->state.kind;
    s.op = s.work != SINTER__STATE_NONE ? of->state.first_op : l->nest->values[of->value].op;
    s.dtype = of->state.dtype[0];
    s.a = r->first_part;
    s.b = r->part_step;
    s.c = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    s.count = sinter__halve(l, 1 << (l->c->key.levels - 1));
    sinter__emit(l, &s);
    sinter__barrier(l, SINTER__DO_BARRIER);
    sinter__end(l);
    return load_last(l, r, of->value);
}

/* The tree over the row's parts, in place; the total is then the first of them. */
sinter__reg sinter__tree_in_scratch(lowering *l, const rows *r, const reduction *of)
{
    bool vector = sinter__has_columns(l);
    if (l->c->key.levels > 0)
        return tree_together(l, r, of);
    if (of->state.kind != SINTER__STATE_NONE)
        return state_tree(l, r, of);
    sinter__statement s =
        sinter__statement_of(vector ? SINTER__DO_COLUMN_TREE : SINTER__DO_MEMORY_TREE);
    s.access = scratch_of(l, of->value, 0);
    s.op = l->nest->values[of->value].op;
    s.dtype = s.work = of->state.dtype[0];
    s.a = r->first_part;
    s.b = r->part_step;
    s.c = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    s.count = vector ? columns_at_hand(l, r) : nothing();
    s.reg = sinter__reg_new(l, s.dtype, vector);
    sinter__emit(l, &s);
    return s.reg;
}

/* In the first work-item of a row that is there. */
static void if_first_of_row(lowering *l, const rows *r)
{
    sinter__ix first = r->block == SINTER__NO_IX ? r->item : sinter__ix_add(l, r->item, r->block);
    sinter__ix condition = sinter__ix_is_zero(l, first);
    if (items_of(l) == 1 && r->is_there != SINTER__NO_IX)
        condition = r->is_there;
    else if (r->is_there != SINTER__NO_IX)
        condition = sinter__ix_make(l, SINTER__IX_AND, condition, r->is_there, 0);
    sinter__if(l, condition);
}

/* One per row */

/* Loads and arithmetic of phase `phase` that the launch uses. */
void sinter__emit_row_values(lowering *l, rows *r, uint8_t phase)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->wanted[i] = r->needed[i] && l->nest->values[i].phase == phase;
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        l->base[a] = r->bases[a];
    l->loop = phase;
    sinter__emit_values(l, &r->at);
}

/* Results of phase `phase` that are one per row. On a GPU a group has them in every work-item. */
void sinter__emit_row_stores(lowering *l, rows *r, uint8_t phase)
{
    bool guarded = !r->is_cpu && l->c->key.loops == SINTER__LOOPS_CHUNK;
    bool open = false;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind != SINTER__VALUE_STORE || v->phase != phase || !l->per_row[i])
            continue;
        if (guarded && !open)
            if_first_of_row(l, r);
        open = true;
        sinter__emit_store(l, &r->at, v->access, l->reg[v->source[0]]);
    }
    if (guarded && open)
        sinter__end(l);
}

void sinter__load_totals(lowering *l, rows *r, uint8_t phase)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind == SINTER__VALUE_REDUCE && v->phase == phase && r->needed[i])
            load_total(l, r, i);
    }
}

/* One per element */

/* Values of one vector of elements: computed, put where they are kept, stored. */
void sinter__emit_elements(lowering *l, rows *r)
{
    const uint8_t loop = l->loop;
    sinter__emit_values(l, &r->at);
    if (r->is_first)
        return;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (sinter__is_put_by(l->nest, i, loop) && !l->per_row[i])
            sinter__emit_put(l, &r->at, i);
        else if (v->kind == SINTER__VALUE_STORE && v->phase == loop && !l->per_row[i])
            sinter__emit_store(l, &r->at, v->access, l->reg[v->source[0]]);
    }
}

/* Terms of the state that `f` is the first fold of. 0: what is folded are the elements. */
static int terms_of(const rows *r, const fold *f)
{
    return r->is_first ? 0 : f->of->state.terms;
}

static bool is_meant(const fold *f, int count, sinter__folds which)
{
    bool any = which == SINTER__FOLDS_ALL;
    for (int k = 0; k < count; k++)
        any |= sinter__is_relayed(&f[k]) == (which == SINTER__FOLDS_IN_ORDER);
    return any;
}

/* What the vector at hand folds; `at` says where its elements are in their part. */
void sinter__emit_sources(lowering *l, rows *r, const sinter__places *at, sinter__folds which)
{
    for (int i = 0; i < r->fold_count;) {
        fold *f = &r->folds[i];
        sinter__reg made[SINTER__STATE_TERMS];
        int terms = terms_of(r, f);
        int folds = SINTER__MAX(terms, 1);
        i += folds;
        if (!is_meant(f, folds, which))
            continue; /* and what they are made of may not be there */
        f->source = l->reg[l->nest->values[f->of->value].source[0]];
        if (terms > 0)
            sinter__emit_terms(l, f->of->value, f->of->first, at, made);
        for (int k = 0; k < terms; k++)
            f[k].source = made[k];
    }
}

static void emit_fold(lowering *l, const fold *f, sinter__statement_kind kind, sinter__reg acc,
                      sinter__reg source, sinter__ix vector, sinter__ix count)
{
    sinter__statement s = sinter__statement_of(kind);
    s.reg = acc;
    s.op = f->op;
    s.dtype = s.work = f->dtype;
    s.b = vector;
    s.c = count;
    s.source[0] = source;
    sinter__emit(l, &s);
}

/* Folds the vector at hand into accumulator `vector` of each reduction. */
void sinter__emit_folds(lowering *l, const rows *r, int vector, sinter__ix count)
{
    for (int i = 0; i < r->fold_count; i++) {
        const fold *f = &r->folds[i];
        emit_fold(l, f, SINTER__DO_FOLD, f->acc[vector], f->source, nothing(), count);
    }
}

void sinter__emit_fold(lowering *l, const fold *f, sinter__ix count)
{
    emit_fold(l, f, SINTER__DO_FOLD, f->acc[0], f->source, nothing(), count);
}

/* How many registers of partials a work-item has for each fold. */
static int held_vectors(const lowering *l, const rows *r)
{
    bool is_chunk = l->c->key.loops == SINTER__LOOPS_CHUNK;
    return r->is_cpu && is_chunk && !r->is_array ? items_of(l) : 1;
}

static void declare_accumulators(lowering *l, rows *r)
{
    for (int i = 0; i < r->fold_count; i++) {
        fold *f = &r->folds[i];
        for (int k = 0; k < held_vectors(l, r); k++)
            f->acc[k] =
                sinter__declare_partial(l, SINTER__DO_IDENTITY, f->op, f->dtype, r->is_array);
    }
}

/* What the totals of the first pass are to the second, and to sums and means of the same. */
void sinter__finish_first(lowering *l, rows *r, sinter__ix length)
{
    for (int i = 0; i < r->fold_count; i++) {
        const fold *f = &r->folds[i];
        f->of->first = sinter__emit_first(l, &f->of->state, f->total, length);
        for (int k = 0; k < r->count; k++) {
            if (r->found[k].same == f->of)
                r->found[k].numbers[0] = f->total;
        }
    }
}

/* What the totals of the second pass, or of the only one, come to for a part from `start` on. */
void sinter__finish_part(lowering *l, rows *r, sinter__ix start, sinter__ix length)
{
    for (int i = 0; i < r->fold_count; i++) {
        const fold *f = &r->folds[i];
        reduction *of = f->of;
        sinter__reg sums[SINTER__STATE_TERMS];
        of->numbers[0] = f->total;
        if (of->state.kind == SINTER__STATE_NONE)
            continue;
        for (int k = 0; k < of->state.terms; k++)
            sums[k] = f[k].total;
        sinter__emit_state(l, of->value, of->first, sums, start, length, of->numbers);
        i += of->state.terms - 1;
    }
}

/* What the row has in one part: its results. */
void sinter__finish_row(lowering *l, const rows *r)
{
    for (int i = 0; i < r->count; i++) {
        const reduction *of = &r->found[i];
        const sinter__value *v = &l->nest->values[of->value];
        sinter__reg total = of->numbers[of->state.count - 1];
        if (l->c->key.empty != 0)
            total = sinter__declare_partial(l, SINTER__DO_NOTHING, v->op,
                                            of->state.dtype[of->state.count - 1], false);
        sinter__finish_reduction(l, of->value, total);
    }
}

/* Rows in chunks */

/* Whether a work-item has one vector of the row. */
static bool is_one_vector(const lowering *l, const rows *r)
{
    return l->c->key.partials < SINTER__TREE_LANES && (!r->is_cpu || items_of(l) == 1);
}

void sinter__chunk_vector(lowering *l, rows *r, sinter__ix start, sinter__ix length, sinter__ix at,
                          bool full)
{
    r->at.decomposed = r->at.behind > 0;
    r->at.index = sinter__ix_name(l, sinter__ix_add(l, start, at));
    r->at.count = nothing();
    if (l->c->key.held == 0) {
        sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
        l->held_place = sinter__ix_make(l, SINTER__IX_DIV, r->at.index, lanes, 0);
    }
    if (!full && is_one_vector(l, r)) /* there may be none */
        r->at.count = sinter__ix_lanes(l, at, length);
    else if (!full)
        r->at.count = sinter__ix_lanes_inside(l, at, length);
    sinter__emit_elements(l, r);
    sinter__emit_sources(l, r, &(sinter__places){at, true}, SINTER__FOLDS_ALL);
}

/* Folds it into that of several vectors of partials which is due at `at`. Registers have no numbers that
 * a program computes: each is asked for. */
static void fold_due(lowering *l, const rows *r, sinter__ix at)
{
    sinter__ix lanes64 = sinter__ix_number(l, SINTER__TREE_LANES);
    sinter__ix due = sinter__ix_make(l, SINTER__IX_MOD, at, lanes64, 0);
    due = sinter__ix_make(l, SINTER__IX_DIV, due, sinter__ix_number(l, l->c->key.lanes), 0);
    if (r->fold_count > 0)
        due = sinter__ix_name(l, due);
    for (int i = 0; i < r->fold_count && r->is_array; i++) {
        const fold *f = &r->folds[i];
        emit_fold(l, f, SINTER__DO_FOLD_ARRAY, f->acc[0], f->source, due, r->at.count);
    }
    for (int k = 0; k < held_vectors(l, r) && !r->is_array && r->fold_count > 0; k++) {
        sinter__if(l, sinter__ix_make(l, SINTER__IX_EQUAL, due, sinter__ix_number(l, k), 0));
        sinter__emit_folds(l, r, k, r->at.count);
        sinter__end(l);
    }
}

/* The loop over what is full: of all the vectors held, side by side, or of one where nothing is folded.
 * Returns where it ends. */
static sinter__ix chunk_full(lowering *l, rows *r, sinter__ix start, sinter__ix length)
{
    int vectors = r->fold_count > 0 ? held_vectors(l, r) : 1;
    sinter__ix step = sinter__ix_number(l, vectors * l->c->key.lanes);
    sinter__ix full = sinter__ix_make(l, SINTER__IX_DIV, length, step, 0);
    full = sinter__ix_name(l, sinter__ix_mul(l, full, step));
    sinter__ix block = sinter__for(l, sinter__ix_number(l, 0), full, step);
    for (int i = 0; i < vectors; i++) {
        sinter__ix lane = sinter__ix_number(l, i * l->c->key.lanes);
        r->at.behind = l->c->key.runs == SINTER__RUNS_BLOCK ? i * l->c->key.lanes : 0;
        sinter__chunk_vector(l, r, start, length, sinter__ix_add(l, block, lane), true);
        sinter__emit_folds(l, r, i, nothing());
    }
    r->at.behind = 0;
    sinter__end(l);
    return full;
}

/* Whether what is full has a loop of its own. */
static bool is_written_out(const lowering *l, const rows *r)
{
    uint32_t cost = 0;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->wanted[i])
            cost += 1 + sinter__op_info_of(l->nest->values[i].op)->cost;
    }
    return r->is_cpu && cost <= WRITTEN_OUT_COST && (r->fold_count == 0 || !r->is_array);
}

/* The vectors of `length` elements from `start` on. */
static void chunk_elements(lowering *l, rows *r, sinter__ix start, sinter__ix length)
{
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix lanes64 = sinter__ix_number(l, SINTER__TREE_LANES);
    sinter__ix from = sinter__ix_number(l, 0);
    if (!r->is_cpu)
        from = sinter__ix_name(l, sinter__ix_mul(l, r->item, lanes));
    if (is_one_vector(l, r)) {
        sinter__chunk_vector(l, r, start, length, from, false);
        sinter__emit_folds(l, r, 0, r->at.count);
        return;
    }
    if (l->c->key.held > 0) {
        sinter__stretch of = {start, length, from};
        (l->c->key.blocks > 1 ? sinter__relay_elements : sinter__hold_elements)(l, r, &of);
        return;
    }
    bool has_rest = is_written_out(l, r);
    if (has_rest) {
        from = chunk_full(l, r, start, length);
        /* The loop below would say so itself: a compiler wants to hear it first (docs/decisions/tails.md). */
        sinter__if_rarely(l, sinter__ix_make(l, SINTER__IX_SUB, length, from, 0));
    }
    sinter__ix at = sinter__for(l, from, length, r->is_cpu ? lanes : lanes64);
    sinter__chunk_vector(l, r, start, length, at, false);
    if (r->is_cpu)
        fold_due(l, r, at);
    else
        sinter__emit_folds(l, r, 0, r->at.count);
    sinter__end(l);
    if (has_rest)
        sinter__end(l);
}

/* A statement of the tree over the partials of a fold. Those that no element has filled change nothing. */
static sinter__statement tree_statement(const fold *f, sinter__statement_kind kind)
{
    sinter__statement s = sinter__statement_of(kind);
    s.op = f->op;
    s.dtype = s.work = f->dtype;
    s.source[0] = f->acc[0];
    return s;
}

/* The total of what a work-item has: some vectors or an array of them on a CPU, one vector on a GPU. */
static void own_tree(lowering *l, const rows *r, fold *f)
{
    for (int step = held_vectors(l, r) / 2; step > 0; step /= 2) {
        for (int k = 0; k < step; k++)
            emit_fold(l, f, SINTER__DO_FOLD, f->acc[k], f->acc[k + step], nothing(), nothing());
    }
    sinter__statement s = tree_statement(f, r->is_array ? SINTER__DO_TREE : SINTER__DO_LANE_TREE);
    s.b = sinter__ix_number(l, l->c->key.partials);
    s.reg = f->total = sinter__reg_new(l, s.dtype, false);
    sinter__emit(l, &s);
}

static void emit_slot(lowering *l, const fold *f, sinter__statement_kind kind, sinter__ix step)
{
    sinter__statement s = tree_statement(f, kind);
    s.access = f->slot;
    s.reg = kind == SINTER__DO_TREE_HEAR ? f->total : f->acc[0];
    s.source[0] = kind == SINTER__DO_TREE_TELL ? f->total : f->acc[0];
    s.assign = kind == SINTER__DO_TREE_TAKE;
    s.a = step;
    s.b = sinter__ix_number(l, items_of(l));
    sinter__emit(l, &s);
}

static sinter__library_class type_of(const fold *f)
{
    return sinter__library_class_of(sinter__class_of(f->dtype));
}

/* The slots of folds `first` to `end`: those of one type are one after the other. */
static void place_trees(rows *r, int first, int end)
{
    for (int i = first; i < end; i++) {
        uint16_t slot = 0;
        for (int k = first; k < i; k++) {
            if (type_of(&r->folds[k]) == type_of(&r->folds[i]))
                slot++;
        }
        r->folds[i].slot = slot;
    }
}

/* Folds `first` to `end` of a group together, so that there are no more barriers for many of them than
 * for one. Each has a slot of its own in the local memory of its type. */
static void group_trees(lowering *l, rows *r, int first, int end)
{
    sinter__ix step = sinter__halve(l, items_of(l) / 2);
    for (int i = first; i < end; i++)
        emit_slot(l, &r->folds[i], SINTER__DO_TREE_GIVE, step);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    for (int i = first; i < end; i++)
        emit_slot(l, &r->folds[i], SINTER__DO_TREE_TAKE, step);
    sinter__end(l);
    for (int i = first; i < end; i++) {
        own_tree(l, r, &r->folds[i]);
        emit_slot(l, &r->folds[i], SINTER__DO_TREE_TELL, step);
    }
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    for (int i = first; i < end; i++) {
        r->folds[i].total = sinter__reg_new(l, r->folds[i].dtype, false);
        emit_slot(l, &r->folds[i], SINTER__DO_TREE_HEAR, step);
    }
}

/* The steps between work-items of a sub-group, each fold's; every one of them then has its own tree. */
static void shuffle_trees(lowering *l, rows *r)
{
    sinter__statement folds[SINTER__COUNT(r->folds)];
    for (int i = 0; i < r->fold_count; i++) {
        folds[i] = tree_statement(&r->folds[i], SINTER__DO_TREE_SWAP);
        folds[i].reg = r->folds[i].acc[0];
    }
    sinter__emit_shuffles(l, folds, r->fold_count, items_of(l));
}

/* The totals of the pass's folds. */
static void chunk_trees(lowering *l, rows *r)
{
    bool shuffles = !r->is_cpu && l->c->key.sub_group != 0;
    if (shuffles)
        shuffle_trees(l, r);
    if (r->is_cpu || shuffles || items_of(l) == 1) {
        for (int i = 0; i < r->fold_count; i++)
            own_tree(l, r, &r->folds[i]);
        return;
    }
    int most = l->c->key.trees;
    for (int first = 0; first < r->fold_count; first += most) {
        int end = SINTER__MIN(first + most, r->fold_count);
        place_trees(r, first, end);
        group_trees(l, r, first, end);
    }
}

/* One pass over `length` elements from `start` on, and the totals of its folds. */
static void chunk_pass(lowering *l, rows *r, sinter__ix start, sinter__ix length, bool is_first)
{
    sinter__find_folds(r, is_first);
    declare_accumulators(l, r);
    chunk_elements(l, r, start, length);
    sinter__are_held(l);
    if (l->c->key.empty == 0 && r->fold_count > 0)
        chunk_trees(l, r);
}

/* Both passes, where a state wants two, and what they come to. */
static void chunk_passes(lowering *l, rows *r, sinter__ix start, sinter__ix length, bool in_parts)
{
    if (l->c->key.empty == 0 &&
        sinter__first_pass_values(l->nest, l->per_row, l->loop, l->wanted)) {
        chunk_pass(l, r, start, length, true);
        sinter__finish_first(l, r, length);
    }
    (void)sinter__loop_values(l->nest, l->per_row, l->loop, l->wanted);
    chunk_pass(l, r, start, length, false);
    if (l->c->key.empty == 0)
        sinter__finish_part(l, r, in_parts ? start : nothing(), length);
}

/* Chunk `part` of the row: its partials, and their trees to scratch. */
static void chunk_part(lowering *l, rows *r, sinter__ix part)
{
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_CHUNK);
    sinter__ix start = sinter__ix_name(l, sinter__ix_mul(l, part, size));
    sinter__ix length = sinter__ix_make(l, SINTER__IX_SUB, r->length, start, 0);
    length = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, length, size, 0));
    sinter__hold_again(l);
    chunk_passes(l, r, start, length, true);
    if (!r->is_cpu && r->count > 0)
        if_first_of_row(l, r);
    for (int i = 0; i < r->count; i++)
        sinter__store_part(l, r, &r->found[i], sinter__ix_add(l, r->first_part, part));
    if (!r->is_cpu && r->count > 0)
        sinter__end(l);
}

/* Every chunk of the row, then the tree over what they come to, if it is reduced. In a group the
 * first work-item does that tree. */
static void chunk_parts(lowering *l, rows *r)
{
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix part = sinter__for(l, sinter__ix_number(l, 0), parts, sinter__ix_number(l, 1));
    chunk_part(l, r, part);
    sinter__end(l);
    sinter__reg total[SINTER__MAX_REDUCTIONS];
    if (r->count == 0)
        return;
    if (!r->is_cpu)
        if_first_of_row(l, r);
    for (int i = 0; i < r->count; i++)
        total[i] = sinter__tree_in_scratch(l, r, &r->found[i]);
    if (!r->is_cpu) {
        sinter__end(l);
        sinter__barrier(l, SINTER__DO_BARRIER);
    }
    for (int i = 0; i < r->count; i++) {
        if (r->is_cpu)
            sinter__finish_reduction(l, r->found[i].value, total[i]);
        else
            load_total(l, r, r->found[i].value);
    }
}

static void chunk_loop(lowering *l, rows *r, uint8_t loop)
{
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        l->base[a] = r->bases[a];
    sinter__find_reductions(l, r, (uint8_t)(loop + 1));
    l->loop = loop;
    if (!sinter__loop_values(l->nest, l->per_row, loop, l->wanted))
        return;
    if (!r->is_whole) {
        chunk_part(l, r, r->part);
        return;
    }
    if (l->c->key.in_parts != 0 && (r->count > 0 || l->c->key.blocks > 1)) {
        chunk_parts(l, r);
        return;
    }
    chunk_passes(l, r, sinter__ix_number(l, 0), r->length, false);
    sinter__finish_row(l, r);
}

/* Kernels */

static void place_chunk(lowering *l, rows *r, sinter__ix unit)
{
    r->row = unit;
    if (!r->is_whole)
        sinter__ix_divide(l, unit, sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0), &r->row,
                          &r->part);
    sinter__set_bases(l, r->row, l->c->key.parallel_rank);
    r->part_step = sinter__ix_number(l, 1);
    if (l->c->key.in_parts == 0)
        return;
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    r->first_part = sinter__ix_name(l, sinter__ix_mul(l, r->row, parts));
}

/* Phases of a unit: all, or the one of the launch with what it needs of those before. */
static void lower_phases(lowering *l, rows *r)
{
    bool in_chunks = l->c->key.loops == SINTER__LOOPS_CHUNK;
    uint8_t last = r->is_whole ? l->nest->phases : (uint8_t)l->c->key.phase;
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        r->bases[a] = l->base[a];
    for (uint8_t phase = 0; phase <= last; phase++) {
        if (!r->is_whole)
            sinter__load_totals(l, r, phase);
        sinter__emit_row_values(l, r, phase);
        if (r->is_whole)
            sinter__emit_row_stores(l, r, phase);
        if (!r->is_whole && phase < last)
            continue;
        if (in_chunks)
            chunk_loop(l, r, phase);
        else
            sinter__run_loop(l, r, phase);
    }
}

/* A result of one row or column. */
static void place_result(lowering *l, rows *r, sinter__ix unit)
{
    sinter__set_bases(l, unit, l->c->key.parallel_rank);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix column;
    r->part_step = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    sinter__ix_divide(l, unit, r->part_step, &r->row, &column);
    sinter__ix first = sinter__ix_mul(l, sinter__ix_mul(l, r->row, parts), r->part_step);
    r->first_part = sinter__ix_name(l, sinter__ix_add(l, first, column));
}

/* A work-item has some results, or vectors of them, or those along the group's second dimension
 * have a result together: the tree over their chunks or runs, in place in scratch memory, and what
 * is stored once per row. */
static void combine(lowering *l, rows *r)
{
    uint8_t phase = (uint8_t)(l->c->key.phase + 1);
    bool together = l->c->key.levels > 0; /* then there is one for each, for the barriers */
    sinter__ix unit = together ? sinter__ix_make(l, SINTER__IX_GLOBAL_ID, nothing(), nothing(), 0)
                               : sinter__for_units(l);
    if (sinter__has_columns(l))
        sinter__place_run(l, r, unit);
    else
        place_result(l, r, unit);
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        r->bases[a] = l->base[a];
    for (uint8_t p = 0; p < phase; p++) {
        sinter__load_totals(l, r, p);
        sinter__emit_row_values(l, r, p);
    }
    sinter__find_reductions(l, r, phase);
    for (int i = 0; i < r->count; i++) {
        sinter__reg total = sinter__tree_in_scratch(l, r, &r->found[i]);
        if (r->needed[r->found[i].value])
            sinter__finish_reduction(l, r->found[i].value, total);
    }
    if (together) {
        sinter__ix worker = sinter__ix_local(l, 1);
        sinter__if(l, sinter__ix_is_zero(l, worker));
    }
    if (phase == 1)
        sinter__emit_row_stores(l, r, 0);
    sinter__emit_row_values(l, r, phase);
    sinter__emit_row_stores(l, r, phase);
    sinter__end(l);
}

/* The row or chunk of a work-item, and its place in there. The last group may have work-items without
 * one: they go along, for the barriers, with the last row's places and no elements. */
static sinter__ix unit_of_group(lowering *l, rows *r)
{
    sinter__ix group = sinter__ix_make(l, SINTER__IX_GROUP_ID, nothing(), nothing(), 0);
    sinter__ix lid = sinter__ix_local(l, 0);
    int items = items_of(l);
    int shared = l->c->key.group[0] / items;
    r->item = lid;
    if (l->c->key.blocks > 1)
        sinter__ix_divide(l, lid, sinter__ix_number(l, items), &r->block, &r->item);
    if (shared == 1 || l->c->key.blocks > 1)
        return sinter__ix_name(l, group);
    sinter__ix row = lid;
    r->item = sinter__ix_number(l, 0);
    if (items > 1)
        sinter__ix_divide(l, lid, sinter__ix_number(l, items), &row, &r->item);
    sinter__ix unit = sinter__ix_mul(l, group, sinter__ix_number(l, shared));
    unit = sinter__ix_name(l, sinter__ix_add(l, unit, row));
    sinter__ix units = sinter__ix_param(l, SINTER__PARAM_UNITS, 0, 0);
    sinter__ix last = sinter__ix_make(l, SINTER__IX_SUB, units, sinter__ix_number(l, 1), 0);
    r->is_there = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_LESS, unit, units, 0));
    r->length = sinter__ix_name(l, sinter__ix_mul(l, r->is_there, r->length));
    return sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, unit, last, 0));
}

static void lower_rows(lowering *l, rows *r)
{
    const sinter__class_key *key = &l->c->key;
    bool in_chunks = key->loops == SINTER__LOOPS_CHUNK;
    int first = in_chunks ? key->parallel_rank : key->parallel_rank - 1;
    r->at.first_axis = first;
    r->at.last_axis = in_chunks ? first + key->reduced_rank : first + 1;
    if (key->loops == SINTER__LOOPS_COMBINE && !sinter__has_columns(l))
        r->at.first_axis = r->at.last_axis = 0;
    sinter__find_varying(l, &r->at);
    if (key->loops == SINTER__LOOPS_COMBINE) {
        combine(l, r);
        return;
    }
    bool grouped = in_chunks && !r->is_cpu;
    r->length = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__declare_held(l, r);
    sinter__ix unit = grouped ? unit_of_group(l, r) : sinter__for_units(l);
    if (in_chunks)
        place_chunk(l, r, unit);
    else
        sinter__place_run(l, r, unit);
    if (key->vectors > 1)
        sinter__run_phases(l, r);
    else
        lower_phases(l, r);
    if (!grouped)
        sinter__end(l);
}

static void lower_with(lowering *l, rows *r)
{
    r->is_cpu = l->c->key.style == SINTER_STYLE_CPU;
    r->is_there = r->block = SINTER__NO_IX;
    r->relay_count = 0;
    r->is_array = r->is_cpu && l->c->key.loops == SINTER__LOOPS_CHUNK && items_of(l) > HELD_VECTORS;
    r->is_whole = l->c->key.phase == SINTER__PHASE_ALL;
    find_per_row(l);
    if (r->is_whole) {
        for (uint16_t i = 0; i < l->nest->value_count; i++)
            r->needed[i] = l->per_row[i];
    } else {
        sinter__find_used(l, r, (uint8_t)l->c->key.phase, l->c->key.loops == SINTER__LOOPS_COMBINE);
        sinter__find_sources(l, r);
    }
    lower_rows(l, r);
}

void sinter__lower_reduce(lowering *l)
{
    const sinter__nest *nest = l->nest;
    rows *r = sinter__alloc(l->code->allocator, sizeof *r);
    if (r == NULL) {
        l->code->status = SINTER_ENOMEM;
        return;
    }
    sinter__nest anew;
    if (l->c->key.anew != 0) {
        anew = sinter__keep_none(nest, r->values);
        l->nest = &anew;
    }
    lower_with(l, r);
    l->nest = nest;
    sinter__free(l->code->allocator, r, sizeof *r);
}
