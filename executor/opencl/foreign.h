/* Objects of OpenCL that the caller has made: whether they fit what they are to be used with. Each check
 * gives SINTER_EINVAL and a line that says what is wrong. */
#ifndef SINTER_EXECUTOR_FOREIGN_H
#define SINTER_EXECUTOR_FOREIGN_H

#include "executor/backend/theirs.h"
#include "executor/opencl/cl.h"

/* What they have to be of. */
typedef struct sinter__foreign {
    const sinter__cl *cl;
    cl_context context;
    cl_device_id device;
} sinter__foreign;

/* The device is one of the context, or made of one that is. */
sinter_status sinter__foreign_device(const sinter__foreign *of);

sinter_status sinter__foreign_queue(const sinter__foreign *of, cl_command_queue queue);

/* SINTER_ERANGE for a buffer that is too small. */
sinter_status sinter__foreign_memory(const sinter__foreign *of, sinter__their_memory *m);

/* Of a queue of the device. */
sinter_status sinter__foreign_event(const sinter__foreign *of, cl_event event);

#endif /* SINTER_EXECUTOR_FOREIGN_H */
