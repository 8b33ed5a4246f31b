/* The operations that random programs use. A test checks that none of the op table is missing. */
#include "selftest/program.h"

#define ALL (ST_FLOATS | ST_F64 | ST_INTS | ST_BOOLS)
#define NUMBERS (ST_FLOATS | ST_F64 | ST_INTS)

#define UNARY(name_, classes_)                                                                     \
    {                                                                                              \
        .name = #name_, .call = ST_UNARY, .unary = sinter_##name_, .classes = (classes_)           \
    }
#define BINARY(name_, infix_, classes_)                                                            \
    {                                                                                              \
        .name = #name_, .infix = (infix_), .call = ST_BINARY, .binary = sinter_##name_,            \
        .right = sinter_##name_##_scalar, .left = sinter_scalar_##name_, .classes = (classes_)     \
    }
#define TERNARY(name_, classes_)                                                                   \
    {                                                                                              \
        .name = #name_, .call = ST_TERNARY, .ternary = sinter_##name_, .classes = (classes_)       \
    }
#define REDUCE(name_, classes_)                                                                    \
    {                                                                                              \
        .name = #name_, .call = ST_REDUCE, .reduce = sinter_##name_, .classes = (classes_)         \
    }
#define SCAN(name_)                                                                                \
    {                                                                                              \
        .name = #name_, .call = ST_SCAN, .scan = sinter_##name_, .classes = ALL                    \
    }
#define ALONG(name_)                                                                               \
    {                                                                                              \
        .name = #name_, .call = ST_ALONG, .along = sinter_##name_, .classes = ALL                  \
    }
#define OTHER(name_, call_, classes_)                                                              \
    {                                                                                              \
        .name = (name_), .call = (call_), .classes = (classes_)                                    \
    }

