/* The one hard idea: what a split is worth shows only beside the best that the devices could do. So besides each device
 * alone, a sweep (--sweep) tries fixed splits on a grid, and the best one takes turns with the split that the library
 * finds by itself. */
#include "bench/together.h"

#include "bench/case.h"
#include "bench/measure.h"
#include "bench/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEVICES 16
#define MOST_SWEPT 4 /* devices: more make too many splits */
#define LISTED 64    /* devices of all platforms */
/* Runs after which the split has come to rest: it is measured, and whether it pays has been tried both ways. */
#define WARM_RUNS 48
#define SWEEP_RUNS 5

typedef struct together {
    const bench_options *options;
    const bench_workload *workload;
    const bench_size *size;
    char label[BENCH_LABEL];
    sinter_context *ctx;
    size_t count; /* of devices, and of streams in `parts` */
    char names[MOST_DEVICES][BENCH_DEVICE_NAME];
    void *data[BENCH_MAX_INPUTS];
    bench_side alone[MOST_DEVICES];
    sinter_stream *parts[MOST_DEVICES];
    bench_side root; /* the whole, which is split */
    double grid[MOST_DEVICES], best[MOST_DEVICES];
    double best_seconds;
    size_t tried;
    sinter_shard *balanced, *fixed;
} together;

static bool is_ok(const together *t, sinter_status status)
{
    return bench_side_ok(t->label, status);
}

/* Which workloads can be split */

/* The axis that letter `a` of the operand is; -1: none. */
static int axis_of(const bench_operand *o)
{
    const char *at = strchr(o->axes, 'a');
    return at != NULL ? (int)(at - o->axes) : -1;
}

/* Every result has a row for each row of what is read, and nothing is replaced. */
static bool is_by_rows(const bench_workload *w)
{
    bool any = false;
    for (size_t i = 0; i < bench_operand_count(w->inputs, BENCH_MAX_INPUTS); i++) {
        any = any || axis_of(&w->inputs[i]) >= 0;
        if (strchr(w->inputs[i].axes, 'A') != NULL)
            return false;
    }
    for (size_t i = 0; i < bench_operand_count(w->outputs, BENCH_MAX_OUTPUTS); i++) {
        if (axis_of(&w->outputs[i]) < 0)
            return false;
    }
    return any && w->updates == 0;
}

/* Runs */

static sinter_status queue_part(void *user, sinter_stream *stream, const sinter_shard_part *part,
                                const sinter_tensor *inputs, sinter_tensor *outputs)
{
    const together *t = user;
    int64_t extents[BENCH_MAX_EXTENTS];
    bench_side side = {.ctx = t->ctx, .stream = stream, .workload = t->workload};
    memcpy(extents, t->size->extents, sizeof extents);
    extents[0] = part->rows;
    side.extents = extents;
    memcpy(side.inputs, inputs,
           bench_operand_count(t->workload->inputs, BENCH_MAX_INPUTS) * sizeof *inputs);
    sinter_status status = bench_side_queue(&side);
    memcpy(outputs, side.outputs,
           bench_operand_count(t->workload->outputs, BENCH_MAX_OUTPUTS) * sizeof *outputs);
    return status;
}

/* The results are those of t->root. */
static sinter_status run_shard(together *t, sinter_shard *shard)
{
    sinter_shard_input in[BENCH_MAX_INPUTS];
    sinter_shard_output out[BENCH_MAX_OUTPUTS];
    size_t inputs = bench_operand_count(t->workload->inputs, BENCH_MAX_INPUTS);
    size_t outputs = bench_operand_count(t->workload->outputs, BENCH_MAX_OUTPUTS);
    for (size_t i = 0; i < inputs; i++) {
        int axis = axis_of(&t->workload->inputs[i]);
        in[i] = (sinter_shard_input){.tensor = t->root.inputs[i],
                                     .axis = axis >= 0 ? axis : SINTER_SHARD_WHOLE,
                                     .flags = SINTER_SHARD_KEEP};
    }
    for (size_t i = 0; i < outputs; i++)
        out[i] = (sinter_shard_output){SINTER_SHARD_CONCAT, axis_of(&t->workload->outputs[i])};
    sinter_status status =
        sinter_shard_run(shard, queue_part, t, inputs, in, outputs, out, t->root.outputs);
    for (size_t i = 0; i < t->count && status == SINTER_OK; i++)
        status = sinter_stream_sync(t->parts[i]);
    return status;
}

