/* OpenCL, loaded at run time through one table of function pointers. Tests have it filled from a
 * library of their own, which SINTER_OPENCL_LIB names. */
#ifndef SINTER_EXECUTOR_CL_H
#define SINTER_EXECUTOR_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "core/base.h"

typedef struct sinter__cl {
#define CL_CALL(name) __typeof__(name) *name;
#include "executor/opencl/cl_calls.def"
#undef CL_CALL
    /* Of OpenCL 2.0, for queues with a priority; NULL: the loader has none. */
    cl_command_queue(CL_API_CALL *clCreateCommandQueueWithProperties)(cl_context, cl_device_id,
                                                                      const cl_bitfield *,
                                                                      cl_int *);
    /* Of OpenCL 1.2, and of use only where a device has extensions with functions; NULL likewise. */
    void *(CL_API_CALL *clGetExtensionFunctionAddressForPlatform)(cl_platform_id, const char *);
} sinter__cl;

/* The process's table. NULL when no OpenCL can be loaded; then *why (may be NULL) is the loader's
 * reason, a string that lives as long as the process. */
const sinter__cl *sinter__cl_load(const char **why);

/* "CL_OUT_OF_RESOURCES (-5)"; the buffer is the caller's. */
#define SINTER__CL_ERROR_TEXT 64
const char *sinter__cl_error_text(cl_int error, char text[SINTER__CL_ERROR_TEXT]);

/* Sets the message for a failed call: SINTER_EDEVMEM for lack of device memory, SINTER_ENOMEM for
 * lack of the driver's host memory, else SINTER_EDEVICE. */
sinter_status sinter__cl_fail(const char *call, cl_int error);

#endif /* SINTER_EXECUTOR_CL_H */
