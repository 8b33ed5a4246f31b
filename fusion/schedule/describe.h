/* A schedule in words, for the report. */
#ifndef SINTER_FUSION_SCHEDULE_DESCRIBE_H
#define SINTER_FUSION_SCHEDULE_DESCRIBE_H

#include "core/buffer.h"
#include "fusion/schedule/schedule.h"

/* "rows, 16 lanes, 16384 elements to an item; 64 items in groups of 1" */
void sinter__schedule_describe(const sinter__class_key *key, const sinter__geometry *geometry,
                               sinter__buffer *out);

#endif /* SINTER_FUSION_SCHEDULE_DESCRIBE_H */
