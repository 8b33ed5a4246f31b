/* What special.cl is for f32, for f64; where something differs the comments are here. As pairs of
 * doubles have 106 bits, logarithms of such pairs serve inverse hyperbolic functions down to where these
 * are their arguments, with no polynomials of their own. */

//# exp10 f64
/* exp(a * ln(10)), the product as a pair. */
FN T SN(exp10)(T a)
{
    T x = (a < (T)(-330)) ? (T)(-330) : a;
    x = (x > (T)(310)) ? (T)(310) : x;
    T h = x * (T)(0x1.26bb1bbb55516p+1);
    T h_low = fma(x, (T)(-0x1.f48ad494ea3e9p-53), fma(x, (T)(0x1.26bb1bbb55516p+1), -h));
    T t;
    T low;
    T e = SN(exp_pair)(h, h_low, &t, &low);
    return SN(scale)(e + low, t);
}

//# sinh_far f64
/* (exp(x) + sign * exp(-x)) / 2 for x >= 0 and, where the sign is -1, x >= 1. */
FN T SN(sinh_far)(T x, T sign)
{
    T y = (x > (T)(720)) ? (T)(720) : x;
    T t;
    T low;
    T e = SN(exp_pair)(y, (T)(0), &t, &low);
    T back = (T)(0x1.80000000007fep+53) - t;
    T q = SN(scale)(SN(scale)(DIV(sign, e), back), back);
    T d = e + q;
    low = (q - (d - e)) + low;
    return SN(scale)(d + low, t - (T)(1));
}

//# sinh f64
/* An odd polynomial below 1. */
FN T SN(sinh)(T a)
{
    T x = fabs(a);
    T s = x * x;
    T p = (T)(0x1.b5c8becf0dffcp-41);
    p = fma(p, s, (T)(0x1.6116f4386aadap-33));
    p = fma(p, s, (T)(0x1.ae646ff5d14ddp-26));
    p = fma(p, s, (T)(0x1.71de3a3b061bcp-19));
    p = fma(p, s, (T)(0x1.a01a01a03726fp-13));
    p = fma(p, s, (T)(0x1.111111111101ep-7));
    p = fma(p, s, (T)(0x1.5555555555556p-3));
    p = fma(p, s * x, x);
    return SN(with_sign)((x < (T)(1)) ? p : SN(sinh_far)(x, (T)(-1)), a);
}

//# cosh f64
FN T SN(cosh)(T a)
{
    return SN(sinh_far)(fabs(a), (T)(1));
}

//# asin_core f64
FN T SN(asin_core)(T x, T *head)
{
    T far = fma(x, (T)(-0.5f), (T)(0.5f));
    T z = (x > (T)(0.5f)) ? far : x * x;
    T s = (x > (T)(0.5f)) ? SQRT(far) : x;
    T p = (T)(0x1.0b4780a0596a8p-5);
    p = fma(p, z, (T)(-0x1.58000392ebcfep-6));
    p = fma(p, z, (T)(0x1.639e4a20407e2p-6));
    p = fma(p, z, (T)(0x1.e5ef5377b4333p-9));
    p = fma(p, z, (T)(0x1.613cf7125e121p-7));
    p = fma(p, z, (T)(0x1.7585769aa898dp-7));
    p = fma(p, z, (T)(0x1.ca1f8fbba1b24p-7));
    p = fma(p, z, (T)(0x1.1c49f0453eb98p-6));
    p = fma(p, z, (T)(0x1.6e8bdee179bc6p-6));
    p = fma(p, z, (T)(0x1.f1c71a94e91d3p-6));
    p = fma(p, z, (T)(0x1.6db6db72127c8p-5));
    p = fma(p, z, (T)(0x1.333333332e13p-4));
    p = fma(p, z, (T)(0x1.5555555555577p-3));
    *head = s;
    return p * z * s;
}

