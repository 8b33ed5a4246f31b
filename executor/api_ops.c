/* The public functions of the elementwise operations, expanded from the op table. */
#include "sinter/ops.h"

#include "executor/apply.h"

static sinter__operand of_tensor(sinter_tensor t)
{
    return (sinter__operand){.tensor = t};
}

static sinter__operand of_number(double value)
{
    return (sinter__operand){.is_scalar = true, .scalar = sinter_scalar_float(value)};
}

#define WRAP_1(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor *out)        \
    {                                                                                              \
        const sinter__operand x[] = {of_tensor(a)};                                                \
        return sinter__apply(stream, SINTER__OP_##id, 1, x, NULL, out);                            \
    }

#define WRAP_2(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor b,           \
                                sinter_tensor *out)                                                \
    {                                                                                              \
        const sinter__operand x[] = {of_tensor(a), of_tensor(b)};                                  \
        return sinter__apply(stream, SINTER__OP_##id, 2, x, NULL, out);                            \
    }                                                                                              \
    sinter_status sinter_##name##_scalar(sinter_stream *stream, sinter_tensor a, double b,         \
                                         sinter_tensor *out)                                       \
    {                                                                                              \
        const sinter__operand x[] = {of_tensor(a), of_number(b)};                                  \
        return sinter__apply(stream, SINTER__OP_##id, 2, x, NULL, out);                            \
    }                                                                                              \
    sinter_status sinter_scalar_##name(sinter_stream *stream, double a, sinter_tensor b,           \
                                       sinter_tensor *out)                                         \
    {                                                                                              \
        const sinter__operand x[] = {of_number(a), of_tensor(b)};                                  \
        return sinter__apply(stream, SINTER__OP_##id, 2, x, NULL, out);                            \
    }

#define WRAP_3(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor b,           \
                                sinter_tensor c, sinter_tensor *out)                               \
    {                                                                                              \
        const sinter__operand x[] = {of_tensor(a), of_tensor(b), of_tensor(c)};                    \
        return sinter__apply(stream, SINTER__OP_##id, 3, x, NULL, out);                            \
    }

/* Operations with parameters and the kinds below have their own functions in api_array.c. */
#define PARAMS_0(arity, id, name) WRAP_##arity(id, name)
#define PARAMS_1(arity, id, name)
#define PARAMS_2(arity, id, name)
#define WRAP_MAP(arity, params, id, name) PARAMS_##params(arity, id, name)
#define WRAP_COMPARE(arity, params, id, name) PARAMS_##params(arity, id, name)
#define WRAP_CAST(arity, params, id, name)
#define WRAP_FILL(arity, params, id, name)
#define WRAP_GENERATE(arity, params, id, name)
#define WRAP_RANDOM(arity, params, id, name)
#define WRAP_VIEW(arity, params, id, name)
#define WRAP_REDUCE(arity, params, id, name)
#define WRAP_SCAN(arity, params, id, name)
#define WRAP_STATE(arity, params, id, name)
#define WRAP_CONTRACT(arity, params, id, name)
#define WRAP_UPDATE(arity, params, id, name)
#define WRAP_COMPOSITE(arity, params, id, name)

#define SINTER_OP(id, code, name, kind, arity, params, ...) WRAP_##kind(arity, params, id, name)
#include "core/ops.def"
#undef SINTER_OP
