/* The text of a profile: lines `name = value`, comments, and `[kernel KEY]` before the numbers of a
 * kernel. A line that is not understood spoils the file: a person who mistypes a name learns it. A number of the
 * schedules that is the device's default is written as a comment, so that a later version's default holds. */
#include "core/lexer.h"
#include "executor/profile/profile.h"

#include <stdio.h>
#include <string.h>

static const char *const figure_names[] = {
#define SINTER_FIGURE(name, unit, text) #name,
#include "fusion/cost/rates.def"
};
static const char *const figure_texts[] = {
#define SINTER_FIGURE(name, unit, text) unit ", " text,
#include "fusion/cost/rates.def"
};
static const char *const cost_texts[] = {
#define SINTER_COST(name, inputs, steps, program, text) text,
#include "fusion/cost/rates.def"
};

/* Before the name of what costs it. */
#define COST "cost_"
#define DRIVER "driver_"

void sinter__profile_name(const char *name, char *out, size_t bytes)
{
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < bytes; i++) {
        unsigned char c = (unsigned char)name[i];
        out[i] = (char)(c < 32 || c == '"' || c == 127 ? '_' : name[i]);
    }
    out[i] = '\0';
}

/* Writing */

static void print_as(sinter__buffer *out, const char *before, const char *name, uint32_t value,
                     const char *text)
{
    char line[64];
    (void)snprintf(line, sizeof line, "%s%s = %u", before, name, (unsigned)value);
    sinter__buffer_printf(out, "%-28s # %s\n", line, text);
}

static void print_line(sinter__buffer *out, const char *name, uint32_t value, const char *text)
{
    print_as(out, "", name, value, text);
}

static void print_head(const sinter_profile *p, sinter__buffer *out)
{
    char name[128];
    sinter__buffer_puts(
        out, "# What sinter knows of a device. Numbers decide speed, never results.\n\n");
    print_line(out, "format", SINTER__PROFILE_FORMAT, "of this file");
    sinter__profile_name(p->device.info.name, name, sizeof name);
    sinter__buffer_printf(out, "device = \"%s\"\n", name);
    sinter__profile_name(p->device.info.driver_version, name, sizeof name);
    sinter__buffer_printf(out, "driver = \"%s\"\n", name);
    sinter__buffer_printf(out, "style = \"%s\"%*s # form of the kernels: cpu or gpu\n",
                          p->values.style == SINTER_STYLE_CPU ? "cpu" : "gpu", 14, "");
}

static void print_facts(const sinter__profile_values *v, sinter__buffer *out)
{
    if (v->exact_fma == SINTER__FACT_UNKNOWN && v->exact_divide == SINTER__FACT_UNKNOWN &&
        v->exact_half == SINTER__FACT_UNKNOWN && v->void_clauses == 0)
        return;
    sinter__buffer_puts(out, "\n# What was found when it was asked to compute.\n");
    if (v->exact_fma != SINTER__FACT_UNKNOWN)
        print_line(out, "exact_fma", v->exact_fma,
                   "1: its fma rounds once; 0: sinter's own is used");
    if (v->exact_divide != SINTER__FACT_UNKNOWN)
        print_line(out, "exact_divide", v->exact_divide,
                   "1: it divides and takes roots correctly; 0: sinter corrects it");
    if (v->exact_half != SINTER__FACT_UNKNOWN)
        print_line(out, "exact_half", v->exact_half,
                   "1: f16 is rounded to nearest; 0: not by its half, sinter's own is used");
    print_line(out, "void_clauses", v->void_clauses,
               "what does not hold even so: 1 denormals, 2 fma, 4 rounding, 8 division");
}

