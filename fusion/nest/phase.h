/* Phases of a nest: a reduction has to be finished before what depends on it can begin, a scan as far
 * as its element. */
#ifndef SINTER_FUSION_NEST_PHASE_H
#define SINTER_FUSION_NEST_PHASE_H

#include "fusion/nest/nest.h"

/* Sets `phase` and `kept` of the values; returns how many phases have reductions. Values of phase p
 * are known once the reductions of phase p are done, which are computed by loop p - 1. */
uint8_t sinter__find_phases(sinter__value *values, uint16_t count, const sinter__access *accesses,
                            const sinter__link *links);

/* Arithmetic of the dearest of the values that wait in a result, or beside it, for a later phase; 0: none does. */
uint32_t sinter__kept_cost(const sinter__nest *nest);

/* The nest as `values`, with room for all of its own, in which none does: each phase computes them. */
sinter__nest sinter__keep_none(const sinter__nest *nest, sinter__value *values);

/* By value, whether there is one of it per row: `varies` says by access whether it moves along the
 * reduced axes. Of a STORE: whether it is written once per row. */
void sinter__find_per_row(const sinter__nest *nest, const bool *varies, bool *per_row);

/* Marks in `wanted` the values of a row's elements that loop `loop` computes or loads: for the
 * reductions of the next phase, for the stores of this one and for what is kept. False when there is
 * nothing to do. */
bool sinter__loop_values(const sinter__nest *nest, const bool *per_row, uint8_t loop, bool *wanted);

/* The same for the first pass over a part of those reductions that take two (fusion/nest/state.h): nothing
 * is stored in it. False when there are none. */
bool sinter__first_pass_values(const sinter__nest *nest, const bool *per_row, uint8_t loop,
                               bool *wanted);

/* Whether loop `loop` writes elements: results of its own, or what waits for later loops. */
bool sinter__writes_elements(const sinter__nest *nest, const bool *per_row, uint8_t loop);

/* Whether loop `loop` finds the value where it waits. */
static inline bool sinter__is_kept_for(const sinter__value *v, uint8_t loop)
{
    return v->kind == SINTER__VALUE_MAP && v->kept != SINTER__NOT_KEPT && v->phase < loop;
}

/* Whether loop `loop` puts it there, where no store of its own does. */
static inline bool sinter__is_put_by(const sinter__nest *nest, uint16_t value, uint8_t loop)
{
    const sinter__value *v = &nest->values[value];
    return v->kind == SINTER__VALUE_MAP && v->kept != SINTER__NOT_KEPT && v->phase == loop &&
           nest->values[v->kept].source[0] != value;
}

#endif /* SINTER_FUSION_NEST_PHASE_H */
