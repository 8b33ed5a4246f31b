// z = ((x + y) * 2 - x) / (y * y + 1)

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void add_mul_sub_mul_add_div_4ef047a1dc95ca8a(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    float c0,
    float c1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i0, i1);
        float4 v3 = sn_load_f32x4(p1 + i0, i1);
        float4 v4 = v2 + v3;
        float4 v5 = v4 * (float4)(c0);
        float4 v6 = v5 - v2;
        float4 v7 = v3 * v3;
        float4 v8 = v7 + (float4)(c1);
        float4 v9 = DIV(v6, v8);
        sn_store_f32x4(v9, p2 + i0, i1);
    }
}
