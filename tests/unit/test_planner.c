/* The planner against a judge, a model of partitions and a brute search written here, over random
 * requests and over small ones whose answers are known.
 *
 *     test_planner [--long]       100,000 random problems in place of 300
 *     test_planner --plans N      only plans for random bindings of symbols, N of them
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 48

static uint64_t random_problems = 300;
static uint64_t binding_plans = 2000;

typedef struct problem {
    sinter_plan_request r[MOST];
    size_t count;
    sinter_plan_options o;
} problem;

static problem empty(sinter_plan_strategy strategy)
{
    problem p = {.o = SINTER_PLAN_OPTIONS_INIT};
    p.o.strategy = strategy;
    p.o.node_budget = 2000;
    return p;
}

static sinter_plan_request *add(problem *p, int64_t start, int64_t end, uint64_t bytes)
{
    p->r[p->count] = (sinter_plan_request){.start = start, .end = end, .bytes = bytes};
    return &p->r[p->count++];
}

static uint64_t unit(const problem *p)
{
    return p->o.alignment_bytes != 0 ? p->o.alignment_bytes : 1;
}

static uint64_t up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint64_t rounded(const problem *p, size_t i)
{
    return p->r[i].start < p->r[i].end ? up(p->r[i].bytes, unit(p)) : 0;
}

static bool together(const problem *p, size_t i, size_t k)
{
    return p->r[i].start < p->r[k].end && p->r[k].start < p->r[i].end;
}

/* Plans in exactly as much scratch as is asked for, with a guard behind it. */
static sinter_status try_plan(problem *p, sinter_plan_result *result)
{
    size_t bytes;
    OK(sinter_plan_scratch_bytes(p->count, &p->o, &bytes));
    unsigned char *scratch = malloc(bytes + 16);
    assert_non_null(scratch);
    memset(scratch + bytes, 0xa5, 16);
    *result = (sinter_plan_result){.size = sizeof *result};
    sinter_status status = sinter_plan_memory(p->r, p->count, &p->o, scratch, bytes, result);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(scratch[bytes + i], 0xa5);
    free(scratch);
    return status;
}

static sinter_status judge(const problem *p, uint64_t total)
{
    static max_align_t scratch[MOST * 48 / sizeof(max_align_t)];
    return sinter_plan_check(p->r, p->count, &p->o, total, scratch, sizeof scratch);
}

