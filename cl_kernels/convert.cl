/* Casts between storage types and registers, each rounded once. Signed and unsigned integers of up
 * to 32 bits are in U32, sign- or zero-extended, those of 64 bits in U64; f16 and bf16 are in F32.
 * The one hard idea: a mask and what it chooses from must have the same width, so a function that
 * changes the width decides everything on one side of the change. */

//# round_f16
/* To the nearest f16 value, ties to even. Adding and taking away 2^23 units of the last place kept
 * rounds; that unit is 2^-10 of the number's power of two, but at least 2^-24, the smallest
 * subnormal. 2^112 takes f16's largest power of two to f32's, so what f16 cannot hold overflows.
 * Where a compiler shows that the processor has an instruction for 8 or 16 of them, it rounds, by its own name: of a
 * conversion to a type, compilers make arithmetic of that type, lane by lane if the processor has none. */
FN F32 SW(round_f16)(F32 a)
{
#if LANES == 16 && defined __AVX512F__
    typedef float values __attribute__((vector_size(64)));
    typedef short bits __attribute__((vector_size(32)));
    typedef __fp16 halves __attribute__((ext_vector_type(16)));
    bits none = __builtin_astype((short16)(0), bits);
    bits h = __builtin_ia32_vcvtps2ph512_mask(__builtin_astype(a, values), 0, none, 0xffff);
    return __builtin_convertvector(__builtin_astype(h, halves), F32);
#elif LANES >= 8 && defined __F16C__
    typedef float values __attribute__((vector_size(32)));
    typedef __fp16 halves __attribute__((ext_vector_type(8)));
    float8 r[LANES / 8];
    *(F32 *)r = a;
    for (int i = 0; i < LANES / 8; i++) {
        short8 h = __builtin_astype(
            __builtin_ia32_vcvtps2ph256(__builtin_astype(r[i], values), 0), short8);
        r[i] = __builtin_convertvector(__builtin_astype(h, halves), float8);
    }
    return *(F32 *)r;
#else
    F32 x = fabs(a);
    U32 exponent = AS_U32(x) & (U32)(0x7f800000);
    exponent = (exponent < (U32)(0x38800000)) ? (U32)(0x38800000) : exponent;
    exponent = (exponent > (U32)(0x47800000)) ? (U32)(0x47800000) : exponent;
    F32 power = AS_F32(exponent + (U32)(13 << 23));
    F32 r = (x + power) - power;
    r = (r * (F32)(0x1p112f)) * (F32)(0x1p-112f);
    return AS_F32(AS_U32(r) | (AS_U32(a) & (U32)(0x80000000)));
#endif
}

//# round_bf16
/* To the nearest bf16 value, ties to even: the lower half of the bits is rounded away. A NaN may have
 * its payload there alone, so every NaN becomes the quiet one. */
FN F32 SW(round_bf16)(F32 a)
{
    U32 u = AS_U32(a);
    u = u + (U32)(0x7fff) + ((u >> 16) & (U32)(1));
    return (a != a) ? (F32)(NAN) : AS_F32(u & (U32)(0xffff0000));
}

//# f16_from_bits
FN F32 SW(f16_from_bits)(U32 h)
{
    U32 m = (h & (U32)(0x7fff)) << 13;
    F32 subnormal = AS_F32(m + (U32)(0x38800000)) - (F32)(0x1p-14f);
    U32 special = (m >= (U32)(0x0f800000)) ? (U32)(0x70000000) : (U32)(0x38000000);
    U32 r = (m < (U32)(0x00800000)) ? AS_U32(subnormal) : m + special;
    return AS_F32(r | ((h & (U32)(0x8000)) << 16));
}

//# f16_bits
FN U32 SW(f16_bits)(F32 a)
{
    F32 x = fabs(SW(round_f16)(a));
    U32 subnormal = AS_U32(x + (F32)(0.5f)) - (U32)(0x3f000000);
    U32 r = (x < (F32)(0x1p-14f)) ? subnormal : (AS_U32(x) - (U32)(0x38000000)) >> 13;
    r = (x < (F32)(INFINITY)) ? r : (U32)(0x7c00);
    r = (x != x) ? (U32)(0x7e00) : r;
    return r | ((AS_U32(a) >> 16) & (U32)(0x8000));
}

