// p = argmax(x, axis=1); s = var(x, axis=1)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void argmax_devsq_div_7588e9041b1d6302(
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
    float4 v1[1];
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
    float4 v2 = (float4)(as_float(0xff800000u));
    float4 v3 = (float4)(as_float(0x80000000u));
    int i10 = (i2 * 4);
    if (i4) {
        if ((i10 < i5)) {
            int i11 = (int)clamp((i5 - i10), (int)0, (int)4);
            float4 v4 = sn_load_f32x4(p0 + i7 + i10, i11);
            v1[0] = v4;
            v2 = sn_fold_max_f32x4(v2, v4, i11);
            v3 = sn_fold_sum_f32x4(v3, v4, i11);
        }
    }
    for (int i12 = 8; i12 > 0; i12 /= 2) {
        sn_give_f32x4(v2, t_float + 0, 16, i12);
        sn_give_f32x4(v3, t_float + 256, 16, i12);
        barrier(CLK_LOCAL_MEM_FENCE);
        v2 = sn_take_max_f32x4(v2, t_float + 0, 16, i12);
        v3 = sn_take_sum_f32x4(v3, t_float + 256, 16, i12);
    }
    float v5 = sn_lane_tree_max_f32x4(v2);
    sn_tell_f32x4(v5, t_float + 0, 16);
    float v6 = sn_lane_tree_sum_f32x4(v3);
    sn_tell_f32x4(v6, t_float + 256, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v7 = sn_hear_f32x4(t_float + 0, 16);
    float v8 = sn_hear_f32x4(t_float + 256, 16);
    float v9 = DIV(v8, (float)((float)i5));
    uint4 v10 = (uint4)(0xffffffffu);
    float4 v11 = (float4)(as_float(0x80000000u));
    float4 v12 = (float4)(as_float(0x80000000u));
    int i13 = (i2 * 4);
    if (i4) {
        if ((i13 < i5)) {
            int i14 = (int)clamp((i5 - i13), (int)0, (int)4);
            float4 v13 = v1[0];
            uint4 v14 = select((uint4)(0), (uint4)(1), v13 == (float4)(v7));
            uint4 v15 = select((uint4)(0), (uint4)(1), v13 != v13);
            uint4 v16 = v14 | v15;
            uint4 v17 = convert_uint4(i13 + (int4)(0, 1, 2, 3) * 1);
            uint v18 = (uint)(16384);
            uint4 v19 = 0 != (v16) ? v17 : (uint4)(v18);
            float4 v20 = v13 - (float4)(v9);
            float4 v21 = v20 * v20;
            v10 = sn_fold_min_u32x4(v10, v19, i14);
            v11 = sn_fold_sum_f32x4(v11, v20, i14);
            v12 = sn_fold_sum_f32x4(v12, v21, i14);
        }
    }
    for (int i15 = 8; i15 > 0; i15 /= 2) {
        sn_give_u32x4(v10, t_uint + 0, 16, i15);
        sn_give_f32x4(v11, t_float + 0, 16, i15);
        sn_give_f32x4(v12, t_float + 256, 16, i15);
        barrier(CLK_LOCAL_MEM_FENCE);
        v10 = sn_take_min_u32x4(v10, t_uint + 0, 16, i15);
        v11 = sn_take_sum_f32x4(v11, t_float + 0, 16, i15);
        v12 = sn_take_sum_f32x4(v12, t_float + 256, 16, i15);
    }
    uint v22 = sn_lane_tree_min_u32x4(v10);
    sn_tell_u32x4(v22, t_uint + 0, 16);
    float v23 = sn_lane_tree_sum_f32x4(v11);
    sn_tell_f32x4(v23, t_float + 0, 16);
    float v24 = sn_lane_tree_sum_f32x4(v12);
    sn_tell_f32x4(v24, t_float + 256, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v25 = sn_hear_u32x4(t_uint + 0, 16);
    float v26 = sn_hear_f32x4(t_float + 0, 16);
    float v27 = sn_hear_f32x4(t_float + 256, 16);
    ulong v28 = sn_u32_to_64_x1(v25);
    float v29 = DIV(v26, (float)((float)i5));
    float v30 = v26 * v29;
    float v31 = v27 - v30;
    float v32 = sn_max_f32x1(v31, (float)(0));
    ulong v33 = v28;
    float v34 = v32;
    float v35 = DIV(v34, c0);
    if (((i2 == 0) && i4)) {
        sn_store_i64x1(v33, p1 + i8, 1);
        sn_store_f32x1(v35, p2 + i9, 1);
    }
}