/* Most bytes alive, at the starts of lifetimes. */
static uint64_t bound_of(const problem *p)
{
    uint64_t most = 0;
    for (size_t i = 0; i < p->count; i++) {
        uint64_t sum = 0;
        for (size_t k = 0; k < p->count; k++) {
            if (p->r[k].start <= p->r[i].start && p->r[i].start < p->r[k].end)
                sum += rounded(p, k);
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* Every pair, and each by itself. */
static void check(const problem *p, const sinter_plan_result *res)
{
    uint64_t end = 0;
    for (size_t i = 0; i < p->count; i++) {
        uint64_t at = p->r[i].offset_bytes;
        uint64_t bytes = rounded(p, i);
        if (bytes == 0)
            continue;
        assert_int_equal(at % unit(p), 0);
        assert_int_equal(p->r[i].alignment_bytes > 0 ? at % p->r[i].alignment_bytes : 0, 0);
        if (p->o.slab_bytes != 0)
            assert_int_equal(at / p->o.slab_bytes, (at + bytes - 1) / p->o.slab_bytes);
        end = at + bytes > end ? at + bytes : end;
        for (size_t k = 0; k < i; k++) {
            if (rounded(p, k) > 0 && together(p, i, k))
                assert_true(at + bytes <= p->r[k].offset_bytes ||
                            p->r[k].offset_bytes + rounded(p, k) <= at);
        }
    }
    assert_int_equal(res->total_bytes, end);
    assert_true(res->bound_bytes <= res->total_bytes);
    OK(judge(p, res->total_bytes));
}

static uint64_t plan(problem *p)
{
    sinter_plan_result res;
    OK(try_plan(p, &res));
    check(p, &res);
    bool fixed = false;
    for (size_t i = 0; i < p->count; i++)
        fixed |= p->r[i].is_fixed != 0;
    if (!fixed)
        assert_int_equal(res.bound_bytes, bound_of(p));
    return res.total_bytes;
}

static uint64_t plan_by(problem *p, sinter_plan_strategy strategy)
{
    p->o.strategy = strategy;
    return plan(p);
}

/* Slots, as a sentence says it: the largest request first, into the free slot with most bytes. */
static uint64_t model_partitions(const problem *p)
{
    size_t order[MOST];
    size_t slot_of[MOST];
    uint64_t sum[MOST] = {0};
    uint64_t total = 0;
    size_t slots = 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t at = i;
        for (; at > 0 && rounded(p, order[at - 1]) < rounded(p, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t n = 0; n < p->count; n++) {
        size_t best = slots;
        if (rounded(p, order[n]) == 0)
            continue;
        for (size_t s = 0; s < slots; s++) {
            bool free_of = true;
            for (size_t k = 0; k < n; k++)
                free_of &= slot_of[k] != s || !together(p, order[n], order[k]);
            if (free_of && (best == slots || sum[s] > sum[best]))
                best = s;
        }
        if (best == slots) {
            total += rounded(p, order[n]);
            slots++;
        }
        slot_of[n] = best;
        sum[best] += rounded(p, order[n]);
    }
    return total;
}

/* The lowest place of the request at `n` of `order` that is free of those before it. */
static uint64_t lowest_free(const problem *p, const size_t *order, size_t n, const uint64_t *at)
{
    uint64_t bytes = rounded(p, order[n]);
    uint64_t low = 0;
    for (bool moved = bytes > 0; moved;) {
        moved = false;
        if (p->o.slab_bytes != 0 && low / p->o.slab_bytes != (low + bytes - 1) / p->o.slab_bytes)
            low = up(low, p->o.slab_bytes);
        for (size_t k = 0; k < n; k++) {
            uint64_t top = at[k] + rounded(p, order[k]);
            if (at[k] < top && low < top && at[k] < low + bytes &&
                together(p, order[n], order[k])) {
                low = top;
                moved = true;
            }
        }
    }
    return low;
}

/* The smallest total over all orders, each request at the lowest place that is free. Those that are
 * fixed are the first ones. */
static uint64_t brute_force(const problem *p)
{
    size_t order[8];
    uint64_t at[8];
    uint64_t best = UINT64_MAX;
    uint64_t orders = 1;
    size_t fixed = 0;
    while (fixed < p->count && p->r[fixed].is_fixed)
        fixed++;
    for (size_t i = fixed; i < p->count; i++)
        orders *= i - fixed + 1;
    for (uint64_t number = 0; number < orders; number++) {
        uint64_t left = number;
        uint64_t total = 0;
        for (size_t n = 0; n < p->count; n++) { /* the number's digits say where each goes */
            size_t place = n < fixed ? n : fixed + left % (n + 1 - fixed);
            left /= n < fixed ? 1 : n + 1 - fixed;
            memmove(order + place + 1, order + place, (n - place) * sizeof *order);
            order[place] = n;
        }
        for (size_t n = 0; n < p->count; n++) {
            uint64_t bytes = rounded(p, order[n]);
            at[n] = n < fixed ? p->r[n].offset_bytes : lowest_free(p, order, n, at);
            total = bytes > 0 && at[n] + bytes > total ? at[n] + bytes : total;
        }
        best = total < best ? total : best;
    }
    return best;
}

static void random_problem(test_random *r, size_t most, problem *p)
{
    uint32_t steps = 1 + test_below(r, 30);
    uint32_t scale = 1 + test_below(r, 20);
    *p = empty(SINTER_PLAN_GREEDY);
    p->o.alignment_bytes = test_below(r, 3) == 0 ? 0 : (uint64_t)1 << test_below(r, 9);
    size_t count = test_below(r, (uint32_t)most + 1);
    while (p->count < count) {
        uint32_t start = test_below(r, steps);
        uint32_t left = steps - start;
        uint32_t length = test_below(r, test_below(r, 2) == 0 ? 2 + left / 4 : left + 1);
        add(p, start, start + length, test_below(r, 1u << test_below(r, scale)));
    }
}

static void random_problems_lie_between_the_bound_and_partitions(void **state)
{
    (void)state;
    uint64_t total = 0;
    uint64_t bound = 0;
    for (uint64_t seed = 0; seed < random_problems; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, MOST, &p);
        uint64_t partitions = plan_by(&p, SINTER_PLAN_PARTITION);
        assert_int_equal(partitions, model_partitions(&p));
        uint64_t greedy = plan_by(&p, SINTER_PLAN_GREEDY);
        assert_true(greedy <= partitions);
        assert_true(plan_by(&p, SINTER_PLAN_REFIT) <= greedy);
        uint64_t exact = plan_by(&p, SINTER_PLAN_EXACT);
        assert_true(exact <= greedy);
        total += exact;
        bound += bound_of(&p);
    }
    assert_true(total - bound < bound / 100);
}

static void the_search_finds_the_smallest_plan(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < random_problems / 4; seed++) {
        problem p;
        sinter_plan_result res;
        test_random r = {seed + 1000000};
        random_problem(&r, 7, &p);
        if (seed % 3 == 0) {
            uint64_t largest = unit(&p);
            for (size_t i = 0; i < p.count; i++)
                largest = rounded(&p, i) > largest ? rounded(&p, i) : largest;
            p.o.slab_bytes =
                largest + unit(&p) * test_below(&r, 1 + (uint32_t)(largest / unit(&p)));
        }
        p.o.strategy = SINTER_PLAN_EXACT;
        p.o.node_budget = 0;
        OK(try_plan(&p, &res));
        check(&p, &res);
        assert_int_equal(res.total_bytes, brute_force(&p));
    }
}

/* The same around requests that lie somewhere already. */
static void the_search_goes_around_what_is_fixed(void **state)
{
    (void)state;
    size_t better = 0;
    for (uint64_t seed = 0; seed < random_problems; seed++) {
        problem p;
        sinter_plan_result res;
        test_random r = {seed + 2000000};
        random_problem(&r, 7, &p);
        uint64_t at = 0;
        for (size_t i = 0; i < p.count && i < 1 + seed % 3; i++) {
            at += unit(&p) * test_below(&r, 1 + (uint32_t)(rounded(&p, i) / unit(&p)));
            p.r[i].is_fixed = 1;
            p.r[i].offset_bytes = at;
            at += rounded(&p, i);
        }
        uint64_t greedy = plan_by(&p, SINTER_PLAN_GREEDY);
        p.o.strategy = SINTER_PLAN_EXACT;
        p.o.node_budget = 0;
        OK(try_plan(&p, &res));
        check(&p, &res);
        assert_int_equal(res.total_bytes, brute_force(&p));
        better += res.total_bytes < greedy;
    }
    assert_true(better >= 1);
}

/* No order places these at the bound, and the search does. */
static void the_search_goes_beyond_every_order(void **state)
{
    (void)state;
    size_t better = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        problem p;
        sinter_plan_result res;
        test_random r = {seed};
        random_problem(&r, MOST, &p);
        uint64_t greedy = plan_by(&p, SINTER_PLAN_GREEDY);
        p.o.strategy = SINTER_PLAN_EXACT;
        p.o.node_budget = 20000;
        OK(try_plan(&p, &res));
        assert_true(res.total_bytes <= greedy);
        assert_true((res.total_bytes < greedy) == (res.strategy == SINTER_PLAN_EXACT));
        assert_true(res.strategy != SINTER_PLAN_EXACT || res.nodes > 0);
        better += res.total_bytes < greedy;
    }
    assert_true(better >= 2);
}

/* Sizes a * S + b, and S takes other values: each binding is planned in the order of the one before it, or
 * anew. The smallest are compared with all plans that there are. */
static void plans_for_random_bindings(void **state)
{
    (void)state;
    uint64_t total = 0;
    uint64_t smallest = 0;
    uint64_t plans = 0;
    for (uint64_t seed = 0; plans < binding_plans; seed++) {
        problem p;
        uint64_t factors[MOST] = {0};
        uint64_t rests[MOST] = {0};
        test_random r = {seed + 3000000};
        random_problem(&r, seed % 8 == 0 ? 6 : 16, &p);
        for (size_t i = 0; i < p.count; i++) {
            factors[i] = test_below(&r, 2) == 0 ? 0 : p.r[i].bytes;
            rests[i] = p.r[i].bytes % 1000;
        }
        for (uint32_t binding = 0; binding < 4; binding++, plans++) {
            uint64_t symbol = test_below(&r, 100);
            for (size_t i = 0; i < p.count; i++)
                p.r[i].bytes = factors[i] * symbol + rests[i];
            static const sinter_plan_strategy anew[] = {SINTER_PLAN_GREEDY, SINTER_PLAN_PARTITION,
                                                        SINTER_PLAN_EXACT};
            uint64_t bytes = plan_by(&p, binding % 2 == 1 ? SINTER_PLAN_REFIT : anew[seed % 3]);
            if (p.count <= 6 && seed % 3 == 2 && binding % 2 == 0) {
                uint64_t best = brute_force(&p);
                assert_true(bytes >= best);
                total += bytes;
                smallest += best;
            }
        }
    }
    print_message("%llu plans; the searched ones take %.4f of the smallest there are\n",
                  (unsigned long long)plans, smallest > 0 ? (double)total / (double)smallest : 1.0);
    assert_int_equal(total, smallest);
}

/* Two attention layers: scores, scaled, masked and soft, 1,152 bytes each, then 8,192. */
static void two_attention_layers_take_two_slots(void **state)
{
    (void)state;
    problem p = empty(SINTER_PLAN_PARTITION);
    for (int64_t i = 0; i < 9; i++)
        add(&p, i, i + 2, i == 4 ? 8192 : 1152);
    p.o.alignment_bytes = 64;
    assert_int_equal(plan(&p), 9344);
    assert_int_equal(plan_by(&p, SINTER_PLAN_GREEDY), 9344);
}

/* Pisarchyk and Lee's chain: shared slots cannot do better than offsets here, and neither worse. */
static void a_chain_of_five(void **state)
{
    (void)state;
    const uint64_t bytes[] = {16, 8, 64, 32, 8};
    for (int strategy = 0; strategy < 3; strategy++) {
        problem p = empty((sinter_plan_strategy)strategy);
        for (int64_t i = 0; i < 5; i++)
            add(&p, i, i + 2, bytes[i]);
        assert_int_equal(plan(&p), 96);
    }
}

/* 16 bytes are alive at once, but the second begins at a multiple of 16: the search has seen that. */
static void a_gap_that_has_to_be_is_proved(void **state)
{
    (void)state;
    sinter_plan_result res;
    problem p = empty(SINTER_PLAN_EXACT);
    add(&p, 0, 2, 8);
    add(&p, 0, 2, 8);
    p.r[0].alignment_bytes = p.r[1].alignment_bytes = 16;
    OK(try_plan(&p, &res));
    assert_int_equal(res.total_bytes, 24);
    assert_int_equal(res.bound_bytes, 16);
    assert_true(res.is_optimal);
}

static void nothing_takes_no_room(void **state)
{
    (void)state;
    for (int strategy = 0; strategy <= SINTER_PLAN_REFIT; strategy++) {
        sinter_plan_result res;
        problem p = empty((sinter_plan_strategy)strategy);
        OK(try_plan(&p, &res));
        assert_int_equal(res.total_bytes, 0);
        assert_int_equal(res.slab_count, 0);
        assert_true(res.is_optimal);
        add(&p, 3, 3, 1000); /* never alive */
        add(&p, 0, 9, 0);    /* of no bytes */
        assert_int_equal(plan(&p), 0);
        add(&p, 2, 5, 7);
        assert_int_equal(plan(&p), 7);
    }
}

static void a_capacity_ends_the_search(void **state)
{
    (void)state;
    problem p;
    sinter_plan_result res;
    test_random r = {77};
    random_problem(&r, MOST, &p);
    p.o.strategy = SINTER_PLAN_EXACT;
    p.o.capacity_bytes = UINT64_MAX;
    OK(try_plan(&p, &res)); /* the first order fits: no other is tried */
    assert_int_equal(res.nodes, 0);
    assert_string_equal(res.order, "breadth, best fit");
}

static void a_budget_ends_the_search(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        problem p;
        sinter_plan_result res;
        test_random r = {seed};
        random_problem(&r, MOST, &p);
        uint64_t greedy = plan_by(&p, SINTER_PLAN_GREEDY);
        p.o.strategy = SINTER_PLAN_EXACT;
        p.o.node_budget = 10;
        OK(try_plan(&p, &res));
        assert_true(res.nodes <= 10 && res.total_bytes <= greedy);
    }
}