//# bf16_from_bits
FN F32 SW(bf16_from_bits)(U32 h)
{
    return AS_F32(h << 16);
}

//# bf16_bits
/* Every NaN becomes the quiet one. */
FN U32 SW(bf16_bits)(F32 a)
{
    U32 u = AS_U32(SW(round_bf16)(a)) >> 16;
    return (a != a) ? (U32)(0x7fc0) : u;
}

//# wrap_i8
FN U32 SW(wrap_i8)(U32 a)
{
    return ((a & (U32)(0xff)) ^ (U32)(0x80)) - (U32)(0x80);
}

//# wrap_u8
FN U32 SW(wrap_u8)(U32 a)
{
    return a & (U32)(0xff);
}

//# wrap_i16
FN U32 SW(wrap_i16)(U32 a)
{
    return ((a & (U32)(0xffff)) ^ (U32)(0x8000)) - (U32)(0x8000);
}

//# wrap_u16
FN U32 SW(wrap_u16)(U32 a)
{
    return a & (U32)(0xffff);
}

//# s32_to_64
FN U64 SW(s32_to_64)(U32 a)
{
    return AS_U64(TO_I64(AS_I32(a)));
}

//# u32_to_64
FN U64 SW(u32_to_64)(U32 a)
{
    return TO_U64(a);
}

//# w64_to_32
FN U32 SW(w64_to_32)(U64 a)
{
    return TO_U32(a & (U64)(0xffffffff));
}

//# f32_within
/* a moved into low..high, NaN to 0. */
FN F32 SW(f32_within)(F32 a, F32 low, F32 high)
{
    a = (a < low) ? low : a;
    a = (a > high) ? high : a;
    return (a != a) ? (F32)(0) : a;
}

//# f32_to_i8
FN U32 SW(f32_to_i8)(F32 a)
{
    return AS_U32(TO_I32(SW(f32_within)(a, (F32)(-128.0f), (F32)(127.0f))));
}

//# f32_to_u8
FN U32 SW(f32_to_u8)(F32 a)
{
    return AS_U32(TO_I32(SW(f32_within)(a, (F32)(0), (F32)(255.0f))));
}

//# f32_to_i16
FN U32 SW(f32_to_i16)(F32 a)
{
    return AS_U32(TO_I32(SW(f32_within)(a, (F32)(-32768.0f), (F32)(32767.0f))));
}

//# f32_to_u16
FN U32 SW(f32_to_u16)(F32 a)
{
    return AS_U32(TO_I32(SW(f32_within)(a, (F32)(0), (F32)(65535.0f))));
}

//# f32_to_i32
/* 2^31 - 1 is no float: the largest float below 2^31 stands in the conversion, the limit is chosen
 * after it. */
FN U32 SW(f32_to_i32)(F32 a)
{
    U32 r = AS_U32(TO_I32(SW(f32_within)(a, (F32)(-0x1p31f), (F32)(0x1.fffffep30f))));
    return (a >= (F32)(0x1p31f)) ? (U32)(0x7fffffff) : r;
}

//# f32_to_u32
FN U32 SW(f32_to_u32)(F32 a)
{
    U32 r = TO_U32(SW(f32_within)(a, (F32)(0), (F32)(0x1.fffffep31f)));
    return (a >= (F32)(0x1p32f)) ? (U32)(0xffffffff) : r;
}

//# f32_whole
/* trunc(|a|) of the float with these bits, for |a| < 2^64; else anything. */
FN U64 SW(f32_whole)(U64 bits)
{
    U64 e = (bits >> 23) & (U64)(0xff);
    U64 m = (bits & (U64)(0x7fffff)) | (U64)(0x800000);
    U64 up = m << ((e - (U64)(150)) & (U64)(63));
    U64 down = m >> (((U64)(150) - e) & (U64)(63));
    down = (e < (U64)(127)) ? (U64)(0) : down;
    return (e < (U64)(150)) ? down : up;
}

//# f32_to_i64
FN U64 SW(f32_to_i64)(F32 a)
{
    U64 bits = TO_U64(AS_U32(a));
    U64 sign = bits >> 31;
    U64 x = bits & (U64)(0x7fffffff);
    U64 r = SW(f32_whole)(x);
    r = (x >= (U64)(0x5f000000)) ? (U64)(0x7fffffffffffffff) + sign : r;
    r = (x > (U64)(0x7f800000)) ? (U64)(0) : r;
    return (sign != (U64)(0)) ? (U64)(0) - r : r;
}

