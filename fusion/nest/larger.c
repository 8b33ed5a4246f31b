#include "fusion/nest/larger.h"

#include "fusion/nest/state.h"

static bool is_map(const sinter__value *v, sinter__op op)
{
    return v->kind == SINTER__VALUE_MAP && v->op == op;
}

static bool reads(const sinter__value *v, uint16_t value)
{
    bool any = false;
    for (int i = 0; i < v->source_count; i++)
        any |= v->source[i] == value;
    return any;
}

bool sinter__is_below_maximum(const sinter__nest *nest, uint16_t value)
{
    const sinter__value *v = &nest->values[value];
    if (!is_map(v, SINTER__OP_SUB))
        return false;
    const sinter__value *m = &nest->values[v->source[1]];
    return m->kind == SINTER__VALUE_REDUCE && m->op == SINTER__OP_MAX &&
           m->source[0] == v->source[0];
}

/* The first value of `op` over `source`, of this kind. */
static uint16_t find(const sinter__nest *nest, sinter__value_kind kind, sinter__op op,
                     uint16_t source)
{
    uint16_t i = 0;
    for (; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind == kind && v->op == op && v->source[0] == source)
            break;
    }
    return i;
}

/* Whether all that reads `value` is `a`, or `b`, or a MAP of `op` over it and `with`. */
static bool is_read_by(const sinter__nest *nest, uint16_t value, uint16_t a, uint16_t b,
                       sinter__op op, uint16_t with)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        bool is_result = is_map(v, op) && v->source[0] == value && v->source[1] == with;
        if (reads(v, value) && i != a && i != b && !is_result)
            return false;
    }
    return true;
}

/* Whether maximum `m` is only subtracted from what it is of, for a softmax or its logarithm. */
static bool only_shifts(const sinter__nest *nest, uint16_t m)
{
    const uint16_t none = nest->value_count;
    const uint16_t x = nest->values[m].source[0];
    uint16_t shifted = 0;
    while (shifted < none &&
           !(is_map(&nest->values[shifted], SINTER__OP_SUB) &&
             nest->values[shifted].source[0] == x && nest->values[shifted].source[1] == m))
        shifted++;
    uint16_t e = find(nest, SINTER__VALUE_MAP, SINTER__OP_EXP, shifted);
    uint16_t sum = find(nest, SINTER__VALUE_REDUCE, SINTER__OP_SUM, e);
    uint16_t log = find(nest, SINTER__VALUE_MAP, SINTER__OP_LOG, sum);
    return shifted < none && e < none && sum < none &&
           is_read_by(nest, m, shifted, shifted, SINTER__OP_NONE, none) &&
           is_read_by(nest, shifted, e, e, SINTER__OP_SUB, log) &&
           is_read_by(nest, e, sum, sum, SINTER__OP_DIV, sum);
}

bool sinter__takes_larger(const sinter__nest *nest)
{
    bool any = false;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind != SINTER__VALUE_REDUCE || sinter__state_of(v).first_op != SINTER__OP_MAX)
            continue;
        sinter__class c = sinter__class_of(v->dtype);
        bool is_float = c == SINTER__CLASS_F32 || c == SINTER__CLASS_F64;
        if (v->op != SINTER__OP_MAX || !is_float || !only_shifts(nest, i))
            return false;
        any = true;
    }
    return any;
}
