/* Printing lowered kernels as OpenCL C: one statement of the code is one statement of the text. */
#include "fusion/text.h"

#include "fusion/cast.h"
#include "fusion/row.h"
#include "fusion/state.h"
#include "fusion/text_name.h"
#include "fusion/tree.h"
#include "fusion/tree.h"
#include "fusion/words.h"

#include <stdio.h>
#include <string.h>

typedef struct printer {
    const sinter__nest *nest;
    const sinter__kernel_class *c;
    const sinter__code *code;
    const sinter__limits *limits;
    sinter__kernel_text *out;
    sinter__buffer *b;
    int depth;
    const char *ix_type; /* int or long */
} printer;

/* Operands and types are short; a statement that is cut off would not build. */
#define OPERAND_BYTES 96

static sinter__class class_of(uint8_t dtype)
{
    return (sinter__class)sinter__dtype((sinter_dtype)dtype)->class_;
}

static uint32_t lanes_of(const printer *p, sinter__reg reg)
{
    return p->code->regs[reg].is_vector ? p->c->key.lanes : 1;
}

static void indent(printer *p)
{
    for (int i = 0; i < p->depth; i++)
        sinter__buffer_puts(p->b, "    ");
}

static void need(printer *p, sinter__library_class class_, uint32_t lanes, const char *function)
{
    sinter__buffer_printf(&p->out->needs, "%d:%u:%s\n", (int)class_, lanes, function);
}

/* Integer expressions */

static void print_param(printer *p, size_t index)
{
    char name[SINTER__PARAM_NAME];
    sinter__param_name(&p->code->params[index], name);
    sinter__buffer_puts(p->b, name);
}

static void print_ix(printer *p, sinter__ix ix);

static void print_binary(printer *p, const sinter__ix_node *n, const char *sign)
{
    sinter__buffer_puts(p->b, "(");
    print_ix(p, n->a);
    sinter__buffer_puts(p->b, sign);
    print_ix(p, n->b);
    sinter__buffer_puts(p->b, ")");
}

/* (int16)(0, 1, 2, ...) */
static void print_lane_numbers(printer *p, const char *type)
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

/* Division of a vector by an extent: by its magic number in 32 bits, as it is in 64. */
static void print_quotient(printer *p, const sinter__ix_node *n)
{
    char i32[SINTER__LIBRARY_NAME];
    char u32[SINTER__LIBRARY_NAME];
    if (p->c->key.wide != 0) {
        print_binary(p, n, " / ");
        return;
    }
    sinter__vector_type(i32, "int", p->c->key.lanes);
    sinter__vector_type(u32, "uint", p->c->key.lanes);
    sinter__buffer_printf(p->b, "as_%s(mul_hi(as_%s(", i32, u32);
    print_ix(p, n->a);
    sinter__buffer_printf(p->b, "), (%s)(", u32);
    print_param(p, (size_t)n->value);
    sinter__buffer_puts(p->b, ")) >> ");
    print_param(p, (size_t)n->value + 1);
    sinter__buffer_puts(p->b, ")");
}

static void print_call(printer *p, const sinter__ix_node *n)
{
    switch ((sinter__ix_op)n->op) {
    case SINTER__IX_MIN:
        sinter__buffer_puts(p->b, "min(");
        print_ix(p, n->a);
        sinter__buffer_puts(p->b, ", ");
        print_ix(p, n->b);
        sinter__buffer_puts(p->b, ")");
        break;
    case SINTER__IX_COUNT:
        sinter__buffer_printf(p->b, "(int)clamp(");
        print_ix(p, n->a);
        sinter__buffer_printf(p->b, ", (%s)0, (%s)%u)", p->ix_type, p->ix_type, p->c->key.lanes);
        break;
    case SINTER__IX_LANE:
        sinter__buffer_puts(p->b, "(");
        print_ix(p, n->a);
        sinter__buffer_puts(p->b, " + ");
        print_lane_numbers(p, p->ix_type);
        sinter__buffer_puts(p->b, ")");
        break;
    default:
        print_quotient(p, n);
        break;
    }
}

static void print_ix(printer *p, sinter__ix ix)
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
        print_param(p, (size_t)n->value);
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

/* Registers */

static void reg_name(const printer *p, sinter__reg reg, char out[OPERAND_BYTES])
{
    const sinter__reg_info *r = &p->code->regs[reg];
    (void)snprintf(out, OPERAND_BYTES, r->is_argument ? "c%u" : "v%u",
                   r->is_argument ? (unsigned)r->value : (unsigned)reg);
}

