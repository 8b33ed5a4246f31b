/* Scans against the canonical order, one addition at a time: the same bits. The sums are near the
 * true ones, too.
 *
 * The one hard idea: the order is stated here as it reads, from the elements to the groups of groups
 * and with every total in an array; the library goes through a line once and keeps a few words. */
#include "oracle/check.h"
#include "oracle/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scans */

static number combine_CUMSUM(sinter_dtype work, number a, number b)
{
    number r = {rounded(register_of(work), a.f + b.f), (whole)((uwhole)a.i + (uwhole)b.i)};
    return r;
}

static number combine_CUMPROD(sinter_dtype work, number a, number b)
{
    number r = {rounded(register_of(work), a.f * b.f), (whole)((uwhole)a.i * (uwhole)b.i)};
    return r;
}

typedef struct scan {
    sinter__op op;
    const char *name;
    number (*combine)(sinter_dtype work, number a, number b);
    sinter_status (*call)(sinter_stream *s, sinter_tensor x, int axis, sinter_tensor *out);
} scan;

#define ROW_MAP(id, name)
#define ROW_COMPARE(id, name)
#define ROW_CAST(id, name)
#define ROW_FILL(id, name)
#define ROW_GENERATE(id, name)
#define ROW_RANDOM(id, name)
#define ROW_VIEW(id, name)
#define ROW_REDUCE(id, name)
#define ROW_STATE(id, name)
#define ROW_CONTRACT(id, name)
#define ROW_UPDATE(id, name)
#define ROW_COMPOSITE(id, name)
#define ROW_SCAN(id, name) {SINTER__OP_##id, #name, combine_##id, sinter_##name},

static const scan scans[] = {
#define SINTER_OP(id, code, name, kind, ...) ROW_##kind(id, name)
#include "core/ops.def"
#undef SINTER_OP
};

#define SCANS (sizeof scans / sizeof scans[0])

static sinter_dtype work_of(sinter_dtype dtype)
{
    if (is_floating(dtype))
        return dtype;
    return is_signed(dtype) || dtype == SINTER_BOOL ? SINTER_I64 : SINTER_U64;
}

/* Running totals of `n` numbers in sequence, begun anew every 64; the total of each such block. */
static size_t run_blocks(const scan *s, sinter_dtype work, const number *x, size_t n,
                         number *running, number *totals)
{
    size_t blocks = 0;
    for (size_t i = 0; i < n; i++) {
        running[i] = i % 64 == 0 ? x[i] : s->combine(work, running[i - 1], x[i]);
        if (i % 64 == 63 || i + 1 == n)
            totals[blocks++] = running[i];
    }
    return blocks;
}

/* What is before each of `n` totals but the first: those of its group of 64 in sequence, and what is
 * before the group added last. */
static void find_carries(const scan *s, sinter_dtype work, const number *totals, size_t n,
                         number *carry)
{
    number *running = malloc((n + 1) * sizeof *running);
    number *groups = malloc((n + 1) * sizeof *groups);
    number *before = malloc((n + 1) * sizeof *before);
    assert_non_null(running);
    assert_non_null(groups);
    assert_non_null(before);
    size_t count = run_blocks(s, work, totals, n, running, groups);
    if (count > 1)
        find_carries(s, work, groups, count, before);
    for (size_t i = 1; i < n; i++) {
        if (i % 64 == 0)
            carry[i] = before[i / 64];
        else
            carry[i] = i < 64 ? running[i - 1] : s->combine(work, before[i / 64], running[i - 1]);
    }
    free(running);
    free(groups);
    free(before);
}

static void scanned(const scan *s, sinter_dtype work, const number *x, size_t n, number *out)
{
    number *totals = malloc((n + 1) * sizeof *totals);
    number *carry = malloc((n + 1) * sizeof *carry);
    assert_non_null(totals);
    assert_non_null(carry);
    size_t blocks = run_blocks(s, work, x, n, out, totals);
    find_carries(s, work, totals, blocks, carry);
    for (size_t i = 64; i < n; i++)
        out[i] = s->combine(work, carry[i / 64], out[i]);
    free(totals);
    free(carry);
}

