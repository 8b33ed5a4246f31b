/* The parser: by recursive descent, a function per form, each named after what it reads. What it
 * makes is emitted in postfix order as it is found; core/program.h says why. */
#include "core/program.h"

#include "core/sha256.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BUCKETS 1024
#define MAX_TUPLE SINTER_MAX_RANK

typedef struct parser {
    sinter_program *p;
    sinter__lexer lexer;
    sinter__token token; /* the next one */
    size_t fault;        /* where it failed */
    uint32_t depth;      /* values on the stack so far */
    int nesting;
    uint32_t buckets[BUCKETS]; /* names by hash: index plus one */
} parser;

static sinter_status bad(parser *ps, size_t offset, const char *format, ...) SINTER__PRINTF(3, 4);

static sinter_status bad(parser *ps, size_t offset, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ps->fault = offset;
    return sinter__fail(SINTER_ESYNTAX, "%s", text);
}

/* "expected WHAT, found TOKEN" */
static sinter_status expected(parser *ps, const char *what)
{
    const sinter__token *t = &ps->token;
    if (t->kind == SINTER__TOKEN_END)
        return bad(ps, t->offset, "expected %s, found the end of the text", what);
    if (t->kind == SINTER__TOKEN_SEPARATOR && ps->lexer.text[t->offset] == '\n')
        return bad(ps, t->offset, "expected %s, found the end of the line", what);
    return bad(ps, t->offset, "expected %s, found '%.*s'", what,
               (int)SINTER__MIN(t->bytes, (size_t)32), ps->lexer.text + t->offset);
}

static sinter_status advance(parser *ps)
{
    sinter_status status = sinter__lex(&ps->lexer, &ps->token);
    if (status != SINTER_OK)
        ps->fault = ps->token.offset;
    return status;
}

static bool at(const parser *ps, sinter__token_kind kind)
{
    return ps->token.kind == kind;
}

static sinter_status expect(parser *ps, sinter__token_kind kind, const char *what)
{
    return at(ps, kind) ? advance(ps) : expected(ps, what);
}

/* Appending to the program */

#define APPEND(p, array, count, capacity, value)                                                   \
    do {                                                                                           \
        void *array_ = (p)->array;                                                                 \
        sinter_status grown_ = sinter__grow((p)->allocator, &array_, &(p)->capacity,               \
                                            (p)->count + 1, sizeof *(p)->array);                   \
        (p)->array = array_;                                                                       \
        if (grown_ != SINTER_OK)                                                                   \
            return grown_;                                                                         \
        (p)->array[(p)->count++] = (value);                                                        \
    } while (0)

/* Appends an instruction that pops `pops` values. */
static sinter_status emit(parser *ps, sinter__instruction instruction, uint32_t pops)
{
    sinter_program *p = ps->p;
    APPEND(p, code, code_count, code_capacity, instruction);
    ps->depth -= pops;
    ps->depth += instruction.code < SINTER__OPCODE_STORE ? 1 : 0;
    p->stack = SINTER__MAX(p->stack, ps->depth);
    return SINTER_OK;
}

static sinter_status emit_number(parser *ps, sinter__number number, size_t offset)
{
    sinter_program *p = ps->p;
    uint32_t index = (uint32_t)p->number_count;
    APPEND(p, numbers, number_count, number_capacity, number);
    return emit(ps,
                (sinter__instruction){
                    .code = SINTER__OPCODE_NUMBER, .arg = index, .offset = (uint32_t)offset},
                0);
}

/* Names */

static uint32_t bucket_of(const char *text, size_t bytes)
{
    uint64_t hash = bytes;
    for (size_t i = 0; i < bytes; i++)
        hash = sinter__hash(hash, (uint8_t)text[i]);
    return (uint32_t)(hash % BUCKETS);
}

static uint32_t find_name(const parser *ps, const sinter__token *t)
{
    const sinter_program *p = ps->p;
    const char *text = ps->lexer.text + t->offset;
    uint32_t i = ps->buckets[bucket_of(text, t->bytes)];
    for (; i > 0; i = p->names[i - 1].next) {
        const char *name = sinter__program_name(p, i - 1);
        if (strlen(name) == t->bytes && memcmp(name, text, t->bytes) == 0)
            break;
    }
    return i;
}

