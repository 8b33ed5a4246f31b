#include "executor/opencl/foreign.h"

#define MAX_DEVICES 64

/* What a device is a part of; NULL: it is whole. */
static cl_device_id parent_of(const sinter__cl *cl, cl_device_id device)
{
    cl_device_id parent = NULL;
    cl_int error =
        cl->clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, (void *)&parent, NULL);
    return error == CL_SUCCESS ? parent : NULL;
}

/* A driver may list, in the place of a sub-device, what that is a part of. */
sinter_status sinter__foreign_device(const sinter__foreign *of)
{
    cl_device_id devices[MAX_DEVICES];
    size_t bytes = 0;
    cl_int error =
        of->cl->clGetContextInfo(of->context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetContextInfo", error);
    size_t count = SINTER__MIN(bytes / sizeof *devices, (size_t)MAX_DEVICES);
    for (cl_device_id d = of->device; d != NULL; d = parent_of(of->cl, d)) {
        for (size_t i = 0; i < count; i++) {
            if (devices[i] == d)
                return SINTER_OK;
        }
    }
    return sinter__fail(SINTER_EINVAL, "the device is none of the %zu of the OpenCL context",
                        count);
}

sinter_status sinter__foreign_queue(const sinter__foreign *of, cl_command_queue queue)
{
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int error =
        of->cl->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (error == CL_SUCCESS)
        error = of->cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (error == CL_SUCCESS)
        error = of->cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                              &properties, NULL);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetCommandQueueInfo", error);
    if (context != of->context)
        return sinter__fail(SINTER_EINVAL, "the queue is of another OpenCL context (%p, not %p)",
                            (void *)context, (void *)of->context);
    if (device != of->device)
        return sinter__fail(SINTER_EINVAL, "the queue is of another device (%p, not %p)",
                            (void *)device, (void *)of->device);
    if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0)
        return sinter__fail(SINTER_EINVAL, "the queue is out of order (properties %#llx)",
                            (unsigned long long)properties);
    return SINTER_OK;
}

/* What kernels and the host have to be allowed. */
static sinter_status check_flags(cl_mem_flags flags, bool is_writable)
{
    const cl_mem_flags host =
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if ((flags & CL_MEM_WRITE_ONLY) != 0)
        return sinter__fail(SINTER_EINVAL, "no kernel may read the buffer (flags %#llx)",
                            (unsigned long long)flags);
    if ((flags & CL_MEM_READ_ONLY) != 0 && is_writable)
        return sinter__fail(SINTER_EINVAL, "no kernel may write the buffer (flags %#llx)",
                            (unsigned long long)flags);
    if ((flags & host) != 0)
        return sinter__fail(SINTER_EINVAL,
                            "the host may not read and write the buffer (flags %#llx)",
                            (unsigned long long)flags);
    return SINTER_OK;
}

/* What the buffer is a part of: sub-buffers have none themselves. */
static sinter_status find_whole(const sinter__foreign *of, sinter__their_memory *m)
{
    cl_mem parent = NULL;
    size_t from = 0;
    cl_int error = of->cl->clGetMemObjectInfo(m->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent,
                                              (void *)&parent, NULL);
    if (error == CL_SUCCESS && parent != NULL)
        error = of->cl->clGetMemObjectInfo(m->buffer, CL_MEM_OFFSET, sizeof from, &from, NULL);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetMemObjectInfo", error);
    m->whole = parent != NULL ? (void *)parent : m->buffer;
    m->from_bytes = from;
    return SINTER_OK;
}

sinter_status sinter__foreign_memory(const sinter__foreign *of, sinter__their_memory *m)
{
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    size_t bytes = 0;
    const struct {
        cl_mem_info what;
        size_t bytes;
        void *out;
    } asked[] = {{CL_MEM_CONTEXT, sizeof context, &context},
                 {CL_MEM_TYPE, sizeof type, &type},
                 {CL_MEM_FLAGS, sizeof flags, &flags},
                 {CL_MEM_SIZE, sizeof bytes, &bytes}};
    for (size_t i = 0; i < SINTER__COUNT(asked); i++) {
        cl_int error = of->cl->clGetMemObjectInfo(m->buffer, asked[i].what, asked[i].bytes,
                                                  asked[i].out, NULL);
        if (error != CL_SUCCESS)
            return sinter__cl_fail("clGetMemObjectInfo", error);
    }
    if (context != of->context)
        return sinter__fail(SINTER_EINVAL, "the buffer is of another OpenCL context (%p, not %p)",
                            (void *)context, (void *)of->context);
    if (type != CL_MEM_OBJECT_BUFFER)
        return sinter__fail(SINTER_EINVAL, "the memory is no buffer (type %#x)", (unsigned)type);
    if (m->offset_bytes > bytes || m->bytes > bytes - m->offset_bytes)
        return sinter__fail(
            SINTER_ERANGE, "%llu bytes from byte %llu on are not in a buffer of %zu",
            (unsigned long long)m->bytes, (unsigned long long)m->offset_bytes, bytes);
    SINTER_TRY(check_flags(flags, m->is_writable));
    return find_whole(of, m);
}

sinter_status sinter__foreign_event(const sinter__foreign *of, cl_event event)
{
    cl_command_queue queue = NULL;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_int error =
        of->cl->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
    if (error == CL_SUCCESS)
        error = of->cl->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetEventInfo", error);
    if (context != of->context)
        return sinter__fail(SINTER_EINVAL, "the event is of another OpenCL context (%p, not %p)",
                            (void *)context, (void *)of->context);
    if (queue == NULL)
        return sinter__fail(SINTER_EINVAL, "the event is of no queue: the caller sets it");
    error = of->cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetCommandQueueInfo", error);
    if (device != of->device)
        return sinter__fail(SINTER_EINVAL, "the event is of another device (%p, not %p)",
                            (void *)device, (void *)of->device);
    return SINTER_OK;
}
