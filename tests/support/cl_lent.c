#include "support/cl_lent.h"

#include <pthread.h>
#include <stdint.h>

#define MAX_LENT 1024
#define MAX_BYTES 65536 /* that are looked at */

typedef struct lent {
    const void *queue;
    const unsigned char *data;
    size_t bytes;
    uint64_t digest;
} lent;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static lent all[MAX_LENT];
static size_t count;

static uint64_t digest_of(const unsigned char *data, size_t bytes)
{
    uint64_t digest = 1469598103934665603u;
    for (size_t i = 0; i < bytes; i++)
        digest = (digest ^ data[i]) * 1099511628211u;
    return digest;
}

void cl_lent_note(const void *queue, const void *data, size_t bytes)
{
    bytes = bytes < MAX_BYTES ? bytes : MAX_BYTES;
    (void)pthread_mutex_lock(&lock);
    if (count < MAX_LENT)
        all[count++] = (lent){queue, data, bytes, digest_of(data, bytes)};
    (void)pthread_mutex_unlock(&lock);
}

static size_t leave(const void *queue, int looks)
{
    size_t kept = 0;
    size_t changed = 0;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        const lent *x = &all[i];
        if (x->queue != queue)
            all[kept++] = *x;
        else if (looks)
            changed += digest_of(x->data, x->bytes) != x->digest;
    }
    count = kept;
    (void)pthread_mutex_unlock(&lock);
    return changed;
}

size_t cl_lent_settle(const void *queue)
{
    return leave(queue, 1);
}

void cl_lent_forget(const void *queue)
{
    (void)leave(queue, 0);
}
