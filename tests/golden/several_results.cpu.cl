// p = x * y; q = p + 1; r = sqrt(abs(p))

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_add_abs_sqrt_cb7a8d2dd94fd38c(
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
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v1 = sn_load_f32x16(p0 + i4, 16);
        float16 v2 = sn_load_f32x16(p0 + i4 + 16, 16);
        float16 v3 = sn_load_f32x16(p1 + i4, 16);
        float16 v4 = sn_load_f32x16(p1 + i4 + 16, 16);
        float16 v5 = v1 * v3;
        float16 v6 = v2 * v4;
        float16 v7 = v5 + (float16)(c0);
        float16 v8 = v6 + (float16)(c0);
        float16 v9 = fabs(v5);
        float16 v10 = fabs(v6);
        float16 v11 = sqrt(v9);
        float16 v12 = sqrt(v10);
        sn_store_f32x16(v7, p2 + i4, 16);
        sn_store_f32x16(v11, p3 + i4, 16);
        sn_store_f32x16(v8, p2 + i4 + 16, 16);
        sn_store_f32x16(v12, p3 + i4 + 16, 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v13 = sn_load_f32x16(p0 + i5, i6);
        float16 v14 = sn_load_f32x16(p1 + i5, i6);
        float16 v15 = v13 * v14;
        float16 v16 = v15 + (float16)(c0);
        float16 v17 = fabs(v15);
        float16 v18 = sqrt(v17);
        sn_store_f32x16(v16, p2 + i5, i6);
        sn_store_f32x16(v18, p3 + i5, i6);
    }
}
