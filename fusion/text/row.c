#include "fusion/text/row.h"

#include "fusion/library/library.h"

#include <stdio.h>

/* Words that every row has: where it begins, and at most an extent and a segment. */
#define START_WORDS 1
#define EXTENTS 2
#define WORD_BYTES 4
#define POINTER_BYTES 8

/* What says where stored rows lie, and how many they are. */
#define STORED_BYTES (2 * POINTER_BYTES + WORD_BYTES)

/* Rows by value: each word of a row is selected from those of all. */
#define VALUES_MAX 32

/* Slabs double, so parameters of all sizes, and what came in between, lie in few. */
#define MEMORIES_MIN 4

static uint32_t words_of(uint8_t dtype)
{
    return sinter__is_wide(sinter__class_of(dtype)) ? 2 : 1;
}

static bool is_magic(const sinter__param *param)
{
    return param->kind == SINTER__PARAM_MAGIC || param->kind == SINTER__PARAM_SHIFT;
}

const char *sinter__param_type(const sinter__param *param, const sinter__kernel_class *c)
{
    return is_magic(param) ? "uint" : c->key.wide != 0 ? "long" : "int";
}

uint32_t sinter__argument_words(const sinter__argument *x, const sinter__kernel_class *c,
                                const sinter__param *params)
{
    if (x->kind == SINTER__ARGUMENT_SCALAR)
        return words_of(x->dtype);
    if (x->kind == SINTER__ARGUMENT_PARAM)
        return c->key.wide != 0 && !is_magic(&params[x->index]) ? 2 : 1;
    return 2; /* an offset in bytes */
}

static uint32_t count_buffers(const sinter__nest *nest)
{
    uint32_t count = 0;
    for (uint16_t a = 0; a < nest->access_count; a++)
        count += nest->accesses[a].role != SINTER__ROLE_INDEX;
    return count;
}

uint32_t sinter__row_words(const sinter__nest *nest, const sinter__kernel_class *c)
{
    uint32_t index_words = c->key.wide != 0 ? 2 : 1;
    uint32_t words = START_WORDS + EXTENTS * index_words;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        words += nest->accesses[a].role != SINTER__ROLE_INDEX ? 2 : index_words;
        words += sinter__class_stride(c, a, 0) == SINTER__STRIDE_ANY ? index_words : 0;
    }
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind == SINTER__VALUE_ARG)
            words += words_of(v->dtype);
    }
    return words;
}

uint32_t sinter__row_memories(const sinter__nest *nest)
{
    return SINTER__MAX(count_buffers(nest), (uint32_t)MEMORIES_MIN);
}

static uint32_t pointer_bytes(const sinter__nest *nest)
{
    return sinter__row_memories(nest) * POINTER_BYTES;
}

bool sinter__may_have_rows(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits)
{
    return nest->form == SINTER__FORM_MAP && c->key.loops == SINTER__LOOPS_ROW &&
           c->key.parallel_rank == 1 && sinter__row_memories(nest) <= SINTER__ROW_MEMORIES_MAX &&
           pointer_bytes(nest) + STORED_BYTES <= limits->parameter_bytes;
}

uint32_t sinter__row_limit(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits)
{
    uint32_t row_bytes = sinter__row_words(nest, c) * WORD_BYTES;
    uint32_t rows = (limits->parameter_bytes - pointer_bytes(nest)) / row_bytes;
    return SINTER__MIN(rows, (uint32_t)VALUES_MAX);
}

/* Text */

void sinter__row_type_print(const sinter__kernel_class *c, const sinter__kernel_text *text,
                            sinter__buffer *b)
{
    uint32_t words = c->key.list * text->row_words;
    if (sinter__has_stored_rows(c))
        return;
    sinter__buffer_printf(b,
                          "#ifndef SN_ROWS_%u\n#define SN_ROWS_%u\n"
                          "typedef struct {\n    uint w[%u];\n} sn_rows_%u;\n#endif\n",
                          words, words, words, words);
}

