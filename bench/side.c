#include "bench/side.h"

#include <string.h>

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
