/* The one hard idea: PoCL 3 keeps a kernel that it has loaded together with the width of the launch
 * that it was loaded for, and loads it once more for a wider one. Who runs it, it counts by the
 * kernel alone, in what was loaded last: launches that began before that are taken from the new
 * one's count, and with two of them an assertion ends the process. In one queue no two launches run
 * at once. So one that is wider than those before it has the driver to itself, in all queues of the
 * process, until it is done; the others go side by side as ever (docs/decisions/widening.md). */
#include "executor/opencl/widening.h"

#include <pthread.h>

/* Of the queues, and of launches on their way: any number, or a wider one. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sinter__cl_queue *first;
static atomic_uint shared; /* queues that may wait for the caller */

void sinter__widening_join(sinter__cl_queue *q)
{
    (void)pthread_rwlock_wrlock(&lock);
    q->next = first;
    if (first != NULL)
        first->previous = q;
    first = q;
    (void)pthread_rwlock_unlock(&lock);
}

void sinter__widening_leave(sinter__cl_queue *q)
{
    (void)pthread_rwlock_wrlock(&lock);
    if (q->next != NULL)
        q->next->previous = q->previous;
    *(q->previous != NULL ? &q->previous->next : &first) = q->next;
    (void)pthread_rwlock_unlock(&lock);
}

void sinter__widening_share(void)
{
    atomic_fetch_add(&shared, 1);
}

void sinter__widening_unshare(void)
{
    atomic_fetch_sub(&shared, 1);
}

/* With the lock held: whether there are others, all of which come to their end by themselves. */
static bool may_wait(const sinter__cl_queue *q)
{
    bool others = first != NULL && (first != q || first->next != NULL);
    return others && atomic_load(&shared) == 0;
}

SINTER__COLD static void begin_wider(const sinter__cl_queue *q, const sinter__cl *cl,
                                     atomic_size_t *widest, size_t width)
{
    (void)pthread_rwlock_wrlock(&lock);
    if (width > atomic_load(widest))
        atomic_store(widest, width);
    if (!may_wait(q))
        return;
    for (const sinter__cl_queue *other = first; other != NULL; other = other->next) {
        if (other != q)
            (void)cl->clFinish(other->queue);
    }
}

bool sinter__widening_begin(const sinter__cl_queue *q, const sinter__cl *cl, atomic_size_t *widest,
                            size_t width)
{
    bool wider = width > atomic_load_explicit(widest, memory_order_relaxed);
    if (wider)
        begin_wider(q, cl, widest, width);
    else
        (void)pthread_rwlock_rdlock(&lock);
    return wider;
}

void sinter__widening_end(const sinter__cl_queue *q, const sinter__cl *cl, bool wider)
{
    if (wider && may_wait(q))
        (void)cl->clFinish(q->queue);
    (void)pthread_rwlock_unlock(&lock);
}
