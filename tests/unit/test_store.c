/* The plan store: what is found, what fires, and that it stays under its budget. Payloads are plain
 * counters; the operations are graphs that nobody runs. */
#include "support/graph.h"

#include "fusion/queue/store.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET ((size_t)256 << 10)

typedef struct fixture {
    sinter__allocator allocator;
    sinter__store *store;
    size_t freed;
} fixture;

static void free_payload(void *user, sinter__payload *payload)
{
    fixture *f = user;
    assert_int_equal(payload->references, 0);
    free(payload);
    f->freed++;
}

static void start(fixture *f, size_t budget)
{
    f->freed = 0;
    sinter__allocator_init(&f->allocator, NULL, NULL);
    OK(sinter__store_create(&f->allocator, budget, free_payload, f, &f->store));
}

static void finish(fixture *f)
{
    sinter__store_destroy(f->store);
    assert_int_equal(f->allocator.live_bytes, 0);
}

static sinter__store_stats stats_of(const fixture *f)
{
    sinter__store_stats stats;
    sinter__store_get_stats(f->store, &stats);
    return stats;
}

static sinter__payload *new_payload(size_t bytes)
{
    sinter__payload *p = calloc(1, sizeof *p);
    assert_non_null(p);
    *p = (sinter__payload){.bytes = bytes, .references = 1};
    return p;
}

/* An operation is a letter; a segment is a word. */
static sinter__relative letter(char c)
{
    sinter__relative r = {.op = (uint8_t)c, .in_count = 1, .dtype = SINTER_F32, .rank = 1};
    return r;
}

/* Where the word leads, with the caller standing there; `last` is the last step. */
static sinter__place walk(const fixture *f, const char *word, sinter__step *last)
{
    sinter__place place = SINTER__ROOT;
    sinter__step step = {0};
    for (; *word != '\0'; word++) {
        sinter__relative r = letter(*word);
        step = sinter__store_step(f->store, place, &r);
        place = step.place;
    }
    if (last != NULL)
        *last = step;
    return place;
}

static sinter__step step_of(const fixture *f, const char *word)
{
    sinter__step step;
    sinter__store_leave(f->store, walk(f, word, &step));
    return step;
}

static const uint64_t no_bits[2] = {0, 0};
static const sinter__liveness nobody = {.bits = no_bits, .words = 2};

/* Learns a plan for the first `length` letters of `word`, which fires when the next one comes. */
static bool learn_part(const fixture *f, const char *word, size_t length, size_t bytes,
                       sinter__trigger trigger)
{
    char part[64];
    memcpy(part, word, length);
    part[length] = '\0';
    sinter__payload *payload = new_payload(bytes);
    sinter__place next = walk(f, word, NULL);
    sinter__place at = walk(f, part, NULL);
    if (trigger != SINTER__TRIGGER_NEXT) {
        sinter__store_leave(f->store, next);
        next = SINTER__NOWHERE;
    }
    bool learned =
        sinter__store_learn(f->store, at, (uint32_t)length, &nobody, payload, false, trigger, next);
    sinter__store_leave(f->store, at);
    sinter__store_leave(f->store, next);
    sinter__store_release(f->store, payload);
    return learned;
}

static bool learn(const fixture *f, const char *word, size_t bytes)
{
    return learn_part(f, word, strlen(word), bytes, SINTER__TRIGGER_SYNC);
}

static bool has(const fixture *f, const char *word)
{
    sinter__place place = walk(f, word, NULL);
    sinter__payload *payload = sinter__store_find(f->store, place, &nobody);
    if (payload != NULL)
        sinter__store_release(f->store, payload);
    sinter__store_leave(f->store, place);
    return payload != NULL;
}

/* Finding */

static void a_plan_is_found_at_its_place_only(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    assert_true(has(&f, "abc"));
    assert_false(has(&f, "ab"));
    assert_false(has(&f, "abcd"));
    assert_false(has(&f, "abd"));
    assert_false(has(&f, "bbc"));
    assert_int_equal(stats_of(&f).plans, 1);
    finish(&f);
    assert_int_equal(f.freed, 1);
}

static void liveness_is_part_of_the_key(void **state)
{
    (void)state;
    fixture f;
    const uint64_t other_bits[2] = {4, 0};
    const sinter__liveness other = {.bits = other_bits, .words = 2};
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    sinter__place place = walk(&f, "abc", NULL);
    assert_null(sinter__store_find(f.store, place, &other));
    sinter__payload *payload = new_payload(100);
    assert_true(sinter__store_learn(f.store, place, 3, &other, payload, false, SINTER__TRIGGER_SYNC,
                                    SINTER__NOWHERE));
    sinter__store_release(f.store, payload);
    assert_ptr_equal(sinter__store_find(f.store, place, &other), payload);
    sinter__store_release(f.store, payload);
    sinter__store_leave(f.store, place);
    assert_true(has(&f, "abc"));
    assert_int_equal(stats_of(&f).plans, 2);
    finish(&f);
}

