// p = sum(reshape(v[:49152], (6, 128, 64)), axis=(0, 2)); z = reshape(x[:, ::-1], (3, 100, 40)); w = z - max(z, axis=(0, 2), keepdims=True)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void sum_96730127fe8fb7fd(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0,
    uint magic2,
    uint shift2,
    int n2,
    int s0_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        float16 v0 = (float16)(as_float(0x80000000u));
        float16 v1 = (float16)(as_float(0x80000000u));
        float16 v2 = (float16)(as_float(0x80000000u));
        float16 v3 = (float16)(as_float(0x80000000u));
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            int i7 = as_int(mul_hi(as_uint(i6), (uint)(magic2)) >> shift2);
            int i8 = (i6 - (i7 * n2));
            float16 v4 = sn_load_f32x16(p0 + i3 + (i7 * s0_1) + i8, 16);
            v0 = v0 + v4;
            int i9 = (i6 + 16);
            float16 v5 = sn_load_f32x16(p0 + i3 + (i7 * s0_1) + i8 + 16, 16);
            v1 = v1 + v5;
            int i10 = (i6 + 32);
            float16 v6 = sn_load_f32x16(p0 + i3 + (i7 * s0_1) + i8 + 32, 16);
            v2 = v2 + v6;
            int i11 = (i6 + 48);
            float16 v7 = sn_load_f32x16(p0 + i3 + (i7 * s0_1) + i8 + 48, 16);
            v3 = v3 + v7;
        }
        if (RARELY((reduced - i5))) {
            for (int i12 = i5; i12 < reduced; i12 += 16) {
                int i13 = (int)clamp((reduced - i12), (int)0, (int)16);
                int i14 = as_int(mul_hi(as_uint(i12), (uint)(magic2)) >> shift2);
                int i15 = (i12 - (i14 * n2));
                float16 v8 = sn_load_f32x16(p0 + i3 + (i14 * s0_1) + i15, i13);
                int i16 = ((i12 % 64) / 16);
                if ((i16 == 0)) {
                    v0 = sn_fold_sum_f32x16(v0, v8, i13);
                }
                if ((i16 == 1)) {
                    v1 = sn_fold_sum_f32x16(v1, v8, i13);
                }
                if ((i16 == 2)) {
                    v2 = sn_fold_sum_f32x16(v2, v8, i13);
                }
                if ((i16 == 3)) {
                    v3 = sn_fold_sum_f32x16(v3, v8, i13);
                }
            }
        }
        v0 = v0 + v2;
        v1 = v1 + v3;
        v0 = v0 + v1;
        float v9 = sn_lane_tree_sum_f32x16(v0);
        float v10 = v9;
        sn_store_f32x1(v10, p1 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void max_sub_82180e37e2a84f43(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0,
    uint magic2,
    uint shift2,
    int n2,
    int s0_1,
    int s1_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        float16 v0 = (float16)(as_float(0xff800000u));
        float16 v1 = (float16)(as_float(0xff800000u));
        float16 v2 = (float16)(as_float(0xff800000u));
        float16 v3 = (float16)(as_float(0xff800000u));
        int i5 = ((reduced / 64) * 64);
        for (int i6 = 0; i6 < i5; i6 += 64) {
            int16 i7 = (i6 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            int16 i8 = as_int16(mul_hi(as_uint16(i7), (uint16)(magic2)) >> shift2);
            int16 i9 = (i7 - (i8 * n2));
            float16 v4 = sn_gather_f32x16(p0, ((i3 + (i8 * s0_1)) + (i9 * -1)), 16);
            v0 = sn_max_of_f32x16(v0, v4);
            int i10 = (i6 + 16);
            int16 i11 = (i10 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            int16 i12 = as_int16(mul_hi(as_uint16(i11), (uint16)(magic2)) >> shift2);
            int16 i13 = (i11 - (i12 * n2));
            float16 v5 = sn_gather_f32x16(p0, ((i3 + (i12 * s0_1)) + (i13 * -1)), 16);
            v1 = sn_max_of_f32x16(v1, v5);
            int i14 = (i6 + 32);
            int16 i15 = (i14 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            int16 i16 = as_int16(mul_hi(as_uint16(i15), (uint16)(magic2)) >> shift2);
            int16 i17 = (i15 - (i16 * n2));
            float16 v6 = sn_gather_f32x16(p0, ((i3 + (i16 * s0_1)) + (i17 * -1)), 16);
            v2 = sn_max_of_f32x16(v2, v6);
            int i18 = (i6 + 48);
            int16 i19 = (i18 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            int16 i20 = as_int16(mul_hi(as_uint16(i19), (uint16)(magic2)) >> shift2);
            int16 i21 = (i19 - (i20 * n2));
            float16 v7 = sn_gather_f32x16(p0, ((i3 + (i20 * s0_1)) + (i21 * -1)), 16);
            v3 = sn_max_of_f32x16(v3, v7);
        }
        if (RARELY((reduced - i5))) {
            for (int i22 = i5; i22 < reduced; i22 += 16) {
                int i23 = (int)clamp((reduced - i22), (int)0, (int)16);
                int16 i24 = (i22 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
                int16 i25 = as_int16(mul_hi(as_uint16(i24), (uint16)(magic2)) >> shift2);
                int16 i26 = (i24 - (i25 * n2));
                float16 v8 = sn_gather_f32x16(p0, ((i3 + (i25 * s0_1)) + (i26 * -1)), i23);
                int i27 = ((i22 % 64) / 16);
                if ((i27 == 0)) {
                    v0 = sn_fold_max_f32x16(v0, v8, i23);
                }
                if ((i27 == 1)) {
                    v1 = sn_fold_max_f32x16(v1, v8, i23);
                }
                if ((i27 == 2)) {
                    v2 = sn_fold_max_f32x16(v2, v8, i23);
                }
                if ((i27 == 3)) {
                    v3 = sn_fold_max_f32x16(v3, v8, i23);
                }
            }
        }
        v0 = sn_max_of_f32x16(v0, v2);
        v1 = sn_max_of_f32x16(v1, v3);
        v0 = sn_max_of_f32x16(v0, v1);
        float v9 = sn_lane_tree_max_f32x16(v0);
        float v10 = v9;
        int i28 = ((reduced / 16) * 16);
        for (int i29 = 0; i29 < i28; i29 += 16) {
            int16 i30 = (i29 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
            int16 i31 = as_int16(mul_hi(as_uint16(i30), (uint16)(magic2)) >> shift2);
            int16 i32 = (i30 - (i31 * n2));
            float16 v11 = sn_gather_f32x16(p0, ((i3 + (i31 * s0_1)) + (i32 * -1)), 16);
            float16 v12 = v11 - (float16)(v10);
            sn_store_pieces_f32x16(v12, p1, ((i4 + (i31 * s1_1)) + i32), 16);
        }
        if (RARELY((reduced - i28))) {
            for (int i33 = i28; i33 < reduced; i33 += 16) {
                int i34 = (int)clamp((reduced - i33), (int)0, (int)16);
                int16 i35 = (i33 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
                int16 i36 = as_int16(mul_hi(as_uint16(i35), (uint16)(magic2)) >> shift2);
                int16 i37 = (i35 - (i36 * n2));
                float16 v13 = sn_gather_f32x16(p0, ((i3 + (i36 * s0_1)) + (i37 * -1)), i34);
                float16 v14 = v13 - (float16)(v10);
                sn_store_pieces_f32x16(v14, p1, ((i4 + (i36 * s1_1)) + i37), i34);
            }
        }
    }
}
