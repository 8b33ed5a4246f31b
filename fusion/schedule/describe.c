#include "fusion/schedule/describe.h"

/* Elements of an elementwise kernel's work-item. */
static long long item_elements(const sinter__class_key *key, const sinter__geometry *g)
{
    if (key->loops == SINTER__LOOPS_BLOCK && key->style != SINTER_STYLE_CPU)
        return (long long)key->rows * key->rows / (long long)g->local[0];
    long long unit = key->style == SINTER_STYLE_CPU ? g->segment : key->lanes;
    return unit * SINTER__MAX(key->rows, (uint16_t)1) * g->units_per_item;
}

static void describe_bands(const sinter__class_key *key, const sinter__geometry *g,
                           sinter__buffer *out)
{
    bool is_split = key->phase != SINTER__PHASE_ALL;
    unsigned rows = is_split && key->stored_rows > 0 ? key->stored_rows : key->rows;
    sinter__buffer_printf(out, ", %lld vectors side by side, %u row%s at a time",
                          (long long)(g->segment / key->lanes), rows, rows == 1 ? "" : "s");
    if (!is_split && key->stored_rows > 0)
        sinter__buffer_printf(out, ", %u where elements are stored", key->stored_rows);
}

/* A unit is a row or a vector of columns, or what they are split into. */
static void describe_reduction(const sinter__class_key *key, const sinter__geometry *g,
                               sinter__buffer *out)
{
    bool is_row = key->loops == SINTER__LOOPS_CHUNK;
    bool is_split = key->phase != SINTER__PHASE_ALL;
    bool is_group = is_row && key->style == SINTER_STYLE_GPU;
    const char *unit = is_row ? "row" : key->vectors > 1 ? "band" : "vector";
    size_t count = (size_t)g->units_per_item;
    if (is_group) /* as many as it holds the partials of */
        count = g->local[0] / SINTER__MAX((size_t)key->partials / key->lanes, (size_t)1) /
                SINTER__MAX(key->blocks, 1);
    if (is_split)
        unit = is_row ? "chunk" : "run";
    sinter__buffer_printf(out, "reduction %s, %u lanes, %zu %s%s to %s",
                          is_row ? "along rows" : "down columns", key->lanes, count, unit,
                          count == 1 ? "" : "s", is_group ? "a group" : "an item");
    if (!is_row && key->vectors > 1)
        describe_bands(key, g, out);
    if (key->held > 0)
        sinter__buffer_puts(out, ", held in registers");
    if (key->blocks > 1)
        sinter__buffer_printf(out, " of %u blocks", key->blocks);
    if (key->sub_group != 0)
        sinter__buffer_printf(out, ", shuffles in sub-groups of %u", key->sub_group);
}

/* A unit is a line or a vector of columns, or a stretch of one. */
static void describe_scan(const sinter__class_key *key, const sinter__geometry *g,
                          sinter__buffer *out)
{
    bool is_row = key->loops == SINTER__LOOPS_SCAN_ROWS;
    bool is_split = key->phase != SINTER__SCAN_ALL;
    const char *step = key->phase == SINTER__SCAN_TOTALS ? "totals of a " : "";
    bool is_wide = !is_row && key->vectors > 1;
    const char *unit = is_split ? "stretch" : is_row ? "row" : is_wide ? "band" : "vector";
    const char *more = g->units_per_item == 1 ? "" : is_split ? "es" : "s";
    bool at_once = key->rows > 0;
    bool cpu = key->style == SINTER_STYLE_CPU;
    sinter__buffer_printf(out, "%sscan %s, %u lanes, %lld %s%s to %s", step,
                          is_row ? "along rows" : "down columns", key->lanes,
                          (long long)g->units_per_item, unit, more,
                          at_once && !cpu ? "a group" : "an item");
    if (is_wide || (at_once && !is_row))
        sinter__buffer_printf(out, ", %lld vectors side by side",
                              is_wide ? (long long)(g->segment / key->lanes)
                                      : (long long)key->group[0]);
    if (at_once && (cpu || !is_row))
        sinter__buffer_printf(out, ", %u blocks at once", key->rows);
}

/* Tiles of a work-group of a GPU. */
static void describe_block(const sinter__class_key *key, const sinter__geometry *g,
                           sinter__buffer *out)
{
    unsigned columns = (unsigned)key->vectors * key->lanes;
    unsigned down = key->group[1] / key->slices * key->rows;
    sinter__buffer_printf(out, "tiles of %u x %u in blocks of %u x %u x %u, ", key->rows, columns,
                          down, key->group[0] * columns, key->steps);
    if (key->slices > 1)
        sinter__buffer_printf(out, "%u slices, ", key->slices);
    sinter__buffer_printf(out, "%lld bytes of local memory, %u lanes", (long long)g->local_bytes,
                          key->lanes);
}

static void describe_form(const sinter__class_key *key, const sinter__geometry *g,
                          sinter__buffer *out)
{
    switch ((sinter__loops)key->loops) {
    case SINTER__LOOPS_ROW:
    case SINTER__LOOPS_BLOCK:
    case SINTER__LOOPS_FLAT:
        if (key->rows > 0 && key->style != SINTER_STYLE_CPU)
            sinter__buffer_printf(out, "blocks of %u x %u in local memory", key->rows, key->rows);
        else if (key->rows > 0)
            sinter__buffer_printf(out, "bands of %u rows", key->rows);
        else
            sinter__buffer_puts(out, key->loops == SINTER__LOOPS_ROW ? "rows" : "flat");
        sinter__buffer_printf(out, ", %u lanes, %lld elements to an item", key->lanes,
                              item_elements(key, g));
        if (key->tables > 0)
            sinter__buffer_printf(out, ", %u repeated from a table", key->tables);
        break;
    case SINTER__LOOPS_CHUNK:
    case SINTER__LOOPS_RUN:
        describe_reduction(key, g, out);
        break;
    case SINTER__LOOPS_COMBINE:
        sinter__buffer_printf(out, "the tree over %lld parts, ", (long long)g->parts);
        if (key->levels > 0)
            sinter__buffer_printf(out, "%u items to a result", key->group[1]);
        else
            sinter__buffer_printf(out, "%lld results to an item", (long long)g->units_per_item);
        break;
    case SINTER__LOOPS_SCAN_ROWS:
    case SINTER__LOOPS_SCAN_COLUMNS:
        describe_scan(key, g, out);
        break;
    case SINTER__LOOPS_SCAN_CARRIES:
        sinter__buffer_printf(out, "carries of %lld stretches, %lld line%s to %s",
                              (long long)g->parts, (long long)g->units_per_item,
                              g->units_per_item == 1 ? "" : "s",
                              key->rows > 0 ? "a group" : "an item");
        break;
    case SINTER__LOOPS_TILE:
        if (key->steps > 0) {
            describe_block(key, g, out);
            break;
        }
        sinter__buffer_printf(out, "tiles of %u x %u, %lld to an item, %u lanes", key->rows,
                              (unsigned)key->vectors * key->lanes, (long long)g->units_per_item,
                              key->lanes);
        break;
    }
}

void sinter__schedule_describe(const sinter__class_key *key, const sinter__geometry *geometry,
                               sinter__buffer *out)
{
    size_t items = geometry->global[0] * geometry->global[1] * geometry->global[2];
    size_t group = geometry->local[0] * geometry->local[1] * geometry->local[2];
    describe_form(key, geometry, out);
    sinter__buffer_printf(out, "; %zu item%s in groups of %zu", items, items == 1 ? "" : "s",
                          group);
}
