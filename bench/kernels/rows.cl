/* Normalisations over the rows of x, [a, b]: a work-item has PER_ITEM whole rows, each of which stays in the cache from
 * pass to pass. Sums in 64 parts, four vectors, which are also sinter's. */
#define DECLARE(s, value)                                                                          \
    F s##0 = (F)(value);                                                                           \
    F s##1 = (F)(value);                                                                           \
    F s##2 = (F)(value);                                                                           \
    F s##3 = (F)(value);
#define COLUMNS for (int i = 0; i < b; i += 64)
#define EPSILON 1e-5f
#define BIGGER(x, y) (((x) > (y)) ? (x) : (y))

float add_lanes(F v)
{
    float8 x = v.lo + v.hi;
    float4 y = x.lo + x.hi;
    return (y.x + y.z) + (y.y + y.w);
}

#define SUM(s) add_lanes((s##0 + s##2) + (s##1 + s##3))

/* NaN may be passed over: a row that has one is NaN by its sum. */
float largest(__global const float *restrict x, int b)
{
    DECLARE(m, -INFINITY)
    COLUMNS
    {
        m0 = BIGGER(LOAD(x, i), m0);
        m1 = BIGGER(LOAD(x, i + 16), m1);
        m2 = BIGGER(LOAD(x, i + 32), m2);
        m3 = BIGGER(LOAD(x, i + 48), m3);
    }
    m0 = BIGGER(m0, m1);
    m2 = BIGGER(m2, m3);
    m0 = BIGGER(m0, m2);
    float8 p = BIGGER(m0.lo, m0.hi);
    float4 q = BIGGER(p.lo, p.hi);
    return fmax(fmax(q.x, q.z), fmax(q.y, q.w));
}

/* Where the exponentials of a row wait: in the result, or beside it, so that that is written once, past the caches. */
#ifdef STREAM
#define MOST_COLUMNS 1024
#define PUT(v, i) held[(i) / 16] = (v)
#define TAKE(i) held[(i) / 16]
#else
#define PUT(v, i) STORE(v, out, i)
#define TAKE(i) LOAD(out, i)
#endif
#define EXP_STEP(k)                                                                                \
    F e##k = EXP_BELOW(LOAD(in, i + 16 * k) - most);                                               \
    PUT(e##k, i + 16 * k);                                                                         \
    s##k += e##k;

__kernel void softmax(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
#ifdef STREAM
    F held[MOST_COLUMNS / 16];
#endif
    EACH_ROW(row, a)
    {
        __global const float *restrict in = x + row * b;
        __global float *restrict out = y + row * b;
        F most = (F)(largest(in, b));
        DECLARE(s, 0)
        COLUMNS
        {
            EXP_STEP(0) EXP_STEP(1) EXP_STEP(2) EXP_STEP(3)
        }
        float total = SUM(s);
#ifdef SAME
        for (int i = 0; i < b; i += 16)
            STORE_LAST(TAKE(i) / (F)(total), out, i);
#else
        float scale = 1.0f / total;
        for (int i = 0; i < b; i += 16)
            STORE_LAST(TAKE(i) * scale, out, i);
#endif
    }
}

#define SUM_STEP(k) s##k += EXP_BELOW(LOAD(in, i + 16 * k) - most);

__kernel void log_softmax(__global const float *restrict x, __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
    {
        __global const float *restrict in = x + row * b;
        __global float *restrict out = y + row * b;
        F most = (F)(largest(in, b));
        DECLARE(s, 0)
        COLUMNS
        {
            SUM_STEP(0) SUM_STEP(1) SUM_STEP(2) SUM_STEP(3)
        }
        F rest = LOG((F)(SUM(s)));
        for (int i = 0; i < b; i += 16)
            STORE_LAST(LOAD(in, i) - most - rest, out, i);
    }
}

float mean_of(__global const float *restrict in, int b)
{
    DECLARE(s, 0)
    COLUMNS
    {
        s0 += LOAD(in, i);
        s1 += LOAD(in, i + 16);
        s2 += LOAD(in, i + 32);
        s3 += LOAD(in, i + 48);
    }
    return SUM(s) / (float)b;
}

#define SQUARE_STEP(k)                                                                             \
    F d##k = LOAD(in, i + 16 * k) - centre;                                                        \
    s##k += d##k * d##k;

float square_mean(__global const float *restrict in, int b, F centre)
{
    DECLARE(s, 0)
    COLUMNS
    {
        SQUARE_STEP(0) SQUARE_STEP(1) SQUARE_STEP(2) SQUARE_STEP(3)
    }
    return SUM(s) / (float)b;
}

__kernel void layer_norm(__global const float *restrict x, __global const float *restrict gain,
                         __global const float *restrict bias, __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
    {
        __global const float *restrict in = x + row * b;
        __global float *restrict out = y + row * b;
        F mean = (F)(mean_of(in, b));
        F scale = (F)(1.0f / sqrt(square_mean(in, b, mean) + EPSILON));
        for (int i = 0; i < b; i += 16)
            STORE_LAST((LOAD(in, i) - mean) * scale * LOAD(gain, i) + LOAD(bias, i), out, i);
    }
}

__kernel void rms_norm(__global const float *restrict x, __global const float *restrict gain,
                       __global float *restrict y, EXTENTS)
{
    EACH_ROW(row, a)
    {
        __global const float *restrict in = x + row * b;
        __global float *restrict out = y + row * b;
        F scale = (F)(1.0f / sqrt(square_mean(in, b, (F)(0)) + EPSILON));
        for (int i = 0; i < b; i += 16)
            STORE_LAST(LOAD(in, i) * scale * LOAD(gain, i), out, i);
    }
}

__kernel void mean_variance(__global const float *restrict x, __global float *restrict mean,
                            __global float *restrict variance, EXTENTS)
{
    EACH_ROW(row, a)
    {
        __global const float *restrict in = x + row * b;
        float m = mean_of(in, b);
        mean[row] = m;
        variance[row] = square_mean(in, b, (F)(m));
    }
}
