/* The functions of cl_kernels/ on the host: sn_<f>_f32x1, _f64x1, _w32x1, _w64x1 and sn_<f>_x1.
 * The files are included as C, once per element class, with their words (cl_kernels/README.md) as
 * macros for one lane; so the host computes the same bits as every device. Needs IEEE arithmetic in
 * the type itself and no contraction (-ffp-contract=off). The words that do not depend on the class
 * stay defined. */
#ifndef SINTER_EXECUTOR_HOST_KERNELS_H
#define SINTER_EXECUTOR_HOST_KERNELS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must round to float");
_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "float and double must be IEEE 754");
/* C leaves it open; every compiler for these machines does it. */
/* cppcheck-suppress shiftNegativeLHS */
_Static_assert((int32_t)(-1) >> 1 == -1, "the right shift of signed integers must keep the sign");

/* Bit casts: one function for each pair, chosen by the type of the argument. */
#define SINTER_BITCAST(name, to, from)                                                             \
    static inline to sn_##name(from x)                                                             \
    {                                                                                              \
        to r;                                                                                      \
        memcpy(&r, &x, sizeof r);                                                                  \
        return r;                                                                                  \
    }
SINTER_BITCAST(f32_of_u32, float, uint32_t)
SINTER_BITCAST(f32_of_i32, float, int32_t)
SINTER_BITCAST(f32_of_f32, float, float)
SINTER_BITCAST(u32_of_f32, uint32_t, float)
SINTER_BITCAST(u32_of_i32, uint32_t, int32_t)
SINTER_BITCAST(u32_of_u32, uint32_t, uint32_t)
SINTER_BITCAST(i32_of_f32, int32_t, float)
SINTER_BITCAST(i32_of_i32, int32_t, int32_t)
SINTER_BITCAST(i32_of_u32, int32_t, uint32_t)
SINTER_BITCAST(f64_of_u64, double, uint64_t)
SINTER_BITCAST(f64_of_i64, double, int64_t)
SINTER_BITCAST(f64_of_f64, double, double)
SINTER_BITCAST(u64_of_f64, uint64_t, double)
SINTER_BITCAST(u64_of_i64, uint64_t, int64_t)
SINTER_BITCAST(u64_of_u64, uint64_t, uint64_t)
SINTER_BITCAST(i64_of_f64, int64_t, double)
SINTER_BITCAST(i64_of_i64, int64_t, int64_t)
SINTER_BITCAST(i64_of_u64, int64_t, uint64_t)
#undef SINTER_BITCAST

static inline uint32_t sn_mul_hi32(uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a * b) >> 32);
}

/* By halves: C has no type for the whole product. */
static inline uint64_t sn_mul_hi64(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

/* clang-format off */
#define SINTER_CAST32(to, x)                                                                       \
    _Generic((x), float: sn_##to##_of_f32, int32_t: sn_##to##_of_i32,                              \
             uint32_t: sn_##to##_of_u32)(x)
#define SINTER_CAST64(to, x)                                                                       \
    _Generic((x), double: sn_##to##_of_f64, int64_t: sn_##to##_of_i64,                             \
             uint64_t: sn_##to##_of_u64)(x)
/* clang-format on */
#define AS_F32(x) SINTER_CAST32(f32, x)
#define AS_I32(x) SINTER_CAST32(i32, x)
#define AS_U32(x) SINTER_CAST32(u32, x)
#define AS_F64(x) SINTER_CAST64(f64, x)
#define AS_I64(x) SINTER_CAST64(i64, x)
#define AS_U64(x) SINTER_CAST64(u64, x)

/* Types at one lane, and values converted. */
#define F32 float
#define I32 int32_t
#define U32 uint32_t
#define F64 double
#define I64 int64_t
#define U64 uint64_t
#define TO_F32(x) ((float)(x))
#define TO_I32(x) ((int32_t)(x))
#define TO_U32(x) ((uint32_t)(x))
#define TO_F64(x) ((double)(x))
#define TO_I64(x) ((int64_t)(x))
#define TO_U64(x) ((uint64_t)(x))

/* clang-format off */
/* OpenCL's names, by the type of the argument. A name inside its own macro is the C function. */
#define fma(a, b, c) _Generic((a), float: fmaf, double: fma)(a, b, c)
#define fabs(a) _Generic((a), float: fabsf, double: fabs)(a)
#define floor(a) _Generic((a), float: floorf, double: floor)(a)
#define ceil(a) _Generic((a), float: ceilf, double: ceil)(a)
#define trunc(a) _Generic((a), float: truncf, double: trunc)(a)
#define rint(a) _Generic((a), float: rintf, double: rint)(a)
#define sqrt(a) _Generic((a), float: sqrtf, double: sqrt)(a)
/* clang-format on */
#define mul_hi(a, b) _Generic((a), uint32_t : sn_mul_hi32, uint64_t : sn_mul_hi64)(a, b)
#define clz(a) ((a) == 0 ? (uint64_t)64 : (uint64_t)__builtin_clzll(a))
#define DIV(a, b) ((a) / (b))
#define SQRT(a) sqrt(a)
#define UNSEEN(a) (a)
#define get_global_offset(dimension) 0u
#define LANES 1
#define FN static inline
#define RARE static inline
#define RARELY(x) (x)
#define SW(f) sn_##f##_x1

/* Classes: f32. */
#define T float
#define I int32_t
#define U uint32_t
#define BITS 32
#define AS_T(x) AS_F32(x)
#define AS_I(x) AS_I32(x)
#define AS_U(x) AS_U32(x)
#define TO_T(x) TO_F32(x)
#define TO_I(x) TO_I32(x)
#define TO_U(x) TO_U32(x)
#define SN(f) sn_##f##_f32x1
/* clang-format off */
#include "../cl_kernels/state.cl"
#include "../cl_kernels/fma.cl"
#include "../cl_kernels/float.cl"
#include "../cl_kernels/math.cl"
#include "../cl_kernels/special.cl"
#include "../cl_kernels/trig.cl"
#include "../cl_kernels/activation.cl"
#include "../cl_kernels/convert.cl"
#include "../cl_kernels/random.cl"
/* clang-format on */
#undef SN

/* 32-bit integers. */
#define SN(f) sn_##f##_w32x1
#include "../cl_kernels/int.cl"
#undef T
#undef I
#undef U
#undef BITS
#undef AS_T
#undef AS_I
#undef AS_U
#undef TO_T
#undef TO_I
#undef TO_U
#undef SN

/* f64. */
#define T double
#define I int64_t
#define U uint64_t
#define BITS 64
#define AS_T(x) AS_F64(x)
#define AS_I(x) AS_I64(x)
#define AS_U(x) AS_U64(x)
#define TO_T(x) TO_F64(x)
#define TO_I(x) TO_I64(x)
#define TO_U(x) TO_U64(x)
#define SN(f) sn_##f##_f64x1
/* clang-format off */
#include "../cl_kernels/state.cl"
#include "../cl_kernels/float.cl"
#include "../cl_kernels/math64.cl"
#include "../cl_kernels/special64.cl"
#include "../cl_kernels/trig.cl"
#include "../cl_kernels/activation.cl"
/* clang-format on */
#undef SN

/* 64-bit integers. */
#define SN(f) sn_##f##_w64x1
#include "../cl_kernels/int.cl"
#undef T
#undef I
#undef U
#undef BITS
#undef AS_T
#undef AS_I
#undef AS_U
#undef TO_T
#undef TO_I
#undef TO_U
#undef SN

#endif
