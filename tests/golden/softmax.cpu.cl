// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_944c2a89ea9170f5(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i4 * 16384);
        int i8 = min((reduced - i7), 16384);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        for (int i9 = 0; i9 < i8; i9 += 16) {
            int i10 = (i7 + i9);
            int i11 = (int)clamp((i8 - i9), (int)0, (int)16);
            float16 v1 = sn_load_f32x16(p0 + (i5 + i10), i11);
            int k0 = ((i9 % 64) / 16);
            v0[k0] = sn_fold_max_f32x16(v0[k0], v1, (i9 < 64), i11);
        }
        float v2 = sn_tree_max_f32x16(v0, min(i8, 64));
        float v3 = v2;
        sn_store_f32x1(v3, p1 + i6, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sub_exp_c9a6206529d5989f(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p0 + i2, i3);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        float16 v1 = sn_gather_f32x16(p1, (i5 * s1_0), i3);
        float16 v2 = v0 - v1;
        float16 v3 = sn_exp_f32x16(v2);
        sn_store_f32x16(v3, p2 + i2, i3);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_c27865bb8b9fcf73(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i4 * 16384);
        int i8 = min((reduced - i7), 16384);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        for (int i9 = 0; i9 < i8; i9 += 16) {
            int i10 = (i7 + i9);
            int i11 = (int)clamp((i8 - i9), (int)0, (int)16);
            float16 v1 = sn_load_f32x16(p0 + (i5 + i10), i11);
            int k0 = ((i9 % 64) / 16);
            v0[k0] = sn_fold_sum_f32x16(v0[k0], v1, (i9 < 64), i11);
        }
        float v2 = sn_tree_sum_f32x16(v0, min(i8, 64));
        float v3 = v2;
        sn_store_f32x1(v3, p1 + i6, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void div_ebada029219ec346(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p0 + i2, i3);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        float16 v1 = sn_gather_f32x16(p1, (i5 * s1_0), i3);
        float16 v2 = DIV(v0, v1);
        sn_store_f32x16(v2, p2 + i2, i3);
    }
}