/* The register as a vector of `lanes`: a uniform one is repeated. */
static void operand(const printer *p, sinter__reg reg, uint32_t lanes, char out[OPERAND_BYTES])
{
    char name[OPERAND_BYTES];
    reg_name(p, reg, name);
    if (lanes == lanes_of(p, reg)) {
        (void)snprintf(out, OPERAND_BYTES, "%.40s", name);
        return;
    }
    char type[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, sinter__register_type(class_of(p->code->regs[reg].dtype)), lanes);
    (void)snprintf(out, OPERAND_BYTES, "(%.20s)(%.40s)", type, name);
}

static void print_type(printer *p, sinter__reg reg)
{
    char type[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, sinter__register_type(class_of(p->code->regs[reg].dtype)),
                        lanes_of(p, reg));
    sinter__buffer_puts(p->b, type);
}

/* "float16 v3 = " or "v3 = ". */
static void print_target(printer *p, const sinter__statement *s)
{
    indent(p);
    if (!s->assign) {
        print_type(p, s->reg);
        sinter__buffer_puts(p->b, " ");
    }
    sinter__buffer_printf(p->b, "v%u = ", s->reg);
}

static void note_callee(void *user, sinter__library_class class_, uint32_t lanes, const char *name,
                        size_t bytes)
{
    printer *p = user;
    sinter__buffer_printf(&p->out->needs, "%d:%u:%.*s\n", (int)class_, lanes, (int)bytes, name);
}

/* An expression of the op table or of the library, its words replaced and its callees noted. */
static void print_expression(printer *p, sinter__words *words, const char *text,
                             char operands[3][OPERAND_BYTES])
{
    for (int i = 0; i < 3; i++)
        words->operand[i] = operands[i];
    sinter__words_callees(words, text, strlen(text), note_callee, p);
    sinter__words_print(words, text, strlen(text), p->b);
}

/* "sn_round_f16_x16(" ; counts as one bracket to close. NULL: nothing. */
static int open_call(printer *p, const char *function, uint32_t lanes)
{
    char name[SINTER__LIBRARY_NAME];
    if (function == NULL)
        return 0;
    need(p, SINTER__LIBRARY_WIDTH, lanes, function);
    sinter__library_name(name, SINTER__LIBRARY_WIDTH, lanes, function, strlen(function));
    sinter__buffer_printf(p->b, "%s(", name);
    return 1;
}

static void close_calls(printer *p, int count)
{
    for (int i = 0; i < count; i++)
        sinter__buffer_puts(p->b, ")");
}

/* Opens what turns a condition into a bool register; the operands compared were of class `c`.
 * `select` and not "& 1": compilers turn that into widening a vector of single bits, which Oclgrind
 * gets wrong. */
static int open_bool(printer *p, sinter__class c, uint32_t lanes)
{
    if (lanes == 1) {
        sinter__buffer_puts(p->b, "(uint)(");
        return 1;
    }
    sinter__buffer_printf(p->b, "select((uint%u)(0), (uint%u)(1), ", lanes, lanes);
    if (sinter__is_wide(c))
        sinter__buffer_printf(p->b, "convert_int%u(", lanes);
    return sinter__is_wide(c) ? 2 : 1;
}

/* Statements */

static void print_cast(printer *p, const sinter__statement *s, uint32_t lanes)
{
    char x[OPERAND_BYTES];
    sinter__cast path = sinter__cast_path((sinter_dtype)s->work, (sinter_dtype)s->dtype);
    operand(p, s->source[0], lanes, x);
    if (path.to_bool) {
        int open = open_bool(p, class_of(s->work), lanes);
        sinter__buffer_printf(p->b, "%s != 0", x);
        close_calls(p, open);
        return;
    }
    int open = open_call(p, path.second, lanes);
    open += open_call(p, path.first, lanes);
    sinter__buffer_puts(p->b, x);
    close_calls(p, open);
}

/* What settles the value of a statement; NULL for nothing. */
static const char *settle_of(const sinter__statement *s)
{
    return s->is_settled ? NULL : sinter__settle((sinter_dtype)s->dtype);
}

/* Whether the operands after the first are the same in every lane of a vector. */
static bool shares_operands(const printer *p, const sinter__statement *s)
{
    const sinter__op_info *info = sinter__op_info_of(s->op);
    int count = info->arity + info->params;
    bool shares = count > 1 && lanes_of(p, s->reg) > 1;
    for (int i = 1; i < count; i++)
        shares &= lanes_of(p, s->source[i]) == 1;
    return shares;
}