static void fixed_requests_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, 30, &p);
        uint64_t at = 0;
        for (size_t i = 0; i < p.count; i += 3) {
            p.r[i].is_fixed = 1;
            p.r[i].offset_bytes = at;
            at += rounded(&p, i) + unit(&p) * test_below(&r, 40);
        }
        problem before = p;
        (void)plan_by(&p, seed % 2 == 0 ? SINTER_PLAN_GREEDY : SINTER_PLAN_EXACT);
        for (size_t i = 0; i < p.count; i += 3)
            assert_int_equal(p.r[i].offset_bytes, before.r[i].offset_bytes);
    }
    problem p = empty(SINTER_PLAN_GREEDY);
    *add(&p, 0, 5, 100) = (sinter_plan_request){
        .start = 0, .end = 5, .bytes = 100, .offset_bytes = 300, .is_fixed = 1};
    add(&p, 2, 3, 300);
    add(&p, 2, 3, 1);
    assert_int_equal(plan(&p), 401);
    sinter_plan_result res;
    p.o.strategy = SINTER_PLAN_PARTITION;
    FAILS(SINTER_EUNSUPPORTED, try_plan(&p, &res));
    assert_int_equal(res.refused, 0);
    assert_int_equal(res.refused_with, UINT32_MAX);
    p.o.strategy = SINTER_PLAN_GREEDY;
    p.r[1].is_fixed = 1;
    p.r[1].offset_bytes = 1;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "requests 0 and 1 are fixed and overlap");
    assert_int_equal(res.refused, 1);
    assert_int_equal(res.refused_with, 0);
    p.o.alignment_bytes = 3;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    assert_int_equal(res.refused, UINT32_MAX);
}

