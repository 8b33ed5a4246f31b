/* Transcendental functions and activations, for f32.
 *
 * All of it is built of operations that are exact or rounded once, so the bits are the same
 * everywhere. The polynomials are minimax, with coefficients that are floats (tools/minimax.py).
 * The bounds are the largest errors found against the C library in double, in units in the last
 * place (tests/unit/test_accuracy.c).
 *
 * The one hard idea: a value that must be known to more than 24 bits is held as two floats, high
 * + low, and the low one joins in the last operation, so that only that operation rounds visibly.
 *
 * Adding 1.5 * 2^23 rounds to an integer and leaves that integer in the low bits of the sum:
 * cheaper than rint and a conversion, and harmless for every input. With 127 more (0x1.8000fep+23),
 * shifting the bits of the sum left by 23 gives that power of two; with 254 more (0x1.8001fcp+23)
 * they make two powers, for scale(). */

//# scale
/* v * 2^n rounded once, for v that is not subnormal; t = 1.5 * 2^23 + 254 + n, -252 <= n <= 254.
 * The power is the product of two, whose exponents with their bias are the halves of n + 254. */
FN T SN(scale)(T v, T t)
{
    U both = AS_U(t);
    U one = both >> 1;
    T r = v * AS_T(one << 23);
    return r * AS_T((both - one) << 23);
}

//# exp_rest
/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2. */
FN T SN(exp_rest)(T r)
{
    T p = (T)(0x1.6b977ep-10f);
    p = fma(p, r, (T)(0x1.12253ap-7f));
    p = fma(p, r, (T)(0x1.5556f6p-5f));
    p = fma(p, r, (T)(0x1.5554b4p-3f));
    return fma(p, r, (T)(0x1.fffffep-2f));
}

//# exp_near
/* exp(x) / 2^n with n = rint(x / ln 2), and t = shift + n, shift being 1.5 * 2^23 and more. */
FN T SN(exp_near)(T x, T shift, T *t)
{
    *t = fma(x, (T)(0x1.715476p+0f), shift);
    T n = *t - shift;
    T r = fma(n, (T)(-0x1.62e430p-1f), x);
    r = fma(n, (T)(0x1.05c610p-29f), r);
    T p = fma(SN(exp_rest)(r), r, (T)(1));
    return fma(p, r, (T)(1));
}

//# exp
/* 2^n * exp(r) with n = rint(a / ln 2). Within 0.93. */
FN T SN(exp)(T a)
{
    T x = (a < (T)(-104.0f)) ? (T)(-104.0f) : a;
    x = (x > (T)(89.0f)) ? (T)(89.0f) : x;
    T t;
    T r = SN(exp_near)(x, (T)(0x1.8001fcp+23f), &t);
    return SN(scale)(r, t);
}

//# exp_below
/* exp(a) for a that is not above 0, or NaN, with the same bits: what cannot overflow is 2^64 times
 * as much until the last multiplication, which rounds what is subnormal. */
FN T SN(exp_below)(T a)
{
    T x = (a < (T)(-104.0f)) ? (T)(-104.0f) : a;
    T t;
    T r = SN(exp_near)(x, (T)(0x1.80017ep+23f), &t);
    return r * AS_T(AS_U(t) << 23) * (T)(0x1p-64f);
}

//# exp2_near
/* 2^r for |r| <= 1/2. */
FN T SN(exp2_near)(T r)
{
    T p = (T)(0x1.416b5ap-13f);
    p = fma(p, r, (T)(0x1.5f0830p-10f));
    p = fma(p, r, (T)(0x1.3b2de0p-7f));
    p = fma(p, r, (T)(0x1.c6af7cp-5f));
    p = fma(p, r, (T)(0x1.ebfbdcp-3f));
    p = fma(p, r, (T)(0x1.62e430p-1f));
    return fma(p, r, (T)(1));
}

//# exp2
/* 2^n * 2^r with n = rint(a), both exact. Within 0.89. */
FN T SN(exp2)(T a)
{
    T x = (a < (T)(-151.0f)) ? (T)(-151.0f) : a;
    x = (x > (T)(129.0f)) ? (T)(129.0f) : x;
    T t = x + (T)(0x1.8001fcp+23f);
    T r = x - (t - (T)(0x1.8001fcp+23f));
    return SN(scale)(SN(exp2_near)(r), t);
}

