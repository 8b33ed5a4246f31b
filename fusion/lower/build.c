#include "fusion/lower/build.h"

static bool has_room(lowering *l, void **array, size_t *capacity, size_t count, size_t bytes)
{
    if (l->code->status != SINTER_OK)
        return false;
    if (count >= UINT16_MAX - 1) {
        l->code->status = sinter__fail(SINTER_EUNSUPPORTED, "a kernel is too large to lower");
        return false;
    }
    l->code->status = sinter__grow(l->code->allocator, array, capacity, count + 1, bytes);
    return l->code->status == SINTER_OK;
}

void sinter__code_finish(sinter__code *code)
{
    sinter__allocator *a = code->allocator;
    sinter__free(a, code->ix, code->ix_capacity * sizeof *code->ix);
    sinter__free(a, code->params, code->param_capacity * sizeof *code->params);
    sinter__free(a, code->regs, code->reg_capacity * sizeof *code->regs);
    sinter__free(a, code->statements, code->statement_capacity * sizeof *code->statements);
    *code = (sinter__code){.allocator = a};
}

static bool is_vector(const lowering *l, sinter__ix a)
{
    return a != SINTER__NO_IX && a < l->code->ix_count && l->code->ix[a].is_vector;
}

sinter__ix sinter__ix_make(lowering *l, sinter__ix_op op, sinter__ix a, sinter__ix b, int32_t value)
{
    sinter__code *code = l->code;
    sinter__ix_node node = {.op = (uint8_t)op, .a = a, .b = b, .value = value};
    node.is_vector = op == SINTER__IX_LANE || is_vector(l, a) || is_vector(l, b);
    void *array = code->ix;
    bool room = has_room(l, &array, &code->ix_capacity, code->ix_count, sizeof node);
    code->ix = array;
    if (!room)
        return 0;
    code->ix[code->ix_count] = node;
    return (sinter__ix)code->ix_count++;
}

sinter__ix sinter__ix_number(lowering *l, int32_t value)
{
    return sinter__ix_make(l, SINTER__IX_NUMBER, SINTER__NO_IX, SINTER__NO_IX, value);
}

static bool is_number(const lowering *l, sinter__ix a, int32_t value)
{
    return a < l->code->ix_count && l->code->ix[a].op == SINTER__IX_NUMBER &&
           l->code->ix[a].value == value;
}

sinter__ix sinter__ix_add(lowering *l, sinter__ix a, sinter__ix b)
{
    if (is_number(l, a, 0))
        return b;
    if (is_number(l, b, 0))
        return a;
    return sinter__ix_make(l, SINTER__IX_ADD, a, b, 0);
}

sinter__ix sinter__ix_mul(lowering *l, sinter__ix a, sinter__ix b)
{
    if (is_number(l, a, 0) || is_number(l, b, 1))
        return a;
    if (is_number(l, b, 0) || is_number(l, a, 1))
        return b;
    return sinter__ix_make(l, SINTER__IX_MUL, a, b, 0);
}

int32_t sinter__param_of(lowering *l, sinter__param_kind kind, int axis, uint16_t access)
{
    sinter__code *code = l->code;
    for (size_t i = 0; i < code->param_count; i++) {
        const sinter__param *p = &code->params[i];
        if (p->kind == kind && p->axis == axis && p->access == access)
            return (int32_t)i;
    }
    void *array = code->params;
    bool room = has_room(l, &array, &code->param_capacity, code->param_count, sizeof *code->params);
    code->params = array;
    if (!room)
        return 0;
    code->params[code->param_count] =
        (sinter__param){.kind = (uint8_t)kind, .axis = (uint8_t)axis, .access = access};
    return (int32_t)code->param_count++;
}

sinter__ix sinter__ix_param(lowering *l, sinter__param_kind kind, int axis, uint16_t access)
{
    int32_t param = sinter__param_of(l, kind, axis, access);
    return sinter__ix_make(l, SINTER__IX_PARAM, SINTER__NO_IX, SINTER__NO_IX, param);
}

sinter__ix sinter__ix_stride(lowering *l, uint16_t access, int axis)
{
    switch (sinter__class_stride(l->c, access, axis)) {
    case SINTER__STRIDE_ZERO:
        return sinter__ix_number(l, 0);
    case SINTER__STRIDE_UNIT:
        return sinter__ix_number(l, 1);
    case SINTER__STRIDE_BACK:
        return sinter__ix_number(l, -1);
    default:
        return sinter__ix_param(l, SINTER__PARAM_STRIDE, axis, access);
    }
}

