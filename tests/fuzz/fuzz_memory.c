/* What memory/ is asked for in C, with numbers that bytes say: requests with aliases and fixed
 * places, planned and judged; plans that are wrong, judged; a graph's profile; a program's schema,
 * and its plans by the values of its symbols. Allocations fail where the bytes say. */
#include "api_recorder.h"

#include <sinter/sinter.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST 24        /* requests, nodes or values */
#define CHECK_BYTES 44 /* of a request, for the judge: sinter/plan.h */

static const uint8_t *at;
static size_t left;

static void check(bool holds)
{
    if (!holds)
        abort();
}

static uint8_t take(void)
{
    if (left == 0)
        return 0;
    left--;
    return *at++;
}

/* Small, mostly. */
static uint64_t take_bytes(void)
{
    static const uint64_t far[] = {UINT64_MAX, UINT64_MAX / 2, (uint64_t)1 << 62, INT64_MAX};
    uint8_t b = take();
    return b < 250 ? (uint64_t)(b % 32) * (1 + b / 32) : far[b % 4];
}

static bool is_judged(sinter_status status)
{
    return status == SINTER_OK || sinter_last_error()[0] != '\0';
}

/* Plans */

static void take_requests(sinter_plan_request *requests, sinter_plan_alias *aliases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t b = take();
        sinter_plan_request *r = &requests[i];
        *r = (sinter_plan_request){.start = b % 16, .bytes = take_bytes()};
        r->end = r->start + b / 16;
        b = take();
        r->is_fixed = b % 8 == 1;
        r->offset_bytes = r->is_fixed ? take() : 0;
        r->alignment_bytes = b / 8 % 8 == 1 ? (uint64_t)1 << b / 64 : b == 255 ? 3 : 0;
        if (b == 254)
            r->end = -1;
        b = take();
        aliases[i] =
            (sinter_plan_alias){.kind = b < 128 ? SINTER_PLAN_OWN : (sinter_plan_kind)(b % 16 % 5),
                                .of = take() % (MOST + 1u),
                                .offset_bytes = b / 64 % 2 * (uint64_t)take()};
    }
}

/* Whatever a plan is changed to is judged, and something or other is said of it. */
static void judge_wrong(sinter_plan_request *requests, sinter_plan_alias *aliases, size_t count,
                        const sinter_plan_options *o, uint64_t total, void *scratch, size_t bytes)
{
    for (int i = 0; i < 4; i++) {
        sinter_plan_request *r = &requests[take() % count];
        uint8_t b = take();
        r->offset_bytes += b % 4 == 0 ? take() : 0;
        r->offset_bytes -= b % 4 == 1 ? take() % (r->offset_bytes + 1) : 0;
        r->end = b % 4 == 2 ? take() - 1 : r->end;
        aliases[take() % count].of = b % 4 == 3 ? take() : (uint32_t)(b % count);
        check(is_judged(sinter_plan_check(requests, count, o, total, scratch, bytes)));
    }
}

static void plan(void)
{
    sinter_plan_request requests[MOST];
    sinter_plan_alias aliases[MOST];
    sinter_plan_result result = {.size = sizeof result};
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    size_t bytes = 0;
    size_t count = 1 + take() % MOST;
    uint8_t b = take();
    o.strategy = (sinter_plan_strategy)(b == 255 ? 9 : b % 4);
    o.alignment_bytes = b == 254 ? 3 : (uint64_t)1 << b / 4 % 8;
    o.aliases = b >= 128 ? aliases : NULL;
    o.slab_bytes = (b & 32) != 0 ? (uint64_t)take() * 4 : 0;
    o.node_budget = b == 253 ? 0 : 2000;
    o.capacity_bytes = (b & 64) != 0 ? take() : 0;
    take_requests(requests, aliases, count);
    sinter_status status = sinter_plan_scratch_bytes(count, &o, &bytes);
    check(is_judged(status));
    if (status != SINTER_OK)
        return;
    const size_t check_bytes = CHECK_BYTES * count;
    void *scratch = malloc(bytes); /* what was promised and no byte more */
    void *check_scratch = malloc(check_bytes);
    check(scratch != NULL && check_scratch != NULL);
    status = sinter_plan_memory(requests, count, &o, scratch, bytes, &result);
    check(is_judged(status));
    if (status == SINTER_OK) {
        check(result.total_bytes >= result.bound_bytes);
        check(sinter_plan_check(requests, count, &o, result.total_bytes, check_scratch,
                                check_bytes) == SINTER_OK);
    }
    judge_wrong(requests, aliases, count, &o, result.total_bytes, check_scratch, check_bytes);
    free(check_scratch);
    free(scratch);
}

