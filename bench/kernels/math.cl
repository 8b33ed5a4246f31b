/* The driver's own FUNCTION over each element; what OpenCL has no name for is written with what it has. */
#define sigmoid(x) ((F)(1) / ((F)(1) + exp(-(x))))
#define silu(x) ((x) / ((F)(1) + exp(-(x))))
#define gelu(x) ((F)(0.5f) * (x)*erfc((x) * (F)(-0.70710678f)))
#define gelu_tanh(x) ((F)(0.5f) * (x) * ((F)(1) + tanh((F)(0.79788456f) * (x) * ((F)(1) + (F)(0.044715f) * (x) * (x)))))
#define softplus(x) log1p(exp(x))

#ifdef BINARY
__kernel void binary(__global const float *restrict x, __global const float *restrict y,
                     __global float *restrict z, EXTENTS)
{
    EACH(i, a) STORE(FUNCTION(LOAD(x, i), LOAD(y, i)), z, i);
}
#else
__kernel void unary(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH(i, a) STORE(FUNCTION(LOAD(x, i)), y, i);
}
#endif
