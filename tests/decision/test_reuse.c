/* Storage that is taken over: results written over an input that dies, views that cost nothing,
 * intermediates that share a workspace; and every case in which that would be wrong. */
#include "support/text.h"

#include "executor/run/instance.h"

#define ROWS 16
#define COUNT (ROWS * ROWS)
#define BYTES (COUNT * sizeof(float))

static const int64_t square[] = {ROWS, ROWS};

/* Runs what is pending and returns how many results took over an input's storage. */
static uint64_t donations(const test_device *d)
{
    uint64_t before = test_stats(d).donations;
    OK(sinter_stream_flush(d->s));
    return test_stats(d).donations - before;
}

/* Donations, where the environment allows them. */
static void assert_donations(const test_device *d, uint64_t wanted)
{
    uint64_t found = donations(d);
    if (test_is_plain())
        assert_int_equal(found, test_reuses() ? wanted : 0);
}

static void assert_value(const test_device *d, sinter_tensor t, const float *in, float scale,
                         float plus)
{
    float out[COUNT];
    test_read(d, t, out, COUNT);
    for (int i = 0; i < COUNT; i++) {
        float product = in[i] * scale;
        assert_true(out[i] == product + plus);
    }
}

/* x, whose elements are also in `in`. */
static sinter_tensor input(const test_device *d, float *in)
{
    sinter_tensor x = test_floats(d, 2, square, NULL);
    test_read(d, x, in, COUNT);
    return x;
}

static sinter_tensor times(const test_device *d, sinter_tensor x, double factor)
{
    sinter_tensor y;
    OK(sinter_mul_scalar(d->s, x, factor, &y));
    return y;
}

static void a_dying_input_gives_its_storage(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor y = times(&d, x, 2.0);
    test_release(&d, x);
    assert_donations(&d, 1);
    if (test_reuses())
        DECIDES(test_stats(&d).pool_peak_bytes, BYTES);
    assert_int_equal(test_stats(&d).pool_bytes, BYTES);
    assert_value(&d, y, in, 2.0f, 0.0f);
    test_release(&d, y);
    test_close(&d);
}

/* Parameters and what they are updated with: the loop holds what it began with, and no more. */
static void a_loop_of_updates_holds_no_more(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    sinter_tensor w = input(&d, in);
    sinter_tensor g = input(&d, in);
    uint64_t peak = 0;
    for (int i = 0; i < 20; i++) {
        sinter_tensor t = times(&d, g, 0.5);
        sinter_tensor next;
        OK(sinter_sub(d.s, w, t, &next));
        test_release(&d, t);
        test_release(&d, w);
        w = next;
        assert_donations(&d, 1);
        if (i == 0)
            peak = test_stats(&d).pool_peak_bytes;
        assert_int_equal(test_stats(&d).pool_peak_bytes, peak);
    }
    if (test_reuses() && test_is_plain())
        assert_int_equal(peak, 2 * BYTES);
    test_release(&d, w);
    test_release(&d, g);
    test_close(&d);
}

/* Cases in which the storage must not be taken */

static void what_is_held_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    sinter_tensor x = input(&d, in);
    OK(sinter_tensor_retain(d.ctx, x));
    sinter_tensor y = times(&d, x, 2.0);
    test_release(&d, x);
    assert_donations(&d, 0);
    assert_value(&d, x, in, 1.0f, 0.0f);
    assert_value(&d, y, in, 2.0f, 0.0f);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

/* A view shares the storage that it looks at. */
static void what_a_view_looks_at_is_not_taken(void **state)
{
    (void)state;
    for (int pending = 0; pending < 2; pending++) {
        test_device d = test_open(NULL);
        float in[COUNT];
        float out[COUNT];
        sinter_tensor x = input(&d, in);
        sinter_tensor v;
        OK(sinter_transpose(d.s, x, NULL, &v));
        if (pending == 0)
            OK(sinter_stream_flush(d.s)); /* else the view is made in the same segment */
        sinter_tensor y = times(&d, x, 2.0);
        test_release(&d, x);
        assert_donations(&d, 0);
        test_read(&d, v, out, COUNT);
        for (int i = 0; i < COUNT; i++)
            assert_true(out[i] == in[i % ROWS * ROWS + i / ROWS]);
        assert_value(&d, y, in, 2.0f, 0.0f);
        test_release(&d, v);
        test_release(&d, y);
        test_close(&d);
    }
}

