/* The `sinter` command: a table of subcommands. */
#include "common.h"

#ifdef SINTER_HAS_BENCH
#    include "bench/bench.h"
#    include "instance.h"
#    include "trace.h"
#endif

#include <stdlib.h>
#include <string.h>

#ifdef SINTER_HAS_BENCH
static int run_bench(int argc, char **argv)
{
    static const bench_tracer tracer = {
        .open = tool_trace_open, .context = tool_trace_context, .close = tool_trace_close};
    return sinter_bench_main(argc, argv, &tracer, tool_instance_requests);
}
#endif

static const struct {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    bool measures;
} commands[] = {
    {"eval", "run a program over .npy arrays", tool_eval, false},
    {"devices", "list the devices, and why a platform has none", tool_devices, false},
    {"doctor", "measure a device, check its arithmetic, write its profile", tool_doctor, true},
    {"tune", "search the schedules of a program, and keep what is faster", tool_tune, true},
    {"plan", "place requests for memory at offsets", tool_plan, false},
    {"cache", "list, verify or clear the compiled programs that are kept", tool_cache, false},
    {"selftest", "check on a device that every way of running gives the same bits", tool_selftest,
     false},
#ifdef SINTER_HAS_BENCH
    {"bench", "measure what fusion wins on a device", run_bench, true},
#endif
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static void help(FILE *to)
{
    (void)fputs("usage: sinter COMMAND [ARGUMENT ...]\n\n", to);
    for (size_t i = 0; i < COMMANDS; i++)
        (void)fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    (void)fputs("\n'sinter COMMAND --help' says more of a command.\n"
                "The environment variable SINTER_DEVICE chooses the device where no option does.\n",
                to);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--version") == 0) {
        printf("sinter %d.%d.%d\n", SINTER_VERSION_MAJOR, SINTER_VERSION_MINOR,
               SINTER_VERSION_PATCH);
        return tool_flush();
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help(stdout);
        return tool_flush();
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        char full[32]; /* under this name getopt complains */
        (void)snprintf(full, sizeof full, "sinter %s", name);
        argv[1] = full;
        /* both threads of PoCL on one processor take twice as long: docs/decisions/pinned-threads.md */
        if (commands[i].measures)
            (void)setenv("POCL_AFFINITY", "1", 0);
        return commands[i].run(argc - 1, argv + 1);
    }
    if (argc > 1)
        (void)fprintf(stderr, "sinter: no command is called '%s'\n\n", name);
    help(stderr);
    return TOOL_USAGE;
}
