/* Segments of a row that a work-item of a CPU scans, a block to a lane.
 *
 * The one hard idea: in sequence each addition of a block waits for the one before it, but those of
 * other blocks do not, so the blocks of a segment, as many as a vector has lanes, are added up side
 * by side. Elements lie along a vector, and what is added at once lies a block apart: so the
 * vectors that begin at the same place of each block are a square, which is turned. Afterwards
 * vector k is element k of every block, and so is the sum as far as it, which waits in an array
 * until the carries are known, is turned back, and has them added.
 *
 * A whole segment that is near is read and written where it lies, a square at a time. Any other
 * comes in one piece, into an array, and leaves in one piece: of memory, many places at once are
 * slower (docs/decisions/scans.md). Of less than half a segment that is near the blocks go one
 * after the other. */
#include "fusion/lower/scan.h"

void sinter__declare_turned(lowering *l, const scans *c, scan *s)
{
    s->elements = sinter__scan_array(l, s, SINTER__SCAN_BLOCK);
    s->sums = sinter__scan_array(l, s, SINTER__SCAN_BLOCK);
    s->totals = sinter__scan_array(l, s, 1);
    if (c->step != SINTER__SCAN_TOTALS)
        s->carries = sinter__scan_array(l, s, 1);
}

/* The loop over the squares of a segment; returns the vector of a block that the square has of each. */
static sinter__ix for_squares(lowering *l)
{
    sinter__ix squares = sinter__ix_number(l, SINTER__SCAN_BLOCK / l->c->key.lanes);
    return sinter__for(l, sinter__ix_number(l, 0), squares, sinter__ix_number(l, 1));
}

/* The number, in the segment, of vector `j` of block `k`. */
static sinter__ix vector_of(lowering *l, sinter__ix k, sinter__ix j)
{
    sinter__ix each = sinter__ix_number(l, SINTER__SCAN_BLOCK / l->c->key.lanes);
    return sinter__ix_add(l, sinter__ix_mul(l, k, each), j);
}

/* Makes the vector from element `at` of the segment on the one at hand; `count` SINTER__NO_IX: it is full. */
static void place_vector(lowering *l, scans *c, sinter__ix segment, sinter__ix at, sinter__ix count)
{
    c->at.index = sinter__ix_name(l, sinter__ix_add(l, segment, at));
    c->at.count = count != SINTER__NO_IX ? sinter__ix_lanes(l, at, count) : SINTER__NO_IX;
    c->at.decomposed = false;
}

/* What the scans take of the vector at hand, as number `at` of their arrays. */
static void put_elements(lowering *l, scans *c, const sinter__reg *arrays, sinter__ix at)
{
    sinter__want_scanned(l, false);
    sinter__emit_values(l, &c->at);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg x = l->reg[l->nest->values[s->value].source[0]];
        sinter__array_put(l, arrays[i], at, sinter__scan_widened(l, s, x));
    }
}

/* What is stored of the vector at hand, its sums being number `at` of the arrays. */
static void take_results(lowering *l, scans *c, const sinter__reg *arrays, sinter__ix at)
{
    for (int i = 0; i < c->count; i++)
        sinter__emit_rounded(l, &c->of[i], sinter__array_take(l, arrays[i], at));
    sinter__want_scanned(l, true);
    sinter__emit_values(l, &c->at);
    sinter__emit_stores(l, &c->at);
}

typedef void use(lowering *l, scans *c, const sinter__reg *arrays, sinter__ix at);

/* The vectors of square `j`, whose rows are the arrays. */
static void use_square(lowering *l, scans *c, const sinter__reg *rows, sinter__ix segment,
                       sinter__ix j, use *what)
{
    sinter__ix k = sinter__for_each(l, sinter__ix_number(l, l->c->key.lanes));
    sinter__ix at = sinter__ix_mul(l, vector_of(l, k, j), sinter__ix_number(l, l->c->key.lanes));
    place_vector(l, c, segment, at, SINTER__NO_IX);
    what(l, c, rows, k);
    sinter__end(l);
}

