// z = cumsum(reshape(v[:49152], (96, 512)) * 2, axis=0) + 1

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_f538c79475468784(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int n0,
    int segments,
    int segment,
    int reduced,
    int s0_1,
    int s1_1,
    float c0,
    float c1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * segment);
        int i6 = min((i5 + segment), n0);
        int i7 = (((i6 - i5) + 15) / 16);
        int i8 = ((i6 - i5) / 16);
        float16 v2[128];
        float16 v3[128];
        float16 v4[768];
        for (int i9 = 0; i9 < i7; i9 += 1) {
            int i10 = (i5 + (i9 * 16));
            int i11 = (int)clamp((n0 - i10), (int)0, (int)16);
            float16 v5 = (float16)(0);
            float16 v6 = (float16)(0);
            float16 v7 = (float16)(0);
            float16 v8 = (float16)(0);
            v2[(i9 * 2)] = v5;
            v2[((i9 * 2) + 1)] = v7;
            v3[(i9 * 2)] = v6;
            v3[((i9 * 2) + 1)] = v8;
        }
        for (int i12 = 0; i12 < reduced; i12 += 4096) {
            if ((0 < i12)) {
                for (int i13 = 0; i13 < i7; i13 += 1) {
                    int i14 = (i5 + (i13 * 16));
                    int i15 = (int)clamp((n0 - i14), (int)0, (int)16);
                    float16 v9 = v3[(i13 * 2)];
                    float16 v10 = v3[((i13 * 2) + 1)];
                    v10 = sn_scan_next_cumsum_f32x16(v4 + (i13 * 12), v9, (i12 / 4096));
                    v3[((i13 * 2) + 1)] = v10;
                }
            }
            int i16 = min((i12 + 4096), reduced);
            for (int i17 = i12; i17 < i16; i17 += 64) {
                for (int i18 = 0; i18 < i7; i18 += 1) {
                    int i19 = (i5 + (i18 * 16));
                    int i20 = (int)clamp((n0 - i19), (int)0, (int)16);
                    float16 v11 = v2[((i18 * 2) + 1)];
                    float16 v12 = v3[(i18 * 2)];
                    float16 v13 = v3[((i18 * 2) + 1)];
                    v11 = sn_scan_carry_cumsum_f32x16(v13, v12, (i17 == i12), (i12 == 0));
                    v2[((i18 * 2) + 1)] = v11;
                }
                int i21 = min((i17 + 64), i16);
                for (int i22 = i17; i22 < i21; i22 += 4) {
                    int i23 = (((i22 + 3) < i21) * i8);
                    for (int i24 = 0; i24 < i23; i24 += 1) {
                        int i25 = (i5 + (i24 * 16));
                        float16 v14 = v2[(i24 * 2)];
                        float16 v15 = v2[((i24 * 2) + 1)];
                        float16 v16 = sn_load_f32x16(p0 + (i22 * s0_1) + i25, 16);
                        float16 v17 = v16 * (float16)(c0);
                        int i26 = (i22 + 1);
                        float16 v18 = sn_load_f32x16(p0 + (i26 * s0_1) + i25, 16);
                        float16 v19 = v18 * (float16)(c0);
                        int i27 = (i22 + 2);
                        float16 v20 = sn_load_f32x16(p0 + (i27 * s0_1) + i25, 16);
                        float16 v21 = v20 * (float16)(c0);
                        int i28 = (i22 + 3);
                        float16 v22 = sn_load_f32x16(p0 + (i28 * s0_1) + i25, 16);
                        float16 v23 = v22 * (float16)(c0);
                        v14 = sn_append_cumsum_f32x16(v14, v17, (i22 == i17));
                        float16 v24 = sn_append_cumsum_f32x16(v15, v14, (i17 == 0));
                        float16 v25 = v24;
                        float16 v26 = v25 + (float16)(c1);
                        sn_store_f32x16(v26, p1 + (i22 * s1_1) + i25, 16);
                        v14 = sn_append_cumsum_f32x16(v14, v19, 0);
                        float16 v27 = sn_append_cumsum_f32x16(v15, v14, (i17 == 0));
                        float16 v28 = v27;
                        float16 v29 = v28 + (float16)(c1);
                        sn_store_f32x16(v29, p1 + (i26 * s1_1) + i25, 16);
                        v14 = sn_append_cumsum_f32x16(v14, v21, 0);
                        float16 v30 = sn_append_cumsum_f32x16(v15, v14, (i17 == 0));
                        float16 v31 = v30;
                        float16 v32 = v31 + (float16)(c1);
                        sn_store_f32x16(v32, p1 + (i27 * s1_1) + i25, 16);
                        v14 = sn_append_cumsum_f32x16(v14, v23, 0);
                        float16 v33 = sn_append_cumsum_f32x16(v15, v14, (i17 == 0));
                        float16 v34 = v33;
                        float16 v35 = v34 + (float16)(c1);
                        sn_store_f32x16(v35, p1 + (i28 * s1_1) + i25, 16);
                        v2[(i24 * 2)] = v14;
                    }
                    for (int i29 = i23; i29 < i7; i29 += 1) {
                        int i30 = (i5 + (i29 * 16));
                        int i31 = (int)clamp((n0 - i30), (int)0, (int)16);
                        float16 v36 = v2[(i29 * 2)];
                        float16 v37 = v2[((i29 * 2) + 1)];
                        float16 v38 = sn_load_f32x16(p0 + (i22 * s0_1) + i30, i31);
                        float16 v39 = v38 * (float16)(c0);
                        int i32 = (i22 + 1);
                        int i33 = min(i32, (i21 - 1));
                        float16 v40 = sn_load_f32x16(p0 + (i33 * s0_1) + i30, i31);
                        float16 v41 = v40 * (float16)(c0);
                        int i34 = (i22 + 2);
                        int i35 = min(i34, (i21 - 1));
                        float16 v42 = sn_load_f32x16(p0 + (i35 * s0_1) + i30, i31);
                        float16 v43 = v42 * (float16)(c0);
                        int i36 = (i22 + 3);
                        int i37 = min(i36, (i21 - 1));
                        float16 v44 = sn_load_f32x16(p0 + (i37 * s0_1) + i30, i31);
                        float16 v45 = v44 * (float16)(c0);
                        v36 = sn_append_cumsum_f32x16(v36, v39, (i22 == i17));
                        float16 v46 = sn_append_cumsum_f32x16(v37, v36, (i17 == 0));
                        float16 v47 = v46;
                        float16 v48 = v47 + (float16)(c1);
                        sn_store_f32x16(v48, p1 + (i22 * s1_1) + i30, i31);
                        if ((i32 < i21)) {
                            v36 = sn_append_cumsum_f32x16(v36, v41, 0);
                            float16 v49 = sn_append_cumsum_f32x16(v37, v36, (i17 == 0));
                            float16 v50 = v49;
                            float16 v51 = v50 + (float16)(c1);
                            sn_store_f32x16(v51, p1 + (i32 * s1_1) + i30, i31);
                        }
                        if ((i34 < i21)) {
                            v36 = sn_append_cumsum_f32x16(v36, v43, 0);
                            float16 v52 = sn_append_cumsum_f32x16(v37, v36, (i17 == 0));
                            float16 v53 = v52;
                            float16 v54 = v53 + (float16)(c1);
                            sn_store_f32x16(v54, p1 + (i34 * s1_1) + i30, i31);
                        }
                        if ((i36 < i21)) {
                            v36 = sn_append_cumsum_f32x16(v36, v45, 0);
                            float16 v55 = sn_append_cumsum_f32x16(v37, v36, (i17 == 0));
                            float16 v56 = v55;
                            float16 v57 = v56 + (float16)(c1);
                            sn_store_f32x16(v57, p1 + (i36 * s1_1) + i30, i31);
                        }
                        v2[(i29 * 2)] = v36;
                    }
                }
                for (int i38 = 0; i38 < i7; i38 += 1) {
                    int i39 = (i5 + (i38 * 16));
                    int i40 = (int)clamp((n0 - i39), (int)0, (int)16);
                    float16 v58 = v2[(i38 * 2)];
                    float16 v59 = v3[(i38 * 2)];
                    v59 = sn_append_cumsum_f32x16(v59, v58, (i17 == i12));
                    v3[(i38 * 2)] = v59;
                }
            }
        }
    }
}
