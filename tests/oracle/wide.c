#include "oracle/wide.h"

#include <math.h>
#include <string.h>

/* Dtypes */

bool is_floating(sinter_dtype dtype)
{
    return dtype == SINTER_F16 || dtype == SINTER_BF16 || dtype == SINTER_F32 ||
           dtype == SINTER_F64;
}

bool is_signed(sinter_dtype dtype)
{
    return dtype == SINTER_I8 || dtype == SINTER_I16 || dtype == SINTER_I32 || dtype == SINTER_I64;
}

int width_of(sinter_dtype dtype)
{
    switch (dtype) {
    case SINTER_BOOL:
        return 1;
    case SINTER_I8:
    case SINTER_U8:
        return 8;
    case SINTER_I16:
    case SINTER_U16:
    case SINTER_F16:
    case SINTER_BF16:
        return 16;
    case SINTER_I32:
    case SINTER_U32:
    case SINTER_F32:
        return 32;
    default:
        return 64;
    }
}

sinter_dtype register_of(sinter_dtype dtype)
{
    return dtype == SINTER_F16 || dtype == SINTER_BF16 ? SINTER_F32 : dtype;
}

bool quad_is_nan(quad x)
{
    return x != x;
}

bool quad_is_inf(quad x)
{
    return x == (quad)INFINITY || x == -(quad)INFINITY;
}

bool quad_is_negative(quad x)
{
    return x < 0 || (x == 0 && signbit((double)x) != 0);
}

/* Narrow floats: looked up, because a table of all values cannot round wrongly */

typedef struct format {
    int exponent_bits, mantissa_bits;
    quad positive[32768]; /* by bits; infinity stands at the power of two that it rounds at */
    int count;            /* values up to infinity */
} format;

static format f16 = {.exponent_bits = 5, .mantissa_bits = 10};
static format bf16 = {.exponent_bits = 8, .mantissa_bits = 7};

/* What the bits of a positive value say, and infinity as the number after the largest. */
static double value_of_bits(const format *f, int bits)
{
    int exponent = bits >> f->mantissa_bits;
    int mantissa = bits & ((1 << f->mantissa_bits) - 1);
    int bias = (1 << (f->exponent_bits - 1)) - 1;
    if (exponent == 0)
        return ldexp(mantissa, 1 - bias - f->mantissa_bits);
    return ldexp(mantissa + (1 << f->mantissa_bits), exponent - bias - f->mantissa_bits);
}

static const format *format_of(sinter_dtype dtype)
{
    format *f = dtype == SINTER_F16 ? &f16 : &bf16;
    if (f->count == 0) {
        f->count = (((1 << f->exponent_bits) - 1) << f->mantissa_bits) + 1;
        for (int i = 0; i < f->count; i++)
            f->positive[i] = (quad)value_of_bits(f, i);
    }
    return f;
}

/* Bits of the value nearest to x; of two, the one with an even last bit. */
static uint16_t narrow_bits(sinter_dtype dtype, quad x)
{
    const format *f = format_of(dtype);
    if (quad_is_nan(x))
        return dtype == SINTER_F16 ? 0x7e00u : 0x7fc0u;
    uint16_t sign = quad_is_negative(x) ? 0x8000u : 0;
    quad magnitude = x < 0 ? -x : x;
    int low = 0;
    int high = f->count - 1;
    if (magnitude >= f->positive[high])
        return (uint16_t)(sign | high);
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (f->positive[middle] <= magnitude) {
            low = middle;
        } else {
            high = middle;
        }
    }
    quad below = magnitude - f->positive[low];
    quad above = f->positive[high] - magnitude;
    bool up = below > above || (below == above && (low & 1) != 0);
    return (uint16_t)(sign | (up ? high : low));
}

static quad narrow_value(sinter_dtype dtype, uint64_t bits)
{
    const format *f = format_of(dtype);
    int magnitude = (int)(bits & 0x7fff);
    quad value = magnitude < f->count ? f->positive[magnitude] : (quad)NAN;
    if (magnitude == f->count - 1)
        value = (quad)INFINITY;
    return (bits & 0x8000) != 0 ? -value : value;
}

/* Elements */

static size_t bytes_of(sinter_dtype dtype)
{
    return dtype == SINTER_BOOL ? 1 : (size_t)width_of(dtype) / 8;
}

/* The two's complement number in the low bits of `bits`. */
static whole integer_of_bits(sinter_dtype dtype, uint64_t bits)
{
    if (dtype == SINTER_BOOL)
        return bits != 0;
    whole modulus = (whole)1 << width_of(dtype);
    whole x = (whole)bits & (modulus - 1);
    return is_signed(dtype) && x >= modulus / 2 ? x - modulus : x;
}

