/* The one hard idea: what disturbs a measurement lasts longer than a run, so the things that are
 * compared take turns; and a run that is shorter than the clock is good for is repeated. A turn of
 * what is not long goes on until the caches are as its runs leave them, and counts what it comes to:
 * one that stores past the caches was charged with what the other had left in them to be written,
 * and one whose data the last cache holds with what the other had put out of it. */
#include "executor/profile/trial.h"

#include "executor/context/context.h"
#include "sinter/array.h"
#include "sinter/program.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

#include <stdlib.h>
#include <string.h>

#define TURN_NS 500000   /* that a sample should last at least */
#define LONG_NS 20000000 /* that a run lasts at least for which the caches are of no account */
#define MOST_IN_TURN 256
#define MOST_SETTLING 8 /* runs of a turn, if the caches do not settle */

/* Runs */

static sinter_status release_all(sinter__trial *t, sinter_tensor *results, size_t count)
{
    sinter_status status = SINTER_OK;
    for (size_t i = 0; i < count; i++) {
        sinter_status released = sinter_tensor_release(t->s, results[i]);
        status = status == SINTER_OK ? released : status;
    }
    return status;
}

static sinter_status keep(sinter__trial *t, sinter_tensor result, size_t i)
{
    SINTER_TRY(sinter_tensor_describe(t->ctx, result, &t->results[i]));
    const sinter_tensor_desc *d = &t->results[i];
    int64_t elements = sinter__elements(d->rank, d->shape);
    t->bytes[i] = (size_t)elements * sinter_dtype_bytes(d->dtype);
    t->data[i] = sinter__alloc(&t->ctx->allocator, SINTER__MAX(t->bytes[i], (size_t)1));
    if (t->data[i] == NULL)
        return SINTER_ENOMEM;
    t->result_count = i + 1;
    return sinter_tensor_read(t->s, result, t->data[i], t->bytes[i]);
}

/* One repetition; the first one's results are kept. */
static sinter_status run(sinter__trial *t, bool first)
{
    sinter_tensor results[SINTER__TRIAL_RESULTS] = {{0}};
    size_t count = 0;
    sinter_status status =
        t->job->run(t->job->user, t->state, t->s, results, SINTER__TRIAL_RESULTS, &count);
    if (status == SINTER_OK && count > SINTER__TRIAL_RESULTS)
        status = sinter__fail(SINTER_ERANGE, "the job has %zu results, and room for %d", count,
                              SINTER__TRIAL_RESULTS);
    count = SINTER__MIN(count, (size_t)SINTER__TRIAL_RESULTS);
    if (status == SINTER_OK)
        status = sinter_stream_sync(t->s);
    for (size_t i = 0; i < count && first && status == SINTER_OK; i++)
        status = keep(t, results[i], i);
    if (status != SINTER_OK && sinter_last_error()[0] == '\0')
        (void)sinter__fail(status, "the job gave %s", sinter_status_name(status));
    sinter__message why;
    sinter__message_keep(&why);
    sinter_status released = release_all(t, results, count);
    if (status == SINTER_OK)
        return released;
    sinter__message_give_back(&why);
    return status;
}

/* Everything of the job but its context and stream. */
static sinter_status start(sinter__trial *t)
{
    t->is_open = true;
    if (t->job->open != NULL)
        SINTER_TRY(t->job->open(t->job->user, t->ctx, t->s, &t->state));
    SINTER_TRY(run(t, true));
    uint64_t start_ns = sinter__now_ns();
    SINTER_TRY(run(t, false));
    t->estimate_ns = sinter__now_ns() - start_ns;
    t->is_ready = true;
    return SINTER_OK;
}

sinter_status sinter__trial_open(sinter__trial *t, const sinter_profile *p, sinter__watch *w,
                                 const sinter_job *job, uint32_t lanes, sinter_mode mode)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    *t = (sinter__trial){.job = job};
    o.device = p->device.info.selector;
    o.profile = p;
    o.style = p->values.style; /* the environment may say another */
    o.lanes = lanes;
    o.memory_mode = SINTER_MEMORY_POOL;
    o.mode = mode;
    o.switches = SINTER_NO_CACHE; /* what is tried is not worth a place in the folder */
    o.max_pending_ops = 4096;
    SINTER_TRY(sinter__context_open(&o, &w->shared, &t->ctx));
    SINTER_TRY(sinter_stream_create(t->ctx, NULL, &t->s));
    return start(t);
}

