/* `sinter bench --streams`: the same work on several streams at once, beside one of them alone. */
#ifndef SINTER_BENCH_STREAMS_H
#define SINTER_BENCH_STREAMS_H

#include "bench/options.h"

/* Measures and prints; false after saying on stderr what failed. */
bool bench_streams_run(const bench_options *o);

#endif /* SINTER_BENCH_STREAMS_H */