static uint64_t bits_of(sinter_dtype dtype, number x)
{
    float f = (float)x.f;
    double d = (double)x.f;
    uint64_t bits = 0;
    switch (dtype) {
    case SINTER_F16:
    case SINTER_BF16:
        return narrow_bits(dtype, x.f);
    case SINTER_F32:
        memcpy(&bits, &f, sizeof f);
        return f != f ? 0x7fc00000u : bits;
    case SINTER_F64:
        memcpy(&bits, &d, sizeof d);
        return d != d ? 0x7ff8000000000000u : bits;
    case SINTER_BOOL:
        return x.i != 0;
    default:
        return (uint64_t)x.i & (UINT64_MAX >> (64 - width_of(dtype)));
    }
}

static number number_of_bits(sinter_dtype dtype, uint64_t bits)
{
    number x = {0, 0};
    float f;
    double d;
    switch (dtype) {
    case SINTER_F16:
    case SINTER_BF16:
        x.f = narrow_value(dtype, bits);
        break;
    case SINTER_F32:
        memcpy(&f, &bits, sizeof f);
        x.f = (quad)f;
        break;
    case SINTER_F64:
        memcpy(&d, &bits, sizeof d);
        x.f = (quad)d;
        break;
    default:
        x.i = integer_of_bits(dtype, bits);
        break;
    }
    return x;
}

static uint64_t raw_bits(sinter_dtype dtype, const void *data, size_t i)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)data + i * bytes_of(dtype), bytes_of(dtype));
    return bits;
}

number load(sinter_dtype dtype, const void *data, size_t i)
{
    return number_of_bits(dtype, raw_bits(dtype, data, i));
}

uint64_t load_bits(sinter_dtype dtype, const void *data, size_t i)
{
    uint64_t bits = raw_bits(dtype, data, i);
    if (!is_floating(dtype))
        return bits;
    number x = number_of_bits(dtype, bits);
    return quad_is_nan(x.f) ? bits_of(dtype, x) : bits;
}

void store_bits(sinter_dtype dtype, uint64_t bits, void *data, size_t i)
{
    memcpy((char *)data + i * bytes_of(dtype), &bits, bytes_of(dtype));
}

void store(sinter_dtype dtype, number x, void *data, size_t i)
{
    store_bits(dtype, bits_of(dtype, x), data, i);
}

quad rounded(sinter_dtype dtype, quad x)
{
    number n = {x, 0};
    return number_of_bits(dtype, bits_of(dtype, n)).f;
}

/* Conversions */

/* Truncated, saturated, NaN as 0. */
static whole integer_of_float(quad x, sinter_dtype to)
{
    int bits = width_of(to) - (is_signed(to) ? 1 : 0);
    whole high = ((whole)1 << bits) - 1;
    whole low = is_signed(to) ? -high - 1 : 0;
    if (quad_is_nan(x))
        return 0;
    if (x <= (quad)low)
        return low;
    return x >= (quad)high ? high : (whole)x;
}

number converted(sinter_dtype from, number x, sinter_dtype to)
{
    number y = {0, 0};
    if (to == SINTER_BOOL) {
        y.i = is_floating(from) ? x.f != 0 : x.i != 0;
    } else if (is_floating(to)) {
        y.f = rounded(to, is_floating(from) ? x.f : (quad)x.i);
    } else if (is_floating(from)) {
        y.i = integer_of_float(x.f, to);
    } else {
        y.i = integer_of_bits(to, (uint64_t)x.i);
    }
    return y;
}

/* Errors */

double ulp_at(double x)
{
    int exponent = -125;
    if (fabs(x) >= 0x1p-126)
        (void)frexp(fmin(fabs(x), 0x1.fffffep127), &exponent);
    return ldexp(1.0, exponent - 24);
}

/* Infinity as the number after the largest. */
static double clipped(double x)
{
    return fmax(fmin(x, 0x1p128), -0x1p128);
}

double ulps_between(float got, double want)
{
    double g = (double)got;
    if (isnan(g) || isnan(want))
        return isnan(g) && isnan(want) ? 0 : (double)INFINITY;
    if (want == 0)
        return g == 0 && signbit(g) == signbit(want) ? 0 : (double)INFINITY;
    return fabs(clipped(g) - clipped(want)) / ulp_at(want);
}

double ulps_between_f64(double got, quad want)
{
    const quad infinity = (quad)0x1p1023 * 2;
    if (isnan(got) || quad_is_nan(want))
        return isnan(got) && quad_is_nan(want) ? 0 : (double)INFINITY;
    if (want == 0)
        return got == 0 && !signbit(got) == !quad_is_negative(want) ? 0 : (double)INFINITY;
    quad g = isinf(got) ? (got > 0 ? infinity : -infinity) : (quad)got;
    quad w = want > infinity ? infinity : want < -infinity ? -infinity : want;
    int exponent = -1021;
    double size = fmin(fabs((double)w), 0x1.fffffffffffffp1023);
    if (size >= 0x1p-1022)
        (void)frexp(size, &exponent);
    return fabs((double)((g - w) / (quad)ldexp(1.0, exponent - 53)));
}
