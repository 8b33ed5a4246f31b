/* Inverse, hyperbolic and less common functions, for f32: as math.cl, whose parts they use.
 *
 * The one hard idea: a sum with one large term is written large + rest, where the rest is computed
 * apart, so that its roundings are small against the result's. */

//# exp10
/* 2^n * 10^r with n = rint(a * log2(10)). Within 1.05. */
FN T SN(exp10)(T a)
{
    T x = (a < (T)(-46.0f)) ? (T)(-46.0f) : a;
    x = (x > (T)(39.0f)) ? (T)(39.0f) : x;
    T t = fma(x, (T)(0x1.a934f0p+1f), (T)(0x1.8001fcp+23f));
    T n = t - (T)(0x1.8001fcp+23f);
    T r = fma(n, (T)(-0x1.344136p-2f), x);
    r = fma(n, (T)(0x1.ec10c0p-27f), r);
    T p = (T)(0x1.a64210p-3f);
    p = fma(p, r, (T)(0x1.156a22p-1f));
    p = fma(p, r, (T)(0x1.2bd9fap+0f));
    p = fma(p, r, (T)(0x1.046f9cp+1f));
    p = fma(p, r, (T)(0x1.53524ap+1f));
    p = fma(p, r, (T)(0x1.26bb1cp+1f));
    return SN(scale)(fma(p, r, (T)(1)), t);
}

//# sinh_parts
/* For 0 <= x <= 89.5: x = n * ln 2 + r + low, sinh(r + low) = r + *sinh_rest, cosh(r + low) = 1 +
 * *cosh_rest; *sum + *sum_low and *difference are (2^n + 2^-n) / 4 and (2^n - 2^-n) / 4. */
FN T SN(sinh_parts)(T x, T *sinh_rest, T *cosh_rest, T *sum, T *sum_low, T *difference)
{
    T t = fma(x, (T)(0x1.715476p+0f), (T)(0x1.8000fap+23f));
    T n = t - (T)(0x1.8000fap+23f);
    T r0 = fma(n, (T)(-0x1.62e430p-1f), x);
    T off = n * (T)(0x1.05c610p-29f);
    T r = r0 + off;
    T low = (r0 - r) + off;
    T s = r * r;
    T q = fma((T)(0x1.a2e310p-13f), s, (T)(0x1.110fbep-7f));
    q = fma(q, s, (T)(0x1.555556p-3f));
    *sinh_rest = fma(q, s * r, low);
    T p = fma((T)(0x1.6d4f10p-10f), s, (T)(0x1.5554e6p-5f));
    p = fma(p, s, (T)(0.5f));
    *cosh_rest = fma(p, s, low * r);
    T up = AS_T(AS_U(t) << 23);
    T down = AS_T((U)(0x81000000) - (AS_U(t) << 23));
    *sum = fma(down, (T)(0x1p-8f), up);
    *sum_low = fma(down, (T)(0x1p-8f), up - *sum);
    *difference = fma(down, (T)(-0x1p-8f), up);
    return r;
}

//# sinh
/* Twice difference * cosh + sum * sinh; what is tiny is itself. Within 1.2. */
FN T SN(sinh)(T a)
{
    T x = fabs(a);
    T rest;
    T cosh_rest;
    T sum;
    T sum_low;
    T difference;
    x = (x > (T)(89.5f)) ? (T)(89.5f) : x;
    T r = SN(sinh_parts)(x, &rest, &cosh_rest, &sum, &sum_low, &difference);
    T low = fma(sum, rest, difference * cosh_rest);
    T y = difference + fma(sum, r, low);
    return SN(with_sign)((x < (T)(0x1p-12f)) ? x : y + y, a);
}

//# cosh
/* Twice sum * cosh + difference * sinh. Within 1.0. */
FN T SN(cosh)(T a)
{
    T x = fabs(a);
    T rest;
    T cosh_rest;
    T sum;
    T sum_low;
    T difference;
    x = (x > (T)(89.5f)) ? (T)(89.5f) : x;
    T r = SN(sinh_parts)(x, &rest, &cosh_rest, &sum, &sum_low, &difference);
    T low = fma(difference, rest, sum * cosh_rest);
    T y = sum + (fma(difference, r, low) + sum_low);
    return y + y;
}

