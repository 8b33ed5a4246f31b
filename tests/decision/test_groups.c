/* Which operations run in one launch, what a launch reads and writes, and the rule that ended each
 * group. Every program is also run with a kernel for each operation: the bits are the same. */
#include "support/text.h"

#include <stdio.h>
#include <string.h>

#define ROOM 20000

typedef struct group_case {
    const char *text;
    uint64_t launches;
    const char *rule; /* that some group ended by; NULL: everything was taken in */
    bool above_bound; /* something is stored and loaded again */
} group_case;

static size_t values_of(const group_case *c, uint32_t switches, sinter_stats *stats, float *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.switches = switches;
    test_device d = test_open(&options);
    text_run run = text_open(&d, c->text);
    test_report_begin(&d);
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    *stats = test_stats(&d);
    size_t count = text_read(&d, &run, out, ROOM);
    if (switches == 0 && test_is_plain()) {
        const char *report = test_report(&d);
        const char *rule = c->rule != NULL ? c->rule : "everything that touches it is in it";
        if (stats->launches != c->launches || test_occurrences(report, rule) == 0)
            print_error("%s\n%s", c->text, report);
        assert_true(test_occurrences(report, rule) > 0);
    }
    text_close(&d, &run);
    test_close(&d);
    return count;
}

static void check(const group_case *c)
{
    static float fused[ROOM];
    static float apart[ROOM];
    sinter_stats f;
    sinter_stats u;
    size_t count = values_of(c, 0, &f, fused);
    assert_int_equal(values_of(c, SINTER_NO_FUSE, &u, apart), count);
    assert_memory_equal(fused, apart, count * sizeof *fused);
    DECIDES(f.launches, c->launches);
    if (test_is_plain())
        assert_true((f.bytes_moved > f.bytes_bound) == c->above_bound);
    assert_int_equal(f.bytes_bound, u.bytes_bound);
    assert_true(f.bytes_moved <= u.bytes_moved);
}

static void check_all(const group_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(&cases[i]);
}

#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof((cases)[0]))

static void elementwise_work_is_one_launch(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = x + 1", 1, NULL, false},
        {"y = gelu(x * xb + r)", 1, NULL, false},
        {"y = ((((((x + 1) * 2 - 3) / 4 + xb) * 5 - xc) * 6 + 7))", 1, NULL, false},
        {"y = sqrt(abs(x)) + exp(-abs(xb))", 1, NULL, false},
        {"y = where(x > 0, x * 2, exp(x) - 1)", 1, NULL, false},
        {"y = x * x + x", 1, NULL, false}, /* x is read once */
    };
    CHECK_ALL(cases);
}

static void several_results_are_one_launch(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = x + 1; z = x * 2", 1, NULL, false},
        {"y = x + 1; z = y * 2; w = z - y", 1, NULL, false}, /* y and z written, not read again */
        {"a = x * xb; b = a + xc; c = a - xc; release a", 1, NULL, false},
    };
    CHECK_ALL(cases);
}

/* Nothing flows from one to the other, and the extents are the same by the rules of shapes. */
static void independent_chains_run_side_by_side(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"a = exp(x * 2); b = (xb + 1) / 3; release a; u = x + xb; c = exp(x * 3); release u", 1,
         NULL, false},
        {"a = x * 2; b = a + 1; c = a * xb; d = c - 1; release a; release c", 1, NULL, false},
        {"a = r * x; b = x - c; e = transpose(t) / x", 1, NULL, false},
    };
    CHECK_ALL(cases);
}

/* Extents that merely happen to be the same numbers are not joined. */
static void chance_joins_nothing(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"a = x * 2; b = xb + 1", 2, NULL, false},
    };
    CHECK_ALL(cases);
}

static void broadcasting_is_folded(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = x + r", 1, NULL, false},           {"y = x * c + r", 1, NULL, false},
        {"y = r + c", 1, NULL, false},           {"y = x * s + s", 1, NULL, false},
        {"y = x + (r * 2 + 1)", 1, NULL, false}, /* cheap: done again per row */
    };
    CHECK_ALL(cases);
}