//# expm1
/* 2^n * (exp(r) - 1) + (2^n - 1), the largest term added last, together with what the sum before
 * lost. Half of everything is computed, so that 2^n stays finite. What is tiny is itself. Within
 * 1.05. */
FN T SN(expm1)(T a)
{
    T x = (a < (T)(-20.0f)) ? (T)(-20.0f) : a;
    x = (x > (T)(89.0f)) ? (T)(89.0f) : x;
    T t = fma(x, (T)(0x1.715476p+0f), (T)(0x1.8000fcp+23f));
    T n = t - (T)(0x1.8000fcp+23f);
    T r0 = fma(n, (T)(-0x1.62e430p-1f), x);
    T off = n * (T)(0x1.05c610p-29f);
    T r = r0 + off;
    T p = (T)(0x1.9e694cp-13f);
    p = fma(p, r, (T)(0x1.6d3a3ep-10f));
    p = fma(p, r, (T)(0x1.1112dcp-7f));
    p = fma(p, r, (T)(0x1.5554f8p-5f));
    p = fma(p, r, (T)(0x1.555554p-3f));
    p = fma(p, r, (T)(0.5f));
    p = fma(p, r * r, off);
    T s = AS_T(AS_U(t) << 23);
    T most = s - (T)(0.5f);
    T high = fma(s, r0, most);
    T low = fma(s, r0, most - high);
    p = fma(s, p, low) + high;
    return (fabs(a) < (T)(0x1p-25f)) ? a : p + p;
}

//# log_parts
/* A positive normal x is the result, in [sqrt(1/2), sqrt(2)), times 2^(e - bias). */
FN T SN(log_parts)(T x, I bias, T *e)
{
    U n = (AS_U(x) - (U)(0x3f3504f3)) & (U)(0xff800000);
    *e = TO_T((AS_I(n) >> 23) + bias);
    return AS_T(AS_U(x) - n);
}

//# log_split
/* A positive finite x is the result, in [sqrt(1/2), sqrt(2)), times 2^e. */
FN T SN(log_split)(T x, T *e)
{
    T normal = (x < (T)(0x1p-126f)) ? x * (T)(0x1p23f) : x;
    I bias = (x < (T)(0x1p-126f)) ? (I)(-23) : (I)(0);
    return SN(log_parts)(normal, bias, e);
}

//# is_unusual
/* Whether x is anything but positive, normal and finite: the bits of those, moved to the smallest integers. */
FN I SN(is_unusual)(T x)
{
    return AS_I(AS_U(x) + (U)(0x7f800000)) >= (I)(-0x1000000);
}

//# log_rest
/* (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f <= sqrt(2). */
FN T SN(log_rest)(T f)
{
    T p = (T)(-0x1.38c902p-4f);
    p = fma(p, f, (T)(0x1.055e64p-3f));
    p = fma(p, f, (T)(-0x1.0d8234p-3f));
    p = fma(p, f, (T)(0x1.22d936p-3f));
    p = fma(p, f, (T)(-0x1.54728cp-3f));
    p = fma(p, f, (T)(0x1.99a01cp-3f));
    p = fma(p, f, (T)(-0x1.000226p-2f));
    return fma(p, f, (T)(0x1.555554p-2f));
}

//# log_near
/* log(x * 2^bias) for positive normal x: x = 2^e * (1 + f). */
FN T SN(log_near)(T x, I bias)
{
    T e;
    T f = SN(log_parts)(x, bias, &e) - (T)(1);
    T high = fma(e, (T)(0x1.62e430p-1f), f);
    T low = f + fma(e, (T)(0x1.62e430p-1f), -high);
    T p = fma(SN(log_rest)(f), f, (T)(-0.5f));
    return high + fma(p, f * f, low);
}

//# log
/* Within 0.94. */
FN T SN(log)(T a)
{
    T r = SN(log_near)(a, (I)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log_near)(a * (T)(0x1p23f), (I)(-23));
        r = SN(log_edge)(a, (a < (T)(0x1p-126f)) ? small : r);
    }
    return r;
}

