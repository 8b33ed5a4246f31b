// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_max_sum_bc6ec67f137e5962(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int region)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
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
        float16 v0 = (float16)(as_float(0xff800000u));
        float16 v1 = (float16)(as_float(0xff800000u));
        float16 v2 = (float16)(as_float(0xff800000u));
        float16 v3 = (float16)(as_float(0xff800000u));
        float16 v4 = (float16)(as_float(0x80000000u));
        float16 v5 = (float16)(as_float(0x80000000u));
        float16 v6 = (float16)(as_float(0x80000000u));
        float16 v7 = (float16)(as_float(0x80000000u));
        int i11 = ((i10 / 64) * 64);
        for (int i12 = 0; i12 < i11; i12 += 64) {
            int i13 = (i9 + i12);
            float16 v8 = sn_load_f32x16(p0 + i5 + i13, 16);
            float16 v9 = v8 * v8;
            v0 = sn_max_of_f32x16(v0, v9);
            v4 = v4 + v8;
            int i14 = (i9 + (i12 + 16));
            float16 v10 = sn_load_f32x16(p0 + i5 + i14, 16);
            float16 v11 = v10 * v10;
            v1 = sn_max_of_f32x16(v1, v11);
            v5 = v5 + v10;
            int i15 = (i9 + (i12 + 32));
            float16 v12 = sn_load_f32x16(p0 + i5 + i15, 16);
            float16 v13 = v12 * v12;
            v2 = sn_max_of_f32x16(v2, v13);
            v6 = v6 + v12;
            int i16 = (i9 + (i12 + 48));
            float16 v14 = sn_load_f32x16(p0 + i5 + i16, 16);
            float16 v15 = v14 * v14;
            v3 = sn_max_of_f32x16(v3, v15);
            v7 = v7 + v14;
        }
        if (RARELY((i10 - i11))) {
            for (int i17 = i11; i17 < i10; i17 += 16) {
                int i18 = (i9 + i17);
                int i19 = (int)clamp((i10 - i17), (int)0, (int)16);
                float16 v16 = sn_load_f32x16(p0 + i5 + i18, i19);
                float16 v17 = v16 * v16;
                int i20 = ((i17 % 64) / 16);
                if ((i20 == 0)) {
                    v0 = sn_fold_max_f32x16(v0, v17, i19);
                    v4 = sn_fold_sum_f32x16(v4, v16, i19);
                }
                if ((i20 == 1)) {
                    v1 = sn_fold_max_f32x16(v1, v17, i19);
                    v5 = sn_fold_sum_f32x16(v5, v16, i19);
                }
                if ((i20 == 2)) {
                    v2 = sn_fold_max_f32x16(v2, v17, i19);
                    v6 = sn_fold_sum_f32x16(v6, v16, i19);
                }
                if ((i20 == 3)) {
                    v3 = sn_fold_max_f32x16(v3, v17, i19);
                    v7 = sn_fold_sum_f32x16(v7, v16, i19);
                }
            }
        }
        v0 = sn_max_of_f32x16(v0, v2);
        v1 = sn_max_of_f32x16(v1, v3);
        v0 = sn_max_of_f32x16(v0, v1);
        float v18 = sn_lane_tree_max_f32x16(v0);
        v4 = v4 + v6;
        v5 = v5 + v7;
        v4 = v4 + v5;
        float v19 = sn_lane_tree_sum_f32x16(v4);
        sn_store_f32x1(v18, q0 + i8 + i4, 1);
        sn_store_f32x1(v19, q1 + i8 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_max_sum_c663fa0a07592f9e(
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
    int region)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        int i6 = (i2 / segment);
        int i7 = (i2 - (i6 * segment));
        int i8 = (((i6 * parts) * segment) + i7);
        float v0 = sn_memory_tree_max_f32x1(q0 + i8, segment, parts);
        float v1 = v0;
        float v2 = sn_memory_tree_sum_f32x1(q1 + i8, segment, parts);
        float v3 = v2;
        sn_store_f32x1(v1, p1 + i4, 1);
        sn_store_f32x1(v3, p2 + i5, 1);
    }
}
