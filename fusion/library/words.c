#include "fusion/library/words.h"

#include "fusion/nest/larger.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *sinter__register_type(sinter__class c)
{
    switch (c) {
    case SINTER__CLASS_F32:
        return "float";
    case SINTER__CLASS_F64:
        return "double";
    case SINTER__CLASS_S64:
    case SINTER__CLASS_U64:
        return "ulong";
    default:
        return "uint";
    }
}

void sinter__vector_type(char out[SINTER__LIBRARY_NAME], const char *base, uint32_t lanes)
{
    if (lanes > 1)
        (void)snprintf(out, SINTER__LIBRARY_NAME, "%s%u", base, lanes);
    else
        (void)snprintf(out, SINTER__LIBRARY_NAME, "%s", base);
}

static bool is_memory(sinter__library_class c)
{
    return c >= SINTER__LIBRARY_MEMORY;
}

static sinter_dtype memory_dtype(sinter__library_class c)
{
    return (sinter_dtype)((unsigned)(c - SINTER__LIBRARY_MEMORY) % SINTER_DTYPE_COUNT);
}

void sinter__library_name(char out[SINTER__LIBRARY_NAME], sinter__library_class c, uint32_t lanes,
                          const char *function, size_t bytes)
{
    static const char *const suffixes[] = {"_f32", "_f64", "_w32", "_w64", "_"};
    if (is_memory(c)) {
        (void)snprintf(out, SINTER__LIBRARY_NAME, "sn_%.*s_%s%sx%u", (int)bytes, function,
                       sinter_dtype_name(memory_dtype(c)),
                       c >= SINTER__LIBRARY_MEMORY_WIDE ? "w" : "", lanes);
    } else {
        (void)snprintf(out, SINTER__LIBRARY_NAME, "sn_%.*s%sx%u", (int)bytes, function, suffixes[c],
                       lanes);
    }
    char *at = strchr(out, '@');
    if (at != NULL)
        *at = '_';
}

/* Types of the class: the float, the integers of its width. Functions that depend on the width
 * alone are written in terms of f32. */
static const char *class_type(sinter__library_class c, char word)
{
    bool wide = c == SINTER__LIBRARY_F64 || c == SINTER__LIBRARY_W64;
    switch (word) {
    case 'T':
        return c == SINTER__LIBRARY_F64 ? "double" : "float";
    case 'I':
        return wide ? "long" : "int";
    default:
        return wide ? "ulong" : "uint";
    }
}

static const struct {
    const char *word, *type;
} fixed_types[] = {{"F32", "float"}, {"F64", "double"}, {"I32", "int"},
                   {"U32", "uint"},  {"I64", "long"},   {"U64", "ulong"}};

/* The type that a word stands for: T, I or U of the class, or one with its width in it; else NULL.
 */
static const char *type_of(const sinter__words *w, const char *word, size_t bytes)
{
    if (bytes == 1 && !is_memory(w->class_) && strchr("TIU", word[0]) != NULL)
        return class_type(w->class_, word[0]);
    for (size_t i = 0; i < SINTER__COUNT(fixed_types) && bytes == 3; i++) {
        if (memcmp(word, fixed_types[i].word, 3) == 0)
            return fixed_types[i].type;
    }
    return NULL;
}

/* Words that stand for a type. */
static bool print_type(const sinter__words *w, const char *word, size_t bytes, char *out)
{
    const char *type = type_of(w, word, bytes);
    if (type != NULL)
        sinter__vector_type(out, type, w->lanes);
    return type != NULL;
}

/* Words that stand for the name of a conversion: AS_T, TO_I32. */
static bool print_conversion(const sinter__words *w, const char *word, size_t bytes, char *out)
{
    char vector[SINTER__LIBRARY_NAME];
    if (bytes < 4 || word[2] != '_')
        return false;
    const char *type = type_of(w, word + 3, bytes - 3);
    if (type == NULL)
        return false;
    sinter__vector_type(vector, type, w->lanes);
    bool is_float = type[0] == 'f' || type[0] == 'd';
    if (memcmp(word, "AS", 2) == 0)
        (void)snprintf(out, SINTER__LIBRARY_NAME, "as_%.40s", vector);
    else if (memcmp(word, "TO", 2) == 0)
        (void)snprintf(out, SINTER__LIBRARY_NAME, "convert_%.40s%s", vector,
                       is_float ? "" : "_rtz");
    else
        return false;
    return true;
}

