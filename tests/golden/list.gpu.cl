// p = x * s + 1; q = v * s + 1

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void mul_add_ad103c0fdf1566ce(
    __global uchar *m0,
    __global uchar *m1,
    __global uchar *m2,
    __global uchar *m3,
    sn_rows_20 all)
{
    const int item = (int)get_global_id(0);
    const int group = (int)get_group_id(0) * 256;
    const uint r1 = (uint)(group >= (int)all.w[10]);
    const uint w0 = select(all.w[0], all.w[10], r1);
    const int id = item - (int)w0;
    const uint w1 = select(all.w[1], all.w[11], r1);
    const uint w2 = select(all.w[2], all.w[12], r1);
    const uint k0 = w2 >> 24;
    __global const uchar *b0 = k0 == 1 ? m1 : k0 == 2 ? m2 : k0 == 3 ? m3 : m0;
    const ulong o0 = (ulong)(w2 & 0xffffffu) << 32 | w1;
    const uint w3 = select(all.w[3], all.w[13], r1);
    const uint w4 = select(all.w[4], all.w[14], r1);
    const uint k1 = w4 >> 24;
    __global const uchar *b1 = k1 == 1 ? m1 : k1 == 2 ? m2 : k1 == 3 ? m3 : m0;
    const ulong o1 = (ulong)(w4 & 0xffffffu) << 32 | w3;
    const uint w5 = select(all.w[5], all.w[15], r1);
    const uint w6 = select(all.w[6], all.w[16], r1);
    const uint k2 = w6 >> 24;
    __global uchar *b2 = k2 == 1 ? m1 : k2 == 2 ? m2 : k2 == 3 ? m3 : m0;
    const ulong o2 = (ulong)(w6 & 0xffffffu) << 32 | w5;
    const uint w7 = select(all.w[7], all.w[17], r1);
    const int n0 = as_int(w7);
    const uint w8 = select(all.w[8], all.w[18], r1);
    const float c0 = as_float(w8);
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)id * 4);
    if ((i0 < n0)) {
        float v1 = sn_load_f32x1(p1 + 0, 1);
        int i1 = (int)clamp((n0 - i0), (int)0, (int)4);
        float4 v2 = sn_load_f32x4(p0 + i0, i1);
        float4 v3 = v2 * (float4)(v1);
        float4 v4 = v3 + (float4)(c0);
        sn_store_f32x4(v4, p2 + i0, i1);
    }
}
