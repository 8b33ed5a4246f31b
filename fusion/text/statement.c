/* One statement of a lowered kernel is one statement of the text. */
#include "fusion/text/statement.h"

#include "fusion/library/cast.h"
#include "fusion/library/native.h"
#include "fusion/library/words.h"
#include "fusion/nest/larger.h"
#include "fusion/nest/state.h"
#include "fusion/nest/tree.h"
#include "fusion/text/index.h"
#include "fusion/text/whole.h"

#include <stdio.h>
#include <string.h>

/* Operands and types are short; a statement that is cut off would not build. */
#define OPERAND_BYTES 96

static uint32_t lanes_of(const printer *p, sinter__reg reg)
{
    return p->code->regs[reg].is_vector ? p->c->key.lanes : 1;
}

void sinter__print_indent(printer *p)
{
    for (int i = 0; i < p->depth; i++)
        sinter__buffer_puts(p->b, "    ");
}

static void need(printer *p, sinter__library_class class_, uint32_t lanes, const char *function)
{
    sinter__buffer_printf(&p->out->needs, "%d:%u:%s\n", (int)class_, lanes, function);
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
    sinter__vector_type(type, sinter__register_type(sinter__class_of(p->code->regs[reg].dtype)),
                        lanes);
    (void)snprintf(out, OPERAND_BYTES, "(%.20s)(%.40s)", type, name);
}

static void print_type(printer *p, sinter__reg reg)
{
    char type[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, sinter__register_type(sinter__class_of(p->code->regs[reg].dtype)),
                        lanes_of(p, reg));
    sinter__buffer_puts(p->b, type);
}

