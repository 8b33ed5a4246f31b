#include "bench/expr.h"

value e_use(value v)
{
    v.is_temporary = false;
    return v;
}

value e_borrow(sinter_tensor t)
{
    return (value){.tensor = t};
}

static void keep_status(expr *e, sinter_status status)
{
    if (e->status == SINTER_OK)
        e->status = status;
}

static void drop(expr *e, value v)
{
    if (v.is_temporary)
        keep_status(e, sinter_tensor_release(e->stream, v.tensor));
}

static value made(expr *e, sinter_status status, sinter_tensor t)
{
    keep_status(e, status);
    return (value){.tensor = t, .is_temporary = status == SINTER_OK};
}

/* Declares `v`, the result that `call` leaves in `out`, unless something has failed before. */
#define MAKE(call)                                                                                 \
    sinter_tensor out = {0};                                                                       \
    sinter_status status = e->status == SINTER_OK ? (call) : e->status;                            \
    value v = made(e, status, out)

#define UNARY(name, function)                                                                      \
    value e_##name(expr *e, value a)                                                               \
    {                                                                                              \
        MAKE(function(e->stream, a.tensor, &out));                                                 \
        drop(e, a);                                                                                \
        return v;                                                                                  \
    }

#define BINARY(name, function)                                                                     \
    value e_##name(expr *e, value a, value b)                                                      \
    {                                                                                              \
        MAKE(function(e->stream, a.tensor, b.tensor, &out));                                       \
        drop(e, a);                                                                                \
        drop(e, b);                                                                                \
        return v;                                                                                  \
    }

#define WITH_NUMBER(name, function)                                                                \
    value e_##name##_number(expr *e, value a, double b)                                            \
    {                                                                                              \
        MAKE(function(e->stream, a.tensor, b, &out));                                              \
        drop(e, a);                                                                                \
        return v;                                                                                  \
    }

BINARY(add, sinter_add)
BINARY(sub, sinter_sub)
BINARY(mul, sinter_mul)
BINARY(div, sinter_div)
BINARY(matmul, sinter_matmul)

WITH_NUMBER(add, sinter_add_scalar)
WITH_NUMBER(sub, sinter_sub_scalar)
WITH_NUMBER(mul, sinter_mul_scalar)
WITH_NUMBER(maximum, sinter_maximum_scalar)
WITH_NUMBER(minimum, sinter_minimum_scalar)
WITH_NUMBER(pow, sinter_pow_scalar)

UNARY(neg, sinter_neg)
UNARY(square, sinter_square)
UNARY(sqrt, sinter_sqrt)
UNARY(exp, sinter_exp)
UNARY(log, sinter_log)
UNARY(erf, sinter_erf)
UNARY(sigmoid, sinter_sigmoid)
UNARY(relu, sinter_relu)
UNARY(gelu, sinter_gelu)
UNARY(gelu_tanh, sinter_gelu_tanh)
UNARY(silu, sinter_silu)

value e_unary(expr *e, sinter_status (*function)(sinter_stream *, sinter_tensor, sinter_tensor *),
              value a)
{
    MAKE(function(e->stream, a.tensor, &out));
    drop(e, a);
    return v;
}

value e_binary(expr *e,
               sinter_status (*function)(sinter_stream *, sinter_tensor, sinter_tensor,
                                         sinter_tensor *),
               value a, value b)
{
    MAKE(function(e->stream, a.tensor, b.tensor, &out));
    drop(e, a);
    drop(e, b);
    return v;
}

value e_clamp(expr *e, value a, double low, double high)
{
    MAKE(sinter_clamp(e->stream, a.tensor, low, high, &out));
    drop(e, a);
    return v;
}

value e_transpose(expr *e, value a)
{
    MAKE(sinter_transpose(e->stream, a.tensor, NULL, &out));
    drop(e, a);
    return v;
}

value e_slice(expr *e, value a, int axis, int64_t step)
{
    MAKE(sinter_slice(e->stream, a.tensor, axis, SINTER_OPEN, SINTER_OPEN, step, &out));
    drop(e, a);
    return v;
}

value e_sum(expr *e, value a, int axis)
{
    MAKE(sinter_sum(e->stream, a.tensor, axis < 0 ? 0 : 1, axis < 0 ? NULL : &axis, false, &out));
    drop(e, a);
    return v;
}

value e_cumsum(expr *e, value a, int axis)
{
    MAKE(sinter_cumsum(e->stream, a.tensor, axis, &out));
    drop(e, a);
    return v;
}

value e_row_mean(expr *e, value a)
{
    const int last = 1;
    MAKE(sinter_mean(e->stream, a.tensor, 1, &last, true, &out));
    drop(e, a);
    return v;
}
