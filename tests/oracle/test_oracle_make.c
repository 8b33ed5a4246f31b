/* What is made and converted: casts between all dtypes, full, arange, and random numbers against a
 * generator of its own.
 *
 *   test_oracle_make [--table]      prints the worst error of the normal numbers */
#include "oracle/check.h"
#include "oracle/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a tensor, which has `count` elements of `dtype`. */
static void *read_all(const test_device *d, sinter_tensor t, sinter_dtype dtype, size_t count)
{
    sinter_tensor_desc desc;
    size_t bytes = count * sinter_dtype_bytes(dtype);
    void *got = malloc(bytes + 1);
    assert_non_null(got);
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    assert_int_equal(desc.dtype, dtype);
    assert_int_equal(model_elements(desc.rank, desc.shape), count);
    OK(sinter_tensor_read(d->s, t, got, bytes));
    return got;
}

static uint64_t bits_of_number(sinter_dtype dtype, number x)
{
    uint64_t bits = 0;
    store(dtype, x, &bits, 0);
    return bits;
}

static bool has_dtype(const test_device *d, int dtype)
{
    return dtype != SINTER_F64 || check_has_f64(d);
}

/* Casts */

static size_t check_cast(const test_device *d, sinter_dtype from, sinter_dtype to,
                         const check_operands *x, sinter_tensor y)
{
    size_t wrong = 0;
    void *got = read_all(d, y, to, x->count);
    for (size_t i = 0; i < x->count; i++) {
        number in = load(from, x->data[0], i);
        uint64_t want = bits_of_number(to, converted(from, in, to));
        uint64_t bits = load_bits(to, got, i);
        if (bits != want && wrong++ < 3) {
            print_error("cast of %.17g from %s to %s gives %#llx, not %#llx\n",
                        is_floating(from) ? (double)in.f : (double)in.i, sinter_dtype_name(from),
                        sinter_dtype_name(to), (unsigned long long)bits, (unsigned long long)want);
        }
    }
    free(got);
    return wrong;
}

