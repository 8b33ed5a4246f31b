/* Measuring a device: in the order in which it pays, so that what there is no time for matters
 * least. */
#include "executor/context.h"
#include "executor/profile/probe.h"
#include "executor/profile/search.h"
#include "fusion/schedule.h"

#include "sinter/device.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TINY 16
#define LAUNCHES 256
#define NEAR_RUNS 16
#define ROUNDS 7
#define RUNS_AT_LEAST 4 /* two before the first sample, and that */
#define KIND_BYTES 64.0 /* to allow for an element of a kind of loop, arithmetic included */
#define COST_ELEMENTS ((int64_t)1 << 15)
#define GPU_COST_ELEMENTS ((int64_t)1 << 20)

/* What is moved in less is moved several times in a run, so that the start and the wait are little of that too. */
#define LONG_NS 1000000u

/* What a program that is timed should take to copy at least, beside which a launch is little; and how many times more
 * elements it may have for that. */
#define LEAST_COPY_US 100.0
#define MOST_TIMES 16

/* Of the time: schedules are to be had by then, the rest is for the costs. */
#define SCHEDULES_PART 0.6

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
    sinter_status status = sinter__trial_open(&t, p, job, lanes, mode);
    if (status == SINTER_OK)
        status = sinter__trial_time(&one, 1, ROUNDS, w->deadline_ns, NULL);
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

/* Whether moving so many bytes a few times is a small part of the time that is left, by how fast the
 * device copies in its caches: a simulator would be at it for minutes. */
