// z = gelu(x + row)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void add_gelu_d0232e028772aa61(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int elements,
    int segment,
    int n1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * segment);
    int i1 = min((i0 + segment), elements);
    int i2 = (n1 - 1);
    int i3 = (16 % n1);
    int i4 = (i0 % n1);
    int i5 = (i2 + 16);
    float16 v0[5];
    for (int i6 = 0; i6 < n1; i6 += 1) {
        float v1 = sn_load_f32x1(p1 + i6, 1);
        for (int i7 = i6; i7 < i5; i7 += n1) {
            ((float *)v0)[i7] = v1;
        }
    }
    for (int i8 = i0; i8 < i1; i8 += 16) {
        int i9 = (int)clamp((i1 - i8), (int)0, (int)16);
        float16 v2 = sn_load_f32x16(p0 + i8, i9);
        float16 v3 = vload16(0, (float *)v0 + i4);
        float16 v4 = v2 + v3;
        float16 v5 = sn_gelu_f32x16(v4);
        sn_store_f32x16(v5, p2 + i8, i9);
        int i10 = (i4 + i3);
        i4 = (i10 - ((i2 < i10) * n1));
    }
}