/* Words of cl_kernels/memory.cl. */
static bool print_memory(const sinter__words *w, const char *word, size_t bytes, char *out)
{
    if (!is_memory(w->class_))
        return false;
    sinter_dtype dtype = memory_dtype(w->class_);
    const char *name = sinter_dtype_name(dtype);
    const char *held = sinter__register_type((sinter__class)sinter__dtype(dtype)->class_);
    const char *offset = w->class_ >= SINTER__LIBRARY_MEMORY_WIDE ? "long" : "int";
    const size_t room = SINTER__LIBRARY_NAME;
#define IS(text) (bytes == sizeof(text) - 1 && memcmp(word, text, bytes) == 0)
    if (IS("E"))
        (void)snprintf(out, room, "%s", sinter__memory_type(dtype));
    else if (IS("R"))
        (void)snprintf(out, room, "%s", held);
    else if (IS("V"))
        sinter__vector_type(out, held, w->lanes);
    else if (IS("HALF"))
        sinter__vector_type(out, held, w->lanes / 2);
    else if (IS("OFFSET"))
        (void)snprintf(out, room, "%s", offset);
    else if (IS("OFFSETS"))
        sinter__vector_type(out, offset, w->lanes);
    else if (IS("PACK") || IS("UNPACK") || IS("LANE0") || IS("DOWN8") || IS("DOWN4") ||
             IS("DOWN2") || IS("DOWN1"))
        (void)snprintf(out, room, "%.*s_%u", (int)bytes, word, w->lanes);
    else if (IS("LAST")) /* of its lanes */
        (void)snprintf(out, room, "s%x", w->lanes - 1);
    else if (IS("UNPACK_OFFSETS"))
        (void)snprintf(out, room, "UNPACK_%u", w->lanes);
    else if (IS("LOAD1") || IS("STORE1"))
        (void)snprintf(out, room, "%.*s_%s", (int)bytes, word, name);
    else if (IS("LOADV") || IS("STOREV") || IS("LOADS") || IS("LOADG") || IS("FIRST") ||
             IS("LOADQ") || IS("EVENS") || IS("THIRDS") || IS("BACKWARDS") || IS("LOWS") ||
             IS("HIGHS") || IS("OTHER") || IS("CAN_STREAM") || IS("STREAMV") || IS("PARTSV"))
        (void)snprintf(out, room, "%.*s_%sx%u", (int)bytes, word, name, w->lanes);
    else
        return false;
    return true;
}

/* What a device may not get right, and the function of cl_kernels/ that stands in for it. */
static const struct {
    const char *word, *own, *function;
} arithmetic[] = {{"DIV", "DIV", "div"},
                  {"SQRT", "sqrt", "sqrt"},
                  {"fma", "fma", "fma"},
                  {"UNSEEN", "", "unseen"}};

/* The index in arithmetic[] of a word, or -1. */
static int arithmetic_of(const char *word, size_t bytes)
{
    for (int i = 0; i < (int)SINTER__COUNT(arithmetic); i++) {
        if (strlen(arithmetic[i].word) == bytes && memcmp(word, arithmetic[i].word, bytes) == 0)
            return i;
    }
    return -1;
}

/* Whether the library's own function is called instead. Those that stand in are of f32. */
static bool is_replaced(const sinter__words *w, int index)
{
    const char *word = arithmetic[index].word;
    bool exact = w->limits->correctly_rounded;
    if (strcmp(word, "fma") == 0)
        exact = w->limits->has_fma;
    else if (strcmp(word, "UNSEEN") == 0)
        exact = !w->limits->folds_zeros;
    return !exact && (w->class_ == SINTER__LIBRARY_F32 || w->class_ == SINTER__LIBRARY_WIDTH);
}

static bool print_arithmetic(const sinter__words *w, const char *word, size_t bytes, char *out)
{
    int i = arithmetic_of(word, bytes);
    if (i < 0)
        return false;
    const char *function = arithmetic[i].function;
    if (is_replaced(w, i))
        sinter__library_name(out, SINTER__LIBRARY_F32, w->lanes, function, strlen(function));
    else
        (void)snprintf(out, SINTER__LIBRARY_NAME, "%s", arithmetic[i].own);
    return true;
}

static bool print_other(const sinter__words *w, const char *word, size_t bytes, char *out)
{
    bool wide = w->class_ == SINTER__LIBRARY_F64 || w->class_ == SINTER__LIBRARY_W64;
    const size_t room = SINTER__LIBRARY_NAME;
    out[0] = '\0';
    if (IS("RARE"))
        return true;
    if (IS("BITS"))
        (void)snprintf(out, room, "%d", wide ? 64 : 32);
    else if (IS("LANES"))
        (void)snprintf(out, room, "%u", w->lanes);
    else if (IS("MASK"))
        (void)snprintf(out, room, wide && w->lanes > 1 ? "0 != convert_long%u" : "0 != ", w->lanes);
    else
        return false;
    return true;
}
#undef IS

