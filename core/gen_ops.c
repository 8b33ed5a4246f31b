/* Prints what is made of the op table: the public header of the elementwise operations, or their
 * page of the documentation. The outputs are committed; a test compares them with what this program
 * prints.
 *
 *   gen_ops header > include/sinter/ops.h
 *   gen_ops docs   > docs/ops.md */
#include "core/op.h"

#include <stdio.h>
#include <string.h>

static const char *const rule_texts[] = {
    [SINTER__RULE_NUMERIC_BOOL] = "promoted.",
    [SINTER__RULE_NUMERIC] = "promoted; not bool.",
    [SINTER__RULE_NUMERIC_I8] = "promoted; bool gives i8.",
    [SINTER__RULE_FLOATS] = "promoted; integers and bool give f32.",
    [SINTER__RULE_COMPARED] = "any. out: bool.",
    [SINTER__RULE_LOGICAL] = "any. out: bool.",
    [SINTER__RULE_BITS] = "promoted; integers or bool.",
    [SINTER__RULE_SHIFTS] = "promoted; integers; bool gives i8.",
    [SINTER__RULE_SELECT] = "a: any, as a condition; b, c: promoted.",
    [SINTER__RULE_CONVERT] = "the one asked for.",
    [SINTER__RULE_MADE] = "the one asked for.",
    [SINTER__RULE_SAME] = "that of the operand.",
    [SINTER__RULE_POSITION] = "any. out: i64.",
    [SINTER__RULE_FIRST] = "that of a, to which b is converted.",
    [SINTER__RULE_SUMS] = "floats as they are; integers and bool give 64 bits.",
};

/* The columns that the library itself has no use for, by code. */
#define EXACT (-1.0)
#define ROUNDED 0.5
#define STEPS (-2.0)
#define WITHIN(f32, f64) (f32)

static const struct row_text {
    const char *meaning;
    double error;
} texts[SINTER__OP_END] = {
/* clang-format off */
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, ERROR, F, S, U, B, MEANING) \
    [CODE] = {.meaning = (MEANING), .error = (ERROR)},
/* clang-format on */
#include "core/ops.def"
#undef SINTER_OP
};

#undef WITHIN
#define WITHIN(f32, f64) (f64)
static const double f64_errors[SINTER__OP_END] = {
#define SINTER_OP(ID, CODE, NAME, KIND, ARITY, PARAMS, RULE, FLAGS, COST, ERROR, ...)              \
    [CODE] = (ERROR),
#include "core/ops.def"
#undef SINTER_OP
};

static bool is_plain(const sinter__op_info *o)
{
    return (o->kind == SINTER__KIND_MAP || o->kind == SINTER__KIND_COMPARE) && o->params == 0;
}

enum { WIDTH = 100 };

/* Pieces of `text`, which begins at `column`: they end with `separator`, of which the space is left
 * out where a line breaks. Later lines begin with `indent`; `end` stands behind the last piece. */
static void print_wrapped(size_t column, const char *text, const char *separator,
                          const char *indent, const char *end)
{
    for (bool first = true; *text != '\0'; first = false) {
        const char *found = strstr(text, separator);
        size_t bytes = strlen(separator);
        size_t length = found != NULL ? (size_t)(found - text) + bytes - 1 : strlen(text);
        if (!first && column + 1 + length + (found == NULL ? strlen(end) : 0) > WIDTH) {
            printf("\n%s", indent);
            column = strlen(indent);
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, text);
        column += length;
        text += length + (found != NULL);
    }
    printf("%s\n", end);
}

static void print_comment(unsigned op, const char *what, const char *shapes)
{
    const sinter__op_info *o = sinter__op_info_of(op);
    bool f32_only = (o->flags & SINTER__F32_ONLY) != 0;
    char sentence[256];
    (void)snprintf(sentence, sizeof sentence, "Queues %s%s.", texts[op].meaning, what);
    printf("/** ");
    print_wrapped(4, sentence, " ", " * ", "");
    printf(" *  shapes   %s\n *  dtype    %s%s\n", shapes, rule_texts[o->rule],
           f32_only ? " No f64 form yet." : "");
    printf(" *  owns     *out is the caller's.\n"
           " *  errors   SINTER_EHANDLE, %sSINTER_EDTYPE, SINTER_ENOMEM.\n"
           " *  thread   the stream's. */\n",
           what[0] != '\0' ? "SINTER_ERANGE, "
           : o->arity > 1  ? "SINTER_ESHAPE, "
                           : "");
}

/* As clang-format has it: arguments under the first one. */
static void print_prototype(const char *prefix, const char *name, const char *suffix,
                            const char *arguments)
{
    char head[WIDTH];
    char indent[WIDTH];
    int width = snprintf(head, sizeof head, "SINTER_API sinter_status sinter_%s%s%s(", prefix, name,
                         suffix);
    (void)snprintf(indent, sizeof indent, "%*s", width, "");
    printf("%s", head);
    print_wrapped((size_t)width, arguments, ", ", indent, ");");
    printf("\n");
}