static void casts_round_once_wrap_or_saturate(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {51};
    size_t wrong = 0;
    for (int from = 0; from < SINTER_DTYPE_COUNT; from++) {
        if (!has_dtype(&d, from))
            continue;
        check_operands x = check_make((sinter_dtype)from, check_is_thorough() ? 65536 : 400);
        sinter_tensor y[SINTER_DTYPE_COUNT] = {{0}};
        samples_fill(x.dtype[0], x.data[0], x.count, &random);
        check_run run = check_upload(&d, &x, 1);
        for (int to = 0; to < SINTER_DTYPE_COUNT; to++) {
            if (has_dtype(&d, to))
                OK(sinter_cast(d.s, run.t[0], (sinter_dtype)to, &y[to]));
        }
        for (int to = 0; to < SINTER_DTYPE_COUNT; to++) {
            if (y[to].id != 0)
                wrong += check_cast(&d, x.dtype[0], (sinter_dtype)to, &x, y[to]);
            test_release(&d, y[to]);
        }
        FAILS(SINTER_EDTYPE, sinter_cast(d.s, run.t[0], (sinter_dtype)99, &y[0]));
        check_release(&run, 1);
        check_free(&x);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* Full and arange */

static number number_of_scalar(sinter_scalar s)
{
    number x = {0, 0};
    if (s.kind == SINTER_SCALAR_FLOAT) {
        x.f = (quad)s.value.f;
        x.i = s.value.f > -1e19 && s.value.f < 2e19 ? (whole)s.value.f : 0;
    } else {
        x.i = s.kind == SINTER_SCALAR_INT ? (whole)s.value.i : (whole)s.value.u;
        x.f = (quad)x.i;
    }
    return x;
}

/* An integer dtype takes what it can hold, a float dtype anything. */
static bool is_value_of(sinter_scalar s, sinter_dtype dtype)
{
    number x = number_of_scalar(s);
    number back = load(dtype, &(uint64_t){bits_of_number(dtype, x)}, 0);
    return is_floating(dtype) || ((quad)back.i == x.f && back.i == x.i);
}

static void check_full(const test_device *d, sinter_dtype dtype, sinter_scalar s)
{
    static const int64_t shapes[][2] = {{0, 0}, {7, 0}, {0, 3}, {5, 9}};
    for (int rank = 0; rank <= 2; rank++) {
        const int64_t *shape = shapes[rank == 2 ? 3 : rank];
        sinter_tensor t;
        if (!is_value_of(s, dtype)) {
            FAILS(SINTER_ERANGE, sinter_full(d->s, dtype, rank, shape, s, &t));
            continue;
        }
        size_t count = (size_t)model_elements(rank, shape);
        uint64_t want = bits_of_number(dtype, number_of_scalar(s));
        OK(sinter_full(d->s, dtype, rank, shape, s, &t));
        void *got = read_all(d, t, dtype, count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(load_bits(dtype, got, i), want);
        test_release(d, t);
        free(got);
    }
}

static void full_rounds_once_and_refuses_what_an_integer_cannot_hold(void **state)
{
    (void)state;
    const sinter_scalar scalars[] = {
        sinter_scalar_float(0),
        sinter_scalar_float(-0.0),
        sinter_scalar_float(1),
        sinter_scalar_float(-1),
        sinter_scalar_float(0.1),
        sinter_scalar_float(65520),
        sinter_scalar_float(1e-8),
        sinter_scalar_float(1e300),
        sinter_scalar_float((double)NAN),
        sinter_scalar_float(-(double)INFINITY),
        sinter_scalar_float(0x1p63),
        sinter_scalar_float(0x1p64),
        sinter_scalar_int(-128),
        sinter_scalar_int(-129),
        sinter_scalar_int(INT64_MIN),
        sinter_scalar_int(INT64_MAX),
        sinter_scalar_uint(UINT64_MAX),
        sinter_scalar_uint(255),
        sinter_scalar_uint(2),
        /* not half way between two bf16, as it would be after rounding to f64 */
        sinter_scalar_int((1ll << 62) + (1ll << 54) + 1),
        sinter_scalar_int(-(1ll << 62) - (1ll << 54) - 1),
        sinter_scalar_uint((1ull << 63) + (1ull << 55) + 1),
    };
    test_device d = test_open(NULL);
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (size_t i = 0; i < sizeof scalars / sizeof scalars[0] && has_dtype(&d, dtype); i++)
            check_full(&d, (sinter_dtype)dtype, scalars[i]);
    }
    test_close(&d);
}

/* start + i * step: for floats a product and a sum, each rounded to f32 or f64, then to the dtype. */
static void check_arange(const test_device *d, sinter_dtype dtype, int64_t count, double start,
                         double step)
{
    sinter_dtype r = register_of(dtype);
    sinter_tensor t;
    OK(sinter_arange(d->s, dtype, count, sinter_scalar_float(start), sinter_scalar_float(step),
                     &t));
    void *got = read_all(d, t, dtype, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        number want = {0, (whole)start + (whole)i * (whole)step};
        quad product = rounded(r, rounded(r, (quad)i) * rounded(dtype, (quad)step));
        if (is_floating(dtype))
            want.f = rounded(r, rounded(dtype, (quad)start) + product);
        assert_int_equal(load_bits(dtype, got, (size_t)i), bits_of_number(dtype, want));
    }
    test_release(d, t);
    free(got);
}

static void arange_is_start_plus_i_times_step(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor t;
    for (int dtype = SINTER_I8; dtype < SINTER_DTYPE_COUNT; dtype++) {
        if (!has_dtype(&d, dtype))
            continue;
        check_arange(&d, (sinter_dtype)dtype, 0, 0, 1);
        check_arange(&d, (sinter_dtype)dtype, 1, 5, 1);
        check_arange(&d, (sinter_dtype)dtype, 70000, 3, 7);
        if (is_floating((sinter_dtype)dtype) || is_signed((sinter_dtype)dtype))
            check_arange(&d, (sinter_dtype)dtype, 300, -5, -3);
        if (is_floating((sinter_dtype)dtype)) {
            check_arange(&d, (sinter_dtype)dtype, 1000, 0.1, 0.3);
        } else {
            FAILS(SINTER_ERANGE, sinter_arange(d.s, (sinter_dtype)dtype, 4, sinter_scalar_int(0),
                                               sinter_scalar_float(0.5), &t));
        }
    }
    FAILS(SINTER_EDTYPE,
          sinter_arange(d.s, SINTER_BOOL, 2, sinter_scalar_int(0), sinter_scalar_int(1), &t));
    FAILS(SINTER_ERANGE,
          sinter_arange(d.s, SINTER_F32, -1, sinter_scalar_int(0), sinter_scalar_int(1), &t));
    test_close(&d);
}

/* Random numbers */

/* One block of Philox4x32-10, from its description: in each round the two even words are
 * multiplied, the halves of the products change places, and the key is bumped by Weyl constants. */
static void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t x[4];
    memcpy(x, counter, sizeof x);
    for (uint32_t round = 0; round < 10; round++) {
        uint32_t k0 = key[0] + round * 0x9e3779b9u;
        uint32_t k1 = key[1] + round * 0xbb67ae85u;
        uint64_t p = (uint64_t)x[0] * 0xd2511f53u;
        uint64_t q = (uint64_t)x[2] * 0xcd9e8d57u;
        uint32_t next[4] = {(uint32_t)(q >> 32) ^ x[1] ^ k0, (uint32_t)q,
                            (uint32_t)(p >> 32) ^ x[3] ^ k1, (uint32_t)p};
        memcpy(x, next, sizeof x);
    }
    memcpy(out, x, sizeof x);
}

static void the_generator_of_the_oracle_gives_the_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].answer, sizeof out);
    }
}

