/* x[:, ::2] * 2 + transpose(y), and a column against a row. x is [a, 2 * b], y [b, a]. */
__kernel void strided_item(__global const float *restrict x, __global const float *restrict y,
                           __global float *restrict out, EXTENTS)
{
    int column = (int)get_global_id(0);
    int row = (int)get_global_id(1);
    out[row * b + column] = x[2 * (row * b + column)] * 2.0f + y[column * a + row];
}

typedef float8 EIGHT __attribute__((aligned(4)));
typedef float16 SIXTEEN __attribute__((aligned(4)));
#define LOAD_SIXTEEN(p) (*(__global const SIXTEEN *)(p))

/* 8 elements of a row of y, and of the 8 rows that begin there. */
#define LINE(k, row) float8 y##k = *(__global const EIGHT *)(block + (row) * a)
#define LINES                                                                                      \
    LINE(0, 0);                                                                                    \
    LINE(1, 1);                                                                                    \
    LINE(2, 2);                                                                                    \
    LINE(3, 3);                                                                                    \
    LINE(4, 4);                                                                                    \
    LINE(5, 5);                                                                                    \
    LINE(6, 6);                                                                                    \
    LINE(7, 7);

/* PER_ITEM rows in blocks of 8 x 8: y is read along its rows and turned round in registers. */
#define COLUMN(k) (float8)(y0.s##k, y1.s##k, y2.s##k, y3.s##k, y4.s##k, y5.s##k, y6.s##k, y7.s##k)
#define ROW(k)                                                                                     \
    {                                                                                              \
        int at = (row + k) * b + column;                                                           \
        *(__global EIGHT *)(out + at) = LOAD_SIXTEEN(x + 2 * at).even * 2.0f + COLUMN(k);           \
    }

__kernel void strided_blocks(__global const float *restrict x, __global const float *restrict y,
                             __global float *restrict out, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int row = first; row < min(first + PER_ITEM, a); row += 8) {
        for (int column = 0; column < b; column += 8) {
            __global const float *restrict block = y + column * a + row;
            LINES
            ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7)
        }
    }
}

/* PER_ITEM rows in blocks of 8 x 16, the next below the last: so that lines of y are read and lines of the result
 * written whole. */
#define WIDE_COLUMN(k)                                                                             \
    (float16)(y0.s##k, y1.s##k, y2.s##k, y3.s##k, y4.s##k, y5.s##k, y6.s##k, y7.s##k, y8.s##k,     \
              y9.s##k, ya.s##k, yb.s##k, yc.s##k, yd.s##k, ye.s##k, yf.s##k)
#define WIDE_ROW(k)                                                                                \
    {                                                                                              \
        int at = (row + k) * b + column;                                                           \
        float16 even = (float16)(LOAD_SIXTEEN(x + 2 * at).even, LOAD_SIXTEEN(x + 2 * at + 16).even); \
        STORE_LAST(even * 2.0f + WIDE_COLUMN(k), out, at);                                         \
    }

#if WIDTH == 16
__kernel void strided_bands(__global const float *restrict x, __global const float *restrict y,
                            __global float *restrict out, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int column = 0; column < b; column += 16) {
        for (int row = first; row < min(first + PER_ITEM, a); row += 8) {
            __global const float *restrict block = y + column * a + row;
            LINES
            LINE(8, 8);
            LINE(9, 9);
            LINE(a, 10);
            LINE(b, 11);
            LINE(c, 12);
            LINE(d, 13);
            LINE(e, 14);
            LINE(f, 15);
            WIDE_ROW(0) WIDE_ROW(1) WIDE_ROW(2) WIDE_ROW(3)
            WIDE_ROW(4) WIDE_ROW(5) WIDE_ROW(6) WIDE_ROW(7)
        }
    }
}
#endif

F near(F distance)
{
    return distance * distance * (F)(-0.5f) + (F)(1);
}

__kernel void broadcast(__global const float *restrict column, __global const float *restrict row,
                        __global float *restrict out, EXTENTS)
{
    int j = (int)get_global_id(0) * WIDTH;
    int i = (int)get_global_id(1);
    STORE(near((F)(column[i]) - LOAD(row, j)), out, i * b + j);
}

/* A work-item per PER_ITEM rows. */
__kernel void broadcast_rows(__global const float *restrict column, __global const float *restrict row,
                             __global float *restrict out, EXTENTS)
{
    int first = (int)get_global_id(0) * PER_ITEM;
    for (int i = first; i < min(first + PER_ITEM, a); i++) {
        F left = (F)(column[i]);
        for (int j = 0; j < b; j += WIDTH)
            STORE(near(left - LOAD(row, j)), out, i * b + j);
    }
}
