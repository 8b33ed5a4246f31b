/* The fusion report and the log lines about segments: what ran, why, and what it moved. */
#ifndef SINTER_EXECUTOR_REPORT_H
#define SINTER_EXECUTOR_REPORT_H

#include "executor/instance.h"

/* Notes a segment that is about to run, in the stream's report if there is one and in the log. */
void sinter__report_segment(sinter_stream *s, const sinter__graph *g, const sinter__instance *in,
                            sinter__cut why, bool hit);

void sinter__report_destroy(sinter_stream *s);

#endif /* SINTER_EXECUTOR_REPORT_H */
