/* The one hard idea: nothing is timed before the three variants have run once on the same data and
 * their results have been compared: fused and unfused bit for bit, the hand-written ones within the
 * workload's tolerance. And where pages happen to lie decides more than a kernel does as soon as the
 * data is about as large as a cache, so everything is moved several times while it is timed. */
#include "bench/case.h"

#include "bench/bandwidth.h"
#include "bench/handwritten.h"
#include "bench/side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Repetitions after which a plan has long been found. */
#define WARM_REPETITIONS 4
/* Times that all memory is taken anew while a workload is timed. */
#define PLACES 5
/* Part of a workload's time in which the hand-written variants are tried. */
#define CHOICE_PART 0.2
/* A variant whose second run takes so many times another's is not tried further. */
#define HOPELESS 3.0
#define QUICK_VARIANTS 2
/* What the kernels that copy or read take at once. */
#define MOVED_UNIT 64

/* A hand-written variant that builds. */
typedef struct candidate {
    bench_hand hand;
    bench_cl *cl;
    double first;  /* seconds of the build and the first run */
    double second; /* of the second run */
} candidate;

typedef struct test_case {
    const bench_options *options;
    const bench_workload *workload;
    const bench_size *size;
    bench_cl *cl;
    char label[BENCH_LABEL];
    void *data[BENCH_MAX_INPUTS];
    void *wanted[BENCH_MAX_OUTPUTS]; /* of the fused variant */
    void *found[BENCH_MAX_OUTPUTS];
    bench_side sides[2]; /* fused, unfused */
    double first[2];
    bench_buffers buffers;
    candidate candidates[BENCH_MAX_VARIANTS];
    size_t candidate_count;
    bench_mover movers[2]; /* of the bytes to move: a copy and, where there is only reading, that */
    size_t mover_count;
    bench_watch watch;
} test_case;

static const char *const side_names[] = {"fused", "unfused"};

void bench_label(const bench_workload *w, const bench_size *size, char label[BENCH_LABEL])
{
    (void)snprintf(label, BENCH_LABEL, "%s/%s", w->name, size->label);
}

static bool failed(const test_case *c, const char *variant, const char *text)
{
    (void)fprintf(stderr, "sinter bench: %s: %s: %s\n", c->label, variant, text);
    return false;
}

static bool is_ok(const test_case *c, const char *variant, sinter_status status)
{
    char text[512];
    if (status == SINTER_OK)
        return true;
    (void)snprintf(text, sizeof text, "%s: %s", sinter_status_name(status), sinter_last_error());
    return failed(c, variant, text);
}

static void log_warning(void *user, int level, const char *message)
{
    (void)user;
    if (level == 0)
        (void)fprintf(stderr, "sinter: %s\n", message);
}

/* Data */

static bool make_data(test_case *c)
{
    const bench_workload *w = c->workload;
    const int64_t *extents = c->size->extents;
    for (size_t i = 0; i < BENCH_MAX_INPUTS && w->inputs[i].axes != NULL; i++) {
        c->data[i] = malloc(bench_bytes(&w->inputs[i], extents));
        if (c->data[i] == NULL)
            return failed(c, "data", "out of host memory");
        bench_fill(&w->inputs[i], i + 1, bench_product(w->inputs[i].axes, extents), c->data[i]);
    }
    for (size_t i = 0; i < BENCH_MAX_OUTPUTS && w->outputs[i].axes != NULL; i++) {
        c->wanted[i] = malloc(bench_bytes(&w->outputs[i], extents));
        c->found[i] = malloc(bench_bytes(&w->outputs[i], extents));
        if (c->wanted[i] == NULL || c->found[i] == NULL)
            return failed(c, "data", "out of host memory");
    }
    return true;
}

