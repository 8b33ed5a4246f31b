/* Expansion of core/ops.def for the host, once per element class, with the functions of cl_kernels/
 * compiled as C.
 *
 * The one hard idea: a row is a case only where its column has an expression. EXPR(x) and NONE
 * expand to "1, (x)" and "0, 0", and the first word picks the macro that makes the case or
 * nothing. */
#include "executor/host/host_ops.h"

#include "executor/host/host_kernels.h"
#include "fusion/library/cast.h"

#include <string.h>

#define EXPR(...) 1, (__VA_ARGS__)
#define NONE 0, 0
#define MASK(x) ((x) != 0)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* KIND(id, has, expression) -> a case, or nothing */
#define MAKE_MAP(id, has, ...) JOIN(MAKE_MAP_, has)(id, __VA_ARGS__)
#define MAKE_COMPARE(id, has, ...) JOIN(MAKE_COMPARE_, has)(id, __VA_ARGS__)
#define MAKE_GENERATE MAKE_MAP
#define MAKE_REDUCE MAKE_MAP
#define MAKE_SCAN MAKE_MAP
#define MAKE_CONTRACT MAKE_MAP
#define MAKE_RANDOM(id, has, ...)
#define MAKE_CAST(id, has, ...)
#define MAKE_FILL(id, has, ...)
#define MAKE_VIEW(id, has, ...)
#define MAKE_STATE(id, has, ...)
#define MAKE_UPDATE(id, has, ...)
#define MAKE_COMPOSITE(id, has, ...)
#define MAKE_MAP_0(id, ...)
#define MAKE_COMPARE_0(id, ...)

#define LOOP(type, result, expression)                                                             \
    const type *x = pa;                                                                            \
    const type *y = pb;                                                                            \
    const type *z = pc;                                                                            \
    result *o = po;                                                                                \
    for (size_t i = 0; i < n; i++) {                                                               \
        const type a = x[i];                                                                       \
        const type b = y[i];                                                                       \
        const type c = z[i];                                                                       \
        (void)a;                                                                                   \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        o[i] = (result)(expression);                                                               \
    }
#define MAKE_MAP_1(id, ...)                                                                        \
    case SINTER__OP_##id: {                                                                        \
        LOOP(REGISTER, REGISTER, __VA_ARGS__)                                                      \
    } break;
#define MAKE_COMPARE_1(id, ...)                                                                    \
    case SINTER__OP_##id: {                                                                        \
        LOOP(REGISTER, uint32_t, __VA_ARGS__)                                                      \
    } break;

#define FORWARD(maker, ...) maker(__VA_ARGS__)

/* A column arrives as "has, expression", so that four of them are eight arguments. */
#define COLUMN_F(f, F1, F2, S1, S2, U1, U2, B1, B2) F1, F2
#define COLUMN_S(f, F1, F2, S1, S2, U1, U2, B1, B2) S1, S2
#define COLUMN_U(f, F1, F2, S1, S2, U1, U2, B1, B2) U1, U2
#define COLUMN_B(f, F1, F2, S1, S2, U1, U2, B1, B2) B1, B2
/* Rows without an f64 form are refused before they get here. */
#define COLUMN_F64(f, F1, F2, S1, S2, U1, U2, B1, B2) JOIN(F64_, f)(F1, F2)
#define F64_0(F1, F2) F1, F2
#define F64_FROM_1(F1, F2) F1, F2
#define F64_NONEMPTY(F1, F2) F1, F2
#define F64_F32_ONLY(F1, F2) 0, 0

/* A selection's condition is a bool register whatever the class. */
#define MAKE_SELECT(type, function)                                                                \
    static void function(size_t n, const void *pa, const void *pb, const void *pc, void *po)       \
    {                                                                                              \
        const uint32_t *mask = pa;                                                                 \
        const type *b = pb;                                                                        \
        const type *c = pc;                                                                        \
        type *o = po;                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            o[i] = mask[i] != 0 ? b[i] : c[i];                                                     \
    }
