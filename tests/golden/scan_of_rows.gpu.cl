// z = cumsum(x, axis=1); w = cumprod(x + y, axis=1)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void cumsum_add_cumprod_d8bc92e6652f80ba(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int s2_0,
    int s3_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        int i6 = (i2 * s3_0);
        float4 v0 = (float4)(0);
        float v1 = (float)(0);
        float v2 = (float)(0);
        float v3 = (float)(0);
        float v4[12];
        float4 v5 = (float4)(1);
        float v6 = (float)(1);
        float v7 = (float)(1);
        float v8 = (float)(1);
        float v9[12];
        for (int i7 = 0; i7 < reduced; i7 += 4096) {
            if ((0 < i7)) {
                v3 = sn_scan_next_cumsum_f32x1(v4, v1, (i7 / 4096));
                v8 = sn_scan_next_cumprod_f32x1(v9, v6, (i7 / 4096));
            }
            int i8 = min((i7 + 4096), reduced);
            for (int i9 = i7; i9 < i8; i9 += 64) {
                v2 = sn_scan_carry_cumsum_f32x1(v3, v1, (i9 == i7), (i7 == 0));
                v7 = sn_scan_carry_cumprod_f32x1(v8, v6, (i9 == i7), (i7 == 0));
                int i10 = min((i9 + 64), i8);
                for (int i11 = i9; i11 < i10; i11 += 4) {
                    int i12 = (int)clamp((i10 - i11), (int)0, (int)4);
                    float4 v10 = sn_load_f32x4(p0 + i3 + i11, i12);
                    float4 v11 = sn_load_f32x4(p2 + i5 + i11, i12);
                    float4 v12 = v10 + v11;
                    v0 = sn_scan_cumsum_f32x4(v0, v10, (i11 == i9));
                    float4 v13 = sn_append_cumsum_f32x4((float4)(v2), v0, (i9 == 0));
                    float4 v14 = v13;
                    v5 = sn_scan_cumprod_f32x4(v5, v12, (i11 == i9));
                    float4 v15 = sn_append_cumprod_f32x4((float4)(v7), v5, (i9 == 0));
                    float4 v16 = v15;
                    sn_store_f32x4(v14, p1 + i4 + i11, i12);
                    sn_store_f32x4(v16, p3 + i6 + i11, i12);
                }
                v1 = sn_append_cumsum_f32x1(v1, v0.s3, (i9 == i7));
                v6 = sn_append_cumprod_f32x1(v6, v5.s3, (i9 == i7));
            }
        }
    }
}
