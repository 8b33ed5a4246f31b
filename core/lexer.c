/* Text into words.
 *
 * The one hard idea: the value of a float must not depend on the host's locale, whose decimal point
 * strtod expects. So strtod never sees a point: 12.5e3 goes to it as 125e2, and 0x1.8p1 as 0x18p-3,
 * which are the same numbers. */
#include "core/lexer.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER 1000      /* characters: more digits than any double needs */
#define MAX_EXPONENT 1000000 /* beyond it everything is 0 or infinite */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char char_at(const sinter__lexer *l, size_t at)
{
    if (at >= l->bytes)
        return '\0';
    return l->text[at];
}

/* Spaces, comments, and the ends of lines inside brackets. */
static void skip_space(sinter__lexer *l)
{
    for (; l->at < l->bytes; l->at++) {
        char c = l->text[l->at];
        if (c == '#') {
            while (l->at < l->bytes && l->text[l->at] != '\n')
                l->at++;
            c = char_at(l, l->at);
        }
        bool space = c == ' ' || c == '\t' || c == '\r' || (c == '\n' && l->brackets > 0);
        if (l->at >= l->bytes || !space)
            return;
    }
}

/* Numbers */

/* The parts of a number as they are found. */
typedef struct parts {
    bool hex;
    bool is_float;
    long exponent; /* of ten, or (hex) of two */
    size_t digits;
    char digit[MAX_NUMBER + 32]; /* 0x if hex, the digits without the point; then the exponent */
} parts;

static sinter_status bad_number(const char *why)
{
    return sinter__fail(SINTER_ESYNTAX, "%s", why);
}

/* Digits with at most one point among them. */
static sinter_status take_digits(sinter__lexer *l, parts *p)
{
    size_t first = p->digits;
    for (; l->at < l->bytes; l->at++) {
        char c = l->text[l->at];
        if (c == '.' && !p->is_float) {
            p->is_float = true;
            continue;
        }
        if (p->hex ? !is_hex(c) : !is_digit(c))
            break;
        if (p->digits >= MAX_NUMBER)
            return bad_number("a number of more than 1000 digits");
        p->digit[p->digits++] = c;
        if (p->is_float)
            p->exponent -= p->hex ? 4 : 1;
    }
    return p->digits > first ? SINTER_OK : bad_number("a number without digits");
}

/* e or p, a sign, digits. */
static sinter_status take_exponent(sinter__lexer *l, parts *p)
{
    char mark = (char)(char_at(l, l->at) | 32);
    if (mark != (p->hex ? 'p' : 'e'))
        return SINTER_OK;
    size_t at = l->at + 1;
    bool negative = char_at(l, at) == '-';
    at += negative || char_at(l, at) == '+' ? 1 : 0;
    if (!is_digit(char_at(l, at)))
        return bad_number("an exponent without digits");
    long value = 0;
    for (; is_digit(char_at(l, at)); at++)
        value = value < MAX_EXPONENT ? value * 10 + (char_at(l, at) - '0') : value;
    p->exponent += negative ? -value : value;
    p->is_float = true;
    l->at = at;
    return SINTER_OK;
}

static void float_of_parts(parts *p, sinter__token *t)
{
    char *at = p->digit + p->digits;
    unsigned long size = (unsigned long)(p->exponent < 0 ? -p->exponent : p->exponent);
    char reversed[24];
    int count = 0;
    *at++ = p->hex ? 'p' : 'e';
    *at++ = p->exponent < 0 ? '-' : '+';
    do {
        reversed[count++] = (char)('0' + size % 10);
        size /= 10;
    } while (size > 0);
    while (count > 0)
        *at++ = reversed[--count];
    *at = '\0';
    t->number = sinter__number_float(strtod(p->digit, NULL));
}

static unsigned digit_value(char c)
{
    return is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
}

