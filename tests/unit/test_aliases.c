/* Views and results in place: what a plan says of them, and what happens to every byte when it runs. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40
#define STEPS 24

typedef struct problem {
    sinter_plan_request r[MOST];
    sinter_plan_alias a[MOST];
    size_t count;
    sinter_plan_options o;
} problem;

static max_align_t scratch[MOST * MOST * 40 / sizeof(max_align_t)];

static problem empty(sinter_plan_strategy strategy)
{
    problem p = {.o = SINTER_PLAN_OPTIONS_INIT};
    p.o.strategy = strategy;
    return p;
}

static uint32_t add(problem *p, int64_t start, int64_t end, uint64_t bytes)
{
    p->r[p->count] = (sinter_plan_request){.start = start, .end = end, .bytes = bytes};
    p->a[p->count] = (sinter_plan_alias){.kind = SINTER_PLAN_OWN};
    return (uint32_t)p->count++;
}

static uint32_t add_view(problem *p, int64_t start, int64_t end, uint32_t of, uint64_t at,
                         uint64_t bytes)
{
    uint32_t i = add(p, start, end, bytes);
    p->a[i] = (sinter_plan_alias){SINTER_PLAN_VIEW, of, at};
    return i;
}

static uint32_t add_in_place(problem *p, int64_t start, int64_t end, uint32_t of)
{
    uint32_t i = add(p, start, end, p->r[of].bytes);
    p->a[i] = (sinter_plan_alias){SINTER_PLAN_IN_PLACE, of, 0};
    return i;
}

static sinter_status judge(problem *p, uint64_t total)
{
    p->o.aliases = p->a;
    return sinter_plan_check(p->r, p->count, &p->o, total, scratch, sizeof scratch);
}

static sinter_status try_plan(problem *p, sinter_plan_result *result)
{
    size_t bytes;
    *result = (sinter_plan_result){.size = sizeof *result};
    p->o.aliases = p->a;
    OK(sinter_plan_scratch_bytes(p->count, &p->o, &bytes));
    assert_true(bytes <= sizeof scratch);
    return sinter_plan_memory(p->r, p->count, &p->o, scratch, bytes, result);
}

static uint64_t plan(problem *p)
{
    sinter_plan_result res;
    OK(try_plan(p, &res));
    OK(judge(p, res.total_bytes));
    return res.total_bytes;
}

static void views_keep_their_root(void **state)
{
    (void)state;
    for (int64_t end = 1; end < 4;
         end++) { /* of the one between, which may never be alive itself */
        problem p = empty(SINTER_PLAN_EXACT);
        uint32_t root = add(&p, 0, 2, 100);
        uint32_t view = add_view(&p, 1, end, root, 20, 50);
        uint32_t last = add_view(&p, 2, 9, view, 10, 40);
        uint32_t other = add(&p, 4, 6, 100);
        assert_int_equal(plan(&p), 200);
        assert_int_equal(p.r[view].offset_bytes, p.r[root].offset_bytes + 20);
        assert_int_equal(p.r[last].offset_bytes, p.r[root].offset_bytes + 30);
        assert_true(p.r[last].storage == root && p.r[other].storage == other);
        p.a[root].kind = SINTER_PLAN_ELSEWHERE;
        assert_int_equal(plan(&p), 100);
    }
}

static void a_chain_in_place_takes_one_storage(void **state)
{
    (void)state;
    problem p = empty(SINTER_PLAN_GREEDY);
    uint32_t last = add(&p, 0, 2, 100);
    for (int64_t s = 1; s < 10; s++)
        last = add_in_place(&p, s, s + 2, last);
    assert_int_equal(plan(&p), 100);
    assert_int_equal(p.r[last].storage, 0);
    for (size_t i = 0; i < p.count; i++)
        p.a[i].kind = SINTER_PLAN_OWN;
    assert_int_equal(plan(&p), 200);
}

