/* Groups that do the same to tensors of different sizes share a launch: which do, what it moves, and
 * that the bits are those of a launch for each operation. */
#include "support/text.h"

#include <string.h>

#define ROOM 32768 /* numbers */

/* A step of AdamW: parameter p1, gradient p2, moments p3 and p4; `p` is the first letter of the names
 * and so the shape. */
#define STEP(p)                                                                                    \
    p "m = " p "3 * 0.9 + " p "2 * 0.1; " p "v = " p "4 * 0.99 + " p "2 * " p "2 * 0.01; " p       \
      "p = " p "1 - (" p "m / 0.5 / (sqrt(abs(" p "v) / 0.3) + 1e-6) + " p "1 * 0.01) * 0.003; "

#define ALL_STEPS STEP("x") STEP("r") STEP("c") STEP("m") STEP("s") STEP("o") STEP("h") STEP("t")
#define ALL_ELEMENTS (240 + 20 + 12 + 160 + 1 + 45 + 120 + 240)

static size_t values_of(const char *text, sinter_context_options *options, float *out,
                        sinter_stats *stats)
{
    options->log_fn = test_log;
    test_device d = test_open(options);
    text_run run = text_open(&d, text);
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    *stats = test_stats(&d);
    size_t count = text_read(&d, &run, out, ROOM);
    text_close(&d, &run);
    test_close(&d);
    return count;
}

/* The program fused, and with a kernel for each operation: the same bits. Returns the counts of the
 * first. */
static sinter_stats check(const char *text, sinter_memory_mode mode)
{
    static float fused[ROOM];
    static float apart[ROOM];
    sinter_stats stats;
    sinter_stats other;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = mode;
    size_t count = values_of(text, &options, fused, &stats);
    options.switches = SINTER_NO_FUSE;
    assert_int_equal(values_of(text, &options, apart, &other), count);
    assert_memory_equal(fused, apart, count * sizeof *fused);
    return stats;
}

static void a_step_over_eight_parameters_is_one_launch(void **state)
{
    (void)state;
    sinter_stats stats = check(ALL_STEPS, SINTER_MEMORY_POOL);
    if (!test_is_pooled() || test_takes_few_arguments())
        return;
    DECIDES(stats.launches, 1);
    DECIDES(stats.bytes_moved, (4 + 3) * sizeof(float) * ALL_ELEMENTS);
    DECIDES(stats.bytes_bound, stats.bytes_moved);
}

/* A launch takes as many memories as a row has operands, so here a row is all it runs. */
static void memories_of_their_own_are_launches_of_their_own(void **state)
{
    (void)state;
    sinter_stats stats = check(ALL_STEPS, SINTER_MEMORY_SEPARATE);
    if (!test_takes_few_arguments())
        DECIDES(stats.launches, 8);
}

/* Elements [first, end) of `x` times `factor`: a group of a list. */
static sinter_tensor queue_part(const test_device *d, sinter_tensor x, int64_t first, int64_t end,
                                double factor)
{
    sinter_tensor part;
    sinter_tensor out;
    OK(sinter_slice(d->s, x, 0, first, end, 1, &part));
    OK(sinter_mul_scalar(d->s, part, factor, &out));
    test_release(d, part);
    return out;
}

/* Each tensor is larger than what the slabs before it have left, so each lies in another one. */
static void slabs_of_a_pool_are_no_bound(void **state)
{
    (void)state;
    enum { LENGTH = 200000, USED = 64 };
    static float given[LENGTH];
    const int64_t shape[] = {LENGTH};
    test_device d = test_open(NULL);
    sinter_tensor in[3];
    sinter_tensor out[3];
    uint64_t held[3];
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < USED; k++)
            given[k] = (float)(100 * i + k);
        OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, given, &in[i]));
        held[i] = test_stats(&d).cl_allocated_bytes;
    }
    assert_true(held[0] < held[1]);
    sinter_stats before = test_stats(&d);
    for (size_t i = 0; i < 3; i++)
        out[i] = queue_part(&d, in[i], 0, USED - (int64_t)i, -3.0);
    OK(sinter_stream_sync(d.s));
    sinter_stats after = test_stats(&d);
    if (test_is_pooled())
        DECIDES(after.launches - before.launches, 1);
    for (size_t i = 0; i < 3; i++) {
        float found[USED];
        test_read(&d, out[i], found, USED - i);
        for (size_t k = 0; k < USED - i; k++)
            assert_true(found[k] == (float)(100 * i + k) * -3.0F);
        test_release(&d, in[i]);
        test_release(&d, out[i]);
    }
    test_close(&d);
}

