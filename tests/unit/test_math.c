/* The functions of cl_kernels/ on the host: casts, division, integers and random numbers against slow or
 * wide implementations written another way. How accurate functions are: test_accuracy.c.
 *
 * Build with -ffp-contract=off, link with cmocka and m. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/numbers.h"

/* ---- minimum and maximum */

static void minimum_and_maximum_keep_nan_and_order_zeros(void **state)
{
    (void)state;
    assert_true(isnan(sn_min_f32x1(NAN, 1)) && isnan(sn_min_f32x1(1, NAN)));
    assert_true(isnan(sn_max_f32x1(NAN, 1)) && isnan(sn_max_f32x1(1, NAN)));
    assert_true(same(sn_min_f32x1(0.0f, -0.0f), -0.0f) && same(sn_min_f32x1(-0.0f, 0.0f), -0.0f));
    assert_true(same(sn_max_f32x1(0.0f, -0.0f), 0.0f) && same(sn_max_f32x1(-0.0f, 0.0f), 0.0f));
    assert_true(same64(sn_min_f64x1(0.0, -0.0), -0.0) && same64(sn_max_f64x1(-0.0, 0.0), 0.0));
    assert_true(same(sn_min_f32x1(-INFINITY, 3), -INFINITY) && same(sn_max_f32x1(-1, -2), -1));
    assert_true(same(sn_leaky_relu_f32x1(-2, 0.5f), -1) && isnan(sn_leaky_relu_f32x1(NAN, 0.5f)));
}

/* ---- division */

static void check_division(float a, float b)
{
    float want = a / b;
    float got = sn_div_f32x1(a, b);
    if (!same(got, want)) {
        fail_msg("%a / %a is %a, not %a", (double)a, (double)b, (double)got, (double)want);
    }
}

static void our_division_is_correctly_rounded(void **state)
{
    (void)state;
    random_state = 3;
    for (size_t i = 0; i < COUNT(special); i++) {
        for (size_t j = 0; j < COUNT(special); j++) {
            check_division(special[i], special[j]);
            check_division(special[i], -special[j]);
        }
    }
    for (int i = 0; i < 400000; i++) {
        uint64_t bits = random_bits();
        float a = float_of(bits);
        float b = float_of(bits >> 32);
        check_division(a, b);
        /* a subnormal or barely normal result, and one next to half a unit of it */
        float small = float_of((bits & 0x00ffffff) | 0x00000001);
        check_division(small * fabsf(b), b);
        check_division(b * float_of(0x3f800000 | (bits & 0x7fffff)), b);
        check_division(float_of(bits & 0x01ffffff),
                       float_of(0x3f800000 | ((bits >> 25) & 0x1ffffff)));
        check_division(float_of(bits & 0x007fffff), (float)(1 << (bits >> 60)));
        check_division(float_of(0x7f000000 | (bits & 0x7fffff)),
                       float_of(0x3f000000 | ((bits >> 32) & 0xffffff)));
    }
}

static void our_square_root_is_correctly_rounded(void **state)
{
    (void)state;
    random_state = 4;
    for (size_t i = 0; i < COUNT(special); i++) {
        assert_true(same(sn_sqrt_f32x1(special[i]), sqrtf(special[i])));
    }
    for (uint64_t bits = 0; bits < (1ull << 32); bits += 6553) {
        float x = float_of(bits);
        float root = float_of(0x3f800000 | (random_bits() & 0xffffff));
        float near_square = root * root;
        float beside = float_of(sn_u32_of_f32(near_square) + 1);
        assert_true(same(sn_sqrt_f32x1(x), sqrtf(x)));
        assert_true(same(sn_sqrt_f32x1(near_square), sqrtf(near_square)));
        assert_true(same(sn_sqrt_f32x1(beside), sqrtf(beside)));
    }
}

/* NumPy's rules, from the C library's fmod. */
static float slow_mod(float a, float b, float *quotient)
{
    float r = fmodf(a, b);
    if (b == 0) {
        *quotient = a / b;
        return r;
    }
    float q = (a - r) / b;
    if (r != 0 && (r < 0) != (b < 0)) {
        r += b;
        q -= 1;
    } else if (r == 0) {
        r = copysignf(0, b);
    }
    *quotient = q == 0 ? copysignf(0, a / b) : floorf(q) + (float)(q - floorf(q) > 0.5f);
    return r;
}

