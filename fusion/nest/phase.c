/* Phases, and what crosses from one to the next.
 *
 * The one hard idea: every phase walks the row again, so a value of a row that an earlier phase had
 * is there no longer. It is loaded or computed anew, which costs little while the row is in the
 * cache; unless it is dear, like the exp of a softmax: then it waits in the memory of a result that
 * a later phase writes at the same place, or in an array beside it (sinter__vectors_beside). */
#include "fusion/nest/phase.h"

#include "fusion/nest/state.h"

/* Arithmetic per element from which a value is kept rather than computed again
 * (docs/decisions/phases.md). */
#define KEEP_FROM 8

#define MAX_VALUES SINTER__NEST_VALUES

static uint8_t phase_of(const sinter__value *values, const sinter__value *v)
{
    uint8_t phase = 0;
    for (int k = 0; k < v->source_count; k++)
        phase = SINTER__MAX(phase, values[v->source[k]].phase);
    return (uint8_t)(phase + (v->kind == SINTER__VALUE_REDUCE || v->kind == SINTER__VALUE_SCAN));
}

/* Arithmetic that computing each value anew takes, up to what is one per row. */
static void find_costs(const sinter__value *values, uint16_t count, const sinter__access *accesses,
                       const sinter__link *links, uint32_t *cost, bool *varies)
{
    for (uint16_t i = 0; i < count; i++) {
        const sinter__value *v = &values[i];
        cost[i] = 0;
        varies[i] = false;
        if (v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX) {
            uint16_t chain = accesses[v->access].chain;
            varies[i] = chain == SINTER__CHAIN_END || links[chain].kind != SINTER__LINK_REDUCED;
        }
        if (v->kind != SINTER__VALUE_MAP)
            continue;
        for (int k = 0; k < v->source_count; k++) {
            varies[i] |= varies[v->source[k]];
            cost[i] += cost[v->source[k]];
        }
        cost[i] = varies[i] ? cost[i] + sinter__op_info_of(v->op)->cost : 0;
    }
}

static bool crosses(const sinter__value *values, uint16_t count, uint16_t value)
{
    for (uint16_t i = (uint16_t)(value + 1); i < count; i++) {
        const sinter__value *v = &values[i];
        for (int k = 0; k < v->source_count && v->kind == SINTER__VALUE_MAP; k++) {
            if (v->source[k] == value && v->phase > values[value].phase)
                return true;
        }
    }
    return false;
}

static bool is_taken(const sinter__value *values, uint16_t count, uint16_t store)
{
    for (uint16_t i = 0; i < count; i++) {
        if (values[i].kind == SINTER__VALUE_MAP && values[i].kept == store)
            return true;
    }
    return false;
}

/* Where the value is stored anyway; else a result of its dtype over the whole domain that is written
 * in the last phase and holds no other. */
static uint16_t find_room(const sinter__value *values, uint16_t count,
                          const sinter__access *accesses, uint16_t value, uint8_t last)
{
    uint16_t room = SINTER__NOT_KEPT;
    for (uint16_t i = 0; i < count; i++) {
        const sinter__value *v = &values[i];
        if (v->kind != SINTER__VALUE_STORE || accesses[v->access].chain != SINTER__CHAIN_END ||
            v->dtype != values[value].dtype)
            continue;
        if (v->source[0] == value)
            return i;
        if (room == SINTER__NOT_KEPT && v->phase == last && !is_taken(values, count, i))
            room = i;
    }
    return room;
}

