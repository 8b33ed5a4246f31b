// z = cumsum(x * row, axis=0) * col + y

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void mul_cumsum_mul_add_d150cb833b173f36(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global const uchar *b3, ulong o3,
    __global uchar *b4, ulong o4,
    int n0,
    int segments,
    int reduced,
    int s0_1,
    int s2_1,
    int s3_1,
    int s4_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global const float *p3 = (__global const float *)(b3 + o3);
    __global float *p4 = (__global float *)(b4 + o4);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / segments);
    int i2 = (i0 - (i1 * segments));
    int i3 = (((i2 * 16) + (int)get_local_id(0)) * 4);
    int i4 = (int)clamp((n0 - i3), (int)0, (int)4);
    float4 v0 = sn_load_f32x4(p1 + i3, i4);
    __local float4 v1[256];
    __local float4 v2[256];
    float4 v3 = (float4)(0);
    float4 v4 = (float4)(0);
    float4 v5 = (float4)(0);
    float4 v6 = (float4)(0);
    float4 v7[12];
    for (int i5 = 0; i5 < reduced; i5 += 4096) {
        if ((((int)get_local_id(1) == 0) && (0 < i5))) {
            v6 = sn_scan_next_cumsum_f32x4(v7, v4, (i5 / 4096));
        }
        int i6 = min((i5 + 4096), reduced);
        for (int i7 = i5; i7 < i6; i7 += 1024) {
            int i8 = min((i7 + 1024), i6);
            int i9 = (i8 - i7);
            int i10 = ((i9 + 63) / 64);
            for (int i11 = (int)get_local_id(1); i11 < i10; i11 += 16) {
                int i12 = (i7 + (i11 * 64));
                int i13 = min((i12 + 64), i8);
                for (int i14 = i12; i14 < i13; i14 += 1) {
                    float4 v8 = sn_load_f32x4(p0 + (i14 * s0_1) + i3, i4);
                    float4 v9 = v8 * v0;
                    v3 = sn_append_cumsum_f32x4(v3, v9, (i14 == i12));
                }
                v1[((i11 * 16) + (int)get_local_id(0))] = v3;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (((int)get_local_id(1) == 0)) {
                for (int i15 = 0; i15 < i10; i15 += 1) {
                    float4 v10 = v1[((i15 * 16) + (int)get_local_id(0))];
                    v5 = sn_scan_carry_cumsum_f32x4(v6, v4, ((i7 + (i15 * 64)) == i5), (i5 == 0));
                    v2[((i15 * 16) + (int)get_local_id(0))] = v5;
                    v4 = sn_append_cumsum_f32x4(v4, v10, ((i7 + (i15 * 64)) == i5));
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i16 = (int)get_local_id(1); i16 < i10; i16 += 16) {
                int i17 = (i7 + (i16 * 64));
                int i18 = min((i17 + 64), i8);
                float4 v11 = v2[((i16 * 16) + (int)get_local_id(0))];
                for (int i19 = i17; i19 < i18; i19 += 1) {
                    float4 v12 = sn_load_f32x4(p0 + (i19 * s0_1) + i3, i4);
                    float4 v13 = v12 * v0;
                    float v14 = sn_load_f32x1(p2 + (i19 * s2_1), 1);
                    float4 v15 = sn_load_f32x4(p3 + (i19 * s3_1) + i3, i4);
                    v3 = sn_append_cumsum_f32x4(v3, v13, (i19 == i17));
                    float4 v16 = sn_append_cumsum_f32x4(v11, v3, (i17 == 0));
                    float4 v17 = v16;
                    float4 v18 = v17 * (float4)(v14);
                    float4 v19 = v18 + v15;
                    sn_store_f32x4(v19, p4 + (i19 * s4_1) + i3, i4);
                }
            }
        }
    }
}
