// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void matmul_add_relu_f07e6b9d264817f4(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global uchar *b3, ulong o3,
    int each,
    int n1,
    int n0,
    int reduced,
    int s1_2,
    int s0_2,
    int s0_0,
    int s3_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global float *p3 = (__global float *)(b3 + o3);
    int i0 = ((int)get_global_id(0) * 8);
    int i1 = ((int)get_global_id(1) * (each * 6));
    if ((i0 < n1)) {
        if ((i1 < n0)) {
            int i2 = min((n0 - i1), (each * 6));
            float4 v0[384];
            float4 v1 = (float4)(0);
            for (int i3 = 0; i3 < (each * 12); i3 += 1) {
                v0[i3] = v1;
            }
            float4 v2[512];
            for (int i4 = 0; i4 < reduced; i4 += 256) {
                int i5 = min((reduced - i4), 256);
                int i6 = (i4 * s1_2);
                for (int i7 = 0; i7 < i5; i7 += 1) {
                    float4 v3 = sn_load_f32x4(p1 + i6 + (i7 * s1_2) + i0, (int)clamp((n1 - i0), (int)0, (int)4));
                    v2[(i7 * 2)] = v3;
                    float4 v4 = sn_load_f32x4(p1 + i6 + (i7 * s1_2) + i0 + 4, (int)clamp((n1 - (i0 + 4)), (int)0, (int)4));
                    v2[((i7 * 2) + 1)] = v4;
                }
                for (int i8 = 0; i8 < i2; i8 += 6) {
                    int i9 = (i1 + i8);
                    int i10 = (i4 * s0_2);
                    int i11 = (i10 + (min(i9, (n0 + -1)) * s0_0));
                    float4 v5 = (float4)(0);
                    float4 v6 = (float4)(0);
                    int i12 = (i10 + (min((i9 + 1), (n0 + -1)) * s0_0));
                    float4 v7 = (float4)(0);
                    float4 v8 = (float4)(0);
                    int i13 = (i10 + (min((i9 + 2), (n0 + -1)) * s0_0));
                    float4 v9 = (float4)(0);
                    float4 v10 = (float4)(0);
                    int i14 = (i10 + (min((i9 + 3), (n0 + -1)) * s0_0));
                    float4 v11 = (float4)(0);
                    float4 v12 = (float4)(0);
                    int i15 = (i10 + (min((i9 + 4), (n0 + -1)) * s0_0));
                    float4 v13 = (float4)(0);
                    float4 v14 = (float4)(0);
                    int i16 = (i10 + (min((i9 + 5), (n0 + -1)) * s0_0));
                    float4 v15 = (float4)(0);
                    float4 v16 = (float4)(0);
                    for (int i17 = 0; i17 < i5; i17 += 1) {
                        float4 v17 = v2[(i17 * 2)];
                        float4 v18 = v2[((i17 * 2) + 1)];
                        float v19 = sn_load_f32x1(p0 + i11 + (i17 * s0_2), 1);
                        v5 = fma((float4)(v19), v17, v5);
                        v6 = fma((float4)(v19), v18, v6);
                        float v20 = sn_load_f32x1(p0 + i12 + (i17 * s0_2), 1);
                        v7 = fma((float4)(v20), v17, v7);
                        v8 = fma((float4)(v20), v18, v8);
                        float v21 = sn_load_f32x1(p0 + i13 + (i17 * s0_2), 1);
                        v9 = fma((float4)(v21), v17, v9);
                        v10 = fma((float4)(v21), v18, v10);
                        float v22 = sn_load_f32x1(p0 + i14 + (i17 * s0_2), 1);
                        v11 = fma((float4)(v22), v17, v11);
                        v12 = fma((float4)(v22), v18, v12);
                        float v23 = sn_load_f32x1(p0 + i15 + (i17 * s0_2), 1);
                        v13 = fma((float4)(v23), v17, v13);
                        v14 = fma((float4)(v23), v18, v14);
                        float v24 = sn_load_f32x1(p0 + i16 + (i17 * s0_2), 1);
                        v15 = fma((float4)(v24), v17, v15);
                        v16 = fma((float4)(v24), v18, v16);
                    }
                    int i18 = (i8 * 2);
                    float4 v25 = v0[i18];
                    v25 = v25 + v5;
                    v0[i18] = v25;
                    float4 v26 = v0[(i18 + 1)];
                    v26 = v26 + v6;
                    v0[(i18 + 1)] = v26;
                    float4 v27 = v0[(i18 + 2)];
                    v27 = v27 + v7;
                    v0[(i18 + 2)] = v27;
                    float4 v28 = v0[(i18 + 3)];
                    v28 = v28 + v8;
                    v0[(i18 + 3)] = v28;
                    float4 v29 = v0[(i18 + 4)];
                    v29 = v29 + v9;
                    v0[(i18 + 4)] = v29;
                    float4 v30 = v0[(i18 + 5)];
                    v30 = v30 + v10;
                    v0[(i18 + 5)] = v30;
                    float4 v31 = v0[(i18 + 6)];
                    v31 = v31 + v11;
                    v0[(i18 + 6)] = v31;
                    float4 v32 = v0[(i18 + 7)];
                    v32 = v32 + v12;
                    v0[(i18 + 7)] = v32;
                    float4 v33 = v0[(i18 + 8)];
                    v33 = v33 + v13;
                    v0[(i18 + 8)] = v33;
                    float4 v34 = v0[(i18 + 9)];
                    v34 = v34 + v14;
                    v0[(i18 + 9)] = v34;
                    float4 v35 = v0[(i18 + 10)];
                    v35 = v35 + v15;
                    v0[(i18 + 10)] = v35;
                    float4 v36 = v0[(i18 + 11)];
                    v36 = v36 + v16;
                    v0[(i18 + 11)] = v36;
                }
            }
            for (int i19 = 0; i19 < i2; i19 += 1) {
                int i20 = (i1 + i19);
                int i21 = (i20 * s3_0);
                for (int i22 = 0; i22 < 2; i22 += 1) {
                    int i23 = (i0 + (i22 * 4));
                    int i24 = (int)clamp((n1 - i23), (int)0, (int)4);
                    float4 v37 = v0[((i19 * 2) + i22)];
                    float4 v38 = v37;
                    float4 v39 = sn_load_f32x4(p2 + i23, i24);
                    float4 v40 = v38 + v39;
                    float4 v41 = sn_max_f32x4(v40, (float4)(0));
                    sn_store_f32x4(v41, p3 + i21 + i23, i24);
                }
            }
        }
    }
}