uint8_t sinter__find_phases(sinter__value *values, uint16_t count, const sinter__access *accesses,
                            const sinter__link *links)
{
    uint32_t cost[MAX_VALUES];
    bool varies[MAX_VALUES];
    uint8_t phases = 0;
    bool reduces = false;
    for (uint16_t i = 0; i < count; i++) {
        reduces |= values[i].kind == SINTER__VALUE_REDUCE;
        values[i].kept = SINTER__NOT_KEPT;
        values[i].phase = phase_of(values, &values[i]);
        phases = SINTER__MAX(phases, values[i].phase);
    }
    find_costs(values, count, accesses, links, cost, varies);
    for (uint16_t i = count; i-- > 0 && reduces;) {
        if (values[i].kind == SINTER__VALUE_MAP && varies[i] && cost[i] >= KEEP_FROM &&
            crosses(values, count, i))
            values[i].kept = find_room(values, count, accesses, i, phases);
    }
    return phases;
}

uint32_t sinter__kept_cost(const sinter__nest *nest)
{
    uint32_t cost[MAX_VALUES];
    bool varies[MAX_VALUES];
    uint32_t most = 0;
    find_costs(nest->values, nest->value_count, nest->accesses, nest->links, cost, varies);
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind == SINTER__VALUE_MAP && v->kept != SINTER__NOT_KEPT)
            most = SINTER__MAX(most, cost[i]);
    }
    return most;
}

sinter__nest sinter__keep_none(const sinter__nest *nest, sinter__value *values)
{
    sinter__nest out = *nest;
    out.values = values;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        values[i] = nest->values[i];
        values[i].kept = SINTER__NOT_KEPT;
    }
    return out;
}

void sinter__find_per_row(const sinter__nest *nest, const bool *varies, bool *per_row)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        bool has_access = v->kind == SINTER__VALUE_LOAD || v->kind == SINTER__VALUE_INDEX ||
                          v->kind == SINTER__VALUE_STORE;
        per_row[i] = (!has_access || !varies[v->access]) && v->kind != SINTER__VALUE_SCAN;
        for (int k = 0; k < v->source_count && v->kind == SINTER__VALUE_MAP; k++)
            per_row[i] &= per_row[v->source[k]];
    }
}

/* Marks the sources of what is wanted, of the roots and of those sources. */
static void mark_sources(const sinter__nest *nest, const bool *per_row, uint8_t loop,
                         const bool *is_root, bool puts, bool *wanted)
{
    for (uint16_t i = nest->value_count; i-- > 0;) {
        const sinter__value *v = &nest->values[i];
        wanted[i] |= puts && sinter__is_put_by(nest, i, loop) && !per_row[i];
        bool computes = wanted[i] && v->kind == SINTER__VALUE_MAP && !sinter__is_kept_for(v, loop);
        for (int k = 0; k < v->source_count && (is_root[i] || computes); k++)
            wanted[v->source[k]] |= !per_row[v->source[k]];
    }
}

bool sinter__loop_values(const sinter__nest *nest, const bool *per_row, uint8_t loop, bool *wanted)
{
    bool is_root[MAX_VALUES];
    bool any = false;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        wanted[i] = false;
        is_root[i] = (v->kind == SINTER__VALUE_REDUCE && v->phase == loop + 1) ||
                     (v->kind == SINTER__VALUE_STORE && v->phase == loop && !per_row[i]);
        any |= is_root[i];
    }
    mark_sources(nest, per_row, loop, is_root, true, wanted);
    return any;
}

bool sinter__first_pass_values(const sinter__nest *nest, const bool *per_row, uint8_t loop,
                               bool *wanted)
{
    bool is_root[MAX_VALUES];
    bool any = false;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        wanted[i] = false;
        is_root[i] = sinter__has_state(&nest->values[i]) && nest->values[i].phase == loop + 1;
        any |= is_root[i];
    }
    mark_sources(nest, per_row, loop, is_root, false, wanted);
    return any;
}

bool sinter__writes_elements(const sinter__nest *nest, const bool *per_row, uint8_t loop)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        bool is_stored = v->kind == SINTER__VALUE_STORE && v->phase == loop;
        if (!per_row[i] && (is_stored || sinter__is_put_by(nest, i, loop)))
            return true;
    }
    return false;
}
