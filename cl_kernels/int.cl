/* Integers with every case defined: what overflows wraps, x / 0 and x % 0 are 0, shifts past the width give 0
 * or the sign. Both signed and unsigned values are held in the unsigned type U. */

//# quotient
/* No instruction divides the lanes of a vector as integers. Those of doubles one does, and a quotient that is not whole
 * is never rounded to the next whole number n: it is 1 / b below at least, and since n * b has 33 bits, that is some
 * 2^20 steps of a double there. */
FN U SN(quotient)(U a, U b)
{
#if LANES > 1 && BITS == 32 && defined BY_DOUBLES
    return TO_U32(TO_F64(a) / TO_F64(b));
#else
    return a / b;
#endif
}

//# udiv
FN U SN(udiv)(U a, U b)
{
    U safe = (b == (U)(0)) ? (U)(1) : b;
    U q = SN(quotient)(a, safe);
    return (b == (U)(0)) ? (U)(0) : q;
}

//# umod
FN U SN(umod)(U a, U b)
{
    U safe = (b == (U)(0)) ? (U)(1) : b;
    U r = a - SN(quotient)(a, safe) * safe;
    return (b == (U)(0)) ? (U)(0) : r;
}

//# sabs
FN U SN(sabs)(U a)
{
    return (AS_I(a) < (I)(0)) ? (U)(0) - a : a;
}

//# sdiv
/* Rounds towards minus infinity. Works on magnitudes, so the smallest by -1 wraps. */
FN U SN(sdiv)(U a, U b)
{
    U x = SN(sabs)(a);
    U y = SN(sabs)(b);
    U safe = (y == (U)(0)) ? (U)(1) : y;
    U q = SN(quotient)(x, safe);
    U up = (x - q * safe != (U)(0)) ? q + (U)(1) : q;
    U r = (AS_I(a ^ b) < (I)(0)) ? (U)(0) - up : q;
    return (b == (U)(0)) ? (U)(0) : r;
}

//# smod
/* Has the sign of the divisor. */
FN U SN(smod)(U a, U b)
{
    U r = a - SN(sdiv)(a, b) * b;
    return (b == (U)(0)) ? (U)(0) : r;
}

//# some
/* Whether a lane is not 0. */
FN int SN(some)(U a)
{
#if LANES > 1
    return SH(some)(a.lo | a.hi);
#else
    return a != (U)(0);
#endif
}

//# upow
/* By squaring, one step for each bit of the power, up to the highest that any lane has; everything wraps. */
FN U SN(upow)(U a, U b)
{
    U r = (U)(1);
    while (SN(some)(b)) {
        r = ((b & (U)(1)) != (U)(0)) ? r * a : r;
        a = a * a;
        b = b >> 1;
    }
    return r;
}

//# spow
/* A negative power is 0 except for the bases 1 and -1. */
FN U SN(spow)(U a, U b)
{
    U r = SN(upow)(a, b);
    U odd = ((b & (U)(1)) != (U)(0)) ? a : (U)(1);
    U unit = ((a == (U)(1)) | (a + (U)(1) == (U)(0))) ? odd : (U)(0);
    return (AS_I(b) < (I)(0)) ? unit : r;
}

//# smin
FN U SN(smin)(U a, U b)
{
    return (AS_I(a) < AS_I(b)) ? a : b;
}

//# smax
FN U SN(smax)(U a, U b)
{
    return (AS_I(a) > AS_I(b)) ? a : b;
}

//# umin
FN U SN(umin)(U a, U b)
{
    return (a < b) ? a : b;
}

//# umax
FN U SN(umax)(U a, U b)
{
    return (a > b) ? a : b;
}

//# ssign
FN U SN(ssign)(U a)
{
    U r = (AS_I(a) > (I)(0)) ? (U)(1) : a;
    return (AS_I(a) < (I)(0)) ? (U)(0) - (U)(1) : r;
}

//# usign
FN U SN(usign)(U a)
{
    return (a != (U)(0)) ? (U)(1) : a;
}

//# shl
FN U SN(shl)(U a, U b)
{
    U r = a << (b & (U)(BITS - 1));
    return (b < (U)(BITS)) ? r : (U)(0);
}

//# ushr
FN U SN(ushr)(U a, U b)
{
    U r = a >> (b & (U)(BITS - 1));
    return (b < (U)(BITS)) ? r : (U)(0);
}

//# sshr
FN U SN(sshr)(U a, U b)
{
    U n = (b < (U)(BITS)) ? b : (U)(BITS - 1);
    return AS_U(AS_I(a) >> AS_I(n));
}