static sinter_status repeat_shard(together *t, sinter_shard *shard)
{
    sinter_status status = run_shard(t, shard);
    return status == SINTER_OK ? bench_side_settle(&t->root) : status;
}

static bool run_alone(void *user)
{
    bool fine = bench_side_repeat(user) == SINTER_OK;
    if (!fine)
        (void)fprintf(stderr, "sinter bench: %s\n", sinter_last_error());
    return fine;
}

static bool run_balanced(void *user)
{
    together *t = user;
    return is_ok(t, repeat_shard(t, t->balanced));
}

static bool run_fixed(void *user)
{
    together *t = user;
    return is_ok(t, repeat_shard(t, t->fixed));
}

/* Beginning and ending */

static sinter_status open_device(together *t, size_t i)
{
    sinter_stream_options options = SINTER_STREAM_OPTIONS_INIT;
    options.device = (uint32_t)i;
    sinter_status status = bench_side_stream(&t->alone[i], t->ctx, options.device, t->names[i]);
    if (status == SINTER_OK)
        status = sinter_stream_create(t->ctx, &options, &t->parts[i]);
    return status == SINTER_OK
               ? bench_side_fill(&t->alone[i], t->workload, t->size->extents, t->data)
               : status;
}

static bool open_together(together *t)
{
    const bench_options *o = t->options;
    sinter_status status = SINTER_OK;
    bench_label(t->workload, t->size, t->label);
    if (!bench_side_open(o, o->device, t->label, t->workload, t->size, t->data, &t->ctx))
        return false;
    uint32_t devices = sinter_context_device_count(t->ctx);
    for (size_t i = 0; i < devices && i < MOST_DEVICES && status == SINTER_OK; i++) {
        t->count++;
        status = open_device(t, i);
    }
    t->root.ctx = t->ctx;
    t->root.stream = t->parts[0];
    if (status == SINTER_OK)
        status = bench_side_fill(&t->root, t->workload, t->size->extents, t->data);
    if (status == SINTER_OK)
        status = sinter_shard_create(t->count, t->parts, NULL, &t->balanced);
    return is_ok(t, status);
}

static void close_together(together *t)
{
    sinter_shard_destroy(t->balanced);
    sinter_shard_destroy(t->fixed);
    if (t->root.stream != NULL)
        bench_side_empty(&t->root);
    for (size_t i = 0; i < t->count; i++) {
        if (t->alone[i].stream != NULL)
            bench_side_empty(&t->alone[i]);
        (void)sinter_stream_destroy(t->alone[i].stream);
        (void)sinter_stream_destroy(t->parts[i]);
    }
    (void)sinter_context_destroy(t->ctx);
    bench_data_free(t->data);
}

/* Comparing */

/* Reads the results of a run that was queued, takes them in, and compares them with `wanted`, or keeps them there if
 * that is empty. */
static bool take_results(const together *t, bench_side *side, void *wanted[BENCH_MAX_OUTPUTS],
                         const char *what)
{
    bool same = true;
    sinter_status status = SINTER_OK;
    for (size_t i = 0; i < bench_operand_count(t->workload->outputs, BENCH_MAX_OUTPUTS); i++) {
        size_t bytes = bench_bytes(&t->workload->outputs[i], t->size->extents);
        void *found = malloc(bytes);
        if (found == NULL) {
            (void)fprintf(stderr, "sinter bench: out of host memory\n");
            return false;
        }
        if (status == SINTER_OK)
            status = sinter_tensor_read(side->stream, side->outputs[i], found, bytes);
        if (wanted[i] == NULL) {
            wanted[i] = found;
            continue;
        }
        same = same && memcmp(wanted[i], found, bytes) == 0;
        free(found);
    }
    if (status == SINTER_OK)
        status = bench_side_settle(side);
    /* only this mode promises the same bits on every device */
    bool equal = same || t->options->mode != SINTER_MODE_REPRODUCIBLE;
    if (!equal)
        (void)fprintf(stderr, "sinter bench: %s: %s: other bits than on %s\n", t->label, what,
                      t->names[0]);
    return is_ok(t, status) && equal;
}

