/* Python's arithmetic on bools, integers and floats.
 *
 * The one hard idea: integers have 65 bits, from -2^63 to 2^64 - 1, so that every i64 and every u64
 * is a literal. They are computed in 128 bits, where sums, shifts and products of magnitudes cannot
 * overflow, and checked once at the end. */
#include "core/number.h"

#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;

sinter__number sinter__number_bool(bool value)
{
    return (sinter__number){SINTER__NUMBER_BOOL, sinter_scalar_uint(value ? 1 : 0)};
}

sinter__number sinter__number_uint(uint64_t value)
{
    return (sinter__number){SINTER__NUMBER_INT, sinter_scalar_uint(value)};
}

sinter__number sinter__number_int(int64_t value)
{
    if (value >= 0)
        return sinter__number_uint((uint64_t)value);
    return (sinter__number){SINTER__NUMBER_INT, sinter_scalar_int(value)};
}

sinter__number sinter__number_float(double value)
{
    return (sinter__number){SINTER__NUMBER_FLOAT, sinter_scalar_float(value)};
}

static wide to_wide(const sinter__number *a)
{
    return a->scalar.kind == SINTER_SCALAR_INT ? (wide)a->scalar.value.i : (wide)a->scalar.value.u;
}

static wide_unsigned magnitude(wide a)
{
    return a < 0 ? (wide_unsigned)0 - (wide_unsigned)a : (wide_unsigned)a;
}

static sinter_status too_wide(const char *name)
{
    return sinter__fail(SINTER_ERANGE, "%s: the integer does not fit 64 bits", name);
}

static sinter_status from_wide(const char *name, wide value, sinter__number *out)
{
    if (value < INT64_MIN || value > (wide)UINT64_MAX)
        return too_wide(name);
    *out = value < 0 ? sinter__number_int((int64_t)value) : sinter__number_uint((uint64_t)value);
    return SINTER_OK;
}

static sinter_status from_parts(const char *name, bool negative, wide_unsigned size,
                                sinter__number *out)
{
    if (size > UINT64_MAX)
        return too_wide(name);
    return from_wide(name, negative ? -(wide)size : (wide)size, out);
}

bool sinter__number_truth(const sinter__number *a)
{
    return a->kind == SINTER__NUMBER_FLOAT ? a->scalar.value.f != 0 : a->scalar.value.u != 0;
}

double sinter__number_double(const sinter__number *a)
{
    switch (a->scalar.kind) {
    case SINTER_SCALAR_FLOAT:
        return a->scalar.value.f;
    case SINTER_SCALAR_INT:
        return (double)a->scalar.value.i;
    default:
        return (double)a->scalar.value.u;
    }
}

bool sinter__number_to_i64(const sinter__number *a, int64_t *out)
{
    if (a->kind != SINTER__NUMBER_INT || to_wide(a) > INT64_MAX)
        return false;
    *out = (int64_t)to_wide(a);
    return true;
}

sinter_dtype sinter__number_dtype(const sinter__number *a)
{
    if (a->kind == SINTER__NUMBER_BOOL)
        return SINTER_BOOL;
    if (a->kind == SINTER__NUMBER_FLOAT)
        return SINTER_F32;
    return to_wide(a) > INT64_MAX ? SINTER_U64 : SINTER_I64;
}

/* Comparing */

static int order_double(double a, double b)
{
    if (isnan(a) || isnan(b))
        return 2;
    return (a > b) - (a < b);
}

/* An integer against a float, with no rounding. */
static int order_mixed(wide a, double b)
{
    if (isnan(b))
        return 2;
    if (fabs(b) >= 0x1p65)
        return b > 0 ? -1 : 1;
    double whole = trunc(b);
    wide w = (wide)whole;
    if (a != w)
        return a < w ? -1 : 1;
    return order_double(whole, b);
}

int sinter__number_compare(const sinter__number *a, const sinter__number *b)
{
    bool af = a->kind == SINTER__NUMBER_FLOAT;
    bool bf = b->kind == SINTER__NUMBER_FLOAT;
    if (af && bf)
        return order_double(a->scalar.value.f, b->scalar.value.f);
    if (bf)
        return order_mixed(to_wide(a), b->scalar.value.f);
    if (af) {
        int order = order_mixed(to_wide(b), a->scalar.value.f);
        return order == 2 ? 2 : -order;
    }
    return (to_wide(a) > to_wide(b)) - (to_wide(a) < to_wide(b));
}

/* False for an operation that compares nothing. */
static bool compare(sinter__op op, const sinter__number *a, const sinter__number *b,
                    sinter__number *out)
{
    int order = sinter__number_compare(a, b);
    bool value;
    switch (op) {
    case SINTER__OP_EQ:
        value = order == 0;
        break;
    case SINTER__OP_NE:
        value = order != 0;
        break;
    case SINTER__OP_LT:
        value = order == -1;
        break;
    case SINTER__OP_LE:
        value = order == -1 || order == 0;
        break;
    case SINTER__OP_GT:
        value = order == 1;
        break;
    case SINTER__OP_GE:
        value = order == 1 || order == 0;
        break;
    default:
        return false;
    }
    *out = sinter__number_bool(value);
    return true;
}

