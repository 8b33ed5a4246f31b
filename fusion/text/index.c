/* The one hard idea: what an index costs is in how it is written. A sum that is added to a pointer has its 32 bits
 * widened at every access; added term by term, each is widened by itself, and what does not change in a loop is added
 * before it. What is divided by an extent to find its place along several axes is multiplied by a magic number
 * and shifted: there are no instructions that divide the lanes of a vector. */
#include "fusion/text/index.h"

#include "fusion/library/library.h"

void sinter__print_param(printer *p, size_t index)
{
    char name[SINTER__PARAM_NAME];
    sinter__param_name(&p->code->params[index], name);
    sinter__buffer_puts(p->b, name);
}

static void print_binary(printer *p, const sinter__ix_node *n, const char *sign)
{
    sinter__buffer_puts(p->b, "(");
    sinter__print_ix(p, n->a);
    sinter__buffer_puts(p->b, sign);
    sinter__print_ix(p, n->b);
    sinter__buffer_puts(p->b, ")");
}

void sinter__print_lane_numbers(printer *p, const char *type)
{
    uint32_t lanes = p->c->key.lanes;
    if (lanes == 1) {
        sinter__buffer_puts(p->b, "0");
        return;
    }
    sinter__buffer_printf(p->b, "(%s%u)(", type, lanes);
    for (uint32_t i = 0; i < lanes; i++)
        sinter__buffer_printf(p->b, i > 0 ? ", %u" : "%u", i);
    sinter__buffer_puts(p->b, ")");
}

/* Division by an extent: by its magic number in 32 bits, as it is in 64. */
static void print_quotient(printer *p, const sinter__ix_node *n)
{
    char i32[SINTER__LIBRARY_NAME];
    char u32[SINTER__LIBRARY_NAME];
    if (p->c->key.wide != 0) {
        print_binary(p, n, " / ");
        return;
    }
    const uint32_t lanes = n->is_vector ? p->c->key.lanes : 1;
    sinter__vector_type(i32, "int", lanes);
    sinter__vector_type(u32, "uint", lanes);
    sinter__buffer_printf(p->b, "as_%s(mul_hi(as_%s(", i32, u32);
    sinter__print_ix(p, n->a);
    sinter__buffer_printf(p->b, "), (%s)(", u32);
    sinter__print_param(p, (size_t)n->value);
    sinter__buffer_puts(p->b, ")) >> ");
    sinter__print_param(p, (size_t)n->value + 1);
    sinter__buffer_puts(p->b, ")");
}

static void print_call(printer *p, const sinter__ix_node *n)
{
    switch ((sinter__ix_op)n->op) {
    case SINTER__IX_MIN:
        sinter__buffer_puts(p->b, "min(");
        sinter__print_ix(p, n->a);
        sinter__buffer_puts(p->b, ", ");
        sinter__print_ix(p, n->b);
        sinter__buffer_puts(p->b, ")");
        break;
    case SINTER__IX_COUNT:
        sinter__buffer_printf(p->b, "(int)clamp(");
        sinter__print_ix(p, n->a);
        sinter__buffer_printf(p->b, ", (%s)0, (%s)%u)", p->ix_type, p->ix_type, p->c->key.lanes);
        break;
    case SINTER__IX_LANE:
        sinter__buffer_puts(p->b, "(");
        sinter__print_ix(p, n->a);
        sinter__buffer_puts(p->b, " + ");
        sinter__print_lane_numbers(p, p->ix_type);
        sinter__buffer_puts(p->b, ")");
        break;
    default:
        print_quotient(p, n);
        break;
    }
}

void sinter__print_ix(printer *p, sinter__ix ix)
{
    static const char *const signs[] = {
        [SINTER__IX_ADD] = " + ",    [SINTER__IX_SUB] = " - ",  [SINTER__IX_MUL] = " * ",
        [SINTER__IX_DIV] = " / ",    [SINTER__IX_MOD] = " % ",  [SINTER__IX_LESS] = " < ",
        [SINTER__IX_EQUAL] = " == ", [SINTER__IX_AND] = " && ",
    };
    static const char *const ids[] = {
        [SINTER__IX_GLOBAL_ID] = "get_global_id",
        [SINTER__IX_GROUP_ID] = "get_group_id",
        [SINTER__IX_LOCAL_ID] = "get_local_id",
    };
    const sinter__ix_node *n = &p->code->ix[ix];
    switch ((sinter__ix_op)n->op) {
    case SINTER__IX_NUMBER:
        sinter__buffer_printf(p->b, p->c->key.wide != 0 ? "%dL" : "%d", n->value);
        break;
    case SINTER__IX_VARIABLE:
        sinter__buffer_printf(p->b, "i%d", n->value);
        break;
    case SINTER__IX_PARAM:
        sinter__print_param(p, (size_t)n->value);
        break;
    case SINTER__IX_GLOBAL_ID:
    case SINTER__IX_GROUP_ID:
    case SINTER__IX_LOCAL_ID:
        if (p->c->key.list != 0)
            sinter__buffer_printf(p->b, "(%s)id", p->ix_type);
        else
            sinter__buffer_printf(p->b, "(%s)%s(%d)", p->ix_type, ids[n->op], n->value);
        break;
    case SINTER__IX_MIN:
    case SINTER__IX_COUNT:
    case SINTER__IX_LANE:
    case SINTER__IX_QUOTIENT:
        print_call(p, n);
        break;
    default:
        print_binary(p, n, signs[n->op]);
        break;
    }
}

void sinter__print_offset(printer *p, sinter__ix ix)
{
    const sinter__ix_node *n = &p->code->ix[ix];
    if (n->op == SINTER__IX_ADD) {
        sinter__print_offset(p, n->a);
        sinter__print_offset(p, n->b);
        return;
    }
    sinter__buffer_puts(p->b, " + ");
    sinter__print_ix(p, ix);
}
