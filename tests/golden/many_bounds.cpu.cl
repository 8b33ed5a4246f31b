// z = clamp(clamp(clamp(clamp(x, -3, 3) * s, 0, 1) * 2, -1, 1) - s, -2, 2)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void clamp_mul_clamp_mul_clamp_sub_clamp_92af6e4854d389cc(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n0,
    int segment,
    float c0,
    float c1,
    float c2,
    float c3,
    float c4,
    float c5,
    float c6,
    float c7,
    float c8)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    const int rare = (c0 == 0) | (c0 != c0) | (c1 == 0) | (c1 != c1) | (c2 == 0) | (c2 != c2) | (c3 == 0) | (c3 != c3) | (c5 == 0) | (c5 != c5) | (c6 == 0) | (c6 != c6) | (c7 == 0) | (c7 != c7) | (c8 == 0) | (c8 != c8);
    float v9 = sn_load_f32x1(p1 + 0, 1);
    float v10 = sn_load_f32x1(p2 + 0, 1);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), n0);
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v11 = sn_load_f32x16(p0 + i4, 16);
        float16 v12 = sn_load_f32x16(p0 + i4 + 16, 16);
        float16 v13 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v11, (float16)(c0)), (float16)(c1));
        float16 v14 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v12, (float16)(c0)), (float16)(c1));
        float16 v15 = v13 * (float16)(v9);
        float16 v16 = v14 * (float16)(v9);
        float16 v17 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v15, (float16)(c2)), (float16)(c3));
        float16 v18 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v16, (float16)(c2)), (float16)(c3));
        float16 v19 = v17 * (float16)(c4);
        float16 v20 = v18 * (float16)(c4);
        float16 v21 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v19, (float16)(c5)), (float16)(c6));
        float16 v22 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v20, (float16)(c5)), (float16)(c6));
        float16 v23 = v21 - (float16)(v10);
        float16 v24 = v22 - (float16)(v10);
        float16 v25 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v23, (float16)(c7)), (float16)(c8));
        float16 v26 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v24, (float16)(c7)), (float16)(c8));
        sn_store_f32x16(v25, p3 + i4, 16);
        sn_store_f32x16(v26, p3 + i4 + 16, 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v27 = sn_load_f32x16(p0 + i5, i6);
        float16 v28 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v27, (float16)(c0)), (float16)(c1));
        float16 v29 = v28 * (float16)(v9);
        float16 v30 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v29, (float16)(c2)), (float16)(c3));
        float16 v31 = v30 * (float16)(c4);
        float16 v32 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v31, (float16)(c5)), (float16)(c6));
        float16 v33 = v32 - (float16)(v10);
        float16 v34 = sn_min_asked_f32x16(rare, sn_max_asked_f32x16(rare, v33, (float16)(c7)), (float16)(c8));
        sn_store_f32x16(v34, p3 + i5, i6);
    }
}
