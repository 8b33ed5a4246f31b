// d = x - mean(x, axis=1, keepdims=True); z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mean_sub_mul_mean_add_sqrt_div_mul_f89fa697e6e66aca(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int units,
    int s0_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t_float[256];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 * s0_0);
    int i8 = (i6 * s2_0);
    float4 v1 = (float4)(as_float(0x80000000u));
    int i9 = (i2 * 4);
    for (int i10 = i9; i10 < i5; i10 += 64) {
        int i11 = (int)clamp((i5 - i10), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i7 + i10, i11);
        v1 = sn_fold_mean_f32x4(v1, v2, i11);
    }
    for (int i12 = 8; i12 > 0; i12 /= 2) {
        sn_give_f32x4(v1, t_float + 0, 16, i12);
        barrier(CLK_LOCAL_MEM_FENCE);
        v1 = sn_take_mean_f32x4(v1, t_float + 0, 16, i12);
    }
    float v3 = sn_lane_tree_mean_f32x4(v1);
    sn_tell_f32x4(v3, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v4 = sn_hear_f32x4(t_float + 0, 16);
    float v5 = DIV(v4, (float)((float)reduced));
    float v6 = v5;
    float4 v7 = (float4)(as_float(0x80000000u));
    int i13 = (i2 * 4);
    for (int i14 = i13; i14 < i5; i14 += 64) {
        int i15 = (int)clamp((i5 - i14), (int)0, (int)4);
        float4 v8 = sn_load_f32x4(p0 + i7 + i14, i15);
        float4 v9 = v8 - (float4)(v6);
        float4 v10 = v9 * v9;
        v7 = sn_fold_mean_f32x4(v7, v10, i15);
    }
    for (int i16 = 8; i16 > 0; i16 /= 2) {
        sn_give_f32x4(v7, t_float + 0, 16, i16);
        barrier(CLK_LOCAL_MEM_FENCE);
        v7 = sn_take_mean_f32x4(v7, t_float + 0, 16, i16);
    }
    float v11 = sn_lane_tree_mean_f32x4(v7);
    sn_tell_f32x4(v11, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v12 = sn_hear_f32x4(t_float + 0, 16);
    float v13 = DIV(v12, (float)((float)reduced));
    float v14 = v13;
    float v15 = v14 + c0;
    float v16 = sqrt(v15);
    int i17 = (i2 * 4);
    for (int i18 = i17; i18 < i5; i18 += 64) {
        int i19 = (int)clamp((i5 - i18), (int)0, (int)4);
        float4 v17 = sn_load_f32x4(p0 + i7 + i18, i19);
        float4 v18 = v17 - (float4)(v6);
        float4 v19 = DIV(v18, (float4)(v16));
        float4 v20 = sn_load_f32x4(p1 + i18, i19);
        float4 v21 = v19 * v20;
        sn_store_f32x4(v21, p2 + i8 + i18, i19);
    }
}
