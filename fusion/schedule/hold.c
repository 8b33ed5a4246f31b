/* The one hard idea: registers have no numbers that a program computes. A row is in them only if
 * its kernel is written out for as many steps as it has, so what is held has kernels for every
 * length (docs/decisions/gpu.md). Longer rows have more work-items, which hold a block of its steps
 * each; what is added up in sequence they hand on, one block to the next. */
#include "fusion/schedule/hold.h"

#include "fusion/nest/phase.h"
#include "fusion/nest/state.h"
#include "fusion/nest/tree.h"

#include <string.h>

/* Registers of 32 bits in which a work-item holds elements of a row: of 255 mostly, and arithmetic wants some. */
#define MOST_WORDS 96

/* Arithmetic that is written out for all steps, at most: more takes long to compile. */
#define MOST_COST 2048

/* Arithmetic of an element up to which a relay does it again rather than holding what it comes to. */
#define AGAIN_COST 8

/* Steps of a block are a multiple, so that not every length has a kernel of its own. */
#define BLOCK_STEPS 4

/* Arithmetic of an element: of all values, or of those that are wanted. */
static uint32_t cost_of(const sinter__nest *nest, const bool *wanted)
{
    uint32_t cost = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (nest->values[i].kind == SINTER__VALUE_MAP && (wanted == NULL || wanted[i]))
            cost += sinter__op_info_of(nest->values[i].op)->cost;
    }
    return cost;
}

/* The passes over a row or a chunk, one after the other, that want a value of its elements. */
typedef struct uses {
    uint8_t count[SINTER__NEST_VALUES];
    uint8_t first[SINTER__NEST_VALUES];
    uint8_t last[SINTER__NEST_VALUES];
    bool wanted[SINTER__NEST_VALUES];
    bool is_folded[SINTER__NEST_VALUES]; /* by a relay, after much was computed */
} uses;

static void count_pass(const sinter__nest *nest, uint8_t pass, uses *u)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (!u->wanted[i])
            continue;
        if (u->count[i]++ == 0)
            u->first[i] = pass;
        u->last[i] = pass;
    }
}

bool sinter__is_ordered(uint8_t op, uint8_t dtype)
{
    sinter__class c = sinter__class_of(dtype);
    return !sinter__op_info_of(op)->is_exact && (c == SINTER__CLASS_F32 || c == SINTER__CLASS_F64);
}

/* Whether the value is folded in order by the first, or the last, pass of loop `loop`. */
static bool is_relayed_by(const sinter__value *v, uint8_t loop, bool first)
{
    if (v->kind != SINTER__VALUE_REDUCE || v->phase != loop + 1)
        return false;
    sinter__state state = sinter__state_of(v);
    if (first || state.kind == SINTER__STATE_NONE)
        return first == sinter__has_state(v) && sinter__is_ordered(state.first_op, state.dtype[0]);
    return sinter__is_ordered(state.term_op, state.term_dtype);
}

/* What a relay folds in order in the pass at hand it wants once more, after all work-items have
 * computed it: what it is made of, or, where that is much, what it has come to. */
static void count_relay(const sinter__nest *nest, uint8_t loop, bool first, uint8_t pass, uses *u)
{
    bool again[SINTER__NEST_VALUES] = {false};
    bool is_much = cost_of(nest, u->wanted) > AGAIN_COST;
    for (uint16_t i = nest->value_count; i-- > 0;) {
        const sinter__value *v = &nest->values[i];
        bool makes = is_relayed_by(v, loop, first);
        if (makes) {
            again[v->source[0]] = true;
            u->is_folded[v->source[0]] |= is_much;
        }
        again[i] &= u->wanted[i];
        makes = again[i] && v->kind == SINTER__VALUE_MAP && v->kept == SINTER__NOT_KEPT &&
                !u->is_folded[i];
        for (int k = 0; k < v->source_count && makes; k++)
            again[v->source[k]] = true;
    }
    memcpy(u->wanted, again, sizeof again);
    count_pass(nest, pass, u);
}

