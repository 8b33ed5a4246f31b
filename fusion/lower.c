/* Lowering of elementwise nests and reductions; fusion/lower_tile.c has matrix products.
 *
 * The one hard idea: every form is "units, then a line of vectors". A unit fixes some axes (a row,
 * a chunk, a run); the line is the rest, walked in vectors by one index. An access is, along the
 * line, constant (a uniform value, computed once per unit), contiguous, strided, or decomposed per
 * lane. */
#include "fusion/lower_build.h"

#include "fusion/tree.h"

/* Where the vector now being computed lies. */
typedef struct line {
    int first_axis; /* axes [first_axis, last_axis) vary along the line */
    int last_axis;
    bool use_linear;                          /* accesses that are linear take the index as it is */
    sinter__ix index;                         /* of its first lane */
    sinter__ix count;                         /* lanes that are valid */
    sinter__ix coordinate[SINTER__NEST_RANK]; /* vectors, by axis; SINTER__NO_IX: not yet */
    bool decomposed;
} line;

static bool access_varies(const lowering *l, const line *at, uint16_t access)
{
    for (int i = at->first_axis; i < at->last_axis; i++) {
        if (sinter__class_stride(l->c, access, i) != SINTER__STRIDE_ZERO)
            return true;
    }
    return false;
}

/* Which values differ from lane to lane. */
static void find_varying(lowering *l, const line *at)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        bool varies = false;
        if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX)
            varies = access_varies(l, at, v->access);
        for (int k = 0; k < v->source_count; k++)
            varies |= l->varies[v->source[k]];
        l->varies[i] = varies;
    }
}

/* Vectors of coordinates along each axis of the line. */
static void decompose(lowering *l, line *at)
{
    if (at->decomposed)
        return;
    at->decomposed = true;
    sinter__ix rest = sinter__ix_make(l, SINTER__IX_LANE, at->index, SINTER__NO_IX, 0);
    rest = sinter__ix_name(l, rest);
    for (int i = at->last_axis - 1; i > at->first_axis; i--) {
        int32_t magic = sinter__param_of(l, SINTER__PARAM_MAGIC, i, 0);
        (void)sinter__param_of(l, SINTER__PARAM_SHIFT, i, 0);
        sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
        sinter__ix q = sinter__ix_make(l, SINTER__IX_QUOTIENT, rest, extent, magic);
        q = sinter__ix_name(l, q);
        sinter__ix back = sinter__ix_make(l, SINTER__IX_MUL, q, extent, 0);
        at->coordinate[i] = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, rest, back, 0));
        rest = q;
    }
    at->coordinate[at->first_axis] = rest;
}

/* Offset of `access` at the line's index, with the mode to go through it. `stride` for strided
 * ones. */
static sinter__mode locate(lowering *l, line *at, uint16_t access, sinter__ix *offset,
                           sinter__ix *stride)
{
    *offset = l->base[access];
    *stride = SINTER__NO_IX;
    if (!access_varies(l, at, access))
        return SINTER__MODE_ONE;
    bool linear = at->use_linear && l->c->accesses[access].linear != 0;
    int axis = at->last_axis - 1;
    if (linear || (at->last_axis - at->first_axis == 1 &&
                   sinter__class_stride(l->c, access, axis) == SINTER__STRIDE_UNIT)) {
        *offset = sinter__ix_add(l, *offset, at->index);
        return SINTER__MODE_UNIT;
    }
    if (at->last_axis - at->first_axis == 1) {
        *stride = sinter__ix_param(l, SINTER__PARAM_STRIDE, axis, access);
        *offset = sinter__ix_add(l, *offset, sinter__ix_mul(l, at->index, *stride));
        return SINTER__MODE_STRIDED;
    }
    decompose(l, at);
    for (int i = at->first_axis; i < at->last_axis; i++)
        *offset = sinter__ix_add(
            l, *offset, sinter__ix_mul(l, at->coordinate[i], sinter__ix_stride(l, access, i)));
    return SINTER__MODE_GATHER;
}

