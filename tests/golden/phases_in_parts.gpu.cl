// z = v / sum(v)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void sum_div_0445f81207daecbb(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __local float t2[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i1 * parts);
    int i6 = (i2 * 16384);
    int i7 = min((reduced - i6), 16384);
    float4 v0 = (float4)(0);
    int i8 = ((int)get_local_id(0) * 4);
    for (int i9 = i8; i9 < i7; i9 += 64) {
        int i10 = (i6 + i9);
        int i11 = (int)clamp((i7 - i9), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i10), i11);
        v0 = sn_fold_sum_f32x4(v0, v1, (i9 < 64), i11);
    }
    float v2 = sn_group_tree_sum_f32x4(v0, t2, min(i7, 64));
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v2, q0 + (i5 + i2), 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_div_ef1a5f3fe7311222(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_sum_f32x1(q0 + i7, segment, parts);
    }
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void sum_div_c577235b0dbc9063(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i1 * parts);
    float v0 = sn_load_f32x1(q0 + i5, 1);
    float v1 = v0;
    int i6 = (i2 * 16384);
    int i7 = min((reduced - i6), 16384);
    int i8 = ((int)get_local_id(0) * 4);
    for (int i9 = i8; i9 < i7; i9 += 64) {
        int i10 = (i6 + i9);
        int i11 = (int)clamp((i7 - i9), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + (i3 + i10), i11);
        float4 v3 = DIV(v2, (float4)(v1));
        sn_store_f32x4(v3, p1 + (i4 + i10), i11);
    }
}
