/* Updates: where a tensor lies of which a part is replaced. Private to fusion/plan/. */
#ifndef SINTER_FUSION_PLAN_UPDATE_H
#define SINTER_FUSION_PLAN_UPDATE_H

#include "fusion/plan/group.h"

/* Says of UPDATE node `n` that its result and what it changes are in memory, whoever reads them. */
void sinter__update_store(sinter__grouping *s, uint16_t n);

/* Finds for each update what is known of it whatever the groups are, once it is known what is stored. */
sinter_status sinter__updates_judge(sinter__grouping *s);

/* Whether draft `d` would make what an update in it changes, or read what that results in. */
bool sinter__draft_updates_clash(const sinter__grouping *s, uint16_t d);

/* Whether the nest of a draft would read what an update in it changes, elsewhere than where it writes. */
bool sinter__nest_updates_clash(sinter__grouping *s, const sinter__nest *nest);

/* Whether one of two drafts reads what an update in the other changes: they may not run at once. */
bool sinter__drafts_updates_clash(const sinter__grouping *s, uint16_t a, uint16_t b);

/* Finds for each update, once the groups are in order, whether it is in place, and puts a group that
 * copies before those of which it is not. */
sinter_status sinter__updates_place(sinter__grouping *s, sinter__plan *plan);

/* Once it is known what is stored: hands over the storages. */
void sinter__updates_hand_over(const sinter__grouping *s, sinter__plan *plan);

#endif /* SINTER_FUSION_PLAN_UPDATE_H */
