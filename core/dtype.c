/* Dtypes: the table, promotion, and scalars turned into register bits.
 *
 * The one hard idea: promotion is the join of a small lattice. Signed and unsigned of a size meet
 * in the next larger signed size; where NumPy runs out of integers and takes f64, sinter takes f32,
 * because many devices have no f64 and nobody who adds an i64 to a u64 asked for one. */
#include "core/dtype.h"

#include <math.h>
#include <string.h>

#define INT_INFO(text, size, cls, sgn, lo, hi)                                                     \
    {                                                                                              \
        .name = (text), .bytes = (size), .class_ = (cls), .is_float = false, .is_signed = (sgn),   \
        .min = (lo), .max = (hi)                                                                   \
    }
#define FLOAT_INFO(text, size, cls)                                                                \
    {                                                                                              \
        .name = (text), .bytes = (size), .class_ = (cls), .is_float = true, .is_signed = true      \
    }

const sinter__dtype_info sinter__dtypes[SINTER_DTYPE_COUNT] = {
    [SINTER_BOOL] = INT_INFO("bool", 1, SINTER__CLASS_BOOL, false, 0, 1),
    [SINTER_I8] = INT_INFO("i8", 1, SINTER__CLASS_S32, true, INT8_MIN, INT8_MAX),
    [SINTER_U8] = INT_INFO("u8", 1, SINTER__CLASS_U32, false, 0, UINT8_MAX),
    [SINTER_I16] = INT_INFO("i16", 2, SINTER__CLASS_S32, true, INT16_MIN, INT16_MAX),
    [SINTER_U16] = INT_INFO("u16", 2, SINTER__CLASS_U32, false, 0, UINT16_MAX),
    [SINTER_I32] = INT_INFO("i32", 4, SINTER__CLASS_S32, true, INT32_MIN, INT32_MAX),
    [SINTER_U32] = INT_INFO("u32", 4, SINTER__CLASS_U32, false, 0, UINT32_MAX),
    [SINTER_I64] = INT_INFO("i64", 8, SINTER__CLASS_S64, true, INT64_MIN, INT64_MAX),
    [SINTER_U64] = INT_INFO("u64", 8, SINTER__CLASS_U64, false, 0, UINT64_MAX),
    [SINTER_F16] = FLOAT_INFO("f16", 2, SINTER__CLASS_F32),
    [SINTER_BF16] = FLOAT_INFO("bf16", 2, SINTER__CLASS_F32),
    [SINTER_F32] = FLOAT_INFO("f32", 4, SINTER__CLASS_F32),
    [SINTER_F64] = FLOAT_INFO("f64", 8, SINTER__CLASS_F64),
};

#define CHECK_ROW(name, number, text, size)                                                        \
    _Static_assert((number) < SINTER_DTYPE_COUNT && (size) <= 8, "dtype " text);
SINTER_DTYPE_MAP(CHECK_ROW)
#undef CHECK_ROW

size_t sinter_dtype_bytes(sinter_dtype dtype)
{
    return sinter__dtype_valid(dtype) ? sinter__dtypes[dtype].bytes : 0;
}

const char *sinter_dtype_name(sinter_dtype dtype)
{
    return sinter__dtype_valid(dtype) ? sinter__dtypes[dtype].name : "?";
}

SINTER__COLD sinter_status sinter_dtype_from_name(const char *name, sinter_dtype *out)
{
    sinter__clear_error();
    if (name == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "dtype_from_name: an argument is NULL");
    for (int i = 0; i < SINTER_DTYPE_COUNT; i++) {
        if (strcmp(name, sinter__dtypes[i].name) == 0) {
            *out = (sinter_dtype)i;
            return SINTER_OK;
        }
    }
    return sinter__fail(SINTER_EDTYPE, "no dtype is called '%.32s'", name);
}

static sinter_dtype promote_floats(sinter_dtype a, sinter_dtype b)
{
    if (a == b)
        return a;
    if (a == SINTER_F64 || b == SINTER_F64)
        return SINTER_F64;
    return SINTER_F32; /* f16 with bf16, and either with f32 */
}

static sinter_dtype promote_integers(sinter_dtype a, sinter_dtype b)
{
    const sinter__dtype_info *x = &sinter__dtypes[a];
    const sinter__dtype_info *y = &sinter__dtypes[b];
    if (x->is_signed == y->is_signed)
        return x->bytes >= y->bytes ? a : b;
    sinter_dtype s = x->is_signed ? a : b;
    sinter_dtype u = x->is_signed ? b : a;
    if (sinter__dtypes[s].bytes > sinter__dtypes[u].bytes)
        return s;
    switch (sinter__dtypes[u].bytes) {
    case 1:
        return SINTER_I16;
    case 2:
        return SINTER_I32;
    case 4:
        return SINTER_I64;
    default:
        return SINTER_F32; /* NumPy: f64 */
    }
}

/* A 16-bit float holds what an 8-bit integer holds; any wider integer takes f32 (NumPy: f32 or
 * f64). */
static sinter_dtype promote_mixed(sinter_dtype f, sinter_dtype i)
{
    if (f == SINTER_F64 || f == SINTER_F32)
        return f;
    return sinter__dtypes[i].bytes == 1 ? f : SINTER_F32;
}

sinter_dtype sinter__promote(sinter_dtype a, sinter_dtype b)
{
    if (a == b || b == SINTER_BOOL)
        return a;
    if (a == SINTER_BOOL)
        return b;
    if (sinter__dtypes[a].is_float && sinter__dtypes[b].is_float)
        return promote_floats(a, b);
    if (sinter__dtypes[a].is_float)
        return promote_mixed(a, b);
    if (sinter__dtypes[b].is_float)
        return promote_mixed(b, a);
    return promote_integers(a, b);
}

