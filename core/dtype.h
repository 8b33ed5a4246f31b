/* What is known of a dtype beyond its name, and the numbers that the caller gives. */
#ifndef SINTER_CORE_DTYPE_H
#define SINTER_CORE_DTYPE_H

#include "core/base.h"

/* How a value is held in a register and which column of the op table applies. */
typedef enum sinter__class {
    SINTER__CLASS_F32, /* f16, bf16 and f32, all held as f32 */
    SINTER__CLASS_F64,
    SINTER__CLASS_S32, /* i8, i16, i32, sign-extended, held as unsigned */
    SINTER__CLASS_U32,
    SINTER__CLASS_S64,
    SINTER__CLASS_U64,
    SINTER__CLASS_BOOL, /* 0 or 1, held as 32-bit unsigned */
    SINTER__CLASS_COUNT
} sinter__class;

typedef struct sinter__dtype_info {
    const char *name;
    uint8_t bytes;
    uint8_t class_; /* sinter__class */
    bool is_float;
    bool is_signed;
    int64_t min; /* integers only */
    uint64_t max;
} sinter__dtype_info;

extern const sinter__dtype_info sinter__dtypes[SINTER_DTYPE_COUNT];

/* `dtype` must be one. */
static inline const sinter__dtype_info *sinter__dtype(sinter_dtype dtype)
{
    return &sinter__dtypes[dtype];
}

/* The same of a dtype as structs hold it. */
static inline sinter__class sinter__class_of(uint8_t dtype)
{
    return (sinter__class)sinter__dtypes[dtype].class_;
}

static inline bool sinter__dtype_valid(sinter_dtype dtype)
{
    return (unsigned)dtype < SINTER_DTYPE_COUNT;
}

static inline bool sinter__is_float(sinter_dtype dtype)
{
    return sinter__dtype(dtype)->is_float;
}

/* Of 16 bits: computed in f32, and rounded. */
static inline bool sinter__is_half(sinter_dtype dtype)
{
    return dtype == SINTER_F16 || dtype == SINTER_BF16;
}

static inline bool sinter__is_wide(sinter__class c)
{
    return c == SINTER__CLASS_F64 || c == SINTER__CLASS_S64 || c == SINTER__CLASS_U64;
}

/* The register bits of `scalar` as `dtype`: f32 or f64 bits (rounded to the dtype once), or an
 * integer, sign-extended. Fails with SINTER_ERANGE when an integer dtype cannot hold it exactly. */
sinter_status sinter__scalar_bits(sinter_scalar scalar, sinter_dtype dtype, uint64_t *bits);

/* Promotion of two valid dtypes. */
sinter_dtype sinter__promote(sinter_dtype a, sinter_dtype b);

/* Rounding of host values to storage formats, to nearest even. */
uint16_t sinter__f16_from_f64(double value);
uint16_t sinter__bf16_from_f64(double value);
double sinter__f64_from_f16(uint16_t bits);
double sinter__f64_from_bf16(uint16_t bits);

#endif /* SINTER_CORE_DTYPE_H */