void sinter__row_parameters_print(const sinter__kernel_class *c, const sinter__kernel_text *text,
                                  sinter__buffer *b)
{
    for (uint32_t i = 0; i < text->row_memories; i++)
        sinter__buffer_printf(b, "\n    __global uchar *m%u,", i);
    if (sinter__has_stored_rows(c))
        sinter__buffer_puts(b, "\n    __global const uchar *bl, ulong ol,\n    int rows");
    else
        sinter__buffer_printf(b, "\n    sn_rows_%u all", c->key.list * text->row_words);
}

typedef struct printer {
    const char *margin;
    const sinter__kernel_class *c;
    const sinter__kernel_text *text;
    sinter__buffer *b;
    uint32_t word; /* the next */
} printer;

/* The next word of the row that the work-item is in. By value every row's is looked at: words of an argument
 * that are indexed by a variable of the work-item, or read under a condition, are more than Mesa does right. */
static void print_word(printer *p)
{
    sinter__buffer_printf(p->b, "%sconst uint w%u = ", p->margin, p->word);
    if (p->c->key.list == 0) {
        sinter__buffer_printf(p->b, "pack%u.s%u;\n", p->word / SINTER__PACK,
                              p->word % SINTER__PACK);
        p->word++;
        return;
    }
    if (sinter__has_stored_rows(p->c) || p->c->key.divided != 0) {
        sinter__buffer_printf(p->b, "list[%u];\n", p->word++);
        return;
    }
    for (uint32_t i = 1; i < p->c->key.list; i++)
        sinter__buffer_puts(p->b, "select(");
    sinter__buffer_printf(p->b, "all.w[%u]", p->word);
    for (uint32_t i = 1; i < p->c->key.list; i++)
        sinter__buffer_printf(p->b, ", all.w[%u], r%u)", i * p->text->row_words + p->word, i);
    sinter__buffer_puts(p->b, ";\n");
    p->word++;
}

/* A buffer: in which memory, and its offset there. */
static void print_operand(printer *p, const sinter__access *access, uint32_t operand)
{
    const uint32_t shift = SINTER__ROW_MEMORY_SHIFT - 32;
    const char *qualifier = access->role == SINTER__ROLE_WRITE ? "" : "const ";
    uint32_t low = p->word;
    print_word(p);
    print_word(p);
    sinter__buffer_printf(p->b,
                          "%sconst uint k%u = w%u >> %u;\n%s__global %suchar *b%u = ", p->margin,
                          operand, low + 1, shift, p->margin, qualifier, operand);
    for (uint32_t i = 1; i < p->text->row_memories; i++)
        sinter__buffer_printf(p->b, "k%u == %u ? m%u : ", operand, i, i);
    sinter__buffer_printf(p->b, "m0;\n%sconst ulong o%u = (ulong)(w%u & 0x%xu) << 32 | w%u;\n",
                          p->margin, operand, low + 1, (1u << shift) - 1, low);
}

static void print_number(printer *p, const char *type, const char *name, uint32_t words)
{
    uint32_t low = p->word;
    for (uint32_t i = 0; i < words; i++)
        print_word(p);
    if (words == 2)
        sinter__buffer_printf(p->b, "%sconst %s %s = as_%s((ulong)w%u << 32 | w%u);\n", p->margin,
                              type, name, type, low + 1, low);
    else
        sinter__buffer_printf(p->b, "%sconst %s %s = as_%s(w%u);\n", p->margin, type, name, type,
                              low);
}

/* An argument that is no buffer. */
static void print_value(printer *p, const sinter__code *code, const sinter__argument *x)
{
    char name[SINTER__PARAM_NAME];
    uint32_t words = sinter__argument_words(x, p->c, code->params);
    if (x->kind == SINTER__ARGUMENT_PARAM) {
        const sinter__param *param = &code->params[x->index];
        sinter__param_name(param, name);
        print_number(p, sinter__param_type(param, p->c), name, words);
    } else {
        (void)snprintf(name, sizeof name, "c%u", x->index);
        print_number(p, sinter__register_type(sinter__class_of(x->dtype)), name, words);
    }
}

