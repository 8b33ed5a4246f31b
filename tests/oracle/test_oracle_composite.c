/* Operations that are made of others, against their meaning in long double, within the error that
 * their roundings can add up to.
 *
 * The one hard idea: an oracle gives a value and a bound on the error. The bound follows the
 * formula step by step: a sum of n terms is off by at most as many units as additions lie between
 * one term and the result (fusion/nest/tree.h), each of the magnitude summed. */
#include "oracle/check.h"
#include "oracle/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

/* One element of a result: those that it is made of, and which of them it stands at. */
typedef struct question {
    const real *x;
    size_t n, i;
    real weight, bias;
    real unit;  /* of rounding in the dtype worked in */
    real depth; /* additions between an element and the sum over all */
} question;

typedef struct answer {
    real value, error;
} answer;

/* Parameters that are tried. */
#define EPS 0.125
#define CORRECTION 1
#define ORDERS 3
static const double orders[ORDERS] = {1, 2, INFINITY};

static answer norm_of(const question *q, double order)
{
    real sum = 0;
    for (size_t k = 0; k < q->n; k++) {
        real a = fabsl(q->x[k]);
        sum = order == 1 ? sum + a : order == 2 ? sum + a * a : fmaxl(sum, a);
    }
    if (order == 1)
        return (answer){sum, q->depth * q->unit * sum};
    if (order == 2)
        return (answer){sqrtl(sum), (q->depth + 3) * q->unit * sqrtl(sum)};
    return (answer){sum, 0};
}

static real peak(const question *q)
{
    real most = -INFINITY;
    for (size_t k = 0; k < q->n; k++)
        most = fmaxl(most, q->x[k]);
    return most;
}

/* sum(exp(x - most)): each exponent is off by a rounding of its argument and by 2 units of its
 * own. */
static answer sum_of_exponents(const question *q, real most)
{
    answer sum = {0, 0};
    for (size_t k = 0; k < q->n; k++) {
        real d = q->x[k] - most;
        sum.value += expl(d);
        sum.error += expl(d) * (fabsl(d) + 2 + q->depth) * q->unit;
    }
    return sum;
}

static answer oracle_logsumexp(const question *q)
{
    real most = peak(q);
    answer sum = sum_of_exponents(q, most);
    real log_sum = logl(sum.value);
    real value = log_sum + most;
    real error = sum.error / sum.value + q->unit * (2 * fabsl(log_sum) + fabsl(value));
    return (answer){value, error};
}

static answer oracle_softmax(const question *q)
{
    real most = peak(q);
    answer sum = sum_of_exponents(q, most);
    real d = q->x[q->i] - most;
    real value = expl(d) / sum.value;
    return (answer){value, value * (sum.error / sum.value + (fabsl(d) + 3) * q->unit)};
}

static answer oracle_log_softmax(const question *q)
{
    real most = peak(q);
    answer sum = sum_of_exponents(q, most);
    real d = q->x[q->i] - most;
    real log_sum = logl(sum.value);
    real error =
        sum.error / sum.value + q->unit * (fabsl(d) + 2 * fabsl(log_sum) + fabsl(d - log_sum));
    return (answer){d - log_sum, error};
}

/* d / sqrt(mean(d * d) + EPS) * weight + bias, d being x - `center`, which is off by `off`. */
static answer scaled(const question *q, real center, real off, real bias)
{
    real n = (real)q->n;
    real square = 0;
    real square_error = 0;
    for (size_t k = 0; k < q->n; k++) {
        real d = fabsl(q->x[k] - center);
        square += d * d / n;
        square_error += 2 * d * (off + q->unit * d) / n;
    }
    real total = square + (real)EPS;
    real total_error = square_error + q->unit * ((q->depth + 2) * square + total);
    real root = sqrtl(total);
    real d = q->x[q->i] - center;
    real value = d / root * q->weight;
    real error = (off + fabsl(d) * (total_error / (2 * total) + 5 * q->unit)) / root;
    return (answer){value + bias, error * fabsl(q->weight) + q->unit * fabsl(value + bias)};
}

static answer oracle_layer_norm(const question *q)
{
    real mean = 0;
    real magnitude = 0;
    for (size_t k = 0; k < q->n; k++) {
        mean += q->x[k] / (real)q->n;
        magnitude += fabsl(q->x[k]) / (real)q->n;
    }
    return scaled(q, mean, q->unit * (q->depth * magnitude + fabsl(mean)), q->bias);
}