//# asin f64
FN T SN(asin)(T a)
{
    T x = fabs(a);
    T head;
    T rest = SN(asin_core)(x, &head);
    T high = fma(head, (T)(-2), (T)(0x1.921fb54442d18p+0));
    T low = fma(head, (T)(-2), (T)(0x1.921fb54442d18p+0) - high) + (T)(0x1.1a62633145c07p-54);
    T far = high + fma(rest, (T)(-2), low);
    return SN(with_sign)((x > (T)(0.5f)) ? far : head + rest, a);
}

//# acos f64
FN T SN(acos)(T a)
{
    T x = fabs(a);
    T head;
    T rest = SN(asin_core)(x, &head);
    T factor = SN(with_sign)((T)(1), a) * ((x > (T)(0.5f)) ? (T)(2) : (T)(-1));
    T start = (a < (T)(-0.5f)) ? (T)(0x1.921fb54442d18p+1) : (T)(0x1.921fb54442d18p+0);
    start = (a > (T)(0.5f)) ? (T)(0) : start;
    T high = fma(head, factor, start);
    T low = fma(start, (T)(0x1.678afae35cdd1p-55), fma(head, factor, start - high));
    return high + fma(rest, factor, low);
}

//# atan2 f64
FN T SN(atan2)(T a, T b)
{
    T y = fabs(a);
    T x = fabs(b);
    T less = (y < x) ? y : x;
    T more = (y < x) ? x : y;
    T t = DIV(less, more);
    t = (less == more) ? (T)(1) : t;
    t = (more == (T)(0)) ? (T)(0) : t;
    U sign = (U)(1) << 63;
    U back = AS_U(b) & sign;
    U steep = (y > x) ? sign : (U)(0);
    T start = (back != (U)(0)) ? (T)(0x1.921fb54442d18p+1) : (T)(0);
    start = (steep != (U)(0)) ? (T)(0x1.921fb54442d18p+0) : start;
    t = AS_T(AS_U(t) ^ back ^ steep);
    T s = t * t;
    T high = start + t;
    T low = fma(start, (T)(0x1.678afae35cdd1p-55), t - (high - start));
    T r = SN(with_sign)(high + fma(SN(atan_rest)(s), s * t, low), a);
    return ((a != a) | (b != b)) ? (T)(NAN) : r;
}

//# hypot f64
FN T SN(hypot)(T a, T b)
{
    T y = fabs(a);
    T x = fabs(b);
    T less = (y < x) ? y : x;
    T more = (y < x) ? x : y;
    T up = (more < (T)(0x1p-400)) ? (T)(0x1p+600) : (T)(1);
    T down = (more < (T)(0x1p-400)) ? (T)(0x1p-600) : (T)(1);
    up = (more > (T)(0x1p+500)) ? (T)(0x1p-600) : up;
    down = (more > (T)(0x1p+500)) ? (T)(0x1p+600) : down;
    less = less * up;
    more = more * up;
    T r = SQRT(fma(more, more, less * less)) * down;
    r = ((a != a) | (b != b)) ? (T)(NAN) : r;
    return ((y == (T)(INFINITY)) | (x == (T)(INFINITY))) ? (T)(INFINITY) : r;
}

