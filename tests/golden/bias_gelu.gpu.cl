// z = gelu(x + row)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add_gelu_ec197469d5bee17a(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int s0_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s2_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v0 = sn_load_f32x4(p0 + i2 + i0, i4);
        float4 v1 = sn_load_f32x4(p1 + i0, i4);
        float4 v2 = v0 + v1;
        float4 v3 = sn_gelu_f32x4(v2);
        sn_store_f32x4(v3, p2 + i3 + i0, i4);
    }
}