static const int64_t first_shape[] = {300};
static const int64_t second_shape[] = {7, 9};

#define ROWS 100
#define ROW_BYTES 32 /* where it begins, two buffers, an extent, a segment, a scalar */
#define TURNS 20

/* The first elements of `x`, one fewer each time, times `factor`: groups of one list. */
static void queue_rows(const test_device *d, sinter_tensor x, int64_t length, double factor,
                       sinter_tensor *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = queue_part(d, x, 0, length - (int64_t)i, factor);
}

static void check_rows(const test_device *d, const float *given, size_t length, double factor,
                       const sinter_tensor *out, size_t count)
{
    float found[ROWS + 300];
    for (size_t i = 0; i < count; i++) {
        test_read(d, out[i], found, length - i);
        for (size_t k = 0; k < length - i; k++)
            assert_true(found[k] == given[k] * (float)factor);
        test_release(d, out[i]);
    }
}

/* As many rows as two launches take by value are two launches; more are one, and lie in the workspace, of which
 * they are a part that is promised and counted. */
static void a_long_list_is_one_launch(void **state)
{
    (void)state;
    float given[300];
    sinter_tensor out[ROWS];
    static const size_t counts[] = {20, 40, ROWS};
    static const uint64_t launches[] = {1, 2, 1};
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, first_shape, NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    const uint64_t alignment = info.alignment_bytes;
    test_read(&d, x, given, 300);
    for (size_t i = 0; i < 3; i++) {
        sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
        sinter_stats before = test_stats(&d);
        queue_rows(&d, x, 300, -3.0, out, counts[i]);
        OK(sinter_stream_memory_need(d.s, &need));
        OK(sinter_stream_sync(d.s));
        sinter_stats after = test_stats(&d);
        bool is_stored = counts[i] == ROWS && info.kind != SINTER_DEVICE_HOST;
        uint64_t rows_bytes = is_stored ? ROWS * ROW_BYTES : 0;
        uint64_t elements = 300 * counts[i] - counts[i] * (counts[i] - 1) / 2;
        if (test_is_pooled() && !test_takes_few_arguments()) {
            DECIDES(after.launches - before.launches, launches[i]);
            DECIDES(need.workspace_bytes, (rows_bytes + alignment - 1) / alignment * alignment);
            DECIDES(after.bytes_moved - before.bytes_moved,
                    2 * sizeof(float) * elements + 2 * rows_bytes);
        }
        check_rows(&d, given, 300, -3.0, out, counts[i]);
    }
    test_release(&d, x);
    test_close(&d);
}

/* Rows of which a work-item has a part, or none, between others: every element is there once. */
static void rows_are_divided_among_work_items(void **state)
{
    (void)state;
    enum { LENGTH = 20000, COUNT = 7 };
    static const int64_t lengths[COUNT] = {20000, 3, 1024, 1, 5001, 2048, 1025};
    static float given[LENGTH];
    static float found[LENGTH];
    const int64_t shape[] = {LENGTH};
    test_device d = test_open(NULL);
    sinter_tensor out[COUNT];
    for (size_t k = 0; k < LENGTH; k++)
        given[k] = (float)k;
    sinter_tensor x;
    OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, given, &x));
    sinter_stats before = test_stats(&d);
    for (size_t i = 0; i < COUNT; i++)
        out[i] = queue_part(&d, x, LENGTH - lengths[i], LENGTH, 0.5);
    OK(sinter_stream_sync(d.s));
    sinter_stats after = test_stats(&d);
    if (test_is_pooled() && !test_takes_few_arguments())
        DECIDES(after.launches - before.launches, 1);
    for (size_t i = 0; i < COUNT; i++) {
        test_read(&d, out[i], found, (size_t)lengths[i]);
        for (int64_t k = 0; k < lengths[i]; k++)
            assert_true(found[k] == (float)(LENGTH - lengths[i] + k) * 0.5F);
        test_release(&d, out[i]);
    }
    test_release(&d, x);
    test_close(&d);
}

