/* The one hard idea: the extension was provisional for years, its name said nothing of which form a driver has. In the
 * final one a recording may be enqueued again while it still runs, which a stream that does not wait between its
 * segments needs; that came with version 0.9.8 (docs/decisions/command-buffers.md). */
#include "executor/opencl/record.h"

#include "executor/opencl/arguments.h"

#include <string.h>

#define NAME "cl_khr_command_buffer"

#ifndef CL_DEVICE_EXTENSIONS_WITH_VERSION /* of OpenCL 3.0 */
#    define CL_DEVICE_EXTENSIONS_WITH_VERSION 0x1060
#endif

/* As OpenCL 3.0 has them: ten bits, ten bits, twelve bits. */
#define VERSION(major, minor, patch) ((cl_uint)(major) << 22 | (cl_uint)(minor) << 12 | (patch))
#define MAX_EXTENSIONS 256

typedef struct named_version {
    cl_uint version;
    char name[64];
} named_version;

/* 0: the device has no such extension, or does not say which. */
static cl_uint find_version(const sinter__cl *cl, cl_device_id device)
{
    named_version all[MAX_EXTENSIONS];
    size_t bytes = 0;
    if (cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof all, all, &bytes) !=
        CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < SINTER__MIN(bytes, sizeof all) / sizeof *all; i++) {
        if (strncmp(all[i].name, NAME, sizeof all[i].name) == 0)
            return all[i].version;
    }
    return 0;
}

static bool find(const sinter__cl *cl, cl_platform_id platform, const char *name, void *pointer)
{
    void *found = cl->clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

bool sinter__cl_recorder_find(const sinter__cl *cl, cl_platform_id platform, cl_device_id device,
                              sinter__cl_recorder *out)
{
    return cl->clGetExtensionFunctionAddressForPlatform != NULL &&
           find_version(cl, device) >= VERSION(0, 9, 8) &&
           find(cl, platform, "clCreateCommandBufferKHR", &out->create) &&
           find(cl, platform, "clFinalizeCommandBufferKHR", &out->finalize) &&
           find(cl, platform, "clReleaseCommandBufferKHR", &out->release) &&
           find(cl, platform, "clCommandNDRangeKernelKHR", &out->launch) &&
           find(cl, platform, "clEnqueueCommandBufferKHR", &out->enqueue);
}

/* Behind command `last`, and *last from then on. */
static cl_int add(const sinter__cl_recorder *r, void *recording, const sinter__launch *l,
                  cl_uint *last)
{
    const sinter__geometry *g = &l->geometry;
    const cl_uint waits = *last != 0 ? 1 : 0;
    cl_uint point = 0;
    cl_int error =
        r->launch(recording, NULL, NULL, l->object.handle, sinter__cl_dimensions(g), NULL,
                  g->global, g->local, waits, waits != 0 ? last : NULL, &point, NULL);
    *last = point;
    return error;
}

sinter_status sinter__cl_record(const sinter__cl_recorder *r, cl_command_queue queue,
                                sinter__launch *const *launches, size_t count, void **out)
{
    const char *call = "clCommandNDRangeKernelKHR";
    cl_int error = CL_SUCCESS;
    cl_uint last = 0;
    *out = NULL;
    void *recording = r->create(1, &queue, NULL, &error);
    if (error != CL_SUCCESS || recording == NULL)
        return sinter__cl_fail("clCreateCommandBufferKHR", error);
    for (size_t i = 0; i < count && error == CL_SUCCESS; i++)
        error = add(r, recording, launches[i], &last);
    if (error == CL_SUCCESS) {
        call = "clFinalizeCommandBufferKHR";
        error = r->finalize(recording);
    }
    if (error != CL_SUCCESS) {
        (void)r->release(recording);
        return sinter__cl_fail(call, error);
    }
    *out = recording;
    return SINTER_OK;
}
