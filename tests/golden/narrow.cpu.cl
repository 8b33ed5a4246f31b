// z = h * 2 + cast(u, 'f16'); w = cast(z, 'u8')

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cast_add_cast_01ceab69abd9fa98(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    int segment,
    float c0)
{
    __global const half *p0 = (__global const half *)(b0 + o0);
    __global const uchar *p1 = (__global const uchar *)(b1 + o1);
    __global uchar *p2 = (__global uchar *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v1 = sn_load_f16x16(p0 + i2, i3);
        float16 v2 = sn_round_f16_x16(v1 * (float16)(c0));
        uint16 v3 = sn_load_u8x16(p1 + i2, i3);
        float16 v4 = sn_round_f16_x16(sn_u32_to_f32_odd_x16(v3));
        float16 v5 = sn_round_f16_x16(v2 + v4);
        uint16 v6 = sn_f32_to_u8_x16(v5);
        sn_store_u8x16(v6, p2 + i2, i3);
    }
}
