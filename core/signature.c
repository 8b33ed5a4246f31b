/* What the operations take in the language: the names of their parameters. Attributes (a shape,
 * axes, a dtype) are parameters like any other. */
#include "core/program.h"

static const struct {
    sinter__op op;
    sinter__signature signature;
} with_parameters[] = {
    {SINTER__OP_CLAMP, {{"x", "low", "high"}, 3, 3, 0}},
    {SINTER__OP_LEAKY_RELU, {{"x", "slope"}, 2, 1, 0.01}},
    {SINTER__OP_ELU, {{"x", "alpha"}, 2, 1, 1.0}},
    {SINTER__OP_CAST, {{"x", "dtype"}, 2, 2, 0}},
    {SINTER__OP_FULL, {{"shape", "value", "dtype"}, 3, 2, 0}},
    {SINTER__OP_ARANGE, {{"start", "stop", "step", "dtype", "count"}, 5, 0, 0}},
    {SINTER__OP_RANDOM_UNIFORM, {{"shape", "seed", "offset", "dtype"}, 4, 1, 0}},
    {SINTER__OP_RANDOM_NORMAL, {{"shape", "seed", "offset", "dtype"}, 4, 1, 0}},
    {SINTER__OP_RESHAPE, {{"x", "shape"}, 2, 2, 0}},
    {SINTER__OP_TRANSPOSE, {{"x", "axes"}, 2, 1, 0}},
    {SINTER__OP_SLICE, {{"x", "axis", "start", "stop", "step", "count"}, 6, 2, 0}},
    {SINTER__OP_EXPAND, {{"x", "shape"}, 2, 2, 0}},
    {SINTER__OP_SQUEEZE, {{"x", "axis"}, 2, 1, 0}},
    {SINTER__OP_UNSQUEEZE, {{"x", "axis"}, 2, 2, 0}},
    {SINTER__OP_FLIP, {{"x", "axis"}, 2, 1, 0}},
    {SINTER__OP_SUM, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_MEAN, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_MAX, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_MIN, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_PROD, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_ALL, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_ANY, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_CUMSUM, {{"x", "axis"}, 2, 2, 0}},
    {SINTER__OP_CUMPROD, {{"x", "axis"}, 2, 2, 0}},
    {SINTER__OP_DEVSQ, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_ARGMAX, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_ARGMIN, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_UPDATE, {{"x", "value", "axis", "start", "stop", "step", "count"}, 7, 2, 0}},
    {SINTER__OP_VAR, {{"x", "axis", "keepdims", "correction"}, 4, 1, 0}},
    {SINTER__OP_STD, {{"x", "axis", "keepdims", "correction"}, 4, 1, 0}},
    {SINTER__OP_NORM, {{"x", "axis", "keepdims", "ord"}, 4, 1, 2}},
    {SINTER__OP_LOGSUMEXP, {{"x", "axis", "keepdims"}, 3, 1, 0}},
    {SINTER__OP_SOFTMAX, {{"x", "axis"}, 2, 1, 0}},
    {SINTER__OP_LOG_SOFTMAX, {{"x", "axis"}, 2, 1, 0}},
    {SINTER__OP_LAYER_NORM, {{"x", "axis", "weight", "bias", "eps"}, 5, 1, 1e-5}},
    {SINTER__OP_RMS_NORM, {{"x", "axis", "weight", "eps"}, 4, 1, 1e-5}},
    {SINTER__OP_DROPOUT, {{"x", "p", "seed", "offset"}, 4, 2, 0}},
};

sinter__signature sinter__signature_of(sinter__op op)
{
    for (size_t i = 0; i < sizeof with_parameters / sizeof with_parameters[0]; i++) {
        if (with_parameters[i].op == op)
            return with_parameters[i].signature;
    }
    uint8_t operands = sinter__op_info_of(op)->arity;
    return (sinter__signature){.count = operands, .required = operands};
}
