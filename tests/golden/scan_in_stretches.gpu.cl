// z = cumsum(v * v, axis=0) + v

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_cumsum_add_6732490e3cbcef0c(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * parts);
    int i4 = (i1 * s0_0);
    int i5 = (i1 * s1_0);
    __local float v0[4160];
    __local float v1[64];
    float v2 = (float)(0);
    float v3 = (float)(0);
    float v4 = (float)(0);
    int i6 = (i2 * 4096);
    int i7 = min((i6 + 4096), reduced);
    int i8 = (i7 - i6);
    int i9 = ((i8 + 63) / 64);
    for (int i10 = ((int)get_local_id(0) * 4); i10 < i8; i10 += 1024) {
        int i11 = (i6 + i10);
        int i12 = (int)clamp((i8 - i10), (int)0, (int)4);
        int i13 = (i10 / 64);
        int i14 = (i10 + i13);
        float4 v5 = sn_load_f32x4(p0 + i4 + i11, i12);
        float4 v6 = v5 * v5;
        sn_set_f32x4(v6, v0, i14);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i15 = (int)get_local_id(0); i15 < i9; i15 += 256) {
        int i16 = min((i8 - (i15 * 64)), 64);
        float v7 = sn_scan_local_cumsum_f32x4(v0, (i15 * 65), i16);
        v1[i15] = v7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (((int)get_local_id(0) == 0)) {
        float v8 = v1[0];
        v2 = sn_append_cumsum_f32x1(v2, v8, (i6 == i6));
        for (int i17 = 1; i17 < i9; i17 += 1) {
            float v9 = v1[i17];
            v2 = sn_append_cumsum_f32x1(v2, v9, 0);
        }
    }
    if (((int)get_local_id(0) == 0)) {
        sn_store_f32x1(v2, q0 + i3 + i2, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_cumsum_add_5dfc7e7fcfd5da13(
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

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_cumsum_add_0f723d77b08008aa(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * parts);
    int i4 = (i1 * s0_0);
    int i5 = (i1 * s1_0);
    __local float v0[4160];
    __local float v1[64];
    __local float v2[64];
    float v3 = (float)(0);
    float v4 = (float)(0);
    float v5 = (float)(0);
    int i6 = (i2 * 4096);
    v5 = sn_load_f32x1(q0 + i3 + i2, 1);
    int i7 = min((i6 + 4096), reduced);
    int i8 = (i7 - i6);
    int i9 = ((i8 + 63) / 64);
    for (int i10 = ((int)get_local_id(0) * 4); i10 < i8; i10 += 1024) {
        int i11 = (i6 + i10);
        int i12 = (int)clamp((i8 - i10), (int)0, (int)4);
        int i13 = (i10 / 64);
        int i14 = (i10 + i13);
        float4 v6 = sn_load_f32x4(p0 + i4 + i11, i12);
        float4 v7 = v6 * v6;
        sn_set_f32x4(v7, v0, i14);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i15 = (int)get_local_id(0); i15 < i9; i15 += 256) {
        int i16 = min((i8 - (i15 * 64)), 64);
        float v8 = sn_scan_local_cumsum_f32x4(v0, (i15 * 65), i16);
        v1[i15] = v8;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (((int)get_local_id(0) == 0)) {
        float v9 = v1[0];
        v4 = sn_scan_carry_cumsum_f32x1(v5, v3, (i6 == i6), (i6 == 0));
        v2[0] = v4;
        v3 = sn_append_cumsum_f32x1(v3, v9, (i6 == i6));
        for (int i17 = 1; i17 < i9; i17 += 1) {
            float v10 = v1[i17];
            v4 = sn_scan_carry_cumsum_f32x1(v5, v3, 0, (i6 == 0));
            v2[i17] = v4;
            v3 = sn_append_cumsum_f32x1(v3, v10, 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i18 = ((int)get_local_id(0) * 4); i18 < i8; i18 += 1024) {
        int i19 = (i6 + i18);
        int i20 = (int)clamp((i8 - i18), (int)0, (int)4);
        int i21 = (i18 / 64);
        int i22 = (i18 + i21);
        float4 v11 = sn_pick_f32x4(v0, i22, i20);
        float v12 = v2[i21];
        float4 v13 = sn_append_cumsum_f32x4((float4)(v12), v11, ((i6 + i21) == 0));
        float4 v14 = v13;
        float4 v15 = sn_load_f32x4(p0 + i4 + i19, i20);
        float4 v16 = v14 + v15;
        sn_store_f32x4(v16, p1 + i5 + i19, i20);
    }
}
