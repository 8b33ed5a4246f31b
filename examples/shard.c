/* A softmax over all devices of the context: SINTER_DEVICE=0:0/2, 0:0,1:0 and so on; two streams where there is
 * one device alone. What each did is told, and the sum over all rows is compared with that of one stream.
 *
 *   shard [--sweep] [rows]     --sweep: the time of fixed splits over the first two, beside the measured one */
#include <sinter/sinter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS 512
#define MOST 16 /* streams */
#define SPLITS 11
#define RUNS 15

static sinter_status program(void *user, sinter_stream *s, const sinter_shard_part *part,
                             const sinter_tensor *in, sinter_tensor *out)
{
    const int axis = 1;
    (void)user;
    (void)part;
    return sinter_softmax(s, in[0], 1, &axis,
                          &out[0]); /* what else it made would be released for it */
}

typedef struct scene {
    sinter_context *ctx;
    sinter_stream *streams[MOST];
    size_t count;
    sinter_tensor x;
} scene;

static sinter_status open_scene(scene *c, int64_t rows)
{
    const int64_t shape[] = {rows, COLUMNS};
    sinter_status status = sinter_context_create(NULL, &c->ctx);
    uint32_t devices = sinter_context_device_count(c->ctx);
    for (size_t k = 0; k < (devices > 1 ? devices : 2) && status == SINTER_OK; k++) {
        sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
        o.device = (uint32_t)k % devices;
        status = sinter_stream_create(c->ctx, &o, &c->streams[k]);
        c->count += status == SINTER_OK;
    }
    if (status == SINTER_OK)
        status = sinter_random_normal(c->streams[0], SINTER_F32, 2, shape, 7, 0, &c->x);
    return status;
}

static void close_scene(scene *c)
{
    for (size_t k = 0; k < c->count; k++)
        (void)sinter_stream_destroy(c->streams[k]);
    (void)sinter_context_destroy(c->ctx); /* frees x */
}

/* One run, until all streams are done; the bits of the sums of the columns in `sums`. */
static sinter_status run(const scene *c, sinter_shard *shard, uint32_t *sums)
{
    const sinter_shard_input input = {c->x, 0, SINTER_SHARD_KEEP};
    const sinter_shard_output output = {SINTER_SHARD_SUM, 0};
    sinter_tensor y;
    sinter_status status = sinter_shard_run(shard, program, NULL, 1, &input, 1, &output, &y);
    if (status == SINTER_OK)
        status = sinter_tensor_read(c->streams[0], y, sums, COLUMNS * sizeof *sums);
    if (status == SINTER_OK)
        status = sinter_tensor_release(c->streams[0], y);
    for (size_t k = 0; k < c->count && status == SINTER_OK; k++)
        status = sinter_stream_sync(c->streams[k]);
    return status;
}

static sinter_status tell(sinter_shard *shard, size_t count)
{
    sinter_shard_state state = SINTER_SHARD_STATE_INIT;
    for (size_t k = 0; k < count; k++) {
        sinter_status status = sinter_shard_report(shard, k, &state);
        if (status != SINTER_OK)
            return status;
        printf("device %u: %lld rows, %.0f rows/s, %.3f ms\n", state.device, (long long)state.rows,
               state.rows_per_second, (double)state.time_ns / 1e6);
    }
    printf("%s\n", state.why);
    return SINTER_OK;
}

/* By throughput, and all rows on one stream: the same bits. */
static sinter_status compare(const scene *c)
{
    sinter_shard *all = NULL;
    sinter_shard *one = NULL;
    uint32_t sums[2][COLUMNS];
    sinter_status status = sinter_shard_create(c->count, c->streams, NULL, &all);
    if (status == SINTER_OK)
        status = sinter_shard_create(1, c->streams, NULL, &one);
    for (int i = 0; i < 8 && status == SINTER_OK; i++)
        status = run(c, all, sums[0]);
    if (status == SINTER_OK)
        status = run(c, one, sums[1]);
    if (status == SINTER_OK)
        status = tell(all, c->count);
    if (status == SINTER_OK)
        printf("%s\n", memcmp(sums[0], sums[1], sizeof sums[0]) == 0 ? "the same bits as on one"
                                                                     : "other bits than on one");
    sinter_shard_destroy(all);
    sinter_shard_destroy(one);
    return status;
}

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fixed splits and the measured one in turn, so that other work hits all alike; medians. */
static sinter_status sweep(const scene *c)
{
    static double times[SPLITS + 1][RUNS];
    sinter_shard *shards[SPLITS + 1] = {NULL};
    uint32_t sums[COLUMNS];
    sinter_status status = SINTER_OK;
    for (int i = 0; i <= SPLITS && status == SINTER_OK; i++) {
        const double shares[] = {i, SPLITS - 1 - i};
        sinter_shard_options o = SINTER_SHARD_OPTIONS_INIT;
        o.shares = i < SPLITS ? shares : NULL;
        status = sinter_shard_create(2, c->streams, &o, &shards[i]);
    }
    for (int r = -10; r < RUNS; r++) {
        for (int i = 0; i <= SPLITS && status == SINTER_OK; i++) {
            double start = now_ms();
            status = run(c, shards[i], sums);
            if (r >= 0)
                times[i][r] = now_ms() - start;
        }
    }
    for (int i = 0; i <= SPLITS && status == SINTER_OK; i++) {
        qsort(times[i], RUNS, sizeof times[i][0], by_value);
        if (i < SPLITS)
            printf("%3d : %3d  %.3f ms\n", 10 * i, 100 - 10 * i, times[i][RUNS / 2]);
        else
            printf("measured   %.3f ms\n", times[i][RUNS / 2]);
    }
    for (int i = 0; i <= SPLITS; i++)
        sinter_shard_destroy(shards[i]);
    return status;
}

int main(int argc, char **argv)
{
    scene c = {.ctx = NULL};
    int64_t rows = 0;
    int sweeps = argc > 1 && strcmp(argv[1], "--sweep") == 0;
    if (argc > 1 + sweeps)
        rows = strtoll(argv[1 + sweeps], NULL, 10);
    sinter_status status = open_scene(&c, rows > 0 ? rows : 8192);
    if (status == SINTER_OK)
        status = sweeps ? sweep(&c) : compare(&c);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "shard: %s\n", sinter_last_error());
    close_scene(&c);
    return status == SINTER_OK ? 0 : 1;
}
