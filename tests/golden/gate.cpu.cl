// z = silu(x) * y * col

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void silu_mul_mul_29412b534ddb5250(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p0 + i2, i3);
        float16 v1 = sn_silu_f32x16(v0);
        float16 v2 = sn_load_f32x16(p1 + i2, i3);
        float16 v3 = v1 * v2;
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        float16 v4 = sn_gather_f32x16(p2, (i5 * s2_0), i3);
        float16 v5 = v3 * v4;
        sn_store_f32x16(v5, p3 + i2, i3);
    }
}
