/* What every elementwise operation gives, computed wider than its dtype. */
#ifndef SINTER_TESTS_ORACLE_H
#define SINTER_TESTS_ORACLE_H

#include "core/op.h"
#include "oracle/wide.h"

/* What becomes of the dtype that the operands promote to. */
typedef enum oracle_accepts {
    ORACLE_ANY,        /* stays */
    ORACLE_NUMBERS,    /* bool is an error */
    ORACLE_NUMBERS_I8, /* bool becomes i8 */
    ORACLE_FLOATS,     /* integers and bool become f32 */
    ORACLE_TESTS,      /* stays; the result is bool */
    ORACLE_TRUTHS,     /* becomes bool */
    ORACLE_BITS,       /* floats are an error */
    ORACLE_SHIFTS,     /* and bool becomes i8 */
    ORACLE_SELECTED,   /* stays, for operands 2 and 3; the first becomes bool */
} oracle_accepts;

/* Errors that are no bounds: bit for bit. */
#define ORACLE_EXACT 0.0
#define ORACLE_STEPS (-1.0)

typedef struct oracle_row {
    const char *name;
    double error; /* bound on an f32 result in ulps; up to 0.5: bit for bit */
    quad (*f)(sinter_dtype dtype, quad x, quad y, quad z);
    whole (*i)(sinter_dtype dtype, whole x, whole y, whole z);
    sinter__op op;     /* SINTER__OP_NONE: not elementwise */
    int arity, params; /* operands, and scalars after them */
    oracle_accepts accepts;
} oracle_row;

/* By code; every row of the op table of kind MAP or COMPARE is there, or this does not compile. */
extern const oracle_row oracle_rows[SINTER__OP_END];

/* The bound on a result of `dtype`: that of f32 for f16 and bf16. */
double oracle_error(const oracle_row *row, sinter_dtype dtype);

/* The dtype worked in for a promoted dtype; false when it is refused. */
bool oracle_work(const oracle_row *row, sinter_dtype promoted, sinter_dtype *work);
sinter_dtype oracle_result_dtype(const oracle_row *row, sinter_dtype work);

/* The true result over operands of the dtype worked in (SELECTED: the first is bool). */
number oracle_value(const oracle_row *row, sinter_dtype work, const number x[3]);

/* The error of an f32 or f64 result in units of its last place; of lgamma, which has zeros that no
 * number is close to, in units of that of 1 where the result is below 1. */
double oracle_ulps(const oracle_row *row, sinter_dtype dtype, quad got, quad want);

/* Whether element `i` of a result is `want`: bit for bit, or within the row's bound. f16 and bf16
 * have to be what an f32 within the bound rounds to. */
bool oracle_agrees(const oracle_row *row, sinter_dtype dtype, const void *got, size_t i,
                   number want);

/* NumPy 2's promotion with f32 in the place of the f64 that integers lead to. */
sinter_dtype oracle_promote(sinter_dtype a, sinter_dtype b);

#endif /* SINTER_TESTS_ORACLE_H */
