/* Lowering of nests with scans: vectors of columns, in sequence along the scanned axis.
 *
 * The one hard idea: the order (fusion/tree.h) is one that a single pass can keep to. What a scan
 * gives for an element is its block as far as the element, with the carry of the block added. The
 * carry of the next block comes from the totals of the blocks so far, of which a few words per level
 * are enough: the state. */
#include "fusion/lower_build.h"

#include "fusion/phase.h"
#include "fusion/tree.h"

typedef struct columns {
    sinter__line at;
    int axis;                               /* scanned */
    sinter__ix bases[LOWER_MAX_ACCESSES];   /* by access: where the columns begin */
    uint16_t found[SINTER__MAX_REDUCTIONS]; /* scans */
    sinter__reg state[SINTER__MAX_REDUCTIONS];
    sinter__reg acc[SINTER__MAX_REDUCTIONS];   /* the block as far as the element at hand */
    sinter__reg carry[SINTER__MAX_REDUCTIONS]; /* of the block */
    int count;
} columns;

static sinter__ix nothing(void)
{
    return SINTER__NO_IX;
}

static sinter__statement scan_statement(const lowering *l, const columns *c, int i,
                                        sinter__statement_kind kind)
{
    const sinter__value *v = &l->nest->values[c->found[i]];
    sinter__statement s = sinter__statement_of(kind);
    s.op = v->op;
    s.dtype = s.work = (uint8_t)sinter__accumulator((sinter_dtype)v->dtype);
    return s;
}

/* A register of scan `i` that lives from block to block. */
static sinter__reg declare(lowering *l, const columns *c, int i, sinter__statement_kind kind)
{
    sinter__statement s = scan_statement(l, c, i, kind);
    s.reg = sinter__reg_new(l, s.dtype, true);
    sinter__emit(l, &s);
    return s.reg;
}

static void find_scans(lowering *l, columns *c)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++) {
        if (l->nest->values[i].kind == SINTER__VALUE_SCAN)
            c->found[c->count++] = i;
    }
    for (int i = 0; i < c->count; i++) {
        c->state[i] = declare(l, c, i, SINTER__DO_STATE);
        c->acc[i] = declare(l, c, i, SINTER__DO_NOTHING);
        c->carry[i] = declare(l, c, i, SINTER__DO_NOTHING);
    }
}

/* What is the same all along the scanned axis. */
static void find_per_row(lowering *l, const columns *c)
{
    bool varies[LOWER_MAX_ACCESSES];
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        varies[a] = sinter__class_stride(l->c, a, c->axis) != SINTER__STRIDE_ZERO;
    sinter__find_per_row(l->nest, varies, l->per_row);
}

static void want(lowering *l, bool per_row, uint8_t phase)
{
    for (uint16_t i = 0; i < l->nest->value_count; i++)
        l->wanted[i] = l->per_row[i] == per_row && l->nest->values[i].phase == phase;
}

/* The result of scan `i` for the elements at hand, of the block that begins at `begin`. */
static void emit_scan(lowering *l, columns *c, int i, sinter__ix begin, sinter__ix at)
{
    uint16_t value = c->found[i];
    sinter__ix zero = sinter__ix_number(l, 0);
    sinter__statement fold = scan_statement(l, c, i, SINTER__DO_FOLD);
    fold.reg = c->acc[i];
    fold.a = sinter__ix_make(l, SINTER__IX_EQUAL, at, begin, 0);
    fold.source[0] = l->reg[l->nest->values[value].source[0]];
    sinter__emit(l, &fold);
    sinter__statement carry = scan_statement(l, c, i, SINTER__DO_CARRY);
    carry.source[0] = c->acc[i];
    carry.source[1] = c->carry[i];
    carry.a = sinter__ix_make(l, SINTER__IX_EQUAL, begin, zero, 0);
    carry.reg = sinter__reg_new(l, carry.dtype, true);
    sinter__emit(l, &carry);
    sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
    round.source[0] = carry.reg;
    round.dtype = l->nest->values[value].dtype;
    round.reg = l->reg[value] = sinter__reg_new(l, round.dtype, true);
    sinter__emit(l, &round);
}

/* Element `at` of every column of the vector, of the block that begins at `begin`. */
static void emit_element(lowering *l, columns *c, sinter__ix begin, sinter__ix at)
{
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        sinter__ix along = sinter__ix_mul(l, at, sinter__ix_stride(l, a, c->axis));
        l->base[a] = sinter__ix_add(l, c->bases[a], along);
    }
    want(l, false, 0);
    sinter__emit_values(l, &c->at);
    for (int i = 0; i < c->count; i++)
        emit_scan(l, c, i, begin, at);
    want(l, false, 1);
    sinter__emit_values(l, &c->at);
    sinter__emit_stores(l, &c->at);
}

/* Carries of the block that begins at `begin`, the one before it being done. */
static void emit_carries(lowering *l, columns *c, sinter__ix begin)
{
    sinter__ix block = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, sinter__ix_number(l, 0), begin, 0));
    for (int i = 0; i < c->count; i++) {
        sinter__statement next = scan_statement(l, c, i, SINTER__DO_NEXT);
        next.source[0] = c->acc[i];
        next.source[1] = c->state[i];
        next.a = sinter__ix_make(l, SINTER__IX_DIV, begin, block, 0);
        next.reg = c->carry[i];
        next.assign = true;
        sinter__emit(l, &next);
    }
    sinter__end(l);
}

/* unit -> row and vector along the innermost axis. */
static void place(lowering *l, columns *c, sinter__ix unit)
{
    sinter__ix row;
    sinter__ix block;
    sinter__ix blocks = sinter__ix_param(l, SINTER__PARAM_SEGMENTS, 0, 0);
    sinter__ix inner = sinter__ix_param(l, SINTER__PARAM_EXTENT, c->at.first_axis, 0);
    sinter__ix_divide(l, unit, blocks, &row, &block);
    c->at.index =
        sinter__ix_name(l, sinter__ix_mul(l, block, sinter__ix_number(l, l->c->key.lanes)));
    sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, inner, c->at.index, 0);
    c->at.count = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_COUNT, left, nothing(), 0));
    sinter__set_bases(l, row, c->at.first_axis);
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        c->bases[a] = l->base[a];
}

static void lower_columns(lowering *l, columns *c)
{
    sinter__ix length = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix block = sinter__ix_number(l, SINTER__SCAN_BLOCK);
    sinter__find_varying(l, &c->at);
    find_per_row(l, c);
    sinter__ix unit = sinter__for_units(l);
    place(l, c, unit);
    want(l, true, 0);
    sinter__emit_values(l, &c->at);
    find_scans(l, c);
    sinter__ix begin = sinter__for(l, sinter__ix_number(l, 0), length, block);
    emit_carries(l, c, begin);
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, block), length, 0);
    sinter__ix at = sinter__for(l, begin, sinter__ix_name(l, end), sinter__ix_number(l, 1));
    emit_element(l, c, begin, at);
    sinter__end(l);
    sinter__end(l);
    sinter__end(l);
}

void sinter__lower_scan(lowering *l)
{
    columns *c = sinter__alloc(l->code->allocator, sizeof *c);
    if (c == NULL) {
        l->code->status = SINTER_ENOMEM;
        return;
    }
    c->axis = l->c->key.parallel_rank;
    c->at.first_axis = c->axis - 1;
    c->at.last_axis = c->axis;
    lower_columns(l, c);
    sinter__free(l->code->allocator, c, sizeof *c);
}
