/* Arithmetic of floats that OpenCL leaves open: what NaN and signed zeros do in minimum and maximum, floor
 * division as NumPy defines it, and division and square root for devices whose own are not correctly rounded.
 * The one hard idea: every case is computed and then chosen, so that vectors never branch. */

//# min
/* NaN if either is; -0 < +0 (equal operands are or-ed, which keeps the sign bit). */
FN T SN(min)(T a, T b)
{
    T r = (a < b) ? a : b;
    r = (a == b) ? AS_T(AS_U(a) | AS_U(b)) : r;
    return (a != a) ? a : r;
}

//# max
/* NaN if either is; -0 < +0 (equal operands are and-ed, which drops the sign bit of a zero). */
FN T SN(max)(T a, T b)
{
    T r = (a > b) ? a : b;
    r = (a == b) ? AS_T(AS_U(a) & AS_U(b)) : r;
    return (a != a) ? a : r;
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
