/* Vectors in and out of memory. A vector at the end of a line has fewer valid lanes: those are moved one by one,
 * and the others are zero, so that no kernel needs a second copy of its body for the tail.
 *
 * Instantiated per dtype and number of lanes, on devices only. E is the element in memory, V the register
 * vector, R one lane of it, HALF a vector of half as many; LOAD1(p, i), LOADV(p), STORE1(x, p, i),
 * STOREV(v, p) convert between them; PARTSV(v, p) is STOREV by several stores; where CAN_STREAM(p)
 * holds, STREAMV(v, p) stores past the caches; LOADS(p, stride) and LOADG(p, offsets) are full
 * vectors of elements that lie apart; PACK(t) makes a vector of an array and UNPACK(v, t) the
 * reverse; FIRST(n, v, w) is the first n lanes of v and the others of w, LANE0(v) the first lane;
 * EVENS(u, v) is every other element, v beginning with the last of u, and THIRDS(u, v, w) every third, w beginning two
 * before v ends; BACKWARDS(v) is v turned round; `.LAST` is the last lane;
 * lane l of DOWN8(v), DOWN4(v), DOWN2(v) and DOWN1(v) is lane l + 8, ... of v, as far as l is below
 * 8, ....
 *
 * A tail's loop stays one (ROLLED) in the form for CPUs: written out for every operand it was half to two
 * thirds of what Intel's runtime did. A GPU would have to keep the array in memory for
 * that, whatever form its kernels have.
 *
 * The arrays for a tail are aligned as the vector is. They would do without, but PoCL's compiler aligns a kernel's
 * stack only where a variable asks for it, and what a full loop keeps there otherwise lies across two cache lines. */

//# load
FN V SM(load)(__global const E *p, int count)
{
    if (!RARELY(count < LANES))
        return LOADV(p);
    R t[LANES] __attribute__((aligned(sizeof(V))));
    ROLLED
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, l) : (R)(0);
    return PACK(t);
}

//# load_tail
/* As `load`, where lines are short: no load waits for what was stored in an array. Said to be rare nevertheless, or
 * kernels of several operands are slower than with that. */
FN V SM(load_tail)(__global const E *p, int count)
{
    if (!RARELY(count < LANES))
        return LOADV(p);
    return SM(load_rest)(p, count);
}

//# load_whole
FN V SM(load_whole)(__global const E *p)
{
    return LOADV(p);
}

//# load_rest
/* Fewer than all lanes, in registers: a half of them that is whole, and what is left of the other one. */
FN V SM(load_rest)(__global const E *p, int count)
{
#if LANES > 1
    bool upper = count >= LANES / 2;
    HALF whole = (HALF)(0);
    if (upper)
        whole = SH(load_whole)(p);
    HALF rest = SH(load_rest)(upper ? p + LANES / 2 : p, upper ? count - LANES / 2 : count);
    return upper ? (V)(whole, rest) : (V)(rest, whole);
#else
    return (V)(0);
#endif
}

//# load_strided
FN V SM(load_strided)(__global const E *p, long stride, int count)
{
    if (!RARELY(count < LANES)) {
        if (stride == 2) {
            V first = LOADV(p);
            V second = LOADV(p + LANES - 1);
            return EVENS(first, second);
        }
        if (stride == 3 && LANES > 1) {
            V first = LOADV(p);
            V second = LOADV(p + LANES);
            V third = LOADV(p + 2 * LANES - 2);
            return THIRDS(first, second, third);
        }
        if (stride == 4 && LANES > 1) {
            V first = LOADV(p);
            V second = LOADV(p + LANES - 1);
            V third = LOADV(p + 2 * LANES - 2);
            V fourth = LOADV(p + 3 * LANES - 3);
            first = EVENS(first, second);
            third = EVENS(third, fourth);
            return EVENS(first, third);
        }
        return LOADS(p, stride);
    }
    R t[LANES];
    ROLLED
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, l * stride) : (R)(0);
    return PACK(t);
}

