/* How far a stream may run ahead of the device: by the batches that the caller asks for, and by the host memory
 * that commands in its queue still read, which is given out piece by piece, and again from the start when the
 * stream has waited. */
#ifndef SINTER_EXECUTOR_PACE_H
#define SINTER_EXECUTOR_PACE_H

#include "executor/context/context.h"

/* Waits in the midst of a segment, whose results are nobody's yet: what the device has to report is
 * kept until they are. */
void sinter__pace_wait(sinter_stream *s);

/* Everything launched is done; `well`: as far as the device says. */
void sinter__pace_restart(sinter_stream *s, bool well);

/* Before a launch that moves that many bytes: waits where the device has enough. */
void sinter__pace_launch(sinter_stream *s, uint64_t bytes);

/* Before the first launch of a segment: host memory for pieces of at most `bytes`, of which there are then
 * several, so that none of its launches fails for want of it. SINTER_ENOMEM. */
sinter_status sinter__pace_reserve(sinter_stream *s, size_t bytes);

/* A piece of that, which stays until the stream has waited. Waits where none is left. */
sinter_status sinter__pace_take(sinter_stream *s, size_t bytes, void **out);

/* Of a stream that ends. */
void sinter__pace_finish(sinter_stream *s);

#endif /* SINTER_EXECUTOR_PACE_H */
