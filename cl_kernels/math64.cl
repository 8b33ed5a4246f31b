/* Transcendental functions and activations, for f64: those of math.cl by the same ideas, so comments
 * are there, and here where something differs. "f64" after a name says that the text is for this class
 * alone. The polynomials are minimax (tools/minimax64.py).
 *
 * A device that has f64 has its fma and divides correctly: OpenCL asks for it (executor/opencl/device.c).
 *
 * Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits of the sum. With 2046 more
 * (0x1.80000000007fep+52) they make two powers of two, for scale(). */

//# scale f64
FN T SN(scale)(T v, T t)
{
    U both = AS_U(t);
    U one = both >> 1;
    T r = v * AS_T(one << 52);
    return r * AS_T((both - one) << 52);
}

//# exp_rest f64
/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; 1/2 at 0. */
FN T SN(exp_rest)(T r)
{
    T p = (T)(0x1.1f2ef6c2c1ea4p-29);
    p = fma(p, r, (T)(0x1.af5c276f21798p-26));
    p = fma(p, r, (T)(0x1.27e4fb877dc14p-22));
    p = fma(p, r, (T)(0x1.71ddf9964baacp-19));
    p = fma(p, r, (T)(0x1.a01a019ede235p-16));
    p = fma(p, r, (T)(0x1.a01a01af8bc46p-13));
    p = fma(p, r, (T)(0x1.6c16c16c1625bp-10));
    p = fma(p, r, (T)(0x1.111111110f6f6p-7));
    p = fma(p, r, (T)(0x1.5555555555559p-5));
    p = fma(p, r, (T)(0x1.5555555555559p-3));
    p = fma(p, r, (T)(0x1p-1));
    return p;
}

//# exp_pair f64
/* exp(h + h_low) / 2^n as result + low, with n as the t of scale(). */
FN T SN(exp_pair)(T h, T h_low, T *t, T *low)
{
    *t = fma(h, (T)(0x1.71547652b82fep+0), (T)(0x1.80000000007fep+52));
    T n = *t - (T)(0x1.80000000007fep+52);
    T r = fma(n, (T)(-0x1.62e42fefa39efp-1), h);
    r = fma(n, (T)(-0x1.abc9e3b39803fp-56), r) + h_low;
    T p = fma(SN(exp_rest)(r), r, (T)(1));
    T e = fma(p, r, (T)(1));
    *low = fma(p, r, (T)(1) - e);
    return e;
}

//# exp f64
FN T SN(exp)(T a)
{
    T x = (a < (T)(-750)) ? (T)(-750) : a;
    x = (x > (T)(710)) ? (T)(710) : x;
    T t;
    T low;
    T e = SN(exp_pair)(x, (T)(0), &t, &low);
    return SN(scale)(e, t);
}

//# exp2_near f64
/* 2^r for |r| <= 1/2. */
FN T SN(exp2_near)(T r)
{
    T p = (T)(0x1.faa16932e03c1p-35);
    p = fma(p, r, (T)(0x1.ed1bdc7cc953ap-32));
    p = fma(p, r, (T)(0x1.e333ce8a85182p-28));
    p = fma(p, r, (T)(0x1.b522c290ce1dbp-24));
    p = fma(p, r, (T)(0x1.62c092607ef71p-20));
    p = fma(p, r, (T)(0x1.ffcbfd7cba74ep-17));
    p = fma(p, r, (T)(0x1.430912dcb51e2p-13));
    p = fma(p, r, (T)(0x1.5d87fe786a95cp-10));
    p = fma(p, r, (T)(0x1.3b2ab6fbaadf7p-7));
    p = fma(p, r, (T)(0x1.c6b08d704a1fbp-5));
    p = fma(p, r, (T)(0x1.ebfbdff82c574p-3));
    p = fma(p, r, (T)(0x1.62e42fefa39efp-1));
    return fma(p, r, (T)(1));
}

//# exp2 f64
FN T SN(exp2)(T a)
{
    T x = (a < (T)(-1080)) ? (T)(-1080) : a;
    x = (x > (T)(1025)) ? (T)(1025) : x;
    T t = x + (T)(0x1.80000000007fep+52);
    T r = x - (t - (T)(0x1.80000000007fep+52));
    return SN(scale)(SN(exp2_near)(r), t);
}

