/* The entry of `sinter bench`, for the command-line program. */
#ifndef SINTER_BENCH_BENCH_H
#define SINTER_BENCH_BENCH_H

#include <sinter/sinter.h>

/* What writes the file of --trace: it is the command's. */
typedef struct bench_tracer {
    struct tool_trace *(*open)(const char *path);
    /* for a context that is to be made */
    bool (*context)(struct tool_trace *t, const char *name, sinter_context_options *options);
    bool (*close)(struct tool_trace *t);
} bench_tracer;

/* Reads a file of requests for --plan: an array to be freed, or NULL after a message on stderr. */
typedef sinter_plan_request *(*bench_plan_reader)(const char *path, size_t *count);

/* Runs the benchmark with the arguments behind the subcommand's name; argv[0] is passed over.
 * Writes to stdout and stderr. Returns the exit status: 0 done, 1 something failed or results
 * differ, 2 the arguments are wrong. */
int sinter_bench_main(int argc, char **argv, const bench_tracer *tracer,
                      bench_plan_reader read_plan);

/* The workload called `label` (as chain-8/1Mi, or chain-8 for the size of --quick) as a job for
 * sinter_profile_tune; false when there is none, or no memory. */
bool bench_job_open(const char *label, sinter_job *out);
void bench_job_close(sinter_job *out);

#endif /* SINTER_BENCH_BENCH_H */
