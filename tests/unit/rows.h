/* What the tests of accuracy share: what is asked of them, pairs to try, and rows to print. */
#ifndef SINTER_TESTS_ROWS_H
#define SINTER_TESTS_ROWS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/numbers.h"

#include "oracle/oracle.h"

/* SINTER_SAMPLES, or else so many. */
static inline long samples(long otherwise)
{
    const char *text = getenv("SINTER_SAMPLES");
    return text != NULL ? strtol(text, NULL, 10) : otherwise;
}

/* SINTER_TEST_FUNCTION=name leaves the others out. */
static inline bool is_wanted(const oracle_row *row)
{
    const char *only = getenv("SINTER_TEST_FUNCTION");
    return only == NULL || strcmp(only, row->name) == 0;
}

/* In [0, 1). */
static inline double random_part(void)
{
    return (double)(random_bits() >> 11) * 0x1p-53;
}

typedef struct largest {
    double error;
    double at[2]; /* the operands */
} largest;

static inline void meet(largest *w, double error, double x, double y)
{
    if (error > w->error)
        *w = (largest){error, {x, y}};
}

/* Two operands of any bits are left so, or, three times in four, made such that the result depends on
 * both and is in range: a power below 2^range, of numbers of so many digits. */
static inline void relate(sinter__op op, long i, int digits, double range, double *x, double *y)
{
    if (i % 4 == 0)
        return;
    if (op == SINTER__OP_POW) { /* y = z / log2(x), |z| < range, x near 1 half of the time */
        int near = (int)(random_bits() % (unsigned)digits);
        *x = i % 4 == 1 ? *x : 1 + ldexp(random_part() - 0.5, -near);
        *y = (random_part() * 2 - 1) * range / log2(fabs(*x));
    } else if (op == SINTER__OP_ELU) {
        *x = i % 4 == 1 ? *x : ldexp(-random_part(), (int)(random_bits() % 16) - 10);
        *y = i % 4 == 3 ? *y : random_part() * 4 - 2;
    } else {
        *x = i % 4 == 1 ? *x : random_part() * 4 - 2;
        *y = *x * ldexp(random_part() * 2 - 1, (int)(random_bits() % 8));
    }
}

/* Whether the bound is kept. The row is printed where it is not, and where SINTER_SAMPLES is set. */
static inline bool is_kept(const oracle_row *row, sinter_dtype dtype, const largest *w,
                           int operands, long tried)
{
    double bound = oracle_error(row, dtype);
    if (getenv("SINTER_SAMPLES") != NULL || !(w->error <= bound)) {
        int digits = dtype == SINTER_F64 ? 17 : 9;
        printf("| `%s` | %s | %g | %.4f | %.*g", row->name, sinter_dtype_name(dtype), bound,
               w->error, digits, w->at[0]);
        if (operands > 1)
            printf(", %.*g", digits, w->at[1]);
        printf(" | %ld samples |\n", tried);
    }
    return w->error <= bound;
}

#endif /* SINTER_TESTS_ROWS_H */
