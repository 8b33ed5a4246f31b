/* The one hard idea: tensors of no elements. Everything happens to them that happens to others --
 * calls, matching, the cut, memory, what becomes of the results -- except that nothing is compiled
 * or launched. So what is timed is sinter's own work, on every device and with thousands of plans.
 * What launches cost beside a bare loop is measured apart, with elements. */
#include "bench/replay.h"

#include "bench/bare.h"
#include "bench/measure.h"
#include "bench/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORE_BYTES ((uint64_t)2 << 30)
#define WIDTH 4
/* Operations at the end of a segment by which stored plans differ: one bit each. */
#define PLAN_BITS 12
#define LAUNCH_ELEMENTS 64
#define MOST_OPERATIONS 4096 /* that a stream may queue */

/* Programs */

/* A stream with what the programs read, and the value that they have come to. */
typedef struct walk {
    sinter_context *ctx;
    sinter_stream *s;
    sinter_tensor x; /* [0, 4] */
    sinter_tensor b; /* [0, 4] */
    sinter_tensor w; /* [4, 4] */
    sinter_tensor t; /* so far; null: x */
    sinter_tensor kept;
    sinter_status status; /* the first failure */
} walk;

static sinter_tensor now(const walk *w)
{
    return w->t.id != 0 ? w->t : w->x;
}

static void note(walk *w, sinter_status status)
{
    if (w->status == SINTER_OK)
        w->status = status;
}

/* `next` takes the place of the value. */
static void take(walk *w, sinter_status status, sinter_tensor next)
{
    note(w, status);
    note(w, sinter_tensor_release(w->s, w->t));
    w->t = next;
}

/* The same, and what was kept is used up. */
static void take_with_kept(walk *w, sinter_status status, sinter_tensor next)
{
    take(w, status, next);
    note(w, sinter_tensor_release(w->s, w->kept));
    w->kept = (sinter_tensor){0};
}

static void chain(walk *w, size_t i)
{
    sinter_tensor next;
    take(w,
         i % 2 == 0 ? sinter_add(w->s, now(w), w->b, &next) : sinter_mul(w->s, now(w), w->b, &next),
         next);
}

static void numbers(walk *w, size_t i)
{
    sinter_tensor next;
    take(w,
         i % 2 == 0 ? sinter_add_scalar(w->s, now(w), 0.25, &next)
                    : sinter_mul_scalar(w->s, now(w), 0.5, &next),
         next);
}

/* Softmax over and over. */
static void rows(walk *w, size_t i)
{
    static const int last = -1;
    sinter_tensor next;
    if (i % 4 == 0)
        note(w, sinter_max(w->s, now(w), 1, &last, true, &w->kept));
    else if (i % 4 == 2)
        note(w, sinter_sum(w->s, now(w), 1, &last, true, &w->kept));
    else if (i % 4 == 1)
        take_with_kept(w, sinter_sub(w->s, now(w), w->kept, &next), next);
    else
        take_with_kept(w, sinter_div(w->s, now(w), w->kept, &next), next);
}

/* A layer: product, bias, activation, centred rows, residue. */
static void mixed(walk *w, size_t i)
{
    static const int last = -1;
    sinter_tensor next = {0};
    sinter_tensor t = now(w);
    switch (i % 8) {
    case 0:
        take(w, sinter_matmul(w->s, t, w->w, &next), next);
        break;
    case 1:
        take(w, sinter_add(w->s, t, w->b, &next), next);
        break;
    case 2:
        take(w, sinter_tanh(w->s, t, &next), next);
        break;
    case 3:
        take(w, sinter_mul_scalar(w->s, t, 0.5, &next), next);
        break;
    case 4:
        note(w, sinter_sum(w->s, t, 1, &last, true, &w->kept));
        break;
    case 5:
        take_with_kept(w, sinter_sub(w->s, t, w->kept, &next), next);
        break;
    case 6:
        take(w, sinter_maximum_scalar(w->s, t, 0, &next), next);
        break;
    default:
        take(w, sinter_add(w->s, t, w->x, &next), next);
        break;
    }
}

