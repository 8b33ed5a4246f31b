/* Timing. The rules are in bench/README.md. */
#ifndef SINTER_BENCH_MEASURE_H
#define SINTER_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Whoever wants to hear how far a measurement is, 0 to 1. */
typedef struct bench_watch {
    void (*tick)(void *user, double done); /* NULL: nobody */
    void *user;
} bench_watch;

/* Something to time: run() does one repetition and waits for its end; false ends the measurement.
 */
typedef struct bench_runner {
    bool (*run)(void *user);
    void *user;
    double *samples; /* seconds */
    size_t count;
    size_t capacity;
    double estimate; /* seconds of a repetition, to choose the length of a turn */
} bench_runner;

typedef struct bench_times {
    double median; /* seconds */
    double p10;
    double p90;
    size_t repetitions;
} bench_times;

/* Seconds of a clock that never goes back. */
double bench_now(void);

/* "CLOCK_MONOTONIC, 1 ns". */
const char *bench_clock_text(void);

/* Most that are timed together. */
#define BENCH_MAX_RUNNERS 24

/* Times the runners in turns, in another order each time, for `seconds` and at least `least` repetitions of each.
 * The samples are freed by bench_runner_finish(). */
bool bench_measure(bench_runner *runners, size_t count, double seconds, size_t least,
                   bench_watch watch);

/* One more sample, of a measurement with a loop of its own; false without memory for it. */
bool bench_runner_add(bench_runner *r, double seconds);

/* Sorts the samples. */
bench_times bench_runner_times(bench_runner *r);
void bench_runner_finish(bench_runner *r);

/* How one time compares with another: 1 `a` is faster, -1 slower, 0 no telling: the intervals p10
 * to p90 overlap, or the medians lie within 2 % of each other. */
int bench_compare(const bench_times *a, const bench_times *b);

#endif /* SINTER_BENCH_MEASURE_H */
