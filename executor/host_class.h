/* A template, included once per element class by host_ops.c: functions for every row of the op
 * table, and the table of them. The includer defines CLASS (prefix of names), REGISTER,
 * COLUMN(flags, F, S, U, B), SN and the words of cl_kernels/README.md; all are undefined here at
 * the end. No guard: that is the point. */

#define FUNCTION(id) JOIN(JOIN(CLASS, _), id)
#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, F, S, U_, B, meaning)    \
    FORWARD(MAKE_##kind, id, COLUMN(flags, F, S, U_, B))
#include "core/ops.def"
#undef SINTER_OP

#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, F, S, U_, B, meaning)    \
    FORWARD(ENTER_##kind, id, COLUMN(flags, F, S, U_, B))
static const sinter__host_fn JOIN(CLASS, _ops)[SINTER__OP_END] = {
#include "core/ops.def"
};
#undef SINTER_OP

#undef FUNCTION
#undef CLASS
#undef REGISTER
#undef COLUMN
#undef SN
