/* Lowering of elementwise nests with operands whose neighbours do not lie along the line, as those of
 * a transposed one do.
 *
 * The one hard idea: rows and columns change places inside a square block, so that memory is read and
 * written along its own order on both sides. The block of such an operand is read along its neighbours
 * and turned round; after that it is rows like any other operand's. */
#include "fusion/lower_build.h"

#include <string.h>

typedef struct block {
    sinter__line at;
    sinter__ix base[LOWER_MAX_ACCESSES]; /* by access: offset from the axes outside the block */
} block;

/* The blocks of the operands that are turned, from row `first` on. */
static void turn_operands(lowering *l, const block *b, sinter__ix first, sinter__ix height,
                          sinter__ix count)
{
    int line = b->at.first_axis;
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        if (!sinter__class_turns(l->c, a))
            continue;
        sinter__statement array = sinter__statement_of(SINTER__DO_ARRAY);
        sinter__statement s = sinter__statement_of(SINTER__DO_TURN);
        s.access = a;
        s.dtype = l->nest->accesses[a].dtype;
        s.b = sinter__ix_stride(l, a, line);
        s.a = sinter__ix_add(l, sinter__ix_add(l, b->base[a], first),
                             sinter__ix_mul(l, b->at.index, s.b));
        s.c = height;
        s.count = count;
        array.reg = s.source[0] = l->block[a] = sinter__reg_new(l, s.dtype, true);
        array.a = sinter__ix_number(l, l->c->key.lanes);
        if (l->code->status == SINTER_OK)
            l->code->regs[array.reg].is_array = true;
        sinter__emit(l, &array);
        sinter__emit(l, &s);
    }
}

/* The loop over the rows of a block. */
static void block_rows(lowering *l, block *b, sinter__ix first, sinter__ix height)
{
    int axis = l->c->key.block_axis;
    l->block_row = sinter__for(l, sinter__ix_number(l, 0), height, sinter__ix_number(l, 1));
    sinter__ix row = sinter__ix_name(l, sinter__ix_add(l, first, l->block_row));
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
    sinter__end(l);
}

/* The blocks of rows [begin, end); whole ones need no tests. */
static void blocks(lowering *l, block *b, sinter__ix begin, sinter__ix end, sinter__ix count,
                   bool whole)
{
    sinter__ix side = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix first = sinter__for(l, begin, end, side);
    sinter__ix height = whole ? side : sinter__ix_lanes(l, first, end);
    b->at.count = whole ? SINTER__NO_IX : count;
    turn_operands(l, b, first, height, whole ? side : count);
    block_rows(l, b, first, height);
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

/* Units are vectors of the line, down bands of rows, for each element of the axes outside both. */
static void block_cpu(lowering *l, block *b)
{
    int line = b->at.first_axis;
    int axis = l->c->key.block_axis;
    sinter__ix unit = sinter__for_units(l);
    sinter__ix outer;
    sinter__ix band;
    sinter__ix segment;
    sinter__ix height = sinter__ix_number(l, l->c->key.rows);
    sinter__ix rows = sinter__ix_param(l, SINTER__PARAM_EXTENT, axis, 0);
    sinter__ix_divide(l, unit, sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0), &outer, &segment);
    band = outer;
    if (line > 1) {
        sinter__ix bands = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
        sinter__ix_divide(l, outer, bands, &outer, &band);
    }
    sinter__set_bases_except(l, outer, line, axis);
    memcpy(b->base, l->base, sizeof b->base);
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

void sinter__lower_block(lowering *l)
{
    int rank = l->c->key.parallel_rank;
    block b = {.at = {.first_axis = rank - 1, .last_axis = rank}};
    sinter__find_varying(l, &b.at);
    block_cpu(l, &b);
}