static sinter_status add_name(parser *ps, const sinter__token *t, sinter__name_state state)
{
    sinter_program *p = ps->p;
    const char *text = ps->lexer.text + t->offset;
    uint32_t *bucket = &ps->buckets[bucket_of(text, t->bytes)];
    if (t->bytes > SINTER__PROGRAM_NAME) {
        return bad(ps, t->offset, "a name of %zu characters, more than %d", t->bytes,
                   SINTER__PROGRAM_NAME);
    }
    if (p->name_count >= SINTER__PROGRAM_NAMES)
        return bad(ps, t->offset, "more than %d names", SINTER__PROGRAM_NAMES);
    sinter__name name = {.text = (uint32_t)p->char_count, .next = *bucket, .state = (uint8_t)state};
    for (size_t i = 0; i < t->bytes; i++)
        APPEND(p, chars, char_count, char_capacity, text[i]);
    APPEND(p, chars, char_count, char_capacity, '\0');
    APPEND(p, names, name_count, name_capacity, name);
    *bucket = (uint32_t)p->name_count;
    return SINTER_OK;
}

static bool is_reserved(const parser *ps, const sinter__token *t)
{
    static const char *const words[] = {"True", "False", "None", "inf", "nan"};
    for (size_t i = 0; i < SINTER__COUNT(words); i++) {
        if (sinter__token_is(&ps->lexer, t, words[i]))
            return true;
    }
    return false;
}

/* A name that has not been assigned when it is read is an input. */
static sinter_status add_input(parser *ps, const sinter__token *t, const sinter__input *input)
{
    sinter_program *p = ps->p;
    SINTER_TRY(add_name(ps, t, SINTER__NAME_INPUT));
    APPEND(p, inputs, input_count, input_capacity, *input);
    p->names[p->name_count - 1].input = (uint32_t)p->input_count;
    return SINTER_OK;
}

static sinter_status read_name(parser *ps, const sinter__token *t)
{
    sinter_program *p = ps->p;
    uint32_t name = find_name(ps, t);
    if (name == 0) {
        sinter__input input = {.name = (uint32_t)p->name_count};
        SINTER_TRY(add_input(ps, t, &input));
        name = (uint32_t)p->name_count;
    }
    sinter__name *n = &p->names[name - 1];
    if (n->state == SINTER__NAME_RELEASED)
        return bad(ps, t->offset, "'%s' has been released", sinter__program_name(p, name - 1));
    n->is_read = true;
    return emit(ps,
                (sinter__instruction){
                    .code = SINTER__OPCODE_NAME, .arg = name - 1, .offset = (uint32_t)t->offset},
                0);
}

/* Expressions */

static sinter_status parse_expression(parser *ps);

static sinter_status find_dtype(parser *ps, const sinter__token *t, sinter_dtype *out)
{
    const char *text = ps->lexer.text + t->offset;
    for (int i = 0; i < SINTER_DTYPE_COUNT; i++) {
        const char *name = sinter__dtype((sinter_dtype)i)->name;
        if (strlen(name) == t->bytes && memcmp(name, text, t->bytes) == 0) {
            *out = (sinter_dtype)i;
            return SINTER_OK;
        }
    }
    return bad(ps, t->offset, "no dtype is called '%.*s'", (int)SINTER__MIN(t->bytes, (size_t)32),
               text);
}

static sinter_status parse_dtype(parser *ps)
{
    sinter_dtype dtype = SINTER_F32;
    sinter__token t = ps->token;
    SINTER_TRY(find_dtype(ps, &t, &dtype));
    SINTER_TRY(advance(ps));
    return emit(ps,
                (sinter__instruction){.code = SINTER__OPCODE_DTYPE,
                                      .arg = (uint32_t)dtype,
                                      .offset = (uint32_t)t.offset},
                0);
}