/* A part's mean is off by up to e, which moves its sum of squares by n * e * e; that is taken out
 * again, so that the roundings of both are left. */
static answer oracle_devsq(const question *q)
{
    real n = (real)q->n;
    real mean = 0;
    real magnitude = 0;
    for (size_t k = 0; k < q->n; k++) {
        mean += q->x[k] / n;
        magnitude += fabsl(q->x[k]) / n;
    }
    real off = q->unit * (q->depth * magnitude + fabsl(mean));
    real sum = 0;
    for (size_t k = 0; k < q->n; k++)
        sum += (q->x[k] - mean) * (q->x[k] - mean);
    return (answer){sum, (q->depth + 12) * q->unit * (sum + n * off * off)};
}

static answer oracle_var(const question *q)
{
    answer sum = oracle_devsq(q);
    real n = (real)q->n;
    real freedom = n > CORRECTION ? n - CORRECTION : 0;
    return (answer){sum.value / freedom, (sum.error + 2 * q->unit * sum.value) / freedom};
}

static answer oracle_std(const question *q)
{
    answer var = oracle_var(q);
    real root = sqrtl(var.value);
    return (answer){root, sqrtl(var.value + var.error) - root + 2 * q->unit * root};
}

static answer oracle_rms_norm(const question *q)
{
    return scaled(q, 0, 0, 0);
}

/* Arrays */

typedef struct array {
    const test_device *d;
    sinter_dtype dtype;
    int rank;
    int64_t shape[4];
    int64_t count;
    uint32_t axes; /* a bit per axis */
    int list[4], listed;
    real *x;
    sinter_tensor t;
} array;

/* Multiples of 1/8 that every dtype holds, and the dtype's own numbers for integers. */
static array make_array(const test_device *d, sinter_dtype dtype, int rank, const int64_t *shape,
                        uint32_t axes, test_random *random)
{
    array a = {.d = d, .dtype = dtype, .rank = rank, .axes = axes};
    a.count = model_elements(rank, shape);
    a.x = calloc((size_t)a.count + 1, sizeof *a.x);
    void *data = calloc((size_t)a.count + 1, 8);
    assert_non_null(a.x);
    assert_non_null(data);
    for (int64_t i = 0; i < a.count; i++) {
        int k = (int)test_below(random, 64) - 32;
        number n = {(quad)k / 8, k};
        store(dtype, n, data, (size_t)i);
        a.x[i] = is_floating(dtype) ? (real)k / 8 : (real)k;
    }
    for (int k = 0; k < rank; k++) {
        a.shape[k] = shape[k];
        if ((axes >> k & 1) != 0)
            a.list[a.listed++] = k;
    }
    OK(sinter_tensor_from_host(d->s, dtype, rank, shape, data, &a.t));
    free(data);
    return a;
}

static void free_array(array *a)
{
    test_release(a->d, a->t);
    free(a->x);
}

/* The elements over the axes, and the position of element `at` among them. Returns which result of
 * a reduction they belong to. */
static int64_t gather(const array *a, int64_t at, real *x, question *q)
{
    int64_t index[4] = {0};
    int64_t kept = 0;
    int64_t rest = at;
    for (int k = a->rank - 1; k >= 0; k--) {
        index[k] = rest % a->shape[k];
        rest /= a->shape[k];
    }
    for (int k = 0; k < a->rank; k++) {
        if ((a->axes >> k & 1) == 0)
            kept = kept * a->shape[k] + index[k];
    }
    q->n = 0;
    for (int64_t i = 0; i < a->count; i++) {
        bool same = true;
        rest = i;
        for (int k = a->rank - 1; k >= 0; k--) {
            same &= (a->axes >> k & 1) != 0 || rest % a->shape[k] == index[k];
            rest /= a->shape[k];
        }
        if (same && i == at)
            q->i = q->n;
        if (same)
            x[q->n++] = a->x[i];
    }
    return kept;
}

/* Additions between an element and the sum, by the canonical order. */
static real depth_of(size_t n, bool last)
{
    size_t part = last ? 16384 : 256;
    size_t in_part = n < part ? n : part;
    size_t parts = (n + part - 1) / part;
    size_t depth = last ? (in_part + 63) / 64 + 6 : in_part;
    while (parts > 1) {
        parts = (parts + 1) / 2;
        depth++;
    }
    return (real)depth;
}

