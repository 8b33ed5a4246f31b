/* A trace file, as Perfetto and chrome://tracing read it: one JSON object with an array of events.
 * Each context is a process in it; each stream two threads, of the host and of the device. */
#ifndef SINTER_TOOLS_TRACE_H
#define SINTER_TOOLS_TRACE_H

#include <sinter/sinter.h>

typedef struct tool_trace tool_trace;

/* NULL after a message on stderr. */
tool_trace *tool_trace_open(const char *path);

/* Sets the hook of a context that is to be made, which is called `name` in the file; the trace
 * outlives it. False after a message. */
bool tool_trace_context(tool_trace *t, const char *name, sinter_context_options *options);

/* Completes the file; false after a message when it could not be written. NULL is accepted. */
bool tool_trace_close(tool_trace *t);

#endif /* SINTER_TOOLS_TRACE_H */
