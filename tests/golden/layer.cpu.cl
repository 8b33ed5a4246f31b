// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matmul_9ed18419b730d627(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int n0,
    int reduced,
    int s1_2,
    int s0_0,
    int s0_2,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 8);
    int i1 = ((int)get_global_id(1) * 6);
    if ((i0 < n1)) {
        if ((i1 < n0)) {
            int i2 = (n0 - 1);
            int i3 = min(i1, i2);
            int i4 = min((i1 + 1), i2);
            int i5 = min((i1 + 2), i2);
            int i6 = min((i1 + 3), i2);
            int i7 = min((i1 + 4), i2);
            int i8 = min((i1 + 5), i2);
            int i9 = (int)clamp((n1 - i0), (int)0, (int)4);
            int i10 = (i0 + 4);
            int i11 = (int)clamp((n1 - i10), (int)0, (int)4);
            float4 v0 = (float4)(0);
            float4 v1 = (float4)(0);
            float4 v2 = (float4)(0);
            float4 v3 = (float4)(0);
            float4 v4 = (float4)(0);
            float4 v5 = (float4)(0);
            float4 v6 = (float4)(0);
            float4 v7 = (float4)(0);
            float4 v8 = (float4)(0);
            float4 v9 = (float4)(0);
            float4 v10 = (float4)(0);
            float4 v11 = (float4)(0);
            for (int i12 = 0; i12 < reduced; i12 += 256) {
                float4 v12 = (float4)(0);
                float4 v13 = (float4)(0);
                float4 v14 = (float4)(0);
                float4 v15 = (float4)(0);
                float4 v16 = (float4)(0);
                float4 v17 = (float4)(0);
                float4 v18 = (float4)(0);
                float4 v19 = (float4)(0);
                float4 v20 = (float4)(0);
                float4 v21 = (float4)(0);
                float4 v22 = (float4)(0);
                float4 v23 = (float4)(0);
                int i13 = min((i12 + 256), reduced);
                for (int i14 = i12; i14 < i13; i14 += 1) {
                    float4 v24 = sn_load_f32x4(p1 + ((i14 * s1_2) + i0), i9);
                    float4 v25 = sn_load_f32x4(p1 + ((i14 * s1_2) + i10), i11);
                    float v26 = sn_load_f32x1(p0 + ((i3 * s0_0) + (i14 * s0_2)), 1);
                    v12 = fma((float4)(v26), v24, v12);
                    v13 = fma((float4)(v26), v25, v13);
                    float v27 = sn_load_f32x1(p0 + ((i4 * s0_0) + (i14 * s0_2)), 1);
                    v14 = fma((float4)(v27), v24, v14);
                    v15 = fma((float4)(v27), v25, v15);
                    float v28 = sn_load_f32x1(p0 + ((i5 * s0_0) + (i14 * s0_2)), 1);
                    v16 = fma((float4)(v28), v24, v16);
                    v17 = fma((float4)(v28), v25, v17);
                    float v29 = sn_load_f32x1(p0 + ((i6 * s0_0) + (i14 * s0_2)), 1);
                    v18 = fma((float4)(v29), v24, v18);
                    v19 = fma((float4)(v29), v25, v19);
                    float v30 = sn_load_f32x1(p0 + ((i7 * s0_0) + (i14 * s0_2)), 1);
                    v20 = fma((float4)(v30), v24, v20);
                    v21 = fma((float4)(v30), v25, v21);
                    float v31 = sn_load_f32x1(p0 + ((i8 * s0_0) + (i14 * s0_2)), 1);
                    v22 = fma((float4)(v31), v24, v22);
                    v23 = fma((float4)(v31), v25, v23);
                }
                v0 = v0 + v12;
                v1 = v1 + v13;
                v2 = v2 + v14;
                v3 = v3 + v15;
                v4 = v4 + v16;
                v5 = v5 + v17;
                v6 = v6 + v18;
                v7 = v7 + v19;
                v8 = v8 + v20;
                v9 = v9 + v21;
                v10 = v10 + v22;
                v11 = v11 + v23;
            }
            if ((i1 < n0)) {
                float4 v32 = v0;
                sn_store_f32x4(v32, p2 + ((i1 * s2_0) + i0), i9);
                float4 v33 = v1;
                sn_store_f32x4(v33, p2 + ((i1 * s2_0) + i10), i11);
            }
            if (((i1 + 1) < n0)) {
                float4 v34 = v2;
                sn_store_f32x4(v34, p2 + (((i1 + 1) * s2_0) + i0), i9);
                float4 v35 = v3;
                sn_store_f32x4(v35, p2 + (((i1 + 1) * s2_0) + i10), i11);
            }
            if (((i1 + 2) < n0)) {
                float4 v36 = v4;
                sn_store_f32x4(v36, p2 + (((i1 + 2) * s2_0) + i0), i9);
                float4 v37 = v5;
                sn_store_f32x4(v37, p2 + (((i1 + 2) * s2_0) + i10), i11);
            }
            if (((i1 + 3) < n0)) {
                float4 v38 = v6;
                sn_store_f32x4(v38, p2 + (((i1 + 3) * s2_0) + i0), i9);
                float4 v39 = v7;
                sn_store_f32x4(v39, p2 + (((i1 + 3) * s2_0) + i10), i11);
            }
            if (((i1 + 4) < n0)) {
                float4 v40 = v8;
                sn_store_f32x4(v40, p2 + (((i1 + 4) * s2_0) + i0), i9);
                float4 v41 = v9;
                sn_store_f32x4(v41, p2 + (((i1 + 4) * s2_0) + i10), i11);
            }
            if (((i1 + 5) < n0)) {
                float4 v42 = v10;
                sn_store_f32x4(v42, p2 + (((i1 + 5) * s2_0) + i0), i9);
                float4 v43 = v11;
                sn_store_f32x4(v43, p2 + (((i1 + 5) * s2_0) + i10), i11);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void add_relu_6c4c1f36555f5572(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int elements,
    int segment,
    uint magic1,
    uint shift1,
    int n1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    for (int i2 = i0; i2 < i1; i2 += 16) {
        int i3 = (int)clamp((i1 - i2), (int)0, (int)16);
        float16 v0 = sn_load_f32x16(p0 + i2, i3);
        int16 i4 = (i2 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        int16 i5 = as_int16(mul_hi(as_uint16(i4), (uint16)(magic1)) >> shift1);
        int16 i6 = (i4 - (i5 * n1));
        float16 v1 = sn_gather_f32x16(p1, i6, i3);
        float16 v2 = v0 + v1;
        float16 v3 = sn_max_f32x16(v2, (float16)(0));
        sn_store_f32x16(v3, p2 + i2, i3);
    }
}
