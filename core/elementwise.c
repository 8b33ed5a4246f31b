/* Elementwise operations over tensors and numbers, with NumPy 2's promotion (NEP 50).
 *
 * The one hard idea: a number has a kind and no dtype. It adopts the dtype of the tensors it meets
 * unless its kind is above theirs (bool < integer < float): then they are converted to the kind's
 * default, i64 or f32. So a number never needs a tensor of its own and stays an argument of the
 * kernel. */
#include "core/item.h"

#include <math.h>

/* Operands on their way into the builder, and the tensors made on that way. */
typedef struct gathered {
    sinter__builder_operand list[SINTER__MAX_OPERANDS];
    sinter_tensor made[SINTER__MAX_OPERANDS];
    sinter__number numbers[SINTER__MAX_OPERANDS]; /* where list[i].is_scalar */
    int count;
    int first; /* of the operands that are promoted together */
    bool has_tensor;
    sinter_dtype tensors;     /* what the tensors promote to */
    sinter__number_kind kind; /* the highest among the numbers; only if has_number */
    bool has_number;
} gathered;

sinter_status sinter__item_fill(const sinter__builder *b, sinter_scalar scalar, sinter_dtype dtype,
                                sinter_tensor *out)
{
    const sinter__builder_operand value = {.is_scalar = true, .scalar = scalar};
    const sinter__attrs attrs = {.dtype = dtype, .rank = 0};
    return b->apply(b->self, SINTER__OP_FULL, 1, &value, &attrs, out);
}

sinter_status sinter__item_tensor(const sinter__builder *b, const char *name, const sinter__item *v,
                                  sinter_tensor *out, sinter_tensor *made)
{
    made->id = 0;
    if (v->kind == SINTER__ITEM_NUMBER) {
        sinter_dtype dtype = sinter__number_dtype(&v->number);
        SINTER_TRY(sinter__item_fill(b, v->number.scalar, dtype, made));
        *out = *made;
        return SINTER_OK;
    }
    if (v->kind != SINTER__ITEM_TENSOR)
        return sinter__fail(SINTER_EDTYPE, "%s: an operand is %s", name, sinter__item_text(v));
    *out = v->tensor;
    return SINTER_OK;
}

/* Gathering */

static sinter_status gather(const sinter__builder *b, sinter__op op, int count,
                            const sinter__item *const *operands, gathered *g)
{
    const sinter__op_info *info = sinter__op_info_of(op);
    *g = (gathered){.count = count, .first = info->rule == SINTER__RULE_SELECT ? 1 : 0};
    for (int i = 0; i < count; i++) {
        const sinter__item *v = operands[i];
        bool promoted = i >= g->first;
        if (v->kind == SINTER__ITEM_NUMBER) {
            g->numbers[i] = v->number;
            g->list[i].is_scalar = true;
            if (promoted && (!g->has_number || v->number.kind > g->kind))
                g->kind = v->number.kind;
            g->has_number |= promoted;
            continue;
        }
        if (v->kind != SINTER__ITEM_TENSOR || i >= info->arity) {
            return sinter__fail(SINTER_EDTYPE, "%s: operand %d is %s%s", info->name, i + 1,
                                sinter__item_text(v), i >= info->arity ? ", not a number" : "");
        }
        sinter_tensor_desc desc;
        sinter_status status = b->describe(b->self, v->tensor, &desc);
        if (status != SINTER_OK)
            return sinter__fail_in(status, info->name);
        g->list[i].tensor = v->tensor;
        if (promoted) {
            g->tensors = g->has_tensor ? sinter__promote(g->tensors, desc.dtype) : desc.dtype;
            g->has_tensor = true;
        }
    }
    return SINTER_OK;
}

static void drop(const sinter__builder *b, gathered *g)
{
    for (int i = 0; i < g->count; i++) {
        if (g->made[i].id != 0)
            b->release(b->self, g->made[i]);
    }
}

/* Among numbers alone the operands become tensors of rank 0, of their kinds' default dtypes. */
static sinter_status fill_numbers(const sinter__builder *b, sinter__op op, gathered *g)
{
    const sinter__op_info *info = sinter__op_info_of(op);
    for (int i = g->first; i < info->arity; i++) {
        sinter_dtype dtype = sinter__number_dtype(&g->numbers[i]);
        SINTER_TRY(sinter__item_fill(b, g->numbers[i].scalar, dtype, &g->made[i]));
        g->list[i] = (sinter__builder_operand){.tensor = g->made[i]};
        g->tensors = i > g->first ? sinter__promote(g->tensors, dtype) : dtype;
    }
    g->has_tensor = true;
    g->has_number = info->params > 0;
    return SINTER_OK;
}

/* Promotion */

/* The dtype that the tensors need to have so that numbers of this kind can adopt it. */
static sinter_dtype adopted(sinter_dtype tensors, sinter__number_kind kind)
{
    if (tensors == SINTER_BOOL && kind == SINTER__NUMBER_INT)
        return SINTER_I64;
    if (!sinter__is_float(tensors) && kind == SINTER__NUMBER_FLOAT)
        return SINTER_F32;
    return tensors;
}

