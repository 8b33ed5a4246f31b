// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void matmul_add_relu_3ffdc6b140e2eb66(
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
    int i0 = ((int)get_global_id(0) * 4);
    int i1 = ((int)get_global_id(1) * 4);
    if ((i0 < n1)) {
        if ((i1 < n0)) {
            int i2 = min((n0 - i1), 4);
            float4 v0[4];
            float4 v1 = (float4)(0);
            for (int i3 = 0; i3 < 4; i3 += 1) {
                v0[i3] = v1;
            }
            for (int i4 = 0; i4 < reduced; i4 += 256) {
                int i5 = min((reduced - i4), 256);
                int i6 = (i4 * s0_2);
                int i7 = (i6 + (min(i1, (n0 + -1)) * s0_0));
                float4 v2 = (float4)(0);
                int i8 = (i6 + (min((i1 + 1), (n0 + -1)) * s0_0));
                float4 v3 = (float4)(0);
                int i9 = (i6 + (min((i1 + 2), (n0 + -1)) * s0_0));
                float4 v4 = (float4)(0);
                int i10 = (i6 + (min((i1 + 3), (n0 + -1)) * s0_0));
                float4 v5 = (float4)(0);
                for (int i11 = 0; i11 < i5; i11 += 1) {
                    float4 v6 = sn_load_f32x4(p1 + (((i4 * s1_2) + (i11 * s1_2)) + i0), (int)clamp((n1 - i0), (int)0, (int)4));
                    float v7 = sn_load_f32x1(p0 + i7 + (i11 * s0_2), 1);
                    v2 = fma((float4)(v7), v6, v2);
                    float v8 = sn_load_f32x1(p0 + i8 + (i11 * s0_2), 1);
                    v3 = fma((float4)(v8), v6, v3);
                    float v9 = sn_load_f32x1(p0 + i9 + (i11 * s0_2), 1);
                    v4 = fma((float4)(v9), v6, v4);
                    float v10 = sn_load_f32x1(p0 + i10 + (i11 * s0_2), 1);
                    v5 = fma((float4)(v10), v6, v5);
                }
                float4 v11 = v0[0];
                v11 = v11 + v2;
                v0[0] = v11;
                float4 v12 = v0[1];
                v12 = v12 + v3;
                v0[1] = v12;
                float4 v13 = v0[2];
                v13 = v13 + v4;
                v0[2] = v13;
                float4 v14 = v0[3];
                v14 = v14 + v5;
                v0[3] = v14;
            }
            for (int i12 = 0; i12 < 4; i12 += 1) {
                int i13 = (i1 + i12);
                if ((i13 < n0)) {
                    int i14 = (i13 * s3_0);
                    for (int i15 = 0; i15 < 1; i15 += 1) {
                        int i16 = (i0 + (i15 * 4));
                        int i17 = (int)clamp((n1 - i16), (int)0, (int)4);
                        float4 v15 = v0[(i12 + i15)];
                        float4 v16 = v15;
                        float4 v17 = sn_load_f32x4(p2 + i16, i17);
                        float4 v18 = v16 + v17;
                        float4 v19 = sn_max_f32x4(v18, (float4)(0));
                        sn_store_f32x4(v19, p3 + (i14 + i16), i17);
                    }
                }
            }
        }
    }
}
