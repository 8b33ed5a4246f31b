// p = argmax(x, axis=1); s = var(x, axis=1)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void argmax_devsq_div_5b6f7949f62a4385(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int units,
    int s0_0,
    int s1_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global ulong *p1 = (__global ulong *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t_float[256];
    __local uint t_uint[256];
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
    float4 v1 = (float4)(0);
    float4 v2 = (float4)(0);
    int i10 = (i2 * 4);
    for (int i11 = i10; i11 < i5; i11 += 64) {
        int i12 = (int)clamp((i5 - i11), (int)0, (int)4);
        float4 v3 = sn_load_f32x4(p0 + (i7 + i11), i12);
        v1 = sn_fold_max_f32x4(v1, v3, (i11 < 64), i12);
        v2 = sn_fold_sum_f32x4(v2, v3, (i11 < 64), i12);
    }
    int i13 = min(i5, 64);
    float v4 = sn_share_f32x4(sn_lane_tree_max_f32x4(sn_group_tree_max_f32x4(v1, t_float, 16, i13), i13), t_float, 16);
    int i14 = min(i5, 64);
    float v5 = sn_share_f32x4(sn_lane_tree_sum_f32x4(sn_group_tree_sum_f32x4(v2, t_float, 16, i14), i14), t_float, 16);
    float v6 = DIV(v5, (float)((float)i5));
    uint4 v7 = (uint4)(0);
    float4 v8 = (float4)(0);
    float4 v9 = (float4)(0);
    int i15 = (i2 * 4);
    for (int i16 = i15; i16 < i5; i16 += 64) {
        int i17 = (int)clamp((i5 - i16), (int)0, (int)4);
        float4 v10 = sn_load_f32x4(p0 + (i7 + i16), i17);
        uint4 v11 = select((uint4)(0), (uint4)(1), v10 == (float4)(v4));
        uint4 v12 = select((uint4)(0), (uint4)(1), v10 != v10);
        uint4 v13 = v11 | v12;
        uint4 v14 = convert_uint4(i16 + (int4)(0, 1, 2, 3) * 1);
        uint v15 = (uint)(16384);
        uint4 v16 = 0 != (v13) ? v14 : (uint4)(v15);
        float4 v17 = v10 - (float4)(v6);
        float4 v18 = v17 * v17;
        v7 = sn_fold_min_u32x4(v7, v16, (i16 < 64), i17);
        v8 = sn_fold_sum_f32x4(v8, v17, (i16 < 64), i17);
        v9 = sn_fold_sum_f32x4(v9, v18, (i16 < 64), i17);
    }
    int i18 = min(i5, 64);
    uint v19 = sn_share_u32x4(sn_lane_tree_min_u32x4(sn_group_tree_min_u32x4(v7, t_uint, 16, i18), i18), t_uint, 16);
    int i19 = min(i5, 64);
    float v20 = sn_share_f32x4(sn_lane_tree_sum_f32x4(sn_group_tree_sum_f32x4(v8, t_float, 16, i19), i19), t_float, 16);
    int i20 = min(i5, 64);
    float v21 = sn_share_f32x4(sn_lane_tree_sum_f32x4(sn_group_tree_sum_f32x4(v9, t_float, 16, i20), i20), t_float, 16);
    ulong v22 = sn_u32_to_64_x1(v19);
    float v23 = DIV(v20, (float)((float)i5));
    float v24 = v20 * v23;
    float v25 = v21 - v24;
    float v26 = sn_max_f32x1(v25, (float)(0));
    ulong v27 = v22;
    float v28 = v26;
    float v29 = DIV(v28, c0);
    if (((i2 == 0) && i4)) {
        sn_store_i64x1(v27, p1 + i8, 1);
        sn_store_f32x1(v29, p2 + i9, 1);
    }
}
