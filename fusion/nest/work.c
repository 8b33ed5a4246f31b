#include "fusion/nest/work.h"

#include "fusion/nest/phase.h"

static void count_wanted(const sinter__nest *nest, uint8_t loop, const bool *wanted,
                         double elements, double *times)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (wanted[i] && v->kind == SINTER__VALUE_MAP && !sinter__is_kept_for(v, loop))
            times[i] += elements;
    }
}

void sinter__count_values(const sinter__nest *nest, const sinter__bound_nest *bound, double *times)
{
    bool per_row[SINTER__NEST_VALUES];
    bool wanted[SINTER__NEST_VALUES];
    double rows = (double)bound->parallel;
    double elements = rows * (double)bound->reduced;
    sinter__bound_per_row(nest, bound, per_row);
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        bool scans = v->kind == SINTER__VALUE_SCAN || nest->form == SINTER__FORM_SCAN;
        times[i] = v->kind == SINTER__VALUE_REDUCE              ? elements
                   : v->kind == SINTER__VALUE_MAP && per_row[i] ? rows
                   : scans && v->op != SINTER__OP_NONE          ? elements
                                                                : 0;
    }
    for (uint8_t loop = 0; loop <= nest->phases && nest->form == SINTER__FORM_REDUCE; loop++) {
        (void)sinter__loop_values(nest, per_row, loop, wanted);
        count_wanted(nest, loop, wanted, elements, times);
        if (sinter__first_pass_values(nest, per_row, loop, wanted))
            count_wanted(nest, loop, wanted, elements, times);
    }
}

double sinter__nest_work(const sinter__nest *nest, const sinter__bound_nest *bound, double rounding)
{
    double times[SINTER__NEST_VALUES];
    double additions = 0;
    sinter__count_values(nest, bound, times);
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        const sinter__op_info *info = sinter__op_info_of(v->op);
        bool rounds = sinter__is_half((sinter_dtype)v->dtype) && !info->is_exact;
        if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_STORE)
            additions += (double)bound->accesses[v->access].distinct;
        else
            additions += times[i] * (info->cost + (rounds ? rounding : 0));
    }
    return additions;
}
