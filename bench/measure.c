/* The one hard idea: what disturbs a measurement (another program, a clock that changes) lasts
 * longer than a turn, so it hits every variant; and what one variant leaves in the caches must count
 * neither for nor against the next, so that each turn begins with repetitions that are not timed, and the
 * variants take their turns in another order each time. */
#include "bench/measure.h"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Repetitions are grouped into turns of about TURN seconds. */
#define TURN 2e-3
/* Those before them that are not timed: until two in a row are no faster than the fastest, by
 * SETTLED. A cache of 32 MB is not the variant's own before its fifth. */
#define MOST_UNTIMED 12
#define SETTLED 0.97
/* What takes longer begins with one: no cache holds it. */
#define LONG_REPETITION 2e-2
#define MOST_IN_TURN 64
#define MOST_SAMPLES 20000
/* Smaller differences than this come from where the memory happens to lie, even between equal
 * programs. */
#define LEAST_RATIO 1.02

double bench_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

const char *bench_clock_text(void)
{
    static char text[64];
    struct timespec t = {0};
    (void)clock_getres(CLOCK_MONOTONIC, &t);
    (void)snprintf(text, sizeof text, "CLOCK_MONOTONIC, resolution %ld ns", t.tv_nsec);
    return text;
}

bool bench_runner_add(bench_runner *r, double seconds)
{
    if (r->count == r->capacity) {
        size_t capacity = r->capacity > 0 ? 2 * r->capacity : 64;
        double *samples = realloc(r->samples, capacity * sizeof *samples);
        if (samples == NULL)
            return false;
        r->samples = samples;
        r->capacity = capacity;
    }
    r->samples[r->count++] = seconds;
    return true;
}

static bool repeat_once(bench_runner *r)
{
    double start = bench_now();
    bool fine = r->run(r->user);
    r->estimate = bench_now() - start;
    return fine;
}

/* Brings the data of the runner back into the caches. */
static bool settle(bench_runner *r)
{
    double least = DBL_MAX;
    int slower = 0; /* in a row */
    for (int i = 0; i < MOST_UNTIMED && slower < 2; i++) {
        if (!repeat_once(r))
            return false;
        if (r->estimate > LONG_REPETITION)
            break;
        slower = r->estimate < SETTLED * least ? 0 : slower + 1;
        least = r->estimate < least ? r->estimate : least;
    }
    return true;
}

static bool take_turn(bench_runner *r)
{
    if (!settle(r))
        return false;
    double fit = TURN / (r->estimate > 1e-7 ? r->estimate : 1e-7);
    size_t timed = fit < MOST_IN_TURN ? (size_t)fit + 1 : MOST_IN_TURN;
    for (size_t i = 0; i < timed; i++) {
        if (!repeat_once(r) || !bench_runner_add(r, r->estimate))
            return false;
    }
    return true;
}

/* Puts the turns of a round into another order, the same in every process. */
static void shuffle(size_t *order, size_t count, uint32_t *state)
{
    for (size_t i = count; i > 1; i--) {
        *state = *state * 1664525u + 1013904223u;
        size_t k = (*state >> 16) % i;
        size_t other = order[k];
        order[k] = order[i - 1];
        order[i - 1] = other;
    }
}

static bool is_enough(const bench_runner *runners, size_t count, size_t least)
{
    for (size_t i = 0; i < count; i++) {
        if (runners[i].count < least)
            return false;
    }
    return true;
}

bool bench_measure(bench_runner *runners, size_t count, double seconds, size_t least,
                   bench_watch watch)
{
    double start = bench_now();
    double past = 0;
    size_t order[BENCH_MAX_RUNNERS]; /* when the turn of each is */
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    while (past < seconds || !is_enough(runners, count, least)) {
        shuffle(order, count, &state);
        for (size_t k = 0; k < count * count; k++) {
            size_t i = k % count;
            if (order[i] == k / count && runners[i].count < MOST_SAMPLES && !take_turn(&runners[i]))
                return false;
        }
        past = bench_now() - start;
        if (watch.tick != NULL)
            watch.tick(watch.user, past < seconds ? past / seconds : 1.0);
    }
    return true;
}

static int compare_samples(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between the two samples that are nearest to a part of all. */
static double quantile(const bench_runner *r, double part)
{
    double at = part * (double)(r->count - 1);
    size_t low = (size_t)at;
    size_t high = low + 1 < r->count ? low + 1 : low;
    return r->samples[low] + (r->samples[high] - r->samples[low]) * (at - (double)low);
}

bench_times bench_runner_times(bench_runner *r)
{
    bench_times t = {.repetitions = r->count};
    if (r->count == 0)
        return t;
    qsort(r->samples, r->count, sizeof *r->samples, compare_samples);
    t.median = quantile(r, 0.5);
    t.p10 = quantile(r, 0.1);
    t.p90 = quantile(r, 0.9);
    return t;
}

void bench_runner_finish(bench_runner *r)
{
    free(r->samples);
    r->samples = NULL;
    r->count = r->capacity = 0;
}

int bench_compare(const bench_times *a, const bench_times *b)
{
    if (a->p90 < b->p10 && a->median * LEAST_RATIO < b->median)
        return 1;
    return b->p90 < a->p10 && b->median * LEAST_RATIO < a->median ? -1 : 0;
}
