// z = (i // j + i % j) << 3; w = l * 3 >> u

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void floordiv_mod_add_shl_87905f99d0868e61(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int elements,
    int segment,
    int n1,
    uint c0)
{
    __global const uint *p0 = (__global const uint *)(b0 + o0);
    __global const uint *p1 = (__global const uint *)(b1 + o1);
    __global const uint *p2 = (__global const uint *)(b2 + o2);
    __global uint *p3 = (__global uint *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    int i2 = (n1 - 1);
    int i3 = (16 % n1);
    int i4 = (i0 % n1);
    int i5 = (i2 + 16);
    uint16 v1[5];
    for (int i6 = 0; i6 < n1; i6 += 1) {
        uint v2 = sn_load_i32x1(p1 + i6, 1);
        for (int i7 = i6; i7 < i5; i7 += n1) {
            ((uint *)v1)[i7] = v2;
        }
    }
    uint16 v3[5];
    for (int i8 = 0; i8 < n1; i8 += 1) {
        uint v4 = sn_load_i32x1(p2 + i8, 1);
        for (int i9 = i8; i9 < i5; i9 += n1) {
            ((uint *)v3)[i9] = v4;
        }
    }
    for (int i10 = i0; i10 < i1; i10 += 16) {
        int i11 = (int)clamp((i1 - i10), (int)0, (int)16);
        uint16 v5 = sn_load_i32x16(p0 + i10, i11);
        uint16 v6 = vload16(0, (uint *)v1 + i4);
        uint16 v7 = sn_sdiv_w32x16(v5, v6);
        uint16 v8 = vload16(0, (uint *)v3 + i4);
        uint16 v9 = sn_smod_w32x16(v5, v8);
        uint16 v10 = v7 + v9;
        uint16 v11 = sn_shl_w32x16(v10, (uint16)(c0));
        sn_store_i32x16(v11, p3 + i10, i11);
        int i12 = (i4 + i3);
        i4 = (i12 - ((i2 < i12) * n1));
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_cast_shr_98559419617018c4(
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
        ulong16 v2 = sn_load_i64x16(p0 + i4 + 16, 16);
        ulong16 v3 = v1 * (ulong16)(c0);
        ulong16 v4 = v2 * (ulong16)(c0);
        uint16 v5 = sn_load_u8x16(p1 + i4, 16);
        uint16 v6 = sn_load_u8x16(p1 + i4 + 16, 16);
        ulong16 v7 = sn_u32_to_64_x16(v5);
        ulong16 v8 = sn_u32_to_64_x16(v6);
        ulong16 v9 = sn_sshr_w64x16(v3, v7);
        ulong16 v10 = sn_sshr_w64x16(v4, v8);
        sn_store_i64x16(v9, p2 + i4, 16);
        sn_store_i64x16(v10, p2 + i4 + 16, 16);
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
