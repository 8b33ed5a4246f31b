// p = argmax(x, axis=1); s = var(x, axis=1)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void argmax_devsq_div_e21cfcf879bcc359(
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
        float16 v1[4];
        for (int k = 0; k < 4; k++)
            v1[k] = (float16)(0);
        float16 v2[4];
        for (int k = 0; k < 4; k++)
            v2[k] = (float16)(0);
        int i6 = ((reduced / 64) * 64);
        for (int i7 = 0; i7 < i6; i7 += 64) {
            float16 v3 = sn_load_f32x16(p0 + (i3 + i7), 16);
            v1[0] = sn_fold_max_f32x16(v1[0], v3, (i7 < 64), 16);
            v2[0] = sn_fold_sum_f32x16(v2[0], v3, (i7 < 64), 16);
            int i8 = (i7 + 16);
            float16 v4 = sn_load_f32x16(p0 + (i3 + i8), 16);
            v1[1] = sn_fold_max_f32x16(v1[1], v4, ((i7 + 16) < 64), 16);
            v2[1] = sn_fold_sum_f32x16(v2[1], v4, ((i7 + 16) < 64), 16);
            int i9 = (i7 + 32);
            float16 v5 = sn_load_f32x16(p0 + (i3 + i9), 16);
            v1[2] = sn_fold_max_f32x16(v1[2], v5, ((i7 + 32) < 64), 16);
            v2[2] = sn_fold_sum_f32x16(v2[2], v5, ((i7 + 32) < 64), 16);
            int i10 = (i7 + 48);
            float16 v6 = sn_load_f32x16(p0 + (i3 + i10), 16);
            v1[3] = sn_fold_max_f32x16(v1[3], v6, ((i7 + 48) < 64), 16);
            v2[3] = sn_fold_sum_f32x16(v2[3], v6, ((i7 + 48) < 64), 16);
        }
        if ((i6 < reduced)) {
            int i11 = (int)clamp((reduced - i6), (int)0, (int)16);
            float16 v7 = sn_load_f32x16(p0 + (i3 + i6), i11);
            v1[0] = sn_fold_max_f32x16(v1[0], v7, (i6 < 64), i11);
            v2[0] = sn_fold_sum_f32x16(v2[0], v7, (i6 < 64), i11);
        }
        int i12 = (i6 + 16);
        if ((i12 < reduced)) {
            int i13 = (int)clamp((reduced - i12), (int)0, (int)16);
            float16 v8 = sn_load_f32x16(p0 + (i3 + i12), i13);
            v1[1] = sn_fold_max_f32x16(v1[1], v8, (i12 < 64), i13);
            v2[1] = sn_fold_sum_f32x16(v2[1], v8, (i12 < 64), i13);
        }
        int i14 = (i6 + 32);
        if ((i14 < reduced)) {
            int i15 = (int)clamp((reduced - i14), (int)0, (int)16);
            float16 v9 = sn_load_f32x16(p0 + (i3 + i14), i15);
            v1[2] = sn_fold_max_f32x16(v1[2], v9, (i14 < 64), i15);
            v2[2] = sn_fold_sum_f32x16(v2[2], v9, (i14 < 64), i15);
        }
        int i16 = (i6 + 48);
        if ((i16 < reduced)) {
            int i17 = (int)clamp((reduced - i16), (int)0, (int)16);
            float16 v10 = sn_load_f32x16(p0 + (i3 + i16), i17);
            v1[3] = sn_fold_max_f32x16(v1[3], v10, (i16 < 64), i17);
            v2[3] = sn_fold_sum_f32x16(v2[3], v10, (i16 < 64), i17);
        }
        int i18 = min(reduced, 64);
        float v11 = sn_lane_tree_max_f32x16(sn_vector_tree_max_f32x16(v1, 64, i18), i18);
        float v12 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v2, 64, i18), i18);
        float v13 = DIV(v12, (float)((float)reduced));
        uint16 v14[4];
        for (int k = 0; k < 4; k++)
            v14[k] = (uint16)(0);
        float16 v15[4];
        for (int k = 0; k < 4; k++)
            v15[k] = (float16)(0);
        float16 v16[4];
        for (int k = 0; k < 4; k++)
            v16[k] = (float16)(0);
        int i19 = ((reduced / 64) * 64);
        for (int i20 = 0; i20 < i19; i20 += 64) {
            float16 v17 = sn_load_f32x16(p0 + (i3 + i20), 16);
            uint16 v18 = select((uint16)(0), (uint16)(1), v17 == (float16)(v11));
            uint16 v19 = select((uint16)(0), (uint16)(1), v17 != v17);
            uint16 v20 = v18 | v19;
            uint16 v21 = convert_uint16(i20 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v22 = (uint)(16384);
            uint16 v23 = 0 != (v20) ? v21 : (uint16)(v22);
            float16 v24 = v17 - (float16)(v13);
            float16 v25 = v24 * v24;
            v14[0] = sn_fold_min_u32x16(v14[0], v23, (i20 < 64), 16);
            v15[0] = sn_fold_sum_f32x16(v15[0], v24, (i20 < 64), 16);
            v16[0] = sn_fold_sum_f32x16(v16[0], v25, (i20 < 64), 16);
            int i21 = (i20 + 16);
            float16 v26 = sn_load_f32x16(p0 + (i3 + i21), 16);
            uint16 v27 = select((uint16)(0), (uint16)(1), v26 == (float16)(v11));
            uint16 v28 = select((uint16)(0), (uint16)(1), v26 != v26);
            uint16 v29 = v27 | v28;
            uint16 v30 = convert_uint16((i20 + 16) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v31 = (uint)(16384);
            uint16 v32 = 0 != (v29) ? v30 : (uint16)(v31);
            float16 v33 = v26 - (float16)(v13);
            float16 v34 = v33 * v33;
            v14[1] = sn_fold_min_u32x16(v14[1], v32, ((i20 + 16) < 64), 16);
            v15[1] = sn_fold_sum_f32x16(v15[1], v33, ((i20 + 16) < 64), 16);
            v16[1] = sn_fold_sum_f32x16(v16[1], v34, ((i20 + 16) < 64), 16);
            int i22 = (i20 + 32);
            float16 v35 = sn_load_f32x16(p0 + (i3 + i22), 16);
            uint16 v36 = select((uint16)(0), (uint16)(1), v35 == (float16)(v11));
            uint16 v37 = select((uint16)(0), (uint16)(1), v35 != v35);
            uint16 v38 = v36 | v37;
            uint16 v39 = convert_uint16((i20 + 32) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v40 = (uint)(16384);
            uint16 v41 = 0 != (v38) ? v39 : (uint16)(v40);
            float16 v42 = v35 - (float16)(v13);
            float16 v43 = v42 * v42;
            v14[2] = sn_fold_min_u32x16(v14[2], v41, ((i20 + 32) < 64), 16);
            v15[2] = sn_fold_sum_f32x16(v15[2], v42, ((i20 + 32) < 64), 16);
            v16[2] = sn_fold_sum_f32x16(v16[2], v43, ((i20 + 32) < 64), 16);
            int i23 = (i20 + 48);
            float16 v44 = sn_load_f32x16(p0 + (i3 + i23), 16);
            uint16 v45 = select((uint16)(0), (uint16)(1), v44 == (float16)(v11));
            uint16 v46 = select((uint16)(0), (uint16)(1), v44 != v44);
            uint16 v47 = v45 | v46;
            uint16 v48 = convert_uint16((i20 + 48) + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v49 = (uint)(16384);
            uint16 v50 = 0 != (v47) ? v48 : (uint16)(v49);
            float16 v51 = v44 - (float16)(v13);
            float16 v52 = v51 * v51;
            v14[3] = sn_fold_min_u32x16(v14[3], v50, ((i20 + 48) < 64), 16);
            v15[3] = sn_fold_sum_f32x16(v15[3], v51, ((i20 + 48) < 64), 16);
            v16[3] = sn_fold_sum_f32x16(v16[3], v52, ((i20 + 48) < 64), 16);
        }
        if ((i19 < reduced)) {
            int i24 = (int)clamp((reduced - i19), (int)0, (int)16);
            float16 v53 = sn_load_f32x16(p0 + (i3 + i19), i24);
            uint16 v54 = select((uint16)(0), (uint16)(1), v53 == (float16)(v11));
            uint16 v55 = select((uint16)(0), (uint16)(1), v53 != v53);
            uint16 v56 = v54 | v55;
            uint16 v57 = convert_uint16(i19 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v58 = (uint)(16384);
            uint16 v59 = 0 != (v56) ? v57 : (uint16)(v58);
            float16 v60 = v53 - (float16)(v13);
            float16 v61 = v60 * v60;
            v14[0] = sn_fold_min_u32x16(v14[0], v59, (i19 < 64), i24);
            v15[0] = sn_fold_sum_f32x16(v15[0], v60, (i19 < 64), i24);
            v16[0] = sn_fold_sum_f32x16(v16[0], v61, (i19 < 64), i24);
        }
        int i25 = (i19 + 16);
        if ((i25 < reduced)) {
            int i26 = (int)clamp((reduced - i25), (int)0, (int)16);
            float16 v62 = sn_load_f32x16(p0 + (i3 + i25), i26);
            uint16 v63 = select((uint16)(0), (uint16)(1), v62 == (float16)(v11));
            uint16 v64 = select((uint16)(0), (uint16)(1), v62 != v62);
            uint16 v65 = v63 | v64;
            uint16 v66 = convert_uint16(i25 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v67 = (uint)(16384);
            uint16 v68 = 0 != (v65) ? v66 : (uint16)(v67);
            float16 v69 = v62 - (float16)(v13);
            float16 v70 = v69 * v69;
            v14[1] = sn_fold_min_u32x16(v14[1], v68, (i25 < 64), i26);
            v15[1] = sn_fold_sum_f32x16(v15[1], v69, (i25 < 64), i26);
            v16[1] = sn_fold_sum_f32x16(v16[1], v70, (i25 < 64), i26);
        }
        int i27 = (i19 + 32);
        if ((i27 < reduced)) {
            int i28 = (int)clamp((reduced - i27), (int)0, (int)16);
            float16 v71 = sn_load_f32x16(p0 + (i3 + i27), i28);
            uint16 v72 = select((uint16)(0), (uint16)(1), v71 == (float16)(v11));
            uint16 v73 = select((uint16)(0), (uint16)(1), v71 != v71);
            uint16 v74 = v72 | v73;
            uint16 v75 = convert_uint16(i27 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v76 = (uint)(16384);
            uint16 v77 = 0 != (v74) ? v75 : (uint16)(v76);
            float16 v78 = v71 - (float16)(v13);
            float16 v79 = v78 * v78;
            v14[2] = sn_fold_min_u32x16(v14[2], v77, (i27 < 64), i28);
            v15[2] = sn_fold_sum_f32x16(v15[2], v78, (i27 < 64), i28);
            v16[2] = sn_fold_sum_f32x16(v16[2], v79, (i27 < 64), i28);
        }
        int i29 = (i19 + 48);
        if ((i29 < reduced)) {
            int i30 = (int)clamp((reduced - i29), (int)0, (int)16);
            float16 v80 = sn_load_f32x16(p0 + (i3 + i29), i30);
            uint16 v81 = select((uint16)(0), (uint16)(1), v80 == (float16)(v11));
            uint16 v82 = select((uint16)(0), (uint16)(1), v80 != v80);
            uint16 v83 = v81 | v82;
            uint16 v84 = convert_uint16(i29 + (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 1);
            uint v85 = (uint)(16384);
            uint16 v86 = 0 != (v83) ? v84 : (uint16)(v85);
            float16 v87 = v80 - (float16)(v13);
            float16 v88 = v87 * v87;
            v14[3] = sn_fold_min_u32x16(v14[3], v86, (i29 < 64), i30);
            v15[3] = sn_fold_sum_f32x16(v15[3], v87, (i29 < 64), i30);
            v16[3] = sn_fold_sum_f32x16(v16[3], v88, (i29 < 64), i30);
        }
        int i31 = min(reduced, 64);
        uint v89 = sn_lane_tree_min_u32x16(sn_vector_tree_min_u32x16(v14, 64, i31), i31);
        float v90 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v15, 64, i31), i31);
        float v91 = sn_lane_tree_sum_f32x16(sn_vector_tree_sum_f32x16(v16, 64, i31), i31);
        ulong v92 = sn_u32_to_64_x1(v89);
        float v93 = DIV(v90, (float)((float)reduced));
        float v94 = v90 * v93;
        float v95 = v91 - v94;
        float v96 = sn_max_f32x1(v95, (float)(0));
        ulong v97 = v92;
        float v98 = v96;
        float v99 = DIV(v98, c0);
        sn_store_i64x1(v97, p1 + i4, 1);
        sn_store_f32x1(v99, p2 + i5, 1);
    }
}