static void print_measured(const sinter__profile_values *v, sinter__buffer *out)
{
    bool first = true;
    if (v->is_shipped)
        print_line(out, "shipped", 1, "what follows was measured on another device of its kind");
    for (size_t i = 0; i < SINTER__FIGURE_COUNT; i++) {
        if (v->rates.figures[i] == 0)
            continue;
        sinter__buffer_puts(out, first ? "\n# What was measured.\n" : "");
        first = false;
        print_line(out, figure_names[i], v->rates.figures[i], figure_texts[i]);
    }
    first = true;
    for (size_t i = 0; i < SINTER__COST_COUNT; i++) {
        uint32_t any = 0;
        for (size_t w = 0; w < SINTER__RATE_WIDTHS; w++)
            any |= v->rates.costs[i][w];
        if (any == 0)
            continue;
        sinter__buffer_puts(out,
                            first ? "\n# Picoseconds per element in vectors of 1, 2, 4, 8 and 16 "
                                    "lanes; 0: not measured.\n"
                                  : "");
        first = false;
        const uint32_t *c = v->rates.costs[i];
        sinter__buffer_printf(out, COST "%s = %u, %u, %u, %u, %u # %s\n", sinter__cost_name(i),
                              (unsigned)c[0], (unsigned)c[1], (unsigned)c[2], (unsigned)c[3],
                              (unsigned)c[4], cost_texts[i]);
    }
}

static void print_driver(const sinter__profile_values *v, sinter__buffer *out)
{
    bool first = true;
    for (size_t i = 0; i < SINTER__NATIVE_COUNT; i++) {
        if (v->rates.driver[i] == 0)
            continue;
        sinter__buffer_puts(out,
                            first ? "\n# The driver's own functions, in picoseconds per element; "
                                    "modes native and relaxed take what is faster.\n"
                                  : "");
        first = false;
        sinter__buffer_printf(out, DRIVER "%s = %u\n", sinter__native_name(i),
                              (unsigned)v->rates.driver[i]);
    }
}

/* The device's: what is its default, where it matters for the style, as a comment. */
static void print_numbers(const sinter_profile *p, sinter__buffer *out)
{
    sinter__tuning defaults;
    sinter__device_tuning(&p->device, p->values.style, 0, &defaults);
    sinter__buffer_puts(out,
                        "\n# Schedules. What is a comment is the default: take the first # away "
                        "to change it.\n");
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        const sinter__tuning_info *row = sinter__tuning_row(i);
        uint32_t value = sinter__tuning_get(&p->values.tuning, i);
        bool is_default = value == sinter__tuning_get(&defaults, i);
        if (!is_default || sinter__tuning_matters(i, p->values.style))
            print_as(out, is_default ? "# " : "", row->name, value, row->meaning);
    }
}

/* A kernel's: those that are not the device's. */
static void print_kernel(const sinter__profile_values *v, const sinter__profile_kernel *k,
                         sinter__buffer *out)
{
    sinter__buffer_printf(out, "\n[kernel 0x%016llx]\nlabel = \"%s\"\n",
                          (unsigned long long)k->tuned.key, k->label);
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        const sinter__tuning_info *row = sinter__tuning_row(i);
        uint32_t value = sinter__tuning_get(&k->tuned.tuning, i);
        if (value != sinter__tuning_get(&v->tuning, i))
            print_line(out, row->name, value, row->meaning);
    }
}

void sinter__profile_print(const sinter_profile *p, sinter__buffer *out)
{
    const sinter__profile_values *v = &p->values;
    print_head(p, out);
    print_facts(v, out);
    print_measured(v, out);
    print_driver(v, out);
    print_numbers(p, out);
    for (size_t i = 0; i < v->kernel_count; i++)
        print_kernel(v, &v->kernels[i], out);
}

/* Reading */

/* More than a tuner could have looked at; each costs a context memory. */
#define MOST_KERNELS 4096

typedef struct reader {
    sinter_profile *p;
    sinter__profile_values v;
    sinter__lexer lexer;
    sinter__token t;
    sinter__profile_kernel *kernel; /* in whose part the reader is; NULL: the device's */
    bool is_shipped;
    bool has_format, has_device, has_driver, has_style;
} reader;

static size_t line_of(const reader *r, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < r->lexer.bytes; i++)
        line += r->lexer.text[i] == '\n';
    return line;
}

static sinter_status bad(const reader *r, const char *why)
{
    return sinter__fail(SINTER_ESYNTAX, "line %zu: %s", line_of(r, r->t.offset), why);
}

