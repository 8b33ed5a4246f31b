// z = transpose(x[::-2, 3:30], (1, 0)) + 1; w = flip(y, axis=1) * 2

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void add_926c284c00865fea(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int segments,
    int n0,
    int n1,
    int s0_1,
    int s1_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
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
            float4 v2 = sn_pick_f32x4(v1, i14, i12);
            float4 v3 = v2 + (float4)(c0);
            sn_store_f32x4(v3, p1 + i16 + i11, i12);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mul_5d1eaa720f6b413f(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    int n1,
    int s0_0,
    int s1_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global float *p1 = (__global float *)(b1 + o1);
    int i0 = ((int)get_global_id(0) * 4);
    if ((i0 < n1)) {
        int i1 = (int)get_global_id(1);
        int i2 = (i1 * s0_0);
        int i3 = (i1 * s1_0);
        int i4 = (int)clamp((n1 - i0), (int)0, (int)4);
        float4 v1 = sn_load_back_f32x4(p0 + i2 + (i0 * -1), i4);
        float4 v2 = v1 * (float4)(c0);
        sn_store_f32x4(v2, p1 + i3 + i0, i4);
    }
}