/* Streams that walk and learn nothing leave nothing behind. */
static void places_that_lead_nowhere_are_given_back(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    sinter__store_stats before = stats_of(&f);
    (void)step_of(&f, "abcdefgh");
    (void)step_of(&f, "xyz");
    (void)step_of(&f, "ab");
    assert_int_equal(stats_of(&f).places, before.places);
    assert_int_equal(stats_of(&f).bytes, before.bytes);
    finish(&f);
}

/* Versions */

static void what_is_learned_or_lost_is_another_version(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    uint64_t version = sinter__store_version(f.store);
    assert_int_not_equal(version, 0);
    sinter__place place = walk(&f, "ab", NULL); /* new places tell nothing of old ones */
    assert_int_equal(sinter__store_version(f.store), version);
    assert_false(has(&f, "c")); /* the place is made, and goes again */
    assert_true(sinter__store_version(f.store) > version);
    version = sinter__store_version(f.store);
    assert_true(learn(&f, "abc", 2500));
    assert_true(sinter__store_version(f.store) > version);
    version = sinter__store_version(f.store);
    assert_true(has(&f, "abc"));
    assert_int_equal(sinter__store_version(f.store), version);
    assert_true(learn(&f, "x", 5000));
    version = sinter__store_version(f.store);
    assert_true(learn(&f, "y", 5000)); /* abc goes */
    assert_true(sinter__store_version(f.store) > version);
    sinter__store_leave(f.store, place);
    finish(&f);
}

/* The first place of a way alone is held while nothing changes; then all of it can be. */
static void a_way_is_gone_without_asking_while_nothing_changes(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    sinter__place end = walk(&f, "abc", NULL);
    sinter__store_leave(f.store, end);
    sinter__place first = walk(&f, "a", NULL);
    uint64_t version = sinter__store_version(f.store);
    assert_true(sinter__store_move(f.store, first, end, version));
    assert_true(learn(&f, "q", 100));
    assert_false(sinter__store_move(f.store, end, end, version));
    sinter__store_leave(f.store, end);
    sinter__store_leave(f.store, walk(&f, "abc", NULL));
    assert_int_equal(stats_of(&f).places, 5); /* the root, a, ab, abc, q: none is held for ever */
    finish(&f);
}

/* Triggers */

static void a_plan_of_a_read_never_fires(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    sinter__step step = step_of(&f, "abcd");
    assert_false(step.ends);
    assert_int_equal(step.fires, 0);
    assert_false(step.may_grow);
    assert_true(step_of(&f, "ab").may_grow);
    finish(&f);
}

static void a_plan_may_fire_whatever_follows(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn_part(&f, "abc", 3, 100, SINTER__TRIGGER_ALWAYS));
    assert_true(step_of(&f, "abcd").ends);
    assert_true(step_of(&f, "abcx").ends);
    assert_false(step_of(&f, "abc").ends); /* not on completion alone */
    assert_false(step_of(&f, "abxd").ends);
    finish(&f);
}

static void a_plan_may_fire_when_one_operation_follows(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn_part(&f, "abca", 3, 100, SINTER__TRIGGER_NEXT));
    assert_int_equal(step_of(&f, "abca").fires, 3);
    assert_int_equal(step_of(&f, "abcd").fires, 0);
    assert_int_equal(step_of(&f, "abc").fires, 0);
    finish(&f);
}

static void a_longer_plan_is_seen_from_the_shorter(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn_part(&f, "abca", 3, 100, SINTER__TRIGGER_NEXT));
    assert_false(step_of(&f, "abca").may_grow);
    assert_true(learn(&f, "abcaab", 100));
    assert_true(step_of(&f, "abca").may_grow);
    assert_false(step_of(&f, "abcax").may_grow);
    finish(&f);
}

static void triggers_can_be_taken_back(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn_part(&f, "abca", 3, 100, SINTER__TRIGGER_NEXT));
    assert_false(
        learn_part(&f, "abcx", 3, 100, SINTER__TRIGGER_NEXT)); /* it is there: a trigger more */
    assert_false(learn_part(&f, "abc", 3, 100, SINTER__TRIGGER_ALWAYS));
    assert_int_equal(step_of(&f, "abcx").fires, 3);
    assert_true(step_of(&f, "abcd").ends);
    sinter__place place = walk(&f, "abc", NULL);
    sinter__store_untrigger(f.store, place);
    sinter__store_leave(f.store, place);
    assert_int_equal(step_of(&f, "abca").fires, 0);
    assert_int_equal(step_of(&f, "abcx").fires, 0);
    assert_false(step_of(&f, "abcd").ends);
    assert_true(has(&f, "abc"));
    assert_int_equal(stats_of(&f).places, 4); /* the root, a, ab, abc */
    finish(&f);
}

