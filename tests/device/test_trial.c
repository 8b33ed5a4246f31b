/* The contexts of one measurement are in one OpenCL context. A trial that is opened once more has its kernels already, and
 * is on another stream; one that could not be is not timed, and everything is given back. Kernels of costs are built
 * together and then found. */
#include "support/support.h"

#include "executor/context/context.h"
#include "executor/profile/costs.h"

#include <stdio.h>
#include <string.h>

static sinter_profile *default_profile(void)
{
    sinter_profile *p = NULL;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    return p;
}

static sinter_stats stats_of(const sinter__trial *t)
{
    sinter_stats stats = SINTER_STATS_INIT;
    OK(sinter_context_stats(t->ctx, &stats));
    return stats;
}

static void all_are_in_one_context(void **state)
{
    (void)state;
    sinter_profile *p = default_profile();
    uint64_t held = atomic_load(&p->allocator->live_bytes);
    sinter__watch w;
    sinter__program_job job;
    sinter__trial t[2];
    OK(sinter__watch_start(&w, p, NULL));
    assert_non_null(w.shared.context);
    sinter__program_job_init(&job, "both", "y = sqrt(a) - a", 4096, 64);
    for (int i = 0; i < 2; i++) {
        OK(sinter__trial_open(&t[i], p, &w, &job.job, 0, SINTER_MODE_REPRODUCIBLE));
        assert_ptr_equal(t[i].ctx->devices[0].theirs.context, w.shared.context);
        assert_int_equal(stats_of(&t[i]).compiles, 1);
    }
    assert_ptr_not_equal(t[0].ctx, t[1].ctx);
    assert_true(sinter__trial_same(&t[0], &t[1]));
    for (int i = 0; i < 2; i++)
        sinter__trial_close(&t[i]);
    sinter__watch_finish(&w);
    assert_null(w.shared.context);
    assert_int_equal(atomic_load(&p->allocator->live_bytes), held);
    sinter_profile_destroy(p);
}

static void what_is_reopened_is_built_already(void **state)
{
    (void)state;
    sinter_profile *p = default_profile();
    sinter__watch w;
    sinter__program_job job;
    sinter__trial t;
    sinter__trial *one = &t;
    OK(sinter__watch_start(&w, p, NULL));
    sinter__program_job_init(&job, "again", "y = r + l * 3", 4096, 64); /* a row and a column */
    OK(sinter__trial_open(&t, p, &w, &job.job, 0, SINTER_MODE_REPRODUCIBLE));
    uint64_t launches = stats_of(&t).launches;
    for (int i = 0; i < 3; i++) {
        job.elements *= 2;
        OK(sinter__trial_reopen(&t, &job.job));
        assert_int_equal(t.bytes[0], (size_t)job.elements * sizeof(float));
        OK(sinter__trial_time(&one, 1, 2, w.deadline_ns, NULL));
        assert_int_equal(t.sample_count, 2);
    }
    assert_int_equal(stats_of(&t).compiles, 1);
    assert_true(stats_of(&t).launches >= launches + 3 * 4);
    sinter__trial_close(&t);
    sinter__watch_finish(&w);
    sinter_profile_destroy(p);
}

/* Opens a number of times, each of which it is closed for. */
typedef struct failing {
    sinter__program_job program;
    int opens; /* still */
    int open;
} failing;

static sinter_status open_failing(void *user, sinter_context *ctx, sinter_stream *s, void **state)
{
    failing *f = user;
    f->open++;
    if (f->opens-- <= 0)
        return SINTER_EIO;
    return f->program.job.open(&f->program, ctx, s, state);
}

static sinter_status run_failing(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                                 size_t room, size_t *count)
{
    failing *f = user;
    return f->program.job.run(&f->program, state, s, results, room, count);
}

static void close_failing(void *user, void *state, sinter_stream *s)
{
    failing *f = user;
    f->open--;
    f->program.job.close(&f->program, state, s);
}

static void what_cannot_be_reopened_is_not_timed(void **state)
{
    (void)state;
    sinter_profile *p = default_profile();
    uint64_t held = atomic_load(&p->allocator->live_bytes);
    sinter__watch w;
    failing f = {.opens = 2};
    sinter_job job = {sizeof job, 0, "failing", open_failing, run_failing, close_failing, &f};
    sinter__trial t;
    sinter__trial *one = &t;
    OK(sinter__watch_start(&w, p, NULL));
    sinter__program_job_init(&f.program, "failing", "y = a * 2", 4096, 64);
    OK(sinter__trial_open(&t, p, &w, &job, 0, SINTER_MODE_REPRODUCIBLE));
    OK(sinter__trial_reopen(&t, &job));
    OK(sinter__trial_time(&one, 1, 1, w.deadline_ns, NULL));
    assert_int_equal(sinter__trial_reopen(&t, &job), SINTER_EIO);
    assert_int_equal(sinter__trial_time(&one, 1, 1, w.deadline_ns, NULL), SINTER_EINVAL);
    assert_int_equal(t.sample_count, 0);
    sinter__trial_close(&t);
    assert_int_equal(f.open, 0);
    sinter__watch_finish(&w);
    assert_int_equal(atomic_load(&p->allocator->live_bytes), held);
    sinter_profile_destroy(p);
}

