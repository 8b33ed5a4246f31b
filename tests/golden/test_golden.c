/* The OpenCL C that is made of small programs, compared with the files beside this one, in both
 * styles. A change of the planner or the emitter shows here as a change of these files, to be read:
 * SINTER_GOLDEN_UPDATE=1 writes them anew.
 *
 * The host reference device makes the same text as a driver would be given, from limits that do not
 * depend on the machine. What the kernels call (cl_kernels/) is left out. */
#include "support/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RESULTS = 128 };

static const struct {
    const char *name;
    sinter_dtype dtype;
    int rank;
    int64_t shape[3];
} inputs[] = {
    {"x", SINTER_F32, 2, {300, 40}}, {"y", SINTER_F32, 2, {300, 40}},
    {"row", SINTER_F32, 1, {40}},    {"col", SINTER_F32, 2, {300, 1}},
    {"a", SINTER_F32, 2, {40, 24}},  {"bias", SINTER_F32, 1, {24}},
    {"h", SINTER_F16, 2, {300, 40}}, {"i", SINTER_I32, 2, {300, 40}},
    {"j", SINTER_I32, 1, {40}},      {"l", SINTER_I64, 2, {300, 40}},
    {"u", SINTER_U8, 2, {300, 40}},  {"m", SINTER_BOOL, 1, {40}},
    {"v", SINTER_F32, 1, {50000}},   {"s", SINTER_F32, 0, {0}},
};

/* More rows than two launches take by value. */
#define ROWS_4(a) PART(a "0") PART(a "1") PART(a "2") PART(a "3")
#define ROWS_16(a) ROWS_4(a "0") ROWS_4(a "1") ROWS_4(a "2") ROWS_4(a "3")
#define ROWS_64 ROWS_16("0") ROWS_16("1") ROWS_16("2") ROWS_16("3")
#define PART(digits) "p" digits " = v[1" digits ":] * s; "

/* The name of the files, and the program. */
static const struct {
    const char *name;
    const char *text;
} programs[] = {
    {"chain", "z = ((x + y) * 2 - x) / (y * y + 1)"},
    {"bias_gelu", "z = gelu(x + row)"},
    {"long_function", "z = gelu(x)"},
    {"gate", "z = silu(x) * y * col"},
    {"scalars", "z = clamp(x * s, -1, 1) ** 2.5"},
    {"many_bounds", "z = clamp(clamp(clamp(clamp(x, -3, 3) * s, 0, 1) * 2, -1, 1) - s, -2, 2)"},
    {"several_results", "p = x * y; q = p + 1; r = sqrt(abs(p))"},
    {"integers", "z = (i // j + i % j) << 3; w = l * 3 >> u"},
    {"narrow", "z = h * 2 + cast(u, 'f16'); w = cast(z, 'u8')"},
    {"choices", "z = where(m & (x > y), x, isnan(y))"},
    {"views", "z = transpose(x[::-2, 3:30], (1, 0)) + 1; w = flip(y, axis=1) * 2"},
    {"turned", "z = transpose(x * 2) + reshape(y, (40, 300)); "
               "w = transpose(reshape(x, (5, 60, 40)), (0, 2, 1)) * 2"},
    {"made", "z = random_normal((300, 40), seed=5) * 0.1 + cast(arange(40), 'f32')"},
    {"sum_of_rows", "z = sum(x * y, axis=1)"},
    {"sum_of_planes",
     "p = sum(reshape(v[:49152], (6, 128, 64)), axis=(0, 2)); "
     "z = reshape(x[:, ::-1], (3, 100, 40)); w = z - max(z, axis=(0, 2), keepdims=True)"},
    {"sum_of_columns", "z = mean(x, axis=0)"},
    {"sum_in_parts", "z = max(v * v); w = sum(v)"},
    {"softmax",
     "e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)"},
    {"layer_norm", "d = x - mean(x, axis=1, keepdims=True); "
                   "z = d / sqrt(mean(d * d, axis=1, keepdims=True) + 1e-5) * row"},
    {"columns_in_phases", "e = exp(x - max(x, axis=0)); z = e / sum(e, axis=0)"},
    {"phases_in_parts", "z = v / sum(v)"},
    {"states", "p = argmax(x, axis=1); s = var(x, axis=1)"},
    {"states_of_columns", "s = std(x, axis=0)"},
    {"states_in_parts", "m = mean(v); s = var(v)"},
    {"layer", "z = relu(x @ a + bias)"},
    {"scan", "z = cumsum(x * row, axis=0) * col + y"},
    {"scan_of_rows", "z = cumsum(x, axis=1); w = cumprod(x + y, axis=1)"},
    {"scan_in_stretches", "z = cumsum(v * v, axis=0) + v"},
    {"scan_side_by_side", "z = cumsum(reshape(v[:49152], (96, 512)) * 2, axis=0) + 1"},
    {"list", "p = x * s + 1; q = v * s + 1"},
    {"long_list", ROWS_64 "q = x * s"},
};

