/* Lowering of matrix products: tiles of rows x vectors of the result, their sums in registers.
 *
 * The order of summation is the definition of the product (fusion/nest/tree.h), so tiles only decide how
 * much of the operands is reused: fma in sequence from +0 over a chunk of the inner dimension, chunk
 * sums added in order. A work-item with a band of tiles, one below the other, first lays out the
 * chunk of the right operand that all of them walk along, a panel: whatever its strides, the tiles
 * find it packed, whole vectors wide, and in the nearest cache. The totals wait in an array, where the
 * elementwise work on the result finds them row by row.
 *
 * A work-group of a GPU has a block of tiles instead, and the steps of both operands that its tiles walk
 * along in local memory, some at a time: every work-item loads a part of them, as they lie in memory,
 * and reads what the others loaded. What is outside of an operand is 0 there, so that every work-item
 * goes through the same loops and barriers: a sum may become +0 for -0 by that, which no total shows, as
 * totals begin at +0. Where blocks are few, slices of the group sum a chunk each. */
#include "fusion/lower/build.h"

#include "fusion/nest/tree.h"

#include <string.h>

#define MAX_ROWS 16
#define MAX_VECTORS 4

typedef struct tile {
    int m, n, k;          /* axes */
    uint16_t left, right; /* accesses */
    uint8_t in, acc;      /* dtypes */
    sinter__ix rows, columns;
    sinter__ix first_row, first_column;   /* of the work-item */
    int apart;                            /* columns from one of its vectors to the next */
    sinter__ix band;                      /* rows of it */
    sinter__ix batch[LOWER_MAX_ACCESSES]; /* by access: offset from the batch axes */
    sinter__reg total;                    /* arrays */
    sinter__reg panel;
    sinter__ix slice, item; /* of a group with a block: the slice, the work-item in it, */
    sinter__ix row, column; /* and where in the block its rows and its vectors begin */
} tile;

static bool has_panel(const lowering *l)
{
    return l->c->key.band > 1;
}

static bool has_block(const lowering *l)
{
    return l->c->key.steps > 0;
}

/* Work-items of a slice along the columns, and along the rows. */
static int across(const lowering *l)
{
    return l->c->key.group[0];
}

static int down(const lowering *l)
{
    return l->c->key.group[1] / l->c->key.slices;
}

static sinter__ix number(lowering *l, int value)
{
    return sinter__ix_number(l, value);
}

static sinter__ix plus(lowering *l, sinter__ix a, int b)
{
    return sinter__ix_add(l, a, number(l, b));
}

static sinter__ix times(lowering *l, sinter__ix a, int b)
{
    return sinter__ix_mul(l, a, number(l, b));
}

static sinter__ix count_to(lowering *l, sinter__ix end)
{
    return sinter__for(l, number(l, 0), end, number(l, 1));
}

static sinter__ix minus(lowering *l, sinter__ix a, sinter__ix b)
{
    return sinter__ix_make(l, SINTER__IX_SUB, a, b, 0);
}

static sinter__ix least(lowering *l, sinter__ix a, sinter__ix b)
{
    return sinter__ix_make(l, SINTER__IX_MIN, a, b, 0);
}

static void open_if_less(lowering *l, sinter__ix a, sinter__ix b)
{
    sinter__if(l, sinter__ix_make(l, SINTER__IX_LESS, a, b, 0));
}

static sinter__ix id_of(lowering *l, sinter__ix_op op, int dimension)
{
    return sinter__ix_make(l, op, SINTER__NO_IX, SINTER__NO_IX, dimension);
}

static sinter__ix global_id(lowering *l, int dimension)
{
    return id_of(l, SINTER__IX_GLOBAL_ID, dimension);
}

/* Of what a tile has `each`: how many the work-item has. */
static sinter__ix band_times(lowering *l, int each)
{
    if (!has_panel(l))
        return number(l, each);
    return times(l, sinter__ix_param(l, SINTER__PARAM_UNITS_PER_ITEM, 0, 0), each);
}

static tile find_operands(const lowering *l)
{
    const sinter__value *values = l->nest->values;
    const sinter__value *product = &values[SINTER__VALUE_PRODUCT];
    return (tile){
        .m = l->c->key.parallel_rank - 2,
        .n = l->c->key.parallel_rank - 1,
        .k = l->c->key.parallel_rank,
        .left = values[SINTER__VALUE_LEFT].access,
        .right = values[SINTER__VALUE_RIGHT].access,
        .in = product->work,
        .acc = (uint8_t)sinter__accumulator((sinter_dtype)product->dtype),
    };
}