static real unit_of(sinter_dtype dtype)
{
    switch (dtype) {
    case SINTER_F64:
        return 0x1p-53L;
    case SINTER_F16:
        return 0x1p-11L;
    case SINTER_BF16:
        return 0x1p-8L;
    default:
        return 0x1p-24L;
    }
}

/* Least distance of two values: what a rounding can be off by near 0. */
static real least_of(sinter_dtype dtype)
{
    return dtype == SINTER_F16 ? 0x1p-24L : dtype == SINTER_F64 ? 0x1p-1074L : 0x1p-133L;
}

/* As of an oracle, and for what is not a number the same. */
static void compare(const char *name, const array *a, sinter_dtype dtype, const void *got,
                    int64_t i, answer want)
{
    real found = (real)load(dtype, got, (size_t)i).f;
    if (isnan(want.value)) {
        assert_true(isnan(found));
        return;
    }
    real bound = want.error * 1.01L + 2 * least_of(dtype);
    if (dtype == SINTER_F16 || dtype == SINTER_BF16)
        bound += unit_of(dtype) * (fabsl(want.value) + want.error);
    if (!(fabsl(found - want.value) <= bound))
        print_error("%s of %s, %zd axes %x: element %lld is %Lg, not %Lg +- %Lg\n", name,
                    sinter_dtype_name(a->dtype), (ptrdiff_t)a->count, a->axes, (long long)i, found,
                    want.value, bound);
    assert_true(fabsl(found - want.value) <= bound);
}

/* Operations */

typedef answer (*oracle_fn)(const question *q);

/* Reads `out`, which has `count` elements, and compares it. A reduction has one element for all
 * that are gathered, and the others one for each. */
static void check(const char *name, const array *a, sinter_tensor out, oracle_fn oracle,
                  double order, const real *weight, const real *bias)
{
    bool reduces = oracle == NULL || oracle == oracle_logsumexp || oracle == oracle_devsq ||
                   oracle == oracle_var || oracle == oracle_std;
    sinter_dtype dtype = is_floating(a->dtype) ? a->dtype : SINTER_F32;
    void *got = calloc((size_t)a->count + 1, 8);
    real *x = calloc((size_t)a->count + 1, sizeof *x);
    sinter_tensor_desc desc;
    assert_non_null(got);
    assert_non_null(x);
    OK(sinter_tensor_describe(a->d->ctx, out, &desc));
    assert_int_equal(desc.dtype, dtype);
    int64_t count = model_elements(desc.rank, desc.shape);
    OK(sinter_tensor_read(a->d->s, out, got, (size_t)count * sinter_dtype_bytes(dtype)));
    int64_t step = a->count > 3000 ? a->count / 37 : 1; /* gathering is slow */
    for (int64_t i = 0; i < a->count; i += step) {
        question q = {.x = x, .unit = unit_of(dtype == SINTER_F64 ? SINTER_F64 : SINTER_F32)};
        int64_t last = a->shape[a->rank - 1];
        int64_t kept = gather(a, i, x, &q);
        q.depth = depth_of(q.n, (a->axes >> (a->rank - 1) & 1) != 0);
        q.weight = weight != NULL ? weight[i % last] : 1;
        q.bias = bias != NULL ? bias[i % last] : 0;
        compare(name, a, dtype, got, reduces ? kept : i,
                oracle != NULL ? oracle(&q) : norm_of(&q, order));
    }
    free(x);
    free(got);
    test_release(a->d, out);
}

static void check_norm(const array *a)
{
    sinter_tensor out[ORDERS];
    for (int k = 0; k < ORDERS; k++)
        OK(sinter_norm(a->d->s, a->t, orders[k], a->listed, a->list, k == 1, &out[k]));
    for (int k = 0; k < ORDERS; k++)
        check("norm", a, out[k], NULL, orders[k], NULL, NULL);
}