static void views_are_folded(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = transpose(x) + t", 1, NULL, false},
        {"y = transpose(x * 2) + 1", 1, NULL, false},
        {"y = x[::-1, :] * 2", 1, NULL, false},
        {"y = x[::2, :] + h", 1, NULL, false},
        {"y = reshape(x * 2, (20, 12)) + t", 1, NULL, false},
        {"y = flip(x) + x", 1, NULL, false}, /* through two views, and read once all the same */
        {"y = expand(r, (12, 20)) * x", 1, NULL, false},
    };
    CHECK_ALL(cases);
}

static void views_of_results_cost_nothing(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    text_run run = text_open(&d, "y = x + 1; v = transpose(y); w = y[::2, :]; u = x[3:, :]");
    static float out[ROOM];
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    sinter_stats stats = test_stats(&d);
    DECIDES(stats.launches, 1);
    DECIDES(stats.bytes_moved, 2 * 12 * 20 * sizeof(float));
    assert_int_equal(stats.aliases, 3);
    assert_int_equal(stats.pool_bytes, 2 * 12 * 20 * sizeof(float)); /* x, and y for all */
    (void)text_read(&d, &run, out, ROOM);
    text_close(&d, &run);
    test_close(&d);
}

/* What nobody holds is stored once when several views of it live on; a single view is stored itself,
 * packed. */
static void views_of_what_nobody_holds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t launches, aliases;
    } cases[] = {
        {"v = transpose(x + 1)", 1, 0},
        {"v = transpose(x + 1); y = reshape(transpose(v), (240,))", 1, 2},
        {"t = x * 2; v = t[::-1, :]; y = expand(t, (3, 12, 20)); release t", 1, 2},
        {"t = x * 2; v = t[:6, :]; y = t[6:, :]; release t", 1, 2},
        {"t = x * 2; v = t[:6, :]; release t", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const group_case c = {cases[i].text, cases[i].launches, NULL, false};
        check(&c);
        test_device d = test_open(NULL);
        text_run run = text_open(&d, c.text);
        text_queue(&d, &run);
        OK(sinter_stream_sync(d.s));
        DECIDES(test_stats(&d).aliases, cases[i].aliases);
        text_close(&d, &run);
        test_close(&d);
    }
}

static void dead_work_is_not_done(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    text_run run = text_open(&d, "y = x + 1; z = exp(xb) * 2; w = sum(z); release z; release w");
    float out[ROOM];
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    sinter_stats stats = test_stats(&d);
    DECIDES(stats.ops, 4);
    DECIDES(stats.launches, 1);
    DECIDES(stats.bytes_moved, 2 * 12 * 20 * sizeof(float));
    (void)text_read(&d, &run, out, ROOM);
    text_close(&d, &run);
    test_close(&d);
}

/* The rules */

static void reductions_over_other_axes_are_another_group(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = sum(x, axis=1); z = sum(x, axis=0)", 2, "a reduction runs over other axes", true},
        {"m = sum(x, axis=1, keepdims=True); y = x / m; z = sum(y, axis=0); release m; release y",
         2, "a reduction runs over other axes", true},
        {"m = sum(x, axis=1); y = m[::-1] * m; release m", 2, "a reduction runs over other axes",
         true},
    };
    CHECK_ALL(cases);
}

static void a_scan_is_apart_from_reductions_and_other_scans(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = cumsum(x, axis=1); z = cumsum(x, axis=0)", 2, "a scan starts or ends here", true},
        {"y = cumsum(x, axis=1); z = sum(y, axis=1)", 2, "a scan starts or ends here", true},
        {"y = cumsum(cumsum(x, axis=1), axis=1)", 2, "a scan starts or ends here", true},
    };
    CHECK_ALL(cases);
}

