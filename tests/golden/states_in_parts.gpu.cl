// m = mean(v); s = var(v)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mean_devsq_div_9b58ee777a6065c1(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int region,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    __global float *q4 = (__global float *)(bq + oq + 4 * region);
    __local float t_float[768];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 / parts);
    int i8 = (i6 - (i7 * parts));
    int i9 = (i7 * s0_0);
    int i10 = (i7 * s1_0);
    int i11 = (i7 * s2_0);
    int i12 = (i7 * parts);
    int i13 = (i8 * 16384);
    int i14 = min((i5 - i13), 16384);
    float4 v1 = (float4)(as_float(0x80000000u));
    int i15 = (i2 * 4);
    for (int i16 = i15; i16 < i14; i16 += 64) {
        int i17 = (i13 + i16);
        int i18 = (int)clamp((i14 - i16), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i9 + i17, i18);
        v1 = sn_fold_sum_f32x4(v1, v2, i18);
    }
    for (int i19 = 8; i19 > 0; i19 /= 2) {
        sn_give_f32x4(v1, t_float + 0, 16, i19);
        barrier(CLK_LOCAL_MEM_FENCE);
        v1 = sn_take_sum_f32x4(v1, t_float + 0, 16, i19);
    }
    float v3 = sn_lane_tree_sum_f32x4(v1);
    sn_tell_f32x4(v3, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v4 = sn_hear_f32x4(t_float + 0, 16);
    float v5 = DIV(v4, (float)((float)i14));
    float4 v6 = (float4)(as_float(0x80000000u));
    float4 v7 = (float4)(as_float(0x80000000u));
    float4 v8 = (float4)(as_float(0x80000000u));
    int i20 = (i2 * 4);
    for (int i21 = i20; i21 < i14; i21 += 64) {
        int i22 = (i13 + i21);
        int i23 = (int)clamp((i14 - i21), (int)0, (int)4);
        float4 v9 = sn_load_f32x4(p0 + i9 + i22, i23);
        float4 v10 = v9 - (float4)(v5);
        float4 v11 = v10 * v10;
        v6 = sn_fold_mean_f32x4(v6, v9, i23);
        v7 = sn_fold_sum_f32x4(v7, v10, i23);
        v8 = sn_fold_sum_f32x4(v8, v11, i23);
    }
    for (int i24 = 8; i24 > 0; i24 /= 2) {
        sn_give_f32x4(v6, t_float + 0, 16, i24);
        sn_give_f32x4(v7, t_float + 256, 16, i24);
        sn_give_f32x4(v8, t_float + 512, 16, i24);
        barrier(CLK_LOCAL_MEM_FENCE);
        v6 = sn_take_mean_f32x4(v6, t_float + 0, 16, i24);
        v7 = sn_take_sum_f32x4(v7, t_float + 256, 16, i24);
        v8 = sn_take_sum_f32x4(v8, t_float + 512, 16, i24);
    }
    float v12 = sn_lane_tree_mean_f32x4(v6);
    sn_tell_f32x4(v12, t_float + 0, 16);
    float v13 = sn_lane_tree_sum_f32x4(v7);
    sn_tell_f32x4(v13, t_float + 256, 16);
    float v14 = sn_lane_tree_sum_f32x4(v8);
    sn_tell_f32x4(v14, t_float + 512, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v15 = sn_hear_f32x4(t_float + 0, 16);
    float v16 = sn_hear_f32x4(t_float + 256, 16);
    float v17 = sn_hear_f32x4(t_float + 512, 16);
    uint v18 = (uint)(i14);
    float v19 = sn_u32_to_f32_x1(v18);
    float v20 = DIV(v16, (float)((float)i14));
    float v21 = v16 * v20;
    float v22 = v17 - v21;
    float v23 = sn_max_f32x1(v22, (float)(0));
    if (((i2 == 0) && i4)) {
        sn_store_f32x1(v15, q0 + i12 + i8, 1);
        sn_store_f32x1(v19, q1 + i12 + i8, 1);
        sn_store_f32x1(v5, q2 + i12 + i8, 1);
        sn_store_f32x1(v20, q3 + i12 + i8, 1);
        sn_store_f32x1(v23, q4 + i12 + i8, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 2, 1)))
void mean_devsq_div_e66553f657d63bb5(
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *bq, ulong oq,
    int s0_0,
    int s1_0,
    int s2_0,
    int parts,
    int segment,
    int reduced,
    int region,
    float c0)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    __global float *q4 = (__global float *)(bq + oq + 4 * region);
    int i0 = ((int)get_global_id(0) * s0_0);
    int i1 = ((int)get_global_id(0) * s1_0);
    int i2 = ((int)get_global_id(0) * s2_0);
    int i3 = (int)get_global_id(0);
    int i4 = (i3 / segment);
    int i5 = (i3 - (i4 * segment));
    int i6 = (((i4 * parts) * segment) + i5);
    for (int i7 = 2; i7 > 0; i7 /= 2) {
        sn_tree_level_mean_f32x1(q0 + i6, segment, parts, i7, (long)get_local_id(1), 2);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    float v1 = sn_load_f32x1(q0 + i6, 1);
    float v2 = DIV(v1, (float)((float)reduced));
    float v3 = v2;
    for (int i8 = 2; i8 > 0; i8 /= 2) {
        sn_spread_level_sum_f32x1(q1 + i6, q2 + i6, q3 + i6, q4 + i6, segment, parts, i8, (long)get_local_id(1), 2);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    float v4 = sn_load_f32x1(q4 + i6, 1);
    float v5 = v4;
    if (((int)get_local_id(1) == 0)) {
        float v6 = DIV(v5, c0);
        sn_store_f32x1(v3, p1 + i1, 1);
        sn_store_f32x1(v6, p2 + i2, 1);
    }
}
