/* The op table's independent twin. rows.def has the meanings; here is what they are written in.
 *
 * The one hard idea: rounding is not part of an operation. A row gives the true result, and
 * agreement is one comparison after one rounding. */
#include "oracle/oracle.h"

#include "oracle/real.h"

#include <math.h>
#include <string.h>

/* Floats */

/* Functions of real.h: in double is enough for what is f32 in the end. */
#define REAL(f, x) (dtype == SINTER_F64 ? f##q(x) : (quad)f((double)(x)))
#define REAL2(f, x, y) (dtype == SINTER_F64 ? f##q((x), (y)) : (quad)f((double)(x), (double)(y)))

static quad smaller(quad x, quad y)
{
    if (quad_is_nan(x) || quad_is_nan(y))
        return quad_is_nan(x) ? x : y;
    return x < y || (x == y && quad_is_negative(x)) ? x : y;
}

static quad larger(quad x, quad y)
{
    if (quad_is_nan(x) || quad_is_nan(y))
        return quad_is_nan(x) ? x : y;
    return x > y || (x == y && !quad_is_negative(x)) ? x : y;
}

/* Newton's method from the root in double: two steps give all the bits there are. */
static quad square_root(quad x)
{
    double near = sqrt((double)x);
    if (near == 0 || quad_is_nan((quad)near) || quad_is_inf((quad)near))
        return (quad)near;
    quad r = (quad)near;
    r = (r + x / r) / 2;
    return (r + x / r) / 2;
}

/* The product of two f64 is exact. The sum is rounded to odd: its last bit says that something was
 * lost, so that rounding again to f64 rounds the true sum. */
static quad multiply_add(quad x, quad y, quad z)
{
    quad p = x * y;
    quad s = p + z;
    if (quad_is_nan(s) || quad_is_inf(s))
        return s;
    quad z_part = s - p;
    quad lost = (p - (s - z_part)) + (z - z_part);
    uint64_t words[2];
    memcpy(words, &s, sizeof words);
    if (lost == 0 || (words[0] & 1) != 0)
        return s;
    bool outwards = (lost > 0) == (s > 0);
    uwhole bits = ((uwhole)words[1] << 64 | words[0]) + (outwards ? (uwhole)1 : -(uwhole)1);
    words[0] = (uint64_t)bits;
    words[1] = (uint64_t)(bits >> 64);
    memcpy(&s, words, sizeof words);
    return s;
}

/* C's remainder of two doubles is exact; the sign becomes y's. */
static quad modulo(quad x, quad y)
{
    quad r = (quad)fmod((double)x, (double)y);
    if (r == 0)
        return quad_is_negative(y) ? -(quad)0 : (quad)0;
    return (r < 0) != (y < 0) ? r + y : r;
}

/* As NumPy computes it, each step in the dtype. */
static quad floor_quotient(sinter_dtype dtype, quad x, quad y)
{
    sinter_dtype r = register_of(dtype);
    if (y == 0)
        return x / y;
    quad rest = (quad)fmod((double)x, (double)y);
    quad q = rounded(r, rounded(r, x - rest) / y);
    if (rest != 0 && (rest < 0) != (y < 0))
        q = rounded(r, q - 1);
    if (q == 0)
        return quad_is_negative(x) != quad_is_negative(y) ? -(quad)0 : (quad)0;
    quad down = (quad)floor((double)q);
    return rounded(r, q - down) > (quad)0.5 ? down + 1 : down;
}

/* Integers */

/* Modulo 2^128, of which every dtype's width is a divisor. */
static whole product(whole x, whole y)
{
    return (whole)((uwhole)x * (uwhole)y);
}

static whole floor_divide(whole x, whole y)
{
    if (y == 0)
        return 0;
    whole q = x / y;
    return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
}

static whole power(whole x, whole y)
{
    if (y < 0)
        return x == 1 ? 1 : x == -1 ? (y % 2 == 0 ? 1 : -1) : 0;
    whole r = 1;
    for (; y > 0; y /= 2) {
        r = y % 2 != 0 ? product(r, x) : r;
        x = product(x, x);
    }
    return r;
}

/* The rows */

#define NOTHING 0
#define STEP(x) rounded(register_of(dtype), (x))

#define ROW(id, accepts, F, I)                                                                     \
    static quad f_##id(sinter_dtype dtype, quad x, quad y, quad z)                                 \
    {                                                                                              \
        (void)dtype, (void)x, (void)y, (void)z;                                                    \
        return (F);                                                                                \
    }                                                                                              \
    static whole i_##id(sinter_dtype dtype, whole x, whole y, whole z)                             \
    {                                                                                              \
        (void)dtype, (void)x, (void)y, (void)z;                                                    \
        return (I);                                                                                \
    }                                                                                              \
    static const oracle_accepts accepts_##id = ORACLE_##accepts;
#include "oracle/rows.def"
#undef ROW

/* Column `error` of the op table; what is not a bound is exact. */
#define EXACT ORACLE_EXACT
#define ROUNDED 0.5
#define STEPS ORACLE_STEPS
#define WITHIN(f32, f64) (f32)

