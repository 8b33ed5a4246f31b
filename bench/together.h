/* `sinter bench --device LIST`: each workload on each of several devices alone, and on all of them together. */
#ifndef SINTER_BENCH_TOGETHER_H
#define SINTER_BENCH_TOGETHER_H

#include "bench/options.h"

#define BENCH_DEVICES_TEXT 1024

/* Every device of every platform, as a list for sinter_context_options; without any, the host reference device.
 * false after saying on stderr what failed. */
bool bench_together_all(char text[BENCH_DEVICES_TEXT]);

/* Measures on the devices of o->device and prints; false after saying on stderr what failed. */
bool bench_together_run(const bench_options *o);

#endif /* SINTER_BENCH_TOGETHER_H */
