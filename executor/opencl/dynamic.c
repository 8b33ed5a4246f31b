#include "executor/opencl/dynamic.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool sinter__dynamic_load(sinter__dynamic *d, const char *own, const char *const *names,
                          size_t count)
{
    if (own != NULL)
        d->library = dlopen(own, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < count && d->library == NULL && own == NULL; i++)
        d->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (d->library != NULL)
        return true;
    const char *error = dlerror();
    if (own != NULL && error != NULL)
        (void)snprintf(d->reason, sizeof d->reason, "no %s library: %s", d->what, error);
    else
        (void)snprintf(d->reason, sizeof d->reason, "no %s library: %s is not installed", d->what,
                       own != NULL ? own : names[0]);
    return false;
}

/* Through memory, because ISO C leaves a cast between the two kinds of pointers open. */
bool sinter__dynamic_find(sinter__dynamic *d, const char *name, void *pointer)
{
    void *symbol = dlsym(d->library, name);
    memcpy(pointer, &symbol, sizeof symbol);
    if (symbol == NULL)
        (void)snprintf(d->reason, sizeof d->reason, "the %s library has no %s", d->what, name);
    return symbol != NULL;
}
