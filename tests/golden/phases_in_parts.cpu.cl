// z = v / sum(v)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void sum_div_1cb4063d511ac87d(
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
        float16 v0 = (float16)(as_float(0x80000000u));
        float16 v1 = (float16)(as_float(0x80000000u));
        float16 v2 = (float16)(as_float(0x80000000u));
        float16 v3 = (float16)(as_float(0x80000000u));
        int i10 = ((i9 / 64) * 64);
        for (int i11 = 0; i11 < i10; i11 += 64) {
            int i12 = (i8 + i11);
            float16 v4 = sn_load_f32x16(p0 + i5 + i12, 16);
            v0 = v0 + v4;
            int i13 = (i8 + (i11 + 16));
            float16 v5 = sn_load_f32x16(p0 + i5 + i13, 16);
            v1 = v1 + v5;
            int i14 = (i8 + (i11 + 32));
            float16 v6 = sn_load_f32x16(p0 + i5 + i14, 16);
            v2 = v2 + v6;
            int i15 = (i8 + (i11 + 48));
            float16 v7 = sn_load_f32x16(p0 + i5 + i15, 16);
            v3 = v3 + v7;
        }
        if (RARELY((i9 - i10))) {
            for (int i16 = i10; i16 < i9; i16 += 16) {
                int i17 = (i8 + i16);
                int i18 = (int)clamp((i9 - i16), (int)0, (int)16);
                float16 v8 = sn_load_f32x16(p0 + i5 + i17, i18);
                int i19 = ((i16 % 64) / 16);
                if ((i19 == 0)) {
                    v0 = sn_fold_sum_f32x16(v0, v8, i18);
                }
                if ((i19 == 1)) {
                    v1 = sn_fold_sum_f32x16(v1, v8, i18);
                }
                if ((i19 == 2)) {
                    v2 = sn_fold_sum_f32x16(v2, v8, i18);
                }
                if ((i19 == 3)) {
                    v3 = sn_fold_sum_f32x16(v3, v8, i18);
                }
            }
        }
        v0 = v0 + v2;
        v1 = v1 + v3;
        v0 = v0 + v1;
        float v9 = sn_lane_tree_sum_f32x16(v0);
        sn_store_f32x1(v9, q0 + i7 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void sum_div_b508b61748b05633(
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

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void sum_div_f57cac74da10caf8(
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
        int i10 = ((i9 / 16) * 16);
        for (int i11 = 0; i11 < i10; i11 += 16) {
            int i12 = (i8 + i11);
            float16 v2 = sn_load_f32x16(p0 + i5 + i12, 16);
            float16 v3 = DIV(v2, (float16)(v1));
            sn_store_f32x16(v3, p1 + i6 + i12, 16);
        }
        if (RARELY((i9 - i10))) {
            for (int i13 = i10; i13 < i9; i13 += 16) {
                int i14 = (i8 + i13);
                int i15 = (int)clamp((i9 - i13), (int)0, (int)16);
                float16 v4 = sn_load_f32x16(p0 + i5 + i14, i15);
                float16 v5 = DIV(v4, (float16)(v1));
                sn_store_f32x16(v5, p1 + i6 + i14, i15);
            }
        }
    }
}
