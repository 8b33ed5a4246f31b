/* Arithmetic of floats that OpenCL leaves open: what NaN and signed zeros do in minimum and
 * maximum, floor division as NumPy defines it, division and square root for devices whose own
 * are not correctly rounded, and what functions give at the edges of their domains. The one hard
 * idea: every case is computed and then chosen, so that vectors never branch, but on a question
 * whose answer a whole loop shares. */

//# any
/* Whether a mask is true in any lane. OpenCL's any() tests one lane after the other on PoCL; of an or of halves
 * compilers make one test of the whole vector. Where masks have registers of their own, they make bytes of one in a
 * single step, and of 32-bit lanes in three. */
FN int SN(any)(I mask)
{
#if LANES == 16 && defined __AVX512F__
    ulong2 bytes = as_ulong2(convert_char16(mask));
    return (bytes.x | bytes.y) != 0;
#elif LANES > 1
    return SH(any)(mask.lo | mask.hi);
#else
    return mask != 0;
#endif
}

//# min
/* NaN if either is; -0 < +0. A choice gives the second of two equal operands, and if one is NaN: made both ways round,
 * the two results are the same number but for those, which or-ing makes -0 and NaN. */
FN T SN(min)(T a, T b)
{
    T one = (a < b) ? a : b;
    T other = (b < a) ? b : a;
    return AS_T(AS_U(one) | AS_U(other));
}

//# max
/* NaN if either is; -0 < +0. The choice gives a if they are equal or one is NaN, which is wrong only if b is +0 or NaN:
 * of a b that is the same for all elements, a compiler settles that before the loop over them. */
FN T SN(max)(T a, T b)
{
    U keep = (AS_U(b) == (U)(0)) ? ~((U)(1) << (BITS - 1)) : ~(U)(0);
    U nan = (b != b) ? ~(U)(0) : (U)(0);
    T r = (b > a) ? b : a;
    return AS_T((AS_U(r) & keep) | nan);
}

//# max_of
/* max as a reduction folds it, of a b that no loop leaves alone. The two choices give the two operands where they are
 * equal or one is NaN, and else the larger one twice: the sign that only both have, and every other bit that one has,
 * are max. */
FN T SN(max_of)(T a, T b)
{
    U one = AS_U((a > b) ? a : b);
    U other = AS_U((b > a) ? b : a);
    return AS_T((one & other) | ((one | other) & ~((U)(1) << (BITS - 1))));
}

//# larger
/* max_of for a maximum that no result shows (fusion/nest/larger.h): NaN is passed over, and of two zeros it is either. */
FN T SN(larger)(T a, T b)
{
    return (b > a) ? b : a;
}

//# min_asked
/* min of a b that every lane shares, in a kernel that has asked whether any such number is 0 or NaN: `rare`. The choice
 * gives a if they are equal, so that it is wrong only if b is -0, and then lacks the sign, or NaN. A compiler makes a
 * loop for either answer where it sees nothing of the one in the other; else it keeps a mask for each number. */
FN T SN(min_asked)(int rare, T a, T b)
{
    U sign = (U)(1) << (BITS - 1);
    U lacks = ((AS_U(b) == sign) ? sign : (U)(0)) | ((b != b) ? ~(U)(0) : (U)(0));
    T r = (b < a) ? b : a;
    if (RARELY(rare))
        return AS_T(AS_U(r) | lacks);
    return r;
}

//# max_asked
FN T SN(max_asked)(int rare, T a, T b)
{
    return rare ? SN(max)(a, b) : ((b > a) ? b : a);
}

//# min_shared
/* The same where each asks for itself, which a compiler does before the loop. */
FN T SN(min_shared)(T a, T b)
{
    return SN(min_asked)(SN(any)((b == (T)(0)) | (b != b)), a, b);
}

//# max_shared
/* The choice is wrong only if b is +0, when adding +0 takes the sign from -0, or NaN. Adding -0 changes nothing. With b
 * itself for what is lacking, Intel's compiler keeps the question in the loop; where nothing says that the answer is
 * seldom yes, both make it a mask of the addition, which then takes its time in each turn. */
FN T SN(max_shared)(T a, T b)
{
    I unusual = (b == (T)(0)) | (b != b);
    T lacks = unusual ? b : -(T)(0);
    T r = (b > a) ? b : a;
    if (RARELY(SN(any)(unusual)))
        return r + lacks;
    return r;
}

//# sign
FN T SN(sign)(T a)
{
    T r = (a > (T)(0)) ? (T)(1) : a;
    return (a < (T)(0)) ? (T)(-1) : r;
}

//# leaky_relu
FN T SN(leaky_relu)(T a, T slope)
{
    T scaled = a * slope;
    return (a > (T)(0)) ? a : scaled;
}

//# unseen
/* a, from a compiler that must not know it: the offset of the launch is 0, which it cannot tell. An
 * integer that is 0 in every element (x ^ x) makes a known +0 of a float; numbers of the program are
 * arguments, so nothing else does. */
FN T SN(unseen)(T a)
{
    return AS_T(AS_U(a) | (U)((unsigned)get_global_offset(2)));
}

