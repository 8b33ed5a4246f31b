// d = x - mean(x, axis=1, keepdims=True); z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mean_sub_mul_mean_add_sqrt_div_mul_0cf058b823225c33(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s2_0);
        float16 v1[4];
        for (int k = 0; k < 4; k++)
            v1[k] = (float16)(0);
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            float16 v2 = sn_load_f32x16(p0 + (i3 + i6), 16);
            v1[0] = sn_fold_mean_f32x16(v1[0], v2, (i6 < 64), 16);
            int i7 = (i6 + 16);
            float16 v3 = sn_load_f32x16(p0 + (i3 + i7), 16);
            v1[1] = sn_fold_mean_f32x16(v1[1], v3, ((i6 + 16) < 64), 16);
            int i8 = (i6 + 32);
            float16 v4 = sn_load_f32x16(p0 + (i3 + i8), 16);
            v1[2] = sn_fold_mean_f32x16(v1[2], v4, ((i6 + 32) < 64), 16);
            int i9 = (i6 + 48);
            float16 v5 = sn_load_f32x16(p0 + (i3 + i9), 16);
            v1[3] = sn_fold_mean_f32x16(v1[3], v5, ((i6 + 48) < 64), 16);
        }
        if ((i5 < reduced)) {
            int i10 = (int)clamp((reduced - i5), (int)0, (int)16);
            float16 v6 = sn_load_f32x16(p0 + (i3 + i5), i10);
            v1[0] = sn_fold_mean_f32x16(v1[0], v6, (i5 < 64), i10);
        }
        int i11 = (i5 + 16);
        if ((i11 < reduced)) {
            int i12 = (int)clamp((reduced - i11), (int)0, (int)16);
            float16 v7 = sn_load_f32x16(p0 + (i3 + i11), i12);
            v1[1] = sn_fold_mean_f32x16(v1[1], v7, (i11 < 64), i12);
        }
        int i13 = (i5 + 32);
        if ((i13 < reduced)) {
            int i14 = (int)clamp((reduced - i13), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + (i3 + i13), i14);
            v1[2] = sn_fold_mean_f32x16(v1[2], v8, (i13 < 64), i14);
        }
        int i15 = (i5 + 48);
        if ((i15 < reduced)) {
            int i16 = (int)clamp((reduced - i15), (int)0, (int)16);
            float16 v9 = sn_load_f32x16(p0 + (i3 + i15), i16);
            v1[3] = sn_fold_mean_f32x16(v1[3], v9, (i15 < 64), i16);
        }
        int i17 = min(reduced, 64);
        float v10 = sn_lane_tree_mean_f32x16(sn_vector_tree_mean_f32x16(v1, 64, i17), i17);
        float v11 = DIV(v10, (float)((float)reduced));
        float v12 = v11;
        float16 v13[4];
        for (int k = 0; k < 4; k++)
            v13[k] = (float16)(0);
        int i18 = ((reduced / 64) * 64);
        for (int i19 = 0; i19 < i18; i19 += 64) {
            float16 v14 = sn_load_f32x16(p0 + (i3 + i19), 16);
            float16 v15 = v14 - (float16)(v12);
            float16 v16 = v15 * v15;
            v13[0] = sn_fold_mean_f32x16(v13[0], v16, (i19 < 64), 16);
            int i20 = (i19 + 16);
            float16 v17 = sn_load_f32x16(p0 + (i3 + i20), 16);
            float16 v18 = v17 - (float16)(v12);
            float16 v19 = v18 * v18;
            v13[1] = sn_fold_mean_f32x16(v13[1], v19, ((i19 + 16) < 64), 16);
            int i21 = (i19 + 32);
            float16 v20 = sn_load_f32x16(p0 + (i3 + i21), 16);
            float16 v21 = v20 - (float16)(v12);
            float16 v22 = v21 * v21;
            v13[2] = sn_fold_mean_f32x16(v13[2], v22, ((i19 + 32) < 64), 16);
            int i22 = (i19 + 48);
            float16 v23 = sn_load_f32x16(p0 + (i3 + i22), 16);
            float16 v24 = v23 - (float16)(v12);
            float16 v25 = v24 * v24;
            v13[3] = sn_fold_mean_f32x16(v13[3], v25, ((i19 + 48) < 64), 16);
        }
        if ((i18 < reduced)) {
            int i23 = (int)clamp((reduced - i18), (int)0, (int)16);
            float16 v26 = sn_load_f32x16(p0 + (i3 + i18), i23);
            float16 v27 = v26 - (float16)(v12);
            float16 v28 = v27 * v27;
            v13[0] = sn_fold_mean_f32x16(v13[0], v28, (i18 < 64), i23);
        }
        int i24 = (i18 + 16);
        if ((i24 < reduced)) {
            int i25 = (int)clamp((reduced - i24), (int)0, (int)16);
            float16 v29 = sn_load_f32x16(p0 + (i3 + i24), i25);
            float16 v30 = v29 - (float16)(v12);
            float16 v31 = v30 * v30;
            v13[1] = sn_fold_mean_f32x16(v13[1], v31, (i24 < 64), i25);
        }
        int i26 = (i18 + 32);
        if ((i26 < reduced)) {
            int i27 = (int)clamp((reduced - i26), (int)0, (int)16);
            float16 v32 = sn_load_f32x16(p0 + (i3 + i26), i27);
            float16 v33 = v32 - (float16)(v12);
            float16 v34 = v33 * v33;
            v13[2] = sn_fold_mean_f32x16(v13[2], v34, (i26 < 64), i27);
        }
        int i28 = (i18 + 48);
        if ((i28 < reduced)) {
            int i29 = (int)clamp((reduced - i28), (int)0, (int)16);
            float16 v35 = sn_load_f32x16(p0 + (i3 + i28), i29);
            float16 v36 = v35 - (float16)(v12);
            float16 v37 = v36 * v36;
            v13[3] = sn_fold_mean_f32x16(v13[3], v37, (i28 < 64), i29);
        }
        int i30 = min(reduced, 64);
        float v38 = sn_lane_tree_mean_f32x16(sn_vector_tree_mean_f32x16(v13, 64, i30), i30);
        float v39 = DIV(v38, (float)((float)reduced));
        float v40 = v39;
        float v41 = v40 + c0;
        float v42 = sqrt(v41);
        for (int i31 = 0; i31 < reduced; i31 += 16) {
            int i32 = (int)clamp((reduced - i31), (int)0, (int)16);
            float16 v43 = sn_load_f32x16(p0 + (i3 + i31), i32);
            float16 v44 = v43 - (float16)(v12);
            float16 v45 = DIV(v44, (float16)(v42));
            float16 v46 = sn_load_f32x16(p1 + i31, i32);
            float16 v47 = v45 * v46;
            sn_store_f32x16(v47, p2 + (i4 + i31), i32);
        }
    }
}