sinter_status sinter_dtype_promote(sinter_dtype a, sinter_dtype b, sinter_dtype *out)
{
    sinter__clear_error();
    if (out == NULL)
        return sinter__fail(SINTER_EINVAL, "dtype_promote: the place of the result is NULL");
    if (!sinter__dtype_valid(a) || !sinter__dtype_valid(b))
        return sinter__fail(SINTER_EDTYPE, "dtype_promote: %d and %d are not both dtypes", (int)a,
                            (int)b);
    *out = sinter__promote(a, b);
    return SINTER_OK;
}

/* `value` rounded to a float format of `mantissa` stored bits and 5 or 8 exponent bits. Scaling by
 * a power of two is exact, so nearbyint rounds once, to even. */
static double round_to_format(double value, int mantissa, int min_exponent)
{
    if (!isfinite(value) || value == 0.0)
        return value;
    int exponent;
    (void)frexp(value, &exponent);
    exponent = SINTER__MAX(exponent - 1, min_exponent);
    int shift = mantissa - exponent;
    return ldexp(nearbyint(ldexp(value, shift)), -shift);
}

uint16_t sinter__f16_from_f64(double value)
{
    uint16_t sign = signbit(value) ? 0x8000u : 0;
    if (isnan(value))
        return 0x7e00u;
    double r = fabs(round_to_format(value, 10, -14));
    if (r > 65504.0)
        return (uint16_t)(sign | 0x7c00u);
    if (r < 0x1p-14)
        return (uint16_t)(sign | (uint16_t)(r * 0x1p24));
    int exponent;
    double fraction = frexp(r, &exponent);
    uint16_t bits = (uint16_t)((fraction - 0.5) * 0x1p11);
    return (uint16_t)(sign | (uint16_t)((exponent + 14) << 10) | bits);
}

uint16_t sinter__bf16_from_f64(double value)
{
    if (isnan(value))
        return 0x7fc0u;
    float narrow = (float)round_to_format(value, 7, -126); /* exact, or overflows to infinity */
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return (uint16_t)(bits >> 16);
}

double sinter__f64_from_f16(uint16_t bits)
{
    int exponent = (bits >> 10) & 31;
    double mantissa = bits & 1023;
    double magnitude;
    if (exponent == 31)
        magnitude = mantissa != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = mantissa * 0x1p-24;
    else
        magnitude = ldexp(1024 + mantissa, exponent - 25);
    return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

double sinter__f64_from_bf16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* An integer as a double that rounds to bf16 as the integer does: where it has more bits than a
 * double, those below 2^11 become one bit that says whether there were any. */
static double sticky(bool negative, uint64_t magnitude)
{
    if (magnitude >> 53 != 0)
        magnitude = (magnitude | ((magnitude & 0x7ff) != 0 ? 0x800 : 0)) & ~(uint64_t)0x7ff;
    return negative ? -(double)magnitude : (double)magnitude;
}

/* A float is rounded once, and so is an integer, which may have more bits than a double. */
static uint64_t float_bits(sinter_scalar s, sinter_dtype dtype)
{
    double wide = s.value.f;
    float narrow = (float)s.value.f;
    double near = wide;
    if (s.kind == SINTER_SCALAR_INT) {
        wide = (double)s.value.i;
        narrow = (float)s.value.i;
        near = sticky(s.value.i < 0, s.value.i < 0 ? 0 - s.value.u : s.value.u);
    } else if (s.kind == SINTER_SCALAR_UINT) {
        wide = (double)s.value.u;
        narrow = (float)s.value.u;
        near = sticky(false, s.value.u);
    }
    if (dtype == SINTER_F16)
        narrow = (float)sinter__f64_from_f16(sinter__f16_from_f64(near));
    if (dtype == SINTER_BF16)
        narrow = (float)sinter__f64_from_bf16(sinter__bf16_from_f64(near));
    uint64_t bits = 0;
    if (dtype == SINTER_F64)
        memcpy(&bits, &wide, sizeof wide);
    else
        memcpy(&bits, &narrow, sizeof narrow);
    return bits;
}

#define TWO_63 9223372036854775808.0

/* A float that is a whole number inside 64 bits becomes an integer scalar. */
static bool whole(sinter_scalar *s)
{
    if (s->kind != SINTER_SCALAR_FLOAT)
        return true;
    double f = s->value.f;
    if (!(f >= -TWO_63 && f < 2 * TWO_63) || f != trunc(f))
        return false;
    *s = f < 0 ? sinter_scalar_int((int64_t)f) : sinter_scalar_uint((uint64_t)f);
    return true;
}

sinter_status sinter__scalar_bits(sinter_scalar scalar, sinter_dtype dtype, uint64_t *bits)
{
    const sinter__dtype_info *info = &sinter__dtypes[dtype];
    if (info->is_float) {
        *bits = float_bits(scalar, dtype);
        return SINTER_OK;
    }
    double shown = scalar.kind == SINTER_SCALAR_FLOAT ? scalar.value.f : 0;
    if (!whole(&scalar))
        return sinter__fail(SINTER_ERANGE, "the scalar %g is not a value of %s", shown, info->name);
    bool negative = scalar.kind == SINTER_SCALAR_INT && scalar.value.i < 0;
    if (negative ? scalar.value.i < info->min : scalar.value.u > info->max) {
        if (negative)
            return sinter__fail(SINTER_ERANGE, "the scalar %lld is not a value of %s",
                                (long long)scalar.value.i, info->name);
        return sinter__fail(SINTER_ERANGE, "the scalar %llu is not a value of %s",
                            (unsigned long long)scalar.value.u, info->name);
    }
    *bits = scalar.value.u;
    return SINTER_OK;
}
