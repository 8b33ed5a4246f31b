/* The clock and the caller of a measurement, and what it has compiled. */
#ifndef SINTER_EXECUTOR_WATCH_H
#define SINTER_EXECUTOR_WATCH_H

#include "executor/profile/kept.h"

#include "core/base.h"
#include "sinter/profile.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sinter__watch {
    sinter_measure_options options;
    uint64_t start_ns, deadline_ns;
    uint64_t told_ns; /* when the caller was told last */
    const char *what; /* of what */
    bool stopped;     /* by the caller */
    sinter__kept kept;
} sinter__watch;

/* To be finished whatever is returned. */
sinter_status sinter__watch_start(sinter__watch *w, sinter__allocator *a,
                                  const sinter_measure_options *options);
void sinter__watch_finish(sinter__watch *w);

/* Tells the caller; false when the time is used up or the caller wants no more. */
bool sinter__watch_goes_on(sinter__watch *w, const char *what);

/* Whether the caller wants no more, who is asked again where that was a while ago: between runs,
 * however short. */
bool sinter__watch_is_stopped(sinter__watch *w);

void sinter__watch_note(sinter__watch *w, const char *format, ...) SINTER__PRINTF(2, 3);

#endif /* SINTER_EXECUTOR_WATCH_H */
