// z = transpose(x * 2) + reshape(y, (40, 300)); w = transpose(reshape(x, (5, 60, 40)), (0, 2, 1)) * 2

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_add_07e3598e2bd5b08a(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int segments,
    int n0,
    int n1,
    int s0_1,
    int s1_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / segments);
    int i2 = (i0 - (i1 * segments));
    int i3 = (i1 * 32);
    int i4 = min((n0 - i3), 32);
    int i5 = (i2 * 32);
    int i6 = min((n1 - i5), 32);
    __local float v1[1056];
    sn_lay_f32x4(v1, p0 + i3 + (i5 * s0_1), s0_1, i4, i6, 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    int i7 = (int)get_local_id(0);
    int i8 = (i7 / 8);
    int i9 = (i7 - (i8 * 8));
    int i10 = (i9 * 4);
    if ((i10 < i6)) {
        int i11 = (i5 + i10);
        int i12 = (int)clamp((i6 - i10), (int)0, (int)4);
        for (int i13 = i8; i13 < i4; i13 += 32) {
            int i14 = ((i13 * 33) + i10);
            int i15 = (i3 + i13);
            int i16 = (i15 * s1_0);
            int i17 = (i15 * s2_0);
            float4 v2 = sn_pick_f32x4(v1, i14, i12);
            float4 v3 = v2 * (float4)(c0);
            float4 v4 = sn_load_f32x4(p1 + i16 + i11, i12);
            float4 v5 = v3 + v4;
            sn_store_f32x4(v5, p2 + i17 + i11, i12);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_331400b967f89f00(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int segments,
    int parts,
    int s0_0,
    int s1_0,
    int n1,
    int n2,
    int s0_2,
    int s1_1,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / segments);
    int i2 = (i0 - (i1 * segments));
    int i3 = (i1 / parts);
    int i4 = (i1 - (i3 * parts));
    int i5 = (i3 * s0_0);
    int i6 = (i3 * s1_0);
    int i7 = (i4 * 32);
    int i8 = min((n1 - i7), 32);
    int i9 = (i2 * 32);
    int i10 = min((n2 - i9), 32);
    __local float v1[1056];
    sn_lay_f32x4(v1, p0 + i5 + i7 + (i9 * s0_2), s0_2, i8, i10, 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    int i11 = (int)get_local_id(0);
    int i12 = (i11 / 8);
    int i13 = (i11 - (i12 * 8));
    int i14 = (i13 * 4);
    if ((i14 < i10)) {
        int i15 = (i9 + i14);
        int i16 = (int)clamp((i10 - i14), (int)0, (int)4);
        for (int i17 = i12; i17 < i8; i17 += 32) {
            int i18 = ((i17 * 33) + i14);
            int i19 = (i7 + i17);
            int i20 = (i6 + (i19 * s1_1));
            float4 v2 = sn_pick_f32x4(v1, i18, i16);
            float4 v3 = v2 * (float4)(c0);
            sn_store_f32x4(v3, p1 + i20 + i15, i16);
        }
    }
}