static void emit_load(lowering *l, line *at, uint16_t value)
{
    const sinter__value *v = &l->nest->values[value];
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    s.access = v->access;
    s.dtype = v->dtype;
    s.mode = (uint8_t)locate(l, at, v->access, &s.a, &s.b);
    s.c = at->count;
    if (v->kind == SINTER__VALUE_INDEX) {
        s.kind = SINTER__DO_INDEX;
        if (s.mode == SINTER__MODE_UNIT)
            s.b = sinter__ix_number(l, 1);
    }
    s.reg = l->reg[value] = sinter__reg_new(l, v->dtype, l->varies[value]);
    sinter__emit(l, &s);
}

/* Whether rounding a MAP to its dtype would change nothing: its operation is exact, or it is only
 * stored and the store rounds (vstore_half_rte). */
static bool is_settled(const lowering *l, uint16_t value)
{
    const sinter__value *map = &l->nest->values[value];
    bool exact = sinter__op_info_of(map->op)->is_exact;
    bool same = map->work == map->dtype || map->op == SINTER__OP_WHERE; /* that of its operands */
    if (exact && same && sinter__is_float((sinter_dtype)map->dtype))
        return true;
    if (map->dtype != SINTER_F16)
        return false;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        for (int k = 0; k < v->source_count; k++) {
            if (v->source[k] == value && v->kind != SINTER__VALUE_STORE)
                return false;
        }
    }
    return true;
}

static void emit_map(lowering *l, uint16_t value)
{
    const sinter__value *v = &l->nest->values[value];
    sinter__statement s = sinter__statement_of(SINTER__DO_MAP);
    s.op = v->op;
    s.dtype = v->dtype;
    s.work = v->work;
    s.is_settled = is_settled(l, value);
    for (int k = 0; k < v->source_count; k++)
        s.source[k] = l->reg[v->source[k]];
    s.reg = l->reg[value] = sinter__reg_new(l, v->dtype, l->varies[value]);
    sinter__emit(l, &s);
}

/* Loads and arithmetic of the nest: those that vary along the line, or those that do not. */
static void emit_values(lowering *l, line *at, bool varying)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (l->varies[i] != varying)
            continue;
        if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX)
            emit_load(l, at, i);
        else if (v->kind == SINTER__VALUE_MAP)
            emit_map(l, i);
    }
}

/* Stores come after every load: an output may lie where an input dies. */
static void emit_stores(lowering *l, line *at)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind != SINTER__VALUE_STORE)
            continue;
        sinter__statement s = sinter__statement_of(SINTER__DO_STORE);
        s.access = v->access;
        s.dtype = v->dtype;
        s.mode = (uint8_t)locate(l, at, v->access, &s.a, &s.b);
        s.c = at->count;
        s.source[0] = l->reg[v->source[0]];
        sinter__emit(l, &s);
    }
}

/* Splits `row` into coordinates along axes [0, last) and starts every access's offset with them. */
static void set_bases(lowering *l, sinter__ix row, int last)
{
    sinter__ix coordinate[SINTER__NEST_RANK];
    for (int i = last - 1; i >= 0; i--) {
        if (i == 0) {
            coordinate[i] = row;
            break;
        }
        sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
        sinter__ix_divide(l, row, extent, &row, &coordinate[i]);
    }
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        l->base[a] = l->nest->accesses[a].role == SINTER__ROLE_INDEX
                         ? sinter__ix_param(l, SINTER__PARAM_OFFSET, 0, a)
                         : sinter__ix_number(l, 0);
        for (int i = 0; i < last; i++)
            l->base[a] = sinter__ix_add(
                l, l->base[a], sinter__ix_mul(l, coordinate[i], sinter__ix_stride(l, a, i)));
        l->base[a] = sinter__ix_name(l, l->base[a]);
    }
}

/* MAP */

static line map_line(const lowering *l)
{
    bool flat = l->c->key.loops == SINTER__LOOPS_FLAT;
    int rank = l->c->key.parallel_rank;
    return (line){.first_axis = flat ? 0 : rank - 1, .last_axis = rank, .use_linear = flat};
}

