/* gelu(x + bias) by rows, and silu(a) * b. */
F gelu(F x)
{
    return (F)(0.5f) * x * ((F)(1) + ERF(x * (F)(0.70710678f)));
}

/* A work-item per WIDTH columns of a row. */
__kernel void bias_gelu(__global const float *restrict x, __global const float *restrict bias,
                        __global float *restrict y, EXTENTS)
{
    int column = (int)get_global_id(0) * WIDTH;
    int i = (int)get_global_id(1) * b + column;
    STORE(gelu(LOAD(x, i) + LOAD(bias, column)), y, i);
}

/* A work-item per PER_ITEM rows. */
__kernel void bias_gelu_rows(__global const float *restrict x, __global const float *restrict bias,
                             __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int row = first; row < min(first + PER_ITEM, a); row++) {
        for (int column = 0; column < b; column += WIDTH) {
            int i = row * b + column;
            STORE(gelu(LOAD(x, i) + LOAD(bias, column)), y, i);
        }
    }
}

__kernel void silu_gate(__global const float *restrict x, __global const float *restrict gate,
                        __global float *restrict y, EXTENTS)
{
    EACH(i, a)
    {
        F v = LOAD(x, i);
        STORE(v / ((F)(1) + EXP(-v)) * LOAD(gate, i), y, i);
    }
}
