/* The printer of the text form.
 *
 * The one hard idea: what is printed must parse to the same record. So a view is printed as the
 * call that makes exactly its node (a slice with its resolved start and its count), and a scalar as
 * a literal that the node's dtype holds exactly: an integer, or the float's digits in hexadecimal.
 */
#include "core/print.h"

#include <string.h>

/* Hexadecimal digits of a double, as %a without the locale. */
static void print_double(sinter__buffer *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 2047);
    int digits = 13;
    if (exponent == 2047 && mantissa != 0) {
        sinter__buffer_puts(b, "nan"); /* all NaNs are one value */
        return;
    }
    if (bits >> 63 != 0)
        sinter__buffer_puts(b, "-");
    if (exponent == 2047) {
        sinter__buffer_puts(b, "inf");
        return;
    }
    for (; digits > 0 && (mantissa & 15) == 0; digits--)
        mantissa >>= 4;
    sinter__buffer_puts(b, exponent == 0 ? "0x0" : "0x1");
    if (digits > 0)
        sinter__buffer_printf(b, ".%0*llx", digits, (unsigned long long)mantissa);
    int power = exponent == 0 ? -1022 : exponent - 1023;
    sinter__buffer_printf(b, "p%+d", (bits & INT64_MAX) == 0 ? 0 : power);
}

/* Register bits in `dtype`. */
static void print_scalar(sinter__buffer *b, uint64_t bits, sinter_dtype dtype)
{
    const sinter__dtype_info *info = sinter__dtype(dtype);
    uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;
    if (dtype == SINTER_BOOL) {
        sinter__buffer_puts(b, bits != 0 ? "True" : "False");
    } else if (dtype == SINTER_F64) {
        memcpy(&wide, &bits, sizeof wide);
        print_double(b, wide);
    } else if (info->is_float) {
        memcpy(&narrow, &low, sizeof narrow);
        print_double(b, narrow);
    } else if (info->is_signed) {
        sinter__buffer_printf(b, "%lld", (long long)(int64_t)bits);
    } else {
        sinter__buffer_printf(b, "%llu", (unsigned long long)bits);
    }
}

/* (2, 3), (2,), () */
static void print_tuple(sinter__buffer *b, int count, const int64_t *items)
{
    sinter__buffer_puts(b, "(");
    for (int i = 0; i < count; i++)
        sinter__buffer_printf(b, i > 0 ? ", %lld" : "%lld", (long long)items[i]);
    sinter__buffer_puts(b, count == 1 ? ",)" : ")");
}

static void print_type(sinter__buffer *b, const sinter__gtensor *t)
{
    char text[SINTER__SHAPE_TEXT];
    sinter__buffer_printf(b, "%s%s", sinter_dtype_name((sinter_dtype)t->dtype),
                          sinter__shape_text(t->view.rank, t->view.shape, text));
}

/* What enters the graph, with how it lies in memory where that is not packed. */
static void print_input(sinter__buffer *b, const sinter__graph *g, size_t number)
{
    const sinter__gtensor *t = &g->tensors[number];
    sinter__buffer_printf(b, "input t%zu ", number);
    print_type(b, t);
    if (!sinter__view_is_packed(&t->view) || t->view.offset != 0) {
        char text[SINTER__SHAPE_TEXT];
        sinter__buffer_printf(b, "  # strides %s, offset %lld",
                              sinter__shape_text(t->view.rank, t->view.strides, text),
                              (long long)t->view.offset);
    }
    if (t->storage != number)
        sinter__buffer_printf(b, "  # in the storage of t%u", t->storage);
    sinter__buffer_puts(b, "\n");
}

/* The dtype in which the node's operands are registers. */
static sinter_dtype operand_dtype(const sinter__graph *g, const sinter__node *node, int operand)
{
    const sinter__op_info *info = sinter__op_info_of(node->op);
    int first = 0;
    if (info->rule == SINTER__RULE_SELECT && operand == 0)
        return SINTER_BOOL;
    if (info->kind == SINTER__KIND_RANDOM)
        return SINTER_U64;
    if (info->kind != SINTER__KIND_COMPARE)
        return (sinter_dtype)g->tensors[node->out].dtype;
    while (first < node->in_count - 1 && (node->scalar_mask >> first & 1) != 0)
        first++;
    return (sinter_dtype)g->tensors[node->in[first]].dtype;
}

