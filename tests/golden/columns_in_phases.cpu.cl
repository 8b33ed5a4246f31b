// e = exp(x - max(x, axis=0)); z = e / sum(e, axis=0)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_a64514d6546519a8(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int segment,
    int n1,
    int s0_1,
    int s1_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n0);
        int i9 = (((i8 + 15) - i7) / 16);
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        float16 v0[64];
        for (int i12 = 0; i12 < i9; i12 += 1) {
            int i13 = (i7 + (i12 * 16));
            int i14 = (int)clamp((n0 - i13), (int)0, (int)16);
            int i15 = (((i5 * parts) * n0) + i13);
            float16 v1 = (float16)(as_float(0xff800000u));
            v0[i12] = v1;
        }
        for (int i16 = i10; i16 < i11; i16 += 8) {
            int i17 = min((i16 + 8), i11);
            for (int i18 = 0; i18 < i9; i18 += 1) {
                int i19 = (i7 + (i18 * 16));
                int i20 = (int)clamp((n0 - i19), (int)0, (int)16);
                int i21 = (((i5 * parts) * n0) + i19);
                float16 v2 = v0[i18];
                for (int i22 = i16; i22 < i17; i22 += 1) {
                    float16 v3 = sn_load_f32x16(p0 + ((i22 * s0_1) + i19), i20);
                    v2 = sn_max_f32x16(v2, v3);
                }
                v0[i18] = v2;
            }
        }
        for (int i23 = 0; i23 < i9; i23 += 1) {
            int i24 = (i7 + (i23 * 16));
            int i25 = (int)clamp((n0 - i24), (int)0, (int)16);
            int i26 = (((i5 * parts) * n0) + i24);
            float16 v4 = v0[i23];
            sn_store_f32x16(v4, q0 + (i26 + (i6 * n0)), i25);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_68cffae8e5bc0fa5(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int segments,
    int n0,
    int parts)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        int i7 = (((i3 * parts) * n0) + i5);
        float16 v0 = sn_column_tree_max_f32x16(q0 + i7, n0, parts, i6);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_6bdd92eb0773afa3(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int segment,
    int n1,
    int s0_1,
    int s1_1,
    int region)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n0);
        int i9 = (((i8 + 15) - i7) / 16);
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        float16 v0[64];
        for (int i12 = 0; i12 < i9; i12 += 1) {
            int i13 = (i7 + (i12 * 16));
            int i14 = (int)clamp((n0 - i13), (int)0, (int)16);
            int i15 = (((i5 * parts) * n0) + i13);
            float16 v1 = (float16)(as_float(0x80000000u));
            v0[i12] = v1;
        }
        for (int i16 = i10; i16 < i11; i16 += 8) {
            int i17 = min((i16 + 8), i11);
            for (int i18 = 0; i18 < i9; i18 += 1) {
                int i19 = (i7 + (i18 * 16));
                int i20 = (int)clamp((n0 - i19), (int)0, (int)16);
                int i21 = (((i5 * parts) * n0) + i19);
                float16 v2 = sn_load_f32x16(q0 + i21, i20);
                float16 v3 = v2;
                float16 v4 = v0[i18];
                for (int i22 = i16; i22 < i17; i22 += 1) {
                    float16 v5 = sn_load_f32x16(p0 + ((i22 * s0_1) + i19), i20);
                    float16 v6 = v5 - v3;
                    float16 v7 = sn_exp_f32x16(v6);
                    sn_store_f32x16(v7, p1 + ((i22 * s1_1) + i19), i20);
                    v4 = v4 + v7;
                }
                v0[i18] = v4;
            }
        }
        for (int i23 = 0; i23 < i9; i23 += 1) {
            int i24 = (i7 + (i23 * 16));
            int i25 = (int)clamp((n0 - i24), (int)0, (int)16);
            int i26 = (((i5 * parts) * n0) + i24);
            float16 v8 = v0[i23];
            sn_store_f32x16(v8, q1 + (i26 + (i6 * n0)), i25);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_538c65c3e4a02520(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int segments,
    int n0,
    int parts,
    int region)
{
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        int i7 = (((i3 * parts) * n0) + i5);
        float16 v0 = sn_column_tree_sum_f32x16(q1 + i7, n0, parts, i6);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void max_sub_exp_sum_div_d5259a7cf9ff97d4(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int segment,
    int region,
    int n1,
    int s0_1,
    int s1_1)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n0);
        int i9 = (((i8 + 15) - i7) / 16);
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        for (int i12 = i10; i12 < i11; i12 += 8) {
            int i13 = min((i12 + 8), i11);
            for (int i14 = 0; i14 < i9; i14 += 1) {
                int i15 = (i7 + (i14 * 16));
                int i16 = (int)clamp((n0 - i15), (int)0, (int)16);
                int i17 = (((i5 * parts) * n0) + i15);
                float16 v0 = sn_load_f32x16(q1 + i17, i16);
                float16 v1 = v0;
                for (int i18 = i12; i18 < i13; i18 += 1) {
                    float16 v2 = sn_load_f32x16(p1 + ((i18 * s1_1) + i15), i16);
                    float16 v3 = DIV(v2, v1);
                    sn_store_f32x16(v3, p1 + ((i18 * s1_1) + i15), i16);
                }
            }
        }
        for (int i19 = 0; i19 < i9; i19 += 1) {
            int i20 = (i7 + (i19 * 16));
            int i21 = (int)clamp((n0 - i20), (int)0, (int)16);
            int i22 = (((i5 * parts) * n0) + i20);
        }
    }
}
