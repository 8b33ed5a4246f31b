/* cl_khr_command_buffer: that of the driver, or, for the personality `records`, one that is played: each command is a
 * kernel of its own with the arguments of then. */
#include "support/cl_inside.h"
#include "support/cl_kernels.h"
#include "support/cl_serial.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COMMANDS 4096

typedef struct command {
    cl_kernel kernel; /* the copy */
    cl_uint dimensions;
    size_t global[3], local[3];
} command;

typedef struct recording {
    void *driver; /* its own; NULL: it is played */
    cl_command_queue queue;
    cl_uint count;
    cl_bool is_final;
    command commands[];
} recording;

typedef void *create_fn(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
typedef cl_int end_fn(void *);
typedef cl_int launch_fn(void *, cl_command_queue, const cl_ulong *, cl_kernel, cl_uint,
                         const size_t *, const size_t *, const size_t *, cl_uint, const cl_uint *,
                         cl_uint *, void **);
typedef cl_int enqueue_fn(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                          cl_event *);

/* The driver's. */
static struct {
    create_fn *create;
    end_fn *finalize, *release;
    launch_fn *launch;
    enqueue_fn *enqueue;
} theirs;

static cl_bool is_played(void)
{
    return cl_inside_plays() != NULL && cl_inside_plays()->records;
}

static void *create(cl_uint n, const cl_command_queue *queues, const cl_ulong *properties,
                    cl_int *error)
{
    CL_SERIAL(queues[0]);
    *error = cl_inside_inject_at("clCreateCommandBufferKHR", queues[0]);
    if (*error != CL_SUCCESS)
        return NULL;
    recording *r = calloc(1, sizeof *r + MAX_COMMANDS * sizeof(command));
    r->queue = queues[0];
    if (!is_played())
        r->driver = theirs.create(n, queues, properties, error);
    if (*error != CL_SUCCESS) {
        free(r);
        return NULL;
    }
    cl_inside_created(r);
    return r;
}

/* NOLINTNEXTLINE(readability-function-size): OpenCL has so many parameters */
static cl_int launch(void *of, cl_command_queue queue, const cl_ulong *properties, cl_kernel kernel,
                     cl_uint dimensions, const size_t *offset, const size_t *global,
                     const size_t *local, cl_uint n, const cl_uint *wait, cl_uint *point,
                     void **handle)
{
    recording *r = of;
    CL_SERIAL(r->queue);
    cl_int error = cl_inside_inject_at("clCommandNDRangeKernelKHR", r->queue);
    if (error == CL_SUCCESS && !is_played())
        return theirs.launch(r->driver, queue, properties, kernel, dimensions, offset, global,
                             local, n, wait, point, handle);
    if (error != CL_SUCCESS || r->count == MAX_COMMANDS || r->is_final || queue != NULL)
        return error != CL_SUCCESS ? error : CL_INVALID_OPERATION;
    const cl_real *real = cl_inside_real();
    command *c = &r->commands[r->count];
    c->kernel = cl_kernels_copy(kernel, real->clCreateKernel, real->clSetKernelArg);
    if (c->kernel == NULL)
        return CL_INVALID_KERNEL;
    c->dimensions = dimensions;
    memcpy(c->global, global, dimensions * sizeof *global);
    memcpy(c->local, local, dimensions * sizeof *local);
    *point = ++r->count;
    return CL_SUCCESS;
}

static cl_int finalize(void *of)
{
    recording *r = of;
    CL_SERIAL(r->queue);
    cl_int error = cl_inside_inject_at("clFinalizeCommandBufferKHR", r->queue);
    if (error == CL_SUCCESS && !is_played())
        return theirs.finalize(r->driver);
    r->is_final = error == CL_SUCCESS;
    return error;
}

static cl_int release(void *of)
{
    recording *r = of;
    CL_SERIAL(r->queue);
    if (!cl_inside_released(r))
        return CL_INVALID_VALUE;
    cl_int error = is_played() ? CL_SUCCESS : theirs.release(r->driver);
    for (cl_uint i = 0; i < r->count; i++)
        (void)cl_inside_real()->clReleaseKernel(r->commands[i].kernel);
    free(r);
    return error;
}

static cl_int enqueue(cl_uint n, cl_command_queue *queues, void *of, cl_uint waits,
                      const cl_event *wait, cl_event *event)
{
    recording *r = of;
    CL_SERIAL(r->queue);
    cl_int error = cl_inside_inject_on("clEnqueueCommandBufferKHR", r->queue);
    if (error == CL_SUCCESS && !is_played())
        return theirs.enqueue(n, queues, r->driver, waits, wait, event);
    if (error != CL_SUCCESS || !r->is_final || n != 0 || waits != 0 || event != NULL)
        return error != CL_SUCCESS ? error : CL_INVALID_OPERATION;
    for (cl_uint i = 0; i < r->count && error == CL_SUCCESS; i++) {
        const command *c = &r->commands[i];
        error = cl_inside_real()->clEnqueueNDRangeKernel(r->queue, c->kernel, c->dimensions, NULL,
                                                         c->global, c->local, 0, NULL, NULL);
    }
    return error;
}

/* NOLINTNEXTLINE(readability-identifier-naming): OpenCL's */
EXPORT void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    static const struct {
        const char *name;
        void *ours, *slot;
    } all[] = {{"clCreateCommandBufferKHR", (void *)create, &theirs.create},
               {"clFinalizeCommandBufferKHR", (void *)finalize, &theirs.finalize},
               {"clReleaseCommandBufferKHR", (void *)release, &theirs.release},
               {"clCommandNDRangeKernelKHR", (void *)launch, &theirs.launch},
               {"clEnqueueCommandBufferKHR", (void *)enqueue, &theirs.enqueue}};
    CL_SERIAL(platform);
    const cl_real *real = cl_inside_real();
    void *found = real->clGetExtensionFunctionAddressForPlatform(platform, name);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) != 0)
            continue;
        memcpy(all[i].slot, &found, sizeof found);
        return found != NULL || is_played() ? all[i].ours : NULL;
    }
    return found;
}