/* Element by element the result would overwrite what is still to be read. */
static void what_is_read_in_another_order_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor v;
    sinter_tensor y;
    OK(sinter_transpose(d.s, x, NULL, &v));
    OK(sinter_add(d.s, x, v, &y));
    test_release(&d, v);
    test_release(&d, x);
    assert_donations(&d, 0);
    test_read(&d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + in[i % ROWS * ROWS + i / ROWS]);
    test_release(&d, y);
    test_close(&d);
}

static void what_a_later_group_reads_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float sum;
    sinter_tensor x = input(&d, in);
    sinter_tensor y = times(&d, x, 2.0);
    sinter_tensor most;
    OK(sinter_max(d.s, x, 0, NULL, false, &most));
    test_release(&d, x);
    assert_donations(&d, 0);
    test_read(&d, most, &sum, 1);
    float wanted = in[0];
    for (int i = 1; i < COUNT; i++)
        wanted = in[i] > wanted ? in[i] : wanted;
    assert_true(sum == wanted);
    assert_value(&d, y, in, 2.0f, 0.0f);
    test_release(&d, y);
    test_release(&d, most);
    test_close(&d);
}

static void two_results_do_not_take_the_same(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor y = times(&d, x, 2.0);
    sinter_tensor z = times(&d, x, -3.0);
    test_release(&d, x);
    assert_donations(&d, 1);
    assert_value(&d, y, in, 2.0f, 0.0f);
    assert_value(&d, z, in, -3.0f, 0.0f);
    test_release(&d, y);
    test_release(&d, z);
    test_close(&d);
}

/* The elements that are broadcast are read many times. */
static void what_is_broadcast_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor row;
    sinter_tensor y;
    OK(sinter_slice(d.s, x, 0, 0, 1, 1, &row));
    float out[COUNT];
    sinter_tensor copy;
    OK(sinter_copy(d.s, row, &copy));
    test_release(&d, row);
    OK(sinter_stream_sync(d.s));
    OK(sinter_add(d.s, x, copy, &y));
    test_release(&d, copy);
    assert_donations(&d, 0);
    test_read(&d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] + in[i % ROWS]);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

static void a_part_of_a_storage_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float out[COUNT / 2];
    sinter_tensor x = input(&d, in);
    sinter_tensor half;
    sinter_tensor y;
    OK(sinter_slice(d.s, x, 0, 0, ROWS / 2, 1, &half));
    OK(sinter_stream_flush(d.s));
    test_release(&d, x);
    y = times(&d, half, 2.0);
    test_release(&d, half);
    assert_donations(&d, 0);
    test_read(&d, y, out, COUNT / 2);
    for (int i = 0; i < COUNT / 2; i++)
        assert_true(out[i] == in[i] * 2.0f);
    test_release(&d, y);
    test_close(&d);
}

static void another_streams_storage_is_not_taken(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    test_device e = {.ctx = d.ctx};
    OK(sinter_stream_create(d.ctx, NULL, &e.s));
    sinter_tensor x = input(&e, in);
    sinter_tensor y = times(&d, x, 2.0);
    test_release(&d, x);
    assert_donations(&d, 0);
    assert_value(&d, y, in, 2.0f, 0.0f);
    test_release(&d, y);
    OK(sinter_stream_destroy(e.s));
    test_close(&d);
}

