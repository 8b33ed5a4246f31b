/* Lowering of matrix products: a tile of rows x vectors of the result in registers.
 *
 * The order of summation is the definition of the product (fusion/tree.h), so a tile only decides
 * how much of the operands is reused: fma in sequence from +0 over a chunk of the inner dimension,
 * chunk sums added in order. */
#include "fusion/lower_build.h"

#include "fusion/state.h"

#include "fusion/tree.h"

#define MAX_ROWS 16
#define MAX_VECTORS 4

typedef struct tile {
    int m, n, k;                 /* axes */
    uint16_t left, right, store; /* accesses */
    uint8_t in, acc, out;        /* dtypes */
    sinter__ix row[MAX_ROWS];    /* clamped to the last row */
    sinter__ix first_row, rows;
    sinter__ix column[MAX_VECTORS];
    sinter__ix count[MAX_VECTORS];
    sinter__reg total[MAX_ROWS][MAX_VECTORS];
    sinter__reg sum[MAX_ROWS][MAX_VECTORS];
} tile;

static void find_operands(const lowering *l, tile *t)
{
    const sinter__nest *nest = l->nest;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind == SINTER__VALUE_REDUCE) {
            t->left = nest->values[v->source[0]].access;
            t->right = nest->values[v->source[1]].access;
            t->in = v->work;
            t->out = v->dtype;
            t->acc = (uint8_t)sinter__accumulator((sinter_dtype)v->dtype);
        } else if (v->kind == SINTER__VALUE_STORE) {
            t->store = v->access;
        }
    }
    t->k = l->c->key.parallel_rank;
    t->n = t->k - 1;
    t->m = t->k - 2;
}

static void batch_bases(lowering *l, const tile *t)
{
    sinter__ix batch = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 2);
    const uint16_t accesses[] = {t->left, t->right, t->store};
    for (size_t a = 0; a < SINTER__COUNT(accesses); a++)
        l->base[accesses[a]] = sinter__ix_number(l, 0);
    for (int i = t->m - 1; i >= 0; i--) {
        sinter__ix coordinate = batch;
        if (i > 0) {
            sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
            sinter__ix_divide(l, batch, extent, &batch, &coordinate);
        }
        for (size_t a = 0; a < SINTER__COUNT(accesses); a++) {
            uint16_t access = accesses[a];
            sinter__ix part = sinter__ix_mul(l, coordinate, sinter__ix_stride(l, access, i));
            l->base[access] = sinter__ix_add(l, l->base[access], part);
        }
    }
    for (size_t a = 0; a < SINTER__COUNT(accesses); a++)
        l->base[accesses[a]] = sinter__ix_name(l, l->base[accesses[a]]);
}

static sinter__ix at_axis(lowering *l, uint16_t access, int axis, sinter__ix index)
{
    return sinter__ix_mul(l, index, sinter__ix_stride(l, access, axis));
}

static void place_tile(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    sinter__ix gx = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 0);
    sinter__ix gy = sinter__ix_make(l, SINTER__IX_GLOBAL_ID, SINTER__NO_IX, SINTER__NO_IX, 1);
    int32_t width = key->lanes * key->vectors;
    sinter__ix columns = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->n, 0);
    t->rows = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->m, 0);
    sinter__ix first = sinter__ix_name(l, sinter__ix_mul(l, gx, sinter__ix_number(l, width)));
    t->first_row = sinter__ix_name(l, sinter__ix_mul(l, gy, sinter__ix_number(l, key->rows)));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, first, columns, 0));
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, t->first_row, t->rows, 0));
    batch_bases(l, t);
    sinter__ix last = sinter__ix_make(l, SINTER__IX_SUB, t->rows, sinter__ix_number(l, 1), 0);
    last = sinter__ix_name(l, last);
    for (int i = 0; i < key->rows; i++) {
        sinter__ix row = sinter__ix_add(l, t->first_row, sinter__ix_number(l, i));
        t->row[i] = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MIN, row, last, 0));
    }
    for (int j = 0; j < key->vectors; j++) {
        sinter__ix column = sinter__ix_add(l, first, sinter__ix_number(l, j * key->lanes));
        t->column[j] = sinter__ix_name(l, column);
        sinter__ix left = sinter__ix_make(l, SINTER__IX_SUB, columns, t->column[j], 0);
        sinter__ix count = sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0);
        t->count[j] = sinter__ix_name(l, count);
    }
}

static void declare_tile(lowering *l, const tile *t, sinter__reg regs[MAX_ROWS][MAX_VECTORS])
{
    for (int i = 0; i < l->c->key.rows; i++) {
        for (int j = 0; j < l->c->key.vectors; j++) {
            sinter__statement s = sinter__statement_of(SINTER__DO_NOTHING);
            s.reg = regs[i][j] = sinter__reg_new(l, t->acc, true);
            s.dtype = t->acc;
            sinter__emit(l, &s);
        }
    }
}