static sinter__ix along(lowering *l, uint16_t access, int axis, sinter__ix index)
{
    return sinter__ix_mul(l, index, sinter__ix_stride(l, access, axis));
}

static void place_batch(lowering *l, tile *t)
{
    sinter__ix batch = global_id(l, 2);
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        t->batch[a] = l->nest->accesses[a].role == SINTER__ROLE_INDEX
                          ? sinter__ix_param(l, SINTER__PARAM_OFFSET, 0, a)
                          : number(l, 0);
    for (int i = t->m - 1; i >= 0; i--) {
        sinter__ix coordinate = batch;
        if (i > 0) {
            sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
            sinter__ix_divide(l, batch, extent, &batch, &coordinate);
        }
        for (uint16_t a = 0; a < l->nest->access_count; a++)
            t->batch[a] = sinter__ix_add(l, t->batch[a], along(l, a, i, coordinate));
    }
}

/* The work-item's band: opens what it is inside of, two blocks. */
static void place_band(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    sinter__ix gx = global_id(l, 0);
    sinter__ix gy = global_id(l, 1);
    sinter__ix height = band_times(l, key->rows);
    t->columns = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->n, 0);
    t->rows = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->m, 0);
    sinter__ix first = times(l, gx, key->lanes * key->vectors);
    t->first_column = sinter__ix_name(l, first);
    t->first_row = sinter__ix_name(l, sinter__ix_mul(l, gy, height));
    t->apart = key->lanes;
    open_if_less(l, t->first_column, t->columns);
    open_if_less(l, t->first_row, t->rows);
    sinter__ix left = minus(l, t->rows, t->first_row);
    t->band = sinter__ix_name(l, least(l, left, height));
    place_batch(l, t);
}

/* The work-item's tile in the block of its group: neighbours have neighbouring vectors. */
static void place_in_block(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    sinter__ix x = sinter__ix_local(l, 0);
    sinter__ix y = sinter__ix_local(l, 1);
    t->slice = number(l, 0);
    if (key->slices > 1)
        sinter__ix_divide(l, y, number(l, down(l)), &t->slice, &y);
    t->item = sinter__ix_name(l, sinter__ix_add(l, times(l, y, across(l)), x));
    t->row = sinter__ix_name(l, times(l, y, key->rows));
    t->column = sinter__ix_name(l, x);
    t->apart = across(l) * key->lanes;
    t->columns = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->n, 0);
    t->rows = sinter__ix_param(l, SINTER__PARAM_EXTENT, t->m, 0);
    sinter__ix below = times(l, id_of(l, SINTER__IX_GROUP_ID, 1), key->rows * down(l));
    sinter__ix beside = times(l, id_of(l, SINTER__IX_GROUP_ID, 0), t->apart * key->vectors);
    t->first_row = sinter__ix_name(l, sinter__ix_add(l, below, t->row));
    beside = sinter__ix_add(l, beside, times(l, t->column, key->lanes));
    t->first_column = sinter__ix_name(l, beside);
    place_batch(l, t);
}

/* Arrays in private memory, and in local memory */

static sinter__reg zero(lowering *l, const tile *t)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_NOTHING);
    s.reg = sinter__reg_new(l, t->acc, true);
    s.dtype = t->acc;
    sinter__emit(l, &s);
    return s.reg;
}

static void clear_totals(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    int tile_vectors = key->rows * key->vectors;
    t->total = sinter__array_new(l, t->acc, key->band * tile_vectors);
    sinter__reg nothing = zero(l, t);
    sinter__ix at = count_to(l, band_times(l, tile_vectors));
    sinter__array_put(l, t->total, at, nothing);
    sinter__end(l);
}

/* Operands */

/* One element; `further`: an offset of its own. */
static sinter__reg load(lowering *l, const tile *t, uint16_t access, sinter__ix at,
                        sinter__ix further)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    s.access = access;
    s.dtype = t->in;
    s.mode = SINTER__MODE_ONE;
    s.a = at;
    s.count = further;
    s.reg = sinter__reg_new(l, t->in, false);
    sinter__emit(l, &s);
    return s.reg;
}

