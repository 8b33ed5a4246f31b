#include "support/cl_kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_KERNELS 4096
#define MAX_ARGUMENTS 128
#define KEPT_BYTES 16 /* of an argument: a buffer, a number, packed numbers */

typedef struct entry {
    cl_kernel kernel;
    cl_program program;
    char name[128];
    uint16_t bytes[MAX_ARGUMENTS];
    unsigned char values[MAX_ARGUMENTS][KEPT_BYTES];
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry all[MAX_KERNELS];
static size_t count;

/* With the lock held; NULL: it is not known. */
static entry *find(cl_kernel kernel)
{
    for (size_t i = 0; i < count; i++) {
        if (all[i].kernel == kernel)
            return &all[i];
    }
    return NULL;
}

void cl_kernels_note(cl_kernel kernel, cl_program program, const char *name)
{
    (void)pthread_mutex_lock(&lock);
    if (kernel != NULL && count < MAX_KERNELS) {
        entry *e = &all[count++];
        memset(e, 0, sizeof *e);
        e->kernel = kernel;
        e->program = program;
        (void)snprintf(e->name, sizeof e->name, "%s", name);
    }
    (void)pthread_mutex_unlock(&lock);
}

void cl_kernels_forget(cl_kernel kernel)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(kernel);
    if (e != NULL)
        *e = all[--count];
    (void)pthread_mutex_unlock(&lock);
}

void cl_kernels_give(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    (void)pthread_mutex_lock(&lock);
    entry *e = find(kernel);
    if (e != NULL && index < MAX_ARGUMENTS) {
        e->bytes[index] = (uint16_t)bytes;
        if (bytes <= KEPT_BYTES && value != NULL)
            memcpy(e->values[index], value, bytes);
    }
    (void)pthread_mutex_unlock(&lock);
}

uint64_t cl_kernels_bytes(cl_kernel kernel)
{
    uint64_t sum = 0;
    (void)pthread_mutex_lock(&lock);
    const entry *e = find(kernel);
    for (size_t i = 0; e != NULL && i < MAX_ARGUMENTS; i++)
        sum += e->bytes[i];
    (void)pthread_mutex_unlock(&lock);
    return sum;
}

cl_kernel cl_kernels_copy(cl_kernel kernel,
                          cl_kernel (*create)(cl_program program, const char *name, cl_int *error),
                          set_argument_fn *set)
{
    cl_kernel copy = NULL;
    cl_int error = CL_SUCCESS;
    (void)pthread_mutex_lock(&lock);
    const entry *e = find(kernel);
    for (cl_uint i = 0; e != NULL && i < MAX_ARGUMENTS; i++)
        error = e->bytes[i] > KEPT_BYTES ? CL_INVALID_ARG_SIZE : error;
    if (e != NULL && error == CL_SUCCESS)
        copy = create(e->program, e->name, &error);
    for (cl_uint i = 0; copy != NULL && i < MAX_ARGUMENTS; i++) {
        if (e->bytes[i] > 0)
            (void)set(copy, i, e->bytes[i], e->values[i]);
    }
    (void)pthread_mutex_unlock(&lock);
    return copy;
}
