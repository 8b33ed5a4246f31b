/* Streams: a lazy queue of operations with an in-order command queue behind it.
 *
 * A stream is for one thread at a time. Every function that takes one, here and elsewhere, gives
 * SINTER_EBUSY and does nothing while another thread is in a call on it; the text names the stream by its
 * number in the context, from 1. */
#ifndef SINTER_STREAM_H
#define SINTER_STREAM_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How urgent a stream's work is beside that of other queues of its device: a hint, which changes no
 *  result. It reaches the device where `has_priority_hints` of sinter_device_info is set, and the
 *  stream's report says whether it has. */
typedef enum sinter_priority {
    SINTER_PRIORITY_DEFAULT = 0,
    SINTER_PRIORITY_LOW = 1,
    SINTER_PRIORITY_HIGH = 2,
} sinter_priority;

typedef struct sinter_stream_options {
    uint32_t size;   /* sizeof of this struct in the caller's header */
    uint32_t device; /* of the context's, by index */
    sinter_priority priority;
    uint32_t reserved; /* 0 */
} sinter_stream_options;

#define SINTER_STREAM_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(sinter_stream_options), 0, SINTER_PRIORITY_DEFAULT, 0                               \
    }

/** Makes a stream of `ctx`, on one of its devices.
 *  owns     *out is the caller's: sinter_stream_destroy. `options` (NULL: defaults) is copied.
 *  errors   SINTER_EINVAL (a device that the context has not, no priority), SINTER_ENOMEM,
 *           SINTER_EDEVICE; *out is NULL then.
 *  thread   any; the stream itself is for one thread at a time. */
SINTER_API sinter_status sinter_stream_create(sinter_context *ctx,
                                              const sinter_stream_options *options,
                                              sinter_stream **out);

/** Runs what is pending, waits, and frees the stream. Tensors that are still held stay usable on
 *  the context's other streams; the log hook is told of them, at level 1.
 *  owns     `stream` is gone whatever is returned but SINTER_EBUSY; NULL is accepted.
 *  errors   the first failure since the last sync, as sinter_stream_sync; SINTER_EBUSY while a shard has it.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_destroy(sinter_stream *stream);

/** Plans and enqueues what is pending, and does not wait; launches of some microseconds each may be run at once, by
 *  the calling thread.
 *  owns     nothing.
 *  errors   SINTER_EINVAL for NULL; SINTER_EBUSY while a tensor of the stream is mapped. Failures of
 *           the work come from sinter_stream_sync and from reads.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_flush(sinter_stream *stream);

/** Runs what is pending and waits until the device has done it.
 *  owns     nothing.
 *  errors   the first failure since the last sync, once, unless a read has told it:
 *           SINTER_EDEVICE, SINTER_EDEVMEM, SINTER_EBUDGET, SINTER_EBUILD, SINTER_ENOMEM,
 *           SINTER_ECANCELLED. The stream stays usable. SINTER_EINVAL for NULL; SINTER_EBUSY while
 *           a tensor of the stream is mapped.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_sync(sinter_stream *stream);

/** Runs what is pending and waits until the device has done it, or for `timeout_ns`. OpenCL has no
 *  such wait: the host asks at intervals that grow to a millisecond, and sleeps in between. What the
 *  host does itself counts, planning and building among it, and is not broken off.
 *  units    timeout_ns in nanoseconds; 0: only asks; UINT64_MAX: for ever.
 *  owns     nothing.
 *  errors   SINTER_ETIMEOUT when the device is not done: nothing is lost or changed by that, and the
 *           stream may be waited for again. Else as sinter_stream_sync.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_wait(sinter_stream *stream, uint64_t timeout_ns);

/** What the device's memory is asked for by what is pending. */
typedef struct sinter_memory_need {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t operations;      /* pending, casts and copies that calls brought in included */
    uint64_t held_bytes;      /* of the stream's device that the context holds now */
    uint64_t need_bytes;      /* most that it holds at once by the time all of it has run */
    uint64_t workspace_bytes; /* of intermediates and scratch, given back afterwards: the largest */
    uint64_t result_bytes;    /* of results that stay, if only until a later segment has used them,
                                 and do not take an input's place */
    uint64_t missing_bytes;   /* by which the budget is too small for all of it; 0: all fit */
    uint64_t segments;        /* that it runs in: more than one where a whole does not fit */
} sinter_memory_need;

/* clang-format off */
#define SINTER_MEMORY_NEED_INIT                                                                    \
    { sizeof(sinter_memory_need), 0, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/** Plans what is pending, as a flush now would, and tells what memory of the device it takes: the
 *  sum of all that clCreateBuffer has given and not got back, to the byte. Runs and cuts nothing.
 *  The promise holds while nothing is queued or released in between, the other streams of the
 *  device and copies to it take no memory, and the device gives what it is asked for.
 *  units    *_bytes in bytes.
 *  owns     *out begins as SINTER_MEMORY_NEED_INIT and is filled.
 *  errors   SINTER_EBUDGET when an operation has no room even by itself: the text names the first, what
 *           lives there and the bytes; all of *out is filled. SINTER_EBUILD,
 *           SINTER_ENOMEM, SINTER_ECANCELLED when it cannot be planned, SINTER_EDEVMEM when the
 *           device or the host could not give it. SINTER_EINVAL when an argument is NULL or
 *           out->size is not set.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_memory_need(sinter_stream *stream, sinter_memory_need *out);

/** Names this place as the start of a repeating part (a training step): when a loop that never
 *  reads has to be cut, it is cut here.
 *  owns     nothing.
 *  errors   SINTER_EINVAL for NULL.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_stream_mark(sinter_stream *stream);

/** Opens a scope: tensors made on the stream from now on belong to it. Scopes nest.
 *  owns     the stream keeps the scope until sinter_scope_close.
 *  errors   SINTER_ENOMEM, SINTER_EINVAL.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scope_open(sinter_stream *stream);

/** Closes the innermost scope and releases what was made in it, except the `keep_count` handles
 *  of `keep`, which then belong to the scope around it.
 *  owns     releases one reference of each tensor of the scope; handles already released are
 *           passed over.
 *  errors   SINTER_EINVAL when no scope is open; SINTER_EHANDLE when a kept handle is not of the
 *           scope; SINTER_EBUSY for the last reference of a tensor that is handed over
 *           (sinter/opencl.h). The scope stays open then.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_scope_close(sinter_stream *stream, size_t keep_count,
                                            const sinter_tensor *keep);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_STREAM_H */