static void nothing_crosses_a_slab(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        problem p;
        test_random r = {seed};
        uint64_t largest = 1;
        random_problem(&r, 30, &p);
        for (size_t i = 0; i < p.count; i++)
            largest = rounded(&p, i) > largest ? rounded(&p, i) : largest;
        p.o.slab_bytes = up(largest + test_below(&r, 1000), 256);
        for (int strategy = 0; strategy < 3; strategy++)
            (void)plan_by(&p, (sinter_plan_strategy)strategy);
    }
    problem p = empty(SINTER_PLAN_EXACT);
    sinter_plan_result res;
    p.o.slab_bytes = 100;
    for (int i = 0; i < 3; i++)
        add(&p, 0, 1, 60);
    OK(try_plan(&p, &res));
    check(&p, &res);
    assert_int_equal(res.refused, UINT32_MAX);
    assert_int_equal(res.total_bytes, 260);
    assert_int_equal(res.slab_count, 3);
    p.r[1].bytes = 101;
    FAILS(SINTER_ERANGE, try_plan(&p, &res));
    assert_string_equal(sinter_last_error(), "request 1 of 101 bytes is larger than a slab of 100");
    assert_int_equal(res.refused, 1);
    assert_int_equal(res.refused_with, UINT32_MAX);
}

