#include "oracle/real.h"

/* (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)), which does not cancel. */
#define REAL_DEFINE(type, q)                                                                       \
    type real_exp10##q(type x)                                                                     \
    {                                                                                              \
        return pow##q(10, x);                                                                      \
    }                                                                                              \
    type real_sigmoid##q(type x)                                                                   \
    {                                                                                              \
        return 1 / (1 + exp##q(-x));                                                               \
    }                                                                                              \
    type real_silu##q(type x)                                                                      \
    {                                                                                              \
        return x == -(type)INFINITY ? -(type)0 : x / (1 + exp##q(-x));                             \
    }                                                                                              \
    type real_gelu##q(type x)                                                                      \
    {                                                                                              \
        const type root = (type)ROOT_OF_HALF;                                                      \
        return x == -(type)INFINITY ? -(type)0 : x * erfc##q(-x * root) / 2;                       \
    }                                                                                              \
    type real_gelu_tanh##q(type x)                                                                 \
    {                                                                                              \
        type z = (type)TWICE_ROOT_OF_2_BY_PI * (x + (type)44715 / 1000000 * x * x * x);            \
        return x == -(type)INFINITY ? -(type)0 : x / (1 + exp##q(-z));                             \
    }                                                                                              \
    type real_softplus##q(type x)                                                                  \
    {                                                                                              \
        return x > 0 ? x + log1p##q(exp##q(-x)) : log1p##q(exp##q(x));                             \
    }                                                                                              \
    type real_elu##q(type x, type alpha)                                                           \
    {                                                                                              \
        return x > 0 ? x : alpha * expm1##q(x);                                                    \
    }

/* To 113 bits, as three doubles each: there is no portable way to write such a number. */
#define ROOT_OF_HALF                                                                               \
    (0x1.6a09e667f3bcdp-1 - (quad)0x1.bdd3413b26456p-55 + (quad)0x1.57d3e3adec175p-109)
#define TWICE_ROOT_OF_2_BY_PI                                                                      \
    (0x1.9884533d43651p+0 - (quad)0x1.cbc0d30ebfd15p-54 - (quad)0x1.c7402c7d60cfbp-110)

/* clang-format off */
REAL_DEFINE(double, )
REAL_DEFINE(quad, q)
/* clang-format on */
