/* Printing lowered kernels as OpenCL C: what a kernel is given, and then its statements. */
#include "fusion/text/text.h"

#include "fusion/library/words.h"
#include "fusion/nest/tree.h"
#include "fusion/text/index.h"
#include "fusion/text/name.h"
#include "fusion/text/row.h"
#include "fusion/text/statement.h"
#include "fusion/text/whole.h"

#include <string.h>

static bool is_used(const printer *p, uint16_t access)
{
    for (size_t i = 0; i < p->code->statement_count; i++) {
        const sinter__statement *s = &p->code->statements[i];
        bool moves = s->kind == SINTER__DO_LOAD || s->kind == SINTER__DO_STORE ||
                     s->kind == SINTER__DO_TURN || s->kind == SINTER__DO_LAY;
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

/* What the kernel takes, in order: its buffers, and then numbers. */
static void collect_arguments(printer *p)
{
    for (uint16_t a = 0; a < p->nest->access_count; a++) {
        if (is_used(p, a))
            add_argument(p, SINTER__ARGUMENT_BUFFER, a, p->nest->accesses[a].dtype);
    }
    if (p->code->scratch_used != 0)
        add_argument(p, SINTER__ARGUMENT_SCRATCH, 0, SINTER_U8);
    for (size_t i = 0; i < p->code->param_count; i++)
        add_argument(p, SINTER__ARGUMENT_PARAM, (uint16_t)i, SINTER_I32);
    uint16_t scalar = 0;
    for (uint16_t i = 0; i < p->nest->value_count; i++) {
        const sinter__value *v = &p->nest->values[i];
        if (v->kind == SINTER__VALUE_ARG)
            add_argument(p, SINTER__ARGUMENT_SCALAR, scalar++, v->dtype);
    }
}

static void print_argument(printer *p, const sinter__argument *x)
{
    bool packed = p->out->packed_words > 0;
    const char *qualifier = "const ";
    switch ((sinter__argument_kind)x->kind) {
    case SINTER__ARGUMENT_BUFFER:
        if (p->nest->accesses[x->index].role == SINTER__ROLE_WRITE)
            qualifier = "";
        sinter__buffer_printf(p->b, "__global %suchar *b%u", qualifier, x->index);
        if (!packed)
            sinter__buffer_printf(p->b, ", ulong o%u", x->index);
        break;
    case SINTER__ARGUMENT_SCRATCH:
        sinter__buffer_puts(p->b, packed ? "__global uchar *bq" : "__global uchar *bq, ulong oq");
        break;
    case SINTER__ARGUMENT_PARAM:
        sinter__buffer_printf(p->b, "%s ", sinter__param_type(&p->code->params[x->index], p->c));
        sinter__print_param(p, x->index);
        break;
    case SINTER__ARGUMENT_SCALAR:
        sinter__buffer_printf(p->b, "%s c%u", sinter__register_type(sinter__class_of(x->dtype)),
                              x->index);
        break;
    }
}

static void print_arguments(printer *p)
{
    const sinter__kernel_text *out = p->out;
    const char *separator = "\n    ";
    for (size_t i = 0; i < out->argument_count; i++) {
        const sinter__argument *x = &out->arguments[i];
        bool is_number = x->kind == SINTER__ARGUMENT_PARAM || x->kind == SINTER__ARGUMENT_SCALAR;
        if (is_number && out->packed_words > 0)
            continue;
        sinter__buffer_puts(p->b, separator);
        print_argument(p, x);
        separator = ",\n    ";
    }
    for (uint32_t i = 0; i < out->packed_words; i += SINTER__PACK) {
        sinter__buffer_printf(p->b, "%suint%d pack%u", separator, SINTER__PACK, i / SINTER__PACK);
        separator = ",\n    ";
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
        sinter__library_class c = sinter__library_class_of(sinter__class_of(s->dtype));
        types[c] = sinter__register_type(sinter__class_of(s->dtype));
        slots[c] = SINTER__MAX(slots[c], s->access + 1);
    }
    for (int c = 0; c < SINTER__LIBRARY_WIDTH; c++) {
        if (slots[c] > 0)
            sinter__buffer_printf(p->b, "    __local %s t_%s[%d];\n", types[c], types[c],
                                  slots[c] * sinter__slot_lanes(p));
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
        sinter__print_indent(p);
        sinter__buffer_printf(p->b, "__global %s%s *p%u = (__global %s%s *)(b%u + o%u);\n",
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

/* Where a loop ends that goes from vector to vector and asks at once how full each is, with no loop
 * inside. 0: statement `begin` is none. */
static size_t end_of_vectors(const printer *p, size_t begin)
{
    const sinter__statement *loop = &p->code->statements[begin];
    const sinter__ix_node *ix = p->code->ix;
    if (loop[0].kind != SINTER__DO_FOR || loop[0].written_out || loop[1].kind != SINTER__DO_INT ||
        ix[loop[1].a].op != SINTER__IX_COUNT)
        return 0;
    const sinter__ix_node *left = &ix[ix[loop[1].a].a];
    if (left->op != SINTER__IX_SUB || left->a != loop[0].b ||
        ix[left->b].op != SINTER__IX_VARIABLE || ix[left->b].value != loop[0].reg ||
        ix[loop[0].c].op != SINTER__IX_NUMBER || ix[loop[0].c].value != p->c->key.lanes)
        return 0;
    return sinter__innermost_end(p, begin);
}

/* Such a loop over full vectors, which are known to be, and once more what is left of one. */
static void print_full_apart(printer *p, size_t begin, size_t end)
{
    const sinter__statement *loop = &p->code->statements[begin];
    unsigned at = loop[0].reg;
    unsigned count = loop[1].reg;
    sinter__print_indent(p);
    sinter__buffer_printf(p->b, "%s i%u = ", p->ix_type, at);
    sinter__print_ix(p, loop[0].a);
    sinter__buffer_puts(p->b, ";\n");
    for (int is_rest = 0; is_rest <= 1; is_rest++) {
        unsigned lanes = p->c->key.lanes;
        sinter__print_indent(p);
        sinter__buffer_printf(p->b, is_rest ? "if (RARELY(i%u < " : "for (; i%u < ", at);
        sinter__print_ix(p, loop[0].b);
        p->depth++;
        if (is_rest)
            sinter__buffer_puts(p->b, ")) {\n");
        else
            sinter__buffer_printf(p->b, " - %u; i%u += %u) {\n", lanes - 1, at, lanes);
        if (is_rest) {
            sinter__print_statement(p, &loop[1]);
        } else {
            sinter__print_indent(p);
            sinter__buffer_printf(p->b, "const int i%u = %u;\n", count, lanes);
        }
        for (size_t i = begin + 2; i <= end; i++) {
            if (!is_rest || p->code->statements[i].kind != SINTER__DO_AHEAD)
                sinter__print_statement(p, &p->code->statements[i]);
        }
    }
}

/* Reductions and scans have their full vectors apart in any case, those of a whole block. */
static bool is_apart(const printer *p, bool outermost)
{
    return p->c->key.lanes > 1 && p->nest->form == SINTER__FORM_MAP &&
           (p->limits->full_apart == SINTER__APART_EVERYWHERE ||
            (p->limits->full_apart == SINTER__APART_OUTERMOST && outermost));
}

static void print_body(printer *p)
{
    int body = p->depth;
    for (size_t i = 0; i < p->code->statement_count; i++) {
        size_t end = is_apart(p, p->depth == body) ? end_of_vectors(p, i) : 0;
        size_t whole = end > 0 ? 0 : sinter__whole_loop(p, i);
        if (end > 0) {
            print_full_apart(p, i, end);
            i = end;
        } else if (whole > 0) {
            sinter__print_whole_loop(p, i, whole);
            i = whole;
        } else {
            sinter__print_statement(p, &p->code->statements[i]);
        }
    }
}

/* A work-item that is a group of its own has its vectors written out. A compiler that would make
 * vectors of neighbouring work-items (Intel's, 16 of them, besides the kernel as it stands) is told
 * that there is nothing to make them of. */
static void print_group(sinter__buffer *b, unsigned items, unsigned rows)
{
    sinter__buffer_printf(b, "__kernel __attribute__((reqd_work_group_size(%u, %u, 1)%s))\n", items,
                          rows, items * rows == 1 ? ", vec_type_hint(float4)" : "");
}

static void print_kernel(printer *p)
{
    const sinter__class_key *key = &p->c->key;
    collect_arguments(p);
    if (key->list != 0) {
        p->out->row_words = sinter__row_words(p->nest, p->c);
        p->out->row_memories = sinter__row_memories(p->nest);
        sinter__row_type_print(p->c, p->out, p->b);
    } else if (p->limits->packs_numbers) {
        p->out->packed_words = sinter__packed_words(p->c, p->code, p->out);
    }
    print_group(p->b, key->group[0], key->group[1]);
    if (key->sub_group != 0)
        sinter__buffer_printf(p->b, SINTER__SUB_GROUP_ATTRIBUTE, (unsigned)key->sub_group);
    sinter__buffer_printf(p->b, "void %s(", p->out->name);
    if (key->list != 0)
        sinter__row_parameters_print(p->c, p->out, p->b);
    else
        print_arguments(p);
    sinter__buffer_puts(p->b, ")\n{\n");
    if (key->list != 0)
        sinter__row_values_print(p->nest, p->c, p->code, p->out, p->b);
    else if (p->out->packed_words > 0)
        sinter__packed_values_print(p->c, p->code, p->out, p->b);
    bool loop = key->divided != 0;
    p->depth = loop ? 2 : 1;
    print_pointers(p);
    sinter__print_rare(p);
    sinter__print_whole(p);
    print_body(p);
    sinter__buffer_puts(p->b, loop ? "    }\n}\n" : "}\n");
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