/* What is rounded up to less than its own alignment ends a little behind the end of a slab. */
static void a_slab_ends_within_an_alignment(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < 3; strategy++) {
        problem p = empty((sinter_plan_strategy)strategy);
        sinter_plan_result res;
        p.o.alignment_bytes = 64;
        p.o.slab_bytes = 1024;
        add(&p, 0, 1, 768);
        add(&p, 0, 1, 320)->alignment_bytes = 256;
        OK(try_plan(&p, &res));
        check(&p, &res);
        assert_int_equal(p.r[0].offset_bytes / 1024 + p.r[1].offset_bytes / 1024, 1);
    }
}

static void each_has_its_alignment(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, 30, &p);
        for (size_t i = 0; i < p.count; i++)
            p.r[i].alignment_bytes = test_below(&r, 2) == 0 ? 0 : 1u << test_below(&r, 12);
        for (int strategy = 0; strategy < 3; strategy++)
            (void)plan_by(&p, (sinter_plan_strategy)strategy);
    }
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        sinter_plan_request r;
        sinter_status status;
        const char *text;
    } wrong[] = {
        {{.start = -1, .end = 2, .bytes = 1}, SINTER_EINVAL, "request 1 is alive from -1 to 2"},
        {{.start = 3, .end = 2, .bytes = 1}, SINTER_EINVAL, "request 1 is alive from 3 to 2"},
        {{.start = 0, .end = 2, .bytes = UINT64_MAX},
         SINTER_ERANGE,
         "request 1: 18446744073709551615 bytes overflow what has been counted"},
        {{.start = 0, .end = 2, .bytes = 1, .alignment_bytes = 24},
         SINTER_EINVAL,
         "request 1: the alignment 24 is no power of two"},
        {{.start = 0, .end = 2, .bytes = 8, .offset_bytes = 4, .is_fixed = 1},
         SINTER_EINVAL,
         "request 1: its place 4 is no multiple of 8"},
    };
    sinter_plan_result res;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        problem p = empty(SINTER_PLAN_EXACT);
        p.o.alignment_bytes = 8;
        add(&p, 0, 1, 1000);
        *add(&p, 0, 1, 1) = wrong[i].r;
        FAILS(wrong[i].status, try_plan(&p, &res));
        assert_string_equal(sinter_last_error(), wrong[i].text);
    }
    problem p = empty(SINTER_PLAN_EXACT);
    p.o.alignment_bytes = 3;
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    p.o.alignment_bytes = 8;
    p.o.slab_bytes = 100;
    add(&p, 0, 1, 1);
    FAILS(SINTER_EINVAL, try_plan(&p, &res));
    char small[8];
    p.o.slab_bytes = 0;
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &p.o, small, sizeof small, &res));
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &p.o, NULL, 0, &res));
    FAILS(SINTER_EINVAL, sinter_plan_check(p.r, 1, &p.o, 1, small, sizeof small));
}

