/* Activations made of functions that both math.cl and math64.cl have: for f32 and f64. The one hard
 * idea is theirs: a tail that is accurate until it underflows, and is taken away from what it is the
 * tail of. */

//# sigmoid
FN T SN(sigmoid)(T a)
{
    T x = fabs(a);
    T end = (T)((BITS == 32) ? 110 : 760);
    x = (x > end) ? end : x;
    T tail = SN(logistic)(x, (T)(1));
    return (a < (T)(0)) ? tail : (T)(1) - tail;
}

//# silu
/* -inf gives -0. */
FN T SN(silu)(T a)
{
    T x = fabs(a);
    T end = (T)((BITS == 32) ? 110 : 760);
    x = (x > end) ? end : x;
    return SN(or_minus_0)(a) - SN(logistic)(x, x);
}

//# elu
FN T SN(elu)(T a, T alpha)
{
    T below = alpha * SN(expm1)(a);
    return (a > (T)(0)) ? a : below;
}