static const struct program {
    const char *name;
    void (*step)(walk *w, size_t i);
} programs[] = {{"chain", chain}, {"numbers", numbers}, {"rows", rows}, {"mixed", mixed}};

/* Segment number `plan`: all begin alike, and end in operations that its bits choose. */
static void queue_plan(walk *w, size_t operations, size_t plan)
{
    for (size_t i = 0; i < operations; i++)
        chain(w, i + PLAN_BITS < operations ? i : plan >> (operations - 1 - i));
}

/* Measuring */

/* One line of the table. */
typedef struct row {
    const char *program;
    size_t operations;
    size_t plans;
    bool in_turn;  /* all plans one after the other, instead of one of them over and over */
    bool is_loop;  /* what is in turn are the programs */
    bool is_first; /* the segment is planned: each time in a context of its own */
    const sinter_program *text; /* queues the chain; NULL: calls do */
    bench_times queue;          /* seconds of a segment: the calls, releases included */
    bench_times cut;            /* of the flush behind them */
} row;

static bool failed(const char *what)
{
    (void)fprintf(stderr, "sinter bench: replay: %s\n", what);
    return false;
}

static void walk_close(walk *w)
{
    (void)sinter_stream_destroy(w->s);
    (void)sinter_context_destroy(w->ctx);
}

static bool walk_open(const bench_options *o, uint32_t switches, int64_t elements, walk *w)
{
    static const float data[LAUNCH_ELEMENTS] = {1};
    const int64_t shape[] = {elements / WIDTH, WIDTH};
    const int64_t square[] = {WIDTH, WIDTH};
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    memset(w, 0, sizeof *w);
    options.device = o->device;
    options.style = switches != 0 ? SINTER_STYLE_CPU : o->style;
    options.switches = switches;
    options.plan_store_bytes = STORE_BYTES;
    options.max_pending_ops = MOST_OPERATIONS; /* more than any segment here: the flush cuts */
    note(w, sinter_context_create(&options, &w->ctx));
    if (w->status == SINTER_OK)
        note(w, sinter_stream_create(w->ctx, NULL, &w->s));
    if (w->status == SINTER_OK)
        note(w, sinter_tensor_from_host(w->s, SINTER_F32, 2, shape, data, &w->x));
    if (w->status == SINTER_OK)
        note(w, sinter_tensor_from_host(w->s, SINTER_F32, 2, shape, data, &w->b));
    if (w->status == SINTER_OK)
        note(w, sinter_tensor_from_host(w->s, SINTER_F32, 2, square, data, &w->w));
    if (w->status == SINTER_OK)
        return true;
    (void)failed(sinter_last_error());
    walk_close(w);
    return false;
}

static uint64_t misses(const walk *w)
{
    sinter_stats stats = SINTER_STATS_INIT;
    (void)sinter_context_stats(w->ctx, &stats);
    return stats.plan_misses;
}

/* Queues a segment and has it run; the times are the two parts'. */
static void repeat(walk *w, const row *r, const struct program *p, size_t plan, double *queue,
                   double *cut)
{
    double start = bench_now();
    if (r->is_loop)
        p = &programs[plan];
    if (r->text != NULL) {
        sinter_tensor made;
        note(w, sinter_program_run(r->text, w->s, (sinter_tensor[]){w->x, w->b}, &made, NULL));
        w->t = made;
    } else if (p != NULL) {
        for (size_t i = 0; i < r->operations; i++)
            p->step(w, i);
    } else {
        queue_plan(w, r->operations, plan);
    }
    *queue = bench_now() - start;
    note(w, sinter_stream_flush(w->s));
    *cut = bench_now() - start - *queue;
    take(w, SINTER_OK, (sinter_tensor){0});
}