//# log_pair
/* log(1 + f) as result + low, for sqrt(1/2) <= 1 + f <= sqrt(2): f - f^2 / 2 exactly, and more. */
FN T SN(log_pair)(T f, T *low)
{
    T half_f = f * (T)(-0.5f);
    T y = fma(half_f, f, f);
    T y_low = fma(half_f, f, f - y);
    *low = fma(SN(log_rest)(f) * f, f * f, y_low);
    return y;
}

//# log2_near
/* log2(x * 2^bias) for positive normal x. */
FN T SN(log2_near)(T x, I bias)
{
    T e;
    T y_low;
    T y = SN(log_pair)(SN(log_parts)(x, bias, &e) - (T)(1), &y_low);
    T scaled = y * (T)(0x1.715476p+0f);
    T low = fma(y, (T)(0x1.715476p+0f), -scaled);
    low = fma(y_low, (T)(0x1.715476p+0f), fma(y, (T)(0x1.4ae0c0p-26f), low));
    T high = e + scaled;
    low = low + ((e - high) + scaled);
    return high + low;
}

//# log2
/* Exact for powers of two. Within 0.77. */
FN T SN(log2)(T a)
{
    T r = SN(log2_near)(a, (I)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log2_near)(a * (T)(0x1p23f), (I)(-23));
        r = SN(log_edge)(a, (a < (T)(0x1p-126f)) ? small : r);
    }
    return r;
}

//# log10_near
/* log10(x * 2^bias) for positive normal x; e times the first digits of log10(2) is exact. */
FN T SN(log10_near)(T x, I bias)
{
    T e;
    T y_low;
    T y = SN(log_pair)(SN(log_parts)(x, bias, &e) - (T)(1), &y_low);
    T scaled = y * (T)(0x1.bcb7b2p-2f);
    T low = fma(y, (T)(0x1.bcb7b2p-2f), -scaled);
    low = fma(y_low, (T)(0x1.bcb7b2p-2f), fma(y, (T)(-0x1.5b235ep-27f), low));
    T most = e * (T)(0x1.3440p-2f);
    T high = most + scaled;
    low = fma(e, (T)(0x1.3509f8p-18f), low + ((most - high) + scaled));
    return high + low;
}

//# log10
/* Within 0.7. */
FN T SN(log10)(T a)
{
    T r = SN(log10_near)(a, (I)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log10_near)(a * (T)(0x1p23f), (I)(-23));
        r = SN(log_edge)(a, (a < (T)(0x1p-126f)) ? small : r);
    }
    return r;
}

//# log1p_core
/* log(1 + x) for finite x > -1 that is not tiny. 1 + x = 2^e * (1 + f), and f is taken from x
 * itself, which is exact while x does not drown the 1; both its factors are a quarter or four
 * times, to stay normal. */
FN T SN(log1p_core)(T x)
{
    U n = (AS_U(x + (T)(1)) - (U)(0x3f3504f3)) & (U)(0xff800000);
    T e = TO_T(AS_I(n)) * (T)(0x1p-23f);
    T s = AS_T((U)(0x40800000) - n);
    T quarter = x * (T)(0.25f);
    T most = fma(s, (T)(0.25f), (T)(-1));
    T f = fma(s, quarter, most);
    T f_low = fma(s, quarter, most - f);
    T high = fma(e, (T)(0x1.62e430p-1f), f);
    T low = (f + fma(e, (T)(0x1.62e430p-1f), -high)) + f_low;
    T p = fma(SN(log_rest)(f), f, (T)(-0.5f));
    return high + fma(p, f * f, low);
}

//# log1p
/* Within 1.06. */
FN T SN(log1p)(T a)
{
    T r = SN(log_edge)(a + (T)(1), SN(log1p_core)(a));
    return (fabs(a) < (T)(0x1p-25f)) ? a : r;
}

//# trig_far
/* The same as trig_reduce() for finite x of any size: x * (2 / pi) modulo 4 as an integer with 62
 * digits after the point, from the 96 digits of 2 / pi that matter for the exponent of x (Payne and
 * Hanek, Radian reduction for trigonometric functions, 1983). The digits are chosen out of a table
 * in three steps: by 64, by 32, by shifting. */
