// z = random_normal((300, 40), seed=5) * 0.1 + cast(arange(40), 'f32')

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void random_normal_mul_arange_cast_add_cd3f9cb075ddc910(
    __global uchar *b2, ulong o2,
    int n1,
    int f0,
    int s0_0,
    int f1,
    int s2_0,
    ulong c0,
    ulong c1,
    float c2,
    ulong c3,
    ulong c4)
{
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (f0 + (i1 * s0_0));
        int i3 = (i1 * s2_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        ulong4 v5 = convert_ulong4((i2 + i0) + (int4)(0, 1, 2, 3) * 1);
        float4 v6 = sn_normal_x4(v5, (ulong4)(c0), (ulong4)(c1));
        float4 v7 = v6 * (float4)(c2);
        ulong4 v8 = convert_ulong4((f1 + i0) + (int4)(0, 1, 2, 3) * 1);
        ulong4 v9 = (ulong4)(c3) + v8 * (ulong4)(c4);
        float4 v10 = sn_s64_to_f32_x4(v9);
        float4 v11 = v7 + v10;
        sn_store_f32x4(v11, p2 + i3 + i0, i4);
    }
}
