/* The one hard idea: most of a cost's time is building its kernel, and most of that is the driver's for each program,
 * whatever is in it. So where a program takes long, several costs are first run together, each over another number of
 * elements, that their kernels stay apart; what is timed by itself then finds its kernel. */
#include "executor/profile/costs.h"

#include "executor/context/context.h"

#include <string.h>

#define ELEMENTS ((int64_t)1 << 15)
#define GPU_ELEMENTS ((int64_t)1 << 20)
#define APART 1024 /* elements */

/* From which on a program takes long. A driver that keeps what it has built is sooner done with one by one. */
#define LONG_NS 40000000
#define TOGETHER_NS 700000000 /* that one of several may take */
#define MANY 3                /* times longer than the others the next one may take to build */

static const struct {
    const char *text;
    int steps;
} costs[] = {
#define SINTER_COST(name, inputs, steps, program, text) {program, steps},
#include "fusion/cost/rates.def"
};

static const char *const width_names[] = {"costs, 1 lane", "costs, 2 lanes", "costs, 4 lanes",
                                          "costs, 8 lanes", "costs, 16 lanes"};

static bool goes_on(const sinter__costs *c)
{
    return sinter__watch_goes_on(c->watch, width_names[sinter__rate_width(c->lanes)]);
}

static int64_t elements_of(const sinter_profile *p)
{
    bool is_gpu = p->device.info.kind == SINTER_DEVICE_GPU;
    bool is_simulator =
        p->values.rates.figures[SINTER__FIGURE_copy_far] == 0; /* it took too long */
    return is_gpu && !is_simulator ? GPU_ELEMENTS * sinter__trial_times_more(p) : ELEMENTS;
}

sinter_status sinter__costs_open(sinter__costs *c, const sinter_profile *p, sinter__watch *w,
                                 uint32_t lanes, sinter_mode mode)
{
    sinter__program_job job;
    *c = (sinter__costs){.p = p, .watch = w, .lanes = lanes, .mode = mode};
    if (!goes_on(c))
        return SINTER_OK;
    sinter__program_job_init(&job, "copy", "y = copy(a)", elements_of(p), 1);
    uint64_t start_ns = sinter__now_ns();
    SINTER_TRY(sinter__trial_shortest(&c->trial, p, w, &job.job, lanes, mode, &c->copy_ns));
    c->alone_ns = c->build_ns = sinter__now_ns() - start_ns;
    return SINTER_OK;
}

void sinter__costs_close(sinter__costs *c)
{
    sinter__trial_close(&c->trial);
}

/* Several together */

typedef struct together {
    sinter__program_job jobs[SINTER__MOST_TOGETHER];
    size_t count;
} together;

static sinter_status open_together(void *user, sinter_context *ctx, sinter_stream *s, void **state)
{
    together *t = user;
    void **states = sinter__alloc(&ctx->allocator, sizeof *states * SINTER__MOST_TOGETHER);
    *state = states;
    if (states == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < t->count; i++)
        SINTER_TRY(t->jobs[i].job.open(&t->jobs[i], ctx, s, &states[i]));
    return SINTER_OK;
}

static sinter_status run_together(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                                  size_t room, size_t *count)
{
    together *t = user;
    void **states = state;
    *count = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t made = 0;
        SINTER_TRY(
            t->jobs[i].job.run(&t->jobs[i], states[i], s, results + *count, room - *count, &made));
        *count += made;
    }
    return SINTER_OK;
}

static void close_together(void *user, void *state, sinter_stream *s)
{
    together *t = user;
    void **states = state;
    for (size_t i = 0; i < t->count && states != NULL; i++)
        t->jobs[i].job.close(&t->jobs[i], states[i], s);
    if (states != NULL)
        sinter__free(&s->ctx->allocator, states, sizeof *states * SINTER__MOST_TOGETHER);
}

sinter_status sinter__costs_build(sinter__costs *c, const size_t *rows, size_t count)
{
    together all = {.count = SINTER__MIN(count, (size_t)SINTER__MOST_TOGETHER)};
    const sinter_job job = {.size = sizeof job,
                            .name = "several costs",
                            .open = open_together,
                            .run = run_together,
                            .close = close_together,
                            .user = &all};
    for (size_t i = 0; i < all.count; i++)
        sinter__program_job_init(&all.jobs[i], sinter__cost_name(rows[i]), costs[rows[i]].text,
                                 ELEMENTS + (int64_t)i * APART, 1);
    uint64_t start_ns = sinter__now_ns();
    sinter_status status = sinter__trial_reopen(&c->trial, &job);
    c->build_ns = (sinter__now_ns() - start_ns) / SINTER__MAX(all.count, (size_t)1);
    sinter__trial_end(&c->trial); /* the job is this function's */
    return sinter__watch_pass_over(c->watch, status, job.name);
}

