// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void max_sub_exp_sum_div_2ff80cd832d44913(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t2[64];
    __local float t8[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 * s0_0);
    int i2 = (i0 * s1_0);
    float4 v0 = (float4)(0);
    int i3 = ((int)get_local_id(0) * 4);
    for (int i4 = i3; i4 < reduced; i4 += 64) {
        int i5 = (int)clamp((reduced - i4), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i1 + i4), i5);
        v0 = sn_fold_max_f32x4(v0, v1, (i4 < 64), i5);
    }
    float v2 = sn_group_tree_max_f32x4(v0, t2, min(reduced, 64));
    float v3 = v2;
    float4 v4 = (float4)(0);
    int i6 = ((int)get_local_id(0) * 4);
    for (int i7 = i6; i7 < reduced; i7 += 64) {
        int i8 = (int)clamp((reduced - i7), (int)0, (int)4);
        float4 v5 = sn_load_f32x4(p0 + (i1 + i7), i8);
        float4 v6 = v5 - (float4)(v3);
        float4 v7 = sn_exp_f32x4(v6);
        sn_store_f32x4(v7, p1 + (i2 + i7), i8);
        v4 = sn_fold_sum_f32x4(v4, v7, (i7 < 64), i8);
    }
    float v8 = sn_group_tree_sum_f32x4(v4, t8, min(reduced, 64));
    float v9 = v8;
    int i9 = ((int)get_local_id(0) * 4);
    for (int i10 = i9; i10 < reduced; i10 += 64) {
        int i11 = (int)clamp((reduced - i10), (int)0, (int)4);
        float4 v10 = sn_load_f32x4(p1 + (i2 + i10), i11);
        float4 v11 = DIV(v10, (float4)(v9));
        sn_store_f32x4(v11, p1 + (i2 + i10), i11);
    }
}
