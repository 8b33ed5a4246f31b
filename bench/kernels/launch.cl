/* y = x * c with the arguments and the loop of the kernel that sinter makes for it. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void launch(
    __global const uchar *b0, ulong o0, __global uchar *b1, ulong o1, int n, int segment, float c)
{
    __global const float *x = (__global const float *)(b0 + o0);
    __global float *y = (__global float *)(b1 + o1);
    int first = (int)get_global_id(0) * segment;
    int last = min(first + segment, n);
    for (int i = first; i < last; i += 16)
        vstore16(vload16(0, x + i) * c, 0, y + i);
}
