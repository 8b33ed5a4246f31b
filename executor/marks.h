/* Under valgrind: which bytes of a slab hold something. A slab is one allocation to it, so that of itself it sees no
 * access beside a tensor, before its birth or after its death. In a build with the option SINTER_VALGRIND the pool and
 * the launches say what is what; in any other nothing of this is compiled. */
#ifndef SINTER_EXECUTOR_MARKS_H
#define SINTER_EXECUTOR_MARKS_H

#include "executor/pool.h"

typedef enum sinter__mark {
    SINTER__MARK_CLOSED, /* nobody may read or write it */
    SINTER__MARK_FRESH,  /* there, and not yet written */
} sinter__mark;

#ifdef SINTER_VALGRIND
enum { SINTER__MARKS = 1 };
/* Waits for what the queue (NULL: nothing is done) was given. */
void sinter__mark_bytes(const sinter__memory_shared *m, void *queue, sinter__address at,
                        uint64_t bytes, sinter__mark mark);
#else
enum { SINTER__MARKS = 0 };
static inline void sinter__mark_bytes(const sinter__memory_shared *m, void *queue,
                                      sinter__address at, uint64_t bytes, sinter__mark mark)
{
    (void)m;
    (void)queue;
    (void)at;
    (void)bytes;
    (void)mark;
}
#endif

#endif /* SINTER_EXECUTOR_MARKS_H */
