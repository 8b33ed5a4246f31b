/* The one hard idea: an item takes its time to hand out, and a thread its time to begin. Several
 * items for each compute unit balance a launch that takes long; one that is soon done has fewer,
 * and one that is done before a second thread would begin has one (docs/decisions/replay.md). Where
 * all threads are woken and some begin late, items are as small as they are worth
 * (docs/decisions/products.md). */
#include "fusion/schedule/items.h"

#include "fusion/nest/tree.h"
#include "fusion/nest/work.h"

#include <math.h>

/* Additions of a list's work-item that is worth it, as sinter__thread_work counts them: it looks for its rows first. */
#define LIST_WORK 500000.0

/* Additions that an element takes where a vector has to be put together of single ones. */
#define GATHER 10

/* Additions that rounding to a float of 16 bits and widening it again takes. */
#define ROUNDING 4

/* Additions in whose time one row of columns is added to what those before it come to. */
#define STEP 100

int64_t sinter__enough_units(sinter__target t)
{
    return (int64_t)t.limits->compute_units * t.tuning->items_per_unit;
}

int64_t sinter__even_units(sinter__target t)
{
    return sinter__enough_units(t) * t.tuning->even_items;
}

size_t sinter__gpu_group(sinter__target t, uint32_t wanted)
{
    return SINTER__MIN((size_t)wanted, (size_t)t.limits->max_group);
}

size_t sinter__power_group(sinter__target t, uint32_t wanted)
{
    size_t most = sinter__gpu_group(t, wanted);
    size_t group = 1;
    while (group * 2 <= most)
        group *= 2;
    return group;
}

bool sinter__is_group(sinter__target t, size_t across, size_t down)
{
    return across * down <= t.limits->max_group &&
           (t.limits->max_side == 0 || down <= t.limits->max_side);
}

size_t sinter__round_up(int64_t value, size_t unit)
{
    return ((size_t)value + unit - 1) / unit * unit;
}

void sinter__set_units(sinter__geometry *out, int64_t units, int64_t per_item, size_t local)
{
    out->units = units;
    out->units_per_item = SINTER__MAX(per_item, (int64_t)1);
    out->global[0] = sinter__round_up(sinter__div_up(units, out->units_per_item), local);
    out->global[1] = out->global[2] = 1;
    out->local[0] = local;
    out->local[1] = out->local[2] = 1;
}

void sinter__set_group_units(sinter__geometry *out, int64_t units, size_t items)
{
    sinter__set_units(out, units, 1, 1);
    out->global[0] *= items;
    out->local[0] = items;
}

int64_t sinter__row_units(const sinter__bound_nest *bound, int64_t vectors, sinter__target t)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    if (bound->last_reduced)
        return bound->parallel;
    return bound->parallel / inner * sinter__div_up(inner, vectors * t.tuning->run_lanes);
}

int64_t sinter__most_vectors(sinter__target t)
{
    bool cpu = t.limits->style == SINTER_STYLE_CPU && t.limits->most_iterations == 0;
    return cpu ? SINTER__MAX((int64_t)t.tuning->run_vectors, (int64_t)1) : 1;
}

/* At most so many elements for a work-item as it may go through: an element is in a few loops. */
static int64_t within_iterations(sinter__target t, int64_t elements)
{
    if (t.limits->most_iterations == 0)
        return elements;
    return SINTER__MIN(elements, (int64_t)t.limits->most_iterations / 4);
}

/* Elements of one of `items` work-items, each of as many as are worth it. */
static int64_t share_of(const sinter__tuning *tuning, int64_t elements, int64_t items)
{
    int64_t share = sinter__div_up(elements, items);
    share = (int64_t)sinter__align_up((uint64_t)share, SINTER__TREE_LANES);
    return SINTER__MAX(share, (int64_t)tuning->item_min);
}

/* Elements for a work-item, so that every compute unit gets `items`. */
static int64_t item_of(sinter__target t, int64_t elements, int64_t items)
{
    int64_t share = share_of(t.tuning, elements, items * t.limits->compute_units);
    return SINTER__MIN(within_iterations(t, share), (int64_t)t.tuning->item_max);
}

int64_t sinter__item(sinter__target t, int64_t elements)
{
    return item_of(t, elements, t.tuning->items_per_unit);
}