static double slow_mod64(double a, double b, double *quotient)
{
    double r = fmod(a, b);
    if (b == 0) {
        *quotient = a / b;
        return r;
    }
    double q = (a - r) / b;
    if (r != 0 && (r < 0) != (b < 0)) {
        r += b;
        q -= 1;
    } else if (r == 0) {
        r = copysign(0, b);
    }
    *quotient = q == 0 ? copysign(0, a / b) : floor(q) + (double)(q - floor(q) > 0.5);
    return r;
}

static void check_mod(float a, float b)
{
    float quotient;
    float r = slow_mod(a, b, &quotient);
    if (!same(sn_mod_f32x1(a, b), r) || !same(sn_floordiv_f32x1(a, b), quotient)) {
        fail_msg("%a by %a: %a rest %a, not %a rest %a", (double)a, (double)b,
                 (double)sn_floordiv_f32x1(a, b), (double)sn_mod_f32x1(a, b), (double)quotient,
                 (double)r);
    }
}

static void check_mod64(double a, double b)
{
    double quotient;
    double r = slow_mod64(a, b, &quotient);
    if (!same64(sn_mod_f64x1(a, b), r) || !same64(sn_floordiv_f64x1(a, b), quotient)) {
        fail_msg("%a by %a: %a rest %a, not %a rest %a", a, b, sn_floordiv_f64x1(a, b),
                 sn_mod_f64x1(a, b), quotient, r);
    }
}

/* Bits whose products come near another float, cancel it, or fall below all floats. */
static uint32_t fma_operand(int kind)
{
    uint64_t r = random_bits();
    uint32_t fraction = (uint32_t)r & 0x807fffff;
    switch (kind % 4) {
    case 0:
        return (uint32_t)r;
    case 1:
        return fraction | (96 + (uint32_t)(r >> 32) % 64) << 23;
    case 2:
        return fraction | ((uint32_t)(r >> 32) % 3) << 23;
    default:
        return sn_u32_of_f32(special[(r >> 32) % COUNT(special)]);
    }
}

static void own_fma_is_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < 4000000; i++) {
        float a = float_of(fma_operand(i));
        float b = float_of(fma_operand(i / 4));
        float c = float_of(fma_operand(i / 16));
        if (i / 64 % 2)
            c = -a * b * (1 + (float)(random_bits() % 5) * 0x1p-23f);
        if (!same(sn_fma_f32x1(a, b, c), fmaf(a, b, c)))
            fail_msg("fma(%a, %a, %a) is %a, not %a", (double)a, (double)b, (double)c,
                     (double)sn_fma_f32x1(a, b, c), (double)fmaf(a, b, c));
    }
}

static void mod_and_floordiv_follow_numpy(void **state)
{
    (void)state;
    random_state = 5;
    for (size_t i = 0; i < COUNT(special); i++) {
        for (size_t j = 0; j < COUNT(special); j++) {
            check_mod(special[i], special[j]);
            check_mod(special[i], -special[j]);
            check_mod64((double)special[i], (double)special[j]);
            check_mod64((double)special[i], -(double)special[j]);
        }
    }
    for (int i = 0; i < 100000; i++) {
        uint64_t x = random_bits();
        uint64_t y = random_bits();
        check_mod(float_of(x), float_of(x >> 32));
        check_mod((float)(int16_t)x, (float)(int16_t)y / 16);
        check_mod(float_of(0x3f800000 + (x & 0x0fffffff)), float_of(0x3f800000 | (y & 0x7fffff)));
        check_mod64(sn_f64_of_u64(x), sn_f64_of_u64(y));
        check_mod64((double)(int16_t)x, (double)(int16_t)y / 16);
        check_mod64((double)(int64_t)x, (double)(int32_t)y / 64);
    }
}

/* ---- casts */

/* x to the nearest multiple of 2^(e - digits), e its exponent but at least `least`; infinity from
 * `limit` on. */