//# load_back
/* Neighbours from p down. */
FN V SM(load_back)(__global const E *p, int count)
{
    if (!RARELY(count < LANES)) {
        V v = LOADV(p - (LANES - 1));
        return BACKWARDS(v);
    }
    R t[LANES] __attribute__((aligned(sizeof(V))));
    ROLLED
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, -l) : (R)(0);
    return PACK(t);
}

//# gather
FN V SM(gather)(__global const E *p, OFFSETS offsets, int count)
{
    if (!RARELY(count < LANES))
        return LOADG(p, offsets);
    OFFSET o[LANES];
    R t[LANES];
    UNPACK_OFFSETS(offsets, o);
    ROLLED
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, o[l]) : (R)(0);
    return PACK(t);
}

//# load_pieces
/* As `gather`, where what is not one piece is the end of one and the beginning of another. */
FN V SM(load_pieces)(__global const E *p, OFFSETS offsets, int count)
{
    if (count == LANES && offsets.LAST - offsets.s0 == LANES - 1)
        return LOADV(p + offsets.s0);
    return SM(gather)(p, offsets, count);
}

//# turn
/* Lane k of row l becomes lane l of row k. Each step deals the rows out like a pack of cards cut in the middle; as many
 * steps as a row's number has bits exchange rows and lanes. */
FN void SM(turn)(V *rows)
{
    ROLLED
    for (int step = 1; step < LANES; step *= 2) {
        V dealt[LANES];
#pragma unroll
        for (int k = 0; k < LANES / 2; k++) {
            dealt[2 * k] = LOWS(rows[k], rows[k + LANES / 2]);
            dealt[2 * k + 1] = HIGHS(rows[k], rows[k + LANES / 2]);
        }
#pragma unroll
        for (int k = 0; k < LANES; k++)
            rows[k] = dealt[k];
    }
}

//# load_turned
/* Element k of each of LANES vectors that lie `stride` apart becomes row k. Where registers hold 8 lanes only, 16 rows
 * would lie in memory between the steps: 8 rows of 4 are done at a time, the lower four beside the upper ones, so that
 * what crosses the halves of a register is loaded where it belongs. */