static void in_place_of_what_is_still_needed_is_not(void **state)
{
    (void)state;
    problem p = empty(SINTER_PLAN_EXACT);
    uint32_t x = add(&p, 0, 3, 64);
    uint32_t y = add_in_place(&p, 2, 4, x);
    plan(&p);
    assert_int_equal(p.r[y].storage, x);
    uint32_t second = add_in_place(&p, 2, 4, x); /* its bytes are y's by then */
    plan(&p);
    assert_true(p.r[y].storage == x && p.r[second].storage == second);
    p.count--;
    p.r[x].end = 4; /* used by the next step as well */
    plan(&p);
    assert_int_equal(p.r[y].storage, y);
    p.r[x].end = 3;
    uint32_t view = add_view(&p, 1, 5, x, 0, 10);
    plan(&p);
    assert_true(p.r[y].storage == y && p.r[view].storage == x);
    p.r[view].end = 3;
    plan(&p);
    assert_int_equal(p.r[y].storage, x);
    p.r[y].bytes = 63;
    plan(&p);
    assert_int_equal(p.r[y].storage, y);
    p.r[y].bytes = 64;
    p.r[y].alignment_bytes = 32;
    plan(&p);
    assert_int_equal(p.r[y].storage, y);
    p.r[x].alignment_bytes = 32;
    plan(&p);
    assert_int_equal(p.r[y].storage, x);
    p.a[x].kind = SINTER_PLAN_ELSEWHERE;
    plan(&p);
    assert_int_equal(p.r[y].storage, y);
}

static void edges_are_as_the_others(void **state)
{
    (void)state;
    /* The plan's alignment counts where a request has none of its own. */
    problem p = empty(SINTER_PLAN_GREEDY);
    p.o.alignment_bytes = 64;
    add(&p, 0, 3, 8);
    add_in_place(&p, 2, 5, 0);
    p.r[1].alignment_bytes = 16;
    assert_int_equal(plan(&p), 64);
    /* Another may be fixed behind what is fixed: it is not taken over. */
    p = empty(SINTER_PLAN_EXACT);
    add(&p, 0, 3, 8);
    add(&p, 3, 6, 8);
    p.r[0].is_fixed = p.r[1].is_fixed = 1;
    add_in_place(&p, 2, 5, 0);
    assert_int_equal(plan(&p), 16);
    /* What takes no room has no alignment that a slab could break. */
    p = empty(SINTER_PLAN_GREEDY);
    p.o.slab_bytes = 1024;
    add(&p, 0, 3, 8);
    add_view(&p, 0, 3, 0, 0, 8);
    p.r[1].alignment_bytes = 4096;
    assert_int_equal(plan(&p), 8);
    /* The last of all steps. */
    p = empty(SINTER_PLAN_GREEDY);
    add(&p, 0, INT64_MAX, 8);
    add_in_place(&p, INT64_MAX - 1, INT64_MAX, 0);
    assert_int_equal(plan(&p), 8);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    sinter_plan_result res;
    problem good = empty(SINTER_PLAN_EXACT);
    add(&good, 0, 5, 100);
    add_view(&good, 1, 5, 0, 0, 50);
    add_view(&good, 1, 5, 1, 0, 50);
    problem p = good;
    p.a[1].of = 2;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "requests 1 and 2 are views of each other");
    assert_int_equal(res.refused, 1);
    assert_int_equal(res.refused_with, 2);
    p = good;
    p.a[2].of = 2;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "requests 2 and 2 are views of each other");
    p = good;
    p.a[2].of = 3;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "request 2 is an alias of 3 of 3 requests");
    assert_int_equal(res.refused, 2);
    assert_int_equal(res.refused_with, UINT32_MAX);
    p = good;
    p.a[2].offset_bytes = 1;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(),
                        "request 2: 50 bytes at 1 are not all in the 50 of request 1");
    assert_int_equal(res.refused, 2);
    assert_int_equal(res.refused_with, 1);
    p = good;
    p.a[2].offset_bytes = UINT64_MAX;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    p = good;
    p.r[2].start = 0;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "request 2 starts at 0, too early for request 1");
    p = good;
    p.r[2].is_fixed = 1;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "request 2 is fixed, and an alias of 1");
    p = good;
    p.a[2].kind = (sinter_plan_kind)7;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "request 2: 7 is no kind of alias");
}

