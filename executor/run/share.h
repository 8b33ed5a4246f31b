/* Launches that run several groups of a list (fusion/plan/list.h), found when a plan is bound. */
#ifndef SINTER_EXECUTOR_SHARE_H
#define SINTER_EXECUTOR_SHARE_H

#include "executor/run/instance.h"

/* Gives rows (fusion/text/row.h) to the launches whose groups are of one list and one class; the others of those
 * groups are launched no more. */
void sinter__launches_share(sinter__instance *in, const sinter__limits *limits);

/* Bytes of scratch memory that the rows of a launch take; 0 where it has none, or by value. */
size_t sinter__stored_rows_bytes(const sinter__launch *launch);

/* Bytes that they move when the launch of `group` runs: written, and read once. */
int64_t sinter__rows_moved_bytes(const sinter__instance *in, uint16_t group);

#endif /* SINTER_EXECUTOR_SHARE_H */
