/* How the units of a launch are handed out: how many of them a work-item of a CPU has, and how large work-groups of a
 * GPU may be. */
#ifndef SINTER_FUSION_SCHEDULE_ITEMS_H
#define SINTER_FUSION_SCHEDULE_ITEMS_H

#include "fusion/device/limits.h"
#include "fusion/nest/bind.h"
#include "fusion/schedule/schedule.h"

/* What a schedule is made for: the device, and the numbers that fit the nest. */
typedef struct sinter__target {
    const sinter__limits *limits;
    const sinter__tuning *tuning;
} sinter__target;

/* Whether the value is what a loop over the domain after the last reduction stores. */
bool sinter__is_last_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__value *v);

/* Whether there is any. */
bool sinter__ends_with_row(const sinter__nest *nest, const sinter__bound_nest *bound);

/* Units for every compute unit to have several. */
int64_t sinter__enough_units(sinter__target t);

/* As many, times `even_items`, for products: long items leave more to wait for. */
int64_t sinter__even_units(sinter__target t);

/* Work-items of a work-group of a GPU, `wanted` if it may have them. */
size_t sinter__gpu_group(sinter__target t, uint32_t wanted);

/* The same as a power of two. */
size_t sinter__power_group(sinter__target t, uint32_t wanted);

/* Whether a group may have so many work-items along its two dimensions. */
bool sinter__is_group(sinter__target t, size_t across, size_t down);

size_t sinter__round_up(int64_t value, size_t unit);

/* The launch of `units`, of which a work-item has `per_item` and a group as many work-items as `local`. */
void sinter__set_units(sinter__geometry *out, int64_t units, int64_t per_item, size_t local);

/* A work-group of `items` to a unit. */
void sinter__set_group_units(sinter__geometry *out, int64_t units, size_t items);

/* Units of a REDUCE or SCAN that is not split: rows, or so many vectors of columns. */
int64_t sinter__row_units(const sinter__bound_nest *bound, int64_t vectors, sinter__target t);

/* Most vectors of columns of a unit: several are of use to a CPU, and take more iterations. */
int64_t sinter__most_vectors(sinter__target t);

/* Elements for a work-item, so that every compute unit gets several, for balance. */
int64_t sinter__item(sinter__target t, int64_t elements);

/* The same for an elementwise nest, rows and columns, `work` additions in all: as many as are worth it. */
int64_t sinter__short_item(sinter__target t, int64_t elements, double work);

/* The work-items of a list of `elements` and `work` additions in all, of which each has a part of every row: enough for
 * balance, and no more, since each visits every row. */
int64_t sinter__list_items(const sinter__limits *limits, int64_t elements, double work);

/* Gives each of `items` work-items of a list its part of a row of `elements`: none is smaller than is worth one. */
void sinter__list_divide(const sinter__limits *limits, int64_t elements, int64_t items,
                         sinter__geometry *out);

/* The whole launch in additions that it takes one thread. */
double sinter__thread_work(const sinter__nest *nest, const sinter__bound_nest *bound);

/* Whether one work-item has done the whole launch before a second one would begin. */
bool sinter__is_lone(const sinter__nest *nest, const sinter__bound_nest *bound, sinter__target t);

/* All `elements` where one work-item is to do them, else `item`. */
int64_t sinter__whole_item(const sinter__nest *nest, const sinter__bound_nest *bound,
                           sinter__target t, int64_t elements, int64_t item);

#endif /* SINTER_FUSION_SCHEDULE_ITEMS_H */