static double round_to(double x, int digits, int least, double limit)
{
    if (!(fabs(x) < INFINITY)) {
        return x;
    }
    int e = least;
    if (fabs(x) >= ldexp(1, least)) {
        (void)frexp(x, &e);
        e--;
    }
    double unit = ldexp(1, e - digits);
    double r = rint(x / unit) * unit;
    return fabs(r) >= limit ? copysign(INFINITY, x) : r;
}

static float slow_f16(double x)
{
    return (float)round_to(x, 10, -14, 65536);
}

static float slow_bf16(double x)
{
    return (float)round_to(x, 7, -126, 0x1p128);
}

static void f16_bits_go_to_a_float_and_back(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        int e = (int)(h >> 10) & 31;
        int m = (int)(h & 1023);
        double want = e == 0 ? ldexp(m, -24) : ldexp(1024 + m, e - 25);
        want = e == 31 ? (m ? (double)NAN : (double)INFINITY) : want;
        float x = sn_f16_from_bits_x1(h);
        assert_true(same(x, (float)(h & 0x8000 ? -want : want)));
        assert_true(same(sn_round_f16_x1(x), x));
        if (x == x) {
            assert_int_equal(sn_f16_bits_x1(x), h);
        } else {
            assert_int_equal(sn_f16_bits_x1(x) & 0x7fff, 0x7e00);
        }
    }
}

static void bf16_bits_go_to_a_float_and_back(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        float x = sn_bf16_from_bits_x1(h);
        assert_true(same(x, float_of((uint64_t)h << 16)));
        assert_true(same(sn_round_bf16_x1(x), x));
        assert_int_equal(sn_bf16_bits_x1(x), x == x ? h : 0x7fc0);
    }
}

static void check_rounding(float x)
{
    float f16 = sn_round_f16_x1(x);
    float bf16 = sn_round_bf16_x1(x);
    if (!same(f16, slow_f16((double)x)) || !same(bf16, slow_bf16((double)x))) {
        fail_msg("%a rounds to f16 %a and bf16 %a", (double)x, (double)f16, (double)bf16);
    }
    assert_true(same(sn_f16_from_bits_x1(sn_f16_bits_x1(x)), f16));
    assert_true(same(sn_bf16_from_bits_x1(sn_bf16_bits_x1(x)), bf16));
}

static void rounding_to_f16_and_bf16_is_to_nearest_even(void **state)
{
    (void)state;
    random_state = 6;
    for (size_t i = 0; i < COUNT(special); i++) {
        check_rounding(special[i]);
    }
    for (uint64_t bits = 0; bits < (1ull << 32); bits += 8191) {
        check_rounding(float_of(bits));
        uint64_t r = random_bits();
        check_rounding(
            float_of((r & 0x87ffe000) + 0x33000000 + 0x1000 + (r >> 62) - 1)); /* beside f16 ties */
        check_rounding(float_of((r & 0xffff0000) + 0x8000 + (r >> 62) - 1)); /* beside bf16 ties */
    }
}

static void check_from_double(double x)
{
    float odd = sn_f64_to_f32_odd_x1(x);
    if (!same(sn_round_f16_x1(odd), slow_f16(x)) || !same(sn_round_bf16_x1(odd), slow_bf16(x))) {
        fail_msg("%a by %a is f16 %a and bf16 %a", x, (double)odd, (double)sn_round_f16_x1(odd),
                 (double)sn_round_bf16_x1(odd));
    }
    assert_true(same(sn_f64_to_f32_x1(x), (float)x));
}

static void a_double_becomes_f16_and_bf16_with_one_rounding(void **state)
{
    (void)state;
    random_state = 7;
    for (size_t i = 0; i < COUNT(special); i++) {
        check_from_double((double)special[i]);
    }
    for (int i = 0; i < 100000; i++) {
        uint64_t r = random_bits();
        uint64_t tiny = (r >> 60) == 0 ? 1 : r >> 62;
        uint64_t e = (uint64_t)(1023 - 30 + (int)(r >> 40) % 60) << 52;
        check_from_double(sn_f64_of_u64(r));
        check_from_double(
            sn_f64_of_u64((r & 0x800ffc0000000000) + e + 0x20000000000 + tiny)); /* f16 ties */
        check_from_double(
            sn_f64_of_u64((r & 0x800fe00000000000) + e + 0x100000000000 + tiny)); /* bf16 ties */
        check_from_double(
            sn_f64_of_u64((r & 0x803fffffffffffff) + 0x3800000000000000)); /* about 2^-126 */
        check_from_double(sn_f64_of_u64((r & 0x800fffffffffffff) + 0x36f0000000000000 +
                                        (e & 0x00f0000000000000)));
    }
}