/* Compares what a variant found with what the fused one did. `tolerance` 0: the same bits. */
static bool is_equal(const test_case *c, const char *variant, double tolerance)
{
    for (size_t i = 0; i < bench_operand_count(c->workload->outputs, BENCH_MAX_OUTPUTS); i++) {
        const bench_operand *o = &c->workload->outputs[i];
        int64_t elements = bench_product(o->axes, c->size->extents);
        size_t bytes = sinter_dtype_bytes(o->dtype);
        if (memcmp(c->wanted[i], c->found[i], (size_t)elements * bytes) == 0)
            continue;
        for (int64_t k = 0; k < elements; k++) {
            double x = bench_element(o->dtype, c->wanted[i], k);
            double y = bench_element(o->dtype, c->found[i], k);
            size_t at = (size_t)k * bytes;
            bool same = tolerance > 0 ? fabs(x - y) <= tolerance * (1.0 + fabs(x))
                                      : memcmp((char *)c->wanted[i] + at, (char *)c->found[i] + at,
                                               bytes) == 0;
            if (same)
                continue;
            char text[160];
            (void)snprintf(text, sizeof text, "output %zu differs at %lld: %.9g, fused %.9g", i,
                           (long long)k, y, x);
            return failed(c, variant, text);
        }
    }
    return true;
}

/* sinter */

/* A stream with the inputs in memory of its own. */
static sinter_status open_stream(test_case *c, bench_side *side)
{
    sinter_status status = sinter_stream_create(side->ctx, NULL, &side->stream);
    if (status == SINTER_OK)
        status = bench_side_fill(side, c->workload, c->size->extents, c->data);
    return status;
}

static bool open_side(test_case *c, int which, const char *device)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    bench_side *side = &c->sides[which];
    options.device = device;
    options.style = c->options->style;
    options.mode = c->options->mode;
    options.switches = SINTER_NO_CACHE | (which == 1 ? SINTER_NO_FUSE : 0);
    options.log_fn = log_warning;
    if (c->options->trace_file != NULL) {
        char name[BENCH_LABEL + 16];
        (void)snprintf(name, sizeof name, "%s %s", c->label, side_names[which]);
        if (!c->options->tracer->context(c->options->trace_file, name, &options))
            return false;
    }
    sinter_status status = sinter_context_create(&options, &side->ctx);
    if (status == SINTER_OK)
        status = open_stream(c, side);
    return is_ok(c, side_names[which], status);
}

static void close_stream(bench_side *side)
{
    if (side->stream != NULL) {
        bench_side_empty(side);
        (void)sinter_stream_destroy(side->stream);
    }
    side->stream = NULL;
}

static void close_side(bench_side *side)
{
    close_stream(side);
    (void)sinter_context_destroy(side->ctx);
    side->ctx = NULL;
}

/* The first run, which plans and compiles; its results go to `out`. */
static bool first_run(test_case *c, int which, void *const *out)
{
    bench_side *side = &c->sides[which];
    double start = bench_now();
    sinter_status status = bench_side_queue(side);
    if (status == SINTER_OK)
        status = sinter_stream_sync(side->stream);
    c->first[which] = bench_now() - start;
    for (size_t i = 0; i < bench_operand_count(c->workload->outputs, BENCH_MAX_OUTPUTS); i++) {
        size_t bytes = bench_bytes(&c->workload->outputs[i], c->size->extents);
        if (status == SINTER_OK)
            status = sinter_tensor_read(side->stream, side->outputs[i], out[i], bytes);
    }
    if (status == SINTER_OK)
        status = bench_side_settle(side);
    return is_ok(c, side_names[which], status);
}

static bool repeat_side(void *user)
{
    return bench_side_repeat(user) == SINTER_OK;
}

/* Counts of one repetition after the plans have been found. */
static bool count_side(test_case *c, int which, bench_result *out)
{
    bench_side *side = &c->sides[which];
    bench_row *row = &out->rows[which];
    sinter_stats before = SINTER_STATS_INIT;
    sinter_stats after = SINTER_STATS_INIT;
    sinter_status status = SINTER_OK;
    for (int i = 0; i < WARM_REPETITIONS && status == SINTER_OK; i++)
        status = bench_side_repeat(side);
    if (status == SINTER_OK)
        status = sinter_context_stats(side->ctx, &before);
    if (status == SINTER_OK)
        status = bench_side_repeat(side);
    if (status == SINTER_OK)
        status = sinter_context_stats(side->ctx, &after);
    if (!is_ok(c, side_names[which], status))
        return false;
    row->variant = side_names[which];
    row->detail = "";
    row->launches = after.launches - before.launches;
    row->bytes_moved = after.bytes_moved - before.bytes_moved;
    if (which == 0)
        out->bytes_bound = after.bytes_bound - before.bytes_bound;
    return true;
}

