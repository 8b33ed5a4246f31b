/* Lowering of nests with scans: vectors along the scanned axis, or vectors of columns that go along it.
 *
 * The one hard idea: the order (fusion/nest/tree.h) is one that a single pass can keep to. What a scan
 * gives for an element is its block as far as the element, with the carry of the block added. The
 * carry is what is before the block in its stretch, a group of 64 blocks, with the carry of the
 * stretch added; and that comes from the totals of the stretches so far, of which a few words per
 * level are enough: the state. Where the lines are too few for the device, the first launch finds the
 * totals of all stretches, the second makes carries of them in scratch memory, and the third has the
 * results, a stretch to a unit.
 *
 * Of columns a CPU's work-item has several vectors, and goes down a few rows with each in turn; a
 * GPU's reads a few rows before it has results. Several blocks of a line at once are
 * fusion/lower/scan_segment.c's. */
#include "fusion/lower/scan.h"

#include "fusion/nest/phase.h"

#include <string.h>

sinter__statement sinter__scan_statement(const lowering *l, const scan *s,
                                         sinter__statement_kind kind)
{
    const sinter__value *v = &l->nest->values[s->value];
    sinter__statement out = sinter__statement_of(kind);
    out.op = v->op;
    out.dtype = out.work = (uint8_t)sinter__accumulator((sinter_dtype)v->dtype);
    return out;
}

sinter__reg sinter__scan_widened(lowering *l, const scan *s, sinter__reg x)
{
    if (sinter__reg_of(l, x).is_vector)
        return x;
    sinter__statement wide = sinter__scan_statement(l, s, SINTER__DO_ROUND);
    wide.source[0] = x;
    wide.reg = sinter__reg_new(l, wide.dtype, true);
    sinter__emit(l, &wide);
    return wide.reg;
}

/* Whether a unit is a line from its first to its last element, or to its last stretch. */
static bool is_whole(const scans *c)
{
    return c->step == SINTER__SCAN_ALL || c->step == SINTER__SCAN_CARRIES;
}

static sinter__reg declare_as(lowering *l, const scan *s, sinter__statement_kind kind, bool vector)
{
    sinter__statement out = sinter__scan_statement(l, s, kind);
    out.reg = sinter__reg_new(l, out.dtype, vector);
    sinter__emit(l, &out);
    return out.reg;
}

sinter__reg sinter__scan_declare(lowering *l, const scan *s, bool vector)
{
    return declare_as(l, s, SINTER__DO_NOTHING, vector);
}

sinter__reg sinter__scan_identity(lowering *l, const scan *s, bool vector)
{
    return declare_as(l, s, SINTER__DO_IDENTITY, vector);
}

sinter__reg sinter__scan_array(lowering *l, const scan *s, int32_t vectors)
{
    return sinter__array_new(l, sinter__scan_statement(l, s, SINTER__DO_ARRAY).dtype, vectors);
}

void sinter__scan_call(lowering *l, const scan *s, sinter__statement_kind kind, sinter__reg reg,
                       sinter__reg x, sinter__reg y, sinter__ix a, sinter__ix b)
{
    sinter__statement out = sinter__scan_statement(l, s, kind);
    out.reg = reg;
    out.assign = true;
    out.source[0] = x;
    out.source[1] = y;
    out.a = a;
    out.b = b;
    sinter__emit(l, &out);
}

static void find_scans(lowering *l, scans *c)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->nest->values[i].kind == SINTER__VALUE_SCAN)
            c->of[c->count++].value = i;
    }
}

/* Several vectors of columns: what each has waits in arrays while others are at hand. */

static sinter__reg *held_of(scan *s, int k)
{
    sinter__reg *const all[SINTER__SCAN_NUMBERS] = {&s->acc, &s->carry, &s->before,
                                                    &s->stretch_carry};
    return all[k];
}

/* Where number `k` of the vector at hand waits. In an array of one vector for each vector of the operands, what is
 * stored could lie all along at the place of a page from which the next row is loaded: and a processor that tells
 * addresses by that place lets each load wait for the store (docs/decisions/scans.md). */
