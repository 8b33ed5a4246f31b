/* The one hard idea: the larger the size, the sooner one way wins, or so it is taken: of the sizes from the
 * largest down, the last that it wins is found by halves, which leaves out most of the large ones, that
 * take long. A wrong answer leaves out half of the sizes, so each can be two of three, each in memory
 * taken anew. */
#include "executor/profile/crossover.h"

#include "executor/context/context.h"
#include "executor/profile/trial.h"

/* Whether profile `theirs` wins, after both were timed in turns: by 2 % or, where ties count, by none. By
 * the shortest quarter of each: where a thread is woken late, or on the processor of the other, a run
 * takes twice as long, and on some machines every third does. Where there are many turns, or it has to
 * win by much, by the median. */
static bool wins_over(const sinter__trial *theirs, const sinter__trial *own,
                      const sinter__crossover *c, bool takes_ties)
{
    const uint64_t taken_ns = sinter__trial_quartile_ns(theirs);
    const uint64_t margin_ns = takes_ties ? 0 : taken_ns / 50;
    const uint64_t parts = c->wants_much ? 4 : 19; /* of 5 or 20 */
    if (c->turns > 0 || c->wants_much)
        return (parts + 1) * sinter__trial_median_ns(theirs) < parts * sinter__trial_median_ns(own);
    return taken_ns + margin_ns <= sinter__trial_quartile_ns(own);
}

/* All sizes are measured in two contexts, as what is compiled for one is good for all. */
typedef struct contest {
    const sinter_profile *own, *theirs;
    sinter__watch *w;
    const sinter__crossover *c;
    sinter__program_job job;
    sinter__trial trials[2]; /* by theirs, by own */
    bool known;              /* there was the time to see */
    bool wins;               /* theirs, at the size that was asked for last */
    int won_at, lost_at;     /* answers that make it win or lose */
} contest;

/* Opens the job by `theirs` and, where it can be asked, by `own`. */
static sinter_status open_both(contest *a)
{
    const sinter_mode mode = a->c->mode;
    SINTER_TRY(sinter__trial_open(&a->trials[0], a->theirs, a->w, &a->job.job, 0, mode));
    if (mode != SINTER_MODE_REPRODUCIBLE && a->trials[0].ctx->devices[0].limits.gemm_from_f32 == 0)
        return SINTER_OK;
    return sinter__trial_open(&a->trials[1], a->own, a->w, &a->job.job, 0, mode);
}

static sinter_status reopen_both(contest *a)
{
    SINTER_TRY(sinter__trial_reopen(&a->trials[0], &a->job.job));
    return sinter__trial_reopen(&a->trials[1], &a->job.job);
}

/* The job that both have open. */
static sinter_status compare_both(contest *a, bool takes_ties)
{
    sinter__trial *both[] = {&a->trials[0], &a->trials[1]};
    size_t turns = a->c->turns > 0 ? a->c->turns : SINTER__TRIAL_ROUNDS;
    SINTER_TRY(sinter__trial_time(both, 2, turns, a->w->deadline_ns, NULL));
    a->known = a->trials[0].sample_count >= turns && !sinter__trial_fell_back(&a->trials[0]);
    a->wins = a->known && wins_over(&a->trials[0], &a->trials[1], a->c, takes_ties);
    return SINTER_OK;
}

sinter_status sinter__profile_copy_twice(sinter_profile *own, sinter_profile *theirs,
                                         const sinter_profile *p)
{
    *own = *theirs = (sinter_profile){0};
    sinter_status status = sinter__profile_copy(own, p->allocator, p);
    return status == SINTER_OK ? sinter__profile_copy(theirs, p->allocator, p) : status;
}

/* Halves a side; elements go down by a quarter and a third in turn. */
static int64_t next_size(const sinter__crossover *c, int64_t size)
{
    bool is_power = (size & (size - 1)) == 0;
    if (c->is_square)
        return size / 2;
    return is_power ? size / 4 * 3 : size / 3 * 2;
}

