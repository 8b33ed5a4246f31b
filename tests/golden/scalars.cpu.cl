// z = clamp(x * s, -1, 1) ** 2.5

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_clamp_pow_57ffc426189f9ddc(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    int segment,
    float c0,
    float c1,
    float c2)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    float v3 = sn_load_f32x1(p1 + 0, 1);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v4 = sn_load_f32x16(p0 + i2, i3);
        float16 v5 = v4 * (float16)(v3);
        float16 v6 = sn_min_shared_f32x16(sn_max_shared_f32x16(v5, (float16)(c0)), (float16)(c1));
        float16 v7 = sn_pow_f32x16(v6, (float16)(c2));
        sn_store_f32x16(v7, p2 + i2, i3);
    }
}
