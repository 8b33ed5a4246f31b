/* Conversions, loads and stores of the host reference device. The functions called are those of
 * cl_kernels/convert.cl, by the names that fusion/library/cast.c gives. */
#include "executor/host/host_ops.h"

#include "executor/host/host_kernels.h"
#include "fusion/library/cast.h"

#include <string.h>

typedef void (*convert_fn)(size_t n, const void *in, void *out);

#define CONVERSION(name, from, to)                                                                 \
    static void do_##name(size_t n, const void *in, void *out)                                     \
    {                                                                                              \
        const from *x = in;                                                                        \
        to *y = out;                                                                               \
        for (size_t i = 0; i < n; i++)                                                             \
            y[i] = sn_##name##_x1(x[i]);                                                           \
    }

/* clang-format off */
#define CONVERSIONS(X)                                                                             \
    X(round_f16, float, float)          X(round_bf16, float, float)                                \
    X(wrap_i8, uint32_t, uint32_t)      X(wrap_u8, uint32_t, uint32_t)                             \
    X(wrap_i16, uint32_t, uint32_t)     X(wrap_u16, uint32_t, uint32_t)                            \
    X(f32_to_i8, float, uint32_t)       X(f32_to_u8, float, uint32_t)                              \
    X(f32_to_i16, float, uint32_t)      X(f32_to_u16, float, uint32_t)                             \
    X(f32_to_i32, float, uint32_t)      X(f32_to_u32, float, uint32_t)                             \
    X(f32_to_i64, float, uint64_t)      X(f32_to_u64, float, uint64_t)                             \
    X(f64_to_i8, double, uint32_t)      X(f64_to_u8, double, uint32_t)                             \
    X(f64_to_i16, double, uint32_t)     X(f64_to_u16, double, uint32_t)                            \
    X(f64_to_i32, double, uint32_t)     X(f64_to_u32, double, uint32_t)                            \
    X(f64_to_i64, double, uint64_t)     X(f64_to_u64, double, uint64_t)                            \
    X(s32_to_f32, uint32_t, float)      X(u32_to_f32, uint32_t, float)                             \
    X(s64_to_f32, uint64_t, float)      X(u64_to_f32, uint64_t, float)                             \
    X(s32_to_f64, uint32_t, double)     X(u32_to_f64, uint32_t, double)                            \
    X(s64_to_f64, uint64_t, double)     X(u64_to_f64, uint64_t, double)                            \
    X(s32_to_f32_odd, uint32_t, float)  X(u32_to_f32_odd, uint32_t, float)                         \
    X(s64_to_f32_odd, uint64_t, float)  X(u64_to_f32_odd, uint64_t, float)                         \
    X(f64_to_f32_odd, double, float)    X(f32_to_f64, float, double)                               \
    X(f64_to_f32, double, float)        X(s32_to_64, uint32_t, uint64_t)                           \
    X(u32_to_64, uint32_t, uint64_t)    X(w64_to_32, uint64_t, uint32_t)
/* clang-format on */
CONVERSIONS(CONVERSION)

static const struct {
    const char *name;
    convert_fn convert;
} conversions[] = {
#define CONVERSION_ROW(name, from, to) {#name, do_##name},
    CONVERSIONS(CONVERSION_ROW)
#undef CONVERSION_ROW
};

static convert_fn find_conversion(const char *name)
{
    for (size_t i = 0; i < SINTER__COUNT(conversions); i++) {
        if (strcmp(conversions[i].name, name) == 0)
            return conversions[i].convert;
    }
    return NULL;
}

/* Values are converted in pieces, so that the step between two conversions needs no allocation. */
#define PIECE 128

static void copy_registers(size_t n, sinter__class c, const void *in, void *out)
{
    if (in != out)
        memcpy(out, in, n * sinter__host_register_bytes(c));
}

static void test_nonzero(size_t n, sinter__class c, const void *in, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        switch (c) {
        case SINTER__CLASS_F32:
            out[i] = ((const float *)in)[i] != 0;
            break;
        case SINTER__CLASS_F64:
            out[i] = ((const double *)in)[i] != 0;
            break;
        case SINTER__CLASS_S64:
        case SINTER__CLASS_U64:
            out[i] = ((const uint64_t *)in)[i] != 0;
            break;
        default:
            out[i] = ((const uint32_t *)in)[i] != 0;
            break;
        }
    }
}

static void convert_piece(size_t n, sinter__class from, const sinter__cast *path, const void *in,
                          void *out)
{
    uint64_t between[PIECE];
    const void *at = in;
    if (path->first != NULL) {
        void *to = path->second != NULL ? (void *)between : out;
        find_conversion(path->first)(n, at, to);
        at = to;
    }
    if (path->second != NULL)
        find_conversion(path->second)(n, at, out);
    else if (path->first == NULL)
        copy_registers(n, from, in, out);
}

