/* A program on a context of its own, timed through everything that a caller's program goes through:
 * what is measured is what runs. */
#ifndef SINTER_EXECUTOR_TRIAL_H
#define SINTER_EXECUTOR_TRIAL_H

#include "executor/backend/trace.h"
#include "executor/profile/profile.h"
#include "executor/profile/watch.h"

#define SINTER__TRIAL_RESULTS 16
#define SINTER__TRIAL_SAMPLES 64
#define SINTER__TRIAL_ROUNDS 7 /* of turns, where nothing else is said */

typedef struct sinter__trial {
    const sinter_job *job;
    sinter_context *ctx;
    sinter_stream *s;
    void *state;   /* the job's */
    bool is_open;  /* the job was, whatever came of it */
    bool is_ready; /* it has run */
    size_t result_count;
    sinter_tensor_desc results[SINTER__TRIAL_RESULTS];
    void *data[SINTER__TRIAL_RESULTS]; /* of the first run */
    size_t bytes[SINTER__TRIAL_RESULTS];
    uint64_t samples[SINTER__TRIAL_SAMPLES]; /* ns of a run, in the order of time */
    size_t sample_count;
    uint64_t estimate_ns; /* of a run */
} sinter__trial;

/* Opens a context by the profile and runs the job once: its kernels are compiled, its results kept. `lanes` and `mode` as
 * in sinter_context_options. The caller closes it whatever is returned, before the watch is finished. */
sinter_status sinter__trial_open(sinter__trial *t, const sinter_profile *p, sinter__watch *w,
                                 const sinter_job *job, uint32_t lanes, sinter_mode mode);
void sinter__trial_close(sinter__trial *t);

/* A job, the same or another, in the context that there is, where what was compiled is, on another stream: in memory
 * taken anew. After sinter__trial_open has made one; to be closed whatever is returned. */
sinter_status sinter__trial_reopen(sinter__trial *t, const sinter_job *job);

/* Ends the job, as opening another one and closing the trial do. */
void sinter__trial_end(sinter__trial *t);

/* To the nearest number that a profile can hold of what was measured: 0 is what was not. */
uint32_t sinter__trial_figure(double value);

/* How many times more elements than 1 Mi a program needs, of which a fast GPU is done before the next launch has begun.
 * A power of four, so that matrices stay square. */
int64_t sinter__trial_times_more(const sinter_profile *p);

/* Whether moving so many bytes a few times is a small part of the time that is left, by how fast the
 * device copies in its caches: a simulator would be at it for minutes. */
bool sinter__trial_is_affordable(const sinter_profile *p, const sinter__watch *w, double bytes);

/* Whether the driver refused a kernel, so that something else ran in its place. */
bool sinter__trial_fell_back(const sinter__trial *t);

/* Whether both gave the same bits; NaNs are one value. */
bool sinter__trial_same(const sinter__trial *a, const sinter__trial *b);

/* Times the trials in turns, `rounds` times each, or until `deadline_ns`, but one turn each at least;
 * or until the caller of the watch wants no more. NULL: nobody is asked. */
sinter_status sinter__trial_time(sinter__trial *const *trials, size_t count, size_t rounds,
                                 uint64_t deadline_ns, sinter__watch *watch);

/* What a turn is about to take at most. */
uint64_t sinter__trial_turn_ns(const sinter__trial *t);

/* Turns of each that say anything. */
#define SINTER__TRIAL_LEAST_TURNS 5

/* *time_ns: the shortest run of the job in the trial's context, which is made for the first; what disturbs only adds to it. 0
 * after a failure that leaves the rest to be measured: it fails for lack of memory alone. The trial's job has ended then,
 * and it is to be closed. `p`, `lanes` and `mode` are those of the first call. */
sinter_status sinter__trial_shortest(sinter__trial *t, const sinter_profile *p, sinter__watch *w,
                                     const sinter_job *job, uint32_t lanes, sinter_mode mode,
                                     uint64_t *time_ns);

/* The median of the samples and the one behind the shortest quarter; 0: nothing was timed. */
uint64_t sinter__trial_median_ns(const sinter__trial *t);
uint64_t sinter__trial_quartile_ns(const sinter__trial *t);

/* Whether `a` is faster than `b` beyond what chance explains, after both were timed in turns: it is
 * in four of five turns, and by over 2 % in the median. What disturbs the machine disturbs a turn of
 * both. */
bool sinter__trial_beats(const sinter__trial *a, const sinter__trial *b);

/* A job that runs a program of docs/language.md. Its inputs by name: a, b, c: `elements` f32 between
 * 0.5 and 1.5; i, j: the same of i32 from 1 on; m, n: f32 [rows, elements / rows]; r: [1, elements / rows];
 * l: [rows, 1]. */
typedef struct sinter__program_job {
    sinter_job job;
    const char *text;
    int64_t elements;
    int64_t rows;
    int repeats; /* times that a run queues it */
} sinter__program_job;
void sinter__program_job_init(sinter__program_job *p, const char *name, const char *text,
                              int64_t elements, int64_t rows);

#endif /* SINTER_EXECUTOR_TRIAL_H */
