// z = clamp(clamp(clamp(clamp(x, -3, 3) * s, 0, 1) * 2, -1, 1) - s, -2, 2)

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void clamp_mul_clamp_mul_clamp_sub_clamp_efff3a78ebf37aae(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n0,
    float c0,
    float c1,
    float c2,
    float c3,
    float c4,
    float c5,
    float c6,
    float c7,
    float c8)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    const int rare = (c0 == 0) | (c0 != c0) | (c1 == 0) | (c1 != c1) | (c2 == 0) | (c2 != c2) | (c3 == 0) | (c3 != c3) | (c5 == 0) | (c5 != c5) | (c6 == 0) | (c6 != c6) | (c7 == 0) | (c7 != c7) | (c8 == 0) | (c8 != c8);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        float v9 = sn_load_f32x1(p1 + 0, 1);
        float v10 = sn_load_f32x1(p2 + 0, 1);
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v11 = sn_load_f32x4(p0 + i0, i1);
        float4 v12 = sn_min_asked_f32x4(rare, sn_max_asked_f32x4(rare, v11, (float4)(c0)), (float4)(c1));
        float4 v13 = v12 * (float4)(v9);
        float4 v14 = sn_min_asked_f32x4(rare, sn_max_asked_f32x4(rare, v13, (float4)(c2)), (float4)(c3));
        float4 v15 = v14 * (float4)(c4);
        float4 v16 = sn_min_asked_f32x4(rare, sn_max_asked_f32x4(rare, v15, (float4)(c5)), (float4)(c6));
        float4 v17 = v16 - (float4)(v10);
        float4 v18 = sn_min_asked_f32x4(rare, sn_max_asked_f32x4(rare, v17, (float4)(c7)), (float4)(c8));
        sn_store_f32x4(v18, p3 + i0, i1);
    }
}