static sinter__ix held_at(lowering *l, const scans *c, int k)
{
    sinter__ix pair = sinter__ix_mul(l, c->beside.vector, sinter__ix_number(l, 2));
    return sinter__ix_add(l, pair, sinter__ix_number(l, k % 2));
}

/* Makes the vector that begins at column `index` the one at hand; `is_full`: all of it is columns. */
static void place_vector(lowering *l, scans *c, sinter__ix index, bool is_full)
{
    sinter__ix end = sinter__ix_param(l, SINTER__PARAM_EXTENT, c->at.first_axis, 0);
    c->at.index = sinter__ix_name(l, index);
    c->at.count = is_full ? SINTER__NO_IX : sinter__ix_lanes(l, c->at.index, end);
    c->at.decomposed = false;
    if (c->step != SINTER__SCAN_ALL)
        c->place = sinter__ix_name(l, sinter__ix_add(l, c->first, c->at.index));
}

/* The loop over vectors [begin, end) of several, each with what `takes` says. */
static void begin_some(lowering *l, scans *c, sinter__ix begin, sinter__ix end, bool are_full,
                       unsigned takes)
{
    place_vector(l, c, sinter__for_beside(l, &c->beside, begin, end), are_full);
    for (int i = 0; i < c->count; i++) {
        for (int k = 0; k < SINTER__SCAN_NUMBERS; k++) {
            if ((takes >> k & 1) != 0)
                *held_of(&c->of[i], k) =
                    sinter__array_take(l, c->of[i].held[k / 2], held_at(l, c, k));
        }
    }
}

/* Over all of them; of one vector it is there already. */
static void begin_vectors(lowering *l, scans *c, unsigned takes)
{
    if (c->is_wide)
        begin_some(l, c, sinter__ix_number(l, 0), c->beside.vectors, false, takes);
}

/* The end of the loop, with what has become of it. */
static void end_vectors(lowering *l, scans *c, unsigned puts)
{
    if (!c->is_wide)
        return;
    for (int i = 0; i < c->count; i++) {
        for (int k = 0; k < SINTER__SCAN_NUMBERS; k++) {
            if ((puts >> k & 1) != 0)
                sinter__array_put(l, c->of[i].held[k / 2], held_at(l, c, k),
                                  *held_of(&c->of[i], k));
        }
    }
    sinter__end(l);
}

/* What it has of a vector of columns, or of a row. */
static void declare_one(lowering *l, const scans *c, scan *s)
{
    bool vector = !c->in_rows;
    if (!c->in_segments || !c->in_rows)
        s->acc = sinter__scan_declare(l, s, true);
    s->before = sinter__scan_declare(l, s, vector);
    s->carry = sinter__scan_declare(l, s, vector);
    bool is_none = c->from_identity && c->step == SINTER__SCAN_ALL; /* another is loaded */
    s->stretch_carry = (is_none ? sinter__scan_identity : sinter__scan_declare)(l, s, vector);
}

/* What it knows between stretches, of each vector of columns. */
static sinter__reg declare_state(lowering *l, const scans *c, const scan *s)
{
    sinter__statement state = sinter__scan_statement(l, s, SINTER__DO_STATE);
    state.reg = sinter__reg_new(l, state.dtype, !c->in_rows);
    state.a = sinter__ix_number(l, c->is_wide ? l->c->key.vectors : 1);
    sinter__emit(l, &state);
    return state.reg;
}

static void declare_all(lowering *l, scans *c)
{
    for (int i = 0; i < c->count; i++) {
        scan *s = &c->of[i];
        if (c->in_segments)
            (c->in_group ? sinter__declare_segment : sinter__declare_turned)(l, c, s);
        for (int k = 0; k < LOWER_SCAN_PAIRS && c->is_wide; k++)
            s->held[k] = sinter__scan_array(l, s, 2 * l->c->key.vectors);
        if (!c->is_wide)
            declare_one(l, c, s);
        if (is_whole(c))
            s->state = declare_state(l, c, s);
    }
    begin_vectors(l, c, 0);
    for (int i = 0; i < c->count && c->is_wide; i++)
        declare_one(l, c, &c->of[i]);
    end_vectors(l, c, ACC | BEFORE | CARRY | STRETCH_CARRY);
}