#define ELEMENTWISE(id, text, operands, scalars, bound)                                            \
    [SINTER__OP_##id] = {.op = SINTER__OP_##id,                                                    \
                         .name = (text),                                                           \
                         .arity = (operands),                                                      \
                         .params = (scalars),                                                      \
                         .accepts = accepts_##id,                                                  \
                         .error = (bound),                                                         \
                         .f = f_##id,                                                              \
                         .i = i_##id},
#define ROW_MAP ELEMENTWISE
#define ROW_COMPARE ELEMENTWISE
/* Their oracles are in test_oracle_cast.c, _make.c, _view.c and _reduce.c. */
#define ROW_CAST(...)
#define ROW_FILL(...)
#define ROW_GENERATE(...)
#define ROW_RANDOM(...)
#define ROW_VIEW(...)
#define ROW_REDUCE(...)
#define ROW_SCAN(...)
#define ROW_STATE(...)
#define ROW_CONTRACT(...)
#define ROW_UPDATE(...)
#define ROW_COMPOSITE(...)

const oracle_row oracle_rows[SINTER__OP_END] = {
#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, error, ...)              \
    ROW_##kind(id, #name, arity, params, error)
#include "core/ops.def"
#undef SINTER_OP
#undef WITHIN
};

/* The same column for f64. */
#define WITHIN(f32, f64) (f64)
static const double f64_errors[SINTER__OP_END] = {
#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, error, ...)              \
    [SINTER__OP_##id] = (error),
#include "core/ops.def"
#undef SINTER_OP
};

double oracle_error(const oracle_row *row, sinter_dtype dtype)
{
    return dtype == SINTER_F64 ? f64_errors[row->op] : row->error;
}

/* Dtypes */

static bool refused(oracle_accepts accepts, sinter_dtype d)
{
    switch (accepts) {
    case ORACLE_NUMBERS:
        return d == SINTER_BOOL;
    case ORACLE_BITS:
    case ORACLE_SHIFTS:
        return is_floating(d);
    default:
        return false;
    }
}

bool oracle_work(const oracle_row *row, sinter_dtype promoted, sinter_dtype *work)
{
    oracle_accepts a = row->accepts;
    *work = promoted;
    if (refused(a, promoted))
        return false;
    if (a == ORACLE_TRUTHS)
        *work = SINTER_BOOL;
    if (a == ORACLE_FLOATS && !is_floating(promoted))
        *work = SINTER_F32;
    bool small = a == ORACLE_NUMBERS_I8 || a == ORACLE_SHIFTS;
    if (small && promoted == SINTER_BOOL)
        *work = SINTER_I8;
    return true;
}

sinter_dtype oracle_result_dtype(const oracle_row *row, sinter_dtype work)
{
    return row->accepts == ORACLE_TESTS ? SINTER_BOOL : work;
}

/* Kinds first: bool below integers below floats. Among integers the smallest that holds both. */
sinter_dtype oracle_promote(sinter_dtype a, sinter_dtype b)
{
    static const sinter_dtype order[] = {
        SINTER_BOOL, SINTER_I8,  SINTER_U8,  SINTER_I16,  SINTER_U16, SINTER_I32, SINTER_U32,
        SINTER_I64,  SINTER_U64, SINTER_F16, SINTER_BF16, SINTER_F32, SINTER_F64};
    /* holds[i]: which dtypes are values of order[i], a bit each, in the same order. */
    static const uint16_t holds[] = {0x0001, 0x0003, 0x0005, 0x000f, 0x0015, 0x003f, 0x0055,
                                     0x00ff, 0x0155, 0x0207, 0x0407, 0x0fff, 0x1fff};
    uint16_t both = 0;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i] == a || order[i] == b)
            both |= (uint16_t)(1u << i);
    }
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if ((holds[i] & both) == both)
            return order[i];
    }
    return SINTER_F64;
}

/* Values */

number oracle_value(const oracle_row *row, sinter_dtype work, const number x[3])
{
    number want = {0, 0};
    if (!is_floating(work)) {
        want.i = row->i(work, x[0].i, x[1].i, x[2].i);
        return want;
    }
    quad first = row->accepts == ORACLE_SELECTED ? (quad)x[0].i : x[0].f;
    want.f = row->f(work, first, x[1].f, x[2].f);
    want.i = want.f != 0;
    return want;
}

static bool same_bits(sinter_dtype dtype, const void *got, size_t i, number want)
{
    uint64_t bits = 0;
    want.f = rounded(register_of(dtype), want.f);
    store(dtype, want, &bits, 0);
    return load_bits(dtype, got, i) == bits;
}

/* How many units of the last place of `want`, of any dtype, the units are in which the row's error
 * counts. */
static double unit_of(const oracle_row *row, double want)
{
    return row->op == SINTER__OP_LGAMMA && fabs(want) < 1 ? ulp_at(1) / ulp_at(want) : 1;
}

double oracle_ulps(const oracle_row *row, sinter_dtype dtype, quad got, quad want)
{
    double ulps = dtype == SINTER_F64 ? ulps_between_f64((double)got, want)
                                      : ulps_between((float)got, (double)want);
    return ulps / unit_of(row, (double)want);
}

bool oracle_agrees(const oracle_row *row, sinter_dtype dtype, const void *got, size_t i,
                   number want)
{
    if (!is_floating(dtype) || row->error <= 0.5)
        return same_bits(dtype, got, i, want);
    quad g = load(dtype, got, i).f;
    if (dtype == SINTER_F32 || dtype == SINTER_F64)
        return oracle_ulps(row, dtype, g, want.f) <= oracle_error(row, dtype);
    if (quad_is_nan(want.f) || want.f == 0)
        return same_bits(dtype, got, i, want);
    quad off = (quad)(row->error * unit_of(row, (double)want.f) * ulp_at((double)want.f));
    number least = {want.f - off, 0};
    number most = {want.f + off, 0};
    return g >= rounded(dtype, least.f) && g <= rounded(dtype, most.f);
}
