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
void mul_be685a2d49cedb02(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    int s0_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        float16 v1 = sn_gather_f32x16(p0, ((i5 * s0_0) + (i6 * -1)), i3);
        float16 v2 = v1 * (float16)(c0);
        sn_store_f32x16(v2, p1 + i2, i3);
    }
}
