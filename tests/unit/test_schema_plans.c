/* Plans of a schema, kept by the values of its symbols: what is planned, what is met again, and that a
 * plan for more holds for less. */
#include "support/support.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "id,lower,upper,size\n"
                           "x,0,2,4*S*64\n"
                           "scores,1,3,S*(S+P)*8\n"
                           "soft,2,4,S*(S+P)*8\n"
                           "out,3,5,4*S*64\n";
enum { REQUESTS = 4 };

static const sinter_symbol_value steps[] = {{"S", 1}, {"P", 64}};

static sinter_schema *parse(const char *lines, sinter_realloc_fn realloc_fn, void *user)
{
    const sinter_symbol_value hint[] = {{"S", 8}, {"P", 100}};
    sinter_schema_options options = SINTER_SCHEMA_OPTIONS_INIT;
    sinter_schema *s = NULL;
    options.hint = hint;
    options.hint_count = 2;
    options.alignment_bytes = 128;
    options.realloc_fn = realloc_fn;
    options.realloc_user = user;
    OK(sinter_schema_parse(lines, strlen(lines), &options, &s, NULL));
    return s;
}

static sinter_schema_plans *open_plans(const sinter_schema *s, uint32_t most)
{
    sinter_schema_plans_options options = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter_schema_plans *p = NULL;
    options.symbols = steps;
    options.symbol_count = 2;
    options.most = most;
    OK(sinter_schema_plans_create(s, &options, &p));
    return p;
}

/* The plan for S and P is the planner's for P rounded up, and right for P itself. */
static void find(sinter_schema_plans *p, const sinter_schema *s, int64_t wide, int64_t past)
{
    const int64_t values[] = {wide, past};
    const sinter_symbol_value rounded[] = {{"S", wide}, {"P", (past + 63) / 64 * 64}};
    const sinter_symbol_value exact[] = {{"S", wide}, {"P", past}};
    const uint64_t *offsets;
    sinter_plan_request requests[REQUESTS];
    sinter_plan_result found = {.size = sizeof found};
    sinter_plan_result planned = {.size = sizeof planned};
    sinter_plan_options options = SINTER_PLAN_OPTIONS_INIT;
    options.strategy = SINTER_PLAN_GREEDY;
    options.alignment_bytes = 128;
    max_align_t scratch[4096 / sizeof(max_align_t)];
    OK(sinter_schema_plans_find(p, values, &offsets, &found));
    OK(sinter_schema_evaluate(s, rounded, 2, requests));
    OK(sinter_plan_memory(requests, REQUESTS, &options, scratch, sizeof scratch, &planned));
    assert_int_equal(found.total_bytes, planned.total_bytes);
    assert_int_equal(found.bound_bytes, planned.bound_bytes);
    for (int i = 0; i < REQUESTS; i++)
        assert_int_equal(offsets[i], requests[i].offset_bytes);
    OK(sinter_schema_evaluate(s, exact, 2, requests));
    for (int i = 0; i < REQUESTS; i++)
        requests[i].offset_bytes = offsets[i];
    OK(sinter_plan_check(requests, REQUESTS, &options, found.total_bytes, scratch, sizeof scratch));
}

static void a_symbol_that_grows_is_planned_once_a_step(void **state)
{
    (void)state;
    sinter_schema *s = parse(text, NULL, NULL);
    sinter_schema_plans *p = open_plans(s, 0);
    for (int64_t past = 1; past <= 200; past++)
        find(p, s, 1, past);
    assert_int_equal(sinter_schema_plans_made(p), 4);
    find(p, s, 2, 200); /* S is taken as it is */
    find(p, s, 1, 0);
    assert_int_equal(sinter_schema_plans_made(p), 6);
    sinter_schema_plans_destroy(p);
    sinter_schema_destroy(s);
}

static void what_was_used_longest_ago_goes(void **state)
{
    (void)state;
    sinter_schema *s = parse(text, NULL, NULL);
    sinter_schema_plans *p = open_plans(s, 2);
    const struct {
        int64_t wide;
        uint64_t made;
    } asked[] = {{1, 1}, {2, 2}, {1, 2}, {3, 3}, {1, 3}, {2, 4}, {1, 4}, {3, 5}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        find(p, s, asked[i].wide, 64);
        assert_int_equal(sinter_schema_plans_made(p), asked[i].made);
    }
    sinter_schema_plans_destroy(p);
    sinter_schema_destroy(s);
}

