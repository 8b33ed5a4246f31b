/* `sinter bench`: from the arguments to the last line. */
#include "bench/bench.h"

#include "bench/plan.h"
#include "bench/replay.h"
#include "bench/report.h"
#include "bench/startup.h"
#include "bench/streams.h"
#include "bench/together.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The device that is measured, and OpenCL on it unless it is the host reference device. */
typedef struct target {
    sinter_device_info info;
    bench_cl cl;
    bool has_cl;
    bench_bandwidth copy, read;
} target;

/* What is measured. */
static const bench_workload *table_of(const bench_options *o, size_t *count)
{
    *count = o->math ? bench_math_count : bench_workload_count;
    return o->math ? bench_math : bench_workloads;
}

static size_t count_wanted(const bench_options *o)
{
    size_t count = 0;
    size_t workloads;
    const bench_workload *table = table_of(o, &workloads);
    for (size_t i = 0; i < workloads; i++) {
        for (int k = 0; k < BENCH_MAX_SIZES; k++)
            count += bench_options_want(o, &table[i], k);
    }
    return count;
}

static int list(const bench_options *o)
{
    size_t workloads;
    const bench_workload *table = table_of(o, &workloads);
    for (size_t i = 0; i < workloads; i++) {
        const bench_workload *w = &table[i];
        for (int k = 0; k < BENCH_MAX_SIZES; k++) {
            char label[BENCH_LABEL];
            if (!bench_options_want(o, w, k))
                continue;
            bench_label(w, &w->sizes[k], label);
            (void)printf("%-28s%s\n", label, w->meaning);
        }
    }
    return 0;
}

/* Finds the device by opening a context on it, as every variant does. */
static bool find_target(const bench_options *o, target *t)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    options.device = o->device;
    t->info.size = sizeof t->info;
    sinter_status status = sinter_context_create(&options, &ctx);
    if (status == SINTER_OK)
        status = sinter_context_device(ctx, &t->info);
    if (status != SINTER_OK) {
        (void)fprintf(stderr, "sinter bench: %s: %s\n", sinter_status_name(status),
                      sinter_last_error());
    }
    (void)sinter_context_destroy(ctx);
    return status == SINTER_OK;
}

static bool open_target(const bench_options *o, target *t)
{
    if (!find_target(o, t))
        return false;
    t->has_cl = t->info.kind != SINTER_DEVICE_HOST;
    bench_cl *cl = t->has_cl ? &t->cl : NULL;
    if ((t->has_cl && !bench_cl_open(&t->cl, t->info.selector)) ||
        !bench_measure_bandwidth(cl, BENCH_COPIES, o->quick, &t->copy) ||
        !bench_measure_bandwidth(cl, BENCH_READS, o->quick, &t->read)) {
        (void)fprintf(stderr, "sinter bench: %s: %s\n", t->info.name,
                      t->has_cl ? t->cl.why : "its bandwidth cannot be measured");
        return false;
    }
    return true;
}

static bool run_one(const bench_options *o, target *t, const bench_workload *w, int size,
                    bench_progress *p)
{
    bench_result result;
    bench_label(w, &w->sizes[size], p->label);
    bench_progress_tick(p, 0.0);
    const bench_watch watch = {bench_progress_tick, p};
    bool fine = bench_case_run(o, t->has_cl ? &t->cl : NULL, t->info.selector, w, &w->sizes[size],
                               watch, &result);
    bench_progress_clear(p);
    p->index++;
    if (fine && o->json) {
        bench_print_json(&result, &t->info);
    } else if (fine) {
        bench_print_result(&result);
        if (result.report.data != NULL)
            (void)fputs(result.report.data, stdout);
    }
    free(result.report.data);
    return fine;
}

