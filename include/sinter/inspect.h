/* Seeing what happens: the fusion report, memory by step and place, the generated kernels, the pending queue
 * as text. */
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
 *  it should take by the device's profile and how long it took; the memory plan by step; the bytes that
 *  live at each launch, and what they would be if each operation had its own. Waits for what was
 *  launched; what fails there is met at the next sync.
 *  owns     nothing; `write` gets text that is valid during the call, and may not use the stream.
 *  errors   SINTER_EINVAL for NULL or when no report was begun, SINTER_ENOMEM when there was no
 *           memory for all of the text.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_report_write(sinter_stream *stream, sinter_write_fn write,
                                             void *user);

/** What lives while a step of a segment runs: what entered the segment, whole storages, and what
 *  its steps made. */
typedef struct sinter_step_memory {
    uint32_t segment;   /* of the report, from 1 */
    uint32_t number;    /* of the group in the report, or of the operation in the segment, from 1 */
    uint32_t is_launch; /* not 0: a group's launch; 0: an operation, as if it had one of its own */
    uint32_t is_peak;   /* not 0: the first step of its kind and segment at which most bytes live */
    const char *text;   /* the operations: "mul, add" */
    uint64_t before_bytes, during_bytes, after_bytes;
} sinter_step_memory;

/** What a storage of a segment is for. */
typedef enum sinter_memory_role {
    SINTER_MEMORY_ENTERED = 0,   /* the segment works on it */
    SINTER_MEMORY_HELD = 1,      /* it is there, and the segment does not touch it */
    SINTER_MEMORY_MADE = 2,      /* a result that outlives the segment */
    SINTER_MEMORY_WORKSPACE = 3, /* an intermediate */
    SINTER_MEMORY_SCRATCH = 4,   /* of a group */
} sinter_memory_role;

/** Where a storage lies in the stream's pool, and for which groups of a segment. */
typedef struct sinter_tensor_memory {
    uint32_t segment; /* of the report, from 1 */
    sinter_memory_role role;
    uint32_t number;      /* of the tensor in the report, "t3"; of scratch: of its group, from 1 */
    uint32_t slab;        /* from 0; UINT32_MAX: a memory of its own, as in memory mode
                      * `separate`, or the caller's */
    uint32_t first_group; /* from 1; the half-open interval in which it has its place */
    uint32_t end_group;
    uint32_t made_group; /* that writes it; 0: it came with a value */
    uint32_t reserved;   /* 0 */
    const char *text;    /* the operation that makes it, or NULL */
    uint64_t offset_bytes;
    uint64_t bytes;
    sinter_tensor tensor; /* that the caller holds, or that took its place; the null handle: none */
} sinter_tensor_memory;

typedef struct sinter_memory_visitor {
    uint32_t size; /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t reserved;
    void (*step)(void *user, const sinter_step_memory *step);       /* may be NULL */
    void (*tensor)(void *user, const sinter_tensor_memory *tensor); /* may be NULL */
} sinter_memory_visitor;

/* clang-format off */
#define SINTER_MEMORY_VISITOR_INIT \
    {sizeof(sinter_memory_visitor), 0, NULL, NULL}
/* clang-format on */

/** Gives what the report knows of memory: the steps of each segment, by operation and by launch, and
 *  for each segment every storage of the stream's pool that the segment names or a tensor of the stream
 *  holds. Results that a group made in parts, after its kernel failed, are left out.
 *  units    bytes; offsets are those in the slab.
 *  owns     nothing; the visitor gets structs that are valid during the call, with texts that are valid
 *           until the next sinter_report_begin, and may not use the stream.
 *  errors   SINTER_EINVAL for NULL, a size of the visitor that no version has, or when no report was begun,
 *           SINTER_ENOMEM when there was no memory to note all of it.
 *  thread   the stream's. */
SINTER_API sinter_status sinter_report_memory(sinter_stream *stream,
                                              const sinter_memory_visitor *visitor, void *user);

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

/** What of a context is held. Before it ends all of it can be 0. */
typedef struct sinter_held {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t streams; /* alive */
    uint64_t tensors; /* by the caller */
    uint64_t
        aliases; /* holds on storages beside those of the tensors: of pending operations, of launches
                      * that may still read another stream's */
    uint64_t
        pending_frees; /* tensors released on other streams, that their own frees at its next cut */
    uint64_t storages; /* pieces of the devices' memory that all these hold */
    uint64_t storage_bytes;
} sinter_held;

/* clang-format off */
#define SINTER_HELD_INIT                                                                           \
    { sizeof(sinter_held), 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/** Counts what of a context is held, and writes it: a line with the counts, and one for each tensor with its
 *  handle, dtype, shape and stream. Runs nothing. The log hook gets the same lines, of the first 8 tensors, when
 *  a context ends that holds any, as a warning; and of those that outlive a stream, at level 1.
 *  units    *_bytes in bytes.
 *  owns     *out (NULL: not wanted) begins as SINTER_HELD_INIT; `write` (NULL: not wanted) gets text that is
 *           valid during the call, and may not use the context.
 *  errors   SINTER_EINVAL when `ctx`, or both of the others, are NULL, or out->size is not set.
 *  thread   no other thread may be in a call on the context or its streams. */
SINTER_API sinter_status sinter_context_held(sinter_context *ctx, sinter_held *out,
                                             sinter_write_fn write, void *user);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_INSPECT_H */
