#include "executor/opencl/cl.h"

#include "executor/context/env.h"
#include "executor/opencl/dynamic.h"

#include <pthread.h>
#include <stdio.h>

static const char *const library_names[] = {
    "libOpenCL.so.1",
    "libOpenCL.so",
    "libOpenCL-pixel.so",
    "libmali.so",
};

static sinter__cl table;
static sinter__dynamic dynamic = {.what = "OpenCL"};
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool fill_table(void)
{
#define CL_CALL(name)                                                                              \
    if (!sinter__dynamic_find(&dynamic, #name, &table.name))                                       \
        return false;
#include "executor/opencl/cl_calls.def"
#undef CL_CALL
    (void)sinter__dynamic_find(&dynamic, "clCreateCommandQueueWithProperties",
                               &table.clCreateCommandQueueWithProperties);
    (void)sinter__dynamic_find(&dynamic, "clGetExtensionFunctionAddressForPlatform",
                               &table.clGetExtensionFunctionAddressForPlatform);
    return true;
}

static void load(void)
{
    loaded = sinter__dynamic_load(&dynamic, sinter__env_text(SINTER__ENV_OPENCL_LIB), library_names,
                                  SINTER__COUNT(library_names)) &&
             fill_table();
}

const sinter__cl *sinter__cl_load(const char **why)
{
    (void)pthread_once(&once, load);
    if (why != NULL)
        *why = dynamic.reason;
    return loaded ? &table : NULL;
}

#define ERROR_CASE(name)                                                                           \
    case name:                                                                                     \
        known = #name;                                                                             \
        break;

const char *sinter__cl_error_text(cl_int error, char text[SINTER__CL_ERROR_TEXT])
{
    const char *known = "OpenCL error";
    switch (error) {
        ERROR_CASE(CL_DEVICE_NOT_FOUND)
        ERROR_CASE(CL_DEVICE_NOT_AVAILABLE)
        ERROR_CASE(CL_COMPILER_NOT_AVAILABLE)
        ERROR_CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        ERROR_CASE(CL_OUT_OF_RESOURCES)
        ERROR_CASE(CL_OUT_OF_HOST_MEMORY)
        ERROR_CASE(CL_BUILD_PROGRAM_FAILURE)
        ERROR_CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        ERROR_CASE(CL_INVALID_VALUE)
        ERROR_CASE(CL_INVALID_BUFFER_SIZE)
        ERROR_CASE(CL_INVALID_COMMAND_QUEUE)
        ERROR_CASE(CL_INVALID_MEM_OBJECT)
        ERROR_CASE(CL_INVALID_BINARY)
        ERROR_CASE(CL_INVALID_BUILD_OPTIONS)
        ERROR_CASE(CL_INVALID_KERNEL_NAME)
        ERROR_CASE(CL_INVALID_KERNEL)
        ERROR_CASE(CL_INVALID_KERNEL_ARGS)
        ERROR_CASE(CL_INVALID_WORK_GROUP_SIZE)
        ERROR_CASE(CL_INVALID_WORK_ITEM_SIZE)
        ERROR_CASE(CL_INVALID_GLOBAL_WORK_SIZE)
        ERROR_CASE(CL_INVALID_OPERATION)
    case -1001:
        known = "CL_PLATFORM_NOT_FOUND_KHR";
        break;
    default:
        break;
    }
    (void)snprintf(text, SINTER__CL_ERROR_TEXT, "%s (%d)", known, (int)error);
    return text;
}

sinter_status sinter__cl_fail(const char *call, cl_int error)
{
    char text[SINTER__CL_ERROR_TEXT];
    sinter_status status =
        error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE
            ? SINTER_EDEVMEM
        : error == CL_OUT_OF_HOST_MEMORY ? SINTER_ENOMEM
                                         : SINTER_EDEVICE;
    return sinter__fail(status, "%s: %s", call, sinter__cl_error_text(error, text));
}
