/* The campaign as a program of its own, for tests and long runs. */
#include "selftest/campaign.h"

#include <stdlib.h>
#include <string.h>

static void usage(void)
{
    printf("usage: campaign [--device D] [--ways A,B,...] [--seed N] [--count N] [--batch N] "
           "[--steps N]\n"
           "                [--elements N] [--save FOLDER] [--quiet] [--list]\n");
}

/* Sets the option `name`; false when there is none of that name. */
static bool set_option(st_campaign *c, const char *name, const char *value)
{
    if (strcmp(name, "--device") == 0)
        c->device = value;
    else if (strcmp(name, "--ways") == 0)
        c->ways = value;
    else if (strcmp(name, "--seed") == 0)
        c->first_seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--count") == 0)
        c->count = atoi(value);
    else if (strcmp(name, "--batch") == 0)
        c->batch = atoi(value);
    else if (strcmp(name, "--steps") == 0)
        c->limits.steps = atoi(value);
    else if (strcmp(name, "--elements") == 0)
        c->limits.elements = atoi(value);
    else if (strcmp(name, "--save") == 0)
        c->save = value;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    st_campaign c = {
        .first_seed = 1, .count = 100, .batch = 1, .limits = {.steps = 10, .elements = 2000}};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0) {
            st_print_ways(stdout);
            return 0;
        }
        if (strcmp(argv[i], "--quiet") == 0) {
            c.quiet = true;
        } else if (i + 1 == argc || !set_option(&c, argv[i], argv[i + 1])) {
            usage();
            return 2;
        } else {
            i++;
        }
    }
    if (c.count < 1 || c.batch < 1 || c.limits.steps < 1 || c.limits.elements < 1) {
        usage();
        return 2;
    }
    return st_run_campaign(&c);
}
