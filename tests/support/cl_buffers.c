#include "support/cl_buffers.h"

#include <pthread.h>

#define MAX_BUFFERS 4096

static struct {
    pthread_mutex_t lock;
    struct {
        const void *buffer;
        size_t bytes;
    } all[MAX_BUFFERS];
    size_t count;
    uint64_t bytes, peak_bytes;
    void *last;
} buffers = {.lock = PTHREAD_MUTEX_INITIALIZER};

void cl_buffers_note(void *buffer, size_t bytes)
{
    (void)pthread_mutex_lock(&buffers.lock);
    buffers.last = buffer;
    if (buffers.count < MAX_BUFFERS) {
        buffers.all[buffers.count].buffer = buffer;
        buffers.all[buffers.count++].bytes = bytes;
        buffers.bytes += bytes;
        if (buffers.bytes > buffers.peak_bytes)
            buffers.peak_bytes = buffers.bytes;
    }
    (void)pthread_mutex_unlock(&buffers.lock);
}

void cl_buffers_forget(const void *buffer)
{
    (void)pthread_mutex_lock(&buffers.lock);
    for (size_t i = 0; i < buffers.count; i++) {
        if (buffers.all[i].buffer != buffer)
            continue;
        buffers.bytes -= buffers.all[i].bytes;
        buffers.all[i] = buffers.all[--buffers.count];
        break;
    }
    (void)pthread_mutex_unlock(&buffers.lock);
}

uint64_t cl_buffers_bytes(void)
{
    (void)pthread_mutex_lock(&buffers.lock);
    uint64_t value = buffers.bytes;
    (void)pthread_mutex_unlock(&buffers.lock);
    return value;
}

uint64_t cl_buffers_peak_bytes(void)
{
    (void)pthread_mutex_lock(&buffers.lock);
    uint64_t value = buffers.peak_bytes;
    buffers.peak_bytes = buffers.bytes;
    (void)pthread_mutex_unlock(&buffers.lock);
    return value;
}

void *cl_buffers_last(void)
{
    (void)pthread_mutex_lock(&buffers.lock);
    void *last = buffers.last;
    (void)pthread_mutex_unlock(&buffers.lock);
    return last;
}
