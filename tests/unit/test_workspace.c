/* The workspace of a plan: what the planner places, judged by the validator and by a check written here;
 * and the validator, judged by faults planted in good plans. */
#include "support/support.h"

#include "memory/workspace.h"

#include <stdlib.h>

#define MOST 48

typedef struct plan {
    sinter_plan_request requests[MOST];
    sinter__workspace workspace;
} plan;

/* For resolving and judging. */
static max_align_t scratch[MOST * 160 / sizeof(max_align_t)];

static void resolve(plan *p, size_t count, uint64_t alignment, bool share)
{
    p->workspace = (sinter__workspace){
        .requests = p->requests, .count = count, .alignment_bytes = alignment, .share = share};
    assert_true(sinter__workspace_scratch_bytes(count) <= sizeof scratch);
    OK(sinter__workspace_resolve(&p->workspace, scratch));
}

static uint64_t rounded(const sinter__workspace *s, size_t i)
{
    uint64_t unit = s->alignment_bytes;
    return (s->requests[i].bytes + unit - 1) / unit * unit;
}

/* Most bytes alive at one step, step by step. */
static uint64_t most_alive(const sinter__workspace *s, uint32_t steps)
{
    uint64_t most = 0;
    for (uint32_t step = 0; step < steps; step++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < s->count; i++) {
            if (s->requests[i].start <= step && step < s->requests[i].end)
                sum += rounded(s, i);
        }
        most = sum > most ? sum : most;
    }
    return most;
}

static bool clash(const sinter__workspace *s, size_t i, size_t k)
{
    const sinter_plan_request *a = &s->requests[i];
    const sinter_plan_request *b = &s->requests[k];
    bool in_time = !s->share || (a->start < b->end && b->start < a->end);
    bool in_space = a->bytes > 0 && b->bytes > 0 && a->offset_bytes < b->offset_bytes + b->bytes &&
                    b->offset_bytes < a->offset_bytes + a->bytes;
    return in_time && in_space;
}

static void check(const sinter__workspace *s, uint32_t steps)
{
    uint64_t end = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        assert_int_equal(s->requests[i].offset_bytes % s->alignment_bytes, 0);
        end = SINTER__MAX(end, s->requests[i].offset_bytes + rounded(s, i));
        sum += rounded(s, i);
        for (size_t k = 0; k < i; k++)
            assert_false(clash(s, i, k));
    }
    assert_true(s->total_bytes >= s->bound_bytes);
    assert_true(s->total_bytes <= sum);
    assert_true(s->total_bytes == end);
    assert_int_equal(s->bound_bytes, most_alive(s, steps));
    OK(sinter__workspace_validate(s, scratch));
}

static void random_request(test_random *r, uint32_t steps, sinter_plan_request *out)
{
    uint32_t start = test_below(r, steps);
    uint32_t left = steps - start;
    uint32_t length = 1 + test_below(r, test_below(r, 2) == 0 ? 1 + left / 4 : left);
    *out = (sinter_plan_request){.start = start,
                                 .end = SINTER__MIN(start + length, steps),
                                 .bytes = test_below(r, 1u << test_below(r, 20))};
}

static void random_lifetimes_are_placed_apart(void **state)
{
    (void)state;
    uint64_t total = 0;
    uint64_t bound = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        plan p;
        test_random r = {seed};
        size_t count = test_below(&r, MOST + 1);
        uint32_t steps = 1 + test_below(&r, 30);
        for (size_t i = 0; i < count; i++)
            random_request(&r, steps, &p.requests[i]);
        resolve(&p, count, (uint64_t)1 << test_below(&r, 9), test_below(&r, 8) > 0);
        check(&p.workspace, steps);
        if (p.workspace.share) {
            total += p.workspace.total_bytes;
            bound += p.workspace.bound_bytes;
        }
    }
    /* Over the whole campaign the planner stays within a tenth of the bound. */
    assert_true(total - bound < bound / 10);
}

/* Two at a time, as the intermediates of a chain are: two places are enough for all. */
static void a_chain_alternates_between_two_places(void **state)
{
    (void)state;
    plan p;
    for (uint32_t i = 0; i < 10; i++)
        p.requests[i] = (sinter_plan_request){.start = i, .end = i + 2, .bytes = 1000};
    resolve(&p, 10, 128, true);
    check(&p.workspace, 12);
    assert_int_equal(p.workspace.total_bytes, 2 * 1024);
}

