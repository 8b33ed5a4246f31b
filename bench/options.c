#include "bench/options.h"

#include "bench/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "usage: sinter bench [OPTION ...]\n"
    "\n"
    "Measures what fusion wins on a device: each workload fused, unfused, and as OpenCL kernels\n"
    "written by hand. The results are compared before anything is timed.\n"
    "\n"
    "  --filter TEXT   only workloads whose name/size contains TEXT; may be given several times\n"
    "  --device D      an index, \"0:1\", cpu, gpu, host, or part of a name (default: "
    "SINTER_DEVICE);\n"
    "                  several with commas, 0:0/2 for two halves, or all: each alone and all\n"
    "                  together, in the place of what fusion wins\n"
    "  --sweep         with several devices: the best of fixed splits beside the one that is "
    "found\n"
    "  --style S       cpu or gpu: how sinter shapes its kernels (default: by the device)\n"
    "  --mode M        reproducible (the default), native or relaxed: what sinter's results mean\n"
    "  --seconds S     time spent on each workload and size (default 0.8; --quick 0.1)\n"
    "  --quick         one small size of each workload, few repetitions\n"
    "  --large         the sizes that a fast GPU is not done with before a launch has begun, some\n"
    "                  of 4 GiB in all, in the place of the others\n"
    "  --math          each function of the math library against the driver's own, instead\n"
    "  --replay        what queueing, recognising and launching cost on replay, instead\n"
    "  --plan          the planner of memory by strategy, on instances of its own, instead\n"
    "  --folder DIR    with --plan: on the files DIR/*.csv (as of sinter plan)\n"
    "  --streams       the same work on several streams at once, beside one alone, instead; on\n"
    "                  --device 0:0/2 unless a list is given\n"
    "  --startup       the time to the first result of a process, with and without compiled "
    "programs\n"
    "                  that are kept, instead\n"
    "  --variants      a line for each hand-written variant, not only for the fastest\n"
    "  --report        the fusion report of each workload below its lines\n"
    "  --trace FILE    write what took how long in sinter, for Perfetto or chrome://tracing\n"
    "  --json          one object per line\n"
    "  --list          the workloads and sizes, and nothing else\n"
    "  --help          this text\n"
    "\n"
    "Exit status: 0 done, 1 something failed or results differ, 2 wrong arguments.\n";

void bench_options_help(void)
{
    (void)fputs(help_text, stdout);
}

static bool wrong(const char *text, const char *argument)
{
    (void)fprintf(stderr, "sinter bench: %s%s; --help lists the options\n", text, argument);
    return false;
}

static bool read_seconds(bench_options *o, const char *text)
{
    char *end = NULL;
    o->seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(o->seconds > 0.0) || o->seconds > 3600.0)
        return wrong("--seconds wants a number over 0 and up to 3600, not ", text);
    return true;
}

static bool read_style(bench_options *o, const char *text)
{
    o->style = strcmp(text, "cpu") == 0   ? SINTER_STYLE_CPU
               : strcmp(text, "gpu") == 0 ? SINTER_STYLE_GPU
                                          : SINTER_STYLE_AUTO;
    return o->style != SINTER_STYLE_AUTO || wrong("--style is cpu or gpu, not ", text);
}

static bool read_mode(bench_options *o, const char *text)
{
    static const char *const modes[] = {"reproducible", "native", "relaxed"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, modes[i]) == 0) {
            o->mode = (sinter_mode)(i + SINTER_MODE_REPRODUCIBLE);
            return true;
        }
    }
    return wrong("--mode is reproducible, native or relaxed, not ", text);
}

static bool add_filter(bench_options *o, const char *text)
{
    if (o->filter_count == BENCH_MAX_FILTERS)
        return wrong("too many filters at ", text);
    o->filters[o->filter_count++] = text;
    return true;
}

static bool read_flag(bench_options *o, const char *name)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--quick", &o->quick},       {"--large", &o->large},
                 {"--json", &o->json},         {"--list", &o->list},
                 {"--variants", &o->variants}, {"--math", &o->math},
                 {"--replay", &o->replay},     {"--startup", &o->startup},
                 {"--report", &o->report},     {"--plan", &o->plan},
                 {"--streams", &o->streams},   {"--sweep", &o->sweep},
                 {"--help", &o->help},         {"-h", &o->help}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].flag = true;
    }
    return false;
}

