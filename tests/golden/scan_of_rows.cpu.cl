// z = cumsum(x, axis=1); w = cumprod(x + y, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void cumsum_add_cumprod_dee0a6f4f493138a(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int reduced,
    int each,
    int units,
    int segments,
    int n0,
    int s0_1,
    int s1_1,
    int s2_1,
    int s3_1,
    int s0_0,
    int s2_0,
    int s1_0,
    int s3_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        float16 v0[14];
        float16 v1 = (float16)(0);
        float16 v2 = (float16)(0);
        float16 v3[14];
        float16 v4 = (float16)(0);
        float16 v5 = (float16)(0);
        for (int i7 = 0; i7 < reduced; i7 += 64) {
            if ((0 < i7)) {
                v2 = sn_scan_next_cumsum_f32x16(v0, v1, (i7 / 64));
                v5 = sn_scan_next_cumprod_f32x16(v3, v4, (i7 / 64));
            }
            int i8 = min((i7 + 64), reduced);
            for (int i9 = i7; i9 < i8; i9 += 1) {
                float16 v6 = sn_load_strided_f32x16(p0 + ((i9 * s0_1) + (i5 * s0_0)), s0_0, i6);
                float16 v7 = sn_load_strided_f32x16(p2 + ((i9 * s2_1) + (i5 * s2_0)), s2_0, i6);
                float16 v8 = v6 + v7;
                v1 = sn_fold_cumsum_f32x16(v1, v6, (i9 == i7), 16);
                float16 v9 = sn_fold_cumsum_f32x16(v2, v1, (i7 == 0), 16);
                float16 v10 = v9;
                v4 = sn_fold_cumprod_f32x16(v4, v8, (i9 == i7), 16);
                float16 v11 = sn_fold_cumprod_f32x16(v5, v4, (i7 == 0), 16);
                float16 v12 = v11;
                sn_store_strided_f32x16(v10, p1 + ((i9 * s1_1) + (i5 * s1_0)), s1_0, i6);
                sn_store_strided_f32x16(v12, p3 + ((i9 * s3_1) + (i5 * s3_0)), s3_0, i6);
            }
        }
    }
}
