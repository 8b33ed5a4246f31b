/* The public functions of the elementwise operations, expanded from the op table. */
#include "sinter/ops.h"

#include "executor/queue/apply.h"

#define WRAP_1(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor *out)        \
    {                                                                                              \
        return sinter__apply_tensors(stream, SINTER__OP_##id, 1, &a, out);                         \
    }

#define WRAP_2(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor b,           \
                                sinter_tensor *out)                                                \
    {                                                                                              \
        const sinter_tensor x[] = {a, b};                                                          \
        return sinter__apply_tensors(stream, SINTER__OP_##id, 2, x, out);                          \
    }                                                                                              \
    sinter_status sinter_##name##_scalar(sinter_stream *stream, sinter_tensor a, double b,         \
                                         sinter_tensor *out)                                       \
    {                                                                                              \
        return sinter__apply_number(stream, SINTER__OP_##id, a, b, false, out);                    \
    }                                                                                              \
    sinter_status sinter_scalar_##name(sinter_stream *stream, double a, sinter_tensor b,           \
                                       sinter_tensor *out)                                         \
    {                                                                                              \
        return sinter__apply_number(stream, SINTER__OP_##id, b, a, true, out);                     \
    }

#define WRAP_3(id, name)                                                                           \
    sinter_status sinter_##name(sinter_stream *stream, sinter_tensor a, sinter_tensor b,           \
                                sinter_tensor c, sinter_tensor *out)                               \
    {                                                                                              \
        const sinter_tensor x[] = {a, b, c};                                                       \
        return sinter__apply_tensors(stream, SINTER__OP_##id, 3, x, out);                          \
    }

/* Operations with parameters and the kinds below have their own functions in array.c. */
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
