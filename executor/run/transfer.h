/* Copies of tensors from one device of a context to another. */
#ifndef SINTER_EXECUTOR_TRANSFER_H
#define SINTER_EXECUTOR_TRANSFER_H

#include "executor/context/context.h"

/* What a storage waits for: bytes that lie on another device. */
struct sinter__coming {
    sinter__opened *from;
    sinter__opened *to;
    sinter__storage *source; /* held, so that nothing writes over it */
    uint64_t offset_bytes;   /* in `source` */
    sinter__mark *mark;      /* behind what writes `source`; NULL: it is written */
};

/* A storage on `to` for `bytes` of `source`, which lies on `from` and is written before `mark` (NULL: it is
 * already). It has no memory yet, and neither device hears of it. */
sinter_status sinter__transfer_promise(sinter__opened *to, sinter__opened *from,
                                       sinter__storage *source, uint64_t offset_bytes,
                                       uint64_t bytes, sinter__mark *mark, sinter__storage **out);

/* Its memory. */
sinter_status sinter__transfer_place(sinter__storage *storage);
sinter_status sinter__transfer_rehearse(sinter__storage *storage); /* of one in a rehearsal */

/* Its bytes, when it has its memory: waits until they are read, and what `s` launches from now on comes after
 * they are written. What `s` has launched goes to the device first. */
sinter_status sinter__transfer_bring(sinter_stream *s, sinter__storage *storage);

/* It has come, or will not. */
void sinter__coming_end(sinter__coming *coming);

/* Reads bytes that are written. Waits. */
sinter_status sinter__transfer_read(sinter__opened *from, sinter__address at, void *data,
                                    uint64_t bytes);

/* The part of an opened device that this file is about. */
sinter_status sinter__transfer_init(sinter__transfer *t);
void sinter__transfer_finish(sinter__opened *on);

/* Gives back what copies have made; the next one makes it anew. */
void sinter__transfer_rest(sinter__opened *on);

#endif /* SINTER_EXECUTOR_TRANSFER_H */