/* Converts the promoted tensors to `dtype`. */
static sinter_status convert(const sinter__builder *b, sinter_dtype dtype, gathered *g)
{
    const sinter__attrs attrs = {.dtype = dtype};
    for (int i = g->first; i < g->count; i++) {
        sinter_tensor cast;
        if (g->list[i].is_scalar)
            continue;
        SINTER_TRY(b->apply(b->self, SINTER__OP_CAST, 1, &g->list[i], &attrs, &cast));
        if (g->made[i].id != 0)
            b->release(b->self, g->made[i]);
        g->made[i] = g->list[i].tensor = cast;
    }
    g->tensors = dtype;
    return SINTER_OK;
}

/* Comparisons with a number */

/* a op b as b op a. */
static sinter__op mirrored(sinter__op op)
{
    switch (op) {
    case SINTER__OP_LT:
        return SINTER__OP_GT;
    case SINTER__OP_LE:
        return SINTER__OP_GE;
    case SINTER__OP_GT:
        return SINTER__OP_LT;
    case SINTER__OP_GE:
        return SINTER__OP_LE;
    default:
        return op;
    }
}

static bool is_order(sinter__op op)
{
    return op >= SINTER__OP_EQ && op <= SINTER__OP_GE;
}

/* What `x op n` comes to for every x: where n is above all of the dtype's values, or below them
 * all, or NaN. */
static bool constant_above(sinter__op op)
{
    return op == SINTER__OP_LT || op == SINTER__OP_LE || op == SINTER__OP_NE;
}

static bool constant_below(sinter__op op)
{
    return op == SINTER__OP_GT || op == SINTER__OP_GE || op == SINTER__OP_NE;
}

/* `x op n` for an integer x and a number that is no value of x's dtype, as an operation on one that
 * is. NumPy 2 compares exactly with Python integers; the same is done here with floats. */
static void compare_exactly(sinter__op *op, sinter__number *n, const sinter__dtype_info *info)
{
    sinter__number low = sinter__number_int(info->min);
    sinter__number high = sinter__number_uint(info->max);
    int to_low = sinter__number_compare(n, &low);
    int to_high = sinter__number_compare(n, &high);
    bool is_float = n->kind == SINTER__NUMBER_FLOAT;
    double down = is_float ? floor(n->scalar.value.f) : 0;
    bool fraction = is_float && down != n->scalar.value.f;
    bool inside = to_low != 2 && to_low >= 0 && to_high <= 0;
    if (!inside || (fraction && (*op == SINTER__OP_EQ || *op == SINTER__OP_NE))) {
        bool always = *op == SINTER__OP_NE;
        if (!inside && to_low != 2)
            always = to_high > 0 ? constant_above(*op) : constant_below(*op);
        *op = always ? SINTER__OP_GE : SINTER__OP_LT; /* than the least: always, never */
        *n = low;
        return;
    }
    if (!is_float)
        return;
    if (fraction && (*op == SINTER__OP_LT || *op == SINTER__OP_GE))
        down += 1; /* x < 2.5 is x < 3 */
    *n = down < 0 ? sinter__number_int((int64_t)down) : sinter__number_uint((uint64_t)down);
}

/* An integer or bool tensor compared with a number. */
static sinter_status compare_with_number(const sinter__builder *b, sinter__op *op, gathered *g)
{
    int at = g->list[0].is_scalar ? 0 : 1;
    if (at == 0) {
        sinter__builder_operand swapped = g->list[1];
        g->list[1] = g->list[0];
        g->list[0] = swapped;
        g->numbers[1] = g->numbers[0];
        *op = mirrored(*op);
    }
    if (g->tensors == SINTER_BOOL)
        SINTER_TRY(convert(b, SINTER_I64, g));
    compare_exactly(op, &g->numbers[1], sinter__dtype(g->tensors));
    return SINTER_OK;
}

/* The operation itself */

static sinter_status settle(const sinter__builder *b, sinter__op *op, gathered *g)
{
    const sinter__op_info *info = sinter__op_info_of(*op);
    if (!g->has_tensor)
        SINTER_TRY(fill_numbers(b, *op, g));
    if (!g->has_number || info->rule == SINTER__RULE_FLOATS || info->rule == SINTER__RULE_LOGICAL)
        return SINTER_OK;
    bool weak_bool = g->kind == SINTER__NUMBER_BOOL;
    if (is_order(*op) && !sinter__is_float(g->tensors) && !(g->tensors == SINTER_BOOL && weak_bool))
        return compare_with_number(b, op, g);
    sinter_dtype dtype = adopted(g->tensors, g->kind);
    return dtype == g->tensors ? SINTER_OK : convert(b, dtype, g);
}

sinter_status sinter__apply_elementwise(const sinter__builder *b, sinter__op op, int count,
                                        const sinter__item *const *operands, sinter__item *out)
{
    gathered g;
    sinter_tensor made;
    SINTER_TRY(gather(b, op, count, operands, &g));
    const sinter__op_info *info = sinter__op_info_of(op);
    sinter_status status = settle(b, &op, &g);
    for (int i = 0; i < count; i++) {
        bool truth = info->rule == SINTER__RULE_LOGICAL || i < g.first;
        if (g.list[i].is_scalar) {
            g.list[i].scalar = truth
                                   ? sinter_scalar_uint(sinter__number_truth(&g.numbers[i]) ? 1 : 0)
                                   : g.numbers[i].scalar;
        }
    }
    if (status == SINTER_OK)
        status = b->apply(b->self, op, count, g.list, NULL, &made);
    if (status == SINTER_OK)
        sinter__item_own(out, made);
    drop(b, &g);
    return status;
}
