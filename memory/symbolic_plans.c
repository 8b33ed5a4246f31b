/* Plans of a schema, kept by the values of its symbols.
 *
 * The one hard idea: a plan for larger extents holds for smaller ones where no size shrinks when a
 * symbol grows. So a symbol that grows by one each time is rounded up, and planned for once a step. */
#include "core/sized.h"
#include "memory/bindings.h"
#include "memory/symbolic.h"

#include <string.h>

#define MOST_KEPT 16

struct sinter_schema_plans {
    sinter__allocator allocator;
    sinter__arena arena; /* everything but this struct */
    const sinter_schema *schema;
    sinter_plan_options options;
    sinter_symbol_value *binding; /* of the call: names, and the values as they are rounded */
    int64_t *values;              /* the same values, as a key */
    int64_t *steps;
    sinter_plan_request *requests;
    void *scratch;
    size_t scratch_bytes;
    sinter__bindings kept;
    uint64_t made;
};

/* What is kept for a binding; the offsets are behind it. */
typedef struct kept_plan {
    sinter_plan_result result;
} kept_plan;

static uint64_t *offsets_of(kept_plan *k)
{
    return (uint64_t *)(void *)(k + 1);
}

/* Fills `o`. */
static sinter_status take_options(const sinter_schema *s, const sinter_schema_plans_options *given,
                                  sinter_schema_plans_options *o)
{
    if (s == NULL || given == NULL)
        return sinter__fail(SINTER_EINVAL, "schema_plans: an argument is NULL");
    SINTER_TRY(sinter__sized_take("schema_plans: options", o, sizeof *o, given));
    if (o->symbols == NULL && o->symbol_count > 0)
        return sinter__fail(SINTER_EINVAL, "schema_plans: an argument is NULL");
    if (o->symbol_count > SINTER__SIZE_SYMBOLS)
        return sinter__fail(SINTER_ERANGE, "schema_plans: %u symbols, at most %d", o->symbol_count,
                            SINTER__SIZE_SYMBOLS);
    if (o->strategy == SINTER_PLAN_REFIT)
        return sinter__fail(SINTER_EINVAL, "schema_plans: there is no plan to fit again");
    for (uint32_t i = 0; i < o->symbol_count; i++) {
        const sinter_symbol_value *symbol = &o->symbols[i];
        if (symbol->name == NULL || symbol->value < 1)
            return sinter__fail(SINTER_EINVAL, "schema_plans: symbol %u has no name or step %lld",
                                i, (long long)symbol->value);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(o->symbols[k].name, symbol->name) == 0)
                return sinter__fail(SINTER_EINVAL, "schema_plans: '%.100s' for the second time",
                                    symbol->name);
        }
        if (symbol->value > 1 && !sinter_schema_is_monotone(s, symbol->name)) {
            return sinter__fail(SINTER_EINVAL,
                                "schema_plans: a size may shrink when '%.100s' grows, so that it "
                                "cannot be rounded up to multiples of %lld",
                                symbol->name, (long long)symbol->value);
        }
    }
    return SINTER_OK;
}

static sinter_status copy_symbols(sinter_schema_plans *p, const sinter_schema_plans_options *o)
{
    p->binding = sinter__arena_array(&p->arena, o->symbol_count + 1, sizeof *p->binding);
    p->values = sinter__arena_array(&p->arena, o->symbol_count + 1, sizeof *p->values);
    p->steps = sinter__arena_array(&p->arena, o->symbol_count + 1, sizeof *p->steps);
    if (p->binding == NULL || p->values == NULL || p->steps == NULL)
        return SINTER_ENOMEM;
    for (uint32_t i = 0; i < o->symbol_count; i++) {
        const char *name = o->symbols[i].name;
        p->binding[i].name = sinter__arena_copy(&p->arena, name, strlen(name) + 1, 1);
        p->steps[i] = o->symbols[i].value;
        if (p->binding[i].name == NULL)
            return SINTER_ENOMEM;
    }
    return SINTER_OK;
}

