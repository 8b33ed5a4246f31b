/* Which matrix products CLBlast computes, what they take, and what becomes of them when it fails. In
 * its place is the one for tests (support/clblast_fake.c). */
#include "support/cl_layer.h"
#include "support/clblast_fake.h"
#include "support/products.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK (96 * 128 * 64) /* of a @ b */
#define NEAR 1.3e-3F         /* 144 * 2^-24 * 144 numbers up to 1 */

static products_outcome one;
static products_outcome other;

static sinter_context_options native(uint32_t from)
{
    return products_options(SINTER_MODE_NATIVE, from);
}

static void done(sinter_context_options *o)
{
    sinter_profile *p = NULL;
    memcpy(&p, &o->profile, sizeof p);
    sinter_profile_destroy(p);
}

/* How many products the library computes when `program` runs once, and what it gives. */
static uint64_t products_of(const char *program, const sinter_context_options *o,
                            products_outcome *out)
{
    uint64_t before = test_clblast_fake()->products();
    products_once(program, o, out);
    assert_int_equal(test_clblast_fake()->mistakes(), 0);
    return test_clblast_fake()->products() - before;
}

static void a_large_product_is_the_librarys(void **state)
{
    (void)state;
    sinter_context_options o = native(WORK);
    assert_int_equal(products_of("y = a @ b", &o, &one), 1);
    assert_int_equal(one.stats.launches, 1);
    assert_int_equal(one.stats.compiles, 0);
    assert_int_equal(one.stats.bytes_moved, one.stats.bytes_bound);
    assert_non_null(strstr(one.report, "by CLBlast: 96 x 64 x 128"));
    o.mode = SINTER_MODE_RELAXED;
    assert_int_equal(products_of("y = a @ b", &o, &other), 1);
    products_assert_same(&one, &other);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    assert_int_equal(products_of("y = a @ b", &o, &other), 0);
    assert_null(strstr(other.report, "CLBlast"));
    products_assert_near(&one, &other, NEAR);
    done(&o);
}