/* Of queueing and of the cut. */
static void take_times(row *r, bench_runner samples[2])
{
    r->queue = bench_runner_times(&samples[0]);
    r->cut = bench_runner_times(&samples[1]);
    bench_runner_finish(&samples[0]);
    bench_runner_finish(&samples[1]);
}

static bool measure(const bench_options *o, const struct program *p, row *r)
{
    walk w;
    double queue;
    double cut;
    if (!walk_open(o, 0, 0, &w))
        return false;
    for (size_t i = 0; i < 3 * r->plans; i++)
        repeat(&w, r, p, i % r->plans, &queue, &cut);
    uint64_t before = misses(&w);
    bench_runner samples[2] = {{0}, {0}};
    bool fine = true;
    double end = bench_now() + o->seconds / 4;
    for (size_t i = 0; fine && (i < o->least || bench_now() < end); i++) {
        repeat(&w, r, p, r->in_turn ? i % r->plans : r->plans / 2, &queue, &cut);
        fine = bench_runner_add(&samples[0], queue) && bench_runner_add(&samples[1], cut);
    }
    take_times(r, samples);
    if (w.status != SINTER_OK)
        fine = failed(sinter_status_name(w.status));
    else if (misses(&w) != before)
        fine = failed("a segment that was known has been planned again");
    walk_close(&w);
    return fine;
}

/* Every repetition plans anew. */
static bool measure_first(const bench_options *o, const struct program *p, row *r)
{
    bench_runner samples[2] = {{0}, {0}};
    bool fine = true;
    double end = bench_now() + o->seconds / 4;
    for (size_t i = 0; fine && (i < o->least || bench_now() < end); i++) {
        walk w;
        double queue;
        double cut;
        if (!walk_open(o, 0, 0, &w)) {
            fine = false;
            break;
        }
        repeat(&w, r, p, 0, &queue, &cut);
        fine = w.status == SINTER_OK || failed(sinter_status_name(w.status));
        fine = fine && bench_runner_add(&samples[0], queue) && bench_runner_add(&samples[1], cut);
        walk_close(&w);
    }
    take_times(r, samples);
    return fine;
}

static double per_operation_ns(const row *r, double seconds)
{
    return 1e9 * seconds / (double)r->operations;
}

static void print_row(const bench_options *o, const row *r)
{
    double queue = per_operation_ns(r, r->queue.median);
    double cut = per_operation_ns(r, r->cut.median);
    if (o->json) {
        (void)printf("{\"replay\": \"%s\", \"operations\": %zu, \"plans\": %zu, \"in_turn\": %s, "
                     "\"first\": %s, \"queue_ns\": %.1f, \"cut_ns\": %.1f, \"repetitions\": %zu}\n",
                     r->program, r->operations, r->plans, r->in_turn ? "true" : "false",
                     r->is_first ? "true" : "false", queue, cut, r->queue.repetitions);
    } else {
        (void)printf("%-10s %10zu %8zu %8s %10.1f %10.1f %10.1f %12zu\n", r->program, r->operations,
                     r->plans,
                     r->is_first  ? "first"
                     : r->in_turn ? "all"
                                  : "one",
                     queue, cut, queue + cut, r->queue.repetitions);
    }
    (void)fflush(stdout);
}

static bool measure_operations(const bench_options *o)
{
    static const size_t lengths[] = {8, 64, 512};
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
        for (size_t i = 0; i < 3; i++) {
            row r = {.program = programs[p].name, .operations = lengths[i], .plans = 1};
            if (!measure(o, &programs[p], &r))
                return false;
            print_row(o, &r);
        }
    }
    return true;
}

/* The chain as a text: null when it cannot be parsed, after saying so. */
static sinter_program *chain_text(size_t operations)
{
    bench_text text = {0};
    sinter_program *p = NULL;
    bench_text_add(&text, "t = x + b", 9);
    for (size_t i = 1; i < operations; i++) {
        const char *next = i % 2 == 0 ? "; t = t + b" : "; t = t * b";
        bench_text_add(&text, next, strlen(next));
    }
    if (text.data == NULL || sinter_program_parse(text.data, text.bytes, &p, NULL) != SINTER_OK)
        (void)failed(sinter_last_error());
    free(text.data);
    return p;
}

