/* Steps of optimisers over a list of parameters. Each queues the formula that its comment says for every
 * parameter; the parameters may be of different sizes, and the work on all of them is one launch, or two,
 * as far as their operands are laid out alike and lie in few slabs.
 *
 * A step replaces the tensors in the caller's arrays: the new ones are the caller's, the old ones are
 * released, and the new ones take over their storage where nothing else holds it. So a tensor that is in several
 * places, zeros that two states begin with or a parameter that a model has twice, wants a reference for
 * each (sinter_tensor_retain), and one more where it is a gradient too. Each place gets a tensor of its own. */
#ifndef SINTER_OPTIMISER_H
#define SINTER_OPTIMISER_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinter_sgd_options {
    uint32_t size;       /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t reserved;   /* 0 */
    double rate;         /* of learning */
    double momentum;     /* 0: none */
    double weight_decay; /* added to the gradient, times the parameter; 0: none */
} sinter_sgd_options;

/* clang-format off */
#define SINTER_SGD_OPTIONS_INIT { sizeof(sinter_sgd_options), 0, 0.01, 0.0, 0.0 }
/* clang-format on */

/** Queues a step of gradient descent: p - v * rate, where v is g + p * weight_decay, and with a momentum
 *  velocity * momentum + g + p * weight_decay, which replaces the velocity.
 *  shapes   gradients[i] and velocities[i]: that of parameters[i].
 *  dtype    a float; that of parameters[i] for all of them.
 *  owns     as the head of this file says; gradients stay. `velocities` is NULL without a momentum.
 *           What fails leaves the tensors from some parameter on as they were, and each parameter with
 *           its own velocity.
 *  errors   SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EDTYPE, SINTER_EINVAL (NULL, options, a tensor in more
 *           places than it has references), SINTER_ENOMEM. Shapes, dtypes and references are checked before
 *           anything is queued.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_sgd(sinter_stream *stream, size_t count, sinter_tensor *parameters,
                                    const sinter_tensor *gradients, sinter_tensor *velocities,
                                    const sinter_sgd_options *options);

typedef struct sinter_adam_options {
    uint32_t size;       /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t reserved;   /* 0 */
    double rate;         /* of learning */
    double beta1;        /* decay of the mean */
    double beta2;        /* decay of the mean of squares */
    double epsilon;      /* added to the root */
    double weight_decay; /* 0: none */
    uint64_t step;       /* number of the step, from 1 */
} sinter_adam_options;

/* clang-format off */
#define SINTER_ADAM_OPTIONS_INIT \
    { sizeof(sinter_adam_options), 0, 0.001, 0.9, 0.999, 1e-8, 0.0, 0 }
/* clang-format on */

/** Queues a step of Adam (Kingma and Ba, 2015): with g + p * weight_decay for g,
 *  mean * beta1 + g * (1 - beta1) replaces the mean, square * beta2 + g * g * (1 - beta2) the square, and
 *  p - mean * (rate / (1 - beta1^step)) / (sqrt(square / (1 - beta2^step)) + epsilon) the parameter.
 *  shapes   gradients[i], means[i] and squares[i]: that of parameters[i].
 *  dtype    a float; that of parameters[i] for all of them.
 *  owns     as sinter_sgd.
 *  errors   as sinter_sgd; SINTER_EINVAL where options->step is 0, as it is without options.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_adam(sinter_stream *stream, size_t count, sinter_tensor *parameters,
                                     const sinter_tensor *gradients, sinter_tensor *means,
                                     sinter_tensor *squares, const sinter_adam_options *options);

/** Queues a step of AdamW (Loshchilov and Hutter, 2019): Adam without the decay in the gradient, and
 *  p * (1 - rate * weight_decay) in the place of p.
 *  shapes   as sinter_adam.
 *  dtype    as sinter_adam.
 *  owns     as sinter_sgd.
 *  errors   as sinter_adam.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_adamw(sinter_stream *stream, size_t count,
                                      sinter_tensor *parameters, const sinter_tensor *gradients,
                                      sinter_tensor *means, sinter_tensor *squares,
                                      const sinter_adam_options *options);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_OPTIMISER_H */
