/* Lowering of reductions: a chunk of a row in 64 partials, a run of rows in vectors of columns, and
 * the tree over chunks or runs. */
#include "fusion/lower_build.h"

#include "fusion/tree.h"

/* A nest of the form has one reduction and one store. */
static const sinter__value *find_kind(const lowering *l, sinter__value_kind kind)
{
    const sinter__value *v = l->nest->values;
    const sinter__value *end = v + l->nest->value_count;
    while (v + 1 < end && v->kind != kind)
        v++;
    return v;
}

static const sinter__value *find_reduce(const lowering *l)
{
    return find_kind(l, SINTER__VALUE_REDUCE);
}

/* The access that it writes. */
static uint16_t find_store(const lowering *l)
{
    return find_kind(l, SINTER__VALUE_STORE)->access;
}

static uint8_t accumulator_of(const sinter__value *v)
{
    return (uint8_t)sinter__accumulator((sinter_dtype)v->dtype);
}

/* Writes a finished reduction: divided for a mean, rounded to the dtype, at the store's place; or,
 * as a part, as it is to scratch at `scratch_at`. */
static void finish_reduction(lowering *l, sinter__reg total, sinter__mode mode, sinter__ix at,
                             sinter__ix stride, sinter__ix count)
{
    const sinter__value *v = find_reduce(l);
    bool vector = sinter__reg_of(l, total).is_vector;
    sinter__statement out = sinter__statement_of(SINTER__DO_STORE);
    out.mode = (uint8_t)mode;
    out.a = at;
    out.b = stride;
    out.c = count;
    out.source[0] = total;
    if (l->c->key.partial != 0) {
        out.access = SINTER__SCRATCH;
        out.dtype = accumulator_of(v);
        sinter__use_scratch(l, out.dtype);
        sinter__emit(l, &out);
        return;
    }
    if (v->op == SINTER__OP_MEAN) {
        sinter__statement mean = sinter__statement_of(SINTER__DO_MEAN);
        mean.source[0] = total;
        mean.dtype = accumulator_of(v);
        mean.a = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
        total = mean.reg = sinter__reg_new(l, mean.dtype, vector);
        sinter__emit(l, &mean);
    }
    sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
    round.source[0] = total;
    round.dtype = v->dtype;
    round.reg = sinter__reg_new(l, v->dtype, vector);
    sinter__emit(l, &round);
    out.source[0] = round.reg;
    out.access = find_store(l);
    out.dtype = v->dtype;
    sinter__emit(l, &out);
}

/* What the reduction gives for no elements, as its accumulator. */
static sinter__reg declare(lowering *l, const sinter__value *v, bool vector, bool array)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_NOTHING);
    s.op = v->op;
    s.dtype = accumulator_of(v);
    s.reg = sinter__reg_new(l, s.dtype, vector);
    if (l->code->status == SINTER_OK)
        l->code->regs[s.reg].is_array = array;
    sinter__emit(l, &s);
    return s.reg;
}

static void emit_fold(lowering *l, sinter__statement_kind kind, const sinter__value *v,
                      sinter__reg acc, sinter__ix first, sinter__ix vector, sinter__ix count)
{
    sinter__statement s = sinter__statement_of(kind);
    s.reg = acc;
    s.op = v->op;
    s.dtype = accumulator_of(v);
    s.work = s.dtype;
    s.a = first;
    s.b = vector;
    s.c = count;
    s.source[0] = l->reg[v->source[0]];
    sinter__emit(l, &s);
}

