/* The tenth step of Adam, in place: p, m, v from g. */
__kernel void adam(__global float *restrict p, __global float *restrict m, __global float *restrict v,
                   __global const float *restrict g, EXTENTS)
{
    const float rate = 0.001f / (1.0f - 0.34867844f);
    const float scale = 1.0f / (1.0f - 0.99004488f);
    EACH(i, a)
    {
        F gradient = LOAD(g, i);
        F first = LOAD(m, i) * 0.9f + gradient * 0.1f;
        F second = LOAD(v, i) * 0.999f + gradient * gradient * 0.001f;
        F next = LOAD(p, i) - first * rate / (sqrt(second * scale) + (F)(1e-8f));
        STORE(first, m, i);
        STORE(second, v, i);
        STORE(next, p, i);
    }
}
