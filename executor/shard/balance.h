/* How rows are split over streams: by what each is measured to do, or as the caller says. Numbers alone. */
#ifndef SINTER_EXECUTOR_BALANCE_H
#define SINTER_EXECUTOR_BALANCE_H

#include "sinter/shard.h"

/* Of the time that is expected, what another split has to save: less changes nothing. */
#define SINTER__BALANCE_LEAST_GAIN 0.05

/* Rates that are looked at. The median of them counts; but the split in use is given the upper quartile of each, so
 * that what differs from run to run beside other work changes nothing. */
#define SINTER__BALANCE_RATES 9

/* So many runs in which it had no rows, and a stream is given a small part, to see what it does by now. */
#define SINTER__BALANCE_IDLE_RUNS 256

/* A stream's part. */
typedef struct sinter__share {
    double guess;     /* throughput before anything is measured, in a unit common to all */
    double rate;      /* measured, rows in a second, the median; 0: not yet */
    double best_rate; /* the upper quartile */
    double rates[SINTER__BALANCE_RATES]; /* the last ones */
    double used;                         /* of the rows, by which they are split now */
    int64_t rows;                        /* of the last split */
    int64_t timed_rows;
    uint64_t time_ns; /* that they took; 0: nothing is measured */
    uint64_t runs;    /* measured, the first among them */
    uint32_t idle;    /* runs without rows, since it had some or was tried */
} sinter__share;

typedef struct sinter__balance {
    sinter__share shares[SINTER_MAX_SHARDS];
    size_t count;
    bool is_fixed; /* the guesses are the caller's */
    bool is_split; /* `used` is set */
    char why[144];
} sinter__balance;

/* Sets the rows of each share: they come to `total`, and all but the last one's are multiples of
 * `granule`. */
void sinter__balance_split(sinter__balance *b, int64_t total, int64_t granule);

/* After a split: gives the first stream that has had no rows for long a few, for this run. What is then measured takes
 * the place of what was known of it. */
void sinter__balance_probe(sinter__balance *b, int64_t total, int64_t granule);

/* The lowest of `count` values first. */
void sinter__balance_sort(const double *values, size_t count, double *sorted);

/* A part of so many rows has taken `time_ns` (not 0). The first time is let go: drivers compile in it. */
void sinter__balance_correct(sinter__balance *b, size_t index, int64_t rows, uint64_t time_ns);

#endif /* SINTER_EXECUTOR_BALANCE_H */