//# expm1 f64
FN T SN(expm1)(T a)
{
    T x = (a < (T)(-40)) ? (T)(-40) : a;
    x = (x > (T)(710)) ? (T)(710) : x;
    T t = fma(x, (T)(0x1.71547652b82fep+0), (T)(0x1.80000000003fep+52));
    T n = t - (T)(0x1.80000000003fep+52);
    T r0 = fma(n, (T)(-0x1.62e42fefa39efp-1), x);
    T off = n * (T)(-0x1.abc9e3b39803fp-56);
    T r = r0 + off;
    T s = AS_T(AS_U(t) << 52);
    T most = s - (T)(0.5f);
    T high = fma(s, r0, most);
    T low = fma(s, r0, most - high);
    T p = fma(SN(exp_rest)(r), r * r, off);
    p = fma(s, p, low) + high;
    return (fabs(a) < (T)(0x1p-54f)) ? a : p + p;
}

//# log_parts f64
/* 2^e * m from the bits of a normal m * 2^e, m in [sqrt(1/2), sqrt(2)): the bits of 2^e less those
 * of 1, and e + base. e is taken out of its bits without a conversion, which vectors lack. */
FN U SN(log_parts)(U bits, T base, T *e)
{
    U biased = bits + (U)(0x00095f619980c433);
    *e = AS_T((biased >> 52) | (U)(0x4330000000000000)) - base;
    return (biased & (U)(0xfff0000000000000)) - (U)(0x3ff0000000000000);
}

//# log_near_split f64
/* A positive normal x is the result, in [sqrt(1/2), sqrt(2)), times 2^(e - bias). */
FN T SN(log_near_split)(T x, T bias, T *e)
{
    U n = SN(log_parts)(AS_U(x), (T)(0x1.00000000003ffp+52) - bias, e);
    return AS_T(AS_U(x) - n);
}

//# log_split f64
/* A positive finite x is the result, in [sqrt(1/2), sqrt(2)), times 2^e. */
FN T SN(log_split)(T x, T *e)
{
    T normal = (x < (T)(0x1p-1022)) ? x * (T)(0x1p52) : x;
    T bias = (x < (T)(0x1p-1022)) ? (T)(-52) : (T)(0);
    return SN(log_near_split)(normal, bias, e);
}

//# is_unusual f64
/* Whether x is anything but positive, normal and finite: the bits of those, moved to the smallest integers. */
FN I SN(is_unusual)(T x)
{
    return AS_I(AS_U(x) + (U)(0x7ff0000000000000)) >= (I)(-0x20000000000000);
}

//# log_rest f64
/* (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f <= sqrt(2). */
FN T SN(log_rest)(T f)
{
    T p = (T)(-0x1.8e704b019c326p-6);
    p = fma(p, f, (T)(0x1.d3338bf9cf2ddp-5));
    p = fma(p, f, (T)(-0x1.0118298db47a2p-4));
    p = fma(p, f, (T)(0x1.bb899eb6c8116p-5));
    p = fma(p, f, (T)(-0x1.b44ac623487c6p-5));
    p = fma(p, f, (T)(0x1.dc9a3f15515dcp-5));
    p = fma(p, f, (T)(-0x1.00d14fb8fe50fp-4));
    p = fma(p, f, (T)(0x1.116a13c9f4f56p-4));
    p = fma(p, f, (T)(-0x1.248927b4aca08p-4));
    p = fma(p, f, (T)(0x1.3b0d746151b71p-4));
    p = fma(p, f, (T)(-0x1.5555787765554p-4));
    p = fma(p, f, (T)(0x1.745d591af4c8ap-4));
    p = fma(p, f, (T)(-0x1.99999a945b20ap-4));
    p = fma(p, f, (T)(0x1.c71c702bb20fap-4));
    p = fma(p, f, (T)(-0x1.fffffff3d6271p-4));
    p = fma(p, f, (T)(0x1.2492492762999p-3));
    p = fma(p, f, (T)(-0x1.555555556af0dp-3));
    p = fma(p, f, (T)(0x1.9999999994d19p-3));
    p = fma(p, f, (T)(-0x1.ffffffffffe7dp-3));
    p = fma(p, f, (T)(0x1.555555555556bp-2));
    return p;
}

//# log_terms f64
/* e * ln(2) + log(1 + f + f_low) as result + *low. */
FN T SN(log_terms)(T e, T f, T f_low, T *low)
{
    T high = fma(e, (T)(0x1.62e42fefa39efp-1), f);
    T rest = f + fma(e, (T)(0x1.62e42fefa39efp-1), -high);
    rest = fma(e, (T)(0x1.abc9e3b39803fp-56), rest) + f_low;
    T p = fma(SN(log_rest)(f), f, (T)(-0.5f));
    *low = fma(p, f * f, rest);
    return high;
}

//# log_near f64
/* log(x * 2^bias) for positive normal x. */
FN T SN(log_near)(T x, T bias)
{
    T e;
    T low;
    T f = SN(log_near_split)(x, bias, &e) - (T)(1);
    T high = SN(log_terms)(e, f, (T)(0), &low);
    return high + low;
}

