/* Values along a line of elements: where each access lies, what differs from lane to lane.
 *
 * The one hard idea: every form is "units, then a line of vectors". A unit fixes some axes (a row,
 * a chunk, a run); the line is the rest, walked in vectors by one index. An access is, along the
 * line, constant (a uniform value, computed once per unit), contiguous or strided. Along a line of
 * several axes its place is found by division: once for a vector that lies in one run of the
 * innermost axis, else per lane. */
#include "fusion/lower/build.h"

#include "fusion/nest/larger.h"
#include "fusion/nest/phase.h"

#include <string.h>

static bool access_varies(const lowering *l, const sinter__line *at, uint16_t access)
{
    for (int i = at->first_axis; i < at->last_axis; i++) {
        if (sinter__class_stride(l->c, access, i) != SINTER__STRIDE_ZERO)
            return true;
    }
    return false;
}

bool sinter__has_columns(const lowering *l)
{
    return l->c->key.loops == SINTER__LOOPS_RUN ||
           (l->c->key.loops == SINTER__LOOPS_COMBINE && l->c->key.lanes > 1);
}

/* Which values differ from lane to lane. */
void sinter__find_varying(lowering *l, const sinter__line *at)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        bool varies = false;
        if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX)
            varies = access_varies(l, at, v->access);
        for (int k = 0; k < v->source_count && v->kind != SINTER__VALUE_REDUCE; k++)
            varies |= l->varies[v->source[k]];
        varies |= v->kind == SINTER__VALUE_SCAN;
        /* what is kept comes back as a vector */
        if (v->kind == SINTER__VALUE_MAP && v->kept != SINTER__NOT_KEPT)
            varies |= access_varies(l, at, l->nest->values[v->kept].access);
        if (v->kind == SINTER__VALUE_REDUCE)
            varies = sinter__has_columns(l) || l->c->key.loops == SINTER__LOOPS_TILE;
        l->varies[i] = varies;
    }
}

/* Whether each vector lies in one run of the innermost axis. */
static bool has_whole_runs(const lowering *l)
{
    return l->c->key.runs >= SINTER__RUNS_WHOLE;
}

/* Coordinates along each axis of the line: vectors, or those of the first lane where the others lie in the same run of
 * the innermost. */
