// z = cumsum(x * row, axis=0) * col + y

__kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void mul_cumsum_mul_add_8ec1fa917f48123e(
    __global const uchar *b0, ulong o0,
    __global const uchar *b1, ulong o1,
    __global const uchar *b2, ulong o2,
    __global const uchar *b3, ulong o3,
    __global uchar *b4, ulong o4,
    int n0,
    int segments,
    int reduced,
    int s0_1,
    int s2_1,
    int s3_1,
    int s4_1)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global const float *p2 = (__global const float *)(b2 + o2);
    __global const float *p3 = (__global const float *)(b3 + o3);
    __global float *p4 = (__global float *)(b4 + o4);
    int i0 = (int)get_group_id(0);
    int i1 = (i0 / segments);
    int i2 = (i0 - (i1 * segments));
    int i3 = (((i2 * 16) + (int)get_local_id(0)) * 4);
    int i4 = (int)clamp((n0 - i3), (int)0, (int)4);
    float4 v0 = sn_load_f32x4(p1 + i3, i4);
    __local float4 v1[128];
    __local float4 v2[128];
    float4 v3 = (float4)(0);
    float4 v4 = (float4)(0);
    float4 v5 = (float4)(0);
    float4 v6 = (float4)(0);
    float4 v7[12];
    for (int i5 = 0; i5 < reduced; i5 += 4096) {
        if ((((int)get_local_id(1) == 0) && (0 < i5))) {
            v6 = sn_scan_next_cumsum_f32x4(v7, v4, (i5 / 4096));
        }
        int i6 = min((i5 + 4096), reduced);
        for (int i7 = i5; i7 < i6; i7 += 512) {
            int i8 = min((i7 + 512), i6);
            int i9 = (i8 - i7);
            int i10 = ((i9 + 63) / 64);
            for (int i11 = (int)get_local_id(1); i11 < i10; i11 += 8) {
                int i12 = (i7 + (i11 * 64));
                int i13 = min((i12 + 64), i8);
                for (int i14 = i12; i14 < i13; i14 += 4) {
                    float4 v8 = sn_load_f32x4(p0 + (i14 * s0_1) + i3, i4);
                    float4 v9 = v8 * v0;
                    int i15 = (i14 + 1);
                    int i16 = min(i15, (i13 - 1));
                    float4 v10 = sn_load_f32x4(p0 + (i16 * s0_1) + i3, i4);
                    float4 v11 = v10 * v0;
                    int i17 = (i14 + 2);
                    int i18 = min(i17, (i13 - 1));
                    float4 v12 = sn_load_f32x4(p0 + (i18 * s0_1) + i3, i4);
                    float4 v13 = v12 * v0;
                    int i19 = (i14 + 3);
                    int i20 = min(i19, (i13 - 1));
                    float4 v14 = sn_load_f32x4(p0 + (i20 * s0_1) + i3, i4);
                    float4 v15 = v14 * v0;
                    v3 = sn_append_cumsum_f32x4(v3, v9, (i14 == i12));
                    if ((i15 < i13)) {
                        v3 = sn_append_cumsum_f32x4(v3, v11, 0);
                    }
                    if ((i17 < i13)) {
                        v3 = sn_append_cumsum_f32x4(v3, v13, 0);
                    }
                    if ((i19 < i13)) {
                        v3 = sn_append_cumsum_f32x4(v3, v15, 0);
                    }
                }
                v1[((i11 * 16) + (int)get_local_id(0))] = v3;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (((int)get_local_id(1) == 0)) {
                float4 v16 = v1[(int)get_local_id(0)];
                v5 = sn_scan_carry_cumsum_f32x4(v6, v4, (i7 == i5), (i5 == 0));
                v2[(int)get_local_id(0)] = v5;
                v4 = sn_append_cumsum_f32x4(v4, v16, (i7 == i5));
                for (int i21 = 1; i21 < i10; i21 += 1) {
                    float4 v17 = v1[((i21 * 16) + (int)get_local_id(0))];
                    v5 = sn_scan_carry_cumsum_f32x4(v6, v4, 0, (i5 == 0));
                    v2[((i21 * 16) + (int)get_local_id(0))] = v5;
                    v4 = sn_append_cumsum_f32x4(v4, v17, 0);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int i22 = (int)get_local_id(1); i22 < i10; i22 += 8) {
                int i23 = (i7 + (i22 * 64));
                int i24 = min((i23 + 64), i8);
                float4 v18 = v2[((i22 * 16) + (int)get_local_id(0))];
                for (int i25 = i23; i25 < i24; i25 += 4) {
                    float4 v19 = sn_load_f32x4(p0 + (i25 * s0_1) + i3, i4);
                    float4 v20 = v19 * v0;
                    float v21 = sn_load_f32x1(p2 + (i25 * s2_1), 1);
                    float4 v22 = sn_load_f32x4(p3 + (i25 * s3_1) + i3, i4);
                    int i26 = (i25 + 1);
                    int i27 = min(i26, (i24 - 1));
                    float4 v23 = sn_load_f32x4(p0 + (i27 * s0_1) + i3, i4);
                    float4 v24 = v23 * v0;
                    float v25 = sn_load_f32x1(p2 + (i27 * s2_1), 1);
                    float4 v26 = sn_load_f32x4(p3 + (i27 * s3_1) + i3, i4);
                    int i28 = (i25 + 2);
                    int i29 = min(i28, (i24 - 1));
                    float4 v27 = sn_load_f32x4(p0 + (i29 * s0_1) + i3, i4);
                    float4 v28 = v27 * v0;
                    float v29 = sn_load_f32x1(p2 + (i29 * s2_1), 1);
                    float4 v30 = sn_load_f32x4(p3 + (i29 * s3_1) + i3, i4);
                    int i30 = (i25 + 3);
                    int i31 = min(i30, (i24 - 1));
                    float4 v31 = sn_load_f32x4(p0 + (i31 * s0_1) + i3, i4);
                    float4 v32 = v31 * v0;
                    float v33 = sn_load_f32x1(p2 + (i31 * s2_1), 1);
                    float4 v34 = sn_load_f32x4(p3 + (i31 * s3_1) + i3, i4);
                    v3 = sn_append_cumsum_f32x4(v3, v20, (i25 == i23));
                    float4 v35 = sn_append_cumsum_f32x4(v18, v3, (i23 == 0));
                    float4 v36 = v35;
                    float4 v37 = v36 * (float4)(v21);
                    float4 v38 = v37 + v22;
                    sn_store_f32x4(v38, p4 + (i25 * s4_1) + i3, i4);
                    if ((i26 < i24)) {
                        v3 = sn_append_cumsum_f32x4(v3, v24, 0);
                        float4 v39 = sn_append_cumsum_f32x4(v18, v3, (i23 == 0));
                        float4 v40 = v39;
                        float4 v41 = v40 * (float4)(v25);
                        float4 v42 = v41 + v26;
                        sn_store_f32x4(v42, p4 + (i26 * s4_1) + i3, i4);
                    }
                    if ((i28 < i24)) {
                        v3 = sn_append_cumsum_f32x4(v3, v28, 0);
                        float4 v43 = sn_append_cumsum_f32x4(v18, v3, (i23 == 0));
                        float4 v44 = v43;
                        float4 v45 = v44 * (float4)(v29);
                        float4 v46 = v45 + v30;
                        sn_store_f32x4(v46, p4 + (i28 * s4_1) + i3, i4);
                    }
                    if ((i30 < i24)) {
                        v3 = sn_append_cumsum_f32x4(v3, v32, 0);
                        float4 v47 = sn_append_cumsum_f32x4(v18, v3, (i23 == 0));
                        float4 v48 = v47;
                        float4 v49 = v48 * (float4)(v33);
                        float4 v50 = v49 + v34;
                        sn_store_f32x4(v50, p4 + (i30 * s4_1) + i3, i4);
                    }
                }
            }
        }
    }
}
