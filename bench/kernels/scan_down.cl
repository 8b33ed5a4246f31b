/* Running sums down the columns of x, [a, b]: a work-item has PER_ITEM columns. */
#define BAND 4
#define VECTORS (PER_ITEM / WIDTH)
#define EACH_VECTOR(v) for (int v = 0; v < VECTORS; v++)

__kernel void scan_down_in_sequence(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    F sum[VECTORS];
    EACH_VECTOR(v)
        sum[v] = (F)(0);
    for (int i = 0; i < a; i++) {
        EACH_VECTOR(v)
        {
            int at = i * b + first + v * WIDTH;
            sum[v] += LOAD(x, at);
            STORE_LAST(sum[v], y, at);
        }
    }
}

/* Blocks of 64 rows in stretches of 64 blocks, in BAND rows of each vector in turn. Sinter's order,
 * of up to 64 stretches. */
__kernel void scan_down(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    F far[VECTORS]; /* the stretches that are done, */
    F before[VECTORS]; /* the blocks of this one, */
    F carry[VECTORS]; /* what is before the block, */
    F acc[VECTORS]; /* and the block so far */
    for (int block = 0; block < a; block += 64) {
        EACH_VECTOR(v)
        {
            if (block > 0 && block % 4096 == 0)
                far[v] = block == 4096 ? before[v] : far[v] + before[v];
            carry[v] = block < 4096 ? before[v] : block % 4096 == 0 ? far[v] : far[v] + before[v];
            acc[v] = (F)(0);
        }
        for (int i = block; i < block + 64; i += BAND) {
            EACH_VECTOR(v)
            {
                int at = i * b + first + v * WIDTH;
                F t[BAND];
#pragma unroll
                for (int k = 0; k < BAND; k++)
                    t[k] = LOAD(x, at + k * b);
#pragma unroll
                for (int k = 0; k < BAND; k++) {
                    acc[v] += t[k];
                    STORE_LAST(block == 0 ? acc[v] : carry[v] + acc[v], y, at + k * b);
                }
            }
        }
        EACH_VECTOR(v)
            before[v] = block % 4096 == 0 ? acc[v] : before[v] + acc[v];
    }
}