/* One vector of the line of reduced elements of a chunk: values, and their fold. */
static void chunk_step(lowering *l, sinter__line *at, sinter__ix r, sinter__ix start,
                       sinter__ix length, sinter__reg acc)
{
    const sinter__value *v = find_reduce(l);
    bool array = sinter__reg_of(l, acc).is_array;
    at->decomposed = false;
    at->index = sinter__ix_name(l, sinter__ix_add(l, start, r));
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, length, r, 0);
    at->count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0));
    sinter__emit_values(l, at, true);
    sinter__ix lanes64 = sinter__ix_number(l, SINTER__TREE_LANES);
    sinter__ix first = sinter__ix_make(l, SINTER__IX_LESS, r, lanes64, 0);
    sinter__ix vector = SINTER__NO_IX;
    if (array) {
        vector = sinter__ix_make(l, SINTER__IX_MOD, r, lanes64, 0);
        vector =
            sinter__ix_make(l, SINTER__IX_DIV, vector, sinter__ix_number(l, l->c->key.lanes), 0);
    }
    emit_fold(l, array ? SINTER__DO_FOLD_ARRAY : SINTER__DO_FOLD, v, acc, first, vector, at->count);
}

void sinter__lower_chunk(lowering *l)
{
    bool cpu = l->c->key.style == SINTER_STYLE_CPU;
    sinter__line at = {.first_axis = l->c->key.parallel_rank,
                       .last_axis = l->c->key.parallel_rank + l->c->key.reduced_rank};
    sinter__find_varying(l, &at);
    const sinter__value *v = find_reduce(l);
    sinter__ix unit = cpu ? sinter__for_units(l)
                          : sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_GROUP_ID,
                                                               SINTER__NO_IX, SINTER__NO_IX, 0));
    sinter__ix lid = sinter__ix_make(l, SINTER__IX_LOCAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix row;
    sinter__ix part;
    sinter__ix_divide(l, unit, parts, &row, &part);
    sinter__set_bases(l, row, l->c->key.parallel_rank);
    sinter__emit_values(l, &at, false);
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_CHUNK);
    sinter__ix start = sinter__ix_name(l, sinter__ix_mul(l, part, size));
    sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix length = sinter__ix_make(l, SINTER__IX_SUB, reduced, start, 0);
    length = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, length, size, 0));
    sinter__reg acc = declare(l, v, true, cpu);
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix from =
        cpu ? sinter__ix_number(l, 0) : sinter__ix_name(l, sinter__ix_mul(l, lid, lanes));
    sinter__ix step = cpu ? lanes : sinter__ix_number(l, SINTER__TREE_LANES);
    sinter__ix r = sinter__for(l, from, length, step);
    chunk_step(l, &at, r, start, length, acc);
    sinter__end(l);
    sinter__statement tree = sinter__statement_of(cpu ? SINTER__DO_TREE : SINTER__DO_GROUP_TREE);
    tree.a =
        sinter__ix_make(l, SINTER__IX_MIN, length, sinter__ix_number(l, SINTER__TREE_LANES), 0);
    tree.op = v->op;
    tree.dtype = tree.work = accumulator_of(v);
    tree.source[0] = acc;
    tree.reg = sinter__reg_new(l, tree.dtype, false);
    if (l->c->key.empty != 0)
        tree.reg = declare(l, v, false, false);
    else
        sinter__emit(l, &tree);
    uint16_t store = find_store(l);
    if (!cpu)
        sinter__if(l, sinter__ix_make(l, SINTER__IX_EQUAL, lid, sinter__ix_number(l, 0), 0));
    finish_reduction(l, tree.reg, SINTER__MODE_ONE, l->c->key.partial != 0 ? unit : l->base[store],
                     SINTER__NO_IX, SINTER__NO_IX);
    sinter__end(l);
}

/* Adds what the reduced coordinates of `r` contribute to every access's offset. */
static void add_reduced(lowering *l, sinter__ix r, const sinter__ix *bases)
{
    int first = l->c->key.parallel_rank;
    int last = first + l->c->key.reduced_rank;
    sinter__ix coordinate[SINTER__NEST_RANK];
    for (int i = last - 1; i >= first; i--) {
        sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
        coordinate[i] = r;
        if (i > first)
            sinter__ix_divide(l, r, extent, &r, &coordinate[i]);
    }
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        l->base[a] = bases[a];
        for (int i = first; i < last; i++)
            l->base[a] = sinter__ix_add(
                l, l->base[a], sinter__ix_mul(l, coordinate[i], sinter__ix_stride(l, a, i)));
    }
}

