// z = h * 2 + cast(u, 'f16'); w = cast(z, 'u8')

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_cast_add_cast_89071aba6b3e50ed(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    float c0)
{
    __global const half *p0 = (__global const half *)(b0 + o0);
    __global const uchar *p1 = (__global const uchar *)(b1 + o1);
    __global uchar *p2 = (__global uchar *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v1 = sn_load_f16x4(p0 + i0, i1);
        float4 v2 = sn_round_f16_x4(v1 * (float4)(c0));
        uint4 v3 = sn_load_u8x4(p1 + i0, i1);
        float4 v4 = sn_round_f16_x4(sn_u32_to_f32_odd_x4(v3));
        float4 v5 = sn_round_f16_x4(v2 + v4);
        uint4 v6 = sn_f32_to_u8_x4(v5);
        sn_store_u8x4(v6, p2 + i0, i1);
    }
}
