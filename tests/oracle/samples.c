#include "oracle/samples.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The most telling first: operations of three operands cross only those. */
static const double float_values[] = {
    0.0,     -0.0,     1.0,    -1.0,    INFINITY, -INFINITY, NAN,        2.5,     -3.0,   0.5,
    -0.5,    1.5,      -1.5,   2.0,     -2.0,     3.5,       7.0,        10.0,    -10.0,  0.1,
    1e-3,    -0.3,     100.0,  -128.0,  127.0,    255.0,     256.0,      -32768., 32767., 65504.0,
    65520.0, 65536.0,  88.72,  -87.3,   -103.97,  0x1p23,    0x1p24 + 2, 0x1p31,  0x1p32, -0x1p31,
    0x1p63,  -0x1p63,  0x1p64, 1e5,     1e10,     -1e30,     3e38,       0x1p-24, 1e-30,  9.2,
    -5.5,    0.693147, 3.1415, 1.57079, 2.718281, -0.99999,  0.7071,
};

static const int64_t integer_values[] = {
    0,         1,
    -1,        2,
    -2,        3,
    -3,        5,
    7,         8,
    9,         10,
    15,        16,
    17,        31,
    32,        33,
    63,        64,
    65,        99,
    100,       -100,
    0x55,      -0x56,
    255,       256,
    1000,      -1000,
    32767,     -32768,
    46341,     65535,
    65536,     1 << 23,
    1 << 24,   (1 << 24) + 1,
    123456789, -123456789,
};

static int mantissa_bits(sinter_dtype dtype)
{
    switch (dtype) {
    case SINTER_F16:
        return 10;
    case SINTER_BF16:
        return 7;
    case SINTER_F32:
        return 23;
    default:
        return 52;
    }
}

/* Around what the format can do: the smallest, the largest, the neighbours of 1. */
static size_t format_limits(sinter_dtype dtype, uint64_t *bits)
{
    int mantissa = mantissa_bits(dtype);
    uint64_t sign = (uint64_t)1 << (width_of(dtype) - 1);
    uint64_t infinity = (sign - 1) >> mantissa << mantissa;
    uint64_t normal = (uint64_t)1 << mantissa;
    uint64_t one = infinity / 2 >> mantissa << mantissa;
    const uint64_t list[] = {
        1,
        sign | 1,
        infinity - 1,
        sign | (infinity - 1),
        normal,
        normal - 1,
        sign | normal,
        one + 1,
        one - 1,
        infinity + 1,        /* a signalling NaN */
        sign | infinity | 7, /* a NaN with a sign and a payload */
        (one + infinity) / 2,
        one / 2,
    };
    for (size_t i = 0; i < COUNT(list); i++)
        bits[i] = list[i];
    return COUNT(list);
}

size_t samples_special(sinter_dtype dtype, uint64_t bits[SAMPLES_SPECIAL])
{
    size_t n = 0;
    if (dtype == SINTER_BOOL) {
        bits[n++] = 0;
        bits[n++] = 1;
        return n;
    }
    if (is_floating(dtype)) {
        for (size_t i = 0; i < COUNT(float_values); i++) {
            number x = {(quad)float_values[i], 0};
            bits[n] = 0;
            store(dtype, x, &bits[n++], 0);
        }
        return n + format_limits(dtype, bits + n);
    }
    whole top = (whole)1 << width_of(dtype);
    const whole limits[] = {top / 2 - 1, top / 2, top / 2 + 1, top - 2, top / 4, top / 3};
    for (size_t i = 0; i < COUNT(limits); i++)
        bits[n++] = (uint64_t)limits[i];
    for (size_t i = 0; i < COUNT(integer_values); i++)
        bits[n++] = (uint64_t)integer_values[i];
    for (size_t i = 0; i < n; i++)
        bits[i] &= UINT64_MAX >> (64 - width_of(dtype));
    return n;
}

uint64_t samples_random(sinter_dtype dtype, test_random *random)
{
    return test_next(random) >> (64 - width_of(dtype));
}

uint64_t samples_moderate(sinter_dtype dtype, test_random *random)
{
    uint64_t bits = 0;
    if (!is_floating(dtype))
        return samples_random(dtype, random) & (width_of(dtype) < 16 ? 0xff : 0x1f);
    double scale = ldexp(1.0, (int)test_below(random, 12) - 6);
    number x = {(quad)(scale * (double)(int64_t)test_next(random) * 0x1p-63), 0};
    store(dtype, x, &bits, 0);
    return bits;
}

void samples_fill(sinter_dtype dtype, void *data, size_t count, test_random *random)
{
    int width = width_of(dtype);
    size_t patterns = width < 32 ? (size_t)1 << width : 0;
    if (patterns > 0 && patterns <= count) {
        for (size_t i = 0; i < count; i++)
            store_bits(dtype, i & (patterns - 1), data, i);
        return;
    }
    uint64_t special[SAMPLES_SPECIAL];
    size_t n = samples_special(dtype, special);
    uint64_t step = (UINT64_MAX >> (64 - width)) / count | 1;
    uint64_t at = test_next(random);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = i < n ? special[i] : i % 5 != 0 ? at : samples_random(dtype, random);
        at += step;
        store_bits(dtype, bits & (UINT64_MAX >> (64 - width)), data, i);
    }
}

void samples_cross(int arity, const sinter_dtype *dtype, void *const *data, size_t count,
                   size_t special, test_random *random)
{
    uint64_t bits[3][SAMPLES_SPECIAL];
    size_t n[3] = {0};
    size_t at[3] = {0}; /* which special value of each operand comes next */
    size_t crossed = 1;
    for (int k = 0; k < arity; k++) {
        n[k] = samples_special(dtype[k], bits[k]);
        n[k] = special > 0 && special < n[k] ? special : n[k];
        crossed *= n[k];
    }
    for (size_t i = 0; i < count; i++) {
        bool moderate = i % 2 == 0;
        for (int k = 0; k < arity; k++) {
            uint64_t x = i < crossed ? bits[k][at[k]]
                         : moderate  ? samples_moderate(dtype[k], random)
                                     : samples_random(dtype[k], random);
            store_bits(dtype[k], x, data[k], i);
        }
        for (int k = 0; k < arity && ++at[k] == n[k]; k++)
            at[k] = 0;
    }
}