static sinter__reg load_right(lowering *l, const tile *t, int j, sinter__ix k)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    sinter__ix stride = sinter__ix_stride(l, t->right, t->n);
    s.access = t->right;
    s.dtype = t->in;
    s.a = sinter__ix_add(l, l->base[t->right], at_axis(l, t->right, t->k, k));
    s.c = t->count[j];
    sinter__stride kind = sinter__class_stride(l->c, t->right, t->n);
    s.mode = kind == SINTER__STRIDE_ZERO   ? SINTER__MODE_ONE
             : kind == SINTER__STRIDE_UNIT ? SINTER__MODE_UNIT
                                           : SINTER__MODE_STRIDED;
    s.b = stride;
    if (kind != SINTER__STRIDE_ZERO)
        s.a = sinter__ix_add(l, s.a, sinter__ix_mul(l, t->column[j], stride));
    s.reg = sinter__reg_new(l, t->in, kind != SINTER__STRIDE_ZERO);
    sinter__emit(l, &s);
    return s.reg;
}

static sinter__reg load_left(lowering *l, const tile *t, int i, sinter__ix k)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    s.access = t->left;
    s.dtype = t->in;
    s.mode = SINTER__MODE_ONE;
    s.a = sinter__ix_add(l, l->base[t->left], at_axis(l, t->left, t->m, t->row[i]));
    s.a = sinter__ix_add(l, s.a, at_axis(l, t->left, t->k, k));
    s.reg = sinter__reg_new(l, t->in, false);
    sinter__emit(l, &s);
    return s.reg;
}

static void update(lowering *l, const tile *t, sinter__reg acc, sinter__op op, sinter__reg a,
                   sinter__reg b, sinter__reg c)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_MAP);
    s.op = (uint8_t)op;
    s.dtype = s.work = t->acc;
    s.assign = true;
    s.reg = acc;
    s.source[0] = a;
    s.source[1] = b;
    s.source[2] = c;
    sinter__emit(l, &s);
}

/* One step along the inner dimension: a row of right vectors against a column of left elements. */
static void tile_step(lowering *l, tile *t, sinter__ix k)
{
    sinter__reg right[MAX_VECTORS] = {0};
    for (int j = 0; j < l->c->key.vectors; j++)
        right[j] = load_right(l, t, j, k);
    for (int i = 0; i < l->c->key.rows; i++) {
        sinter__reg left = load_left(l, t, i, k);
        for (int j = 0; j < l->c->key.vectors; j++)
            update(l, t, t->sum[i][j], SINTER__OP_MATMUL, left, right[j], t->sum[i][j]);
    }
}

static void add_sums(lowering *l, const tile *t)
{
    sinter__op add = t->acc == SINTER_BOOL ? SINTER__OP_LOGICAL_OR : SINTER__OP_ADD;
    for (int i = 0; i < l->c->key.rows; i++) {
        for (int j = 0; j < l->c->key.vectors; j++)
            update(l, t, t->total[i][j], add, t->total[i][j], t->sum[i][j], t->sum[i][j]);
    }
}

static void store_tile(lowering *l, const tile *t)
{
    for (int i = 0; i < l->c->key.rows; i++) {
        sinter__ix row = sinter__ix_add(l, t->first_row, sinter__ix_number(l, i));
        sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, row, t->rows, 0));
        for (int j = 0; j < l->c->key.vectors; j++) {
            sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
            round.source[0] = t->total[i][j];
            round.dtype = t->out;
            round.reg = sinter__reg_new(l, t->out, true);
            sinter__emit(l, &round);
            sinter__statement s = sinter__statement_of(SINTER__DO_STORE);
            s.access = t->store;
            s.dtype = t->out;
            s.source[0] = round.reg;
            s.b = sinter__ix_stride(l, t->store, t->n);
            bool unit = sinter__class_stride(l->c, t->store, t->n) == SINTER__STRIDE_UNIT;
            s.mode = unit ? SINTER__MODE_UNIT : SINTER__MODE_STRIDED;
            s.a = sinter__ix_add(l, l->base[t->store], at_axis(l, t->store, t->m, row));
            s.a = sinter__ix_add(l, s.a, at_axis(l, t->store, t->n, t->column[j]));
            s.c = t->count[j];
            sinter__emit(l, &s);
        }
        sinter__end(l);
    }
}

void sinter__lower_tile(lowering *l)
{
    tile t = {0};
    find_operands(l, &t);
    place_tile(l, &t);
    declare_tile(l, &t, t.total);
    sinter__ix inner = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix size = sinter__ix_number(l, SINTER__PRODUCT_CHUNK);
    sinter__ix begin = sinter__for(l, sinter__ix_number(l, 0), inner, size);
    declare_tile(l, &t, t.sum);
    sinter__ix end = sinter__ix_make(l, SINTER__IX_MIN, sinter__ix_add(l, begin, size), inner, 0);
    end = sinter__ix_name(l, end);
    sinter__ix k = sinter__for(l, begin, end, sinter__ix_number(l, 1));
    tile_step(l, &t, k);
    sinter__end(l);
    add_sums(l, &t);
    sinter__end(l);
    store_tile(l, &t);
    sinter__end(l);
    sinter__end(l);
}
