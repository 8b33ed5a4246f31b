/* Memory as pools get it from the device: counted against the budget before it is asked for, in large pages where the
 * host has them, and written once, so that what is not there shows then and not later. */
#ifndef SINTER_EXECUTOR_FRESH_H
#define SINTER_EXECUTOR_FRESH_H

#include "executor/memory/pool.h"

/* Bytes with which poisoned memory is filled: NaN in every float format. */
#define SINTER__POISON_BYTE 0xff

/* `commit`: it is written; else it holds anything, and may prove not to be there. Waits for what the queue was given
 * where it is written or in large pages.
 * SINTER_EBUDGET, with the numbers; SINTER_EDEVMEM when the device or the host has no room: *memory is NULL then, and
 * nothing is counted. */
sinter_status sinter__fresh_create(sinter__memory_shared *m, void *queue, uint64_t bytes,
                                   bool commit, void **memory);

/* Memory of that many bytes; NULL: it was only counted. */
void sinter__fresh_release(sinter__memory_shared *m, void *memory, uint64_t bytes);

void sinter__raise_to(atomic_uint_fast64_t *most, uint64_t value);

#endif /* SINTER_EXECUTOR_FRESH_H */
