// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void mul_max_sum_65cba9ee6b47a80a(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int reduced,
    int region)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __local float t4[64];
    __local float t5[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i1 * s2_0);
    int i6 = (i1 * parts);
    int i7 = (i2 * 16384);
    int i8 = min((reduced - i7), 16384);
    float4 v0 = (float4)(0);
    float4 v1 = (float4)(0);
    int i9 = ((int)get_local_id(0) * 4);
    for (int i10 = i9; i10 < i8; i10 += 64) {
        int i11 = (i7 + i10);
        int i12 = (int)clamp((i8 - i10), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + (i3 + i11), i12);
        float4 v3 = v2 * v2;
        v0 = sn_fold_max_f32x4(v0, v3, (i10 < 64), i12);
        v1 = sn_fold_sum_f32x4(v1, v2, (i10 < 64), i12);
    }
    float v4 = sn_group_tree_max_f32x4(v0, t4, min(i8, 64));
    float v5 = sn_group_tree_sum_f32x4(v1, t5, min(i8, 64));
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v4, q0 + (i6 + i2), 1);
        sn_store_f32x1(v5, q1 + (i6 + i2), 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_max_sum_a021e2c9fb9d1154(
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int s2_0,
    int parts,
    int segment,
    int region)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        int i6 = (i2 / segment);
        int i7 = (i2 - (i6 * segment));
        int i8 = (((i6 * parts) * segment) + i7);
        float v0 = sn_memory_tree_max_f32x1(q0 + i8, segment, parts);
        float v1 = v0;
        float v2 = sn_memory_tree_sum_f32x1(q1 + i8, segment, parts);
        float v3 = v2;
        sn_store_f32x1(v1, p1 + i4, 1);
        sn_store_f32x1(v3, p2 + i5, 1);
    }
}
