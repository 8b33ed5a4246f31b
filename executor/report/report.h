/* The fusion report and the log lines about segments: what ran, why, and what it moved. */
#ifndef SINTER_EXECUTOR_REPORT_H
#define SINTER_EXECUTOR_REPORT_H

#include "executor/run/instance.h"

/* Notes a segment that is about to run, in the stream's report if there is one and in the log. */
void sinter__report_segment(sinter_stream *s, const sinter__graph *g, sinter__instance *in,
                            sinter__cut why, bool hit);

/* Operations of a group in order: "mul, add, gelu". */
void sinter__report_operations(sinter__buffer *b, const sinter__graph *g,
                               const sinter__group *group);

/* Where everything lies, after the segment has run and before its instance is released. */
void sinter__report_places(sinter_stream *s, const sinter__graph *g, const sinter__instance *in);

/* While the stream has a report: whether it wants the times of the instance's launches. */
bool sinter__report_times(const sinter_stream *s, const sinter__instance *in);

/* A launch of a group of that instance: its event, or NULL when it was done at once, begun at
 * `start_ns`. */
void sinter__report_launched(sinter_stream *s, uint16_t group, void *event, uint64_t start_ns);

/* Everything launched is done. */
void sinter__report_settle(sinter_stream *s);

/* A line about what happens while a segment is bound or runs, in the report and in the log. */
void sinter__report_line(sinter_stream *s, sinter__log_level level, const char *format, ...)
    SINTER__PRINTF(3, 4);

void sinter__report_destroy(sinter_stream *s);

#endif /* SINTER_EXECUTOR_REPORT_H */
