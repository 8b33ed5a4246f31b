/* `sinter bench --replay`: what a program costs that has run before, beside the work itself. */
#ifndef SINTER_BENCH_REPLAY_H
#define SINTER_BENCH_REPLAY_H

#include "bench/opencl.h"
#include "bench/options.h"

/* Measures and prints; `cl` NULL: without the launches, which want OpenCL. false after saying on
 * stderr what failed. */
bool bench_replay_run(const bench_options *o, bench_cl *cl, const sinter_device_info *device);

#endif /* SINTER_BENCH_REPLAY_H */