//# cbrt f64
/* As in f32, with a step of the third order from 14 digits of the inverse root to 42. */
FN T SN(cbrt)(T a)
{
    T x = fabs(a);
    T normal = (x < (T)(0x1p-1022)) ? x * (T)(0x1p54f) : x;
    U bias = (x < (T)(0x1p-1022)) ? (U)(359) : (U)(341);
    U e = AS_U(normal) >> 52;
    U third = (e * (U)(0x5556)) >> 16;
    U rest = e - (third * (U)(3));
    T f = AS_T((AS_U(normal) & (U)(0xfffffffffffff)) | (U)(0x3ff0000000000000));
    T m = AS_T(AS_U(f) + (rest << 52));
    f = f - (T)(1);
    T i = (T)(0x1.d4722210c768p-6);
    i = fma(i, f, (T)(-0x1.b5c28ed2f0e4bp-4));
    i = fma(i, f, (T)(0x1.a06416e80f693p-3));
    i = fma(i, f, (T)(-0x1.5336fcf95767cp-2));
    i = fma(i, f, (T)(0x1.fffb0f6c210f6p-1));
    i = (rest == (U)(1)) ? i * (T)(0x1.965fea53d6e3dp-1) : i;
    i = (rest == (U)(2)) ? i * (T)(0x1.428a2f98d728bp-1) : i;
    T off = fma(-m * i, i * i, (T)(1));
    i = fma(i * off, fma(off, (T)(0x1.c71c71c71c71cp-3), (T)(0x1.5555555555555p-2)), i);
    T square = i * i;
    T c = m * square;
    T c_square = c * c;
    T over = fma(c_square, c, -m);
    over = fma(fma(c, c, -c_square), c, over);
    c = fma(over * square, (T)(-0x1.5555555555555p-2), c);
    T r = AS_T(AS_U(c) + ((third - bias) << 52));
    return ((x > (T)(0)) & (x < (T)(INFINITY))) ? SN(with_sign)(r, a) : a;
}

//# log_of_pair f64
/* log(h + low) + e * ln(2) as result + *rest, for normal h and low far below it. */
FN T SN(log_of_pair)(T h, T low, T e, T *rest)
{
    T n;
    U bits = SN(log_parts)(AS_U(h), (T)(0x1.00000000003ffp+52), &n);
    T f = AS_T(AS_U(h) - bits) - (T)(1);
    T f_low = low * AS_T((U)(0x3ff0000000000000) - bits);
    f_low = fma(fma(f, f, -f), f_low, f_low);
    return SN(log_terms)(n + e, f, f_low, rest);
}

//# log_root f64
/* Here for c = 1 and x >= 2^-28 and for c = -1 and x >= 1. */
FN T SN(log_root)(T x, T c)
{
    T near = (x > (T)(0x1p28f)) ? (T)(0x1p28f) : x;
    T square = near * near;
    T y_low;
    T y = SN(two_sum)(square, c, &y_low);
    y_low = y_low + fma(near, near, -square);
    square = y + y_low;
    y_low = (y - square) + y_low;
    T s = SQRT(square);
    T s_low = (fma(-s, s, square) + y_low) * DIV((T)(0.5f), s);
    s_low = (s == (T)(0)) ? (T)(0) : s_low;
    T v_low;
    T v = SN(two_sum)(near, s, &v_low);
    v_low = v_low + s_low;
    T e = (x > (T)(0x1p28f)) ? (T)(2) : (T)(0);
    v = (x > (T)(0x1p28f)) ? x * (T)(0.5f) : v;
    v_low = (x > (T)(0x1p28f)) ? (T)(0) : v_low;
    T rest;
    T r = SN(log_of_pair)(v, v_low, e, &rest);
    return (x < (T)(INFINITY)) ? r + rest : x;
}

//# asinh f64
FN T SN(asinh)(T a)
{
    T x = fabs(a);
    return SN(with_sign)((x < (T)(0x1p-28f)) ? x : SN(log_root)(x, (T)(1)), a);
}

//# acosh f64
FN T SN(acosh)(T a)
{
    T r = SN(log_root)(a, (T)(-1));
    return (a < (T)(1)) ? (T)(NAN) : r;
}

//# atanh f64
/* Half of log((1 + x) / (1 - x)), all as pairs. */
FN T SN(atanh)(T a)
{
    T x = fabs(a);
    T over = (T)(1) + x;
    T over_low = ((T)(1) - over) + x;
    T under = (T)(1) - x;
    T under_low = ((T)(1) - under) - x;
    T inverse = DIV((T)(1), under);
    T v = over * inverse;
    T v_low = (fma(-v, under_low, fma(-v, under, over)) + over_low) * inverse;
    T rest;
    T r = SN(log_of_pair)(v, v_low, (T)(0), &rest);
    r = (r + rest) * (T)(0.5f);
    r = (x == (T)(1)) ? (T)(INFINITY) : r;
    r = (x > (T)(1)) ? (T)(NAN) : r;
    return SN(with_sign)((x < (T)(0x1p-28f)) ? x : r, a);
}