/* In scratch of as many bytes as are said to be enough, which the address sanitizer looks at: few
 * requests, of which the search has to place each. */
static void scratch_is_as_large_as_it_has_to_be(void **state)
{
    (void)state;
    for (int strategy = 0; strategy <= (int)SINTER_PLAN_REFIT; strategy++) {
        for (size_t count = 1; count <= 4; count++) {
            problem p = empty((sinter_plan_strategy)strategy);
            sinter_plan_result res = SINTER_PLAN_RESULT_INIT;
            size_t bytes;
            for (size_t i = 0; i < count; i++)
                add(&p, (int64_t)(1 + 2 * i), (int64_t)(4 + 2 * i), i % 2 == 0 ? 1 : 6);
            p.r[0].alignment_bytes = 8;
            OK(sinter_plan_scratch_bytes(count, &p.o, &bytes));
            void *scratch = malloc(bytes);
            assert_non_null(scratch);
            OK(sinter_plan_memory(p.r, count, &p.o, scratch, bytes, &res));
            assert_true(res.total_bytes >= res.bound_bytes);
            free(scratch);
        }
    }
}

/* A program that was built when the structs ended earlier: what came later is neither read nor written. */
static void an_older_header_goes_on_working(void **state)
{
    (void)state;
    static char scratch[65536];
    problem p = empty(SINTER_PLAN_GREEDY);
    sinter_plan_result res;
    memset(&res, 0xAB, sizeof res);
    add(&p, 0, 2, 100);
    add(&p, 1, 3, 100);
    p.o.size = offsetof(sinter_plan_options, slab_bytes);
    p.o.slab_bytes = 64; /* no request would fit */
    p.o.aliases = (const sinter_plan_alias *)(const void *)scratch;
    res.size = offsetof(sinter_plan_result, nodes);
    OK(sinter_plan_memory(p.r, 2, &p.o, scratch, sizeof scratch, &res));
    assert_int_equal(res.size, offsetof(sinter_plan_result, nodes));
    assert_int_equal(res.total_bytes, 200);
    assert_int_equal(res.nodes, UINT64_C(0xABABABABABABABAB));
    assert_int_equal(res.refused_with, 0xABABABABu);
    OK(sinter_plan_check(p.r, 2, &p.o, 200, scratch, sizeof scratch));
    p.o.size = sizeof p.o + 8; /* a newer one asks for what is not known here */
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 2, &p.o, scratch, sizeof scratch, &res));
    p.o = (sinter_plan_options)SINTER_PLAN_OPTIONS_INIT;
    res.size = sizeof res + 8; /* but may have room for more */
    OK(sinter_plan_memory(p.r, 2, &p.o, scratch, sizeof scratch, &res));
    assert_int_equal(res.size, sizeof res);
    assert_int_equal(res.refused, UINT32_MAX);
}