//# log f64
FN T SN(log)(T a)
{
    T r = SN(log_near)(a, (T)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log_near)(a * (T)(0x1p52), (T)(-52));
        r = SN(log_edge)(a, (a < (T)(0x1p-1022)) ? small : r);
    }
    return r;
}

//# log_pair f64
/* log(1 + f) as result + low. */
FN T SN(log_pair)(T f, T *low)
{
    T half_f = f * (T)(-0.5f);
    T y = fma(half_f, f, f);
    T y_low = fma(half_f, f, f - y);
    *low = fma(SN(log_rest)(f) * f, f * f, y_low);
    return y;
}

//# log2_near f64
/* log2(x * 2^bias) for positive normal x. */
FN T SN(log2_near)(T x, T bias)
{
    T e;
    T y_low;
    T y = SN(log_pair)(SN(log_near_split)(x, bias, &e) - (T)(1), &y_low);
    T scaled = y * (T)(0x1.71547652b82fep+0);
    T low = fma(y, (T)(0x1.71547652b82fep+0), -scaled);
    low = fma(y_low, (T)(0x1.71547652b82fep+0), fma(y, (T)(0x1.777d0ffda0d24p-56), low));
    T high = e + scaled;
    low = low + ((e - high) + scaled);
    return high + low;
}

//# log2 f64
FN T SN(log2)(T a)
{
    T r = SN(log2_near)(a, (T)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log2_near)(a * (T)(0x1p52), (T)(-52));
        r = SN(log_edge)(a, (a < (T)(0x1p-1022)) ? small : r);
    }
    return r;
}

//# log10_near f64
/* log10(x * 2^bias) for positive normal x. */
FN T SN(log10_near)(T x, T bias)
{
    T e;
    T y_low;
    T y = SN(log_pair)(SN(log_near_split)(x, bias, &e) - (T)(1), &y_low);
    T scaled = y * (T)(0x1.bcb7b1526e50ep-2);
    T low = fma(y, (T)(0x1.bcb7b1526e50ep-2), -scaled);
    low = fma(y_low, (T)(0x1.bcb7b1526e50ep-2), fma(y, (T)(0x1.95355baaafad3p-57), low));
    T most = e * (T)(0x1.34413509f7p-2);
    T high = most + scaled;
    low = fma(e, (T)(0x1.3fde623e2566bp-43), low + ((most - high) + scaled));
    return high + low;
}

//# log10 f64
FN T SN(log10)(T a)
{
    T r = SN(log10_near)(a, (T)(0));
    if (SN(any)(SN(is_unusual)(a))) {
        T small = SN(log10_near)(a * (T)(0x1p52), (T)(-52));
        r = SN(log_edge)(a, (a < (T)(0x1p-1022)) ? small : r);
    }
    return r;
}

//# log1p_core f64
FN T SN(log1p_core)(T x)
{
    T e;
    U n = SN(log_parts)(AS_U(x + (T)(1)), (T)(0x1.00000000003ffp+52), &e);
    T s = AS_T((U)(0x4010000000000000) - n);
    T quarter = x * (T)(0.25f);
    T most = fma(s, (T)(0.25f), (T)(-1));
    T f = fma(s, quarter, most);
    T f_low = fma(s, quarter, most - f);
    T low;
    T high = SN(log_terms)(e, f, f_low, &low);
    return high + low;
}

//# log1p f64
FN T SN(log1p)(T a)
{
    T r = SN(log_edge)(a + (T)(1), SN(log1p_core)(a));
    return (fabs(a) < (T)(0x1p-54f)) ? a : r;
}

//# trig_far f64
/* x * (2 / pi) modulo 4 with 126 digits after the point, from the 192 digits of 2 / pi that matter,
 * chosen out of 19 words, the first of which is 0. */
