#include "executor/run/share.h"

#include "fusion/schedule/items.h"
#include "fusion/text/row.h"

static bool may_share(const sinter__instance *in, uint16_t group)
{
    return in->runs_with[group] == group && in->launch_counts[group] == 1;
}

/* The launches that may run with that of `group`, itself first: those of its list that have the same class. */
static uint16_t find_rows(const sinter__instance *in, uint16_t group, uint16_t end,
                          const sinter__launch **rows)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    size_t items = l->geometry.global[0];
    uint16_t count = 1;
    rows[0] = l;
    for (uint16_t i = (uint16_t)(group + 1); i < end; i++) {
        const sinter__launch *next = sinter__instance_launch(in, i, 0);
        if (!may_share(in, i) || !sinter__same_class(&l->class_, &next->class_) ||
            items + next->geometry.global[0] >= SINTER__ROW_ABSENT)
            continue;
        items += next->geometry.global[0];
        rows[count++] = next;
    }
    return count;
}

/* On a CPU each work-item goes through its part of every row, so that all have as much to do:
 * drivers hand out half of the work-items, in their order, before they see who is done. Where rows
 * are many so are their work-items, and who is done early takes another. */
static void divide_rows(sinter__instance *in, const sinter__limits *limits,
                        const sinter__launch *const *rows, uint16_t count)
{
    int64_t elements = 0;
    double work = 0;
    for (uint16_t i = 0; i < count; i++) {
        elements = sinter__add_bytes(elements, rows[i]->bound->parallel);
        work += sinter__thread_work(rows[i]->nest, rows[i]->bound);
    }
    int64_t items = 1;
    if (!sinter__is_at_once(limits, work))
        items = sinter__list_items(limits, elements, work);
    for (uint16_t i = 0; i < count; i++)
        sinter__list_divide(limits, rows[i]->bound->parallel, items,
                            &sinter__instance_launch(in, rows[i]->group, 0)->geometry);
}

/* Gives the launch of `group` rows: all that it may have, which are stored where by value they were more
 * than two launches, since storing them is a command as well. Returns how many of in->rows it took. */
static uint16_t share_launch(sinter__instance *in, const sinter__limits *limits, uint16_t group,
                             uint16_t end, uint16_t taken)
{
    const sinter__launch **rows = in->rows + taken;
    sinter__launch *l = sinter__instance_launch(in, group, 0);
    uint32_t room = sinter__row_limit(l->nest, &l->class_, limits);
    uint16_t count = find_rows(in, group, end, rows);
    bool is_stored = count > 2 * room;
    if (!is_stored)
        count = (uint16_t)SINTER__MIN(count, room);
    if (count < 2)
        return 0;
    for (uint16_t i = 1; i < count; i++) {
        in->runs_with[rows[i]->group] = group;
        in->launch_counts[rows[i]->group] = 0;
    }
    l->class_.key.divided = limits->style == SINTER_STYLE_CPU && !is_stored &&
                            limits->most_iterations == 0 && !limits->fixed_words;
    if (l->class_.key.divided != 0)
        divide_rows(in, limits, rows, count);
    l->rows = rows;
    l->row_count = count;
    l->class_.key.list = is_stored ? SINTER__ROWS_STORED : count;
    return count;
}

/* Rows of a list are one class, whatever their sizes: none of them goes past the caches, or is asked for ahead. */
static void move_plainly(sinter__instance *in, uint16_t group, uint16_t end)
{
    for (uint16_t i = group; i < end && end > group + 1; i++) {
        sinter__kernel_class *c = &sinter__instance_launch(in, i, 0)->class_;
        for (uint16_t a = 0; may_share(in, i) && a < c->key.access_count; a++)
            c->accesses[a].streams = c->accesses[a].ahead = 0;
    }
}

void sinter__launches_share(sinter__instance *in, const sinter__limits *limits)
{
    const sinter__plan *plan = &in->compiled->plan;
    uint16_t taken = 0;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        const sinter__launch *l = sinter__instance_launch(in, i, 0);
        if (!may_share(in, i))
            continue;
        uint16_t end = sinter__list_end(plan, i);
        move_plainly(in, i, end);
        if (sinter__may_have_rows(l->nest, &l->class_, limits))
            taken = (uint16_t)(taken + share_launch(in, limits, i, end, taken));
    }
}

size_t sinter__stored_rows_bytes(const sinter__launch *l)
{
    if (l->row_count == 0 || !sinter__has_stored_rows(&l->class_))
        return 0;
    return (size_t)l->row_count * sinter__row_words(l->nest, &l->class_) * sizeof(uint32_t);
}

int64_t sinter__rows_moved_bytes(const sinter__instance *in, uint16_t group)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    return in->rows_bytes > 0 ? 2 * (int64_t)sinter__stored_rows_bytes(l) : 0;
}
