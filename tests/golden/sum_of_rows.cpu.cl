// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_sum_83eadfda6e1ed12f(
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
        float16 v0 = (float16)(as_float(0x80000000u));
        float16 v1 = (float16)(as_float(0x80000000u));
        float16 v2 = (float16)(as_float(0x80000000u));
        float16 v3 = (float16)(as_float(0x80000000u));
        int i6 = ((reduced / 64) * 64);
        for (int i7 = 0; i7 < i6; i7 += 64) {
            float16 v4 = sn_load_f32x16(p0 + i3 + i7, 16);
            float16 v5 = sn_load_f32x16(p1 + i4 + i7, 16);
            float16 v6 = v4 * v5;
            v0 = v0 + v6;
            int i8 = (i7 + 16);
            float16 v7 = sn_load_f32x16(p0 + i3 + i8, 16);
            float16 v8 = sn_load_f32x16(p1 + i4 + i8, 16);
            float16 v9 = v7 * v8;
            v1 = v1 + v9;
            int i9 = (i7 + 32);
            float16 v10 = sn_load_f32x16(p0 + i3 + i9, 16);
            float16 v11 = sn_load_f32x16(p1 + i4 + i9, 16);
            float16 v12 = v10 * v11;
            v2 = v2 + v12;
            int i10 = (i7 + 48);
            float16 v13 = sn_load_f32x16(p0 + i3 + i10, 16);
            float16 v14 = sn_load_f32x16(p1 + i4 + i10, 16);
            float16 v15 = v13 * v14;
            v3 = v3 + v15;
        }
        if (RARELY((reduced - i6))) {
            for (int i11 = i6; i11 < reduced; i11 += 16) {
                int i12 = (int)clamp((reduced - i11), (int)0, (int)16);
                float16 v16 = sn_load_f32x16(p0 + i3 + i11, i12);
                float16 v17 = sn_load_f32x16(p1 + i4 + i11, i12);
                float16 v18 = v16 * v17;
                int i13 = ((i11 % 64) / 16);
                if ((i13 == 0)) {
                    v0 = sn_fold_sum_f32x16(v0, v18, i12);
                }
                if ((i13 == 1)) {
                    v1 = sn_fold_sum_f32x16(v1, v18, i12);
                }
                if ((i13 == 2)) {
                    v2 = sn_fold_sum_f32x16(v2, v18, i12);
                }
                if ((i13 == 3)) {
                    v3 = sn_fold_sum_f32x16(v3, v18, i12);
                }
            }
        }
        v0 = v0 + v2;
        v1 = v1 + v3;
        v0 = v0 + v1;
        float v19 = sn_lane_tree_sum_f32x16(v0);
        float v20 = v19;
        sn_store_f32x1(v20, p2 + i5, 1);
    }
}