static void print_map(printer *p, const sinter__statement *s)
{
    const sinter__op_info *info = sinter__op_info_of(s->op);
    uint32_t lanes = lanes_of(p, s->reg);
    sinter__class c = class_of(s->op == SINTER__OP_WHERE ? s->dtype : s->work);
    char operands[3][OPERAND_BYTES];
    print_target(p, s);
    if (info->kind == SINTER__KIND_CAST) {
        print_cast(p, s, lanes);
        sinter__buffer_puts(p->b, ";\n");
        return;
    }
    for (int i = 0; i < 3; i++)
        operand(p, s->source[i], lanes, operands[i]);
    int open = 0;
    bool compare = info->kind == SINTER__KIND_COMPARE;
    open += compare ? open_bool(p, c, lanes) : open_call(p, settle_of(s), lanes);
    if (info->kind == SINTER__KIND_GENERATE && sinter__index_cast((sinter_dtype)s->dtype) != NULL) {
        const char *function = sinter__index_cast((sinter_dtype)s->dtype);
        char name[SINTER__LIBRARY_NAME];
        char index[OPERAND_BYTES];
        need(p, SINTER__LIBRARY_WIDTH, lanes, function);
        sinter__library_name(name, SINTER__LIBRARY_WIDTH, lanes, function, strlen(function));
        (void)snprintf(index, sizeof index, "%.40s(%.40s)", name, operands[0]);
        memcpy(operands[0], index, sizeof index);
    }
    const char *text = sinter__op_expression(info, sinter__column_of(c));
    sinter__library_class library =
        info->kind == SINTER__KIND_RANDOM ? SINTER__LIBRARY_WIDTH : sinter__library_class_of(c);
    sinter__words words = {.class_ = library, .lanes = lanes, .limits = p->limits};
    words.shares = shares_operands(p, s);
    print_expression(p, &words, text, operands);
    close_calls(p, open);
    sinter__buffer_puts(p->b, ";\n");
}

static sinter__library_class memory_class(const printer *p, uint8_t dtype, bool gathers)
{
    int base =
        gathers && p->c->key.wide != 0 ? SINTER__LIBRARY_MEMORY_WIDE : SINTER__LIBRARY_MEMORY;
    return (sinter__library_class)(base + dtype);
}

/* "sn_load_f32x16(" */
static void print_library_call(printer *p, sinter__library_class c, uint32_t lanes,
                               const char *function)
{
    char name[SINTER__LIBRARY_NAME];
    need(p, c, lanes, function);
    sinter__library_name(name, c, lanes, function, strlen(function));
    sinter__buffer_printf(p->b, "%s(", name);
}

static void print_memory_call(printer *p, const sinter__statement *s, const char *plain,
                              const char *strided, const char *indexed, uint32_t lanes)
{
    const char *function = s->mode == SINTER__MODE_STRIDED  ? strided
                           : s->mode == SINTER__MODE_GATHER ? indexed
                                                            : plain;
    print_library_call(p, memory_class(p, s->dtype, s->mode == SINTER__MODE_GATHER), lanes,
                       function);
}

static void print_pointer(printer *p, const sinter__statement *s)
{
    if (s->access >= SINTER__SCRATCH)
        sinter__buffer_printf(p->b, "q%u", s->access - SINTER__SCRATCH);
    else
        sinter__buffer_printf(p->b, "p%u", s->access);
    if (s->mode != SINTER__MODE_GATHER) {
        sinter__buffer_puts(p->b, " + ");
        print_ix(p, s->a);
    }
}

/* Offsets or stride, and the number of valid lanes. */
static void print_place(printer *p, const sinter__statement *s, uint32_t lanes)
{
    if (s->mode == SINTER__MODE_GATHER || s->mode == SINTER__MODE_STRIDED) {
        sinter__buffer_puts(p->b, ", ");
        print_ix(p, s->mode == SINTER__MODE_GATHER ? s->a : s->b);
    }
    sinter__buffer_puts(p->b, ", ");
    if (s->mode == SINTER__MODE_ONE || s->c == SINTER__NO_IX)
        sinter__buffer_printf(p->b, "%u", lanes);
    else
        print_ix(p, s->c);
    sinter__buffer_puts(p->b, ")");
}

static void print_load(printer *p, const sinter__statement *s)
{
    uint32_t lanes = s->mode == SINTER__MODE_ONE ? 1 : p->c->key.lanes;
    print_target(p, s);
    if (lanes == 1 && lanes_of(p, s->reg) != 1) {
        char type[SINTER__LIBRARY_NAME];
        sinter__vector_type(type, sinter__register_type(class_of(s->dtype)), lanes_of(p, s->reg));
        sinter__buffer_printf(p->b, "(%s)", type);
    }
    print_memory_call(p, s, "load", "load_strided", "gather", lanes);
    print_pointer(p, s);
    if (s->count != SINTER__NO_IX) {
        sinter__buffer_puts(p->b, " + ");
        print_ix(p, s->count);
    }
    print_place(p, s, lanes);
    sinter__buffer_puts(p->b, ";\n");
}

static void print_store(printer *p, const sinter__statement *s)
{
    uint32_t lanes = s->mode == SINTER__MODE_ONE ? 1 : p->c->key.lanes;
    char value[OPERAND_BYTES];
    operand(p, s->source[0], lanes, value);
    indent(p);
    print_memory_call(p, s, "store", "store_strided", "scatter", lanes);
    sinter__buffer_printf(p->b, "%s, ", value);
    print_pointer(p, s);
    print_place(p, s, lanes);
    sinter__buffer_puts(p->b, ";\n");
}

