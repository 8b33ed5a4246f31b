#include "fusion/library/cast.h"

const char *sinter__settle(sinter_dtype dtype)
{
    switch (dtype) {
    case SINTER_F16:
        return "round_f16";
    case SINTER_BF16:
        return "round_bf16";
    case SINTER_I8:
        return "wrap_i8";
    case SINTER_U8:
        return "wrap_u8";
    case SINTER_I16:
        return "wrap_i16";
    case SINTER_U16:
        return "wrap_u16";
    default:
        return NULL;
    }
}

/* Saturating, from f32 or f64. */
static const char *float_to_integer(bool from_f64, sinter_dtype to)
{
    switch (to) {
    case SINTER_I8:
        return from_f64 ? "f64_to_i8" : "f32_to_i8";
    case SINTER_U8:
        return from_f64 ? "f64_to_u8" : "f32_to_u8";
    case SINTER_I16:
        return from_f64 ? "f64_to_i16" : "f32_to_i16";
    case SINTER_U16:
        return from_f64 ? "f64_to_u16" : "f32_to_u16";
    case SINTER_I32:
        return from_f64 ? "f64_to_i32" : "f32_to_i32";
    case SINTER_U32:
        return from_f64 ? "f64_to_u32" : "f32_to_u32";
    case SINTER_I64:
        return from_f64 ? "f64_to_i64" : "f32_to_i64";
    default:
        return from_f64 ? "f64_to_u64" : "f32_to_u64";
    }
}

/* A 16-bit float is reached through f32 rounded to odd, so that the second rounding is the only
 * one. */
static const char *integer_to_float(sinter__class from, sinter_dtype to)
{
    bool odd = sinter__is_half(to);
    bool f64 = to == SINTER_F64;
    switch (from) {
    case SINTER__CLASS_S32:
        return f64 ? "s32_to_f64" : odd ? "s32_to_f32_odd" : "s32_to_f32";
    case SINTER__CLASS_S64:
        return f64 ? "s64_to_f64" : odd ? "s64_to_f32_odd" : "s64_to_f32";
    case SINTER__CLASS_U64:
        return f64 ? "u64_to_f64" : odd ? "u64_to_f32_odd" : "u64_to_f32";
    default:
        return f64 ? "u32_to_f64" : odd ? "u32_to_f32_odd" : "u32_to_f32";
    }
}

static sinter__cast to_float(sinter__class from, sinter_dtype to)
{
    sinter__cast path = {.second = sinter__settle(to)};
    bool narrow = sinter__is_half(to);
    if (from == SINTER__CLASS_F32)
        path.first = to == SINTER_F64 ? "f32_to_f64" : NULL;
    else if (from == SINTER__CLASS_F64)
        path.first = to == SINTER_F64 ? NULL : narrow ? "f64_to_f32_odd" : "f64_to_f32";
    else
        path.first = integer_to_float(from, to);
    return path;
}

static sinter__cast to_integer(sinter__class from, sinter_dtype to)
{
    sinter__cast path = {.second = sinter__settle(to)};
    bool wide = sinter__dtype(to)->bytes == 8;
    if (from == SINTER__CLASS_F32 || from == SINTER__CLASS_F64)
        return (sinter__cast){.first = float_to_integer(from == SINTER__CLASS_F64, to)};
    if (sinter__is_wide(from) != wide)
        path.first = !wide ? "w64_to_32" : from == SINTER__CLASS_S32 ? "s32_to_64" : "u32_to_64";
    return path;
}

sinter__cast sinter__cast_path(sinter_dtype from, sinter_dtype to)
{
    if (from == to)
        return (sinter__cast){.to_bool = false};
    sinter__class c = (sinter__class)sinter__dtype(from)->class_;
    if (to == SINTER_BOOL)
        return (sinter__cast){.to_bool = true};
    return sinter__is_float(to) ? to_float(c, to) : to_integer(c, to);
}

const char *sinter__index_cast(sinter_dtype dtype)
{
    switch ((sinter__class)sinter__dtype(dtype)->class_) {
    case SINTER__CLASS_F32:
        return "u64_to_f32";
    case SINTER__CLASS_F64:
        return "u64_to_f64";
    case SINTER__CLASS_S64:
    case SINTER__CLASS_U64:
        return NULL;
    default:
        return "w64_to_32";
    }
}
