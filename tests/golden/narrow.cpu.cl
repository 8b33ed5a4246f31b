// z = h * 2 + cast(u, 'f16'); w = cast(z, 'u8')

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cast_add_cast_30f823020401ca3e(
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
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v1 = sn_load_f16x16(p0 + i4, 16);
        float16 v2 = sn_load_f16x16(p0 + i4 + 16, 16);
        float16 v3 = sn_round_f16_x16(v1 * (float16)(c0));
        float16 v4 = sn_round_f16_x16(v2 * (float16)(c0));
        uint16 v5 = sn_load_u8x16(p1 + i4, 16);
        uint16 v6 = sn_load_u8x16(p1 + i4 + 16, 16);
        float16 v7 = sn_round_f16_x16(sn_u32_to_f32_odd_x16(v5));
        float16 v8 = sn_round_f16_x16(sn_u32_to_f32_odd_x16(v6));
        float16 v9 = sn_round_f16_x16(v3 + v7);
        float16 v10 = sn_round_f16_x16(v4 + v8);
        uint16 v11 = sn_f32_to_u8_x16(v9);
        uint16 v12 = sn_f32_to_u8_x16(v10);
        sn_store_u8x16(v11, p2 + i4, 16);
        sn_store_u8x16(v12, p2 + i4 + 16, 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v13 = sn_load_f16x16(p0 + i5, i6);
        float16 v14 = sn_round_f16_x16(v13 * (float16)(c0));
        uint16 v15 = sn_load_u8x16(p1 + i5, i6);
        float16 v16 = sn_round_f16_x16(sn_u32_to_f32_odd_x16(v15));
        float16 v17 = sn_round_f16_x16(v14 + v16);
        uint16 v18 = sn_f32_to_u8_x16(v17);
        sn_store_u8x16(v18, p2 + i5, i6);
    }
}