/* What the device is still to read of rows stays, however far the stream runs ahead of it. */
static void stored_rows_are_each_run_s_own(void **state)
{
    (void)state;
    static sinter_tensor out[TURNS][ROWS];
    float given[300];
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, first_shape, NULL);
    test_read(&d, x, given, 300);
    const size_t turns = test_is_simulated(&d) ? 3 : TURNS; /* nobody runs ahead of a simulator */
    for (size_t i = 0; i < turns; i++) {
        queue_rows(&d, x, 300, (double)i + 0.5, out[i], ROWS);
        OK(sinter_stream_flush(d.s));
    }
    for (size_t i = 0; i < turns; i++)
        check_rows(&d, given, 300, (double)i + 0.5, out[i], ROWS);
    test_release(&d, x);
    test_close(&d);
}

/* The same list over and over, of two inputs by turns. `holds`: the results of all turns are held, so that each turn's
 * lie elsewhere; else they lie where the last ones lay, or in memory that may have the address of theirs. */
static void check_turns(sinter_memory_mode mode, bool holds)
{
    enum { FEW = 4, AGAIN = 6 };
    sinter_tensor x[2];
    sinter_tensor out[AGAIN][FEW];
    float given[2][300];
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = mode;
    test_device d = test_open(&options);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < 300; i++)
            given[k][i] = (float)(1000 * k + i);
        x[k] = test_floats(&d, 1, first_shape, given[k]);
    }
    for (size_t i = 0; i < AGAIN; i++) {
        sinter_stats before = test_stats(&d);
        queue_rows(&d, x[i % 3 == 2], 300, -3.0, out[i], FEW);
        OK(sinter_stream_sync(d.s));
        sinter_stats after = test_stats(&d);
        if (mode == SINTER_MEMORY_POOL && test_is_pooled() && !test_takes_few_arguments())
            DECIDES(after.launches - before.launches, 1);
        for (size_t k = FEW; k-- > 0 && !holds;) /* so that the first is the next to be had */
            check_rows(&d, given[i % 3 == 2], 300 - k, -3.0, &out[i][k], 1);
    }
    for (size_t i = 0; i < AGAIN && holds; i++)
        check_rows(&d, given[i % 3 == 2], 300, -3.0, out[i], FEW);
    test_release(&d, x[0]);
    test_release(&d, x[1]);
    test_close(&d);
}

static void rows_are_where_their_tensors_are(void **state)
{
    (void)state;
    check_turns(SINTER_MEMORY_POOL, true);
    check_turns(SINTER_MEMORY_POOL, false);
    check_turns(SINTER_MEMORY_SEPARATE, true);
    check_turns(SINTER_MEMORY_SEPARATE, false);
}

/* The same plan bound again, where the group that led the list has nothing to do. */
static void who_has_no_elements_leads_nobody(void **state)
{
    (void)state;
    static const int64_t lengths[] = {40, 0, 40};
    float given[300];
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, first_shape, NULL);
    test_read(&d, x, given, 300);
    for (size_t i = 0; i < 3; i++) {
        sinter_tensor out[2];
        sinter_tensor start;
        sinter_stats before = test_stats(&d);
        OK(sinter_slice(d.s, x, 0, 0, lengths[i], 1, &start));
        OK(sinter_mul_scalar(d.s, start, -3.0, &out[0]));
        OK(sinter_mul_scalar(d.s, x, -3.0, &out[1]));
        test_release(&d, start);
        OK(sinter_stream_sync(d.s));
        sinter_stats after = test_stats(&d);
        if (test_is_pooled())
            DECIDES(after.launches - before.launches, 1);
        check_rows(&d, given, (size_t)lengths[i], -3.0, &out[0], 1);
        check_rows(&d, given, 300, -3.0, &out[1], 1);
    }
    test_release(&d, x);
    test_close(&d);
}

/* What a product reads is stored and dies in the segment. A list of all of it would hold it all at once, so it
 * is in lists of 32, which take three launches at least. */
