// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void mul_sum_4d93fa17c1f2d0ba(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    __local float t4[64];
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / parts);
    int i2 = (i0 - (i1 * parts));
    int i3 = (i1 * s0_0);
    int i4 = (i1 * s1_0);
    int i5 = (i1 * s2_0);
    int i6 = (i2 * 16384);
    int i7 = min((reduced - i6), 16384);
    float4 v0 = (float4)(0);
    int i8 = ((int)get_local_id(0) * 4);
    for (int i9 = i8; i9 < i7; i9 += 64) {
        int i10 = (i6 + i9);
        int i11 = (int)clamp((i7 - i9), (int)0, (int)4);
        float4 v1 = sn_load_f32x4(p0 + (i3 + i10), i11);
        float4 v2 = sn_load_f32x4(p1 + (i4 + i10), i11);
        float4 v3 = v1 * v2;
        v0 = sn_fold_sum_f32x4(v0, v3, (i9 < 64), i11);
    }
    float v4 = sn_group_tree_sum_f32x4(v0, t4, min(i7, 64));
    if (((int)get_local_id(0) == 0)) {
        float v5 = v4;
        sn_store_f32x1(v5, p2 + i5, 1);
    }
}
