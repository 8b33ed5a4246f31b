/* Which rows a GPU holds in registers from one loop over them to the next. */
#ifndef SINTER_FUSION_SCHEDULE_HOLD_H
#define SINTER_FUSION_SCHEDULE_HOLD_H

#include "fusion/schedule/schedule.h"

/* By value, where it waits from one loop over a row to the next: in the array of that value, its
 * own or that of one of its dtype that is wanted no more, or SINTER__NO_HOME. */
#define SINTER__NO_HOME UINT16_MAX

/* What a kernel of the class may hold: what is loaded, or waits, for more than one loop over the
 * elements of a row; of a row in several chunks, what is loaded for several passes over one of
 * them. `home` has room for every value. */
void sinter__find_homes(const sinter__nest *nest, const sinter__class_key *key, const bool *per_row,
                        uint16_t *home);

/* Whether the order in which a reduction folds shows in what it comes to. */
bool sinter__is_ordered(uint8_t op, uint8_t dtype);

/* Whether what waits in a result from phase to phase is sooner computed again by a kernel of the
 * class, whose rows a GPU does not hold. */
bool sinter__is_anew(const sinter__nest *nest, const sinter__bound_nest *bound,
                     const sinter__tuning *tuning, const sinter__class_key *key);

/* Sets `held` and `held_rest` of the class of a kernel in chunks, whose lanes and partials are
 * known, where the work-items that have a row's partials hold the row; `again`: what it stores goes
 * through the row once more. */
void sinter__hold_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__tuning *tuning, bool again, sinter__class_key *key);

/* Sets `held`, `blocks` and what goes with them where several times as many work-items, up to
 * `most` in a group, hold a row or a chunk. */
bool sinter__hold_relayed(const sinter__nest *nest, const sinter__bound_nest *bound,
                          const sinter__tuning *tuning, bool again, size_t most,
                          sinter__class_key *key);

/* Local memory of a work-item for the partials that it hands on then, at most. */
size_t sinter__relay_bytes(const sinter__nest *nest);

#endif /* SINTER_FUSION_SCHEDULE_HOLD_H */
