/* Reductions against the canonical order, one addition at a time: the same
 * bits. The sum is near the true one, too.
 *
 * The one hard idea: the order belongs to the logical array, so the oracle first lists the elements
 * of each result in row-major order, wherever they lie, and only then adds. */
#include "oracle/check.h"
#include "oracle/array.h"

#include <math.h>
#include <stdlib.h>

#define MOST_PARTS 160 /* runs of 256 in the longest column */

/* Reductions */

static number combine_SUM(sinter_dtype work, number a, number b)
{
    number r = {rounded(register_of(work), a.f + b.f), a.i + b.i};
    return r;
}

#define combine_MEAN combine_SUM

static number combine_PROD(sinter_dtype work, number a, number b)
{
    number r = {rounded(register_of(work), a.f * b.f), (whole)((uwhole)a.i * (uwhole)b.i)};
    return r;
}

static number combine_ALL(sinter_dtype work, number a, number b)
{
    (void)work;
    return (number){0, a.i != 0 && b.i != 0};
}

static number combine_ANY(sinter_dtype work, number a, number b)
{
    (void)work;
    return (number){0, a.i != 0 || b.i != 0};
}

static number combine_row(sinter__op op, sinter_dtype work, number a, number b)
{
    const number x[3] = {a, b, {0, 0}};
    return oracle_value(&oracle_rows[op], work, x);
}

static number combine_MAX(sinter_dtype work, number a, number b)
{
    return combine_row(SINTER__OP_MAXIMUM, work, a, b);
}

static number combine_MIN(sinter_dtype work, number a, number b)
{
    return combine_row(SINTER__OP_MINIMUM, work, a, b);
}

typedef struct reduction {
    sinter__op op;
    const char *name;
    number (*combine)(sinter_dtype work, number a, number b);
    sinter_status (*call)(sinter_stream *s, sinter_tensor x, int axis_count, const int *axes,
                          bool keepdims, sinter_tensor *out);
} reduction;

#define ROW_MAP(id, name)
#define ROW_COMPARE(id, name)
#define ROW_CAST(id, name)
#define ROW_FILL(id, name)
#define ROW_GENERATE(id, name)
#define ROW_RANDOM(id, name)
#define ROW_VIEW(id, name)
#define ROW_SCAN(id, name)
#define ROW_CONTRACT(id, name)
#define ROW_STATE(id, name)
#define ROW_UPDATE(id, name)
#define ROW_COMPOSITE(id, name)
#define ROW_REDUCE(id, name) {SINTER__OP_##id, #name, combine_##id, sinter_##name},

static const reduction reductions[] = {
#define SINTER_OP(id, code, name, kind, ...) ROW_##kind(id, name)
#include "core/ops.def"
#undef SINTER_OP
};

#define REDUCTIONS (sizeof reductions / sizeof reductions[0])

static sinter_dtype work_of(const reduction *r, sinter_dtype dtype)
{
    if (r->op == SINTER__OP_ALL || r->op == SINTER__OP_ANY)
        return SINTER_BOOL;
    if (is_floating(dtype) || r->op == SINTER__OP_MAX || r->op == SINTER__OP_MIN)
        return dtype;
    if (r->op == SINTER__OP_MEAN)
        return SINTER_F32;
    return is_signed(dtype) || dtype == SINTER_BOOL ? SINTER_I64 : SINTER_U64;
}

/* With n left, each of the first n - s takes the one s further on, s the largest power of two below
 * n. */
static number tree(const reduction *r, sinter_dtype work, number *x, size_t n)
{
    while (n > 1) {
        size_t s = 1;
        while (2 * s < n)
            s = 2 * s;
        for (size_t i = 0; i < n - s; i++)
            x[i] = r->combine(work, x[i], x[i + s]);
        n = s;
    }
    return x[0];
}

/* 64 partials, element i in partial i mod 64. */
static number chunk(const reduction *r, sinter_dtype work, const number *x, size_t n)
{
    number partials[64];
    for (size_t i = 0; i < n; i++)
        partials[i % 64] = i < 64 ? x[i] : r->combine(work, partials[i % 64], x[i]);
    return tree(r, work, partials, n < 64 ? n : 64);
}

