/* Each instance is planned by every strategy: how much more than the lower bound it takes, which no plan
 * can beat, and than shared slots, which `partition` is, and how long. */
#include "bench/plan.h"

#include "bench/binding.h"
#include "bench/measure.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRATEGIES 4

typedef struct instance {
    const char *name;
    sinter_plan_request *requests;
    size_t count;
} instance;

typedef struct job {
    const instance *in;
    sinter_plan_options options;
    void *scratch;
    size_t scratch_bytes;
    sinter_plan_result result;
    uint64_t partition_bytes; /* what shared slots take */
} job;

static const char *const names[STRATEGIES] = {"partition", "greedy", "exact", "refit"};

/* Instances of its own */

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Each is read by the next step; every fourth by the one four steps on as well. */
static sinter_plan_request chain(size_t i, size_t count, uint64_t *state)
{
    (void)count;
    return (sinter_plan_request){.start = (int64_t)i,
                                 .end = (int64_t)(i + (i % 4 == 0 ? 5 : 2)),
                                 .bytes = (1 + next_random(state) % 64) << 14};
}

/* The first half saves what the second half reads, the last first; each also has a short-lived result. */
static sinter_plan_request training(size_t i, size_t count, uint64_t *state)
{
    size_t pair = i / 2;
    size_t last = count / 2;
    bool is_saved = i % 2 == 0 && pair < last / 2;
    int64_t end = is_saved ? (int64_t)(last - pair) : (int64_t)pair + 2;
    return (sinter_plan_request){
        .start = (int64_t)pair, .end = end, .bytes = (1 + next_random(state) % 48) << 12};
}

/* Anything at any time, for as long as it likes. */
static sinter_plan_request anything(size_t i, size_t count, uint64_t *state)
{
    (void)i;
    int64_t start = (int64_t)(next_random(state) % count);
    int64_t length = 1 + (int64_t)(next_random(state) % (count - (size_t)start));
    return (sinter_plan_request){.start = start,
                                 .end = start + length,
                                 .bytes = (1 + next_random(state) % 1000)
                                          << (next_random(state) % 8)};
}

static const struct {
    const char *name;
    size_t count;
    sinter_plan_request (*make)(size_t i, size_t count, uint64_t *state);
} own[] = {
    {"chain/100", 100, chain},           {"chain/10000", 10000, chain},
    {"training/100", 100, training},     {"training/1000", 1000, training},
    {"training/10000", 10000, training}, {"anything/100", 100, anything},
    {"anything/1000", 1000, anything},   {"anything/10000", 10000, anything},
};

static bool make_own(size_t which, instance *out)
{
    uint64_t state = 1;
    *out = (instance){.name = own[which].name, .count = own[which].count};
    out->requests = calloc(out->count, sizeof *out->requests);
    for (size_t i = 0; out->requests != NULL && i < out->count; i++)
        out->requests[i] = own[which].make(i, out->count, &state);
    return out->requests != NULL;
}

/* Measuring */

static bool plan_once(void *user)
{
    job *j = user;
    j->result.size = sizeof j->result;
    return sinter_plan_memory(j->in->requests, j->in->count, &j->options, j->scratch,
                              j->scratch_bytes, &j->result) == SINTER_OK;
}

static void print_head(void)
{
    printf("%-30s %8s %12s  %-10s %9s %11s %8s %9s %9s %9s\n", "instance", "requests", "bound",
           "strategy", "/ bound", "/ partition", "nodes", "median", "p10", "p90");
}

static double ratio_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 1.0;
}

