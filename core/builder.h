/* How layers below the executor append operations: the evaluator of programs, later the gradient
 * rules. The executor gives the implementation. */
#ifndef SINTER_CORE_BUILDER_H
#define SINTER_CORE_BUILDER_H

#include "core/alloc.h"
#include "core/infer.h"

typedef struct sinter__builder_operand {
    bool is_scalar;
    sinter_tensor tensor;
    sinter_scalar scalar;
} sinter__builder_operand;

typedef struct sinter__builder {
    void *self;
    /* Appends `op`; the result is the caller's. As every public operation: *out is the null handle
     * on failure. */
    sinter_status (*apply)(void *self, sinter__op op, int count,
                           const sinter__builder_operand *operands, const sinter__attrs *attrs,
                           sinter_tensor *out);
    sinter_status (*describe)(void *self, sinter_tensor t, sinter_tensor_desc *out);
    sinter_status (*retain)(void *self, sinter_tensor t);
    void (*release)(void *self, sinter_tensor t); /* leaves the thread's message as it is */
    sinter_status (*cut)(void *self);             /* ends a segment here; NULL: not */
    sinter__allocator *allocator;
} sinter__builder;

#endif /* SINTER_CORE_BUILDER_H */
