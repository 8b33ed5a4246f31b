// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_da1e2491325197d4(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            float16 v1 = sn_load_f32x16(p0 + (i3 + i6), 16);
            v0[0] = sn_fold_max_f32x16(v0[0], v1, (i6 < 64), 16);
            int i7 = (i6 + 16);
            float16 v2 = sn_load_f32x16(p0 + (i3 + i7), 16);
            v0[1] = sn_fold_max_f32x16(v0[1], v2, ((i6 + 16) < 64), 16);
            int i8 = (i6 + 32);
            float16 v3 = sn_load_f32x16(p0 + (i3 + i8), 16);
            v0[2] = sn_fold_max_f32x16(v0[2], v3, ((i6 + 32) < 64), 16);
            int i9 = (i6 + 48);
            float16 v4 = sn_load_f32x16(p0 + (i3 + i9), 16);
            v0[3] = sn_fold_max_f32x16(v0[3], v4, ((i6 + 48) < 64), 16);
        }
        if ((i5 < reduced)) {
            int i10 = (int)clamp((reduced - i5), (int)0, (int)16);
            float16 v5 = sn_load_f32x16(p0 + (i3 + i5), i10);
            v0[0] = sn_fold_max_f32x16(v0[0], v5, (i5 < 64), i10);
        }
        int i11 = (i5 + 16);
        if ((i11 < reduced)) {
            int i12 = (int)clamp((reduced - i11), (int)0, (int)16);
            float16 v6 = sn_load_f32x16(p0 + (i3 + i11), i12);
            v0[1] = sn_fold_max_f32x16(v0[1], v6, (i11 < 64), i12);
        }
        int i13 = (i5 + 32);
        if ((i13 < reduced)) {
            int i14 = (int)clamp((reduced - i13), (int)0, (int)16);
            float16 v7 = sn_load_f32x16(p0 + (i3 + i13), i14);
            v0[2] = sn_fold_max_f32x16(v0[2], v7, (i13 < 64), i14);
        }
        int i15 = (i5 + 48);
        if ((i15 < reduced)) {
            int i16 = (int)clamp((reduced - i15), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + (i3 + i15), i16);
            v0[3] = sn_fold_max_f32x16(v0[3], v8, (i15 < 64), i16);
        }
        int i17 = min(reduced, 64);
        float v9 = sn_lane_tree_max_f32x16(sn_vector_tree_max_f32x16(v0, 64, i17), i17);
        float v10 = v9;
        float16 v11[4];
        for (int k = 0; k < 4; k++)
            v11[k] = (float16)(0);
        for (int i18 = 0; i18 < reduced; i18 += 16) {
            int i19 = (int)clamp((reduced - i18), (int)0, (int)16);
            float16 v12 = sn_load_f32x16(p0 + (i3 + i18), i19);
            float16 v13 = v12 - (float16)(v10);
            float16 v14 = sn_exp_f32x16(v13);
            sn_store_f32x16(v14, p1 + (i4 + i18), i19);
            int k11 = ((i18 % 64) / 16);
            v11[k11] = sn_fold_sum_f32x16(v11[k11], v14, (i18 < 64), i19);
        }
        int i20 = min(reduced, 64);
        float v15 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v11, 64, i20), i20);
        float v16 = v15;
        for (int i21 = 0; i21 < reduced; i21 += 16) {
            int i22 = (int)clamp((reduced - i21), (int)0, (int)16);
            float16 v17 = sn_load_f32x16(p1 + (i4 + i21), i22);
            float16 v18 = DIV(v17, (float16)(v16));
            sn_store_f32x16(v18, p1 + (i4 + i21), i22);
        }
    }
}