static void check_logsumexp(const array *a)
{
    sinter_tensor out[2];
    for (int keep = 0; keep < 2; keep++)
        OK(sinter_logsumexp(a->d->s, a->t, a->listed, a->list, keep == 1, &out[keep]));
    for (int keep = 0; keep < 2; keep++) {
        sinter_tensor_desc d;
        OK(sinter_tensor_describe(a->d->ctx, out[keep], &d));
        assert_int_equal(d.rank, keep == 1 ? a->rank : a->rank - a->listed);
        check("logsumexp", a, out[keep], oracle_logsumexp, 0, NULL, NULL);
    }
}

static void check_devsq(const array *a)
{
    sinter_tensor out;
    OK(sinter_devsq(a->d->s, a->t, a->listed, a->list, true, &out));
    check("devsq", a, out, oracle_devsq, 0, NULL, NULL);
}

static void check_var(const array *a)
{
    sinter_tensor out;
    OK(sinter_var(a->d->s, a->t, CORRECTION, a->listed, a->list, false, &out));
    check("var", a, out, oracle_var, 0, NULL, NULL);
}

static void check_std(const array *a)
{
    sinter_tensor out;
    OK(sinter_std(a->d->s, a->t, CORRECTION, a->listed, a->list, true, &out));
    check("std", a, out, oracle_std, 0, NULL, NULL);
}

/* The first of the best, in row-major order of the axes. */
static void check_position(const char *name, const array *a, sinter_tensor out, real sign)
{
    int64_t *got = calloc((size_t)a->count + 1, sizeof *got);
    real *x = calloc((size_t)a->count + 1, sizeof *x);
    sinter_tensor_desc desc;
    assert_non_null(got);
    assert_non_null(x);
    OK(sinter_tensor_describe(a->d->ctx, out, &desc));
    assert_int_equal(desc.dtype, SINTER_I64);
    OK(sinter_tensor_read(a->d->s, out, got,
                          (size_t)model_elements(desc.rank, desc.shape) * sizeof *got));
    int64_t step = a->count > 3000 ? a->count / 37 : 1;
    for (int64_t i = 0; i < a->count; i += step) {
        question q = {.x = x};
        int64_t kept = gather(a, i, x, &q);
        size_t best = 0;
        for (size_t k = 1; k < q.n; k++)
            best = sign * x[k] > sign * x[best] ? k : best;
        if (got[kept] != (int64_t)best)
            print_error("%s of %s, axes %x\n", name, sinter_dtype_name(a->dtype), a->axes);
        assert_int_equal(got[kept], best);
    }
    free(x);
    free(got);
    test_release(a->d, out);
}

static void check_argmax(const array *a)
{
    sinter_tensor out;
    OK(sinter_argmax(a->d->s, a->t, a->listed, a->list, false, &out));
    check_position("argmax", a, out, 1);
}

static void check_argmin(const array *a)
{
    sinter_tensor out;
    OK(sinter_argmin(a->d->s, a->t, a->listed, a->list, true, &out));
    check_position("argmin", a, out, -1);
}

static void check_softmax(const array *a)
{
    sinter_tensor out;
    OK(sinter_softmax(a->d->s, a->t, a->listed, a->list, &out));
    check("softmax", a, out, oracle_softmax, 0, NULL, NULL);
}

static void check_log_softmax(const array *a)
{
    sinter_tensor out;
    OK(sinter_log_softmax(a->d->s, a->t, a->listed, a->list, &out));
    check("log_softmax", a, out, oracle_log_softmax, 0, NULL, NULL);
}

/* A row that broadcasts to the array: multiples of 1/4. */
static sinter_tensor make_row(const array *a, float scale, real **x)
{
    int64_t n = a->shape[a->rank - 1];
    float *data = calloc((size_t)n + 1, sizeof *data);
    sinter_tensor t;
    *x = calloc((size_t)n + 1, sizeof **x);
    assert_non_null(data);
    assert_non_null(*x);
    for (int64_t i = 0; i < n; i++) {
        data[i] = scale * (float)(i % 7 - 3);
        (*x)[i] = (real)data[i];
    }
    OK(sinter_tensor_from_host(a->d->s, SINTER_F32, 1, &n, data, &t));
    free(data);
    return t;
}