/* The true sums lie within what the roundings on the way to each can do: 64 per level of blocks. */
static void assert_near(sinter_dtype work, const number *x, size_t n, const number *out)
{
    quad exact = 0;
    quad magnitude = 0;
    double unit = work == SINTER_F64 ? 0x1p-53 : 0x1p-24;
    double levels = 1;
    for (size_t reach = 64; reach < n; reach *= 64)
        levels++;
    for (size_t i = 0; i < n; i++) {
        exact += x[i].f;
        magnitude += x[i].f < 0 ? -x[i].f : x[i].f;
        if (quad_is_nan(magnitude) || magnitude > (quad)1e37)
            return;
        double error = fabs((double)(exact - out[i].f));
        assert_true(error <= 1.001 * unit * (double)magnitude * 64 * levels);
    }
}

static void turn_array(array *a, int form)
{
    static const int axes[] = {2, 0, 3, 1};
    if (form == 1)
        array_transpose(a, axes);
    else
        array_flip(a);
}

/* Checks */

/* One line of the array along the axis, from element `first` in steps of `step`. */
static void compare_line(const scan *s, const array *a, int64_t first, int64_t step, int64_t n,
                         const void *got)
{
    sinter_dtype work = work_of(a->dtype);
    number *x = calloc((size_t)n + 1, sizeof *x);
    number *want = calloc((size_t)n + 1, sizeof *want);
    assert_non_null(x);
    assert_non_null(want);
    for (int64_t i = 0; i < n; i++) {
        size_t at = (size_t)a->m.index[first + i * step];
        x[i] = converted(a->dtype, load(a->dtype, a->data, at), work);
    }
    scanned(s, work, x, (size_t)n, want);
    if (is_floating(work) && s->op == SINTER__OP_CUMSUM)
        assert_near(work, x, (size_t)n, want);
    for (int64_t i = 0; i < n; i++)
        array_assert_element(s->name, work, got, first + i * step, want[i]);
    free(x);
    free(want);
}

static void compare(const scan *s, const array *a, int axis, const void *got)
{
    int64_t inner = model_elements(a->m.rank - 1 - axis, a->m.shape + axis + 1);
    int64_t n = a->m.shape[axis];
    for (int64_t i = 0; i < a->m.count; i++) {
        if (i / inner % n == 0)
            compare_line(s, a, i, inner, n, got);
    }
}

/* Queues all scans along the axis, then compares. */
static void check_axis(const array *a, int axis)
{
    sinter_tensor out[SCANS];
    sinter_dtype work = work_of(a->dtype);
    size_t bytes = (size_t)a->m.count * sinter_dtype_bytes(work);
    void *got = malloc(bytes + 1);
    assert_non_null(got);
    for (size_t i = 0; i < SCANS; i++)
        OK(scans[i].call(a->d->s, a->t, i % 2 == 0 ? axis : axis - a->m.rank, &out[i]));
    for (size_t i = 0; i < SCANS; i++) {
        sinter_tensor_desc desc;
        OK(sinter_tensor_describe(a->d->ctx, out[i], &desc));
        assert_int_equal(desc.dtype, work);
        assert_int_equal(desc.rank, a->m.rank);
        assert_memory_equal(desc.shape, a->m.shape, (size_t)a->m.rank * sizeof *desc.shape);
        OK(sinter_tensor_read(a->d->s, out[i], got, bytes));
        compare(&scans[i], a, axis, got);
        test_release(a->d, out[i]);
    }
    free(got);
}

static bool has_dtype(const test_device *d, int dtype)
{
    return dtype != SINTER_F64 || check_has_f64(d);
}

/* Packed, transposed or flipped. */
static void check_form(const test_device *d, sinter_dtype dtype, int form, test_random *random)
{
    static const int64_t shape[] = {3, 70, 1, 5};
    array a;
    array_make(&a, d, dtype, 4, shape, form > 0, random);
    if (form > 0)
        turn_array(&a, form);
    for (int axis = 0; axis < 4; axis++)
        check_axis(&a, axis);
    array_free(&a);
}

