/* Lowering of reductions with a state: the terms of the second pass, and what becomes of their sums
 * (fusion/nest/state.h says what they are). */
#include "fusion/lower/build.h"

#include "fusion/nest/tree.h"

/* A MAP that is no value of the nest; its operands are held in `work`. */
static sinter__reg map(lowering *l, sinter__op op, uint8_t work, uint8_t dtype, bool vector,
                       const sinter__reg operands[SINTER__MAX_OPERANDS])
{
    sinter__statement s = sinter__statement_of(SINTER__DO_MAP);
    s.op = (uint8_t)op;
    s.work = work;
    s.dtype = dtype;
    s.is_settled = true;
    for (int k = 0; k < SINTER__MAX_OPERANDS; k++)
        s.source[k] = operands[k];
    s.reg = sinter__reg_new(l, dtype, vector);
    sinter__emit(l, &s);
    return s.reg;
}

static sinter__reg map1(lowering *l, sinter__op op, uint8_t work, uint8_t dtype, bool vector,
                        sinter__reg a)
{
    return map(l, op, work, dtype, vector, (const sinter__reg[]){a, a, a});
}

static sinter__reg map2(lowering *l, sinter__op op, uint8_t work, uint8_t dtype, bool vector,
                        sinter__reg a, sinter__reg b)
{
    return map(l, op, work, dtype, vector, (const sinter__reg[]){a, b, b});
}

/* An index as a register: of a vector, those of its lanes. */
static sinter__reg index_reg(lowering *l, uint8_t dtype, sinter__ix ix, bool vector)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_INDEX);
    s.dtype = dtype;
    s.mode = vector ? SINTER__MODE_UNIT : SINTER__MODE_ONE;
    s.a = ix;
    s.b = sinter__ix_number(l, 1);
    s.reg = sinter__reg_new(l, dtype, vector);
    sinter__emit(l, &s);
    return s.reg;
}

sinter__reg sinter__emit_mean(lowering *l, uint8_t dtype, sinter__reg sum, sinter__ix count)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_MEAN);
    s.source[0] = sum;
    s.dtype = dtype;
    s.a = count;
    s.reg = sinter__reg_new(l, dtype, sinter__reg_of(l, sum).is_vector);
    sinter__emit(l, &s);
    return s.reg;
}

sinter__reg sinter__emit_first(lowering *l, const sinter__state *state, sinter__reg total,
                               sinter__ix length)
{
    return state->kind == SINTER__STATE_SPREAD
               ? sinter__emit_mean(l, state->dtype[0], total, length)
               : total;
}

static sinter__reg place_term(lowering *l, const sinter__value *v, sinter__reg x, sinter__reg first,
                              const sinter__places *at)
{
    sinter__reg found = map2(l, SINTER__OP_EQ, v->work, SINTER_BOOL, true, x, first);
    if (sinter__is_float((sinter_dtype)v->work)) {
        sinter__reg nan = map1(l, SINTER__OP_ISNAN, v->work, SINTER_BOOL, true, x);
        found = map2(l, SINTER__OP_LOGICAL_OR, SINTER_BOOL, SINTER_BOOL, true, found, nan);
    }
    sinter__reg place = index_reg(l, SINTER_U32, at->first, at->along);
    sinter__reg none = index_reg(l, SINTER_U32, sinter__ix_number(l, SINTER__TREE_CHUNK), false);
    return map(l, SINTER__OP_WHERE, SINTER_U32, SINTER_U32, true,
               (const sinter__reg[]){found, place, none});
}

void sinter__emit_terms(lowering *l, uint16_t value, sinter__reg first, const sinter__places *at,
                        sinter__reg terms[SINTER__STATE_TERMS])
{
    const sinter__value *v = &l->nest->values[value];
    sinter__state state = sinter__state_of(v);
    sinter__reg x = l->reg[v->source[0]];
    if (state.kind == SINTER__STATE_PLACE) {
        terms[0] = place_term(l, v, x, first, at);
        return;
    }
    const uint8_t dtype = state.term_dtype;
    terms[0] = map2(l, SINTER__OP_SUB, dtype, dtype, true, x, first);
    terms[1] = map2(l, SINTER__OP_MUL, dtype, dtype, true, terms[0], terms[0]);
}

/* The place among all that are reduced, of one within a part. */
static sinter__reg place_of(lowering *l, sinter__reg within, sinter__ix start)
{
    bool vector = sinter__reg_of(l, within).is_vector;
    sinter__reg place = map1(l, SINTER__OP_CAST, SINTER_U32, SINTER_I64, vector, within);
    if (start == SINTER__NO_IX)
        return place;
    sinter__reg before = index_reg(l, SINTER_I64, start, false);
    return map2(l, SINTER__OP_ADD, SINTER_I64, SINTER_I64, vector, place, before);
}

void sinter__emit_state(lowering *l, uint16_t value, sinter__reg first, const sinter__reg *sums,
                        sinter__ix start, sinter__ix length,
                        sinter__reg numbers[SINTER__STATE_NUMBERS])
{
    sinter__state state = sinter__state_of(&l->nest->values[value]);
    const uint8_t dtype = state.dtype[0];
    bool vector = sinter__reg_of(l, sums[0]).is_vector;
    numbers[0] = first;
    if (state.kind == SINTER__STATE_PLACE) {
        numbers[1] = place_of(l, sums[0], start);
        return;
    }
    if (start != SINTER__NO_IX) {
        sinter__reg count = index_reg(l, SINTER_U32, length, false);
        numbers[0] = map1(l, SINTER__OP_CAST, SINTER_U32, dtype, false, count);
    }
    numbers[1] = first;
    numbers[2] = sinter__emit_mean(l, dtype, sums[0], length);
    sinter__reg moved = map2(l, SINTER__OP_MUL, dtype, dtype, vector, sums[0], numbers[2]);
    sinter__reg squares = map2(l, SINTER__OP_SUB, dtype, dtype, vector, sums[1], moved);
    numbers[3] = map1(l, SINTER__OP_RELU, dtype, dtype, vector, squares);
}
