// z = gelu(x)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void gelu_37aadc19af5994b4(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n0,
    int segment)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p0 + i2, i3);
        float16 v1 = sn_gelu_f32x16(v0);
        sn_store_f32x16(v1, p1 + i2, i3);
    }
}