/* Written by hand */

static bool run_candidate(void *user)
{
    candidate *x = user;
    return bench_hand_run(x->cl, &x->hand);
}

/* Builds a variant and compares its results. What a device cannot build is left out. */
static bool add_candidate(test_case *c, const bench_variant *v)
{
    const bench_workload *w = c->workload;
    const int64_t *extents = c->size->extents;
    candidate *x = &c->candidates[c->candidate_count];
    double start = bench_now();
    x->cl = c->cl;
    if (!bench_hand_create(c->cl, w, extents, v, &c->buffers, &x->hand)) {
        (void)fprintf(stderr, "sinter bench: %s: %s is left out: %s\n", c->label, v->name,
                      c->cl->why);
        return true;
    }
    c->candidate_count++;
    bool fine = bench_hand_run(c->cl, &x->hand);
    x->first = bench_now() - start;
    for (size_t i = 0; i < bench_operand_count(w->outputs, BENCH_MAX_OUTPUTS) && fine; i++)
        fine = bench_buffers_read(c->cl, w, extents, &c->buffers, i, c->found[i]);
    start = bench_now();
    fine = fine && bench_hand_run(c->cl, &x->hand);
    x->second = bench_now() - start;
    if (!fine || !bench_buffers_reset(c->cl, w, extents, c->data, &c->buffers))
        return failed(c, v->name, c->cl->why);
    bool same = v->same && c->options->mode == SINTER_MODE_REPRODUCIBLE;
    return is_equal(c, v->name, same ? 0.0 : w->tolerance);
}

/* Of each meaning, `most` variants. */
static bool add_candidates(test_case *c)
{
    const bench_workload *w = c->workload;
    size_t most = c->options->quick ? QUICK_VARIANTS : BENCH_MAX_VARIANTS;
    size_t added[2] = {0, 0};
    if (c->cl == NULL || w->variants == NULL)
        return true;
    if (!bench_buffers_create(c->cl, w, c->size->extents, c->data, &c->buffers))
        return failed(c, "handwritten", c->cl->why);
    for (size_t i = 0; i < BENCH_MAX_VARIANTS && w->variants[i].name != NULL; i++) {
        if (added[w->variants[i].same]++ < most && !add_candidate(c, &w->variants[i]))
            return false;
    }
    return true;
}

static void remove_candidate(test_case *c, size_t i)
{
    bench_hand_release(c->cl, &c->candidates[i].hand);
    c->candidate_count--;
    memmove(&c->candidates[i], &c->candidates[i + 1],
            (c->candidate_count - i) * sizeof c->candidates[0]);
}

static bool keeps_meaning(const test_case *c, size_t i)
{
    return c->candidates[i].hand.variant->same;
}

static void remove_hopeless(test_case *c)
{
    double least[2] = {INFINITY, INFINITY};
    for (size_t i = 0; i < c->candidate_count; i++) {
        double *best = &least[keeps_meaning(c, i)];
        *best = fmin(*best, c->candidates[i].second);
    }
    for (size_t i = c->candidate_count; i-- > 0;) {
        if (c->candidates[i].second > HOPELESS * least[keeps_meaning(c, i)])
            remove_candidate(c, i);
    }
}

/* Leaves the fastest candidate of each meaning only. */
static bool choose_candidates(test_case *c)
{
    bench_runner runners[BENCH_MAX_VARIANTS] = {0};
    size_t best[2] = {SIZE_MAX, SIZE_MAX};
    double least[2] = {INFINITY, INFINITY};
    if (c->options->variants)
        return true;
    remove_hopeless(c);
    if (c->candidate_count < 2)
        return true;
    for (size_t i = 0; i < c->candidate_count; i++)
        runners[i] = (bench_runner){.run = run_candidate, .user = &c->candidates[i]};
    bool fine = bench_measure(runners, c->candidate_count, CHOICE_PART * c->options->seconds, 3,
                              (bench_watch){NULL, NULL});
    for (size_t i = 0; i < c->candidate_count; i++) {
        bool same = keeps_meaning(c, i);
        bench_times t = bench_runner_times(&runners[i]);
        bench_runner_finish(&runners[i]);
        if (t.repetitions > 0 && t.median < least[same]) {
            least[same] = t.median;
            best[same] = i;
        }
    }
    for (size_t i = c->candidate_count; i-- > 0;) {
        if (i != best[0] && i != best[1])
            remove_candidate(c, i);
    }
    return fine || failed(c, "handwritten", c->cl->why);
}

