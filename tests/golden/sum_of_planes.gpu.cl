// p = sum(reshape(v[:49152], (6, 128, 64)), axis=(0, 2)); z = reshape(x[:, ::-1], (3, 100, 40)); w = z - max(z, axis=(0, 2), keepdims=True)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sum_afec8d3578b814da(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int units,
    int s0_0,
    int s1_0,
    uint magic2,
    uint shift2,
    int n2,
    int s0_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t_float[256];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 * s0_0);
    int i8 = (i6 * s1_0);
    float4 v0 = (float4)(as_float(0x80000000u));
    int i9 = (i2 * 4);
    for (int i10 = i9; i10 < i5; i10 += 64) {
        int i11 = (int)clamp((i5 - i10), (int)0, (int)4);
        int i12 = as_int(mul_hi(as_uint(i10), (uint)(magic2)) >> shift2);
        int i13 = (i10 - (i12 * n2));
        float4 v1 = sn_load_f32x4(p0 + i7 + (i12 * s0_1) + i13, i11);
        v0 = sn_fold_sum_f32x4(v0, v1, i11);
    }
    for (int i14 = 8; i14 > 0; i14 /= 2) {
        sn_give_f32x4(v0, t_float + 0, 16, i14);
        barrier(CLK_LOCAL_MEM_FENCE);
        v0 = sn_take_sum_f32x4(v0, t_float + 0, 16, i14);
    }
    float v2 = sn_lane_tree_sum_f32x4(v0);
    sn_tell_f32x4(v2, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v3 = sn_hear_f32x4(t_float + 0, 16);
    float v4 = v3;
    if (((i2 == 0) && i4)) {
        sn_store_f32x1(v4, p1 + i8, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_5dddb8d719b9492d(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int units,
    int s0_0,
    int s1_0,
    uint magic2,
    uint shift2,
    int n2,
    int s0_1,
    int s1_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t_float[256];
    float4 v0[2];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 * s0_0);
    int i8 = (i6 * s1_0);
    float4 v1 = (float4)(as_float(0xff800000u));
    int i9 = (i2 * 4);
    if (i4) {
#pragma unroll
        for (int i10 = 0; i10 < 1; i10 += 1) {
            int i11 = (i9 + (i10 * 64));
            int i12 = as_int(mul_hi(as_uint(i11), (uint)(magic2)) >> shift2);
            int i13 = (i11 - (i12 * n2));
            float4 v2 = sn_load_back_f32x4(p0 + i7 + (i12 * s0_1) + (i13 * -1), 4);
            v0[i10] = v2;
            v1 = sn_max_of_f32x4(v1, v2);
        }
        int i14 = (i9 + 64);
        if ((i14 < i5)) {
            int i15 = (int)clamp((i5 - i14), (int)0, (int)4);
            int i16 = as_int(mul_hi(as_uint(i14), (uint)(magic2)) >> shift2);
            int i17 = (i14 - (i16 * n2));
            float4 v3 = sn_load_back_f32x4(p0 + i7 + (i16 * s0_1) + (i17 * -1), i15);
            v0[1] = v3;
            v1 = sn_fold_max_f32x4(v1, v3, i15);
        }
    }
    for (int i18 = 8; i18 > 0; i18 /= 2) {
        sn_give_f32x4(v1, t_float + 0, 16, i18);
        barrier(CLK_LOCAL_MEM_FENCE);
        v1 = sn_take_max_f32x4(v1, t_float + 0, 16, i18);
    }
    float v4 = sn_lane_tree_max_f32x4(v1);
    sn_tell_f32x4(v4, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v5 = sn_hear_f32x4(t_float + 0, 16);
    float v6 = v5;
    int i19 = (i2 * 4);
    if (i4) {
#pragma unroll
        for (int i20 = 0; i20 < 1; i20 += 1) {
            int i21 = (i19 + (i20 * 64));
            float4 v7 = v0[i20];
            float4 v8 = v7 - (float4)(v6);
            int i22 = as_int(mul_hi(as_uint(i21), (uint)(magic2)) >> shift2);
            int i23 = (i21 - (i22 * n2));
            sn_store_f32x4(v8, p1 + i8 + (i22 * s1_1) + i23, 4);
        }
        int i24 = (i19 + 64);
        if ((i24 < i5)) {
            int i25 = (int)clamp((i5 - i24), (int)0, (int)4);
            float4 v9 = v0[1];
            float4 v10 = v9 - (float4)(v6);
            int i26 = as_int(mul_hi(as_uint(i24), (uint)(magic2)) >> shift2);
            int i27 = (i24 - (i26 * n2));
            sn_store_f32x4(v10, p1 + i8 + (i26 * s1_1) + i27, i25);
        }
    }
}
