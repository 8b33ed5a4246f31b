/* Launches of more work-items than any before them of the same kernel, on a driver that loads the
 * kernel once more for them. */
#ifndef SINTER_EXECUTOR_WIDENING_H
#define SINTER_EXECUTOR_WIDENING_H

#include "executor/opencl/queue.h"

#include <stdatomic.h>

/* A queue of such a driver begins and ends. */
void sinter__widening_join(sinter__cl_queue *q);
void sinter__widening_leave(sinter__cl_queue *q);

/* A queue in which the caller has commands, one that has joined or the caller's own, begins and
 * ends: it may wait for the caller, and so may every queue that waits for it. */
void sinter__widening_share(void);
void sinter__widening_unshare(void);

/* Around giving `q` a launch of `width` work-items, as they lie along the longest dimension;
 * `widest` is the kernel's. Returns what the end is told. */
bool sinter__widening_begin(const sinter__cl_queue *q, const sinter__cl *cl, atomic_size_t *widest,
                            size_t width);
void sinter__widening_end(const sinter__cl_queue *q, const sinter__cl *cl, bool wider);

#endif /* SINTER_EXECUTOR_WIDENING_H */