void sinter__trial_end(sinter__trial *t)
{
    sinter__message why; /* of what may have been wrong before */
    sinter__message_keep(&why);
    for (size_t i = 0; i < t->result_count; i++)
        sinter__free(&t->ctx->allocator, t->data[i], SINTER__MAX(t->bytes[i], (size_t)1));
    if (t->is_open && t->job->close != NULL)
        t->job->close(t->job->user, t->state, t->s);
    t->result_count = 0;
    t->state = NULL;
    t->is_open = t->is_ready = false;
    sinter__message_give_back(&why);
}

sinter_status sinter__trial_reopen(sinter__trial *t, const sinter_job *job)
{
    sinter__trial_end(t);
    t->job = job;
    sinter_stream *old = t->s; /* gone whatever is returned: what failed on it is the last job's */
    t->s = NULL;
    (void)sinter_stream_destroy(old);
    SINTER_TRY(sinter_stream_create(t->ctx, NULL, &t->s));
    return start(t);
}

void sinter__trial_close(sinter__trial *t)
{
    sinter__message why; /* of what may have been wrong before */
    sinter__message_keep(&why);
    sinter__trial_end(t);
    (void)sinter_stream_destroy(t->s);
    (void)sinter_context_destroy(t->ctx);
    *t = (sinter__trial){0};
    sinter__message_give_back(&why);
}

bool sinter__trial_fell_back(const sinter__trial *t)
{
    sinter_stats stats = SINTER_STATS_INIT;
    (void)sinter_context_stats(t->ctx, &stats);
    return stats.fallbacks > 0;
}

/* Comparing */

static bool is_nan(sinter_dtype dtype, const void *element)
{
    uint16_t half;
    float single;
    double wide;
    switch (dtype) {
    case SINTER_F16:
        memcpy(&half, element, sizeof half);
        return (half & 0x7fffu) > 0x7c00u;
    case SINTER_BF16:
        memcpy(&half, element, sizeof half);
        return (half & 0x7fffu) > 0x7f80u;
    case SINTER_F32:
        memcpy(&single, element, sizeof single);
        return single != single;
    case SINTER_F64:
        memcpy(&wide, element, sizeof wide);
        return wide != wide;
    default:
        return false;
    }
}

static bool same_bits(sinter_dtype dtype, const char *a, const char *b, size_t bytes)
{
    size_t size = sinter_dtype_bytes(dtype);
    for (size_t at = 0; at < bytes && memcmp(a, b, bytes) != 0; at += size) {
        if (memcmp(a + at, b + at, size) != 0 && !(is_nan(dtype, a + at) && is_nan(dtype, b + at)))
            return false;
    }
    return true;
}

bool sinter__trial_same(const sinter__trial *a, const sinter__trial *b)
{
    bool same = a->result_count == b->result_count;
    for (size_t i = 0; i < a->result_count && same; i++)
        same = a->results[i].dtype == b->results[i].dtype && a->bytes[i] == b->bytes[i] &&
               same_bits(a->results[i].dtype, a->data[i], b->data[i], a->bytes[i]);
    return same;
}

/* Timing */

/* What a program that is timed should take to copy at least, beside which a launch is little; and how many times more
 * elements it may have for that. */
#define LEAST_COPY_US 100
#define LEAST_BYTES ((int64_t)8 << 20)
#define MOST_TIMES 16

int64_t sinter__trial_times_more(const sinter_profile *p)
{
    /* MB/s: bytes in a microsecond */
    const int64_t copy = p->values.rates.figures[SINTER__FIGURE_copy_far];
    int64_t times = 1;
    while (p->values.style == SINTER_STYLE_GPU && times < MOST_TIMES &&
           LEAST_BYTES * times < LEAST_COPY_US * copy)
        times *= 4;
    return times;
}

uint32_t sinter__trial_figure(double value)
{
    return value < 1 ? 1 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)(value + 0.5);
}

#define RUNS_AT_LEAST 4 /* two before the first sample, and that */

bool sinter__trial_is_affordable(const sinter_profile *p, const sinter__watch *w, double bytes)
{
    double left_ns = (double)sinter__watch_left_ns(w);
    /* MB/s: bytes in a microsecond */
    uint32_t copy = p->values.rates.figures[SINTER__FIGURE_copy_near];
    return copy == 0 || 1e3 * bytes / copy * RUNS_AT_LEAST < left_ns / 2;
}

/* Runs so often, once at least; the mean is the estimate. */
static sinter_status time_runs(sinter__trial *t, uint64_t wanted)
{
    uint64_t runs = 0;
    uint64_t start_ns = sinter__now_ns();
    do {
        SINTER_TRY(run(t, false));
        runs++;
    } while (runs < wanted);
    t->estimate_ns = (sinter__now_ns() - start_ns) / runs;
    return SINTER_OK;
}

