// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_56b6bcfd8b96d48e(
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
    float4 v0 = (float4)(0);
    int i9 = (i2 * 4);
    for (int i10 = i9; i10 < i5; i10 += 64) {
        int i11 = (int)clamp((i5 - i10), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i7 + i10), i11);
        v0 = sn_fold_max_f32x4(v0, v1, (i10 < 64), i11);
    }
    int i12 = min(i5, 64);
    float v2 = sn_share_f32x4(sn_lane_tree_max_f32x4(sn_group_tree_max_f32x4(v0, t_float, 16, i12), i12), t_float, 16);
    float v3 = v2;
    float4 v4 = (float4)(0);
    int i13 = (i2 * 4);
    for (int i14 = i13; i14 < i5; i14 += 64) {
        int i15 = (int)clamp((i5 - i14), (int)0, (int)4);
        float4 v5 = sn_load_f32x4(p0 + (i7 + i14), i15);
        float4 v6 = v5 - (float4)(v3);
        float4 v7 = sn_exp_f32x4(v6);
        sn_store_f32x4(v7, p1 + (i8 + i14), i15);
        v4 = sn_fold_sum_f32x4(v4, v7, (i14 < 64), i15);
    }
    int i16 = min(i5, 64);
    float v8 = sn_share_f32x4(sn_lane_tree_sum_f32x4(sn_group_tree_sum_f32x4(v4, t_float, 16, i16), i16), t_float, 16);
    float v9 = v8;
    int i17 = (i2 * 4);
    for (int i18 = i17; i18 < i5; i18 += 64) {
        int i19 = (int)clamp((i5 - i18), (int)0, (int)4);
        float4 v10 = sn_load_f32x4(p1 + (i8 + i18), i19);
        float4 v11 = DIV(v10, (float4)(v9));
        sn_store_f32x4(v11, p1 + (i8 + i18), i19);
    }
}
