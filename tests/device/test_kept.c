/* The contexts of one measurement build each program once, those of another one begin anew; what is kept is bounded,
 * and is given back. */
#include "support/support.h"

#include "executor/profile/kept.h"
#include "executor/profile/trial.h"

#include <stdlib.h>
#include <string.h>

/* What the job costs a context of its own: programs built, and taken from those that are kept. */
static sinter_stats stats_of(const sinter_profile *p, sinter__watch *w, const char *text)
{
    sinter__program_job job;
    sinter__trial t;
    sinter_stats stats = SINTER_STATS_INIT;
    sinter__program_job_init(&job, "kept", text, 4096, 64);
    OK(sinter__trial_open(&t, p, &w->kept, &job.job, 0, SINTER_MODE_REPRODUCIBLE));
    OK(sinter_context_stats(t.ctx, &stats));
    sinter__trial_close(&t);
    return stats;
}

static void check(const sinter_profile *p, sinter__watch *w, const char *text, uint64_t built)
{
    sinter_stats stats = stats_of(p, w, text);
    assert_int_equal(stats.compiles, built);
    assert_int_equal(stats.cache_hits, 1 - built);
}

/* Contexts that are open at once may both build it; it is kept once. */
static void check_two_at_once(const sinter_profile *p, sinter__watch *w)
{
    sinter__program_job job;
    sinter__trial t[2];
    size_t before = w->kept.bytes;
    assert_true(before > 0);
    sinter__program_job_init(&job, "both", "y = sqrt(a) - a", 4096, 64);
    for (int i = 0; i < 2; i++)
        OK(sinter__trial_open(&t[i], p, &w->kept, &job.job, 0, SINTER_MODE_REPRODUCIBLE));
    sinter__trial_close(&t[0]);
    size_t once = w->kept.bytes;
    assert_true(once > before);
    sinter__trial_close(&t[1]);
    assert_int_equal(w->kept.bytes, once);
}

static void a_measurement_builds_once(void **state)
{
    (void)state;
    sinter_profile *p = NULL;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    uint64_t held = atomic_load(&p->allocator->live_bytes);
    for (int i = 0; i < 2; i++) {
        sinter__watch w;
        OK(sinter__watch_start(&w, p->allocator, NULL));
        check(p, &w, "y = a * 2 + 1", 1);
        check(p, &w, "y = a * 2 + 1", 0);
        check(p, &w, "y = r + l * 3", 1); /* a row and a column */
        check(p, &w, "y = a * 2 + 1", 0);
        check(p, &w, "y = r + l * 3", 0);
        check_two_at_once(p, &w);
        sinter__watch_finish(&w);
        assert_int_equal(atomic_load(&p->allocator->live_bytes), held);
    }
    sinter_profile_destroy(p);
}

#define LARGE ((size_t)20 << 20)

static void what_is_kept_is_bounded(void **state)
{
    (void)state;
    static uint8_t found[4];
    sinter__allocator a;
    sinter__allocator_init(&a, NULL, NULL);
    sinter__kept k = {.allocator = &a};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter__kept_hooks(&k, &o);
    void *large = calloc(1, LARGE);
    assert_non_null(large);
    assert_int_equal(o.cache_load_fn(o.cache_user, "one", found, sizeof found), 0);
    assert_int_equal(o.cache_store_fn(o.cache_user, "one", "abc", 4), 1);
    assert_int_equal(o.cache_store_fn(o.cache_user, "two", large, LARGE), 1);
    assert_int_equal(o.cache_store_fn(o.cache_user, "three", large, LARGE), 0);
    assert_int_equal(o.cache_store_fn(o.cache_user, "four", "d", 2), 1);
    assert_int_equal(o.cache_load_fn(o.cache_user, "one", found, sizeof found), 4);
    assert_memory_equal(found, "abc", 4);
    assert_int_equal(o.cache_load_fn(o.cache_user, "two", found, sizeof found),
                     LARGE); /* no room */
    assert_memory_equal(found, "abc", 4);
    assert_int_equal(o.cache_load_fn(o.cache_user, "three", found, sizeof found), 0);
    assert_int_equal(o.cache_store_fn(o.cache_user, "two", "two", 4), 1); /* in its place */
    assert_int_equal(o.cache_store_fn(o.cache_user, "three", large, LARGE), 1);
    assert_int_equal(o.cache_load_fn(o.cache_user, "two", found, sizeof found), 4);
    assert_memory_equal(found, "two", 4);
    free(large);
    sinter__kept_finish(&k);
    assert_int_equal(atomic_load(&a.live_bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_measurement_builds_once),
                                       cmocka_unit_test(what_is_kept_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