/* Which row the work-group is in: each begins with one, so all of a group are in the same, and what is read of it is
 * the group's, for which a GPU has registers and units of their own. */
static void print_choice(const sinter__class_key *key, uint32_t row_words, sinter__buffer *b)
{
    for (uint32_t i = 1; i < key->list; i++)
        sinter__buffer_printf(b, "    const uint r%u = (uint)(group >= (int)all.w[%u]);\n", i,
                              i * row_words);
}

/* The same of stored rows, by halving. */
static void print_search(uint32_t row_words, sinter__buffer *b)
{
    sinter__buffer_printf(
        b,
        "    __global const uint *list = (__global const uint *)(bl + ol);\n"
        "    int row = 0;\n"
        "    for (int step = 1 << (31 - clz(rows)); step > 0; step >>= 1) {\n"
        "        if (row + step < rows && (int)list[(row + step) * %u] <= group)\n"
        "            row += step;\n"
        "    }\n"
        "    list += row * %u;\n",
        row_words, row_words);
}

/* Which row the work-item is in, and which of its row's it is. */
static void print_place(printer *p)
{
    sinter__buffer_printf(p->b,
                          "    const int item = (int)get_global_id(0);\n"
                          "    const int group = (int)get_group_id(0) * %u;\n",
                          (unsigned)p->c->key.group[0]);
    if (sinter__has_stored_rows(p->c))
        print_search(p->text->row_words, p->b);
    else
        print_choice(&p->c->key, p->text->row_words, p->b);
    print_word(p);
    sinter__buffer_puts(p->b, "    const int id = item - (int)w0;\n");
}

/* One row after the other, and which part of it is the work-item's. */
static void print_loop(printer *p)
{
    sinter__buffer_printf(p->b,
                          "    for (int row = 0; row < %u; row++) {\n"
                          "        const uint *list = all.w + row * %u;\n",
                          (unsigned)p->c->key.list, p->text->row_words);
    print_word(p);
    sinter__buffer_printf(
        p->b,
        "        if (w0 == %d)\n            break;\n"
        "        const int id = (int)((get_global_id(0) + w0) %% get_global_size(0));\n",
        SINTER__ROW_ABSENT);
}

void sinter__row_values_print(const sinter__nest *nest, const sinter__kernel_class *c,
                              const sinter__code *code, const sinter__kernel_text *text,
                              sinter__buffer *b)
{
    bool divided = c->key.divided != 0;
    printer p = {.margin = divided ? "        " : "    ", .c = c, .text = text, .b = b};
    if (divided)
        print_loop(&p);
    else
        print_place(&p);
    for (size_t i = 0; i < text->argument_count; i++) {
        const sinter__argument *x = &text->arguments[i];
        if (x->kind == SINTER__ARGUMENT_BUFFER)
            print_operand(&p, &nest->accesses[x->index], x->index);
        else
            print_value(&p, code, x);
    }
}

/* Numbers that are packed */

uint32_t sinter__packed_words(const sinter__kernel_class *c, const sinter__code *code,
                              const sinter__kernel_text *text)
{
    uint32_t words = 0;
    for (size_t i = 0; i < text->argument_count; i++)
        words += sinter__argument_words(&text->arguments[i], c, code->params);
    return (uint32_t)sinter__align_up(words, SINTER__PACK);
}

void sinter__packed_values_print(const sinter__kernel_class *c, const sinter__code *code,
                                 const sinter__kernel_text *text, sinter__buffer *b)
{
    printer p = {.margin = "    ", .c = c, .text = text, .b = b};
    for (size_t i = 0; i < text->argument_count; i++) {
        const sinter__argument *x = &text->arguments[i];
        char name[SINTER__PARAM_NAME] = "oq";
        if (x->kind == SINTER__ARGUMENT_BUFFER)
            (void)snprintf(name, sizeof name, "o%u", x->index);
        if (x->kind == SINTER__ARGUMENT_BUFFER || x->kind == SINTER__ARGUMENT_SCRATCH)
            print_number(&p, "ulong", name, 2);
        else
            print_value(&p, code, x);
    }
}
