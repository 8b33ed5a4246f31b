/* The trace of a context: a backend around another, which tells the caller's hook what each call
 * took. Without a trace there is none of it, and a launch costs what it did. */
#ifndef SINTER_EXECUTOR_TRACE_H
#define SINTER_EXECUTOR_TRACE_H

#include "executor/backend/backend.h"
#include "sinter/context.h"

typedef struct sinter__trace sinter__trace;

/* Of a clock that never goes back: CLOCK_MONOTONIC. */
uint64_t sinter__now_ns(void);

/* Puts a trace around *backend and *state, which it closes when it is closed. On failure both
 * are as they were. */
sinter_status sinter__trace_open(sinter_trace_fn fn, void *user, sinter__allocator *a,
                                 const sinter__backend **backend, void **state,
                                 sinter__trace **out);

/* When something begins that sinter__trace_end is to tell of; 0 without a trace. */
static inline uint64_t sinter__trace_begin(const sinter__trace *t)
{
    return t != NULL ? sinter__now_ns() : 0;
}

/* Tells the hook what has just ended. `of` is the queue of a stream; NULL: of no stream. */
void sinter__trace_end(const sinter__trace *t, const void *of, sinter_trace_kind kind,
                       const char *name, const char *detail, uint64_t start_ns, uint64_t bytes);

/* `of` is the queue of the stream with this number. */
void sinter__trace_number(void *of, uint32_t number);

#endif /* SINTER_EXECUTOR_TRACE_H */
