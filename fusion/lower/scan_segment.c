/* Segments: several blocks of a line at once.
 *
 * The one hard idea: the blocks of a line wait for nothing but their carries, and a carry for the
 * totals of the blocks before. So the elements of as many blocks as fit, a stretch mostly, are
 * there at once, each block is gone through, one loop over the totals makes the carries, and then
 * there are the results.
 *
 * A work-group of a GPU has a segment in local memory. All read the elements side by side, a work-item goes through
 * each block, the first of them through the totals of the blocks, and then all write the results side by side.
 * Of columns a group has several next to each other, and of each of them several blocks at once:
 * elements need not be turned, and are read again for the results. A work-item of a CPU does alone
 * along rows what a group does, of which only the carries are made here, and the rest is
 * fusion/lower/scan_turned.c's. */
#include "fusion/lower/scan.h"

#include <string.h>

/* The work-item's number among those that share a line's blocks, and how many these are. */
static sinter__ix local_id(lowering *l, const scans *c)
{
    return sinter__ix_local(l, c->in_rows ? 0 : 1);
}

static int32_t workers(const lowering *l, const scans *c)
{
    return l->c->key.group[c->in_rows ? 0 : 1];
}

sinter__ix sinter__is_leader(lowering *l, const scans *c)
{
    return sinter__ix_is_zero(l, local_id(l, c));
}

void sinter__if_leader(lowering *l, const scans *c)
{
    if (c->in_group)
        sinter__if(l, sinter__is_leader(l, c));
}

void sinter__end_leader(lowering *l, const scans *c)
{
    if (c->in_group)
        sinter__end(l);
}

void sinter__declare_segment(lowering *l, const scans *c, scan *s)
{
    uint8_t dtype = sinter__scan_statement(l, s, SINTER__DO_ARRAY).dtype;
    int32_t blocks = l->c->key.rows;
    if (c->in_rows)
        s->elements = sinter__local_new(l, dtype, false, blocks * SINTER__SCAN_PITCH);
    else
        blocks *= l->c->key.group[0]; /* of each of its vectors */
    s->totals = sinter__local_new(l, dtype, !c->in_rows, blocks);
    if (c->step != SINTER__SCAN_TOTALS)
        s->carries = sinter__local_new(l, dtype, !c->in_rows, blocks);
}

/* What is done with neighbours from element `a` of an array in local memory on. */
static sinter__reg move_local(lowering *l, const scan *s, sinter__statement_kind kind,
                              sinter__reg array, sinter__reg reg, sinter__ix a, sinter__ix count)
{
    sinter__statement out = sinter__scan_statement(l, s, kind);
    bool gives = kind != SINTER__DO_SET;
    out.a = a;
    out.c = count;
    out.source[0] = gives ? array : reg;
    out.source[1] = array;
    out.reg = gives ? sinter__reg_new(l, out.dtype, kind == SINTER__DO_PICK) : array;
    sinter__emit(l, &out);
    return out.reg;
}

sinter__ix sinter__mine_of(lowering *l, sinter__ix i)
{
    sinter__ix beside = sinter__ix_number(l, l->c->key.group[0]);
    sinter__ix mine = sinter__ix_local(l, 0);
    return sinter__ix_add(l, sinter__ix_mul(l, i, beside), mine);
}

/* Where a block's total and carry lie: those of neighbouring columns next to each other. */
static sinter__ix slot_of(lowering *l, const scans *c, sinter__ix b)
{
    return c->in_rows ? b : sinter__mine_of(l, b);
}

static void put_block(lowering *l, const scans *c, sinter__reg array, sinter__ix b, sinter__reg reg)
{
    sinter__array_put(l, array, slot_of(l, c, b), reg);
}

static sinter__reg take_block(lowering *l, const scans *c, sinter__reg array, sinter__ix b)
{
    return (c->in_rows ? sinter__array_element : sinter__array_take)(l, array, slot_of(l, c, b));
}

/* The loop over the vectors of a segment of `count` elements, next to those of the neighbouring work-items. */
static sinter__ix for_vectors(lowering *l, scans *c, sinter__ix segment, sinter__ix count)
{
    int32_t lanes = l->c->key.lanes;
    sinter__ix first = sinter__ix_mul(l, local_id(l, c), sinter__ix_number(l, lanes));
    sinter__ix at = sinter__for(l, first, count, sinter__ix_number(l, l->c->key.group[0] * lanes));
    c->at.index = sinter__ix_name(l, sinter__ix_add(l, segment, at));
    c->at.count = sinter__ix_lanes(l, at, count);
    return at;
}

static sinter__ix block_of(lowering *l, sinter__ix at)
{
    sinter__ix size = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    return sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_DIV, at, size, 0));
}

