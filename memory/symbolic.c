/* Schemas: requests into partitions by the hint, and resolving them for a binding. */
#include "memory/symbolic.h"

#include "core/sized.h"
#include "memory/place.h"

#include <stdio.h>
#include <string.h>

/* Building */

/* Fills `o`, which has the defaults. */
static sinter_status take_options(const sinter_schema_options *given, sinter_schema_options *o)
{
    if (given != NULL)
        SINTER_TRY(sinter__sized_take("schema: options", o, sizeof *o, given));
    if (o->hint == NULL && o->hint_count > 0)
        return sinter__fail(SINTER_EINVAL, "schema: the hint of %u symbols is NULL", o->hint_count);
    if ((o->alignment_bytes & (o->alignment_bytes - 1)) != 0 ||
        o->alignment_bytes > SINTER__MOST_PLAN_BYTES)
        return sinter__fail(SINTER_EINVAL, "schema: the alignment %llu is no power of two to 2^61",
                            (unsigned long long)o->alignment_bytes);
    return SINTER_OK;
}

sinter_status sinter__schema_open(const sinter_schema_options *options, sinter_schema **out)
{
    sinter_schema_options o = SINTER_SCHEMA_OPTIONS_INIT;
    sinter__allocator a;
    *out = NULL;
    SINTER_TRY(take_options(options, &o));
    sinter__allocator_init(&a, o.realloc_fn, o.realloc_user);
    sinter_schema *s = sinter__alloc(&a, sizeof *s);
    if (s == NULL)
        return SINTER_ENOMEM;
    sinter__allocator_init(&s->allocator, o.realloc_fn, o.realloc_user);
    sinter__sizes_init(&s->sizes, &s->allocator);
    s->alignment_bytes = SINTER__MAX(o.alignment_bytes, (uint64_t)1);
    *out = s;
    return SINTER_OK;
}

void sinter__schema_allocator(const sinter_schema *s, sinter__allocator *out)
{
    sinter__allocator_init(out, s->allocator.realloc_fn, s->allocator.user);
}

void sinter_schema_destroy(sinter_schema *s)
{
    sinter__allocator a;
    if (s == NULL)
        return;
    sinter__free(&s->allocator, s->requests, s->capacity * sizeof *s->requests);
    sinter__sizes_finish(&s->sizes);
    sinter__schema_allocator(s, &a);
    sinter__free(&a, s, sizeof *s);
}

sinter_status sinter__schema_check_id(const char *id, size_t bytes)
{
    bool is_good = bytes > 0 && id[0] != ' ' && id[bytes - 1] != ' ';
    for (size_t i = 0; i < bytes && is_good; i++)
        is_good = id[i] != ',' && (unsigned char)id[i] >= ' ' && id[i] != 127;
    if (!is_good)
        return sinter__fail(SINTER_EINVAL,
                            "'%.*s' is no id: some characters, no comma and no control character",
                            (int)SINTER__MIN(bytes, (size_t)80), bytes > 0 ? id : "");
    return SINTER_OK;
}

sinter_status sinter__schema_add(sinter_schema *s, const sinter__schema_request *request,
                                 size_t id_bytes)
{
    void *requests = s->requests;
    if (s->count == SINTER__MOST_REQUESTS)
        return sinter__fail(SINTER_ERANGE, "schema: more than %u requests", SINTER__MOST_REQUESTS);
    SINTER_TRY(
        sinter__grow(&s->allocator, &requests, &s->capacity, s->count + 1, sizeof *s->requests));
    s->requests = requests;
    char *id = sinter__arena_alloc(&s->sizes.arena, id_bytes + 1);
    if (id == NULL)
        return SINTER_ENOMEM;
    memcpy(id, request->id, id_bytes);
    s->requests[s->count] = *request;
    s->requests[s->count++].id = id;
    return SINTER_OK;
}

sinter_status sinter__schema_find_twice(sinter__sizes *pool, const char *const *texts, size_t count,
                                        size_t *twice)
{
    size_t buckets = 16;
    *twice = count;
    while (buckets < 2 * count)
        buckets *= 2;
    uint32_t *table = sinter__arena_array(&pool->arena, buckets, sizeof *table);
    if (table == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < count && *twice == count; i++) {
        size_t at = sinter__hash_text(texts[i]) & (buckets - 1);
        while (table[at] != 0 && strcmp(texts[table[at] - 1], texts[i]) != 0)
            at = (at + 1) & (buckets - 1);
        if (table[at] != 0)
            *twice = i;
        table[at] = (uint32_t)i + 1;
    }
    return SINTER_OK;
}