RARE T SN(trig_far)(T x, T *low, U *quadrant)
{
    U bits = AS_U(x);
    U m = ((bits & (U)(0x7fffff)) | (U)(0x800000)) << 8;
    U at = ((bits >> 23) & (U)(0xff)) - (U)(128);
    U by64 = at & (U)(64);
    U d0 = (by64 != (U)(0)) ? (U)(0x4e441529) : (U)(0);
    U d1 = (by64 != (U)(0)) ? (U)(0xfc2757d1) : (U)(0xa2f9836e);
    U d2 = (by64 != (U)(0)) ? (U)(0xf534ddc0) : (U)(0x4e441529);
    U d3 = (by64 != (U)(0)) ? (U)(0xdb629599) : (U)(0xfc2757d1);
    U d4 = (by64 != (U)(0)) ? (U)(0x3c439041) : (U)(0xf534ddc0);
    U by32 = at & (U)(32);
    d0 = (by32 != (U)(0)) ? d1 : d0;
    d1 = (by32 != (U)(0)) ? d2 : d1;
    d2 = (by32 != (U)(0)) ? d3 : d2;
    d3 = (by32 != (U)(0)) ? d4 : d3;
    U by = at & (U)(31);
    d0 = (d0 << by) | ((d1 >> 1) >> ((U)(31) - by));
    d1 = (d1 << by) | ((d2 >> 1) >> ((U)(31) - by));
    d2 = (d2 << by) | ((d3 >> 1) >> ((U)(31) - by));

    U lo = m * d1 + mul_hi(m, d2);
    U hi = m * d0 + mul_hi(m, d1) + ((lo < m * d1) ? (U)(1) : (U)(0));
    U q = (hi + (U)(0x20000000)) >> 30;
    T a = TO_T(AS_I(hi << 2) >> 8) * (T)(0x1p-24f);
    T b = fma(TO_T(hi & (U)(0x3f)), (T)(0x1p-30f), TO_T(lo >> 14) * (T)(0x1p-48f));
    T c = TO_T((lo << 2) & (U)(0xffff)) * (T)(0x1p-64f);
    T turns = a + b;
    T rest = ((a - turns) + b) + c;
    T most = turns * (T)(0x1.921fb6p+0f);
    T more = fma(turns, (T)(0x1.921fb6p+0f), -most);
    more = fma(turns, (T)(-0x1.777a5cp-25f), fma(rest, (T)(0x1.921fb6p+0f), more));
    T r = most + more;
    T r_low = (most - r) + more;
    *low = (x < (T)(0)) ? -r_low : r_low;
    *quadrant = (x < (T)(0)) ? (U)(0) - q : q;
    return (x < (T)(0)) ? -r : r;
}

//# trig_reduce
/* x = quadrant * pi / 2 + result + low, the result within pi / 4; only the last two bits of the
 * quadrant count. pi / 2 is the sum of three floats: the first product leaves an exact difference,
 * the second is held with its rounding error, the third is below both. */
FN T SN(trig_reduce)(T x, T *low, U *quadrant)
{
    T t = fma(x, (T)(0x1.45f306p-1f), (T)(0x1.8p+23f));
    T n = t - (T)(0x1.8p+23f);
    T r0 = fma(n, (T)(-0x1.921fb6p+0f), x);
    T off = n * (T)(0x1.777a5cp-25f);
    T r = r0 + off;
    T r_low = (r0 - r) + off;
    r_low = r_low + fma(n, (T)(0x1.777a5cp-25f), -off);
    r_low = fma(n, (T)(0x1.ee59dap-50f), r_low);
    U q = AS_U(t);
    if (SN(any)(fabs(x) > (T)(0x1.9p+16f))) {
        T low_far;
        U q_far;
        T r_far = SN(trig_far)(x, &low_far, &q_far);
        r_low = ((fabs(x) > (T)(0x1.9p+16f)) & (fabs(x) < (T)(INFINITY))) ? low_far : r_low;
        q = ((fabs(x) > (T)(0x1.9p+16f)) & (fabs(x) < (T)(INFINITY))) ? q_far : q;
        r = ((fabs(x) > (T)(0x1.9p+16f)) & (fabs(x) < (T)(INFINITY))) ? r_far : r;
    }
    *low = r_low;
    *quadrant = q;
    return r;
}

