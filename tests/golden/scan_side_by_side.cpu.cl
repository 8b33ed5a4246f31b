// z = cumsum(reshape(v[:49152], (96, 512)) * 2, axis=0) + 1

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_3c63dcb5767075e7(
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
        float16 v2[64];
        float16 v3[64];
        float16 v4[64];
        float16 v5[64];
        float16 v6[768];
        for (int i8 = 0; i8 < i7; i8 += 1) {
            int i9 = (i5 + (i8 * 16));
            int i10 = (int)clamp((n0 - i9), (int)0, (int)16);
            float16 v7 = (float16)(0);
            float16 v8 = (float16)(0);
            float16 v9 = (float16)(0);
            float16 v10 = (float16)(0);
            v2[i8] = v7;
            v3[i8] = v8;
            v4[i8] = v9;
            v5[i8] = v10;
        }
        for (int i11 = 0; i11 < reduced; i11 += 4096) {
            if ((0 < i11)) {
                for (int i12 = 0; i12 < i7; i12 += 1) {
                    int i13 = (i5 + (i12 * 16));
                    int i14 = (int)clamp((n0 - i13), (int)0, (int)16);
                    float16 v11 = v3[i12];
                    float16 v12 = v5[i12];
                    v12 = sn_scan_next_cumsum_f32x16(v6 + (i12 * 12), v11, (i11 / 4096));
                    v5[i12] = v12;
                }
            }
            int i15 = min((i11 + 4096), reduced);
            for (int i16 = i11; i16 < i15; i16 += 64) {
                for (int i17 = 0; i17 < i7; i17 += 1) {
                    int i18 = (i5 + (i17 * 16));
                    int i19 = (int)clamp((n0 - i18), (int)0, (int)16);
                    float16 v13 = v3[i17];
                    float16 v14 = v4[i17];
                    float16 v15 = v5[i17];
                    v14 = sn_scan_carry_cumsum_f32x16(v15, v13, (i16 == i11), (i11 == 0));
                    v4[i17] = v14;
                }
                int i20 = min((i16 + 64), i15);
                for (int i21 = i16; i21 < i20; i21 += 4) {
                    for (int i22 = 0; i22 < i7; i22 += 1) {
                        int i23 = (i5 + (i22 * 16));
                        int i24 = (int)clamp((n0 - i23), (int)0, (int)16);
                        float16 v16 = v2[i22];
                        float16 v17 = v4[i22];
                        float16 v18 = sn_load_f32x16(p0 + (i21 * s0_1) + i23, i24);
                        float16 v19 = v18 * (float16)(c0);
                        int i25 = (i21 + 1);
                        int i26 = min(i25, (i20 - 1));
                        float16 v20 = sn_load_f32x16(p0 + (i26 * s0_1) + i23, i24);
                        float16 v21 = v20 * (float16)(c0);
                        int i27 = (i21 + 2);
                        int i28 = min(i27, (i20 - 1));
                        float16 v22 = sn_load_f32x16(p0 + (i28 * s0_1) + i23, i24);
                        float16 v23 = v22 * (float16)(c0);
                        int i29 = (i21 + 3);
                        int i30 = min(i29, (i20 - 1));
                        float16 v24 = sn_load_f32x16(p0 + (i30 * s0_1) + i23, i24);
                        float16 v25 = v24 * (float16)(c0);
                        v16 = sn_append_cumsum_f32x16(v16, v19, (i21 == i16));
                        float16 v26 = sn_append_cumsum_f32x16(v17, v16, (i16 == 0));
                        float16 v27 = v26;
                        float16 v28 = v27 + (float16)(c1);
                        sn_store_f32x16(v28, p1 + (i21 * s1_1) + i23, i24);
                        if ((i25 < i20)) {
                            v16 = sn_append_cumsum_f32x16(v16, v21, 0);
                            float16 v29 = sn_append_cumsum_f32x16(v17, v16, (i16 == 0));
                            float16 v30 = v29;
                            float16 v31 = v30 + (float16)(c1);
                            sn_store_f32x16(v31, p1 + (i25 * s1_1) + i23, i24);
                        }
                        if ((i27 < i20)) {
                            v16 = sn_append_cumsum_f32x16(v16, v23, 0);
                            float16 v32 = sn_append_cumsum_f32x16(v17, v16, (i16 == 0));
                            float16 v33 = v32;
                            float16 v34 = v33 + (float16)(c1);
                            sn_store_f32x16(v34, p1 + (i27 * s1_1) + i23, i24);
                        }
                        if ((i29 < i20)) {
                            v16 = sn_append_cumsum_f32x16(v16, v25, 0);
                            float16 v35 = sn_append_cumsum_f32x16(v17, v16, (i16 == 0));
                            float16 v36 = v35;
                            float16 v37 = v36 + (float16)(c1);
                            sn_store_f32x16(v37, p1 + (i29 * s1_1) + i23, i24);
                        }
                        v2[i22] = v16;
                    }
                }
                for (int i31 = 0; i31 < i7; i31 += 1) {
                    int i32 = (i5 + (i31 * 16));
                    int i33 = (int)clamp((n0 - i32), (int)0, (int)16);
                    float16 v38 = v2[i31];
                    float16 v39 = v3[i31];
                    v39 = sn_append_cumsum_f32x16(v39, v38, (i16 == i11));
                    v3[i31] = v39;
                }
            }
        }
    }
}
