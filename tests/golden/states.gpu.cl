// p = argmax(x, axis=1); s = var(x, axis=1)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void argmax_devsq_div_d83c6b93b485a646(
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
    __local float t_float[512];
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
    float4 v1 = (float4)(as_float(0xff800000u));
    float4 v2 = (float4)(as_float(0x80000000u));
    int i10 = (i2 * 4);
    for (int i11 = i10; i11 < i5; i11 += 64) {
        int i12 = (int)clamp((i5 - i11), (int)0, (int)4);
        float4 v3 = sn_load_f32x4(p0 + i7 + i11, i12);
        v1 = sn_fold_max_f32x4(v1, v3, i12);
        v2 = sn_fold_sum_f32x4(v2, v3, i12);
    }
    for (int i13 = 8; i13 > 0; i13 /= 2) {
        sn_give_f32x4(v1, t_float + 0, 16, i13);
        sn_give_f32x4(v2, t_float + 256, 16, i13);
        barrier(CLK_LOCAL_MEM_FENCE);
        v1 = sn_take_max_f32x4(v1, t_float + 0, 16, i13);
        v2 = sn_take_sum_f32x4(v2, t_float + 256, 16, i13);
    }
    float v4 = sn_lane_tree_max_f32x4(v1);
    sn_tell_f32x4(v4, t_float + 0, 16);
    float v5 = sn_lane_tree_sum_f32x4(v2);
    sn_tell_f32x4(v5, t_float + 256, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v6 = sn_hear_f32x4(t_float + 0, 16);
    float v7 = sn_hear_f32x4(t_float + 256, 16);
    float v8 = DIV(v7, (float)((float)i5));
    uint4 v9 = (uint4)(0xffffffffu);
    float4 v10 = (float4)(as_float(0x80000000u));
    float4 v11 = (float4)(as_float(0x80000000u));
    int i14 = (i2 * 4);
    for (int i15 = i14; i15 < i5; i15 += 64) {
        int i16 = (int)clamp((i5 - i15), (int)0, (int)4);
        float4 v12 = sn_load_f32x4(p0 + i7 + i15, i16);
        uint4 v13 = select((uint4)(0), (uint4)(1), v12 == (float4)(v6));
        uint4 v14 = select((uint4)(0), (uint4)(1), v12 != v12);
        uint4 v15 = v13 | v14;
        uint4 v16 = convert_uint4(i15 + (int4)(0, 1, 2, 3) * 1);
        uint v17 = (uint)(16384);
        uint4 v18 = 0 != (v15) ? v16 : (uint4)(v17);
        float4 v19 = v12 - (float4)(v8);
        float4 v20 = v19 * v19;
        v9 = sn_fold_min_u32x4(v9, v18, i16);
        v10 = sn_fold_sum_f32x4(v10, v19, i16);
        v11 = sn_fold_sum_f32x4(v11, v20, i16);
    }
    for (int i17 = 8; i17 > 0; i17 /= 2) {
        sn_give_u32x4(v9, t_uint + 0, 16, i17);
        sn_give_f32x4(v10, t_float + 0, 16, i17);
        sn_give_f32x4(v11, t_float + 256, 16, i17);
        barrier(CLK_LOCAL_MEM_FENCE);
        v9 = sn_take_min_u32x4(v9, t_uint + 0, 16, i17);
        v10 = sn_take_sum_f32x4(v10, t_float + 0, 16, i17);
        v11 = sn_take_sum_f32x4(v11, t_float + 256, 16, i17);
    }
    uint v21 = sn_lane_tree_min_u32x4(v9);
    sn_tell_u32x4(v21, t_uint + 0, 16);
    float v22 = sn_lane_tree_sum_f32x4(v10);
    sn_tell_f32x4(v22, t_float + 0, 16);
    float v23 = sn_lane_tree_sum_f32x4(v11);
    sn_tell_f32x4(v23, t_float + 256, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v24 = sn_hear_u32x4(t_uint + 0, 16);
    float v25 = sn_hear_f32x4(t_float + 0, 16);
    float v26 = sn_hear_f32x4(t_float + 256, 16);
    ulong v27 = sn_u32_to_64_x1(v24);
    float v28 = DIV(v25, (float)((float)i5));
    float v29 = v25 * v28;
    float v30 = v26 - v29;
    float v31 = sn_max_f32x1(v30, (float)(0));
    ulong v32 = v27;
    float v33 = v31;
    float v34 = DIV(v33, c0);
    if (((i2 == 0) && i4)) {
        sn_store_i64x1(v32, p1 + i8, 1);
        sn_store_f32x1(v34, p2 + i9, 1);
    }
}
