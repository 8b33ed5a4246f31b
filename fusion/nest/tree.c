#include "fusion/nest/tree.h"

/* By class: the smallest and the largest value. */
static const char *const ends[SINTER__CLASS_COUNT][2] = {
    [SINTER__CLASS_F32] = {"as_float(0xff800000u)", "as_float(0x7f800000u)"},
    [SINTER__CLASS_F64] = {"as_double(0xfff0000000000000ul)", "as_double(0x7ff0000000000000ul)"},
    [SINTER__CLASS_S32] = {"0x80000000u", "0x7fffffffu"},
    [SINTER__CLASS_U32] = {"0", "0xffffffffu"},
    [SINTER__CLASS_S64] = {"0x8000000000000000ul", "0x7ffffffffffffffful"},
    [SINTER__CLASS_U64] = {"0", "0xfffffffffffffffful"},
    [SINTER__CLASS_BOOL] = {"0", "1"},
};

const char *sinter__tree_identity(sinter__op op, sinter__class c)
{
    if (op == SINTER__OP_MAX || op == SINTER__OP_MIN)
        return ends[c][op == SINTER__OP_MIN];
    if ((sinter__op_info_of(op)->flags & SINTER__FROM_1) != 0)
        return "1";
    /* A sum of floats: +0 would make +0 of -0. */
    if (c == SINTER__CLASS_F64)
        return "as_double(0x8000000000000000ul)";
    return c == SINTER__CLASS_F32 ? "as_float(0x80000000u)" : "0";
}
