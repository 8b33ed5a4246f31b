// z = cumsum(reshape(v[:49152], (96, 512)) * 2, axis=0) + 1

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_cumsum_add_24a088b0f9906d50(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int n0,
    int segments,
    int reduced,
    int s0_1,
    int s1_1,
    float c0,
    float c1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 4);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)4);
        float4 v2 = (float4)(0);
        float4 v3 = (float4)(0);
        float4 v4 = (float4)(0);
        float4 v5 = (float4)(0);
        float4 v6[12];
        for (int i7 = 0; i7 < reduced; i7 += 4096) {
            if ((0 < i7)) {
                v5 = sn_scan_next_cumsum_f32x4(v6, v3, (i7 / 4096));
            }
            int i8 = min((i7 + 4096), reduced);
            for (int i9 = i7; i9 < i8; i9 += 64) {
                v4 = sn_scan_carry_cumsum_f32x4(v5, v3, (i9 == i7), (i7 == 0));
                int i10 = min((i9 + 64), i8);
                for (int i11 = i9; i11 < i10; i11 += 4) {
                    float4 v7 = sn_load_f32x4(p0 + (i11 * s0_1) + i5, i6);
                    float4 v8 = v7 * (float4)(c0);
                    int i12 = (i11 + 1);
                    int i13 = min(i12, (i10 - 1));
                    float4 v9 = sn_load_f32x4(p0 + (i13 * s0_1) + i5, i6);
                    float4 v10 = v9 * (float4)(c0);
                    int i14 = (i11 + 2);
                    int i15 = min(i14, (i10 - 1));
                    float4 v11 = sn_load_f32x4(p0 + (i15 * s0_1) + i5, i6);
                    float4 v12 = v11 * (float4)(c0);
                    int i16 = (i11 + 3);
                    int i17 = min(i16, (i10 - 1));
                    float4 v13 = sn_load_f32x4(p0 + (i17 * s0_1) + i5, i6);
                    float4 v14 = v13 * (float4)(c0);
                    v2 = sn_append_cumsum_f32x4(v2, v8, (i11 == i9));
                    float4 v15 = sn_append_cumsum_f32x4(v4, v2, (i9 == 0));
                    float4 v16 = v15;
                    float4 v17 = v16 + (float4)(c1);
                    sn_store_f32x4(v17, p1 + (i11 * s1_1) + i5, i6);
                    if ((i12 < i10)) {
                        v2 = sn_append_cumsum_f32x4(v2, v10, 0);
                        float4 v18 = sn_append_cumsum_f32x4(v4, v2, (i9 == 0));
                        float4 v19 = v18;
                        float4 v20 = v19 + (float4)(c1);
                        sn_store_f32x4(v20, p1 + (i12 * s1_1) + i5, i6);
                    }
                    if ((i14 < i10)) {
                        v2 = sn_append_cumsum_f32x4(v2, v12, 0);
                        float4 v21 = sn_append_cumsum_f32x4(v4, v2, (i9 == 0));
                        float4 v22 = v21;
                        float4 v23 = v22 + (float4)(c1);
                        sn_store_f32x4(v23, p1 + (i14 * s1_1) + i5, i6);
                    }
                    if ((i16 < i10)) {
                        v2 = sn_append_cumsum_f32x4(v2, v14, 0);
                        float4 v24 = sn_append_cumsum_f32x4(v4, v2, (i9 == 0));
                        float4 v25 = v24;
                        float4 v26 = v25 + (float4)(c1);
                        sn_store_f32x4(v26, p1 + (i16 * s1_1) + i5, i6);
                    }
                }
                v3 = sn_append_cumsum_f32x4(v3, v2, (i9 == i7));
            }
        }
    }
}
