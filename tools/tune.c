/* `sinter tune`: the schedules of what the user really runs. */
#include "common.h"
#include "npy.h"

#ifdef SINTER_HAS_BENCH
#    include "bench/bench.h"
#endif

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INPUTS 64
#define MAX_RESULTS 16
#define MAX_TEXT ((size_t)4 << 20)

typedef struct options {
    const char *device;
    const char *what; /* a workload, or the text of a program */
    const char *file; /* of a program */
    char *bindings[MAX_INPUTS];
    size_t binding_count;
    bool json;
    double seconds;
} options;

static const char help_text[] =
    "usage: sinter tune [OPTION ...] WORKLOAD\n"
    "       sinter tune [OPTION ...] PROGRAM [NAME=FILE.npy ...]\n"
    "       sinter tune [OPTION ...] --file PROGRAM.snt [NAME=FILE.npy ...]\n"
    "\n"
    "Searches what runs together and the schedules of the kernels that a program runs, by running\n"
    "it. A number is kept in the device's profile only if it is faster beyond what chance "
    "explains,\n"
    "twice, and gives the same bits. WORKLOAD is one of 'sinter bench --list', as chain-8/1Mi.\n"
    "\n"
    "  -f, --file FILE      take the program from a file\n"
    "  -d, --device DEVICE  an index, a type (gpu, cpu), part of a name, or a part of a device "
    "(0:0/2.1);\n"
    "                       one alone\n"
    "      --seconds S      most that it may take (30); up to a third compares what was found\n"
    "                       once more\n"
    "      --json           one JSON object on stdout\n"
    "  -h, --help           print this\n"
    "\n"
    "Exit status: 0 done, whether or not anything was faster, 1 something failed, 2 the arguments "
    "are\n"
    "wrong, 130 interrupted: what was found before is kept.\n";

enum { OPT_SECONDS = 256, OPT_JSON };