static int64_t size_at(const sinter__crossover *c, size_t index)
{
    int64_t size = c->most;
    for (size_t i = 0; i < index; i++)
        size = next_size(c, size);
    return size;
}

static size_t count_sizes(const sinter__crossover *c)
{
    size_t count = 1;
    while (size_at(c, count) >= SINTER__MAX(c->least, (int64_t)1))
        count++;
    return count;
}

/* The number looked for that the size comes to. */
static int64_t set_size(sinter__program_job *job, const sinter__crossover *c, int64_t size)
{
    job->elements = c->is_square ? size * size : size;
    job->rows = c->is_square ? size : c->columns > 0 ? size / c->columns : 1;
    return job->elements * (c->is_product ? size : (int64_t)sizeof(float));
}

static sinter_status ask_size(contest *a, int64_t size)
{
    bool is_first = a->job.elements == 0;
    const bool takes_ties = a->c->takes_ties && size > a->c->wins_to;
    const double bytes = a->c->bytes * (double)set_size(&a->job, a->c, size);
    a->known = a->wins = false;
    if (!sinter__trial_is_affordable(a->own, a->w, bytes))
        return SINTER_OK;
    for (int won = 0, lost = 0; won < a->won_at && lost < a->lost_at; is_first = false) {
        a->known = false;
        if (!sinter__watch_goes_on(a->w, a->c->what))
            return SINTER_OK;
        SINTER_TRY(is_first ? open_both(a) : reopen_both(a));
        if (a->trials[1].is_open)
            SINTER_TRY(compare_both(a, takes_ties));
        if (!a->known)
            return SINTER_OK;
        won += a->wins;
        lost += !a->wins;
        a->wins = won == a->won_at;
    }
    return SINTER_OK;
}

/* Of the sizes from the largest down, how many `theirs` wins, by halves: *from to *to, which are the same if there is
 * the time. */
static sinter_status halve(contest *a, size_t *from, size_t *to)
{
    a->known = true;
    while (*from < *to && a->known) {
        size_t at = *from + (*to - *from) / 2;
        SINTER_TRY(ask_size(a, size_at(a->c, at)));
        if (a->wins)
            *from = at + 1;
        else if (a->known)
            *to = at;
    }
    return SINTER_OK;
}

sinter_status sinter__crossover_find(const sinter_profile *own, const sinter_profile *theirs,
                                     sinter__watch *w, const sinter__crossover *c, uint32_t *out)
{
    const int wins = c->wins_of_three;
    contest a = {.own = own, .theirs = theirs, .w = w, .c = c};
    size_t from = 0;
    size_t to = count_sizes(c);
    a.won_at = SINTER__MAX(wins, 1);
    a.lost_at = wins > 0 ? 4 - wins : 1;
    sinter__program_job_init(&a.job, c->what, c->text, 0, 1);
    sinter_status status = halve(&a, &from, &to);
    if (from > 0)
        *out = (uint32_t)set_size(&a.job, c, size_at(c, from - 1));
    else if (to == 0)
        *out = c->never;
    sinter__trial_close(&a.trials[0]);
    sinter__trial_close(&a.trials[1]);
    return sinter__watch_pass_over(w, status, c->what);
}

sinter_status sinter__crossover_between(const sinter_profile *p, const sinter__tuning *own,
                                        const sinter__tuning *theirs, sinter__watch *w,
                                        const sinter__crossover *c, uint32_t *out)
{
    sinter_profile by_own;
    sinter_profile by_theirs;
    sinter_status status = sinter__profile_copy_twice(&by_own, &by_theirs, p);
    by_own.values.tuning = *own;
    by_theirs.values.tuning = *theirs;
    if (status == SINTER_OK)
        status = sinter__crossover_find(&by_own, &by_theirs, w, c, out);
    sinter__profile_finish(&by_own);
    sinter__profile_finish(&by_theirs);
    return status;
}