static void lists_of_what_dies_are_short(void **state)
{
    (void)state;
    enum { COUNT = 70 };
    const int64_t square[] = {4, 4};
    const int64_t rows[] = {-1, 4};
    sinter_tensor out[COUNT];
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, first_shape, NULL);
    sinter_tensor w = test_floats(&d, 2, square, NULL);
    sinter_stats before = test_stats(&d);
    for (int64_t i = 0; i < COUNT; i++) {
        sinter_tensor part;
        sinter_tensor twice;
        sinter_tensor folded;
        OK(sinter_slice(d.s, x, 0, 0, 296 - 4 * i, 1, &part));
        OK(sinter_mul_scalar(d.s, part, 2.0, &twice));
        OK(sinter_reshape(d.s, twice, 2, rows, &folded));
        OK(sinter_matmul(d.s, folded, w, &out[i]));
        test_release(&d, part);
        test_release(&d, twice);
        test_release(&d, folded);
    }
    OK(sinter_stream_sync(d.s));
    sinter_stats after = test_stats(&d);
    if (test_is_pooled() && test_is_plain() && !test_takes_few_arguments())
        assert_in_range(after.launches - before.launches, COUNT + 3, COUNT + 6);
    for (int64_t i = 0; i < COUNT; i++)
        test_release(&d, out[i]);
    test_release(&d, x);
    test_release(&d, w);
    test_close(&d);
}

/* A row of arguments is for one class of kernel: what is strided, or of two axes, runs by itself. */
static void other_classes_run_by_themselves(void **state)
{
    (void)state;
    sinter_stats stats =
        check("a = exp(x1 * 2) + 1; b = exp(r1 * 2) + 1; c = exp(m1[:, ::2] * 2) + 1; "
              "d = exp(o1 * 2) + 1",
              SINTER_MEMORY_POOL);
    if (test_is_pooled())
        DECIDES(stats.launches, 2);
}

/* A group does not run beside one that it waits for. */
static void what_waits_is_not_listed(void **state)
{
    (void)state;
    sinter_stats stats =
        check("a = exp(x1) * 2; b = exp(a[0]) * 2; c = exp(m1) * 2", SINTER_MEMORY_POOL);
    if (test_is_pooled())
        DECIDES(stats.launches, 2);
}

/* One of three groups reads what was over the budget, or over what a device gives at once. */
static void a_list_goes_on_without_what_failed(void **state)
{
    (void)state;
    const int64_t huge_shape[] = {(int64_t)4 << 20};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.budget_bytes = (uint64_t)4 << 20;
    test_device d = test_open(&options);
    sinter_tensor in[3];
    sinter_tensor out[3];
    float given[300];
    float found[300];
    in[0] = test_floats(&d, 1, first_shape, NULL);
    in[1] = test_floats(&d, 2, second_shape, NULL);
    OK(sinter_full(d.s, SINTER_F32, 1, huge_shape, sinter_scalar_float(1.0), &in[2]));
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    bool may_be = info.max_allocation_bytes >= (uint64_t)huge_shape[0] * sizeof(float);
    sinter_status why = may_be ? SINTER_EBUDGET : SINTER_EDEVMEM;
    FAILS(why, sinter_stream_sync(d.s));
    const size_t order[] = {0, 2, 1};
    for (size_t k = 0; k < 3; k++) {
        OK(sinter_mul_scalar(d.s, in[order[k]], -3.0, &out[order[k]]));
    }
    const size_t counts[] = {300, 63};
    for (size_t i = 0; i < 2; i++) {
        test_read(&d, in[i], given, counts[i]);
        test_read(&d, out[i], found, counts[i]);
        for (size_t k = 0; k < counts[i]; k++)
            assert_true(found[k] == given[k] * -3.0F);
    }
    FAILS(why, sinter_tensor_read(d.s, out[2], found, ((size_t)4 << 20) * 4));
    for (size_t i = 0; i < 3; i++) {
        test_release(&d, in[i]);
        test_release(&d, out[i]);
    }
    test_close(&d);
}

