// z = cumsum(v * v, axis=0) + v

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_add_798868a65c3ec585(
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
                float4 v6 = (float4)(as_float(0x80000000u));
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
                float v10 = ((float *)v2)[0];
                v3 = sn_append_cumsum_f32x1(v3, v10, (i10 == i8));
                for (int i17 = 1; i17 < 4; i17 += 1) {
                    float v11 = ((float *)v2)[i17];
                    v3 = sn_append_cumsum_f32x1(v3, v11, 0);
                }
            }
            if (RARELY((i12 < 256))) {
                for (int i18 = 0; i18 < i12; i18 += 4) {
                    int i19 = (i10 + i18);
                    int i20 = (int)clamp((i12 - i18), (int)0, (int)4);
                    int i21 = (i18 / 4);
                    float4 v12 = sn_load_f32x4(p0 + i6 + i19, i20);
                    float4 v13 = v12 * v12;
                    v0[i21] = v13;
                }
                if (((i12 < 128) == 0)) {
                    int i22 = ((i12 + 3) / 4);
                    float4 v14 = (float4)(0);
                    for (int i23 = i22; i23 < 64; i23 += 1) {
                        v0[i23] = v14;
                    }
                    float4 v15 = (float4)(as_float(0x80000000u));
                    for (int i24 = 0; i24 < 16; i24 += 1) {
                        float4 v16[4];
#pragma unroll
                        for (int i25 = 0; i25 < 4; i25 += 1) {
                            int i26 = ((i25 * 16) + i24);
                            float4 v17 = v0[i26];
                            v16[i25] = v17;
                        }
                        v15 = sn_scan_turned_cumsum_f32x4(v16, v1, v15, i24);
                    }
                    v2[0] = v15;
                }
                if ((i12 < 128)) {
                    sn_scan_rest_cumsum_f32x4(v0, v2, i12);
                }
                float v18 = ((float *)v2)[0];
                v3 = sn_append_cumsum_f32x1(v3, v18, (i10 == i8));
                for (int i27 = 1; i27 < i13; i27 += 1) {
                    float v19 = ((float *)v2)[i27];
                    v3 = sn_append_cumsum_f32x1(v3, v19, 0);
                }
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
void mul_cumsum_add_473b6e9a23264035(
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
        float v7 = (float)(as_float(0x80000000u));
        v6 = sn_append_cumsum_f32x1(v6, v7, (i4 == 0));
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 256) {
            int i11 = min((i10 + 256), i9);
            int i12 = (i11 - i10);
            int i13 = ((i12 + 63) / 64);
            if (!RARELY((i12 < 256))) {
                float4 v8 = (float4)(as_float(0x80000000u));
                for (int i14 = 0; i14 < 16; i14 += 1) {
                    float4 v9[4];
#pragma unroll
                    for (int i15 = 0; i15 < 4; i15 += 1) {
                        int i16 = (i10 + (((i15 * 16) + i14) * 4));
                        float4 v10 = sn_load_f32x4(p0 + i6 + i16, 4);
                        float4 v11 = v10 * v10;
                        v9[i15] = v11;
                    }
                    v8 = sn_scan_turned_cumsum_f32x4(v9, v1, v8, i14);
                }
                v2[0] = v8;
                float v12 = ((float *)v2)[0];
                v5 = sn_scan_carry_cumsum_f32x1(v6, v4, (i10 == i8), 0);
                ((float *)v3)[0] = v5;
                v4 = sn_append_cumsum_f32x1(v4, v12, (i10 == i8));
                for (int i17 = 1; i17 < 4; i17 += 1) {
                    float v13 = ((float *)v2)[i17];
                    v5 = sn_scan_carry_cumsum_f32x1(v6, v4, 0, 0);
                    ((float *)v3)[i17] = v5;
                    v4 = sn_append_cumsum_f32x1(v4, v13, 0);
                }
                for (int i18 = 0; i18 < 16; i18 += 1) {
                    float4 v14[4];
                    sn_carry_turned_cumsum_f32x4(v14, v1, v3, i18);
#pragma unroll
                    for (int i19 = 0; i19 < 4; i19 += 1) {
                        int i20 = (i10 + (((i19 * 16) + i18) * 4));
                        float4 v15 = v14[i19];
                        float4 v16 = v15;
                        float4 v17 = sn_load_f32x4(p0 + i6 + i20, 4);
                        float4 v18 = v16 + v17;
                        sn_store_f32x4(v18, p1 + i7 + i20, 4);
                    }
                }
            }
            if (RARELY((i12 < 256))) {
                for (int i21 = 0; i21 < i12; i21 += 4) {
                    int i22 = (i10 + i21);
                    int i23 = (int)clamp((i12 - i21), (int)0, (int)4);
                    int i24 = (i21 / 4);
                    float4 v19 = sn_load_f32x4(p0 + i6 + i22, i23);
                    float4 v20 = v19 * v19;
                    v0[i24] = v20;
                }
                if (((i12 < 128) == 0)) {
                    int i25 = ((i12 + 3) / 4);
                    float4 v21 = (float4)(0);
                    for (int i26 = i25; i26 < 64; i26 += 1) {
                        v0[i26] = v21;
                    }
                    float4 v22 = (float4)(as_float(0x80000000u));
                    for (int i27 = 0; i27 < 16; i27 += 1) {
                        float4 v23[4];
#pragma unroll
                        for (int i28 = 0; i28 < 4; i28 += 1) {
                            int i29 = ((i28 * 16) + i27);
                            float4 v24 = v0[i29];
                            v23[i28] = v24;
                        }
                        v22 = sn_scan_turned_cumsum_f32x4(v23, v1, v22, i27);
                    }
                    v2[0] = v22;
                }
                if ((i12 < 128)) {
                    sn_scan_rest_cumsum_f32x4(v0, v2, i12);
                }
                float v25 = ((float *)v2)[0];
                v5 = sn_scan_carry_cumsum_f32x1(v6, v4, (i10 == i8), 0);
                ((float *)v3)[0] = v5;
                v4 = sn_append_cumsum_f32x1(v4, v25, (i10 == i8));
                for (int i30 = 1; i30 < i13; i30 += 1) {
                    float v26 = ((float *)v2)[i30];
                    v5 = sn_scan_carry_cumsum_f32x1(v6, v4, 0, 0);
                    ((float *)v3)[i30] = v5;
                    v4 = sn_append_cumsum_f32x1(v4, v26, 0);
                }
                if (((i12 < 128) == 0)) {
                    for (int i31 = 0; i31 < 16; i31 += 1) {
                        float4 v27[4];
                        sn_carry_turned_cumsum_f32x4(v27, v1, v3, i31);
#pragma unroll
                        for (int i32 = 0; i32 < 4; i32 += 1) {
                            int i33 = ((i32 * 16) + i31);
                            float4 v28 = v27[i32];
                            v0[i33] = v28;
                        }
                    }
                }
                if ((i12 < 128)) {
                    sn_carry_rest_cumsum_f32x4(v0, v3, i12);
                }
                for (int i34 = 0; i34 < i12; i34 += 4) {
                    int i35 = (i10 + i34);
                    int i36 = (int)clamp((i12 - i34), (int)0, (int)4);
                    int i37 = (i34 / 4);
                    float4 v29 = v0[i37];
                    float4 v30 = v29;
                    float4 v31 = sn_load_f32x4(p0 + i6 + i35, i36);
                    float4 v32 = v30 + v31;
                    sn_store_f32x4(v32, p1 + i7 + i35, i36);
                }
            }
        }
    }
}
