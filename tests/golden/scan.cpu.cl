// z = cumsum(x * row, axis=0) * col + y

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cumsum_mul_add_492f12f591a8b77b(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global const uchar *b3, ulong o3,
    __global uchar *b4, ulong o4,
    int each,
    int units,
    int n0,
    int segments,
    int reduced,
    int s0_1,
    int s2_1,
    int s3_1,
    int s4_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global const float *p3 = (__global const float *)(b3 + o3);
    __global float *p4 = (__global float *)(b4 + o4);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p1 + i5, i6);
        float16 v1 = (float16)(0);
        float16 v2 = (float16)(0);
        float16 v3 = (float16)(0);
        float16 v4 = (float16)(0);
        float16 v5[12];
        for (int i7 = 0; i7 < reduced; i7 += 4096) {
            if ((0 < i7)) {
                v4 = sn_scan_next_cumsum_f32x16(v5, v2, (i7 / 4096));
            }
            int i8 = min((i7 + 4096), reduced);
            for (int i9 = i7; i9 < i8; i9 += 64) {
                v3 = sn_scan_carry_cumsum_f32x16(v4, v2, (i9 == i7), (i7 == 0));
                int i10 = min((i9 + 64), i8);
                for (int i11 = i9; i11 < i10; i11 += 1) {
                    float16 v6 = sn_load_f32x16(p0 + (i11 * s0_1) + i5, i6);
                    float16 v7 = v6 * v0;
                    float v8 = sn_load_f32x1(p2 + (i11 * s2_1), 1);
                    float16 v9 = sn_load_f32x16(p3 + (i11 * s3_1) + i5, i6);
                    v1 = sn_append_cumsum_f32x16(v1, v7, (i11 == i9));
                    float16 v10 = sn_append_cumsum_f32x16(v3, v1, (i9 == 0));
                    float16 v11 = v10;
                    float16 v12 = v11 * (float16)(v8);
                    float16 v13 = v12 + v9;
                    sn_store_f32x16(v13, p4 + (i11 * s4_1) + i5, i6);
                }
                v2 = sn_append_cumsum_f32x16(v2, v1, (i9 == i7));
            }
        }
    }
}