/* Bytes are what counts: an integer of the same width may take the storage, half a float not. */
static void another_dtype_takes_it_when_it_is_as_wide(void **state)
{
    (void)state;
    static const struct {
        sinter_dtype dtype;
        uint64_t donations;
    } cases[] = {{SINTER_I32, 1}, {SINTER_U32, 1}, {SINTER_F16, 0}, {SINTER_I64, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_device d = test_open(NULL);
        float in[COUNT];
        float out[COUNT];
        sinter_tensor x = input(&d, in);
        sinter_tensor y;
        sinter_tensor back;
        OK(sinter_cast(d.s, x, cases[i].dtype, &y));
        test_release(&d, x);
        assert_donations(&d, cases[i].donations);
        OK(sinter_cast(d.s, y, SINTER_F32, &back));
        test_read(&d, back, out, COUNT);
        bool whole = cases[i].dtype != SINTER_F16;
        for (int k = 0; k < COUNT && whole; k++)
            assert_true(out[k] ==
                        (cases[i].dtype == SINTER_U32 && in[k] < 0.0f ? 0.0f : (float)(int)in[k]));
        test_release(&d, y);
        test_release(&d, back);
        test_close(&d);
    }
}

static void nothing_is_taken_when_that_is_off(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.switches = SINTER_NO_REUSE;
    test_device d = test_open(&options);
    float in[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor y = times(&d, x, 2.0);
    test_release(&d, x);
    assert_int_equal(donations(&d), 0);
    assert_value(&d, y, in, 2.0f, 0.0f);
    test_release(&d, y);
    test_close(&d);
}

/* Workspace */

/* Products one after the other: an intermediate lives until the next one is made. */
static void intermediates_share_the_workspace(void **state)
{
    (void)state;
    static const char text[] = "y = ((((x @ t) @ x) @ t) @ x) @ t";
    float found[2][144];
    uint64_t peak[2];
    for (int i = 0; i < 2; i++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        options.switches = i == 0 ? 0 : SINTER_NO_REUSE;
        test_device d = test_open(&options);
        text_run run = text_open(&d, text);
        test_report_begin(&d);
        text_queue(&d, &run);
        OK(sinter_stream_sync(d.s));
        /* [12,12] and [12,20] in turn, rounded up to 128 bytes: 640 and 1024 */
        if (i == 0 && test_is_plain() && test_reuses())
            assert_int_equal(test_occurrences(test_report(&d), "workspace: 1664 bytes"), 1);
        peak[i] = test_stats(&d).pool_peak_bytes;
        assert_int_equal(text_read(&d, &run, found[i], 144), 144);
        text_close(&d, &run);
        test_close(&d);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    if (test_is_plain() && test_reuses())
        assert_true(peak[0] < peak[1]);
}

static void views_of_results_are_aliases(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = input(&d, in);
    sinter_tensor y = times(&d, x, 2.0);
    sinter_tensor v;
    sinter_tensor w;
    uint64_t before = test_stats(&d).aliases;
    OK(sinter_flip(d.s, y, 0, NULL, &v));
    OK(sinter_reshape(d.s, y, 1, (int64_t[]){COUNT}, &w));
    OK(sinter_stream_flush(d.s));
    test_release(&d, y);
    assert_int_equal(test_stats(&d).aliases - before, 2);
    assert_int_equal(test_stats(&d).pool_bytes, 2 * BYTES);
    test_release(&d, x);
    test_read(&d, v, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[COUNT - 1 - i] * 2.0f);
    assert_value(&d, w, in, 2.0f, 0.0f);
    test_release(&d, v);
    test_release(&d, w);
    test_close(&d);
}

/* How often a workspace was not planned again. */
static void count_found(void *user, const sinter__instance *in)
{
    *(uint64_t *)user += in->schema.kept.found;
}

/* Two sizes of a batch in turn, and a launch for each of 24 operations. */
static void a_workspace_that_comes_again_is_not_planned(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.switches = SINTER_NO_FUSE;
    test_device d = test_open(&options);
    for (int64_t step = 0; step < 6; step++) {
        const int64_t rows = 100 + step % 2 * 100;
        sinter_tensor x = test_floats(&d, 1, &rows, NULL);
        for (int i = 0; i < 24; i++) {
            sinter_tensor y;
            OK(sinter_exp(d.s, x, &y));
            test_release(&d, x);
            x = y;
        }
        OK(sinter_stream_sync(d.s));
        test_release(&d, x);
    }
    uint64_t found = 0;
    sinter__instances_visit(d.s, count_found, &found);
    if (test_is_plain())
        assert_int_equal(found, 4);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dying_input_gives_its_storage),
        cmocka_unit_test(a_loop_of_updates_holds_no_more),
        cmocka_unit_test(what_is_held_is_not_taken),
        cmocka_unit_test(what_a_view_looks_at_is_not_taken),
        cmocka_unit_test(what_is_read_in_another_order_is_not_taken),
        cmocka_unit_test(what_a_later_group_reads_is_not_taken),
        cmocka_unit_test(two_results_do_not_take_the_same),
        cmocka_unit_test(what_is_broadcast_is_not_taken),
        cmocka_unit_test(a_part_of_a_storage_is_not_taken),
        cmocka_unit_test(another_streams_storage_is_not_taken),
        cmocka_unit_test(another_dtype_takes_it_when_it_is_as_wide),
        cmocka_unit_test(nothing_is_taken_when_that_is_off),
        cmocka_unit_test(intermediates_share_the_workspace),
        cmocka_unit_test(views_of_results_are_aliases),
        cmocka_unit_test(a_workspace_that_comes_again_is_not_planned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
