/* Measuring a device: in the order in which it pays, so that what there is no time for matters
 * least. */
#include "executor/context/context.h"
#include "executor/profile/choices.h"
#include "executor/profile/costs.h"
#include "executor/profile/probe.h"
#include "executor/profile/search.h"
#include "fusion/schedule/schedule.h"

#include "sinter/device.h"

#define TINY 16
#define LAUNCHES 256
#define NEAR_RUNS 16
#define KIND_BYTES 64.0 /* to allow for an element of a kind of loop, arithmetic included */

/* What is moved in less is moved several times in a run, so that the start and the wait are little of that too. */
#define LONG_NS 1000000u

/* Of the time that is left: schedules are to be had by then, the rest is for the costs. */
#define SCHEDULES_PART 0.5

/* Schedules for which there has to be the time, or none is tried: one that is the best already costs as much to open. */
#define LEAST_TRIED 4

/* Bandwidths and launches */

/* Nobody wants the copy: reading it back would take longer than the rest. */
#define COPY "y = copy(a); cut; release y"

static const struct {
    uint8_t figure;
    const char *name, *text;
    int64_t elements;
    double bytes; /* per element; 0: the figure is the time of one of the repeats */
    int repeats;  /* so many that the start and the wait are little of it, mostly */
} figures[] = {
    {SINTER__FIGURE_round_trip, "round trip", "y = a + 1", TINY, 0, 1},
    {SINTER__FIGURE_launch, "launch", "y = a + 1", TINY, 0, LAUNCHES},
    {SINTER__FIGURE_copy_near, "copy in the caches", COPY, SINTER__RATE_NEAR, 8, NEAR_RUNS},
    {SINTER__FIGURE_read_near, "read in the caches", "y = sum(a)", SINTER__RATE_NEAR, 4, NEAR_RUNS},
    {SINTER__FIGURE_copy_far, "copy in the memory", COPY, SINTER__RATE_FAR, 8, 1},
    {SINTER__FIGURE_read_far, "read in the memory", "y = sum(a)", SINTER__RATE_FAR, 4, 1},
};

/* Where launches take longer than what they move, the caches look slower than the memory. */
static void settle_near(sinter__rates *rates)
{
    uint32_t *f = rates->figures;
    f[SINTER__FIGURE_copy_near] =
        SINTER__MAX(f[SINTER__FIGURE_copy_near], f[SINTER__FIGURE_copy_far]);
    f[SINTER__FIGURE_read_near] =
        SINTER__MAX(f[SINTER__FIGURE_read_near], f[SINTER__FIGURE_read_far]);
}

static sinter_status measure_figure(sinter__trial *t, sinter_profile *p, sinter__watch *w, size_t i)
{
    const sinter_mode mode = SINTER_MODE_REPRODUCIBLE;
    sinter__program_job job;
    uint64_t time_ns = 0;
    int repeats = figures[i].repeats;
    double bytes = figures[i].bytes * (double)figures[i].elements * repeats;
    if (!sinter__trial_is_affordable(p, w, bytes))
        return SINTER_OK;
    sinter__program_job_init(&job, figures[i].name, figures[i].text, figures[i].elements, 1);
    job.repeats = repeats;
    SINTER_TRY(sinter__trial_shortest(t, p, w, &job.job, 0, mode, &time_ns));
    if (bytes > 0 && repeats == 1 && time_ns > 0 && time_ns < LONG_NS) {
        uint64_t longer_ns = 0;
        job.repeats = (int)(LONG_NS / time_ns) + 1;
        SINTER_TRY(sinter__trial_shortest(t, p, w, &job.job, 0, mode, &longer_ns));
        bytes *= longer_ns > 0 ? job.repeats : 1;
        time_ns = longer_ns > 0 ? longer_ns : time_ns;
    }
    if (time_ns > 0)
        p->values.rates.figures[figures[i].figure] = sinter__trial_figure(
            bytes > 0 ? 1e3 * bytes / (double)time_ns : (double)time_ns / (double)repeats);
    return SINTER_OK;
}

static sinter_status measure_figures(sinter_profile *p, sinter__watch *w)
{
    sinter__trial t = {0};
    sinter_status status = SINTER_OK;
    for (size_t i = 0; i < SINTER__COUNT(figures) && status == SINTER_OK &&
                       sinter__watch_goes_on(w, figures[i].name);
         i++)
        status = measure_figure(&t, p, w, i);
    sinter__trial_close(&t);
    return status;
}

/* Schedules. What is found holds for all kernels of a kind, so each has arithmetic as well: bare sums, which wait for
 * memory in vectors of any width, once chose one in which an exp takes twice as long. And elementwise kernels have
 * several functions: the width that a single one likes, tanh for one, is a tenth slower for most others. */

