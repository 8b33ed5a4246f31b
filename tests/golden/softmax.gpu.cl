// e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void max_a7610a642c39ea0e(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t2[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i2 * 16384);
    int i6 = min((reduced - i5), 16384);
    float4 v0 = (float4)(0);
    int i7 = ((int)get_local_id(0) * 4);
    for (int i8 = i7; i8 < i6; i8 += 64) {
        int i9 = (i5 + i8);
        int i10 = (int)clamp((i6 - i8), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i9), i10);
        v0 = sn_fold_max_f32x4(v0, v1, (i8 < 64), i10);
    }
    float v2 = sn_group_tree_max_f32x4(v0, t2, min(i6, 64));
    if (((int)get_local_id(0) == 0)) {
        float v3 = v2;
        sn_store_f32x1(v3, p1 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sub_exp_0b748ea338e2d8d5(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int s0_0,
    int s1_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (i1 * s2_0);
        float v0 = sn_load_f32x1(p1 + i3, 1);
        int i5 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i2 + i0), i5);
        float4 v2 = v1 - (float4)(v0);
        float4 v3 = sn_exp_f32x4(v2);
        sn_store_f32x4(v3, p2 + (i4 + i0), i5);
    }
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void sum_2f4e1ab51be3799e(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int parts,
    int s0_0,
    int s1_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    __local float t2[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i2 * 16384);
    int i6 = min((reduced - i5), 16384);
    float4 v0 = (float4)(0);
    int i7 = ((int)get_local_id(0) * 4);
    for (int i8 = i7; i8 < i6; i8 += 64) {
        int i9 = (i5 + i8);
        int i10 = (int)clamp((i6 - i8), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i9), i10);
        v0 = sn_fold_sum_f32x4(v0, v1, (i8 < 64), i10);
    }
    float v2 = sn_group_tree_sum_f32x4(v0, t2, min(i6, 64));
    if (((int)get_local_id(0) == 0)) {
        float v3 = v2;
        sn_store_f32x1(v3, p1 + i4, 1);
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void div_9e56962c4eb0df6f(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int n1,
    int s0_0,
    int s1_0,
    int s2_0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (i1 * s2_0);
        float v0 = sn_load_f32x1(p1 + i3, 1);
        int i5 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i2 + i0), i5);
        float4 v2 = DIV(v1, (float4)(v0));
        sn_store_f32x4(v2, p2 + (i4 + i0), i5);
    }
}
