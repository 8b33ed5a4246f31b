/* The modes that allow more: whose functions are called, that `native` is still one meaning on one
 * device, and what `relaxed` leaves out. */
#include "support/cl_layer.h"
#include "support/text.h"

#include "executor/context/context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 4000

/* A profile in which the driver's `name` takes `driver` picoseconds and ours 50, at every width. */
static void say(test_text *t, const char *name, unsigned driver)
{
    char line[128];
    (void)snprintf(line, sizeof line, "driver_%s = %u\ncost_%s = 50, 50, 50, 50, 50\n", name,
                   driver, name);
    test_text_add(t, line, strlen(line));
}

static const char *const functions[] = {"exp", "exp2", "expm1", "log",  "log2", "log10", "log1p",
                                        "sin", "cos",  "tan",   "atan", "tanh", "erf",   "pow"};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* The device's own profile, but that the driver's functions take `driver` picoseconds. */
static sinter_profile *profile_with(unsigned driver)
{
    sinter_profile *p = NULL;
    static test_text t;
    t.bytes = 0;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    OK(sinter_profile_write(p, test_text_add, &t));
    for (size_t i = 0; i < FUNCTIONS; i++)
        say(&t, functions[i], driver);
    OK(sinter_profile_parse(p, t.data, t.bytes));
    return p;
}

typedef struct outcome {
    float values[ROOM];
    size_t count;
    size_t kernels_with; /* times that the text looked for stands in the kernels */
} outcome;

static void count_text(void *user, const char *from, size_t bytes)
{
    static char whole[1 << 19];
    static size_t at;
    char *looked_for = user;
    if (bytes == 0) { /* the end: the count takes the place of what was looked for */
        whole[at] = '\0';
        (void)snprintf(looked_for, 32, "%zu", test_occurrences(whole, looked_for));
        at = 0;
        return;
    }
    assert_true(at + bytes < sizeof whole);
    memcpy(whole + at, from, bytes);
    at += bytes;
}

static void run_on(test_device *d, const char *program, const char *look_for, outcome *out)
{
    char found[32];
    text_run r = text_open(d, program);
    OK(sinter_report_begin(d->s));
    text_queue(d, &r);
    OK(sinter_stream_sync(d->s));
    (void)snprintf(found, sizeof found, "%s", look_for);
    OK(sinter_kernels_write(d->s, count_text, found));
    count_text(found, "", 0);
    out->kernels_with = (size_t)strtoul(found, NULL, 10);
    out->count = text_read(d, &r, out->values, ROOM);
    text_close(d, &r);
}

static void run(const char *program, const sinter_context_options *options, const char *look_for,
                outcome *out)
{
    test_device d = test_open(options);
    run_on(&d, program, look_for, out);
    test_close(&d);
}

static sinter_context_options options_of(sinter_mode mode, const sinter_profile *profile)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.log_fn = test_log;
    o.mode = mode;
    o.profile = profile;
    return o;
}

/* Values in vectors, in tails and once for a row, so that each width is asked for. */
#define SEVERAL "a = exp(x1) + erf(r1) * log(abs(c1) + 1); b = pow(abs(x1) + 1, r1) - tanh(s1)"

static void native_has_one_meaning_on_a_device(void **state)
{
    (void)state;
    static outcome fused;
    static outcome other;
    sinter_profile *p = profile_with(1);
    sinter_context_options o = options_of(SINTER_MODE_NATIVE, p);
    run(SEVERAL, &o, "erf(", &fused);
    o.switches = SINTER_NO_FUSE;
    run(SEVERAL, &o, "erf(", &other);
    assert_int_equal(other.count, fused.count);
    assert_memory_equal(other.values, fused.values, fused.count * sizeof *fused.values);
    o.switches = 0;
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 4) {
        o.lanes = lanes;
        o.style = lanes == 4 ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
        run(SEVERAL, &o, "erf(", &other);
        assert_memory_equal(other.values, fused.values, fused.count * sizeof *fused.values);
    }
    sinter_profile_destroy(p);
}