static void map_body(lowering *l, line *at, sinter__ix end)
{
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, end, at->index, 0);
    at->count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0));
    emit_values(l, at, true);
    emit_stores(l, at);
}

/* Segment `segment` of the line: a loop over its vectors. */
static void map_segment(lowering *l, line *at, sinter__ix segment, sinter__ix length)
{
    sinter__ix step = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, segment, step));
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, step), length, 0);
    end = sinter__ix_name(l, end);
    at->index = sinter__for(l, begin, end, sinter__ix_number(l, l->c->key.lanes));
    map_body(l, at, end);
    sinter__end(l);
}

/* Rows [band * key.rows, ...) of a segment, one below the other. */
static void map_band(lowering *l, line *at, sinter__ix band, sinter__ix segment, sinter__ix length)
{
    sinter__ix height = sinter__ix_number(l, l->c->key.rows);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, band, height));
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, height),
                                     sinter__ix_param(l, SINTER__PARAM_ROWS, 0, 0), 0);
    sinter__ix row = sinter__for(l, begin, sinter__ix_name(l, end), sinter__ix_number(l, 1));
    set_bases(l, row, at->first_axis);
    emit_values(l, at, false);
    map_segment(l, at, segment, length);
    sinter__end(l);
}

static void map_cpu(lowering *l)
{
    line at = map_line(l);
    find_varying(l, &at);
    int outer = at.first_axis;
    sinter__ix length = at.use_linear ? sinter__ix_param(l, SINTER__PARAM_PARALLEL, 0, 0)
                                      : sinter__ix_param(l, SINTER__PARAM_EXTENT, outer, 0);
    if (outer == 0) {
        set_bases(l, SINTER__NO_IX, 0);
        emit_values(l, &at, false);
        map_segment(l, &at,
                    sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0),
                    length);
        return;
    }
    sinter__ix unit = sinter__for_units(l);
    sinter__ix segments = sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0);
    sinter__ix row;
    sinter__ix segment;
    sinter__ix_divide(l, unit, segments, &row, &segment);
    if (l->c->key.rows > 0) {
        map_band(l, &at, row, segment, length);
    } else {
        set_bases(l, row, outer);
        emit_values(l, &at, false);
        map_segment(l, &at, segment, length);
    }
    sinter__end(l);
}

static void map_gpu(lowering *l)
{
    line at = map_line(l);
    find_varying(l, &at);
    int outer = at.first_axis;
    sinter__ix id = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix row = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 1);
    sinter__ix length = at.use_linear ? sinter__ix_param(l, SINTER__PARAM_PARALLEL, 0, 0)
                                      : sinter__ix_param(l, SINTER__PARAM_EXTENT, outer, 0);
    at.index = sinter__ix_name(l, sinter__ix_mul(l, id, sinter__ix_number(l, l->c->key.lanes)));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, at.index, length, 0));
    set_bases(l, outer > 0 ? sinter__ix_name(l, row) : SINTER__NO_IX, outer);
    emit_values(l, &at, false);
    map_body(l, &at, length);
    sinter__end(l);
}

/* REDUCE */

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

static sinter__reg declare(lowering *l, uint8_t dtype, bool vector, bool array)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_ZERO);
    s.reg = sinter__reg_new(l, dtype, vector);
    if (l->code->status == SINTER_OK)
        l->code->regs[s.reg].is_array = array;
    s.dtype = dtype;
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
static void chunk_step(lowering *l, line *at, sinter__ix r, sinter__ix start, sinter__ix length,
                       sinter__reg acc)
{
    const sinter__value *v = find_reduce(l);
    bool array = sinter__reg_of(l, acc).is_array;
    at->decomposed = false;
    at->index = sinter__ix_name(l, sinter__ix_add(l, start, r));
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, length, r, 0);
    at->count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0));
    emit_values(l, at, true);
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

