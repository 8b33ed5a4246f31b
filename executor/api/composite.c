/* The public functions of include/sinter/composite.h. */
#include "sinter/composite.h"

#include "core/composite.h"
#include "executor/queue/formula.h"

#include <string.h>

static sinter__operand of_count(uint64_t value)
{
    return sinter__of_scalar(sinter_scalar_uint(value));
}

#define MOST_OPERANDS 4 /* of any of them */

/* A call of one of the functions below. */
typedef struct composite {
    sinter__op op;
    const sinter__operand *operands;
    const sinter__attrs *attrs;
} composite;

static sinter_status queue_composite(const void *self, const sinter__builder *b, sinter_tensor *out)
{
    const composite *c = self;
    return sinter__compose(b, c->op, c->operands, c->attrs, out);
}

/* False: no key tells the call from others. `operands`: room for those of the formula. */
static bool make_key(const composite *c, int count, sinter__formula *f, sinter_tensor *operands)
{
    const sinter__attrs *attrs = c->attrs;
    int numbers = 0;
    bool fits = attrs->axis_count <= SINTER_MAX_RANK;
    f->key.which = (uint8_t)c->op;
    f->key.keepdims = attrs->keepdims;
    f->key.axis_count = (int8_t)(fits ? attrs->axis_count : 0);
    for (int i = 0; i < attrs->axis_count && fits; i++) {
        fits = attrs->axes[i] >= INT8_MIN && attrs->axes[i] <= INT8_MAX;
        f->key.axes[i] = (int8_t)attrs->axes[i];
    }
    for (int i = 0; i < count; i++) {
        const sinter__operand *x = &c->operands[i];
        if (x->is_scalar)
            memcpy(&f->key.numbers[numbers++], &x->scalar.value, sizeof f->key.numbers[0]);
        else
            operands[f->operand_count++] = x->tensor;
        if (!x->is_scalar && x->tensor.id != 0)
            f->key.given |= (uint8_t)(1u << i);
    }
    return fits;
}

static sinter_status compose(sinter_stream *s, sinter__op op, int count,
                             const sinter__operand *operands, const sinter__attrs *attrs,
                             sinter_tensor *out)
{
    const composite c = {.op = op, .operands = operands, .attrs = attrs};
    sinter_tensor tensors[MOST_OPERANDS];
    sinter__formula f = {
        .self = &c, .queue = queue_composite, .operands = tensors, .result_count = 1};
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (s == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "%s: the %s is NULL", sinter__op_info_of(op)->name,
                            s == NULL ? "stream" : "place of the result");
    bool has_key = make_key(&c, count, &f, tensors);
    SINTER_TRY(sinter__call_begin(s, sinter__op_info_of(op)->name));
    const sinter__builder b = sinter__builder_within(s);
    sinter_status status =
        has_key ? sinter__formula_apply(s, &f, out) : queue_composite(&c, &b, out);
    sinter__call_end(s);
    return status;
}

/* Reductions */

sinter_status sinter_var(sinter_stream *stream, sinter_tensor x, double correction, int axis_count,
                         const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(correction)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_VAR, (int)SINTER__COUNT(operands), operands, &attrs, out);
}

sinter_status sinter_std(sinter_stream *stream, sinter_tensor x, double correction, int axis_count,
                         const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(correction)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_STD, (int)SINTER__COUNT(operands), operands, &attrs, out);
}

sinter_status sinter_norm(sinter_stream *stream, sinter_tensor x, double order, int axis_count,
                          const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(order)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_NORM, (int)SINTER__COUNT(operands), operands, &attrs, out);
}

sinter_status sinter_logsumexp(sinter_stream *stream, sinter_tensor x, int axis_count,
                               const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_LOGSUMEXP, (int)SINTER__COUNT(operands), operands, &attrs,
                   out);
}

/* Along axes */

sinter_status sinter_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                             const int *axes, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_SOFTMAX, (int)SINTER__COUNT(operands), operands, &attrs, out);
}

sinter_status sinter_log_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                                 const int *axes, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_LOG_SOFTMAX, (int)SINTER__COUNT(operands), operands, &attrs,
                   out);
}

sinter_status sinter_layer_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                                const int *axes, sinter_tensor weight, sinter_tensor bias,
                                double eps, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_tensor(weight),
                                        sinter__of_tensor(bias), sinter__of_number(eps)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_LAYER_NORM, (int)SINTER__COUNT(operands), operands, &attrs,
                   out);
}

sinter_status sinter_rms_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                              const int *axes, sinter_tensor weight, double eps, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_tensor(weight),
                                        sinter__of_number(eps)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_RMS_NORM, (int)SINTER__COUNT(operands), operands, &attrs,
                   out);
}

/* Elementwise */

sinter_status sinter_dropout(sinter_stream *stream, sinter_tensor x, double p, uint64_t seed,
                             uint64_t offset, sinter_tensor *out)
{
    const sinter__operand operands[] = {sinter__of_tensor(x), sinter__of_number(p), of_count(seed),
                                        of_count(offset)};
    const sinter__attrs attrs = {.axis_count = -1};
    return compose(stream, SINTER__OP_DROPOUT, (int)SINTER__COUNT(operands), operands, &attrs, out);
}
