/* Operations that are queued as a formula of others: kind COMPOSITE of the op table. */
#ifndef SINTER_CORE_COMPOSITE_H
#define SINTER_CORE_COMPOSITE_H

#include "core/builder.h"

/* Appends the operations of `op`, which is a COMPOSITE. `operands` are as many as its row says:
 * tensors first, of which all but the first may be missing (the null handle), then numbers. */
sinter_status sinter__compose(const sinter__builder *b, sinter__op op,
                              const sinter__builder_operand *operands, const sinter__attrs *attrs,
                              sinter_tensor *out);

/* The steps of optimisers: what a parameter and its state become. All tensors have the shape and the
 * dtype of the parameter; `out` is in the order of the formula's results, the parameter first. */
typedef struct sinter__sgd_step {
    double rate, momentum, weight_decay;
} sinter__sgd_step;

typedef struct sinter__adam_step {
    double rate, beta1, beta2, epsilon, weight_decay;
    bool is_decoupled; /* AdamW: the decay is of the parameter, not of the gradient */
    uint64_t step;     /* from 1 */
} sinter__adam_step;

/* The numbers that the operations of a step take, one each, in their order; how many, which is at most this. */
#define SINTER__STEP_NUMBERS 8

int sinter__sgd_numbers(const sinter__sgd_step *step, double *out);
int sinter__adam_numbers(const sinter__adam_step *step, double *out);

/* `numbers` are those of the step. `velocity` and out[1]: only with a momentum. */
sinter_status sinter__compose_sgd(const sinter__builder *b, const sinter__sgd_step *step,
                                  const double *numbers, sinter_tensor parameter,
                                  sinter_tensor gradient, sinter_tensor velocity,
                                  sinter_tensor out[2]);

sinter_status sinter__compose_adam(const sinter__builder *b, const sinter__adam_step *step,
                                   const double *numbers, sinter_tensor parameter,
                                   sinter_tensor gradient, sinter_tensor mean, sinter_tensor square,
                                   sinter_tensor out[3]);

#endif /* SINTER_CORE_COMPOSITE_H */