static void nothing_shares_when_sharing_is_off(void **state)
{
    (void)state;
    plan p;
    for (uint32_t i = 0; i < 5; i++)
        p.requests[i] = (sinter_plan_request){.start = i, .end = i + 1, .bytes = 100};
    resolve(&p, 5, 64, false);
    check(&p.workspace, 6);
    assert_int_equal(p.workspace.total_bytes, 5 * 128);
    resolve(&p, 5, 64, true);
    check(&p.workspace, 6);
    assert_int_equal(p.workspace.total_bytes, 128);
}

static void the_same_requests_give_the_same_plan(void **state)
{
    (void)state;
    plan a;
    plan b;
    test_random r = {7};
    for (size_t i = 0; i < MOST; i++) {
        random_request(&r, 20, &a.requests[i]);
        b.requests[i] = a.requests[i];
    }
    resolve(&a, MOST, 128, true);
    resolve(&b, MOST, 128, true);
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(a.requests[i].offset_bytes, b.requests[i].offset_bytes);
}

/* Resolves `count` requests alive by `seed`, each of as many bytes as `scale` says. */
static void rebind(sinter__workspace *s, uint64_t seed, size_t count, uint64_t scale)
{
    test_random r = {.state = seed};
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        random_request(&r, 20, &s->requests[i]);
        s->requests[i].bytes = scale * (i + 1);
    }
    OK(sinter__workspace_resolve(s, scratch));
    OK(sinter__workspace_validate(s, scratch));
}

static void bindings_that_come_again_are_not_planned(void **state)
{
    (void)state;
    plan p;
    plan fresh;
    size_t bytes = sinter__workspace_kept_bytes(MOST);
    void *block = malloc(bytes);
    assert_non_null(block);
    assert_int_equal(sinter__workspace_kept_bytes(4), 0);
    p.workspace = (sinter__workspace){.requests = p.requests, .alignment_bytes = 64, .share = true};
    fresh.workspace = p.workspace;
    fresh.workspace.requests = fresh.requests;
    sinter__workspace_keep(&p.workspace, MOST, block);
    /* Lifetimes, their number and bytes each make another binding; the fifth drops the second. */
    const struct {
        uint64_t seed;
        size_t count;
        uint64_t scale, found;
    } steps[] = {{1, 40, 8, 0},  {1, 40, 9, 0}, {1, 40, 8, 1}, {2, 40, 8, 1}, {1, 39, 8, 1},
                 {1, 40, 10, 1}, {1, 40, 8, 2}, {1, 40, 9, 2}, {1, 3, 8, 2},  {1, 40, 9, 3}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        rebind(&p.workspace, steps[i].seed, steps[i].count, steps[i].scale);
        rebind(&fresh.workspace, steps[i].seed, steps[i].count, steps[i].scale);
        assert_int_equal(p.workspace.kept.found, steps[i].found);
        assert_int_equal(p.workspace.total_bytes, fresh.workspace.total_bytes);
        assert_int_equal(p.workspace.bound_bytes, fresh.workspace.bound_bytes);
        for (size_t k = 0; k < steps[i].count; k++)
            assert_int_equal(p.requests[k].offset_bytes, fresh.requests[k].offset_bytes);
    }
    free(block);
}

/* Of two bindings with the same starts and bytes, one has a request that is read for longer. */
static void a_later_end_is_another_binding(void **state)
{
    (void)state;
    enum { COUNT = 32 };
    plan p;
    void *block = malloc(sinter__workspace_kept_bytes(MOST));
    assert_non_null(block);
    p.workspace = (sinter__workspace){
        .requests = p.requests, .count = COUNT, .alignment_bytes = 64, .share = true};
    sinter__workspace_keep(&p.workspace, MOST, block);
    for (uint32_t i = 0; i < COUNT; i++)
        p.requests[i] = (sinter_plan_request){.start = i, .end = i + 2, .bytes = 64};
    OK(sinter__workspace_resolve(&p.workspace, scratch));
    assert_int_equal(p.workspace.total_bytes, 2 * 64);
    p.requests[0].end = COUNT;
    OK(sinter__workspace_resolve(&p.workspace, scratch));
    assert_int_equal(p.workspace.kept.found, 0);
    assert_int_equal(p.workspace.total_bytes, 3 * 64);
    OK(sinter__workspace_validate(&p.workspace, scratch));
    free(block);
}