/* The block that element `i` is taken from. */
static void block_of(uint64_t seed, uint64_t offset, uint64_t i, uint32_t out[4])
{
    uint64_t at = offset + i / 4;
    const uint32_t counter[4] = {(uint32_t)at, (uint32_t)(at >> 32), 0, 0};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    philox(counter, key, out);
}

static double oracle_RANDOM_UNIFORM(uint64_t seed, uint64_t offset, uint64_t i)
{
    uint32_t words[4];
    block_of(seed, offset, i, words);
    return (double)(words[i % 4] >> 8) * 0x1p-24;
}

/* Words 0 and 1 give elements 0 and 1 of a block, words 2 and 3 the others. */
static double oracle_RANDOM_NORMAL(uint64_t seed, uint64_t offset, uint64_t i)
{
    uint32_t words[4];
    block_of(seed, offset, i, words);
    uint32_t turn = words[i / 2 % 2 * 2 + 1] >> 8;
    double u = ((double)(words[i / 2 % 2 * 2] >> 8) + 1) * 0x1p-24;
    double radius = sqrt(-2 * log(u));
    /* reduced to an eighth of a turn, so that the double nearest to the angle is near enough */
    uint32_t quarter = (turn + (1u << 21)) >> 22;
    double angle = ((double)turn - (double)quarter * 0x1p22) * (6.283185307179586476925 * 0x1p-24);
    uint32_t step = quarter + (i % 2 == 0 ? 1 : 0); /* cos x is sin of a quarter more */
    double value = step % 2 == 0 ? sin(angle) : cos(angle);
    return radius * (step / 2 % 2 == 0 ? value : -value);
}

typedef struct generator {
    const char *name;
    double error; /* in ulps of f32 */
    double (*oracle)(uint64_t seed, uint64_t offset, uint64_t i);
    sinter_status (*call)(sinter_stream *s, sinter_dtype dtype, int rank, const int64_t *shape,
                          uint64_t seed, uint64_t offset, sinter_tensor *out);
} generator;

#define EXACT 0
#define ROUNDED 0
#define STEPS 0
#define ROW_MAP(id, name, error)
#define ROW_COMPARE(id, name, error)
#define ROW_CAST(id, name, error)
#define ROW_FILL(id, name, error)
#define ROW_GENERATE(id, name, error)
#define ROW_VIEW(id, name, error)
#define ROW_REDUCE(id, name, error)
#define ROW_SCAN(id, name, error)
#define ROW_STATE(id, name, error)
#define ROW_CONTRACT(id, name, error)
#define ROW_UPDATE(id, name, error)
#define ROW_COMPOSITE(id, name, error)
#define ROW_RANDOM(id, name, error) {#name, error, oracle_##id, sinter_##name},

static const generator generators[] = {
#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, error, ...)              \
    ROW_##kind(id, name, error)
#include "core/ops.def"
#undef SINTER_OP
};

#define GENERATORS (sizeof generators / sizeof generators[0])

static double worst_errors[GENERATORS];

