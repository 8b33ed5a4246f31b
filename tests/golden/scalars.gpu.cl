// z = clamp(x * s, -1, 1) ** 2.5

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_clamp_pow_57f1ecfc73d1fd1b(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    float c0,
    float c1,
    float c2)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        float v3 = sn_load_f32x1(p1 + 0, 1);
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v4 = sn_load_f32x4(p0 + i0, i1);
        float4 v5 = v4 * (float4)(v3);
        float4 v6 = sn_min_shared_f32x4(sn_max_shared_f32x4(v5, (float4)(c0)), (float4)(c1));
        float4 v7 = sn_pow_f32x4(v6, (float4)(c2));
        sn_store_f32x4(v7, p2 + i0, i1);
    }
}