static void check_layer_norm(const array *a)
{
    real *weights;
    real *biases;
    sinter_tensor none = {0};
    sinter_tensor weight = make_row(a, 0.25F, &weights);
    sinter_tensor bias = make_row(a, -1.5F, &biases);
    sinter_tensor out[2];
    OK(sinter_layer_norm(a->d->s, a->t, a->listed, a->list, weight, bias, EPS, &out[0]));
    OK(sinter_layer_norm(a->d->s, a->t, a->listed, a->list, none, none, EPS, &out[1]));
    check("layer_norm", a, out[0], oracle_layer_norm, 0, weights, biases);
    check("layer_norm", a, out[1], oracle_layer_norm, 0, NULL, NULL);
    test_release(a->d, weight);
    test_release(a->d, bias);
    free(weights);
    free(biases);
}

static void check_rms_norm(const array *a)
{
    real *weights;
    sinter_tensor none = {0};
    sinter_tensor weight = make_row(a, 0.25F, &weights);
    sinter_tensor out[2];
    OK(sinter_rms_norm(a->d->s, a->t, a->listed, a->list, weight, EPS, &out[0]));
    OK(sinter_rms_norm(a->d->s, a->t, a->listed, a->list, none, EPS, &out[1]));
    check("rms_norm", a, out[0], oracle_rms_norm, 0, weights, NULL);
    check("rms_norm", a, out[1], oracle_rms_norm, 0, NULL, NULL);
    test_release(a->d, weight);
    free(weights);
}

/* Exactly x * (1 / (1 - p)), rounded once, where the random numbers say so. */
static void check_dropout(const array *a)
{
    static const double p = 0.25;
    size_t n = (size_t)a->count;
    sinter_dtype dtype = is_floating(a->dtype) ? a->dtype : SINTER_F32;
    sinter_tensor out;
    sinter_tensor random;
    float *u = calloc(n + 1, sizeof *u);
    void *got = calloc(n + 1, 8);
    assert_non_null(u);
    assert_non_null(got);
    OK(sinter_random_uniform(a->d->s, SINTER_F32, a->rank, a->shape, 7, 9, &random));
    OK(sinter_dropout(a->d->s, a->t, p, 7, 9, &out));
    test_read(a->d, random, u, n);
    OK(sinter_tensor_read(a->d->s, out, got, n * sinter_dtype_bytes(dtype)));
    quad scale = rounded(dtype == SINTER_F64 ? SINTER_F64 : SINTER_F32, (quad)(1 / (1 - p)));
    for (size_t i = 0; i < n; i++) {
        number want = {u[i] >= (float)p ? (quad)a->x[i] * scale : 0, 0};
        uint64_t bits = 0;
        want.f = rounded(register_of(dtype), want.f);
        store(dtype, want, &bits, 0);
        assert_int_equal(load_bits(dtype, got, i), bits);
    }
    test_release(a->d, random);
    test_release(a->d, out);
    free(u);
    free(got);
}

static void (*const composites[])(const array *a) = {
#define CHECK_MAP(name)
#define CHECK_COMPARE(name)
#define CHECK_CAST(name)
#define CHECK_FILL(name)
#define CHECK_GENERATE(name)
#define CHECK_RANDOM(name)
#define CHECK_VIEW(name)
#define CHECK_REDUCE(name)
#define CHECK_SCAN(name)
#define CHECK_CONTRACT(name)
#define CHECK_UPDATE(name)
#define CHECK_STATE(name) check_##name,
#define CHECK_COMPOSITE(name) check_##name,
#define SINTER_OP(id, code, name, kind, ...) CHECK_##kind(name)
#include "core/ops.def"
#undef SINTER_OP
};

static void check_shape(const test_device *d, sinter_dtype dtype, int rank, const int64_t *shape,
                        uint32_t axes, test_random *random)
{
    array a = make_array(d, dtype, rank, shape, axes, random);
    for (size_t i = 0; i < sizeof composites / sizeof composites[0]; i++)
        composites[i](&a);
    free_array(&a);
}

static void compositions_are_within_the_error_of_their_steps(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F16, SINTER_BF16, SINTER_F64,
                                          SINTER_I8};
    static const int64_t shape[] = {3, 4, 2, 5};
    test_device d = test_open(NULL);
    test_random random = {61};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0] && check_is_thorough(); k++) {
        for (uint32_t axes = 0; axes < 16; axes++)
            check_shape(&d, dtypes[k], 4, shape, axes, &random);
    }
    if (!check_is_thorough()) /* each set of axes is another set of kernels */
        check_shape(&d, SINTER_F16, 4, shape, 6, &random);
    test_close(&d);
}

