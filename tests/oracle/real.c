#include "oracle/real.h"

#include <math.h>

double real_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double real_silu(double x)
{
    return x == -INFINITY ? -0.0 : x / (1 + exp(-x));
}

double real_gelu(double x)
{
    return x == -INFINITY ? -0.0 : x * erfc(-x * 0.70710678118654752440) / 2;
}

/* (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)), which does not cancel. */
double real_gelu_tanh(double x)
{
    double z = 1.59576912160573071 * (x + 0.044715 * x * x * x);
    return x == -INFINITY ? -0.0 : x / (1 + exp(-z));
}

double real_softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

double real_elu(double x, double alpha)
{
    return x > 0 ? x : alpha * expm1(x);
}