static void fails_to_open(const sinter_schema *s, sinter_status status,
                          sinter_schema_plans_options options)
{
    sinter_schema_plans *p = (sinter_schema_plans *)(void *)&options;
    assert_int_equal(sinter_schema_plans_create(s, &options, &p), status);
    assert_null(p);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    sinter_schema *s = parse("id,lower,upper,size\na,0,1,100-S\nb,0,1,P\n", NULL, NULL);
    static sinter_symbol_value many[65];
    const sinter_symbol_value shrinks = {"S", 2};
    const sinter_symbol_value no_step = {"P", 0};
    const sinter_symbol_value no_name = {NULL, 1};
    const sinter_symbol_value twice[] = {{"P", 1}, {"P", 1}};
    sinter_schema_plans_options o = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter_schema_plans *p;
    fails_to_open(NULL, SINTER_EINVAL, o);
    o.symbol_count = 1;
    fails_to_open(s, SINTER_EINVAL, o);
    o.symbols = &shrinks;
    fails_to_open(s, SINTER_EINVAL, o);
    assert_non_null(strstr(sinter_last_error(), "'S'"));
    o.symbols = &no_step;
    fails_to_open(s, SINTER_EINVAL, o);
    o.symbols = &no_name;
    fails_to_open(s, SINTER_EINVAL, o);
    o.symbols = twice;
    o.symbol_count = 2;
    fails_to_open(s, SINTER_EINVAL, o);
    assert_non_null(strstr(sinter_last_error(), "'P'"));
    o.symbols = many;
    o.symbol_count = 65;
    fails_to_open(s, SINTER_ERANGE, o);
    o.symbol_count = 0;
    o.strategy = SINTER_PLAN_REFIT;
    fails_to_open(s, SINTER_EINVAL, o);
    o.strategy = SINTER_PLAN_GREEDY;
    o.size--;
    fails_to_open(s, SINTER_EINVAL, o);
    o.size++;
    assert_int_equal(sinter_schema_plans_create(s, &o, NULL), SINTER_EINVAL);
    assert_int_equal(sinter_schema_plans_create(s, NULL, &p), SINTER_EINVAL);
    sinter_schema_plans_destroy(NULL);
    assert_int_equal(sinter_schema_plans_made(NULL), 0);
    sinter_schema_destroy(s);
}

static void what_cannot_be_planned_is_not_kept(void **state)
{
    (void)state;
    sinter_schema *s = parse(text, NULL, NULL);
    sinter_schema_plans *p = open_plans(s, 0);
    const uint64_t *offsets;
    sinter_plan_result r = {.size = sizeof r};
    FAILS(SINTER_EINVAL, sinter_schema_plans_find(p, (int64_t[]){1, -1}, &offsets, &r));
    FAILS(SINTER_ERANGE, sinter_schema_plans_find(p, (int64_t[]){1, INT64_MAX}, &offsets, &r));
    assert_string_equal(sinter_last_error(),
                        "schema_plans: symbol 'P' overflows when it is rounded up to 64");
    FAILS(SINTER_ERANGE, sinter_schema_plans_find(p, (int64_t[]){INT64_MAX / 2, 64}, &offsets, &r));
    FAILS(SINTER_ERANGE, sinter_schema_plans_find(p, (int64_t[]){INT64_MAX / 2, 64}, &offsets, &r));
    FAILS(SINTER_EINVAL, sinter_schema_plans_find(p, NULL, &offsets, &r));
    FAILS(SINTER_EINVAL, sinter_schema_plans_find(NULL, (int64_t[]){1, 1}, &offsets, &r));
    r.size = 1;
    FAILS(SINTER_EINVAL, sinter_schema_plans_find(p, (int64_t[]){1, 1}, &offsets, &r));
    assert_int_equal(sinter_schema_plans_made(p), 0);
    find(p, s, 1, 1);
    sinter_schema_plans_destroy(p);
    sinter_schema_destroy(s);
}

/* Gives memory until there is none left to give. */
typedef struct giving {
    int left, alive;
} giving;

static void *give(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    giving *g = user;
    (void)old_bytes;
    if (new_bytes == 0) {
        g->alive -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (g->left-- <= 0)
        return NULL;
    g->alive += ptr == NULL;
    return realloc(ptr, new_bytes);
}

static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    giving g = {.left = 1000};
    sinter_schema *s = parse(text, give, &g);
    sinter_schema_plans_options options = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter_schema_plans *p = NULL;
    int before = g.alive;
    int failures = 0;
    options.symbols = steps;
    options.symbol_count = 2;
    for (g.left = 0; sinter_schema_plans_create(s, &options, &p) != SINTER_OK; g.left = failures) {
        assert_null(p);
        assert_int_equal(g.alive, before);
        failures++;
    }
    assert_true(failures >= 2);
    sinter_schema_plans_destroy(p);
    assert_int_equal(g.alive, before);
    sinter_schema_destroy(s);
    assert_int_equal(g.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_symbol_that_grows_is_planned_once_a_step),
        cmocka_unit_test(what_was_used_longest_ago_goes),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(what_cannot_be_planned_is_not_kept),
        cmocka_unit_test(nothing_is_lost_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