//# erfc f64
/* 1 - erf(a) below 1/2, else the tail, or 2 less that. */
FN T SN(erfc)(T a)
{
    T x = fabs(a);
    x = (x > (T)(27.3f)) ? (T)(27.3f) : x;
    T tail = SN(erfc_tail)(x);
    tail = (a < (T)(0)) ? (T)(2) - tail : tail;
    return (x < (T)(0.5f)) ? (T)(1) - SN(erf_near)(a) : tail;
}

//# lgamma_beyond f64
/* For x >= 7.5. */
FN T SN(lgamma_beyond)(T x, T *low)
{
    T l_low;
    T l = SN(log_of_pair)(x, (T)(0), (T)(0), &l_low);
    T factor = x - (T)(0.5f);
    T h = l - (T)(1);
    T h_low = ((l - h) - (T)(1)) + l_low;
    T p = factor * h;
    T p_low = fma(factor, h_low, fma(factor, h, -p)) + (T)(0x1.3494bc9001442p-56);
    T y_low;
    T y = SN(two_sum)(p, (T)(0x1.acfe390c97d69p-2), &y_low);
    T inverse = DIV((T)(1), x);
    T s = inverse * inverse;
    T q = (T)(-0x1.a341f2010836ap-10);
    q = fma(q, s, (T)(0x1.b5ccc728c5f36p-11));
    q = fma(q, s, (T)(-0x1.380a23ef0d26dp-11));
    q = fma(q, s, (T)(0x1.a019f56560243p-11));
    q = fma(q, s, (T)(-0x1.6c16c16a5ee9bp-9));
    q = fma(q, s, (T)(0x1.5555555555532p-4));
    *low = (p < (T)(INFINITY)) ? fma(q, inverse, p_low) + y_low : (T)(0);
    return y;
}

//# lgamma_near f64
/* log(gamma(x)) for 0 <= x < 7.5 as result + *low. With x = n + y, n the nearest integer, it is y times
 * a polynomial, which is log(gamma(2 + y)), and the logarithm of the factors between 2 + y and x:
 * (2 + y) ... (x - 1) above, 1 / x or 1 / (x * (x + 1)) below. */
