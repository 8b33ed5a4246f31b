/* Formulas of the operations that are made of others. What they queue is planned and fused like
 * anything else: no layer below knows that a softmax was called.
 *
 * The one hard idea: a formula is nested calls that cannot fail. The first failure is kept, the
 * calls after it do nothing, and whatever was made is given back at the end. f16 and bf16 are
 * computed in f32 and rounded once, at the end. No call has two calls among its arguments: C leaves
 * open which would be queued first. */
#include "core/composite.h"

#include <math.h>
#include <string.h>

#define MAX_MADE 16

typedef sinter__builder_operand operand;

typedef struct formula {
    const sinter__builder *b;
    const operand *given;
    sinter__attrs attrs; /* the axes, and keepdims as the caller asked */
    sinter_tensor_desc x;
    uint32_t axes; /* a bit per axis */
    sinter_dtype work;
    const double *numbers; /* of an optimiser's step, the next to take */
    sinter_tensor made[MAX_MADE];
    int made_count;
    sinter_status status; /* the first failure */
} formula;

/* It is large: only what counts is set. */
static void begin(formula *f, const sinter__builder *b)
{
    f->b = b;
    f->made_count = 0;
    f->status = SINTER_OK;
}

/* What formulas are written in */

static operand queue(formula *f, sinter__op op, int count, const operand *operands,
                     const sinter__attrs *attrs)
{
    operand out = {.is_scalar = false};
    if (f->status == SINTER_OK && f->made_count == MAX_MADE)
        f->status = sinter__fail(SINTER_EINTERNAL, "more than %d steps", MAX_MADE);
    if (f->status == SINTER_OK)
        f->status = f->b->apply(f->b->self, op, count, operands, attrs, &out.tensor);
    if (f->status == SINTER_OK)
        f->made[f->made_count++] = out.tensor;
    return out;
}

static operand number(double value)
{
    return (operand){.is_scalar = true, .scalar = sinter_scalar_float(value)};
}

static operand one(formula *f, sinter__op op, operand a)
{
    return queue(f, op, 1, &a, NULL);
}

static operand two(formula *f, sinter__op op, operand a, operand b)
{
    const operand operands[] = {a, b};
    return queue(f, op, 2, operands, NULL);
}

static operand where(formula *f, operand condition, operand a, operand b)
{
    const operand operands[] = {condition, a, b};
    return queue(f, SINTER__OP_WHERE, 3, operands, NULL);
}

/* A reduction, with the dimensions that the caller asked for. */
static operand reduced(formula *f, sinter__op op, operand a)
{
    return queue(f, op, 1, &a, &f->attrs);
}

/* A reduction that broadcasts with what was reduced. */
static operand over(formula *f, sinter__op op, operand a)
{
    sinter__attrs attrs = f->attrs;
    attrs.keepdims = true;
    return queue(f, op, 1, &a, &attrs);
}

static operand cast(formula *f, operand a, sinter_dtype dtype)
{
    sinter_tensor_desc desc = {.dtype = dtype};
    const sinter__attrs attrs = {.dtype = dtype};
    if (f->status == SINTER_OK)
        f->status = f->b->describe(f->b->self, a.tensor, &desc);
    return desc.dtype != dtype ? queue(f, SINTER__OP_CAST, 1, &a, &attrs) : a;
}

