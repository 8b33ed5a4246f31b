/* Folding, the canonical tree of a reduction (fusion/tree.h): with n partials left, t[i] op= t[i + s] for every
 * i + s < n, s being the largest power of two below n; then n = s. Absent partials take no part; and carries in the canonical order of a scan.
 *
 * Instantiated per dtype, number of lanes and operation, on devices only. COMBINE(x, y) is the operation on
 * vectors, COMBINE1(x, y) on single values; the other words are those of memory.cl. */

//# fold
/* The next vector of a sequence: the first starts it, others are combined in their first `count` lanes. */
FN V SM(fold)(V acc, V x, int first, int count)
{
    V next = COMBINE(acc, x);
    return first ? x : SM(merge)(next, acc, count);
}

//# tree
/* Over the first n of 64 partials in vectors. */
FN R SM(tree)(V *acc, int n)
{
    R t[64];
    for (int k = 0; k < 64 / LANES; k++)
        UNPACK(acc[k], t + k * LANES);
    int s = 32;
    while (s >= n)
        s >>= 1;
    for (; s > 0; s >>= 1) {
        for (int i = 0; i + s < n; i++)
            t[i] = COMBINE1(t[i], t[i + s]);
        n = s;
    }
    return t[0];
}

//# group_tree
/* The same with a vector in each work-item of the group; t is local, and free again on return. */
FN R SM(group_tree)(V x, __local R *t, int n)
{
    int lid = (int)get_local_id(0);
    UNPACK(x, t + lid * LANES);
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 32;
    while (s >= n)
        s >>= 1;
    for (; s > 0; s >>= 1) {
        for (int i = lid; i + s < n; i += (int)get_local_size(0))
            t[i] = COMBINE1(t[i], t[i + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
        n = s;
    }
    R total = t[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
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

//# scan_next
/* The carry of block b > 0 of a scan, t being the total of the block before it. Of each level (blocks, groups of 64
 * of them, ...) s holds what is before the one at hand in its group, and the carry of that group. */
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