static sinter_status next(reader *r)
{
    char line[32];
    sinter_status status = sinter__lex(&r->lexer, &r->t);
    if (status == SINTER_OK)
        return SINTER_OK;
    (void)snprintf(line, sizeof line, "line %zu", line_of(r, r->t.offset));
    return sinter__fail_in(status, line);
}

static sinter_status expect(reader *r, sinter__token_kind kind, const char *what)
{
    if (r->t.kind != kind)
        return sinter__fail(SINTER_ESYNTAX, "line %zu: %s is missing", line_of(r, r->t.offset),
                            what);
    return SINTER_OK;
}

static sinter_status read_number(reader *r, uint64_t most, uint64_t *out)
{
    const sinter__number *n = &r->t.number;
    SINTER_TRY(expect(r, SINTER__TOKEN_NUMBER, "a number"));
    if (n->kind != SINTER__NUMBER_INT || n->scalar.kind != SINTER_SCALAR_UINT ||
        n->scalar.value.u > most)
        return sinter__fail(SINTER_ESYNTAX, "line %zu: no whole number from 0 to %llu",
                            line_of(r, r->t.offset), (unsigned long long)most);
    *out = n->scalar.value.u;
    return next(r);
}

static sinter_status read_u32(reader *r, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    SINTER_TRY(read_number(r, most, &value));
    *out = (uint32_t)value;
    return SINTER_OK;
}

static bool string_is(const reader *r, const char *text)
{
    return r->t.bytes == strlen(text) && memcmp(r->lexer.text + r->t.offset, text, r->t.bytes) == 0;
}

/* That the file is of this device. */
static sinter_status read_same(reader *r, const char *what, const char *here)
{
    char name[128];
    SINTER_TRY(expect(r, SINTER__TOKEN_STRING, "a name in quotes"));
    sinter__profile_name(here, name, sizeof name);
    if (!r->is_shipped && !string_is(r, name)) {
        return sinter__fail(SINTER_EDEVICE, "line %zu: it is of %s \"%.*s\", not \"%.100s\"",
                            line_of(r, r->t.offset), what,
                            (int)SINTER__MIN(r->t.bytes, (size_t)100), r->lexer.text + r->t.offset,
                            name);
    }
    return next(r);
}

static sinter_status read_style(reader *r)
{
    SINTER_TRY(expect(r, SINTER__TOKEN_STRING, "\"cpu\" or \"gpu\""));
    if (!string_is(r, "cpu") && !string_is(r, "gpu"))
        return bad(r, "a style is \"cpu\" or \"gpu\"");
    r->v.style = string_is(r, "cpu") ? SINTER_STYLE_CPU : SINTER_STYLE_GPU;
    sinter__device_tuning(&r->p->device, r->v.style, 0, &r->v.tuning);
    r->has_style = true;
    return next(r);
}

static sinter_status read_format(reader *r)
{
    uint64_t format = 0;
    SINTER_TRY(read_number(r, UINT32_MAX, &format));
    if (format != SINTER__PROFILE_FORMAT)
        return sinter__fail(SINTER_EDEVICE, "it is of format %llu, not %d",
                            (unsigned long long)format, SINTER__PROFILE_FORMAT);
    r->has_format = true;
    return SINTER_OK;
}

static sinter_status read_cost(reader *r, uint32_t *widths)
{
    for (size_t w = 0; w < SINTER__RATE_WIDTHS; w++) {
        if (w > 0) {
            SINTER_TRY(expect(r, SINTER__TOKEN_COMMA, "a comma"));
            SINTER_TRY(next(r));
        }
        SINTER_TRY(read_u32(r, UINT32_MAX, &widths[w]));
    }
    return SINTER_OK;
}

