// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void matmul_add_relu_4a0c761b4c74a6f3(
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
    int i1 = ((int)get_local_id(1) * 8);
    int i2 = (int)get_local_id(0);
    int i3 = (((int)get_group_id(1) * 64) + i1);
    int i4 = (((int)get_group_id(0) * 64) + (i2 * 4));
    float4 v0[16];
    float4 v1 = (float4)(0);
    for (int i5 = 0; i5 < 16; i5 += 1) {
        v0[i5] = v1;
    }
    int i6 = ((int)get_group_id(1) * 64);
    __local float4 v2[272];
    int i7 = ((int)get_group_id(0) * 64);
    __local float4 v3[272];
    for (int i8 = 0; i8 < reduced; i8 += 256) {
        int i9 = min((reduced - i8), 256);
        float4 v4 = (float4)(0);
        float4 v5 = (float4)(0);
        float4 v6 = (float4)(0);
        float4 v7 = (float4)(0);
        float4 v8 = (float4)(0);
        float4 v9 = (float4)(0);
        float4 v10 = (float4)(0);
        float4 v11 = (float4)(0);
        float4 v12 = (float4)(0);
        float4 v13 = (float4)(0);
        float4 v14 = (float4)(0);
        float4 v15 = (float4)(0);
        float4 v16 = (float4)(0);
        float4 v17 = (float4)(0);
        float4 v18 = (float4)(0);
        float4 v19 = (float4)(0);
        for (int i10 = 0; i10 < i9; i10 += 16) {
            int i11 = (i8 + i10);
            for (int i12 = 0; i12 < 16; i12 += 1) {
                int i13 = ((i12 * 64) + i0);
                int i14 = (i13 / 16);
                int i15 = (i13 - (i14 * 16));
                int i16 = (i11 + i15);
                int i17 = (i6 + i14);
                float v20 = sn_load_f32x1(p0 + (i16 * s0_2) + (i17 * s0_0), (0 < min((n0 - i17), (reduced - i16))));
                ((__local float *)v2)[((i15 * 68) + i14)] = v20;
            }
            for (int i18 = 0; i18 < 4; i18 += 1) {
                int i19 = ((i18 * 64) + i0);
                int i20 = (i19 / 16);
                int i21 = (i19 - (i20 * 16));
                int i22 = (i11 + i20);
                int i23 = (i7 + (i21 * 4));
                float4 v21 = sn_load_f32x4(p1 + (i22 * s1_2) + i23, (int)clamp(min((n1 - i23), (min((reduced - i22), 1) * 4)), (int)0, (int)4));
                v3[((i20 * 17) + i21)] = v21;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i24 = 0; i24 < 16; i24 += 1) {
                int i25 = ((i24 * 17) + i2);
                int i26 = ((i24 * 68) + i1);
                float4 v22 = v3[i25];
                float4 v23 = v3[(i25 + 8)];
                float v24 = ((__local float *)v2)[i26];
                v4 = fma((float4)(v24), v22, v4);
                v5 = fma((float4)(v24), v23, v5);
                float v25 = ((__local float *)v2)[(i26 + 1)];
                v6 = fma((float4)(v25), v22, v6);
                v7 = fma((float4)(v25), v23, v7);
                float v26 = ((__local float *)v2)[(i26 + 2)];
                v8 = fma((float4)(v26), v22, v8);
                v9 = fma((float4)(v26), v23, v9);
                float v27 = ((__local float *)v2)[(i26 + 3)];
                v10 = fma((float4)(v27), v22, v10);
                v11 = fma((float4)(v27), v23, v11);
                float v28 = ((__local float *)v2)[(i26 + 4)];
                v12 = fma((float4)(v28), v22, v12);
                v13 = fma((float4)(v28), v23, v13);
                float v29 = ((__local float *)v2)[(i26 + 5)];
                v14 = fma((float4)(v29), v22, v14);
                v15 = fma((float4)(v29), v23, v15);
                float v30 = ((__local float *)v2)[(i26 + 6)];
                v16 = fma((float4)(v30), v22, v16);
                v17 = fma((float4)(v30), v23, v17);
                float v31 = ((__local float *)v2)[(i26 + 7)];
                v18 = fma((float4)(v31), v22, v18);
                v19 = fma((float4)(v31), v23, v19);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        float4 v32 = v0[0];
        v32 = v32 + v4;
        v0[0] = v32;
        float4 v33 = v0[1];
        v33 = v33 + v5;
        v0[1] = v33;
        float4 v34 = v0[2];
        v34 = v34 + v6;
        v0[2] = v34;
        float4 v35 = v0[3];
        v35 = v35 + v7;
        v0[3] = v35;
        float4 v36 = v0[4];
        v36 = v36 + v8;
        v0[4] = v36;
        float4 v37 = v0[5];
        v37 = v37 + v9;
        v0[5] = v37;
        float4 v38 = v0[6];
        v38 = v38 + v10;
        v0[6] = v38;
        float4 v39 = v0[7];
        v39 = v39 + v11;
        v0[7] = v39;
        float4 v40 = v0[8];
        v40 = v40 + v12;
        v0[8] = v40;
        float4 v41 = v0[9];
        v41 = v41 + v13;
        v0[9] = v41;
        float4 v42 = v0[10];
        v42 = v42 + v14;
        v0[10] = v42;
        float4 v43 = v0[11];
        v43 = v43 + v15;
        v0[11] = v43;
        float4 v44 = v0[12];
        v44 = v44 + v16;
        v0[12] = v44;
        float4 v45 = v0[13];
        v45 = v45 + v17;
        v0[13] = v45;
        float4 v46 = v0[14];
        v46 = v46 + v18;
        v0[14] = v46;
        float4 v47 = v0[15];
        v47 = v47 + v19;
        v0[15] = v47;
    }
    for (int i27 = 0; i27 < 8; i27 += 1) {
        int i28 = (i3 + i27);
        if ((i28 < n0)) {
            int i29 = (i28 * s3_0);
            for (int i30 = 0; i30 < 2; i30 += 1) {
                int i31 = (i4 + (i30 * 32));
                if ((i31 < n1)) {
                    int i32 = (int)clamp((n1 - i31), (int)0, (int)4);
                    float4 v48 = v0[((i27 * 2) + i30)];
                    float4 v49 = v48;
                    float4 v50 = sn_load_f32x4(p2 + i31, i32);
                    float4 v51 = v49 + v50;
                    float4 v52 = sn_max_f32x4(v51, (float4)(0));
                    sn_store_f32x4(v52, p3 + i29 + i31, i32);
                }
            }
        }
    }
}