static number run(const reduction *r, sinter_dtype work, const number *x, size_t n)
{
    number sum = x[0];
    for (size_t i = 1; i < n; i++)
        sum = r->combine(work, sum, x[i]);
    return sum;
}

/* x holds n elements of `work`. */
static number reduced(const reduction *r, sinter_dtype work, const number *x, size_t n, bool last)
{
    number parts[MOST_PARTS] = {{0, 0}};
    size_t part = last ? 16384 : 256;
    size_t count = 0;
    for (size_t i = 0; i < n; i += part) {
        size_t left = n - i < part ? n - i : part;
        assert_true(count < MOST_PARTS);
        parts[count++] = last ? chunk(r, work, x + i, left) : run(r, work, x + i, left);
    }
    number sum = tree(r, work, parts, count);
    if (r->op == SINTER__OP_MEAN)
        sum.f /= rounded(register_of(work), (quad)(int64_t)n);
    return sum;
}

/* Most combinations that one element goes through. */
static int depth_of(size_t n, bool last)
{
    size_t part = last ? 16384 : 256;
    size_t in_part = n < part ? n : part;
    int depth = last ? (int)((in_part + 63) / 64) - 1 : (int)in_part - 1;
    for (size_t lanes = 1; last && lanes < in_part && lanes < 64; lanes *= 2)
        depth++;
    for (size_t parts = 1; parts * part < n; parts *= 2)
        depth++;
    return depth;
}

/* The true sum or mean lies within what the roundings along its longest way can do, the true product within all of
 * them: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, sections 3.1 and 4.2. Where
 * numbers fall below the normal ones the unit is another. */
static void assert_near(const reduction *r, sinter_dtype work, const number *x, size_t n, bool last,
                        number found)
{
    const bool is_product = r->op == SINTER__OP_PROD;
    const bool is_mean = r->op == SINTER__OP_MEAN;
    const bool is_wide = work == SINTER_F64;
    quad exact = is_product ? 1 : 0;
    quad magnitude = exact;
    quad least = 1;
    for (size_t i = 0; i < n; i++) {
        quad size = x[i].f < 0 ? -x[i].f : x[i].f;
        exact = is_product ? exact * x[i].f : exact + x[i].f;
        magnitude = is_product ? magnitude * size : magnitude + size;
        least = magnitude < least ? magnitude : least;
    }
    const quad most = is_wide ? (quad)1e300 : (quad)1e37;
    if (quad_is_nan(magnitude) || magnitude > most || (is_product && least < 1 / most))
        return;
    if (is_mean) {
        exact /= (quad)(int64_t)n;
        magnitude /= (quad)(int64_t)n;
    }
    const double unit = is_wide ? 0x1p-53 : 0x1p-24;
    const double steps = is_product ? (double)(n - 1) : depth_of(n, last) + (is_mean ? 1 : 0);
    const double roundings = unit * steps;
    const double bound = roundings / (1 - roundings) * (double)magnitude;
    const double below = is_wide ? 0x1p-1074 : 0x1p-149; /* a quotient among the denormals */
    assert_true(fabs((double)(exact - found.f)) <= bound * (1 + 1e-9) + (is_mean ? below : 0));
}

static number element_of(const array *a, int64_t i, sinter_dtype work)
{
    return converted(a->dtype, load(a->dtype, a->data, (size_t)a->m.index[i]), work);
}

/* The elements of result `out`, in row-major order of the reduced axes. Returns how many. */
static size_t gather(const array *a, uint32_t axes, int64_t out, sinter_dtype work, number *x)
{
    size_t n = 0;
    for (int64_t i = 0; i < a->m.count; i++) {
        int64_t rest = i;
        int64_t kept = 0;
        int64_t scale = 1;
        for (int k = a->m.rank - 1; k >= 0; k--) {
            if ((axes >> k & 1) == 0) {
                kept += rest % a->m.shape[k] * scale;
                scale *= a->m.shape[k];
            }
            rest /= a->m.shape[k];
        }
        if (kept == out)
            x[n++] = element_of(a, i, work);
    }
    return n;
}

