/* Folding, the canonical tree of a reduction (fusion/nest/tree.h): with n partials left, t[i] op= t[i + s] for every
 * i + s < n, s being the largest power of two below n; then n = s. Absent partials take no part: where a row has fewer
 * than 64, the others are what changes nothing. And the carries of a scan, in its canonical order.
 *
 * Instantiated per dtype, number of lanes and operation, on devices only. COMBINE(x, y) is the operation on
 * vectors, COMBINE1(x, y) on single values; the other words are those of memory.cl. */

//# fold
/* A vector of which the first `count` lanes are there. */
FN V SM(fold)(V acc, V x, int count)
{
    return SM(merge)(COMBINE(acc, x), acc, count);
}

//# vector_tree
/* The steps between vectors, over the `held` partials that a work-item has in an array; the vector that is left. */
FN V SM(vector_tree)(V *acc, int held)
{
    for (int s = held / LANES / 2; s > 0; s >>= 1) {
        for (int k = 0; k < s; k++) {
            V x = acc[k];
            V y = acc[k + s];
            acc[k] = COMBINE(x, y);
        }
    }
    return acc[0];
}

//# give
/* A step of the tree over vectors that `items` neighbouring work-items have, one each: those that others take in put
 * theirs where none lies that is still being read, in this tree or in the one before it in t. */
FN void SM(give)(V x, __local R *t, int items, int step)
{
    int lid = (int)get_local_id(0);
    int at = lid & (items - 1);
    if (at >= step && at < 2 * step)
        UNPACK(x, t + lid * LANES);
}

//# take
/* And the others take them in; at last the first work-item has the vector that is left. */
FN V SM(take)(V x, __local const R *t, int items, int step)
{
    int lid = (int)get_local_id(0);
    int at = lid & (items - 1);
    if (at < step) {
        V y = PACK(t + (lid + step) * LANES);
        x = COMBINE(x, y);
    }
    return x;
}

//# other
/* The vector of the work-item of the sub-group whose place differs by `step`, a power of two. */
FN V SM(other)(V x, int step)
{
    return OTHER(x, step);
}

//# swap
/* A step of the tree over vectors that work-items of a sub-group have, one each, in both of every pair. */
FN V SM(swap)(V x, int step)
{
    V y = SM(other)(x, step);
    return COMBINE(x, y);
}

//# lane_tree
/* The steps within a vector; only its first lane is asked for. */
FN R SM(lane_tree)(V x)
{
    V y = x;
    if (LANES > 8) {
        y = DOWN8(x);
        x = COMBINE(x, y);
    }
    if (LANES > 4) {
        y = DOWN4(x);
        x = COMBINE(x, y);
    }
    if (LANES > 2) {
        y = DOWN2(x);
        x = COMBINE(x, y);
    }
    if (LANES > 1) {
        y = DOWN1(x);
        x = COMBINE(x, y);
    }
    return LANE0(x);
}

//# tell
/* What the first of `items` neighbouring work-items has, for all of them; no step of a tree has that place. */
FN void SM(tell)(R x, __local R *t, int items)
{
    int lid = (int)get_local_id(0);
    if ((lid & (items - 1)) == 0)
        t[lid * LANES] = x;
}

//# hear
FN R SM(hear)(__local const R *t, int items)
{
    return t[((int)get_local_id(0) & ~(items - 1)) * LANES];
}

//# memory_tree
/* The same over n partials in global memory, `stride` apart. */
FN R SM(memory_tree)(__global E *q, long stride, long n)
{
    long s = 1;
    while (s * 2 < n)
        s *= 2;
    for (; s > 0 && n > 1; s >>= 1) {
        for (long i = 0; i + s < n; i++) {
            R x = LOAD1(q, i * stride);
            R y = LOAD1(q, (i + s) * stride);
            x = COMBINE1(x, y);
            STORE1(x, q, i * stride);
        }
        n = s;
    }
    return LOAD1(q, 0);
}

//# tree_level
/* Step `s` of it, by `workers` work-items of a group, of which this is `worker`. */
FN void SM(tree_level)(__global E *q, long stride, long n, long s, long worker, long workers)
{
    n = min(n, 2 * s);
    for (long i = worker; i + s < n; i += workers) {
        R x = LOAD1(q, i * stride);
        R y = LOAD1(q, (i + s) * stride);
        x = COMBINE1(x, y);
        STORE1(x, q, i * stride);
    }
}