static void segment_elements(lowering *l, scans *c, sinter__ix segment, sinter__ix count)
{
    sinter__ix at = for_vectors(l, c, segment, count);
    sinter__ix place = sinter__ix_name(l, sinter__ix_add(l, at, block_of(l, at)));
    sinter__want_scanned(l, false);
    sinter__emit_values(l, &c->at);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg x = l->reg[l->nest->values[s->value].source[0]];
        x = sinter__scan_widened(l, s, x);
        (void)move_local(l, s, SINTER__DO_SET, s->elements, x, place, SINTER__NO_IX);
    }
    sinter__end(l);
}

/* The same of the totals of stretches, which are a line themselves. */
static void segment_parts(lowering *l, scans *c, sinter__ix segment, sinter__ix count)
{
    sinter__ix at = for_vectors(l, c, segment, count);
    sinter__ix place = sinter__ix_name(l, sinter__ix_add(l, at, block_of(l, at)));
    for (int i = 0; i < c->count; i++) {
        sinter__reg x = sinter__scan_declare(l, &c->of[i], false);
        sinter__move_part(l, c, i, SINTER__DO_LOAD, c->at.index, x);
        (void)move_local(l, &c->of[i], SINTER__DO_SET, c->of[i].elements, x, place, SINTER__NO_IX);
    }
    sinter__end(l);
}

/* Their carries: what is before each, and not with it. */
static void segment_part_carries(lowering *l, scans *c, sinter__ix segment, sinter__ix count)
{
    sinter__ix at = for_vectors(l, c, segment, count);
    sinter__ix b = block_of(l, at);
    sinter__ix begin = sinter__ix_mul(l, b, sinter__ix_number(l, SINTER__SCAN_BLOCK));
    sinter__ix later =
        sinter__ix_make(l, SINTER__IX_LESS, begin, at, 0); /* 1, or 0 for the first */
    sinter__ix is_first = sinter__ix_make(l, SINTER__IX_EQUAL, begin, at, 0);
    sinter__ix place = sinter__ix_make(l, SINTER__IX_SUB, sinter__ix_add(l, at, b), later, 0);
    place = sinter__ix_name(l, place);
    sinter__ix is_first_group = sinter__ix_is_zero(l, sinter__ix_add(l, segment, b));
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg carry = sinter__scan_declare(l, s, false);
        sinter__reg before = sinter__array_element(l, s->elements, place);
        sinter__reg group = sinter__array_element(l, s->carries, b);
        sinter__scan_call(l, s, SINTER__DO_CARRY, carry, group, before, is_first, is_first_group);
        sinter__move_part(l, c, i, SINTER__DO_STORE, c->at.index, carry);
    }
    sinter__end(l);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER); /* one has read what is another's to set next */
}

static void segment_blocks(lowering *l, const scans *c, sinter__ix blocks, sinter__ix count)
{
    sinter__ix size = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__ix pitch = sinter__ix_number(l, SINTER__SCAN_PITCH);
    sinter__ix b = sinter__for(l, local_id(l, c), blocks, sinter__ix_number(l, workers(l, c)));
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, count, sinter__ix_mul(l, b, size), 0);
    left = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, left, size, 0));
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg total = move_local(l, s, SINTER__DO_SCAN_LOCAL, s->elements, 0,
                                       sinter__ix_mul(l, b, pitch), left);
        put_block(l, c, s->totals, b, total);
    }
    sinter__end(l);
}

/* The blocks of columns, one after the other down to its end: their totals, or with their carries the results. */
static void column_blocks(lowering *l, scans *c, sinter__ix segment, sinter__ix end,
                          sinter__ix blocks, bool results)
{
    scan kept[SINTER__MAX_REDUCTIONS];
    sinter__ix size = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__ix b = sinter__for(l, local_id(l, c), blocks, sinter__ix_number(l, workers(l, c)));
    sinter__ix block = sinter__ix_add(l, segment, sinter__ix_mul(l, b, size));
    block = sinter__ix_name(l, block);
    sinter__ix stop = sinter__ix_stop(l, block, size, end);
    memcpy(kept, c->of, sizeof kept);
    for (int i = 0; i < c->count && results; i++)
        c->of[i].carry = take_block(l, c, c->of[i].carries, b);
    sinter__emit_scan_block(l, c, block, stop, results);
    for (int i = 0; i < c->count && !results; i++)
        put_block(l, c, c->of[i].totals, b, c->of[i].acc);
    memcpy(c->of, kept, sizeof kept);
    sinter__end(l);
}

