/* Sums of rows and of everything. */
#if WIDTH == 16
float all_lanes(float16 v)
{
    float8 x = v.lo + v.hi;
    float4 y = x.lo + x.hi;
    return y.x + y.y + (y.z + y.w);
}

/* The sum of p[0 .. n), a multiple of 64, in four independent vectors. */
float run(__global const float *restrict p, int n)
{
    F s0 = (F)(0);
    F s1 = (F)(0);
    F s2 = (F)(0);
    F s3 = (F)(0);
    for (int i = 0; i < n; i += 64) {
        s0 += LOAD(p, i);
        s1 += LOAD(p, i + 16);
        s2 += LOAD(p, i + 32);
        s3 += LOAD(p, i + 48);
    }
    return all_lanes((s0 + s1) + (s2 + s3));
}

/* x is [a, b]; a work-item per PER_ITEM rows. */
__kernel void row_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int row = first; row < min(first + PER_ITEM, a); row++)
        y[row] = run(x + row * b, b);
}

/* x is [a]; a work-item per one of b parts. */
__kernel void sum_parts(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    int length = a / b;
    int part = (int)get_global_id(0);
    parts[part] = run(x + part * length, length);
}

__kernel void sum_rest(__global const float *restrict parts, __global float *restrict y, EXTENTS)
{
    float total = 0.0f;
    for (int i = 0; i < b; i++)
        total += parts[i];
    y[0] = total;
}
#endif

/* The form for a GPU: a group of 256 per row, or per part. */
float group_sum(__global const float *restrict p, int n, __local float *shared)
{
    int me = (int)get_local_id(0);
    float s = 0.0f;
    for (int i = me; i < n; i += 256)
        s += p[i];
    shared[me] = s;
    for (int half_group = 128; half_group > 0; half_group /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < half_group)
            shared[me] += shared[me + half_group];
    }
    return shared[0];
}

__kernel void group_row_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    __local float shared[256];
    int row = (int)get_group_id(0);
    float s = group_sum(x + row * b, b, shared);
    if (get_local_id(0) == 0)
        y[row] = s;
}

__kernel void group_parts(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    __local float shared[256];
    int part = (int)get_group_id(0);
    float s = group_sum(x + part * (a / b), a / b, shared);
    if (get_local_id(0) == 0)
        parts[part] = s;
}

__kernel void group_rest(__global const float *restrict parts, __global float *restrict y, EXTENTS)
{
    __local float shared[256];
    float s = group_sum(parts, b, shared);
    if (get_local_id(0) == 0)
        y[0] = s;
}