static void scans_follow_the_order_along_any_axis(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {41};
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT && check_is_thorough(); dtype++) {
        for (int form = 0; form < 3 && has_dtype(&d, dtype); form++)
            check_form(&d, (sinter_dtype)dtype, form, &random);
    }
    if (!check_is_thorough()) { /* each axis is another kernel */
        check_form(&d, SINTER_F32, 1, &random);
        check_form(&d, SINTER_BF16, 2, &random);
    }
    test_close(&d);
}

/* Around the blocks, and the groups of blocks. */
static const int64_t sizes[] = {1,    2,    63,   64,   65,   127,  128,  129,
                                1000, 4032, 4033, 4095, 4096, 4097, 4160, 4161};
static const int64_t driver_sizes[] = {65, 4161};

static void check_size(const test_device *d, sinter_dtype dtype, int64_t size, test_random *random)
{
    const int64_t rows[] = {check_is_thorough() && size < 10000 ? 3 : 1, size};
    const int64_t columns[] = {size, 3};
    array a;
    array_make(&a, d, dtype, 2, rows, false, random);
    check_axis(&a, 1);
    array_free(&a);
    if (size > (check_is_thorough() ? 10000 : 1000))
        return;
    array_make(&a, d, dtype, 2, columns, false, random);
    check_axis(&a, 0);
    array_free(&a);
}

/* Whether every work-item is walked through, which takes minutes for a long line. */
#define LONGEST (64 * 4096 + 70)

/* An interpreter takes too long for what is long, and a device that is played may have no room for it. */
static bool takes_much(const test_device *d, int64_t count)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return !test_is_simulated(d) && info.max_allocation_bytes >= (uint64_t)count * sizeof(float);
}

static void scans_follow_the_order_at_every_size(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F16, SINTER_F64, SINTER_I32};
    test_device d = test_open(NULL);
    test_random random = {42};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0] && check_is_thorough(); k++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && has_dtype(&d, (int)dtypes[k]); i++)
            check_size(&d, dtypes[k], sizes[i], &random);
    }
    if (takes_much(&d, LONGEST)) /* 65 stretches: their carries have two levels */
        check_size(&d, SINTER_F32, LONGEST, &random);
    for (size_t i = 0; i < sizeof driver_sizes / sizeof driver_sizes[0]; i++)
        check_size(&d, SINTER_F32, driver_sizes[i], &random);
    test_close(&d);
}

static void a_nan_is_in_everything_after_it(void **state)
{
    (void)state;
    enum { COUNT = 200, AT = 70 };
    const int64_t shape[] = {COUNT};
    float x[COUNT];
    float got[COUNT];
    sinter_tensor t;
    sinter_tensor y;
    test_device d = test_open(NULL);
    for (int i = 0; i < COUNT; i++)
        x[i] = i == AT ? NAN : 1;
    OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, x, &t));
    OK(sinter_cumsum(d.s, t, 0, &y));
    test_read(&d, y, got, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(i < AT ? got[i] == (float)(i + 1) : isnan(got[i]));
    test_release(&d, y);
    test_release(&d, t);
    test_close(&d);
}

static void a_scan_of_nothing_is_nothing_and_wrong_axes_are_refused(void **state)
{
    (void)state;
    static const int64_t shapes[][2] = {{2, 0}, {0, 3}};
    test_device d = test_open(NULL);
    test_random random = {43};
    for (int i = 0; i < 2; i++) {
        array a;
        array_make(&a, &d, SINTER_F32, 2, shapes[i], false, &random);
        check_axis(&a, 0);
        check_axis(&a, 1);
        sinter_tensor t;
        FAILS(SINTER_ERANGE, sinter_cumsum(d.s, a.t, 2, &t));
        assert_int_equal(t.id, 0);
        FAILS(SINTER_ERANGE, sinter_cumprod(d.s, a.t, -3, &t));
        assert_string_equal(sinter_last_error(), "cumprod: axis -3 is out of range for rank 2");
        array_free(&a);
    }
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_follow_the_order_along_any_axis),
        cmocka_unit_test(scans_follow_the_order_at_every_size),
        cmocka_unit_test(a_nan_is_in_everything_after_it),
        cmocka_unit_test(a_scan_of_nothing_is_nothing_and_wrong_axes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
