// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_7a324b2fbfd9b480(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int units,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
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
    float4 v0 = (float4)(as_float(0xff800000u));
    int i9 = (i2 * 4);
    for (int i10 = i9; i10 < i5; i10 += 64) {
        int i11 = (int)clamp((i5 - i10), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + i7 + i10, i11);
        v0 = sn_fold_larger_f32x4(v0, v1, i11);
    }
    for (int i12 = 8; i12 > 0; i12 /= 2) {
        sn_give_f32x4(v0, t_float + 0, 16, i12);
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = sn_take_larger_f32x4(v0, t_float + 0, 16, i12);
    }
    float v2 = sn_lane_tree_larger_f32x4(v0);
    sn_tell_f32x4(v2, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v3 = sn_hear_f32x4(t_float + 0, 16);
    float v4 = v3;
    float4 v5 = (float4)(as_float(0x80000000u));
    int i13 = (i2 * 4);
    for (int i14 = i13; i14 < i5; i14 += 64) {
        int i15 = (int)clamp((i5 - i14), (int)0, (int)4);
        float4 v6 = sn_load_f32x4(p0 + i7 + i14, i15);
        float4 v7 = v6 - (float4)(v4);
        float4 v8 = sn_exp_f32x4(v7);
        sn_store_f32x4(v8, p1 + i8 + i14, i15);
        v5 = sn_fold_sum_f32x4(v5, v8, i15);
    }
    for (int i16 = 8; i16 > 0; i16 /= 2) {
        sn_give_f32x4(v5, t_float + 0, 16, i16);
        barrier(CLK_LOCAL_MEM_FENCE);
        v5 = sn_take_sum_f32x4(v5, t_float + 0, 16, i16);
    }
    float v9 = sn_lane_tree_sum_f32x4(v5);
    sn_tell_f32x4(v9, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v10 = sn_hear_f32x4(t_float + 0, 16);
    float v11 = v10;
    int i17 = (i2 * 4);
    for (int i18 = i17; i18 < i5; i18 += 64) {
        int i19 = (int)clamp((i5 - i18), (int)0, (int)4);
        float4 v12 = sn_load_f32x4(p1 + i8 + i18, i19);
        float4 v13 = DIV(v12, (float4)(v11));
        sn_store_f32x4(v13, p1 + i8 + i18, i19);
    }
}