static sinter_status read_tuning(reader *r, size_t index)
{
    const sinter__tuning_info *row = sinter__tuning_row(index);
    sinter__tuning *to = r->kernel != NULL ? &r->kernel->tuned.tuning : &r->v.tuning;
    size_t at = r->t.offset;
    uint32_t value = 0;
    if (!r->has_style)
        return bad(r, "the style has to come first");
    SINTER_TRY(read_u32(r, UINT32_MAX, &value));
    if (!sinter__tuning_set(to, index, value)) {
        return sinter__fail(SINTER_ESYNTAX, "line %zu: %s is %u, and has to be %s %u to %u",
                            line_of(r, at), row->name, (unsigned)value,
                            row->kind == SINTER__TUNING_COUNTED ? "from" : "a power of two from",
                            (unsigned)row->low, (unsigned)row->high);
    }
    return SINTER_OK;
}

static size_t find_name(const char *const *names, size_t count, const char *name, size_t bytes)
{
    size_t i = 0;
    while (i < count && (strlen(names[i]) != bytes || memcmp(names[i], name, bytes) != 0))
        i++;
    return i;
}

static bool begins(const char *name, size_t bytes, const char *with)
{
    return bytes > strlen(with) && memcmp(name, with, strlen(with)) == 0;
}

static size_t find_cost(const char *name, size_t bytes)
{
    const size_t front = strlen(COST);
    return begins(name, bytes, COST) ? sinter__cost_find(name + front, bytes - front)
                                     : SINTER__COST_COUNT;
}

static size_t find_driver(const char *name, size_t bytes)
{
    const size_t front = strlen(DRIVER);
    size_t i = begins(name, bytes, DRIVER) ? 0 : SINTER__NATIVE_COUNT;
    while (i < SINTER__NATIVE_COUNT &&
           (strlen(sinter__native_name(i)) != bytes - front ||
            memcmp(sinter__native_name(i), name + front, bytes - front) != 0))
        i++;
    return i;
}

static sinter_status read_label(reader *r)
{
    SINTER_TRY(expect(r, SINTER__TOKEN_STRING, "a name in quotes"));
    char *label = r->kernel->label;
    size_t bytes = SINTER__MIN(r->t.bytes, sizeof r->kernel->label - 1);
    memcpy(label, r->lexer.text + r->t.offset, bytes);
    label[bytes] = '\0';
    sinter__profile_name(label, label, sizeof r->kernel->label); /* it is written between quotes */
    return next(r);
}

static sinter_status read_shipped(reader *r)
{
    uint32_t flag = 0;
    SINTER_TRY(read_u32(r, 1, &flag));
    r->v.is_shipped = flag != 0;
    return SINTER_OK;
}

/* Those lines of the device's that are none of a table. */
static sinter_status read_word(reader *r, const char *name, size_t bytes)
{
    static const char *const words[] = {"format",       "device",    "driver",
                                        "style",        "exact_fma", "exact_divide",
                                        "void_clauses", "shipped",   "exact_half"};
    const sinter_device_info *info = &r->p->device.info;
    switch (find_name(words, SINTER__COUNT(words), name, bytes)) {
    case 0:
        return read_format(r);
    case 1:
        r->has_device = true;
        return read_same(r, "device", info->name);
    case 2:
        r->has_driver = true;
        return read_same(r, "driver", info->driver_version);
    case 3:
        return r->has_style ? bad(r, "a second style") : read_style(r);
    case 4:
        return read_u32(r, 1, &r->v.exact_fma);
    case 5:
        return read_u32(r, 1, &r->v.exact_divide);
    case 6:
        return read_u32(r, SINTER__VOID_ALL, &r->v.void_clauses);
    case 7:
        return read_shipped(r);
    case 8:
        return read_u32(r, 1, &r->v.exact_half);
    default:
        return sinter__fail(SINTER_ESYNTAX, "line %zu: no value is called '%.*s'",
                            line_of(r, (size_t)(name - r->lexer.text)),
                            (int)SINTER__MIN(bytes, (size_t)60), name);
    }
}