/* The magnitude rounded to `digits` binary digits, ties to even, as a double (exact). */
static double round_integer(uint64_t x, int digits)
{
    int drop = 0;
    while (x >> drop >> digits) {
        drop++;
    }
    uint64_t kept = x >> drop;
    uint64_t rest = x - (kept << drop);
    uint64_t half = drop ? 1ull << (drop - 1) : 0;
    kept += rest > half || (drop && rest == half && (kept & 1));
    return ldexp((double)kept, drop);
}

static void check_integer(uint64_t x)
{
    uint32_t w = (uint32_t)x;
    uint64_t magnitude = (int64_t)x < 0 ? 0 - x : x;
    uint32_t magnitude32 = (int32_t)w < 0 ? 0 - w : w;
    double sign = (int64_t)x < 0 ? -1 : 1;
    double sign32 = (int32_t)w < 0 ? -1 : 1;
    assert_true(same(sn_u64_to_f32_x1(x), (float)round_integer(x, 24)));
    assert_true(same(sn_s64_to_f32_x1(x), (float)(sign * round_integer(magnitude, 24))));
    assert_true(same(sn_u32_to_f32_x1(w), (float)round_integer(w, 24)));
    assert_true(same(sn_s32_to_f32_x1(w), (float)(sign32 * round_integer(magnitude32, 24))));
    assert_true(same64(sn_u64_to_f64_x1(x), round_integer(x, 53)));
    assert_true(same64(sn_s64_to_f64_x1(x), sign * round_integer(magnitude, 53)));
    assert_true(same64(sn_u32_to_f64_x1(w), (double)w));
    assert_true(same64(sn_s32_to_f64_x1(w), (double)(int32_t)w));

    assert_true(same(sn_round_bf16_x1(sn_u64_to_f32_odd_x1(x)), (float)round_integer(x, 8)));
    assert_true(same(sn_round_bf16_x1(sn_s64_to_f32_odd_x1(x)),
                     (float)(sign * round_integer(magnitude, 8))));
    assert_true(same(sn_round_bf16_x1(sn_u32_to_f32_odd_x1(w)), (float)round_integer(w, 8)));
    assert_true(same(sn_round_bf16_x1(sn_s32_to_f32_odd_x1(w)),
                     (float)(sign32 * round_integer(magnitude32, 8))));
    assert_true(same(sn_round_f16_x1(sn_u64_to_f32_odd_x1(x)), slow_f16(round_integer(x, 11))));
    assert_true(same(sn_round_f16_x1(sn_s32_to_f32_odd_x1(w)),
                     slow_f16(sign32 * round_integer(magnitude32, 11))));

    assert_true(sn_s32_to_64_x1(w) == (uint64_t)(int64_t)(int32_t)w && sn_u32_to_64_x1(w) == w);
    assert_true(sn_w64_to_32_x1(x) == w);
    assert_true(sn_wrap_i8_x1(w) == (uint32_t)(int32_t)(int8_t)w && sn_wrap_u8_x1(w) == (uint8_t)w);
    assert_true(sn_wrap_i16_x1(w) == (uint32_t)(int32_t)(int16_t)w &&
                sn_wrap_u16_x1(w) == (uint16_t)w);
}

static void integers_become_floats_with_one_rounding(void **state)
{
    (void)state;
    random_state = 8;
    for (int shift = 0; shift < 64; shift++) {
        for (uint64_t low = 0; low < 5; low++) {
            check_integer((1ull << shift) + low - 2);
            check_integer(0 - (1ull << shift) + low - 2);
        }
        for (int i = 0; i < 1000; i++) {
            uint64_t r = random_bits();
            check_integer(r >> shift);
            check_integer((r >> 55 << 55 >> shift) + (r & 3) - 1); /* beside ties of bf16 */
            check_integer((r >> 39 << 39 >> shift) + (r & 3) - 1); /* beside ties of f32 */
        }
    }
}

