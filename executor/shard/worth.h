/* Whether splitting pays: joining the parts may cost more than the other devices save. Numbers alone. */
#ifndef SINTER_EXECUTOR_SHARD_WORTH_H
#define SINTER_EXECUTOR_SHARD_WORTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINTER__WORTH_RUNS 6   /* of the way that is not in use */
#define SINTER__WORTH_PAUSE 16 /* runs before the first trial, and after one that changed the way */
#define SINTER__WORTH_LAST_PAUSE 512 /* it doubles up to this while nothing changes */
#define SINTER__WORTH_TIMES 9        /* that are looked at */

/* The two ways to run. */
enum { SINTER__WAY_SPLIT, SINTER__WAY_ALONE, SINTER__WAYS };

typedef struct sinter__worth {
    double times[SINTER__WAYS][SINTER__WORTH_TIMES]; /* ns of a row, from one run to the next */
    uint64_t known[SINTER__WAYS];
    uint32_t way; /* that is in use */
    bool tries;   /* the other one is run */
    bool is_there;
    uint32_t left;  /* runs until a trial begins or ends */
    uint32_t pause; /* runs between the last trial and the next */
} sinter__worth;

/* The way of the next run. By the count of runs: a trial of the way that is not in use comes at times, and the one that
 * took less in it stays. */
uint32_t sinter__worth_next(sinter__worth *t);

/* A run that went `way` took so many nanoseconds of a row, until the next one began. */
void sinter__worth_took(sinter__worth *t, uint32_t way, double ns);

/* Forgets the times of the split: it is another one. */
void sinter__worth_resplit(sinter__worth *t);

/* The lower quartile of what is known of a way; 0: nothing is. */
double sinter__worth_time(const sinter__worth *t, uint32_t way);

#endif /* SINTER_EXECUTOR_SHARD_WORTH_H */