//# div_near
/* The float nearest to x / y, for positive x (or 0) and y from which nothing overflows or becomes
 * subnormal. The device's inverse, within 2.5 units in the last place, gives a quotient within 4;
 * its remainder corrects that to the nearest or the one beside it, and the smaller exact remainder
 * decides between those two. A tie cannot happen: a quotient of two floats is never half way
 * between two normal floats. */
#if BITS == 32
FN T SN(div_near)(T x, T y)
{
    T inverse = (T)(1) / y;
    T q = x * inverse;
    q = fma(fma(-q, y, x), inverse, q);
    T rest = fma(-q, y, x);
    T other = AS_T((rest < (T)(0)) ? AS_U(q) - (U)(1) : AS_U(q) + (U)(1));
    return (fabs(fma(-other, y, x)) < fabs(rest)) ? other : q;
}
#endif

//# div_parts
/* A positive finite x is the result, in [1, 2), times 2^e. */
#if BITS == 32
FN T SN(div_parts)(T x, I *e)
{
    T normal = (x < (T)(0x1p-126f)) ? x * (T)(0x1p24f) : x;
    I bias = (x < (T)(0x1p-126f)) ? (I)(127 + 24) : (I)(127);
    *e = AS_I(AS_U(normal) >> 23) - bias;
    return AS_T((AS_U(normal) & (U)(0x7fffff)) | (U)(0x3f800000));
}
#endif

//# div_hard
/* x / y without signs, nothing excluded. A subnormal result is a multiple of a coarser unit: q is
 * rounded to that, and the remainder decides again between two. Here a tie can happen; then q is
 * exact, and adding and taking away 2^23 units has given the even one, which stays. */
#if BITS == 32
RARE T SN(div_hard)(T x, T y)
{
    I ex;
    I ey;
    T mx = SN(div_parts)(x, &ex);
    T my = SN(div_parts)(y, &ey);
    T q = SN(div_near)(mx, my);
    I e = ex - ey;
    e = (e < (I)(-152)) ? (I)(-152) : e;
    e = (e > (I)(129)) ? (I)(129) : e;

    I low = (e < (I)(-126)) ? (I)(-126) - e : (I)(0);
    T least = AS_T(AS_U(low + (I)(127)) << 23);
    T unit = least * (T)(0x1p-23f);
    T coarse = (q + least) - least;
    T rest = fma(-coarse, my, mx);
    T other = (rest < (T)(0)) ? coarse - unit : coarse + unit;
    coarse = (fabs(fma(-other, my, mx)) < fabs(rest)) ? other : coarse;
    q = ((e <= (I)(-126)) & (q < least)) ? coarse : q;

    I half_e = e >> 1;
    q = q * AS_T(AS_U(half_e + (I)(127)) << 23);
    q = q * AS_T(AS_U(e - half_e + (I)(127)) << 23);
    T inf = (T)(INFINITY);
    q = ((x == (T)(0)) | (y == inf)) ? (T)(0) : q;
    T pole = ((x == (T)(0)) | (y == inf)) ? (T)(NAN) : inf;
    q = ((x == inf) | (y == (T)(0))) ? pole : q;
    return ((x != x) | (y != y)) ? (T)(NAN) : q;
}
#endif

//# div
/* a / b correctly rounded, for a device whose own quotient is only near. */
#if BITS == 32
FN T SN(div)(T a, T b)
{
    T x = fabs(a);
    T y = fabs(b);
    T low = (x == (T)(0)) ? y : x;
    low = (low < y) ? low : y;
    T high = (x > y) ? x : y;
    T q = SN(div_near)(x, y);
    if (SN(any)(!((low >= (T)(0x1p-60f)) & (high <= (T)(0x1p60f))))) {
        q = ((low >= (T)(0x1p-60f)) & (high <= (T)(0x1p60f))) ? q : SN(div_hard)(x, y);
    }
    return AS_T(AS_U(q) | ((AS_U(a) ^ AS_U(b)) & (U)(0x80000000)));
}
#endif

//# sqrt
/* The square root correctly rounded, for a device whose own is only near. a = m * 4^e with m in [1,
 * 4), so that the root s of m is in [1, 2), where the unit is 2^-23. s is the nearest float exactly
 * when the remainder m - s * s is in (-s units, s units]: what lies between s - unit / 2 and s +
 * unit / 2 squared. */
#if BITS == 32
FN T SN(sqrt)(T a)
{
    T x = (a < (T)(0x1p-126f)) ? a * (T)(0x1p24f) : a;
    I bias = (a < (T)(0x1p-126f)) ? (I)(127 + 24) : (I)(127);
    U e = AS_U(AS_I(AS_U(x) >> 23) - bias);
    T m = AS_T((AS_U(x) & (U)(0x7fffff)) | (((e & (U)(1)) + (U)(127)) << 23));
    T s = sqrt(m);
    s = fma(fma(-s, s, m), (T)(0.5f) / s, s);
    T rest = fma(-s, s, m);
    T bound = s * (T)(0x1p-23f);
    s = (rest > bound) ? s + (T)(0x1p-23f) : s;
    s = (rest <= -bound) ? s - (T)(0x1p-23f) : s;
    T r = AS_T(AS_U(s) + (AS_U(AS_I(e) >> 1) << 23));
    r = ((a > (T)(0)) & (a < (T)(INFINITY))) ? r : a;
    return (a < (T)(0)) ? (T)(NAN) : r;
}
#endif