RARE T SN(trig_far)(T x, T *low, U *quadrant)
{
    U bits = AS_U(x);
    U m = ((bits & (U)(0xfffffffffffff)) | (U)(0x10000000000000)) << 11;
    U at = ((bits >> 52) & (U)(0x7ff)) - (U)(1024);
    U by = at & (U)(512);
    U d0 = (by != (U)(0)) ? (U)(0xe88235f52ebb4484) : (U)(0x0);
    U d1 = (by != (U)(0)) ? (U)(0xe99c7026b45f7e41) : (U)(0xa2f9836e4e441529);
    U d2 = (by != (U)(0)) ? (U)(0x3991d639835339f4) : (U)(0xfc2757d1f534ddc0);
    U d3 = (by != (U)(0)) ? (U)(0x9c845f8bbdf9283b) : (U)(0xdb6295993c439041);
    U d4 = (by != (U)(0)) ? (U)(0x1ff897ffde05980f) : (U)(0xfe5163abdebbc561);
    U d5 = (by != (U)(0)) ? (U)(0xef2f118b5a0a6d1f) : (U)(0xb7246e3a424dd2e0);
    U d6 = (by != (U)(0)) ? (U)(0x6d367ecf27cb09b7) : (U)(0x6492eea09d1921c);
    U d7 = (by != (U)(0)) ? (U)(0x4f463f669e5fea2d) : (U)(0xfe1deb1cb129a73e);
    U d8 = (by != (U)(0)) ? (U)(0x7527bac7ebe5f17b) : (U)(0xe88235f52ebb4484);
    U d9 = (by != (U)(0)) ? (U)(0x3d0739f78a5292ea) : (U)(0xe99c7026b45f7e41);
    U d10 = (by != (U)(0)) ? (U)(0x6bfb5fb11f8d5d08) : (U)(0x3991d639835339f4);
    by = at & (U)(256);
    d0 = (by != (U)(0)) ? d4 : d0;
    d1 = (by != (U)(0)) ? d5 : d1;
    d2 = (by != (U)(0)) ? d6 : d2;
    d3 = (by != (U)(0)) ? d7 : d3;
    d4 = (by != (U)(0)) ? d8 : d4;
    d5 = (by != (U)(0)) ? d9 : d5;
    d6 = (by != (U)(0)) ? d10 : d6;
    by = at & (U)(128);
    d0 = (by != (U)(0)) ? d2 : d0;
    d1 = (by != (U)(0)) ? d3 : d1;
    d2 = (by != (U)(0)) ? d4 : d2;
    d3 = (by != (U)(0)) ? d5 : d3;
    d4 = (by != (U)(0)) ? d6 : d4;
    by = at & (U)(64);
    d0 = (by != (U)(0)) ? d1 : d0;
    d1 = (by != (U)(0)) ? d2 : d1;
    d2 = (by != (U)(0)) ? d3 : d2;
    d3 = (by != (U)(0)) ? d4 : d3;
    by = at & (U)(63);
    d0 = (d0 << by) | ((d1 >> 1) >> ((U)(63) - by));
    d1 = (d1 << by) | ((d2 >> 1) >> ((U)(63) - by));
    d2 = (d2 << by) | ((d3 >> 1) >> ((U)(63) - by));

    U lo = m * d1 + mul_hi(m, d2);
    U hi = m * d0 + mul_hi(m, d1) + ((lo < m * d1) ? (U)(1) : (U)(0));
    U q = (hi + (U)(0x2000000000000000)) >> 62;
    T a = TO_T(AS_I(hi << 2) >> 11) * (T)(0x1p-53f);
    T b = fma(TO_T(hi & (U)(0x1ff)), (T)(0x1p-62f), TO_T(lo >> 20) * (T)(0x1p-106f));
    T c = TO_T(lo & (U)(0xfffff)) * (T)(0x1p-126f);
    T turns = a + b;
    T rest = ((a - turns) + b) + c;
    T most = turns * (T)(0x1.921fb54442d18p+0);
    T more = fma(turns, (T)(0x1.921fb54442d18p+0), -most);
    more = fma(turns, (T)(0x1.1a62633145c07p-54), fma(rest, (T)(0x1.921fb54442d18p+0), more));
    T r = most + more;
    T r_low = (most - r) + more;
    *low = (x < (T)(0)) ? -r_low : r_low;
    *quadrant = (x < (T)(0)) ? (U)(0) - q : q;
    return (x < (T)(0)) ? -r : r;
}

//# trig_reduce f64
/* Differs from f32 in that the first difference can be smaller than the second product: what their
 * sum rounds off is found for either order. */
FN T SN(trig_reduce)(T x, T *low, U *quadrant)
{
    T t = fma(x, (T)(0x1.45f306dc9c883p-1), (T)(0x1.8p+52f));
    T n = t - (T)(0x1.8p+52f);
    T r0 = fma(n, (T)(-0x1.921fb54442d18p+0), x);
    T off = n * (T)(-0x1.1a62633145c07p-54);
    T r = r0 + off;
    T back = r - r0;
    T r_low = (r0 - (r - back)) + (off - back);
    r_low = r_low + fma(n, (T)(-0x1.1a62633145c07p-54), -off);
    r_low = fma(n, (T)(0x1.f1976b7ed8fbcp-110), r_low);
    U q = AS_U(t);
    if (SN(any)(fabs(x) > (T)(0x1p30f))) {
        T low_far;
        U q_far;
        T r_far = SN(trig_far)(x, &low_far, &q_far);
        r_low = ((fabs(x) > (T)(0x1p30f)) & (fabs(x) < (T)(INFINITY))) ? low_far : r_low;
        q = ((fabs(x) > (T)(0x1p30f)) & (fabs(x) < (T)(INFINITY))) ? q_far : q;
        r = ((fabs(x) > (T)(0x1p30f)) & (fabs(x) < (T)(INFINITY))) ? r_far : r;
    }
    *low = r_low;
    *quadrant = q;
    return r;
}

