/* How long a stretch of a stream's launches takes, from the first to the last, by the device's clock. The host
 * waits for nothing: the times are asked for when the device has come to a mark behind them. Where the device has
 * none it is the host's clock, if somebody polls. */
#ifndef SINTER_EXECUTOR_SPAN_H
#define SINTER_EXECUTOR_SPAN_H

#include "executor/context/edge.h"

typedef struct sinter__span {
    void *first, *last; /* events of launches; NULL: none */
    /* By the host's clock: of the first launch where it is done when it returns, else of the end of queueing. */
    uint64_t start_ns;
    uint64_t end_ns; /* when it was seen to be done; 0: not yet */
    bool has_gaps;   /* something ran of which there are no times */
    bool has_failed;
    bool is_open; /* its times are to come */
    sinter__mark *mark;
} sinter__span;

/* What the stream launches from now on; *span is settled or dropped before. With the lock of `s` held, as in
 * all of these. */
void sinter__span_begin(sinter_stream *s, sinter__span *span);

/* While the stream has a span: a launch, begun at `start_ns`. `event` (NULL: there is none) is the span's. */
void sinter__span_launched(sinter_stream *s, void *event, uint64_t start_ns);

/* Ends what began last. */
void sinter__span_end(sinter_stream *s);

/* For a device without times, while somebody waits for it: whether it is done, by the host's clock from now on. */
bool sinter__span_poll(sinter_stream *s, sinter__span *span);

/* False: the device has not done it yet. *time_ns is 0 when it is not known, and *start_ns, by the clock of the device,
 * when that is not. */
bool sinter__span_settle(sinter_stream *s, sinter__span *span, uint64_t *time_ns,
                         uint64_t *start_ns);

void sinter__span_drop(sinter_stream *s, sinter__span *span);

#endif /* SINTER_EXECUTOR_SPAN_H */