static sinter_status integer_of_parts(const parts *p, sinter__token *t)
{
    uint64_t value = 0;
    uint64_t base = p->hex ? 16 : 10;
    size_t first = p->hex ? 2 : 0;
    if (!p->hex && p->digits > 1 && p->digit[0] == '0' && strspn(p->digit, "0") < p->digits)
        return bad_number("an integer that begins with 0");
    for (size_t i = first; i < p->digits; i++) {
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_value(p->digit[i]), &value))
            return bad_number("an integer that does not fit 64 bits");
    }
    t->number = sinter__number_uint(value);
    return SINTER_OK;
}

static sinter_status lex_number(sinter__lexer *l, sinter__token *t)
{
    parts p = {.hex = false};
    t->kind = SINTER__TOKEN_NUMBER;
    if (char_at(l, l->at) == '0' && (char_at(l, l->at + 1) | 32) == 'x') {
        p.hex = true;
        memcpy(p.digit, "0x", 2);
        p.digits = 2;
        l->at += 2;
    }
    SINTER_TRY(take_digits(l, &p));
    SINTER_TRY(take_exponent(l, &p));
    t->bytes = l->at - t->offset;
    if (is_letter(char_at(l, l->at)) || is_digit(char_at(l, l->at)) || char_at(l, l->at) == '.')
        return bad_number("a malformed number");
    p.digit[p.digits] = '\0';
    if (!p.is_float)
        return integer_of_parts(&p, t);
    float_of_parts(&p, t);
    return SINTER_OK;
}

/* Other words */

static void lex_name(sinter__lexer *l, sinter__token *t)
{
    while (is_letter(char_at(l, l->at)) || is_digit(char_at(l, l->at)))
        l->at++;
    t->kind = SINTER__TOKEN_NAME;
    t->bytes = l->at - t->offset;
}

static sinter_status lex_string(sinter__lexer *l, sinter__token *t)
{
    char quote = l->text[l->at++];
    size_t first = l->at;
    while (l->at < l->bytes && l->text[l->at] != quote && l->text[l->at] != '\n')
        l->at++;
    if (char_at(l, l->at) != quote)
        return sinter__fail(SINTER_ESYNTAX, "a string without its closing %c", quote);
    t->kind = SINTER__TOKEN_STRING;
    t->offset = first;
    t->bytes = l->at - first;
    l->at++;
    return SINTER_OK;
}

