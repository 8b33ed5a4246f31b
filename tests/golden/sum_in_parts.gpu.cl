// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void mul_max_d5183df356e529e9(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q = (__global float *)(bq + oq);
    __local float t3[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i2 * 16384);
    int i6 = min((reduced - i5), 16384);
    float4 v0 = (float4)(0);
    int i7 = ((int)get_local_id(0) * 4);
    for (int i8 = i7; i8 < i6; i8 += 64) {
        int i9 = (i5 + i8);
        int i10 = (int)clamp((i6 - i8), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i9), i10);
        float4 v2 = v1 * v1;
        v0 = sn_fold_max_f32x4(v0, v2, (i8 < 64), i10);
    }
    float v3 = sn_group_tree_max_f32x4(v0, t3, min(i6, 64));
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v3, q + i0, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_max_7d9aaaaf3bcd4c23(
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

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void sum_80af5e38b73db3b9(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q = (__global float *)(bq + oq);
    __local float t2[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i2 * 16384);
    int i6 = min((reduced - i5), 16384);
    float4 v0 = (float4)(0);
    int i7 = ((int)get_local_id(0) * 4);
    for (int i8 = i7; i8 < i6; i8 += 64) {
        int i9 = (i5 + i8);
        int i10 = (int)clamp((i6 - i8), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i9), i10);
        v0 = sn_fold_sum_f32x4(v0, v1, (i8 < 64), i10);
    }
    float v2 = sn_group_tree_sum_f32x4(v0, t2, min(i6, 64));
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v2, q + i0, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_868761b716d98614(
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