//# trig_sin
/* sin(r + low) as result + rest, for |r| <= pi / 4 and low far below r. */
FN T SN(trig_sin)(T r, T low, T *rest)
{
    T s = r * r;
    T p = (T)(-0x1.9952fap-13f);
    p = fma(p, s, (T)(0x1.110776p-7f));
    p = fma(p, s, (T)(-0x1.555546p-3f));
    p = fma(p, r, low * (T)(-0.5f));
    p = fma(p, s, low);
    T y = r + p;
    *rest = (r - y) + p;
    return y;
}

//# trig_cos
/* cos(r + low) as result + rest, for |r| <= pi / 4 and low far below r. */
FN T SN(trig_cos)(T r, T low, T *rest)
{
    T s = r * r;
    T p = (T)(0x1.99e80cp-16f);
    p = fma(p, s, (T)(-0x1.6c0c28p-10f));
    p = fma(p, s, (T)(0x1.55554ap-5f));
    T h = fma(s, (T)(-0.5f), (T)(1));
    T h_low = fma(s, (T)(-0.5f), (T)(1) - h);
    p = fma(p, s * s, fma(-r, low, h_low));
    T y = h + p;
    *rest = (h - y) + p;
    return y;
}

//# tan
/* y + rest = r + r^3 * p(r^2), and low times the derivative, which is near 1 + s + s^2; in odd quadrants
 * -1 / (y + rest). Next to a multiple of pi / 2 low is not far below r, so y takes it in. For every a. Within
 * 0.98. */
FN T SN(tan)(T a)
{
    T low;
    U q;
    T r = SN(trig_reduce)(a, &low, &q);
    T s = r * r;
    T p = (T)(0x1.1e96b0p-8f);
    p = fma(p, s, (T)(0x1.99f6aap-14f));
    p = fma(p, s, (T)(0x1.62cdc2p-7f));
    p = fma(p, s, (T)(0x1.5cc07ep-6f));
    p = fma(p, s, (T)(0x1.bad9c6p-5f));
    p = fma(p, s, (T)(0x1.110d9ep-3f));
    p = fma(p, s, (T)(0x1.555560p-2f));
    T cube = s * r;
    T most = fma(p, cube, r);
    T more = fma(p, cube, r - most) + fma(fma(s, s, s), low, low);
    T y = most + more;
    T rest = (most - y) + more;
    T inverse = DIV((T)(-1), y);
    T off = fma(inverse, rest, fma(inverse, y, (T)(1)));
    T back = fma(off, inverse, inverse);
    y = ((q & (U)(1)) != (U)(0)) ? back : y;
    return (a == (T)(0)) ? a : y;
}

//# atan_rest
/* (atan(t) - t) / t^3 for |t| <= 1 in terms of s = t^2. */
FN T SN(atan_rest)(T s)
{
    T p = (T)(-0x1.d33e6cp-10f);
    p = fma(p, s, (T)(0x1.641958p-7f));
    p = fma(p, s, (T)(-0x1.fd76aep-6f));
    p = fma(p, s, (T)(0x1.da27c0p-5f));
    p = fma(p, s, (T)(-0x1.5808c4p-4f));
    p = fma(p, s, (T)(0x1.c08c44p-4f));
    p = fma(p, s, (T)(-0x1.242086p-3f));
    p = fma(p, s, (T)(0x1.9991e4p-3f));
    return fma(p, s, (T)(-0x1.55553ep-2f));
}

//# atan
/* pi / 2 - atan(1 / x) above 1. Within 1.22. */
FN T SN(atan)(T a)
{
    T x = fabs(a);
    T t = (x > (T)(1)) ? DIV((T)(-1), x) : x;
    T s = t * t;
    T start = (x > (T)(1)) ? (T)(0x1.921fb6p+0f) : (T)(0);
    T high = start + t;
    T low = fma(start, (T)(-0x1.de12cap-26f), t - (high - start));
    return SN(with_sign)(high + fma(SN(atan_rest)(s), s * t, low), a);
}

