// p = x * s + 1; q = v * s + 1

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_add_8b2809bb5b417bf6(
    __global uchar *m0,
    __global uchar *m1,
    __global uchar *m2,
    __global uchar *m3,
    sn_rows_20 all)
{
    for (int row = 0; row < 2; row++) {
        const uint *list = all.w + row * 10;
        const uint w0 = list[0];
        if (w0 == 2147483647)
            break;
        const int id = (int)((get_global_id(0) + w0) % get_global_size(0));
        const uint w1 = list[1];
        const uint w2 = list[2];
        const uint k0 = w2 >> 24;
        __global const uchar *b0 = k0 == 1 ? m1 : k0 == 2 ? m2 : k0 == 3 ? m3 : m0;
        const ulong o0 = (ulong)(w2 & 0xffffffu) << 32 | w1;
        const uint w3 = list[3];
        const uint w4 = list[4];
        const uint k1 = w4 >> 24;
        __global const uchar *b1 = k1 == 1 ? m1 : k1 == 2 ? m2 : k1 == 3 ? m3 : m0;
        const ulong o1 = (ulong)(w4 & 0xffffffu) << 32 | w3;
        const uint w5 = list[5];
        const uint w6 = list[6];
        const uint k2 = w6 >> 24;
        __global uchar *b2 = k2 == 1 ? m1 : k2 == 2 ? m2 : k2 == 3 ? m3 : m0;
        const ulong o2 = (ulong)(w6 & 0xffffffu) << 32 | w5;
        const uint w7 = list[7];
        const int n0 = as_int(w7);
        const uint w8 = list[8];
        const int segment = as_int(w8);
        const uint w9 = list[9];
        const float c0 = as_float(w9);
        __global const float *p0 = (__global const float *)(b0 + o0);
        __global const float *p1 = (__global const float *)(b1 + o1);
        __global float *p2 = (__global float *)(b2 + o2);
        float v1 = sn_load_f32x1(p1 + 0, 1);
        int i0 = ((int)id * segment);
        int i1 = min((i0 + segment), n0);
        int i2 = ((i1 - i0) % 32);
        int i3 = (i1 - i2);
        for (int i4 = i0; i4 < i3; i4 += 32) {
            float16 v2 = sn_load_f32x16(p0 + i4, 16);
            float16 v3 = sn_load_f32x16(p0 + i4 + 16, 16);
            float16 v4 = v2 * (float16)(v1);
            float16 v5 = v3 * (float16)(v1);
            float16 v6 = v4 + (float16)(c0);
            float16 v7 = v5 + (float16)(c0);
            sn_store_f32x16(v6, p2 + i4, 16);
            sn_store_f32x16(v7, p2 + i4 + 16, 16);
        }
        for (int i5 = i3; i5 < i1; i5 += 16) {
            int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + i5, i6);
            float16 v9 = v8 * (float16)(v1);
            float16 v10 = v9 + (float16)(c0);
            sn_store_f32x16(v10, p2 + i5, i6);
        }
    }
}