static void check_numbers(const test_device *d, size_t which, sinter_dtype dtype, uint64_t seed,
                          uint64_t offset, int64_t rows, int64_t columns)
{
    const generator *g = &generators[which];
    const int64_t shape[] = {rows, columns};
    size_t count = (size_t)(rows * columns);
    sinter_tensor t;
    sinter_tensor wide;
    OK(g->call(d->s, dtype, 2, shape, seed, offset, &t));
    OK(g->call(d->s, SINTER_F32, 2, shape, seed, offset, &wide));
    void *got = read_all(d, t, dtype, count);
    float *full = read_all(d, wide, SINTER_F32, count);
    for (size_t i = 0; i < count; i++) {
        double error = ulps_between(full[i], g->oracle(seed, offset, i));
        number x = {(quad)full[i], 0};
        worst_errors[which] = fmax(worst_errors[which], error);
        assert_true(error <= g->error);
        assert_int_equal(load_bits(dtype, got, i), bits_of_number(dtype, x));
    }
    test_release(d, t);
    test_release(d, wide);
    free(got);
    free(full);
}

static void random_numbers_are_those_of_the_oracle(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F16, SINTER_BF16};
    test_device d = test_open(NULL);
    int64_t columns = check_is_thorough() ? 20001 : 101;
    for (size_t g = 0; g < GENERATORS; g++) {
        for (int k = 0; k < 3; k++) {
            check_numbers(&d, g, dtypes[k], 0, 0, 1, 1);
            check_numbers(&d, g, dtypes[k], 42, 7, 3, columns);
            check_numbers(&d, g, dtypes[k], 0xdeadbeefcafef00d, 0xfffffff0, 2, 333);
            check_numbers(&d, g, dtypes[k], UINT64_MAX, UINT64_MAX - 3, 5, 11);
            check_numbers(&d, g, dtypes[k], 1, 0, 0, 9);
        }
    }
    test_close(&d);
}

static void random_numbers_are_of_float_dtypes(void **state)
{
    (void)state;
    const int64_t shape[] = {4};
    test_device d = test_open(NULL);
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (size_t g = 0; g < GENERATORS; g++) {
            sinter_tensor t;
            if (!is_floating((sinter_dtype)dtype) || dtype == SINTER_F64) {
                FAILS(SINTER_EDTYPE,
                      generators[g].call(d.s, (sinter_dtype)dtype, 1, shape, 1, 0, &t));
            }
        }
    }
    test_close(&d);
}

/* Mean of x^power over `count` numbers. */
static double moment(const float *x, size_t count, int power)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pow((double)x[i], power);
    return sum / (double)count;
}

/* Over 2^20 numbers a mean is off by a thousandth of its deviation; five of those are allowed. */
static void random_numbers_have_their_moments(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20 };
    static const struct {
        size_t generator;
        int power;
        double mean, deviation; /* of x^power */
    } rows[] = {{0, 1, 1 / 2., 0.2887}, {0, 2, 1 / 3., 0.2981}, {0, 4, 1 / 5., 0.2667},
                {1, 1, 0, 1},           {1, 2, 1, 1.414},       {1, 3, 0, 3.873},
                {1, 4, 3, 9.798}};
    const int64_t shape[] = {COUNT};
    test_device d = test_open(NULL);
    float *x[GENERATORS];
    for (size_t g = 0; g < GENERATORS; g++) {
        sinter_tensor t;
        OK(generators[g].call(d.s, SINTER_F32, 1, shape, 2026, 0, &t));
        x[g] = read_all(&d, t, SINTER_F32, COUNT);
        test_release(&d, t);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double mean = moment(x[rows[i].generator], COUNT, rows[i].power);
        assert_true(fabs(mean - rows[i].mean) < 5 * rows[i].deviation / 1024);
    }
    for (size_t g = 0; g < GENERATORS; g++)
        free(x[g]);
    test_close(&d);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest everywhere[] = {
        cmocka_unit_test(casts_round_once_wrap_or_saturate),
        cmocka_unit_test(full_rounds_once_and_refuses_what_an_integer_cannot_hold),
        cmocka_unit_test(arange_is_start_plus_i_times_step),
        cmocka_unit_test(the_generator_of_the_oracle_gives_the_known_answers),
        cmocka_unit_test(random_numbers_are_those_of_the_oracle),
        cmocka_unit_test(random_numbers_are_of_float_dtypes),
    };
    const struct CMUnitTest on_host[] = {
        cmocka_unit_test(random_numbers_have_their_moments),
    };
    int failed = cmocka_run_group_tests(everywhere, NULL, NULL);
    if (check_is_thorough())
        failed += cmocka_run_group_tests(on_host, NULL, NULL);
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        for (size_t g = 0; g < GENERATORS; g++) {
            printf("| `%s` | %g | %.3f |\n", generators[g].name, generators[g].error,
                   worst_errors[g]);
        }
    }
    return failed;
}