/* Longer words stand before those that they begin with. */
static const struct {
    const char *text;
    sinter__token_kind kind;
    sinter__op op;
    int level;
} symbols[] = {
    {"...", SINTER__TOKEN_ELLIPSIS, SINTER__OP_NONE, 0},
    {"**", SINTER__TOKEN_OPERATOR, SINTER__OP_POW, SINTER__LEVEL_POWER},
    {"//", SINTER__TOKEN_OPERATOR, SINTER__OP_FLOORDIV, 7},
    {"==", SINTER__TOKEN_OPERATOR, SINTER__OP_EQ, SINTER__LEVEL_COMPARE},
    {"!=", SINTER__TOKEN_OPERATOR, SINTER__OP_NE, SINTER__LEVEL_COMPARE},
    {"<=", SINTER__TOKEN_OPERATOR, SINTER__OP_LE, SINTER__LEVEL_COMPARE},
    {">=", SINTER__TOKEN_OPERATOR, SINTER__OP_GE, SINTER__LEVEL_COMPARE},
    {"<<", SINTER__TOKEN_OPERATOR, SINTER__OP_SHL, 5},
    {">>", SINTER__TOKEN_OPERATOR, SINTER__OP_SHR, 5},
    {"<", SINTER__TOKEN_OPERATOR, SINTER__OP_LT, SINTER__LEVEL_COMPARE},
    {">", SINTER__TOKEN_OPERATOR, SINTER__OP_GT, SINTER__LEVEL_COMPARE},
    {"|", SINTER__TOKEN_OPERATOR, SINTER__OP_BIT_OR, 2},
    {"^", SINTER__TOKEN_OPERATOR, SINTER__OP_BIT_XOR, 3},
    {"&", SINTER__TOKEN_OPERATOR, SINTER__OP_BIT_AND, 4},
    {"+", SINTER__TOKEN_OPERATOR, SINTER__OP_ADD, 6},
    {"-", SINTER__TOKEN_OPERATOR, SINTER__OP_SUB, 6},
    {"*", SINTER__TOKEN_OPERATOR, SINTER__OP_MUL, 7},
    {"/", SINTER__TOKEN_OPERATOR, SINTER__OP_DIV, 7},
    {"%", SINTER__TOKEN_OPERATOR, SINTER__OP_MOD, 7},
    {"@", SINTER__TOKEN_OPERATOR, SINTER__OP_MATMUL, 7},
    {"~", SINTER__TOKEN_INVERT, SINTER__OP_NONE, 0},
    {"=", SINTER__TOKEN_ASSIGN, SINTER__OP_NONE, 0},
    {"(", SINTER__TOKEN_OPEN, SINTER__OP_NONE, 0},
    {")", SINTER__TOKEN_CLOSE, SINTER__OP_NONE, 0},
    {"[", SINTER__TOKEN_OPEN_SQUARE, SINTER__OP_NONE, 0},
    {"]", SINTER__TOKEN_CLOSE_SQUARE, SINTER__OP_NONE, 0},
    {",", SINTER__TOKEN_COMMA, SINTER__OP_NONE, 0},
    {":", SINTER__TOKEN_COLON, SINTER__OP_NONE, 0},
    {";", SINTER__TOKEN_SEPARATOR, SINTER__OP_NONE, 0},
    {"\n", SINTER__TOKEN_SEPARATOR, SINTER__OP_NONE, 0},
};

static sinter_status lex_symbol(sinter__lexer *l, sinter__token *t)
{
    for (size_t i = 0; i < SINTER__COUNT(symbols); i++) {
        size_t bytes = strlen(symbols[i].text);
        if (l->bytes - l->at < bytes || memcmp(l->text + l->at, symbols[i].text, bytes) != 0)
            continue;
        l->at += bytes;
        t->kind = symbols[i].kind;
        t->op = symbols[i].op;
        t->level = symbols[i].level;
        t->bytes = bytes;
        if (t->kind == SINTER__TOKEN_OPEN || t->kind == SINTER__TOKEN_OPEN_SQUARE)
            l->brackets++;
        if (t->kind == SINTER__TOKEN_CLOSE || t->kind == SINTER__TOKEN_CLOSE_SQUARE)
            l->brackets--;
        return SINTER_OK;
    }
    unsigned char c = (unsigned char)l->text[l->at];
    if (c > 32 && c < 127)
        return sinter__fail(SINTER_ESYNTAX, "the character '%c' means nothing here", c);
    return sinter__fail(SINTER_ESYNTAX, "the byte 0x%02x means nothing here", c);
}

sinter_status sinter__lex(sinter__lexer *l, sinter__token *t)
{
    skip_space(l);
    *t = (sinter__token){.kind = SINTER__TOKEN_END, .offset = l->at};
    if (l->at >= l->bytes)
        return SINTER_OK;
    char c = l->text[l->at];
    if (is_digit(c) || (c == '.' && is_digit(char_at(l, l->at + 1))))
        return lex_number(l, t);
    if (c == '\'' || c == '"')
        return lex_string(l, t);
    if (!is_letter(c))
        return lex_symbol(l, t);
    lex_name(l, t);
    return SINTER_OK;
}

bool sinter__token_is(const sinter__lexer *l, const sinter__token *t, const char *word)
{
    return t->kind == SINTER__TOKEN_NAME && t->bytes == strlen(word) &&
           memcmp(l->text + t->offset, word, t->bytes) == 0;
}
