// s = std(x, axis=0)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void devsq_div_sqrt_98de122ba885150d(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int segment,
    int n1,
    int s0_1,
    int region,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n0);
        int i9 = (((i8 + 15) - i7) / 16);
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        int i12 = (i11 - i10);
        float16 v1[64];
        for (int i13 = 0; i13 < i9; i13 += 1) {
            int i14 = (i7 + (i13 * 16));
            int i15 = (int)clamp((n0 - i14), (int)0, (int)16);
            int i16 = (((i5 * parts) * n0) + i14);
            float16 v2 = (float16)(as_float(0x80000000u));
            v1[i13] = v2;
        }
        for (int i17 = i10; i17 < i11; i17 += 8) {
            int i18 = min((i17 + 8), i11);
            for (int i19 = 0; i19 < i9; i19 += 1) {
                int i20 = (i7 + (i19 * 16));
                int i21 = (int)clamp((n0 - i20), (int)0, (int)16);
                int i22 = (((i5 * parts) * n0) + i20);
                float16 v3 = v1[i19];
                for (int i23 = i17; i23 < i18; i23 += 1) {
                    float16 v4 = sn_load_f32x16(p0 + ((i23 * s0_1) + i20), i21);
                    v3 = v3 + v4;
                }
                v1[i19] = v3;
            }
        }
        float16 v5[64];
        for (int i24 = 0; i24 < i9; i24 += 1) {
            int i25 = (i7 + (i24 * 16));
            int i26 = (int)clamp((n0 - i25), (int)0, (int)16);
            int i27 = (((i5 * parts) * n0) + i25);
            float16 v6 = v1[i24];
            float16 v7 = DIV(v6, (float16)((float)i12));
            v5[i24] = v7;
        }
        float16 v8[64];
        float16 v9[64];
        for (int i28 = 0; i28 < i9; i28 += 1) {
            int i29 = (i7 + (i28 * 16));
            int i30 = (int)clamp((n0 - i29), (int)0, (int)16);
            int i31 = (((i5 * parts) * n0) + i29);
            float16 v10 = (float16)(as_float(0x80000000u));
            v8[i28] = v10;
            float16 v11 = (float16)(as_float(0x80000000u));
            v9[i28] = v11;
        }
        for (int i32 = i10; i32 < i11; i32 += 8) {
            int i33 = min((i32 + 8), i11);
            for (int i34 = 0; i34 < i9; i34 += 1) {
                int i35 = (i7 + (i34 * 16));
                int i36 = (int)clamp((n0 - i35), (int)0, (int)16);
                int i37 = (((i5 * parts) * n0) + i35);
                float16 v12 = v8[i34];
                float16 v13 = v5[i34];
                float16 v14 = v9[i34];
                float16 v15 = v5[i34];
                for (int i38 = i32; i38 < i33; i38 += 1) {
                    float16 v16 = sn_load_f32x16(p0 + ((i38 * s0_1) + i35), i36);
                    float16 v17 = v16 - v15;
                    float16 v18 = v17 * v17;
                    v12 = v12 + v17;
                    v14 = v14 + v18;
                }
                v8[i34] = v12;
                v9[i34] = v14;
            }
        }
        for (int i39 = 0; i39 < i9; i39 += 1) {
            int i40 = (i7 + (i39 * 16));
            int i41 = (int)clamp((n0 - i40), (int)0, (int)16);
            int i42 = (((i5 * parts) * n0) + i40);
            float16 v19 = v8[i39];
            float16 v20 = v5[i39];
            float16 v21 = v9[i39];
            float16 v22 = v5[i39];
            uint v23 = (uint)(i12);
            float v24 = sn_u32_to_f32_x1(v23);
            float16 v25 = DIV(v19, (float16)((float)i12));
            float16 v26 = v19 * v25;
            float16 v27 = v21 - v26;
            float16 v28 = sn_max_f32x16(v27, (float16)(0));
            sn_store_f32x16((float16)(v24), q0 + (i42 + (i6 * n0)), i41);
            sn_store_f32x16(v22, q1 + (i42 + (i6 * n0)), i41);
            sn_store_f32x16(v25, q2 + (i42 + (i6 * n0)), i41);
            sn_store_f32x16(v28, q3 + (i42 + (i6 * n0)), i41);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void devsq_div_sqrt_ec76dc81f2c2b2ea(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int segments,
    int n0,
    int parts,
    int region,
    float c0)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        int i7 = (((i3 * parts) * n0) + i5);
        sn_spread_tree_sum_f32x1(q0 + i7, q1 + i7, q2 + i7, q3 + i7, n0, parts, i6);
        float16 v1 = sn_load_f32x16(q3 + i7, i6);
        float16 v2 = v1;
        float16 v3 = DIV(v2, (float16)(c0));
        float16 v4 = sqrt(v3);
        sn_store_f32x16(v4, p1 + i5, i6);
    }
}
