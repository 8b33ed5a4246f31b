/* Programs in the language of `sinter eval` (docs/language.md). */
#include "selftest/program.h"

#include <math.h>

static void print_name(const st_program *p, int value, FILE *to)
{
    if (value < p->input_count)
        (void)fprintf(to, "x%d", value);
    else
        (void)fprintf(to, "y%d", value - p->input_count);
}

static sinter_dtype dtype_of(const st_program *p, int value)
{
    return value < p->input_count ? p->inputs[value].dtype
                                  : p->results[value - p->input_count].dtype;
}

static bool is_integer(sinter_dtype d)
{
    return d != SINTER_F16 && d != SINTER_BF16 && d != SINTER_F32 && d != SINTER_F64;
}

/* As an integer where it stands with integers, so that it takes their dtype. */
static void print_number(double value, bool integer, FILE *to)
{
    if (integer && value == trunc(value))
        (void)fprintf(to, "%.0f", value);
    else
        (void)fprintf(to, "%a", value);
}

static void print_list(int count, const int64_t *values, FILE *to)
{
    (void)fprintf(to, "(");
    for (int i = 0; i < count; i++)
        (void)fprintf(to, "%lld,", (long long)values[i]);
    (void)fprintf(to, ")");
}

static void print_axes(const st_step *t, FILE *to)
{
    (void)fprintf(to, "(");
    for (int i = 0; i < t->axis_count; i++)
        (void)fprintf(to, "%d,", t->axes[i]);
    (void)fprintf(to, ")");
}

static void print_slice(const st_step *t, FILE *to)
{
    (void)fprintf(to, "[");
    for (int i = 0; i < t->axes[0]; i++)
        (void)fprintf(to, ":, ");
    if (t->slice[0] != SINTER_OPEN)
        (void)fprintf(to, "%lld", (long long)t->slice[0]);
    (void)fprintf(to, ":");
    if (t->slice[1] != SINTER_OPEN)
        (void)fprintf(to, "%lld", (long long)t->slice[1]);
    (void)fprintf(to, ":%lld]", (long long)t->slice[2]);
}

/* Operands in order; a number stands where there is no value. */
static void print_operands(const st_program *p, const st_step *t, int count, FILE *to)
{
    int value = t->operand[0] >= 0 ? t->operand[0] : t->operand[1];
    for (int i = 0; i < count; i++) {
        if (i > 0)
            (void)fprintf(to, ", ");
        if (t->operand[i] >= 0)
            print_name(p, t->operand[i], to);
        else
            print_number(t->number[0], is_integer(dtype_of(p, value)), to);
    }
}

static void print_made(const st_step *t, FILE *to)
{
    if (t->op->call == ST_ARANGE) {
        (void)fprintf(to, "arange(start=");
        print_number(t->number[0], is_integer(t->dtype), to);
        (void)fprintf(to, ", step=");
        print_number(t->number[1], is_integer(t->dtype), to);
        (void)fprintf(to, ", count=%lld, dtype='%s')", (long long)t->shape[0],
                      sinter_dtype_name(t->dtype));
        return;
    }
    (void)fprintf(to, "%s(", t->op->name);
    print_list(t->rank, t->shape, to);
    if (t->op->call == ST_FULL) {
        (void)fprintf(to, ", ");
        print_number(t->number[0], is_integer(t->dtype), to);
    } else {
        (void)fprintf(to, ", seed=%llu, offset=%llu", (unsigned long long)t->seed,
                      (unsigned long long)(t->seed >> 7));
    }
    (void)fprintf(to, ", dtype='%s')", sinter_dtype_name(t->dtype));
}

static void print_reduced(const st_step *t, FILE *to)
{
    (void)fprintf(to, ", axis=");
    print_axes(t, to);
    (void)fprintf(to, ", keepdims=%s", t->keepdims ? "True" : "False");
}

static void print_weights(const st_program *p, const st_step *t, FILE *to)
{
    static const char *const names[] = {NULL, "weight", "bias"};
    for (int i = 1; i < 3; i++) {
        if (t->operand[i] < 0)
            continue;
        (void)fprintf(to, ", %s=", names[i]);
        print_name(p, t->operand[i], to);
    }
    if (t->op->call != ST_ALONG)
        (void)fprintf(to, ", eps=%a", t->number[0]);
}