static void no_requests_and_no_bytes(void **state)
{
    (void)state;
    plan p;
    resolve(&p, 0, 128, true);
    assert_int_equal(p.workspace.total_bytes, 0);
    assert_int_equal(p.workspace.bound_bytes, 0);
    OK(sinter__workspace_validate(&p.workspace, scratch));
    p.requests[0] = (sinter_plan_request){.start = 0, .end = 2, .bytes = 0};
    p.requests[1] = (sinter_plan_request){.start = 0, .end = 2, .bytes = 10};
    resolve(&p, 2, 128, true);
    check(&p.workspace, 2);
    assert_int_equal(p.workspace.total_bytes, 128);
    p.requests[0].offset_bytes = 0; /* where the other begins, or in the middle of it */
    p.requests[1].bytes = 300;
    p.workspace.total_bytes = 384;
    OK(sinter__workspace_validate(&p.workspace, scratch));
    p.requests[0].offset_bytes = 128;
    OK(sinter__workspace_validate(&p.workspace, scratch));
}

static void bytes_that_overflow_are_refused(void **state)
{
    (void)state;
    plan p = {.requests = {{.start = 0, .end = 1, .bytes = UINT64_MAX - 10},
                           {.start = 0, .end = 1, .bytes = 100}}};
    p.workspace = (sinter__workspace){
        .requests = p.requests, .count = 2, .alignment_bytes = 128, .share = true};
    FAILS(SINTER_ERANGE, sinter__workspace_resolve(&p.workspace, scratch));
    p.requests[0].bytes = p.requests[1].bytes = UINT64_MAX / 5;
    FAILS(SINTER_ERANGE, sinter__workspace_resolve(&p.workspace, scratch));
}

/* Two alive together, one after them, side by side. */
static void good_plan(plan *p)
{
    *p = (plan){.requests = {{.start = 0, .end = 2, .bytes = 256, .offset_bytes = 0},
                             {.start = 1, .end = 3, .bytes = 200, .offset_bytes = 256},
                             {.start = 3, .end = 4, .bytes = 512, .offset_bytes = 0}}};
    p->workspace = (sinter__workspace){.requests = p->requests,
                                       .count = 3,
                                       .alignment_bytes = 128,
                                       .share = true,
                                       .total_bytes = 512};
}

static void the_validator_finds_planted_faults(void **state)
{
    (void)state;
    plan p;
    good_plan(&p);
    OK(sinter__workspace_validate(&p.workspace, scratch));

    good_plan(&p);
    p.requests[1].offset_bytes = 128; /* the last 128 bytes of request 0 */
    FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));
    assert_string_equal(sinter_last_error(), "requests 0 and 1 overlap");

    good_plan(&p);
    p.requests[2].start = 2; /* now alive together with request 1 */
    FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));
    assert_string_equal(sinter_last_error(), "requests 1 and 2 overlap");

    good_plan(&p);
    p.workspace.share = false;
    FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));

    good_plan(&p);
    p.requests[1].offset_bytes = 264;
    p.requests[1].bytes = 100;
    FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));

    good_plan(&p);
    p.workspace.total_bytes = 384;
    FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));
}

/* Any one request of a full plan, moved on top of another that lives with it, is found. */
static void the_validator_finds_every_moved_request(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        plan p;
        test_random r = {seed};
        for (size_t i = 0; i < 12; i++) {
            random_request(&r, 4, &p.requests[i]);
            p.requests[i].bytes++;
        }
        resolve(&p, 12, 64, true);
        for (size_t i = 1; i < 12; i++) {
            sinter_plan_request kept = p.requests[i];
            p.requests[i].offset_bytes = p.requests[0].offset_bytes;
            p.workspace.total_bytes = UINT64_MAX; /* the end is another fault */
            bool together = kept.start < p.requests[0].end && p.requests[0].start < kept.end;
            if (together)
                FAILS(SINTER_EINTERNAL, sinter__workspace_validate(&p.workspace, scratch));
            p.requests[i] = kept;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lifetimes_are_placed_apart),
        cmocka_unit_test(a_chain_alternates_between_two_places),
        cmocka_unit_test(nothing_shares_when_sharing_is_off),
        cmocka_unit_test(the_same_requests_give_the_same_plan),
        cmocka_unit_test(bindings_that_come_again_are_not_planned),
        cmocka_unit_test(a_later_end_is_another_binding),
        cmocka_unit_test(no_requests_and_no_bytes),
        cmocka_unit_test(bytes_that_overflow_are_refused),
        cmocka_unit_test(the_validator_finds_planted_faults),
        cmocka_unit_test(the_validator_finds_every_moved_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
