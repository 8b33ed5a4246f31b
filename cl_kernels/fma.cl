/* a * b + c rounded once, for devices without the instruction: drivers that emulate it do so with
 * branches, which take the compiler minutes, and some lose denormals. The one hard idea: product
 * and addend become 64-bit integers over one power of two; of what would be shifted out below them
 * only "not zero" is kept, in the last bit, which is far below where the sum is rounded. */

//# fma_align
/* m * 2^up, or m * 2^-down with the last bit set where bits were lost; one of the two is 0. */
#if BITS == 32
FN U64 SN(fma_align)(U64 m, I up, I down)
{
    U64 high = m << TO_U64(AS_U((up > (I)(0)) ? up : (I)(0)));
    U64 by = TO_U64(AS_U((down > (I)(0)) ? ((down < (I)(63)) ? down : (I)(63)) : (I)(0)));
    U64 r = high >> by;
    return ((r << by) != high) ? r | (U64)(1) : r;
}
#endif

//# fma_round
/* sum * 2^e to the nearest float, ties to even; `sum` is two's complement, `zero_sign` the sign of
 * an exact 0. */
#if BITS == 32
FN T SN(fma_round)(U64 sum, I e, U zero_sign)
{
    U64 negative = sum >> 63;
    U64 m = (sum ^ ((U64)(0) - negative)) + negative;
    I drop = (I)(40) - AS_I(TO_U32(clz(m)));
    I least = (I)(-149) - e;
    drop = (drop > least) ? drop : least;
    U64 left = TO_U64(AS_U((drop < (I)(0)) ? (I)(0) - drop : (I)(0)));
    U64 right = TO_U64(AS_U((drop > (I)(0)) ? drop : (I)(0)));
    m = m << left;
    U64 q = m >> right;
    U64 rest = m - (q << right);
    U64 half_way = ((U64)(1) << right) >> 1;
    U64 odd = q & (U64)(1);
    U64 up = (rest > half_way) ? (U64)(1) : (U64)(0);
    up = (rest == half_way) ? odd : up;
    q = q + ((right == (U64)(0)) ? (U64)(0) : up);
    U bits = TO_U32(q) + (AS_U(e + drop + (I)(149)) << 23);
    bits = (bits > (U)(0x7f800000)) ? (U)(0x7f800000) : bits;
    U sign = TO_U32(negative);
    U is_zero = TO_U32((sum == (U64)(0)) ? (U64)(1) : (U64)(0));
    sign = (is_zero != (U)(0)) ? zero_sign : sign;
    bits = (is_zero != (U)(0)) ? (U)(0) : bits;
    return AS_T(bits | (sign << 31));
}
#endif

//# fma
/* A float is fraction * 2^exponent with a fraction below 2^24. A product of 0 takes the addend's
 * exponent, so that the addend is not shifted; a sum keeps at most 38 bits below the addend and 14
 * below the product, so that neither passes 2^62. */
#if BITS == 32
FN T SN(fma)(T a, T b, T c)
{
    U ua = AS_U(a);
    U ub = AS_U(b);
    U uc = AS_U(c);
    U ea = (ua >> 23) & (U)(255);
    U eb = (ub >> 23) & (U)(255);
    U ec = (uc >> 23) & (U)(255);
    U ma = (ua & (U)(0x7fffff)) | ((ea != (U)(0)) ? (U)(0x800000) : (U)(0));
    U mb = (ub & (U)(0x7fffff)) | ((eb != (U)(0)) ? (U)(0x800000) : (U)(0));
    U mc = (uc & (U)(0x7fffff)) | ((ec != (U)(0)) ? (U)(0x800000) : (U)(0));
    I xa = AS_I((ea != (U)(0)) ? ea : (U)(1));
    I xb = AS_I((eb != (U)(0)) ? eb : (U)(1));
    I xc = AS_I((ec != (U)(0)) ? ec : (U)(1)) - (I)(150);
    I xp = ((ma == (U)(0)) | (mb == (U)(0))) ? xc : xa + xb - (I)(300);
    I e = (xp < xc) ? xp : xc;
    e = (e < xc - (I)(38)) ? xc - (I)(38) : e;
    e = (e < xp - (I)(14)) ? xp - (I)(14) : e;
    U64 product = SN(fma_align)(TO_U64(ma) * TO_U64(mb), xp - e, e - xp);
    U64 addend = SN(fma_align)(TO_U64(mc), xc - e, e - xc);
    U sign_p = (ua ^ ub) >> 31;
    U sign_c = uc >> 31;
    U64 flip_p = (U64)(0) - TO_U64(sign_p);
    U64 flip_c = (U64)(0) - TO_U64(sign_c);
    U64 sum = ((product ^ flip_p) - flip_p) + ((addend ^ flip_c) - flip_c);
    T r = SN(fma_round)(sum, e, sign_p & sign_c);
    r = (ec == (U)(255)) ? c : r;
    return ((ea == (U)(255)) | (eb == (U)(255))) ? a * b + c : r;
}
#endif