MAKE_SELECT(uint32_t, select_32)
MAKE_SELECT(uint64_t, select_64)

/* Random numbers take the index, the seed and the offset, all u64. */
#define MAKE_DRAW(function, draw)                                                                  \
    static void function(size_t n, const void *pa, const void *pb, const void *pc, void *po)       \
    {                                                                                              \
        const uint64_t *index = pa;                                                                \
        const uint64_t *seed = pb;                                                                 \
        const uint64_t *offset = pc;                                                               \
        float *o = po;                                                                             \
        for (size_t i = 0; i < n; i++)                                                             \
            o[i] = draw(index[i], seed[i], offset[i]);                                             \
    }
MAKE_DRAW(draw_uniform, sn_uniform_x1)
MAKE_DRAW(draw_normal, sn_normal_x1)

/* 32-bit classes */
#define T float
#define U uint32_t
#define I int32_t
#define AS_I(x) AS_I32(x)

#define CLASS f32
#define REGISTER float
#define SN(f) sn_##f##_f32x1
#define COLUMN COLUMN_F
#include "executor/host/host_class.h"

#define CLASS s32
#define REGISTER uint32_t
#define SN(f) sn_##f##_w32x1
#define COLUMN COLUMN_S
#include "executor/host/host_class.h"

#define CLASS u32
#define REGISTER uint32_t
#define SN(f) sn_##f##_w32x1
#define COLUMN COLUMN_U
#include "executor/host/host_class.h"

#define CLASS flag
#define REGISTER uint32_t
#define SN(f) sn_##f##_w32x1
#define COLUMN COLUMN_B
#include "executor/host/host_class.h"

#undef T
#undef U
#undef I
#undef AS_I

/* 64-bit classes */
#define T double
#define U uint64_t
#define I int64_t
#define AS_I(x) AS_I64(x)

#define CLASS f64
#define REGISTER double
#define SN(f) sn_##f##_f64x1
#define COLUMN COLUMN_F64
#include "executor/host/host_class.h"

#define CLASS s64
#define REGISTER uint64_t
#define SN(f) sn_##f##_w64x1
#define COLUMN COLUMN_S
#include "executor/host/host_class.h"

#define CLASS u64
#define REGISTER uint64_t
#define SN(f) sn_##f##_w64x1
#define COLUMN COLUMN_U
#include "executor/host/host_class.h"

static void apply_class(sinter__op op, sinter__class c, size_t n, const void *const operands[3],
                        void *out)
{
    const void *x = operands[0];
    /* Operands that an operation does not have are NULL: the first stands in for them. */
    const void *y = operands[1] != NULL ? operands[1] : x;
    const void *z = operands[2] != NULL ? operands[2] : x;
    switch (c) {
    case SINTER__CLASS_F32:
        f32_apply(op, n, x, y, z, out);
        break;
    case SINTER__CLASS_F64:
        f64_apply(op, n, x, y, z, out);
        break;
    case SINTER__CLASS_S32:
        s32_apply(op, n, x, y, z, out);
        break;
    case SINTER__CLASS_U32:
        u32_apply(op, n, x, y, z, out);
        break;
    case SINTER__CLASS_S64:
        s64_apply(op, n, x, y, z, out);
        break;
    case SINTER__CLASS_U64:
        u64_apply(op, n, x, y, z, out);
        break;
    default:
        flag_apply(op, n, x, y, z, out);
        break;
    }
}

void sinter__host_apply(sinter__op op, sinter__class c, size_t n, const void *const operands[3],
                        void *out)
{
    const void *x = operands[0];
    const void *y = operands[1];
    const void *z = operands[2];
    if (op == SINTER__OP_WHERE) {
        (sinter__is_wide(c) ? select_64 : select_32)(n, x, y, z, out);
    } else if (op == SINTER__OP_RANDOM_UNIFORM || op == SINTER__OP_RANDOM_NORMAL) {
        (op == SINTER__OP_RANDOM_UNIFORM ? draw_uniform : draw_normal)(n, x, y, z, out);
    } else {
        apply_class(op, c, n, operands, out);
    }
}
