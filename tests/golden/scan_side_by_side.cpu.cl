// z = cumsum(reshape(v[:49152], (96, 512)) * 2, axis=0) + 1

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_587a86949cfbbba6(
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
        int i7 = (i6 - i5);
        int i8 = (i7 / 16);
        int i9 = ((i7 + 15) / 16);
        float16 v2[128];
        float16 v3[128];
        float16 v4[768];
        for (int i10 = 0; i10 < i9; i10 += 1) {
            int i11 = (i5 + (i10 * 16));
            int i12 = (int)clamp((n0 - i11), (int)0, (int)16);
            float16 v5 = (float16)(0);
            float16 v6 = (float16)(0);
            float16 v7 = (float16)(0);
            float16 v8 = (float16)(as_float(0x80000000u));
            v2[(i10 * 2)] = v5;
            v2[((i10 * 2) + 1)] = v7;
            v3[(i10 * 2)] = v6;
            v3[((i10 * 2) + 1)] = v8;
        }
        for (int i13 = 0; i13 < reduced; i13 += 4096) {
            if ((0 < i13)) {
                for (int i14 = 0; i14 < i9; i14 += 1) {
                    int i15 = (i5 + (i14 * 16));
                    int i16 = (int)clamp((n0 - i15), (int)0, (int)16);
                    float16 v9 = v3[(i14 * 2)];
                    float16 v10 = v3[((i14 * 2) + 1)];
                    v10 = sn_scan_next_cumsum_f32x16(v4 + (i14 * 12), v9, (i13 / 4096));
                    v3[((i14 * 2) + 1)] = v10;
                }
            }
            int i17 = min((i13 + 4096), reduced);
            for (int i18 = i13; i18 < i17; i18 += 64) {
                for (int i19 = 0; i19 < i9; i19 += 1) {
                    int i20 = (i5 + (i19 * 16));
                    int i21 = (int)clamp((n0 - i20), (int)0, (int)16);
                    float16 v11 = v2[((i19 * 2) + 1)];
                    float16 v12 = v3[(i19 * 2)];
                    float16 v13 = v3[((i19 * 2) + 1)];
                    v11 = sn_scan_carry_cumsum_f32x16(v13, v12, (i18 == i13), 0);
                    float16 v14 = (float16)(as_float(0x80000000u));
                    v2[(i19 * 2)] = v14;
                    v2[((i19 * 2) + 1)] = v11;
                }
                int i22 = min((i18 + 64), i17);
                for (int i23 = i18; i23 < i22; i23 += 4) {
                    int i24 = (((i23 + 3) < i22) * i8);
                    for (int i25 = 0; i25 < i24; i25 += 1) {
                        int i26 = (i5 + (i25 * 16));
                        float16 v15 = v2[(i25 * 2)];
                        float16 v16 = v2[((i25 * 2) + 1)];
                        float16 v17 = sn_load_f32x16(p0 + (i23 * s0_1) + i26, 16);
                        float16 v18 = v17 * (float16)(c0);
                        int i27 = (i23 + 1);
                        float16 v19 = sn_load_f32x16(p0 + (i27 * s0_1) + i26, 16);
                        float16 v20 = v19 * (float16)(c0);
                        int i28 = (i23 + 2);
                        float16 v21 = sn_load_f32x16(p0 + (i28 * s0_1) + i26, 16);
                        float16 v22 = v21 * (float16)(c0);
                        int i29 = (i23 + 3);
                        float16 v23 = sn_load_f32x16(p0 + (i29 * s0_1) + i26, 16);
                        float16 v24 = v23 * (float16)(c0);
                        v15 = sn_append_cumsum_f32x16(v15, v18, 0);
                        float16 v25 = sn_append_cumsum_f32x16(v16, v15, 0);
                        float16 v26 = v25;
                        float16 v27 = v26 + (float16)(c1);
                        sn_store_f32x16(v27, p1 + (i23 * s1_1) + i26, 16);
                        v15 = sn_append_cumsum_f32x16(v15, v20, 0);
                        float16 v28 = sn_append_cumsum_f32x16(v16, v15, 0);
                        float16 v29 = v28;
                        float16 v30 = v29 + (float16)(c1);
                        sn_store_f32x16(v30, p1 + (i27 * s1_1) + i26, 16);
                        v15 = sn_append_cumsum_f32x16(v15, v22, 0);
                        float16 v31 = sn_append_cumsum_f32x16(v16, v15, 0);
                        float16 v32 = v31;
                        float16 v33 = v32 + (float16)(c1);
                        sn_store_f32x16(v33, p1 + (i28 * s1_1) + i26, 16);
                        v15 = sn_append_cumsum_f32x16(v15, v24, 0);
                        float16 v34 = sn_append_cumsum_f32x16(v16, v15, 0);
                        float16 v35 = v34;
                        float16 v36 = v35 + (float16)(c1);
                        sn_store_f32x16(v36, p1 + (i29 * s1_1) + i26, 16);
                        v2[(i25 * 2)] = v15;
                    }
                    for (int i30 = i24; i30 < i9; i30 += 1) {
                        int i31 = (i5 + (i30 * 16));
                        int i32 = (int)clamp((n0 - i31), (int)0, (int)16);
                        float16 v37 = v2[(i30 * 2)];
                        float16 v38 = v2[((i30 * 2) + 1)];
                        float16 v39 = sn_load_f32x16(p0 + (i23 * s0_1) + i31, i32);
                        float16 v40 = v39 * (float16)(c0);
                        int i33 = (i23 + 1);
                        int i34 = min(i33, (i22 - 1));
                        float16 v41 = sn_load_f32x16(p0 + (i34 * s0_1) + i31, i32);
                        float16 v42 = v41 * (float16)(c0);
                        int i35 = (i23 + 2);
                        int i36 = min(i35, (i22 - 1));
                        float16 v43 = sn_load_f32x16(p0 + (i36 * s0_1) + i31, i32);
                        float16 v44 = v43 * (float16)(c0);
                        int i37 = (i23 + 3);
                        int i38 = min(i37, (i22 - 1));
                        float16 v45 = sn_load_f32x16(p0 + (i38 * s0_1) + i31, i32);
                        float16 v46 = v45 * (float16)(c0);
                        v37 = sn_append_cumsum_f32x16(v37, v40, 0);
                        float16 v47 = sn_append_cumsum_f32x16(v38, v37, 0);
                        float16 v48 = v47;
                        float16 v49 = v48 + (float16)(c1);
                        sn_store_f32x16(v49, p1 + (i23 * s1_1) + i31, i32);
                        if ((i33 < i22)) {
                            v37 = sn_append_cumsum_f32x16(v37, v42, 0);
                            float16 v50 = sn_append_cumsum_f32x16(v38, v37, 0);
                            float16 v51 = v50;
                            float16 v52 = v51 + (float16)(c1);
                            sn_store_f32x16(v52, p1 + (i33 * s1_1) + i31, i32);
                        }
                        if ((i35 < i22)) {
                            v37 = sn_append_cumsum_f32x16(v37, v44, 0);
                            float16 v53 = sn_append_cumsum_f32x16(v38, v37, 0);
                            float16 v54 = v53;
                            float16 v55 = v54 + (float16)(c1);
                            sn_store_f32x16(v55, p1 + (i35 * s1_1) + i31, i32);
                        }
                        if ((i37 < i22)) {
                            v37 = sn_append_cumsum_f32x16(v37, v46, 0);
                            float16 v56 = sn_append_cumsum_f32x16(v38, v37, 0);
                            float16 v57 = v56;
                            float16 v58 = v57 + (float16)(c1);
                            sn_store_f32x16(v58, p1 + (i37 * s1_1) + i31, i32);
                        }
                        v2[(i30 * 2)] = v37;
                    }
                }
                for (int i39 = 0; i39 < i9; i39 += 1) {
                    int i40 = (i5 + (i39 * 16));
                    int i41 = (int)clamp((n0 - i40), (int)0, (int)16);
                    float16 v59 = v2[(i39 * 2)];
                    float16 v60 = v3[(i39 * 2)];
                    v60 = sn_append_cumsum_f32x16(v60, v59, (i18 == i13));
                    v3[(i39 * 2)] = v60;
                }
            }
        }
    }
}
