// z = (i // j + i % j) << 3; w = l * 3 >> u

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void floordiv_mod_add_shl_f32187d4510610bc(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n1,
    int s0_0,
    int s3_0,
    uint c0)
{
    __global const uint *p0 = (__global const uint *)(b0 + o0);
    __global const uint *p1 = (__global const uint *)(b1 + o1);
    __global const uint *p2 = (__global const uint *)(b2 + o2);
    __global uint *p3 = (__global uint *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s3_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        uint4 v1 = sn_load_i32x4(p0 + i2 + i0, i4);
        uint4 v2 = sn_load_i32x4(p1 + i0, i4);
        uint4 v3 = sn_sdiv_w32x4(v1, v2);
        uint4 v4 = sn_load_i32x4(p2 + i0, i4);
        uint4 v5 = sn_smod_w32x4(v1, v4);
        uint4 v6 = v3 + v5;
        uint4 v7 = sn_shl_w32x4(v6, (uint4)(c0));
        sn_store_i32x4(v7, p3 + i3 + i0, i4);
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_cast_shr_e36fc448f2806040(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    ulong c0)
{
    __global const ulong *p0 = (__global const ulong *)(b0 + o0);
    __global const uchar *p1 = (__global const uchar *)(b1 + o1);
    __global ulong *p2 = (__global ulong *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        ulong4 v1 = sn_load_i64x4(p0 + i0, i1);
        ulong4 v2 = v1 * (ulong4)(c0);
        uint4 v3 = sn_load_u8x4(p1 + i0, i1);
        ulong4 v4 = sn_u32_to_64_x4(v3);
        ulong4 v5 = sn_sshr_w64x4(v2, v4);
        sn_store_i64x4(v5, p2 + i0, i1);
    }
}
