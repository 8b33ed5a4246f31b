#include "support/cl_queues.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#define MAX_QUEUES 1024

typedef struct entry {
    cl_command_queue queue;
    cl_context context;
    cl_command_queue before; /* of one that runs at once: the stream's other; NULL: none */
    bool is_busy;
    cl_event last; /* of what it was given last; NULL: there is none */
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry all[MAX_QUEUES];
static size_t count;
static uint64_t at_once;
static _Thread_local cl_command_queue last; /* that this thread has made */

/* With the lock held; NULL: it is not known. */
static entry *find(cl_command_queue queue)
{
    for (size_t i = 0; i < count; i++) {
        if (all[i].queue == queue)
            return &all[i];
    }
    return NULL;
}

/* rusticl's thread of a queue lets go of kernels after the queue has been released, and Mesa's own handler of the process's
 * end takes the memory under it: one process in ten ended in "free(): invalid size". A handler that was registered later
 * than that one runs before it, and waits; Mesa's comes at some time after the first queue. */
static void wait_for_threads(void)
{
    static atomic_flag has_waited = ATOMIC_FLAG_INIT;
    const struct timespec time = {.tv_nsec = 50000000};
    if (!atomic_flag_test_and_set(&has_waited))
        (void)nanosleep(&time, NULL);
}

void cl_queues_note(cl_command_queue queue, cl_context context, bool is_at_once)
{
    (void)pthread_mutex_lock(&lock);
    if (queue != NULL && count < MAX_QUEUES)
        all[count++] =
            (entry){.queue = queue, .context = context, .before = is_at_once ? last : NULL};
    (void)pthread_mutex_unlock(&lock);
    last = queue;
}

void cl_queues_forget(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    if (e != NULL)
        *e = all[--count];
    (void)pthread_mutex_unlock(&lock);
    if (getenv("RUSTICL_ENABLE") != NULL)
        (void)atexit(wait_for_threads);
}

cl_context cl_queues_context(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    const entry *e = find(queue);
    cl_context context = e != NULL ? e->context : NULL;
    (void)pthread_mutex_unlock(&lock);
    return context;
}

bool cl_queues_is_at_once(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    const entry *e = find(queue);
    bool is_at_once = e != NULL && e->before != NULL;
    (void)pthread_mutex_unlock(&lock);
    return is_at_once;
}

bool cl_queues_give(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    const entry *before = e != NULL && e->before != NULL ? find(e->before) : NULL;
    bool is_wrong = before != NULL && before->is_busy;
    if (e != NULL) {
        e->is_busy = e->before == NULL;
        e->last = NULL;
    }
    at_once += e != NULL && e->before != NULL;
    (void)pthread_mutex_unlock(&lock);
    return is_wrong;
}

void cl_queues_mark(cl_command_queue queue, cl_event event)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    if (e != NULL)
        e->last = event;
    (void)pthread_mutex_unlock(&lock);
}

cl_command_queue cl_queues_ended_by(cl_event event)
{
    cl_command_queue queue = NULL;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (all[i].last == event)
            queue = all[i].queue;
    }
    (void)pthread_mutex_unlock(&lock);
    return queue;
}

uint64_t cl_queues_at_once(void)
{
    (void)pthread_mutex_lock(&lock);
    uint64_t commands = at_once;
    (void)pthread_mutex_unlock(&lock);
    return commands;
}

void cl_queues_settle(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    if (e != NULL) {
        e->is_busy = false;
        e->last = NULL; /* a driver may have another event at the same place */
    }
    (void)pthread_mutex_unlock(&lock);
}
