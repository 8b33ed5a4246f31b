// z = transpose(x[::-2, 3:30], (1, 0)) + 1; w = flip(y, axis=1) * 2

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add_9d411b58c6131ead(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n1,
    int s0_0,
    int s1_0,
    int s0_1,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_strided_f32x4(p0 + (i2 + (i0 * s0_1)), s0_1, i4);
        float4 v2 = v1 + (float4)(c0);
        sn_store_f32x4(v2, p1 + (i3 + i0), i4);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_5a9cb866c6e73407(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n1,
    int s0_0,
    int s1_0,
    int s0_1,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_strided_f32x4(p0 + (i2 + (i0 * s0_1)), s0_1, i4);
        float4 v2 = v1 * (float4)(c0);
        sn_store_f32x4(v2, p1 + (i3 + i0), i4);
    }
}
