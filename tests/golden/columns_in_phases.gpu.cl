// e = exp(x - max(x, axis=0)); z = e / sum(e, axis=0)

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_db5ab9d489b62e8b(
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
    int s1_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
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
        float4 v0 = (float4)(as_float(0xff800000u));
        for (int i12 = i10; i12 < i11; i12 += 1) {
            float4 v1 = sn_load_f32x4(p0 + (i12 * s0_1) + i7, i8);
            v0 = sn_larger_f32x4(v0, v1);
        }
        sn_store_f32x4(v0, q0 + i9 + (i6 * n0), i8);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_d944d917ec046bd3(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int parts,
    int segment)
{
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_larger_f32x1(q0 + i7, segment, parts);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_2323029631bd4bec(
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
    int s1_1,
    int region)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
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
        float4 v0 = sn_load_f32x4(q0 + i9, i8);
        float4 v1 = v0;
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        float4 v2 = (float4)(as_float(0x80000000u));
        for (int i12 = i10; i12 < i11; i12 += 1) {
            float4 v3 = sn_load_f32x4(p0 + (i12 * s0_1) + i7, i8);
            float4 v4 = v3 - v1;
            float4 v5 = sn_exp_below_f32x4(v4);
            v2 = v2 + v5;
        }
        sn_store_f32x4(v2, q1 + i9 + (i6 * n0), i8);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_6045185a59c2ed06(
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int parts,
    int segment,
    int region)
{
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 / segment);
        int i6 = (i2 - (i5 * segment));
        int i7 = (((i5 * parts) * segment) + i6);
        float v0 = sn_memory_tree_sum_f32x1(q1 + i7, segment, parts);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void max_sub_exp_sum_div_f4b00fd6b187f759(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int region,
    int n1,
    int s0_1,
    int s1_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    __global float *q1 = (__global float *)(bq + oq + 1 * region);
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
        float4 v0 = sn_load_f32x4(q0 + i9, i8);
        float4 v1 = v0;
        float4 v2 = sn_load_f32x4(q1 + i9, i8);
        float4 v3 = v2;
        int i10 = (i6 * 256);
        int i11 = min((i10 + 256), reduced);
        for (int i12 = i10; i12 < i11; i12 += 1) {
            float4 v4 = sn_load_f32x4(p0 + (i12 * s0_1) + i7, i8);
            float4 v5 = v4 - v1;
            float4 v6 = sn_exp_below_f32x4(v5);
            float4 v7 = DIV(v6, v3);
            sn_store_f32x4(v7, p1 + (i12 * s1_1) + i7, i8);
        }
    }
}