/* Our error function is much more text than a call. */
static void the_faster_function_is_taken(void **state)
{
    (void)state;
    static outcome fast;
    static outcome slow;
    static outcome own;
    sinter_profile *faster = profile_with(49);
    sinter_profile *slower = profile_with(51);
    sinter_context_options o = options_of(SINTER_MODE_NATIVE, faster);
    run("y = erf(x1)", &o, " erf(", &fast);
    o.profile = slower;
    run("y = erf(x1)", &o, " erf(", &slow);
    o = options_of(SINTER_MODE_REPRODUCIBLE, faster);
    run("y = erf(x1)", &o, " erf(", &own);
    assert_true(fast.kernels_with > 0);
    assert_int_equal(slow.kernels_with, 0);
    assert_int_equal(own.kernels_with, 0);
    assert_memory_equal(slow.values, own.values, own.count * sizeof *own.values);
    for (size_t i = 0; i < own.count; i++)
        assert_true(fabsf(fast.values[i] - own.values[i]) <= 1e-5F);
    sinter_profile_destroy(faster);
    sinter_profile_destroy(slower);
}

/* Runs it in mode relaxed and in mode reproducible: the values are `within` of each other. */
static void run_both(const char *program, const char *look_for, float within, outcome *relaxed,
                     outcome *exact)
{
    sinter_context_options o = options_of(SINTER_MODE_RELAXED, NULL);
    run(program, &o, look_for, relaxed);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    run(program, &o, look_for, exact);
    for (size_t i = 0; i < exact->count; i++)
        assert_true(fabsf(relaxed->values[i] - exact->values[i]) <= within);
}

/* Without an fma of the device's own there is nothing to win by contracting. */
static bool has_fma(void)
{
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return info.has_fma != 0;
}

static void relaxed_contracts(void **state)
{
    (void)state;
    static outcome relaxed;
    static outcome exact;
    static const char program[] = "y = x1 * xb + x2; z = x1 - xb * 3; w = xb * 3 - x2";
    run_both(program, " = fma(", 1e-5F, &relaxed, &exact);
    assert_int_equal(exact.kernels_with, 0);
    assert_int_equal(relaxed.kernels_with % 3, 0); /* a body may be written out more than once */
    DECIDES(relaxed.kernels_with > 0, has_fma());
}

/* A product that something else needs too is computed. */
static void a_product_of_two_users_stays(void **state)
{
    (void)state;
    static outcome relaxed;
    sinter_context_options o = options_of(SINTER_MODE_RELAXED, NULL);
    run("p = x1 * xb; y = p + x2; z = p - x2; release p", &o, " = fma(", &relaxed);
    assert_int_equal(relaxed.kernels_with, 0);
}

/* Nor is one that waits for a later phase: what it is made of is not there any more. */
static void a_product_of_an_earlier_phase_stays(void **state)
{
    (void)state;
    static outcome relaxed;
    static outcome exact;
    static const char program[] = "p = sqrt(sqrt(abs(x1))) * xb; y = p + max(x1); release p";
    run_both(program, " = fma(", 1e-3F, &relaxed, &exact);
    assert_true(relaxed.kernels_with <= exact.kernels_with); /* a root may be sinter's own */
}

static void relaxed_holds_half_as_float(void **state)
{
    (void)state;
    static outcome relaxed;
    static outcome exact;
    static const char program[] = "h = cast(x1, 'f16'); g = sqrt(abs(h)) / 3 - h * h; y = cast(g, "
                                  "'f32'); release h; release g";
    run_both(program, "round_f16_x16(v", 4e-3F, &relaxed, &exact);
    if (test_is_plain())
        assert_true(relaxed.kernels_with <= exact.kernels_with);
}

/* A compiler makes arithmetic of halves where it sees that both operands are: a repeated one is shown to be, on a
 * processor that has such arithmetic. */