static sinter_status take_room(sinter_schema_plans *p, const sinter_schema_plans_options *o)
{
    size_t count = p->schema->count;
    uint32_t most = o->most > 0 ? o->most : MOST_KEPT;
    size_t value_bytes =
        sinter__align_up(sizeof(kept_plan) + count * sizeof(uint64_t), sizeof(max_align_t));
    size_t bytes = sinter__bindings_bytes(o->symbol_count, most, value_bytes);
    if (bytes == 0)
        return sinter__fail(SINTER_ERANGE, "schema_plans: room for %u plans of %zu requests", most,
                            count);
    SINTER_TRY(sinter_plan_scratch_bytes(count, &p->options, &p->scratch_bytes));
    void *block = sinter__arena_alloc(&p->arena, bytes);
    p->requests = sinter__arena_array(&p->arena, count + 1, sizeof *p->requests);
    p->scratch = sinter__arena_alloc(&p->arena, p->scratch_bytes + 1);
    if (block == NULL || p->requests == NULL || p->scratch == NULL)
        return SINTER_ENOMEM;
    sinter__bindings_init(&p->kept, o->symbol_count, most, value_bytes, p->steps, block);
    return SINTER_OK;
}

sinter_status sinter_schema_plans_create(const sinter_schema *schema,
                                         const sinter_schema_plans_options *options,
                                         sinter_schema_plans **out)
{
    sinter_schema_plans_options o = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter__allocator a;
    sinter__clear_error();
    if (out == NULL)
        return sinter__fail(SINTER_EINVAL, "schema_plans: an argument is NULL");
    *out = NULL;
    SINTER_TRY(take_options(schema, options, &o));
    sinter__schema_allocator(schema, &a);
    sinter_schema_plans *p = sinter__alloc(&a, sizeof *p);
    if (p == NULL)
        return SINTER_ENOMEM;
    sinter__schema_allocator(schema, &p->allocator);
    sinter__arena_init(&p->arena, &p->allocator);
    p->schema = schema;
    p->options = (sinter_plan_options){.size = sizeof p->options,
                                       .strategy = o.strategy,
                                       .alignment_bytes = schema->alignment_bytes,
                                       .node_budget = o.node_budget};
    sinter_status status = copy_symbols(p, &o);
    if (status == SINTER_OK)
        status = take_room(p, &o);
    if (status != SINTER_OK)
        sinter_schema_plans_destroy(p);
    else
        *out = p;
    return status;
}

void sinter_schema_plans_destroy(sinter_schema_plans *p)
{
    sinter__allocator a;
    if (p == NULL)
        return;
    sinter__arena_finish(&p->arena);
    sinter__schema_allocator(p->schema, &a);
    sinter__free(&a, p, sizeof *p);
}

/* Plans for the values of the call. Only what succeeds is kept. */
static sinter_status make(sinter_schema_plans *p, kept_plan **out)
{
    size_t count = p->schema->count;
    sinter_plan_result result = SINTER_PLAN_RESULT_INIT;
    for (uint32_t i = 0; i < p->kept.symbols; i++)
        p->binding[i].value = p->values[i];
    SINTER_TRY(sinter_schema_evaluate(p->schema, p->binding, p->kept.symbols, p->requests));
    SINTER_TRY(
        sinter_plan_memory(p->requests, count, &p->options, p->scratch, p->scratch_bytes, &result));
    kept_plan *k = sinter__bindings_add(&p->kept, p->values);
    k->result = result;
    for (size_t i = 0; i < count; i++)
        offsets_of(k)[i] = p->requests[i].offset_bytes;
    p->made++;
    *out = k;
    return SINTER_OK;
}

sinter_status sinter_schema_plans_find(sinter_schema_plans *p, const int64_t *values,
                                       const uint64_t **offsets, sinter_plan_result *result)
{
    sinter__clear_error();
    if (p == NULL || (values == NULL && p->kept.symbols > 0) || offsets == NULL || result == NULL)
        return sinter__fail(SINTER_EINVAL, "schema_plans: an argument is NULL");
    SINTER_TRY(sinter__sized_check("schema_plans: a result", result->size));
    for (uint32_t i = 0; i < p->kept.symbols; i++) {
        p->values[i] = values[i];
        if (values[i] < 0)
            return sinter__fail(SINTER_EINVAL, "schema_plans: symbol '%.100s' is %lld, below 0",
                                p->binding[i].name, (long long)values[i]);
    }
    uint32_t wrong = 0;
    if (!sinter__bindings_round(&p->kept, p->values, &wrong))
        return sinter__fail(SINTER_ERANGE,
                            "schema_plans: symbol '%.100s' overflows when it is rounded up to %lld",
                            p->binding[wrong].name, (long long)p->steps[wrong]);
    kept_plan *k = sinter__bindings_find(&p->kept, p->values);
    if (k == NULL)
        SINTER_TRY(make(p, &k));
    *offsets = offsets_of(k);
    sinter__sized_give(result, result->size, &k->result, sizeof k->result);
    return SINTER_OK;
}

uint64_t sinter_schema_plans_made(const sinter_schema_plans *p)
{
    return p != NULL ? p->made : 0;
}
