/* `sinter bench --plan`: what a new binding of a schema costs, whose sizes are expressions. */
#ifndef SINTER_BENCH_BINDING_H
#define SINTER_BENCH_BINDING_H

#include "bench/options.h"

/* Measures and prints; false after saying on stderr what failed. */
bool bench_binding_run(const bench_options *o);

#endif /* SINTER_BENCH_BINDING_H */
