/* The copy that everything is compared with. */
__kernel void copy(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH(i, a)
        STORE_LAST(LOAD(x, i), y, i);
}
