// z = relu(x @ a + bias)

__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void matmul_68653c8c9db72dab(
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
    int i0 = ((int)get_global_id(0) * 4);
    int i1 = ((int)get_global_id(1) * 4);
    if ((i0 < n1)) {
        if ((i1 < n0)) {
            int i2 = (n0 - 1);
            int i3 = min(i1, i2);
            int i4 = min((i1 + 1), i2);
            int i5 = min((i1 + 2), i2);
            int i6 = min((i1 + 3), i2);
            int i7 = (int)clamp((n1 - i0), (int)0, (int)4);
            float4 v0 = (float4)(0);
            float4 v1 = (float4)(0);
            float4 v2 = (float4)(0);
            float4 v3 = (float4)(0);
            for (int i8 = 0; i8 < reduced; i8 += 256) {
                float4 v4 = (float4)(0);
                float4 v5 = (float4)(0);
                float4 v6 = (float4)(0);
                float4 v7 = (float4)(0);
                int i9 = min((i8 + 256), reduced);
                for (int i10 = i8; i10 < i9; i10 += 1) {
                    float4 v8 = sn_load_f32x4(p1 + ((i10 * s1_2) + i0), i7);
                    float v9 = sn_load_f32x1(p0 + ((i3 * s0_0) + (i10 * s0_2)), 1);
                    v4 = fma((float4)(v9), v8, v4);
                    float v10 = sn_load_f32x1(p0 + ((i4 * s0_0) + (i10 * s0_2)), 1);
                    v5 = fma((float4)(v10), v8, v5);
                    float v11 = sn_load_f32x1(p0 + ((i5 * s0_0) + (i10 * s0_2)), 1);
                    v6 = fma((float4)(v11), v8, v6);
                    float v12 = sn_load_f32x1(p0 + ((i6 * s0_0) + (i10 * s0_2)), 1);
                    v7 = fma((float4)(v12), v8, v7);
                }
                v0 = v0 + v4;
                v1 = v1 + v5;
                v2 = v2 + v6;
                v3 = v3 + v7;
            }
            if ((i1 < n0)) {
                float4 v13 = v0;
                sn_store_f32x4(v13, p2 + ((i1 * s2_0) + i0), i7);
            }
            if (((i1 + 1) < n0)) {
                float4 v14 = v1;
                sn_store_f32x4(v14, p2 + (((i1 + 1) * s2_0) + i0), i7);
            }
            if (((i1 + 2) < n0)) {
                float4 v15 = v2;
                sn_store_f32x4(v15, p2 + (((i1 + 2) * s2_0) + i0), i7);
            }
            if (((i1 + 3) < n0)) {
                float4 v16 = v3;
                sn_store_f32x4(v16, p2 + (((i1 + 3) * s2_0) + i0), i7);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void add_relu_6311116b4f5bb114(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int s0_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s2_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v0 = sn_load_f32x4(p0 + (i2 + i0), i4);
        float4 v1 = sn_load_f32x4(p1 + i0, i4);
        float4 v2 = v0 + v1;
        float4 v3 = sn_max_f32x4(v2, (float4)(0));
        sn_store_f32x4(v3, p2 + (i3 + i0), i4);
    }
}
