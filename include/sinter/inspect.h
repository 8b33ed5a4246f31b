/* Seeing what happens: the fusion report, the generated kernels, the pending queue as text. */
#ifndef SINTER_INSPECT_H
#define SINTER_INSPECT_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Receives text piece by piece; `bytes` does not count a terminator and there is none. */
typedef void (*sinter_write_fn)(void *user, const char *text, size_t bytes);

/** Starts to keep a report of what the stream runs from now on, forgetting an earlier one. From the
 *  first call on the stream's launches are timed, by events of the device; before it they are not.
 *  owns     the stream keeps the text until the next call, or its end.
 *  errors   SINTER_EINVAL for NULL, SINTER_ENOMEM, SINTER_EDEVICE when the device gives no queue.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_report_begin(sinter_stream *stream);

/** Writes the report: each segment with why it was cut; each group with its operations, why it
 *  ended, launches, bytes moved, the lower bound and the bytes saved, how each launch runs, how long
 *  it should take by the device's profile and how long it took; the memory plan by step. Waits for
 *  what was launched; what fails there is met at the next sync.
 *  owns     nothing; `write` gets text that is valid during the call, and may not use the stream.
 *  errors   SINTER_EINVAL for NULL or when no report was begun, SINTER_ENOMEM when there was no
 *           memory for all of the text.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_report_write(sinter_stream *stream, sinter_write_fn write,
                                             void *user);

/** Writes the OpenCL C text of each kernel run since sinter_report_begin, each once.
 *  owns     as sinter_report_write.
 *  errors   as sinter_report_write.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_kernels_write(sinter_stream *stream, sinter_write_fn write,
                                              void *user);

/** Writes the pending operations as a program that `sinter eval` and sinter_program_parse read.
 *  owns     nothing; `write` gets text that is valid during the call.
 *  errors   SINTER_EINVAL for NULL, SINTER_ENOMEM.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_queue_write(sinter_stream *stream, sinter_write_fn write,
                                            void *user);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_INSPECT_H */
