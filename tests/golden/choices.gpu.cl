// z = where(m & (x > y), x, isnan(y))

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void gt_bit_and_isnan_cast_where_680c0dcd75444b3e(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n1,
    int s1_0,
    int s2_0,
    int s3_0)
{
    __global const uchar *p0 = (__global const uchar *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s1_0);
        int i3 = (i1 * s2_0);
        int i4 = (i1 * s3_0);
        int i5 = (int)clamp((n1 - i0), (int)0, (int)4);
        uint4 v0 = sn_load_boolx4(p0 + i0, i5);
        float4 v1 = sn_load_f32x4(p1 + i2 + i0, i5);
        float4 v2 = sn_load_f32x4(p2 + i3 + i0, i5);
        uint4 v3 = select((uint4)(0), (uint4)(1), v1 > v2);
        uint4 v4 = v0 & v3;
        uint4 v5 = select((uint4)(0), (uint4)(1), v2 != v2);
        float4 v6 = sn_u32_to_f32_x4(v5);
        float4 v7 = 0 != (v4) ? v1 : v6;
        sn_store_f32x4(v7, p3 + i4 + i0, i5);
    }
}
