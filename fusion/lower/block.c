/* Lowering of elementwise nests with operands whose neighbours do not lie along the line, as those of
 * a transposed one do.
 *
 * The one hard idea: rows and columns change places inside a square block, so that memory is read and
 * written along its own order on both sides. The block of such an operand is read along its neighbours
 * and turned round; after that it is rows like any other operand's. A CPU does that between registers,
 * a block to a vector's lanes; a work-group of a GPU lays a larger block into local memory, each
 * work-item what lies next to its neighbour's, and picks its vectors from there. */
#include "fusion/lower/build.h"

#include <string.h>

typedef struct block {
    sinter__line at;
    sinter__ix base[LOWER_MAX_ACCESSES]; /* by access: offset from the axes outside the block */
} block;

/* The blocks of the operands that are turned, from row `first` and where the line is on. */
static void turn_operands(lowering *l, const block *b, sinter__ix first, sinter__ix height,
                          sinter__ix count)
{
    int line = b->at.first_axis;
    bool cpu = l->c->key.style == SINTER_STYLE_CPU;
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        if (!sinter__class_turns(l->c, a))
            continue;
        sinter__statement s = sinter__statement_of(cpu ? SINTER__DO_TURN : SINTER__DO_LAY);
        s.access = a;
        s.dtype = l->nest->accesses[a].dtype;
        s.b = sinter__ix_stride(l, a, line);
        s.a = sinter__ix_add(l, sinter__ix_add(l, b->base[a], first),
                             sinter__ix_mul(l, b->at.index, s.b));
        s.c = height;
        s.count = count;
        s.source[0] = l->block[a] =
            cpu ? sinter__array_new(l, s.dtype, l->c->key.lanes)
                : sinter__local_new(l, s.dtype, false,
                                    (int32_t)sinter__block_elements(l->c->key.rows));
        sinter__emit(l, &s);
    }
}

/* What is done in row `row` of the line's axis. */
static void block_row(lowering *l, block *b, sinter__ix row)
{
    int axis = l->c->key.block_axis;
    row = sinter__ix_name(l, row);
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        sinter__ix part = sinter__ix_mul(l, row, sinter__ix_stride(l, a, axis));
        if (!sinter__class_turns(l->c, a))
            l->base[a] = sinter__ix_name(l, sinter__ix_add(l, b->base[a], part));
    }
    sinter__want_varying(l, false);
    sinter__emit_values(l, &b->at);
    sinter__want_varying(l, true);
    sinter__emit_values(l, &b->at);
    sinter__emit_stores(l, &b->at);
}

/* The blocks of rows [begin, end). Whole ones need no tests, and where operands are turned each row
 * is written out: theirs stay in registers, and a processor sees where each load goes from block to
 * block. */
static void blocks(lowering *l, block *b, sinter__ix begin, sinter__ix end, sinter__ix count,
                   bool whole)
{
    sinter__ix side = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix first = sinter__for(l, begin, end, side);
    sinter__ix height = whole ? side : sinter__ix_lanes(l, first, end);
    b->at.count = whole ? SINTER__NO_IX : count;
    turn_operands(l, b, first, height, whole ? side : count);
    l->block_place = whole && sinter__class_turns_any(l->c)
                         ? sinter__for_each(l, side)
                         : sinter__for(l, sinter__ix_number(l, 0), height, sinter__ix_number(l, 1));
    block_row(l, b, sinter__ix_add(l, first, l->block_place));
    sinter__end(l);
    sinter__end(l);
}

/* Where whole blocks from `begin` on end: at once where the vector is not whole. */
static sinter__ix whole_end(lowering *l, sinter__ix begin, sinter__ix end, sinter__ix count)
{
    sinter__ix side = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix rows = sinter__ix_make(l, SINTER__IX_SUB, end, begin, 0);
    sinter__ix number = sinter__ix_mul(l, sinter__ix_make(l, SINTER__IX_DIV, rows, side, 0),
                                       sinter__ix_make(l, SINTER__IX_DIV, count, side, 0));
    return sinter__ix_name(l, sinter__ix_add(l, begin, sinter__ix_mul(l, number, side)));
}