/* Indices of elements: base, base + stride, ... or a vector of them. */
static void print_index(printer *p, const sinter__statement *s)
{
    uint32_t lanes = lanes_of(p, s->reg);
    char type[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, sinter__register_type(class_of(p->code->regs[s->reg].dtype)), lanes);
    print_target(p, s);
    sinter__buffer_printf(p->b, lanes > 1 ? "convert_%s(" : "(%s)(", type);
    print_ix(p, s->a);
    if (s->mode != SINTER__MODE_GATHER && lanes > 1) {
        sinter__buffer_puts(p->b, " + ");
        print_lane_numbers(p, p->ix_type);
        sinter__buffer_puts(p->b, " * ");
        print_ix(p, s->b);
    }
    sinter__buffer_puts(p->b, ");\n");
}

/* A function of cl_kernels/tree.cl for the operation and dtype of `s`. */
static void print_tree_call(printer *p, const sinter__statement *s, const char *function)
{
    char full[SINTER__LIBRARY_NAME];
    (void)snprintf(full, sizeof full, "%s@%s", function, sinter__op_info_of(s->op)->name);
    print_library_call(p, memory_class(p, s->dtype, false), p->c->key.lanes, full);
}

static void print_fold(printer *p, const sinter__statement *s)
{
    char operands[3][OPERAND_BYTES] = {""};
    operand(p, s->source[0], p->c->key.lanes, operands[1]);
    (void)snprintf(operands[0], OPERAND_BYTES, "v%u", s->reg);
    if (s->kind == SINTER__DO_FOLD_ARRAY)
        (void)snprintf(operands[0], OPERAND_BYTES, "v%u[i%d]", s->reg, p->code->ix[s->b].value);
    indent(p);
    sinter__buffer_printf(p->b, "%s = ", operands[0]);
    if (s->c == SINTER__NO_IX) {
        sinter__class c = class_of(s->dtype);
        const char *x = sinter__op_expression(sinter__op_info_of(s->op), sinter__column_of(c));
        sinter__words words = {
            .class_ = sinter__library_class_of(c), .lanes = p->c->key.lanes, .limits = p->limits};
        print_expression(p, &words, x, operands);
    } else {
        print_tree_call(p, s, "fold");
        sinter__buffer_printf(p->b, "%s, %s, ", operands[0], operands[1]);
        print_ix(p, s->c);
        sinter__buffer_puts(p->b, ")");
    }
    sinter__buffer_puts(p->b, ";\n");
}

/* Lanes of a slot in local memory: a vector of each work-item of the group. */
static int slot_lanes(const printer *p)
{
    return p->c->key.group[0] * p->c->key.lanes;
}

/* The tree over states of `place_tree` or `spread_tree`: the first number's region, and those after. */
static void print_state_tree(printer *p, const sinter__statement *s)
{
    bool is_place = s->work == SINTER__STATE_PLACE;
    char function[SINTER__LIBRARY_NAME];
    (void)snprintf(function, sizeof function, "%s@%s", is_place ? "place_tree" : "spread_tree",
                   sinter__op_info_of(s->op)->name);
    indent(p);
    print_library_call(p, memory_class(p, s->dtype, false), 1, function);
    for (unsigned k = 0; k < (is_place ? 2 : SINTER__STATE_NUMBERS); k++) {
        sinter__buffer_printf(p->b, "q%u + ", s->access - SINTER__SCRATCH + k);
        print_ix(p, s->a);
        sinter__buffer_puts(p->b, ", ");
    }
    print_ix(p, s->b);
    sinter__buffer_puts(p->b, ", ");
    print_ix(p, s->c);
    sinter__buffer_puts(p->b, ", ");
    print_ix(p, s->count);
    sinter__buffer_puts(p->b, ");\n");
}

/* The arguments of a call, each a letter: x source 0, p a place in scratch, s a slot of local memory, and
 * the indices a, b, c and n. */
static void print_arguments(printer *p, const sinter__statement *s, const char *letters)
{
    const sinter__ix indices[] = {s->a, s->b, s->c};
    for (const char *c = letters; *c != '\0'; c++) {
        sinter__buffer_puts(p->b, c == letters ? "" : ", ");
        if (*c == 'x')
            sinter__buffer_printf(p->b, "v%u", s->source[0]);
        else if (*c == 'p')
            print_pointer(p, s);
        else if (*c == 's')
            sinter__buffer_printf(p->b, "t_%s + %d", sinter__register_type(class_of(s->dtype)),
                                  s->access * slot_lanes(p));
        else
            print_ix(p, *c == 'n' ? s->count : indices[*c - 'a']);
    }
}