/* ( expression ) or a tuple; the bracket has been read. */
static sinter_status parse_brackets(parser *ps, size_t offset)
{
    uint16_t count = 0;
    bool is_tuple = at(ps, SINTER__TOKEN_CLOSE);
    while (!at(ps, SINTER__TOKEN_CLOSE)) {
        if (count >= MAX_TUPLE)
            return bad(ps, offset, "a tuple of more than %d numbers", MAX_TUPLE);
        SINTER_TRY(parse_expression(ps));
        count++;
        if (!at(ps, SINTER__TOKEN_COMMA))
            break;
        is_tuple = true;
        SINTER_TRY(advance(ps));
    }
    SINTER_TRY(expect(ps, SINTER__TOKEN_CLOSE, "')'"));
    if (!is_tuple)
        return SINTER_OK;
    return emit(ps,
                (sinter__instruction){
                    .code = SINTER__OPCODE_TUPLE, .count = count, .offset = (uint32_t)offset},
                count);
}

/* One call while its arguments are read. */
typedef struct call {
    sinter__op op;
    sinter__signature signature;
    uint8_t slots[SINTER__MAX_PARAMETERS]; /* parameter of each argument */
    uint8_t count;
    bool given[SINTER__MAX_PARAMETERS];
    bool by_name; /* an argument was given by its parameter's name */
} call;

static sinter_status find_parameter(parser *ps, const call *c, const sinter__token *t,
                                    uint8_t *slot)
{
    for (uint8_t i = 0; i < c->signature.count; i++) {
        const char *name = c->signature.names[i];
        if (name != NULL && sinter__token_is(&ps->lexer, t, name)) {
            *slot = i;
            return SINTER_OK;
        }
    }
    return bad(ps, t->offset, "%s has no parameter '%.*s'", sinter__op_info_of(c->op)->name,
               (int)SINTER__MIN(t->bytes, (size_t)32), ps->lexer.text + t->offset);
}

/* Whether the next token is a name with = behind it. */
static bool at_keyword(const parser *ps)
{
    sinter__lexer ahead = ps->lexer;
    sinter__token next;
    if (!at(ps, SINTER__TOKEN_NAME))
        return false;
    return sinter__lex(&ahead, &next) == SINTER_OK && next.kind == SINTER__TOKEN_ASSIGN;
}

static sinter_status parse_argument(parser *ps, call *c)
{
    const char *name = sinter__op_info_of(c->op)->name;
    uint8_t slot = c->count;
    sinter__token t = ps->token;
    if (at_keyword(ps)) {
        SINTER_TRY(find_parameter(ps, c, &t, &slot));
        SINTER_TRY(advance(ps));
        SINTER_TRY(advance(ps));
        c->by_name = true;
    } else if (c->by_name) {
        return bad(ps, t.offset, "%s: an argument without a name after one with a name", name);
    } else if (slot >= c->signature.count) {
        return bad(ps, t.offset, "%s takes %u argument%s, more are given", name, c->signature.count,
                   c->signature.count == 1 ? "" : "s");
    }
    if (c->given[slot])
        return bad(ps, t.offset, "%s: '%s' is given twice", name, c->signature.names[slot]);
    c->given[slot] = true;
    c->slots[c->count++] = slot;
    return parse_expression(ps);
}

static sinter_status end_call(parser *ps, const call *c, size_t offset)
{
    const char *name = sinter__op_info_of(c->op)->name;
    sinter_program *p = ps->p;
    uint32_t first = (uint32_t)p->slot_count;
    for (uint8_t i = 0; i < c->signature.required; i++) {
        const char *parameter = c->signature.names[i];
        if (!c->given[i] && parameter != NULL)
            return bad(ps, offset, "%s: '%s' is missing", name, parameter);
        if (!c->given[i]) {
            return bad(ps, offset, "%s takes %u arguments, %u given", name, c->signature.count,
                       c->count);
        }
    }
    for (uint8_t i = 0; i < c->count; i++)
        APPEND(p, slots, slot_count, slot_capacity, c->slots[i]);
    return emit(ps,
                (sinter__instruction){.code = SINTER__OPCODE_CALL,
                                      .op = (uint8_t)c->op,
                                      .count = c->count,
                                      .arg = first,
                                      .offset = (uint32_t)offset},
                c->count);
}

