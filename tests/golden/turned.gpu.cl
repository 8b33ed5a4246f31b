// z = transpose(x * 2) + reshape(y, (40, 300)); w = transpose(reshape(x, (5, 60, 40)), (0, 2, 1)) * 2

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_add_35d128a637f23ef3(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int s0_0,
    int s1_0,
    int s2_0,
    int s0_1,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (i1 * s2_0);
        int i5 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_strided_f32x4(p0 + (i2 + (i0 * s0_1)), s0_1, i5);
        float4 v2 = v1 * (float4)(c0);
        float4 v3 = sn_load_f32x4(p1 + (i3 + i0), i5);
        float4 v4 = v2 + v3;
        sn_store_f32x4(v4, p2 + (i4 + i0), i5);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_d3c2d6387f5097b8(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n2,
    int n1,
    int s0_0,
    int s0_1,
    int s1_0,
    int s1_1,
    int s0_2,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n2)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 / n1);
        int i3 = (i1 - (i2 * n1));
        int i4 = ((i2 * s0_0) + (i3 * s0_1));
        int i5 = ((i2 * s1_0) + (i3 * s1_1));
        int i6 = (int)clamp((n2 - i0), (int)0, (int)4);
        float4 v1 = sn_load_strided_f32x4(p0 + (i4 + (i0 * s0_2)), s0_2, i6);
        float4 v2 = v1 * (float4)(c0);
        sn_store_f32x4(v2, p1 + (i5 + i0), i6);
    }
}