static void compositions_hold_at_every_length(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 63, 65, 257, 1000, 16385, 40000};
    test_device d = test_open(NULL);
    test_random random = {62};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (!check_is_thorough() && lengths[i] != 16385)
            continue;
        int64_t rows = test_is_simulated(&d) ? 1 : 2;
        check_shape(&d, SINTER_F32, 2, (int64_t[]){rows, lengths[i]}, 2, &random);
        if (check_is_thorough())
            check_shape(&d, SINTER_F32, 2, (int64_t[]){lengths[i], 2}, 1, &random);
    }
    test_close(&d);
}

/* Special values */

static void expect_row(const test_device *d, sinter_tensor t, size_t n, const float *want)
{
    float got[8];
    assert_true(n <= 8);
    test_read(d, t, got, n);
    for (size_t i = 0; i < n; i++) {
        bool same = isnan(want[i]) ? isnan(got[i]) != 0 : got[i] == want[i];
        if (!same)
            print_error("element %zu is %g, not %g\n", i, (double)got[i], (double)want[i]);
        assert_true(same);
    }
    test_release(d, t);
}

#define ROW_OF(...) ((const float[]){__VA_ARGS__})

static void rows_of_special_values(void **state)
{
    (void)state;
    static const float rows[5][4] = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                     {INFINITY, 0, 0, 0},
                                     {NAN, 0, 0, 0},
                                     {88, 88, 88, 88},
                                     {-INFINITY, 1000, -INFINITY, -INFINITY}};
    static const int last = 1;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 2, (int64_t[]){5, 4}, rows[0]);
    sinter_tensor t;
    OK(sinter_logsumexp(d.s, x, 1, &last, false, &t));
    expect_row(&d, t, 5, ROW_OF(-INFINITY, INFINITY, NAN, 88 + logf(4), 1000));
    OK(sinter_norm(d.s, x, INFINITY, 1, &last, false, &t));
    expect_row(&d, t, 5, ROW_OF(INFINITY, INFINITY, NAN, 88, INFINITY));
    int64_t place[2][5];
    OK(sinter_argmax(d.s, x, 1, &last, false, &t));
    OK(sinter_tensor_read(d.s, t, place[0], sizeof place[0]));
    test_release(&d, t);
    OK(sinter_argmin(d.s, x, 1, &last, false, &t));
    OK(sinter_tensor_read(d.s, t, place[1], sizeof place[1]));
    test_release(&d, t);
    static const int64_t places[2][5] = {{0, 0, 0, 0, 1}, {0, 1, 0, 0, 0}};
    assert_memory_equal(place, places, sizeof places);
    sinter_tensor y;
    float got[20];
    OK(sinter_softmax(d.s, x, 1, &last, &y));
    test_read(&d, y, got, 20);
    for (int i = 0; i < 4; i++) {
        assert_true(isnan(got[i]) && isnan(got[8 + i]) && got[12 + i] == 0.25F);
        assert_true(got[16 + i] == (i == 1 ? 1.0F : 0.0F));
    }
    assert_true(isnan(got[4]));
    test_release(&d, y);
    test_release(&d, x);
    test_close(&d);
}

/* What would overflow f16 on the way does not, since the way is f32's. */
static void f16_overflows_at_the_end_only(void **state)
{
    (void)state;
    static const uint16_t data[] = {0x5cb0, 0x5e40}; /* 300, 400 */
    static const int64_t two = 2;
    test_device d = test_open(NULL);
    sinter_tensor x;
    sinter_tensor y;
    uint16_t got[2] = {0, 0};
    OK(sinter_tensor_from_host(d.s, SINTER_F16, 1, &two, data, &x));
    OK(sinter_norm(d.s, x, 2, 0, NULL, false, &y));
    OK(sinter_tensor_read(d.s, y, got, 2));
    assert_int_equal(got[0], 0x5fd0); /* 500 */
    test_release(&d, y);
    OK(sinter_rms_norm(d.s, x, 0, NULL, (sinter_tensor){0}, 0, &y));
    OK(sinter_tensor_read(d.s, y, got, 4));
    assert_int_equal(got[0], 0x3aca); /* 300 / sqrt(125000) */
    test_release(&d, y);
    test_release(&d, x);
    test_close(&d);
}