//# asin_core
/* asin(x) for x <= 1/2, else asin(sqrt((1 - x) / 2)), as *head + result, for x >= 0. */
FN T SN(asin_core)(T x, T *head)
{
    T far = fma(x, (T)(-0.5f), (T)(0.5f));
    T z = (x > (T)(0.5f)) ? far : x * x;
    T s = (x > (T)(0.5f)) ? SQRT(far) : x;
    T p = (T)(0x1.595c60p-5f);
    p = fma(p, z, (T)(0x1.8c3e50p-6f));
    p = fma(p, z, (T)(0x1.747bb8p-5f));
    p = fma(p, z, (T)(0x1.330204p-4f));
    p = fma(p, z, (T)(0x1.5555c8p-3f));
    *head = s;
    return p * z * s;
}

//# asin
/* pi / 2 - 2 * asin(sqrt((1 - x) / 2)) above 1/2. Within 1.2. */
FN T SN(asin)(T a)
{
    T x = fabs(a);
    T head;
    T rest = SN(asin_core)(x, &head);
    T high = fma(head, (T)(-2.0f), (T)(0x1.921fb6p+0f));
    T low = fma(head, (T)(-2.0f), (T)(0x1.921fb6p+0f) - high) + (T)(-0x1.777a5cp-25f);
    T far = high + fma(rest, (T)(-2.0f), low);
    return SN(with_sign)((x > (T)(0.5f)) ? far : head + rest, a);
}

//# acos
/* pi / 2 - asin(a), or twice the arc sine near 1, or pi less that near -1. Within 1.2. */
FN T SN(acos)(T a)
{
    T x = fabs(a);
    T head;
    T rest = SN(asin_core)(x, &head);
    T factor = (x > (T)(0.5f)) ? (T)(2.0f) : (T)(-1.0f);
    T sign = AS_T((AS_U(a) & (U)(0x80000000)) | AS_U((T)(1)));
    factor = factor * sign;
    T start = (a < (T)(-0.5f)) ? (T)(0x1.921fb6p+1f) : (T)(0x1.921fb6p+0f);
    start = (a > (T)(0.5f)) ? (T)(0) : start;
    T high = fma(head, factor, start);
    T low = fma(start, (T)(-0x1.de12cap-26f), fma(head, factor, start - high));
    return high + fma(rest, factor, low);
}

//# atan2
/* The angle of the point (b, a): atan of the smaller over the larger, turned into its octant; special
 * cases as in C99. Within 1.6. */
FN T SN(atan2)(T a, T b)
{
    T y = fabs(a);
    T x = fabs(b);
    T less = (y < x) ? y : x;
    T more = (y < x) ? x : y;
    T t = DIV(less, more);
    t = (less == more) ? (T)(1) : t;
    t = (more == (T)(0)) ? (T)(0) : t;
    U back = AS_U(b) & (U)(0x80000000);
    U steep = (y > x) ? (U)(0x80000000) : (U)(0);
    T start = (back != (U)(0)) ? (T)(0x1.921fb6p+1f) : (T)(0);
    start = (steep != (U)(0)) ? (T)(0x1.921fb6p+0f) : start;
    t = AS_T(AS_U(t) ^ back ^ steep);
    T s = t * t;
    T high = start + t;
    T low = fma(start, (T)(-0x1.de12cap-26f), t - (high - start));
    T r = SN(with_sign)(high + fma(SN(atan_rest)(s), s * t, low), a);
    return ((a != a) | (b != b)) ? (T)(NAN) : r;
}

//# hypot
/* The root of the sum of squares, scaled where they are out of range: where the larger is not from 2^-40 to 2^60.
 * Within 1.1. */
FN T SN(hypot)(T a, T b)
{
    T y = fabs(a);
    T x = fabs(b);
    T less = (y < x) ? y : x;
    T more = (y < x) ? x : y;
    T r = SQRT(fma(more, more, less * less));
    if (SN(any)(AS_U(more) - (U)(0x2b800000) > (U)(0x32000000))) {
        T up = (more < (T)(0x1p-40f)) ? (T)(0x1p+90f) : (T)(1);
        T down = (more < (T)(0x1p-40f)) ? (T)(0x1p-90f) : (T)(1);
        up = (more > (T)(0x1p+60f)) ? (T)(0x1p-70f) : up;
        down = (more > (T)(0x1p+60f)) ? (T)(0x1p+70f) : down;
        less = less * up;
        more = more * up;
        r = SQRT(fma(more, more, less * less)) * down;
        r = ((y == (T)(INFINITY)) | (x == (T)(INFINITY))) ? (T)(INFINITY) : r;
    }
    return r;
}

