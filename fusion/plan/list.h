/* Lists: groups that do the same to tensors of different sizes. Private to fusion/plan/. */
#ifndef SINTER_FUSION_PLAN_LIST_H
#define SINTER_FUSION_PLAN_LIST_H

#include "fusion/plan/group.h"

/* Finds the lists among the groups: draft.list is set, and what waits for one waits for all. */
sinter_status sinter__lists_find(sinter__grouping *s);

#endif /* SINTER_FUSION_PLAN_LIST_H */