/* "float16 v3 = " or "v3 = ". */
static void print_target(printer *p, const sinter__statement *s)
{
    sinter__print_indent(p);
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
        int open = open_bool(p, sinter__class_of(s->work), lanes);
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

/* Bounds for which a kernel asks once: with an answer for each, they are more than 16 registers
 * hold. Where one of them is 0, as in a clip from 0 to 1, fewer are better off with their own. */
#define LEAST_ASKED 8
#define MOST_ASKED 64

/* Bounds of a minimum or maximum, its operands after the first; 0: it is another operation. */
static int bound_count(const sinter__statement *s)
{
    if (s->kind != SINTER__DO_MAP)
        return 0;
    if (s->op == SINTER__OP_CLAMP)
        return 2;
    return s->op == SINTER__OP_MINIMUM || s->op == SINTER__OP_MAXIMUM;
}

/* Whether it is one of vectors of floats, and all its bounds are numbers of the program. */
static bool is_bounded(const printer *p, const sinter__statement *s)
{
    int count = bound_count(s);
    bool bounded =
        count > 0 && shares_operands(p, s) && (s->dtype == SINTER_F32 || s->dtype == SINTER_F64);
    for (int i = 1; i <= count && bounded; i++) {
        const sinter__reg_info *r = &p->code->regs[s->source[i]];
        bounded = r->is_argument && r->value < MOST_ASKED;
    }
    return bounded;
}

/* The numbers that bound something, a bit each. */
static uint64_t all_bounds(const printer *p)
{
    uint64_t found = 0;
    for (size_t i = 0; i < p->code->statement_count; i++) {
        const sinter__statement *s = &p->code->statements[i];
        for (int k = 1; k <= bound_count(s) && is_bounded(p, s); k++)
            found |= (uint64_t)1 << p->code->regs[s->source[k]].value;
    }
    return found;
}

void sinter__print_rare(printer *p)
{
    uint64_t bounds = all_bounds(p);
    const char *sign = "const int rare = ";
    p->asks_once = p->c->key.list == 0 && __builtin_popcountll(bounds) >= LEAST_ASKED;
    if (!p->asks_once)
        return;
    sinter__print_indent(p);
    for (; bounds != 0; bounds &= bounds - 1) {
        int c = __builtin_ctzll(bounds);
        sinter__buffer_printf(p->b, "%s(c%d == 0) | (c%d != c%d)", sign, c, c, c);
        sign = " | ";
    }
    sinter__buffer_puts(p->b, ";\n");
}

/* A call of a library function around an operand. */
static void wrap_operand(printer *p, const char *function, uint32_t lanes, char x[OPERAND_BYTES])
{
    char name[SINTER__LIBRARY_NAME];
    char inner[OPERAND_BYTES];
    need(p, SINTER__LIBRARY_WIDTH, lanes, function);
    sinter__library_name(name, SINTER__LIBRARY_WIDTH, lanes, function, strlen(function));
    memcpy(inner, x, sizeof inner);
    (void)snprintf(x, OPERAND_BYTES, "%.40s(%.40s)", name, inner);
}

/* An f16 that is repeated is rounded once more, outside the loop: a compiler makes an operation between
 * conversions one of halves where it sees that both operands are. */
static void map_operand(printer *p, sinter__reg reg, uint32_t lanes, char out[OPERAND_BYTES])
{
    bool computes = p->limits->has_half && p->limits->computes_half;
    bool repeats = lanes != lanes_of(p, reg);
    bool is_rounded = p->c->key.relaxed == SINTER__RELAXED_NOT;
    operand(p, reg, lanes, out);
    if (computes && repeats && is_rounded && p->code->regs[reg].dtype == SINTER_F16)
        wrap_operand(p, sinter__settle(SINTER_F16), lanes, out);
}

/* Whether the library's form for operands that are not above 0 is in the place of its function. In relaxed arithmetic x
 * may be rounded once for its maximum and not at all for the difference. */
static bool takes_below(const printer *p, const sinter__statement *s, sinter__class c)
{
    const char *name = sinter__op_info_of(s->op)->name;
    size_t native;
    return s->is_below && c == SINTER__CLASS_F32 && p->c->key.relaxed == SINTER__RELAXED_NOT &&
           !sinter__native_find(p->limits, SINTER__LIBRARY_F32, name, strlen(name), &native);
}

static void print_map(printer *p, const sinter__statement *s)
{
    const sinter__op_info *info = sinter__op_info_of(s->op);
    uint32_t lanes = lanes_of(p, s->reg);
    sinter__class c = sinter__class_of(s->op == SINTER__OP_WHERE ? s->dtype : s->work);
    char operands[3][OPERAND_BYTES];
    print_target(p, s);
    if (info->kind == SINTER__KIND_CAST) {
        print_cast(p, s, lanes);
        sinter__buffer_puts(p->b, ";\n");
        return;
    }
    for (int i = 0; i < 3; i++)
        map_operand(p, s->source[i], lanes, operands[i]);
    int open = 0;
    bool compare = info->kind == SINTER__KIND_COMPARE;
    open += compare ? open_bool(p, c, lanes) : open_call(p, settle_of(s), lanes);
    const char *cast = sinter__index_cast((sinter_dtype)s->dtype);
    if (info->kind == SINTER__KIND_GENERATE && cast != NULL)
        wrap_operand(p, cast, lanes, operands[0]);
    const char *text = sinter__op_expression(info, sinter__column_of(c));
    sinter__library_class library =
        info->kind == SINTER__KIND_RANDOM ? SINTER__LIBRARY_WIDTH : sinter__library_class_of(c);
    sinter__words words = {.class_ = library, .lanes = lanes, .limits = p->limits};
    words.shares = shares_operands(p, s);
    words.below = takes_below(p, s, c);
    words.asked = p->asks_once && is_bounded(p, s);
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

/* Whether its place is a vector of offsets. */
static bool is_indexed(const sinter__statement *s)
{
    return s->mode == SINTER__MODE_GATHER || s->mode == SINTER__MODE_PIECES;
}

/* The functions that move a vector, by how it lies. */
typedef struct movers {
    const char *plain, *back, *strided, *gather, *pieces;
} movers;

static void print_memory_call(printer *p, const sinter__statement *s, const movers *m,
                              uint32_t lanes)
{
    const char *function = s->mode == SINTER__MODE_STRIDED  ? m->strided
                           : s->mode == SINTER__MODE_GATHER ? m->gather
                           : s->mode == SINTER__MODE_PIECES ? m->pieces
                           : s->mode == SINTER__MODE_BACK   ? m->back
                                                            : m->plain;
    print_library_call(p, memory_class(p, s->dtype, is_indexed(s)), lanes, function);
}

static void print_pointer(printer *p, const sinter__statement *s)
{
    if (s->access >= SINTER__SCRATCH)
        sinter__buffer_printf(p->b, "q%u", s->access - SINTER__SCRATCH);
    else
        sinter__buffer_printf(p->b, "p%u", s->access);
    if (!is_indexed(s))
        sinter__print_offset(p, s->a);
}

/* Offsets or stride, and the number of valid lanes. */
static void print_place(printer *p, const sinter__statement *s, uint32_t lanes)
{
    if (is_indexed(s) || s->mode == SINTER__MODE_STRIDED) {
        sinter__buffer_puts(p->b, ", ");
        sinter__print_ix(p, is_indexed(s) ? s->a : s->b);
    }
    sinter__buffer_puts(p->b, ", ");
    bool has_whole = sinter__has_whole(p, s);
    if (has_whole && p->whole_is == SINTER__WHOLE_UNKNOWN)
        sinter__buffer_printf(p->b, "whole%u + ", s->access);
    lanes += has_whole && p->whole_is == SINTER__WHOLE_SO;
    if (s->mode == SINTER__MODE_ONE || s->c == SINTER__NO_IX)
        sinter__buffer_printf(p->b, "%u", lanes);
    else
        sinter__print_ix(p, s->c);
    sinter__buffer_puts(p->b, ")");
}

static void print_load(printer *p, const sinter__statement *s)
{
    bool one = s->mode == SINTER__MODE_ONE || s->mode == SINTER__MODE_GUARDED;
    uint32_t lanes = one ? 1 : p->c->key.lanes;
    print_target(p, s);
    if (lanes == 1 && lanes_of(p, s->reg) != 1) {
        char type[SINTER__LIBRARY_NAME];
        sinter__vector_type(type, sinter__register_type(sinter__class_of(s->dtype)),
                            lanes_of(p, s->reg));
        sinter__buffer_printf(p->b, "(%s)", type);
    }
    const char *plain = lanes > 1 && p->c->key.tails != 0 ? "load_tail" : "load";
    print_memory_call(p, s, &(movers){plain, "load_back", "load_strided", "gather", "load_pieces"},
                      lanes);
    print_pointer(p, s);
    if (s->count != SINTER__NO_IX) {
        sinter__buffer_puts(p->b, " + ");
        sinter__print_ix(p, s->count);
    }
    print_place(p, s, lanes);
    sinter__buffer_puts(p->b, ";\n");
}

/* The function that stores neighbours. */
static const char *plain_store(const printer *p, const sinter__statement *s)
{
    const sinter__class_access *access = sinter__vectors_stored(p, s);
    if (access == NULL)
        return "store";
    if (access->streams != 0)
        return "stream";
    if (access->parts != 0)
        return "store_parts";
    return p->c->key.tails != 0 ? "store_tail" : "store";
}

static void print_store(printer *p, const sinter__statement *s)
{
    uint32_t lanes = s->mode == SINTER__MODE_ONE ? 1 : p->c->key.lanes;
    char value[OPERAND_BYTES];
    operand(p, s->source[0], lanes, value);
    sinter__print_indent(p);
    const movers m = {plain_store(p, s), "store_back", "store_strided", "scatter", "store_pieces"};
    print_memory_call(p, s, &m, lanes);
    sinter__buffer_printf(p->b, "%s, ", value);
    print_pointer(p, s);
    print_place(p, s, lanes);
    sinter__buffer_puts(p->b, ";\n");
}

/* Each of its lines, a vector having several or a part of one. */
static void print_ahead(printer *p, const sinter__statement *s)
{
    size_t bytes = p->c->key.lanes * sinter_dtype_bytes((sinter_dtype)s->dtype);
    for (size_t at = 0; at < bytes; at += SINTER__LINE_BYTES) {
        sinter__print_indent(p);
        sinter__buffer_puts(p->b, "AHEAD(");
        print_pointer(p, s);
        sinter__buffer_printf(p->b, ", %zu);\n", p->c->accesses[s->access].ahead + at);
    }
}

static void print_move(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_LOAD)
        print_load(p, s);
    else if (s->kind == SINTER__DO_STORE)
        print_store(p, s);
    else
        print_ahead(p, s);
}

/* Indices of elements: base, base + stride, ... or a vector of them. */
static void print_index(printer *p, const sinter__statement *s)
{
    uint32_t lanes = lanes_of(p, s->reg);
    char type[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, sinter__register_type(sinter__class_of(p->code->regs[s->reg].dtype)),
                        lanes);
    print_target(p, s);
    sinter__buffer_printf(p->b, lanes > 1 ? "convert_%s(" : "(%s)(", type);
    sinter__print_ix(p, s->a);
    if (!is_indexed(s) && lanes > 1) {
        sinter__buffer_puts(p->b, " + ");
        sinter__print_lane_numbers(p, p->ix_type);
        sinter__buffer_puts(p->b, " * ");
        sinter__print_ix(p, s->b);
    }
    sinter__buffer_puts(p->b, ");\n");
}

static bool takes_larger(const printer *p, const sinter__statement *s)
{
    return p->c->key.larger != 0 && s->op == SINTER__OP_MAX;
}

/* A function of cl_kernels/tree.cl for the operation and dtype of `s`. */
static void print_tree_call(printer *p, const sinter__statement *s, const char *function)
{
    char full[SINTER__LIBRARY_NAME];
    (void)snprintf(full, sizeof full, "%s@%s", function,
                   takes_larger(p, s) ? SINTER__LARGER : sinter__op_info_of(s->op)->name);
    print_library_call(p, memory_class(p, s->dtype, false), p->c->key.lanes, full);
}

static void print_fold(printer *p, const sinter__statement *s)
{
    char operands[3][OPERAND_BYTES] = {""};
    operand(p, s->source[0], p->c->key.lanes, operands[1]);
    (void)snprintf(operands[0], OPERAND_BYTES, "v%u", s->reg);
    if (s->kind == SINTER__DO_FOLD_ARRAY)
        (void)snprintf(operands[0], OPERAND_BYTES, "v%u[i%d]", s->reg, p->code->ix[s->b].value);
    sinter__print_indent(p);
    sinter__buffer_printf(p->b, "%s = ", operands[0]);
    if (s->c == SINTER__NO_IX) {
        sinter__class c = sinter__class_of(s->dtype);
        const char *x = sinter__op_expression(sinter__op_info_of(s->op), sinter__column_of(c));
        if (takes_larger(p, s))
            x = SINTER__LARGER_EXPRESSION;
        sinter__words words = {
            .class_ = sinter__library_class_of(c), .lanes = p->c->key.lanes, .limits = p->limits};
        print_expression(p, &words, x, operands);
    } else {
        print_tree_call(p, s, "fold");
        sinter__buffer_printf(p->b, "%s, %s, ", operands[0], operands[1]);
        sinter__print_ix(p, s->c);
        sinter__buffer_puts(p->b, ")");
    }
    sinter__buffer_puts(p->b, ";\n");
}

int sinter__slot_lanes(const printer *p)
{
    return p->c->key.group[0] * p->c->key.lanes;
}

/* The arguments of a call, each a letter: x source 0, y source 1, z source 2, p a place in memory,
 * s a slot of local memory, r the rows of a block, w which work-item of the group's second
 * dimension this is and how many there are, and the indices a, b, c and n. */
static void print_arguments(printer *p, const sinter__statement *s, const char *letters)
{
    const sinter__ix indices[] = {s->a, s->b, s->c};
    for (const char *c = letters; *c != '\0'; c++) {
        sinter__buffer_puts(p->b, c == letters ? "" : ", ");
        if (*c == 'x' || *c == 'y' || *c == 'z') {
            char name[OPERAND_BYTES];
            reg_name(p, s->source[*c - 'x'], name);
            sinter__buffer_puts(p->b, name);
        } else if (*c == 'r') {
            sinter__buffer_printf(p->b, "%u", p->c->key.rows);
        } else if (*c == 'w') {
            sinter__buffer_printf(p->b, "(long)get_local_id(1), %u", p->c->key.group[1]);
        } else if (*c == 'p') {
            print_pointer(p, s);
        } else if (*c == 's') {
            const char *type = sinter__register_type(sinter__class_of(s->dtype));
            sinter__buffer_printf(p->b, "t_%s + %d", type, s->access * sinter__slot_lanes(p));
        } else {
            sinter__print_ix(p, *c == 'n' ? s->count : indices[*c - 'a']);
        }
    }
}

/* The tree over states of `place_tree`, one column after the other, or `spread_tree`, a vector of
 * them at once: the first number's region, and those after. Or a step of it. */
static void print_state_tree(printer *p, const sinter__statement *s)
{
    bool is_place = s->work == SINTER__STATE_PLACE;
    bool at_once = !is_place && s->mode == SINTER__MODE_UNIT;
    char function[SINTER__LIBRARY_NAME];
    (void)snprintf(function, sizeof function, "%s_%s@%s", is_place ? "place" : "spread",
                   s->kind == SINTER__DO_TREE_LEVEL ? "level" : "tree",
                   sinter__op_info_of(s->op)->name);
    sinter__print_indent(p);
    print_library_call(p, memory_class(p, s->dtype, false), at_once ? p->c->key.lanes : 1,
                       function);
    for (unsigned k = 0; k < (is_place ? 2 : SINTER__STATE_NUMBERS); k++) {
        sinter__buffer_printf(p->b, "q%u + ", s->access - SINTER__SCRATCH + k);
        sinter__print_ix(p, s->a);
        sinter__buffer_puts(p->b, ", ");
    }
    print_arguments(p, s, s->kind == SINTER__DO_TREE_LEVEL ? "bcnw" : "bcn");
    sinter__buffer_puts(p->b, ");\n");
}

/* What is one call of a function of the library. */
static void print_library_statement(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_STATE_TREE ||
        (s->kind == SINTER__DO_TREE_LEVEL && s->work != SINTER__STATE_NONE)) {
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
        {SINTER__DO_TREE_SWAP, true, true, "swap", "xa"},
        {SINTER__DO_MEMORY_TREE, true, true, "memory_tree", "pbc"},
        {SINTER__DO_TURN, false, false, "load_turned", "xpbcn"},
        {SINTER__DO_LAY, false, false, "lay", "xpbcnr"},
        {SINTER__DO_SET, false, false, "set", "xya"},
        {SINTER__DO_SCAN_LOCAL, true, true, "scan_local", "xac"},
        {SINTER__DO_SCAN_TURNED, true, true, "scan_turned", "xyza"},
        {SINTER__DO_CARRY_TURNED, true, false, "carry_turned", "xyza"},
        {SINTER__DO_SCAN_REST, true, false, "scan_rest", "xya"},
        {SINTER__DO_CARRY_REST, true, false, "carry_rest", "xya"},
        {SINTER__DO_PICK, false, true, "pick", "xac"},
        {SINTER__DO_COLUMN_TREE, true, true, "column_tree", "pbcn"},
        {SINTER__DO_TREE_LEVEL, true, false, "tree_level", "pbcnw"},
    };
    bool nested = s->kind == SINTER__DO_TREE;
    size_t i = 0;
    while (i + 1 < SINTER__COUNT(calls) && calls[i].kind != s->kind)
        i++;
    if (calls[i].gives)
        print_target(p, s);
    else
        sinter__print_indent(p);
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
        start = sinter__tree_identity((sinter__op)s->op, sinter__class_of(r->dtype));
    sinter__vector_type(type, sinter__register_type(sinter__class_of(r->dtype)),
                        lanes_of(p, s->reg));
    sinter__print_indent(p);
    if (r->is_array) {
        int count = p->c->key.partials / p->c->key.lanes;
        sinter__buffer_printf(p->b, "%s v%u[%d];\n", type, s->reg, count);
        sinter__print_indent(p);
        sinter__buffer_printf(p->b, "for (int k = 0; k < %d; k++)\n", count);
        sinter__print_indent(p);
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

/* A vector of an array, or an element. */
static void print_array_at(printer *p, sinter__reg array, bool is_vector, sinter__ix at)
{
    const sinter__reg_info *r = &p->code->regs[array];
    if (is_vector || !r->is_vector) /* or one of single ones */
        sinter__buffer_printf(p->b, "v%u[", array);
    else
        sinter__buffer_printf(p->b, "((%s%s *)v%u)[", r->is_local ? "__local " : "",
                              sinter__register_type(sinter__class_of(r->dtype)), array);
    sinter__print_ix(p, at);
    sinter__buffer_puts(p->b, "]");
}

/* A vector of an array from any element on. What splits a vstore takes a vload from there for as many loads as it has
 * lanes, and one through a pointer for one. */
static void print_window(printer *p, const sinter__statement *s)
{
    const char *element = sinter__register_type(sinter__class_of(p->code->regs[s->reg].dtype));
    bool by_pointer = p->limits->splits_vectors;
    if (by_pointer) {
        sinter__print_indent(p);
        sinter__buffer_puts(p->b, "typedef ");
        print_type(p, s->reg);
        sinter__buffer_printf(p->b, " at%u __attribute__((aligned(sizeof(%s))));\n", s->reg,
                              element);
    }
    print_target(p, s);
    if (by_pointer)
        sinter__buffer_printf(p->b, "*(const at%u *)(", s->reg);
    else
        sinter__buffer_printf(p->b, "vload%u(0, ", lanes_of(p, s->reg));
    sinter__buffer_printf(p->b, "(%s *)v%u + ", element, s->source[0]);
    sinter__print_ix(p, s->a);
    sinter__buffer_puts(p->b, ");\n");
}

/* An array of vectors; a vector or an element put into it, or taken from it. */
static void print_array(printer *p, const sinter__statement *s)
{
    char x[OPERAND_BYTES];
    const sinter__reg_info *r = &p->code->regs[s->reg];
    if (s->kind == SINTER__DO_WINDOW) {
        print_window(p, s);
        return;
    }
    if (s->kind == SINTER__DO_TAKE) {
        print_target(p, s);
        print_array_at(p, s->source[0], r->is_vector, s->a);
    } else if (s->kind == SINTER__DO_PUT) {
        reg_name(p, s->source[0], x);
        sinter__print_indent(p);
        print_array_at(p, s->reg, p->code->regs[s->source[0]].is_vector, s->a);
        sinter__buffer_printf(p->b, " = %s", x);
    } else {
        sinter__print_indent(p);
        sinter__buffer_puts(p->b, r->is_local ? "__local " : "");
        print_type(p, s->reg);
        sinter__buffer_printf(p->b, " v%u[%d]", s->reg, p->code->ix[s->a].value);
    }
    sinter__buffer_puts(p->b, ";\n");
}

static void print_state(printer *p, const sinter__statement *s)
{
    sinter__print_indent(p);
    print_type(p, s->reg);
    sinter__buffer_printf(p->b, " v%u[%d];\n", s->reg,
                          2 * SINTER__SCAN_LEVELS * p->code->ix[s->a].value);
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
    sinter__buffer_puts(p->b, x);
    if (s->kind == SINTER__DO_NEXT && s->b != SINTER__NO_IX) {
        sinter__buffer_puts(p->b, " + ");
        sinter__print_ix(p, s->b);
    }
    sinter__buffer_printf(p->b, ", %s, ", y);
    sinter__print_ix(p, s->a);
    if (s->kind == SINTER__DO_CARRY) {
        sinter__buffer_puts(p->b, ", ");
        sinter__print_ix(p, s->b);
    }
    sinter__buffer_puts(p->b, ");\n");
}

/* Whether the innermost loop that `s` begins folds elements one by one into a float. */
static bool folds_singles(const printer *p, const sinter__statement *s)
{
    const sinter__statement *all = p->code->statements;
    size_t begin = (size_t)(s - all);
    size_t end = sinter__innermost_end(p, begin);
    for (size_t i = begin + 1; i < end; i++) {
        const sinter__reg_info *r = &p->code->regs[all[i].reg];
        bool folds = all[i].kind == SINTER__DO_FOLD || all[i].kind == SINTER__DO_FOLD_ARRAY ||
                     all[i].kind == SINTER__DO_APPEND;
        if (folds && (p->c->key.lanes == 1 || !r->is_vector) &&
            sinter__is_float((sinter_dtype)r->dtype))
            return true;
    }
    return false;
}

static void print_block(printer *p, const sinter__statement *s)
{
    if (s->kind == SINTER__DO_END) {
        p->depth--;
        sinter__print_indent(p);
        sinter__buffer_puts(p->b, "}\n");
        return;
    }
    if (s->written_out)
        sinter__buffer_puts(p->b, "#pragma unroll\n");
    if (p->limits->reorders_sums && folds_singles(p, s))
        sinter__buffer_puts(p->b, "#pragma clang loop vectorize(disable)\n");
    sinter__print_indent(p);
    if (s->kind == SINTER__DO_BARRIER || s->kind == SINTER__DO_LOCAL_BARRIER) {
        const char *memory = s->kind == SINTER__DO_BARRIER ? "GLOBAL" : "LOCAL";
        sinter__buffer_printf(p->b, "barrier(CLK_%s_MEM_FENCE);\n", memory);
        return;
    }
    if (s->kind == SINTER__DO_IF) {
        static const char *const opening[] = {[SINTER__EVEN] = "if (",
                                              [SINTER__RARELY] = "if (RARELY(",
                                              [SINTER__MOSTLY] = "if (!RARELY("};
        sinter__buffer_puts(p->b, opening[s->odds]);
        sinter__print_ix(p, s->a);
        sinter__buffer_puts(p->b, s->odds == SINTER__EVEN ? "" : ")");
    } else if (s->kind == SINTER__DO_HALVE) {
        sinter__buffer_printf(p->b, "for (int i%u = ", s->reg);
        sinter__print_ix(p, s->a);
        sinter__buffer_printf(p->b, "; i%u > 0; i%u /= 2", s->reg, s->reg);
    } else {
        sinter__buffer_printf(p->b, "for (%s i%u = ", p->ix_type, s->reg);
        sinter__print_ix(p, s->a);
        sinter__buffer_printf(p->b, "; i%u < ", s->reg);
        sinter__print_ix(p, s->b);
        sinter__buffer_printf(p->b, "; i%u += ", s->reg);
        sinter__print_ix(p, s->c);
    }
    sinter__buffer_puts(p->b, ") {\n");
    p->depth++;
}

size_t sinter__innermost_end(const printer *p, size_t begin)
{
    const sinter__statement *all = p->code->statements;
    size_t depth = 1;
    for (size_t i = begin + 1; i < p->code->statement_count && all[begin].kind == SINTER__DO_FOR;
         i++) {
        if (all[i].kind == SINTER__DO_FOR || all[i].kind == SINTER__DO_HALVE)
            return 0;
        depth += all[i].kind == SINTER__DO_IF;
        depth -= all[i].kind == SINTER__DO_END;
        if (depth == 0)
            return i;
    }
    return 0;
}

static void print_int(printer *p, const sinter__statement *s)
{
    char type[SINTER__LIBRARY_NAME];
    const sinter__ix_node *n = &p->code->ix[s->a];
    const char *base = n->op == SINTER__IX_COUNT ? "int" : p->ix_type;
    sinter__vector_type(type, base, n->is_vector ? p->c->key.lanes : 1);
    sinter__print_indent(p);
    if (!s->assign)
        sinter__buffer_printf(p->b, "%s ", type);
    sinter__buffer_printf(p->b, "i%u = ", s->reg);
    sinter__print_ix(p, s->a);
    sinter__buffer_puts(p->b, ";\n");
}

void sinter__print_statement(printer *p, const sinter__statement *s)
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
    case SINTER__DO_AHEAD:
    case SINTER__DO_STORE:
        print_move(p, s);
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
    case SINTER__DO_WINDOW:
        print_array(p, s);
        break;
    default:
        print_library_statement(p, s);
        break;
    }
}