//# column_tree
/* The same for the first `count` of neighbouring columns at once. */
FN V SM(column_tree)(__global E *q, long stride, long n, int count)
{
    long s = 1;
    while (s * 2 < n)
        s *= 2;
    for (; s > 0 && n > 1; s >>= 1) {
        for (long i = 0; i + s < n; i++) {
            V x = SM(load)(q + i * stride, count);
            V y = SM(load)(q + (i + s) * stride, count);
            x = COMBINE(x, y);
            SM(store)(x, q + i * stride, count);
        }
        n = s;
    }
    return SM(load)(q, count);
}

//# append
/* The next of a sequence, or the first. */
FN V SM(append)(V acc, V x, int first)
{
    V next = COMBINE(acc, x);
    return first ? x : next;
}

//# scan
/* Over the lanes of x in sequence; unless it is the first vector, after the last lane of acc. */
FN V SM(scan)(V acc, V x, int first)
{
    R t[LANES];
    R u[LANES];
    UNPACK(x, t);
    UNPACK(acc, u);
    R last = u[LANES - 1];
    R next = COMBINE1(last, t[0]);
    t[0] = first ? t[0] : next;
    for (int l = 1; l < LANES; l++)
        t[l] = COMBINE1(t[l - 1], t[l]);
    return PACK(t);
}

//# scan_local
/* A block of `count` elements in local memory, and its total. */
FN R SM(scan_local)(__local R *t, int place, int count)
{
    R x = t[place];
    for (int l = 1; l < count; l++) {
        R y = t[place + l];
        x = COMBINE1(x, y);
        t[place + l] = x;
    }
    return x;
}

//# scan_turned
/* Blocks of 64 elements, as many as there are lanes, side by side: vector j of each block is a row
 * of a square, which is turned, so that lane l of row k is element j * LANES + k of block l. In
 * sequence every element waits for the one before it. acc: the blocks as far as the square, which
 * it is returned with; at first what changes nothing. */
FN V SM(scan_turned)(V *rows, V *sums, V acc, int j)
{
    SM(turn)(rows);
#pragma unroll
    for (int k = 0; k < LANES; k++) {
        acc = COMBINE(acc, rows[k]);
        sums[j * LANES + k] = acc;
    }
    return acc;
}

//# carry_turned
/* The rows of the square again, each block with its carry: that comes last, since carries are late, each of them made
 * of the one before it. */
FN void SM(carry_turned)(V *rows, const V *sums, const V *carries, int j)
{
    const R *carry = (const R *)carries;
#pragma unroll
    for (int k = 0; k < LANES; k++)
        rows[k] = sums[j * LANES + k];
    SM(turn)(rows);
#pragma unroll
    for (int k = 0; k < LANES; k++) {
        V of_block = (V)(carry[k]);
        rows[k] = COMBINE(of_block, rows[k]);
    }
}

//# scan_rest
/* Blocks of 64 one after the other, of which the first `count` elements are there, and their totals. */
FN void SM(scan_rest)(V *vectors, V *totals, int count)
{
    R *t = (R *)vectors;
    for (int b = 0; b * 64 < count; b++) {
        R x = t[b * 64];
        ROLLED
        for (int l = 1; l < 64 && b * 64 + l < count; l++) {
            x = COMBINE1(x, t[b * 64 + l]);
            t[b * 64 + l] = x;
        }
        ((R *)totals)[b] = x;
    }
}

//# carry_rest
/* Each with its carry. */
FN void SM(carry_rest)(V *vectors, V *carries, int count)
{
    R *t = (R *)vectors;
    ROLLED
    for (int l = 0; l < count; l++) {
        R x = ((R *)carries)[l / 64];
        t[l] = COMBINE1(x, t[l]);
    }
}

//# scan_carry
/* The carry of a block: that of its group with what is before the block in the group. The first group of all has no
 * carry, and before the first block of a group is nothing. */
FN V SM(scan_carry)(V group, V before, int is_first, int is_first_group)
{
    V both = COMBINE(group, before);
    V carry = is_first_group ? before : both;
    return is_first ? group : carry;
}

