#include "support/cl_queues.h"

#include <pthread.h>
#include <stddef.h>

#define MAX_QUEUES 1024

typedef struct entry {
    cl_command_queue queue;
    cl_context context;
    cl_command_queue before; /* of one that runs at once: the stream's other; NULL: none */
    bool is_busy;
    bool is_left;  /* its commands go on, and nobody has tried to wait for them */
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

void cl_queues_note(cl_command_queue queue, cl_context context, bool is_at_once)
{
    (void)pthread_mutex_lock(&lock);
    if (queue != NULL && count < MAX_QUEUES)
        all[count++] =
            (entry){.queue = queue, .context = context, .before = is_at_once ? last : NULL};
    (void)pthread_mutex_unlock(&lock);
    last = queue;
}

bool cl_queues_forget(cl_command_queue queue, bool *is_busy)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    bool is_left = e != NULL && e->is_left;
    *is_busy = e != NULL && e->is_busy;
    if (e != NULL)
        *e = all[--count];
    (void)pthread_mutex_unlock(&lock);
    return is_left;
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
        e->is_left = e->is_busy;
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
        e->is_left = false;
        e->last = NULL; /* a driver may have another event at the same place */
    }
    (void)pthread_mutex_unlock(&lock);
}

void cl_queues_try(cl_command_queue queue)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(queue);
    if (e != NULL)
        e->is_left = false;
    (void)pthread_mutex_unlock(&lock);
}