/* Eviction */

static void the_least_recently_used_plan_goes_first(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    assert_true(learn(&f, "a", 2500));
    assert_true(learn(&f, "b", 2500));
    assert_true(learn(&f, "c", 2500));
    assert_true(has(&f, "a")); /* now b is the oldest */
    assert_true(learn(&f, "d", 2500));
    assert_false(has(&f, "b"));
    assert_true(has(&f, "a") && has(&f, "c") && has(&f, "d"));
    assert_int_equal(stats_of(&f).evictions, 1);
    assert_int_equal(f.freed, 1);
    finish(&f);
}

static void what_is_too_large_is_not_kept(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    assert_true(learn(&f, "a", 100));
    assert_false(learn(&f, "b", 20000));
    assert_false(has(&f, "b"));
    assert_true(has(&f, "a")); /* which would not have made room enough */
    assert_int_equal(stats_of(&f).evictions, 0);
    assert_true(stats_of(&f).bytes <= 10000);
    assert_true(learn(&f, "c", 100)); /* and the store goes on */
    finish(&f);
}

static void a_plan_in_use_outlives_its_eviction(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    assert_true(learn(&f, "a", 5000));
    sinter__place place = walk(&f, "a", NULL);
    sinter__payload *payload = sinter__store_find(f.store, place, &nobody);
    sinter__store_leave(f.store, place);
    assert_non_null(payload);
    assert_true(learn(&f, "b", 6000));
    assert_false(has(&f, "a"));
    assert_true(payload->evicted);
    assert_int_equal(f.freed, 0);
    sinter__store_release(f.store, payload);
    assert_int_equal(f.freed, 1);
    finish(&f);
}

static void a_plan_that_grows_is_counted(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    assert_true(learn(&f, "a", 2000));
    assert_true(learn(&f, "b", 2000));
    sinter__place place = walk(&f, "b", NULL);
    sinter__payload *payload = sinter__store_find(f.store, place, &nobody);
    sinter__store_leave(f.store, place);
    size_t before = stats_of(&f).bytes;
    sinter__store_grow(f.store, payload, 1000);
    assert_int_equal(stats_of(&f).bytes, before + 1000);
    sinter__store_grow(f.store, payload, 5000); /* now there is no room for a */
    sinter__store_release(f.store, payload);
    assert_true(has(&f, "b"));
    assert_false(has(&f, "a"));
    finish(&f);
}

/* A plan is compiled before it is learned: what it grew by then counts as well. */
static void a_plan_that_grew_before_it_was_stored(void **state)
{
    (void)state;
    fixture f;
    start(&f, 10000);
    sinter__place place = walk(&f, "a", NULL);
    sinter__payload *payload = new_payload(100);
    size_t before = stats_of(&f).bytes;
    sinter__store_grow(f.store, payload, 1000);
    assert_int_equal(stats_of(&f).bytes, before);
    assert_true(sinter__store_learn(f.store, place, 1, &nobody, payload, false,
                                    SINTER__TRIGGER_SYNC, SINTER__NOWHERE));
    sinter__store_release(f.store, payload);
    sinter__store_leave(f.store, place);
    assert_true(stats_of(&f).bytes >= before + 1100);
    finish(&f);
}

/* Two streams have planned the same: the second keeps its plan to itself, unless the first was not right. */
static void what_is_there_is_not_stored_again(void **state)
{
    (void)state;
    fixture f;
    start(&f, BUDGET);
    assert_true(learn(&f, "abc", 100));
    size_t before = stats_of(&f).bytes;
    assert_false(learn(&f, "abc", 100));
    assert_int_equal(stats_of(&f).plans, 1);
    assert_int_equal(stats_of(&f).bytes, before);
    sinter__place place = walk(&f, "abc", NULL);
    sinter__payload *better = new_payload(100);
    assert_true(sinter__store_learn(f.store, place, 3, &nobody, better, true, SINTER__TRIGGER_SYNC,
                                    SINTER__NOWHERE));
    sinter__store_release(f.store, better);
    assert_ptr_equal(sinter__store_find(f.store, place, &nobody), better);
    sinter__store_release(f.store, better);
    sinter__store_leave(f.store, place);
    assert_int_equal(stats_of(&f).plans, 2);
    finish(&f);
}

/* Freeing a payload may ask the store: its lock is not held. */
static void free_and_ask(void *user, sinter__payload *payload)
{
    fixture *f = user;
    (void)stats_of(f);
    free_payload(user, payload);
}

static void eviction_frees_without_the_lock(void **state)
{
    (void)state;
    fixture f = {.freed = 0};
    sinter__allocator_init(&f.allocator, NULL, NULL);
    OK(sinter__store_create(&f.allocator, 10000, free_and_ask, &f, &f.store));
    assert_true(learn(&f, "a", 6000));
    assert_true(learn(&f, "b", 6000));
    assert_int_equal(f.freed, 1);
    finish(&f);
    assert_int_equal(f.freed, 2);
}

