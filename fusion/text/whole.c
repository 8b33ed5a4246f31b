/* The one hard idea: a full vector of a result lies at a multiple of its size where the first one
 * does, and everything by which the place grows is a multiple of the lanes: numbers and steps that
 * are known here, strides and extents that the kernel has as arguments. So a kernel asks about the
 * pointer and those arguments once, `whole`, and not about each vector: what is asked in the loop
 * keeps a compiler from laying out its stores (docs/decisions/streaming-stores.md). Where the
 * answer is no, each is asked. */
#include "fusion/text/whole.h"

#include "fusion/text/index.h"

#define MOST_STEPS 12 /* from a place to what it is made of: a variable may be made of itself */

/* Statements up to which a loop is printed twice. What a longer one does beside its stores hides what they ask. */
#define MOST_STATEMENTS 40

/* What has to be a multiple of the lanes: a bit for each parameter. */
typedef struct divisor {
    const sinter__code *code;
    int32_t lanes;
    uint64_t params;
    int steps;
} divisor;

static bool divides(divisor *d, sinter__ix ix);

/* All that is ever assigned to it, and what it grows by. */
static bool divides_variable(divisor *d, int32_t number)
{
    bool any = false;
    for (size_t i = 0; i < d->code->statement_count; i++) {
        const sinter__statement *s = &d->code->statements[i];
        bool is_loop = s->kind == SINTER__DO_FOR;
        if ((!is_loop && s->kind != SINTER__DO_INT) || s->reg != number)
            continue;
        if (!divides(d, s->a) || (is_loop && !divides(d, s->c)))
            return false;
        any = true;
    }
    return any;
}

/* A product is a multiple where one of its factors is: one that is known, rather than an argument. */
static bool divides_product(divisor *d, const sinter__ix_node *n)
{
    uint64_t before = d->params;
    bool first = divides(d, n->a);
    uint64_t by_first = d->params;
    d->params = before;
    if (divides(d, n->b) && (!first || d->params == before))
        return true;
    d->params = by_first;
    return first;
}

static bool divides(divisor *d, sinter__ix ix)
{
    const sinter__ix_node *n = &d->code->ix[ix];
    bool does = false;
    if (d->steps == MOST_STEPS)
        return false;
    d->steps++;
    switch ((sinter__ix_op)n->op) {
    case SINTER__IX_NUMBER:
        does = n->value % d->lanes == 0;
        break;
    case SINTER__IX_VARIABLE:
        does = divides_variable(d, n->value);
        break;
    case SINTER__IX_PARAM:
        does = n->value < 64;
        d->params |= does ? (uint64_t)1 << n->value : 0;
        break;
    case SINTER__IX_ADD:
    case SINTER__IX_SUB:
    case SINTER__IX_MIN:
        does = divides(d, n->a) && divides(d, n->b);
        break;
    case SINTER__IX_MUL:
        does = divides_product(d, n);
        break;
    default:
        break;
    }
    d->steps--;
    return does;
}

const sinter__class_access *sinter__vectors_stored(const printer *p, const sinter__statement *s)
{
    bool are = s->kind == SINTER__DO_STORE && s->mode != SINTER__MODE_ONE && p->c->key.lanes > 1 &&
               s->access < SINTER__SCRATCH;
    return are ? &p->c->accesses[s->access] : NULL;
}

bool sinter__stores_past(const printer *p, const sinter__statement *s)
{
    const sinter__class_access *access = sinter__vectors_stored(p, s);
    return access != NULL && access->streams != 0;
}

/* Whether it stores full vectors so, one behind the other. */
static bool stores_full(const printer *p, const sinter__statement *s)
{
    return s->mode == SINTER__MODE_UNIT && s->c == SINTER__NO_IX && sinter__stores_past(p, s);
}

bool sinter__has_whole(const printer *p, const sinter__statement *s)
{
    return stores_full(p, s) && s->access < 64 && (p->whole >> s->access & 1) != 0;
}

/* Whether the places of all full vectors of an access can be told from parameters. */
static bool is_told(const printer *p, uint16_t access, divisor *d)
{
    bool any = false;
    for (size_t i = 0; i < p->code->statement_count; i++) {
        const sinter__statement *s = &p->code->statements[i];
        if (s->access != access || !stores_full(p, s))
            continue;
        any = true;
        if (!divides(d, s->a))
            return false;
    }
    return any;
}

void sinter__print_whole(printer *p)
{
    for (uint16_t a = 0; a < p->c->key.access_count && a < 64; a++) {
        divisor d = {.code = p->code, .lanes = p->c->key.lanes};
        const char *sign = " && ((";
        if (!is_told(p, a, &d))
            continue;
        p->whole |= (uint64_t)1 << a;
        sinter__print_indent(p);
        sinter__buffer_printf(p->b, "const int whole%u = CAN_STREAM_%sx%d(p%u)", a,
                              sinter_dtype_name((sinter_dtype)p->nest->accesses[a].dtype),
                              (int)d.lanes, a);
        for (uint64_t left = d.params; left != 0; left &= left - 1) {
            sinter__buffer_puts(p->b, sign);
            sinter__print_param(p, (size_t)__builtin_ctzll(left));
            sign = " | ";
        }
        if (d.params != 0)
            sinter__buffer_printf(p->b, ") & %d) == 0", (int)d.lanes - 1);
        sinter__buffer_puts(p->b, ";\n");
    }
}

size_t sinter__whole_loop(const printer *p, size_t begin)
{
    size_t end = sinter__innermost_end(p, begin);
    size_t asks = 0;
    bool stores = false;
    for (size_t i = begin + 1; i < end; i++) {
        asks += p->code->statements[i].kind == SINTER__DO_AHEAD;
        stores |= sinter__has_whole(p, &p->code->statements[i]);
    }
    return stores && end - asks <= begin + MOST_STATEMENTS ? end : 0;
}

/* Opens what is for the case that one of the loop's is not. */
static void print_question(printer *p, size_t begin, size_t end)
{
    uint64_t asked = 0;
    const char *sign = "if (RARELY(!(";
    for (size_t i = begin; i < end; i++) {
        const sinter__statement *s = &p->code->statements[i];
        if (!sinter__has_whole(p, s) || (asked >> s->access & 1) != 0)
            continue;
        asked |= (uint64_t)1 << s->access;
        sinter__buffer_printf(p->b, "%swhole%u", sign, s->access);
        sign = " & ";
    }
    sinter__buffer_puts(p->b, "))) {\n");
}

static void print_loop(printer *p, size_t begin, size_t end, sinter__whole_is whole_is)
{
    p->whole_is = whole_is;
    p->depth++;
    for (size_t i = begin; i <= end; i++)
        sinter__print_statement(p, &p->code->statements[i]);
    p->depth--;
    p->whole_is = SINTER__WHOLE_UNKNOWN;
    sinter__print_indent(p);
}

void sinter__print_whole_loop(printer *p, size_t begin, size_t end)
{
    sinter__print_indent(p);
    print_question(p, begin, end);
    print_loop(p, begin, end, SINTER__WHOLE_NOT);
    sinter__buffer_puts(p->b, "} else {\n");
    print_loop(p, begin, end, SINTER__WHOLE_SO);
    sinter__buffer_puts(p->b, "}\n");
}