//# trig_sin f64
/* sin(r + low) as result + rest, for |r| <= pi / 4 and low far below r. */
FN T SN(trig_sin)(T r, T low, T *rest)
{
    T s = r * r;
    T p = (T)(0x1.5d8b486fab4c3p-33);
    p = fma(p, s, (T)(-0x1.ae5e4b5936903p-26));
    p = fma(p, s, (T)(0x1.71de3554f9d1ep-19));
    p = fma(p, s, (T)(-0x1.a01a019be8f18p-13));
    p = fma(p, s, (T)(0x1.111111110f72fp-7));
    p = fma(p, s, (T)(-0x1.5555555555548p-3));
    p = fma(p, r, low * (T)(-0.5f));
    p = fma(p, s, low);
    T y = r + p;
    *rest = (r - y) + p;
    return y;
}

//# trig_cos f64
/* cos(r + low) as result + rest, for |r| <= pi / 4 and low far below r. */
FN T SN(trig_cos)(T r, T low, T *rest)
{
    T s = r * r;
    T p = (T)(-0x1.8fa68462eb007p-37);
    p = fma(p, s, (T)(0x1.1ee9dbceccc6bp-29));
    p = fma(p, s, (T)(-0x1.27e4f7f191239p-22));
    p = fma(p, s, (T)(0x1.a01a019c8f253p-16));
    p = fma(p, s, (T)(-0x1.6c16c16c15015p-10));
    p = fma(p, s, (T)(0x1.555555555554bp-5));
    T h = fma(s, (T)(-0.5f), (T)(1));
    T h_low = fma(s, (T)(-0.5f), (T)(1) - h);
    p = fma(p, s * s, fma(-r, low, h_low));
    T y = h + p;
    *rest = (h - y) + p;
    return y;
}

//# tan f64
/* sin / cos or -cos / sin, the quotient corrected once. For every a. */
FN T SN(tan)(T a)
{
    T low;
    U q;
    T s_low;
    T c_low;
    T r = SN(trig_reduce)(a, &low, &q);
    T s = SN(trig_sin)(r, low, &s_low);
    T c = SN(trig_cos)(r, low, &c_low);
    T over = ((q & (U)(1)) != (U)(0)) ? -c : s;
    T under = ((q & (U)(1)) != (U)(0)) ? s : c;
    T over_low = ((q & (U)(1)) != (U)(0)) ? -c_low : s_low;
    T under_low = ((q & (U)(1)) != (U)(0)) ? s_low : c_low;
    T inverse = DIV((T)(1), under);
    T y = over * inverse;
    T rest = fma(-y, under, over);
    rest = rest + fma(-y, under_low, over_low);
    return (a == (T)(0)) ? a : fma(rest, inverse, y);
}

//# atan_rest f64
/* (atan(t) - t) / t^3 for |t| <= 1 in terms of s = t^2. */
FN T SN(atan_rest)(T s)
{
    T p = (T)(0x1.bbeca19a95cb3p-17);
    p = fma(p, s, (T)(-0x1.3f358d2ec2649p-13));
    p = fma(p, s, (T)(0x1.b3f9c5a130f8bp-11));
    p = fma(p, s, (T)(-0x1.7a38c35138296p-9));
    p = fma(p, s, (T)(0x1.d7b837e0bfd35p-8));
    p = fma(p, s, (T)(-0x1.c78f0d2bdfba7p-7));
    p = fma(p, s, (T)(0x1.683c56a7a776p-6));
    p = fma(p, s, (T)(-0x1.e9f9a4f5e76b2p-6));
    p = fma(p, s, (T)(0x1.2c2e37fe22044p-5));
    p = fma(p, s, (T)(-0x1.59a3eb12f3a12p-5));
    p = fma(p, s, (T)(0x1.82dacf1c6e276p-5));
    p = fma(p, s, (T)(-0x1.ae5e6ffb11aefp-5));
    p = fma(p, s, (T)(0x1.e1bba5bbe1cdfp-5));
    p = fma(p, s, (T)(-0x1.110e5116a9836p-4));
    p = fma(p, s, (T)(0x1.3b136697f9209p-4));
    p = fma(p, s, (T)(-0x1.745d11ae40b5dp-4));
    p = fma(p, s, (T)(0x1.c71c717fcc5b8p-4));
    p = fma(p, s, (T)(-0x1.249249237f4a7p-3));
    p = fma(p, s, (T)(0x1.99999999955b1p-3));
    return fma(p, s, (T)(-0x1.5555555555526p-2));
}

