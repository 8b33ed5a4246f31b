/* What is printed: header, table, JSON, progress. */
#ifndef SINTER_BENCH_REPORT_H
#define SINTER_BENCH_REPORT_H

#include "bench/bandwidth.h"
#include "bench/case.h"

void bench_print_header(const bench_options *o, const sinter_device_info *device,
                        const bench_bandwidth *copy, const bench_bandwidth *read, bool has_hand);

/* The rows of a result, as lines of the table. */
void bench_print_result(const bench_result *r);

/* The rows of a result, as one JSON object each. */
void bench_print_json(const bench_result *r, const sinter_device_info *device);

/* What is said below the table. */
void bench_print_footer(void);

/* A bar on stderr where that is a terminal. */
typedef struct bench_progress {
    bool is_on;
    size_t index;
    size_t count;
    char label[BENCH_LABEL];
    int last; /* step of the bar that is shown */
} bench_progress;

void bench_progress_tick(void *progress, double done);
void bench_progress_clear(const bench_progress *p);

#endif /* SINTER_BENCH_REPORT_H */
