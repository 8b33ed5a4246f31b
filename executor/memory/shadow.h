/* Under valgrind: which bytes of a slab hold something. A slab is one allocation to it, so that of itself it sees no
 * access beside a tensor, before its birth or after its death. In a build with the option SINTER_VALGRIND the pool and
 * the launches say what is what; in any other nothing of this is compiled. */
#ifndef SINTER_EXECUTOR_SHADOW_H
#define SINTER_EXECUTOR_SHADOW_H

#include "executor/memory/pool.h"

typedef enum sinter__shadow {
    SINTER__SHADOW_CLOSED, /* nobody may read or write it */
    SINTER__SHADOW_FRESH,  /* there, and not yet written */
} sinter__shadow;

#ifdef SINTER_VALGRIND
enum { SINTER__SHADOWS = 1 };
/* Waits for what the queue (NULL: nothing is done) was given. */
void sinter__shadow_bytes(const sinter__memory_shared *m, void *queue, sinter__address at,
                          uint64_t bytes, sinter__shadow shadow);
#else
enum { SINTER__SHADOWS = 0 };
static inline void sinter__shadow_bytes(const sinter__memory_shared *m, void *queue,
                                        sinter__address at, uint64_t bytes, sinter__shadow shadow)
{
    (void)m;
    (void)queue;
    (void)at;
    (void)bytes;
    (void)shadow;
}
#endif

#endif /* SINTER_EXECUTOR_SHADOW_H */