//# f32_to_u64
FN U64 SW(f32_to_u64)(F32 a)
{
    U64 x = TO_U64(AS_U32(a));
    U64 r = SW(f32_whole)(x);
    r = (x >= (U64)(0x5f800000)) ? ~(U64)(0) : r;
    return (x > (U64)(0x7f800000)) ? (U64)(0) : r;
}

//# f64_within
/* a moved into low..high, NaN to 0. */
FN F64 SW(f64_within)(F64 a, F64 low, F64 high)
{
    a = (a < low) ? low : a;
    a = (a > high) ? high : a;
    return (a != a) ? (F64)(0) : a;
}

//# f64_to_i8
FN U32 SW(f64_to_i8)(F64 a)
{
    return AS_U32(TO_I32(SW(f64_within)(a, (F64)(-128.0f), (F64)(127.0f))));
}

//# f64_to_u8
FN U32 SW(f64_to_u8)(F64 a)
{
    return AS_U32(TO_I32(SW(f64_within)(a, (F64)(0), (F64)(255.0f))));
}

//# f64_to_i16
FN U32 SW(f64_to_i16)(F64 a)
{
    return AS_U32(TO_I32(SW(f64_within)(a, (F64)(-32768.0f), (F64)(32767.0f))));
}

//# f64_to_u16
FN U32 SW(f64_to_u16)(F64 a)
{
    return AS_U32(TO_I32(SW(f64_within)(a, (F64)(0), (F64)(65535.0f))));
}

//# f64_to_i32
FN U32 SW(f64_to_i32)(F64 a)
{
    F64 high = (F64)(0x1p31f) - (F64)(1);
    return AS_U32(TO_I32(SW(f64_within)(a, (F64)(-0x1p31f), high)));
}

//# f64_to_u32
FN U32 SW(f64_to_u32)(F64 a)
{
    F64 high = (F64)(0x1p32f) - (F64)(1);
    return TO_U32(SW(f64_within)(a, (F64)(0), high));
}

//# f64_to_i64
/* The limit is no double: the largest one below 2^63 stands in the conversion. */
FN U64 SW(f64_to_i64)(F64 a)
{
    F64 high = (F64)(0x1p63f) - (F64)(1024.0f);
    U64 r = AS_U64(TO_I64(SW(f64_within)(a, (F64)(-0x1p63f), high)));
    return (a >= (F64)(0x1p63f)) ? (U64)(0x7fffffffffffffff) : r;
}

//# f64_to_u64
FN U64 SW(f64_to_u64)(F64 a)
{
    F64 high = (F64)(0x1p64f) - (F64)(2048.0f);
    U64 r = TO_U64(SW(f64_within)(a, (F64)(0), high));
    return (a >= (F64)(0x1p64f)) ? ~(U64)(0) : r;
}

//# s32_to_f32
FN F32 SW(s32_to_f32)(U32 a)
{
    return UNSEEN(TO_F32(AS_I32(a)));
}

//# u32_to_f32
FN F32 SW(u32_to_f32)(U32 a)
{
    return UNSEEN(TO_F32(a));
}

//# u64_parts
/* a = (result + low) * scale, the result a multiple of 2^24 and low below it; of a large a the
 * lowest 16 bits are only marked in the last bit of low, far below what a float keeps. Both scale
 * and parts are exact. */
FN F32 SW(u64_parts)(U64 a, F32 *low, F32 *scale)
{
    U64 sticky = ((a & (U64)(0xffff)) != (U64)(0)) ? (U64)(1) : (U64)(0);
    U64 is_large = a >> 42;
    U64 x = (is_large != (U64)(0)) ? (a >> 16) | sticky : a;
    U64 scale_bits = (is_large != (U64)(0)) ? (U64)(0x47800000) : (U64)(0x3f800000);
    *scale = AS_F32(TO_U32(scale_bits));
    *low = TO_F32(AS_I32(TO_U32(x & (U64)(0xffffff))));
    return TO_F32(AS_I32(TO_U32(x >> 24))) * (F32)(0x1p24f);
}