static int run_all(const bench_options *o)
{
    target t;
    memset(&t, 0, sizeof t);
    bool is_open = open_target(o, &t);
    bool fine = is_open;
    bench_progress p = {.is_on = isatty(STDERR_FILENO) == 1, .count = count_wanted(o)};
    size_t workloads;
    const bench_workload *table = table_of(o, &workloads);
    if (fine && !o->json)
        bench_print_header(o, &t.info, &t.copy, &t.read, t.has_cl);
    for (size_t i = 0; is_open && i < workloads; i++) {
        for (int k = 0; k < BENCH_MAX_SIZES; k++) {
            if (bench_options_want(o, &table[i], k))
                fine = run_one(o, &t, &table[i], k, &p) && fine;
        }
    }
    if (t.cl.context != NULL)
        bench_cl_close(&t.cl);
    if (fine && !o->json)
        bench_print_footer();
    return fine ? 0 : 1;
}

static int run_traced(bench_options *o)
{
    o->trace_file = o->tracer->open(o->trace);
    if (o->trace_file == NULL)
        return 1;
    int status = run_all(o);
    return o->tracer->close(o->trace_file) ? status : 1;
}

static int run_replay(const bench_options *o)
{
    target t;
    memset(&t, 0, sizeof t);
    bool fine = find_target(o, &t);
    t.has_cl = t.info.kind != SINTER_DEVICE_HOST;
    if (fine && t.has_cl && !bench_cl_open(&t.cl, t.info.selector)) {
        (void)fprintf(stderr, "sinter bench: %s: %s\n", t.info.name, t.cl.why);
        fine = false;
    }
    fine = fine && bench_replay_run(o, t.has_cl ? &t.cl : NULL, &t.info);
    if (t.cl.context != NULL)
        bench_cl_close(&t.cl);
    return fine ? 0 : 1;
}

/* How many devices the options name, 0 after saying on stderr what failed. `all` becomes their list, and counts as
 * several whatever there is. */
static size_t count_devices(bench_options *o, char all[BENCH_DEVICES_TEXT])
{
    bool is_all = o->device != NULL && strcmp(o->device, "all") == 0;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    if (is_all && !bench_together_all(all))
        return 0;
    o->device = is_all ? all : o->device;
    options.device = o->device;
    if (sinter_context_create(&options, &ctx) != SINTER_OK) {
        (void)fprintf(stderr, "sinter bench: %s\n", sinter_last_error());
        return 0;
    }
    size_t count = sinter_context_device_count(ctx);
    (void)sinter_context_destroy(ctx);
    return is_all && count == 1 ? 2 : count;
}

/* What is measured of several devices is a table of its own. */
static bool check_several(const bench_options *o)
{
    bool other = o->math || o->variants || o->report || o->trace != NULL;
    if (other)
        (void)fprintf(stderr, "sinter bench: --math, --variants, --report and --trace are for one "
                              "device\n");
    return !other;
}

int sinter_bench_main(int argc, char **argv, const bench_tracer *tracer,
                      bench_plan_reader read_plan)
{
    bench_options o;
    (void)setlocale(LC_NUMERIC, "C");
    if (!bench_options_read(&o, argc, argv))
        return 2;
    if (o.help) {
        bench_options_help();
        return 0;
    }
    if (o.plan)
        return bench_plan_run(&o, read_plan) ? 0 : 1;
    if (o.replay)
        return run_replay(&o);
    if (o.startup)
        return bench_startup_run(&o) ? 0 : 1;
    if (count_wanted(&o) == 0) {
        (void)fprintf(stderr, "sinter bench: no workload matches; --list shows them\n");
        return 2;
    }
    char all[BENCH_DEVICES_TEXT];
    size_t devices = o.list ? 1 : count_devices(&o, all);
    if (devices == 0)
        return 1;
    if (devices > 1 && !check_several(&o))
        return 2;
    if (devices > 1 && !o.streams)
        return bench_together_run(&o) ? 0 : 1;
    if (o.streams && !o.list)
        return bench_streams_run(&o) ? 0 : 1;
    o.tracer = tracer;
    return o.list ? list(&o) : o.trace != NULL ? run_traced(&o) : run_all(&o);
}
