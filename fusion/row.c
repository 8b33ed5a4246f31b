#include "fusion/row.h"

#include "fusion/library.h"

#include <stdio.h>

/* Words that every row has: where it begins, and at most an extent and a segment. */
#define START_WORDS 1
#define EXTENTS 2
#define WORD_BYTES 4
#define POINTER_BYTES 8

static uint32_t words_of(uint8_t dtype)
{
    return sinter__is_wide((sinter__class)sinter__dtype((sinter_dtype)dtype)->class_) ? 2 : 1;
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

uint32_t sinter__row_limit(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits)
{
    uint32_t pointers = count_buffers(nest) * POINTER_BYTES;
    if (nest->form != SINTER__FORM_MAP || c->key.loops != SINTER__LOOPS_ROW ||
        c->key.parallel_rank != 1 || pointers >= limits->parameter_bytes)
        return 0;
    uint32_t row_bytes = sinter__row_words(nest, c) * WORD_BYTES;
    return (limits->parameter_bytes - pointers) / row_bytes;
}

/* Text */

void sinter__row_type_print(uint32_t words, sinter__buffer *b)
{
    sinter__buffer_printf(b,
                          "#ifndef SN_ROWS_%u\n#define SN_ROWS_%u\n"
                          "typedef struct {\n    uint w[%u];\n} sn_rows_%u;\n#endif\n",
                          words, words, words, words);
}

void sinter__row_parameter_print(uint32_t words, sinter__buffer *b)
{
    sinter__buffer_printf(b, ",\n    sn_rows_%u list", words);
}

/* A word of the row that the work-item is in. Every row's is looked at: words of an argument that are
 * indexed by a variable, or read under a condition, are more than Mesa does right. */
static void print_word(const sinter__kernel_class *c, uint32_t row_words, uint32_t word,
                       sinter__buffer *b)
{
    sinter__buffer_printf(b, "    const uint w%u = ", word);
    for (uint32_t i = 1; i < c->key.list; i++)
        sinter__buffer_puts(b, "select(");
    sinter__buffer_printf(b, "list.w[%u]", word);
    for (uint32_t i = 1; i < c->key.list; i++)
        sinter__buffer_printf(b, ", list.w[%u], r%u)", i * row_words + word, i);
    sinter__buffer_puts(b, ";\n");
}

typedef struct value {
    const char *type;
    char name[SINTER__PARAM_NAME];
    uint32_t words;
} value;

static value value_of(const sinter__code *code, const sinter__kernel_class *c,
                      const sinter__argument *x)
{
    value v = {.type = "ulong", .words = 2};
    if (x->kind == SINTER__ARGUMENT_BUFFER) {
        (void)snprintf(v.name, sizeof v.name, "o%u", x->index);
    } else if (x->kind == SINTER__ARGUMENT_PARAM) {
        sinter__param_name(&code->params[x->index], v.name);
        v.type = c->key.wide != 0 ? "long" : "int";
        v.words = c->key.wide != 0 ? 2 : 1;
    } else {
        (void)snprintf(v.name, sizeof v.name, "c%u", x->index);
        v.type =
            sinter__register_type((sinter__class)sinter__dtype((sinter_dtype)x->dtype)->class_);
        v.words = words_of(x->dtype);
    }
    return v;
}

void sinter__row_values_print(const sinter__code *code, const sinter__kernel_class *c,
                              const sinter__kernel_text *text, sinter__buffer *b)
{
    uint32_t word = 0;
    sinter__buffer_puts(b, "    const int item = (int)get_global_id(0);\n");
    for (uint32_t i = 1; i < c->key.list; i++)
        sinter__buffer_printf(b, "    const uint r%u = (uint)(item >= (int)list.w[%u]);\n", i,
                              i * text->row_words);
    print_word(c, text->row_words, word++, b);
    sinter__buffer_puts(b, "    const int id = item - (int)w0;\n");
    for (size_t i = 0; i < text->argument_count; i++) {
        value v = value_of(code, c, &text->arguments[i]);
        print_word(c, text->row_words, word, b);
        if (v.words == 2) {
            print_word(c, text->row_words, word + 1, b);
            sinter__buffer_printf(b, "    const %s %s = as_%s((ulong)w%u << 32 | w%u);\n", v.type,
                                  v.name, v.type, word + 1, word);
        } else {
            sinter__buffer_printf(b, "    const %s %s = as_%s(w%u);\n", v.type, v.name, v.type,
                                  word);
        }
        word += v.words;
    }
}
