#include "bench/side.h"

#include <stdio.h>
#include <string.h>

bool bench_side_ok(const char *label, sinter_status status)
{
    if (status != SINTER_OK)
        (void)fprintf(stderr, "sinter bench: %s: %s: %s\n", label, sinter_status_name(status),
                      sinter_last_error());
    return status == SINTER_OK;
}

bool bench_side_open(const bench_options *o, const char *device, const char *label,
                     const bench_workload *workload, const bench_size *size, void **data,
                     sinter_context **ctx)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = device;
    options.style = o->style;
    options.mode = o->mode;
    if (bench_data_make(workload, size->extents, data))
        return bench_side_ok(label, sinter_context_create(&options, ctx));
    (void)fprintf(stderr, "sinter bench: %s: out of host memory\n", label);
    return false;
}

sinter_status bench_side_stream(bench_side *side, sinter_context *ctx, uint32_t device,
                                char name[BENCH_DEVICE_NAME])
{
    sinter_stream_options options = SINTER_STREAM_OPTIONS_INIT;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    options.device = device;
    side->ctx = ctx;
    sinter_status status = sinter_context_device_at(ctx, device, &info);
    (void)snprintf(name, BENCH_DEVICE_NAME, "%s", info.selector);
    return status == SINTER_OK ? sinter_stream_create(ctx, &options, &side->stream) : status;
}

void bench_side_empty(bench_side *side)
{
    for (size_t i = 0; i < BENCH_MAX_INPUTS; i++) {
        (void)sinter_tensor_release(side->stream, side->inputs[i]);
        side->inputs[i] = (sinter_tensor){0};
    }
    for (size_t i = 0; i < BENCH_MAX_OUTPUTS; i++) {
        (void)sinter_tensor_release(side->stream, side->outputs[i]);
        side->outputs[i] = (sinter_tensor){0};
    }
}

sinter_status bench_side_fill(bench_side *side, const bench_workload *workload,
                              const int64_t *extents, void *const *data)
{
    side->workload = workload;
    side->extents = extents;
    memset(side->inputs, 0, sizeof side->inputs);
    memset(side->outputs, 0, sizeof side->outputs);
    for (size_t i = 0; i < bench_operand_count(workload->inputs, BENCH_MAX_INPUTS); i++) {
        const bench_operand *o = &workload->inputs[i];
        int64_t shape[SINTER_MAX_RANK];
        int rank = bench_shape(o, extents, shape);
        sinter_status status =
            sinter_tensor_from_host(side->stream, o->dtype, rank, shape, data[i], &side->inputs[i]);
        if (status != SINTER_OK)
            return status;
    }
    return SINTER_OK;
}

sinter_status bench_side_queue(bench_side *side)
{
    expr e = {.stream = side->stream, .status = SINTER_OK};
    value in[BENCH_MAX_INPUTS];
    value out[BENCH_MAX_OUTPUTS];
    size_t inputs = bench_operand_count(side->workload->inputs, BENCH_MAX_INPUTS);
    size_t outputs = bench_operand_count(side->workload->outputs, BENCH_MAX_OUTPUTS);
    for (size_t i = 0; i < inputs; i++)
        in[i] = e_borrow(side->inputs[i]);
    for (size_t i = 0; i < outputs; i++)
        out[i] = (value){.is_temporary = false};
    side->workload->build(&e, side->extents, in, out);
    for (size_t i = 0; i < outputs; i++)
        side->outputs[i] = out[i].tensor;
    return e.status;
}

sinter_status bench_side_settle(bench_side *side)
{
    sinter_status status = SINTER_OK;
    size_t count = bench_operand_count(side->workload->outputs, BENCH_MAX_OUTPUTS);
    for (size_t i = 0; i < count; i++) {
        sinter_tensor output = side->outputs[i];
        side->outputs[i] = (sinter_tensor){0};
        if (i < (size_t)side->workload->updates) {
            side->inputs[i] = output;
            continue;
        }
        sinter_status released = sinter_tensor_release(side->stream, output);
        status = status == SINTER_OK ? released : status;
    }
    return status;
}

sinter_status bench_side_repeat(bench_side *side)
{
    sinter_status status = bench_side_queue(side);
    if (status == SINTER_OK)
        status = sinter_stream_sync(side->stream);
    return status == SINTER_OK ? bench_side_settle(side) : status;
}