/* SN(f), SH(f), SW(f), SM(f): the length of the whole call word, or 0. */
static size_t call_word(const char *text, size_t bytes, const char **name, size_t *name_bytes)
{
    if (bytes < 5 || text[0] != 'S' || strchr("NHWM", text[1]) == NULL || text[2] != '(')
        return 0;
    size_t i = 3;
    while (i < bytes && (isalnum((unsigned char)text[i]) || text[i] == '_'))
        i++;
    if (i == 3 || i == bytes || text[i] != ')')
        return 0;
    *name = text + 3;
    *name_bytes = i - 3;
    return i + 1;
}

/* Functions that have other forms: for operands that every lane shares, asked in each place or
 * once, and for one that is not above 0. */
static const struct {
    const char *name, *shared, *asked, *below;
} forms[] = {{"min", "min_shared", "min_asked", NULL},
             {"max", "max_shared", "max_asked", NULL},
             {"exp", NULL, NULL, "exp_below"}};

/* Whether the form has the kernel's answer as its first argument. */
static bool choose_form(const sinter__words *w, const char **name, size_t *bytes)
{
    for (size_t i = 0; i < SINTER__COUNT(forms); i++) {
        if (strlen(forms[i].name) != *bytes || memcmp(*name, forms[i].name, *bytes) != 0)
            continue;
        const char *shared = w->asked ? forms[i].asked : forms[i].shared;
        const char *form = w->below ? forms[i].below : w->shares ? shared : NULL;
        if (form == NULL)
            return false;
        *name = form;
        *bytes = strlen(form);
        return form == forms[i].asked;
    }
    return false;
}

static sinter__class memory_register(const sinter__words *w)
{
    return (sinter__class)sinter__dtype(memory_dtype(w->class_))->class_;
}

static sinter__library_class called_class(const sinter__words *w, char kind)
{
    if (kind == 'W')
        return SINTER__LIBRARY_WIDTH;
    if (kind == 'N' && is_memory(w->class_))
        return sinter__library_class_of(memory_register(w));
    return w->class_ == SINTER__LIBRARY_WIDTH ? SINTER__LIBRARY_F32 : w->class_;
}

/* Half of one lane is none: such a call is printed where the preprocessor drops it. */
static uint32_t called_lanes(const sinter__words *w, char kind)
{
    return kind == 'H' ? w->lanes / 2 : w->lanes;
}

static bool starts_word(const char *text, size_t at)
{
    unsigned char c = (unsigned char)text[at];
    unsigned char before = at > 0 ? (unsigned char)text[at - 1] : ' ';
    return (isalpha(c) || c == '_') && !isalnum(before) && before != '_';
}

static size_t word_length(const char *text, size_t at, size_t bytes)
{
    size_t end = at;
    while (end < bytes && (isalnum((unsigned char)text[end]) || text[end] == '_'))
        end++;
    return end - at;
}

static void print_word(const sinter__words *w, const char *word, size_t bytes, sinter__buffer *out)
{
    char text[SINTER__LIBRARY_NAME];
    if (bytes == 1 && word[0] >= 'a' && word[0] <= 'c' && w->operand[word[0] - 'a'] != NULL)
        sinter__buffer_puts(out, w->operand[word[0] - 'a']);
    else if (print_type(w, word, bytes, text) || print_conversion(w, word, bytes, text) ||
             print_memory(w, word, bytes, text) || print_arithmetic(w, word, bytes, text) ||
             print_other(w, word, bytes, text))
        sinter__buffer_puts(out, text);
    else
        sinter__buffer_add(out, word, bytes);
}

/* One argument of a call: up to a comma or the closing bracket on its own level. */
static size_t argument_length(const char *text, size_t bytes)
{
    int depth = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '(' || text[i] == '[')
            depth++;
        else if (depth == 0 && (text[i] == ',' || text[i] == ')'))
            return i;
        else if (text[i] == ')' || text[i] == ']')
            depth--;
    }
    return bytes;
}

/* The expression of the operation that COMBINE stands for, and the words to print it with. */
static const char *combined(const sinter__words *w, bool single, sinter__words *out)
{
    sinter__class c = memory_register(w);
    *out = (sinter__words){
        .class_ = sinter__library_class_of(c), .lanes = single ? 1 : w->lanes, .limits = w->limits};
    if (w->larger)
        return SINTER__LARGER_EXPRESSION;
    return sinter__op_expression(sinter__op_info_of(w->op), sinter__column_of(c));
}

#define COMBINE "COMBINE("
#define COMBINE1 "COMBINE1("

