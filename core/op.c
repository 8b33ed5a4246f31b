#include "core/op.h"

#include <stddef.h>
#include <string.h>

#define NONE ""
#define EXPR(...) #__VA_ARGS__
#define F32_ONLY SINTER__F32_ONLY
#define FROM_1 SINTER__FROM_1
#define NONEMPTY SINTER__NONEMPTY
/* The column of errors, as far as it matters here. */
#define EXACT 0
#define ROUNDED 1
#define STEPS 1
#define WITHIN(f32, f64) 1

/* The expressions are one object, and rows hold where theirs begin: a table of pointers is fixed up
 * by the loader in every process, at four times the bytes. */
static const struct expressions {
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, ERROR, F, S, U, B,       \
                  MEANING)                                                                         \
    char ID##_f[sizeof(F)];                                                                        \
    char ID##_s[sizeof(S)];                                                                        \
    char ID##_u[sizeof(U)];                                                                        \
    char ID##_b[sizeof(B)];
#include "core/ops.def"
#undef SINTER_OP
} expressions = {
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, ERROR, F, S, U, B,       \
                  MEANING)                                                                         \
    F, S, U, B,
#include "core/ops.def"
#undef SINTER_OP
};
_Static_assert(sizeof expressions <= UINT16_MAX, "offsets of expressions are 16 bits");

const sinter__op_info sinter__ops[SINTER__OP_END] = {
/* clang-format off */
#define BEGINS(member) ((uint16_t)offsetof(struct expressions, member))
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, ERROR, F, S, U, B, MEANING)     \
    [CODE] = {.name = #NAME,                                                                       \
              .expression = {BEGINS(ID##_f), BEGINS(ID##_s), BEGINS(ID##_u), BEGINS(ID##_b)},      \
              .kind = SINTER__KIND_##KIND, .arity = (ARITY), .params = (PARAMS),                   \
              .rule = SINTER__RULE_##RULE, .flags = (FLAGS), .cost = (COST),                    \
              .is_exact = (ERROR) == EXACT},
/* clang-format on */
#include "core/ops.def"
#undef SINTER_OP
};

/* A code used twice does not compile. */
enum {
#define SINTER_OP(ID, CODE, ...) CODE_IS_TAKEN_##CODE,
#include "core/ops.def"
#undef SINTER_OP
};

#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, ...)                                        \
    _Static_assert((CODE) > 0 && (CODE) < SINTER__OP_END, "code of " #NAME);                       \
    _Static_assert(sizeof #NAME <= sizeof sinter__ops[0].name, "name " #NAME);                     \
    _Static_assert((ARITY) + (PARAMS) <= (SINTER__KIND_##KIND == SINTER__KIND_COMPOSITE            \
                                              ? SINTER__MAX_GIVEN                                  \
                                              : SINTER__MAX_OPERANDS),                             \
                   "operands of " #NAME);
#include "core/ops.def"
#undef SINTER_OP

const char *sinter__op_expression(const sinter__op_info *info, sinter__column column)
{
    const char *text = (const char *)&expressions + info->expression[column];
    return *text != '\0' ? text : NULL;
}

sinter__op sinter__op_from_name(const char *name, size_t bytes)
{
    for (unsigned i = 0; i < SINTER__OP_END; i++) {
        if (bytes > 0 && strlen(sinter__ops[i].name) == bytes &&
            memcmp(sinter__ops[i].name, name, bytes) == 0)
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
