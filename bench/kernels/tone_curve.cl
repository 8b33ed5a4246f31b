/* An image of three channels beside each other, a gain for each. */
F tone(F x)
{
    F y = x * (x * (F)(2.51f) + (F)(0.03f)) / (x * (x * (F)(2.43f) + (F)(0.59f)) + (F)(0.14f));
    y = POSITIVE(y);
    y = SMALLER(y, (F)(1));
    return POW(y, 0.45454545454f);
}

/* A work-item per element. */
__kernel void tone_scalar(__global const float *restrict x, __global const float *restrict gain,
                          __global float *restrict y, EXTENTS)
{
    int i = (int)get_global_id(0);
    if (i < a * b * c)
        STORE(tone(LOAD(x, i) * gain[i % 3]), y, i);
}

/* Three vectors of 16 elements are 16 pixels, whatever their number: the gains of each vector stay. */
#if WIDTH == 16
__kernel void tone_pixels(__global const float *restrict x, __global const float *restrict gain,
                          __global float *restrict y, EXTENTS)
{
    float r = gain[0];
    float g = gain[1];
    float u = gain[2];
    F g0 = (F)(r, g, u, r, g, u, r, g, u, r, g, u, r, g, u, r);
    F g1 = (F)(g, u, r, g, u, r, g, u, r, g, u, r, g, u, r, g);
    F g2 = (F)(u, r, g, u, r, g, u, r, g, u, r, g, u, r, g, u);
    int first = (int)get_global_id(0) * PER_ITEM;
    int end = min(first + PER_ITEM, a * b * c);
    for (int i = first; i < end; i += 48) {
        STORE(tone(LOAD(x, i) * g0), y, i);
        STORE(tone(LOAD(x, i + 16) * g1), y, i + 16);
        STORE(tone(LOAD(x, i + 32) * g2), y, i + 32);
    }
}
#endif
