/* What the tests of cl_kernels/ on the host share: random bits, special values, equality. */
#ifndef SINTER_TESTS_NUMBERS_H
#define SINTER_TESTS_NUMBERS_H

#include "executor/host/host_kernels.h"

#include <stdbool.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint64_t random_state;

static inline uint64_t random_bits(void)
{
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline float float_of(uint64_t bits)
{
    return sn_f32_of_u32((uint32_t)bits);
}

/* The same value, a NaN being every NaN, and -0 not 0. */
static inline bool same(float a, float b)
{
    return (a != a && b != b) || sn_u32_of_f32(a) == sn_u32_of_f32(b);
}

static inline bool same64(double a, double b)
{
    return (a != a && b != b) || sn_u64_of_f64(a) == sn_u64_of_f64(b);
}

static const float special[] = {
    0.0f,
    -0.0f,
    1.0f,
    -1.0f,
    0.5f,
    -0.5f,
    1.5f,
    2.0f,
    -2.0f,
    3.0f,
    -3.0f,
    7.0f,
    10.0f,
    100.0f,
    1000.0f,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-149f,
    0x1p-126f,
    FLT_MAX,
    -FLT_MAX,
    0x1.fffffep-127f,
    0x1p-24f,
    1e-3f,
    88.72284f,
    -87.3f,
    -103.97f,
    1e5f,
    0x1p24f,
    0x1.000002p0f,
    0x1.fffffep-1f,
};

#endif /* SINTER_TESTS_NUMBERS_H */