/* trunc(x) in low..high, NaN giving 0. */
static __int128 saturated(double x, __int128 low, __int128 high)
{
    if (x != x) {
        return 0;
    }
    __int128 v = (__int128)(x < -0x1p100 ? -0x1p100 : x > 0x1p100 ? 0x1p100 : x);
    return v < low ? low : v > high ? high : v;
}

static void check_to_integers(double x)
{
    float f = (float)x;
    double y = (double)f;
    assert_true(sn_f64_to_i8_x1(x) == (uint32_t)saturated(x, INT8_MIN, INT8_MAX));
    assert_true(sn_f64_to_u8_x1(x) == (uint32_t)saturated(x, 0, UINT8_MAX));
    assert_true(sn_f64_to_i16_x1(x) == (uint32_t)saturated(x, INT16_MIN, INT16_MAX));
    assert_true(sn_f64_to_u16_x1(x) == (uint32_t)saturated(x, 0, UINT16_MAX));
    assert_true(sn_f64_to_i32_x1(x) == (uint32_t)saturated(x, INT32_MIN, INT32_MAX));
    assert_true(sn_f64_to_u32_x1(x) == (uint32_t)saturated(x, 0, UINT32_MAX));
    assert_true(sn_f64_to_i64_x1(x) == (uint64_t)saturated(x, INT64_MIN, INT64_MAX));
    assert_true(sn_f64_to_u64_x1(x) == (uint64_t)saturated(x, 0, UINT64_MAX));
    assert_true(sn_f32_to_i8_x1(f) == (uint32_t)saturated(y, INT8_MIN, INT8_MAX));
    assert_true(sn_f32_to_u8_x1(f) == (uint32_t)saturated(y, 0, UINT8_MAX));
    assert_true(sn_f32_to_i16_x1(f) == (uint32_t)saturated(y, INT16_MIN, INT16_MAX));
    assert_true(sn_f32_to_u16_x1(f) == (uint32_t)saturated(y, 0, UINT16_MAX));
    assert_true(sn_f32_to_i32_x1(f) == (uint32_t)saturated(y, INT32_MIN, INT32_MAX));
    assert_true(sn_f32_to_u32_x1(f) == (uint32_t)saturated(y, 0, UINT32_MAX));
    assert_true(sn_f32_to_i64_x1(f) == (uint64_t)saturated(y, INT64_MIN, INT64_MAX));
    assert_true(sn_f32_to_u64_x1(f) == (uint64_t)saturated(y, 0, UINT64_MAX));
    assert_true(same64(sn_f32_to_f64_x1(f), y));
}

static void floats_become_integers_truncated_saturated_and_nan_as_0(void **state)
{
    (void)state;
    random_state = 9;
    for (size_t i = 0; i < COUNT(special); i++) {
        check_to_integers((double)special[i]);
        check_to_integers(-(double)special[i]);
    }
    for (int shift = 0; shift < 70; shift++) {
        double power = ldexp(1, shift);
        const double near[] = {power,       power - 1,           power + 1,
                               power - 0.5, nextafter(power, 0), nextafterf((float)power, 0)};
        for (size_t i = 0; i < COUNT(near); i++) {
            check_to_integers(near[i]);
            check_to_integers(-near[i]);
        }
        for (int i = 0; i < 1000; i++) {
            check_to_integers(ldexp((double)(int64_t)random_bits(), shift - 66));
        }
    }
    for (int i = 0; i < 10000; i++) {
        check_to_integers(sn_f64_of_u64(random_bits()));
        check_to_integers((double)float_of(random_bits()));
    }
}

/* ---- integers */