static void repeated_halves_are_shown(void **state)
{
    (void)state;
    static outcome seen[2];
    static const char program[] =
        "h = cast(x1, 'f16'); g = h * 3 + 1; y = cast(g, 'f32'); release h; release g";
    static const char shown[] = "round_f16_x16((float16)(c";
    sinter_context_options o = options_of(SINTER_MODE_REPRODUCIBLE, NULL);
    o.lanes = 16;
    for (int computes = 0; computes < 2; computes++) {
        test_device d = test_open(&o);
        bool has_half = d.ctx->devices[0].limits.has_half;
        d.ctx->devices[0].limits.computes_half = computes != 0;
        run_on(&d, program, shown, &seen[computes]);
        DECIDES(seen[computes].kernels_with > 0, has_half && computes != 0);
        test_close(&d);
    }
    assert_memory_equal(seen[0].values, seen[1].values, seen[0].count * sizeof *seen[0].values);
    o.mode = SINTER_MODE_RELAXED;
    run(program, &o, shown, &seen[0]);
    assert_int_equal(seen[0].kernels_with, 0);
}

/* The driver is asked for correct division only where results are to be correct. */
static void relaxed_divides_as_the_driver_does(void **state)
{
    (void)state;
    static outcome any;
    const cl_layer *layer = test_cl_layer();
    static const char program[] = "y = x1 / xb";
    if (layer == NULL) {
        skip();
        return;
    }
    sinter_context_options o = options_of(SINTER_MODE_RELAXED, NULL);
    run(program, &o, "/", &any);
    assert_null(strstr(layer->options(), "correctly"));
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    run(program, &o, "/", &any);
    if (strstr(info.platform, "Portable Computing") != NULL)
        assert_non_null(strstr(layer->options(), "correctly"));
}

/* All that stand in for ours, in f32 and f64, where sinter declares what kernels call
 * (cl_kernels/declared.cl): the end of the context fails if one was not declared. */
static void what_native_calls_is_declared(void **state)
{
    (void)state;
#define OF_1(name, x) " + " name "(" x ")"
#define OF_2(name, x) " + " name "(" x ", 2)"
#define SINTER_NATIVE(name, operands) OF_##operands(#name, "x1")
    static const char program[] = "a = x1"
#include "fusion/library/native.def"
#define SINTER_NATIVE(name, operands) OF_##operands(#name, "cast(x2, 'f64')")
                                  "; b = cast(x2"
#include "fusion/library/native.def"
                                  ", 'f32')";
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    const cl_layer *layer = test_cl_layer();
    sinter_context_options o = options_of(SINTER_MODE_NATIVE, NULL);
    test_device d = test_open(&o);
    OK(sinter_context_device(d.ctx, &info));
    bool declares = layer != NULL && strstr(info.platform, "Portable Computing") != NULL;
    if (declares) {
        static outcome any;
        d.ctx->devices[0].limits.native = UINT32_MAX;
        run_on(&d, program, "lgamma(", &any);
        assert_true(any.kernels_with > 0);
        assert_non_null(strstr(layer->options(), "-D_OPENCL_H_"));
    }
    test_close(&d);
    if (!declares)
        skip();
}

static void a_mode_that_is_none_is_refused(void **state)
{
    (void)state;
    sinter_context *ctx;
    sinter_context_options o = options_of((sinter_mode)4, NULL);
    FAILS(SINTER_EINVAL, sinter_context_create(&o, &ctx));
    assert_non_null(strstr(sinter_last_error(), "mode 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_has_one_meaning_on_a_device),
        cmocka_unit_test(the_faster_function_is_taken),
        cmocka_unit_test(relaxed_contracts),
        cmocka_unit_test(a_product_of_two_users_stays),
        cmocka_unit_test(a_product_of_an_earlier_phase_stays),
        cmocka_unit_test(relaxed_holds_half_as_float),
        cmocka_unit_test(repeated_halves_are_shown),
        cmocka_unit_test(relaxed_divides_as_the_driver_does),
        cmocka_unit_test(what_native_calls_is_declared),
        cmocka_unit_test(a_mode_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
