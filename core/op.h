/* The op table as C sees it. */
#ifndef SINTER_CORE_OP_H
#define SINTER_CORE_OP_H

#include "core/dtype.h"

typedef enum sinter__kind {
    SINTER__KIND_NONE,
    SINTER__KIND_MAP,
    SINTER__KIND_COMPARE,
    SINTER__KIND_CAST,
    SINTER__KIND_FILL,
    SINTER__KIND_GENERATE,
    SINTER__KIND_RANDOM,
    SINTER__KIND_VIEW,
    SINTER__KIND_REDUCE,
    SINTER__KIND_SCAN,
    SINTER__KIND_STATE,
    SINTER__KIND_CONTRACT,
    SINTER__KIND_UPDATE,
    SINTER__KIND_COMPOSITE,
} sinter__kind;

/* How the dtypes of the operands become the dtype worked in; core/infer.c has the code. */
typedef enum sinter__rule {
    SINTER__RULE_NUMERIC_BOOL, /* promoted; any */
    SINTER__RULE_NUMERIC,      /* promoted; bool is an error */
    SINTER__RULE_NUMERIC_I8,   /* promoted; bool becomes i8 */
    SINTER__RULE_FLOATS,       /* promoted; integers and bool become f32 */
    SINTER__RULE_COMPARED,     /* promoted; the result is bool */
    SINTER__RULE_LOGICAL,      /* each becomes bool */
    SINTER__RULE_BITS,         /* promoted; floats are an error */
    SINTER__RULE_SHIFTS,       /* promoted; floats are an error, bool becomes i8 */
    SINTER__RULE_SELECT,       /* the first becomes bool, the others are promoted */
    SINTER__RULE_CONVERT,      /* the result's is an attribute */
    SINTER__RULE_MADE,         /* an attribute */
    SINTER__RULE_SAME,         /* the operand's */
    SINTER__RULE_SUMS,         /* small integers and bool become 64 bits */
    SINTER__RULE_POSITION,     /* promoted; the result is i64 */
    SINTER__RULE_FIRST,        /* the first's; the others are converted to it */
} sinter__rule;

typedef enum sinter__op {
    SINTER__OP_NONE = 0,
#define SINTER_OP(id, code, ...) SINTER__OP_##id = (code),
#include "core/ops.def"
#undef SINTER_OP
    SINTER__OP_END = 176 /* every code is below */
} sinter__op;

/* Columns F S U B of the table. */
typedef enum sinter__column {
    SINTER__COLUMN_F,
    SINTER__COLUMN_S,
    SINTER__COLUMN_U,
    SINTER__COLUMN_B,
    SINTER__COLUMN_COUNT
} sinter__column;

/* Most operands, scalar parameters included. */
#define SINTER__MAX_OPERANDS 3
#define SINTER__MAX_GIVEN 4 /* of a composition */

/* Flags. */
#define SINTER__F32_ONLY (1u << 0)
#define SINTER__FROM_1 (1u << 1) /* a reduction or a scan that is 1 of no elements; others are 0 */
#define SINTER__NONEMPTY (1u << 2) /* one that refuses to be of no elements */

typedef struct sinter__op_info {
    char name[16];                             /* "": no operation has this code */
    uint16_t expression[SINTER__COLUMN_COUNT]; /* for sinter__op_expression */
    uint8_t kind;                              /* sinter__kind */
    uint8_t arity;
    uint8_t params;
    uint8_t rule; /* sinter__rule */
    uint8_t flags;
    uint8_t cost;
    bool is_exact; /* floats of a dtype give a value of it, and nothing is rounded */
} sinter__op_info;

extern const sinter__op_info sinter__ops[SINTER__OP_END];

/* `op` is any number below SINTER__OP_END. */
static inline const sinter__op_info *sinter__op_info_of(unsigned op)
{
    return &sinter__ops[op];
}

/* What an operation computes for a column; NULL where its rule never lets the class through. */
const char *sinter__op_expression(const sinter__op_info *info, sinter__column column);

/* The operation called `name` (`bytes` long), or SINTER__OP_NONE. */
sinter__op sinter__op_from_name(const char *name, size_t bytes);

/* Which column holds for registers of class `c`. */
sinter__column sinter__column_of(sinter__class c);

/* Whether nodes of this kind have one value per element, so that they can stand anywhere in a nest.
 */
static inline bool sinter__kind_is_elementwise(uint8_t kind)
{
    return kind >= SINTER__KIND_MAP && kind <= SINTER__KIND_RANDOM;
}

/* Whether nodes of this kind take axes away. */
static inline bool sinter__kind_reduces(uint8_t kind)
{
    return kind == SINTER__KIND_REDUCE || kind == SINTER__KIND_STATE;
}

#endif /* SINTER_CORE_OP_H */
