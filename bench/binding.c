/* A thousand requests whose sizes are expressions over S and P; each repetition binds them to other
 * values. `resolve` takes the schema's own partitions; `refit` and `greedy` evaluate the sizes and place
 * them anew, refit in the order of a plan for the first binding. */
#include "bench/binding.h"

#include "bench/measure.h"

#include <sinter/sinter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000
#define LINE 80

typedef struct job {
    const sinter_schema *schema;
    sinter_plan_options options;
    void *scratch;
    size_t scratch_bytes;
    sinter_plan_request requests[COUNT];
    uint64_t offsets[COUNT]; /* of the first binding's plan */
    uint64_t resolved[COUNT];
    sinter_symbol_value binding[2];
    uint64_t total_bytes, bound_bytes;
} job;

/* One of four forms, with a factor. */
static void write_size(char *out, size_t i)
{
    size_t factor = 16 * (1 + i * 37 % 61);
    if (i % 4 == 0)
        (void)snprintf(out, LINE, "%zu*S*P", factor);
    else if (i % 4 == 1)
        (void)snprintf(out, LINE, "%zu*(S+P)", factor);
    else if (i % 4 == 2)
        (void)snprintf(out, LINE, "max(%zu*S,64*P)", factor);
    else
        (void)snprintf(out, LINE, "%zu*S*S+4*P", factor);
}

static sinter_schema *make_schema(const sinter_symbol_value *hint)
{
    static char text[(size_t)(COUNT + 1) * 2 * LINE];
    const sinter_schema_options o = {
        .size = sizeof o, .hint_count = 2, .alignment_bytes = 128, .hint = hint};
    sinter_schema *s = NULL;
    char size[LINE];
    size_t bytes = (size_t)snprintf(text, LINE, "id,lower,upper,size\n");
    for (size_t i = 0; i < COUNT; i++) { /* a chain with now and then a long life */
        size_t end = i + (i % 11 == 0 ? 40 : 2 + i % 3);
        write_size(size, i);
        bytes +=
            (size_t)snprintf(text + bytes, (size_t)2 * LINE, "r%zu,%zu,%zu,%s\n", i, i, end, size);
    }
    if (sinter_schema_parse(text, bytes, &o, &s, NULL) != SINTER_OK)
        (void)fprintf(stderr, "sinter bench: binding: %s\n", sinter_last_error());
    return s;
}

static void next_binding(job *j)
{
    j->binding[0].value = 64 + (j->binding[0].value + 1) % 512;
}

static bool resolve_once(void *user)
{
    job *j = user;
    sinter_schema_result result = SINTER_SCHEMA_RESULT_INIT;
    next_binding(j);
    sinter_status status =
        sinter_schema_resolve(j->schema, j->binding, 2, j->resolved, NULL, &result);
    j->total_bytes = result.total_bytes;
    j->bound_bytes = result.peak_bytes;
    return status == SINTER_OK;
}

static bool place_once(void *user)
{
    job *j = user;
    sinter_plan_result result = SINTER_PLAN_RESULT_INIT;
    next_binding(j);
    if (sinter_schema_evaluate(j->schema, j->binding, 2, j->requests) != SINTER_OK)
        return false;
    for (size_t i = 0; i < COUNT; i++)
        j->requests[i].offset_bytes = j->offsets[i];
    sinter_status status =
        sinter_plan_memory(j->requests, COUNT, &j->options, j->scratch, j->scratch_bytes, &result);
    j->total_bytes = result.total_bytes;
    j->bound_bytes = result.bound_bytes;
    return status == SINTER_OK;
}

static void print_line(const bench_options *o, const char *how, const job *j, const bench_times *t)
{
    double ratio = (double)j->total_bytes / (double)j->bound_bytes;
    if (o->json) {
        printf("{\"instance\": \"binding/%d\", \"requests\": %d, \"strategy\": \"%s\", \"ratio\": "
               "%.6f, \"median_us\": %.2f, \"p10_us\": %.2f, \"p90_us\": %.2f}\n",
               COUNT, COUNT, how, ratio, t->median * 1e6, t->p10 * 1e6, t->p90 * 1e6);
        return;
    }
    printf("%-30s %8d %12s  %-10s %9.4f %10s %6.1f us %6.1f us %6.1f us\n", "binding/1000", COUNT,
           "", how, ratio, "", t->median * 1e6, t->p10 * 1e6, t->p90 * 1e6);
}

static bool measure(const bench_options *o, const char *how, bool (*run)(void *user), job *j)
{
    bench_runner runner = {.run = run, .user = j};
    const bench_watch nobody = {NULL, NULL};
    bool fine = bench_measure(&runner, 1, o->seconds / 3, o->least, nobody);
    if (fine) {
        const bench_times times = bench_runner_times(&runner);
        print_line(o, how, j, &times);
    } else {
        (void)fprintf(stderr, "sinter bench: binding, %s: %s\n", how, sinter_last_error());
    }
    bench_runner_finish(&runner);
    return fine;
}

static bool run_all(const bench_options *o, job *j)
{
    j->options = (sinter_plan_options)SINTER_PLAN_OPTIONS_INIT;
    j->options.alignment_bytes = 128;
    j->options.strategy = SINTER_PLAN_GREEDY;
    if (sinter_plan_scratch_bytes(COUNT, &j->options, &j->scratch_bytes) != SINTER_OK)
        return false;
    j->scratch = malloc(j->scratch_bytes + 1);
    bool fine = j->scratch != NULL && place_once(j);
    for (size_t i = 0; fine && i < COUNT; i++)
        j->offsets[i] = j->requests[i].offset_bytes;
    fine = fine && measure(o, "resolve", resolve_once, j) && measure(o, "greedy", place_once, j);
    j->options.strategy = SINTER_PLAN_REFIT;
    fine = fine && measure(o, "refit", place_once, j);
    free(j->scratch);
    return fine;
}

bool bench_binding_run(const bench_options *o)
{
    static job j;
    const sinter_symbol_value hint[2] = {{"S", 128}, {"P", 16}};
    sinter_schema *s = make_schema(hint);
    if (s == NULL)
        return false;
    j = (job){.schema = s, .binding = {hint[0], hint[1]}};
    bool fine = run_all(o, &j);
    sinter_schema_destroy(s);
    return fine;
}