/* Timing */

static void fill_row(bench_row *row, bench_runner *r, double first)
{
    row->times = bench_runner_times(r);
    double compile = (first - row->times.median) * 1e3;
    row->compile_ms = compile > 0 ? compile : 0;
}

/* Takes the memory of a side anew, and brings it to the steady state. */
static bool move_side(test_case *c, int which)
{
    sinter_status status = open_stream(c, &c->sides[which]);
    for (int i = 0; i < WARM_REPETITIONS && status == SINTER_OK; i++)
        status = bench_side_repeat(&c->sides[which]);
    return is_ok(c, side_names[which], status);
}

static bool move_candidates(test_case *c)
{
    const int64_t *extents = c->size->extents;
    if (c->candidate_count == 0)
        return true;
    bool fine = bench_buffers_create(c->cl, c->workload, extents, c->data, &c->buffers);
    for (size_t i = 0; fine && i < c->candidate_count; i++) {
        bench_hand *hand = &c->candidates[i].hand;
        fine = bench_hand_bind(c->cl, c->workload, extents, &c->buffers, hand) &&
               bench_hand_run(c->cl, hand);
    }
    return fine || failed(c, "handwritten", c->cl->why);
}

static const char *const mover_names[] = {[BENCH_COPIES] = "copy", [BENCH_READS] = "read"};

/* A copy reads half of the bytes and writes half. What is written of a reduction is little beside what is read. */
static bool open_movers(test_case *c, const bench_result *out)
{
    const int64_t floats = (int64_t)(out->bytes_bound / sizeof(float));
    const size_t count = c->workload->is_reduction ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        bench_moves moves = i == 0 ? BENCH_COPIES : BENCH_READS;
        int64_t elements = (moves == BENCH_COPIES ? floats / 2 : floats) & -MOVED_UNIT;
        if (!bench_mover_open(c->cl, moves, elements > 0 ? elements : MOVED_UNIT,
                              CHOICE_PART * c->options->seconds, &c->movers[i]))
            return failed(c, mover_names[moves], c->cl != NULL ? c->cl->why : "out of host memory");
        c->mover_count++;
    }
    return true;
}

static bool move_movers(test_case *c)
{
    for (size_t i = 0; i < c->mover_count; i++) {
        if (!bench_mover_move(&c->movers[i]))
            return failed(c, mover_names[c->movers[i].moves], "no memory for it");
    }
    return true;
}

/* Gives all memory back before any is taken, each time by another one first: what one had, another gets. */
static bool move_all(test_case *c, int place)
{
    for (int i = 0; i < 2; i++)
        close_stream(&c->sides[i]);
    if (c->candidate_count > 0)
        bench_buffers_release(c->cl, &c->buffers);
    bool fine = true;
    for (int i = 0; i < 3 && fine; i++) {
        int which = (i + place) % 3;
        fine = which < 2 ? move_side(c, which) : move_candidates(c);
    }
    return fine && move_movers(c);
}

/* The progress of one place of several. */
typedef struct part {
    bench_watch whole;
    double begin, length;
} part;

static void tick_part(void *user, double done)
{
    const part *p = user;
    if (p->whole.tick != NULL)
        p->whole.tick(p->whole.user, p->begin + p->length * done);
}

static bool measure_places(test_case *c, bench_runner *runners, size_t count)
{
    int places = c->options->quick ? 1 : PLACES;
    size_t least = (c->options->least + (size_t)places - 1) / (size_t)places;
    for (int i = 0; i < places; i++) {
        part p = {c->watch, (double)i / places, 1.0 / places};
        if (i > 0 && !move_all(c, i))
            return false;
        if (!bench_measure(runners, count, c->options->seconds / places, least * (size_t)(i + 1),
                           (bench_watch){tick_part, &p}))
            return failed(c, "timing", c->cl != NULL ? c->cl->why : sinter_last_error());
    }
    return true;
}