static void print_tree(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_STATE_TREE) {
        print_state_tree(p, s);
        return;
    }
    static const struct {
        uint8_t kind;
        bool of_op, gives; /* a function of the operation, a value */
        const char *function;
        const char *arguments;
    } calls[] = {
        {SINTER__DO_TREE, true, true, "vector_tree", "xb"},
        {SINTER__DO_LANE_TREE, true, true, "lane_tree", "x"},
        {SINTER__DO_TREE_GIVE, false, false, "give", "xsba"},
        {SINTER__DO_TREE_TAKE, true, true, "take", "xsba"},
        {SINTER__DO_TREE_TELL, false, false, "tell", "xsb"},
        {SINTER__DO_TREE_HEAR, false, true, "hear", "sb"},
        {SINTER__DO_MEMORY_TREE, true, true, "memory_tree", "pbc"},
        {SINTER__DO_TURN, false, false, "load_turned", "xpbcn"},
        {SINTER__DO_COLUMN_TREE, true, true, "column_tree", "pbcn"},
    };
    bool nested = s->kind == SINTER__DO_TREE;
    size_t i = 0;
    while (i + 1 < SINTER__COUNT(calls) && calls[i].kind != s->kind)
        i++;
    if (calls[i].gives)
        print_target(p, s);
    else
        indent(p);
    if (nested)
        print_tree_call(p, s, "lane_tree");
    if (calls[i].of_op)
        print_tree_call(p, s, calls[i].function);
    else
        print_library_call(p, memory_class(p, s->dtype, false), p->c->key.lanes, calls[i].function);
    print_arguments(p, s, calls[i].arguments);
    sinter__buffer_puts(p->b, nested ? "));\n" : ");\n");
}

/* What a reduction gives for no elements: 0 or 1; a mean is divided later. Or what changes nothing. */
static void print_start(printer *p, const sinter__statement *s)
{
    char type[SINTER__LIBRARY_NAME];
    const sinter__reg_info *r = &p->code->regs[s->reg];
    const char *start = (sinter__op_info_of(s->op)->flags & SINTER__FROM_1) != 0 ? "1" : "0";
    if (s->kind == SINTER__DO_IDENTITY)
        start = sinter__tree_identity((sinter__op)s->op, class_of(r->dtype));
    sinter__vector_type(type, sinter__register_type(class_of(r->dtype)), lanes_of(p, s->reg));
    indent(p);
    if (r->is_array) {
        int count = p->c->key.partials / p->c->key.lanes;
        sinter__buffer_printf(p->b, "%s v%u[%d];\n", type, s->reg, count);
        indent(p);
        sinter__buffer_printf(p->b, "for (int k = 0; k < %d; k++)\n", count);
        indent(p);
        sinter__buffer_printf(p->b, "    v%u[k] = (%s)(%s);\n", s->reg, type, start);
        return;
    }
    sinter__buffer_printf(p->b, "%s v%u = (%s)(%s);\n", type, s->reg, type, start);
}

static void print_mean(printer *p, const sinter__statement *s)
{
    uint32_t lanes = lanes_of(p, s->reg);
    bool f64 = s->dtype == SINTER_F64;
    char x[OPERAND_BYTES];
    char type[SINTER__LIBRARY_NAME];
    char operands[3][OPERAND_BYTES];
    operand(p, s->source[0], lanes, x);
    sinter__vector_type(type, f64 ? "double" : "float", lanes);
    if (p->c->key.empty != 0) { /* written out: Mesa makes 0 of 0 divided by anything */
        print_target(p, s);
        sinter__buffer_printf(p->b,
                              f64 ? "(%s)(as_double(0x7ff8000000000000ul));\n"
                                  : "(%s)(as_float(0x7fc00000u));\n",
                              type);
        return;
    }
    memcpy(operands[0], x, sizeof x);
    const sinter__ix_node *count = &p->code->ix[s->a];
    char divisor[OPERAND_BYTES] = "reduced";
    if (count->op == SINTER__IX_VARIABLE)
        (void)snprintf(divisor, sizeof divisor, "i%d", count->value);
    (void)snprintf(operands[1], OPERAND_BYTES, "(%.20s)((%s)%.20s)", type, f64 ? "double" : "float",
                   divisor);
    operands[2][0] = '\0';
    print_target(p, s);
    sinter__library_class c = f64 ? SINTER__LIBRARY_F64 : SINTER__LIBRARY_F32;
    sinter__words words = {.class_ = c, .lanes = lanes, .limits = p->limits};
    print_expression(p, &words, "DIV(a, b)", operands);
    sinter__buffer_puts(p->b, ";\n");
}

static void print_round(printer *p, const sinter__statement *s)
{
    char x[OPERAND_BYTES];
    uint32_t lanes = lanes_of(p, s->reg);
    operand(p, s->source[0], lanes, x);
    print_target(p, s);
    int open = open_call(p, sinter__settle((sinter_dtype)s->dtype), lanes);
    sinter__buffer_puts(p->b, x);
    close_calls(p, open);
    sinter__buffer_puts(p->b, ";\n");
}