/* Evaluating */

/* "request 'x', line 3" in front of the message. */
static sinter_status fail_request(const sinter_schema *s, size_t i, sinter_status status)
{
    char where[160];
    const sinter__schema_request *r = &s->requests[i];
    int used = snprintf(where, sizeof where, "request '%.100s'", r->id);
    if (r->line > 0 && used > 0)
        (void)snprintf(where + used, sizeof where - (size_t)used, " of line %u", r->line);
    return sinter__fail_in(status, where);
}

/* Bytes of each request; *wrong is the one at fault, or their count. */
static sinter_status evaluate(const sinter_schema *s, const sinter_symbol_value *binding,
                              size_t count, sinter__size_value *values, int64_t *bytes,
                              size_t *wrong)
{
    sinter_status status = sinter__sizes_bind(&s->sizes, binding, count, values);
    *wrong = s->count;
    for (size_t i = 0; i < s->count && status == SINTER_OK; i++) {
        status = sinter__size_evaluate(&s->sizes, s->requests[i].size, values, &bytes[i]);
        if (status == SINTER_OK && bytes[i] < 0)
            status = sinter__fail(SINTER_EINVAL, "its size is %lld, below 0", (long long)bytes[i]);
        if (status != SINTER_OK) {
            *wrong = i;
            return fail_request(s, i, status);
        }
    }
    return status;
}

/* What evaluating wants, in one block. */
typedef struct scratch {
    sinter__allocator allocator;
    sinter__size_value *values;
    int64_t *bytes;
    size_t size;
} scratch;

static sinter_status take_scratch(const sinter_schema *s, scratch *out)
{
    sinter__schema_allocator(s, &out->allocator);
    out->size = s->sizes.count * sizeof *out->values + (s->count + 1) * sizeof *out->bytes;
    out->values = sinter__alloc(&out->allocator, out->size);
    out->bytes = NULL;
    if (out->values == NULL)
        return SINTER_ENOMEM;
    out->bytes = (int64_t *)(void *)(out->values + s->sizes.count);
    return SINTER_OK;
}

static void give_scratch(scratch *s)
{
    sinter__free(&s->allocator, s->values, s->size);
}

/* Partitions */

/* A request that has its partition; they are gone through once for each other request. */
typedef struct placed {
    int64_t start, end;
    uint32_t partition;
} placed;

/* By hinted bytes, the most first, else in order. */
static sinter_status assign(sinter_schema *s, const int64_t *bytes, sinter__key *keys)
{
    sinter__slot_of_requests *list = sinter__arena_array(&s->sizes.arena, s->count, sizeof *list);
    placed *done = sinter__arena_array(&s->sizes.arena, s->count, sizeof *done);
    if (list == NULL || done == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < s->count; i++)
        keys[i] = (sinter__key){~(uint64_t)bytes[i], 0, (uint32_t)i};
    sinter__sort_keys(keys, s->count);
    for (size_t k = 0; k < s->count; k++) {
        sinter__schema_request *r = &s->requests[keys[k].index];
        for (size_t i = 0; i < k; i++) {
            if (done[i].start < r->end && r->start < done[i].end)
                list[done[i].partition].taken_by = keys[k].index + 1;
        }
        r->partition = (uint32_t)sinter__choose_slot(list, s->partition_count, keys[k].index);
        done[k] = (placed){r->start, r->end, r->partition};
        s->partition_count = SINTER__MAX(s->partition_count, r->partition + 1);
        if (!sinter__add_u64(list[r->partition].sum, (uint64_t)bytes[keys[k].index],
                             &list[r->partition].sum))
            return sinter__fail(SINTER_ERANGE,
                                "schema: the hinted sizes of a partition do not fit 64 bits");
    }
    return SINTER_OK;
}

/* Each partition is the largest of its requests, in their order in `keys`. */
static sinter_status measure(sinter_schema *s, const sinter__key *keys)
{
    sinter__arena *arena = &s->sizes.arena;
    uint32_t *first = sinter__arena_array(arena, (size_t)s->partition_count + 2, sizeof *first);
    sinter__size *members = sinter__arena_array(arena, s->count, sizeof *members);
    s->partitions = sinter__arena_array(arena, s->partition_count, sizeof *s->partitions);
    if (first == NULL || members == NULL || s->partitions == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < s->count; i++)
        first[s->requests[i].partition + 2]++;
    for (uint32_t k = 2; k < s->partition_count + 2; k++)
        first[k] += first[k - 1];
    for (size_t i = 0; i < s->count; i++) {
        const sinter__schema_request *r = &s->requests[keys[i].index];
        members[first[r->partition + 1]++] = r->size;
    }
    for (uint32_t k = 0; k < s->partition_count; k++)
        SINTER_TRY(sinter__size_max(&s->sizes, members + first[k], first[k + 1] - first[k],
                                    &s->partitions[k]));
    return SINTER_OK;
}