//# cbrt
/* |a| = m * 8^k with m in [1, 8). i is near m^(-1/3), to 14 digits, and a step of Newton's takes c =
 * m * i^2 to the root; its remainder c^3 - m is exact but for its last rounding. Within 0.75. */
FN T SN(cbrt)(T a)
{
    T x = fabs(a);
    T normal = (x < (T)(0x1p-126f)) ? x * (T)(0x1p24f) : x;
    U bias = (x < (T)(0x1p-126f)) ? (U)(51) : (U)(43);
    U e = (AS_U(normal) >> 23) + (U)(2);
    U third = (e * (U)(171)) >> 9;
    U rest = e - (third * (U)(3));
    T f = AS_T((AS_U(normal) & (U)(0x7fffff)) | (U)(0x3f800000));
    T m = AS_T(AS_U(f) + (rest << 23));
    f = f - (T)(1);
    T i = (T)(0x1.d46edcp-6f);
    i = fma(i, f, (T)(-0x1.b5c0e6p-4f));
    i = fma(i, f, (T)(0x1.a0639ap-3f));
    i = fma(i, f, (T)(-0x1.5336f6p-2f));
    i = fma(i, f, (T)(0x1.fffb10p-1f));
    i = (rest == (U)(1)) ? i * (T)(0x1.965feap-1f) : i;
    i = (rest == (U)(2)) ? i * (T)(0x1.428a30p-1f) : i;
    T square = i * i;
    T c = m * square;
    T c_square = c * c;
    T over = fma(c_square, c, -m);
    over = fma(fma(c, c, -c_square), c, over);
    c = fma(over * square, (T)(-0x1.555556p-2f), c);
    T r = AS_T(AS_U(c) + ((third - bias) << 23));
    return ((x > (T)(0)) & (x < (T)(INFINITY))) ? SN(with_sign)(r, a) : a;
}

//# log_sum
/* log(h + low) + e * ln(2), for normal h >= 1 and low far below h. */
FN T SN(log_sum)(T h, T low, T e)
{
    U n = (AS_U(h) - (U)(0x3f3504f3)) & (U)(0xff800000);
    e = fma(TO_T(AS_I(n)), (T)(0x1p-23f), e);
    T f = AS_T(AS_U(h) - n) - (T)(1);
    T f_low = low * AS_T((U)(0x3f800000) - n);
    f_low = fma(-f, f_low, f_low);
    T high = fma(e, (T)(0x1.62e430p-1f), f);
    T rest = (f + fma(e, (T)(0x1.62e430p-1f), -high)) + f_low;
    T p = fma(SN(log_rest)(f), f, (T)(-0.5f));
    return high + fma(p, f * f, rest);
}

//# asinh_beyond
/* log(x + sqrt(x^2 + 1)) for x >= 1/2. The square, the root and the sum are held as two floats; the reciprocal for the
 * root's second is of its bits, a twentieth off at most. Beyond 2^13 the sum is 2 * x. */
FN T SN(asinh_beyond)(T x)
{
    T near = (x > (T)(0x1p13f)) ? (T)(0x1p13f) : x;
    T square = near * near;
    T y_low;
    T y = SN(two_sum)(square, (T)(1), &y_low);
    y_low = y_low + fma(near, near, -square);
    T s = SQRT(y);
    T s_low = (fma(-s, s, y) + y_low) * AS_T((U)(0x7e7311c7) - AS_U(s));
    T v_low;
    T v = SN(two_sum)(near, s, &v_low);
    v_low = v_low + s_low;
    T e = (x > (T)(0x1p13f)) ? (T)(2) : (T)(0);
    v = (x > (T)(0x1p13f)) ? x * (T)(0.5f) : v;
    v_low = (x > (T)(0x1p13f)) ? (T)(0) : v_low;
    T r = SN(log_sum)(v, v_low, e);
    return (x < (T)(INFINITY)) ? r : x;
}