//# atan f64
FN T SN(atan)(T a)
{
    T x = fabs(a);
    T t = (x > (T)(1)) ? DIV((T)(-1), x) : x;
    T s = t * t;
    T start = (x > (T)(1)) ? (T)(0x1.921fb54442d18p+0) : (T)(0);
    T high = start + t;
    T low = fma(start, (T)(0x1.678afae35cdd1p-55), t - (high - start));
    return SN(with_sign)(high + fma(SN(atan_rest)(s), s * t, low), a);
}

//# tanh f64
/* The same two parts, which meet at 0.6. */
FN T SN(tanh)(T a)
{
    T x = fabs(a);
    T s = x * x;
    T p = (T)(-0x1.203b08a2fe75dp-16);
    p = fma(p, s, (T)(0x1.4cad3c42d0559p-14));
    p = fma(p, s, (T)(-0x1.e32e76afef666p-13));
    p = fma(p, s, (T)(0x1.33db3bf157a51p-11));
    p = fma(p, s, (T)(-0x1.7d79df3a943p-10));
    p = fma(p, s, (T)(0x1.d6d0c6b7e6073p-9));
    p = fma(p, s, (T)(-0x1.226e2297a4987p-7));
    p = fma(p, s, (T)(0x1.664f47f04a49bp-6));
    p = fma(p, s, (T)(-0x1.ba1ba1b781f38p-5));
    p = fma(p, s, (T)(0x1.111111110e1d3p-3));
    p = fma(p, s, (T)(-0x1.555555555553p-2));
    p = fma(p, s * x, x);

    T y = (x > (T)(20)) ? (T)(20) : x;
    T t;
    T low;
    T e = SN(exp_pair)(y + y, (T)(0), &t, &low);
    e = fma(e, AS_T((AS_U(t) - (U)(1023)) << 52), (T)(1));
    e = (T)(1) - DIV((T)(2), e);
    return SN(with_sign)((x < (T)(0x1.3333333333333p-1)) ? p : e, a);
}

//# normal_tail f64
/* w * 2 * Phi(-x - x_low), Phi the normal distribution function, for 0 <= x < 38.7 and h + h_low half
 * of x's square. It is exp(-h) * f / (1 + x), where f changes little between 0 and infinity: a
 * polynomial in (x - 4) / (x + 4) (Shepherd and Laframboise, Chebyshev approximation of (1 + 2x)
 * exp(x^2) erfc x in 0 <= x < infinity, 1981). */
FN T SN(normal_tail)(T x, T x_low, T h, T h_low, T w)
{
    T v = DIV(x - (T)(4), x + (T)(4));
    T p = (T)(-0x1.01cea6241f017p-31);
    p = fma(p, v, (T)(-0x1.d9ff027afbe4ep-31));
    p = fma(p, v, (T)(0x1.42b6d6cf03babp-27));
    p = fma(p, v, (T)(0x1.d0cb735b9f32p-26));
    p = fma(p, v, (T)(-0x1.3c64e7965268ep-25));
    p = fma(p, v, (T)(-0x1.c03a4d05b867ap-23));
    p = fma(p, v, (T)(0x1.4e6cd5060e686p-29));
    p = fma(p, v, (T)(0x1.25152b7810c9ap-20));
    p = fma(p, v, (T)(0x1.b19fd5413c4cap-21));
    p = fma(p, v, (T)(-0x1.5e3ab5eb0cdafp-18));
    p = fma(p, v, (T)(-0x1.cc94f16a90ef1p-18));
    p = fma(p, v, (T)(0x1.c932c0842d7edp-16));
    p = fma(p, v, (T)(0x1.64832e88d8e71p-15));
    p = fma(p, v, (T)(-0x1.707b4d0dc3ca2p-13));
    p = fma(p, v, (T)(-0x1.8c11a618bd52dp-13));
    p = fma(p, v, (T)(0x1.6c538110e505p-10));
    p = fma(p, v, (T)(-0x1.2b7f5e634d447p-11));
    p = fma(p, v, (T)(-0x1.47d5fc6eac2b8p-7));
    p = fma(p, v, (T)(0x1.25dd72061cc3bp-5));
    p = fma(p, v, (T)(-0x1.07c3c258348c5p-4));
    p = fma(p, v, (T)(0x1.d4969f10df1f6p-5));
    p = fma(p, v, (T)(0x1.cabd72a6103p-6));
    p = fma(p, v, (T)(-0x1.8c18f2086e342p-3));
    T f = fma(p, v, (T)(0x1.e361ea6fba141p-1));
    T f_low = fma(p, v, (T)(0x1.e361ea6fba141p-1) - f);
    T d = x + (T)(1);
    T d_low = (x - (d - (T)(1))) + x_low;
    T inverse = DIV((T)(1), d);
    T q = f * inverse;
    T q_low = fma(-q, d_low, fma(-q, d, f) + f_low) * inverse;

    T t;
    T e_low;
    T e = SN(exp_pair)(-h, -h_low, &t, &e_low);
    T wq = w * q;
    T wq_low = fma(w, q_low, fma(w, q, -wq));
    T y = wq * e;
    T y_low = fma(wq, e_low, fma(wq_low, e, fma(wq, e, -y)));
    return SN(scale)(y + y_low, t);
}

