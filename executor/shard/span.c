#include "executor/shard/span.h"

#include "executor/context/context.h"

static void end_event(const sinter_stream *s, void *event, sinter__event_times *times, bool *known)
{
    if (event != NULL)
        *known &= s->on->backend->event_end(s->on->state, event, times);
}

void sinter__span_begin(sinter_stream *s, sinter__span *span)
{
    *span = (sinter__span){.is_open = true};
    s->span = span;
}

void sinter__span_launched(sinter_stream *s, void *event, uint64_t start_ns)
{
    sinter__span *span = s->span;
    sinter__event_times unused;
    bool known = true;
    if (event == NULL && s->on->backend->mark == NULL) {
        span->start_ns = span->start_ns != 0 ? span->start_ns : start_ns;
        span->end_ns = sinter__now_ns();
        return;
    }
    if (event == NULL) {
        span->has_gaps = true;
    } else if (span->first == NULL) {
        span->first = event;
    } else {
        end_event(s, span->last, &unused, &known);
        span->last = event;
    }
}

void sinter__span_end(sinter_stream *s)
{
    sinter__span *span = s->span;
    s->span = NULL;
    if (span == NULL || (span->first == NULL && !span->has_gaps))
        return;
    span->start_ns = sinter__now_ns();
    span->mark = sinter__edge_mark(s);
    if (span->mark == NULL) /* the host has waited */
        span->end_ns = sinter__now_ns();
}

/* Ends the events. Their times, if they are known; 0: they are not. */
static uint64_t end_events(const sinter_stream *s, sinter__span *span, uint64_t *start_ns)
{
    sinter__event_times first = {0};
    bool known = !span->has_gaps;
    end_event(s, span->first, &first, &known);
    sinter__event_times last = first;
    end_event(s, span->last, &last, &known);
    span->first = span->last = NULL;
    /* a driver that has no times says that a launch takes none */
    known &= last.end_ns >= first.start_ns + 2;
    *start_ns = known ? first.start_ns : 0;
    return known ? last.end_ns - first.start_ns : 0;
}

/* Whether the device has come to the mark, and how. */
static bool is_done(const sinter_stream *s, sinter__span *span)
{
    bool done = true;
    sinter_status status = SINTER_OK;
    if (span->mark != NULL)
        status = s->on->backend->mark_done(s->on->state, span->mark->event, &done);
    if (status != SINTER_OK) {
        sinter__mark_fail(span->mark, status);
        span->has_failed = true;
    }
    return done || status != SINTER_OK;
}

bool sinter__span_poll(sinter_stream *s, sinter__span *span)
{
    if (span->mark == NULL || span->end_ns != 0)
        return true;
    bool done = is_done(s, span);
    if (done)
        span->end_ns = sinter__now_ns();
    return done;
}

bool sinter__span_settle(sinter_stream *s, sinter__span *span, uint64_t *time_ns,
                         uint64_t *start_ns)
{
    if (!is_done(s, span))
        return false;
    uint64_t by_device_ns = end_events(s, span, start_ns);
    if (s->on->backend->mark == NULL && by_device_ns == 0)
        *start_ns = span->start_ns;
    *time_ns = span->end_ns != 0 ? span->end_ns - span->start_ns : 0;
    if (by_device_ns != 0 || span->has_failed)
        *time_ns = by_device_ns;
    sinter__span_drop(s, span);
    return true;
}

void sinter__span_drop(sinter_stream *s, sinter__span *span)
{
    uint64_t start_ns;
    (void)end_events(s, span, &start_ns);
    sinter__mark_release(span->mark);
    *span = (sinter__span){0};
}
