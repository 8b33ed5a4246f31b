/* Which rows a GPU holds in registers from one loop over them to the next. */
#ifndef SINTER_FUSION_HOLD_H
#define SINTER_FUSION_HOLD_H

#include "fusion/schedule.h"

/* Sets `held` and `held_rest` of the class of a kernel in chunks, whose lanes and partials are known; `again`: what it stores
 * goes through the row once more. */
void sinter__hold_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__tuning *tuning, bool again, sinter__class_key *key);

#endif /* SINTER_FUSION_HOLD_H */