static void print_line(const bench_options *o, const job *j, const bench_times *t)
{
    const sinter_plan_result *r = &j->result;
    const char *name = names[j->options.strategy];
    double ratio = ratio_of(r->total_bytes, r->bound_bytes);
    double to_partition = ratio_of(r->total_bytes, j->partition_bytes);
    if (o->json) {
        printf("{\"instance\": \"%s\", \"requests\": %zu, \"bound_bytes\": %llu, \"strategy\": "
               "\"%s\", \"total_bytes\": %llu, \"ratio\": %.6f, \"to_partition\": %.6f, "
               "\"optimal\": %s, \"nodes\": %llu, "
               "\"median_ms\": %.4f, \"p10_ms\": %.4f, \"p90_ms\": %.4f}\n",
               j->in->name, j->in->count, (unsigned long long)r->bound_bytes, name,
               (unsigned long long)r->total_bytes, ratio, to_partition,
               r->is_optimal ? "true" : "false", (unsigned long long)r->nodes, t->median * 1e3,
               t->p10 * 1e3, t->p90 * 1e3);
        return;
    }
    printf("%-30s %8zu %12llu  %-10s %9.4f %11.4f %8llu %6.2f ms %6.2f ms %6.2f ms\n", j->in->name,
           j->in->count, (unsigned long long)r->bound_bytes, name, ratio, to_partition,
           (unsigned long long)r->nodes, t->median * 1e3, t->p10 * 1e3, t->p90 * 1e3);
}

/* Each strategy by itself: refit is last, and takes the order of the plan before it. */
static bool run_instance(const bench_options *o, const instance *in)
{
    uint64_t partition_bytes = 0;
    bool fine = true;
    for (int strategy = 0; fine && strategy < STRATEGIES; strategy++) {
        job j = {.in = in, .options = SINTER_PLAN_OPTIONS_INIT};
        j.options.strategy = (sinter_plan_strategy)strategy;
        fine = sinter_plan_scratch_bytes(in->count, &j.options, &j.scratch_bytes) == SINTER_OK;
        j.scratch = fine ? malloc(j.scratch_bytes + 1) : NULL;
        bench_runner runner = {.run = plan_once, .user = &j};
        const bench_watch nobody = {NULL, NULL};
        fine = j.scratch != NULL &&
               bench_measure(&runner, 1, o->seconds / STRATEGIES, o->least, nobody);
        if (fine) {
            const bench_times times = bench_runner_times(&runner);
            if (strategy == SINTER_PLAN_PARTITION)
                partition_bytes = j.result.total_bytes;
            j.partition_bytes = partition_bytes;
            print_line(o, &j, &times);
        } else {
            (void)fprintf(stderr, "sinter bench: %s, %s: %s\n", in->name, names[strategy],
                          sinter_last_error());
        }
        bench_runner_finish(&runner);
        free(j.scratch);
    }
    return fine;
}

/* Files */

static int is_csv(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}

static bool run_file(const bench_options *o, bench_plan_reader read, const char *name)
{
    char path[4096];
    instance in = {.name = name};
    if (!bench_options_match(o, name))
        return true;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", o->folder, name) >= sizeof path)
        return false;
    in.requests = read(path, &in.count);
    bool fine = in.requests != NULL && run_instance(o, &in);
    free(in.requests);
    return fine;
}

static bool run_folder(const bench_options *o, bench_plan_reader read)
{
    struct dirent **entries = NULL;
    int count = scandir(o->folder, &entries, is_csv, alphasort);
    bool fine = count > 0;
    if (count <= 0)
        (void)fprintf(stderr, "sinter bench: %s: no file ends with .csv\n", o->folder);
    for (int i = 0; i < count; i++) {
        fine = run_file(o, read, entries[i]->d_name) && fine;
        free(entries[i]);
    }
    free(entries);
    return fine;
}

bool bench_plan_run(const bench_options *o, bench_plan_reader read)
{
    bool fine = true;
    if (!o->json)
        print_head();
    if (o->folder != NULL)
        return run_folder(o, read);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        instance in;
        if (!bench_options_match(o, own[i].name) || (o->quick && own[i].count > 1000))
            continue;
        fine = make_own(i, &in) && run_instance(o, &in) && fine;
        free(in.requests);
    }
    if (bench_options_match(o, "binding/1000"))
        fine = bench_binding_run(o) && fine;
    return fine;
}
