#include "core/op.h"

#include <string.h>

#define NONE NULL
#define EXPR(...) #__VA_ARGS__
#define F32_ONLY SINTER__F32_ONLY

static const sinter__op_info ops[SINTER__OP_END] = {
/* clang-format off */
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, F, S, U, B, MEANING)     \
    [CODE] = {.name = #NAME, .meaning = (MEANING), .expression = {F, S, U, B},                    \
              .kind = SINTER__KIND_##KIND, .arity = (ARITY), .params = (PARAMS),                   \
              .rule = SINTER__RULE_##RULE, .flags = (FLAGS), .cost = (COST)},
/* clang-format on */
#include "core/ops.def"
#undef SINTER_OP
};

/* A code used twice does not compile. */
static inline void codes_are_distinct(int code)
{
    switch (code) {
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, ...)                                        \
    case CODE:                                                                                     \
        _Static_assert((CODE) > 0 && (CODE) < SINTER__OP_END, "code of " #NAME);                   \
        _Static_assert((ARITY) + (PARAMS) <= SINTER__MAX_OPERANDS, "operands of " #NAME);          \
        break;
#include "core/ops.def"
#undef SINTER_OP
    default:
        break;
    }
}

const sinter__op_info *sinter__op_info_of(unsigned op)
{
    codes_are_distinct(0);
    return &ops[op];
}

sinter__op sinter__op_from_name(const char *name, size_t bytes)
{
    for (unsigned i = 0; i < SINTER__OP_END; i++) {
        if (ops[i].name != NULL && strlen(ops[i].name) == bytes &&
            memcmp(ops[i].name, name, bytes) == 0)
            return (sinter__op)i;
    }
    return SINTER__OP_NONE;
}

sinter__column sinter__column_of(sinter__class c)
{
    switch (c) {
    case SINTER__CLASS_F32:
    case SINTER__CLASS_F64:
        return SINTER__COLUMN_F;
    case SINTER__CLASS_S32:
    case SINTER__CLASS_S64:
        return SINTER__COLUMN_S;
    case SINTER__CLASS_U32:
    case SINTER__CLASS_U64:
        return SINTER__COLUMN_U;
    default:
        return SINTER__COLUMN_B;
    }
}
