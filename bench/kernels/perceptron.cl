/* relu(x w1 + b1), relu(h w2 + b2), sigmoid(h w3 + b3), each in one launch. x is [a, b], h [a, c], the result [a, d].
 *
 * A work-item holds a tile of 8 rows by two vectors. The rows are named one by one, because not every compiler keeps an
 * array in registers; neighbouring work-items go down the rows, so that the columns of w that they share stay in the
 * cache. */
#if WIDTH > 1
#    define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#    define DECLARE(i)                                                                             \
        F left##i = (F)(0);                                                                        \
        F right##i = (F)(0);                                                                       \
        __global const float *x##i = x + (row + i) * k;
#    define STEP(i)                                                                                \
        left##i = fma((F)(x##i[j]), p, left##i);                                                   \
        right##i = fma((F)(x##i[j]), q, right##i);
#    define KEEP(i)                                                                                \
        F left_sum##i = left##i;                                                                   \
        F right_sum##i = right##i;
#    define RESTART(i)                                                                             \
        left##i = (F)(0);                                                                          \
        right##i = (F)(0);
#    define GATHER(i)                                                                              \
        left_sum##i += left##i;                                                                    \
        right_sum##i += right##i;
#    define TAKE(i)                                                                                \
        left##i = left_sum##i;                                                                     \
        right##i = right_sum##i;
#    ifdef PLAIN /* neither bias nor relu */
#        define FINISH(i)                                                                          \
            STORE(left##i, y, (row + i) * n + column);                                             \
            STORE(right##i, y, (row + i) * n + column + WIDTH);
#    else
#        define FINISH(i)                                                                          \
            left##i += LOAD(bias, column);                                                         \
            right##i += LOAD(bias, column + WIDTH);                                                \
            STORE(POSITIVE(left##i), y, (row + i) * n + column);                                   \
            STORE(POSITIVE(right##i), y, (row + i) * n + column + WIDTH);
#    endif

void layer(__global const float *restrict x, __global const float *restrict w,
           __global const float *restrict bias, __global float *restrict y, int k, int n)
{
    int row = (int)get_global_id(0) * 8;
    int column = (int)get_global_id(1) * 2 * WIDTH;
    ROWS(DECLARE)
#    ifdef SAME /* chunks of 256, which are added in order */
    for (int j = 0; j < min(k, 256); j++) {
        F p = LOAD(w, j * n + column);
        F q = LOAD(w, j * n + column + WIDTH);
        ROWS(STEP)
    }
    ROWS(KEEP)
    for (int chunk = 256; chunk < k; chunk += 256) {
        ROWS(RESTART)
        for (int j = chunk; j < min(k, chunk + 256); j++) {
            F p = LOAD(w, j * n + column);
            F q = LOAD(w, j * n + column + WIDTH);
            ROWS(STEP)
        }
        ROWS(GATHER)
    }
    ROWS(TAKE)
#    else
    for (int j = 0; j < k; j++) {
        F p = LOAD(w, j * n + column);
        F q = LOAD(w, j * n + column + WIDTH);
        ROWS(STEP)
    }
#    endif
    ROWS(FINISH)
}

__kernel void layer_1(__global const float *restrict x, __global const float *restrict w,
                      __global const float *restrict bias, __global float *restrict y, EXTENTS)
{
    layer(x, w, bias, y, b, c);
}

/* The product x w alone, [a, b] by [b, c]. */
__kernel void product(__global const float *restrict x, __global const float *restrict w,
                      __global float *restrict y, EXTENTS)
{
    layer(x, w, w, y, b, c);
}

__kernel void layer_2(__global const float *restrict x, __global const float *restrict w,
                      __global const float *restrict bias, __global float *restrict y, EXTENTS)
{
    layer(x, w, bias, y, c, c);
}
#endif

/* The last layer is narrow: a work-item per element, the rows of w in cache. With sinter's meaning a sum is one long
 * wait, so a work-item has eight rows of one column, whose sums go on side by side. */
#ifdef SAME
#    define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#    define START(i)                                                                               \
        float s##i = 0.0f;                                                                         \
        float t##i = 0.0f;                                                                         \
        __global const float *x##i = x + (row + i) * c;
#    define ADD(i) s##i = fma(x##i[j], weight, s##i);
#    define CHUNK(i)                                                                               \
        t##i = chunk == 0 ? s##i : t##i + s##i;                                                    \
        s##i = 0.0f;
#    define LANE(i) t##i,
__kernel void layer_3(__global const float *restrict x, __global const float *restrict w,
                      __global const float *restrict bias, __global float *restrict y, EXTENTS)
{
    int column = (int)get_global_id(0);
    int row = (int)get_global_id(1) * 8;
    ALL(START)
    for (int chunk = 0; chunk < c; chunk += 256) {
        for (int j = chunk; j < min(c, chunk + 256); j++) {
            float weight = w[j * d + column];
            ALL(ADD)
        }
        ALL(CHUNK)
    }
    F sums = (F)(ALL(LANE) 0, 0, 0, 0, 0, 0, 0, 0);
    F result = SN(sigmoid)(sums + (F)(bias[column]));
    float out[WIDTH];
    STORE(result, out, 0);
    for (int i = 0; i < 8; i++)
        y[(row + i) * d + column] = out[i];
}
#else
__kernel void layer_3(__global const float *restrict x, __global const float *restrict w,
                      __global const float *restrict bias, __global float *restrict y, EXTENTS)
{
    int column = (int)get_global_id(0);
    int row = (int)get_global_id(1);
    float s0 = 0.0f;
    float s1 = 0.0f;
    for (int j = 0; j < c; j += 2) {
        s0 = fma(x[row * c + j], w[j * d + column], s0);
        s1 = fma(x[row * c + j + 1], w[(j + 1) * d + column], s1);
    }
    y[row * d + column] = 1.0f / (1.0f + exp(-(s0 + s1 + bias[column])));
}
#endif