/* An array of vectors, a vector or an element put into it, or a vector taken from it. */
static void print_array(printer *p, const sinter__statement *s)
{
    char x[OPERAND_BYTES];
    if (s->kind == SINTER__DO_TAKE) {
        print_target(p, s);
        sinter__buffer_printf(p->b, "v%u[", s->source[0]);
        print_ix(p, s->a);
        sinter__buffer_puts(p->b, "];\n");
        return;
    }
    indent(p);
    if (s->kind == SINTER__DO_ARRAY) {
        print_type(p, s->reg);
        sinter__buffer_printf(p->b, " v%u[%d];\n", s->reg, p->code->ix[s->a].value);
        return;
    }
    reg_name(p, s->source[0], x);
    if (p->code->regs[s->source[0]].is_vector)
        sinter__buffer_printf(p->b, "v%u[", s->reg);
    else
        sinter__buffer_printf(p->b, "((%s *)v%u)[",
                              sinter__register_type(class_of(p->code->regs[s->reg].dtype)), s->reg);
    print_ix(p, s->a);
    sinter__buffer_printf(p->b, "] = %s;\n", x);
}

static void print_state(printer *p, const sinter__statement *s)
{
    indent(p);
    print_type(p, s->reg);
    sinter__buffer_printf(p->b, " v%u[%d];\n", s->reg, 2 * SINTER__SCAN_LEVELS);
}

/* A function of cl_kernels/tree.cl on two registers, at the width of the result. */
static void print_scan(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_STATE) {
        print_state(p, s);
        return;
    }
    static const char *const functions[] = {[SINTER__DO_NEXT] = "scan_next",
                                            [SINTER__DO_CARRY] = "scan_carry",
                                            [SINTER__DO_APPEND] = "append",
                                            [SINTER__DO_SCAN] = "scan"};
    uint32_t lanes = lanes_of(p, s->reg);
    char function[SINTER__LIBRARY_NAME];
    char x[OPERAND_BYTES];
    char y[OPERAND_BYTES];
    operand(p, s->source[0], lanes, x);
    operand(p, s->source[1], lanes, y);
    if (lanes == 1 && lanes_of(p, s->source[1]) != 1) /* of a block, its last lane */
        (void)snprintf(y, sizeof y, "v%u.s%x", s->source[1], p->c->key.lanes - 1u);
    print_target(p, s);
    (void)snprintf(function, sizeof function, "%s@%s", functions[s->kind],
                   sinter__op_info_of(s->op)->name);
    print_library_call(p, memory_class(p, s->dtype, false), lanes, function);
    sinter__buffer_printf(p->b, "%s, %s, ", x, y);
    print_ix(p, s->a);
    if (s->kind == SINTER__DO_CARRY) {
        sinter__buffer_puts(p->b, ", ");
        print_ix(p, s->b);
    }
    sinter__buffer_puts(p->b, ");\n");
}

static void print_block(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_END) {
        p->depth--;
        indent(p);
        sinter__buffer_puts(p->b, "}\n");
        return;
    }
    indent(p);
    if (s->kind == SINTER__DO_BARRIER || s->kind == SINTER__DO_LOCAL_BARRIER) {
        const char *memory = s->kind == SINTER__DO_BARRIER ? "GLOBAL" : "LOCAL";
        sinter__buffer_printf(p->b, "barrier(CLK_%s_MEM_FENCE);\n", memory);
        return;
    }
    if (s->kind == SINTER__DO_IF) {
        sinter__buffer_puts(p->b, "if (");
        print_ix(p, s->a);
    } else if (s->kind == SINTER__DO_HALVE) {
        sinter__buffer_printf(p->b, "for (int i%u = ", s->reg);
        print_ix(p, s->a);
        sinter__buffer_printf(p->b, "; i%u > 0; i%u /= 2", s->reg, s->reg);
    } else {
        sinter__buffer_printf(p->b, "for (%s i%u = ", p->ix_type, s->reg);
        print_ix(p, s->a);
        sinter__buffer_printf(p->b, "; i%u < ", s->reg);
        print_ix(p, s->b);
        sinter__buffer_printf(p->b, "; i%u += ", s->reg);
        print_ix(p, s->c);
    }
    sinter__buffer_puts(p->b, ") {\n");
    p->depth++;
}

static void print_int(printer *p, const sinter__statement *s)
{
    char type[SINTER__LIBRARY_NAME];
    const sinter__ix_node *n = &p->code->ix[s->a];
    const char *base = n->op == SINTER__IX_COUNT ? "int" : p->ix_type;
    sinter__vector_type(type, base, n->is_vector ? p->c->key.lanes : 1);
    indent(p);
    sinter__buffer_printf(p->b, "%s i%u = ", type, s->reg);
    print_ix(p, s->a);
    sinter__buffer_puts(p->b, ";\n");
}

