/* Launches of a segment that the driver has recorded, and replays as one where their arguments are those of then. */
#ifndef SINTER_EXECUTOR_RECORDING_H
#define SINTER_EXECUTOR_RECORDING_H

#include "executor/run/instance.h"

/* Before a run of `in`, whose addresses are set: false where nothing was recorded with what its kernels would be given
 * now. *first: the group from which the launches are one, behind those that the calling thread may run itself. */
bool sinter__recording_find(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                            uint16_t *first);

/* Enqueues what was found; false when that failed, and nothing was enqueued. */
bool sinter__recording_replay(sinter_stream *s, sinter__instance *in);

/* After a run of all launches one by one: makes a recording when it has gone so often. */
void sinter__recording_note(sinter_stream *s, sinter__instance *in);

/* Launches of the binding that are recorded when they come often with the same arguments; 0: none. */
size_t sinter__recording_count(const sinter__opened *on, sinter__instance *in);

/* What the instance has of them is no longer of use. */
void sinter__recording_drop(const sinter__opened *on, sinter__instance *in);

#endif /* SINTER_EXECUTOR_RECORDING_H */