static void a_product_ends_on_both_sides(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = x @ m", 1, "a matrix product starts or ends here", false},
        {"y = (x + 1) @ m", 2, "a matrix product starts or ends here", true},
        {"y = x @ m @ transpose(m)", 2, "a matrix product starts or ends here", true},
        {"y = sum(x @ m, axis=1)", 2, "a matrix product starts or ends here", true},
        {"y = transpose(x @ m) * 2", 2, "a matrix product starts or ends here", true},
        {"y = reshape(x @ m, (4, 24)) + 1", 2, "a neighbour runs over other extents", true},
        {"y = x @ m; z = c + 1 + y[:, 0:1]", 2, "a matrix product starts or ends here", true},
    };
    CHECK_ALL(cases);
}

/* Biases, residuals, activations, masks by position: whatever is computed element by element. */
static void work_on_a_product_joins_it(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = gelu(x @ m + 1)", 1, NULL, false},
        {"y = relu(x @ t + c) * c", 1, NULL, false},
        {"y = x @ t @ x + x", 2, "a matrix product starts or ends here", true},
        {"y = xb + relu(x @ (t @ x))", 2, "a matrix product starts or ends here", true},
        {"y = x @ m; z = exp(y)", 1, NULL, false},
        {"y = cast(x @ m, 'f16'); z = cast(y, 'f32') + arange(8); release y", 1, NULL, false},
        {"y = sigmoid(x @ m) * (x @ m2)", 2, "a matrix product starts or ends here", true},
        {"y = softmax(x @ t * 2, axis=1)", 2, "a matrix product starts or ends here", true},
        {"y = where(x @ t > 0, c, 0)", 1, NULL, false},
    };
    CHECK_ALL(cases);
}

static void other_extents_are_another_group(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"a = exp(r); y = x + a", 2, "a neighbour runs over other extents", true},
    };
    CHECK_ALL(cases);
}

static void a_group_never_waits_for_itself(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"a = exp(x); y = a + a @ t @ xb; release a", 3,
         "with its neighbour it would wait for itself", true},
    };
    CHECK_ALL(cases);
}

static void work_is_not_repeated_for_every_row(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = x * exp(r)", 2, "a value would be computed several times per element", true},
        {"a = tanh(x); y = a + a[::-1, :]; release a", 2,
         "a value would be computed several times per element", true},
    };
    CHECK_ALL(cases);
}

/* What takes less than storing and loading is done twice. The last one is a photograph's grade, as
 * one writes it: the luminance of each pixel, which needs its three decoded channels, and a vignette,
 * broadcast to the channels. */
static void cheap_work_is_repeated(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"light = square(maximum(x * 0.0039 - 0.1, 0)) * r;"
         "l = light[:, 0:1] * 0.2 + light[:, 1:2] * 0.7 + light[:, 2:3] * 0.1;"
         "rich = maximum(l + (light - l) * 1.6, 0);"
         "shade = 1 - 0.4 * (square(c) + 0.1);"
         "y = sqrt(rich * shade / (rich + 0.8));"
         "release light; release l; release rich; release shade",
         1, NULL, false},
        {"a = x * 3; y = a + a[::-1, :]; release a", 1, NULL, false},
        {"y = x + (r - 1) * 2", 1, NULL, false},
    };
    CHECK_ALL(cases);
}

static void a_reshape_of_turned_elements_packs_them(void **state)
{
    (void)state;
    static const group_case cases[] = {
        {"y = reshape(transpose(exp(x)), (240,)) + 1", 2, NULL, true},
        {"y = reshape(x[:, 1:7] * 2, (72,)) + 1", 2,
         "a reshape needs the elements packed in memory", true},
    };
    CHECK_ALL(cases);
}

/* A text that grows. */
typedef struct writer {
    char text[4000];
    size_t bytes;
} writer;

static void add(writer *w, const char *text)
{
    w->bytes += (size_t)snprintf(w->text + w->bytes, sizeof w->text - w->bytes, "%s", text);
    assert_true(w->bytes < sizeof w->text);
}

