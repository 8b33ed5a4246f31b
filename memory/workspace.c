/* The workspace of a plan of launches: the portfolio places it, or where nothing may share, one
 * request after the other. */
#include "memory/workspace.h"

#include "memory/plan.h"
#include "memory/validate.h"

#include <string.h>

#define KEPT 4       /* bindings: a batch, the last and smaller one, and as many again */
#define KEPT_FROM 16 /* requests */

size_t sinter__workspace_scratch_bytes(size_t count)
{
    return SINTER__MAX(sinter__plan_scratch_bytes(count, SINTER_PLAN_GREEDY, false),
                       sinter__validate_bytes(count));
}

/* The planner has found that the sum does not overflow. */
static void lay_in_a_row(sinter__workspace *s)
{
    s->total_bytes = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->requests[i].offset_bytes = s->total_bytes;
        s->total_bytes += sinter__align_up(s->requests[i].bytes, s->alignment_bytes);
    }
}

static sinter_status place(sinter__workspace *s, void *scratch)
{
    const sinter_plan_options options = {.size = sizeof options,
                                         .strategy = SINTER_PLAN_GREEDY,
                                         .alignment_bytes = s->alignment_bytes};
    sinter_plan_result result = SINTER_PLAN_RESULT_INIT;
    SINTER_TRY(sinter__plan_run(s->requests, s->count, &options, scratch, &result));
    s->total_bytes = result.total_bytes;
    s->bound_bytes = result.bound_bytes;
    if (!s->share)
        lay_in_a_row(s);
    return SINTER_OK;
}

/* Bindings */

/* A request as numbers: when it is alive, and its bytes. */
static uint32_t key_numbers(size_t most)
{
    return (uint32_t)(3 * most);
}

/* The offsets, the total and the bound. */
static size_t value_bytes(size_t most)
{
    return sinter__align_up((most + 2) * sizeof(uint64_t), 16);
}

static size_t key_bytes(size_t most)
{
    return sinter__align_up(key_numbers(most) * sizeof(int64_t), 16);
}

size_t sinter__workspace_kept_bytes(size_t most)
{
    if (most < KEPT_FROM || most > UINT16_MAX)
        return 0;
    return key_bytes(most) + sinter__bindings_bytes(key_numbers(most), KEPT, value_bytes(most));
}

void sinter__workspace_keep(sinter__workspace *s, size_t most, void *block)
{
    s->most = most;
    s->key = block;
    sinter__bindings_init(&s->kept, key_numbers(most), KEPT, value_bytes(most), NULL,
                          (char *)block + key_bytes(most));
}

static void write_key(sinter__workspace *s)
{
    memset(s->key, 0xff, key_bytes(s->most)); /* no request is alive from -1 on */
    for (size_t i = 0; i < s->count; i++) {
        s->key[3 * i] = s->requests[i].start;
        s->key[3 * i + 1] = s->requests[i].end;
        s->key[3 * i + 2] = (int64_t)s->requests[i].bytes;
    }
}

static void take_kept(sinter__workspace *s, const uint64_t *value)
{
    for (size_t i = 0; i < s->count; i++)
        s->requests[i].offset_bytes = value[i];
    s->total_bytes = value[s->most];
    s->bound_bytes = value[s->most + 1];
}

static void give_kept(const sinter__workspace *s, uint64_t *value)
{
    for (size_t i = 0; i < s->count; i++)
        value[i] = s->requests[i].offset_bytes;
    value[s->most] = s->total_bytes;
    value[s->most + 1] = s->bound_bytes;
}

sinter_status sinter__workspace_resolve(sinter__workspace *s, void *scratch)
{
    if (s->count > s->most || s->count < KEPT_FROM)
        return place(s, scratch);
    write_key(s);
    const uint64_t *found = sinter__bindings_find(&s->kept, s->key);
    if (found != NULL) {
        take_kept(s, found);
        return SINTER_OK;
    }
    SINTER_TRY(place(s, scratch));
    give_kept(s, sinter__bindings_add(&s->kept, s->key));
    return SINTER_OK;
}

sinter_status sinter__workspace_validate(const sinter__workspace *s, void *scratch)
{
    const sinter__judged plan = {.requests = s->requests,
                                 .count = s->count,
                                 .alignment_bytes = s->alignment_bytes,
                                 .total_bytes = s->total_bytes,
                                 .never_shares = !s->share};
    return sinter__validate(&plan, scratch);
}
