// z = where(m & (x > y), x, isnan(y))

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void gt_bit_and_isnan_cast_where_245c778e18bf844d(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1)
{
    __global const uchar *p0 = (__global const uchar *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        uint16 v0 = sn_gather_boolx16(p0, i6, i3);
        float16 v1 = sn_load_f32x16(p1 + i2, i3);
        float16 v2 = sn_load_f32x16(p2 + i2, i3);
        uint16 v3 = select((uint16)(0), (uint16)(1), v1 > v2);
        uint16 v4 = v0 & v3;
        uint16 v5 = select((uint16)(0), (uint16)(1), v2 != v2);
        float16 v6 = sn_u32_to_f32_x16(v5);
        float16 v7 = 0 != (v4) ? v1 : v6;
        sn_store_f32x16(v7, p3 + i2, i3);
    }
}