/* OPERATION ( arguments ); `t` is the name, and the bracket is next. */
static sinter_status parse_call(parser *ps, const sinter__token *t)
{
    const char *text = ps->lexer.text + t->offset;
    call c = {.op = sinter__op_from_name(text, t->bytes)};
    if (c.op == SINTER__OP_NONE) {
        return bad(ps, t->offset, "no operation is called '%.*s'",
                   (int)SINTER__MIN(t->bytes, (size_t)32), text);
    }
    c.signature = sinter__signature_of(c.op);
    SINTER_TRY(advance(ps));
    while (!at(ps, SINTER__TOKEN_CLOSE)) {
        SINTER_TRY(parse_argument(ps, &c));
        if (!at(ps, SINTER__TOKEN_COMMA))
            break;
        SINTER_TRY(advance(ps));
    }
    SINTER_TRY(expect(ps, SINTER__TOKEN_CLOSE, "',' or ')'"));
    return end_call(ps, &c, t->offset);
}

/* True, False, None, inf, nan; a call; a name. */
static sinter_status parse_name(parser *ps)
{
    sinter__token t = ps->token;
    SINTER_TRY(advance(ps));
    if (sinter__token_is(&ps->lexer, &t, "None")) {
        return emit(
            ps, (sinter__instruction){.code = SINTER__OPCODE_NONE, .offset = (uint32_t)t.offset},
            0);
    }
    if (sinter__token_is(&ps->lexer, &t, "True") || sinter__token_is(&ps->lexer, &t, "False"))
        return emit_number(ps, sinter__number_bool(t.bytes == 4), t.offset);
    if (is_reserved(ps, &t)) {
        bool inf = sinter__token_is(&ps->lexer, &t, "inf");
        return emit_number(ps, sinter__number_float(inf ? INFINITY : NAN), t.offset);
    }
    return at(ps, SINTER__TOKEN_OPEN) ? parse_call(ps, &t) : read_name(ps, &t);
}

static sinter_status parse_atom(parser *ps)
{
    sinter__token t = ps->token;
    switch (t.kind) {
    case SINTER__TOKEN_NUMBER:
        SINTER_TRY(advance(ps));
        return emit_number(ps, t.number, t.offset);
    case SINTER__TOKEN_STRING:
        return parse_dtype(ps);
    case SINTER__TOKEN_NAME:
        return parse_name(ps);
    case SINTER__TOKEN_OPEN:
        SINTER_TRY(advance(ps));
        return parse_brackets(ps, t.offset);
    default:
        return expected(ps, "an expression");
    }
}

static bool ends_subscript(const parser *ps)
{
    return at(ps, SINTER__TOKEN_COMMA) || at(ps, SINTER__TOKEN_CLOSE_SQUARE);
}

/* An expression, ..., or start:stop:step with any of the three left out. */
static sinter_status parse_subscript(parser *ps)
{
    sinter__instruction range = {.code = SINTER__OPCODE_RANGE,
                                 .offset = (uint32_t)ps->token.offset};
    if (at(ps, SINTER__TOKEN_ELLIPSIS)) {
        range.code = SINTER__OPCODE_ELLIPSIS;
        SINTER_TRY(advance(ps));
        return emit(ps, range, 0);
    }
    if (!at(ps, SINTER__TOKEN_COLON)) {
        SINTER_TRY(parse_expression(ps));
        range.arg = 1;
    }
    if (!at(ps, SINTER__TOKEN_COLON))
        return SINTER_OK;
    for (uint32_t bit = 2; bit <= 4 && at(ps, SINTER__TOKEN_COLON); bit *= 2) {
        SINTER_TRY(advance(ps));
        if (at(ps, SINTER__TOKEN_COLON) || ends_subscript(ps))
            continue;
        SINTER_TRY(parse_expression(ps));
        range.arg |= bit;
    }
    return emit(ps, range, (uint32_t)__builtin_popcount(range.arg));
}

