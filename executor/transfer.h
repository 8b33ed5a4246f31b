/* Copies of tensors from one device of a context to another. */
#ifndef SINTER_EXECUTOR_TRANSFER_H
#define SINTER_EXECUTOR_TRANSFER_H

#include "executor/opened.h"

/* Copies what `view` sees of `source`, which lies on `from` and is written, to a new storage on `to`; the view
 * is then one of that. Waits for the copy. `rests`: no command is in flight that writes the slab of `source`
 * and none comes, so that it may be mapped where `from` shares the host's memory. */
sinter_status sinter__transfer_copy(sinter__opened *to, sinter__opened *from,
                                    const sinter__storage *source, sinter_dtype dtype,
                                    sinter__view *view, bool rests, sinter__storage **out);

/* Reads bytes that are written. Waits. */
sinter_status sinter__transfer_read(sinter__opened *from, sinter__address at, void *data,
                                    uint64_t bytes);

/* The part of an opened device that this file is about. */
sinter_status sinter__transfer_init(sinter__transfer *t);
void sinter__transfer_finish(sinter__opened *on);

/* Gives back what copies have made; the next one makes it anew. */
void sinter__transfer_rest(sinter__opened *on);

#endif /* SINTER_EXECUTOR_TRANSFER_H */
