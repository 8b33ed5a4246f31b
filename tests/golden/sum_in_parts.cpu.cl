// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_max_042c63ba994acc7a(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q = (__global float *)(bq + oq);
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
            float16 v2 = v1 * v1;
            int k0 = ((i9 % 64) / 16);
            v0[k0] = sn_fold_max_f32x16(v0[k0], v2, (i9 < 64), i11);
        }
        float v3 = sn_tree_max_f32x16(v0, min(i8, 64));
        sn_store_f32x1(v3, q + i2, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_max_afb90d9f402f0a13(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int segment,
    int parts)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_max_f32x1(q + i7, segment, parts);
        float v1 = v0;
        sn_store_f32x1(v1, p1 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_e7deb4e99ea09881(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q = (__global float *)(bq + oq);
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
        sn_store_f32x1(v2, q + i2, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_dda0199dfaf13873(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int segment,
    int parts)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_sum_f32x1(q + i7, segment, parts);
        float v1 = v0;
        sn_store_f32x1(v1, p1 + i4, 1);
    }
}
