// s = std(x, axis=0)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void devsq_div_sqrt_06dff562f26b7ecb(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int n1,
    int s0_1,
    int region,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i3 / parts);
        int i6 = (i3 - (i5 * parts));
        int i7 = (i4 * 4);
        int i8 = (int)clamp((n0 - i7), (int)0, (int)4);
        int i9 = (((i5 * parts) * n0) + i7);
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        int i12 = (i11 - i10);
        float4 v1 = (float4)(as_float(0x80000000u));
        for (int i13 = i10; i13 < i11; i13 += 1) {
            float4 v2 = sn_load_f32x4(p0 + (i13 * s0_1) + i7, i8);
            v1 = v1 + v2;
        }
        float4 v3 = DIV(v1, (float4)((float)i12));
        float4 v4 = (float4)(as_float(0x80000000u));
        float4 v5 = (float4)(as_float(0x80000000u));
        for (int i14 = i10; i14 < i11; i14 += 1) {
            float4 v6 = sn_load_f32x4(p0 + (i14 * s0_1) + i7, i8);
            float4 v7 = v6 - v3;
            float4 v8 = v7 * v7;
            v4 = v4 + v7;
            v5 = v5 + v8;
        }
        uint v9 = (uint)(i12);
        float v10 = sn_u32_to_f32_x1(v9);
        float4 v11 = DIV(v4, (float4)((float)i12));
        float4 v12 = v4 * v11;
        float4 v13 = v5 - v12;
        float4 v14 = sn_max_f32x4(v13, (float4)(0));
        sn_store_f32x4((float4)(v10), q0 + i9 + (i6 * n0), i8);
        sn_store_f32x4(v3, q1 + i9 + (i6 * n0), i8);
        sn_store_f32x4(v11, q2 + i9 + (i6 * n0), i8);
        sn_store_f32x4(v14, q3 + i9 + (i6 * n0), i8);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void devsq_div_sqrt_db9c73393103b7be(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int parts,
    int segment,
    int region,
    float c0)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    __global float *q2 = (__global float *)(bq + oq + 2 * region);
    __global float *q3 = (__global float *)(bq + oq + 3 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        sn_spread_tree_sum_f32x1(q0 + i7, q1 + i7, q2 + i7, q3 + i7, segment, parts, 1);
        float v1 = sn_load_f32x1(q3 + i7, 1);
        float v2 = v1;
        float v3 = DIV(v2, c0);
        float v4 = sqrt(v3);
        sn_store_f32x1(v4, p1 + i4, 1);
    }
}