static void decompose(lowering *l, sinter__line *at)
{
    if (at->decomposed)
        return;
    at->decomposed = true;
    sinter__ix rest = at->index;
    if (!has_whole_runs(l))
        rest = sinter__ix_make(l, SINTER__IX_LANE, rest, SINTER__NO_IX, 0);
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

/* The mode to go through a vector that lies along `axis` alone. */
static sinter__mode mode_along(lowering *l, uint16_t access, int axis, sinter__ix *stride)
{
    switch (sinter__class_stride(l->c, access, axis)) {
    case SINTER__STRIDE_ZERO:
        return SINTER__MODE_GUARDED;
    case SINTER__STRIDE_UNIT:
        return SINTER__MODE_UNIT;
    case SINTER__STRIDE_BACK:
        return SINTER__MODE_BACK;
    default:
        *stride = sinter__ix_stride(l, access, axis);
        return SINTER__MODE_STRIDED;
    }
}

/* Offset of `access` at the line's index, with the mode to go through it. `stride` for strided
 * ones. */
sinter__mode sinter__locate(lowering *l, sinter__line *at, uint16_t access, sinter__ix *offset,
                            sinter__ix *stride)
{
    *offset = l->base[access];
    *stride = SINTER__NO_IX;
    if (!access_varies(l, at, access))
        return SINTER__MODE_ONE;
    bool linear = at->use_linear && l->c->accesses[access].linear != 0;
    int axis = at->last_axis - 1;
    if (linear) {
        *offset = sinter__ix_add(l, *offset, at->index);
        return SINTER__MODE_UNIT;
    }
    if (at->last_axis - at->first_axis == 1) {
        sinter__ix along = sinter__ix_mul(l, at->index, sinter__ix_stride(l, access, axis));
        *offset = sinter__ix_add(l, *offset, along);
        return mode_along(l, access, axis, stride);
    }
    decompose(l, at);
    for (int i = at->first_axis; i < at->last_axis; i++)
        *offset = sinter__ix_add(
            l, *offset, sinter__ix_mul(l, at->coordinate[i], sinter__ix_stride(l, access, i)));
    sinter__ix behind = sinter__ix_number(l, at->behind);
    behind = sinter__ix_mul(l, behind, sinter__ix_stride(l, access, axis));
    *offset = sinter__ix_add(l, *offset, behind);
    if (has_whole_runs(l))
        return mode_along(l, access, axis, stride);
    bool pieces = l->c->key.runs == SINTER__RUNS_LONG &&
                  sinter__class_stride(l->c, access, axis) == SINTER__STRIDE_UNIT;
    return pieces ? SINTER__MODE_PIECES : SINTER__MODE_GATHER;
}

/* The loop at hand, by the number of statements up to it; 0: none. */
static size_t innermost_loop(const lowering *l)
{
    size_t closed = 0;
    for (size_t i = l->code->statement_count; i > 0; i--) {
        sinter__statement_kind kind = (sinter__statement_kind)l->code->statements[i - 1].kind;
        bool opens = kind == SINTER__DO_FOR || kind == SINTER__DO_HALVE || kind == SINTER__DO_IF;
        if (opens && closed == 0 && kind == SINTER__DO_FOR)
            return i;
        closed -= opens && closed > 0;
        closed += kind == SINTER__DO_END;
    }
    return 0;
}

/* Bytes of a vector from which each is asked for: of shorter ones a line has many. */
#define LEAST_ASKED 32

/* Asks ahead for what the loads after `load` will load: in the first loop that has it, as any other
 * finds it in the caches, or is for what is left of a row. */
static void emit_ahead(lowering *l, const sinter__statement *load)
{
    sinter__statement s = *load;
    size_t bytes = l->c->key.lanes * sinter_dtype_bytes((sinter_dtype)s.dtype);
    if (l->c->accesses[s.access].ahead == 0 || s.mode != SINTER__MODE_UNIT || bytes < LEAST_ASKED)
        return;
    size_t loop = innermost_loop(l);
    if (l->asked[s.access] == 0)
        l->asked[s.access] = loop;
    s.kind = SINTER__DO_AHEAD;
    if (loop > 0 && l->asked[s.access] == loop)
        sinter__emit(l, &s);
}

/* `access`: its own, or that of the result that keeps it. */
static void emit_load(lowering *l, sinter__line *at, uint16_t value, uint16_t access)
{
    const sinter__value *v = &l->nest->values[value];
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    s.access = access;
    s.dtype = v->dtype;
    s.c = at->count;
    if (sinter__class_turns(l->c, access)) {
        s.kind = l->c->key.style == SINTER_STYLE_CPU ? SINTER__DO_TAKE : SINTER__DO_PICK;
        s.source[0] = l->block[access];
        s.a = l->block_place;
    } else if (l->c->accesses[access].period_axis != 0) {
        s.kind = SINTER__DO_WINDOW;
        s.source[0] = l->table[access];
        s.a = l->repeats[l->c->accesses[access].period_axis].phase;
    } else {
        s.mode = (uint8_t)sinter__locate(l, at, access, &s.a, &s.b);
    }
    if (v->kind == SINTER__VALUE_INDEX) {
        s.kind = SINTER__DO_INDEX;
        if (s.mode == SINTER__MODE_UNIT)
            s.b = sinter__ix_number(l, 1);
        else if (s.mode == SINTER__MODE_BACK)
            s.b = sinter__ix_number(l, -1);
        else if (s.mode == SINTER__MODE_GUARDED)
            s.b = sinter__ix_number(l, 0);
    }
    if (s.kind == SINTER__DO_LOAD)
        emit_ahead(l, &s);
    s.reg = l->reg[value] = sinter__reg_new(l, v->dtype, l->varies[value]);
    sinter__emit(l, &s);
}

/* Of the values that use `value`: how many, and one of them. */
static uint16_t count_users(const lowering *l, uint16_t value, uint16_t *user)
{
    uint16_t count = 0;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        for (int k = 0; k < v->source_count; k++) {
            if (v->source[k] == value) {
                count++;
                *user = i;
            }
        }
    }
    return count;
}

