/* In the memory mode with red zones: who wrote beside its memory. */
#ifndef SINTER_EXECUTOR_RED_ZONE_H
#define SINTER_EXECUTOR_RED_ZONE_H

#include "executor/run/instance.h"

/* Looks around all that group `group` reads and writes, after it was launched; waits. Damage is a failure, which
 * names the step and the tensor. */
sinter_status sinter__red_zone_check(sinter_stream *s, const sinter__instance *in,
                                     const sinter__graph *g, const sinter__entered *entered,
                                     uint16_t group);

#endif /* SINTER_EXECUTOR_RED_ZONE_H */
