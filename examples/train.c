/* Fits a line that tells two clouds of points apart, by gradient descent: the same operations a
 * hundred times. The first steps are planned and compiled; from the third on, a step is recognised
 * while it is being queued and replayed, with nothing planned, compiled or allocated. */
#include <sinter/sinter.h>

#include <stdio.h>

#define POINTS 512
#define STEPS 100

#define TRY(call)                                                                                  \
    do {                                                                                           \
        sinter_status status_ = (call);                                                            \
        if (status_ != SINTER_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

/* Points of [POINTS, 3], a constant 1 at the end of each, and labels of [POINTS, 1]. */
static sinter_status make_points(sinter_stream *s, sinter_tensor *points, sinter_tensor *labels)
{
    static float x[POINTS][3];
    static float y[POINTS];
    uint32_t state = 1;
    for (int i = 0; i < POINTS; i++) {
        y[i] = (float)(i % 2);
        for (int k = 0; k < 2; k++) {
            state = state * 1664525u + 1013904223u;
            x[i][k] = (float)(state >> 8) / 8388608.0f - 1.0f + (i % 2 ? 0.7f : -0.7f);
        }
        x[i][2] = 1.0f;
    }
    TRY(sinter_tensor_from_host(s, SINTER_F32, 2, (const int64_t[]){POINTS, 3}, x, points));
    return sinter_tensor_from_host(s, SINTER_F32, 2, (const int64_t[]){POINTS, 1}, y, labels);
}

/* The slope of the mean logistic loss: points^T (sigmoid(points w) - labels) / POINTS. */
static sinter_status slope(sinter_stream *s, sinter_tensor points, sinter_tensor labels,
                           sinter_tensor w, sinter_tensor *out)
{
    sinter_tensor score, guess, error, across, sum;
    TRY(sinter_matmul(s, points, w, &score));
    TRY(sinter_sigmoid(s, score, &guess));
    TRY(sinter_sub(s, guess, labels, &error));
    TRY(sinter_transpose(s, points, NULL, &across));
    TRY(sinter_matmul(s, across, error, &sum));
    return sinter_mul_scalar(s, sum, 1.0 / POINTS, out);
}

/* One step down the slope. A scope holds what is made on the way, and lets go of it at its end. */
static sinter_status step(sinter_stream *s, sinter_tensor points, sinter_tensor labels,
                          sinter_tensor *w)
{
    sinter_tensor down, change, next;
    TRY(sinter_scope_open(s));
    TRY(slope(s, points, labels, *w, &down));
    TRY(sinter_mul_scalar(s, down, 0.5, &change));
    TRY(sinter_sub(s, *w, change, &next));
    TRY(sinter_scope_close(s, 1, &next));
    TRY(sinter_tensor_release(s, *w));
    *w = next;
    return sinter_stream_sync(s);
}

/* The share of points on the right side of the line. */
static sinter_status measure(sinter_stream *s, sinter_tensor points, sinter_tensor labels,
                             sinter_tensor w, float *out)
{
    sinter_tensor score, side, label, hit, share;
    TRY(sinter_scope_open(s));
    TRY(sinter_matmul(s, points, w, &score));
    TRY(sinter_gt_scalar(s, score, 0.0, &side));
    TRY(sinter_gt_scalar(s, labels, 0.5, &label));
    TRY(sinter_eq(s, side, label, &hit));
    TRY(sinter_mean(s, hit, 0, NULL, false, &share));
    TRY(sinter_tensor_read(s, share, out, sizeof *out));
    return sinter_scope_close(s, 0, NULL);
}

static sinter_status train(sinter_context *ctx, sinter_stream *s)
{
    sinter_tensor points, labels, w;
    sinter_stats early = SINTER_STATS_INIT;
    sinter_stats late = SINTER_STATS_INIT;
    float share;
    TRY(make_points(s, &points, &labels));
    TRY(sinter_full(s, SINTER_F32, 2, (const int64_t[]){3, 1}, sinter_scalar_float(0.0), &w));
    for (int i = 0; i < STEPS; i++) {
        TRY(step(s, points, labels, &w));
        if (i == 3)
            TRY(sinter_context_stats(ctx, &early));
    }
    TRY(sinter_context_stats(ctx, &late));
    TRY(measure(s, points, labels, w, &share));
    printf("%.1f %% of the points on the right side\n", 100.0 * (double)share);
    printf("the last %d steps: %d launches, %d plans, %d compiles, %d allocations\n", STEPS - 4,
           (int)(late.launches - early.launches), (int)(late.plan_misses - early.plan_misses),
           (int)(late.compiles - early.compiles),
           (int)(late.host_allocations - early.host_allocations));
    return SINTER_OK;
}

int main(void)
{
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    sinter_status status = sinter_context_create(NULL, &ctx);
    if (status == SINTER_OK)
        status = sinter_stream_create(ctx, NULL, &s);
    if (status == SINTER_OK)
        status = train(ctx, s);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "train: %s: %s\n", sinter_status_name(status), sinter_last_error());
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
    return status == SINTER_OK ? 0 : 1;
}
