/* One workload at one size: data, comparison, timing. */
#ifndef SINTER_BENCH_CASE_H
#define SINTER_BENCH_CASE_H

#include "bench/measure.h"
#include "bench/opencl.h"
#include "bench/options.h"
#include "bench/text.h"
#include "bench/workload.h"

#define BENCH_MAX_ROWS (2 + BENCH_MAX_VARIANTS)

/* A variant as measured. */
typedef struct bench_row {
    const char
        *variant; /* "fused", "unfused", "handwritten"; "same": by hand, with sinter's meaning */
    const char *detail; /* which of the hand-written ones; "" */
    uint64_t launches;  /* of one repetition in the steady state */
    uint64_t bytes_moved;
    bench_times times;
    double compile_ms; /* the first run minus the median */
} bench_row;

typedef struct bench_result {
    const bench_workload *workload;
    const bench_size *size;
    int64_t elements; /* of the first output; of the first input for a sum */
    uint64_t bytes_bound;
    double copy_seconds; /* of a copy that reads half as many bytes and writes half */
    double read_seconds; /* of reading as many; 0: the workload writes as well */
    bench_row rows[BENCH_MAX_ROWS];
    size_t row_count;
    sinter_mode mode;
    bench_text report; /* of the fused variant, where it is wanted */
} bench_result;

/* `cl` NULL: without hand-written variants. false after saying on stderr what failed or differs. */
bool bench_case_run(const bench_options *o, bench_cl *cl, const char *device,
                    const bench_workload *w, const bench_size *size, bench_watch watch,
                    bench_result *out);

/* "chain-8/4Mi" */
#define BENCH_LABEL 64
void bench_label(const bench_workload *w, const bench_size *size, char label[BENCH_LABEL]);

#endif /* SINTER_BENCH_CASE_H */
