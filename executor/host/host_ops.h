/* The op table as functions over arrays of registers: what the host reference device computes with.
 */
#ifndef SINTER_EXECUTOR_HOST_OPS_H
#define SINTER_EXECUTOR_HOST_OPS_H

#include "core/op.h"

/* Element i of `out` is `op` of element i of each operand, for operands of class `c`; operands that
 * it does not have are NULL, and `out` may be one of them. Arrays hold registers: float, double,
 * uint32_t or uint64_t by the class; comparisons give bool registers. */
void sinter__host_apply(sinter__op op, sinter__class c, size_t n, const void *const operands[3],
                        void *out);

/* dtype conversion of registers, and settling of a computed value: rounding to f16 and bf16,
 * wrapping narrow integers. In place is allowed. */
void sinter__host_cast(size_t n, sinter_dtype from, sinter_dtype to, const void *in, void *out);
void sinter__host_settle(size_t n, sinter_dtype dtype, void *values);

/* Indices, u64, as registers of `dtype`. */
void sinter__host_index(size_t n, sinter_dtype dtype, const void *in, void *out);

/* Elements in memory to registers and back; `offsets` in elements. */
void sinter__host_load(size_t n, sinter_dtype dtype, const void *from, const int64_t *offsets,
                       void *out);
void sinter__host_store(size_t n, sinter_dtype dtype, const void *values, const int64_t *offsets,
                        void *to);

/* Bytes of a register of class `c`. */
static inline size_t sinter__host_register_bytes(sinter__class c)
{
    return sinter__is_wide(c) ? 8 : 4;
}

#endif /* SINTER_EXECUTOR_HOST_OPS_H */
