/* What the numbers of a profile decide: the kernels of a context on the host reference device are
 * printed as a driver would get them. */
#include "support/support.h"

#include "executor/profile/profile.h"
#include "executor/profile/search.h"
#include "executor/run/instance.h"
#include "fusion/library/library.h"
#include "fusion/schedule/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The key of the only group that the stream has run. */
static void take_key(void *user, const sinter__instance *in)
{
    uint64_t *key = user;
    assert_int_equal(*key, 0);
    *key = sinter__schedule_key(in->launches[0].nest, in->launches[0].bound);
}

/* What running sqrt(x * 3 + 1) over that many elements makes. */
typedef struct outcome {
    uint64_t key;
    test_text kernels;
    float *values;
} outcome;

static outcome *run(const sinter_profile *p, sinter_style style, uint32_t lanes, int64_t elements,
                    bool other)
{
    outcome *o = calloc(1, sizeof *o);
    assert_non_null(o);
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.profile = p;
    options.style = style;
    options.lanes = lanes;
    test_device d = test_open(&options);
    sinter_tensor x = test_floats(&d, 1, &elements, NULL);
    sinter_tensor scaled;
    sinter_tensor moved;
    sinter_tensor y;
    test_report_begin(&d);
    OK(sinter_mul_scalar(d.s, x, 3, &scaled));
    OK(other ? sinter_sub_scalar(d.s, scaled, 1, &moved)
             : sinter_add_scalar(d.s, scaled, 1, &moved));
    OK(sinter_abs(d.s, moved, &y));
    test_release(&d, scaled);
    test_release(&d, moved);
    o->values = calloc((size_t)elements, sizeof *o->values);
    assert_non_null(o->values);
    test_read(&d, y, o->values, (size_t)elements);
    OK(sinter_kernels_write(d.s, test_text_add, &o->kernels));
    sinter__instances_visit(d.s, take_key, &o->key);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
    return o;
}

static void forget(outcome *o)
{
    free(o->values);
    free(o);
}

/* Runs it with the profile and asserts the vector type of the kernel. */
static void has_type(const sinter_profile *p, sinter_style style, uint32_t lanes, int64_t elements,
                     bool other, const char *type)
{
    outcome *plain = run(NULL, SINTER_STYLE_CPU, 0, elements, other);
    outcome *o = run(p, style, lanes, elements, other);
    if (test_occurrences(o->kernels.data, type) == 0)
        fail_msg("no %s in %s", type, o->kernels.data);
    assert_memory_equal(o->values, plain->values, (size_t)elements * sizeof *o->values);
    forget(o);
    forget(plain);
}

static sinter_profile *profile_of(const char *numbers)
{
    char source[1000];
    sinter_profile *p = NULL;
    OK(sinter_profile_open("host", &p));
    (void)snprintf(
        source, sizeof source,
        "format = 1\ndevice = \"host reference device\"\ndriver = \"\"\nstyle = \"cpu\"\n%s",
        numbers);
    OK(sinter_profile_parse(p, source, strlen(source)));
    return p;
}

static void the_devices_numbers_are_taken(void **state)
{
    (void)state;
    has_type(NULL, SINTER_STYLE_CPU, 0, 1000, false, "float16");
    sinter_profile *p = profile_of("map_lanes = 8\n");
    has_type(p, SINTER_STYLE_AUTO, 0, 1000, false, "float8");
    has_type(p, SINTER_STYLE_CPU, 0, 1000, false, "float8");
    sinter_profile_destroy(p);
}

/* The caller's own choices win; another style has other numbers. */
static void the_callers_choices_win(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("map_lanes = 8\n");
    has_type(p, SINTER_STYLE_AUTO, 2, 1000, false, "float2");
    has_type(p, SINTER_STYLE_GPU, 0, 1000, false, "float4");
    sinter_profile_destroy(p);
}

static void a_kernel_has_its_own(void **state)
{
    (void)state;
    char numbers[200];
    outcome *o = run(NULL, SINTER_STYLE_CPU, 0, 1000, false);
    (void)snprintf(numbers, sizeof numbers, "map_lanes = 8\n[kernel %llu]\nmap_lanes = 2\n",
                   (unsigned long long)o->key);
    forget(o);
    sinter_profile *p = profile_of(numbers);
    has_type(p, SINTER_STYLE_AUTO, 0, 1000, false, "float2");
    has_type(p, SINTER_STYLE_AUTO, 0, 600, false, "float2");  /* a size that is like it */
    has_type(p, SINTER_STYLE_AUTO, 0, 5000, false, "float8"); /* one that is not */
    has_type(p, SINTER_STYLE_AUTO, 0, 1000, true, "float8");  /* another operation */
    sinter_profile_destroy(p);
}