static void count_loop(const sinter__nest *nest, const sinter__class_key *key, const bool *per_row,
                       uint8_t loop, uses *u)
{
    if (sinter__first_pass_values(nest, per_row, loop, u->wanted)) {
        count_pass(nest, (uint8_t)(4 * loop), u);
        if (key->blocks > 1)
            count_relay(nest, loop, true, (uint8_t)(4 * loop + 1), u);
    }
    if (sinter__loop_values(nest, per_row, loop, u->wanted)) {
        count_pass(nest, (uint8_t)(4 * loop + 2), u);
        if (key->blocks > 1)
            count_relay(nest, loop, false, (uint8_t)(4 * loop + 3), u);
    }
}

static bool may_hold(const sinter__nest *nest, uint16_t value, const uses *u)
{
    const sinter__value *v = &nest->values[value];
    bool waits =
        v->kind == SINTER__VALUE_MAP && (v->kept != SINTER__NOT_KEPT || u->is_folded[value]);
    return u->count[value] > 1 && (v->kind == SINTER__VALUE_LOAD || waits);
}

/* A value takes the place of an earlier one of its dtype whose last pass is its first: there it is taken before
 * the other is put. */
static void share_homes(const sinter__nest *nest, uses *u, uint16_t *home)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        home[i] = may_hold(nest, i, u) ? i : SINTER__NO_HOME;
        for (uint16_t j = 0; j < i && home[i] == i; j++) {
            if (home[j] != j || nest->values[j].dtype != nest->values[i].dtype ||
                u->last[j] > u->first[i])
                continue;
            home[i] = j;
            u->last[j] = u->last[i];
        }
    }
}

/* The loops of a row in several chunks go through all of them: from one to the next only the last
 * chunk would be there. */
static void find_homes_of_chunk(const sinter__nest *nest, const sinter__class_key *key,
                                const bool *per_row, uint16_t *home)
{
    bool is_whole = key->phase == SINTER__PHASE_ALL;
    uint8_t last = is_whole ? nest->phases : (uint8_t)key->phase;
    for (uint16_t i = 0; i < nest->value_count; i++)
        home[i] = SINTER__NO_HOME;
    for (uint8_t loop = is_whole ? 0 : last; loop <= last; loop++) {
        uses u = {.count = {0}};
        count_loop(nest, key, per_row, loop, &u);
        for (uint16_t i = 0; i < nest->value_count; i++) {
            if (may_hold(nest, i, &u))
                home[i] = i;
        }
    }
}

void sinter__find_homes(const sinter__nest *nest, const sinter__class_key *key, const bool *per_row,
                        uint16_t *home)
{
    uses u = {.count = {0}};
    if (key->in_parts != 0) {
        find_homes_of_chunk(nest, key, per_row, home);
        return;
    }
    for (uint8_t loop = 0; loop <= nest->phases; loop++)
        count_loop(nest, key, per_row, loop, &u);
    share_homes(nest, &u, home);
}

/* Words of a step of a row of all that is held, for each lane; 0: nothing is worth it. */
static int64_t words_held(const sinter__nest *nest, const sinter__bound_nest *bound,
                          const sinter__class_key *key)
{
    bool per_row[SINTER__NEST_VALUES];
    uint16_t home[SINTER__NEST_VALUES];
    uint64_t bytes = 0;
    sinter__bound_per_row(nest, bound, per_row);
    sinter__find_homes(nest, key, per_row, home);
    for (uint16_t i = 0; i < nest->value_count; i++)
        bytes += home[i] == i ? sinter__register_bytes(nest->values[i].dtype) : 0;
    return (int64_t)(bytes / sizeof(uint32_t));
}