static void no_elements(void **state)
{
    (void)state;
    static const int last = 1;
    test_device d = test_open(NULL);
    sinter_tensor none = {0};
    sinter_tensor x = test_floats(&d, 2, (int64_t[]){2, 0}, NULL);
    sinter_tensor t;
    sinter_tensor_desc desc;
    OK(sinter_logsumexp(d.s, x, 1, &last, false, &t));
    expect_row(&d, t, 2, ROW_OF(-INFINITY, -INFINITY));
    OK(sinter_norm(d.s, x, 2, 1, &last, false, &t));
    expect_row(&d, t, 2, ROW_OF(0, 0));
    FAILS(SINTER_ESHAPE, sinter_norm(d.s, x, INFINITY, 1, &last, false, &t));
    FAILS(SINTER_ESHAPE, sinter_argmax(d.s, x, 1, &last, false, &t));
    FAILS(SINTER_ESHAPE, sinter_argmin(d.s, x, 0, NULL, false, &t));
    OK(sinter_var(d.s, x, 0, 1, &last, false, &t));
    expect_row(&d, t, 2, ROW_OF(NAN, NAN));
    OK(sinter_std(d.s, x, -1, 1, &last, false, &t));
    expect_row(&d, t, 2, ROW_OF(NAN, NAN));
    OK(sinter_argmax(d.s, x, 1, (int[]){0}, false, &t)); /* no results: nothing to refuse */
    test_release(&d, t);
    OK(sinter_softmax(d.s, x, 1, &last, &t));
    OK(sinter_tensor_describe(d.ctx, t, &desc));
    assert_true(desc.rank == 2 && desc.shape[0] == 2 && desc.shape[1] == 0);
    test_release(&d, t);
    OK(sinter_layer_norm(d.s, x, 1, &last, none, none, EPS, &t));
    test_release(&d, t);
    test_release(&d, x);
    test_close(&d);
}

/* As if the caller had queued the formula: the same groups, launches and bytes. */
static void a_composition_is_planned_as_its_formula(void **state)
{
    (void)state;
    static const int last = 1;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 2, (int64_t[]){6, 40}, NULL);
    sinter_tensor t[6];
    float want[240];
    float got[240];
    OK(sinter_stream_sync(d.s));
    sinter_stats before = test_stats(&d);
    OK(sinter_max(d.s, x, 1, &last, true, &t[0]));
    OK(sinter_sub(d.s, x, t[0], &t[1]));
    OK(sinter_exp(d.s, t[1], &t[2]));
    OK(sinter_sum(d.s, t[2], 1, &last, true, &t[3]));
    OK(sinter_div(d.s, t[2], t[3], &t[4]));
    for (int i = 0; i < 4; i++)
        test_release(&d, t[i]);
    test_read(&d, t[4], want, 240);
    sinter_stats between = test_stats(&d);
    OK(sinter_softmax(d.s, x, 1, &last, &t[5]));
    test_read(&d, t[5], got, 240);
    sinter_stats after = test_stats(&d);
    assert_memory_equal(got, want, sizeof got);
    assert_int_equal(after.ops - between.ops, 5);
    DECIDES(after.launches - between.launches, between.launches - before.launches);
    DECIDES(after.bytes_moved - between.bytes_moved, between.bytes_moved - before.bytes_moved);
    DECIDES(after.compiles, between.compiles); /* the plan is there */
    test_release(&d, t[4]);
    test_release(&d, t[5]);
    uint64_t allocations[2] = {0, 0};
    for (int i = 0; i < 6; i++) { /* and once it is known, nothing is allocated */
        OK(sinter_softmax(d.s, x, 1, &last, &t[5]));
        test_read(&d, t[5], got, 240);
        test_release(&d, t[5]);
        allocations[i / 5] = test_stats(&d).host_allocations;
    }
    if (test_is_pooled())
        DECIDES(allocations[1], allocations[0]);
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compositions_are_within_the_error_of_their_steps),
        cmocka_unit_test(compositions_hold_at_every_length),
        cmocka_unit_test(rows_of_special_values),
        cmocka_unit_test(f16_overflows_at_the_end_only),
        cmocka_unit_test(no_elements),
        cmocka_unit_test(a_composition_is_planned_as_its_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