FN T SN(lgamma_near)(T x, T *low)
{
    T n = rint(x);
    T y = x - n;
    T u = (T)(-0x1.21101549aca86p-23);
    u = fma(u, y, (T)(0x1.2d637327d6e39p-22));
    u = fma(u, y, (T)(-0x1.cceb301dc1c1p-22));
    u = fma(u, y, (T)(0x1.ecccaa97219a4p-21));
    u = fma(u, y, (T)(-0x1.1292c811b9ce1p-19));
    u = fma(u, y, (T)(0x1.26519fa2e7101p-18));
    u = fma(u, y, (T)(-0x1.3cb13b1fefd55p-17));
    u = fma(u, y, (T)(0x1.5805c7195809ep-16));
    u = fma(u, y, (T)(-0x1.78debaa86c4ecp-15));
    u = fma(u, y, (T)(0x1.a127e7269bcffp-14));
    u = fma(u, y, (T)(-0x1.d3fd4a811708ap-13));
    u = fma(u, y, (T)(0x1.0b36af187625ap-11));
    u = fma(u, y, (T)(-0x1.38ac5c2f10d7cp-10));
    u = fma(u, y, (T)(0x1.7add6eaeb005ap-9));
    u = fma(u, y, (T)(-0x1.e404fc218a3f8p-8));
    u = fma(u, y, (T)(0x1.51322ac7d7c0bp-6));
    u = fma(u, y, (T)(-0x1.13e001a557614p-4));
    T p = fma(u, y, (T)(0x1.4a34cc4a60fa7p-2));
    T p_low = fma(u, y, (T)(0x1.4a34cc4a60fa7p-2) - p);
    T q = fma(p, y, (T)(0x1.b0ee6072093cep-2));
    T q_low = fma(p_low, y, fma(p, y, (T)(0x1.b0ee6072093cep-2) - q) + (T)(0x1.848178da6980cp-58));
    T r = y * q;
    T r_low = fma(y, q_low, fma(y, q, -r));

    T small = (x < (T)(0x1p-500)) ? x * (T)(0x1p+600) : x;
    T e = (x < (T)(0x1p-500)) ? (T)(-600) : (T)(0);
    T next = x + (T)(1);
    T h = (n == (T)(0)) ? small * next : small;
    T h_low = fma(small, next, -h) + small * (x - (next - (T)(1)));
    h = (n < (T)(2)) ? h : (T)(1);
    h_low = (n == (T)(0)) ? h_low : (T)(0);
    for (int i = 2; i < 7; i++) {
        T factor = y + (T)(i);
        T more = h * factor;
        T more_low = fma(h_low, factor, fma(h, factor, -more));
        h_low = ((T)(i) < n) ? more_low : h_low;
        h = ((T)(i) < n) ? more : h;
    }
    T l_low;
    T l = SN(log_of_pair)(h, h_low, e, &l_low);
    l = (n < (T)(2)) ? -l : l;
    l_low = (n < (T)(2)) ? -l_low : l_low;
    T sum_low;
    T sum = SN(two_sum)(l, r, &sum_low);
    *low = sum_low + (l_low + r_low);
    return sum;
}

//# lgamma_below f64
/* lgamma(-x) for x > 0 by reflection: -log(x * |sin(pi x)| / pi) - lgamma(x), the sine being that of
 * the distance d to an integer. y + y_low is lgamma(x), but lgamma(1 + x) for x < 1/2. */
RARE T SN(lgamma_below)(T x, T y, T y_low)
{
    T d = fabs(x - rint(x));
    T part = (d > (T)(0.25f)) ? (T)(0.5f) - d : d;
    T angle = part * (T)(0x1.921fb54442d18p+1);
    T low = fma(part, (T)(0x1.1a62633145c07p-53), fma(part, (T)(0x1.921fb54442d18p+1), -angle));
    T rest;
    T s = SN(trig_sin)(angle, low, &rest);
    T c = SN(trig_cos)(angle, low, &rest);
    T z = ((d > (T)(0.25f)) ? c : s) * (T)(0x1.45f306dc9c883p-2);
    z = (x < (T)(0.5f)) ? z : z * x;
    T e;
    T f = SN(log_split)(z, &e) - (T)(1);
    T l = SN(log_terms)(e, f, (T)(0), &low);
    T r = SN(two_sum)(l, y, &rest);
    r = -r - (rest + (low + y_low));
    return ((d > (T)(0)) & (x < (T)(INFINITY))) ? r : (T)(INFINITY);
}

//# lgamma f64
/* Factors and a polynomial up to 7.5, beyond Stirling's formula. */
FN T SN(lgamma)(T a)
{
    T x = fabs(a);
    T at = ((a < (T)(0)) & (x < (T)(0.5f))) ? x + (T)(1) : x;
    T near_low;
    T near = SN(lgamma_near)((at < (T)(7.5f)) ? at : (T)(1), &near_low);
    T low;
    T y = SN(lgamma_beyond)(x, &low);
    y = (at < (T)(7.5f)) ? near : y;
    low = (at < (T)(7.5f)) ? near_low : low;
    T r = (x == (T)(0)) ? (T)(INFINITY) : y + low;
    if (SN(any)(a < (T)(0))) {
        r = (a < (T)(0)) ? SN(lgamma_below)(x, y, low) : r;
    }
    return (a != a) ? a : r;
}
