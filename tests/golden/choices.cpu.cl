// z = where(m & (x > y), x, isnan(y))

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void gt_bit_and_isnan_cast_where_252165d5fee9268f(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int elements,
    int segment,
    int n1)
{
    __global const uchar *p0 = (__global const uchar *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    int i2 = (n1 - 1);
    int i3 = (16 % n1);
    int i4 = (i0 % n1);
    int i5 = (i2 + 16);
    uint16 v0[5];
    for (int i6 = 0; i6 < n1; i6 += 1) {
        uint v1 = sn_load_boolx1(p0 + i6, 1);
        for (int i7 = i6; i7 < i5; i7 += n1) {
            ((uint *)v0)[i7] = v1;
        }
    }
    for (int i8 = i0; i8 < i1; i8 += 16) {
        int i9 = (int)clamp((i1 - i8), (int)0, (int)16);
        uint16 v2 = vload16(0, (uint *)v0 + i4);
        float16 v3 = sn_load_f32x16(p1 + i8, i9);
        float16 v4 = sn_load_f32x16(p2 + i8, i9);
        uint16 v5 = select((uint16)(0), (uint16)(1), v3 > v4);
        uint16 v6 = v2 & v5;
        uint16 v7 = select((uint16)(0), (uint16)(1), v4 != v4);
        float16 v8 = sn_u32_to_f32_x16(v7);
        float16 v9 = 0 != (v6) ? v3 : v8;
        sn_store_f32x16(v9, p3 + i8, i9);
        int i10 = (i4 + i3);
        i4 = (i10 - ((i2 < i10) * n1));
    }
}
