/* `sinter bench --startup`: from nothing to the first result, in processes of their own. */
#ifndef SINTER_BENCH_STARTUP_H
#define SINTER_BENCH_STARTUP_H

#include "bench/options.h"

/* Measures and prints. No OpenCL library may have been loaded: the children are copies of this
 * process. false after saying on stderr what failed. */
bool bench_startup_run(const bench_options *o);

#endif /* SINTER_BENCH_STARTUP_H */
