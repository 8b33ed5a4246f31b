/* Reductions and scans with the work around them: launches and bytes of what is written by hand from sums,
 * means, maxima and broadcasts, and the same bits as with a kernel for each operation. */
#include "support/text.h"

#include "executor/run/instance.h"

#include <stdio.h>
#include <string.h>

#define ROOM 300000

typedef struct rows_case {
    const char *text;
    uint64_t launches; /* 0: as many as the device wants */
    bool at_bound;     /* every input is read once and every result written once */
} rows_case;

/* Of w, which is as many chunks of 16,384 as it takes: a simulator has two. */
static int64_t long_count(const test_device *d)
{
    return test_is_simulated(d) ? 20000 : 50000;
}

/* Inputs: b [24,1024], k [1024], z [40,7,3], w [50000], v [9,16500], u [300,140]. */
static sinter_tensor make_input(const test_device *d, const char *name)
{
    const struct {
        char letter;
        int rank;
        int64_t shape[3];
    } kinds[] = {{'b', 2, {24, 1024}},      {'k', 1, {1024}},     {'z', 3, {40, 7, 3}},
                 {'w', 1, {long_count(d)}}, {'v', 2, {9, 16500}}, {'u', 2, {300, 140}}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].letter == name[0])
            return test_floats(d, kinds[i].rank, kinds[i].shape, NULL);
    }
    fail_msg("no input begins like '%s'", name);
    return (sinter_tensor){0};
}

/* Of the last case: a GPU reads its chunks for each pass, since its work-groups are too small to hold one. */
static bool holds_nothing;

static size_t values_of(const rows_case *c, uint32_t switches, sinter_stats *stats, char *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_profile *profile = test_profile(NULL, test_is_gpu_style() ? "gpu" : "cpu");
    test_profile_set(profile, "split_work", 0); /* long rows are short here */
    options.profile = profile;
    options.log_fn = test_log;
    options.switches = switches;
    test_device d = test_open(&options);
    sinter_profile_destroy(profile);
    sinter_program *p;
    sinter_tensor in[8];
    sinter_tensor results[16];
    OK(sinter_program_parse(c->text, strlen(c->text), &p, NULL));
    size_t in_count = sinter_program_input_count(p);
    size_t count = sinter_program_result_count(p);
    assert_true(in_count <= 8 && count <= 16);
    for (size_t i = 0; i < in_count; i++)
        in[i] = make_input(&d, sinter_program_input_name(p, i));
    test_report_begin(&d);
    OK(sinter_program_run(p, d.s, in, results, NULL));
    OK(sinter_stream_sync(d.s));
    *stats = test_stats(&d);
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (!sinter_program_result_is_last(p, i))
            continue;
        bytes += test_read_whole(&d, results[i], out + bytes, ROOM - bytes);
    }
    holds_nothing = d.ctx->devices[0].limits.style == SINTER_STYLE_GPU &&
                    strstr(test_report(&d), "held in registers") == NULL;
    if (switches == 0 && test_is_plain() && c->launches > 0 && stats->launches != c->launches)
        print_error("%s\n%s", c->text, test_report(&d));
    for (size_t i = 0; i < count; i++)
        test_release(&d, results[i]);
    for (size_t i = 0; i < in_count; i++)
        test_release(&d, in[i]);
    sinter_program_destroy(p);
    test_close(&d);
    return bytes;
}

/* Fused and apart; returns what fusing came to, which is the last that ran. */
static sinter_stats check(const rows_case *c)
{
    static char fused[ROOM];
    static char apart[ROOM];
    sinter_stats f;
    sinter_stats u;
    size_t bytes = values_of(c, SINTER_NO_FUSE, &u, apart);
    assert_int_equal(values_of(c, 0, &f, fused), bytes);
    assert_memory_equal(fused, apart, bytes);
    if (c->launches == 0 || test_takes_few_arguments())
        return f;
    DECIDES(f.launches, c->launches);
    if (test_is_plain())
        assert_true((f.bytes_moved == f.bytes_bound) == c->at_bound);
    return f;
}

static bool is_host(void)
{
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return info.kind == SINTER_DEVICE_HOST;
}

/* Decisions are the same on every device, and compilers take their time: a driver has one of each. */
static void check_all(const rows_case *cases, size_t count)
{
    if (!is_host())
        count = 1;
    for (size_t i = 0; i < count; i++)
        (void)check(&cases[i]);
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof((cases)[0]))