//# erfc_tail f64
/* 1 - erf(x) for 0 <= x < 27.3. */
FN T SN(erfc_tail)(T x)
{
    T y = x * (T)(0x1.6a09e667f3bcdp+0);
    T y_low = fma(x, (T)(-0x1.bdd3413b26456p-54), fma(x, (T)(0x1.6a09e667f3bcdp+0), -y));
    T h = x * x;
    return SN(normal_tail)(y, y_low, h, fma(x, x, -h), (T)(1));
}

//# erf_near f64
/* erf(x) for |x| < 1/2. */
FN T SN(erf_near)(T x)
{
    T s = x * x;
    T p = (T)(0x1.836867d7d53f6p-20);
    p = fma(p, s, (T)(-0x1.f12c62ddf4bb3p-17));
    p = fma(p, s, (T)(0x1.f9814cff6e521p-14));
    p = fma(p, s, (T)(-0x1.c02cfd25c4619p-11));
    p = fma(p, s, (T)(0x1.565bcacb43f37p-8));
    p = fma(p, s, (T)(-0x1.b82ce30a7ebc6p-6));
    p = fma(p, s, (T)(0x1.ce2f21a034711p-4));
    p = fma(p, s, (T)(-0x1.812746b03794ap-2));
    p = fma(p, s, (T)(0x1.06eba8214db68p-3));
    return fma(p, x, x);
}

//# erf f64
/* An odd polynomial near 0, else 1 less the tail. */
FN T SN(erf)(T a)
{
    T x = fabs(a);
    T y = (x > (T)(6)) ? (T)(6) : x;
    T r = (T)(1) - SN(erfc_tail)(y);
    return SN(with_sign)((x < (T)(0.5f)) ? SN(erf_near)(x) : r, a);
}

//# pow_log2 f64
/* log2(x * 2^bias) as result + low to about 2^-67, next to the root of 2 to 2^-64, for positive normal x: as in f32,
 * with the first coefficient of p in two parts. */
FN T SN(pow_log2)(T x, T bias, T *low)
{
    T e;
    T m = SN(log_near_split)(x, bias, &e);
    T f = m - (T)(1);
    T g = m + (T)(1);
    T g_low = m - (g - (T)(1));
    T inverse = DIV((T)(1), g);
    T s = f * inverse;
    T s_low = fma(-s, g_low, fma(-s, g, f)) * inverse;

    T q = s * s;
    T q_low = fma(s, s_low + s_low, fma(s, s, -q));
    T u = (T)(0x1.63c3b37d64651p-3);
    u = fma(u, q, (T)(0x1.58bdf305cab28p-3));
    u = fma(u, q, (T)(0x1.8a0d415ea736ap-3));
    u = fma(u, q, (T)(0x1.c68ecdc86ed57p-3));
    u = fma(u, q, (T)(0x1.0c9a8579ee712p-2));
    u = fma(u, q, (T)(0x1.484b13d603639p-2));
    u = fma(u, q, (T)(0x1.a61762a7afde7p-2));
    u = fma(u, q, (T)(0x1.2776c50ef9bf6p-1));
    T p = fma(u, q, (T)(0x1.ec709dc3a03fdp-1));
    T p_low = fma(u, q, (T)(0x1.ec709dc3a03fdp-1) - p) + (T)(0x1.d8d1642c59807p-55);
    T k = fma(p, q, (T)(0x1.71547652b82fep+1));
    T k_low = fma(p_low, q, fma(p, q_low, (T)(0x1.777d0ffda0d24p-55)));
    k_low = fma(p, q, (T)(0x1.71547652b82fep+1) - k) + k_low;

    T r = fma(s, k, e);
    *low = fma(s, k_low, fma(s_low, k, fma(s, k, e - r)));
    return r;
}

