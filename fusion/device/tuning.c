#include "fusion/device/tuning.h"

#include "fusion/device/loops.h"

#include <string.h>

enum {
    ROW = 1 << SINTER__LOOPS_ROW,
    FLAT = 1 << SINTER__LOOPS_FLAT,
    BLOCK = 1 << SINTER__LOOPS_BLOCK,
    CHUNK = 1 << SINTER__LOOPS_CHUNK,
    RUN = 1 << SINTER__LOOPS_RUN,
    COMBINE = 1 << SINTER__LOOPS_COMBINE,
    SCAN_ROWS = 1 << SINTER__LOOPS_SCAN_ROWS,
    SCAN_COLUMNS = 1 << SINTER__LOOPS_SCAN_COLUMNS,
    SCAN = SCAN_ROWS | SCAN_COLUMNS | 1 << SINTER__LOOPS_SCAN_CARRIES,
    TILE = 1 << SINTER__LOOPS_TILE,
    GROUPING = SINTER__TUNING_GROUPING,
    COUNTING = 0,
    BY_HAND = 0,
    CPU = SINTER__TUNING_CPU,
    GPU = SINTER__TUNING_GPU,
    POWER = SINTER__TUNING_POWER,
    COUNT = SINTER__TUNING_COUNTED,
    LANES = SINTER__TUNING_LANES,
};

static const sinter__tuning_info rows[SINTER__TUNING_COUNT] = {
#define SINTER_TUNING(name_, cpu, gpu, low_, high_, kind_, loops_, text)                           \
    {.name = #name_,                                                                               \
     .meaning = (text),                                                                            \
     .low = (low_),                                                                                \
     .high = (high_),                                                                              \
     .kind = (kind_),                                                                              \
     .loops = (loops_)},
#include "fusion/device/tuning.def"
#undef SINTER_TUNING
};

static const sinter__tuning defaults[] = {
    [SINTER_STYLE_CPU] =
        {
#define SINTER_TUNING(name, cpu, gpu, low, high, kind, loops, text) (cpu),
#include "fusion/device/tuning.def"
#undef SINTER_TUNING
        },
    [SINTER_STYLE_GPU] =
        {
#define SINTER_TUNING(name, cpu, gpu, low, high, kind, loops, text) (gpu),
#include "fusion/device/tuning.def"
#undef SINTER_TUNING
        },
};

const sinter__tuning_info *sinter__tuning_row(size_t index)
{
    return &rows[index];
}

size_t sinter__tuning_find(const char *name, size_t bytes)
{
    size_t i = 0;
    while (i < SINTER__TUNING_COUNT &&
           (strlen(rows[i].name) != bytes || memcmp(rows[i].name, name, bytes) != 0))
        i++;
    return i;
}

bool sinter__tuning_matters(size_t index, sinter_style style)
{
    uint16_t not_this = style == SINTER_STYLE_CPU ? SINTER__TUNING_GPU : SINTER__TUNING_CPU;
    return (rows[index].loops & not_this) == 0;
}

uint32_t sinter__tuning_get(const sinter__tuning *t, size_t index)
{
    uint32_t all[SINTER__TUNING_COUNT];
    memcpy(all, t, sizeof all);
    return all[index];
}

static void put(sinter__tuning *t, size_t index, uint32_t value)
{
    memcpy((char *)t + index * sizeof value, &value, sizeof value);
}

bool sinter__tuning_set(sinter__tuning *t, size_t index, uint32_t value)
{
    const sinter__tuning_info *row = &rows[index];
    bool power = row->kind != SINTER__TUNING_COUNTED;
    if (value < row->low || value > row->high || (power && (value & (value - 1)) != 0))
        return false;
    put(t, index, value);
    return true;
}

/* Powers of two, and for a count what lies halfway between them: 1, 2, 3, 4, 6, 8, 12, ... */
static uint32_t step(uint32_t value, bool up, bool power)
{
    uint32_t at = 1;
    while (at <= value / 2)
        at *= 2;
    bool halfway = value != at;
    if (power || at < 2)
        return up ? value * 2 : value / 2;
    if (up)
        return halfway ? at * 2 : at + at / 2;
    return halfway ? at : at / 2 + at / 4;
}

bool sinter__tuning_next(const sinter__tuning *t, size_t index, bool up, uint32_t *value)
{
    const sinter__tuning_info *row = &rows[index];
    uint32_t now = sinter__tuning_get(t, index);
    uint32_t next = now == 0 && up ? 1 : step(now, up, row->kind != SINTER__TUNING_COUNTED);
    if (next == now || next < row->low || next > row->high)
        return false;
    *value = next;
    return true;
}

void sinter__tuning_init(sinter__tuning *t, sinter_style style, uint32_t lanes,
                         uint32_t native_lanes)
{
    bool cpu = style == SINTER_STYLE_CPU;
    *t = defaults[cpu ? SINTER_STYLE_CPU : SINTER_STYLE_GPU];
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        if (rows[i].kind == SINTER__TUNING_LANES)
            put(t, i, SINTER__MIN(sinter__tuning_get(t, i), lanes));
    }
    /* What the registers hold: 6 x 2 vectors of 8 lanes, or 8 x 2 of 16. */
    if (cpu) {
        t->tile_lanes = SINTER__MIN(t->tile_lanes, native_lanes);
        t->tile_rows = native_lanes >= 16 ? 8 : 6;
    }
}

const sinter__tuned *sinter__tuned_find(const sinter__tuned_list *list, uint64_t key)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->all[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->all[low].key == key ? &list->all[low] : NULL;
}
