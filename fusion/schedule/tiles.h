/* Tiles and blocks of matrix products: form of the loops and geometry. Private to schedules. */
#ifndef SINTER_FUSION_SCHEDULE_TILES_H
#define SINTER_FUSION_SCHEDULE_TILES_H

#include "fusion/schedule/items.h"
#include "fusion/schedule/schedule.h"

/* Those of a product with elements of `element` bytes. `key` has its lanes. */
void sinter__schedule_tiles(const sinter__bound_nest *bound, sinter__target t, int64_t element,
                            sinter__class_key *key, sinter__geometry *out);

#endif /* SINTER_FUSION_SCHEDULE_TILES_H */
