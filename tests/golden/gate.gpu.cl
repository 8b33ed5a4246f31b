// z = silu(x) * y * col

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void silu_mul_mul_8c9b5bacd9b9910c(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n1,
    int s0_0,
    int s1_0,
    int s2_0,
    int s3_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (i1 * s2_0);
        int i5 = (i1 * s3_0);
        float v0 = sn_load_f32x1(p2 + i4, 1);
        int i6 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + i2 + i0, i6);
        float4 v2 = sn_silu_f32x4(v1);
        float4 v3 = sn_load_f32x4(p1 + i3 + i0, i6);
        float4 v4 = v2 * v3;
        float4 v5 = v4 * (float4)(v0);
        sn_store_f32x4(v5, p3 + i5 + i0, i6);
    }
}
