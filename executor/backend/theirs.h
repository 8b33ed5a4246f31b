/* What a caller that uses OpenCL itself brings: handles that are passed on to the backend. Nothing of it
 * is ever retained or released. */
#ifndef SINTER_EXECUTOR_THEIRS_H
#define SINTER_EXECUTOR_THEIRS_H

#include <stdbool.h>
#include <stdint.h>

/* A context, and a device of it. NULL: one of sinter's own. */
typedef struct sinter__their_context {
    void *context;
    void *device;
} sinter__their_context;

/* A part of a buffer, which may be a part of another itself. */
typedef struct sinter__their_memory {
    void *buffer;
    uint64_t offset_bytes;
    uint64_t bytes;
    bool is_writable;
    void *whole;         /* found by the backend: what the buffer is a part of, or the buffer */
    uint64_t from_bytes; /* ... and from which byte of it on */
} sinter__their_memory;

/* What of ours they get. */
typedef struct sinter__handed {
    void *buffer;
    void *queue;
    void *event; /* NULL: not wanted */
} sinter__handed;

#endif /* SINTER_EXECUTOR_THEIRS_H */