/* Integers */

static sinter_status by_zero(const char *name)
{
    return sinter__fail(SINTER_ERANGE, "%s: division by zero", name);
}

/* The double nearest to a / b: a is scaled up so that the quotient has more bits than a double, and
 * what the division leaves is kept as one sticky bit below them. */
static double divide_exactly(wide a, wide b)
{
    wide_unsigned x = magnitude(a);
    wide_unsigned y = magnitude(b);
    int up = 0;
    if (x == 0)
        return b < 0 ? -0.0 : 0.0;
    while (x >> 126 == 0) {
        x <<= 1;
        up++;
    }
    wide_unsigned q = x / y;
    q |= x % y != 0 ? 1 : 0;
    double result = ldexp((double)q, -up);
    return (a < 0) != (b < 0) ? -result : result;
}

static wide floor_divide(wide a, wide b)
{
    wide q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static sinter_status power_float(const char *name, double a, double b, sinter__number *out);

static sinter_status power_int(const char *name, wide a, wide b, sinter__number *out)
{
    if (b < 0)
        return power_float(name, (double)a, (double)b, out);
    wide_unsigned size = magnitude(a);
    bool negative = a < 0 && (b & 1) != 0;
    if (size <= 1)
        return from_parts(name, negative, b == 0 ? 1 : size, out);
    wide_unsigned product = 1;
    for (wide i = 0; i < b && product >> 64 == 0; i++)
        product *= size;
    return from_parts(name, negative, product, out);
}

static sinter_status shift_int(const char *name, bool left, wide a, wide by, sinter__number *out)
{
    if (by < 0)
        return sinter__fail(SINTER_ERANGE, "%s: negative shift count", name);
    if (!left)
        return from_wide(name, a >> (by > 64 ? 64 : (int)by), out);
    if (by > 63 && a != 0)
        return too_wide(name);
    return from_parts(name, a < 0, magnitude(a) << (by > 63 ? 0 : (int)by), out);
}

static sinter_status binary_int(sinter__op op, const char *name, wide a, wide b,
                                sinter__number *out)
{
    switch (op) {
    case SINTER__OP_ADD:
        return from_wide(name, a + b, out);
    case SINTER__OP_SUB:
        return from_wide(name, a - b, out);
    case SINTER__OP_MUL:
        return from_parts(name, (a < 0) != (b < 0), magnitude(a) * magnitude(b), out);
    case SINTER__OP_DIV:
        if (b == 0)
            return by_zero(name);
        *out = sinter__number_float(divide_exactly(a, b));
        return SINTER_OK;
    case SINTER__OP_FLOORDIV:
        return b == 0 ? by_zero(name) : from_wide(name, floor_divide(a, b), out);
    case SINTER__OP_MOD:
        return b == 0 ? by_zero(name) : from_wide(name, a - floor_divide(a, b) * b, out);
    case SINTER__OP_POW:
        return power_int(name, a, b, out);
    case SINTER__OP_BIT_AND:
        return from_wide(name, a & b, out);
    case SINTER__OP_BIT_OR:
        return from_wide(name, a | b, out);
    case SINTER__OP_BIT_XOR:
        return from_wide(name, a ^ b, out);
    case SINTER__OP_SHL:
    case SINTER__OP_SHR:
        return shift_int(name, op == SINTER__OP_SHL, a, b, out);
    default:
        return sinter__fail(SINTER_EDTYPE, "%s: not an operation of two numbers", name);
    }
}

/* Floats */

static sinter_status power_float(const char *name, double a, double b, sinter__number *out)
{
    if (a == 0 && b < 0)
        return sinter__fail(SINTER_ERANGE, "%s: 0 to a negative power", name);
    if (a < 0 && isfinite(a) && isfinite(b) && b != trunc(b))
        return sinter__fail(SINTER_ERANGE, "%s: a fractional power of a negative number", name);
    double value = pow(a, b);
    if (isinf(value) && isfinite(a) && isfinite(b))
        return sinter__fail(SINTER_ERANGE, "%s: the float overflows", name);
    *out = sinter__number_float(value);
    return SINTER_OK;
}

/* Quotient and remainder as Python's divmod: the remainder has the divisor's sign, and a zero is
 * signed. */
static void divmod_float(double a, double b, double *quotient, double *remainder)
{
    double mod = fmod(a, b);
    double div = (a - mod) / b;
    if (mod == 0) {
        mod = copysign(0.0, b);
    } else if ((b < 0) != (mod < 0)) {
        mod += b;
        div -= 1.0;
    }
    double down = floor(div);
    if (div - down > 0.5)
        down += 1.0;
    *quotient = div == 0 ? copysign(0.0, a / b) : down;
    *remainder = mod;
}

static sinter_status binary_float(sinter__op op, const char *name, double a, double b,
                                  sinter__number *out)
{
    double value = 0;
    double other;
    if (b == 0 && (op == SINTER__OP_DIV || op == SINTER__OP_FLOORDIV || op == SINTER__OP_MOD))
        return by_zero(name);
    switch (op) {
    case SINTER__OP_ADD:
        value = a + b;
        break;
    case SINTER__OP_SUB:
        value = a - b;
        break;
    case SINTER__OP_MUL:
        value = a * b;
        break;
    case SINTER__OP_DIV:
        value = a / b;
        break;
    case SINTER__OP_FLOORDIV:
        divmod_float(a, b, &value, &other);
        break;
    case SINTER__OP_MOD:
        divmod_float(a, b, &other, &value);
        break;
    case SINTER__OP_POW:
        return power_float(name, a, b, out);
    default:
        return sinter__fail(SINTER_EDTYPE, "%s: not an operation of floats", name);
    }
    *out = sinter__number_float(value);
    return SINTER_OK;
}

/* Both */

sinter_status sinter__number_unary(sinter__op op, const sinter__number *a, sinter__number *out)
{
    const char *name = op == SINTER__OP_NONE ? "plus" : sinter__op_info_of(op)->name;
    if (a->kind == SINTER__NUMBER_FLOAT) {
        if (op == SINTER__OP_BIT_NOT)
            return sinter__fail(SINTER_EDTYPE, "%s: not an operation of floats", name);
        *out = op == SINTER__OP_NEG ? sinter__number_float(-a->scalar.value.f) : *a;
        return SINTER_OK;
    }
    wide value = to_wide(a);
    if (op == SINTER__OP_NEG) {
        value = -value;
    } else if (op == SINTER__OP_BIT_NOT) {
        value = ~value;
    }
    return from_wide(name, value, out);
}

static bool is_bitwise(sinter__op op)
{
    return op == SINTER__OP_BIT_AND || op == SINTER__OP_BIT_OR || op == SINTER__OP_BIT_XOR;
}

sinter_status sinter__number_binary(sinter__op op, const sinter__number *a, const sinter__number *b,
                                    sinter__number *out)
{
    const char *name = sinter__op_info_of(op)->name;
    if (compare(op, a, b, out))
        return SINTER_OK;
    if (a->kind == SINTER__NUMBER_FLOAT || b->kind == SINTER__NUMBER_FLOAT)
        return binary_float(op, name, sinter__number_double(a), sinter__number_double(b), out);
    SINTER_TRY(binary_int(op, name, to_wide(a), to_wide(b), out));
    if (is_bitwise(op) && a->kind == SINTER__NUMBER_BOOL && b->kind == SINTER__NUMBER_BOOL)
        *out = sinter__number_bool(sinter__number_truth(out));
    return SINTER_OK;
}

sinter_status sinter__number_steps(const sinter__number *start, const sinter__number *stop,
                                   const sinter__number *step, int64_t *out)
{
    bool is_float = start->kind == SINTER__NUMBER_FLOAT || stop->kind == SINTER__NUMBER_FLOAT ||
                    step->kind == SINTER__NUMBER_FLOAT;
    if (!sinter__number_truth(step))
        return sinter__fail(SINTER_ERANGE, "arange: the step is 0");
    if (is_float) {
        double count = ceil((sinter__number_double(stop) - sinter__number_double(start)) /
                            sinter__number_double(step));
        if (!(count < 0x1p62)) /* NaN as well */
            return sinter__fail(SINTER_ERANGE, "arange: %g elements", count);
        *out = count > 0 ? (int64_t)count : 0;
        return SINTER_OK;
    }
    wide count = -floor_divide(to_wide(start) - to_wide(stop), to_wide(step));
    if (count > (wide)1 << 62)
        return sinter__fail(SINTER_ERANGE, "arange: 2^62 elements or more");
    *out = count > 0 ? (int64_t)count : 0;
    return SINTER_OK;
}

/* Truncated, and held inside what the dtype holds. */
static sinter_scalar saturate(double value, const sinter__dtype_info *info)
{
    if (isnan(value))
        return sinter_scalar_int(0);
    if (value <= (double)info->min)
        return sinter_scalar_int(info->min);
    if (value >= (double)info->max)
        return sinter_scalar_uint(info->max);
    return value < 0 ? sinter_scalar_int((int64_t)value) : sinter_scalar_uint((uint64_t)value);
}

sinter_scalar sinter__number_cast(const sinter__number *a, sinter_dtype dtype)
{
    const sinter__dtype_info *info = sinter__dtype(dtype);
    if (dtype == SINTER_BOOL)
        return sinter_scalar_uint(sinter__number_truth(a) ? 1 : 0);
    if (info->is_float)
        return a->scalar;
    if (a->kind == SINTER__NUMBER_FLOAT)
        return saturate(a->scalar.value.f, info);
    unsigned spare = 64 - 8u * info->bytes;
    uint64_t bits = (uint64_t)to_wide(a) << spare;
    if (!info->is_signed)
        return sinter_scalar_uint(bits >> spare);
    return sinter_scalar_int((int64_t)bits >> spare);
}
