// z = mean(x, axis=0)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mean_24cb4a56df3fc613(
    __global const uchar *b0, ulong o0,
    __global uchar *bq, ulong oq,
    int reduced,
    int each,
    int units,
    int segments,
    int parts,
    int n0,
    int segment,
    int n1,
    int s0_1)
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
        int i7 = (i4 * segment);
        int i8 = min((i7 + segment), n0);
        int i9 = (i8 - i7);
        int i10 = (i9 / 16);
        int i11 = ((i9 + 15) / 16);
        int i12 = (i6 * 256);
        int i13 = min((i12 + 256), reduced);
        float16 v0[64];
        for (int i14 = 0; i14 < i11; i14 += 1) {
            int i15 = (i7 + (i14 * 16));
            int i16 = (int)clamp((n0 - i15), (int)0, (int)16);
            int i17 = (((i5 * parts) * n0) + i15);
            float16 v1 = (float16)(as_float(0x80000000u));
            v0[i14] = v1;
        }
        for (int i18 = i12; i18 < i13; i18 += 6) {
            int i19 = min((i18 + 6), i13);
            int i20 = (((i19 - i18) / 6) * i10);
            for (int i21 = 0; i21 < i20; i21 += 1) {
                int i22 = (i7 + (i21 * 16));
                int i23 = (((i5 * parts) * n0) + i22);
                float16 v2 = v0[i21];
#pragma unroll
                for (int i24 = 0; i24 < 6; i24 += 1) {
                    int i25 = (i18 + i24);
                    float16 v3 = sn_load_f32x16(p0 + (i25 * s0_1) + i22, 16);
                    v2 = v2 + v3;
                }
                v0[i21] = v2;
            }
            for (int i26 = i20; i26 < i11; i26 += 1) {
                int i27 = (i7 + (i26 * 16));
                int i28 = (int)clamp((n0 - i27), (int)0, (int)16);
                int i29 = (((i5 * parts) * n0) + i27);
                float16 v4 = v0[i26];
                for (int i30 = i18; i30 < i19; i30 += 1) {
                    float16 v5 = sn_load_f32x16(p0 + (i30 * s0_1) + i27, i28);
                    v4 = v4 + v5;
                }
                v0[i26] = v4;
            }
        }
        for (int i31 = 0; i31 < i11; i31 += 1) {
            int i32 = (i7 + (i31 * 16));
            int i33 = (int)clamp((n0 - i32), (int)0, (int)16);
            int i34 = (((i5 * parts) * n0) + i32);
            float16 v6 = v0[i31];
            sn_store_f32x16(v6, q0 + i34 + (i6 * n0), i33);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mean_ab73be469195483c(
    __global uchar *b1, ulong o1,
    __global uchar *bq, ulong oq,
    int each,
    int units,
    int segments,
    int n0,
    int parts,
    int reduced)
{
    __global float *p1 = (__global float *)(b1 + o1);
    __global float *q0 = (__global float *)(bq + oq);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 / segments);
        int i4 = (i2 - (i3 * segments));
        int i5 = (i4 * 16);
        int i6 = (int)clamp((n0 - i5), (int)0, (int)16);
        int i7 = (((i3 * parts) * n0) + i5);
        float16 v0 = sn_column_tree_mean_f32x16(q0 + i7, n0, parts, i6);
        float16 v1 = DIV(v0, (float16)((float)reduced));
        float16 v2 = v1;
        sn_store_f32x16(v2, p1 + i5, i6);
    }
}
