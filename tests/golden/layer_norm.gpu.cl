// d = x - mean(x, axis=1, keepdims=True); z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mean_sub_mul_mean_add_sqrt_div_mul_48220d1cba145e2f(
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
    float4 v1[1];
    int i0 = (int)get_local_id(0);
    int i1 = (i0 / 16);
    int i2 = (i0 - (i1 * 16));
    int i3 = (((int)get_group_id(0) * 4) + i1);
    int i4 = (i3 < units);
    int i5 = (i4 * reduced);
    int i6 = min(i3, (units - 1));
    int i7 = (i6 * s0_0);
    int i8 = (i6 * s2_0);
    float4 v2 = (float4)(as_float(0x80000000u));
    int i9 = (i2 * 4);
    if (i4) {
        if ((i9 < i5)) {
            int i10 = (int)clamp((i5 - i9), (int)0, (int)4);
            float4 v3 = sn_load_f32x4(p0 + i7 + i9, i10);
            v1[0] = v3;
            v2 = sn_fold_mean_f32x4(v2, v3, i10);
        }
    }
    for (int i11 = 8; i11 > 0; i11 /= 2) {
        sn_give_f32x4(v2, t_float + 0, 16, i11);
        barrier(CLK_LOCAL_MEM_FENCE);
        v2 = sn_take_mean_f32x4(v2, t_float + 0, 16, i11);
    }
    float v4 = sn_lane_tree_mean_f32x4(v2);
    sn_tell_f32x4(v4, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v5 = sn_hear_f32x4(t_float + 0, 16);
    float v6 = DIV(v5, (float)((float)reduced));
    float v7 = v6;
    float4 v8 = (float4)(as_float(0x80000000u));
    int i12 = (i2 * 4);
    if (i4) {
        if ((i12 < i5)) {
            int i13 = (int)clamp((i5 - i12), (int)0, (int)4);
            float4 v9 = v1[0];
            float4 v10 = v9 - (float4)(v7);
            float4 v11 = v10 * v10;
            v8 = sn_fold_mean_f32x4(v8, v11, i13);
        }
    }
    for (int i14 = 8; i14 > 0; i14 /= 2) {
        sn_give_f32x4(v8, t_float + 0, 16, i14);
        barrier(CLK_LOCAL_MEM_FENCE);
        v8 = sn_take_mean_f32x4(v8, t_float + 0, 16, i14);
    }
    float v12 = sn_lane_tree_mean_f32x4(v8);
    sn_tell_f32x4(v12, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v13 = sn_hear_f32x4(t_float + 0, 16);
    float v14 = DIV(v13, (float)((float)reduced));
    float v15 = v14;
    float v16 = v15 + c0;
    float v17 = sqrt(v16);
    int i15 = (i2 * 4);
    if (i4) {
        if ((i15 < i5)) {
            int i16 = (int)clamp((i5 - i15), (int)0, (int)4);
            float4 v18 = v1[0];
            float4 v19 = v18 - (float4)(v7);
            float4 v20 = DIV(v19, (float4)(v17));
            float4 v21 = sn_load_f32x4(p1 + i15, i16);
            float4 v22 = v20 * v21;
            sn_store_f32x4(v22, p2 + i8 + i15, i16);
        }
    }
}
