// z = cumsum(v * v, axis=0) + v

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_1e9ba72d1a65894e(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * parts);
        int i6 = (i3 * s0_0);
        int i7 = (i3 * s1_0);
        float4 v0[64];
        float4 v1[64];
        float4 v2[1];
        float v3 = (float)(0);
        float v4 = (float)(0);
        float v5 = (float)(0);
        int i8 = (i4 * 4096);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 256) {
            int i11 = min((i10 + 256), i9);
            int i12 = (i11 - i10);
            int i13 = ((i12 + 63) / 64);
            if (!RARELY((i12 < 256))) {
                float4 v6 = (float4)(0);
                for (int i14 = 0; i14 < 16; i14 += 1) {
                    float4 v7[4];
#pragma unroll
                    for (int i15 = 0; i15 < 4; i15 += 1) {
                        int i16 = (i10 + (((i15 * 16) + i14) * 4));
                        float4 v8 = sn_load_f32x4(p0 + i6 + i16, 4);
                        float4 v9 = v8 * v8;
                        v7[i15] = v9;
                    }
                    v6 = sn_scan_turned_cumsum_f32x4(v7, v1, v6, i14);
                }
                v2[0] = v6;
            }
            if (RARELY((i12 < 256))) {
                for (int i17 = 0; i17 < i12; i17 += 4) {
                    int i18 = (i10 + i17);
                    int i19 = (int)clamp((i12 - i17), (int)0, (int)4);
                    int i20 = (i17 / 4);
                    float4 v10 = sn_load_f32x4(p0 + i6 + i18, i19);
                    float4 v11 = v10 * v10;
                    v0[i20] = v11;
                }
                if (((i12 < 128) == 0)) {
                    int i21 = ((i12 + 3) / 4);
                    float4 v12 = (float4)(0);
                    for (int i22 = i21; i22 < 64; i22 += 1) {
                        v0[i22] = v12;
                    }
                    float4 v13 = (float4)(0);
                    for (int i23 = 0; i23 < 16; i23 += 1) {
                        float4 v14[4];
#pragma unroll
                        for (int i24 = 0; i24 < 4; i24 += 1) {
                            int i25 = ((i24 * 16) + i23);
                            float4 v15 = v0[i25];
                            v14[i24] = v15;
                        }
                        v13 = sn_scan_turned_cumsum_f32x4(v14, v1, v13, i23);
                    }
                    v2[0] = v13;
                }
                if ((i12 < 128)) {
                    sn_scan_rest_cumsum_f32x4(v0, v2, i12);
                }
            }
            float v16 = ((float *)v2)[0];
            v3 = sn_append_cumsum_f32x1(v3, v16, (i10 == i8));
            for (int i26 = 1; i26 < i13; i26 += 1) {
                float v17 = ((float *)v2)[i26];
                v3 = sn_append_cumsum_f32x1(v3, v17, 0);
            }
        }
        sn_store_f32x1(v3, q0 + i5 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_3228be59ae5e07f6(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segment);
        int i4 = (i2 - (i3 * segment));
        int i5 = (((i3 * parts) * segment) + i4);
        float v0 = (float)(0);
        float v1 = (float)(0);
        float v2[12];
        v0 = sn_load_f32x1(q0 + i5, 1);
        for (int i6 = 1; i6 < parts; i6 += 1) {
            v1 = sn_scan_next_cumsum_f32x1(v2, v0, i6);
            v0 = sn_load_f32x1(q0 + i5 + (i6 * segment), 1);
            sn_store_f32x1(v1, q0 + i5 + (i6 * segment), 1);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_a51eb349b794f9e7(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * parts);
        int i6 = (i3 * s0_0);
        int i7 = (i3 * s1_0);
        float4 v0[64];
        float4 v1[64];
        float4 v2[1];
        float4 v3[1];
        float v4 = (float)(0);
        float v5 = (float)(0);
        float v6 = (float)(0);
        int i8 = (i4 * 4096);
        v6 = sn_load_f32x1(q0 + i5 + i4, 1);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 256) {
            int i11 = min((i10 + 256), i9);
            int i12 = (i11 - i10);
            int i13 = ((i12 + 63) / 64);
            if (!RARELY((i12 < 256))) {
                float4 v7 = (float4)(0);
                for (int i14 = 0; i14 < 16; i14 += 1) {
                    float4 v8[4];
#pragma unroll
                    for (int i15 = 0; i15 < 4; i15 += 1) {
                        int i16 = (i10 + (((i15 * 16) + i14) * 4));
                        float4 v9 = sn_load_f32x4(p0 + i6 + i16, 4);
                        float4 v10 = v9 * v9;
                        v8[i15] = v10;
                    }
                    v7 = sn_scan_turned_cumsum_f32x4(v8, v1, v7, i14);
                }
                v2[0] = v7;
            }
            if (RARELY((i12 < 256))) {
                for (int i17 = 0; i17 < i12; i17 += 4) {
                    int i18 = (i10 + i17);
                    int i19 = (int)clamp((i12 - i17), (int)0, (int)4);
                    int i20 = (i17 / 4);
                    float4 v11 = sn_load_f32x4(p0 + i6 + i18, i19);
                    float4 v12 = v11 * v11;
                    v0[i20] = v12;
                }
                if (((i12 < 128) == 0)) {
                    int i21 = ((i12 + 3) / 4);
                    float4 v13 = (float4)(0);
                    for (int i22 = i21; i22 < 64; i22 += 1) {
                        v0[i22] = v13;
                    }
                    float4 v14 = (float4)(0);
                    for (int i23 = 0; i23 < 16; i23 += 1) {
                        float4 v15[4];
#pragma unroll
                        for (int i24 = 0; i24 < 4; i24 += 1) {
                            int i25 = ((i24 * 16) + i23);
                            float4 v16 = v0[i25];
                            v15[i24] = v16;
                        }
                        v14 = sn_scan_turned_cumsum_f32x4(v15, v1, v14, i23);
                    }
                    v2[0] = v14;
                }
                if ((i12 < 128)) {
                    sn_scan_rest_cumsum_f32x4(v0, v2, i12);
                }
            }
            float v17 = ((float *)v2)[0];
            v5 = sn_scan_carry_cumsum_f32x1(v6, v4, (i10 == i8), (i8 == 0));
            ((float *)v3)[0] = v5;
            v4 = sn_append_cumsum_f32x1(v4, v17, (i10 == i8));
            for (int i26 = 1; i26 < i13; i26 += 1) {
                float v18 = ((float *)v2)[i26];
                v5 = sn_scan_carry_cumsum_f32x1(v6, v4, 0, (i8 == 0));
                ((float *)v3)[i26] = v5;
                v4 = sn_append_cumsum_f32x1(v4, v18, 0);
            }
            if (!RARELY((i12 < 256))) {
                float4 v19 = v3[0];
                for (int i27 = 0; i27 < 16; i27 += 1) {
                    float4 v20[4];
                    sn_carry_turned_cumsum_f32x4(v20, v1, v19, i27, (i10 == 0));
#pragma unroll
                    for (int i28 = 0; i28 < 4; i28 += 1) {
                        int i29 = (i10 + (((i28 * 16) + i27) * 4));
                        float4 v21 = v20[i28];
                        float4 v22 = v21;
                        float4 v23 = sn_load_f32x4(p0 + i6 + i29, 4);
                        float4 v24 = v22 + v23;
                        sn_store_f32x4(v24, p1 + i7 + i29, 4);
                    }
                }
            }
            if (RARELY((i12 < 256))) {
                if (((i12 < 128) == 0)) {
                    float4 v25 = v3[0];
                    for (int i30 = 0; i30 < 16; i30 += 1) {
                        float4 v26[4];
                        sn_carry_turned_cumsum_f32x4(v26, v1, v25, i30, (i10 == 0));
#pragma unroll
                        for (int i31 = 0; i31 < 4; i31 += 1) {
                            int i32 = ((i31 * 16) + i30);
                            float4 v27 = v26[i31];
                            v0[i32] = v27;
                        }
                    }
                }
                if ((i12 < 128)) {
                    sn_carry_rest_cumsum_f32x4(v0, v3, i12, (i10 == 0));
                }
                for (int i33 = 0; i33 < i12; i33 += 4) {
                    int i34 = (i10 + i33);
                    int i35 = (int)clamp((i12 - i33), (int)0, (int)4);
                    int i36 = (i33 / 4);
                    float4 v28 = v0[i36];
                    float4 v29 = v28;
                    float4 v30 = sn_load_f32x4(p0 + i6 + i34, i35);
                    float4 v31 = v29 + v30;
                    sn_store_f32x4(v31, p1 + i7 + i34, i35);
                }
            }
        }
    }
}
