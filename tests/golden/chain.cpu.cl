// z = ((x + y) * 2 - x) / (y * y + 1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void add_mul_sub_mul_add_div_e4701ac6ad1fa00e(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n0,
    int segment,
    float c0,
    float c1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v2 = sn_load_f32x16(p0 + i2, i3);
        float16 v3 = sn_load_f32x16(p1 + i2, i3);
        float16 v4 = v2 + v3;
        float16 v5 = v4 * (float16)(c0);
        float16 v6 = v5 - v2;
        float16 v7 = v3 * v3;
        float16 v8 = v7 + (float16)(c1);
        float16 v9 = DIV(v6, v8);
        sn_store_f32x16(v9, p2 + i2, i3);
    }
}
