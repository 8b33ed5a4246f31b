/* Not a test but what one runs: makes an OpenCL buffer and forgets it (`leak`), releases one twice
 * (`twice`), or neither (`none`). The OpenCL library for tests has to notice. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIND(name) find(library, #name, &name##_)

static void find(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    if (symbol == NULL)
        exit(1);
    memcpy(pointer, &symbol, sizeof symbol);
}

int main(int argc, char **argv)
{
    const char *path = getenv("SINTER_OPENCL_LIB");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL || argc != 2)
        return 1;
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs_;
    __typeof__(clGetDeviceIDs) *clGetDeviceIDs_;
    __typeof__(clCreateContext) *clCreateContext_;
    __typeof__(clReleaseContext) *clReleaseContext_;
    __typeof__(clCreateBuffer) *clCreateBuffer_;
    __typeof__(clReleaseMemObject) *clReleaseMemObject_;
    FIND(clGetPlatformIDs);
    FIND(clGetDeviceIDs);
    FIND(clCreateContext);
    FIND(clReleaseContext);
    FIND(clCreateBuffer);
    FIND(clReleaseMemObject);
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs_(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs_(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    cl_context context = clCreateContext_(NULL, 1, &device, NULL, NULL, NULL);
    cl_mem buffer = clCreateBuffer_(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
    if (buffer == NULL)
        return 1;
    if (strcmp(argv[1], "leak") != 0)
        (void)clReleaseMemObject_(buffer);
    if (strcmp(argv[1], "twice") == 0)
        (void)clReleaseMemObject_(buffer);
    (void)clReleaseContext_(context);
    (void)puts("done");
    return 0;
}