const st_op st_ops[] = {
    BINARY(add, "+", ALL),
    BINARY(sub, "-", NUMBERS),
    BINARY(mul, "*", ALL),
    BINARY(div, "/", ALL),
    BINARY(floordiv, "//", ALL),
    BINARY(mod, "%", ALL),
    BINARY(pow, "**", ALL),
    BINARY(minimum, NULL, ALL),
    BINARY(maximum, NULL, ALL),
    TERNARY(fma, NUMBERS),
    UNARY(neg, NUMBERS),
    UNARY(abs, ALL),
    UNARY(sign, NUMBERS),
    UNARY(floor, ALL),
    UNARY(ceil, ALL),
    UNARY(round, ALL),
    UNARY(trunc, ALL),
    UNARY(sqrt, ALL),
    UNARY(rsqrt, ALL),
    UNARY(reciprocal, ALL),
    UNARY(square, ALL),
    UNARY(copy, ALL),
    UNARY(exp, NUMBERS),
    UNARY(exp2, NUMBERS),
    UNARY(expm1, NUMBERS),
    UNARY(log, NUMBERS),
    UNARY(log2, NUMBERS),
    UNARY(log10, NUMBERS),
    UNARY(log1p, NUMBERS),
    UNARY(sin, NUMBERS),
    UNARY(cos, NUMBERS),
    UNARY(tan, NUMBERS),
    UNARY(atan, NUMBERS),
    UNARY(tanh, NUMBERS),
    UNARY(erf, NUMBERS),
    UNARY(exp10, NUMBERS),
    UNARY(asin, NUMBERS),
    UNARY(acos, NUMBERS),
    UNARY(sinh, NUMBERS),
    UNARY(cosh, NUMBERS),
    UNARY(asinh, NUMBERS),
    UNARY(acosh, NUMBERS),
    UNARY(atanh, NUMBERS),
    BINARY(atan2, NULL, NUMBERS),
    BINARY(hypot, NULL, NUMBERS),
    UNARY(cbrt, NUMBERS),
    UNARY(erfc, NUMBERS),
    UNARY(lgamma, NUMBERS),
    UNARY(sigmoid, NUMBERS),
    UNARY(relu, ALL),
    UNARY(gelu, NUMBERS),
    UNARY(gelu_tanh, NUMBERS),
    UNARY(silu, NUMBERS),
    UNARY(softplus, NUMBERS),
    BINARY(eq, "==", ALL),
    BINARY(ne, "!=", ALL),
    BINARY(lt, "<", ALL),
    BINARY(le, "<=", ALL),
    BINARY(gt, ">", ALL),
    BINARY(ge, ">=", ALL),
    UNARY(isnan, ALL),
    UNARY(isinf, ALL),
    UNARY(isfinite, ALL),
    BINARY(logical_and, NULL, ALL),
    BINARY(logical_or, NULL, ALL),
    BINARY(logical_xor, NULL, ALL),
    UNARY(logical_not, ALL),
    BINARY(bit_and, "&", ST_INTS | ST_BOOLS),
    BINARY(bit_or, "|", ST_INTS | ST_BOOLS),
    BINARY(bit_xor, "^", ST_INTS | ST_BOOLS),
    UNARY(bit_not, ST_INTS | ST_BOOLS),
    BINARY(shl, "<<", ST_INTS | ST_BOOLS),
    BINARY(shr, ">>", ST_INTS | ST_BOOLS),
    TERNARY(where, ALL),
    OTHER("cast", ST_CAST, ALL),
    OTHER("cast", ST_CAST, ALL),
    OTHER("cast", ST_CAST, ALL),
    OTHER("clamp", ST_CLAMP, NUMBERS),
    OTHER("leaky_relu", ST_LEAKY_RELU, ALL),
    OTHER("elu", ST_ELU, NUMBERS),
    OTHER("full", ST_FULL, 0),
    OTHER("arange", ST_ARANGE, 0),
    OTHER("random_uniform", ST_UNIFORM, 0),
    OTHER("random_normal", ST_NORMAL, 0),
    OTHER("reshape", ST_RESHAPE, ALL),
    OTHER("reshape", ST_RESHAPE, ALL),
    OTHER("transpose", ST_TRANSPOSE, ALL),
    OTHER("transpose", ST_TRANSPOSE, ALL),
    OTHER("slice", ST_SLICE, ALL),
    OTHER("slice", ST_SLICE, ALL),
    OTHER("expand", ST_EXPAND, ALL),
    OTHER("flip", ST_FLIP, ALL),
    OTHER("squeeze", ST_SQUEEZE, ALL),
    OTHER("unsqueeze", ST_UNSQUEEZE, ALL),
    REDUCE(sum, ALL),
    REDUCE(mean, ALL),
    REDUCE(max, ALL),
    REDUCE(min, ALL),
    REDUCE(prod, ALL),
    REDUCE(all, ALL),
    REDUCE(any, ALL),
    SCAN(cumsum),
    SCAN(cumprod),
    REDUCE(logsumexp, ALL),
    ALONG(softmax),
    ALONG(log_softmax),
    REDUCE(devsq, ALL),
    REDUCE(argmax, ALL),
    REDUCE(argmin, ALL),
    OTHER("var", ST_VAR, ALL),
    OTHER("std", ST_STD, ALL),
    OTHER("norm", ST_NORM, ALL),
    OTHER("layer_norm", ST_LAYER, ALL),
    OTHER("rms_norm", ST_RMS, ALL),
    OTHER("dropout", ST_DROPOUT, ALL),
    OTHER("matmul", ST_MATMUL, ALL),
    OTHER("matmul", ST_MATMUL, ALL),
    OTHER("update", ST_UPDATE, ALL),
    OTHER("update", ST_UPDATE, ALL),
    OTHER("update", ST_UPDATE, ALL),
};
const size_t st_op_count = sizeof st_ops / sizeof st_ops[0];

