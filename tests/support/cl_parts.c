#include "support/cl_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_PARTS 4096

static struct {
    pthread_mutex_t lock;
    struct {
        const void *made, *of;
        size_t begin, end;
    } all[MAX_PARTS];
    size_t count;
} parts = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool cl_parts_overlap(const void *buffer, size_t origin_bytes, size_t bytes)
{
    bool found = false;
    size_t end = origin_bytes + bytes;
    (void)pthread_mutex_lock(&parts.lock);
    for (size_t i = 0; i < parts.count; i++) {
        bool apart = parts.all[i].end <= origin_bytes || end <= parts.all[i].begin;
        bool same = parts.all[i].begin == origin_bytes && parts.all[i].end == end;
        found |= parts.all[i].of == buffer && !apart && !same;
    }
    (void)pthread_mutex_unlock(&parts.lock);
    return found;
}

void cl_parts_note(const void *made, const void *buffer, size_t origin_bytes, size_t bytes)
{
    (void)pthread_mutex_lock(&parts.lock);
    if (made != NULL && parts.count == MAX_PARTS) {
        (void)fprintf(stderr, "cl_parts: more than %d sub-buffers\n", MAX_PARTS);
        exit(98);
    }
    if (made != NULL) {
        parts.all[parts.count].made = made;
        parts.all[parts.count].of = buffer;
        parts.all[parts.count].begin = origin_bytes;
        parts.all[parts.count++].end = origin_bytes + bytes;
    }
    (void)pthread_mutex_unlock(&parts.lock);
}

void cl_parts_forget(const void *gone)
{
    (void)pthread_mutex_lock(&parts.lock);
    for (size_t i = 0; i < parts.count; i++) {
        if (parts.all[i].made == gone)
            parts.all[i] = parts.all[--parts.count];
    }
    (void)pthread_mutex_unlock(&parts.lock);
}
