/* Scans: form of the loops and geometry. Private to schedules. */
#ifndef SINTER_FUSION_SCHEDULE_SCANS_H
#define SINTER_FUSION_SCHEDULE_SCANS_H

#include "fusion/schedule/items.h"
#include "fusion/schedule/schedule.h"

/* Those of a launch over lines or vectors of columns, whole or in stretches: `key` has its phase, `out` the parts.
 * Returns the axis of the vectors, -1 for none. */
int sinter__schedule_scans(const sinter__nest *nest, const sinter__bound_nest *bound,
                           sinter__target t, sinter__class_key *key, sinter__geometry *out);

#endif /* SINTER_FUSION_SCHEDULE_SCANS_H */
