/* The tenth step of Adam, in place: p, m, v from g. With -DDECAY weights shrink beside it, as in AdamW. */
void adam_vector(__global float *restrict p, __global float *restrict m, __global float *restrict v,
                 __global const float *restrict g, int i)
{
    F gradient = LOAD(g, i);
    F weight = LOAD(p, i);
    F first = LOAD(m, i) * 0.9f + gradient * 0.1f;
    F second = LOAD(v, i) * 0.999f + gradient * gradient * 0.001f;
    F root = sqrt(second * 100.45082541138463f);
    F step = first * 0.0015353399327876296f / (root + (F)(1e-8f));
#ifdef DECAY
    weight = weight * 0.99999f;
#endif
    STORE(first, m, i);
    STORE(second, v, i);
    STORE(weight - step, p, i);
}

__kernel void adam(__global float *restrict p, __global float *restrict m, __global float *restrict v,
                   __global const float *restrict g, EXTENTS)
{
    EACH(i, a)
        adam_vector(p, m, v, g, i);
}

/* Eight parameters in one launch: a work-item takes its part of each. */
#define PARAMETER(k)                                                                               \
    __global float *restrict p##k, __global float *restrict m##k, __global float *restrict v##k,   \
        __global const float *restrict g##k
#define PART(k, n)                                                                                 \
    {                                                                                              \
        int part = ((n) / (int)get_global_size(0) + WIDTH - 1) / WIDTH * WIDTH;                    \
        int first = (int)get_global_id(0) * part;                                                  \
        int end = (int)get_global_id(0) + 1 < (int)get_global_size(0) ? first + part : (n);        \
        for (int i = first; i < min(end, (n)); i += WIDTH)                                         \
            adam_vector(p##k, m##k, v##k, g##k, i);                                                \
    }

__kernel void adam_all(PARAMETER(0), PARAMETER(1), PARAMETER(2), PARAMETER(3), PARAMETER(4), PARAMETER(5),
                       PARAMETER(6), PARAMETER(7), EXTENTS)
{
    PART(0, a * b)
    PART(1, b)
    PART(2, b * c)
    PART(3, c)
    PART(4, c * d)
    PART(5, d)
    PART(6, a)
    PART(7, a * c)
}

/* A launch for each. */
#define ONE(k, n)                                                                                  \
    __kernel void adam_##k(PARAMETER(k), EXTENTS)                                                  \
    {                                                                                              \
        EACH(i, n)                                                                                 \
            adam_vector(p##k, m##k, v##k, g##k, i);                                                \
    }

ONE(0, a * b)
ONE(1, b)
ONE(2, b * c)
ONE(3, c)
ONE(4, c * d)
ONE(5, d)
ONE(6, a)
ONE(7, a * c)