#define SOFTMAX(x, axes)                                                                           \
    "m = max(" x ", axis=" axes ", keepdims=True); e = exp(" x " - m); "                           \
    "s = sum(e, axis=" axes ", keepdims=True); y = e / s; release m; release e; release s"

#define LAYER_NORM(x, axes)                                                                        \
    "m = mean(" x ", axis=" axes ", keepdims=True); d = " x " - m; "                               \
    "q = mean(d * d, axis=" axes ", keepdims=True); y = d / sqrt(q + 1e-5) * k + ka; release m; "  \
    "release d; release q"

static void normalisations_are_one_launch(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {SOFTMAX("b", "1"), 1, true},
        {LAYER_NORM("b", "1"), 1, true},
        {"m = max(b, axis=1, keepdims=True); y = b - m - log(sum(exp(b - m), axis=1, "
         "keepdims=True));"
         "release m",
         1, true},
        {"y = b / sqrt(mean(b * b, axis=1, keepdims=True) + 1e-6) * k", 1, true},
        {"y = sum((b - ba) ** 2, axis=1)", 1, true},
    };
    CHECK_ALL(cases);
}

/* Elementwise work before and after, and a result of another dtype. */
static void a_residual_and_dropout_join_in(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"x = b + ba; m = mean(x, axis=1, keepdims=True); d = x - m; "
         "q = mean(d * d, axis=1, keepdims=True); n = d / sqrt(q + 1e-5) * k + ka; "
         "u = random_uniform((24, 1024), seed=3); y = cast(where(u < 0.1, 0, n * 1.25), 'f16'); "
         "release x; release m; release d; release q; release n; release u",
         1, true},
    };
    CHECK_ALL(cases);
}

static void any_axes_will_do(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {SOFTMAX("b", "0"), 1, true},
        {SOFTMAX("z", "0"), 1, true},
        {SOFTMAX("z", "1"), 1, true},
        {SOFTMAX("z", "(0, 2)"), 1, true},
        {SOFTMAX("z", "(1, 2)"), 1, true},
        {SOFTMAX("z", "(0, 1, 2)"), 1, true},
        {"m = mean(z, axis=1); y = (z - reshape(m, (40, 1, 3))) * 2; release m", 1, true},
        {"s = sum(z); y = z / s; release s", 1, true},
    };
    CHECK_ALL(cases);
}

/* What is between lives on: written, and not read again. */
static void results_between_are_written_along(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"m = max(b, axis=1, keepdims=True); e = exp(b - m); s = sum(e, axis=1, keepdims=True); "
         "y = e / s",
         1, true},
        {"m = mean(b, axis=1); v = mean(b * b, axis=1) - m * m", 1, true},
        {"s = sum(b, axis=1); m = max(b, axis=1); n = min(b, axis=1); y = b * 2", 1, true},
        {"s = sum(z, axis=1); t = s * 2 + 1; y = sqrt(abs(t))", 1, true},
    };
    CHECK_ALL(cases);
}

/* Too few rows for any device: each phase over the chunks of all rows, then the tree over them. The
 * input is read once in each phase. */
static void few_long_rows_are_split(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"s = sum(w); q = sum(w * w)", 2, false},
        {"m = mean(w, keepdims=True); q = mean((w - m) ** 2); release m", 4, false},
        {"y = w / sum(w)", 3, false},
    };
    CHECK_ALL(cases);
}

/* Too few lines: totals of stretches, their carries, results. What is scanned is read twice, the rest
 * once. */
static void few_long_lines_are_scanned_in_three_launches(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"s = cumsum(w * wa, 0); y = s + wb; release s", 3, false},
        {"x = w[:20000]; y = cumsum(x, 0); z = cumprod(x, 0); release x", 3, false},
        {"y = cumsum(reshape(w, (25000, 2)), 0)", 3, false},
    };
    CHECK_ALL(cases);
}

/* Two passes over a part while it is in the cache, or held, are one read. What the parts come to is written and
 * read again, a number of the state each: 4 of a sum of squared differences, of f32, and a value and
 * a place. */