static const struct {
    const char *name, *text;
    int64_t elements, rows;
    uint16_t loops;
} kinds[] = {
    {"elementwise", "y = tanh(a * 2 + b) * log(a) - exp(b)", 1 << 20, 1, 1 << SINTER__LOOPS_ROW},
    {"rows", "y = softmax(m * n, axis=1); cut; z = m - mean(m, axis=1, keepdims=1)", 1 << 20, 1024,
     1 << SINTER__LOOPS_CHUNK},
    {"sums of columns", "y = sum(exp(m * n), axis=0)", 1 << 20, 1024, 1 << SINTER__LOOPS_RUN},
    {"matrix product", "y = m @ n", 1 << 18, 512, 1 << SINTER__LOOPS_TILE},
};

/* The numbers that only this kind of loop has, lanes first. What several share was decided by the first. Within part_ns,
 * where there is time for some; *open_ns: the longest that a first trial has taken. */
static sinter_status measure_kind(sinter_profile *p, sinter__watch *w, size_t i, uint64_t part_ns,
                                  uint16_t *settled, uint64_t *open_ns)
{
    sinter__program_job job;
    sinter__search s;
    const uint64_t start_ns = sinter__now_ns();
    const int64_t times = sinter__trial_times_more(p);
    const int64_t elements = kinds[i].elements * times;
    const bool is_product = kinds[i].loops == 1 << SINTER__LOOPS_TILE; /* of square matrices */
    int64_t rows = kinds[i].rows;
    for (int64_t k = times; k > 1; k /= is_product ? 4 : 2)
        rows *= 2;
    if (!sinter__trial_is_affordable(p, w, KIND_BYTES * (double)elements))
        return SINTER_OK;
    sinter__program_job_init(&job, kinds[i].name, kinds[i].text, elements, rows);
    sinter_status status = sinter__search_start(&s, p, &job.job, w);
    *open_ns = SINTER__MAX(*open_ns, sinter__now_ns() - start_ns);
    s.loops = kinds[i].loops;
    s.settled = *settled;
    s.deadline_ns = start_ns + part_ns;
    if (status == SINTER_OK && LEAST_TRIED * *open_ns <= part_ns) {
        *settled |= kinds[i].loops;
        status = sinter__search_climb(&s);
    }
    sinter__search_finish(&s);
    return sinter__watch_pass_over(w, status, kinds[i].name);
}

static sinter_status measure_schedules(sinter_profile *p, sinter__watch *w)
{
    const uint64_t start = sinter__now_ns();
    const uint64_t end = start + (uint64_t)((double)sinter__watch_left_ns(w) * SCHEDULES_PART);
    uint64_t open_ns = 0;
    uint16_t settled = 0; /* kinds that were searched */
    for (size_t i = 0; i < SINTER__COUNT(kinds); i++) {
        uint64_t now = sinter__now_ns();
        uint64_t part_ns = (end - SINTER__MIN(now, end)) / (SINTER__COUNT(kinds) - i);
        if (!sinter__watch_goes_on(w, kinds[i].name) || LEAST_TRIED * open_ns >= part_ns)
            return SINTER_OK;
        SINTER_TRY(measure_kind(p, w, i, part_ns, &settled, &open_ns));
    }
    return SINTER_OK;
}

static sinter_status measure(sinter_profile *p, sinter__watch *w)
{
    if (!sinter__watch_goes_on(w, "exactness"))
        return SINTER_OK;
    SINTER_TRY(sinter__probe(p, w));
    if (p->values.is_shipped) { /* what there is no time for is not known of this device */
        p->values.rates = (sinter__rates){.figures = {0}};
        p->values.is_shipped = false;
    }
    SINTER_TRY(measure_figures(p, w));
    settle_near(&p->values.rates);
    if (p->device.info.kind == SINTER_DEVICE_HOST)
        return SINTER_OK; /* it interprets: no schedule, no vectors */
    SINTER_TRY(sinter__measure_choices(p, w));
    SINTER_TRY(measure_schedules(p, w));
    SINTER_TRY(sinter__measure_products(p, w));
    return sinter__measure_costs(p, w);
}

sinter_status sinter_profile_measure(sinter_profile *profile, const sinter_measure_options *options)
{
    sinter__watch watch;
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_measure: the profile is NULL");
    sinter_status status = sinter__watch_start(&watch, profile, options);
    if (status == SINTER_OK)
        status = measure(profile, &watch);
    sinter__watch_finish(&watch);
    return status == SINTER_OK ? status : sinter__fail_in(status, "profile_measure");
}
