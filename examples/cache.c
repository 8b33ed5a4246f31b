/* Attention over what was seen so far, step by step: the keys and values of each step go into caches that are
 * tensors. An update whose old tensor is released is written where that lies, so a step writes its own place of the
 * caches and nothing else; and where that place is, is a number like any other, so every step is the same plan. */
#include <sinter/sinter.h>

#include <stdio.h>

#define PLACES 64
#define DEPTH 16

#define TRY(call)                                                                                  \
    do {                                                                                           \
        sinter_status status_ = (call);                                                            \
        if (status_ != SINTER_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

/* *cache with row `place` replaced: the old tensor is given up, so that the new one takes its memory. */
static sinter_status append(sinter_stream *s, sinter_tensor *cache, int place, sinter_tensor row)
{
    const sinter_range at = {.axis = 0, .start = place, .stop = place + 1, .step = 1};
    sinter_tensor next;
    TRY(sinter_update(s, *cache, 1, &at, row, &next));
    TRY(sinter_tensor_release(s, *cache));
    *cache = next;
    return SINTER_OK;
}

/* x keys^T values / places: attention without a softmax, to which places that are still 0 add nothing. */
static sinter_status attend(sinter_stream *s, sinter_tensor x, sinter_tensor keys,
                            sinter_tensor values, int places, sinter_tensor *out)
{
    sinter_tensor across, product, score;
    TRY(sinter_transpose(s, keys, NULL, &across));
    TRY(sinter_matmul(s, x, across, &product));
    TRY(sinter_mul_scalar(s, product, 1.0 / places, &score));
    return sinter_matmul(s, score, values, out);
}

/* One step: x [1, DEPTH] becomes what attention makes of it. */
static sinter_status step(sinter_stream *s, sinter_tensor *x, sinter_tensor *keys,
                          sinter_tensor *values, int place)
{
    sinter_tensor key, value, seen, sum, next;
    TRY(sinter_scope_open(s));
    TRY(sinter_abs(s, *x, &key));
    TRY(sinter_mul_scalar(s, *x, 0.5, &value));
    TRY(append(s, keys, place, key));
    TRY(append(s, values, place, value));
    TRY(attend(s, *x, *keys, *values, place + 1, &seen));
    TRY(sinter_sub(s, seen, *x, &sum));
    TRY(sinter_clamp(s, sum, -1.0, 1.0, &next));
    const sinter_tensor kept[] = {*keys, *values, next};
    TRY(sinter_scope_close(s, 3, kept));
    TRY(sinter_tensor_release(s, *x));
    *x = next;
    return sinter_stream_sync(s);
}

static sinter_status decode(sinter_context *ctx, sinter_stream *s)
{
    const int64_t all[] = {PLACES, DEPTH};
    const int64_t one[] = {1, DEPTH};
    sinter_tensor x, keys, values;
    sinter_stats early = SINTER_STATS_INIT;
    sinter_stats late = SINTER_STATS_INIT;
    float out[DEPTH];
    TRY(sinter_full(s, SINTER_F32, 2, all, sinter_scalar_float(0.0), &keys));
    TRY(sinter_full(s, SINTER_F32, 2, all, sinter_scalar_float(0.0), &values));
    TRY(sinter_random_normal(s, SINTER_F32, 2, one, 1, 0, &x));
    TRY(sinter_stream_sync(s));
    for (int i = 0; i < PLACES; i++) {
        TRY(step(s, &x, &keys, &values, i));
        if (i == 3)
            TRY(sinter_context_stats(ctx, &early));
    }
    TRY(sinter_context_stats(ctx, &late));
    TRY(sinter_tensor_read(s, x, out, sizeof out));
    printf("x[0] is %.4f after %d steps\n", (double)out[0], PLACES);
    printf(
        "the last %d steps: %d tensors changed in place, %d plans, %d compiles, %d allocations\n",
        PLACES - 4, (int)(late.donations - early.donations),
        (int)(late.plan_misses - early.plan_misses), (int)(late.compiles - early.compiles),
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
        status = decode(ctx, s);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "cache: %s: %s\n", sinter_status_name(status), sinter_last_error());
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
    return status == SINTER_OK ? 0 : 1;
}
