// z = transpose(x[::-2, 3:30], (1, 0)) + 1; w = flip(y, axis=1) * 2

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void add_82a5790abec0e9b2(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int n0,
    int segments,
    int n1,
    int s0_1,
    int s1_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 * 32);
        int i6 = min((i5 + 32), n0);
        int i7 = (i4 * 16);
        int i8 = (int)clamp((n1 - i7), (int)0, (int)16);
        int i9 = (i5 + ((((i6 - i5) / 16) * (i8 / 16)) * 16));
        for (int i10 = i5; i10 < i9; i10 += 16) {
            float16 v1[16];
            sn_load_turned_f32x16(v1, p0 + i10 + (i7 * s0_1), s0_1, 16, 16);
#pragma unroll
            for (int i11 = 0; i11 < 16; i11 += 1) {
                int i12 = (i10 + i11);
                int i13 = (i12 * s1_0);
                float16 v2 = v1[i11];
                float16 v3 = v2 + (float16)(c0);
                sn_store_f32x16(v3, p1 + i13 + i7, 16);
            }
        }
        for (int i14 = i9; i14 < i6; i14 += 16) {
            int i15 = (int)clamp((i6 - i14), (int)0, (int)16);
            float16 v4[16];
            sn_load_turned_f32x16(v4, p0 + i14 + (i7 * s0_1), s0_1, i15, i8);
            for (int i16 = 0; i16 < i15; i16 += 1) {
                int i17 = (i14 + i16);
                int i18 = (i17 * s1_0);
                float16 v5 = v4[i16];
                float16 v6 = v5 + (float16)(c0);
                sn_store_f32x16(v6, p1 + i18 + i7, i8);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_f0ad3c5c58287272(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n1,
    int each,
    int units,
    int segments,
    int s0_0,
    int s1_0,
    int segment,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n1);
        int i9 = ((i8 - i7) % 16);
        int i10 = (i8 - i9);
        for (int i11 = i7; i11 < i10; i11 += 16) {
            float8 v1 = sn_load_back_f32x8(p0 + i5 + (i11 * -1), 8);
            float8 v2 = sn_load_back_f32x8(p0 + i5 + ((i11 + 8) * -1), 8);
            float8 v3 = v1 * (float8)(c0);
            float8 v4 = v2 * (float8)(c0);
            sn_store_f32x8(v3, p1 + i6 + i11, 8);
            sn_store_f32x8(v4, p1 + i6 + i11 + 8, 8);
        }
        for (int i12 = i10; i12 < i8; i12 += 8) {
            int i13 = (int)clamp((i8 - i12), (int)0, (int)8);
            float8 v5 = sn_load_back_f32x8(p0 + i5 + (i12 * -1), i13);
            float8 v6 = v5 * (float8)(c0);
            sn_store_f32x8(v6, p1 + i6 + i12, i13);
        }
    }
}
