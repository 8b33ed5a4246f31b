// p = x * y; q = p + 1; r = sqrt(abs(p))

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_add_abs_sqrt_96b28ce2534780bf(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n0,
    int segment,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v1 = sn_load_f32x16(p0 + i2, i3);
        float16 v2 = sn_load_f32x16(p1 + i2, i3);
        float16 v3 = v1 * v2;
        float16 v4 = v3 + (float16)(c0);
        float16 v5 = fabs(v3);
        float16 v6 = sqrt(v5);
        sn_store_f32x16(v4, p2 + i2, i3);
        sn_store_f32x16(v6, p3 + i2, i3);
    }
}
