// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_fc36c7f45bfc3bc1(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int reduced,
    int units,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t_float[256];
    float4 v0[1];
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
        if ((i9 < i5)) {
            int i10 = (int)clamp((i5 - i9), (int)0, (int)4);
            float4 v2 = sn_load_f32x4(p0 + i7 + i9, i10);
            v0[0] = v2;
            v1 = sn_fold_larger_f32x4(v1, v2, i10);
        }
    }
    for (int i11 = 8; i11 > 0; i11 /= 2) {
        sn_give_f32x4(v1, t_float + 0, 16, i11);
        barrier(CLK_LOCAL_MEM_FENCE);
        v1 = sn_take_larger_f32x4(v1, t_float + 0, 16, i11);
    }
    float v3 = sn_lane_tree_larger_f32x4(v1);
    sn_tell_f32x4(v3, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v4 = sn_hear_f32x4(t_float + 0, 16);
    float v5 = v4;
    float4 v6 = (float4)(as_float(0x80000000u));
    int i12 = (i2 * 4);
    if (i4) {
        if ((i12 < i5)) {
            int i13 = (int)clamp((i5 - i12), (int)0, (int)4);
            float4 v7 = v0[0];
            float4 v8 = v7 - (float4)(v5);
            float4 v9 = sn_exp_below_f32x4(v8);
            v0[0] = v9;
            v6 = sn_fold_sum_f32x4(v6, v9, i13);
        }
    }
    for (int i14 = 8; i14 > 0; i14 /= 2) {
        sn_give_f32x4(v6, t_float + 0, 16, i14);
        barrier(CLK_LOCAL_MEM_FENCE);
        v6 = sn_take_sum_f32x4(v6, t_float + 0, 16, i14);
    }
    float v10 = sn_lane_tree_sum_f32x4(v6);
    sn_tell_f32x4(v10, t_float + 0, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    float v11 = sn_hear_f32x4(t_float + 0, 16);
    float v12 = v11;
    int i15 = (i2 * 4);
    if (i4) {
        if ((i15 < i5)) {
            int i16 = (int)clamp((i5 - i15), (int)0, (int)4);
            float4 v13 = v0[0];
            float4 v14 = DIV(v13, (float4)(v12));
            sn_store_f32x4(v14, p1 + i8 + i15, i16);
        }
    }
}
