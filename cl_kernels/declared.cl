/* The built-in functions that kernels call. A driver with the quirk `reads_header` has these in front of a program in
 * place of OpenCL's own, which are 18,000 lines (docs/decisions/declarations.md).
 *
 * Each that takes single numbers of several types has two scalar forms of one rank or more: with one, an argument of
 * another type would be converted to it, in silence, where it is now refused as ambiguous. */
#define B_ANY __attribute__((overloadable))
#define B_FIX __attribute__((overloadable, const))
#define B_5(M, f, T) M(f, T) M(f, T##2) M(f, T##4) M(f, T##8) M(f, T##16)
#ifdef cl_khr_fp64
#    define B_IF64(text) text
#else
#    define B_IF64(text)
#endif
#define B_F(M, f) B_5(M, f, float) B_IF64(B_5(M, f, double))
#define B_I(M, f) B_5(M, f, int) B_5(M, f, uint) B_5(M, f, long) B_5(M, f, ulong)

#define B_F1(f, T) T B_FIX f(T);
#define B_F2(f, T) T B_FIX f(T, T);
#define B_F3(f, T) T B_FIX f(T, T, T);
B_F(B_F1, fabs) B_F(B_F1, floor) B_F(B_F1, ceil) B_F(B_F1, trunc) B_F(B_F1, rint) B_F(B_F1, sqrt) B_F(B_F3, fma)
B_I(B_F2, min) B_I(B_F2, max) B_I(B_F3, clamp) B_I(B_F2, mul_hi) B_I(B_F1, clz)

#define B_ASK(f, T) int B_FIX f(T);
B_5(B_ASK, any, int) B_5(B_ASK, any, long)

#define B_SELECT(T, n) T##n B_FIX select(T##n, T##n, int##n); T##n B_FIX select(T##n, T##n, uint##n);
#define B_SELECTS(n) B_SELECT(int, n) B_SELECT(uint, n)
B_SELECTS() B_SELECTS(2) B_SELECTS(4) B_SELECTS(8) B_SELECTS(16)

#define B_TO(T, n, F) T##n B_FIX convert_##T##n(F##n);
#define B_CUT(T, n, F) T##n B_FIX convert_##T##n##_rtz(F##n);
#define B_FROM(M, T, n) M(T, n, int) M(T, n, uint) M(T, n, long) M(T, n, ulong) M(T, n, float) B_IF64(M(T, n, double))
#define B_NARROW(M, T, n) M(T, n, char) M(T, n, uchar) M(T, n, short) M(T, n, ushort)
#define B_WHOLE(T, n) B_FROM(B_TO, T, n) B_FROM(B_CUT, T, n) B_NARROW(B_TO, T, n)
#define B_PART(T, n) B_TO(T, n, int) B_TO(T, n, uint)
#define B_CONVERT(n)                                                                                                  \
    B_FROM(B_TO, float, n) B_IF64(B_FROM(B_TO, double, n)) B_WHOLE(int, n) B_WHOLE(uint, n) B_WHOLE(long, n)          \
    B_WHOLE(ulong, n) B_PART(char, n) B_TO(char, n, long) B_PART(uchar, n) B_PART(short, n) B_PART(ushort, n)
B_CONVERT() B_CONVERT(2) B_CONVERT(4) B_CONVERT(8) B_CONVERT(16)

#define B_MOVE(T, n, S)                                                                                               \
    T##n __attribute__((overloadable, pure)) vload##n(size_t, const S T *);                                           \
    void B_ANY vstore##n(T##n, size_t, S T *);
#define B_WIDE(T, S) B_MOVE(T, 2, S) B_MOVE(T, 4, S) B_MOVE(T, 8, S) B_MOVE(T, 16, S)
#define B_HALF(n, S)                                                                                                  \
    float##n __attribute__((overloadable, pure)) vload_half##n(size_t, const S half *);                               \
    void B_ANY vstore_half##n##_rte(float##n, size_t, S half *);                                                      \
    B_IF64(void B_ANY vstore_half##n##_rte(double##n, size_t, S half *);)
#define B_SPACE(S)                                                                                                    \
    B_WIDE(char, S) B_WIDE(uchar, S) B_WIDE(short, S) B_WIDE(ushort, S) B_WIDE(int, S) B_WIDE(uint, S)                \
    B_WIDE(long, S) B_WIDE(ulong, S) B_WIDE(float, S) B_IF64(B_WIDE(double, S))                                       \
    B_HALF(, S) B_HALF(2, S) B_HALF(4, S) B_HALF(8, S) B_HALF(16, S)
B_SPACE(__global) B_SPACE(__local) B_SPACE(__private)

#define B_PLACE(f) size_t B_FIX f(uint);
B_PLACE(get_global_id) B_PLACE(get_group_id) B_PLACE(get_local_id) B_PLACE(get_local_size) B_PLACE(get_global_size)
B_PLACE(get_global_offset)
void __attribute__((overloadable, convergent)) barrier(cl_mem_fence_flags);

/* In place of ours in the modes that take the driver's (fusion/library/native.def). */
B_F(B_F1, exp) B_F(B_F1, exp2) B_F(B_F1, expm1) B_F(B_F1, log) B_F(B_F1, log2) B_F(B_F1, log10) B_F(B_F1, log1p)
B_F(B_F1, sin) B_F(B_F1, cos) B_F(B_F1, tan) B_F(B_F1, atan) B_F(B_F1, tanh) B_F(B_F1, erf) B_F(B_F1, erfc)
B_F(B_F1, exp10) B_F(B_F1, asin) B_F(B_F1, acos) B_F(B_F1, sinh) B_F(B_F1, cosh) B_F(B_F1, asinh) B_F(B_F1, acosh)
B_F(B_F1, atanh) B_F(B_F1, cbrt) B_F(B_F1, lgamma) B_F(B_F2, pow) B_F(B_F2, atan2) B_F(B_F2, hypot)