/* Operator and input: " + x7". */
static void add_operand(writer *w, const char *operator_, int number)
{
    char part[32];
    (void)snprintf(part, sizeof part, " %s x%d", operator_, number);
    add(w, part);
}

/* x + 1 + 1 + ..., more operations than a kernel takes. */
static void too_many_operations_split_a_group(void **state)
{
    (void)state;
    writer w = {0};
    add(&w, "y = x");
    for (int i = 0; i < 130; i++)
        add(&w, " + 1");
    const group_case c = {w.text, 2, "limit: operations in a kernel", true};
    check(&c);
}

/* More values at once than a CPU is given registers for: each is used again after all of them. */
static void too_many_values_split_a_group(void **state)
{
    (void)state;
    writer w = {0};
    add(&w, "a = x0");
    for (int i = 1; i < 50; i++)
        add_operand(&w, "+", i);
    add(&w, "; y = a");
    for (int i = 0; i < 50; i++)
        add_operand(&w, "*", i);
    add(&w, "; release a");
    const group_case c = {w.text, 2, "limit: values alive at once", true};
    check(&c);
}

/* More arguments than a kernel of any driver takes; three operands per operation. */
static void too_many_arguments_split_a_group(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const int64_t shape[] = {5};
    sinter_tensor in[251];
    float out[5];
    for (size_t i = 0; i < 251; i++)
        in[i] = test_floats(&d, 1, shape, NULL);
    sinter_tensor y = in[0];
    test_report_begin(&d);
    for (size_t i = 1; i + 1 < 251; i += 2) {
        sinter_tensor next;
        OK(sinter_fma(d.s, in[i], in[i + 1], y, &next));
        if (i > 1)
            test_release(&d, y);
        y = next;
    }
    test_read(&d, y, out, 5);
    if (test_is_plain()) {
        assert_true(test_stats(&d).launches > 1);
        assert_true(test_occurrences(test_report(&d), "limit: bytes of kernel arguments") > 0);
    }
    test_release(&d, y);
    for (size_t i = 0; i < 251; i++)
        test_release(&d, in[i]);
    test_close(&d);
}

static void without_fusion_each_operation_is_a_launch(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.switches = SINTER_NO_FUSE;
    test_device d = test_open(&options);
    text_run run = text_open(&d, "y = gelu(x * xb + r); z = transpose(x) + t");
    test_report_begin(&d);
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    assert_int_equal(test_stats(&d).launches, 4);
    if (test_is_plain())
        assert_true(test_occurrences(test_report(&d), "ended: fusion is off") >= 2);
    text_close(&d, &run);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementwise_work_is_one_launch),
        cmocka_unit_test(several_results_are_one_launch),
        cmocka_unit_test(independent_chains_run_side_by_side),
        cmocka_unit_test(chance_joins_nothing),
        cmocka_unit_test(broadcasting_is_folded),
        cmocka_unit_test(views_are_folded),
        cmocka_unit_test(views_of_results_cost_nothing),
        cmocka_unit_test(views_of_what_nobody_holds),
        cmocka_unit_test(dead_work_is_not_done),
        cmocka_unit_test(reductions_over_other_axes_are_another_group),
        cmocka_unit_test(a_scan_is_apart_from_reductions_and_other_scans),
        cmocka_unit_test(a_product_ends_on_both_sides),
        cmocka_unit_test(work_on_a_product_joins_it),
        cmocka_unit_test(other_extents_are_another_group),
        cmocka_unit_test(a_group_never_waits_for_itself),
        cmocka_unit_test(work_is_not_repeated_for_every_row),
        cmocka_unit_test(cheap_work_is_repeated),
        cmocka_unit_test(a_reshape_of_turned_elements_packs_them),
        cmocka_unit_test(too_many_operations_split_a_group),
        cmocka_unit_test(too_many_values_split_a_group),
        cmocka_unit_test(too_many_arguments_split_a_group),
        cmocka_unit_test(without_fusion_each_operation_is_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
