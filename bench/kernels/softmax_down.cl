/* The softmax of each column of x, [a, b], in c runs of 256 rows. Sums of a run in sequence, then
 * the halves of the runs, as sinter adds its parts. */
#define RUN 256
#define MOST_RUNS 64
#define BIGGER(x, y) (((x) > (y)) ? (x) : (y))
#define END(part) min(((part) + 1) * RUN, a)

/* Row by row, a launch for each time: a work-item has a run, and what its columns have come to is in the cache. */

/* NaN may be passed over: a column that has one is NaN by its sum. */
__kernel void largest_parts(__global const float *restrict x, __global float *restrict parts, EXTENTS)
{
    int part = (int)get_global_id(0);
    __global float *restrict to = parts + part * b;
    for (int j = 0; j < b; j += WIDTH)
        STORE((F)(-INFINITY), to, j);
    for (int i = part * RUN; i < END(part); i += 4) {
        __global const float *restrict from = x + i * b;
        for (int j = 0; j < b; j += WIDTH) {
            F m = LOAD(to, j);
            m = BIGGER(LOAD(from, j), m);
            m = BIGGER(LOAD(from, b + j), m);
            m = BIGGER(LOAD(from, 2 * b + j), m);
            m = BIGGER(LOAD(from, 3 * b + j), m);
            STORE(m, to, j);
        }
    }
}

#define HALVE(CALL)                                                                                \
    for (int half_way = c / 2; half_way > 0; half_way /= 2) {                                      \
        for (int i = 0; i < half_way; i++) {                                                       \
            F one = LOAD(parts, i * b + j);                                                        \
            F two = LOAD(parts, (i + half_way) * b + j);                                           \
            STORE(CALL, parts, i * b + j);                                                         \
        }                                                                                          \
    }

__kernel void largest_rest(__global float *restrict parts, EXTENTS)
{
    int j = (int)get_global_id(0) * WIDTH;
    HALVE(BIGGER(one, two))
}

#define EXP_STEP(k)                                                                                \
    F e##k = EXP_BELOW(LOAD(from, k * b + j) - most);                                              \
    STORE(e##k, out, k * b + j);                                                                   \
    s += e##k;

__kernel void exp_parts(__global const float *restrict x, __global const float *restrict largest,
                        __global float *restrict y, __global float *restrict parts, EXTENTS)
{
    int part = (int)get_global_id(0);
    __global float *restrict to = parts + part * b;
    for (int j = 0; j < b; j += WIDTH)
        STORE((F)(0), to, j);
    for (int i = part * RUN; i < END(part); i += 4) {
        __global const float *restrict from = x + i * b;
        __global float *restrict out = y + i * b;
        for (int j = 0; j < b; j += WIDTH) {
            F most = LOAD(largest, j);
            F s = LOAD(to, j);
            EXP_STEP(0) EXP_STEP(1) EXP_STEP(2) EXP_STEP(3)
            STORE(s, to, j);
        }
    }
}

__kernel void sum_rest(__global float *restrict parts, EXTENTS)
{
    int j = (int)get_global_id(0) * WIDTH;
    HALVE(one + two)
}

#ifdef SAME
#    define SCALED(x, total) ((x) / (total))
#else
#    define SCALED(x, total) ((x) * ((F)(1) / (total)))
#endif

__kernel void divide(__global float *restrict y, __global const float *restrict total, EXTENTS)
{
    int part = (int)get_global_id(0);
    for (int i = part * RUN; i < END(part); i++) {
        __global float *restrict out = y + i * b;
        for (int j = 0; j < b; j += WIDTH) {
            F quotient = SCALED(LOAD(out, j), LOAD(total, j));
            STORE(quotient, out, j);
        }
    }
}

#ifdef BANDS
/* All of it in one launch: a work-item goes down its PER_ITEM columns three times, a vector after the other. */
__kernel void softmax_bands(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    F most[PER_ITEM / WIDTH];
    F total[PER_ITEM / WIDTH];
    F parts[MOST_RUNS][PER_ITEM / WIDTH];
    for (int k = 0; k < PER_ITEM / WIDTH; k++)
        most[k] = (F)(-INFINITY);
    for (int i = 0; i < a; i++) {
        for (int k = 0; k < PER_ITEM / WIDTH; k++) {
            F v = LOAD(x, i * b + first + k * WIDTH);
            most[k] = BIGGER(v, most[k]);
        }
    }
    for (int part = 0; part < c; part++) {
        for (int k = 0; k < PER_ITEM / WIDTH; k++)
            total[k] = (F)(0);
        for (int i = part * RUN; i < END(part); i++) {
            for (int k = 0; k < PER_ITEM / WIDTH; k++) {
                int at = i * b + first + k * WIDTH;
                F e = EXP_BELOW(LOAD(x, at) - most[k]);
                STORE(e, y, at);
                total[k] += e;
            }
        }
        for (int k = 0; k < PER_ITEM / WIDTH; k++)
            parts[part][k] = total[k];
    }
    for (int half_way = c / 2; half_way > 0; half_way /= 2) {
        for (int i = 0; i < half_way; i++) {
            for (int k = 0; k < PER_ITEM / WIDTH; k++)
                parts[i][k] += parts[i + half_way][k];
        }
    }
    for (int i = 0; i < a; i++) {
        for (int k = 0; k < PER_ITEM / WIDTH; k++) {
            int at = i * b + first + k * WIDTH;
            F quotient = SCALED(LOAD(y, at), parts[0][k]);
            STORE(quotient, y, at);
        }
    }
}
#endif