/* [ subscripts ] */
static sinter_status parse_index(parser *ps)
{
    sinter__instruction index = {.code = SINTER__OPCODE_INDEX,
                                 .offset = (uint32_t)ps->token.offset};
    SINTER_TRY(advance(ps));
    do {
        if (index.count >= SINTER__PROGRAM_SUBSCRIPTS)
            return bad(ps, index.offset, "more than %d subscripts", SINTER__PROGRAM_SUBSCRIPTS);
        SINTER_TRY(parse_subscript(ps));
        index.count++;
        if (!at(ps, SINTER__TOKEN_COMMA))
            break;
        SINTER_TRY(advance(ps));
    } while (!at(ps, SINTER__TOKEN_CLOSE_SQUARE));
    SINTER_TRY(expect(ps, SINTER__TOKEN_CLOSE_SQUARE, "',' or ']'"));
    return emit(ps, index, index.count + 1u);
}

static sinter_status parse_unary(parser *ps);

/* An atom with its indices, and ** with what is on its right: -x there belongs to the power. */
static sinter_status parse_power(parser *ps)
{
    SINTER_TRY(parse_atom(ps));
    while (at(ps, SINTER__TOKEN_OPEN_SQUARE))
        SINTER_TRY(parse_index(ps));
    sinter__token t = ps->token;
    if (t.kind != SINTER__TOKEN_OPERATOR || t.level != SINTER__LEVEL_POWER)
        return SINTER_OK;
    SINTER_TRY(advance(ps));
    SINTER_TRY(parse_unary(ps));
    return emit(ps,
                (sinter__instruction){.code = SINTER__OPCODE_BINARY,
                                      .op = (uint8_t)t.op,
                                      .offset = (uint32_t)t.offset},
                2);
}

/* The operation of a sign in front of an operand. */
static bool sign_of(const sinter__token *t, sinter__op *op)
{
    bool invert = t->kind == SINTER__TOKEN_INVERT;
    bool sign =
        t->kind == SINTER__TOKEN_OPERATOR && (t->op == SINTER__OP_ADD || t->op == SINTER__OP_SUB);
    *op = SINTER__OP_NONE;
    if (invert) {
        *op = SINTER__OP_BIT_NOT;
    } else if (sign && t->op == SINTER__OP_SUB) {
        *op = SINTER__OP_NEG;
    }
    return invert || sign;
}

/* Every way to go deeper leads through here, so the depth is bounded here. */
static sinter_status parse_unary(parser *ps)
{
    sinter__token t = ps->token;
    sinter__op op;
    if (++ps->nesting > SINTER__PROGRAM_DEPTH + 1) /* what is innermost is in none */
        return bad(ps, t.offset, "nested deeper than %d", SINTER__PROGRAM_DEPTH);
    if (sign_of(&t, &op)) {
        SINTER_TRY(advance(ps));
        SINTER_TRY(parse_unary(ps));
        SINTER_TRY(emit(ps,
                        (sinter__instruction){.code = SINTER__OPCODE_UNARY,
                                              .op = (uint8_t)op,
                                              .offset = (uint32_t)t.offset},
                        1));
    } else {
        SINTER_TRY(parse_power(ps));
    }
    ps->nesting--;
    return SINTER_OK;
}

/* Infix operators that bind at least as strongly as `level`, from the left. */
static sinter_status parse_infix(parser *ps, int level)
{
    SINTER_TRY(parse_unary(ps));
    while (at(ps, SINTER__TOKEN_OPERATOR) && ps->token.level >= level &&
           ps->token.level < SINTER__LEVEL_POWER) {
        sinter__token t = ps->token;
        SINTER_TRY(advance(ps));
        SINTER_TRY(parse_infix(ps, t.level + 1));
        SINTER_TRY(emit(ps,
                        (sinter__instruction){.code = SINTER__OPCODE_BINARY,
                                              .op = (uint8_t)t.op,
                                              .offset = (uint32_t)t.offset},
                        2));
        if (t.level == SINTER__LEVEL_COMPARE && at(ps, SINTER__TOKEN_OPERATOR) &&
            ps->token.level == SINTER__LEVEL_COMPARE)
            return bad(ps, ps->token.offset, "comparisons do not chain: write (a < b) & (b < c)");
    }
    return SINTER_OK;
}

static sinter_status parse_expression(parser *ps)
{
    return parse_infix(ps, SINTER__LEVEL_COMPARE);
}

/* Statements */