//# tanh
/* An odd polynomial near 0, else 1 - 2 / (exp(2 x) + 1). Within 1.03. */
FN T SN(tanh)(T a)
{
    T x = fabs(a);
    T s = x * x;
    T p = (T)(0x1.670aecp-10f);
    p = fma(p, s, (T)(-0x1.cac874p-8f));
    p = fma(p, s, (T)(0x1.584f52p-6f));
    p = fma(p, s, (T)(-0x1.b868c4p-5f));
    p = fma(p, s, (T)(0x1.1104a6p-3f));
    p = fma(p, s, (T)(-0x1.555518p-2f));
    p = fma(p, s * x, x);

    T y = (x > (T)(10.0f)) ? (T)(10.0f) : x;
    T t = fma(y, (T)(0x1.715476p+1f), (T)(0x1.8000fep+23f));
    T n = t - (T)(0x1.8000fep+23f);
    T r = fma(n, (T)(-0x1.62e430p-1f), y + y);
    r = fma(n, (T)(0x1.05c610p-29f), r);
    T e = fma(SN(exp_rest)(r), r, (T)(1));
    e = fma(e, r, (T)(1));
    e = fma(e, AS_T(AS_U(t) << 23), (T)(1));
    e = (T)(1) - DIV((T)(2), e);
    return SN(with_sign)((x < (T)(0.875f)) ? p : e, a);
}

//# erf_near
/* erf(x) for |x| < 0.9. */
FN T SN(erf_near)(T x)
{
    T s = x * x;
    T p = (T)(-0x1.3ba9e8p-11f);
    p = fma(p, s, (T)(0x1.479ca0p-8f));
    p = fma(p, s, (T)(-0x1.b69b96p-6f));
    p = fma(p, s, (T)(0x1.ce1b86p-4f));
    p = fma(p, s, (T)(-0x1.8126ecp-2f));
    p = fma(p, s, (T)(0x1.06eba6p-3f));
    return fma(p, x, x);
}

//# erf
/* An odd polynomial near 0, else 1 - 2^-p(x) with a polynomial p. Within 1.25. */
FN T SN(erf)(T a)
{
    T x = fabs(a);
    T y = (x > (T)(4.0f)) ? (T)(4.0f) : x;
    T z = (T)(0x1.2bdb3ap-12f);
    z = fma(z, y, (T)(-0x1.21d56cp-8f));
    z = fma(z, y, (T)(0x1.07bb5cp-5f));
    z = fma(z, y, (T)(-0x1.339e1ap-3f));
    z = fma(z, y, (T)(-0x1.d68244p-1f));
    z = fma(z, y, (T)(-0x1.a0877cp+0f));
    z = fma(z, y, (T)(-0x1.f7a674p-13f));
    T t = z + (T)(0x1.8000fep+23f);
    T r = SN(exp2_near)(z - (t - (T)(0x1.8000fep+23f)));
    r = fma(-r, AS_T(AS_U(t) << 23), (T)(1));
    return SN(with_sign)((x < (T)(0.9f)) ? SN(erf_near)(x) : r, a);
}

//# pow_log2
/* log2(x * 2^bias) as result + low to about 2^-31, for positive normal x: with s = (m - 1) / (m + 1) it is e + s * k,
 * k = 2 / ln 2 + q * p with q = s^2 and p a polynomial in q. Every step keeps what it rounds off; 2 / ln 2 * (1 + q)
 * is how fast s * k grows with s. */
FN T SN(pow_log2)(T x, I bias, T *low)
{
    T e;
    T m = SN(log_parts)(x, bias, &e);
    T f = m - (T)(1);
    T g = m + (T)(1);
    T g_low = m - (g - (T)(1));
    T inverse = DIV((T)(1), g);
    T s = f * inverse;
    T s_low = fma(-s, g_low, fma(-s, g, f)) * inverse;

    T q = s * s;
    T q_low = fma(s, s, -q);
    T p = (T)(0x1.58915cp-2f);
    p = fma(p, q, (T)(0x1.a5d040p-2f));
    p = fma(p, q, (T)(0x1.2776e0p-1f));
    p = fma(p, q, (T)(0x1.ec709ep-1f));
    T k = fma(p, q, (T)(0x1.715476p+1f));
    T k_low = fma(p, q, (T)(0x1.715476p+1f) - k) + fma(p, q_low, (T)(0x1.4ae0c0p-25f));

    T r = fma(s, k, e);
    T rest = fma(s, k, e - r);
    rest = fma(s_low, fma(q, (T)(0x1.715476p+1f), (T)(0x1.715476p+1f)), rest);
    *low = fma(s, k_low, rest);
    return r;
}

