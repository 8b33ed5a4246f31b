// z = clamp(x * s, -1, 1) ** 2.5

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_clamp_pow_cdc089233acac20f(
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
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v4 = sn_load_f32x16(p0 + i4, 16);
        float16 v5 = sn_load_f32x16(p0 + (i4 + 16), 16);
        float16 v6 = v4 * (float16)(v3);
        float16 v7 = v5 * (float16)(v3);
        float16 v8 = sn_min_shared_f32x16(sn_max_shared_f32x16(v6, (float16)(c0)), (float16)(c1));
        float16 v9 = sn_min_shared_f32x16(sn_max_shared_f32x16(v7, (float16)(c0)), (float16)(c1));
        float16 v10 = sn_pow_f32x16(v8, (float16)(c2));
        float16 v11 = sn_pow_f32x16(v9, (float16)(c2));
        sn_store_f32x16(v10, p2 + i4, 16);
        sn_store_f32x16(v11, p2 + (i4 + 16), 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v12 = sn_load_f32x16(p0 + i5, i6);
        float16 v13 = v12 * (float16)(v3);
        float16 v14 = sn_min_shared_f32x16(sn_max_shared_f32x16(v13, (float16)(c0)), (float16)(c1));
        float16 v15 = sn_pow_f32x16(v14, (float16)(c2));
        sn_store_f32x16(v15, p2 + i5, i6);
    }
}
