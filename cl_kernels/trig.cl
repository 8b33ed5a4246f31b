/* Sine and cosine of the reduced argument, which math.cl and math64.cl have each their way of
 * finding: for f32 and f64. The low bits of the quadrant q choose between sine and cosine, and the sign. */

//# sin
/* For every a. */
FN T SN(sin)(T a)
{
    T low;
    U q;
    T rest;
    T r = SN(trig_reduce)(a, &low, &q);
    T s = SN(trig_sin)(r, low, &rest);
    T c = SN(trig_cos)(r, low, &rest);
    T y = ((q & (U)(1)) != (U)(0)) ? c : s;
    y = AS_T(AS_U(y) ^ ((q & (U)(2)) << (BITS - 2)));
    return (a == (T)(0)) ? a : y;
}

//# cos
/* For every a. */
FN T SN(cos)(T a)
{
    T low;
    U q;
    T rest;
    T r = SN(trig_reduce)(a, &low, &q);
    T s = SN(trig_sin)(r, low, &rest);
    T c = SN(trig_cos)(r, low, &rest);
    T y = ((q & (U)(1)) != (U)(0)) ? s : c;
    return AS_T(AS_U(y) ^ (((q + (U)(1)) & (U)(2)) << (BITS - 2)));
}
