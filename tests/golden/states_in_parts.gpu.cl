// m = mean(v); s = var(v)

__kernel __attribute__((reqd_work_group_size(512, 1, 1)))
void mean_devsq_div_59a5b0cd22a914a2(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
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
    __local float t_float[1024];
    float v1[32];
    __local float v2[512];
    __local float v3[512];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 64);
    int i2 = (i0 - (i1 * 64));
    int i3 = (int)get_group_id(0);
    int i4 = (i3 / parts);
    int i5 = (i3 - (i4 * parts));
    int i6 = (i4 * s0_0);
    int i7 = (i4 * s1_0);
    int i8 = (i4 * s2_0);
    int i9 = (i4 * parts);
    int i10 = (i5 * 16384);
    int i11 = min((reduced - i10), 16384);
    float v4 = (float)(as_float(0x80000000u));
#pragma unroll
    for (int i12 = 0; i12 < 32; i12 += 1) {
        int i13 = (i2 + (((i1 * 32) + i12) * 64));
        int i14 = (i10 + i13);
        int i15 = (i10 + min(i13, (i11 - 1)));
        float v5 = sn_load_f32x1(p0 + i6 + i15, 1);
        v1[i12] = v5;
    }
    if ((i1 == 0)) {
        v2[i2] = v4;
    }
    for (int i16 = 0; i16 < 8; i16 += 1) {
        if ((i1 == i16)) {
            float v6 = v2[i2];
            int i17 = (i11 < ((i1 + 1) * 2048));
            if ((i17 == 0)) {
#pragma unroll
                for (int i18 = 0; i18 < 32; i18 += 1) {
                    int i19 = (i2 + (((i1 * 32) + i18) * 64));
                    int i20 = (i10 + i19);
                    int i21 = (i10 + min(i19, (i11 - 1)));
                    float v7 = v1[i18];
                    v6 = v6 + v7;
                }
            }
            if (i17) {
#pragma unroll
                for (int i22 = 0; i22 < 32; i22 += 1) {
                    int i23 = (i2 + (((i1 * 32) + i22) * 64));
                    int i24 = (i10 + i23);
                    int i25 = (i10 + min(i23, (i11 - 1)));
                    float v8 = v1[i22];
                    int i26 = (int)clamp((i11 - i23), (int)0, (int)1);
                    v6 = sn_fold_sum_f32x1(v6, v8, i26);
                }
            }
            v2[i2] = v6;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float v9 = v2[i2];
    for (int i27 = 32; i27 > 0; i27 /= 2) {
        sn_give_f32x1(v9, t_float + 0, 64, i27);
        barrier(CLK_LOCAL_MEM_FENCE);
        v9 = sn_take_sum_f32x1(v9, t_float + 0, 64, i27);
    }
    float v10 = sn_lane_tree_sum_f32x1(v9);
    sn_tell_f32x1(v10, t_float + 0, 64);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v11 = sn_hear_f32x1(t_float + 0, 64);
    float v12 = DIV(v11, (float)((float)i11));
    float v13 = (float)(as_float(0x80000000u));
    float v14 = (float)(as_float(0x80000000u));
    if ((i1 == 0)) {
        v2[i2] = v13;
        v3[i2] = v14;
    }
    for (int i28 = 0; i28 < 8; i28 += 1) {
        if ((i1 == i28)) {
            float v15 = v2[i2];
            float v16 = v3[i2];
            int i29 = (i11 < ((i1 + 1) * 2048));
            if ((i29 == 0)) {
#pragma unroll
                for (int i30 = 0; i30 < 32; i30 += 1) {
                    int i31 = (i2 + (((i1 * 32) + i30) * 64));
                    int i32 = (i10 + i31);
                    int i33 = (i10 + min(i31, (i11 - 1)));
                    float v17 = v1[i30];
                    float v18 = v17 - v12;
                    float v19 = v18 * v18;
                    v15 = v15 + v18;
                    v16 = v16 + v19;
                }
            }
            if (i29) {
#pragma unroll
                for (int i34 = 0; i34 < 32; i34 += 1) {
                    int i35 = (i2 + (((i1 * 32) + i34) * 64));
                    int i36 = (i10 + i35);
                    int i37 = (i10 + min(i35, (i11 - 1)));
                    float v20 = v1[i34];
                    int i38 = (int)clamp((i11 - i35), (int)0, (int)1);
                    float v21 = v20 - v12;
                    float v22 = v21 * v21;
                    v15 = sn_fold_sum_f32x1(v15, v21, i38);
                    v16 = sn_fold_sum_f32x1(v16, v22, i38);
                }
            }
            v2[i2] = v15;
            v3[i2] = v16;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float v23 = v2[i2];
    float v24 = v3[i2];
    for (int i39 = 32; i39 > 0; i39 /= 2) {
        sn_give_f32x1(v23, t_float + 0, 64, i39);
        sn_give_f32x1(v24, t_float + 512, 64, i39);
        barrier(CLK_LOCAL_MEM_FENCE);
        v23 = sn_take_sum_f32x1(v23, t_float + 0, 64, i39);
        v24 = sn_take_sum_f32x1(v24, t_float + 512, 64, i39);
    }
    float v25 = sn_lane_tree_sum_f32x1(v23);
    sn_tell_f32x1(v25, t_float + 0, 64);
    float v26 = sn_lane_tree_sum_f32x1(v24);
    sn_tell_f32x1(v26, t_float + 512, 64);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v27 = sn_hear_f32x1(t_float + 0, 64);
    float v28 = sn_hear_f32x1(t_float + 512, 64);
    uint v29 = (uint)(i11);
    float v30 = sn_u32_to_f32_x1(v29);
    float v31 = DIV(v27, (float)((float)i11));
    float v32 = v27 * v31;
    float v33 = v28 - v32;
    float v34 = sn_max_f32x1(v33, (float)(0));
    if (((i2 + i1) == 0)) {
        sn_store_f32x1(v11, q0 + i9 + i5, 1);
        sn_store_f32x1(v30, q1 + i9 + i5, 1);
        sn_store_f32x1(v12, q2 + i9 + i5, 1);
        sn_store_f32x1(v31, q3 + i9 + i5, 1);
        sn_store_f32x1(v34, q4 + i9 + i5, 1);
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