static sinter_status add_up(sinter_schema *s)
{
    sinter__size *rounded =
        sinter__arena_array(&s->sizes.arena, s->partition_count, sizeof *rounded);
    if (rounded == NULL)
        return SINTER_ENOMEM;
    for (uint32_t k = 0; k < s->partition_count; k++)
        SINTER_TRY(sinter__size_align(&s->sizes, s->partitions[k], (int64_t)s->alignment_bytes,
                                      &rounded[k]));
    return sinter__size_sum(&s->sizes, rounded, s->partition_count, &s->total);
}

/* When requests begin and end. `keys` has room for two a request. */
static sinter_status list_events(sinter_schema *s, sinter__key *keys)
{
    for (size_t i = 0; i < s->count; i++) {
        const sinter__schema_request *r = &s->requests[i];
        if (r->start == r->end)
            continue;
        keys[s->event_count++] = (sinter__key){(uint64_t)r->start, 1, (uint32_t)(2 * i)};
        keys[s->event_count++] = (sinter__key){(uint64_t)r->end, 0, (uint32_t)(2 * i + 1)};
    }
    sinter__sort_keys(keys, s->event_count);
    s->events = sinter__arena_array(&s->sizes.arena, s->event_count, sizeof *s->events);
    if (s->events == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < s->event_count; i++)
        s->events[i] = keys[i].index;
    return SINTER_OK;
}

sinter_status sinter__schema_close(sinter_schema *s, const sinter_schema_options *options,
                                   size_t *wrong)
{
    scratch work;
    sinter__key *keys = sinter__arena_array(&s->sizes.arena, 2 * s->count, sizeof *keys);
    *wrong = s->count;
    if (keys == NULL)
        return SINTER_ENOMEM;
    SINTER_TRY(take_scratch(s, &work));
    sinter_status status =
        evaluate(s, options->hint, options->hint_count, work.values, work.bytes, wrong);
    if (status != SINTER_OK)
        status = sinter__fail_in(status, "under the hint");
    else
        status = assign(s, work.bytes, keys);
    give_scratch(&work);
    if (status == SINTER_OK)
        status = measure(s, keys);
    if (status == SINTER_OK)
        status = add_up(s);
    return status == SINTER_OK ? list_events(s, keys) : status;
}

/* The public functions */

size_t sinter_schema_count(const sinter_schema *s)
{
    return s != NULL ? s->count : 0;
}

size_t sinter_schema_partition_count(const sinter_schema *s)
{
    return s != NULL ? s->partition_count : 0;
}

sinter_status sinter_schema_get(const sinter_schema *s, size_t index,
                                sinter_schema_request *request)
{
    sinter__clear_error();
    if (s == NULL || request == NULL || index >= s->count)
        return sinter__fail(SINTER_EINVAL, "schema: NULL, or there is no request %zu", index);
    const sinter__schema_request *r = &s->requests[index];
    *request = (sinter_schema_request){
        .id = r->id, .start = r->start, .end = r->end, .partition = r->partition, .line = r->line};
    return SINTER_OK;
}

sinter_status sinter_schema_find(const sinter_schema *s, uint32_t value, sinter_value_place *place,
                                 uint32_t *request)
{
    sinter__clear_error();
    if (s == NULL || place == NULL || value >= s->value_count)
        return sinter__fail(SINTER_EINVAL, "schema: NULL, or there is no value %u", value);
    *place = s->values[value].place;
    if (request != NULL)
        *request = s->values[value].request;
    return SINTER_OK;
}

bool sinter_schema_is_monotone(const sinter_schema *s, const char *symbol)
{
    bool is_monotone = s != NULL && symbol != NULL;
    for (size_t i = 0; is_monotone && i < s->count; i++)
        is_monotone = sinter__size_is_monotone(&s->sizes, s->requests[i].size, symbol);
    return is_monotone;
}

static sinter_status check_binding(const sinter_schema *s, const sinter_symbol_value *binding,
                                   size_t count, const void *out)
{
    sinter__clear_error();
    if (s == NULL || (binding == NULL && count > 0) || out == NULL)
        return sinter__fail(SINTER_EINVAL,
                            "schema: NULL for the schema, the binding or the result");
    return SINTER_OK;
}

