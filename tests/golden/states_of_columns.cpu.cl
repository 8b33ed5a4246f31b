// s = std(x, axis=0)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void devsq_div_sqrt_8715754bcbffa0ab(
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
        int i9 = (i8 - i7);
        int i10 = (i9 / 16);
        int i11 = ((i9 + 15) / 16);
        int i12 = (i6 * 256);
        int i13 = min((i12 + 256), reduced);
        int i14 = (i13 - i12);
        float16 v1[64];
        for (int i15 = 0; i15 < i11; i15 += 1) {
            int i16 = (i7 + (i15 * 16));
            int i17 = (int)clamp((n0 - i16), (int)0, (int)16);
            int i18 = (((i5 * parts) * n0) + i16);
            float16 v2 = (float16)(as_float(0x80000000u));
            v1[i15] = v2;
        }
        for (int i19 = i12; i19 < i13; i19 += 6) {
            int i20 = min((i19 + 6), i13);
            int i21 = (((i20 - i19) / 6) * i10);
            for (int i22 = 0; i22 < i21; i22 += 1) {
                int i23 = (i7 + (i22 * 16));
                int i24 = (((i5 * parts) * n0) + i23);
                float16 v3 = v1[i22];
#pragma unroll
                for (int i25 = 0; i25 < 6; i25 += 1) {
                    int i26 = (i19 + i25);
                    float16 v4 = sn_load_f32x16(p0 + (i26 * s0_1) + i23, 16);
                    v3 = v3 + v4;
                }
                v1[i22] = v3;
            }
            for (int i27 = i21; i27 < i11; i27 += 1) {
                int i28 = (i7 + (i27 * 16));
                int i29 = (int)clamp((n0 - i28), (int)0, (int)16);
                int i30 = (((i5 * parts) * n0) + i28);
                float16 v5 = v1[i27];
                for (int i31 = i19; i31 < i20; i31 += 1) {
                    float16 v6 = sn_load_f32x16(p0 + (i31 * s0_1) + i28, i29);
                    v5 = v5 + v6;
                }
                v1[i27] = v5;
            }
        }
        float16 v7[64];
        for (int i32 = 0; i32 < i11; i32 += 1) {
            int i33 = (i7 + (i32 * 16));
            int i34 = (int)clamp((n0 - i33), (int)0, (int)16);
            int i35 = (((i5 * parts) * n0) + i33);
            float16 v8 = v1[i32];
            float16 v9 = DIV(v8, (float16)((float)i14));
            v7[i32] = v9;
        }
        float16 v10[64];
        float16 v11[64];
        for (int i36 = 0; i36 < i11; i36 += 1) {
            int i37 = (i7 + (i36 * 16));
            int i38 = (int)clamp((n0 - i37), (int)0, (int)16);
            int i39 = (((i5 * parts) * n0) + i37);
            float16 v12 = (float16)(as_float(0x80000000u));
            v10[i36] = v12;
            float16 v13 = (float16)(as_float(0x80000000u));
            v11[i36] = v13;
        }
        for (int i40 = i12; i40 < i13; i40 += 6) {
            int i41 = min((i40 + 6), i13);
            int i42 = (((i41 - i40) / 6) * i10);
            for (int i43 = 0; i43 < i42; i43 += 1) {
                int i44 = (i7 + (i43 * 16));
                int i45 = (((i5 * parts) * n0) + i44);
                float16 v14 = v10[i43];
                float16 v15 = v7[i43];
                float16 v16 = v11[i43];
                float16 v17 = v7[i43];
#pragma unroll
                for (int i46 = 0; i46 < 6; i46 += 1) {
                    int i47 = (i40 + i46);
                    float16 v18 = sn_load_f32x16(p0 + (i47 * s0_1) + i44, 16);
                    float16 v19 = v18 - v17;
                    float16 v20 = v19 * v19;
                    v14 = v14 + v19;
                    v16 = v16 + v20;
                }
                v10[i43] = v14;
                v11[i43] = v16;
            }
            for (int i48 = i42; i48 < i11; i48 += 1) {
                int i49 = (i7 + (i48 * 16));
                int i50 = (int)clamp((n0 - i49), (int)0, (int)16);
                int i51 = (((i5 * parts) * n0) + i49);
                float16 v21 = v10[i48];
                float16 v22 = v7[i48];
                float16 v23 = v11[i48];
                float16 v24 = v7[i48];
                for (int i52 = i40; i52 < i41; i52 += 1) {
                    float16 v25 = sn_load_f32x16(p0 + (i52 * s0_1) + i49, i50);
                    float16 v26 = v25 - v24;
                    float16 v27 = v26 * v26;
                    v21 = v21 + v26;
                    v23 = v23 + v27;
                }
                v10[i48] = v21;
                v11[i48] = v23;
            }
        }
        for (int i53 = 0; i53 < i11; i53 += 1) {
            int i54 = (i7 + (i53 * 16));
            int i55 = (int)clamp((n0 - i54), (int)0, (int)16);
            int i56 = (((i5 * parts) * n0) + i54);
            float16 v28 = v10[i53];
            float16 v29 = v7[i53];
            float16 v30 = v11[i53];
            float16 v31 = v7[i53];
            uint v32 = (uint)(i14);
            float v33 = sn_u32_to_f32_x1(v32);
            float16 v34 = DIV(v28, (float16)((float)i14));
            float16 v35 = v28 * v34;
            float16 v36 = v30 - v35;
            float16 v37 = sn_max_f32x16(v36, (float16)(0));
            sn_store_f32x16((float16)(v33), q0 + i56 + (i6 * n0), i55);
            sn_store_f32x16(v31, q1 + i56 + (i6 * n0), i55);
            sn_store_f32x16(v34, q2 + i56 + (i6 * n0), i55);
            sn_store_f32x16(v37, q3 + i56 + (i6 * n0), i55);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void devsq_div_sqrt_903b93ce8cfd69a8(
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
        sn_spread_tree_sum_f32x16(q0 + i7, q1 + i7, q2 + i7, q3 + i7, n0, parts, i6);
        float16 v1 = sn_load_f32x16(q3 + i7, i6);
        float16 v2 = v1;
        float16 v3 = DIV(v2, (float16)(c0));
        float16 v4 = sqrt(v3);
        sn_store_f32x16(v4, p1 + i5, i6);
    }
}