static void print_statement(printer *p, const sinter__statement *s)
{
    switch ((sinter__statement_kind)s->kind) {
    case SINTER__DO_INT:
        print_int(p, s);
        break;
    case SINTER__DO_FOR:
    case SINTER__DO_HALVE:
    case SINTER__DO_IF:
    case SINTER__DO_END:
    case SINTER__DO_BARRIER:
    case SINTER__DO_LOCAL_BARRIER:
        print_block(p, s);
        break;
    case SINTER__DO_LOAD:
        print_load(p, s);
        break;
    case SINTER__DO_STORE:
        print_store(p, s);
        break;
    case SINTER__DO_INDEX:
        print_index(p, s);
        break;
    case SINTER__DO_MAP:
        print_map(p, s);
        break;
    case SINTER__DO_NOTHING:
    case SINTER__DO_IDENTITY:
        print_start(p, s);
        break;
    case SINTER__DO_FOLD:
    case SINTER__DO_FOLD_ARRAY:
        print_fold(p, s);
        break;
    case SINTER__DO_STATE:
    case SINTER__DO_NEXT:
    case SINTER__DO_CARRY:
    case SINTER__DO_APPEND:
    case SINTER__DO_SCAN:
        print_scan(p, s);
        break;
    case SINTER__DO_MEAN:
        print_mean(p, s);
        break;
    case SINTER__DO_ROUND:
        print_round(p, s);
        break;
    case SINTER__DO_ARRAY:
    case SINTER__DO_PUT:
    case SINTER__DO_TAKE:
        print_array(p, s);
        break;
    default:
        print_tree(p, s);
        break;
    }
}

/* Signature */

static bool is_used(const printer *p, uint16_t access)
{
    for (size_t i = 0; i < p->code->statement_count; i++) {
        const sinter__statement *s = &p->code->statements[i];
        bool moves =
            s->kind == SINTER__DO_LOAD || s->kind == SINTER__DO_STORE || s->kind == SINTER__DO_TURN;
        if (moves && s->access == access)
            return true;
    }
    return false;
}

static void add_argument(printer *p, sinter__argument_kind kind, uint16_t index, uint8_t dtype)
{
    sinter__kernel_text *out = p->out;
    void *array = out->arguments;
    if (sinter__grow(out->source.allocator, &array, &out->argument_capacity,
                     out->argument_count + 1, sizeof *out->arguments) == SINTER_OK) {
        out->arguments = array;
        out->arguments[out->argument_count++] =
            (sinter__argument){.kind = (uint8_t)kind, .dtype = dtype, .index = index};
    } else {
        out->source.failed = true;
    }
}

static const char *separator(const printer *p)
{
    return p->out->argument_count > 0 ? ",\n    " : "\n    ";
}

static void print_buffers(printer *p)
{
    for (uint16_t a = 0; a < p->nest->access_count; a++) {
        if (!is_used(p, a))
            continue;
        bool writes = p->nest->accesses[a].role == SINTER__ROLE_WRITE;
        if (p->c->key.list == 0)
            sinter__buffer_printf(p->b, "%s__global %suchar *b%u, ulong o%u", separator(p),
                                  writes ? "" : "const ", a, a);
        add_argument(p, SINTER__ARGUMENT_BUFFER, a, p->nest->accesses[a].dtype);
    }
    if (p->code->scratch_used != 0) {
        sinter__buffer_printf(p->b, "%s__global uchar *bq, ulong oq", separator(p));
        add_argument(p, SINTER__ARGUMENT_SCRATCH, 0, SINTER_U8);
    }
}

static void print_numbers(printer *p)
{
    bool listed = p->c->key.list != 0;
    for (size_t i = 0; i < p->code->param_count; i++) {
        uint8_t kind = p->code->params[i].kind;
        bool magic = kind == SINTER__PARAM_MAGIC || kind == SINTER__PARAM_SHIFT;
        if (!listed) {
            sinter__buffer_printf(p->b, "%s%s ", separator(p), magic ? "uint" : p->ix_type);
            print_param(p, i);
        }
        add_argument(p, SINTER__ARGUMENT_PARAM, (uint16_t)i, SINTER_I32);
    }
    uint16_t scalar = 0;
    for (uint16_t i = 0; i < p->nest->value_count; i++) {
        const sinter__value *v = &p->nest->values[i];
        if (v->kind != SINTER__VALUE_ARG)
            continue;
        if (!listed)
            sinter__buffer_printf(p->b, "%s%s c%u", separator(p),
                                  sinter__register_type(class_of(v->dtype)), scalar);
        add_argument(p, SINTER__ARGUMENT_SCALAR, scalar++, v->dtype);
    }
}

