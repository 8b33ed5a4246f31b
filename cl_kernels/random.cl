/* Random numbers: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as
 * 1, 2, 3, 2011). Element i of (seed, offset) is word i mod 4 of the block with the counter offset
 * + i / 4, so it depends on nothing else: not on the shape, nor on how many elements a device
 * computes at a time. Class f32 only. */

//# philox
/* Ten rounds on the counter w0..w3 under the key; the counter becomes the block. Words are the low
 * halves of U64, and what the high halves hold does not matter until the end: so a product costs
 * one instruction and no packing. */
FN void SW(philox)(U64 *w0, U64 *w1, U64 *w2, U64 *w3, U64 key0, U64 key1)
{
    U64 low = (U64)(0xffffffff);
    for (int i = 0; i < 10; i++) {
        U64 p0 = (*w0 & low) * (U64)(0xd2511f53);
        U64 p1 = (*w2 & low) * (U64)(0xcd9e8d57);
        *w0 = (p1 >> 32) ^ *w1 ^ key0;
        *w1 = p1;
        *w2 = (p0 >> 32) ^ *w3 ^ key1;
        *w3 = p0;
        key0 = key0 + (U64)(0x9e3779b9);
        key1 = key1 + (U64)(0xbb67ae85);
    }
    *w0 = *w0 & low;
    *w1 = *w1 & low;
    *w2 = *w2 & low;
    *w3 = *w3 & low;
}

//# philox_block
/* The block that holds element `index`. */
FN void SW(philox_block)(U64 index, U64 seed, U64 offset, U64 *w0, U64 *w1, U64 *w2, U64 *w3)
{
    U64 counter = offset + (index >> 2);
    *w0 = counter;
    *w1 = counter >> 32;
    *w2 = (U64)(0);
    *w3 = (U64)(0);
    SW(philox)(w0, w1, w2, w3, seed, seed >> 32);
}

//# uniform
/* In [0, 1): the 24 high bits of the word. */
FN F32 SW(uniform)(U64 index, U64 seed, U64 offset)
{
    U64 w0;
    U64 w1;
    U64 w2;
    U64 w3;
    SW(philox_block)(index, seed, offset, &w0, &w1, &w2, &w3);
    U64 low = ((index & (U64)(1)) != (U64)(0)) ? w1 : w0;
    U64 high = ((index & (U64)(1)) != (U64)(0)) ? w3 : w2;
    U64 word = ((index & (U64)(2)) != (U64)(0)) ? high : low;
    return TO_F32(AS_I32(TO_U32(word >> 8))) * (F32)(0x1p-24f);
}

//# normal
/* Box and Muller: words 0 and 1 of the block give elements 0 and 1 as r * cos and r * sin, words 2
 * and 3 elements 2 and 3, with r = sqrt(-2 log u1), u1 in (0, 1]. The angle 2 pi u2 is cut into
 * quadrants while it is an integer, so that is exact. */
FN F32 SW(normal)(U64 index, U64 seed, U64 offset)
{
    U64 w0;
    U64 w1;
    U64 w2;
    U64 w3;
    SW(philox_block)(index, seed, offset, &w0, &w1, &w2, &w3);
    U64 first = ((index & (U64)(2)) != (U64)(0)) ? w2 : w0;
    U64 second = ((index & (U64)(2)) != (U64)(0)) ? w3 : w1;

    U32 count = TO_U32(first >> 8) + (U32)(1);
    F32 u1 = TO_F32(AS_I32(count)) * (F32)(0x1p-24f);
    F32 radius = SQRT(SN(log)(u1) * (F32)(-2.0f));

    U32 turn = TO_U32(second >> 8);
    U32 quadrant = (turn + (U32)(0x200000)) >> 22;
    F32 part = TO_F32(AS_I32(turn - (quadrant << 22)));
    F32 angle = part * (F32)(0x1.921fb6p-22f);
    F32 low = fma(part, (F32)(0x1.921fb6p-22f), -angle);
    low = fma(part, (F32)(-0x1.777a5cp-47f), low);
    F32 rest;
    F32 s = SN(trig_sin)(angle, low, &rest);
    F32 c = SN(trig_cos)(angle, low, &rest);
    quadrant = quadrant + (U32)(1) - TO_U32(index & (U64)(1));
    F32 y = ((quadrant & (U32)(1)) != (U32)(0)) ? c : s;
    return radius * AS_F32(AS_U32(y) ^ ((quadrant & (U32)(2)) << 30));
}
