// z = v / sum(v)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_div_720840663ddf34f4(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int units,
    int parts,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __local float t_float[256];
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
    int i11 = (i7 * parts);
    int i12 = (i8 * 16384);
    int i13 = min((i5 - i12), 16384);
    float4 v0 = (float4)(as_float(0x80000000u));
    int i14 = (i2 * 4);
    for (int i15 = i14; i15 < i13; i15 += 64) {
        int i16 = (i12 + i15);
        int i17 = (int)clamp((i13 - i15), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + i9 + i16, i17);
        v0 = sn_fold_sum_f32x4(v0, v1, i17);
    }
    for (int i18 = 8; i18 > 0; i18 /= 2) {
        sn_give_f32x4(v0, t_float + 0, 16, i18);
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = sn_take_sum_f32x4(v0, t_float + 0, 16, i18);
    }
    float v2 = sn_lane_tree_sum_f32x4(v0);
    sn_tell_f32x4(v2, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v3 = sn_hear_f32x4(t_float + 0, 16);
    if (((i2 == 0) && i4)) {
        sn_store_f32x1(v3, q0 + i11 + i8, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 2, 1)))
void sum_div_7e93666d7d98f8e8(
    __global uchar *bq, ulong oq,
    int s0_0,
    int s1_0,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * s0_0);
    int i1 = ((int)get_global_id(0) * s1_0);
    int i2 = (int)get_global_id(0);
    int i3 = (i2 / segment);
    int i4 = (i2 - (i3 * segment));
    int i5 = (((i3 * parts) * segment) + i4);
    for (int i6 = 2; i6 > 0; i6 /= 2) {
        sn_tree_level_sum_f32x1(q0 + i5, segment, parts, i6, (long)get_local_id(1), 2);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    float v0 = sn_load_f32x1(q0 + i5, 1);
    if (((int)get_local_id(1) == 0)) {
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_div_13fb7f755d77a35b(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int reduced,
    int units,
    int parts,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
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
    int i11 = (i7 * parts);
    float v0 = sn_load_f32x1(q0 + i11, 1);
    float v1 = v0;
    int i12 = (i8 * 16384);
    int i13 = min((i5 - i12), 16384);
    int i14 = (i2 * 4);
    for (int i15 = i14; i15 < i13; i15 += 64) {
        int i16 = (i12 + i15);
        int i17 = (int)clamp((i13 - i15), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i9 + i16, i17);
        float4 v3 = DIV(v2, (float4)(v1));
        sn_store_f32x4(v3, p1 + i10 + i16, i17);
    }
}
