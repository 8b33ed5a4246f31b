// d = x - mean(x, axis=1, keepdims=True); z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void mean_sub_mul_mean_add_sqrt_div_mul_b2be55543f7f906b(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int s0_0,
    int s2_0,
    int reduced,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t3[64];
    __local float t10[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 * s0_0);
    int i2 = (i0 * s2_0);
    float4 v1 = (float4)(0);
    int i3 = ((int)get_local_id(0) * 4);
    for (int i4 = i3; i4 < reduced; i4 += 64) {
        int i5 = (int)clamp((reduced - i4), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + (i1 + i4), i5);
        v1 = sn_fold_mean_f32x4(v1, v2, (i4 < 64), i5);
    }
    float v3 = sn_group_tree_mean_f32x4(v1, t3, min(reduced, 64));
    float v4 = DIV(v3, (float)((float)reduced));
    float v5 = v4;
    float4 v6 = (float4)(0);
    int i6 = ((int)get_local_id(0) * 4);
    for (int i7 = i6; i7 < reduced; i7 += 64) {
        int i8 = (int)clamp((reduced - i7), (int)0, (int)4);
        float4 v7 = sn_load_f32x4(p0 + (i1 + i7), i8);
        float4 v8 = v7 - (float4)(v5);
        float4 v9 = v8 * v8;
        v6 = sn_fold_mean_f32x4(v6, v9, (i7 < 64), i8);
    }
    float v10 = sn_group_tree_mean_f32x4(v6, t10, min(reduced, 64));
    float v11 = DIV(v10, (float)((float)reduced));
    float v12 = v11;
    float v13 = v12 + c0;
    float v14 = sqrt(v13);
    int i9 = ((int)get_local_id(0) * 4);
    for (int i10 = i9; i10 < reduced; i10 += 64) {
        int i11 = (int)clamp((reduced - i10), (int)0, (int)4);
        float4 v15 = sn_load_f32x4(p0 + (i1 + i10), i11);
        float4 v16 = v15 - (float4)(v5);
        float4 v17 = DIV(v16, (float4)(v14));
        float4 v18 = sn_load_f32x4(p1 + i10, i11);
        float4 v19 = v17 * v18;
        sn_store_f32x4(v19, p2 + (i2 + i10), i11);
    }
}