/* Vector `j` of the step at `at`, where it lies. */
static sinter__reg load_right(lowering *l, const tile *t, int j, sinter__ix at)
{
    sinter__stride kind = sinter__class_stride(l->c, t->right, t->n);
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    sinter__ix column = plus(l, t->first_column, j * l->c->key.lanes);
    sinter__ix left = minus(l, t->columns, column);
    s.access = t->right;
    s.dtype = t->in;
    s.a = sinter__ix_add(l, at, along(l, t->right, t->n, column));
    s.b = sinter__ix_stride(l, t->right, t->n);
    s.c = sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0);
    s.mode = kind == SINTER__STRIDE_ZERO   ? SINTER__MODE_ONE
             : kind == SINTER__STRIDE_UNIT ? SINTER__MODE_UNIT
                                           : SINTER__MODE_STRIDED;
    s.reg = sinter__reg_new(l, t->in, kind != SINTER__STRIDE_ZERO);
    sinter__emit(l, &s);
    return s.reg;
}

/* The chunk of `length` steps of the right operand from `from` on: by vectors, or, where neighbours are
 * apart, by elements along the chunk for each column; past the last column that one again, for no
 * result that is stored. */
static void fill_panel(lowering *l, const tile *t, sinter__ix from, sinter__ix length)
{
    const sinter__class_key *key = &l->c->key;
    int width = key->lanes * key->vectors;
    bool by_vectors = sinter__class_stride(l->c, t->right, t->n) == SINTER__STRIDE_UNIT;
    sinter__ix lane = by_vectors ? 0 : count_to(l, number(l, width));
    sinter__ix k = count_to(l, length);
    sinter__ix at = sinter__ix_add(l, from, along(l, t->right, t->k, k));
    for (int j = 0; j < key->vectors && by_vectors; j++)
        sinter__array_put(l, t->panel, plus(l, times(l, k, key->vectors), j),
                          load_right(l, t, j, at));
    if (!by_vectors) {
        sinter__ix column = sinter__ix_add(l, t->first_column, lane);
        column = along(l, t->right, t->n, least(l, column, plus(l, t->columns, -1)));
        sinter__reg element = load(l, t, t->right, sinter__ix_add(l, at, column), SINTER__NO_IX);
        sinter__array_put(l, t->panel, sinter__ix_add(l, times(l, k, width), lane), element);
        sinter__end(l);
    }
    sinter__end(l);
}

/* Sums */

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

static void add_part(lowering *l, const tile *t, sinter__reg total, sinter__reg part)
{
    sinter__op add = t->acc == SINTER_BOOL ? SINTER__OP_LOGICAL_OR : SINTER__OP_ADD;
    update(l, t, total, add, total, part, part);
}

/* A chunk of a tile: for each step a row of right vectors against a column of left elements. `left`
 * has where each row begins, `right` where the chunk does. */
static void sum_chunk(lowering *l, const tile *t, const sinter__ix *left, sinter__ix right,
                      sinter__ix length, sinter__reg (*sum)[MAX_VECTORS])
{
    const sinter__class_key *key = &l->c->key;
    sinter__reg vector[MAX_VECTORS] = {0};
    sinter__ix k = count_to(l, length);
    sinter__ix step = times(l, k, key->vectors);
    sinter__ix at = sinter__ix_add(l, right, along(l, t->right, t->k, k));
    for (int j = 0; j < key->vectors; j++)
        vector[j] = has_panel(l) ? sinter__array_take(l, t->panel, plus(l, step, j))
                                 : load_right(l, t, j, at);
    /* One for all rows: an address each would be more than the sums. */
    sinter__ix step_left = along(l, t->left, t->k, k);
    for (int i = 0; i < key->rows; i++) {
        sinter__reg x = load(l, t, t->left, left[i], step_left);
        for (int j = 0; j < key->vectors; j++)
            update(l, t, sum[i][j], SINTER__OP_MATMUL, x, vector[j], sum[i][j]);
    }
    sinter__end(l);
}

