// p = argmax(x, axis=1); s = var(x, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void argmax_devsq_div_72a5e9b648af2cff(
    __global const uchar *b0, ulong o0,
    __global uchar *b1, ulong o1,
    __global uchar *b2, ulong o2,
    int reduced,
    int each,
    int units,
    int s0_0,
    int s1_0,
    int s2_0,
    float c0)
{
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global ulong *p1 = (__global ulong *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    int i0 = ((int)get_global_id(0) * each);
    int i1 = min((i0 + each), units);
    for (int i2 = i0; i2 < i1; i2 += 1) {
        int i3 = (i2 * s0_0);
        int i4 = (i2 * s1_0);
        int i5 = (i2 * s2_0);
        float16 v1 = (float16)(as_float(0xff800000u));
        float16 v2 = (float16)(as_float(0xff800000u));
        float16 v3 = (float16)(as_float(0xff800000u));
        float16 v4 = (float16)(as_float(0xff800000u));
        float16 v5 = (float16)(as_float(0x80000000u));
        float16 v6 = (float16)(as_float(0x80000000u));
        float16 v7 = (float16)(as_float(0x80000000u));
        float16 v8 = (float16)(as_float(0x80000000u));
        int i6 = ((reduced / 64) * 64);
        for (int i7 = 0; i7 < i6; i7 += 64) {
            float16 v9 = sn_load_f32x16(p0 + i3 + i7, 16);
            v1 = sn_max_of_f32x16(v1, v9);
            v5 = v5 + v9;
            int i8 = (i7 + 16);
            float16 v10 = sn_load_f32x16(p0 + i3 + i8, 16);
            v2 = sn_max_of_f32x16(v2, v10);
            v6 = v6 + v10;
            int i9 = (i7 + 32);
            float16 v11 = sn_load_f32x16(p0 + i3 + i9, 16);
            v3 = sn_max_of_f32x16(v3, v11);
            v7 = v7 + v11;
            int i10 = (i7 + 48);
            float16 v12 = sn_load_f32x16(p0 + i3 + i10, 16);
            v4 = sn_max_of_f32x16(v4, v12);
            v8 = v8 + v12;
        }
        if (RARELY((reduced - i6))) {
            for (int i11 = i6; i11 < reduced; i11 += 16) {
                int i12 = (int)clamp((reduced - i11), (int)0, (int)16);
                float16 v13 = sn_load_f32x16(p0 + i3 + i11, i12);
                int i13 = ((i11 % 64) / 16);
                if ((i13 == 0)) {
                    v1 = sn_fold_max_f32x16(v1, v13, i12);
                    v5 = sn_fold_sum_f32x16(v5, v13, i12);
                }
                if ((i13 == 1)) {
                    v2 = sn_fold_max_f32x16(v2, v13, i12);
                    v6 = sn_fold_sum_f32x16(v6, v13, i12);
                }
                if ((i13 == 2)) {
                    v3 = sn_fold_max_f32x16(v3, v13, i12);
                    v7 = sn_fold_sum_f32x16(v7, v13, i12);
                }
                if ((i13 == 3)) {
                    v4 = sn_fold_max_f32x16(v4, v13, i12);
                    v8 = sn_fold_sum_f32x16(v8, v13, i12);
                }
            }
        }
        v1 = sn_max_of_f32x16(v1, v3);
        v2 = sn_max_of_f32x16(v2, v4);
        v1 = sn_max_of_f32x16(v1, v2);
        float v14 = sn_lane_tree_max_f32x16(v1);
        v5 = v5 + v7;
        v6 = v6 + v8;
        v5 = v5 + v6;
        float v15 = sn_lane_tree_sum_f32x16(v5);
        float v16 = DIV(v15, (float)((float)reduced));
        uint16 v17 = (uint16)(0xffffffffu);
        uint16 v18 = (uint16)(0xffffffffu);
        uint16 v19 = (uint16)(0xffffffffu);
        uint16 v20 = (uint16)(0xffffffffu);
        float16 v21 = (float16)(as_float(0x80000000u));
        float16 v22 = (float16)(as_float(0x80000000u));
        float16 v23 = (float16)(as_float(0x80000000u));
        float16 v24 = (float16)(as_float(0x80000000u));
        float16 v25 = (float16)(as_float(0x80000000u));
        float16 v26 = (float16)(as_float(0x80000000u));
        float16 v27 = (float16)(as_float(0x80000000u));
        float16 v28 = (float16)(as_float(0x80000000u));
        int i14 = ((reduced / 64) * 64);
        for (int i15 = 0; i15 < i14; i15 += 64) {
            float16 v29 = sn_load_f32x16(p0 + i3 + i15, 16);
            uint16 v30 = select((uint16)(0), (uint16)(1), v29 == (float16)(v14));
            uint16 v31 = select((uint16)(0), (uint16)(1), v29 != v29);
            uint16 v32 = v30 | v31;
            uint16 v33 = convert_uint16(i15 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v34 = (uint)(16384);
            uint16 v35 = 0 != (v32) ? v33 : (uint16)(v34);
            float16 v36 = v29 - (float16)(v16);
            float16 v37 = v36 * v36;
            v17 = sn_umin_w32x16(v17, v35);
            v21 = v21 + v36;
            v25 = v25 + v37;
            int i16 = (i15 + 16);
            float16 v38 = sn_load_f32x16(p0 + i3 + i16, 16);
            uint16 v39 = select((uint16)(0), (uint16)(1), v38 == (float16)(v14));
            uint16 v40 = select((uint16)(0), (uint16)(1), v38 != v38);
            uint16 v41 = v39 | v40;
            uint16 v42 = convert_uint16((i15 + 16) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v43 = (uint)(16384);
            uint16 v44 = 0 != (v41) ? v42 : (uint16)(v43);
            float16 v45 = v38 - (float16)(v16);
            float16 v46 = v45 * v45;
            v18 = sn_umin_w32x16(v18, v44);
            v22 = v22 + v45;
            v26 = v26 + v46;
            int i17 = (i15 + 32);
            float16 v47 = sn_load_f32x16(p0 + i3 + i17, 16);
            uint16 v48 = select((uint16)(0), (uint16)(1), v47 == (float16)(v14));
            uint16 v49 = select((uint16)(0), (uint16)(1), v47 != v47);
            uint16 v50 = v48 | v49;
            uint16 v51 = convert_uint16((i15 + 32) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v52 = (uint)(16384);
            uint16 v53 = 0 != (v50) ? v51 : (uint16)(v52);
            float16 v54 = v47 - (float16)(v16);
            float16 v55 = v54 * v54;
            v19 = sn_umin_w32x16(v19, v53);
            v23 = v23 + v54;
            v27 = v27 + v55;
            int i18 = (i15 + 48);
            float16 v56 = sn_load_f32x16(p0 + i3 + i18, 16);
            uint16 v57 = select((uint16)(0), (uint16)(1), v56 == (float16)(v14));
            uint16 v58 = select((uint16)(0), (uint16)(1), v56 != v56);
            uint16 v59 = v57 | v58;
            uint16 v60 = convert_uint16((i15 + 48) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v61 = (uint)(16384);
            uint16 v62 = 0 != (v59) ? v60 : (uint16)(v61);
            float16 v63 = v56 - (float16)(v16);
            float16 v64 = v63 * v63;
            v20 = sn_umin_w32x16(v20, v62);
            v24 = v24 + v63;
            v28 = v28 + v64;
        }
        if (RARELY((reduced - i14))) {
            for (int i19 = i14; i19 < reduced; i19 += 16) {
                int i20 = (int)clamp((reduced - i19), (int)0, (int)16);
                float16 v65 = sn_load_f32x16(p0 + i3 + i19, i20);
                uint16 v66 = select((uint16)(0), (uint16)(1), v65 == (float16)(v14));
                uint16 v67 = select((uint16)(0), (uint16)(1), v65 != v65);
                uint16 v68 = v66 | v67;
                uint16 v69 = convert_uint16(i19 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
                uint v70 = (uint)(16384);
                uint16 v71 = 0 != (v68) ? v69 : (uint16)(v70);
                float16 v72 = v65 - (float16)(v16);
                float16 v73 = v72 * v72;
                int i21 = ((i19 % 64) / 16);
                if ((i21 == 0)) {
                    v17 = sn_fold_min_u32x16(v17, v71, i20);
                    v21 = sn_fold_sum_f32x16(v21, v72, i20);
                    v25 = sn_fold_sum_f32x16(v25, v73, i20);
                }
                if ((i21 == 1)) {
                    v18 = sn_fold_min_u32x16(v18, v71, i20);
                    v22 = sn_fold_sum_f32x16(v22, v72, i20);
                    v26 = sn_fold_sum_f32x16(v26, v73, i20);
                }
                if ((i21 == 2)) {
                    v19 = sn_fold_min_u32x16(v19, v71, i20);
                    v23 = sn_fold_sum_f32x16(v23, v72, i20);
                    v27 = sn_fold_sum_f32x16(v27, v73, i20);
                }
                if ((i21 == 3)) {
                    v20 = sn_fold_min_u32x16(v20, v71, i20);
                    v24 = sn_fold_sum_f32x16(v24, v72, i20);
                    v28 = sn_fold_sum_f32x16(v28, v73, i20);
                }
            }
        }
        v17 = sn_umin_w32x16(v17, v19);
        v18 = sn_umin_w32x16(v18, v20);
        v17 = sn_umin_w32x16(v17, v18);
        uint v74 = sn_lane_tree_min_u32x16(v17);
        v21 = v21 + v23;
        v22 = v22 + v24;
        v21 = v21 + v22;
        float v75 = sn_lane_tree_sum_f32x16(v21);
        v25 = v25 + v27;
        v26 = v26 + v28;
        v25 = v25 + v26;
        float v76 = sn_lane_tree_sum_f32x16(v25);
        ulong v77 = sn_u32_to_64_x1(v74);
        float v78 = DIV(v75, (float)((float)reduced));
        float v79 = v75 * v78;
        float v80 = v76 - v79;
        float v81 = sn_max_f32x1(v80, (float)(0));
        ulong v82 = v77;
        float v83 = v81;
        float v84 = DIV(v83, c0);
        sn_store_i64x1(v82, p1 + i4, 1);
        sn_store_f32x1(v84, p2 + i5, 1);
    }
}
