/* In front of the kernels that keep sinter's meaning (-DSAME): no contraction, and the words of cl_kernels/, whose
 * functions follow. What is left to a person is the form of the loops, and knowing the constants: a minimum with 1.75
 * needs nothing for NaN in the constant or for a zero in it. */
#pragma OPENCL FP_CONTRACT OFF
#define FN static
#define RARE static
#define RARELY(x) (x)
#define LANES WIDTH
#define SH(f) f /* of half a vector: OpenCL's own */
#define T F
#define BITS 32
#define SN(f) sn_##f
#define AS_T(x) AS_F(x)
#define TO_T(x) TO_F(x)
#define DIV(a, b) ((a) / (b))
#define SQRT(a) sqrt(a)
#if WIDTH == 1
#    define ANY(mask) (mask)
#    define TO_I(x) convert_int(x)
#    define TO_U(x) convert_uint(x)
#else
#    define ANY(mask) any(mask)
#    define TO_I(x) JOIN(convert_int, WIDTH)(x)
#    define TO_U(x) JOIN(convert_uint, WIDTH)(x)
#endif

/* x against a constant c that is no zero and no NaN: a NaN in x stays. */
#define LARGER(x, c) (((c) > (x)) ? (c) : (x))
#define SMALLER(x, c) (((c) < (x)) ? (c) : (x))
/* maximum(x, 0): a NaN stays, and -0 becomes 0. */
#define POSITIVE(x) (LARGER(x, (F)(0)) + (F)(0))

#define EXP(x) SN(exp)(x)
#define EXP_BELOW(x) SN(exp_below)(x) /* of x that is not above 0 */
#define LOG(x) SN(log)(x)
#define ERF(x) SN(erf)(x)
#define POW(x, y) SN(pow)(x, (F)(y))

/* To the nearest half and back: by the device's type where it has one (-DNATIVE_HALF), else through memory. */
#ifdef NATIVE_HALF
#    pragma OPENCL EXTENSION cl_khr_fp16 : enable
#    if WIDTH == 1
#        define TO_HALF(x) convert_float(convert_half_rte(x))
#    else
#        define TO_HALF(x) JOIN(convert_float, WIDTH)(JOIN(JOIN(convert_half, WIDTH), _rte)(x))
#    endif
#else
FN F to_half(F x)
{
    ushort t[WIDTH];
#    if WIDTH == 1
    vstore_half_rte(x, 0, (half *)t);
    return vload_half(0, (half *)t);
#    else
    JOIN(JOIN(vstore_half, WIDTH), _rte)(x, 0, (half *)t);
    return JOIN(vload_half, WIDTH)(0, (half *)t);
#    endif
}
#    define TO_HALF(x) to_half(x)
#endif
