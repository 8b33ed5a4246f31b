// z = silu(x) * y * col

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void silu_mul_mul_aacef7d6f1d049b9(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n1,
    int each,
    int units,
    int segments,
    int s0_0,
    int s1_0,
    int s2_0,
    int s3_0,
    int segment)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * s2_0);
        int i8 = (i3 * s3_0);
        float v0 = sn_load_f32x1(p2 + i7, 1);
        int i9 = (i4 * segment);
        int i10 = min((i9 + segment), n1);
        int i11 = ((i10 - i9) % 16);
        int i12 = (i10 - i11);
        for (int i13 = i9; i13 < i12; i13 += 16) {
            float8 v1 = sn_load_f32x8(p0 + i5 + i13, 8);
            float8 v2 = sn_load_f32x8(p0 + i5 + i13 + 8, 8);
            float8 v3 = sn_silu_f32x8(v1);
            float8 v4 = sn_silu_f32x8(v2);
            float8 v5 = sn_load_f32x8(p1 + i6 + i13, 8);
            float8 v6 = sn_load_f32x8(p1 + i6 + i13 + 8, 8);
            float8 v7 = v3 * v5;
            float8 v8 = v4 * v6;
            float8 v9 = v7 * (float8)(v0);
            float8 v10 = v8 * (float8)(v0);
            sn_store_f32x8(v9, p3 + i8 + i13, 8);
            sn_store_f32x8(v10, p3 + i8 + i13 + 8, 8);
        }
        for (int i14 = i12; i14 < i10; i14 += 8) {
            int i15 = (int)clamp((i10 - i14), (int)0, (int)8);
            float8 v11 = sn_load_f32x8(p0 + i5 + i14, i15);
            float8 v12 = sn_silu_f32x8(v11);
            float8 v13 = sn_load_f32x8(p1 + i6 + i14, i15);
            float8 v14 = v12 * v13;
            float8 v15 = v14 * (float8)(v0);
            sn_store_f32x8(v15, p3 + i8 + i14, i15);
        }
    }
}
