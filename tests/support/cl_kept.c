#include "support/cl_kept.h"

#include "support/cl_serial.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define MAX_KEPT 4

typedef struct kept_context {
    void *context;
    const void *device;
} kept_context;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const void *driver; /* PoCL; NULL: it has not been met */
static kept_context all[MAX_KEPT];
static size_t count; /* of them, the one that came first at the front */

static kept_context remove_at(size_t i)
{
    kept_context gone = all[i];
    count--;
    memmove(all + i, all + i + 1, (count - i) * sizeof *all);
    return gone;
}

void cl_kept_meet(const void *platform, const char *name)
{
    if (strcmp(name, "Portable Computing Language") != 0)
        return;
    (void)pthread_mutex_lock(&lock);
    driver = cl_serial_driver(platform);
    (void)pthread_mutex_unlock(&lock);
}

void *cl_kept_take(const void *device)
{
    void *found = NULL;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = count; i > 0 && found == NULL; i--) {
        if (all[i - 1].device == device)
            found = remove_at(i - 1).context;
    }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

void *cl_kept_keep(void *context, const void *device)
{
    void *gone = context;
    (void)pthread_mutex_lock(&lock);
    if (driver != NULL && cl_serial_driver(context) == driver) {
        gone = count == MAX_KEPT ? remove_at(0).context : NULL;
        all[count++] = (kept_context){context, device};
    }
    (void)pthread_mutex_unlock(&lock);
    return gone;
}