/* Nothing is timed before every way gives the bits of the first device. */
static bool compare(together *t)
{
    void *wanted[BENCH_MAX_OUTPUTS] = {NULL};
    bool fine = true;
    for (size_t i = 0; i < t->count && fine; i++) {
        fine = is_ok(t, bench_side_queue(&t->alone[i])) &&
               take_results(t, &t->alone[i], wanted, t->names[i]);
    }
    for (int run = 0; run < WARM_RUNS && fine; run++)
        fine = is_ok(t, run_shard(t, t->balanced)) &&
               take_results(t, &t->root, wanted, "all together");
    for (size_t i = 0; i < BENCH_MAX_OUTPUTS; i++)
        free(wanted[i]);
    return fine;
}

/* The sweep */

static bool make_fixed(together *t, const double *shares)
{
    sinter_shard_options options = SINTER_SHARD_OPTIONS_INIT;
    options.shares = shares;
    sinter_shard_destroy(t->fixed);
    bool fine = is_ok(t, sinter_shard_create(t->count, t->parts, &options, &t->fixed));
    for (int run = 0; run < 2 && fine; run++)
        fine = is_ok(t, repeat_shard(t, t->fixed));
    return fine;
}

/* One split: the shortest of a few runs. */
static bool try_split(together *t)
{
    double least = 0;
    if (!make_fixed(t, t->grid))
        return false;
    for (int run = 0; run < SWEEP_RUNS; run++) {
        double start = bench_now();
        if (!run_fixed(t))
            return false;
        double seconds = bench_now() - start;
        least = run == 0 || seconds < least ? seconds : least;
    }
    if (t->tried++ == 0 || least < t->best_seconds) {
        t->best_seconds = least;
        memcpy(t->best, t->grid, sizeof t->best);
    }
    return true;
}

/* Every way to give `left` of the grid's steps to devices `i` and on. */
static bool sweep_from(together *t, size_t i, int left)
{
    if (i + 1 == t->count) {
        t->grid[i] = left;
        return try_split(t);
    }
    for (int steps = 0; steps <= left; steps++) {
        t->grid[i] = steps;
        if (!sweep_from(t, i + 1, left - steps))
            return false;
    }
    return true;
}

static bool sweep(together *t)
{
    static const int steps[MOST_SWEPT + 1] = {0, 1, 16, 8, 5};
    return sweep_from(t, 0, steps[t->count]) && make_fixed(t, t->best);
}

/* Printing */

/* A row that is printed. */
typedef struct row {
    const char *how;
    char shares[MOST_DEVICES *
                10]; /* "62 %, 38 %" of the rows, or as numbers of JSON; "": a device alone */
    double longest;  /* seconds of the longest part of the last run that was measured */
    bench_times times;
} row;

static void fill_split(const together *t, sinter_shard *shard, row *r)
{
    size_t at = 0;
    int64_t rows = t->size->extents[0];
    for (size_t i = 0; i < t->count && at + 1 < sizeof r->shares; i++) {
        sinter_shard_state state = SINTER_SHARD_STATE_INIT;
        (void)sinter_shard_report(shard, i, &state);
        double part = (double)state.rows / (double)(rows > 0 ? rows : 1);
        double seconds = state.rows > 0 ? 1e-9 * (double)state.time_ns : 0;
        const char *comma = i > 0 ? ", " : "";
        size_t room = sizeof r->shares - at;
        int used = t->options->json
                       ? snprintf(r->shares + at, room, "%s%.4f", comma, part)
                       : snprintf(r->shares + at, room, "%s%.0f %%", comma, 100 * part);
        at += used > 0 ? (size_t)used : 0;
        r->longest = seconds > r->longest ? seconds : r->longest;
    }
}

static void print_row(const together *t, const row *r, double best_alone)
{
    char longest[24] = "";
    const bench_times *x = &r->times;
    if (t->options->json) {
        (void)printf("{\"workload\": \"%s\", \"how\": \"%s\", \"shares\": [%s], "
                     "\"longest_part_ms\": %.6f, \"median_ms\": %.6f, \"p10_ms\": %.6f, "
                     "\"p90_ms\": %.6f, \"repetitions\": %zu, \"speed\": %.4f}\n",
                     t->label, r->how, r->shares, 1e3 * r->longest, 1e3 * x->median, 1e3 * x->p10,
                     1e3 * x->p90, x->repetitions, best_alone / x->median);
        return;
    }
    if (r->longest > 0)
        (void)snprintf(longest, sizeof longest, "%.3f", 1e3 * r->longest);
    (void)printf("%-22s%-18s%-20s%10s%10.3f%10.3f%10.3f  x%.2f\n",
                 r->how == t->names[0] ? t->label : "", r->how, r->shares, longest, 1e3 * x->median,
                 1e3 * x->p10, 1e3 * x->p90, best_alone / x->median);
}