static bool is_stored(const lowering *l, uint16_t value)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind == SINTER__VALUE_STORE && v->source[0] == value)
            return true;
    }
    return false;
}

/* The operand of a sum or difference that becomes part of it, a product that nothing else uses, in no other phase; -1:
 * none does. */
static int contracted_operand(const lowering *l, uint16_t value)
{
    const sinter__value *sum = &l->nest->values[value];
    uint16_t user;
    if (l->c->key.relaxed != SINTER__RELAXED_CONTRACTED || sum->kind != SINTER__VALUE_MAP ||
        (sum->op != SINTER__OP_ADD && sum->op != SINTER__OP_SUB) ||
        !sinter__is_float((sinter_dtype)sum->work))
        return -1;
    for (int k = 0; k < 2; k++) {
        const sinter__value *product = &l->nest->values[sum->source[k]];
        if (product->kind == SINTER__VALUE_MAP && product->op == SINTER__OP_MUL &&
            product->work == sum->work && product->dtype == sum->work &&
            product->kept == SINTER__NOT_KEPT && l->varies[sum->source[k]] == l->varies[value] &&
            count_users(l, sum->source[k], &user) == 1)
            return k;
    }
    return -1;
}

bool sinter__is_contracted(const lowering *l, uint16_t value)
{
    uint16_t user = 0;
    if (l->c->key.relaxed != SINTER__RELAXED_CONTRACTED || count_users(l, value, &user) != 1)
        return false;
    int k = contracted_operand(l, user);
    return k >= 0 && l->nest->values[user].source[k] == value;
}

/* Whether rounding a MAP to its dtype would change nothing, or the mode leaves it out: its operation
 * is exact, or it is only stored and the store rounds (vstore_half_rte). */
static bool is_settled(const lowering *l, uint16_t value)
{
    const sinter__value *map = &l->nest->values[value];
    bool exact = sinter__op_info_of(map->op)->is_exact;
    bool same = map->work == map->dtype || map->op == SINTER__OP_WHERE; /* that of its operands */
    if (exact && same && sinter__is_float((sinter_dtype)map->dtype))
        return true;
    if (l->c->key.relaxed != SINTER__RELAXED_NOT &&
        (map->dtype == SINTER_F16 || (map->dtype == SINTER_BF16 && !is_stored(l, value))))
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

/* The register with the other sign. */
static sinter__reg negated(lowering *l, sinter__reg reg)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_MAP);
    sinter__reg_info info = sinter__reg_of(l, reg);
    s.op = SINTER__OP_NEG;
    s.dtype = s.work = info.dtype;
    s.is_settled = true;
    s.source[0] = reg;
    s.reg = sinter__reg_new(l, info.dtype, info.is_vector);
    sinter__emit(l, &s);
    return s.reg;
}

/* fma(a, b, c) for the sum a * b + c, its product being operand `k`. */
static void contract(lowering *l, const sinter__value *sum, int k, sinter__statement *s)
{
    const sinter__value *product = &l->nest->values[sum->source[k]];
    s->op = SINTER__OP_FMA;
    s->source[0] = l->reg[product->source[0]];
    s->source[1] = l->reg[product->source[1]];
    s->source[2] = l->reg[sum->source[1 - k]];
    if (sum->op == SINTER__OP_SUB)
        s->source[k == 0 ? 2 : 0] = negated(l, s->source[k == 0 ? 2 : 0]);
}

static void emit_map(lowering *l, uint16_t value)
{
    const sinter__value *v = &l->nest->values[value];
    sinter__statement s = sinter__statement_of(SINTER__DO_MAP);
    if (sinter__is_contracted(l, value))
        return;
    s.op = v->op;
    s.dtype = v->dtype;
    s.work = v->work;
    s.is_settled = is_settled(l, value);
    s.is_below = v->op == SINTER__OP_EXP && sinter__is_below_maximum(l->nest, v->source[0]);
    for (int k = 0; k < v->source_count; k++)
        s.source[k] = l->reg[v->source[k]];
    int product = contracted_operand(l, value);
    if (product >= 0)
        contract(l, v, product, &s);
    s.reg = l->reg[value] = sinter__reg_new(l, v->dtype, l->varies[value]);
    sinter__emit(l, &s);
}