/* What the launch computes: everything, or what the scans need. */
static void find_used(const lowering *l, scans *c)
{
    for (uint16_t i = l->nest->value_count; i-- > 0;) {
        const sinter__value *v = &l->nest->values[i];
        bool totals = c->step == SINTER__SCAN_TOTALS;
        c->used[i] |= !totals || v->kind == SINTER__VALUE_SCAN;
        for (int k = 0; k < v->source_count && c->used[i]; k++)
            c->used[v->source[k]] = true;
    }
}

/* What is the same all along the scanned axis. */
static void find_per_row(lowering *l, const scans *c)
{
    bool varies[LOWER_MAX_ACCESSES];
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        varies[a] = sinter__class_stride(l->c, a, c->axis) != SINTER__STRIDE_ZERO;
    sinter__find_per_row(l->nest, varies, l->per_row);
}

static void want(lowering *l, const scans *c, bool per_row, uint8_t phase)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->wanted[i] = c->used[i] && l->per_row[i] == per_row && l->nest->values[i].phase == phase;
}

void sinter__want_scanned(lowering *l, bool results)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->wanted[i] = false;
    for (uint16_t i = l->nest->value_count; i-- > 0;) {
        const sinter__value *v = &l->nest->values[i];
        bool is_root = v->kind == (results ? SINTER__VALUE_STORE : SINTER__VALUE_SCAN);
        bool computes = v->kind == SINTER__VALUE_MAP && l->wanted[i];
        for (int k = 0; k < v->source_count && (is_root || computes); k++)
            l->wanted[v->source[k]] = !l->per_row[v->source[k]];
    }
}

void sinter__emit_rounded(lowering *l, const scan *s, sinter__reg reg)
{
    sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
    round.source[0] = reg;
    round.dtype = l->nest->values[s->value].dtype;
    round.reg = l->reg[s->value] = sinter__reg_new(l, round.dtype, true);
    sinter__emit(l, &round);
}

void sinter__emit_scanned(lowering *l, const scan *s, sinter__ix block)
{
    sinter__statement carry = sinter__scan_statement(l, s, SINTER__DO_APPEND);
    carry.source[0] = s->carry;
    carry.source[1] = s->acc;
    carry.a = block == SINTER__NO_IX ? sinter__ix_number(l, 0) : sinter__ix_is_zero(l, block);
    carry.reg = sinter__reg_new(l, carry.dtype, true);
    sinter__emit(l, &carry);
    sinter__emit_rounded(l, s, carry.reg);
}

/* What is computed of the elements at hand before the scans: all that can be, with `results`. */
static void emit_before(lowering *l, scans *c, bool results)
{
    if (results)
        want(l, c, false, 0);
    else
        sinter__want_scanned(l, false);
    sinter__emit_values(l, &c->at);
}

/* The scans go on to the elements at hand, with which the block may begin; what is stored too, with `results`. */
static void emit_after(lowering *l, scans *c, sinter__ix block, sinter__ix begins, bool results)
{
    if (c->from_identity) {
        block = SINTER__NO_IX;
        begins = sinter__ix_number(l, 0);
    }
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__reg x = l->reg[l->nest->values[s->value].source[0]];
        sinter__scan_call(l, s, c->in_rows ? SINTER__DO_SCAN : SINTER__DO_APPEND, s->acc, s->acc, x,
                          begins, SINTER__NO_IX);
        if (results)
            sinter__emit_scanned(l, s, block);
    }
    if (!results)
        return;
    want(l, c, false, 1);
    sinter__emit_values(l, &c->at);
    sinter__emit_stores(l, &c->at);
}

static void set_row(lowering *l, const scans *c, sinter__ix row)
{
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        sinter__ix along = sinter__ix_mul(l, row, sinter__ix_stride(l, a, c->axis));
        l->base[a] = sinter__ix_add(l, c->bases[a], along);
    }
}

