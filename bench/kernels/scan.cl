/* Running sums along the rows of x, [a, b]: a work-item has PER_ITEM whole rows. Rows have whole segments of 1,024. */

__kernel void scan_in_sequence(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
    {
        float sum = 0.0f;
        for (int i = row * b; i < row * b + b; i++)
            y[i] = sum += x[i];
    }
}

#if WIDTH == 16
F lower(F v, F w)
{
    return (F)(v.s0, w.s0, v.s1, w.s1, v.s2, w.s2, v.s3, w.s3, v.s4, w.s4, v.s5, w.s5, v.s6, w.s6, v.s7, w.s7);
}

F upper(F v, F w)
{
    return (F)(v.s8, w.s8, v.s9, w.s9, v.sa, w.sa, v.sb, w.sb, v.sc, w.sc, v.sd, w.sd, v.se, w.se, v.sf, w.sf);
}

/* Rows of a square become its columns. */
void turn(F *t)
{
    F u[16];
    for (int step = 0; step < 4; step++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            u[2 * k] = lower(t[k], t[k + 8]);
            u[2 * k + 1] = upper(t[k], t[k + 8]);
        }
#pragma unroll
        for (int k = 0; k < 16; k++)
            t[k] = u[k];
    }
}

/* Where a segment lies that comes from far: fetched in one piece, and stored in one (-DFAR). */
#ifdef FAR
#define FROM (const float *)near
#define TO near
#define PUT STORE
#else
#define FROM in
#define TO out
#define PUT STORE_LAST
#endif

/* Sixteen blocks of 64 side by side, a lane each; then what is before each of them. Sinter's order. */
__kernel void scan_blocks(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
    {
        float before = 0.0f;
        for (int i = 0; i < b; i += 1024) {
            __global const float *restrict in = x + row * b + i;
            __global float *restrict out = y + row * b + i;
            F sums[64];
            F sum = (F)(0);
#ifdef FAR
            F laid[64];
            float *near = (float *)laid;
            for (int j = 0; j < 1024; j += 16)
                STORE(LOAD(in, j), near, j);
#endif
            for (int j = 0; j < 64; j += 16) {
                F t[16];
#pragma unroll
                for (int k = 0; k < 16; k++)
                    t[k] = LOAD(FROM, k * 64 + j);
                turn(t);
#pragma unroll
                for (int k = 0; k < 16; k++) {
                    sum += t[k];
                    sums[j + k] = sum;
                }
            }
            float totals[16];
            STORE(sum, totals, 0);
            for (int k = 0; k < 16; k++) {
                float total = totals[k];
                totals[k] = before;
                before += total;
            }
            F carry = LOAD(totals, 0);
            for (int j = 0; j < 64; j += 16) {
                F t[16];
#pragma unroll
                for (int k = 0; k < 16; k++)
                    t[k] = carry + sums[j + k];
                turn(t);
#pragma unroll
                for (int k = 0; k < 16; k++)
                    PUT(t[k], TO, k * 64 + j);
            }
#ifdef FAR
            for (int j = 0; j < 1024; j += 16)
                STORE_LAST(LOAD(near, j), out, j);
#endif
        }
    }
}
#else
/* The form for a GPU: a group of 256 per row, and four neighbours a work-item at a time. */
__kernel void scan_by_groups(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    __local float shared[256];
    int me = (int)get_local_id(0);
    int row = (int)get_group_id(0);
    float before = 0.0f;
    for (int i = 0; i < b; i += 1024) {
        __global const float *restrict in = x + row * b + i;
        float4 v = vload4(me, in);
        v.y += v.x;
        v.z += v.y;
        v.w += v.z;
        float sum = v.w;
        shared[me] = sum;
        for (int step = 1; step < 256; step *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            float other = me >= step ? shared[me - step] : 0.0f;
            barrier(CLK_LOCAL_MEM_FENCE);
            shared[me] = sum += other;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        vstore4(v + (before + (me > 0 ? shared[me - 1] : 0.0f)), me, y + row * b + i);
        before += shared[255];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif
