/* Sizes as text: the printer, and a parser that recurses into brackets, to a stated depth. */
#include "core/size.h"

#include <string.h>

/* Printing */

void sinter__size_print(sinter__size a, sinter__buffer *out)
{
    if (a.count == 0)
        sinter__buffer_puts(out, "0");
    for (uint32_t i = 0; i < a.count; i++) {
        const sinter__size_term *t = &a.terms[i];
        bool is_minus = t->degree > 0 && t->coefficient == -1;
        if (i > 0 && t->coefficient > 0)
            sinter__buffer_puts(out, "+");
        if (is_minus)
            sinter__buffer_puts(out, "-");
        else if (t->degree == 0 || t->coefficient != 1)
            sinter__buffer_printf(out, "%lld%s", (long long)t->coefficient,
                                  t->degree > 0 ? "*" : "");
        sinter__buffer_puts(out, t->text);
    }
}

/* Parsing */

typedef struct parser {
    sinter__sizes *pool;
    const char *text;
    size_t bytes;
    size_t at;
    int nested;
    sinter__size *stack; /* what sums and maxima are still to be made of */
    size_t count;
    size_t capacity;
} parser;

static sinter_status parse_sum(parser *p, sinter__size *out);

static char next_char(parser *p)
{
    while (p->at < p->bytes && (p->text[p->at] == ' ' || p->text[p->at] == '\t'))
        p->at++;
    if (p->at >= p->bytes)
        return '\0';
    return p->text[p->at];
}

static bool accept(parser *p, char c)
{
    bool is_next = next_char(p) == c && p->at < p->bytes;
    p->at += is_next;
    return is_next;
}