/* Rows of columns that are read before the first of them is gone on to. A GPU waits for each load
 * that an instruction needs, and no load is taken over the store of a row before it, which may be
 * to the same place; a CPU has one vector after the other so. */
static int rows_ahead(const lowering *l)
{
    bool waits = l->c->key.style == SINTER_STYLE_GPU || l->c->key.vectors > 1;
    return waits && sinter__is_short(l) ? LOWER_ROWS_AHEAD : 1;
}

/* Rows from `at` on, before `end`, of the block that begins at `block`. */
typedef struct band {
    sinter__ix block, at, end;
    bool is_whole; /* all rows that are read ahead are there */
    bool results;  /* what is stored too */
} band;

/* The rows of the band that are read ahead. */
static void emit_rows(lowering *l, scans *c, const band *b)
{
    int ahead = rows_ahead(l);
    sinter__ix rows[LOWER_ROWS_AHEAD];
    sinter__ix begins = sinter__ix_make(l, SINTER__IX_EQUAL, b->at, b->block, 0);
    sinter__ix last = sinter__ix_make(l, SINTER__IX_SUB, b->end, sinter__ix_number(l, 1), 0);
    for (int k = 0; k < ahead; k++) {
        sinter__ix there = sinter__ix_name(l, sinter__ix_add(l, b->at, sinter__ix_number(l, k)));
        rows[k] = there;
        if (k > 0 && !b->is_whole)
            there = sinter__ix_make(l, SINTER__IX_MIN, there, last, 0);
        if (k > 0) /* what is the same for all rows */
            memcpy(l->regs[k], l->regs[0], sizeof l->regs[0]);
        l->reg = l->regs[k];
        set_row(l, c, sinter__ix_name(l, there));
        emit_before(l, c, b->results);
    }
    for (int k = 0; k < ahead; k++) {
        bool asks = k > 0 && !b->is_whole;
        l->reg = l->regs[k];
        set_row(l, c, rows[k]);
        if (asks)
            sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, rows[k], b->end, 0));
        emit_after(l, c, b->block, k > 0 ? sinter__ix_number(l, 0) : begins, b->results);
        if (asks)
            sinter__end(l);
    }
    l->reg = l->regs[0];
}

/* What is the same all along the line. */
static void emit_per_row(lowering *l, scans *c)
{
    want(l, c, true, 0);
    sinter__emit_values(l, &c->at);
}

/* Rows of vectors [begin, end), which are full where the band is whole. What is the same all along a column is loaded
 * or computed again for each band: the planner has stored what takes long. */
static void emit_band_of(lowering *l, scans *c, const band *b, sinter__ix begin, sinter__ix end)
{
    begin_some(l, c, begin, end, b->is_whole, ACC | (b->results ? CARRY : 0));
    emit_per_row(l, c);
    if (rows_ahead(l) == 1) {
        band one = *b;
        one.end = sinter__ix_stop(l, b->at, sinter__ix_number(l, LOWER_ROWS_AHEAD), b->end);
        one.at = sinter__for(l, b->at, one.end, sinter__ix_number(l, 1));
        emit_rows(l, c, &one);
        sinter__end(l);
    } else {
        emit_rows(l, c, b);
    }
    end_vectors(l, c, ACC);
}

/* A few rows of each vector in turn: all of them lie in as many pages of memory, and what is stored past the caches is
 * whole lines next to each other (docs/decisions/scans.md). Where all rows of the band are there, full vectors have a
 * loop of their own, which asks nothing. */
static void emit_band(lowering *l, scans *c, const band *b)
{
    sinter__ix full = sinter__ix_number(l, 0);
    if (rows_ahead(l) > 1) {
        sinter__ix last = sinter__ix_add(l, b->at, sinter__ix_number(l, LOWER_ROWS_AHEAD - 1));
        sinter__ix is_whole = sinter__ix_make(l, SINTER__IX_LESS, last, b->end, 0);
        band whole = *b;
        whole.is_whole = true;
        full = sinter__ix_name(l, sinter__ix_mul(l, is_whole, c->beside.full));
        emit_band_of(l, c, &whole, sinter__ix_number(l, 0), full);
    }
    emit_band_of(l, c, b, full, c->beside.vectors);
}