/* The chain in one call. */
static bool measure_texts(const bench_options *o)
{
    static const size_t lengths[] = {8, 64, 512};
    bool fine = true;
    for (size_t i = 0; fine && i < 3; i++) {
        sinter_program *p = chain_text(lengths[i]);
        row r = {.program = "text", .operations = lengths[i], .plans = 1, .text = p};
        fine = p != NULL && measure(o, NULL, &r);
        sinter_program_destroy(p);
        if (fine)
            print_row(o, &r);
    }
    return fine;
}

/* A loop whose turn has several segments, each run by itself. */
static bool measure_loops(const bench_options *o)
{
    for (size_t count = 2; count <= sizeof programs / sizeof programs[0]; count++) {
        row r = {
            .program = "loop", .operations = 64, .plans = count, .in_turn = true, .is_loop = true};
        if (!measure(o, NULL, &r))
            return false;
        print_row(o, &r);
    }
    return true;
}

static bool measure_planning(const bench_options *o)
{
    static const size_t lengths[] = {64, 512, MOST_OPERATIONS - 1};
    for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
        for (size_t i = 0; i < (o->quick ? 2 : 3); i++) {
            row r = {.program = programs[p].name, .operations = lengths[i], .is_first = true};
            if (!measure_first(o, &programs[p], &r))
                return false;
            print_row(o, &r);
        }
    }
    return true;
}

static bool measure_plans(const bench_options *o)
{
    static const size_t plans[] = {1, 16, 256, 4096};
    for (size_t i = 0; i < (o->quick ? 3 : 4); i++) {
        for (int in_turn = 0; in_turn < (plans[i] > 1 ? 2 : 1); in_turn++) {
            row r = {
                .program = "prefix", .operations = 64, .plans = plans[i], .in_turn = in_turn != 0};
            if (!measure(o, NULL, &r))
                return false;
            print_row(o, &r);
        }
    }
    return true;
}

/* Launches */

enum { QUEUEING, REPLAY, BARE, BARE_AT_ONCE, RUNNERS };

typedef struct race {
    walk w;
    bench_cl *cl;
    bench_bare bare;
    bench_runner samples[RUNNERS];
} race;

static bool run_bare(race *r, double *seconds)
{
    double begun = bench_now();
    bool fine = bench_bare_run(r->cl, &r->bare) || failed(r->cl->why);
    *seconds = bench_now() - begun;
    return fine;
}

static void spin(double seconds)
{
    double end = bench_now() + seconds;
    while (bench_now() < end)
        ;
}

/* A driver's threads go to sleep behind a launch, and launches that come at once find them awake. What a replay waits
 * before it begins, while its operations are queued, a bare loop waits as well; another one does not. */
static bool race_once(race *r, bool counts)
{
    double took[RUNNERS];
    double start = bench_now();
    for (size_t i = 0; i < BENCH_BARE_LAUNCHES; i++)
        numbers(&r->w, 1);
    double queued = bench_now();
    note(&r->w, sinter_stream_sync(r->w.s));
    double synced = bench_now();
    take(&r->w, SINTER_OK, (sinter_tensor){0});
    if (r->w.status != SINTER_OK)
        return failed(sinter_status_name(r->w.status));
    took[QUEUEING] = queued - start;
    took[REPLAY] = synced - queued;
    spin(took[QUEUEING]);
    bool fine = run_bare(r, &took[BARE]) && run_bare(r, &took[BARE_AT_ONCE]);
    for (int i = 0; fine && counts && i < RUNNERS; i++)
        fine = bench_runner_add(&r->samples[i], took[i]);
    return fine;
}