//# pow_rare
/* a^b for every a and b. */
RARE T SN(pow_rare)(T a, T b)
{
    T x = fabs(a);
    T normal = (x < (T)(0x1p-126f)) ? x * (T)(0x1p23f) : x;
    I bias = (x < (T)(0x1p-126f)) ? (I)(-23) : (I)(0);
    T low;
    T log2_a = SN(pow_log2)(normal, bias, &low);
    T z = b * log2_a;
    T z_low = fma(b, low, fma(b, log2_a, -z));
    z_low = (fabs(z) < (T)(256.0f)) ? z_low : (T)(0);
    z = (z < (T)(-152.0f)) ? (T)(-152.0f) : z;
    z = (z > (T)(130.0f)) ? (T)(130.0f) : z;
    T t = z + (T)(0x1.8001fcp+23f);
    T r = (z - (t - (T)(0x1.8001fcp+23f))) + z_low;
    r = SN(scale)(SN(exp2_near)(r), t);
    r = ((x == (T)(1)) & (fabs(b) == (T)(INFINITY))) ? (T)(1) : r;
    return SN(pow_edge)(a, b, r);
}

//# pow
/* 2^(b * log2(a)), the logarithm and the product as two floats, where the result is normal and a positive, normal and
 * finite; there pow_rare() gives the same. Within 1.2; special cases as in C99. */
FN T SN(pow)(T a, T b)
{
    T low;
    T log2_a = SN(pow_log2)(a, (I)(0), &low);
    T z = b * log2_a;
    T z_low = fma(b, low, fma(b, log2_a, -z));
    T t = z + (T)(0x1.8p+23f);
    T r = SN(exp2_near)((z - (t - (T)(0x1.8p+23f))) + z_low);
    r = AS_T(AS_U(r) + (AS_U(t) << 23));
    if (SN(any)(SN(is_unusual)(a) | !(fabs(z) < (T)(125.0f))))
        r = SN(pow_rare)(a, b);
    return r;
}

//# logistic_rest
/* x = n * ln 2 + the result, for 0 <= x < 130; AS_U(*t) << 23 is 2^(64 - n). */
FN T SN(logistic_rest)(T x, T *t)
{
    *t = fma(x, (T)(-0x1.715476p+0f), (T)(0x1.80017ep+23f));
    T n = *t - (T)(0x1.80017ep+23f);
    T r = fma(n, (T)(0x1.62e430p-1f), x);
    return fma(n, (T)(-0x1.05c610p-29f), r);
}

//# logistic_quick
/* w / (1 + exp(x)) of what logistic_rest() makes of x, accurate until it underflows: exp(x) = 2^n *
 * exp(r), and the quotient is 2^(64 - n) * w / (2^(64 - n) + 2^64 * exp(r)), the small numbers of
 * its denominator first. The power is a normal number, so that what the quotient is rounded to is
 * the result, subnormal or not. */
FN T SN(logistic_quick)(T r, T t, T w)
{
    T power = AS_T(AS_U(t) << 23);
    T p = (T)(0x1.6b977ep+54f); /* 2^64 times those of exp_rest() */
    p = fma(p, r, (T)(0x1.12253ap+57f));
    p = fma(p, r, (T)(0x1.5556f6p+59f));
    p = fma(p, r, (T)(0x1.5554b4p+61f));
    p = fma(p, r, (T)(0x1.fffffep+62f));
    p = fma(p, r, (T)(0x1p+64f));
    T d = (T)(0x1p+64f) + fma(p, r, power);
    return DIV(w * power, d);
}

//# logistic
/* w / (1 + exp(x)) for x >= 0. */
FN T SN(logistic)(T x, T w)
{
    T t;
    T r = SN(logistic_rest)(x, &t);
    return SN(logistic_quick)(r, t, w);
}

