// z = transpose(x * 2) + reshape(y, (40, 300)); w = transpose(reshape(x, (5, 60, 40)), (0, 2, 1)) * 2

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_add_4ab91ff51fc366fa(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int each,
    int units,
    int n0,
    int segments,
    int n1,
    int s0_1,
    int s1_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
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
                int i14 = (i12 * s2_0);
                float16 v2 = v1[i11];
                float16 v3 = v2 * (float16)(c0);
                float16 v4 = sn_load_f32x16(p1 + i13 + i7, 16);
                float16 v5 = v3 + v4;
                sn_store_f32x16(v5, p2 + i14 + i7, 16);
            }
        }
        for (int i15 = i9; i15 < i6; i15 += 16) {
            int i16 = (int)clamp((i6 - i15), (int)0, (int)16);
            float16 v6[16];
            sn_load_turned_f32x16(v6, p0 + i15 + (i7 * s0_1), s0_1, i16, i8);
            for (int i17 = 0; i17 < i16; i17 += 1) {
                int i18 = (i15 + i17);
                int i19 = (i18 * s1_0);
                int i20 = (i18 * s2_0);
                float16 v7 = v6[i17];
                float16 v8 = v7 * (float16)(c0);
                float16 v9 = sn_load_f32x16(p1 + i19 + i7, i8);
                float16 v10 = v8 + v9;
                sn_store_f32x16(v10, p2 + i20 + i7, i8);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_2c492c96c17ea2ff(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int n1,
    int segments,
    int parts,
    int s0_0,
    int s1_0,
    int n2,
    int s0_2,
    int s1_1,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i5 * s0_0);
        int i8 = (i5 * s1_0);
        int i9 = (i6 * 32);
        int i10 = min((i9 + 32), n1);
        int i11 = (i4 * 16);
        int i12 = (int)clamp((n2 - i11), (int)0, (int)16);
        int i13 = (i9 + ((((i10 - i9) / 16) * (i12 / 16)) * 16));
        for (int i14 = i9; i14 < i13; i14 += 16) {
            float16 v1[16];
            sn_load_turned_f32x16(v1, p0 + i7 + i14 + (i11 * s0_2), s0_2, 16, 16);
#pragma unroll
            for (int i15 = 0; i15 < 16; i15 += 1) {
                int i16 = (i14 + i15);
                int i17 = (i8 + (i16 * s1_1));
                float16 v2 = v1[i15];
                float16 v3 = v2 * (float16)(c0);
                sn_store_f32x16(v3, p1 + i17 + i11, 16);
            }
        }
        for (int i18 = i13; i18 < i10; i18 += 16) {
            int i19 = (int)clamp((i10 - i18), (int)0, (int)16);
            float16 v4[16];
            sn_load_turned_f32x16(v4, p0 + i7 + i18 + (i11 * s0_2), s0_2, i19, i12);
            for (int i20 = 0; i20 < i19; i20 += 1) {
                int i21 = (i18 + i20);
                int i22 = (i8 + (i21 * s1_1));
                float16 v5 = v4[i20];
                float16 v6 = v5 * (float16)(c0);
                sn_store_f32x16(v6, p1 + i22 + i11, i12);
            }
        }
    }
}