static void print_operand(sinter__buffer *b, const sinter__graph *g, const sinter__node *node,
                          int i)
{
    if ((node->scalar_mask >> i & 1) != 0) {
        print_scalar(b, g->scalars[node->in[i]], operand_dtype(g, node, i));
    } else {
        sinter__buffer_printf(b, "t%u", node->in[i]);
    }
}

/* Axes of a bit mask. */
static void print_axes(sinter__buffer *b, uint32_t mask)
{
    int64_t axes[SINTER_MAX_RANK];
    int count = 0;
    for (int i = 0; i < SINTER_MAX_RANK; i++) {
        if ((mask >> i & 1) != 0)
            axes[count++] = i;
    }
    print_tuple(b, count, axes);
}

static void print_permutation(sinter__buffer *b, const sinter__node *node, int rank)
{
    int64_t axes[SINTER_MAX_RANK];
    for (int i = 0; i < rank; i++)
        axes[i] = (int64_t)(node->attr >> (4 * i) & 15);
    print_tuple(b, rank, axes);
}

/* A tensor that is made of a shape: the shape first, then the scalars by name. */
static void print_made(sinter__buffer *b, const sinter__graph *g, const sinter__node *node)
{
    const sinter__gtensor *out = &g->tensors[node->out];
    bool random = sinter__op_info_of(node->op)->kind == SINTER__KIND_RANDOM;
    bool arange = node->op == SINTER__OP_ARANGE;
    if (arange) {
        sinter__buffer_printf(b, "count=%lld", (long long)out->view.shape[0]);
    } else {
        print_tuple(b, out->view.rank, out->view.shape);
    }
    for (int i = 0; i < node->in_count; i++) {
        sinter__buffer_puts(b, ", ");
        if (random) {
            sinter__buffer_puts(b, i == 0 ? "seed=" : "offset=");
        } else if (arange) {
            sinter__buffer_puts(b, i == 0 ? "start=" : "step=");
        }
        print_operand(b, g, node, i);
    }
    sinter__buffer_printf(b, ", dtype='%s'", sinter_dtype_name((sinter_dtype)out->dtype));
}

/* What follows the first operand of a view. */
static void print_view(sinter__buffer *b, const sinter__graph *g, const sinter__node *node)
{
    const sinter__view *out = &g->tensors[node->out].view;
    sinter__buffer_puts(b, ", ");
    switch ((sinter__op)node->op) {
    case SINTER__OP_TRANSPOSE:
        print_permutation(b, node, out->rank);
        break;
    case SINTER__OP_SLICE:
        sinter__buffer_printf(b, "axis=%u, start=%lld, step=%lld, count=%lld", node->attr,
                              (long long)g->params[node->param],
                              (long long)g->params[node->param + 1],
                              (long long)out->shape[node->attr]);
        break;
    default: /* reshape, expand */
        print_tuple(b, out->rank, out->shape);
        break;
    }
}

/* What follows the operands of an update: which elements it replaces. */
static void print_region(sinter__buffer *b, const sinter__graph *g, const sinter__node *node)
{
    static const char *const names[] = {"axis", "start", "step", "count"};
    const sinter__view *value = &g->tensors[node->in[1]].view;
    int64_t items[SINTER__COUNT(names)][SINTER_MAX_RANK];
    int rank = g->tensors[node->out].view.rank;
    for (int i = 0; i < rank; i++) {
        items[0][i] = i;
        items[1][i] = g->params[node->param + 2 * (uint32_t)i];
        items[2][i] = g->params[node->param + 2 * (uint32_t)i + 1];
        items[3][i] = value->shape[i];
    }
    for (size_t k = 0; k < SINTER__COUNT(names); k++) {
        sinter__buffer_printf(b, ", %s=", names[k]);
        print_tuple(b, rank, items[k]);
    }
}