static void states_read_their_input_once(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const bool is_simulated = test_is_simulated(&d);
    const uint64_t elements = (uint64_t)long_count(&d);
    const uint64_t parts = (elements + 16383) / 16384;
    const uint64_t w = elements * sizeof(float);
    test_close(&d);
    const uint64_t b = (uint64_t)24 * 1024 * sizeof(float);
    const uint64_t place = sizeof(int64_t);
    const struct {
        rows_case c;
        uint64_t bytes;
    } cases[] = {
        {{"m = mean(w); s = var(w)", 2, false}, w + 8 + 2 * parts * (4 + 16)},
        {{"s = var(w)", 2, false}, w + 4 + 2 * parts * 16},
        {{"m = mean(w); s = std(w * 2 + m, correction=1)", 0, false}, 0},
        {{"p = argmax(w)", 2, false}, w + place + 2 * parts * (4 + place)},
        {{"p = argmax(abs(w - 1)); q = min(w)", 2, false}, w + place + 4 + 2 * parts * (8 + place)},
        {{"m = mean(b, axis=1); s = var(b, axis=1)", 1, true}, b + (uint64_t)2 * 24 * 4},
        {{"p = argmin(b, axis=1); y = b * 2", 1, true}, 2 * b + 24 * place},
        {{"p = argmax(b, axis=0); s = var(b, axis=0)", 1, true}, b + 1024 * (4 + place)},
        {{"s = var(u, axis=0); p = argmin(u, axis=0)", 0, false}, 0},
        {{"s = var(v, axis=1); p = argmax(v, axis=1)", 0, false}, 0},
        {{"s = sum(w); p = argmax(cast(w / s, 'f16'))", 4, false}, 0},
    };
    /* A simulator takes long for one. */
    size_t count = is_host() ? sizeof cases / sizeof cases[0] : is_simulated ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        const sinter_stats stats = check(&cases[i].c);
        if (cases[i].bytes > 0)
            DECIDES(stats.bytes_moved, cases[i].bytes + (holds_nothing ? w : 0));
    }
}

/* Of x [24,columns] and w [columns]; a row is larger than the cache where its operands of 4 bytes are. */
typedef struct passes_case {
    const char *text;
    int64_t columns;
    uint64_t reads, writes; /* of as many bytes as x has */
    bool reads_w;
    int passes; /* that the report tells; 0: nothing of it */
} passes_case;

#define PASSES ": a row is larger than the cache\n"

static void check_passes(const passes_case *c, const sinter_profile *p, const float *data)
{
    static uint8_t found[24 * 1024 * sizeof(float)];
    static uint8_t wanted[sizeof found];
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    char line[80];
    options.log_fn = test_log;
    options.style = SINTER_STYLE_CPU;
    test_device d = test_open(&options);
    const size_t bytes = test_run_rows(&d, c->text, 24, c->columns, data, false, wanted);
    test_close(&d);
    options.profile = p;
    d = test_open(&options);
    test_report_begin(&d);
    assert_int_equal(test_run_rows(&d, c->text, 24, c->columns, data, false, found), bytes);
    assert_memory_equal(found, wanted, bytes);
    (void)snprintf(line, sizeof line, "\n    %d passes" PASSES, c->passes);
    DECIDES(test_occurrences(test_report(&d), PASSES), c->passes > 0);
    DECIDES(test_occurrences(test_report(&d), line), c->passes > 0);
    DECIDES(test_stats(&d).launches, 1);
    const uint64_t columns = (uint64_t)c->columns;
    const uint64_t moved = (c->reads + c->writes) * 24 * columns + (c->reads_w ? columns : 0);
    DECIDES(test_stats(&d).bytes_moved, moved * sizeof(float));
    test_close(&d);
}

/* What the exponentials are waits in the result, which is then written twice and read once. */
static void rows_beyond_the_cache_are_read_again(void **state)
{
    (void)state;
    static const passes_case cases[] = {
        {"y = softmax(x, axis=1)", 1024, 2 + 1, 2, false, 3},
        {"y = softmax(x, axis=1)", 512, 1, 1, false, 0},
        {"y = softmax(x, axis=1)", 513, 2 + 1, 2, false, 3},
        {"y = layer_norm(x, axis=1, weight=w)", 1024, 3, 1, true, 3},
        {"m = mean(x, axis=1, keepdims=True); y = x - m; release m", 1024, 2, 1, false, 2},
        {"y = exp(x) * w", 1024, 1, 1, true, 0},
    };
    static float data[24 * 1024];
    const size_t count = is_host() ? sizeof cases / sizeof cases[0] : 1;
    sinter_profile *p = test_profile(NULL, "cpu");
    test_profile_set(p, "row_cache", 4096);
    test_fill(data, 24 * 1024);
    for (size_t i = 0; i < count && !test_takes_few_arguments(); i++)
        check_passes(&cases[i], p, data);
    sinter_profile_destroy(p);
}