static sinter__ix new_variable(lowering *l, bool vector)
{
    uint16_t number = l->code->variable_count++;
    sinter__ix ix = sinter__ix_make(l, SINTER__IX_VARIABLE, SINTER__NO_IX, SINTER__NO_IX, number);
    if (l->code->status == SINTER_OK)
        l->code->ix[ix].is_vector = vector;
    return ix;
}

sinter__ix sinter__ix_name(lowering *l, sinter__ix a)
{
    if (a >= l->code->ix_count || l->code->ix[a].op <= SINTER__IX_PARAM)
        return a;
    sinter__statement s = sinter__statement_of(SINTER__DO_INT);
    sinter__ix name = new_variable(l, l->code->ix[a].is_vector);
    s.reg = (sinter__reg)(l->code->variable_count - 1);
    s.a = a;
    sinter__emit(l, &s);
    return name;
}

sinter__ix sinter__ix_local(lowering *l, int dimension)
{
    return sinter__ix_make(l, SINTER__IX_LOCAL_ID, SINTER__NO_IX, SINTER__NO_IX, dimension);
}

sinter__ix sinter__ix_is_zero(lowering *l, sinter__ix a)
{
    return sinter__ix_make(l, SINTER__IX_EQUAL, a, sinter__ix_number(l, 0), 0);
}

sinter__ix sinter__ix_vectors(lowering *l, sinter__ix count)
{
    int32_t lanes = l->c->key.lanes;
    sinter__ix more = sinter__ix_add(l, count, sinter__ix_number(l, lanes - 1));
    sinter__ix vectors = sinter__ix_make(l, SINTER__IX_DIV, more, sinter__ix_number(l, lanes), 0);
    return sinter__ix_name(l, vectors);
}

void sinter__place_beside(lowering *l, sinter__beside *b, sinter__ix block, sinter__ix limit)
{
    sinter__ix each = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    b->columns = sinter__ix_name(l, sinter__ix_mul(l, block, each));
    sinter__ix end = sinter__ix_stop(l, b->columns, each, limit);
    sinter__ix count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, end, b->columns, 0));
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    b->full = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_DIV, count, lanes, 0));
    b->vectors = sinter__ix_vectors(l, count);
}

sinter__ix sinter__for_beside(lowering *l, sinter__beside *b, sinter__ix begin, sinter__ix end)
{
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    b->vector = sinter__for(l, begin, end, sinter__ix_number(l, 1));
    return sinter__ix_add(l, b->columns, sinter__ix_mul(l, b->vector, lanes));
}

sinter__ix sinter__ix_stop(lowering *l, sinter__ix begin, sinter__ix step, sinter__ix limit)
{
    sinter__ix end = sinter__ix_add(l, begin, step);
    return sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, end, limit, 0));
}

sinter__ix sinter__ix_lanes(lowering *l, sinter__ix first, sinter__ix end)
{
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, end, first, 0);
    return sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0));
}

sinter__ix sinter__ix_lanes_inside(lowering *l, sinter__ix first, sinter__ix end)
{
    return l->c->key.lanes == 1 ? SINTER__NO_IX : sinter__ix_lanes(l, first, end);
}

void sinter__ix_divide(lowering *l, sinter__ix a, sinter__ix b, sinter__ix *quotient,
                       sinter__ix *remainder)
{
    a = sinter__ix_name(l, a);
    *quotient = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_DIV, a, b, 0));
    sinter__ix back = sinter__ix_mul(l, *quotient, b);
    *remainder = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, a, back, 0));
}

sinter__reg sinter__reg_new(lowering *l, uint8_t dtype, bool vector)
{
    sinter__code *code = l->code;
    void *array = code->regs;
    bool room = has_room(l, &array, &code->reg_capacity, code->reg_count, sizeof *code->regs);
    code->regs = array;
    if (!room)
        return 0;
    code->regs[code->reg_count] = (sinter__reg_info){.dtype = dtype, .is_vector = vector};
    return (sinter__reg)code->reg_count++;
}

sinter__reg_info sinter__reg_of(const lowering *l, sinter__reg reg)
{
    return reg < l->code->reg_count ? l->code->regs[reg] : (sinter__reg_info){0};
}

sinter__statement sinter__statement_of(sinter__statement_kind kind)
{
    return (sinter__statement){
        .kind = (uint8_t)kind,
        .a = SINTER__NO_IX,
        .b = SINTER__NO_IX,
        .c = SINTER__NO_IX,
        .count = SINTER__NO_IX,
    };
}

void sinter__emit(lowering *l, const sinter__statement *s)
{
    sinter__code *code = l->code;
    void *array = code->statements;
    bool room = has_room(l, &array, &code->statement_capacity, code->statement_count, sizeof *s);
    code->statements = array;
    if (room)
        code->statements[code->statement_count++] = *s;
}

