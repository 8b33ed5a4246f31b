/* Sums of rows, of planes, of columns and of everything. */
#if WIDTH == 16
/* Four vectors, by halves, as sinter adds its 64 parts. */
float whole(F s0, F s1, F s2, F s3)
{
    F v = (s0 + s2) + (s1 + s3);
    float8 x = v.lo + v.hi;
    float4 y = x.lo + x.hi;
    return (y.x + y.z) + (y.y + y.w);
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
    return whole(s0, s1, s2, s3);
}

/* x is [a, b]; a work-item per PER_ITEM rows. */
__kernel void row_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
        y[row] = run(x + row * b, b);
}

/* x is [a, b, c], summed over a and c, 16,384 elements at most; a work-item per PER_ITEM of b. */
__kernel void plane_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH_ROW(plane, b)
    {
        F s0 = (F)(0);
        F s1 = (F)(0);
        F s2 = (F)(0);
        F s3 = (F)(0);
        for (int i = 0; i < a; i++) {
            __global const float *restrict p = x + (i * b + plane) * c;
            for (int j = 0; j < c; j += 64) {
                s0 += LOAD(p, j);
                s1 += LOAD(p, j + 16);
                s2 += LOAD(p, j + 32);
                s3 += LOAD(p, j + 48);
            }
        }
        y[plane] = whole(s0, s1, s2, s3);
    }
}

/* x is [a]; a work-item per one of b parts of 16,384 elements at most. */
__kernel void sum_parts(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    int length = a / b;
    int part = (int)get_global_id(0);
    parts[part] = run(x + part * length, length);
}

__kernel void sum_rest(__global float *restrict parts, __global float *restrict y, EXTENTS)
{
    for (int half_way = b / 2; half_way > 0; half_way /= 2) {
        for (int i = 0; i < half_way; i++)
            parts[i] += parts[i + half_way];
    }
    y[0] = parts[0];
}

/* x is [a, b], in c runs of 256 rows. A work-item adds up PER_ITEM columns of a run. */
__kernel void column_parts(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    int part = (int)get_global_id(1);
    for (int j = first; j < min(first + PER_ITEM, b); j += 64) {
        __global const float *restrict from = x + part * 256 * b + j;
        F s0 = (F)(0);
        F s1 = (F)(0);
        F s2 = (F)(0);
        F s3 = (F)(0);
        for (int i = 0; i < min(256, a - part * 256); i++) {
            s0 += LOAD(from, i * b);
            s1 += LOAD(from, i * b + 16);
            s2 += LOAD(from, i * b + 32);
            s3 += LOAD(from, i * b + 48);
        }
        STORE(s0, parts, part * b + j);
        STORE(s1, parts, part * b + j + 16);
        STORE(s2, parts, part * b + j + 32);
        STORE(s3, parts, part * b + j + 48);
    }
}

/* The same row by row, with the sums in the cache. */
__kernel void column_rows(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    int part = (int)get_global_id(0);
    __global float *restrict to = parts + part * b;
    for (int j = 0; j < b; j += WIDTH)
        STORE((F)(0), to, j);
    for (int i = 0; i < min(256, a - part * 256); i += 4) {
        __global const float *restrict from = x + (part * 256 + i) * b;
        for (int j = 0; j < b; j += WIDTH) {
            F s = LOAD(to, j) + LOAD(from, j);
            s += LOAD(from, b + j);
            s += LOAD(from, 2 * b + j);
            s += LOAD(from, 3 * b + j);
            STORE(s, to, j);
        }
    }
}

__kernel void column_rest(__global float *restrict parts, __global float *restrict y, EXTENTS)
{
    int j = (int)get_global_id(0) * WIDTH;
    for (int half_way = c / 2; half_way > 0; half_way /= 2) {
        for (int i = 0; i < half_way; i++)
            STORE(LOAD(parts, i * b + j) + LOAD(parts, (i + half_way) * b + j), parts, i * b + j);
    }
    STORE(LOAD(parts, j), y, j);
}
#endif

/* The form for a GPU: a group of 256 per row, plane or part, of which each work-item has a sum. */
float group_tree(float s, __local float *shared)
{
    int me = (int)get_local_id(0);
    shared[me] = s;
    for (int half_group = 128; half_group > 0; half_group /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < half_group)
            shared[me] += shared[me + half_group];
    }
    return shared[0];
}

float group_sum(__global const float *restrict p, int n, __local float *shared)
{
    float s = 0.0f;
    for (int i = (int)get_local_id(0); i < n; i += 256)
        s += p[i];
    return group_tree(s, shared);
}

__kernel void group_row_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    __local float shared[256];
    int row = (int)get_group_id(0);
    float s = group_sum(x + row * b, b, shared);
    if (get_local_id(0) == 0)
        y[row] = s;
}

__kernel void group_plane_sum(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    __local float shared[256];
    int plane = (int)get_group_id(0);
    int me = (int)get_local_id(0);
    float s = 0.0f;
    for (int i = me; i < a * c; i += 256)
        s += x[(i / c * b + plane) * c + i % c];
    s = group_tree(s, shared);
    if (me == 0)
        y[plane] = s;
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