/* Profiles */

static void profile(void)
{
    static const char *const names[] = {NULL, "view", "x", "view_2"};
    sinter_memory_node nodes[MOST] = {0};
    uint32_t inputs[MOST][3];
    uint64_t entries[2 * MOST + 2] = {0};
    sinter_memory_summary summary = {.size = sizeof summary};
    sinter_memory_graph graph = SINTER_MEMORY_GRAPH_INIT;
    uint64_t most = 0;
    size_t bytes = 0;
    uint8_t b = take();
    graph.nodes = nodes;
    graph.count = 1 + take() % MOST;
    graph.rules = b % 17;
    graph.backward = b >= 64 ? take() % (graph.count + 2) : 0;
    for (size_t i = 0; i < graph.count; i++) {
        b = take();
        nodes[i] = (sinter_memory_node){.name = names[b / 64],
                                        .inputs = inputs[i],
                                        .input_count = b / 8 % 4,
                                        .kind = (sinter_memory_kind)(b % 8),
                                        .is_releasable = b / 32 % 2,
                                        .bytes = take_bytes()};
        for (uint32_t k = 0; k < nodes[i].input_count; k++) {
            b = take();
            inputs[i][k] = b < 224 ? b % (uint32_t)(i + (i == 0)) : b % (MOST + 2u);
        }
        nodes[i].key = nodes[i].kind == SINTER_MEMORY_PART ? take() % 4 : 0;
    }
    check(sinter_memory_scratch_bytes(graph.count, &bytes) == SINTER_OK);
    void *scratch = malloc(bytes);
    check(scratch != NULL);
    sinter_status status = sinter_memory_profile(&graph, entries, scratch, bytes, &summary);
    check(is_judged(status));
    for (uint32_t i = 0; i < summary.entry_count && status == SINTER_OK; i++)
        most = entries[i] > most ? entries[i] : most;
    check(status != SINTER_OK || summary.peak_bytes >= most);
    free(scratch);
}

/* Schemas */

static void count_text(void *user, const char *text, size_t bytes)
{
    (void)text;
    *(size_t *)user += bytes;
}

static sinter_schema *make_schema(const sinter_schema_options *options)
{
    static const char *const sizes[] = {
        "S*4",   "S*P", "max(S,P)*2", "7",         "S - P",
        "P",     "S*S", "64",         "S*2 + P*8", "S/2",
        "Q * 4", "(",   NULL,         "P*3",       "4611686018427387904 * S",
        "16"};
    static const char *const names[] = {"v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",
                                        "v8",  "v9",  "v10", "v11", "v12", "v13", "v14", "v15",
                                        "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23"};
    sinter_schema_value values[MOST];
    sinter_schema_node nodes[MOST];
    uint32_t inputs[MOST][2];
    sinter_schema *s = NULL;
    sinter_schema_program p = {.nodes = nodes, .values = values};
    p.value_count = p.node_count = 1 + take() % MOST;
    for (uint32_t i = 0; i < p.value_count; i++) {
        uint8_t b = take();
        values[i] = (sinter_schema_value){.name = b == 255   ? "v,0"
                                                  : b == 254 ? "v0"
                                                             : names[i],
                                          .size = sizes[take() % 16],
                                          .node = b % 8 == 7            ? SINTER_NO_INDEX
                                                  : b % 8 == 6 && i > 0 ? i - 1
                                                                        : i,
                                          .view_of = SINTER_NO_INDEX,
                                          .flags = b / 8 % 8 == 1 ? 1u << b / 64 : 0};
        if (b / 8 % 8 == 2)
            values[i].view_of = take() % (MOST + 1u);
        nodes[i] = (sinter_schema_node){
            .inputs = inputs[i], .input_count = i > 0 ? b / 16 % 3 : 0, .has_effects = b % 4 == 3};
        for (uint32_t k = 0; k < nodes[i].input_count; k++)
            inputs[i][k] = take() % (i + (take() == 255));
    }
    sinter_status status = sinter_schema_create(&p, options, &s);
    check((status == SINTER_OK) == (s != NULL) && is_judged(status));
    for (uint32_t i = 0; i < p.value_count && s != NULL; i++) {
        sinter_value_place place;
        uint32_t request;
        check(sinter_schema_find(s, i, &place, &request) == SINTER_OK);
        check((request != SINTER_NO_INDEX) ==
              (place == SINTER_PLACE_WORKSPACE || place == SINTER_PLACE_VIEW));
    }
    return s;
}

