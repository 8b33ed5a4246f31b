/* Conversions between dtypes, as the functions of cl_kernels/convert.cl to call one after the
 * other. */
#ifndef SINTER_FUSION_LIBRARY_CAST_H
#define SINTER_FUSION_LIBRARY_CAST_H

#include "core/dtype.h"

/* A conversion is at most two calls; a NULL name is no call. To bool is a test against zero
 * instead. */
typedef struct sinter__cast {
    bool to_bool;
    const char *first;
    const char *second;
} sinter__cast;

sinter__cast sinter__cast_path(sinter_dtype from, sinter_dtype to);

/* The function that brings a computed value of `dtype` into its range again: rounds to f16 or bf16,
 * wraps narrow integers. NULL for the others. */
const char *sinter__settle(sinter_dtype dtype);

/* The function that turns an element's index, u64, into `dtype` before it settles; NULL for none.
 */
const char *sinter__index_cast(sinter_dtype dtype);

#endif /* SINTER_FUSION_LIBRARY_CAST_H */
