// z = random_normal((300, 40), seed=5) * 0.1 + cast(arange(40), 'f32')

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void random_normal_mul_arange_cast_add_c0946d5791e82d38(
    __global uchar *b2, ulong o2,
    int elements,
    int f0,
    int f1,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    ulong c0,
    ulong c1,
    float c2,
    ulong c3,
    ulong c4)
{
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        ulong16 v5 = convert_ulong16((f0 + i2) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
        float16 v6 = sn_normal_x16(v5, (ulong16)(c0), (ulong16)(c1));
        float16 v7 = v6 * (float16)(c2);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        ulong16 v8 = convert_ulong16((f1 + i6));
        ulong16 v9 = (ulong16)(c3) + v8 * (ulong16)(c4);
        float16 v10 = sn_s64_to_f32_x16(v9);
        float16 v11 = v7 + v10;
        sn_store_f32x16(v11, p2 + i2, i3);
    }
}
