/* Operands that repeat along a flat line: which of them a CPU reads from a table, that another period
 * compiles nothing, and the same bits as where they are gathered. */
#include "support/text.h"

#include "core/base.h"
#include "executor/opencl/device.h"
#include "executor/run/instance.h"

#include <stdio.h>
#include <string.h>

#define ROOM 40000

/* Of inputs p and q. */
typedef struct sizes {
    int64_t rows, period;
} sizes;

/* Inputs: x [50,7,3], g [3], h [7,3], k [3,7], w [6], d [1], c [50,1,1], y [50,8,8], t [8,8],
 * z [50,5,13], u [13,5], p [rows,period], q [period]. */
static sinter_tensor make_input(const test_device *d, const char *name, sizes n)
{
    const struct {
        char letter;
        int rank;
        int64_t shape[3];
    } kinds[] = {{'x', 3, {50, 7, 3}},  {'g', 1, {3}},        {'h', 2, {7, 3}},
                 {'k', 2, {3, 7}},      {'w', 1, {6}},        {'d', 1, {1}},
                 {'c', 3, {50, 1, 1}},  {'y', 3, {50, 8, 8}}, {'t', 2, {8, 8}},
                 {'z', 3, {50, 5, 13}}, {'u', 2, {13, 5}},    {'p', 2, {n.rows, n.period}},
                 {'q', 1, {n.period}}};
    for (size_t i = 0; i < SINTER__COUNT(kinds); i++) {
        if (kinds[i].letter == name[0])
            return test_floats(d, kinds[i].rank, kinds[i].shape, NULL);
    }
    fail_msg("no input begins like '%s'", name);
    return (sinter_tensor){0};
}

static test_device open_style(sinter_style style, uint32_t switches)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.style = style;
    options.lanes = 16;
    options.switches = switches;
    test_device d = test_open(&options);
    d.ctx->devices[0].limits.full_apart = SINTER__APART_NOWHERE; /* each read is there once */
    return d;
}

