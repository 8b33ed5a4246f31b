// d = x - mean(x, axis=1, keepdims=True); z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mean_sub_mul_mean_add_sqrt_div_mul_ee8c2bc26b39a36d(
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
        float16 v1 = (float16)(as_float(0x80000000u));
        float16 v2 = (float16)(as_float(0x80000000u));
        float16 v3 = (float16)(as_float(0x80000000u));
        float16 v4 = (float16)(as_float(0x80000000u));
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            float16 v5 = sn_load_f32x16(p0 + i3 + i6, 16);
            v1 = v1 + v5;
            int i7 = (i6 + 16);
            float16 v6 = sn_load_f32x16(p0 + i3 + i7, 16);
            v2 = v2 + v6;
            int i8 = (i6 + 32);
            float16 v7 = sn_load_f32x16(p0 + i3 + i8, 16);
            v3 = v3 + v7;
            int i9 = (i6 + 48);
            float16 v8 = sn_load_f32x16(p0 + i3 + i9, 16);
            v4 = v4 + v8;
        }
        if (RARELY((reduced - i5))) {
            for (int i10 = i5; i10 < reduced; i10 += 16) {
                int i11 = (int)clamp((reduced - i10), (int)0, (int)16);
                float16 v9 = sn_load_f32x16(p0 + i3 + i10, i11);
                int i12 = ((i10 % 64) / 16);
                if ((i12 == 0)) {
                    v1 = sn_fold_mean_f32x16(v1, v9, i11);
                }
                if ((i12 == 1)) {
                    v2 = sn_fold_mean_f32x16(v2, v9, i11);
                }
                if ((i12 == 2)) {
                    v3 = sn_fold_mean_f32x16(v3, v9, i11);
                }
                if ((i12 == 3)) {
                    v4 = sn_fold_mean_f32x16(v4, v9, i11);
                }
            }
        }
        v1 = v1 + v3;
        v2 = v2 + v4;
        v1 = v1 + v2;
        float v10 = sn_lane_tree_mean_f32x16(v1);
        float v11 = DIV(v10, (float)((float)reduced));
        float v12 = v11;
        float16 v13 = (float16)(as_float(0x80000000u));
        float16 v14 = (float16)(as_float(0x80000000u));
        float16 v15 = (float16)(as_float(0x80000000u));
        float16 v16 = (float16)(as_float(0x80000000u));
        int i13 = ((reduced / 64) * 64);
        for (int i14 = 0; i14 < i13; i14 += 64) {
            float16 v17 = sn_load_f32x16(p0 + i3 + i14, 16);
            float16 v18 = v17 - (float16)(v12);
            float16 v19 = v18 * v18;
            v13 = v13 + v19;
            int i15 = (i14 + 16);
            float16 v20 = sn_load_f32x16(p0 + i3 + i15, 16);
            float16 v21 = v20 - (float16)(v12);
            float16 v22 = v21 * v21;
            v14 = v14 + v22;
            int i16 = (i14 + 32);
            float16 v23 = sn_load_f32x16(p0 + i3 + i16, 16);
            float16 v24 = v23 - (float16)(v12);
            float16 v25 = v24 * v24;
            v15 = v15 + v25;
            int i17 = (i14 + 48);
            float16 v26 = sn_load_f32x16(p0 + i3 + i17, 16);
            float16 v27 = v26 - (float16)(v12);
            float16 v28 = v27 * v27;
            v16 = v16 + v28;
        }
        if (RARELY((reduced - i13))) {
            for (int i18 = i13; i18 < reduced; i18 += 16) {
                int i19 = (int)clamp((reduced - i18), (int)0, (int)16);
                float16 v29 = sn_load_f32x16(p0 + i3 + i18, i19);
                float16 v30 = v29 - (float16)(v12);
                float16 v31 = v30 * v30;
                int i20 = ((i18 % 64) / 16);
                if ((i20 == 0)) {
                    v13 = sn_fold_mean_f32x16(v13, v31, i19);
                }
                if ((i20 == 1)) {
                    v14 = sn_fold_mean_f32x16(v14, v31, i19);
                }
                if ((i20 == 2)) {
                    v15 = sn_fold_mean_f32x16(v15, v31, i19);
                }
                if ((i20 == 3)) {
                    v16 = sn_fold_mean_f32x16(v16, v31, i19);
                }
            }
        }
        v13 = v13 + v15;
        v14 = v14 + v16;
        v13 = v13 + v14;
        float v32 = sn_lane_tree_mean_f32x16(v13);
        float v33 = DIV(v32, (float)((float)reduced));
        float v34 = v33;
        float v35 = v34 + c0;
        float v36 = sqrt(v35);
        int i21 = ((reduced / 16) * 16);
        for (int i22 = 0; i22 < i21; i22 += 16) {
            float16 v37 = sn_load_f32x16(p0 + i3 + i22, 16);
            float16 v38 = v37 - (float16)(v12);
            float16 v39 = DIV(v38, (float16)(v36));
            float16 v40 = sn_load_f32x16(p1 + i22, 16);
            float16 v41 = v39 * v40;
            sn_store_f32x16(v41, p2 + i4 + i22, 16);
        }
        if (RARELY((reduced - i21))) {
            for (int i23 = i21; i23 < reduced; i23 += 16) {
                int i24 = (int)clamp((reduced - i23), (int)0, (int)16);
                float16 v42 = sn_load_f32x16(p0 + i3 + i23, i24);
                float16 v43 = v42 - (float16)(v12);
                float16 v44 = DIV(v43, (float16)(v36));
                float16 v45 = sn_load_f32x16(p1 + i23, i24);
                float16 v46 = v44 * v45;
                sn_store_f32x16(v46, p2 + i4 + i23, i24);
            }
        }
    }
}