static __int128 floor_divide(__int128 a, __int128 b)
{
    __int128 q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

static uint64_t power(uint64_t a, uint64_t b)
{
    uint64_t r = 1;
    for (int bit = 63; bit >= 0; bit--) {
        r = r * r * ((b >> bit) & 1 ? a : 1);
    }
    return r;
}

static uint64_t signed_power(int64_t a, int64_t b)
{
    if (b < 0) {
        return a == 1 ? 1 : a == -1 ? (b % 2 ? ~0ull : 1) : 0;
    }
    return power((uint64_t)a, (uint64_t)b);
}

static void check_int64(uint64_t a, uint64_t b)
{
    int64_t s = (int64_t)a;
    int64_t t = (int64_t)b;
    assert_true(sn_udiv_w64x1(a, b) == (b ? a / b : 0) && sn_umod_w64x1(a, b) == (b ? a % b : 0));
    assert_true(sn_sdiv_w64x1(a, b) == (b ? (uint64_t)floor_divide(s, t) : 0));
    assert_true(sn_smod_w64x1(a, b) == (b ? (uint64_t)((__int128)s - floor_divide(s, t) * t) : 0));
    assert_true(sn_upow_w64x1(a, b) == power(a, b) && sn_spow_w64x1(a, b) == signed_power(s, t));
    assert_true(sn_smin_w64x1(a, b) == (uint64_t)(s < t ? s : t) &&
                sn_smax_w64x1(a, b) == (uint64_t)(s > t ? s : t));
    assert_true(sn_umin_w64x1(a, b) == (a < b ? a : b) && sn_umax_w64x1(a, b) == (a > b ? a : b));
    assert_true(sn_shl_w64x1(a, b) == (b < 64 ? a << b : 0) &&
                sn_ushr_w64x1(a, b) == (b < 64 ? a >> b : 0));
    assert_true(sn_sshr_w64x1(a, b) == (uint64_t)(b < 63 ? s >> b : -(int64_t)(s < 0)));
    assert_true(sn_sabs_w64x1(a) == (s < 0 ? 0 - a : a) && sn_usign_w64x1(a) == (a != 0));
    assert_true(sn_ssign_w64x1(a) == (uint64_t)((s > 0) - (s < 0)));
}

static void check_int32(uint32_t a, uint32_t b)
{
    int32_t s = (int32_t)a;
    int32_t t = (int32_t)b;
    assert_true(sn_udiv_w32x1(a, b) == (b ? a / b : 0) && sn_umod_w32x1(a, b) == (b ? a % b : 0));
    assert_true(sn_sdiv_w32x1(a, b) == (b ? (uint32_t)floor_divide(s, t) : 0));
    assert_true(sn_smod_w32x1(a, b) == (b ? (uint32_t)((__int128)s - floor_divide(s, t) * t) : 0));
    assert_true(sn_upow_w32x1(a, b) == (uint32_t)power(a, b) &&
                sn_spow_w32x1(a, b) == (uint32_t)signed_power(s, t));
    assert_true(sn_smin_w32x1(a, b) == (uint32_t)(s < t ? s : t) &&
                sn_smax_w32x1(a, b) == (uint32_t)(s > t ? s : t));
    assert_true(sn_umin_w32x1(a, b) == (a < b ? a : b) && sn_umax_w32x1(a, b) == (a > b ? a : b));
    assert_true(sn_shl_w32x1(a, b) == (b < 32 ? a << b : 0) &&
                sn_ushr_w32x1(a, b) == (b < 32 ? a >> b : 0));
    assert_true(sn_sshr_w32x1(a, b) == (uint32_t)(b < 31 ? s >> b : -(int32_t)(s < 0)));
    assert_true(sn_sabs_w32x1(a) == (s < 0 ? 0 - a : a) && sn_usign_w32x1(a) == (a != 0));
    assert_true(sn_ssign_w32x1(a) == (uint32_t)((s > 0) - (s < 0)));
}

static void integer_functions_wrap_and_define_every_case(void **state)
{
    (void)state;
    static const uint64_t edge[] = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    8,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    65,
                                    255,
                                    0x7fffffff,
                                    0x80000000,
                                    0x80000001,
                                    0xffffffff,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    0x8000000000000001,
                                    0xffffffffffffffff,
                                    0xfffffffffffffffe,
                                    0xfffffffffffffff9,
                                    0xffffffc0};
    random_state = 10;
    for (size_t i = 0; i < COUNT(edge); i++) {
        for (size_t j = 0; j < COUNT(edge); j++) {
            check_int64(edge[i], edge[j]);
            check_int32((uint32_t)edge[i], (uint32_t)edge[j]);
        }
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t r = random_bits();
        uint64_t a = random_bits() >> (r & 63);
        uint64_t b = random_bits() >> ((r >> 6) & 63);
        check_int64(r & 0x1000 ? 0 - a : a, r & 0x2000 ? 0 - b : b);
        check_int32((uint32_t)(r & 0x1000 ? 0 - a : a), (uint32_t)(r & 0x2000 ? 0 - b : b));
    }
}

