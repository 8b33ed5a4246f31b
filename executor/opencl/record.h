/* Launches that a driver has recorded, and enqueues with one call: cl_khr_command_buffer. */
#ifndef SINTER_EXECUTOR_RECORD_H
#define SINTER_EXECUTOR_RECORD_H

#include "executor/opencl/cl.h"

/* The extension's functions, which headers of its earlier versions declare otherwise. */
typedef struct sinter__cl_recorder {
    void *(CL_API_CALL *create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
    cl_int(CL_API_CALL *finalize)(void *);
    cl_int(CL_API_CALL *release)(void *);
    cl_int(CL_API_CALL *launch)(void *, cl_command_queue, const cl_ulong *, cl_kernel, cl_uint,
                                const size_t *, const size_t *, const size_t *, cl_uint,
                                const cl_uint *, cl_uint *, void **);
    cl_int(CL_API_CALL *enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                                 cl_event *);
} sinter__cl_recorder;

/* Whether the device has the extension as its final form is, and its driver all of the functions,
 * which *out then has. */
bool sinter__cl_recorder_find(const sinter__cl *cl, cl_platform_id platform, cl_device_id device,
                              sinter__cl_recorder *out);

struct sinter__launch;

/* Launches of no list, for that queue, with what their kernels have been given; ended by `release`. */
sinter_status sinter__cl_record(const sinter__cl_recorder *r, cl_command_queue queue,
                                struct sinter__launch *const *launches, size_t count, void **out);

#endif /* SINTER_EXECUTOR_RECORD_H */
