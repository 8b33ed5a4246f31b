// p000 = v[1000:] * s; p001 = v[1001:] * s; p002 = v[1002:] * s; p003 = v[1003:] * s; p010 = v[1010:] * s; p011 = v[1011:] * s; p012 = v[1012:] * s; p013 = v[1013:] * s; p020 = v[1020:] * s; p021 = v[1021:] * s; p022 = v[1022:] * s; p023 = v[1023:] * s; p030 = v[1030:] * s; p031 = v[1031:] * s; p032 = v[1032:] * s; p033 = v[1033:] * s; p100 = v[1100:] * s; p101 = v[1101:] * s; p102 = v[1102:] * s; p103 = v[1103:] * s; p110 = v[1110:] * s; p111 = v[1111:] * s; p112 = v[1112:] * s; p113 = v[1113:] * s; p120 = v[1120:] * s; p121 = v[1121:] * s; p122 = v[1122:] * s; p123 = v[1123:] * s; p130 = v[1130:] * s; p131 = v[1131:] * s; p132 = v[1132:] * s; p133 = v[1133:] * s; p200 = v[1200:] * s; p201 = v[1201:] * s; p202 = v[1202:] * s; p203 = v[1203:] * s; p210 = v[1210:] * s; p211 = v[1211:] * s; p212 = v[1212:] * s; p213 = v[1213:] * s; p220 = v[1220:] * s; p221 = v[1221:] * s; p222 = v[1222:] * s; p223 = v[1223:] * s; p230 = v[1230:] * s; p231 = v[1231:] * s; p232 = v[1232:] * s; p233 = v[1233:] * s; p300 = v[1300:] * s; p301 = v[1301:] * s; p302 = v[1302:] * s; p303 = v[1303:] * s; p310 = v[1310:] * s; p311 = v[1311:] * s; p312 = v[1312:] * s; p313 = v[1313:] * s; p320 = v[1320:] * s; p321 = v[1321:] * s; p322 = v[1322:] * s; p323 = v[1323:] * s; p330 = v[1330:] * s; p331 = v[1331:] * s; p332 = v[1332:] * s; p333 = v[1333:] * s; q = x * s

__kernel __attribute__((reqd_work_group_size(1, 1, 1), vec_type_hint(float4)))
void mul_40b80915035e6512(
    __global uchar *m0,
    __global uchar *m1,
    __global uchar *m2,
    __global uchar *m3,
    __global const uchar *bl, ulong ol,
    int rows)
{
    const int item = (int)get_global_id(0);
    const int group = (int)get_group_id(0) * 1;
    __global const uint *list = (__global const uint *)(bl + ol);
    int row = 0;
    for (int step = 1 << (31 - clz(rows)); step > 0; step >>= 1) {
        if (row + step < rows && (int)list[(row + step) * 9] <= group)
            row += step;
    }
    list += row * 9;
    const uint w0 = list[0];
    const int id = item - (int)w0;
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
    __global const float *p0 = (__global const float *)(b0 + o0);
    __global const float *p1 = (__global const float *)(b1 + o1);
    __global float *p2 = (__global float *)(b2 + o2);
    float v0 = sn_load_f32x1(p1 + 0, 1);
    int i0 = ((int)id * segment);
    int i1 = min((i0 + segment), n0);
    int i2 = ((i1 - i0) % 32);
    int i3 = (i1 - i2);
    for (int i4 = i0; i4 < i3; i4 += 32) {
        float16 v1 = sn_load_f32x16(p0 + i4, 16);
        float16 v2 = sn_load_f32x16(p0 + i4 + 16, 16);
        float16 v3 = v1 * (float16)(v0);
        float16 v4 = v2 * (float16)(v0);
        sn_store_f32x16(v3, p2 + i4, 16);
        sn_store_f32x16(v4, p2 + i4 + 16, 16);
    }
    for (int i5 = i3; i5 < i1; i5 += 16) {
        int i6 = (int)clamp((i1 - i5), (int)0, (int)16);
        float16 v5 = sn_load_f32x16(p0 + i5, i6);
        float16 v6 = v5 * (float16)(v0);
        sn_store_f32x16(v6, p2 + i5, i6);
    }
}
