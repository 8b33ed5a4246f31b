/* Libraries that are taken in when the process needs them, and left out where they are not installed. They
 * stay loaded: drivers do not survive being taken out, and what they keep may be needed to the end. */
#ifndef SINTER_EXECUTOR_DYNAMIC_H
#define SINTER_EXECUTOR_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sinter__dynamic {
    const char *what; /* "OpenCL" */
    void *library;
    char reason[256]; /* why it is not there, or not whole */
} sinter__dynamic;

/* Loads the first of `names` that is there, or nothing but `own` when that is not NULL. */
bool sinter__dynamic_load(sinter__dynamic *d, const char *own, const char *const *names,
                          size_t count);

/* Puts the function `name` into *pointer, which is a pointer to a function. */
bool sinter__dynamic_find(sinter__dynamic *d, const char *name, void *pointer);

#endif /* SINTER_EXECUTOR_DYNAMIC_H */