/* NAME = expression; `t` is the name, and what follows it is next. */
static sinter_status parse_assignment(parser *ps, const sinter__token *t)
{
    sinter_program *p = ps->p;
    if (!at(ps, SINTER__TOKEN_ASSIGN))
        return expected(ps, "'=' after the name");
    if (is_reserved(ps, t)) {
        return bad(ps, t->offset, "'%.*s' cannot be assigned", (int)t->bytes,
                   ps->lexer.text + t->offset);
    }
    SINTER_TRY(advance(ps));
    SINTER_TRY(parse_expression(ps));
    uint32_t name = find_name(ps, t);
    if (name == 0) {
        SINTER_TRY(add_name(ps, t, SINTER__NAME_ASSIGNED));
        name = (uint32_t)p->name_count;
    }
    sinter__name *n = &p->names[name - 1];
    n->state = SINTER__NAME_ASSIGNED;
    n->is_read = false;
    if (!n->is_listed)
        APPEND(p, results, result_count, result_capacity, name - 1);
    n->is_listed = true;
    return emit(ps,
                (sinter__instruction){
                    .code = SINTER__OPCODE_STORE, .arg = name - 1, .offset = (uint32_t)t->offset},
                1);
}

static sinter_status parse_extents(parser *ps, sinter_tensor_desc *desc)
{
    SINTER_TRY(expect(ps, SINTER__TOKEN_OPEN_SQUARE, "'[' and the extents"));
    while (!at(ps, SINTER__TOKEN_CLOSE_SQUARE)) {
        int64_t extent;
        if (!at(ps, SINTER__TOKEN_NUMBER) || !sinter__number_to_i64(&ps->token.number, &extent))
            return expected(ps, "an extent");
        if (desc->rank >= SINTER_MAX_RANK)
            return bad(ps, ps->token.offset, "more than %d extents", SINTER_MAX_RANK);
        desc->shape[desc->rank++] = extent;
        SINTER_TRY(advance(ps));
        if (!at(ps, SINTER__TOKEN_COMMA))
            break;
        SINTER_TRY(advance(ps));
    }
    return expect(ps, SINTER__TOKEN_CLOSE_SQUARE, "',' or ']'");
}

/* input NAME dtype[extents]; the name is next. */
static sinter_status parse_input(parser *ps)
{
    sinter__token t = ps->token;
    sinter__input input = {.name = (uint32_t)ps->p->name_count, .is_declared = true};
    if (is_reserved(ps, &t))
        return expected(ps, "the name of an input");
    if (find_name(ps, &t) > 0) {
        return bad(ps, t.offset, "'%.*s' is in use already",
                   (int)SINTER__MIN(t.bytes, (size_t)SINTER__PROGRAM_NAME),
                   ps->lexer.text + t.offset);
    }
    SINTER_TRY(advance(ps));
    if (!at(ps, SINTER__TOKEN_NAME))
        return expected(ps, "a dtype");
    SINTER_TRY(find_dtype(ps, &ps->token, &input.desc.dtype));
    SINTER_TRY(advance(ps));
    SINTER_TRY(parse_extents(ps, &input.desc));
    SINTER_TRY(add_input(ps, &t, &input));
    return emit(ps,
                (sinter__instruction){.code = SINTER__OPCODE_INPUT,
                                      .arg = (uint32_t)ps->p->input_count - 1,
                                      .offset = (uint32_t)t.offset},
                0);
}

/* release NAME; the name is next. */
static sinter_status parse_release(parser *ps)
{
    sinter_program *p = ps->p;
    sinter__token t = ps->token;
    uint32_t name = find_name(ps, &t);
    if (name == 0 || p->names[name - 1].state == SINTER__NAME_RELEASED) {
        return bad(ps, t.offset, "nothing is called '%.*s' here",
                   (int)SINTER__MIN(t.bytes, (size_t)SINTER__PROGRAM_NAME),
                   ps->lexer.text + t.offset);
    }
    sinter__name *n = &p->names[name - 1];
    if (n->state == SINTER__NAME_INPUT)
        p->inputs[n->input - 1].is_released = true;
    n->state = SINTER__NAME_RELEASED;
    SINTER_TRY(advance(ps));
    return emit(ps,
                (sinter__instruction){
                    .code = SINTER__OPCODE_RELEASE, .arg = name - 1, .offset = (uint32_t)t.offset},
                0);
}