static void print_wrappers(unsigned op)
{
    const sinter__op_info *o = sinter__op_info_of(op);
    static const char *const arguments[] = {
        "",
        "sinter_stream *stream, sinter_tensor a, sinter_tensor *out",
        "sinter_stream *stream, sinter_tensor a, sinter_tensor b, sinter_tensor *out",
        ("sinter_stream *stream, sinter_tensor a, sinter_tensor b, sinter_tensor c, "
         "sinter_tensor *out"),
    };
    print_comment(op, "",
                  o->arity == 1 ? "out: that of a." : "out: what the operands broadcast to.");
    print_prototype("", o->name, "", arguments[o->arity]);
    if (o->arity != 2)
        return;
    print_comment(op, ", b being a number", "out: that of a.");
    print_prototype("", o->name, "_scalar",
                    "sinter_stream *stream, sinter_tensor a, double b, sinter_tensor *out");
    print_comment(op, ", a being a number", "out: that of b.");
    print_prototype("scalar_", o->name, "",
                    "sinter_stream *stream, double a, sinter_tensor b, sinter_tensor *out");
}

static void print_header(void)
{
    printf(
        "/* Elementwise operations, made from core/ops.def by core/gen_ops.c: do not edit.\n"
        " *\n"
        " * Nothing runs; each call appends one record to the stream's queue and returns a "
        "handle.\n"
        " * Shape and dtype errors are found at once. A number in the place of a tensor takes the\n"
        " * tensor's dtype (f32 where the operation turns integers into floats), and an integer\n"
        " * dtype must hold it exactly: else SINTER_ERANGE. A NULL stream or `out` is "
        "SINTER_EINVAL.\n"
        " * Numbers are doubles: an integer beyond 2^53 goes through sinter_full.\n"
        " * Promoted is what sinter_dtype_promote gives for the dtypes of the operands that are\n"
        " * tensors; the operation works in it, and the result has it where nothing else is said.\n"
        " * *out is the null handle on failure, and may not be one of the inputs. */\n"
        "#ifndef SINTER_OPS_H\n#define SINTER_OPS_H\n\n#include \"sinter/types.h\"\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (unsigned i = 0; i < SINTER__OP_END; i++) {
        const sinter__op_info *o = sinter__op_info_of(i);
        if (o->name[0] != '\0' && is_plain(o))
            print_wrappers(i);
    }
    printf("#ifdef __cplusplus\n}\n#endif\n\n#endif /* SINTER_OPS_H */\n");
}

static const char *kind_text(uint8_t kind)
{
    switch ((sinter__kind)kind) {
    case SINTER__KIND_VIEW:
        return "view";
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_STATE:
        return "reduction";
    case SINTER__KIND_SCAN:
        return "scan";
    case SINTER__KIND_CONTRACT:
        return "product";
    case SINTER__KIND_UPDATE:
        return "update";
    case SINTER__KIND_COMPOSITE:
        return "composition";
    case SINTER__KIND_FILL:
    case SINTER__KIND_GENERATE:
    case SINTER__KIND_RANDOM:
        return "made";
    default:
        return "elementwise";
    }
}

/* A cell of a table may not hold a bar. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            printf("\\|");
        else
            putchar(*text);
    }
}

static void print_error(unsigned code)
{
    double error = texts[code].error;
    if (error == EXACT)
        printf("exact");
    else if (error == ROUNDED)
        printf("rounded");
    else if (error == STEPS)
        printf("steps");
    else
        printf("%g ulp", error);
    if (f64_errors[code] != error)
        printf(", f64 %g", f64_errors[code]);
}

static void print_docs(void)
{
    printf(
        "# Operations\n\nMade from `core/ops.def`, which is the single source of truth. `a`, "
        "`b` and `c` are the\n"
        "operands in order. Promoted is the dtype that the dtypes of the operands have in common "
        "([numpy.md](numpy.md)); the\noperation works in it, and the result has it where nothing "
        "else is said.\n\n"
        "`error` is the most that a result is off, in units of its last place (ulp): exact, "
        "rounded (to nearest\neven, 0.5 ulp), a bound (and that of f64 where it is another), or "
        "steps: several operations, each\nrounded, in a fixed order. f16 and bf16 results "
        "are the f32 result rounded to nearest even; integers are\nalways exact.\n\n"
        "| name | kind | operands | gives | dtype | error |\n"
        "| --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < SINTER__OP_END; i++) {
        const sinter__op_info *o = sinter__op_info_of(i);
        if (o->name[0] == '\0')
            continue;
        bool optional = o->kind == SINTER__KIND_COMPOSITE && o->arity > 1;
        printf("| `%s` | %s | %s%u%s | ", o->name, kind_text(o->kind), optional ? "1 to " : "",
               o->arity, o->params > 0 ? " and numbers" : "");
        print_cell(texts[i].meaning);
        printf(" | %s%s | ", rule_texts[o->rule],
               (o->flags & SINTER__F32_ONLY) != 0 ? " No f64 form yet." : "");
        print_error(i);
        printf(" |\n");
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "header") == 0) {
        print_header();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "docs") == 0) {
        print_docs();
        return 0;
    }
    (void)fprintf(stderr, "usage: gen_ops header|docs\n");
    return 2;
}