//# asinh
/* An odd polynomial below 1/2. Within 0.8. */
FN T SN(asinh)(T a)
{
    T x = fabs(a);
    T s = x * x;
    T p = (T)(0x1.2f523ep-7f);
    p = fma(p, s, (T)(-0x1.487e0ep-6f));
    p = fma(p, s, (T)(0x1.ec11ecp-6f));
    p = fma(p, s, (T)(-0x1.6d7ebcp-5f));
    p = fma(p, s, (T)(0x1.33323ap-4f));
    p = fma(p, s, (T)(-0x1.555554p-3f));
    p = fma(p, s * x, x);
    return SN(with_sign)((x < (T)(0.5f)) ? p : SN(asinh_beyond)(x), a);
}

//# acosh
/* sqrt(2 * t) times a polynomial in t = a - 1 below 3/2; else log(a + sqrt(a^2 - 1)), where the root is the smaller
 * half of the sum, so that one float is enough for it, and left out beyond 2^13, where the sum is 2 * a. Within 1.5. */
FN T SN(acosh)(T a)
{
    T t = a - (T)(1);
    T root = SQRT((t < (T)(0.5f)) ? t + t : fma(a, a, (T)(-1)));
    T p = (T)(-0x1.b14f1ap-12f);
    p = fma(p, t, (T)(0x1.cd6422p-10f));
    p = fma(p, t, (T)(-0x1.6b95d0p-8f));
    p = fma(p, t, (T)(0x1.3324f2p-6f));
    p = fma(p, t, (T)(-0x1.555536p-4f));
    p = fma(p * t, root, root);

    T e = (a > (T)(0x1p13f)) ? (T)(2) : (T)(0);
    T most = (a > (T)(0x1p13f)) ? a * (T)(0.5f) : a;
    root = (a > (T)(0x1p13f)) ? (T)(0) : root;
    T v = most + root;
    T r = SN(log_sum)(v, root - (v - most), e);
    r = (a < (T)(INFINITY)) ? r : a;
    return (t < (T)(0.5f)) ? p : r;
}

//# atanh
/* Half of log(v) for v = (1 + x) / (1 - x) = 2^n * m, which is n * ln(2) / 2 + atanh(z) for z = (m - 1) / (m + 1).
 * n comes from the bits of both before anything is divided: 0, where z is x itself, up to an x of 0.26; then z is
 * at most 0.281, and at least -0.1, so that its roundings are small against the result's. Beyond 23 the sums of 1 and
 * 2^-n are not exact: of the two inputs there one has a z of 1/3, one a value of its own. Within 0.8. */
FN T SN(atanh)(T a)
{
    T x = fabs(a);
    T under = (T)(1) - x;
    U n = (AS_U((T)(1) + x) - AS_U(under) + (U)(0x1c0000)) & (U)(0xff800000);
    n = (n > (U)(0x0b800000)) ? (U)(0x0b800000) : n;
    T scale = AS_T((U)(0x3f800000) - n);
    T over = fma(x, scale + (T)(1), scale - (T)(1));
    T below = fma(x, scale - (T)(1), scale + (T)(1));
    T inverse = DIV((T)(1), below);
    T z = over * inverse;
    T z_low = fma(-z, below, over) * inverse;
    T s = z * z;
    T p = (T)(0x1.0b7246p-3f);
    p = fma(p, s, (T)(0x1.21d73ep-3f));
    p = fma(p, s, (T)(0x1.99ac1cp-3f));
    p = fma(p, s, (T)(0x1.555542p-2f));
    T e = TO_T(AS_I(n)) * (T)(0x1p-24f);
    T high = fma(e, (T)(0x1.62e430p-1f), z);
    T low = z + fma(e, (T)(0x1.62e430p-1f), -high);
    T r = high + (fma(p, s * z, z_low) + low);
    r = (under < (T)(0x1p-23f)) ? (T)(0x1.154246p+3f) : r;
    r = (under == (T)(0)) ? (T)(INFINITY) : r;
    r = (under < (T)(0)) ? (T)(NAN) : r;
    return SN(with_sign)(r, a);
}

//# erfc
/* 1 - erf below 3/8. Else for x = |a| it is exp(-x^2) / (1 + 2 x) times a polynomial in v = (3 - x) /
 * (3 + x), whose value stays near 1.2; 2 less all that below 0. The polynomial, the quotient, x^2 and
 * the exponential are held as two floats. Within 1.5. */