/* Prints COMBINE(x, y) or COMBINE1(x, y) at `text`; returns its length. */
static size_t print_combine(const sinter__words *w, const char *text, size_t bytes,
                            sinter__buffer *out)
{
    bool single = strncmp(text, COMBINE1, sizeof COMBINE1 - 1) == 0;
    size_t at = single ? sizeof COMBINE1 - 1 : sizeof COMBINE - 1;
    char x[SINTER__LIBRARY_NAME];
    char y[SINTER__LIBRARY_NAME];
    size_t first = argument_length(text + at, bytes - at);
    (void)snprintf(x, sizeof x, "%.*s", (int)first, text + at);
    at += first + 2;
    size_t second = argument_length(text + at, bytes - at);
    (void)snprintf(y, sizeof y, "%.*s", (int)second, text + at);
    sinter__words inner;
    const char *expression = combined(w, single, &inner);
    inner.operand[0] = x;
    inner.operand[1] = y;
    sinter__words_print(&inner, expression, strlen(expression), out);
    return at + second + 1;
}

static bool is_combine(const char *text)
{
    return strncmp(text, COMBINE, sizeof COMBINE - 1) == 0 ||
           strncmp(text, COMBINE1, sizeof COMBINE1 - 1) == 0;
}

/* Whether `name` is the function whose text this is; its full name may add an operation. */
static bool is_own(const sinter__words *w, const char *name, size_t bytes)
{
    return w->own != NULL && w->own_bytes >= bytes && memcmp(w->own, name, bytes) == 0 &&
           (w->own_bytes == bytes || w->own[bytes] == '@');
}

/* What a byte of the embedded text stands for: a tab for four spaces, others for phrases; else NULL. */
static const char *as_embedded(char byte)
{
    if (byte == '\t')
        return "    ";
    return byte > 0 && byte < SINTER__PHRASES ? sinter__embedded_phrases[(int)byte] : NULL;
}

void sinter__words_print(const sinter__words *words, const char *text, size_t bytes,
                         sinter__buffer *out)
{
    for (size_t at = 0; at < bytes;) {
        const char *name;
        size_t name_bytes;
        const char *phrase = as_embedded(text[at]);
        if (phrase != NULL) {
            sinter__words_print(words, phrase, strlen(phrase), out);
            at++;
            continue;
        }
        if (!starts_word(text, at)) {
            sinter__buffer_add(out, text + at, 1);
            at++;
            continue;
        }
        size_t skip = call_word(text + at, bytes - at, &name, &name_bytes);
        if (skip > 0) {
            char full[SINTER__LIBRARY_NAME];
            bool asked = choose_form(words, &name, &name_bytes);
            if (is_own(words, name, name_bytes)) {
                name = words->own;
                name_bytes = words->own_bytes;
            }
            sinter__library_name(full, called_class(words, text[at + 1]),
                                 called_lanes(words, text[at + 1]), name, name_bytes);
            sinter__buffer_puts(out, full);
            at += skip;
            if (asked) { /* in the place of the bracket, which follows */
                sinter__buffer_puts(out, "(rare, ");
                at++;
            }
        } else if (words->op != SINTER__OP_NONE && is_combine(text + at)) {
            at += print_combine(words, text + at, bytes - at, out);
        } else {
            size_t length = word_length(text, at, bytes);
            print_word(words, text + at, length, out);
            at += length;
            if (length == 4 && at < bytes && text[at] == ' ' &&
                memcmp(text + at - 4, "RARE", 4) == 0)
                at++;
        }
    }
}

void sinter__words_callees(const sinter__words *words, const char *text, size_t bytes,
                           sinter__callee_fn found, void *user)
{
    for (size_t at = 0; at < bytes; at++) {
        const char *name;
        size_t name_bytes;
        const char *phrase = as_embedded(text[at]);
        if (phrase != NULL)
            sinter__words_callees(words, phrase, strlen(phrase), found, user);
        if (!starts_word(text, at))
            continue;
        size_t skip = call_word(text + at, bytes - at, &name, &name_bytes);
        if (skip > 0)
            (void)choose_form(words, &name, &name_bytes);
        uint32_t lanes = called_lanes(words, text[at + 1]);
        bool other = skip > 0 && (lanes != words->lanes || !is_own(words, name, name_bytes));
        if (other && lanes > 0)
            found(user, called_class(words, text[at + 1]), lanes, name, name_bytes);
        size_t length = word_length(text, at, bytes);
        int index = arithmetic_of(text + at, length);
        if (index >= 0 && is_replaced(words, index)) {
            const char *function = arithmetic[index].function;
            found(user, SINTER__LIBRARY_F32, words->lanes, function, strlen(function));
        }
        if (words->op != SINTER__OP_NONE && is_combine(text + at)) {
            sinter__words inner;
            const char *expression = combined(words, text[at + 7] == '1', &inner);
            sinter__words_callees(&inner, expression, strlen(expression), found, user);
        }
    }
}
