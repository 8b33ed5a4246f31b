/* A kernel does not build. Where smaller kernels do, the group is split and the values are the same;
 * the report and the statistics say so. Where none does, the results have failed and the stream goes
 * on. */
#include "fault/scene.h"

#include <stdio.h>
#include <string.h>

#define COUNT 24

static const cl_layer *layer;
static const int64_t shape[] = {COUNT};

/* y = tanh(exp(x)) * x, z = sum(y) */
static void queue(const test_device *d, sinter_tensor x, sinter_tensor *y, sinter_tensor *z)
{
    sinter_tensor a;
    sinter_tensor b;
    OK(sinter_exp(d->s, x, &a));
    OK(sinter_tanh(d->s, a, &b));
    OK(sinter_mul(d->s, b, x, y));
    OK(sinter_sum(d->s, *y, 0, NULL, false, z));
    test_release(d, a);
    test_release(d, b);
}

static void read_both(const test_device *d, sinter_tensor y, sinter_tensor z, float *out)
{
    test_read(d, y, out, COUNT);
    test_read(d, z, out + COUNT, 1);
    test_release(d, y);
    test_release(d, z);
}

/* Silent: the warnings are wanted here. */
static test_device open_silently(void)
{
    const sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    return test_open(&options);
}

static void what_does_not_build_is_split(void **state)
{
    (void)state;
    test_device d = open_silently();
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor y;
    sinter_tensor z;
    float whole[COUNT + 1];
    float split[COUNT + 1];
    test_text report = {.bytes = 0};
    queue(&d, x, &y, &z);
    read_both(&d, y, z, whole);
    assert_int_equal(test_stats(&d).fallbacks, 0);
    test_release(&d, x);
    test_close(&d);

    d = open_silently();
    x = test_floats(&d, 1, shape, NULL);
    layer->refuse("sn_exp_f32", "sn_tanh_f32");
    OK(sinter_report_begin(d.s));
    queue(&d, x, &y, &z);
    read_both(&d, y, z, split);
    assert_true(layer->failed() > 0);
    assert_true(test_stats(&d).fallbacks > 0);
    assert_memory_equal(whole, split, sizeof whole);
    OK(sinter_report_write(d.s, test_text_add, &report));
    assert_non_null(strstr(report.data, "fallback: a kernel did not build"));
    /* Once found, the split is a plan like any other. */
    uint64_t failed = layer->failed();
    uint64_t compiles = test_stats(&d).compiles;
    queue(&d, x, &y, &z);
    read_both(&d, y, z, split);
    assert_memory_equal(whole, split, sizeof whole);
    assert_int_equal(layer->failed(), failed);
    assert_int_equal(test_stats(&d).compiles, compiles);
    layer->arm(0, 0, 0);
    test_release(&d, x);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

/* A stored plan meets a size that wants another kernel, and that one does not build. */
static void a_stored_plan_is_split_too(void **state)
{
    (void)state;
    test_device d = open_silently();
    const int64_t sizes[] = {COUNT, 40000, COUNT};
    float sums[3];
    for (int i = 0; i < 3; i++) {
        sinter_tensor x = test_floats(&d, 1, &sizes[i], NULL);
        sinter_tensor a;
        sinter_tensor b;
        sinter_tensor z;
        if (i == 1)
            layer->refuse("sn_exp_f32", "sn_tanh_f32");
        OK(sinter_exp(d.s, x, &a));
        OK(sinter_tanh(d.s, a, &b));
        OK(sinter_sum(d.s, b, 0, NULL, false, &z));
        test_release(&d, a);
        test_release(&d, b);
        test_read(&d, z, &sums[i], 1);
        test_release(&d, z);
        test_release(&d, x);
    }
    assert_true(layer->failed() > 0);
    assert_true(test_stats(&d).fallbacks > 0);
    assert_true(sums[0] == sums[2]);
    assert_true(sums[1] > sums[0] && sums[1] < 40000.0f);
    layer->arm(0, 0, 0);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

/* One operation does not build in any kernel: what depends on it fails, the rest of the segment does
 * not. */
static void only_what_depends_on_it_fails(void **state)
{
    (void)state;
    test_device d = open_silently();
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor bad;
    sinter_tensor worse;
    sinter_tensor good;
    float in[COUNT];
    float out[COUNT];
    layer->refuse("sn_tanh_f32", "sn_tanh_f32");
    OK(sinter_neg(d.s, x, &good));
    OK(sinter_tanh(d.s, good, &bad));
    OK(sinter_add(d.s, bad, x, &worse));
    for (int i = 0; i < 2; i++) {
        FAILS(SINTER_EBUILD, sinter_tensor_read(d.s, worse, out, sizeof out));
        assert_non_null(strstr(sinter_last_error(), "clBuildProgram"));
        FAILS(SINTER_EBUILD, sinter_tensor_read(d.s, bad, out, sizeof out));
    }
    test_read(&d, x, in, COUNT);
    test_read(&d, good, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == -in[i]);
    layer->arm(0, 0, 0);
    OK(sinter_stream_sync(d.s)); /* a read has reported it */
    test_release(&d, bad);
    test_release(&d, worse);
    test_release(&d, good);
    test_release(&d, x);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

/* A fill, a copy and what is made of them share a launch; what computes nothing is an operation like any other. */
static void queue_fills(const test_device *d, sinter_tensor x, sinter_tensor *made)
{
    OK(sinter_full(d->s, SINTER_F32, 1, shape, sinter_scalar_float(0.5), &made[0]));
    OK(sinter_copy(d->s, x, &made[1]));
    OK(sinter_add(d->s, made[0], made[1], &made[2]));
    OK(sinter_tanh(d->s, made[2], &made[3]));
}

static void release_fills(const test_device *d, const sinter_tensor *made)
{
    for (int i = 0; i < 4; i++)
        test_release(d, made[i]);
}

static void what_computes_nothing_is_split_off(void **state)
{
    (void)state;
    test_device d = open_silently();
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor made[4];
    float in[COUNT];
    float out[COUNT];
    layer->refuse("sn_tanh_f32", "sn_tanh_f32");
    queue_fills(&d, x, made);
    FAILS(SINTER_EBUILD, sinter_tensor_read(d.s, made[3], out, sizeof out));
    test_read(&d, x, in, COUNT);
    for (int k = 0; k < 3; k++) {
        test_read(&d, made[k], out, COUNT);
        for (int i = 0; i < COUNT; i++)
            assert_true(out[i] == (k == 0 ? 0.0f : in[i]) + (k == 1 ? 0.0f : 0.5f));
    }
    layer->arm(0, 0, 0);
    release_fills(&d, made);
    test_release(&d, x);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

/* Halving ends, whatever the group is made of. */
static void when_nothing_launches_the_stream_goes_on(void **state)
{
    (void)state;
    test_device d = open_silently();
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor made[4];
    float out[COUNT];
    OK(sinter_stream_sync(d.s));
    layer->arm_named("clEnqueueNDRangeKernel", -5);
    queue_fills(&d, x, made);
    for (int k = 0; k < 4; k++)
        assert_int_not_equal(sinter_tensor_read(d.s, made[k], out, sizeof out), SINTER_OK);
    layer->arm(0, 0, 0);
    release_fills(&d, made);
    queue_fills(&d, x, made);
    test_read(&d, made[3], out, COUNT);
    release_fills(&d, made);
    (void)sinter_stream_sync(d.s);
    test_release(&d, x);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

static void when_nothing_builds_the_stream_goes_on(void **state)
{
    (void)state;
    test_device d = open_silently();
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor y;
    sinter_tensor z;
    float out[COUNT + 1];
    layer->arm_named("clBuildProgram", -11);
    queue(&d, x, &y, &z);
    FAILS(SINTER_EBUILD, sinter_stream_sync(d.s));
    assert_non_null(strstr(sinter_last_error(), "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)"));
    OK(sinter_stream_sync(d.s));
    FAILS(SINTER_EBUILD, sinter_tensor_read(d.s, y, out, COUNT * sizeof *out));
    FAILS(SINTER_EBUILD, sinter_tensor_read(d.s, z, out, sizeof *out));
    test_release(&d, y);
    test_release(&d, z);
    layer->arm(0, 0, 0);
    queue(&d, x, &y, &z);
    read_both(&d, y, z, out);
    test_release(&d, x);
    test_close(&d);
    assert_int_equal(layer->live(), 0);
}

#define SIDE 4

/* A group of three, and a product of what it makes. */
static void queue_product(const test_device *d, const sinter_tensor *in, sinter_tensor *made)
{
    OK(sinter_neg(d->s, in[0], &made[0]));
    OK(sinter_tanh(d->s, made[0], &made[1]));
    OK(sinter_add(d->s, made[1], in[0], &made[2]));
    OK(sinter_matmul(d->s, made[2], in[1], &made[3]));
}

/* A bit for each value that can be read; those are right. */
static unsigned read_product(const test_device *d, const sinter_tensor *made,
                             float wanted[][SIDE * SIDE], bool first)
{
    unsigned had = 0;
    for (int k = 0; k < 4; k++) {
        float out[SIDE * SIDE];
        if (sinter_tensor_read(d->s, made[k], out, sizeof out) == SINTER_OK) {
            had |= 1u << k;
            if (first)
                memcpy(wanted[k], out, sizeof out);
            assert_memory_equal(out, wanted[k], sizeof out);
        }
        test_release(d, made[k]);
    }
    return had;
}

/* A launch of a plan that ran before fails, the operations of its group run by themselves, and one of those has no
 * kernel: what reads its result in a later group has no value either. Whichever call fails. */
static void a_group_after_a_split_one_fails_with_it(void **state)
{
    (void)state;
    static const int64_t square[] = {SIDE, SIDE};
    enum { CALLS = 8 };
    float wanted[4][SIDE * SIDE];
    bool found = false;
    for (uint64_t nth = 0; nth < CALLS; nth++) {
        test_device d = open_silently();
        sinter_tensor made[4];
        sinter_tensor in[] = {test_floats(&d, 2, square, NULL), test_floats(&d, 2, square, NULL)};
        queue_product(&d, in, made);
        unsigned had = read_product(&d, made, wanted, true);
        assert_int_equal(had, 0xf);
        layer->arm(nth, -5, 0);
        layer->refuse("sn_tanh_f32", "sn_tanh_f32");
        queue_product(&d, in, made);
        had = read_product(&d, made, wanted, false);
        found |= had == 1u;
        layer->arm(0, 0, 0);
        (void)sinter_stream_sync(d.s);
        test_release(&d, in[0]);
        test_release(&d, in[1]);
        test_close(&d);
    }
    assert_true(found);
    assert_int_equal(layer->live(), 0);
}

static void queue_two_groups(const test_device *d, const sinter_tensor *in, sinter_tensor *made)
{
    OK(sinter_matmul(d->s, in[0], in[1], &made[0]));
    OK(sinter_tanh(d->s, in[1], &made[1]));
    OK(sinter_exp(d->s, made[1], &made[2]));
}

/* From a command on all fail. Where that is the launch of the second group, the memory of its parts
 * cannot be marked either, and what the first group has launched is lost with it. */
static void what_was_launched_before_a_loss_is_lost(void **state)
{
    (void)state;
    static const int64_t square[] = {SIDE, SIDE};
    enum { CALLS = 16 };
    unsigned found = 0;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = SINTER_MEMORY_POISON;
    for (uint64_t nth = 0; nth < CALLS; nth++) {
        test_device d = test_open(&options);
        if (test_is_simulated(&d)) { /* what lies in one buffer it does not tell apart */
            test_close(&d);
            skip();
        }
        sinter_tensor made[3];
        float out[SIDE * SIDE];
        sinter_tensor in[] = {test_floats(&d, 2, square, NULL), test_floats(&d, 2, square, NULL)};
        for (int turn = 0; turn < 2; turn++) {
            queue_two_groups(&d, in, made);
            if (turn == 1) {
                layer->arm_named("clEnqueue", -5);
                layer->spare(nth);
            }
            (void)sinter_stream_flush(d.s);
            bool launches = strcmp(layer->first(), "clEnqueueNDRangeKernel") == 0;
            layer->arm(0, 0, 0);
            found += launches;
            for (int k = 0; k < 3; k++) {
                sinter_status status = sinter_tensor_read(d.s, made[k], out, sizeof out);
                assert_true(turn == 0 ? status == SINTER_OK : !launches || status != SINTER_OK);
                test_release(&d, made[k]);
            }
            (void)sinter_stream_sync(d.s);
        }
        test_release(&d, in[0]);
        test_release(&d, in[1]);
        test_close(&d);
    }
    assert_true(found >= 2);
    assert_int_equal(layer->live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_build_is_split),
        cmocka_unit_test(a_stored_plan_is_split_too),
        cmocka_unit_test(only_what_depends_on_it_fails),
        cmocka_unit_test(what_computes_nothing_is_split_off),
        cmocka_unit_test(when_nothing_launches_the_stream_goes_on),
        cmocka_unit_test(when_nothing_builds_the_stream_goes_on),
        cmocka_unit_test(a_group_after_a_split_one_fails_with_it),
        cmocka_unit_test(what_was_launched_before_a_loss_is_lost),
    };
    layer = test_cl_layer();
    if (layer == NULL) {
        (void)fprintf(stderr, "skipped: SINTER_OPENCL_LIB is not the OpenCL library for tests\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
