/* Lowering of elementwise nests; fusion/lower/block.c has those with operands that are turned,
 * fusion/lower/table.c operands that repeat, fusion/lower/reduce.c has reductions, fusion/lower/scan.c scans,
 * fusion/lower/tile.c matrix products. */
#include "fusion/lower/build.h"

static sinter__line map_line(const lowering *l)
{
    bool flat = l->c->key.loops == SINTER__LOOPS_FLAT;
    int rank = l->c->key.parallel_rank;
    return (sinter__line){.first_axis = flat ? 0 : rank - 1, .last_axis = rank, .use_linear = flat};
}

static void map_body(lowering *l, sinter__line *at, sinter__ix end)
{
    at->count = sinter__ix_lanes_inside(l, at->index, end);
    sinter__want_varying(l, true);
    sinter__emit_values(l, at);
    sinter__emit_stores(l, at);
}

/* How many vectors of a line are computed side by side: of a short body several, in a loop of its
 * own without tests. A long body hides its own waits, and would cost more to compile than that
 * saves: it has no such loop (0). One where memory is all that is waited for, which has a read and
 * a write by turns sooner than two of each (docs/decisions/streaming-stores.md). */
static int overlap(const lowering *l)
{
    bool streams = false;
    if (l->c->key.loops != SINTER__LOOPS_ROW || l->c->key.lanes == 1 || !sinter__is_short(l))
        return 0;
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        streams |= l->c->accesses[a].streams;
    return streams && sinter__is_bare(l) ? 1 : LOWER_OVERLAP;
}

/* The loop over [begin, end) as far as `count` whole vectors fit each time; returns where it ends. */
static sinter__ix map_overlapped(lowering *l, const sinter__line *at, sinter__ix begin,
                                 sinter__ix end, int count)
{
    sinter__line lines[LOWER_OVERLAP];
    int32_t lanes = l->c->key.lanes;
    sinter__ix step = sinter__ix_number(l, count * lanes);
    sinter__ix length = sinter__ix_make(l, SINTER__IX_SUB, end, begin, 0);
    sinter__ix rest = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MOD, length, step, 0));
    sinter__ix full = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, end, rest, 0));
    sinter__ix first = sinter__for(l, begin, full, step);
    for (int k = 0; k < count; k++) {
        lines[k] = *at;
        lines[k].index = sinter__ix_add(l, first, sinter__ix_number(l, k * lanes));
        lines[k].count = SINTER__NO_IX;
    }
    sinter__emit_overlapped(l, lines, count);
    sinter__end(l);
    return full;
}

/* Segment `segment` of the line: loops over its vectors. */
static void map_segment(lowering *l, sinter__line *at, sinter__ix segment, sinter__ix length)
{
    sinter__ix step = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, segment, step));
    sinter__ix end = sinter__ix_stop(l, begin, step, length);
    int count = overlap(l);
    if (count > 0)
        begin = map_overlapped(l, at, begin, end, count);
    sinter__fill_tables(l, begin);
    at->index = sinter__for(l, begin, end, sinter__ix_number(l, l->c->key.lanes));
    map_body(l, at, end);
    sinter__advance_tables(l);
    sinter__end(l);
}

static void map_cpu(lowering *l)
{
    sinter__line at = map_line(l);
    sinter__find_varying(l, &at);
    int outer = at.first_axis;
    sinter__ix length = at.use_linear ? sinter__ix_param(l, SINTER__PARAM_PARALLEL, 0, 0)
                                      : sinter__ix_param(l, SINTER__PARAM_EXTENT, outer, 0);
    if (outer == 0) {
        sinter__set_bases(l, SINTER__NO_IX, 0);
        sinter__want_varying(l, false);
        sinter__emit_values(l, &at);
        map_segment(l, &at,
                    sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0),
                    length);
        return;
    }
    sinter__ix unit = sinter__for_units(l);
    sinter__ix segments = sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0);
    sinter__ix row;
    sinter__ix segment;
    sinter__ix_divide(l, unit, segments, &row, &segment);
    sinter__set_bases(l, row, outer);
    sinter__want_varying(l, false);
    sinter__emit_values(l, &at);
    map_segment(l, &at, segment, length);
    sinter__end(l);
}

static void map_gpu(lowering *l)
{
    sinter__line at = map_line(l);
    sinter__find_varying(l, &at);
    int outer = at.first_axis;
    sinter__ix id = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix row = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 1);
    sinter__ix length = at.use_linear ? sinter__ix_param(l, SINTER__PARAM_PARALLEL, 0, 0)
                                      : sinter__ix_param(l, SINTER__PARAM_EXTENT, outer, 0);
    at.index = sinter__ix_name(l, sinter__ix_mul(l, id, sinter__ix_number(l, l->c->key.lanes)));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, at.index, length, 0));
    sinter__set_bases(l, outer > 0 ? sinter__ix_name(l, row) : SINTER__NO_IX, outer);
    sinter__want_varying(l, false);
    sinter__emit_values(l, &at);
    map_body(l, &at, length);
    sinter__end(l);
}

sinter_status sinter__lower(sinter__allocator *a, const sinter__nest *nest,
                            const sinter__kernel_class *c, sinter__code *out)
{
    *out = (sinter__code){.allocator = a};
    if (nest->access_count > LOWER_MAX_ACCESSES || nest->value_count > LOWER_MAX_VALUES)
        return sinter__fail(SINTER_EUNSUPPORTED, "a kernel has more than %d values",
                            LOWER_MAX_VALUES);
    lowering *l = sinter__alloc(a, sizeof *l);
    if (l == NULL)
        return SINTER_ENOMEM;
    *l = (lowering){.nest = nest, .c = c, .code = out};
    l->reg = l->regs[0];
    sinter__declare_arguments(l);
    switch ((sinter__loops)c->key.loops) {
    case SINTER__LOOPS_CHUNK:
    case SINTER__LOOPS_RUN:
    case SINTER__LOOPS_COMBINE:
        sinter__lower_reduce(l);
        break;
    case SINTER__LOOPS_TILE:
        sinter__lower_tile(l);
        break;
    case SINTER__LOOPS_BLOCK:
        sinter__lower_block(l);
        break;
    case SINTER__LOOPS_SCAN_ROWS:
    case SINTER__LOOPS_SCAN_COLUMNS:
    case SINTER__LOOPS_SCAN_CARRIES:
        sinter__lower_scan(l);
        break;
    default:
        if (c->key.style == SINTER_STYLE_CPU)
            map_cpu(l);
        else
            map_gpu(l);
        break;
    }
    sinter__free(a, l, sizeof *l);
    return out->status;
}
