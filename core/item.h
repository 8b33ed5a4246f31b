/* What stands on the evaluator's stack, and what its parts share. */
#ifndef SINTER_CORE_ITEM_H
#define SINTER_CORE_ITEM_H

#include "core/builder.h"
#include "core/program.h"

typedef enum sinter__item_kind {
    SINTER__ITEM_EMPTY, /* an argument that was not given, a name that holds nothing */
    SINTER__ITEM_NUMBER,
    SINTER__ITEM_TENSOR,
    SINTER__ITEM_TUPLE,
    SINTER__ITEM_DTYPE,
    SINTER__ITEM_NONE,
    SINTER__ITEM_ELLIPSIS,
    SINTER__ITEM_RANGE,
} sinter__item_kind;

typedef struct sinter__item {
    uint8_t kind;  /* sinter__item_kind */
    bool owned;    /* TENSOR: the reference is the value's own */
    uint8_t count; /* TUPLE */
    sinter_dtype dtype;
    sinter__number number;
    sinter_tensor tensor;
    union {
        int64_t items[SINTER_MAX_RANK]; /* TUPLE */
        sinter__slice range;
    } of;
} sinter__item;

/* "a tuple" */
const char *sinter__item_text(const sinter__item *v);

/* Gives back the reference that the value owns. */
void sinter__item_drop(const sinter__builder *b, sinter__item *v);

/* `out` becomes the tensor that `call` made. */
static inline void sinter__item_own(sinter__item *out, sinter_tensor t)
{
    *out = (sinter__item){.kind = SINTER__ITEM_TENSOR, .owned = true, .tensor = t};
}

/* The value as an operand that must be a tensor: a number becomes one of rank 0, and *made holds it
 * (else the null handle) for the caller to release. */
sinter_status sinter__item_tensor(const sinter__builder *b, const char *name, const sinter__item *v,
                                  sinter_tensor *out, sinter_tensor *made);

/* A tensor of rank 0. */
sinter_status sinter__item_fill(const sinter__builder *b, sinter_scalar scalar, sinter_dtype dtype,
                                sinter_tensor *out);

/* An elementwise operation over tensors and numbers, the numbers adopting the tensors' dtype where
 * NumPy 2's do. Operands beyond the operation's arity are numbers. */
sinter_status sinter__apply_elementwise(const sinter__builder *b, sinter__op op, int count,
                                        const sinter__item *const *operands, sinter__item *out);

/* An operation by name. `arguments`, one per parameter, are EMPTY where none was given. */
sinter_status sinter__apply_call(const sinter__builder *b, sinter__op op,
                                 const sinter__item *const *arguments, sinter__item *out);

/* x[subscripts] */
sinter_status sinter__apply_index(const sinter__builder *b, const sinter__item *x, int count,
                                  const sinter__item *subscripts, sinter__item *out);

/* A matrix product. */
sinter_status sinter__apply_matmul(const sinter__builder *b, const sinter__item *x,
                                   const sinter__item *y, sinter__item *out);

#endif /* SINTER_CORE_ITEM_H */
