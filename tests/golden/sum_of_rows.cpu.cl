// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_sum_5611d2392da0351b(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        int i6 = ((reduced / 64) * 64);
        for (int i7 = 0; i7 < i6; i7 += 64) {
            float16 v1 = sn_load_f32x16(p0 + (i3 + i7), 16);
            float16 v2 = sn_load_f32x16(p1 + (i4 + i7), 16);
            float16 v3 = v1 * v2;
            v0[0] = sn_fold_sum_f32x16(v0[0], v3, (i7 < 64), 16);
            int i8 = (i7 + 16);
            float16 v4 = sn_load_f32x16(p0 + (i3 + i8), 16);
            float16 v5 = sn_load_f32x16(p1 + (i4 + i8), 16);
            float16 v6 = v4 * v5;
            v0[1] = sn_fold_sum_f32x16(v0[1], v6, ((i7 + 16) < 64), 16);
            int i9 = (i7 + 32);
            float16 v7 = sn_load_f32x16(p0 + (i3 + i9), 16);
            float16 v8 = sn_load_f32x16(p1 + (i4 + i9), 16);
            float16 v9 = v7 * v8;
            v0[2] = sn_fold_sum_f32x16(v0[2], v9, ((i7 + 32) < 64), 16);
            int i10 = (i7 + 48);
            float16 v10 = sn_load_f32x16(p0 + (i3 + i10), 16);
            float16 v11 = sn_load_f32x16(p1 + (i4 + i10), 16);
            float16 v12 = v10 * v11;
            v0[3] = sn_fold_sum_f32x16(v0[3], v12, ((i7 + 48) < 64), 16);
        }
        if ((i6 < reduced)) {
            int i11 = (int)clamp((reduced - i6), (int)0, (int)16);
            float16 v13 = sn_load_f32x16(p0 + (i3 + i6), i11);
            float16 v14 = sn_load_f32x16(p1 + (i4 + i6), i11);
            float16 v15 = v13 * v14;
            v0[0] = sn_fold_sum_f32x16(v0[0], v15, (i6 < 64), i11);
        }
        int i12 = (i6 + 16);
        if ((i12 < reduced)) {
            int i13 = (int)clamp((reduced - i12), (int)0, (int)16);
            float16 v16 = sn_load_f32x16(p0 + (i3 + i12), i13);
            float16 v17 = sn_load_f32x16(p1 + (i4 + i12), i13);
            float16 v18 = v16 * v17;
            v0[1] = sn_fold_sum_f32x16(v0[1], v18, (i12 < 64), i13);
        }
        int i14 = (i6 + 32);
        if ((i14 < reduced)) {
            int i15 = (int)clamp((reduced - i14), (int)0, (int)16);
            float16 v19 = sn_load_f32x16(p0 + (i3 + i14), i15);
            float16 v20 = sn_load_f32x16(p1 + (i4 + i14), i15);
            float16 v21 = v19 * v20;
            v0[2] = sn_fold_sum_f32x16(v0[2], v21, (i14 < 64), i15);
        }
        int i16 = (i6 + 48);
        if ((i16 < reduced)) {
            int i17 = (int)clamp((reduced - i16), (int)0, (int)16);
            float16 v22 = sn_load_f32x16(p0 + (i3 + i16), i17);
            float16 v23 = sn_load_f32x16(p1 + (i4 + i16), i17);
            float16 v24 = v22 * v23;
            v0[3] = sn_fold_sum_f32x16(v0[3], v24, (i16 < 64), i17);
        }
        int i18 = min(reduced, 64);
        float v25 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v0, 64, i18), i18);
        float v26 = v25;
        sn_store_f32x1(v26, p2 + i5, 1);
    }
}