sinter_status sinter_schema_evaluate(const sinter_schema *s, const sinter_symbol_value *binding,
                                     size_t count, sinter_plan_request *requests)
{
    scratch work;
    size_t wrong;
    SINTER_TRY(check_binding(s, binding, count, requests));
    SINTER_TRY(take_scratch(s, &work));
    sinter_status status = evaluate(s, binding, count, work.values, work.bytes, &wrong);
    for (size_t i = 0; i < s->count && status == SINTER_OK; i++)
        requests[i] = (sinter_plan_request){.start = s->requests[i].start,
                                            .end = s->requests[i].end,
                                            .bytes = (uint64_t)work.bytes[i]};
    give_scratch(&work);
    return status;
}

/* The most bytes alive at one step. */
static sinter_status find_peak(const sinter_schema *s, const int64_t *bytes,
                               sinter_schema_result *result)
{
    uint64_t alive = 0;
    for (size_t i = 0; i < s->event_count; i++) {
        uint32_t request = s->events[i] / 2;
        if (s->events[i] % 2 != 0) {
            alive -= (uint64_t)bytes[request];
            continue;
        }
        if (!sinter__add_u64(alive, (uint64_t)bytes[request], &alive))
            return fail_request(
                s, request,
                sinter__fail(SINTER_ERANGE, "the bytes alive with it do not fit 64 bits"));
        if (alive > result->peak_bytes) {
            result->peak_bytes = alive;
            result->peak_step = s->requests[request].start;
        }
    }
    return SINTER_OK;
}

/* Where each partition begins, in `starts`. */
static sinter_status lay_out(const sinter_schema *s, const sinter__size_value *values,
                             uint64_t *starts, sinter_schema_result *result)
{
    for (uint32_t k = 0; k < s->partition_count; k++) {
        int64_t bytes;
        SINTER_TRY(sinter__size_evaluate(&s->sizes, s->partitions[k], values, &bytes));
        starts[k] = result->total_bytes;
        uint64_t rounded = sinter__align_up((uint64_t)bytes, s->alignment_bytes);
        if (!sinter__add_u64(starts[k], rounded, &result->total_bytes) ||
            result->total_bytes > INT64_MAX) {
            return sinter__fail(SINTER_ERANGE,
                                "schema: partition %u of %llu bytes at %llu ends beyond 63 bits", k,
                                (unsigned long long)rounded, (unsigned long long)starts[k]);
        }
    }
    return SINTER_OK;
}

static sinter_status resolve(const sinter_schema *s, const scratch *work, uint64_t *starts,
                             sinter_schema_result *result)
{
    result->partition_count = s->partition_count;
    SINTER_TRY(find_peak(s, work->bytes, result));
    SINTER_TRY(lay_out(s, work->values, starts, result));
    result->usage = 1;
    if (result->total_bytes > 0)
        result->usage = (double)result->peak_bytes / (double)result->total_bytes;
    return SINTER_OK;
}

sinter_status sinter_schema_resolve(const sinter_schema *s, const sinter_symbol_value *binding,
                                    size_t count, uint64_t *offsets, uint64_t *partition_offsets,
                                    sinter_schema_result *result)
{
    scratch work;
    size_t wrong;
    SINTER_TRY(check_binding(s, binding, count, result));
    sinter_schema_result full = SINTER_SCHEMA_RESULT_INIT;
    SINTER_TRY(sinter__sized_check("schema: a result", result->size));
    sinter__sized_give(result, result->size, &full, sizeof full);
    SINTER_TRY(take_scratch(s, &work));
    uint64_t *starts =
        sinter__alloc_array(&work.allocator, (size_t)s->partition_count + 1, sizeof *starts);
    sinter_status status = starts != NULL ? SINTER_OK : SINTER_ENOMEM;
    if (status == SINTER_OK)
        status = evaluate(s, binding, count, work.values, work.bytes, &wrong);
    if (status == SINTER_OK)
        status = resolve(s, &work, starts, &full);
    for (size_t i = 0; status == SINTER_OK && offsets != NULL && i < s->count; i++)
        offsets[i] = starts[s->requests[i].partition];
    if (status == SINTER_OK && partition_offsets != NULL)
        memcpy(partition_offsets, starts, s->partition_count * sizeof *starts);
    sinter__free(&work.allocator, starts, ((size_t)s->partition_count + 1) * sizeof *starts);
    sinter__sized_give(result, result->size, &full, sizeof full);
    give_scratch(&work);
    return status;
}
