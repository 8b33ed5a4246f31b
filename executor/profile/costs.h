/* What operations cost (fusion/cost/rates.def), for kernels of one number of lanes after the other. */
#ifndef SINTER_EXECUTOR_COSTS_H
#define SINTER_EXECUTOR_COSTS_H

#include "executor/profile/trial.h"

#define SINTER__MOST_TOGETHER 10 /* costs whose kernels are built as one program */

/* Some costs in one context. */
typedef struct sinter__costs {
    const sinter_profile *p;
    sinter__watch *watch;
    uint32_t lanes;
    sinter_mode mode;
    sinter__trial trial;
    uint64_t copy_ns;  /* that copying as much takes; 0: not known, and nothing is measured */
    uint64_t alone_ns; /* that a kernel takes by itself, all about it included */
    uint64_t build_ns; /* the same, or one of those that were built together last */
} sinter__costs;

/* By the profile's schedules, at so many lanes. To be closed whatever is returned, before the watch is
 * finished. This and all below fail only for lack of memory. */
sinter_status sinter__costs_open(sinter__costs *c, const sinter_profile *p, sinter__watch *w,
                                 uint32_t lanes, sinter_mode mode);
void sinter__costs_close(sinter__costs *c);

/* Builds the kernels of so many costs, by their rows, as one program; SINTER__MOST_TOGETHER at most. Where the driver
 * refuses it, each is built by itself when it is measured. */
sinter_status sinter__costs_build(sinter__costs *c, const size_t *rows, size_t count);

/* *out: picoseconds that the operation takes for an element, less those of copying; as it is where it
 * cannot be told. */
sinter_status sinter__costs_measure(sinter__costs *c, size_t row, uint32_t *out);

/* All that there is the time for, into the profile. */
sinter_status sinter__measure_costs(sinter_profile *p, sinter__watch *w);

#endif /* SINTER_EXECUTOR_COSTS_H */