//# scan_next
/* The carry of group b > 0 of blocks, t being the total of the group before it. Of each level from there on (groups,
 * groups of 64 of them, ...) s holds what is before the one at hand in its own group, and the carry of that. */
FN V SM(scan_next)(V *s, V t, long b)
{
    int k = 0;
    for (; (b & 63) == 0; b >>= 6) {
        t = COMBINE(s[2 * k], t);
        k++;
    }
    if ((b & 63) != 1)
        t = COMBINE(s[2 * k], t);
    s[2 * k] = t;
    if (b > 63)
        t = COMBINE(s[2 * k + 1], t);
    for (; k > 0; k--)
        s[2 * k - 1] = t;
    return t;
}

//# place_tree
/* The same over states of a value and a place, of `columns` columns: the better value, and the lowest place of those
 * that have it or are NaN. The results are the first states. */
FN void SM(place_tree)(__global E *q, __global ulong *at, long stride, long n, long columns)
{
    long top = 1;
    while (top * 2 < n)
        top *= 2;
    for (long c = 0; c < columns; c++) {
        long left = n;
        for (long s = top; s > 0 && left > 1; s >>= 1) {
            for (long i = 0; i + s < left; i++) {
                long one = i * stride + c;
                long two = (i + s) * stride + c;
                R x = LOAD1(q, one);
                R y = LOAD1(q, two);
                R best = COMBINE1(x, y);
                bool is_x = x == best || x != x;
                bool is_y = y == best || y != y;
                if (is_y && (!is_x || at[two] < at[one]))
                    at[one] = at[two];
                STORE1(best, q, one);
            }
            left = s;
        }
    }
}

//# place_level
/* Step `s` of it, as tree_level has it. */
FN void SM(place_level)(__global E *q, __global ulong *at, long stride, long n, long s, long worker, long workers)
{
    n = min(n, 2 * s);
    for (long i = worker; i + s < n; i += workers) {
        R x = LOAD1(q, i * stride);
        R y = LOAD1(q, (i + s) * stride);
        R best = COMBINE1(x, y);
        bool is_x = x == best || x != x;
        bool is_y = y == best || y != y;
        if (is_y && (!is_x || at[(i + s) * stride] < at[i * stride]))
            at[i * stride] = at[(i + s) * stride];
        STORE1(best, q, i * stride);
    }
}

//# spread_step
/* The states of SN(chan) at `one` take in those at `two`: of the first `count` of neighbouring columns. What the others
 * come to is not stored. */
FN void SM(spread_step)(__global E *n0, __global E *mean, __global E *rest, __global E *squares, long one, long two,
                        int count)
{
    V a[4] = {SM(load)(n0 + one, count), SM(load)(mean + one, count), SM(load)(rest + one, count),
              SM(load)(squares + one, count)};
    V b[4] = {SM(load)(n0 + two, count), SM(load)(mean + two, count), SM(load)(rest + two, count),
              SM(load)(squares + two, count)};
    SN(chan)(a, b);
    SM(store)(a[0], n0 + one, count);
    SM(store)(a[1], mean + one, count);
    SM(store)(a[2], rest + one, count);
    SM(store)(a[3], squares + one, count);
}

//# spread_tree
/* The same over states of SN(chan), of so many columns at once. */
FN void SM(spread_tree)(__global E *n0, __global E *mean, __global E *rest, __global E *squares, long stride, long n,
                        int count)
{
    long s = 1;
    while (s * 2 < n)
        s *= 2;
    for (; s > 0 && n > 1; s >>= 1) {
        for (long i = 0; i + s < n; i++)
            SM(spread_step)(n0, mean, rest, squares, i * stride, (i + s) * stride, count);
        n = s;
    }
}

//# spread_level
/* Step `s` of it, as tree_level has it. */
FN void SM(spread_level)(__global E *n0, __global E *mean, __global E *rest, __global E *squares, long stride, long n,
                         long s, long worker, long workers)
{
    n = min(n, 2 * s);
    for (long i = worker; i + s < n; i += workers)
        SM(spread_step)(n0, mean, rest, squares, i * stride, (i + s) * stride, 1);
}
