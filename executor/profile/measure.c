/* Measuring a device: in the order in which it pays, so that what there is no time for matters
 * least. */
#include "executor/context/context.h"
#include "executor/profile/choices.h"
#include "executor/profile/probe.h"
#include "executor/profile/search.h"
#include "fusion/schedule/schedule.h"

#include "sinter/device.h"

#include <string.h>

#define TINY 16
#define LAUNCHES 256
#define NEAR_RUNS 16
#define KIND_BYTES 64.0 /* to allow for an element of a kind of loop, arithmetic included */
#define COST_ELEMENTS ((int64_t)1 << 15)
#define GPU_COST_ELEMENTS ((int64_t)1 << 20)

/* What is moved in less is moved several times in a run, so that the start and the wait are little of that too. */
#define LONG_NS 1000000u

/* What a program that is timed should take to copy at least, beside which a launch is little; and how many times more
 * elements it may have for that. */
#define LEAST_COPY_US 100.0
#define MOST_TIMES 16

/* Of the time that is left: schedules are to be had by then, the rest is for the costs. */
#define SCHEDULES_PART 0.5

/* How many times more elements than the tables say for schedules, and than GPU_COST_ELEMENTS for
 * costs: a fast GPU is done with those before the next launch has begun. A power of four, so that
 * matrices stay square. */
static int64_t times_more(const sinter_profile *p)
{
    /* MB/s: bytes in a microsecond */
    double copy = p->values.rates.figures[SINTER__FIGURE_copy_far];
    int64_t times = 1;
    while (p->values.style == SINTER_STYLE_GPU && times < MOST_TIMES &&
           8.0 * (double)(GPU_COST_ELEMENTS * times) < LEAST_COPY_US * copy)
        times *= 4;
    return times;
}

static uint32_t clamp(double value)
{
    return value < 1 ? 1 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)(value + 0.5);
}

/* The shortest time of a run: what disturbs only adds to it. 0 after a failure that leaves the rest to be measured. */
static sinter_status time_job(sinter_profile *p, sinter__watch *w, const sinter_job *job,
                              uint32_t lanes, sinter_mode mode, uint64_t *time_ns)
{
    sinter__trial t;
    sinter__trial *one = &t;
    *time_ns = 0;
    sinter_status status = sinter__trial_open(&t, p, NULL, job, lanes, mode);
    if (status == SINTER_OK)
        status = sinter__trial_time(&one, 1, SINTER__TRIAL_ROUNDS, w->deadline_ns, NULL);
    if (status == SINTER_OK)
        *time_ns = sinter__trial_least_ns(&t);
    else if (status != SINTER_ENOMEM)
        sinter__watch_note(w, "%s is not measured: %s", job->name, sinter_last_error());
    sinter__trial_close(&t);
    sinter__clear_error();
    return status == SINTER_ENOMEM ? status : SINTER_OK;
}

/* Bandwidths and launches */

