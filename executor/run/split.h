/* Groups that do not run as they were planned: their operations run in smaller ones. */
#ifndef SINTER_EXECUTOR_SPLIT_H
#define SINTER_EXECUTOR_SPLIT_H

#include "executor/run/instance.h"

/* A group that reads what has no value: what depends on that fails too, and when that is not all of
 * the group, the rest runs operation by operation. False when the group reads nothing of the kind. */
bool sinter__split_poisoned(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                            uint16_t group);

/* Half as many operations at a time, until it works or a single one does not; in the place of a
 * library at first the same, by kernels of ours. `status` is what the group failed with. */
sinter_status sinter__split_failed(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   uint16_t group, sinter_status status);

#endif /* SINTER_EXECUTOR_SPLIT_H */