static int64_t rounded(int64_t value, int64_t step)
{
    return value % step > 0 ? value + (step - value % step) : value;
}

/* Plans that are kept are those of the values, rounded up. */
static void find_plans(const sinter_schema *s, uint64_t alignment)
{
    sinter_plan_request requests[MOST];
    _Alignas(max_align_t) char scratch[CHECK_BYTES * MOST];
    sinter_schema_plans *plans = NULL;
    uint8_t b = take();
    const sinter_symbol_value steps[] = {{"S", 1 + b % 8}, {"P", b / 8 % 4}};
    sinter_schema_plans_options o = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter_plan_options judged = SINTER_PLAN_OPTIONS_INIT;
    o.symbols = steps;
    o.symbol_count = 2;
    o.most = 1 + b / 64;
    o.node_budget = 100;
    o.strategy = (sinter_plan_strategy)(b / 32 % 4);
    judged.alignment_bytes = alignment;
    sinter_status status = sinter_schema_plans_create(s, &o, &plans);
    check((status == SINTER_OK) == (plans != NULL) && is_judged(status));
    for (int i = 0; i < 12 && plans != NULL; i++) {
        sinter_plan_result result = {.size = sizeof result};
        const uint64_t *offsets = NULL;
        b = take();
        const int64_t values[] = {b == 255 ? INT64_MAX - 1 : b % 16, b / 16};
        status = sinter_schema_plans_find(plans, values, &offsets, &result);
        check(is_judged(status));
        if (status != SINTER_OK)
            continue;
        const sinter_symbol_value binding[] = {{"S", rounded(values[0], steps[0].value)},
                                               {"P", rounded(values[1], steps[1].value)}};
        if (sinter_schema_evaluate(s, binding, 2, requests) != SINTER_OK)
            continue; /* for lack of memory */
        for (size_t k = 0; k < sinter_schema_count(s); k++)
            requests[k].offset_bytes = offsets[k];
        check(sinter_plan_check(requests, sinter_schema_count(s), &judged, result.total_bytes,
                                scratch, sizeof scratch) == SINTER_OK);
    }
    sinter_schema_plans_destroy(plans);
}

static void schema(void)
{
    static const sinter_symbol_value hint[] = {{"S", 8}, {"P", 3}};
    sinter_schema_request request;
    sinter_schema_result result = {.size = sizeof result};
    uint64_t offsets[MOST];
    uint64_t partitions[MOST];
    size_t written = 0;
    uint8_t b = take();
    sinter_schema_options options = SINTER_SCHEMA_OPTIONS_INIT;
    options.hint = hint;
    options.hint_count = 2;
    options.alignment_bytes = b == 255 ? 3 : (uint64_t)1 << b % 8;
    options.realloc_fn = recorder_realloc;
    size_t before = recorder_live();
    recorder_start(
        (recorder_plan){.allocation = b >= 128 ? take() % 64u : 0, .goes_on = b / 8 % 2 != 0});
    sinter_schema *s = make_schema(&options);
    if (s != NULL) {
        const sinter_symbol_value binding[] = {{"S", take()}, {"P", take() - 1}};
        for (size_t i = 0; i < sinter_schema_count(s); i++)
            check(sinter_schema_get(s, i, &request) == SINTER_OK &&
                  request.partition < sinter_schema_partition_count(s));
        (void)sinter_schema_is_monotone(s, "S");
        check(is_judged(sinter_schema_resolve(s, binding, 2, offsets, partitions, &result)));
        check(is_judged(sinter_schema_write(s, count_text, &written)));
        check(is_judged(sinter_schema_table(s, count_text, &written)));
        find_plans(s, options.alignment_bytes);
        sinter_schema_destroy(s);
    }
    recorder_start((recorder_plan){0});
    check(recorder_live() == before);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static void (*const all[])(void) = {plan, profile, schema};
    at = data;
    left = bytes;
    all[take() % 3]();
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
