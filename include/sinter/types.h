/* Dtypes, tensor handles, scalars and symbols: the values that every other header passes around. */
#ifndef SINTER_TYPES_H
#define SINTER_TYPES_H

#include "sinter/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most axes a tensor can have. */
#define SINTER_MAX_RANK 8

/* One row per dtype: enum name, frozen number, text name, bytes of an element. */
/* clang-format off */
#define SINTER_DTYPE_MAP(X)                                                                        \
    X(BOOL,  0, "bool", 1)                                                                         \
    X(I8,    1, "i8",   1)                                                                         \
    X(U8,    2, "u8",   1)                                                                         \
    X(I16,   3, "i16",  2)                                                                         \
    X(U16,   4, "u16",  2)                                                                         \
    X(I32,   5, "i32",  4)                                                                         \
    X(U32,   6, "u32",  4)                                                                         \
    X(I64,   7, "i64",  8)                                                                         \
    X(U64,   8, "u64",  8)                                                                         \
    X(F16,   9, "f16",  2)                                                                         \
    X(BF16, 10, "bf16", 2)                                                                         \
    X(F32,  11, "f32",  4)                                                                         \
    X(F64,  12, "f64",  8)
/* clang-format on */

typedef enum sinter_dtype {
#define SINTER_DTYPE_ENUM(name, number, text, bytes) SINTER_##name = (number),
    SINTER_DTYPE_MAP(SINTER_DTYPE_ENUM)
#undef SINTER_DTYPE_ENUM
        SINTER_DTYPE_COUNT
} sinter_dtype;

typedef struct sinter_context sinter_context;
typedef struct sinter_stream sinter_stream;

/** A tensor handle: a 64-bit value that can be copied freely. 12 bits name the context, 24 a slot
 *  and 28 the slot's generation, so a stale, foreign or twice-released handle is an error and
 *  never undefined behaviour. The null handle is all zero. */
typedef struct sinter_tensor {
    uint64_t id;
} sinter_tensor;

/** A number with the exactness of its kind: a double, or a 64-bit integer. */
typedef enum sinter_scalar_kind {
    SINTER_SCALAR_FLOAT = 0,
    SINTER_SCALAR_INT = 1,
    SINTER_SCALAR_UINT = 2,
} sinter_scalar_kind;

typedef struct sinter_scalar {
    sinter_scalar_kind kind;
    union {
        double f;
        int64_t i;
        uint64_t u;
    } value;
} sinter_scalar;

/** The double `value` as a scalar.
 *  owns     returned by value.
 *  errors   none.
 *  thread   any. */
static inline sinter_scalar sinter_scalar_float(double value)
{
    sinter_scalar s;
    s.kind = SINTER_SCALAR_FLOAT;
    s.value.f = value;
    return s;
}

/** The signed integer `value` as a scalar.
 *  owns     returned by value.
 *  errors   none.
 *  thread   any. */
static inline sinter_scalar sinter_scalar_int(int64_t value)
{
    sinter_scalar s;
    s.kind = SINTER_SCALAR_INT;
    s.value.i = value;
    return s;
}

/** The unsigned integer `value` as a scalar.
 *  owns     returned by value.
 *  errors   none.
 *  thread   any. */
static inline sinter_scalar sinter_scalar_uint(uint64_t value)
{
    sinter_scalar s;
    s.kind = SINTER_SCALAR_UINT;
    s.value.u = value;
    return s;
}

/** What a tensor is: dtype, number of axes, extents. */
typedef struct sinter_tensor_desc {
    sinter_dtype dtype;
    int rank;
    int64_t shape[SINTER_MAX_RANK];
} sinter_tensor_desc;

/** What a symbol of a size stands for. */
typedef struct sinter_symbol_value {
    const char *name;
    int64_t value; /* at least 0 */
} sinter_symbol_value;

/** Bytes of one element of `dtype`; 0 for a number that is no dtype.
 *  units    bytes.
 *  owns     nothing.
 *  errors   none.
 *  thread   any. */
SINTER_API size_t sinter_dtype_bytes(sinter_dtype dtype);

/** Name of a dtype, "f32" for SINTER_F32; "?" for a number that is no dtype.
 *  owns     a constant.
 *  errors   none.
 *  thread   any. */
SINTER_API const char *sinter_dtype_name(sinter_dtype dtype);

/** The dtype called `name` ("f32").
 *  owns     nothing.
 *  errors   SINTER_EDTYPE when no dtype has the name, SINTER_EINVAL for NULL.
 *  thread   any. */
SINTER_API sinter_status sinter_dtype_from_name(const char *name, sinter_dtype *out);

/** The dtype that an operation of two tensors works in: NumPy 2's rule, except that what NumPy
 *  widens from integers to f64 becomes f32.
 *  dtype    a, b: any. out: the narrowest dtype of the rule that holds both.
 *  owns     nothing.
 *  errors   SINTER_EDTYPE when a or b is no dtype, SINTER_EINVAL when `out` is NULL.
 *  thread   any. */
SINTER_API sinter_status sinter_dtype_promote(sinter_dtype a, sinter_dtype b, sinter_dtype *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_TYPES_H */