/* Of columns, and of rows of several chunks, a result is in memory again before the next phase wants it. */
bool sinter__is_anew(const sinter__nest *nest, const sinter__bound_nest *bound,
                     const sinter__tuning *tuning, const sinter__class_key *key)
{
    bool is_far = key->in_parts != 0 || !bound->last_reduced;
    uint32_t cost = is_far ? sinter__kept_cost(nest) : 0;
    return cost > 0 && cost <= 2 * sizeof(float) * tuning->arithmetic_per_byte;
}

/* Whether a group of a GPU goes through its rows again, or twice through a chunk. A single row's
 * length changes with the batch; what waits of a chunk is stored among what is loaded of it. */
static bool is_worth(const sinter__nest *nest, const sinter__bound_nest *bound, bool again,
                     const sinter__class_key *key)
{
    if (bound->reduced == 0 || key->partials < SINTER__TREE_LANES)
        return false;
    if (key->in_parts != 0)
        return sinter__has_states(nest, 0, nest->phases) && sinter__kept_cost(nest) == 0;
    return bound->parallel > 1 && (again || sinter__has_states(nest, 0, nest->phases));
}

void sinter__hold_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__tuning *tuning, bool again, sinter__class_key *key)
{
    bool is_whole = key->phase == SINTER__PHASE_ALL && key->in_parts == 0;
    int64_t steps = sinter__div_up(bound->reduced, (int64_t)SINTER__TREE_LANES);
    if (!is_whole || !is_worth(nest, bound, again, key) || steps * key->lanes > tuning->row_held ||
        steps * cost_of(nest, NULL) > MOST_COST ||
        steps * key->lanes * words_held(nest, bound, key) > MOST_WORDS)
        return;
    key->held = (uint16_t)steps;
    key->held_rest = bound->reduced % SINTER__TREE_LANES != 0;
}

bool sinter__hold_relayed(const sinter__nest *nest, const sinter__bound_nest *bound,
                          const sinter__tuning *tuning, bool again, size_t most,
                          sinter__class_key *key)
{
    sinter__class_key relayed = *key;
    relayed.blocks = 2; /* how many makes no difference to what is held */
    int64_t length = SINTER__MIN(bound->reduced, (int64_t)SINTER__TREE_CHUNK);
    int64_t steps = sinter__div_up(length, (int64_t)SINTER__TREE_LANES);
    if (!is_worth(nest, bound, again, key) || tuning->row_held == 0 ||
        (key->lanes > 1 && steps <= (int64_t)tuning->row_held)) /* few work-items, with shuffles */
        return false;
    int64_t words = words_held(nest, bound, &relayed);
    if (words == 0)
        return false;
    int64_t cost = SINTER__MAX(cost_of(nest, NULL), (uint32_t)1);
    int64_t room = SINTER__MIN(MOST_WORDS / words, MOST_COST / cost); /* for steps, */
    int64_t wanted = SINTER__MIN((int64_t)tuning->row_held, room);    /* and how many are best */
    int64_t blocks = 2;
    while (blocks * wanted < steps && (size_t)blocks * 2 * SINTER__TREE_LANES <= most)
        blocks *= 2;
    int64_t held = sinter__div_up(sinter__div_up(steps, blocks), BLOCK_STEPS) * BLOCK_STEPS;
    if (held > SINTER__MIN(2 * (int64_t)tuning->row_held, room) ||
        (size_t)blocks * SINTER__TREE_LANES > most)
        return false;
    key->held = (uint16_t)held;
    key->blocks = (uint16_t)blocks;
    key->lanes = 1;
    key->sub_group = 0;
    return true;
}

size_t sinter__relay_bytes(const sinter__nest *nest)
{
    size_t folds = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (nest->values[i].kind == SINTER__VALUE_REDUCE)
            folds += sinter__has_state(&nest->values[i]) ? 1 + SINTER__STATE_TERMS : 1;
    }
    return folds * sizeof(uint64_t);
}
