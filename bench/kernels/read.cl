/* The reading that sums are compared with: every bit of x counts in what comes out, in an order
 * that does not matter. It is stored nowhere but for one value, which the compiler has to wait for
 * and which does not come. n is a multiple of 64. */
#define NEVER 0x5bd1e995u

#if WIDTH == 16
void keep(U seen, __global float *y)
{
    uint8 half_of_it = seen.lo ^ seen.hi;
    uint4 four = half_of_it.lo ^ half_of_it.hi;
    uint2 two = four.lo ^ four.hi;
    if ((two.x ^ two.y) == NEVER)
        y[0] = 1.0f;
}

/* A stretch for each work-item, from its first element to its last. */
__kernel void read_along(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    int end = min(first + PER_ITEM, a);
    U s0 = (U)(0);
    U s1 = (U)(0);
    U s2 = (U)(0);
    U s3 = (U)(0);
    for (int i = first; i < end; i += 64) {
        s0 ^= AS_U(LOAD(x, i));
        s1 ^= AS_U(LOAD(x, i + 16));
        s2 ^= AS_U(LOAD(x, i + 32));
        s3 ^= AS_U(LOAD(x, i + 48));
    }
    keep((s0 ^ s1) ^ (s2 ^ s3), y);
}

/* The same in four places of the stretch at once. */
__kernel void read_in_four(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    int step = (min(first + PER_ITEM, a) - first) / 4;
    U s0 = (U)(0);
    U s1 = (U)(0);
    U s2 = (U)(0);
    U s3 = (U)(0);
    for (int i = first; i < first + step; i += 16) {
        s0 ^= AS_U(LOAD(x, i));
        s1 ^= AS_U(LOAD(x, i + step));
        s2 ^= AS_U(LOAD(x, i + 2 * step));
        s3 ^= AS_U(LOAD(x, i + 3 * step));
    }
    keep((s0 ^ s1) ^ (s2 ^ s3), y);
}
#endif

/* Neighbouring work-items on neighbouring elements, all of them through everything. */
__kernel void read_across(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int step = (int)get_global_size(0) * 4;
    uint4 seen = (uint4)(0);
    for (int i = (int)get_global_id(0) * 4; i < a; i += step)
        seen ^= as_uint4(vload4(0, x + i));
    if ((seen.x ^ seen.y ^ seen.z ^ seen.w) == NEVER)
        y[0] = 1.0f;
}