void sinter__emit_put(lowering *l, sinter__line *at, uint16_t value)
{
    uint16_t access = l->nest->values[l->nest->values[value].kept].access;
    if (l->is_held[value] == LOWER_NOT_HELD)
        sinter__emit_store(l, at, access, l->reg[value]);
}

static void emit_value(lowering *l, sinter__line *at, uint16_t value)
{
    const sinter__value *v = &l->nest->values[value];
    if (l->is_held[value] == LOWER_IS_HELD) {
        l->reg[value] = sinter__array_take(l, l->held[value], l->held_place);
        return;
    }
    if (sinter__is_kept_for(v, l->loop))
        emit_load(l, at, value, l->nest->values[v->kept].access);
    else if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX)
        emit_load(l, at, value, v->access);
    else if (v->kind == SINTER__VALUE_MAP)
        emit_map(l, value);
    if (l->is_held[value] == LOWER_TO_HOLD)
        sinter__array_put(l, l->held[value], l->held_place, l->reg[value]);
}

void sinter__want_varying(lowering *l, bool varying)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->wanted[i] = l->varies[i] == varying;
}

void sinter__emit_values(lowering *l, sinter__line *at)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->wanted[i])
            emit_value(l, at, i);
    }
}

void sinter__emit_store(lowering *l, sinter__line *at, uint16_t access, sinter__reg reg)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_STORE);
    s.access = access;
    s.dtype = l->nest->accesses[access].dtype;
    s.mode = (uint8_t)sinter__locate(l, at, access, &s.a, &s.b);
    s.c = at->count;
    s.source[0] = reg;
    sinter__emit(l, &s);
}

void sinter__emit_stores(lowering *l, sinter__line *at)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        const sinter__value *v = &l->nest->values[i];
        if (v->kind == SINTER__VALUE_STORE)
            sinter__emit_store(l, at, v->access, l->reg[v->source[0]]);
    }
}

void sinter__emit_overlapped(lowering *l, sinter__line *lines, int count)
{
    for (int k = 1; k < count; k++) /* what is the same for all vectors */
        memcpy(l->regs[k], l->regs[0], sizeof l->regs[0]);
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        for (int k = 0; k < count && l->varies[i]; k++) {
            l->reg = l->regs[k];
            emit_value(l, &lines[k], i);
        }
    }
    for (int k = 0; k < count; k++) {
        l->reg = l->regs[k];
        sinter__emit_stores(l, &lines[k]);
    }
    l->reg = l->regs[0];
}

/* Whether the operations cost no more than `body` together, and `operation` each. */
static bool costs_within(const lowering *l, uint32_t body, uint32_t operation)
{
    uint32_t cost = 0;
    uint32_t most = 0;
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->nest->values[i].kind != SINTER__VALUE_MAP)
            continue;
        uint32_t one = sinter__op_info_of(l->nest->values[i].op)->cost;
        cost += one;
        most = SINTER__MAX(most, one);
    }
    return cost <= body && most <= operation;
}

bool sinter__is_short(const lowering *l)
{
    return costs_within(l, LOWER_SHORT_BODY, LOWER_SHORT_OPERATION);
}

bool sinter__is_bare(const lowering *l)
{
    return costs_within(l, LOWER_BARE_BODY, LOWER_BARE_BODY);
}

void sinter__set_bases(lowering *l, sinter__ix row, int last)
{
    sinter__set_bases_except(l, row, last, -1);
}

void sinter__set_bases_except(lowering *l, sinter__ix row, int last, int except)
{
    sinter__ix coordinate[SINTER__NEST_RANK];
    int first = except == 0 ? 1 : 0;
    for (int i = last - 1; i >= first; i--) {
        if (i == except)
            continue;
        if (i == first) {
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
        for (int i = 0; i < last; i++) {
            if (i != except)
                l->base[a] = sinter__ix_add(
                    l, l->base[a], sinter__ix_mul(l, coordinate[i], sinter__ix_stride(l, a, i)));
        }
        l->base[a] = sinter__ix_name(l, l->base[a]);
    }
}