/* The carry of block `b` of a segment, and what is before the next one. */
static void block_carry(lowering *l, const scans *c, sinter__ix start, sinter__ix b,
                        sinter__ix begins)
{
    sinter__ix is_first = sinter__has_no_carry(l, c, start);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg total = take_block(l, c, s->totals, b);
        if (c->step != SINTER__SCAN_TOTALS) {
            sinter__scan_call(l, s, SINTER__DO_CARRY, s->carry, s->stretch_carry, s->before, begins,
                              is_first);
            put_block(l, c, s->carries, b, s->carry);
        }
        sinter__scan_call(l, s, SINTER__DO_APPEND, s->before, s->before, total, begins,
                          SINTER__NO_IX);
    }
}

/* The first work-item alone knows what is before a block. A block waits for the one before it, and would for a choice
 * as well: so the first of a segment, which may be that of its stretch, is in front of the loop. */
void sinter__segment_carries(lowering *l, const scans *c, sinter__ix start, sinter__ix segment,
                             sinter__ix blocks)
{
    sinter__ix none = sinter__ix_number(l, 0);
    sinter__ix one = sinter__ix_number(l, 1);
    sinter__if_leader(l, c);
    block_carry(l, c, start, none, sinter__ix_make(l, SINTER__IX_EQUAL, segment, start, 0));
    block_carry(l, c, start, sinter__for(l, one, blocks, one), none);
    sinter__end(l);
    sinter__end_leader(l, c);
}

/* What the scans need is read again where the results do too: each by the work-item that writes there. */
static void segment_results(lowering *l, scans *c, sinter__ix segment, sinter__ix count)
{
    sinter__ix at = for_vectors(l, c, segment, count);
    sinter__ix b = block_of(l, at);
    sinter__ix place = sinter__ix_name(l, sinter__ix_add(l, at, b));
    for (int i = 0; i < c->count; i++) {
        scan s = c->of[i];
        s.acc = move_local(l, &s, SINTER__DO_PICK, s.elements, 0, place, c->at.count);
        s.carry = take_block(l, c, s.carries, b);
        sinter__emit_scanned(l, &s, sinter__ix_add(l, segment, b));
    }
    sinter__want_scanned(l, true);
    sinter__emit_values(l, &c->at);
    sinter__emit_stores(l, &c->at);
    sinter__end(l);
}

/* The elements of the segment, or what is in their place, and the totals of its blocks. */
static void segment_totals(lowering *l, scans *c, sinter__ix segment, sinter__ix end,
                           sinter__ix count, sinter__ix blocks)
{
    if (!c->in_rows) {
        column_blocks(l, c, segment, end, blocks, false);
        return;
    }
    (c->step == SINTER__SCAN_CARRIES ? segment_parts : segment_elements)(l, c, segment, count);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    segment_blocks(l, c, blocks, count);
}

/* A group's segment from `segment` to `end` of the stretch that begins at `start`. No barrier at
 * its end: the elements of the next one go where the same work-item has picked those of this one. */
static void group_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment,
                          sinter__ix end, sinter__ix count, sinter__ix blocks)
{
    segment_totals(l, c, segment, end, count, blocks);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    sinter__segment_carries(l, c, start, segment, blocks);
    if (c->step != SINTER__SCAN_TOTALS ||
        !c->in_rows) /* and before totals of the next segment are laid over these */
        sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    if (c->step == SINTER__SCAN_TOTALS)
        return;
    if (!c->in_rows)
        column_blocks(l, c, segment, end, blocks, true);
    else
        (c->step == SINTER__SCAN_CARRIES ? segment_part_carries : segment_results)(l, c, segment,
                                                                                   count);
}

static void emit_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment,
                         sinter__ix end)
{
    sinter__ix round_up = sinter__ix_number(l, SINTER__SCAN_BLOCK - 1);
    sinter__ix count = sinter__ix_make(l, SINTER__IX_SUB, end, segment, 0);
    count = sinter__ix_name(l, count);
    sinter__ix blocks = block_of(l, sinter__ix_add(l, count, round_up));
    if (c->in_group) {
        group_segment(l, c, start, segment, end, count, blocks);
        return;
    }
    sinter__turned_segment(l, c, start, segment, count, blocks);
}

void sinter__emit_segments(lowering *l, scans *c, sinter__ix start, sinter__ix end)
{
    sinter__ix size = sinter__ix_number(l, l->c->key.rows * SINTER__SCAN_BLOCK);
    if (l->c->key.rows == SINTER__SCAN_BLOCK) {
        emit_segment(l, c, start, start, end);
        return;
    }
    sinter__ix segment = sinter__for(l, start, end, size);
    emit_segment(l, c, start, segment, sinter__ix_stop(l, segment, size, end));
    sinter__end(l);
}
