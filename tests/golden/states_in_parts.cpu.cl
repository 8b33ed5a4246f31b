// m = mean(v); s = var(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mean_devsq_div_95ec9ba919d4d2f8(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int region,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    __global float *q4 = (__global float *)(bq + oq + 4 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * s2_0);
        int i8 = (i3 * parts);
        int i9 = (i4 * 16384);
        int i10 = min((reduced - i9), 16384);
        float16 v1 = (float16)(as_float(0x80000000u));
        float16 v2 = (float16)(as_float(0x80000000u));
        float16 v3 = (float16)(as_float(0x80000000u));
        float16 v4 = (float16)(as_float(0x80000000u));
        int i11 = ((i10 / 64) * 64);
        for (int i12 = 0; i12 < i11; i12 += 64) {
            int i13 = (i9 + i12);
            float16 v5 = sn_load_f32x16(p0 + i5 + i13, 16);
            v1 = v1 + v5;
            int i14 = (i9 + (i12 + 16));
            float16 v6 = sn_load_f32x16(p0 + i5 + i14, 16);
            v2 = v2 + v6;
            int i15 = (i9 + (i12 + 32));
            float16 v7 = sn_load_f32x16(p0 + i5 + i15, 16);
            v3 = v3 + v7;
            int i16 = (i9 + (i12 + 48));
            float16 v8 = sn_load_f32x16(p0 + i5 + i16, 16);
            v4 = v4 + v8;
        }
        if (RARELY((i10 - i11))) {
            for (int i17 = i11; i17 < i10; i17 += 16) {
                int i18 = (i9 + i17);
                int i19 = (int)clamp((i10 - i17), (int)0, (int)16);
                float16 v9 = sn_load_f32x16(p0 + i5 + i18, i19);
                int i20 = ((i17 % 64) / 16);
                if ((i20 == 0)) {
                    v1 = sn_fold_sum_f32x16(v1, v9, i19);
                }
                if ((i20 == 1)) {
                    v2 = sn_fold_sum_f32x16(v2, v9, i19);
                }
                if ((i20 == 2)) {
                    v3 = sn_fold_sum_f32x16(v3, v9, i19);
                }
                if ((i20 == 3)) {
                    v4 = sn_fold_sum_f32x16(v4, v9, i19);
                }
            }
        }
        v1 = v1 + v3;
        v2 = v2 + v4;
        v1 = v1 + v2;
        float v10 = sn_lane_tree_sum_f32x16(v1);
        float v11 = DIV(v10, (float)((float)i10));
        float16 v12 = (float16)(as_float(0x80000000u));
        float16 v13 = (float16)(as_float(0x80000000u));
        float16 v14 = (float16)(as_float(0x80000000u));
        float16 v15 = (float16)(as_float(0x80000000u));
        float16 v16 = (float16)(as_float(0x80000000u));
        float16 v17 = (float16)(as_float(0x80000000u));
        float16 v18 = (float16)(as_float(0x80000000u));
        float16 v19 = (float16)(as_float(0x80000000u));
        int i21 = ((i10 / 64) * 64);
        for (int i22 = 0; i22 < i21; i22 += 64) {
            int i23 = (i9 + i22);
            float16 v20 = sn_load_f32x16(p0 + i5 + i23, 16);
            float16 v21 = v20 - (float16)(v11);
            float16 v22 = v21 * v21;
            v12 = v12 + v21;
            v16 = v16 + v22;
            int i24 = (i9 + (i22 + 16));
            float16 v23 = sn_load_f32x16(p0 + i5 + i24, 16);
            float16 v24 = v23 - (float16)(v11);
            float16 v25 = v24 * v24;
            v13 = v13 + v24;
            v17 = v17 + v25;
            int i25 = (i9 + (i22 + 32));
            float16 v26 = sn_load_f32x16(p0 + i5 + i25, 16);
            float16 v27 = v26 - (float16)(v11);
            float16 v28 = v27 * v27;
            v14 = v14 + v27;
            v18 = v18 + v28;
            int i26 = (i9 + (i22 + 48));
            float16 v29 = sn_load_f32x16(p0 + i5 + i26, 16);
            float16 v30 = v29 - (float16)(v11);
            float16 v31 = v30 * v30;
            v15 = v15 + v30;
            v19 = v19 + v31;
        }
        if (RARELY((i10 - i21))) {
            for (int i27 = i21; i27 < i10; i27 += 16) {
                int i28 = (i9 + i27);
                int i29 = (int)clamp((i10 - i27), (int)0, (int)16);
                float16 v32 = sn_load_f32x16(p0 + i5 + i28, i29);
                float16 v33 = v32 - (float16)(v11);
                float16 v34 = v33 * v33;
                int i30 = ((i27 % 64) / 16);
                if ((i30 == 0)) {
                    v12 = sn_fold_sum_f32x16(v12, v33, i29);
                    v16 = sn_fold_sum_f32x16(v16, v34, i29);
                }
                if ((i30 == 1)) {
                    v13 = sn_fold_sum_f32x16(v13, v33, i29);
                    v17 = sn_fold_sum_f32x16(v17, v34, i29);
                }
                if ((i30 == 2)) {
                    v14 = sn_fold_sum_f32x16(v14, v33, i29);
                    v18 = sn_fold_sum_f32x16(v18, v34, i29);
                }
                if ((i30 == 3)) {
                    v15 = sn_fold_sum_f32x16(v15, v33, i29);
                    v19 = sn_fold_sum_f32x16(v19, v34, i29);
                }
            }
        }
        v12 = v12 + v14;
        v13 = v13 + v15;
        v12 = v12 + v13;
        float v35 = sn_lane_tree_sum_f32x16(v12);
        v16 = v16 + v18;
        v17 = v17 + v19;
        v16 = v16 + v17;
        float v36 = sn_lane_tree_sum_f32x16(v16);
        uint v37 = (uint)(i10);
        float v38 = sn_u32_to_f32_x1(v37);
        float v39 = DIV(v35, (float)((float)i10));
        float v40 = v35 * v39;
        float v41 = v36 - v40;
        float v42 = sn_max_f32x1(v41, (float)(0));
        sn_store_f32x1(v10, q0 + i8 + i4, 1);
        sn_store_f32x1(v38, q1 + i8 + i4, 1);
        sn_store_f32x1(v11, q2 + i8 + i4, 1);
        sn_store_f32x1(v39, q3 + i8 + i4, 1);
        sn_store_f32x1(v42, q4 + i8 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mean_devsq_div_ee65281d5fc29c4f(
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int s2_0,
    int parts,
    int segment,
    int reduced,
    int region,
    float c0)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    __global float *q4 = (__global float *)(bq + oq + 4 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        int i6 = (i2 / segment);
        int i7 = (i2 - (i6 * segment));
        int i8 = (((i6 * parts) * segment) + i7);
        float v1 = sn_memory_tree_mean_f32x1(q0 + i8, segment, parts);
        float v2 = DIV(v1, (float)((float)reduced));
        float v3 = v2;
        sn_spread_tree_sum_f32x1(q1 + i8, q2 + i8, q3 + i8, q4 + i8, segment, parts, 1);
        float v4 = sn_load_f32x1(q4 + i8, 1);
        float v5 = v4;
        float v6 = DIV(v5, c0);
        sn_store_f32x1(v3, p1 + i4, 1);
        sn_store_f32x1(v6, p2 + i5, 1);
    }
}
