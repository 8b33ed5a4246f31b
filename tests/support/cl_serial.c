#include "support/cl_serial.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Every object of OpenCL begins with the address of its driver's functions, by which the loader finds them. */
static _Atomic(const void *) driver; /* of Oclgrind */
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;

const void *cl_serial_driver(const void *object)
{
    const void *found;
    memcpy(&found, object, sizeof found);
    return found;
}

void cl_serial_meet(void *platform, const char *name)
{
    if (strcmp(name, "Oclgrind") == 0)
        atomic_store(&driver, cl_serial_driver(platform));
}

bool cl_serial_enter(const void *object)
{
    const void *known = atomic_load(&driver);
    bool ours = known != NULL && object != NULL && cl_serial_driver(object) == known;
    if (ours)
        (void)pthread_mutex_lock(&one);
    return ours;
}

void cl_serial_leave(const bool *entered)
{
    if (*entered)
        (void)pthread_mutex_unlock(&one);
}