static void print_arguments(sinter__buffer *b, const sinter__graph *g, const sinter__node *node)
{
    const sinter__op_info *info = sinter__op_info_of(node->op);
    if (info->rule == SINTER__RULE_MADE) {
        print_made(b, g, node);
        return;
    }
    int count = info->kind == SINTER__KIND_UPDATE ? 2 : node->in_count;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            sinter__buffer_puts(b, ", ");
        print_operand(b, g, node, i);
    }
    switch ((sinter__kind)info->kind) {
    case SINTER__KIND_CAST:
        sinter__buffer_printf(b, ", '%s'",
                              sinter_dtype_name((sinter_dtype)g->tensors[node->out].dtype));
        break;
    case SINTER__KIND_VIEW:
        print_view(b, g, node);
        break;
    case SINTER__KIND_UPDATE:
        print_region(b, g, node);
        break;
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_SCAN:
    case SINTER__KIND_STATE:
        sinter__buffer_puts(b, ", axis=");
        print_axes(b, node->attr);
        if ((node->flags & SINTER__NODE_KEEPDIMS) != 0)
            sinter__buffer_puts(b, ", keepdims=True");
        break;
    default:
        break;
    }
}

static void print_node(sinter__buffer *b, const sinter__graph *g, size_t n)
{
    const sinter__node *node = &g->nodes[n];
    sinter__buffer_printf(b, "t%u = %s(", node->out, sinter__op_info_of(node->op)->name);
    print_arguments(b, g, node);
    sinter__buffer_puts(b, ")  # ");
    print_type(b, &g->tensors[node->out]);
    sinter__buffer_puts(b, "\n");
}

/* Releases */

#define NONE UINT32_MAX

/* The tensors to release after each number of operations, as lists: the first of each, and the next
 * of each tensor. */
typedef struct releases {
    uint32_t *first; /* by operations done */
    uint32_t *next;  /* by tensor */
} releases;

static void note_last(const sinter__graph *g, uint32_t *last)
{
    for (size_t n = 0; n < g->node_count; n++) {
        const sinter__node *node = &g->nodes[n];
        last[node->out] = SINTER__MAX(last[node->out], (uint32_t)n + 1);
        for (int i = 0; i < node->in_count; i++) {
            if ((node->scalar_mask >> i & 1) == 0)
                last[node->in[i]] = SINTER__MAX(last[node->in[i]], (uint32_t)n + 1);
        }
    }
}

/* A tensor that nobody holds is released where its holder let go, or after the last operation that
 * reads it: what the library itself made on the way was never held. */
static void list_releases(const sinter__graph *g, releases *r)
{
    for (size_t t = 0; t < g->tensor_count; t++)
        r->next[t] = g->tensors[t].released;
    note_last(g, r->next);
    for (size_t n = 0; n <= g->node_count; n++)
        r->first[n] = NONE;
    for (size_t t = g->tensor_count; t-- > 0;) {
        uint32_t *list = &r->first[SINTER__MIN((size_t)r->next[t], g->node_count)];
        r->next[t] = *list;
        if (g->tensors[t].owner == NULL)
            *list = (uint32_t)t;
    }
}

static void print_lines(const sinter__graph *g, const releases *r, sinter__buffer *out)
{
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].producer == SINTER__NO_NODE)
            print_input(out, g, t);
    }
    for (size_t n = 0; n <= g->node_count; n++) {
        for (uint32_t t = r->first[n]; t != NONE; t = r->next[t])
            sinter__buffer_printf(out, "release t%u\n", t);
        if (n < g->node_count)
            print_node(out, g, n);
    }
}

void sinter__graph_print(const sinter__graph *g, sinter__buffer *out)
{
    size_t count = g->node_count + 1 + g->tensor_count;
    releases r = {.first = sinter__alloc_array(out->allocator, count, sizeof *r.first)};
    if (r.first == NULL) {
        out->failed = true;
        return;
    }
    r.next = r.first + g->node_count + 1;
    list_releases(g, &r);
    print_lines(g, &r, out);
    sinter__free(out->allocator, r.first, count * sizeof *r.first);
}
