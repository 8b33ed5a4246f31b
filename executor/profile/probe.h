/* What a device computes exactly, found by asking it: it may report more than it does. */
#ifndef SINTER_EXECUTOR_PROBE_H
#define SINTER_EXECUTOR_PROBE_H

#include "executor/profile/watch.h"

/* Fills the facts of the profile, with kernels of sums, products, fma, quotients and roots that are
 * hard to round, and denormals among them; by the device's own arithmetic, and where that fails by
 * sinter's. */
sinter_status sinter__probe(sinter_profile *p, const sinter__watch *w);

#endif /* SINTER_EXECUTOR_PROBE_H */