/* ---- random numbers */

/* From the known answers published with Random123. */
static void philox_gives_the_known_answers(void **state)
{
    (void)state;
    static const uint32_t rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t w[4] = {rows[i][0], rows[i][1], rows[i][2], rows[i][3]};
        sn_philox_x1(&w[0], &w[1], &w[2], &w[3], rows[i][4], rows[i][5]);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(w[k], rows[i][6 + k]);
        }
    }
}

static void element_i_is_word_i_mod_4_of_block_offset_plus_i_div_4(void **state)
{
    (void)state;
    const uint64_t seed = 0x0123456789abcdef;
    const uint64_t offsets[] = {0, 1, 0xffffffff, 0xffffffffffffffff};
    for (size_t k = 0; k < COUNT(offsets); k++) {
        for (uint64_t i = 0; i < 64; i++) {
            uint64_t counter = offsets[k] + i / 4;
            uint64_t c[4] = {(uint32_t)counter, counter >> 32, 0, 0};
            sn_philox_x1(&c[0], &c[1], &c[2], &c[3], (uint32_t)seed, seed >> 32);
            assert_true(
                same(sn_uniform_x1(i, seed, offsets[k]), (float)(c[i % 4] >> 8) * 0x1p-24f));
            double u1 = ((double)(c[i % 4 & 2] >> 8) + 1) * 0x1p-24;
            double u2 = (double)(c[(i % 4 & 2) + 1] >> 8) * 0x1p-24;
            double angle = 6.28318530717958647693 * u2;
            double want = sqrt(-2 * log(u1)) * (i % 2 ? sin(angle) : cos(angle));
            double got = (double)sn_normal_x1(i, seed, offsets[k]);
            assert_true(fabs(got - want) <= 3e-7 * fabs(want) + 1e-15);
        }
    }
}

static void random_numbers_have_their_moments(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    double sum[2] = {0}, squares[2] = {0}, fourth = 0, neighbours = 0, before = 0;
    float least = 1, most = 0;
    for (uint64_t i = 0; i < N; i++) {
        float uniform = sn_uniform_x1(i, 42, 7);
        double u = (double)uniform - 0.5;
        double n = (double)sn_normal_x1(i, 42, 7);
        least = uniform < least ? uniform : least;
        most = uniform > most ? uniform : most;
        sum[0] += u;
        squares[0] += u * u;
        sum[1] += n;
        squares[1] += n * n;
        fourth += n * n * n * n;
        neighbours += n * before;
        before = n;
    }
    assert_true(least >= 0 && least < 1e-5f && most < 1 && most > 1 - 1e-5f);
    assert_true(fabs(sum[0] / N) < 0.0015 && fabs(squares[0] / N * 12 - 1) < 0.005);
    assert_true(fabs(sum[1] / N) < 0.005 && fabs(squares[1] / N - 1) < 0.007);
    assert_true(fabs(fourth / N - 3) < 0.05 && fabs(neighbours / N) < 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimum_and_maximum_keep_nan_and_order_zeros),
        cmocka_unit_test(our_division_is_correctly_rounded),
        cmocka_unit_test(our_square_root_is_correctly_rounded),
        cmocka_unit_test(own_fma_is_the_processors),
        cmocka_unit_test(mod_and_floordiv_follow_numpy),
        cmocka_unit_test(f16_bits_go_to_a_float_and_back),
        cmocka_unit_test(bf16_bits_go_to_a_float_and_back),
        cmocka_unit_test(rounding_to_f16_and_bf16_is_to_nearest_even),
        cmocka_unit_test(a_double_becomes_f16_and_bf16_with_one_rounding),
        cmocka_unit_test(integers_become_floats_with_one_rounding),
        cmocka_unit_test(floats_become_integers_truncated_saturated_and_nan_as_0),
        cmocka_unit_test(integer_functions_wrap_and_define_every_case),
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(element_i_is_word_i_mod_4_of_block_offset_plus_i_div_4),
        cmocka_unit_test(random_numbers_have_their_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
