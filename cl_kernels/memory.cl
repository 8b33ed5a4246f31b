/* Vectors in and out of memory. A vector at the end of a line has fewer valid lanes: those are moved one by one,
 * and the others are zero, so that no kernel needs a second copy of its body for the tail.
 *
 * Instantiated per dtype and number of lanes, on devices only. E is the element in memory, V the register
 * vector, R one lane of it; LOAD1(p, i), LOADV(p), STORE1(x, p, i), STOREV(v, p) convert between them;
 * LOADS(p, stride) and LOADG(p, offsets) are full vectors of elements that lie apart;
 * PACK(t) makes a vector of an array and UNPACK(v, t) the reverse; FIRST(n, v, w) is the first n lanes of v and the
 * others of w, LANE0(v) the first lane; lane l of DOWN8(v), DOWN4(v), DOWN2(v) and DOWN1(v) is lane l + 8, ... of v, as
 * far as l is below 8, .... */

//# load
FN V SM(load)(__global const E *p, int count)
{
    if (count >= LANES)
        return LOADV(p);
    R t[LANES];
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, l) : (R)(0);
    return PACK(t);
}

//# load_strided
FN V SM(load_strided)(__global const E *p, long stride, int count)
{
    if (count >= LANES)
        return LOADS(p, stride);
    R t[LANES];
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, l * stride) : (R)(0);
    return PACK(t);
}

//# gather
FN V SM(gather)(__global const E *p, OFFSETS offsets, int count)
{
    if (count >= LANES)
        return LOADG(p, offsets);
    OFFSET o[LANES];
    R t[LANES];
    UNPACK_OFFSETS(offsets, o);
    for (int l = 0; l < LANES; l++)
        t[l] = (l < count) ? LOAD1(p, o[l]) : (R)(0);
    return PACK(t);
}

//# store
FN void SM(store)(V v, __global E *p, int count)
{
    if (count >= LANES) {
        STOREV(v, p);
        return;
    }
    R t[LANES];
    UNPACK(v, t);
    for (int l = 0; l < LANES; l++) {
        if (l < count)
            STORE1(t[l], p, l);
    }
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

//# merge
/* The first `count` lanes of `fresh`, the others of `old`. */
FN V SM(merge)(V fresh, V old, int count)
{
    return (count >= LANES) ? fresh : FIRST(count, fresh, old);
}
