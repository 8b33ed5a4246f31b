/* The memory schema: what the planner places, judged by the validator and by a check written here;
 * and the validator, judged by faults planted in good plans. */
#include "support/support.h"

#include "memory/schema.h"

#define MOST 48

typedef struct plan {
    sinter__request requests[MOST];
    uint32_t order[MOST];
    sinter__schema schema;
} plan;

static void resolve(plan *p, size_t count, uint64_t alignment, bool share)
{
    p->schema = (sinter__schema){
        .requests = p->requests, .count = count, .alignment_bytes = alignment, .share = share};
    OK(sinter__schema_resolve(&p->schema, p->order));
}

static uint64_t rounded(const sinter__schema *s, size_t i)
{
    uint64_t unit = s->alignment_bytes;
    return (s->requests[i].bytes + unit - 1) / unit * unit;
}

/* Most bytes alive at one step, step by step. */
static uint64_t most_alive(const sinter__schema *s, uint32_t steps)
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

static bool clash(const sinter__schema *s, size_t i, size_t k)
{
    const sinter__request *a = &s->requests[i];
    const sinter__request *b = &s->requests[k];
    bool in_time = !s->share || (a->start < b->end && b->start < a->end);
    bool in_space = a->bytes > 0 && b->bytes > 0 && a->offset_bytes < b->offset_bytes + b->bytes &&
                    b->offset_bytes < a->offset_bytes + a->bytes;
    return in_time && in_space;
}

static void check(const sinter__schema *s, uint32_t steps)
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
    OK(sinter__schema_validate(s));
}

static void random_request(test_random *r, uint32_t steps, sinter__request *out)
{
    uint32_t start = test_below(r, steps);
    uint32_t left = steps - start;
    uint32_t length = 1 + test_below(r, test_below(r, 2) == 0 ? 1 + left / 4 : left);
    *out = (sinter__request){.start = start,
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
        check(&p.schema, steps);
        if (p.schema.share) {
            total += p.schema.total_bytes;
            bound += p.schema.bound_bytes;
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
        p.requests[i] = (sinter__request){.start = i, .end = i + 2, .bytes = 1000};
    resolve(&p, 10, 128, true);
    check(&p.schema, 12);
    assert_int_equal(p.schema.total_bytes, 2 * 1024);
}

static void nothing_shares_when_sharing_is_off(void **state)
{
    (void)state;
    plan p;
    for (uint32_t i = 0; i < 5; i++)
        p.requests[i] = (sinter__request){.start = i, .end = i + 1, .bytes = 100};
    resolve(&p, 5, 64, false);
    check(&p.schema, 6);
    assert_int_equal(p.schema.total_bytes, 5 * 128);
    resolve(&p, 5, 64, true);
    check(&p.schema, 6);
    assert_int_equal(p.schema.total_bytes, 128);
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

static void no_requests_and_no_bytes(void **state)
{
    (void)state;
    plan p;
    resolve(&p, 0, 128, true);
    assert_int_equal(p.schema.total_bytes, 0);
    assert_int_equal(p.schema.bound_bytes, 0);
    OK(sinter__schema_validate(&p.schema));
    p.requests[0] = (sinter__request){.start = 0, .end = 2, .bytes = 0};
    p.requests[1] = (sinter__request){.start = 0, .end = 2, .bytes = 10};
    resolve(&p, 2, 128, true);
    check(&p.schema, 2);
    assert_int_equal(p.schema.total_bytes, 128);
    p.requests[0].offset_bytes = 0; /* where the other begins, or in the middle of it */
    p.requests[1].bytes = 300;
    p.schema.total_bytes = 384;
    OK(sinter__schema_validate(&p.schema));
    p.requests[0].offset_bytes = 128;
    OK(sinter__schema_validate(&p.schema));
}

static void bytes_that_overflow_are_refused(void **state)
{
    (void)state;
    plan p = {.requests = {{.start = 0, .end = 1, .bytes = UINT64_MAX - 10},
                           {.start = 0, .end = 1, .bytes = 100}}};
    p.schema =
        (sinter__schema){.requests = p.requests, .count = 2, .alignment_bytes = 128, .share = true};
    FAILS(SINTER_ERANGE, sinter__schema_resolve(&p.schema, p.order));
    p.requests[0].bytes = p.requests[1].bytes = UINT64_MAX / 5;
    FAILS(SINTER_ERANGE, sinter__schema_resolve(&p.schema, p.order));
}

/* Two alive together, one after them, side by side. */
static void good_plan(plan *p)
{
    *p = (plan){.requests = {{.start = 0, .end = 2, .bytes = 256, .offset_bytes = 0},
                             {.start = 1, .end = 3, .bytes = 200, .offset_bytes = 256},
                             {.start = 3, .end = 4, .bytes = 512, .offset_bytes = 0}}};
    p->schema = (sinter__schema){.requests = p->requests,
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
    OK(sinter__schema_validate(&p.schema));

    good_plan(&p);
    p.requests[1].offset_bytes = 128; /* the last 128 bytes of request 0 */
    FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));
    assert_string_equal(sinter_last_error(), "requests 0 and 1 overlap");

    good_plan(&p);
    p.requests[2].start = 2; /* now alive together with request 1 */
    FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));
    assert_string_equal(sinter_last_error(), "requests 1 and 2 overlap");

    good_plan(&p);
    p.schema.share = false;
    FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));

    good_plan(&p);
    p.requests[1].offset_bytes = 264;
    p.requests[1].bytes = 100;
    FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));

    good_plan(&p);
    p.schema.total_bytes = 384;
    FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));
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
            sinter__request kept = p.requests[i];
            p.requests[i].offset_bytes = p.requests[0].offset_bytes;
            p.schema.total_bytes = UINT64_MAX; /* the end is another fault */
            bool together = kept.start < p.requests[0].end && p.requests[0].start < kept.end;
            if (together)
                FAILS(SINTER_EINTERNAL, sinter__schema_validate(&p.schema));
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
        cmocka_unit_test(no_requests_and_no_bytes),
        cmocka_unit_test(bytes_that_overflow_are_refused),
        cmocka_unit_test(the_validator_finds_planted_faults),
        cmocka_unit_test(the_validator_finds_every_moved_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
