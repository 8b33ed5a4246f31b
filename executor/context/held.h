/* What of a context is still held, as text: the public sinter_context_held, and lines for the log when a stream or
 * the context ends. */
#ifndef SINTER_EXECUTOR_HELD_H
#define SINTER_EXECUTOR_HELD_H

#include "executor/context/context.h"

/* Lines for the log, if anything is held: tensors at home on `s`, which is about to go. The context's lock is held. */
void sinter__held_log_stream(sinter_stream *s);

/* The same of a context that is about to go, with nobody using it. */
void sinter__held_log_context(sinter_context *ctx);

#endif /* SINTER_EXECUTOR_HELD_H */