static bool is_affordable(const sinter_profile *p, const sinter__watch *w, double bytes)
{
    uint64_t now = sinter__now_ns();
    double left_ns = now < w->deadline_ns ? (double)(w->deadline_ns - now) : 0;
    /* MB/s: bytes in a microsecond */
    uint32_t copy = p->values.rates.figures[SINTER__FIGURE_copy_near];
    return copy == 0 || 1e3 * bytes / copy * RUNS_AT_LEAST < left_ns / 2;
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
        if (!is_affordable(p, w, bytes))
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
    for (size_t i = 0; i < SINTER__COUNT(kinds); i++) {
        sinter__program_job job;
        sinter__search s;
        uint64_t now = sinter__now_ns();
        uint64_t end =
            w->start_ns + (uint64_t)((double)(w->deadline_ns - w->start_ns) * SCHEDULES_PART);
        if (!sinter__watch_goes_on(w, kinds[i].name) || now >= end)
            return SINTER_OK;
        int64_t times = times_more(p);
        int64_t elements = kinds[i].elements * times;
        int64_t rows = kinds[i].rows;
        bool is_product = kinds[i].loops == 1 << SINTER__LOOPS_TILE; /* of square matrices */
        for (int64_t k = times; k > 1; k /= is_product ? 4 : 2)
            rows *= 2;
        if (!is_affordable(p, w, KIND_BYTES * (double)elements))
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

/* Crossovers: from which size on one way is faster than another */

typedef struct crossover {
    const char *what, *text;
    sinter_mode mode;
    bool is_square;      /* operands are square matrices, by their sides; else it is elements */
    int64_t columns;     /* of matrices of so many elements; 0: they are one row */
    bool is_product;     /* what is looked for are multiply-adds; else bytes of a result */
    bool takes_ties;     /* `theirs` wins where both are level */
    int64_t wins_to;     /* sizes up to which it has to be faster all the same */
    bool wants_much;     /* it has to take a fifth less */
    int64_t most, least; /* sizes */
    double bytes;        /* that are about moved, for each of the number looked for */
    uint32_t never;      /* it, where the other way is faster at the largest size already */
    size_t turns;        /* of each, most of which and a twentieth less count; 0: ROUNDS */
} crossover;

/* Whether `theirs` takes no longer in most turns of both. */
static bool is_no_slower(const sinter__trial *theirs, const sinter__trial *own)
{
    size_t turns = SINTER__MIN(theirs->sample_count, own->sample_count);
    size_t level = 0;
    for (size_t i = 0; i < turns; i++)
        level += theirs->samples[i] <= own->samples[i];
    return 2 * level > turns;
}

/* Whether profile `theirs` wins, after both were timed in turns. */
static bool wins_over(const sinter__trial *theirs, const sinter__trial *own, const crossover *c)
{
    bool wins = c->takes_ties ? is_no_slower(theirs, own) : sinter__trial_beats(theirs, own);
    if (c->turns > 0)
        wins = is_no_slower(theirs, own) &&
               20 * sinter__trial_median_ns(theirs) < 19 * sinter__trial_median_ns(own);
    if (c->wants_much)
        wins = wins && 5 * sinter__trial_median_ns(theirs) < 4 * sinter__trial_median_ns(own);
    return wins && !sinter__trial_fell_back(theirs);
}

/* Opens the job by `theirs` and, where it can be asked, by `own`. */
static sinter_status open_both(sinter__trial trials[2], const sinter_profile *own,
                               const sinter_profile *theirs, const crossover *c,
                               const sinter_job *job)
{
    SINTER_TRY(sinter__trial_open(&trials[0], theirs, job, 0, c->mode));
    if (c->mode != SINTER_MODE_REPRODUCIBLE && trials[0].ctx->devices[0].limits.gemm_from_f32 == 0)
        return SINTER_OK;
    return sinter__trial_open(&trials[1], own, job, 0, c->mode);
}

/* *wins: the job that both have open is faster in the first; *known: there was the time to see. */
static sinter_status compare_both(sinter__trial trials[2], const sinter__watch *w,
                                  const crossover *c, bool *known, bool *wins)
{
    sinter__trial *both[] = {&trials[0], &trials[1]};
    size_t turns = c->turns > 0 ? c->turns : ROUNDS;
    SINTER_TRY(sinter__trial_time(both, 2, turns, w->deadline_ns, NULL));
    *known = trials[0].sample_count >= turns;
    *wins = *known && wins_over(&trials[0], &trials[1], c);
    return SINTER_OK;
}

/* The best of three, after a loss: one disturbance is neither the end of the way down nor the way on. */
static sinter_status ask_again(sinter__trial trials[2], const sinter__watch *w, const crossover *c,
                               bool *known, bool *wins)
{
    SINTER_TRY(compare_both(trials, w, c, known, wins));
    return *wins ? compare_both(trials, w, c, known, wins) : SINTER_OK;
}

/* Two copies of a profile, which the caller makes differ and finishes whatever is returned. */
static sinter_status copy_twice(sinter_profile *own, sinter_profile *theirs,
                                const sinter_profile *p)
{
    *own = *theirs = (sinter_profile){0};
    sinter_status status = sinter__profile_copy(own, p->allocator, p);
    return status == SINTER_OK ? sinter__profile_copy(theirs, p->allocator, p) : status;
}

/* Halves a side; elements go down by a quarter and a third in turn. */
static int64_t next_size(const crossover *c, int64_t size)
{
    bool is_power = (size & (size - 1)) == 0;
    if (c->is_square)
        return size / 2;
    return is_power ? size / 4 * 3 : size / 3 * 2;
}

static sinter_status reopen_both(sinter__trial trials[2])
{
    SINTER_TRY(sinter__trial_reopen(&trials[0]));
    return sinter__trial_reopen(&trials[1]);
}

/* The number looked for that the size comes to. */
static int64_t set_size(sinter__program_job *job, const crossover *c, int64_t size)
{
    job->elements = c->is_square ? size * size : size;
    job->rows = c->is_square ? size : c->columns > 0 ? size / c->columns : 1;
    return job->elements * (c->is_product ? size : (int64_t)sizeof(float));
}

/* From the largest size down, for as long as `theirs` wins: where it never does, one tells. All sizes are measured in
 * two contexts, which the caller closes, as what is compiled for one is good for all. */
static sinter_status descend(sinter__trial trials[2], const sinter_profile *own,
                             const sinter_profile *theirs, sinter__watch *w, const crossover *c,
                             sinter__program_job *job, uint32_t *out)
{
    for (int64_t size = c->most; size >= c->least; size = next_size(c, size)) {
        bool known = false;
        bool wins = false;
        const int64_t number = set_size(job, c, size);
        crossover here = *c;
        here.takes_ties = c->takes_ties && size > c->wins_to;
        if (!sinter__watch_goes_on(w, c->what) || !is_affordable(own, w, c->bytes * (double)number))
            return SINTER_OK;
        SINTER_TRY(size == c->most ? open_both(trials, own, theirs, c, &job->job)
                                   : reopen_both(trials));
        if (trials[1].is_open)
            SINTER_TRY(compare_both(trials, w, &here, &known, &wins));
        if (known && !wins && c->takes_ties)
            SINTER_TRY(ask_again(trials, w, &here, &known, &wins));
        if (known && (wins || size == c->most))
            *out = wins ? (uint32_t)number : c->never;
        if (!wins)
            return SINTER_OK;
    }
    return SINTER_OK;
}

/* *out: multiply-adds of a product, bytes of a result, from which on `theirs` wins. */
static sinter_status find_crossover(const sinter_profile *own, const sinter_profile *theirs,
                                    sinter__watch *w, const crossover *c, uint32_t *out)
{
    sinter__trial trials[2] = {{0}, {0}};
    sinter__program_job job;
    sinter__program_job_init(&job, c->what, c->text, 1, 1);
    sinter_status status = descend(trials, own, theirs, w, c, &job, out);
    if (status != SINTER_OK && status != SINTER_ENOMEM)
        sinter__watch_note(w, "%s is not measured: %s", c->what, sinter_last_error());
    sinter__trial_close(&trials[0]);
    sinter__trial_close(&trials[1]);
    sinter__clear_error();
    return status == SINTER_ENOMEM ? status : SINTER_OK;
}

/* find_crossover between two ways to set the tuning. */
static sinter_status find_between(const sinter_profile *p, const sinter__tuning *own,
                                  const sinter__tuning *theirs, sinter__watch *w,
                                  const crossover *c, uint32_t *out)
{
    sinter_profile by_own;
    sinter_profile by_theirs;
    sinter_status status = copy_twice(&by_own, &by_theirs, p);
    by_own.values.tuning = *own;
    by_theirs.values.tuning = *theirs;
    if (status == SINTER_OK)
        status = find_crossover(&by_own, &by_theirs, w, c, out);
    sinter__profile_finish(&by_own);
    sinter__profile_finish(&by_theirs);
    return status;
}

/* Whether `theirs` wins at the only size `needed` times of three, each in contexts of their own;
 * *known: there was the time to see. */
static sinter_status wins_of_three(const sinter_profile *p, const sinter__tuning *own,
                                   const sinter__tuning *theirs, sinter__watch *w,
                                   const crossover *c, int needed, bool *known, bool *wins)
{
    int won = 0;
    *known = true;
    for (int i = 0; i < 3 && *known && won < needed && i - won <= 3 - needed; i++) {
        uint32_t found = 0;
        SINTER_TRY(find_between(p, own, theirs, w, c, &found));
        *known = found > 0;
        won += found > c->never;
    }
    *wins = won == needed;
    return SINTER_OK;
}

/* A number of the tuning as by default or, where `c` is faster with it `needed` times of three,
 * another; the others are as in `rest` meanwhile. */
static sinter_status keep_or_take(sinter_profile *p, const sinter__tuning *rest, sinter__watch *w,
                                  const crossover *c, size_t number, uint32_t other, int needed)
{
    sinter__tuning own = *rest;
    sinter__tuning theirs = *rest;
    sinter__tuning usual;
    bool known = false;
    bool wins = false;
    sinter__device_tuning(&p->device, p->values.style, 0, &usual);
    uint32_t by_default = sinter__tuning_get(&usual, number);
    if (by_default == other)
        return SINTER_OK;
    (void)sinter__tuning_set(&own, number, by_default);
    (void)sinter__tuning_set(&theirs, number, other);
    SINTER_TRY(wins_of_three(p, &own, &theirs, w, c, needed, &known, &wins));
    if (known)
        (void)sinter__tuning_set(&p->values.tuning, number, wins ? other : by_default);
    return SINTER_OK;
}

#define NUMBER(name) (offsetof(sinter__tuning, name) / sizeof(uint32_t))

/* Whether a launch is sooner known to be done by its event. None is run at once or asked for meanwhile. */
static sinter_status measure_wait(sinter_profile *p, sinter__watch *w)
{
    const crossover waits = {.what = "waits for events",
                             .text = "y = a + 1",
                             .mode = SINTER_MODE_REPRODUCIBLE,
                             .most = TINY,
                             .least = TINY,
                             .bytes = 2,
                             .never = 1};
    sinter__tuning own = p->values.tuning;
    own.lone_work = own.event_wait = own.poll_work = 0;
    sinter__tuning theirs = own;
    theirs.event_wait = 1;
    uint32_t found = 0;
    SINTER_TRY(find_between(p, &own, &theirs, w, &waits, &found));
    if (found > 0)
        p->values.tuning.event_wait = found > waits.never;
    return SINTER_OK;
}

#define POLLED (1 << 14) /* elements: about as little as PoCL's threads are both woken for */
#define POLLED_TURNS 61  /* of dozens of runs each: one takes 5 us or 70 */

/* Whether it is better to sleep than to ask whether a short launch is done. By default it is not,
 * but the thread that asks has a processor meanwhile, which on some machines one of the driver's
 * would rather have had. */
static sinter_status measure_poll(sinter_profile *p, sinter__watch *w)
{
    const crossover slept = {.what = "waits without asking",
                             .text = "y = a * 2 + 1",
                             .mode = SINTER_MODE_REPRODUCIBLE,
                             .most = POLLED,
                             .least = POLLED,
                             .bytes = 2,
                             .never = 1,
                             .turns = POLLED_TURNS};
    return keep_or_take(p, &p->values.tuning, w, &slept, NUMBER(poll_work), 0, 2);
}

#define RECORDED 8 /* launches, products of small matrices, that it should be worth it for */
#define RECORDED_SIDE 16

/* Whether several launches cost much less as one that the driver has recorded, none of them run at
 * once: three times, each in contexts of their own. Not of a CPU, where it goes by whether the
 * driver's threads are asleep, which differs from process to process
 * (docs/decisions/command-buffers.md). */
static sinter_status measure_recordings(sinter_profile *p, sinter__watch *w)
{
    const crossover recordings = {.what = "launches recorded as one",
                                  .text = "y = m @ m @ m @ m @ m @ m @ m @ m @ m",
                                  .mode = SINTER_MODE_REPRODUCIBLE,
                                  .is_square = true,
                                  .wants_much = true,
                                  .most = RECORDED_SIDE,
                                  .least = RECORDED_SIDE,
                                  .bytes = 2 * RECORDED,
                                  .never = 1};
    sinter__tuning own = p->values.tuning;
    own.lone_work = own.record_from = 0;
    sinter__tuning theirs = own;
    theirs.record_from = RECORDED;
    theirs.record_after = 1;
    bool known = false;
    bool wins = false;
    if (p->device.info.records_launches == 0 || p->device.info.kind == SINTER_DEVICE_CPU)
        return SINTER_OK;
    SINTER_TRY(wins_of_three(p, &own, &theirs, w, &recordings, 3, &known, &wins));
    if (known)
        p->values.tuning.record_from = wins ? RECORDED : 0;
    return SINTER_OK;
}

/* Results of 64 MiB down to an eighth of the last cache, or one, made of as many bytes: stored past
 * the caches, or as usual. Up to half of that cache, all that a launch moves has room there, for
 * whoever reads it next: such a size has to be faster, and not level, which a memory that is fast
 * for the moment makes it. */
static sinter_status measure_past_caches(sinter_profile *p, sinter__watch *w)
{
    const int64_t most = (int64_t)16 << 20;
    const int64_t fits = (int64_t)(p->device.info.last_cache_bytes / 2 / sizeof(float));
    const crossover results = {.what = "stores past the caches",
                               .text = "y = a * 2; cut; release y",
                               .mode = SINTER_MODE_REPRODUCIBLE,
                               .takes_ties = true, /* they leave the caches to others */
                               .wins_to = SINTER__MIN(fits, most - 1),
                               .most = most,
                               .least = SINTER__MAX(fits / 4, (int64_t)1 << 18),
                               .bytes = 6};
    sinter__tuning own = p->values.tuning;
    sinter__tuning theirs = own;
    own.stream_from = 0;
    theirs.stream_from = 1;
    if (p->values.style != SINTER_STYLE_CPU)
        return SINTER_OK;
    return find_between(p, &own, &theirs, w, &results, &p->values.tuning.stream_from);
}

/* Whether a launch that computes, of 16 MiB, is faster without asking ahead for operands, in each
 * of three turns; and one that mostly moves them and one that goes through rows twice faster with,
 * in two. */
static sinter_status measure_ahead(sinter_profile *p, sinter__watch *w)
{
    const crossover unasked = {.what = "operands not asked for",
                               .text = "y = tanh(a); cut; release y",
                               .mode = SINTER_MODE_REPRODUCIBLE,
                               .most = (int64_t)4 << 20,
                               .least = (int64_t)4 << 20,
                               .bytes = 2,
                               .never = 1};
    const crossover asked = {
        .what = "operands asked for",
        .text = "y = m * 2 + 1; cut; v = var(m, axis=1); cut; release y; release v",
        .mode = SINTER_MODE_REPRODUCIBLE,
        .is_square = true,
        .most = 2048,
        .least = 2048,
        .bytes = 3,
        .never = 1};
    const sinter__tuning *t = &p->values.tuning;
    SINTER_TRY(keep_or_take(p, t, w, &unasked, NUMBER(ahead_bytes), 0, 3));
    return t->ahead_bytes == 0
               ? SINTER_OK
               : keep_or_take(p, t, w, &asked, NUMBER(ahead_from), t->heavy_ahead_from, 2);
}

#define PARTS_COLUMNS 1024
#define PARTS_MOST ((uint64_t)64 << 20) /* bytes of a cache */
#define PARTS_TURNS 15                  /* one finds more of the caches its own than the next */

/* Whether rows are better stored in parts where a launch moves more than half of the last cache, by
 * one that moves as much as it holds. What goes past it is not in question, and a larger one than
 * PARTS_MOST takes too long to fill. */
static sinter_status measure_parts(sinter_profile *p, sinter__watch *w)
{
    const uint64_t cache = p->device.info.last_cache_bytes;
    const uint32_t from = (uint32_t)(cache / 4);
    const int64_t rows = (int64_t)(cache / (2 * sizeof(float) * PARTS_COLUMNS));
    const crossover parts = {.what = "rows stored in parts",
                             .text = "y = rms_norm(m, -1); cut; release y",
                             .mode = SINTER_MODE_REPRODUCIBLE,
                             .columns = PARTS_COLUMNS,
                             .turns = PARTS_TURNS,
                             .most = rows * PARTS_COLUMNS,
                             .least = rows * PARTS_COLUMNS,
                             .bytes = 2,
                             .never = 1};
    sinter__tuning kept = p->values.tuning;
    kept.stream_from = 0;
    if (p->values.style != SINTER_STYLE_CPU || !p->device.limits.splits_vectors || rows == 0 ||
        cache > PARTS_MOST)
        return SINTER_OK;
    return keep_or_take(p, &kept, w, &parts, NUMBER(parts_from), from, 2);
}

/* How many rows are turned at a time where the results go past the caches: as many as a vector has lanes, or by default
 * far more, by which a memory has each of its own rows open for longer. Either costs some processor a third. */
static sinter_status measure_turned(sinter_profile *p, sinter__watch *w)
{
    sinter__tuning *t = &p->values.tuning;
    crossover turned = {.what = "rows turned past the caches",
                        .text = "y = transpose(m) + n; cut; release y",
                        .mode = SINTER_MODE_REPRODUCIBLE,
                        .is_square = true,
                        .takes_ties = true, /* shorter bands keep fewer lines from others */
                        .most = 512,
                        .bytes = 3,
                        .never = 1};
    const int64_t moved = 3 * (int64_t)sizeof(float); /* by an element */
    bool known = true;
    int won = 0;
    sinter__tuning usual;
    sinter__tuning own = *t;
    sinter__tuning theirs = *t;
    if (p->values.style != SINTER_STYLE_CPU || t->turn_stream_from == 0)
        return SINTER_OK;
    while (moved * turned.most * turned.most < 2 * (int64_t)t->turn_stream_from)
        turned.most *= 2;
    turned.least = turned.most;
    sinter__tuning_init(&usual, SINTER_STYLE_CPU, t->map_lanes, p->device.info.native_lanes);
    own.turn_far_rows = usual.turn_far_rows;
    theirs.turn_far_rows = t->turn_rows;
    /* the best of three, each in other memory, whose pages may lie well for one of the two */
    for (int i = 0; i < 3 && known && SINTER__MAX(won, i - won) < 2; i++) {
        uint32_t found = 0;
        SINTER_TRY(find_between(p, &own, &theirs, w, &turned, &found));
        known = found > 0;
        won += found > turned.never;
        if (known)
            t->turn_far_rows = 2 * won > i ? t->turn_rows : usual.turn_far_rows;
    }
    return SINTER_OK;
}

#define BUILD_NS 15000000000u /* that CLBlast may take to build its kernels */

/* By one copy of the profile CLBlast is faster always, by the other never. */
static sinter_status measure_products(sinter_profile *p, sinter__watch *w)
{
    static const struct {
        uint8_t figure;
        const char *text;
    } products[] = {{SINTER__FIGURE_clblast_f32, "y = m @ n"},
                    {SINTER__FIGURE_clblast_f64, "y = cast(m, 'f64') @ cast(n, 'f64')"}};
    crossover c = {.what = "products by CLBlast",
                   .mode = SINTER_MODE_NATIVE,
                   .is_square = true,
                   .is_product = true,
                   .most = 1024,
                   .least = 256,
                   .bytes = 1,
                   .never = UINT32_MAX};
    sinter_profile own;
    sinter_profile theirs;
    sinter_status status = copy_twice(&own, &theirs, p);
    for (size_t i = 0; i < SINTER__COUNT(products) && status == SINTER_OK; i++) {
        theirs.values.rates.figures[products[i].figure] = 1;
        own.values.rates.figures[products[i].figure] = UINT32_MAX;
    }
    for (size_t i = 0; i < SINTER__COUNT(products) && status == SINTER_OK; i++) {
        bool wide = products[i].figure == SINTER__FIGURE_clblast_f64;
        c.text = products[i].text;
        if ((!wide || p->device.limits.has_f64) && sinter__now_ns() + BUILD_NS < w->deadline_ns)
            status =
                find_crossover(&own, &theirs, w, &c, &p->values.rates.figures[products[i].figure]);
    }
    sinter__profile_finish(&own);
    sinter__profile_finish(&theirs);
    return status;
}

/* Costs */

static const struct {
    const char *text;
    int steps;
} costs[] = {
#define SINTER_COST(name, inputs, steps, program, text) {program, steps},
#include "fusion/rates.def"
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
    SINTER_TRY(measure_wait(p, w));
    SINTER_TRY(measure_poll(p, w));
    SINTER_TRY(measure_recordings(p, w));
    SINTER_TRY(measure_past_caches(p, w));
    SINTER_TRY(measure_ahead(p, w));
    SINTER_TRY(measure_parts(p, w));
    SINTER_TRY(measure_turned(p, w));
    SINTER_TRY(measure_schedules(p, w));
    SINTER_TRY(measure_products(p, w));
    return measure_costs(p, w);
}

sinter_status sinter_profile_measure(sinter_profile *profile, const sinter_measure_options *options)
{
    sinter__watch watch;
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_measure: the profile is NULL");
    sinter_status status = sinter__watch_start(&watch, options);
    if (status == SINTER_OK)
        status = measure(profile, &watch);
    return status == SINTER_OK ? status : sinter__fail_in(status, "profile_measure");
}
