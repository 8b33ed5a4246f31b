/* The true values of a sweep, many at a time. Built with -ffast-math, so that the compiler calls C's
 * vector functions where there are any; test_sweep.c asks again, one by one and without it, before it
 * believes that an error is a large one. */
#include "oracle/sweep.h"

#include <math.h>

/* Written again, to be compiled here. */
static inline double real_exp10(double x)
{
    return exp(x * 2.302585092994045684);
}

static inline double real_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static inline double real_silu(double x)
{
    return x / (1 + exp(-x));
}

static inline double real_gelu(double x)
{
    return x * erfc(-x * 0.70710678118654752440) / 2;
}

static inline double real_gelu_tanh(double x)
{
    return x / (1 + exp(-1.59576912160573071 * (x + 0.044715 * x * x * x)));
}

static inline double real_softplus(double x)
{
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}

#define SWEEP(name, value)                                                                         \
    void sweep_reference_##name(const float *in, double *out)                                      \
    {                                                                                              \
        for (int i = 0; i < SWEEP_BLOCK; i++) {                                                    \
            double x = (double)in[i];                                                              \
            out[i] = (value);                                                                      \
        }                                                                                          \
    }
#include "oracle/sweep.def"
#undef SWEEP
