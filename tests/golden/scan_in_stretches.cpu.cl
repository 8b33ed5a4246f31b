// z = cumsum(v * v, axis=0) + v

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_cumsum_add_645b7f0dc1934539(
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
        float16 v0 = (float16)(0);
        float v1 = (float)(0);
        float v2 = (float)(0);
        float v3 = (float)(0);
        int i8 = (i4 * 4096);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 64) {
            int i11 = min((i10 + 64), i9);
            for (int i12 = i10; i12 < i11; i12 += 16) {
                int i13 = (int)clamp((i11 - i12), (int)0, (int)16);
                float16 v4 = sn_load_f32x16(p0 + i6 + i12, i13);
                float16 v5 = v4 * v4;
                v0 = sn_scan_cumsum_f32x16(v0, v5, (i12 == i10));
            }
            v1 = sn_append_cumsum_f32x1(v1, v0.sf, (i10 == i8));
        }
        sn_store_f32x1(v1, q0 + i5 + i4, 1);
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
void mul_cumsum_add_2c12d3cdc0e3934e(
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
        float16 v0 = (float16)(0);
        float v1 = (float)(0);
        float v2 = (float)(0);
        float v3 = (float)(0);
        int i8 = (i4 * 4096);
        v3 = sn_load_f32x1(q0 + i5 + i4, 1);
        int i9 = min((i8 + 4096), reduced);
        for (int i10 = i8; i10 < i9; i10 += 64) {
            v2 = sn_scan_carry_cumsum_f32x1(v3, v1, (i10 == i8), (i8 == 0));
            int i11 = min((i10 + 64), i9);
            for (int i12 = i10; i12 < i11; i12 += 16) {
                int i13 = (int)clamp((i11 - i12), (int)0, (int)16);
                float16 v4 = sn_load_f32x16(p0 + i6 + i12, i13);
                float16 v5 = v4 * v4;
                v0 = sn_scan_cumsum_f32x16(v0, v5, (i12 == i10));
                float16 v6 = sn_append_cumsum_f32x16((float16)(v2), v0, (i10 == 0));
                float16 v7 = v6;
                float16 v8 = v7 + v4;
                sn_store_f32x16(v8, p1 + i7 + i12, i13);
            }
            v1 = sn_append_cumsum_f32x1(v1, v0.sf, (i10 == i8));
        }
    }
}
