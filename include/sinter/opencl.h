/* Sharing a device with a program that calls OpenCL itself: its context, its queues and its buffers in
 * sinter's hands, and sinter's tensors in the hands of its kernels. docs/opencl.md shows how.
 *
 * This header is not part of sinter.h. It wants no header of OpenCL: a `struct _cl_mem *` is what OpenCL calls
 * cl_mem, and so on. The objects have to come from the OpenCL library that sinter loads, as those of a program
 * that is linked to libOpenCL do. What is the caller's stays the caller's: sinter neither retains nor releases
 * it. */
#ifndef SINTER_OPENCL_H
#define SINTER_OPENCL_H

#include "sinter/context.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The structs behind cl_context, cl_device_id, cl_command_queue, cl_mem and cl_event. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;

/** Opens a context over the caller's own, for one device of it; sub-devices too. `options.device` and
 *  SINTER_DEVICE are not looked at.
 *  owns     *out is the caller's: sinter_context_destroy. `context` is the caller's, and has to live
 *           as long as *out. `options` (NULL: defaults) is copied.
 *  errors   SINTER_EINVAL for NULL and for a device that is not of the context; SINTER_ENODEVICE where
 *           no OpenCL can be loaded or the device cannot be used; else as sinter_context_create. *out is
 *           NULL then.
 *  thread   any. */
SINTER_API sinter_status sinter_context_from_cl(struct _cl_context *context,
                                                struct _cl_device_id *device,
                                                const sinter_context_options *options,
                                                sinter_context **out);

/** Makes a stream that puts its commands into the caller's queue, which has to be in order. What the
 *  caller puts there between calls of the stream runs between its work. Reports have times where the
 *  queue measures.
 *  owns     *out is the caller's: sinter_stream_destroy. `queue` is the caller's, and has to live as
 *           long as *out. `options` (NULL: defaults) is copied.
 *  errors   SINTER_EINVAL for NULL, a queue out of order, one of another OpenCL context or another
 *           device than ctx's; SINTER_EBUSY for one that a stream of ctx has already;
 *           SINTER_EUNSUPPORTED where ctx is on no OpenCL device; else as sinter_stream_create. *out is
 *           NULL then.
 *  thread   any; a queue is for one stream, and used by one thread at a time. */
SINTER_API sinter_status sinter_stream_from_cl(sinter_context *ctx, struct _cl_command_queue *queue,
                                               const sinter_stream_options *options,
                                               sinter_stream **out);

/** A part of a buffer of the caller's. */
typedef struct sinter_cl_memory {
    uint32_t size; /* sizeof of this struct in the caller's header */
    sinter_map_access
        access; /* READ: sinter never writes there. WRITE: results may take the place of
                               * a tensor there that has died */
    struct _cl_mem *buffer;
    uint64_t offset_bytes;   /* a multiple of the element's size */
    struct _cl_event *after; /* sinter reads and writes after this; NULL: at once */
} sinter_cl_memory;

/* clang-format off */
#define SINTER_CL_MEMORY_INIT                                                                      \
    { sizeof(sinter_cl_memory), SINTER_MAP_READ, NULL, 0, NULL }
/* clang-format on */

/** Makes a tensor of elements that lie in a buffer of the caller's, row-major and packed. Nothing is
 *  copied. From now on sinter may use these bytes, until sinter_cl_release, or until all tensors in
 *  them are released and the streams that used them have been synced.
 *  shapes   `rank` extents, each >= 0; rank 0 is a single element.
 *  dtype    any; SINTER_F64 needs a device that has it.
 *  owns     *out is the caller's. The buffer is the caller's, and has to live until then.
 *  errors   SINTER_EINVAL (NULL, no buffer of ctx's OpenCL context, an offset inside an element, access
 *           that the buffer's flags forbid), SINTER_ERANGE (the buffer ends before the tensor does),
 *           SINTER_EBUSY (the bytes, of the whole of which a sub-buffer is a part, are in a tensor
 *           already, and one of the two may be written; or a tensor of the stream is mapped or with
 *           the caller), SINTER_EUNSUPPORTED (no OpenCL device); for dtype and shape as
 *           sinter_tensor_from_host.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_tensor_from_cl(sinter_stream *stream,
                                               const sinter_cl_memory *memory, sinter_dtype dtype,
                                               int rank, const int64_t *shape, sinter_tensor *out);

/** Where the elements of a tensor lie: row-major and packed. */
typedef struct sinter_cl_place {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t reserved;
    struct _cl_mem *buffer; /* NULL: no elements */
    uint64_t offset_bytes;
    uint64_t bytes;
    struct _cl_command_queue *queue; /* the stream's */
} sinter_cl_place;

/* clang-format off */
#define SINTER_CL_PLACE_INIT                                                                       \
    { sizeof(sinter_cl_place), 0, NULL, 0, 0, NULL }
/* clang-format on */

/** Runs what is pending, does not wait, and hands the memory of `t` over to the caller's commands: those
 *  that are put into place->queue from now on, and those that wait for *event. Until sinter_cl_acquire
 *  of the same tensor sinter does not touch it. A tensor in a buffer of the caller's cannot be used
 *  meanwhile (SINTER_EBUSY), nor can its views; for one in sinter's own memory, which lies in a buffer
 *  with others, the stream rests, and one that another stream writes is copied first, as for
 *  sinter_tensor_map.
 *  owns     the buffer and the queue are lent until sinter_cl_acquire, unless they are the caller's own;
 *           *event (NULL: not wanted) is the caller's: clReleaseEvent. `t` stays held: its last
 *           reference is not given back before (SINTER_EBUSY).
 *  errors   SINTER_EHANDLE, SINTER_EINVAL for NULL, an unknown access, a tensor of another stream, or
 *           SINTER_MAP_WRITE of a tensor in a buffer that was given with SINTER_MAP_READ;
 *           SINTER_EBUSY when `t` is mapped or handed over already or, for writing, when others share its
 *           memory; SINTER_EUNSUPPORTED for a view that is not packed, or on no OpenCL device;
 *           SINTER_ENOMEM, SINTER_EDEVICE; for a tensor without a value as sinter_tensor_read.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cl_release(sinter_stream *stream, sinter_tensor t,
                                           sinter_map_access access, sinter_cl_place *place,
                                           struct _cl_event **event);

/** Takes the memory of `t` back after sinter_cl_release: what the stream runs from now on comes after what
 *  is in its queue, and after `event`, for which the host does not wait.
 *  owns     `event` (NULL: none) stays the caller's.
 *  errors   SINTER_EHANDLE, SINTER_EINVAL for NULL, when `t` is not what was handed over, and for an event of
 *           another OpenCL context, of another device or of no queue; SINTER_EDEVICE. The caller has the
 *           memory still then.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_cl_acquire(sinter_stream *stream, sinter_tensor t,
                                           struct _cl_event *event);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_OPENCL_H */
