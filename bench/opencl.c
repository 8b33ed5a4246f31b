#define _GNU_SOURCE /* madvise */
#include "bench/opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_PLATFORMS 32
#define MAX_DEVICES 32
#define LARGE_PAGES_FROM ((size_t)4 << 20) /* as fusion/device/tuning.def */

bool bench_cl_fail(bench_cl *cl, const char *call, cl_int error)
{
    (void)snprintf(cl->why, sizeof cl->why, "%s: OpenCL error %d", call, (int)error);
    return false;
}

/* The library that sinter loads, which has stayed loaded. */
static void *load_library(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", "libOpenCL-pixel.so",
                                        "libmali.so"};
    const char *own = getenv("SINTER_OPENCL_LIB");
    if (own != NULL && own[0] != '\0')
        return dlopen(own, RTLD_NOW | RTLD_LOCAL);
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static const struct {
    const char *name;
    size_t offset;
} calls[] = {
#define CL_CALL(name) {#name, offsetof(bench_cl_calls, name)},
#include "bench/opencl_calls.def"
#undef CL_CALL
};

static bool find_calls(bench_cl *cl)
{
    void *library = load_library();
    if (library == NULL) {
        (void)snprintf(cl->why, sizeof cl->why, "no OpenCL library");
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *symbol = dlsym(library, calls[i].name);
        memcpy((char *)&cl->call + calls[i].offset, &symbol, sizeof symbol);
        if (symbol == NULL) {
            (void)snprintf(cl->why, sizeof cl->why, "the OpenCL library has no %s", calls[i].name);
            return false;
        }
    }
    return true;
}

static bool find_device(bench_cl *cl, const char *selector, cl_platform_id *platform)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_device_id devices[MAX_DEVICES];
    cl_uint platform_count = 0;
    cl_uint device_count = 0;
    char *colon = NULL;
    unsigned long p = strtoul(selector, &colon, 10);
    unsigned long d = *colon == ':' ? strtoul(colon + 1, NULL, 10) : 0;
    cl_int error = cl->call.clGetPlatformIDs(MAX_PLATFORMS, platforms, &platform_count);
    if (error != CL_SUCCESS || p >= platform_count || p >= MAX_PLATFORMS)
        return bench_cl_fail(cl, "clGetPlatformIDs", error);
    *platform = platforms[p];
    error = cl->call.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices,
                                    &device_count);
    if (error != CL_SUCCESS || d >= device_count || d >= MAX_DEVICES)
        return bench_cl_fail(cl, "clGetDeviceIDs", error);
    cl->device = devices[d];
    return true;
}

bool bench_cl_open(bench_cl *cl, const char *selector)
{
    cl_platform_id platform = NULL;
    cl_int error = CL_SUCCESS;
    memset(cl, 0, sizeof *cl);
    if (!find_calls(cl) || !find_device(cl, selector, &platform))
        return false;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform, 0};
    cl->context = cl->call.clCreateContext(properties, 1, &cl->device, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return bench_cl_fail(cl, "clCreateContext", error);
    cl->queue = cl->call.clCreateCommandQueue(cl->context, cl->device, 0, &error);
    if (error != CL_SUCCESS) {
        bench_cl_close(cl);
        return bench_cl_fail(cl, "clCreateCommandQueue", error);
    }
    (void)cl->call.clGetDeviceInfo(cl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof cl->max_group,
                                   &cl->max_group, NULL);
    cl_device_type type = 0;
    (void)cl->call.clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    cl->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    return true;
}

void bench_cl_close(bench_cl *cl)
{
    if (cl->queue != NULL) {
        (void)cl->call.clFinish(cl->queue);
        (void)cl->call.clReleaseCommandQueue(cl->queue);
    }
    if (cl->context != NULL)
        (void)cl->call.clReleaseContext(cl->context);
    cl->queue = NULL;
    cl->context = NULL;
}

/* A buffer that is not mapped stays in the pages that it has. */
static bool ask_large_pages(bench_cl *cl, cl_mem buffer, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    cl_int error = CL_SUCCESS;
    unsigned char *data = cl->call.clEnqueueMapBuffer(
        cl->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &error);
    if (error != CL_SUCCESS)
        return true;
    size_t past = (uintptr_t)data % page;
    size_t before = past > 0 ? page - past : 0;
    (void)madvise(data + before, (bytes - before) / page * page, MADV_HUGEPAGE);
    error = cl->call.clEnqueueUnmapMemObject(cl->queue, buffer, data, 0, NULL, NULL);
    return (error == CL_SUCCESS || bench_cl_fail(cl, "clEnqueueUnmapMemObject", error)) &&
           bench_cl_finish(cl);
}

bool bench_cl_buffer(bench_cl *cl, size_t bytes, cl_mem *out)
{
    cl_int error = CL_SUCCESS;
    *out = cl->call.clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error != CL_SUCCESS)
        return bench_cl_fail(cl, "clCreateBuffer", error);
    return !cl->is_cpu || bytes < LARGE_PAGES_FROM || ask_large_pages(cl, *out, bytes);
}

bool bench_cl_write(bench_cl *cl, cl_mem buffer, size_t bytes, const void *data)
{
    cl_int error =
        cl->call.clEnqueueWriteBuffer(cl->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clEnqueueWriteBuffer", error);
}

bool bench_cl_read(bench_cl *cl, cl_mem buffer, size_t bytes, void *data)
{
    cl_int error =
        cl->call.clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clEnqueueReadBuffer", error);
}

static bool build_failed(bench_cl *cl, cl_program program, cl_int error)
{
    size_t used =
        (size_t)snprintf(cl->why, sizeof cl->why, "clBuildProgram: OpenCL error %d: ", (int)error);
    (void)cl->call.clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG,
                                         sizeof cl->why - used - 1, cl->why + used, NULL);
    (void)cl->call.clReleaseProgram(program);
    return false;
}

bool bench_cl_build(bench_cl *cl, const char *const *texts, cl_uint count, const char *options,
                    cl_program *out)
{
    cl_int error = CL_SUCCESS;
    const char *copies[8] = {0};
    *out = NULL;
    for (cl_uint i = 0; i < count && i < 8; i++)
        copies[i] = texts[i];
    cl_program program =
        cl->call.clCreateProgramWithSource(cl->context, count, copies, NULL, &error);
    if (error != CL_SUCCESS)
        return bench_cl_fail(cl, "clCreateProgramWithSource", error);
    error = cl->call.clBuildProgram(program, 1, &cl->device, options, NULL, NULL);
    if (error != CL_SUCCESS)
        return build_failed(cl, program, error);
    *out = program;
    return true;
}

bool bench_cl_finish(bench_cl *cl)
{
    cl_int error = cl->call.clFinish(cl->queue);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clFinish", error);
}