/* The band and the segment of a unit, the axes outside both being fixed. */
static void find_unit(lowering *l, block *b, sinter__ix unit, sinter__ix *band, sinter__ix *segment)
{
    int line = b->at.first_axis;
    sinter__ix outer;
    sinter__ix_divide(l, unit, sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0), &outer, segment);
    *band = outer;
    if (line > 1)
        sinter__ix_divide(l, outer, sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0), &outer, band);
    sinter__set_bases_except(l, outer, line, l->c->key.block_axis);
    memcpy(b->base, l->base, sizeof b->base);
}

/* Units are vectors of the line, down bands of rows, for each element of the axes outside both. */
static void block_cpu(lowering *l, block *b)
{
    int line = b->at.first_axis;
    sinter__ix band;
    sinter__ix segment;
    sinter__ix unit = sinter__for_units(l);
    sinter__ix height = sinter__ix_number(l, l->c->key.rows);
    sinter__ix rows = sinter__ix_param(l, SINTER__PARAM_EXTENT, l->c->key.block_axis, 0);
    find_unit(l, b, unit, &band, &segment);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, band, height));
    sinter__ix end = sinter__ix_stop(l, begin, height, rows);
    b->at.index =
        sinter__ix_name(l, sinter__ix_mul(l, segment, sinter__ix_number(l, l->c->key.lanes)));
    sinter__ix count =
        sinter__ix_lanes(l, b->at.index, sinter__ix_param(l, SINTER__PARAM_EXTENT, line, 0));
    if (sinter__is_short(l)) {
        sinter__ix rest = whole_end(l, begin, end, count);
        blocks(l, b, begin, rest, count, true);
        begin = rest;
    }
    blocks(l, b, begin, end, count, false);
    sinter__end(l);
}

/* Where the group's block is along `axis`, and how much of it there is. */
static sinter__ix block_begin(lowering *l, sinter__ix number, int axis, sinter__ix *extent)
{
    sinter__ix side = sinter__ix_number(l, l->c->key.rows);
    sinter__ix begin = sinter__ix_name(l, sinter__ix_mul(l, number, side));
    sinter__ix whole = sinter__ix_param(l, SINTER__PARAM_EXTENT, axis, 0);
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, whole, begin, 0);
    *extent = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, left, side, 0));
    return begin;
}

/* A unit is a square block, and a group's. Every work-item comes to the barrier; what is past an edge is left out on
 * both sides of it. */
static void block_gpu(lowering *l, block *b)
{
    const sinter__class_key *key = &l->c->key;
    sinter__ix group = sinter__ix_make(l, SINTER__IX_GROUP_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix item = sinter__ix_local(l, 0);
    sinter__ix lanes = sinter__ix_number(l, key->lanes);
    int32_t across = key->rows / key->lanes; /* vectors of a row */
    sinter__ix band;
    sinter__ix segment;
    sinter__ix height;
    sinter__ix width;
    sinter__ix row;
    sinter__ix column;
    find_unit(l, b, group, &band, &segment);
    sinter__ix first = block_begin(l, band, key->block_axis, &height);
    sinter__ix begin = block_begin(l, segment, b->at.first_axis, &width);
    b->at.index = begin;
    turn_operands(l, b, first, height, width);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    sinter__ix_divide(l, item, sinter__ix_number(l, across), &row, &column);
    column = sinter__ix_name(l, sinter__ix_mul(l, column, lanes));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, column, width, 0));
    b->at.index = sinter__ix_name(l, sinter__ix_add(l, begin, column));
    b->at.count = sinter__ix_lanes(l, column, width);
    row = sinter__for(l, row, height, sinter__ix_number(l, key->group[0] / across));
    sinter__ix place = sinter__ix_mul(l, row, sinter__ix_number(l, key->rows + 1));
    l->block_place = sinter__ix_name(l, sinter__ix_add(l, place, column));
    block_row(l, b, sinter__ix_add(l, first, row));
    sinter__end(l);
    sinter__end(l);
}

void sinter__lower_block(lowering *l)
{
    int rank = l->c->key.parallel_rank;
    block b = {.at = {.first_axis = rank - 1, .last_axis = rank}};
    sinter__find_varying(l, &b.at);
    if (l->c->key.style == SINTER_STYLE_CPU)
        block_cpu(l, &b);
    else
        block_gpu(l, &b);
}