static bool measure(test_case *c, bench_result *out)
{
    bench_runner runners[BENCH_MAX_ROWS + 2] = {0};
    size_t count = 2 + c->candidate_count;
    for (size_t i = 0; i < 2; i++)
        runners[i] = (bench_runner){.run = repeat_side, .user = &c->sides[i]};
    for (size_t i = 2; i < count; i++)
        runners[i] = (bench_runner){.run = run_candidate, .user = &c->candidates[i - 2]};
    bool fine = open_movers(c, out);
    for (size_t i = 0; i < c->mover_count; i++)
        runners[count + i] = (bench_runner){.run = bench_mover_run, .user = &c->movers[i]};
    fine = fine && measure_places(c, runners, count + c->mover_count);
    for (size_t i = 0; i < c->mover_count; i++) {
        double seconds = bench_runner_times(&runners[count + i]).median;
        *(i == 0 ? &out->copy_seconds : &out->read_seconds) = seconds;
        bench_runner_finish(&runners[count + i]);
    }
    for (size_t i = 0; i < count; i++) {
        bench_row *row = &out->rows[i];
        const candidate *x = i < 2 ? NULL : &c->candidates[i - 2];
        if (x != NULL) {
            *row = (bench_row){.variant = x->hand.variant->same ? "same" : "handwritten",
                               .detail = x->hand.variant->name,
                               .launches = (uint64_t)x->hand.launches,
                               .bytes_moved = x->hand.bytes_moved};
        }
        fill_row(row, &runners[i], x != NULL ? x->first : c->first[i]);
        bench_runner_finish(&runners[i]);
    }
    out->row_count = count;
    return fine;
}

/* The report */

/* Of one more repetition of the fused variant, in the steady state. */
static bool report(test_case *c, bench_result *out)
{
    bench_side *side = &c->sides[0];
    sinter_status status = sinter_report_begin(side->stream);
    if (status == SINTER_OK)
        status = bench_side_repeat(side);
    if (status == SINTER_OK)
        status = sinter_report_write(side->stream, bench_text_add, &out->report);
    return is_ok(c, side_names[0], status);
}

static void close_case(test_case *c)
{
    for (int i = 0; i < 2; i++)
        close_side(&c->sides[i]);
    while (c->candidate_count > 0)
        remove_candidate(c, c->candidate_count - 1);
    while (c->mover_count > 0)
        bench_mover_close(&c->movers[--c->mover_count]);
    if (c->cl != NULL)
        bench_buffers_release(c->cl, &c->buffers);
    for (size_t i = 0; i < BENCH_MAX_INPUTS; i++)
        free(c->data[i]);
    for (size_t i = 0; i < BENCH_MAX_OUTPUTS; i++) {
        free(c->wanted[i]);
        free(c->found[i]);
    }
}

bool bench_case_run(const bench_options *o, bench_cl *cl, const char *device,
                    const bench_workload *w, const bench_size *size, bench_watch watch,
                    bench_result *out)
{
    test_case c = {.options = o, .workload = w, .size = size, .cl = cl, .watch = watch};
    int64_t written = bench_product(w->outputs[0].axes, size->extents);
    int64_t read = bench_product(w->inputs[0].axes, size->extents);
    bench_label(w, size, c.label);
    *out = (bench_result){.workload = w, .size = size, .mode = o->mode};
    out->elements = w->is_reduction ? read : written;
    double tolerance = o->mode == SINTER_MODE_RELAXED ? w->tolerance : 0.0;
    bool fine = make_data(&c) && open_side(&c, 0, device) && open_side(&c, 1, device) &&
                first_run(&c, 0, c.wanted) && first_run(&c, 1, c.found) &&
                is_equal(&c, side_names[1], tolerance) && add_candidates(&c) &&
                choose_candidates(&c) && count_side(&c, 0, out) && count_side(&c, 1, out) &&
                measure(&c, out) && (!o->report || report(&c, out));
    close_case(&c);
    return fine;
}