//# gelu
/* a * Phi(a), Phi the normal distribution function. For x = |a| the tail Phi(-x) is 2^k * exp(-r /
 * 2) times a rational function n / d, so nothing cancels: -x * tail below 0, a - x * tail above, in
 * one fma. Terms of n and d are added in pairs, in fewer steps than by Horner's rule; what x^2 is
 * rounded by leaves the quotient. Both are scaled so that their roundings are small where all add
 * up. The ln(2) of r is one float; that it is off is in n / d, as is 2^-32, so that 2^(k + 32) is a
 * normal float. -inf gives -0. Within 3.7 above 0, within 5 below. */
FN T SN(gelu)(T a)
{
    T x = fabs(a);
    x = (x > (T)(14.7f)) ? (T)(14.7f) : x;
    T square = x * x;
    T n = fma(square, (T)(0x1.8e2d60p-40f), fma(x, (T)(0x1.ee4fbap-37f), (T)(0x1.17c394p-34f)));
    n = fma(square, n, fma(x, (T)(0x1.4fafb8p-33f), (T)(0x1.806bd8p-33f)));
    T d = fma(square, fma(x, (T)(0x1.f30920p-7f), (T)(0x1.35c8b4p-3f)), fma(x, (T)(0x1.664f72p-1f), (T)(0x1.cc3d38p+0f)));
    d = fma(square, d, fma(x, (T)(0x1.413484p+1f), (T)(0x1.806bd8p+0f)));
    T q = DIV(n, d);

    T t = fma(square, (T)(-0x1.715476p-1f), (T)(0x1.80013ep+23f));
    T k = t - (T)(0x1.80013ep+23f);
    T r = fma(k, (T)(0x1.62e430p+0f), square);
    r = r + fma(x, x, -square);
    T p = (T)(0x1.6d7a5ap-16f);
    p = fma(p, r, (T)(-0x1.123992p-12f));
    p = fma(p, r, (T)(0x1.5554c0p-9f));
    p = fma(p, r, (T)(-0x1.555492p-6f));
    p = fma(p, r, (T)(0.125f));
    p = fma(p, r, (T)(-0.5f));
    T tail = fma(q, p * r, q);
    T scaled = x * AS_T(AS_U(t) << 23);
    return fma(-scaled, tail, SN(or_minus_0)(a));
}

//# gelu_tanh
/* a / 2 * (1 + tanh(u)) = a / (1 + exp(-2 u)) with 2 u = a * (c + d * a^2), which is held as two floats, so that the
 * tail below 0 stays accurate. c has 21 bits, so that it can be taken away from the sum again to the last bit. -inf
 * gives -0. Within 2.2. */
FN T SN(gelu_tanh)(T a)
{
    T x = fabs(a);
    x = (x > (T)(11.0f)) ? (T)(11.0f) : x;
    T square = x * x;
    T k = fma(square, (T)(0x1.2444f2p-4f), (T)(0x1.98845p+0f));
    T k_low = fma(square, (T)(0x1.2444f2p-4f), (T)(0x1.98845p+0f) - k);
    k_low = k_low + fma(square, (T)(0x1.49b16ap-29f), (T)(0x1.9ea1b2p-23f));
    k_low = fma(fma(x, x, -square), (T)(0x1.2444f2p-4f), k_low);
    T z = x * k;
    T t;
    T r = SN(logistic_rest)(z, &t) + fma(x, k_low, fma(x, k, -z));
    return SN(or_minus_0)(a) - SN(logistic_quick)(r, t, x);
}

//# softplus
/* max(a, 0) + log(1 + e) with e = exp(-|a|), which is e + e^2 times a polynomial: no range has to be reduced. Its
 * terms are added in pairs, since what waits for e is most of the time. Within 2.4. */
FN T SN(softplus)(T a)
{
    T e = SN(exp)(-fabs(a));
    T s = e * e;
    T q = fma(s, fma(e, (T)(0x1.935c9ep-3f), (T)(-0x1.ff26e0p-3f)), fma(e, (T)(0x1.554df0p-2f), (T)(-0x1.ffffd2p-2f)));
    T r = fma(s, fma(e, (T)(0x1.4b081ep-6f), (T)(-0x1.d8630ep-5f)), fma(e, (T)(0x1.b579b8p-4f), (T)(-0x1.3a7a7ep-3f)));
    T square = s * s;
    q = fma(square, fma(square, (T)(-0x1.b2f55ep-9f), r), q);
    return ((a > (T)(0)) ? a : (T)(0)) + fma(s, q, e);
}
