/* Queueing an operation: the one way in for every public function. */
#ifndef SINTER_EXECUTOR_APPLY_H
#define SINTER_EXECUTOR_APPLY_H

#include "core/builder.h"
#include "executor/context/context.h"

typedef sinter__builder_operand sinter__operand;

static inline sinter__operand sinter__of_tensor(sinter_tensor t)
{
    return (sinter__operand){.tensor = t};
}

static inline sinter__operand sinter__of_scalar(sinter_scalar scalar)
{
    return (sinter__operand){.is_scalar = true, .scalar = scalar};
}

static inline sinter__operand sinter__of_number(double value)
{
    return sinter__of_scalar(sinter_scalar_float(value));
}

/* Queues `op` on `s`: infers the result, converts operands, records. *out is the null handle on
 * failure. The public contract of every operation. */
sinter_status sinter__apply(sinter_stream *s, sinter__op op, int count,
                            const sinter__operand *operands, const sinter__attrs *attrs,
                            sinter_tensor *out);

/* The same on tensors, and on a tensor and a number, which comes first if it says so. */
sinter_status sinter__apply_tensors(sinter_stream *s, sinter__op op, int count,
                                    const sinter_tensor *tensors, sinter_tensor *out);
sinter_status sinter__apply_number(sinter_stream *s, sinter__op op, sinter_tensor tensor,
                                   double number, bool number_first, sinter_tensor *out);

/* The same within a call on the stream, which holds the lock. */
sinter_status sinter__apply_within(sinter_stream *s, sinter__op op, int count,
                                   const sinter__operand *operands, const sinter__attrs *attrs,
                                   sinter_tensor *out);

/* Axes as public functions take them, a count and an array; 0 and NULL: none given. -2 is a count
 * that nothing takes. */
sinter__attrs sinter__attrs_of_axes(int axis_count, const int *axes, bool keepdims);

/* Appends operations to a stream. */
sinter__builder sinter__builder_over(sinter_stream *s);

/* The same within a call on the stream, which holds the lock: for formulas, which make no products and no cuts. */
sinter__builder sinter__builder_within(sinter_stream *s);

/* A tensor as a thread may use it while it holds the lock of another stream. */
typedef struct sinter__borrowed {
    sinter_tensor handle;
    sinter__slot *slot; /* at home on the stream in question; NULL: what follows holds references */
    sinter_dtype dtype;
    sinter__view view;
    sinter__storage *storage;
    sinter__failure *failure;
} sinter__borrowed;

/* Looks a handle up for use on `s`, whose lock is held; it is given back meanwhile when the tensor is at
 * home on another stream. There it is run if it is pending, and the commands of `s` follow it from now on. One
 * of another device becomes what is copied to that of `s` when its operations run; it is waited for when it is only
 * read, and packed. */
sinter_status sinter__borrow(sinter_stream *s, sinter_tensor t, bool only_read,
                             sinter__borrowed *out);

/* The device of the context on which a storage lies. */
sinter__opened *sinter__device_of(const sinter_stream *s, const sinter__storage *storage);
void sinter__borrow_end(sinter_stream *s, sinter__borrowed *b);

/* With the lock held: appends a node; room has been reserved. The result, packed, is held by `owner`, or by nobody
 * when that is NULL. Returns its number. */
uint16_t sinter__stream_append(sinter_stream *s, sinter__node *node, sinter_dtype dtype, int rank,
                               const int64_t *shape, sinter__slot *owner);

/* With the lock held: a packed copy of a borrowed tensor, as a new slot of the stream. */
sinter_status sinter__apply_copy(sinter_stream *s, const sinter__borrowed *b, sinter__slot **out);

/* What a tensor is; the lock of its home is held. */
void sinter__slot_describe(const sinter__slot *slot, sinter_tensor_desc *out);

/* With the lock held: the same for a tensor that is at home on the stream. False: it is not. */
bool sinter__describe_own(sinter_stream *s, sinter_tensor t, sinter_tensor_desc *out);

/* The axes of a transposition, as its node has them. */
static inline uint32_t sinter__transpose_attr(const sinter__inferred *r)
{
    uint32_t attr = 0;
    for (int i = 0; i < r->rank; i++)
        attr |= (uint32_t)r->perm[i] << (4 * i);
    return attr;
}

/* With the lock held: one reference less. */
void sinter__slot_release(sinter_stream *s, sinter__slot *slot);

/* With the lock of its home held, by a thread that is not the stream's: the last reference of a tensor
 * that the queue knows. The handle is dead; the tensor goes at the stream's next cut, so that what the
 * stream fuses does not depend on when the other thread came. */
void sinter__slot_defer(sinter_stream *home, sinter__slot *slot);

/* With the lock held: what sinter__slot_defer has kept goes. */
void sinter__slots_deferred(sinter_stream *s);

/* A tensor that has memory and no elements yet: all of it is to be written by updates. */
sinter_status sinter__tensor_empty(sinter_stream *s, sinter_dtype dtype, int rank,
                                   const int64_t *shape, sinter_tensor *out);

/* Gives back a handle that the library itself made, and leaves the thread's message as it is. The
 * stream's lock is not held; the null handle is accepted. */
void sinter__release_quietly(sinter_stream *s, sinter_tensor t);

/* The same within a call on the stream, which holds the lock. */
void sinter__release_within(sinter_stream *s, sinter_tensor t);

#endif /* SINTER_EXECUTOR_APPLY_H */
