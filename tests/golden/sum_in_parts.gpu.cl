// z = max(v * v); w = sum(v)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_max_sum_3d746923e7cc88ef(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int region)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __local float t_float[512];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 / parts);
    int i8 = (i6 - (i7 * parts));
    int i9 = (i7 * s0_0);
    int i10 = (i7 * s1_0);
    int i11 = (i7 * s2_0);
    int i12 = (i7 * parts);
    int i13 = (i8 * 16384);
    int i14 = min((i5 - i13), 16384);
    float4 v0 = (float4)(as_float(0xff800000u));
    float4 v1 = (float4)(as_float(0x80000000u));
    int i15 = (i2 * 4);
    for (int i16 = i15; i16 < i14; i16 += 64) {
        int i17 = (i13 + i16);
        int i18 = (int)clamp((i14 - i16), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i9 + i17, i18);
        float4 v3 = v2 * v2;
        v0 = sn_fold_max_f32x4(v0, v3, i18);
        v1 = sn_fold_sum_f32x4(v1, v2, i18);
    }
    for (int i19 = 8; i19 > 0; i19 /= 2) {
        sn_give_f32x4(v0, t_float + 0, 16, i19);
        sn_give_f32x4(v1, t_float + 256, 16, i19);
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = sn_take_max_f32x4(v0, t_float + 0, 16, i19);
        v1 = sn_take_sum_f32x4(v1, t_float + 256, 16, i19);
    }
    float v4 = sn_lane_tree_max_f32x4(v0);
    sn_tell_f32x4(v4, t_float + 0, 16);
    float v5 = sn_lane_tree_sum_f32x4(v1);
    sn_tell_f32x4(v5, t_float + 256, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v6 = sn_hear_f32x4(t_float + 0, 16);
    float v7 = sn_hear_f32x4(t_float + 256, 16);
    if (((i2 == 0) && i4)) {
        sn_store_f32x1(v6, q0 + i12 + i8, 1);
        sn_store_f32x1(v7, q1 + i12 + i8, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 2, 1)))
void mul_max_sum_01d546c9ac5021f5(
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *bq, ulong oq,
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
    int i0 = ((int)get_global_id(0) * s0_0);
    int i1 = ((int)get_global_id(0) * s1_0);
    int i2 = ((int)get_global_id(0) * s2_0);
    int i3 = (int)get_global_id(0);
    int i4 = (i3 / segment);
    int i5 = (i3 - (i4 * segment));
    int i6 = (((i4 * parts) * segment) + i5);
    for (int i7 = 2; i7 > 0; i7 /= 2) {
        sn_tree_level_max_f32x1(q0 + i6, segment, parts, i7, (long)get_local_id(1), 2);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    float v0 = sn_load_f32x1(q0 + i6, 1);
    float v1 = v0;
    for (int i8 = 2; i8 > 0; i8 /= 2) {
        sn_tree_level_sum_f32x1(q1 + i6, segment, parts, i8, (long)get_local_id(1), 2);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    float v2 = sn_load_f32x1(q1 + i6, 1);
    float v3 = v2;
    if (((int)get_local_id(1) == 0)) {
        sn_store_f32x1(v1, p1 + i1, 1);
        sn_store_f32x1(v3, p2 + i2, 1);
    }
}