static sinter_status expect(parser *p, const char *what)
{
    char c = next_char(p);
    if (p->at >= p->bytes)
        return sinter__fail(SINTER_ESYNTAX, "%s is wanted where the text ends", what);
    if (c > ' ' && c < 127)
        return sinter__fail(SINTER_ESYNTAX, "%s is wanted in place of '%c'", what, c);
    return sinter__fail(SINTER_ESYNTAX, "%s is wanted in place of the byte 0x%02x", what,
                        (unsigned)(unsigned char)c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* `c` is wanted next. */
static sinter_status skip(parser *p, char c)
{
    const char what[] = {'\'', c, '\'', '\0'};
    return accept(p, c) ? SINTER_OK : expect(p, what);
}

static sinter_status parse_number(parser *p, const char *what, int64_t *out)
{
    *out = 0;
    if (!is_digit(next_char(p)))
        return expect(p, what);
    size_t begin = p->at;
    for (; p->at < p->bytes && is_digit(p->text[p->at]); p->at++) {
        if (!sinter__mul_i64(*out, 10, out) ||
            __builtin_add_overflow(*out, p->text[p->at] - '0', out)) {
            p->at = begin;
            return sinter__fail(SINTER_ERANGE, "a number that does not fit 64 bits");
        }
    }
    if (p->at < p->bytes && is_letter(p->text[p->at]))
        return expect(p, "an operator");
    return SINTER_OK;
}

/* A divisor, or the unit of a rounding. */
static sinter_status parse_positive(parser *p, const char *what, int64_t *out)
{
    (void)next_char(p);
    size_t begin = p->at;
    SINTER_TRY(parse_number(p, what, out));
    if (*out > 0)
        return SINTER_OK;
    p->at = begin;
    return sinter__fail(SINTER_EINVAL, "%s is wanted in place of 0", what);
}

static sinter_status push(parser *p, sinter__size a)
{
    void *stack = p->stack;
    SINTER_TRY(sinter__grow(p->pool->arena.allocator, &stack, &p->capacity, p->count + 1,
                            sizeof *p->stack));
    p->stack = stack;
    p->stack[p->count++] = a;
    return SINTER_OK;
}

static sinter_status parse_max(parser *p, sinter__size *out)
{
    size_t base = p->count;
    sinter__size operand = {NULL, 0};
    do {
        SINTER_TRY(parse_sum(p, &operand));
        SINTER_TRY(push(p, operand));
    } while (accept(p, ','));
    SINTER_TRY(sinter__size_max(p->pool, p->stack + base, p->count - base, out));
    p->count = base;
    return SINTER_OK;
}

static sinter_status parse_align(parser *p, sinter__size *out)
{
    sinter__size operand = {NULL, 0};
    int64_t unit = 1;
    SINTER_TRY(parse_sum(p, &operand));
    SINTER_TRY(skip(p, ','));
    SINTER_TRY(parse_positive(p, "a whole number from 1", &unit));
    return sinter__size_align(p->pool, operand, unit, out);
}

typedef sinter_status (*parse_fn)(parser *p, sinter__size *out);

/* What is in brackets, the opening one being next. */
static sinter_status parse_brackets(parser *p, parse_fn inside, sinter__size *out)
{
    (void)next_char(p);
    if (p->nested == SINTER__SIZE_NESTED)
        return sinter__fail(SINTER_ERANGE, "brackets nested more than %d deep",
                            SINTER__SIZE_NESTED);
    SINTER_TRY(skip(p, '('));
    p->nested++;
    SINTER_TRY(inside(p, out));
    p->nested--;
    return skip(p, ')');
}

static sinter_status parse_word(parser *p, sinter__size *out)
{
    const char *word = p->text + p->at;
    size_t bytes = 0;
    while (p->at < p->bytes && (is_letter(p->text[p->at]) || is_digit(p->text[p->at]))) {
        p->at++;
        bytes++;
    }
    if (bytes == 3 && memcmp(word, "max", 3) == 0)
        return parse_brackets(p, parse_max, out);
    if (bytes == 8 && memcmp(word, "align_up", 8) == 0)
        return parse_brackets(p, parse_align, out);
    return sinter__size_symbol(p->pool, word, bytes, out);
}

static sinter_status parse_factor(parser *p, sinter__size *out)
{
    char c = next_char(p);
    int64_t number = 0;
    if (c == '(')
        return parse_brackets(p, parse_sum, out);
    if (is_letter(c))
        return parse_word(p, out);
    SINTER_TRY(parse_number(p, "a number, a symbol or '('", &number));
    return sinter__size_constant(p->pool, number, out);
}

static sinter_status parse_product(parser *p, sinter__size *out)
{
    sinter__size factor = {NULL, 0};
    int64_t divisor = 1;
    SINTER_TRY(parse_factor(p, out));
    for (;;) {
        if (accept(p, '*')) {
            SINTER_TRY(parse_factor(p, &factor));
            SINTER_TRY(sinter__size_multiply(p->pool, *out, factor, out));
        } else if (accept(p, '/')) {
            SINTER_TRY(parse_positive(p, "a whole number from 1", &divisor));
            SINTER_TRY(sinter__size_divide(p->pool, *out, divisor, out));
        } else {
            return SINTER_OK;
        }
    }
}

static sinter_status parse_sum(parser *p, sinter__size *out)
{
    size_t base = p->count;
    bool is_minus = accept(p, '-');
    do {
        SINTER_TRY(parse_product(p, out));
        if (is_minus)
            SINTER_TRY(sinter__size_subtract(p->pool, (sinter__size){NULL, 0}, *out, out));
        SINTER_TRY(push(p, *out));
        is_minus = next_char(p) == '-';
    } while (accept(p, '+') || accept(p, '-'));
    SINTER_TRY(sinter__size_sum(p->pool, p->stack + base, p->count - base, out));
    p->count = base;
    return SINTER_OK;
}

sinter_status sinter__size_parse(sinter__sizes *pool, const char *text, size_t bytes,
                                 sinter__size *out, size_t *offset)
{
    parser p = {.pool = pool, .text = text, .bytes = bytes};
    *out = (sinter__size){NULL, 0};
    sinter_status status = parse_sum(&p, out);
    if (status == SINTER_OK && (next_char(&p), p.at < bytes))
        status = expect(&p, "an operator");
    *offset = p.at;
    sinter__free(pool->arena.allocator, p.stack, p.capacity * sizeof *p.stack);
    if (status != SINTER_OK)
        *out = (sinter__size){NULL, 0};
    return status;
}
