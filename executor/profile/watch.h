/* The clock and the caller of a measurement, and the OpenCL context that its contexts share: PoCL builds the first
 * program of each half a second longer than the next. */
#ifndef SINTER_EXECUTOR_WATCH_H
#define SINTER_EXECUTOR_WATCH_H

#include "executor/profile/profile.h"

#include "core/base.h"
#include "sinter/profile.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sinter__watch {
    sinter_measure_options options;
    uint64_t start_ns, deadline_ns;
    uint64_t told_ns;             /* when the caller was told last */
    const char *what;             /* of what */
    bool stopped;                 /* by the caller */
    sinter__device device;        /* opened anew, since a profile's may be a part that is gone */
    sinter__their_context shared; /* of it */
} sinter__watch;

/* Of the profile's device. To be finished whatever is returned. */
sinter_status sinter__watch_start(sinter__watch *w, const sinter_profile *p,
                                  const sinter_measure_options *options);
void sinter__watch_finish(sinter__watch *w);

/* Tells the caller; false when the time is used up or the caller wants no more. */
bool sinter__watch_goes_on(sinter__watch *w, const char *what);

/* Of the time that was given; 0: it is used up. */
uint64_t sinter__watch_left_ns(const sinter__watch *w);

/* Whether the caller wants no more, who is asked again where that was a while ago: between runs,
 * however short. */
bool sinter__watch_is_stopped(sinter__watch *w);

/* Says what else than a lack of memory went wrong with what was measured, which leaves the rest to be. */
sinter_status sinter__watch_pass_over(sinter__watch *w, sinter_status status, const char *what);

void sinter__watch_note(sinter__watch *w, const char *format, ...) SINTER__PRINTF(2, 3);

#endif /* SINTER_EXECUTOR_WATCH_H */