/* Groups of a list may run at once: one may not take over the storage that another reads. */
static void neighbours_keep_what_they_read(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    test_device d = test_open(&options);
    sinter_tensor x = test_floats(&d, 1, first_shape, NULL);
    float given[300];
    float found[300];
    sinter_tensor cut;
    sinter_tensor a;
    sinter_tensor b;
    test_read(&d, x, given, 300);
    sinter_stats before = test_stats(&d);
    OK(sinter_slice(d.s, x, 0, 0, 100, 1, &cut)); /* reads part of x */
    OK(sinter_add_scalar(d.s, cut, 5.0, &a));
    test_release(&d, cut);
    OK(sinter_add_scalar(d.s, x, 5.0, &b)); /* reads x, which dies */
    test_release(&d, x);
    OK(sinter_stream_sync(d.s));
    sinter_stats after = test_stats(&d);
    if (test_is_pooled())
        DECIDES(after.launches - before.launches, 1);
    DECIDES(after.donations - before.donations, 0);
    test_read(&d, a, found, 100);
    for (size_t i = 0; i < 100; i++)
        assert_true(found[i] == given[i] + 5.0F);
    test_read(&d, b, found, 300);
    for (size_t i = 0; i < 300; i++)
        assert_true(found[i] == given[i] + 5.0F);
    test_release(&d, a);
    test_release(&d, b);
    test_close(&d);
}

static void the_report_says_who_shares(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    text_run run = text_open(&d, "a = exp(x1 * 2); b = exp(r1 * 2)");
    test_report_begin(&d);
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    if (test_is_plain())
        assert_int_equal(test_occurrences(test_report(&d), "in the launch of group 1"), 1);
    text_close(&d, &run);
    test_close(&d);
}

/* Two updates side by side, each of a copy that it makes: what the second one's copy reads has to be there until
 * then, whatever the first has made by that time. */
static void copies_of_a_list_wait_for_their_updates(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "b1 = reshape(arange(4096), (64,64)) * 2.0; b2 = reshape(arange(4096), (64,64)) * 3.0;"
        "t1 = sqrt(reshape(arange(2048), (64,32)) * 1.0); t2 = sqrt(reshape(arange(2048), (64,32)) "
        "* 5.0);"
        "s1 = b1[:, 0:48]; s2 = b2[:, 0:48]; u1 = update(s1, t1, 1, 0, 32);"
        "u2 = update(s2, t2, 1, 0, 32); k = reshape(arange(128)*1.0,(32,4)); m1 = matmul(t1, k);"
        "m2 = matmul(t2, k); release b2; release t1; release t2; release s1; release "
        "s2;"
        "release k; h2 = sum(u2, axis=(0,1)); h1 = sum(u1, axis=(0,1));",
        "E = reshape(arange(2048), (64,32)) * 2.0; F = reshape(arange(1024), (64,16)) * 3.0;"
        "P = reshape(arange(4096), (64,64)) * 1.0; cut; s1 = P[:, 0:48]; s2 = E[:, 0:24];"
        "y1 = E + 1; y2 = F + 1; u1 = update(s1, y1, 1, 0, 32); u2 = update(s2, y2, 1, 0, 16);"
        "release s1; release s2; release E; release F; h2 = sum(u2, axis=(0,1));"
        "h1 = sum(u1, axis=(0,1));",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        (void)check(texts[i], SINTER_MEMORY_POOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_over_eight_parameters_is_one_launch),
        cmocka_unit_test(memories_of_their_own_are_launches_of_their_own),
        cmocka_unit_test(slabs_of_a_pool_are_no_bound),
        cmocka_unit_test(a_long_list_is_one_launch),
        cmocka_unit_test(rows_are_divided_among_work_items),
        cmocka_unit_test(stored_rows_are_each_run_s_own),
        cmocka_unit_test(rows_are_where_their_tensors_are),
        cmocka_unit_test(who_has_no_elements_leads_nobody),
        cmocka_unit_test(lists_of_what_dies_are_short),
        cmocka_unit_test(other_classes_run_by_themselves),
        cmocka_unit_test(what_waits_is_not_listed),
        cmocka_unit_test(a_list_goes_on_without_what_failed),
        cmocka_unit_test(neighbours_keep_what_they_read),
        cmocka_unit_test(the_report_says_who_shares),
        cmocka_unit_test(copies_of_a_list_wait_for_their_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
