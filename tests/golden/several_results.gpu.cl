// p = x * y; q = p + 1; r = sqrt(abs(p))

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_add_abs_sqrt_2f05f420e291e192(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + i0, i1);
        float4 v2 = sn_load_f32x4(p1 + i0, i1);
        float4 v3 = v1 * v2;
        float4 v4 = v3 + (float4)(c0);
        float4 v5 = fabs(v3);
        float4 v6 = sqrt(v5);
        sn_store_f32x4(v4, p2 + i0, i1);
        sn_store_f32x4(v6, p3 + i0, i1);
    }
}
