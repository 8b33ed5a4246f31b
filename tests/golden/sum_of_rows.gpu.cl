// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_sum_ca89b6b30b891845(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int units,
    int s0_0,
    int s1_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t_float[256];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 * s0_0);
    int i8 = (i6 * s1_0);
    int i9 = (i6 * s2_0);
    float4 v0 = (float4)(as_float(0x80000000u));
    int i10 = (i2 * 4);
    for (int i11 = i10; i11 < i5; i11 += 64) {
        int i12 = (int)clamp((i5 - i11), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + i7 + i11, i12);
        float4 v2 = sn_load_f32x4(p1 + i8 + i11, i12);
        float4 v3 = v1 * v2;
        v0 = sn_fold_sum_f32x4(v0, v3, i12);
    }
    for (int i13 = 8; i13 > 0; i13 /= 2) {
        sn_give_f32x4(v0, t_float + 0, 16, i13);
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = sn_take_sum_f32x4(v0, t_float + 0, 16, i13);
    }
    float v4 = sn_lane_tree_sum_f32x4(v0);
    sn_tell_f32x4(v4, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v5 = sn_hear_f32x4(t_float + 0, 16);
    float v6 = v5;
    if (((i2 == 0) && i4)) {
        sn_store_f32x1(v6, p2 + i9, 1);
    }
}