/* `input`, `release` and `cut` are words of the language only where nothing else can stand. */
static sinter_status parse_statement(parser *ps)
{
    sinter__token t = ps->token;
    if (!at(ps, SINTER__TOKEN_NAME))
        return expected(ps, "'name = expression'");
    SINTER_TRY(advance(ps));
    if (at(ps, SINTER__TOKEN_NAME) && sinter__token_is(&ps->lexer, &t, "input"))
        return parse_input(ps);
    if (at(ps, SINTER__TOKEN_NAME) && sinter__token_is(&ps->lexer, &t, "release"))
        return parse_release(ps);
    bool alone = at(ps, SINTER__TOKEN_SEPARATOR) || at(ps, SINTER__TOKEN_END);
    if (alone && sinter__token_is(&ps->lexer, &t, "cut")) {
        ps->p->cuts = true;
        return emit(
            ps, (sinter__instruction){.code = SINTER__OPCODE_CUT, .offset = (uint32_t)t.offset}, 0);
    }
    return parse_assignment(ps, &t);
}

static sinter_status parse_program(parser *ps)
{
    SINTER_TRY(advance(ps));
    while (!at(ps, SINTER__TOKEN_END)) {
        if (at(ps, SINTER__TOKEN_SEPARATOR)) {
            SINTER_TRY(advance(ps));
            continue;
        }
        SINTER_TRY(parse_statement(ps));
        if (!at(ps, SINTER__TOKEN_SEPARATOR) && !at(ps, SINTER__TOKEN_END))
            return expected(ps, "an operator or the end of the statement");
    }
    return SINTER_OK;
}

/* Names that are released at the end are no results. */
static void settle_results(sinter_program *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->result_count; i++) {
        if (p->names[p->results[i]].state == SINTER__NAME_ASSIGNED)
            p->results[kept++] = p->results[i];
    }
    p->result_count = kept;
}

static void digest_text(sinter_program *p)
{
    sinter__sha256 h;
    uint8_t digest[SINTER__SHA256_BYTES];
    sinter__sha256_init(&h);
    sinter__sha256_add(&h, p->text, p->bytes);
    sinter__sha256_end(&h, digest);
    memcpy(p->digest, digest, sizeof p->digest);
}

sinter_status sinter__program_parse(sinter_program *p, sinter__allocator *a, const char *text,
                                    size_t bytes, size_t *offset)
{
    *p = (sinter_program){.allocator = a};
    *offset = 0;
    if (bytes > SINTER__PROGRAM_BYTES) {
        return sinter__fail(SINTER_ESYNTAX, "a program of %zu bytes, more than %zu", bytes,
                            SINTER__PROGRAM_BYTES);
    }
    p->text = sinter__alloc(a, bytes + 1);
    if (p->text == NULL)
        return SINTER_ENOMEM;
    if (bytes > 0)
        memcpy(p->text, text, bytes);
    p->bytes = bytes;
    parser ps = {.p = p, .lexer = {.text = p->text, .bytes = bytes}};
    sinter_status status = parse_program(&ps);
    settle_results(p);
    *offset = ps.fault;
    digest_text(p);
    return status;
}

void sinter__program_finish(sinter_program *p)
{
    sinter__allocator *a = p->allocator;
    sinter__free(a, p->text, p->bytes + 1);
    sinter__free(a, p->code, p->code_capacity * sizeof *p->code);
    sinter__free(a, p->numbers, p->number_capacity * sizeof *p->numbers);
    sinter__free(a, p->slots, p->slot_capacity * sizeof *p->slots);
    sinter__free(a, p->chars, p->char_capacity * sizeof *p->chars);
    sinter__free(a, p->names, p->name_capacity * sizeof *p->names);
    sinter__free(a, p->inputs, p->input_capacity * sizeof *p->inputs);
    sinter__free(a, p->results, p->result_capacity * sizeof *p->results);
    *p = (sinter_program){.allocator = a};
}
