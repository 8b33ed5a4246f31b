// z = v / sum(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_div_faf9d8011530f773(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * parts);
        int i8 = (i4 * 16384);
        int i9 = min((reduced - i8), 16384);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        int i10 = ((i9 / 64) * 64);
        for (int i11 = 0; i11 < i10; i11 += 64) {
            int i12 = (i8 + i11);
            float16 v1 = sn_load_f32x16(p0 + (i5 + i12), 16);
            v0[0] = sn_fold_sum_f32x16(v0[0], v1, (i11 < 64), 16);
            int i13 = (i8 + (i11 + 16));
            float16 v2 = sn_load_f32x16(p0 + (i5 + i13), 16);
            v0[1] = sn_fold_sum_f32x16(v0[1], v2, ((i11 + 16) < 64), 16);
            int i14 = (i8 + (i11 + 32));
            float16 v3 = sn_load_f32x16(p0 + (i5 + i14), 16);
            v0[2] = sn_fold_sum_f32x16(v0[2], v3, ((i11 + 32) < 64), 16);
            int i15 = (i8 + (i11 + 48));
            float16 v4 = sn_load_f32x16(p0 + (i5 + i15), 16);
            v0[3] = sn_fold_sum_f32x16(v0[3], v4, ((i11 + 48) < 64), 16);
        }
        if ((i10 < i9)) {
            int i16 = (i8 + i10);
            int i17 = (int)clamp((i9 - i10), (int)0, (int)16);
            float16 v5 = sn_load_f32x16(p0 + (i5 + i16), i17);
            v0[0] = sn_fold_sum_f32x16(v0[0], v5, (i10 < 64), i17);
        }
        int i18 = (i10 + 16);
        if ((i18 < i9)) {
            int i19 = (i8 + i18);
            int i20 = (int)clamp((i9 - i18), (int)0, (int)16);
            float16 v6 = sn_load_f32x16(p0 + (i5 + i19), i20);
            v0[1] = sn_fold_sum_f32x16(v0[1], v6, (i18 < 64), i20);
        }
        int i21 = (i10 + 32);
        if ((i21 < i9)) {
            int i22 = (i8 + i21);
            int i23 = (int)clamp((i9 - i21), (int)0, (int)16);
            float16 v7 = sn_load_f32x16(p0 + (i5 + i22), i23);
            v0[2] = sn_fold_sum_f32x16(v0[2], v7, (i21 < 64), i23);
        }
        int i24 = (i10 + 48);
        if ((i24 < i9)) {
            int i25 = (i8 + i24);
            int i26 = (int)clamp((i9 - i24), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + (i5 + i25), i26);
            v0[3] = sn_fold_sum_f32x16(v0[3], v8, (i24 < 64), i26);
        }
        int i27 = min(i9, 64);
        float v9 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v0, 64, i27), i27);
        sn_store_f32x1(v9, q0 + (i7 + i4), 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_div_a9b02df83e79f631(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_sum_f32x1(q0 + i7, segment, parts);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void sum_div_63a2e5ffe01e4009(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * parts);
        float v0 = sn_load_f32x1(q0 + i7, 1);
        float v1 = v0;
        int i8 = (i4 * 16384);
        int i9 = min((reduced - i8), 16384);
        for (int i10 = 0; i10 < i9; i10 += 16) {
            int i11 = (i8 + i10);
            int i12 = (int)clamp((i9 - i10), (int)0, (int)16);
            float16 v2 = sn_load_f32x16(p0 + (i5 + i11), i12);
            float16 v3 = DIV(v2, (float16)(v1));
            sn_store_f32x16(v3, p1 + (i6 + i11), i12);
        }
    }
}
