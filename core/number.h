/* Numbers of a program's text, with Python's arithmetic: what stands between numbers alone is
 * computed on the host, before any dtype is chosen. */
#ifndef SINTER_CORE_NUMBER_H
#define SINTER_CORE_NUMBER_H

#include "core/op.h"

/* In the order of promotion: a larger kind wins. */
typedef enum sinter__number_kind {
    SINTER__NUMBER_BOOL,
    SINTER__NUMBER_INT,
    SINTER__NUMBER_FLOAT,
} sinter__number_kind;

/* A bool is SINTER_SCALAR_UINT 0 or 1; an integer SINTER_SCALAR_INT when it is negative, else
 * SINTER_SCALAR_UINT. */
typedef struct sinter__number {
    sinter__number_kind kind;
    sinter_scalar scalar;
} sinter__number;

sinter__number sinter__number_bool(bool value);
sinter__number sinter__number_int(int64_t value);
sinter__number sinter__number_uint(uint64_t value);
sinter__number sinter__number_float(double value);

/* Whether Python holds it for true: anything but a zero. */
bool sinter__number_truth(const sinter__number *a);

/* The nearest double. */
double sinter__number_double(const sinter__number *a);

/* An integer inside 64 bits with a sign; a bool is none. */
bool sinter__number_to_i64(const sinter__number *a, int64_t *out);

/* The kind's default dtype: bool, i64 (u64 for what only that holds), f32. */
sinter_dtype sinter__number_dtype(const sinter__number *a);

/* -1, 0 or 1, exact between integers and floats; 2 when either is NaN. */
int sinter__number_compare(const sinter__number *a, const sinter__number *b);

/* op a: NEG, BIT_NOT, or SINTER__OP_NONE for the unary plus. SINTER_ERANGE where Python raises or
 * leaves 64 bits, SINTER_EDTYPE where it raises a TypeError. */
sinter_status sinter__number_unary(sinter__op op, const sinter__number *a, sinter__number *out);

/* a op b, op being that of an infix operator. Errors as above. */
sinter_status sinter__number_binary(sinter__op op, const sinter__number *a, const sinter__number *b,
                                    sinter__number *out);

/* ceil((stop - start) / step), at least 0: the length of arange. SINTER_ERANGE when there is none.
 */
sinter_status sinter__number_steps(const sinter__number *start, const sinter__number *stop,
                                   const sinter__number *step, int64_t *out);

/* The number as `dtype`, as the cast operation converts: integers wrap, floats go to integers by
 * truncation and saturation, NaN gives 0. */
sinter_scalar sinter__number_cast(const sinter__number *a, sinter_dtype dtype);

#endif /* SINTER_CORE_NUMBER_H */
