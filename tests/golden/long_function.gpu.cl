// z = gelu(x)

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void gelu_034d983abb5cc023(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n0)) {
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v0 = sn_load_f32x4(p0 + i0, i1);
        float4 v1 = sn_gelu_f32x4(v0);
        sn_store_f32x4(v1, p1 + i0, i1);
    }
}