void sinter__host_cast(size_t n, sinter_dtype from, sinter_dtype to, const void *in, void *out)
{
    sinter__class cf = (sinter__class)sinter__dtype(from)->class_;
    sinter__class ct = (sinter__class)sinter__dtype(to)->class_;
    sinter__cast path = sinter__cast_path(from, to);
    for (size_t i = 0; i < n; i += PIECE) {
        size_t piece = SINTER__MIN(n - i, (size_t)PIECE);
        const char *x = (const char *)in + i * sinter__host_register_bytes(cf);
        char *y = (char *)out + i * sinter__host_register_bytes(ct);
        if (path.to_bool)
            test_nonzero(piece, cf, x, (uint32_t *)(void *)y);
        else
            convert_piece(piece, cf, &path, x, y);
    }
}

void sinter__host_settle(size_t n, sinter_dtype dtype, void *values)
{
    const char *name = sinter__settle(dtype);
    if (name != NULL)
        find_conversion(name)(n, values, values);
}

void sinter__host_index(size_t n, sinter_dtype dtype, const void *in, void *out)
{
    const char *name = sinter__index_cast(dtype);
    if (name != NULL)
        find_conversion(name)(n, in, out);
    else
        copy_registers(n, SINTER__CLASS_U64, in, out);
}

#define LOAD_CASE(id, element, held, expression)                                                   \
    case SINTER_##id: {                                                                            \
        const element *p = from;                                                                   \
        held *o = out;                                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            element x = p[offsets[i]];                                                             \
            o[i] = (expression);                                                                   \
        }                                                                                          \
        break;                                                                                     \
    }

void sinter__host_load(size_t n, sinter_dtype dtype, const void *from, const int64_t *offsets,
                       void *out)
{
    switch (dtype) {
        LOAD_CASE(BOOL, uint8_t, uint32_t, (uint32_t)(x != 0))
        LOAD_CASE(I8, int8_t, uint32_t, (uint32_t)(int32_t)x)
        LOAD_CASE(U8, uint8_t, uint32_t, (uint32_t)x)
        LOAD_CASE(I16, int16_t, uint32_t, (uint32_t)(int32_t)x)
        LOAD_CASE(U16, uint16_t, uint32_t, (uint32_t)x)
        LOAD_CASE(I32, uint32_t, uint32_t, x)
        LOAD_CASE(U32, uint32_t, uint32_t, x)
        LOAD_CASE(I64, uint64_t, uint64_t, x)
        LOAD_CASE(U64, uint64_t, uint64_t, x)
        LOAD_CASE(F16, uint16_t, float, sn_f16_from_bits_x1((uint32_t)x))
        LOAD_CASE(BF16, uint16_t, float, sn_bf16_from_bits_x1((uint32_t)x))
        LOAD_CASE(F32, float, float, x)
        LOAD_CASE(F64, double, double, x)
    case SINTER_DTYPE_COUNT:
        break;
    }
}

#define STORE_CASE(id, element, held, expression)                                                  \
    case SINTER_##id: {                                                                            \
        element *p = to;                                                                           \
        const held *v = values;                                                                    \
        for (size_t i = 0; i < n; i++) {                                                           \
            held x = v[i];                                                                         \
            p[offsets[i]] = (element)(expression);                                                 \
        }                                                                                          \
        break;                                                                                     \
    }

void sinter__host_store(size_t n, sinter_dtype dtype, const void *values, const int64_t *offsets,
                        void *to)
{
    switch (dtype) {
        STORE_CASE(BOOL, uint8_t, uint32_t, x)
        STORE_CASE(I8, uint8_t, uint32_t, x)
        STORE_CASE(U8, uint8_t, uint32_t, x)
        STORE_CASE(I16, uint16_t, uint32_t, x)
        STORE_CASE(U16, uint16_t, uint32_t, x)
        STORE_CASE(I32, uint32_t, uint32_t, x)
        STORE_CASE(U32, uint32_t, uint32_t, x)
        STORE_CASE(I64, uint64_t, uint64_t, x)
        STORE_CASE(U64, uint64_t, uint64_t, x)
        STORE_CASE(F16, uint16_t, float, sn_f16_bits_x1(x))
        STORE_CASE(BF16, uint16_t, float, sn_bf16_bits_x1(x))
        STORE_CASE(F32, float, float, x)
        STORE_CASE(F64, double, double, x)
    case SINTER_DTYPE_COUNT:
        break;
    }
}