uint64_t st_next(st_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t st_below(st_random *r, uint32_t limit)
{
    return (uint32_t)((st_next(r) >> 32) * limit >> 32);
}

static sinter_status queue_update(const st_step *t, sinter_stream *s, sinter_tensor x,
                                  sinter_tensor value, sinter_tensor *out)
{
    const sinter_range range = {
        .axis = t->axes[0], .start = t->slice[0], .stop = t->slice[1], .step = t->slice[2]};
    return sinter_update(s, x, t->axis_count, &range, value, out);
}

static sinter_status queue_rest(const st_step *t, sinter_stream *s, sinter_tensor a,
                                sinter_tensor b, sinter_tensor c, sinter_tensor *out)
{
    switch (t->op->call) {
    case ST_ALONG:
        return t->op->along(s, a, t->axis_count, t->axes, out);
    case ST_VAR:
        return sinter_var(s, a, t->number[0], t->axis_count, t->axes, t->keepdims, out);
    case ST_STD:
        return sinter_std(s, a, t->number[0], t->axis_count, t->axes, t->keepdims, out);
    case ST_NORM:
        return sinter_norm(s, a, t->number[0], t->axis_count, t->axes, t->keepdims, out);
    case ST_LAYER:
        return sinter_layer_norm(s, a, t->axis_count, t->axes, b, c, t->number[0], out);
    case ST_UPDATE:
        return queue_update(t, s, a, b, out);
    case ST_RMS:
        return sinter_rms_norm(s, a, t->axis_count, t->axes, b, t->number[0], out);
    default:
        return sinter_dropout(s, a, t->number[0], t->seed, t->seed >> 7, out);
    }
}

sinter_status st_queue_step(const st_program *p, int i, sinter_stream *s,
                            const sinter_tensor *values, sinter_tensor *out)
{
    const st_step *t = &p->steps[i];
    sinter_tensor a = t->operand[0] >= 0 ? values[t->operand[0]] : (sinter_tensor){0};
    sinter_tensor b = t->operand[1] >= 0 ? values[t->operand[1]] : (sinter_tensor){0};
    sinter_tensor c = t->operand[2] >= 0 ? values[t->operand[2]] : (sinter_tensor){0};
    switch (t->op->call) {
    case ST_UNARY:
        return t->op->unary(s, a, out);
    case ST_BINARY:
        if (t->operand[0] < 0)
            return t->op->left(s, t->number[0], b, out);
        return t->operand[1] < 0 ? t->op->right(s, a, t->number[0], out)
                                 : t->op->binary(s, a, b, out);
    case ST_TERNARY:
        return t->op->ternary(s, a, b, c, out);
    case ST_CAST:
        return sinter_cast(s, a, t->dtype, out);
    case ST_CLAMP:
        return sinter_clamp(s, a, t->number[0], t->number[1], out);
    case ST_LEAKY_RELU:
        return sinter_leaky_relu(s, a, t->number[0], out);
    case ST_ELU:
        return sinter_elu(s, a, t->number[0], out);
    case ST_FULL:
        return sinter_full(s, t->dtype, t->rank, t->shape, sinter_scalar_float(t->number[0]), out);
    case ST_ARANGE:
        return sinter_arange(s, t->dtype, t->shape[0], sinter_scalar_float(t->number[0]),
                             sinter_scalar_float(t->number[1]), out);
    case ST_UNIFORM:
        return sinter_random_uniform(s, t->dtype, t->rank, t->shape, t->seed, t->seed >> 7, out);
    case ST_NORMAL:
        return sinter_random_normal(s, t->dtype, t->rank, t->shape, t->seed, t->seed >> 7, out);
    case ST_RESHAPE:
        return sinter_reshape(s, a, t->rank, t->shape, out);
    case ST_TRANSPOSE:
        return sinter_transpose(s, a, t->axes, out);
    case ST_SLICE:
        return sinter_slice(s, a, t->axes[0], t->slice[0], t->slice[1], t->slice[2], out);
    case ST_EXPAND:
        return sinter_expand(s, a, t->rank, t->shape, out);
    case ST_FLIP:
        return sinter_flip(s, a, 1, t->axes, out);
    case ST_SCAN:
        return t->op->scan(s, a, t->axes[0], out);
    case ST_SQUEEZE:
        return sinter_squeeze(s, a, t->axis_count, t->axes, out);
    case ST_UNSQUEEZE:
        return sinter_unsqueeze(s, a, t->axes[0], out);
    case ST_REDUCE:
        return t->op->reduce(s, a, t->axis_count, t->axes, t->keepdims, out);
    case ST_MATMUL:
        return sinter_matmul(s, a, b, out);
    default:
        return queue_rest(t, s, a, b, c, out);
    }
}