/* The vectors of a segment, all of which have an array, in the order in which they lie. That the
 * loop counts elements tells the compiler that each vector begins inside: a twentieth of the time. */
static void use_in_order(lowering *l, scans *c, sinter__ix segment, sinter__ix count, use *what)
{
    sinter__reg elements[SINTER__MAX_REDUCTIONS] = {0};
    for (int i = 0; i < c->count; i++)
        elements[i] = c->of[i].elements;
    sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
    sinter__ix at = sinter__for(l, sinter__ix_number(l, 0), count, lanes);
    place_vector(l, c, segment, at, count);
    what(l, c, elements, sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_DIV, at, lanes, 0)));
    sinter__end(l);
}

/* Square `j` to or from the array that has all of the segment. */
static void move_square(lowering *l, sinter__reg rows, sinter__reg all, sinter__ix j, bool back)
{
    sinter__ix k = sinter__for_each(l, sinter__ix_number(l, l->c->key.lanes));
    sinter__ix at = sinter__ix_name(l, vector_of(l, k, j));
    if (back)
        sinter__array_put(l, all, at, sinter__array_take(l, rows, k));
    else
        sinter__array_put(l, rows, k, sinter__array_take(l, all, at));
    sinter__end(l);
}

/* A function on the rows of square `j`, its sums and `x`, a vector or the carries: a call of the library. */
static void turn(lowering *l, const scan *s, sinter__statement_kind kind, sinter__reg rows,
                 sinter__ix j, sinter__reg x)
{
    sinter__statement out = sinter__scan_statement(l, s, kind);
    out.assign = true;
    out.reg = x;
    out.source[0] = rows;
    out.source[1] = s->sums;
    out.source[2] = x;
    out.a = j;
    sinter__emit(l, &out);
}

static void rows_of_all(lowering *l, const scans *c, sinter__reg *rows)
{
    for (int i = 0; i < c->count; i++)
        rows[i] = sinter__scan_array(l, &c->of[i], l->c->key.lanes);
}

/* The sums of all squares, and the totals of the blocks. */
static void add_squares(lowering *l, scans *c, sinter__ix segment, bool near)
{
    sinter__reg rows[SINTER__MAX_REDUCTIONS] = {0};
    sinter__reg acc[SINTER__MAX_REDUCTIONS] = {0};
    for (int i = 0; i < c->count; i++)
        acc[i] = sinter__scan_identity(l, &c->of[i], true);
    sinter__ix j = for_squares(l);
    rows_of_all(l, c, rows);
    if (near)
        use_square(l, c, rows, segment, j, put_elements);
    for (int i = 0; i < c->count; i++) {
        if (!near)
            move_square(l, rows[i], c->of[i].elements, j, false);
        turn(l, &c->of[i], SINTER__DO_SCAN_TURNED, rows[i], j, acc[i]);
    }
    sinter__end(l);
    for (int i = 0; i < c->count; i++)
        sinter__array_put(l, c->of[i].totals, sinter__ix_number(l, 0), acc[i]);
}

/* Their sums with the carries; what is stored too, where they are near. */
static void carry_squares(lowering *l, scans *c, sinter__ix segment, bool near)
{
    sinter__reg rows[SINTER__MAX_REDUCTIONS] = {0};
    sinter__ix j = for_squares(l);
    rows_of_all(l, c, rows);
    for (int i = 0; i < c->count; i++) {
        turn(l, &c->of[i], SINTER__DO_CARRY_TURNED, rows[i], j, c->of[i].carries);
        if (!near)
            move_square(l, rows[i], c->of[i].elements, j, true);
    }
    if (near)
        use_square(l, c, rows, segment, j, take_results);
    sinter__end(l);
}

