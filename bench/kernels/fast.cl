/* In front of the kernels that may mean something looser than sinter does. Those built with -DFAST have short forms of
 * functions: what a person writes when the driver's own are slow and the arguments are known to be tame. No special
 * values, no subnormals; relative errors of some 1e-7. */
#define LARGER(x, y) (((x) > (y)) ? (x) : (y))
#define SMALLER(x, y) (((x) < (y)) ? (x) : (y))
#define POSITIVE(x) LARGER(x, (F)(0))

#ifdef FAST
/* 2^x for |x| < 126. */
F fast_exp2(F x)
{
    F t = x + (F)(0x1.8000fep+23f);
    F r = x - (t - (F)(0x1.8000fep+23f));
    F p = (F)(0x1.416b5ap-13f);
    p = fma(p, r, (F)(0x1.5f0830p-10f));
    p = fma(p, r, (F)(0x1.3b2de0p-7f));
    p = fma(p, r, (F)(0x1.c6af7cp-5f));
    p = fma(p, r, (F)(0x1.ebfbdcp-3f));
    p = fma(p, r, (F)(0x1.62e430p-1f));
    return fma(p, r, (F)(1)) * AS_F(AS_U(t) << 23);
}

/* log2 of a positive normal x. */
F fast_log2(F x)
{
    U n = (AS_U(x) - (U)(0x3f3504f3)) & (U)(0xff800000);
    F f = AS_F(AS_U(x) - n) - (F)(1);
    F p = (F)(-0x1.38c902p-4f);
    p = fma(p, f, (F)(0x1.055e64p-3f));
    p = fma(p, f, (F)(-0x1.0d8234p-3f));
    p = fma(p, f, (F)(0x1.22d936p-3f));
    p = fma(p, f, (F)(-0x1.54728cp-3f));
    p = fma(p, f, (F)(0x1.99a01cp-3f));
    p = fma(p, f, (F)(-0x1.000226p-2f));
    p = fma(p, f, (F)(0x1.555554p-2f));
    p = fma(p, f, (F)(-0.5f));
    p = fma(p, f * f, f);
    return fma(p, (F)(0x1.715476p+0f), TO_F(AS_I(n)) * (F)(0x1p-23f));
}

F fast_exp(F x)
{
    return fast_exp2(x * (F)(0x1.715476p+0f));
}

F fast_log(F x)
{
    return fast_log2(x) * (F)(0x1.62e430p-1f);
}

/* Abramowitz and Stegun 7.1.26, within 1.5e-7 of the value. */
F fast_erf(F x)
{
    F y = fabs(x);
    F t = (F)(1) / fma(y, (F)(0.3275911f), (F)(1));
    F p = (F)(1.061405429f);
    p = fma(p, t, (F)(-1.453152027f));
    p = fma(p, t, (F)(1.421413741f));
    p = fma(p, t, (F)(-0.284496736f));
    p = fma(p, t, (F)(0.254829592f));
    F small = SMALLER(y, (F)(6));
    F r = fma(-p * t, fast_exp(-small * small), (F)(1));
    return AS_F(AS_U(r) | (AS_U(x) & (U)(0x80000000)));
}

#    define EXP(x) fast_exp(x)
#    define LOG(x) fast_log(x)
#    define ERF(x) fast_erf(x)
#    define POW(x, y) fast_exp2(fast_log2(LARGER(x, (F)(1e-30f))) * (y))
#else
#    define EXP(x) exp(x)
#    define LOG(x) log(x)
#    define ERF(x) erf(x)
#    define POW(x, y) pow(x, (F)(y))
#endif
#define EXP_BELOW(x) EXP(x)
