/* `sinter bench --plan`: the planner of memory, by strategy, on instances of its own or on files. */
#ifndef SINTER_BENCH_PLAN_H
#define SINTER_BENCH_PLAN_H

#include "bench/options.h"

/* Measures and prints; `read` for the files of --folder. false after saying on stderr what failed. */
bool bench_plan_run(const bench_options *o, bench_plan_reader read);

#endif /* SINTER_BENCH_PLAN_H */
