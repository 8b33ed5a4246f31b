// z = sum(x * y, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void mul_sum_9f4a50d1615e54d6(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int each,
    int units,
    int parts,
    int s0_0,
    int s1_0,
    int s2_0,
    int reduced)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / parts);
        int i4 = (i2 - (i3 * parts));
        int i5 = (i3 * s0_0);
        int i6 = (i3 * s1_0);
        int i7 = (i3 * s2_0);
        int i8 = (i4 * 16384);
        int i9 = min((reduced - i8), 16384);
        float16 v0[4];
        for (int k = 0; k < 4; k++)
            v0[k] = (float16)(0);
        for (int i10 = 0; i10 < i9; i10 += 16) {
            int i11 = (i8 + i10);
            int i12 = (int)clamp((i9 - i10), (int)0, (int)16);
            float16 v1 = sn_load_f32x16(p0 + (i5 + i11), i12);
            float16 v2 = sn_load_f32x16(p1 + (i6 + i11), i12);
            float16 v3 = v1 * v2;
            int k0 = ((i10 % 64) / 16);
            v0[k0] = sn_fold_sum_f32x16(v0[k0], v3, (i10 < 64), i12);
        }
        float v4 = sn_tree_sum_f32x16(v0, min(i9, 64));
        float v5 = v4;
        sn_store_f32x1(v5, p2 + i7, 1);
    }
}