/* Adds a chunk to the totals of the tile that begins `below` rows below the band's first. */
static void add_chunk(lowering *l, const tile *t, sinter__ix below, sinter__ix begin,
                      sinter__ix length)
{
    const sinter__class_key *key = &l->c->key;
    sinter__reg sum[MAX_ROWS][MAX_VECTORS] = {{0}};
    sinter__ix left[MAX_ROWS] = {0};
    sinter__ix last = plus(l, t->rows, -1);
    sinter__ix first = sinter__ix_name(l, sinter__ix_add(l, t->first_row, below));
    sinter__ix chunk = sinter__ix_add(l, t->batch[t->left], along(l, t->left, t->k, begin));
    chunk = sinter__ix_name(l, chunk);
    for (int i = 0; i < key->rows; i++) {
        sinter__ix row = plus(l, first, i);
        row = least(l, row, last);
        left[i] = sinter__ix_name(l, sinter__ix_add(l, chunk, along(l, t->left, t->m, row)));
        for (int j = 0; j < key->vectors; j++)
            sum[i][j] = zero(l, t);
    }
    sinter__ix right = sinter__ix_add(l, t->batch[t->right], along(l, t->right, t->k, begin));
    sum_chunk(l, t, left, right, length, sum);
    sinter__ix place = sinter__ix_name(l, times(l, below, key->vectors));
    for (int i = 0; i < key->rows * key->vectors; i++) {
        sinter__ix at = plus(l, place, i);
        sinter__reg total = sinter__array_take(l, t->total, at);
        add_part(l, t, total, sum[i / key->vectors][i % key->vectors]);
        sinter__array_put(l, t->total, at, total);
    }
}

static void sum_band(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    sinter__ix inner = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    sinter__ix size = number(l, SINTER__PRODUCT_CHUNK);
    if (has_panel(l))
        t->panel = sinter__array_new(l, t->in, SINTER__PRODUCT_CHUNK * key->vectors);
    sinter__ix begin = sinter__for(l, number(l, 0), inner, size);
    sinter__ix left = minus(l, inner, begin);
    sinter__ix length = sinter__ix_name(l, least(l, left, size));
    if (has_panel(l)) {
        sinter__ix from = sinter__ix_add(l, t->batch[t->right], along(l, t->right, t->k, begin));
        fill_panel(l, t, sinter__ix_name(l, from), length);
        sinter__ix below = sinter__for(l, number(l, 0), t->band, number(l, key->rows));
        add_chunk(l, t, below, begin, length);
        sinter__end(l);
    } else {
        add_chunk(l, t, number(l, 0), begin, length);
    }
    sinter__end(l);
}

/* Sums of a group with a block */

/* Steps of an operand in local memory, those of slices one after the other. */
typedef struct block {
    uint16_t access;
    int axis;              /* the one that is not summed along: */
    sinter__ix first, end; /* where on it the block begins, and the operand ends */
    int width;             /* elements */
    int pitch;             /* vectors from a step to the next */
    sinter__reg array;
} block;

static block block_of(lowering *l, const tile *t, bool is_left)
{
    const sinter__class_key *key = &l->c->key;
    block b = {.access = is_left ? t->left : t->right, .axis = is_left ? t->m : t->n};
    b.width = is_left ? key->rows * down(l) : t->apart * key->vectors;
    b.first = times(l, id_of(l, SINTER__IX_GROUP_ID, is_left), b.width);
    b.first = sinter__ix_name(l, b.first);
    b.end = is_left ? t->rows : t->columns;
    b.pitch = sinter__block_pitch(key, b.width);
    b.array = sinter__local_new(l, t->in, true, key->slices * key->steps * b.pitch);
    return b;
}

/* The vector of the block's operand that begins at `place` on its axis, or the element: what is
 * outside is 0. `steps`: how many are left from its own on. */
static sinter__reg load_guarded(lowering *l, const tile *t, const block *b, bool by_vectors,
                                sinter__ix at, sinter__ix place, sinter__ix steps)
{
    sinter__statement s = sinter__statement_of(SINTER__DO_LOAD);
    sinter__ix left = minus(l, b->end, place);
    s.access = b->access;
    s.dtype = t->in;
    s.a = sinter__ix_add(l, at, along(l, b->access, b->axis, place));
    if (by_vectors) {
        s.mode = SINTER__MODE_UNIT;
        left = least(l, left, times(l, least(l, steps, number(l, 1)), l->c->key.lanes));
        s.c = sinter__ix_make(l, SINTER__IX_COUNT, left, SINTER__NO_IX, 0);
    } else {
        sinter__ix none = number(l, 0);
        s.mode = SINTER__MODE_GUARDED;
        s.c = sinter__ix_make(l, SINTER__IX_LESS, none, least(l, left, steps), 0);
    }
    s.reg = sinter__reg_new(l, t->in, by_vectors);
    sinter__emit(l, &s);
    return s.reg;
}

/* The work-items of a slice share out the block's steps from `from` on: by vectors where they lie along
 * its axis, else by elements with neighbours along the summed one. */