static bool read_value(bench_options *o, const char *name, size_t bytes, const char *text)
{
    if (strncmp(name, "--filter", bytes) == 0 && bytes == 8)
        return add_filter(o, text);
    if (strncmp(name, "--device", bytes) == 0 && bytes == 8) {
        o->device = text;
        return true;
    }
    if (strncmp(name, "--style", bytes) == 0 && bytes == 7)
        return read_style(o, text);
    if (strncmp(name, "--mode", bytes) == 0 && bytes == 6)
        return read_mode(o, text);
    if (strncmp(name, "--trace", bytes) == 0 && bytes == 7) {
        o->trace = text;
        return true;
    }
    if (strncmp(name, "--folder", bytes) == 0 && bytes == 8) {
        o->folder = text;
        return true;
    }
    if (strncmp(name, "--seconds", bytes) == 0 && bytes == 9)
        return read_seconds(o, text);
    return wrong("unknown option ", name);
}

static bool takes_value(const char *name, size_t bytes)
{
    static const char *const names[] = {"--filter",  "--device", "--style", "--mode",
                                        "--seconds", "--trace",  "--folder"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == bytes && strncmp(name, names[i], bytes) == 0)
            return true;
    }
    return false;
}

/* Whether the options go together. */
static bool check_together(const bench_options *o)
{
    if (o->large && o->quick)
        return wrong("--large has no sizes for --quick", "");
    if (o->json && o->startup)
        return wrong("--startup has no --json form", "");
    if (o->json && o->variants)
        return wrong("--variants has no --json form", "");
    if (o->folder != NULL && !o->plan)
        return wrong("--folder goes with --plan", "");
    if (o->report && (o->json || o->startup || o->replay || o->plan))
        return wrong("--report goes with the table of workloads and --math", "");
    if (o->streams && (o->startup || o->replay || o->plan || o->math || o->variants || o->report))
        return wrong("--streams goes with workloads", "");
    if (o->sweep && (o->streams || o->startup || o->replay || o->plan || o->math))
        return wrong("--sweep goes with workloads on several devices", "");
    if (o->trace != NULL && (o->startup || o->replay || o->plan || o->list || o->streams))
        return wrong("--trace goes with workloads and --math", "");
    return true;
}

bool bench_options_read(bench_options *o, int argc, char **argv)
{
    *o = (bench_options){.style = SINTER_STYLE_AUTO, .mode = SINTER_MODE_REPRODUCIBLE};
    for (int i = 1; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        size_t bytes = equals != NULL ? (size_t)(equals - argv[i]) : strlen(argv[i]);
        if (read_flag(o, argv[i]))
            continue;
        if (!takes_value(argv[i], bytes))
            return wrong("unknown option ", argv[i]);
        if (equals == NULL && i + 1 == argc)
            return wrong("a value is missing behind ", argv[i]);
        const char *name = argv[i];
        if (!read_value(o, name, bytes, equals != NULL ? equals + 1 : argv[++i]))
            return false;
    }
    if (!check_together(o))
        return false;
    o->variants = o->variants || (o->math && !o->json);
    if (o->seconds == 0.0)
        o->seconds = o->quick ? 0.1 : 0.8;
    o->least = o->quick ? 3 : 7;
    return true;
}

bool bench_options_want(const bench_options *o, const bench_workload *w, int size)
{
    char label[BENCH_LABEL];
    bool is_large = size > 0 && size == w->large;
    if (w->sizes[size].label == NULL || is_large != o->large || (o->quick && size != w->quick))
        return false;
    bench_label(w, &w->sizes[size], label);
    return bench_options_match(o, label);
}

bool bench_options_want_some(const bench_options *o, const bench_workload *w, int size,
                             const char *const *names, size_t count)
{
    char label[BENCH_LABEL];
    if (!bench_options_want(o, w, size) || o->filter_count > 0 || o->quick)
        return bench_options_want(o, w, size);
    bench_label(w, &w->sizes[size], label);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], label) == 0)
            return true;
    }
    return false;
}

bool bench_options_match(const bench_options *o, const char *label)
{
    for (size_t i = 0; i < o->filter_count; i++) {
        if (strstr(label, o->filters[i]) != NULL)
            return true;
    }
    return o->filter_count == 0;
}
