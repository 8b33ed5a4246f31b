/* gelu(x + bias) by rows, gelu in both forms, and silu(a) * b. */
#ifdef SAME
#    define GELU(x) SN(gelu)(x)
#    define GELU_TANH(x) SN(gelu_tanh)(x)
#    define SILU(x) SN(silu)(x)
#else
F GELU(F x)
{
    return (F)(0.5f) * x * ((F)(1) + ERF(x * (F)(0.70710678f)));
}

/* x / 2 * (1 + tanh(u)) = x / (1 + exp(-2 u)) */
F GELU_TANH(F x)
{
    return x / ((F)(1) + EXP(x * (x * x * (F)(-0.07135481f) - (F)(1.5957691f))));
}

F SILU(F x)
{
    return x / ((F)(1) + EXP(-x));
}
#endif

__kernel void gelu(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_LAST(GELU(LOAD(x, i)), y, i);
}

__kernel void gelu_tanh(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_LAST(GELU_TANH(LOAD(x, i)), y, i);
}

/* A work-item per WIDTH columns of a row. */
__kernel void bias_gelu(__global const float *restrict x, __global const float *restrict bias,
                        __global float *restrict y, EXTENTS)
{
    int column = (int)get_global_id(0) * WIDTH;
    int i = (int)get_global_id(1) * b + column;
    STORE(GELU(LOAD(x, i) + LOAD(bias, column)), y, i);
}

/* A work-item per PER_ITEM rows. */
__kernel void bias_gelu_rows(__global const float *restrict x, __global const float *restrict bias,
                             __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int row = first; row < min(first + PER_ITEM, a); row++) {
        for (int column = 0; column < b; column += WIDTH) {
            int i = row * b + column;
            STORE(GELU(LOAD(x, i) + LOAD(bias, column)), y, i);
        }
    }
}

__kernel void silu_gate(__global const float *restrict x, __global const float *restrict gate,
                        __global float *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_LAST(SILU(LOAD(x, i)) * LOAD(gate, i), y, i);
}
