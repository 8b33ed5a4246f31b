/* Searching schedules by measuring them: which of the numbers of fusion/device/tuning.def are best for a
 * job, in the device's own or in those of a kernel. */
#ifndef SINTER_EXECUTOR_SEARCH_H
#define SINTER_EXECUTOR_SEARCH_H

#include "executor/profile/trial.h"
#include "executor/profile/watch.h"

typedef struct sinter__search {
    sinter_profile *p; /* the best so far */
    const sinter_job *job;
    sinter__watch *watch;
    uint64_t end_ns;      /* of all searching */
    uint64_t deadline_ns; /* of this search */
    bool of_kernel;       /* `key` says whose numbers are searched; else the device's */
    uint64_t key;
    uint16_t loops;   /* which numbers matter: bits as in sinter__tuning_info */
    uint16_t settled; /* those that matter for one of these as well stay as they are */
    const char *what;
    sinter__trial best;
    sinter_tune_result result;
} sinter__search;

/* Runs the job as the profile is: what all else is compared with. The caller finishes the search
 * whatever is returned. */
sinter_status sinter__search_start(sinter__search *s, sinter_profile *p, const sinter_job *job,
                                   sinter__watch *watch);
/* Climbs number by number as long as it gets faster. Fails only for lack of memory, or when the best
 * so far does not run any longer. */
sinter_status sinter__search_climb(sinter__search *s);
void sinter__search_finish(sinter__search *s);

#endif /* SINTER_EXECUTOR_SEARCH_H */