//# pow_rare f64
/* a^b for every a and b. */
RARE T SN(pow_rare)(T a, T b)
{
    T x = fabs(a);
    T normal = (x < (T)(0x1p-1022)) ? x * (T)(0x1p52) : x;
    T bias = (x < (T)(0x1p-1022)) ? (T)(-52) : (T)(0);
    T low;
    T log2_a = SN(pow_log2)(normal, bias, &low);
    T y = (b > (T)(0x1p64f)) ? (T)(0x1p64f) : b;
    y = (y < (T)(-0x1p64f)) ? (T)(-0x1p64f) : y;
    T z = y * log2_a;
    T z_low = fma(y, low, fma(y, log2_a, -z));
    z_low = (fabs(z) < (T)(2048)) ? z_low : (T)(0);
    z = (z < (T)(-1080)) ? (T)(-1080) : z;
    z = (z > (T)(1026)) ? (T)(1026) : z;
    T t = z + (T)(0x1.80000000007fep+52);
    T r = (z - (t - (T)(0x1.80000000007fep+52))) + z_low;
    return SN(pow_edge)(a, b, SN(scale)(SN(exp2_near)(r), t));
}

//# pow f64
/* As in f32. */
FN T SN(pow)(T a, T b)
{
    T low;
    T log2_a = SN(pow_log2)(a, (T)(0), &low);
    T z = b * log2_a;
    T z_low = fma(b, low, fma(b, log2_a, -z));
    T t = z + (T)(0x1.8p+52);
    T r = SN(exp2_near)((z - (t - (T)(0x1.8p+52))) + z_low);
    r = AS_T(AS_U(r) + (AS_U(t) << 52));
    if (SN(any)(SN(is_unusual)(a) | !(fabs(z) < (T)(1021))))
        r = SN(pow_rare)(a, b);
    return r;
}

//# logistic_tail f64
FN T SN(logistic_tail)(T x, T low, T w)
{
    T t;
    T e_low;
    T e = SN(exp_pair)(x, low, &t, &e_low);
    t = (T)(0x1.80000000007fep+53) - t;
    T s = SN(scale)((T)(1), t);
    T d = e + s;
    T d_low = (s - (d - e)) + e_low;
    T inverse = DIV((T)(1), d);
    T q = w * inverse;
    T rest = fma(-q, d_low, fma(-q, d, w));
    return SN(scale)(fma(rest, inverse, q), t);
}

//# logistic f64
FN T SN(logistic)(T x, T w)
{
    return SN(logistic_tail)(x, (T)(0), w);
}

//# gelu f64
/* a * Phi(a), from the tail as in f32. */
FN T SN(gelu)(T a)
{
    T x = fabs(a);
    x = (x > (T)(38.7f)) ? (T)(38.7f) : x;
    T half_x = x * (T)(0.5f);
    T h = half_x * x;
    T tail = SN(normal_tail)(x, (T)(0), h, fma(half_x, x, -h), half_x);
    return SN(or_minus_0)(a) - tail;
}

//# gelu_tanh f64
FN T SN(gelu_tanh)(T a)
{
    T x = fabs(a);
    x = (x > (T)(22)) ? (T)(22) : x;
    T square = x * x;
    T square_low = fma(x, x, -square);
    T v = square * (T)(0x1.2444f2a4d8b4bp-4);
    T v_low = fma(square, (T)(0x1.2444f2a4d8b4bp-4), -v);
    v_low = fma(square, (T)(-0x1.6c843a29d1c7p-61), v_low);
    v_low = fma(square_low, (T)(0x1.2444f2a4d8b4bp-4), v_low);
    T k = v + (T)(0x1.9884533d43651p+0);
    T back = k - v;
    T k_low = (v - (k - back)) + ((T)(0x1.9884533d43651p+0) - back);
    k_low = k_low + (v_low + (T)(-0x1.cbc0d30ebfd15p-54));
    T z = x * k;
    T z_low = fma(x, k_low, fma(x, k, -z));
    T tail = SN(logistic_tail)(z, z_low, x);
    return SN(or_minus_0)(a) - tail;
}

//# softplus f64
FN T SN(softplus)(T a)
{
    T e = SN(exp)(-fabs(a));
    T rest = (e < (T)(0x1p-54f)) ? e : SN(log1p_core)(e);
    return ((a > (T)(0)) ? a : (T)(0)) + rest;
}