sinter_status sinter__costs_measure(sinter__costs *c, size_t row, uint32_t *out)
{
    sinter__program_job job;
    uint64_t time_ns = 0;
    if (c->copy_ns == 0)
        return SINTER_OK;
    const int64_t elements = elements_of(c->p);
    sinter__program_job_init(&job, sinter__cost_name(row), costs[row].text, elements, 1);
    SINTER_TRY(
        sinter__trial_shortest(&c->trial, c->p, c->watch, &job.job, c->lanes, c->mode, &time_ns));
    if (time_ns > 0) {
        double over_ns = time_ns > c->copy_ns ? (double)(time_ns - c->copy_ns) : 0;
        *out = sinter__trial_figure(1e3 * over_ns / (double)elements / costs[row].steps);
    }
    return SINTER_OK;
}

/* All of them */

/* Costs that are wanted, and where each goes. */
typedef struct wanted {
    size_t rows[SINTER__COST_COUNT];
    uint32_t *out[SINTER__COST_COUNT];
    size_t count;
} wanted;

static void want(wanted *x, size_t row, uint32_t *out)
{
    x->rows[x->count] = row;
    x->out[x->count++] = out;
}

/* How many of those that are left are built as one program, so that there is time to measure them. */
static size_t count_together(const sinter__costs *c, size_t left)
{
    const uint64_t left_ns = sinter__watch_left_ns(c->watch);
    const uint64_t most_ns = SINTER__MIN(left_ns, (uint64_t)TOGETHER_NS);
    size_t most = (size_t)(c->alone_ns < LONG_NS ? 1 : most_ns / c->build_ns);
    most = SINTER__MAX(most, (size_t)1);
    return SINTER__MIN(SINTER__MIN(most, (size_t)SINTER__MOST_TOGETHER), left);
}

static sinter_status measure_wanted(sinter__costs *c, const wanted *x)
{
    size_t built = 0;
    for (size_t i = 0; i < x->count && c->copy_ns > 0 && goes_on(c); i++) {
        if (i == built && sinter__watch_left_ns(c->watch) < MANY * c->build_ns)
            return SINTER_OK;
        if (i == built) {
            size_t next = count_together(c, x->count - i);
            if (next > 1)
                SINTER_TRY(sinter__costs_build(c, x->rows + i, next));
            built += next;
        }
        SINTER_TRY(sinter__costs_measure(c, x->rows[i], x->out[i]));
    }
    return SINTER_OK;
}

/* Nothing at lanes that a driver takes too long to build, which mode native does without there. */
static sinter_status measure_in(const sinter_profile *p, sinter__watch *w, size_t width,
                                sinter_mode mode, const wanted *x)
{
    sinter__costs c;
    if (p->device.quirk_lanes > 0 && 1u << width > p->device.quirk_lanes)
        return SINTER_OK;
    sinter_status status = sinter__costs_open(&c, p, w, 1u << width, mode);
    if (status == SINTER_OK)
        status = measure_wanted(&c, x);
    sinter__costs_close(&c);
    return status;
}

/* All costs in vectors of so many lanes. */
static sinter_status measure_width(sinter_profile *p, sinter__watch *w, size_t width)
{
    wanted all = {.count = 0};
    for (size_t i = 0; i < SINTER__COUNT(costs); i++)
        want(&all, i, &p->values.rates.costs[i][width]);
    return measure_in(p, w, width, SINTER_MODE_REPRODUCIBLE, &all);
}

/* The driver's functions at the width at which mode native calls them; a copy of the profile says
 * that all of them are faster than ours, so that they are called. */
static sinter_status measure_driver(sinter_profile *p, sinter__watch *w, size_t width)
{
    sinter_profile eager;
    wanted theirs = {.count = 0};
    sinter_status status = sinter__profile_copy(&eager, p->allocator, p);
    for (size_t i = 0; i < SINTER__COST_COUNT; i++)
        eager.values.rates.costs[i][width] = UINT32_MAX;
    for (size_t i = 0; i < SINTER__NATIVE_COUNT; i++) {
        const char *name = sinter__native_name(i);
        size_t row = sinter__cost_find(name, strlen(name));
        eager.values.rates.driver[i] = 1;
        if (row < SINTER__COST_COUNT)
            want(&theirs, row, &p->values.rates.driver[i]);
    }
    if (status == SINTER_OK)
        status = measure_in(&eager, w, width, SINTER_MODE_NATIVE, &theirs);
    sinter__profile_finish(&eager);
    return status;
}

/* First those lanes that kernels have, then ours and the driver's where they compete, then the
 * other lanes. */
sinter_status sinter__measure_costs(sinter_profile *p, sinter__watch *w)
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
