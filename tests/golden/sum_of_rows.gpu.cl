// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void mul_sum_029afcbb6135eea7(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int s0_0,
    int s1_0,
    int s2_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t4[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 * s0_0);
    int i2 = (i0 * s1_0);
    int i3 = (i0 * s2_0);
    float4 v0 = (float4)(0);
    int i4 = ((int)get_local_id(0) * 4);
    for (int i5 = i4; i5 < reduced; i5 += 64) {
        int i6 = (int)clamp((reduced - i5), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i1 + i5), i6);
        float4 v2 = sn_load_f32x4(p1 + (i2 + i5), i6);
        float4 v3 = v1 * v2;
        v0 = sn_fold_sum_f32x4(v0, v3, (i5 < 64), i6);
    }
    float v4 = sn_group_tree_sum_f32x4(v0, t4, min(reduced, 64));
    float v5 = v4;
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v5, p2 + i3, 1);
    }
}
