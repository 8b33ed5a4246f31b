// z = (i // j + i % j) << 3; w = l * 3 >> u

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void floordiv_mod_add_shl_310f41ea2d1c7447(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    uint c0)
{
    __global const uint *p0 = (__global const uint *)(b0 + o0);
    __global const uint *p1 = (__global const uint *)(b1 + o1);
    __global const uint *p2 = (__global const uint *)(b2 + o2);
    __global uint *p3 = (__global uint *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        uint16 v1 = sn_load_i32x16(p0 + i2, i3);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        uint16 v2 = sn_gather_i32x16(p1, i6, i3);
        uint16 v3 = sn_sdiv_w32x16(v1, v2);
        uint16 v4 = sn_gather_i32x16(p2, i6, i3);
        uint16 v5 = sn_smod_w32x16(v1, v4);
        uint16 v6 = v3 + v5;
        uint16 v7 = sn_shl_w32x16(v6, (uint16)(c0));
        sn_store_i32x16(v7, p3 + i2, i3);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cast_shr_adb9ab6ab3f8a2cc(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    int segment,
    ulong c0)
{
    __global const ulong *p0 = (__global const ulong *)(b0 + o0);
    __global const uchar *p1 = (__global const uchar *)(b1 + o1);
    __global ulong *p2 = (__global ulong *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        ulong16 v1 = sn_load_i64x16(p0 + i4, 16);
        ulong16 v2 = sn_load_i64x16(p0 + (i4 + 16), 16);
        ulong16 v3 = v1 * (ulong16)(c0);
        ulong16 v4 = v2 * (ulong16)(c0);
        uint16 v5 = sn_load_u8x16(p1 + i4, 16);
        uint16 v6 = sn_load_u8x16(p1 + (i4 + 16), 16);
        ulong16 v7 = sn_u32_to_64_x16(v5);
        ulong16 v8 = sn_u32_to_64_x16(v6);
        ulong16 v9 = sn_sshr_w64x16(v3, v7);
        ulong16 v10 = sn_sshr_w64x16(v4, v8);
        sn_store_i64x16(v9, p2 + i4, 16);
        sn_store_i64x16(v10, p2 + (i4 + 16), 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        ulong16 v11 = sn_load_i64x16(p0 + i5, i6);
        ulong16 v12 = v11 * (ulong16)(c0);
        uint16 v13 = sn_load_u8x16(p1 + i5, i6);
        ulong16 v14 = sn_u32_to_64_x16(v13);
        ulong16 v15 = sn_sshr_w64x16(v12, v14);
        sn_store_i64x16(v15, p2 + i5, i6);
    }
}
