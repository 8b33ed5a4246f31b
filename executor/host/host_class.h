/* A template, included once per element class by host_ops.c: a function that computes every row of
 * the op table. The includer defines CLASS (prefix of its name), REGISTER, COLUMN(flags, F, S, U,
 * B), SN and the words of cl_kernels/README.md; the first four are undefined here at the end. No
 * guard: that is the point. */

/* One function, not one per row: a table of those would be pointers that the loader must fix. */
static void JOIN(CLASS, _apply)(sinter__op op, size_t n, const void *pa, const void *pb,
                                const void *pc, void *po)
{
    switch (op) {
#define SINTER_OP(id, code, name, kind, arity, params, rule, flags, cost, error, F, S, U_, B,      \
                  meaning)                                                                         \
    FORWARD(MAKE_##kind, id, COLUMN(flags, F, S, U_, B))
#include "core/ops.def"
#undef SINTER_OP
    default:
        break;
    }
}

#undef CLASS
#undef REGISTER
#undef COLUMN
#undef SN