static void print_composition(const st_program *p, const st_step *t, FILE *to)
{
    switch (t->op->call) {
    case ST_NORM:
        (void)fprintf(to, isinf(t->number[0]) ? ", ord=inf" : ", ord=%.0f", t->number[0]);
        print_reduced(t, to);
        break;
    case ST_VAR:
    case ST_STD:
        (void)fprintf(to, ", correction=%.0f", t->number[0]);
        print_reduced(t, to);
        break;
    case ST_ALONG:
    case ST_LAYER:
    case ST_RMS:
        (void)fprintf(to, ", axis=");
        print_axes(t, to);
        print_weights(p, t, to);
        break;
    case ST_DROPOUT:
        (void)fprintf(to, ", %a, %llu, %llu", t->number[0], (unsigned long long)t->seed,
                      (unsigned long long)(t->seed >> 7));
        break;
    default:
        break;
    }
}

static void print_range(const st_step *t, FILE *to)
{
    static const char *const names[] = {"start", "stop"};
    if (t->axis_count == 0)
        return;
    (void)fprintf(to, ", axis=%d, step=%lld", t->axes[0], (long long)t->slice[2]);
    for (int i = 0; i < 2; i++) {
        if (t->slice[i] != SINTER_OPEN)
            (void)fprintf(to, ", %s=%lld", names[i], (long long)t->slice[i]);
    }
}

static void print_attributes(const st_program *p, const st_step *t, FILE *to)
{
    switch (t->op->call) {
    case ST_CAST:
        (void)fprintf(to, ", '%s'", sinter_dtype_name(t->dtype));
        break;
    case ST_CLAMP:
        for (int i = 0; i < 2; i++) {
            (void)fprintf(to, ", ");
            print_number(t->number[i], is_integer(dtype_of(p, t->operand[0])), to);
        }
        break;
    case ST_LEAKY_RELU:
        (void)fprintf(to, ", slope=%a", t->number[0]);
        break;
    case ST_ELU:
        (void)fprintf(to, ", alpha=%a", t->number[0]);
        break;
    case ST_RESHAPE:
    case ST_EXPAND:
        (void)fprintf(to, ", ");
        print_list(t->rank, t->shape, to);
        break;
    case ST_TRANSPOSE:
        (void)fprintf(to, ", ");
        print_axes(t, to);
        break;
    case ST_UPDATE:
        print_range(t, to);
        break;
    case ST_FLIP:
    case ST_SCAN:
    case ST_UNSQUEEZE:
        (void)fprintf(to, ", axis=%d", t->axes[0]);
        break;
    case ST_SQUEEZE:
        (void)fprintf(to, ", axis=");
        print_axes(t, to);
        break;
    case ST_REDUCE:
        print_reduced(t, to);
        break;
    default:
        print_composition(p, t, to);
        break;
    }
}

static void print_step(const st_program *p, int i, FILE *to)
{
    const st_step *t = &p->steps[i];
    (void)fprintf(to, "y%d = ", i);
    if (t->op->classes == 0) {
        print_made(t, to);
    } else if (t->op->call == ST_SLICE) {
        print_name(p, t->operand[0], to);
        print_slice(t, to);
    } else {
        bool two = t->op->call == ST_BINARY || t->op->call == ST_MATMUL || t->op->call == ST_UPDATE;
        (void)fprintf(to, "%s(", t->op->name);
        print_operands(p, t, t->op->call == ST_TERNARY ? 3 : two ? 2 : 1, to);
        print_attributes(p, t, to);
        (void)fprintf(to, ")");
    }
    const sinter_tensor_desc *d = &p->results[i];
    (void)fprintf(to, "%s  # %s[", t->is_output ? "  # output" : "", sinter_dtype_name(d->dtype));
    for (int k = 0; k < d->rank; k++)
        (void)fprintf(to, k > 0 ? ",%lld" : "%lld", (long long)d->shape[k]);
    (void)fprintf(to, "]\n");
}

void st_print(const st_program *p, FILE *to)
{
    (void)fprintf(to, "# seed %llu\n", (unsigned long long)p->seed);
    for (int i = 0; i < p->input_count; i++) {
        (void)fprintf(to, "input x%d %s[", i, sinter_dtype_name(p->inputs[i].dtype));
        for (int k = 0; k < p->inputs[i].rank; k++)
            (void)fprintf(to, k > 0 ? ",%lld" : "%lld", (long long)p->inputs[i].shape[k]);
        (void)fprintf(to, "]\n");
    }
    for (int i = 0; i < p->step_count; i++)
        print_step(p, i, to);
}
