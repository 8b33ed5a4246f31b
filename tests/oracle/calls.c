#include "oracle/calls.h"

#define CALL_1_0(name) .one = sinter_##name
#define CALL_1_1(name) .one_parameter = sinter_##name
#define CALL_1_2(name) .two_parameters = sinter_##name
#define CALL_2_0(name)                                                                             \
    .two = sinter_##name, .with_scalar = sinter_##name##_scalar, .of_scalar = sinter_scalar_##name
#define CALL_3_0(name) .three = sinter_##name

#define ENTRY(id, name, arity, params) [SINTER__OP_##id] = {CALL_##arity##_##params(name)},
#define ENTRY_MAP ENTRY
#define ENTRY_COMPARE ENTRY
#define ENTRY_CAST(...)
#define ENTRY_FILL(...)
#define ENTRY_GENERATE(...)
#define ENTRY_RANDOM(...)
#define ENTRY_VIEW(...)
#define ENTRY_REDUCE(...)
#define ENTRY_SCAN(...)
#define ENTRY_STATE(...)
#define ENTRY_CONTRACT(...)
#define ENTRY_UPDATE(...)
#define ENTRY_COMPOSITE(...)

const oracle_call oracle_calls[SINTER__OP_END] = {
#define SINTER_OP(id, code, name, kind, arity, params, ...) ENTRY_##kind(id, name, arity, params)
#include "core/ops.def"
#undef SINTER_OP
};

sinter_status oracle_queue(const oracle_row *row, sinter_stream *s, const sinter_tensor t[3],
                           const double parameters[2], sinter_tensor *out)
{
    const oracle_call *call = &oracle_calls[row->op];
    if (call->one != NULL)
        return call->one(s, t[0], out);
    if (call->two != NULL)
        return call->two(s, t[0], t[1], out);
    if (call->three != NULL)
        return call->three(s, t[0], t[1], t[2], out);
    if (call->one_parameter != NULL)
        return call->one_parameter(s, t[0], parameters[0], out);
    return call->two_parameters(s, t[0], parameters[0], parameters[1], out);
}