static void the_judge_knows_aliases(void **state)
{
    (void)state;
    problem p = empty(SINTER_PLAN_GREEDY);
    uint32_t x = add(&p, 0, 3, 64);
    uint32_t y = add_in_place(&p, 2, 6, x);
    uint32_t view = add_view(&p, 1, 3, x, 8, 8);
    assert_int_equal(plan(&p), 64);
    p.r[view].end = 4;
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    assert_string_equal(sinter_last_error(), "request 1 took the bytes of 0, which needs them");
    p.r[view].end = 3;
    p.r[view].offset_bytes++;
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    assert_string_equal(sinter_last_error(), "request 2 lies outside of 0");
    p.r[view].offset_bytes--;
    p.a[view].of = view;
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    assert_string_equal(sinter_last_error(), "request 2 lies outside of 2");
    p.a[view].of = x;
    OK(judge(&p, 64));
    p.r[y].storage = y; /* it does not say that it took them */
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    assert_string_equal(sinter_last_error(), "requests 0 and 1 overlap");
}

/* Running a plan: each request writes its number when it starts. */

static void the_judge_knows_lives_of_no_steps(void **state)
{
    (void)state;
    /* Taken over by what starts before it. */
    problem p = empty(SINTER_PLAN_GREEDY);
    add(&p, 5, 5, 8);
    add_in_place(&p, 4, 9, 0);
    FAILS(SINTER_EINTERNAL, judge(&p, 8));
    /* Alive through a view alone: it has to be inside the block, and aligned. */
    p = empty(SINTER_PLAN_GREEDY);
    add(&p, 0, 0, 100);
    add_view(&p, 0, 5, 0, 0, 100);
    assert_int_equal(plan(&p), 100);
    p.r[0].offset_bytes = p.r[1].offset_bytes = 1000;
    FAILS(SINTER_EINTERNAL, judge(&p, 100));
    OK(judge(&p, 1100));
}

static uint32_t base_of(const problem *p, uint32_t i)
{
    while (p->a[i].kind == SINTER_PLAN_VIEW)
        i = p->a[i].of;
    return i;
}

/* Whether all of request i's bytes hold the number of what it is a view of, or of who took its bytes. */
static bool is_whole(const problem *p, uint32_t i, const uint8_t *memory, bool may_be_taken)
{
    uint32_t base = base_of(p, i);
    for (uint64_t k = 0; k < p->r[i].bytes; k++) {
        uint32_t who = memory[p->r[i].offset_bytes + k];
        bool is_taken = may_be_taken && p->a[who].kind == SINTER_PLAN_IN_PLACE &&
                        base_of(p, p->a[who].of) == base;
        if (who != base && !is_taken)
            return false;
    }
    return true;
}

static void run(const problem *p, uint64_t total)
{
    uint8_t *memory = calloc(1, total + 1);
    assert_non_null(memory);
    for (int64_t s = 0; s <= STEPS; s++) {
        for (uint32_t i = 0; i < p->count; i++) { /* what is read */
            if (p->r[i].start < s && s < p->r[i].end)
                assert_true(is_whole(p, i, memory, false));
        }
        for (uint32_t i = 0; i < p->count; i++) { /* what is written */
            if (p->r[i].start == s && s < p->r[i].end && p->a[i].kind != SINTER_PLAN_VIEW)
                memset(memory + p->r[i].offset_bytes, (int)i, p->r[i].bytes);
        }
        for (uint32_t i = 0; i < p->count; i++) { /* it took bytes of what dies now only */
            if (p->r[i].start <= s && s < p->r[i].end)
                assert_true(is_whole(p, i, memory, p->r[i].end == s + 1));
        }
    }
    free(memory);
}