/* The blocks of fewer elements one after the other, in the array: their totals, or with their carries the results. */
static void use_rest(lowering *l, const scans *c, sinter__ix count, bool results)
{
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__statement rest =
            sinter__scan_statement(l, s, results ? SINTER__DO_CARRY_REST : SINTER__DO_SCAN_REST);
        rest.source[0] = s->elements;
        rest.source[1] = results ? s->carries : s->totals;
        rest.a = count;
        sinter__emit(l, &rest);
    }
}

/* What is not there of a segment becomes 0, and nobody asks for what that gives. */
static void fill_elements(lowering *l, const scans *c, sinter__ix count)
{
    sinter__ix vectors = sinter__ix_vectors(l, count);
    sinter__reg zero[SINTER__MAX_REDUCTIONS] = {0};
    for (int i = 0; i < c->count; i++)
        zero[i] = sinter__scan_declare(l, &c->of[i], true);
    sinter__ix end = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__ix at = sinter__for(l, vectors, end, sinter__ix_number(l, 1));
    for (int i = 0; i < c->count; i++)
        sinter__array_put(l, c->of[i].elements, at, zero[i]);
    sinter__end(l);
}

/* In the array: the squares of half a segment or more, or the blocks of fewer elements. Of what
 * comes from memory squares in any case: it takes longer than they, and compilers keep squares that
 * are done in one case in memory. */
static void emit_half(lowering *l, scans *c, sinter__ix segment, sinter__ix count, bool results)
{
    sinter__ix least = sinter__ix_number(l, l->c->key.rows * SINTER__SCAN_BLOCK / 2);
    sinter__ix is_less = sinter__ix_make(l, SINTER__IX_LESS, count, least, 0);
    bool either = l->c->key.near != 0;
    if (either)
        sinter__if(l, sinter__ix_is_zero(l, is_less));
    if (!results)
        fill_elements(l, c, count);
    (results ? carry_squares : add_squares)(l, c, segment, false);
    if (!either)
        return;
    sinter__end(l);
    sinter__if(l, is_less);
    use_rest(l, c, count, results);
    sinter__end(l);
}

/* By way of the array. */
static void emit_array(lowering *l, scans *c, sinter__ix segment, sinter__ix count, bool results)
{
    if (!results)
        use_in_order(l, c, segment, count, put_elements);
    emit_half(l, c, segment, count, results);
    if (results)
        use_in_order(l, c, segment, count, take_results);
}

/* One that comes from far, or is not whole. */
static void any_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment,
                        sinter__ix count, sinter__ix blocks)
{
    emit_array(l, c, segment, count, false);
    sinter__segment_carries(l, c, start, segment, blocks);
    if (c->step != SINTER__SCAN_TOTALS)
        emit_array(l, c, segment, count, true);
}

/* One that is near. The loop over its blocks is one that a compiler writes out. */
static void whole_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment)
{
    add_squares(l, c, segment, true);
    sinter__segment_carries(l, c, start, segment, sinter__ix_number(l, l->c->key.rows));
    if (c->step != SINTER__SCAN_TOTALS)
        carry_squares(l, c, segment, true);
}

/* A square is written out, and so is all that makes its elements: where that is much, what is near
 * goes by the array, too. */
void sinter__turned_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment,
                            sinter__ix count, sinter__ix blocks)
{
    sinter__ix all = sinter__ix_number(l, l->c->key.rows * SINTER__SCAN_BLOCK);
    if (l->c->key.near == 0 || !sinter__is_short(l)) {
        any_segment(l, c, start, segment, count, blocks);
        return;
    }
    sinter__ix is_less = sinter__ix_make(l, SINTER__IX_LESS, count, all, 0);
    sinter__unless(l, is_less);
    whole_segment(l, c, start, segment);
    sinter__end(l);
    sinter__if_rarely(l, is_less);
    any_segment(l, c, start, segment, count, blocks);
    sinter__end(l);
}
