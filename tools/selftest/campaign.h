/* Campaigns: many random programs, each run in several ways on a device and compared with the host
 * reference device, where nothing is fused. */
#ifndef SINTER_TOOLS_SELFTEST_CAMPAIGN_H
#define SINTER_TOOLS_SELFTEST_CAMPAIGN_H

#include "selftest/program.h"

typedef struct st_campaign {
    const char *device; /* NULL: SINTER_DEVICE */
    const char *ways;   /* names separated by commas; NULL: st_default_ways */
    uint64_t first_seed;
    int count;
    int batch;        /* programs planned and built together */
    st_limits limits; /* f64 is set by the device */
    bool keeps_going; /* after a program that differs, which is not made small then */
    bool quiet;       /* no progress on stderr */
    const char *save; /* folder for a failing program and its inputs */
} st_campaign;

extern const char st_default_ways[];

/* Prints the names of the ways, one per line, with what they are. */
void st_print_ways(FILE *to);

/* Runs the campaign; prints the verdict on stdout. 0: no difference; 1: a difference or a failure;
 * 2: bad options. */
int st_run_campaign(const st_campaign *options);

#endif /* SINTER_TOOLS_SELFTEST_CAMPAIGN_H */