/* Runs until two in a row are no faster than the fastest, by 2 %: a last cache may take five to be filled. The estimate
 * is the shorter of the two: what disturbs only adds. */
static sinter_status settle(sinter__trial *t)
{
    uint64_t least_ns = UINT64_MAX;
    uint64_t before_ns = UINT64_MAX;
    int slower = 0; /* in a row */
    for (int i = 0; i < MOST_SETTLING && slower < 2; i++) {
        before_ns = i > 0 ? t->estimate_ns : UINT64_MAX;
        SINTER_TRY(time_runs(t, 1));
        slower = t->estimate_ns < least_ns - least_ns / 50 ? 0 : slower + 1;
        least_ns = SINTER__MIN(least_ns, t->estimate_ns);
    }
    t->estimate_ns = SINTER__MIN(t->estimate_ns, before_ns);
    return SINTER_OK;
}

/* Where a run is a sample by itself, those to which they settled are. */
static sinter_status sample(sinter__trial *t)
{
    if (!t->is_ready)
        return sinter__fail(SINTER_EINVAL, "the job is not open");
    const bool settles = t->estimate_ns < LONG_NS;
    if (settles)
        SINTER_TRY(settle(t));
    if (!settles || t->estimate_ns < TURN_NS)
        SINTER_TRY(
            time_runs(t, SINTER__MIN(TURN_NS / (t->estimate_ns + 1), (uint64_t)MOST_IN_TURN)));
    t->samples[t->sample_count++] = SINTER__MAX(t->estimate_ns, (uint64_t)1);
    return SINTER_OK;
}

sinter_status sinter__trial_time(sinter__trial *const *trials, size_t count, size_t rounds,
                                 uint64_t deadline_ns, sinter__watch *watch)
{
    for (size_t i = 0; i < count; i++)
        trials[i]->sample_count = 0;
    for (size_t r = 0; r < SINTER__MIN(rounds, (size_t)SINTER__TRIAL_SAMPLES); r++) {
        if (r > 0 && sinter__now_ns() > deadline_ns)
            return SINTER_OK;
        for (size_t i = 0; i < count; i++) {
            if (watch != NULL && sinter__watch_is_stopped(watch))
                return SINTER_OK;
            SINTER_TRY(sample(trials[i]));
        }
    }
    return SINTER_OK;
}

