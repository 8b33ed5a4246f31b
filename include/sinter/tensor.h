/* Tensors: making them from the host's memory, reading them, and counting who holds them. */
#ifndef SINTER_TENSOR_H
#define SINTER_TENSOR_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a tensor from host memory, row-major and packed.
 *  shapes   `rank` extents, each >= 0; rank 0 is a single element.
 *  dtype    any; SINTER_F64 needs a device that has it.
 *  owns     copies `data` before it returns; *out is the caller's.
 *  errors   SINTER_ERANGE (a negative extent, a size that overflows), SINTER_EINVAL (rank over 8,
 *           NULL), SINTER_EDTYPE, SINTER_EDEVMEM, SINTER_EBUDGET, SINTER_ENOMEM, SINTER_EDEVICE.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tensor_from_host(sinter_stream *stream, sinter_dtype dtype,
                                                 int rank, const int64_t *shape, const void *data,
                                                 sinter_tensor *out);

/** Runs what `t` needs, waits, and copies its elements to `data`, row-major and packed.
 *  units    `bytes` is the size of `data`: exactly elements * bytes of an element.
 *  owns     `data` is the caller's; `t` stays held.
 *  errors   SINTER_EHANDLE, SINTER_ERANGE when `bytes` is not the tensor's size, SINTER_EINVAL
 *           for NULL, SINTER_EDEVICE; for a tensor without a value, each time, the first failure
 *           of the work that `t` depends on.
 *  thread   the stream's; `t` may be of another stream. */
SINTER_API sinter_status sinter_tensor_read(sinter_stream *stream, sinter_tensor t, void *data,
                                            size_t bytes);

/** Queues a tensor of `stream` that is the same as `t`: on another device of the context a copy; on the
 *  same device it shares the memory of `t`. What is used on another device often is copied once with
 *  this: any other use there copies it anew, once for all uses in one queue.
 *  shapes   that of `t`.
 *  dtype    that of `t`; SINTER_F64 needs a device that has it.
 *  owns     `t` stays held; *out is the caller's.
 *  errors   as any operation. A copy that fails, or that the device has no room for, is met by who reads
 *           what depends on it.
 *  thread   the stream's; `t` may be of another stream. */
SINTER_API sinter_status sinter_tensor_to(sinter_stream *stream, sinter_tensor t,
                                          sinter_tensor *out);

/** What the host does with a tensor that it has mapped. */
typedef enum sinter_map_access {
    SINTER_MAP_READ = 1,
    SINTER_MAP_WRITE = 2, /* reads and writes */
} sinter_map_access;

/** Runs what is pending, waits, and gives a pointer to the elements of `t`, row-major and packed.
 *  Where the device shares the host's memory it is the driver's own pointer, which copies nothing if
 *  the driver does not; elsewhere to a copy. A tensor that lies in a slab which another stream writes is
 *  copied first to one of its own stream's, and lies there from then on. Until all of its mapped
 *  tensors are unmapped the stream rests: calls that queue, run, read or upload there, or use its
 *  tensors on another stream, give SINTER_EBUSY.
 *  units    *bytes is the size of what *data points to.
 *  owns     *data is the library's until sinter_tensor_unmap, and NULL without elements; `t` stays
 *           held. Closing a scope with `t` in it, and destroying the stream, unmap it.
 *  errors   SINTER_EHANDLE, SINTER_EINVAL for NULL, an unknown access or a tensor of another stream;
 *           SINTER_EBUSY when `t` is mapped already or, for writing, when others share its memory:
 *           views of it, what it is a view of; SINTER_EUNSUPPORTED for a view that is not packed;
 *           SINTER_ENOMEM, SINTER_EDEVICE, and where it is copied first SINTER_EDEVMEM, SINTER_EBUDGET,
 *           SINTER_EBUSY while another is mapped; for a tensor without a value as sinter_tensor_read.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tensor_map(sinter_stream *stream, sinter_tensor t,
                                           sinter_map_access access, void **data, size_t *bytes);

/** Gives a mapped tensor back: from now on the device has what was written through the pointer.
 *  owns     the pointer is dead; `t` stays held.
 *  errors   SINTER_EINVAL for NULL or when `t` is not mapped on the stream, SINTER_EHANDLE,
 *           SINTER_EDEVICE: what `t` holds is then not known.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tensor_unmap(sinter_stream *stream, sinter_tensor t);

/** Takes one more reference.
 *  owns     each retain wants one release.
 *  errors   SINTER_EHANDLE, SINTER_EINVAL for NULL, SINTER_ERANGE at 2^32 - 1 references.
 *  thread   any. */
SINTER_API sinter_status sinter_tensor_retain(sinter_context *ctx, sinter_tensor t);

/** Gives one reference back. Never runs and never cuts anything: a pending operation that needs
 *  the tensor still has it. `stream` is the caller's own stream or NULL. What is released with another
 *  stream than the tensor's own, or with NULL, while pending operations know it goes when its own stream
 *  is cut next, and is stored until then.
 *  owns     the handle is dead when its last reference has gone; the null handle is accepted.
 *  errors   SINTER_EHANDLE for a handle that is stale, foreign or already released; SINTER_EBUSY for
 *           the last reference of a tensor that is mapped or handed over (sinter/opencl.h), and
 *           while another thread is in a call on `stream`.
 *  thread   any when `stream` is NULL, else the stream's. */
SINTER_API sinter_status sinter_tensor_release(sinter_stream *stream, sinter_tensor t);

/** Dtype and shape of a tensor; never runs anything.
 *  owns     fills *out.
 *  errors   SINTER_EHANDLE, SINTER_EINVAL for NULL.
 *  thread   any. */
SINTER_API sinter_status sinter_tensor_describe(sinter_context *ctx, sinter_tensor t,
                                                sinter_tensor_desc *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_TENSOR_H */