static sinter_status read_value(reader *r, const char *name, size_t bytes)
{
    size_t tuning = sinter__tuning_find(name, bytes);
    if (tuning < SINTER__TUNING_COUNT)
        return read_tuning(r, tuning);
    if (r->kernel != NULL && bytes == 5 && memcmp(name, "label", 5) == 0)
        return read_label(r);
    if (r->kernel != NULL)
        return sinter__fail(SINTER_ESYNTAX, "line %zu: a kernel has no '%.*s'",
                            line_of(r, (size_t)(name - r->lexer.text)),
                            (int)SINTER__MIN(bytes, (size_t)60), name);
    size_t figure = find_name(figure_names, SINTER__FIGURE_COUNT, name, bytes);
    if (figure < SINTER__FIGURE_COUNT)
        return read_u32(r, UINT32_MAX, &r->v.rates.figures[figure]);
    size_t cost = find_cost(name, bytes);
    if (cost < SINTER__COST_COUNT)
        return read_cost(r, r->v.rates.costs[cost]);
    size_t driver = find_driver(name, bytes);
    if (driver < SINTER__NATIVE_COUNT)
        return read_u32(r, UINT32_MAX, &r->v.rates.driver[driver]);
    return read_word(r, name, bytes);
}

static sinter_status read_kernel(reader *r)
{
    uint64_t key = 0;
    SINTER_TRY(next(r));
    if (!sinter__token_is(&r->lexer, &r->t, "kernel"))
        return bad(r, "[kernel KEY] is expected");
    if (!r->has_style)
        return bad(r, "the style has to come first");
    SINTER_TRY(next(r));
    SINTER_TRY(read_number(r, UINT64_MAX, &key));
    SINTER_TRY(expect(r, SINTER__TOKEN_CLOSE_SQUARE, "a ]"));
    if (r->v.kernel_count == MOST_KERNELS)
        return sinter__fail(SINTER_ESYNTAX, "line %zu: it has over %d kernels",
                            line_of(r, r->t.offset), MOST_KERNELS);
    r->kernel = sinter__profile_kernel_add(&r->v, r->p->allocator, key);
    return r->kernel != NULL ? next(r) : SINTER_ENOMEM;
}

static sinter_status read_statement(reader *r)
{
    if (r->t.kind == SINTER__TOKEN_SEPARATOR)
        return next(r);
    if (r->t.kind == SINTER__TOKEN_OPEN_SQUARE) {
        SINTER_TRY(read_kernel(r));
    } else {
        SINTER_TRY(expect(r, SINTER__TOKEN_NAME, "a name"));
        const char *name = r->lexer.text + r->t.offset;
        size_t bytes = r->t.bytes;
        SINTER_TRY(next(r));
        SINTER_TRY(expect(r, SINTER__TOKEN_ASSIGN, "a ="));
        SINTER_TRY(next(r));
        SINTER_TRY(read_value(r, name, bytes));
    }
    bool ends = r->t.kind == SINTER__TOKEN_SEPARATOR || r->t.kind == SINTER__TOKEN_END;
    return ends ? SINTER_OK : bad(r, "more on the line than a value");
}

static sinter_status read_all(reader *r)
{
    SINTER_TRY(next(r));
    while (r->t.kind != SINTER__TOKEN_END)
        SINTER_TRY(read_statement(r));
    if (!r->has_format || !r->has_device || !r->has_driver || !r->has_style)
        return sinter__fail(SINTER_ESYNTAX, "format, device, driver or style is not given");
    return SINTER_OK;
}

sinter_status sinter__profile_parse(sinter_profile *p, const char *text, size_t bytes,
                                    bool is_shipped)
{
    sinter_profile blank;
    sinter__profile_init(&blank, p->allocator, &p->device);
    reader r = {.p = p,
                .v = blank.values,
                .lexer = {.text = text, .bytes = bytes},
                .is_shipped = is_shipped};
    sinter_status status = read_all(&r);
    if (is_shipped) {
        r.v.is_shipped = true;
        r.v.exact_fma = r.v.exact_divide = r.v.exact_half = SINTER__FACT_UNKNOWN;
        r.v.void_clauses = 0;
    }
    sinter__profile_values *gone = status == SINTER_OK ? &p->values : &r.v;
    sinter__free(p->allocator, gone->kernels, gone->kernel_capacity * sizeof *gone->kernels);
    if (status == SINTER_OK)
        p->values = r.v;
    return status;
}
