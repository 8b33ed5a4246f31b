// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void matmul_add_relu_e2bcae921187089b(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int n1,
    int n0,
    int reduced,
    int s0_2,
    int s0_0,
    int s1_2,
    int s3_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = (((int)get_local_id(1) * 8) + (int)get_local_id(0));
    int i1 = ((int)get_local_id(1) * 4);
    int i2 = (int)get_local_id(0);
    int i3 = (((int)get_group_id(1) * 32) + i1);
    int i4 = (((int)get_group_id(0) * 32) + (i2 * 4));
    float4 v0[4];
    float4 v1 = (float4)(0);
    for (int i5 = 0; i5 < 4; i5 += 1) {
        v0[i5] = v1;
    }
    int i6 = ((int)get_group_id(1) * 32);
    __local float4 v2[144];
    int i7 = ((int)get_group_id(0) * 32);
    __local float4 v3[144];
    for (int i8 = 0; i8 < reduced; i8 += 256) {
        int i9 = min((reduced - i8), 256);
        float4 v4 = (float4)(0);
        float4 v5 = (float4)(0);
        float4 v6 = (float4)(0);
        float4 v7 = (float4)(0);
        for (int i10 = 0; i10 < i9; i10 += 16) {
            int i11 = (i8 + i10);
            for (int i12 = 0; i12 < 8; i12 += 1) {
                int i13 = ((i12 * 64) + i0);
                int i14 = (i13 / 16);
                int i15 = (i13 - (i14 * 16));
                int i16 = (i11 + i15);
                int i17 = (i6 + i14);
                float v8 = sn_load_f32x1(p0 + (i16 * s0_2) + (i17 * s0_0), (0 < min((n0 - i17), (reduced - i16))));
                ((__local float *)v2)[((i15 * 36) + i14)] = v8;
            }
            for (int i18 = 0; i18 < 2; i18 += 1) {
                int i19 = ((i18 * 64) + i0);
                int i20 = (i19 / 8);
                int i21 = (i19 - (i20 * 8));
                int i22 = (i11 + i20);
                int i23 = (i7 + (i21 * 4));
                float4 v9 = sn_load_f32x4(p1 + (i22 * s1_2) + i23, (int)clamp(min((n1 - i23), (min((reduced - i22), 1) * 4)), (int)0, (int)4));
                v3[((i20 * 9) + i21)] = v9;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i24 = 0; i24 < 16; i24 += 1) {
                int i25 = ((i24 * 9) + i2);
                int i26 = ((i24 * 36) + i1);
                float4 v10 = v3[i25];
                float v11 = ((__local float *)v2)[i26];
                v4 = fma((float4)(v11), v10, v4);
                float v12 = ((__local float *)v2)[(i26 + 1)];
                v5 = fma((float4)(v12), v10, v5);
                float v13 = ((__local float *)v2)[(i26 + 2)];
                v6 = fma((float4)(v13), v10, v6);
                float v14 = ((__local float *)v2)[(i26 + 3)];
                v7 = fma((float4)(v14), v10, v7);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        float4 v15 = v0[0];
        v15 = v15 + v4;
        v0[0] = v15;
        float4 v16 = v0[1];
        v16 = v16 + v5;
        v0[1] = v16;
        float4 v17 = v0[2];
        v17 = v17 + v6;
        v0[2] = v17;
        float4 v18 = v0[3];
        v18 = v18 + v7;
        v0[3] = v18;
    }
    for (int i27 = 0; i27 < 4; i27 += 1) {
        int i28 = (i3 + i27);
        if ((i28 < n0)) {
            int i29 = (i28 * s3_0);
            for (int i30 = 0; i30 < 1; i30 += 1) {
                int i31 = (i4 + (i30 * 32));
                if ((i31 < n1)) {
                    int i32 = (int)clamp((n1 - i31), (int)0, (int)4);
                    float4 v19 = v0[(i27 + i30)];
                    float4 v20 = v19;
                    float4 v21 = sn_load_f32x4(p2 + i31, i32);
                    float4 v22 = v20 + v21;
                    float4 v23 = sn_max_f32x4(v22, (float4)(0));
                    sn_store_f32x4(v23, p3 + i29 + i31, i32);
                }
            }
        }
    }
}
