/* `sinter doctor`: what there is, what a device computes, how fast it is, and which schedules suit it. */
#include "common.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *device;
    bool json;
    bool no_write;
    double seconds;
} options;

static const char help_text[] =
    "usage: sinter doctor [OPTION ...]\n"
    "\n"
    "Lists the devices and why a driver gives none, then asks one device what it computes "
    "exactly,\n"
    "measures its bandwidths, the costs of launches and operations, and the schedules that suit "
    "it,\n"
    "and writes the profile that contexts on the device take from then on.\n"
    "\n"
    "  -d, --device DEVICE  an index, a type (gpu, cpu, host), part of a name, or a part of a "
    "device\n"
    "                       (0:0/2.1); one alone\n"
    "      --seconds S      most that it may take (8.5); 0: nothing is measured\n"
    "      --no-write       do not write the profile\n"
    "      --json           one JSON object on stdout\n"
    "  -h, --help           print this\n"
    "\n"
    "Exit status: 0 done, 1 something failed, 2 the arguments are wrong, 130 interrupted: what "
    "was\n"
    "measured before is in the profile.\n";

enum { OPT_SECONDS = 256, OPT_NO_WRITE, OPT_JSON };

static const struct option long_options[] = {
    {"device", required_argument, NULL, 'd'},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"no-write", no_argument, NULL, OPT_NO_WRITE},
    {"json", no_argument, NULL, OPT_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int read_options(options *o, int argc, char **argv, bool *help)
{
    *o = (options){.seconds = 8.5};
    optind = 1;
    for (;;) {
        switch (getopt_long(argc, argv, "d:h", long_options, NULL)) {
        case 'd':
            o->device = optarg;
            break;
        case OPT_SECONDS:
            if (!tool_seconds(optarg, &o->seconds))
                return tool_usage("doctor", "--seconds cannot be '%s'", optarg);
            break;
        case OPT_NO_WRITE:
            o->no_write = true;
            break;
        case OPT_JSON:
            o->json = true;
            break;
        case 'h':
            *help = true;
            return TOOL_OK;
        case -1:
            if (optind < argc)
                return tool_usage("doctor", "'%s' is no option", argv[optind]);
            return TOOL_OK;
        default:
            (void)fputs("Try 'sinter doctor --help'.\n", stderr);
            return TOOL_USAGE;
        }
    }
}

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
    (void)fprintf(stderr, "sinter doctor: %s\n", line);
}

static void write_text(void *user, const char *text, size_t bytes)
{
    (void)fwrite(text, 1, bytes, user);
}

/* The clauses as a context on the device has them, by what was found. */
static int find_clauses(const options *o, const sinter_profile *p, uint32_t *clauses)
{
    sinter_context_options c = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    c.device = o->device;
    c.profile = p;
    if (sinter_context_create(&c, &ctx) != SINTER_OK)
        return tool_library_failed("doctor");
    *clauses = sinter_context_void_clauses(ctx);
    (void)sinter_context_destroy(ctx);
    return TOOL_OK;
}

/* `kept`: the profile is in a file, whose name is its origin. */
static int print_json(const sinter_device_info *list, size_t count, const sinter_profile *p,
                      uint32_t clauses, bool kept)
{
    printf("{\"devices\": ");
    tool_print_devices_json(list, count);
    printf(",\n \"profile\": ");
    if (!tool_print_profile_json(p))
        return tool_failed("doctor: no memory");
    printf(",\n \"context_void_clauses\": %u, \"written\": ", (unsigned)clauses);
    if (kept) {
        tool_json_string(stdout, sinter_profile_origin(p));
    } else {
        printf("null");
    }
    printf(", \"interrupted\": %s}\n", tool_is_interrupted() ? "true" : "false");
    return TOOL_OK;
}

static int print_text(const sinter_profile *p, uint32_t clauses, bool kept)
{
    printf("\n");
    if (sinter_profile_write(p, write_text, stdout) != SINTER_OK)
        return tool_library_failed("doctor");
    printf("\n%s\n", clauses == 0 ? "Results are the same bits as on every other device."
                                  : "The promise of the same bits does not hold here:");
    tool_print_clauses(clauses);
    if (kept)
        printf("Written: %s\n%s", sinter_profile_origin(p),
               getenv("SINTER_PROFILE") != NULL ? "Contexts here take what SINTER_PROFILE says.\n"
                                                : "");
    return TOOL_OK;
}

static int measure(const options *o, sinter_profile *p)
{
    sinter_measure_options m = SINTER_MEASURE_OPTIONS_INIT;
    m.seconds = o->seconds;
    m.tick = tick;
    m.note = note;
    if (o->seconds > 0) {
        sinter_status status = sinter_profile_measure(p, &m);
        tool_progress_end();
        if (status != SINTER_OK)
            return tool_library_failed("doctor");
    }
    return TOOL_OK;
}

static int examine(const options *o, const sinter_device_info *list, size_t count)
{
    sinter_profile *p = NULL;
    uint32_t clauses = 0;
    if (sinter_profile_open(o->device, &p) != SINTER_OK)
        return tool_library_failed("doctor");
    tool_say_origin("doctor", p);
    int status = measure(o, p);
    if (status == TOOL_OK)
        status = find_clauses(o, p, &clauses);
    if (status == TOOL_OK) { /* what was measured is printed also where it cannot be kept */
        bool kept = !o->no_write && sinter_profile_save(p) == SINTER_OK;
        int saved = kept || o->no_write ? TOOL_OK : tool_library_failed("doctor");
        status = o->json ? print_json(list, count, p, clauses, kept) : print_text(p, clauses, kept);
        status = status == TOOL_OK ? saved : status;
    }
    sinter_profile_destroy(p);
    return status;
}

int tool_doctor(int argc, char **argv)
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
    size_t count = 0;
    sinter_device_info *list = tool_list_devices(&count);
    if (list == NULL)
        return TOOL_FAILED;
    if (!o.json)
        tool_print_devices(list, count);
    tool_unset_switches("doctor");
    tool_catch_interrupt();
    status = examine(&o, list, count);
    free(list);
    if (status == TOOL_OK)
        status = tool_flush();
    return status == TOOL_OK && tool_is_interrupted() ? TOOL_INTERRUPTED : status;
}
