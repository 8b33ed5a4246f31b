/* One call at a time into Oclgrind, which is not safe to call from two threads; other drivers beside it in the
 * same process are not held up. */
#ifndef SINTER_TESTS_CL_SERIAL_H
#define SINTER_TESTS_CL_SERIAL_H

#include <stdbool.h>

/* Which driver an object is of. */
const void *cl_serial_driver(const void *object);

/* Tells a platform apart by its name: whether calls for what belongs to it are made one at a time. */
void cl_serial_meet(void *platform, const char *name);

/* To the end of the block no other thread is in a call for an object of the same platform as `object`. Once in a
 * function, and in none that calls another with it. */
#define CL_SERIAL(object)                                                                          \
    __attribute__((cleanup(cl_serial_leave), unused)) bool serial_ = cl_serial_enter(object)

bool cl_serial_enter(const void *object);
void cl_serial_leave(const bool *entered);

#endif /* SINTER_TESTS_CL_SERIAL_H */
