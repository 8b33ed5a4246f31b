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

/* A launch of a kernel that has its arguments. */
typedef struct sinter__cl_recorded {
    cl_kernel kernel;
    cl_uint dimensions;
    size_t global[3];
    size_t local[3];
} sinter__cl_recorded;

/* Whether the device has the extension as its final form is, and its driver all of the functions, which *out then has. */
bool sinter__cl_recorder_find(const sinter__cl *cl, cl_platform_id platform, cl_device_id device,
                              sinter__cl_recorder *out);

/* Begins a recording for commands of that queue, NULL on failure; adds a launch behind those before; ends it. One that
 * failed on the way is released as any other. */
void *sinter__cl_recording_begin(const sinter__cl_recorder *r, cl_command_queue queue,
                                 cl_int *error);
cl_int sinter__cl_recording_add(const sinter__cl_recorder *r, void *recording,
                                const sinter__cl_recorded *launch, cl_uint *last);

#endif /* SINTER_EXECUTOR_RECORD_H */