uint64_t sinter__trial_turn_ns(const sinter__trial *t)
{
    return t->estimate_ns < LONG_NS ? (MOST_SETTLING + 1) * t->estimate_ns + TURN_NS
                                    : t->estimate_ns;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The sample behind one of so many parts of the others, the shortest first. */
static uint64_t part_ns(const sinter__trial *t, size_t parts)
{
    uint64_t sorted[SINTER__TRIAL_SAMPLES];
    size_t n = t->sample_count;
    if (n == 0)
        return 0;
    memcpy(sorted, t->samples, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    return sorted[(n - 1) / parts];
}

uint64_t sinter__trial_median_ns(const sinter__trial *t)
{
    return part_ns(t, 2);
}

uint64_t sinter__trial_quartile_ns(const sinter__trial *t)
{
    return part_ns(t, 4);
}

sinter_status sinter__trial_shortest(sinter__trial *t, const sinter_profile *p, sinter__watch *w,
                                     const sinter_job *job, uint32_t lanes, sinter_mode mode,
                                     uint64_t *time_ns)
{
    sinter_status status = t->ctx != NULL ? sinter__trial_reopen(t, job)
                                          : sinter__trial_open(t, p, w, job, lanes, mode);
    if (status == SINTER_OK)
        status = sinter__trial_time(&t, 1, SINTER__TRIAL_ROUNDS, w->deadline_ns, NULL);
    *time_ns = status == SINTER_OK ? part_ns(t, SINTER__TRIAL_SAMPLES) : 0; /* the first of all */
    sinter__trial_end(t);
    return sinter__watch_pass_over(w, status, job->name);
}

bool sinter__trial_beats(const sinter__trial *a, const sinter__trial *b)
{
    size_t n = SINTER__MIN(a->sample_count, b->sample_count);
    uint64_t x = sinter__trial_median_ns(a);
    uint64_t y = sinter__trial_median_ns(b);
    size_t wins = 0;
    for (size_t i = 0; i < n; i++)
        wins += a->samples[i] < b->samples[i];
    return n >= SINTER__TRIAL_LEAST_TURNS && 5 * wins >= 4 * n && x + x / 50 < y;
}

/* Programs as jobs */

typedef struct program_state {
    sinter_program *program;
    sinter_tensor inputs[8];
} program_state;

/* Numbers that no operation finds hard. */
static void fill(float *numbers, int64_t count, bool is_whole)
{
    const int64_t period = is_whole ? 1000 : 1024;
    for (int64_t i = 0; i < SINTER__MIN(count, period); i++) {
        int32_t whole = (int32_t)(1 + i);
        numbers[i] = 0.5F + (float)i / 1024.0F;
        if (is_whole)
            memcpy(&numbers[i], &whole, sizeof whole);
    }
    for (int64_t i = period; i < count; i += period)
        memcpy(numbers + i, numbers, (size_t)SINTER__MIN(period, count - i) * sizeof *numbers);
}

/* The rank of the input of that name. */
static int shape_of(const sinter__program_job *p, char name, int64_t shape[2])
{
    const int64_t columns = p->elements / p->rows;
    const bool is_matrix = strchr("mnrl", name) != NULL;
    shape[0] = !is_matrix ? p->elements : name == 'r' ? 1 : p->rows;
    shape[1] = name == 'l' ? 1 : columns;
    return is_matrix ? 2 : 1;
}

static sinter_status make_input(const sinter__program_job *p, char name, sinter_stream *s,
                                sinter_tensor *out)
{
    int64_t shape[2];
    const bool is_whole = name == 'i' || name == 'j';
    const int rank = shape_of(p, name, shape);
    const int64_t count = sinter__elements(rank, shape);
    const size_t bytes = (size_t)SINTER__MAX(count, (int64_t)1) * sizeof(float);
    sinter__allocator *a = &s->ctx->allocator;
    float *numbers = sinter__alloc(a, bytes);
    if (numbers == NULL)
        return SINTER_ENOMEM;
    fill(numbers, count, is_whole);
    sinter_status status =
        sinter_tensor_from_host(s, is_whole ? SINTER_I32 : SINTER_F32, rank, shape, numbers, out);
    sinter__free(a, numbers, bytes);
    return status;
}

static void program_close(void *user, void *state, sinter_stream *s)
{
    (void)user;
    program_state *ps = state;
    if (ps == NULL)
        return;
    for (size_t i = 0; i < SINTER__COUNT(ps->inputs); i++)
        (void)sinter_tensor_release(s, ps->inputs[i]);
    sinter_program_destroy(ps->program);
    sinter__free(&s->ctx->allocator, ps, sizeof *ps);
}

static sinter_status program_open(void *user, sinter_context *ctx, sinter_stream *s, void **state)
{
    (void)ctx;
    const sinter__program_job *p = user;
    program_state *ps = sinter__alloc(&s->ctx->allocator, sizeof *ps);
    *state = ps;
    if (ps == NULL)
        return SINTER_ENOMEM;
    SINTER_TRY(sinter_program_parse(p->text, strlen(p->text), &ps->program, NULL));
    for (size_t i = 0; i < sinter_program_input_count(ps->program); i++) {
        const char *name = sinter_program_input_name(ps->program, i);
        SINTER_TRY(make_input(p, name[0], s, &ps->inputs[i]));
    }
    return sinter_stream_sync(s);
}

static sinter_status program_run(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                                 size_t room, size_t *count)
{
    const sinter__program_job *p = user;
    program_state *ps = state;
    size_t made = sinter_program_result_count(ps->program);
    *count = 0;
    if (made > room)
        return sinter__fail(SINTER_ERANGE, "%zu results, and room for %zu", made, room);
    for (int i = 0; i < p->repeats; i++) {
        for (size_t k = 0; k < *count; k++)
            (void)sinter_tensor_release(s, results[k]);
        *count = 0;
        SINTER_TRY(sinter_program_run(ps->program, s, ps->inputs, results, NULL));
        *count = made;
        if (p->repeats > 1)
            SINTER_TRY(sinter_stream_flush(s));
    }
    return SINTER_OK;
}

void sinter__program_job_init(sinter__program_job *p, const char *name, const char *text,
                              int64_t elements, int64_t rows)
{
    *p = (sinter__program_job){.text = text, .elements = elements, .rows = rows, .repeats = 1};
    p->job = (sinter_job){.size = sizeof p->job,
                          .name = name,
                          .open = program_open,
                          .run = program_run,
                          .close = program_close,
                          .user = p};
}