static double value_of(operand scalar)
{
    uint64_t bits = 0;
    double value;
    (void)sinter__scalar_bits(scalar.scalar, SINTER_F64, &bits); /* a double holds any */
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What exponents are taken relative to: the largest element, so that none overflows. Of no elements
 * there is none, and nothing to be kept from overflowing: a number. */
static operand peak(formula *f, operand x)
{
    return sinter__is_empty(f->x.rank, f->x.shape) ? number(0) : over(f, SINTER__OP_MAX, x);
}

/* Formulas: x has the dtype worked in */

/* The elements that one of a reduction is made of. */
static int64_t elements_reduced(const formula *f)
{
    int64_t count = 1;
    for (int i = 0; i < f->x.rank; i++)
        count *= (f->axes >> i & 1) != 0 ? f->x.shape[i] : 1;
    return count;
}

static operand formula_var(formula *f, operand x)
{
    int64_t count = elements_reduced(f);
    if (count == 0)
        return reduced(f, SINTER__OP_MEAN, x);
    double freedom = (double)count - value_of(f->given[1]);
    freedom = freedom < 0 ? 0 : freedom; /* NaN stays */
    return two(f, SINTER__OP_DIV, reduced(f, SINTER__OP_DEVSQ, x), number(freedom));
}

static operand formula_std(formula *f, operand x)
{
    return one(f, SINTER__OP_SQRT, formula_var(f, x));
}

/* The order is 1, 2 or infinity. */
static operand formula_norm(formula *f, operand x)
{
    double order = value_of(f->given[1]);
    if (order == 1)
        return reduced(f, SINTER__OP_SUM, one(f, SINTER__OP_ABS, x));
    if (order == 2)
        return one(f, SINTER__OP_SQRT, reduced(f, SINTER__OP_SUM, one(f, SINTER__OP_SQUARE, x)));
    if (f->status == SINTER_OK && !(isinf(order) && order > 0))
        f->status = sinter__fail(SINTER_EINVAL, "order %g is not 1, 2 or infinity", order);
    return reduced(f, SINTER__OP_MAX, one(f, SINTER__OP_ABS, x));
}

/* Where all is -inf, or anything is +inf or NaN, nothing is subtracted. */
static operand formula_logsumexp(formula *f, operand x)
{
    operand most = peak(f, x);
    if (!most.is_scalar)
        most = where(f, one(f, SINTER__OP_ISFINITE, most), most, number(0));
    operand sum =
        reduced(f, SINTER__OP_SUM, one(f, SINTER__OP_EXP, two(f, SINTER__OP_SUB, x, most)));
    if (!most.is_scalar && !f->attrs.keepdims)
        most = queue(f, SINTER__OP_SQUEEZE, 1, &most, &f->attrs);
    return two(f, SINTER__OP_ADD, one(f, SINTER__OP_LOG, sum), most);
}

static operand formula_softmax(formula *f, operand x)
{
    operand e = one(f, SINTER__OP_EXP, two(f, SINTER__OP_SUB, x, peak(f, x)));
    return two(f, SINTER__OP_DIV, e, over(f, SINTER__OP_SUM, e));
}

static operand formula_log_softmax(formula *f, operand x)
{
    operand d = two(f, SINTER__OP_SUB, x, peak(f, x));
    operand sum = over(f, SINTER__OP_SUM, one(f, SINTER__OP_EXP, d));
    return two(f, SINTER__OP_SUB, d, one(f, SINTER__OP_LOG, sum));
}

/* x / sqrt(mean(x * x) + eps) */
static operand to_unit_scale(formula *f, operand x, operand eps)
{
    operand mean = over(f, SINTER__OP_MEAN, one(f, SINTER__OP_SQUARE, x));
    return two(f, SINTER__OP_MUL, x, one(f, SINTER__OP_RSQRT, two(f, SINTER__OP_ADD, mean, eps)));
}

static bool is_given(operand tensor)
{
    return tensor.tensor.id != 0;
}

static operand formula_rms_norm(formula *f, operand x)
{
    operand y = to_unit_scale(f, x, f->given[2]);
    return is_given(f->given[1]) ? two(f, SINTER__OP_MUL, y, f->given[1]) : y;
}

static operand formula_layer_norm(formula *f, operand x)
{
    operand mean = over(f, SINTER__OP_MEAN, x);
    operand y = to_unit_scale(f, two(f, SINTER__OP_SUB, x, mean), f->given[3]);
    if (is_given(f->given[1]))
        y = two(f, SINTER__OP_MUL, y, f->given[1]);
    return is_given(f->given[2]) ? two(f, SINTER__OP_ADD, y, f->given[2]) : y;
}

/* Element i is kept where random_uniform(seed, offset) has at least p there. */
static operand formula_dropout(formula *f, operand x)
{
    double p = value_of(f->given[1]);
    const sinter__attrs attrs = {.dtype = SINTER_F32, .rank = f->x.rank, .shape = f->x.shape};
    if (f->status == SINTER_OK && !(p >= 0 && p <= 1))
        f->status = sinter__fail(SINTER_ERANGE, "probability %g is not within 0 and 1", p);
    operand random = queue(f, SINTER__OP_RANDOM_UNIFORM, 2, &f->given[2], &attrs);
    operand scaled = two(f, SINTER__OP_MUL, x, number(p < 1 ? 1 / (1 - p) : 0));
    return where(f, two(f, SINTER__OP_GE, random, number(p)), scaled, number(0));
}

/* A row of kind COMPOSITE without a formula does not compile. */
static operand build(formula *f, sinter__op op, operand x)
{
    switch (op) {
#define CASE_MAP(id, name)
#define CASE_COMPARE(id, name)
#define CASE_CAST(id, name)
#define CASE_FILL(id, name)
#define CASE_GENERATE(id, name)
#define CASE_RANDOM(id, name)
#define CASE_VIEW(id, name)
#define CASE_REDUCE(id, name)
#define CASE_SCAN(id, name)
#define CASE_STATE(id, name)
#define CASE_CONTRACT(id, name)
#define CASE_UPDATE(id, name)
#define CASE_COMPOSITE(id, name)                                                                   \
    case SINTER__OP_##id:                                                                          \
        return formula_##name(f, x);
#define SINTER_OP(id, code, name, kind, ...) CASE_##kind(id, name)
#include "core/ops.def"
#undef SINTER_OP
    default:
        return x;
    }
}

/* Checks */

/* Weights broadcast to x and do not enlarge it. */
static sinter_status check_weights(const formula *f, int arity)
{
    for (int i = 1; i < arity; i++) {
        sinter_tensor_desc w;
        int64_t shape[SINTER_MAX_RANK];
        int rank;
        int axis;
        if (!is_given(f->given[i]))
            continue;
        SINTER_TRY(f->b->describe(f->b->self, f->given[i].tensor, &w));
        if (!sinter__broadcast(f->x.rank, f->x.shape, w.rank, w.shape, &rank, shape, &axis) ||
            !sinter__shape_equal(rank, shape, f->x.rank, f->x.shape)) {
            char from[SINTER__SHAPE_TEXT];
            char to[SINTER__SHAPE_TEXT];
            return sinter__fail(SINTER_ESHAPE, "operand %d of shape %s does not broadcast to %s",
                                i + 1, sinter__shape_text(w.rank, w.shape, from),
                                sinter__shape_text(f->x.rank, f->x.shape, to));
        }
    }
    return SINTER_OK;
}

/* Gives back all that was made but the results. */
static void settle(const formula *f, const operand *results, int count, sinter_tensor *out)
{
    for (int i = 0; i < f->made_count; i++) {
        bool stays = false;
        for (int k = 0; k < count && f->status == SINTER_OK; k++) {
            if (f->made[i].id == results[k].tensor.id) {
                out[k] = f->made[i];
                stays = true;
            }
        }
        if (!stays)
            f->b->release(f->b->self, f->made[i]);
    }
}

SINTER__COLD sinter_status sinter__compose(const sinter__builder *b, sinter__op op,
                                           const sinter__builder_operand *operands,
                                           const sinter__attrs *attrs, sinter_tensor *out)
{
    const sinter__op_info *info = sinter__op_info_of(op);
    formula f;
    sinter__inferred r;
    begin(&f, b);
    f.given = operands;
    f.attrs = *attrs;
    out->id = 0;
    sinter_status status = b->describe(b->self, operands[0].tensor, &f.x);
    if (status != SINTER_OK)
        return sinter__fail_in(status, info->name);
    const sinter__operand_desc x = {.dtype = f.x.dtype, .rank = f.x.rank, .shape = f.x.shape};
    SINTER_TRY(sinter__infer(op, 1, &x, attrs, &r));
    f.work = sinter__is_half(r.work[0]) ? SINTER_F32 : r.work[0];
    f.axes = r.axes;
    f.status = check_weights(&f, info->arity);
    operand result = cast(&f, build(&f, op, cast(&f, operands[0], f.work)), r.dtype);
    settle(&f, &result, 1, out);
    return f.status == SINTER_OK ? SINTER_OK : sinter__fail_in(f.status, info->name);
}

/* Optimisers: formulas of several results, whose operations take the numbers of a step one after the other */

int sinter__sgd_numbers(const sinter__sgd_step *step, double *out)
{
    double *next = out;
    if (step->weight_decay != 0)
        *next++ = step->weight_decay;
    if (step->momentum != 0)
        *next++ = step->momentum;
    *next++ = step->rate;
    return (int)(next - out);
}

int sinter__adam_numbers(const sinter__adam_step *step, double *out)
{
    double bias1 = 1 - pow(step->beta1, (double)step->step);
    double bias2 = 1 - pow(step->beta2, (double)step->step);
    double *next = out;
    if (step->weight_decay != 0 && !step->is_decoupled)
        *next++ = step->weight_decay;
    *next++ = step->beta1;
    *next++ = 1 - step->beta1;
    *next++ = step->beta2;
    *next++ = 1 - step->beta2;
    *next++ = 1 / bias2;
    *next++ = step->epsilon;
    *next++ = step->rate / bias1;
    if (step->weight_decay != 0 && step->is_decoupled)
        *next++ = 1 - step->rate * step->weight_decay;
    return (int)(next - out);
}

static operand given(sinter_tensor t)
{
    return (operand){.tensor = t};
}

/* `a` with the next number. */
static operand with_number(formula *f, sinter__op op, operand a)
{
    return two(f, op, a, number(*f->numbers++));
}

/* The next number times x, plus the one behind it times y. */
static operand mixed(formula *f, operand x, operand y)
{
    operand left = with_number(f, SINTER__OP_MUL, x);
    return two(f, SINTER__OP_ADD, left, with_number(f, SINTER__OP_MUL, y));
}

/* The gradient of the parameter with a decay of weights in it. */
static operand decayed(formula *f, operand gradient, operand parameter)
{
    return two(f, SINTER__OP_ADD, gradient, with_number(f, SINTER__OP_MUL, parameter));
}

SINTER__COLD sinter_status sinter__compose_sgd(const sinter__builder *b,
                                               const sinter__sgd_step *step, const double *numbers,
                                               sinter_tensor parameter, sinter_tensor gradient,
                                               sinter_tensor velocity, sinter_tensor out[2])
{
    formula f;
    begin(&f, b);
    f.numbers = numbers;
    operand p = given(parameter);
    operand g = given(gradient);
    operand results[2];
    int count = step->momentum != 0 ? 2 : 1;
    if (step->weight_decay != 0)
        g = decayed(&f, g, p);
    if (step->momentum != 0) {
        operand kept = with_number(&f, SINTER__OP_MUL, given(velocity));
        results[1] = g = two(&f, SINTER__OP_ADD, kept, g);
    }
    results[0] = two(&f, SINTER__OP_SUB, p, with_number(&f, SINTER__OP_MUL, g));
    settle(&f, results, count, out);
    return f.status;
}

SINTER__COLD sinter_status sinter__compose_adam(const sinter__builder *b,
                                                const sinter__adam_step *step,
                                                const double *numbers, sinter_tensor parameter,
                                                sinter_tensor gradient, sinter_tensor mean,
                                                sinter_tensor square, sinter_tensor out[3])
{
    formula f;
    begin(&f, b);
    f.numbers = numbers;
    bool decays = step->weight_decay != 0;
    operand p = given(parameter);
    operand g = given(gradient);
    if (decays && !step->is_decoupled)
        g = decayed(&f, g, p);
    operand m = mixed(&f, given(mean), g);
    operand g2 = one(&f, SINTER__OP_SQUARE, g);
    operand v = mixed(&f, given(square), g2);
    operand root = one(&f, SINTER__OP_SQRT, with_number(&f, SINTER__OP_MUL, v));
    root = with_number(&f, SINTER__OP_ADD, root);
    operand change = with_number(&f, SINTER__OP_MUL, m);
    change = two(&f, SINTER__OP_DIV, change, root);
    if (decays && step->is_decoupled)
        p = with_number(&f, SINTER__OP_MUL, p);
    const operand results[] = {two(&f, SINTER__OP_SUB, p, change), m, v};
    settle(&f, results, 3, out);
    return f.status;
}