//# u64_to_f32
FN F32 SW(u64_to_f32)(U64 a)
{
    F32 low;
    F32 scale;
    F32 high = SW(u64_parts)(a, &low, &scale);
    return UNSEEN((high + low) * scale);
}

//# s64_to_f32
FN F32 SW(s64_to_f32)(U64 a)
{
    U64 x = (AS_I64(a) < (I64)(0)) ? (U64)(0) - a : a;
    U32 sign = TO_U32((a >> 63) << 31);
    return AS_F32(AS_U32(SW(u64_to_f32)(x)) | sign);
}

//# s32_to_f64
FN F64 SW(s32_to_f64)(U32 a)
{
    return TO_F64(AS_I32(a));
}

//# u32_to_f64
FN F64 SW(u32_to_f64)(U32 a)
{
    return TO_F64(a);
}

//# u64_to_f64
/* Both halves are exact, and their sum is rounded once. */
FN F64 SW(u64_to_f64)(U64 a)
{
    F64 high = TO_F64(TO_U32(a >> 32)) * (F64)(0x1p32f);
    return high + TO_F64(TO_U32(a & (U64)(0xffffffff)));
}

//# s64_to_f64
FN F64 SW(s64_to_f64)(U64 a)
{
    F64 high = TO_F64(AS_I32(TO_U32(a >> 32))) * (F64)(0x1p32f);
    return high + TO_F64(TO_U32(a & (U64)(0xffffffff)));
}

//# odd
/* The float nearest to r + rest, r being that sum rounded: exact, or towards zero with the last bit
 * set. Such a value can be rounded again to fewer digits as if it had been exact (Boldo and
 * Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd,
 * 2008). */
FN F32 SW(odd)(F32 r, F32 rest)
{
    U32 u = AS_U32(r);
    u = ((rest != (F32)(0)) & (AS_I32(u ^ AS_U32(rest)) < (I32)(0))) ? u - (U32)(1) : u;
    return AS_F32((rest != (F32)(0)) ? u | (U32)(1) : u);
}

//# s32_to_f32_odd
FN F32 SW(s32_to_f32_odd)(U32 a)
{
    F32 high = TO_F32(AS_I32(a) >> 16) * (F32)(0x1p16f);
    F32 low = TO_F32(AS_I32(a & (U32)(0xffff)));
    F32 r = high + low;
    return UNSEEN(SW(odd)(r, (high - r) + low));
}

//# u32_to_f32_odd
FN F32 SW(u32_to_f32_odd)(U32 a)
{
    F32 high = TO_F32(AS_I32(a >> 16)) * (F32)(0x1p16f);
    F32 low = TO_F32(AS_I32(a & (U32)(0xffff)));
    F32 r = high + low;
    return UNSEEN(SW(odd)(r, (high - r) + low));
}

//# u64_to_f32_odd
FN F32 SW(u64_to_f32_odd)(U64 a)
{
    F32 low;
    F32 scale;
    F32 high = SW(u64_parts)(a, &low, &scale);
    F32 r = high + low;
    return UNSEEN(SW(odd)(r, (high - r) + low) * scale);
}

//# s64_to_f32_odd
FN F32 SW(s64_to_f32_odd)(U64 a)
{
    U64 x = (AS_I64(a) < (I64)(0)) ? (U64)(0) - a : a;
    U32 sign = TO_U32((a >> 63) << 31);
    return AS_F32(AS_U32(SW(u64_to_f32_odd)(x)) | sign);
}

//# f32_to_f64
FN F64 SW(f32_to_f64)(F32 a)
{
    return TO_F64(a);
}

//# f64_to_f32
FN F32 SW(f64_to_f32)(F64 a)
{
    return TO_F32(a);
}

//# f64_to_f32_odd
/* Of the rest only its sign matters, and that survives where the rest itself would not. */
FN F32 SW(f64_to_f32_odd)(F64 a)
{
    F32 r = TO_F32(a);
    F64 rest = a - TO_F64(r);
    F64 sign = (rest > (F64)(0)) ? (F64)(1) : (F64)(0);
    sign = (rest < (F64)(0)) ? (F64)(-1) : sign;
    return SW(odd)(r, TO_F32(sign));
}