static char noted[400];

static void note(void *user, const char *line)
{
    (void)user;
    (void)snprintf(noted, sizeof noted, "%s", line);
}

/* Leaves a failure on the stream behind it, and says what it failed by. */
static sinter_status run_into_error(void *user, void *state, sinter_stream *s,
                                    sinter_tensor *results, size_t room, size_t *count)
{
    const sinter_tensor none = {0};
    (void)user;
    (void)state;
    (void)room;
    *count = 0;
    return sinter_add(s, none, none, &results[0]);
}

/* A call that succeeds, and has nothing to say. */
static void close_well(void *user, void *state, sinter_stream *s)
{
    const sinter_tensor none = {0};
    (void)user;
    (void)state;
    OK(sinter_tensor_release(s, none));
}

/* Its job is over; the context is there for the next one. */
static void what_is_not_measured_says_why(void **state)
{
    (void)state;
    sinter_profile *p = default_profile();
    sinter__watch w;
    sinter_measure_options options = SINTER_MEASURE_OPTIONS_INIT;
    sinter_job bad = {sizeof bad, 0, "bad", NULL, run_into_error, close_well, NULL};
    sinter__program_job good;
    sinter__trial t = {0};
    uint64_t time_ns = 1;
    options.note = note;
    OK(sinter__watch_start(&w, p, &options));
    OK(sinter__trial_shortest(&t, p, &w, &bad, 0, SINTER_MODE_REPRODUCIBLE, &time_ns));
    assert_int_equal(time_ns, 0);
    assert_non_null(strstr(noted, "bad is not measured: "));
    assert_non_null(strstr(noted, "add"));
    assert_string_equal(sinter_last_error(), "");
    sinter__program_job_init(&good, "good", "y = a * 2", 4096, 64);
    OK(sinter__trial_shortest(&t, p, &w, &good.job, 0, SINTER_MODE_REPRODUCIBLE, &time_ns));
    assert_true(time_ns > 0);
    sinter__trial_close(&t);
    sinter__watch_finish(&w);
    sinter_profile_destroy(p);
}

/* What is timed by itself has been built with others. */
static void costs_are_built_together(void **state)
{
    (void)state;
    static const size_t rows[] = {SINTER__COST_exp, SINTER__COST_add, SINTER__COST_atan2,
                                  SINTER__COST_div_i32};
    sinter_profile *p = default_profile();
    uint64_t held = atomic_load(&p->allocator->live_bytes);
    sinter__watch w;
    sinter__costs c;
    OK(sinter__watch_start(&w, p, NULL));
    OK(sinter__costs_open(&c, p, &w, 4, SINTER_MODE_REPRODUCIBLE));
    assert_true(c.copy_ns > 0 && c.build_ns > 0);
    assert_int_equal(stats_of(&c.trial).compiles, 1);
    OK(sinter__costs_build(&c, rows, SINTER__COUNT(rows)));
    assert_int_equal(stats_of(&c.trial).compiles, 2);
    for (size_t i = 0; i < SINTER__COUNT(rows); i++) {
        uint32_t cost_ps = 0;
        OK(sinter__costs_measure(&c, rows[i], &cost_ps));
        assert_true(cost_ps > 0);
    }
    assert_int_equal(stats_of(&c.trial).compiles, 2);
    uint32_t alone_ps = 0;
    OK(sinter__costs_measure(&c, SINTER__COST_log, &alone_ps));
    assert_true(alone_ps > 0);
    assert_int_equal(stats_of(&c.trial).compiles, 3);
    sinter__costs_close(&c);
    sinter__watch_finish(&w);
    assert_int_equal(atomic_load(&p->allocator->live_bytes), held);
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_in_one_context),
                                       cmocka_unit_test(what_is_reopened_is_built_already),
                                       cmocka_unit_test(what_cannot_be_reopened_is_not_timed),
                                       cmocka_unit_test(what_is_not_measured_says_why),
                                       cmocka_unit_test(costs_are_built_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