FN void SM(load_turned)(V *rows, __global const E *p, long stride, int height, int count)
{
    if (height < LANES || count < LANES) {
        for (int k = 0; k < height; k++)
            rows[k] = SM(load_strided)(p + k, stride, count);
        return;
    }
#ifdef LOADQ
#pragma unroll
    for (int part = 0; part < 8; part++) {
        __global const E *corner = p + (part & 1) * 8 * stride + part / 2 * 4;
        HALF q[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            q[k] = (HALF)(LOADQ(corner + k * stride), LOADQ(corner + (k + 4) * stride));
#pragma unroll
        for (int step = 1; step < 4; step *= 2) {
            HALF dealt[4];
#pragma unroll
            for (int k = 0; k < 2; k++) {
                HALF v = q[k];
                HALF w = q[k + 2];
                dealt[2 * k] = (HALF)(v.s0, w.s0, v.s1, w.s1, v.s4, w.s4, v.s5, w.s5);
                dealt[2 * k + 1] = (HALF)(v.s2, w.s2, v.s3, w.s3, v.s6, w.s6, v.s7, w.s7);
            }
#pragma unroll
            for (int k = 0; k < 4; k++)
                q[k] = dealt[k];
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            ((HALF *)rows)[2 * (part / 2 * 4 + k) + (part & 1)] = q[k];
    }
#else
#pragma unroll
    for (int k = 0; k < LANES; k++)
        rows[k] = LOADV(p + k * stride);
    SM(turn)(rows);
#endif
}

//# lay
/* The same by a work-group, in local memory: element k of vector l is at row k, column l of a block
 * of side x side whose rows lie an element further apart, so that vectors and rows both spread over
 * the banks. Neighbours read neighbours. */
FN void SM(lay)(__local R *t, __global const E *p, long stride, int height, int count, int side)
{
    int across = side / LANES;
    for (int i = (int)get_local_id(0); i < across * side; i += (int)get_local_size(0)) {
        int row = (i & (across - 1)) * LANES;
        int column = i / across;
        if (row < height && column < count) {
            R x[LANES];
            V v = SM(load)(p + column * stride + row, height - row);
            UNPACK(v, x);
#pragma unroll
            for (int l = 0; l < LANES; l++)
                t[(row + l) * (side + 1) + column] = x[l];
        }
    }
}

//# pick
FN V SM(pick)(__local const R *t, int place, int count)
{
    if (count >= LANES)
        return PACK(t + place);
    R x[LANES];
    for (int l = 0; l < LANES; l++)
        x[l] = (l < count) ? t[place + l] : (R)(0);
    return PACK(x);
}

//# set
FN void SM(set)(V v, __local R *t, int place)
{
    UNPACK(v, t + place);
}

//# store
FN void SM(store)(V v, __global E *p, int count)
{
    if (!RARELY(count < LANES)) {
        STOREV(v, p);
        return;
    }
    R t[LANES] __attribute__((aligned(sizeof(V))));
    UNPACK(v, t);
    ROLLED
    for (int l = 0; l < LANES; l++) {
        if (l < count)
            STORE1(t[l], p, l);
    }
}

//# store_tail
FN void SM(store_tail)(V v, __global E *p, int count)
{
    if (count >= LANES)
        STOREV(v, p);
    else
        SM(store_rest)(v, p, count);
}

//# store_whole
FN void SM(store_whole)(V v, __global E *p)
{
    STOREV(v, p);
}

//# store_rest
FN void SM(store_rest)(V v, __global E *p, int count)
{
#if LANES > 1
    bool upper = count >= LANES / 2;
    if (upper)
        SH(store_whole)(v.lo, p);
    SH(store_rest)(upper ? v.hi : v.lo, upper ? p + LANES / 2 : p, upper ? count - LANES / 2 : count);
#endif
}

//# stream
/* As `store`, for what will not be read soon; of a count of LANES + 1 it is known that CAN_STREAM(p). */
FN void SM(stream)(V v, __global E *p, int count)
{
    if (count > LANES || (count == LANES && CAN_STREAM(p)))
        STREAMV(v, p);
    else
        SM(store)(v, p, count);
}

//# store_parts
/* As `store`, where STOREV is one store of several that the compiler makes of PARTSV. */
FN void SM(store_parts)(V v, __global E *p, int count)
{
    if (count == LANES)
        PARTSV(v, p);
    else
        SM(store)(v, p, count);
}

//# store_strided
FN void SM(store_strided)(V v, __global E *p, long stride, int count)
{
    R t[LANES];
    UNPACK(v, t);
    for (int l = 0; l < LANES; l++) {
        if (l < count)
            STORE1(t[l], p, l * stride);
    }
}

//# store_back
FN void SM(store_back)(V v, __global E *p, int count)
{
    if (!RARELY(count < LANES)) {
        STOREV(BACKWARDS(v), p - (LANES - 1));
        return;
    }
    R t[LANES] __attribute__((aligned(sizeof(V))));
    UNPACK(v, t);
    ROLLED
    for (int l = 0; l < LANES; l++) {
        if (l < count)
            STORE1(t[l], p, -l);
    }
}

//# scatter
FN void SM(scatter)(V v, __global E *p, OFFSETS offsets, int count)
{
    OFFSET o[LANES];
    R t[LANES];
    UNPACK(v, t);
    UNPACK_OFFSETS(offsets, o);
    for (int l = 0; l < LANES; l++) {
        if (l < count)
            STORE1(t[l], p, o[l]);
    }
}

//# store_pieces
FN void SM(store_pieces)(V v, __global E *p, OFFSETS offsets, int count)
{
    if (count == LANES && offsets.LAST - offsets.s0 == LANES - 1)
        STOREV(v, p + offsets.s0);
    else
        SM(scatter)(v, p, offsets, count);
}

//# merge
/* The first `count` lanes of `fresh`, the others of `old`. */
FN V SM(merge)(V fresh, V old, int count)
{
    return (count >= LANES) ? fresh : FIRST(count, fresh, old);
}
