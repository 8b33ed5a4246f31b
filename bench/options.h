/* The command line of `sinter bench`. */
#ifndef SINTER_BENCH_OPTIONS_H
#define SINTER_BENCH_OPTIONS_H

#include "bench/bench.h"
#include "bench/workload.h"

#define BENCH_MAX_FILTERS 16

typedef struct bench_options {
    const char *filters[BENCH_MAX_FILTERS]; /* none: everything */
    size_t filter_count;
    const char *device; /* NULL: the default */
    sinter_style style;
    sinter_mode mode;
    double seconds; /* of timing per workload and size */
    size_t least;   /* repetitions of a variant at least */
    bool quick;
    bool large; /* sizes of its own, in the place of the others */
    bool json;
    bool list;
    bool math;          /* the functions of the math library instead */
    bool replay;        /* what replaying costs, instead of the workloads */
    bool plan;          /* the planner of memory, instead of the workloads */
    const char *folder; /* of files for it; NULL: instances of its own */
    bool streams;       /* several streams at once, instead of what fusion wins */
    bool sweep;         /* of several devices: the best of fixed splits as well */
    bool startup;       /* what the start of a process costs, instead of the workloads */
    bool variants;      /* every hand-written variant, not only the fastest */
    bool report;        /* the fusion report of each workload */
    const char *trace;  /* the file of a trace; NULL: none */
    const bench_tracer *tracer;
    struct tool_trace *trace_file; /* while it is open */
    bool help;
} bench_options;

/* Reads the arguments behind argv[0]; false after saying on stderr what is wrong. */
bool bench_options_read(bench_options *o, int argc, char **argv);

void bench_options_help(void);

/* Whether a workload is wanted at a size. */
bool bench_options_want(const bench_options *o, const bench_workload *w, int size);

/* The same; without a filter and --quick only those of these names. */
bool bench_options_want_some(const bench_options *o, const bench_workload *w, int size,
                             const char *const *names, size_t count);

/* Whether a label is wanted. */
bool bench_options_match(const bench_options *o, const char *label);

#endif /* SINTER_BENCH_OPTIONS_H */