void sinter__barrier(lowering *l, sinter__statement_kind kind)
{
    sinter__statement s = sinter__statement_of(kind);
    sinter__emit(l, &s);
}

static sinter__reg new_array(lowering *l, uint8_t dtype, bool is_vector, bool is_local,
                             int32_t count)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_ARRAY);
    s.reg = sinter__reg_new(l, dtype, is_vector);
    s.a = sinter__ix_number(l, count);
    if (l->code->status == SINTER_OK) {
        l->code->regs[s.reg].is_array = true;
        l->code->regs[s.reg].is_local = is_local;
    }
    sinter__emit(l, &s);
    return s.reg;
}

sinter__reg sinter__array_new(lowering *l, uint8_t dtype, int32_t vectors)
{
    return new_array(l, dtype, true, false, vectors);
}

sinter__reg sinter__local_new(lowering *l, uint8_t dtype, bool is_vector, int32_t count)
{
    return new_array(l, dtype, is_vector, true, count);
}

void sinter__array_put(lowering *l, sinter__reg array, sinter__ix at, sinter__reg reg)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_PUT);
    s.reg = array;
    s.a = at;
    s.source[0] = reg;
    sinter__emit(l, &s);
}

static sinter__reg take(lowering *l, sinter__reg array, bool is_vector, sinter__ix at)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_TAKE);
    s.reg = sinter__reg_new(l, sinter__reg_of(l, array).dtype, is_vector);
    s.a = at;
    s.source[0] = array;
    sinter__emit(l, &s);
    return s.reg;
}

sinter__reg sinter__array_take(lowering *l, sinter__reg array, sinter__ix at)
{
    return take(l, array, true, at);
}

sinter__reg sinter__array_element(lowering *l, sinter__reg array, sinter__ix at)
{
    return take(l, array, false, at);
}

static sinter__ix loop(lowering *l, sinter__ix begin, sinter__ix end, sinter__ix step,
                       bool written_out)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_FOR);
    sinter__ix variable = new_variable(l, false);
    s.reg = (sinter__reg)(l->code->variable_count - 1);
    s.a = begin;
    s.b = end;
    s.c = step;
    s.written_out = written_out;
    sinter__emit(l, &s);
    return variable;
}

sinter__ix sinter__for(lowering *l, sinter__ix begin, sinter__ix end, sinter__ix step)
{
    return loop(l, begin, end, step, false);
}

sinter__ix sinter__for_each(lowering *l, sinter__ix count)
{
    return loop(l, sinter__ix_number(l, 0), count, sinter__ix_number(l, 1), true);
}

sinter__ix sinter__halve(lowering *l, int32_t from)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_HALVE);
    sinter__ix variable = new_variable(l, false);
    s.reg = (sinter__reg)(l->code->variable_count - 1);
    s.a = sinter__ix_number(l, from);
    sinter__emit(l, &s);
    return variable;
}

static void emit_if(lowering *l, sinter__ix condition, sinter__odds odds)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_IF);
    s.a = condition;
    s.odds = (uint8_t)odds;
    sinter__emit(l, &s);
}

void sinter__if(lowering *l, sinter__ix condition)
{
    emit_if(l, condition, SINTER__EVEN);
}

void sinter__if_rarely(lowering *l, sinter__ix condition)
{
    emit_if(l, condition, SINTER__RARELY);
}

void sinter__unless(lowering *l, sinter__ix condition)
{
    emit_if(l, condition, SINTER__MOSTLY);
}

void sinter__end(lowering *l)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_END);
    sinter__emit(l, &s);
}

sinter__ix sinter__for_units(lowering *l)
{
    sinter__ix id = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix each = sinter__ix_param(l, SINTER__PARAM_UNITS_PER_ITEM, 0, 0);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, id, each));
    sinter__ix units = sinter__ix_param(l, SINTER__PARAM_UNITS, 0, 0);
    return sinter__for(l, begin, sinter__ix_stop(l, begin, each, units), sinter__ix_number(l, 1));
}

void sinter__use_scratch(lowering *l, uint16_t region, uint8_t dtype)
{
    l->code->scratch_used = (uint16_t)(l->code->scratch_used | 1u << region);
    l->code->scratch_dtype[region] = dtype;
    if (region > 0)
        (void)sinter__param_of(l, SINTER__PARAM_REGION, 0, 0);
}

void sinter__declare_arguments(lowering *l)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->nest->values[i].kind != SINTER__VALUE_ARG)
            continue;
        l->reg[i] = sinter__reg_new(l, l->nest->values[i].dtype, false);
        if (l->code->status != SINTER_OK)
            return;
        l->code->regs[l->reg[i]].is_argument = true;
        l->code->regs[l->reg[i]].value = l->code->scalar_count++;
    }
}
