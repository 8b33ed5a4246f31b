/* Operands that repeat after a few elements of a flat line, as a gain for each channel does along the
 * pixels of an image.
 *
 * The one hard idea: wherever a vector begins, such an operand begins at one of as many places as it has
 * elements. Each work-item lays it out once, repeated as far as a vector reaches from the last of them,
 * and every vector is neighbours of that table: no lane computes where its element lies. Where a vector
 * begins is counted up. */
#include "fusion/lower/build.h"

static uint32_t axis_of(const lowering *l, uint16_t access)
{
    return l->c->accesses[access].period_axis;
}

/* Whether an operand repeats from `axis` on. */
static bool is_wanted(const lowering *l, uint32_t axis)
{
    bool wanted = false;
    for (uint16_t a = 0; a < l->nest->access_count; a++)
        wanted |= axis_of(l, a) == axis;
    return wanted;
}

/* Each element goes to every place below `end` where it is again. */
static void fill_table(lowering *l, uint16_t access, sinter__ix period, sinter__ix end)
{
    sinter__ix place = sinter__ix_number(l, 0);
    sinter__ix one = sinter__ix_number(l, 1);
    sinter__statement load = sinter__statement_of(SINTER__DO_LOAD);
    sinter__statement put = sinter__statement_of(SINTER__DO_PUT);
    int first = (int)axis_of(l, access);
    int last = l->c->key.parallel_rank;
    load.access = access;
    load.dtype = l->nest->accesses[access].dtype;
    load.mode = SINTER__MODE_ONE;
    load.a = l->base[access];
    put.reg = l->table[access] =
        sinter__array_new(l, load.dtype, SINTER__PERIOD_MAX / l->c->key.lanes + 1);
    for (int i = first; i < last; i++) {
        sinter__ix extent = sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0);
        sinter__ix at = sinter__for(l, sinter__ix_number(l, 0), extent, one);
        sinter__ix part = sinter__ix_mul(l, at, sinter__ix_stride(l, access, i));
        place = sinter__ix_add(l, sinter__ix_mul(l, place, extent), at);
        load.a = sinter__ix_add(l, load.a, part);
    }
    put.source[0] = load.reg = sinter__reg_new(l, load.dtype, false);
    sinter__emit(l, &load);
    put.a = sinter__for(l, place, end, period);
    sinter__emit(l, &put);
    for (int i = first; i <= last; i++)
        sinter__end(l);
}

void sinter__fill_tables(lowering *l, sinter__ix begin)
{
    for (uint32_t axis = 1; axis < l->c->key.parallel_rank; axis++) {
        if (!is_wanted(l, axis))
            continue;
        sinter__repeat *r = &l->repeats[axis];
        sinter__ix one = sinter__ix_number(l, 1);
        sinter__ix lanes = sinter__ix_number(l, l->c->key.lanes);
        r->period = one;
        for (int i = (int)axis; i < l->c->key.parallel_rank; i++)
            r->period =
                sinter__ix_mul(l, r->period, sinter__ix_param(l, SINTER__PARAM_EXTENT, i, 0));
        r->period = sinter__ix_name(l, r->period);
        r->last = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_SUB, r->period, one, 0));
        r->step = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MOD, lanes, r->period, 0));
        r->phase = sinter__ix_name(l, sinter__ix_make(l, SINTER__IX_MOD, begin, r->period, 0));
        sinter__ix end = sinter__ix_name(l, sinter__ix_add(l, r->last, lanes));
        for (uint16_t a = 0; a < l->nest->access_count; a++) {
            if (axis_of(l, a) == axis)
                fill_table(l, a, r->period, end);
        }
    }
}

void sinter__advance_tables(lowering *l)
{
    for (uint32_t axis = 1; axis < l->c->key.parallel_rank; axis++) {
        if (!is_wanted(l, axis))
            continue;
        const sinter__repeat *r = &l->repeats[axis];
        sinter__statement s = sinter__statement_of(SINTER__DO_INT);
        sinter__ix next = sinter__ix_name(l, sinter__ix_add(l, r->phase, r->step));
        sinter__ix beyond = sinter__ix_make(l, SINTER__IX_LESS, r->last, next, 0);
        s.a = sinter__ix_make(l, SINTER__IX_SUB, next, sinter__ix_mul(l, beyond, r->period), 0);
        s.assign = true;
        if (l->code->status != SINTER_OK)
            return;
        s.reg = (sinter__reg)l->code->ix[r->phase].value;
        sinter__emit(l, &s);
    }
}