static void print_race(const bench_options *o, race *r, uint64_t launches)
{
    double us[RUNNERS];
    for (int i = 0; i < RUNNERS; i++)
        us[i] = 1e6 * bench_runner_times(&r->samples[i]).median;
    if (o->json) {
        (void)printf("{\"replay\": \"launches\", \"launches\": %llu, \"queue_us\": %.2f, "
                     "\"replay_us\": %.2f, \"bare_us\": %.2f, \"bare_at_once_us\": %.2f, "
                     "\"repetitions\": %zu}\n",
                     (unsigned long long)launches, us[QUEUEING], us[REPLAY], us[BARE],
                     us[BARE_AT_ONCE], r->samples[0].count);
        return;
    }
    (void)printf("\n%llu launches, us: queueing %.1f, replay %.1f; bare loop %.1f after a wait as "
                 "long as queueing, %.1f at once\nreplay / bare %.2f; with queueing / bare at once "
                 "%.2f\n",
                 (unsigned long long)launches, us[QUEUEING], us[REPLAY], us[BARE], us[BARE_AT_ONCE],
                 us[REPLAY] / us[BARE], (us[QUEUEING] + us[REPLAY]) / us[BARE_AT_ONCE]);
}

/* The bare loop runs the very kernel that sinter makes; another stream tells its text, because one
 * that reports is slower. */
static bool race_begin(const bench_options *o, race *r)
{
    walk w;
    bench_text kernel = {0};
    if (!walk_open(o, SINTER_NO_FUSE, LAUNCH_ELEMENTS, &w))
        return false;
    note(&w, sinter_report_begin(w.s));
    numbers(&w, 1);
    note(&w, sinter_stream_sync(w.s));
    take(&w, SINTER_OK, (sinter_tensor){0});
    note(&w, sinter_kernels_write(w.s, bench_text_add, &kernel));
    bool fine = w.status == SINTER_OK || failed(sinter_status_name(w.status));
    if (fine && kernel.data == NULL)
        fine = failed("there is no text of the kernel");
    fine = fine &&
           (bench_bare_create(r->cl, kernel.data, LAUNCH_ELEMENTS, &r->bare) || failed(r->cl->why));
    free(kernel.data);
    walk_close(&w);
    return fine;
}

static bool measure_launches(const bench_options *o, bench_cl *cl)
{
    race r = {.cl = cl};
    sinter_stats before = SINTER_STATS_INIT;
    sinter_stats after = SINTER_STATS_INIT;
    if (!walk_open(o, SINTER_NO_FUSE, LAUNCH_ELEMENTS, &r.w))
        return false;
    bool fine = race_begin(o, &r);
    for (int i = 0; fine && i < 3; i++)
        fine = race_once(&r, false);
    (void)sinter_context_stats(r.w.ctx, &before);
    double end = bench_now() + o->seconds;
    while (fine && (r.samples[0].count < o->least || bench_now() < end))
        fine = race_once(&r, true);
    (void)sinter_context_stats(r.w.ctx, &after);
    if (fine)
        print_race(o, &r, (after.launches - before.launches) / r.samples[0].count);
    for (int i = 0; i < RUNNERS; i++)
        bench_runner_finish(&r.samples[i]);
    bench_bare_release(cl, &r.bare);
    walk_close(&r.w);
    return fine;
}

bool bench_replay_run(const bench_options *o, bench_cl *cl, const sinter_device_info *device)
{
    if (!o->json) {
        (void)printf("device   %s (%s)\ndriver   %s %s\n\n", device->name, device->selector,
                     device->platform, device->driver_version);
        (void)printf("%-10s %10s %8s %8s %10s %10s %10s %12s\n", "program", "operations", "plans",
                     "replayed", "queue ns", "cut ns", "sum ns", "repetitions");
    }
    return measure_operations(o) && measure_texts(o) && measure_loops(o) && measure_plans(o) &&
           measure_planning(o) && (cl == NULL || measure_launches(o, cl));
}
