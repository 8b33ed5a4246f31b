/* The one hard idea: registers have no numbers that a program computes. A row is in them only if its kernel is written out
 * for as many steps as it has, so what is held has kernels for every length (docs/decisions/gpu.md). */
#include "fusion/hold.h"

#include "fusion/state.h"
#include "fusion/tree.h"

/* Arithmetic that is written out for all steps, at most: more takes long to compile. */
#define MOST_COST 2048

/* Whether any of it takes two passes over its elements. */
static bool has_states(const sinter__nest *nest)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (sinter__has_state(&nest->values[i]))
            return true;
    }
    return false;
}

static uint32_t cost_of(const sinter__nest *nest)
{
    uint32_t cost = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (nest->values[i].kind == SINTER__VALUE_MAP)
            cost += sinter__op_info_of(nest->values[i].op)->cost;
    }
    return cost;
}

/* Elements that a work-item may hold: half as many where any has two registers. */
static int64_t most_held(const sinter__nest *nest, const sinter__tuning *tuning)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        if (sinter__is_wide(sinter__class_of(nest->accesses[a].dtype)))
            return tuning->row_held / 2;
    }
    return tuning->row_held;
}

/* Not a single row, whose length changes with the batch. */
void sinter__hold_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__tuning *tuning, bool again, sinter__class_key *key)
{
    int64_t steps = sinter__div_up(bound->reduced, (int64_t)SINTER__TREE_LANES);
    bool is_whole = key->phase == SINTER__PHASE_ALL && key->in_parts == 0;
    if (!is_whole || bound->parallel == 1 || bound->reduced == 0 ||
        key->partials < SINTER__TREE_LANES || (!again && !has_states(nest)) ||
        steps * key->lanes > most_held(nest, tuning) || steps * cost_of(nest) > MOST_COST)
        return;
    key->held = (uint16_t)steps;
    key->held_rest = bound->reduced % SINTER__TREE_LANES != 0;
}
