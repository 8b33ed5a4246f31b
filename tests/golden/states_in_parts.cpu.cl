// m = mean(v); s = var(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mean_devsq_div_136d766f68737ee5(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
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
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * s2_0);
        int i8 = (i3 * parts);
        int i9 = (i4 * 16384);
        int i10 = min((reduced - i9), 16384);
        float16 v1[4];
        for (int k = 0; k < 4; k++)
            v1[k] = (float16)(0);
        int i11 = ((i10 / 64) * 64);
        for (int i12 = 0; i12 < i11; i12 += 64) {
            int i13 = (i9 + i12);
            float16 v2 = sn_load_f32x16(p0 + (i5 + i13), 16);
            v1[0] = sn_fold_sum_f32x16(v1[0], v2, (i12 < 64), 16);
            int i14 = (i9 + (i12 + 16));
            float16 v3 = sn_load_f32x16(p0 + (i5 + i14), 16);
            v1[1] = sn_fold_sum_f32x16(v1[1], v3, ((i12 + 16) < 64), 16);
            int i15 = (i9 + (i12 + 32));
            float16 v4 = sn_load_f32x16(p0 + (i5 + i15), 16);
            v1[2] = sn_fold_sum_f32x16(v1[2], v4, ((i12 + 32) < 64), 16);
            int i16 = (i9 + (i12 + 48));
            float16 v5 = sn_load_f32x16(p0 + (i5 + i16), 16);
            v1[3] = sn_fold_sum_f32x16(v1[3], v5, ((i12 + 48) < 64), 16);
        }
        if ((i11 < i10)) {
            int i17 = (i9 + i11);
            int i18 = (int)clamp((i10 - i11), (int)0, (int)16);
            float16 v6 = sn_load_f32x16(p0 + (i5 + i17), i18);
            v1[0] = sn_fold_sum_f32x16(v1[0], v6, (i11 < 64), i18);
        }
        int i19 = (i11 + 16);
        if ((i19 < i10)) {
            int i20 = (i9 + i19);
            int i21 = (int)clamp((i10 - i19), (int)0, (int)16);
            float16 v7 = sn_load_f32x16(p0 + (i5 + i20), i21);
            v1[1] = sn_fold_sum_f32x16(v1[1], v7, (i19 < 64), i21);
        }
        int i22 = (i11 + 32);
        if ((i22 < i10)) {
            int i23 = (i9 + i22);
            int i24 = (int)clamp((i10 - i22), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + (i5 + i23), i24);
            v1[2] = sn_fold_sum_f32x16(v1[2], v8, (i22 < 64), i24);
        }
        int i25 = (i11 + 48);
        if ((i25 < i10)) {
            int i26 = (i9 + i25);
            int i27 = (int)clamp((i10 - i25), (int)0, (int)16);
            float16 v9 = sn_load_f32x16(p0 + (i5 + i26), i27);
            v1[3] = sn_fold_sum_f32x16(v1[3], v9, (i25 < 64), i27);
        }
        int i28 = min(i10, 64);
        float v10 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v1, 64, i28), i28);
        float v11 = DIV(v10, (float)((float)i10));
        float16 v12[4];
        for (int k = 0; k < 4; k++)
            v12[k] = (float16)(0);
        float16 v13[4];
        for (int k = 0; k < 4; k++)
            v13[k] = (float16)(0);
        float16 v14[4];
        for (int k = 0; k < 4; k++)
            v14[k] = (float16)(0);
        int i29 = ((i10 / 64) * 64);
        for (int i30 = 0; i30 < i29; i30 += 64) {
            int i31 = (i9 + i30);
            float16 v15 = sn_load_f32x16(p0 + (i5 + i31), 16);
            float16 v16 = v15 - (float16)(v11);
            float16 v17 = v16 * v16;
            v12[0] = sn_fold_mean_f32x16(v12[0], v15, (i30 < 64), 16);
            v13[0] = sn_fold_sum_f32x16(v13[0], v16, (i30 < 64), 16);
            v14[0] = sn_fold_sum_f32x16(v14[0], v17, (i30 < 64), 16);
            int i32 = (i9 + (i30 + 16));
            float16 v18 = sn_load_f32x16(p0 + (i5 + i32), 16);
            float16 v19 = v18 - (float16)(v11);
            float16 v20 = v19 * v19;
            v12[1] = sn_fold_mean_f32x16(v12[1], v18, ((i30 + 16) < 64), 16);
            v13[1] = sn_fold_sum_f32x16(v13[1], v19, ((i30 + 16) < 64), 16);
            v14[1] = sn_fold_sum_f32x16(v14[1], v20, ((i30 + 16) < 64), 16);
            int i33 = (i9 + (i30 + 32));
            float16 v21 = sn_load_f32x16(p0 + (i5 + i33), 16);
            float16 v22 = v21 - (float16)(v11);
            float16 v23 = v22 * v22;
            v12[2] = sn_fold_mean_f32x16(v12[2], v21, ((i30 + 32) < 64), 16);
            v13[2] = sn_fold_sum_f32x16(v13[2], v22, ((i30 + 32) < 64), 16);
            v14[2] = sn_fold_sum_f32x16(v14[2], v23, ((i30 + 32) < 64), 16);
            int i34 = (i9 + (i30 + 48));
            float16 v24 = sn_load_f32x16(p0 + (i5 + i34), 16);
            float16 v25 = v24 - (float16)(v11);
            float16 v26 = v25 * v25;
            v12[3] = sn_fold_mean_f32x16(v12[3], v24, ((i30 + 48) < 64), 16);
            v13[3] = sn_fold_sum_f32x16(v13[3], v25, ((i30 + 48) < 64), 16);
            v14[3] = sn_fold_sum_f32x16(v14[3], v26, ((i30 + 48) < 64), 16);
        }
        if ((i29 < i10)) {
            int i35 = (i9 + i29);
            int i36 = (int)clamp((i10 - i29), (int)0, (int)16);
            float16 v27 = sn_load_f32x16(p0 + (i5 + i35), i36);
            float16 v28 = v27 - (float16)(v11);
            float16 v29 = v28 * v28;
            v12[0] = sn_fold_mean_f32x16(v12[0], v27, (i29 < 64), i36);
            v13[0] = sn_fold_sum_f32x16(v13[0], v28, (i29 < 64), i36);
            v14[0] = sn_fold_sum_f32x16(v14[0], v29, (i29 < 64), i36);
        }
        int i37 = (i29 + 16);
        if ((i37 < i10)) {
            int i38 = (i9 + i37);
            int i39 = (int)clamp((i10 - i37), (int)0, (int)16);
            float16 v30 = sn_load_f32x16(p0 + (i5 + i38), i39);
            float16 v31 = v30 - (float16)(v11);
            float16 v32 = v31 * v31;
            v12[1] = sn_fold_mean_f32x16(v12[1], v30, (i37 < 64), i39);
            v13[1] = sn_fold_sum_f32x16(v13[1], v31, (i37 < 64), i39);
            v14[1] = sn_fold_sum_f32x16(v14[1], v32, (i37 < 64), i39);
        }
        int i40 = (i29 + 32);
        if ((i40 < i10)) {
            int i41 = (i9 + i40);
            int i42 = (int)clamp((i10 - i40), (int)0, (int)16);
            float16 v33 = sn_load_f32x16(p0 + (i5 + i41), i42);
            float16 v34 = v33 - (float16)(v11);
            float16 v35 = v34 * v34;
            v12[2] = sn_fold_mean_f32x16(v12[2], v33, (i40 < 64), i42);
            v13[2] = sn_fold_sum_f32x16(v13[2], v34, (i40 < 64), i42);
            v14[2] = sn_fold_sum_f32x16(v14[2], v35, (i40 < 64), i42);
        }
        int i43 = (i29 + 48);
        if ((i43 < i10)) {
            int i44 = (i9 + i43);
            int i45 = (int)clamp((i10 - i43), (int)0, (int)16);
            float16 v36 = sn_load_f32x16(p0 + (i5 + i44), i45);
            float16 v37 = v36 - (float16)(v11);
            float16 v38 = v37 * v37;
            v12[3] = sn_fold_mean_f32x16(v12[3], v36, (i43 < 64), i45);
            v13[3] = sn_fold_sum_f32x16(v13[3], v37, (i43 < 64), i45);
            v14[3] = sn_fold_sum_f32x16(v14[3], v38, (i43 < 64), i45);
        }
        int i46 = min(i10, 64);
        float v39 = sn_lane_tree_mean_f32x16(sn_vector_tree_mean_f32x16(v12, 64, i46), i46);
        float v40 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v13, 64, i46), i46);
        float v41 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v14, 64, i46), i46);
        uint v42 = (uint)(i10);
        float v43 = sn_u32_to_f32_x1(v42);
        float v44 = DIV(v40, (float)((float)i10));
        float v45 = v40 * v44;
        float v46 = v41 - v45;
        float v47 = sn_max_f32x1(v46, (float)(0));
        sn_store_f32x1(v39, q0 + (i8 + i4), 1);
        sn_store_f32x1(v43, q1 + (i8 + i4), 1);
        sn_store_f32x1(v11, q2 + (i8 + i4), 1);
        sn_store_f32x1(v44, q3 + (i8 + i4), 1);
        sn_store_f32x1(v47, q4 + (i8 + i4), 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mean_devsq_div_d35ac54cc7a6d04c(
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *bq, ulong oq,
    int each,
    int units,
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
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        int i6 = (i2 / segment);
        int i7 = (i2 - (i6 * segment));
        int i8 = (((i6 * parts) * segment) + i7);
        float v1 = sn_memory_tree_mean_f32x1(q0 + i8, segment, parts);
        float v2 = DIV(v1, (float)((float)reduced));
        float v3 = v2;
        sn_spread_tree_sum_f32x1(q1 + i8, q2 + i8, q3 + i8, q4 + i8, segment, parts, 1);
        float v4 = sn_load_f32x1(q4 + i8, 1);
        float v5 = v4;
        float v6 = DIV(v5, c0);
        sn_store_f32x1(v3, p1 + i4, 1);
        sn_store_f32x1(v6, p2 + i5, 1);
    }
}
