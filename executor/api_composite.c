/* The public functions of include/sinter/composite.h. */
#include "sinter/composite.h"

#include "core/composite.h"
#include "executor/apply.h"

static sinter__operand of_tensor(sinter_tensor t)
{
    return (sinter__operand){.tensor = t};
}

static sinter__operand of_number(double value)
{
    return (sinter__operand){.is_scalar = true, .scalar = sinter_scalar_float(value)};
}

static sinter__operand of_count(uint64_t value)
{
    return (sinter__operand){.is_scalar = true, .scalar = sinter_scalar_uint(value)};
}

static sinter_status compose(sinter_stream *s, sinter__op op, const sinter__operand *operands,
                             const sinter__attrs *attrs, sinter_tensor *out)
{
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (s == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "%s: the %s is NULL", sinter__op_info_of(op)->name,
                            s == NULL ? "stream" : "place of the result");
    const sinter__builder builder = sinter__builder_within(s);
    SINTER_TRY(sinter__call_begin(s, sinter__op_info_of(op)->name));
    sinter_status status = sinter__compose(&builder, op, operands, attrs, out);
    sinter__call_end(s);
    return status;
}

/* Reductions */

sinter_status sinter_var(sinter_stream *stream, sinter_tensor x, double correction, int axis_count,
                         const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_number(correction)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_VAR, operands, &attrs, out);
}

sinter_status sinter_std(sinter_stream *stream, sinter_tensor x, double correction, int axis_count,
                         const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_number(correction)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_STD, operands, &attrs, out);
}

sinter_status sinter_norm(sinter_stream *stream, sinter_tensor x, double order, int axis_count,
                          const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_number(order)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_NORM, operands, &attrs, out);
}

sinter_status sinter_logsumexp(sinter_stream *stream, sinter_tensor x, int axis_count,
                               const int *axes, bool keepdims, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, keepdims);
    return compose(stream, SINTER__OP_LOGSUMEXP, operands, &attrs, out);
}

/* Along axes */

sinter_status sinter_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                             const int *axes, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_SOFTMAX, operands, &attrs, out);
}

sinter_status sinter_log_softmax(sinter_stream *stream, sinter_tensor x, int axis_count,
                                 const int *axes, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_LOG_SOFTMAX, operands, &attrs, out);
}

sinter_status sinter_layer_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                                const int *axes, sinter_tensor weight, sinter_tensor bias,
                                double eps, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_tensor(weight), of_tensor(bias),
                                        of_number(eps)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_LAYER_NORM, operands, &attrs, out);
}

sinter_status sinter_rms_norm(sinter_stream *stream, sinter_tensor x, int axis_count,
                              const int *axes, sinter_tensor weight, double eps, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_tensor(weight), of_number(eps)};
    const sinter__attrs attrs = sinter__attrs_of_axes(axis_count, axes, true);
    return compose(stream, SINTER__OP_RMS_NORM, operands, &attrs, out);
}

/* Elementwise */

sinter_status sinter_dropout(sinter_stream *stream, sinter_tensor x, double p, uint64_t seed,
                             uint64_t offset, sinter_tensor *out)
{
    const sinter__operand operands[] = {of_tensor(x), of_number(p), of_count(seed),
                                        of_count(offset)};
    const sinter__attrs attrs = {.axis_count = -1};
    return compose(stream, SINTER__OP_DROPOUT, operands, &attrs, out);
}
