/* Contexts of PoCL, which reads 9 MB of built-in functions for the first program of each: half a second and more, and a
 * test may make dozens of contexts. One that is released is kept, and is the next one for the same device. */
#ifndef SINTER_TESTS_CL_KEPT_H
#define SINTER_TESTS_CL_KEPT_H

/* A platform, and its name. */
void cl_kept_meet(const void *platform, const char *name);

/* A context of that device that nobody has; NULL: none is kept. */
void *cl_kept_take(const void *device);

/* Keeps the context of that device, which nobody has any more. Returns what is to be released in
 * its place: one that was kept for longest, itself where it is not PoCL's, or NULL. */
void *cl_kept_keep(void *context, const void *device);

#endif /* SINTER_TESTS_CL_KEPT_H */
