// z = cumsum(v * v, axis=0) + v

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cumsum_add_8b65582b0a2d005a(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * parts);
        int i6 = (i3 * s0_0);
        int i7 = (i3 * s1_0);
        float4 v0[64];
        float4 v1[1];
        float v2 = (float)(0);
        float v3 = (float)(0);
        float v4 = (float)(0);
        int i8 = (i4 * 4096);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 256) {
            int i11 = min((i10 + 256), i9);
            int i12 = (i11 - i10);
            int i13 = ((i12 + 63) / 64);
            for (int i14 = 0; i14 < i12; i14 += 4) {
                int i15 = (i10 + i14);
                int i16 = (int)clamp((i12 - i14), (int)0, (int)4);
                int i17 = (i14 / 4);
                float4 v5 = sn_load_f32x4(p0 + i6 + i15, i16);
                float4 v6 = v5 * v5;
                v0[i17] = v6;
            }
            sn_scan_blocks_cumsum_f32x4(v0, v1, i12);
            for (int i18 = 0; i18 < i13; i18 += 1) {
                float v7 = ((float *)v1)[i18];
                v2 = sn_append_cumsum_f32x1(v2, v7, ((i10 + (i18 * 64)) == i8));
            }
        }
        sn_store_f32x1(v2, q0 + i5 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cumsum_add_6be41bdc98b642cd(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segment);
        int i4 = (i2 - (i3 * segment));
        int i5 = (((i3 * parts) * segment) + i4);
        float v0 = (float)(0);
        float v1 = (float)(0);
        float v2[12];
        v0 = sn_load_f32x1(q0 + i5, 1);
        for (int i6 = 1; i6 < parts; i6 += 1) {
            v1 = sn_scan_next_cumsum_f32x1(v2, v0, i6);
            v0 = sn_load_f32x1(q0 + i5 + (i6 * segment), 1);
            sn_store_f32x1(v1, q0 + i5 + (i6 * segment), 1);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cumsum_add_cedbef1afde46529(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * parts);
        int i6 = (i3 * s0_0);
        int i7 = (i3 * s1_0);
        float4 v0[64];
        float4 v1[1];
        float4 v2[1];
        float v3 = (float)(0);
        float v4 = (float)(0);
        float v5 = (float)(0);
        int i8 = (i4 * 4096);
        v5 = sn_load_f32x1(q0 + i5 + i4, 1);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 256) {
            int i11 = min((i10 + 256), i9);
            int i12 = (i11 - i10);
            int i13 = ((i12 + 63) / 64);
            for (int i14 = 0; i14 < i12; i14 += 4) {
                int i15 = (i10 + i14);
                int i16 = (int)clamp((i12 - i14), (int)0, (int)4);
                int i17 = (i14 / 4);
                float4 v6 = sn_load_f32x4(p0 + i6 + i15, i16);
                float4 v7 = v6 * v6;
                v0[i17] = v7;
            }
            sn_scan_blocks_cumsum_f32x4(v0, v1, i12);
            for (int i18 = 0; i18 < i13; i18 += 1) {
                float v8 = ((float *)v1)[i18];
                v4 = sn_scan_carry_cumsum_f32x1(v5, v3, ((i10 + (i18 * 64)) == i8), (i8 == 0));
                ((float *)v2)[i18] = v4;
                v3 = sn_append_cumsum_f32x1(v3, v8, ((i10 + (i18 * 64)) == i8));
            }
            for (int i19 = 0; i19 < i12; i19 += 4) {
                int i20 = (i10 + i19);
                int i21 = (int)clamp((i12 - i19), (int)0, (int)4);
                int i22 = (i19 / 64);
                int i23 = (i19 / 4);
                float4 v9 = v0[i23];
                float v10 = ((float *)v2)[i22];
                float4 v11 = sn_append_cumsum_f32x4((float4)(v10), v9, ((i10 + i22) == 0));
                float4 v12 = v11;
                float4 v13 = sn_load_f32x4(p0 + i6 + i20, i21);
                float4 v14 = v12 + v13;
                sn_store_f32x4(v14, p1 + i7 + i20, i21);
            }
        }
    }
}