/* As many views of views as can be told from one look at each: what looked along the chain of every one
 * would not end in the time that a test has. Each lives longer than what it is a view of; the root dies
 * at once, and whoever lies in its bytes before the last view has gone is found. */
static void the_judge_takes_long_chains(void **state)
{
    (void)state;
    const size_t count = 400000;
    size_t bytes = count * 64;
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    sinter_plan_request *r = calloc(count, sizeof *r);
    sinter_plan_alias *a = calloc(count, sizeof *a);
    void *room = malloc(bytes);
    assert_true(r != NULL && a != NULL && room != NULL);
    for (size_t i = 0; i + 1 < count; i++) {
        r[i] = (sinter_plan_request){.start = (int64_t)i, .end = (int64_t)i + 1, .bytes = 8};
        a[i] = (sinter_plan_alias){i == 0 ? SINTER_PLAN_OWN : SINTER_PLAN_VIEW,
                                   i == 0 ? 0 : (uint32_t)i - 1, 0};
    }
    int64_t last = r[count - 2].end;
    r[count - 1] = (sinter_plan_request){.start = last, .end = last + 1, .bytes = 8};
    o.aliases = a;
    OK(sinter_plan_check(r, count, &o, 8, room, bytes));
    r[count - 1].start = last - 1;
    FAILS(SINTER_EINTERNAL, sinter_plan_check(r, count, &o, 8, room, bytes));
    r[count - 1].start = last;
    a[0] = (sinter_plan_alias){SINTER_PLAN_VIEW, (uint32_t)count - 2, 0}; /* a circle */
    FAILS(SINTER_EINTERNAL, sinter_plan_check(r, count, &o, 8, room, bytes));
    free(room);
    free(a);
    free(r);
}

static void random_problem(test_random *r, problem *p)
{
    *p = empty((sinter_plan_strategy)test_below(r, 3));
    p->o.node_budget = 1000;
    size_t count = 1 + test_below(r, MOST);
    int64_t start = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t of = test_below(r, (uint32_t)i + 1);
        uint32_t what = i == 0 ? 0 : test_below(r, 3);
        if (start < STEPS - 1 && test_below(r, 2) == 0)
            start++;
        int64_t end = start + 1 + test_below(r, 1 + test_below(r, (uint32_t)(STEPS - start)));
        if (what == 1 && of < i) {
            uint64_t at = test_below(r, (uint32_t)p->r[of].bytes);
            uint64_t most = p->r[of].bytes - at;
            bool is_all = test_below(r, 2) == 0;
            add_view(p, start, end, of, is_all ? 0 : at,
                     is_all ? p->r[of].bytes : 1 + test_below(r, (uint32_t)most));
        } else if (what == 2 && of < i && p->r[of].start < start) {
            if (p->r[of].end <= start || test_below(r, 2) == 0)
                p->r[of].end = start + 1; /* it is read here, or for the last time */
            add_in_place(p, start, end, of);
        } else {
            add(p, start, end, 1 + test_below(r, 64));
        }
    }
}

static void random_plans_run(void **state)
{
    (void)state;
    size_t taken = 0;
    size_t refused = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, &p);
        uint64_t total = plan(&p);
        run(&p, total);
        for (uint32_t i = 0; i < p.count; i++) {
            taken += p.a[i].kind == SINTER_PLAN_IN_PLACE && p.r[i].storage != i;
            refused += p.a[i].kind == SINTER_PLAN_IN_PLACE && p.r[i].storage == i;
        }
    }
    assert_true(taken > 1000 && refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_keep_their_root),
        cmocka_unit_test(a_chain_in_place_takes_one_storage),
        cmocka_unit_test(in_place_of_what_is_still_needed_is_not),
        cmocka_unit_test(edges_are_as_the_others),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(the_judge_knows_aliases),
        cmocka_unit_test(the_judge_knows_lives_of_no_steps),
        cmocka_unit_test(the_judge_takes_long_chains),
        cmocka_unit_test(random_plans_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
