#include "fusion/nest/state.h"

sinter_dtype sinter__accumulator(sinter_dtype result)
{
    switch ((sinter__class)sinter__dtype(result)->class_) {
    case SINTER__CLASS_F32:
        return SINTER_F32;
    case SINTER__CLASS_S32:
        return SINTER_I32;
    case SINTER__CLASS_U32:
        return SINTER_U32;
    default:
        return result;
    }
}

bool sinter__has_state(const sinter__value *v)
{
    return v->kind == SINTER__VALUE_REDUCE && sinter__op_info_of(v->op)->kind == SINTER__KIND_STATE;
}

bool sinter__has_states(const sinter__nest *nest, uint8_t first, uint8_t last)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (sinter__has_state(v) && v->phase > first && v->phase <= last + 1)
            return true;
    }
    return false;
}

sinter__state sinter__state_of(const sinter__value *v)
{
    const uint8_t x = (uint8_t)sinter__accumulator((sinter_dtype)v->work);
    const uint8_t result = (uint8_t)sinter__accumulator((sinter_dtype)v->dtype);
    if (!sinter__has_state(v))
        return (sinter__state){.count = 1, .dtype = {result}, .first_op = v->op};
    if (sinter__op_info_of(v->op)->rule == SINTER__RULE_POSITION) {
        return (sinter__state){.kind = SINTER__STATE_PLACE,
                               .count = 2,
                               .dtype = {x, SINTER_I64},
                               .first_op =
                                   v->op == SINTER__OP_ARGMAX ? SINTER__OP_MAX : SINTER__OP_MIN,
                               .terms = 1,
                               .term_op = SINTER__OP_MIN,
                               .term_dtype = SINTER_U32};
    }
    return (sinter__state){.kind = SINTER__STATE_SPREAD,
                           .count = 4,
                           .dtype = {result, result, result, result},
                           .first_op = SINTER__OP_SUM,
                           .terms = 2,
                           .term_op = SINTER__OP_SUM,
                           .term_dtype = result};
}