static const struct option long_options[] = {
    {"file", required_argument, NULL, 'f'},
    {"device", required_argument, NULL, 'd'},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int add_argument(options *o, char *text)
{
    if (o->what == NULL && o->file == NULL) {
        o->what = text;
        return TOOL_OK;
    }
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0' || o->binding_count == MAX_INPUTS)
        return tool_usage("tune", "'%s' is not NAME=FILE.npy", text);
    o->bindings[o->binding_count++] = text;
    return TOOL_OK;
}

static int read_options(options *o, int argc, char **argv, bool *help)
{
    int status = TOOL_OK;
    *o = (options){.seconds = 30};
    optind = 1;
    while (status == TOOL_OK && optind < argc) {
        switch (getopt_long(argc, argv, "+f:d:h", long_options, NULL)) {
        case 'f':
            o->file = optarg;
            break;
        case 'd':
            o->device = optarg;
            break;
        case OPT_SECONDS:
            if (!tool_seconds(optarg, &o->seconds) || o->seconds <= 0)
                return tool_usage("tune", "--seconds cannot be '%s'", optarg);
            break;
        case OPT_JSON:
            o->json = true;
            break;
        case 'h':
            *help = true;
            return TOOL_OK;
        case -1:
            if (optind < argc)
                status = add_argument(o, argv[optind++]);
            break;
        default:
            (void)fputs("Try 'sinter tune --help'.\n", stderr);
            return TOOL_USAGE;
        }
    }
    if (status == TOOL_OK && o->what == NULL && o->file == NULL)
        return tool_usage("tune", "a workload or a program is missing");
    return status;
}

/* A program over arrays, as a job */

typedef struct program_job {
    sinter_program *program;
    npy_array arrays[MAX_INPUTS];
    size_t count;
} program_job;

typedef struct program_state {
    sinter_tensor inputs[MAX_INPUTS];
} program_state;

static sinter_status job_open(void *user, sinter_context *ctx, sinter_stream *stream, void **state)
{
    (void)ctx;
    const program_job *j = user;
    program_state *s = calloc(1, sizeof *s);
    *state = s;
    if (s == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < j->count; i++) {
        const npy_array *a = &j->arrays[i];
        sinter_status status =
            sinter_tensor_from_host(stream, a->dtype, a->rank, a->shape, a->data, &s->inputs[i]);
        if (status != SINTER_OK)
            return status;
    }
    return SINTER_OK;
}

static sinter_status job_run(void *user, void *state, sinter_stream *stream, sinter_tensor *results,
                             size_t room, size_t *count)
{
    const program_job *j = user;
    const program_state *s = state;
    (void)room; /* looked at before */
    *count = 0;
    sinter_status status = sinter_program_run(j->program, stream, s->inputs, results, NULL);
    if (status == SINTER_OK)
        *count = sinter_program_result_count(j->program);
    return status;
}

static void job_close(void *user, void *state, sinter_stream *stream)
{
    const program_job *j = user;
    program_state *s = state;
    for (size_t i = 0; s != NULL && i < j->count; i++)
        (void)sinter_tensor_release(stream, s->inputs[i]);
    free(s);
}

static const char *path_of(const options *o, const char *name)
{
    size_t bytes = strlen(name);
    for (size_t i = 0; i < o->binding_count; i++) {
        if (strncmp(o->bindings[i], name, bytes) == 0 && o->bindings[i][bytes] == '=')
            return o->bindings[i] + bytes + 1;
    }
    return NULL;
}

static int read_arrays(const options *o, program_job *j)
{
    char error[NPY_ERROR];
    size_t count = sinter_program_input_count(j->program);
    if (count > MAX_INPUTS || sinter_program_result_count(j->program) > MAX_RESULTS)
        return tool_failed("tune: a program of more than %d inputs or %d results", MAX_INPUTS,
                           MAX_RESULTS);
    if (o->binding_count > count)
        return tool_usage("tune", "%zu arrays, and the program reads %zu", o->binding_count, count);
    for (size_t i = 0; i < count; i++) {
        const char *name = sinter_program_input_name(j->program, i);
        const char *path = path_of(o, name);
        if (sinter_program_input_is_released(j->program, i))
            return tool_failed("tune: the program releases its input '%s'", name);
        if (path == NULL)
            return tool_usage("tune", "the program reads '%s': give %s=FILE.npy", name, name);
        if (!npy_read(path, &j->arrays[i], error))
            return tool_failed("%s", error);
        j->count = i + 1;
    }
    return TOOL_OK;
}

static int open_program(const options *o, program_job *j)
{
    size_t bytes = o->what != NULL ? strlen(o->what) : 0;
    char *text = o->what == NULL ? tool_read_text(o->file, MAX_TEXT, &bytes) : NULL;
    if (o->what == NULL && text == NULL)
        return TOOL_FAILED;
    sinter_status status =
        sinter_program_parse(text != NULL ? text : o->what, bytes, &j->program, NULL);
    free(text);
    if (status != SINTER_OK)
        return tool_failed(
            "tune: %s%s", sinter_last_error(),
            o->what != NULL ? "; and no workload of 'sinter bench --list' is called that" : "");
    return read_arrays(o, j);
}

static void close_program(program_job *j)
{
    for (size_t i = 0; i < j->count; i++)
        npy_free(&j->arrays[i]);
    sinter_program_destroy(j->program);
}

/* The search */

static bool tick(void *user, double done, const char *what)
{
    (void)user;
    tool_progress_of(done, what);
    return !tool_is_interrupted();
}

static void note(void *user, const char *line)
{
    (void)user;
    tool_progress_end();
    (void)fprintf(stderr, "sinter tune: %s\n", line);
}

/* `kept`: what was found is in a file, whose name is the profile's origin. */
static void print_result(const options *o, const sinter_profile *p, const sinter_tune_result *r,
                         bool kept)
{
    const char *before = kept ? "Written: " : "Not written";
    const char *where = kept ? sinter_profile_origin(p) : "";
    double gain =
        r->default_ns > 0 ? 100.0 * (1.0 - (double)r->tuned_ns / (double)r->default_ns) : 0;
    if (o->json) {
        printf("{\"kernels\": %u, \"tuned\": %u, \"regrouped\": %u, \"tried\": %u, "
               "\"refused\": %u, \"wrong\": %u, \"default_ns\": %llu, \"tuned_ns\": %llu, "
               "\"written\": ",
               r->kernels, r->tuned, r->regrouped, r->tried, r->refused, r->wrong,
               (unsigned long long)r->default_ns, (unsigned long long)r->tuned_ns);
        if (kept && r->tuned + r->regrouped > 0) {
            tool_json_string(stdout, sinter_profile_origin(p));
        } else {
            printf("null");
        }
        printf(", \"interrupted\": %s}\n", tool_is_interrupted() ? "true" : "false");
        return;
    }
    printf("%u kernels, %u schedules tried, %u refused by the driver\n", r->kernels, r->tried,
           r->refused);
    if (r->default_ns == 0 && r->tuned + r->regrouped == 0) {
        printf("interrupted: nothing was faster until then\n");
        return;
    }
    if (r->default_ns == 0) {
        printf("interrupted before all was compared once more: faster by schedules of %u kernels "
               "and %u numbers of grouping\n%s%s\n",
               r->tuned, r->regrouped, before, where);
        return;
    }
    if (r->tuned + r->regrouped == 0) {
        printf("nothing is faster beyond doubt: %.3f ms\n", (double)r->default_ns * 1e-6);
        return;
    }
    printf(
        "%.3f ms before, %.3f ms now (%.0f %% less), by schedules of %u kernels and %u numbers of "
        "grouping\n%s%s\n",
        (double)r->default_ns * 1e-6, (double)r->tuned_ns * 1e-6, gain, r->tuned, r->regrouped,
        before, where);
}

static int search(const options *o, const sinter_job *job)
{
    sinter_profile *p = NULL;
    sinter_measure_options m = SINTER_MEASURE_OPTIONS_INIT;
    sinter_tune_result r = SINTER_TUNE_RESULT_INIT;
    m.seconds = o->seconds;
    m.tick = tick;
    m.note = note;
    if (sinter_profile_open(o->device, &p) != SINTER_OK)
        return tool_library_failed("tune");
    tool_say_origin("tune", p);
    sinter_status status = sinter_profile_tune(p, job, &m, &r);
    tool_progress_end();
    bool found = r.tuned + r.regrouped > 0;
    int result = status == SINTER_OK ? TOOL_OK : tool_library_failed("tune");
    bool kept = result == TOOL_OK && (!found || sinter_profile_save(p) == SINTER_OK);
    if (result == TOOL_OK)
        print_result(o, p, &r, kept);
    if (result == TOOL_OK && !kept)
        result = tool_library_failed("tune");
    if (result == TOOL_OK && r.wrong > 0)
        result =
            tool_failed("tune: %u schedules gave other bits; 'sinter selftest' says more", r.wrong);
    sinter_profile_destroy(p);
    return result;
}

static int tune_program(const options *o)
{
    program_job j = {.program = NULL};
    int status = open_program(o, &j);
    if (status == TOOL_OK) {
        const sinter_job job = {.size = sizeof job,
                                .name = o->file != NULL ? o->file : "program",
                                .open = job_open,
                                .run = job_run,
                                .close = job_close,
                                .user = &j};
        status = search(o, &job);
    }
    close_program(&j);
    return status;
}

static int tune(const options *o)
{
#ifdef SINTER_HAS_BENCH
    sinter_job job;
    if (o->file == NULL && o->binding_count == 0 && bench_job_open(o->what, &job)) {
        int status = search(o, &job);
        bench_job_close(&job);
        return status;
    }
#endif
    return tune_program(o);
}

int tool_tune(int argc, char **argv)
{
    options o;
    bool help = false;
    int status = read_options(&o, argc, argv, &help);
    if (status != TOOL_OK)
        return status;
    if (help) {
        (void)fputs(help_text, stdout);
        return tool_flush();
    }
    tool_unset_switches("tune");
    tool_catch_interrupt();
    status = tune(&o);
    if (status == TOOL_OK)
        status = tool_flush();
    return status == TOOL_OK && tool_is_interrupted() ? TOOL_INTERRUPTED : status;
}