/* For each compute unit, of items that take some microseconds each. */
static int64_t most_items(sinter__target t)
{
    return SINTER__MAX(t.tuning->items_per_unit, t.tuning->fine_items);
}

/* Elements for a work-item of a short launch, each item being worth `least` additions. */
static int64_t worth_item(sinter__target t, int64_t elements, double work, double least)
{
    const int64_t few = SINTER__MIN(t.tuning->items_per_unit, t.tuning->short_items);
    double items = SINTER__MIN(work / t.limits->compute_units / least, (double)most_items(t));
    return item_of(t, elements, SINTER__MAX((int64_t)items, few));
}

int64_t sinter__short_item(sinter__target t, int64_t elements, double work)
{
    return worth_item(t, elements, work, t.tuning->fine_work);
}

int64_t sinter__list_items(const sinter__limits *limits, int64_t elements, double work)
{
    const sinter__target t = {limits, &limits->tuning};
    return SINTER__MIN(sinter__div_up(elements, worth_item(t, elements, work, LIST_WORK)),
                       t.limits->compute_units * most_items(t));
}

void sinter__list_divide(const sinter__limits *limits, int64_t elements, int64_t items,
                         sinter__geometry *out)
{
    out->segment = SINTER__MIN(share_of(&limits->tuning, elements, items), elements);
    out->segments = out->units = sinter__div_up(elements, out->segment);
    out->units_per_item = 1;
    out->global[0] = (size_t)out->units;
}

bool sinter__is_last_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__value *v)
{
    return v->kind == SINTER__VALUE_STORE && v->phase == nest->phases &&
           sinter__bound_varies(bound, v->access);
}

bool sinter__ends_with_row(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (sinter__is_last_row(nest, bound, &nest->values[i]))
            return true;
    }
    return false;
}

/* Whether neighbours that a vector has side by side lie apart. */
static bool is_scattered(const sinter__bound_nest *bound, uint16_t access)
{
    int last = bound->parallel_rank + (bound->last_reduced ? bound->reduced_rank : 0) - 1;
    int64_t stride = last >= 0 ? bound->accesses[access].stride[last] : 0;
    return !bound->accesses[access].linear && stride != 0 && stride != 1;
}

/* Additions that moving an element of an operand takes, but for one that is counted as work: two for each time, or what
 * gathering takes. What varies along rows that are reduced is gone through for each phase. */
static double moving(const sinter__nest *nest, const sinter__bound_nest *bound, uint16_t access)
{
    double times = is_scattered(bound, access) ? GATHER : 1;
    if (nest->form == SINTER__FORM_REDUCE && sinter__bound_varies(bound, access) &&
        nest->accesses[access].role == SINTER__ROLE_READ)
        times += 2.0 * (nest->phases - !sinter__ends_with_row(nest, bound));
    return times;
}

/* What going down columns takes at least, however few there are: each row waits for the one before it. */
static double stepping(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    bool ends = nest->form == SINTER__FORM_REDUCE && sinter__ends_with_row(nest, bound);
    double steps = (double)bound->reduced * (nest->phases + ends);
    int64_t columns = SINTER__MAX(bound->extent[bound->parallel_rank - 1], (int64_t)1);
    return STEP * steps * ((double)bound->parallel / (double)columns);
}

double sinter__thread_work(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    double work = sinter__nest_work(nest, bound, ROUNDING);
    bool scans = nest->form == SINTER__FORM_SCAN;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        if (nest->accesses[a].role != SINTER__ROLE_INDEX)
            work += (double)bound->accesses[a].distinct * moving(nest, bound, a);
    }
    if (scans && bound->last_reduced) /* blocks of a row become lanes */
        work += GATHER * (double)bound->parallel * (double)bound->reduced;
    if ((scans || nest->form == SINTER__FORM_REDUCE) && !bound->last_reduced)
        work = SINTER__MAX(work, stepping(nest, bound));
    return work;
}

bool sinter__is_lone(const sinter__nest *nest, const sinter__bound_nest *bound, sinter__target t)
{
    return t.limits->style == SINTER_STYLE_CPU && t.tuning->lone_work > 0 &&
           sinter__thread_work(nest, bound) <= (double)t.tuning->lone_work;
}

int64_t sinter__whole_item(const sinter__nest *nest, const sinter__bound_nest *bound,
                           sinter__target t, int64_t elements, int64_t item)
{
    return sinter__is_lone(nest, bound, t) ? within_iterations(t, elements) : item;
}