void sinter__emit_scan_block(lowering *l, scans *c, sinter__ix block, sinter__ix end, bool results)
{
    int32_t step = c->in_rows ? l->c->key.lanes : c->is_wide ? LOWER_ROWS_AHEAD : rows_ahead(l);
    sinter__ix at = sinter__for(l, block, end, sinter__ix_number(l, step));
    if (c->in_rows) {
        c->at.index = at;
        c->at.count = sinter__ix_lanes(l, at, end);
        emit_before(l, c, results);
        emit_after(l, c, block, sinter__ix_make(l, SINTER__IX_EQUAL, at, block, 0), results);
    } else {
        const band b = {.block = block, .at = at, .end = end, .results = results};
        (c->is_wide ? emit_band : emit_rows)(l, c, &b);
    }
    sinter__end(l);
}

void sinter__move_part(lowering *l, const scans *c, int i, sinter__statement_kind kind,
                       sinter__ix part, sinter__reg reg)
{
    sinter__statement s = sinter__scan_statement(l, &c->of[i], kind);
    sinter__use_scratch(l, (uint16_t)i, s.dtype);
    bool one = l->c->key.loops != SINTER__LOOPS_SCAN_COLUMNS;
    s.access = (uint16_t)(SINTER__SCRATCH + i);
    s.mode = one ? SINTER__MODE_ONE : SINTER__MODE_UNIT;
    s.a = sinter__ix_add(l, c->place, sinter__ix_mul(l, part, c->place_step));
    s.c = one ? SINTER__NO_IX : c->at.count;
    s.reg = s.source[0] = reg;
    s.assign = true;
    sinter__emit(l, &s);
}

sinter__ix sinter__has_no_carry(lowering *l, const scans *c, sinter__ix start)
{
    return c->from_identity ? sinter__ix_number(l, 0) : sinter__ix_is_zero(l, start);
}

/* The carry of a block, which may be the first of its stretch, and that the first of the line. Where each element would
 * ask whether it is the first, blocks begin with the identity, and the line with a carry that is one. */
static void emit_block_carries(lowering *l, scans *c, sinter__ix begins, sinter__ix is_first)
{
    begin_vectors(l, c, BEFORE | CARRY | STRETCH_CARRY);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__scan_call(l, s, SINTER__DO_CARRY, s->carry, s->stretch_carry, s->before, begins,
                          is_first);
        if (c->from_identity)
            c->of[i].acc = sinter__scan_identity(l, s, true);
    }
    end_vectors(l, c, c->from_identity ? CARRY | ACC : CARRY);
}

/* The blocks of the stretch that begins at `start`; afterwards `before` is its total. */
static void emit_stretch(lowering *l, scans *c, sinter__ix start, sinter__ix length)
{
    sinter__ix size = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__ix stretch = sinter__ix_number(l, SINTER__SCAN_STRETCH);
    sinter__ix end = sinter__ix_stop(l, start, stretch, length);
    if (c->in_segments) {
        sinter__emit_segments(l, c, start, end);
        return;
    }
    sinter__ix block = sinter__for(l, start, end, size);
    sinter__ix begins = sinter__ix_make(l, SINTER__IX_EQUAL, block, start, 0);
    if (c->step != SINTER__SCAN_TOTALS)
        emit_block_carries(l, c, begins, sinter__has_no_carry(l, c, start));
    sinter__ix stop = sinter__ix_stop(l, block, size, end);
    sinter__emit_scan_block(l, c, block, stop, c->step != SINTER__SCAN_TOTALS);
    begin_vectors(l, c, ACC | BEFORE);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__scan_call(l, s, SINTER__DO_APPEND, s->before, s->before, s->acc, begins,
                          SINTER__NO_IX);
    }
    end_vectors(l, c, BEFORE);
    sinter__end(l);
}