/* Grouping is decided by numbers too: what an addition costs against a byte. */
static void what_is_repeated(void **state)
{
    (void)state;
    const int64_t matrix[] = {6, 10};
    const int64_t row[] = {10};
    for (uint32_t free_arithmetic = 0; free_arithmetic < 2; free_arithmetic++) {
        sinter_profile *p = profile_of(free_arithmetic != 0 ? "arithmetic_per_byte = 100\n"
                                                            : "arithmetic_per_byte = 0\n");
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        options.profile = p;
        test_device d = test_open(&options);
        sinter_tensor x = test_floats(&d, 2, matrix, NULL);
        sinter_tensor r = test_floats(&d, 1, row, NULL);
        sinter_tensor e;
        sinter_tensor y;
        OK(sinter_exp(d.s, r, &e));
        OK(sinter_mul(d.s, x, e, &y));
        test_release(&d, e);
        OK(sinter_stream_sync(d.s));
        assert_int_equal(test_stats(&d).launches, free_arithmetic != 0 ? 1 : 2);
        test_release(&d, x);
        test_release(&d, r);
        test_release(&d, y);
        test_close(&d);
        sinter_profile_destroy(p);
    }
}

/* `sinter tune` tries the numbers that decide what runs together: each one up, and down when that was
 * nothing. What changes no group is not timed, so nothing is won here. */
static void the_numbers_of_groups_are_tried(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("");
    const sinter__tuning before = p->values.tuning;
    sinter__program_job job;
    sinter__search s;
    sinter__watch watch;
    sinter_measure_options options = SINTER_MEASURE_OPTIONS_INIT;
    options.seconds = 100;
    OK(sinter__watch_start(&watch, p, &options));
    sinter__program_job_init(&job, "one group", "y = sqrt(a * b + a)", 1000, 1);
    OK(sinter__search_start(&s, p, &job.job, &watch));
    s.loops = SINTER__TUNING_GROUPING;
    OK(sinter__search_climb(&s));
    assert_int_equal(s.result.tried, 4); /* live_max and arithmetic_per_byte */
    assert_int_equal(s.result.wrong, 0);
    assert_memory_equal(&p->values.tuning, &before, sizeof before);
    sinter__search_finish(&s);
    sinter__watch_finish(&watch);
    sinter_profile_destroy(p);
}

/* The device's own fma or division is not used where it was found wrong, and what does not hold even
 * so is reported. */
static void facts_are_heeded(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("exact_fma = 0\nexact_divide = 0\nvoid_clauses = 5\n");
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    options.profile = p;
    test_device d = test_open(&options);
    OK(sinter_context_device(d.ctx, &info));
    assert_int_equal(info.has_fma, 0);
    assert_int_equal(info.correctly_rounded, 0);
    assert_int_equal(sinter_context_void_clauses(d.ctx),
                     SINTER_VOID_DENORMALS | SINTER_VOID_ROUNDING);
    test_close(&d);
    sinter_profile_destroy(p);
}

/* The device's half rounds to f16 where it has one, or stores one faster, and was not found to be wrong. */
static void half_rounds_where_it_is_exact(void **state)
{
    (void)state;
    static const struct {
        bool has_half, stores_half;
        sinter__fact exact;
        bool converts, stores;
    } cases[] = {{true, false, SINTER__FACT_UNKNOWN, true, false},
                 {true, true, SINTER__FACT_YES, true, false},
                 {true, true, SINTER__FACT_NO, false, false},
                 {false, false, SINTER__FACT_YES, false, false},
                 {false, true, SINTER__FACT_UNKNOWN, false, true},
                 {false, true, SINTER__FACT_NO, false, false}};
    const sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    test_device d = test_open(NULL);
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        sinter__device device = d.ctx->devices[0].device;
        sinter__tuned *tuned = NULL;
        sinter_profile p;
        sinter__buffer text;
        device.limits.has_half = cases[i].has_half;
        device.limits.stores_half = cases[i].stores_half;
        sinter__profile_init(&p, &d.ctx->allocator, &device);
        p.values.exact_half = cases[i].exact;
        OK(sinter__profile_apply(&p, &options, &d.ctx->allocator, &device, &tuned));
        sinter__buffer_init(&text, &d.ctx->allocator);
        OK(sinter__program_print("4:16:round_f16\n", "", &device.limits, &text));
        assert_true((strstr(text.text, "convert_half16_rte") != NULL) == cases[i].converts);
        assert_true((strstr(text.text, "cl_khr_fp16 : enable") != NULL) == cases[i].converts);
        assert_true((strstr(text.text, "vstore_half16_rte") != NULL) == cases[i].stores);
        sinter__buffer_finish(&text);
        sinter__profile_finish(&p);
    }
    test_close(&d);
}

static void a_profile_of_another_device(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("");
    p->device.info.name[0] = 'X';
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    options.profile = p;
    FAILS(SINTER_EINVAL, sinter_context_create(&options, &ctx));
    assert_null(ctx);
    sinter_profile_destroy(p);
}

int main(void)
{
    int skip = test_skips_unless_plain();
    if (skip != 0)
        return skip;
    (void)unsetenv("SINTER_STYLE"); /* each test says the style that it means */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_devices_numbers_are_taken),
        cmocka_unit_test(the_callers_choices_win),
        cmocka_unit_test(a_kernel_has_its_own),
        cmocka_unit_test(what_is_repeated),
        cmocka_unit_test(the_numbers_of_groups_are_tried),
        cmocka_unit_test(facts_are_heeded),
        cmocka_unit_test(half_rounds_where_it_is_exact),
        cmocka_unit_test(a_profile_of_another_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
