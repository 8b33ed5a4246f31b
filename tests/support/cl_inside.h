/* What the files of the OpenCL library for tests share that stand for calls of OpenCL (cl_layer.c, cl_recordings.c). */
#ifndef SINTER_TESTS_CL_INSIDE_H
#define SINTER_TESTS_CL_INSIDE_H

#include "support/cl_personality.h"

#define EXPORT __attribute__((visibility("default")))

/* The real functions. */
typedef struct cl_real {
#define CL_CALL(name) __typeof__(name) *name;
#include "executor/opencl/cl_calls.def"
#undef CL_CALL
    void *(*clGetExtensionFunctionAddressForPlatform)(cl_platform_id, const char *);
} cl_real;

const cl_real *cl_inside_real(void);

/* The device that is played; NULL: the real one. */
const cl_personality *cl_inside_plays(void);

/* The error that a call about a queue is to return, or 0; the second gives the queue a command. */
int cl_inside_inject_at(const char *name, cl_command_queue queue);
int cl_inside_inject_on(const char *name, cl_command_queue queue);

/* An object lives from now on; whether there is such an object to release. */
void cl_inside_created(const void *object);
int cl_inside_released(const void *object);

#endif /* SINTER_TESTS_CL_INSIDE_H */
