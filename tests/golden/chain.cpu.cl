// z = ((x + y) * 2 - x) / (y * y + 1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void add_mul_sub_mul_add_div_2bb31dbba4b28fb3(
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
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v2 = sn_load_f32x16(p0 + i4, 16);
        float16 v3 = sn_load_f32x16(p0 + i4 + 16, 16);
        float16 v4 = sn_load_f32x16(p1 + i4, 16);
        float16 v5 = sn_load_f32x16(p1 + i4 + 16, 16);
        float16 v6 = v2 + v4;
        float16 v7 = v3 + v5;
        float16 v8 = v6 * (float16)(c0);
        float16 v9 = v7 * (float16)(c0);
        float16 v10 = v8 - v2;
        float16 v11 = v9 - v3;
        float16 v12 = v4 * v4;
        float16 v13 = v5 * v5;
        float16 v14 = v12 + (float16)(c1);
        float16 v15 = v13 + (float16)(c1);
        float16 v16 = DIV(v10, v14);
        float16 v17 = DIV(v11, v15);
        sn_store_f32x16(v16, p2 + i4, 16);
        sn_store_f32x16(v17, p2 + i4 + 16, 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v18 = sn_load_f32x16(p0 + i5, i6);
        float16 v19 = sn_load_f32x16(p1 + i5, i6);
        float16 v20 = v18 + v19;
        float16 v21 = v20 * (float16)(c0);
        float16 v22 = v21 - v18;
        float16 v23 = v19 * v19;
        float16 v24 = v23 + (float16)(c1);
        float16 v25 = DIV(v22, v24);
        sn_store_f32x16(v25, p2 + i5, i6);
    }
}
