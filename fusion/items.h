/* How much of a launch a work-item of a CPU has, and how large work-groups of a GPU may be. Private to schedules. */
#ifndef SINTER_FUSION_ITEMS_H
#define SINTER_FUSION_ITEMS_H

#include "fusion/bind.h"
#include "fusion/limits.h"
#include "fusion/schedule.h"

/* What a schedule is made for: the device, and the numbers that fit the nest. */
typedef struct sinter__target {
    const sinter__limits *limits;
    const sinter__tuning *tuning;
} sinter__target;

/* Whether something is stored over the domain after the last reduction. */
bool sinter__ends_with_row(const sinter__nest *nest, const sinter__bound_nest *bound);

/* Units for every compute unit to have several. */
int64_t sinter__enough_units(sinter__target t);

/* As many, times `even_items`, for what has nothing else that bounds its items: long ones leave more to wait for. */
int64_t sinter__even_units(sinter__target t);

/* Work-items of a work-group of a GPU, `wanted` if it may have them. */
size_t sinter__gpu_group(sinter__target t, uint32_t wanted);

/* Whether a group may have so many work-items along its two dimensions. */
bool sinter__is_group(sinter__target t, size_t across, size_t down);

size_t sinter__round_up(int64_t value, size_t unit);

/* Elements for a work-item, so that every compute unit gets several, for balance. */
int64_t sinter__item(sinter__target t, int64_t elements);

/* The same for an elementwise nest, rows and columns: of those that are soon done, fewer. */
int64_t sinter__short_item(const sinter__nest *nest, sinter__target t, int64_t elements);

/* The work-items of a list of `elements` in all, of which each has a part of every row: enough for balance, and no more,
 * since each visits every row. */
int64_t sinter__list_items(const sinter__nest *nest, const sinter__limits *limits,
                           int64_t elements);

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

#endif /* SINTER_FUSION_ITEMS_H */