//# fmod
/* x mod y for x, y >= 0 without signs: exact. While the quotient has more digits than the type, y
 * scaled up by a power of two is taken out first; trunc(x / y) is then at most one too large. y = 0
 * and x = inf give NaN. */
FN T SN(fmod)(T x, T y)
{
    const int digits = (BITS == 32) ? 23 : 52;
    const int bias = (BITS == 32) ? 127 : 1023;
    const int third = (BITS == 32) ? 7 : 16;
    T r = x;
    if (SN(any)(r >= y * AS_T((U)(bias + 3 * third) << digits))) {
        for (int i = (BITS == 32) ? 13 : 43; i > 0; i--) {
            T scale = AS_T((U)(bias + third * i) << digits);
            T z = y * scale * scale * scale;
            T over = fma(-trunc(DIV(r, z)), z, r);
            over = (over < (T)(0)) ? over + z : over;
            r = (r >= z) ? over : r;
        }
    }
    T over = fma(-trunc(DIV(r, y)), y, r);
    over = (over < (T)(0)) ? over + y : over;
    return (r < y) ? r : over;
}

//# mod
/* The sign is that of b, as in Python and NumPy; a multiple of b gives the zero of that sign. */
FN T SN(mod)(T a, T b)
{
    T y = fabs(b);
    T r = SN(fmod)(fabs(a), y);
    r = ((AS_I(AS_U(a) ^ AS_U(b)) < (I)(0)) & (r != (T)(0))) ? y - r : r;
    return (b < (T)(0)) ? -r : r;
}

//# floordiv
/* As NumPy: (a - fmod(a, b)) / b rounded to an integer, one less where mod() adds b; a zero has the
 * sign of a / b. a / 0 is what division gives; inf / b is NaN. */
FN T SN(floordiv)(T a, T b)
{
    U sign = (AS_U(a) ^ AS_U(b)) & ((U)(1) << (BITS - 1));
    T r = SN(fmod)(fabs(a), fabs(b));
    T whole = (b == (T)(0)) ? a : a - ((a < (T)(0)) ? -r : r);
    T q = DIV(whole, b);
    q = ((AS_I(sign) < (I)(0)) & (r != (T)(0))) ? q - (T)(1) : q;
    T down = floor(q);
    down = (q - down > (T)(0.5f)) ? down + (T)(1) : down;
    return (q == (T)(0)) ? AS_T(sign) : down;
}

//# two_sum
/* a + b as result + *low, exactly. */
FN T SN(two_sum)(T a, T b, T *low)
{
    T r = a + b;
    T back = r - a;
    *low = (a - (r - back)) + (b - back);
    return r;
}

//# with_sign
/* |r| with the sign of a. */
FN T SN(with_sign)(T r, T a)
{
    U sign = (U)(1) << (BITS - 1);
    return AS_T((AS_U(r) & ~sign) | (AS_U(a) & sign));
}

//# or_minus_0
/* a, or -0 for a below 0, by its bits: written as a choice of floats, Mesa makes it a maximum, which
 * loses the sign of 0. */
FN T SN(or_minus_0)(T a)
{
    return AS_T(AS_U(a) & ((a < (T)(0)) ? (U)(1) << (BITS - 1) : ~(U)(0)));
}

//# log_edge
/* r, the logarithm of x, where x is positive and finite, else what IEEE says. */
FN T SN(log_edge)(T x, T r)
{
    r = (x < (T)(INFINITY)) ? r : x;
    r = (x < (T)(0)) ? (T)(NAN) : r;
    return (x == (T)(0)) ? (T)(-INFINITY) : r;
}

//# pow_edge
/* r = |a|^b made right for zeros, infinities, NaN, negative a, as C99 Annex F says. */
FN T SN(pow_edge)(T a, T b, T r)
{
    T x = fabs(a);
    T inf = (T)(INFINITY);
    r = ((x == (T)(0)) | (x == inf)) ? (T)(0) : r;
    r = (((x == (T)(0)) & (b < (T)(0))) | ((x == inf) & (b > (T)(0)))) ? inf : r;
    r = ((a < (T)(0)) & (x < inf) & (trunc(b) != b)) ? (T)(NAN) : r;
    T half_b = b * (T)(0.5f);
    U sign = AS_U(a) & ((U)(1) << (BITS - 1));
    sign = ((trunc(b) == b) & (trunc(half_b) != half_b)) ? sign : (U)(0);
    r = AS_T(AS_U(r) | sign);
    r = ((a != a) | (b != b)) ? (T)(NAN) : r;
    return ((a == (T)(1)) | (b == (T)(0))) ? (T)(1) : r;
}