static int64_t kept_shape(const array *a, uint32_t axes, bool keepdims, int *rank, int64_t *shape)
{
    *rank = 0;
    for (int k = 0; k < a->m.rank; k++) {
        bool gone = (axes >> k & 1) != 0;
        if (!gone || keepdims)
            shape[(*rank)++] = gone ? 1 : a->m.shape[k];
    }
    return model_elements(*rank, shape);
}

static void assert_desc(const test_device *d, sinter_tensor t, sinter_dtype dtype, int rank,
                        const int64_t *shape)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    assert_int_equal(desc.dtype, dtype);
    assert_int_equal(desc.rank, rank);
    for (int k = 0; k < rank; k++)
        assert_int_equal(desc.shape[k], shape[k]);
}

/* What a reduction of an array should be, against what was read. */
static void compare(const reduction *r, const array *a, uint32_t axes, int64_t count,
                    const void *got)
{
    sinter_dtype work = work_of(r, a->dtype);
    number *x = calloc((size_t)a->m.count + 1, sizeof *x);
    bool last = a->m.rank > 0 && (axes >> (a->m.rank - 1) & 1) != 0;
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) {
        size_t n = gather(a, axes, i, work, x);
        number want = reduced(r, work, x, n, last);
        if (is_floating(work) &&
            (r->op == SINTER__OP_SUM || r->op == SINTER__OP_MEAN || r->op == SINTER__OP_PROD))
            assert_near(r, work, x, n, last, want);
        array_assert_element(r->name, work, got, i, want);
    }
    free(x);
}

/* Queues all reductions over the axes, in one kernel, then compares. */
static void check_axes(const array *a, uint32_t axes, bool keepdims)
{
    int list[SINTER_MAX_RANK];
    int64_t shape[SINTER_MAX_RANK] = {0};
    sinter_tensor out[REDUCTIONS];
    int listed = 0;
    int rank;
    for (int k = a->m.rank - 1; k >= 0; k--) {
        if ((axes >> k & 1) != 0)
            list[listed++] = k % 2 == 0 ? k : k - a->m.rank;
    }
    int64_t count = kept_shape(a, axes, keepdims, &rank, shape);
    bool none = listed == a->m.rank && !keepdims;
    for (size_t i = 0; i < REDUCTIONS; i++)
        OK(reductions[i].call(a->d->s, a->t, none ? 0 : listed, none ? NULL : list, keepdims,
                              &out[i]));
    for (size_t i = 0; i < REDUCTIONS; i++) {
        sinter_dtype work = work_of(&reductions[i], a->dtype);
        size_t bytes = (size_t)count * sinter_dtype_bytes(work);
        void *got = malloc(bytes + 1);
        assert_non_null(got);
        assert_desc(a->d, out[i], work, rank, shape);
        OK(sinter_tensor_read(a->d->s, out[i], got, bytes));
        compare(&reductions[i], a, axes, count, got);
        test_release(a->d, out[i]);
        free(got);
    }
}

static bool has_dtype(const test_device *d, int dtype)
{
    return dtype != SINTER_F64 || check_has_f64(d);
}

/* Packed, transposed or flipped; every `step`-th set of axes. */
static void check_form(const test_device *d, sinter_dtype dtype, int form, uint32_t step,
                       test_random *random)
{
    static const int64_t shape[] = {3, 4, 2, 5};
    static const int axes[] = {2, 0, 3, 1};
    array a;
    array_make(&a, d, dtype, 4, shape, form > 0, random);
    if (form == 1)
        array_transpose(&a, axes);
    if (form == 2)
        array_flip(&a);
    for (uint32_t set = 0; set < 16; set += step)
        check_axes(&a, set, (set + (uint32_t)form) % 2 == 0);
    array_free(&a);
}

static void reductions_follow_the_order_over_any_axes(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {31};
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT && check_is_thorough(); dtype++) {
        for (int form = 0; form < 3 && has_dtype(&d, dtype); form++)
            check_form(&d, (sinter_dtype)dtype, form, 1, &random);
    }
    if (!check_is_thorough()) { /* each set of axes is another kernel */
        check_form(&d, SINTER_F32, 1, 3, &random);
        check_form(&d, SINTER_F32, 2, 5, &random);
        check_form(&d, SINTER_I8, 1, 5, &random);
        check_form(&d, SINTER_BF16, 1, 5, &random);
    }
    test_close(&d);
}