static void print_all(const together *t, bench_runner *runners)
{
    char splits[32];
    row rows[MOST_DEVICES + 2];
    double best = 0;
    size_t n = t->count;
    size_t count = n + (t->fixed != NULL ? 2 : 1);
    (void)snprintf(splits, sizeof splits, "best of %zu splits", t->tried);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (row){.how = i < n    ? t->names[i]
                               : i == n ? "all together"
                                        : splits,
                        .times = bench_runner_times(&runners[i])};
        if (i >= n)
            fill_split(t, i == n ? t->balanced : t->fixed, &rows[i]);
        else if (i == 0 || rows[i].times.median < best)
            best = rows[i].times.median;
    }
    for (size_t i = 0; i < count; i++)
        print_row(t, &rows[i], best);
    (void)fflush(stdout);
}

static bool measure(together *t)
{
    bench_runner runners[MOST_DEVICES + 2] = {{.run = NULL}};
    const bench_watch none = {NULL, NULL};
    size_t n = t->count;
    for (size_t i = 0; i < n; i++)
        runners[i] = (bench_runner){.run = run_alone, .user = &t->alone[i]};
    runners[n] = (bench_runner){.run = run_balanced, .user = t};
    runners[n + 1] = (bench_runner){.run = run_fixed, .user = t};
    bool fine = bench_measure(runners, n + (t->fixed != NULL ? 2 : 1), t->options->seconds,
                              t->options->least, none);
    if (fine)
        print_all(t, runners);
    for (size_t i = 0; i < n + 2; i++)
        bench_runner_finish(&runners[i]);
    return fine;
}

static bool run_workload(const bench_options *o, const bench_workload *w, const bench_size *size)
{
    together t = {.options = o, .workload = w, .size = size};
    bool fine = open_together(&t) && compare(&t);
    if (fine && o->sweep && t.count > MOST_SWEPT) {
        (void)fprintf(stderr, "sinter bench: --sweep is for up to %d devices, not %zu\n",
                      MOST_SWEPT, t.count);
        fine = false;
    }
    fine = fine && (!o->sweep || sweep(&t)) && measure(&t);
    close_together(&t);
    return fine;
}

bool bench_together_all(char text[BENCH_DEVICES_TEXT])
{
    sinter_device_info *infos = calloc(LISTED, sizeof *infos);
    size_t count = 0;
    size_t at = 0;
    if (infos == NULL)
        return false;
    infos[0].size = sizeof *infos;
    sinter_status status = sinter_device_list(infos, LISTED, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && i < LISTED && status == SINTER_OK; i++) {
        const sinter_device_info *d = &infos[i];
        if (d->kind == SINTER_DEVICE_NONE || (d->kind == SINTER_DEVICE_HOST && at > 0))
            continue;
        int used =
            snprintf(text + at, BENCH_DEVICES_TEXT - at, "%s%s", at > 0 ? "," : "", d->selector);
        at += used > 0 ? (size_t)used : 0;
    }
    free(infos);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "sinter bench: %s\n", sinter_last_error());
    return status == SINTER_OK;
}

bool bench_together_run(const bench_options *o)
{
    static const char *const names[] = {"chain-8/16Mi", "black-scholes/4Mi", "softmax/4096x1024",
                                        "layer-norm/4096x1024", "matmul/1024"};
    bool fine = true;
    if (!o->json)
        (void)printf("%-22s%-18s%-20s%10s%10s%10s%10s  %s\n", "workload", "devices", "rows of each",
                     "part ms", "median ms", "p10", "p90", "of the best alone");
    for (size_t i = 0; i < bench_workload_count; i++) {
        const bench_workload *w = &bench_workloads[i];
        for (int k = 0; k < BENCH_MAX_SIZES && is_by_rows(w); k++) {
            if (bench_options_want_some(o, w, k, names, sizeof names / sizeof *names))
                fine = run_workload(o, w, &w->sizes[k]) && fine;
        }
    }
    return fine;
}