FN T SN(erfc)(T a)
{
    T x = fabs(a);
    x = (x > (T)(10.2f)) ? (T)(10.2f) : x;
    T d = fma(x, (T)(2.0f), (T)(1));
    T d_low = fma(x, (T)(2.0f), (T)(1) - d);
    T far = x + (T)(3.0f);
    T inverse = DIV((T)(1), d * far);
    T v = fma(inverse * d * x, (T)(-2.0f), (T)(1));
    inverse = inverse * far;
    T p = (T)(0x1.e26812p-12f);
    p = fma(p, v, (T)(0x1.ec1946p-10f));
    p = fma(p, v, (T)(-0x1.333298p-9f));
    p = fma(p, v, (T)(-0x1.85bf22p-6f));
    p = fma(p, v, (T)(-0x1.17f55ap-4f));
    p = fma(p, v, (T)(-0x1.e886f0p-4f));
    p = fma(p, v, (T)(-0x1.09818cp-3f));
    p = fma(p, v, (T)(-0x1.85a1dap-5f));
    p = fma(p, v, (T)(0x1.15c07ap-3f));
    T over = fma(p, v, (T)(0x1.40c522p+0f));
    T over_low = fma(p, v, (T)(0x1.40c522p+0f) - over) + (T)(0x1.afc930p-25f);
    T q = over * inverse;
    T q_low = (fma(-q, d, over) + fma(-q, d_low, over_low)) * inverse;

    T square = x * x;
    T t = fma(square, (T)(-0x1.715476p+0f), (T)(0x1.8001fcp+23f));
    T k = t - (T)(0x1.8001fcp+23f);
    T r = fma(k, (T)(-0x1.62e430p-1f), -square);
    r = fma(k, (T)(0x1.05c610p-29f), r);
    r = r - fma(x, x, -square);
    p = fma(SN(exp_rest)(r), r, (T)(1));
    T e = fma(p, r, (T)(1));
    T e_low = fma(p, r, (T)(1) - e);
    T y = q * e;
    T y_low = fma(q, e_low, fma(q_low, e, fma(q, e, -y)));
    T tail = SN(scale)(y + y_low, t);
    tail = (x < (T)(0.375f)) ? (T)(1) - SN(erf_near)(x) : tail;
    return (a < (T)(0)) ? (T)(2) - tail : tail;
}

//# log_two
/* The logarithm of a positive finite x as result + *low. */
FN T SN(log_two)(T x, T *low)
{
    T e;
    T f_low;
    T f = SN(log_pair)(SN(log_split)(x, &e) - (T)(1), &f_low);
    T most = fma(e, (T)(0x1.62e430p-1f), f);
    T rest = f_low + (f + fma(e, (T)(0x1.62e430p-1f), -most));
    rest = fma(e, (T)(-0x1.05c610p-29f), rest);
    T r = most + rest;
    *low = (most - r) + rest;
    return r;
}

//# lgamma_beyond
/* log(gamma(x)) for x > 2.2 as result + *low, by Stirling's formula, given log(x) as l + l_low. */
FN T SN(lgamma_beyond)(T x, T l, T l_low, T *low)
{
    T factor = x - (T)(0.5f);
    T h = l - (T)(1);
    T h_low = ((l - h) - (T)(1)) + l_low;
    T p = factor * h;
    T p_low = fma(factor, h_low, fma(factor, h, -p)) + (T)(-0x1.e6d052p-27f);
    T y_low;
    T y = SN(two_sum)(p, (T)(0x1.acfe3ap-2f), &y_low);
    T inverse = DIV((T)(1), x);
    T s = inverse * inverse;
    T q = (T)(-0x1.7c1492p-12f);
    q = fma(q, s, (T)(0x1.90a3a6p-11f));
    q = fma(q, s, (T)(-0x1.6be4d2p-9f));
    q = fma(q, s, (T)(0x1.555550p-4f));
    *low = (p < (T)(INFINITY)) ? fma(q, inverse, p_low) + y_low : (T)(0);
    return y;
}

//# lgamma_near
/* log(gamma(1 + u)) for -0.3 <= u <= 1.2 as result + *low: u * (u - 1) * polynomial, for the zeros are
 * at 0 and 1. v + v_low = u - 1. */