/* Around the chunks, the partials and the runs. */
static const int64_t sizes[] = {1,   2,   3,   63,   64,   65,    127,   128,   129,   255,  256,
                                257, 511, 513, 1000, 4097, 16383, 16384, 16385, 16448, 33000};
static const int64_t driver_sizes[] = {1, 63, 65, 257, 16385};

static void check_size(const test_device *d, sinter_dtype dtype, int64_t size, test_random *random)
{
    const int64_t rows[] = {check_is_thorough() ? 2 : 1, size};
    const int64_t columns[] = {size <= 4097 ? size : 9000, check_is_thorough() ? 3 : 2};
    array a;
    array_make(&a, d, dtype, 2, rows, false, random);
    array b;
    array_make(&b, d, dtype, 2, columns, false, random);
    check_axes(&a, 2, false);
    check_axes(&b, 1, true);
    if (check_is_thorough()) {
        check_axes(&a, 3, false);
        array_transpose(&a, (int[]){1, 0});
        check_axes(&a, 1, false);
    }
    array_free(&a);
    array_free(&b);
}

static void reductions_follow_the_order_at_every_size(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F16, SINTER_F64, SINTER_I32};
    test_device d = test_open(NULL);
    test_random random = {32};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0] && check_is_thorough(); k++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && has_dtype(&d, (int)dtypes[k]); i++)
            check_size(&d, dtypes[k], sizes[i], &random);
    }
    for (size_t i = 0; i < sizeof driver_sizes / sizeof driver_sizes[0]; i++)
        check_size(&d, SINTER_F32, driver_sizes[i], &random);
    test_close(&d);
}

static void a_reduction_of_nothing_is_its_identity_or_nan_or_refused(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 0};
    static const int last = 1;
    test_device d = test_open(NULL);
    test_random random = {33};
    array a;
    array_make(&a, &d, SINTER_F32, 2, shape, false, &random);
    sinter_tensor t;
    float got[2] = {1, 1};
    OK(sinter_sum(d.s, a.t, 1, &last, false, &t));
    test_read(&d, t, got, 2);
    assert_true(got[0] == 0 && got[1] == 0 && !signbit(got[0]));
    test_release(&d, t);
    OK(sinter_mean(d.s, a.t, 1, &last, false, &t));
    test_read(&d, t, got, 2);
    assert_true(isnan(got[0]) && isnan(got[1]));
    test_release(&d, t);
    OK(sinter_prod(d.s, a.t, 1, &last, false, &t));
    test_read(&d, t, got, 2);
    assert_true(got[0] == 1 && got[1] == 1);
    test_release(&d, t);
    uint8_t truth[2] = {2, 2};
    OK(sinter_all(d.s, a.t, 1, &last, false, &t));
    OK(sinter_tensor_read(d.s, t, truth, sizeof truth));
    assert_true(truth[0] == 1 && truth[1] == 1);
    test_release(&d, t);
    OK(sinter_any(d.s, a.t, 0, NULL, false, &t));
    OK(sinter_tensor_read(d.s, t, truth, 1));
    assert_int_equal(truth[0], 0);
    test_release(&d, t);
    FAILS(SINTER_ESHAPE, sinter_max(d.s, a.t, 1, &last, false, &t));
    FAILS(SINTER_ESHAPE, sinter_min(d.s, a.t, 0, NULL, false, &t));
    OK(sinter_max(d.s, a.t, 1, (int[]){0}, false, &t)); /* no results: nothing to refuse */
    assert_desc(&d, t, SINTER_F32, 1, &shape[1]);
    test_release(&d, t);
    FAILS(SINTER_ERANGE, sinter_sum(d.s, a.t, 1, (int[]){2}, false, &t));
    FAILS(SINTER_ERANGE, sinter_sum(d.s, a.t, 2, (int[]){1, -1}, false, &t));
    array_free(&a);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_follow_the_order_over_any_axes),
        cmocka_unit_test(reductions_follow_the_order_at_every_size),
        cmocka_unit_test(a_reduction_of_nothing_is_its_identity_or_nan_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
