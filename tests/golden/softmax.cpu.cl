// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void max_sub_exp_sum_div_64a1831c7b64171d(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        float16 v0 = (float16)(as_float(0xff800000u));
        float16 v1 = (float16)(as_float(0xff800000u));
        float16 v2 = (float16)(as_float(0xff800000u));
        float16 v3 = (float16)(as_float(0xff800000u));
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            float16 v4 = sn_load_f32x16(p0 + i3 + i6, 16);
            v0 = sn_larger_f32x16(v0, v4);
            int i7 = (i6 + 16);
            float16 v5 = sn_load_f32x16(p0 + i3 + i7, 16);
            v1 = sn_larger_f32x16(v1, v5);
            int i8 = (i6 + 32);
            float16 v6 = sn_load_f32x16(p0 + i3 + i8, 16);
            v2 = sn_larger_f32x16(v2, v6);
            int i9 = (i6 + 48);
            float16 v7 = sn_load_f32x16(p0 + i3 + i9, 16);
            v3 = sn_larger_f32x16(v3, v7);
        }
        if (RARELY((reduced - i5))) {
            for (int i10 = i5; i10 < reduced; i10 += 16) {
                int i11 = (int)clamp((reduced - i10), (int)0, (int)16);
                float16 v8 = sn_load_f32x16(p0 + i3 + i10, i11);
                int i12 = ((i10 % 64) / 16);
                if ((i12 == 0)) {
                    v0 = sn_fold_larger_f32x16(v0, v8, i11);
                }
                if ((i12 == 1)) {
                    v1 = sn_fold_larger_f32x16(v1, v8, i11);
                }
                if ((i12 == 2)) {
                    v2 = sn_fold_larger_f32x16(v2, v8, i11);
                }
                if ((i12 == 3)) {
                    v3 = sn_fold_larger_f32x16(v3, v8, i11);
                }
            }
        }
        v0 = sn_larger_f32x16(v0, v2);
        v1 = sn_larger_f32x16(v1, v3);
        v0 = sn_larger_f32x16(v0, v1);
        float v9 = sn_lane_tree_larger_f32x16(v0);
        float v10 = v9;
        float16 v11 = (float16)(as_float(0x80000000u));
        float16 v12 = (float16)(as_float(0x80000000u));
        float16 v13 = (float16)(as_float(0x80000000u));
        float16 v14 = (float16)(as_float(0x80000000u));
        int i13 = ((reduced / 64) * 64);
        for (int i14 = 0; i14 < i13; i14 += 64) {
            float16 v15 = sn_load_f32x16(p0 + i3 + i14, 16);
            float16 v16 = v15 - (float16)(v10);
            float16 v17 = sn_exp_below_f32x16(v16);
            sn_store_f32x16(v17, p1 + i4 + i14, 16);
            v11 = v11 + v17;
            int i15 = (i14 + 16);
            float16 v18 = sn_load_f32x16(p0 + i3 + i15, 16);
            float16 v19 = v18 - (float16)(v10);
            float16 v20 = sn_exp_below_f32x16(v19);
            sn_store_f32x16(v20, p1 + i4 + i15, 16);
            v12 = v12 + v20;
            int i16 = (i14 + 32);
            float16 v21 = sn_load_f32x16(p0 + i3 + i16, 16);
            float16 v22 = v21 - (float16)(v10);
            float16 v23 = sn_exp_below_f32x16(v22);
            sn_store_f32x16(v23, p1 + i4 + i16, 16);
            v13 = v13 + v23;
            int i17 = (i14 + 48);
            float16 v24 = sn_load_f32x16(p0 + i3 + i17, 16);
            float16 v25 = v24 - (float16)(v10);
            float16 v26 = sn_exp_below_f32x16(v25);
            sn_store_f32x16(v26, p1 + i4 + i17, 16);
            v14 = v14 + v26;
        }
        if (RARELY((reduced - i13))) {
            for (int i18 = i13; i18 < reduced; i18 += 16) {
                int i19 = (int)clamp((reduced - i18), (int)0, (int)16);
                float16 v27 = sn_load_f32x16(p0 + i3 + i18, i19);
                float16 v28 = v27 - (float16)(v10);
                float16 v29 = sn_exp_below_f32x16(v28);
                sn_store_f32x16(v29, p1 + i4 + i18, i19);
                int i20 = ((i18 % 64) / 16);
                if ((i20 == 0)) {
                    v11 = sn_fold_sum_f32x16(v11, v29, i19);
                }
                if ((i20 == 1)) {
                    v12 = sn_fold_sum_f32x16(v12, v29, i19);
                }
                if ((i20 == 2)) {
                    v13 = sn_fold_sum_f32x16(v13, v29, i19);
                }
                if ((i20 == 3)) {
                    v14 = sn_fold_sum_f32x16(v14, v29, i19);
                }
            }
        }
        v11 = v11 + v13;
        v12 = v12 + v14;
        v11 = v11 + v12;
        float v30 = sn_lane_tree_sum_f32x16(v11);
        float v31 = v30;
        int i21 = ((reduced / 16) * 16);
        for (int i22 = 0; i22 < i21; i22 += 16) {
            float16 v32 = sn_load_f32x16(p1 + i4 + i22, 16);
            float16 v33 = DIV(v32, (float16)(v31));
            sn_store_f32x16(v33, p1 + i4 + i22, 16);
        }
        if (RARELY((reduced - i21))) {
            for (int i23 = i21; i23 < reduced; i23 += 16) {
                int i24 = (int)clamp((reduced - i23), (int)0, (int)16);
                float16 v34 = sn_load_f32x16(p1 + i4 + i23, i24);
                float16 v35 = DIV(v34, (float16)(v31));
                sn_store_f32x16(v35, p1 + i4 + i23, i24);
            }
        }
    }
}