/* Rows of several chunks and columns of several runs, a unit for each on a small device. */
static void long_rows_keep_their_parts(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"m = mean(v, axis=1, keepdims=True); y = max(v - m, axis=1); release m", 0, false},
        {"m = max(v, axis=1, keepdims=True); e = exp(v - m); "
         "y = max(e / sum(e, axis=1, keepdims=True), axis=1); release m; release e",
         0, false},
        {"m = mean(u, axis=0); d = u - m; y = mean(d * d, axis=0); release d", 0, false},
    };
    CHECK_ALL(cases);
}

/* Elementwise work before and after a scan, and other scans along the axis, are in its kernel. */
static void scans_take_in_what_is_around_them(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"s = cumsum(b * k, 1); y = exp(s * 0.01) + b; release s", 1, true},
        {"y = cumsum(b, 1)", 1, true},
        {"y = cumsum(z, 1)", 1, true},
        {"s = cumsum(b - ba, 0); y = cast(s * k, 'f16'); release s", 1, true},
        {"s = cumsum(b, 1); p = cumprod(b + ba, 1); y = s * p; release p", 1, true},
        {"y = cumsum(reshape(b, (2, 3, 2, 2, 4, 2, 16, 8)), 6) * 2", 1, true},
    };
    CHECK_ALL(cases);
}

/* What needs another line, or all of it, waits for the scan. */
static void what_a_scan_gives_elsewhere_is_another_launch(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"y = cumsum(b, 1); z = cumsum(b, 0)", 2, false},
        {"y = cumsum(cumsum(b, 1), 1)", 2, false},
        {"s = cumsum(b, 1); y = s[:, ::-1] - s", 2, false},
        {"s = cumsum(b, 1); y = max(s, axis=1)", 2, false},
    };
    CHECK_ALL(cases);
}

/* All -inf, NaN, all equal, huge, a single element, no element. */
static void special_rows_are_what_the_operations_say(void **state)
{
    (void)state;
    static const rows_case cases[] = {
        {"x = where(b == b, -inf, b); " SOFTMAX("x", "1") "; release x", 1, true},
        {"x = where(b > 1, nan, b); " SOFTMAX("x", "1") "; release x", 1, true},
        {"x = where(b == b, 3, b); " SOFTMAX("x", "0") "; release x", 1, true},
        {"x = where(b == b, 3e38, b); " SOFTMAX("x", "1") "; release x", 1, true},
        {SOFTMAX("b[:, :1]", "1"), 0, false},
        {"x = b[:, 5:5]; y = x - sum(x, axis=1, keepdims=True); z = sum(x, axis=1)", 0, false},
        {"x = b[3:3, :]; y = x - sum(x, axis=1, keepdims=True); z = sum(x, axis=1)", 0, false},
        {"x = reshape(b, (2, 3, 2, 2, 4, 2, 16, 8)); m = mean(x, axis=(1, 3, 6), keepdims=True); "
         "y = (x - m) / 2; release m",
         1, true},
    };
    CHECK_ALL(cases);
}

int main(void)
{
    test_nothing_at_once();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_rows_keep_their_parts),
        cmocka_unit_test(special_rows_are_what_the_operations_say),
        cmocka_unit_test(normalisations_are_one_launch),
        cmocka_unit_test(a_residual_and_dropout_join_in),
        cmocka_unit_test(any_axes_will_do),
        cmocka_unit_test(results_between_are_written_along),
        cmocka_unit_test(few_long_rows_are_split),
        cmocka_unit_test(few_long_lines_are_scanned_in_three_launches),
        cmocka_unit_test(scans_take_in_what_is_around_them),
        cmocka_unit_test(what_a_scan_gives_elsewhere_is_another_launch),
        cmocka_unit_test(states_read_their_input_once),
        cmocka_unit_test(rows_beyond_the_cache_are_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