/* Before any request is looked at. */
static void a_call_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static char scratch[65536];
    const size_t room = sizeof scratch;
    const size_t too_many = ((size_t)1 << 24) + 1;
    problem p = empty(SINTER_PLAN_GREEDY);
    sinter_plan_options bad = p.o;
    sinter_plan_result res = {.size = sizeof res};
    size_t bytes;
    add(&p, 0, 1, 1);

    FAILS(SINTER_EINVAL, sinter_plan_scratch_bytes(1, &p.o, NULL));
    OK(sinter_plan_scratch_bytes(1, NULL, &bytes)); /* the defaults */
    assert_true(bytes > 0 && bytes <= room);
    FAILS(SINTER_ERANGE, sinter_plan_scratch_bytes(too_many, &p.o, &bytes));
    assert_int_equal(bytes, 0);
    bad.size--;
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &bad, scratch, room, &res));
    FAILS(SINTER_EINVAL, sinter_plan_check(p.r, 1, &bad, 1, scratch, room));
    bad = p.o;
    bad.strategy = (sinter_plan_strategy)(SINTER_PLAN_REFIT + 1);
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &bad, scratch, room, &res));
    assert_string_equal(sinter_last_error(), "plan: 4 is no strategy");

    OK(sinter_plan_memory(p.r, 1, NULL, scratch, room, &res));
    FAILS(SINTER_EINVAL, sinter_plan_memory(NULL, 1, &p.o, scratch, room, &res));
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &p.o, scratch, room, NULL));
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &p.o, NULL, room, &res));
    res.size--;
    FAILS(SINTER_EINVAL, sinter_plan_memory(p.r, 1, &p.o, scratch, room, &res));

    OK(sinter_plan_check(NULL, 0, &p.o, 0, scratch, room));
    FAILS(SINTER_EINVAL, sinter_plan_check(NULL, 1, &p.o, 1, scratch, room));
    FAILS(SINTER_EINVAL, sinter_plan_check(p.r, 1, NULL, 1, scratch, room));
    FAILS(SINTER_EINVAL, sinter_plan_check(p.r, 1, &p.o, 1, NULL, room));
    FAILS(SINTER_EINVAL, sinter_plan_check(p.r, too_many, &p.o, 1, scratch, room));
}