/* Runs it; the one result that is the last of its name, if it is wanted. */
static size_t run(const test_device *d, const char *text, sizes n, float *out)
{
    sinter_program *p;
    sinter_tensor in[16];
    sinter_tensor results[16];
    size_t elements = 0;
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    size_t in_count = sinter_program_input_count(p);
    size_t count = sinter_program_result_count(p);
    assert_true(in_count <= SINTER__COUNT(in) && count <= SINTER__COUNT(results));
    for (size_t i = 0; i < in_count; i++)
        in[i] = make_input(d, sinter_program_input_name(p, i), n);
    OK(sinter_program_run(p, d->s, in, results, NULL));
    OK(sinter_stream_sync(d->s));
    for (size_t i = 0; i < count; i++) {
        if (out != NULL && i + 1 == count)
            elements = test_read_numbers(d, results[i], out, ROOM);
        test_release(d, results[i]);
    }
    for (size_t i = 0; i < in_count; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return elements;
}

static const struct {
    const char *text;
    size_t tables;
} choices[] = {
    {"a = x * g", 1},
    {"a = x * h", 1},
    {"a = x * g + h", 2},                /* periods of 3 and 21 */
    {"a = x * transpose(k, (1, 0))", 1}, /* 21, and no order of memory */
    {"a = x * w[::-2]", 1},              /* 3, backwards */
    {"a = x * reshape(g, (1, 3)) * c", 1} /* the latter by pixel */,
    {"a = y * transpose(t, (1, 0))", 1}, /* 64 */
    {"a = z * transpose(u, (1, 0))", 0}, /* 65 */
    {"a = x * d", 0},                    /* one for all */
    {"a = x * c", 0},
    {"a = x * g1 * g2 * g3 * g4 * g5 * g6 * g7 * g8 * g9", 8}, /* as many as a work-item has */
};

static bool is_host(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.kind == SINTER_DEVICE_HOST;
}

/* How often the kernels of what has run read a vector from a table, which takes a single load by
 * what the driver has. */
static size_t count_tables(const test_device *d)
{
    size_t by_pointer = test_kernels_have(d, " = *(const at");
    size_t by_call = test_kernels_have(d, "vload16(0, (");
    DECIDES(d->ctx->devices[0].limits.splits_vectors ? by_call : by_pointer, 0);
    return by_call + by_pointer;
}

/* Drivers take their time to compile: the first ones. */
#define DRIVERS_TO 3

static void what_repeats_soon_is_in_a_table(void **state)
{
    (void)state;
    static const sinter_style styles[] = {SINTER_STYLE_CPU, SINTER_STYLE_GPU};
    for (size_t k = 0; k < SINTER__COUNT(styles); k++) {
        test_device d = open_style(styles[k], 0);
        bool host = is_host(&d);
        for (size_t i = 0; i < (host ? SINTER__COUNT(choices) : DRIVERS_TO); i++) {
            size_t wanted = styles[k] == SINTER_STYLE_CPU ? choices[i].tables : 0;
            char line[64];
            (void)snprintf(line, sizeof line, ", %zu repeated from a table;", wanted);
            test_report_begin(&d);
            (void)run(&d, choices[i].text, (sizes){2, 2}, NULL);
            if (count_tables(&d) != wanted)
                print_error("%s\n%s", choices[i].text, test_report(&d));
            DECIDES(count_tables(&d), wanted);
            if (!host) /* which interprets */
                DECIDES(test_occurrences(test_report(&d), line), wanted > 0);
        }
        test_close(&d);
    }
}

/* Tails of all lengths; work-items that begin anywhere in the period. */
static void another_period_compiles_nothing(void **state)
{
    (void)state;
    static float out[ROOM];
    static const sizes cases[] = {{2, 3},   {2, 2},  {5, 3},   {700, 3},  {3000, 4}, {1000, 7},
                                  {11, 15}, {9, 16}, {90, 17}, {700, 32}, {130, 63}, {599, 63}};
    test_device d = open_style(SINTER_STYLE_CPU, 0);
    uint64_t compiles = 0;
    for (size_t k = 0; k < SINTER__COUNT(cases); k++) {
        const sizes n = cases[k];
        size_t count = (size_t)(n.rows * n.period);
        assert_int_equal(run(&d, "a = p * q", n, out), count);
        if (k == 0)
            compiles = test_stats(&d).compiles;
        DECIDES(test_stats(&d).compiles, compiles);
        sinter_tensor in[] = {make_input(&d, "p", n), make_input(&d, "q", n)};
        static float p[ROOM];
        float q[64];
        test_read(&d, in[0], p, count);
        test_read(&d, in[1], q, (size_t)n.period);
        for (size_t i = 0; i < count; i++)
            assert_true(out[i] == p[i] * q[i % (size_t)n.period]);
        test_release(&d, in[0]);
        test_release(&d, in[1]);
    }
    test_close(&d);
}

/* Several periods, orders and places in memory at once. */
static void compare(const char *dtype, uint32_t switches)
{
    static float table[ROOM];
    static float gathered[ROOM];
    char text[512];
    bool truth = strcmp(dtype, "bool") == 0;
    (void)snprintf(text, sizeof text,
                   "X = cast(x * 50, '%s'); G = cast(g * 50, '%s'); H = cast(h * 50, '%s');"
                   "K = cast(k * 50, '%s'); W = cast(w * 50, '%s'); cut;"
                   "A = X %c G %c flip(H, axis=1) %c transpose(K, (1, 0)) %c W[1::2] %c H[:, 1:2];"
                   "a = cast(A, 'f32')",
                   dtype, dtype, dtype, dtype, dtype, truth ? '^' : '*', truth ? '^' : '+',
                   truth ? '&' : '-', truth ? '|' : '*', truth ? '^' : '+');
    test_device cpu = open_style(SINTER_STYLE_CPU, switches);
    test_device gpu = open_style(SINTER_STYLE_GPU, switches);
    test_report_begin(&cpu);
    size_t count = run(&cpu, text, (sizes){2, 2}, table);
    if (switches == 0)
        DECIDES(count_tables(&cpu), 5);
    assert_int_equal(run(&gpu, text, (sizes){2, 2}, gathered), count);
    assert_memory_equal(table, gathered, count * sizeof *table);
    test_close(&cpu);
    test_close(&gpu);
}

static void every_dtype_has_the_same_bits(void **state)
{
    (void)state;
    static const char *const dtypes[] = {"f32", "f16", "bf16", "i8",  "u8",  "i16",
                                         "u16", "i32", "u32",  "i64", "u64", "bool"};
    test_device d = open_style(SINTER_STYLE_CPU, 0);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    for (size_t i = 0; i < SINTER__COUNT(dtypes); i++)
        compare(dtypes[i], 0);
    if (info.has_f64 != 0)
        compare("f64", 0);
}

/* Limits that make every index take 64 bits. */
static void wide_indices_have_the_same_bits(void **state)
{
    (void)state;
    compare("f32", SINTER_TINY_LIMITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_repeats_soon_is_in_a_table),
        cmocka_unit_test(another_period_compiles_nothing),
        cmocka_unit_test(every_dtype_has_the_same_bits),
        cmocka_unit_test(wide_indices_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