/* The carry of a stretch that is not the line's first. */
static void emit_next(lowering *l, scans *c, sinter__ix stretch)
{
    begin_vectors(l, c, BEFORE | STRETCH_CARRY);
    sinter__ix state = SINTER__NO_IX;
    if (c->is_wide)
        state = sinter__ix_mul(l, c->beside.vector, sinter__ix_number(l, 2 * SINTER__SCAN_LEVELS));
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__scan_call(l, s, SINTER__DO_NEXT, s->stretch_carry, s->state, s->before, stretch,
                          state);
    }
    end_vectors(l, c, STRETCH_CARRY);
}

/* The carry of the unit's stretch, which is there. In the first one's place is its total, as that has none. */
static void emit_known_carry(lowering *l, scans *c)
{
    begin_vectors(l, c, STRETCH_CARRY);
    for (int i = 0; i < c->count; i++) {
        const scan *s = &c->of[i];
        sinter__move_part(l, c, i, SINTER__DO_LOAD, c->part, s->stretch_carry);
        if (c->from_identity)
            sinter__scan_call(l, s, SINTER__DO_APPEND, s->stretch_carry, s->stretch_carry,
                              sinter__scan_identity(l, s, !c->in_rows),
                              sinter__ix_is_zero(l, c->part), SINTER__NO_IX);
    }
    end_vectors(l, c, STRETCH_CARRY);
}

/* The stretches of the unit. */
static void emit_line(lowering *l, scans *c)
{
    sinter__ix zero = sinter__ix_number(l, 0);
    sinter__ix size = sinter__ix_number(l, SINTER__SCAN_STRETCH);
    bool carries = c->step == SINTER__SCAN_CARRIES;
    sinter__ix length =
        sinter__ix_param(l, carries ? SINTER__PARAM_PARTS : SINTER__PARAM_REDUCED, 0, 0);
    declare_all(l, c);
    if (is_whole(c)) {
        sinter__ix start = sinter__for(l, zero, length, size);
        sinter__ix later = sinter__ix_make(l, SINTER__IX_LESS, zero, start, 0);
        if (c->in_group)
            later = sinter__ix_make(l, SINTER__IX_AND, sinter__is_leader(l, c), later, 0);
        sinter__if(l, later);
        emit_next(l, c, sinter__ix_make(l, SINTER__IX_DIV, start, size, 0));
        sinter__end(l);
        emit_stretch(l, c, start, length);
        sinter__end(l);
        return;
    }
    sinter__ix start = sinter__ix_name(l, sinter__ix_mul(l, c->part, size));
    if (c->step == SINTER__SCAN_RESULTS)
        emit_known_carry(l, c);
    emit_stretch(l, c, start, length);
    if (c->step != SINTER__SCAN_TOTALS)
        return;
    sinter__if_leader(l, c);
    begin_vectors(l, c, BEFORE);
    for (int i = 0; i < c->count; i++)
        sinter__move_part(l, c, i, SINTER__DO_STORE, c->part, c->of[i].before);
    end_vectors(l, c, 0);
    sinter__end_leader(l, c);
}

/* The vector of columns of a unit, or where its vectors begin and how many they are. */
static void place_columns(lowering *l, scans *c, sinter__ix block)
{
    if (c->is_wide) {
        sinter__place_beside(l, &c->beside, block, c->place_step);
        return;
    }
    block = c->in_group ? sinter__mine_of(l, block) : block;
    place_vector(l, c, sinter__ix_mul(l, block, sinter__ix_number(l, l->c->key.lanes)), false);
}

/* unit -> line or vectors of columns, and the stretch of it. */
static void place(lowering *l, scans *c, sinter__ix unit)
{
    sinter__ix row = unit;
    sinter__ix block = SINTER__NO_IX;
    c->place_step = sinter__ix_number(l, 1);
    if (!c->in_rows) {
        c->place_step = sinter__ix_param(l, SINTER__PARAM_EXTENT, c->at.first_axis, 0);
        sinter__ix_divide(l, unit, sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0), &row, &block);
    }
    if (c->step != SINTER__SCAN_ALL) {
        sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
        sinter__ix_divide(l, row, parts, &row, &c->part);
        c->first = sinter__ix_mul(l, sinter__ix_mul(l, row, parts), c->place_step);
        c->place = c->first = sinter__ix_name(l, c->first);
    }
    if (!c->in_rows)
        place_columns(l, c, block);
    sinter__set_bases(l, row, c->at.first_axis);
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        c->bases[a] = l->base[a];
}