/* The slots of each type: trees that come one after the other share them. */
static void print_local(printer *p)
{
    const char *types[SINTER__LIBRARY_WIDTH] = {NULL};
    int slots[SINTER__LIBRARY_WIDTH] = {0};
    for (size_t i = 0; i < p->code->statement_count; i++) {
        const sinter__statement *s = &p->code->statements[i];
        if (s->kind != SINTER__DO_TREE_GIVE)
            continue;
        sinter__library_class c = sinter__library_class_of(class_of(s->dtype));
        types[c] = sinter__register_type(class_of(s->dtype));
        slots[c] = SINTER__MAX(slots[c], s->access + 1);
    }
    for (int c = 0; c < SINTER__LIBRARY_WIDTH; c++) {
        if (slots[c] > 0)
            sinter__buffer_printf(p->b, "    __local %s t_%s[%d];\n", types[c], types[c],
                                  slots[c] * slot_lanes(p));
    }
}

static void print_pointers(printer *p)
{
    for (uint16_t a = 0; a < p->nest->access_count; a++) {
        if (!is_used(p, a))
            continue;
        const sinter__access *access = &p->nest->accesses[a];
        const char *type = sinter__memory_type((sinter_dtype)access->dtype);
        const char *qualifier = access->role == SINTER__ROLE_WRITE ? "" : "const ";
        sinter__buffer_printf(p->b, "    __global %s%s *p%u = (__global %s%s *)(b%u + o%u);\n",
                              qualifier, type, a, qualifier, type, a, a);
    }
    for (unsigned k = 0; k < SINTER__MAX_REDUCTIONS; k++) {
        const char *type = sinter__memory_type((sinter_dtype)p->code->scratch_dtype[k]);
        if ((p->code->scratch_used >> k & 1) == 0)
            continue;
        sinter__buffer_printf(p->b, "    __global %s *q%u = (__global %s *)(bq + oq", type, k,
                              type);
        if (k > 0)
            sinter__buffer_printf(p->b, " + %u * region", k);
        sinter__buffer_puts(p->b, ");\n");
    }
    print_local(p);
}

static void print_kernel(printer *p)
{
    const sinter__class_key *key = &p->c->key;
    if (key->list != 0) {
        p->out->row_words = sinter__row_words(p->nest, p->c);
        p->out->row_memories = sinter__row_memories(p->nest);
        sinter__row_type_print(key->list * p->out->row_words, p->b);
    }
    sinter__buffer_printf(p->b, "__kernel __attribute__((reqd_work_group_size(%u, %u, 1)))\n",
                          key->group[0], key->group[1]);
    sinter__buffer_printf(p->b, "void %s(", p->out->name);
    print_buffers(p);
    print_numbers(p);
    if (key->list != 0)
        sinter__row_parameters_print(p->out->row_memories, key->list * p->out->row_words, p->b);
    sinter__buffer_puts(p->b, ")\n{\n");
    if (key->list != 0)
        sinter__row_values_print(p->nest, p->c, p->code, p->out, p->b);
    print_pointers(p);
    p->depth = 1;
    for (size_t i = 0; i < p->code->statement_count; i++)
        print_statement(p, &p->code->statements[i]);
    sinter__buffer_puts(p->b, "}\n");
}

sinter_status sinter__kernel_print(sinter__allocator *a, const sinter__nest *nest,
                                   const sinter__kernel_class *c, const sinter__code *code,
                                   const sinter__limits *limits, sinter__kernel_text *out)
{
    *out = (sinter__kernel_text){.param_count = code->param_count};
    sinter__buffer_init(&out->source, a);
    sinter__buffer_init(&out->needs, a);
    printer p = {.nest = nest,
                 .c = c,
                 .code = code,
                 .limits = limits,
                 .out = out,
                 .b = &out->source,
                 .ix_type = c->key.wide != 0 ? "long" : "int"};
    sinter__kernel_name(nest, out->name);
    print_kernel(&p);
    out->params = sinter__alloc_array(a, code->param_count, sizeof *out->params);
    if (out->params == NULL)
        return SINTER_ENOMEM;
    if (code->param_count > 0)
        memcpy(out->params, code->params, code->param_count * sizeof *out->params);
    SINTER_TRY(sinter__buffer_status(&out->source));
    SINTER_TRY(sinter__buffer_status(&out->needs));
    sinter__kernel_seal(out);
    return SINTER_OK;
}

void sinter__kernel_text_finish(sinter__allocator *a, sinter__kernel_text *text)
{
    sinter__buffer_finish(&text->source);
    sinter__buffer_finish(&text->needs);
    sinter__free(a, text->arguments, text->argument_capacity * sizeof *text->arguments);
    if (text->params != NULL)
        sinter__free(a, text->params, text->param_count * sizeof *text->params);
    text->arguments = NULL;
    text->params = NULL;
}