static void fill_block(lowering *l, const tile *t, const block *b, sinter__ix from)
{
    const sinter__class_key *key = &l->c->key;
    int items = across(l) * down(l);
    bool by_vectors = sinter__class_stride(l->c, b->access, b->axis) == SINTER__STRIDE_UNIT;
    int row = by_vectors ? b->pitch - 1 : b->width;
    int count = key->steps * row;
    sinter__ix round = count_to(l, number(l, (count + items - 1) / items));
    sinter__ix e = sinter__ix_name(l, sinter__ix_add(l, times(l, round, items), t->item));
    sinter__ix step;
    sinter__ix place;
    if (count % items != 0)
        open_if_less(l, e, number(l, count));
    if (by_vectors)
        sinter__ix_divide(l, e, number(l, row), &step, &place);
    else
        sinter__ix_divide(l, e, number(l, key->steps), &place, &step);
    sinter__ix k = sinter__ix_name(l, sinter__ix_add(l, from, step));
    sinter__ix steps = minus(l, sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0), k);
    sinter__ix at = sinter__ix_add(l, t->batch[b->access], along(l, b->access, t->k, k));
    int wide = by_vectors ? key->lanes : 1;
    sinter__ix on_axis = sinter__ix_name(l, sinter__ix_add(l, b->first, times(l, place, wide)));
    sinter__reg x = load_guarded(l, t, b, by_vectors, at, on_axis, steps);
    step = sinter__ix_add(l, times(l, t->slice, key->steps), step);
    step = times(l, step, by_vectors ? b->pitch : b->pitch * key->lanes);
    sinter__array_put(l, b->array, sinter__ix_add(l, step, place), x);
    if (count % items != 0)
        sinter__end(l);
    sinter__end(l);
}

/* The work-item's tile by what is in the blocks. */
static void sum_blocks(lowering *l, const tile *t, const block *left, const block *right,
                       sinter__reg (*sum)[MAX_VECTORS])
{
    const sinter__class_key *key = &l->c->key;
    sinter__reg vector[MAX_VECTORS] = {0};
    sinter__ix k = count_to(l, number(l, key->steps));
    k = sinter__ix_add(l, times(l, t->slice, key->steps), k);
    sinter__ix x = sinter__ix_add(l, times(l, k, right->pitch), t->column);
    sinter__ix y = sinter__ix_add(l, times(l, k, left->pitch * key->lanes), t->row);
    x = sinter__ix_name(l, x);
    y = sinter__ix_name(l, y);
    for (int j = 0; j < key->vectors; j++)
        vector[j] = sinter__array_take(l, right->array, plus(l, x, j * across(l)));
    for (int i = 0; i < key->rows; i++) {
        sinter__reg element = sinter__array_element(l, left->array, plus(l, y, i));
        for (int j = 0; j < key->vectors; j++)
            update(l, t, sum[i][j], SINTER__OP_MATMUL, element, vector[j], sum[i][j]);
    }
    sinter__end(l);
}

/* Adds a chunk of each slice to the totals, in their order: they show each other their sums. A chunk past
 * the last one is 0, and adding it changes nothing. */
static void add_slices(lowering *l, const tile *t, sinter__reg shown,
                       sinter__reg (*sum)[MAX_VECTORS])
{
    const sinter__class_key *key = &l->c->key;
    int items = across(l) * down(l);
    int slices = key->slices;
    for (int i = 0; i < key->rows * key->vectors && slices > 1; i++) {
        sinter__ix slice = plus(l, t->slice, i * slices);
        sinter__ix at = sinter__ix_add(l, times(l, slice, items), t->item);
        sinter__array_put(l, shown, at, sum[i / key->vectors][i % key->vectors]);
    }
    if (slices > 1)
        sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    for (int i = 0; i < key->rows * key->vectors; i++) {
        sinter__reg part = sum[i / key->vectors][i % key->vectors];
        sinter__reg total = sinter__array_take(l, t->total, number(l, i));
        if (slices > 1) {
            sinter__ix slice = plus(l, count_to(l, number(l, slices)), i * slices);
            part = sinter__array_take(l, shown, sinter__ix_add(l, times(l, slice, items), t->item));
        }
        add_part(l, t, total, part);
        if (slices > 1)
            sinter__end(l);
        sinter__array_put(l, t->total, number(l, i), total);
    }
}

