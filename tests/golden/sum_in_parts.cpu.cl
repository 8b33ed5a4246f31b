// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_max_sum_45af866b3b81fec9(
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
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        float16 v1[4];
        for (int k = 0; k < 4; k++)
            v1[k] = (float16)(0);
        int i11 = ((i10 / 64) * 64);
        for (int i12 = 0; i12 < i11; i12 += 64) {
            int i13 = (i9 + i12);
            float16 v2 = sn_load_f32x16(p0 + (i5 + i13), 16);
            float16 v3 = v2 * v2;
            v0[0] = sn_fold_max_f32x16(v0[0], v3, (i12 < 64), 16);
            v1[0] = sn_fold_sum_f32x16(v1[0], v2, (i12 < 64), 16);
            int i14 = (i9 + (i12 + 16));
            float16 v4 = sn_load_f32x16(p0 + (i5 + i14), 16);
            float16 v5 = v4 * v4;
            v0[1] = sn_fold_max_f32x16(v0[1], v5, ((i12 + 16) < 64), 16);
            v1[1] = sn_fold_sum_f32x16(v1[1], v4, ((i12 + 16) < 64), 16);
            int i15 = (i9 + (i12 + 32));
            float16 v6 = sn_load_f32x16(p0 + (i5 + i15), 16);
            float16 v7 = v6 * v6;
            v0[2] = sn_fold_max_f32x16(v0[2], v7, ((i12 + 32) < 64), 16);
            v1[2] = sn_fold_sum_f32x16(v1[2], v6, ((i12 + 32) < 64), 16);
            int i16 = (i9 + (i12 + 48));
            float16 v8 = sn_load_f32x16(p0 + (i5 + i16), 16);
            float16 v9 = v8 * v8;
            v0[3] = sn_fold_max_f32x16(v0[3], v9, ((i12 + 48) < 64), 16);
            v1[3] = sn_fold_sum_f32x16(v1[3], v8, ((i12 + 48) < 64), 16);
        }
        if ((i11 < i10)) {
            int i17 = (i9 + i11);
            int i18 = (int)clamp((i10 - i11), (int)0, (int)16);
            float16 v10 = sn_load_f32x16(p0 + (i5 + i17), i18);
            float16 v11 = v10 * v10;
            v0[0] = sn_fold_max_f32x16(v0[0], v11, (i11 < 64), i18);
            v1[0] = sn_fold_sum_f32x16(v1[0], v10, (i11 < 64), i18);
        }
        int i19 = (i11 + 16);
        if ((i19 < i10)) {
            int i20 = (i9 + i19);
            int i21 = (int)clamp((i10 - i19), (int)0, (int)16);
            float16 v12 = sn_load_f32x16(p0 + (i5 + i20), i21);
            float16 v13 = v12 * v12;
            v0[1] = sn_fold_max_f32x16(v0[1], v13, (i19 < 64), i21);
            v1[1] = sn_fold_sum_f32x16(v1[1], v12, (i19 < 64), i21);
        }
        int i22 = (i11 + 32);
        if ((i22 < i10)) {
            int i23 = (i9 + i22);
            int i24 = (int)clamp((i10 - i22), (int)0, (int)16);
            float16 v14 = sn_load_f32x16(p0 + (i5 + i23), i24);
            float16 v15 = v14 * v14;
            v0[2] = sn_fold_max_f32x16(v0[2], v15, (i22 < 64), i24);
            v1[2] = sn_fold_sum_f32x16(v1[2], v14, (i22 < 64), i24);
        }
        int i25 = (i11 + 48);
        if ((i25 < i10)) {
            int i26 = (i9 + i25);
            int i27 = (int)clamp((i10 - i25), (int)0, (int)16);
            float16 v16 = sn_load_f32x16(p0 + (i5 + i26), i27);
            float16 v17 = v16 * v16;
            v0[3] = sn_fold_max_f32x16(v0[3], v17, (i25 < 64), i27);
            v1[3] = sn_fold_sum_f32x16(v1[3], v16, (i25 < 64), i27);
        }
        int i28 = min(i10, 64);
        float v18 = sn_lane_tree_max_f32x16(sn_vector_tree_max_f32x16(v0, 64, i28), i28);
        float v19 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v1, 64, i28), i28);
        sn_store_f32x1(v18, q0 + (i8 + i4), 1);
        sn_store_f32x1(v19, q1 + (i8 + i4), 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_max_sum_86ddafb716b0a681(
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