static const struct {
    uint8_t figure;
    const char *name, *text;
    int64_t elements;
    double bytes; /* per element; 0: the figure is the time of one of the repeats */
    int repeats;  /* so many that the start and the wait are little of it, mostly */
} figures[] = {
    {SINTER__FIGURE_round_trip, "round trip", "y = a + 1", TINY, 0, 1},
    {SINTER__FIGURE_launch, "launch", "y = a + 1", TINY, 0, LAUNCHES},
    {SINTER__FIGURE_copy_near, "copy in the caches", "y = copy(a)", SINTER__RATE_NEAR, 8,
     NEAR_RUNS},
    {SINTER__FIGURE_read_near, "read in the caches", "y = sum(a)", SINTER__RATE_NEAR, 4, NEAR_RUNS},
    {SINTER__FIGURE_copy_far, "copy in the memory", "y = copy(a)", SINTER__RATE_FAR, 8, 1},
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

static sinter_status measure_figures(sinter_profile *p, sinter__watch *w)
{
    for (size_t i = 0; i < SINTER__COUNT(figures); i++) {
        sinter__program_job job;
        uint64_t time_ns = 0;
        int repeats = figures[i].repeats;
        double bytes = figures[i].bytes * (double)figures[i].elements * repeats;
        if (!sinter__watch_goes_on(w, figures[i].name))
            return SINTER_OK;
        if (!sinter__trial_is_affordable(p, w, bytes))
            continue;
        sinter__program_job_init(&job, figures[i].name, figures[i].text, figures[i].elements, 1);
        job.repeats = repeats;
        SINTER_TRY(time_job(p, w, &job.job, 0, SINTER_MODE_REPRODUCIBLE, &time_ns));
        if (bytes > 0 && repeats == 1 && time_ns > 0 && time_ns < LONG_NS) {
            uint64_t longer_ns = 0;
            job.repeats = (int)(LONG_NS / time_ns) + 1;
            SINTER_TRY(time_job(p, w, &job.job, 0, SINTER_MODE_REPRODUCIBLE, &longer_ns));
            bytes *= longer_ns > 0 ? job.repeats : 1;
            time_ns = longer_ns > 0 ? longer_ns : time_ns;
        }
        if (time_ns == 0)
            continue;
        p->values.rates.figures[figures[i].figure] =
            clamp(bytes > 0 ? 1e3 * bytes / (double)time_ns : (double)time_ns / (double)repeats);
    }
    return SINTER_OK;
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

/* The numbers that only this kind of loop has, lanes first. What several share was decided by the
 * first. */
static sinter_status measure_schedules(sinter_profile *p, sinter__watch *w)
{
    uint16_t settled = 0;
    const uint64_t start = sinter__now_ns();
    const uint64_t left = w->deadline_ns - SINTER__MIN(start, w->deadline_ns);
    const uint64_t end = start + (uint64_t)((double)left * SCHEDULES_PART);
    for (size_t i = 0; i < SINTER__COUNT(kinds); i++) {
        sinter__program_job job;
        sinter__search s;
        uint64_t now = sinter__now_ns();
        if (!sinter__watch_goes_on(w, kinds[i].name) || now >= end)
            return SINTER_OK;
        int64_t times = times_more(p);
        int64_t elements = kinds[i].elements * times;
        int64_t rows = kinds[i].rows;
        bool is_product = kinds[i].loops == 1 << SINTER__LOOPS_TILE; /* of square matrices */
        for (int64_t k = times; k > 1; k /= is_product ? 4 : 2)
            rows *= 2;
        if (!sinter__trial_is_affordable(p, w, KIND_BYTES * (double)elements))
            continue;
        sinter__program_job_init(&job, kinds[i].name, kinds[i].text, elements, rows);
        sinter_status status = sinter__search_start(&s, p, &job.job, w);
        s.loops = kinds[i].loops;
        s.settled = settled;
        settled |= kinds[i].loops;
        s.deadline_ns = now + (end - now) / (SINTER__COUNT(kinds) - i);
        if (status == SINTER_OK)
            status = sinter__search_climb(&s);
        if (status != SINTER_OK && status != SINTER_ENOMEM)
            sinter__watch_note(w, "%s is not measured: %s", kinds[i].name, sinter_last_error());
        sinter__search_finish(&s);
        sinter__clear_error();
        if (status == SINTER_ENOMEM)
            return status;
    }
    return SINTER_OK;
}

/* Costs */

static const struct {
    const char *text;
    int steps;
} costs[] = {
#define SINTER_COST(name, inputs, steps, program, text) {program, steps},
#include "fusion/cost/rates.def"
};

static const char *const width_names[] = {"costs, 1 lane", "costs, 2 lanes", "costs, 4 lanes",
                                          "costs, 8 lanes", "costs, 16 lanes"};

static int64_t cost_elements(const sinter_profile *p)
{
    bool is_gpu = p->device.info.kind == SINTER_DEVICE_GPU;
    bool is_simulator =
        p->values.rates.figures[SINTER__FIGURE_copy_far] == 0; /* it took too long */
    return is_gpu && !is_simulator ? GPU_COST_ELEMENTS * times_more(p) : COST_ELEMENTS;
}

/* What one operation takes per element, less the time of copying; 0 when there is no time left. */
static sinter_status measure_cost(sinter_profile *p, sinter__watch *w, size_t index, size_t width,
                                  sinter_mode mode, uint64_t copy_ns, uint32_t *out)
{
    sinter__program_job job;
    uint64_t time_ns = 0;
    if (copy_ns == 0 || !sinter__watch_goes_on(w, width_names[width]))
        return SINTER_OK;
    const int64_t elements = cost_elements(p);
    sinter__program_job_init(&job, sinter__cost_name(index), costs[index].text, elements, 1);
    SINTER_TRY(time_job(p, w, &job.job, 1u << width, mode, &time_ns));
    if (time_ns == 0)
        return SINTER_OK;
    double over = time_ns > copy_ns ? (double)(time_ns - copy_ns) : 0;
    *out = clamp(1e3 * over / (double)elements / costs[index].steps);
    return SINTER_OK;
}

static sinter_status measure_copy(sinter_profile *p, sinter__watch *w, size_t width,
                                  uint64_t *copy_ns)
{
    sinter__program_job job;
    *copy_ns = 0;
    if (!sinter__watch_goes_on(w, width_names[width]))
        return SINTER_OK;
    sinter__program_job_init(&job, "copy", "y = copy(a)", cost_elements(p), 1);
    return time_job(p, w, &job.job, 1u << width, SINTER_MODE_REPRODUCIBLE, copy_ns);
}

/* All costs in vectors of so many lanes. */
static sinter_status measure_width(sinter_profile *p, sinter__watch *w, size_t width)
{
    uint64_t copy_ns = 0;
    SINTER_TRY(measure_copy(p, w, width, &copy_ns));
    for (size_t i = 0; i < SINTER__COUNT(costs); i++)
        SINTER_TRY(measure_cost(p, w, i, width, SINTER_MODE_REPRODUCIBLE, copy_ns,
                                &p->values.rates.costs[i][width]));
    return SINTER_OK;
}

/* The driver's functions at the width at which mode native calls them; a copy of the profile says
 * that all of them are faster than ours, so that they are called. */
static sinter_status measure_driver(sinter_profile *p, sinter__watch *w, size_t width)
{
    sinter_profile eager;
    uint64_t copy_ns = 0;
    sinter_status status = sinter__profile_copy(&eager, p->allocator, p);
    for (size_t i = 0; i < SINTER__COST_COUNT; i++)
        eager.values.rates.costs[i][width] = UINT32_MAX;
    for (size_t i = 0; i < SINTER__NATIVE_COUNT; i++)
        eager.values.rates.driver[i] = 1;
    if (status == SINTER_OK)
        status = measure_copy(p, w, width, &copy_ns);
    for (size_t i = 0; i < SINTER__COUNT(costs) && status == SINTER_OK; i++) {
        size_t native = 0;
        while (native < SINTER__NATIVE_COUNT &&
               strcmp(sinter__native_name(native), sinter__cost_name(i)) != 0)
            native++;
        if (native < SINTER__NATIVE_COUNT)
            status = measure_cost(&eager, w, i, width, SINTER_MODE_NATIVE, copy_ns,
                                  &p->values.rates.driver[native]);
    }
    sinter__profile_finish(&eager);
    return status;
}

/* First those lanes that kernels have, then ours and the driver's where they compete, then the
 * other lanes. */
static sinter_status measure_costs(sinter_profile *p, sinter__watch *w)
{
    size_t own = sinter__rate_width(p->values.tuning.map_lanes);
    size_t native = sinter__rate_width(p->device.limits.native_width);
    SINTER_TRY(measure_width(p, w, own));
    if (native != own)
        SINTER_TRY(measure_width(p, w, native));
    SINTER_TRY(measure_driver(p, w, native));
    for (size_t i = 0; i < SINTER__RATE_WIDTHS; i++) {
        if (i != own && i != native)
            SINTER_TRY(measure_width(p, w, i));
    }
    return SINTER_OK;
}

static sinter_status measure(sinter_profile *p, sinter__watch *w)
{
    if (!sinter__watch_goes_on(w, "exactness"))
        return SINTER_OK;
    SINTER_TRY(sinter__probe(p));
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
    return measure_costs(p, w);
}

sinter_status sinter_profile_measure(sinter_profile *profile, const sinter_measure_options *options)
{
    sinter__watch watch;
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_measure: the profile is NULL");
    sinter_status status = sinter__watch_start(&watch, profile->allocator, options);
    if (status == SINTER_OK)
        status = measure(profile, &watch);
    sinter__watch_finish(&watch);
    return status == SINTER_OK ? status : sinter__fail_in(status, "profile_measure");
}