/* The carry of each stretch but the first, in the place of its total. */
static void emit_carries(lowering *l, scans *c, int i)
{
    scan *s = &c->of[i];
    sinter__ix one = sinter__ix_number(l, 1);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    s->before = sinter__scan_declare(l, s, false);
    s->stretch_carry = sinter__scan_declare(l, s, false);
    s->state = declare_state(l, c, s);
    sinter__move_part(l, c, i, SINTER__DO_LOAD, sinter__ix_number(l, 0), s->before);
    sinter__ix part = sinter__for(l, one, parts, one);
    sinter__scan_call(l, s, SINTER__DO_NEXT, s->stretch_carry, s->state, s->before, part,
                      SINTER__NO_IX);
    sinter__move_part(l, c, i, SINTER__DO_LOAD, part, s->before);
    sinter__move_part(l, c, i, SINTER__DO_STORE, part, s->stretch_carry);
    sinter__end(l);
}

/* One group per line. */
static void lower_carries_by_groups(lowering *l, scans *c)
{
    sinter__ix row = sinter__ix_make(l, SINTER__IX_GROUP_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    c->in_segments = c->in_group = true;
    c->in_rows = true;
    c->place_step = sinter__ix_number(l, 1);
    c->place = sinter__ix_name(l, sinter__ix_mul(l, row, parts));
    emit_line(l, c);
}

/* One work-item per line. */
static void lower_carries(lowering *l, scans *c)
{
    sinter__ix unit = sinter__for_units(l);
    sinter__ix parts = sinter__ix_param(l, SINTER__PARAM_PARTS, 0, 0);
    sinter__ix row;
    sinter__ix column;
    c->place_step = sinter__ix_param(l, SINTER__PARAM_SEGMENT, 0, 0);
    sinter__ix_divide(l, unit, c->place_step, &row, &column);
    c->place = sinter__ix_mul(l, sinter__ix_mul(l, row, parts), c->place_step);
    c->place = sinter__ix_name(l, sinter__ix_add(l, c->place, column));
    for (int i = 0; i < c->count; i++)
        emit_carries(l, c, i);
    sinter__end(l);
}

static void lower_lines(lowering *l, scans *c)
{
    c->axis = l->c->key.parallel_rank;
    c->in_rows = l->c->key.loops == SINTER__LOOPS_SCAN_ROWS;
    c->at.first_axis = c->in_rows ? c->axis : c->axis - 1;
    c->at.last_axis = c->at.first_axis + 1;
    sinter__find_varying(l, &c->at);
    find_per_row(l, c);
    find_used(l, c);
    c->is_wide = l->c->key.vectors > 1;
    c->in_segments = l->c->key.rows > 0;
    c->in_group = c->in_segments && l->c->key.style == SINTER_STYLE_GPU;
    c->from_identity =
        (c->is_wide || (c->in_segments && !c->in_group)) && c->step != SINTER__SCAN_TOTALS;
    sinter__ix group = sinter__ix_make(l, SINTER__IX_GROUP_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    place(l, c, c->in_group ? group : sinter__for_units(l));
    if (!c->is_wide)
        emit_per_row(l, c);
    emit_line(l, c);
    if (!c->in_group)
        sinter__end(l);
}

void sinter__lower_scan(lowering *l)
{
    scans *c = sinter__alloc(l->code->allocator, sizeof *c);
    if (c == NULL) {
        l->code->status = SINTER_ENOMEM;
        return;
    }
    c->step = l->c->key.phase;
    find_scans(l, c);
    if (c->step == SINTER__SCAN_CARRIES && l->c->key.rows > 0)
        lower_carries_by_groups(l, c);
    else if (c->step == SINTER__SCAN_CARRIES)
        lower_carries(l, c);
    else
        lower_lines(l, c);
    sinter__free(l->code->allocator, c, sizeof *c);
}