/* Whatever triggers an evicted plan had, nothing of it stays. */
static void eviction_takes_the_triggers_along(void **state)
{
    (void)state;
    fixture f;
    const uint64_t other_bits[2] = {4, 0};
    const sinter__liveness other = {.bits = other_bits, .words = 2};
    start(&f, BUDGET);
    assert_true(learn_part(&f, "abca", 3, 100, SINTER__TRIGGER_NEXT));
    assert_false(
        learn_part(&f, "abcb", 3, 100, SINTER__TRIGGER_NEXT)); /* it is there: a trigger more */
    sinter__place place = walk(&f, "abc", NULL);
    sinter__payload *second = new_payload(100);
    assert_true(sinter__store_learn(f.store, place, 3, &other, second, false, SINTER__TRIGGER_SYNC,
                                    SINTER__NOWHERE));
    sinter__store_release(f.store, second);
    sinter__store_leave(f.store, place);
    /* one large plan after the other, until all of those are gone */
    for (int c = 'A'; c <= 'Z'; c++) {
        const char word[] = {(char)c, '\0'};
        assert_true(learn(&f, word, BUDGET / 3));
    }
    assert_int_equal(step_of(&f, "abca").fires, 0);
    assert_int_equal(step_of(&f, "abcb").fires, 0);
    assert_int_equal(stats_of(&f).places, 1 + stats_of(&f).plans);
    finish(&f);
}

/* The campaign */

/* Random words over a few letters are learned, found and walked for ever; the store stays under its
 * budget, and what it says of itself agrees with what is found. */
static void random_programs_stay_under_the_budget(void **state)
{
    (void)state;
    fixture f;
    test_random r = {11};
    size_t found = 0;
    start(&f, BUDGET);
    for (int i = 0; i < 100000; i++) {
        char word[32];
        char start[32] = "";
        size_t length = 1 + test_below(&r, 24);
        for (size_t k = 0; k < length; k++)
            word[k] = (char)('a' + test_below(&r, k < 4 ? 2 : 4));
        word[length] = '\0';
        if (has(&f, word)) {
            found++;
            continue;
        }
        size_t part = length > 1 && test_below(&r, 2) == 0 ? length - 1 : length;
        sinter__trigger trigger = part < length            ? SINTER__TRIGGER_NEXT
                                  : test_below(&r, 2) == 0 ? SINTER__TRIGGER_ALWAYS
                                                           : SINTER__TRIGGER_SYNC;
        memcpy(start, word, part);
        bool is_new = !has(&f, start);
        bool learned = learn_part(&f, word, part, 200 + test_below(&r, 2000), trigger);
        assert_int_equal(learned, is_new);
        assert_true(stats_of(&f).bytes <= BUDGET);
        assert_true(f.allocator.live_bytes <= 4 * BUDGET);
    }
    assert_true(found > 1000);
    assert_true(stats_of(&f).evictions > 10000);
    for (int i = 0; i < 300; i++) { /* all but one plan out: only its own places are left */
        const char word[] = {'!', (char)i, '\0'};
        (void)learn(&f, i == 299 ? "!" : word, BUDGET * 3 / 4);
    }
    assert_int_equal(stats_of(&f).plans, 1);
    assert_int_equal(stats_of(&f).places, 2);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_found_at_its_place_only),
        cmocka_unit_test(liveness_is_part_of_the_key),
        cmocka_unit_test(places_that_lead_nowhere_are_given_back),
        cmocka_unit_test(what_is_learned_or_lost_is_another_version),
        cmocka_unit_test(a_way_is_gone_without_asking_while_nothing_changes),
        cmocka_unit_test(a_plan_of_a_read_never_fires),
        cmocka_unit_test(a_plan_may_fire_whatever_follows),
        cmocka_unit_test(a_plan_may_fire_when_one_operation_follows),
        cmocka_unit_test(a_longer_plan_is_seen_from_the_shorter),
        cmocka_unit_test(triggers_can_be_taken_back),
        cmocka_unit_test(the_least_recently_used_plan_goes_first),
        cmocka_unit_test(what_is_too_large_is_not_kept),
        cmocka_unit_test(a_plan_in_use_outlives_its_eviction),
        cmocka_unit_test(a_plan_that_grows_is_counted),
        cmocka_unit_test(a_plan_that_grew_before_it_was_stored),
        cmocka_unit_test(what_is_there_is_not_stored_again),
        cmocka_unit_test(eviction_frees_without_the_lock),
        cmocka_unit_test(eviction_takes_the_triggers_along),
        cmocka_unit_test(random_programs_stay_under_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