FN T SN(lgamma_near)(T u, T v, T v_low, T *low)
{
    T g = u - (T)(0.5f);
    T p = (T)(-0x1.747ce6p-11f);
    p = fma(p, g, (T)(0x1.203700p-11f));
    p = fma(p, g, (T)(0x1.295e36p-12f));
    p = fma(p, g, (T)(0x1.06d860p-11f));
    p = fma(p, g, (T)(-0x1.9cccaep-10f));
    p = fma(p, g, (T)(0x1.05b1d2p-9f));
    p = fma(p, g, (T)(-0x1.95dd26p-9f));
    p = fma(p, g, (T)(0x1.641b7ep-8f));
    p = fma(p, g, (T)(-0x1.356230p-7f));
    p = fma(p, g, (T)(0x1.13381ap-6f));
    p = fma(p, g, (T)(-0x1.0078a4p-5f));
    p = fma(p, g, (T)(0x1.01af5ep-4f));
    p = fma(p, g, (T)(-0x1.2aed08p-3f));
    T q = fma(p, g, (T)(0x1.eeb95cp-2f));
    T q_low = fma(p, g, (T)(0x1.eeb95cp-2f) - q) + (T)(-0x1.ed67cep-27f);
    T m = u * v;
    T m_low = fma(u, v_low, fma(u, v, -m));
    T r = m * q;
    *low = fma(m, q_low, fma(m_low, q, fma(m, q, -r)));
    return r;
}

//# lgamma_below
/* lgamma(-x) for x > 0 by reflection: -log(x * |sin(pi x)| / pi) - lgamma(x), the sine being that of
 * the distance to an integer. y + y_low is lgamma(x), but lgamma(1 + x) for x < 1/2. */
RARE T SN(lgamma_below)(T x, T y, T y_low)
{
    T d = fabs(x - rint(x));
    T s = d * d;
    T p = (T)(-0x1.0cd53cp-9f);
    p = fma(p, s, (T)(0x1.aa533ep-6f));
    p = fma(p, s, (T)(-0x1.869ea6p-3f));
    p = fma(p, s, (T)(0x1.9f9c92p-1f));
    p = fma(p, s, (T)(-0x1.a51a66p+0f));
    T z = fma(p, s, (T)(1)) * x;
    z = (x < (T)(0.5f)) ? z : z * d;
    T l_low;
    T l = SN(log_two)(z, &l_low);
    T r_low;
    T r = SN(two_sum)(l, y, &r_low);
    r = -r - (r_low + (l_low + y_low));
    return ((d > (T)(0)) & (x < (T)(INFINITY))) ? r : (T)(INFINITY);
}

//# lgamma
/* log(|gamma(a)|): a polynomial from 0.7 to 2.2, below that one less log(a), beyond Stirling's formula.
 * Within 1.5 above 0; below 0 there are zeros between the poles, and the error is within 2.25 units in
 * the last place of the result or of 1, whichever is larger. */
FN T SN(lgamma)(T a)
{
    T x = fabs(a);
    T from = (x < (T)(0.7f)) ? (T)(1) : (T)(2.0f);
    T u = (x < (T)(0.7f)) ? x : x - (T)(1);
    T v = x - from;
    T near_low;
    T near = SN(lgamma_near)(u, v, x - (v + from), &near_low);

    T l_low;
    T l = SN(log_two)(x, &l_low);
    T far_low;
    T far = SN(lgamma_beyond)(x, l, l_low, &far_low);
    T y = (x > (T)(2.2f)) ? far : near;
    T y_low = (x > (T)(2.2f)) ? far_low : near_low;
    T less = near - l;
    T less_low = (near - (less + l)) + (near_low - l_low);
    T r = (x < (T)(0.7f)) ? less : y;
    T r_low = (x < (T)(0.7f)) ? less_low : y_low;
    T above = (x == (T)(0)) ? (T)(INFINITY) : r + r_low;
    if (SN(any)(a < (T)(0))) {
        y = (x < (T)(0.5f)) ? near : r;
        y_low = (x < (T)(0.5f)) ? near_low : r_low;
        T below = SN(lgamma_below)(x, y, y_low);
        above = (a < (T)(0)) ? below : above;
    }
    return above;
}