static void sum_group(lowering *l, tile *t)
{
    const sinter__class_key *key = &l->c->key;
    const block left = block_of(l, t, true);
    const block right = block_of(l, t, false);
    sinter__reg sum[MAX_ROWS][MAX_VECTORS] = {{0}};
    sinter__reg shown = 0;
    if (key->slices > 1)
        shown = sinter__local_new(l, t->acc, true,
                                  across(l) * key->group[1] * key->rows * key->vectors);
    sinter__ix inner = sinter__ix_param(l, SINTER__PARAM_REDUCED, 0, 0);
    int32_t chunk = SINTER__PRODUCT_CHUNK;
    sinter__ix begin = sinter__for(l, number(l, 0), inner, number(l, chunk * key->slices));
    sinter__ix length = least(l, minus(l, inner, begin), number(l, chunk));
    length = sinter__ix_name(l, length); /* the first slice's, which is the longest */
    begin = sinter__ix_name(l, sinter__ix_add(l, begin, times(l, t->slice, chunk)));
    for (int i = 0; i < key->rows * key->vectors; i++)
        sum[i / key->vectors][i % key->vectors] = zero(l, t);
    sinter__ix done = sinter__for(l, number(l, 0), length, number(l, key->steps));
    sinter__ix from = sinter__ix_name(l, sinter__ix_add(l, begin, done));
    fill_block(l, t, &left, from);
    fill_block(l, t, &right, from);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    sum_blocks(l, t, &left, &right, sum);
    sinter__barrier(l, SINTER__DO_LOCAL_BARRIER);
    sinter__end(l);
    add_slices(l, t, shown, sum);
    sinter__end(l);
}

/* Results */

/* All but the operands, which the product has seen. */
static void emit_wanted(lowering *l, sinter__line *at, bool varying)
{
    sinter__want_varying(l, varying);
    l->wanted[SINTER__VALUE_LEFT] = l->wanted[SINTER__VALUE_RIGHT] = false;
    sinter__emit_values(l, at);
}

static void store_vector(lowering *l, const tile *t, sinter__line *at, sinter__ix place)
{
    const sinter__value *product = &l->nest->values[SINTER__VALUE_PRODUCT];
    at->count = sinter__ix_lanes(l, at->index, t->columns);
    sinter__statement round = sinter__statement_of(SINTER__DO_ROUND);
    round.source[0] = sinter__array_take(l, t->total, place);
    round.dtype = product->dtype;
    round.reg = l->reg[SINTER__VALUE_PRODUCT] = sinter__reg_new(l, product->dtype, true);
    sinter__emit(l, &round);
    emit_wanted(l, at, true);
    sinter__emit_stores(l, at);
}

/* The elementwise work on the result, and the stores: a row at a time, vector by vector. */
static void store_band(lowering *l, const tile *t)
{
    const sinter__class_key *key = &l->c->key;
    sinter__line at = {.first_axis = t->n, .last_axis = t->n + 1};
    sinter__ix height = has_panel(l) ? t->band : number(l, key->rows);
    sinter__find_varying(l, &at);
    sinter__ix below = count_to(l, height);
    sinter__ix row = sinter__ix_name(l, sinter__ix_add(l, t->first_row, below));
    if (!has_panel(l)) /* a number of rows that a compiler can write out */
        open_if_less(l, row, t->rows);
    for (uint16_t a = 0; a < l->nest->access_count; a++) {
        l->base[a] = t->batch[a];
        if (a != t->left && a != t->right)
            l->base[a] = sinter__ix_name(l, sinter__ix_add(l, t->batch[a], along(l, a, t->m, row)));
    }
    emit_wanted(l, &at, false);
    sinter__ix j = count_to(l, number(l, key->vectors));
    sinter__ix column = times(l, j, t->apart);
    at.index = sinter__ix_name(l, sinter__ix_add(l, t->first_column, column));
    if (has_block(l))
        open_if_less(l, at.index, t->columns);
    sinter__ix place = times(l, below, key->vectors);
    store_vector(l, t, &at, sinter__ix_add(l, place, j));
    if (has_block(l))
        sinter__end(l);
    sinter__end(l);
    if (!has_panel(l))
        sinter__end(l);
    sinter__end(l);
}

static void lower_block(lowering *l, tile *t)
{
    bool sliced = l->c->key.slices > 1;
    place_in_block(l, t);
    clear_totals(l, t);
    sum_group(l, t);
    if (sliced)
        sinter__if(l, sinter__ix_is_zero(l, t->slice));
    store_band(l, t);
    if (sliced)
        sinter__end(l);
}

void sinter__lower_tile(lowering *l)
{
    tile t = find_operands(l);
    if (has_block(l)) {
        lower_block(l, &t);
        return;
    }
    place_band(l, &t);
    clear_totals(l, &t);
    sum_band(l, &t);
    store_band(l, &t);
    sinter__end(l);
    sinter__end(l);
}