static void the_judge_finds_planted_faults(void **state)
{
    (void)state;
    problem p = empty(SINTER_PLAN_GREEDY);
    p.o.alignment_bytes = 8;
    p.o.slab_bytes = 64;
    add(&p, 0, 3, 32);
    add(&p, 1, 4, 32)->offset_bytes = 32;
    add(&p, 3, 9, 30);
    OK(judge(&p, 64));
    p.r[2].start = 2;
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    assert_string_equal(sinter_last_error(), "requests 0 and 2 overlap");
    p.r[2].start = 3;
    p.r[1].offset_bytes = 40;
    FAILS(SINTER_EINTERNAL, judge(&p, 64));
    FAILS(SINTER_EINTERNAL, judge(&p, 72));
    assert_string_equal(sinter_last_error(), "request 1 of 32 bytes at 40 crosses a slab");
    p.o.slab_bytes = 0;
    OK(judge(&p, 72));
    p.r[1].alignment_bytes = 16;
    FAILS(SINTER_EINTERNAL, judge(&p, 72));
    p.r[1].offset_bytes = UINT64_MAX - 15;
    FAILS(SINTER_EINTERNAL, judge(&p, UINT64_MAX));
}

/* Any request of a plan, moved to where another lies that is alive with it. */
static void the_judge_finds_every_moved_request(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, MOST, &p);
        (void)plan(&p);
        for (size_t i = 1; i < p.count; i++) {
            uint64_t kept = p.r[i].offset_bytes;
            if (rounded(&p, i) == 0 || rounded(&p, i - 1) == 0 || !together(&p, i, i - 1))
                continue;
            p.r[i].offset_bytes = p.r[i - 1].offset_bytes;
            FAILS(SINTER_EINTERNAL, judge(&p, UINT64_MAX));
            p.r[i].offset_bytes = kept;
            found++;
        }
    }
    assert_true(found > 500);
}

/* Written down once: every machine and every compiler gives these plans. */
static void plans_are_the_same_everywhere(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        problem p;
        test_random r = {seed};
        random_problem(&r, MOST, &p);
        p.o.node_budget = 500;
        (void)plan_by(&p, (sinter_plan_strategy)(seed % 3));
        for (size_t i = 0; i < p.count; i++)
            hash = (hash ^ p.r[i].offset_bytes) * 0x9e3779b97f4a7c15u;
    }
    assert_int_equal(hash, 0xfc75c172e59bb4b6u);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_lie_between_the_bound_and_partitions),
        cmocka_unit_test(the_search_finds_the_smallest_plan),
        cmocka_unit_test(the_search_goes_around_what_is_fixed),
        cmocka_unit_test(the_search_goes_beyond_every_order),
        cmocka_unit_test(plans_for_random_bindings),
        cmocka_unit_test(two_attention_layers_take_two_slots),
        cmocka_unit_test(a_chain_of_five),
        cmocka_unit_test(a_gap_that_has_to_be_is_proved),
        cmocka_unit_test(nothing_takes_no_room),
        cmocka_unit_test(a_capacity_ends_the_search),
        cmocka_unit_test(a_budget_ends_the_search),
        cmocka_unit_test(fixed_requests_stay),
        cmocka_unit_test(nothing_crosses_a_slab),
        cmocka_unit_test(a_slab_ends_within_an_alignment),
        cmocka_unit_test(each_has_its_alignment),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(scratch_is_as_large_as_it_has_to_be),
        cmocka_unit_test(an_older_header_goes_on_working),
        cmocka_unit_test(a_call_that_cannot_be_is_refused),
        cmocka_unit_test(the_judge_finds_planted_faults),
        cmocka_unit_test(the_judge_finds_every_moved_request),
        cmocka_unit_test(plans_are_the_same_everywhere),
    };
    const struct CMUnitTest campaign[] = {cmocka_unit_test(plans_for_random_bindings)};
    if (argc > 1 && strcmp(argv[1], "--long") == 0)
        random_problems = 100000;
    if (argc > 2 && strcmp(argv[1], "--plans") == 0) {
        binding_plans = strtoull(argv[2], NULL, 10);
        return cmocka_run_group_tests(campaign, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
