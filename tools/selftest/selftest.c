/* `sinter selftest`: random programs on the user's own device, each run in several ways and compared
 * with the host reference device, bit for bit. */
#include "common.h"
#include "selftest/campaign.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help_text[] =
    "usage: sinter selftest [OPTION ...]\n"
    "\n"
    "Runs random programs on a device in several ways (fused, unfused, in both styles, ...) and\n"
    "compares every result, bit for bit, with the host reference device, where nothing is fused.\n"
    "A program that differs is made small, printed, and saved so that `sinter eval` runs it.\n"
    "\n"
    "  -d, --device DEVICE   an index, a type (gpu, cpu, host) or part of a name; or several with\n"
    "                        commas between, of which the way `streams` uses each\n"
    "  -n, --count N         how many programs (64)\n"
    "  -s, --seed N          the first one's number (1); the same number is the same program\n"
    "  -w, --ways A,B,...    how each is run; --list tells which ways there are\n"
    "  -b, --batch N         programs planned and built together (16)\n"
    "      --steps N         operations of a program, about (10)\n"
    "      --elements N      most elements of a tensor (2000)\n"
    "      --save FOLDER     where a program that differs is saved (.)\n"
    "  -k, --keep-going      go on after a program that differs, which is not made small then\n"
    "      --list            print the ways\n"
    "  -q, --quiet           no progress bar\n"
    "  -h, --help            print this\n"
    "\n"
    "Exit status: 0 the same bits every time, 1 a difference or a failure, 2 the arguments are\n"
    "wrong.\n"
    "\n"
    "  sinter selftest --device gpu --count 500\n";

enum { OPT_STEPS = 256, OPT_ELEMENTS, OPT_SAVE, OPT_LIST };

static const struct option long_options[] = {
    {"device", required_argument, NULL, 'd'},
    {"count", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},
    {"ways", required_argument, NULL, 'w'},
    {"batch", required_argument, NULL, 'b'},
    {"steps", required_argument, NULL, OPT_STEPS},
    {"elements", required_argument, NULL, OPT_ELEMENTS},
    {"save", required_argument, NULL, OPT_SAVE},
    {"keep-going", no_argument, NULL, 'k'},
    {"list", no_argument, NULL, OPT_LIST},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int set_number(const char *option, long high, long *out)
{
    if (tool_number(optarg, 1, high, out))
        return TOOL_OK;
    return tool_usage("selftest", "--%s cannot be '%s'", option, optarg);
}

static int set_seed(uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(optarg, &end, 10);
    if (end != optarg && *end == '\0' && errno == 0 && optarg[0] != '-')
        return TOOL_OK;
    return tool_usage("selftest", "--seed cannot be '%s'", optarg);
}

static int set_count(st_campaign *c, int which)
{
    long number = 0;
    int status = TOOL_OK;
    switch (which) {
    case 'n':
        status = set_number("count", 1000000000, &number);
        c->count = (int)number;
        return status;
    case 'b':
        status = set_number("batch", 1024, &number);
        c->batch = (int)number;
        return status;
    case OPT_STEPS:
        status = set_number("steps", ST_MAX_STEPS, &number);
        c->limits.steps = (int)number;
        return status;
    default:
        status = set_number("elements", 1 << 24, &number);
        c->limits.elements = number;
        return status;
    }
}

static int set_option(st_campaign *c, int which)
{
    switch (which) {
    case 'd':
        c->device = optarg;
        return TOOL_OK;
    case 's':
        return set_seed(&c->first_seed);
    case 'w':
        c->ways = optarg;
        return TOOL_OK;
    case OPT_SAVE:
        c->save = optarg;
        return TOOL_OK;
    case 'k':
        c->keeps_going = true;
        return TOOL_OK;
    case 'q':
        c->quiet = true;
        return TOOL_OK;
    case 'n':
    case 'b':
    case OPT_STEPS:
    case OPT_ELEMENTS:
        return set_count(c, which);
    default:
        (void)fputs("Try 'sinter selftest --help'.\n", stderr);
        return TOOL_USAGE;
    }
}

int tool_selftest(int argc, char **argv)
{
    st_campaign c = {.first_seed = 1,
                     .count = 64,
                     .batch = 16,
                     .limits = {.steps = 10, .elements = 2000},
                     .save = "."};
    int which;
    optind = 1;
    while ((which = getopt_long(argc, argv, "d:n:s:w:b:kqh", long_options, NULL)) != -1) {
        if (which == 'h') {
            (void)fputs(help_text, stdout);
            return tool_flush();
        }
        if (which == OPT_LIST) {
            st_print_ways(stdout);
            return tool_flush();
        }
        int status = set_option(&c, which);
        if (status != TOOL_OK)
            return status;
    }
    if (optind < argc)
        return tool_usage("selftest", "'%s' is no option", argv[optind]);
    int status = st_run_campaign(&c);
    return status == TOOL_OK ? tool_flush() : status;
}