typedef struct run_place {
    sinter__ix row, part, first,
        inner; /* first: index along the innermost kept axis; inner: its extent */
    sinter__ix count;
} run_place;

/* unit -> row, run, vector along the innermost kept axis. */
static run_place place_run(lowering *l, sinter__ix unit)
{
    run_place p;
    int axis = l->c->key.parallel_rank - 1;
    sinter__ix blocks = sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix block;
    sinter__ix rest;
    sinter__ix_divide(l, unit, blocks, &rest, &block);
    sinter__ix_divide(l, rest, parts, &p.row, &p.part);
    p.first = sinter__ix_name(l, sinter__ix_mul(l, block, sinter__ix_number(l, l->c->key.lanes)));
    p.inner = sinter__ix_param(l, SINTER__PARAM_EXTENT, axis, 0);
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, p.inner, p.first, 0);
    p.count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0));
    return p;
}

void sinter__lower_run(lowering *l)
{
    int axis = l->c->key.parallel_rank - 1;
    sinter__line at = {.first_axis = axis, .last_axis = axis + 1};
    sinter__find_varying(l, &at);
    const sinter__value *v = find_reduce(l);
    sinter__ix unit = sinter__for_units(l);
    run_place p = place_run(l, unit);
    sinter__set_bases(l, p.row, axis);
    sinter__ix bases[LOWER_MAX_ACCESSES] = {0};
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        bases[a] = l->base[a];
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_RUN);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, p.part, size));
    sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, size), reduced, 0);
    end = sinter__ix_name(l, end);
    sinter__reg acc = declare(l, v, true, false);
    sinter__ix r = sinter__for(l, begin, end, sinter__ix_number(l, 1));
    add_reduced(l, r, bases);
    at.index = p.first;
    at.count = p.count;
    sinter__emit_values(l, &at, false);
    sinter__emit_values(l, &at, true);
    emit_fold(l, SINTER__DO_FOLD, v, acc, sinter__ix_make(l, SINTER__IX_EQUAL, r, begin, 0),
              SINTER__NO_IX, SINTER__NO_IX);
    sinter__end(l);
    uint16_t store = find_store(l);
    l->base[store] = bases[store];
    sinter__ix where;
    sinter__ix stride;
    sinter__mode mode = sinter__locate(l, &at, store, &where, &stride);
    if (l->c->key.partial != 0) {
        sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
        where = sinter__ix_add(l, sinter__ix_mul(l, p.row, parts), p.part);
        where = sinter__ix_add(l, sinter__ix_mul(l, where, p.inner), p.first);
        mode = SINTER__MODE_UNIT;
    }
    finish_reduction(l, acc, mode, where, stride, p.count);
    sinter__end(l);
}

/* One work-item per result: the tree over its chunks or runs, in place in scratch memory. */
void sinter__lower_combine(lowering *l)
{
    const sinter__value *v = find_reduce(l);
    uint16_t store = find_store(l);
    sinter__ix unit = sinter__for_units(l);
    sinter__set_bases(l, unit, l->c->key.parallel_rank);
    sinter__ix stride = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix row;
    sinter__ix column;
    sinter__ix_divide(l, unit, stride, &row, &column);
    sinter__ix first = sinter__ix_mul(l, sinter__ix_mul(l, row, parts), stride);
    sinter__statement tree = sinter__statement_of(SINTER__DO_MEMORY_TREE);
    tree.access = SINTER__SCRATCH;
    tree.op = v->op;
    tree.dtype = tree.work = accumulator_of(v);
    tree.a = sinter__ix_name(l, sinter__ix_add(l, first, column));
    tree.b = stride;
    tree.c = parts;
    tree.reg = sinter__reg_new(l, tree.dtype, false);
    sinter__use_scratch(l, tree.dtype);
    sinter__emit(l, &tree);
    finish_reduction(l, tree.reg, SINTER__MODE_ONE, l->base[store], SINTER__NO_IX, SINTER__NO_IX);
    sinter__end(l);
}