static void what_is_not_worth_it_is_ours(void **state)
{
    (void)state;
    static const struct {
        const char *program, *why;
        uint32_t from;
    } cases[] = {
        {"y = a @ b", "it has fewer multiply-adds", WORK + 1},
        {"y = a[0:63] @ b", "a side is shorter than 64", 1},
        {"y = a[:, ::2] @ b[::2]", "neither by rows nor by columns", 1},
        {"y = cast(cast(a, 'f16') @ cast(b, 'f16'), 'f32')", "its dtype", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter_context_options o = native(cases[i].from);
        assert_int_equal(products_of(cases[i].program, &o, &one), 0);
        assert_non_null(strstr(one.report, cases[i].why));
        done(&o);
    }
    sinter_context_options o = native(UINT32_MAX); /* measured, and never faster */
    assert_int_equal(products_of("y = a @ b", &o, &one), 0);
    o.switches = SINTER_NO_CLBLAST;
    assert_int_equal(products_of("y = a @ b", &o, &one), 0);
    done(&o);
}

/* Not measured: on no device, of any kind, and of no size; the report does not speak of it. */
static void nothing_is_left_to_it_by_default(void **state)
{
    (void)state;
    sinter_context_options o = native(0);
    assert_int_equal(products_of("y = a @ b", &o, &one), 0);
    assert_null(strstr(one.report, "CLBlast"));
    done(&o);
}

/* Matrices begin where their sub-buffers do, however they lie; one that cannot is copied. */
static void operands_are_not_copied(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        uint64_t copies;
    } cases[] = {
        {"y = a @ b", 0},
        {"y = transpose(b) @ transpose(a)", 0},
        {"y = (a + 1) @ (b * 2)", 0},
        {"y = a[:, 0:64] @ b[64:128]", 0},
        {"y = a[:, 1:65] @ b[64:128]", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter_context_options o = native(1);
        uint64_t before = test_clblast_fake()->copies();
        assert_int_equal(products_of(cases[i].program, &o, &one), 1);
        assert_int_equal(test_clblast_fake()->copies() - before, cases[i].copies);
        o.mode = SINTER_MODE_REPRODUCIBLE;
        (void)products_of(cases[i].program, &o, &other);
        products_assert_near(&one, &other, 4 * NEAR);
        done(&o);
    }
}

static void a_batch_is_a_product_each(void **state)
{
    (void)state;
    sinter_context_options o = native(64 * 96 * 64);
    assert_int_equal(products_of("y = e @ g", &o, &one), 3);
    assert_int_equal(one.stats.launches, 3);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    (void)products_of("y = e @ g", &o, &other);
    products_assert_near(&one, &other, NEAR);
    /* one weight for all of them: one product */
    o.mode = SINTER_MODE_NATIVE;
    assert_int_equal(products_of("y = e @ b[0:96]", &o, &one), 1);
    done(&o);
}

/* Whether the driver cannot have sub-buffers that overlap. */
static bool keeps_sub_buffers_apart(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return strstr(info.quirks, "sub-buffers that overlap") != NULL;
}

/* And for each product anew by a driver that cannot have two that overlap: then none outlives its product. */
static void sub_buffers_are_made_once(void **state)
{
    (void)state;
    sinter_context_options o = native(1);
    products_run run = products_open("t = n @ p; y = relu(t) @ transpose(p); release t", &o);
    uint64_t apart = keeps_sub_buffers_apart(&run.d);
    products_again(&run);
    products_again(&run);
    sinter_stats before = test_stats(&run.d);
    for (int i = 0; i < 3; i++)
        products_again(&run);
    sinter_stats after = test_stats(&run.d);
    assert_int_equal(after.plan_misses, before.plan_misses);
    if (test_is_pooled()) { /* two products, three matrices and scratch each */
        assert_int_equal(after.cl_objects_created - before.cl_objects_created, 3 * 2 * 4 * apart);
        assert_int_equal(after.cl_objects_live, before.cl_objects_live);
        assert_int_equal(after.host_allocations, before.host_allocations);
    }
    products_close(&run);
    done(&o);
}

/* Matrices that share some of their bytes: where sub-buffers cannot, that product is ours, each
 * time, and others are not. */
static void operands_that_overlap(void **state)
{
    (void)state;
    static const char program[] = "y = a[0:64] @ transpose(a[32:96]); z = a @ b";
    sinter_context_options o = native(1);
    products_run run = products_open(program, &o);
    uint64_t apart = keeps_sub_buffers_apart(&run.d);
    for (int i = 0; i < 2; i++) {
        uint64_t before = test_clblast_fake()->products();
        uint64_t fallbacks = test_stats(&run.d).fallbacks;
        test_report_begin(&run.d);
        products_again(&run);
        assert_int_equal(test_clblast_fake()->products() - before, 2 - apart);
        assert_int_equal(test_stats(&run.d).fallbacks - fallbacks, apart);
        assert_int_equal(test_occurrences(test_report(&run.d), "its matrices overlap"), apart);
    }
    products_read(&run, &one);
    products_close(&run);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    products_once(program, &o, &other);
    products_assert_near(&one, &other, NEAR);
    done(&o);
}

/* A sub-buffer keeps the buffer behind it alive: it must not outlive what the pool gives back. */
static void sub_buffers_go_with_their_memory(void **state)
{
    (void)state;
    sinter_context_options o = native(1);
    o.memory_mode = SINTER_MEMORY_SEPARATE;
    products_run run = products_open("y = a @ b", &o);
    uint64_t kept = keeps_sub_buffers_apart(&run.d) ? 0 : 1;
    sinter_stats before = test_stats(&run.d);
    products_again(&run);
    assert_int_equal(test_stats(&run.d).cl_objects_live, before.cl_objects_live + 1 + 3 * kept);
    test_release(&run.d, run.results[0]);
    run.results[0] = (sinter_tensor){0};
    assert_int_equal(test_stats(&run.d).cl_objects_live, before.cl_objects_live + 2 * kept);
    products_close(&run);
    done(&o);
}

/* What the one for tests wants for n @ p: as much as the three matrices. */
#define SCRATCH (4 * (144 * 80 + 80 * 80 + 144 * 80))

static void scratch_is_planned(void **state)
{
    (void)state;
    char line[64];
    sinter_context_options o = native(1);
    assert_int_equal(products_of("y = n @ p", &o, &one), 1);
    (void)snprintf(line, sizeof line, "scratch of group 1: steps 1 to 1, %d bytes", SCRATCH);
    assert_non_null(strstr(one.report, line));
    assert_int_equal(one.stats.pool_peak_bytes, 2 * SCRATCH);
    assert_int_equal(one.stats.bytes_moved, 3 * SCRATCH);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    (void)products_of("y = n @ p", &o, &other);
    assert_int_equal(other.stats.pool_peak_bytes, SCRATCH);
    products_assert_near(&one, &other, NEAR);
    done(&o);
}

/* The budget has room for the operands and the result, and not for the scratch. */
static void a_budget_counts_the_scratch(void **state)
{
    (void)state;
    sinter_context_options o = native(1);
    o.memory_mode = SINTER_MEMORY_SEPARATE;
    o.budget_bytes = 2 * SCRATCH - 1;
    uint64_t before = test_clblast_fake()->products();
    products_run run = products_open("y = n @ p", &o);
    OK(sinter_program_run(run.program, run.d.s, run.inputs, run.results, NULL));
    FAILS(SINTER_EBUDGET, sinter_stream_sync(run.d.s));
    assert_non_null(strstr(sinter_last_error(), "made by matmul in step 1 of 1"));
    assert_int_equal(test_clblast_fake()->products(), before);
    products_close(&run);
    o.budget_bytes = 2 * SCRATCH;
    assert_int_equal(products_of("y = n @ p", &o, &one), 1);
    done(&o);
}

/* Views before and after, a product of products, one tensor twice, one that another program reads. */
#define SEVERAL                                                                                    \
    "t = (a + 1) @ b; u = relu(t) * 2; v = transpose(u) @ (u - 1); w = reshape(v + 1, (16, 4, "    \
    "64)); y = sum(w, axis=1); z = v @ transpose(v); release t; release u; release w"

static void native_has_one_meaning_on_a_device(void **state)
{
    (void)state;
    static const uint32_t switches[] = {SINTER_NO_FUSE, SINTER_FLUSH_EVERY_OP, SINTER_NO_REUSE,
                                        SINTER_TINY_LIMITS};
    sinter_context_options o = native(1);
    assert_int_equal(products_of(SEVERAL, &o, &one), 3);
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        o.switches = switches[i];
        assert_int_equal(products_of(SEVERAL, &o, &other), 3);
        products_assert_same(&one, &other);
    }
    done(&o);
}