static void chunk(lowering *l)
{
    bool cpu = l->c->key.style == SINTER_STYLE_CPU;
    line at = {.first_axis = l->c->key.parallel_rank,
               .last_axis = l->c->key.parallel_rank + l->c->key.reduced_rank};
    find_varying(l, &at);
    const sinter__value *v = find_reduce(l);
    sinter__ix unit = cpu ? sinter__for_units(l)
                          : sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_GROUP_ID,
                                                               SINTER__NO_IX, SINTER__NO_IX, 0));
    sinter__ix lid = sinter__ix_make(l, SINTER__IX_LOCAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix row;
    sinter__ix part;
    sinter__ix_divide(l, unit, parts, &row, &part);
    set_bases(l, row, l->c->key.parallel_rank);
    emit_values(l, &at, false);
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_CHUNK);
    sinter__ix start = sinter__ix_name(l, sinter__ix_mul(l, part, size));
    sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix length = sinter__ix_make(l, SINTER__IX_SUB, reduced, start, 0);
    length = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, length, size, 0));
    sinter__reg acc = declare(l, accumulator_of(v), true, cpu);
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
    /* Nothing to reduce: zero, and for a mean 0 / 0. */
    if (l->c->key.empty != 0)
        tree.reg = declare(l, tree.dtype, false, false);
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

static void run(lowering *l)
{
    int axis = l->c->key.parallel_rank - 1;
    line at = {.first_axis = axis, .last_axis = axis + 1};
    find_varying(l, &at);
    const sinter__value *v = find_reduce(l);
    sinter__ix unit = sinter__for_units(l);
    run_place p = place_run(l, unit);
    set_bases(l, p.row, axis);
    sinter__ix bases[LOWER_MAX_ACCESSES] = {0};
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        bases[a] = l->base[a];
    sinter__ix size = sinter__ix_number(l, SINTER__TREE_RUN);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, p.part, size));
    sinter__ix reduced = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, size), reduced, 0);
    end = sinter__ix_name(l, end);
    sinter__reg acc = declare(l, accumulator_of(v), true, false);
    sinter__ix r = sinter__for(l, begin, end, sinter__ix_number(l, 1));
    add_reduced(l, r, bases);
    at.index = p.first;
    at.count = p.count;
    emit_values(l, &at, false);
    emit_values(l, &at, true);
    emit_fold(l, SINTER__DO_FOLD, v, acc, sinter__ix_make(l, SINTER__IX_EQUAL, r, begin, 0),
              SINTER__NO_IX, SINTER__NO_IX);
    sinter__end(l);
    uint16_t store = find_store(l);
    l->base[store] = bases[store];
    sinter__ix where;
    sinter__ix stride;
    sinter__mode mode = locate(l, &at, store, &where, &stride);
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
static void combine(lowering *l)
{
    const sinter__value *v = find_reduce(l);
    uint16_t store = find_store(l);
    sinter__ix unit = sinter__for_units(l);
    set_bases(l, unit, l->c->key.parallel_rank);
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

sinter_status sinter__lower(sinter__allocator *a, const sinter__nest *nest,
                            const sinter__kernel_class *c, sinter__code *out)
{
    *out = (sinter__code){.allocator = a};
    if (nest->access_count > LOWER_MAX_ACCESSES || nest->value_count > LOWER_MAX_VALUES)
        return sinter__fail(SINTER_EUNSUPPORTED, "a kernel has more than %d values",
                            LOWER_MAX_VALUES);
    lowering *l = sinter__alloc(a, sizeof *l);
    if (l == NULL)
        return SINTER_ENOMEM;
    *l = (lowering){.nest = nest, .c = c, .code = out};
    sinter__declare_arguments(l);
    switch ((sinter__loops)c->key.loops) {
    case SINTER__LOOPS_CHUNK:
        chunk(l);
        break;
    case SINTER__LOOPS_RUN:
        run(l);
        break;
    case SINTER__LOOPS_COMBINE:
        combine(l);
        break;
    case SINTER__LOOPS_TILE:
        sinter__lower_tile(l);
        break;
    default:
        if (c->key.style == SINTER_STYLE_CPU)
            map_cpu(l);
        else
            map_gpu(l);
        break;
    }
    sinter__free(a, l, sizeof *l);
    return out->status;
}