static sinter_tensor make_input(const test_device *d, const char *name)
{
    static const char zeros[1 << 19];
    sinter_tensor t;
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        if (strcmp(inputs[k].name, name) != 0)
            continue;
        OK(sinter_tensor_from_host(d->s, inputs[k].dtype, inputs[k].rank, inputs[k].shape, zeros,
                                   &t));
        return t;
    }
    fail_msg("no input is called %s", name);
    return (sinter_tensor){0};
}

/* Runs the program and gives the text of its kernels. */
static void emit(const test_device *d, const char *source, test_text *out)
{
    sinter_program *p;
    sinter_program_place place;
    sinter_tensor in[sizeof inputs / sizeof inputs[0]];
    sinter_tensor results[MAX_RESULTS];
    OK(sinter_program_parse(source, strlen(source), &p, &place));
    size_t in_count = sinter_program_input_count(p);
    size_t count = sinter_program_result_count(p);
    assert_true(count <= MAX_RESULTS);
    for (size_t k = 0; k < in_count; k++)
        in[k] = make_input(d, sinter_program_input_name(p, k));
    OK(sinter_report_begin(d->s));
    OK(sinter_program_run(p, d->s, in, results, &place));
    for (size_t k = 0; k < count; k++) {
        if (!sinter_program_result_is_last(p, k))
            test_release(d, results[k]);
    }
    OK(sinter_stream_sync(d->s));
    OK(sinter_kernels_write(d->s, test_text_add, out));
    for (size_t k = 0; k < count; k++) {
        if (sinter_program_result_is_last(p, k))
            test_release(d, results[k]);
    }
    for (size_t k = 0; k < in_count; k++)
        test_release(d, in[k]);
    sinter_program_destroy(p);
}

/* Keeps the kernels alone: from a line that begins with __kernel to the one that closes it. */
static void keep_kernels(const test_text *whole, test_text *out)
{
    const char *at = whole->data;
    bool inside = false;
    while (*at != '\0') {
        size_t line = strcspn(at, "\n") + 1;
        if (strncmp(at, "__kernel", 8) == 0) {
            inside = true;
            test_text_add(out, "\n", 1);
        }
        if (inside)
            test_text_add(out, at, line);
        if (inside && strncmp(at, "}\n", 2) == 0)
            inside = false;
        at += line;
    }
}

static FILE *open_golden(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL)
        print_error("%s: %s; SINTER_GOLDEN_UPDATE=1 makes it\n", path, strerror(errno));
    assert_non_null(file);
    return file;
}

static void read_golden(const char *path, test_text *out)
{
    FILE *file = open_golden(path, "r");
    out->bytes = fread(out->data, 1, sizeof out->data - 1, file);
    out->data[out->bytes] = '\0';
    assert_int_equal(fclose(file), 0);
}

static void write_golden(const char *path, const test_text *t)
{
    FILE *file = open_golden(path, "w");
    assert_int_equal(fwrite(t->data, 1, t->bytes, file), t->bytes);
    assert_int_equal(fclose(file), 0);
}

/* The first line that differs. */
static void check_same(const char *path, const test_text *expected, const test_text *got)
{
    size_t line = 1;
    size_t from = 0;
    size_t i = 0;
    for (; i < got->bytes && expected->data[i] == got->data[i]; i++) {
        if (got->data[i] == '\n') {
            line++;
            from = i + 1;
        }
    }
    if (i == got->bytes && i == expected->bytes)
        return;
    const char *was = expected->data + from;
    const char *is = got->data + from;
    fail_msg("%s:%zu\n  was %.*s\n  is  %.*s\nSINTER_GOLDEN_UPDATE=1 writes the files anew", path,
             line, (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

static void check_style(sinter_style style, uint32_t lanes, const char *suffix)
{
    const char *update = getenv("SINTER_GOLDEN_UPDATE");
    static test_text whole;
    static test_text got;
    static test_text expected;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.style = style;
    options.lanes = lanes;
    options.log_fn = test_log;
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        char path[1024];
        test_device d = test_open(&options);
        whole.bytes = got.bytes = 0;
        emit(&d, programs[k].text, &whole);
        test_close(&d);
        test_text_add(&got, "// ", 3);
        test_text_add(&got, programs[k].text, strlen(programs[k].text));
        test_text_add(&got, "\n", 1);
        keep_kernels(&whole, &got);
        (void)snprintf(path, sizeof path, "%s/tests/golden/%s.%s.cl", SINTER_SOURCE_DIR,
                       programs[k].name, suffix);
        if (update != NULL && strcmp(update, "1") == 0)
            write_golden(path, &got);
        read_golden(path, &expected);
        check_same(path, &expected, &got);
    }
}

static void kernels_of_the_cpu_style(void **state)
{
    (void)state;
    check_style(SINTER_STYLE_CPU, 16, "cpu");
}

static void kernels_of_the_gpu_style(void **state)
{
    (void)state;
    check_style(SINTER_STYLE_GPU, 4, "gpu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_the_cpu_style),
        cmocka_unit_test(kernels_of_the_gpu_style),
    };
    int skips = test_skips_unless_plain();
    return skips != 0 ? skips : cmocka_run_group_tests(tests, NULL, NULL);
}