/* What has failed once is not asked again; results are those of our own kernels. */
static void ours_take_its_place(const char *program, uint64_t nth, bool scratch)
{
    const clblast_fake *fake = test_clblast_fake();
    sinter_context_options o = products_options(SINTER_MODE_REPRODUCIBLE, 1);
    products_once(program, &o, &other);
    o.mode = SINTER_MODE_NATIVE;
    products_run run = products_open(program, &o);
    test_report_begin(&run.d);
    fake->arm(nth, -5, scratch);
    products_again(&run);
    fake->arm(0, 0, 0);
    (void)snprintf(one.report, sizeof one.report, "%s", test_report(&run.d));
    assert_int_equal(test_occurrences(one.report, "CLBlast failed"), 1);
    assert_non_null(strstr(one.report, "CL_OUT_OF_RESOURCES"));
    products_read(&run, &one);
    assert_int_equal(one.stats.fallbacks, scratch ? 0 : 1);
    if (nth == 0)
        products_assert_same(&one, &other);
    else
        products_assert_near(&one, &other, NEAR);
    uint64_t before = fake->products();
    products_again(&run);
    assert_int_equal(fake->products(), before);
    products_read(&run, &one);
    products_assert_same(&one, &other);
    products_close(&run);
    done(&o);
}

static void a_product_that_fails(void **state)
{
    (void)state;
    ours_take_its_place("y = (a + 1) @ b + 1", 0, false);
    ours_take_its_place("y = n @ p", 0, false);
    ours_take_its_place("y = e @ g", 1, false);
    ours_take_its_place("t = a @ b; y = transpose(t) @ a; release t", 1, false);
    ours_take_its_place("y = a @ b", 0, true);
}

static void a_sub_buffer_that_fails(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    assert_non_null(layer);
    sinter_context_options o = native(1);
    products_run run = products_open("y = a @ b", &o);
    layer->arm_named("clCreateSubBuffer", -4);
    products_again(&run);
    layer->arm(0, 0, 0);
    products_read(&run, &one);
    assert_int_equal(one.stats.fallbacks, 1);
    products_close(&run);
    o.mode = SINTER_MODE_REPRODUCIBLE;
    products_once("y = a @ b", &o, &other);
    products_assert_same(&one, &other);
    done(&o);
}

/* It keeps what it has built for a context, and the context with it. */
static void what_it_keeps_goes_with_the_context(void **state)
{
    (void)state;
    const clblast_fake *fake = test_clblast_fake();
    sinter_context_options o = native(1);
    uint64_t before = fake->clears();
    (void)products_of("y = a + 1", &o, &one);
    assert_int_equal(fake->clears(), before);
    (void)products_of("y = a @ b", &o, &one);
    assert_int_equal(fake->clears(), before + 1);
    assert_int_equal(test_occurrences(one.report, "its kernels were built"), 1);
    done(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_product_is_the_librarys),
        cmocka_unit_test(what_is_not_worth_it_is_ours),
        cmocka_unit_test(nothing_is_left_to_it_by_default),
        cmocka_unit_test(operands_are_not_copied),
        cmocka_unit_test(a_batch_is_a_product_each),
        cmocka_unit_test(sub_buffers_are_made_once),
        cmocka_unit_test(operands_that_overlap),
        cmocka_unit_test(sub_buffers_go_with_their_memory),
        cmocka_unit_test(scratch_is_planned),
        cmocka_unit_test(a_budget_counts_the_scratch),
        cmocka_unit_test(native_has_one_meaning_on_a_device),
        cmocka_unit_test(a_product_that_fails),
        cmocka_unit_test(a_sub_buffer_that_fails),
        cmocka_unit_test(what_it_keeps_goes_with_the_context),
    };
    if (test_clblast_fake() == NULL) {
        print_message("SINTER_CLBLAST_LIB does not name the CLBlast for tests\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
